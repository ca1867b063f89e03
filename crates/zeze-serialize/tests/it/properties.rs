//! What holds for all values.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use zeze_serialize::value::{Bean, Dynamic, List, Map};
use zeze_serialize::{
    Base, Kind, Options, Unknown, Value, Vector2, Vector3, Vector3Int, Vector4, from_slice,
    from_value, to_value, to_vec, wire,
};

fn int() -> impl Strategy<Value = i64> {
    // Every length as likely.
    (any::<i64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift)
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(&Kind::ALL[..])
}

fn value(kind: Kind, depth: u32) -> BoxedStrategy<Value> {
    let kind = match kind {
        Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic if depth == 0 => Kind::Int,
        kind => kind,
    };
    match kind {
        Kind::Int => int().prop_map(Value::Int).boxed(),
        Kind::Float => any::<u32>().prop_map(|bits| Value::Float(f32::from_bits(bits))).boxed(),
        Kind::Double => any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))).boxed(),
        Kind::Bytes => prop_oneof![
            any::<String>().prop_map(Value::from),
            any::<Vec<u8>>().prop_map(Value::Bytes),
        ]
        .boxed(),
        Kind::Vector2 => any::<[f32; 2]>().prop_map(|v| Vector2::from(v).into()).boxed(),
        Kind::Vector3 => any::<[f32; 3]>().prop_map(|v| Vector3::from(v).into()).boxed(),
        Kind::Vector4 => any::<[f32; 4]>().prop_map(|v| Vector4::from(v).into()).boxed(),
        Kind::Vector2Int => any::<[i64; 2]>().prop_map(Value::Vector2Int).boxed(),
        Kind::Vector3Int => any::<[i64; 3]>().prop_map(Value::Vector3Int).boxed(),
        Kind::List => self::kind()
            .prop_flat_map(move |kind| {
                let items = prop::collection::vec(value(kind, depth - 1), 0..20);
                items.prop_map(move |items| match items.first() {
                    Some(_) => items.into(),
                    None => List::new(kind, items).into(),
                })
            })
            .boxed(),
        Kind::Map => (self::kind(), self::kind())
            .prop_flat_map(move |(key, of)| {
                let entry = (value(key, depth - 1), value(of, depth - 1));
                prop::collection::vec(entry, 0..6).prop_map(move |entries| match entries.first() {
                    Some(_) => entries.into(),
                    None => Map::new(key, of, entries).into(),
                })
            })
            .boxed(),
        Kind::Bean => bean(depth - 1).prop_map(Value::from).boxed(),
        Kind::Dynamic => (int(), bean(depth - 1))
            .prop_map(|(type_id, bean)| Dynamic { type_id, bean }.into())
            .boxed(),
    }
}

fn bean(depth: u32) -> BoxedStrategy<Bean> {
    let id = prop_oneof![1..20_u32, 1..=0x7fff_ffff_u32];
    let field = (id, kind()).prop_flat_map(move |(id, kind)| (Just(id), value(kind, depth)));
    let fields = prop::collection::vec(field, 0..6);
    (fields, any::<bool>())
        .prop_map(|(fields, base)| {
            let mut bean: Bean = fields.into_iter().collect();
            if base {
                bean.set_base(Some(bean.iter().take(1).map(|(id, v)| (id, v.clone())).collect()));
            }
            bean
        })
        .boxed()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "0")]
    None,
    #[serde(rename = "3")]
    Number(i64),
    #[serde(rename = "4")]
    Text { text: String, more: Option<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    #[serde(rename = "2")]
    numbers: Vec<i64>,
    #[serde(rename = "40:text")]
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Parent {
    x: i32,
    y: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Typed {
    a: i8,
    b: u32,
    c: Option<i64>,
    d: Vec<Inner>,
    e: BTreeMap<i16, String>,
    f: (i32, Option<String>, [i64; 3]),
    g: Vec<Shape>,
    h: Option<Shape>,
    i: Vector3Int,
    j: Vec<Vec<bool>>,
    base: Base<Parent>,
}

/// Reads some fields, and keeps the others.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "2")]
    b: u32,
    #[serde(rename = "5")]
    e: BTreeMap<i16, String>,
    unknown: Unknown,
    base: Base<Parent>,
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::None),
        int().prop_map(Shape::Number),
        (any::<String>(), any::<Option<String>>())
            .prop_map(|(text, more)| Shape::Text { text, more }),
    ]
}

