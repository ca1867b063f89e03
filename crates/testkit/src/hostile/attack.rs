use super::random::{SplitMix64, mutate};

/// One hostile input.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the input, for messages.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

impl Case {
    /// A named input.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Case {
        Case { name: name.into(), bytes: bytes.into() }
    }
}

/// `levels` containers inside one another: `open` for each, then `leaf`, then `close` for each.
///
/// For formats whose containers say how many elements they hold, not how many bytes. The usual
/// number of levels is 100 000.
pub fn nest(levels: usize, open: &[u8], leaf: &[u8], close: &[u8]) -> Vec<u8> {
    [open.repeat(levels), leaf.to_vec(), close.repeat(levels)].concat()
}

/// `levels` containers inside one another, for formats whose containers say how many bytes they
/// hold. `head` gives the bytes in front of a content of the given length, `tail` is what follows
/// the content.
pub fn nest_sized(
    levels: usize,
    leaf: &[u8],
    tail: &[u8],
    mut head: impl FnMut(usize) -> Vec<u8>,
) -> Vec<u8> {
    let mut len = leaf.len();
    let mut heads: Vec<Vec<u8>> = (0..levels)
        .map(|_| {
            let head = head(len);
            len += head.len() + tail.len();
            head
        })
        .collect();
    heads.reverse();
    let mut bytes = heads.concat();
    bytes.extend_from_slice(leaf);
    bytes.extend(tail.repeat(levels));
    bytes
}

/// Lengths that no short input can hold: up to the ends of 16, 32 and 64 bits, signed and not.
pub const CLAIMS: [u64; 10] = [
    0x7fff,
    0xffff,
    0x7fff_ffff,
    1 << 31,
    u32::MAX as u64,
    1 << 32,
    1 << 40,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// One case for each of [`CLAIMS`] that `write` can express: a container, string or buffer that
/// claims this length and holds next to nothing. `write` gives the whole input, `None` where the
/// format has no room for the number.
pub fn length_claims(mut write: impl FnMut(u64) -> Option<Vec<u8>>) -> Vec<Case> {
    let case = |number| Some(Case::new(format!("length claim {number:#x}"), write(number)?));
    CLAIMS.into_iter().filter_map(case).collect()
}

/// A claim as four little-endian bytes.
pub fn u32_le(number: u64) -> Option<Vec<u8>> {
    Some(u32::try_from(number).ok()?.to_le_bytes().to_vec())
}

/// Every proper prefix of a sample, from the empty one on.
pub fn truncations(name: &str, sample: &[u8]) -> impl Iterator<Item = Case> {
    (0..sample.len()).map(move |len| {
        Case::new(format!("{name}, first {len} of {} bytes", sample.len()), &sample[..len])
    })
}

/// A sample with each of its bits flipped in turn.
pub fn bit_flips(name: &str, sample: &[u8]) -> impl Iterator<Item = Case> {
    (0..sample.len() * 8).map(move |bit| {
        let mut bytes = sample.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        Case::new(format!("{name}, bit {} of byte {:#x} flipped", bit % 8, bit / 8), bytes)
    })
}

/// `count` changed copies of a sample; see [`mutate`]. The same seed gives the same copies.
pub fn mutations(name: &str, sample: &[u8], seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(move |n| {
        Case::new(format!("{name}, mutation {n} of seed {seed}"), mutate(&mut rng, sample))
    })
}

/// `count` inputs of random bytes, shorter than `end` bytes. The same seed gives the same inputs.
pub fn random_bytes(seed: u64, count: usize, end: usize) -> impl Iterator<Item = Case> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(move |n| {
        let len = rng.below(end);
        Case::new(format!("random bytes {n} of seed {seed}"), rng.bytes(len))
    })
}
