//! How the engine's types pass through serde.
//!
//! Each is a newtype with a reserved name. This crate's serializer and deserializer know the names
//! and use the native type; other formats see what is inside: a sequence, a number or text.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde_core::de::{
    DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_core::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_core::{Deserialize, Serialize};

use crate::Value;
use crate::handoff;
use crate::options::{Dialect, Options, Precision};
use crate::types::*;
use crate::value::Object;

/// A newtype name that this crate's serializer and deserializer know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Native {
    /// Passes as a whole, through [`handoff`].
    Whole(Type),
    /// [`Value`].
    Any,
    StringName,
    /// Components; whether they are 64 bits wide.
    Math(Type, bool),
    /// Elements of fixed size; whether the components are 64 bits wide.
    Packed(Type, bool),
    TypedArray(Option<Type>),
    /// The key type; the value type follows as the newtype inside.
    TypedKey(Option<Type>),
    TypedValue(Option<Type>),
}

const PREFIX: &str = "$godot_variant::";

/// The one key of the map that stands for a native type in serde's buffers.
pub(crate) const TAG: &str = "$godot_variant";

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
    pub(crate) fn from_name(name: &'static str) -> Option<Native> {
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
                kind @ (Type::PackedByteArray
                | Type::PackedInt32Array
                | Type::PackedInt64Array
                | Type::PackedFloat32Array
                | Type::PackedFloat64Array
                | Type::PackedVector2Array
                | Type::PackedVector3Array
                | Type::PackedColorArray
                | Type::PackedVector4Array) => Native::Packed(kind, wide),
                kind => Native::Whole(kind),
            },
        })
    }
}

/// What a native type becomes inside serde's buffers: the settings and the encoded variant.
pub(crate) fn tag_settings(options: &Options) -> u64 {
    let dialect = match options.dialect {
        Dialect::Godot4 => 0,
        Dialect::Godot3 => 1,
        Dialect::Docs => 2,
    };
    let precision = match options.precision {
        Precision::Keep => 0,
        Precision::Single => 1,
        Precision::Double => 2,
    };
    dialect | precision << 4 | u64::from(options.allow_objects) << 8 | seal()
}

/// The upper bits of the settings, which no input can know: a dictionary with the tag as its key is
/// not one of ours.
fn seal() -> u64 {
    static SEAL: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(TAG) & !0xffff);
    *SEAL
}

fn untag_settings(settings: u64) -> Options {
    Options::new()
        .dialect(match settings & 0xf {
            1 => Dialect::Godot3,
            2 => Dialect::Docs,
            _ => Dialect::Godot4,
        })
        .precision(match settings >> 4 & 0xf {
            1 => Precision::Single,
            2 => Precision::Double,
            _ => Precision::Keep,
        })
        .allow_objects(settings >> 8 & 1 != 0)
}

/// Reads the map that stands for a native type, after its key.
pub(crate) struct Tagged(pub(crate) Value);

impl<'de> Deserialize<'de> for Tagged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TaggedVisitor;

        impl<'de> Visitor<'de> for TaggedVisitor {
            type Value = Tagged;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an encoded variant")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tagged, A::Error> {
                let settings = seq.next_element::<u64>()?;
                let bytes = seq.next_element::<Encoded>()?;
                let (Some(settings), Some(Encoded(bytes))) = (settings, bytes) else {
                    return Err(A::Error::invalid_length(0, &self));
                };
                if settings & !0xffff != seal() {
                    return Err(A::Error::custom(format_args!("the key `{TAG}` is reserved")));
                }
                untag_settings(settings).from_slice(&bytes).map(Tagged).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_seq(TaggedVisitor)
    }
}

/// The bytes of an encoded variant.
struct Encoded(Vec<u8>);

impl<'de> Deserialize<'de> for Encoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(PackedVisitor::OTHERS).map(Encoded)
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

/// Reads a math type: as encoded components from this crate, as a sequence from others.
struct MathVisitor<T> {
    /// Whether bytes are components that this crate encoded.
    own: bool,
    made: PhantomData<T>,
}

impl<T> MathVisitor<T> {
    const OWN: Self = MathVisitor { own: true, made: PhantomData };
    const OTHERS: Self = MathVisitor { own: false, made: PhantomData };
}

