//! The only code that touches input bytes.

use std::borrow::Cow;
use std::io;

use gamewire_core::bytes::part;

use crate::cast::{float_to_int, int_to_float, low_i32, narrow};
use crate::error::{Count, Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::write::{self, MAX_ID};

/// A tag: the beginning of a field, or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The bean ends.
    End,
    /// The layer ends; that of the base follows, with ids from the start.
    Base,
    /// A field: its id and wire type.
    Field(u32, Kind),
}

/// The header of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListHead {
    pub(crate) count: usize,
    /// The same as the bytes have it, which may be more than a `usize` of 32 bits.
    #[cfg(feature = "explain")]
    pub(crate) claimed: u64,
    /// As it is in the bytes; an empty list may have any.
    pub(crate) number: u8,
    /// Its wire type; an integer for undefined numbers, which have no elements.
    pub(crate) kind: Kind,
}

/// The header of a map.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MapHead {
    pub(crate) count: usize,
    pub(crate) numbers: (u8, u8),
    pub(crate) kinds: (Kind, Kind),
}

/// A cursor over the input. Never past the end.
pub(crate) struct Reader<'de> {
    all: &'de [u8],
    rest: &'de [u8],
    /// Elements that may still be reserved ahead: honest counts never use it up, and counts that
    /// lie cannot claim more than the input could hold, however often they lie.
    budget: usize,
    pub(crate) options: Options,
    /// Whether a claim that the input cannot hold is kept, and reading continues with what is there.
    keep_going: bool,
    claim: Option<Error>,
}

/// A signed integer and its number of bytes, 1 to 9; the bytes after it may be anything.
///
/// The first bit is the sign, and inverting all bits inverts the number. So negative numbers are
/// inverted first, and then only one sort is left: after the sign, each one announces a further
/// byte. Eight bytes are taken as one word, because then there is no branch on the length but for
/// the forms of 9 bytes. `vectors/int.jsonl` has every length at both ends of its range.
#[inline]
#[allow(clippy::arithmetic_side_effects, reason = "len is 1 to 8, so no shift is out of range")]
fn decode_int(chunk: [u8; 9]) -> (i64, usize) {
    let [first @ .., _] = chunk;
    let word = u64::from_be_bytes(first);
    let sign = (word.cast_signed() >> 63).cast_unsigned();
    let bits = word ^ sign;
    let len = (bits << 1).leading_ones() + 1;
    if len > 8 {
        let [_, last @ ..] = chunk;
        let bits = (u64::from_be_bytes(last) ^ sign) & (u64::MAX >> 1);
        return ((bits ^ sign).cast_signed(), 9);
    }
    // Without the sign, `len - 1` ones and a zero, 7 * len - 1 bits are left.
    let bits = (bits << (len + 1)) >> (65 - 7 * len);
    ((bits ^ sign).cast_signed(), len as usize)
}

/// Number of bytes of the signed integer that starts so; `second` counts only after `7f` and `80`.
#[inline]
pub(crate) fn int_len(first: u8, second: u8) -> usize {
    let positive = |byte: u8| if first & 0x80 == 0 { byte } else { !byte };
    match (positive(first) << 1).leading_ones() {
        7 => 8_usize.saturating_add(usize::from(positive(second) & 0x80 != 0)),
        ones => (ones as usize).saturating_add(1),
    }
}

impl<'de> Reader<'de> {
    #[inline]
    pub(crate) fn new(bytes: &'de [u8], options: Options) -> Self {
        Reader {
            all: bytes,
            rest: bytes,
            budget: bytes.len(),
            options,
            keep_going: false,
            claim: None,
        }
    }

