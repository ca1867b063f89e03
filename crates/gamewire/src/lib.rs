#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod format;

pub use format::{Format, UnknownFormat, detect};

#[cfg(feature = "godot-variant")]
pub use godot_variant;
#[cfg(feature = "zeze-serialize")]
pub use zeze_serialize;
