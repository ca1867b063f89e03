//! Structs as objects.
use std::sync::LazyLock;

use serde_core::ser::Serialize;

use super::Core;
use super::list::ListSer;
use super::value::{Declared, Parent, ValueSer, put_present};
use crate::bits::BitReader;
use crate::core_object::CoreHeader;
use crate::core_object::FIELD as CORE;
use crate::error::Shortened;
use crate::read::{ClassHeader, Classes, Reader, Wire};
use crate::schema::{Class, Property};
use crate::types::{GENERATED, SerializerFlags};
use crate::value::{build, encode};
use crate::write::{Early, Open, Writer, missing_schema};
use crate::{Error, ErrorKind, Result, Value};

/// An object that is being written. It is small, because serde hands it on by value: what is rarely
/// needed waits in the writer.
pub struct ObjectSer<'a> {
    core: Core<'a>,
    class: &'a Class,
    /// The next property in order, after the one that is written.
    next: usize,
    state: State,
}

/// How an object is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum State {
    /// Shallow mode, which has all properties, and nothing waits: the next can be written at once.
    All,
    /// The same, but it has only some of the properties.
    Some,
    /// Shallow mode, and properties wait that came before their turn.
    Early,
    /// The header is written with the first property, which may be the header itself.
    Unbegun,
    Deep,
    /// Deep mode, with an entry around it.
    Entry,
}

impl State {
    #[inline(always)]
    fn of(wire: &Wire, class: &Class) -> State {
        if wire.has_all(class) { State::All } else { State::Some }
    }
}

impl<'a> ObjectSer<'a> {
    /// Of a class whose object was begun.
    #[inline(always)]
    pub(super) fn new(core: Core<'a>, class: &'a Class, state: State) -> Self {
        ObjectSer { core, class, next: 0, state }
    }

    /// Begins an object of shallow mode whose header is a class hash.
    #[inline(always)]
    pub(super) fn plain(core: &mut Core<'_>, class: &Class, delta: bool) -> Result<State> {
        if delta {
            put_present(&mut core.writer.bits);
        }
        core.writer.bits.u32(class.hash());
        core.writer.enter_typed(&core.rules.wire)?;
        Ok(State::of(&core.rules.wire, class))
    }

    /// Begins any object.
    pub(super) fn open(core: &mut Core<'_>, class: &Class, outer: Option<Open>) -> Result<State> {
        let has_entry = outer.is_some();
        core.writer.open.extend(outer);
        match (core.rules.wire.core, has_entry) {
            (true, _) => Ok(State::Unbegun),
            (false, true) => begin(core, class, None).map(|_| State::Entry),
            (false, false) => begin(core, class, None),
        }
    }

    fn begin(&mut self, header: Option<CoreHeader>) -> Result<()> {
        self.state = begin(&mut self.core, self.class, header)?;
        Ok(())
    }

    #[inline(always)]
    fn is_in_order(&self) -> bool {
        matches!(self.state, State::All | State::Some)
    }

    /// Index of a property. Fields mostly come in order, after those that are not selected.
    fn index_of(&self, key: &'static str) -> Option<usize> {
        let (class, wire) = (self.class, &self.core.rules.wire);
        let mut next = self.next;
        while let Some(property) = class.properties().get(next) {
            if *property.name == *key {
                return Some(next);
            }
            if wire.deep || wire.has(property) {
                break;
            }
            next = next.wrapping_add(1);
        }
        let other = || class.aliases().find(|(_, name)| *name == key).map(|(index, _)| index);
        class.index_of(key).or_else(other)
    }

