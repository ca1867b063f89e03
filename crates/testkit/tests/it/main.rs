//! Tests of the kit itself.

// Helper functions of tests, which clippy.toml does not reach, and the faces of whole crates.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::wrong_self_convention
)]

mod conformance;
mod hostile;
// Both stand for the root of a crate, where everything is public.
#[allow(unreachable_pub)]
mod json;
#[allow(unreachable_pub)]
mod msgpack;
mod shallow;
mod vectors;
