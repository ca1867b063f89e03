//! Values as rows write them down, apart from any serializer.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use o3de_json::types::{
    Any, Asset, AssetId, AssetPath, Bytes, Color, EntityId, Enumeration as _, FixedMaxPath,
    FixedVec, LoadBehavior, Map, Matrix3x3, Matrix3x4, Matrix4x4, MultiMap, MultiSet, Name,
    Quaternion, RawValue, Refused, Set, Transform, Tuple, UnorderedMap, UnorderedSet, Uuid,
    Vector2, Vector3, Vector4,
};
use serde_json::Value as Json;

use crate::{Check, field};

/// A value of a row. The default is what the C++ constructor makes, for `T()` and for rows without
/// `initial`.
pub(crate) trait Logical: Clone + Default {
    /// The value that the row writes down.
    fn of(json: &Json) -> Check<Self>;

    /// As the row would write it down; without order where the type has none.
    fn show(&self) -> Json;
}

/// Whether two shown values are the same, numbers within a tolerance.
pub(crate) fn close(expected: &Json, found: &Json, tolerance: f64) -> bool {
    match (expected, found) {
        (Json::Number(a), Json::Number(b)) => {
            // Integers have no tolerance, and more digits than a double.
            a == b
                || a.is_f64()
                    && b.is_f64()
                    && a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| {
                        (a - b).abs() <= tolerance
                            && (tolerance > 0.0 || a.to_bits() == b.to_bits())
                    })
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b, tolerance))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| close(a, b, tolerance)))
        }
        (a, b) => a == b,
    }
}

/// Refuses members that the type does not have.
fn only(json: &Json, names: &[&str]) -> Check {
    let mut members = json.as_object().into_iter().flat_map(|members| members.keys());
    match members.find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("no field `{name}`")),
        None => Ok(()),
    }
}

fn wrong<T>(json: &Json, what: &str) -> Check<T> {
    Err(format!("{json} is not {what}"))
}

macro_rules! integer {
    ($($type:ident),+) => {$(
        impl Logical for $type {
            fn of(json: &Json) -> Check<Self> {
                let signed = json.as_i64().and_then(|value| $type::try_from(value).ok());
                let value = signed.or_else(|| $type::try_from(json.as_u64()?).ok());
                value.map_or_else(|| wrong(json, stringify!($type)), Ok)
            }

            fn show(&self) -> Json {
                (*self).into()
            }
        }
    )+};
}

integer!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Logical for bool {
    fn of(json: &Json) -> Check<Self> {
        json.as_bool().map_or_else(|| wrong(json, "a bool"), Ok)
    }

    fn show(&self) -> Json {
        (*self).into()
    }
}

impl Logical for f64 {
    fn of(json: &Json) -> Check<Self> {
        match json.as_str() {
            Some("NaN") => Ok(f64::NAN),
            _ => json.as_f64().map_or_else(|| wrong(json, "a number"), Ok),
        }
    }

    fn show(&self) -> Json {
        if self.is_nan() { "NaN".into() } else { (*self).into() }
    }
}

impl Logical for f32 {
    #[allow(clippy::cast_possible_truncation, reason = "a float of the row")]
    fn of(json: &Json) -> Check<Self> {
        f64::of(json).map(|value| value as f32)
    }

    fn show(&self) -> Json {
        f64::from(*self).show()
    }
}

impl Logical for String {
    fn of(json: &Json) -> Check<Self> {
        json.as_str().map_or_else(|| wrong(json, "text"), |text| Ok(text.to_owned()))
    }

    fn show(&self) -> Json {
        self.as_str().into()
    }
}

/// Types that are written down as what is in them.
macro_rules! newtypes {
    ($($type:ident),+) => {$(
        impl Logical for $type {
            fn of(json: &Json) -> Check<Self> {
                Logical::of(json).map($type)
            }

            fn show(&self) -> Json {
                self.0.show()
            }
        }
    )+};
}

pub(super) use newtypes;

