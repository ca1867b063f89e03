//! The tests of kiwi-dml: messages, files of messages, frames, bytes of other implementations, hostile bytes.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

mod fields;
mod files;
mod frames;
mod hostile;
mod support;
mod tables;
mod vectors;
