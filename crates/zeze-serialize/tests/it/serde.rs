//! Rust types and their bytes.

mod attributes;
mod buffers;
mod by_hand;
mod enums;
mod evolve;
mod ids;
mod native;
mod tuples;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zeze_serialize::{
    Base, Deserializer, ErrorKind, Options, Quaternion, RawBean, Unknown, Value, Vector2,
    Vector2Int, Vector3, Vector3Int, Vector4, from_slice, hash, to_vec, wire,
};

use crate::support::{digits, hex, refused, round_trip};

/// Every kind of scalar.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Scalars {
    b: bool,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    f: f32,
    d: f64,
    s: String,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    c: char,
    unit: (),
}

#[test]
fn defaults_take_no_bytes_and_come_back() {
    assert_eq!(round_trip(&Scalars::default()), "00");
    let all = Scalars {
        b: true,
        i8: -1,
        i16: 300,
        i32: -70_000,
        i64: i64::MIN,
        f: 1.5,
        d: -2.5,
        s: "é".into(),
        bytes: vec![0, 255],
        c: 'x',
        unit: (),
    };
    assert_eq!(
        round_trip(&all),
        "1001 10ff 10412c 109eee90 10800000000000000000 110000c03f 1200000000000004c0 1302c3a9 \
         130200ff 130178 00"
            .replace(' ', "")
    );
    // What is written although it is the default is read the same.
    assert_eq!(from_slice::<Scalars>(&hex("1000 1000 1000 00")).unwrap(), Scalars::default());
    // No field is ever missing, and none needs `#[serde(default)]`.
    assert_eq!(from_slice::<Scalars>(&[0]).unwrap(), Scalars::default());
}

#[test]
fn the_sign_of_zero_is_lost_unless_kept() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Floats(f32, f64, Vector2);
    let zeros = Floats(-0.0, -0.0, Vector2::new(-0.0, 0.0));
    assert_eq!(digits(&to_vec(&zeros).unwrap()), "00");
    let keep = Options::new().keep_negative_zero(true);
    let bytes = keep.to_vec(&zeros).unwrap();
    assert_eq!(digits(&bytes), "110000008012000000000000008018000000800000000000");
    let Floats(f, d, v) = from_slice(&bytes).unwrap();
    assert!(f.is_sign_negative() && d.is_sign_negative() && v.x.is_sign_negative());
    // In a list it is kept anyway.
    assert_eq!(digits(&to_vec(&vec![-0.0_f32]).unwrap()), "1100000080");
}

#[test]
fn options_are_fields_that_are_there() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        int: Option<i32>,
        text: Option<String>,
        list: Option<Vec<i32>>,
        map: Option<BTreeMap<i32, i32>>,
        bean: Option<Box<All>>,
        vector: Option<Vector3>,
        unit: Option<()>,
        pair: Option<(i32, i32)>,
    }
    let none = || All {
        int: None,
        text: None,
        list: None,
        map: None,
        bean: None,
        vector: None,
        unit: None,
        pair: None,
    };
    assert_eq!(round_trip(&none()), "00");
    let some = All {
        int: Some(0),
        text: Some(String::new()),
        list: Some(vec![]),
        map: Some(BTreeMap::new()),
        bean: Some(Box::new(none())),
        vector: Some(Vector3::default()),
        unit: Some(()),
        pair: Some((0, 0)),
    };
    assert_eq!(
        round_trip(&some),
        "1000 1300 1400 150000 1600 1a000000000000000000000000 1600 14200000 00".replace(' ', "")
    );
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Twice {
        value: Option<Option<i32>>,
    }
    assert_eq!(round_trip(&Twice { value: Some(Some(0)) }), "1610000000");
    assert_eq!(round_trip(&Twice { value: None }), "00");
    assert_eq!(round_trip(&Twice { value: Some(None) }), "160000");
}

