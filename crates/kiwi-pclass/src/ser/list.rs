//! Lists, tuples, maps, and structs that are tuples.

use serde_core::ser::{self, Impossible, Serialize, Serializer};

use super::Core;
use super::catch::{CatchNumber, Number, no_compounds, refuse};
use super::object::{ObjectSer, alone};
use super::value::{ValueSer, write_scalar};
use crate::error::Count;
use crate::schema::{Kind, Property, Scalar};
use crate::value;
use crate::write::{Open, Writer};
use crate::{Error, ErrorKind, Result, Value};

/// A list that is being written, or a tuple.
pub(crate) struct ListSer<'a> {
    core: Core<'a>,
    property: &'a Property,
    items: Items<'a>,
    /// The entry around it, for its caller.
    outer: Option<Open>,
    /// It opened a level.
    inner: bool,
    written: usize,
}

enum Items<'a> {
    /// Elements whose number is known.
    Elements(&'a Kind, usize),
    /// Elements whose number is not: they wait.
    Waiting(Box<Property>, Vec<Value>),
    Members(&'a [Kind]),
    /// A few numbers: the order on the wire may be another one.
    Numbers(&'a Kind, Vec<Number>),
    /// Bytes or code units of a string.
    Units(&'a Kind, Vec<u16>),
    /// An empty list that is left out.
    Nothing,
}

impl<'a> ListSer<'a> {
    pub(super) fn elements(
        core: Core<'a>,
        property: &'a Property,
        kind: &'a Kind,
        len: Option<usize>,
        outer: Option<Open>,
        inner: bool,
    ) -> Result<Self> {
        let items = match len {
            Some(len) => {
                core.writer.list_len(&core.rules.wire, len)?;
                Items::Elements(kind, len)
            }
            None => {
                let mut single = property.clone();
                single.container = crate::Container::Static;
                single.flags = single.flags.without(crate::PropertyFlags::DELTA_ENCODE);
                single.kind = kind.clone();
                Items::Waiting(Box::new(single), Vec::new())
            }
        };
        Ok(ListSer { core, property, items, outer, inner, written: 0 })
    }

    pub(super) fn members(
        core: Core<'a>,
        property: &'a Property,
        kinds: &'a [Kind],
        outer: Option<Open>,
    ) -> Self {
        ListSer { core, property, items: Items::Members(kinds), outer, inner: true, written: 0 }
    }

    pub(super) fn numbers(
        core: Core<'a>,
        property: &'a Property,
        kind: &'a Kind,
        outer: Option<Open>,
    ) -> Self {
        let items = Items::Numbers(kind, Vec::with_capacity(9));
        ListSer { core, property, items, outer, inner: false, written: 0 }
    }

    pub(super) fn units(
        core: Core<'a>,
        property: &'a Property,
        kind: &'a Kind,
        outer: Option<Open>,
    ) -> Self {
        let items = Items::Units(kind, Vec::new());
        ListSer { core, property, items, outer, inner: false, written: 0 }
    }

    pub(super) fn nothing(core: Core<'a>, property: &'a Property) -> Self {
        ListSer { core, property, items: Items::Nothing, outer: None, inner: false, written: 0 }
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.written;
        self.written = index.wrapping_add(1);
        self.put(index, value).map_err(|error| error.in_index(index))
    }

    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, index: usize, value: &T) -> Result<()> {
        match &mut self.items {
            Items::Elements(kind, _) => {
                value.serialize(ValueSer::of_element(self.core.again(), self.property, kind))?;
            }
            Items::Members(kinds) => {
                let Some(kind) = kinds.get(index) else {
                    let len = Count(kinds.len(), "member");
                    let message = format!("expected a tuple of {len}, found more");
                    return Err(Error::new(ErrorKind::Data, message));
                };
                value.serialize(ValueSer::of_element(self.core.again(), self.property, kind))?;
            }
            Items::Waiting(single, values) => {
                values.extend(alone(&self.core, single, value)?);
            }
            Items::Numbers(kind, numbers) => {
                if numbers.len() > 9 {
                    return Err(Error::new(ErrorKind::Data, "these are too many numbers"));
                }
                match kind {
                    Kind::Matrix3x3 => value.serialize(Row(numbers))?,
                    _ => numbers.push(value.serialize(CatchNumber)?),
                }
            }
            Items::Units(_, units) => match value.serialize(CatchNumber)? {
                Number::Int(number) => {
                    let unit = u16::try_from(number).map_err(|_| {
                        let message = format!("expected a unit of a string, found {number}");
                        Error::new(ErrorKind::NumberRange, message)
                    })?;
                    units.push(unit);
                }
                _ => {
                    let message = "expected a unit of a string, found a float";
                    return Err(Error::new(ErrorKind::Data, message));
                }
            },
            Items::Nothing => {
                let message = "a list said that it is empty, and is not";
                return Err(Error::new(ErrorKind::Data, message));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Open>> {
        let (writer, rules) = (&mut *self.core.writer, self.core.rules);
        match &self.items {
            Items::Elements(_, len) if *len != self.written => {
                let (len, found) = (Count(*len, "element"), self.written);
                let message = format!("a list said that it has {len}, and has {found}");
                return Err(Error::new(ErrorKind::Data, message));
            }
            Items::Members(kinds) if kinds.len() != self.written => {
                let (len, found) = (Count(kinds.len(), "member"), self.written);
                let message = format!("expected a tuple of {len}, found {found}");
                return Err(Error::new(ErrorKind::Data, message));
            }
            Items::Elements(..) | Items::Members(_) | Items::Nothing => {}
            Items::Waiting(single, values) => {
                writer.list_len(&rules.wire, values.len())?;
                for (index, value) in values.iter().enumerate() {
                    value::encode(writer, rules, single, Some(&single.kind), value)
                        .map_err(|error| error.in_index(index))?;
                }
            }
            Items::Numbers(kind, numbers) => write_numbers(writer, self.property, kind, numbers)?,
            Items::Units(Kind::WString, units) => {
                writer.wstring(&rules.wire, units.iter().copied())?;
            }
            Items::Units(_, units) => {
                let bytes = units.iter().map(|unit| {
                    u8::try_from(*unit).map_err(|_| {
                        let message = format!("expected a byte of a string, found {unit}");
                        Error::new(ErrorKind::NumberRange, message)
                    })
                });
                let bytes: Vec<u8> = bytes.collect::<Result<_>>()?;
                writer.string(&rules.wire, &bytes)?;
            }
        }
        if self.inner {
            self.core.writer.leave();
        }
        Ok(self.outer.take())
    }
}

fn write_numbers(
    writer: &mut Writer,
    property: &Property,
    kind: &Kind,
    numbers: &[Number],
) -> Result<()> {
    let (scalar, len) = match kind {
        Kind::Color => (Scalar::U8, 4),
        Kind::Vector3D | Kind::Euler => (Scalar::F32, 3),
        Kind::Quaternion => (Scalar::F32, 4),
        Kind::Matrix3x3 => (Scalar::F32, 9),
        Kind::Size(scalar) | Kind::Point(scalar) => (*scalar, 2),
        Kind::Rect(scalar) => (*scalar, 4),
        _ => (Scalar::U8, 0),
    };
    if numbers.len() != len {
        let name = property.type_name();
        let (len, found) = (Count(len, "number"), numbers.len());
        let message = format!("expected the {len} of {name}, found {found}");
        return Err(Error::new(ErrorKind::Data, message));
    }
    match (kind, numbers) {
        (Kind::Color, [r, g, b, a]) => {
            [b, g, r, a].into_iter().try_for_each(|n| write_scalar(writer, scalar, *n))
        }
        _ => numbers.iter().try_for_each(|number| write_scalar(writer, scalar, *number)),
    }
}

macro_rules! list {
    ($($trait:ident $method:ident;)+) => {$(
        impl ser::$trait for ListSer<'_> {
            type Ok = Option<Open>;
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            #[inline]
            fn end(self) -> Result<Option<Open>> {
                self.finish()
            }
        }
    )+};
}

list! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
}

/// A struct as an object, or as a tuple of numbers.
pub(crate) enum StructSer<'a> {
    Object(ObjectSer<'a>),
    Tuple(ListSer<'a>),
}

impl ser::SerializeStruct for StructSer<'_> {
    type Ok = Option<Open>;
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        match self {
            StructSer::Object(object) => object.field(key, value),
            StructSer::Tuple(tuple) => tuple.item(value),
        }
    }

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        match self {
            StructSer::Object(object) => object.skip(key),
            StructSer::Tuple(_) => Ok(()),
        }
    }

    #[inline]
    fn end(self) -> Result<Option<Open>> {
        match self {
            StructSer::Object(object) => object.finish(),
            StructSer::Tuple(tuple) => tuple.finish(),
        }
    }
}

impl ser::SerializeStructVariant for StructSer<'_> {
    type Ok = Option<Open>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        ser::SerializeStruct::serialize_field(self, key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        ser::SerializeStruct::skip_field(self, key)
    }

    fn end(self) -> Result<Option<Open>> {
        ser::SerializeStruct::end(self)
    }
}

