//! The tables in which `PackedScene` keeps a scene.

use std::collections::HashMap;

use godot_variant::Value;
use godot_variant::types::{GString, NodePath, PackedInt32Array, PackedStringArray};
use godot_variant::value::{Dictionary, Object, Reference};

use super::{Connection, Node, Scene};
use crate::contents::each_value;
use crate::{Error, ErrorKind, Result};

/// An index into the paths, in place of one into the nodes.
const IS_PATH: i32 = 1 << 30;
/// The scene of an instance is only named.
const IS_PLACEHOLDER: i32 = 1 << 30;
/// The node path of the property becomes a node.
const IS_NODE: i32 = 1 << 30;
/// The index without those.
const MASK: i32 = (1 << 24) - 1;
const NAME_MASK: i32 = (1 << 30) - 1;
/// The class of an instance, and the parent of what has none.
const NONE: i32 = 0x7fff_ffff;
/// The bits of the name below the place among siblings.
const NAME_BITS: u32 = 18;
/// The newest version of the tables.
const VERSION: i64 = 3;

/// The tables of a scene.
struct Tables<'a> {
    names: &'a [GString],
    variants: &'a [Value],
    paths: Vec<&'a NodePath>,
    id_paths: Vec<&'a [i32]>,
    /// The memory that each variant takes, about.
    weights: Vec<usize>,
    left: usize,
    max_memory: usize,
}

/// Takes numbers one by one.
struct Row<'a> {
    numbers: &'a [i32],
    what: &'static str,
}

impl Row<'_> {
    fn next(&mut self) -> Result<i32> {
        let Some((first, rest)) = self.numbers.split_first() else {
            let text = format!("expected more numbers, found the end of {}", self.what);
            return Err(Error::new(ErrorKind::UnexpectedEof, text));
        };
        self.numbers = rest;
        Ok(*first)
    }

    /// How many things of `least` numbers follow.
    fn count(&mut self, least: usize) -> Result<usize> {
        let count = self.next()?;
        let fits = usize::try_from(count).ok();
        let fits = fits.filter(|count| count.saturating_mul(least) <= self.numbers.len());
        fits.ok_or_else(|| {
            let text = format!("expected a count that fits {}, found {count}", self.what);
            Error::new(ErrorKind::Data, text)
        })
    }
}

fn ints<'a>(bundle: &'a Dictionary, key: &str) -> Result<&'a [i32]> {
    match bundle.get(key) {
        Some(Value::PackedInt32Array(numbers)) => Ok(numbers),
        None => Ok(&[]),
        Some(other) => Err(wrong(key, "a PackedInt32Array", other)),
    }
}

fn items<'a>(bundle: &'a Dictionary, key: &str) -> Result<&'a [Value]> {
    match bundle.get(key) {
        None => Ok(&[]),
        Some(value) => match value.as_array() {
            Some(items) => Ok(items),
            None => Err(wrong(key, "an array", value)),
        },
    }
}

fn paths<'a>(bundle: &'a Dictionary, key: &str) -> Result<Vec<&'a NodePath>> {
    let path = |value: &'a Value| match value {
        Value::NodePath(path) => Ok(&**path),
        other => Err(wrong(key, "a NodePath", other)),
    };
    items(bundle, key)?.iter().map(path).collect()
}

#[cold]
fn wrong(key: &str, expected: &str, found: &Value) -> Error {
    let text = format!("expected {expected}, found {}", found.kind());
    Error::new(ErrorKind::Data, text).inside(key)
}

/// The thing at an index.
fn at<'a, T>(all: &'a [T], index: i32, what: &str) -> Result<&'a T> {
    usize::try_from(index).ok().and_then(|index| all.get(index)).ok_or_else(|| {
        let text = format!("expected one of {} {what}, found number {index}", all.len());
        Error::new(ErrorKind::Data, text)
    })
}

impl Scene {
    /// Reads the tables of a scene, of which the nodes that are made take no more memory than is said.
    pub(crate) fn from_bundle(bundle: &Value, max_memory: usize) -> Result<Scene> {
        let Some(bundle) = bundle.as_dictionary() else {
            let text = format!("expected the tables of a scene, found {}", bundle.kind());
            return Err(Error::new(ErrorKind::Data, text));
        };
        let version = bundle.get("version").and_then(Value::as_i64).unwrap_or(1);
        if version > VERSION {
            let text = format!("expected a version up to {VERSION}, found {version}");
            return Err(Error::new(ErrorKind::Unsupported, text).inside("version"));
        }
        let names = match bundle.get("names") {
            Some(Value::PackedStringArray(names)) => names.as_slice(),
            None => &[],
            Some(other) => return Err(wrong("names", "a PackedStringArray", other)),
        };
        let id_paths = items(bundle, "id_paths")?.iter().map(|value| match value {
            Value::PackedInt32Array(ids) => Ok(ids.as_slice()),
            other => Err(wrong("id_paths", "a PackedInt32Array", other)),
        });
        let variants = items(bundle, "variants")?;
        let mut tables = Tables {
            names,
            variants,
            paths: paths(bundle, "node_paths")?,
            id_paths: id_paths.collect::<Result<_>>()?,
            weights: variants.iter().map(weight).collect(),
            left: max_memory,
            max_memory,
        };
        let mut scene = Scene::default();
        tables.nodes(bundle, &mut scene)?;
        tables.connections(bundle, version, &mut scene)?;
        scene.editable = paths(bundle, "editable_instances")?.into_iter().cloned().collect();
        Ok(scene)
    }
}

