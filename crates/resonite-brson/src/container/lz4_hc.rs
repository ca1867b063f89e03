//! An LZ4 block encoder that looks for the longest matches, as the engine's does.
//!
//! Hash chains over the last 64 KiB; before a match is taken, the next position is asked for a longer
//! one.

/// Shorter matches cannot be said.
const MIN_MATCH: usize = 4;
/// The literals that a block ends with, at least.
const LAST_LITERALS: usize = 5;
/// The bytes before the end in which no match begins.
const MATCH_LIMIT: usize = 12;
/// The farthest that a match may be.
const WINDOW: usize = 0xffff;
const HASH_BITS: u32 = 15;
/// The number of earlier positions that are tried.
const ATTEMPTS: usize = 64;
/// A match as long as this is taken at once.
const GOOD: usize = 64;

/// Keeps its tables and its output between blocks.
pub(super) struct HcEncoder {
    /// For each hash the last position with it, plus one.
    heads: Vec<u32>,
    /// For each position, modulo the window, the one before it with the same hash, plus one.
    chain: Vec<u32>,
    out: Vec<u8>,
}

#[derive(Clone, Copy, Default)]
struct Match {
    from: usize,
    len: usize,
}

impl HcEncoder {
    pub(super) fn new() -> Self {
        HcEncoder {
            heads: vec![0; 1 << HASH_BITS],
            chain: vec![0; WINDOW.saturating_add(1)],
            out: Vec::new(),
        }
    }

    /// One block. Positions are 32 bits wide: for more than 4 GiB the rest is literals.
    pub(super) fn encode(&mut self, input: &[u8]) -> &[u8] {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        self.sequences(input, |literals, copy| put_sequence(&mut out, literals, copy));
        self.out = out;
        &self.out
    }

    /// Finds what can be copied: literals, and a distance and length that the last ones have not.
    pub(super) fn sequences<'i>(
        &mut self,
        input: &'i [u8],
        mut each: impl FnMut(&'i [u8], Option<(usize, usize)>),
    ) {
        self.heads.fill(0);
        let mut finder = Finder { input, heads: &mut self.heads, chain: &mut self.chain, next: 0 };
        let last = input.len().saturating_sub(MATCH_LIMIT).min(u32::MAX as usize);
        let mut anchor = 0usize;
        let mut at = 0usize;
        while at < last {
            let mut found = finder.longest(at, 0);
            if found.len < MIN_MATCH {
                at = at.saturating_add(1);
                continue;
            }
            // One literal more is worth it for a longer match.
            while found.len < GOOD && at.saturating_add(1) < last {
                let later = finder.longest(at.saturating_add(1), found.len);
                if later.len <= found.len {
                    break;
                }
                at = at.saturating_add(1);
                found = later;
            }
            let literals = input.get(anchor..at).unwrap_or_default();
            each(literals, Some((at.saturating_sub(found.from), found.len)));
            at = at.saturating_add(found.len);
            anchor = at;
        }
        each(input.get(anchor..).unwrap_or_default(), None);
    }
}

struct Finder<'a> {
    input: &'a [u8],
    heads: &'a mut [u32],
    chain: &'a mut [u32],
    /// The first position that is not in the tables.
    next: usize,
}

impl Finder<'_> {
    fn hash(&self, at: usize) -> Option<usize> {
        let word = u32::from_le_bytes(*self.input.get(at..)?.first_chunk()?);
        let hash = word.wrapping_mul(2_654_435_761) >> (u32::BITS.wrapping_sub(HASH_BITS));
        usize::try_from(hash).ok()
    }

    /// Enters all positions before `at`.
    fn enter(&mut self, at: usize) {
        while self.next < at {
            if let Some(hash) = self.hash(self.next)
                && let Some(head) = self.heads.get_mut(hash)
                && let Some(link) = self.chain.get_mut(self.next & WINDOW)
            {
                *link = *head;
                *head = u32::try_from(self.next.saturating_add(1)).unwrap_or_default();
            }
            self.next = self.next.saturating_add(1);
        }
    }

    /// The longest match at `at` that is longer than `least`, if there is one.
    fn longest(&mut self, at: usize, least: usize) -> Match {
        self.enter(at);
        let mut best = Match { from: 0, len: least };
        let end = self.input.len().saturating_sub(LAST_LITERALS);
        let here = self.input.get(at..end).unwrap_or_default();
        let mut next = self.hash(at).and_then(|hash| self.heads.get(hash)).copied().unwrap_or(0);
        let oldest = at.saturating_sub(WINDOW);
        for _ in 0..ATTEMPTS {
            let Some(from) = usize::try_from(next).ok().and_then(|next| next.checked_sub(1)) else {
                break;
            };
            if from < oldest || from >= at {
                break;
            }
            let there = self.input.get(from..).unwrap_or_default();
            // The byte that would make it longer decides most cases.
            if here.get(best.len).is_some() && here.get(best.len) == there.get(best.len) {
                let len = common(here, there);
                if len > best.len {
                    best = Match { from, len };
                    if len == here.len() {
                        break;
                    }
                }
            }
            let link = self.chain.get(from & WINDOW).copied().unwrap_or(0);
            // A link that was overwritten points forward.
            if link >= next {
                break;
            }
            next = link;
        }
        best
    }
}

/// The number of equal bytes at the start.
fn common(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0usize;
    let mut words = a.chunks_exact(8).zip(b.chunks_exact(8));
    for (a, b) in &mut words {
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        let differ = word(a) ^ word(b);
        if differ != 0 {
            let same = differ.trailing_zeros() >> 3;
            return len.saturating_add(usize::try_from(same).unwrap_or(0));
        }
        len = len.saturating_add(8);
    }
    let (a, b) = (a.get(len..).unwrap_or_default(), b.get(len..).unwrap_or_default());
    len.saturating_add(a.iter().zip(b).take_while(|(a, b)| a == b).count())
}

/// Literals, and a match by its distance and length; the last sequence has none.
fn put_sequence(out: &mut Vec<u8>, literals: &[u8], copy: Option<(usize, usize)>) {
    let nibble = |len: usize| u8::try_from(len.min(15)).unwrap_or(15);
    let extra = copy.map_or(0, |(_, len)| len.saturating_sub(MIN_MATCH));
    out.push(nibble(literals.len()) << 4 | nibble(extra));
    put_length(out, literals.len());
    out.extend_from_slice(literals);
    if let Some((distance, _)) = copy {
        out.extend_from_slice(&u16::try_from(distance).unwrap_or(u16::MAX).to_le_bytes());
        put_length(out, extra);
    }
}

/// The part of a length that does not fit into the token.
fn put_length(out: &mut Vec<u8>, len: usize) {
    let Some(mut rest) = len.checked_sub(15) else { return };
    while let Some(less) = rest.checked_sub(255) {
        out.push(255);
        rest = less;
    }
    out.push(u8::try_from(rest).unwrap_or(255));
}
