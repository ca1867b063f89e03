//! The grammar: what an encoded object consists of
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#objects)).
//!
//! [`Decoder`] goes through the bits once and tells a [`Listener`] what it meets.
//! [`ValueBuilder`](super::build::ValueBuilder) makes a [`Value`] of it, explanations note each bit, and `()`
//! skips it.
use std::sync::Arc;

use super::levels::{Levels, MAX_RECURSION};
use super::{Field, Object, Value};
use crate::bits::next_byte;
use crate::core_object::CoreHeader;
use crate::options::Unknown;
use crate::read::{self, ClassHeader, Classes, EntryHead, Head, Reader};
use crate::schema::{Class, Kind, Kinds, Number, Property};
use crate::value::{RawBits, RawObject};
use crate::{Error, ErrorKind, Result};

/// Elements that are reserved before they are present: 1 MiB.
const AHEAD: usize = (1 << 20) / size_of::<Value>();

/// Receives what the decoder reads. Default methods do nothing.
pub(crate) trait Listener<'s> {
    /// Whether it wants [`piece`](Self::piece)s, and to continue after [`cut`](Self::cut).
    const PIECES: bool = false;
    /// Whether it holds what it hears, so that this takes memory. Only then strings are told, and how many
    /// values a container has.
    const HOLDS: bool = false;

    /// An object or a list begins, with about `room` values.
    #[inline]
    fn open(&mut self, _: Opening<'s>, _room: usize) {}
    /// Names the property or element whose value comes next. The calls up to [`done`](Self::done) belong to it.
    #[inline]
    fn key(&mut self, _: Key<'s>) {}
    #[inline]
    fn done(&mut self) {}
    /// A value that holds no others.
    #[inline]
    fn leaf(&mut self, _: Value) {}
    /// The innermost object or list ends.
    #[inline]
    fn close(&mut self) {}
    /// The meaning of the bits from `start` up to `end`. Those between two pieces are padding.
    #[inline]
    fn piece(&mut self, _start: usize, _end: usize, _: Piece<'_>) {}
    /// A length exceeds the input. Return `Ok` to be given the part that exists.
    #[inline]
    fn cut(&mut self, error: Error) -> Result<()> {
        Err(error)
    }
}

/// Skips the value.
impl Listener<'_> for () {}

/// What begins.
pub(crate) enum Opening<'s> {
    Object(&'s Arc<Class>, Option<CoreHeader>),
    List,
}

/// Whose value follows.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "for explanations"))]
pub(crate) enum Key<'s> {
    /// The place of a property in its class; whether it stands in the bytes only because it was
    /// written there.
    Property {
        index: usize,
        kept: bool,
        property: &'s Property,
    },
    /// The hash of a property that the class does not have.
    Unknown(u32),
    Element(usize),
}

/// The meaning of some bits.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "for explanations"))]
pub(crate) enum Piece<'a> {
    Class(&'a Class),
    UnknownClass(u32),
    Null,
    Core(CoreHeader, &'a Class),
    ObjectSize(usize),
    PropertySize(&'a EntryHead),
    /// The size of a property of which there is no more.
    CutEntry,
    PropertyHash(u32, Option<&'a Property>),
    Present(bool),
    StringLen(usize),
    Count(usize),
    Value(&'a Value, &'a Property),
    Text {
        wide: bool,
        bytes: &'a [u8],
        property: &'a Property,
    },
    EnumText(&'a str, u32),
    Raw(usize),
}

/// An object, list or tuple that is open.
pub(super) enum Level<'s> {
    Shallow { class: &'s Class, next: usize },
    Deep { class: &'s Class, next: usize, end: usize, entry: Option<EntryHead> },
    Items { property: &'s Property, kinds: Kinds<'s>, index: usize, count: usize },
}

/// Decodes whole values: one walk for all listeners.
pub(crate) struct Decoder<'r, 'a, 's, L> {
    reader: &'r mut Reader<'a>,
    classes: Classes<'s>,
    listener: &'r mut L,
    /// Levels that may yet be read by recursion.
    recursion: u32,
}

impl<'s, L: Listener<'s>> Levels for Decoder<'_, '_, 's, L> {
    type Level = Level<'s>;

    #[inline]
    fn recursion(&mut self) -> &mut u32 {
        &mut self.recursion
    }

    #[inline]
    fn advance(&mut self, top: &mut Level<'s>) -> Result<Option<Level<'s>>> {
        match top {
            Level::Shallow { class, next } => self.shallow(class, next),
            Level::Deep { class, next, end, entry } => self.deep(class, next, *end, entry),
            Level::Items { property, kinds, index, count } => {
                if *index > 0 {
                    self.listener.done();
                }
                while index < count
                    && let Some(kind) = kinds.get(*index)
                {
                    self.listener.key(Key::Element(*index));
                    *index = index.wrapping_add(1);
                    if let Some(inner) = self.open(property, kind)? {
                        return Ok(Some(inner));
                    }
                    self.listener.done();
                }
                Ok(None)
            }
        }
    }

    #[inline]
    fn close(&mut self) {
        self.listener.close();
        self.reader.leave();
    }

    fn locate(level: &Level<'s>, error: Error) -> Error {
        let (class, next) = match level {
            Level::Shallow { class, next } => (class, next),
            Level::Deep { class, next, entry: Some(_), .. } => (class, next),
            Level::Deep { .. } => return error,
            Level::Items { index, .. } => return error.inside(index.saturating_sub(1)),
        };
        match next.checked_sub(1).and_then(|own| class.properties().get(own)) {
            Some(property) => error.inside(property.name()),
            None => error,
        }
    }
}

impl<'r, 'a, 's, L: Listener<'s>> Decoder<'r, 'a, 's, L> {
    pub(crate) fn new(
        reader: &'r mut Reader<'a>,
        classes: Classes<'s>,
        listener: &'r mut L,
    ) -> Self {
        Decoder { reader, classes, listener, recursion: MAX_RECURSION }
    }

    /// The root, which is not null. Its header may have been read before.
    pub(crate) fn root(mut self, header: Option<ClassHeader>) -> Result<()> {
        let at = self.reader.at();
        let header = match header {
            Some(header) => header,
            None => self.reader.class_header()?,
        };
        let head = self.classes.head(header, at)?;
        if let Head::Null = head {
            self.piece(at, Piece::Null);
            return Err(read::null_root(at));
        }
        // A root of an unknown class cannot be skipped: there would be no value.
        if let (Head::Unknown(hash), Unknown::Skip) = (head, self.reader.wire.unknown) {
            return Err(read::unknown_class(hash, at));
        }
        let level = self.open_object(at, head)?;
        self.run(level)
    }

    /// An object whose header was read; it began at bit `at`.
    pub(crate) fn object(mut self, at: usize, head: Head<'s>) -> Result<()> {
        let level = self.open_object(at, head)?;
        self.run(level)
    }

    /// The value of a property, which may be a list.
    #[inline]
    pub(crate) fn property(mut self, property: &'s Property) -> Result<()> {
        let level = self.open_property(property)?;
        self.run(level)
    }

    /// An element of a property's list, or a part of one.
    #[inline]
    pub(crate) fn element(mut self, property: &'s Property, kind: &'s Kind) -> Result<()> {
        let level = self.open(property, kind)?;
        self.run(level)
    }

    #[inline]
    fn piece(&mut self, start: usize, piece: Piece<'_>) {
        if L::PIECES {
            self.listener.piece(start, self.reader.at(), piece);
        }
    }

    /// Takes memory for what the listener holds.
    #[inline]
    fn hold(&mut self, bytes: usize) -> Result<()> {
        if L::HOLDS { self.reader.take_memory(bytes) } else { Ok(()) }
    }

    fn open_object(&mut self, at: usize, head: Head<'s>) -> Result<Option<Level<'s>>> {
        let (class, core) = match head {
            Head::Null => {
                self.piece(at, Piece::Null);
                self.listener.leaf(Value::Null);
                return Ok(None);
            }
            Head::Unknown(hash) => {
                self.unknown_object(at, hash)?;
                return Ok(None);
            }
            Head::Known(class, core) => (class, core),
        };
        match core {
            None => self.piece(at, Piece::Class(class)),
            Some(core) => self.piece(at, Piece::Core(core, class)),
        }
        self.reader.enter()?;
        self.hold(size_of::<Object>())?;
        let properties = class.properties();
        if self.reader.wire.deep {
            let end = self.object_end()?;
            // An entry has 65 bits at least. An object that is cut may end before here.
            let most = end.saturating_sub(self.reader.at()) >> 6;
            self.listener.open(Opening::Object(class, core), properties.len().min(most));
            return self.level(Level::Deep { class, next: 0, end, entry: None });
        }
        let mut room = 0;
        if L::HOLDS {
            let wire = &self.reader.wire;
            let sure = properties.iter().filter(|p| wire.has(p) && !p.is_delta()).count();
            room = sure.min(AHEAD).min(self.reader.bits.remaining());
        }
        self.listener.open(Opening::Object(class, core), room);
        self.level(Level::Shallow { class, next: 0 })
    }

    /// The size of an object. Returns its end.
    #[inline]
    fn object_end(&mut self) -> Result<usize> {
        let start = self.reader.at_byte();
        let end = self.reader.object_size()?;
        self.piece(start, Piece::ObjectSize(end.saturating_sub(start)));
        if let Err(error) = self.reader.check_object_end(end) {
            self.listener.cut(error)?;
        }
        Ok(end)
    }

    #[cold]
    fn unknown_object(&mut self, at: usize, hash: u32) -> Result<()> {
        let unknown = self.reader.wire.unknown;
        if !self.reader.wire.deep || unknown == Unknown::Refuse {
            return Err(read::unknown_class(hash, at));
        }
        self.piece(at, Piece::UnknownClass(hash));
        let end = self.object_end()?;
        let bits = self.raw(end)?;
        self.listener.leaf(match unknown {
            Unknown::Keep => Value::Raw(Box::new(RawObject { hash, bits })),
            _ => Value::Null,
        });
        Ok(())
    }

    /// Bits that mean nothing to the schema.
    fn raw(&mut self, end: usize) -> Result<RawBits> {
        let start = self.reader.at();
        self.hold(end.saturating_sub(start) >> 3)?;
        let bits = self.reader.raw(end)?;
        self.piece(start, Piece::Raw(bits.len()));
        Ok(bits)
    }

    #[inline]
    fn shallow(&mut self, class: &'s Class, next: &mut usize) -> Result<Option<Level<'s>>> {
        if *next > 0 {
            self.listener.done();
        }
        while let Some(property) = class.properties().get(*next) {
            let index = *next;
            *next = index.wrapping_add(1);
            if !self.reader.wire.has(property) {
                continue;
            }
            let start = self.reader.at();
            self.listener.key(Key::Property { index, kept: false, property });
            let present = self.reader.present(property)?;
            self.hold(if present { size_of::<Field>() } else { 0 })?;
            if L::PIECES && property.is_delta() {
                self.piece(start, Piece::Present(present));
            }
            if present && let Some(inner) = self.open_property(property)? {
                return Ok(Some(inner));
            }
            self.listener.done();
        }
        Ok(None)
    }

    #[inline]
    fn deep(
        &mut self,
        class: &'s Class,
        next: &mut usize,
        end: usize,
        open: &mut Option<EntryHead>,
    ) -> Result<Option<Level<'s>>> {
        if let Some(entry) = open {
            self.reader.end_entry(entry)?;
            *open = None;
            self.listener.done();
        }
        while self.reader.at() < end {
            let entry = self.entry(end)?;
            let Some((index, property)) = class.find(entry.hash, *next) else {
                self.unknown_field(class, &entry)?;
                continue;
            };
            *next = index.wrapping_add(1);
            let kept = !self.reader.wire.saves(property);
            self.listener.key(Key::Property { index, kept, property });
            self.entry_head(&entry, Some(property));
            let read = self.hold(size_of::<Field>());
            let read = read.and_then(|()| self.entry_value(property, &entry));
            // The level keeps the entry only where it is needed again: after what opened in it, and
            // for the path of an error.
            if let Ok(None) = read {
                self.listener.done();
                continue;
            }
            *open = Some(entry);
            return read;
        }
        Ok(None)
    }

    /// The value in an entry, and that it ends with it, unless another level opens.
    #[inline]
    fn entry_value(
        &mut self,
        property: &'s Property,
        entry: &EntryHead,
    ) -> Result<Option<Level<'s>>> {
        if property.kind == Kind::Unsupported && self.reader.wire.unknown != Unknown::Refuse {
            // A type of unknown layout, by the size of its entry.
            let bits = self.raw(entry.end)?;
            if self.reader.wire.unknown == Unknown::Keep {
                self.listener.leaf(Value::Bits(Box::new(bits)));
            }
        } else if let Some(inner) = self.open_property(property)? {
            return Ok(Some(inner));
        }
        self.reader.end_entry(entry)?;
        Ok(None)
    }

    /// The head of the next entry. Of one that is cut, the size is told.
    #[inline]
    fn entry(&mut self, limit: usize) -> Result<EntryHead> {
        let start = self.reader.at();
        let entry = self.reader.entry(limit);
        if L::PIECES && entry.is_err() && self.reader.at() == next_byte(start).saturating_add(32) {
            self.piece(next_byte(start), Piece::CutEntry);
        }
        entry
    }

    #[inline]
    fn entry_head(&mut self, entry: &EntryHead, property: Option<&Property>) {
        if L::PIECES {
            let end = self.reader.at();
            let (size, hash) = (next_byte(entry.start), self.reader.last_word());
            self.listener.piece(size, hash, Piece::PropertySize(entry));
            self.listener.piece(hash, end, Piece::PropertyHash(entry.hash, property));
        }
    }

    #[cold]
    fn unknown_field(&mut self, class: &Class, entry: &EntryHead) -> Result<()> {
        let at = self.reader.last_word();
        if self.reader.wire.unknown == Unknown::Refuse {
            return Err(read::unknown_property(class, entry.hash, at));
        }
        self.listener.key(Key::Unknown(entry.hash));
        self.entry_head(entry, None);
        self.hold(size_of::<Field>())?;
        let bits = self.raw(entry.end)?;
        if self.reader.wire.unknown == Unknown::Keep {
            self.listener.leaf(Value::Bits(Box::new(bits)));
        }
        self.listener.done();
        Ok(())
    }

    #[inline]
    fn open_property(&mut self, property: &'s Property) -> Result<Option<Level<'s>>> {
        if property.is_list() {
            self.open_list(property, &property.kind)
        } else {
            self.open(property, &property.kind)
        }
    }

    fn open_list(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Option<Level<'s>>> {
        let start = self.reader.at_len();
        let mut count = self.reader.list_count()?;
        self.piece(start, Piece::Count(count));
        if let Err(error) = self.reader.check_count(count, kind, property) {
            self.listener.cut(error)?;
            // Empty tuples take no bits: only the count would end them.
            count = count.min(self.reader.bits.remaining().saturating_add(1));
        }
        self.reader.enter()?;
        let packed = matches!(kind, Kind::Bool | Kind::Bits { width: 1..=7, .. });
        let each = if packed { 1 } else { size_of::<Value>() };
        self.hold(count.saturating_mul(each))?;
        // Lists of bits are one value, which takes a byte for each.
        if !L::PIECES {
            let list = match kind {
                Kind::Bool => self.bools(count)?,
                Kind::Bits { width: width @ 1..=7, signed } => {
                    self.small_ints(count, *width, *signed)?
                }
                _ => Value::Null,
            };
            if !list.is_null() {
                self.listener.leaf(list);
                self.reader.leave();
                return Ok(None);
            }
        }
        self.listener.open(Opening::List, count.min(AHEAD));
        self.level(Level::Items { property, kinds: Kinds::Same(kind), index: 0, count })
    }

    fn bools(&mut self, count: usize) -> Result<Value> {
        let mut list = Vec::with_capacity(count.min(AHEAD));
        for _ in 0..count {
            list.push(self.reader.bits.bit()?);
        }
        Ok(Value::Bools(list.into()))
    }

    #[allow(clippy::cast_possible_truncation, reason = "at most seven bits")]
    fn small_ints(&mut self, count: usize, width: u8, signed: bool) -> Result<Value> {
        let (bits, width) = (&mut self.reader.bits, u32::from(width));
        let mut list = Vec::with_capacity(count.min(AHEAD));
        for _ in 0..count {
            list.push(match signed {
                true => bits.signed_bits(width)? as i8,
                false => bits.bits(width)?.cast_signed() as i8,
            });
        }
        Ok(Value::SmallInts(list.into()))
    }

    /// Reads a value. Returns what opened in it and is too deep for recursion.
    #[inline(always)]
    fn open(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Option<Level<'s>>> {
        // Only what nests pays for a result that may hold a level.
        match kind {
            Kind::Object | Kind::List(_) | Kind::Tuple(_) | Kind::Optional(_) => {
                self.nested(property, kind)
            }
            _ => self.leaf(property, kind).map(|()| None),
        }
    }

    #[inline(never)]
    fn nested(&mut self, property: &'s Property, kind: &'s Kind) -> Result<Option<Level<'s>>> {
        match kind {
            // Only schemas of Rust types have these.
            Kind::Tuple(kinds) => {
                self.reader.enter()?;
                let count = kinds.len();
                self.hold(count.saturating_mul(size_of::<Value>()))?;
                self.listener.open(Opening::List, count.min(AHEAD));
                let kinds = Kinds::Each(kinds);
                self.level(Level::Items { property, kinds, index: 0, count })
            }
            Kind::List(kind) => self.open_list(property, kind),
            Kind::Optional(kind) => {
                let start = self.reader.at();
                let present = self.reader.bits.bit()?;
                self.piece(start, Piece::Present(present));
                let inner = self.reader.at();
                if L::HOLDS && present && matches!(**kind, Kind::Optional(_)) {
                    if !self.reader.bits.bit()? {
                        let message = "an option that holds an empty option is no Value";
                        return Err(Error::at(ErrorKind::Unsupported, start, message));
                    }
                    self.reader.bits.seek(inner)?;
                }
                if present {
                    // As deep as the Rust type nests options, which is not for the input to say.
                    return self.open(property, kind);
                }
                self.listener.leaf(Value::Null);
                Ok(None)
            }
            _ if self.reader.is_unit(property, self.classes.schema)? => {
                self.leaf(property, &Kind::Enum).map(|()| None)
            }
            _ => {
                let at = self.reader.at_byte();
                let header = self.reader.class_header()?;
                let head = self.classes.head(header, at)?;
                self.open_object(at, head)
            }
        }
    }

    #[inline]
    fn leaf(&mut self, property: &Property, kind: &Kind) -> Result<()> {
        let start = if L::PIECES { self.reader.at() } else { 0 };
        let value = match kind {
            Kind::Bool => Value::Bool(self.reader.bits.bit()?),
            Kind::Bits { width, signed } => self.reader.small(*width, *signed)?.into(),
            Kind::String | Kind::WString if !L::PIECES => {
                let wide = matches!(kind, Kind::WString);
                let bytes = if wide { self.reader.wstring()? } else { self.reader.string()? };
                return self.text_leaf(wide, bytes);
            }
            Kind::Scalar(scalar) => self.reader.number(*scalar)?.into(),
            Kind::Enum if !self.reader.wire.names => Value::Enum(self.reader.bits.u32()?),
            _ => return self.rare(property, kind),
        };
        if L::PIECES {
            let is_aligned = !matches!(kind, Kind::Bool | Kind::Bits { .. });
            let start = if is_aligned { next_byte(start) } else { start };
            self.piece(start, Piece::Value(&value, property));
        }
        self.listener.leaf(value);
        Ok(())
    }

    #[inline(never)]
    fn rare(&mut self, property: &Property, kind: &Kind) -> Result<()> {
        let start = self.reader.at_byte();
        if let Kind::String | Kind::WString | Kind::Enum = kind {
            return self.text(property, kind);
        }
        let Some(row) = kind.row() else { return Err(read::unsupported(property).or_at(start)) };
        let numbers = self.reader.row(kind, row)?;
        self.hold(row.len().saturating_mul(size_of::<Value>()))?;
        let value = Value::from_numbers(kind, &numbers);
        let value = value.ok_or_else(|| read::unsupported(property).or_at(start))?;
        self.piece(start, Piece::Value(&value, property));
        self.listener.leaf(value);
        Ok(())
    }

    /// Reads length and bytes apart.
    fn text(&mut self, property: &Property, kind: &Kind) -> Result<()> {
        let start = self.reader.at_len();
        let len = self.reader.string_len()?;
        self.piece(start, Piece::StringLen(len));
        let start = if len == 0 { self.reader.at() } else { self.reader.at_byte() };
        let wide = *kind == Kind::WString;
        let bytes = self.reader.payload(if wide { len.saturating_mul(2) } else { len })?;
        if *kind == Kind::Enum {
            let (value, text) = self.reader.option_named(property, bytes, start)?;
            if len > 0 {
                self.piece(start, Piece::EnumText(text, value));
            }
            self.listener.leaf(Value::Enum(value));
            return Ok(());
        }
        if len > 0 {
            self.piece(start, Piece::Text { wide, bytes, property });
        }
        self.text_leaf(wide, bytes)
    }

    #[inline]
    fn text_leaf(&mut self, wide: bool, bytes: &[u8]) -> Result<()> {
        self.hold(bytes.len())?;
        if L::HOLDS {
            self.listener.leaf(Value::of_text(wide, bytes));
        }
        Ok(())
    }
}

impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Value {
        match number {
            Number::Int(number) => Value::Int(number),
            Number::UInt(number) => Value::UInt(number),
            Number::Float(number) => Value::Float(number),
            Number::Double(number) => Value::Double(number),
        }
    }
}
