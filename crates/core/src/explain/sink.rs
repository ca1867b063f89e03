//! Collects spans so that they cover every space without gap or overlap.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use super::explanation::{Explanation, Failure};
use super::place::Place;
use super::span::{Inside, Note, Role, Space, Span, Text, add, bits, offset};
use crate::words::Count;
use crate::{Notation, Segment};

/// The most characters of a span's value.
const MAX_VALUE: usize = 60;

/// A span that was pushed, to say more about it later. It stands for nothing where the sink was
/// [full](Sink::is_full).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    space: usize,
    index: usize,
}

impl Mark {
    /// Stands for no span.
    pub const NONE: Mark = Mark { space: usize::MAX, index: usize::MAX };
}

/// Spans of a space from its start up to some bit.
struct Filling {
    space: Space,
    spans: Vec<Span>,
    /// The first bit without a span.
    at: u64,
    depth: usize,
    place: Arc<Place>,
}

impl Filling {
    fn new(name: Text, bytes: Arc<[u8]>, inside: Option<Inside>) -> Self {
        let space = Space { name, bytes, inside };
        Filling { space, spans: Vec::new(), at: 0, depth: 0, place: Arc::default() }
    }

    fn end(&self) -> u64 {
        bits(self.space.bytes.len())
    }
}

/// Builds an [`Explanation`] of the notes that a listener takes.
///
/// It is in one space at one path and depth. Spans are pushed up to an end, so that they leave no
/// gaps; a span that ends where the last one did is not kept.
pub struct Sink {
    spaces: Vec<Filling>,
    /// Index of the space that is being read.
    space: usize,
    notation: Notation,
    kept: usize,
    max_spans: usize,
    /// The spaces that ended with an error, and the bit it was at.
    failures: Vec<(usize, Option<u64>)>,
    /// Bytes that spans, their words and their places hold.
    memory: usize,
    max_memory: usize,
}

impl Sink {
    /// An empty explanation of an input.
    pub fn new(bytes: &[u8]) -> Self {
        let input = Filling::new("input".into(), bytes.into(), None);
        let (notation, max_spans) = (Notation::Dotted, Explanation::<()>::MAX_SPANS);
        let (memory, max_memory) = (0, usize::MAX);
        let (spaces, failures) = (vec![input], Vec::new());
        Sink { spaces, space: 0, notation, kept: 0, max_spans, failures, memory, max_memory }
    }

    /// The notation of paths. Default dotted.
    #[must_use]
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// Keeps fewer spans than [`Explanation::MAX_SPANS`].
    #[must_use]
    pub fn max_spans(mut self, max_spans: usize) -> Self {
        self.max_spans = max_spans.min(Explanation::<()>::MAX_SPANS);
        self
    }

    /// Keeps no more spans once those that are kept hold about this many bytes of memory, their words
    /// and places included; unlimited if it is not said. The bytes of the spaces do not count.
    #[must_use]
    pub fn max_memory(mut self, max_memory: usize) -> Self {
        self.max_memory = max_memory;
        self
    }

    /// Adds a space with what the span at `from` holds when it is unpacked, and goes into it.
    /// Returns its index.
    pub fn open(
        &mut self,
        name: impl Into<Text>,
        bytes: impl Into<Arc<[u8]>>,
        from: Mark,
    ) -> usize {
        let bit = self.span(from).map_or(0, |span| span.start);
        let inside = Inside { space: from.space.min(self.spaces.len().saturating_sub(1)), bit };
        self.space = self.spaces.len();
        self.spaces.push(Filling::new(name.into(), bytes.into(), Some(inside)));
        self.space
    }

    /// Goes back to a space, to where it was left.
    pub fn select(&mut self, space: usize) {
        self.space = space.min(self.spaces.len().saturating_sub(1));
    }

    /// The index of the space that is being read.
    pub fn space(&self) -> usize {
        self.space
    }

    /// The bytes of the space that is being read.
    pub fn bytes(&self) -> Arc<[u8]> {
        self.here().map_or_else(|| [].into(), |here| Arc::clone(&here.space.bytes))
    }

    /// The first byte of the space that has no span, or not one for each of its bits.
    pub fn at(&self) -> usize {
        offset(self.at_bit())
    }

    /// The first bit of the space that has no span.
    pub fn at_bit(&self) -> u64 {
        self.here().map_or(0, |here| here.at)
    }

    /// Whether no more spans are kept, so that a listener may save itself the words.
    pub fn is_full(&self) -> bool {
        self.kept >= self.max_spans || self.memory >= self.max_memory
    }

    /// The number of values around the next span.
    pub fn depth(&self) -> usize {
        self.here().map_or(0, |here| here.depth)
    }

    /// The next spans are one level deeper.
    pub fn indent(&mut self) {
        self.set_depth(self.depth().saturating_add(1));
    }

