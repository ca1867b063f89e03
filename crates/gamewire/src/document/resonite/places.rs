//! Where the identifiers of a save lead, by names, as [`resonite_save::model::Places`] has it of values. There
//! may be as many identifiers as values, so that of a place inside of a slot only marks are kept.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use resonite_save::model::numbered;

use super::save::{Component, Member, Save, Slot};

pub(super) struct Places<'a> {
    slots: Vec<PlacedSlot<'a>>,
    places: HashMap<&'a str, Place>,
}

struct PlacedSlot<'a> {
    slot: Slot<'a>,
    /// The slot around it.
    around: Option<usize>,
    /// Its name, with its number among siblings of the same name.
    name: String,
    id: Option<&'a str>,
}

/// A slot, or none for the list of assets, and the way from there, `:Light[1].Intensity`, with and without what
/// follows the first number.
struct Place {
    slot: Option<usize>,
    inside: u64,
    stem: u64,
}

/// The names of slots as paths show them.
pub(super) fn names(slots: &[Slot<'_>]) -> Vec<String> {
    numbered(slots.iter().map(|slot| slot.name().unwrap_or("?").to_owned()).collect())
}

/// The names of components as paths show them.
pub(super) fn type_names<'a>(save: &Save<'a>, components: &[Component<'a>]) -> Vec<String> {
    let name = |own: &Component<'a>| save.short_type(*own).unwrap_or_else(|| "?".to_owned());
    numbered(components.iter().map(name).collect())
}

impl<'a> Places<'a> {
    pub(super) fn of(save: &Save<'a>) -> Self {
        let mut made = Places { slots: Vec::new(), places: HashMap::new() };
        let root = save.root().map(|root| (root, None, root.name().unwrap_or("?").to_owned()));
        let mut todo = Vec::from_iter(root);
        while let Some((slot, around, name)) = todo.pop() {
            let own = Some(made.slots.len());
            made.slots.push(PlacedSlot { slot, around, name, id: slot.id() });
            made.put(save, own);
            let children: Vec<Slot<'a>> = slot.children().collect();
            let names = names(&children);
            todo.extend(children.into_iter().zip(names).map(|(child, name)| (child, own, name)));
        }
        made.put(save, None);
        made
    }

    /// Puts the identifiers that are in a slot, or in the assets.
    fn put(&mut self, save: &Save<'a>, slot: Option<usize>) {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let own = self.slot(slot).map(|own| own.slot);
        identifiers(save, own, &mut |id, inside| {
            let stem = inside.split('[').next().unwrap_or(inside);
            let (inside, stem) = (hasher.hash_one(inside), hasher.hash_one(stem));
            self.places.insert(id, Place { slot, inside, stem });
        });
    }

    fn slot(&self, slot: Option<usize>) -> Option<&PlacedSlot<'a>> {
        self.slots.get(slot?)
    }

    /// The slots on the way to a slot, from the inside out.
    fn way(&self, slot: Option<usize>) -> impl Iterator<Item = &PlacedSlot<'a>> {
        std::iter::successors(self.slot(slot), move |slot| self.slot(slot.around))
    }

    /// The place to which an identifier leads, if it is that of something.
    pub(super) fn show(&self, save: &Save<'a>, id: &str) -> Option<String> {
        let place = self.places.get(id)?;
        let mut way: Vec<&str> = self.way(place.slot).map(|slot| slot.name.as_str()).collect();
        if place.slot.is_none() {
            way.push("Assets");
        }
        way.reverse();
        let mut shown = String::new();
        identifiers(save, self.slot(place.slot).map(|own| own.slot), &mut |own, inside| {
            if own == id {
                shown = inside.to_owned();
            }
        });
        Some(format!("{}{shown}", way.join("/")))
    }

    /// Whether two references, each of its own version of a save, lead to the same object.
    pub(super) fn is_same(&self, id: &str, other: &Self, other_id: &str) -> bool {
        let (Some(own), Some(theirs)) = (self.places.get(id), other.places.get(other_id)) else {
            let leads = self.places.contains_key(id) || other.places.contains_key(other_id);
            return !leads && id == other_id;
        };
        let (mut way, mut their_way) = (self.way(own.slot), other.way(theirs.slot));
        // Of an object with the same identifier the number among its siblings does not matter.
        let is_inside =
            if id == other_id { own.stem == theirs.stem } else { own.inside == theirs.inside };
        is_inside
            && loop {
                match (way.next(), their_way.next()) {
                    (None, None) => break true,
                    (Some(a), Some(b)) if a.name == b.name || a.id.is_some() && a.id == b.id => {}
                    _ => break false,
                }
            }
    }

    /// Whether every identifier leads to the same object in both.
    pub(super) fn are_same(&self, other: &Self) -> bool {
        self.places.len() == other.places.len()
            && self
                .places
                .keys()
                .all(|id| other.places.contains_key(id) && self.is_same(id, other, id))
    }
}

/// Tells the identifiers in a slot, or in the assets, with the way from there. Of one that is there twice the
/// last counts.
fn identifiers<'a>(save: &Save<'a>, slot: Option<Slot<'a>>, tell: &mut dyn FnMut(&'a str, &str)) {
    let components: Vec<Component<'a>> = match slot {
        None => save.assets().collect(),
        Some(slot) => {
            for (key, node) in slot.0.entries() {
                if let Some(id) = Member::of(key, node).id() {
                    tell(id, &format!(".{key}"));
                }
            }
            slot.id().into_iter().for_each(|id| tell(id, ""));
            slot.components().collect()
        }
    };
    for (name, component) in type_names(save, &components).into_iter().zip(components) {
        let own = format!(":{name}");
        let members = component.members();
        let mut todo: Vec<_> =
            members.map(|(key, member)| (format!("{own}.{key}"), member)).collect();
        while let Some((inside, member)) = todo.pop() {
            for (index, (key, inner)) in member.members().into_iter().enumerate() {
                let step = if key.is_empty() { format!("[{index}]") } else { format!(".{key}") };
                todo.push((format!("{inside}{step}"), inner));
            }
            member.id().into_iter().for_each(|id| tell(id, &inside));
        }
        component.id().into_iter().for_each(|id| tell(id, &own));
    }
}