/// About the bytes that a value takes.
pub(crate) fn weight(value: &Value) -> usize {
    let mut sum = 0_usize;
    each_value(value, &mut |value| {
        let own = match value {
            Value::String(text) => text.len(),
            Value::PackedStringArray(texts) => {
                texts.iter().map(|text| text.len().saturating_add(32)).sum()
            }
            Value::PackedByteArray(bytes) => bytes.len(),
            Value::NodePath(path) => {
                path.names.len().saturating_add(path.subnames.len()).saturating_mul(32)
            }
            other if other.kind() >= godot_variant::types::Type::PackedInt32Array => {
                other.to_numbers().map_or(0, |(bytes, _)| bytes.len())
            }
            _ => 0,
        };
        sum = sum.saturating_add(own).saturating_add(size_of::<Value>());
    });
    sum
}

impl<'a> Tables<'a> {
    fn take(&mut self, bytes: usize) -> Result<()> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            let most = self.max_memory;
            let text = format!("more than max_memory, which is {most} bytes, to hold");
            Error::new(ErrorKind::MemoryLimit, text)
        })?;
        Ok(())
    }

    fn name(&self, index: i32) -> Result<GString> {
        at(self.names, index, "names").cloned()
    }

    fn variant(&mut self, index: i32) -> Result<Value> {
        let value = at(self.variants, index, "variants")?;
        self.take(*at(&self.weights, index, "variants")?)?;
        Ok(value.clone())
    }

    fn nodes(&mut self, bundle: &Dictionary, scene: &mut Scene) -> Result<()> {
        let node_ids = ints(bundle, "node_ids")?;
        let base = bundle.get("base_scene").and_then(Value::as_i64);
        let count = bundle.get("node_count").and_then(Value::as_i64).unwrap_or_default();
        let mut row = Row { numbers: ints(bundle, "nodes")?, what: "nodes" };
        for index in 0..count {
            let place = usize::try_from(index).unwrap_or(usize::MAX);
            let read = self.node(&mut row, scene, node_ids.get(place).copied());
            let mut node = read.map_err(|error| error.inside(place).inside("nodes"))?;
            if let Some(base) = base.filter(|_| node.parent.is_none() && node.instance.is_none()) {
                let value = self.variant(i32::try_from(base).unwrap_or(-1))?;
                node.instance = Some(reference(&value)?);
            }
            scene.nodes.push(node);
        }
        Ok(())
    }

    fn node(&mut self, row: &mut Row<'_>, scene: &Scene, id: Option<i32>) -> Result<Node> {
        let (parent, owner, class) = (row.next()?, row.next()?, row.next()?);
        let (name, instance) = (row.next()?, row.next()?);
        let index = (name.cast_unsigned() >> NAME_BITS).cast_signed().checked_sub(1);
        let mut node = Node {
            name: self.name(name & ((1 << NAME_BITS) - 1))?,
            class: if class == NONE { None } else { Some(self.name(class)?) },
            index: index.filter(|index| *index >= 0),
            // 0 is no id.
            unique_id: id.filter(|id| *id != 0),
            ..Node::default()
        };
        if parent >= 0 && parent != NONE {
            let (path, ids) = self.path(parent, scene)?;
            (node.parent, node.parent_id_path) = (Some(path), ids);
        }
        // A first node with a parent, which no scene should have, is its own owner.
        let is_own = usize::try_from(owner) == Ok(scene.nodes.len());
        if owner >= 0 && owner != NONE && !is_own {
            let (path, ids) = self.path(owner, scene)?;
            if path != NodePath::new(".") {
                (node.owner, node.owner_id_path) = (Some(path), ids);
            }
        }
        if instance >= 0 {
            let value = self.variant(instance & MASK)?;
            match (instance & IS_PLACEHOLDER != 0, value.as_str()) {
                (true, Some(path)) => node.placeholder = Some(path.into()),
                _ => node.instance = Some(reference(&value)?),
            }
        }
        for _ in 0..row.count(2)? {
            let (name, value) = (row.next()?, row.next()?);
            let own = self.name(name & NAME_MASK)?;
            if name & IS_NODE != 0 {
                node.node_paths.push(own.clone());
            }
            let value = self.variant(value).map_err(|error| error.inside(own.as_str()))?;
            node.properties.push((own, value));
        }
        for _ in 0..row.count(1)? {
            node.groups.push(self.name(row.next()?)?);
        }
        Ok(node)
    }

    /// The path of a node, and the unique ids on the way to it: one of the table, or that of a node before.
    fn path(&mut self, index: i32, scene: &Scene) -> Result<(NodePath, Vec<i32>)> {
        let place = index & MASK;
        if index & IS_PATH != 0 {
            let path = *at(&self.paths, place, "node_paths")?;
            self.take(path.names.len().saturating_mul(32))?;
            let ids = usize::try_from(place).ok().and_then(|place| self.id_paths.get(place));
            return Ok((simplified(path), ids.map(|ids| ids.to_vec()).unwrap_or_default()));
        }
        let path = at(&scene.nodes, place, "nodes before")?.path();
        self.take(path.names.len().saturating_mul(32))?;
        Ok((path, Vec::new()))
    }

    fn connections(&mut self, bundle: &Dictionary, version: i64, scene: &mut Scene) -> Result<()> {
        let count = bundle.get("conn_count").and_then(Value::as_i64).unwrap_or_default();
        let mut row = Row { numbers: ints(bundle, "conns")?, what: "conns" };
        for index in 0..count {
            let place = usize::try_from(index).unwrap_or(usize::MAX);
            let read = self.connection(&mut row, version, scene);
            let own = read.map_err(|error| error.inside(place).inside("conns"))?;
            scene.connections.push(own);
        }
        Ok(())
    }

    fn connection(&mut self, row: &mut Row<'_>, version: i64, scene: &Scene) -> Result<Connection> {
        let ((from, from_id_path), (to, to_id_path)) =
            (self.path(row.next()?, scene)?, self.path(row.next()?, scene)?);
        let (signal, method) = (self.name(row.next()?)?, self.name(row.next()?)?);
        let flags = row.next()?;
        let mut binds = Vec::new();
        for _ in 0..row.count(1)? {
            binds.push(self.variant(row.next()?)?);
        }
        let unbinds = if version >= VERSION { row.next()? } else { 0 };
        let (flags, unbinds) = (flags, unbinds);
        Ok(Connection { signal, from, from_id_path, to, to_id_path, method, flags, unbinds, binds })
    }
}

