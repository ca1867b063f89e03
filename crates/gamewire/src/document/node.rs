//! The values of a format, whatever it is: found by their paths, and changed in place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use super::diff::Tree as _;
use super::error::Error;
use super::json::Json;
use super::path::{self, PathSet, Step};
use super::ranges::{Memo, RangeNode as Node, Values};

/// The edge from a value to one in it, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Edge {
    /// To a child.
    Child(usize),
    /// To the key of an entry.
    Key(usize),
    /// To a part that is no child, such as a component of a vector.
    Hidden(usize),
}

/// A value of a document, in the type of its format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Typed<'a> {
    /// Of Godot's files; the settings of a `project.binary` are a dictionary.
    #[cfg(feature = "godot-variant")]
    Godot(Cow<'a, godot_variant::Value>),
    /// Of O3DE's files.
    #[cfg(feature = "o3de-prefab")]
    O3de(Cow<'a, o3de_json::Value>),
    /// Of PropertyClass objects.
    #[cfg(feature = "kiwi-pclass")]
    Pclass(Cow<'a, kiwi_pclass::Value>),
    /// Of saves of Resonite.
    #[cfg(feature = "resonite-save")]
    Resonite(Cow<'a, resonite_brson::Value>),
    /// Of Zeze's beans.
    #[cfg(feature = "zeze-serialize")]
    Zeze(Cow<'a, zeze_serialize::Value>),
    /// Of no other format.
    #[doc(hidden)]
    Never(std::convert::Infallible, std::marker::PhantomData<&'a ()>),
}

/// The way from one value to another.
pub(super) type Way = Vec<Edge>;

/// A value of a document, with a path from the value around it.
pub(super) type Part<N> = (Step, Way, N);

/// The values in one, in order.
pub(super) type Parts<'n, N> = Box<dyn Iterator<Item = Part<N>> + 'n>;

/// The places where three files are known to be the same.
#[derive(Debug, Default)]
pub(super) struct Memos {
    pub(super) base_to_ours: Memo,
    pub(super) base_to_theirs: Memo,
    pub(super) both: Memo,
}

/// How a member merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Plain,
    /// A list of different things, whose order is only for show.
    OrderedSet,
    /// Entries with a number that says where each stands.
    Numbered,
    /// A member that is computed from others of the same object.
    Derived(&'static [&'static str]),
    /// A number of one run of the program, which stands for what is around it.
    Alias,
}

impl Rule {
    /// Whether a change of it alone is no change by a person.
    pub(super) fn is_computed(self) -> bool {
        matches!(self, Rule::Derived(_) | Rule::Alias | Rule::Numbered)
    }
}

/// The reason where a value lacks the part that was meant.
pub(super) const GONE: &str = "an earlier edit replaced it";

/// Which of the values in a value.
pub(super) enum Portion {
    All,
    /// Those at some positions.
    At(Range<usize>),
    Components,
}

/// A value that a path leads to.
#[derive(Clone)]
pub(super) struct Found<N> {
    pub(super) path: Vec<Step>,
    pub(super) way: Way,
    pub(super) node: N,
}

impl<'a, V: Values> Found<Node<'a, V>> {
    /// The root of a document.
    pub(super) fn root(node: Node<'a, V>) -> Self {
        Found { path: Vec::new(), way: Vec::new(), node }
    }

    pub(super) fn part(&self, (step, way, node): Part<Node<'a, V>>) -> Self {
        let path = self.path.iter().cloned().chain([step]).collect();
        Found { path, way: self.way.iter().copied().chain(way).collect(), node }
    }

    /// The values in it, in order.
    pub(super) fn parts(&self) -> Vec<Self> {
        self.node.parts().into_iter().map(|part| self.part(part)).collect()
    }

    /// Some of the values in it.
    pub(super) fn inside(&self, which: Portion) -> Vec<Self> {
        match which {
            Portion::All => self.parts(),
            Portion::At(range) => self.parts_in(range),
            Portion::Components => self.components(),
        }
    }

    /// Those at some positions: of a list, without a look at the others.
    fn parts_in(&self, range: Range<usize>) -> Vec<Self> {
        if self.node.len().is_some() {
            let elements = (range.start..).zip(self.node.elements(range));
            let part =
                |(at, node)| self.part((Node::<V>::position(at), vec![Edge::Child(at)], node));
            return elements.map(part).collect();
        }
        let parts = self.node.each_part(&|_| true).skip(range.start).take(range.len());
        parts.map(|part| self.part(part)).collect()
    }

    /// How many values are in it.
    pub(super) fn count(&self) -> usize {
        self.node.len().unwrap_or_else(|| self.node.each_part(&|_| true).count())
    }

    /// The components of a value in which no others are.
    fn components(&self) -> Vec<Self> {
        match self.node.is_scalar() {
            true => self.node.hidden().into_iter().map(|part| self.part(part)).collect(),
            false => Vec::new(),
        }
    }

    /// The path as it is shown.
    pub(super) fn shown(&self) -> String {
        path::shown(&self.path)
    }

    /// The value for people: text without quotes, numbers, else its notation on one line.
    pub(super) fn text(&self) -> Result<String, Error> {
        Ok(match self.node.plain()? {
            Json::String(text) if !text.starts_with('"') => text,
            plain @ (Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_)) => {
                plain.to_string()
            }
            _ => self.node.json()?.to_string(),
        })
    }
}

/// A value on one line: text in quotes where it has more than one.
pub(super) fn one_line(text: String) -> String {
    let is_line = !text.chars().any(char::is_control);
    if is_line { text } else { Json::String(text).to_string() }
}

/// Numbers of an array that stand on one line.
const MAX_ROW: usize = 16;

/// A container whose values are shown one after the other.
struct Shown<'a, V: Values> {
    around: Found<Node<'a, V>>,
    /// The first ones, of which a row is made if there are no others.
    first: std::vec::IntoIter<Part<Node<'a, V>>>,
    others: Parts<'a, Node<'a, V>>,
}

impl<'a, V: Values> Shown<'a, V> {
    fn of(around: Found<Node<'a, V>>) -> Self {
        let mut others = around.node.each_part(&|_| true);
        let first: Vec<Part<Node<'a, V>>> = others.by_ref().take(MAX_ROW + 1).collect();
        Shown { around, first: first.into_iter(), others }
    }

    /// All of them, if they may stand on one line.
    fn row(&self) -> Option<&[Part<Node<'a, V>>]> {
        Some(self.first.as_slice()).filter(|first| first.len() <= MAX_ROW)
    }
}

impl<'a, V: Values> Iterator for Shown<'a, V> {
    type Item = Found<Node<'a, V>>;

    fn next(&mut self) -> Option<Found<Node<'a, V>>> {
        let part = self.first.next().or_else(|| self.others.next())?;
        Some(self.around.part(part))
    }
}

