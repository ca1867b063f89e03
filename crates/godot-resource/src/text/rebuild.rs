//! A file with other entries.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use godot_variant::value::Dictionary;
use godot_variant::{Value, text};

use super::entries::{Owner, Slot, is_implied, meant, shown};
use super::{Section, Text, references};
use crate::align::close_gaps;
use crate::{Options, Result};

impl Text {
    /// The file with other entries, in their order as far as engines load it. What did not change, or has no value here,
    /// keeps its text; what `other` has keeps the text that it has there.
    ///
    /// # Errors
    /// A value that text cannot say.
    pub fn with_entries(
        &self,
        other: Option<&Text>,
        entries: &[(String, Option<Value>)],
    ) -> Result<Text> {
        self.with_entries_in(|_| true, other, entries)
    }

    /// The same with the entries of some sections, as [`entries_in`](Self::entries_in) has them; the others stay where
    /// they are.
    ///
    /// # Errors
    /// As [`with_entries`](Self::with_entries).
    pub fn with_entries_in(
        &self,
        is_in: impl Fn(usize) -> bool,
        other: Option<&Text>,
        entries: &[(String, Option<Value>)],
    ) -> Result<Text> {
        let (own, theirs) = (Known::of(self), other.map(Known::of));
        let known = [Some(&own), theirs.as_ref()];
        // The sections in the order of their first entries, and what is in them.
        let mut places: HashMap<Owner, usize> = HashMap::new();
        let mut made: Vec<Made<'_>> = Vec::new();
        for (name, value) in entries {
            let mut found = known.iter().flatten().filter_map(|known| known.slot(name));
            let (owner, property) = match found.next() {
                Some((owner, property)) => (owner.clone(), property.map(str::to_owned)),
                None => Owner::parse(name, self),
            };
            debug_assert!(value.is_some() || own.slots.contains_key(name), "no value of {name}");
            let place = *places.entry(owner.clone()).or_insert(made.len());
            if place == made.len() {
                made.push(Made { owner, head: Head::Gone, properties: Vec::new() });
            }
            let Some(made) = made.get_mut(place) else { continue };
            match property {
                Some(property) => made.properties.push((property, value.as_ref())),
                None => made.head = value.as_ref().map_or(Head::Same, |own| Head::Of(head_of(own))),
            }
        }
        if other.is_none() {
            own.leave_out(&mut made);
        }
        let root = made.iter().find_map(|made| match &made.owner {
            Owner::Node(path) => path.split('/').next().map(str::to_owned),
            _ => None,
        });
        let mut all: Vec<Placed> = Vec::with_capacity(made.len());
        for made in made {
            let placed = self.section(&made, known, root.as_deref())?;
            let is_new = placed.was.is_none() && other.is_none();
            let after = if is_new { place_of(&placed.owner, &all) } else { None };
            all.insert(after.unwrap_or(all.len()), placed);
        }
        let mut all = own.followed(all, |at, owner, section| {
            let is_silent = owner.name().is_none() && !places.contains_key(owner);
            let mut section = section.clone();
            while is_in(at) && is_silent && section.assigned(0).is_some() {
                section.remove_at(0);
            }
            (is_silent || !is_in(at)).then_some(section)
        });
        if other.is_some() {
            restore(&mut all, known);
        }
        let mut all = if self.has_tags { in_order(all) } else { all };
        let mut merged = all.iter_mut().filter(|own| other.is_some() && own.is_animation());
        merged.try_for_each(|own| close_gaps(&mut own.section))?;
        let mut made = self.joined(all);
        made.count(self, other)?;
        Ok(made)
    }

