//! Bits in bytes: the lowest bit of a byte comes first, and of a number too
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#bits)).
//!
//! Whatever is a whole number of bytes begins at a byte; the bits skipped before it are padding,
//! which is zero when written and ignored when read. tests/it/bits.rs compares with `bitvec`, bit by
//! bit.

use gamewire_core::bytes::{has_room, push_part, push_short};

use crate::error::Count;
use crate::{Error, ErrorKind, Result};

/// Reads bits from bytes.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// In bits from the start of `bytes`; never past the end.
    at: usize,
    /// Whether padding must be zero.
    strict: bool,
}

/// The bit at which the next whole byte begins, if `bit` is not at the start of one. This cannot wrap: there are at
/// most [`BitReader::MAX`] bytes.
#[inline]
pub(crate) const fn next_byte(bit: usize) -> usize {
    bit.wrapping_add(7) & !7
}

macro_rules! aligned {
    ($reader:ident: $($(#[$doc:meta])* $name:ident $type:ty, $len:literal;)+) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name(&mut self) -> Result<$type> {
            if self.strict {
                self.check_padding()?;
            }
            // Rounding up cannot wrap: there are at most `usize::MAX >> 4` bytes. So no check but
            // that of the slice is needed.
            let at = self.at.wrapping_add(7) >> 3;
            match self.bytes.get(at..).and_then(<[u8]>::first_chunk::<$len>) {
                Some(bytes) => {
                    self.at = at.wrapping_add($len).wrapping_mul(8);
                    Ok(<$type>::from_le_bytes(*bytes))
                }
                None => Err(short_of_bytes(self.bytes.len(), self.at, $len)),
            }
        }
    )+};
}

impl<'a> BitReader<'a> {
    /// The most bytes whose bits can be counted: with addresses of 32 bits 256 MiB.
    pub(crate) const MAX: usize = usize::MAX >> 4;

    /// Begins at the first bit. Of more than [`MAX`](Self::MAX) bytes, the first are read.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes: bytes.get(..Self::MAX).unwrap_or(bytes), at: 0, strict: false }
    }

    /// Begins at a byte. Refuses bytes that are too many.
    pub(crate) fn at_byte(bytes: &'a [u8], at: usize) -> Result<Self> {
        if bytes.len() > Self::MAX {
            return Err(too_many(bytes.len()));
        }
        let mut reader = BitReader::new(bytes);
        reader.seek(at.saturating_mul(8))?;
        Ok(reader)
    }

    /// The same, refusing padding that is not zero.
    pub(crate) fn strict(self, strict: bool) -> Self {
        BitReader { strict, ..self }
    }

    /// The bytes that are read from.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Bits read so far, padding included.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Number of bits in all.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len().wrapping_mul(8)
    }

    /// Bits that are left.
    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        debug_assert!(self.at <= self.len(), "the end is a whole byte, and nothing reads past it");
        self.len().saturating_sub(self.at)
    }

    /// Goes to a bit.
    #[inline]
    pub(crate) fn seek(&mut self, at: usize) -> Result<()> {
        if at > self.len() {
            return Err(short(self.len(), self.at, at.saturating_sub(self.at)));
        }
        self.at = at;
        Ok(())
    }

    /// Goes to the next byte, if not at the start of one.
    #[inline]
    pub(crate) fn align(&mut self) {
        self.at = next_byte(self.at);
    }

    /// Goes to the next byte over padding, which a strict reader checks.
    pub(crate) fn pass_padding(&mut self) -> Result<()> {
        if self.strict {
            self.check_padding()?;
        }
        self.align();
        Ok(())
    }

    /// The bits between here and the next byte must be zero.
    #[cold]
    fn check_padding(&self) -> Result<()> {
        let rest = self.bytes.get(self.at >> 3).map_or(0, |byte| byte >> (self.at & 7));
        if self.at & 7 == 0 || rest == 0 {
            return Ok(());
        }
        let message = "expected padding of zeros, found other bits";
        Err(Error::at(ErrorKind::NotCanonical, self.at, message))
    }

    /// One bit.
    #[inline]
    pub(crate) fn bit(&mut self) -> Result<bool> {
        match self.bytes.get(self.at >> 3) {
            Some(byte) => {
                let bit = byte >> (self.at & 7) & 1 != 0;
                self.at = self.at.wrapping_add(1);
                Ok(bit)
            }
            None => Err(short(self.len(), self.at, 1)),
        }
    }

    /// A number of `width` bits, at most 32, not aligned.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "masked to 32 bits at most")]
    pub(crate) fn bits(&mut self, width: u32) -> Result<u32> {
        let width = if width > 32 { 32 } else { width };
        let mask = (1u64 << width).wrapping_sub(1);
        // 7 bits of offset and 32 of the number are always inside of eight bytes, so one load does
        // for every width; where eight bytes are not left, `last_bits` gathers them.
        if let Some(window) = self.bytes.get(self.at >> 3..).and_then(<[u8]>::first_chunk::<8>) {
            let window = u64::from_le_bytes(*window) >> (self.at & 7);
            self.at = self.at.wrapping_add(width as usize);
            return Ok((window & mask) as u32);
        }
        let value = last_bits(self.bytes, self.at, width)?;
        self.at = self.at.wrapping_add(width as usize);
        Ok((u64::from(value) & mask) as u32)
    }

    /// A signed number of `width` bits, 1 to 32, in two's complement, not aligned.
    #[inline]
    pub(crate) fn signed_bits(&mut self, width: u32) -> Result<i32> {
        // Up to the top and down again: the arithmetic shift repeats the sign.
        let spare = 32u32.saturating_sub(width) & 31;
        Ok((self.bits(width)? << spare).cast_signed() >> spare)
    }

    aligned! { reader:
        /// A byte.
        u8 u8, 1;
        /// A number of two bytes.
        u16 u16, 2;
        /// A number of four bytes.
        u32 u32, 4;
        /// A number of eight bytes.
        u64 u64, 8;
    }

    /// The next `len` bytes, from the next whole one on.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        if self.strict {
            self.check_padding()?;
        }
        let at = self.at.wrapping_add(7) >> 3;
        match self.bytes.get(at..).and_then(|rest| rest.get(..len)) {
            Some(bytes) => {
                self.at = at.wrapping_add(len).wrapping_mul(8);
                Ok(bytes)
            }
            None => Err(short_of_bytes(self.bytes.len(), self.at, len)),
        }
    }
}