fn reference(value: &Value) -> Result<Reference> {
    match value {
        Value::Object(Object::Reference(reference)) => Ok((**reference).clone()),
        other => {
            let text = format!("expected a scene, found {}", other.kind());
            Err(Error::new(ErrorKind::Data, text))
        }
    }
}

/// Without the dots that say nothing, as the engine writes paths.
pub(crate) fn simplified(path: &NodePath) -> NodePath {
    let mut names: Vec<GString> = Vec::with_capacity(path.names.len());
    for name in &path.names {
        let last = names.last().map(GString::as_str);
        match (name.as_str(), last) {
            (".", Some(_)) => {}
            (name, Some(".")) if name != ".." => {
                names.pop();
                names.push(name.into());
            }
            ("..", Some(last)) if last != "." && last != ".." => {
                names.pop();
            }
            _ => names.push(name.clone()),
        }
    }
    if names.is_empty() && !path.names.is_empty() {
        names.push(".".into());
    }
    NodePath { names, ..path.clone() }
}

/// Collects the tables of a scene.
#[derive(Default)]
struct TableWriter<'a> {
    names: Vec<GString>,
    places: HashMap<&'a str, i32>,
    variants: Vec<Value>,
    paths: Vec<Value>,
    path_places: HashMap<(NodePath, &'a [i32]), i32>,
    id_paths: Vec<Value>,
}

fn too_many() -> Error {
    Error::new(ErrorKind::OutputLimit, "expected a scene that fits its tables, found a larger one")
}

/// The number of things as an index of one more.
fn next_index<T>(all: &[T], most: i32) -> Result<i32> {
    i32::try_from(all.len()).ok().filter(|index| *index <= most).ok_or_else(too_many)
}

impl<'a> TableWriter<'a> {
    fn name(&mut self, name: &'a str) -> Result<i32> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = next_index(&self.names, (1 << NAME_BITS) - 1)?;
        self.names.push(name.into());
        self.places.insert(name, place);
        Ok(place)
    }

    fn variant(&mut self, value: Value) -> Result<i32> {
        let place = next_index(&self.variants, MASK)?;
        self.variants.push(value);
        Ok(place)
    }

    fn path(&mut self, path: &NodePath, ids: &'a [i32]) -> Result<i32> {
        self.path_as_is(simplified(path), ids)
    }

