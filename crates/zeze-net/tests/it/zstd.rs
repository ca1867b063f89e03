//! Zstandard: what others compress, what this side does, and what nobody does.

use gamewire_testkit::hostile::{SplitMix64, mutations};
use gamewire_testkit::vectors::same_bytes;
use zeze_net::ErrorKind;
use zeze_net::zstd::{Compressor, Decompressor, MAX_BLOCK};

use super::mppc::Numbers;
use crate::support::{hex, testdata};

/// The input of `zstd_long.bin`, and the sizes of its pieces.
fn long() -> (Vec<u8>, Vec<usize>) {
    const LEN: usize = 700_000;
    let (mut numbers, mut input) = (Numbers(12345), Vec::new());
    while input.len() < LEN {
        let r = numbers.next();
        if r % 8 == 0 || input.len() < 10 {
            (0..1 + numbers.next() % 20).for_each(|_| input.push((numbers.next() >> 8) as u8));
        } else {
            let distance = 1 + numbers.next() % input.len().min(60000);
            for _ in 0..2 + numbers.next() % if r % 5 == 0 { 5000 } else { 300 } {
                input.push(input[input.len() - distance]);
            }
        }
    }
    input.truncate(LEN);
    let sizes = numbers.pieces(LEN, 6000);
    (input, sizes)
}

fn decompressed(bytes: &[u8], size: usize) -> zeze_net::Result<Vec<u8>> {
    let (mut decompressor, mut out) = (Decompressor::new(), Vec::new());
    for piece in bytes.chunks(size) {
        assert_eq!(decompressor.read(piece, usize::MAX, &mut out)?, piece.len());
    }
    Ok(out)
}

/// The window is forgotten and filled again on the way, and copies reach over that.
#[test]
fn all_that_was_flushed_is_there() {
    let (input, sizes) = long();
    let bytes = std::fs::read(testdata("net/zstd_long.bin")).unwrap();
    for size in [7, 1000, usize::MAX] {
        same_bytes(&format!("in pieces of {size}"), &input, &decompressed(&bytes, size).unwrap())
            .unwrap();
    }
    // After each block, everything up to there is there: blocks end where flushes do.
    let (mut decompressor, mut out, mut flushed) = (Decompressor::new(), Vec::new(), 0);
    let mut ends = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    });
    for byte in bytes.chunks(1) {
        let before = out.len();
        decompressor.read(byte, usize::MAX, &mut out).unwrap();
        if out.len() > before {
            assert_eq!(Some(out.len()), ends.next());
            flushed += 1;
        }
    }
    assert_eq!((flushed, ends.next()), (sizes.len(), None));
}

#[test]
fn anything_comes_back() {
    let mut random = SplitMix64::new(15);
    for round in 0..60_usize {
        let alphabet = 1 + round % 7 * 40;
        let (mut compressor, mut decompressor) = (Compressor::new(), Decompressor::new());
        for _ in 0..4 {
            let len = random.below(if round % 20 == 0 { 300_000 } else { 3000 });
            let input: Vec<u8> = (0..len).map(|_| random.below(alphabet) as u8).collect();
            let (mut packed, mut out) = (Vec::new(), Vec::new());
            for piece in input.chunks(1 + random.below(2000)) {
                compressor.write(piece, &mut packed);
            }
            compressor.flush(&mut packed);
            let whole = packed.len();
            compressor.flush(&mut packed);
            assert_eq!((packed.len(), compressor.pending()), (whole, 0));
            assert!(whole <= len + 6 + 3 * (1 + len / MAX_BLOCK), "{whole} of {len}");
            decompressor.read(&packed, usize::MAX, &mut out).unwrap();
            assert!(out == input, "round {round}");
        }
    }
    let (mut compressor, mut packed) = (Compressor::new(), Vec::new());
    compressor.write(&b"the same again, ".repeat(1000), &mut packed);
    compressor.flush(&mut packed);
    assert!(packed.len() < 100, "{}", packed.len());
}

#[test]
fn the_output_of_one_step_is_bounded() {
    // A byte, 128 KiB of it in each block: 4 bytes.
    let mut bytes = hex("28b52ffd0058");
    (0..40).for_each(|_| bytes.extend(hex("02001007")));
    let (mut decompressor, mut rest, mut all) = (Decompressor::new(), &bytes[..], 0);
    loop {
        let mut out = Vec::new();
        let taken = decompressor.read(rest, 100, &mut out).unwrap();
        rest = &rest[taken..];
        if out.is_empty() {
            break;
        }
        assert_eq!(out.len(), MAX_BLOCK);
        all += out.len();
    }
    assert_eq!((all, rest.len()), (40 * MAX_BLOCK, 0));
}

