//! See `gamewire_fuzz::o3de_roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::o3de_roundtrip(data));
