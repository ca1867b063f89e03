//! Shared by the tests of the format crates. Never published, never a run-time dependency.
//!
//! - [`mod@vectors`] reads JSON-lines vector files, and reports each row as passed, failed or skipped;
//!   it is all of a test binary but the function that checks a row.
//! - [`hostile`] makes hostile input for any binary format, and measures what a decoder does with
//!   it: panics, peak memory, time.
//! - [`conformance!`] instantiates the tests that hold for every format crate.
//! - [`streams!`] instantiates those that hold for every format with frames.
//! - [`composed!`] makes values of the types that rows name.
//! - [`docs`] holds what is generated in the documentation.
//! - [`on_big_stack`] and [`on_small_stack`] run code on a stack of known size.
//!
//! Linking this crate installs a global allocator that counts per thread. A test binary needs no
//! line for it, and may not install another one.

#![forbid(unsafe_code)]
// A tool for tests: stopping with a message is how it reports, and its input is our own.
#![allow(clippy::pedantic, clippy::restriction)]

pub mod composed;
pub mod conformance;
pub mod docs;
pub mod hostile;
mod stack;
pub mod streams;
pub mod vectors;

pub use stack::{BIG_STACK, SMALL_STACK, on_big_stack, on_small_stack};

#[doc(hidden)]
pub use serde;
#[doc(hidden)]
pub use serde_json::Value as Json;
