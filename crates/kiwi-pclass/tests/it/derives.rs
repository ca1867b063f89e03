//! What people derive, without a schema: right, or refused when it is written.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroI16, NonZeroU32, NonZeroU64};
use std::ops::Bound;

use ::serde::de::DeserializeOwned;
use ::serde::{Deserialize, Serialize};
use kiwi_pclass::types::Ptr;
use kiwi_pclass::*;
use serde_bytes::ByteBuf;

fn modes() -> [Options; 3] {
    [Options::new(), Options::new().mode(Mode::Deep), Options::file()]
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Around<T> {
    before: bool,
    value: T,
    list: Vec<T>,
    option: Option<T>,
    none: Option<T>,
    map: BTreeMap<String, T>,
    after: u8,
}

/// The values come back, alone in a struct, in lists, maps and options, and between other fields.
fn right<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(values: &[T]) {
    right_or(values, false);
}

/// The same of types whose `Value` may be refused.
fn right_or<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(
    values: &[T],
    may_refuse: bool,
) {
    for (value, options) in values.iter().flat_map(|value| modes().map(|options| (value, options)))
    {
        let one = Around {
            before: true,
            value: value.clone(),
            list: values.to_vec(),
            option: Some(value.clone()),
            none: None,
            map: [("k".to_owned(), value.clone())].into(),
            after: 9,
        };
        let bytes = options.to_vec(&one).unwrap_or_else(|error| panic!("{one:?}: {error}"));
        let read: Around<T> = options.from_slice(&bytes).unwrap_or_else(|e| panic!("{one:?}: {e}"));
        assert_eq!(read, one);
        let known = options.clone().schema(Schema::infer::<Around<T>>().unwrap());
        let bytes = known.to_vec(&one).unwrap();
        assert_eq!(known.from_slice::<Around<T>>(&bytes).unwrap(), one);
        match known.from_slice::<Value>(&bytes) {
            Ok(value) => assert_eq!(known.to_vec(&value).unwrap(), bytes),
            Err(error) => assert!(may_refuse, "{one:?}: {error}"),
        }
        match options.to_value(&one) {
            Ok(value) => assert_eq!(from_value::<Around<T>>(&value).unwrap(), one),
            Err(error) => assert!(may_refuse, "{one:?}: {error}"),
        }
    }
}

macro_rules! checked {
    ($name:ident, $inner:ty, $text:literal, |$value:ident| $valid:expr) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = $text, into = $text)]
        struct $name($inner);
        impl TryFrom<$inner> for $name {
            type Error = &'static str;
            fn try_from($value: $inner) -> std::result::Result<Self, Self::Error> {
                if $valid { Ok($name($value)) } else { Err("refused") }
            }
        }
        impl From<$name> for $inner {
            fn from(value: $name) -> $inner {
                value.0
            }
        }
    };
}

