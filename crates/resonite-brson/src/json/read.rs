//! Text to [`Value`], without recursion.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::error::{Error, ErrorKind, Result};
use crate::extended::{self, LITERAL};
use crate::value::{Array, Document, Key, duplicate};
use crate::{Options, Value};

pub(super) fn read(text: &str, options: &Options) -> Result<Value> {
    let memory = options.memory(text.len());
    let mut reader = Reader { text, at: 0, depth: 0, memory, options };
    let mut stack = Vec::new();
    reader.value(&mut stack).and_then(|value| reader.end().map(|()| value)).map_err(|error| {
        stack.iter().rev().fold(error, |error, frame: &Frame| match &frame.contents {
            Contents::Items(items) => error.in_index(items.len()),
            Contents::Entries(_) if !frame.in_value => error,
            Contents::Entries(_) => error.in_field(&frame.key),
        })
    })
}

/// A container that is open.
struct Frame {
    contents: Contents,
    /// Where it starts.
    at: usize,
    /// Whether its keys are taken as they are.
    literal: bool,
    /// Whether it is a container of the value, and not the inside of a wrapper.
    counts: bool,
    /// Key of the value that is read, and whether one is.
    key: Key,
    in_value: bool,
    /// The keys of a long object.
    keys: Option<HashSet<Key>>,
}

impl Frame {
    /// Whether the value that is read is that of `key`, after `before` entries.
    fn is_wrapper_of(&self, key: &str, before: usize) -> bool {
        let Contents::Entries(entries) = &self.contents else { return false };
        !self.literal
            && entries.len() == before
            && entries.iter().all(|(key, _)| *key == *"$code")
            && self.key == *key
    }
}

