//! See `gamewire_fuzz::godot_roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::godot_roundtrip(data));
