//! The only code that touches the bytes of BSON. Little-endian, no alignment.
//!
//! ```text
//! document   int32 length of the whole | elements | 00
//! element    type byte | key, ended by 00 | payload by type
//! ```

use std::io;

use crate::container::header;
use crate::error::{Count, Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::text::Utf8;

/// A cursor over the elements of the innermost open document.
///
/// `rest` ends where that document does, so no read can leave it, and one comparison with the
/// length of `rest` is all the checking that a value needs. What is after the document is kept by
/// the caller, as an `Outer`.
#[derive(Clone)]
pub struct Reader<'b> {
    /// Elements of the open document that were not read, without the 00 that ends it; at first the
    /// whole input.
    rest: &'b [u8],
    /// Bytes of the input after `rest`: at least the 00 of the open document. 0 while none is open,
    /// or where the open one is cut.
    after: usize,
    total: usize,
    /// Where the innermost document that is cut would end.
    cut_end: usize,
    /// Containers and, in serde, levels of Rust types that are open.
    pub(crate) depth: usize,
    /// Elements that may still be reserved ahead in vectors of Rust types.
    budget: usize,
    /// Bytes of memory that values may still take.
    pub(crate) memory: usize,
    pub(crate) options: Options,
}

/// The bytes after a document that was opened, to continue with when it is closed.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'b> {
    rest: &'b [u8],
    after: usize,
}

impl<'b> Reader<'b> {
    /// Reads bytes within the limits of the options.
    #[inline]
    pub fn new(bytes: &'b [u8], options: Options) -> Self {
        Reader {
            rest: bytes,
            after: 0,
            total: bytes.len(),
            cut_end: usize::MAX,
            depth: 0,
            budget: bytes.len() / 8,
            // Text is copied at most once.
            memory: options.limits.memory(bytes.len()).saturating_sub(bytes.len()),
            options,
        }
    }

    /// Offset of the next byte.
    #[inline]
    pub fn offset(&self) -> usize {
        debug_assert!(
            self.total.checked_sub(self.after).is_some_and(|end| self.rest.len() <= end),
            "more is left than there was"
        );
        self.total.saturating_sub(self.after).saturating_sub(self.rest.len())
    }

