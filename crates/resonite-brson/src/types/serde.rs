//! The types of this crate through serde: their own BSON type here, readable in other formats.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::{Binary, DateTime, Field, Int, Other, Text, TimeSpan, Url};
use crate::handoff::{self, NAME};
use crate::text::Str;
use crate::{Error, Value};

/// Types that are a [`Value`] of their own: whole in BSON; in other formats what `$readable` makes
/// of them, which `$from` reads back.
macro_rules! whole {
    ($($name:ident $words:literal $readable:expr, $from:expr;)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NAME, &Whole(self))
            }
        }

        impl Serialize for Whole<'_, $name> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let value = || Value::from(self.0.clone());
                match handoff::write_native(serializer, |w| crate::value::encode(w, &value())) {
                    Ok(done) => done,
                    Err(serializer) => {
                        let readable: Readable<$name, S> = $readable;
                        readable(self.0, serializer)
                    }
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let from: fn(Value) -> Result<$name, Value> = $from;
                from(Value::deserialize(deserializer)?).map_err(|other| {
                    D::Error::custom(format_args!(
                        "expected {}, found {}", $words, other.kind().words()
                    ))
                })
            }
        }
    )+};
}

struct Whole<'a, T>(&'a T);

type Readable<T, S> = fn(&T, S) -> Result<<S as Serializer>::Ok, <S as Serializer>::Error>;

fn text<T: fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn value<T: Clone + Into<Value>, S: Serializer>(v: &T, serializer: S) -> Result<S::Ok, S::Error> {
    v.clone().into().serialize(serializer)
}

fn parsed<T>(value: Value, parse: fn(&str) -> Option<T>) -> Result<T, Value> {
    value.as_str().and_then(parse).ok_or(value)
}

whole! {
    DateTime "a date" text, |value| match value {
        Value::DateTime(v) => Ok(v),
        Value::Int32(v) => Ok(DateTime(v.into())),
        Value::Int64(v) => Ok(DateTime(v)),
        other => parsed(other, DateTime::parse),
    };
    Binary "binary data" value, |value| match value {
        Value::Binary(v) => Ok(*v),
        other => Err(other),
    };
    Other "a value of a type that no engine writes" value, |value| match value {
        Value::Other(v) => Ok(v),
        other => Err(other),
    };
}

impl Serialize for Str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StrVisitor;
        impl Visitor<'_> for StrVisitor {
            type Value = Str;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E>(self, v: &str) -> Result<Str, E> {
                Ok(Str::new(v))
            }
            fn visit_string<E>(self, v: String) -> Result<Str, E> {
                Ok(v.into())
            }
        }
        deserializer.deserialize_str(StrVisitor)
    }
}

impl Serialize for Int {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Int::I32(v) => serializer.serialize_i32(*v),
            Int::I64(v) => serializer.serialize_i64(*v),
        }
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IntVisitor;
        impl Visitor<'_> for IntVisitor {
            type Value = Int;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer")
            }
            fn visit_i32<E>(self, v: i32) -> Result<Int, E> {
                Ok(Int::I32(v))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Int, E> {
                Ok(Int::I64(v))
            }
            fn visit_u64<E: de::Error>(self, v: u64) -> Result<Int, E> {
                match (i32::try_from(v), i64::try_from(v)) {
                    (Ok(v), _) => Ok(Int::I32(v)),
                    (_, Ok(v)) => Ok(Int::I64(v)),
                    _ => Err(E::invalid_value(de::Unexpected::Unsigned(v), &self)),
                }
            }
        }
        deserializer.deserialize_any(IntVisitor)
    }
}

impl Serialize for TimeSpan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for TimeSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(TimeSpan)
    }
}

