//! Lists, maps and beans that are being written.

use alloc::vec::Vec;
use gamewire_core::words::Name;
use serde_core::Serialize;
use serde_core::ser;

use super::slot::{Element, Field, Mark, Slot};
use super::{Serializer, ValueSerializer};
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::ids;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Tag;
use crate::types::marker;
use crate::value::decode::Decoder;
use crate::write;

/// The wire type and count of the elements of a list, or of the keys or values of a map.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) kind: Option<Kind>,
    pub(super) count: usize,
    /// How many of the first ones are variants without content. Of keys they are not counted.
    units: usize,
    counts_units: bool,
    /// Offset of the first element.
    start: usize,
    /// Wire type of the keys, if these are the values of a map.
    keys: Option<Kind>,
    /// Bytes that were added before the last element.
    grown: usize,
}

impl Elements {
    /// The first element decides of which wire type all are.
    #[cold]
    #[inline(never)]
    pub(super) fn first(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        match self.kind {
            None => self.kind = Some(kind),
            // Variants with content among those without show that the enum is a dynamic bean.
            Some(Kind::Int) if kind == Kind::Dynamic && self.only_units() => {
                self.make_dynamic(ser)?;
                self.kind = Some(kind);
            }
            Some(before) => {
                return Err(Error::new(
                    ErrorKind::MixedTypes,
                    format!(
                        "expected {} as the elements before, found {}: a list or map has one \
                         wire type (flattened structs are maps, too)",
                        before.article(),
                        kind.article()
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Writes the elements once more, as dynamic beans without content, with their keys in a map.
    fn make_dynamic(&mut self, ser: &mut Serializer) -> Result<()> {
        let before = ser.out.len();
        let old = ser.out.split_off(self.start);
        let mut decoder = Decoder::new(&old, ser.options);
        let first = ser.units.len().saturating_sub(self.units);
        for name in ser.units.drain(first..) {
            let key_at = decoder.offset();
            if let Some(kind) = self.keys {
                decoder.skip(kind, 0)?;
            }
            ser.out.extend_from_slice(decoder.since(key_at));
            decoder.skip_int()?;
            write::int(&mut ser.out, ids::variant(name));
            ser.out.push(write::END);
        }
        // The key of the value that is about to be written.
        ser.out.extend_from_slice(decoder.rest());
        self.units = 0;
        self.grown = ser.out.len().saturating_sub(before);
        Ok(())
    }

    fn only_units(&self) -> bool {
        self.units > 0 && self.units == self.count
    }

    pub(super) fn is_dynamic(&mut self, ser: &mut Serializer, variant: &'static str) -> bool {
        if self.kind == Some(Kind::Dynamic) {
            return true;
        }
        // Their names are kept as long as it may turn out that they are dynamic beans.
        if self.counts_units && self.units == self.count {
            ser.units.push(variant);
            self.units = self.units.saturating_add(1);
        }
        false
    }

    fn number(&self) -> u8 {
        self.kind.map_or(0, Kind::number)
    }
}

/// Replaces the header from `at` to `end`: serde's count is a hint, and with the right one the header
/// may be of another length.
#[cold]
fn correct(ser: &mut Serializer, at: usize, end: usize, header: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = Vec::with_capacity(6);
    header(&mut bytes);
    write::replace(&mut ser.out, at, end, &bytes);
}

/// A list that is being written.
pub struct SeqSerializer<'a, S> {
    ser: &'a mut Serializer,
    slot: S,
    mark: Mark,
    at: usize,
    claimed: u32,
    elements: Elements,
}

impl<'a, S: Slot> SeqSerializer<'a, S> {
    #[inline(always)]
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S, len: Option<usize>) -> Result<Self> {
        let mark = slot.mark(ser);
        slot.begin(ser, Kind::List)?;
        ser.enter()?;
        // The type of the elements is not known before the first one; `end` puts it in.
        let (at, claimed) = (ser.out.len(), write::length(len.unwrap_or(0))?);
        write::list_header(&mut ser.out, claimed, 0);
        let start = ser.out.len();
        let elements = Elements { counts_units: true, start, ..Elements::default() };
        Ok(SeqSerializer { ser, slot, mark, at, claimed, elements })
    }
}

impl<S: Slot> ser::SerializeSeq for SeqSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.elements.count;
        let slot = Element { elements: &mut self.elements };
        value
            .serialize(ValueSerializer { ser: &mut *self.ser, slot })
            .map_err(|error| error.inside(index))
    }

    #[inline(always)]
    fn end(mut self) -> Result<()> {
        let units = self.ser.units.len().saturating_sub(self.elements.units);
        self.ser.units.truncate(units);
        self.ser.leave();
        if self.elements.count == 0 && self.slot.omits() {
            self.slot.undo(self.ser, self.mark);
            return Ok(());
        }
        let written = write::length(self.elements.count)?;
        if written != self.claimed {
            correct(self.ser, self.at, self.elements.start, |out| {
                write::list_header(out, written, 0)
            });
        }
        if let Some(byte) = self.ser.out.get_mut(self.at) {
            *byte |= self.elements.number();
        }
        Ok(())
    }
}

/// A map that is being written.
pub struct MapSerializer<'a, S> {
    ser: &'a mut Serializer,
    slot: S,
    mark: Mark,
    at: usize,
    claimed: u32,
    start: usize,
    keys: Elements,
    values: Elements,
    key_at: usize,
}

impl<'a, S: Slot> MapSerializer<'a, S> {
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S, len: Option<usize>) -> Result<Self> {
        let mark = slot.mark(ser);
        slot.begin(ser, Kind::Map)?;
        ser.enter()?;
        let (at, claimed) = (ser.out.len(), write::length(len.unwrap_or(0))?);
        write::map_header(&mut ser.out, claimed, 0, 0);
        let start = ser.out.len();
        let values = Elements { counts_units: true, start, ..Elements::default() };
        let keys = Elements::default();
        Ok(MapSerializer { ser, slot, mark, at, claimed, start, keys, values, key_at: start })
    }

