//! The tests of godot-variant that need no engine.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::panic,
    clippy::unwrap_used,
    clippy::large_enum_variant,
    reason = "a test that overflows, panics or indexes out of range fails, as it should"
)]

mod dialects;
mod docs;
mod errors;
#[cfg(feature = "explain")]
mod explain;
mod frames;
mod golden;
mod interop;
mod limits;
mod realdata;
mod regress;
mod serde;
mod strategy;
mod strict;
mod support;
mod value;

#[cfg(feature = "explain")]
gamewire_testkit::conformance!(godot_variant);
#[cfg(not(feature = "explain"))]
gamewire_testkit::conformance!(godot_variant, no_explain);
