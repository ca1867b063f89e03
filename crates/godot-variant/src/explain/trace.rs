//! Listens to the decoder of one variant and gives every byte that it passes a span.

use std::sync::Arc;

use super::layout::{Layout, PROPERTY};
use super::sink::Sink;
use super::span::Place;
use crate::error::{Error, ErrorKind};
use crate::read::{Header, Reader};
use crate::types::{ElementType, Type};
use crate::value::{self, Contents, Frame, Trace};
use crate::{Options, Value};

/// What the decoder is reading.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Nothing,
    Value,
    PropertyName,
}

/// A container that is open.
struct Level {
    place: Arc<Place>,
    /// Index of the span of its header.
    own: usize,
    /// The same for the key that was read last.
    key: usize,
    /// The same for the keys that are kept, and which entries they are of.
    keys: Vec<(usize, usize)>,
}

pub(super) struct Tracer<'a, 's> {
    bytes: &'a [u8],
    /// Where the variant stands in the whole input, and in the data.
    base: usize,
    root: Arc<Place>,
    /// Over the whole input; only asked, never moved.
    rules: Reader<'a>,
    sink: &'s mut Sink,
    levels: Vec<Level>,
    reading: Reading,
    /// Place of the value that is being read.
    place: Arc<Place>,
    /// Index of the header's span of the value that was read last.
    child: usize,
    /// The type of the value that is being added to a container, and what was there before.
    adding: (Type, usize),
}

/// A variant inside a larger input.
pub(super) struct Part<'a> {
    /// The whole input.
    pub(super) bytes: &'a [u8],
    /// Where the variant begins, and where the bytes end that may belong to it.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) place: Arc<Place>,
    /// Whether bytes behind it are an error.
    pub(super) whole: bool,
}

/// Why a variant was refused.
pub(super) struct Refused {
    pub(super) error: Error,
    /// Where the bytes end that are wrong.
    pub(super) end: usize,
    /// How deep the value at fault stands.
    pub(super) depth: usize,
}

impl Part<'_> {
    /// Gives every byte of the variant a span. Gives the offset behind it.
    pub(super) fn explain(self, options: &Options, sink: &mut Sink) -> Result<usize, Refused> {
        let slice = self.bytes.get(self.start..self.end).unwrap_or_default();
        let mut reader = Reader::new(slice, options.clone());
        let mut tracer = Tracer {
            bytes: self.bytes,
            base: self.start,
            place: Arc::clone(&self.place),
            root: self.place,
            rules: Reader::new(self.bytes, options.clone()),
            sink,
            levels: Vec::new(),
            reading: Reading::Nothing,
            child: usize::MAX,
            adding: (Type::Nil, 0),
        };
        let mut read = value::decode_traced(&mut reader, 0, &mut tracer).map(drop);
        if self.whole {
            read = read.and_then(|()| reader.end());
        }
        let behind = self.start.saturating_add(reader.offset());
        match read {
            Ok(()) => Ok(behind),
            Err(error) => {
                let error = error.shifted(self.start);
                let at = error.offset().unwrap_or(behind);
                let depth = tracer.stop_at(at);
                let kind = error.kind();
                let end = end_of_error(kind, slice, at.saturating_sub(self.start), reader.offset());
                Err(Refused { error, end: self.start.saturating_add(end), depth })
            }
        }
    }
}

/// Where the bytes end that are wrong, of which `at` is the first and `read` the first unread one.
pub(super) fn end_of_error(kind: ErrorKind, slice: &[u8], at: usize, read: usize) -> usize {
    let rest = slice.get(at..).unwrap_or_default();
    match kind {
        // All that is there is too little.
        ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => slice.len(),
        ErrorKind::InvalidUtf8 => {
            let head = rest.get(..4).unwrap_or(rest);
            let sequence = std::str::from_utf8(head).err().and_then(|error| error.error_len());
            at.saturating_add(sequence.unwrap_or(1)).min(slice.len())
        }
        _ if read > at => read,
        // The sum of what was read is wrong: keys that are the same.
        ErrorKind::NotCanonical if at.is_multiple_of(4) => at,
        // A word that was looked at only, or padding.
        _ => at.saturating_add(1).next_multiple_of(4).min(slice.len()),
    }
}

