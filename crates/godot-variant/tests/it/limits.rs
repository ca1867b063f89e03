//! Limits: depth both ways, memory, time, output; hostile input of every sort.

mod depth;
mod hostile;
mod typed;

use std::io;

use godot_variant::frame::Framing;
use godot_variant::types::*;
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
    // Bytes for a writer are held back.
    let mut written = Vec::new();
    limit(107).to_writer(&mut written, &text).unwrap_err();
    assert!(written.is_empty());
    let framing = Framing::new().options(limit(107));
    assert_eq!(framing.to_vec(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    // Bytes that were there before do not count.
    let mut out = vec![0; 1000];
    limit(108).append_to_vec(&mut out, &text).unwrap();
    assert_eq!(out.len(), 1108);
}

#[test]
fn memory_has_one_budget() {
    use gamewire_testkit::hostile::measure;
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only read")]
    enum Buffered {
        Any(Value),
    }
    let array = |count: u32, each: &[u8]| {
        let head = [28, count].map(u32::to_le_bytes).concat();
        [head, each.repeat(count as usize)].concat()
    };
    let nils = array(500_000, &[0; 4]);
    let callables = array(200_000, &hex("19000000"));
    // Each byte becomes a value in an Array[Array].
    let bytes = to_vec(&PackedByteArray(vec![7; 500_000])).unwrap();
    let converted = [hex("1c000100 1c000000 01000000"), bytes].concat();
    let limit = |most| Options::new().max_memory(most);
    for input in [&nils, &callables, &converted] {
        // The default is beyond whatever is read.
        Options::new().from_slice::<Value>(input).unwrap();
        let small = limit(4 << 20);
        let run = measure(input, |bytes| small.from_slice::<Value>(bytes));
        assert!(run.peak < 5 << 20, "{} bytes", run.peak);
        let error = small.from_slice::<Value>(input).unwrap_err();
        assert_eq!((error.kind(), error.engine_code()), (ErrorKind::MemoryLimit, None));
        assert!(error.to_string().contains("max_memory"), "{error}");
        // Skipped values are not held.
        small.from_slice::<serde::de::IgnoredAny>(input).unwrap();
        let run = measure(input, |bytes| small.from_slice::<Buffered>(bytes));
        assert!(run.peak < 16 << 20, "{} bytes", run.peak);
        #[cfg(feature = "explain")]
        {
            let run = measure(input, |bytes| Ok::<_, Error>(small.explain(bytes)));
            assert!(run.peak < 24 << 20, "{} bytes", run.peak);
        }
    }
    limit(4 << 20).from_slice::<Buffered>(&callables).unwrap_err();
    // Frames and settings are held together.
    let framing = Framing::new().options(limit(1 << 20));
    let frame = framing.to_vec(&vec![(); 10_000]).unwrap();
    framing.take_from_slice::<Value>(&frame).unwrap();
    let error = framing.all_from_slice::<Value>(&frame.repeat(10)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    let entries = (0..10).map(|n| (n.to_string(), vec![(); 10_000].into())).collect();
    let settings = godot_variant::project::ProjectSettings { entries }.to_vec().unwrap();
    let read = godot_variant::project::ProjectSettings::from_slice_with(&settings, &limit(1 << 20));
    assert_eq!(read.unwrap_err().kind(), ErrorKind::MemoryLimit);
}
