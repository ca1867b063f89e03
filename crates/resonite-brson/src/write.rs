//! The only code that builds the bytes of BSON.
//!
//! The type byte of an element stands before its key, but is known only when the value comes: a key
//! is written with 0 before it, and the value puts its type there.

use gamewire_core::bytes::push_part;

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::kind::Kind;
use crate::options::Options;

/// Where the type byte of the root would stand: a file begins with its document.
const ROOT: usize = usize::MAX;

/// The start of no writer that writes.
const LENT: usize = usize::MAX;

/// Appends to a growing vector.
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// Where the root starts in `out`.
    start: usize,
    /// Where the type byte of the next value belongs.
    kind_at: usize,
    /// Levels of containers and Rust types that are open.
    pub(crate) depth: usize,
    pub(crate) options: Options,
}

impl Default for Writer {
    /// Stands in for a writer that is lent to a type.
    fn default() -> Self {
        Writer { start: LENT, ..Writer::new(Vec::new(), Options::new()) }
    }
}

impl Writer {
    #[inline]
    pub(crate) fn new(out: Vec<u8>, options: Options) -> Self {
        Writer { start: out.len(), out, kind_at: ROOT, depth: 0, options }
    }

    /// Whether it stands in for a writer that is lent to a type.
    #[inline]
    pub(crate) fn is_lent(&self) -> bool {
        self.start == LENT
    }

