//! Bugs that were found, named by what was wrong. Those that one input shows are in the lists of
//! `testdata/godot-variant/cases`.

use std::collections::BTreeMap;

use gamewire_testkit::hostile::{Hostile, Limits, measure};
use godot_variant::types::*;
use godot_variant::value::{Dictionary, Instance};
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::round_trip;
use crate::support::{hex, refused};

#[test]
fn bytes_in_serde_buffers_were_taken_for_components() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Inner<T> {
        value: T,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Outer<T> {
        #[serde(flatten)]
        inner: Inner<T>,
    }
    let outer = Outer { inner: Inner { value: PackedByteArray(vec![0; 12]) } };
    let bytes = to_vec(&outer).unwrap();
    refused(from_slice::<Outer<Vector3>>(&bytes));
    refused(from_slice::<Outer<PackedFloat32Array>>(&bytes));
    assert_eq!(from_slice::<Outer<PackedByteArray>>(&bytes).unwrap().inner.value.len(), 12);
}

#[test]
fn native_types_could_not_be_read_from_formats_without_types() {
    use serde::de::IntoDeserializer;
    use serde::de::value::StrDeserializer;

    /// Gives its text only to those who ask for text.
    struct Plain<'a>(&'a str);

    impl<'de> serde::Deserializer<'de> for Plain<'de> {
        type Error = Error;
        fn is_human_readable(&self) -> bool {
            false
        }
        fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value> {
            Err(serde::de::Error::custom("the format does not say what comes next"))
        }
        fn deserialize_str<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let text: StrDeserializer<'_, Error> = self.0.into_deserializer();
            serde::Deserializer::deserialize_any(text, visitor)
        }
        fn deserialize_newtype_struct<V: serde::de::Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value> {
            visitor.visit_newtype_struct(self)
        }
        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf option
            unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    assert_eq!(NodePath::deserialize(Plain("a/b:c")).unwrap(), NodePath::new("a/b:c"));
    assert_eq!(StringName::deserialize(Plain("a")).unwrap(), StringName::new("a"));
}

#[test]
fn elements_of_packed_arrays_could_not_be_newtypes_or_options() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Metres(f32);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Name(String);
    let floats = to_vec(&PackedFloat32Array(vec![1.5])).unwrap();
    assert_eq!(from_slice::<Vec<Metres>>(&floats).unwrap(), [Metres(1.5)]);
    assert_eq!(from_slice::<Vec<Option<f32>>>(&floats).unwrap(), [Some(1.5)]);
    let vector = to_vec(&Vector2::new(1.5, 2.5)).unwrap();
    assert_eq!(from_slice::<[Metres; 2]>(&vector).unwrap(), [Metres(1.5), Metres(2.5)]);
    let names = to_vec(&PackedStringArray::from(vec!["a".to_owned()])).unwrap();
    assert_eq!(from_slice::<Vec<Name>>(&names).unwrap(), [Name("a".to_owned())]);
    assert_eq!(from_slice::<Vec<Option<&str>>>(&names).unwrap(), [Some("a")]);
    assert_eq!(from_slice::<Vec<NodePath>>(&names).unwrap(), [NodePath::new("a")]);
}

#[test]
fn numbers_in_packed_arrays_were_rounded_or_refused_unlike_plain_ones() {
    let big = to_vec(&PackedInt64Array(vec![(1 << 53) + 1])).unwrap();
    refused(from_slice::<Vec<f64>>(&big));
    let exact = to_vec(&PackedInt64Array(vec![1 << 53])).unwrap();
    assert_eq!(from_slice::<Vec<f64>>(&exact).unwrap(), [9_007_199_254_740_992.0]);
    let whole = to_vec(&PackedFloat32Array(vec![3.0, -4.0])).unwrap();
    assert_eq!(from_slice::<Vec<i16>>(&whole).unwrap(), [3, -4]);
    let broken = to_vec(&PackedFloat64Array(vec![3.5])).unwrap();
    refused(from_slice::<Vec<i16>>(&broken));
}

