//! The fields of a struct as serde asks for them.

use std::marker::PhantomData;

use serde_core::de::value::BytesDeserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};

use super::layer::{LayerReader, step};
use super::{Deserializer, Next, variant};
use crate::error::{Error, Result};
use crate::ids::Field;
use crate::kind::Kind;
use crate::types::marker;

/// The fields of a bean as the elements of a struct: each that is asked for is present, absent ones
/// are zero.
pub(super) struct FieldAccess<'a, 'de> {
    pub(super) de: &'a mut Deserializer<'de>,
    pub(super) layer: LayerReader,
}

impl FieldAccess<'_, '_> {
    /// Goes to the end of the bean.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Result<()> {
        self.layer.end(&mut self.de.decoder, self.de.depth)
    }
}

impl<'de> SeqAccess<'de> for &mut FieldAccess<'_, 'de> {
    type Error = Error;

    // serde's own is a call for each field.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let FieldAccess { de, layer } = &mut **self;
        let Some(Field { id, index }) = layer.ask(&de.known) else { return Ok(None) };
        let kind = match id {
            None => {
                de.unnumbered = layer.names.get(index as usize).copied().unwrap_or_default();
                de.next = Next::NoId;
                None
            }
            Some(id) => {
                let kind = layer.find(id.get(), &mut de.decoder, de.depth)?;
                de.next = Next::of(kind);
                kind
            }
        };
        let (left, losses) = (de.decoder.rest().len(), de.losses.len());
        match seed.deserialize(FieldValue { de, layer }) {
            Ok(value) => {
                if losses != de.losses.len() {
                    let names = layer.names;
                    de.go_on(losses, left, kind)?;
                    de.place(losses, move || step(names, index));
                }
                Ok(Some(value))
            }
            Err(error) => {
                let error = de.located(error, left).inside(step(layer.names, index));
                // For a visitor that ignores the error and asks for the next field.
                if let (Some(id), Some(kind)) = (id, kind) {
                    de.give_up(losses, left);
                    layer.put_back(id.get(), kind);
                }
                Err(error)
            }
        }
    }
}

impl Deserializer<'_> {
    /// Adds the offset to an error in a value that began where `left` bytes were left.
    #[cold]
    #[inline(never)]
    pub(super) fn located(&self, error: Error, left: usize) -> Error {
        let read = left.saturating_sub(self.decoder.rest().len());
        error.or_at(self.decoder.offset().saturating_sub(read))
    }
}

/// The value of a field, which may be absent, and may be the rest of its layer.
pub(crate) struct FieldValue<'a, 'de> {
    pub(super) de: &'a mut Deserializer<'de>,
    /// Of the struct; an empty one where the value is in none.
    pub(super) layer: &'a mut LayerReader,
}

impl<'de> FieldValue<'_, 'de> {
    /// One of the markers `Base` and `Unknown`.
    #[inline(never)]
    fn marker<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        let FieldValue { de, layer } = self;
        let next = de.take();
        if !layer.has_fields() || next == Next::Any {
            return Err(marker::misplaced(name));
        }
        let is_unknown = name == marker::UNKNOWN;
        let unknown = is_unknown.then(|| layer.unknown_fields(&de.known, &de.decoder, de.depth));
        let unknown = unknown.transpose()?;
        // A newer peer gave the marker's position to a field that is not known here.
        if let Next::Is(kind) = next {
            de.decoder.skip(kind, de.depth)?;
        }
        if let Some(bytes) = unknown {
            return visitor.visit_newtype_struct(BytesDeserializer::new(&bytes));
        }
        if layer.go_to_base(&mut de.decoder, de.depth)? {
            de.next = Next::Is(Kind::Bean);
            let (left, losses) = (de.decoder.rest().len(), de.losses.len());
            let base = de.inside(|de| visitor.visit_newtype_struct(de))?;
            return de.go_on(losses, left, Some(Kind::Bean)).map(|()| base);
        }
        de.next = Next::Absent;
        visitor.visit_newtype_struct(de)
    }
}

/// The part that is the same for every value.
macro_rules! values {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.de.$method($($arg,)* visitor)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for FieldValue<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    values! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(),
        deserialize_i32(), deserialize_i64(), deserialize_i128(), deserialize_u8(),
        deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(),
        deserialize_string(), deserialize_bytes(), deserialize_byte_buf(), deserialize_unit(),
        deserialize_unit_struct(name: &'static str), deserialize_seq(), deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize), deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]), deserialize_enum(name: &'static str, variants: &'static [&'static str]),
        deserialize_ignored_any(),
    }

    /// The tag of an adjacently tagged enum.
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(variant::no_names())
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if matches!(self.de.next, Next::Absent | Next::NoId) {
            let absent = self.de.take();
            self.de.zero("", absent)?;
            return visitor.visit_none();
        }
        self.de.some(|de| visitor.visit_some(de))
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if marker::is_reserved(name) {
            return match name {
                marker::BASE | marker::UNKNOWN => self.marker(name, visitor),
                _ => self.de.reserved(name, visitor),
            };
        }
        let FieldValue { de, layer } = self;
        de.inside(|de| visitor.visit_newtype_struct(FieldValue { de, layer }))
    }
}
