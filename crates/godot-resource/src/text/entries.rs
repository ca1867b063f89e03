//! A file as a row of names and values: what each thing in it is called, and how it is written again.

use std::collections::HashMap;

use godot_variant::types::GString;
use godot_variant::value::{Dictionary, Instance, Object, Reference};
use godot_variant::{Value, text};

use super::{Section, Text};
use crate::contents::replace_values;
use crate::tiles;
use crate::{Options, Result};

/// Something in a file, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The path of a node, from the name of the root on.
    pub path: Option<String>,
    /// The thing itself, in a line.
    pub line: String,
    /// The names of its properties, and the texts of their values.
    pub properties: Vec<(String, String)>,
    /// Whether it is another file.
    pub is_external: bool,
}

/// The kind of a section.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The text before all heads.
    Start,
    /// The head of a scene or resource.
    Head(String),
    External(String),
    Internal(String),
    /// The main resource.
    Main,
    /// The path of a node, from the name of the root on.
    Node(String),
    Connection(String),
    /// The path of an instance.
    Editable(String),
    /// The name of a section of settings.
    Settings(String),
}

/// Where an entry stands: by the number of its section, and that of the property in it; `None` for the tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) section: usize,
    pub(super) property: Option<usize>,
}

/// Fields that say where a section stands, or that follow from the others.
pub(super) fn is_implied(owner: &Owner, field: &str) -> bool {
    match owner {
        Owner::Head(_) => matches!(field, "load_steps" | "format"),
        Owner::External(_) | Owner::Internal(_) => field == "id",
        Owner::Node(_) => matches!(field, "name" | "parent"),
        Owner::Connection(_) => matches!(field, "signal" | "from" | "to" | "method"),
        _ => true,
    }
}

impl Owner {
    /// The name of the entry that has the fields of the tag; `None` where there is none.
    pub(crate) fn name(&self) -> Option<String> {
        Some(match self {
            Owner::Head(tag) => tag.clone(),
            Owner::External(id) => format!("ExtResource(\"{id}\")"),
            Owner::Internal(id) => format!("SubResource(\"{id}\")"),
            Owner::Node(path) | Owner::Connection(path) => path.clone(),
            Owner::Editable(path) => format!("editable {path}"),
            Owner::Start | Owner::Main | Owner::Settings(_) => return None,
        })
    }

    /// The target of a reference.
    pub(crate) fn of_reference(word: &str, id: &str) -> Option<Owner> {
        match word {
            "ExtResource" => Some(Owner::External(id.to_owned())),
            "SubResource" => Some(Owner::Internal(id.to_owned())),
            _ => None,
        }
    }

    /// The name of a property of what has a name.
    fn of(&self, own: Option<&str>, property: &str) -> String {
        match (own, self) {
            (Some(own), _) => [own, ":", property].concat(),
            (None, Owner::Settings(section)) => [section, "/", property].concat(),
            (None, _) => property.to_owned(),
        }
    }

    /// The owner of a new name, and the property that it names.
    pub(super) fn parse(name: &str, file: &Text) -> (Owner, Option<String>) {
        let some = |property: &str| Some(property.to_owned());
        if !file.has_tags() {
            return match name.rsplit_once('/') {
                _ if !name.contains('/') => (Owner::Start, some(name)),
                // Sections of projects have no slashes, keys have.
                _ => {
                    let (section, key) = name.split_once('/').unwrap_or(("", name));
                    (Owner::Settings(section.to_owned()), some(key))
                }
            };
        }
        for (word, owner) in [("ExtResource(\"", true), ("SubResource(\"", false)] {
            if let Some((id, rest)) =
                name.strip_prefix(word).and_then(|rest| rest.split_once("\")"))
            {
                let id = id.to_owned();
                let owner = if owner { Owner::External(id) } else { Owner::Internal(id) };
                return (owner, rest.strip_prefix(':').map(str::to_owned));
            }
        }
        let tag = file.head().map_or("", Section::tag);
        if name == tag {
            return (Owner::Head(tag.to_owned()), None);
        }
        if tag == "gd_resource" {
            return (Owner::Main, some(name));
        }
        if name.contains(" -> ") {
            return (Owner::Connection(name.to_owned()), None);
        }
        if let Some(path) = name.strip_prefix("editable ") {
            return (Owner::Editable(path.to_owned()), None);
        }
        match name.split_once(':') {
            Some((node, property)) => (Owner::Node(node.to_owned()), some(property)),
            None => (Owner::Node(name.to_owned()), None),
        }
    }
}

/// A path from the root, which is `.`, with the name of the root before it.
pub(crate) fn joined(root: &str, path: &str) -> String {
    match path {
        "." | "" => root.to_owned(),
        path => [root, "/", path].concat(),
    }
}

