//! Frames in bytes that come in pieces: the tests of `Decoder`, `FrameReader` and `Codec`.

use std::io::{self, Read};

/// Gives one byte and then nothing for now, in turn.
#[derive(Debug)]
pub struct Halting<'a> {
    rest: &'a [u8],
    calls: usize,
}

impl<'a> Halting<'a> {
    /// Halts before each byte.
    pub fn new(rest: &'a [u8]) -> Self {
        Halting { rest, calls: 0 }
    }
}

impl Read for Halting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        self.calls += 1;
        if self.calls % 2 == 1 {
            return Err([WouldBlock, TimedOut, Interrupted][self.calls / 2 % 3].into());
        }
        let len = buffer.len().min(1);
        self.rest.read(&mut buffer[..len])
    }
}

/// The tests of a format with frames: every sample stream in every split, with a timeout at every
/// byte, and cut everywhere.
///
/// `head` is the length of a frame's head. The module has these functions:
///
/// - `samples() -> Vec<(Framing, Vec<u8>)>`: streams of several frames;
/// - `first(&Framing, &[u8]) -> Result<(Taken, &[u8])>`: by `Framing::split`, the first frame as
///   something that can be compared, and what comes after it;
/// - `taken(RawFrame) -> Taken`, and `text(RawFrame) -> String`, the value of the frames of
/// - `too_large() -> (Framing, Vec<u8>, usize)`: a stream, the length of its first frame, which is
///   above the limit of 50 bytes and looks like frames inside, and after it one with the text `after`;
///   `too_large_at` is the offset of its error;
/// - with the feature `tokio`, `encode(&mut Codec, &mut BytesMut)`, which adds the text `again`.
#[macro_export]
macro_rules! streams {
    ($format:ident, head: $head:literal, too_large_at: $at:literal) => {
        fn all(framing: &$format::frame::Framing, bytes: &[u8]) -> Vec<Taken> {
            let (mut rest, mut frames) = (bytes, Vec::new());
            while !rest.is_empty() {
                let (frame, after) = first(framing, rest).unwrap();
                frames.push(frame);
                rest = after;
            }
            assert!(frames.len() > 1);
            frames
        }

        fn take(decoder: &mut $format::frame::Decoder, frames: &mut Vec<Taken>) {
            while let Some(frame) = decoder.next_frame().unwrap() {
                frames.push(taken(frame));
            }
        }

        #[test]
        fn every_split() {
            for (framing, stream) in samples() {
                let expected = all(&framing, &stream);
                for cut in 0..=stream.len() {
                    let (mut decoder, mut found) = (framing.clone().decoder(), Vec::new());
                    for part in [&stream[..cut], &stream[cut..]] {
                        decoder.push(part);
                        take(&mut decoder, &mut found);
                    }
                    decoder.finish().unwrap();
                    assert!(decoder.buffered().is_empty());
                    assert!(found == expected, "cut at {cut}");
                }
                for size in 1..40 {
                    let (mut decoder, mut found) = (framing.clone().decoder(), Vec::new());
                    for part in stream.chunks(size) {
                        // Without taking frames in between, and with.
                        decoder.push(part);
                        if size % 2 == 0 {
                            take(&mut decoder, &mut found);
                        }
                    }
                    take(&mut decoder, &mut found);
                    assert!(found == expected, "in pieces of {size}");
                }
            }
        }

        #[test]
        fn exactly_what_is_needed() {
            for (framing, stream) in samples() {
                let expected = all(&framing, &stream);
                let (mut decoder, mut found, mut rest) =
                    (framing.decoder(), Vec::new(), &stream[..]);
                assert_eq!(decoder.needed(), $head);
                while !rest.is_empty() {
                    let needed = decoder.needed();
                    assert!((1..=rest.len()).contains(&needed), "{needed}");
                    decoder.push(&rest[..needed]);
                    rest = &rest[needed..];
                    if decoder.needed() == 0 {
                        found.push(taken(decoder.next_frame().unwrap().unwrap()));
                    } else {
                        assert!(decoder.next_frame().unwrap().is_none());
                    }
                }
                assert!(found == expected);
            }
        }

        #[test]
        fn timeouts_at_every_byte() {
            use ::std::io::ErrorKind::{TimedOut, WouldBlock};
            for (framing, stream) in samples() {
                let expected = all(&framing, &stream);
                let mut reader = framing.reader($crate::streams::Halting::new(&stream));
                let (mut found, mut halts) = (Vec::new(), 0);
                loop {
                    match reader.next_frame() {
                        Ok(Some(frame)) => found.push(taken(frame)),
                        Ok(None) => break,
                        Err(error) => {
                            let kind = error.io_error().unwrap().kind();
                            assert!(error.is_io() && [WouldBlock, TimedOut].contains(&kind));
                            halts += 1;
                        }
                    }
                }
                assert!(halts >= stream.len() * 2 / 3, "{halts}");
                assert!(found == expected);
            }
        }

        #[test]
        fn cut_streams_say_what_is_missing() {
            let (framing, stream) = samples().remove(0);
            let whole = framing.frame_len(&stream).unwrap().unwrap();
            for cut in 1..whole {
                let missing = if cut < $head { $head - cut } else { whole - cut };
                let mut decoder = framing.clone().decoder();
                decoder.push(&stream[..cut]);
                assert!(decoder.next_frame().unwrap().is_none());
                assert_eq!(decoder.needed(), missing);
                let mut reader = framing.clone().reader(&stream[..cut]);
                for error in [
                    decoder.finish().unwrap_err(),
                    framing.split(&stream[..cut]).unwrap_err(),
                    reader.next_frame().unwrap_err(),
                ] {
                    assert_eq!((error.is_eof(), error.needed()), (true, Some(missing)), "{error}");
                    assert_eq!(error.offset(), Some(cut));
                }
                assert_eq!(reader.buffered(), &stream[..cut]);
                // The rest may come after that, from a file that grows.
                *reader.get_mut() = &stream[cut..];
                let found = taken(reader.next_frame().unwrap().unwrap());
                assert!(found == first(&framing, &stream).unwrap().0);
                assert_eq!(reader.get_ref().len(), stream.len() - whole);
                assert_eq!(reader.into_inner(), &stream[whole..]);
            }
        }

        #[test]
        fn frames_that_are_too_large_are_passed_over() {
            let (framing, stream, large) = too_large();
            for size in 1..=stream.len() {
                let (mut decoder, mut found) = (framing.clone().decoder(), Vec::new());
                for part in stream.chunks(size) {
                    decoder.push(part);
                    loop {
                        match decoder.next_frame() {
                            Ok(Some(frame)) => found.push(text(frame)),
                            Ok(None) => break,
                            Err(error) => {
                                assert_eq!(error.kind(), $format::ErrorKind::AllocLimit);
                                assert_eq!(error.offset(), Some($at));
                                found.push("too large".to_owned());
                            }
                        }
                    }
                    // None of it is kept.
                    assert!(decoder.buffered().len() < 50, "{size}");
                }
                assert_eq!(found, ["too large", "after"], "{size}");
            }
            let mut reader = framing.clone().reader(stream.as_slice());
            let error = reader.next_frame().unwrap_err();
            assert_eq!(error.kind(), $format::ErrorKind::AllocLimit);
            assert_eq!(text(reader.next_frame().unwrap().unwrap()), "after");
            let mut reader = framing.reader(&stream[..large - 3]);
            let error = reader.next_frame().unwrap_err();
            assert_eq!(error.kind(), $format::ErrorKind::AllocLimit);
            let error = reader.next_frame().unwrap_err();
            assert_eq!((error.is_eof(), error.needed()), (true, Some(3)), "{error}");
        }

        #[cfg(feature = "tokio")]
        #[test]
        fn codec() {
            use ::tokio_util::bytes::BytesMut;
            use ::tokio_util::codec::Decoder as _;
            use $format::frame::Codec;

            for (framing, stream) in samples() {
                let expected = all(&framing, &stream);
                for size in 1..40 {
                    let (mut codec, mut buffer, mut found) =
                        (Codec::new(framing.clone()), BytesMut::new(), Vec::new());
                    for part in stream.chunks(size) {
                        buffer.extend_from_slice(part);
                        found.extend(::std::iter::from_fn(|| codec.decode(&mut buffer).unwrap()));
                    }
                    found.extend(codec.decode_eof(&mut buffer).unwrap());
                    let found = found.iter().map(|frame| taken(frame.as_raw()));
                    assert!(found.eq(expected.iter().cloned()), "{size}");
                }
                let mut codec = Codec::new(framing);
                let mut cut = BytesMut::from(&stream[..$head + 1]);
                let error = codec.decode_eof(&mut cut).unwrap_err();
                assert!(error.is_eof() && error.needed().is_some());
            }
            let (framing, stream, _) = too_large();
            let (mut codec, mut buffer) = (Codec::new(framing), BytesMut::from(&stream[..]));
            let error = codec.decode(&mut buffer).unwrap_err();
            assert_eq!(error.kind(), $format::ErrorKind::AllocLimit);
            encode(&mut codec, &mut buffer);
            for expected in ["after", "again"] {
                let frame = codec.decode(&mut buffer).unwrap().unwrap();
                assert_eq!(text(frame.as_raw()), expected);
            }
        }
    };
}
