//! Values by where they stand in the bytes: found, changed, compared and merged without being made.

mod bits;
mod edit;
mod grammar;
mod index;
mod merged;
mod node;
mod rewrite;
mod values;

pub(in crate::document) use self::bits::{Memo, Out};
pub(in crate::document) use self::edit::{Ranged, edit};
pub(in crate::document) use self::grammar::{
    Around, Child, Extent, Grammar, Key, NewKey, Next, Open, Opened, Place, Stays,
};
pub(in crate::document) use self::index::{Body, Listed, RangeNode};
pub(in crate::document) use self::merged::apply;
pub(in crate::document) use self::rewrite::{Change, Piece, Source};
pub(in crate::document) use self::values::{NewChild, Values};

use super::node::{GONE, Item, Source as ItemSource, Turn};

/// The items of formats whose values are ranges, which have none.
#[derive(Clone)]
pub(in crate::document) struct Never;

impl Item for Never {
    fn take(&mut self, _: Turn) -> Option<Self> {
        None
    }

    fn put(&mut self, _: Turn, _: Self) -> Result<(), String> {
        Err(GONE.to_owned())
    }

    fn len(&self) -> usize {
        0
    }

    fn arrange(&mut self, _: Vec<ItemSource<Self>>) -> Result<(), String> {
        Err(GONE.to_owned())
    }
}
