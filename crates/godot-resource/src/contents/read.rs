//! From text and from binary.

use godot_variant::types::{GString, NodePath};
use godot_variant::value::Reference;
use godot_variant::{Dialect, Value};

use super::{Contents, External, Properties, Resource};
use crate::binary::external_id;
use crate::scene::{Connection, Node, PERSIST, Scene};
use crate::{Binary, Error, ErrorKind, Result, Section, Text, Uid};

impl Text {
    /// The contents of the file.
    ///
    /// # Errors
    /// Settings, which hold no resource; a tag that is none or lacks a field.
    pub fn contents(&self) -> Result<Contents> {
        let Some(head) = self.head() else {
            let text = "expected a scene or resource, found settings";
            return Err(Error::new(ErrorKind::Unsupported, text));
        };
        let is_scene = head.tag() == "gd_scene";
        let class = match is_scene {
            true => "PackedScene".into(),
            false => need(head, "type")?,
        };
        let mut contents = Contents::new(&class);
        if self.format().is_some_and(|format| format < 3) {
            contents.dialect = Dialect::Godot3;
        }
        contents.script_class = text(head, "script_class")?;
        contents.uid = text(head, "uid")?.and_then(|uid| Uid::parse(&uid));
        let mut scene = Scene::default();
        for section in self.sections().iter().skip(2) {
            match section.tag() {
                "ext_resource" => contents.externals.push(External {
                    id: need(section, "id")?,
                    class: need(section, "type")?,
                    path: need(section, "path")?,
                    uid: text(section, "uid")?.and_then(|uid| Uid::parse(&uid)),
                }),
                "sub_resource" => contents.resources.push(Resource {
                    id: need(section, "id")?,
                    class: need(section, "type")?,
                    properties: properties(section),
                }),
                "resource" if !is_scene => contents.properties = properties(section),
                "node" if is_scene => scene.nodes.push(node(section)?),
                "connection" if is_scene => scene.connections.push(connection(section)?),
                "editable" if is_scene => {
                    scene.editable.push(NodePath::new(&need(section, "path")?));
                }
                tag => {
                    let text = format!("expected a tag of a {}, found {tag}", head.tag());
                    return Err(Error::new(ErrorKind::Data, text));
                }
            }
        }
        contents.scene = is_scene.then_some(scene);
        contents.unbundle(usize::MAX)?;
        Ok(contents)
    }
}

/// The names and values of a section; of those that have one name the last one, in the place of the first.
fn properties(section: &Section) -> Properties {
    let mut places = std::collections::HashMap::new();
    let mut all: Properties = Vec::new();
    for (name, value) in section.values() {
        let place = *places.entry(name).or_insert(all.len());
        match all.get_mut(place) {
            Some((_, old)) => *old = value,
            None => all.push((name.into(), value)),
        }
    }
    all
}

/// A field that is text, or the number that 3.x has there.
pub(crate) fn text(section: &Section, name: &str) -> Result<Option<GString>> {
    Ok(match section.field(name) {
        None => None,
        Some(Value::Int(number)) => Some(number.to_string().into()),
        Some(Value::NodePath(path)) => Some(path.to_string().into()),
        Some(other) => match other.as_str() {
            Some(text) => Some(text.into()),
            None => return Err(wrong(section, name, "text", &other)),
        },
    })
}

fn need(section: &Section, name: &str) -> Result<GString> {
    text(section, name)?.ok_or_else(|| {
        let text = format!("expected a field {name}, found none");
        Error::new(ErrorKind::Data, text).inside(section.tag())
    })
}

#[cold]
fn wrong(section: &Section, name: &str, expected: &str, found: &Value) -> Error {
    let text = format!("expected {expected}, found {}", found.kind());
    Error::new(ErrorKind::Data, text).inside(name).inside(section.tag())
}

fn int(section: &Section, name: &str) -> Result<Option<i32>> {
    let Some(value) = section.field(name) else { return Ok(None) };
    let number = match &value {
        Value::Int(number) => i32::try_from(*number).ok(),
        // The place among siblings is a number in quotes.
        other => other.as_str().and_then(|text| text.parse().ok()),
    };
    number.map(Some).ok_or_else(|| wrong(section, name, "an integer of 32 bits", &value))
}

fn path(section: &Section, name: &str) -> Result<Option<NodePath>> {
    Ok(text(section, name)?.map(|text| NodePath::new(&text)))
}

