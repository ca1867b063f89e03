//! Enums: integers, or dynamic beans.

use gamewire_core::words::Names;
use serde_core::de::{
    self, DeserializeSeed, Deserializer as _, EnumAccess, IntoDeserializer, Visitor,
};

use super::Deserializer;
use super::layer::Layer;
use super::zero::Zero;
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::ids::{self, Numbering};
use crate::kind::Kind;
use crate::types::marker;

impl<'de> Deserializer<'de> {
    pub(super) fn read_enum<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.decoder.offset();
        match self.kind.take() {
            Some(kind @ (Kind::Int | Kind::Float | Kind::Double)) if marker::is_dynamic(name) => {
                self.incompatible("a dynamic bean", kind)?;
                self.zero().deserialize_enum(name, variants, visitor)
            }
            Some(kind @ (Kind::Int | Kind::Float | Kind::Double)) => {
                let number = self.int_from(kind, true)?;
                self.unit(name, variants, number, visitor).map_err(|error| error.or_at(at))
            }
            None | Some(Kind::Dynamic) => {
                let id = self.decoder.int()?;
                let variant = find(variants, id);
                let other = variants.iter().find(|name| ids::is_other(name));
                if variant.is_none()
                    && other.is_none()
                    && self.decoder.options.unknown_as_empty
                    && !self.strict()
                    && find(variants, 0).is_some()
                {
                    self.decoder.skip(Kind::Bean, self.depth)?;
                    return self.zero().deserialize_enum(name, variants, visitor);
                }
                self.dynamic(id, variant, other.map(|name| (*name, at)), visitor)
            }
            // A bean becomes the dynamic bean of type id 0.
            Some(Kind::Bean) => {
                let variant = variants.iter().find(|name| ids::number(name) == Some(0)).copied();
                self.dynamic(0, variant, None, visitor)
            }
            Some(other) => {
                self.incompatible("an integer or a dynamic bean", other)?;
                self.zero().deserialize_enum(name, variants, visitor)
            }
        }
    }

    /// A variant without content, from its number.
    fn unit<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        variants: &'static [&'static str],
        number: i64,
        visitor: V,
    ) -> Result<V::Value> {
        let key = match ids::by_number(variants, number)? {
            ids::Variant::Name(name) => Key::Name(name),
            ids::Variant::Index(index) => Key::Index(index),
            ids::Variant::Unknown => Key::Unknown(number),
        };
        visitor.visit_enum(UnitAccess { name, key })
    }

    fn dynamic<V: Visitor<'de>>(
        &mut self,
        id: i64,
        variant: Option<&'static str>,
        other: Option<(&'static str, usize)>,
        visitor: V,
    ) -> Result<V::Value> {
        self.enter()?;
        // A type id that is not known is an error, unless the enum has a variant for it: `*` keeps the
        // bean, and `serde(other)` says that it is not wanted.
        let (key, whole) = match (variant, other) {
            (Some(name), _) => (Key::Name(name), None),
            (None, Some((name, at))) => (Key::Name(name), Some(at)),
            (None, None) => (Key::Unknown(id), None),
        };
        let value = visitor.visit_enum(DynamicAccess { de: &mut *self, key, whole })?;
        self.leave();
        Ok(value)
    }
}

/// The variant of a type id.
fn find(variants: &'static [&'static str], id: i64) -> Option<&'static str> {
    variants.iter().find(|name| ids::variant(name) == id).copied()
}

/// How a variant is told to the enum.
#[derive(Clone, Copy)]
enum Key {
    Name(&'static str),
    Index(u64),
    /// No variant has this number.
    Unknown(i64),
}

impl Key {
    fn give<'de, V: DeserializeSeed<'de>>(self, seed: V) -> Result<V::Value> {
        match self {
            Key::Name(name) => seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name)),
            Key::Index(index) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(index))
            }
            Key::Unknown(number) => {
                let number = number.to_string();
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(&*number))
            }
        }
    }
}

/// A variant that was an integer.
struct UnitAccess {
    /// Of the enum.
    name: &'static str,
    key: Key,
}

impl UnitAccess {
    fn no_content<T>(self) -> Result<T> {
        Err(Error::new(
            ErrorKind::Data,
            format!(
                "expected a dynamic bean for a variant of enum `{}` with content, found an integer",
                Shortened(self.name)
            ),
        ))
    }
}

