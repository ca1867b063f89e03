use std::fmt;
use std::io;

use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::Nouns;
use gamewire_core::{Notation, Segment};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorKind {
    Eof,
    TrailingBytes,
    Data,
    Io,
}

struct Error(Box<Details<ErrorKind>>);

impl Error {
    fn of_serde(_: SerdeError, message: String) -> Self {
        Error::new(ErrorKind::Data, message)
    }
}

const NOUNS: Nouns = Nouns { nothing: "nothing", list: "a list", map: "a map" };

gamewire_core::error_type! {
    Error, ErrorKind, NOUNS;
    bits: 8;
    eof: Eof;
    data: Data;
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Pointer, |f, at| write!(f, " at byte {at}"))
    }
}

#[test]
fn an_error_is_one_sentence() {
    let mut error = Error::new(ErrorKind::Data, "expected a list");
    assert_eq!(error.to_string(), "expected a list");
    error.0.path.push_outer(3);
    error.0.path.push_outer(Segment::field("items"));
    assert_eq!(error.to_string(), "expected a list, in /items/3");
    error.0.offset = Some(7);
    assert_eq!(error.to_string(), "expected a list at byte 7, in /items/3");
}

#[test]
fn an_error_is_an_io_error() {
    let error = io::Error::from(Error::at(ErrorKind::Eof, 7, "expected a list").inside("items"));
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "expected a list at byte 7, in /items");
    let own: Error = error.downcast().unwrap();
    assert!(own.is_eof() && !own.is_io());

    let own = Error::from(io::Error::from(io::ErrorKind::TimedOut)).inside("items");
    assert_eq!(own.kind(), ErrorKind::Io);
    assert_eq!(io::Error::from(own).kind(), io::ErrorKind::TimedOut);
}
