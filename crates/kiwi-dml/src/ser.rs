//! Rust types to bodies.

use kiwi_pclass::{Error, ErrorKind, Result};
use serde_core::ser::{self, Impossible, Serialize};

use crate::RawMessage;
use crate::de::WSTRING;
use crate::read::put_len;

/// Writes fields one after another, each as wide as its Rust type.
pub(crate) fn to_body<T: Serialize + ?Sized>(fields: &T) -> Result<Vec<u8>> {
    let mut writer = Fields { body: Vec::new(), index: 0, in_field: false, is_wide: false };
    fields.serialize(&mut writer)?;
    check_body(writer.body.len())?;
    Ok(writer.body)
}

pub(crate) fn check_body(len: usize) -> Result<()> {
    if len > RawMessage::MAX_BODY {
        let text =
            format!("expected up to {} bytes in a message, found {len}", RawMessage::MAX_BODY);
        return Err(Error::new(ErrorKind::OutputLimit, text));
    }
    Ok(())
}

/// The fields that were written so far.
struct Fields {
    body: Vec<u8>,
    index: usize,
    /// One of them is written, not the message.
    in_field: bool,
    /// Inside of a `WString`, where bytes are code units.
    is_wide: bool,
}

impl Fields {
    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: Option<&'static str>,
        value: &T,
    ) -> Result<()> {
        let index = self.index;
        self.index = index.saturating_add(1);
        self.is_wide = false;
        value.serialize(&mut *self).map_err(|error| match name {
            Some(name) => error.inside(name),
            None => error.inside(index),
        })
    }

    /// Begins the message, which is no field.
    fn open(&mut self, found: &str) -> Result<&mut Self> {
        if self.in_field {
            return Err(self.wrong(found));
        }
        self.in_field = true;
        Ok(self)
    }

    #[cold]
    fn wrong(&self, found: &str) -> Error {
        let expected = match self.in_field {
            true => "a number, a text or bytes as a field of a message",
            false => "a struct or a tuple as the fields of a message",
        };
        Error::new(ErrorKind::Unsupported, format!("expected {expected}, found {found}"))
    }
}

macro_rules! numbers {
    ($($method:ident($type:ty);)+) => {$(
        fn $method(self, value: $type) -> Result<()> {
            if !self.in_field {
                return Err(self.wrong("a number"));
            }
            self.body.extend_from_slice(&value.to_le_bytes());
            Ok(())
        }
    )+};
}

/// The refused types, with the noun for each.
macro_rules! refused {
    ($($name:ident($($arg:ty),*) $(-> $ok:ident)?, $found:literal;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<refused!(@ok $($ok)?)> {
            Err(self.wrong($found))
        }
    )+};
    (@ok) => { () };
    (@ok $ok:ident) => { Self::$ok };
}

impl<'a> ser::Serializer for &'a mut Fields {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = &'a mut Fields;
    type SerializeTupleStruct = &'a mut Fields;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = &'a mut Fields;
    type SerializeStructVariant = Impossible<(), Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    numbers! {
        serialize_i8(i8);
        serialize_u8(u8);
        serialize_i16(i16);
        serialize_u16(u16);
        serialize_i32(i32);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.serialize_u8(value.into())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.serialize_bytes(text.as_bytes())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        if !self.in_field {
            return Err(self.wrong("a text or bytes"));
        }
        match self.is_wide {
            true => put_len(&mut self.body, bytes.len() / 2, "code units")?,
            false => put_len(&mut self.body, bytes.len(), "bytes")?,
        }
        self.body.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.is_wide |= name == WSTRING;
        value.serialize(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self> {
        self.open("a tuple")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self> {
        self.open("a tuple")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        self.open("a struct")
    }

    fn serialize_unit(self) -> Result<()> {
        self.open("nothing").map(drop)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<()> {
        Err(self.wrong("an `Option`"))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(self.wrong("an enum"))
    }

    refused! {
        serialize_i64(i64), "an i64 (a GID is a u64)";
        serialize_char(char), "a char";
        serialize_none(), "an `Option`";
        serialize_unit_variant(&'static str, u32, &'static str), "an enum";
        serialize_seq(Option<usize>) -> SerializeSeq, "a list (`serde_bytes` makes bytes of one)";
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant, "an enum";
        serialize_map(Option<usize>) -> SerializeMap, "a map (`flatten` makes one)";
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant, "an enum";
    }
}

macro_rules! elements {
    ($($serialize:ident: $method:ident,)+) => {$(
        impl ser::$serialize for &mut Fields {
            type Ok = ();
            type Error = Error;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.field(None, value)
            }
            fn end(self) -> Result<()> {
                Ok(())
            }
        }
    )+};
}

elements! {
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
}

impl ser::SerializeStruct for &mut Fields {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.field(Some(name), value)
    }

    // All that follows would move.
    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        let text = "expected every field, found one that `skip_serializing_if` leaves out";
        Err(Error::new(ErrorKind::Unsupported, text).inside(name))
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