enum Contents {
    Items(Vec<Value>),
    Entries(Vec<(Key, Value)>),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Bytes of memory that may still be taken.
    memory: usize,
    options: &'a Options,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
    }

    /// Takes memory for what is built. Vectors grow by half of what they need, or twice.
    fn charge(&mut self, bytes: usize) -> Result<()> {
        let left = self.memory.checked_sub(bytes.saturating_mul(2));
        self.memory = left.ok_or_else(|| Error::memory("what is read").or_at(self.at))?;
        Ok(())
    }

    #[cold]
    fn error(&self, at: usize, message: impl Into<Cow<'static, str>>) -> Error {
        Error::at(ErrorKind::Json, at, message)
    }

    #[cold]
    fn expected(&self, what: &str) -> Error {
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("\"{}\"", c.escape_debug()),
        };
        self.error(self.at, format!("expected {what}, found {found}"))
    }

    fn end(&mut self) -> Result<()> {
        self.space();
        match self.byte() {
            None => Ok(()),
            Some(_) => Err(self.expected("the end of the text")),
        }
    }

    fn value(&mut self, stack: &mut Vec<Frame>) -> Result<Value> {
        loop {
            // Before a value, or at the end of an empty container.
            self.space();
            let mut value = match self.byte() {
                Some(b'{') => {
                    self.open(stack, Contents::Entries(Vec::new()))?;
                    if !self.is_closed(b'}') {
                        self.key(stack)?;
                        continue;
                    }
                    self.close(stack)?
                }
                Some(b'[') => {
                    self.open(stack, Contents::Items(Vec::new()))?;
                    if !self.is_closed(b']') {
                        continue;
                    }
                    self.close(stack)?
                }
                _ => self.scalar()?,
            };
            // A value is complete, and with it perhaps the containers around it.
            loop {
                let Some(frame) = stack.last_mut() else { return Ok(value) };
                frame.in_value = false;
                let (end, cost) = match &mut frame.contents {
                    Contents::Items(items) => {
                        items.push(value);
                        (b']', size_of::<Value>())
                    }
                    Contents::Entries(entries) => {
                        entries.push((std::mem::take(&mut frame.key), value));
                        (b'}', size_of::<(Key, Value)>())
                    }
                };
                self.charge(cost)?;
                self.space();
                match self.byte() {
                    Some(b',') => {
                        self.step();
                        if end == b'}' {
                            self.space();
                            self.key(stack)?;
                        }
                        break;
                    }
                    Some(byte) if byte == end => {
                        self.step();
                        value = self.close(stack)?;
                    }
                    _ if end == b'}' => return Err(self.expected("a comma or }")),
                    _ => return Err(self.expected("a comma or ]")),
                }
            }
        }
    }

    fn open(&mut self, stack: &mut Vec<Frame>, contents: Contents) -> Result<()> {
        let limit = self.options.limits.max_depth;
        let literal = stack.last().is_some_and(|outer| outer.is_wrapper_of(LITERAL, 0));
        let counts =
            !literal && !stack.last().is_some_and(|outer| outer.is_wrapper_of("$scope", 1));
        // The wrappers of one value may stand in the deepest container.
        if self.depth > limit.saturating_add(3) {
            return Err(Error::at(
                ErrorKind::DepthLimit,
                self.at,
                format!("nested deeper than max_depth, which is {limit}"),
            ));
        }
        self.charge(size_of::<Frame>())?;
        let (at, key) = (self.at, Key::default());
        self.depth = self.depth.saturating_add(usize::from(counts));
        stack.push(Frame { contents, at, literal, counts, key, in_value: false, keys: None });
        self.step();
        Ok(())
    }

    /// Whether the container that was just opened ends at once.
    fn is_closed(&mut self, end: u8) -> bool {
        self.space();
        let closed = self.byte() == Some(end);
        if closed {
            self.step();
        }
        closed
    }

    fn close(&mut self, stack: &mut Vec<Frame>) -> Result<Value> {
        let Some(frame) = stack.pop() else { return Ok(Value::Null) };
        self.depth = self.depth.saturating_sub(usize::from(frame.counts));
        self.memory = self.memory.saturating_add(size_of::<Frame>().saturating_mul(2));
        match frame.contents {
            Contents::Items(items) => Ok(Value::Array(Array::from(items))),
            Contents::Entries(entries) if frame.literal => {
                Ok(Value::Document(Document::from(entries)))
            }
            Contents::Entries(entries) => extended::unwrap(Document::from(entries))
                .map_err(|message| self.error(frame.at, message)),
        }
    }

    /// A key and its colon.
    fn key(&mut self, stack: &mut [Frame]) -> Result<()> {
        const MANY: usize = 32;
        let at = self.at;
        if self.byte() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let key = Key::from(self.string()?);
        if key.bytes().contains(&0) {
            return Err(Error::at(
                ErrorKind::InvalidKey,
                at,
                "expected a key without NUL, found one",
            ));
        }
        self.space();
        if self.byte() != Some(b':') {
            return Err(self.expected("a colon after the key"));
        }
        self.step();
        let Some(frame) = stack.last_mut() else { return Ok(()) };
        if frame.keys.is_some() {
            self.charge(size_of::<Key>())?;
        }
        if let Contents::Entries(entries) = &frame.contents
            && !self.options.allow_duplicates
        {
            let fresh = match &mut frame.keys {
                Some(keys) => keys.insert(key.clone()),
                None => entries.iter().all(|(other, _)| *other != key),
            };
            if !fresh {
                return Err(duplicate(&key, at));
            }
            if frame.keys.is_none() && entries.len() >= MANY {
                let mut keys: HashSet<Key> = entries.iter().map(|(key, _)| key.clone()).collect();
                keys.insert(key.clone());
                frame.keys = Some(keys);
            }
        }
        frame.key = key;
        frame.in_value = true;
        Ok(())
    }

    fn scalar(&mut self) -> Result<Value> {
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if self.rest().starts_with(word) {
                self.at = self.at.saturating_add(word.len());
                return Ok(value);
            }
        }
        match self.byte() {
            Some(b'"') => self.string().map(|text| Value::String(text.into())),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.expected("a value")),
        }
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.step();
        }
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(self.error(start, "expected a number without leading zeros, found some"));
        }
        let mut is_integer = true;
        if self.byte() == Some(b'.') {
            is_integer = false;
            self.step();
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            is_integer = false;
            self.step();
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.step();
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let range = |what| {
            let found = crate::error::Shortened(text);
            let message = format!("expected a number that fits {what}, found {found}");
            Error::at(ErrorKind::NumberRange, start, message)
        };
        if is_integer && text != "-0" {
            let value: i64 = text.parse().map_err(|_| range("an int64"))?;
            return Ok(i32::try_from(value).map_or(Value::Int64(value), Value::Int32));
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Value::Double(value)),
            _ => Err(range("a double")),
        }
    }

    fn digits(&mut self) -> Result<&'a str> {
        let start = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.step();
        }
        if start == self.at {
            return Err(self.expected("a digit"));
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// A string with its quotes.
    fn string(&mut self) -> Result<Cow<'a, str>> {
        let open = self.at;
        self.step();
        let mut owned = String::new();
        let mut from = self.at;
        loop {
            let Some(byte) = self.byte() else {
                return Err(
                    self.error(open, "expected the quote that ends this string, found none")
                );
            };
            match byte {
                b'"' => {
                    let part = self.text.get(from..self.at).unwrap_or_default();
                    self.step();
                    if owned.is_empty() {
                        return Ok(Cow::Borrowed(part));
                    }
                    owned.push_str(part);
                    return Ok(Cow::Owned(owned));
                }
                b'\\' => {
                    owned.push_str(self.text.get(from..self.at).unwrap_or_default());
                    owned.push(self.escape()?);
                    from = self.at;
                }
                0..=0x1f => {
                    return Err(self.error(
                        self.at,
                        format!("expected control characters as escapes, found {byte:#04x}"),
                    ));
                }
                _ => self.step(),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let at = self.at;
        self.step();
        let Some(byte) = self.byte() else { return Err(self.expected("an escape")) };
        let plain = match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.step();
                return self.unicode(at);
            }
            _ => return Err(self.expected("an escape")),
        };
        self.step();
        Ok(plain)
    }

    /// The digits after `\u`, of two escapes where the first is half a character.
    fn unicode(&mut self, at: usize) -> Result<char> {
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff if self.rest().starts_with("\\u") => {
                self.at = self.at.saturating_add(2);
                let second = self.hex()?;
                match second {
                    0xdc00..=0xdfff => {
                        let high = u32::from(first & 0x3ff) << 10;
                        (high | u32::from(second & 0x3ff)).saturating_add(0x1_0000)
                    }
                    _ => u32::from(first),
                }
            }
            _ => u32::from(first),
        };
        char::from_u32(code)
            .ok_or_else(|| self.error(at, "expected both halves of a character, found one"))
    }

    fn hex(&mut self) -> Result<u16> {
        let digits =
            self.rest().get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                self.at = self.at.saturating_add(4);
                Ok(value)
            }
            None => Err(self.expected("four hexadecimal digits")),
        }
    }
}
