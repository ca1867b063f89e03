//! Keys, new identifiers, and the part of a save that is changed.

use std::collections::HashSet;

use resonite_brson::value::Document;
use resonite_brson::{Kind, Other, Value};

use super::leaves::{Leaves, Role, dangling, defined, each_leaf};
use crate::error::{Error, Result};

/// The keys of a slot in the order in which the engine writes them.
pub(super) mod key {
    pub(in crate::model) const ID: &str = "ID";
    pub(in crate::model) const COMPONENTS: &str = "Components";
    pub(in crate::model) const NAME: &str = "Name";
    pub(in crate::model) const TAG: &str = "Tag";
    pub(in crate::model) const ACTIVE: &str = "Active";
    pub(in crate::model) const PERSISTENT: &str = "Persistent-ID";
    pub(in crate::model) const POSITION: &str = "Position";
    pub(in crate::model) const ROTATION: &str = "Rotation";
    pub(in crate::model) const SCALE: &str = "Scale";
    pub(in crate::model) const ORDER: &str = "OrderOffset";
    pub(in crate::model) const PARENT: &str = "ParentReference";
    pub(in crate::model) const CHILDREN: &str = "Children";
}

/// Stands where an identifier comes: a value that the engine does not have.
pub(super) const NO_ID: Value = Value::Other(Other::of(Kind::MinKey, Vec::new()));

/// Makes identifiers as the engine does: a number and zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    next: u32,
    /// Numbers that dangling references have: nothing may get them, or they would lead to it.
    taken: HashSet<u32>,
}

impl Ids {
    /// Past the greatest number of a save. There must be room for as many as a save can have.
    ///
    /// # Errors
    /// Identifiers that leave no room.
    pub(super) fn after(known: &mut Option<Ids>, document: &Document) -> Result<Ids> {
        if let Some(ids) = known.take() {
            return Ok(ids);
        }
        let ids = Leaves::new(document).filter_map(|(key, value)| defined(key, value));
        let next = ids.filter_map(number).max().map_or(Some(0), |most| most.checked_add(1));
        match next {
            Some(next) if next < 1 << 31 => {
                let mut ids = Ids { next, taken: HashSet::new() };
                ids.reserve(dangling(document));
                Ok(ids)
            }
            _ => Err(Error::range(
                "expected identifiers below 80000000, found greater ones; renumber() makes room",
            )),
        }
    }

    /// Gives none of these to anything.
    pub(super) fn reserve<'a>(&mut self, dangling: impl IntoIterator<Item = &'a str>) {
        let next = self.next;
        self.taken.extend(dangling.into_iter().filter_map(number).filter(|own| *own >= next));
    }

    /// Gives an identifier to all that has none, in order.
    pub(super) fn fill(&mut self, document: &mut Document) {
        each_leaf(document, |key, value| {
            if *value == NO_ID && Role::of(key).defines() {
                *value = self.next().into();
            }
        });
    }

    pub(super) fn next(&mut self) -> String {
        while self.taken.remove(&self.next) {
            self.next = self.next.saturating_add(1);
        }
        let id = text(self.next);
        self.next = self.next.saturating_add(1);
        id
    }
}

/// A slot or component that is changed, and where identifiers continue.
#[derive(Debug)]
pub(super) struct EditedPart<'a> {
    pub(super) document: &'a mut Document,
    ids: &'a mut Option<Ids>,
}

impl<'a> EditedPart<'a> {
    pub(super) fn new(
        ids: &'a mut Option<Ids>,
        document: Option<&'a mut Document>,
    ) -> Option<Self> {
        document.map(|document| EditedPart { document, ids })
    }

    /// Everything. It may be changed in any way, so the identifiers in it are no longer known.
    pub(super) fn into_document(self) -> &'a mut Document {
        *self.ids = None;
        self.document
    }

    /// Takes note of a value that is put in: identifiers in it must not be given to anything.
    pub(super) fn learn(&mut self, value: &Value) {
        if Leaves::of_value(value).any(|(_, leaf)| leaf.as_str().and_then(number).is_some()) {
            *self.ids = None;
        }
    }
}

/// An identifier as the engine numbers them.
fn text(number: u32) -> String {
    format!("{number:08x}-0000-0000-0000-000000000000")
}

fn number(id: &str) -> Option<u32> {
    let (number, rest) = id.split_once('-')?;
    let is_numbered = rest == "0000-0000-0000-000000000000" && number.len() == 8;
    u32::from_str_radix(number, 16).ok().filter(|_| is_numbered)
}

#[cold]
pub(super) fn no_slot() -> Error {
    Error::data("there is no slot at this path, or it has no list for what is put there")
}