newtypes!(AssetPath, FixedMaxPath, Name, Bytes, Matrix3x3, Matrix3x4, Matrix4x4);

/// Its number, or its alias.
impl Logical for EntityId {
    fn of(json: &Json) -> Check<Self> {
        match json.as_str() {
            Some(alias) => Ok(EntityId::Alias(alias.to_owned())),
            None => Logical::of(json).map(EntityId::Id),
        }
    }

    fn show(&self) -> Json {
        match self {
            EntityId::Id(id) => id.show(),
            EntityId::Alias(alias) => alias.show(),
        }
    }
}

/// As it is written, `loadBehavior` null where nothing is said.
impl Logical for Asset {
    fn of(json: &Json) -> Check<Self> {
        only(json, &["assetId", "loadBehavior", "assetHint"])?;
        let id = field(json, "assetId")?;
        only(id, &["guid", "subId"])?;
        let behavior = json.get("loadBehavior").and_then(Json::as_str);
        let bits = behavior.and_then(|name| LoadBehavior::INFO.value_of(name));
        if behavior.is_some() && bits.is_none() {
            return wrong(json, "an asset");
        }
        Ok(Asset {
            id: AssetId {
                guid: Logical::of(field(id, "guid")?)?,
                sub_id: Logical::of(field(id, "subId")?)?,
            },
            load_behavior: bits.and_then(LoadBehavior::from_bits),
            hint: Logical::of(field(json, "assetHint")?)?,
        })
    }

    fn show(&self) -> Json {
        let behavior = self.load_behavior.map(|own| LoadBehavior::INFO.name_of(own.to_bits()));
        serde_json::json!({
            "assetId": { "guid": self.id.guid.show(), "subId": self.id.sub_id },
            "loadBehavior": behavior.flatten(),
            "assetHint": self.hint,
        })
    }
}

impl Logical for Uuid {
    fn of(json: &Json) -> Check<Self> {
        let uuid = json.as_str().filter(|text| text.len() == 38).and_then(Uuid::find);
        uuid.map_or_else(|| wrong(json, "a UUID"), Ok)
    }

    fn show(&self) -> Json {
        self.to_string().into()
    }
}

impl Logical for Any {
    fn of(json: &Json) -> Check<Self> {
        if json.is_null() {
            return Ok(Any(None));
        }
        only(json, &["$type", "value"])?;
        let value = RawValue::new(&field(json, "value")?.to_string());
        let value = value.map_err(|error| error.to_string())?;
        Ok(Any::new(String::of(field(json, "$type")?)?, value))
    }

    fn show(&self) -> Json {
        match &self.0 {
            None => Json::Null,
            Some((name, value)) => {
                let value = serde_json::from_str(value.get()).unwrap_or(Json::Null);
                serde_json::json!({ "$type": name, "value": value })
            }
        }
    }
}

/// The type has no value that could be told from another.
impl<T: Clone> Logical for Refused<T> {
    fn of(_: &Json) -> Check<Self> {
        Ok(Refused::new())
    }

    fn show(&self) -> Json {
        Json::Null
    }
}

fn elements<T: Logical>(json: &Json) -> Check<Vec<T>> {
    let items = json.as_array().map_or_else(|| wrong(json, "an array"), Ok)?;
    items.iter().map(T::of).collect()
}

fn shown<'a, T: Logical + 'a>(items: impl IntoIterator<Item = &'a T>) -> Json {
    items.into_iter().map(T::show).collect()
}

/// In an order that only depends on the elements.
fn unordered(json: Json) -> Json {
    match json {
        Json::Array(mut items) => {
            items.sort_by_cached_key(Json::to_string);
            items.into()
        }
        other => other,
    }
}

impl<T: Logical> Logical for Vec<T> {
    fn of(json: &Json) -> Check<Self> {
        elements(json)
    }

    fn show(&self) -> Json {
        shown(self)
    }
}

impl<T: Logical, const N: usize> Logical for FixedVec<T, N> {
    fn of(json: &Json) -> Check<Self> {
        elements(json).map(FixedVec)
    }

