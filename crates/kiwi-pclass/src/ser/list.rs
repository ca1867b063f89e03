//! Lists, tuples, maps, and structs that are tuples.
use std::fmt::Display;

use serde_core::ser::{self, Serialize};

use super::Core;
use super::object::{ObjectSer, alone};
use super::value::{Declared, Parent, ValueSer};
use crate::compound::{lists, structs};
use crate::error::Count;
use crate::schema::{Kind, Leaf, Property};
use crate::value::encode;
use crate::write::Open;
use crate::{Error, ErrorKind, Result, Value};

/// A list that is being written, or a tuple.
pub struct ListSer<'a> {
    core: Core<'a>,
    property: &'a Property,
    items: ListItems<'a>,
    /// The entry around it.
    outer: Option<Open>,
    /// It opened a level.
    inner: bool,
    /// A tuple variant: the object that it is, and whether there is an entry around it.
    pub(super) variant: Option<bool>,
    /// The encoding of each element, or of the one that is written.
    kind: &'a Kind,
    leaf: Leaf,
    written: usize,
}

/// The values of a list, or of a type that is written as one.
pub(super) enum ListItems<'a> {
    /// Elements whose number is known.
    Elements(&'a Kind, usize),
    /// Elements whose number is not: they wait.
    Waiting(Box<Property>, Vec<Value>),
    Members(&'a [Kind]),
    /// A few numbers, the rows of a matrix or the units of a string: the encoding of each, how many,
    /// and whether they are those of a colour.
    Row(Kind, usize, bool),
    /// An empty list that is left out.
    Nothing,
}

impl<'a> ListItems<'a> {
    /// Elements of a list, of which there are `len` if that is known.
    pub(super) fn of_list(property: &Property, kind: &'a Kind, len: Option<usize>) -> Self {
        if let Some(len) = len {
            return ListItems::Elements(kind, len);
        }
        let mut single = property.clone();
        single.container = crate::schema::Container::Static;
        single.flags = single.flags.without(crate::types::PropertyFlags::DELTA_ENCODE);
        single.kind = kind.clone();
        ListItems::Waiting(Box::new(single), Vec::new())
    }
}

impl<'a> ListSer<'a> {
    pub(super) fn new(
        core: Core<'a>,
        property: &'a Property,
        items: ListItems<'a>,
        outer: Option<Open>,
    ) -> Result<Self> {
        if let ListItems::Elements(_, len) = items {
            core.writer.list_len(&core.rules.wire, len)?;
        }
        let inner = !matches!(items, ListItems::Row(..) | ListItems::Nothing);
        if inner {
            core.writer.enter_typed(&core.rules.wire)?;
        }
        let kind = if let ListItems::Elements(kind, _) = items { kind } else { &property.kind };
        let leaf = Leaf::of(kind);
        Ok(ListSer { core, property, items, outer, inner, kind, leaf, written: 0, variant: None })
    }

    #[inline]
    pub(super) fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.written;
        self.written = index.wrapping_add(1);
        let written = match &self.items {
            // The encoding is the same for all elements.
            ListItems::Elements(..) => {
                let leaf = self.leaf;
                value.serialize(ValueSer::new(self, leaf, false))
            }
            _ => self.put(index, value),
        };
        written.map_err(|error| error.in_index(index))
    }

    fn put<T: Serialize + ?Sized>(&mut self, index: usize, value: &T) -> Result<()> {
        match &mut self.items {
            ListItems::Members(kinds) => {
                let Some(kind) = kinds.get(index) else {
                    let len = Count(kinds.len(), "member");
                    let message = format!("expected a tuple of {len}, found more");
                    return Err(Error::new(ErrorKind::Data, message));
                };
                self.kind = kind;
                value.serialize(ValueSer::new(self, Leaf::of(kind), false))?;
            }
            ListItems::Waiting(single, values) => {
                values.extend(alone(&self.core, single, value)?);
            }
            ListItems::Row(_, len, _) if index >= *len => {
                return Err(wrong_row(self.property, *len, "more"));
            }
            ListItems::Row(kind, ..) => {
                let (core, property) = (self.core.again(), self.property);
                let mut declared = Declared { core, property, element: Some(kind) };
                value.serialize(ValueSer::any(&mut declared))?;
            }
            ListItems::Elements(..) | ListItems::Nothing => {
                let message = "a list said that it is empty, and is not";
                return Err(Error::new(ErrorKind::Data, message));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<()> {
        let (writer, rules) = (&mut *self.core.writer, self.core.rules);
        match &self.items {
            ListItems::Elements(_, len) if *len != self.written => {
                let (len, found) = (Count(*len, "element"), self.written);
                let message = format!("a list said that it has {len}, and has {found}");
                return Err(Error::new(ErrorKind::Data, message));
            }
            ListItems::Members(kinds) if kinds.len() != self.written => {
                let (len, found) = (Count(kinds.len(), "member"), self.written);
                let message = format!("expected a tuple of {len}, found {found}");
                return Err(Error::new(ErrorKind::Data, message));
            }
            ListItems::Elements(..) | ListItems::Members(_) | ListItems::Nothing => {}
            ListItems::Waiting(single, values) => {
                writer.list_len(&rules.wire, values.len())?;
                for (index, value) in values.iter().enumerate() {
                    encode::encode(writer, rules, single, Some(&single.kind), value)
                        .map_err(|error| error.inside(index))?;
                }
            }
            ListItems::Row(_, len, _) if *len != self.written => {
                return Err(wrong_row(self.property, *len, self.written));
            }
            // On the wire blue comes first.
            ListItems::Row(.., is_color) if *is_color => writer.bits.swap_last(2, 4),
            ListItems::Row(..) => {}
        }
        if self.inner {
            writer.leave();
        }
        writer.close(self.outer.as_ref())?;
        let Some(has_entry) = self.variant else { return Ok(()) };
        writer.leave();
        if rules.wire.deep {
            writer.close_last()?;
        }
        if has_entry { writer.close_last() } else { Ok(()) }
    }
}

#[cold]
fn wrong_row(property: &Property, len: usize, found: impl Display) -> Error {
    let (name, len) = (property.type_name(), Count(len, "number"));
    Error::new(ErrorKind::Data, format!("expected {len} for {name}, found {found}"))
}

lists!(ListSer<'a> => ());
lists!(@one SerializeTupleVariant serialize_field ListSer<'a> => ());

impl Parent for ListSer<'_> {
    #[inline(always)]
    fn core(&mut self) -> Core<'_> {
        self.core.again()
    }

    #[inline]
    fn declared(&mut self) -> Declared<'_> {
        let (core, property) = (self.core.again(), self.property);
        Declared { core, property, element: Some(self.kind) }
    }
}

/// A struct as an object, or as a tuple of numbers.
pub enum StructSer<'a> {
    Object(ObjectSer<'a>),
    Tuple(Box<ListSer<'a>>),
}

impl StructSer<'_> {
    #[inline(always)]
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

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            StructSer::Object(object) => object.finish(),
            StructSer::Tuple(tuple) => tuple.finish(),
        }
    }
}

structs!(StructSer<'a> => ());

impl ListSer<'_> {
    /// The key of a pair, or its value.
    fn half<T: Serialize + ?Sized>(&mut self, which: usize, value: &T) -> Result<()> {
        let kind = match &self.items {
            ListItems::Elements(Kind::Tuple(pair), _) => pair.get(which),
            // A map of which no entry was ever seen has none.
            _ => None,
        };
        let kind = kind.ok_or_else(|| {
            Error::new(ErrorKind::Data, "expected a list of pairs for the entries of a map")
        })?;
        let (core, property) = (self.core.again(), self.property);
        let mut declared = Declared { core, property, element: Some(kind) };
        value.serialize(ValueSer::any(&mut declared))?;
        self.written = self.written.saturating_add(which);
        Ok(())
    }
}

/// A map as a list of pairs.
impl ser::SerializeMap for ListSer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.half(0, key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.half(1, value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
