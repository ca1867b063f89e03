//! The tests of the crate.

mod fields;
mod files;
mod frames;
mod hostile;
mod support;
mod vectors;
