//! Checks of the nodes of a scene, with the scenes that it has instances of.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use godot_variant::Value;
use godot_variant::types::{GString, NodePath};

use super::finding::Fix;
use super::{At, Linter, Rule};
use crate::contents::each_value;
use crate::project::{
    Found, Links, MAX_DEPTH, NodeKind, Outline, Step, below, dotted, parent_of, text_of, walk,
};
use crate::scene::Scene;
use crate::{Contents, Project};

/// `Object.CONNECT_REFERENCE_COUNTED`: such a connection may be made more than once.
const COUNTED: i32 = 8;

/// Properties of the engine's nodes that are paths of nodes of the same scene.
const OWN_PATHS: [&str; 12] = [
    "remote_path",
    "focus_neighbor_left",
    "focus_neighbor_top",
    "focus_neighbor_right",
    "focus_neighbor_bottom",
    "focus_next",
    "focus_previous",
    "node_a",
    "node_b",
    "anim_player",
    "root_node",
    "root_path",
];

impl Linter<'_> {
    pub(super) fn scene(&mut self, contents: &Contents) {
        let Some(scene) = &contents.scene else { return };
        let Some(outline) = Outline::new(self.project, self.path, contents) else { return };
        let outline = Rc::new(outline);
        self.nodes(scene, &outline);
        self.cycles(&outline);
        self.unique_names(&outline);
        self.connections(scene, &outline);
        self.node_paths(scene, &outline);
        self.animations(contents, &outline);
    }

    /// Adds findings of nodes, by their places.
    fn add_nodes(&mut self, wrong: Vec<(usize, Rule, String, Option<Fix>)>) {
        let numbers = self.numbers("node");
        for (place, rule, why, fix) in wrong {
            let at = numbers.get(place).map_or(At::File, |number| At::Section(*number));
            self.add(rule, at, why, fix);
        }
    }

    fn nodes(&mut self, scene: &Scene, outline: &Rc<Outline>) {
        let project = self.project;
        let mut met: HashSet<&str> = HashSet::new();
        // A node below one that is not there has no finding of its own.
        let mut lost: HashSet<usize> = HashSet::new();
        let mut wrong = Vec::new();
        for (place, (node, own)) in outline.nodes.iter().zip(&scene.nodes).enumerate() {
            let path = &*node.path;
            let name = &own.name;
            let Some((parent, _)) = parent_of(path) else {
                if place > 0 {
                    let why = format!("`{name}` says no parent, and the engine loads nothing");
                    wrong.push((place, Rule::DanglingParent, why, None));
                }
                continue;
            };
            if place == 0 {
                let why = format!("`{name}` is the first node and says a parent");
                wrong.push((place, Rule::DanglingParent, why, None));
            }
            if !met.insert(path) {
                let why = format!("`{path}` is there twice; children go to the last one");
                wrong.push((place, Rule::DuplicateNode, why, None));
            }
            let is_lost = |step: &Step| step.node.is_some_and(|node| lost.contains(&node));
            if outline.way(parent).any(|(_, step)| is_lost(step)) {
                continue;
            }
            if is_missing(&project.find(outline, parent)) {
                let why = format!("the parent `{parent}` of `{name}` is not there");
                wrong.push((place, Rule::DanglingParent, why, None));
                lost.insert(place);
                continue;
            }
            let above = outline.innermost(parent).map(|(at, node)| (at, &*node.path));
            if let Some((_, above)) = above.filter(|(at, _)| *at > place) {
                let why = format!("`{name}` stands before `{above}`, and is hung on the root");
                wrong.push((place, Rule::LateParent, why, Some(Fix::Order)));
            }
            let is_override = node.kind == NodeKind::Override;
            match project.find_beneath(outline, path) {
                Found::At(other, _) if !is_override => {
                    let why = format!("`{path}` is in `{}`, too", other.file);
                    wrong.push((place, Rule::DuplicateNode, why, None));
                }
                Found::Missing { .. } if is_override => {
                    let mut why = format!("`{path}` is changed, and not there any more");
                    if let Some(now) = self.with_id(outline, parent, node.unique_id) {
                        why += &format!("; the node with its id is `{now}`");
                    }
                    wrong.push((place, Rule::StaleOverride, why, None));
                    lost.insert(place);
                }
                _ => {}
            }
        }
        self.add_nodes(wrong);
    }

    /// The name of the node with an id in the scene that the nodes below a parent are of.
    fn with_id(&self, outline: &Rc<Outline>, parent: &str, id: Option<i32>) -> Option<GString> {
        let (_, above) = outline.innermost(parent)?;
        let NodeKind::Instance(Some(file)) = &above.kind else { return None };
        let inner = self.project.outline(file)?;
        let node = inner.nodes.iter().find(|node| node.unique_id.is_some() && node.unique_id == id);
        node.and_then(|node| parent_of(&node.path)).map(|(_, name)| name.into())
    }

    fn cycles(&mut self, outline: &Rc<Outline>) {
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut wrong = Vec::new();
        for (place, node) in outline.nodes.iter().enumerate() {
            let NodeKind::Instance(Some(file)) = &node.kind else { continue };
            let leads_back = || self.project.leads_to(file, &outline.file);
            if *known.entry(file).or_insert_with(leads_back) {
                let why = format!("`{file}` has an instance of this scene in it");
                wrong.push((place, Rule::InstanceCycle, why, None));
            }
        }
        self.add_nodes(wrong);
    }

    fn unique_names(&mut self, outline: &Rc<Outline>) {
        let mut met: HashMap<&str, &str> = HashMap::new();
        let mut wrong = Vec::new();
        let own = outline.nodes.iter().enumerate();
        for (place, node) in own.filter(|(_, node)| node.is_unique && outline.owns(&node.path)) {
            let Some((_, name)) = parent_of(&node.path) else { continue };
            if let Some(other) = met.insert(name, &node.path).filter(|other| *other != node.path) {
                let why = format!("`%{name}` is `{other}`, too");
                wrong.push((place, Rule::DuplicateName, why, None));
            }
        }
        self.add_nodes(wrong);
    }

    fn connections(&mut self, scene: &Scene, outline: &Rc<Outline>) {
        let project = self.project;
        let numbers = self.numbers("connection");
        let mut met = HashSet::new();
        for (place, (own, names)) in scene.connections.iter().zip(&outline.connections).enumerate()
        {
            let number = numbers.get(place).copied();
            let at = |name| number.map_or(At::File, |number| At::Field(number, name));
            let [signal, from, to, method] = names;
            let is_new = met.insert(names) && !is_inherited(project, outline, names);
            if !is_new && own.flags & COUNTED == 0 {
                let why =
                    format!("`{signal}` is connected to `{method}` of `{}` twice", dotted(to));
                let fix = number.map(Fix::Section);
                self.add(Rule::DuplicateConnection, at("signal"), why, fix);
            }
            let mut ends = [("from", from), ("to", to)].into_iter();
            let lost = ends.find(|(_, path)| is_missing(&project.find(outline, path)));
            if let Some((name, path)) = lost {
                let why =
                    format!("the connection of `{signal}` is {name} `{path}`, which is not there");
                self.add(Rule::StaleConnection, at(name), why, None);
            }
        }
        let numbers = self.numbers("editable");
        for (place, path) in scene.editable.iter().enumerate() {
            let path = text_of(path);
            if is_missing(&project.find(outline, &path)) {
                let at = numbers.get(place).map_or(At::File, |number| At::Field(*number, "path"));
                self.add(Rule::StaleEditable, at, format!("`{path}` is not there"), None);
            }
        }
    }

    /// Paths in properties of nodes.
    fn node_paths(&mut self, scene: &Scene, outline: &Rc<Outline>) {
        let numbers = self.numbers("node");
        for (place, (node, own)) in outline.nodes.iter().zip(&scene.nodes).enumerate() {
            for (name, value) in &own.properties {
                let is_node = own.node_paths.contains(name);
                if !is_node && !OWN_PATHS.contains(&name.as_str()) {
                    continue;
                }
                let mut lost = None;
                each_value(value, &mut |value| {
                    if let Value::NodePath(path) = value
                        && leads_nowhere(self.project, outline, &node.path, path)
                    {
                        lost = Some(path);
                    }
                });
                let Some(lost) = lost else { continue };
                let at =
                    numbers.get(place).map_or(At::File, |number| self.at_property(*number, name));
                self.add(Rule::DanglingPath, at, format!("`{lost}` leads nowhere"), None);
            }
        }
    }

    /// Tracks of animations, and what is synchronized.
    fn animations(&mut self, contents: &Contents, outline: &Rc<Outline>) {
        let links = Links::new(contents);
        let scene = contents.scene.iter().flat_map(|scene| &scene.nodes);
        // An animation of two players is lost where it is for both.
        let mut found: BTreeMap<(&str, &str), (bool, &NodePath)> = BTreeMap::new();
        for (node, own) in outline.nodes.iter().zip(scene) {
            let Some(root) = self.project.root_of(outline, &node.path) else { continue };
            for id in links.reached(&own.properties).0 {
                let resource = links.resource(id).into_iter().flatten();
                for (name, value) in resource.filter(|(name, _)| name.ends_with("/path")) {
                    let Value::NodePath(path) = value else { continue };
                    let is_lost = leads_nowhere(self.project, outline, &root.path, path);
                    let all = found.entry((id, name.as_str())).or_insert((true, &**path));
                    all.0 &= is_lost;
                }
            }
        }
        let tags = self.numbers("sub_resource");
        let places = contents.resources.iter().zip(tags).map(|(own, tag)| (&*own.id, tag));
        let places: HashMap<&str, usize> = places.collect();
        for ((id, name), (is_lost, path)) in found {
            if is_lost {
                let at = places.get(id).map_or(At::File, |number| self.at_property(*number, name));
                self.add(Rule::DanglingPath, at, format!("`{path}` leads nowhere"), None);
            }
        }
    }

    fn at_property(&self, number: usize, name: &str) -> At<'static> {
        let section = self.sections.get(number).map(|(_, own)| own);
        let place = section.and_then(|own| own.properties().position(|(own, _)| own == name));
        place.map_or(At::Section(number), |place| At::Property(number, place))
    }
}

