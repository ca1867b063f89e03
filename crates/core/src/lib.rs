#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod error;
#[cfg(feature = "explain")]
pub mod explain;
pub mod frames;
mod path;
pub mod words;

/// What the macros of this crate name.
#[doc(hidden)]
pub use serde_core;

pub use path::{Notation, Path, Segment};
