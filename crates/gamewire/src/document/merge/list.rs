//! How lists merge: by the identity of their elements, else by place.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::RandomState;
use std::ops::Range;

use gamewire_core::bytes::part;

use super::spans::{Lists, Spans};
use super::table::{Row, Table};
use super::walk::{Child, Children, Merged, Merger, child};
use super::{ConflictKind, Side, Three, Version};
use crate::document::align::pairs;
use crate::document::node::Rule;
use crate::document::ranges::{RangeNode as Node, Values};

impl<'a, V: Values> Merger<'_, Node<'a, V>> {
    /// Merges lists.
    pub(super) fn list(
        &mut self,
        three: &Three<Node<'a, V>>,
        spans: Spans,
        lists: Lists<Node<'a, V>>,
        rule: Rule,
    ) -> Merged<Node<'a, V>> {
        let are_references = lists.iter().flatten().all(V::is_reference);
        let rule = if are_references { Rule::OrderedSet } else { rule };
        if is_one(&lists) {
            return self.sequence(three, &spans, &lists, false);
        }
        if let Some((name, keys)) = identities(&lists, rule) {
            return self.keyed(three, &spans, (lists, keys, name), rule);
        }
        if !is_row(&lists) {
            return self.sequence(three, &spans, &lists, false);
        }
        if spans.are_even() {
            return self.sequence(three, &spans, &lists, true);
        }
        // Those at one position belong together, wherever equal ones stand.
        if let Three { base: Some(base), ours: Some(ours), theirs: Some(theirs) } = three
            && let Some(hunks) = Node::hunks_of_three([base, ours, theirs], &self.memos, true)
        {
            let (in_step, all) = Spans::of(hunks);
            let all = all.map(|all| all.into_iter().map(|(_, node)| node).collect());
            if is_row(&all) {
                return self.sequence(three, &in_step, &all, true);
            }
        }
        self.sequence(three, &spans, &lists, false)
    }

    /// Merges lists whose elements have an identity: the member of this name, if it is one.
    fn keyed(
        &mut self,
        around: &Three<Node<'a, V>>,
        spans: &Spans,
        (lists, keys, name): (Lists<Node<'a, V>>, Lists<Mark>, Option<&str>),
        rule: Rule,
    ) -> Merged<Node<'a, V>> {
        let mut table: Table<Mark, Node<'a, V>> = Table::new();
        let [base, ours, theirs] = lists;
        let [base_keys, our_keys, their_keys] = keys;
        table.extend(None, spans, base_keys.into_iter().zip(base));
        table.extend(Some(Side::Theirs), spans, their_keys.into_iter().zip(theirs));
        table.extend(Some(Side::Ours), spans, our_keys.into_iter().zip(ours));
        let mut dropped = HashSet::new();
        if let Some(name) = name {
            self.renamed_twice(&table.rows, name, &mut dropped);
        }
        let mut merged = Vec::with_capacity(table.rows.len());
        for (id, row) in table.rows.iter().enumerate() {
            let row = match row {
                Row::One(row) => row,
                Row::Run(run) => {
                    merged.push(Some(Child::Kept(run.clone())));
                    continue;
                }
            };
            let value = match rule {
                _ if dropped.contains(&id) => None,
                Rule::Numbered if same_entry(&row.three) => Some(Merged::Ours),
                _ => {
                    let inner = if rule == Rule::Numbered { rule } else { Rule::Plain };
                    self.below([row.own, row.other], &row.three, inner)
                }
            };
            merged.push(value.and_then(|value| child(around, row.own, row.other, value)));
        }
        let (merged, is_contradiction) = table.arrange(Side::Ours, merged);
        if is_contradiction && rule == Rule::Plain {
            let lists = around.versions();
            if let (Side::Theirs, Some(theirs)) =
                (self.report(lists, ConflictKind::Order), &around.theirs)
            {
                return Merged::Theirs(*theirs);
            }
        }
        Children::between(spans, merged, rule)
    }

    /// Finds elements that are one element of BASE under two new identities: one of them is dropped.
    fn renamed_twice(
        &mut self,
        rows: &[Row<Mark, Node<'a, V>>],
        name: &str,
        dropped: &mut HashSet<usize>,
    ) {
        let entries = || rows.iter().enumerate().filter_map(|(id, row)| Some((id, row.entry()?)));
        let gone = entries().filter(|(_, row)| row.own.is_none() && row.other.is_none());
        for (_, gone) in gone {
            let Some(base) = &gone.three.base else { continue };
            let renamed = |side: fn(&Three<Node<'a, V>>) -> Option<Node<'a, V>>| {
                let mut new = entries().filter(|(_, row)| row.three.base.is_none());
                new.find(|(_, row)| side(&row.three).is_some_and(|own| same_but(base, &own, name)))
            };
            let ours = renamed(|three| three.ours);
            let theirs = renamed(|three| three.theirs);
            if let (Some((id, ours)), Some((other, theirs))) = (ours, theirs)
                && id != other
            {
                let three =
                    Three { base: Some(*base), ours: ours.three.ours, theirs: theirs.three.theirs };
                let versions = three.versions();
                let edges = [ours.own, theirs.other];
                let side =
                    self.within(edges, |merger| merger.report(versions, ConflictKind::Value));
                dropped.insert(if side == Side::Ours { other } else { id });
            }
        }
    }

    /// Merges lists whose elements have no identity: by position, if it `is_row`.
    fn sequence(
        &mut self,
        around: &Three<Node<'a, V>>,
        spans: &Spans,
        lists: &Lists<Node<'a, V>>,
        is_row: bool,
    ) -> Merged<Node<'a, V>> {
        let marker = Marker::default();
        let mut merged = Vec::new();
        let mut taken = None;
        for ((run, _), (span, lists)) in spans.places(None).zip(spans.parts(lists)) {
            merged.extend(run.map(Child::Kept));
            let [_, ours, theirs] = lists;
            let in_place = |list: &[Node<'a, V>]| (0..list.len()).map(Some).collect();
            let pairs = match is_row {
                true => [in_place(ours), in_place(theirs)],
                false => {
                    let [base, ours, theirs] = lists.map(|list| marks(list, &marker));
                    [pairs(&base, &ours), pairs(&base, &theirs)]
                }
            };
            let hunk = ListHunk { around, lists, at: span.at };
            taken = self.elements(&hunk, &pairs, taken, &mut merged);
        }
        match (taken, &around.theirs) {
            (Some(Side::Ours), _) => Merged::Ours,
            (Some(Side::Theirs), Some(theirs)) => Merged::Theirs(*theirs),
            _ => Children::between(spans, merged, Rule::Plain),
        }
    }

    /// Merges the elements of a hunk, with the places of those of BASE in OURS and in THEIRS. Of elements that both
    /// sides changed, one side's list is the whole, as no mixture is of anybody: returns the side that is `taken`.
    fn elements(
        &mut self,
        hunk: &ListHunk<'_, Node<'a, V>>,
        [to_ours, to_theirs]: &[Vec<Option<usize>>; 2],
        mut taken: Option<Side>,
        merged: &mut Vec<Child<Node<'a, V>>>,
    ) -> Option<Side> {
        let ListHunk { around, lists: [base, ours, theirs], at: [_, our_start, their_start] } =
            hunk;
        let (mut from, mut our_from, mut their_from) = (0, 0, 0);
        for (at, pair) in to_ours.iter().zip(to_theirs).enumerate() {
            let (Some(our_at), Some(their_at)) = (*pair.0, *pair.1) else { continue };
            let ranges = [from..at, our_from..our_at, their_from..their_at];
            taken = self.chunk(hunk, ranges, merged).or(taken);
            let (base, ours, theirs) = (base.get(at), ours.get(our_at), theirs.get(their_at));
            let three = Three { base: base.cloned(), ours: ours.cloned(), theirs: theirs.cloned() };
            let before = self.conflicts;
            let own = Some(our_start + our_at);
            let value = self.below([own, Some(their_start + their_at)], &three, Rule::Plain);
            if self.conflicts > before && three.ours.as_ref().is_none_or(Node::is_scalar) {
                let side = if let Some(Merged::Ours) = value { Side::Ours } else { Side::Theirs };
                taken = taken.or(Some(side));
            }
            merged.extend(value.and_then(|value| child(around, own, None, value)));
            let after = |place: usize| place + 1;
            (from, our_from, their_from) = (after(at), after(our_at), after(their_at));
        }
        let ranges = [from..base.len(), our_from..ours.len(), their_from..theirs.len()];
        self.chunk(hunk, ranges, merged).or(taken)
    }

    /// Merges elements of which none has its pair in both others. Returns the side that is taken of a
    /// conflict.
    fn chunk(
        &mut self,
        hunk: &ListHunk<'_, Node<'a, V>>,
        [base_range, our_range, their_range]: [Range<usize>; 3],
        merged: &mut Vec<Child<Node<'a, V>>>,
    ) -> Option<Side> {
        let ListHunk { around, lists: [base, ours, theirs], at: [_, our_start, their_start] } =
            hunk;
        let base = part(base, base_range);
        let ours = part(ours, our_range.clone());
        let theirs = part(theirs, their_range.clone());
        let same = |a: &[Node<'a, V>], b: &[Node<'a, V>]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| V::is_identical(a, b))
        };
        if same(ours, theirs) || same(base, theirs) {
            let our_range = our_start + our_range.start..our_start + our_range.end;
            merged.push(Child::Kept(our_range));
            return None;
        }
        if same(base, ours) {
            let other = their_range.zip(theirs);
            let new = |(at, node): (usize, &Node<'a, V>)| {
                child(around, None, Some(their_start + at), Merged::Theirs(*node))
            };
            merged.extend(other.filter_map(new));
            return None;
        }
        let all = |list: &[Node<'a, V>]| Some(Version::of(list, true));
        let three = Three { base: all(base), ours: all(ours), theirs: all(theirs) };
        let edges = [Some(our_start + our_range.start), Some(their_start + their_range.start)];
        Some(self.within(edges, |merger| merger.report(three, ConflictKind::Elements)))
    }
}

