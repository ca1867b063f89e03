//! What an absent field is: zero, empty, the default of its type.

use gamewire_core::words::{Name, Names};
use serde_core::de::value::{BorrowedBytesDeserializer, BytesDeserializer, SeqAccessDeserializer};
use serde_core::de::{
    self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use super::Deserializer;
use super::access::Pair;
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::ids;
use crate::kind::Kind;
use crate::types::marker;

/// Deserializes zero, whatever is asked for.
pub(super) struct Zero<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    /// Whether it stands for a field of the struct that is being read.
    is_field: bool,
    /// Whether that field has no id, so that only the markers can stand there.
    only_marker: bool,
}

impl<'a, 'de> Zero<'a, 'de> {
    /// Of a whole value.
    pub(super) fn outside(de: &'a mut Deserializer<'de>) -> Self {
        Zero { de, is_field: false, only_marker: false }
    }

    /// Of an absent field.
    #[inline]
    pub(super) fn of_field(de: &'a mut Deserializer<'de>, only_marker: bool) -> Self {
        Zero { de, is_field: true, only_marker }
    }

    /// A field without id can be a marker only.
    #[inline]
    fn check(&self) -> Result<()> {
        if self.only_marker {
            return Err(ids::without(self.de.field_name()));
        }
        Ok(())
    }

    fn inner(&mut self) -> Zero<'_, 'de> {
        Zero { de: self.de, is_field: false, only_marker: false }
    }

    /// A struct, tuple or list of zeros.
    pub(super) fn tuple<V: Visitor<'de>>(mut self, len: usize, visitor: V) -> Result<V::Value> {
        self.check()?;
        // A type that holds itself has no end of zeros, so they count as levels.
        self.de.enter()?;
        let value = visitor.visit_seq(Zeros { zero: self.inner(), left: len })?;
        self.de.leave();
        Ok(value)
    }
}

#[cold]
pub(super) fn no_tag() -> Error {
    Error::new(ErrorKind::Unsupported, "adjacently tagged enums have no form in a bean")
}

struct Zeros<'a, 'de> {
    zero: Zero<'a, 'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Zeros<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(self.zero.inner()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(0)
    }
}

struct NoEntries;

impl<'de> MapAccess<'de> for NoEntries {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Result<Option<K::Value>> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, _: V) -> Result<V::Value> {
        Err(de::Error::custom("the map has no entries"))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(0)
    }
}

macro_rules! zeros {
    ($($method:ident $visit:ident $zero:expr),+ $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.check()?;
            visitor.$visit($zero)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for Zero<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    zeros! {
        deserialize_any visit_i64 0,
        deserialize_bool visit_bool false,
        deserialize_i8 visit_i64 0,
        deserialize_i16 visit_i64 0,
        deserialize_i32 visit_i64 0,
        deserialize_i64 visit_i64 0,
        deserialize_i128 visit_i64 0,
        deserialize_u8 visit_i64 0,
        deserialize_u16 visit_i64 0,
        deserialize_u32 visit_i64 0,
        deserialize_u64 visit_i64 0,
        deserialize_u128 visit_i64 0,
        deserialize_f32 visit_f32 0.0,
        deserialize_f64 visit_f64 0.0,
        deserialize_char visit_char '\0',
        deserialize_str visit_borrowed_str "",
        deserialize_string visit_borrowed_str "",
        deserialize_bytes visit_borrowed_bytes &[],
        deserialize_byte_buf visit_borrowed_bytes &[],
    }

    /// Asked for by the tag of an adjacently tagged enum, which does not say what its variants are.
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(no_tag())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check()?;
        visitor.visit_none()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check()?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: Name, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if !marker::is_reserved(name) {
            self.de.enter()?;
            let inner =
                Zero { de: &mut *self.de, is_field: self.is_field, only_marker: self.only_marker };
            let value = visitor.visit_newtype_struct(inner)?;
            self.de.leave();
            return Ok(value);
        }
        match name {
            marker::BASE if self.is_field => self.de.base(visitor),
            marker::BASE => visitor.visit_newtype_struct(self.inner()),
            marker::UNKNOWN if self.is_field => {
                // The marker has no id of its own, so it is always absent, and this is the way to it.
                let bytes = self.de.unknown_fields()?;
                visitor.visit_newtype_struct(BytesDeserializer::new(&bytes))
            }
            marker::UNKNOWN => visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0])),
            marker::VALUE => {
                self.check()?;
                visitor
                    .visit_newtype_struct(SeqAccessDeserializer::new(Pair(Some(Kind::Int), &[0])))
            }
            marker::RAW_BEAN => {
                self.check()?;
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0]))
            }
            _ => Err(marker::misplaced(name)),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.tuple(0, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.tuple(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check()?;
        visitor.visit_map(NoEntries)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(fields.len(), visitor)
    }

    /// The variant with the id 0, else the first one if it has no content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check()?;
        self.de.enter()?;
        let zero = ids::by_number(variants, 0)?;
        let access = ZeroVariant { de: &mut *self.de, name, zero };
        let value = visitor.visit_enum(access)?;
        self.de.leave();
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }
}

/// The variant of an absent enum.
struct ZeroVariant<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    /// Of the enum.
    name: &'static str,
    /// The variant with the number 0.
    zero: ids::Variant,
}

impl<'a, 'de> EnumAccess<'de> for ZeroVariant<'a, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = match self.zero {
            ids::Variant::Name(name) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name))?
            }
            ids::Variant::Index(index) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(index))?
            }
            ids::Variant::Unknown => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer("0"))?
            }
        };
        Ok((variant, self))
    }
}

impl<'a, 'de> ZeroVariant<'a, 'de> {
    /// An absent enum is a variant with content only if its name says that it is the one.
    fn content(self) -> Result<Zero<'a, 'de>> {
        match self.zero {
            ids::Variant::Name(_) => Ok(Zero::outside(self.de)),
            _ => Err(Error::new(
                ErrorKind::Data,
                format!(
                    "expected a variant of enum `{}`, found nothing, and no variant has the id 0",
                    Shortened(self.name)
                ),
            )),
        }
    }
}

impl<'de> de::VariantAccess<'de> for ZeroVariant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content()?.tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: Names, visitor: V) -> Result<V::Value> {
        self.content()?.tuple(fields.len(), visitor)
    }
}