    fn show(&self) -> Json {
        shown(&self.0)
    }
}

macro_rules! unordered_set {
    ($($type:ident: $($bound:path),+;)+) => {$(
        impl<T: Logical $(+ $bound)+> Logical for $type<T> {
            fn of(json: &Json) -> Check<Self> {
                elements(json).map(|items: Vec<T>| items.into_iter().collect())
            }

            fn show(&self) -> Json {
                unordered(shown(self.iter()))
            }
        }
    )+};
}

unordered_set! {
    Set: PartialEq;
    UnorderedSet: PartialEq;
    MultiSet: PartialEq;
}

impl<T: Logical, const N: usize> Logical for [T; N]
where
    [T; N]: Default,
{
    fn of(json: &Json) -> Check<Self> {
        let items: Vec<T> = elements(json)?;
        items.try_into().or_else(|_| wrong(json, "an array of the right length"))
    }

    fn show(&self) -> Json {
        shown(self)
    }
}

impl<T: Logical> Logical for Tuple<T> {
    fn of(json: &Json) -> Check<Self> {
        T::of(json).map(Tuple)
    }

    fn show(&self) -> Json {
        self.0.show()
    }
}

macro_rules! tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Logical),+> Logical for ($($name,)+) {
            fn of(json: &Json) -> Check<Self> {
                let parts = json.as_array().map_or(0, Vec::len);
                if parts != [$($index),+].len() {
                    return wrong(json, "a tuple of this length");
                }
                let part = |index: usize| json.get(index).map_or_else(|| wrong(json, "a tuple"), Ok);
                Ok(($($name::of(part($index)?)?,)+))
            }

            fn show(&self) -> Json {
                vec![$(self.$index.show()),+].into()
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

impl<T: Logical> Logical for Option<T> {
    fn of(json: &Json) -> Check<Self> {
        if json.is_null() { Ok(None) } else { T::of(json).map(Some) }
    }

    fn show(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::show)
    }
}

macro_rules! map {
    ($($type:ident $show:ident: $($bound:path),*;)+) => {$(
        impl<K: Logical $(+ $bound)*, V: Logical> Logical for $type<K, V> {
            fn of(json: &Json) -> Check<Self> {
                elements(json).map(|entries: Vec<(K, V)>| entries.into_iter().collect())
            }

            fn show(&self) -> Json {
                map!(@$show self.iter().map(|entry| vec![entry.0.show(), entry.1.show()]).collect())
            }
        }
    )+};
    (@ordered $entries:expr) => { $entries };
    (@sorted $entries:expr) => { unordered($entries) };
}

map! {
    BTreeMap ordered: Ord;
    Map sorted: PartialEq;
    HashMap sorted: Eq, Hash;
    UnorderedMap sorted: PartialEq;
    MultiMap sorted: PartialEq;
}

macro_rules! vector {
    ($($type:ident { $($field:ident),+ })+) => {$(
        impl Logical for $type {
            fn of(json: &Json) -> Check<Self> {
                let [$($field),+] = Logical::of(json)?;
                Ok($type { $($field),+ })
            }

            fn show(&self) -> Json {
                self.to_array().show()
            }
        }
    )+};
}

vector! {
    Vector2 { x, y }
    Vector3 { x, y, z }
    Vector4 { x, y, z, w }
    Quaternion { x, y, z, w }
    Color { r, g, b, a }
}

impl Logical for Transform {
    fn of(json: &Json) -> Check<Self> {
        only(json, &["Translation", "Rotation", "Scale"])?;
        Ok(Transform {
            translation: Logical::of(field(json, "Translation")?)?,
            rotation: Logical::of(field(json, "Rotation")?)?,
            scale: Logical::of(field(json, "Scale")?)?,
        })
    }

    fn show(&self) -> Json {
        serde_json::json!({
            "Translation": self.translation.show(),
            "Rotation": self.rotation.show(),
            "Scale": self.scale.show(),
        })
    }
}
