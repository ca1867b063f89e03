//! Lists, tuples, maps, and structs that are tuples.
use std::any::type_name;
use std::fmt::Display;

use serde_core::ser::{self, Serialize};

use super::Core;
use super::object::{ObjectSer, Write};
use super::value::{Declared, Parent, ValueSer};
use crate::compound::{lists, structs};
use crate::error::Count;
use crate::schema::{Hint, Kind, Kinds, Property};
use crate::{Error, ErrorKind, Result};

/// A list that is being written, or a tuple.
pub struct ListSer<'a> {
    core: Core<'a>,
    property: &'a Property,
    /// The encoding of each element, or of each member.
    kinds: Kinds<'a>,
    /// How many there are.
    len: usize,
    written: usize,
    role: ListRole,
    /// An entry is around it.
    outer: bool,
    /// Of each element of a list.
    hint: Hint,
    /// A tuple variant: the object that it is, and whether there is an entry around it.
    pub(super) variant: Option<bool>,
    /// The bit at which the count stands, if it was not known before.
    start: usize,
    /// The encoding of the element or member that is written.
    kind: &'a Kind,
}

/// The meaning of the values.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ListRole {
    /// Elements of a list after their number.
    List,
    /// The same where the number is not known before.
    Counted,
    /// Units of a string whose number is not known before.
    CountedUnits,
    Tuple,
    /// A few numbers, the rows of a matrix or the units of a string.
    Row,
    /// The numbers of a colour.
    Color,
    /// An empty list that is left out.
    Nothing,
}

impl ListRole {
    /// Whether it is a level of what nests.
    #[inline(always)]
    fn is_level(self) -> bool {
        matches!(self, ListRole::List | ListRole::Counted | ListRole::Tuple)
    }
}

impl<'a> ListSer<'a> {
    #[inline(always)]
    pub(super) fn new(
        core: Core<'a>,
        property: &'a Property,
        (kinds, len, role): (Kinds<'a>, usize, ListRole),
        outer: bool,
    ) -> Result<Self> {
        let mut start = 0;
        if role == ListRole::List {
            core.writer.list_len(&core.rules.wire, len)?;
        } else if matches!(role, ListRole::Counted | ListRole::CountedUnits) {
            start = core.writer.open_len(&core.rules.wire, role == ListRole::CountedUnits)?;
        }
        if role.is_level() {
            core.writer.enter_typed(&core.rules.wire)?;
        }
        let kind = if let Kinds::Same(kind) = kinds { kind } else { &property.kind };
        let (hint, written, variant) = (Hint::of(kind), 0, None);
        Ok(ListSer { core, property, kinds, len, written, role, outer, hint, variant, start, kind })
    }

    #[inline(always)]
    pub(super) fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.written;
        self.written = index.wrapping_add(1);
        // The encoding is the same for all elements.
        let mut hint = self.hint;
        if self.role != ListRole::List {
            match self.member(index) {
                Ok(kind) => (self.kind, hint) = (kind, Hint::of(kind)),
                Err(error) => return Err(error.in_index(index)),
            }
        }
        let written = value.serialize(ValueSer::new(self, hint));
        written.map_err(|error| error.in_index(index))
    }

    /// Writes the next number of a row.
    #[inline(never)]
    fn row_item(&mut self, write: Write<'_>) -> Result<()> {
        let index = self.written;
        self.written = index.wrapping_add(1);
        let written = self.member(index).and_then(|kind| {
            self.kind = kind;
            write(&mut self.declared())
        });
        written.map_err(|error| error.in_index(index))
    }