/// Text that is stored otherwise than it reads: with the rule of `@` in BSON, bare elsewhere.
macro_rules! stored {
    ($name:ident, $words:literal, $stored:expr, $bare:expr, $of_stored:expr, $of_bare:expr) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NAME, &Whole(self))
            }
        }

        impl Serialize for Whole<'_, $name> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match handoff::write_native(serializer, |writer| writer.string(&$stored(self.0))) {
                    Ok(done) => done,
                    Err(serializer) => serializer.serialize_str($bare(self.0)),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct StoredVisitor;
                impl<'de> Visitor<'de> for StoredVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($words)
                    }

                    fn visit_newtype_struct<D: Deserializer<'de>>(
                        self,
                        inner: D,
                    ) -> Result<$name, D::Error> {
                        match handoff::take() {
                            Some(Value::String(text)) => {
                                $of_stored(text.as_str()).ok_or_else(|| {
                                    let found = de::Unexpected::Str(&text);
                                    D::Error::invalid_value(found, &self)
                                })
                            }
                            Some(other) => Err(D::Error::custom(format_args!(
                                "expected {}, found {}",
                                $words,
                                other.kind().words()
                            ))),
                            None if is_buffer_of_bson::<D>() => {
                                let text = Str::deserialize(inner)?;
                                $of_stored(text.as_str()).ok_or_else(|| {
                                    D::Error::invalid_value(de::Unexpected::Str(&text), &self)
                                })
                            }
                            None => inner.deserialize_str(self),
                        }
                    }

                    fn visit_str<E: de::Error>(self, v: &str) -> Result<$name, E> {
                        let bare: Option<$name> = $of_bare(v);
                        bare.ok_or_else(|| E::invalid_value(de::Unexpected::Str(v), &self))
                    }
                }
                deserializer.deserialize_newtype_struct(NAME, StoredVisitor)
            }
        }
    };
}

/// Whether a deserializer is a buffer of serde's, as tagged and untagged enums and `flatten` have them,
/// for what this crate reads: text in it is as it was stored.
fn is_buffer_of_bson<'de, D: Deserializer<'de>>() -> bool {
    type_name::<D>().contains("::Content") && type_name::<D::Error>() == type_name::<Error>()
}

stored!(
    Url,
    "an address with @ before it",
    Url::to_stored,
    Url::as_str,
    |text| Url::of_stored(text).map(|address| Url(address.to_owned())),
    |text: &str| Url::new(text.strip_prefix('@').unwrap_or(text)).ok()
);

stored!(
    Text,
    "text and no address",
    |text: &Text| Text::to_stored(&text.0).into_owned(),
    bare_text,
    |text| Text::of_stored(text).map(Text::from),
    |text: &str| Some(Text::from(text))
);

impl<T: Serialize, I: Serialize> Serialize for Field<T, I> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Field", 2)?;
        fields.serialize_field("ID", &self.id)?;
        fields.serialize_field("Data", &self.data)?;
        fields.end()
    }
}

impl<'de, T: Deserialize<'de>, I: Deserialize<'de>> Deserialize<'de> for Field<T, I> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Field", &["ID", "Data"], FieldVisitor(PhantomData))
    }
}

struct FieldVisitor<T, I>(PhantomData<(T, I)>);

impl<'de, T: Deserialize<'de>, I: Deserialize<'de>> Visitor<'de> for FieldVisitor<T, I> {
    type Value = Field<T, I>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document with ID and Data")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field<T, I>, A::Error> {
        let (mut id, mut data) = (None, None);
        while let Some(name) = map.next_key::<Str>()? {
            match name.as_str() {
                "ID" if id.is_some() => return Err(A::Error::duplicate_field("ID")),
                "Data" if data.is_some() => return Err(A::Error::duplicate_field("Data")),
                "ID" => id = Some(map.next_value()?),
                "Data" => data = Some(map.next_value()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let id = id.map_or_else(|| missing("ID"), Ok)?;
        let data = data.map_or_else(|| missing("Data"), Ok)?;
        Ok(Field { id, data })
    }
}

/// The value of a field that is missing: `None` where that is allowed.
fn missing<'de, T: Deserialize<'de>, E: de::Error>(name: &'static str) -> Result<T, E> {
    T::deserialize(Missing(name, PhantomData))
}

struct Missing<E>(&'static str, PhantomData<E>);

impl<'de, E: de::Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl TryFrom<&str> for Url {
    type Error = Error;

    fn try_from(address: &str) -> Result<Self, Error> {
        Url::new(address)
    }
}

fn bare_text(text: &Text) -> &str {
    &text.0
}