#[test]
fn counts_that_lie_could_reserve_again_after_each_native_value() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Buffered {
        #[allow(dead_code, reason = "never made from what the test reads")]
        Flag(bool),
    }
    // An array that claims 2^31 - 1 elements and holds a Vector2 and the next array.
    let level = [hex("1c000000 ffffff7f"), to_vec(&Vector2::new(1.0, 2.0)).unwrap()].concat();
    let bytes = [level.repeat(120), vec![0; 4096]].concat();
    let run = measure(&bytes, |bytes| from_slice::<Buffered>(bytes));
    let allowed = Limits::default().peak(bytes.len());
    assert!(run.peak <= allowed, "{} bytes, allowed {allowed}", run.peak);
}

#[test]
fn options_decoded_every_object_twice() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Node {
        next: Option<Box<Node>>,
    }
    let mut value = Value::Nil;
    for _ in 0..100 {
        let mut node = Instance::new("Node");
        node.properties.push(("next".into(), value));
        value = node.into();
    }
    let options = Options::new().allow_objects(true).max_typed_depth(1000);
    let bytes = options.to_vec(&value).unwrap();
    let run = measure(&bytes, |bytes| options.from_slice::<Node>(bytes));
    assert!(run.allocations <= 200, "{} allocations for 100 nodes", run.allocations);
    assert_eq!(options.from_slice::<Option<Node>>(&hex("18000000 00000000")).unwrap(), None);
}

#[test]
fn a_dictionary_could_pose_as_a_native_value_and_bring_in_an_object() {
    #[derive(Debug, Deserialize)]
    struct Open {
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let object = Options::new().allow_objects(true).to_vec(&Value::from(Instance::new("A")));
    let tag: Value = [(
        "$godot_variant",
        Value::from(vec![Value::from(1 << 8), PackedByteArray(object.unwrap()).into()]),
    )]
    .into_iter()
    .collect();
    let bytes = to_vec(&BTreeMap::from([("a", tag)])).unwrap();
    let error = refused(from_slice::<Open>(&bytes).map(|open| open.rest));
    assert_eq!(error, "the key `$godot_variant` is reserved at byte 0x0");
}

#[test]
fn errors_at_the_root_had_no_offset() {
    let bytes = to_vec(&5).unwrap();
    assert_eq!(from_slice::<String>(&bytes).unwrap_err().offset(), Some(0));
    assert_eq!(take_from_slice::<String>(&bytes).unwrap_err().offset(), Some(0));
    assert_eq!(from_value::<String>(&Value::from(5)).unwrap_err().offset(), None);
}

#[test]
fn options_counted_as_levels_of_their_own() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Link(Option<Box<Link>>);
    #[derive(Debug, Serialize, Deserialize)]
    struct Node {
        next: Option<Box<Node>>,
    }
    let node = |levels| {
        (0..levels).fold(Node { next: None }, |next, _| Node { next: Some(Box::new(next)) })
    };
    let link = |levels| (0..levels).fold(Link(None), |next, _| Link(Some(Box::new(next))));
    // The option in a struct is no level besides that: what was written can be read.
    from_slice::<Node>(&to_vec(&node(127)).unwrap()).unwrap();
    assert_eq!(to_vec(&node(128)).unwrap_err().kind(), ErrorKind::DepthLimit);
    to_vec(&link(127)).unwrap();
    assert_eq!(to_vec(&link(128)).unwrap_err().kind(), ErrorKind::DepthLimit);
}

#[test]
fn options_whose_error_a_type_swallows_are_closed() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "String")]
    struct Never;
    impl TryFrom<String> for Never {
        type Error = String;
        fn try_from(text: String) -> Result<Self, String> {
            Err(text)
        }
    }
    struct Lenient;
    impl<'de> Deserialize<'de> for Lenient {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Option::<Never>::deserialize(deserializer).unwrap_err();
            Ok(Lenient)
        }
    }
    let bytes = to_vec(&vec!["a"; 300]).unwrap();
    assert_eq!(from_slice::<Vec<Lenient>>(&bytes).unwrap().len(), 300);
}