/// Tells a line for each value in which nothing is, and for rows of numbers.
pub(super) fn lines<'a, V: Values>(
    root: Found<Node<'a, V>>,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut open: Vec<Shown<'a, V>> = Vec::new();
    let mut next = Some(root);
    while let Some(found) = next {
        let inside = Shown::of(found);
        let (parts, found) = (inside.row(), &inside.around);
        let is_empty = parts.is_some_and(<[_]>::is_empty);
        let is_row = parts.is_some_and(|all| {
            all.iter().all(|(.., own)| own.each_part(&|_| true).next().is_none())
        });
        let row = is_row.then(|| found.node.plain().ok()).flatten().filter(|row| {
            let is_scalar = |item: &Json| !item.is_array() && !item.is_object();
            row.as_array().is_some_and(|items| items.iter().all(is_scalar))
        });
        let nested =
            if is_empty { V::nested(found).map(|own| own.write_lines(tell)) } else { None };
        if let Some(told) = nested {
            told?;
        } else if is_empty || row.is_some() {
            // Nothing stops here: a reader of lines wants the others.
            let line = || match found.text() {
                Ok(text) => one_line(text),
                Err(why) => format!("(cannot be shown: {why})"),
            };
            let shown = row.map_or_else(line, |row| row.to_string());
            tell(&format!("{}={shown}\n", found.shown()))?;
        } else {
            open.push(inside);
        }
        next = loop {
            let Some(around) = open.last_mut() else { break None };
            match around.next() {
                Some(own) => break Some(own),
                None => _ = open.pop(),
            }
        };
    }
    Ok(())
}

/// The values that each of the paths leads to, by one walk over the file: each once, in the order of
/// the file. `found` has what is known already. With `is_only`, errors count the values of a row
/// before it is known that there is only one.
pub(super) fn find_all<'a, V: Values>(
    root: &Node<'a, V>,
    is_only: bool,
    paths: &[&str],
    mut found: Vec<Vec<Found<Node<'a, V>>>>,
) -> Vec<Vec<Found<Node<'a, V>>>> {
    found.resize_with(paths.len(), Vec::new);
    let left = |found: &[Vec<Found<Node<'a, V>>>]| -> Vec<usize> {
        (0..paths.len()).filter(|at| found.get(*at).is_some_and(Vec::is_empty)).collect()
    };
    let own =
        |at: usize| paths.get(at).map_or("", |path| if *path == path::ROOT { "" } else { path });
    let path_set = PathSet::new(left(&found).into_iter().map(|at| (own(at), at)));
    let root = Found::root(*root);
    descend(&root, &path_set, &mut found);
    if is_only {
        let first = left(&found).into_iter();
        let first = first.filter_map(|at| Some((own(at).strip_prefix("[0]")?, at)));
        descend(&root, &PathSet::new(first), &mut found);
    }
    for (all, path) in found.iter_mut().zip(paths) {
        let mut seen = HashSet::new();
        all.retain(|one| seen.insert(one.way.clone()));
        // A number as a key, and text of the same digits: the path is that of one of them.
        if all.len() > 1 && !path.contains(['*', '…']) && all.iter().any(|one| one.shown() == *path)
        {
            all.retain(|one| one.shown() == *path);
        }
    }
    found
}

