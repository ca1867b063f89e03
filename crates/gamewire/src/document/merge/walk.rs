//! The walk along three documents at once.

use std::ops::Range;

use super::spans::{Lists, Spans};
use super::table::{Row, Table};
use super::{Conflict, ConflictKind, Side, Three, Version};
use crate::document::diff::{Children as Nested, Hunks, Tree as _};
use crate::document::node::{Edge, Found, Memos, Rule, Way};
use crate::document::path::{self, Step};
use crate::document::ranges::{RangeNode as Node, Values};

/// How deep the walk goes. A value below that both sides changed is taken whole, so that no document
/// costs more stack than this.
const MAX_LEVELS: usize = 100;

/// A merged value, by its difference from that of OURS.
pub(in crate::document) enum Merged<N> {
    /// It is that of OURS.
    Ours,
    /// It is this one of THEIRS.
    Theirs(N),
    /// It is the container of OURS with other children.
    Children(Children<N>),
}

/// The children of a merged container.
pub(in crate::document) struct Children<N> {
    pub(in crate::document) all: Vec<Child<N>>,
    pub(in crate::document) rule: Rule,
}

/// A child of a merged container.
pub(in crate::document) enum Child<N> {
    /// Several of OURS, by their positions, that stay. They may reach further than there are children.
    Kept(Range<usize>),
    /// That at a position in OURS, with what it is now.
    Own(usize, Merged<N>),
    /// One that OURS lacks: the container in THEIRS, the position there, and the value.
    New(N, usize, N),
}

/// Which side a conflict is resolved to.
pub(in crate::document) type Choice<'m> = dyn FnMut(&Conflict) -> Side + 'm;

pub(in crate::document) struct Merger<'m, N> {
    choose: &'m mut Choice<'m>,
    /// The documents, in which paths are found.
    ours: N,
    theirs: N,
    levels: usize,
    /// The ways to the value in OURS and in THEIRS, while there are some.
    ways: [Option<Way>; 2],
    /// The name for people of the innermost value around that has one.
    name: Option<String>,
    pub(super) conflicts: usize,
    pub(super) memos: Memos,
}

impl<'m, 'a, V: Values> Merger<'m, Node<'a, V>> {
    pub(in crate::document) fn new(
        ours: Node<'a, V>,
        theirs: Node<'a, V>,
        choose: &'m mut Choice<'m>,
    ) -> Self {
        let ways = [Some(Way::new()), Some(Way::new())];
        let memos = Memos::default();
        Merger { choose, ours, theirs, levels: 0, ways, name: None, conflicts: 0, memos }
    }

    pub(in crate::document) fn root(&mut self, base: Option<Node<'a, V>>) -> Merged<Node<'a, V>> {
        let three = Three { base, ours: Some(self.ours), theirs: Some(self.theirs) };
        self.merge(&three, Rule::Plain).unwrap_or(Merged::Ours)
    }

    /// Merges one step further down.
    pub(super) fn below(
        &mut self,
        [own, other]: [Option<usize>; 2],
        three: &Three<Node<'a, V>>,
        rule: Rule,
    ) -> Option<Merged<Node<'a, V>>> {
        self.levels += 1;
        let merged = self.within([own, other], |merger| merger.merge(three, rule));
        self.levels -= 1;
        merged
    }

    /// Does something one step further down.
    pub(super) fn within<T>(
        &mut self,
        edges: [Option<usize>; 2],
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.ways.clone();
        for (way, edge) in self.ways.iter_mut().zip(edges) {
            *way = way.take().zip(edge).map(|(mut way, at)| {
                way.push(Edge::Child(at));
                way
            });
        }
        let done = work(self);
        self.ways = outer;
        done
    }

