//! From byte offsets to JSON Pointers, lines and columns: a walk along the text, done only when
//! something has to be said about a place.

use std::borrow::Cow;
use std::ops::Range;

use gamewire_core::bytes::part;
use gamewire_core::{Path, Segment};

use super::decode::{Decoder, Leaf, Listener};
use super::pointer::append_pointer;
use crate::error::{Error, go_on};
use crate::options::Options;
use crate::read::{Input, Kind, Reader};

/// Finds the paths of offsets. Offsets that rise cost one walk together.
pub(crate) struct Locator<'t> {
    start: Reader<'t>,
    reader: Reader<'t>,
    decoder: Decoder,
    tracker: PathTracker<'t>,
    done: bool,
    /// Line and column of the offset up to which they are counted.
    place: (usize, usize),
    counted: usize,
}

/// The listener that knows which containers are open.
#[derive(Default)]
struct PathTracker<'t> {
    /// Where to stop.
    offset: usize,
    stopped: bool,
    /// A container that begins or ends at the place where it stopped, beyond the offset.
    pending: Ahead,
    levels: Vec<PathLevel<'t>>,
}

#[derive(Default, PartialEq)]
enum Ahead {
    #[default]
    None,
    Begin(Kind),
    End,
}

struct PathLevel<'t> {
    is_object: bool,
    /// Number of the children that have begun.
    children: usize,
    /// The name of the last one.
    key: Cow<'t, str>,
}

impl PathTracker<'_> {
    /// Goes on to a later offset.
    fn resume(&mut self, offset: usize) {
        (self.offset, self.stopped) = (offset, false);
        match std::mem::take(&mut self.pending) {
            Ahead::None => {}
            Ahead::Begin(kind) => self.push(kind),
            Ahead::End => drop(self.levels.pop()),
        }
    }

    fn push(&mut self, kind: Kind) {
        let is_object = kind == Kind::Object;
        self.levels.push(PathLevel { is_object, children: 0, key: "".into() });
    }
}

impl<'t> Listener<'t> for PathTracker<'t> {
    fn open(&mut self, start: usize, kind: Kind) {
        if start >= self.offset {
            (self.stopped, self.pending) = (true, Ahead::Begin(kind));
        } else {
            self.push(kind);
        }
    }

    fn key(&mut self, _: Range<usize>, name: Cow<'t, str>) {
        if let Some(level) = self.levels.last_mut() {
            level.children = level.children.saturating_add(1);
            level.key = name;
        }
    }

    fn element(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.children = level.children.saturating_add(1);
        }
    }

    fn leaf(&mut self, Range { start, end }: Range<usize>, _: Leaf<'t>) {
        self.stopped = start >= self.offset || end > self.offset;
    }

    fn close(&mut self, end: usize) {
        // The end of the container may be what the offset means.
        if end > self.offset {
            (self.stopped, self.pending) = (true, Ahead::End);
        } else {
            self.levels.pop();
        }
    }

    fn pauses(&self) -> bool {
        self.stopped
    }
}

impl<'t> Locator<'t> {
    pub(crate) fn new(text: Input<'t>, options: &Options) -> Self {
        // The walk must come as far as the reading did, whatever its limit was.
        let start = Reader::of(text, options).without_limit();
        Locator {
            reader: start.clone(),
            start,
            decoder: Decoder::default(),
            tracker: PathTracker::default(),
            done: false,
            place: (1, 1),
            counted: 0,
        }
    }

    /// The path to the value at an offset, or to the innermost one around it.
    pub(crate) fn path(&mut self, offset: usize) -> Path {
        self.go_to(offset);
        let begun = self.tracker.levels.iter().rev().filter(|level| level.children > 0);
        Path::from_innermost(begun.map(|level| match level.is_object {
            true => Segment::field(&level.key),
            false => Segment::Index(level.children.saturating_sub(1)),
        }))
    }

    /// The same as a JSON Pointer, in full length.
    pub(crate) fn pointer(&mut self, offset: usize) -> String {
        self.go_to(offset);
        let mut pointer = String::new();
        for level in self.tracker.levels.iter().filter(|level| level.children > 0) {
            match level.is_object {
                true => append_pointer(&mut pointer, &level.key),
                false => {
                    append_pointer(&mut pointer, &level.children.saturating_sub(1).to_string());
                }
            }
        }
        pointer
    }

    /// Line and column of an offset, from 1.
    pub(crate) fn place(&mut self, offset: usize) -> (usize, usize) {
        if offset < self.counted {
            (self.place, self.counted) = ((1, 1), 0);
        }
        self.place = go_on(self.place, part(self.start.bytes(), self.counted..offset));
        self.counted = offset;
        self.place
    }

    fn go_to(&mut self, offset: usize) {
        if offset < self.tracker.offset {
            self.reader = self.start.clone();
            (self.decoder, self.tracker, self.done) =
                (Decoder::default(), PathTracker::default(), false);
        }
        // A leaf that holds the offset, or a container that begins after it, is where it was.
        if self.done || (self.tracker.stopped && self.reader.offset() > offset) {
            return;
        }
        self.tracker.resume(offset);
        // Text that is wrong ends the walk: what is known by then is the way to it.
        self.done = self.decoder.run(&mut self.reader, &mut self.tracker).unwrap_or(true);
    }
}

/// The error with its line, column and path.
#[cold]
pub(crate) fn located(error: Error, text: Input<'_>, options: &Options) -> Error {
    let Some(offset) = error.offset() else { return error };
    let path = Locator::new(text, options).path(offset);
    error.placed(text.bytes).in_path(path)
}
