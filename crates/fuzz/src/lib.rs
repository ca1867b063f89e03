//! The bodies of the fuzz targets: functions of any bytes that panic on what is to be reported.
//!
//! `fuzz_targets/NAME.rs` calls the function `NAME`; so does `cargo xtask fuzz` where libFuzzer is
//! not to be had.

#![forbid(unsafe_code)]

mod godot;
mod resonite;

pub use godot::{godot_differential, godot_roundtrip, godot_slice, godot_typed};
pub use resonite::{brson_container, brson_model, brson_roundtrip, brson_slice};
