//! See `gamewire_fuzz::godot_slice`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::godot_slice(data));
