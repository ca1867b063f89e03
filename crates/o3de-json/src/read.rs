//! The lexer: the only code that touches the bytes of the text.
//!
//! RFC 8259, and by option comments and trailing commas
//! ([Text](https://github.com/gamewire/gamewire/blob/main/docs/formats/o3de-json.md#text)). It
//! pulls: the caller asks what comes next and takes it; nothing is built.

use std::borrow::Cow;
use std::io::{self, Read as _};

use gamewire_core::bytes::{part, same, text_part};
use gamewire_core::words::Shortened;

use crate::{Error, ErrorKind, Options, Result};

pub(crate) mod foreign;
mod number;
mod prefix;
mod scan;
mod text;

pub(crate) use number::Worth;
pub(crate) use prefix::{double_prefix, integer_prefix};
pub(crate) use scan::{all_plain, comment_at, plain_end};

/// The JSON type of a value, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// Bytes to be read: text, or by option with bytes that are not UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct Input<'de> {
    pub(crate) bytes: &'de [u8],
    /// `None` where strings may have to be made of them, by [`foreign`].
    text: Option<&'de str>,
}

impl<'de> Input<'de> {
    /// Whether some characters may be in it.
    pub(crate) fn may_have(self, characters: &str) -> bool {
        self.text.is_none_or(|text| text.contains(characters))
    }

    /// Text in which bytes that are not UTF-8 are characters already.
    pub(crate) fn text(text: &'de str) -> Self {
        Input { bytes: text.as_bytes(), text: Some(text) }
    }

    pub(crate) fn of(text: &'de str, options: &Options) -> Self {
        let is_text = !options.invalid_utf8 || foreign::is_plain(text.as_bytes());
        Input { bytes: text.as_bytes(), text: is_text.then_some(text) }
    }

    /// Bytes that are text, unless the option is on.
    pub(crate) fn check(bytes: &'de [u8], options: &Options) -> Result<Self> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Input::of(text, options)),
            Err(_) if options.invalid_utf8 => Ok(Input { bytes, text: None }),
            Err(error) => Err(foreign::refused(bytes, error)),
        }
    }
}

/// A position in a text, and what is accepted there. Cheap to clone: a clone looks ahead.
#[derive(Clone)]
pub(crate) struct Reader<'de> {
    text: Option<&'de str>,
    bytes: &'de [u8],
    at: usize,
    depth: usize,
    max_depth: usize,
    max_typed_depth: usize,
    comments: bool,
    trailing_commas: bool,
    invalid_utf8: bool,
}

impl<'de> Reader<'de> {
    /// Reads [`Input::text`].
    pub(crate) fn new(text: &'de str, options: &Options) -> Self {
        Reader::of(Input::text(text), options)
    }