    /// One section with what it is to say.
    fn section(
        &self,
        made: &Made<'_>,
        known: [Option<&Known<'_>>; 2],
        root: Option<&str>,
    ) -> Result<Placed> {
        let Made { owner, head, properties } = made;
        let [own, theirs] =
            known.map(|known| known.and_then(|known| Some((known, known.places.get(owner)?))));
        let was = own.map(|(_, at)| *at);
        let mut section = match own.or(theirs) {
            Some((known, at)) => {
                known.text.sections.get(*at).cloned().unwrap_or_else(Section::start)
            }
            None => self.new_section(owner, head.value(), root)?,
        };
        let their = theirs.and_then(|(known, at)| known.text.sections.get(*at));
        if let Some(Value::Dictionary(wanted)) = head.value() {
            let gone: Vec<String> = section.fields().map(|(name, _)| name.to_owned()).collect();
            let is_gone =
                |name: &&String| !is_implied(owner, name) && wanted.get(name.as_str()).is_none();
            gone.iter().filter(is_gone).for_each(|name| _ = section.remove_field(name));
            for (name, value) in wanted {
                let Some(name) = name.as_str() else { continue };
                let is = |section: &Section| {
                    section.field(name).is_some_and(|own| shown("", own) == *value)
                };
                if is(&section) {
                    continue;
                }
                match their.filter(|their| is(their)).and_then(|their| their.raw_field(name)) {
                    Some(raw) => section.set_field_raw(name, raw)?,
                    None => section.set_field(name, &meant("", value)?)?,
                }
            }
        }
        let wanted: HashSet<&str> = properties.iter().map(|(name, _)| &**name).collect();
        let gone: Vec<String> = section
            .properties()
            .filter(|(name, _)| !wanted.contains(name))
            .map(|(name, _)| name.to_owned())
            .collect();
        gone.iter().for_each(|name| _ = section.remove(name));
        let is = |section: &Section, name: &str, value: &Value| {
            section.get(name).is_some_and(|own| shown(name, own) == *value)
        };
        let mut before: Option<&str> = None;
        for (name, value) in properties {
            if let Some(value) = value.filter(|value| !is(&section, name, value)) {
                let theirs = their.filter(|their| is(their, name, value));
                let raw = theirs.and_then(|their| their.raw(name));
                match (raw, section.raw(name).is_some()) {
                    (Some(raw), true) => section.set_raw(name, raw)?,
                    (Some(raw), false) => {
                        section.insert_raw(name, raw, section.place_after(before))?;
                    }
                    (None, true) => {
                        let value = meant(name, value)?;
                        // A value merged of both is spelled as engines do, where it was before.
                        match their.and_then(|_| section.as_engines_spell(name, &value)) {
                            Some(raw) => section.set_raw(name, &raw)?,
                            None => section.set(name, &value)?,
                        }
                    }
                    (None, false) => {
                        let place = section.place_after(before);
                        section.insert(name, &meant(name, value)?, place)?;
                    }
                }
            }
            before = Some(name);
        }
        Ok(Placed { section, owner: owner.clone(), was })
    }

    /// A section that no file had.
    fn new_section(
        &self,
        owner: &Owner,
        head: Option<&Value>,
        root: Option<&str>,
    ) -> Result<Section> {
        let style = self.sections.first().map(Section::own_style).unwrap_or_default();
        let spelled = |text: &str| text::value_to_string(&text.into(), &Options::new().values());
        let mut tag = String::from("[");
        let class = head.and_then(Value::as_dictionary).and_then(|own| own.get("type")?.as_str());
        let field = |name: &str, value: &str| -> Result<String> {
            Ok([" ", name, "=", &spelled(value)?].concat())
        };
        let class = class.map(|class| field("type", class)).transpose()?.unwrap_or_default();
        let below = |path: &str| match path.split_once('/') {
            Some((first, rest)) if Some(first) == root => rest.to_owned(),
            None if Some(path) == root => ".".to_owned(),
            _ => path.to_owned(),
        };
        match owner {
            Owner::Start => return Ok(Section::start()),
            Owner::Head(tag_) => tag.push_str(tag_),
            Owner::Main => tag.push_str("resource"),
            Owner::External(id) | Owner::Internal(id) => {
                tag += if matches!(owner, Owner::External(_)) {
                    "ext_resource"
                } else {
                    "sub_resource"
                };
                tag += &class;
                tag += &match id.parse::<i64>() {
                    Ok(number) if style.spelling == godot_variant::Spelling::Format2 => {
                        format!(" id={number}")
                    }
                    _ => field("id", id)?,
                };
            }
            Owner::Node(path) => {
                let (above, name) = match path.rsplit_once('/') {
                    Some((above, name)) => (Some(below(above)), name),
                    None => (None, &**path),
                };
                tag += "node";
                tag += &field("name", name)?;
                tag += &class;
                if let Some(above) = above {
                    tag += &field("parent", &above)?;
                }
            }
            Owner::Connection(name) => {
                tag += "connection";
                let (from, to) = name.split_once(" -> ").unwrap_or((name, ""));
                let ends = [(from, "signal", "from"), (to, "method", "to")];
                let [from, to] = ends.map(|(end, name, node)| {
                    let (path, own) = end.rsplit_once("::").unwrap_or((".", end));
                    [(name, own.to_owned()), (node, below(path))]
                });
                let ([signal, from], [method, to]) = (from, to);
                for (name, value) in [signal, from, to, method] {
                    tag += &field(name, &value)?;
                }
            }
            Owner::Editable(path) => {
                tag += "editable";
                tag += &field("path", &below(path))?;
            }
            Owner::Settings(name) => tag.push_str(name),
        }
        tag.push_str("]\n");
        let mut section = match self.has_tags {
            true => Section::parse(&tag)?,
            false => Options::new().parse(&tag)?.sections.pop().unwrap_or_else(Section::start),
        };
        if !self.has_tags {
            section.end_with("\n\n");
        }
        section.style(style);
        Ok(section)
    }

    /// Puts sections together, with lines between those that did not follow one another.
    fn joined(&self, all: Vec<Placed>) -> Text {
        let is_crlf = self.has_crlf();
        let gap =
            |lines: &str| if is_crlf { lines.replace('\n', "\r\n") } else { lines.to_owned() };
        let last = self.sections.len().checked_sub(1);
        let mut sections: Vec<Section> = Vec::with_capacity(all.len());
        let mut rest = all.into_iter().peekable();
        while let Some(Placed { mut section, owner, was }) = rest.next() {
            let is_followed = match rest.peek() {
                Some(next) => was.is_some() && was.and_then(|was| was.checked_add(1)) == next.was,
                None => was.is_some() && was == last,
            };
            let is_empty = section.as_str().is_empty() && owner == Owner::Start;
            if !is_followed && !is_empty {
                let is_list = |owner: &Owner| {
                    matches!(owner, Owner::External(_) | Owner::Connection(_) | Owner::Editable(_))
                };
                let is_dense = |next: &Placed| {
                    is_list(&owner)
                        && std::mem::discriminant(&owner) == std::mem::discriminant(&next.owner)
                };
                let lines = if rest.peek().is_none_or(is_dense) { "\n" } else { "\n\n" };
                section.end_with(&gap(lines));
            }
            sections.push(section);
        }
        Text { sections, has_tags: self.has_tags }
    }

    /// Mends what the head says of the others, where sections came or went.
    fn count(&mut self, own: &Text, other: Option<&Text>) -> Result<()> {
        let formats = [Some(own), other].map(|text| text.and_then(Text::format));
        let steps = self.resources().saturating_add(1);
        let is_counted = self.resources() != own.resources();
        let Some(head) = self.sections.get_mut(1).filter(|_| self.has_tags) else { return Ok(()) };
        if is_counted && head.field("load_steps").is_some() {
            head.set_field("load_steps", &i64::try_from(steps).unwrap_or(i64::MAX).into())?;
        }
        let format = formats.into_iter().flatten().max();
        if let Some(format) =
            format.filter(|format| head.field("format").is_some_and(|own| own != *format))
        {
            head.set_field("format", &format.into())?;
        }
        Ok(())
    }

    fn resources(&self) -> usize {
        self.sections
            .iter()
            .filter(|own| matches!(own.tag(), "ext_resource" | "sub_resource"))
            .count()
    }
}

/// A file whose entries are known.
struct Known<'a> {
    text: &'a Text,
    owners: Vec<Owner>,
    places: HashMap<Owner, usize>,
    slots: HashMap<String, Slot>,
}

