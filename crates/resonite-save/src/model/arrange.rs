use resonite_brson::Value;
use resonite_brson::value::{Array, Document};

use super::edit::{numbers, rename};
use super::leaves::{Leaves, each_leaf};
use super::part::{Ids, key, no_slot};
use super::{ComponentPath, SavedObject, SlotPath};
use crate::error::{Error, Result};

/// Taking away, moving and duplicating.
impl SavedObject {
    /// Takes a slot out. The root slot cannot be taken.
    pub fn remove_slot(&mut self, path: &SlotPath) -> Option<Document> {
        let (index, outer) = path.indices().split_last()?;
        let children = self
            .slot_document_mut(&SlotPath::new(outer))?
            .get_mut(key::CHILDREN)?
            .as_array_mut()?;
        taken(children, *index)
    }

    /// Takes a component out, of a slot or of the list of assets. References to it lead nowhere
    /// afterwards, and its type stays in `Types`: see [`strip_unused`](Self::strip_unused).
    pub fn remove_component(&mut self, path: &ComponentPath) -> Option<Document> {
        let (list, index) = match path {
            ComponentPath::Slot(slot, index) => {
                let components = self.slot_document_mut(slot)?.get_mut(key::COMPONENTS)?;
                (components.get_mut("Data")?.as_array_mut()?, *index)
            }
            ComponentPath::Asset(index) => {
                self.asset_list()?;
                (self.assets_mut().ok()?, *index)
            }
        };
        taken(list, index)
    }

    /// Moves a slot with all that is in it to a place among the children of another one, the last
    /// one for any greater number, and returns its new path. Identifiers stay, and so does the
    /// position in the parent, whichever that is.
    ///
    /// # Errors
    /// The root slot, a slot that would be inside of itself, or no slot there. Nothing is changed
    /// then.
    pub fn move_slot(
        &mut self,
        from: &SlotPath,
        parent: &SlotPath,
        index: usize,
    ) -> Result<SlotPath> {
        let Some((own, outer)) = from.indices().split_last() else {
            return Err(Error::data("the root slot cannot be moved"));
        };
        if parent.indices().starts_with(from.indices()) {
            return Err(Error::data("a slot cannot be moved into itself"));
        }
        self.children_mut(parent)?;
        let slot = self.remove_slot(from).ok_or_else(no_slot)?;
        // The siblings after the slot have moved up.
        let mut indices = parent.indices().to_vec();
        if let Some(at) = indices.get_mut(outer.len())
            && parent.indices().starts_with(outer)
            && *at > *own
        {
            *at = at.saturating_sub(1);
        }
        let parent = SlotPath::new(indices);
        let children = self.children_mut(&parent)?;
        let index = index.min(children.len());
        children.insert(index, slot.into());
        Ok(parent.child(index))
    }

    /// Puts a copy of a slot with all that is in it after the slot, and returns its path. The copy
    /// gets separate identifiers; what refers to another part of it refers to the copy of that
    /// part, any other reference leads where it led.
    ///
    /// # Errors
    /// The root slot, no slot there, or identifiers that are used up.
    pub fn duplicate_slot(&mut self, path: &SlotPath) -> Result<SlotPath> {
        let (index, outer) = path
            .indices()
            .split_last()
            .ok_or_else(|| Error::data("the root slot cannot be duplicated: a save has one"))?;
        let mut copy = self.slot(path).ok_or_else(no_slot)?.document().clone();
        let mut ids = Ids::after(&mut self.ids, &self.document)?;
        let mut new = numbers(&copy, &mut ids);
        // Where a parent reference has the identifier of the slot around, it keeps it.
        let parent = copy.get(key::PARENT).and_then(Value::as_str).unwrap_or_default();
        let around = self.slot_by_id(parent);
        if around.is_some_and(|around| !around.indices().starts_with(path.indices())) {
            new.remove(parent);
        }
        rename(&mut copy, &new);
        self.ids = Some(ids);
        let outer = SlotPath::new(outer);
        let children = self.children_mut(&outer)?;
        let index = index.saturating_add(1).min(children.len());
        children.insert(index, copy.into());
        Ok(outer.child(index))
    }

    /// All values that are no documents and no arrays, in the order of the document, each with the
    /// key that it is under; those of an array with the key of the array.
    pub fn leaves(&self) -> impl Iterator<Item = (&str, &Value)> {
        Leaves::new(&self.document)
    }

    /// Shows each value that is no document and no array to `change`, with the key that it is under.
    pub fn change_leaves(&mut self, change: impl FnMut(&str, &mut Value)) {
        each_leaf(self.document_mut(), change);
    }
}

fn taken(list: &mut Array, index: usize) -> Option<Document> {
    list.get(index)?.as_document()?;
    match list.remove(index) {
        Value::Document(own) => Some(own),
        _ => None,
    }
}