    fn path_as_is(&mut self, path: NodePath, ids: &'a [i32]) -> Result<i32> {
        let key = (path, ids);
        if let Some(place) = self.path_places.get(&key) {
            return Ok(place | IS_PATH);
        }
        let place = next_index(&self.paths, MASK)?;
        self.paths.push(Value::NodePath(Box::new(key.0.clone())));
        self.id_paths.push(PackedInt32Array(ids.to_vec()).into());
        self.path_places.insert(key, place);
        Ok(place | IS_PATH)
    }
}

impl Scene {
    /// The tables of the scene, as the engine makes them of a text; `is_old` for engines 3.x.
    pub(crate) fn to_bundle(&self, is_old: bool) -> Result<Value> {
        let mut tables = TableWriter::default();
        let (mut nodes, mut node_ids, mut conns) = (Vec::new(), Vec::new(), Vec::new());
        let mut base = None;
        for (place, node) in self.nodes.iter().enumerate() {
            let done = tables.node(node, place == 0, &mut base);
            nodes.extend(done.map_err(|error| error.inside(&*node.name))?);
            node_ids.push(node.unique_id.unwrap_or_default());
        }
        for own in &self.connections {
            conns.extend([
                tables.path(&own.from, &own.from_id_path)?,
                tables.path(&own.to, &own.to_id_path)?,
                tables.name(&own.signal)?,
                tables.name(&own.method)?,
                own.flags,
                next_index(&own.binds, i32::MAX)?,
            ]);
            for bind in &own.binds {
                conns.push(tables.variant(bind.clone())?);
            }
            if !is_old {
                conns.push(own.unbinds);
            }
        }
        let editable: Vec<Value> =
            self.editable.iter().map(|path| Value::NodePath(Box::new(simplified(path)))).collect();
        let count = |len: usize| Value::Int(i64::try_from(len).unwrap_or(i64::MAX));
        let numbers = |all: Vec<i32>| Value::from(PackedInt32Array(all));
        let mut bundle = Dictionary::new();
        bundle.insert("names", PackedStringArray(tables.names));
        bundle.insert("variants", tables.variants);
        bundle.insert("node_count", count(self.nodes.len()));
        bundle.insert("nodes", numbers(nodes));
        // Engines before 4.6 do not look at them.
        if node_ids.iter().any(|id| *id != 0) {
            bundle.insert("node_ids", numbers(node_ids));
        }
        bundle.insert("conn_count", count(self.connections.len()));
        bundle.insert("conns", numbers(conns));
        bundle.insert("node_paths", tables.paths);
        if !is_old {
            bundle.insert("id_paths", tables.id_paths);
        }
        bundle.insert("editable_instances", editable);
        if let Some(base) = base {
            bundle.insert("base_scene", i64::from(base));
        }
        bundle.insert("version", if is_old { 2 } else { VERSION });
        Ok(bundle.into())
    }
}

impl<'a> TableWriter<'a> {
    fn node(&mut self, node: &'a Node, is_first: bool, base: &mut Option<i32>) -> Result<Vec<i32>> {
        let name = self.name(&node.name)?;
        let parent = match &node.parent {
            Some(parent) => {
                // Engines keep the paths of parents with a dot before them.
                let mut path = simplified(parent);
                if path.names.first().is_some_and(|first| first != ".") {
                    path.names.insert(0, ".".into());
                }
                self.path_as_is(path, &node.parent_id_path)?
            }
            None => -1,
        };
        let class = node.class.as_deref().map_or(Ok(NONE), |class| self.name(class))?;
        let mut instance = match (&node.placeholder, &node.instance) {
            (Some(path), _) => self.variant(path.as_str().into())? | IS_PLACEHOLDER,
            (None, Some(reference)) => self.variant(reference.clone().into())?,
            (None, None) => -1,
        };
        if is_first && parent == -1 && node.instance.is_some() {
            *base = Some(instance);
            instance = -1;
        }
        let owner = match &node.owner {
            Some(owner) => self.path(owner, &node.owner_id_path)?,
            // The root owns what it does not have from another scene.
            None if parent != -1 && !(class == NONE && instance == -1) => 0,
            None => -1,
        };
        let index = match node.index.and_then(|index| index.checked_add(1)) {
            Some(index @ 1..0x3fff) => index.cast_unsigned() << NAME_BITS,
            _ => 0,
        };
        let mut row = vec![parent, owner, class, name | index.cast_signed(), instance];
        row.push(next_index(&node.properties, i32::MAX)?);
        for (name, value) in &node.properties {
            let flag = if node.node_paths.contains(name) { IS_NODE } else { 0 };
            row.push(self.name(name)? | flag);
            row.push(self.variant(value.clone())?);
        }
        row.push(next_index(&node.groups, i32::MAX)?);
        for group in &node.groups {
            row.push(self.name(group)?);
        }
        Ok(row)
    }
}