    /// Offset of the next byte.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        debug_assert!(self.rest.len() <= self.all.len());
        self.all.len().saturating_sub(self.rest.len())
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.rest
    }

    /// The input from `start` to the next byte.
    pub(crate) fn since(&self, start: usize) -> &'de [u8] {
        part(self.all, start..self.offset())
    }

    /// The input from an offset on.
    pub(crate) fn bytes_from(&self, at: usize) -> &'de [u8] {
        part(self.all, at..)
    }

    /// Goes to an offset of the input.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.rest = self.bytes_from(at);
    }

    /// Ends the input at an offset, as a frame does.
    pub(crate) fn narrow(&mut self, end: usize) {
        let at = self.offset();
        // A frame that is cut off ends where the input does.
        self.all = self.all.get(..end).unwrap_or(self.all);
        self.go_to(at);
    }

    /// Takes back [`narrow`](Self::narrow), and goes to where `all` had been ended.
    #[cfg(feature = "explain")]
    pub(crate) fn widen(&mut self, all: &'de [u8]) {
        let end = self.all.len();
        self.all = all;
        self.go_to(end);
    }

    /// From here on, a claim of more than the input has is no error at once: what is there of the
    /// text or container is read, and [`take_claim`](Self::take_claim) has the error.
    #[cfg(feature = "explain")]
    pub(crate) fn read_on(&mut self) {
        self.keep_going = true;
    }

    /// The first claim that the input cannot hold.
    pub(crate) fn take_claim(&mut self) -> Option<Error> {
        self.claim.take()
    }

    /// A second cursor at an offset.
    pub(crate) fn fork_at(&self, at: usize) -> Reader<'de> {
        let rest = self.bytes_from(at);
        Reader { rest, budget: 0, ..Reader::new(self.all, self.options) }
    }

    /// How many elements to reserve for a count that was checked against what is left.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize) -> usize {
        // Lists in lists may all claim what is left of the input; together they get it once.
        let granted = count.min(self.budget);
        self.budget = self.budget.saturating_sub(granted);
        granted
    }

    #[cold]
    #[inline(never)]
    fn eof(&self, what: &str, need: usize) -> Error {
        let (need, left) = (Count(need, "byte"), self.rest.len());
        Error::at(
            ErrorKind::UnexpectedEof,
            self.offset(),
            format!("expected {need} of {what}, found {left}"),
        )
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    #[inline]
    fn byte(&mut self, what: &str) -> Result<u8> {
        match self.rest.split_first() {
            Some((byte, rest)) => {
                self.rest = rest;
                Ok(*byte)
            }
            None => Err(self.eof(what, 1)),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.eof(what, N)),
        }
    }

    #[inline]
    pub(crate) fn advance(&mut self, len: usize, what: &str) -> Result<()> {
        match self.rest.get(len..) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.eof(what, len)),
        }
    }

    /// A signed integer. Most have one byte, which is the number itself: its first two bits are the
    /// same, so adding 0x40 to it leaves the top bit clear.
    #[inline]
    pub(crate) fn int(&mut self) -> Result<i64> {
        if let Some((first, rest)) = self.rest.split_first()
            && first.wrapping_add(0x40) < 0x80
        {
            self.rest = rest;
            return Ok(i64::from(first.cast_signed()));
        }
        self.long_int()
    }

    /// A signed integer that is not likely to have one byte. Out of line, so that the usual way is small
    /// enough to be inlined.
    #[inline(never)]
    pub(crate) fn long_int(&mut self) -> Result<i64> {
        if let Some(chunk) = self.rest.first_chunk::<9>() {
            let (value, len) = decode_int(*chunk);
            self.rest = part(self.rest, len..);
            return Ok(value);
        }
        self.last_int()
    }

    /// The same where the input has less than nine bytes left.
    #[cold]
    fn last_int(&mut self) -> Result<i64> {
        // Zeros in place of what is missing: then the length says that bytes are missing.
        let mut chunk = [0; 9];
        for (to, from) in chunk.iter_mut().zip(self.rest) {
            *to = *from;
        }
        let (value, len) = decode_int(chunk);
        self.advance(if self.rest.is_empty() { 1 } else { len }, "an integer")?;
        Ok(value)
    }

    #[inline]
    pub(crate) fn skip_int(&mut self) -> Result<()> {
        // Zeros in place of what is missing, as when it is read.
        let mut bytes = self.rest.iter();
        let first = bytes.next().copied().unwrap_or_default();
        if first.wrapping_add(0x40) < 0x80 && !self.rest.is_empty() {
            return self.advance(1, "an integer");
        }
        let len = int_len(first, bytes.next().copied().unwrap_or_default());
        self.advance(len, "an integer")
    }

    /// Skips integers, and counts them down. After an error `left` does not count the one that
    /// is wrong.
    pub(crate) fn skip_ints(&mut self, left: &mut usize) -> Result<()> {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        while let Some(after) = left.checked_sub(1) {
            // Eight at once where all of them have one byte: then its first two bits are the same,
            // so that the word and the same one bit further agree in the top bit of every byte.
            if let Some(rest) = left.checked_sub(8)
                && let Some(chunk) = self.rest.first_chunk::<8>()
            {
                let word = u64::from_le_bytes(*chunk);
                if (word ^ word.wrapping_shl(1)) & HIGH == 0 {
                    self.advance(8, "integers")?;
                    *left = rest;
                    continue;
                }
            }
            *left = after;
            self.skip_int()?;
        }
        Ok(())
    }

    /// An unsigned integer of 32 bits. The reference reads first bytes from `f1` on as well, and
    /// skips them otherwise than it reads them; nothing writes them.
    #[inline]
    pub(crate) fn uint(&mut self, what: &'static str) -> Result<u32> {
        match self.rest.split_first() {
            Some((first @ 0..0x80, rest)) => {
                self.rest = rest;
                Ok(u32::from(*first))
            }
            _ => self.long_uint(what),
        }
    }

    #[allow(clippy::arithmetic_side_effects, reason = "constants below 32 and 4")]
    fn long_uint(&mut self, what: &'static str) -> Result<u32> {
        // Where nothing is left, one byte of it is missing.
        let first = self.peek().unwrap_or_default();
        let more = match first {
            0..0xf0 => first.leading_ones(),
            0xf0 => 4,
            _ => {
                return Err(Error::at(
                    ErrorKind::InvalidVarint,
                    self.offset(),
                    format!("expected {what} of 32 bits, found the first byte {first:#04x}"),
                ));
            }
        };
        let len = more as usize + 1;
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.eof(what, len));
        };
        self.rest = rest;
        // Of five bytes the first one, which is all prefix, goes out at the top.
        let word = bytes.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        // Else the prefix takes one bit of each byte.
        Ok(if first == 0xf0 { word } else { word & ((1 << (7 * (more + 1))) - 1) })
    }

    /// An unsigned integer of 64 bits, the extension of some implementations.
    #[allow(clippy::arithmetic_side_effects, reason = "constants below 64 and 9")]
    pub(crate) fn ulong(&mut self) -> Result<u64> {
        let more = self.peek().unwrap_or_default().leading_ones();
        let len = more as usize + 1;
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.eof("an unsigned integer", len));
        };
        self.rest = rest;
        let word = bytes.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        Ok(if more >= 8 { word } else { word & ((1 << (7 * (more + 1))) - 1) })
    }

    /// Four bytes of a frame's header.
    pub(crate) fn u32_le(&mut self) -> Option<u32> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    #[inline]
    pub(crate) fn f32(&mut self) -> Result<f32> {
        self.array::<4>("a float").map(f32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn f64(&mut self) -> Result<f64> {
        self.array::<8>("a double").map(f64::from_le_bytes)
    }

    /// The components of a vector of floats.
    pub(crate) fn floats<const N: usize>(&mut self, kind: Kind) -> Result<[f32; N]> {
        let mut floats = [0.0; N];
        let len = N.saturating_mul(4);
        match self.rest.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest = rest;
                fill(&mut floats, bytes);
                Ok(floats)
            }
            None => Err(self.eof(kind.article(), len)),
        }
    }

    /// A length, and that number of bytes.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Result<&'de [u8]> {
        let at = self.offset();
        let len = self.uint("a length")?;
        self.sized(len, at)
    }

    /// Bytes whose length was read; it stands at `at`.
    #[inline]
    pub(crate) fn sized(&mut self, len: u32, at: usize) -> Result<&'de [u8]> {
        match self.rest.split_at_checked(len as usize) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => {
                self.too_long(at, u64::from(len), "byte")?;
                Ok(std::mem::take(&mut self.rest))
            }
        }
    }

    /// An error, or nothing if reading continues with what there is.
    #[cold]
    #[inline(never)]
    fn too_long(&mut self, at: usize, count: u64, what: &'static str) -> Result<()> {
        let (count, left) = (Count(count, what), Count(self.rest.len(), "byte"));
        let are = if left.0 == 1 { "is" } else { "are" };
        let text = match what {
            "byte" => format!("expected {count}, found {left} left in the input"),
            _ => format!("a count of {count}, but {left} {are} left"),
        };
        let error = Error::at(ErrorKind::UnexpectedEof, at, text);
        if !self.keep_going {
            return Err(error);
        }
        self.claim.get_or_insert(error);
        Ok(())
    }

    /// Text; `at` is where its length stands.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Cow<'de, str>> {
        let bytes = self.bytes()?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) if self.options.lossy_text => Ok(Cow::Owned(lossy(bytes))),
            Err(error) => {
                let at = self.offset().saturating_sub(bytes.len());
                Err(Error::invalid_utf8(bytes, at, error))
            }
        }
    }

    /// The next tag of a layer whose last id was `last`. Every field goes through here, in the grammar
    /// and in typed reading, and the compiler alone takes it into one of them only.
    #[inline(always)]
    pub(crate) fn tag(&mut self, last: u32) -> Result<Tag> {
        let at = self.offset();
        let byte = self.byte("a tag")?;
        let step = match byte >> 4 {
            0 => match byte {
                write::END => return Ok(Tag::End),
                write::BASE => return Ok(Tag::Base),
                _ => return Err(reserved_tag(byte, at)),
            },
            // Too large a sum is above `MAX_ID` as well.
            15 => self.uint("a step of ids")?.saturating_add(15),
            step => u32::from(step),
        };
        let id = last.saturating_add(step);
        match Kind::from_number(byte & 0xf) {
            Some(kind) if id <= MAX_ID => Ok(Tag::Field(id, kind)),
            Some(_) => Err(id_range(id, at)),
            None => Err(unknown_type(byte & 0xf, at)),
        }
    }

    /// Takes the next tag if it is that of a field and has one byte; returns the field's id, which is
    /// after `last`, and its wire type.
    #[inline(always)]
    pub(crate) fn short_tag(&mut self, last: u32) -> Option<(u32, Kind)> {
        let (byte, rest) = self.rest.split_first()?;
        let id = last.wrapping_add(u32::from(byte >> 4));
        // The step 0 is none: it ends the bean, or is an error; 15 has more bytes.
        if !(0x10..0xf0).contains(byte) || id > MAX_ID {
            return None;
        }
        let kind = Kind::from_number(byte & 0xf)?;
        self.rest = rest;
        Some((id, kind))
    }

    /// Takes the end of a bean, if it is next.
    #[inline]
    pub(crate) fn end_of_bean(&mut self) -> bool {
        match self.rest.split_first() {
            Some((&write::END, rest)) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The header of a list, whose elements the input can hold.
    #[inline]
    pub(crate) fn list_head(&mut self) -> Result<ListHead> {
        let at = self.offset();
        let byte = self.byte("a list's header")?;
        let count = match byte >> 4 {
            15 => u64::from(self.uint("a list's count")?).saturating_add(15),
            count => u64::from(count),
        };
        let kind = known(byte & 0xf, count, at)?;
        #[cfg(feature = "explain")]
        let claimed = count;
        let count = self.check_count(count, kind.smallest(), at, "element")?;
        Ok(ListHead {
            count,
            #[cfg(feature = "explain")]
            claimed,
            number: byte & 0xf,
            kind,
        })
    }

    /// The header of a map, whose entries the input can hold.
    #[inline]
    pub(crate) fn map_head(&mut self) -> Result<MapHead> {
        let at = self.offset();
        let byte = self.byte("a map's header")?;
        let count = u64::from(self.uint("a map's count")?);
        let kinds = (known(byte >> 4, count, at)?, known(byte & 0xf, count, at)?);
        let smallest = kinds.0.smallest().saturating_add(kinds.1.smallest());
        let count = self.check_count(count, smallest, at, "entry")?;
        Ok(MapHead { count, numbers: (byte >> 4, byte & 0xf), kinds })
    }

    #[inline]
    fn check_count(
        &mut self,
        count: u64,
        size: usize,
        at: usize,
        what: &'static str,
    ) -> Result<usize> {
        // Every element has a byte at least, so a count that passes is a bound for loops and memory.
        let fits = usize::try_from(count).unwrap_or(usize::MAX);
        if fits.saturating_mul(size) > self.rest.len() {
            self.too_long(at, count, what)?;
        }
        Ok(fits)
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::TrailingBytes,
            self.offset(),
            format!("expected the end of the input, found {}", Count(self.rest.len(), "byte")),
        ))
    }
}

