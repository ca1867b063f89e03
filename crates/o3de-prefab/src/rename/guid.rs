//! The ids that the Asset Processor makes of paths.

use o3de_json::types::Uuid;

/// The id that the Asset Processor gives a file by its path from its scan folder: a UUID of version 5 without
/// a namespace, of the path in lower case with `/`.
///
/// It is the `guid` of all that is made of the file. A file has another one where a `.meta` file beside it
/// (in older engines `.metadata`) says so, and what the engine makes of prefabs in memory has separate ids.
///
/// ```
/// let id = o3de_prefab::asset_guid("Assets/Prefabs/Bush.prefab");
/// assert_eq!(id.to_string(), "{EE51E73C-D753-54AC-A1C0-4F29844FB6C3}");
/// ```
pub fn asset_guid(path: &str) -> Uuid {
    let digest = sha1(path.replace('\\', "/").to_ascii_lowercase().as_bytes());
    let mut bytes = [0; 16];
    let parts = digest.iter().flat_map(|word| word.to_be_bytes());
    bytes.iter_mut().zip(parts).for_each(|(byte, part)| *byte = part);
    let [_, _, _, _, _, _, version, _, variant, ..] = &mut bytes;
    *version = *version & 0x0f | 0x50;
    *variant = *variant & 0x3f | 0x80;
    Uuid(bytes)
}

/// SHA-1 (FIPS 180-4). Nothing here depends on its strength.
fn sha1(message: &[u8]) -> [u32; 5] {
    let bits = u64::try_from(message.len()).unwrap_or(u64::MAX).wrapping_mul(8);
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() & 63 != 56 {
        padded.push(0);
    }
    padded.extend(bits.to_be_bytes());
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> = Vec::with_capacity(80);
        for bytes in block.chunks_exact(4) {
            words.push(bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)));
        }
        while words.len() < 80 {
            let back = |count: usize| {
                words.len().checked_sub(count).and_then(|at| words.get(at)).copied().unwrap_or(0)
            };
            words.push((back(3) ^ back(8) ^ back(14) ^ back(16)).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (round, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match round {
                0..20 => (b & c | !b & d, 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let sum =
                [mixed, e, constant, word].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
            (a, b, c, d, e) = (sum, a, b.rotate_left(30), c, d);
        }
        for (own, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *own = own.wrapping_add(new);
        }
    }
    state
}
