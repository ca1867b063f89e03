//! Zeze: Rust types of solutions.

pub(crate) mod generate;
