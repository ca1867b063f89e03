//! The effects of a new solution on the data of an old one.
//!
//! The conversions are those of [changed types]; what Zeze's databases refuse when they start, though
//! nothing would be lost, is distinguished.
//!
//! [changed types]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#changed-types

mod convert;

use std::collections::{HashMap, HashSet};

use self::convert::{Change, scalar};
use super::place::Place;
use super::schema::{Bean, Kind, Schema, Space, Table, Target, Variable};

/// How bad a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Data is lost, or comes back as another.
    Lost,
    /// Nothing is lost, but databases of Zeze do not start with it.
    Refused,
    /// Worth knowing.
    Note,
}

/// A change.
#[derive(Debug)]
pub struct Finding {
    /// Where the new solution says so; the old one, where it is gone.
    pub place: Place,
    /// How bad it is.
    pub weight: Weight,
    /// A sentence without the place.
    pub text: String,
}

/// Returns what a new solution does to the data of an old one, the changes of one bean together.
pub fn compare(old: &Schema, new: &Schema) -> Vec<Finding> {
    let mut comparison =
        Comparison { old, new, met: HashSet::new(), open: Vec::new(), found: Vec::new() };
    comparison.all();
    comparison.found
}

struct Comparison<'a> {
    old: &'a Schema,
    new: &'a Schema,
    /// Beans that were compared, or will be: one may have become another of a new name.
    met: HashSet<(usize, usize)>,
    open: Vec<(usize, usize)>,
    found: Vec<Finding>,
}

impl<'a> Comparison<'a> {
    fn say(&mut self, place: &Place, weight: Weight, text: String) {
        self.found.push(Finding { place: place.clone(), weight, text });
    }

    fn all(&mut self) {
        let (old, new) = (self.old, self.new);
        let keys = keys(old);
        for (at, bean) in old.beans.iter().enumerate() {
            match new.by_name.get(&bean.full) {
                Some(found) => self.pair(at, *found),
                None => {
                    let text = format!("bean {} is gone", bean.full);
                    self.say(&bean.text.place, Weight::Note, text);
                }
            }
            self.run(&keys);
        }
        let spaces: HashMap<&str, &Space> =
            new.spaces.iter().map(|space| (space.full.as_str(), space)).collect();
        for space in &old.spaces {
            self.space(space, spaces.get(space.full.as_str()).copied());
        }
        self.run(&keys);
    }

    fn pair(&mut self, old: usize, new: usize) {
        if self.met.insert((old, new)) {
            self.open.push((old, new));
        }
    }

    fn run(&mut self, keys: &HashSet<usize>) {
        while let Some((old, new)) = self.open.pop() {
            if let (Some(was), Some(is)) = (self.old.beans.get(old), self.new.beans.get(new)) {
                self.bean(was, is, keys.contains(&old));
            }
        }
    }

    fn bean(&mut self, was: &'a Bean, is: &'a Bean, is_used_as_key: bool) {
        let place = &is.text.place;
        let new: HashMap<u32, &Variable> =
            is.variables.iter().map(|own| (own.text.id, own)).collect();
        for own in was.variables.iter().filter(|own| !own.text.is_transient) {
            let path = if was.full == is.full {
                format!("{}.{}", was.full, own.text.name)
            } else {
                format!("{}.{} (in {} now)", was.full, own.text.name, is.full)
            };
            let id = own.text.id;
            match new.get(&id).filter(|found| !found.text.is_transient) {
                Some(found) => {
                    if found.text.name != own.text.name {
                        let text = format!("{path}: id {id} is called {} now", found.text.name);
                        self.say(&found.text.place, Weight::Note, text);
                    }
                    self.variable(&path, own, found);
                }
                None => {
                    let mut text = format!("{path}: id {id} is gone");
                    if is_used_as_key {
                        text.push_str(", and keys that differ in it only are the same now");
                    }
                    let place = new.get(&id).map_or(place, |found| &found.text.place);
                    self.say(place, Weight::Lost, text);
                }
            }
        }
        match (was.base, is.base) {
            (Some(old), Some(new)) => self.pair(old, new),
            (Some(_), None) => {
                let text = format!("{}: the base {} is gone", was.full, was.text.base);
                self.say(place, Weight::Lost, text);
            }
            _ => {}
        }
        for (name, before, now) in constants(&was.text.constants, &is.text.constants) {
            let text = format!("{}: constant {name} was {before}, and is {now}", was.full);
            self.say(place, Weight::Note, text);
        }
    }

    fn variable(&mut self, path: &str, was: &'a Variable, is: &'a Variable) {
        let change = self.kind(path, (&was.kind, was), (&is.kind, is));
        self.tell(path, was, is, change);
    }