    /// The next spans are one level less deep.
    pub fn outdent(&mut self) {
        debug_assert!(self.depth() > 0, "each outdent follows an indent");
        self.set_depth(self.depth().saturating_sub(1));
    }

    /// The next spans are this deep.
    pub fn set_depth(&mut self, depth: usize) {
        if let Some(here) = self.spaces.get_mut(self.space) {
            here.depth = depth;
        }
    }

    /// The next spans belong to a value inside of the present one. Each call wants a
    /// [`leave`](Self::leave), also when the sink is full.
    pub fn enter(&mut self, segment: impl Into<Segment>) {
        if let Some(here) = self.spaces.get_mut(self.space) {
            let segment = segment.into();
            self.memory = self.memory.saturating_add(Place::cost(&segment));
            here.place = Place::inside(&here.place, segment);
        }
    }

    /// The next spans belong to the value around the present one.
    pub fn leave(&mut self) {
        if let Some(here) = self.spaces.get_mut(self.space) {
            let Some((outer, segment)) = here.place.step() else {
                debug_assert!(false, "each leave follows an enter");
                return;
            };
            if Arc::strong_count(&here.place) == 1 {
                // No span is present, so the place goes.
                self.memory = self.memory.saturating_sub(Place::cost(segment));
            }
            here.place = Arc::clone(outer);
        }
    }

    /// Adds a span for the bytes up to `end`, an offset in the space.
    pub fn push(&mut self, end: usize, note: Note) -> Mark {
        self.push_bits(bits(end), note)
    }

    /// Adds a span for the bits up to `end`, counted from the start of the space.
    pub fn push_bits(&mut self, end: u64, note: Note) -> Mark {
        if end <= self.at_bit() {
            return Mark::NONE;
        }
        if self.is_full() {
            if let Some(here) = self.spaces.get_mut(self.space) {
                here.at = end;
            }
            return Mark::NONE;
        }
        let Some(here) = self.here() else { return Mark::NONE };
        let (depth, place) = (here.depth, Arc::clone(&here.place));
        self.push_anyway(end, depth, place, note)
    }

    /// Adds a span for the bits up to `end` that only fill, and says if they are not zero.
    pub fn pad(&mut self, end: u64) {
        let Some(here) = self.here() else { return };
        let mut filling = here.at..end;
        let is_set = |bit: u64| {
            let byte = here.space.bytes.get(offset(bit)).copied();
            byte.is_some_and(|byte| byte >> (bit & 7) & 1 != 0)
        };
        let note = Note::new(Role::Padding, "padding");
        let note = if filling.any(is_set) { note.note("not zero") } else { note };
        self.push_bits(end, note);
    }

    fn push_anyway(&mut self, end: u64, depth: usize, place: Arc<Place>, note: Note) -> Mark {
        let space = u32::try_from(self.space).unwrap_or(u32::MAX);
        let Some(here) = self.spaces.get_mut(self.space) else { return Mark::NONE };
        let words = [&note.kind, &note.meaning, &note.value].map(|text| match text {
            Cow::Borrowed(_) => 0,
            Cow::Owned(text) => text.capacity(),
        });
        let own = size_of::<Span>().saturating_add(note.notes.as_deref().map_or(0, str::len));
        self.memory =
            words.into_iter().fold(self.memory.saturating_add(own), usize::saturating_add);
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let (start, end) = (here.at, here.at.max(end));
        here.at = end;
        here.spans.push(Span { start, end, space, depth, place, note });
        self.kept = self.kept.saturating_add(1);
        Mark { space: self.space, index: here.spans.len().saturating_sub(1) }
    }

    /// Sets the value of a span, when it is known only after its parts.
    pub fn set_value(&mut self, mark: Mark, value: impl Into<Text>) {
        let value = value.into();
        let heap = if let Cow::Owned(text) = &value { text.capacity() } else { 0 };
        if let Some(span) = self.span_mut(mark) {
            span.note.value = value;
            self.memory = self.memory.saturating_add(heap);
        }
    }

    /// Sets the type of a value, when it is known only after its beginning.
    pub fn set_kind(&mut self, mark: Mark, kind: impl Into<Text>) {
        if let Some(span) = self.span_mut(mark) {
            span.note.kind = kind.into();
        }
    }

    /// Sets the meaning of a span, when it is known only after its parts.
    pub fn set_meaning(&mut self, mark: Mark, meaning: impl Into<Text>) {
        if let Some(span) = self.span_mut(mark) {
            span.note.meaning = meaning.into();
        }
    }

    /// Adds a remark to a span.
    pub fn note(&mut self, mark: Mark, note: &str) {
        if let Some(span) = self.span_mut(mark) {
            add(&mut span.note.notes, note);
        }
    }

    /// Ends the space with an error: what was said of the bytes from it on is taken back, the bytes
    /// up to `end` are wrong, and those after them are not reached.
    pub fn fail<E: Failure>(&mut self, error: &E, end: usize) {
        self.fail_bits(error, bits(end));
    }