    /// Merges one value: `None` if nothing is present.
    fn merge(&mut self, three: &Three<Node<'a, V>>, rule: Rule) -> Option<Merged<Node<'a, V>>> {
        let base = three.base.as_ref();
        let (ours, theirs) = match (&three.ours, &three.theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (None, None) => return None,
            (Some(left), None) | (None, Some(left)) => {
                let kept = || match &three.ours {
                    Some(_) => Merged::Ours,
                    None => Merged::Theirs(*left),
                };
                return match base {
                    None => Some(kept()),
                    Some(base) if only_removes(base, left) || rule == Rule::Alias => None,
                    Some(_) => self.conflict(three, ConflictKind::Value),
                };
            }
        };
        // Spelling counts as a change as long as the other side changed nothing else.
        let Memos { base_to_ours, base_to_theirs, both } = &self.memos;
        if ours.same_bytes(theirs, both)
            || base.is_some_and(|base| base.same_bytes(theirs, base_to_theirs))
        {
            return Some(Merged::Ours);
        }
        if base.is_some_and(|base| base.same_bytes(ours, base_to_ours)) {
            return Some(Merged::Theirs(*theirs));
        }
        if self.levels < MAX_LEVELS && V::container_type(ours) == V::container_type(theirs) {
            let base = base.filter(|base| V::container_type(base) == V::container_type(ours));
            let hunks = base
                .and_then(|base| Node::hunks_of_three([base, ours, theirs], &self.memos, false));
            if let Some(merged) = hunks.and_then(|hunks| self.children(three, hunks, rule)) {
                return Some(merged);
            }
            let sides = [ours.structure(), theirs.structure()];
            let before = match (base.map(Node::structure), &sides) {
                (Some(Nested::Entries(own)), [Nested::Entries(_), _]) if is_plain(&own) => {
                    Nested::Entries(own)
                }
                (_, [Nested::Entries(_), _]) => Nested::Entries(Vec::new()),
                (Some(before @ Nested::Items(_)), _) => before,
                _ => Nested::Items(Vec::new()),
            };
            let [own, other] = sides;
            let hunks = Hunks::whole([before, own, other]);
            if let Some(merged) = hunks.and_then(|hunks| self.children(three, hunks, rule)) {
                return Some(merged);
            }
        }
        if V::is_equal(ours, theirs)
            || base.is_some_and(|base| V::is_equal(base, theirs))
            || rule == Rule::Alias
        {
            return Some(Merged::Ours);
        }
        if base.is_some_and(|base| V::is_equal(base, ours)) {
            return Some(Merged::Theirs(*theirs));
        }
        self.conflict(three, ConflictKind::Value)
    }

    /// Reports a conflict, and returns the value of the side that is chosen.
    pub(super) fn conflict(
        &mut self,
        three: &Three<Node<'a, V>>,
        kind: ConflictKind,
    ) -> Option<Merged<Node<'a, V>>> {
        match self.report(three.versions(), kind) {
            Side::Ours => three.ours.map(|_| Merged::Ours),
            Side::Theirs => three.theirs.map(Merged::Theirs),
        }
    }

    pub(super) fn report(&mut self, three: Three<Version>, kind: ConflictKind) -> Side {
        self.conflicts += 1;
        let shown = |root: &Node<'a, V>, way: &Option<Way>| shown_path(root, way.as_ref()?);
        let [own, other] = &self.ways;
        let path = shown(&self.ours, own).or_else(|| shown(&self.theirs, other));
        let (path, name) = (path.unwrap_or_default(), self.name.clone());
        let Three { base, ours, theirs } = three;
        (self.choose)(&Conflict { path, name, kind, base, ours, theirs, message: None })
    }

    /// Merges the children of containers; `None` where keys do not tell them apart.
    fn children(
        &mut self,
        three: &Three<Node<'a, V>>,
        hunks: Hunks<Node<'a, V>, 3>,
        rule: Rule,
    ) -> Option<Merged<Node<'a, V>>> {
        let is_list = hunks.is_list;
        let (spans, children) = Spans::of(hunks);
        if is_list {
            let lists = children.map(|all| all.into_iter().map(|(_, node)| node).collect());
            return Some(self.list(three, spans, lists, rule));
        }
        children.iter().all(|all| is_plain(all)).then(|| self.entries(three, &spans, children))
    }

    fn entries(
        &mut self,
        three: &Three<Node<'a, V>>,
        spans: &Spans,
        [base, ours, theirs]: Lists<(Step, Node<'a, V>)>,
    ) -> Merged<Node<'a, V>> {
        let outer = self.name.clone();
        let named = [&three.ours, &three.theirs].into_iter().flatten().find_map(V::name);
        self.name = named.or(self.name.take());
        let mut table: Table<Step, Node<'a, V>> = Table::new();
        table.extend(None, spans, base);
        table.extend(Some(Side::Ours), spans, ours);
        table.extend(Some(Side::Theirs), spans, theirs);
        let around = three.ours.as_ref().or(three.theirs.as_ref());
        // A loop, as iterators would take half of the stack of each level.
        let mut merged = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let row = match row {
                Row::One(row) => row,
                Row::Run(run) => {
                    merged.push(Some(Child::Kept(run.clone())));
                    continue;
                }
            };
            let rule = around.map_or(Rule::Plain, |around| V::rule(around, &row.key));
            let value = match rule {
                Rule::Derived(truth) => derived(three, &row.three, truth),
                rule => self.below([row.own, row.other], &row.three, rule),
            };
            merged.push(value.and_then(|value| child(three, row.own, row.other, value)));
        }
        self.name = outer;
        // Of whom a member comes first is no conflict.
        Children::between(spans, table.arrange(Side::Ours, merged).0, Rule::Plain)
    }
}