impl<'de, T> Visitor<'de> for MathVisitor<T>
where
    T: Components + DeserializeOwned,
    T::Scalar: WireElement + Deserialize<'de>,
    T::Array: for<'a> TryFrom<&'a [T::Scalar]>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::TYPE.name())
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        inside(inner, MathVisitor::OTHERS, |inner, visitor| {
            inner.deserialize_tuple(T::TYPE.components(), visitor)
        })
    }

    #[inline]
    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        if !self.own {
            return Err(E::invalid_type(serde_core::de::Unexpected::Bytes(bytes), &self));
        }
        T::from_bytes(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let count = T::TYPE.components();
        let mut components = [T::Scalar::default(); 16];
        let mut found = 0_usize;
        while let Some(component) = seq.next_element()? {
            if let Some(place) = components.get_mut(found) {
                *place = component;
            }
            found = found.saturating_add(1);
        }
        if found != count {
            return Err(A::Error::invalid_length(found, &self));
        }
        self.from_components(components.get(..count).unwrap_or_default())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        from_tagged(map, &self)
    }
}

impl<T> MathVisitor<T>
where
    T: Components,
    T::Array: for<'a> TryFrom<&'a [T::Scalar]>,
{
    #[inline]
    #[allow(clippy::wrong_self_convention, reason = "self is the visitor, kept for its type")]
    fn from_components<E: serde_core::de::Error>(self, components: &[T::Scalar]) -> Result<T, E> {
        match T::Array::try_from(components) {
            Ok(array) => Ok(T::from_components(array)),
            Err(_) => Err(E::custom("wrong number of components")),
        }
    }
}

macro_rules! real_math {
    ($($name:ident),+ $(,)?) => {$(
        impl<R: Real> Serialize for $name<R> {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let name = if R::WIDE {
                    name!(stringify!($name), ":f64")
                } else {
                    name!(stringify!($name))
                };
                serializer.serialize_newtype_struct(name, &self.to_components())
            }
        }

        impl<'de> Deserialize<'de> for $name<f32> {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = MathVisitor::OWN;
                deserializer.deserialize_newtype_struct(name!(stringify!($name)), visitor)
            }
        }

        impl<'de> Deserialize<'de> for $name<f64> {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = MathVisitor::OWN;
                let name = name!(stringify!($name), ":f64");
                deserializer.deserialize_newtype_struct(name, visitor)
            }
        }
    )+};
}

real_math! {
    Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb, Basis, Transform3D,
    Projection, Color,
}

macro_rules! integer_math {
    ($($name:ident),+ $(,)?) => {$(
        impl Serialize for $name {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let components = self.to_components();
                serializer.serialize_newtype_struct(name!(stringify!($name)), &components)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = MathVisitor::OWN;
                deserializer.deserialize_newtype_struct(name!(stringify!($name)), visitor)
            }
        }
    )+};
}

integer_math!(Vector2i, Rect2i, Vector3i, Vector4i);

/// Inside of a type that this crate writes as a whole and others see through serde.
struct Whole<'a, T>(&'a T);

impl<T: WholeType> Serialize for Whole<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |writer| self.0.write(writer)) {
            Ok(done) => done,
            Err(serializer) => self.0.serialize_plain(serializer),
        }
    }
}

/// A type that this crate writes and reads as a whole.
trait WholeType: Sized {
    /// How errors call the type.
    const EXPECTED: &'static str;
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()>;
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    fn from_value(value: Value) -> Option<Self>;
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error>;
}

struct WholeVisitor<T>(PhantomData<T>);

impl<'de, T: WholeType + DeserializeOwned> Visitor<'de> for WholeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        match handoff::take_value() {
            Some(value) => from_whole(value),
            None => T::deserialize_plain(inner),
        }
    }
}

fn from_whole<T: WholeType, E: serde_core::de::Error>(value: Value) -> Result<T, E> {
    let kind = value.kind();
    T::from_value(value)
        .ok_or_else(|| E::custom(format_args!("expected {}, found {kind}", T::EXPECTED)))
}

/// Reads what may stand in a buffer of serde's: the tagged variant, or the plain form.
enum Buffered<T> {
    Tagged(Value),
    Plain(T),
}

