//! Headers of core objects, envelopes, layers.

use kiwi_pclass::core_object::{CoreHeader, CoreTypes};
use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::value::Object;
use kiwi_pclass::*;

use crate::support::{bytes, deep, hex, options, rows, sample, shallow};

#[test]
fn headers_are_kept() {
    let (options, bytes) = sample("core_object/shallow/f0");
    let value: Value = options.from_slice(&bytes).unwrap();
    let object = value.as_object().unwrap();
    assert_eq!(object.core(), Some(CoreHeader::new(104, 2, 12345)));
    assert_eq!(object.class().name(), "class TvCore");
    // The flags word comes after the header of the root.
    let stateful = options.clone().flags(SerializerFlags::STATEFUL);
    let with_flags = stateful.to_vec(&value).unwrap();
    assert_eq!(with_flags[..6], bytes[..6]);
    assert_eq!(with_flags[6..10], [1, 0, 0, 0]);
    assert_eq!(with_flags[10..], bytes[6..]);
    assert_eq!(stateful.from_slice::<Value>(&with_flags).unwrap(), value);
    // Deep mode has no such headers.
    let deep = options.mode(Mode::Deep);
    let bytes = deep.to_vec(&value).unwrap();
    assert_eq!(bytes[..4], object.class().hash().to_le_bytes());
    assert!(deep.from_slice::<Value>(&bytes).unwrap().as_object().unwrap().core().is_none());
}

#[test]
fn unknown_core_types_are_refused() {
    let options = shallow().core_types(CoreTypes::new().with(9, "class Missing"));
    let error = options.from_slice::<Value>(&[8, 0, 1, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "expected a core type of the table, found 8 at byte 0x0");
    let error = options.from_slice::<Value>(&[9, 0, 1, 0, 0, 0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownClass);
    let error = options.from_slice::<Value>(&[0; 6]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Null);
}

/// What is in them is for the vectors.
#[test]
fn envelopes_that_are_cut_or_too_long() {
    for row in rows("envelope.jsonl") {
        let wrapped = hex(row["hex"].as_str().unwrap());
        for len in 0..wrapped.len() {
            assert!(envelope::unwrap(&wrapped[..len], &Options::new()).is_err());
        }
        let longer = [&wrapped[..], &[0]].concat();
        let error = envelope::unwrap(&longer, &Options::new()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(wrapped.len())));
    }
    let limit = Options::new().max_output(100);
    let bomb = envelope::wrap(&[0; 101], true).unwrap();
    assert_eq!(envelope::unwrap(&bomb, &limit).unwrap_err().kind(), ErrorKind::OutputLimit);
}

#[test]
fn headers_of_streams() {
    for row in rows("vectors.jsonl").iter().filter(|row| row["error"].is_null()) {
        let (options, bytes) = (options(row), bytes(row));
        let header = options.header(&bytes).unwrap();
        assert_eq!(u64::from(header.flags.0), row["flags"].as_u64().unwrap(), "{}", row["name"]);
        assert_eq!(header.bind, row["bind"] == true);
        let stateful = options.clone().flags(SerializerFlags::STATEFUL);
        if header.stateful && row["core_types"].is_null() {
            // The word replaces whatever the caller said.
            let value: Value = options.from_slice(&bytes).unwrap();
            assert_eq!(stateful.from_slice::<Value>(&bytes).unwrap(), value);
        }
    }
    let (options, bytes) = sample("bind_f15");
    let header = options.header(&bytes).unwrap();
    assert!(header.compressed && header.stateful && header.bind);
    assert!(header.inflated_len.unwrap() > 300);
}

#[test]
fn flags_of_one_stream_do_not_reach_the_next() {
    let leaf = |text: &str| {
        let mut leaf = Object::new(crate::support::types().class("class TvLeaf").unwrap().clone());
        leaf.set("m_id", 1u32).unwrap();
        leaf.set("m_name", text).unwrap();
        leaf.set("m_on", true).unwrap();
        Value::from(leaf)
    };
    let read = deep().flags(SerializerFlags::STATEFUL);
    for flags in [1, 3, 9, 15, 1] {
        let bytes = deep().flags(SerializerFlags(flags)).to_vec(&leaf("same")).unwrap();
        assert_eq!(read.from_slice::<Value>(&bytes).unwrap(), leaf("same"), "{flags}");
    }
    assert_eq!(read.from_slice::<Value>(&hex("20000000")).unwrap_err().kind(), ErrorKind::Frame);
}

/// Without a schema, the classes are those of the type that is read.
#[test]
fn streams_without_a_schema() {
    #[derive(Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
    #[serde(rename = "class Leaf")]
    struct Leaf {
        m_id: u32,
    }
    let twice = [to_vec(&Leaf { m_id: 1 }).unwrap(), to_vec(&Leaf { m_id: 2 }).unwrap()].concat();
    let leaves: Result<Vec<Leaf>> = Deserializer::from_slice(&twice).into_iter().collect();
    assert_eq!(leaves.unwrap(), [Leaf { m_id: 1 }, Leaf { m_id: 2 }]);
    let mut values = Deserializer::from_slice(&twice).into_iter::<Value>();
    assert_eq!(values.next().unwrap().unwrap_err().kind(), ErrorKind::Schema);
    assert!(values.next().is_none());
}

#[test]
fn streams_one_after_another() {
    for name in ["zlib_compressed/deep/f9", "manual/deep/f9", "bind_f15", "prims/deep/f0"] {
        let (options, bytes) = sample(name);
        let twice = [&bytes[..], &bytes, &bytes].concat();
        let values: Vec<Value> =
            Deserializer::new(&twice, options.clone()).into_iter().map(|v| v.unwrap()).collect();
        assert_eq!(values.len(), 3, "{name}");
        let (first, rest) = options.take_from_slice::<Value>(&twice).unwrap();
        assert_eq!((&first, rest.len()), (&values[0], 2 * bytes.len()), "{name}");
    }
}
