//! See `gamewire_fuzz::godot_typed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::godot_typed(data));
