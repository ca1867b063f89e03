//! Errors: of the format, of the socket, and of the connection itself.

use std::error::Error as _;
use std::io;

use zeze_net::{Config, Error, ErrorKind, Opening};
use zeze_serialize::frame::{Framing, Protocol as _};

use super::{Bean, NOW, Notice, client, given, server};

#[test]
fn an_error_is_one_word_wide() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<zeze_net::Result<()>>(), size_of::<usize>());
}

#[test]
fn errors_of_the_format_are_in_those_of_the_connection() {
    let config = || Config::new().opening(Opening::AtOnce);
    let frame = Framing::new().to_vec(&Notice::message(Bean::new("one", 1))).unwrap();
    // The second frame is of a family that there is not: offsets count from the first byte.
    let mut wrong = frame.clone();
    wrong[12] = 9;
    let error = given(&mut client(config()), &[&frame[..], &wrong].concat()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format(zeze_serialize::ErrorKind::Frame));
    assert_eq!(error.kind().to_string(), "frame");
    assert_eq!(error.offset(), Some(frame.len() + 12));
    let inner = error.format_error().unwrap();
    assert_eq!(error.to_string(), inner.to_string());
    assert!(error.needed().is_none() && error.io_error().is_none() && error.source().is_none());
    // A frame that is cut says how much of it is missing.
    let mut cut = client(config());
    given(&mut cut, &[&frame[..], &frame[..frame.len() - 3]].concat()).unwrap();
    let error = cut.end().unwrap_err();
    assert_eq!((error.needed(), error.offset()), (Some(3), Some(2 * frame.len() - 3)));
    // So does `?` on a bean.
    let read = || -> zeze_net::Result<Bean> { Ok(zeze_serialize::from_slice(b"")?) };
    let error = read().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format(zeze_serialize::ErrorKind::UnexpectedEof));
    // A call is answered, another frame is not.
    let mut connection = client(config());
    let frame = given(&mut connection, &frame).unwrap();
    let [_, zeze_net::Event::Message(frame)] = &frame[..] else { panic!("{frame:?}") };
    let error = connection.respond(NOW, frame, 0, ()).unwrap_err();
    assert_eq!(error.to_string(), "expected a call, found another frame");
}

#[test]
fn errors_of_the_socket_keep_their_kind() {
    let error = Error::from(io::Error::from(io::ErrorKind::ConnectionReset));
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, None));
    assert_eq!(error.to_string(), "connection reset");
    assert_eq!(error.source().unwrap().to_string(), "connection reset");
    assert_eq!(format!("{error:?}"), "Error(Io: connection reset)");
    // All who wait for a connection get the same one.
    let copy = error.clone();
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(copy.io_error().unwrap().kind(), io::ErrorKind::ConnectionReset);
    let error = given(&mut server(Config::new()), b"GET / HTTP/1.1").unwrap_err();
    assert_eq!(error.kind().to_string(), "handshake");
    let text = error.to_string();
    let error = io::Error::from(error);
    assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::InvalidData, text));
    assert_eq!(ErrorKind::CallLimit.to_string(), "call limit");
}
