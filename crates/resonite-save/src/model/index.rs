use std::collections::HashMap;
use std::fmt::Write as _;

use resonite_brson::Value;
use resonite_brson::value::{Children, Document, Key};

use super::leaves::{Role, referred};

/// The kinds of objects that have identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Defined {
    /// A slot.
    Slot,
    /// A component, on a slot or in the list of assets.
    Component,
    /// A member of a slot, component or object.
    Member,
    /// An element of a list.
    Element,
    /// A member that is not stored, under a key that ends in `-ID`.
    Bare,
    /// A slot's member that refers to its parent.
    ParentReference,
}

/// A value that is the identifier of another object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The identifier.
    pub id: &'a str,
    /// Its path: `Object.Components.Data[0].Data.Target.Data`.
    pub path: String,
}

/// All identifiers of a save, the objects that have them, and the references to them.
///
/// Text that is written like an identifier under `Data` or `Target` counts as a reference: the file
/// does not tell them apart.
#[derive(Clone, Debug, Default)]
pub struct Index<'a> {
    /// Containers, each with the one around it.
    nodes: Vec<IndexNode<'a>>,
    defined: HashMap<&'a str, Definition<'a>>,
    repeated: Vec<&'a str>,
    references: Vec<(&'a str, LeafPosition<'a>)>,
}

#[derive(Clone, Copy, Debug)]
struct IndexNode<'a> {
    outer: usize,
    step: IndexStep<'a>,
}

#[derive(Clone, Copy, Debug)]
enum IndexStep<'a> {
    Root,
    Key(&'a str),
    Item(usize),
}

/// A leaf: the container it is in, and its step there.
#[derive(Clone, Copy, Debug)]
struct LeafPosition<'a> {
    node: usize,
    step: IndexStep<'a>,
}

#[derive(Clone, Copy, Debug)]
struct Definition<'a> {
    what: Defined,
    place: LeafPosition<'a>,
}

/// A container that is open: its node, the key that it is under, and how many values were read.
struct IndexLevel<'a> {
    node: usize,
    key: &'a str,
    read: usize,
    children: Children<'a>,
}