    #[inline(always)]
    pub(crate) fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        let class: &'a Class = self.class;
        // Nearly every field is the next property: where this is inlined, the length of its name is
        // known, and comparing the names takes a few instructions.
        if self.is_in_order()
            && let Some(property) = class.properties().get(self.next)
            && *property.name == *key
            && (self.state == State::All || self.core.rules.wire.has(property))
        {
            self.next = self.next.wrapping_add(1);
            let value = value.serialize(ValueSer::new(self, property.hint));
            return value.map_err(|error| error.in_field(key));
        }
        self.any_field(key, &|own| value.serialize(ValueSer::any(own)))
    }

    /// Writes a field that is not the next property.
    #[inline(never)]
    pub(super) fn any_field(&mut self, key: &'static str, write: Write<'_>) -> Result<()> {
        let class: &'a Class = self.class;
        let found = self.index_of(key).and_then(|at| Some((at, class.properties().get(at)?)));
        let Some((index, property)) = found else { return self.other_field(key, write) };
        if self.state == State::Unbegun {
            self.begin(None)?;
        }
        let written = if self.core.rules.wire.deep {
            self.next = index.wrapping_add(1);
            match self.core.rules.wire.saves(property) {
                true => write(&mut self.declared()),
                false => Ok(()),
            }
        } else {
            self.shallow(index, property, write)
        };
        written.map_err(|error| error.inside(key))
    }

    #[inline]
    fn shallow(&mut self, index: usize, property: &Property, write: Write<'_>) -> Result<()> {
        if !self.core.rules.wire.has(property) {
            return Ok(());
        }
        self.pass_unselected();
        // Shallow mode has one order. A field that comes too early waits as a value.
        if index != self.next {
            return self.keep_early(index, property, write);
        }
        self.next = index.wrapping_add(1);
        write(&mut self.declared())?;
        if self.is_in_order() { Ok(()) } else { self.write_early() }
    }

    #[inline]
    fn pass_unselected(&mut self) {
        while let Some(property) = self.class.properties().get(self.next)
            && !self.core.rules.wire.has(property)
        {
            self.next = self.next.wrapping_add(1);
        }
    }

    /// Keeps the value until those before it are written.
    #[cold]
    fn keep_early(&mut self, index: usize, property: &Property, write: Write<'_>) -> Result<()> {
        if index < self.next || self.core.writer.has_early(|early| early.index == index) {
            let name = property.name();
            return Err(Error::new(ErrorKind::Data, format!("duplicate field `{name}`")));
        }
        let value = alone(&self.core, property, write)?;
        let depth = self.core.writer.depth;
        self.core.writer.early.push(Early { depth, index, value });
        self.state = State::Early;
        Ok(())
    }

    fn write_early(&mut self) -> Result<()> {
        loop {
            self.pass_unselected();
            let next = self.next;
            let Some(early) = self.core.writer.take_early(next) else {
                if !self.core.writer.has_early(|_| true) {
                    self.state = State::of(&self.core.rules.wire, self.class);
                }
                return Ok(());
            };
            self.write_value(next, early.value.as_ref())?;
        }
    }

    /// Writes the property whose turn it is.
    fn write_value(&mut self, index: usize, value: Option<&Value>) -> Result<()> {
        self.next = index.wrapping_add(1);
        let Some(property) = self.class.properties().get(index) else { return Ok(()) };
        let (writer, rules) = (&mut *self.core.writer, self.core.rules);
        match value {
            Some(value) => {
                if property.is_delta() {
                    writer.bits.bit(true);
                }
                encode::encode(writer, rules, property, None, value)
            }
            None => encode::absent(writer, rules, property),
        }
        .map_err(|error| error.inside(property.name()))
    }

    #[cold]
    fn other_field(&mut self, key: &'static str, write: Write<'_>) -> Result<()> {
        if key == CORE {
            if self.state != State::Unbegun {
                if !self.core.rules.wire.core {
                    return Ok(());
                }
                let message = "the header of a core object must be the first field";
                return Err(Error::new(ErrorKind::Data, message).inside(key));
            }
            let header = core_header(&self.core, write).map_err(|error| error.inside(key))?;
            return self.begin(header);
        }
        let (class, key) = (self.class.name(), Shortened(key));
        let message = format!("expected a property of `{class}`, found the field `{key}`");
        Err(Error::new(ErrorKind::UnknownProperty, message))
    }

    /// The content of a tuple variant, which is the only property.
    pub(super) fn tuple(mut self, len: usize) -> Result<ListSer<'a>> {
        let Some(property) = self.class.properties().first() else { return Err(missing_schema()) };
        if self.state == State::Unbegun {
            self.begin(None)?;
        }
        let mut list = Declared { core: self.core, property, element: None }.list(Some(len))?;
        list.variant = Some(self.state == State::Entry);
        Ok(list)
    }

    pub(crate) fn skip(&mut self, key: &'static str) -> Result<()> {
        if key == GENERATED {
            return Ok(());
        }
        let Some(index) = self.index_of(key) else { return Ok(()) };
        if self.core.rules.wire.deep {
            self.next = index.wrapping_add(1);
            return Ok(());
        }
        if self.state == State::Unbegun {
            self.begin(None)?;
        }
        self.pass_unselected();
        if index != self.next {
            return Ok(());
        }
        self.write_value(index, None)?;
        self.write_early()
    }

    #[inline(always)]
    pub(crate) fn finish(mut self) -> Result<()> {
        // Nearly always all of it is written.
        if !(self.is_in_order() && self.next == self.class.properties().len()) {
            self.complete()?;
        }
        self.core.writer.leave();
        Ok(())
    }

    /// Writes what is missing, and the size.
    #[inline(never)]
    fn complete(&mut self) -> Result<()> {
        if self.state == State::Unbegun {
            self.begin(None)?;
        }
        if self.core.rules.wire.deep {
            self.core.writer.close_last()?;
            return if self.state == State::Entry { self.core.writer.close_last() } else { Ok(()) };
        }
        self.pass_unselected();
        while self.next < self.class.properties().len() {
            let next = self.next;
            let value = self.core.writer.take_early(next).and_then(|early| early.value);
            self.write_value(next, value.as_ref())?;
            self.pass_unselected();
        }
        Ok(())
    }
}

