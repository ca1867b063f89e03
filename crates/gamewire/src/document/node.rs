//! The values of a format, whatever it is: found by their paths, and changed in place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use super::diff::{Children, Hunks, Tree};
use super::error::Error;
use super::json::Json;
use super::path::{self, Step, Trails};
use super::ranges::Memo;

/// One step down from a value, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Turn {
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
pub(super) type Way = Vec<Turn>;

/// A value of a document, with a path from the value around it.
pub(super) type Part<N> = (Step, Way, N);

/// The values in one, in order.
pub(super) type Parts<'n, N> = Box<dyn Iterator<Item = Part<N>> + 'n>;

/// A value of a document.
pub(super) trait Node: Tree + Clone {
    /// The kind, in the words of [`Edit`](super::Edit).
    fn kind(&self) -> String;

    /// The values in it, in order.
    fn parts(&self) -> Vec<Part<Self>>;

    /// Those whose steps are wanted, one by one, as a list has more than there is memory for.
    fn each_part<'n>(&self, is_wanted: &'n dyn Fn(&Step) -> bool) -> Parts<'n, Self>
    where
        Self: 'n;

    /// Whether positions are parts of pointers, too.
    const IS_POINTER: bool;

    /// The step to an element.
    fn position(at: usize) -> Step {
        match Self::IS_POINTER {
            true => Step::Pointer(at.to_string()),
            false => Step::Index(at),
        }
    }

    /// The key of an entry: what is shown as `[key 3]`.
    fn key(&self, at: usize) -> Option<(Way, Self)>;

    /// Values that exact paths lead to, without being among the [`parts`](Node::parts).
    fn hidden(&self) -> Vec<Part<Self>>;

    /// The value in the JSON notation; why it has none.
    fn json(&self) -> Result<Json, Error>;

    /// The value as plain JSON.
    fn plain(&self) -> Result<Json, Error>;

    /// The value in the type of its format, where it is one of that.
    fn typed(&self) -> Result<Option<Typed<'_>>, Error>;

    /// The values in it as the bytes have them, each at the position of its [`Turn::Child`].
    fn structure(&self) -> Children<Self>;

    /// The text in which two containers agree that can take values of one another.
    fn shell(&self) -> String;

    /// Whether both are the same to the spelling.
    fn is(&self, other: &Self) -> bool;

    /// The same, with what is known of the two files already.
    fn is_same(&self, other: &Self, memo: &Memo) -> bool;

    /// The children of BASE, OURS and THEIRS that are not the same in all; `None` where all have to be looked at. With
    /// `is_in_step`, those at one position are compared.
    fn hunks_of_three(all: [&Self; 3], memos: &Memos, is_in_step: bool) -> Option<Hunks<Self, 3>>;

    /// Whether both mean the same.
    fn means(&self, other: &Self) -> bool;

    /// Whether it is no container, so that only its value counts in a list.
    fn is_scalar(&self) -> bool {
        matches!(self.structure(), Children::None)
    }

    /// The member of a name.
    fn member(&self, name: &str) -> Option<Self>;

    /// How a member of it merges.
    fn rule(&self, member: &Step) -> Rule;

    /// The members that tell it from others in a list, the most telling first.
    fn identities(&self) -> &'static [&'static str];

    /// Whether it says which thing elsewhere is meant: a list of such is a list of different things.
    fn is_reference(&self) -> bool;

    /// The member that says the position of an entry, where a rule is [`Rule::Numbered`].
    const NUMBER: &'static str;

    /// The name for people.
    fn name(&self) -> Option<String>;

    /// The names of which the value is one.
    fn choices(&self) -> Vec<String>;

    /// Tells the lines of the value that a text stands for; `None` where it stands for itself.
    fn nested_lines(
        found: &Found<Self>,
        tell: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Option<io::Result<()>>;
}

/// What is known of where three files are the same.
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
pub(super) const GONE: &str = "it is gone";

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

impl<N: Node> Found<N> {
    /// The root of a document.
    pub(super) fn root(node: N) -> Self {
        Found { path: Vec::new(), way: Vec::new(), node }
    }

    pub(super) fn part(&self, (step, way, node): Part<N>) -> Self {
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
            let part = |(at, node)| self.part((N::position(at), vec![Turn::Child(at)], node));
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
struct Shown<'n, N: Node> {
    around: Found<N>,
    /// The first ones, of which a row is made if there are no others.
    first: std::vec::IntoIter<Part<N>>,
    others: Parts<'n, N>,
}

impl<'n, N: Node + 'n> Shown<'n, N> {
    fn of(around: Found<N>) -> Self {
        let mut others = around.node.each_part(&|_| true);
        let first: Vec<Part<N>> = others.by_ref().take(MAX_ROW + 1).collect();
        Shown { around, first: first.into_iter(), others }
    }

