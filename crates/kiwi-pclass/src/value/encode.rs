//! [`Value`]s to bytes.

use std::marker::PhantomData;

use super::levels::{Levels, MAX_RECURSION};
use super::row::{default_of, number_of};
use super::{Field, Object, Value};
use crate::options::Options;
use crate::read::{ClassHeader, Wire};
use crate::schema::{Kind, Kinds, Number, Property, Row, Scalar};
use crate::write::{Open, Rules, Writer};
use crate::{Error, ErrorKind, Result};

/// The root, which is an object.
pub(crate) fn root(writer: &mut Writer, rules: &Rules, value: &Value) -> Result<()> {
    if !matches!(value, Value::Object(_) | Value::Raw(_)) {
        let message = format!("expected an object, found {}", value.kind_name());
        return Err(Error::new(ErrorKind::Null, message));
    }
    let mut encoder = Encoder::new(writer, rules);
    let level = encoder.object(value)?;
    encoder.run(level)
}

/// The value of a property, or one of its elements.
pub(crate) fn encode(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    element: Option<&Kind>,
    value: &Value,
) -> Result<()> {
    let mut encoder = Encoder::new(writer, rules);
    let level = match element {
        Some(kind) => encoder.open(property, kind, value)?,
        None => encoder.property(property, value)?,
    };
    encoder.run(level)
}

/// The bytes of the value that a new object has.
pub(crate) fn default(wire: Wire, property: &Property) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let rules = Rules { wire, ..Rules::new(&Options::new()) };
    encode(&mut writer, &rules, property, None, &default_of(property))?;
    Ok(writer.bits.into_bytes())
}

/// A property of shallow mode for which there is no value.
pub(crate) fn absent(writer: &mut Writer, rules: &Rules, property: &Property) -> Result<()> {
    let is_delta = property.is_delta();
    if is_delta && !rules.wire.forbids_delta() {
        writer.bits.bit(false);
        return Ok(());
    }
    if rules.fill_defaults {
        if is_delta {
            writer.bits.bit(true);
        }
        return encode(writer, rules, property, None, &default_of(property));
    }
    let name = property.name();
    let message = if is_delta {
        format!("`{name}` may not be left out under these flags, and there is no value for it")
    } else {
        format!("there is no value for `{name}`, and shallow mode cannot leave it out")
    };
    Err(Error::new(if is_delta { ErrorKind::MissingDelta } else { ErrorKind::Data }, message))
}

