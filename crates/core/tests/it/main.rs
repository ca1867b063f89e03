//! What all format crates rely on.

// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod errors;
mod explain;
mod float;
mod frames;
mod gap;
mod json;
mod path;
mod pointer;
mod walk;
