//! The tests of zeze-serialize that need no engine.
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

mod docs;
mod errors;
mod exact;
mod explain;
mod frames;
mod golden;
mod limits;
mod properties;
mod regress;
mod serde;
mod support;
mod value;

gamewire_testkit::conformance!(crate::exact);
