//! See `gamewire_fuzz::brson_slice`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::brson_slice(data));