impl<'a> Known<'a> {
    fn of(text: &'a Text) -> Self {
        let owners = text.owners();
        let places = owners.iter().cloned().zip(0..).collect();
        let slots = text.slots(&owners).into_iter().collect();
        Known { text, owners, places, slots }
    }

    /// Returns the owner of an entry, and the property that it is.
    fn slot(&self, name: &str) -> Option<(&Owner, Option<&str>)> {
        let slot = self.slots.get(name)?;
        let section = self.text.sections.get(slot.section)?;
        let property = slot.property.and_then(|at| section.assigned(at)).map(|(_, name)| name);
        Some((self.owners.get(slot.section)?, property))
    }

    /// Puts sections that no entry is of after those that they follow: those that stay, and those in which nothing is
    /// said any more.
    fn followed(
        &self,
        all: Vec<Placed>,
        left: impl Fn(usize, &Owner, &Section) -> Option<Section>,
    ) -> Vec<Placed> {
        let placed: HashSet<usize> = all.iter().filter_map(|own| own.was).collect();
        let mut after: HashMap<Option<usize>, Vec<Placed>> = HashMap::new();
        let mut before = None;
        for (at, (section, owner)) in self.text.sections.iter().zip(&self.owners).enumerate() {
            if placed.contains(&at) {
                before = Some(at);
            } else if let Some(section) = left(at, owner, section) {
                let own = Placed { section, owner: owner.clone(), was: Some(at) };
                after.entry(before).or_default().push(own);
            }
        }
        let mut made = after.remove(&None).unwrap_or_default();
        for own in all {
            let behind = own.was.and_then(|was| after.remove(&Some(was)));
            made.push(own);
            made.extend(behind.into_iter().flatten());
        }
        made
    }

