//! See `gamewire_fuzz::kiwi_text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::kiwi_text(data));
