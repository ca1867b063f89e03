use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::{RawValue, handoff};

/// A value of any type (`AZStd::any`): `{"$type": name, "Value": value}`, or `{}` when it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Any(
    /// The name of the type, and the value as it was written.
    pub Option<(String, RawValue)>,
);

impl Any {
    /// A value of a type.
    pub fn new(name: impl Into<String>, value: RawValue) -> Self {
        Any(Some((name.into(), value)))
    }

    /// The name of the type.
    pub fn type_name(&self) -> Option<&str> {
        self.0.as_ref().map(|(name, _)| name.as_str())
    }

    /// The value.
    pub fn value(&self) -> Option<&RawValue> {
        self.0.as_ref().map(|(_, value)| value)
    }
}

struct AnyMembers<'a>(&'a Option<(String, RawValue)>);

impl Serialize for AnyMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let len = if self.0.is_some() { 2 } else { 0 };
        let mut members = serializer.serialize_struct("Any", len)?;
        if let Some((name, value)) = self.0 {
            members.serialize_field("$type", name)?;
            members.serialize_field("Value", value)?;
        }
        members.end()
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::ANY, &AnyMembers(&self.0))
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyVisitor;

        impl<'de> Visitor<'de> for AnyVisitor {
            type Value = Any;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with `$type` and `Value`")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Any, D::Error> {
                deserializer.deserialize_map(self)
            }

            /// The deserializer of this crate has name and text.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Any, A::Error> {
                let Some(name) = seq.next_element::<String>()? else { return Ok(Any(None)) };
                let text = seq.next_element::<String>()?;
                let text = text.ok_or_else(|| de::Error::invalid_length(1, &self))?;
                let value = RawValue::new(&text).map_err(de::Error::custom)?;
                Ok(Any(Some((name, value))))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
                let (mut name, mut value) = (None, RawValue::default());
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "$type" => name = Some(map.next_value()?),
                        "Value" => value = map.next_value()?,
                        _ => drop(map.next_value::<de::IgnoredAny>()?),
                    }
                }
                Ok(Any(name.map(|name| (name, value))))
            }
        }

        deserializer.deserialize_newtype_struct(handoff::ANY, AnyVisitor)
    }
}

/// A member of a type that the engine neither loads nor stores: `AZStd::optional`, `variant` and
/// `bitset`. Both ways end as [`Invalid`](crate::report::Outcome::Invalid), so that a class can be described
/// whole; a pointer that may be null is an `Option`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refused<T>(PhantomData<fn() -> T>);

impl<T> Refused<T> {
    /// The only value.
    pub const fn new() -> Self {
        Refused(PhantomData)
    }
}

impl<T> Default for Refused<T> {
    fn default() -> Self {
        Refused::new()
    }
}

impl<T> Serialize for Refused<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::REFUSED, &())
    }
}

impl<'de, T> Deserialize<'de> for Refused<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        handoff::read::<(), D>(handoff::REFUSED, deserializer).map(|()| Refused::new())
    }
}
