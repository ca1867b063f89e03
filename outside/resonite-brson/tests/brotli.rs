//! The encoder of `.brson` that is on by default: the tests of the workspace have that of `brotli-tight`.

use resonite_brson::container::{Container, pack, unpack};

fn packed(bytes: &[u8]) -> Vec<u8> {
    let file = pack(bytes, Container::BRSON).unwrap();
    assert!(unpack(&file).unwrap().bson() == bytes, "{} bytes", bytes.len());
    file
}

fn noise(len: usize, mask: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16 & mask).to_le_bytes()[0]
    };
    (0..len).map(next).collect()
}

#[test]
fn any_bytes_come_back() {
    for len in (0..40).chain([255, 0xffff, 0x1_0000, 0x1_0001, 0x4_8001]) {
        packed(&vec![7; len]);
        for mask in [1, 3, 0x3f, 0xff] {
            packed(&noise(len, mask));
        }
    }
    // Counts that would make codes of more than 15 bits.
    let mut steep = Vec::new();
    let (mut one, mut other) = (1, 1);
    for symbol in 0..24 {
        steep.extend(std::iter::repeat_n(symbol, one));
        (one, other) = (other, one + other);
    }
    let mut mixed = noise(steep.len(), 0xff).into_iter().zip(steep).collect::<Vec<_>>();
    mixed.sort_unstable();
    packed(&mixed.iter().map(|(_, symbol)| *symbol).collect::<Vec<_>>());
    packed(&[noise(300_000, 0xff), vec![0; 300_000], noise(300_000, 0xff)].concat());
}

/// The file of the engine is a fifth shorter.
#[test]
fn a_save_is_not_much_longer() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/resonite-brson/lamp.brson");
    let engine = std::fs::read(path).unwrap();
    let made = packed(unpack(&engine).unwrap().bson());
    assert!(made.len() < engine.len() * 5 / 4, "{} of {}", made.len(), engine.len());
}
