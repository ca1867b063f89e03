//! A scene as other scenes see it: which nodes it has, and of which scenes.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use godot_variant::Value;
use godot_variant::types::{GString, NodePath};
use godot_variant::value::{Object, Reference};

use super::{Project, is_resource, join, parent_of, text_of, walk};
use crate::contents::{Properties, each_value};
use crate::{Contents, External};

/// Scenes that stand in one another, one in the next. Engines stop far before.
pub(crate) const MAX_DEPTH: usize = 64;

/// The nodes of a scene.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) file: String,
    /// The name of the root.
    pub(crate) root: String,
    pub(crate) nodes: Vec<NodeOutline>,
    /// The tree of their paths, from the root.
    steps: Vec<Step>,
    /// Signal, source, target and method of each connection.
    pub(crate) connections: Vec<[String; 4]>,
}

/// A name on the way to nodes.
#[derive(Debug, Default)]
pub(crate) struct Step {
    next: HashMap<String, usize>,
    /// The first node here, and the first one that the scene declares itself.
    pub(crate) node: Option<usize>,
    pub(crate) declared: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct NodeOutline {
    /// From the root, which is empty.
    pub(crate) path: String,
    pub(crate) kind: NodeKind,
    pub(crate) has_script: bool,
    pub(crate) is_unique: bool,
    pub(crate) unique_id: Option<i32>,
    /// Properties that are paths of nodes.
    pub(crate) paths: Vec<(GString, NodePath)>,
    /// Other files whose paths of nodes start where the node says: animations and the like.
    pub(crate) animations: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Class(GString),
    /// Of a scene, if the file is one of the project.
    Instance(Option<String>),
    /// A script decides what it is an instance of, and when.
    Placeholder,
    /// Changes of a node that another scene has.
    Override,
}

/// Where the node at a path is.
pub(crate) enum Found {
    /// In this scene.
    At(Rc<Outline>, usize),
    /// Nowhere; a script may make it where the node in whose place it would be has one.
    Missing { has_script: bool },
    /// In a scene that cannot be read.
    Unknown,
}

/// The property that says where the paths in resources of a node start, for classes that have one.
fn root_property(class: &str) -> Option<&'static str> {
    match class {
        "AnimationPlayer" | "AnimationTree" | "AnimationMixer" => Some("root_node"),
        "MultiplayerSynchronizer" => Some("root_path"),
        _ => None,
    }
}

impl Outline {
    pub(crate) fn new(project: &Project<'_>, file: &str, contents: &Contents) -> Option<Self> {
        let scene = contents.scene.as_ref()?;
        let target = |external: &External| project.target(file, external);
        let links = Links::new(contents);
        let mut steps = vec![Step::default()];
        let mut nodes = Vec::with_capacity(scene.nodes.len());
        for (place, node) in scene.nodes.iter().enumerate() {
            let path = match &node.parent {
                None => String::new(),
                Some(parent) => join(&text_of(parent), &node.name),
            };
            let kind = match (&node.instance, &node.class, &node.placeholder) {
                (Some(reference), ..) => NodeKind::Instance(match reference {
                    Reference::External(id) => links.external(id).and_then(target),
                    Reference::File { path, uid } => {
                        let external = External { path: path.clone(), ..External::default() };
                        target(&External { uid: crate::Uid::parse(uid), ..external })
                    }
                    _ => None,
                }),
                (None, Some(class), _) => NodeKind::Class(class.clone()),
                (None, None, Some(_)) => NodeKind::Placeholder,
                (None, None, None) => NodeKind::Override,
            };
            let mut at = 0;
            for name in path.split('/').filter(|name| !name.is_empty()) {
                let new = steps.len();
                let Some(step) = steps.get_mut(at) else { break };
                at = *step.next.entry(name.to_owned()).or_insert(new);
                if at == new {
                    steps.push(Step::default());
                }
            }
            if let Some(step) = steps.get_mut(at) {
                step.node.get_or_insert(place);
                if kind != NodeKind::Override || path.is_empty() {
                    step.declared.get_or_insert(place);
                }
            }
            let paths = node.properties.iter().filter_map(|(name, value)| match value {
                Value::NodePath(path) => Some((name.clone(), (**path).clone())),
                _ => None,
            });
            let may_play = match &kind {
                NodeKind::Class(class) => root_property(class).is_some(),
                _ => true,
            };
            let files = match may_play {
                true => links.reached(&node.properties).1,
                false => Vec::new(),
            };
            nodes.push(NodeOutline {
                path,
                has_script: node.get("script").is_some_and(|script| !script.is_null()),
                is_unique: node.get("unique_name_in_owner") == Some(&Value::Bool(true)),
                unique_id: node.unique_id,
                paths: paths.collect(),
                animations: files
                    .into_iter()
                    .filter_map(target)
                    .filter(|own| is_resource(own))
                    .collect(),
                kind,
            });
        }
        let connections = scene.connections.iter().map(|own| {
            let (from, to) = (text_of(&own.from), text_of(&own.to));
            [own.signal.to_string(), from, to, own.method.to_string()]
        });
        let connections = connections.collect();
        let root = scene.nodes.first().map_or_else(String::new, |root| root.name.to_string());
        Some(Outline { file: file.to_owned(), root, nodes, steps, connections })
    }

