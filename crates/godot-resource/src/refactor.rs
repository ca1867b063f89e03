//! A node gets another name or place, in all files that know it.

mod apply;
mod mapper;

use std::collections::BTreeMap;
use std::rc::Rc;

use godot_variant::Value;
use godot_variant::types::NodePath;

use crate::contents::{Properties, replace_values};
use crate::lint::conflict_marks;
use crate::project::{
    Found, Links, NodeKind, Outline, below, dotted, is_resource, join, parent_of, text_of,
};
use crate::scene::Scene;
use crate::{Binary, Contents, Error, ErrorKind, Options, Project, Result};
use apply::{Edits, Kind};
use mapper::{Base, Mapper};

/// A file in which a node has another name or place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Its path in the project.
    pub path: String,
    /// Its content, of which the new one is made.
    pub old: Vec<u8>,
    /// Its new content.
    pub bytes: Vec<u8>,
    /// The differences.
    pub changes: Vec<Change>,
}

/// A value that names the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The line before the change, from 1. In a binary file it is 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The node or resource and the property or field.
    pub place: String,
    /// The value before.
    pub old: String,
    /// The new one; empty where it goes.
    pub new: String,
}

/// Renames or moves a node of a scene: there, in the scenes that inherit it or have instances of it, and in their
/// connections, paths of nodes and animations. Returns the files that change.
///
/// `old` and `new` are paths from the root, with its name or without it; a `new` without `/` is another name
/// where the node is. Scripts stay as they are.
///
/// # Errors
/// A node that is not there, or belongs to an instanced or inherited scene; a name that is taken or that none can
/// be; a scene of the project that cannot be read; an animation that other scenes play with the old name.
///
/// ```
/// use godot_resource::{Project, rename_node};
///
/// let read = |path: &str| Some(match path {
///     "lamp.tscn" => "[gd_scene format=3]\n\n[node name=\"Lamp\" type=\"Node2D\"]\n\n[node name=\"Bulb\" type=\"Sprite2D\" parent=\".\"]\n",
///     _ => "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://lamp.tscn\" id=\"1\"]\n\n\
///         [node name=\"Red\" instance=ExtResource(\"1\")]\n\n[node name=\"Bulb\" parent=\".\"]\nmodulate = Color(1, 0, 0, 1)\n",
/// }.into());
/// let project = Project::new(["lamp.tscn".to_owned(), "red.tscn".to_owned()], read);
/// let renamed = rename_node(&project, "lamp.tscn", "Bulb", "Light")?;
/// assert_eq!((renamed.len(), &*renamed[1].changes[0].place), (2, "Red/Bulb:name"));
/// assert!(String::from_utf8_lossy(&renamed[1].bytes).contains("[node name=\"Light\" parent=\".\"]"));
/// # Ok::<(), godot_resource::Error>(())
/// ```
pub fn rename_node(
    project: &Project<'_>,
    scene: &str,
    old: &str,
    new: &str,
) -> Result<Vec<Renamed>> {
    if let Some(Err(error)) = project.contents(scene) {
        return Err(in_file(scene, &error));
    }
    let own = project.outline(scene).ok_or_else(|| refused(format!("{scene} is no scene")))?;
    let (old, new) = own_paths(project, &own, old, new)?;
    let mapper = Mapper { project, scene, old: &old, new: &new };
    let (mut done, mut players) = (Vec::new(), BTreeMap::new());
    for file in project.files().filter(|file| is_scene(file)) {
        let bytes = read(project, file)?;
        let contents = Options::new().open(&bytes).map_err(|error| in_file(file, &error))?;
        if let Some(line) = conflict_marks(&bytes).next().filter(|_| !Binary::is_binary(&bytes)) {
            return Err(refused(format!("{file}: line {line} is a mark of a conflict")));
        }
        let Some(outline) = project.outline(file) else { continue };
        for node in outline.nodes.iter().filter(|node| !node.animations.is_empty()) {
            let Some((base, true)) = mapper.base(&outline, &node.path) else { continue };
            for animation in &node.animations {
                animations(project, animation, &base, &mut players);
            }
        }
        if project.leads_to(file, scene) {
            let edits = in_scene(&mapper, &outline, &contents);
            let edits = edits.map_err(|error| in_file(file, &error))?;
            done.extend(apply::apply(file, bytes, contents, edits)?);
        }
    }
    for (file, bases) in players {
        // An animation may be imported from a file that is not in the project.
        if !project.files().any(|own| own == file) {
            continue;
        }
        let bytes = read(project, &file)?;
        let contents = Options::new().open(&bytes).map_err(|error| in_file(&file, &error))?;
        let all = contents.resources.iter().map(|own| (&own.class, &own.properties));
        let all = all.chain([(&contents.class, &contents.properties)]).enumerate();
        let mut edits = Edits::default();
        for (place, (class, properties)) in all {
            let kind = match place < contents.resources.len() {
                true => Kind::Resource,
                false => Kind::Main,
            };
            let edited = mapper.properties(class, properties, |_| &bases);
            edits.properties(kind, place, edited.map_err(|error| in_file(&file, &error))?);
        }
        done.extend(apply::apply(&file, bytes, contents, edits)?);
    }
    done.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(done)
}

