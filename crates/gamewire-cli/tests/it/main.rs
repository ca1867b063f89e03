//! The tool from outside: command lines, and what comes of them.

// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod archive;
mod arena;
mod backup;
mod batch;
mod browser;
mod check;
mod codec;
mod codegen;
mod conformance;
#[cfg(unix)]
mod controls;
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
mod hostile;
mod lint;
mod merge3;
mod o3de;
mod package;
// Terminals as Unix has them.
#[cfg(unix)]
mod pager;
mod pclass;
// Its commands are for a shell.
#[cfg(unix)]
mod readme;
mod refactor;
mod resonite;
mod run;
mod salvage;
mod scenes;
mod streams;
mod zeze;