/// A map as a list of pairs, or as an object.
pub(crate) struct MapSer<'a> {
    inside: Inside<'a>,
    key: Option<String>,
}

enum Inside<'a> {
    Pairs(ListSer<'a>),
    Object(ObjectSer<'a>),
}

impl<'a> MapSer<'a> {
    pub(super) fn pairs(list: ListSer<'a>) -> Self {
        MapSer { inside: Inside::Pairs(list), key: None }
    }

    pub(super) fn object(object: ObjectSer<'a>) -> Self {
        MapSer { inside: Inside::Object(object), key: None }
    }

    fn half<T: Serialize + ?Sized>(&mut self, which: usize, value: &T) -> Result<()> {
        let Inside::Pairs(list) = &mut self.inside else { return Err(no_key()) };
        let kind = match &list.items {
            Items::Elements(Kind::Tuple(pair), _) => pair.get(which),
            // A map of which no entry was ever seen has none.
            _ => None,
        };
        let kind = kind.ok_or_else(|| {
            Error::new(ErrorKind::Data, "expected a list of pairs for the entries of a map")
        })?;
        value.serialize(ValueSer::of_element(list.core.again(), list.property, kind))?;
        list.written = list.written.saturating_add(which);
        Ok(())
    }
}

impl ser::SerializeMap for MapSer<'_> {
    type Ok = Option<Open>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match &self.inside {
            Inside::Pairs(_) => self.half(0, key),
            Inside::Object(_) => {
                self.key = Some(key.serialize(Key)?);
                Ok(())
            }
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match &mut self.inside {
            Inside::Pairs(_) => self.half(1, value),
            Inside::Object(object) => {
                let key = self.key.take().ok_or_else(no_key)?;
                object.field(&key, value)
            }
        }
    }

    fn end(self) -> Result<Option<Open>> {
        match self.inside {
            Inside::Pairs(list) => list.finish(),
            Inside::Object(object) => object.finish(),
        }
    }
}

