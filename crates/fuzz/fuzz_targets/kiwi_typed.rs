//! See `gamewire_fuzz::kiwi_typed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::kiwi_typed(data));
