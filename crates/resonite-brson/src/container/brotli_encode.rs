//! A small Brotli encoder, RFC 7932: Huffman codes over the matches that the encoder of LZ4 finds. It has
//! neither contexts nor a dictionary.

use super::lz4_hc::HcEncoder;

/// The bytes of a metablock, which has codes for what is in it.
const BLOCK: usize = 1 << 18;

/// The most bytes that one command stands for in each of its halves.
const LONGEST: usize = 1 << 16;

/// The extra bits of the codes for how many literals are inserted, which begin at 0.
const INSERT: [u32; 24] =
    [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24];

/// The extra bits of the codes for how many bytes are copied, which begin at 2.
const COPY: [u32; 24] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24];

/// The first symbols for both, by the upper bits of the two codes.
const CELLS: [[usize; 3]; 3] = [[128, 192, 384], [256, 320, 512], [448, 576, 640]];

/// The longest code of a symbol.
const DEEPEST: u32 = 15;

pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) {
    let mut commands = Vec::new();
    HcEncoder::new().sequences(bson, |literals, copy| cut(&mut commands, literals, copy));
    let mut bits = Bits { out, held: 0, count: 0 };
    // A window of 2^17 bytes.
    bits.put(1, 7);
    let (mut rest, mut last) = (commands.as_slice(), 4);
    while !rest.is_empty() {
        let mut len = 0_usize;
        let whole = rest.iter().position(|own| {
            len = len.saturating_add(own.len());
            own.copy.is_none() || len >= BLOCK
        });
        let (block, after) = rest.split_at(whole.map_or(rest.len(), |at| at.saturating_add(1)));
        rest = after;
        metablock(&mut bits, block, len, &mut last);
    }
    // The last metablock is empty.
    bits.put(3, 2);
    bits.put(0, 7);
}

/// Literals, and how far back and how long what is copied is; only literals end a metablock.
struct Command<'a> {
    literals: &'a [u8],
    copy: Option<(usize, usize)>,
}

impl Command<'_> {
    fn len(&self) -> usize {
        self.literals.len().saturating_add(self.copy.map_or(0, |(_, len)| len))
    }
}

/// Adds commands for literals and a copy.
fn cut<'a>(
    commands: &mut Vec<Command<'a>>,
    mut literals: &'a [u8],
    mut copy: Option<(usize, usize)>,
) {
    while let Some((piece, rest)) = literals.split_at_checked(LONGEST) {
        commands.push(Command { literals: piece, copy: None });
        literals = rest;
    }
    while let Some((distance, left)) = copy.filter(|(_, len)| *len > LONGEST) {
        let len = LONGEST / 2;
        commands.push(Command { literals, copy: Some((distance, len)) });
        (literals, copy) = (&[], Some((distance, left.saturating_sub(len))));
    }
    if !literals.is_empty() || copy.is_some() {
        commands.push(Command { literals, copy });
    }
}

/// The code of a length, its extra bits and how many these are.
fn length(extra: &[u32; 24], first: usize, len: usize) -> Symbol {
    let mut base = first;
    for (code, bits) in extra.iter().enumerate() {
        let next = base.saturating_add(1 << bits);
        if len < next {
            return (code, len.saturating_sub(base) as u64, *bits);
        }
        base = next;
    }
    debug_assert!(false, "a command of {len} bytes was not cut");
    (23, 0, 24)
}

/// A symbol with its extra bits, and how many these are.
type Symbol = (usize, u64, u32);

/// The symbol of a distance; 0 is the last one again.
fn distance(own: usize, last: &mut usize) -> Symbol {
    if own == *last {
        return (0, 0, 0);
    }
    *last = own;
    let own = own.saturating_add(3);
    let bits = own.ilog2().saturating_sub(1);
    let half = own >> bits & 1;
    let symbol =
        14_usize.saturating_add(2_usize.saturating_mul(bits as usize)).saturating_add(half);
    let base = half.saturating_add(2) << bits;
    (symbol, own.saturating_sub(base) as u64, bits)
}

fn metablock(bits: &mut Bits<'_>, block: &[Command<'_>], len: usize, last: &mut usize) {
    let (mut literals, mut commands, mut distances) =
        (Code::new(256), Code::new(704), Code::new(64));
    let mut said = Vec::with_capacity(block.len());
    for own in block {
        let insert = length(&INSERT, 0, own.literals.len());
        // Every command names a copy; readers leave the metablock before that of its last one.
        let copy = length(&COPY, 2, own.copy.map_or(2, |(_, len)| len));
        let cell = CELLS.get(insert.0 >> 3).and_then(|row| row.get(copy.0 >> 3));
        // RFC 7932, 5: a cell has eight codes of either sort, those of literals above.
        let symbol = cell.copied().unwrap_or_default() | (insert.0 & 7) << 3 | copy.0 & 7;
        let far = own.copy.map(|(own, _)| distance(own, last));
        own.literals.iter().for_each(|byte| literals.count(usize::from(*byte)));
        commands.count(symbol);
        far.iter().for_each(|far| distances.count(far.0));
        said.push((symbol, insert, copy, far));
    }
    // Not the last one; its length in four nibbles or five.
    let (more, width) = if len > 1 << 16 { (1, 20) } else { (0, 16) };
    bits.put(0, 1);
    bits.put(more, 2);
    bits.put(len.saturating_sub(1) as u64, width);
    // Compressed; one type of block each, distances without direct ones, one context.
    bits.put(0, 1 + 13);
    for code in [&mut literals, &mut commands, &mut distances] {
        code.write(bits);
    }
    for (own, (symbol, insert, copy, far)) in block.iter().zip(said) {
        commands.put(bits, symbol);
        bits.put(insert.1, insert.2);
        bits.put(copy.1, copy.2);
        own.literals.iter().for_each(|byte| literals.put(bits, usize::from(*byte)));
        if let Some((symbol, extra, count)) = far {
            distances.put(bits, symbol);
            bits.put(extra, count);
        }
    }
}

