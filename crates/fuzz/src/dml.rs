//! Messages of KingsIsle's games: frames, control messages, and the files that declare messages.

use std::sync::LazyLock;

use kiwi_dml::frame::{Content, Frame, Framing};
use kiwi_dml::{Protocol, Protocols, Session};

static PROTOCOLS: LazyLock<Protocols> = LazyLock::new(|| {
    let xml = include_bytes!("../../../testdata/kiwi-dml/messages/GardenMessages.xml");
    Protocols::from_xml(xml).expect("a file of messages")
});

/// Messages are written as they were, in frames that come in pieces.
pub(crate) fn kiwi_frames(data: &[u8]) {
    if let Ok(protocol) = Protocol::from_xml(data) {
        assert!(protocol.messages().is_sorted_by_key(|message| message.order));
    }
    let mut session =
        if data.len().is_multiple_of(2) { Session::client() } else { Session::server(7) };
    let mut decoder = Framing::new().decoder();
    for piece in data.chunks(13) {
        decoder.push(piece);
        loop {
            let frame = match decoder.next_frame() {
                Ok(Some(frame)) => frame,
                Ok(None) => break,
                Err(_) => return,
            };
            assert!(Framing::new().to_vec(&frame).is_ok());
            match frame.content() {
                Ok(Content::Control(control)) => {
                    let _ = session.take(std::time::Duration::ZERO, &control);
                    let again = Frame::control(&control);
                    assert_eq!(again.content().ok(), Some(Content::Control(control)));
                }
                Ok(Content::Messages(messages)) => {
                    let again = Frame::messages(&messages);
                    assert_eq!(again.content().ok(), Some(Content::Messages(messages.clone())));
                    for message in &messages {
                        if let Ok(record) = PROTOCOLS.read(message) {
                            assert_eq!(&record.to_raw().expect("a record"), message);
                        }
                    }
                }
                Err(_) => {}
            }
        }
    }
}