    /// Leaves out what belongs to a section that was removed: properties, nodes below, connections.
    fn leave_out(&self, made: &mut Vec<Made<'_>>) {
        let left: HashSet<&Owner> =
            made.iter().filter(|made| made.head != Head::Gone).map(|made| &made.owner).collect();
        let all = self.owners.iter();
        let gone: HashSet<&Owner> =
            all.filter(|owner| owner.name().is_some() && !left.contains(owner)).collect();
        let is_gone = |path: &str| {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let mut above = ends.filter_map(|end| path.get(..end));
            above.any(|above| gone.contains(&Owner::Node(above.to_owned())))
        };
        let is_kept = |owner: &Owner| match owner {
            _ if gone.contains(owner) => false,
            Owner::Node(path) | Owner::Editable(path) => !is_gone(path),
            Owner::Connection(name) => {
                let ends = name.split(" -> ").filter_map(|end| end.rsplit_once("::"));
                ends.into_iter().all(|(path, _)| !is_gone(path))
            }
            _ => true,
        };
        let kept: Vec<bool> = made.iter().map(|made| is_kept(&made.owner)).collect();
        let mut kept = kept.into_iter();
        made.retain(|_| kept.next().unwrap_or(true));
    }
}

/// The new content of a section.
struct Made<'e> {
    owner: Owner,
    head: Head<'e>,
    properties: Vec<(String, Option<&'e Value>)>,
}

/// The fields of a tag.
#[derive(PartialEq)]
enum Head<'e> {
    /// There is no entry of it.
    Gone,
    Same,
    Of(Cow<'e, Value>),
}

impl Head<'_> {
    fn value(&self) -> Option<&Value> {
        match self {
            Head::Of(value) => Some(value),
            Head::Gone | Head::Same => None,
        }
    }
}

/// A section, and where it stood.
struct Placed {
    section: Section,
    owner: Owner,
    was: Option<usize>,
}

