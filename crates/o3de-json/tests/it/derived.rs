//! Types that people derive, with the attributes that they use.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::ffi::CString;
use std::io;

use o3de_json::report::{Outcome, Processing};
use o3de_json::types::*;
use o3de_json::value::{Document, Pointer};
use o3de_json::*;
use proptest::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::ByteBuf;

use crate::support::{json_text, value};

fn returns<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(own: T) {
    let text = to_string(&own).unwrap();
    assert_eq!(from_str::<T>(&text).unwrap(), own, "{text}");
    let pretty = to_string_pretty(&own).unwrap();
    assert_eq!(from_str::<T>(&pretty).unwrap(), own, "{pretty}");
    assert_eq!(from_value::<T>(&to_value(&own).unwrap()).unwrap(), own);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Blob {
    data: ByteBuf,
    name: CString,
    list: Vec<ByteBuf>,
}

fn blob() -> Blob {
    let name = CString::new("Lamp").unwrap();
    Blob {
        data: ByteBuf::from([0, 255]),
        name,
        list: vec![ByteBuf::from(*b"Lamp"), ByteBuf::new()],
    }
}

/// A buffer of serde took their base64 for text: each load and save added a layer of it.
#[test]
fn bytes_return_from_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: u32,
        #[serde(flatten)]
        blob: Blob,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Own(Blob),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Own(Blob),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Engine {
        #[serde(flatten)]
        own: BTreeMap<String, Bytes>,
    }
    returns(blob());
    returns(Flat { id: 1, blob: blob() });
    returns(Tagged::Own(blob()));
    returns(Either::Own(blob()));
    returns(vec![Either::Own(blob())]);
    returns(Engine { own: BTreeMap::from([("data".into(), Bytes(vec![0, 255]))]) });
    returns(BTreeMap::from([(ByteBuf::from([0, 255]), Bytes(vec![1]))]));
    assert_eq!(to_string(&ByteBuf::from([0, 255])).unwrap(), "[0,255]");
    assert_eq!(to_string(&Bytes(vec![0, 255])).unwrap(), "\"AP8=\"");
    assert_eq!(from_str::<ByteBuf>("\"AP8=\"").unwrap(), [0, 255]);
    assert_eq!(from_str::<ByteBuf>("[0, \"0xff\"]").unwrap(), [0, 255]);
    let error = from_str::<ByteBuf>("[256]").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an unsigned integer of 8 bits, found 256 at line 1, column 2 (byte 0x1), in /0"
    );
    let options = Options::new();
    assert_eq!(options.store(&blob().data).unwrap().0, "[0,255]");
    let mut target = (blob().data, Bytes(vec![7]));
    options.load_into(&mut target, "[{}, {}]").unwrap();
    assert_eq!(target, (blob().data, Bytes(vec![7])));
}