/// Accepts a tagged map, text, a sequence of `E` or a number.
struct PlainVisitor<E>(&'static str, PhantomData<E>);

enum Plain<E> {
    Text(String),
    Number(u64),
    Items(Vec<E>),
    Nothing,
}

impl<'de, E: Deserialize<'de>> Visitor<'de> for PlainVisitor<E> {
    type Value = Buffered<Plain<E>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<X: serde_core::de::Error>(self, text: &str) -> Result<Self::Value, X> {
        Ok(Buffered::Plain(Plain::Text(text.to_owned())))
    }

    fn visit_u64<X: serde_core::de::Error>(self, value: u64) -> Result<Self::Value, X> {
        Ok(Buffered::Plain(Plain::Number(value)))
    }

    fn visit_i64<X: serde_core::de::Error>(self, value: i64) -> Result<Self::Value, X> {
        Ok(Buffered::Plain(Plain::Number(value.cast_unsigned())))
    }

    fn visit_unit<X: serde_core::de::Error>(self) -> Result<Self::Value, X> {
        Ok(Buffered::Plain(Plain::Nothing))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(4096));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Buffered::Plain(Plain::Items(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        tagged(&mut map, &self).map(Buffered::Tagged)
    }
}

fn deserialize_buffered<'de, T: WholeType, E: Deserialize<'de>, D: Deserializer<'de>>(
    inner: D,
    hint: impl FnOnce(D, PlainVisitor<E>) -> Result<Buffered<Plain<E>>, D::Error>,
    plain: impl FnOnce(Plain<E>) -> Option<T>,
) -> Result<T, D::Error> {
    match inside(inner, PlainVisitor(T::EXPECTED, PhantomData), hint)? {
        Buffered::Tagged(value) => from_whole(value),
        Buffered::Plain(found) => {
            let what = match &found {
                Plain::Text(_) => "text",
                Plain::Number(_) => "a number",
                Plain::Items(_) => "a sequence",
                Plain::Nothing => "nothing",
            };
            plain(found).ok_or_else(|| {
                D::Error::custom(format_args!("expected {}, found {what}", T::EXPECTED))
            })
        }
    }
}

macro_rules! whole {
    ($($name:ident),+ $(,)?) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(whole!(@name $name), &Whole(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = WholeVisitor(PhantomData);
                deserializer.deserialize_newtype_struct(whole!(@name $name), visitor)
            }
        }
    )+};
    (@name ObjectId) => { name!("Object") };
    (@name $name:ident) => { name!(stringify!($name)) };
}

whole!(NodePath, Rid, ObjectId, Callable, Signal, PackedStringArray);

impl WholeType for NodePath {
    const EXPECTED: &'static str = "NodePath";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.node_path(self)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::NodePath(path) => Some(*path),
            Value::String(text) => Some(NodePath::new(&text)),
            _ => None,
        }
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        deserialize_buffered::<_, IgnoredAny, _>(inner, D::deserialize_str, |found| match found {
            Plain::Text(text) => Some(NodePath::new(&text)),
            _ => None,
        })
    }
}

impl WholeType for Rid {
    const EXPECTED: &'static str = "RID";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.rid(self.0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Rid(rid) => Some(rid),
            _ => None,
        }
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        deserialize_buffered::<_, IgnoredAny, _>(inner, D::deserialize_u64, |found| match found {
            Plain::Number(id) => Some(Rid(id)),
            _ => None,
        })
    }
}

impl WholeType for ObjectId {
    const EXPECTED: &'static str = "the id of an object";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.object_id(self.0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Object(Object::Id(id)) => Some(id),
            Value::Nil | Value::Object(Object::Null) => Some(ObjectId(0)),
            // With whole objects on, the engine sends the object that holds the id.
            Value::Object(Object::Instance(instance))
                if instance.class == ElementType::ENCODED_OBJECT_AS_ID =>
            {
                let id = instance.get("object_id")?.as_i64()?;
                Some(ObjectId(id.cast_unsigned()))
            }
            _ => None,
        }
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        deserialize_buffered::<_, IgnoredAny, _>(inner, D::deserialize_u64, |found| match found {
            Plain::Number(id) => Some(ObjectId(id)),
            Plain::Nothing => Some(ObjectId(0)),
            _ => None,
        })
    }
}