#[test]
fn types_that_check_what_they_read() {
    checked!(Ordinal, (i32, u16), "(i32, u16)", |v| v.1 > 0 && v.1 < 367);
    checked!(Date, String, "String", |v| v.len() == 10 && v.as_bytes()[4] == b'-');
    checked!(Site, String, "String", |v| v.contains("://"));
    checked!(Id, Vec<u8>, "Vec<u8>", |v| v.len() == 16);
    checked!(Braced, String, "String", |v| v.len() == 38 && v.starts_with('{'));
    checked!(NoNil, ByteBuf, "ByteBuf", |v| v.len() == 16 && v.iter().any(|byte| *byte != 0));
    checked!(Pair, (u8, u8), "(u8, u8)", |v| v.0 < v.1);
    checked!(Unit, f64, "f64", |v| v > 0.0);
    checked!(Yes, bool, "bool", |v| v);
    checked!(Full, Vec<Date>, "Vec<Date>", |v| !v.is_empty());
    right(&[NonZeroU32::new(5).unwrap(), NonZeroU32::MAX]);
    right(&[NonZeroI16::MIN, NonZeroI16::MAX]);
    right(&[Ordinal((2026, 300))]);
    right(&[Date("2026-11-23".into())]);
    right(&[Site("http://example.org".into()), Site("x://".into())]);
    right(&[Id(vec![7; 16])]);
    right(&[Braced("{01234567-89ab-cdef-0011-223344556677}".into())]);
    right(&[NoNil(ByteBuf::from([7; 16]))]);
    right(&[Pair((2, 250))]);
    right(&[Unit(0.25)]);
    right(&[Yes(true)]);
    right(&[Full(vec![Date("2026-11-23".into()), Date("1999-01-01".into())])]);
    // Numbers that the message tells, hexadecimal digits of some length, other names of fields.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(try_from = "i32", into = "i32")]
    struct Either(i32);
    impl TryFrom<i32> for Either {
        type Error = &'static str;
        fn try_from(value: i32) -> std::result::Result<Self, Self::Error> {
            let valid = value == -7 || value == 1000;
            if valid { Ok(Either(value)) } else { Err("expected -7 or 1000") }
        }
    }
    impl From<Either> for i32 {
        fn from(value: Either) -> i32 {
            value.0
        }
    }
    checked!(Key, String, "String", |v| v.len() == 16);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Aliased {
        #[serde(alias = "one", alias = "two")]
        a: u16,
        b: NonZeroU32,
    }
    right(&[Key("00ff00ff00ff00ff".into())]);
    right(&[Aliased { a: 1, b: NonZeroU32::MAX }]);
    right(&[Either(-7), Either(1000)]);
    // Several of them, one in another, and behind the variants of an enum.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Many {
        a: NonZeroU64,
        sites: Vec<Site>,
        day: Option<Date>,
        choice: Choice,
        last: Ordinal,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Choice {
        One { at: Ordinal, list: Vec<Pair> },
        Two { site: Site },
    }
    let many = |choice| Many {
        a: NonZeroU64::MIN,
        sites: vec![Site("a://b".into())],
        day: Some(Date("2026-01-02".into())),
        choice,
        last: Ordinal((1, 366)),
    };
    right(&[
        many(Choice::One { at: Ordinal((5, 6)), list: vec![Pair((1, 2))] }),
        many(Choice::Two { site: Site("c://".into()) }),
    ]);
}

/// serde has no `None` of its own for a field with functions, nor a default's place.
#[test]
fn none_is_there_for_fields_with_functions() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Bytes {
        a: Option<u8>,
        #[serde(with = "serde_bytes")]
        b: Option<Vec<u8>>,
        c: u8,
    }
    impl Default for Bytes {
        fn default() -> Self {
            Bytes { a: Some(7), b: Some(vec![7]), c: 7 }
        }
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Alone {
        #[serde(with = "serde_bytes")]
        b: Option<Vec<u8>>,
    }
    for bytes in [
        Bytes { a: None, b: None, c: 1 },
        Bytes { a: Some(0), b: None, c: 2 },
        Bytes { a: None, b: Some(vec![1]), c: 3 },
    ] {
        assert_eq!(from_slice::<Bytes>(&to_vec(&bytes).unwrap()).unwrap(), bytes);
    }
    let none = Alone { b: None };
    assert_eq!(from_slice::<Alone>(&to_vec(&none).unwrap()).unwrap(), none);
}

#[test]
fn lists_of_nothing_are_refused_when_they_are_written() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Nothing {
        list: Vec<()>,
    }
    for options in modes() {
        let error = options.to_vec(&Nothing { list: vec![(), ()] }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let text =
            "a list of elements without content has no bytes that it could be read from, in list";
        assert_eq!(error.to_string(), text);
        let none = Nothing { list: vec![] };
        assert_eq!(options.from_slice::<Nothing>(&options.to_vec(&none).unwrap()).unwrap(), none);
    }
}

/// A visitor that says how many bytes it takes.
#[test]
fn lengths_that_a_visitor_tells() {
    right(&[serde_bytes::ByteArray::new([3; 11])]);
}

#[test]
fn a_type_that_refuses_all_says_that_it_was_a_trial() {
    checked!(Magic, u32, "u32", |v| v == 0x00c0_ffee);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Head {
        magic: Magic,
        len: u8,
    }
    #[derive(Deserialize)]
    #[serde(rename = "Head")]
    struct Plain {
        #[allow(dead_code)]
        magic: u32,
        #[allow(dead_code)]
        len: u8,
    }
    let head = Head { magic: Magic(0x00c0_ffee), len: 3 };
    let bytes = to_vec(&head).unwrap();
    let error = from_slice::<Head>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    let text = error.to_string();
    assert!(
        text.contains("refuses each value that was tried: refused, in magic; give a schema"),
        "{text}"
    );
    let options = Options::new().schema(Schema::infer::<Plain>().unwrap());
    assert_eq!(options.from_slice::<Head>(&bytes).unwrap(), head);
}