fn read(project: &Project<'_>, file: &str) -> Result<Vec<u8>> {
    project.read(file).ok_or_else(|| refused(format!("{file} cannot be read")))
}

fn is_scene(path: &str) -> bool {
    is_resource(path) && path.ends_with("scn")
}

#[cold]
fn refused(text: String) -> Error {
    Error::new(ErrorKind::Data, text)
}

#[cold]
fn in_file(file: &str, error: &Error) -> Error {
    refused(format!("{file}: {error}"))
}

/// The old and the new path of the node, which can have it.
fn own_paths(
    project: &Project<'_>,
    outline: &Rc<Outline>,
    old: &str,
    new: &str,
) -> Result<(String, String)> {
    let is_there = |path: &str| matches!(project.find(outline, path), Found::At(..));
    let from_root = |path: &str| below(path, &outline.root).map(str::to_owned);
    let mut from = text_of(&NodePath::new(old));
    let mut to = text_of(&NodePath::new(new));
    if !is_there(&from) {
        from = from_root(&from).unwrap_or(from);
        to = from_root(&to).filter(|_| new.contains('/')).unwrap_or(to);
    }
    if !is_there(&from) {
        return Err(refused(format!("the scene has no node `{old}`")));
    }
    let node = outline.declared(&from).map(|(_, node)| node);
    let Some(node) = node.filter(|node| node.kind != NodeKind::Override || from.is_empty()) else {
        let Found::At(other, _) = project.find(outline, &from) else { return Err(refused(from)) };
        let text = format!("`{from}` is a node of {}: there it can be renamed", other.file);
        return Err(refused(text));
    };
    let name = to.rsplit('/').next().unwrap_or_default().to_owned();
    let name = name.as_str();
    if name.is_empty() || name.contains(['.', ':', '@', '/', '"', '%']) {
        return Err(refused(format!("no node can have the name `{name}`")));
    }
    let Some((parent, own_name)) = parent_of(&from) else {
        return match to.contains('/') {
            true => Err(refused("the root has no other place".to_owned())),
            false => Ok((from, to)),
        };
    };
    if !new.contains('/') && name != own_name {
        to = join(parent, name);
    }
    let Some((above, _)) = parent_of(&to) else { return Err(refused(to)) };
    if above == from || above.starts_with(&[&*from, "/"].concat()) {
        return Err(refused(format!("`{from}` cannot be moved below itself")));
    }
    if let Found::Missing { .. } = project.find(outline, above) {
        return Err(refused(format!(
            "the scene has no node `{above}`, in which `{name}` would be"
        )));
    }
    if from == to || is_there(&to) {
        return Err(refused(format!("the scene has a node `{to}`")));
    }
    let other = project.unique(outline, "", name).filter(|other| *other != from);
    if let Some(other) = other.filter(|_| node.is_unique) {
        return Err(refused(format!("the unique name `%{name}` is that of `{other}`")));
    }
    Ok((from, to))
}

/// Adds where the paths in a file of animations start, and those in the files that it refers to.
fn animations(
    project: &Project<'_>,
    file: &str,
    base: &Base,
    found: &mut BTreeMap<String, Vec<Base>>,
) {
    let mut open = vec![file.to_owned()];
    while let Some(file) = open.pop() {
        if is_scene(&file) || !is_resource(&file) {
            continue;
        }
        let bases = found.entry(file.clone()).or_default();
        if bases.iter().any(|own| own.is_same(base)) {
            continue;
        }
        bases.push(base.clone());
        if let Some(Ok(contents)) = project.contents(&file) {
            let targets = contents.externals.iter().filter_map(|own| project.target(&file, own));
            open.extend(targets);
        }
    }
}

/// The changes of a scene in which the node is.
fn in_scene(mapper: &Mapper<'_>, outline: &Rc<Outline>, contents: &Contents) -> Result<Edits> {
    let Some(scene) = &contents.scene else { return Ok(Edits::default()) };
    let mut edits = nodes(mapper, outline, scene)?;
    let links = Links::new(contents);
    let mut bases: BTreeMap<&str, Vec<Base>> = BTreeMap::new();
    for (place, (node, own)) in outline.nodes.iter().zip(&scene.nodes).enumerate() {
        let itself = [mapper.at(outline, &node.path)];
        let player = mapper.base(outline, &node.path);
        let player = player.filter(|(_, is_elsewhere)| *is_elsewhere).map(|(base, _)| [base]);
        let player = player.as_ref().unwrap_or(&itself);
        let edited = mapper.properties("", &own.properties, |name| match name {
            "root_motion_track" => player,
            _ => &itself,
        });
        edits.properties(Kind::Node, place, edited?);
        for id in links.reached(&own.properties).0 {
            let all = bases.entry(id).or_default();
            for base in player {
                if !all.iter().any(|own| own.is_same(base)) {
                    all.push(base.clone());
                }
            }
        }
    }
    let root = [mapper.at(outline, "")];
    for (place, own) in contents.resources.iter().enumerate() {
        let Some(bases) = bases.get(&*own.id) else { continue };
        let bases = if own.class == "ViewportTexture" { &root[..] } else { bases };
        let edited = mapper.properties(&own.class, &own.properties, |_| bases);
        edits.properties(Kind::Resource, place, edited.map_err(|error| error.inside(&*own.id))?);
    }
    Ok(edits)
}

