//! Where values stand in the text.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::Options;
use crate::read::{Kind, Reader};
use crate::value::append_pointer;
use crate::value::decode::{Decoder, Leaf, Listener};

/// Finds the offsets of the values at some pointers, in one walk.
pub(super) fn places(text: &str, options: &Options, pointers: &[&str]) -> Vec<Option<usize>> {
    let mut finder = Finder {
        wanted: pointers.iter().map(|pointer| (*pointer, None)).collect(),
        pointer: String::new(),
        levels: Vec::new(),
    };
    let mut reader = Reader::new(text, options).without_limit();
    // The text was read once: what is wrong with it was said then.
    _ = Decoder::default().run(&mut reader, &mut finder);
    pointers.iter().map(|pointer| finder.wanted.get(pointer).copied().flatten()).collect()
}

struct Finder<'p> {
    wanted: HashMap<&'p str, Option<usize>>,
    /// Of the value that comes next.
    pointer: String,
    levels: Vec<Level>,
}

struct Level {
    /// Length of the container's own pointer.
    length: usize,
    elements: usize,
}

impl Finder<'_> {
    fn value(&mut self, start: usize) {
        if let Some(place) = self.wanted.get_mut(self.pointer.as_str()) {
            // Of several members of one name a pointer means the first.
            place.get_or_insert(start);
        }
    }
}

impl<'t> Listener<'t> for Finder<'_> {
    fn begin(&mut self, _: Kind, start: usize) {
        self.value(start);
        self.levels.push(Level { length: self.pointer.len(), elements: 0 });
    }

    fn name(&mut self, _: usize, _: usize, name: Cow<'t, str>) {
        if let Some(level) = self.levels.last() {
            self.pointer.truncate(level.length);
            append_pointer(&mut self.pointer, &name);
        }
    }

    fn element(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.pointer.truncate(level.length);
            append_pointer(&mut self.pointer, &level.elements.to_string());
            level.elements = level.elements.saturating_add(1);
        }
    }

    fn leaf(&mut self, start: usize, _: usize, _: Leaf<'t>) {
        self.value(start);
    }

    fn end(&mut self, _: Kind, _: usize) {
        if let Some(level) = self.levels.pop() {
            self.pointer.truncate(level.length);
        }
    }
}
