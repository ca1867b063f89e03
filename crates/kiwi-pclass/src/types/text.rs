//! Strings as the format has them: bytes, and UTF-16 code units.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use gamewire_core::bytes::part;
use serde_core::de::value::SeqAccessDeserializer;
use serde_core::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

/// The most bytes without an allocation: what fits beside a tag into three words.
const INLINE: usize = 22;

/// A `std::string`: bytes, usually but not always UTF-8. Up to 22 bytes need no allocation.
///
/// In other serde formats it is a string, or bytes if it is not UTF-8.
///
/// It has the methods of a slice of bytes, is compared and ordered by them, and is equal to a text of
/// the same bytes. As a key it is found by its bytes. Displayed, it has � for what is not UTF-8.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use kiwi_pclass::types::ByteString;
///
/// let name = ByteString::from("Fire Cat");
/// assert!(name == "Fire Cat" && "Fire Cat" == name && name.starts_with(b"Fire"));
/// assert!(name < *"Ice Beetle" && name > ByteString::from("Fire"));
/// assert_eq!(ByteString::new(b"caf\xe9").to_string(), "caf\u{fffd}");
///
/// let ranks = BTreeMap::from([(name, 1)]);
/// assert_eq!(ranks.get(b"Fire Cat".as_slice()), Some(&1));
/// ```
#[derive(Clone)]
pub struct ByteString(Repr);

#[derive(Clone)]
enum Repr {
    Inline(u8, [u8; INLINE]),
    Heap(Box<[u8]>),
}

impl ByteString {
    /// From its bytes.
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
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline(len, bytes) => part(bytes, ..usize::from(*len)),
            Repr::Heap(bytes) => bytes,
        }
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// The text, with � for what is not UTF-8.
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

impl PartialOrd for ByteString {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By the bytes.
impl Ord for ByteString {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

/// The traits of both texts: a slice of units, equality with texts and slices of units from both sides,
/// order beside them, and a newtype in serde.
macro_rules! text {
    (
        $type:ident: [$unit:ty] = $units:ident, $expected:literal, $mark:path,
        |$own:ident, $text:ident| $compare:expr
    ) => {
        impl Deref for $type {
            type Target = [$unit];
            #[inline]
            fn deref(&self) -> &[$unit] {
                self.$units()
            }
        }

        impl AsRef<[$unit]> for $type {
            fn as_ref(&self) -> &[$unit] {
                self
            }
        }

        impl Borrow<[$unit]> for $type {
            fn borrow(&self) -> &[$unit] {
                self
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.to_string_lossy())
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($mark, &Inside(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct($mark, TextVisitor::new($expected))
            }
        }

        text!(@with $type, str, |$own, $text| $compare);
        text!(@with $type, [$unit], |own, other| own.iter().cmp(other.iter()));
        text!(@same $type, &str);
        text!(@same $type, String);
        text!(@same $type, &[$unit]);
    };
    (@with $type:ident, $other:ty, |$own:ident, $it:ident| $compare:expr) => {
        impl PartialEq<$other> for $type {
            fn eq(&self, other: &$other) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal)
            }
        }

        impl PartialEq<$type> for $other {
            fn eq(&self, other: &$type) -> bool {
                other == self
            }
        }

        impl PartialOrd<$other> for $type {
            fn partial_cmp(&self, other: &$other) -> Option<Ordering> {
                let ($own, $it) = (self, other);
                Some($compare)
            }
        }
    };
    (@same $type:ident, $other:ty) => {
        impl PartialEq<$other> for $type {
            fn eq(&self, other: &$other) -> bool {
                *self == **other
            }
        }

        impl PartialEq<$type> for $other {
            fn eq(&self, other: &$type) -> bool {
                *other == **self
            }
        }
    };
}

text! {
    ByteString: [u8] = as_bytes, "a string or bytes", super::STRING,
    |own, text| own.as_bytes().cmp(text.as_bytes())
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => write!(f, "b\"{}\"", self.as_bytes().escape_ascii()),
        }
    }
}

macro_rules! from {
    ($target:ty; $($value:ident: $type:ty => $new:expr;)+) => {$(
        impl From<$type> for $target {
            fn from($value: $type) -> Self {
                $new
            }
        }
    )+};
}

from! {
    ByteString;
    text: &str => ByteString::new(text.as_bytes());
    text: String => ByteString::from(text.into_bytes());
    bytes: &[u8] => ByteString::new(bytes);
    bytes: Vec<u8> => match bytes.len() {
        0..=INLINE => ByteString::new(&bytes),
        _ => ByteString(Repr::Heap(bytes.into_boxed_slice())),
    };
}

/// Inside of the newtype.
struct Inside<'a, T>(&'a T);

impl Serialize for Inside<'_, ByteString> {
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

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(T::from)
    }
}

impl Text for ByteString {
    type Unit = u8;
    fn from_bytes(bytes: &[u8]) -> Self {
        ByteString::new(bytes)
    }
}

/// A `std::wstring`: UTF-16 code units, lone surrogates included.
///
/// In other serde formats it is a string, or a list of numbers if it is not UTF-16.
///
/// It has the methods of a slice of code units, is compared and ordered by them, and is equal to the
/// text that they are. As a key it is found by its units. Displayed, it has � for lone surrogates.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use kiwi_pclass::types::WString;
///
/// let title = WString::from("Größe");
/// assert!(title == "Größe" && "Größe" == title && title.len() == 5);
/// assert!(title < *"Höhe" && title > WString::from("Größ"));
/// assert_eq!(WString::new([0x41, 0xd800]).to_string(), "A\u{fffd}");
///
/// let sizes = BTreeMap::from([(WString::from("A"), 1)]);
/// assert_eq!(sizes.get([0x41].as_slice()), Some(&1));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WString(Box<[u16]>);

impl WString {
    /// From its code units.
    pub fn new(units: impl Into<Box<[u16]>>) -> Self {
        WString(units.into())
    }

    /// The code units.
    pub fn units(&self) -> &[u16] {
        &self.0
    }

    /// The text; `None` if there are lone surrogates.
    pub fn to_text(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }

    /// The text, with � for lone surrogates.
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

from! {
    WString;
    text: &str => WString(text.encode_utf16().collect());
    text: String => text.as_str().into();
    units: Vec<u16> => WString(units.into());
}

text! {
    WString: [u16] = units, "a string or UTF-16 code units", super::WSTRING,
    |own, text| own.iter().copied().cmp(text.encode_utf16())
}

impl fmt::Debug for WString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_text() {
            Some(text) => fmt::Debug::fmt(&text, f),
            None => write!(f, "{:?}", self.0),
        }
    }
}

impl Serialize for Inside<'_, WString> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let units = self.0.units();
        if serializer.is_human_readable() {
            return match self.0.to_text() {
                Some(text) => serializer.serialize_str(&text),
                None => serializer.collect_seq(units),
            };
        }
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl Text for WString {
    type Unit = u16;
    fn from_bytes(bytes: &[u8]) -> Self {
        WString::from_le_bytes(bytes)
    }
}
