//! Scenes and resources of Godot, as text and as binary.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod align;
mod binary;
mod contents;
mod convert;
#[cfg(feature = "explain")]
mod explain;
mod hostile;
mod lint;
mod random;
mod realdata;
mod refactor;
mod support;
mod text;
mod typed;