impl WholeType for Callable {
    const EXPECTED: &'static str = "Callable";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.header(Type::Callable, 0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
    fn from_value(value: Value) -> Option<Self> {
        matches!(value, Value::Callable(_)).then_some(Callable)
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        deserialize_buffered::<_, IgnoredAny, _>(inner, D::deserialize_unit, |found| match found {
            Plain::Nothing => Some(Callable),
            _ => None,
        })
    }
}

impl WholeType for Signal {
    const EXPECTED: &'static str = "Signal";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.signal(&self.name, self.object.0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", self.name.as_str())?;
        map.serialize_entry("object", &self.object.0)?;
        map.end()
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Signal(signal) => Some(*signal),
            _ => None,
        }
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        struct SignalVisitor;

        impl<'de> Visitor<'de> for SignalVisitor {
            type Value = Signal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a Signal with its name and object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Signal, A::Error> {
                let mut signal = Signal::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "name" => signal.name = StringName(map.next_value::<String>()?.into()),
                        "object" => signal.object = ObjectId(map.next_value()?),
                        TAG => {
                            let Tagged(value) = map.next_value()?;
                            signal = from_whole(value)?;
                        }
                        other => {
                            return Err(A::Error::unknown_field(other, &["name", "object"]));
                        }
                    }
                }
                Ok(signal)
            }
        }

        inner.deserialize_map(SignalVisitor)
    }
}

impl WholeType for PackedStringArray {
    const EXPECTED: &'static str = "PackedStringArray";
    fn write(&self, writer: &mut crate::write::Writer) -> crate::Result<()> {
        writer.packed_strings(self)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(GString::as_str))
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::PackedStringArray(strings) => Some(strings),
            Value::Array(items) => {
                items.iter().map(|item| item.as_str().map(GString::new)).collect::<Option<_>>()
            }
            Value::TypedArray(items) => PackedStringArray::from_value(Value::Array(items.items)),
            _ => None,
        }
    }
    fn deserialize_plain<'de, D: Deserializer<'de>>(inner: D) -> Result<Self, D::Error> {
        deserialize_buffered::<_, String, _>(inner, D::deserialize_seq, |found| match found {
            Plain::Items(items) => Some(items.into()),
            _ => None,
        })
    }
}

impl Serialize for StringName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(name!("StringName"), self.as_str())
    }
}

/// Reads text, from this crate or another.
struct TextVisitor(&'static str);

impl<'de> Visitor<'de> for TextVisitor {
    type Value = GString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<GString, D::Error> {
        inside(inner, self, D::deserialize_str)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<GString, E> {
        Ok(GString::new(text))
    }

    fn visit_string<E: serde_core::de::Error>(self, text: String) -> Result<GString, E> {
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GString, A::Error> {
        match tagged(&mut map, &self)? {
            Value::StringName(name) => Ok(name.0),
            Value::String(text) => Ok(text),
            _ => Err(A::Error::invalid_type(serde_core::de::Unexpected::Map, &self)),
        }
    }
}

impl<'de> Deserialize<'de> for StringName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor("a StringName");
        deserializer.deserialize_newtype_struct(name!("StringName"), visitor).map(StringName)
    }
}

impl Serialize for GString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for GString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor("a string"))
    }
}

/// The elements of a packed array, written in bulk by this crate.
struct Bulk<'a, T>(&'a [T]);

impl<T: PackedElement + WireElement + Serialize> Serialize for Bulk<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let native =
            handoff::write_native(serializer, |writer| crate::value::write_packed(writer, self.0));
        match native {
            Ok(done) => done,
            Err(serializer) => {
                let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
                self.0.iter().try_for_each(|element| seq.serialize_element(element))?;
                seq.end()
            }
        }
    }
}

/// Reads a packed array: as encoded elements from this crate, as a sequence from others.
struct PackedVisitor<T> {
    /// Whether bytes are elements that this crate encoded.
    own: bool,
    made: PhantomData<T>,
}

