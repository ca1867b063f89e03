//! Frames of a format that is made up for this: a byte with the length of the content, a colon, the
//! content.

use std::collections::VecDeque;
use std::io::{self, Read};

use gamewire_core::frames::{Decoder, Frames, Splitter};

/// The most bytes of a frame.
const MOST: usize = 10;

#[derive(Debug)]
struct Made;

#[derive(Debug, PartialEq)]
enum Error {
    TooLarge(usize),
    NoColon(usize),
    NotWhole(String),
    Io(io::ErrorKind),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error.kind())
    }
}

impl Frames for Made {
    type Error = Error;
    type Frame<'a> = &'a [u8];

    const HEAD: usize = 2;
    const HEAD_NAME: &'static str = "a head of";

    fn claim(&self, bytes: &[u8]) -> Option<usize> {
        bytes.get(1).map(|_| 2 + usize::from(bytes[0]))
    }

    fn frame_len(&self, bytes: &[u8], start: usize) -> Result<Option<usize>, Error> {
        match self.claim(bytes) {
            Some(len) if len > MOST => Err(Error::TooLarge(start)),
            len => Ok(len),
        }
    }

    fn frame<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<&'a [u8], Error> {
        if bytes[1] == b':' { Ok(&bytes[2..]) } else { Err(Error::NoColon(start)) }
    }

    fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Error {
        Error::NotWhole(format!("{start}: {there} of {what} {len}"))
    }
}

fn not_whole(words: &str) -> Result<(), Error> {
    Err(Error::NotWhole(words.to_owned()))
}

#[test]
fn frames_come_in_pieces() {
    let mut buffer = Decoder::new(Made);
    assert_eq!((buffer.needed(), buffer.finish()), (2, Ok(())));
    buffer.push(b"\x03");
    assert_eq!(buffer.next_frame(), Ok(None));
    assert_eq!((buffer.needed(), buffer.finish()), (1, not_whole("0: 1 of a head of 2")));
    buffer.push(b":a");
    assert_eq!(buffer.next_frame(), Ok(None));
    assert_eq!((buffer.needed(), buffer.finish()), (2, not_whole("0: 3 of a frame of 5")));
    assert_eq!(buffer.buffered(), b"\x03:a");
    // What is left, an empty frame, one without its colon, and the head of one more.
    buffer.push(b"bc\x00:\x01?x\x02:");
    assert_eq!((buffer.needed(), buffer.finish()), (0, Ok(())));
    assert_eq!(buffer.next_frame(), Ok(Some(&b"abc"[..])));
    assert_eq!(buffer.buffered(), b"\x00:\x01?x\x02:");
    assert_eq!(buffer.next_frame(), Ok(Some(&b""[..])));
    assert_eq!(buffer.next_frame(), Err(Error::NoColon(7)));
    assert_eq!(buffer.next_frame(), Ok(None));
    assert_eq!((buffer.needed(), buffer.finish()), (2, not_whole("10: 2 of a frame of 4")));
    buffer.push(b"yz");
    assert_eq!(buffer.next_frame(), Ok(Some(&b"yz"[..])));
    assert_eq!((buffer.buffered(), buffer.finish()), (&b""[..], Ok(())));
}

#[test]
fn frames_that_are_too_large_are_dropped_as_they_come() {
    for there in 0..=20 {
        let mut buffer = Decoder::new(Made);
        buffer.push(b"\x01:a\x14:");
        buffer.push(&vec![0; there]);
        assert_eq!(buffer.next_frame(), Ok(Some(&b"a"[..])));
        assert_eq!(buffer.needed(), 0);
        assert_eq!(buffer.next_frame(), Err(Error::TooLarge(3)));
        let missing = 20 - there;
        let words =
            format!("{}: 0 of the rest of a frame that is too large, of {missing}", 5 + there);
        let end = if missing == 0 { Ok(()) } else { not_whole(&words) };
        assert_eq!((buffer.needed(), buffer.finish()), (missing + 2, end));
        assert_eq!(buffer.next_frame(), Ok(None));
        assert_eq!(buffer.buffered(), b"");
        // Its rest is no frame, however much it looks like one.
        buffer.push(&b"\x01:".repeat(10)[..missing]);
        assert_eq!(buffer.next_frame(), Ok(None));
        assert_eq!((buffer.needed(), buffer.finish()), (2, Ok(())));
        buffer.push(b"\x01?b\x01:c");
        assert_eq!(buffer.next_frame(), Err(Error::NoColon(25)));
        assert_eq!(buffer.next_frame(), Ok(Some(&b"c"[..])));
    }
}

