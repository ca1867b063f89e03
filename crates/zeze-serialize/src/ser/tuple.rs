//! Tuples and arrays: lists where all elements are of one wire type, else beans.

use alloc::vec::Vec;
use serde_core::Serialize;
use serde_core::ser;

use super::compound::StructSerializer;
use super::slot::{Slot, TupleItem};
use super::{Serializer, ValueSerializer};
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::types::marker;
use crate::write;

/// An element of an open tuple.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// `None` for a `None`.
    pub(super) kind: Option<Kind>,
    /// Whether it is in a `Some`, and so is there even if it is zero.
    pub(super) is_some: bool,
    /// Offset after it.
    pub(super) end: usize,
}

/// A tuple that is being written.
pub struct TupleSerializer<'a, S>(Form<'a, S>);

enum Form<'a, S> {
    Bean(StructSerializer<'a, S>),
    /// Its elements are written without tags, until it is known what it becomes.
    Open {
        ser: &'a mut Serializer,
        slot: S,
        first: usize,
        body: usize,
    },
}

impl<'a, S: Slot> TupleSerializer<'a, S> {
    pub(super) fn new(ser: &'a mut Serializer, slot: S, _len: usize) -> Result<Self> {
        if S::TUPLES_ARE_BEANS {
            return Ok(TupleSerializer(Form::Bean(StructSerializer::new(ser, slot, "")?)));
        }
        ser.enter()?;
        let (first, body) = (ser.items.len(), ser.out.len());
        Ok(TupleSerializer(Form::Open { ser, slot, first, body }))
    }
}

impl<S: Slot> ser::SerializeTuple for TupleSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let (ser, first) = match &mut self.0 {
            Form::Bean(bean) => return bean.positional(value),
            Form::Open { ser, first, .. } => (&mut **ser, *first),
        };
        // `begin` of the slot notes the element; none or two of them are no value of serde's.
        let before = ser.items.len();
        let slot = TupleItem { is_some: false };
        value
            .serialize(ValueSerializer { ser: &mut *ser, slot })
            .map_err(|error| error.inside(before.saturating_sub(first)))?;
        let end = ser.out.len();
        match ser.items.get_mut(before..) {
            Some([item]) => {
                item.end = end;
                Ok(())
            }
            _ => Err(marker::misplaced("")),
        }
    }

    fn end(self) -> Result<()> {
        let (ser, mut slot, first, body) = match self.0 {
            Form::Bean(bean) => return bean.finish(),
            Form::Open { ser, slot, first, body } => (ser, slot, first, body),
        };
        ser.leave();
        // The header comes before the elements, and its length is known only now; so the tuple is put
        // together beside the output. The room for that is kept from one tuple to the next.
        let mut scratch = core::mem::take(&mut ser.scratch);
        scratch.clear();
        let items = ser.items.get(first..).unwrap_or_default();
        let count = items.len();
        let kind = match same_kind(items) {
            Some(element) => {
                write::list_header(&mut scratch, write::length(count)?, element.number());
                scratch.extend_from_slice(ser.out.get(body..).unwrap_or_default());
                Kind::List
            }
            None => {
                bean(&mut scratch, ser, items, body)?;
                Kind::Bean
            }
        };
        ser.items.truncate(first);
        ser.out.truncate(body);
        let is_default = if kind == Kind::Bean { *scratch == [write::END] } else { count == 0 };
        if !(is_default && slot.omits()) {
            slot.begin(ser, kind)?;
            ser.out.extend_from_slice(&scratch);
        }
        ser.scratch = scratch;
        Ok(())
    }
}

/// The wire type of all elements, if they can be a list. Options cannot, for whether there is a
/// value may change, and the tuple's wire type must not.
fn same_kind(items: &[Item]) -> Option<Kind> {
    let Some(first) = items.first() else { return Some(Kind::Int) };
    let same = items.iter().all(|item| item.kind == first.kind && !item.is_some);
    first.kind.filter(|_| same)
}

fn bean(out: &mut Vec<u8>, ser: &Serializer, items: &[Item], body: usize) -> Result<()> {
    let (mut start, mut last) = (body, 0);
    for (index, item) in items.iter().enumerate() {
        let bytes = ser.out.get(start..item.end).unwrap_or_default();
        start = item.end;
        let Some(kind) = item.kind else { continue };
        if !item.is_some && write::is_default(kind, bytes, ser.options.keep_negative_zero) {
            continue;
        }
        let id = write::length(index.saturating_add(1))?;
        write::tag(out, id.saturating_sub(last), kind);
        out.extend_from_slice(bytes);
        last = id;
    }
    out.push(write::END);
    Ok(())
}
