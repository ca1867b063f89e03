//! Frames in slices and streams.

use serde::{Deserialize, Serialize};
use zeze_serialize::frame::{Expected, Frame, Framing, Header, Received, type_id};
use zeze_serialize::{ErrorKind, Options, RawBean};

use crate::support::{digits, hex, refused};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Bean {
    a: i32,
    s: String,
}

fn bean() -> Bean {
    Bean { a: 5, s: "é".into() }
}

const BEAN: &str = "10051302c3a900";

const MESSAGE: Expected = Expected::message(1, 2);

#[test]
fn headers() {
    let raft = |is_request, result_code| Header::RaftRpc {
        is_request,
        result_code,
        session_id: 64,
        unique: RawBean::from_slice(&[0x10, 0x01, 0x00]).unwrap(),
        create_time: -1,
    };
    let rpc = |is_request, result_code| Header::Rpc { is_request, result_code, session_id: 64 };
    for (header, bytes) in [
        (Header::Protocol { result_code: 0 }, "02"),
        (Header::Protocol { result_code: -1 }, "22ff"),
        (rpc(true, 0), "014040"),
        (rpc(false, 0), "004040"),
        (rpc(false, 7), "20074040"),
        (rpc(true, 7), "21074040"),
        (raft(true, 0), "044040100100ff"),
        (raft(false, 300), "23412c4040100100ff"),
    ] {
        let expected = if header.session_id().is_none() || header.is_request() {
            Expected::message(1, 0xffff_fffe)
        } else {
            Expected::answer(1, 0xffff_fffe, 64)
        };
        let (module_id, protocol_id, rest) = (1, 0xffff_fffe, (&[]).into());
        let frame = Frame { module_id, protocol_id, header, bean: bean(), rest };
        let encoded = Framing::new().to_vec(&frame).unwrap();
        let size = format!("{:02x}000000", (bytes.len() + BEAN.len()) / 2);
        assert_eq!(digits(&encoded), format!("01000000feffffff{size}{bytes}{BEAN}"));
        assert_eq!(Framing::new().from_slice::<Bean>(&encoded, expected).unwrap(), frame);
        assert_eq!(frame.type_id(), 0x1_ffff_fffe);
        let owned = frame.header.clone().into_owned();
        assert_eq!(owned, frame.header);
    }
    assert_eq!(type_id(u32::MAX, u32::MAX), -1);
    let page = Frame::page(1, 2, bean());
    let encoded = Framing::without_family().to_vec(&page).unwrap();
    assert_eq!(digits(&encoded), format!("010000000200000007000000{BEAN}"));
    assert_eq!(Framing::without_family().from_slice::<Bean>(&encoded, MESSAGE).unwrap(), page);
    // The two kinds are not mixed up in silence.
    assert_eq!(Framing::new().to_vec(&page).unwrap_err().kind(), ErrorKind::Frame);
    let protocol = Frame::protocol(1, 2, bean());
    assert_eq!(Framing::without_family().to_vec(&protocol).unwrap_err().kind(), ErrorKind::Frame);
    refused(Framing::new().from_slice::<Bean>(&encoded, MESSAGE));
}

#[test]
fn calls_are_answered() {
    let call = Frame::rpc_request(3, 4, -9, bean());
    let answer = call.respond(0, Bean::default()).unwrap();
    assert_eq!(answer, Frame::rpc_response(3, 4, -9, 0, Bean::default()));
    assert!(answer.respond(0, ()).is_none());
    assert!(Frame::protocol(3, 4, ()).respond(0, ()).is_none());
    assert!(call.header.is_request() && !answer.header.is_request());
    assert_eq!(answer.header.result_code(), Some(0));
}

