//! Arbitrary values for proptest: every type, odd floats, nested containers of all kinds.

use godot_variant::types::{ElementType, Type};
use godot_variant::value::{
    Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary,
};
use godot_variant::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// What may be in the values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    /// Whole objects instead of ids, and containers of any class and script.
    pub(crate) objects: bool,
    /// 64-bit components beside 32-bit ones.
    pub(crate) wide: bool,
    /// Signalling NaNs, which no conversion between widths keeps.
    pub(crate) signalling: bool,
}

impl Kinds {
    pub(crate) const ALL: Kinds = Kinds { objects: true, wide: true, signalling: true };
    pub(crate) const BY_ID: Kinds = Kinds { objects: false, ..Kinds::ALL };
    pub(crate) const NARROW: Kinds = Kinds { objects: true, wide: false, signalling: false };
}

/// Values of up to 6 levels that are read back as they were written.
pub(crate) fn value(kinds: Kinds) -> impl Strategy<Value = Value> {
    any_leaf(kinds).prop_recursive(6, 48, 5, move |inner| {
        let pairs = vec((inner.clone(), inner.clone()), 0..5);
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            pairs.clone().prop_map(|pairs| Dictionary::from(pairs).into()),
            typed_array(kinds, inner.clone()),
            typed_dictionary(kinds, inner.clone()),
            object(kinds, inner),
        ]
    })
}

fn any_leaf(kinds: Kinds) -> BoxedStrategy<Value> {
    proptest::sample::select(Type::ALL.to_vec())
        .prop_flat_map(move |kind| leaf(kind, kinds))
        .boxed()
}

/// Text as the engine keeps it: no NUL, no byte order mark in front.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[ -~]{0,40}",
        "\\PC{0,12}",
        vec(any::<char>(), 0..12).prop_map(|chars| chars.into_iter().collect::<String>()),
    ]
    .prop_map(|text| text.replace('\0', "0").trim_start_matches('\u{feff}').to_owned())
}

fn name() -> impl Strategy<Value = GString> {
    text().prop_map(GString::from)
}

fn single(kinds: Kinds) -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>(),
        any::<u32>().prop_map(f32::from_bits),
        proptest::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::MAX,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::from_bits(0x7f80_0001),
            f32::from_bits(0xffc0_0001),
        ]),
    ]
    .prop_map(move |value| match value.is_nan() && !kinds.signalling {
        true => f32::from_bits(value.to_bits() | 0x0040_0000),
        false => value,
    })
}

fn double() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        any::<f32>().prop_map(f64::from),
        any::<u64>().prop_map(f64::from_bits),
        proptest::sample::select(vec![
            0.0,
            -0.0,
            0.1,
            1e40,
            -1e300,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::from_bits(0x7ff0_0000_0000_0001),
            16_777_217.0,
        ]),
    ]
}

fn int() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        any::<i32>().prop_map(i64::from),
        proptest::sample::select(vec![
            0,
            -1,
            i64::MIN,
            i64::MAX,
            i32::MIN.into(),
            i32::MAX.into(),
            1 << 31,
            -(1 << 31) - 1,
        ]),
    ]
}

macro_rules! math {
    ($kinds:ident, $name:ident) => {{
        let narrow = components(single($kinds)).prop_map(|c| Value::from($name::<f32>::from(c)));
        let wide = components(double()).prop_map(|c| Value::from($name::<f64>::from(c)));
        if $kinds.wide { prop_oneof![narrow, wide].boxed() } else { narrow.boxed() }
    }};
}

macro_rules! packed {
    ($kinds:ident, $name:ident) => {{
        let narrow = vec(components(single($kinds)), 0..4)
            .prop_map(|rows| Value::from($name::<f32>(rows.into_iter().map(Into::into).collect())));
        let wide = vec(components(double()), 0..4)
            .prop_map(|rows| Value::from($name::<f64>(rows.into_iter().map(Into::into).collect())));
        if $kinds.wide { prop_oneof![narrow, wide].boxed() } else { narrow.boxed() }
    }};
}

fn components<T: Copy + std::fmt::Debug, const N: usize>(
    one: impl Strategy<Value = T>,
) -> impl Strategy<Value = [T; N]> {
    vec(one, N).prop_map(|all| std::array::from_fn(|at| all[at]))
}

