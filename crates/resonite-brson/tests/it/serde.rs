//! Rust types through serde.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use resonite_brson::value::Document;
use resonite_brson::{
    Binary, DateTime, Deserializer, ErrorKind, Field, Int, Kind, Options, Other, Str, Text,
    TimeSpan, Url, Value, brson, from_value, to_value,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plain::{from_slice, to_vec};
use crate::support::other;

/// The value that a type is written as, and back.
#[track_caller]
fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) -> Value {
    let shown = to_value(&value).unwrap();
    assert_eq!(from_value::<T>(&shown).unwrap(), value);
    let bytes = to_vec(&BTreeMap::from([("v", &value)])).unwrap();
    assert_eq!(from_slice::<BTreeMap<String, T>>(&bytes).unwrap()["v"], value);
    shown
}

#[track_caller]
fn read<T: DeserializeOwned>(value: impl Into<Value>) -> resonite_brson::Result<T> {
    from_value(&value.into())
}

#[test]
fn widths_of_integers() {
    assert_eq!(written(5_i8), Value::Int32(5));
    assert_eq!(written(5_u16), Value::Int32(5));
    assert_eq!(written(-5_i32), Value::Int32(-5));
    assert_eq!(written(5_i64), Value::Int64(5));
    assert_eq!(written(5_u64), Value::Int64(5));
    assert_eq!(written(5_u128), Value::Int64(5));
    assert_eq!(written(4_000_000_000_u32), Value::Int64(4_000_000_000));
    assert_eq!(written(Int::I32(5)), Value::Int32(5));
    assert_eq!(written(Int::I64(5)), Value::Int64(5));
    // Either width is read as any integer.
    for value in [Value::Int32(5), Value::Int64(5), Value::Double(5.0)] {
        assert_eq!(read::<u8>(value.clone()).unwrap(), 5);
        assert_eq!(read::<i32>(value.clone()).unwrap(), 5);
        assert_eq!(read::<i64>(value.clone()).unwrap(), 5);
        assert_eq!(read::<u64>(value.clone()).unwrap(), 5);
        assert_eq!(read::<f32>(value.clone()).unwrap(), 5.0);
        assert_eq!(read::<f64>(value).unwrap(), 5.0);
    }
    assert!(read::<i32>(2.5).is_err());
    assert!(read::<i64>(1e19).is_err());
    assert!(read::<f64>(i64::MAX).is_err());
    assert_eq!(read::<f64>(1_i64 << 60).unwrap(), (1_i64 << 60) as f64);
    assert_eq!(read::<f64>(i64::MIN).unwrap(), i64::MIN as f64);
    assert!(read::<f32>(16_777_217).is_err());
}

#[test]
fn wide_and_wrapped_integers() {
    let wide = Options::new().wide_ints(true);
    assert_eq!(wide.to_value(&(1_u8, 2_i32, 3_i64)).unwrap(), Value::from(vec![1_i64, 2, 3]));
    assert_eq!(wide.to_value(&u32::MAX).unwrap(), Value::Int64(u32::MAX.into()));
    assert_eq!(wide.from_value::<u32>(&Value::Int64(u32::MAX.into())).unwrap(), u32::MAX);
    // A Value keeps its widths.
    assert_eq!(wide.to_value(&Value::Int32(1)).unwrap(), Value::Int32(1));
    let wrap = Options::new().wrap_unsigned(true);
    assert_eq!(wrap.to_value(&4_000_000_000_u32).unwrap(), Value::Int32(-294_967_296));
    assert_eq!(wrap.to_value(&u64::MAX).unwrap(), Value::Int64(-1));
    assert_eq!(wrap.from_value::<u64>(&Value::Int64(-1)).unwrap(), u64::MAX);
    assert_eq!(wrap.from_value::<u64>(&Value::Int32(-1)).unwrap(), u64::MAX);
    assert_eq!(wrap.from_value::<u32>(&Value::Int64(-1)).unwrap(), u32::MAX);
    assert!(wrap.from_value::<u32>(&Value::Int64(i64::MIN)).is_err());
    assert!(wrap.from_value::<u16>(&Value::Int32(-1)).is_err());
    assert_eq!(wrap.wide_ints(true).to_value(&u32::MAX).unwrap(), Value::Int64(-1));
    // The width says that it was wrapped; of another one that takes the option.
    assert_eq!(read::<u32>(-1).unwrap(), u32::MAX);
    assert_eq!(read::<u64>(-1_i64).unwrap(), u64::MAX);
    assert_eq!(read::<u64>(i64::MIN).unwrap(), 1 << 63);
    assert!(read::<u32>(-1_i64).is_err());
    assert!(read::<u64>(-1).is_err());
}

