//! Which values of a save paths lead to, by their keys or by the names of slots.

use std::collections::HashMap;

use gamewire_core::wanted::Wanted;
use resonite_brson::{Container, Options, Segment};
use serde::Deserialize;

use crate::document::focus::{Focus, Look};
use crate::document::path::{Step, Trails};
use crate::document::sieve::Ground;

/// Both ways of going along paths at once.
pub(super) struct Ways<'p, 'o> {
    keys: Focus<'p>,
    names: Names<'p, 'o>,
    /// For each value on the way, which of the two went into it.
    entered: Vec<(bool, bool)>,
}

impl<'p, 'o: 'p> Ways<'p, 'o> {
    pub(super) fn new(look: Look<'p>, bson: &'o [u8], options: &'o Options) -> Option<Self> {
        let paths = match look {
            Look::Paths(paths) | Look::Edits(paths) => paths,
            Look::Differing(_) => &[],
            // What is drawn of a save is found by names, all over it.
            Look::First(_) => return None,
        };
        let step = |segment: Segment| match segment {
            Segment::Index(index) => Step::Index(index),
            Segment::Field(name) => Step::Key(name),
            other => Step::Other(other.to_string()),
        };
        let mut levels = vec![Level::new(Place::Save, Trails::of(paths))];
        if let Look::Differing(_) = look {
            levels.clear();
        }
        let names = Names { bson, options, levels };
        Some(Ways {
            keys: Focus::new(
                look,
                Ground { bytes: bson, head: 0, has_bits: false, telling: &[] },
                step,
            ),
            names,
            entered: Vec::new(),
        })
    }
}

impl Wanted for Ways<'_, '_> {
    fn enter(&mut self, step: Segment, at: usize) -> bool {
        let (by_key, by_name) = self.entered.last().copied().unwrap_or((true, true));
        let by_name = by_name && self.names.enter(step.clone(), at);
        let by_key = by_key && self.keys.enter(step, at);
        let is_wanted = by_key || by_name;
        self.entered.extend(is_wanted.then_some((by_key, by_name)));
        is_wanted
    }

    fn keeps_rest(&self) -> bool {
        self.keys.keeps_rest()
    }

    fn passed(&mut self, end: usize) {
        self.keys.passed(end);
    }

    fn leave(&mut self, end: usize) {
        let (by_key, by_name) = self.entered.pop().unwrap_or_default();
        if by_key {
            self.keys.leave(end);
        }
        if by_name {
            self.names.leave(end);
        }
    }
}

/// Goes along paths by the names of slots. Of a slot beside the way its name is made, which others of the
/// same name are numbered by; components and members on the way are made whole.
struct Names<'p, 'o> {
    bson: &'o [u8],
    options: &'o Options,
    levels: Vec<Level<'p>>,
}

struct Level<'p> {
    place: Place,
    trails: Trails<'p>,
    /// How many slots of each name there were.
    seen: HashMap<String, usize>,
}

#[derive(Clone, Copy)]
enum Place {
    Save,
    Slot,
    Children,
    /// Something that is wanted whole.
    Whole,
}

impl<'p> Level<'p> {
    fn new(place: Place, trails: Trails<'p>) -> Self {
        let place = if trails.is_ended() { Place::Whole } else { place };
        Level { place, trails, seen: HashMap::new() }
    }
}

/// The beginning of a slot.
#[derive(Deserialize)]
struct SlotHead {
    #[serde(rename = "Name")]
    name: Option<NameField>,
}

#[derive(Deserialize)]
struct NameField {
    #[serde(rename = "Data")]
    data: Option<String>,
}

impl<'p> Wanted for Names<'p, '_> {
    fn enter(&mut self, step: Segment, at: usize) -> bool {
        let Some(level) = self.levels.last_mut() else { return false };
        let name = if let Segment::Field(name) = &step { name.as_str() } else { "" };
        let trails = &level.trails;
        let on = |place, after: Trails<'p>| (!after.is_empty()).then_some((place, after));
        let next = match (level.place, name) {
            (Place::Whole, _) => Some((Place::Whole, Trails::default())),
            (Place::Save, "Object" | "Slots") => {
                Some((Place::Slot, trails.after(&Step::Name("Object".to_owned()))))
            }
            (Place::Save, "Types") | (Place::Slot, "ID" | "Name") => {
                Some((Place::Whole, Trails::default()))
            }
            (Place::Save, "Assets" | "Asset") => {
                on(Place::Whole, trails.after(&Step::Name("Assets".to_owned())))
            }
            // The names of components are not looked at: a slot on the way has all of them.
            (Place::Slot, "Components") if !trails.is_empty() => {
                Some((Place::Whole, Trails::default()))
            }
            (Place::Slot, "Children") if !trails.is_empty() => {
                Some((Place::Children, trails.clone()))
            }
            // What is beside the slots has the same paths by keys.
            (Place::Save, _) => None,
            (Place::Slot, _) => on(Place::Whole, trails.after(&Step::Key(name.to_owned()))),
            (Place::Children, _) => {
                let options = self.options.input(Container::BSON);
                let ahead = self.bson.get(at..).unwrap_or_default();
                let head = options.take_from_slice::<SlotHead>(ahead).ok();
                let name = head.and_then(|(head, _)| head.name?.data);
                let name = name.unwrap_or_else(|| "?".to_owned());
                let number = level.seen.entry(name.clone()).or_default();
                let numbered = trails.after(&Step::Name(format!("{name}[{number}]")));
                *number = number.saturating_add(1);
                Some((Place::Slot, numbered.and(trails.after(&Step::Name(name)))))
            }
        };
        let is_wanted = next.is_some();
        self.levels.extend(next.map(|(place, trails)| Level::new(place, trails)));
        is_wanted
    }

    fn leave(&mut self, _end: usize) {
        self.levels.pop();
    }
}
