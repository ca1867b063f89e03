//! Compressed files.

use gamewire_testkit::hostile::{Hostile, Limits, SplitMix64, u32_le};
use gamewire_testkit::vectors::same_bytes;
use godot_variant::ErrorKind;
use godot_variant::wrapped::{Compressed, Compression, Opener};

const ALL: [Compression; 4] =
    [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];

/// Data that repeats itself near and far, and some that does not.
fn data(len: usize) -> Vec<u8> {
    let mut rng = SplitMix64::new(7);
    let words: Vec<Vec<u8>> = (1..20).map(|len| rng.bytes(len)).collect();
    let mut data = Vec::new();
    while data.len() < len {
        data.extend_from_slice(&words[rng.below(words.len())]);
        if rng.below(20) == 0 {
            data.extend(std::iter::repeat_n(b'.', rng.below(600)));
        }
    }
    data.truncate(len);
    data
}

#[test]
fn what_is_compressed_is_opened() {
    // No bytes, fewer than FastLZ takes, one block with and without rest, more blocks.
    for len in [0, 1, 15, 16, 17, 100, 4095, 4096, 4097, 8192, 20_000, 70_000] {
        let plain = data(len);
        for compression in ALL {
            for block_size in [4096, 1, 65_536] {
                if block_size == 1 && len > 100 {
                    continue;
                }
                let wrapper = Compressed::new(compression).block_size(block_size);
                let file = wrapper.to_vec(&plain).unwrap();
                let opened = Opener::new().open(&file).unwrap();
                assert!(opened.plain == plain, "{compression:?}, {len} in {block_size}");
                if len > 1000 && block_size > 1 {
                    assert!(file.len() < len * 3 / 4, "{compression:?}: {} of {len}", file.len());
                }
            }
        }
    }
}

#[test]
fn text_that_says_how_far_back_is_read_at_both_levels() {
    // FastLZ of level 2: a long match, whose length goes on, and one from 8192 bytes and more back.
    let mut packed = vec![1 << 5 | 1, b'a', b'b'];
    // 'ab' repeated: 2 + 7 + 255 + 255 + 3 bytes from 2 back.
    packed.extend_from_slice(&[7 << 5, 255, 255, 3, 1]);
    let mut plain = b"ab".repeat(1 + (9 + 255 + 255 + 3) / 2);
    for byte in 0..=255 {
        for _ in 0..33 {
            packed.extend_from_slice(&[0, byte]);
            plain.push(byte);
        }
    }
    // 7 bytes from 8192 + 3 back.
    packed.extend_from_slice(&[5 << 5 | 31, 255, 0, 3]);
    let from = plain.len() - 8195;
    plain.extend_from_within(from..from + 7);
    let file = file(0, 1 << 20, plain.len(), &[&packed]);
    same_bytes("the bytes", &plain, &Opener::new().open(&file).unwrap().plain).unwrap();
}

/// A file of given blocks.
fn file(mode: u32, block_size: u32, total: usize, blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = b"GCPF".to_vec();
    for word in [mode, block_size, total as u32] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    blocks.iter().for_each(|block| file.extend_from_slice(&(block.len() as u32).to_le_bytes()));
    blocks.iter().for_each(|block| file.extend_from_slice(block));
    file.extend_from_slice(b"GCPF");
    file
}

#[test]
fn what_a_file_says_of_itself_is_checked() {
    let kind = |bytes: &[u8]| Opener::new().open(bytes).unwrap_err().kind();
    let good = file(0, 4096, 3, &[&[2, b'a', b'b', b'c']]);
    assert_eq!(Opener::new().open(&good).unwrap().plain, b"abc");
    assert_eq!(kind(&file(4, 4096, 3, &[b""])), ErrorKind::Unsupported);
    assert_eq!(kind(&file(0, 0, 3, &[b""])), ErrorKind::Frame);
    assert_eq!(kind(&file(0, 4096, 4, &[&[2, b'a', b'b', b'c']])), ErrorKind::Damaged);
    assert_eq!(kind(&file(0, 1, u32::MAX as usize >> 8, &[b""])), ErrorKind::UnexpectedEof);
    assert_eq!(kind(&file(0, 4096, u32::MAX as usize, &[b""])), ErrorKind::AllocLimit);
    assert_eq!(kind(&good[..good.len() - 4]), ErrorKind::UnexpectedEof);
    assert_eq!(kind(&[&good[..], b"!"].concat()), ErrorKind::TrailingBytes);
    let mut other = good.clone();
    *other.last_mut().unwrap() = b'!';
    assert_eq!(kind(&other), ErrorKind::Frame);
    // A match that begins before the data, and one without its distance.
    assert_eq!(kind(&file(0, 4096, 20, &[&[0, b'a', 7 << 5, 9, 200]])), ErrorKind::Damaged);
    assert_eq!(kind(&file(0, 4096, 20, &[&[0, b'a', 7 << 5, 9]])), ErrorKind::Damaged);
    let error = Opener::new().open(&file(1, 4096, 20, &[b"no zlib"])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected 20 bytes of Deflate in block 0, found other data at byte 0x14"
    );
}

#[test]
fn max_plain_is_the_most_that_a_file_unpacks_to() {
    let bomb = Compressed::new(Compression::Zstd).block_size(1 << 20).to_vec(&vec![0; 1 << 20]);
    let bomb = bomb.unwrap();
    assert!(bomb.len() < 2000, "{}", bomb.len());
    let limit = |most| Opener::new().max_plain(most);
    assert_eq!(limit(1 << 20).open(&bomb).unwrap().plain.len(), 1 << 20);
    let error = limit((1 << 20) - 1).open(&bomb).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    assert!(error.to_string().contains("max_plain"), "{error}");
}

#[test]
fn hostile_files_are_read_or_refused() {
    const MOST: usize = 1 << 19;
    let open = |bytes: &[u8]| Opener::new().max_plain(MOST).open(bytes).map(drop);
    // Beside the output: the tables and windows of the codecs.
    let limits = Limits { base: (MOST as u64) * 4, ..Limits::default() };
    let mut hostile = Hostile::new(open).limits(limits);
    for compression in ALL {
        let small = Compressed::new(compression).to_vec(&data(60)).unwrap();
        hostile.sample(compression.name(), &small);
        let blocks = Compressed::new(compression).block_size(64).to_vec(&data(500)).unwrap();
        hostile.cases(
            "mutations of blocks",
            gamewire_testkit::hostile::mutations(compression.name(), &blocks, 3, 100),
        );
        hostile.all_refused(
            "lengths of blocks",
            gamewire_testkit::hostile::length_claims(|claim| {
                let mut file = small.clone();
                file.get_mut(16..20)?.copy_from_slice(&u32_le(claim)?);
                (file != small).then_some(file)
            }),
        );
        hostile.linear(compression.name(), 4096, |len| {
            Compressed::new(compression).to_vec(&data(len * 8)).unwrap()
        });
    }
    hostile.random(11, 300, 80);
    hostile.finish();
}