/// The changes of nodes, connections and editable instances.
fn nodes(mapper: &Mapper<'_>, outline: &Rc<Outline>, scene: &Scene) -> Result<Edits> {
    let mut edits = Edits::default();
    let is_own = outline.file == mapper.scene;
    for (place, (node, own)) in outline.nodes.iter().zip(&scene.nodes).enumerate() {
        if is_own && node.path.is_empty() && mapper.old.is_empty() {
            edits.field(Kind::Node, place, "name", &own.name, mapper.new);
            continue;
        }
        let Some((parent, name)) = parent_of(&node.path) else { continue };
        let new = mapper.path(outline, &node.path);
        let Some((new_parent, new_name)) = parent_of(&new) else { continue };
        if node.kind != NodeKind::Override && mapper.is_taken(outline, &node.path) {
            let text = format!("the scene has a node `{}` of its own", node.path);
            return Err(refused(text));
        }
        edits.field(Kind::Node, place, "name", name, new_name);
        if parent != new_parent {
            edits.field(Kind::Node, place, "parent", dotted(parent), dotted(new_parent));
        }
        let is_it = mapper.is_moved(outline, &node.path);
        if is_it && let Some(index) = own.index {
            edits.field(Kind::Node, place, "index", &index.to_string(), "");
        }
        if is_it && is_own && !own.parent_id_path.is_empty() {
            edits.field(Kind::Node, place, "parent_id_path", "", "");
        }
        if let Some(owner) = &own.owner {
            let owner = text_of(owner);
            let new = mapper.path(outline, &owner);
            edits.field(Kind::Node, place, "owner", dotted(&owner), dotted(&new));
        }
    }
    for (place, own) in scene.connections.iter().enumerate() {
        for (name, path) in [("from", &own.from), ("to", &own.to)] {
            let path = text_of(path);
            let new = mapper.path(outline, &path);
            edits.field(Kind::Connection, place, name, dotted(&path), dotted(&new));
        }
    }
    for (place, path) in scene.editable.iter().enumerate() {
        let path = text_of(path);
        let new = mapper.path(outline, &path);
        edits.field(Kind::Editable, place, "path", dotted(&path), dotted(&new));
    }
    if is_own
        && !mapper.old.is_empty()
        && parent_of(mapper.old).map(|own| own.0) != parent_of(mapper.new).map(|own| own.0)
    {
        edits.order = Some(order(mapper, outline));
    }
    Ok(edits)
}

/// The places of the nodes, of which the moved ones come as the last children of their new parent.
fn order(mapper: &Mapper<'_>, outline: &Outline) -> Vec<usize> {
    let is_in = |path: &str, above: &str| below(path, above).is_some();
    let all = outline.nodes.iter().enumerate();
    let (moved, mut rest): (Vec<_>, Vec<_>) =
        all.partition(|(_, node)| is_in(&node.path, mapper.old));
    let above = parent_of(mapper.new).map_or("", |(above, _)| above);
    let last = rest.iter().rposition(|(_, node)| is_in(&node.path, above));
    let at = last.map_or(rest.len(), |last| last.saturating_add(1));
    rest.splice(at..at, moved);
    rest.into_iter().map(|(place, _)| place).collect()
}

impl Mapper<'_> {
    /// The new values of properties, by their names: of those in which a path leads elsewhere.
    fn properties<'b>(
        &self,
        class: &str,
        properties: &Properties,
        bases: impl Fn(&str) -> &'b [Base],
    ) -> Result<Vec<(String, Value)>> {
        let mut changed = Vec::new();
        for (name, value) in properties {
            let (mut new, mut wrong) = (value.clone(), None);
            let has_texts = name == "filters" && class.starts_with("AnimationNode");
            replace_values(&mut new, &mut |value| {
                let (path, is_text) = match value {
                    Value::NodePath(path) => ((**path).clone(), false),
                    Value::String(text) if has_texts => (NodePath::new(text), true),
                    _ => return true,
                };
                match self.new_path(bases(name), &path) {
                    Ok(Some(new)) if is_text => *value = new.to_string().into(),
                    Ok(Some(new)) => *value = new.into(),
                    Ok(None) => {}
                    Err(error) => wrong = Some(error),
                }
                false
            });
            if let Some(error) = wrong {
                return Err(error.inside(name.as_str()));
            }
            if new != *value {
                changed.push((name.to_string(), new));
            }
        }
        Ok(changed)
    }
}
