//! Lists, maps and beans that are being written.

use std::panic::Location;

use gamewire_core::bytes::part;
use gamewire_core::tag::is_tag;
use serde_core::Serialize;
use serde_core::ser;

use super::ValueSerializer;
use super::elements::Elements;
use super::layer::LayerWriter;
use super::output::Serializer;
use super::slot::{Element, Field, Mark, Slot};
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::ids;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Tag;
use crate::value::decode::Decoder;
use crate::write;

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
            let kept = self.ser.kept.pop();
            debug_assert!(kept.is_some(), "the layer has kept fields");
            merge(self.ser, &kept.unwrap_or_default(), self.layer)?;
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

/// Writes a `Some` where a value cannot be absent: a bean with the value as field 1.
#[inline(never)]
pub(super) fn some<S: Slot, T: Serialize + ?Sized>(
    ser: &mut Serializer,
    slot: S,
    value: &T,
) -> Result<()> {
    let mut bean = StructSerializer::new(ser, slot)?;
    (bean.layer.id, bean.layer.forced) = (1, true);
    let slot = Field { layer: &mut bean.layer };
    value.serialize(ValueSerializer { ser: &mut *bean.ser, slot })?;
    bean.finish()
}

/// Merges the fields that were kept into those that were written, by their ids; a base that was kept
/// follows them.
#[cold]
fn merge(ser: &mut Serializer, kept: &[u8], layer: LayerWriter) -> Result<()> {
    if kept == [write::END] {
        return Ok(());
    }
    let (start, mut end) = (layer.start, layer.own_end);
    let own = part(&ser.out, start..end);
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
    if let Some(base) = kept.base {
        if layer.is_closed {
            let text = "a base is in `Unknown`, and another one in the field `Base`";
            return Err(Error::new(ErrorKind::FieldId, text));
        }
        // The end of the bean is that of the base.
        end = ser.out.len();
        merged.push(write::BASE);
        merged.extend_from_slice(base);
    }
    write::replace(&mut ser.out, start, end, &merged);
    Ok(())
}

/// The fields of a layer, one after another.
struct FieldReader<'a> {
    decoder: Decoder<'a>,
    last: u32,
    next: Option<(u32, Kind, &'a [u8])>,
    /// The layers after this one, once it has ended.
    base: Option<&'a [u8]>,
}

impl<'a> FieldReader<'a> {
    fn new(bytes: &'a [u8], options: Options) -> Result<Self> {
        let decoder = Decoder::new(bytes, options);
        let mut fields = FieldReader { decoder, last: 0, next: None, base: None };
        fields.take()?;
        Ok(fields)
    }

    fn take(&mut self) -> Result<Option<(u32, Kind, &'a [u8])>> {
        let taken = self.next.take();
        if self.decoder.peek().is_none() || self.base.is_some() {
            return Ok(taken);
        }
        match self.decoder.tag(self.last)? {
            Tag::Field(id, kind) => {
                let at = self.decoder.offset();
                self.decoder.skip(kind, 0)?;
                self.last = id;
                self.next = Some((id, kind, self.decoder.since(at)));
            }
            Tag::Base => self.base = Some(self.decoder.rest()),
            Tag::End => {}
        }
        Ok(taken)
    }
}

impl<S: Slot> ser::SerializeStruct for StructSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    #[track_caller]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        // Serde's text before a struct's own fields is bare, which no derive's field is.
        let place = Location::caller();
        if size_of::<&T>() > size_of::<usize>()
            && self.layer.count == 0
            && !ids::starts_with_digit(name)
            && std::any::type_name::<T>() == "str"
            && self.layer.opened.is_some_and(|opened| is_tag(opened, place))
        {
            return Err(in_field(ids::no_tag(name), name));
        }
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

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
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
