//! This crate's own types: vectors, values and beans as bytes.

use serde_core::Serialize;
use serde_core::ser;

use super::compound::StructSerializer;
use super::slot::{Mark, Slot};
use super::{Serializer, ValueSerializer};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::types::marker;
use crate::value::decode::Decoder;
use crate::write;

/// Writes a `Value`, `RawBean` or `Unknown`, whose content is bytes.
pub(super) fn write<S: Slot, T: Serialize + ?Sized>(
    ser: &mut Serializer,
    slot: &mut S,
    name: &str,
    value: &T,
) -> Result<()> {
    let mut native = Native { slot, name };
    value.serialize(ValueSerializer { ser, slot: Content(&mut native) })
}

/// Takes the bytes that are the content of one of these types.
trait TakeBytes {
    fn take(&mut self, ser: &mut Serializer, bytes: &[u8]) -> Result<()>;
}

/// The place of the content. It does not name the place of the whole, or there would be no end of
/// types to compile.
struct Content<'n>(&'n mut dyn TakeBytes);

impl Slot for Content<'_> {
    const TAKES_BYTES: bool = true;

    fn take(&mut self, ser: &mut Serializer, bytes: &[u8]) -> Result<()> {
        self.0.take(ser, bytes)
    }

    fn begin(&mut self, _ser: &mut Serializer, _kind: Kind) -> Result<()> {
        Err(reserved())
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(reserved())
    }
}

struct Native<'a, S> {
    slot: &'a mut S,
    name: &'a str,
}

impl<S: Slot> TakeBytes for Native<'_, S> {
    fn take(&mut self, ser: &mut Serializer, bytes: &[u8]) -> Result<()> {
        let is_value = matches!(self.name, marker::VALUE | marker::DEEP_VALUE);
        let (kind, bytes) = match (self.name, self.slot.layer()) {
            (marker::UNKNOWN, Some(layer)) => {
                layer.keep_unknown(bytes);
                return Ok(());
            }
            (marker::UNKNOWN, None) => return Err(marker::misplaced(marker::UNKNOWN)),
            _ if is_value => marker::split_kind(bytes).ok_or_else(reserved)?,
            _ => (Kind::Bean, bytes),
        };
        // A `Value` is always there, for only the integer 0 is what it is when it is absent.
        let is_default = matches!(kind, Kind::Int | Kind::Bean) && bytes == [0];
        if is_default && self.slot.omits() && (is_value == (kind == Kind::Int)) {
            return Ok(());
        }
        if is_value && !self.slot.takes_value(kind) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("expected a bean as the value of a variant, found {}", kind.article()),
            ));
        }
        let levels = ser.depth.saturating_add(marker::SHALLOW);
        if self.name == marker::DEEP_VALUE || (is_value && levels > ser.options.max_depth) {
            // The value knows no options, so its depth is looked at here.
            let skipped = Decoder::new(bytes, ser.options).skip(kind, ser.depth);
            skipped.map_err(Error::without_offset)?;
        }
        self.slot.begin(ser, kind)?;
        ser.out.extend_from_slice(bytes);
        Ok(())
    }
}

#[cold]
fn reserved() -> Error {
    marker::misplaced("")
}

/// A tuple struct, or one of this crate's vectors, that is being written.
pub struct TupleStructSerializer<'a, S>(Struct<'a, S>);

enum Struct<'a, S> {
    Bean(StructSerializer<'a, S>),
    Vector { ser: &'a mut Serializer, slot: S, mark: Mark, body: usize, kind: Kind, written: usize },
}

impl<'a, S: Slot> TupleStructSerializer<'a, S> {
    #[inline]
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S, name: &str) -> Result<Self> {
        if !marker::is_reserved(name) {
            return Ok(TupleStructSerializer(Struct::Bean(StructSerializer::new(ser, slot, "")?)));
        }
        let Some(kind) = marker::vector(name) else { return Err(reserved()) };
        let mark = slot.mark(ser);
        slot.begin(ser, kind)?;
        let body = ser.out.len();
        Ok(TupleStructSerializer(Struct::Vector { ser, slot, mark, body, kind, written: 0 }))
    }
}

impl<S: Slot> ser::SerializeTupleStruct for TupleStructSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match &mut self.0 {
            Struct::Bean(bean) => bean.positional(value),
            Struct::Vector { ser, kind, written, .. } => {
                *written = written.saturating_add(1);
                let kind = if kind.has_ints() { Kind::Int } else { Kind::Float };
                value.serialize(ValueSerializer { ser, slot: Component(kind) })
            }
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self.0 {
            Struct::Bean(bean) => bean.finish(),
            Struct::Vector { ser, mut slot, mark, body, kind, written } => {
                if written != kind.components() {
                    return Err(reserved());
                }
                let bytes = ser.out.get(body..).unwrap_or_default();
                if slot.omits() && write::is_default(kind, bytes, ser.options.keep_negative_zero) {
                    slot.undo(ser, mark);
                }
                Ok(())
            }
        }
    }
}

/// A component of a vector, which stands without anything before it.
struct Component(Kind);

impl Slot for Component {
    #[inline]
    fn begin(&mut self, _ser: &mut Serializer, kind: Kind) -> Result<()> {
        if kind == self.0 { Ok(()) } else { Err(reserved()) }
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(reserved())
    }
}
