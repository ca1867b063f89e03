use std::borrow::Cow;
use std::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::marker;
use crate::kind::Kind;
use crate::value::decode::Decoder;
use crate::{Options, Result, Value};

/// A bean as it is on the wire, to be read later or passed on.
///
/// Read as part of a Rust type it has its own bytes; [`from_slice`](Self::from_slice) borrows.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::RawBean;
///
/// #[derive(Serialize, Deserialize)]
/// struct Envelope {
///     route: String,
///     body: RawBean<'static>,
/// }
/// #[derive(Serialize, Deserialize)]
/// struct Chat {
///     text: String,
/// }
///
/// let body = RawBean::from_serialize(&Chat { text: "hi".into() })?;
/// let bytes = zeze_serialize::to_vec(&Envelope { route: "lobby".into(), body })?;
/// let envelope: Envelope = zeze_serialize::from_slice(&bytes)?;
/// assert_eq!(envelope.body.read::<Chat>()?.text, "hi");
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawBean<'a>(pub(crate) Cow<'a, [u8]>);

impl<'a> RawBean<'a> {
    /// From the bytes of one bean, tags and end included.
    ///
    /// # Errors
    /// Bytes that are not one bean.
    pub fn from_slice(bytes: &'a [u8]) -> Result<Self> {
        check(bytes)?;
        Ok(RawBean(Cow::Borrowed(bytes)))
    }

    /// Takes bytes as they are, also those that are no bean, as the arguments of a few protocols of
    /// Zeze's own.
    pub fn new_unchecked(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        RawBean(bytes.into())
    }

    /// From a value that is a bean.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<RawBean<'static>> {
        let bytes = crate::to_vec(value)?;
        check(&bytes)?;
        Ok(RawBean(Cow::Owned(bytes)))
    }

    /// The bytes, tags and end included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        *self.0 == [crate::write::END]
    }

    /// Reads a Rust type from it.
    ///
    /// # Errors
    /// As [`from_slice`](crate::from_slice).
    pub fn read<'de, T: Deserialize<'de>>(&'de self) -> Result<T> {
        crate::from_slice(&self.0)
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> RawBean<'static> {
        RawBean(Cow::Owned(self.0.into_owned()))
    }
}

fn check(bytes: &[u8]) -> Result<()> {
    let mut decoder = Decoder::new(bytes, Options::new().max_depth(usize::MAX));
    decoder.skip(Kind::Bean, 0)?;
    decoder.end()
}

impl Default for RawBean<'_> {
    fn default() -> Self {
        RawBean(Cow::Borrowed(&[crate::write::END]))
    }
}

impl fmt::Debug for RawBean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::from_slice::<Value>(&self.0) {
            Ok(value) => f.debug_tuple("RawBean").field(&value).finish(),
            Err(_) => write!(f, "RawBean({} bytes)", self.0.len()),
        }
    }
}

impl Serialize for RawBean<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        as_value(marker::RAW_BEAN, &self.0, serializer)
    }
}

/// Bytes of a bean: in text formats its fields, else the bytes.
pub(super) fn as_value<S: Serializer>(
    name: &'static str,
    bytes: &[u8],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        let value: Value = crate::from_slice(bytes).map_err(serde_core::ser::Error::custom)?;
        return value.serialize(serializer);
    }
    serializer.serialize_newtype_struct(name, &Raw(bytes))
}

pub(crate) struct Raw<'a>(pub(crate) &'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Bytes of one bean, from a newtype.
pub(super) struct BeanVisitor;

impl<'de> de::Visitor<'de> for BeanVisitor {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a bean")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }

    fn visit_borrowed_bytes<E: de::Error>(
        self,
        bytes: &'de [u8],
    ) -> std::result::Result<Self::Value, E> {
        check(bytes).map_err(E::custom)?;
        Ok(Cow::Borrowed(bytes))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> std::result::Result<Self::Value, E> {
        self.visit_byte_buf(bytes.to_vec())
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> std::result::Result<Self::Value, E> {
        check(&bytes).map_err(E::custom)?;
        Ok(Cow::Owned(bytes))
    }
}

/// Bytes of a bean, from any format.
pub(super) fn bean_bytes<'de, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> std::result::Result<Cow<'de, [u8]>, D::Error> {
    if deserializer.is_human_readable() {
        let value = crate::json::deserialize(deserializer, |bytes| crate::from_slice(bytes))?;
        if value.kind() != Kind::Bean {
            return Err(de::Error::custom("expected a bean"));
        }
        return crate::to_vec(&value).map(Cow::Owned).map_err(de::Error::custom);
    }
    deserializer.deserialize_newtype_struct(name, BeanVisitor)
}

impl<'de> Deserialize<'de> for RawBean<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let bytes = bean_bytes(marker::RAW_BEAN, deserializer)?;
        Ok(RawBean(Cow::Owned(bytes.into_owned())))
    }
}
