//! The only code that touches input bytes: little-endian, in units of four bytes. What each word
//! means is in <https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md>.
//!
//! Which of the readers of text is for what:
//!
//! | reader | reads | for |
//! |---|---|---|
//! | [`Reader::string`] | length, text, padding | any text without a separate header, and every odd one |
//! | [`Reader::plain_string`] | the same, if nothing about it is odd | the fast way to the same text |
//! | [`Reader::plain_text`] | header and [`plain_string`](Reader::plain_string) | elements and keys of a `Value` |
//! | [`Reader::short_text`] | the same of at most 20 bytes, into words | short ones of those: most keys and names |
//! | [`Reader::take_key`] | header, length and text, if it is the one given | fields of a struct in their order |
//! | [`Reader::told_string`], [`Reader::packed_string`] | piece by piece | `explain`, strings of a packed array |
//!
//! The fast ways leave everything as it was when they do not apply, and the slow one then says what
//! is wrong. `tests/it/regress.rs` (`plain_and_odd_text_agree`) reads texts of every length and
//! oddity in both ways.

mod parts;

use std::borrow::Cow;
use std::io;

use gamewire_core::bytes::part;

use crate::error::{Count, Error, ErrorKind, Result};
use crate::options::{Dialect, Options, Precision};
use crate::types::{FLAG_64, FLAG_OBJECT_AS_ID, Type, fits_f32};
use crate::wrapped::FileKind;

pub(crate) use parts::{Counted, Id, Number, Part, Parts, Slot, Text};

/// The first word of a variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: Type,
    /// Bits 16 to 31, moved down.
    pub(crate) flags: u32,
    /// Where the header starts.
    pub(crate) at: usize,
}

impl Header {
    #[inline]
    pub(crate) fn flag_64(&self) -> bool {
        self.flags & FLAG_64 != 0
    }
}

/// How an object starts; of a whole one the class, before the count of its properties.
pub(crate) enum ObjectHead<'de> {
    Null,
    Id(u64),
    Class(Cow<'de, str>),
}

/// A text whose length fits, with its padding.
struct RawText<'de> {
    bytes: &'de [u8],
    /// Where the text starts.
    at: usize,
    /// Bytes of padding, which were read too.
    padding: usize,
}

/// A cursor over the input, never past its end.
pub(crate) struct Reader<'de> {
    all: &'de [u8],
    rest: &'de [u8],
    /// Bytes of padding that the last `PackedByteArray` lacks at the very end of the input.
    missing_padding: usize,
    /// Elements that may still be reserved ahead: honest counts never use it up, and counts that
    /// lie cannot claim more than the input could hold, however often they lie.
    budget: usize,
    /// Bytes of memory that may still be held.
    memory: usize,
    pub(crate) options: Options,
}

impl<'de> Reader<'de> {
    #[inline]
    pub(crate) fn new(bytes: &'de [u8], options: Options) -> Self {
        let (budget, memory) = (bytes.len() / 4, options.limits.memory(bytes.len()));
        Reader { all: bytes, rest: bytes, missing_padding: 0, budget, memory, options }
    }

