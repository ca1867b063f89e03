//! KingsIsle's PropertyClass binary: archives, type lists, Rust types.

pub(crate) mod archive;
pub(crate) mod generate;
pub(crate) mod rows;
pub(crate) mod types;