/// A value of one type without others inside; containers are empty.
fn leaf(kind: Type, kinds: Kinds) -> BoxedStrategy<Value> {
    match kind {
        Type::Nil => Just(Value::Nil).boxed(),
        Type::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Type::Int => int().prop_map(Value::from).boxed(),
        Type::Float => double().prop_map(Value::from).boxed(),
        Type::String => text().prop_map(Value::from).boxed(),
        Type::StringName => text().prop_map(|text| StringName::from(text).into()).boxed(),
        Type::Vector2i => components(any::<i32>()).prop_map(|c| Vector2i::from(c).into()).boxed(),
        Type::Rect2i => components(any::<i32>()).prop_map(|c| Rect2i::from(c).into()).boxed(),
        Type::Vector3i => components(any::<i32>()).prop_map(|c| Vector3i::from(c).into()).boxed(),
        Type::Vector4i => components(any::<i32>()).prop_map(|c| Vector4i::from(c).into()).boxed(),
        Type::Vector2 => math!(kinds, Vector2),
        Type::Rect2 => math!(kinds, Rect2),
        Type::Vector3 => math!(kinds, Vector3),
        Type::Transform2D => math!(kinds, Transform2D),
        Type::Vector4 => math!(kinds, Vector4),
        Type::Plane => math!(kinds, Plane),
        Type::Quaternion => math!(kinds, Quaternion),
        Type::Aabb => math!(kinds, Aabb),
        Type::Basis => math!(kinds, Basis),
        Type::Transform3D => math!(kinds, Transform3D),
        Type::Projection => math!(kinds, Projection),
        Type::Color => components(single(kinds)).prop_map(|c| Color::<f32>::from(c).into()).boxed(),
        Type::NodePath => (any::<bool>(), vec(name(), 0..4), vec(name(), 0..3))
            .prop_map(|(absolute, names, subnames)| NodePath { absolute, names, subnames }.into())
            .boxed(),
        Type::Rid => any::<u64>().prop_map(|id| Rid(id).into()).boxed(),
        Type::Object if kinds.objects => {
            class().prop_map(|class| Instance { class, properties: vec![] }.into()).boxed()
        }
        Type::Object => (1..=u64::MAX).prop_map(|id| ObjectId(id).into()).boxed(),
        Type::Callable => Just(Value::from(Callable)).boxed(),
        Type::Signal => (text(), any::<u64>())
            .prop_map(|(name, id)| Signal { name: name.into(), object: ObjectId(id) }.into())
            .boxed(),
        Type::Dictionary => Just(Value::from(Dictionary::new())).boxed(),
        Type::Array => Just(Value::from(Array::new())).boxed(),
        Type::PackedByteArray => {
            vec(any::<u8>(), 0..9).prop_map(|v| PackedByteArray(v).into()).boxed()
        }
        Type::PackedInt32Array => {
            vec(any::<i32>(), 0..5).prop_map(|v| PackedInt32Array(v).into()).boxed()
        }
        Type::PackedInt64Array => {
            vec(any::<i64>(), 0..5).prop_map(|v| PackedInt64Array(v).into()).boxed()
        }
        Type::PackedFloat32Array => {
            vec(single(kinds), 0..5).prop_map(|v| PackedFloat32Array(v).into()).boxed()
        }
        Type::PackedFloat64Array => {
            vec(double(), 0..5).prop_map(|v| PackedFloat64Array(v).into()).boxed()
        }
        Type::PackedStringArray => {
            vec(name(), 0..5).prop_map(|v| PackedStringArray(v).into()).boxed()
        }
        Type::PackedVector2Array => packed!(kinds, PackedVector2Array),
        Type::PackedVector3Array => packed!(kinds, PackedVector3Array),
        Type::PackedVector4Array => packed!(kinds, PackedVector4Array),
        Type::PackedColorArray => vec(components(single(kinds)), 0..4)
            .prop_map(|rows| {
                PackedColorArray::<f32>(rows.into_iter().map(Into::into).collect()).into()
            })
            .boxed(),
    }
}

fn class() -> impl Strategy<Value = GString> {
    prop_oneof!["[A-Z][a-z]{0,9}", text()]
        .prop_map(|name| if name.is_empty() { "Empty".into() } else { name.into() })
}