#[test]
fn keys_inside_of_keys_were_hashed_again_on_every_level() {
    // A dictionary of 17 numbers and, as the last key, the next dictionary.
    let numbers: String = (0..17).map(|n| format!("02000000 {n:02x}000000 00000000")).collect();
    let level = hex(&format!("1b000000 12000000 {numbers}"));
    let nested = |levels: usize| {
        [level.repeat(levels), hex("00000000"), hex("00000000").repeat(levels)].concat()
    };
    let mut hostile = Hostile::new(|bytes| from_slice::<Value>(bytes));
    hostile.accepted("keys inside of keys", &nested(1024));
    hostile.linear("keys inside of keys", 64, nested);
    hostile.finish();
}

#[test]
fn node_paths_with_the_same_text_had_the_same_hash() {
    // The bits of n say where "a/a/a/…" is cut into names.
    let path = |n: usize| {
        let mut names = vec![String::from("a")];
        for bit in 0..16 {
            match (n >> bit & 1, names.last_mut()) {
                (0, Some(last)) => last.push_str("/a"),
                _ => names.push("a".to_owned()),
            }
        }
        let names = names.into_iter().map(GString::from).collect();
        Value::from(NodePath { names, ..NodePath::default() })
    };
    let paths = |n: usize| {
        let paths: Vec<_> = (0..n).map(|n| (path(n), Value::Nil)).collect();
        to_vec(&Value::from(Dictionary::from(paths))).unwrap()
    };
    let mut hostile = Hostile::new(|bytes| from_slice::<Value>(bytes));
    hostile.linear("paths of one text", 256, paths);
    hostile.finish();
}

#[test]
fn nothing_is_lost_between_value_and_type_whatever_the_dialect() {
    use godot_variant::value::Object;
    let docs = Options::new().dialect(Dialect::Docs);
    let marked = docs.from_slice::<Value>(&hex("0400000004000000efbbbf78")).unwrap();
    assert_eq!(docs.from_value::<String>(&marked).unwrap(), "\u{feff}x");
    for value in [
        Value::from(vec![Value::Object(Object::Null), Value::from(2)]),
        Value::from(vec![Value::from(godot_variant::types::ObjectId(7)), Value::from(2)]),
    ] {
        assert_eq!(docs.from_value::<Value>(&value).unwrap(), value);
        assert_eq!(docs.to_value(&value).unwrap(), value);
        let bytes = docs.to_vec(&value).unwrap();
        assert_eq!(docs.from_slice::<Value>(&bytes).unwrap(), value);
        let strict = docs.clone().strict(true);
        assert_eq!(strict.from_slice::<Value>(&bytes).unwrap(), value);
    }
    let id = Options::new().dialect(Dialect::Godot3);
    let value = id.from_slice::<Value>(&hex("110001000102030405060708")).unwrap();
    assert_eq!(id.to_value(&value).unwrap(), value);
}

/// Reads a value as an element, as a key, as the value of a key and alone; with a header that is read
/// the fast way, and with an ignored byte in it, which only the slow way reads.
#[track_caller]
fn check_ways(kind: u8, payload: &[u8]) {
    let read = |ignored: u8, around: &[u8], after: &[u8]| {
        let bytes = [around, &[kind, ignored, 0, 0], payload, after].concat();
        let read = from_slice::<Value>(&bytes).map_err(|error| error.to_string());
        let typed = from_slice::<Vec<String>>(&bytes).map_err(|error| error.to_string());
        (read, typed)
    };
    let array = hex("1c000000 01000000");
    let value = hex("1b000000 01000000 04000000 01000000 6b000000");
    let key = hex("1b000000 01000000");
    for (around, after) in [(&[][..], &[][..]), (&array, &[]), (&value, &[]), (&key, &[0; 4])] {
        assert_eq!(read(0, around, after), read(1, around, after), "{kind} {payload:x?}");
    }
}

