//! Types that this crate writes and reads as a whole, and others as text, numbers or sequences.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde_core::ser::{SerializeMap, Serializer};
use serde_core::{Deserialize, Serialize};

use super::*;
use crate::Value;
use crate::handoff;
use crate::write::Writer;

/// Inside of a type that this crate writes as a whole and others see through serde.
struct NativeInside<'a, T>(&'a T);

impl<T: NativeType> Serialize for NativeInside<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |writer| self.0.write(writer)) {
            Ok(done) => done,
            Err(serializer) => self.0.serialize_plain(serializer),
        }
    }
}

/// A type that this crate writes and reads as a whole.
trait NativeType: Sized {
    /// How errors call the type.
    const EXPECTED: &'static str;
    /// The form that is asked of other formats, if they do not describe themselves.
    const PLAIN: Plain;
    fn write(&self, writer: &mut Writer) -> crate::Result<()>;
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    /// From the native type, or from its plain form.
    fn from_value(value: Value) -> Option<Self>;
}

/// The plain form of a type.
#[derive(Clone, Copy)]
enum Plain {
    Text,
    Number,
    Nothing,
    Items,
    Map,
}

struct NativeVisitor<T>(PhantomData<T>);

impl<'de, T: NativeType + DeserializeOwned> Visitor<'de> for NativeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        let value = match handoff::take() {
            Some(value) => value,
            None => inside(inner, PlainVisitor(T::EXPECTED), |inner, visitor| match T::PLAIN {
                Plain::Text => inner.deserialize_str(visitor),
                Plain::Number => inner.deserialize_u64(visitor),
                Plain::Nothing => inner.deserialize_unit(visitor),
                Plain::Items => inner.deserialize_seq(visitor),
                Plain::Map => inner.deserialize_map(visitor),
            })?,
        };
        let kind = value.kind();
        T::from_value(value)
            .ok_or_else(|| D::Error::custom(format_args!("expected {}, found {kind}", T::EXPECTED)))
    }
}

/// Reads the plain form, or what stands for the native type in serde's buffers.
struct PlainVisitor(&'static str);

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    /// Ids take all 64 bits.
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Int(value.cast_signed()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<GString>()? {
            items.push(Value::String(item));
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<GString>()? {
            if name == TAG {
                return map.next_value().map(|Tagged(value)| value);
            }
            let member = Member { is_id: name == "object" };
            members.push((name.into(), map.next_value_seed(member)?));
        }
        Ok(Value::Dictionary(members.into()))
    }
}

/// A member of the plain form of a [`Signal`].
struct Member {
    is_id: bool,
}

impl<'de> DeserializeSeed<'de> for Member {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.is_id {
            true => deserializer.deserialize_u64(PlainVisitor("an id")),
            false => deserializer.deserialize_str(PlainVisitor("a name")),
        }
    }
}

macro_rules! whole {
    ($($name:ident),+ $(,)?) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(whole!(@name $name), &NativeInside(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = NativeVisitor(PhantomData);
                deserializer.deserialize_newtype_struct(whole!(@name $name), visitor)
            }
        }
    )+};
    (@name ObjectId) => { name!("Object") };
    (@name $name:ident) => { name!(stringify!($name)) };
}

whole!(NodePath, Rid, ObjectId, Callable, Signal, PackedStringArray);

impl NativeType for NodePath {
    const EXPECTED: &'static str = "NodePath";
    const PLAIN: Plain = Plain::Text;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
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
}

impl NativeType for Rid {
    const EXPECTED: &'static str = "RID";
    const PLAIN: Plain = Plain::Number;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
        writer.rid(self.0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Rid(rid) => Some(rid),
            Value::Int(id) => Some(Rid(id.cast_unsigned())),
            _ => None,
        }
    }
}

impl NativeType for ObjectId {
    const EXPECTED: &'static str = "the id of an object";
    const PLAIN: Plain = Plain::Number;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
        writer.object_id(self.0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Object(Object::Id(id)) => Some(id),
            Value::Int(id) => Some(ObjectId(id.cast_unsigned())),
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
}

impl NativeType for Callable {
    const EXPECTED: &'static str = "Callable";
    const PLAIN: Plain = Plain::Nothing;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
        writer.header(Type::Callable, 0)
    }
    fn serialize_plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
    fn from_value(value: Value) -> Option<Self> {
        matches!(value, Value::Callable(_) | Value::Nil).then_some(Callable)
    }
}

impl NativeType for Signal {
    const EXPECTED: &'static str = "Signal";
    const PLAIN: Plain = Plain::Map;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
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
            Value::Dictionary(members) => {
                let mut signal = Signal::default();
                for (name, member) in members {
                    match (name.as_str()?, member) {
                        ("name", Value::String(name)) => signal.name = StringName(name),
                        ("object", Value::Int(id)) => signal.object = ObjectId(id.cast_unsigned()),
                        _ => return None,
                    }
                }
                Some(signal)
            }
            _ => None,
        }
    }
}

impl NativeType for PackedStringArray {
    const EXPECTED: &'static str = "PackedStringArray";
    const PLAIN: Plain = Plain::Items;
    fn write(&self, writer: &mut Writer) -> crate::Result<()> {
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
}