#[test]
fn a_double_that_no_short_float_holds_is_refused() {
    for value in [1e300, -1e39, f64::MAX] {
        let error = read::<f32>(value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NumberRange);
        let said = format!("expected a float in the range of 32 bits, found {value:e}");
        assert_eq!(error.to_string(), said);
    }
    assert_eq!(read::<f32>(f64::from(f32::MAX)).unwrap(), f32::MAX);
    assert_eq!(read::<f32>(f64::NEG_INFINITY).unwrap(), f32::NEG_INFINITY);
    assert_eq!(read::<f32>(1e-300).unwrap(), 0.0);
    assert!(read::<f32>(f64::NAN).unwrap().is_nan());
}

/// Each save put one more `@` before the text.
#[test]
fn addresses_and_text_in_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        Plain { text: Text, url: Url, more: Vec<Text> },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Url(Url),
        Text(Text),
        Many { list: Vec<Either> },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Either>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type", content = "content")]
    enum Beside {
        Text(Text),
    }
    fn returns<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let first = to_value(value).unwrap();
        let second = read::<T>(first.clone()).unwrap();
        assert_eq!(&second, value);
        assert_eq!(to_value(&second).unwrap(), first);
    }
    let url = || Url::new("resdb:///a.brson").unwrap();
    for text in ["", "@", "@x", "@@", "@@x", "x@", "x"] {
        let text = || Text::from(text);
        returns(&Tagged::Plain { text: text(), url: url(), more: vec![text(), text()] });
        returns(&Beside::Text(text()));
        let list = vec![Either::Text(text()), Either::Url(url())];
        let rest =
            [("a".to_owned(), Either::Text(text())), ("b".to_owned(), Either::Many { list })];
        returns(&Flat { id: 1, rest: rest.into() });
        // In other formats it is bare, in their buffers too.
        let json = serde_json::to_string(&Tagged::Plain { text: text(), url: url(), more: vec![] });
        let Tagged::Plain { text: bare, .. } = serde_json::from_str(&json.unwrap()).unwrap();
        assert_eq!(bare, text());
    }
    let error = read::<Beside>(brson!({"type": "Text", "content": "@x"})).unwrap_err().to_string();
    assert!(error.starts_with("expected text and no address, found string \"@x\""), "{error}");
}

