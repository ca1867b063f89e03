//! Frames, control messages, sessions.

use std::time::Duration;

use kiwi_dml::frame::{Content, Frame, Framing};
use kiwi_dml::{
    Control, ErrorKind, KeepAlive, RawMessage, Session, SessionAccept, SessionOffer, Time,
};

use crate::support::testdata;

fn raw(order: u8, body: &[u8]) -> RawMessage<'_> {
    RawMessage::new(5, order, body).unwrap()
}

fn to_vec(frame: &Frame<'_>) -> Vec<u8> {
    Framing::new().to_vec(frame).unwrap()
}

#[test]
fn frames_come_out_however_the_bytes_come_in() {
    let messages = [raw(1, b"abc"), raw(2, b""), raw(3, &[0; 300])];
    let large = raw(4, &[7; 60_000]);
    let frames = [
        Frame::messages(&messages),
        Frame::messages([&large]),
        Frame::control(&Control::KeepAliveResponse(None)),
        Frame::messages([]),
    ];
    let stream: Vec<u8> = frames.iter().flat_map(to_vec).collect();
    for size in [1, 2, 3, 5, 7, 4096, stream.len()] {
        let mut decoder = Framing::new().decoder();
        let mut found = Vec::new();
        for piece in stream.chunks(size) {
            decoder.push(piece);
            while let Some(frame) = decoder.next_frame().unwrap() {
                found.push(frame.into_owned());
            }
            assert!(decoder.needed() > 0);
        }
        decoder.finish().unwrap();
        assert_eq!(found, frames);
    }
    // A reader, which is asked for what a frame needs and no more.
    let mut reader = Framing::new().reader(&stream[..]);
    for frame in &frames {
        assert_eq!(reader.next_frame().unwrap().as_ref(), Some(frame));
        assert!(reader.buffered().is_empty());
    }
    assert!(reader.next_frame().unwrap().is_none());
    assert_eq!(frames[0].content().unwrap(), Content::Messages(messages.to_vec()));
    assert_eq!(frames[3].content().unwrap(), Content::Messages(vec![]));
}

#[test]
fn what_is_no_frame_is_said() {
    let mut said = String::new();
    let mut say = |bytes: &[u8]| {
        let mut decoder = Framing::new().max_size(100).decoder();
        decoder.push(bytes);
        let error = match decoder.next_frame() {
            Err(error) => error,
            Ok(None) => decoder.finish().unwrap_err(),
            Ok(Some(frame)) => frame.content().unwrap_err(),
        };
        said.push_str(&format!("{bytes:02x?}: {error}\n"));
    };
    say(b"\x0d");
    say(b"\x0d\xf0\x05");
    say(b"\x0d\xf0\x05\0\x01\0");
    say(b"\x0d\xf0\0\x80\x05\0");
    say(b"GET /");
    say(b"\x0d\xf1");
    say(b"x");
    say(b"\x0d\xf0\x65\0");
    say(b"\x0d\xf0\0\x80\xff\xff\xff\xff");
    say(b"\x0d\xf0\x03\0\0\0\0");
    say(b"\x0d\xf0\x05\0\x02\0\0\0\0");
    // Messages: cut, longer than the frame, shorter than their head, followed by other bytes.
    say(b"\x0d\xf0\x06\0\0\0\0\0\x05\x01");
    say(b"\x0d\xf0\x09\0\0\0\0\0\x05\x01\x06\0\0");
    say(b"\x0d\xf0\x09\0\0\0\0\0\x05\x01\x03\0\0");
    say(b"\x0d\xf0\x09\0\0\0\0\0\x05\x01\x04\0\x09");
    // Control messages.
    say(b"\x0d\xf0\x08\0\x01\0\0\0\0\0\0\0");
    say(b"\x0d\xf0\x0c\0\x01\x03\0\0\x01\0\0\0\0\0\0\0");
    insta::assert_snapshot!(said);
}

#[test]
fn a_frame_over_the_limit_is_passed_over() {
    let (small, large) = (Frame::messages([&raw(1, b"x")]), Frame::messages([&raw(2, &[0; 200])]));
    let stream = [to_vec(&large), to_vec(&small)].concat();
    let framing = Framing::new().max_size(100);
    let mut decoder = framing.decoder();
    let mut found = Vec::new();
    for byte in stream {
        decoder.push(&[byte]);
        match decoder.next_frame() {
            Ok(frame) => found.extend(frame.map(|frame| Ok(frame.into_owned()))),
            Err(error) => found.push(Err(error.kind())),
        }
    }
    assert_eq!(found, [Err(ErrorKind::AllocLimit), Ok(small)]);
    assert_eq!(framing.to_vec(&large).unwrap_err().kind(), ErrorKind::OutputLimit);
    // Without the magic, no frame is found any more.
    let mut decoder = framing.decoder();
    decoder.push(b"lost");
    assert_eq!(decoder.next_frame().unwrap_err().kind(), ErrorKind::Frame);
    decoder.push(&to_vec(&Frame::messages([])));
    assert_eq!(decoder.next_frame().unwrap_err().kind(), ErrorKind::Frame);
    assert_eq!(decoder.needed(), 0);
}