    /// All of them, if they may stand on one line.
    fn row(&self) -> Option<&[Part<N>]> {
        Some(self.first.as_slice()).filter(|first| first.len() <= MAX_ROW)
    }
}

impl<N: Node> Iterator for Shown<'_, N> {
    type Item = Found<N>;

    fn next(&mut self) -> Option<Found<N>> {
        let part = self.first.next().or_else(|| self.others.next())?;
        Some(self.around.part(part))
    }
}

/// Tells a line for each value in which nothing is, and for rows of numbers.
pub(super) fn lines<'n, N: Node + 'n>(
    root: Found<N>,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut open: Vec<Shown<'n, N>> = Vec::new();
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
        let nested = if is_empty { N::nested_lines(found, tell) } else { None };
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
pub(super) fn find_all<N: Node>(
    root: &N,
    is_only: bool,
    paths: &[&str],
    mut found: Vec<Vec<Found<N>>>,
) -> Vec<Vec<Found<N>>> {
    found.resize_with(paths.len(), Vec::new);
    let left = |found: &[Vec<Found<N>>]| -> Vec<usize> {
        (0..paths.len()).filter(|at| found.get(*at).is_some_and(Vec::is_empty)).collect()
    };
    let own =
        |at: usize| paths.get(at).map_or("", |path| if *path == path::ROOT { "" } else { path });
    let trails = Trails::new(left(&found).into_iter().map(|at| (own(at), at)));
    let root = Found::root(root.clone());
    descend(&root, &trails, &mut found);
    if is_only {
        let first = left(&found).into_iter();
        let first = first.filter_map(|at| Some((own(at).strip_prefix("[0]")?, at)));
        descend(&root, &Trails::new(first), &mut found);
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
pub(super) fn descend<N: Node>(from: &Found<N>, trails: &Trails<'_>, found: &mut [Vec<Found<N>>]) {
    let mut todo = vec![(from.clone(), trails.clone())];
    while let Some((here, trails)) = todo.pop() {
        for path in trails.ended() {
            found.get_mut(path).into_iter().for_each(|found| found.push(here.clone()));
        }
        if !trails.go_on() {
            continue;
        }
        let mut next = Vec::new();
        for (at, trails) in trails.keys() {
            if let Some((way, key)) = here.node.key(at) {
                let step = Step::Other(format!("key {at}"));
                next.push((here.part((step, way, key)), trails));
            }
        }
        for part in here.node.hidden() {
            let trails = trails.exactly(&part.0);
            if !trails.is_empty() {
                next.push((here.part(part), trails));
            }
        }
        // Long lists are not listed for a few elements.
        let few = trails.positions().and_then(|all| {
            let all = all.into_iter().map(|at| Some((at, here.node.element_at(at)?)));
            all.collect::<Option<Vec<_>>>()
        });
        let few = few.map(|all| -> Parts<'_, N> {
            let part = move |(at, node): (usize, Option<N>)| {
                Some((N::position(at), vec![Turn::Child(at)], node?))
            };
            Box::new(all.into_iter().filter_map(part))
        });
        let is_wanted = |step: &Step| trails.may_lead_to(step);
        for part in few.unwrap_or_else(|| here.node.each_part(&is_wanted)) {
            let trails = trails.after(&part.0);
            if !trails.is_empty() {
                next.push((here.part(part), trails));
            }
        }
        todo.extend(next.into_iter().rev());
    }
}

/// Why a path that is no pattern means none of the values that it leads to.
pub(super) fn ambiguous<N: Node>(path: &str, found: &[Found<N>]) -> Option<String> {
    let ([first, .., last], false) = (found, path.contains('*')) else { return None };
    let (first, last) = (first.shown(), last.shown());
    match path.contains('…') {
        // A key may be there twice.
        _ if first == last => None,
        true => Some(format!("{path}: leads to {first} and {last}, and may mean either")),
        false => Some(format!("{path}: there are {}, {first} to {last}", found.len())),
    }
}

/// Why each of the paths leads nowhere: how far it goes, and what is there.
pub(super) fn why_not<N: Node>(root: &N, is_only: bool, paths: &[&str]) -> Vec<String> {
    // The beginnings of the paths, the longest first.
    let mut outer = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let ends = path.char_indices().rev().filter_map(|(end, _)| path.get(..end));
        outer.extend(ends.filter(|outer| path::is_boundary(path, outer)).map(|own| (at, own)));
    }
    let beginnings: Vec<&str> = outer.iter().map(|(_, own)| *own).collect();
    let found = find_all(root, is_only, &beginnings, Vec::new());
    let mut near: Vec<Option<Found<N>>> = vec![None; paths.len()];
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

fn inside<N: Node>(found: &Found<N>) -> String {
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
