//! Enums: integers, or dynamic beans.

use serde_core::de::{self, DeserializeSeed, EnumAccess, Visitor};

use super::field::FieldValue;
use super::layer::LayerReader;
use super::{Deserializer, Next};
use crate::error::{Error, ErrorKind, Result, Segment, Shortened};
use crate::ids::{self, Numbering, Variant};
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
        match self.take() {
            Next::Is(kind @ (Kind::Int | Kind::Float | Kind::Double))
                if !marker::is_dynamic(name) =>
            {
                let number = self.int_from(Next::Is(kind), true)?;
                let key = ids::by_number(variants, number).map_err(|error| error.or_at(at))?;
                let value = self.variant(name, key, Form::Number, visitor);
                value.map_err(|error| error.or_at(at))
            }
            Next::Any | Next::Is(Kind::Dynamic) => {
                let id = self.decoder.int()?;
                let other = variants.iter().find(|name| ids::is_other(name));
                // A type id that is not known is an error, unless the enum has a variant for it: `*`
                // keeps the bean, and `serde(other)` says that it is not wanted.
                let (key, form) = match (self.known.variant(variants, id), other) {
                    (Some(name), _) => (Variant::Name(name), Form::Bean),
                    (None, Some(name)) => (Variant::Name(name), Form::Whole(at)),
                    (None, None) => (Variant::Unknown(id), Form::Bean),
                };
                let as_empty = self.decoder.options.unknown_as_empty && !self.strict();
                if matches!(key, Variant::Unknown(_))
                    && as_empty
                    && self.known.variant(variants, 0).is_some()
                {
                    let text = || format!("no variant has the type id {id}");
                    self.record_loss(at, ErrorKind::Data, text)?;
                    self.decoder.skip(Kind::Bean, self.depth)?;
                    return self.absent(name, variants, visitor);
                }
                self.variant(name, key, form, visitor)
            }
            // A bean becomes the dynamic bean of type id 0.
            Next::Is(Kind::Bean) => {
                let variant = variants.iter().find(|name| ids::number(name) == Some(0));
                let key = variant.map_or(Variant::Unknown(0), |name| Variant::Name(name));
                self.variant(name, key, Form::Bean, visitor)
            }
            other => {
                let is_dynamic = marker::is_dynamic(name);
                let what =
                    if is_dynamic { "a dynamic bean" } else { "an integer or a dynamic bean" };
                self.zero(what, other)?;
                self.absent(name, variants, visitor)
            }
        }
    }

    /// The variant with the id 0, else the first one if it has no content.
    fn absent<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        all: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.variant(name, ids::by_number(all, 0)?, Form::Absent, visitor)
    }

    fn variant<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        key: Variant,
        form: Form,
        visitor: V,
    ) -> Result<V::Value> {
        self.inside(|de| visitor.visit_enum(VariantAccess { de, name, key, form }))
    }
}

/// A type asks for the names of fields.
#[cold]
pub(super) fn no_names() -> Error {
    let text = "a bean has no names, which tagged and untagged enums and types that take anything need: \
                leave the enum as serde has it, which makes it a dynamic bean";
    Error::new(ErrorKind::Unsupported, text)
}

/// The form in which a variant is present.
#[derive(Clone, Copy)]
enum Form {
    /// An integer, which was read.
    Number,
    /// The bean of a dynamic bean, whose type id was read.
    Bean,
    /// A dynamic bean that begins here, for the variant that takes those of all types.
    Whole(usize),
    Absent,
}

/// A variant that was found.
struct VariantAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    /// The name of the enum.
    name: &'static str,
    key: Variant,
    form: Form,
}

