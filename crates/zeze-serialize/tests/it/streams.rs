//! Frames in bytes that come in pieces: every sample stream in every split, with a timeout at every
//! byte, and cut everywhere.

use std::io::{self, Read};

use zeze_serialize::frame::{Decoder, Frame, Framing, OwnedFrame};
use zeze_serialize::{ErrorKind, Result};

use crate::support::{hex, testdata};

/// Streams of several frames: those of testdata.
fn samples() -> Vec<(Framing, Vec<u8>)> {
    let mut samples = vec![
        (Framing::new(), std::fs::read(testdata("frames.bin")).unwrap()),
        (Framing::page(), std::fs::read(testdata("page_frames.bin")).unwrap()),
    ];
    let mut sent = Vec::new();
    for name in ["protocol", "raft", "raft_response", "response", "result"] {
        let text = std::fs::read_to_string(testdata(&format!("cases/sent_{name}.hex"))).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        sent.extend(hex(&lines.collect::<String>()));
    }
    samples.push((Framing::new(), sent));
    samples
}

/// What `split` makes of the whole.
fn frames(framing: Framing, bytes: &[u8]) -> Vec<OwnedFrame> {
    let (mut rest, mut frames) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (frame, after) = framing.split(rest).unwrap();
        frames.push(frame.into_owned());
        rest = after;
    }
    assert!(frames.len() > 1);
    frames
}

fn take(decoder: &mut Decoder, frames: &mut Vec<OwnedFrame>) {
    while let Some(frame) = decoder.next_frame().unwrap() {
        frames.push(frame.into_owned());
    }
}

/// Same ids, headers and beans; where a frame was in the stream does not count.
#[track_caller]
fn same(found: &[OwnedFrame], expected: &[OwnedFrame], what: &dyn std::fmt::Debug) {
    assert_eq!(found.len(), expected.len(), "{what:?}");
    for (found, expected) in found.iter().zip(expected) {
        let (found, expected) = (found.as_raw(), expected.as_raw());
        assert_eq!(
            (found.type_id(), &found.header, found.bean),
            (expected.type_id(), &expected.header, expected.bean),
            "{what:?}"
        );
    }
}

#[test]
fn every_split() {
    for (framing, stream) in samples() {
        let expected = frames(framing, &stream);
        for cut in 0..=stream.len() {
            let (mut decoder, mut found) = (framing.decoder(), Vec::new());
            for part in [&stream[..cut], &stream[cut..]] {
                decoder.push(part);
                take(&mut decoder, &mut found);
            }
            decoder.finish().unwrap();
            assert!(decoder.buffered().is_empty());
            same(&found, &expected, &cut);
        }
        for size in 1..40 {
            let (mut decoder, mut found) = (framing.decoder(), Vec::new());
            for part in stream.chunks(size) {
                // Without taking frames in between, and with.
                decoder.push(part);
                if size % 2 == 0 {
                    take(&mut decoder, &mut found);
                }
            }
            take(&mut decoder, &mut found);
            same(&found, &expected, &size);
        }
    }
}

#[test]
fn exactly_what_is_needed() {
    for (framing, stream) in samples() {
        let expected = frames(framing, &stream);
        let (mut decoder, mut found, mut rest) = (framing.decoder(), Vec::new(), &stream[..]);
        assert_eq!(decoder.needed(), 12);
        while !rest.is_empty() {
            let needed = decoder.needed();
            assert!((1..=rest.len()).contains(&needed), "{needed}");
            decoder.push(&rest[..needed]);
            rest = &rest[needed..];
            if decoder.needed() == 0 {
                found.push(decoder.next_frame().unwrap().unwrap().into_owned());
            } else {
                assert!(decoder.next_frame().unwrap().is_none());
            }
        }
        same(&found, &expected, &"needed");
    }
}

/// Gives one byte and then nothing for now, in turn.
struct Halting<'a> {
    rest: &'a [u8],
    halt: Option<io::ErrorKind>,
    kinds: std::iter::Cycle<std::array::IntoIter<io::ErrorKind, 3>>,
}

impl Read for Halting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(kind) = self.halt.take() {
            return Err(kind.into());
        }
        self.halt = self.kinds.next();
        let len = buffer.len().min(1);
        self.rest.read(&mut buffer[..len])
    }
}

#[test]
fn timeouts_at_every_byte() {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    for (framing, stream) in samples() {
        let expected = frames(framing, &stream);
        let kinds = [WouldBlock, TimedOut, Interrupted].into_iter().cycle();
        let mut reader = framing.reader(Halting { rest: &stream, halt: Some(WouldBlock), kinds });
        let (mut found, mut halts) = (Vec::new(), 0);
        loop {
            match reader.next_raw() {
                Ok(Some(frame)) => found.push(frame.into_owned()),
                Ok(None) => break,
                Err(error) => {
                    let kind = error.io_error().unwrap().kind();
                    assert!(error.is_io() && [WouldBlock, TimedOut].contains(&kind), "{error}");
                    halts += 1;
                }
            }
        }
        assert!(halts >= stream.len() * 2 / 3, "{halts}");
        same(&found, &expected, &"timeouts");
    }
}

