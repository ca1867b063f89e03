//! The tests of godot-variant that need no engine.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test that overflows or indexes out of range fails, which is what it should do"
)]

mod regress;
mod support;

gamewire_testkit::conformance!(godot_variant);