fn script() -> impl Strategy<Value = GString> {
    text().prop_map(|path| GString::from(format!("res://{path}")))
}

fn object(
    kinds: Kinds,
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> BoxedStrategy<Value> {
    if !kinds.objects {
        return leaf(Type::Object, kinds);
    }
    let property = (name(), inner).prop_filter("a script is a path", |(name, _)| *name != "script");
    (class(), vec(property, 0..4), prop::option::of((script(), 0_usize..4)))
        .prop_map(|(class, mut properties, script)| {
            if let Some((path, at)) = script {
                let at = at.min(properties.len());
                properties.insert(at, ("script".into(), Value::String(path)));
            }
            Instance { class, properties }.into()
        })
        .boxed()
}

/// A type of elements, and values that fit it.
fn element(
    kinds: Kinds,
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> BoxedStrategy<(ElementType, BoxedStrategy<Value>)> {
    let builtin = proptest::sample::select(Type::ALL[1..].to_vec())
        .prop_filter("objects have a class", |kind| *kind != Type::Object)
        .prop_map(move |kind| {
            let inner = inner.clone();
            let values = match kind {
                Type::Array => vec(inner, 0..3).prop_map(Value::from).boxed(),
                Type::Dictionary => vec((inner.clone(), inner), 0..3)
                    .prop_map(|pairs| Dictionary::from(pairs).into())
                    .boxed(),
                kind => leaf(kind, kinds),
            };
            (ElementType::Builtin(kind), values)
        });
    let objects = move || prop_oneof![Just(Value::Nil), leaf(Type::Object, kinds)].boxed();
    let by_id = Just(()).prop_map(move |()| {
        (ElementType::Class(ElementType::ENCODED_OBJECT_AS_ID.into()), objects())
    });
    if !kinds.objects {
        return prop_oneof![builtin, by_id].boxed();
    }
    let of_class = class().prop_map(move |class| (ElementType::Class(class), objects()));
    let of_script = script().prop_map(move |path| {
        let own = Value::String(path.clone());
        let scripted = class().prop_map(move |class| {
            Instance { class, properties: vec![("script".into(), own.clone())] }.into()
        });
        (ElementType::Script(path), prop_oneof![Just(Value::Nil), scripted].boxed())
    });
    let plain = Just(()).prop_map(move |()| (ElementType::Builtin(Type::Object), objects()));
    prop_oneof![6 => builtin, 1 => of_class, 1 => of_script, 1 => plain].boxed()
}

fn typed_array(
    kinds: Kinds,
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> BoxedStrategy<Value> {
    element(kinds, inner)
        .prop_flat_map(|(element, values)| {
            vec(values, 0..4).prop_map(move |items| {
                TypedArray { element: element.clone(), items: items.into() }.into()
            })
        })
        .boxed()
}

fn typed_dictionary(
    kinds: Kinds,
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> BoxedStrategy<Value> {
    let side = prop::option::of(element(kinds, inner.clone()));
    (side.clone(), side)
        .prop_filter("typed on one side", |(key, value)| key.is_some() || value.is_some())
        .prop_flat_map(move |(key, value)| {
            let inner = inner.clone().boxed();
            let (key, keys) = key.unwrap_or((ElementType::Any, inner.clone()));
            // The values of a typed dictionary are not checked by the engine.
            let value = value.map_or(ElementType::Any, |(value, _)| value);
            vec((keys, inner), 0..4).prop_map(move |pairs| {
                let (key, value) = (key.clone(), value.clone());
                TypedDictionary { key, value, entries: pairs.into() }.into()
            })
        })
        .boxed()
}

/// Whether 64-bit components are in a value.
pub(crate) fn is_wide(value: &Value) -> bool {
    matches!(value, Value::Real64(_))
        || value.as_array().is_some_and(|items| items.iter().any(is_wide))
        || value
            .as_dictionary()
            .is_some_and(|entries| entries.iter().any(|(k, v)| is_wide(k) || is_wide(v)))
        || matches!(value, Value::Object(Object::Instance(instance))
            if instance.properties.iter().any(|(_, value)| is_wide(value)))
}

/// A colour with 64-bit channels, which only the published page has.
pub(crate) fn is_wide_color(value: &Value) -> bool {
    matches!(value, Value::Real64(real) if matches!(**real, Real64::Color(_)))
}