    /// Offset of the next byte.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        debug_assert!(self.rest.len() <= self.all.len(), "more is left than there was");
        self.all.len().saturating_sub(self.rest.len())
    }

    /// Bytes used, counting padding that is missing at the end as the engine counts it.
    pub(crate) fn consumed(&self) -> usize {
        self.offset().saturating_add(self.missing_padding)
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.rest
    }

    /// The input from `start` to the next byte.
    pub(crate) fn since(&self, start: usize) -> &'de [u8] {
        part(self.all, start..self.offset())
    }

    /// A second cursor that starts at `at`, to look again at what was read.
    pub(crate) fn again(&self, at: usize) -> Reader<'de> {
        debug_assert!(at <= self.offset(), "what begins at {at} was not read yet");
        let rest = self.all.get(at..).unwrap_or_default();
        Reader { rest, budget: self.budget, ..Reader::new(self.all, self.options.clone()) }
    }

    /// Goes back to read something a second time.
    pub(crate) fn rewind(&mut self, at: usize) {
        debug_assert!(at <= self.offset(), "what begins at {at} was not read yet");
        self.rest = self.all.get(at..).unwrap_or_default();
    }

    #[inline]
    pub(crate) fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    #[inline]
    pub(crate) fn strict(&self) -> bool {
        self.options.strict
    }

    /// How many elements to reserve for a claimed count of elements of at least `wire` bytes.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize, wire: usize) -> usize {
        let held = self.rest.len().checked_div(wire).unwrap_or(0);
        let granted = count.min(held).min(self.budget);
        self.budget = self.budget.saturating_sub(granted);
        granted
    }

    /// [`reserve`](Self::reserve) for elements that take `size` bytes of memory each. Where less is
    /// granted than claimed, the input does not hold as many either.
    #[inline]
    pub(crate) fn allocate(&mut self, count: usize, wire: usize, size: usize) -> Result<usize> {
        let granted = self.reserve(count, wire);
        self.charge(granted.saturating_mul(size))?;
        Ok(granted)
    }

    /// Takes `bytes` from the memory budget.
    #[inline]
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                Ok(())
            }
            None => Err(self.too_much()),
        }
    }

    #[cold]
    #[inline(never)]
    fn too_much(&self) -> Error {
        let text = "what is read takes more memory than max_memory allows";
        Error::at(ErrorKind::MemoryLimit, self.offset(), text)
    }

    /// Bytes of memory that may still be held.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    #[inline]
    pub(crate) fn peek_u32(&self) -> Option<u32> {
        self.rest.first_chunk::<4>().map(|word| u32::from_le_bytes(*word))
    }

    /// The next `N` bytes, if the word before them is `word`.
    #[inline]
    pub(crate) fn after_word<const N: usize>(&mut self, word: u32) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<4>()?;
        if u32::from_le_bytes(*head) != word {
            return None;
        }
        let (body, rest) = rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*body)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.eof(what, N)),
        }
    }

    #[inline]
    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array::<4>(what).map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64> {
        self.array::<8>(what).map(u64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize, what: &'static str) -> Result<&'de [u8]> {
        match self.rest.split_at_checked(len) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.eof(what, len)),
        }
    }

    #[cold]
    #[inline(never)]
    fn eof(&self, what: &'static str, need: usize) -> Error {
        let have = self.rest.len();
        Error::at(
            ErrorKind::UnexpectedEof,
            self.offset(),
            format!("expected {need} bytes of {what}, found {have}"),
        )
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn not_canonical(&self, at: usize, what: &'static str) -> Error {
        Error::at(ErrorKind::NotCanonical, at, format!("not as the engine writes it: {what}"))
    }

    /// In strict mode, an error unless `fine`.
    #[inline]
    pub(crate) fn canonical(&self, fine: bool, at: usize, what: &'static str) -> Result<()> {
        if !fine && self.strict() { Err(self.not_canonical(at, what)) } else { Ok(()) }
    }

    /// Reads a header. 4.x and 3.x take the type from the lowest byte and ignore the next one; the
    /// published page takes it from the lower half.
    #[inline]
    pub(crate) fn header(&mut self) -> Result<Header> {
        let at = self.offset();
        let word = self.u32("a variant's header")?;
        let id = if self.dialect() == Dialect::Docs { word & 0xffff } else { word & 0xff };
        let Some(kind) = Type::from_id(id, self.dialect()) else {
            return Err(self.unknown_type(at, id));
        };
        let header = Header { kind, flags: word >> 16, at };
        if self.strict() {
            self.check_flags(&header, word)?;
        }
        Ok(header)
    }

    #[cold]
    #[inline(never)]
    fn unknown_type(&self, at: usize, id: u32) -> Error {
        let last = match self.dialect() {
            Dialect::Godot4 => 38,
            Dialect::Godot3 => 26,
            Dialect::Docs => 28,
        };
        let dialect = self.dialect().name();
        let text = match FileKind::of(self.all).filter(|_| at == 0) {
            Some(kind) => format!("expected a variant, found {kind}"),
            None => format!("expected one of the types 0 to {last} of {dialect}, found type {id}"),
        };
        Error::at(ErrorKind::UnknownType, at, text)
    }

    fn check_flags(&self, header: &Header, word: u32) -> Result<()> {
        self.canonical(word & 0xff00 == 0, header.at, "byte 1 of the header is not 0")?;
        let unknown = header.flags & !self.known_flags(header.kind);
        self.canonical(unknown == 0, header.at, "a flag without meaning is set")
    }

    /// The flags that mean something for a type.
    pub(crate) fn known_flags(&self, kind: Type) -> u32 {
        let godot4 = self.dialect() == Dialect::Godot4;
        match kind {
            Type::Int | Type::Float => FLAG_64,
            Type::Object if self.dialect() != Dialect::Docs => FLAG_OBJECT_AS_ID,
            kind if kind.is_real() && godot4 => FLAG_64,
            Type::Array if godot4 => 0b11,
            Type::Dictionary if godot4 => 0b1111,
            _ => 0,
        }
    }

    /// Whether an object is sent by its id. The published page has no flag for it.
    pub(crate) fn by_id(&self, header: &Header) -> bool {
        match self.dialect() {
            Dialect::Docs => !self.options.allow_objects,
            _ => header.flags & FLAG_OBJECT_AS_ID != 0,
        }
    }

    #[inline]
    pub(crate) fn bool(&mut self) -> Result<bool> {
        let at = self.offset();
        let word = self.u32("a bool")?;
        self.canonical(word <= 1, at, "a bool is neither 0 nor 1")?;
        Ok(word != 0)
    }

    #[inline]
    pub(crate) fn int(&mut self, header: &Header) -> Result<i64> {
        if header.flag_64() {
            let value = i64::from_le_bytes(self.array("a 64-bit int")?);
            self.canonical(
                i32::try_from(value).is_err(),
                header.at,
                "an int that fits 32 bits is sent with 64",
            )?;
            Ok(value)
        } else {
            Ok(i64::from(i32::from_le_bytes(self.array("an int")?)))
        }
    }

    #[inline]
    pub(crate) fn float(&mut self, header: &Header) -> Result<f64> {
        if header.flag_64() {
            let value = f64::from_le_bytes(self.array("a 64-bit float")?);
            self.canonical(
                !fits_f32(value),
                header.at,
                "a float that fits 32 bits is sent with 64",
            )?;
            Ok(value)
        } else {
            let value = f32::from_le_bytes(self.array("a float")?);
            self.canonical(!value.is_nan(), header.at, "a NaN is sent with 32 bits")?;
            Ok(f64::from(value))
        }
    }

    /// A string as nearly all strings are: whole, UTF-8, without NUL or byte order mark. `None`
    /// leaves everything as it was, for [`string`](Self::string) to find out why.
    ///
    /// One check of the length for text and padding together, and no look at the padding: strict
    /// reading, which has to look, takes the slow way always.
    #[inline(always)]
    pub(crate) fn plain_string(&mut self) -> Option<&'de str> {
        let (len, rest) = self.rest.split_first_chunk::<4>()?;
        let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
        let (padded, rest) = rest.split_at_checked(len.checked_next_multiple_of(4)?)?;
        let text = padded.get(..len)?;
        if self.options.strict || ends_early(text, padded) {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        self.rest = rest;
        Some(text)
    }

    /// A `String` with its header that is as nearly all strings are (see
    /// [`plain_string`](Self::plain_string)) and has at most 20 bytes: length and words of text.
    ///
    /// Header and length are read as one number, `4 | length << 32` for a header without flags (a
    /// set flag or ignored byte takes the slow way). The text stays in registers on its way into
    /// the [`GString`](crate::types::GString): a load right after a store of another width would
    /// have to wait for it.
    #[inline(always)]
    pub(crate) fn short_text(&mut self) -> Option<(u8, [u64; 3])> {
        let (head, rest) = self.rest.split_first_chunk::<8>()?;
        let head = u64::from_le_bytes(*head);
        // The upper half is the length if the lower is 4; more than 255 is no short text.
        let len = u8::try_from(head >> 32).ok()?;
        if head & 0xffff_ffff != 4 || self.options.strict {
            return None;
        }
        fn word(bytes: &[u8]) -> Option<u64> {
            bytes.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
        }
        fn half(bytes: &[u8]) -> Option<u64> {
            bytes.first_chunk::<4>().map(|half| u64::from(u32::from_le_bytes(*half)))
        }
        let (padded, words) = match len {
            0 => (0, [0; 3]),
            1..=4 => (4, [half(rest)?, 0, 0]),
            5..=8 => (8, [word(rest)?, 0, 0]),
            9..=12 => (12, [word(rest)?, half(rest.get(8..)?)?, 0]),
            13..=16 => (16, [word(rest)?, word(rest.get(8..)?)?, 0]),
            17..=20 => (20, [word(rest)?, word(rest.get(8..)?)?, half(rest.get(16..)?)?]),
            _ => return None,
        };
        let text = rest.get(..usize::from(len))?;
        if ends_early(text, rest.get(..padded)?) || std::str::from_utf8(text).is_err() {
            return None;
        }
        self.rest = rest.get(padded..)?;
        Some((len, words))
    }

    /// A `String` with its header, if it is as nearly all strings are.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<&'de str> {
        if self.peek_u32() != Some(4) {
            return None;
        }
        let whole = self.rest;
        self.rest = whole.get(4..)?;
        let text = self.plain_string();
        if text.is_none() {
            self.rest = whole;
        }
        text
    }

    /// Moves over the `String` whose text is `name`, if that is what comes next.
    ///
    /// `name` is known to be clean, so equal bytes need no check. Relies on the same
    /// number of header and length as [`short_text`](Self::short_text).
    #[inline]
    pub(crate) fn take_key(&mut self, name: &str) -> bool {
        let Some((head, rest)) = self.rest.split_first_chunk::<8>() else { return false };
        if u64::from_le_bytes(*head) != (4 | (name.len() as u64) << 32) {
            return false;
        }
        let padded = name.len().next_multiple_of(4);
        match rest.split_at_checked(padded) {
            Some((text, rest)) if begins_with(text, name.as_bytes()) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Length word, UTF-8, padding to 4. A negative or too long length is its own error kind.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>> {
        let raw = self.raw_text()?;
        let text = self.text(raw.bytes, raw.at)?;
        self.check_padding(&raw)?;
        Ok(text)
    }

    #[inline]
    fn raw_text(&mut self) -> Result<RawText<'de>> {
        let at = self.offset();
        let claimed = self.u32("a string's length")?;
        let len = claimed as usize;
        let padded = len.checked_next_multiple_of(4).unwrap_or(usize::MAX);
        if padded > self.rest.len() || padded > 0x7fff_ffff {
            return Err(self.string_length(at, claimed, len));
        }
        let (all, rest) = self.rest.split_at(padded);
        self.rest = rest;
        let bytes = all.get(..len).unwrap_or(all);
        Ok(RawText { bytes, at: at.saturating_add(4), padding: padded.saturating_sub(len) })
    }

    /// The padding that was read last; only strict reading looks at it.
    #[inline]
    fn check_padding(&self, raw: &RawText<'_>) -> Result<()> {
        if !self.strict() {
            return Ok(());
        }
        let at = raw.at.saturating_add(raw.bytes.len());
        let padding = self.all.get(at..at.saturating_add(raw.padding)).unwrap_or_default();
        self.canonical(padding.iter().all(|&byte| byte == 0), at, "padding is not 0")
    }

    #[cold]
    #[inline(never)]
    fn string_length(&self, at: usize, claimed: u32, len: usize) -> Error {
        if claimed > 0x7fff_ffff {
            let found = claimed.cast_signed();
            let message = format!("expected a string's length, found the negative number {found}");
            return Error::at(ErrorKind::StringLength, at, message);
        }
        let message = format!(
            "expected a string of {} and its padding, found {}",
            Count(len, "byte"),
            Count(self.rest.len(), "byte")
        );
        Error::claim(ErrorKind::StringLength, at, message)
    }

    /// Engines strip a leading byte order mark and stop at the first NUL.
    #[inline]
    fn text(&self, bytes: &'de [u8], at: usize) -> Result<Cow<'de, str>> {
        let odd = bytes.contains(&0) || bytes.first() == Some(&0xef);
        let bytes = if odd { self.engine_text(bytes, at)? } else { bytes };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => self.odd_text(bytes, at, error),
        }
    }

    /// Whether text is all that its length says, NUL and byte order mark included.
    fn literal_text(&self) -> bool {
        self.dialect() == Dialect::Docs || self.options.in_memory
    }

    #[cold]
    #[inline(never)]
    fn engine_text(&self, bytes: &'de [u8], at: usize) -> Result<&'de [u8]> {
        let (mark, len, after) = self.pieces(bytes);
        // One that belongs to the text has another in front.
        let own = bytes.get(mark..).is_some_and(|text| text.starts_with(b"\xef\xbb\xbf"));
        self.canonical(mark == 0 || own, at, "text starts with a byte order mark")?;
        self.canonical(after == 0, at, "text contains NUL")?;
        Ok(bytes.get(mark..mark.saturating_add(len)).unwrap_or(bytes))
    }

    /// How many bytes of a text are the byte order mark, the text, and what stands from the first
    /// NUL on: the first and the last are not read by engines.
    fn pieces(&self, bytes: &[u8]) -> (usize, usize, usize) {
        if self.literal_text() {
            return (0, bytes.len(), 0);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let len = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        let mark = bytes.len().saturating_sub(text.len());
        (mark, len, text.len().saturating_sub(len))
    }

    /// Godot 3 reads each lone surrogate as a space; everything else that is not UTF-8 is refused.
    #[cold]
    #[inline(never)]
    fn odd_text(
        &self,
        bytes: &'de [u8],
        at: usize,
        error: std::str::Utf8Error,
    ) -> Result<Cow<'de, str>> {
        if self.dialect() == Dialect::Godot3 {
            let mut rest = bytes;
            let mut text = String::new();
            loop {
                match std::str::from_utf8(rest) {
                    Ok(tail) => {
                        self.canonical(false, at, "text holds a lone surrogate")?;
                        text.push_str(tail);
                        return Ok(Cow::Owned(text));
                    }
                    Err(error) => {
                        let (valid, tail) = rest.split_at(error.valid_up_to());
                        let [0xed, 0xa0..=0xbf, 0x80..=0xbf, tail @ ..] = tail else { break };
                        text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                        text.push(' ');
                        rest = tail;
                    }
                }
            }
        }
        Err(Error::invalid_utf8(bytes, at, error))
    }

    /// Whether the components of a real-typed value are 64 bits wide on the wire.
    #[inline]
    pub(crate) fn wide(&self, header: &Header) -> bool {
        match self.dialect() {
            Dialect::Godot4 => {
                let wide = header.kind.is_real()
                    || (self.options.in_memory
                        && matches!(header.kind, Type::Color | Type::PackedColorArray));
                wide && header.flag_64()
            }
            Dialect::Godot3 => false,
            Dialect::Docs => {
                self.options.precision == Precision::Double
                    && (header.kind.is_real()
                        || matches!(header.kind, Type::Color | Type::PackedColorArray))
            }
        }
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self) -> Result<()> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Error::at(
                ErrorKind::TrailingBytes,
                self.offset(),
                format!("expected the end, found {} more", Count(left, "byte")),
            )),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_deep(&self, limit: usize, name: &'static str) -> Error {
        Error::at(
            ErrorKind::DepthLimit,
            self.offset(),
            format!("nested deeper than {name}, which is {limit}"),
        )
    }
}

