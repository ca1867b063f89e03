//! From byte offsets to JSON Pointers, lines and columns: a walk along the text, done only when
//! something has to be said about a place.

use std::borrow::Cow;

use crate::error::{Path, Segment, Shortened, escape_pointer};
use crate::read::{Kind, Reader};
use crate::{Options, Result};

/// Walks from value to value. Offsets that rise cost one walk together.
pub(crate) struct Locator<'de> {
    start: Reader<'de>,
    reader: Reader<'de>,
    open: Vec<Level<'de>>,
    /// The next thing is a value, not what follows one.
    at_value: bool,
    done: bool,
    /// Line and column of the offset up to which they are counted.
    line: usize,
    column: usize,
    counted: usize,
}

struct Level<'de> {
    is_object: bool,
    first: bool,
    /// Of the element that comes next, or after it.
    index: usize,
    key: Cow<'de, str>,
}

impl<'de> Locator<'de> {
    pub(crate) fn new(text: &'de str, options: &Options) -> Self {
        let start = Reader::new(text, options);
        Locator {
            reader: start.clone(),
            start,
            open: Vec::new(),
            at_value: true,
            done: false,
            line: 1,
            column: 1,
            counted: 0,
        }
    }

    /// The path to the value at an offset, or to the innermost one around it.
    pub(crate) fn path(&mut self, offset: usize) -> Path {
        self.go_to(offset);
        Path::from_innermost(self.open.iter().rev().filter(|level| !level.first).map(|level| {
            if level.is_object {
                Segment::Key(Shortened(&level.key).to_string())
            } else {
                Segment::Index(level.index.saturating_sub(1))
            }
        }))
    }

    /// The same as a JSON Pointer, in full length.
    pub(crate) fn pointer(&mut self, offset: usize) -> String {
        self.go_to(offset);
        let mut pointer = String::new();
        for level in self.open.iter().filter(|level| !level.first) {
            pointer.push('/');
            if level.is_object {
                pointer.push_str(&escape_pointer(&level.key));
            } else {
                pointer.push_str(&level.index.saturating_sub(1).to_string());
            }
        }
        pointer
    }

    /// Line and column of an offset, from 1.
    pub(crate) fn place(&mut self, offset: usize) -> (usize, usize) {
        let bytes = self.start.text().as_bytes();
        if offset < self.counted {
            (self.line, self.column, self.counted) = (1, 1, 0);
        }
        for &byte in bytes.get(self.counted..offset).unwrap_or_default() {
            if byte == b'\n' {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else if byte & 0xc0 != 0x80 {
                // Continuation bytes of UTF-8 begin no character.
                self.column = self.column.saturating_add(1);
            }
        }
        self.counted = offset;
        (self.line, self.column)
    }

    fn go_to(&mut self, offset: usize) {
        if self.reader.offset() > offset {
            self.reader = self.start.clone();
            self.open.clear();
            (self.at_value, self.done) = (true, false);
        }
        while !self.done {
            match self.step(offset) {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => self.done = true,
            }
        }
    }

    /// One step, unless it would go past the offset.
    fn step(&mut self, offset: usize) -> Result<bool> {
        if self.at_value {
            let kind = self.reader.peek_kind()?;
            if self.reader.offset() >= offset {
                return Ok(false);
            }
            match kind {
                Kind::Array | Kind::Object => {
                    self.reader.open()?;
                    let is_object = kind == Kind::Object;
                    self.open.push(Level { is_object, first: true, index: 0, key: "".into() });
                }
                _ => {
                    let mut ahead = self.reader.clone();
                    ahead.skip_value()?;
                    if ahead.offset() > offset {
                        return Ok(false);
                    }
                    self.reader = ahead;
                }
            }
            self.at_value = false;
            return Ok(true);
        }
        let Some(level) = self.open.last_mut() else {
            self.done = true;
            return Ok(false);
        };
        let mut ahead = self.reader.clone();
        let mut first = level.first;
        let more = if level.is_object {
            match ahead.next_key(&mut first)? {
                Some(key) => {
                    // The offset is that of the key, or between it and the value.
                    level.key = key;
                    true
                }
                None => false,
            }
        } else {
            ahead.next_element(&mut first)?
        };
        if !more && ahead.offset() > offset {
            // The end of the container is what the offset means.
            return Ok(false);
        }
        self.reader = ahead;
        if more {
            level.first = false;
            level.index = level.index.saturating_add(1);
            self.at_value = true;
            self.reader.peek()?;
        } else {
            self.open.pop();
        }
        Ok(true)
    }
}
