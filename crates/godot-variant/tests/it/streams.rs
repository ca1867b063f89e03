//! Frames in bytes that come in pieces: every sample stream in every split, with a timeout at every
//! byte, and cut everywhere.

use std::io::{self, Read};

use godot_variant::frame::{Decoder, Framing};
use godot_variant::{ErrorKind, Options, Result, Value};

use crate::support::{hex, testdata};

/// Streams of several frames: those of the engine, and every type in frames with both lengths.
fn samples() -> Vec<(Framing, Vec<u8>)> {
    let mut engine = std::fs::read(testdata("stream.dat")).unwrap();
    engine.extend(std::fs::read(testdata("savegame.dat")).unwrap());
    let text = std::fs::read_to_string(testdata("cases/frames.hex")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    engine.extend(hex(&lines.collect::<String>()));
    let mut samples = vec![(Framing::new(), engine)];
    for big_endian in [false, true] {
        let options = Options::new().allow_objects(true);
        let framing = Framing::new().big_endian(big_endian).options(options);
        let values = crate::support::values();
        let frames = values.iter().map(|value| framing.to_vec(value).unwrap());
        let stream = frames.collect::<Vec<_>>().concat();
        samples.push((framing, stream));
    }
    samples
}

/// What `split` makes of the whole.
fn frames(framing: &Framing, bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut frames) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (frame, after) = framing.split(rest).unwrap();
        frames.push(frame.to_vec());
        rest = after;
    }
    assert!(frames.len() > 5);
    frames
}

fn take(decoder: &mut Decoder, frames: &mut Vec<Vec<u8>>) {
    while let Some(frame) = decoder.next_frame().unwrap() {
        frames.push(frame.variant.to_vec());
    }
}

#[test]
fn every_split() {
    for (framing, stream) in samples() {
        let expected = frames(&framing, &stream);
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
        let expected = frames(&framing, &stream);
        let (mut decoder, mut found, mut rest) = (framing.decoder(), Vec::new(), &stream[..]);
        assert_eq!(decoder.needed(), 4);
        while !rest.is_empty() {
            let needed = decoder.needed();
            assert!((1..=rest.len()).contains(&needed), "{needed}");
            decoder.push(&rest[..needed]);
            rest = &rest[needed..];
            if decoder.needed() == 0 {
                found.push(decoder.next_frame().unwrap().unwrap().variant.to_vec());
            } else {
                assert!(decoder.next_frame().unwrap().is_none());
            }
        }
        assert!(found == expected);
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
        let expected: Vec<Value> = framing.all_from_slice(&stream).unwrap();
        let kinds = [WouldBlock, TimedOut, Interrupted].into_iter().cycle();
        let mut reader = framing.reader(Halting { rest: &stream, halt: Some(WouldBlock), kinds });
        let (mut found, mut halts) = (Vec::new(), 0);
        loop {
            match reader.read::<Value>() {
                Ok(Some(value)) => found.push(value),
                Ok(None) => break,
                Err(error) => {
                    let kind = error.io_error().unwrap().kind();
                    assert!(error.is_io() && [WouldBlock, TimedOut].contains(&kind), "{error}");
                    halts += 1;
                }
            }
        }
        assert!(halts >= stream.len() * 2 / 3, "{halts}");
        assert_eq!(found, expected);
    }
}

#[test]
fn cut_streams_say_what_is_missing() {
    let (framing, stream) = samples().remove(0);
    let first = framing.frame_len(&stream).unwrap().unwrap();
    for cut in 1..first {
        let missing = if cut < 4 { 4 - cut } else { first - cut };
        let mut decoder = framing.clone().decoder();
        decoder.push(&stream[..cut]);
        assert!(decoder.next_frame().unwrap().is_none());
        assert_eq!(decoder.needed(), missing);
        let mut reader = framing.clone().reader(&stream[..cut]);
        for error in [
            decoder.finish().unwrap_err(),
            framing.split(&stream[..cut]).unwrap_err(),
            reader.next_raw().unwrap_err(),
        ] {
            assert_eq!((error.is_eof(), error.needed()), (true, Some(missing)), "{error}");
            assert_eq!((error.offset(), error.engine_code()), (Some(cut), None));
        }
        assert_eq!(reader.buffered(), &stream[..cut]);
        // The rest may come after that, from a file that grows.
        *reader.get_mut() = &stream[cut..];
        let variant = reader.next_raw().unwrap().unwrap().variant;
        assert_eq!(variant, framing.split(&stream).unwrap().0);
        assert_eq!(reader.get_ref().len(), stream.len() - first);
        assert_eq!(reader.into_inner(), &stream[first..]);
    }
    // More input does not help a variant that is cut in a whole frame.
    let error = framing.take_from_slice::<i64>(&hex("04000000 02000000")).unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, None));
}

