#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Implements `Debug` for what reads or writes: one number, and none of the bytes that it holds.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_place {
    ($type:ty, $name:literal, |$own:ident| $place:expr) => {
        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let ($own, name) = (self, stringify!($type).split('<').next().unwrap_or_default());
                f.debug_struct(name).field($name, &$place).finish_non_exhaustive()
            }
        }
    };
}

pub mod bytes;
pub mod check;
pub mod error;
#[cfg(feature = "explain")]
pub mod explain;
pub mod float;
pub mod frames;
pub mod gap;
pub mod handoff;
#[cfg(feature = "json")]
pub mod json;
pub mod lend;
pub mod limits;
mod path;
pub mod pointer;
pub mod tag;
pub mod walk;
pub mod words;

/// Named by the macros of this crate.
#[doc(hidden)]
pub use serde_core;

pub use path::{Notation, Path, Segment};
