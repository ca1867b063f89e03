//! Where a path leads after the change.

use std::rc::Rc;

use godot_variant::types::{GString, NodePath};

use super::refused;
use crate::project::{
    Anchored, Found, MAX_DEPTH, NodeKind, Outline, below, join, parent_of, relative, walk,
};
use crate::{Project, Result};

/// A node that gets another path in its scene.
pub(super) struct Mapper<'a> {
    pub(super) project: &'a Project<'a>,
    /// The scene that declares it.
    pub(super) scene: &'a str,
    /// Its path there, and the new one; of the root its path, which is empty, and its new name.
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

/// A node of a scene at which paths start, before and after.
#[derive(Clone)]
pub(super) struct Base {
    outline: Rc<Outline>,
    from: String,
    to: String,
}

impl Base {
    pub(super) fn is_same(&self, other: &Base) -> bool {
        self.outline.file == other.outline.file && self.from == other.from && self.to == other.to
    }
}

impl Mapper<'_> {
    /// The new path of the node at a path of a scene.
    pub(super) fn path(&self, scene: &Outline, path: &str) -> String {
        self.path_in(scene, path, 0)
    }

    fn path_in(&self, scene: &Outline, path: &str, depth: usize) -> String {
        if depth > MAX_DEPTH || self.old.is_empty() || self.new.is_empty() {
            return path.to_owned();
        }
        if scene.file == self.scene {
            let inside = below(path, self.old);
            return inside.map_or_else(|| path.to_owned(), |inside| join(self.new, inside));
        }
        // The nodes on the way that the scene declares itself; between them it goes through instances.
        let places = scene.way(path).filter_map(|(_, step)| step.declared);
        let ups: Vec<&str> =
            places.filter_map(|place| scene.nodes.get(place)).map(|node| &*node.path).collect();
        let is_declared = ups.last() == Some(&path);
        let (mut done, mut new) = ("", String::new());
        let tail = (!is_declared).then_some((path, false));
        let ups = ups.into_iter().filter(|up| !up.is_empty()).map(|up| (up, true));
        for (up, is_declared) in ups.chain(tail) {
            let rest = below(up, done).unwrap_or_default();
            let (way, name) = match parent_of(rest) {
                Some((way, name)) if is_declared => (way, name),
                _ => (rest, ""),
            };
            let inner = match scene.declared(done).map(|(_, node)| &node.kind) {
                Some(NodeKind::Instance(Some(file))) => self.project.outline(file),
                _ => None,
            };
            let way = match inner.filter(|_| !way.is_empty()) {
                Some(inner) => self.path_in(&inner, way, depth.saturating_add(1)),
                None => way.to_owned(),
            };
            new = join(&join(&new, &way), name);
            done = up;
        }
        new
    }

    /// Whether the node gets the path that a scene's own node has.
    pub(super) fn is_taken(&self, scene: &Outline, path: &str) -> bool {
        let above = parent_of(path).and_then(|(parent, _)| scene.innermost(parent));
        let Some((_, above)) = above else { return false };
        let NodeKind::Instance(Some(file)) = &above.kind else { return false };
        let inner = self.project.outline(file).zip(below(path, &above.path));
        let Some((inner, rest)) = inner else { return false };
        let back = Mapper { old: self.new, new: self.old, ..*self };
        let before = back.path(&inner, rest);
        before != rest && matches!(self.project.find(&inner, &before), Found::At(..))
    }

    /// Whether the node at a path of a scene is the one that gets another parent.
    pub(super) fn is_moved(&self, scene: &Outline, path: &str) -> bool {
        let (Some((parent, name)), new) = (parent_of(path), self.path(scene, path)) else {
            return false;
        };
        let Some((new_parent, new_name)) = parent_of(&new) else { return false };
        let is_moved = parent_of(self.old).map(|own| own.0) != parent_of(self.new).map(|own| own.0);
        let is_it = parent_of(self.old).is_some_and(|(_, own)| own == name)
            && parent_of(self.new).is_some_and(|(_, own)| own == new_name);
        is_moved && is_it && self.path(scene, parent) != new_parent
    }

    /// A node as the start of paths.
    pub(super) fn at(&self, scene: &Rc<Outline>, path: &str) -> Base {
        Base { outline: Rc::clone(scene), from: path.to_owned(), to: self.path(scene, path) }
    }

    /// Where the paths in the resources of a node start, and whether that is another node.
    pub(super) fn base(&self, scene: &Rc<Outline>, path: &str) -> Option<(Base, bool)> {
        let Some(root) = self.project.root_of(scene, path) else {
            return Some((self.at(scene, path), false));
        };
        let mut base = self.at(scene, &root.path);
        if root.is_default {
            base.to = parent_of(&self.path(scene, path))?.0.to_owned();
        }
        Some((base, true))
    }

    /// The new path: `None` if it stays, or leads nowhere from all of these nodes.
    pub(super) fn new_path(&self, bases: &[Base], path: &NodePath) -> Result<Option<NodePath>> {
        let mut found: Option<NodePath> = None;
        for new in bases.iter().filter_map(|base| self.from(base, path)) {
            if found.as_ref().is_some_and(|found| *found != new) {
                let text = format!(
                    "`{path}` would have to be two paths, as scenes play it from different nodes"
                );
                return Err(refused(text));
            }
            found = Some(new);
        }
        Ok(found.filter(|new| new != path))
    }

    /// The new path for one that starts at a node; `None` if it leads nowhere.
    fn from(&self, base: &Base, path: &NodePath) -> Option<NodePath> {
        let Base { outline, from, to } = base;
        if path.absolute || path.names.is_empty() {
            return None;
        }
        let (mut from, mut to) = (from.clone(), to.clone());
        let (mut first, mut names): (Vec<GString>, &[GString]) = (Vec::new(), &path.names);
        if let Some((unique, rest)) = path.names.split_first()
            && let Some(name) = unique.as_str().strip_prefix('%')
        {
            from = self.project.unique(outline, &from, name)?;
            to = self.path(outline, &from);
            first.push(["%", parent_of(&to)?.1].concat().as_str().into());
            names = rest;
        }
        let target = walk(&from, names);
        let mut moved = target.clone();
        if target.above == 0 {
            if !matches!(self.project.find(outline, &target.path), Found::At(..)) {
                return None;
            }
            moved = Anchored { above: 0, path: self.path(outline, &target.path) };
        }
        match walk(&to, names) == moved {
            true => first.extend(names.iter().cloned()),
            false => {
                let way = relative(&to, &moved);
                let is_itself = way.iter().all(|name| name == ".");
                first.extend(way.into_iter().filter(|_| !is_itself || names.is_empty()));
            }
        }
        if first.is_empty() {
            first.push(".".into());
        }
        Some(NodePath { absolute: false, names: first, subnames: path.subnames.clone() })
    }
}
