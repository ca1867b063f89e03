//! What all format crates rely on.

#![allow(clippy::arithmetic_side_effects)]

mod explain;
mod path;