#[test]
fn enums_as_serde_has_them() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Any {
        A,
        Number(u32),
        Pair(u8, String),
        Text { text: String },
        Inner(Inner),
        List(Vec<Inner>),
        Option(Option<u8>),
        Other(Plain),
        More(Box<Any>),
        Z,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        x: i16,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Plain {
        Left,
        Right,
    }
    right(&[
        Any::A,
        Any::Z,
        Any::Number(7),
        Any::Pair(1, "p".into()),
        Any::Text { text: "t".into() },
        Any::Inner(Inner { x: -1 }),
        Any::List(vec![Inner { x: 1 }, Inner { x: 2 }]),
        Any::List(vec![]),
        Any::Option(None),
        Any::Option(Some(3)),
        Any::Other(Plain::Right),
        Any::More(Box::new(Any::Number(1))),
        Any::More(Box::new(Any::A)),
    ]);
    right(&[Any::A]);
    right(&[Any::Z]);
    right::<IpAddr>(&["1.2.3.4".parse().unwrap(), "::1".parse().unwrap()]);
    right::<SocketAddr>(&["1.2.3.4:5".parse().unwrap(), "[::1]:80".parse().unwrap()]);
    right::<std::result::Result<u8, String>>(&[Ok(1), Err("no".into())]);
    right(&[Bound::Unbounded, Bound::Included(3u8), Bound::Excluded(4)]);
    right(&[Some(5u32), None]);
    right_or(&[Some(Some(5u32)), Some(None), None], true);
    right_or(&[Some(Some(vec![1u8])), Some(Some(vec![])), Some(None), None], true);
    // Variants that are classes by their names, with content and without.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Classes {
        #[serde(rename = "class Empty")]
        Empty,
        #[serde(rename = "class Inner")]
        Inner(Inner),
    }
    right(&[Classes::Empty, Classes::Inner(Inner { x: 3 })]);
    right(&[Classes::Empty]);
    // At the root, where an enum over classes is an object.
    for options in modes() {
        for value in [Any::Number(1), Any::Pair(2, "q".into()), Any::Option(None)] {
            let bytes = options.to_vec(&value).unwrap();
            assert_eq!(options.from_slice::<Any>(&bytes).unwrap(), value);
        }
        assert_eq!(options.to_vec(&Any::A).unwrap_err().kind(), ErrorKind::UnknownClass);
    }
}

#[test]
fn options_of_what_is_empty_are_there() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Empty {
        list: Option<Vec<String>>,
        pointer: Option<Ptr<Empty>>,
        last: u8,
    }
    for options in modes() {
        let empty = Empty { list: Some(vec![]), pointer: Some(Ptr::null()), last: 1 };
        let bytes = options.to_vec(&empty).unwrap();
        assert_eq!(options.from_slice::<Empty>(&bytes).unwrap(), empty);
    }
}

/// Shallow bytes have no names: what is left out there has to be seen.
#[test]
fn a_field_that_serde_skips() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Msg {
        #[serde(default, skip_serializing_if = "is_zero")]
        x: u16,
        v: Vec<u8>,
    }
    fn is_zero(x: &u16) -> bool {
        *x == 0
    }
    let msg = Msg { x: 0, v: vec![0] };
    let error = to_vec(&msg).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no value for `x`, and shallow mode cannot leave it out, in x"
    );
    for options in [Options::new().mode(Mode::Deep), Options::file()] {
        assert_eq!(options.from_slice::<Msg>(&options.to_vec(&msg).unwrap()).unwrap(), msg);
    }
    let full = Msg { x: 1, ..msg };
    assert_eq!(from_slice::<Msg>(&to_vec(&full).unwrap()).unwrap(), full);
    // An option that another element shows is known to be one.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Few {
        #[serde(skip_serializing_if = "Option::is_none")]
        n: Option<u8>,
        m: u8,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct List {
        list: Vec<Few>,
    }
    let list = List { list: vec![Few { n: None, m: 1 }, Few { n: Some(2), m: 3 }] };
    assert_eq!(from_slice::<List>(&to_vec(&list).unwrap()).unwrap(), list);
    assert!(to_vec(&Few { n: None, m: 1 }).unwrap_err().to_string().ends_with(", in n"));
    let known = Options::new().schema(Schema::infer::<Few>().unwrap());
    let few = Few { n: None, m: 1 };
    assert_eq!(known.from_slice::<Few>(&known.to_vec(&few).unwrap()).unwrap(), few);
}