impl<'a> Tracer<'a, '_> {
    /// The layout of what the decoder has just read, up to `end` in the variant.
    fn layout(&mut self, place: Arc<Place>, end: usize) -> Layout<'_, 'a> {
        Layout {
            rules: &self.rules,
            bytes: self.bytes,
            end,
            sink: self.sink,
            depth: self.levels.len(),
            place,
        }
    }

    /// Lays out what was read of a value or name before the error. Gives the depth of what failed.
    fn stop_at(&mut self, end: usize) -> usize {
        let (at, depth) = (self.sink.at(), self.levels.len());
        match self.reading {
            // The header is not what is wrong, so it can be read again.
            Reading::Value if end > at => {
                if let Ok(header) = self.rules.again(at).header() {
                    self.value(&header, None, end);
                }
                depth.saturating_add(1)
            }
            Reading::PropertyName => {
                self.name(end);
                depth
            }
            _ => depth,
        }
    }

    fn value(&mut self, header: &Header, value: Option<&Value>, end: usize) {
        let place = Arc::clone(&self.place);
        self.child = self.layout(place, end).value(header, value);
        self.reading = Reading::Nothing;
    }

    fn name(&mut self, end: usize) {
        let place = self.levels.last().map_or(&self.root, |level| &level.place);
        let place = Arc::clone(place);
        self.layout(place, end).string(PROPERTY);
        self.reading = Reading::Nothing;
    }

    fn absolute(&self, reader: &Reader<'_>) -> usize {
        self.base.saturating_add(reader.offset())
    }
}

impl Trace for Tracer<'_, '_> {
    fn begins(&mut self, _reader: &Reader<'_>, around: Option<&Frame>) {
        self.reading = Reading::Value;
        self.place = match (around, self.levels.last()) {
            // Nothing more is listed, so the place would not be shown.
            (Some(_), Some(level)) if self.sink.is_full() => Arc::clone(&level.place),
            (Some(frame), Some(level)) => Place::inside(&level.place, frame.segment()),
            _ => Arc::clone(&self.root),
        };
    }

    fn whole(&mut self, header: &Header, value: &Value, reader: &Reader<'_>) {
        self.value(header, Some(value), self.absolute(reader));
    }

    fn opened(&mut self, header: &Header, reader: &Reader<'_>) {
        self.value(header, None, self.absolute(reader));
        let place = Arc::clone(&self.place);
        self.levels.push(Level { place, own: self.child, key: usize::MAX, keys: Vec::new() });
    }

    fn naming(&mut self) {
        self.reading = Reading::PropertyName;
    }

    fn named(&mut self, reader: &Reader<'_>) {
        self.name(self.absolute(reader));
    }

    fn attaching(&mut self, value: &Value, frame: &Frame) {
        self.adding = match &frame.contents {
            Contents::Items(items) => (value.kind(), items.len()),
            Contents::Entries(entries) => match entries.split_last() {
                Some(((key, _), before)) if frame.at_value => (key.kind(), before.len()),
                _ => (Type::Nil, 0),
            },
            Contents::Object(_) => (Type::Nil, 0),
        };
    }

    fn attached(&mut self, frame: &Frame) {
        let Some(level) = self.levels.last_mut() else { return };
        let (kind, before) = self.adding;
        let wanted = frame.typed.as_ref().map(|types| &types.0).filter(|kind| kind.is_typed());
        match &frame.contents {
            Contents::Items(items) => {
                if let Some(wanted) = wanted {
                    let kept = items.get(before).map(Value::kind);
                    note_fate(self.sink, self.child, kind, kept, "elements", wanted);
                }
            }
            Contents::Entries(_) if frame.at_value => level.key = self.child,
            Contents::Entries(entries) => {
                let kept = entries.get(before).map(|(key, _)| key.kind());
                if kept.is_some() {
                    level.keys.push((level.key, frame.begun.saturating_sub(1)));
                }
                if let Some(wanted) = wanted {
                    note_fate(self.sink, level.key, kind, kept, "keys", wanted);
                }
            }
            Contents::Object(_) => {}
        }
    }

    fn closing(&mut self, frame: &Frame) {
        let Some(level) = self.levels.pop() else { return };
        self.child = level.own;
        if let Contents::Entries(entries) = &frame.contents {
            for (later, first) in value::same_keys(entries) {
                if let (Some((own, _)), Some((_, first))) =
                    (level.keys.get(later), level.keys.get(first))
                {
                    self.sink.note(*own, &format!("same as key {first}, replaces its value"));
                }
            }
        }
    }
}

/// What a typed container makes of an element or key of another type.
fn note_fate(
    sink: &mut Sink,
    span: usize,
    was: Type,
    kept: Option<Type>,
    what: &str,
    wanted: &ElementType,
) {
    match kept {
        None => sink.note(span, &format!("dropped, {what} are {wanted}")),
        Some(kind) if kind != was => sink.note(span, &format!("converted to {kind}")),
        Some(_) => {}
    }
}