impl<T> PackedVisitor<T> {
    const OWN: Self = PackedVisitor { own: true, made: PhantomData };
    const OTHERS: Self = PackedVisitor { own: false, made: PhantomData };
}

impl<'de, T: PackedElement + WireElement + Deserialize<'de>> Visitor<'de> for PackedVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::PACKED.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Vec<T>, D::Error> {
        inside(inner, PackedVisitor::OTHERS, D::deserialize_seq)
    }

    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<Vec<T>, E> {
        if self.own || T::PACKED == Type::PackedByteArray {
            return Ok(T::read_all(bytes));
        }
        Err(E::invalid_type(serde_core::de::Unexpected::Bytes(bytes), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(4096));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<T>, A::Error> {
        let value = tagged(&mut map, &self)?;
        crate::value::packed_elements(&value)
            .ok_or_else(|| A::Error::invalid_type(serde_core::de::Unexpected::Map, &self))
    }
}

macro_rules! packed {
    ($($name:ident $(<$real:ident>)?: $element:ident),+ $(,)?) => {$(
        packed!(@serialize $name, name!(stringify!($name)));
        packed!(@deserialize $name $($real)?);
    )+};
    (@serialize $type:ty, $wire_name:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($wire_name, &Bulk(&self.0))
            }
        }
    };
    (@deserialize $name:ident) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = name!(stringify!($name));
                deserializer.deserialize_newtype_struct(name, PackedVisitor::OWN).map($name)
            }
        }
    };
    (@deserialize $name:ident $real:ident) => {
        packed!(@deserialize $name);
        packed!(@serialize $name<f64>, name!(stringify!($name), ":f64"));
        impl<'de> Deserialize<'de> for $name<f64> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = name!(stringify!($name), ":f64");
                deserializer.deserialize_newtype_struct(name, PackedVisitor::OWN).map($name)
            }
        }
    };
}

packed! {
    PackedByteArray: u8, PackedInt32Array: i32, PackedInt64Array: i64, PackedFloat32Array: f32,
    PackedFloat64Array: f64, PackedVector2Array<f64>: Vector2, PackedVector3Array<f64>: Vector3,
    PackedColorArray<f64>: Color, PackedVector4Array<f64>: Vector4,
}

impl Serialize for PackedByteSlice<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(name!("PackedByteArray"), &Bulk(self.0))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for PackedByteSlice<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(PackedByteSlice)
    }
}

impl<T: Element + Serialize> Serialize for TypedArray<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(typed_array(T::TYPE), &self.0)
    }
}

struct ThroughVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ThroughVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a typed container")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        T::deserialize(inner)
    }
}

impl<'de, T: Element + Deserialize<'de>> Deserialize<'de> for TypedArray<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = ThroughVisitor(PhantomData);
        deserializer.deserialize_newtype_struct(typed_array(T::TYPE), visitor).map(TypedArray)
    }
}

/// Inside of a typed dictionary: the value type, then the entries.
struct Entries<'a, K, V>(&'a [(K, V)]);

impl<K: Serialize, V: Serialize + Element> Serialize for Entries<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Map<'a, K, V>(&'a [(K, V)]);

        impl<K: Serialize, V: Serialize> Serialize for Map<'_, K, V> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.len()))?;
                self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }

        serializer.serialize_newtype_struct(typed_value(V::TYPE), &Map(self.0))
    }
}

impl<K: Element + Serialize, V: Element + Serialize> Serialize for TypedDictionary<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(typed_key(K::TYPE), &Entries(&self.0))
    }
}

struct EntriesVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for EntriesVisitor<K, V>
where
    K: Deserialize<'de>,
    V: Deserialize<'de> + Element,
{
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dictionary")
    }

    /// Once for the key type, once for the value type; other formats come straight to the map.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_newtype_struct(typed_value(V::TYPE), MapVisitor(self.0))
    }
}

struct MapVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for MapVisitor<K, V> {
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dictionary")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0).min(4096));
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

impl<'de, K, V> Deserialize<'de> for TypedDictionary<K, V>
where
    K: Element + Deserialize<'de>,
    V: Element + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = EntriesVisitor(PhantomData);
        deserializer.deserialize_newtype_struct(typed_key(K::TYPE), visitor).map(TypedDictionary)
    }
}
