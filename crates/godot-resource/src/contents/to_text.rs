//! To text, as the engine saves it.

use godot_variant::types::{
    GString, NodePath, PackedInt32Array, PackedStringArray, StringName, Type,
};
use godot_variant::value::{Object, Reference};
use godot_variant::{Dialect, Spelling, Value, text};

use super::losses::{Converted, Losses};
use super::{Contents, External, Properties, each_value};
use crate::scene::{Connection, Node, PERSIST, simplified};
use crate::{Error, ErrorKind, Options, Result};

/// More bytes than this in one array make engines write format 4.
const MOST_BYTES: usize = 64;

impl Contents {
    /// Writes the file as text, as the engine does when it saves what it loaded. The result can be read by
    /// [`Text::parse`](crate::Text::parse).
    ///
    /// # Errors
    /// A value that text cannot say, with its path; more than [`max_output`](Options::max_output) bytes.
    pub fn to_text(&self, options: &Options) -> Result<Converted<String>> {
        let spelling = match self.dialect {
            Dialect::Godot3 => Spelling::Format2,
            _ if self.has_new_arrays() => Spelling::Format4,
            _ => Spelling::Format3,
        };
        let mut writer = TextWriter {
            out: String::new(),
            losses: Losses::default(),
            spelling,
            values: options.values().spelling(if options.exact {
                Spelling::Exact
            } else {
                spelling
            }),
            max_output: options.limits.max_output,
        };
        // In binary they have their places for ids.
        let is_place = |own: &External| own.id.bytes().all(|byte| byte.is_ascii_digit());
        match spelling != Spelling::Format2 && self.externals.iter().any(is_place) {
            true => writer.file(&self.clone().with_text_ids())?,
            false => writer.file(self)?,
        }
        Ok(Converted { file: writer.out, losses: writer.losses.all })
    }

    /// Whether there are arrays that format 3 does not have, or has no room for.
    fn has_new_arrays(&self) -> bool {
        let mut found = false;
        self.each_property(&mut |value| {
            each_value(value, &mut |value| {
                found |= match value {
                    Value::PackedByteArray(bytes) => bytes.len() > MOST_BYTES,
                    other => other.kind() == Type::PackedVector4Array,
                };
            });
        });
        found
    }

    /// Visits the value of each property, and the arguments of connections.
    pub(super) fn each_property<'c>(&'c self, each: &mut dyn FnMut(&'c Value)) {
        let resources = self.resources.iter().map(|own| &own.properties);
        let nodes = self.scene.iter().flat_map(|scene| &scene.nodes).map(|node| &node.properties);
        for properties in resources.chain([&self.properties]).chain(nodes) {
            properties.iter().for_each(|(_, value)| each(value));
        }
        let connections = self.scene.iter().flat_map(|scene| &scene.connections);
        connections.flat_map(|own| &own.binds).for_each(each);
    }
}

struct TextWriter {
    out: String,
    losses: Losses,
    spelling: Spelling,
    values: godot_variant::Options,
    max_output: usize,
}

impl TextWriter {
    fn is_old(&self) -> bool {
        self.spelling == Spelling::Format2
    }

    fn value(&self, value: &Value) -> Result<String> {
        text::value_to_string(value, &self.values)
    }

    /// Writes ` name=value` into a tag.
    fn field(&mut self, name: &str, value: &Value) -> Result<()> {
        let value = self.value(value).map_err(|error| error.inside(name))?;
        self.out.extend([" ", name, "=", &value]);
        Ok(())
    }

    /// Writes a text into a tag as it is, but for quotes and backslashes.
    fn text_field(&mut self, name: &str, text: &str) -> Result<()> {
        self.field(name, &text.into())
    }

    /// A name in quotes, in one line.
    fn escaped(&self, text: &str) -> Result<String> {
        // A StringName is spelled so, after its first character.
        let name = Value::StringName(StringName::new(text));
        let spelled =
            text::value_to_string(&name, &self.values.clone().spelling(Spelling::Format3))?;
        Ok(spelled.trim_start_matches('&').to_owned())
    }

    fn name_field(&mut self, name: &str, text: &str) -> Result<()> {
        let text = self.escaped(text).map_err(|error| error.inside(name))?;
        self.out.extend([" ", name, "=", &text]);
        Ok(())
    }

