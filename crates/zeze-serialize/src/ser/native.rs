//! This crate's own types: vectors, values and beans as bytes.

use gamewire_core::bytes::part;
use serde_core::Serialize;
use serde_core::ser;

use super::ValueSerializer;
use super::compound::StructSerializer;
use super::output::Serializer;
use super::slot::{Mark, Slot};
use crate::error::{Error, ErrorKind, Result};
use crate::handoff::{self, LentWriter};
use crate::kind::Kind;
use crate::types::marker;
use crate::write;

/// Writes a `Value`, `RawBean` or `Unknown`.
pub(super) fn write<S: Slot, T: Serialize + ?Sized>(
    ser: &mut Serializer,
    slot: &mut S,
    name: &str,
    value: &T,
) -> Result<()> {
    let mut bytes = std::mem::take(&mut ser.scratch);
    bytes.clear();
    let (bytes, written) = if name == marker::VALUE {
        let lent = LentWriter { kind: Kind::Int, bytes, options: ser.options, level: ser.depth };
        let unused = ValueSerializer { ser: &mut *ser, slot: ByteSlot(&mut Vec::new()) };
        let (lent, written) = handoff::lend(lent, || value.serialize(unused));
        let (kind, bytes) = lent.map(|lent| (lent.kind, lent.bytes)).unwrap_or_default();
        (bytes, written.map(|()| kind))
    } else {
        let slot = ByteSlot(&mut bytes);
        let written = value.serialize(ValueSerializer { ser: &mut *ser, slot });
        (bytes, written.map(|()| Kind::Bean))
    };
    let placed = written.and_then(|kind| place(ser, slot, name, kind, &bytes));
    ser.scratch = bytes;
    placed
}

fn place<S: Slot>(
    ser: &mut Serializer,
    slot: &mut S,
    name: &str,
    kind: Kind,
    bytes: &[u8],
) -> Result<()> {
    if name == marker::UNKNOWN {
        let Some(layer) = slot.layer() else { return Err(marker::misplaced(name)) };
        layer.keep_unknown(ser, bytes);
        return Ok(());
    }
    // A `Value` is always there, for only the integer 0 is what it is when it is absent.
    let is_value = name == marker::VALUE;
    let is_default = matches!(kind, Kind::Int | Kind::Bean) && bytes == [0];
    if is_default && slot.omits() && (is_value == (kind == Kind::Int)) {
        return Ok(());
    }
    if is_value && !slot.takes_value(kind) {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!("expected a bean as the value of a variant, found {}", kind.article()),
        ));
    }
    slot.begin(ser, kind)?;
    ser.out.extend_from_slice(bytes);
    Ok(())
}

/// Takes the bytes that are the content of one of these types, and nothing else.
struct ByteSlot<'b>(&'b mut Vec<u8>);

impl Slot for ByteSlot<'_> {
    const TAKES_BYTES: bool = true;

    fn take(&mut self, _ser: &mut Serializer, bytes: &[u8]) -> Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn begin(&mut self, _ser: &mut Serializer, _kind: Kind) -> Result<()> {
        Err(marker::misplaced(""))
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(marker::misplaced(""))
    }

    // A unit shows that a `Value` was written.
    fn omits(&self) -> bool {
        true
    }
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
            return Ok(TupleStructSerializer(Struct::Bean(StructSerializer::new(ser, slot)?)));
        }
        let Some(kind) = marker::vector(name) else { return Err(marker::misplaced("")) };
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
                    return Err(marker::misplaced(""));
                }
                let bytes = part(&ser.out, body..);
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
        if kind == self.0 { Ok(()) } else { Err(marker::misplaced("")) }
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(marker::misplaced(""))
    }
}