/// The fields of a tag: a text is the type, a reference the scene that is instanced.
fn head_of(value: &Value) -> Cow<'_, Value> {
    let name = match value {
        Value::String(_) => "type",
        Value::Object(_) => "instance",
        _ => return Cow::Borrowed(value),
    };
    let mut fields = Dictionary::new();
    fields.insert(name, value.clone());
    Cow::Owned(fields.into())
}

/// Where a new section comes; `None` for the end.
fn place_of(owner: &Owner, all: &[Placed]) -> Option<usize> {
    let is_near = |own: &Placed| match (owner, &own.owner) {
        (Owner::Node(path), Owner::Node(own)) => {
            path.rsplit_once('/').is_some_and(|(parent, _)| {
                own == parent || own.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/'))
            })
        }
        (owner, own) => std::mem::discriminant(owner) == std::mem::discriminant(own),
    };
    all.iter().rposition(is_near).map(|at| at.saturating_add(1))
}

/// Puts back what one side has removed, and the other refers to again.
fn restore(all: &mut Vec<Placed>, known: [Option<&Known<'_>>; 2]) {
    let mut there: HashSet<Owner> = all.iter().map(|own| own.owner.clone()).collect();
    let mut next = 0_usize;
    while let Some(own) = all.get(next) {
        next = next.saturating_add(1);
        let lost: Vec<Owner> = references::mentions(own.section.as_str())
            .filter_map(|found| Owner::of_reference(found.word, found.text))
            .filter(|owner| !there.contains(owner))
            .collect();
        for owner in lost {
            let mut found = known
                .iter()
                .flatten()
                .filter_map(|known| known.text.sections.get(*known.places.get(&owner)?));
            if let (Some(section), true) = (found.next(), there.insert(owner.clone())) {
                all.push(Placed { section: section.clone(), owner, was: None });
            }
        }
    }
}

impl Placed {
    fn is_animation(&self) -> bool {
        let mut names = self.section.properties().map(|(name, _)| name);
        matches!(self.owner, Owner::Internal(_)) && names.any(|name| name.starts_with("tracks/"))
    }
}

/// Puts sections in an order that engines load, and else leaves them as they are.
fn in_order(all: Vec<Placed>) -> Vec<Placed> {
    let rank = |own: &Placed| match own.owner {
        Owner::Start => 0,
        Owner::Head(_) => 1,
        Owner::External(_) => 2,
        Owner::Internal(_) => 3,
        _ => 4,
    };
    let mut all = all;
    all.sort_by_key(rank);
    let places: HashMap<Owner, usize> =
        all.iter().enumerate().map(|(at, own)| (own.owner.clone(), at)).collect();
    let needs = |own: &Placed| -> Vec<usize> {
        match &own.owner {
            Owner::Internal(_) => {
                let ids = references::mentions(own.section.as_str());
                let owners = ids.filter_map(|own| Owner::of_reference(own.word, own.text));
                let places = owners.filter_map(|owner| places.get(&owner).copied());
                places.collect()
            }
            Owner::Node(path) => {
                let parent =
                    path.rsplit_once('/').map(|(parent, _)| Owner::Node(parent.to_owned()));
                parent.and_then(|parent| places.get(&parent).copied()).into_iter().collect()
            }
            _ => Vec::new(),
        }
    };
    let mut order = Vec::with_capacity(all.len());
    let mut is_placed = vec![false; all.len()];
    for first in 0..all.len() {
        // Without recursion: what is needed comes first, in its order.
        let mut open = vec![(first, None::<std::vec::IntoIter<usize>>)];
        while let Some((at, left)) = open.last_mut() {
            let (at, Some(own)) = (*at, all.get(*at)) else { break };
            let is_new = left.is_none()
                && is_placed.get_mut(at).is_some_and(|was| !std::mem::replace(was, true));
            if left.is_none() && !is_new {
                open.pop();
                continue;
            }
            match left.get_or_insert_with(|| needs(own).into_iter()).next() {
                Some(next) => open.push((next, None)),
                None => {
                    order.push(at);
                    open.pop();
                }
            }
        }
    }
    let mut all: Vec<Option<Placed>> = all.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| all.get_mut(at).and_then(Option::take)).collect()
}