    fn path_field(&mut self, name: &str, path: &NodePath) -> Result<()> {
        self.name_field(name, &simplified(path).to_string())
    }

    /// An id, which 3.x has as a number.
    fn id_field(&mut self, id: &str) -> Result<()> {
        match id.parse::<i64>() {
            Ok(number) if self.is_old() => self.field("id", &number.into()),
            _ => self.text_field("id", id),
        }
    }

    fn ids_field(&mut self, name: &str, ids: &[i32]) -> Result<()> {
        match ids.is_empty() {
            true => Ok(()),
            false => self.field(name, &PackedInt32Array(ids.to_vec()).into()),
        }
    }

    fn file(&mut self, contents: &Contents) -> Result<()> {
        self.head(contents)?;
        for own in &contents.externals {
            self.out.push_str("[ext_resource");
            if !self.is_old() {
                self.text_field("type", &own.class)?;
                if let Some(uid) = own.uid {
                    self.text_field("uid", &uid.to_string())?;
                }
            }
            self.text_field("path", &own.path)?;
            if self.is_old() {
                self.text_field("type", &own.class)?;
            }
            self.id_field(&own.id)?;
            self.out.push_str("]\n");
        }
        if !contents.externals.is_empty() {
            self.out.push('\n');
        }
        for own in contents.in_order(true) {
            self.out.push_str("[sub_resource");
            self.text_field("type", &own.class)?;
            self.id_field(&own.id)?;
            self.out.push_str("]\n");
            self.losses.at(&own.id);
            self.resource(&own.properties).map_err(|error| error.inside(&*own.id))?;
            self.out.push('\n');
        }
        self.losses.at("");
        let Some(scene) = &contents.scene else {
            self.out.push_str("[resource]\n");
            return self.resource(&contents.properties);
        };
        for (name, value) in &contents.properties {
            // Nothing is what it is without.
            if !value.is_null() {
                self.losses.push(name, "a scene of text has no properties of its own");
            }
        }
        for (place, node) in scene.nodes.iter().enumerate() {
            if place > 0 {
                self.out.push('\n');
            }
            let path = node.path().to_string();
            self.losses.at(&path);
            self.node(node).map_err(|error| error.inside(&*path))?;
        }
        for (place, own) in scene.connections.iter().enumerate() {
            if place == 0 {
                self.out.push('\n');
            }
            self.losses.at(format_args!("{}::{}", own.from, own.signal));
            self.connection(own).map_err(|error| error.inside(place).inside("connections"))?;
        }
        for (place, path) in scene.editable.iter().enumerate() {
            self.out.push_str(if place == 0 { "\n[editable" } else { "[editable" });
            self.name_field("path", &path.to_string())?;
            self.out.push_str("]\n");
        }
        Ok(())
    }

    fn head(&mut self, contents: &Contents) -> Result<()> {
        self.out.push_str(if contents.scene.is_some() { "[gd_scene" } else { "[gd_resource" });
        if contents.scene.is_none() {
            self.text_field("type", &contents.class)?;
            if let Some(class) = contents.script_class.as_ref().filter(|_| !self.is_old()) {
                self.text_field("script_class", class)?;
            }
        }
        let steps = contents.externals.len().saturating_add(contents.resources.len());
        if self.is_old() && steps > 0 {
            let steps = i64::try_from(steps).unwrap_or(i64::MAX).saturating_add(1);
            self.field("load_steps", &steps.into())?;
        }
        let format = match self.spelling {
            Spelling::Format2 => 2,
            Spelling::Format4 => 4,
            _ => 3,
        };
        self.field("format", &format.into())?;
        if let Some(uid) = contents.uid.filter(|_| !self.is_old()) {
            self.text_field("uid", &uid.to_string())?;
        }
        self.out.push_str("]\n\n");
        Ok(())
    }

    /// Writes the properties of a resource, without objects that are not there, a script among them.
    fn resource(&mut self, properties: &Properties) -> Result<()> {
        let is_there = |name: &str, value: &Value| match value {
            Value::Object(Object::Null) => false,
            Value::Nil => name != "script",
            _ => true,
        };
        self.properties(properties.iter().filter(|(name, value)| is_there(name, value)))
    }

