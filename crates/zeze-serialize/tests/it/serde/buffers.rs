//! Types whose errors other types ignore, and this crate's types in the buffers of other formats.

use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{SeqAccess, Visitor};
use zeze_serialize::{Base, RawBean, Unknown, Value, bean, take_from_slice};

use super::*;

/// Reads a `T`, or its default where there is an error, as `serde_with::DefaultOnError` does without a
/// buffer.
fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

/// The same with a buffer, which takes whatever is there.
fn buffered<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Any<T> {
        Good(T),
    }
    Ok(Any::deserialize(deserializer).map(|Any::Good(good)| good).unwrap_or_default())
}

/// A number that is never read.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Never(i32);

impl<'de> Deserialize<'de> for Never {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("never"))
    }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Inner {
    a: u8,
    never: Never,
    b: String,
    list: Vec<Inner>,
}

fn inner() -> Inner {
    let list = vec![Inner { a: 5, never: Never(6), ..Inner::default() }];
    Inner { a: 1, never: Never(2), b: "c".into(), list }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Swallows(#[serde(deserialize_with = "lenient")] Inner);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "dynamic")]
enum Thing {
    #[serde(rename = "3")]
    One(Swallows),
    #[serde(rename = "4")]
    Named { inner: Swallows, after: i32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Outer {
    #[serde(deserialize_with = "lenient")]
    field: Inner,
    #[serde(deserialize_with = "buffered")]
    any: Inner,
    list: Vec<Swallows>,
    map: BTreeMap<String, Swallows>,
    option: Option<Swallows>,
    options: Vec<Option<Swallows>>,
    tuple: (i32, Swallows, i32),
    things: Vec<Thing>,
    after: i32,
    base: Base<Swallows>,
}

#[test]
fn a_value_whose_error_is_ignored_is_passed_over() {
    let swallows = || Swallows(inner());
    let outer = Outer {
        field: inner(),
        any: inner(),
        list: vec![swallows(), swallows()],
        map: BTreeMap::from([("a".into(), swallows()), ("b".into(), swallows())]),
        option: Some(swallows()),
        options: vec![Some(swallows()), None, Some(swallows())],
        tuple: (7, swallows(), 8),
        things: vec![Thing::One(swallows()), Thing::Named { inner: swallows(), after: 9 }],
        after: 7,
        base: Base(swallows()),
    };
    let none = Swallows::default;
    let expected = Outer {
        field: Inner::default(),
        any: Inner::default(),
        list: vec![none(), none()],
        map: BTreeMap::from([("a".into(), none()), ("b".into(), none())]),
        option: Some(none()),
        options: vec![Some(none()), None, Some(none())],
        tuple: (7, none(), 8),
        things: vec![Thing::One(none()), Thing::Named { inner: none(), after: 9 }],
        after: 7,
        base: Base(none()),
    };
    let bytes = to_vec(&outer).unwrap();
    for options in [Options::new(), Options::new().strict(true)] {
        assert_eq!(options.from_slice::<Outer>(&bytes).unwrap(), expected);
        let (read, rest) = options.take_from_slice::<Outer>(&bytes).unwrap();
        assert_eq!(
            (read, rest),
            (Outer { ..options.from_slice_with_losses(&bytes).unwrap().0 }, &[][..])
        );
    }
    // At the root nothing says where such a value ends.
    let bytes = to_vec(&swallows()).unwrap();
    for error in [
        refused(from_slice::<Swallows>(&bytes)),
        refused(take_from_slice::<Swallows>(&bytes)),
        refused(
            zeze_serialize::Deserializer::from_slice(&bytes)
                .into_iter::<Swallows>()
                .next()
                .unwrap(),
        ),
    ] {
        assert_eq!(
            error,
            "expected a value whose end is known, found one whose type ignores an error at byte 0x0"
        );
    }
    // Nor is the error of a value that is cut off forgotten.
    let cut = to_vec(&(1.5_f64, 7)).unwrap();
    assert!(from_slice::<Cut>(&cut[..7]).is_err());
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Cut(#[serde(deserialize_with = "lenient")] f64, i32);

/// A visitor that goes on after an error in a field.
#[derive(Debug, PartialEq)]
struct GoesOn(Option<Inner>, i32);

impl<'de> Deserialize<'de> for GoesOn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields(PhantomData<()>);
        impl<'de> Visitor<'de> for Fields {
            type Value = GoesOn;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("two fields")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<GoesOn, A::Error> {
                let first = seq.next_element().unwrap_or_default();
                Ok(GoesOn(first, seq.next_element()?.unwrap_or_default()))
            }
        }
        deserializer.deserialize_struct("GoesOn", &["inner", "number"], Fields(PhantomData))
    }
}

#[test]
fn a_visitor_may_go_on_after_an_error() {
    let bytes = to_vec(&(inner(), 7)).unwrap();
    assert_eq!(from_slice::<GoesOn>(&bytes).unwrap(), GoesOn(None, 7));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Parts {
    value: Value,
    list: Vec<Value>,
    raw: RawBean<'static>,
    unknown: Unknown,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Parts(Parts),
    Named { value: Value, raw: RawBean<'static> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Parts(Parts),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    id: i32,
    #[serde(flatten)]
    parts: Parts,
}

#[test]
fn values_are_whole_in_the_buffers_of_other_formats() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let bytes = rmp_serde::to_vec_named(value).unwrap();
        assert_eq!(&rmp_serde::from_slice::<T>(&bytes).unwrap(), value);
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
    }
    let value = || bean! { 1: 5, 3: ["a", "b"], 4: bean! { 2: 0.5 } };
    let parts = || Parts {
        value: value(),
        list: vec![Value::from(7), Value::from("0a"), value()],
        raw: RawBean::from_serialize(&value()).unwrap(),
        unknown: from_slice::<OnlyUnknown>(&to_vec(&value()).unwrap()).unwrap().unknown,
    };
    check(&parts());
    check(&Tagged::Parts(parts()));
    check(&Tagged::Named { value: Value::from("text"), raw: RawBean::default() });
    check(&Untagged::Parts(parts()));
    check(&Flat { id: 1, parts: parts() });
    let spoilt = rmp_serde::to_vec_named(&serde_json::json!({ "type": "Named" })).unwrap();
    assert!(rmp_serde::from_slice::<Tagged>(&spoilt).is_err());
    let error = serde_json::from_str::<Value>("\"0d00\"").unwrap_err();
    assert_eq!(error.to_string(), "expected a wire type of 0 to 12");
}

#[derive(Debug, Deserialize)]
struct OnlyUnknown {
    unknown: Unknown,
}
