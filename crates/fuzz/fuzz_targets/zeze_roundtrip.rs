//! See `gamewire_fuzz::zeze_roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::zeze_roundtrip(data));
