#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod error;
mod keywords;
#[cfg(feature = "pclass")]
pub mod pclass;
#[cfg(feature = "zeze")]
pub mod zeze;

pub use error::{Error, Result};
