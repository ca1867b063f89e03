//! See `gamewire_fuzz::brson_model`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::brson_model(data));