#[test]
fn streams() {
    let frames: Vec<_> = (0..5).map(|n| Frame::rpc_request(n, n, n.into(), bean())).collect();
    let mut stream = Vec::new();
    for frame in &frames {
        Framing::new().to_writer(&mut stream, frame).unwrap();
    }
    let mut reader = Framing::new().reader(stream.as_slice());
    for frame in &frames {
        let expected = Expected::message(frame.module_id, frame.protocol_id);
        let found = reader.read::<Bean>(expected).unwrap().and_then(Received::frame);
        assert_eq!(found.as_ref(), Some(frame));
    }
    assert!(reader.read::<Bean>(MESSAGE).unwrap().is_none());
    // Cut off anywhere but between frames, it is an error with an offset in the stream.
    let len = stream.len() / 5;
    for cut in 0..stream.len() {
        let mut reader = Framing::new().reader(&stream[..cut]);
        let mut read = 0;
        let error = loop {
            match reader.next_frame() {
                Ok(Some(_)) => read += 1,
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!((read, error.is_some()), (cut / len, !cut.is_multiple_of(len)), "{cut}");
        if let Some(error) = error {
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            assert_eq!(error.offset(), Some(cut), "{error}");
        }
        if cut < len {
            assert!(Framing::new().split(&stream[..cut]).is_err());
            let whole = Framing::new().frame_len(&stream[..cut]).unwrap();
            assert_eq!(whole, (cut >= 12).then_some(len));
        }
    }
    // After a bean that does not fit the next frame can be read.
    let mut broken = stream.clone();
    broken[len + 20] = 0xff;
    let mut reader = Framing::new().reader(broken.as_slice());
    reader.next_frame().unwrap();
    let error = reader.read::<Bean>(Expected::message(1, 1)).unwrap_err();
    assert!(error.offset().unwrap() >= len, "{error}");
    assert_eq!(reader.next_frame().unwrap().unwrap().module_id, 2);
}

#[test]
fn sizes_are_capped() {
    let frame = Frame::protocol(1, 2, "x".repeat(100));
    let bytes = Framing::new().to_vec(&frame).unwrap();
    let size = bytes.len() - 12;
    for framing in [Framing::new().max_size(size), Framing::new()] {
        framing.to_vec(&frame).unwrap();
        framing.from_slice::<String>(&bytes, MESSAGE).unwrap();
    }
    let small = Framing::new().max_size(size - 1);
    let mut out = vec![9];
    let error = small.append_to_vec(&mut out, &frame).unwrap_err();
    assert_eq!((error.kind(), out), (ErrorKind::AllocLimit, vec![9]));
    for error in [
        small.from_slice::<String>(&bytes, MESSAGE).unwrap_err(),
        small.reader(bytes.as_slice()).read::<String>(MESSAGE).unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.offset()), (ErrorKind::AllocLimit, Some(8)));
        assert_eq!(
            error.to_string(),
            "a frame of 102 bytes is larger than max_size, which is 101 bytes at byte 0x8"
        );
    }
    // 2 MiB unless told otherwise.
    let huge = hex("01000000 02000000 01002000");
    assert_eq!(Framing::new().split(&huge).unwrap_err().kind(), ErrorKind::AllocLimit);
    assert_eq!(
        Framing::default().frame_len(&hex("00000000 00000000 00002000")).unwrap(),
        Some((2 << 20) + 12)
    );
}

#[test]
fn what_is_left_in_a_frame() {
    let bytes = hex("01000000 02000000 03000000 02 00 ff");
    let (frame, rest) = Framing::new().take_from_slice::<Bean>(&bytes, MESSAGE).unwrap();
    assert_eq!((&frame.bean, &*frame.rest, rest.len()), (&Bean::default(), &[0xff][..], 0));
    // It is kept.
    assert_eq!(Framing::new().to_vec(&frame.into_owned()).unwrap(), bytes);
    let strict = Framing::new().options(Options::new().strict(true));
    let error = strict.from_slice::<Bean>(&bytes, MESSAGE).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(14)));
    let twice = [bytes.clone(), bytes].concat();
    let error = Framing::new().from_slice::<Bean>(&twice, MESSAGE).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(15)));
}

#[test]
fn unknown_families() {
    for family in [5, 6, 31, 63, 64, 127] {
        let bytes = [&hex("01000000 02000000 03000000")[..], &[family, 1, 0]].concat();
        let error = Framing::new().split(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Frame, Some(12)), "{error}");
    }
    assert_eq!(
        refused(Framing::new().split(&hex("01000000 02000000 02000000 0900"))),
        "expected a frame's family of 0 to 4, found 9 at byte 0xc"
    );
}

#[test]
fn other_frames_are_handed_over() {
    let call = Framing::new().to_vec(&Frame::rpc_request(1, 2, 9, bean())).unwrap();
    let answer = Framing::new().to_vec(&Frame::rpc_response(1, 2, 9, 0, bean())).unwrap();
    let page = Framing::without_family().to_vec(&Frame::page(1, 2, bean())).unwrap();
    for (framing, bytes, right, wrong, name) in [
        (Framing::new(), call, MESSAGE, Expected::answer(1, 2, 9), "protocol 2 of module 1"),
        (
            Framing::new(),
            answer,
            Expected::answer(1, 2, 9),
            MESSAGE,
            "the answer to call 9 of protocol 2 of module 1",
        ),
        (
            Framing::without_family(),
            page,
            MESSAGE,
            Expected::answer(1, 2, 9),
            "protocol 2 of module 1",
        ),
    ] {
        assert_eq!(framing.from_slice::<Bean>(&bytes, right).unwrap().bean, bean());
        for other in [
            wrong,
            Expected::message(2, 2),
            Expected::message(1, 1),
            Expected::answer(1, 2, 8),
            Expected::answer(1, 2, -9),
        ] {
            let error = framing.from_slice::<Bean>(&bytes, other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Frame);
            assert_eq!(error.to_string(), format!("expected {other}, found {name} at byte 0x0"));
            // It is no bean of another type by accident, and can still be read as what it is.
            let mut reader = framing.reader(bytes.as_slice());
            let Some(Received::Other(raw)) = reader.read::<Bean>(other).unwrap() else {
                panic!("{other:?}");
            };
            assert_eq!(Expected::of(&raw), right);
            assert_eq!(raw.expect::<Bean>(right).unwrap().frame().unwrap().bean, bean());
        }
    }
}