fn known(number: u8, count: u64, at: usize) -> Result<Kind> {
    match Kind::from_number(number) {
        Some(kind) => Ok(kind),
        None if count == 0 => Ok(Kind::Int),
        None => Err(unknown_type(number, at)),
    }
}

#[cold]
pub(crate) fn unknown_type(number: u8, at: usize) -> Error {
    Error::at(
        ErrorKind::UnknownType,
        at,
        format!("expected a wire type of 0 to 12, found {number}"),
    )
}

#[cold]
fn reserved_tag(byte: u8, at: usize) -> Error {
    Error::at(ErrorKind::ReservedTag, at, format!("expected a tag, found the reserved {byte:#04x}"))
}

#[cold]
fn id_range(id: u32, at: usize) -> Error {
    Error::at(
        ErrorKind::InvalidId,
        at,
        format!("expected a field id of at most {MAX_ID}, found {id}"),
    )
}

/// A vector of any width; components that were not there are 0.
#[derive(Clone, Copy, Default)]
pub(crate) struct Vector {
    ints: [i64; 3],
    floats: [f32; 4],
    is_int: bool,
}

impl Vector {
    /// A vector, or a number as the first component of one.
    #[inline]
    pub(crate) fn read(reader: &mut Reader<'_>, kind: Kind) -> Result<Vector> {
        let mut vector = Vector { is_int: kind == Kind::Int || kind.has_ints(), ..Self::default() };
        match kind {
            Kind::Int => vector.ints = [reader.int()?, 0, 0],
            Kind::Vector2Int | Kind::Vector3Int => {
                for component in vector.ints.iter_mut().take(kind.components()) {
                    *component = i64::from(low_i32(reader.int()?));
                }
            }
            Kind::Float => fill(&mut vector.floats, &reader.array::<4>(kind.article())?),
            Kind::Double => vector.floats = [narrow(reader.f64()?), 0.0, 0.0, 0.0],
            Kind::Vector2 => fill(&mut vector.floats, &reader.array::<8>(kind.article())?),
            Kind::Vector3 => fill(&mut vector.floats, &reader.array::<12>(kind.article())?),
            _ => fill(&mut vector.floats, &reader.array::<16>(kind.article())?),
        }
        Ok(vector)
    }

