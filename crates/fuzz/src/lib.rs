//! The bodies of the fuzz targets: functions of any bytes that panic on what is to be reported.
//!
//! `fuzz_targets/NAME.rs` calls the function `NAME`; so does the program `loop` where libFuzzer is not
//! to be had.

#![forbid(unsafe_code)]

mod godot;
mod kiwi;
mod o3de;
mod resonite;
mod zeze;

pub use godot::{godot_differential, godot_roundtrip, godot_slice, godot_typed};
pub use kiwi::{kiwi_roundtrip, kiwi_slice, kiwi_text, kiwi_typed};
pub use o3de::{o3de_differential, o3de_roundtrip, o3de_slice, o3de_typed};
pub use resonite::{brson_container, brson_model, brson_roundtrip, brson_slice};
pub use zeze::{zeze_differential, zeze_roundtrip, zeze_slice, zeze_typed};
