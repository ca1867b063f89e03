//! Every fuzz target for a while, without libFuzzer: what `cargo xtask fuzz` runs where cargo-fuzz or
//! a nightly toolchain is not installed.
//!
//! The bodies run on mutated test data. That has no feedback from the code, but finds what is easy to
//! find. A new target is one line here.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use gamewire_testkit::hostile::{Body, run_bodies};

macro_rules! bodies {
    ($($seeds:literal: $($target:ident),+;)+) => {
        &[$($(Body {
            target: stringify!($target),
            seeds: $seeds,
            run: gamewire_fuzz::$target,
        },)+)+]
    };
}

/// The bodies of all targets, by the folder of test data whose files the inputs are made from.
const BODIES: &[Body] = bodies! {
    "godot-variant": godot_differential, godot_roundtrip, godot_slice, godot_typed;
    "kiwi-pclass": kiwi_roundtrip, kiwi_slice, kiwi_text, kiwi_typed;
    "o3de-json": o3de_differential, o3de_roundtrip, o3de_slice, o3de_typed;
    "resonite-brson": brson_container, brson_model, brson_roundtrip, brson_slice;
    "zeze-serialize": zeze_differential, zeze_roundtrip, zeze_slice, zeze_typed;
};

fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let Some(seconds) = seconds else {
        eprintln!("usage: loop SECONDS");
        return ExitCode::from(2);
    };
    let good =
        run_bodies(Path::new(env!("CARGO_MANIFEST_DIR")), BODIES, Duration::from_secs(seconds));
    ExitCode::from(u8::from(!good))
}