    /// The key that was written last, for the path of an error.
    #[cold]
    fn key(&self) -> Segment {
        let key_at = self.key_at.saturating_add(self.values.grown);
        let bytes = self.ser.out.get(key_at..).unwrap_or_default();
        let kind = self.keys.kind.unwrap_or(Kind::Bean);
        crate::value::key_segment(bytes, kind, self.values.count)
    }
}

impl<S: Slot> ser::SerializeMap for MapSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key_at = self.ser.out.len();
        self.values.grown = 0;
        let index = self.keys.count;
        let slot = Element { elements: &mut self.keys };
        key.serialize(ValueSerializer { ser: &mut *self.ser, slot })
            .map_err(|error| error.inside(Segment::KeyOf(index)))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.values.keys = self.keys.kind;
        let slot = Element { elements: &mut self.values };
        value
            .serialize(ValueSerializer { ser: &mut *self.ser, slot })
            .map_err(|error| error.inside(self.key()))
    }

    fn end(mut self) -> Result<()> {
        let units = self.ser.units.len().saturating_sub(self.values.units);
        self.ser.units.truncate(units);
        self.ser.leave();
        if self.keys.count != self.values.count {
            return Err(Error::new(ErrorKind::Data, "a map needs as many values as keys"));
        }
        if self.keys.count == 0 && self.slot.omits() {
            self.slot.undo(self.ser, self.mark);
            return Ok(());
        }
        let written = write::length(self.keys.count)?;
        if written != self.claimed {
            correct(self.ser, self.at, self.start, |out| write::map_header(out, written, 0, 0));
        }
        if let Some(byte) = self.ser.out.get_mut(self.at) {
            *byte = self.keys.number() << 4 | self.values.number();
        }
        Ok(())
    }
}

/// How the fields of a layer get their ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// From their positions, so far.
    #[default]
    Position,
    /// From their names.
    Name,
    /// No further field may have a position: after the base, or after the unknown.
    Other,
}

/// A layer of a bean that is being written.
#[derive(Default)]
pub struct LayerWriter {
    /// The last id that was written.
    pub(super) last: u32,
    /// The id of the field that is being written; 0 if it has none.
    pub(super) id: u32,
    /// Whether that field is in a `Some`, and so is written even if it is zero.
    pub(super) forced: bool,
    /// Fields so far, those too that were left out.
    pub(super) count: u32,
    /// The last id that a name had.
    named: u32,
    /// Markers so far, and fields without ids that were skipped.
    pub(super) markers: u32,
    pub(super) mode: Mode,
    /// Whether the layer of the base was written, and with it the end of the bean.
    pub(super) is_closed: bool,
    has_unknown: bool,
    /// The field that is being written, or was last.
    pub(super) name: &'static str,
    /// Offsets of the first tag, and after the last field.
    start: usize,
    pub(super) own_end: usize,
}

