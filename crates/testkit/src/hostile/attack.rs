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

/// A sample with each of its bits flipped in turn; of a long one, at most 4 000 bits in equal distances.
pub fn bit_flips(name: &str, sample: &[u8]) -> impl Iterator<Item = Case> {
    // Odd, so that it comes to each bit of a byte.
    let step = (sample.len() * 8).div_ceil(4_000) | 1;
    (0..sample.len() * 8).step_by(step).map(move |bit| {
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

/// Files of `len` bytes that are none of any format here: zeros, one byte again and again, and the headers of
/// common files with zeros behind them, which is what pictures and sounds often look like.
pub fn foreign(len: usize) -> Vec<Case> {
    let head = |name: &str, head: &[u8]| {
        let mut bytes = head.to_vec();
        bytes.resize(len.max(head.len()), 0);
        Case::new(format!("{name} of {len} bytes"), bytes)
    };
    let size = u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    let bmp = [
        &b"BM"[..],
        &size,
        &[0, 0, 0, 0, 0x46, 0, 0, 0, 0x38, 0, 0, 0, 0, 5, 0, 0, 0xd0, 2, 0, 0, 1, 0, 16, 0, 3],
    ];
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x04\0\x08\x06\0\0\0";
    let wav = [
        &b"RIFF"[..],
        &size,
        b"WAVEfmt \x10\0\0\0\x01\0\x02\0D\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data",
    ];
    let zip =
        b"PK\x03\x04\x14\0\0\0\x08\0\0\0!\0\x2a\x2a\x2a\x2a\x10\0\0\0\x20\0\0\0\x05\0\0\0a.txt";
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0";
    let mut cases = vec![
        head("zeros", b""),
        head("BMP", &bmp.concat()),
        head("PNG", png),
        head("WAV", &wav.concat()),
        head("ZIP", zip),
        head("ELF", elf),
        head("PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n"),
    ];
    let bytes = b"\x01\x04\x1c ,A[{\"%\x7f\x80\xff";
    let repeated = |byte: &u8| Case::new(format!("{len} bytes {byte:#04x}"), vec![*byte; len]);
    cases.extend(bytes.iter().map(repeated));
    cases
}
