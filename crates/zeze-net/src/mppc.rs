//! MPPC, the compression of [RFC 2118], as a stream without packets.
//!
//! [`Connection`](crate::Connection) uses it where both sides agree on it; here it is for other
//! transports of the same bytes.
//!
//! ```
//! use zeze_net::mppc::{Compressor, Decompressor};
//!
//! let mut compressed = Vec::new();
//! let mut compressor = Compressor::new();
//! compressor.write(b"to be or not to be", &mut compressed);
//! compressor.flush(&mut compressed);
//! assert!(compressed.len() < 18);
//!
//! let mut text = Vec::new();
//! Decompressor::new().read(&compressed, usize::MAX, &mut text)?;
//! assert_eq!(text, b"to be or not to be");
//! # Ok::<(), zeze_net::Error>(())
//! ```
//!
//! A byte below 0x80 takes 8 bits, another one 9, and a copy of earlier bytes 11 to 40: how far back
//! they are, then how many they are. [Connections] has the table of bits.
//!
//! [RFC 2118]: https://www.rfc-editor.org/rfc/rfc2118
//! [Connections]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#connections

use gamewire_core::bytes::part;

use crate::{Error, ErrorKind, Result};

/// How far back a copy may reach.
const WINDOW: usize = 8192;

/// The longest copy, and so the most bytes that one step of decompression adds.
pub const MAX_COPY: usize = 8191;

/// Distances below this one have 6 bits.
const NEAR: usize = 64;

/// Distances below this one have 8 bits, all others 13.
const MIDDLE: usize = 320;

/// A distance of 0, which says nothing: it pushes the last bits of a message out into whole bytes.
const NOTHING: (u32, u32) = (0x3c0, 10);

/// Bits that are not yet a whole byte.
#[derive(Clone, Debug, Default)]
struct Bits {
    bits: u64,
    count: u32,
}

impl Bits {
    /// Adds the low `count` bits of `bits`, at most 32.
    fn put(&mut self, (bits, count): (u32, u32), out: &mut Vec<u8>) {
        self.bits = self.bits << count | u64::from(bits);
        self.count = self.count.saturating_add(count);
        while let Some(left) = self.count.checked_sub(8) {
            // The lowest byte of what is shifted down is the one that is whole.
            let [.., byte] = (self.bits >> left).to_be_bytes();
            out.push(byte);
            self.count = left;
        }
        self.bits &= !(!0 << self.count);
    }
}

/// Bytes that were taken and are not written yet, because more may belong to them.
#[derive(Clone, Copy, Debug)]
enum Pending {
    Nothing,
    /// The last byte.
    Byte(u8),
    /// A copy of `length` bytes; the byte at `next` would make it longer.
    Copy {
        next: usize,
        distance: usize,
        length: usize,
    },
}

/// Compresses a stream, to the same bytes as the reference.
#[derive(Clone, Debug)]
pub struct Compressor {
    bits: Bits,
    /// The bytes since the last time that everything was forgotten.
    block: Vec<u8>,
    /// For each pair of bytes, the position in the block after it; 0 where it was not seen.
    seen: Vec<u16>,
    pending: Pending,
}

impl Default for Compressor {
    fn default() -> Self {
        Compressor::new()
    }
}

impl Compressor {
    /// At the start of a stream.
    pub fn new() -> Self {
        Compressor {
            bits: Bits::default(),
            block: Vec::with_capacity(WINDOW),
            seen: vec![0; 1 << 16],
            pending: Pending::Nothing,
        }
    }

    /// Compresses bytes; the last of them may be held back until [`flush`](Self::flush).
    pub fn write(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for byte in bytes {
            self.push(*byte, out);
        }
    }

    fn push(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.block.len() == WINDOW {
            self.finish(out);
            self.seen.fill(0);
            self.block.clear();
        }
        self.block.push(byte);
        let (Pending::Byte(_) | Pending::Copy { .. }, [.., last, _]) =
            (self.pending, self.block.as_slice())
        else {
            self.pending = Pending::Byte(byte);
            return;
        };
        let position = self.block.len();
        let pair = usize::from(u16::from_be_bytes([byte, *last]));
        let earlier = match (self.seen.get_mut(pair), u16::try_from(position)) {
            (Some(seen), Ok(position)) => usize::from(std::mem::replace(seen, position)),
            _ => 0,
        };
        self.pending = match self.pending {
            Pending::Copy { next, distance, length } if self.block.get(next) == Some(&byte) => {
                let (next, length) = (next.saturating_add(1), length.saturating_add(1));
                Pending::Copy { next, distance, length }
            }
            Pending::Byte(_) if earlier > 0 => Pending::Copy {
                next: earlier,
                distance: position.saturating_sub(earlier),
                length: 2,
            },
            _ => {
                self.finish(out);
                Pending::Byte(byte)
            }
        };
    }

    /// Writes what is pending.
    fn finish(&mut self, out: &mut Vec<u8>) {
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => {}
            Pending::Byte(byte) => self.bits.put(literal(byte), out),
            // Two bytes take no more as they are.
            Pending::Copy { next, length: 2, .. } => {
                let pair = next.checked_sub(2).and_then(|at| self.block.get(at..next));
                debug_assert!(pair.is_some(), "a copy of other bytes than those of the block");
                for byte in pair.unwrap_or_default() {
                    self.bits.put(literal(*byte), out);
                }
            }
            Pending::Copy { distance, length, .. } => {
                self.bits.put(distance_code(distance), out);
                self.bits.put(length_code(length), out);
            }
        }
    }

    /// Writes so much that everything taken so far can be decompressed.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        if let Pending::Nothing = self.pending {
            return;
        }
        self.finish(out);
        if self.bits.count > 0 {
            self.bits.put(NOTHING, out);
        }
    }
}