    /// The encoding of a member.
    #[inline]
    fn member(&self, index: usize) -> Result<&'a Kind> {
        let is_in = self.role == ListRole::Tuple || index < self.len;
        match self.kinds.get(index).filter(|_| is_in) {
            Some(kind) if self.role != ListRole::Nothing => Ok(kind),
            _ => Err(self.too_many()),
        }
    }

    #[cold]
    fn too_many(&self) -> Error {
        let len = Count(self.len, "member");
        let message = match self.role {
            ListRole::Tuple => format!("expected a tuple of {len}, found more"),
            ListRole::Row | ListRole::Color => return wrong_row(self.property, self.len, "more"),
            _ => "a list said that it is empty, and is not".to_owned(),
        };
        Error::new(ErrorKind::Data, message)
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        // Taken apart, so that the list is not moved for the ways that are rare.
        let ListSer { core, property, len, written, role, outer, variant, start, .. } = self;
        let is_simple = role == ListRole::List || role == ListRole::Tuple;
        if is_simple && written == len && !outer && variant.is_none() {
            core.writer.leave();
            return Ok(());
        }
        finish_other(core, property, (role, start), (len, written), (outer, variant))
    }
}

#[inline(never)]
#[allow(
    clippy::boxed_local,
    reason = "taken out of the box here and not in each crate that derives a struct"
)]
fn finish_tuple(tuple: Box<ListSer<'_>>) -> Result<()> {
    tuple.finish()
}

#[inline(never)]
fn finish_other(
    Core { writer, rules }: Core<'_>,
    property: &Property,
    (role, start): (ListRole, usize),
    (len, written): (usize, usize),
    (outer, variant): (bool, Option<bool>),
) -> Result<()> {
    match role {
        ListRole::List if len != written => {
            let (len, found) = (Count(len, "element"), written);
            let message = format!("a list said that it has {len}, and has {found}");
            return Err(Error::new(ErrorKind::Data, message));
        }
        ListRole::Tuple if len != written => {
            let (len, found) = (Count(len, "member"), written);
            let message = format!("expected a tuple of {len}, found {found}");
            return Err(Error::new(ErrorKind::Data, message));
        }
        ListRole::List | ListRole::Tuple | ListRole::Nothing => {}
        ListRole::Counted | ListRole::CountedUnits => {
            let is_text = role == ListRole::CountedUnits;
            writer.close_len(&rules.wire, is_text, (start, written))?;
        }
        ListRole::Row | ListRole::Color if len != written => {
            return Err(wrong_row(property, len, written));
        }
        // On the wire blue comes first.
        ListRole::Color => writer.bits.swap_last(2, 4),
        ListRole::Row => {}
    }
    if role.is_level() {
        writer.leave();
    }
    if outer {
        writer.close_last()?;
    }
    let Some(has_entry) = variant else { return Ok(()) };
    writer.leave();
    if rules.wire.deep {
        writer.close_last()?;
    }
    if has_entry { writer.close_last() } else { Ok(()) }
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
        self.core.reborrow()
    }

    #[inline]
    fn declared(&mut self) -> Declared<'_> {
        let (core, property) = (self.core.reborrow(), self.property);
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
            StructSer::Tuple(tuple) => tuple.row_item(&|own| value.serialize(ValueSer::any(own))),
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
            StructSer::Tuple(tuple) => finish_tuple(tuple),
        }
    }
}

structs!(StructSer<'a> => ());

impl ListSer<'_> {
    /// The key of a pair, or its value.
    fn half<T: Serialize + ?Sized>(&mut self, which: usize, value: &T) -> Result<()> {
        let kind = match (self.role, self.kinds) {
            (ListRole::List | ListRole::Counted, Kinds::Same(Kind::Tuple(pair))) => pair.get(which),
            // A map of which no entry was ever seen has none.
            _ => None,
        };
        let kind = kind.ok_or_else(|| {
            Error::new(ErrorKind::Data, "expected a list of pairs for the entries of a map")
        })?;
        let (core, property) = (self.core.reborrow(), self.property);
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
        // The code that serde derives for flattened fields has the names as bare `str`. Its bytes can
        // only be read by a schema; a `Value` has one.
        if self.role == ListRole::Counted
            && self.core.rules.schema.is_inferred()
            && !self.core.rules.wire.saves_all
            && type_name::<T>() == type_name::<str>()
        {
            let message = "a struct with flattened fields has no class: it needs a schema";
            return Err(Error::new(ErrorKind::Schema, message));
        }
        self.half(0, key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.half(1, value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
