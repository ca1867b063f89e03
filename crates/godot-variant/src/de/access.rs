//! Arrays, dictionaries, objects and variants as serde walks through them.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess};

use super::native::TextDeserializer;
use crate::Deserializer;
use crate::error::{Count, Error, ErrorKind, Result, Segment};
use crate::value::key_segment;

/// The elements of an array.
pub(super) struct ItemAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    count: usize,
    index: usize,
    reserve: usize,
}

impl<'a, 'de> ItemAccess<'a, 'de> {
    pub(super) fn new(de: &'a mut Deserializer<'de>, count: usize) -> Self {
        let reserve = de.reader.reserve(count, 4);
        ItemAccess { de, count, index: 0, reserve }
    }

    /// All elements must have been read.
    #[inline]
    pub(super) fn end(&self, at: usize) -> Result<()> {
        leftover(self.count, self.index, "element", at)
    }
}

#[inline]
fn leftover(count: usize, read: usize, what: &'static str, at: usize) -> Result<()> {
    if count == read {
        return Ok(());
    }
    Err(Error::at(ErrorKind::Data, at, format!("expected {}, found {count}", Count(read, what))))
}

impl<'de> SeqAccess<'de> for &mut ItemAccess<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.count {
            return Ok(None);
        }
        let at = self.de.reader.offset();
        match seed.deserialize(&mut *self.de) {
            Ok(value) => {
                self.index = self.index.saturating_add(1);
                Ok(Some(value))
            }
            Err(error) => Err(error.or_at(at).inside(self.index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.reserve)
    }
}

/// The entries of a dictionary, or the properties of a whole object, whose names have no header.
pub(super) struct EntryAccess<'a, 'de, const NAMES: bool> {
    de: &'a mut Deserializer<'de>,
    count: usize,
    index: usize,
    /// Where the key of the value that is next starts.
    key_at: usize,
    /// The fields of the struct that is read, from the one that is expected next.
    fields: &'static [&'static str],
}

impl<'a, 'de, const NAMES: bool> EntryAccess<'a, 'de, NAMES> {
    #[inline]
    pub(super) fn new(
        de: &'a mut Deserializer<'de>,
        count: usize,
        fields: &'static [&'static str],
    ) -> Self {
        // Strict reading looks at each byte of a key, padding too.
        let fields = if de.reader.strict() { &[] } else { fields };
        EntryAccess { de, count, index: 0, key_at: 0, fields }
    }

    #[inline]
    pub(super) fn end(&self, at: usize) -> Result<()> {
        leftover(self.count, self.index, if NAMES { "property" } else { "entry" }, at)
    }

    /// Takes the next key if it is the name of one of the fields that are expected next. Structs
    /// mostly come in the order of their fields, and a known name needs no check of its text.
    #[inline]
    fn expected_field(&mut self) -> Option<&'static str> {
        let (name, rest) = self.fields.split_first()?;
        if self.de.reader.take_key(name) {
            self.fields = rest;
            return Some(name);
        }
        self.later_field(rest)
    }

    /// Some fields are left out.
    #[inline(never)]
    fn later_field(&mut self, mut fields: &'static [&'static str]) -> Option<&'static str> {
        const AHEAD: usize = 3;
        for _ in 0..AHEAD {
            let (name, rest) = fields.split_first()?;
            fields = rest;
            if self.de.reader.take_key(name) {
                self.fields = rest;
                return Some(name);
            }
        }
        None
    }
}

impl<'de, const NAMES: bool> MapAccess<'de> for &mut EntryAccess<'_, 'de, NAMES> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.index >= self.count {
            return Ok(None);
        }
        self.key_at = self.de.reader.offset();
        let key = match self.expected_field() {
            _ if NAMES => seed.deserialize(TextDeserializer {
                text: self.de.reader.string()?,
                is_readable: self.de.reader.options.human_readable,
            }),
            Some(name) => seed.deserialize(BorrowedStrDeserializer::<Error>::new(name)),
            None => seed.deserialize(&mut *self.de),
        };
        match key {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.or_at(self.key_at).inside(Segment::KeyOf(self.index))),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let at = self.de.reader.offset();
        match seed.deserialize(&mut *self.de) {
            Ok(value) => {
                self.index = self.index.saturating_add(1);
                Ok(value)
            }
            Err(error) => {
                let mut again = self.de.reader.again(self.key_at);
                let key = match NAMES {
                    true => Segment::field(&again.string().unwrap_or_default()),
                    false => key_segment(again, self.index),
                };
                Err(error.or_at(at).inside(key))
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        // A lying count must not reserve much, at any depth; maps grow fast enough.
        Some(self.count.saturating_sub(self.index).min(8))
    }
}

/// A dictionary of one entry: the variant's name and its content.
pub(super) struct VariantAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    name_at: usize,
}

impl<'a, 'de> VariantAccess<'a, 'de> {
    pub(super) fn new(de: &'a mut Deserializer<'de>) -> Self {
        VariantAccess { name_at: de.reader.offset(), de }
    }

    /// Adds the variant's name to the path of an error.
    #[inline]
    fn content<T>(self, read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>) -> Result<T> {
        let at = self.de.reader.offset();
        match read(&mut *self.de) {
            Ok(value) => Ok(value),
            Err(error) => {
                let name = key_segment(self.de.reader.again(self.name_at), 0);
                Err(error.or_at(at).inside(name))
            }
        }
    }
}

impl<'de> EnumAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let value = seed.deserialize(&mut *self.de).map_err(|error| error.or_at(self.name_at))?;
        Ok((value, self))
    }
}

impl<'de> de::VariantAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content(|de| de::Deserialize::deserialize(de))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content(|de| seed.deserialize(de))
    }

    fn tuple_variant<V: de::Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|de| de::Deserializer::deserialize_tuple(de, len, visitor))
    }

    fn struct_variant<V: de::Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content(|de| de::Deserializer::deserialize_struct(de, "", fields, visitor))
    }
}
