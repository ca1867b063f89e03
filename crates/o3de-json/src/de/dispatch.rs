//! serde's `Deserializer` for a slot: each method goes to the module that reads the type.

use std::borrow::Cow;

use serde_core::Deserialize as _;
use serde_core::de::{self, Visitor};

use super::slot::{Slot, Source};
use super::{class, compound, map, native, pointer};
use crate::read::Kind;
use crate::report::ResultCode;
use crate::types::handoff;
use crate::value::decode::skip;
use crate::{Error, Result};

macro_rules! scalars {
    ($($method:ident $type:ident $visit:ident),* $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let value: $type = self.loader.scalar(self.source)?;
            visitor.$visit(value)
        }
    )*};
}

impl<'de, 'o> de::Deserializer<'de> for Slot<'_, 'de, 'o> {
    type Error = Error;

    scalars! {
        deserialize_bool bool visit_bool,
        deserialize_i8 i8 visit_i8, deserialize_i16 i16 visit_i16,
        deserialize_i32 i32 visit_i32, deserialize_i64 i64 visit_i64,
        deserialize_u8 u8 visit_u8, deserialize_u16 u16 visit_u16,
        deserialize_u32 u32 visit_u32, deserialize_u64 u64 visit_u64,
        deserialize_f32 f32 visit_f32, deserialize_f64 f64 visit_f64,
    }

    fn deserialize_i128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if let Some(value) = self.wide()? {
            return visitor.visit_i128(value);
        }
        let Slot { loader, source, .. } = self;
        if matches!(source, Source::Text(_)) && loader.reader.peek()? == b'-' {
            return visitor.visit_i64(loader.scalar(source)?);
        }
        visitor.visit_u64(loader.scalar(source)?)
    }

    fn deserialize_u128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.wide()? {
            Some(value) => visitor.visit_u128(value),
            None => self.deserialize_u64(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.loader.string(self.source)? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text).map_err(Error::not_borrowed),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if matches!(self.source, Source::Default | Source::Absent) {
            self.loader.defaulted();
            return visitor.visit_char('\0');
        }
        self.deserialize_str(visitor)
    }

    /// The numbers that serde's bytes are written as, or the engine's base64.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Slot { loader, source, .. } = self;
        let bytes = match source {
            Source::Text(_) if loader.reader.peek()? == b'[' => {
                Vec::deserialize(Slot::new(loader, Source::Text(None)))?
            }
            source => loader.bytes(source)?,
        };
        visitor.visit_byte_buf(bytes).map_err(Error::not_borrowed)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        pointer::option(self, visitor)
    }

    /// An empty class.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Slot { loader, source, .. } = self;
        if let Source::Text(_) = source {
            match loader.reader.peek_kind()? {
                Kind::Object => {
                    skip(&mut loader.reader)?;
                    loader.defaulted();
                }
                Kind::Null => {
                    loader.reader.literal("null")?;
                    loader.code = ResultCode::SUCCESS;
                }
                _ => loader.reject_value("an object without members")?,
            }
        } else {
            loader.defaulted();
        }
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name.starts_with(handoff::PREFIX) {
            return native::read(self, name, visitor);
        }
        if matches!(self.source, Source::Text(_)) {
            self.loader.enter_layer()?;
            return visitor.visit_newtype_struct(self);
        }
        self.loader.enter_unwritten()?;
        let value = visitor.visit_newtype_struct(Slot::new(&mut *self.loader, self.source));
        self.loader.leave_unwritten();
        value
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        compound::sequence::<false, _>(self, visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        compound::tuple(self, len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        compound::tuple(self, len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        map::read(self, map::Values::One, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        class::read(self, name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        pointer::variant(self, name, variants, visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // The name of a member, in an object with `flatten`, is no default.
        if let Source::Default = self.source {
            return visitor.visit_borrowed_str("{}");
        }
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Source::Text(_) = self.source {
            skip(&mut self.loader.reader)?;
            self.loader.code = ResultCode::SUCCESS;
        }
        visitor.visit_unit()
    }

    /// By what the text has: no coercions, and `{}` is an empty map.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        compound::any(self, visitor)
    }
}