/// An object, list or tuple of which a part is written.
pub(super) enum Level<'v> {
    Shallow { object: &'v Object, next: usize, field: usize },
    Deep { object: &'v Object, next: usize, size: Open, entry: Option<Open> },
    Items { property: &'v Property, kinds: Kinds<'v>, list: &'v [Value], next: usize },
}

struct Encoder<'w, 'v> {
    writer: &'w mut Writer,
    rules: &'w Rules,
    /// Levels that may yet be written by recursion.
    recursion: u32,
    values: PhantomData<&'v Value>,
}

impl<'v> Levels for Encoder<'_, 'v> {
    type Level = Level<'v>;

    #[inline]
    fn recursion(&mut self) -> &mut u32 {
        &mut self.recursion
    }

    #[inline]
    fn advance(&mut self, top: &mut Level<'v>) -> Result<Option<Level<'v>>> {
        match top {
            Level::Shallow { object, next, field } => self.shallow(object, next, field),
            Level::Deep { object, next, size, entry } => self.deep(object, next, size, entry),
            Level::Items { property, kinds, list, next } => {
                while let (Some(kind), Some(value)) = (kinds.get(*next), list.get(*next)) {
                    *next = next.wrapping_add(1);
                    if let Some(inner) = self.open(property, kind, value)? {
                        return Ok(Some(inner));
                    }
                }
                Ok(None)
            }
        }
    }

    #[inline]
    fn close(&mut self) {
        self.writer.leave();
    }

    fn locate(level: &Level<'v>, error: Error) -> Error {
        let property = match level {
            Level::Shallow { object, next, .. } => {
                next.checked_sub(1).and_then(|own| object.class().properties().get(own))
            }
            Level::Deep { object, next, .. } => {
                let field = next.checked_sub(1).and_then(|own| object.fields().get(own));
                field.and_then(|field| object.property_of(field))
            }
            Level::Items { next, .. } => return error.inside(next.saturating_sub(1)),
        };
        match property {
            Some(property) => error.inside(property.name()),
            None => error,
        }
    }
}

impl<'w, 'v> Encoder<'w, 'v> {
    fn new(writer: &'w mut Writer, rules: &'w Rules) -> Self {
        Encoder { writer, rules, recursion: MAX_RECURSION, values: PhantomData }
    }

    fn object(&mut self, value: &'v Value) -> Result<Option<Level<'v>>> {
        let (writer, wire) = (&mut *self.writer, &self.rules.wire);
        let object = match value {
            Value::Null => {
                writer.class_header(wire, ClassHeader::Null)?;
                return Ok(None);
            }
            Value::Raw(raw) => {
                writer.raw_object(wire, raw)?;
                return Ok(None);
            }
            Value::Object(object) => object,
            other => return Err(mismatch("an object", other)),
        };
        let header = match object.core() {
            Some(core) if wire.has_both => ClassHeader::Both(core, object.class().hash()),
            Some(core) if wire.core => ClassHeader::Core(core),
            _ => ClassHeader::Hash(object.class().hash()),
        };
        writer.class_header(wire, header)?;
        writer.enter(wire)?;
        let level = match wire.deep {
            true => Level::Deep { object, next: 0, size: writer.open_object(), entry: None },
            false => Level::Shallow { object, next: 0, field: 0 },
        };
        self.level(level)
    }

    #[inline]
    fn shallow(
        &mut self,
        object: &'v Object,
        next: &mut usize,
        place: &mut usize,
    ) -> Result<Option<Level<'v>>> {
        let (class, fields) = (object.class(), object.fields());
        while let Some(property) = class.properties().get(*next) {
            let index = *next;
            *next = index.wrapping_add(1);
            if !self.rules.wire.has(property) {
                continue;
            }
            // Fields mostly come in order: then the place is right without a search.
            let is = |field: &&Field| field.index() == Some(index);
            while fields.get(*place).is_some_and(|f| f.index().is_none_or(|other| other < index)) {
                *place = place.wrapping_add(1);
            }
            let field = fields.get(*place).filter(is).or_else(|| fields.iter().find(is));
            if let Some(field) = field {
                if property.is_delta() {
                    self.writer.bits.bit(true);
                }
                if !property.is_list() && self.plain(&property.kind, &field.value)? {
                    continue;
                }
            }
            let Some(field) = field else {
                absent(self.writer, self.rules, property)?;
                continue;
            };
            if let Some(inner) = self.property(property, &field.value)? {
                return Ok(Some(inner));
            }
        }
        Ok(None)
    }

    /// Writes what needs no look at its property, which is most of what there is; `false` for the rest.
    #[inline]
    fn plain(&mut self, kind: &Kind, value: &Value) -> Result<bool> {
        let writer = &mut *self.writer;
        match (kind, value) {
            (Kind::Bool, Value::Bool(value)) => writer.bits.bit(*value),
            (Kind::Scalar(Scalar::F32), Value::Float(value)) => writer.bits.u32(value.to_bits()),
            (Kind::Scalar(scalar), Value::Int(n)) => writer.number(*scalar, Number::Int(*n))?,
            (Kind::Scalar(scalar), Value::UInt(n)) => writer.number(*scalar, Number::UInt(*n))?,
            (Kind::String, Value::String(text)) => {
                writer.string(&self.rules.wire, text.as_bytes())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[inline]
    fn deep(
        &mut self,
        object: &'v Object,
        next: &mut usize,
        size: &Open,
        open: &mut Option<Open>,
    ) -> Result<Option<Level<'v>>> {
        // The value in the entry is complete: only now its size is known.
        self.writer.close(open.take().as_ref())?;
        while let Some(field) = object.fields().get(*next) {
            *next = next.wrapping_add(1);
            let Some(property) = object.property_of(field) else {
                self.unknown(field)?;
                continue;
            };
            if !field.is_kept() && !self.rules.wire.saves(property) {
                continue;
            }
            let entry = self.writer.open_entry(property.hash);
            match (&property.kind, &field.value) {
                // Bits that were kept of a type of unknown layout.
                (Kind::Unsupported, Value::Bits(bits)) => {
                    self.writer.raw(&self.rules.wire, bits)?
                }
                (_, value) => {
                    if let Some(inner) = self.property(property, value)? {
                        *open = Some(entry);
                        return Ok(Some(inner));
                    }
                }
            }
            self.writer.close(Some(&entry))?;
        }
        self.writer.close(Some(size))?;
        Ok(None)
    }

    #[cold]
    fn unknown(&mut self, field: &Field) -> Result<()> {
        let message = match (field.unknown_hash(), &field.value) {
            (Some(hash), Value::Bits(bits)) => {
                let entry = self.writer.open_entry(hash);
                self.writer.raw(&self.rules.wire, bits)?;
                return self.writer.close(Some(&entry));
            }
            (Some(_), _) => "a property that the class does not have is written from raw bits only",
            (None, _) => "a field has an index that is none of its class",
        };
        Err(Error::new(ErrorKind::Data, message))
    }

    #[inline]
    fn property(&mut self, property: &'v Property, value: &'v Value) -> Result<Option<Level<'v>>> {
        if property.is_list() {
            self.list(property, &property.kind, value)
        } else {
            self.open(property, &property.kind, value)
        }
    }

    fn list(
        &mut self,
        property: &'v Property,
        kind: &'v Kind,
        value: &'v Value,
    ) -> Result<Option<Level<'v>>> {
        let Some(len) = value.list_len() else {
            return Err(mismatch(&format!("a list of {}", property.type_name()), value));
        };
        self.writer.list_len(&self.rules.wire, len)?;
        self.writer.enter(&self.rules.wire)?;
        match (value, kind) {
            (Value::List(list), _) => {
                let kinds = Kinds::Same(kind);
                return self.level(Level::Items { property, kinds, list, next: 0 });
            }
            // The fast way for lists of bits; `leaves` is the slow one, for any other packed list.
            (Value::Bools(list), Kind::Bool) => {
                list.iter().for_each(|value| self.writer.bits.bit(*value));
            }
            _ => self.leaves(property, std::iter::repeat(kind), value)?,
        }
        self.writer.leave();
        Ok(None)
    }

    /// The values of a list that keeps them packed.
    fn leaves<'k>(
        &mut self,
        property: &Property,
        kinds: impl Iterator<Item = &'k Kind>,
        value: &Value,
    ) -> Result<()> {
        for (index, (value, kind)) in value.items().zip(kinds).enumerate() {
            self.leaf(property, kind, &value).map_err(|error| error.inside(index))?;
        }
        Ok(())
    }

    /// Writes a value. Returns what opened in it and is too deep for recursion.
    #[inline(always)]
    fn open(
        &mut self,
        property: &'v Property,
        kind: &'v Kind,
        value: &'v Value,
    ) -> Result<Option<Level<'v>>> {
        // Only what nests pays for a result that may hold a level.
        match kind {
            Kind::Object | Kind::List(_) | Kind::Tuple(_) | Kind::Optional(_) => {
                self.nested(property, kind, value)
            }
            _ => self.leaf(property, kind, value).map(|()| None),
        }
    }

    #[inline(never)]
    fn nested(
        &mut self,
        property: &'v Property,
        kind: &'v Kind,
        value: &'v Value,
    ) -> Result<Option<Level<'v>>> {
        match kind {
            Kind::Object => match value {
                Value::Enum(_) if property.options().is_some() => {
                    self.leaf(property, &Kind::Enum, value).map(|()| None)
                }
                _ => self.object(value),
            },
            Kind::List(kind) => self.list(property, kind, value),
            Kind::Tuple(kinds) if value.list_len() == Some(kinds.len()) => {
                self.writer.enter(&self.rules.wire)?;
                if let Value::List(list) = value {
                    let kinds = Kinds::Each(kinds);
                    return self.level(Level::Items { property, kinds, list, next: 0 });
                }
                self.leaves(property, kinds.iter(), value)?;
                self.writer.leave();
                Ok(None)
            }
            Kind::Optional(kind) => {
                self.writer.bits.bit(!value.is_null());
                if value.is_null() { Ok(None) } else { self.open(property, kind, value) }
            }
            _ => self.leaf(property, kind, value).map(|()| None),
        }
    }

    #[inline]
    fn leaf(&mut self, property: &Property, kind: &Kind, value: &Value) -> Result<()> {
        let (writer, wire) = (&mut *self.writer, &self.rules.wire);
        match (kind, value) {
            (Kind::Bool, Value::Bool(value)) => {
                writer.bits.bit(*value);
                Ok(())
            }
            // By far the most frequent float has no second match on its type.
            (Kind::Scalar(Scalar::F32), Value::Float(value)) => {
                writer.bits.u32(value.to_bits());
                Ok(())
            }
            (Kind::Scalar(scalar), value) => match number_of(value) {
                Some(number) => writer.number(*scalar, number),
                None => Err(mismatch(scalar.type_name(), value)),
            },
            (Kind::Bits { width, signed }, value) => match number_of(value) {
                Some(number) => writer.small(*width, *signed, number),
                None => Err(mismatch(property.type_name(), value)),
            },
            (Kind::String, Value::String(text)) => writer.string(wire, text.as_bytes()),
            (Kind::WString, Value::WString(text)) => {
                writer.wstring(wire, text.units().iter().copied())
            }
            (Kind::Enum, value) => match number_of(value).and_then(Number::fit) {
                Some(number) => writer.option(wire, property, number),
                None => Err(mismatch(property.type_name(), value)),
            },
            _ => self.rare(property, kind, value),
        }
    }

    #[inline(never)]
    fn rare(&mut self, property: &Property, kind: &Kind, value: &Value) -> Result<()> {
        let is_same = |row: Row, other: Row| row.names == other.names;
        match (kind.row(), value.row()) {
            (Some(row), Some((own, numbers))) if is_same(row, own) => {
                self.writer.row(property, kind, &numbers)
            }
            _ if *kind == Kind::Unsupported => Err(crate::read::unsupported(property)),
            _ => Err(mismatch(property.type_name(), value)),
        }
    }
}

#[cold]
fn mismatch(expected: &str, value: &Value) -> Error {
    Error::new(ErrorKind::Data, format!("expected {expected}, found {}", value.kind_name()))
}
