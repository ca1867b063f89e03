//! Frames in bytes that come in pieces.

use zeze_serialize::Result;
use zeze_serialize::frame::{Frame, Framing, Header, RawFrame};

use crate::support::{hex, testdata};

gamewire_testkit::streams!(zeze_serialize, head: 12, too_large_at: 8);

/// Ids, header and bean; where a frame was in the stream does not count.
type Taken = (i64, Header<'static>, Vec<u8>);

/// Streams of several frames: those of testdata.
fn samples() -> Vec<(Framing, Vec<u8>)> {
    let mut samples = vec![
        (Framing::new(), std::fs::read(testdata("frames.bin")).unwrap()),
        (Framing::without_family(), std::fs::read(testdata("page_frames.bin")).unwrap()),
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

fn first<'a>(framing: &Framing, bytes: &'a [u8]) -> Result<(Taken, &'a [u8])> {
    framing.split(bytes).map(|(frame, rest)| (taken(frame), rest))
}

fn taken(frame: RawFrame<'_>) -> Taken {
    (frame.type_id(), frame.header.into_owned(), frame.bean.to_vec())
}

fn text(frame: RawFrame<'_>) -> String {
    assert_eq!(frame.type_id(), 7 << 32 | 8);
    frame.read().unwrap()
}

fn too_large() -> (Framing, Vec<u8>, usize) {
    let inside = Framing::new().to_vec(&Frame::protocol(6, 6, ())).unwrap();
    let mut stream = hex("01000000 02000000 64000000");
    stream.extend(inside.iter().cycle().take(100));
    let large = stream.len();
    Framing::new().append_to_vec(&mut stream, &Frame::protocol(7, 8, "after")).unwrap();
    (Framing::new().max_size(50), stream, large)
}

#[cfg(feature = "tokio")]
fn encode(codec: &mut zeze_serialize::frame::Codec, out: &mut tokio_util::bytes::BytesMut) {
    let frame = Frame::protocol(7, 8, "again");
    tokio_util::codec::Encoder::encode(codec, frame, out).unwrap();
}

#[test]
fn more_input_does_not_help_a_bean_that_is_cut_in_a_whole_frame() {
    let whole = hex("01000000 02000000 02000000 02 10");
    let error = Framing::new().split(&whole).unwrap().0.read::<(i32,)>().unwrap_err();
    assert_eq!((error.is_eof(), error.needed()), (true, None));
}
