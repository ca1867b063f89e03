//! Arrays, documents and variants as serde walks through them.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer as _, EnumAccess, MapAccess, SeqAccess,
    Visitor,
};

use super::key::KeyDeserializer;
use super::lend::Lend;
use super::typed::TypedReader;
use crate::error::{Count, Error, ErrorKind, Result};
use crate::value::Keys;

/// The elements of an array.
pub(super) struct ItemAccess<'a, 'b, M> {
    de: &'a mut TypedReader<'b, M>,
    index: usize,
    reserve: usize,
}

impl<'a, 'b, M> ItemAccess<'a, 'b, M> {
    #[inline]
    pub(super) fn new(de: &'a mut TypedReader<'b, M>) -> Self {
        let reserve = de.reader.reserve();
        ItemAccess { de, index: 0, reserve }
    }

    /// All elements must have been read.
    #[inline]
    pub(super) fn end(&self) -> Result<()> {
        leftover(self.de, self.index, "element")
    }
}

#[inline]
fn leftover<M>(de: &TypedReader<'_, M>, read: usize, what: &'static str) -> Result<()> {
    if de.reader.is_done() {
        return Ok(());
    }
    let expected = Count(read, what);
    Err(Error::at(
        ErrorKind::Data,
        de.reader.offset(),
        format!("expected {expected}, found {}", read.saturating_add(de.reader.count())),
    ))
}

impl<'de, 'b, M: Lend<'b, 'de>> SeqAccess<'de> for &mut ItemAccess<'_, 'b, M> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(kind) = self.de.reader.kind()? else { return Ok(None) };
        self.de.reader.index_key(self.index)?;
        self.de.kind = kind;
        let at = self.de.reader.offset();
        let room = self.de.reader.charge_grown(size_of::<T::Value>());
        match room.and_then(|()| seed.deserialize(&mut *self.de)) {
            Ok(value) => {
                self.index = self.index.saturating_add(1);
                Ok(Some(value))
            }
            // serde's own errors come without an offset: the value's is the nearest.
            Err(error) => Err(error.or_at(at).in_index(self.index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.reserve)
    }
}

/// The entries of a document, of a map or of the fields of a struct.
pub(super) struct EntryAccess<'a, 'b, M, const MAP: bool> {
    de: &'a mut TypedReader<'b, M>,
    index: usize,
    key: &'b str,
    /// The fields of the struct that is read, from the one that is expected next.
    fields: &'static [&'static str],
    /// The keys so far; structs look after their fields themselves.
    keys: Option<(Keys<'b>, Vec<&'b str>)>,
}

impl<'a, 'b, M, const MAP: bool> EntryAccess<'a, 'b, M, MAP> {
    #[inline]
    pub(super) fn new(de: &'a mut TypedReader<'b, M>, fields: &'static [&'static str]) -> Self {
        // `Keys` needs the count to choose a bit set or a hash set; structs need neither.
        let keys = (MAP && !de.reader.options.allow_duplicates)
            .then(|| (Keys::new(de.reader.count()), Vec::new()));
        EntryAccess { de, index: 0, key: "", fields, keys }
    }

    #[inline]
    pub(super) fn end(&self) -> Result<()> {
        leftover(self.de, self.index, "entry")
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

    /// The same for the fields after the next one, which then are missing.
    #[inline(never)]
    fn later_field(&mut self, mut fields: &'static [&'static str]) -> Option<&'static str> {
        const AHEAD: usize = 2;
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

    /// Takes memory for what a map keeps. The fields of a struct lie in the struct, which was paid
    /// for where it is an element.
    #[inline]
    fn charge(&mut self, bytes: usize) -> Result<()> {
        if MAP { self.de.reader.charge_grown(bytes) } else { Ok(()) }
    }

    fn check_new(&mut self, key: &'b str, at: usize) -> Result<()> {
        let Some((keys, before)) = &mut self.keys else { return Ok(()) };
        if !keys.is_new(key.as_bytes(), before.iter().map(|key| key.as_bytes())) {
            return Err(Error::duplicate_key(key).or_at(at));
        }
        before.push(key);
        Ok(())
    }
}

impl<'de, 'b, M: Lend<'b, 'de>, const MAP: bool> MapAccess<'de>
    for &mut EntryAccess<'_, 'b, M, MAP>
{
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(kind) = self.de.reader.kind()? else { return Ok(None) };
        self.de.kind = kind;
        // The fast path of structs; `cstring` below is the one for any other key and order.
        if !MAP && let Some(name) = self.expected_field() {
            self.key = name;
            return seed.deserialize(BorrowedStrDeserializer::<Error>::new(name)).map(Some);
        }
        let at = self.de.reader.offset();
        let key = self.de.reader.cstring()?;
        self.key = key;
        self.check_new(key, at)?;
        self.charge(size_of::<K::Value>())?;
        match seed.deserialize(KeyDeserializer::<M>::new(key, &self.de.reader.options)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.or_at(at).in_field(key)),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let at = self.de.reader.offset();
        match self.charge(size_of::<V::Value>()).and_then(|()| seed.deserialize(&mut *self.de)) {
            Ok(value) => {
                self.index = self.index.saturating_add(1);
                Ok(value)
            }
            Err(error) => Err(error.or_at(at).in_field(self.key)),
        }
    }
}

/// A document of one entry: the variant's name and its content.
pub(super) struct VariantAccess<'a, 'b, M> {
    de: &'a mut TypedReader<'b, M>,
    name: &'b str,
    /// Where the name is, and where the content.
    name_at: usize,
    at: usize,
}

impl<'a, 'b, M> VariantAccess<'a, 'b, M> {
    pub(super) fn new(de: &'a mut TypedReader<'b, M>) -> Result<Self> {
        let name_at = de.reader.offset();
        let name = de.reader.cstring()?;
        let at = de.reader.offset();
        Ok(VariantAccess { de, name, name_at, at })
    }
}

/// Adds the place of the content to an error.
#[inline]
fn inside<T>(read: Result<T>, name: &str, at: usize) -> Result<T> {
    read.map_err(|error| error.or_at(at).in_field(name))
}

impl<'de, 'b, M: Lend<'b, 'de>> EnumAccess<'de> for VariantAccess<'_, 'b, M> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = KeyDeserializer::<M>::new(self.name, &self.de.reader.options);
        let variant = seed.deserialize(variant);
        Ok((variant.map_err(|error| error.or_at(self.name_at))?, self))
    }
}

impl<'de, 'b, M: Lend<'b, 'de>> de::VariantAccess<'de> for VariantAccess<'_, 'b, M> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        inside(Deserialize::deserialize(self.de), self.name, self.at)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        inside(seed.deserialize(self.de), self.name, self.at)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        inside(self.de.deserialize_tuple(len, visitor), self.name, self.at)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        inside(self.de.deserialize_struct("", names, visitor), self.name, self.at)
    }
}