/// Writes the header of an object.
fn begin(core: &mut Core<'_>, class: &Class, header: Option<CoreHeader>) -> Result<State> {
    let header = header.map_or(ClassHeader::Hash(class.hash()), ClassHeader::Core);
    let (writer, wire) = (&mut *core.writer, &core.rules.wire);
    writer.class_header(wire, header)?;
    writer.enter_typed(wire)?;
    if !wire.deep {
        return Ok(State::of(wire, class));
    }
    let open = writer.open_object();
    writer.open.push(open);
    Ok(State::Deep)
}

impl Parent for ObjectSer<'_> {
    #[inline(always)]
    fn core(&mut self) -> Core<'_> {
        self.core.reborrow()
    }

    #[inline]
    fn declared(&mut self) -> Declared<'_> {
        let property = self.class.properties().get(self.next.wrapping_sub(1));
        debug_assert!(property.is_some(), "a value is written after its field is found");
        let property = property.unwrap_or(self.core.rules.root);
        Declared { core: self.core.reborrow(), property, element: None }
    }
}

/// Writes a value of any type: what is around that is built once for all of them, and not in each crate that
/// derives a struct.
pub(super) type Write<'w> = &'w dyn Fn(&mut Declared<'_>) -> Result<()>;

/// A value apart from the bytes around it.
fn alone(core: &Core<'_>, property: &Property, write: Write<'_>) -> Result<Option<Value>> {
    // Through bytes and back, because only a reader makes values of a property; at bit 0, which is as
    // good as any, since padding is written again where the value goes.
    let mut writer = Writer { depth: core.writer.depth, ..Writer::default() };
    let apart = Core { writer: &mut writer, rules: core.rules };
    write(&mut Declared { core: apart, property, element: None })?;
    let bytes = writer.bits.into_bytes();
    let mut reader = Reader::new(BitReader::new(&bytes), core.rules.wire, usize::MAX);
    reader.depth = core.writer.depth;
    if !reader.present(property)? {
        return Ok(None);
    }
    let classes =
        Classes { schema: &core.rules.schema, core_types: core.rules.core_types.as_deref() };
    build::value(&mut reader, classes, property, None).map(Some)
}

/// The header of a core object, or none.
fn core_header(core: &Core<'_>, write: Write<'_>) -> Result<Option<CoreHeader>> {
    static HEADER: LazyLock<Property> = LazyLock::new(Property::of_core_header);
    // Whether it is there is no matter of the stream's flags.
    let mut rules = core.rules.clone();
    rules.wire.flags = SerializerFlags::NONE;
    let core = Core { writer: &mut Writer::default(), rules: &rules };
    let found = alone(&core, &HEADER, write)?;
    let Some(Value::List(numbers)) = found else { return Ok(None) };
    let number = |at: usize| numbers.get(at).and_then(Value::as_u64);
    let header = (number(0), number(1), number(2));
    let (Some(block), Some(kind), Some(id)) = header else { return Ok(None) };
    let narrow = || Some((block.try_into().ok()?, kind.try_into().ok()?, id.try_into().ok()?));
    Ok(narrow().map(|(block, kind, id)| CoreHeader::new(block, kind, id)))
}