// Slow paths take the position by value, so that the reader stays in registers.

/// The bits near the end, where eight bytes are no longer there.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, reason = "masked by the caller")]
fn last_bits(bytes: &[u8], at: usize, width: u32) -> Result<u32> {
    let len = bytes.len().wrapping_mul(8);
    if len.saturating_sub(at) < width as usize {
        return Err(short(len, at, width as usize));
    }
    let rest = bytes.get(at >> 3..).unwrap_or_default();
    let window = rest.iter().rev().fold(0u64, |window, byte| window << 8 | u64::from(*byte));
    Ok((window >> (at & 7)) as u32)
}

#[cold]
fn too_many(len: usize) -> Error {
    let (len, most) = (Count(len, "byte"), BitReader::MAX);
    let message = format!("{len} of objects are more than {most}, whose bits can be counted here");
    Error::new(ErrorKind::AllocLimit, message)
}

#[cold]
#[inline(never)]
fn short(len: usize, at: usize, width: usize) -> Error {
    let message = format!("expected {}, found {}", Count(width, "bit"), len.saturating_sub(at));
    Error::at(ErrorKind::UnexpectedEof, at, message)
}

#[cold]
#[inline(never)]
fn short_of_bytes(bytes: usize, at: usize, len: usize) -> Error {
    let at = at.saturating_add(7) >> 3;
    let (len, left) = (Count(len, "byte"), bytes.saturating_sub(at));
    let message = format!("expected {len}, found {left}");
    Error::at_byte(ErrorKind::UnexpectedEof, at, message)
}

/// Writes bits to bytes.
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are no whole bytes yet, or have not been moved.
    window: u64,
    /// Number of bits in the window: less than 64.
    used: u32,
}

macro_rules! put {
    ($($(#[$doc:meta])* $name:ident $type:ty;)+) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name(&mut self, value: $type) {
            if !self.put_near(value.to_le_bytes()) {
                self.put_far(value.into(), size_of::<$type>());
            }
        }
    )+};
}

impl BitWriter {
    /// Appends to some bytes.
    pub(crate) fn after(bytes: Vec<u8>) -> Self {
        BitWriter { bytes, window: 0, used: 0 }
    }

