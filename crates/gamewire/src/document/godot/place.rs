//! Changes in the bytes of variants, bare or in frames.

use godot_variant::Value;
use godot_variant::value::Object;

use super::Godot;
use super::content::{Content, frames};
use super::node::VariantItem;
use super::settings::Framing;
use crate::document::patch::{Added, Framed, Gone, InPlace, Patch, Spot, Tracer};

/// The kind of objects, whose properties have their names before them.
const OBJECT: u8 = 1;

impl InPlace for Godot {
    fn trace(&self, bytes: &[u8], content: &Content, tracer: &mut Tracer) -> Option<()> {
        let options = self.reading.options.clone().dialect(content.dialect);
        let read = |variant: &[u8], tracer: &mut Tracer| {
            options.take_part_from_slice(variant, tracer).ok().map(drop)
        };
        let plain = bytes.get(self.reading.offset..)?;
        let Some(frames) = frames(content.framing) else {
            let read = |tracer: &mut _| read(plain, tracer);
            return tracer.value(self.reading.offset, plain.len(), read);
        };
        let length: Framed = match content.framing {
            Framing::StoreVarBe => u32::to_be_bytes,
            _ => u32::to_le_bytes,
        };
        let frames = frames.options(options.clone());
        let (mut index, mut rest) = (0, plain);
        while !rest.is_empty() {
            let (variant, after) = frames.split(rest).ok()?;
            let at = bytes.len().checked_sub(after.len())?.checked_sub(variant.len())?;
            let index_in_row = (variant.len() + 4 < plain.len()).then_some(index);
            let read = |tracer: &mut _| read(variant, tracer);
            tracer.value_of_row((index_in_row, length), at, variant.len(), read)?;
            (index, rest) = (index + 1, after);
        }
        Some(())
    }

    fn is_leaf(&self, item: &VariantItem) -> bool {
        let VariantItem::Value(value) = item else { return false };
        let is_object = matches!(value, Value::Object(Object::Instance(_)));
        !is_object && value.as_array().is_none() && value.as_dictionary().is_none()
    }

    fn kind_of(&self, item: &VariantItem) -> u8 {
        u8::from(matches!(item, VariantItem::Value(Value::Object(_)))) * OBJECT
    }

    fn bytes_of(&self, content: &Content, item: &VariantItem) -> Option<Vec<u8>> {
        let VariantItem::Value(value) = item else { return None };
        self.reading.options.clone().dialect(content.dialect).value_to_vec(value).ok()
    }

    fn is_canonical(&self, content: &Content, bytes: &[u8], _: u8) -> bool {
        let options = self.reading.options.clone().dialect(content.dialect);
        let read = options.value_from_slice(bytes).and_then(|value| options.value_to_vec(&value));
        read.is_ok_and(|again| again == bytes)
    }

    fn added(
        &self,
        content: &Content,
        container: &VariantItem,
        at: usize,
        _: Option<VariantItem>,
    ) -> Option<Added> {
        let VariantItem::Value(value) = container else { return None };
        let own = |value: &Value| self.bytes_of(content, &VariantItem::Value(value.clone()));
        let bytes = match (value.as_array(), value.as_dictionary()) {
            (Some(items), _) => own(items.get(at)?)?,
            (_, Some(entries)) => {
                let (key, value) = entries.iter().nth(at)?;
                [own(key)?, own(value)?].concat()
            }
            _ => return None,
        };
        Some(Added { at, bytes })
    }

    fn mended(
        &self,
        bytes: &[u8],
        spot: &Spot,
        gone: &Gone,
        added: Option<&Added>,
    ) -> Option<Vec<Patch>> {
        // The number of entries stands before the first one.
        let word = spot.first.checked_sub(4)?..spot.first;
        let own = u32::try_from(spot.count).ok()?.to_le_bytes();
        if spot.kind() == OBJECT || bytes.get(word.clone())? != own {
            return None;
        }
        let len = u32::try_from(spot.len_after(gone, added)?).ok()?;
        spot.rearranged(Patch { range: word, bytes: len.to_le_bytes().to_vec() }, gone, added)
    }
}
