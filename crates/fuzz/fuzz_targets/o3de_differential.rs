//! See `gamewire_fuzz::o3de_differential`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::o3de_differential(data));