fn is_missing(found: &Found) -> bool {
    matches!(found, Found::Missing { .. })
}

/// Whether a scene that both ends of a connection are of makes it, too.
fn is_inherited(project: &Project<'_>, outline: &Rc<Outline>, names: &[String; 4]) -> bool {
    let [signal, from, to, method] = names.each_ref().map(String::as_str);
    let (mut outline, mut from, mut to) = (Rc::clone(outline), from, to);
    for _ in 0..MAX_DEPTH {
        let inner = outline.innermost(from).and_then(|(_, node)| match &node.kind {
            NodeKind::Instance(Some(file)) => Some((&node.path, file)),
            _ => None,
        });
        let Some((path, file)) = inner else { return false };
        let ends = below(from, path).zip(below(to, path));
        let Some(ends) = ends else { return false };
        (from, to) = ends;
        let Some(inner) = project.outline(file) else { return false };
        if inner.connections.iter().any(|own| *own == [signal, from, to, method]) {
            return true;
        }
        outline = inner;
    }
    false
}

/// Whether a path that starts at a node leads to none, in the scene or out of it, as far as files can tell.
fn leads_nowhere(
    project: &Project<'_>,
    outline: &Rc<Outline>,
    from: &str,
    path: &NodePath,
) -> bool {
    let is_unique = path.names.iter().any(|name| name.as_str().starts_with('%'));
    if path.absolute || path.names.is_empty() || is_unique {
        return false;
    }
    let to = walk(from, &path.names);
    let found = project.find(outline, &to.path);
    to.above == 0 && matches!(found, Found::Missing { has_script: false })
}