impl<'de> VariantAccess<'_, 'de> {
    /// Runs on the content of the variant, with whether there is a bean.
    fn content<T>(self, read: impl FnOnce(&mut Deserializer<'de>, bool) -> Result<T>) -> Result<T> {
        let wrong = |text| Err(Error::new(ErrorKind::Data, text));
        let (at, losses) = (self.de.decoder.offset(), self.de.losses.len());
        let left = self.de.decoder.rest().len();
        let name = Shortened(self.name);
        let read = match (self.form, self.key) {
            (Form::Number, _) => wrong(format!(
                "expected a dynamic bean for a variant of enum `{name}` with content, found an integer"
            )),
            // An absent enum is a variant with content only if its name says that it is the one.
            (Form::Absent, Variant::Index(_) | Variant::Unknown(_)) => wrong(format!(
                "expected a variant of enum `{name}`, found nothing, and no variant has the id 0"
            )),
            (Form::Absent, Variant::Name(_)) => return read(self.de, false),
            (Form::Whole(_), Variant::Name(name)) => Err(ids::other_without_content(name)),
            _ => read(self.de, true),
        };
        let read = read
            .and_then(|content| self.de.go_on(losses, left, Some(Kind::Bean)).map(|()| content));
        if let Variant::Name(name) = self.key {
            self.de.place(losses, || Segment::field(ids::shown(name)));
        }
        read.map_err(|error| match (self.form, self.key) {
            (Form::Number | Form::Absent, _) => error,
            (_, Variant::Name(name)) => error.or_at(at).inside(ids::shown(name)),
            _ => error.or_at(at),
        })
    }
}

impl<'de> EnumAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let at = self.de.decoder.offset();
        let key = self.key.give(seed);
        Ok((
            if let Form::Bean | Form::Whole(_) = self.form {
                key.map_err(|error| error.or_at(at))?
            } else {
                key?
            },
            self,
        ))
    }
}

impl<'de> de::VariantAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.form {
            Form::Number | Form::Absent => Ok(()),
            _ => self.content(|de, _| de.decoder.skip(Kind::Bean, de.depth)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value> {
        if let Form::Whole(at) = self.form {
            self.form = Form::Bean;
            return self.content(|de, _| {
                de.decoder.go_to(at);
                de.next = Next::Is(Kind::Dynamic);
                seed.deserialize(&mut *de)
            });
        }
        self.content(|de, is_there| {
            if is_there {
                return seed.deserialize(VariantContent { de });
            }
            de.next = Next::Absent;
            seed.deserialize(&mut *de)
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|de, is_there| de.positions(is_there, len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content(|de, is_there| de.named(is_there, fields, visitor))
    }
}

/// The content of a newtype variant: a bean, or any other value as field 1 of one.
struct VariantContent<'a, 'de> {
    de: &'a mut Deserializer<'de>,
}

impl<'de> Deserializer<'de> {
    /// Reads the field 1 of the bean that is next.
    pub(super) fn wrapped<T>(
        &mut self,
        read: impl FnOnce(FieldValue<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let mut layer = LayerReader::new(Some(self.decoder.offset()), &[], Numbering::default());
        let kind = layer.find(1, &mut self.decoder, self.depth)?;
        self.next = Next::of(kind);
        let (left, losses) = (self.decoder.rest().len(), self.losses.len());
        let value = read(FieldValue { de: self, layer: &mut LayerReader::default() })?;
        self.go_on(losses, left, kind)?;
        layer.close(&mut self.decoder, self.depth)?;
        Ok(value)
    }
}

/// Values that are no beans.
macro_rules! wrapped {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.de.wrapped(|value| value.$method($($arg,)* visitor))
        }
    )+};
}

/// Values that are beans themselves.
macro_rules! beans {
    ($($method:ident($($arg:ident: $type:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.de.next = Next::Is(Kind::Bean);
            self.de.$method($($arg,)* visitor)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for VariantContent<'_, 'de> {
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
            self.de.next = Next::Is(Kind::Bean);
            return self.de.reserved(name, visitor);
        }
        self.de.inside(|de| visitor.visit_newtype_struct(VariantContent { de }))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        if marker::is_reserved(name) {
            return self.de.wrapped(|value| value.deserialize_tuple_struct(name, len, visitor));
        }
        self.de.next = Next::Is(Kind::Bean);
        self.de.deserialize_tuple_struct(name, len, visitor)
    }
}
