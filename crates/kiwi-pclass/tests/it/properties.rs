//! Random values through every mode, flag and layer.

use std::sync::Arc;

use kiwi_pclass::schema::{Class, Kind, Property};
use kiwi_pclass::types::{
    Color, Euler, Matrix3x3, Point, Quaternion, Rect, SerializerFlags, Size, Vector3D,
};
use kiwi_pclass::value::Object;
use kiwi_pclass::*;
use proptest::prelude::*;

use crate::support::types;

/// A random object of a class of the vectors.
fn object(class: Arc<Class>, depth: u32) -> BoxedStrategy<Value> {
    let fields: Vec<BoxedStrategy<(String, Option<Value>)>> = class
        .properties()
        .iter()
        .map(|property| {
            let name = property.name().to_owned();
            let value = value(property.clone(), depth);
            let value = match property.is_delta() {
                true => prop::option::of(value).boxed(),
                false => value.prop_map(Some).boxed(),
            };
            value.prop_map(move |value| (name.clone(), value)).boxed()
        })
        .collect();
    fields
        .prop_map(move |fields| {
            let mut object = Object::new(Arc::clone(&class));
            for (name, value) in fields {
                if let Some(value) = value {
                    object.set(&name, value).unwrap();
                }
            }
            object.into()
        })
        .boxed()
}

fn value(property: Property, depth: u32) -> BoxedStrategy<Value> {
    if !property.is_list() {
        return one(&property, depth);
    }
    let item = one(&property, depth);
    let items = prop::collection::vec(item, 0..5);
    match property.kind() {
        Kind::Bool => prop::collection::vec(any::<bool>(), 0..200).prop_map(Value::from).boxed(),
        Kind::Bits { width: 1..=7, .. } => items
            .prop_map(|items| {
                let items = items.iter().map(|item| item.as_i64().unwrap() as i8);
                Value::SmallInts(items.collect())
            })
            .boxed(),
        _ => items.prop_map(Value::from).boxed(),
    }
}

fn one(property: &Property, depth: u32) -> BoxedStrategy<Value> {
    use kiwi_pclass::schema::Scalar;
    let scalar = |scalar: Scalar| match scalar {
        Scalar::I8 => any::<i8>().prop_map(Value::from).boxed(),
        Scalar::U8 => any::<u8>().prop_map(Value::from).boxed(),
        Scalar::I16 => any::<i16>().prop_map(Value::from).boxed(),
        Scalar::U16 => any::<u16>().prop_map(Value::from).boxed(),
        Scalar::I32 => any::<i32>().prop_map(Value::from).boxed(),
        Scalar::U32 => any::<u32>().prop_map(Value::from).boxed(),
        Scalar::I64 => any::<i64>().prop_map(Value::from).boxed(),
        Scalar::U64 => any::<u64>().prop_map(Value::from).boxed(),
        Scalar::F32 => any::<f32>().prop_map(Value::from).boxed(),
        Scalar::F64 => any::<f64>().prop_map(Value::from).boxed(),
    };
    let floats = || any::<[f32; 4]>();
    match property.kind() {
        Kind::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Kind::Scalar(kind) => scalar(*kind),
        Kind::Bits { width, signed: false } => {
            let width = *width;
            any::<u32>()
                .prop_map(move |v| Value::UInt(u64::from(v & (u32::MAX >> (32 - width)))))
                .boxed()
        }
        Kind::Bits { width, signed: true } => {
            let spare = 32 - *width;
            any::<i32>().prop_map(move |v| Value::Int(i64::from((v << spare) >> spare))).boxed()
        }
        Kind::String => {
            prop::collection::vec(any::<u8>(), 0..200).prop_map(|b| Value::from(&b[..])).boxed()
        }
        Kind::WString => prop::collection::vec(any::<u16>(), 0..100)
            .prop_map(|units| Value::WString(units.into()))
            .boxed(),
        Kind::Color => {
            any::<[u8; 4]>().prop_map(|[r, g, b, a]| Color::new(r, g, b, a).into()).boxed()
        }
        Kind::Vector3D => floats().prop_map(|[x, y, z, _]| Vector3D::new(x, y, z).into()).boxed(),
        Kind::Quaternion => {
            floats().prop_map(|[w, x, y, z]| Quaternion::new(w, x, y, z).into()).boxed()
        }
        Kind::Euler => floats().prop_map(|[p, y, r, _]| Euler::new(p, y, r).into()).boxed(),
        Kind::Matrix3x3 => {
            any::<[[f32; 3]; 3]>().prop_map(|[i, j, k]| Matrix3x3::new(i, j, k).into()).boxed()
        }
        Kind::Size(kind) => (scalar(*kind), scalar(*kind))
            .prop_map(|(a, b)| Value::Size(Box::new(Size::new(a, b))))
            .boxed(),
        Kind::Point(kind) => (scalar(*kind), scalar(*kind))
            .prop_map(|(a, b)| Value::Point(Box::new(Point::new(a, b))))
            .boxed(),
        Kind::Rect(kind) => (scalar(*kind), scalar(*kind), scalar(*kind), scalar(*kind))
            .prop_map(|(a, b, c, d)| Value::Rect(Box::new(Rect::new(a, b, c, d))))
            .boxed(),
        Kind::Enum => any::<u32>().prop_map(Value::Enum).boxed(),
        Kind::Object => {
            let leaf = types().class("class TvLeafEx").unwrap().clone();
            if depth == 0 {
                return prop_oneof![Just(Value::Null), object(leaf, 0)].boxed();
            }
            let rec = types().class("class TvRec").unwrap().clone();
            prop_oneof![Just(Value::Null), object(leaf, 0), object(rec, depth - 1)].boxed()
        }
        other => panic!("{other:?} is in no class of the vectors"),
    }
}

