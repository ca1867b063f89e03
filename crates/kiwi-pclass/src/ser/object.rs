//! Structs as objects.
use std::sync::LazyLock;

use gamewire_core::words::Name;
use serde_core::ser::{Serialize, Serializer as _};

use super::Core;
use super::list::StructSer;
use super::turn::{Parent, Turn};
use super::value::ValueSer;
use crate::bits::{BitReader, BitWriter};
use crate::core_object::CoreHeader;
use crate::core_object::FIELD as CORE;
use crate::error::Shortened;
use crate::read::{ClassHeader, Classes, Reader};
use crate::schema::{Class, Property};
use crate::types::{PropertyFlags, SerializerFlags};
use crate::value::{build, encode};
use crate::write::{Early, Open, Writer};
use crate::{Error, ErrorKind, Result, Value};

/// An object that is being written. It is small, because serde hands it on by value: what is rarely
/// needed waits in the writer.
pub struct ObjectSer<'a> {
    core: Core<'a>,
    class: &'a Class,
    /// What the object itself is the value of.
    place: &'a Property,
    /// The next property in order, after the one that is written.
    next: usize,
    /// An entry is around it.
    outer: bool,
    /// The header is written with the first property, which may be the header itself.
    begun: bool,
    /// Shallow mode, and nothing waits: a property whose turn it is can be written at once.
    straight: bool,
}

impl<'a> ObjectSer<'a> {
    #[inline]
    pub(crate) fn new<'s: 'a>(
        core: Core<'a>,
        class: &'s Class,
        place: &'a Property,
        outer: Option<Open>,
    ) -> Result<Self> {
        let is_core = core.rules.wire.core;
        let (is_entry, begun, straight) = (outer.is_some(), false, false);
        let mut object =
            ObjectSer { core, class, place, next: 0, outer: is_entry, begun, straight };
        object.core.writer.open.extend(outer);
        if !is_core {
            object.begin(None)?;
        }
        Ok(object)
    }

