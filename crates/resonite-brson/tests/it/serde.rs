//! Rust types through serde.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use resonite_brson::value::Document;
use resonite_brson::{
    Binary, DateTime, Decimal128, Deserializer, Field, Int, ObjectId, Options, Str, Text, TimeSpan,
    Timestamp, Url, Value, from_value, to_value,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plain::{from_slice, to_vec};

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
    assert_eq!(written(4_000_000_000_u32), Value::Int32(-294_967_296));
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
    assert_eq!(wrap.to_value(&u64::MAX).unwrap(), Value::Int64(-1));
    assert_eq!(wrap.from_value::<u64>(&Value::Int64(-1)).unwrap(), u64::MAX);
    assert_eq!(wrap.from_value::<u64>(&Value::Int32(-1)).unwrap(), u64::MAX);
    assert_eq!(wrap.from_value::<u32>(&Value::Int64(-1)).unwrap(), u32::MAX);
    assert!(wrap.from_value::<u32>(&Value::Int64(i64::MIN)).is_err());
    assert!(wrap.from_value::<u16>(&Value::Int32(-1)).is_err());
    assert_eq!(wrap.wide_ints(true).to_value(&u32::MAX).unwrap(), Value::Int64(-1));
    assert_eq!(read::<u32>(-1).unwrap(), u32::MAX);
    assert!(read::<u32>(-1_i64).is_err());
    assert!(read::<u64>(-1).is_err());
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
    let id = ObjectId([0xab; 12]);
    assert_eq!(written(id), Value::ObjectId(id));
    assert_eq!(serde_json::to_value(id).unwrap(), "ab".repeat(12));
    let decimal = Decimal128([0x12; 16]);
    assert_eq!(written(decimal), Value::Decimal128(decimal));
    assert_eq!(serde_json::to_value(decimal).unwrap(), format!("bits:{}", "12".repeat(16)));
    assert!(Decimal128::parse("bits:12").is_none() && Decimal128::parse("1.5").is_none());
    let binary = Binary { subtype: 4, bytes: vec![1] };
    assert_eq!(written(binary.clone()), Value::from(binary.clone()));
    let stamp = Timestamp { time: 1, increment: 2 };
    assert_eq!(written(stamp), Value::from(stamp));
    assert_eq!(written(Str::new("x")), Value::from("x"));
    // Through another format and back.
    fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }
    json(DateTime(1));
    json(id);
    json(decimal);
    json(binary);
    json(stamp);
    json(TimeSpan(-1));
    json(Int::I32(5));
    json(resonite_brson::Regex { pattern: "a".into(), options: "".into() });
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
                "expected a borrowed string, found string \"Åsa\" at byte 0xa of the decompressed body, in name"
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
    written(Untagged::Value(ObjectId([1; 12]).into()));
    written(Untagged::Value(Value::Undefined));
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
            ("d".to_owned(), vec![Value::Null, Value::MinKey].into()),
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