#[test]
fn what_was_taken_is_not_kept() {
    let mut buffer = Decoder::new(Made);
    for _ in 0..1000 {
        buffer.push(b"\x05:ab");
        assert_eq!(buffer.next_frame(), Ok(None));
        buffer.push(b"cde\x01:");
        assert_eq!(buffer.next_frame(), Ok(Some(&b"abcde"[..])));
        buffer.push(b"x\x01?");
        assert_eq!(buffer.next_frame(), Ok(Some(&b"x"[..])));
        buffer.push(b"y");
        assert!(buffer.next_frame().is_err());
    }
    assert!(format!("{buffer:?}").len() < 1000);
}

#[test]
fn buffers_of_others_are_split_alike() {
    let mut splitter = Splitter::new(Made);
    assert_eq!((splitter.needed(b""), splitter.end(b"")), (2, Ok(())));
    assert_eq!(splitter.whole(b"\x02:a"), Ok(None));
    assert_eq!(splitter.end(b"\x02:a"), not_whole("0: 3 of a frame of 4"));
    assert_eq!(splitter.whole(b"\x02:ab\x00"), Ok(Some(4)));
    assert_eq!(splitter.frame(b"\x02:ab"), Ok(&b"ab"[..]));
    assert_eq!(splitter.pass(3), 0);
    assert_eq!(splitter.whole(b"\x09:"), Err(Error::TooLarge(4)));
    assert_eq!((splitter.pass(5), splitter.needed(b"")), (5, 8));
    assert_eq!((splitter.pass(7), splitter.needed(b"")), (6, 2));
    assert_eq!(splitter.frame(b"\x00?"), Err(Error::NoColon(15)));
}

/// Gives its pieces one by one; an empty one is an error.
struct Pieces {
    pieces: VecDeque<Vec<u8>>,
    taken: usize,
}

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.pieces.front_mut() else { return Ok(0) };
        if piece.is_empty() {
            self.pieces.pop_front();
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let len = piece.len().min(into.len());
        into[..len].copy_from_slice(&piece[..len]);
        piece.drain(..len);
        if piece.is_empty() {
            self.pieces.pop_front();
        }
        self.taken += len;
        Ok(len)
    }
}

#[test]
fn readers_give_what_a_frame_needs_and_no_more() {
    let pieces: [&[u8]; 5] = [b"\x02", b":a", b"", b"b\x01:c\x09:12345", b"6789\x00:\x05:x"];
    let pieces = pieces.into_iter().map(<[u8]>::to_vec).collect();
    let mut reader = Pieces { pieces, taken: 0 };
    let mut buffer = Decoder::new(Made);
    assert_eq!(buffer.read_frame(&mut reader), Err(Error::Io(io::ErrorKind::WouldBlock)));
    assert_eq!((buffer.buffered(), reader.taken), (&b"\x02:a"[..], 3));
    assert_eq!((buffer.read_frame(&mut reader), reader.taken), (Ok(Some(&b"ab"[..])), 4));
    assert_eq!((buffer.read_frame(&mut reader), reader.taken), (Ok(Some(&b"c"[..])), 7));
    assert_eq!((buffer.read_frame(&mut reader), reader.taken), (Err(Error::TooLarge(7)), 9));
    assert_eq!((buffer.read_frame(&mut reader), reader.taken), (Ok(Some(&b""[..])), 20));
    let end = buffer.read_frame(&mut reader).unwrap_err();
    assert_eq!(Err(end), not_whole("20: 3 of a frame of 7"));
    let mut ended = Decoder::new(Made);
    assert_eq!(ended.read_frame(&mut io::empty()), Ok(None));
}
