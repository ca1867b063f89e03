//! Collects spans so that they cover the input without gap or overlap.

use std::borrow::Cow;
use std::sync::Arc;

use super::Explanation;
use super::span::{Place, Role, Span};
use crate::error::Count;
use crate::{Error, ErrorKind};

/// Spans from the start of some bytes up to some bit.
pub(super) struct Sink<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) inflated: bool,
    pub(super) spans: Vec<Span>,
    /// The first bit without a span.
    at: usize,
}

/// What a span says.
pub(super) struct Words {
    pub(super) role: Role,
    pub(super) meaning: Cow<'static, str>,
    pub(super) value: Cow<'static, str>,
}

impl Words {
    pub(super) fn new(
        role: Role,
        meaning: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> Self {
        Words { role, meaning: meaning.into(), value: value.into() }
    }
}

impl<'a> Sink<'a> {
    pub(super) fn new(bytes: &'a [u8], inflated: bool) -> Self {
        Sink { bytes, inflated, spans: Vec::new(), at: 0 }
    }

    /// Whether no more spans are kept.
    pub(super) fn is_full(&self) -> bool {
        self.spans.len() >= Explanation::MAX_SPANS
    }

    /// Adds a span from one bit to behind another; what lies before it is padding.
    pub(super) fn push(
        &mut self,
        start: usize,
        end: usize,
        depth: usize,
        place: &Arc<Place>,
        words: Words,
    ) {
        if self.is_full() {
            self.at = self.at.max(end);
            return;
        }
        self.padding(start, depth, place);
        self.push_anyway(end, depth, place, words);
    }

    /// Bits before the next whole byte.
    pub(super) fn padding(&mut self, end: usize, depth: usize, place: &Arc<Place>) {
        if end > self.at {
            let stale = (self.at..end)
                .any(|bit| self.bytes.get(bit >> 3).is_some_and(|byte| byte >> (bit & 7) & 1 != 0));
            let meaning = if stale { "padding · not zero" } else { "padding" };
            self.push_anyway(end, depth, place, Words::new(Role::Padding, meaning, ""));
        }
    }

    fn push_anyway(&mut self, end: usize, depth: usize, place: &Arc<Place>, words: Words) {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let (bit, place) = (self.at, Arc::clone(place));
        let len = end.saturating_sub(bit);
        self.at = self.at.max(end);
        let Words { role, meaning, value } = words;
        self.spans.push(Span {
            bit,
            len,
            depth,
            role,
            place,
            meaning,
            value,
            inflated: self.inflated,
        });
    }

    /// Gives back what was said about the bits from `bit` on.
    fn truncate(&mut self, bit: usize) {
        while self.spans.pop_if(|span| span.bit >= bit).is_some() {}
        if let Some(last) = self.spans.last_mut() {
            last.len = last.len.min(bit.saturating_sub(last.bit));
        }
        self.at = self.at.min(bit);
    }

    /// One span for what did not fit.
    fn fill_omitted(&mut self) {
        let kept = self.spans.last().map_or(0, Span::end);
        let end = self.at;
        if end > kept {
            self.at = kept;
            let meaning = format!("read, but not listed: {} spans are", Explanation::MAX_SPANS);
            let root = Arc::new(Place::default());
            self.push_anyway(end, 0, &root, Words::new(Role::Omitted, meaning, ""));
        }
    }

    /// Ends with the error and with what comes after it.
    pub(super) fn fail(&mut self, error: &Error, depth: usize) {
        let all = self.bytes.len().saturating_mul(8);
        let at = error.bit_offset().unwrap_or(self.at).min(all);
        self.truncate(at);
        let place = Place::of(error.path());
        self.padding(at, depth, &place);
        self.fill_omitted();
        if error.kind() == ErrorKind::TrailingBytes {
            return self.rest("bytes after the object");
        }
        let message = Words::new(Role::Error, error.message().to_owned(), "");
        self.push_anyway(at.saturating_add(32).min(all), depth, &place, message);
        self.rest("not reached");
    }

    /// One span for the bits up to the end.
    pub(super) fn rest(&mut self, meaning: &'static str) {
        self.fill_omitted();
        let all = self.bytes.len().saturating_mul(8);
        let left = all.saturating_sub(self.at);
        if left > 0 {
            let root = Arc::new(Place::default());
            let value = match left & 7 {
                0 => Count(left >> 3, "byte").to_string(),
                _ => Count(left, "bit").to_string(),
            };
            self.push_anyway(all, 0, &root, Words::new(Role::NotReached, meaning, value));
        }
    }
}
