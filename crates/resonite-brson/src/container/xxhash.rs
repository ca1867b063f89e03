//! XXH32, the checksum of LZ4 frames.

const P1: u32 = 0x9e37_79b1;
const P2: u32 = 0x85eb_ca77;
const P3: u32 = 0xc2b2_ae3d;
const P4: u32 = 0x27d4_eb2f;
const P5: u32 = 0x1656_67b1;

/// XXH32 with the seed 0.
pub(super) fn xxh32(bytes: &[u8]) -> u32 {
    let mut rest = bytes;
    // Four lanes take four bytes each in turn; below 16 bytes there are none.
    let mut lanes = [P1.wrapping_add(P2), P2, 0, 0u32.wrapping_sub(P1)];
    while let Some((stripe, tail)) = rest.split_first_chunk::<16>() {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks().0) {
            let word = u32::from_le_bytes(*word);
            *lane = lane.wrapping_add(word.wrapping_mul(P2)).rotate_left(13).wrapping_mul(P1);
        }
        rest = tail;
    }
    let [a, b, c, d] = lanes;
    let mut hash = if rest.len() == bytes.len() {
        P5
    } else {
        a.rotate_left(1)
            .wrapping_add(b.rotate_left(7))
            .wrapping_add(c.rotate_left(12))
            .wrapping_add(d.rotate_left(18))
    };
    // The length counts modulo 2³².
    hash = hash.wrapping_add(u32::try_from(bytes.len() & 0xffff_ffff).unwrap_or_default());
    while let Some((word, tail)) = rest.split_first_chunk() {
        hash = hash.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(P3));
        hash = hash.rotate_left(17).wrapping_mul(P4);
        rest = tail;
    }
    for byte in rest {
        hash = hash.wrapping_add(u32::from(*byte).wrapping_mul(P5));
        hash = hash.rotate_left(11).wrapping_mul(P1);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(P2);
    hash = (hash ^ (hash >> 13)).wrapping_mul(P3);
    hash ^ (hash >> 16)
}
