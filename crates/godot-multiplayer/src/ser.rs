//! Rust types to lists of compact variants.

use serde_core::ser::{self, Impossible, Serialize};

use godot_variant::types::Native;
use godot_variant::{Serializer, Value};

use crate::{Error, ErrorKind, Options, Result, compact};

/// Compact variants one after another.
pub(crate) struct List {
    pub(crate) bytes: Vec<u8>,
    pub(crate) count: usize,
}

impl List {
    /// The bytes of the array, if the list is one `PackedByteArray`.
    pub(crate) fn packed_bytes(&self) -> Option<&[u8]> {
        let (head, rest) = self.bytes.split_first_chunk::<8>()?;
        let [29, 0, 0, 0, count @ ..] = head else { return None };
        rest.get(..usize::try_from(u32::from_le_bytes(*count)).ok()?)
    }
}

/// Writes the elements of a list.
pub(crate) fn list<T: Serialize + ?Sized>(values: &T, options: Options) -> Result<List> {
    let serializer = Serializer::new(Vec::with_capacity(64), options.clone());
    let mut writer = Elements { serializer, options, count: 0 };
    values.serialize(&mut writer)?;
    let Elements { serializer, count, .. } = writer;
    Ok(List { bytes: serializer.into_inner()?, count })
}

/// The elements that were written so far.
struct Elements {
    serializer: Serializer,
    options: Options,
    count: usize,
}

impl Elements {
    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let start = self.serializer.get_mut().len();
        value.serialize(&mut self.serializer).map_err(|error| error.inside(self.count))?;
        compact::shorten(self.serializer.get_mut(), start);
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    #[cold]
    fn wrong(&self) -> Error {
        let text = "expected a tuple, a list or a struct as arguments, found a single value";
        Error::new(ErrorKind::Data, text)
    }
}

macro_rules! elements {
    ($($serialize:ident: $method:ident $(($name:ty))?),+ $(,)?) => {$(
        impl ser::$serialize for &mut Elements {
            type Ok = ();
            type Error = Error;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Result<()> {
                self.element(value)
            }
            #[inline]
            fn end(self) -> Result<()> {
                Ok(())
            }
        }
    )+};
}

elements! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeStruct: serialize_field(&'static str),
}

macro_rules! refused {
    ($($name:ident($($arg:ty),*) $(-> $ok:ty)?;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<refused!(@ok $($ok)?)> { Err(self.wrong()) }
    )+};
    (@ok) => { () };
    (@ok $ok:ty) => { $ok };
}

impl<'a> ser::Serializer for &'a mut Elements {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = &'a mut Elements;
    type SerializeTuple = &'a mut Elements;
    type SerializeTupleStruct = &'a mut Elements;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = &'a mut Elements;
    type SerializeStructVariant = Impossible<(), Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Self> {
        Ok(self)
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match Native::from_name(name) {
            None | Some(Native::TypedArray(_)) => value.serialize(self),
            // A `Value` writes itself whole, so its elements are taken out of what it wrote.
            Some(Native::Any) => {
                let mut whole = Serializer::new(Vec::new(), self.options.clone());
                whole.serialize_newtype_struct(name, value)?;
                let value: Value = self.options.from_slice(&whole.into_inner()?)?;
                let items = value.as_array().ok_or_else(|| self.wrong())?;
                items.iter().try_for_each(|item| self.element(item))
            }
            Some(_) => Err(self.wrong()),
        }
    }

    refused! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(self.wrong())
    }
}