/// Whether engines would read less of the text than there is, or might: it contains NUL or starts
/// like a byte order mark. `padded` is the text with its padding.
///
/// Only the first byte of the mark is compared: it begins few other characters, and those take the
/// slow way, which looks closer. Up to 32 bytes, words are cheaper than a call of `memchr`.
#[inline(always)]
fn ends_early(text: &[u8], padded: &[u8]) -> bool {
    const SHORT: usize = 32;
    if text.first() == Some(&0xef) {
        return true;
    }
    if text.len() > SHORT {
        return has_nul(text);
    }
    // Four bytes at a time. Padding is zero, so the bytes of the last word that are padding are set
    // to 0xff first: `padding[n]` has them for a text that ends after `n` bytes of the word.
    let (words, _) = padded.as_chunks::<4>();
    let Some((last, words)) = words.split_last() else { return false };
    let padding = [0_u32, 0xffff_ff00, 0xffff_0000, 0xff00_0000];
    let unused = padding.get(text.len() & 3).copied().unwrap_or(0);
    // Taking 1 from each byte sets its top bit if it was 0 (or above 0x80, which `!word` rules out);
    // borrows begin at a zero byte only. True exactly if some byte is 0.
    let has_zero = |word: u32| word.wrapping_sub(0x0101_0101) & !word & 0x8080_8080 != 0;
    words.iter().any(|word| has_zero(u32::from_le_bytes(*word)))
        || has_zero(u32::from_le_bytes(*last) | unused)
}