    /// An object of the class that the property had before, of shallow mode; nothing if it is not so.
    #[inline]
    pub(super) fn straight(
        core: Core<'a>,
        place: &'a Property,
        delta: bool,
        name: Name,
    ) -> std::result::Result<Result<Self>, Core<'a>> {
        let wire = &core.rules.wire;
        let class = match place.hint.get().and_then(|at| core.schema().class_at(at)) {
            Some(class) if wire.is_plain && class.is_known(name) => class,
            _ => return Err(core),
        };
        if delta {
            core.writer.bits.bit(true);
        }
        core.writer.bits.u32(class.hash());
        let (next, outer, begun, straight) = (0, false, true, true);
        Ok(match core.writer.enter_typed(wire) {
            Ok(()) => Ok(ObjectSer { core, class, place, next, outer, begun, straight }),
            Err(error) => Err(error),
        })
    }

    #[inline]
    fn begin(&mut self, header: Option<CoreHeader>) -> Result<()> {
        self.begun = true;
        let header = header.map_or(ClassHeader::Hash(self.class.hash()), ClassHeader::Core);
        let (writer, wire) = (&mut *self.core.writer, &self.core.rules.wire);
        writer.class_header(wire, header)?;
        writer.enter_typed(wire)?;
        if wire.deep {
            let open = writer.open_object();
            writer.open.push(open);
        }
        self.straight = !wire.deep;
        Ok(())
    }

    /// Place of a property. Fields mostly come in order, after those that are not selected.
    fn index_of(&self, key: &'static str) -> Option<usize> {
        let (class, wire) = (self.class, &self.core.rules.wire);
        let mut next = self.next;
        while let Some(property) = class.properties().get(next) {
            if class.in_turn(next, key).is_some() || *property.name == *key {
                return Some(next);
            }
            if wire.deep || wire.has(property) {
                break;
            }
            next = next.wrapping_add(1);
        }
        class.index_of(key)
    }

    #[inline]
    pub(crate) fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        let class: &'a Class = self.class;
        // The property whose turn it is, which nearly all are: found by the address of its name.
        if self.straight
            && let Some(slot) = class.in_turn(self.next, key)
            && self.core.rules.wire.selects(slot.flags)
        {
            self.next = self.next.wrapping_add(1);
            let delta = slot.flags.contains(PropertyFlags::DELTA_ENCODE);
            let value = value.serialize(Turn::new(self, slot.leaf, delta));
            return value.map_err(|error| error.in_field(key));
        }
        self.any_field(key, value)
    }

    #[inline(never)]
    fn any_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let class: &'a Class = self.class;
        let found = self.index_of(key).and_then(|at| Some((at, class.properties().get(at)?)));
        let Some((index, property)) = found else { return self.other_field(key, value) };
        if !self.begun {
            self.begin(None)?;
        }
        class.learn_field(index, key);
        let written = if self.core.rules.wire.deep {
            self.next = index.wrapping_add(1);
            self.deep(property, value)
        } else {
            self.shallow(index, property, value)
        };
        written.map_err(|error| error.inside(key))
    }

    #[inline]
    fn deep<T: Serialize + ?Sized>(&mut self, property: &Property, value: &T) -> Result<()> {
        if !self.core.rules.wire.saves(property) {
            return Ok(());
        }
        value.serialize(ValueSer::of_property(self.core.again(), property))
    }

    #[inline]
    fn shallow<T: Serialize + ?Sized>(
        &mut self,
        index: usize,
        property: &Property,
        value: &T,
    ) -> Result<()> {
        if !self.core.rules.wire.has(property) {
            return Ok(());
        }
        self.pass_unselected();
        // Shallow mode has one order. A field that comes too early waits as a value.
        if index != self.next {
            return self.out_of_turn(index, property, value);
        }
        value.serialize(ValueSer::of_property(self.core.again(), property))?;
        self.next = index.wrapping_add(1);
        if self.straight { Ok(()) } else { self.write_early() }
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
    fn out_of_turn<T: Serialize + ?Sized>(
        &mut self,
        index: usize,
        property: &Property,
        value: &T,
    ) -> Result<()> {
        if index < self.next || self.core.writer.has_early(|early| early.index == index) {
            let name = property.name();
            return Err(Error::new(ErrorKind::Data, format!("duplicate field `{name}`")));
        }
        let value = alone(&self.core, property, value)?;
        let depth = self.core.writer.depth;
        self.core.writer.early.push(Early { depth, index, value });
        self.straight = false;
        Ok(())
    }

    fn write_early(&mut self) -> Result<()> {
        loop {
            self.pass_unselected();
            let next = self.next;
            let Some(early) = self.core.writer.take_early(next) else {
                self.straight = !self.core.writer.has_early(|_| true);
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
    fn other_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        if key == CORE {
            if self.begun {
                if !self.core.rules.wire.core {
                    return Ok(());
                }
                let message = "the header of a core object must be the first field";
                return Err(Error::new(ErrorKind::Data, message).inside(key));
            }
            let header = core_header(&self.core, value).map_err(|error| error.inside(key))?;
            return self.begin(header);
        }
        let (class, key) = (self.class.name(), Shortened(key));
        let message = format!("expected a property of `{class}`, found the field `{key}`");
        Err(Error::new(ErrorKind::UnknownProperty, message))
    }

    pub(crate) fn skip(&mut self, key: &'static str) -> Result<()> {
        let Some(index) = self.index_of(key) else { return Ok(()) };
        if self.core.rules.wire.deep {
            self.next = index.wrapping_add(1);
            return Ok(());
        }
        if !self.begun {
            self.begin(None)?;
        }
        self.pass_unselected();
        if index != self.next {
            return Ok(());
        }
        self.write_value(index, None)?;
        self.write_early()
    }

    #[inline]
    pub(crate) fn finish(mut self) -> Result<()> {
        // Nearly always all of it is written.
        if !(self.straight && self.next == self.class.properties().len()) {
            self.complete()?;
        }
        self.core.writer.leave();
        if self.outer { self.core.writer.close_last() } else { Ok(()) }
    }

    /// Writes what is not there, and the size.
    #[inline(never)]
    fn complete(&mut self) -> Result<()> {
        if !self.begun {
            self.begin(None)?;
        }
        if self.core.rules.wire.deep {
            return self.core.writer.close_last();
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

impl Parent for ObjectSer<'_> {
    #[inline]
    fn bits(&mut self) -> &mut BitWriter {
        &mut self.core.writer.bits
    }

    #[inline]
    fn string(&mut self, bytes: &[u8]) -> Result<()> {
        self.core.writer.string(&self.core.rules.wire, bytes)
    }

    fn value(&mut self) -> ValueSer<'_> {
        let property = self.class.properties().get(self.next.wrapping_sub(1));
        ValueSer::of_property(self.core.again(), property.unwrap_or(self.place))
    }

    #[inline]
    fn object(&mut self, delta: bool, name: Name, len: usize) -> Result<StructSer<'_>> {
        let property = self.class.properties().get(self.next.wrapping_sub(1));
        let property = property.unwrap_or(self.place);
        match ObjectSer::straight(self.core.again(), property, delta, name) {
            Ok(object) => object.map(StructSer::Object),
            Err(core) => ValueSer::of_property(core, property).serialize_struct(name, len),
        }
    }
}

/// A value apart from the bytes around it.
pub(crate) fn alone<T: Serialize + ?Sized>(
    core: &Core<'_>,
    property: &Property,
    value: &T,
) -> Result<Option<Value>> {
    // Through bytes and back, because only a reader makes values of a property; at bit 0, which is as
    // good as any, since padding is written again where the value goes.
    let mut writer = Writer { depth: core.writer.depth, ..Writer::default() };
    let apart = Core { writer: &mut writer, rules: core.rules };
    value.serialize(ValueSer::of_property(apart, property))?;
    let bytes = writer.bits.into_bytes();
    let mut reader = Reader::new(BitReader::new(&bytes), core.rules.wire, usize::MAX);
    reader.depth = core.writer.depth;
    if !reader.present(property)? {
        return Ok(None);
    }
    let classes = Classes { schema: core.schema(), core_types: core.rules.core_types.as_deref() };
    build::value(&mut reader, classes, property, None).map(Some)
}

/// The header of a core object, or none.
fn core_header<T: Serialize + ?Sized>(core: &Core<'_>, value: &T) -> Result<Option<CoreHeader>> {
    static HEADER: LazyLock<Property> = LazyLock::new(Property::of_core_header);
    // Whether it is there is no matter of the stream's flags.
    let mut rules = core.rules.clone();
    rules.wire.flags = SerializerFlags::NONE;
    let core = Core { writer: &mut Writer::default(), rules: &rules };
    let found = alone(&core, &HEADER, value)?;
    let Some(Value::List(numbers)) = found else { return Ok(None) };
    let number = |at: usize| numbers.get(at).and_then(Value::as_u64);
    let header = (number(0), number(1), number(2));
    let (Some(block), Some(kind), Some(id)) = header else { return Ok(None) };
    let narrow = || Some((block.try_into().ok()?, kind.try_into().ok()?, id.try_into().ok()?));
    Ok(narrow().map(|(block, kind, id)| CoreHeader::new(block, kind, id)))
}
