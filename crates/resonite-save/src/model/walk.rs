//! Going through a save without recursion: foreign data decides how deep it is.

use std::slice;

use resonite_brson::Value;
use resonite_brson::value::{Array, Document};

use super::{Component, ComponentPath, Slot, SlotPath};

/// All slots of a save, each before its children; see [`SavedObject::slots`].
///
/// [`SavedObject::slots`]: super::SavedObject::slots
#[derive(Clone, Debug)]
pub struct Slots<'a> {
    types: Option<&'a Array>,
    root: Option<&'a Document>,
    /// The children that are still to come at each level, and the index of the next one.
    levels: Vec<(slice::Iter<'a, Value>, usize)>,
}

impl<'a> Slots<'a> {
    pub(super) fn new(root: Option<&'a Document>, types: Option<&'a Array>) -> Self {
        Slots { types, root, levels: Vec::new() }
    }

    fn enter(&mut self, document: &'a Document) -> Slot<'a> {
        let slot = Slot::new(document, self.types);
        let children = slot.child_values().map_or_else(Default::default, |list| list.iter());
        self.levels.push((children, 0));
        slot
    }
}

impl<'a> Iterator for Slots<'a> {
    type Item = (SlotPath, Slot<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take() {
            return Some((SlotPath::root(), self.enter(root)));
        }
        loop {
            let (children, next) = self.levels.last_mut()?;
            let Some(child) = children.next() else {
                self.levels.pop();
                continue;
            };
            *next = next.saturating_add(1);
            if let Value::Document(child) = child {
                let indices = self.levels.iter().map(|(_, next)| next.saturating_sub(1));
                let path = SlotPath::new(indices.collect::<Vec<_>>());
                return Some((path, self.enter(child)));
            }
        }
    }
}

/// All components of a save: those of its slots, then its assets; see [`SavedObject::components`].
///
/// [`SavedObject::components`]: super::SavedObject::components
#[derive(Clone, Debug)]
pub struct Components<'a> {
    types: Option<&'a Array>,
    slots: Slots<'a>,
    slot: SlotPath,
    list: std::iter::Enumerate<slice::Iter<'a, Value>>,
    assets: std::iter::Enumerate<slice::Iter<'a, Value>>,
}

impl<'a> Components<'a> {
    pub(super) fn new(
        slots: Slots<'a>,
        assets: Option<&'a Array>,
        types: Option<&'a Array>,
    ) -> Self {
        let assets = assets.map_or_else(Default::default, |assets| assets.iter());
        Components {
            types,
            slots,
            slot: SlotPath::root(),
            list: <slice::Iter<'a, Value>>::default().enumerate(),
            assets: assets.enumerate(),
        }
    }
}

impl<'a> Iterator for Components<'a> {
    type Item = (ComponentPath, Component<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            for (index, value) in self.list.by_ref() {
                if let Value::Document(document) = value {
                    let path = ComponentPath::Slot(self.slot.clone(), index);
                    return Some((path, Component::new(document, self.types)));
                }
            }
            let Some((path, slot)) = self.slots.next() else { break };
            self.slot = path;
            let list = slot.component_values().map_or_else(Default::default, |list| list.iter());
            self.list = list.enumerate();
        }
        loop {
            let (index, value) = self.assets.next()?;
            if let Value::Document(document) = value {
                return Some((ComponentPath::Asset(index), Component::new(document, self.types)));
            }
        }
    }
}
