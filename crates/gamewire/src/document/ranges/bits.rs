//! Runs of bits in bytes: compared, hashed, copied. Fast where they begin at whole bytes.

use std::cell::Cell;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::ops::Range;

use gamewire_core::bytes::part;

/// Bytes that are compared at once.
const CHUNK: usize = 4096;

/// Returns up to 56 bits from a bit on, the first one lowest. Bits past the end are zero.
#[inline]
pub(in crate::document) fn word(bytes: &[u8], at: usize, len: usize) -> u64 {
    debug_assert!(len <= 56, "a word has 64 bits, of which up to 7 stand before the first");
    let rest = part(bytes, at >> 3..);
    let word = match rest.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    (word >> (at & 7)) & ((1 << len) - 1)
}

/// Returns whether two runs of bytes are equal: by words, as WebAssembly has no fast comparison of bytes.
fn is_equal(x: &[u8], y: &[u8]) -> bool {
    let ((words, rest), (others, tail)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    let differ = |(x, y): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
    x.len() == y.len()
        // Without a way out in between, so that the compiler takes many words at once.
        && words.iter().zip(others).map(differ).fold(0, |all, own| all | own) == 0
        && rest == tail
}

/// Returns how many bytes at the beginning of two runs are the same.
pub(in crate::document) fn common_start(x: &[u8], y: &[u8]) -> usize {
    let pairs = x.chunks(CHUNK).zip(y.chunks(CHUNK));
    let same: usize = pairs.take_while(|(x, y)| is_equal(x, y)).map(|(x, _)| x.len()).sum();
    let rests = [x, y].map(|own| part(own, same..));
    same + rests[0].iter().zip(rests[1]).take_while(|(x, y)| x == y).count()
}

/// Returns how many bytes at the end of two runs are the same.
pub(in crate::document) fn common_bytes(x: &[u8], y: &[u8]) -> usize {
    let pairs = x.rchunks(CHUNK).zip(y.rchunks(CHUNK));
    let same: usize = pairs.take_while(|(x, y)| is_equal(x, y)).map(|(x, _)| x.len()).sum();
    let rests = [x, y].map(|own| part(own, ..own.len() - same));
    same + rests[0].iter().rev().zip(rests[1].iter().rev()).take_while(|(x, y)| x == y).count()
}

/// Returns the bits before the first difference of two runs of one length; `None` where all are the same.
fn mismatch(a: &[u8], run: &Range<usize>, b: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut other) = (run.start, from);
    if (at | other) & 7 == 0 {
        // Whole bytes, many at once.
        let len = run.len() >> 3;
        let bytes = |all: &'_ [u8], at: usize| -> Range<usize> {
            let start = (at >> 3).min(all.len());
            start..(start + len).min(all.len())
        };
        let (x, y) = (a.get(bytes(a, at)), b.get(bytes(b, other)));
        if let (Some(x), Some(y)) = (x, y) {
            let same = common_start(x, y) * 8;
            (at, other) = (at + same, other + same);
        }
    }
    while at < run.end {
        let len = (run.end - at).min(56);
        let differ = word(a, at, len) ^ word(b, other, len);
        if differ != 0 {
            return Some(at - run.start + differ.trailing_zeros() as usize);
        }
        (at, other) = (at + len, other + len);
    }
    None
}

/// Returns how many bits at the end of two runs are the same, at least.
fn common_end(a: &[u8], x: &Range<usize>, b: &[u8], y: &Range<usize>) -> usize {
    // Both have to end at the same bit of a byte, or no whole bytes can be compared.
    let rest = x.end & 7;
    let fits = rest == y.end & 7 && rest <= x.len() && rest <= y.len();
    if !fits || word(a, x.end - rest, rest) != word(b, y.end - rest, rest) {
        return 0;
    }
    let whole = |bytes: &'_ [u8], run: &Range<usize>| -> Range<usize> {
        let end = (run.end >> 3).min(bytes.len());
        run.start.div_ceil(8).min(end)..end
    };
    let x = part(a, whole(a, x));
    let y = part(b, whole(b, y));
    common_bytes(x, y) * 8 + rest
}

/// Returns whether two runs of bits are equal.
pub(in crate::document) fn is_same(
    (a, x): (&[u8], Range<usize>),
    (b, y): (&[u8], Range<usize>),
) -> bool {
    x.len() == y.len() && mismatch(a, &x, b, y.start).is_none()
}

/// Compares values of two files, and remembers where these were seen to differ last. A value around that
/// place differs: without this, a walk down to a change compares everything before it at each level.
#[derive(Debug, Default)]
pub(in crate::document) struct Memo {
    differs: Cell<Option<(usize, usize)>>,
    /// The same from behind: from these places on they were the same.
    alike: Cell<Option<(usize, usize)>>,
}

impl Memo {
    /// Returns whether two runs of bits are equal.
    pub(in crate::document) fn is_same(
        &self,
        (a, x): (&[u8], Range<usize>),
        (b, y): (&[u8], Range<usize>),
    ) -> bool {
        if x.len() != y.len() {
            return false;
        }
        if let Some((at, other)) = self.differs.get()
            && x.contains(&at)
            && y.contains(&other)
            && at - x.start == other - y.start
        {
            return false;
        }
        let found = mismatch(a, &x, b, y.start);
        if let Some(after) = found {
            self.differs.set(Some((x.start + after, y.start + after)));
        }
        found.is_none()
    }