#[test]
fn options_that_cannot_be_absent_are_beans() {
    assert_eq!(round_trip(&vec![Some(1), None, Some(0)]), "36100100 00 100000".replace(' ', ""));
    assert_eq!(
        round_trip(&BTreeMap::from([(5, None), (6, Some(1))])),
        "060205 00 06 100100".replace(' ', "")
    );
    assert_eq!(
        round_trip(&BTreeMap::from([(None, 5), (Some(1), 6)])),
        "600200 05 100100 06".replace(' ', "")
    );
    // Options around a bean, in one another, in newtypes, in variants, and in tuples.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Point(i32, i32);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Name(Option<Box<Option<String>>>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Any {
        Point(Option<Point>),
        Deep(Option<Option<Point>>),
        List(Vec<Option<Any>>),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Held {
        points: Vec<Option<Point>>,
        names: Vec<Name>,
        any: Vec<Any>,
        pair: (Option<Point>, Option<Option<i32>>),
        deep: Option<Option<Option<Point>>>,
    }
    let name = |name: Option<&str>| Some(Box::new(name.map(str::to_owned)));
    let held = Held {
        points: vec![Some(Point(1, 0)), None, Some(Point(0, 0))],
        names: vec![Name(None), Name(name(None)), Name(name(Some(""))), Name(name(Some("a")))],
        any: vec![
            Any::Point(None),
            Any::Point(Some(Point(0, 0))),
            Any::Deep(Some(None)),
            Any::Deep(Some(Some(Point(1, 2)))),
            Any::List(vec![None, Some(Any::Deep(None)), Some(Any::List(vec![None]))]),
        ],
        pair: (Some(Point(0, 1)), Some(None)),
        deep: Some(Some(None)),
    };
    round_trip(&held);
    // What others have without them is read as well, where it is no list of beans.
    assert_eq!(from_slice::<Vec<Option<i32>>>(&hex("20 01 00")).unwrap(), [Some(1), Some(0)]);
    // A value says of itself that it is a bean.
    let value = zeze_serialize::to_value(&Some(Point(1, 2))).unwrap();
    assert_eq!(zeze_serialize::from_value::<Option<Point>>(&value).unwrap(), Some(Point(1, 2)));
    let error = refused(to_vec(&None::<i32>));
    assert_eq!(error, "expected a value, found `None` at the root");
}

#[test]
fn containers() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Containers {
        list: Vec<i32>,
        set: BTreeSet<String>,
        map: BTreeMap<i64, String>,
        lists: Vec<Vec<u8>>,
        maps: Vec<BTreeMap<bool, f32>>,
    }
    assert_eq!(round_trip(&Containers::default()), "00");
    let full = Containers {
        list: (0..15).collect(),
        set: ["b".into(), "a".into()].into(),
        map: [(-1, "x".into())].into(),
        lists: vec![vec![], vec![9], vec![]],
        maps: vec![[(true, 0.5)].into(), [].into()],
    };
    assert_eq!(
        round_trip(&full),
        "14 f000 000102030405060708090a0b0c0d0e 14 23 0161 0162 15 03 01 ff 0178 \
         14 34 00 10 09 00 14 25 01 01 01 0000003f 0000 00"
            .replace(' ', "")
    );
    // Iterators that do not know their length.
    struct Unsized(usize);
    impl Serialize for Unsized {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..self.0).filter(|_| true))
        }
    }
    for len in [0, 1, 14, 15, 16, 142, 143, 144, 20_000] {
        let known = to_vec(&(0..len).collect::<Vec<usize>>()).unwrap();
        assert_eq!(to_vec(&Unsized(len)).unwrap(), known, "{len}");
    }
    // A wrong length is put right.
    struct Liar(usize);
    impl Serialize for Liar {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut seq = serializer.serialize_seq(Some(self.0))?;
            seq.serialize_element(&7)?;
            seq.end()
        }
    }
    for claimed in [0, 1, 2, 15, 1000] {
        assert_eq!(digits(&to_vec(&Liar(claimed)).unwrap()), "1007", "{claimed}");
    }
}

