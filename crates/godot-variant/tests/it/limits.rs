//! Limits: depth both ways, memory, time, output; hostile input of every sort.

mod depth;
mod hostile;
mod typed;

use std::io;

use godot_variant::frame::Framing;
use godot_variant::types::{Element, ElementType, Type};
use godot_variant::value::{Array, Dictionary, Instance};
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{hex, nested};

#[test]
fn max_alloc_is_the_most_that_a_reader_gives() {
    let bytes = to_vec(&"x".repeat(100)).unwrap();
    let limit = |most| Options::new().max_alloc(most);
    assert_eq!(bytes.len(), 108);
    limit(108).from_reader::<_, String>(&bytes[..]).unwrap();
    let error = limit(107).from_reader::<_, String>(&bytes[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    // A slice is there already.
    limit(1).from_slice::<String>(&bytes).unwrap();
    limit(usize::MAX).from_reader::<_, String>(&bytes[..]).unwrap();
    // A reader without an end is read no further than the limit.
    let run = gamewire_testkit::hostile::measure(&[], |_| {
        limit(1 << 20).from_reader::<_, Value>(io::repeat(0))
    });
    assert!(run.peak < 4 << 20, "{} bytes", run.peak);
    assert!(
        matches!(&run.verdict, gamewire_testkit::hostile::Verdict::Refused(error)
            if error.contains("max_alloc")),
        "{run:?}"
    );
}

#[test]
fn max_output_is_the_most_that_is_written() {
    let limit = |most| Options::new().max_output(most);
    let text = "x".repeat(100);
    assert_eq!(limit(108).to_vec(&text).unwrap().len(), 108);
    assert_eq!(limit(107).to_vec(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    let value = Value::from(text.as_str());
    assert_eq!(limit(107).to_vec(&value).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(limit(107).to_value(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    // What a writer would have been given is held back.
    let mut written = Vec::new();
    limit(107).to_writer(&mut written, &text).unwrap_err();
    assert!(written.is_empty());
    let framing = Framing::new().options(limit(107));
    assert_eq!(framing.to_vec(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    // What was there before does not count.
    let mut out = vec![0; 1000];
    limit(108).append_to_vec(&mut out, &text).unwrap();
    assert_eq!(out.len(), 1108);
}