    /// Takes memory for what is built.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<()> {
        let left = self.memory.checked_sub(bytes);
        self.memory = left.ok_or_else(|| Error::memory("what is read").or_at(self.offset()))?;
        Ok(())
    }

    /// The same for what is put into a vector or map that grows as it needs to.
    #[inline]
    pub fn charge_grown(&mut self, bytes: usize) -> Result<()> {
        self.charge(bytes.saturating_mul(2))
    }

    /// The bytes of the open document that were not read; of the input while none is open.
    #[inline]
    pub fn rest(&self) -> &'b [u8] {
        self.rest
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Goes into the document that starts here.
    ///
    /// One pattern checks that the length is that of its parts and that 00 is its last byte; what
    /// of it is wrong, `document_length` finds out.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<Outer<'b>> {
        let Some((head, _)) = self.rest.split_first_chunk::<4>() else {
            return Err(self.eof("a document's length", 4));
        };
        let claimed = i32::from_le_bytes(*head);
        let len = usize::try_from(claimed).unwrap_or(0);
        let body = self.rest.split_at_checked(len).filter(|_| len >= 5);
        // From here on `elements` is all there is: its end is the only end that reads ask for.
        let Some(([_, _, _, _, elements @ .., 0], after)) = body else {
            return Err(self.document_length(claimed));
        };
        let outer = Outer { rest: after, after: self.after };
        self.after = self.after.saturating_add(after.len()).saturating_add(1);
        self.rest = elements;
        Ok(outer)
    }

    #[cold]
    #[inline(never)]
    fn document_length(&self, claimed: i32) -> Error {
        let have = self.rest.len();
        let len = usize::try_from(claimed).unwrap_or(0);
        let (kind, at, message) = if self.offset() == 0 && self.rest.starts_with(b"FrDT") {
            let message = "expected a document, found a packed file (FrDT), which `from_slice` and \
                           `open` unpack";
            (ErrorKind::DocumentLength, 0, message.to_owned())
        } else if len < 5 {
            let message = format!("expected a document's length of at least 5, found {claimed}");
            (ErrorKind::DocumentLength, self.offset(), message)
        } else if len > have {
            // A root that is cut off is not wrong, only short.
            let kind = match self.after {
                0 => ErrorKind::UnexpectedEof,
                _ => ErrorKind::DocumentLength,
            };
            let message = format!("expected a document of {}, found {have}", Count(len, "byte"));
            (kind, self.offset(), message)
        } else {
            let last = len.saturating_sub(1);
            let found = self.rest.get(last).copied().unwrap_or_default();
            let message = format!("expected the 0 that ends a document, found {found:#04x}");
            (ErrorKind::DocumentLength, self.offset().saturating_add(last), message)
        };
        Error::at(kind, at, message)
    }

    /// Goes into a document that [`open`](Self::open) refused, as if the rest of the input was in
    /// it: for documents that are cut off at the end of the input, with all that is around them.
    #[cold]
    pub(crate) fn open_cut(&mut self) -> Option<Outer<'b>> {
        let (head, elements) = self.rest.split_first_chunk::<4>()?;
        let len = usize::try_from(i32::from_le_bytes(*head)).unwrap_or(0);
        let end = self.offset().saturating_add(len);
        if self.after > 0 || end > self.cut_end {
            return None;
        }
        self.cut_end = end;
        self.rest = elements;
        Some(Outer { rest: &[], after: 0 })
    }

    /// Goes to the only value of a document that was written for it, and returns its type.
    pub(crate) fn open_only(&mut self) -> Result<Kind> {
        self.open()?;
        let kind = self.kind()?;
        debug_assert!(kind.is_some(), "the document was written with an element");
        self.cstring().map(|_| kind.unwrap_or(Kind::Null))
    }

    /// Whether the open document is one of [`open_cut`](Self::open_cut).
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.after == 0
    }

    /// Where the bytes of a document end that is cut.
    #[cold]
    pub(crate) fn cut(&self) -> Error {
        let more = Count(self.cut_end.saturating_sub(self.total), "byte");
        let message = format!("expected {more} more of a document, found the end");
        Error::at(ErrorKind::UnexpectedEof, self.total, message)
    }

    /// Length of the document at `at` that was opened.
    #[inline]
    pub(crate) fn len_of(&self, outer: Outer<'_>, at: usize) -> usize {
        let end = match self.after {
            0 => self.cut_end,
            _ => self.total.saturating_sub(outer.after).saturating_sub(outer.rest.len()),
        };
        end.saturating_sub(at)
    }

    /// Leaves the open document, all of whose elements were read.
    #[inline]
    pub(crate) fn close(&mut self, outer: Outer<'b>) {
        self.rest = outer.rest;
        self.after = outer.after;
    }

    /// The type byte of the next element; `None` at the end of the document.
    #[inline(always)]
    pub(crate) fn kind(&mut self) -> Result<Option<Kind>> {
        let Some((byte, rest)) = self.rest.split_first() else { return Ok(None) };
        let Some(kind) = Kind::from_byte(*byte) else { return Err(self.unknown_type(*byte)) };
        self.rest = rest;
        Ok(Some(kind))
    }

    #[cold]
    #[inline(never)]
    fn unknown_type(&self, byte: u8) -> Error {
        // No type is 0: the document ends before its length says so.
        if byte == 0 {
            return Error::at(
                ErrorKind::DocumentLength,
                self.offset(),
                format!(
                    "expected {} more of the document, found the 0 that ends it",
                    Count(self.rest.len(), "byte")
                ),
            );
        }
        Error::at(
            ErrorKind::UnknownType,
            self.offset(),
            format!("expected the type of an element, found {byte:#04x}"),
        )
    }

    /// A key, or another text that ends with the first NUL.
    #[inline]
    pub(crate) fn cstring(&mut self) -> Result<&'b str> {
        let Some((bytes, rest)) = split_at_nul(self.rest) else { return Err(self.no_nul()) };
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|error| Error::invalid_utf8(bytes, self.offset(), error))?;
        // Moving on only now leaves the offset of an error at the start of the text.
        self.rest = rest;
        Ok(text)
    }

    /// The same for callers that only copy the bytes.
    #[inline(always)]
    pub(crate) fn key(&mut self) -> Result<Utf8<'b>> {
        let Some((bytes, rest)) = split_at_nul(self.rest) else { return Err(self.no_nul()) };
        let text = Utf8::new(bytes);
        let text = text.map_err(|error| Error::invalid_utf8(bytes, self.offset(), error))?;
        self.rest = rest;
        Ok(text)
    }

    #[cold]
    #[inline(never)]
    fn no_nul(&self) -> Error {
        Error::at(
            ErrorKind::DocumentLength,
            self.offset(),
            format!(
                "expected the 0 that ends a key in the document's last {}, found none",
                Count(self.rest.len(), "byte")
            ),
        )
    }

    /// Moves over the key if it is `name`.
    ///
    /// Saves the search for NUL and the check for UTF-8 where the caller knows what comes; any other
    /// key is left for [`cstring`](Self::cstring).
    #[inline(always)]
    pub(crate) fn take_key(&mut self, name: &str) -> bool {
        match self.rest.split_at_checked(name.len()) {
            Some((head, [0, rest @ ..])) if head == name.as_bytes() => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Skips the key of an array's element, which says nothing, not even that it is UTF-8.
    /// Strict input has the index there.
    #[inline]
    pub(crate) fn index_key(&mut self, index: usize) -> Result<&'b [u8]> {
        let Some((key, rest)) = split_at_nul(self.rest) else { return Err(self.no_nul()) };
        // Formatting the index costs more than reading the element, so only strict input pays.
        if self.options.strict && key != index.to_string().as_bytes() {
            return Err(self.not_canonical(format!("the key of element {index} is not its index")));
        }
        self.rest = rest;
        Ok(key)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn not_canonical(&self, what: impl std::fmt::Display) -> Error {
        let message = format!("not as the engine writes it: {what}");
        Error::at(ErrorKind::NotCanonical, self.offset(), message)
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let Some((head, rest)) = self.rest.split_first_chunk() else {
            return Err(self.eof(what, N));
        };
        self.rest = rest;
        Ok(*head)
    }

    /// The next `len` bytes.
    pub fn take(&mut self, what: &'static str, len: usize) -> Result<&'b [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.eof(what, len));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// A LEB128 number.
    pub fn leb128(&mut self, what: &'static str) -> Result<u64> {
        let read = header::leb128(self.rest);
        let (value, len) = read.map_err(|fault| fault.error(self.offset(), what))?;
        self.take(what, len)?;
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn eof(&self, what: &'static str, need: usize) -> Error {
        // Inside of a document it is the document that is too short, and not the input.
        let kind =
            if self.after == 0 { ErrorKind::UnexpectedEof } else { ErrorKind::DocumentLength };
        let have = self.rest.len();
        let need = Count(need, "byte");
        Error::at(kind, self.offset(), format!("expected {need} of {what}, found {have}"))
    }

    #[inline]
    pub(crate) fn double(&mut self) -> Result<f64> {
        self.array("a double").map(f64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn int32(&mut self) -> Result<i32> {
        self.array("an int32").map(i32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn int64(&mut self) -> Result<i64> {
        self.array("an int64").map(i64::from_le_bytes)
    }

    /// Anything but 0 is true, as to the engine.
    #[inline]
    pub(crate) fn bool(&mut self) -> Result<bool> {
        let Some((byte, rest)) = self.rest.split_first() else { return Err(self.eof("a bool", 1)) };
        if *byte > 1 && self.options.strict {
            return Err(self.not_canonical("a bool is neither 0 nor 1"));
        }
        self.rest = rest;
        Ok(*byte != 0)
    }

    /// A length that counts the NUL, the text, and NUL. May contain NUL.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<&'b str> {
        let (bytes, rest) = self.string_bytes()?;
        let text = std::str::from_utf8(bytes);
        let at = || self.offset().saturating_add(4);
        let text = text.map_err(|error| Error::invalid_utf8(bytes, at(), error))?;
        self.rest = rest;
        Ok(text)
    }

    /// The same for callers that only copy the bytes.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Utf8<'b>> {
        let (bytes, rest) = self.string_bytes()?;
        let at = || self.offset().saturating_add(4);
        let text = Utf8::new(bytes).map_err(|error| Error::invalid_utf8(bytes, at(), error))?;
        self.rest = rest;
        Ok(text)
    }

    /// The bytes of a string, and what comes after it.
    #[inline]
    fn string_bytes(&self) -> Result<(&'b [u8], &'b [u8])> {
        let Some((head, rest)) = self.rest.split_first_chunk::<4>() else {
            return Err(self.eof("a string's length", 4));
        };
        let claimed = i32::from_le_bytes(*head);
        // A negative length becomes 0, for which there is no last byte that could be NUL.
        let len = usize::try_from(claimed).unwrap_or(0);
        match rest.split_at_checked(len) {
            Some(([text @ .., 0], rest)) => Ok((text, rest)),
            _ => Err(self.string_length(claimed)),
        }
    }

    #[cold]
    #[inline(never)]
    fn string_length(&self, claimed: i32) -> Error {
        let have = self.rest.len().saturating_sub(4);
        let at = self.offset();
        let len = usize::try_from(claimed).unwrap_or(0);
        let (at, message) = if len == 0 {
            (at, format!("expected a string's length of at least 1, found {claimed}"))
        } else if len > have {
            (at, format!("expected a string of {}, found {have}", Count(len, "byte")))
        } else {
            let last = len.saturating_add(3);
            let found = self.rest.get(last).copied().unwrap_or_default();
            let at = at.saturating_add(last);
            (at, format!("expected the 0 that ends a string, found {found:#04x}"))
        };
        Error::at(ErrorKind::StringLength, at, message)
    }

    /// Subtype and bytes. The obsolete subtype 2 has a second length, which is checked and left
    /// out.
    pub(crate) fn binary(&mut self) -> Result<(u8, &'b [u8])> {
        let at = self.offset();
        let claimed = i32::from_le_bytes(self.array("the length of binary data")?);
        let Some((subtype, rest)) = self.rest.split_first() else {
            return Err(self.eof("the subtype of binary data", 1));
        };
        let bytes = usize::try_from(claimed).ok().and_then(|len| rest.split_at_checked(len));
        let Some((bytes, rest)) = bytes else {
            return Err(Error::at(
                ErrorKind::StringLength,
                at,
                format!("expected {claimed} bytes of binary data, found {}", rest.len()),
            ));
        };
        self.rest = rest;
        if *subtype != 2 {
            return Ok((*subtype, bytes));
        }
        match bytes.split_first_chunk::<4>() {
            Some((inner, bytes))
                if usize::try_from(i32::from_le_bytes(*inner)) == Ok(bytes.len()) =>
            {
                Ok((2, bytes))
            }
            _ => Err(Error::at(
                ErrorKind::StringLength,
                at.saturating_add(5),
                "the second length of old binary data does not fit the first",
            )),
        }
    }

    /// The payload of a type that no engine writes. Its parts have the lengths that they should have; the
    /// document in code with a scope is not looked at.
    #[cold]
    #[inline(never)]
    pub(crate) fn other(&mut self, kind: Kind) -> Result<&'b [u8]> {
        let whole = self.rest;
        match kind {
            Kind::Code | Kind::Symbol => _ = self.string()?,
            Kind::Regex => _ = self.cstring().and_then(|_| self.cstring())?,
            Kind::ObjectId => _ = self.take("an ObjectId", 12)?,
            Kind::Timestamp => _ = self.take("a timestamp", 8)?,
            Kind::Decimal128 => _ = self.take("a decimal128", 16)?,
            Kind::DbPointer => {
                self.string()?;
                self.take("an ObjectId", 12)?;
            }
            Kind::CodeWithScope => {
                let outer = self.open_code()?;
                self.string()?;
                let scope = self.open()?;
                self.close(scope);
                self.end_of_scope()?;
                self.close(outer);
            }
            _ => {}
        }
        Ok(whole.get(..whole.len().saturating_sub(self.rest.len())).unwrap_or_default())
    }

    /// Goes into code with its scope: the code is next, as a string, and then the scope's document.
    fn open_code(&mut self) -> Result<Outer<'b>> {
        let whole = self.rest;
        let claimed = match whole.first_chunk() {
            Some(head) => i32::from_le_bytes(*head),
            None => return Err(self.eof("the length of code with a scope", 4)),
        };
        let body = usize::try_from(claimed).ok().and_then(|len| whole.split_at_checked(len));
        let Some(([_, _, _, _, body @ ..], after)) = body else {
            let found = whole.len();
            let message = format!("expected {claimed} bytes of code with a scope, found {found}");
            return Err(Error::at(ErrorKind::StringLength, self.offset(), message));
        };
        let outer = Outer { rest: after, after: self.after };
        self.after = self.after.saturating_add(after.len());
        self.rest = body;
        Ok(outer)
    }

    /// Checks that the scope is the last part of its code.
    fn end_of_scope(&self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::StringLength,
            self.offset(),
            format!(
                "expected the end of code with a scope, found {} more",
                Count(self.rest.len(), "byte")
            ),
        ))
    }

    /// Skips the payload of an element by its length, in the same time for a number and for a
    /// megabyte of documents. `false` where the length cannot be, and nothing is passed.
    #[inline]
    pub(crate) fn pass(&mut self, kind: Kind) -> bool {
        match payload_len(kind, self.rest).and_then(|len| self.rest.split_at_checked(len)) {
            Some((_, rest)) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The number of elements in the open document, as far as they can be counted; for reserving.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        let mut rest = self.rest;
        let mut count = 0_usize;
        while let Some((byte, after)) = rest.split_first() {
            let payload = Kind::from_byte(*byte)
                .zip(split_at_nul(after))
                .and_then(|(kind, (_, payload))| payload.get(payload_len(kind, payload)?..));
            // An element that cannot be counted is an error, which reading finds.
            let Some(next) = payload else { return count };
            count = count.saturating_add(1);
            rest = next;
        }
        count
    }

    /// The likely number of elements in the open array: as many as would fit if all were as long as the
    /// first. All such guesses of one input together are at most an eighth of its bytes.
    #[inline]
    pub(crate) fn reserve(&mut self) -> usize {
        let first = self.rest.split_first().and_then(|(byte, rest)| {
            let (_, payload) = split_at_nul(rest)?;
            let len = payload_len(Kind::from_byte(*byte)?, payload)?;
            rest.len().checked_sub(payload.len())?.checked_add(len)?.checked_add(1)
        });
        let likely = first.and_then(|first| self.rest.len().checked_div(first)).unwrap_or(0);
        let granted = likely.min(self.budget);
        self.budget = self.budget.saturating_sub(granted);
        granted
    }

    /// Checks that nothing is left.
    pub fn end(&self) -> Result<()> {
        if self.is_done() { Ok(()) } else { Err(Error::trailing(self.offset(), self.rest.len())) }
    }
}

/// How long a payload claims to be; `None` where its length cannot be read.
#[inline]
pub(crate) fn payload_len(kind: Kind, payload: &[u8]) -> Option<usize> {
    let length = || payload.first_chunk::<4>().map(|len| i32::from_le_bytes(*len));
    // The least is what reading asks for too: an empty document, the NUL of a string.
    let prefixed = |least: i32, more: usize| {
        let len = length().filter(|len| *len >= least)?;
        usize::try_from(len).ok()?.checked_add(more)
    };
    match kind {
        Kind::Double | Kind::DateTime | Kind::Timestamp | Kind::Int64 => Some(8),
        Kind::Int32 => Some(4),
        Kind::Bool => Some(1),
        Kind::Null | Kind::Undefined | Kind::MinKey | Kind::MaxKey => Some(0),
        Kind::String | Kind::Code | Kind::Symbol => prefixed(1, 4),
        Kind::Document | Kind::Array => prefixed(5, 0),
        Kind::CodeWithScope => prefixed(4, 0),
        Kind::Binary => prefixed(0, 5),
        Kind::ObjectId => Some(12),
        Kind::Decimal128 => Some(16),
        Kind::DbPointer => prefixed(1, 16),
        Kind::Regex => {
            let (_, options) = split_at_nul(payload)?;
            let (_, rest) = split_at_nul(options)?;
            payload.len().checked_sub(rest.len())
        }
    }
}

/// The bytes before the first NUL, and those after it.
///
/// Eight bytes at a time: subtracting 1 from each byte sets the high bit of those that were 0, and
/// of those above 0x80, which `!word` takes out. Keys are short, so this beats a call of a search
/// that first prepares for long ones. The last bytes of the input go one by one.
#[inline(always)]
fn split_at_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0_usize;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let zeros = word.wrapping_sub(LOW) & !word & HIGH;
        if zeros != 0 {
            // A borrow may give a false hit, but only above the first zero byte.
            at = at.saturating_add((zeros.trailing_zeros() / 8) as usize);
            let (head, tail) = bytes.split_at_checked(at)?;
            return Some((head, tail.get(1..)?));
        }
        at = at.saturating_add(8);
    }
    let left = bytes.get(at..)?.iter().position(|&byte| byte == 0)?;
    let (head, tail) = bytes.split_at_checked(at.saturating_add(left))?;
    Some((head, tail.get(1..)?))
}

/// Drains a reader in small steps; at most `limit` bytes.
pub(crate) fn read_to_end<R: io::Read>(reader: R, limit: usize) -> Result<Vec<u8>> {
    // One byte more than the limit shows that there is more.
    let past = (limit as u64).saturating_add(1);
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut reader.take(past), &mut bytes).map_err(Error::io)?;
    if bytes.len() <= limit {
        return Ok(bytes);
    }
    let message = format!("more input than max_alloc, which is {limit} bytes");
    Err(Error::at(ErrorKind::AllocLimit, limit, message))
}