#[test]
fn keys_of_every_kind() {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    struct Key {
        x: i32,
        y: String,
    }
    round_trip(&BTreeMap::from([
        (Key { x: 0, y: "a".into() }, 1),
        (Key { x: 1, y: "".into() }, 2),
    ]));
    round_trip(&BTreeMap::from([(false, 1), (true, 2)]));
    round_trip(&BTreeMap::from([(i64::MIN, 1), (5, 2)]));
    round_trip(&BTreeMap::from([(String::new(), "x".to_owned())]));
    round_trip(&BTreeMap::from([(serde_bytes::ByteBuf::from([255]), 1)]));
    round_trip(&HashMap::from([(Vector2Int::new(1, -1), 1)]));
    round_trip(&BTreeMap::from([('ö', 1)]));
    round_trip(&BTreeMap::from([((1, 2), 1)]));
}

#[test]
fn repeated_keys_and_elements() {
    // The last value of a key wins; a set keeps one of each.
    let map: BTreeMap<i8, i32> = from_slice(&hex("00 03 01 05 4101 06 02 07")).unwrap();
    assert_eq!(map, BTreeMap::from([(1, 6), (2, 7)]));
    let set: BTreeSet<i32> = from_slice(&hex("40 01 02 01 02")).unwrap();
    assert_eq!(set, BTreeSet::from([1, 2]));
}

#[test]
fn text_and_bytes_are_borrowed() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Borrowed<'a> {
        text: &'a str,
        bytes: &'a [u8],
        raw: RawBean<'static>,
        absent: &'a str,
    }
    #[derive(Serialize)]
    struct Owned {
        text: String,
        bytes: serde_bytes::ByteBuf,
        inner: Scalars,
    }
    let inner = Scalars { b: true, ..Scalars::default() };
    let owned = Owned { text: "é".into(), bytes: vec![1, 2].into(), inner };
    let bytes = to_vec(&owned).unwrap();
    let borrowed: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert_eq!((borrowed.text, borrowed.bytes, borrowed.absent), ("é", &[1, 2][..], ""));
    assert_eq!(borrowed.raw.as_bytes(), hex("100100"));
    for part in [borrowed.text.as_bytes(), borrowed.bytes] {
        assert!(bytes.as_ptr_range().contains(&part.as_ptr()));
    }
    // Unowned text of text that had to be repaired is an error, and no panic.
    let lossy = Options::new().lossy_text(true);
    let error = refused(lossy.from_slice::<Borrowed<'_>>(&hex("1301ff00")));
    assert!(error.starts_with("expected a borrowed string, found string"), "{error}");
}

#[test]
fn values_one_after_another() {
    let bytes = [to_vec(&Scalars::default()).unwrap(), hex("100100")].concat();
    let mut all = Deserializer::from_slice(&bytes).into_iter::<Scalars>();
    assert!(!all.next().unwrap().unwrap().b);
    assert!(all.next().unwrap().unwrap().b);
    assert!(all.next().is_none());
    let mut cut = Deserializer::from_slice(&bytes[..2]).into_iter::<Scalars>();
    cut.next().unwrap().unwrap();
    cut.next().unwrap().unwrap_err();
    assert!(cut.next().is_none());
    let mut deserializer = Deserializer::new(&bytes, Options::new());
    Scalars::deserialize(&mut deserializer).unwrap();
    assert_eq!((deserializer.byte_offset(), deserializer.rest()), (1, &bytes[1..]));
    deserializer.end().unwrap_err();
}

#[test]
fn std_structs() {
    use std::time::Duration;
    round_trip(&Duration::new(5, 700));
    round_trip(&Duration::ZERO);
    round_trip(&(3..9));
    round_trip(&std::net::IpAddr::from([127, 0, 0, 1]));
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        a: Result<i32, String>,
        b: Option<Result<(), i32>>,
    }
    round_trip(&Both { a: Ok(0), b: Some(Err(7)) });
    round_trip(&Both { a: Err(String::new()), b: None });
}