    /// Bits written so far, padding included.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.bytes.len().wrapping_mul(8).wrapping_add(self.used as usize)
    }

    /// Fills up to the next byte with zero bits, if not at the start of one.
    #[inline]
    pub(crate) fn align(&mut self) {
        if self.used != 0 {
            self.flush();
        }
    }

    #[inline(never)]
    fn flush(&mut self) {
        let whole = self.used.div_ceil(8) as usize;
        push_part(&mut self.bytes, self.window.to_le_bytes(), whole);
        (self.window, self.used) = (0, 0);
    }

    /// One bit.
    #[inline]
    pub(crate) fn bit(&mut self, bit: bool) {
        self.bits(u32::from(bit), 1);
    }

    /// The lowest `width` bits of a number, at most 32, not aligned.
    #[inline]
    pub(crate) fn bits(&mut self, value: u32, width: u32) {
        let width = if width > 32 { 32 } else { width };
        let value = u64::from(value) & (1u64 << width).wrapping_sub(1);
        // Bits gather in the window until eight bytes are whole, so that most calls touch no memory
        // but the writer.
        let used = self.used.wrapping_add(width);
        self.window |= value << self.used;
        if used >= 64 {
            spill(&mut self.bytes, self.window);
            // The rest of the bits that were added, which are at most 32.
            self.window = value >> (64u32.wrapping_sub(self.used) & 63);
            self.used = used & 63;
        } else {
            self.used = used;
        }
    }

    put! {
        /// A byte.
        u8 u8;
        /// A number of two bytes.
        u16 u16;
        /// A number of four bytes.
        u32 u32;
        /// A number of eight bytes.
        u64 u64;
    }

    /// Some bytes.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.align();
        push_short(&mut self.bytes, bytes);
    }

    /// Bytes whose number is known at compile time. Returns `false` where bits are waiting, or there is no room:
    /// then it is for [`put_far`](Self::put_far).
    #[inline(always)]
    pub(crate) fn put_near<const N: usize>(&mut self, bytes: [u8; N]) -> bool {
        let is_near = self.used == 0 && has_room(&self.bytes, N);
        if is_near {
            // There is room, so that this is one store.
            self.bytes.extend_from_slice(&bytes);
        }
        is_near
    }

    /// The lowest `len` bytes of a word, of which the others are zero.
    #[inline(never)]
    pub(crate) fn put_far(&mut self, word: u64, len: usize) {
        let waiting = self.used.div_ceil(8) as usize;
        let both = waiting.wrapping_add(len);
        if both <= 8 && len > 0 {
            // With the bits that are waiting it is still one store.
            let word = self.window | word << (waiting.wrapping_mul(8) & 63);
            push_part(&mut self.bytes, word.to_le_bytes(), both);
            (self.window, self.used) = (0, 0);
        } else {
            self.align();
            push_part(&mut self.bytes, word.to_le_bytes(), len);
        }
    }

    /// A count of two bytes and as many bytes, from 1 to 16, in one store. Returns `false` for others, and where
    /// bits are waiting or there is no room.
    #[inline]
    pub(crate) fn put_counted(&mut self, bytes: &[u8]) -> bool {
        let len = bytes.len();
        // Two halves, which overlap.
        macro_rules! halves {
            ($half:literal $word:ident) => {
                match (bytes.first_chunk::<$half>(), bytes.last_chunk::<$half>()) {
                    (Some(first), Some(last)) => {
                        let [first, last] =
                            [first, last].map(|half| u128::from($word::from_le_bytes(*half)));
                        first | last << (len.wrapping_sub($half).wrapping_mul(8) & 127)
                    }
                    _ => return false,
                }
            };
        }
        let text = match len {
            4..8 => halves!(4 u32),
            8..=16 => halves!(8 u64),
            1..4 => bytes.iter().rev().fold(0, |text, byte| text << 8 | u128::from(*byte)),
            _ => return false,
        };
        if self.used != 0 || !has_room(&self.bytes, 18) {
            return false;
        }
        let mut all = [0; 18];
        if let (Some(count), [low, high, ..]) = (u16::try_from(len).ok(), &mut all) {
            [*low, *high] = count.to_le_bytes();
        }
        if let Some(rest) = all.last_chunk_mut() {
            *rest = text.to_le_bytes();
        }
        push_part(&mut self.bytes, all, len.wrapping_add(2));
        true
    }

    /// Swaps two whole bytes, counted from the last one, which is 1.
    pub(crate) fn swap_last(&mut self, one: usize, other: usize) {
        let len = self.bytes.len();
        if let (Some(one), Some(other)) = (len.checked_sub(one), len.checked_sub(other)) {
            self.bytes.swap(one, other);
        }
    }

    /// Overwrites four bytes that were written with [`u32`](Self::u32) at this byte.
    #[inline]
    pub(crate) fn patch_u32(&mut self, at: usize, value: u32) {
        let place = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>);
        if let Some(place) = place {
            *place = value.to_le_bytes();
        }
    }

    /// Puts the lowest `width` bits of a number in the place of those at bit `at`. Before it, `more` bytes
    /// are made there.
    pub(crate) fn patch_bits(&mut self, at: usize, value: u32, width: u32, more: usize) {
        // All in bytes, and the bits of the last one back again.
        let rest = self.used & 7;
        self.align();
        let place = at >> 3;
        let after = place.saturating_add(1).min(self.bytes.len());
        self.bytes.splice(after..after, std::iter::repeat_n(0, more));
        let mask = (1u64 << width.min(32)).wrapping_sub(1) << (at & 7);
        let bits = u64::from(value) << (at & 7);
        let words = mask.to_le_bytes().into_iter().zip(bits.to_le_bytes());
        for (byte, (mask, bits)) in self.bytes.iter_mut().skip(place).zip(words) {
            *byte = *byte & !mask | bits & mask;
        }
        if rest > 0 {
            (self.window, self.used) = (self.bytes.pop().unwrap_or(0).into(), rest);
        }
    }

    /// The bytes; the last one is filled up with zero bits.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// Eight bytes at once. It takes the buffer alone, so that the window stays in a register.
#[inline(never)]
fn spill(bytes: &mut Vec<u8>, word: u64) {
    bytes.extend_from_slice(&word.to_le_bytes());
}