    /// A reader of another text, at the same nesting.
    pub(crate) fn over<'t>(&self, text: &'t str) -> Reader<'t> {
        Reader { text: Some(text), bytes: text.as_bytes(), at: 0, ..*self }
    }

    pub(crate) fn of(input: Input<'de>, options: &Options) -> Self {
        Reader {
            text: input.text,
            bytes: input.bytes,
            at: 0,
            depth: 0,
            max_depth: options.limits.max_depth,
            max_typed_depth: options.limits.max_typed_depth,
            comments: options.comments,
            trailing_commas: options.trailing_commas,
            invalid_utf8: options.invalid_utf8,
        }
    }

    /// The same without a limit of depth, for text that was accepted once.
    pub(crate) fn without_limit(mut self) -> Self {
        self.max_depth = usize::MAX;
        self
    }

    /// Whether offsets are those of text.
    pub(crate) fn is_text(&self) -> bool {
        self.text.is_some()
    }

    /// All bytes, also those that were read.
    pub(crate) fn bytes(&self) -> &'de [u8] {
        self.bytes
    }

    /// The text between two offsets that this reader has returned.
    #[inline]
    pub(crate) fn between(&self, start: usize, end: usize) -> Cow<'de, str> {
        match self.text {
            Some(text) => Cow::Borrowed(text_part(text, start..end)),
            None => foreign::to_text(part(self.bytes, start..end)),
        }
    }

    /// Byte offset of the next character.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// How many containers are around.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Goes to an offset that this reader has returned, at the same nesting.
    #[inline]
    pub(crate) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The next character that is no white space and no comment, without taking it.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8> {
        match self.next_byte()? {
            Some(byte) => Ok(byte),
            None => Err(self.eof("a value")),
        }
    }

    /// As [`peek`](Self::peek), none at the end of the text.
    #[inline]
    fn next_byte(&mut self) -> Result<Option<u8>> {
        match self.bytes.get(self.at) {
            Some(&byte) if is_plain(byte) => Ok(Some(byte)),
            // One space, as after a colon.
            Some(b' ') => match self.bytes.get(self.at.wrapping_add(1)) {
                Some(&byte) if is_plain(byte) => {
                    self.bump();
                    Ok(Some(byte))
                }
                _ => self.byte_after_space(),
            },
            _ => self.byte_after_space(),
        }
    }

    #[inline(never)]
    fn byte_after_space(&mut self) -> Result<Option<u8>> {
        self.skip_space()?;
        Ok(self.bytes.get(self.at).copied())
    }

    /// The kind of the next value, without taking it.
    pub(crate) fn peek_kind(&mut self) -> Result<Kind> {
        let byte = self.peek()?;
        Kind::of(byte).ok_or_else(|| self.unexpected("a value"))
    }

    /// Takes one character, of which the caller knows that it is present.
    #[inline]
    pub(crate) fn bump(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Takes `null`, `true` or `false`.
    #[inline]
    pub(crate) fn literal(&mut self, word: &'static str) -> Result<()> {
        let end = self.at.saturating_add(word.len());
        if self.bytes.get(self.at..end) != Some(word.as_bytes()) {
            return Err(self.broken_word(word));
        }
        self.at = end;
        Ok(())
    }

    /// Takes `true` or `false`; the next character is `t` or `f`.
    #[inline]
    pub(crate) fn bool(&mut self) -> Result<bool> {
        // Which of them it is cannot be foreseen, so there is no branch on it.
        if let Some([head @ .., last]) =
            self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<5>)
        {
            let is_true = head == b"true";
            if is_true | (head == b"fals" && *last == b'e') {
                self.at = self.at.wrapping_add(5).wrapping_sub(is_true.into());
                return Ok(is_true);
            }
        }
        let is_true = self.bytes.get(self.at) == Some(&b't');
        self.literal(if is_true { "true" } else { "false" }).map(|()| is_true)
    }

    /// Takes a string; the next character is `"`.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>> {
        // Nearly all strings have no escape, and are parts of the text; the rest is in `text.rs`.
        let start = self.at.saturating_add(1);
        let end = scan::plain_end(self.bytes, start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end.saturating_add(1);
            return Ok(self.between(start, end));
        }
        text::escaped(self, start, end).map(Cow::Owned)
    }

    /// Takes a string without making it, and checks it all the same.
    pub(crate) fn skip_string(&mut self) -> Result<()> {
        let start = self.at.saturating_add(1);
        let end = scan::plain_end(self.bytes, start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end.saturating_add(1);
            return Ok(());
        }
        text::skip_escaped(self, end)
    }

    /// Takes a number; the next character is `-` or a digit.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Worth> {
        number::read(self)
    }

    /// Takes a number without its value, and checks it all the same.
    #[inline]
    pub(crate) fn skip_number(&mut self) -> Result<()> {
        number::skip(self)
    }

    /// Takes `[` or `{`, the next character, for a walk without recursion.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<()> {
        if self.depth >= self.max_depth {
            return Err(self.too_deep("max_depth", self.max_depth));
        }
        self.depth = self.depth.saturating_add(1);
        self.bump();
        Ok(())
    }

    /// Takes `[` or `{`, the next character, for a Rust type: serde recurses.
    #[inline]
    pub(crate) fn open_typed(&mut self) -> Result<()> {
        self.deepen()?;
        self.bump();
        Ok(())
    }

    /// One more container is around what a Rust type reads next.
    #[inline]
    pub(crate) fn deepen(&mut self) -> Result<()> {
        if self.depth >= self.max_typed_depth {
            return Err(self.too_deep("max_typed_depth", self.max_typed_depth));
        }
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// Undoes [`deepen`](Self::deepen).
    #[inline]
    pub(crate) fn rise(&mut self) {
        debug_assert!(self.depth > 0, "only what is open ends");
        self.depth = self.depth.saturating_sub(1);
    }

    #[cold]
    fn too_deep(&self, name: &str, limit: usize) -> Error {
        let message = format!("more than {name}, which is {limit}, nested containers");
        Error::at(ErrorKind::DepthLimit, self.at, message)
    }

    /// Whether another element follows in an array; takes the comma, or the bracket at the end.
    #[inline]
    pub(crate) fn next_element(&mut self, first: &mut bool) -> Result<bool> {
        let byte = self.next_or_close(first, b']', "`,` or `]`")?;
        Ok(byte != b']')
    }

    /// The next key of an object, with its colon taken, or none, with the brace taken.
    #[inline]
    pub(crate) fn next_key(&mut self, first: &mut bool) -> Result<Option<Cow<'de, str>>> {
        if !self.next_member(first)? {
            return Ok(None);
        }
        let key = self.string()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Takes the member that comes next up to its colon, if its name is this one, spelled without
    /// escapes. Does not move otherwise: what else there is, [`next_member`](Self::next_member) finds.
    #[inline]
    pub(crate) fn take_member(&mut self, first: &mut bool, expected: &str) -> bool {
        let start = self.at;
        if !*first {
            if !self.is_at(b',') {
                return false;
            }
            self.bump();
        }
        let is_there = self.skip_space().is_ok() && self.take_name(expected);
        if is_there {
            *first = false;
        } else {
            self.at = start;
        }
        is_there
    }

    /// The same where no space is around the name, and a value follows its colon at once: in compact text.
    #[inline]
    pub(crate) fn take_compact_member(&mut self, first: &mut bool, expected: &str) -> bool {
        if !*first && !self.is_at(b',') {
            return false;
        }
        let start = self.at;
        self.at = start.wrapping_add(usize::from(!*first));
        let is_there =
            self.take_name(expected) && self.bytes.get(self.at).is_some_and(|byte| is_plain(*byte));
        if is_there {
            *first = false;
        } else {
            self.at = start;
        }
        is_there
    }

    #[inline]
    fn take_name(&mut self, expected: &str) -> bool {
        let end = self.at.wrapping_add(expected.len()).wrapping_add(3);
        match self.bytes.get(self.at..end) {
            Some([b'"', name @ .., b'"', b':']) if same(name, expected.as_bytes()) => self.at = end,
            _ => return false,
        }
        true
    }

    /// Takes the brace of an object if nothing stands before it.
    #[inline]
    pub(crate) fn take_end(&mut self) -> bool {
        let is_end = self.is_at(b'}');
        if is_end {
            self.close();
        }
        is_end
    }

    /// Takes an integer of up to nine digits; the next character is a digit. Does not move otherwise.
    #[inline]
    pub(crate) fn short_integer(&mut self) -> Option<u32> {
        let rest = self.bytes.get(self.at..)?;
        let (mut value, mut len) = (0_u32, 0_usize);
        while let Some(digit) = rest.get(len).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            len = len.wrapping_add(1);
        }
        let is_number = matches!(rest.get(len), Some(b'.' | b'e' | b'E'));
        if len > 9 || is_number || (len > 1 && rest.first() == Some(&b'0')) {
            return None;
        }
        self.at = self.at.wrapping_add(len);
        Some(value)
    }

    /// As [`next_key`](Self::next_key), up to the key: it is left for the caller.
    #[inline]
    pub(crate) fn next_member(&mut self, first: &mut bool) -> Result<bool> {
        match self.next_or_close(first, b'}', "`,` or `}`")? {
            b'}' => Ok(false),
            b'"' => Ok(true),
            _ => Err(self.unexpected("a member name")),
        }
    }

    /// Takes the colon after a key.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result<()> {
        if self.next_byte()? != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.bump();
        Ok(())
    }

    #[inline]
    fn next_or_close(&mut self, first: &mut bool, close: u8, expected: &str) -> Result<u8> {
        // Nothing but a comma stands between most values of compact text.
        match self.bytes.get(self.at) {
            Some(&byte) if byte == close => {
                self.close();
                return Ok(close);
            }
            Some(b',') if !*first => {
                let next = self.at.wrapping_add(1);
                if let Some(&byte) = self.bytes.get(next)
                    && is_plain(byte)
                    && byte != close
                {
                    self.at = next;
                    return Ok(byte);
                }
            }
            Some(&byte) if *first && is_plain(byte) => {
                *first = false;
                return Ok(byte);
            }
            _ => {}
        }
        self.next_of_any(first, close, expected)
    }

    #[inline]
    fn is_at(&self, byte: u8) -> bool {
        self.bytes.get(self.at) == Some(&byte)
    }

    #[inline(never)]
    fn next_of_any(&mut self, first: &mut bool, close: u8, expected: &str) -> Result<u8> {
        // The bracket comes first: it is what a comma must not stand before.
        let mut byte = self.next_byte()?;
        if byte == Some(close) {
            self.close();
            return Ok(close);
        }
        if !std::mem::replace(first, false) {
            if byte != Some(b',') {
                return Err(self.unexpected(expected));
            }
            self.bump();
            byte = self.next_byte()?;
            if byte == Some(close) {
                if !self.trailing_commas {
                    return Err(self.unexpected("a value after `,`"));
                }
                self.close();
                return Ok(close);
            }
        }
        byte.ok_or_else(|| self.eof("a value"))
    }

    #[inline]
    fn close(&mut self) {
        self.rise();
        self.bump();
    }

    /// Whether the next value is `{}`, and takes it then.
    #[inline]
    pub(crate) fn take_empty_object(&mut self) -> Result<bool> {
        if self.bytes.get(self.at) != Some(&b'{') {
            return Ok(false);
        }
        let start = self.at;
        self.bump();
        self.skip_space()?;
        if self.bytes.get(self.at) == Some(&b'}') {
            self.bump();
            return Ok(true);
        }
        self.at = start;
        Ok(false)
    }

    /// Refuses anything but white space and comments up to the end of the text.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.skip_space()?;
        if self.at < self.bytes.len() {
            return Err(Error::at(
                ErrorKind::TrailingBytes,
                self.at,
                format!("expected the end of the text, found {}", self.found()),
            ));
        }
        Ok(())
    }

    /// Takes white space, and comments where they are accepted.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> Result<()> {
        match self.bytes.get(self.at) {
            Some(b' ' | b'\n' | b'\r' | b'\t' | b'/' | 0xef) => scan::skip_space(self),
            _ => Ok(()),
        }
    }

    /// The error of a character that does not belong here.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        if self.at >= self.bytes.len() {
            return self.eof(expected);
        }
        Error::at(
            ErrorKind::Syntax,
            self.at,
            format!("expected {expected}, found {}", self.found()),
        )
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn eof(&self, expected: &str) -> Error {
        Error::at(
            ErrorKind::UnexpectedEof,
            self.bytes.len(),
            format!("expected {expected}, found the end of the text"),
        )
    }

    #[cold]
    fn broken_word(&self, word: &str) -> Error {
        let rest = part(self.bytes, self.at..);
        if rest.len() < word.len() && word.as_bytes().starts_with(rest) {
            return self.eof(&format!("`{word}`"));
        }
        self.unexpected(&format!("`{word}`"))
    }

    /// The next character, for an error.
    fn found(&self) -> String {
        let rest = part(self.bytes, self.at..);
        let next = String::from_utf8_lossy(rest.get(..4).unwrap_or(rest));
        match next.chars().next() {
            Some('`') => "a backquote".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "the end of the text".to_owned(),
        }
    }

    /// The next value in few words, for an error. Does not move.
    pub(crate) fn describe(&self) -> String {
        let mut ahead = self.clone();
        ahead.describe_here().unwrap_or_else(|_| "something that is not JSON".to_owned())
    }

    fn describe_here(&mut self) -> Result<String> {
        Ok(match self.peek_kind()? {
            Kind::Null => "null".to_owned(),
            Kind::Bool => self.bool()?.to_string(),
            Kind::Number => {
                let start = self.at;
                self.skip_number()?;
                Shortened(&self.between(start, self.at)).to_string()
            }
            Kind::String => format!("\"{}\"", Shortened(&self.string()?)),
            Kind::Array => "an array".to_owned(),
            Kind::Object if self.take_empty_object()? => "an empty object".to_owned(),
            Kind::Object => "an object".to_owned(),
        })
    }
}

/// Whether it is no space and no beginning of a comment or byte order mark.
#[inline]
const fn is_plain(byte: u8) -> bool {
    byte > b' ' && byte != b'/' && byte.is_ascii()
}

impl Kind {
    #[inline]
    pub(crate) fn of(byte: u8) -> Option<Kind> {
        Some(match byte {
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Bool,
            b'-' | b'0'..=b'9' => Kind::Number,
            b'"' => Kind::String,
            b'[' => Kind::Array,
            b'{' => Kind::Object,
            _ => return None,
        })
    }
}

/// Drains a reader, up to a limit.
pub(crate) fn read_to_end<R: io::Read>(mut reader: R, max_alloc: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(max_alloc).unwrap_or(u64::MAX);
    reader.by_ref().take(limit).read_to_end(&mut bytes).map_err(Error::io)?;
    // One byte more tells a reader that is at its end from one that is over the limit.
    if bytes.len() == max_alloc {
        let mut more = [0];
        let read = loop {
            match reader.read(&mut more) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(Error::io)?,
            }
        };
        if read > 0 {
            return Err(Error::new(
                ErrorKind::AllocLimit,
                format!("the reader holds more than max_alloc, which is {max_alloc} bytes"),
            ));
        }
    }
    Ok(bytes)
}