    /// The steps on the way to a path, from the root on, as far as there are some; and how long the way is so far.
    pub(crate) fn way(&self, path: &str) -> impl Iterator<Item = (usize, &Step)> {
        let mut names = path.split('/').filter(|name| !name.is_empty());
        let first = self.steps.first().map(|step| (0_usize, step));
        std::iter::successors(first, move |(len, step)| {
            let name = names.next()?;
            let next = self.steps.get(*step.next.get(name)?)?;
            let slash = usize::from(*len > 0);
            Some((len.saturating_add(slash).saturating_add(name.len()), next))
        })
    }

    fn step(&self, path: &str) -> Option<&Step> {
        self.way(path).last().filter(|(len, _)| *len == path.len()).map(|(_, step)| step)
    }

    /// The node that the scene declares at a path.
    pub(crate) fn declared(&self, path: &str) -> Option<(usize, &NodeOutline)> {
        let place = self.step(path)?.declared?;
        Some((place, self.nodes.get(place)?))
    }

    /// The innermost node on the way to a path that the scene declares itself.
    pub(crate) fn innermost(&self, path: &str) -> Option<(usize, &NodeOutline)> {
        let place = self.way(path).filter_map(|(_, step)| step.declared).last()?;
        Some((place, self.nodes.get(place)?))
    }

    /// The node at a path, or the changes that the scene makes to it.
    pub(crate) fn at(&self, path: &str) -> Option<(usize, &NodeOutline)> {
        let place = self.step(path)?.node?;
        Some((place, self.nodes.get(place)?))
    }

    /// Whether the node at a path belongs to the scene, and not to one that it has instances of.
    pub(crate) fn owns(&self, path: &str) -> bool {
        self.innermost(path).is_some_and(|(_, node)| node.path == path || node.path.is_empty())
    }
}