/// What has more than 64 bits was refused when it was written.
#[test]
fn wide_integers_return() {
    let wide = [i128::MIN, i128::from(i64::MIN) - 1, -1, 0, 1 << 64, i128::MAX];
    wide.into_iter().for_each(returns);
    [0, u128::from(u64::MAX), 1 << 64, u128::MAX].into_iter().for_each(returns);
    returns(BTreeMap::from([(i128::MAX, 1_u8), (-2, 2)]));
    assert_eq!(from_str::<i128>("\"0x10\"").unwrap(), 16);
    assert_eq!(from_str::<u128>("2.9").unwrap(), 2);
    let error = from_str::<u128>("-1").unwrap_err().to_string();
    assert!(error.starts_with("expected an unsigned integer of 64 bits, found -1"), "{error}");
    #[derive(Debug, Deserialize)]
    struct Plain {
        _wide: i128,
    }
    #[derive(Debug, Deserialize)]
    struct Marked {
        #[serde(with = "coerce")]
        _wide: i128,
    }
    #[derive(Debug, Deserialize)]
    struct Flat<T> {
        #[serde(flatten)]
        own: T,
    }
    let text = format!("{{\"_wide\": {}}}", i128::MAX);
    let error = from_str::<Flat<Plain>>(&text).unwrap_err().to_string();
    assert!(error.starts_with("i128 is not supported"), "{error}");
    assert!(from_str::<Flat<Marked>>(&text).is_err());
    assert_eq!(from_str::<Flat<Marked>>(r#"{"_wide": -7}"#).unwrap().own._wide, -7);
    let mut target = (u128::MAX, 1_u8);
    load_into(&mut target, "[{}, 2]").unwrap();
    assert_eq!(target, (u128::MAX, 2));
    assert_eq!(Options::new().store(&target).unwrap().0, format!("[{},2]", u128::MAX));
}

/// Unknown members were passed over before the attribute saw them.
#[test]
fn unknown_members_are_shown() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Deny {
        name: String,
    }
    let deny = |name: &str| Deny { name: name.into() };
    assert_eq!(from_str::<Deny>(r#"{"NAME": "a", "$type": "Deny"}"#).unwrap(), deny("a"));
    let error = from_str::<Vec<Deny>>(r#"[{"name": "a", "other": [1]}]"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Skipped);
    assert_eq!(
        error.to_string(),
        "unknown field `other`, expected `name` at line 1, column 16 (byte 0xf), in /0/other"
    );
    assert!(from_str::<Deny>(r#"{"o\u0074her": 1, "name": "a"}"#).is_err());
    // The report has it there.
    let (own, report) = load::<Deny>(r#"{"name": "a", "other": 1}"#).unwrap();
    assert_eq!((own, report.issues().len()), (deny("a"), 1));

    /// As a wrapper that collects what is ignored.
    #[derive(Debug, PartialEq)]
    struct Seen(Vec<String>);
    impl<'de> Deserialize<'de> for Seen {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct SeenVisitor;
            impl<'de> Visitor<'de> for SeenVisitor {
                type Value = Seen;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a struct")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Seen, A::Error> {
                    let mut seen = Seen(Vec::new());
                    while let Some((name, IgnoredAny)) = map.next_entry()? {
                        seen.0.push(name);
                    }
                    Ok(seen)
                }
            }
            deserializer.deserialize_struct("Seen", &["name"], SeenVisitor)
        }
    }
    let seen: Seen = from_str(r#"{"a": {"b": 1}, "Name": 1, "\u0063": [], "$type": "x"}"#).unwrap();
    assert_eq!(seen.0, ["a", "name", "c"]);
}

/// It said "expected a borrowed string, found string".
#[test]
fn errors_say_why_nothing_is_borrowed() {
    assert_eq!(from_str::<&str>(r#""plain""#).unwrap(), "plain");
    let why = ", which is no part of the input as it stands there: read a `String`, `Cow` or `Vec`";
    let error = from_str::<&str>(r#""a\nb""#).unwrap_err().to_string();
    assert!(
        error.starts_with("expected a borrowed string, found") && error.contains(why),
        "{error}"
    );
    let error = from_str::<&serde_bytes::Bytes>(r#""AP8=""#).unwrap_err().to_string();
    assert!(error.starts_with("expected a borrowed byte") && error.contains(why), "{error}");
}

#[test]
fn errors_are_those_of_io_and_values_have_a_hash() {
    let broken = || -> io::Result<u8> { Ok(from_str("\"x\"")?) };
    assert_eq!(broken().unwrap_err().kind(), io::ErrorKind::InvalidData);
    let texts = ["[1, {\"a\": 1.0}]", "[1, {\"a\": 1.0}]", "[1, {\"a\": 1.00}]"];
    let values: HashSet<Value> = texts.into_iter().map(value).collect();
    assert_eq!(values.len(), 2);
    assert!(values.contains(&json!([1, { "a": 1.0 }])));
}

/// A sort by an order that is none may panic.
#[test]
fn the_order_of_values_is_total() {
    let numbers = [f64::NAN, -f64::NAN, -0.0, 0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY];
    let mut values: Vec<Value> = numbers.into_iter().map(Value::from).collect();
    values.extend([json!([]), json!({}), json!(null), json!("a"), json!(0), json!(true)]);
    values.extend([
        json!([1, 2]),
        json!([2, 1]),
        json!({ "a": 1, "b": 2 }),
        json!({ "b": 0, "a": 2 }),
    ]);
    values.push(vec![Value::from(f64::NAN)].into());
    values.push(value(r#"{"a": 1, "a": 0}"#));
    values.extend([u64::MAX, u64::MAX - 1, i64::MAX.unsigned_abs()].map(Value::from));
    is_total(&values);
    values.sort_by(Value::compare);
    let sorted = format!("{values:?}");
    for round in 0..200_usize {
        let len = values.len();
        for at in 0..len {
            values.swap(at, (at * 7919 + round * 104_729) % len);
        }
        values.sort_by(Value::compare);
        // Equal ones may stand in any order.
        assert!(values.windows(2).all(|pair| pair[0].compare(&pair[1]).is_le()), "{sorted}");
    }
}

fn is_total(values: &[Value]) {
    for a in values {
        assert_eq!(a.compare(a), Ordering::Equal, "{a:?}");
        for b in values {
            assert_eq!(a.compare(b), b.compare(a).reverse(), "{a:?} {b:?}");
            for c in values.iter().filter(|c| b.compare(c).is_le()) {
                assert!(a.compare(b).is_gt() || a.compare(c).is_le(), "{a:?} {b:?} {c:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_values_have_a_total_order(texts in prop::collection::vec(json_text(), 0..12)) {
        is_total(&texts.iter().map(|text| value(text)).collect::<Vec<_>>());
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Pointers {
    before: u8,
    one: Option<Shape>,
    inner: Option<Box<Pointers>>,
    list: Vec<Option<Shape>>,
    many: Vec<Shape>,
    map: BTreeMap<String, Option<Shape>>,
    pair: (u8, Option<Shape>, u8),
    after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Sphere { radius: f32 },
}

/// What comes after it was loaded all the same, and what was around it was left out whole.
#[test]
fn a_load_stops_where_the_engine_stops() {
    let sphere = Some(Shape::Sphere { radius: 1.0 });
    let read = |text: &str, outcome| {
        let (own, report) = load::<Pointers>(text).unwrap();
        assert_eq!(report.outcome(), outcome, "{text}: {report}");
        own
    };
    let nope = r#"{"$type": "Nope"}"#;
    let good = r#"{"$type": "Sphere", "radius": 1}"#;
    let plain = Pointers { before: 1, ..Pointers::default() };

    let own = read(&format!(r#"{{"before": 1, "one": {nope}, "after": 5}}"#), Outcome::Unknown);
    assert_eq!(own, plain);
    let own = read(
        &format!(r#"{{"before": 1, "many": [{nope}, {good}], "after": 5}}"#),
        Outcome::PartialDefaults,
    );
    assert_eq!((own.many, own.after), (vec![], 5));
    // An instance that was made for it goes again.
    let text = format!(r#"{{"before": 1, "inner": {{"before": 2, "one": {nope}}}, "after": 5}}"#);
    assert_eq!(read(&text, Outcome::Unknown), plain);
    // One that is there keeps what came before.
    let mut target = Pointers { inner: Some(Box::default()), ..Pointers::default() };
    let report = load_into(&mut target, &text).unwrap();
    assert_eq!(report.processing(), Processing::Halted);
    assert_eq!(target.inner, Some(Box::new(Pointers { before: 2, ..Pointers::default() })));
    assert_eq!((target.before, target.after), (1, 0));
    // A list ends there, and nothing else does.
    let text = format!(r#"{{"list": [{good}, {nope}, {good}], "after": 5}}"#);
    let own = read(&text, Outcome::PartialDefaults);
    assert_eq!((own.list, own.after), (vec![sphere.clone()], 5));
    // The entries before it stay.
    let text = format!(r#"{{"map": {{"a": {good}, "b": {nope}, "c": {good}}}, "after": 5}}"#);
    let own = read(&text, Outcome::Unknown);
    assert_eq!((own.map.into_keys().collect::<Vec<_>>(), own.after), (vec!["a".to_owned()], 0));
    let own = read(&format!(r#"{{"pair": [1, {nope}, 2], "after": 5}}"#), Outcome::Unknown);
    assert_eq!((own.pair, own.after), ((1, None, 0), 0));
}

/// Any name was taken for the class.
#[test]
fn the_type_of_a_class_without_heirs_is_checked_when_strict() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Lamp {
        height: f32,
    }
    type Lamps = Vec<Option<Box<Lamp>>>;
    let strict = Options::new().strict(true);
    for name in ["Lamp", "lamp", " Lamp "] {
        let text = format!(r#"[{{"height": 1, "$type": "{name}"}}]"#);
        assert!(strict.from_str::<Lamps>(&text).is_ok(), "{text}");
    }
    let text = r#"[{"$type": "Post", "height": 1}]"#;
    assert!(from_str::<Lamps>(text).is_ok());
    let error = strict.from_str::<Lamps>(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown type \"Post\", expected `Lamp` at line 1, column 12 (byte 0xb), in /0/$type"
    );
    // A class that is no pointer has no type of its own.
    assert!(strict.from_str::<Vec<Lamp>>(text).is_ok());
}

/// RapidJSON takes the fragment of a URI for a pointer.
#[test]
fn pointers_may_be_fragments_of_a_uri() {
    let own = value(r#"{"a b": {"~/é": [7]}}"#);
    assert_eq!(own.pointer("#/a%20b/~0~1%C3%a9/0").and_then(Value::as_u64), Some(7));
    assert_eq!(own.pointer("#"), Some(&own));
    for wrong in ["#a", "#/a b", "#/%2", "#/%zz", "#/%ff", "#/é", "##"] {
        assert!(Pointer::parse(wrong).is_none(), "{wrong}");
    }
    let patch = value(r##"[{"op": "replace", "path": "#/a%20b", "value": 1}]"##);
    let (patched, code) = own.patched(&patch);
    assert_eq!((patched, code.outcome()), (Some(json!({ "a b": 1 })), Outcome::Success));
    let mut document: Document = r#"{ "a b" : 1 }"#.parse().unwrap();
    assert!(document.remove("#/a%20b").is_some());
    assert_eq!(document.to_text().unwrap(), "{}");
}

#[test]
fn lists_have_a_capacity_and_entities_an_alias() {
    type Three = FixedVec<u8, 3>;
    let text = "[1, 2, 3, {}, 5]";
    assert_eq!(from_str::<Three>(text).unwrap().0, [1, 2, 3]);
    let error = Options::new().strict(true).from_str::<Three>(text).unwrap_err().to_string();
    assert!(error.starts_with("the list has no room for more elements at line 1"), "{error}");
    let error = serde_json::from_str::<Three>("[1, 2, 3, 4]").unwrap_err().to_string();
    assert!(error.starts_with("invalid length 4, expected a list of no more than 3"), "{error}");
    let error = to_string(&FixedVec::<u8, 1>(vec![1, 2])).unwrap_err();
    assert_eq!(error.to_string(), "expected no more than 1 elements, found 2");
    returns(FixedVec::<_, 2>(vec![EntityId::Alias("Entity_[7]".into()), EntityId::Id(7)]));
    returns(vec![
        Asset::default(),
        Asset { load_behavior: Some(LoadBehavior::PreLoad), ..Asset::default() },
    ]);
    returns(Name("a".into()));
    let json = serde_json::to_string(&[EntityId::INVALID]).unwrap();
    assert_eq!(json, r#"[{"id":4294967295}]"#);
    assert_eq!(serde_json::from_str::<[EntityId; 1]>(&json).unwrap(), [EntityId::INVALID]);
    let model = Asset { hint: "a".into(), ..Asset::default() };
    let json = serde_json::to_value(&model).unwrap();
    assert_eq!(serde_json::from_value::<Asset>(json).unwrap(), model);
}
