//! How the engine's types pass through serde.
//!
//! Each is a newtype with a reserved name. This crate's serializer and deserializer know the names
//! and use the native type; other formats see what is inside: a sequence, a number or text.

use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde_core::Deserialize;
use serde_core::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::Value;
use crate::options::{Dialect, Options, Precision};
use crate::types::*;
use crate::value::Object;

/// The type that a newtype with a reserved name stands for.
///
/// Types of this crate pass through serde as newtypes, whose names its serializer and deserializer
/// know. Those of other crates have to let such newtypes through only if they are to be read as what
/// is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Native {
    /// Passes as a whole.
    Whole(Type),
    /// [`Value`].
    Any,
    /// [`StringName`].
    StringName,
    /// Components; whether they are 64 bits wide.
    Math(Type, bool),
    /// Elements of fixed size; whether the components are 64 bits wide.
    Packed(Type, bool),
    /// The type of the elements.
    TypedArray(Option<Type>),
    /// The key type; the value type follows as the newtype inside.
    TypedKey(Option<Type>),
    /// The type of the values.
    TypedValue(Option<Type>),
}

const PREFIX: &str = "$godot_variant::";

/// The one key of the map that stands for a native type in serde's buffers.
pub(crate) const TAG: &str = "$godot_variant";

/// A reserved name, as a literal.
macro_rules! name {
    ($($part:expr),+) => { concat!("$godot_variant::", $($part),+) };
}

macro_rules! typed_names {
    ($($kind:ident),+ $(,)?) => {
        const fn typed_array(kind: Option<Type>) -> &'static str {
            match kind {
                None => name!("TypedArray"),
                $(Some(Type::$kind) => name!("TypedArray:", stringify!($kind)),)+
            }
        }
        const fn typed_key(kind: Option<Type>) -> &'static str {
            match kind {
                None => name!("TypedKey"),
                $(Some(Type::$kind) => name!("TypedKey:", stringify!($kind)),)+
            }
        }
        const fn typed_value(kind: Option<Type>) -> &'static str {
            match kind {
                None => name!("TypedValue"),
                $(Some(Type::$kind) => name!("TypedValue:", stringify!($kind)),)+
            }
        }
        fn type_in_name(name: &str) -> Option<Type> {
            match name {
                $(stringify!($kind) => Some(Type::$kind),)+
                _ => None,
            }
        }
    };
}

typed_names! {
    Nil, Bool, Int, Float, String, Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D,
    Vector4, Vector4i, Plane, Quaternion, Aabb, Basis, Transform3D, Projection, Color, StringName,
    NodePath, Rid, Object, Callable, Signal, Dictionary, Array, PackedByteArray, PackedInt32Array,
    PackedInt64Array, PackedFloat32Array, PackedFloat64Array, PackedStringArray, PackedVector2Array,
    PackedVector3Array, PackedColorArray, PackedVector4Array,
}

impl Native {
    /// `None` for the newtypes of users.
    #[inline]
    pub fn from_name(name: &'static str) -> Option<Native> {
        Native::from_own_name(name.strip_prefix(PREFIX)?)
    }

    fn from_own_name(name: &'static str) -> Option<Native> {
        let (name, wide) = match name.strip_suffix(":f64") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (name, inner) = match name.split_once(':') {
            Some((name, kind)) => (name, type_in_name(kind)),
            None => (name, None),
        };
        Some(match name {
            "Value" => Native::Any,
            "StringName" => Native::StringName,
            "TypedArray" => Native::TypedArray(inner),
            "TypedKey" => Native::TypedKey(inner),
            "TypedValue" => Native::TypedValue(inner),
            name => match type_in_name(name)? {
                kind if kind.components() > 0 => Native::Math(kind, wide),
                kind if kind.is_row() => Native::Packed(kind, wide),
                kind => Native::Whole(kind),
            },
        })
    }
}

/// The settings that stand before an encoded variant in serde's buffers.
pub(crate) fn tag_settings(options: &Options) -> u64 {
    let dialect = options.dialect as u64;
    let precision = options.precision as u64;
    let objects = u64::from(options.allow_objects) << 8;
    let in_memory = u64::from(options.in_memory) << 9;
    dialect | precision << 4 | objects | in_memory | seal()
}

/// The upper bits of the settings, which no input can know: a dictionary with the tag as its key is
/// not one of ours.
fn seal() -> u64 {
    static SEAL: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(TAG) & !0xffff);
    *SEAL
}

fn untag_settings(settings: u64) -> Options {
    let in_memory = settings >> 9 & 1 != 0;
    let limits = match in_memory {
        // A value in memory was within its limits.
        true => Options::new().max_depth(usize::MAX).max_memory(usize::MAX),
        false => Options::new(),
    };
    Options { in_memory, ..limits }
        .dialect(match settings & 0xf {
            dialect if dialect == Dialect::Godot3 as u64 => Dialect::Godot3,
            dialect if dialect == Dialect::Docs as u64 => Dialect::Docs,
            _ => Dialect::Godot4,
        })
        .precision(match settings >> 4 & 0xf {
            precision if precision == Precision::Single as u64 => Precision::Single,
            precision if precision == Precision::Double as u64 => Precision::Double,
            _ => Precision::Keep,
        })
        .allow_objects(settings >> 8 & 1 != 0)
}

/// Reads the map that stands for a native type, after its key.
pub(crate) struct Tagged(pub(crate) Value);

impl<'de> Deserialize<'de> for Tagged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (settings, Encoded(bytes)) = <(u64, Encoded)>::deserialize(deserializer)?;
        if settings & !0xffff != seal() {
            return Err(D::Error::custom(format_args!("the key `{TAG}` is reserved")));
        }
        let value = untag_settings(settings).value_from_slice(&bytes);
        value.map(Tagged).map_err(D::Error::custom)
    }
}

/// The bytes of an encoded variant.
struct Encoded(Vec<u8>);

impl<'de> Deserialize<'de> for Encoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = packed::PackedVisitor::<u8, false>(PhantomData);
        deserializer.deserialize_byte_buf(visitor).map(Encoded)
    }
}

/// Asks for what is inside the newtype of a native type. serde's buffers show it only to those who
/// do not say what they want, and formats that do not describe themselves need the hint.
fn inside<'de, V: Visitor<'de>, D: Deserializer<'de>>(
    inner: D,
    visitor: V,
    hint: impl FnOnce(D, V) -> Result<V::Value, D::Error>,
) -> Result<V::Value, D::Error> {
    // The buffers say that they are readable, whatever the format was.
    if inner.is_human_readable() { inner.deserialize_any(visitor) } else { hint(inner, visitor) }
}

/// The value of a map that has the tag as its first key.
fn tagged<'de, A: MapAccess<'de>>(
    map: &mut A,
    expected: &dyn serde_core::de::Expected,
) -> Result<Value, A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == TAG => {
            let Tagged(value) = map.next_value()?;
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(value)
        }
        _ => Err(A::Error::invalid_type(serde_core::de::Unexpected::Map, expected)),
    }
}

fn from_tagged<'de, T: DeserializeOwned, A: MapAccess<'de>>(
    mut map: A,
    expected: &dyn serde_core::de::Expected,
) -> Result<T, A::Error> {
    let value = tagged(&mut map, expected)?;
    Options::new().from_value(&value).map_err(A::Error::custom)
}

mod math;
mod packed;
mod text;
mod typed;
mod whole;