/// The elements of a hunk, with the position of the first.
struct ListHunk<'h, N> {
    around: &'h Three<N>,
    lists: [&'h [N]; 3],
    at: [usize; 3],
}

/// Whether the elements of each list are as many, and have no children.
fn is_row<'a, V: Values>(lists: &Lists<Node<'a, V>>) -> bool {
    let [base, ours, theirs] = lists;
    base.len() == ours.len()
        && base.len() == theirs.len()
        && lists.iter().flatten().all(Node::is_scalar)
}

/// Where each element of one list is in another one.
pub(in crate::document) fn positions<'a, V: Values>(
    from: &[Node<'a, V>],
    to: &[Node<'a, V>],
    rule: Rule,
) -> Vec<Option<usize>> {
    let lists = [from.to_vec(), to.to_vec(), to.to_vec()];
    match identities(&lists, rule) {
        Some((_, [own, others, _])) => {
            let places: HashMap<&Mark, usize> = others.iter().zip(0..).collect();
            own.iter().map(|key| places.get(key).copied()).collect()
        }
        None => {
            let marker = Marker::default();
            pairs(&marks(from, &marker), &marks(to, &marker))
        }
    }
}

/// The identities of the elements of all three lists, if they have any, and the member that they are.
fn identities<'a, V: Values>(
    lists: &Lists<Node<'a, V>>,
    rule: Rule,
) -> Option<(Option<&'static str>, Lists<Mark>)> {
    let marker = Marker::default();
    if rule == Rule::OrderedSet {
        let scalar = |node: &Node<'a, V>| node.is_scalar().then(|| marker.mark(node));
        if let Some(keys) = keys(lists, scalar) {
            return Some((None, keys));
        }
    }
    let all = || lists.iter().flatten();
    let names = all().map(V::identities).max_by_key(|names| names.len())?;
    let names = match all().all(|node| V::identities(node).len() == 1) {
        true => V::identities(all().next()?),
        false => names,
    };
    names.iter().find_map(|name| {
        let key = |node: &Node<'a, V>| Some(marker.mark(&node.member(name)?));
        Some((Some(*name), keys(lists, key)?))
    })
}