impl LayerWriter {
    /// The id of the next field; 0 if it has none, as a marker may.
    #[inline(always)]
    fn next(&mut self, name: &'static str) -> Result<u32> {
        self.count = self.count.wrapping_add(1);
        let id = match (ids::short(name), self.mode) {
            (Some(id), Mode::Name) if id > self.named => {
                self.named = id;
                id
            }
            (Some(id), Mode::Position) if self.count == 1 => {
                (self.named, self.mode) = (id, Mode::Name);
                id
            }
            (None, Mode::Position) if !ids::starts_with_digit(name) => self.count,
            _ => return self.next_other(name),
        };
        self.name = name;
        Ok(id)
    }

    #[inline(never)]
    fn next_other(&mut self, name: &'static str) -> Result<u32> {
        if self.is_closed {
            return Err(marker::base_not_last());
        }
        let before = core::mem::replace(&mut self.name, name);
        match ids::field(name)? {
            // All before it were markers, or had ids.
            Some(_) if self.named == 0 && self.count > self.markers.saturating_add(1) => {
                Err(ids::without(before))
            }
            Some(id) if id <= self.named => Err(ids::not_ascending(name, before)),
            Some(id) => {
                (self.named, self.mode) = (id, Mode::Name);
                Ok(id)
            }
            // Whether it is a marker shows when it is serialized.
            None if self.named > 0 => Ok(0),
            None if self.has_unknown => Err(marker::unknown_not_last()),
            None => Ok(self.count),
        }
    }

    fn skip(&mut self, name: &'static str) -> Result<()> {
        self.next(name)?;
        if self.named == 0 {
            self.markers = self.markers.saturating_add(1);
        }
        Ok(())
    }

    /// Keeps fields to be merged at the end.
    pub(super) fn keep_unknown(&mut self, ser: &mut Serializer, bytes: &[u8]) {
        self.markers = self.markers.saturating_add(1);
        if self.mode == Mode::Position {
            self.mode = Mode::Other;
        }
        if !core::mem::replace(&mut self.has_unknown, true) {
            ser.kept.push(bytes.to_vec());
        }
    }
}

#[cold]
#[inline(never)]
fn in_field(error: Error, name: &'static str) -> Error {
    error.inside(ids::shown(name))
}

/// A bean that is being written.
pub struct StructSerializer<'a, S> {
    pub(super) ser: &'a mut Serializer,
    pub(super) slot: S,
    pub(super) mark: Mark,
    pub(super) layer: LayerWriter,
}

impl<'a, S: Slot> StructSerializer<'a, S> {
    #[inline(always)]
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S) -> Result<Self> {
        let mark = slot.mark(ser);
        slot.begin(ser, Kind::Bean)?;
        Self::open(ser, slot, mark)
    }

    #[inline(always)]
    fn open(ser: &'a mut Serializer, slot: S, mark: Mark) -> Result<Self> {
        ser.enter()?;
        let layer = LayerWriter { start: ser.out.len(), ..LayerWriter::default() };
        Ok(StructSerializer { ser, slot, mark, layer })
    }

    // Inlined, so that what follows from the name is found out when this is compiled.
    #[inline(always)]
    pub(super) fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        let id = self.layer.next(name)?;
        let markers = self.layer.markers;
        (self.layer.id, self.layer.forced) = (id, false);
        let slot = Field { layer: &mut self.layer };
        if let Err(error) = value.serialize(ValueSerializer { ser: &mut *self.ser, slot }) {
            return Err(in_field(error, name));
        }
        if id == 0 && self.layer.markers == markers {
            return Err(ids::without(name));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn positional<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let id = self.layer.next("")?;
        (self.layer.id, self.layer.forced) = (id, false);
        let slot = Field { layer: &mut self.layer };
        value
            .serialize(ValueSerializer { ser: &mut *self.ser, slot })
            .map_err(|error| error.inside(id.saturating_sub(1) as usize))
    }

    /// Ends the bean; true if it has no fields.
    #[inline(always)]
    fn close(&mut self) -> Result<bool> {
        self.ser.leave();
        if !self.layer.is_closed {
            self.layer.own_end = self.ser.out.len();
            self.ser.out.push(write::END);
        }
        if self.layer.has_unknown {
            let kept = self.ser.kept.pop().unwrap_or_default();
            merge(self.ser, &kept, self.layer.start, self.layer.own_end)?;
        }
        // A bean with a base has two bytes at least, so it is never left out.
        Ok(self.ser.out.len() == self.layer.start.wrapping_add(1))
    }

    #[inline(always)]
    pub(super) fn finish(mut self) -> Result<()> {
        if self.close()? && self.slot.omits() {
            self.slot.undo(self.ser, self.mark);
        }
        Ok(())
    }
}