/// A frame of 100 bytes that looks like frames inside, where 50 are allowed, and one after it.
fn too_large() -> (Framing, Vec<u8>, usize) {
    let inside = Framing::new().to_vec(&()).unwrap();
    let mut stream = 100_u32.to_le_bytes().to_vec();
    stream.extend(inside.iter().cycle().take(100));
    let large = stream.len();
    stream.extend(Framing::new().to_vec("after").unwrap());
    (Framing::new().options(Options::new().max_alloc(50)), stream, large)
}

#[test]
fn frames_that_are_too_large_are_passed_over() {
    let (framing, stream, large) = too_large();
    let outcome = |frame: Result<Option<String>>| match frame {
        Ok(frame) => frame,
        Err(error) => {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::AllocLimit, Some(0)));
            Some("too large".to_owned())
        }
    };
    for size in 1..=stream.len() {
        let (mut decoder, mut found) = (framing.clone().decoder(), Vec::new());
        for part in stream.chunks(size) {
            decoder.push(part);
            loop {
                let frame = decoder.next_frame();
                let frame = frame.map(|raw| raw.map(|raw| raw.read().unwrap()));
                let Some(frame) = outcome(frame) else { break };
                found.push(frame);
            }
            // None of it is kept.
            assert!(decoder.buffered().len() < 50, "{size}");
        }
        assert_eq!(found, ["too large", "after"], "{size}");
    }
    let mut reader = framing.clone().reader(stream.as_slice());
    assert_eq!(reader.next_raw().unwrap_err().kind(), ErrorKind::AllocLimit);
    assert_eq!(reader.read::<&str>().unwrap(), Some("after"));
    let mut reader = framing.reader(&stream[..large - 3]);
    assert_eq!(reader.next_raw().unwrap_err().kind(), ErrorKind::AllocLimit);
    let error = reader.next_raw().unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, Some(3)), "{error}");
}

#[cfg(feature = "tokio")]
#[test]
fn codec() {
    use godot_variant::frame::Codec;
    use tokio_util::bytes::BytesMut;
    use tokio_util::codec::{Decoder as _, Encoder as _};

    for (framing, stream) in samples() {
        let expected = frames(&framing, &stream);
        for size in 1..40 {
            let (mut codec, mut buffer, mut found) =
                (Codec::new(framing.clone()), BytesMut::new(), Vec::new());
            for part in stream.chunks(size) {
                buffer.extend_from_slice(part);
                found.extend(std::iter::from_fn(|| codec.decode(&mut buffer).unwrap()));
            }
            found.extend(codec.decode_eof(&mut buffer).unwrap());
            assert!(found.iter().map(|frame| frame.as_raw().variant).eq(&expected), "{size}");
        }
        let mut codec = Codec::new(framing);
        let error = codec.decode_eof(&mut BytesMut::from(&stream[..5])).unwrap_err();
        assert!(error.is_eof() && error.needed().is_some());
    }
    let (framing, stream, _) = too_large();
    let (mut codec, mut buffer) = (Codec::new(framing), BytesMut::from(&stream[..]));
    assert_eq!(codec.decode(&mut buffer).unwrap_err().kind(), ErrorKind::AllocLimit);
    let frame = codec.decode(&mut buffer).unwrap().unwrap();
    assert_eq!(frame.as_raw().read::<&str>().unwrap(), "after");
    codec.encode("again", &mut buffer).unwrap();
    let frame = codec.decode(&mut buffer).unwrap().unwrap();
    assert_eq!(frame.as_raw().read::<&str>().unwrap(), "again");
}
