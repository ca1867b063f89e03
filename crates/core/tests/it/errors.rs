use std::fmt;

use gamewire_core::error::Details;
use gamewire_core::{Notation, Segment};

struct Error(Box<Details<()>>);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Pointer, |f, at| write!(f, " at byte {at}"))
    }
}

#[test]
fn an_error_is_one_sentence() {
    let mut error = Error(Details::new((), "expected a list".into()));
    assert_eq!(error.to_string(), "expected a list");
    error.0.path.push_outer(3);
    error.0.path.push_outer(Segment::field("items"));
    assert_eq!(error.to_string(), "expected a list, in /items/3");
    error.0.offset = Some(7);
    assert_eq!(error.to_string(), "expected a list at byte 7, in /items/3");
}
