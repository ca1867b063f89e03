//! See `gamewire_fuzz::zeze_differential`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::zeze_differential(data));
