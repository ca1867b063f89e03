//! Commands of one format, each with what it does.

pub(crate) mod change;
pub(crate) mod dml;
pub(crate) mod finding;
pub(crate) mod godot;
pub(crate) mod o3de;
pub(crate) mod pclass;
pub(crate) mod resonite;
pub(crate) mod zeze;
