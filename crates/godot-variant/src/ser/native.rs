//! The inside of the newtypes that are this crate's own types.

use serde_core::ser::{self, Impossible, Serialize};

use crate::error::{Error, Result};
use crate::handoff::reserved;
use crate::types::{Real, Type};
use crate::write::Writer;

/// Writes the inside of a newtype with a reserved name; refuses everything else.
pub(super) enum NativeSerializer<'a> {
    /// The components of a math type, as a tuple; whether they are to have 64 bits.
    Components(&'a mut Writer, Type, bool),
    /// One of them.
    Component(&'a mut Writer, bool),
    /// The text of a `StringName`.
    Name(&'a mut Writer),
    /// A type that writes itself with the writer that it was lent.
    Whole,
}

macro_rules! refused {
    ($($name:ident($($arg:ty),*) $(-> $ok:ident)?;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<refused!(@ok $($ok)?)> { Err(reserved()) }
    )+};
    (@ok) => { () };
    (@ok $ok:ident) => { Self::$ok };
}

impl<'a> ser::Serializer for NativeSerializer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeTuple = ComponentsSerializer<'a>;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<ComponentsSerializer<'a>> {
        match self {
            NativeSerializer::Components(writer, kind, wide) if len == kind.components() => {
                Ok(ComponentsSerializer { writer, wide, left: len })
            }
            _ => Err(reserved()),
        }
    }

    #[inline]
    fn serialize_i32(self, v: i32) -> Result<()> {
        let NativeSerializer::Component(writer, _) = self else { return Err(reserved()) };
        writer.scalar(&v.to_le_bytes());
        Ok(())
    }

    #[inline]
    fn serialize_f32(self, v: f32) -> Result<()> {
        match self {
            NativeSerializer::Component(writer, false) => writer.scalar(&v.to_le_bytes()),
            NativeSerializer::Component(writer, true) => writer.scalar(&f64::from(v).to_le_bytes()),
            _ => return Err(reserved()),
        }
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, v: f64) -> Result<()> {
        match self {
            NativeSerializer::Component(writer, true) => writer.scalar(&v.to_le_bytes()),
            NativeSerializer::Component(writer, false) => {
                crate::value::check_narrow(writer, v)?;
                writer.scalar(&f32::from_f64(v).to_le_bytes());
            }
            _ => return Err(reserved()),
        }
        Ok(())
    }

    #[inline]
    fn serialize_str(self, v: &str) -> Result<()> {
        let NativeSerializer::Name(writer) = self else { return Err(reserved()) };
        writer.string_name(v)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_unit(self) -> Result<()> {
        if matches!(self, NativeSerializer::Whole) { Ok(()) } else { Err(reserved()) }
    }

    refused! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_char(char);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct(&'static str, usize) -> SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<()> {
        Err(reserved())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<()> {
        Err(reserved())
    }

    fn serialize_newtype_variant<T>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()>
    where
        T: Serialize + ?Sized,
    {
        Err(reserved())
    }
}

/// The components of a math type that are still to be written, all numbers of one width.
pub(super) struct ComponentsSerializer<'a> {
    writer: &'a mut Writer,
    wide: bool,
    left: usize,
}

impl ser::SerializeTuple for ComponentsSerializer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.left = self.left.wrapping_sub(1);
        value.serialize(NativeSerializer::Component(self.writer, self.wide))
    }

    #[inline]
    fn end(self) -> Result<()> {
        if self.left == 0 { Ok(()) } else { Err(reserved()) }
    }
}