#[test]
fn numbers_of_every_width() {
    round_trip(&i128::from(i64::MIN));
    round_trip(&u128::from(u32::MAX));
    assert_eq!(
        refused(to_vec(&u64::MAX)),
        "expected an integer of 64 bits with a sign, found 18446744073709551615"
    );
    refused(to_vec(&i128::MAX));
    // Signed ones keep the low bits, as in the reference; unsigned ones do not exist there.
    let wide = to_vec(&0x1_2345_6789_i64).unwrap();
    assert_eq!(from_slice::<i32>(&wide).unwrap(), 0x2345_6789);
    assert_eq!(from_slice::<i16>(&wide).unwrap(), 0x6789);
    assert_eq!(from_slice::<i8>(&wide).unwrap(), -0x77);
    refused(from_slice::<u32>(&wide));
    let exact = Options::new().exact_integers(true);
    assert_eq!(
        refused(exact.from_slice::<i32>(&wide)),
        "expected i32, found integer 4886718345 at byte 0x0"
    );
}

#[test]
fn bytes_and_lists_of_bytes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Byte(u8);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct List {
        a: Vec<u8>,
        b: Vec<Byte>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Binary {
        a: serde_bytes::ByteBuf,
        b: serde_bytes::ByteBuf,
    }
    let all: Vec<u8> = (0..=255).collect();
    let list = List { a: all.clone(), b: vec![Byte(7)] };
    let binary = Binary { a: all.into(), b: vec![7].into() };
    for options in [Options::new(), Options::new().strict(true)] {
        assert_eq!(options.from_slice::<List>(&to_vec(&binary).unwrap()).unwrap(), list);
        assert_eq!(options.from_slice::<Binary>(&to_vec(&list).unwrap()).unwrap(), binary);
    }
    // Java's bytes have a sign.
    let signed: Binary = from_slice(&hex("14 20 bf80 ff 00")).unwrap();
    assert_eq!(signed.a.as_slice(), [0x80, 0xff]);
    let error = refused(from_slice::<Binary>(&hex("14 20 01 4100 00")));
    assert_eq!(error, "expected a byte, found integer 256 at byte 0x3, in a[1]");
    // Empty ones too.
    let strict = Options::new().strict(true);
    assert_eq!(strict.from_slice::<Vec<Vec<u8>>>(&hex("23 00 01 61")).unwrap(), [&b""[..], b"a"]);
    refused(strict.from_slice::<Vec<Vec<i32>>>(&hex("13 00")));
    // Lists of anything else do not convert: empty, or an error.
    let bytes = hex("13 02 6162 14 23 0161 0162 00");
    assert_eq!(
        from_slice::<(Vec<i32>, serde_bytes::ByteBuf)>(&bytes).unwrap(),
        (vec![], serde_bytes::ByteBuf::new())
    );
    let error = refused(strict.from_slice::<(Vec<i32>,)>(&bytes));
    assert_eq!(error, "expected a list, found a string at byte 0x1, in [0]");
    let error = refused(strict.from_slice::<((), serde_bytes::ByteBuf)>(&bytes[4..]));
    assert!(error.contains("expected"), "{error}");
}

#[test]
fn integers_are_shown_as_what_is_asked_for() {
    macro_rules! asks {
        ($($type:ident $ask:ident $visit:ident),+ $(,)?) => {$({
            struct Only($type);
            impl<'de> Deserialize<'de> for Only {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.$ask(Asks)
                }
            }
            struct Asks;
            impl serde::de::Visitor<'_> for Asks {
                type Value = Only;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(stringify!($type))
                }
                fn $visit<E>(self, value: $type) -> Result<Only, E> {
                    Ok(Only(value))
                }
            }
            assert_eq!(from_slice::<Only>(&[5]).unwrap().0, 5);
            assert_eq!(from_slice::<Vec<Only>>(&hex("20 00 40ff")).unwrap()[0].0, 0);
        })+};
    }
    asks! {
        i16 deserialize_i16 visit_i16, i32 deserialize_i32 visit_i32, i64 deserialize_i64 visit_i64,
        i128 deserialize_i128 visit_i128, u8 deserialize_u8 visit_u8, u16 deserialize_u16 visit_u16,
        u32 deserialize_u32 visit_u32, u64 deserialize_u64 visit_u64,
        u128 deserialize_u128 visit_u128,
    }
    // A number that does not fit is shown as it is.
    assert_eq!(
        refused(from_slice::<u8>(&hex("412c"))),
        "expected u8, found integer 300 at byte 0x0"
    );
}
