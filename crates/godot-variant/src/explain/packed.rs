//! The packed arrays.

use std::sync::Arc;

use super::layout::{Layout, padding_after};
use super::math::{self, Number};
use super::sink::{count, cut};
use super::span::{Place, Role};
use crate::error::Segment;
use crate::options::Dialect;
use crate::types::Type;

/// The most elements of a packed array that get a span each.
const MOST_ELEMENTS: usize = 64;

impl Layout<'_, '_> {
    pub(super) fn packed_bytes(&mut self, own: usize, whole: bool) {
        let Some(len) = self.packed_count() else { return };
        let bytes = self.peek(len);
        let shown = cut(format_args!("{}", bytes.escape_ascii()));
        self.piece(len, Role::Data, count(len, "byte"), shown);
        let missing = padding_after(len).saturating_sub(self.left());
        if whole && missing > 0 {
            self.sink.note(own, &format!("{} of padding missing", count(missing, "byte")));
        }
        self.padding(len);
    }

    fn packed_count(&mut self) -> Option<usize> {
        let count = self.word()?;
        self.piece(4, Role::Count, "count of elements", count.to_string());
        usize::try_from(count).ok()
    }

    pub(super) fn packed(&mut self, kind: Type, wide: bool) {
        let Some(len) = self.packed_count() else { return };
        let (number, vector) = (Number::of(kind, wide), math::vector(kind));
        let size = number.size().saturating_mul(kind.packed_components());
        let outer = Arc::clone(&self.place);
        for index in 0..len.min(MOST_ELEMENTS) {
            let value = number.show(self.peek(size), vector);
            if self.left() == 0 {
                break;
            }
            self.place = Place::inside(&outer, Segment::Index(index));
            self.piece(size, Role::Data, format!("element {index}"), value);
        }
        self.place = outer;
        if let Some(more) = len.checked_sub(MOST_ELEMENTS).filter(|&more| more > 0) {
            let head = self.peek(size.saturating_mul(16));
            let shown = head.chunks_exact(size.max(1)).map(|e| number.show(e, vector));
            let shown = cut(format_args!("{}", shown.collect::<Vec<_>>().join(", ")));
            let rest = self.left();
            self.piece(rest, Role::Data, more_elements(more), shown);
        }
    }

    pub(super) fn packed_strings(&mut self) {
        let Some(word) = self.word() else { return };
        let negative = word > 0x7fff_ffff;
        let own = self.piece(4, Role::Count, "count of elements", word.cast_signed().to_string());
        if negative {
            return self.sink.note(own, "negative, so none");
        }
        let len = usize::try_from(word).unwrap_or(usize::MAX);
        let outer = Arc::clone(&self.place);
        for index in 0..len.min(MOST_ELEMENTS) {
            if self.left() == 0 {
                break;
            }
            self.place = Place::inside(&outer, Segment::Index(index));
            self.packed_string(index);
        }
        self.place = outer;
        if let Some(more) = len.checked_sub(MOST_ELEMENTS).filter(|&more| more > 0) {
            let rest = self.left();
            self.piece(rest, Role::Data, more_elements(more), "");
        }
    }

    fn packed_string(&mut self, index: usize) {
        let Some(word) = self.word() else { return };
        let len = usize::try_from(word).unwrap_or(usize::MAX);
        let after = self.peek(len.saturating_add(4)).get(4..).unwrap_or_default();
        let nul = self.rules.dialect() != Dialect::Docs && after.last() == Some(&0);
        let with = if nul { " with NUL" } else { "" };
        self.piece(4, Role::Length, format!("length of element {index}{with}"), word.to_string());
        if nul {
            self.text(len.saturating_sub(1), format!("element {index}"));
            self.piece(1, Role::Padding, "NUL", "");
        } else {
            self.text(len, format!("element {index}"));
        }
        self.padding(len);
    }
}

fn more_elements(more: usize) -> String {
    format!("… {more} more")
}