fn typed() -> impl Strategy<Value = Typed> {
    let inner = (prop::collection::vec(int(), 0..20), any::<String>())
        .prop_map(|(numbers, text)| Inner { numbers, text });
    let first =
        (any::<i8>(), any::<u32>(), any::<Option<i64>>(), prop::collection::vec(inner, 0..4));
    let second = (
        prop::collection::btree_map(any::<i16>(), any::<String>(), 0..4),
        (any::<i32>(), any::<Option<String>>(), any::<[i64; 3]>()),
        prop::collection::vec(shape(), 0..5),
        prop::option::of(shape()),
        any::<[i32; 3]>(),
        prop::collection::vec(prop::collection::vec(any::<bool>(), 0..4), 0..4),
    );
    (first, second, any::<i32>(), any::<String>()).prop_map(
        |((a, b, c, d), (e, f, g, h, i, j), x, y)| Typed {
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            i: i.into(),
            j,
            base: Base(Parent { x, y }),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn integers_come_back_and_are_as_short_as_can_be(value in int()) {
        let mut out = Vec::new();
        wire::write_int(&mut out, value);
        prop_assert_eq!(wire::read_int(&out).unwrap(), (value, &[][..]));
        let bits = 64 - (value ^ (value >> 63)).leading_zeros();
        prop_assert_eq!(out.len() as u32, ((bits + 7) / 7).min(9));
        for cut in 0..out.len() {
            prop_assert!(wire::read_int(&out[..cut]).is_err());
        }
        // The order of the numbers is the order of the bytes, but for the top bit.
        let next = value.saturating_add(1);
        let mut other = Vec::new();
        wire::write_int(&mut other, next);
        (out[0], other[0]) = (out[0] ^ 0x80, other[0] ^ 0x80);
        prop_assert!(out < other || value == i64::MAX);
    }

    #[test]
    fn unsigned_integers_come_back(value in (any::<u32>(), 0..32_u32).prop_map(|(v, s)| v >> s)) {
        let (mut out, mut long) = (Vec::new(), Vec::new());
        wire::write_uint(&mut out, value);
        wire::write_ulong(&mut long, value.into());
        prop_assert_eq!(&out, &long);
        prop_assert_eq!(wire::read_uint(&out).unwrap(), (value, &[][..]));
        prop_assert_eq!(wire::read_ulong(&out).unwrap(), (value.into(), &[][..]));
    }

    #[test]
    fn values_come_back(bean in bean(4)) {
        let value = Value::from(bean);
        // A list whose elements are of another type than it says cannot be written.
        if let Ok(bytes) = to_vec(&value) {
            let back: Value = from_slice(&bytes).unwrap();
            prop_assert_eq!(&back, &value);
            prop_assert_eq!(to_vec(&back).unwrap(), bytes.clone());
            prop_assert!(wire::skip(&bytes, Kind::Bean).unwrap().is_empty());
            from_slice::<IgnoredAny>(&bytes).unwrap();
            #[cfg(feature = "explain")]
            prop_assert!(zeze_serialize::explain(&bytes).error().is_none());
            let json = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value.clone());
            prop_assert_eq!(to_value(&value).unwrap(), value);
        }
    }

    #[test]
    fn types_come_back(typed in typed()) {
        let bytes = to_vec(&typed).unwrap();
        prop_assert_eq!(&from_slice::<Typed>(&bytes).unwrap(), &typed);
        prop_assert_eq!(&Options::new().strict(true).from_slice::<Typed>(&bytes).unwrap(), &typed);
        let value = to_value(&typed).unwrap();
        prop_assert_eq!(&from_slice::<Value>(&bytes).unwrap(), &value);
        prop_assert_eq!(&from_value::<Typed>(&value).unwrap(), &typed);
        prop_assert_eq!(to_vec(&value).unwrap(), bytes.clone());
        // What another version does not know comes back through it.
        let part: Part = from_slice(&bytes).unwrap();
        prop_assert_eq!(to_vec(&part).unwrap(), bytes);
    }

    #[test]
    fn skipping_is_as_reading(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let skipped = zeze_serialize::take_from_slice::<IgnoredAny>(&bytes);
        let read = zeze_serialize::take_from_slice::<Value>(&bytes);
        match (skipped, read) {
            (Ok((_, rest)), Ok((value, after))) => {
                prop_assert_eq!(rest, after);
                let again = to_vec(&value).unwrap();
                prop_assert_eq!(from_slice::<Value>(&again).unwrap(), value);
            }
            (Err(skipped), Err(read)) => {
                prop_assert_eq!(skipped.kind(), read.kind());
                prop_assert_eq!(skipped.offset(), read.offset());
            }
            (skipped, read) => prop_assert!(false, "{:?} and {:?}", skipped.is_ok(), read.is_ok()),
        }
    }
}