/// Whether a text contains NUL: eight bytes at a time, the last ones twice, is cheaper for text of
/// usual lengths than `memchr`, which aligns its words first.
#[inline]
pub(crate) fn has_nul(text: &[u8]) -> bool {
    let Some(last) = text.last_chunk::<8>() else { return text.contains(&0) };
    let (words, _) = text.as_chunks::<8>();
    // The top bit of each byte that is 0, and maybe of some above it.
    let zeros = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
    };
    words.iter().fold(zeros(last), |found, word| found | zeros(word)) != 0
}

/// Whether a padded text is `name` up to its padding. Names are short: two loads that may overlap take
/// less than a call.
#[inline(always)]
fn begins_with(padded: &[u8], name: &[u8]) -> bool {
    let Some(text) = padded.get(..name.len()) else { return false };
    match name.len() {
        ..4 => {
            let middle = name.len() / 2;
            text.first() == name.first()
                && text.get(middle) == name.get(middle)
                && text.last() == name.last()
        }
        4..=8 => {
            text.first_chunk::<4>() == name.first_chunk()
                && text.last_chunk::<4>() == name.last_chunk()
        }
        9..=16 => {
            text.first_chunk::<8>() == name.first_chunk()
                && text.last_chunk::<8>() == name.last_chunk()
        }
        _ => text == name,
    }
}

/// Drains a reader in small steps; at most `limit` bytes.
pub(crate) fn read_to_end<R: io::Read>(reader: R, limit: usize) -> Result<Vec<u8>> {
    let most = (limit as u64).saturating_add(1);
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut reader.take(most), &mut bytes).map_err(Error::io)?;
    if bytes.len() > limit {
        return Err(Error::at(
            ErrorKind::AllocLimit,
            limit,
            format!("more input than max_alloc, which is {limit} bytes"),
        ));
    }
    Ok(bytes)
}
