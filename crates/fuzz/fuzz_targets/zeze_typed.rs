//! See `gamewire_fuzz::zeze_typed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::zeze_typed(data));
