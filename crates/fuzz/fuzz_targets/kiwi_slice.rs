//! See `gamewire_fuzz::kiwi_slice`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gamewire_fuzz::kiwi_slice(data));
