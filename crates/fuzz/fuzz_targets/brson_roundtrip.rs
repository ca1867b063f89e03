//! See `gamewire_fuzz::brson_roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::brson_roundtrip(data));
