//! Changes in the bytes of a bean.

use zeze_serialize::wire::{self, Tag};
use zeze_serialize::{Kind, Value};

use super::Zeze;
use super::content::Content;
use super::item::BeanItem;
use super::node;
use crate::document::patch::{Added, Gone, InPlace, Patch, Spot, Tracer};

impl InPlace for Zeze {
    fn trace(&self, bytes: &[u8], _: &Content, tracer: &mut Tracer) -> Option<()> {
        let read = |tracer: &mut _| self.options.part_from_slice(bytes, &(), tracer).ok().map(drop);
        tracer.value(0, bytes.len(), read)
    }

    fn is_leaf(&self, item: &BeanItem) -> bool {
        matches!(item, BeanItem::Value(value) if !node::has_parts(value))
    }

    fn kind_of(&self, item: &BeanItem) -> u8 {
        let kind = if let BeanItem::Value(value) = item { value.kind() } else { Kind::Bean };
        kind.number()
    }

    fn bytes_of(&self, _: &Content, item: &BeanItem) -> Option<Vec<u8>> {
        match item {
            BeanItem::Value(value) => value.to_vec(&self.options).ok(),
            BeanItem::Base(bean) => Value::Bean(bean.clone()).to_vec(&self.options).ok(),
            BeanItem::Frame(_) | BeanItem::Frames(_) => None,
        }
    }

    fn is_canonical(&self, _: &Content, bytes: &[u8], kind: u8) -> bool {
        let read = Kind::from_number(kind)
            .and_then(|kind| Value::take_from_slice(bytes, kind, &self.options).ok());
        read.and_then(|(value, _)| value.to_vec(&self.options).ok()).as_deref() == Some(bytes)
    }

    fn added(
        &self,
        _: &Content,
        container: &BeanItem,
        at: usize,
        key: Option<BeanItem>,
    ) -> Option<Added> {
        let bytes = |value: &Value| value.to_vec(&self.options).ok();
        let of_bean = |bean: &zeze_serialize::value::Bean| {
            let Some(BeanItem::Value(Value::Int(id))) = key else { return None };
            let id = u32::try_from(id).ok()?;
            let value = bean.get(id)?;
            Some(Added { at, id, kind: value.kind().number(), bytes: bytes(value)? })
        };
        let bytes = match container {
            BeanItem::Value(Value::List(list)) => bytes(list.get(at)?)?,
            BeanItem::Value(Value::Map(map)) => {
                let (key, value) = <[_]>::get(map, at)?;
                [bytes(key)?, bytes(value)?].concat()
            }
            BeanItem::Value(Value::Bean(bean)) | BeanItem::Base(bean) => return of_bean(bean),
            BeanItem::Value(Value::Dynamic(dynamic)) => return of_bean(&dynamic.bean),
            _ => return None,
        };
        Some(Added { at, id: 0, kind: 0, bytes })
    }

    fn mended(
        &self,
        bytes: &[u8],
        spot: &Spot,
        gone: &Gone,
        added: Option<&Added>,
    ) -> Option<Vec<Patch>> {
        let (inside, len) = (bytes.get(spot.at..)?, spot.len_after(gone, added)?);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        match Kind::from_number(spot.kind())? {
            Kind::List => {
                let ((_, element), _) = wire::read_list_header(inside).ok()?;
                wire::write_list_header(&mut old, spot.count, element).ok()?;
                wire::write_list_header(&mut new, len, element).ok()?;
            }
            Kind::Map => {
                let ((_, key, value), _) = wire::read_map_header(inside).ok()?;
                wire::write_map_header(&mut old, spot.count, key, value).ok()?;
                wire::write_map_header(&mut new, len, key, value).ok()?;
            }
            Kind::Dynamic => {
                let (_, rest) = wire::read_int(inside).ok()?;
                return fields(bytes, bytes.len().checked_sub(rest.len())?, spot, gone, added);
            }
            _ => return fields(bytes, spot.at, spot, gone, added),
        }
        let head = spot.at..spot.first;
        let is_own = bytes.get(head.clone())? == old;
        is_own.then(|| spot.rearranged(Patch { range: head, bytes: new }, gone, added))?
    }
}

/// The changes of a bean: the tag of a field says how far its id is from the one before.
fn fields(
    bytes: &[u8],
    first: usize,
    spot: &Spot,
    gone: &Gone,
    added: Option<&Added>,
) -> Option<Vec<Patch>> {
    let tag = |last, id, kind| {
        let mut tag = Vec::new();
        wire::write_tag(&mut tag, last, id, kind).ok().map(|()| tag)
    };
    let insert = |last, at: usize| {
        let added = added?;
        let bytes = [tag(last, added.id, Kind::from_number(added.kind)?)?, added.bytes.clone()];
        Some(Patch { range: at..at, bytes: bytes.concat() })
    };
    // The ids before a field, as they were and as they will be.
    let (mut was, mut last, mut patches) = (0, 0, Vec::new());
    let is_next = |last: u32, next: u32| added.is_some_and(|own| last < own.id && own.id < next);
    for (at, id) in spot.ids.iter().enumerate() {
        let entry = spot.entry(first, at)?;
        let (Tag::Field(_, kind), rest) = wire::read_tag(bytes.get(entry.start..)?, was).ok()?
        else {
            return None;
        };
        let own = entry.start..bytes.len().checked_sub(rest.len())?;
        if bytes.get(own.clone())? != tag(was, *id, kind)? {
            return None;
        }
        was = *id;
        if gone.contains(&at) {
            patches.push(Patch { range: entry, bytes: Vec::new() });
            continue;
        }
        if is_next(last, *id) {
            patches.push(insert(last, entry.start)?);
            last = added?.id;
        }
        patches.push(Patch { range: own, bytes: tag(last, *id, kind)? });
        last = *id;
    }
    if is_next(last, u32::MAX) {
        patches.push(insert(last, spot.entry(first, spot.ids.len().checked_sub(1)?)?.end)?);
    }
    // A base is none of the fields, and one that is there has no place for another.
    let is_whole = gone.iter().all(|at| *at < spot.ids.len())
        && added.is_none_or(|own| !spot.ids.contains(&own.id));
    is_whole.then_some(patches)
}
