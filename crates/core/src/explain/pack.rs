//! Packing for pages that would be large: the deflate format of RFC 1951, with its fixed codes, as
//! text of base64. Browsers unpack it by themselves.

/// The greatest distance of a match, and the greatest length but one, which has a separate code
/// (RFC 1951, 3.2.5).
const MAX_DISTANCE: usize = 32 << 10;
const MAX_LENGTH: usize = 257;
/// A match must be this long to be looked for: four bytes are one word to hash.
const MIN_LENGTH: usize = 4;
/// Places with the same hash that are tried.
const MAX_TRIES: usize = 12;
const HASH_BITS: u32 = 15;

/// Deflated, as base64.
pub(super) fn packed(bytes: &[u8]) -> String {
    base64(&deflated(bytes))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Bits::default();
    // The last block, with the fixed codes.
    out.put(0b011, 3);
    let mut matches = Matches::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (len, distance) = matches.longest(bytes, at);
        let step = if len >= MIN_LENGTH {
            let (code, more, bits) = code_of(len.saturating_sub(3), 2);
            out.symbol(code.saturating_add(257));
            out.put(more, bits);
            let (code, more, bits) = code_of(distance.saturating_sub(1), 1);
            out.code(code, 5);
            out.put(more, bits);
            len
        } else {
            out.symbol(rest.first().copied().map_or(0, u16::from));
            1
        };
        let next = at.saturating_add(step);
        (at..next).for_each(|at| matches.add(bytes, at));
        at = next;
    }
    out.symbol(256);
    out.finish()
}

/// Where the same four bytes were before.
struct Matches {
    /// The last place of each hash, plus one.
    heads: Vec<u32>,
    /// For each place in the window, the one before it with the same hash, plus one.
    before: Vec<u32>,
}

impl Matches {
    fn new() -> Self {
        Matches { heads: vec![0; 1 << HASH_BITS], before: vec![0; MAX_DISTANCE] }
    }

    fn hash(bytes: &[u8], at: usize) -> Option<usize> {
        let word = bytes.get(at..)?.first_chunk::<4>()?;
        let hash = u32::from_le_bytes(*word).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
        usize::try_from(hash).ok()
    }

    fn add(&mut self, bytes: &[u8], at: usize) {
        let Some(head) = Self::hash(bytes, at).and_then(|hash| self.heads.get_mut(hash)) else {
            return;
        };
        if let Some(before) = self.before.get_mut(at % MAX_DISTANCE) {
            *before = *head;
        }
        *head = u32::try_from(at.saturating_add(1)).unwrap_or(0);
    }

    /// Length and distance of the longest match that is found; a length of 0 for none.
    fn longest(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let mut best = (0, 0);
        let Some(own) = bytes.get(at..) else { return best };
        let head = Self::hash(bytes, at).and_then(|hash| self.heads.get(hash));
        let mut next = head.copied().unwrap_or(0);
        for _ in 0..MAX_TRIES {
            let place = usize::try_from(next).ok().and_then(|next| next.checked_sub(1));
            let Some(place) = place.filter(|place| *place < at) else { break };
            let distance = at.saturating_sub(place);
            if distance > MAX_DISTANCE {
                break;
            }
            let there = bytes.get(place..).unwrap_or_default();
            let pairs = own.iter().zip(there).take(MAX_LENGTH);
            let len = pairs.take_while(|(own, there)| own == there).count();
            if len > best.0 {
                best = (len, distance);
            }
            next = self.before.get(place % MAX_DISTANCE).copied().unwrap_or(0);
        }
        best
    }
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    /// At most 16 bits.
    fn put(&mut self, bits: u16, count: u32) {
        self.held |= u64::from(bits) << self.count;
        self.count = self.count.saturating_add(count);
        while self.count >= 8 {
            self.out.extend(self.held.to_le_bytes().first());
            self.held >>= 8;
            self.count = self.count.saturating_sub(8);
        }
    }

    /// A code, whose highest bit comes first.
    fn code(&mut self, code: u16, count: u32) {
        self.put(code.reverse_bits() >> 16_u32.saturating_sub(count), count);
    }

    /// A letter, the end (256), or a code for lengths, in the fixed codes (RFC 1951, 3.2.6).
    fn symbol(&mut self, symbol: u16) {
        match symbol {
            0..=143 => self.code(symbol.wrapping_add(0x30), 8),
            144..=255 => self.code(symbol.wrapping_add(0x190 - 144), 9),
            256..=279 => self.code(symbol.wrapping_sub(256), 7),
            _ => self.code(symbol.wrapping_sub(280).wrapping_add(0xc0), 8),
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.extend(self.held.to_le_bytes().first());
        }
        self.out
    }
}

/// The code of a length or distance above the least one, what is above the first of that code, and in
/// how many bits. Codes come in groups of `1 << shift`: two groups without further bits, then one each
/// with 1, 2 and so on.
fn code_of(number: usize, shift: u32) -> (u16, u16, u32) {
    let number = u16::try_from(number).unwrap_or(u16::MAX);
    let bits = number.checked_ilog2().unwrap_or(0).saturating_sub(shift);
    let group = u16::try_from(bits).unwrap_or(0).wrapping_shl(shift);
    let in_group = number.wrapping_shr(bits);
    (group.saturating_add(in_group), number.wrapping_sub(in_group.wrapping_shl(bits)), bits)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for chunk in bytes.chunks(3) {
        let word = [0, 1, 2].iter().fold(0_u32, |word, index| {
            word << 8 | u32::from(chunk.get(*index).copied().unwrap_or(0))
        });
        for index in 0..4_usize {
            let digit = word >> [18, 12, 6, 0].get(index).copied().unwrap_or(0) & 63;
            let digit = usize::try_from(digit).ok().and_then(|digit| DIGITS.get(digit));
            let is_there = index <= chunk.len();
            text.push(digit.filter(|_| is_there).map_or('=', |digit| char::from(*digit)));
        }
    }
    text
}