    fn tell(&mut self, path: &str, was: &Variable, is: &Variable, change: Change) {
        let types = format!("{} \u{2192} {}", was.text.spelled, is.text.spelled);
        match change {
            Change::None => {}
            Change::Refused => {
                let text = format!("{path}: {types}");
                self.say(&is.text.place, Weight::Refused, text);
            }
            Change::Lost(why) => {
                let text = format!("{path}: {types}: {why}");
                self.say(&is.text.place, Weight::Lost, text);
            }
            Change::Incompatible => {
                let why = "Java cannot read the old data, others read nothing";
                let text = format!("{path}: {types}: {why}");
                self.say(&is.text.place, Weight::Lost, text);
            }
        }
    }

    /// Compares the types of a value. Beans in it are compared later.
    fn kind(
        &mut self,
        path: &str,
        (was, own): (&'a Kind, &'a Variable),
        (is, new): (&'a Kind, &'a Variable),
    ) -> Change {
        match (was, is) {
            (Kind::Bean(old), Kind::Bean(new)) => match (old, new) {
                (Target::Here(old), Target::Here(new)) => {
                    self.pair(*old, *new);
                    Change::None
                }
                (Target::External { name: old, .. }, Target::External { name: new, .. })
                    if old == new =>
                {
                    Change::None
                }
                _ => Change::Lost("what an external bean holds is not known"),
            },
            (Kind::Dynamic, Kind::Dynamic) => {
                self.choices(path, own, new);
                Change::None
            }
            (Kind::Bean(_), Kind::Dynamic) => Change::Lost("a bean becomes the empty dynamic"),
            (Kind::Dynamic, Kind::Bean(_)) => {
                Change::Lost("fields are taken from beans of any type, by their ids")
            }
            (Kind::List(old), Kind::List(other)) => self.kind(path, (old, own), (other, new)),
            (Kind::Set(old), Kind::Set(other)) => {
                let change = self.kind(path, (old, own), (other, new));
                change.of_keys()
            }
            (Kind::List(old), Kind::Set(other)) => {
                match self.kind(path, (old, own), (other, new)) {
                    Change::None | Change::Refused => {
                        Change::Lost("a set has each element once, and no order")
                    }
                    change => change,
                }
            }
            (Kind::Set(old), Kind::List(other)) => {
                self.kind(path, (old, own), (other, new)).or_refused()
            }
            (Kind::Map(old_key, old), Kind::Map(new_key, other)) => {
                let key = self.kind(path, (old_key, own), (new_key, new)).of_keys();
                key.or(self.kind(path, (old, own), (other, new)))
            }
            (Kind::Table(old_row, old_column, old), Kind::Table(new_row, new_column, other)) => {
                let row = self.kind(path, (old_row, own), (new_row, new)).of_keys();
                let column = self.kind(path, (old_column, own), (new_column, new)).of_keys();
                row.or(column).or(self.kind(path, (old, own), (other, new)))
            }
            _ => scalar(was, is),
        }
    }

    /// The beans of a dynamic, by their type ids.
    fn choices(&mut self, path: &str, was: &'a Variable, is: &'a Variable) {
        let place = &is.text.place;
        if is.choices.is_empty() {
            return;
        }
        if was.choices.is_empty() {
            let text = format!("{path}: held beans of any type, and holds those that it names now");
            return self.say(place, Weight::Lost, text);
        }
        let new: HashMap<i64, &Target> =
            is.choices.iter().map(|choice| (choice.type_id, &choice.bean)).collect();
        for choice in &was.choices {
            let (id, old) = (choice.type_id, name(self.old, &choice.bean));
            let Some(found) = new.get(&id) else {
                let moved = is.choices.iter().find(|own| name(self.new, &own.bean) == old);
                let text = match moved {
                    Some(moved) => {
                        format!("{path}: {old} had the type id {id}, and has {} now", moved.type_id)
                    }
                    None => format!("{path}: {old}, of the type id {id}, is gone"),
                };
                self.say(place, Weight::Lost, text);
                continue;
            };
            let other = name(self.new, found);
            if let (Target::Here(old), Target::Here(new)) = (&choice.bean, found) {
                self.pair(*old, *new);
            }
            if old != other {
                let is_there = self.new.by_name.contains_key(&old);
                let weight = if is_there { Weight::Lost } else { Weight::Refused };
                let text = format!("{path}: the type id {id} was {old}, and is {other}");
                self.say(place, weight, text);
            }
        }
    }