#[test]
fn cut_streams_say_what_is_missing() {
    let (framing, stream) = samples().remove(0);
    let first = framing.frame_len(&stream).unwrap().unwrap();
    for cut in 1..first {
        let missing = if cut < 12 { 12 - cut } else { first - cut };
        let mut decoder = framing.decoder();
        decoder.push(&stream[..cut]);
        assert!(decoder.next_frame().unwrap().is_none());
        assert_eq!(decoder.needed(), missing);
        let mut reader = framing.reader(&stream[..cut]);
        for error in [
            decoder.finish().unwrap_err(),
            framing.split(&stream[..cut]).unwrap_err(),
            reader.next_raw().unwrap_err(),
        ] {
            assert_eq!((error.is_eof(), error.needed()), (true, Some(missing)), "{error}");
        }
        assert_eq!(reader.buffered(), &stream[..cut]);
        // The rest may come after that, from a file that grows.
        *reader.get_mut() = &stream[cut..];
        assert_eq!(
            reader.next_raw().unwrap().unwrap().bean,
            framing.split(&stream).unwrap().0.bean
        );
        assert_eq!(reader.get_ref().len(), stream.len() - first);
        assert_eq!(reader.into_inner(), &stream[first..]);
    }
    // More input does not help a bean that is cut in a whole frame.
    let whole = hex("01000000 02000000 02000000 02 10");
    let error = framing.split(&whole).unwrap().0;
    let error = error.read::<(i32,)>().unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, None));
}

/// A frame of 100 bytes that looks like frames inside, where 50 are allowed, and one after it.
fn too_large() -> (Framing, Vec<u8>, usize) {
    let inside = Framing::new().to_vec(&Frame::protocol(6, 6, ())).unwrap();
    let mut stream = hex("01000000 02000000 64000000");
    stream.extend(inside.iter().cycle().take(100));
    let large = stream.len();
    Framing::new().append_to_vec(&mut stream, &Frame::protocol(7, 8, "after")).unwrap();
    (Framing::new().max_size(50), stream, large)
}

#[test]
fn frames_that_are_too_large_are_passed_over() {
    let (framing, stream, large) = too_large();
    let outcome = |frame: Result<Option<(i64, String)>>| match frame {
        Ok(frame) => frame,
        Err(error) => {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::AllocLimit, Some(8)));
            Some((0, String::new()))
        }
    };
    let after = (7 << 32 | 8, "after".to_owned());
    for size in 1..=stream.len() {
        let (mut decoder, mut found) = (framing.decoder(), Vec::new());
        for part in stream.chunks(size) {
            decoder.push(part);
            loop {
                let frame = decoder.next_frame();
                let frame = frame.map(|raw| raw.map(|raw| (raw.type_id(), raw.read().unwrap())));
                let Some(frame) = outcome(frame) else { break };
                found.push(frame);
            }
            // None of it is kept.
            assert!(decoder.buffered().len() < 50, "{size}");
        }
        assert_eq!(found, [(0, String::new()), after.clone()], "{size}");
    }
    let mut reader = framing.reader(stream.as_slice());
    assert_eq!(reader.next_raw().unwrap_err().kind(), ErrorKind::AllocLimit);
    assert_eq!(reader.next_raw().unwrap().unwrap().read::<&str>().unwrap(), "after");
    let mut reader = framing.reader(&stream[..large - 3]);
    assert_eq!(reader.next_raw().unwrap_err().kind(), ErrorKind::AllocLimit);
    let error = reader.next_raw().unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, Some(3)), "{error}");
}

#[cfg(feature = "tokio")]
#[test]
fn codec() {
    use tokio_util::bytes::BytesMut;
    use tokio_util::codec::{Decoder as _, Encoder as _};
    use zeze_serialize::frame::Codec;

    for (framing, stream) in samples() {
        let expected = frames(framing, &stream);
        for size in 1..40 {
            let (mut codec, mut buffer, mut found) =
                (Codec::new(framing), BytesMut::new(), Vec::new());
            for part in stream.chunks(size) {
                buffer.extend_from_slice(part);
                found.extend(std::iter::from_fn(|| codec.decode(&mut buffer).unwrap()));
            }
            found.extend(codec.decode_eof(&mut buffer).unwrap());
            same(&found, &expected, &size);
        }
        let mut codec = Codec::new(framing);
        let error = codec.decode_eof(&mut BytesMut::from(&stream[..13])).unwrap_err();
        assert!(error.is_eof() && error.needed().is_some());
    }
    let (framing, stream, _) = too_large();
    let (mut codec, mut buffer) = (Codec::new(framing), BytesMut::from(&stream[..]));
    assert_eq!(codec.decode(&mut buffer).unwrap_err().kind(), ErrorKind::AllocLimit);
    let frame = codec.decode(&mut buffer).unwrap().unwrap();
    assert_eq!(frame.as_raw().read::<&str>().unwrap(), "after");
    codec.encode(Frame::protocol(7, 8, "after"), &mut buffer).unwrap();
    assert_eq!(codec.decode(&mut buffer).unwrap().unwrap().as_raw().type_id(), 7 << 32 | 8);
}
