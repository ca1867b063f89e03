use std::collections::HashMap;

use resonite_brson::value::Document;

use super::member::Member;
use super::{Component, SavedObject, Slot};

/// Where the identifiers of a save lead, by names: `Lamp/Bulb:Light.Intensity`.
///
/// ```
/// use resonite_save::model::{Members, SavedObject, SlotPath};
///
/// let mut old = SavedObject::new("2026.8.12.1196", "Lamp");
/// let bulb = old.add_slot(&SlotPath::root(), "Bulb")?;
/// old.add_component(&bulb, "[FrooxEngine]FrooxEngine.Light", Members::new().field("Range", 1.5))?;
/// let mut new = old.clone();
/// new.slot_mut(&bulb).map_or(Ok(()), |mut slot| slot.set_name(Some("Lantern")))?;
///
/// let (_, light) = old.components().next().expect("the light");
/// let id = light.member("Range").and_then(|range| range.id()).expect("its range");
/// let (old, new) = (old.places(), new.places());
/// assert_eq!(old.show(id).as_deref(), Some("Lamp/Bulb:Light.Range"));
/// assert_eq!(new.show(id).as_deref(), Some("Lamp/Lantern:Light.Range"));
/// assert!(old.is_same(id, &new, id));
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Places<'a> {
    slots: Vec<PlacedSlot<'a>>,
    places: HashMap<&'a str, Place>,
}

#[derive(Clone, Debug)]
struct PlacedSlot<'a> {
    /// The slot around it.
    around: Option<usize>,
    /// Its name, with its number among siblings of the same name.
    name: String,
    id: Option<&'a str>,
}

/// A slot, or none for the list of assets, and the way from there: `:Light.Intensity`.
#[derive(Clone, Debug)]
struct Place {
    slot: Option<usize>,
    inside: String,
}

impl SavedObject {
    /// Where the identifiers of all slots, components and their members lead.
    pub fn places(&self) -> Places<'_> {
        Places::of(self.document())
    }
}

impl<'a> Places<'a> {
    /// Where those of a document lead that is a save: see [`SavedObject::places`].
    pub fn of(save: &'a Document) -> Places<'a> {
        let mut made = Places { slots: Vec::new(), places: HashMap::new() };
        let root =
            Slot::root_of(save).map(|root| (root, None, root.name().unwrap_or("?").to_owned()));
        let mut todo = Vec::from_iter(root);
        while let Some((slot, around, name)) = todo.pop() {
            let own = Some(made.slots.len());
            made.slots.push(PlacedSlot { around, name, id: slot.id() });
            for (key, value) in slot.document().iter() {
                made.put(Member::of(key, value).id(), own, format!(".{key}"));
            }
            made.put(slot.id(), own, String::new());
            made.list(own, slot.components().collect());
            let children: Vec<Slot<'_>> = slot.children().collect();
            let names = children.iter().map(|child| child.name().unwrap_or("?").to_owned());
            let names = numbered(names.collect());
            todo.extend(children.into_iter().zip(names).map(|(child, name)| (child, own, name)));
        }
        made.list(None, Component::assets_of(save).collect());
        made
    }

    fn put(&mut self, id: Option<&'a str>, slot: Option<usize>, inside: String) {
        id.map(|id| self.places.insert(id, Place { slot, inside }));
    }

    /// Components and their members.
    fn list(&mut self, slot: Option<usize>, list: Vec<Component<'a>>) {
        let names = numbered(list.iter().map(|own| own.short_name()).collect());
        for (name, component) in names.into_iter().zip(list) {
            let inside = format!(":{name}");
            let members = component.members();
            let mut todo: Vec<_> =
                members.map(|(key, member)| (format!("{inside}.{key}"), member)).collect();
            while let Some((inside, member)) = todo.pop() {
                for (index, (key, inner)) in member.members().into_iter().enumerate() {
                    let step =
                        if key.is_empty() { format!("[{index}]") } else { format!(".{key}") };
                    todo.push((format!("{inside}{step}"), inner));
                }
                self.put(member.id(), slot, inside);
            }
            self.put(component.id(), slot, inside);
        }
    }

    /// The slots on the way to a slot, from the inside out.
    fn way(&self, slot: Option<usize>) -> impl Iterator<Item = &PlacedSlot<'a>> {
        let get = |slot: Option<usize>| self.slots.get(slot?);
        std::iter::successors(get(slot), move |slot| get(slot.around))
    }

    /// The place to which an identifier leads, if it is that of something: slots by their names, a
    /// component by its type, a member by its key.
    pub fn show(&self, id: &str) -> Option<String> {
        let place = self.places.get(id)?;
        let mut way: Vec<&str> = self.way(place.slot).map(|slot| slot.name.as_str()).collect();
        if place.slot.is_none() {
            way.push("Assets");
        }
        way.reverse();
        Some(format!("{}{}", way.join("/"), place.inside))
    }

    /// Whether two references, each of its own version of a save, lead to the same object: on the way there
    /// every slot has the identifier or the name of the other one. A slot that is called otherwise is the
    /// same one, and so is one that got another identifier.
    pub fn is_same(&self, id: &str, other: &Places<'_>, other_id: &str) -> bool {
        let (Some(own), Some(theirs)) = (self.places.get(id), other.places.get(other_id)) else {
            let leads = self.places.contains_key(id) || other.places.contains_key(other_id);
            return !leads && id == other_id;
        };
        let (mut way, mut their_way) = (self.way(own.slot), other.way(theirs.slot));
        // Of an object with the same identifier the number among its siblings does not matter.
        let is_inside = match id == other_id {
            true => own.inside.split('[').next() == theirs.inside.split('[').next(),
            false => own.inside == theirs.inside,
        };
        is_inside
            && loop {
                match (way.next(), their_way.next()) {
                    (None, None) => break true,
                    (Some(a), Some(b)) if a.name == b.name || a.id.is_some() && a.id == b.id => {}
                    _ => break false,
                }
            }
    }
}

/// The names of siblings as paths show them: of those that several have, each with its place among these, as in
/// `Bulb[1]`. A name that only looks like one of those has a number of its own: `Bulb[1][0]`.
pub fn numbered(names: Vec<String>) -> Vec<String> {
    let mut total: HashMap<String, usize> = HashMap::new();
    for name in &names {
        let count = total.entry(name.clone()).or_default();
        *count = count.saturating_add(1);
    }
    let count = |name: &str| total.get(name).copied().unwrap_or_default();
    // Whether siblings of another name are shown by this one, and so need their numbers.
    let is_shown = |mut name: &str| loop {
        let parts = name.strip_suffix(']').and_then(|own| own.rsplit_once('['));
        let Some((outer, Ok(number))) = parts.map(|(own, at)| (own, at.parse::<usize>())) else {
            break false;
        };
        match count(outer) {
            1 if number == 0 => name = outer,
            count => break number < count,
        }
    };
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut shown = Vec::with_capacity(names.len());
    for name in &names {
        let number = seen.entry(name).or_default();
        let is_plain = count(name) == 1 && !is_shown(name);
        shown.push(if is_plain { name.clone() } else { format!("{name}[{number}]") });
        *number = number.saturating_add(1);
    }
    shown
}
