//! Values of properties and elements of lists.

use gamewire_core::words::Name;
use serde_core::ser::{self, Impossible, Serialize};

use super::list::{Items, ListSer, StructSer};
use super::object::ObjectSer;
use super::{Core, class_for, next_round, raw_object, write_null};
use crate::compound::binary;
use crate::handoff;
use crate::read::Wire;
use crate::schema::{Kind, Number, Property, Scalar};
use crate::types::{RAW_OBJECT, STRING, VALUE, WSTRING};
use crate::value::{UNKNOWN_VARIANT, encode};
use crate::write::{Open, Writer};
use crate::{Error, ErrorKind, Result};

/// Writes one value as the schema declares it.
pub(crate) struct ValueSer<'a> {
    pub(super) core: Core<'a>,
    pub(super) property: &'a Property,
    /// The encoding of an element; none for the whole property.
    element: Option<&'a Kind>,
    /// An option around it said that it is there.
    there: bool,
    rounds: u8,
    /// The class of the variant around it.
    hint: Option<&'static str>,
}

impl<'a> ValueSer<'a> {
    #[inline]
    pub(super) fn of_property(core: Core<'a>, property: &'a Property) -> Self {
        ValueSer { core, property, element: None, there: false, rounds: 0, hint: None }
    }

    #[inline]
    pub(super) fn of_element(core: Core<'a>, property: &'a Property, kind: &'a Kind) -> Self {
        ValueSer { element: Some(kind), ..ValueSer::of_property(core, property) }
    }

    /// The encoding, unless it is a list.
    #[inline]
    fn kind(&self) -> Option<&'a Kind> {
        match self.element {
            Some(kind) => Some(kind),
            None if self.property.is_list() => None,
            None => Some(&self.property.kind),
        }
    }

    /// What stands before the value of a property.
    #[inline]
    fn begin(&mut self) -> Option<Open> {
        if self.element.is_some() {
            return None;
        }
        if self.core.rules.wire.deep {
            return Some(self.core.writer.open_entry(self.property.hash));
        }
        if self.property.is_delta() {
            self.core.writer.bits.bit(true);
        }
        None
    }

    /// Writes a value with what stands before it.
    #[inline]
    fn write(mut self, write: impl FnOnce(&mut Writer, &Wire) -> Result<()>) -> Result<()> {
        let open = self.begin();
        write(self.core.writer, &self.core.rules.wire)?;
        self.core.writer.close(open.as_ref())
    }

    /// An object without any property of its own in Rust.
    fn empty_object(self, name: Name) -> Result<()> {
        self.object(name)?.finish()
    }

    #[inline]
    fn object(mut self, name: Name) -> Result<ObjectSer<'a>> {
        let class = class_for(&mut self.core, self.property, name, self.hint)?;
        let open = self.begin();
        ObjectSer::new(self.core, class, self.property, open)
    }

    /// There is no value.
    fn absent(self) -> Result<()> {
        if self.element.is_some() {
            return Err(self.mismatch("none"));
        }
        match self.core.rules.wire.deep {
            true => Ok(()),
            false => encode::absent(self.core.writer, self.core.rules, self.property),
        }
    }

    fn round(mut self) -> Result<Self> {
        next_round(&mut self.rounds)?;
        Ok(self)
    }

    #[cold]
    fn mismatch(&self, found: &str) -> Error {
        let expected = match (self.kind(), &*self.property.type_name) {
            (None, name) => format!("a list of {name}"),
            (Some(_), "") => "a value of a known type".to_owned(),
            (Some(_), name) => name.to_owned(),
        };
        Error::new(ErrorKind::Data, format!("expected {expected}, found {found}"))
    }

    #[inline(never)]
    fn number(self, number: Number) -> Result<()> {
        let Some(kind) = self.kind() else { return Err(self.mismatch("a number")) };
        match kind {
            Kind::Scalar(scalar) => self.write(|writer, _| writer.number(*scalar, number)),
            Kind::Bits { width, signed } => {
                self.write(|writer, _| writer.small(*width, *signed, number))
            }
            Kind::Enum => {
                let value = number.fit().or_else(|| number.fit().map(i32::cast_unsigned));
                let value = value.ok_or_else(|| {
                    let name = self.property.type_name();
                    let message = format!("expected {name}, found {number}, which is no enum");
                    Error::new(ErrorKind::NumberRange, message)
                })?;
                self.option(value)
            }
            _ => Err(self.mismatch(&number.to_string())),
        }
    }

    fn option(self, value: u32) -> Result<()> {
        let property = self.property;
        self.write(|writer, wire| writer.option(wire, property, value))
    }

    fn list(mut self, len: Option<usize>) -> Result<ListSer<'a>> {
        let (property, kind) = (self.property, self.kind());
        let items = match kind {
            // A list of which no element was ever seen: nobody knows its hash.
            None if property.kind == Kind::Unseen
                && self.core.rules.wire.deep
                && len == Some(0) =>
            {
                return ListSer::new(self.core, property, Items::Nothing, None);
            }
            None => Items::of_list(property, &property.kind, len),
            Some(Kind::List(kind)) => Items::of_list(property, kind, len),
            Some(Kind::Tuple(kinds)) => Items::Members(kinds),
            Some(kind @ (Kind::String | Kind::WString)) => {
                let unit = if *kind == Kind::String { Scalar::U8 } else { Scalar::U16 };
                let len = len.ok_or_else(|| self.mismatch("a list of unknown length"))?;
                let open = self.begin();
                self.core.writer.string_len(&self.core.rules.wire, len)?;
                let items = Items::Row(Kind::Scalar(unit), len, false);
                return ListSer::new(self.core, property, items, open);
            }
            Some(kind) => match kind.row() {
                Some(row) if row.each == 1 => {
                    Items::Row(Kind::Scalar(row.scalar), row.len(), *kind == Kind::Color)
                }
                // Three rows, as three vectors.
                Some(row) => Items::Row(Kind::Vector3D, row.names.len(), false),
                None => return Err(self.mismatch("a list")),
            },
        };
        let open = self.begin();
        ListSer::new(self.core, property, items, open)
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty => $number:ident;)+) => {$(
        fn $method(self, number: $type) -> Result<()> {
            self.number(Number::$number(number.into()))
        }
    )+};
}

