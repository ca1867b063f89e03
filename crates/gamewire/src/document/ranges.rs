//! Values by where they stand in the bytes: found, changed, compared and merged without being made.

pub(in crate::document) mod bits;
mod bytes;
mod edit;
mod grammar;
mod hunks;
mod index;
mod merged;
mod node;
mod patch;
mod rewrite;
mod values;

pub(in crate::document) use self::bits::{Memo, Out, common_bytes, common_start};
pub use self::bytes::Bytes;
pub(in crate::document) use self::edit::{Outcome, edit, edited};
pub(in crate::document) use self::grammar::{
    Around, Child, Extent, Grammar, Key, NewKey, Next, Open, Opened, Place, Stays,
};
pub(in crate::document) use self::index::{Body, Listed, RangeNode};
pub(in crate::document) use self::merged::{apply, merged_bytes};
pub(in crate::document) use self::patch::{Patch, Run};
pub(in crate::document) use self::rewrite::{Change, Piece, Source};
pub(in crate::document) use self::values::{NewChild, Values};