    fn properties<'p>(
        &mut self,
        properties: impl IntoIterator<Item = &'p (GString, Value)>,
    ) -> Result<()> {
        for (name, value) in properties {
            let inside = |error: Error| error.inside(name.as_str());
            let key = text::parts::key(name).map_err(inside)?;
            let written = self.value(value).map_err(inside)?;
            self.losses.in_text(name, value, self.spelling);
            self.out.extend([&*key, " = ", &written, "\n"]);
            if self.out.len() > self.max_output {
                let text = format!("more than max_output, which is {} bytes", self.max_output);
                return Err(Error::new(ErrorKind::OutputLimit, text));
            }
        }
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Result<()> {
        self.out.push_str("[node");
        self.name_field("name", &node.name)?;
        if let Some(class) = &node.class {
            self.text_field("type", class)?;
        }
        if let Some(parent) = &node.parent {
            self.path_field("parent", parent)?;
            self.ids_field("parent_id_path", &node.parent_id_path)?;
        }
        if let Some(owner) = &node.owner {
            self.path_field("owner", owner)?;
            self.ids_field("owner_uid_path", &node.owner_id_path)?;
        }
        if let Some(index) = node.index {
            self.text_field("index", &index.to_string())?;
        }
        if let Some(id) = node.unique_id.filter(|_| !self.is_old()) {
            self.field("unique_id", &i64::from(id).into())?;
        }
        if !node.node_paths.is_empty() {
            self.field("node_paths", &PackedStringArray(node.node_paths.clone()).into())?;
        }
        if !node.groups.is_empty() {
            let mut groups: Vec<&GString> = node.groups.iter().collect();
            groups.sort();
            let mut list = String::from("[");
            for (place, group) in groups.into_iter().enumerate() {
                list.push_str(if place == 0 { "" } else { ", " });
                list.push_str(&self.escaped(group)?);
            }
            self.out.extend([" groups=", &list, "]"]);
        }
        if let Some(path) = &node.placeholder {
            self.text_field("instance_placeholder", path)?;
        }
        if let Some(scene) = &node.instance {
            self.field("instance", &Value::from(scene.clone()))?;
        }
        self.out.push_str("]\n");
        self.properties(&node.properties)
    }

    fn connection(&mut self, own: &Connection) -> Result<()> {
        self.out.push_str("[connection");
        self.name_field("signal", &own.signal)?;
        self.path_field("from", &own.from)?;
        self.path_field("to", &own.to)?;
        self.name_field("method", &own.method)?;
        if own.flags != PERSIST {
            self.field("flags", &i64::from(own.flags).into())?;
        }
        self.ids_field("from_uid_path", &own.from_id_path)?;
        self.ids_field("to_uid_path", &own.to_id_path)?;
        if own.unbinds > 0 && !self.is_old() {
            self.field("unbinds", &i64::from(own.unbinds).into())?;
        }
        if !own.binds.is_empty() {
            let binds = Value::from(own.binds.clone());
            self.losses.in_text("binds", &binds, self.spelling);
            let binds = self.value(&binds).map_err(|error| error.inside("binds"))?;
            self.out.extend([" binds= ", &binds]);
        }
        self.out.push_str("]\n");
        Ok(())
    }
}

/// The ids by which a text names files: their places, and letters made of what they are, as different ones on
/// two branches should be.
pub(crate) fn text_id(place: usize, path: &str) -> GString {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in path.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let mut id = format!("{}_", place.saturating_add(1));
    for _ in 0..5 {
        let letters = b"abcdefghijklmnopqrstuvwxyz012345678";
        let letter = usize::try_from(hash % 35).ok().and_then(|at| letters.get(at));
        id.push(char::from(*letter.unwrap_or(&b'a')));
        hash /= 35;
    }
    id.into()
}

impl Contents {
    /// Gives files the ids that texts have for them, in place of their numbers.
    fn with_text_ids(mut self) -> Contents {
        let mut ids = std::collections::HashMap::new();
        for (place, own) in self.externals.iter_mut().enumerate() {
            let id = text_id(place, &own.path);
            ids.insert(std::mem::replace(&mut own.id, id.clone()), id);
        }
        self.each_reference(&mut |reference| {
            if let Reference::External(own) = reference
                && let Some(id) = ids.get(own)
            {
                *own = id.clone();
            }
        });
        self
    }
}
