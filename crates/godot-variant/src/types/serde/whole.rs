//! Types that this crate writes and reads as a whole, and others as text, numbers or sequences.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_core::ser::{SerializeMap, Serializer};
use serde_core::{Deserialize, Serialize};

use super::*;
use crate::Value;
use crate::handoff;

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