fn literal(byte: u8) -> (u32, u32) {
    if byte < 0x80 { (byte.into(), 8) } else { (u32::from(byte & 0x7f) | 0x100, 9) }
}

fn distance_code(distance: usize) -> (u32, u32) {
    debug_assert!(distance < WINDOW);
    let bits = |base: usize| u32::try_from(distance.saturating_sub(base)).unwrap_or_default();
    if distance < NEAR {
        (0x3c0 | bits(0), 10)
    } else if distance < MIDDLE {
        (0xe00 | bits(NEAR), 12)
    } else {
        (0xc000 | bits(MIDDLE), 16)
    }
}

/// One bit for 3; else, for a length of n + 1 bits, n − 1 ones, a zero and the low n bits.
fn length_code(length: usize) -> (u32, u32) {
    debug_assert!(length <= MAX_COPY);
    let length = u32::try_from(length).unwrap_or_default();
    let Some(low) = length.checked_ilog2().filter(|low| *low >= 2) else { return (0, 1) };
    let mask: u32 = !(!0 << low);
    let ones = mask & !1;
    (ones << low | length & mask, low.saturating_mul(2))
}

/// Decompresses a stream.
#[derive(Clone, Debug, Default)]
pub struct Decompressor {
    bits: u64,
    count: u32,
    /// The offset of a copy whose length is to come.
    distance: Option<usize>,
    /// The last bytes, [`WINDOW`] of them or more.
    window: Vec<u8>,
}

impl Decompressor {
    /// At the start of a stream.
    pub const fn new() -> Self {
        Decompressor { bits: 0, count: 0, distance: None, window: Vec::new() }
    }

    /// Decompresses input until there is no more of it, or `most` bytes are in `out`; the last step
    /// may add [`MAX_COPY`] more. Returns how many bytes of the input it took.
    ///
    /// # Errors
    /// A copy from before the first byte, or of a length that there is not.
    pub fn read(&mut self, input: &[u8], most: usize, out: &mut Vec<u8>) -> Result<usize> {
        let mut rest = input;
        loop {
            while self.count <= 56
                && let Some((byte, after)) = rest.split_first()
            {
                self.bits = self.bits << 8 | u64::from(*byte);
                self.count = self.count.saturating_add(8);
                rest = after;
            }
            if out.len() >= most || !self.step(out)? {
                return Ok(input.len().saturating_sub(rest.len()));
            }
        }
    }

    /// The next bits, the first one at the top, with zeros after the last.
    fn ahead(&self) -> u32 {
        let aligned = self.bits.unbounded_shl(64_u32.saturating_sub(self.count));
        let [a, b, c, d, ..] = aligned.to_be_bytes();
        u32::from_be_bytes([a, b, c, d])
    }

    /// Takes one code; `false` if it is not whole yet.
    fn step(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        let ahead = self.ahead();
        let ones = ahead.leading_ones();
        let Some(distance) = self.distance else {
            // Length of the code, how many of its last bits are a number, and what is added to it.
            let (len, low, base) = match ones {
                0 => (8, 7, 0),
                1 => (9, 7, 0x80),
                2 => (16, 13, MIDDLE),
                3 => (12, 8, NEAR),
                _ => (10, 6, 0),
            };
            let Some(number) = self.take(ahead, len, low) else { return Ok(false) };
            let number = number.saturating_add(base);
            match u8::try_from(number) {
                Ok(byte) if ones < 2 => self.add(byte, out),
                _ => self.distance = Some(number).filter(|distance| *distance > 0),
            }
            return Ok(true);
        };
        let (len, low, base) = match ones {
            0 => (1, 0, 3),
            1..=11 => {
                let low = ones.saturating_add(1);
                (low.saturating_mul(2), low, 1 << low)
            }
            _ => return Err(wrong(format!("expected a length of at most {MAX_COPY}"))),
        };
        let Some(length) = self.take(ahead, len, low) else { return Ok(false) };
        self.distance = None;
        self.copy(distance, length.saturating_add(base), out)?;
        Ok(true)
    }

    /// Takes a code of `len` bits, and returns its last `low` ones; `None` if it is not whole.
    fn take(&mut self, ahead: u32, len: u32, low: u32) -> Option<usize> {
        self.count = self.count.checked_sub(len)?;
        let code = ahead.unbounded_shr(32_u32.saturating_sub(len));
        Some((code & !(!0 << low)) as usize)
    }

    fn add(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.window.push(byte);
        out.push(byte);
        self.forget();
    }

    fn copy(&mut self, distance: usize, length: usize, out: &mut Vec<u8>) -> Result<()> {
        let start = self.window.len();
        if distance > start.min(WINDOW) {
            let known = start.min(WINDOW);
            let text = format!("expected a copy from {known} bytes back at most, found {distance}");
            return Err(wrong(text));
        }
        // Where they overlap, the bytes repeat themselves.
        let mut left = length;
        while left > 0 {
            let from = self.window.len().saturating_sub(distance);
            let count = left.min(distance);
            self.window.extend_from_within(from..from.saturating_add(count));
            left = left.saturating_sub(count);
        }
        out.extend_from_slice(part(&self.window, start..));
        self.forget();
        Ok(())
    }

    /// Drops what no copy reaches any more, not for each byte.
    fn forget(&mut self) {
        if self.window.len() >= 2 * WINDOW {
            self.window.drain(..self.window.len().saturating_sub(WINDOW));
        }
    }
}

#[cold]
fn wrong(text: String) -> Error {
    Error::new(ErrorKind::Compression, format!("{text} in MPPC"))
}