/// Goes along paths from a value, without recursion: files nest as deep as they like.
pub(super) fn descend<'a, V: Values>(
    from: &Found<Node<'a, V>>,
    path_set: &PathSet<'_>,
    found: &mut [Vec<Found<Node<'a, V>>>],
) {
    let mut todo = vec![(from.clone(), path_set.clone())];
    while let Some((here, path_set)) = todo.pop() {
        for path in path_set.ended() {
            found.get_mut(path).into_iter().for_each(|found| found.push(here.clone()));
        }
        if !path_set.go_on() {
            continue;
        }
        let mut next = Vec::new();
        for (at, path_set) in path_set.keys() {
            if let Some((way, key)) = here.node.key(at) {
                let step = Step::Other(format!("key {at}"));
                next.push((here.part((step, way, key)), path_set));
            }
        }
        for part in here.node.hidden() {
            let path_set = path_set.exactly(&part.0);
            if !path_set.is_empty() {
                next.push((here.part(part), path_set));
            }
        }
        // Long lists are not listed for a few elements.
        let few = path_set.positions().and_then(|all| {
            let all = all.into_iter().map(|at| Some((at, here.node.element_at(at)?)));
            all.collect::<Option<Vec<_>>>()
        });
        let few = few.map(|all| -> Parts<'_, Node<'a, V>> {
            let part = move |(at, node): (usize, Option<Node<'a, V>>)| {
                Some((Node::<V>::position(at), vec![Edge::Child(at)], node?))
            };
            Box::new(all.into_iter().filter_map(part))
        });
        let is_wanted = |step: &Step| path_set.may_lead_to(step);
        for part in few.unwrap_or_else(|| here.node.each_part(&is_wanted)) {
            let path_set = path_set.after(&part.0);
            if !path_set.is_empty() {
                next.push((here.part(part), path_set));
            }
        }
        todo.extend(next.into_iter().rev());
    }
}

/// Why a path that is no pattern means none of the values that it leads to.
pub(super) fn ambiguous<'a, V: Values>(path: &str, found: &[Found<Node<'a, V>>]) -> Option<String> {
    let ([first, .., last], false) = (found, path.contains('*')) else { return None };
    let (first, last) = (first.shown(), last.shown());
    match path.contains('…') {
        // A key may be there twice.
        _ if first == last => None,
        true => Some(format!("{path}: ambiguous: {first} or {last}")),
        false => Some(format!("{path}: there are {}, {first} to {last}", found.len())),
    }
}

/// Why each of the paths leads nowhere: how far it goes, and what is there.
pub(super) fn why_not<'a, V: Values>(
    root: &Node<'a, V>,
    is_only: bool,
    paths: &[&str],
) -> Vec<String> {
    // The beginnings of the paths, the longest first.
    let mut outer = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let ends = path.char_indices().rev().filter_map(|(end, _)| path.get(..end));
        outer.extend(ends.filter(|outer| path::is_boundary(path, outer)).map(|own| (at, own)));
    }
    let beginnings: Vec<&str> = outer.iter().map(|(_, own)| *own).collect();
    let found = find_all(root, is_only, &beginnings, Vec::new());
    let mut near: Vec<Option<Found<Node<'a, V>>>> = vec![None; paths.len()];
    for ((at, _), found) in outer.into_iter().zip(found) {
        if let Some(near @ None) = near.get_mut(at) {
            *near = found.into_iter().next();
        }
    }
    let mut known = HashMap::new();
    let near = near.into_iter().zip(paths).map(|(near, path)| {
        let Some(near) = near else { return format!("{path}: there is no such value") };
        let there = known.entry(near.way.clone()).or_insert_with(|| inside(&near));
        format!("{path}: {there}")
    });
    near.collect()
}

fn inside<'a, V: Values>(found: &Found<Node<'a, V>>) -> String {
    const MOST: usize = 8;
    let steps = found.node.each_part(&|_| true).take(MOST + 1);
    let mut names: Vec<String> =
        steps.filter_map(|(step, ..)| path::text(std::slice::from_ref(&step))).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    names.truncate(MOST);
    match names.as_slice() {
        [] => format!("there is nothing in {}", found.shown()),
        names => format!("there is only {}{more} in {}", names.join(", "), found.shown()),
    }
}
