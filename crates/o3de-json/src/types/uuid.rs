use std::fmt;
use std::str::FromStr;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::handoff;
use crate::error::{Error, ErrorKind};

/// A UUID, in the engine's spelling: `{8651B6DA-9792-407C-A46D-A6E2E39CA900}`.
///
/// In other formats it is the same text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// All zeros.
    pub const NULL: Uuid = Uuid([0; 16]);

    /// Whether all bytes are zero.
    pub fn is_null(self) -> bool {
        self == Uuid::NULL
    }

    /// The first UUID in braces anywhere in a text, with all of its four dashes or none.
    ///
    /// The engine demands the braces, and ignores the text around them.
    pub fn find(text: &str) -> Option<Uuid> {
        let mut found = text.split('{').skip(1).filter_map(|own| in_braces(own.as_bytes()));
        found.next().filter(|(_, dashes)| matches!(dashes, 0 | 4)).map(|(uuid, _)| uuid)
    }
}

/// 32 digits, a dash or none at each of the four places, and the closing brace.
fn in_braces(text: &[u8]) -> Option<(Uuid, usize)> {
    let mut bytes = text.iter().copied().peekable();
    let mut uuid = [0; 16];
    let mut dashes = 0_usize;
    for (index, byte) in uuid.iter_mut().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) && bytes.next_if_eq(&b'-').is_some() {
            dashes = dashes.saturating_add(1);
        }
        for _ in 0..2 {
            let digit = char::from(bytes.next()?).to_digit(16)?;
            *byte = *byte << 4 | u8::try_from(digit).ok()?;
        }
    }
    (bytes.next() == Some(b'}')).then_some((Uuid(uuid), dashes))
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02X}")?;
        }
        f.write_str("}")
    }
}

impl FromStr for Uuid {
    type Err = Error;

    /// The engine's spelling, with or without braces, with all dashes or none, and nothing else.
    fn from_str(text: &str) -> Result<Self, Error> {
        let inner = text.strip_prefix('{').map_or(Some(text), |rest| rest.strip_suffix('}'));
        let inner = inner.filter(|inner| !inner.contains(['{', '}']));
        let found = inner.and_then(|inner| Uuid::find(&format!("{{{inner}}}")));
        found.ok_or_else(|| {
            Error::new(
                ErrorKind::Unsupported,
                "expected a UUID such as {8651B6DA-9792-407C-A46D-A6E2E39CA900}",
            )
        })
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::UUID, &format_args!("{self}"))
    }
}

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct UuidVisitor;

        impl<'de> Visitor<'de> for UuidVisitor {
            type Value = Uuid;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a UUID")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Uuid, D::Error> {
                deserializer.deserialize_str(self)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Uuid, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Uuid, E> {
                let bytes = bytes.try_into();
                bytes.map(Uuid).map_err(|_| E::invalid_value(de::Unexpected::Other("bytes"), &self))
            }
        }

        deserializer.deserialize_newtype_struct(handoff::UUID, UuidVisitor)
    }
}

#[cfg(feature = "uuid")]
impl From<Uuid> for ::uuid::Uuid {
    fn from(uuid: Uuid) -> Self {
        ::uuid::Uuid::from_bytes(uuid.0)
    }
}

#[cfg(feature = "uuid")]
impl From<::uuid::Uuid> for Uuid {
    fn from(uuid: ::uuid::Uuid) -> Self {
        Uuid(uuid.into_bytes())
    }
}
