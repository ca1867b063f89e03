//! Types that this crate writes and reads as a whole, and others as text, numbers or sequences.

use std::fmt;
use std::marker::PhantomData;

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

/// The conversions of each type: how this crate writes it, its plain form, and what it is read from.
macro_rules! whole {
    ($(
        $name:ident: $expected:literal, $plain:ident;
        |$own:ident, $writer:ident| $write:expr;
        |$serializer:ident| $shown:expr;
        $($from:pat $(if $guard:expr)? => $made:expr),+;
    )+) => {$(
        impl NativeType for $name {
            const EXPECTED: &'static str = $expected;
            const PLAIN: Plain = Plain::$plain;
            fn write(&self, $writer: &mut Writer) -> crate::Result<()> {
                let $own = self;
                $write
            }
            fn serialize_plain<S: Serializer>(&self, $serializer: S) -> Result<S::Ok, S::Error> {
                let $own = self;
                $shown
            }
            fn from_value(value: Value) -> Option<Self> {
                match value {
                    $($from $(if $guard)? => $made,)+
                    _ => None,
                }
            }
        }

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

whole! {
    NodePath: "NodePath", Text;
    |path, writer| writer.node_path(path);
    |serializer| serializer.collect_str(path);
    Value::NodePath(path) => Some(*path),
    Value::String(text) => Some(NodePath::new(&text));

    Rid: "RID", Number;
    |rid, writer| writer.rid(rid.0);
    |serializer| serializer.serialize_u64(rid.0);
    Value::Rid(rid) => Some(rid),
    Value::Int(id) => Some(Rid(id.cast_unsigned()));

    ObjectId: "the id of an object", Number;
    |object, writer| writer.object_id(object.0);
    |serializer| serializer.serialize_u64(object.0);
    Value::Object(Object::Id(id)) => Some(id),
    Value::Int(id) => Some(ObjectId(id.cast_unsigned())),
    Value::Nil | Value::Object(Object::Null) => Some(ObjectId(0)),
    // With whole objects on, the engine sends the object that holds the id.
    Value::Object(Object::Instance(instance))
        if instance.class == ElementType::ENCODED_OBJECT_AS_ID =>
    {
        let id = instance.get("object_id")?.as_i64()?;
        Some(ObjectId(id.cast_unsigned()))
    };

    Callable: "Callable", Nothing;
    |_callable, writer| writer.header(Type::Callable, 0);
    |serializer| serializer.serialize_unit();
    Value::Callable(_) | Value::Nil => Some(Callable);

    Signal: "Signal", Map;
    |signal, writer| writer.signal(&signal.name, signal.object.0);
    |serializer| {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", signal.name.as_str())?;
        map.serialize_entry("object", &signal.object.0)?;
        map.end()
    };
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
    };

    PackedStringArray: "PackedStringArray", Items;
    |strings, writer| writer.packed_strings(strings);
    |serializer| serializer.collect_seq(strings.iter().map(GString::as_str));
    Value::PackedStringArray(strings) => Some(strings),
    Value::Array(items) => {
        items.iter().map(|item| item.as_str().map(GString::new)).collect::<Option<_>>()
    },
    Value::TypedArray(items) => PackedStringArray::from_value(Value::Array(items.items));
}