    /// Returns how many bits at the end of two runs are the same, at least.
    pub(in crate::document) fn common_end(
        &self,
        (a, x): (&[u8], Range<usize>),
        (b, y): (&[u8], Range<usize>),
    ) -> usize {
        if let Some((at, other)) = self.alike.get()
            && (x.start..=x.end).contains(&at)
            && (y.start..=y.end).contains(&other)
            && x.end - at == y.end - other
        {
            return x.end - at;
        }
        let found = common_end(a, &x, b, &y);
        self.alike.set(Some((x.end - found, y.end - found)));
        found
    }
}

/// Returns a hash of a run of bits, whatever bit of a byte it begins at.
pub(in crate::document) fn hash(bytes: &[u8], run: Range<usize>, hasher: &RandomState) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write_usize(run.len());
    let mut at = run.start;
    while at < run.end {
        let len = (run.end - at).min(56);
        hasher.write_u64(word(bytes, at, len));
        at += len;
    }
    hasher.finish()
}

/// Bits at each end of a long run that [`sample`] looks at.
const SAMPLED: usize = 1024;

/// Returns a number that is the same for the same bits, and seldom for others: of a long run, its ends count.
pub(in crate::document) fn sample(bytes: &[u8], run: Range<usize>) -> u64 {
    let mix = |own: u64, word: u64| {
        let product = (own ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    };
    let mut own = mix(0, run.len() as u64);
    let inner = run.start + SAMPLED.min(run.len())..run.end - SAMPLED.min(run.len());
    let mut at = run.start;
    while at < run.end {
        let len = (run.end - at).min(56);
        own = mix(own, word(bytes, at, len));
        // The middle of a long run is not looked at.
        at = if inner.contains(&(at + len)) { inner.end } else { at + len };
    }
    own
}

/// Output that ends at any bit.
#[derive(Debug, Default)]
pub(in crate::document) struct Out {
    /// The bytes; bits of the last one that are not written yet are zero.
    pub(in crate::document) bytes: Vec<u8>,
    spare: u32,
    /// Where sizes stand that are not known yet, for the grammar that writes them.
    pub(in crate::document) marks: Vec<(usize, usize)>,
    /// The line of the old bytes that was looked up last, for grammars of text.
    pub(in crate::document) line: Range<usize>,
}

impl Out {
    pub(in crate::document) fn with_capacity(bytes: usize) -> Out {
        Out { bytes: Vec::with_capacity(bytes), ..Out::default() }
    }

    /// Returns the position in bits.
    pub(in crate::document) fn at(&self) -> usize {
        self.bytes.len() * 8 - self.spare as usize
    }

    /// Appends the lowest bits of a number.
    pub(in crate::document) fn bits(&mut self, mut value: u64, mut len: usize) {
        while len > 0 {
            if self.spare == 0 {
                self.bytes.push(0);
                self.spare = 8;
            }
            let step = len.min(self.spare as usize);
            let bits = (value & ((1 << step) - 1)).to_le_bytes();
            if let (Some(last), [low, ..]) = (self.bytes.last_mut(), bits) {
                *last |= low << (8 - self.spare);
            }
            value >>= step;
            len -= step;
            self.spare -= u32::try_from(step).unwrap_or(self.spare);
        }
    }

    /// Goes to the next whole byte.
    pub(in crate::document) fn align(&mut self) {
        self.spare = 0;
    }

    /// Appends a run of bits.
    pub(in crate::document) fn copy(&mut self, bytes: &[u8], run: Range<usize>) {
        let mut at = run.start;
        // Bits up to a whole byte, whole bytes at once, and the rest below.
        if self.at() & 7 == at & 7 {
            let head = (at.wrapping_neg() & 7).min(run.end.saturating_sub(at));
            self.bits(word(bytes, at, head), head);
            at += head;
            let whole = run.end.saturating_sub(at) >> 3;
            let from = at >> 3;
            if let Some(own) = bytes.get(from..from + whole).filter(|own| !own.is_empty()) {
                self.bytes.extend_from_slice(own);
                at += whole << 3;
            }
        }
        while at < run.end {
            let len = (run.end - at).min(56);
            self.bits(word(bytes, at, len), len);
            at += len;
        }
    }

    /// Writes over bytes that were written.
    pub(in crate::document) fn overwrite(&mut self, at: usize, new: &[u8]) {
        let old = at.checked_add(new.len()).and_then(|end| self.bytes.get_mut(at..end));
        debug_assert!(old.is_some(), "only what was written can be written over");
        if let Some(old) = old {
            old.copy_from_slice(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(bytes: &[u8], run: Range<usize>) -> Vec<u8> {
        run.map(|at| bytes[at / 8] >> (at % 8) & 1).collect()
    }

    proptest::proptest! {
        #[test]
        fn runs_are_what_their_bits_are(
            a: Vec<u8>, b: Vec<u8>, x: [proptest::sample::Index; 2], y: [proptest::sample::Index; 2],
        ) {
            let run = |bytes: &[u8], ends: [proptest::sample::Index; 2]| {
                let [start, end] = ends.map(|end| end.index(bytes.len() * 8 + 1));
                start.min(end)..start.max(end)
            };
            let (x, y) = (run(&a, x), run(&b, y));
            let (own, other) = (bits(&a, x.clone()), bits(&b, y.clone()));
            let memo = Memo::default();
            for _ in 0..2 {
                assert_eq!(memo.is_same((&a, x.clone()), (&b, y.clone())), own == other);
                let common = memo.common_end((&a, x.clone()), (&b, y.clone()));
                assert_eq!(own[own.len() - common..], other[other.len() - common..]);
            }
            if own == other {
                let hasher = RandomState::new();
                assert_eq!(hash(&a, x.clone(), &hasher), hash(&b, y.clone(), &hasher));
            }
            let mut out = Out::default();
            out.copy(&a, x);
            out.copy(&b, y);
            assert_eq!(bits(&out.bytes, 0..out.at()), [own, other].concat());
        }
    }
}
