/// The SplitMix64 generator: the same numbers from the same seed on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            (0..len.div_ceil(8)).flat_map(|_| self.next_u64().to_le_bytes()).collect();
        bytes.truncate(len);
        bytes
    }
}

/// Numbers on which length and offset arithmetic tends to break.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];

/// A changed copy of `sample`: one to four bytes replaced, bits flipped, numbers overwritten with
/// edge values, pieces removed, repeated or inserted.
pub fn mutate(rng: &mut SplitMix64, sample: &[u8]) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len().max(1));
        let end = bytes.len().min(at + 1 + rng.below(16));
        match rng.below(7) {
            _ if bytes.is_empty() => bytes = rng.bytes(8),
            0 => bytes[at] = rng.next_u64() as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => {
                let width = [1, 2, 4, 8][rng.below(4)];
                let edge = EDGES[rng.below(EDGES.len())];
                let number = if rng.below(2) == 0 {
                    edge.to_le_bytes()[..width].to_vec()
                } else {
                    edge.to_be_bytes()[8 - width..].to_vec()
                };
                for (byte, new) in bytes[at..].iter_mut().zip(number) {
                    *byte = new;
                }
            }
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => {
                let len = 1 + rng.below(8);
                bytes.splice(at..at, rng.bytes(len));
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}
