//! The listener that only checks, keys of documents among them.

use std::ops::Range;

use gamewire_core::bytes::part;

use super::decode::{Contents, Decoder, Leaf, Listener, Opened, Position};
use super::keys::Keys;
use crate::error::Result;
use crate::kind::Kind;
use crate::read::Reader;

/// Checks a document as if a [`Value`](crate::Value) was made of it.
pub(crate) fn validate(reader: &mut Reader<'_>) -> Result<()> {
    Decoder::new(reader, &mut Validator { keys: Vec::new(), start: 0 }).read(Kind::Document)
}

/// Keeps the keys of the open documents, where these have no set of their own.
struct Validator<'b> {
    keys: Vec<&'b [u8]>,
    /// Where those of the innermost document begin.
    start: usize,
}

impl<'b> Listener<'b> for Validator<'b> {
    const COUNTS_FROM: usize = 256;
    type Kept = ();
    /// Of a document, where the keys of the one around begin.
    type Open = Option<usize>;

    fn keep(_: Leaf<'b>) {}

    #[inline]
    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b [u8]) -> bool {
        let before = part(&self.keys, self.start..);
        let is_new = keys.is_new(key, before.iter().copied());
        if !keys.is_set() {
            self.keys.push(key);
        }
        is_new
    }

    #[inline]
    fn leaf(&mut self, _: Range<usize>, _: Position<'b>, (): ()) {}

    #[inline]
    fn open(&mut self, _: usize, _: Position<'b>, opened: Opened) -> Option<usize> {
        match opened.contents {
            Contents::Items => None,
            Contents::Entries => Some(std::mem::replace(&mut self.start, self.keys.len())),
        }
    }

    #[inline]
    fn close(&mut self, _: usize, _: Position<'b>, before: Option<usize>) -> usize {
        if let Some(before) = before {
            self.keys.truncate(self.start);
            self.start = before;
        }
        0
    }
}