#[test]
fn a_frame_may_end_and_another_one_begin() {
    // With a checksum; then with a size in place of the window.
    let bytes = hex("28b52ffd0458 110000 6869 fa3826ea  28b52ffd2003 190000 686f21 28b52ffd0000");
    for size in 1..bytes.len() {
        assert_eq!(decompressed(&bytes, size).unwrap(), b"hiho!");
    }
}

/// As `zstd --check` makes them.
#[test]
fn sizes_and_checksums_of_frames_must_be_true() {
    let packed =
        "28b52ffd0458 e50000 98746f206265206f72206e6f7420746f2062652c0200372928ac84 01a715b4cc";
    let size = "28b52ffd2402 110000 6869 fa3826ea";
    for (digits, text) in [
        (packed, "to be or not to be, to be or not to be, to be"),
        (size, "hi"),
        // As a stream that is flushed once.
        ("28b52ffd0458 100000 6869 010000 fa3826ea", "hi"),
    ] {
        let bytes = hex(digits);
        for size in 1..=bytes.len() {
            assert_eq!(decompressed(&bytes, size).unwrap(), text.as_bytes());
        }
        let mut bytes = bytes;
        *bytes.last_mut().unwrap() ^= 1;
        let error = decompressed(&bytes, 7).unwrap_err().to_string();
        assert!(error.starts_with("expected the checksum 0x"), "{error}");
    }
    for (digits, text) in [
        ("28b52ffd2003 110000 6869", "expected as many bytes as a frame says, found 1 less"),
        ("28b52ffd6000 00 110000 6869", "expected as many bytes as a frame says, found 254 less"),
        (
            "28b52ffd2004 180000 686f21 190000 686f21",
            "expected as many bytes as a frame says, found more",
        ),
        (
            "28b52ffd0458 110000 6869 fa3826eb",
            "expected the checksum 0xea2638fa of a frame, found 0xeb2638fa",
        ),
    ] {
        let error = decompressed(&hex(digits), 1).unwrap_err();
        assert_eq!(error.to_string(), format!("{text} in Zstandard"), "{digits}");
    }
}

#[test]
fn what_is_no_zstandard_is_refused() {
    for (digits, text) in [
        ("28b52ffe0000", "expected the head of a frame, found other bytes in Zstandard"),
        ("50 2a 4d 18 04000000", "expected the head of a frame, found other bytes in Zstandard"),
        (
            "28b52ffd0000 080010",
            "expected a block of at most 131072 bytes, found 131073 in Zstandard",
        ),
        ("28b52ffd00ff", "Zstandard"),
        // A dictionary, a reserved kind of block, a block longer than the window of 1 KiB.
        ("28b52ffd010007", "Zstandard"),
        ("28b52ffd0000 0e0000 00", "Zstandard"),
        ("28b52ffd0000 0a2000 07", "Zstandard"),
        // No literals, and one copy from before the first byte.
        ("28b52ffd0000 3c0000 00 01 54 00 02 00 04", "Zstandard"),
    ] {
        let (mut decompressor, mut out) = (Decompressor::new(), Vec::new());
        let error = decompressor.read(&hex(digits), usize::MAX, &mut out).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Compression, "{digits}");
        assert!(error.to_string().ends_with(text), "{digits}: {error}");
        assert_eq!(out, b"");
        let again = decompressor.read(b"x", usize::MAX, &mut out).unwrap_err();
        assert_eq!(again.to_string(), "expected nothing after an error in Zstandard");
    }
}

#[test]
fn spoilt_bytes_are_errors_or_other_bytes() {
    let (mut compressor, mut bytes) = (Compressor::new(), Vec::new());
    for piece in ["one, two, three, four; ", "two, four, six, ", "Åsa, 你好, "] {
        compressor.write(piece.repeat(9).as_bytes(), &mut bytes);
        compressor.flush(&mut bytes);
    }
    let recorded = std::fs::read(testdata("net/zstd_long.bin")).unwrap();
    let mut wrong = 0;
    for case in mutations("", &bytes, 3, 500).chain(mutations("", &recorded[..900], 4, 500)) {
        wrong += usize::from(decompressed(&case.bytes, 64).is_err());
    }
    assert!(wrong > 300, "{wrong}");
}

#[test]
fn a_long_head_may_come_in_any_pieces() {
    // One segment of 256 bytes, which the two bytes after the descriptor say, in one block.
    let head = [&[0x28, 0xb5, 0x2f, 0xfd, 0x60, 0, 0][..], &[1, 8, 0]].concat();
    let stream = [&head[..], &[7; 256]].concat();
    for size in 1..=head.len() {
        let (mut decompressor, mut out) = (Decompressor::new(), Vec::new());
        for piece in stream.chunks(size) {
            decompressor.read(piece, usize::MAX, &mut out).unwrap();
        }
        assert_eq!(out, [7; 256], "in pieces of {size}");
    }
}
