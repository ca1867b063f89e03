//! The only code that touches input bytes. Little-endian, in units of four bytes; spec §2 to §6.

use std::borrow::Cow;
use std::io;

use crate::error::{Count, Error, ErrorKind, Result};
use crate::options::{Dialect, Options, Precision};
use crate::types::{ElementType, GString, NodePath, Type, WireElement};

/// Bits 16 to 31 of a header.
pub(crate) const FLAG_64: u32 = 1;
pub(crate) const FLAG_OBJECT_AS_ID: u32 = 1;

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

/// A cursor over the input. Never moves back, never past the end.
pub(crate) struct Reader<'de> {
    all: &'de [u8],
    rest: &'de [u8],
    /// Bytes of padding that the last `PackedByteArray` lacks at the very end of the input.
    missing_padding: usize,
    /// Elements that may still be reserved ahead: honest counts never use it up, and counts that
    /// lie cannot claim more than the input could hold, however often they lie.
    budget: usize,
    pub(crate) options: Options,
}

impl<'de> Reader<'de> {
    #[inline]
    pub(crate) fn new(bytes: &'de [u8], options: Options) -> Self {
        Reader { all: bytes, rest: bytes, missing_padding: 0, budget: bytes.len() / 4, options }
    }

    /// Offset of the next byte.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
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
        self.all.get(start..self.offset()).unwrap_or_default()
    }

    /// A second cursor that starts at `at`, to look again at what was read.
    pub(crate) fn again(&self, at: usize) -> Reader<'de> {
        let rest = self.all.get(at..).unwrap_or_default();
        Reader { rest, budget: self.budget, ..Reader::new(self.all, self.options.clone()) }
    }

    /// Goes back to read something a second time.
    pub(crate) fn rewind(&mut self, at: usize) {
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
        Error::at(
            ErrorKind::UnknownType,
            at,
            format!("expected one of the types 0 to {last} of {dialect}, found type {id}"),
        )
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
                !crate::write::fits_f32(value),
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
    #[inline(always)]
    pub(crate) fn short_text(&mut self) -> Option<(u8, [u64; 3])> {
        let (head, rest) = self.rest.split_first_chunk::<8>()?;
        let head = u64::from_le_bytes(*head);
        let len = u8::try_from(head.wrapping_sub(4) >> 32).ok()?;
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
    pub(crate) fn plain_text(&mut self) -> Option<GString> {
        if self.peek_u32() != Some(4) {
            return None;
        }
        let whole = self.rest;
        self.rest = whole.get(4..)?;
        let text = self.plain_string();
        if text.is_none() {
            self.rest = whole;
        }
        text.map(GString::new)
    }

    /// Moves over the `String` whose text is `name`, if that is what comes next.
    #[inline]
    pub(crate) fn take_key(&mut self, name: &str) -> bool {
        let Some((head, rest)) = self.rest.split_first_chunk::<8>() else { return false };
        if u64::from_le_bytes(*head) != (4 | (name.len() as u64) << 32) {
            return false;
        }
        let padded = name.len().next_multiple_of(4);
        match rest.split_at_checked(padded) {
            Some((text, rest)) if text.starts_with(name.as_bytes()) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Length word, UTF-8, padding to 4. A negative or too long length is its own error kind.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>> {
        let (bytes, at) = self.string_bytes()?;
        self.text(bytes, at)
    }

    /// The bytes of a string and where they start.
    #[inline]
    pub(crate) fn string_bytes(&mut self) -> Result<(&'de [u8], usize)> {
        let at = self.offset();
        let claimed = self.u32("a string's length")?;
        let len = usize::try_from(claimed).unwrap_or(usize::MAX);
        let padded = len.checked_next_multiple_of(4).unwrap_or(usize::MAX);
        if padded > self.rest.len() || padded > 0x7fff_ffff {
            return Err(self.string_length(at, claimed, len));
        }
        let (all, rest) = self.rest.split_at(padded);
        let (bytes, padding) = all.split_at(len);
        self.rest = rest;
        if self.strict() && padding.iter().any(|&byte| byte != 0) {
            let at = at.saturating_add(4).saturating_add(len);
            return Err(self.not_canonical(at, "padding is not 0"));
        }
        Ok((bytes, at.saturating_add(4)))
    }

    #[cold]
    #[inline(never)]
    fn string_length(&self, at: usize, claimed: u32, len: usize) -> Error {
        let message = if claimed > 0x7fff_ffff {
            format!(
                "expected a string's length, found the negative number {}",
                claimed.cast_signed()
            )
        } else {
            let have = self.rest.len();
            format!(
                "expected a string of {} and its padding, found {}",
                Count(len, "byte"),
                Count(have, "byte")
            )
        };
        Error::at(ErrorKind::StringLength, at, message)
    }

    /// Engines strip a leading byte order mark and stop at the first NUL.
    #[inline]
    pub(crate) fn text(&self, bytes: &'de [u8], at: usize) -> Result<Cow<'de, str>> {
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
        if self.literal_text() {
            return Ok(bytes);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        self.canonical(text.len() == bytes.len(), at, "text starts with a byte order mark")?;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        self.canonical(end == text.len(), at, "text contains NUL")?;
        Ok(text.get(..end).unwrap_or(text))
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

    /// The components of a math type, as they are on the wire.
    #[inline]
    pub(crate) fn components<T: WireElement, const N: usize>(
        &mut self,
        kind: Type,
    ) -> Result<[T; N]> {
        let bytes = self.take(N.saturating_mul(T::SIZE), kind.name())?;
        let mut parts = bytes.chunks_exact(T::SIZE);
        Ok(std::array::from_fn(|_| parts.next().and_then(T::read_one).unwrap_or_default()))
    }

    /// A count of elements. Bit 31 ("shared") was last written by Godot 2 and is ignored.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<usize> {
        let at = self.offset();
        let word = self.u32("a count of elements")?;
        self.canonical(word & 0x8000_0000 == 0, at, "the count's `shared` bit is set")?;
        Ok(usize::try_from(word & 0x7fff_ffff).unwrap_or(usize::MAX))
    }

    /// The elements of a packed array of fixed-size elements, without padding.
    pub(crate) fn packed(&mut self, size: usize) -> Result<&'de [u8]> {
        let at = self.offset();
        let claimed = self.u32("a packed array's count")?;
        let len = usize::try_from(claimed)
            .ok()
            .filter(|_| claimed <= 0x7fff_ffff)
            .and_then(|count| count.checked_mul(size))
            .filter(|&len| len <= 0x7fff_ffff && len <= self.rest.len());
        let Some(len) = len else {
            let have = self.rest.len();
            return Err(Error::at(
                ErrorKind::LengthLimit,
                at,
                if claimed > 0x7fff_ffff {
                    format!(
                        "expected a packed array's count, found the negative number {}",
                        claimed.cast_signed()
                    )
                } else {
                    format!(
                        "expected {} of {}, found {}",
                        Count(usize::try_from(claimed).unwrap_or(usize::MAX), "element"),
                        Count(size, "byte"),
                        Count(have, "byte")
                    )
                },
            ));
        };
        let (elements, rest) = self.rest.split_at(len);
        self.rest = rest;
        Ok(elements)
    }

    /// Like [`packed`](Self::packed) for bytes, whose padding may be missing at the very end.
    pub(crate) fn packed_bytes(&mut self) -> Result<&'de [u8]> {
        let bytes = self.packed(1)?;
        let padding = bytes.len().next_multiple_of(4).saturating_sub(bytes.len());
        match self.rest.split_at_checked(padding) {
            Some((zeros, rest)) => {
                let clean = zeros.iter().all(|&byte| byte == 0);
                self.canonical(clean, self.offset(), "padding is not 0")?;
                self.rest = rest;
            }
            None => {
                self.canonical(false, self.offset(), "padding is missing")?;
                self.missing_padding = padding.saturating_sub(self.rest.len());
                self.rest = &[];
            }
        }
        Ok(bytes)
    }

    /// Count of a `PackedStringArray`; a negative count is an empty array to the engine.
    pub(crate) fn string_count(&mut self) -> Result<usize> {
        let at = self.offset();
        let count = self.u32("a packed array's count")?;
        let negative = count > 0x7fff_ffff;
        self.canonical(!negative, at, "the count is negative")?;
        Ok(if negative { 0 } else { usize::try_from(count).unwrap_or(usize::MAX) })
    }

    /// One entry of a `PackedStringArray`. Engines end it with NUL and count that in the length.
    pub(crate) fn packed_string(&mut self) -> Result<Cow<'de, str>> {
        let (bytes, at) = self.string_bytes()?;
        if self.strict() && self.dialect() != Dialect::Docs {
            return match bytes.split_last() {
                Some((0, text)) => self.text(text, at),
                _ => Err(self.not_canonical(at, "a packed string does not end with NUL")),
            };
        }
        self.text(bytes, at)
    }

    pub(crate) fn packed_strings(&mut self) -> Result<Vec<GString>> {
        let count = self.string_count()?;
        let mut strings = Vec::with_capacity(self.reserve(count, 4));
        for index in 0..count {
            let text = self.packed_string().map_err(|error| error.in_index(index))?;
            strings.push(GString::from(text));
        }
        Ok(strings)
    }

    /// spec §3, NodePath. The form without bit 31 is the published page's "old form".
    pub(crate) fn node_path(&mut self) -> Result<NodePath> {
        let at = self.offset();
        let names = match self.peek_u32() {
            Some(word) if word & 0x8000_0000 == 0 => {
                if self.dialect() == Dialect::Docs {
                    self.canonical(false, at, "a NodePath is sent as one string")?;
                    return Ok(NodePath::new(&self.string()?));
                }
                return Err(Error::at(
                    ErrorKind::OldNodePath,
                    at,
                    "expected a NodePath by names, found the form of one string",
                ));
            }
            Some(word) => word & 0x7fff_ffff,
            None => return Err(self.eof("a NodePath", 12)),
        };
        let head = self.array::<12>("a NodePath")?;
        let [_, _, _, _, s0, s1, s2, s3, f0, f1, f2, f3] = head;
        let mut subnames = u32::from_le_bytes([s0, s1, s2, s3]);
        let flags = u32::from_le_bytes([f0, f1, f2, f3]);
        self.canonical(flags <= 1, at, "a NodePath flag without meaning is set")?;
        // An obsolete form had one more name, the property.
        if flags & 2 != 0 && self.dialect() != Dialect::Docs {
            subnames = subnames.wrapping_add(1);
        }
        // The engine adds the two counts modulo 2^32.
        let total = names.wrapping_add(subnames);
        self.canonical(names.checked_add(subnames).is_some(), at, "a NodePath's counts overflow")?;
        let mut path = NodePath { absolute: flags & 1 != 0, ..NodePath::default() };
        for index in 0..total {
            let name = GString::from(self.string()?);
            if index < names { path.names.push(name) } else { path.subnames.push(name) }
        }
        Ok(path)
    }

    /// The type word, class name or script path before a typed container's count; spec §3.
    pub(crate) fn element_type(&mut self, kind: u32) -> Result<ElementType> {
        let at = self.offset();
        let as_id = || ElementType::Class(GString::new(ElementType::ENCODED_OBJECT_AS_ID));
        let allowed = self.options.allow_objects;
        let class = match kind & 3 {
            0 => return Ok(ElementType::Any),
            1 => {
                let id = self.u32("an element type")?;
                let Some(builtin) = Type::from_id(id, self.dialect()) else {
                    return Err(Error::at(
                        ErrorKind::InvalidElementType,
                        at,
                        format!("expected the type id of the elements, found {id}"),
                    ));
                };
                self.canonical(builtin != Type::Nil, at, "elements are typed as nil")?;
                self.canonical(
                    builtin != Type::Object || allowed,
                    at,
                    "a container of objects names no class",
                )?;
                return Ok(match builtin {
                    Type::Nil => ElementType::Any,
                    Type::Object if !allowed => as_id(),
                    builtin => ElementType::Builtin(builtin),
                });
            }
            2 => {
                let class = self.string()?;
                self.canonical(!class.is_empty(), at, "a class name is empty")?;
                if allowed && class.is_empty() {
                    return Ok(ElementType::Builtin(Type::Object));
                }
                class
            }
            _ => {
                let path = self.string()?;
                if allowed {
                    self.check_script(&path, at)?;
                    return Ok(ElementType::Script(path.into()));
                }
                self.canonical(false, at, "a container names a script")?;
                path
            }
        };
        if allowed {
            return Ok(ElementType::Class(class.into()));
        }
        let same = class == ElementType::ENCODED_OBJECT_AS_ID;
        self.canonical(same, at, "a container of objects names their class")?;
        Ok(as_id())
    }

    /// A script is named by a `res://` path and must load.
    pub(crate) fn check_script(&self, path: &str, at: usize) -> Result<()> {
        let known = self.options.classes.as_ref().is_none_or(|classes| classes.script_exists(path));
        if (path.starts_with("res://") && known) || self.options.in_memory {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::InvalidScript,
            at,
            format!(
                "expected the res:// path of a script that can be loaded, found \"{}\"",
                crate::error::Shortened(path)
            ),
        ))
    }

    /// What follows the header of an object; spec §4.
    pub(crate) fn object_head(&mut self, header: &Header) -> Result<ObjectHead<'de>> {
        let docs = self.dialect() == Dialect::Docs;
        let whole = self.options.allow_objects;
        if self.by_id(header) {
            let id = match docs {
                true => self.docs_object_id(header.at)?,
                false => self.u64("an object's id")?,
            };
            self.canonical(id != 0 || docs, header.at, "a null object is not sent as nil")?;
            self.canonical(!whole, header.at, "an object is sent as its id, not as a whole")?;
            return Ok(if id == 0 { ObjectHead::Null } else { ObjectHead::Id(id) });
        }
        self.check_objects_allowed(header.at)?;
        let at = self.offset();
        let class = self.string()?;
        if class.is_empty() {
            self.canonical(docs, header.at, "a null object is not sent as nil")?;
            return Ok(ObjectHead::Null);
        }
        self.check_class(&class, at)?;
        Ok(ObjectHead::Class(class))
    }

    /// Refused before anything else of the object is looked at.
    fn check_objects_allowed(&self, at: usize) -> Result<()> {
        if self.options.allow_objects {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::ObjectsNotAllowed,
            at,
            "expected no whole object, as Options::allow_objects is off, found one",
        ))
    }

    fn check_class(&self, class: &str, at: usize) -> Result<()> {
        match &self.options.classes {
            Some(classes) if !classes.can_instantiate(class) => Err(Error::at(
                if self.dialect() == Dialect::Godot3 {
                    ErrorKind::ClassUnavailable
                } else {
                    ErrorKind::UnknownClass
                },
                at,
                format!(
                    "expected a class that can be instantiated, found \"{}\"",
                    crate::error::Shortened(class)
                ),
            )),
            _ => Ok(()),
        }
    }

    /// The count of an object's properties; negative is none.
    pub(crate) fn property_count(&mut self) -> Result<usize> {
        let at = self.offset();
        let count = self.u32("a count of properties")?;
        self.canonical(count <= 0x7fff_ffff, at, "the count is negative")?;
        Ok(usize::try_from(count.cast_signed()).unwrap_or(0))
    }

    /// An object's id, or `None` where the published page's 4-byte null stands.
    fn docs_object_id(&mut self, at: usize) -> Result<u64> {
        if self.rest.len() < 8 && self.peek_u32() == Some(0) {
            self.u32("a null object")?;
            return Ok(0);
        }
        let id = self.u64("an object's id")?;
        // Inside a container nothing but 8 bytes can be told from an id.
        self.canonical(id != 0 || at != 0, at, "a null object is sent with 8 bytes")?;
        Ok(id)
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
#[inline(always)]
fn ends_early(text: &[u8], padded: &[u8]) -> bool {
    const SHORT: usize = 32;
    if text.first() == Some(&0xef) {
        return true;
    }
    if text.len() > SHORT {
        return text.contains(&0);
    }
    // Four bytes at a time; the padding of the last word does not count.
    let (words, _) = padded.as_chunks::<4>();
    let Some((last, words)) = words.split_last() else { return false };
    let padding = [0_u32, 0xffff_ff00, 0xffff_0000, 0xff00_0000];
    let unused = padding.get(text.len() & 3).copied().unwrap_or(0);
    let has_zero = |word: u32| word.wrapping_sub(0x0101_0101) & !word & 0x8080_8080 != 0;
    words.iter().any(|word| has_zero(u32::from_le_bytes(*word)))
        || has_zero(u32::from_le_bytes(*last) | unused)
}

/// Drains a reader in small steps; at most `limit` bytes.
pub(crate) fn read_to_end<R: io::Read>(reader: R, limit: usize) -> Result<Vec<u8>> {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
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