#[test]
fn addresses_and_text() {
    let url = Url::new("resdb:///abc.brson").unwrap();
    assert_eq!(written(url.clone()), Value::from("@resdb:///abc.brson"));
    assert_eq!(url.scheme(), "resdb");
    assert_eq!(serde_json::to_string(&url).unwrap(), r#""resdb:///abc.brson""#);
    assert_eq!(serde_json::from_str::<Url>(r#""resdb:///abc.brson""#).unwrap(), url);
    assert!(Url::new("").is_err() && Url::new("@x").is_err());
    assert_eq!(
        read::<Url>("x").unwrap_err().to_string(),
        "expected an address with @ before it, found string \"x\""
    );
    assert_eq!(
        read::<Url>(5).unwrap_err().to_string(),
        "expected an address with @ before it, found an int32"
    );
    for (text, stored) in [("", ""), ("@", "@"), ("@x", "@@x"), ("@@", "@@@"), ("x@", "x@")] {
        assert_eq!(written(Text::from(text)), Value::from(stored), "{text}");
        assert_eq!(Value::from(Text::from(text)), Value::from(stored));
        assert_eq!(serde_json::to_value(Text::from(text)).unwrap(), text);
    }
    assert!(read::<Text>("@x").is_err());
    assert_eq!(Value::from(url.clone()).as_url(), Some("resdb:///abc.brson"));
    assert_eq!(Value::from("@@x").as_url(), None);
    // A plain string is what is stored.
    assert_eq!(written("@@x".to_owned()), Value::from("@@x"));
}

#[test]
fn types_that_serde_has_not() {
    assert_eq!(written(DateTime(5)), Value::DateTime(DateTime(5)));
    assert_eq!(read::<DateTime>("1970-01-01T00:00:01Z").unwrap(), DateTime(1000));
    assert_eq!(read::<DateTime>(7_i64).unwrap(), DateTime(7));
    assert_eq!(read::<DateTime>(true).unwrap_err().to_string(), "expected a date, found a bool");
    assert_eq!(written(TimeSpan(15)), Value::Int64(15));
    assert_eq!(TimeSpan::try_from(std::time::Duration::from_micros(3)).unwrap(), TimeSpan(30));
    assert_eq!(TimeSpan(-30).unsigned_abs(), std::time::Duration::from_micros(3));
    let id = Other::new(Kind::ObjectId, [0xab; 12]).unwrap();
    assert_eq!(written(id.clone()), Value::Other(id.clone()));
    let binary = Binary { subtype: 4, bytes: vec![1] };
    assert_eq!(written(binary.clone()), Value::from(binary.clone()));
    assert_eq!(written(Str::new("x")), Value::from("x"));
    // Through another format and back.
    fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }
    json(DateTime(1));
    json(id);
    json(binary);
    json(TimeSpan(-1));
    json(Int::I32(5));
    assert_eq!(
        written(serde_bytes::ByteBuf::from(vec![1, 2])),
        Value::from(Binary { subtype: 0, bytes: vec![1, 2] })
    );
}

#[test]
fn fields() {
    let field: Field<Option<i32>> = Field::new("id", None);
    let value = written(field);
    assert_eq!(format!("{value:?}"), r#"{"ID": "id", "Data": null}"#);
    // Other keys are passed over, and Data that is not there is None.
    let more: Value = [("Extra", Value::from(1)), ("ID", "x".into())].into_iter().collect();
    assert_eq!(read::<Field<Option<i32>>>(more.clone()).unwrap(), Field::new("x", None));
    let error = read::<Field<i32>>(more).unwrap_err();
    assert_eq!(error.to_string(), "missing field `Data`");
}

/// Names of the same length are told apart wherever they come.
#[test]
fn fields_come_in_any_order() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Point {
        x: i32,
        y: i32,
        #[serde(default)]
        z: i32,
    }
    for order in ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xy", "yx", "axyz", "xayz", "zyxa"] {
        let entry = |name: char| (name.to_string(), Value::Int32(name as i32));
        let value: Value = order.chars().map(entry).collect();
        let bytes = to_vec(&value).unwrap();
        let z = if order.contains('z') { 'z' as i32 } else { 0 };
        let point = Point { x: 'x' as i32, y: 'y' as i32, z };
        assert_eq!(from_slice::<Point>(&bytes).unwrap(), point, "{order}");
    }
}

#[cfg(feature = "lz4")]
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Borrowed<'a> {
    name: &'a str,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
    field: Field<&'a str, &'a str>,
}