/// Merges the fields that were kept into those that were written, from `start` to `end`, by their ids.
#[cold]
fn merge(ser: &mut Serializer, kept: &[u8], start: usize, end: usize) -> Result<()> {
    if kept == [write::END] {
        return Ok(());
    }
    let own = ser.out.get(start..end).unwrap_or_default();
    let (mut merged, mut last) = (Vec::new(), 0);
    let mut own = FieldReader::new(own, ser.options)?;
    let mut kept = FieldReader::new(kept, ser.options)?;
    loop {
        let next = match (&own.next, &kept.next) {
            (Some((own, ..)), Some((kept, ..))) if own == kept => {
                return Err(Error::new(
                    ErrorKind::FieldId,
                    format!("the id {own} is that of a field and of one in `Unknown`"),
                ));
            }
            (Some((own_id, ..)), Some((kept_id, ..))) if own_id < kept_id => own.take()?,
            (Some(_), None) => own.take()?,
            _ => kept.take()?,
        };
        let Some((id, kind, bytes)) = next else { break };
        write::tag(&mut merged, id.saturating_sub(last), kind);
        merged.extend_from_slice(bytes);
        last = id;
    }
    write::replace(&mut ser.out, start, end, &merged);
    Ok(())
}

/// The fields of a layer, one after another.
struct FieldReader<'a> {
    decoder: Decoder<'a>,
    last: u32,
    next: Option<(u32, Kind, &'a [u8])>,
}

impl<'a> FieldReader<'a> {
    fn new(bytes: &'a [u8], options: Options) -> Result<Self> {
        let decoder = Decoder::new(bytes, options);
        let mut fields = FieldReader { decoder, last: 0, next: None };
        fields.take()?;
        Ok(fields)
    }

    fn take(&mut self) -> Result<Option<(u32, Kind, &'a [u8])>> {
        let taken = self.next.take();
        if self.decoder.peek().is_some()
            && let Tag::Field(id, kind) = self.decoder.tag(self.last)?
        {
            let at = self.decoder.offset();
            self.decoder.skip(kind, 0)?;
            self.last = id;
            self.next = Some((id, kind, self.decoder.since(at)));
        }
        Ok(taken)
    }
}

impl<S: Slot> ser::SerializeStruct for StructSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: Name, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.layer.skip(name)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// A dynamic bean that is being written.
pub struct VariantSerializer<'a, S> {
    fields: StructSerializer<'a, S>,
    variant: &'static str,
    /// Whether it is the empty dynamic bean, which is left out.
    is_empty: bool,
}

impl<'a, S: Slot> VariantSerializer<'a, S> {
    pub(super) fn new(
        ser: &'a mut Serializer,
        mut slot: S,
        variant: &'static str,
        len: usize,
    ) -> Result<Self> {
        if ids::is_other(variant) {
            return Err(ids::other_without_content(variant));
        }
        let mark = slot.mark(ser);
        slot.begin(ser, Kind::Dynamic)?;
        let id = ids::variant(variant);
        write::int(&mut ser.out, id);
        let fields = StructSerializer::open(ser, slot, mark)?;
        Ok(VariantSerializer { fields, variant, is_empty: id == 0 && len == 0 })
    }

    fn finish(mut self) -> Result<()> {
        let no_fields = self.fields.close()?;
        if no_fields && self.is_empty && self.fields.slot.omits() {
            self.fields.slot.undo(self.fields.ser, self.fields.mark);
        }
        Ok(())
    }
}

impl<S: Slot> ser::SerializeStructVariant for VariantSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: Name, value: &T) -> Result<()> {
        self.fields.field(name, value).map_err(|error| error.inside(ids::shown(self.variant)))
    }

    fn skip_field(&mut self, name: &'static str) -> Result<()> {
        self.fields.layer.skip(name)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl<S: Slot> ser::SerializeTupleVariant for VariantSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.fields.positional(value).map_err(|error| error.inside(ids::shown(self.variant)))
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