/// A Huffman code.
struct Code {
    counts: Vec<u32>,
    /// The code of each symbol, the first bit lowest, and its length.
    codes: Vec<(u64, u32)>,
}

impl Code {
    fn new(symbols: usize) -> Self {
        Code { counts: vec![0; symbols], codes: vec![(0, 0); symbols] }
    }

    fn count(&mut self, symbol: usize) {
        match self.counts.get_mut(symbol) {
            Some(count) => *count = count.saturating_add(1),
            None => debug_assert!(false, "no symbol {symbol}"),
        }
    }

    fn put(&self, bits: &mut Bits<'_>, symbol: usize) {
        match self.codes.get(symbol) {
            Some((code, len)) => bits.put(*code, *len),
            None => debug_assert!(false, "no symbol {symbol}"),
        }
    }

    /// Makes the codes, and writes their lengths.
    fn write(&mut self, bits: &mut Bits<'_>) {
        let used: Vec<usize> = (0..self.counts.len()).filter(|at| self.is_used(*at)).collect();
        if used.len() < 2 {
            // A simple code of one symbol, which takes no bits.
            bits.put(1, 4);
            let wide =
                usize::BITS.saturating_sub(self.counts.len().saturating_sub(1).leading_zeros());
            // Of no symbol at all, such as distances where nothing is copied, any will do.
            let only = used.first().copied().unwrap_or(0);
            return bits.put(only as u64, wide);
        }
        let lengths = self.lengths(used);
        self.codes = codes(&lengths);
        // Of the lengths, 0 has one bit, the others and runs of 0 have five, and 16 is not used.
        bits.put(0, 2);
        for at in [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15] {
            match at {
                0 => bits.put(7, 4),
                16 => bits.put(0, 2),
                _ => bits.put(15, 4),
            }
        }
        // The code of length 0 is 0; those of five bits begin at 16, with length 1, their first bit lowest.
        let five = |own: u32| u64::from(own.wrapping_add(15).reverse_bits() >> 27);
        let mut zeros = 0_usize;
        let end = lengths.iter().rposition(|len| *len > 0).map_or(0, |at| at.saturating_add(1));
        for len in lengths.iter().take(end) {
            if *len == 0 {
                zeros = zeros.saturating_add(1);
                continue;
            }
            match zeros {
                0..3 => (0..zeros).for_each(|_| bits.put(0, 1)),
                _ => runs(zeros).into_iter().for_each(|run| {
                    bits.put(31, 5);
                    bits.put(run, 3);
                }),
            }
            zeros = 0;
            bits.put(five(*len), 5);
        }
    }

    fn is_used(&self, symbol: usize) -> bool {
        self.counts.get(symbol).is_some_and(|count| *count > 0)
    }

    /// The lengths of the codes, of two or more symbols.
    fn lengths(&self, used: Vec<usize>) -> Vec<u32> {
        let count = |at: &usize| self.counts.get(*at).copied().unwrap_or_default();
        let mut shift = 0_u32;
        loop {
            let mut lengths = vec![0_u32; self.counts.len()];
            // The lightest two become one, again and again.
            let weigh = |at: &usize| (std::cmp::Reverse((count(at) >> shift).max(1)), vec![*at]);
            let mut heap: std::collections::BinaryHeap<_> = used.iter().map(weigh).collect();
            while let (Some(mut one), Some(mut other)) = (heap.pop(), heap.pop()) {
                if one.1.len() < other.1.len() {
                    std::mem::swap(&mut one, &mut other);
                }
                one.1.append(&mut other.1);
                for at in &one.1 {
                    if let Some(len) = lengths.get_mut(*at) {
                        *len = len.saturating_add(1);
                    }
                }
                if heap.is_empty() {
                    break;
                }
                one.0.0 = one.0.0.saturating_add(other.0.0);
                heap.push(one);
            }
            if lengths.iter().all(|len| *len <= DEEPEST) {
                return lengths;
            }
            // Counts that differ less make a flatter tree.
            shift = shift.saturating_add(1);
        }
    }
}

/// The extra bits of the symbols for a run of three zeros and more.
fn runs(zeros: usize) -> Vec<u64> {
    let (mut digits, mut left) = (Vec::new(), zeros.saturating_sub(3));
    loop {
        digits.push((left & 7) as u64);
        match (left >> 3).checked_sub(1) {
            Some(next) => left = next,
            None => break,
        }
    }
    digits.reverse();
    digits
}

/// Canonical codes of these lengths.
fn codes(lengths: &[u32]) -> Vec<(u64, u32)> {
    let mut codes = vec![(0, 0); lengths.len()];
    let mut next = 0_u16;
    for len in 1..=DEEPEST {
        let of_length = codes.iter_mut().zip(lengths).filter(|(_, own)| **own == len);
        for (code, _) in of_length {
            *code = (u64::from(next.reverse_bits() >> 16_u32.saturating_sub(len)), len);
            next = next.wrapping_add(1);
        }
        next <<= 1;
    }
    codes
}

/// Bits, the first one lowest.
struct Bits<'o> {
    out: &'o mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// At most 24 bits.
    fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(count <= 24 && bits >> count == 0, "{bits:#x} in {count} bits");
        self.held |= bits << self.count;
        self.count = self.count.saturating_add(count);
        while let Some(left) = self.count.checked_sub(8) {
            let [byte, ..] = self.held.to_le_bytes();
            self.out.push(byte);
            (self.held, self.count) = (self.held >> 8, left);
        }
    }
}
