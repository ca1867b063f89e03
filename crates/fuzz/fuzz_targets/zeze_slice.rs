//! See `gamewire_fuzz::zeze_slice`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::zeze_slice(data));
