//! XXH32, the checksum of LZ4 frames.

const PRIMES: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];

/// XXH32 with the seed 0, fed in parts.
pub(super) struct Xxh32 {
    lanes: [u32; 4],
    total: u64,
    /// What does not fill 16 bytes yet.
    rest: Vec<u8>,
}

impl Xxh32 {
    pub(super) fn new() -> Self {
        let [p1, p2, ..] = PRIMES;
        let lanes = [p1.wrapping_add(p2), p2, 0, 0u32.wrapping_sub(p1)];
        Xxh32 { lanes, total: 0, rest: Vec::with_capacity(16) }
    }

    pub(super) fn of(bytes: &[u8]) -> u32 {
        let mut hash = Xxh32::new();
        hash.update(bytes);
        hash.finish()
    }

    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        self.total = self.total.wrapping_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if !self.rest.is_empty() {
            let missing = 16usize.saturating_sub(self.rest.len()).min(bytes.len());
            let (head, tail) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
            self.rest.extend_from_slice(head);
            bytes = tail;
            if let Some(stripe) = self.rest.first_chunk::<16>().copied() {
                self.stripe(&stripe);
                self.rest.clear();
            }
        }
        while let Some((stripe, tail)) = bytes.split_first_chunk::<16>() {
            self.stripe(stripe);
            bytes = tail;
        }
        self.rest.extend_from_slice(bytes);
    }

    fn stripe(&mut self, stripe: &[u8; 16]) {
        let [p1, p2, ..] = PRIMES;
        for (lane, word) in self.lanes.iter_mut().zip(stripe.chunks_exact(4)) {
            let word = word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
            *lane = lane.wrapping_add(word.wrapping_mul(p2)).rotate_left(13).wrapping_mul(p1);
        }
    }

    pub(super) fn finish(&self) -> u32 {
        let [p1, p2, p3, p4, p5] = PRIMES;
        let [a, b, c, d] = self.lanes;
        let mut hash = if self.total >= 16 {
            a.rotate_left(1)
                .wrapping_add(b.rotate_left(7))
                .wrapping_add(c.rotate_left(12))
                .wrapping_add(d.rotate_left(18))
        } else {
            p5
        };
        // The length counts modulo 2³².
        hash = hash.wrapping_add(u32::try_from(self.total & 0xffff_ffff).unwrap_or_default());
        let mut rest = self.rest.as_slice();
        while let Some((word, tail)) = rest.split_first_chunk() {
            hash = hash.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(p3));
            hash = hash.rotate_left(17).wrapping_mul(p4);
            rest = tail;
        }
        for byte in rest {
            hash = hash.wrapping_add(u32::from(*byte).wrapping_mul(p5));
            hash = hash.rotate_left(11).wrapping_mul(p1);
        }
        hash = (hash ^ (hash >> 15)).wrapping_mul(p2);
        hash = (hash ^ (hash >> 13)).wrapping_mul(p3);
        hash ^ (hash >> 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(Xxh32::of(b""), 0x02cc_5d05);
        assert_eq!(Xxh32::of(b"a"), 0x550d_7456);
        assert_eq!(Xxh32::of(b"abc"), 0x32d1_53ff);
        assert_eq!(Xxh32::of(b"Nobody inspects the spammish repetition"), 0xe229_3b2f);
    }

    #[test]
    fn parts_do_not_matter() {
        let bytes: Vec<u8> = (0..200u8).collect();
        for step in [1, 3, 15, 16, 17, 50] {
            let mut hash = Xxh32::new();
            bytes.chunks(step).for_each(|part| hash.update(part));
            assert_eq!(hash.finish(), Xxh32::of(&bytes), "in steps of {step}");
        }
    }
}