/// Whether each list has one element alone, and both sides have in it one of the identities of BASE.
fn is_one<'a, V: Values>(lists: &Lists<Node<'a, V>>) -> bool {
    let [[base], [ours], [theirs]] = lists.each_ref().map(Vec::as_slice) else { return false };
    let has = |side: &Node<'a, V>| {
        let mut names = V::identities(base).iter();
        names.any(|name| {
            base.member(name)
                .zip(side.member(name))
                .is_some_and(|(old, new)| V::is_identical(&old, &new))
        })
    };
    has(ours) && has(theirs)
}

/// A number that equal values have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    Of(u64),
    /// Of a value that cannot be told from others, and so is like none.
    Alone(u64),
}

/// Gives values their marks; those of one marker can be compared.
#[derive(Default)]
struct Marker {
    hasher: RandomState,
    alone: Cell<u64>,
}

impl Marker {
    fn mark<'a, V: Values>(&self, node: &Node<'a, V>) -> Mark {
        V::hash(node, &self.hasher).map_or_else(
            || {
                self.alone.set(self.alone.get() + 1);
                Mark::Alone(self.alone.get())
            },
            Mark::Of,
        )
    }
}

/// Returns the mark of each element.
fn marks<'a, V: Values>(list: &[Node<'a, V>], marker: &Marker) -> Vec<Mark> {
    list.iter().map(|node| marker.mark(node)).collect()
}

/// The keys of all elements; `None` where one has none or shares it with a neighbour.
fn keys<N>(lists: &Lists<N>, key: impl Fn(&N) -> Option<Mark>) -> Option<Lists<Mark>> {
    let of = |list: &[N]| {
        let keys: Vec<Mark> = list.iter().map(&key).collect::<Option<_>>()?;
        let different: HashSet<&Mark> = keys.iter().collect();
        (different.len() == keys.len()).then_some(keys)
    };
    let [base, ours, theirs] = lists;
    Some([of(base)?, of(ours)?, of(theirs)?])
}

/// Whether two containers have the same members but for one.
fn same_but<'a, V: Values>(a: &Node<'a, V>, b: &Node<'a, V>, name: &str) -> bool {
    let members = |node: &Node<'a, V>| {
        let all = node.structure().entries().into_iter();
        all.filter(|(step, _)| step.name() != name).collect::<Vec<_>>()
    };
    let (a, b) = (members(a), members(b));
    a.len() == b.len() && a.iter().zip(&b).all(|((x, a), (y, b))| x == y && V::is_identical(a, b))
}

/// Whether both sides changed an entry in the same way, but for the number that says its position.
fn same_entry<'a, V: Values>(three: &Three<Node<'a, V>>) -> bool {
    let (Some(ours), Some(theirs)) = (&three.ours, &three.theirs) else { return false };
    let is_base =
        |one: &Node<'a, V>| three.base.as_ref().is_some_and(|base| V::is_identical(base, one));
    same_but(ours, theirs, V::NUMBER) && !is_base(ours) && !is_base(theirs)
}