    /// [`fail`](Self::fail) with an end in bits.
    pub fn fail_bits<E: Failure>(&mut self, error: &E, end: u64) {
        self.failures.push((self.space, error.bit()));
        let Some(here) = self.here() else { return };
        let (depth, limit) = (here.depth, here.end());
        let at = error.bit().unwrap_or(here.at).min(limit);
        self.truncate(at);
        let place = Place::of(error.path());
        if at > self.at_bit() && !self.is_full() {
            let note = Note::new(Role::Data, "beginning of the value");
            self.push_anyway(at, depth, Arc::clone(&place), note);
        }
        self.omit(at);
        if !error.is_trailing() {
            let note = Note::new(Role::Error, error.message().to_owned());
            self.push_anyway(end.clamp(at, limit), depth, place, note);
        }
        self.rest(if error.is_trailing() { "bytes after the end" } else { "not reached" });
    }

    /// The explanation. Bytes of any space that no span covers are not reached.
    ///
    /// The error belongs to the first failed space whose offset matches that of `error`.
    pub fn finish<E: Failure>(mut self, error: Option<E>) -> Explanation<E> {
        let bit = error.as_ref().and_then(Failure::bit);
        let own = self.failures.iter().find(|(_, failed)| *failed == bit);
        let error_space = own.map_or(0, |(space, _)| *space);
        for space in 0..self.spaces.len() {
            self.space = space;
            self.rest("not reached");
        }
        // The spans of the input stay where they are: there are millions of them.
        let mut spans = Vec::new();
        let mut spaces = Vec::with_capacity(self.spaces.len());
        for mut filling in self.spaces {
            match spaces.is_empty() {
                true => spans = filling.spans,
                false => spans.append(&mut filling.spans),
            }
            spaces.push(filling.space);
        }
        let (error, notation) = (error.map(Arc::new), self.notation);
        Explanation { spaces, spans, error, error_space, notation }
    }

    /// Takes back what was said about the bits from `bit` on.
    fn truncate(&mut self, bit: u64) {
        let Some(here) = self.spaces.get_mut(self.space) else { return };
        while here.spans.pop_if(|span| span.start >= bit).is_some() {
            self.kept = self.kept.saturating_sub(1);
        }
        if let Some(last) = here.spans.last_mut() {
            last.end = last.end.min(bit);
        }
        here.at = here.at.min(bit);
    }

    /// One span for what was read after the last span that is kept, up to `end` at least.
    fn omit(&mut self, end: u64) {
        let Some(here) = self.spaces.get_mut(self.space) else { return };
        let kept = here.spans.last().map_or(0, |span| span.end);
        let end = here.at.max(end);
        if end > kept {
            here.at = kept;
            let meaning = format!("read, but not listed: {} spans are", self.kept);
            self.push_anyway(end, 0, Arc::default(), Note::new(Role::Omitted, meaning));
        }
    }

    /// One span for the bits up to the end of the space.
    fn rest(&mut self, meaning: &'static str) {
        self.omit(0);
        let Some(here) = self.here() else { return };
        let end = here.end();
        if end > here.at {
            let left = usize::try_from(end.saturating_sub(here.at)).unwrap_or(usize::MAX);
            let value = match left & 7 {
                0 => Count(left >> 3, "byte"),
                _ => Count(left, "bit"),
            };
            let note = Note::new(Role::NotReached, meaning).value(value.to_string());
            self.push_anyway(end, 0, Arc::default(), note);
        }
    }

    fn here(&self) -> Option<&Filling> {
        self.spaces.get(self.space)
    }

    fn span(&self, mark: Mark) -> Option<&Span> {
        self.spaces.get(mark.space)?.spans.get(mark.index)
    }

    fn span_mut(&mut self, mark: Mark) -> Option<&mut Span> {
        self.spaces.get_mut(mark.space)?.spans.get_mut(mark.index)
    }
}

/// The first characters of what is displayed, controls escaped, at no more cost than that.
pub fn shortened(args: fmt::Arguments<'_>) -> String {
    let mut cut = Cut { text: String::new(), left: MAX_VALUE };
    // An error says that there is more.
    if cut.write_fmt(args).is_err() {
        cut.text.push('…');
    }
    cut.text
}

struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            if character.is_control() {
                self.text.extend(character.escape_default());
            } else {
                self.text.push(character);
            }
        }
        Ok(())
    }
}

/// Text in quotes, the end cut off where it is long.
pub fn quoted(text: &str) -> String {
    let most = MAX_VALUE.saturating_sub(3);
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let head = text.get(..end).unwrap_or(text);
    let shown = format!("{head:?}");
    if head.len() == text.len() && shown.chars().count() <= MAX_VALUE {
        return shown;
    }
    shown.chars().take(most).chain("…\"".chars()).collect()
}
