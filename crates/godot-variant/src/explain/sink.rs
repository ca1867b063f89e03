//! Collects spans so that they cover the input without gap or overlap.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use super::Explanation;
use super::note::Refused;
use super::span::{Place, Role, Span};
use crate::{Error, ErrorKind};

/// The most characters of a span's value.
const MOST: usize = 60;

/// Spans from the start of the input up to some byte.
#[derive(Default)]
pub(super) struct Sink {
    spans: Vec<Span>,
    /// Offset of the first byte without a span.
    at: usize,
}

impl Sink {
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether no more spans are kept.
    pub(super) fn is_full(&self) -> bool {
        self.spans.len() >= Explanation::MAX_SPANS
    }

    /// Adds a span for the next `len` bytes. Gives its index, by which it can be changed.
    pub(super) fn push(
        &mut self,
        len: usize,
        role: Role,
        depth: usize,
        place: &Arc<Place>,
        meaning: Cow<'static, str>,
        value: Cow<'static, str>,
    ) -> usize {
        if self.is_full() {
            self.at = self.at.saturating_add(len);
            return usize::MAX;
        }
        self.push_anyway(len, role, depth, place, meaning, value)
    }

    fn push_anyway(
        &mut self,
        len: usize,
        role: Role,
        depth: usize,
        place: &Arc<Place>,
        meaning: Cow<'static, str>,
        value: Cow<'static, str>,
    ) -> usize {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let (offset, place) = (self.at, Arc::clone(place));
        self.at = self.at.saturating_add(len);
        self.spans.push(Span { offset, len, depth, role, place, meaning, value });
        self.spans.len().saturating_sub(1)
    }

    /// Moves over bytes that get no span, because no more are kept.
    pub(super) fn pass(&mut self, len: usize) {
        self.at = self.at.saturating_add(len);
    }

    /// Adds the next `len` bytes to the last span.
    pub(super) fn extend(&mut self, len: usize) {
        if let Some(span) = self.spans.last_mut() {
            span.len = span.len.saturating_add(len);
            self.at = self.at.saturating_add(len);
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<&Span> {
        self.spans.get(index)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Span> {
        self.spans.get_mut(index)
    }

    /// Says more about a span.
    pub(super) fn note(&mut self, index: usize, note: &str) {
        if let Some(span) = self.spans.get_mut(index) {
            let meaning = span.meaning.to_mut();
            meaning.push_str(if meaning.contains(" · ") { ", " } else { " · " });
            meaning.push_str(note);
        }
    }

    /// Gives back what was said about the bytes from `offset` on.
    fn truncate(&mut self, offset: usize) {
        while self.spans.pop_if(|span| span.offset >= offset).is_some() {}
        if let Some(last) = self.spans.last_mut() {
            last.len = last.len.min(offset.saturating_sub(last.offset));
        }
        self.at = self.at.min(offset);
    }

    /// One span for what did not fit.
    fn fill_omitted(&mut self) {
        let kept = self.spans.last().map_or(0, |span| span.range().end);
        let len = self.at.saturating_sub(kept);
        if len > 0 {
            self.at = kept;
            let meaning = format!("read, but not listed: {} spans are", Explanation::MAX_SPANS);
            let root = Arc::new(Place::default());
            self.push_anyway(len, Role::Omitted, 0, &root, meaning.into(), "".into());
        }
    }

    /// Ends with the error, which takes the bytes from its offset on, and with what comes after.
    pub(super) fn fail(&mut self, refused: &Refused, len: usize) {
        let Refused { error, end, depth } = refused;
        let at = error.offset().unwrap_or(self.at);
        self.truncate(at);
        let (place, wrong) = (Place::of(error.path()), end.saturating_sub(at));
        self.fill(at.saturating_sub(self.at), *depth, &place);
        self.fill_omitted();
        if error.kind() == ErrorKind::TrailingBytes {
            return self.rest(len, "bytes after the value");
        }
        let message = Cow::Owned(error.message().to_owned());
        self.push_anyway(wrong, Role::Error, *depth, &place, message, "".into());
        self.rest(len, "not reached");
    }

    /// Bytes that no layout claimed. There are none as long as the layouts follow the decoder.
    pub(super) fn fill(&mut self, len: usize, depth: usize, place: &Arc<Place>) {
        if len > 0 {
            self.push(len, Role::Data, depth, place, "more of the value".into(), "".into());
        }
    }

    /// One span for the bytes up to the end of the input.
    pub(super) fn rest(&mut self, len: usize, meaning: &'static str) {
        self.fill_omitted();
        let left = len.saturating_sub(self.at);
        if left > 0 {
            let root = Arc::new(Place::default());
            self.push_anyway(left, Role::NotReached, 0, &root, meaning.into(), count(left, "byte"));
        }
    }

    pub(super) fn finish(mut self, bytes: &[u8], error: Option<Error>) -> Explanation {
        self.rest(bytes.len(), "not reached");
        let (bytes, error) = (bytes.to_vec(), error.map(Arc::new));
        Explanation { bytes, spans: self.spans, error }
    }
}

/// `1 entry`, `2 entries`.
pub(super) fn count(count: usize, noun: &str) -> Cow<'static, str> {
    Cow::Owned(match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if noun != "key" => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    })
}

/// The first characters of what is displayed, at no more cost than that.
pub(super) fn cut(args: fmt::Arguments<'_>) -> String {
    let mut cut = Cut { text: String::new(), left: MOST };
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
pub(super) fn quoted(text: &str) -> String {
    let most = MOST.saturating_sub(3);
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let head = text.get(..end).unwrap_or(text);
    let shown = format!("{head:?}");
    if head.len() == text.len() && shown.chars().count() <= MOST {
        return shown;
    }
    shown.chars().take(most).chain("…\"".chars()).collect()
}
