//! Tests of the kit itself.

// Helper functions of tests, which clippy.toml does not reach, and the faces of whole crates.
#![allow(clippy::pedantic, clippy::restriction, clippy::wrong_self_convention)]

mod conformance;
mod hostile;
// It stands for the root of a crate, where everything is public.
#[allow(unreachable_pub)]
mod msgpack;
mod shallow;
mod vectors;
