//! Values of properties and elements of lists.

use serde_core::ser::{self, Impossible, Serialize};

use super::list::{Items, ListSer, MapSer, StructSer};
use super::object::ObjectSer;
use super::{Core, class_for, empty_object, next_round, raw_object, write_null};
use crate::handoff;
use crate::schema::{Kind, Number, Property};
use crate::types::{RAW_OBJECT, VALUE};
use crate::value::{UNKNOWN_VARIANT, encode};
use crate::write::Open;
use crate::{Error, ErrorKind, Result};

/// Writes one value as the schema declares it. Returns the entry around it, to be closed.
pub(crate) struct ValueSer<'a> {
    pub(super) core: Core<'a>,
    pub(super) property: &'a Property,
    /// The encoding of an element; none for the whole property.
    element: Option<&'a Kind>,
    /// The class of the variant around it.
    hint: Option<&'static str>,
    /// An option around it said that it is there.
    there: bool,
    rounds: usize,
}

impl<'a> ValueSer<'a> {
    #[inline]
    pub(super) fn of_property(core: Core<'a>, property: &'a Property) -> Self {
        ValueSer { core, property, element: None, hint: None, there: false, rounds: 0 }
    }

    #[inline]
    pub(super) fn of_element(core: Core<'a>, property: &'a Property, kind: &'a Kind) -> Self {
        ValueSer { core, property, element: Some(kind), hint: None, there: false, rounds: 0 }
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

    /// There is no value.
    fn absent(self) -> Result<Option<Open>> {
        if self.element.is_some() {
            return Err(self.mismatch("none"));
        }
        if !self.core.rules.wire.deep {
            encode::absent(self.core.writer, self.core.rules, self.property)?;
        }
        Ok(None)
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

    #[inline]
    fn number(mut self, number: Number) -> Result<Option<Open>> {
        let Some(kind) = self.kind() else { return Err(self.mismatch("a number")) };
        match kind {
            Kind::Scalar(scalar) => {
                let open = self.begin();
                self.core.writer.number(*scalar, number)?;
                Ok(open)
            }
            Kind::Bits { width, signed } => {
                let open = self.begin();
                self.core.writer.small(*width, *signed, number)?;
                Ok(open)
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

    fn option(mut self, value: u32) -> Result<Option<Open>> {
        let open = self.begin();
        self.core.writer.option(&self.core.rules.wire, self.property, value)?;
        Ok(open)
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
            Some(kind @ (Kind::String | Kind::WString)) => Items::Units(kind, Vec::new()),
            Some(kind) if kind.row().is_some() => Items::Numbers(kind, Vec::with_capacity(9)),
            Some(_) => return Err(self.mismatch("a list")),
        };
        let open = self.begin();
        ListSer::new(self.core, property, items, open)
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty => $number:ident;)+) => {$(
        #[inline]
        fn $method(self, number: $type) -> Result<Option<Open>> {
            self.number(Number::$number(number.into()))
        }
    )+};
}

impl<'a> ser::Serializer for ValueSer<'a> {
    type Ok = Option<Open>;
    type Error = Error;
    type SerializeSeq = ListSer<'a>;
    type SerializeTuple = ListSer<'a>;
    type SerializeTupleStruct = ListSer<'a>;
    type SerializeTupleVariant = Impossible<Option<Open>, Error>;
    type SerializeMap = MapSer<'a>;
    type SerializeStruct = StructSer<'a>;
    type SerializeStructVariant = StructSer<'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn serialize_bool(mut self, value: bool) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::Bool) => {
                let open = self.begin();
                self.core.writer.bits.bit(value);
                Ok(open)
            }
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

    fn serialize_char(self, value: char) -> Result<Option<Open>> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(mut self, text: &str) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::String) => {
                let open = self.begin();
                self.core.writer.string(&self.core.rules.wire, text.as_bytes())?;
                Ok(open)
            }
            Some(Kind::WString) => {
                let open = self.begin();
                let units: Vec<u16> = text.encode_utf16().collect();
                self.core.writer.wstring(&self.core.rules.wire, units.into_iter())?;
                Ok(open)
            }
            Some(Kind::Enum) => {
                let value = self.property.options_or_none().parse(text)?;
                self.option(value)
            }
            _ => Err(self.mismatch("a string")),
        }
    }

    fn serialize_bytes(mut self, bytes: &[u8]) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::String) => {
                let open = self.begin();
                self.core.writer.string(&self.core.rules.wire, bytes)?;
                Ok(open)
            }
            Some(Kind::WString) => {
                let open = self.begin();
                let (pairs, _) = bytes.as_chunks::<2>();
                let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
                self.core.writer.wstring(&self.core.rules.wire, units)?;
                Ok(open)
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

    fn serialize_none(mut self) -> Result<Option<Open>> {
        let delta = self.element.is_none() && self.property.is_delta() && !self.there;
        match self.kind() {
            Some(Kind::Object) if !delta || self.core.rules.wire.forbids_delta() => {
                // A pointer to a class that was never seen: nobody knows its hash.
                if self.property.type_name.is_empty()
                    && self.core.rules.wire.deep
                    && self.element.is_none()
                {
                    return Ok(None);
                }
                let open = self.begin();
                write_null(&mut self.core)?;
                Ok(open)
            }
            Some(Kind::Optional(_)) => {
                let open = self.begin();
                self.core.writer.bits.bit(false);
                Ok(open)
            }
            Some(Kind::Unseen) if self.element.is_some() => {
                self.core.writer.bits.bit(false);
                Ok(None)
            }
            _ => self.absent(),
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<Option<Open>> {
        if let Some(Kind::Optional(kind)) = self.kind() {
            let open = self.begin();
            self.core.writer.bits.bit(true);
            self.core.writer.enter_typed(&self.core.rules.wire)?;
            value.serialize(ValueSer::of_element(self.core.again(), self.property, kind))?;
            self.core.writer.leave();
            return Ok(open);
        }
        self.there = true;
        value.serialize(self.round()?)
    }

    fn serialize_unit(mut self) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::Tuple(kinds)) if kinds.is_empty() => Ok(self.begin()),
            Some(Kind::Object) => {
                let open = self.begin();
                write_null(&mut self.core)?;
                Ok(open)
            }
            _ => Err(self.mismatch("nothing")),
        }
    }

    fn serialize_unit_struct(mut self, name: &'static str) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::Object) => {
                let class = class_for(self.core.schema, name, self.hint)?;
                let open = self.begin();
                empty_object(self.core, class, open)
            }
            _ => self.serialize_unit(),
        }
    }

    fn serialize_unit_variant(
        mut self,
        _: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Option<Open>> {
        match self.kind() {
            Some(Kind::Enum) => {
                let value = match self.property.options() {
                    Some(options) => options.parse(variant)?,
                    None => index,
                };
                self.option(value)
            }
            Some(Kind::String | Kind::WString) => self.serialize_str(variant),
            Some(Kind::Object) => {
                let class = class_for(self.core.schema, variant, None)?;
                let open = self.begin();
                empty_object(self.core, class, open)
            }
            _ => self.serialize_u32(index),
        }
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        mut self,
        name: &'static str,
        value: &T,
    ) -> Result<Option<Open>> {
        match name {
            VALUE => {
                let open = self.begin();
                let place = Some((self.property, self.element));
                handoff::lend(self.core.writer, self.core.rules, place, value)?;
                Ok(open)
            }
            RAW_OBJECT if matches!(self.kind(), Some(Kind::Object)) => {
                let open = self.begin();
                self.core.writer.raw_object(&self.core.rules.wire, &raw_object(value)?)?;
                Ok(open)
            }
            _ => value.serialize(self.round()?),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Option<Open>> {
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

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListSer<'a>> {
        self.list(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(self.mismatch(&format!("a tuple variant of `{name}`")))
    }

    fn serialize_map(mut self, len: Option<usize>) -> Result<MapSer<'a>> {
        if matches!(self.kind(), Some(Kind::Object)) {
            let name = self.property.type_name();
            let bare = name.strip_prefix("class SharedPointer<").unwrap_or(name);
            let bare = bare.trim_end_matches(['*', '>']);
            let class = class_for(self.core.schema, bare, self.hint)?;
            let open = self.begin();
            return Ok(MapSer::object(ObjectSer::new(self.core, class, open)?));
        }
        let inner = self.kind().is_some();
        if inner && !matches!(self.kind(), Some(Kind::List(_))) {
            return Err(self.mismatch("a map"));
        }
        self.list(len).map(MapSer::pairs)
    }

    #[inline]
    fn serialize_struct(mut self, name: &'static str, len: usize) -> Result<StructSer<'a>> {
        match self.kind() {
            Some(Kind::Object) => {
                let class = class_for(self.core.schema, name, self.hint)?;
                let open = self.begin();
                ObjectSer::new(self.core, class, open).map(StructSer::Object)
            }
            Some(kind) if kind.row().is_some() => self.list(Some(len)).map(StructSer::Tuple),
            _ => Err(self.mismatch(&format!("the struct `{name}`"))),
        }
    }

    fn serialize_struct_variant(
        mut self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<StructSer<'a>> {
        match self.kind() {
            Some(Kind::Object) => {
                let class = class_for(self.core.schema, variant, None)?;
                let open = self.begin();
                ObjectSer::new(self.core, class, open).map(StructSer::Object)
            }
            _ => Err(self.mismatch(&format!("a variant of `{name}` with fields"))),
        }
    }
}