    /// Length so far.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.out.len()
    }

    /// Begins an element whose type is still to come.
    #[inline]
    pub(crate) fn key(&mut self, key: &str) -> Result<()> {
        self.key_bytes(key.as_bytes())
    }

    /// The same for text that is known to be UTF-8.
    #[inline]
    pub(crate) fn key_bytes(&mut self, key: &[u8]) -> Result<()> {
        if key.contains(&0) {
            return Err(invalid_key(&String::from_utf8_lossy(key)));
        }
        self.kind_at = self.out.len();
        // One check of the room for three writes.
        self.out.reserve(key.len().saturating_add(2));
        self.out.push(0);
        self.out.extend_from_slice(key);
        self.out.push(0);
        Ok(())
    }

    /// A key that is known where this is inlined, such as the name of a field.
    #[inline(always)]
    pub(crate) fn field(&mut self, name: &'static str) -> Result<()> {
        // Blocks of constant size are a few stores, and the match folds to one of them.
        match name.len() {
            1..=6 => self.key_block::<8>(name),
            7..=14 => self.key_block::<16>(name),
            15..=22 => self.key_block::<24>(name),
            _ => self.key(name),
        }
    }

    #[inline(always)]
    fn key_block<const SIZE: usize>(&mut self, name: &'static str) -> Result<()> {
        // Numbers, which fold to constants: bytes that are stored in pieces and loaded as a whole keep a
        // processor waiting.
        let mut block = [0_u8; SIZE];
        let mut nul = false;
        let mut at = 0_usize;
        for chunk in block.as_chunks_mut::<8>().0 {
            let mut word = 0_u64;
            for place in 0..8 {
                // The first byte is that of the type.
                if let Some(byte) = name.as_bytes().get(at.wrapping_sub(1)) {
                    word |= u64::from(*byte) << (place << 3);
                    nul |= *byte == 0;
                }
                at = at.wrapping_add(1);
            }
            *chunk = word.to_le_bytes();
        }
        if nul {
            return Err(invalid_key(name));
        }
        self.kind_at = self.out.len();
        push_part(&mut self.out, block, name.len().saturating_add(2));
        Ok(())
    }

    /// The key that was begun at `at`.
    #[inline]
    pub(crate) fn key_since(&self, at: usize) -> &[u8] {
        match self.out.get(at..) {
            Some([_, key @ .., _]) => key,
            _ => &[],
        }
    }

    /// Begins an element of an array.
    #[inline]
    pub(crate) fn index(&mut self, index: &mut IndexKey) {
        self.kind_at = self.out.len();
        index.write(&mut self.out);
        index.advance();
    }

    /// Puts the type of the element that was begun. The root can only be a document.
    #[inline]
    pub(crate) fn start(&mut self, kind: Kind) -> Result<()> {
        match self.out.get_mut(self.kind_at) {
            Some(place) => {
                *place = kind as u8;
                Ok(())
            }
            None if kind == Kind::Document => {
                debug_assert!(self.kind_at == ROOT, "the type of a value is gone");
                Ok(())
            }
            None => Err(bad_root(kind)),
        }
    }

    #[inline]
    pub(crate) fn null(&mut self) -> Result<()> {
        self.start(Kind::Null)
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) -> Result<()> {
        self.start(Kind::Bool)?;
        self.out.push(u8::from(value));
        Ok(())
    }

    #[inline]
    pub(crate) fn int32(&mut self, value: i32) -> Result<()> {
        self.start(Kind::Int32)?;
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    #[inline]
    pub(crate) fn int64(&mut self, value: i64) -> Result<()> {
        self.eight(Kind::Int64, value.cast_unsigned())
    }

    #[inline]
    pub(crate) fn double(&mut self, value: f64) -> Result<()> {
        self.eight(Kind::Double, value.to_bits())
    }

    /// A value of eight bytes.
    #[inline]
    pub(crate) fn eight(&mut self, kind: Kind, value: u64) -> Result<()> {
        self.start(kind)?;
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    #[inline]
    pub(crate) fn string(&mut self, text: &str) -> Result<()> {
        self.start(Kind::String)?;
        self.string_part(text.as_bytes())
    }

    /// The length that counts NUL, the text, NUL. The bytes must be UTF-8.
    #[inline]
    pub(crate) fn string_part(&mut self, text: &[u8]) -> Result<()> {
        let len = length(text.len().saturating_add(1))?;
        self.out.reserve(text.len().saturating_add(5));
        self.out.extend_from_slice(&len.to_le_bytes());
        self.out.extend_from_slice(text);
        self.out.push(0);
        Ok(())
    }

    pub(crate) fn bytes(&mut self, kind: Kind, bytes: &[u8]) -> Result<()> {
        self.start(kind)?;
        self.raw(bytes);
        Ok(())
    }

    #[inline]
    fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub(crate) fn binary(&mut self, subtype: u8, bytes: &[u8]) -> Result<()> {
        self.start(Kind::Binary)?;
        let inner = length(bytes.len())?;
        let len = if subtype == 2 { length(bytes.len().saturating_add(4))? } else { inner };
        self.raw(&len.to_le_bytes());
        self.out.push(subtype);
        if subtype == 2 {
            self.raw(&inner.to_le_bytes());
        }
        self.raw(bytes);
        Ok(())
    }

    /// Begins a document or an array, and returns the place of its length.
    #[inline]
    pub(crate) fn open(&mut self, kind: Kind) -> Result<usize> {
        self.start(kind)?;
        let at = self.out.len();
        self.out.extend_from_slice(&[0; 4]);
        Ok(at)
    }

    /// Ends the document that was begun at `at`.
    #[inline]
    pub(crate) fn close(&mut self, at: usize) -> Result<()> {
        self.out.push(0);
        self.put_length(at)
    }

    /// Puts the length of what was begun at `at`.
    #[inline]
    fn put_length(&mut self, at: usize) -> Result<()> {
        // The next value brings a key, or is the root of another document.
        self.kind_at = ROOT;
        let len = length(self.out.len().saturating_sub(at))?;
        match self.out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
            Some(place) => *place = len.to_le_bytes(),
            None => debug_assert!(false, "a document ends that did not begin"),
        }
        self.check_output()
    }

    #[inline]
    pub(crate) fn check_output(&self) -> Result<()> {
        let len = self.out.len().saturating_sub(self.start);
        if len > self.options.limits.max_output { Err(self.output_limit(len)) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn output_limit(&self, len: usize) -> Error {
        let most = self.options.limits.max_output;
        Error::new(
            ErrorKind::OutputLimit,
            format!("{len} bytes are more than max_output, which is {most} bytes"),
        )
    }
}

#[cold]
#[inline(never)]
fn bad_root(kind: Kind) -> Error {
    Error::unsupported(format!("expected a document at the root of a file, found {}", kind.words()))
}

#[cold]
#[inline(never)]
fn invalid_key(key: &str) -> Error {
    Error::new(
        ErrorKind::InvalidKey,
        format!("expected a key without NUL, found \"{}\"", Shortened(key)),
    )
}

/// BSON counts with signed 32-bit numbers.
#[inline]
fn length(len: usize) -> Result<i32> {
    i32::try_from(len).map_err(|_| {
        Error::new(
            ErrorKind::OutputLimit,
            format!("length {len} is more than the format's 2147483647"),
        )
    })
}

/// The keys of an array, "0", "1", ..., counted in decimal digits so that none needs an allocation
/// or a division.
pub(crate) struct IndexKey {
    /// 0 for the type, the digits, zeros; the first byte is the lowest. Of fourteen digits at most: longer
    /// arrays fit no memory.
    word: u128,
    /// One, where the last digit stands.
    one: u128,
    last: u8,
    digits: usize,
}

impl IndexKey {
    #[inline]
    pub(crate) fn new() -> Self {
        IndexKey { word: 0x3000, one: 0x100, last: 0, digits: 1 }
    }

    /// Appends 0 for the type, the digits, NUL.
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        push_part(out, self.word.to_le_bytes(), self.digits.saturating_add(2));
    }

    #[inline]
    fn advance(&mut self) {
        if self.last == 9 {
            return self.carry();
        }
        self.last = self.last.wrapping_add(1);
        self.word = self.word.wrapping_add(self.one);
    }

    /// Goes from 9 to 10, from 19 to 20.
    #[cold]
    fn carry(&mut self) {
        let mut block = self.word.to_le_bytes();
        // As on an odometer: 9 becomes 0 and carries, any other digit ends it.
        let mut at = self.digits;
        while let Some(digit) = block.get_mut(at).filter(|_| at > 0) {
            if *digit != b'9' {
                *digit = digit.saturating_add(1);
                break;
            }
            *digit = b'0';
            at = at.saturating_sub(1);
        }
        // All were 9: one digit more.
        if at == 0 {
            self.digits = self.digits.saturating_add(1);
            self.one <<= 8;
            if let Some([first, .., last]) = block.get_mut(1..self.digits.saturating_add(1)) {
                (*first, *last) = (b'1', b'0');
            }
        }
        self.last = 0;
        self.word = u128::from_le_bytes(block);
    }
}
