//! Paths of nodes as text from the root, which is empty.

use godot_variant::types::{GString, NodePath};

use crate::scene::simplified;

/// A path from the root, and how many levels above the root it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anchored {
    pub(crate) above: usize,
    pub(crate) path: String,
}

/// The path of a node in a file: `.` and empty are the root.
pub(crate) fn text_of(path: &NodePath) -> String {
    let names = simplified(path).names;
    let names: Vec<&str> = names.iter().map(GString::as_str).filter(|name| *name != ".").collect();
    names.join("/")
}

pub(crate) fn join(parent: &str, inside: &str) -> String {
    let slash = if parent.is_empty() || inside.is_empty() { "" } else { "/" };
    [parent, slash, inside].concat()
}

/// The path of the parent, and the name; `None` of the root.
pub(crate) fn parent_of(path: &str) -> Option<(&str, &str)> {
    match path.rsplit_once('/') {
        Some(parts) => Some(parts),
        None if path.is_empty() => None,
        None => Some(("", path)),
    }
}

/// A path below another one, from there.
pub(crate) fn below<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    let is_below = above.is_empty() || rest.is_empty() || rest.starts_with('/');
    is_below.then(|| rest.trim_start_matches('/'))
}

/// The path as files have it: the root is a dot.
pub(crate) fn dotted(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// Where names lead from a node.
pub(crate) fn walk(from: &str, names: &[GString]) -> Anchored {
    let mut way: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
    let mut above = 0_usize;
    for name in names {
        match name.as_str() {
            "." => {}
            ".." if way.pop().is_none() => above = above.saturating_add(1),
            ".." => {}
            name => way.push(name),
        }
    }
    Anchored { above, path: way.join("/") }
}

/// The names that lead from a node to another place.
pub(crate) fn relative(from: &str, to: &Anchored) -> Vec<GString> {
    let mut from: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
    let mut to_names: Vec<&str> = to.path.split('/').filter(|name| !name.is_empty()).collect();
    if to.above == 0 {
        let same = from.iter().zip(&to_names).take_while(|(a, b)| a == b).count();
        from.drain(..same);
        to_names.drain(..same);
    }
    let up = from.len().saturating_add(to.above);
    let mut names = vec![".."; up];
    names.append(&mut to_names);
    if names.is_empty() {
        names.push(".");
    }
    names.into_iter().map(GString::new).collect()
}