#[test]
fn a_message_without_the_zero_at_the_end_is_one() {
    let frame = |payload: &[u8]| Frame {
        is_control: false,
        opcode: 0,
        reserved: 0,
        payload: payload.to_vec().into(),
    };
    let message = Content::Messages(vec![raw(1, b"a")]);
    assert_eq!(frame(b"\x05\x01\x05\0a").content().unwrap(), message);
    assert_eq!(frame(b"\x05\x01\x05\0a\0").content().unwrap(), message);
}

#[test]
fn control_messages_are_written_as_they_were_read() {
    let time = Time { seconds: 1 << 32 | 5, milliseconds: 999 };
    assert_eq!(Time::since_1970(Duration::from_millis(4_294_967_301_999)), time);
    let alive = KeepAlive::of_client(7, Duration::from_millis(185_250));
    assert_eq!((alive.minutes(), alive.milliseconds()), (3, 250));
    let crypto = vec![1, 0, 0, 0, 0];
    let controls = [
        Control::SessionOffer(SessionOffer { session_id: 7, time, crypto: vec![] }),
        Control::SessionOffer(SessionOffer { session_id: 7, time, crypto: crypto.clone() }),
        Control::SessionAccept(SessionAccept { reserved: 1, time, session_id: 7, crypto }),
        Control::KeepAlive(alive),
        Control::KeepAlive(KeepAlive { session_id: 0, clock: u32::MAX }),
        Control::KeepAliveResponse(Some(alive)),
        Control::KeepAliveResponse(None),
        Control::Other { opcode: 9, payload: vec![1, 2] },
    ];
    for control in controls {
        let bytes = control.to_vec();
        assert_eq!(Control::read(control.opcode(), &bytes).unwrap(), control);
        let frame = Frame::control(&control);
        assert_eq!(frame.content().unwrap(), Content::Control(control.clone()));
        assert_eq!(
            Frame::control(&Control::read(control.opcode(), &frame.payload).unwrap()),
            frame
        );
    }
    // A byte short, and no telling whether the one of the frame or of the encryption is missing.
    let short = [&[0; 14][..], &[2, 0, 0, 0, 7]].concat();
    let error = Control::read(0, &short).unwrap_err().to_string();
    assert!(error.starts_with("expected 2 bytes to start encryption, found one less"), "{error}");
    assert!(Control::read(0, &short[..18]).is_ok());
}

#[test]
fn a_session_answers_and_refuses() {
    let now = Duration::from_secs(5);
    let (mut server, mut client) = (Session::server(9), Session::client());
    let offer = server.offer(Time { seconds: 1, milliseconds: 2 });
    let accept = client.take(now, &offer).unwrap().unwrap();
    assert_eq!(accept.to_vec(), b"\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x09\0");
    assert!(client.is_open() && !server.is_open());

    let with_crypto =
        SessionOffer { session_id: 9, crypto: vec![2, 0, 0, 0, 7, 7], ..SessionOffer::default() };
    let accept_plain = Session::client().take(now, &Control::SessionOffer(with_crypto)).unwrap();
    let Some(Control::SessionAccept(plain)) = accept_plain else { panic!() };
    assert_eq!(plain.crypto, [1, 0, 0, 0, 0]);

    // A server takes no offer, a client nothing accepted, and neither another session.
    assert!(Session::client().take(now, &accept).is_err());
    assert!(Session::server(9).take(now, &offer).is_err());
    let error = Session::server(8).take(now, &accept).unwrap_err();
    assert_eq!(error.to_string(), "expected the session 8 to be accepted, found 9");
    assert_eq!(server.take(now, &accept).unwrap(), None);
    assert!(server.is_open());
    assert!(server.take(now, &accept).is_err() && client.take(now, &offer).is_err());

    let later = now + Duration::from_millis(61_500);
    let Control::KeepAlive(alive) = client.keep_alive(later) else { panic!() };
    assert_eq!((alive.session_id, alive.minutes(), alive.milliseconds()), (9, 1, 500));
    let answer = server.take(later, &Control::KeepAlive(alive)).unwrap();
    assert_eq!(answer, Some(Control::KeepAliveResponse(Some(alive))));
    let of_server = KeepAlive { session_id: 0, clock: 61_500 };
    assert_eq!(server.keep_alive(later), Control::KeepAlive(of_server));
    assert_eq!(client.take(later, &answer.unwrap()).unwrap(), None);
    assert_eq!(client.take(later, &Control::Other { opcode: 1, payload: vec![] }).unwrap(), None);
}

/// What is not known is not known to end with a 0 that means nothing.
#[test]
fn unknown_control_messages_keep_their_zeros() {
    let bytes = std::fs::read(testdata("control_frames.bin")).unwrap();
    let mut decoder = Framing::new().decoder();
    decoder.push(&bytes);
    let frame = decoder.next_frame().unwrap().unwrap();
    let Content::Control(control) = frame.content().unwrap() else { panic!("{frame:?}") };
    let Control::Other { opcode: 0x2f, payload } = &control else { panic!("{control:?}") };
    assert!(payload.ends_with(&[0; 8]));
    assert_eq!(Control::read(0x2f, &control.to_vec()).unwrap(), control);
    let again = Frame::control(&control);
    assert_eq!(again.payload, frame.payload);
    assert_eq!(again.content().unwrap(), Content::Control(control));
}
