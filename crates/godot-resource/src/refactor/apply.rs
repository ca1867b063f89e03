//! Changes of a file, in its text or in what its binary form holds.

use godot_variant::Value;
use godot_variant::types::NodePath;

use super::{Change, Renamed, in_file, refused};
use crate::contents::Properties;
use crate::scene::Scene;
use crate::{Binary, Contents, Options, Result, Text};

/// The changes of a file.
#[derive(Default)]
pub(super) struct Edits {
    all: Vec<(Kind, usize, String, Edit)>,
    /// The order of the nodes, by their places.
    pub(super) order: Option<Vec<usize>>,
}

/// The change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Node,
    Connection,
    Editable,
    Resource,
    Main,
}

pub(super) enum Edit {
    /// The old and the new text of a field; it goes where the new one is empty.
    Field(String, String),
    Property(Value),
}

impl Edits {
    /// A field that may have another text.
    pub(super) fn field(&mut self, kind: Kind, place: usize, name: &str, old: &str, new: &str) {
        if old != new || new.is_empty() {
            let edit = Edit::Field(old.to_owned(), new.to_owned());
            self.all.push((kind, place, name.to_owned(), edit));
        }
    }

    pub(super) fn properties(&mut self, kind: Kind, place: usize, new: Vec<(String, Value)>) {
        let new = new.into_iter().map(|(name, value)| (kind, place, name, Edit::Property(value)));
        self.all.extend(new);
    }
}

/// The file with its changes, if it has any. `contents` are what `old` holds.
pub(super) fn apply(
    file: &str,
    old: Vec<u8>,
    contents: Contents,
    edits: Edits,
) -> Result<Option<Renamed>> {
    if edits.all.is_empty() {
        return Ok(None);
    }
    let path = file.to_owned();
    let done = match (Binary::is_binary(&old), std::str::from_utf8(&old)) {
        (false, Ok(text)) => in_text(text, edits),
        (true, _) => in_binary(contents, edits),
        (false, Err(error)) => Err(refused(error.to_string())),
    };
    let (bytes, changes) = done.map_err(|error| in_file(file, &error))?;
    Ok(Some(Renamed { path, old, bytes, changes }))
}

fn in_text(text: &str, edits: Edits) -> Result<(Vec<u8>, Vec<Change>)> {
    let mut text = Text::parse(text)?;
    let lines: Vec<usize> = text.lines().collect();
    let numbers = |tag: &str| -> Vec<usize> {
        let all = text.sections().iter().enumerate();
        all.filter(|(_, own)| own.tag() == tag).map(|(number, _)| number).collect()
    };
    let tags = ["node", "connection", "editable", "sub_resource", "resource"].map(numbers);
    let [nodes, connections, editable, resources, main] = &tags;
    let root = text.root_name();
    let old = text.clone();
    let mut changes = Vec::new();
    for (kind, place, name, edit) in edits.all {
        let number = match kind {
            Kind::Node => nodes.get(place),
            Kind::Connection => connections.get(place),
            Kind::Editable => editable.get(place),
            Kind::Resource => resources.get(place),
            Kind::Main => main.first(),
        };
        let Some(number) = number.copied() else { continue };
        let (Some(before), Some(line)) = (old.sections().get(number), lines.get(number)) else {
            continue;
        };
        let Some(section) = text.sections_mut().get_mut(number) else { continue };
        let (offset, was, now) = match &edit {
            Edit::Field(was, now) => {
                let value = match before.field(&name) {
                    Some(Value::NodePath(_)) => NodePath::new(now).into(),
                    _ => now.as_str().into(),
                };
                match now.is_empty() {
                    true => _ = section.remove_field(&name),
                    false => section.set_field(&name, &value)?,
                }
                (before.field_offset(&name), was.clone(), now.clone())
            }
            Edit::Property(value) => {
                section.set(&name, value)?;
                let raw = |text: Option<&str>| text.unwrap_or_default().to_owned();
                (before.offset_of(&name), raw(before.raw(&name)), raw(section.raw(&name)))
            }
        };
        let (above, column) = before.position(offset);
        let place = [&*before.place(root.as_deref()), ":", &name].concat();
        changes.push(Change {
            line: line.saturating_add(above),
            column,
            place,
            old: was,
            new: now,
        });
    }
    if let Some(order) = edits.order {
        let order = order.into_iter().filter_map(|place| nodes.get(place).copied());
        text.rearrange(nodes, order.collect());
    }
    Ok((text.to_string().into_bytes(), changes))
}

fn in_binary(mut contents: Contents, edits: Edits) -> Result<(Vec<u8>, Vec<Change>)> {
    let mut changes = Vec::new();
    let is_scene = contents.scene.is_some();
    let mut scene = contents.scene.take().unwrap_or_default();
    for (kind, place, name, edit) in edits.all {
        let own = match kind {
            Kind::Node => scene.nodes.get(place).map(|own| own.path().to_string()),
            Kind::Resource => contents.resources.get(place).map(|own| own.id.to_string()),
            _ => None,
        };
        let (old, new) = match edit {
            Edit::Field(old, new) => {
                set_field(&mut scene, kind, place, &name, &new);
                (old, new)
            }
            Edit::Property(value) => {
                let properties = match kind {
                    Kind::Node => scene.nodes.get_mut(place).map(|own| &mut own.properties),
                    Kind::Resource => {
                        contents.resources.get_mut(place).map(|own| &mut own.properties)
                    }
                    _ => Some(&mut contents.properties),
                };
                let Some(old) = properties.and_then(|own| of(own, &name)) else { continue };
                let new = value.to_string();
                (std::mem::replace(old, value).to_string(), new)
            }
        };
        let place = [&*own.unwrap_or_default(), ":", &name].concat();
        changes.push(Change { line: 1, column: 1, place, old, new });
    }
    if let Some(order) = edits.order {
        let nodes = std::mem::take(&mut scene.nodes);
        let mut nodes: Vec<_> = nodes.into_iter().map(Some).collect();
        scene.nodes = order.into_iter().filter_map(|place| nodes.get_mut(place)?.take()).collect();
    }
    contents.scene = is_scene.then_some(scene);
    Ok((contents.to_binary(&Options::new())?.file, changes))
}

fn of<'p>(properties: &'p mut Properties, name: &str) -> Option<&'p mut Value> {
    properties.iter_mut().rfind(|(own, _)| own == name).map(|(_, value)| value)
}

fn set_field(scene: &mut Scene, kind: Kind, place: usize, name: &str, new: &str) {
    let path = NodePath::new(new);
    if let (Kind::Node, Some(node)) = (kind, scene.nodes.get_mut(place)) {
        match name {
            "name" => node.name = new.into(),
            "parent" => node.parent = Some(path),
            "owner" => node.owner = Some(path),
            "index" => node.index = None,
            _ => node.parent_id_path = Vec::new(),
        }
    } else if let (Kind::Connection, Some(own)) = (kind, scene.connections.get_mut(place)) {
        match name {
            "from" => own.from = path,
            _ => own.to = path,
        }
    } else if let Some(own) = scene.editable.get_mut(place) {
        *own = path;
    }
}