fn ids(section: &Section, name: &str) -> Result<Vec<i32>> {
    match section.field(name) {
        None => Ok(Vec::new()),
        Some(Value::PackedInt32Array(ids)) => Ok(ids.into()),
        Some(other) => Err(wrong(section, name, "a PackedInt32Array", &other)),
    }
}

/// Texts in an array of either sort.
fn texts(section: &Section, name: &str) -> Result<Vec<GString>> {
    let Some(value) = section.field(name) else { return Ok(Vec::new()) };
    let all = match (&value, value.as_array()) {
        (Value::PackedStringArray(texts), _) => Some(texts.to_vec()),
        (_, Some(items)) => items.iter().map(|item| item.as_str().map(GString::new)).collect(),
        _ => None,
    };
    all.ok_or_else(|| wrong(section, name, "an array of strings", &value))
}

fn node(section: &Section) -> Result<Node> {
    let instance = match section.field("instance") {
        None => None,
        Some(value) => match value.as_object().and_then(|own| own.as_reference()) {
            Some(reference) => Some(reference.clone()),
            None if value.is_null() => None,
            None => return Err(wrong(section, "instance", "a resource", &value)),
        },
    };
    Ok(Node {
        name: text(section, "name")?.unwrap_or_default(),
        class: text(section, "type")?,
        parent: path(section, "parent")?,
        parent_id_path: ids(section, "parent_id_path")?,
        owner: path(section, "owner")?,
        owner_id_path: ids(section, "owner_uid_path")?,
        index: int(section, "index")?,
        unique_id: int(section, "unique_id")?,
        node_paths: texts(section, "node_paths")?,
        groups: texts(section, "groups")?,
        instance,
        placeholder: text(section, "instance_placeholder")?,
        properties: properties(section),
    })
}

fn connection(section: &Section) -> Result<Connection> {
    let binds = section.field("binds").unwrap_or_else(|| Value::from(Vec::<Value>::new()));
    let Some(binds) = binds.as_array() else {
        return Err(wrong(section, "binds", "an array", &binds));
    };
    Ok(Connection {
        signal: need(section, "signal")?,
        from: NodePath::new(&need(section, "from")?),
        from_id_path: ids(section, "from_uid_path")?,
        to: NodePath::new(&need(section, "to")?),
        to_id_path: ids(section, "to_uid_path")?,
        method: need(section, "method")?,
        flags: int(section, "flags")?.unwrap_or(PERSIST),
        unbinds: int(section, "unbinds")?.unwrap_or_default(),
        binds: binds.clone().into_vec(),
    })
}

impl Binary {
    /// The contents of the file.
    ///
    /// # Errors
    /// A file without a resource; a scene whose tables do not fit together.
    pub fn contents(&self) -> Result<Contents> {
        let mut contents = Contents::new(self.class());
        contents.dialect = self.dialect();
        contents.script_class = self.script_class().map(GString::new);
        contents.uid = self.uid();
        for (place, own) in self.externals().iter().enumerate() {
            contents.externals.push(External {
                id: external_id(place),
                class: own.class.clone(),
                path: own.path.clone(),
                uid: Uid::from_field(own.uid),
            });
        }
        let Some(main) = self.resources().len().checked_sub(1) else {
            let text = "expected a resource, found a file without one";
            return Err(Error::new(ErrorKind::Data, text));
        };
        for (place, own) in self.resources().iter().enumerate() {
            let properties = self.values(place).map(|(name, value)| (name.into(), value)).collect();
            match place == main {
                true => contents.properties = properties,
                false => contents.resources.push(Resource {
                    id: own.id().into(),
                    class: own.class().into(),
                    properties,
                }),
            }
        }
        contents.unbundle(self.max_memory())?;
        Ok(contents)
    }
}

impl Contents {
    /// Makes nodes of the tables that a scene is kept in as a resource.
    fn unbundle(&mut self, max_memory: usize) -> Result<()> {
        const BUNDLE: &str = "_bundled";
        if self.class != "PackedScene" || self.scene.is_some() {
            return Ok(());
        }
        let bundle = self.properties.iter().rposition(|(name, _)| name == BUNDLE);
        let (_, bundle) = match bundle {
            Some(place) => self.properties.remove(place),
            None => return Ok(()),
        };
        let scene = Scene::from_bundle(&bundle, max_memory);
        self.scene = Some(scene.map_err(|error| error.inside(BUNDLE))?);
        Ok(())
    }

    /// Whether a reference leads to a resource that is there.
    pub fn has(&self, reference: &Reference) -> bool {
        match reference {
            Reference::Internal(id) => self.resource(id).is_some(),
            other => self.path(other).is_some(),
        }
    }
}