impl<'a> Index<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let mut index = Index::default();
        let mut parents = Vec::new();
        index.nodes.push(IndexNode { outer: 0, step: IndexStep::Root });
        let children = Children::Entries(document.iter());
        let mut levels = vec![IndexLevel { node: 0, key: "", read: 0, children }];
        while let Some(level) = levels.last_mut() {
            let Some((own, value)) = level.children.next_entry() else {
                levels.pop();
                continue;
            };
            let (node, read) = (level.node, level.read);
            level.read = read.saturating_add(1);
            let key = own.map_or(level.key, Key::as_str);
            let step = own.map_or(IndexStep::Item(read), |_| IndexStep::Key(key));
            match value {
                Value::Document(_) | Value::Array(_) => {
                    let inner = index.nodes.len();
                    index.nodes.push(IndexNode { outer: node, step });
                    let children = Children::of(value);
                    levels.extend(children.map(|children| IndexLevel {
                        node: inner,
                        key,
                        read: 0,
                        children,
                    }));
                }
                Value::String(id) => {
                    let place = LeafPosition { node, step };
                    match Role::of(key) {
                        Role::Defines => {
                            let what = index.what(key, node);
                            index.define(id, Definition { what, place });
                        }
                        Role::Parent => parents.push((id.as_str(), place)),
                        _ => index.references.extend(referred(key, value).map(|id| (id, place))),
                    }
                }
                _ => {}
            }
        }
        for (id, place) in parents {
            // Some writers put the parent's own identifier there.
            if !index.defined.contains_key(id) {
                index.define(id, Definition { what: Defined::ParentReference, place });
            }
        }
        index
    }

    fn define(&mut self, id: &'a str, entry: Definition<'a>) {
        if self.defined.contains_key(id) {
            self.repeated.push(id);
        } else {
            self.defined.insert(id, entry);
        }
    }

    /// The object whose identifier is under `key` of a document.
    fn what(&self, key: &str, node: usize) -> Defined {
        if key != "ID" {
            return Defined::Bare;
        }
        let outer = self.step_of(node);
        let (list, list_node) = match outer {
            (IndexStep::Item(_), list) => (self.step_of(list).0, list),
            (step, _) => (step, node),
        };
        let is_item = matches!(outer.0, IndexStep::Item(_));
        match (outer.0, list) {
            (IndexStep::Key("Object" | "Slots"), _) if outer.1 == 0 => Defined::Slot,
            (_, IndexStep::Key("Children")) if is_item => Defined::Slot,
            // `Data` of an element of `Components.Data` or `Assets`.
            (IndexStep::Key("Data"), _) if self.is_component(outer.1) => Defined::Component,
            _ if is_item && list_node != node => Defined::Element,
            _ => Defined::Member,
        }
    }

    /// Whether a document is an element of a list of components.
    fn is_component(&self, node: usize) -> bool {
        let (IndexStep::Item(_), list) = self.step_of(node) else { return false };
        let (step, around) = self.step_of(list);
        match step {
            IndexStep::Key("Assets" | "Asset") => around == 0,
            IndexStep::Key("Data") => {
                matches!(self.step_of(around).0, IndexStep::Key("Components"))
            }
            _ => false,
        }
    }

    /// The step to a container, and the container around it.
    fn step_of(&self, node: usize) -> (IndexStep<'a>, usize) {
        self.nodes.get(node).map_or((IndexStep::Root, 0), |node| (node.step, node.outer))
    }

    fn show(&self, place: LeafPosition<'a>) -> String {
        let (mut steps, mut node) = (vec![place.step], place.node);
        while let (step @ (IndexStep::Key(_) | IndexStep::Item(_)), outer) = self.step_of(node) {
            steps.push(step);
            node = outer;
        }
        let mut path = String::new();
        for step in steps.into_iter().rev() {
            _ = match step {
                IndexStep::Key(key) if path.is_empty() => write!(path, "{key}"),
                IndexStep::Key(key) => write!(path, ".{key}"),
                IndexStep::Item(at) => write!(path, "[{at}]"),
                IndexStep::Root => Ok(()),
            };
        }
        path
    }

    /// The number of identifiers.
    pub fn len(&self) -> usize {
        self.defined.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty()
    }

    /// The object that has an identifier.
    pub fn get(&self, id: &str) -> Option<Defined> {
        self.defined.get(id).map(|entry| entry.what)
    }

    /// Where an identifier is given: `Object.Name.ID`.
    pub fn path(&self, id: &str) -> Option<String> {
        self.defined.get(id).map(|entry| self.show(entry.place))
    }

    /// All references, in the order of the document.
    pub fn references(&self) -> impl Iterator<Item = Reference<'a>> {
        self.references.iter().map(|(id, place)| Reference { id, path: self.show(*place) })
    }

    /// The references to an identifier.
    pub fn referrers(&self, id: &str) -> Vec<Reference<'a>> {
        let to_it = self.references.iter().filter(|(own, _)| *own == id);
        to_it.map(|(id, place)| Reference { id, path: self.show(*place) }).collect()
    }

    /// The references to identifiers that nothing has. The engine saves such references as null, so
    /// its own files have none.
    pub fn dangling(&self) -> Vec<Reference<'a>> {
        let lost = self.references.iter().filter(|(id, _)| !self.defined.contains_key(id));
        lost.map(|(id, place)| Reference { id, path: self.show(*place) }).collect()
    }

    /// Identifiers that more than one thing has, once for each thing after the first.
    pub fn repeated(&self) -> &[&'a str] {
        &self.repeated
    }
}

impl super::SavedObject {
    /// All identifiers, what has them, and what points to them.
    pub fn index(&self) -> Index<'_> {
        Index::new(&self.document)
    }
}
