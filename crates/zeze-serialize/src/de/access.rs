//! Lists, maps and beans as serde walks through them.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::{Deserializer, Next};
use crate::error::{Count, Error, ErrorKind, Result, Segment};
use crate::kind::Kind;
use crate::read::{ListHead, MapHead, Vector};

#[inline]
fn leftover(count: usize, read: usize, what: &'static str, at: usize) -> Result<()> {
    if count == read {
        return Ok(());
    }
    Err(Error::at(ErrorKind::Data, at, format!("expected {}, found {count}", Count(read, what))))
}

/// The elements of a list.
pub(super) struct ItemAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    head: ListHead,
    index: usize,
    reserve: usize,
}

impl<'a, 'de> ItemAccess<'a, 'de> {
    #[inline]
    pub(super) fn new(de: &'a mut Deserializer<'de>, head: ListHead) -> Self {
        let reserve = de.decoder.reserve(head.count);
        ItemAccess { de, head, index: 0, reserve }
    }

    /// All elements must have been read.
    #[inline]
    pub(super) fn end(&self, at: usize) -> Result<()> {
        leftover(self.head.count, self.index, "element", at)
    }
}

impl<'de> SeqAccess<'de> for &mut ItemAccess<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.head.count {
            return Ok(None);
        }
        let (left, losses) = (self.de.decoder.rest().len(), self.de.losses.len());
        self.de.next = Next::Is(self.head.kind);
        match seed.deserialize(&mut *self.de) {
            Ok(value) => {
                if losses != self.de.losses.len() {
                    self.de.go_on(losses, left, Some(self.head.kind))?;
                    self.de.place(losses, || Segment::Index(self.index));
                }
                self.index = self.index.wrapping_add(1);
                Ok(Some(value))
            }
            Err(error) => Err(self.de.located(error, left).inside(self.index)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.reserve)
    }
}

/// The entries of a map.
pub(super) struct EntryAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    head: MapHead,
    index: usize,
    reserve: usize,
    /// Where the key of the value that is next starts.
    key_at: usize,
}

impl<'a, 'de> EntryAccess<'a, 'de> {
    #[inline]
    pub(super) fn new(de: &'a mut Deserializer<'de>, head: MapHead) -> Self {
        // Hash maps take more for an entry than its size, so less is reserved ahead.
        let reserve = de.decoder.reserve(head.count).min(1024);
        EntryAccess { de, head, index: 0, reserve, key_at: 0 }
    }

    #[inline]
    pub(super) fn end(&self, at: usize) -> Result<()> {
        leftover(self.head.count, self.index, "entry", at)
    }
}

impl<'de> MapAccess<'de> for &mut EntryAccess<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.index >= self.head.count {
            return Ok(None);
        }
        // For the path of an error in the value.
        self.key_at = self.de.decoder.offset();
        let (left, losses) = (self.de.decoder.rest().len(), self.de.losses.len());
        self.de.next = Next::Is(self.head.kinds.0);
        match seed.deserialize(&mut *self.de) {
            Ok(key) => {
                self.de.go_on(losses, left, Some(self.head.kinds.0))?;
                self.de.place(losses, || Segment::KeyOf(self.index));
                Ok(Some(key))
            }
            Err(error) => Err(error.or_at(self.key_at).inside(Segment::KeyOf(self.index))),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (at, losses) = (self.de.decoder.offset(), self.de.losses.len());
        let left = self.de.decoder.rest().len();
        self.de.next = Next::Is(self.head.kinds.1);
        let value = seed.deserialize(&mut *self.de);
        let bytes = self.de.decoder.bytes_from(self.key_at);
        let key = || crate::value::key_segment(bytes, self.head.kinds.0, self.index);
        match value {
            Ok(value) => {
                self.de.go_on(losses, left, Some(self.head.kinds.1))?;
                self.de.place(losses, key);
                self.index = self.index.saturating_add(1);
                Ok(value)
            }
            Err(error) => Err(error.or_at(at).inside(key())),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.reserve)
    }
}

/// Bytes as a list of `u8`; a list of anything else is empty.
pub(super) struct ByteAccess<'de> {
    pub(super) bytes: std::slice::Iter<'de, u8>,
    /// Whether the elements are `u8`, which shows when one is asked for.
    pub(super) fits: bool,
}

impl<'de> SeqAccess<'de> for &mut ByteAccess<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if !self.fits {
            return Ok(None);
        }
        let byte = self.bytes.next();
        self.fits = false;
        // Without bytes an element is made of 0 and thrown away, to see what it is.
        match seed.deserialize(Byte(byte.copied().unwrap_or(0), &mut self.fits)) {
            Ok(value) => Ok(byte.map(|_| value)),
            Err(error) if self.fits && byte.is_some() => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.bytes.len())
    }
}

/// A byte, for `u8` only, and whether it was that.
struct Byte<'a>(u8, &'a mut bool);

impl<'de> de::Deserializer<'de> for Byte<'_> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(Error::new(ErrorKind::Incompatible, "bytes are a list of `u8` only"))
    }

    #[inline]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        *self.1 = true;
        visitor.visit_u8(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The components of a vector.
pub(super) struct ComponentAccess {
    pub(super) vector: Vector,
    pub(super) kind: Kind,
    pub(super) index: usize,
}

impl<'de> SeqAccess<'de> for ComponentAccess {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.kind.components() {
            return Ok(None);
        }
        let index = self.index;
        self.index = index.saturating_add(1);
        let value = if self.kind.has_ints() {
            seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.vector.int(index)))
        } else {
            seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.vector.float(index)))
        };
        value.map(Some).map_err(|error| error.inside(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.kind.components().saturating_sub(self.index))
    }
}