impl<N> Children<N> {
    /// The merged children, between those that stay of OURS before the first hunk and after the last one.
    pub(super) fn between(spans: &Spans, merged: Vec<Child<N>>, rule: Rule) -> Merged<N> {
        let mut runs = spans.runs();
        let first = runs.next().map(Child::Kept);
        let last = runs.last().map(Child::Kept);
        Merged::Children(Children {
            all: first.into_iter().chain(merged).chain(last).collect(),
            rule,
        })
    }
}

/// A child of a merged container.
pub(super) fn child<'a, V: Values>(
    around: &Three<Node<'a, V>>,
    own: Option<usize>,
    other: Option<usize>,
    value: Merged<Node<'a, V>>,
) -> Option<Child<Node<'a, V>>> {
    match (own, value) {
        (Some(at), Merged::Ours) => Some(Child::Kept(at..at + 1)),
        (Some(at), value) => Some(Child::Own(at, value)),
        (None, Merged::Theirs(node)) => Some(Child::New(around.theirs?, other?, node)),
        (None, _) => {
            debug_assert!(false, "a child that OURS lacks has nothing of OURS");
            None
        }
    }
}

/// The path of the value at a way, as everything takes it.
fn shown_path<'a, V: Values>(root: &Node<'a, V>, way: &[Edge]) -> Option<String> {
    let mut here = Found::root(*root);
    while here.way != way {
        here = here.parts().into_iter().find(|part| way.starts_with(&part.way))?;
    }
    Some(path::text(&here.path).unwrap_or_default())
}

/// Whether each key occurs once: by key alone duplicates cannot be distinguished.
fn is_plain<N>(entries: &[(Step, N)]) -> bool {
    let mut seen = std::collections::HashSet::with_capacity(entries.len());
    entries.iter().all(|(step, _)| seen.insert(step))
}

/// A member that is computed from others: of the side that changed those.
fn derived<'a, V: Values>(
    around: &Three<Node<'a, V>>,
    member: &Three<Node<'a, V>>,
    truth: &'static [&'static str],
) -> Option<Merged<Node<'a, V>>> {
    let unlike = |a: &Option<Node<'a, V>>, b: &Option<Node<'a, V>>| match (a, b) {
        (Some(a), Some(b)) => !V::is_identical(a, b),
        (a, b) => a.is_some() != b.is_some(),
    };
    let ours = || member.ours.as_ref().map(|_| Merged::Ours);
    let theirs = || member.theirs.map(Merged::Theirs);
    if !unlike(&member.ours, &member.base) {
        return theirs();
    }
    if !unlike(&member.theirs, &member.base) {
        return ours();
    }
    let changed = |side: &Option<Node<'a, V>>| {
        truth.iter().any(|name| {
            let of = |node: &Option<Node<'a, V>>| node.as_ref()?.member(name);
            unlike(&of(side), &of(&around.base))
        })
    };
    if changed(&around.theirs) && !changed(&around.ours) { theirs() } else { ours() }
}

/// Whether a value is what was there before, but for members that are gone and for what is computed.
/// Removing all of it then loses no change.
fn only_removes<'a, V: Values>(base: &Node<'a, V>, left: &Node<'a, V>) -> bool {
    let mut waiting = vec![(*base, *left)];
    while let Some((base, left)) = waiting.pop() {
        match (base.structure(), left.structure()) {
            (Nested::Items(a), Nested::Items(b)) if a.len() == b.len() => {
                waiting.extend(a.into_iter().zip(b));
            }
            (Nested::Entries(a), Nested::Entries(b)) => {
                let before: std::collections::HashMap<Step, Node<'a, V>> = a.into_iter().collect();
                for (step, value) in
                    b.into_iter().filter(|(step, _)| !V::rule(&left, step).is_computed())
                {
                    match before.get(&step) {
                        Some(before) => waiting.push((*before, value)),
                        None => return false,
                    }
                }
            }
            _ if V::is_equal(&base, &left) => {}
            _ => return false,
        }
    }
    true
}
