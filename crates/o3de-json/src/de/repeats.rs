//! Names that an object has more than once: the last one counts, and a visitor of serde must not be
//! given the others.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::Options;
use crate::read::{Input, Kind, Reader};
use crate::value::decode::{Listener, decode};

/// The objects of a value in which a name repeats, whatever its case, by where they begin.
///
/// Names are compared by their hashes: a collision costs a second look at an object, no more.
#[derive(Clone, Default)]
pub(super) struct Repeats {
    found: Vec<usize>,
    /// Where the open containers begin, and how many names stand before their own.
    levels: Vec<(usize, usize)>,
    names: Vec<u64>,
}

impl Repeats {
    /// Looks through the value at an offset, as far as it is JSON.
    pub(super) fn find(text: Input<'_>, at: usize, options: &Options) -> Self {
        let mut repeats = Repeats::default();
        let mut reader = Reader::of(text, options).without_limit();
        reader.seek(at);
        if decode(&mut reader, &mut repeats).is_err() {
            // The reading itself reports what is wrong; it comes as far.
            while !repeats.levels.is_empty() {
                repeats.end_container();
            }
        }
        repeats.found.sort_unstable();
        repeats
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether the object that begins at an offset has a name more than once.
    pub(super) fn are_in(&self, start: usize) -> bool {
        self.found.binary_search(&start).is_ok()
    }

    fn end_container(&mut self) {
        let Some((start, from)) = self.levels.pop() else { return };
        let own = self.names.get_mut(from..).unwrap_or_default();
        own.sort_unstable();
        if own.windows(2).any(|pair| pair.first() == pair.last()) {
            self.found.push(start);
        }
        self.names.truncate(from);
    }
}

impl<'t> Listener<'t> for Repeats {
    fn open(&mut self, start: usize, _: Kind) {
        self.levels.push((start, self.names.len()));
    }

    fn key(&mut self, _: Range<usize>, name: Cow<'t, str>) {
        let mut hasher = DefaultHasher::new();
        name.bytes().for_each(|byte| byte.to_ascii_lowercase().hash(&mut hasher));
        self.names.push(hasher.finish());
    }

    fn close(&mut self, _: usize) {
        self.end_container();
    }
}