/// Every fast way reads what the slow way reads, or leaves the input to it.
#[test]
fn plain_and_odd_text_agree() {
    let letters = "aé漢🌾z".as_bytes().repeat(4);
    for len in 0..=40_usize {
        let padded = len.next_multiple_of(4);
        let mut payload = u32::try_from(len).unwrap().to_le_bytes().to_vec();
        // Ends in the middle of a character more often than not.
        payload.extend(&letters[..len]);
        check_ways(4, &payload);
        payload.resize(4 + padded, 0);
        check_ways(4, &payload);
        let plain = [&payload[..4], &b"x".repeat(len)[..], &vec![0; padded - len]].concat();
        check_ways(4, &plain);
        for at in 0..padded {
            for odd in [0, b'*', 0x80, 0xef, 0xff] {
                let mut payload = plain.clone();
                payload[4 + at] = odd;
                check_ways(4, &payload);
            }
        }
        if let Some(place) = payload.get_mut(4..7).filter(|_| len >= 3) {
            place.copy_from_slice("\u{feff}".as_bytes());
            check_ways(4, &payload);
        }
        for cut in 0..plain.len() {
            check_ways(4, &plain[..cut]);
        }
    }
}

#[test]
fn plain_and_odd_numbers_agree() {
    check_ways(0, &[]);
    for kind in [1, 2, 3] {
        for word in [0_u32, 1, 2, 0x3f80_0000, 0x7fc0_0000, 0x8000_0000, u32::MAX] {
            check_ways(kind, &word.to_le_bytes());
        }
        check_ways(kind, &[1, 2, 3]);
    }
}

#[test]
fn text_ends_at_its_first_nul_wherever_that_is() {
    for len in 1..=80_usize {
        for at in 0..len {
            let mut text = vec![b'x'; len];
            text[at] = 0;
            text.resize(len.next_multiple_of(4), 0);
            let bytes = [&4_u32.to_le_bytes()[..], &(len as u32).to_le_bytes(), &text].concat();
            assert_eq!(from_slice::<String>(&bytes).unwrap(), "x".repeat(at), "{at} of {len}");
            assert_eq!(from_slice::<Value>(&bytes).unwrap(), Value::from("x".repeat(at)));
        }
    }
}

/// Engines take a byte order mark in front of text away.
#[test]
fn a_byte_order_mark_arrives() {
    let text = "\u{feff}x".to_owned();
    let map = std::collections::BTreeMap::from([(text.clone(), 1)]);
    let all = (text.clone(), map, StringName::new(&text), PackedStringArray(vec![(*text).into()]));
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        for strict in [false, true] {
            let options = Options::new().dialect(dialect).strict(strict);
            round_trip(&options, &text);
            round_trip(&options, &all.1);
            if dialect == Dialect::Godot4 {
                round_trip(&options, &all);
            }
        }
    }
    assert_eq!(to_vec(&text).unwrap(), hex("04000000 07000000 efbbbfef bbbf7800"));
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Marked {
        #[serde(rename = "\u{feff}a")]
        a: i32,
    }
    round_trip(&Options::new(), &Marked { a: 1 });
}

#[test]
fn values_are_hashed_as_they_are_equal() {
    use std::hash::{BuildHasher, RandomState};
    let state = RandomState::new();
    let all = crate::support::values();
    let hashes: std::collections::HashSet<u64> = all.iter().map(|v| state.hash_one(v)).collect();
    // Objects are hashed alike, and what is the same key.
    assert!(hashes.len() > all.len() * 9 / 10, "{} of {}", hashes.len(), all.len());
    all.iter().for_each(|v| assert_eq!(state.hash_one(v), state.hash_one(v.clone())));
}

#[test]
fn types_that_ask_are_text_for_people() {
    use std::net::IpAddr;
    let readable = Options::new().human_readable(true);
    let address: IpAddr = "::1".parse().unwrap();
    assert_eq!(readable.to_value(&address).unwrap(), "::1");
    round_trip(&readable, &(address, std::collections::BTreeMap::from([(address, 1)])));
    let texts = readable.to_vec(&PackedStringArray(vec!["::1".into()])).unwrap();
    assert_eq!(readable.from_slice::<Vec<IpAddr>>(&texts).unwrap(), [address]);
    assert_eq!(readable.from_value::<IpAddr>(&"::1".into()).unwrap(), address);
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        Peer { address: IpAddr },
    }
    round_trip(&readable, &Tagged::Peer { address });
}