#[test]
fn tagged_enums_are_refused_when_they_are_written() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around<T> {
        value: T,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Internal {
        A { x: u32 },
        B(Inner),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        y: u8,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A { x: u32 },
        B,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    struct Tagged {
        x: u8,
    }
    fn refused<T: Debug + PartialEq + Serialize + DeserializeOwned>(value: T, field: &str) {
        let around = Around { value };
        for options in modes() {
            let error = options.to_vec(&around).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            assert!(error.to_string().ends_with(field), "{error}");
        }
        assert_eq!(from_value::<Around<T>>(&to_value(&around).unwrap()).unwrap(), around);
    }
    refused(Internal::A { x: 1 }, ", in value.t");
    refused(Internal::B(Inner { y: 1 }), ", in value.t");
    assert!(
        to_vec(&Around { value: Adjacent::A { x: 1 } })
            .unwrap_err()
            .to_string()
            .ends_with("in value.t")
    );
    assert!(to_vec(&Around { value: Adjacent::B }).is_err());
    assert_eq!(to_vec(&Tagged { x: 1 }).unwrap_err().path().to_string(), "type");
    let deep = Options::new().mode(Mode::Deep);
    let tagged = Tagged { x: 2 };
    assert_eq!(deep.from_slice::<Tagged>(&deep.to_vec(&tagged).unwrap()).unwrap(), tagged);
}

/// Its fields are entries of a map, which bytes without a schema cannot say.
#[test]
fn flattened_structs_are_refused_as_bytes_and_kept_by_value() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around<T> {
        value: T,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: i32,
        #[serde(flatten)]
        place: Option<Place>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Place {
        x: i32,
        y: i32,
    }
    for place in [None, Some(Place { x: 1, y: 2 })] {
        let around = Around { value: Flat { id: 3, place } };
        for options in modes() {
            let error = options.to_vec(&around).unwrap_err().to_string();
            assert!(error.contains("flattened fields"), "{error}");
        }
        assert_eq!(from_value::<Around<Flat>>(&to_value(&around).unwrap()).unwrap(), around);
    }
}

#[test]
fn two_types_of_one_name() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Wrap<T> {
        v: T,
    }
    let nested = Wrap { v: Wrap { v: 1u8 } };
    for error in [to_vec(&nested).unwrap_err(), Schema::infer::<Wrap<Wrap<u8>>>().unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert!(error.to_string().starts_with("two types are called `Wrap`, or "), "{error}");
        assert!(error.to_string().contains("`v` is "), "{error}");
    }
    mod other {
        #[derive(Debug, serde::Serialize, serde::Deserialize)]
        pub(super) struct Item {
            pub(super) b: u8,
        }
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Item {
        a: u8,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Both {
        one: Item,
        two: other::Item,
    }
    let error = Schema::infer::<Both>().unwrap_err();
    assert!(error.to_string().contains("two types are called `Item`"), "{error}");
}

#[test]
fn values_are_equal_where_their_bytes_are() {
    use std::collections::HashSet;
    let zero = |x: f32| Value::from(types::Vector3D::new(x, 0.0, 0.0));
    assert_eq!(Value::Float(f32::NAN), Value::Float(f32::NAN));
    assert_ne!(Value::Double(0.0), Value::Double(-0.0));
    assert_ne!(zero(0.0), zero(-0.0));
    assert_ne!(Value::Int(1), Value::UInt(1));
    let leaf =
        |id: u32| to_value(&crate::classes::Leaf { m_id: id, m_name: "n".into(), m_on: true });
    let set: HashSet<Value> = [1, 2, 1, 2].map(|id| leaf(id).unwrap()).into();
    assert_eq!(set.len(), 2);
    let floats: HashSet<Value> = [0.0, -0.0, 0.0].map(zero).into();
    assert_eq!(floats.len(), 2);
}
