//! Frames in bytes that come in pieces.

use godot_variant::frame::{Framing, RawFrame};
use godot_variant::{ErrorKind, Options, Result, Value};

use crate::support::{hex, testdata};

gamewire_testkit::streams!(godot_variant, head: 4, too_large_at: 0);

type Taken = Vec<u8>;

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

fn first<'a>(framing: &Framing, bytes: &'a [u8]) -> Result<(Taken, &'a [u8])> {
    framing.split(bytes).map(|(variant, rest)| (variant.to_vec(), rest))
}

fn taken(frame: RawFrame<'_>) -> Taken {
    frame.variant.to_vec()
}

fn text(frame: RawFrame<'_>) -> String {
    frame.read().unwrap()
}

fn too_large() -> (Framing, Vec<u8>, usize) {
    let inside = Framing::new().to_vec(&()).unwrap();
    let mut stream = 100_u32.to_le_bytes().to_vec();
    stream.extend(inside.iter().cycle().take(100));
    let large = stream.len();
    stream.extend(Framing::new().to_vec("after").unwrap());
    (Framing::new().options(Options::new().max_alloc(50)), stream, large)
}

#[cfg(feature = "tokio")]
fn encode(codec: &mut godot_variant::frame::Codec, out: &mut tokio_util::bytes::BytesMut) {
    tokio_util::codec::Encoder::encode(codec, "again", out).unwrap();
}

#[test]
fn values_out_of_a_reader() {
    for (framing, stream) in samples() {
        let expected: Vec<Value> = framing.all_from_slice(&stream).unwrap();
        let mut reader = framing.reader(stream.as_slice());
        let found = std::iter::from_fn(|| reader.read::<Value>().unwrap());
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn more_input_does_not_help_a_variant_that_is_cut_in_a_whole_frame() {
    let error = Framing::new().take_from_slice::<i64>(&hex("04000000 02000000")).unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, None));
    // The engine has no name for a frame that is cut.
    let error = Framing::new().split(&hex("04000000 02")).unwrap_err();
    assert_eq!((error.needed(), error.engine_code()), (Some(3), None));
}

/// What a peer may claim is less than what a file may have.
#[test]
fn frames_of_connections_have_a_limit_of_their_own() {
    let long =
        Framing::new().to_vec(&godot_variant::types::PackedByteArray(vec![7; 3 << 20])).unwrap();
    assert!(Framing::new().split(&long).is_ok(), "it is there");
    let mut decoder = Framing::new().decoder();
    decoder.push(&long[..4]);
    let error = decoder.next_frame().unwrap_err();
    let text =
        "a frame of 3145736 bytes is longer than max_size, which is 2097152 bytes at byte 0x0";
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::AllocLimit, text));
    // What it sends all the same is not held.
    for part in long[4..].chunks(1000) {
        decoder.push(part);
        assert!(decoder.next_frame().unwrap().is_none() && decoder.buffered().is_empty());
    }
    decoder.push(&Framing::new().to_vec("after").unwrap());
    assert!(decoder.next_frame().unwrap().is_some());
    let error = Framing::new().reader(&long[..]).next_frame().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    let raised = Framing::new().max_size(4 << 20);
    assert!(raised.clone().reader(&long[..]).next_frame().unwrap().is_some());
    let strict = raised.options(Options::new().max_alloc(100));
    let error = strict.reader(&long[..]).next_frame().unwrap_err();
    assert!(error.to_string().contains("longer than max_alloc, which is 100 bytes"), "{error}");
}

/// A frame that a codec gives is the memory in which it came.
#[cfg(feature = "tokio")]
#[test]
fn a_codec_does_not_copy() {
    use tokio_util::codec::Decoder as _;
    let frame = Framing::new().to_vec("text").unwrap();
    let mut bytes = tokio_util::bytes::BytesMut::from(&[frame.clone(), frame].concat()[..]);
    let at = bytes.as_ptr();
    let mut codec = godot_variant::frame::Codec::new(Framing::new());
    let first = codec.decode(&mut bytes).unwrap().unwrap();
    assert_eq!(first.as_raw().variant.as_ptr(), at.wrapping_add(4));
    assert_eq!(first.read::<&str>().unwrap(), "text");
    let second = codec.decode(&mut bytes).unwrap().unwrap();
    assert_eq!(second.as_raw().variant.as_ptr(), at.wrapping_add(8 + first.as_raw().variant.len()));
}
