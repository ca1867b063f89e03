//! Lists, tuples, maps, and structs that are tuples.

use serde_core::ser::{self, Serialize};

use super::Core;
use super::object::{ObjectSer, alone};
use super::value::ValueSer;
use crate::catch::{Catch, Caught};
use crate::compound::{lists, structs};
use crate::error::Count;
use crate::schema::{Kind, Number, Property};
use crate::value::encode;
use crate::write::Open;
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

/// What is in it.
pub(super) enum Items<'a> {
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

impl<'a> Items<'a> {
    /// Elements of a list, of which there are `len` if that is known.
    pub(super) fn of_list(property: &Property, kind: &'a Kind, len: Option<usize>) -> Self {
        if let Some(len) = len {
            return Items::Elements(kind, len);
        }
        let mut single = property.clone();
        single.container = crate::Container::Static;
        single.flags = single.flags.without(crate::PropertyFlags::DELTA_ENCODE);
        single.kind = kind.clone();
        Items::Waiting(Box::new(single), Vec::new())
    }
}

impl<'a> ListSer<'a> {
    pub(super) fn new(
        core: Core<'a>,
        property: &'a Property,
        items: Items<'a>,
        outer: Option<Open>,
    ) -> Result<Self> {
        if let Items::Elements(_, len) = items {
            core.writer.list_len(&core.rules.wire, len)?;
        }
        let inner = !matches!(items, Items::Numbers(..) | Items::Units(..) | Items::Nothing);
        if inner {
            core.writer.enter_typed(&core.rules.wire)?;
        }
        Ok(ListSer { core, property, items, outer, inner, written: 0 })
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
            Items::Numbers(_, numbers) if numbers.len() > 9 => {
                return Err(Error::new(ErrorKind::Data, "these are too many numbers"));
            }
            Items::Numbers(_, numbers) => match value.serialize(NUMBER)? {
                Caught::Number(number) => numbers.push(number),
                Caught::Numbers(row) => numbers.extend(row),
                _ => return Err(NUMBER.fault()),
            },
            Items::Units(_, units) => {
                let number = NUMBER.number(value)?;
                units.push(number.fit().ok_or_else(|| {
                    let message = format!("expected a unit of a string, found {number}");
                    Error::new(ErrorKind::NumberRange, message)
                })?);
            }
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
                    encode::encode(writer, rules, single, Some(&single.kind), value)
                        .map_err(|error| error.in_index(index))?;
                }
            }
            Items::Numbers(kind, numbers) => writer.row(self.property, kind, numbers)?,
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

/// One of a few.
const NUMBER: Catch<'_> = Catch("a number");

lists!(ListSer<'a> => Option<Open>);

/// A struct as an object, or as a tuple of numbers.
pub(crate) enum StructSer<'a> {
    Object(ObjectSer<'a>),
    Tuple(ListSer<'a>),
}

impl StructSer<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match self {
            StructSer::Object(object) => object.field(key, value),
            StructSer::Tuple(tuple) => tuple.item(value),
        }
    }

    fn skip(&mut self, key: &'static str) -> Result<()> {
        match self {
            StructSer::Object(object) => object.skip(key),
            StructSer::Tuple(_) => Ok(()),
        }
    }

    #[inline]
    fn finish(self) -> Result<Option<Open>> {
        match self {
            StructSer::Object(object) => object.finish(),
            StructSer::Tuple(tuple) => tuple.finish(),
        }
    }
}

structs!(StructSer<'a> => Option<Open>);

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
                match key.serialize(NAME)? {
                    Caught::Text(name) => self.key = Some(name),
                    _ => return Err(no_key()),
                }
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

/// What names a property.
const NAME: Catch<'_> = Catch("the name of a property");

#[cold]
fn no_key() -> Error {
    NAME.fault()
}