/// A field that is text, or the number that 3.x has there.
pub(crate) fn word(section: &Section, name: &str) -> Option<String> {
    // Nearly all are plain text in quotes, which needs no value.
    let plain = section.raw_field(name)?.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains(['\\', '"'])) {
        return Some(plain.to_owned());
    }
    match section.field(name)? {
        Value::NodePath(path) => Some(path.to_string()),
        Value::Int(number) => Some(number.to_string()),
        other => other.as_str().map(str::to_owned),
    }
}

impl Text {
    /// The name of the root of a scene.
    pub(crate) fn root(&self) -> Option<String> {
        let root = self.sections.iter().find(|own| own.tag() == "node")?;
        word(root, "name")
    }

    /// The kind of each section.
    pub(crate) fn owners(&self) -> Vec<Owner> {
        let root = self.root().unwrap_or_default();
        let owner = |(at, section): (usize, &Section)| {
            let field = |name: &str| word(section, name).unwrap_or_default();
            match section.tag() {
                _ if at == 0 => Owner::Start,
                tag if !self.has_tags => Owner::Settings(tag.to_owned()),
                tag if at == 1 => Owner::Head(tag.to_owned()),
                "ext_resource" => Owner::External(field("id")),
                "sub_resource" => Owner::Internal(field("id")),
                "node" => Owner::Node(node_path(
                    &root,
                    word(section, "parent").as_deref(),
                    &field("name"),
                )),
                "connection" => {
                    let [from, to] = ["from", "to"].map(|name| joined(&root, &field(name)));
                    let [signal, method] = ["signal", "method"].map(field);
                    Owner::Connection(format!("{from}::{signal} -> {to}::{method}"))
                }
                "editable" => Owner::Editable(joined(&root, &field("path"))),
                _ => Owner::Main,
            }
        };
        self.sections.iter().enumerate().map(owner).collect()
    }