    /// Tables, protocols and constants of a module.
    fn space(&mut self, was: &'a Space, is: Option<&'a Space>) {
        let Some(is) = is else {
            for table in was.tables.iter().filter(|table| !table.is_memory) {
                self.say(&table.place, Weight::Lost, format!("table {} is gone", table.full));
            }
            let place = was.protocols.first().map(|protocol| &protocol.text.place);
            if let Some(place) = place {
                self.say(place, Weight::Note, format!("module {} is gone", was.full));
            }
            return;
        };
        let tables: HashMap<&str, &Table> =
            is.tables.iter().map(|table| (table.full.as_str(), table)).collect();
        for table in was.tables.iter().filter(|table| !table.is_memory) {
            match tables.get(table.full.as_str()).filter(|found| !found.is_memory) {
                Some(found) => self.table(table, found),
                None => {
                    self.say(&table.place, Weight::Lost, format!("table {} is gone", table.full));
                }
            }
        }
        let place = is.protocols.first().map(|protocol| protocol.text.place.clone());
        if let (Some(old), Some(new), Some(place)) = (was.id, is.id, place)
            && old != new
        {
            let text = format!("module {} had the id {old}, and has {new}", was.full);
            self.say(&place, Weight::Note, text);
        }
        let protocols: HashMap<&str, _> =
            is.protocols.iter().map(|protocol| (protocol.full.as_str(), protocol)).collect();
        for protocol in &was.protocols {
            let full = &protocol.full;
            let text = match protocols.get(full.as_str()) {
                None => format!("protocol {full} is gone"),
                Some(found) if found.id != protocol.id => {
                    format!("protocol {full} had the id {}, and has {}", protocol.id, found.id)
                }
                Some(found) => {
                    if let (Some(Target::Here(old)), Some(Target::Here(new))) =
                        (&protocol.argument, &found.argument)
                    {
                        self.pair(*old, *new);
                    }
                    continue;
                }
            };
            let place = protocols.get(full.as_str()).unwrap_or(&protocol);
            self.say(&place.text.place, Weight::Note, text);
        }
    }

    /// Rows are found by the bytes of their keys.
    fn table(&mut self, was: &Table, is: &Table) {
        let (old, new) = (was.key.as_ref(), is.key.as_ref());
        let is_same = match (old, new) {
            (Some(Kind::Bean(Target::Here(old))), Some(Kind::Bean(Target::Here(new)))) => {
                self.pair(*old, *new);
                true
            }
            (Some(old), Some(new)) => {
                old == new
                    || !matches!(scalar(old, new), Change::Incompatible) && same_bytes(old, new)
            }
            (old, new) => old.is_none() && new.is_none(),
        };
        if !is_same {
            let (old, new) = (&was.key_name, &is.key_name);
            let text = format!("table {}: key {old} \u{2192} {new}: no row is found", was.full);
            self.say(&is.place, Weight::Lost, text);
        }
        match (was.value, is.value) {
            (Some(old), Some(new)) => self.pair(old, new),
            (None, None) => {}
            _ => {
                let text = format!("table {}: its values are of another type", was.full);
                self.say(&is.place, Weight::Lost, text);
            }
        }
    }
}

/// Whether values of both types have the same bytes.
fn same_bytes(old: &Kind, new: &Kind) -> bool {
    let is_int = |kind: &Kind| matches!(kind, Kind::Byte | Kind::Short | Kind::Int | Kind::Long);
    let is_text = |kind: &Kind| matches!(kind, Kind::String | Kind::Binary | Kind::Decimal);
    is_text(old) && is_text(new)
        || is_int(old) && is_int(new) && matches!(scalar(old, new), Change::None)
}

/// The beans that are keys of maps and tables, or elements of sets.
fn keys(schema: &Schema) -> HashSet<usize> {
    let mut keys = HashSet::new();
    let mut add = |kind: &Kind| {
        if let Kind::Bean(Target::Here(at)) = kind {
            keys.insert(*at);
        }
    };
    for own in schema.beans.iter().flat_map(|bean| &bean.variables) {
        match &own.kind {
            Kind::Set(key) | Kind::Map(key, _) => add(key),
            Kind::Table(row, column, _) => {
                add(row);
                add(column);
            }
            _ => {}
        }
    }
    schema
        .spaces
        .iter()
        .flat_map(|space| &space.tables)
        .filter_map(|table| table.key.as_ref())
        .for_each(add);
    keys
}

fn name(schema: &Schema, target: &Target) -> String {
    match target {
        Target::Here(at) => schema.beans.get(*at).map(|bean| bean.full.clone()).unwrap_or_default(),
        Target::External { name, .. } => name.clone(),
    }
}

/// The constants whose values changed, with the old and the new one.
fn constants<'a>(
    was: &'a [super::schema::Constant],
    is: &'a [super::schema::Constant],
) -> Vec<(&'a str, &'a str, &'a str)> {
    let new: HashMap<&str, &str> =
        is.iter().map(|own| (own.name.as_str(), own.value.as_str())).collect();
    let changed = was.iter().filter_map(|own| {
        let now = *new.get(own.name.as_str())?;
        (now != own.value).then_some((own.name.as_str(), own.value.as_str(), now))
    });
    changed.collect()
}