impl<'a> ser::Serializer for ValueSer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListSer<'a>;
    type SerializeTuple = ListSer<'a>;
    type SerializeTupleStruct = ListSer<'a>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = ListSer<'a>;
    type SerializeStruct = StructSer<'a>;
    type SerializeStructVariant = StructSer<'a>;

    binary!();

    fn serialize_bool(self, value: bool) -> Result<()> {
        match self.kind() {
            Some(Kind::Bool) => self.write(|writer, _| {
                writer.bits.bit(value);
                Ok(())
            }),
            _ => Err(self.mismatch("a bool")),
        }
    }

    numbers! {
        serialize_i8 i8 => Int;
        serialize_i16 i16 => Int;
        serialize_i32 i32 => Int;
        serialize_i64 i64 => Int;
        serialize_u8 u8 => UInt;
        serialize_u16 u16 => UInt;
        serialize_u32 u32 => UInt;
        serialize_u64 u64 => UInt;
        serialize_f32 f32 => Float;
        serialize_f64 f64 => Double;
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        match self.kind() {
            Some(Kind::String) => self.write(|writer, wire| writer.string(wire, text.as_bytes())),
            Some(Kind::WString) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                self.write(|writer, wire| writer.wstring(wire, units.into_iter()))
            }
            Some(Kind::Enum) => {
                let value = self.property.options_or_none().parse(text)?;
                self.option(value)
            }
            _ => Err(self.mismatch("a string")),
        }
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        match self.kind() {
            Some(Kind::String) => self.write(|writer, wire| writer.string(wire, bytes)),
            Some(Kind::WString) => {
                let (pairs, _) = bytes.as_chunks::<2>();
                let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
                self.write(|writer, wire| writer.wstring(wire, units))
            }
            None => {
                let mut list = self.list(Some(bytes.len()))?;
                for byte in bytes {
                    ser::SerializeSeq::serialize_element(&mut list, byte)?;
                }
                ser::SerializeSeq::end(list)
            }
            _ => Err(self.mismatch("bytes")),
        }
    }

    fn serialize_none(self) -> Result<()> {
        let delta = self.element.is_none() && self.property.is_delta() && !self.there;
        match self.kind() {
            Some(Kind::Object) if !delta || self.core.rules.wire.forbids_delta() => {
                // A pointer to a class that was never seen: nobody knows its hash.
                if self.property.type_name.is_empty()
                    && self.core.rules.wire.deep
                    && self.element.is_none()
                {
                    return Ok(());
                }
                self.write(write_null)
            }
            Some(Kind::Optional(_) | Kind::Unseen) if self.element.is_some() => {
                self.core.writer.bits.bit(false);
                Ok(())
            }
            _ => self.absent(),
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        if let Some(Kind::Optional(kind)) = self.kind() {
            let open = self.begin();
            self.core.writer.bits.bit(true);
            self.core.writer.enter_typed(&self.core.rules.wire)?;
            value.serialize(ValueSer::of_element(self.core.again(), self.property, kind))?;
            self.core.writer.leave();
            return self.core.writer.close(open.as_ref());
        }
        self.there = true;
        value.serialize(self.round()?)
    }

    fn serialize_unit(self) -> Result<()> {
        match self.kind() {
            Some(Kind::Tuple(kinds)) if kinds.is_empty() => self.write(|_, _| Ok(())),
            Some(Kind::Object) => self.write(write_null),
            _ => Err(self.mismatch("nothing")),
        }
    }

    fn serialize_unit_struct(self, name: Name) -> Result<()> {
        match self.kind() {
            Some(Kind::Object) => self.empty_object(name),
            _ => self.serialize_unit(),
        }
    }

    fn serialize_unit_variant(self, _: Name, index: u32, variant: Name) -> Result<()> {
        match self.kind() {
            Some(Kind::Enum) => {
                let value = match self.property.options() {
                    Some(options) => options.of_variant(index, variant)?,
                    None => index,
                };
                self.option(value)
            }
            Some(Kind::String | Kind::WString) => self.serialize_str(variant),
            Some(Kind::Object) => self.empty_object(variant),
            _ => self.serialize_u32(index),
        }
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        mut self,
        name: Name,
        value: &T,
    ) -> Result<()> {
        match name {
            VALUE => {
                let open = self.begin();
                let place = Some((self.property, self.element));
                handoff::lend(self.core.writer, self.core.rules, place, value)?;
                self.core.writer.close(open.as_ref())
            }
            // Bytes for code units, or the other way round, would be another text.
            STRING if matches!(self.kind(), Some(Kind::WString)) => Err(self.mismatch("bytes")),
            WSTRING if matches!(self.kind(), Some(Kind::String)) => Err(self.mismatch("UTF-16")),
            RAW_OBJECT if matches!(self.kind(), Some(Kind::Object)) => {
                let raw = raw_object(value)?;
                self.write(|writer, wire| writer.raw_object(wire, &raw))
            }
            _ => value.serialize(self.round()?),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        name: Name,
        _: u32,
        variant: Name,
        value: &T,
    ) -> Result<()> {
        match self.kind() {
            Some(Kind::Object) => {
                if variant != UNKNOWN_VARIANT {
                    self.hint = Some(variant);
                }
                value.serialize(self.round()?)
            }
            _ => Err(self.mismatch(&format!("a variant of `{name}` with content"))),
        }
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ListSer<'a>> {
        self.list(len)
    }

    fn serialize_tuple(self, len: usize) -> Result<ListSer<'a>> {
        self.list(Some(len))
    }

    fn serialize_tuple_struct(self, _: Name, len: usize) -> Result<ListSer<'a>> {
        self.list(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        name: Name,
        _: u32,
        _: Name,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(self.mismatch(&format!("a tuple variant of `{name}`")))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<ListSer<'a>> {
        match self.kind() {
            None | Some(Kind::List(_)) => self.list(len),
            _ => {
                Err(self.mismatch("a map, which has no class: flattened structs have none either"))
            }
        }
    }

    #[inline]
    fn serialize_struct(self, name: Name, len: usize) -> Result<StructSer<'a>> {
        match self.kind() {
            Some(Kind::Object) => self.object(name).map(StructSer::Object),
            Some(kind) if kind.row().is_some() => {
                self.list(Some(len)).map(|list| StructSer::Tuple(Box::new(list)))
            }
            _ => Err(self.mismatch(&format!("the struct `{name}`"))),
        }
    }

    fn serialize_struct_variant(
        mut self,
        name: Name,
        _: u32,
        variant: Name,
        _: usize,
    ) -> Result<StructSer<'a>> {
        self.hint = None;
        match self.kind() {
            Some(Kind::Object) => self.object(variant).map(StructSer::Object),
            _ => Err(self.mismatch(&format!("a variant of `{name}` with fields"))),
        }
    }
}