#[cfg(feature = "lz4")]
#[test]
fn text_is_borrowed_from_files_and_bodies() {
    let value = Borrowed { name: "Åsa", bytes: &[1, 2], field: Field { id: "i", data: "d" } };
    let plain = to_vec(&value).unwrap();
    assert_eq!(from_slice::<Borrowed<'_>>(&plain).unwrap(), value);
    for container in crate::support::containers() {
        let options = Options::new().container(container);
        let file = options.to_vec(&value).unwrap();
        let body = resonite_brson::open(&file).unwrap();
        assert_eq!(body.container(), container);
        let read: Borrowed<'_> = body.read().unwrap();
        assert_eq!(read, value);
        assert!(body.bson().as_ptr_range().contains(&read.name.as_ptr()));
        assert_eq!(body.bson(), plain);
        // Borrowed text cannot come out of a buffer that goes.
        if container.codec() != resonite_brson::Codec::None {
            let error = resonite_brson::from_slice::<Borrowed<'_>>(&file).unwrap_err();
            assert_eq!(
                error.to_string(),
                "expected data to borrow, found a packed file, from which `open` and `Body::read` borrow at \
                 byte 0xa of the decompressed body, in name"
            );
        }
        assert_eq!(body.into_bson(), plain);
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    New(i32),
    Tuple(i32, String),
    Struct { a: i32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Internal {
    A { when: DateTime, value: Value },
    B { list: Vec<i64> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Int(Int),
    Text(String),
    Value(Value),
}

#[test]
fn enums() {
    let shown = |shape: Shape| format!("{:?}", written(shape));
    assert_eq!(shown(Shape::Unit), r#""Unit""#);
    assert_eq!(shown(Shape::New(1)), r#"{"New": 1}"#);
    assert_eq!(shown(Shape::Tuple(1, "x".into())), r#"{"Tuple": [1, "x"]}"#);
    assert_eq!(shown(Shape::Struct { a: 1 }), r#"{"Struct": {"a": 1}}"#);
    written(Internal::A { when: DateTime(5), value: Value::Int64(7) });
    written(Internal::B { list: vec![1, 2] });
    written(Untagged::Int(Int::I64(5)));
    written(Untagged::Int(Int::I32(5)));
    written(Untagged::Text("x".into()));
    written(Untagged::Value(DateTime(5).into()));
    written(Untagged::Value(other(Kind::ObjectId, &[1; 12])));
    written(Untagged::Value(other(Kind::Undefined, &[])));
    let two: Value = [("New", 1), ("More", 2)].into_iter().collect();
    assert_eq!(
        read::<Shape>(two).unwrap_err().to_string(),
        "expected a variant as a document of one entry, found a longer one"
    );
    assert_eq!(
        read::<Shape>(5).unwrap_err().to_string(),
        "expected a variant's name or a document of one entry, found an int32"
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    id: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[test]
fn unknown_keys_can_be_kept() {
    let open = Open {
        id: "x".into(),
        rest: BTreeMap::from([
            ("a".to_owned(), Value::Int64(5)),
            ("b".to_owned(), Value::Int32(5)),
            ("c".to_owned(), DateTime(5).into()),
            ("d".to_owned(), vec![Value::Null, other(Kind::MinKey, &[])].into()),
            ("e".to_owned(), Value::Double(f64::NAN)),
        ]),
    };
    written(open);
}

/// A document of these entries.
fn entries<V: Into<Value>>(entries: impl IntoIterator<Item = (&'static str, V)>) -> Value {
    entries.into_iter().collect()
}

#[test]
fn maps_and_their_keys() {
    assert_eq!(written(BTreeMap::from([(1, "a".to_owned())])), entries([("1", "a")]));
    assert_eq!(written(BTreeMap::from([(true, 1)])), entries([("true", 1)]));
    assert_eq!(written(HashMap::from([('x', 1)])), entries([("x", 1)]));
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Key {
        A,
    }
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct New(u8);
    assert_eq!(written(BTreeMap::from([(Key::A, 1)])), entries([("A", 1)]));
    assert_eq!(written(BTreeMap::from([(New(7), 1)])), entries([("7", 1)]));
    assert!(read::<BTreeMap<u8, i32>>([("x", 1)].into_iter().collect::<Value>()).is_err());
}

#[test]
fn values_inside_of_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Save {
        version: String,
        object: Document,
        list: resonite_brson::value::Array,
        any: Option<Value>,
    }
    let value = crate::support::everything();
    let save = Save {
        version: "1".into(),
        object: value.as_document().unwrap().clone(),
        list: vec![Value::Int64(1)].into(),
        any: Some(value),
    };
    written(save);
    assert!(read::<Document>(5).is_err());
    // A nested error has its whole path.
    let bytes = crate::support::only(
        3,
        "object",
        &crate::support::only(4, "x", &crate::support::only(1, "0", &[])),
    );
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct OnlyObject {
        object: Value,
    }
    let error = from_slice::<OnlyObject>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected 8 bytes of a double, found 0 at byte 0x1a, in object.x[0]"
    );
}

#[test]
fn documents_one_after_another() {
    let one = to_vec(&BTreeMap::from([("a", 1)])).unwrap();
    let two = to_vec(&BTreeMap::from([("a", 2)])).unwrap();
    let both = [&one[..], &two].concat();
    let read: Result<Vec<BTreeMap<String, i32>>, _> =
        Deserializer::from_slice(&both).into_iter().collect();
    assert_eq!(
        read.unwrap(),
        [BTreeMap::from([("a".to_owned(), 1)]), BTreeMap::from([("a".to_owned(), 2)])]
    );
    let cut = &both[..both.len() - 1];
    let read: Vec<Result<Value, _>> = Deserializer::from_slice(cut).into_iter().collect();
    assert_eq!(read.len(), 2);
    assert_eq!(read[1].as_ref().unwrap_err().offset(), Some(one.len()));
    let mut serializer = resonite_brson::Serializer::new(Vec::new(), Options::new());
    for number in [1, 2] {
        BTreeMap::from([("a", number)]).serialize(&mut serializer).unwrap();
    }
    assert_eq!(serializer.into_inner().unwrap(), both);
}

#[test]
fn no_allocation_for_the_keys_of_arrays() {
    let numbers: Vec<f64> = (0..10_000).map(f64::from).collect();
    let bytes = to_vec(&BTreeMap::from([("n", &numbers)])).unwrap();
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Numbers {
        n: Vec<f64>,
    }
    let run = gamewire_testkit::hostile::measure(&bytes, |bytes| from_slice::<Numbers>(bytes));
    // The vector, which may grow when its length was guessed too low: keys get longer.
    assert!(run.allocations <= 3, "{} allocations", run.allocations);
    let run =
        gamewire_testkit::hostile::measure(&[], |_| to_vec(&BTreeMap::from([("n", &numbers)])));
    assert!(run.allocations <= 16, "{} allocations", run.allocations);
}

/// The types of `std`, `time` and others have visitors that take only what they ask for.
#[test]
fn a_visitor_with_one_method_gets_it() {
    macro_rules! only {
        ($($int:ty: $ask:ident $visit:ident $value:expr;)+) => {$({
            #[derive(Debug, PartialEq)]
            struct Only($int);
            impl<'de> Deserialize<'de> for Only {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    struct One;
                    impl serde::de::Visitor<'_> for One {
                        type Value = Only;
                        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                            f.write_str("one")
                        }
                        fn $visit<E>(self, v: $int) -> Result<Only, E> {
                            Ok(Only(v))
                        }
                    }
                    deserializer.$ask(One)
                }
            }
            let value: $int = $value;
            let shown = to_value(&value).unwrap();
            assert_eq!(from_value::<Only>(&shown).unwrap(), Only(value), stringify!($ask));
        })+};
    }
    only! {
        i8: deserialize_i8 visit_i8 -3;
        i16: deserialize_i16 visit_i16 -300;
        i32: deserialize_i32 visit_i32 -70_000;
        i64: deserialize_i64 visit_i64 i64::MIN;
        i128: deserialize_i128 visit_i128 -5;
        u8: deserialize_u8 visit_u8 200;
        u16: deserialize_u16 visit_u16 60_000;
        u32: deserialize_u32 visit_u32 u32::MAX;
        u64: deserialize_u64 visit_u64 1 << 40;
        u128: deserialize_u128 visit_u128 7;
        f32: deserialize_f32 visit_f32 0.1;
        f64: deserialize_f64 visit_f64 0.1;
    }
    assert_eq!(read::<u8>(300).unwrap_err().to_string(), "expected u8, found integer 300");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tint {
    color: u32,
    order: i32,
}

/// Serde's buffers do not know which type asks, so what is written is the number itself.
#[test]
fn unsigned_integers_pass_through_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: i32,
        #[serde(flatten)]
        tint: Tint,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        Tint(Tint),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Tint(Tint),
    }
    let tint = || Tint { color: 0xff00_00ff, order: -1 };
    written(Flat { id: 1, tint: tint() });
    written(Tagged::Tint(tint()));
    written(Untagged::Tint(tint()));
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Rest {
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
    }
    let rest = written(Tint { color: u32::MAX, order: -2 });
    let rest: Rest = from_value(&rest).unwrap();
    assert_eq!(rest.rest["color"], u32::MAX);
    assert_eq!(rest.rest["order"], -2);
}

/// A `Value` has the width that was read; text has none, so the number decides, whatever its sign.
#[test]
fn widths_of_values_in_other_formats() {
    let value: Value =
        serde_json::from_str(r#"{"a":-2,"b":2,"c":-3000000000,"d":3000000000}"#).unwrap();
    let text = r#"{"a": -2, "b": 2, "c": -3000000000i64, "d": 3000000000i64}"#;
    assert_eq!(format!("{value:?}"), text);
    // In a buffer of this format the widths are known.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Rest {
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let rest =
        BTreeMap::from([("a".to_owned(), Value::Int64(-2)), ("b".to_owned(), Value::Int32(-2))]);
    written(Rest { rest });
}

#[test]
fn keys_that_repeat_are_refused_when_written() {
    #[derive(Serialize)]
    struct Flat {
        id: u32,
        name: u32,
        #[serde(flatten)]
        rest: BTreeMap<String, u32>,
    }
    let flat = |key: &str| Flat { id: 1, name: 2, rest: BTreeMap::from([(key.to_owned(), 2)]) };
    for error in [to_vec(&flat("id")).unwrap_err(), to_value(&flat("id")).unwrap_err()] {
        assert_eq!(error.to_string(), "duplicate key \"id\": entries 0 and 2 have it");
        assert_eq!(error.kind(), resonite_brson::ErrorKind::DuplicateKey);
    }
    let error = to_vec(&BTreeMap::from([("in", vec![flat("x"), flat("name")])])).unwrap_err();
    assert_eq!(error.to_string(), "duplicate key \"name\": entries 1 and 2 have it, in in[1]");
    assert!(to_vec(&flat("other")).is_ok());
    assert!(Options::new().allow_duplicates(true).to_value(&flat("id")).is_ok());
    // A tag that is the name of a field too.
    #[derive(Serialize)]
    struct Inner {
        size: u32,
        kind: u32,
    }
    #[derive(Serialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Inner(Inner),
    }
    let error = to_value(&Tagged::Inner(Inner { size: 1, kind: 1 })).unwrap_err();
    let text = "duplicate key \"kind\": the tag or the first field, and another field have it";
    assert_eq!(error.to_string(), text);
    // Keys in any order, few and many.
    for count in [2, 31, 32, 33, 500] {
        let keys = |extra: Option<usize>| {
            let numbers = (0..count).map(move |n| n * 7 % count).chain(extra);
            to_value(&Pairs(numbers.map(|n| n.to_string()).collect()))
        };
        keys(None).unwrap();
        let error = keys(Some(0)).unwrap_err().to_string();
        assert!(error.ends_with(&format!("entries 0 and {count} have it")), "{error}");
    }
}

/// A map of these keys, in their order.
struct Pairs(Vec<String>);

impl Serialize for Pairs {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|key| (key, 0)))
    }
}

/// Any key that is no text is JSON.
#[test]
fn keys_of_any_type() {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct At {
        x: i32,
        name: String,
    }
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Place {
        Home,
        At(i32, i32),
        Named { name: String },
        Of(std::net::IpAddr),
    }
    assert_eq!(format!("{:?}", written(BTreeMap::from([((1, -2), true)]))), r#"{"[1,-2]": true}"#);
    written(BTreeMap::from([
        (At { x: 1, name: "a\"b".into() }, 1),
        (At { x: 2, name: "".into() }, 2),
    ]));
    written(BTreeMap::from([(vec![1_u8, 2], 1), (vec![], 2)]));
    written(BTreeMap::from([(serde_bytes::ByteBuf::from(vec![1, 2]), 1)]));
    written(BTreeMap::from([(Some(5), 1), (None, 2)]));
    written(BTreeMap::from([((), 1)]));
    written(BTreeMap::from([(Some((u32::MAX, Some('x'))), 1), (None, 2)]));
    let ip = "::1".parse().unwrap();
    let places = [Place::Home, Place::At(1, 2), Place::Named { name: "x".into() }, Place::Of(ip)];
    written(BTreeMap::from_iter(places.into_iter().zip(0..)));
    written(BTreeMap::from([(ip, 1), ("1.2.3.4".parse().unwrap(), 2)]));
    let mut floats = Vec::new();
    for key in [0.1_f64, -0.0, 1e300, 5e-324, f64::INFINITY] {
        floats.push((Bits(key), 1));
    }
    written(HashMap::<Bits, i32>::from_iter(floats));
    let null = to_value(&BTreeMap::from([(Some("null"), 1)])).unwrap_err();
    assert_eq!(null.to_string(), "expected a key that is not the text of `None`, found \"null\"");
    let error =
        to_value(&BTreeMap::from([((1, "a"), BTreeMap::from([(1, u64::MAX)]))])).unwrap_err();
    assert!(error.to_string().ends_with("in [\"[1,\\\"a\\\"]\"][\"1\"]"), "{error}");
}

/// A float as a key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Bits(f64);

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Bits {}

impl std::hash::Hash for Bits {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// The identifiers of the engine are text.
#[test]
fn types_with_a_form_for_people() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Owner {
        #[serde(rename = "ID")]
        id: std::net::Ipv4Addr,
    }
    let owner = Owner { id: [127, 0, 0, 1].into() };
    let text = Value::from_iter([("ID", "127.0.0.1")]);
    assert!(from_value::<Owner>(&text).is_err());
    let options = crate::plain::options().human_readable(true);
    assert_eq!(options.to_value(&owner).unwrap(), text);
    assert_eq!(options.from_value::<Owner>(&text).unwrap(), owner);
    let bytes = options.to_vec(&owner).unwrap();
    assert_eq!(options.from_slice::<Owner>(&bytes).unwrap(), owner);
    let mut deserializer = Deserializer::new(&bytes, options);
    assert_eq!(Owner::deserialize(&mut deserializer).unwrap(), owner);
    written(owner);
}
