//! Strings as the format has them: bytes, and UTF-16 code units.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

/// The most bytes without an allocation: what fits beside a tag into three words.
const INLINE: usize = 22;

/// A `std::string`: bytes, usually but not always UTF-8. Up to 22 bytes need no allocation.
///
/// In other serde formats it is a string, or bytes if it is not UTF-8.
#[derive(Clone)]
pub struct ByteString(Repr);

#[derive(Clone)]
enum Repr {
    Inline(u8, [u8; INLINE]),
    Heap(Box<[u8]>),
}

impl ByteString {
    /// From its bytes.
    #[must_use]
    #[inline]
    pub fn new(bytes: &[u8]) -> Self {
        let mut inline = [0; INLINE];
        match (inline.get_mut(..bytes.len()), u8::try_from(bytes.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(bytes);
                ByteString(Repr::Inline(len, inline))
            }
            _ => ByteString(Repr::Heap(bytes.into())),
        }
    }

    /// The bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Repr::Heap(bytes) => bytes,
        }
    }

    /// The text, if it is UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// The text, with � for what is not UTF-8.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }

    /// The bytes in a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Repr::Inline(..) => self.as_bytes().to_vec(),
            Repr::Heap(bytes) => bytes.into_vec(),
        }
    }
}

impl Default for ByteString {
    fn default() -> Self {
        ByteString(Repr::Inline(0, [0; INLINE]))
    }
}

impl PartialEq for ByteString {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for ByteString {}

impl std::hash::Hash for ByteString {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl PartialEq<str> for ByteString {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for ByteString {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => write!(f, "b\"{}\"", self.as_bytes().escape_ascii()),
        }
    }
}

impl From<&str> for ByteString {
    fn from(text: &str) -> Self {
        ByteString::new(text.as_bytes())
    }
}

impl From<String> for ByteString {
    fn from(text: String) -> Self {
        ByteString::from(text.into_bytes())
    }
}

impl From<&[u8]> for ByteString {
    fn from(bytes: &[u8]) -> Self {
        ByteString::new(bytes)
    }
}

impl From<Vec<u8>> for ByteString {
    fn from(bytes: Vec<u8>) -> Self {
        match bytes.len() {
            0..=INLINE => ByteString::new(&bytes),
            _ => ByteString(Repr::Heap(bytes.into_boxed_slice())),
        }
    }
}

impl Serialize for ByteString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(super::STRING, &Bytes(self))
    }
}

struct Bytes<'a>(&'a ByteString);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_str() {
            Some(text) if serializer.is_human_readable() => serializer.serialize_str(text),
            _ => serializer.serialize_bytes(self.0.as_bytes()),
        }
    }
}

/// A text that is bytes in this crate's format, and text or a list in others.
pub(crate) trait Text: From<Vec<Self::Unit>> + for<'a> From<&'a str> {
    type Unit: for<'de> Deserialize<'de>;
    fn from_bytes(bytes: &[u8]) -> Self;
}

pub(crate) struct TextVisitor<T>(&'static str, PhantomData<T>);

impl<T: Text> TextVisitor<T> {
    /// With what it says that it expects.
    pub(crate) fn new(expected: &'static str) -> Self {
        TextVisitor(expected, PhantomData)
    }
}

impl<'de, T: Text> Visitor<'de> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        if inner.is_human_readable() {
            inner.deserialize_any(self)
        } else {
            inner.deserialize_bytes(self)
        }
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<T, E> {
        Ok(T::from_bytes(bytes))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut units = Vec::new();
        while let Some(unit) = seq.next_element()? {
            units.push(unit);
        }
        Ok(units.into())
    }
}

impl Text for ByteString {
    type Unit = u8;
    fn from_bytes(bytes: &[u8]) -> Self {
        ByteString::new(bytes)
    }
}

impl<'de> Deserialize<'de> for ByteString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor::new("a string or bytes");
        deserializer.deserialize_newtype_struct(super::STRING, visitor)
    }
}

/// A `std::wstring`: UTF-16 code units, lone surrogates included.
///
/// In other serde formats it is a string, or a list of numbers if it is not UTF-16.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct WString(Box<[u16]>);

impl WString {
    /// From its code units.
    #[must_use]
    pub fn new(units: impl Into<Box<[u16]>>) -> Self {
        WString(units.into())
    }

    /// The code units.
    #[must_use]
    pub fn units(&self) -> &[u16] {
        &self.0
    }

    /// The text; `None` if there are lone surrogates.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }

    /// The text, with � for lone surrogates.
    #[must_use]
    pub fn to_string_lossy(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }

    /// From little-endian bytes; an odd byte at the end is dropped.
    #[inline]
    pub(crate) fn from_le_bytes(bytes: &[u8]) -> Self {
        let (pairs, _) = bytes.as_chunks::<2>();
        WString(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect())
    }
}

impl From<&str> for WString {
    fn from(text: &str) -> Self {
        WString(text.encode_utf16().collect())
    }
}

impl From<String> for WString {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Vec<u16>> for WString {
    fn from(units: Vec<u16>) -> Self {
        WString(units.into())
    }
}

impl fmt::Debug for WString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_text() {
            Some(text) => fmt::Debug::fmt(&text, f),
            None => write!(f, "{:?}", self.0),
        }
    }
}

impl Serialize for WString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(super::WSTRING, &Units(&self.0))
    }
}

struct Units<'a>(&'a [u16]);

impl Serialize for Units<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return match String::from_utf16(self.0) {
                Ok(text) => serializer.serialize_str(&text),
                Err(_) => serializer.collect_seq(self.0),
            };
        }
        let bytes: Vec<u8> = self.0.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl Text for WString {
    type Unit = u16;
    fn from_bytes(bytes: &[u8]) -> Self {
        WString::from_le_bytes(bytes)
    }
}

impl<'de> Deserialize<'de> for WString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor::new("a string or UTF-16 code units");
        deserializer.deserialize_newtype_struct(super::WSTRING, visitor)
    }
}