impl Project<'_> {
    /// Where the node at a path of a scene is.
    pub(crate) fn find(&self, scene: &Rc<Outline>, path: &str) -> Found {
        self.search(scene, path, scene.innermost(path))
    }

    /// Where the node is that a scene changes at a path, or that it has there beside its own one.
    pub(crate) fn find_beneath(&self, scene: &Rc<Outline>, path: &str) -> Found {
        let above = parent_of(path).and_then(|(parent, _)| scene.innermost(parent));
        self.search(scene, path, above)
    }

    fn search(
        &self,
        scene: &Rc<Outline>,
        mut path: &str,
        first: Option<(usize, &NodeOutline)>,
    ) -> Found {
        let mut outline = Rc::clone(scene);
        let Some((mut place, _)) = first else { return Found::Missing { has_script: false } };
        let mut has_script = false;
        for _ in 0..MAX_DEPTH {
            let Some(node) = outline.nodes.get(place) else { break };
            has_script |= node.has_script;
            path = path.get(node.path.len()..).unwrap_or_default().trim_start_matches('/');
            if path.is_empty() {
                return Found::At(outline, place);
            }
            let inner = match &node.kind {
                NodeKind::Instance(Some(file)) => self.outline(file),
                NodeKind::Instance(None) | NodeKind::Placeholder => None,
                // A first node without a class inherits nothing.
                NodeKind::Class(_) | NodeKind::Override => return Found::Missing { has_script },
            };
            let Some(inner) = inner else { return Found::Unknown };
            let Some((next, _)) = inner.innermost(path) else { break };
            (outline, place) = (inner, next);
        }
        Found::Unknown
    }

    /// The node at a path from the outside in: the changes of the scene, the node, and the roots of the scenes that
    /// it is an instance of.
    fn layers(&self, scene: &Rc<Outline>, path: &str) -> Vec<(Rc<Outline>, usize)> {
        let changed = scene.at(path).map(|(place, _)| (Rc::clone(scene), place));
        let mut all: Vec<_> = changed.into_iter().collect();
        let mut found = self.find(scene, path);
        while let Found::At(outline, place) = found {
            let kind = outline.nodes.get(place).map(|node| node.kind.clone());
            all.push((outline, place));
            found = match kind {
                Some(NodeKind::Instance(Some(file))) if all.len() < MAX_DEPTH => {
                    match self.outline(&file) {
                        Some(inner) => self.find(&inner, ""),
                        None => break,
                    }
                }
                _ => break,
            };
        }
        all
    }

    /// The node that a unique name leads to from a node of a scene.
    pub(crate) fn unique(&self, scene: &Rc<Outline>, from: &str, name: &str) -> Option<String> {
        if !scene.owns(from) {
            return None;
        }
        let mut outline = Rc::clone(scene);
        for _ in 0..MAX_DEPTH {
            let is_it = |node: &&NodeOutline| {
                node.is_unique && parent_of(&node.path).is_some_and(|(_, own)| own == name)
            };
            if let Some(node) = outline.nodes.iter().find(is_it) {
                return Some(node.path.clone());
            }
            // The nodes of an inherited scene have the same owner.
            outline = match &outline.nodes.first()?.kind {
                NodeKind::Instance(Some(file)) => self.outline(file)?,
                _ => return None,
            };
        }
        None
    }

    /// Where the paths in the resources of a node start, if that is not the node itself.
    pub(crate) fn root_of(&self, scene: &Rc<Outline>, path: &str) -> Option<Root> {
        let layers = self.layers(scene, path);
        let nodes = || layers.iter().filter_map(|(outline, place)| outline.nodes.get(*place));
        let property = match &nodes().next_back()?.kind {
            NodeKind::Class(class) => root_property(class)?,
            _ => return None,
        };
        let own = nodes().find_map(|node| {
            node.paths.iter().find(|(name, _)| name == property).map(|(_, path)| path)
        });
        let root = walk(path, &own.map_or_else(|| vec!["..".into()], |own| own.names.clone()));
        (root.above == 0).then_some(Root { path: root.path, is_default: own.is_none() })
    }
}

/// Where the paths of animations start.
pub(crate) struct Root {
    pub(crate) path: String,
    /// Whether no property says so: it is the parent.
    pub(crate) is_default: bool,
}

/// The resources and files of a file by their ids.
pub(crate) struct Links<'c> {
    resources: HashMap<&'c str, &'c Properties>,
    externals: HashMap<&'c str, &'c External>,
}

impl<'c> Links<'c> {
    pub(crate) fn new(contents: &'c Contents) -> Self {
        let resources = contents.resources.iter().map(|own| (&*own.id, &own.properties));
        let externals = contents.externals.iter().map(|own| (&*own.id, own));
        Links { resources: resources.collect(), externals: externals.collect() }
    }

    pub(crate) fn external(&self, id: &str) -> Option<&'c External> {
        self.externals.get(id).copied()
    }

    pub(crate) fn resource(&self, id: &str) -> Option<&'c Properties> {
        self.resources.get(id).copied()
    }

    /// The resources to which properties lead, by their ids, and the files.
    pub(crate) fn reached(
        &self,
        properties: &'c Properties,
    ) -> (HashSet<&'c str>, Vec<&'c External>) {
        let (mut inside, mut files) = (HashSet::new(), Vec::new());
        let mut open = vec![properties];
        while let Some(properties) = open.pop() {
            for (_, value) in properties {
                each_value(value, &mut |value| {
                    let Value::Object(Object::Reference(reference)) = value else { return };
                    match &**reference {
                        Reference::Internal(id) => {
                            let resource = self.resources.get(id.as_str());
                            open.extend(resource.filter(|_| inside.insert(id.as_str())));
                        }
                        Reference::External(id) => files.extend(self.external(id)),
                        _ => {}
                    }
                });
            }
        }
        (inside, files)
    }
}