impl<'de> EnumAccess<'de> for UnitAccess {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        Ok((self.key.give(seed)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for UnitAccess {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value> {
        self.no_content()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        self.no_content()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        self.no_content()
    }
}

/// A variant that is a dynamic bean, whose type id was read.
struct DynamicAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    key: Key,
    /// Where the dynamic bean begins, if the variant takes it with its type id.
    whole: Option<usize>,
}

impl<'a, 'de> DynamicAccess<'a, 'de> {
    /// Runs on the content of the variant.
    fn content<T>(self, read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>) -> Result<T> {
        let at = self.de.decoder.offset();
        let read = match (self.whole, self.key) {
            (Some(_), Key::Name(name)) => Err(ids::other_without_content(name)),
            _ => read(self.de),
        };
        read.map_err(|error| match self.key {
            Key::Name(name) => error.or_at(at).inside(ids::shown(name)),
            _ => error.or_at(at),
        })
    }
}

impl<'de> EnumAccess<'de> for DynamicAccess<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let at = self.de.decoder.offset();
        Ok((self.key.give(seed).map_err(|error| error.or_at(at))?, self))
    }
}

impl<'de> de::VariantAccess<'de> for DynamicAccess<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content(|de| de.decoder.skip(Kind::Bean, de.depth))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value> {
        if let Some(at) = self.whole.take() {
            self.de.decoder.go_to(at);
            self.de.kind = Some(Kind::Dynamic);
            return self.content(|de| seed.deserialize(&mut *de));
        }
        self.content(|de| seed.deserialize(Content { de }))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|de| de.positions(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: Names, visitor: V) -> Result<V::Value> {
        self.content(|de| de.named(fields, visitor))
    }
}

/// What is in a newtype variant: a bean, or what is not a bean as the field 1 of one.
struct Content<'a, 'de> {
    de: &'a mut Deserializer<'de>,
}

impl<'de> Content<'_, 'de> {
    /// Reads the field 1 of the bean.
    fn wrapped<T>(self, read: impl FnOnce(&mut Deserializer<'de>, bool) -> Result<T>) -> Result<T> {
        let de = self.de;
        let mut layer = Layer::new(de.decoder.offset(), &[], Numbering::Position);
        let found = layer.find(1, &mut de.decoder, de.depth)?;
        de.kind = found;
        let value = read(de, found.is_some())?;
        layer.close(&mut de.decoder, de.depth)?;
        Ok(value)
    }
}

/// Values that are no beans.
macro_rules! wrapped {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.wrapped(|de, found| {
                if found {
                    de.$method($($arg,)* visitor)
                } else {
                    Zero::outside(de).$method($($arg,)* visitor)
                }
            })
        }
    )+};
}

/// Values that are beans themselves.
macro_rules! beans {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.de.kind = Some(Kind::Bean);
            self.de.$method($($arg,)* visitor)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for Content<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    wrapped! {
        deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(),
        deserialize_i64(), deserialize_i128(), deserialize_u8(), deserialize_u16(),
        deserialize_u32(), deserialize_u64(), deserialize_u128(), deserialize_f32(),
        deserialize_f64(), deserialize_char(), deserialize_str(), deserialize_string(),
        deserialize_bytes(), deserialize_byte_buf(), deserialize_option(), deserialize_seq(),
        deserialize_map(), deserialize_identifier(),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    beans! {
        deserialize_any(), deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_tuple(len: usize), deserialize_ignored_any(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if marker::is_reserved(name) {
            self.de.kind = Some(Kind::Bean);
            return self.de.reserved(name, visitor);
        }
        self.de.enter()?;
        let value = visitor.visit_newtype_struct(Content { de: &mut *self.de })?;
        self.de.leave();
        Ok(value)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        if marker::is_reserved(name) {
            return self.wrapped(|de, found| {
                if found {
                    de.deserialize_tuple_struct(name, len, visitor)
                } else {
                    Zero::outside(de).deserialize_tuple_struct(name, len, visitor)
                }
            });
        }
        self.de.kind = Some(Kind::Bean);
        self.de.deserialize_tuple_struct(name, len, visitor)
    }
}