fn any_object() -> impl Strategy<Value = Value> {
    const CLASSES: [&str; 9] = [
        "TvPrims", "TvBits", "TvStr", "TvGeo", "TvEnum", "TvPtr", "TvLists", "TvDelta", "TvHolder",
    ];
    prop::sample::select(CLASSES.to_vec())
        .prop_flat_map(|name| object(types().class(&format!("class {name}")).unwrap().clone(), 2))
}

/// Two objects of one class; what may be left out is there in the second if it is in the first.
fn two_objects() -> impl Strategy<Value = (Value, Value)> {
    const CLASSES: [&str; 4] = ["TvPrims", "TvGeo", "TvPtr", "TvDelta"];
    prop::sample::select(CLASSES.to_vec()).prop_flat_map(|name| {
        let class = types().class(&format!("class {name}")).unwrap().clone();
        (object(Arc::clone(&class), 1), object(class, 1), any::<u64>()).prop_map(
            |(a, mut b, same)| {
                // Some properties stay as they are.
                let (old, new) = (a.as_object().unwrap(), b.as_object_mut().unwrap());
                for (at, (name, value)) in old.iter().enumerate() {
                    if same >> (at % 64) & 1 != 0 || new.get(name).is_none() {
                        new.set(name, value.clone()).unwrap();
                    }
                }
                (a, b)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Bytes are compared, because a NaN is not equal to itself.
    #[test]
    fn values_round_trip(
        value in any_object(),
        deep in any::<bool>(),
        flags in 0u32..16,
        manual in any::<bool>(),
        bind in any::<bool>(),
    ) {
        let mode = if deep { Mode::Deep } else { Mode::Shallow };
        let options = Options::new()
            .mode(mode)
            .flags(SerializerFlags(flags))
            .manual_compression(manual)
            .bind(bind && deep)
            .schema(types());
        let bytes = options.to_vec(&value).unwrap();
        let read: Value = options.from_slice(&bytes).unwrap();
        prop_assert_eq!(format!("{read:?}"), format!("{value:?}"));
        prop_assert_eq!(&options.to_vec(&read).unwrap(), &bytes);
        let explanation = options.explain(&bytes);
        prop_assert!(explanation.error().is_none());
        // JSON and the Rust type system's own way give the same.
        let json = json::from_str(&json::to_string(&value).unwrap(), &options).unwrap();
        prop_assert_eq!(&options.to_vec(&json).unwrap(), &bytes);
        let through: Value = options.from_value(&options.to_value(&value).unwrap()).unwrap();
        prop_assert_eq!(&options.to_vec(&through).unwrap(), &bytes);
    }

    /// Whatever is accepted is written back to something that reads the same.
    #[test]
    fn accepted_bytes_are_written_back(value in any_object(), flip in any::<(usize, u8)>(), deep in any::<bool>()) {
        let mode = if deep { Mode::Deep } else { Mode::Shallow };
        let options = Options::new().mode(mode).schema(types()).unknown(Unknown::Keep);
        let mut bytes = options.to_vec(&value).unwrap();
        let at = flip.0 % bytes.len();
        bytes[at] ^= flip.1;
        if let Ok(read) = options.from_slice::<Value>(&bytes) {
            let written = options.to_vec(&read).unwrap();
            let again: Value = options.from_slice(&written).unwrap();
            prop_assert_eq!(format!("{again:?}"), format!("{read:?}"));
            prop_assert_eq!(written.len(), bytes.len());
        }
    }

    /// `apply(diff(a, b), a)` is `b`, also by way of a message, and says no more than it must.
    #[test]
    fn deltas_make_the_new_object_of_the_old_one((old, new) in two_objects(), deep in any::<bool>()) {
        let mode = if deep { Mode::Deep } else { Mode::Shallow };
        let options = Options::new().mode(mode).schema(types());
        let delta = old.diff(&new, mode).unwrap();
        let (before, after) = (old.as_object().unwrap(), new.as_object().unwrap());
        for field in delta.as_object().unwrap().fields() {
            let property = after.property_of(field).unwrap();
            let bits = |value: Option<&Value>| format!("{value:?}");
            let has_changed = bits(before.get(property.name())) != bits(Some(&field.value));
            let must = mode == Mode::Shallow && !property.is_delta();
            prop_assert!(has_changed || must);
        }
        let sent: Value = options.from_slice(&options.to_vec(&delta).unwrap()).unwrap();
        for delta in [delta, sent] {
            let mut made = old.clone();
            made.apply(&delta).unwrap();
            // By bytes, because a NaN is not equal to itself.
            prop_assert_eq!(format!("{made:?}"), format!("{new:?}"));
            prop_assert_eq!(options.to_vec(&made).unwrap(), options.to_vec(&new).unwrap());
        }
        let nothing = new.diff(&new, Mode::Deep).unwrap();
        prop_assert!(nothing.as_object().unwrap().fields().is_empty());
    }
}