#[cold]
fn no_key() -> Error {
    Error::new(ErrorKind::Data, "expected the name of a property")
}

/// Takes text.
struct Key;

impl Serializer for Key {
    type Ok = String;
    type Error = Error;
    no_compounds! {
        SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant SerializeMap
        SerializeStruct SerializeStructVariant
    }

    fn serialize_str(self, text: &str) -> Result<String> {
        Ok(text.to_owned())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String> {
        Ok(variant.to_owned())
    }

    refuse! { no_key();
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String> {
        Err(no_key())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String> {
        Err(no_key())
    }
}

/// Takes a row of numbers, or one number.
struct Row<'a>(&'a mut Vec<Number>);

impl<'a> Serializer for Row<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Row<'a>;
    type SerializeTuple = Row<'a>;
    type SerializeTupleStruct = Row<'a>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_f32(self, number: f32) -> Result<()> {
        self.0.push(Number::Float(number));
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<()> {
        self.0.push(Number::Double(number));
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Row<'a>> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Row<'a>> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Row<'a>> {
        Ok(self)
    }

    refuse! { Error::new(ErrorKind::Data, "expected a row of numbers");
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_char(char); serialize_str(&str);
        serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(Error::new(ErrorKind::Data, "expected a row of numbers"))
    }
}

macro_rules! row {
    ($($trait:ident $method:ident;)+) => {$(
        impl ser::$trait for Row<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                if self.0.len() > 9 {
                    return Err(Error::new(ErrorKind::Data, "these are too many numbers"));
                }
                value.serialize(Row(self.0))
            }

            fn end(self) -> Result<()> {
                Ok(())
            }
        }
    )+};
}

row! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
}
