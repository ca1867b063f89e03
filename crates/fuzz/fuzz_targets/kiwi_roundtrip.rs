//! See `gamewire_fuzz::kiwi_roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::kiwi_roundtrip(data));
