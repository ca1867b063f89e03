//! The spans of an input, and what may be asked of them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::place::Inside;
use super::span::{Note, Role, Space, Span, bits};
use crate::{Notation, Path, Segment};

/// The error of a format, as an explanation shows it.
pub trait Failure: fmt::Display + fmt::Debug {
    /// The kind of the error, which `Debug` names.
    fn kind(&self) -> &dyn fmt::Debug;

    /// The sentence without place and path.
    fn message(&self) -> &str;

    /// The first bit that is wrong, counted from the start of the space that is being read.
    fn bit(&self) -> Option<u64>;

    /// Where in the data.
    fn path(&self) -> &Path;

    /// Whether all is well but for bytes after the end.
    fn is_trailing(&self) -> bool {
        false
    }
}

/// The meaning of every byte of an input.
///
/// `Display` is [`to_text`](Self::to_text). For serde it is a map with the length of the input, the
/// error, the spaces, and the spans with their bytes in hex (the first 64 of each). `bits` is present
/// only where a span is not whole bytes, `kind` and `notes` only where they are not empty.
#[derive(Clone)]
pub struct Explanation<E> {
    pub(super) spaces: Vec<Space>,
    pub(super) spans: Vec<Span>,
    pub(super) error: Option<Arc<E>>,
    pub(super) error_space: usize,
    pub(super) notation: Notation,
}

impl<E> Explanation<E> {
    /// The most spans that are kept; what follows them is one span of [`Role::Omitted`] in each
    /// space.
    pub const MAX_SPANS: usize = 1_000_000;

    /// The bytes that have separate offsets: first the input, then what is inside of it, such as
    /// a decompressed body or the entries of a package.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// The spans of all spaces, in the order of the spaces and of their bytes: each begins where the
    /// one before it ends, and together they are the whole.
    ///
    /// Only the span of an error may be empty: where bytes are missing, or nothing but the sum of
    /// all is wrong.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The spans of one space, by its index in [`spaces`](Self::spaces).
    pub fn spans_in(&self, space: usize) -> &[Span] {
        let start = self.spans.partition_point(|span| span.space() < space);
        let end = self.spans.partition_point(|span| span.space() <= space);
        self.spans.get(start..end).unwrap_or_default()
    }

    /// Why the input is refused, as the reader says it; `None` if it is accepted.
    pub fn error(&self) -> Option<&E> {
        self.error.as_deref()
    }

    /// The space in which the error's offset counts.
    pub fn error_space(&self) -> Option<&Space> {
        self.error.as_ref()?;
        self.spaces.get(self.error_space)
    }

    /// The input.
    pub fn bytes(&self) -> &[u8] {
        self.spaces.first().map_or(&[], Space::bytes)
    }

    /// The span that owns a byte of the input, or its first bit; `None` past the end.
    pub fn span_at(&self, offset: usize) -> Option<&Span> {
        self.span_in(0, offset)
    }

    /// The span that owns a byte of a space, or its first bit; `None` past the end.
    pub fn span_in(&self, space: usize, offset: usize) -> Option<&Span> {
        let spans = self.spans_in(space);
        let bit = bits(offset);
        let after = spans.partition_point(|span| span.bit_range().start <= bit);
        spans.get(..after)?.iter().rev().find(|span| span.bit_range().contains(&bit))
    }

    /// The bytes of one of the spans; those in which it has bits.
    pub fn bytes_of(&self, span: &Span) -> &[u8] {
        let bytes = self.spaces.get(span.space()).map_or(&[][..], Space::bytes);
        bytes.get(span.range()).unwrap_or_default()
    }

    /// The same of a part of the input only, or of what is packed inside of it: the spans that have
    /// bits in these bytes of a space. What is left out is one [omitted](Role::Omitted) span before
    /// and after them, and one in each other space.
    ///
    /// A page of a large input shows so what it has no room for from the start.
    #[must_use]
    pub fn part(mut self, space: usize, bytes: Range<usize>) -> Self {
        let range = bits(bytes.start)..bits(bytes.end);
        let spaces = self.spaces.clone();
        let mut spans = Vec::new();
        for (index, own) in spaces.iter().enumerate() {
            let is_in =
                |span: &&Span| index == space && span.end > range.start && span.start < range.end;
            let kept: Vec<Span> = self.spans_in(index).iter().filter(is_in).cloned().collect();
            let (first, end) = (kept.first().map(|span| span.start), bits(own.bytes.len()));
            let last = kept.iter().map(|span| span.end).max();
            spans.extend(omitted(index, 0, first.unwrap_or(end)));
            spans.extend(kept);
            spans.extend(last.and_then(|last| omitted(index, last, end)));
        }
        self.spans = spans;
        self
    }

    /// The same with paths that begin inside of the value at `outer`, for an input that has nothing beside
    /// that value: with `[0]`, the path `[0].name` becomes `name`. Other paths stay as they are.
    #[must_use]
    pub fn inside(mut self, outer: &Segment) -> Self {
        let mut places = Inside::new(outer);
        for span in &mut self.spans {
            span.place = places.of(&span.place);
        }
        self
    }

    /// The number of bytes that were read but are in no span but an [omitted](Role::Omitted) one,
    /// because there are [too many](Self::MAX_SPANS) spans or only a [part](Self::part) is meant.
    pub fn unlisted(&self) -> usize {
        let omitted = self.spans.iter().filter(|span| span.role() == Role::Omitted);
        omitted.fold(0, |sum, span| sum.saturating_add(span.len()))
    }

    /// The notation of the paths.
    pub fn notation(&self) -> Notation {
        self.notation
    }
}

/// The span of bits that are left out, if there are any.
fn omitted(space: usize, start: u64, end: u64) -> Option<Span> {
    let (space, note) = (u32::try_from(space).ok()?, Note::new(Role::Omitted, "left out"));
    let span = Span { start, end, space, depth: 0, place: Arc::default(), note };
    (start < end).then_some(span)
}

impl<E: fmt::Debug> fmt::Debug for Explanation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation")
            .field("spaces", &self.spaces)
            .field("error", &self.error)
            .field("spans", &self.spans)
            .finish()
    }
}