    #[inline]
    pub(crate) fn float(&self, index: usize) -> f32 {
        if self.is_int {
            return int_to_float(self.ints.get(index).copied().unwrap_or_default());
        }
        self.floats.get(index).copied().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn int(&self, index: usize) -> i32 {
        if self.is_int {
            return low_i32(self.ints.get(index).copied().unwrap_or_default());
        }
        float_to_int(f64::from(self.floats.get(index).copied().unwrap_or_default()))
    }
}

#[inline]
fn fill(floats: &mut [f32], bytes: &[u8]) {
    for (float, bytes) in floats.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *float = f32::from_le_bytes(*bytes);
    }
}

/// Text with U+FFFD in place of what is not UTF-8: as Java has it, so that half a surrogate pair in
/// three bytes is one of them.
#[cold]
fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(end) => {
                text.push_str(end);
                return text;
            }
            Err(error) => error,
        };
        let (valid, after) = rest.split_at_checked(error.valid_up_to()).unwrap_or((rest, &[]));
        text.push_str(std::str::from_utf8(valid).unwrap_or_default());
        text.push(char::REPLACEMENT_CHARACTER);
        let wrong = match after {
            // Half a surrogate pair, which Rust takes for three wrong bytes.
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            _ => error.error_len().unwrap_or(after.len()),
        };
        rest = part(after, wrong..);
    }
}

/// Drains a reader, at most `max` bytes.
pub(crate) fn read_to_end<R: io::Read>(reader: R, max: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = (max as u64).saturating_add(1);
    io::Read::read_to_end(&mut reader.take(limit), &mut bytes).map_err(Error::io)?;
    if bytes.len() > max {
        return Err(Error::at(
            ErrorKind::AllocLimit,
            max,
            format!("the input is longer than max_alloc, which is {max} bytes"),
        ));
    }
    Ok(bytes)
}
