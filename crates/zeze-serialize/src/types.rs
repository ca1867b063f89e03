//! The types of the format that Rust and serde do not have.

pub(crate) mod base;
pub(crate) mod marker;
mod math;
pub(crate) mod raw;
mod unknown;

pub use base::Base;
pub use math::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};
pub use raw::RawBean;
pub use unknown::Unknown;
