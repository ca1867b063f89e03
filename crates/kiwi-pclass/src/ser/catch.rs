//! Small serializers that take one kind of thing and refuse the rest.

/// The methods of a serializer that refuse: name, arguments, and what they would give.
macro_rules! refuse {
    ($fault:expr; $($name:ident($($arg:ty),*) $(-> $ok:ty)?;)+) => {$(
        fn $name(self $(, _: $arg)*) -> $crate::Result<refuse!(@ok $($ok)?)> { Err($fault) }
    )+};
    (@ok) => { Self::Ok };
    (@ok $ok:ty) => { $ok };
}
pub(crate) use refuse;

/// The types of a serializer that has no compounds.
macro_rules! no_compounds {
    ($($name:ident)+) => {
        $(type $name = serde_core::ser::Impossible<Self::Ok, $crate::Error>;)+
    };
}
pub(crate) use no_compounds;

use serde_core::ser::{self, Serialize, Serializer};

use crate::{CoreHeader, Error, ErrorKind, Result};

#[cold]
fn no_header() -> Error {
    Error::new(ErrorKind::Data, "expected the header of a core object")
}

/// Takes a [`CoreHeader`], or none.
pub(super) struct CatchHeader;

impl Serializer for CatchHeader {
    type Ok = Option<CoreHeader>;
    type Error = Error;
    type SerializeStruct = CatchFields;
    no_compounds! {
        SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant SerializeMap
        SerializeStructVariant
    }

    fn serialize_none(self) -> Result<Self::Ok> {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok> {
        value.serialize(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<CatchFields> {
        Ok(CatchFields([0; 3], 0))
    }

    refuse! { no_header();
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok> {
        Err(no_header())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok> {
        Err(no_header())
    }
}

pub(super) struct CatchFields([u32; 3], usize);

impl ser::SerializeStruct for CatchFields {
    type Ok = Option<CoreHeader>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        let number = value.serialize(CatchNumber)?;
        let number = match number {
            Number::Int(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let place = self.0.get_mut(self.1).ok_or_else(no_header)?;
        *place = number.ok_or_else(no_header)?;
        self.1 = self.1.saturating_add(1);
        Ok(())
    }

    fn end(self) -> Result<Self::Ok> {
        let [block, template_type, template_id] = self.0;
        match (u8::try_from(block), u8::try_from(template_type)) {
            (Ok(0), Ok(0)) => {
                let message =
                    "a core object cannot have the types 0 and 0, which stand for a class hash";
                Err(Error::new(ErrorKind::Data, message))
            }
            (Ok(block), Ok(template_type)) => {
                Ok(Some(CoreHeader { block, template_type, template_id }))
            }
            _ => Err(no_header()),
        }
    }
}

/// A number of any type.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Int(i128),
    Float(f32),
    Double(f64),
}

/// Takes a number.
pub(super) struct CatchNumber;

#[cold]
fn no_number() -> Error {
    Error::new(ErrorKind::Data, "expected a number")
}

impl Serializer for CatchNumber {
    type Ok = Number;
    type Error = Error;
    no_compounds! {
        SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant SerializeMap
        SerializeStruct SerializeStructVariant
    }

    fn serialize_i8(self, v: i8) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_i16(self, v: i16) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_i32(self, v: i32) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_i64(self, v: i64) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_u8(self, v: u8) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_u16(self, v: u16) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_u32(self, v: u32) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_u64(self, v: u64) -> Result<Number> {
        Ok(Number::Int(v.into()))
    }
    fn serialize_f32(self, v: f32) -> Result<Number> {
        Ok(Number::Float(v))
    }
    fn serialize_f64(self, v: f64) -> Result<Number> {
        Ok(Number::Double(v))
    }

    refuse! { no_number();
        serialize_bool(bool); serialize_char(char); serialize_str(&str); serialize_bytes(&[u8]);
        serialize_none(); serialize_unit(); serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Number> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Number> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Number> {
        Err(no_number())
    }
}