    /// The entries of the file, by names: `Root/Player:position` is a property of a node, `Root/Player` the fields of
    /// its tag, `SubResource("id"):width` a property of a resource in the file, `ExtResource("id")` a file that it
    /// refers to, `Root/A::pressed -> Root::_on_pressed` a connection. Properties of the main resource stand for
    /// themselves, settings after their sections: `application/config/name`.
    ///
    /// References are objects without properties, whose class is their text; tiles are dictionaries of cells.
    /// Of two values of one name, the last one counts.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (String, Value)> {
        self.entries_in(|_| true)
    }

    /// The entries of some sections, by their numbers.
    pub fn entries_in(
        &self,
        is_in: impl Fn(usize) -> bool,
    ) -> impl ExactSizeIterator<Item = (String, Value)> {
        let owners = self.owners();
        let mut slots = self.slots(&owners);
        slots.retain(|(_, slot)| is_in(slot.section));
        let mut last: HashMap<&str, Slot> =
            slots.iter().map(|(name, slot)| (&**name, *slot)).collect();
        // Each stands where its name stands first.
        let slots: Vec<(String, Slot)> = slots
            .iter()
            .filter_map(|(name, _)| Some((name.clone(), last.remove(&**name)?)))
            .collect();
        slots.into_iter().map(move |(name, slot)| {
            let value = self.sections.get(slot.section).zip(owners.get(slot.section));
            let value = value.and_then(|(section, owner)| match slot.property {
                None => Some(fields(section, owner)),
                Some(at) => section.value_of(at).map(|(name, value)| shown(name, value)),
            });
            debug_assert!(value.is_some(), "a value that was read: {name}");
            (name, value.unwrap_or_default())
        })
    }

    /// The names of all entries, and where they stand.
    pub(super) fn slots(&self, owners: &[Owner]) -> Vec<(String, Slot)> {
        let mut slots = Vec::new();
        for (number, (section, owner)) in self.sections.iter().zip(owners).enumerate() {
            let own = owner.name();
            slots.extend(own.clone().map(|name| (name, Slot { section: number, property: None })));
            slots.extend(section.properties().enumerate().map(|(at, (property, _))| {
                let name = owner.of(own.as_deref(), property);
                (name, Slot { section: number, property: Some(at) })
            }));
        }
        slots
    }

    /// Entries that one side removed and the other changed: nodes that stand in the merged scene, and resources of
    /// which properties are others.
    pub fn kept_by_change(&self, ours: &Text, theirs: &Text, base: &Text) -> Vec<String> {
        let known = |text: &Text| -> HashMap<Owner, usize> {
            text.owners().into_iter().enumerate().map(|(at, owner)| (owner, at)).collect()
        };
        let sides = [(ours, known(ours)), (theirs, known(theirs))];
        let merged = known(self);
        let is_back = |owner: &Owner, at: usize| {
            let left: Vec<_> =
                sides.iter().filter_map(|(text, own)| Some((text, own.get(owner)?))).collect();
            match (owner, left.as_slice()) {
                (Owner::Node(_), [] | [_]) => merged.contains_key(owner),
                (Owner::Internal(_), [(text, place)]) => {
                    let values = |text: &Text, at: usize| -> Option<HashMap<String, Value>> {
                        let values = text.sections.get(at)?.values();
                        Some(values.map(|(name, value)| (name.to_owned(), value)).collect())
                    };
                    values(text, **place) != values(base, at)
                }
                _ => false,
            }
        };
        let all = base.owners().into_iter().enumerate();
        all.filter(|(at, owner)| is_back(owner, *at)).filter_map(|(_, own)| own.name()).collect()
    }

    /// The entries of the file, in the order in which people look for them: nodes, the main resource or the sections of
    /// settings, resources in the file, files that it refers to.
    pub fn outline(&self) -> Vec<Outline> {
        let mut all: Vec<(u8, Outline)> = Vec::new();
        for (section, owner) in self.sections.iter().zip(self.owners()) {
            let field = |name: &str| section.raw_field(name).map(|raw| raw.trim_matches('"'));
            let head = self.head().and_then(|head| word(head, "type")).unwrap_or_default();
            let class = field("type").unwrap_or_default();
            let (rank, line, path) = match &owner {
                Owner::Node(path) => {
                    let name = path.rsplit('/').next().unwrap_or_default();
                    let what =
                        field("type").or(field("instance")).or(field("instance_placeholder"));
                    (0, format!("{name} ({})", what.unwrap_or("changed")), Some(path.clone()))
                }
                Owner::Main => (0, head, None),
                Owner::Settings(name) => (0, format!("[{name}]"), None),
                Owner::Start if section.properties().next().is_some() => (0, String::new(), None),
                Owner::Internal(id) => (1, format!("SubResource(\"{id}\") ({class})"), None),
                Owner::External(id) => {
                    let path = field("path").unwrap_or_default();
                    (2, format!("ExtResource(\"{id}\") ({class}) {path}"), None)
                }
                _ => continue,
            };
            let properties =
                section.properties().map(|(name, raw)| (name.to_owned(), raw.to_owned()));
            let is_external = rank == 2;
            all.push((rank, Outline { path, line, properties: properties.collect(), is_external }));
        }
        all.sort_by_key(|(rank, _)| *rank);
        all.into_iter().map(|(_, own)| own).collect()
    }

    pub(crate) fn has_crlf(&self) -> bool {
        self.sections.iter().any(|own| own.as_str().contains("\r\n"))
    }
}

/// The path of a node from the name of the root on.
fn node_path(root: &str, parent: Option<&str>, name: &str) -> String {
    match parent {
        None => name.to_owned(),
        Some(parent) => [&*joined(root, parent), "/", name].concat(),
    }
}

/// The fields of a tag that say more than where it stands.
fn fields(section: &Section, owner: &Owner) -> Value {
    if matches!(owner, Owner::Editable(_)) {
        return true.into();
    }
    let mut all = Dictionary::new();
    let names: Vec<&str> = section.fields().map(|(name, _)| name).collect();
    for name in names.into_iter().filter(|name| !is_implied(owner, name)) {
        if let Some(value) = section.field(name) {
            all.insert(name, shown("", value));
        }
    }
    all.into()
}

/// A value as entries have it.
pub(super) fn shown(property: &str, mut value: Value) -> Value {
    replace_values(&mut value, &mut |value| {
        let Value::Object(Object::Reference(reference)) = value else { return true };
        let class = reference.to_string().into();
        *value = Value::Object(Object::Instance(Box::new(Instance {
            class,
            properties: Default::default(),
        })));
        false
    });
    tiles::cells(property, &value).unwrap_or(value)
}

/// The value that an entry stands for.
pub(super) fn meant(property: &str, value: &Value) -> Result<Value> {
    let mut value = tiles::data(property, value).unwrap_or_else(|| value.clone());
    replace_values(&mut value, &mut |value| {
        let Value::Object(Object::Instance(instance)) = value else { return true };
        let reference = parse_reference(&instance.class).filter(|_| instance.properties.is_empty());
        let Some(reference) = reference else { return true };
        *value = reference.into();
        false
    });
    Ok(value)
}

fn parse_reference(text: &GString) -> Option<Reference> {
    let value = text.ends_with(')').then(|| text::value_from_str(text, &Options::new().values()));
    value?.ok()?.as_object()?.as_reference().cloned()
}
