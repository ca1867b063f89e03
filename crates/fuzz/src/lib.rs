//! The bodies of the fuzz targets: functions of any bytes that panic on what is to be reported.
//!
//! `fuzz_targets/NAME.rs` calls the function `NAME`; so does `cargo xtask fuzz` where libFuzzer is
//! not to be had.

#![forbid(unsafe_code)]

mod godot;
mod kiwi;

pub use godot::{godot_differential, godot_roundtrip, godot_slice, godot_typed};
pub use kiwi::{kiwi_roundtrip, kiwi_slice, kiwi_text, kiwi_typed};
