#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    reason = "columns, counts and numbers of names in texts that are held in memory"
)]

#[cfg(feature = "dml")]
pub mod dml;
mod error;
#[cfg(any(feature = "pclass", feature = "zeze"))]
mod keywords;
#[cfg(feature = "pclass")]
pub mod pclass;
#[cfg(feature = "zeze")]
pub mod zeze;

pub use error::{Error, Result};
