//! The tool from outside: command lines, and what comes of them.

// Helper functions of tests, which clippy.toml does not reach.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

mod archive;
mod arena;
mod batch;
mod check;
mod codec;
mod codegen;
mod conformance;
mod deep;
mod diff;
mod edit;
mod errors;
mod explain;
mod files;
#[cfg(unix)]
mod git;
mod godot;
mod graph;
mod help;
mod lint;
mod merge3;
mod o3de;
mod package;
mod pclass;
// Its commands are for a shell.
#[cfg(unix)]
mod readme;
mod refactor;
mod resonite;
mod run;
mod salvage;
mod streams;
mod zeze;
