//! MPPC: what the reference compresses, and what nobody does.

use gamewire_testkit::hostile::SplitMix64;
use gamewire_testkit::vectors::same_bytes;
use zeze_net::ErrorKind;
use zeze_net::mppc::{Compressor, Decompressor, MAX_COPY};

use crate::support::{hex, testdata};

/// The numbers that the vector is made of.
pub(super) struct Numbers(pub(super) u32);

impl Numbers {
    pub(super) fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (self.0 >> 8) as usize
    }

    /// Sizes of pieces of at most so many bytes, which are `len` together.
    pub(super) fn pieces(&mut self, len: usize, most: usize) -> Vec<usize> {
        let (mut sizes, mut left) = (Vec::new(), len);
        while left > 0 {
            let size = (1 + self.next() % most).min(left);
            sizes.push(size);
            left -= size;
        }
        sizes
    }
}

/// The input of `mppc_long.bin`, and the sizes of its pieces.
fn long() -> (Vec<u8>, Vec<usize>) {
    let (mut numbers, mut input) = (Numbers(12345), Vec::new());
    while input.len() < 40000 {
        let r = numbers.next();
        if r % 16 < 6 || input.len() < 10 {
            for _ in 0..1 + numbers.next() % 20 {
                if input.len() < 40000 {
                    input.push((numbers.next() >> 8) as u8);
                }
            }
        } else {
            let distance = 1 + numbers.next() % input.len().min(9000);
            for _ in 0..2 + numbers.next() % if r % 7 == 0 { 3000 } else { 40 } {
                if input.len() < 40000 {
                    input.push(input[input.len() - distance]);
                }
            }
        }
    }
    let sizes = numbers.pieces(input.len(), 700);
    (input, sizes)
}

fn decompressed(bytes: &[u8], size: usize) -> zeze_net::Result<Vec<u8>> {
    let (mut decompressor, mut out) = (Decompressor::new(), Vec::new());
    for piece in bytes.chunks(size) {
        assert_eq!(decompressor.read(piece, usize::MAX, &mut out)?, piece.len());
    }
    Ok(out)
}

#[test]
fn compresses_to_what_java_does() {
    let (input, sizes) = long();
    let (mut compressor, mut out, mut rest) = (Compressor::new(), Vec::new(), &input[..]);
    let mut flushed = Vec::new();
    for size in sizes {
        let (piece, after) = rest.split_at(size);
        compressor.write(piece, &mut out);
        compressor.flush(&mut out);
        rest = after;
        flushed.push((out.len(), input.len() - rest.len()));
    }
    let expected = std::fs::read(testdata("net/mppc_long.bin")).unwrap();
    assert!(out == expected, "{} bytes, not {}", out.len(), expected.len());
    for size in [1, 2, 7, 1000, usize::MAX] {
        same_bytes(
            &format!("in pieces of {size}"),
            &input,
            &decompressed(&expected, size).unwrap(),
        )
        .unwrap();
    }
    // After each flush, everything up to there is there.
    let (mut decompressor, mut back, mut start) = (Decompressor::new(), Vec::new(), 0);
    for (end, len) in flushed {
        decompressor.read(&expected[start..end], usize::MAX, &mut back).unwrap();
        assert_eq!(back.len(), len);
        start = end;
    }
}

#[test]
fn anything_comes_back() {
    let mut random = SplitMix64::new(15);
    for round in 0..300_usize {
        let alphabet = 1 + round % 7 * 40;
        let len = random.below(if round % 10 == 0 { 30000 } else { 300 });
        let input: Vec<u8> = (0..len).map(|_| random.below(alphabet) as u8).collect();
        let (mut compressor, mut out) = (Compressor::new(), Vec::new());
        compressor.write(&input, &mut out);
        compressor.flush(&mut out);
        // A second flush has nothing to say.
        let whole = out.len();
        compressor.flush(&mut out);
        assert_eq!(out.len(), whole);
        same_bytes(
            &format!("round {round}"),
            &input,
            &decompressed(&out, 1 + random.below(50)).unwrap(),
        )
        .unwrap();
    }
}

#[test]
fn the_output_of_one_step_is_bounded() {
    let (mut compressor, mut bytes) = (Compressor::new(), Vec::new());
    compressor.write(&[7; 1 << 20], &mut bytes);
    compressor.flush(&mut bytes);
    assert!(bytes.len() < 2000);
    let (mut decompressor, mut rest, mut all) = (Decompressor::new(), &bytes[..], 0);
    let mut out = Vec::new();
    loop {
        out.clear();
        let taken = decompressor.read(rest, 100, &mut out).unwrap();
        rest = &rest[taken..];
        if out.is_empty() {
            break;
        }
        assert!(out.len() < 100 + MAX_COPY, "{}", out.len());
        all += out.len();
    }
    assert_eq!((all, rest.len()), (1 << 20, 0));
}

#[test]
fn what_is_no_mppc_is_refused() {
    for (digits, text) in [
        // 1111 000001: one byte back, where there is none.
        ("f05000", "expected a copy from 0 bytes back at most, found 1 in MPPC"),
        // A byte, then two bytes back.
        ("61f08000", "expected a copy from 1 bytes back at most, found 2 in MPPC"),
        // A byte, one byte back, and a length of twelve ones.
        ("61f07ffc00", "expected a length of at most 8191 in MPPC"),
    ] {
        let error = decompressed(&hex(digits), 1).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Compression, text));
    }
    // No copy reaches further than 8192 bytes back, however many there were.
    let mut bytes = vec![b'a'; 9000];
    bytes.extend(hex("dfff00"));
    let error = decompressed(&bytes, 100).unwrap_err();
    let text = "expected a copy from 8192 bytes back at most, found 8511 in MPPC";
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Compression, text));
}
