//! Tuples and arrays: lists where all elements are of one wire type, else beans.

use gamewire_core::bytes::part;
use serde_core::Serialize;
use serde_core::ser;

use super::ValueSerializer;
use super::compound::StructSerializer;
use super::elements::Items;
use super::output::{Item, Serializer};
use super::slot::{Mark, Slot, TupleItem};
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::types::marker;
use crate::write;

/// A tuple that is being written.
pub struct TupleSerializer<'a, S>(TupleForm<'a, S>);

enum TupleForm<'a, S> {
    Bean(StructSerializer<'a, S>),
    Open { ser: &'a mut Serializer, slot: S, items: Items, head: Option<Head> },
}

/// The header of a list that stands before the elements, as long as it may be the right one.
struct Head {
    mark: Mark,
    at: usize,
    len: usize,
}

impl<'a, S: Slot> TupleSerializer<'a, S> {
    // This and the end are inlined, so that a tuple is not moved from one place in memory to another.
    #[inline(always)]
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S, len: usize) -> Result<Self> {
        if S::TUPLES_ARE_BEANS {
            return Ok(TupleSerializer(TupleForm::Bean(StructSerializer::new(ser, slot)?)));
        }
        ser.enter()?;
        let mut head = None;
        if S::IS_UNDONE {
            let mark = slot.mark(ser);
            slot.begin(ser, Kind::List)?;
            head = Some(Head { mark, at: ser.out.len(), len });
            write::list_header(&mut ser.out, write::length(len)?, 0);
        }
        let items = Items { body: ser.out.len(), count: 0, kind: None, first: None };
        Ok(TupleSerializer(TupleForm::Open { ser, slot, items, head }))
    }
}

impl<S: Slot> ser::SerializeTuple for TupleSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let (ser, items) = match &mut self.0 {
            TupleForm::Bean(bean) => return bean.positional(value),
            TupleForm::Open { ser, items, .. } => (&mut **ser, items),
        };
        let before = items.count;
        let slot = TupleItem { items: &mut *items, is_some: false };
        let written = value.serialize(ValueSerializer { ser: &mut *ser, slot });
        written.map_err(|error| error.inside(before))?;
        // `begin` of the slot notes the element; none or two of them are no value of serde's.
        if items.count != before.wrapping_add(1) {
            return Err(marker::misplaced(""));
        }
        if items.first.is_some()
            && let Some(item) = ser.items.last_mut()
        {
            item.end = ser.out.len();
        }
        Ok(())
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        let (ser, slot, items, head) = match self.0 {
            TupleForm::Bean(bean) => return bean.finish(),
            TupleForm::Open { ser, slot, items, head } => (ser, slot, items, head),
        };
        ser.leave();
        match (&head, items.kind) {
            (Some(head), Some(kind)) if items.first.is_none() && items.count == head.len => {
                if let Some(byte) = ser.out.get_mut(head.at) {
                    *byte |= kind.number();
                }
                Ok(())
            }
            _ => {
                // Word by word, so that the tuple is not moved for it.
                let Items { body, count, kind, first } = items;
                rewrite(ser, slot, (body, count), kind, first, head.map(|head| head.mark))
            }
        }
    }
}

/// Ends a tuple that needs another header than stands before its elements.
#[inline(never)]
fn rewrite<S: Slot>(
    ser: &mut Serializer,
    mut slot: S,
    (body, count): (usize, usize),
    element: Option<Kind>,
    first: Option<usize>,
    mark: Option<Mark>,
) -> Result<()> {
    // The length of the header is known only now; so the tuple is put together beside the output.
    // The room for that is kept from one tuple to the next.
    let mut scratch = std::mem::take(&mut ser.scratch);
    scratch.clear();
    let kind = match first {
        None => {
            let number = element.unwrap_or(Kind::Int).number();
            write::list_header(&mut scratch, write::length(count)?, number);
            scratch.extend_from_slice(part(&ser.out, body..));
            Kind::List
        }
        Some(first) => {
            let all = ser.items.get(first..).unwrap_or_default();
            bean(&mut scratch, ser, all, body)?;
            ser.items.truncate(first);
            Kind::Bean
        }
    };
    match mark {
        Some(mark) => slot.undo(ser, mark),
        None => ser.out.truncate(body),
    }
    let is_default = if kind == Kind::Bean { *scratch == [write::END] } else { count == 0 };
    if !(is_default && slot.omits()) {
        slot.begin(ser, kind)?;
        ser.out.extend_from_slice(&scratch);
    }
    ser.scratch = scratch;
    Ok(())
}

fn bean(out: &mut Vec<u8>, ser: &Serializer, items: &[Item], body: usize) -> Result<()> {
    let (mut start, mut last) = (body, 0);
    for (index, item) in items.iter().enumerate() {
        // An element that has failed has no end, whatever its type says then.
        let bytes = ser.out.get(start..item.end).ok_or_else(|| marker::misplaced(""))?;
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
