//! The walk along three documents at once.

use super::table::Table;
use super::{Conflict, ConflictKind, Side, Three, Version};
use crate::document::diff::Children as Nested;
use crate::document::node::{Found, Memos, MiddleOfThree, Node, Rule, Turn, Way};
use crate::document::path::{self, Step};

/// Where a merge of all children begins, and where what stays begins: after the last.
pub(super) const ALL: [usize; 2] = [0, usize::MAX];

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

/// The children of a merged container: of OURS the first ones, those that were merged, and the rest.
pub(in crate::document) struct Children<N> {
    /// How many of OURS stay before those that were merged.
    pub(in crate::document) front: usize,
    pub(in crate::document) merged: Vec<Child<N>>,
    /// The position in OURS from which all stay.
    pub(in crate::document) rest: usize,
    pub(in crate::document) rule: Rule,
}

/// A child of a merged container.
pub(in crate::document) struct Child<N> {
    /// The position in OURS; in THEIRS, with that container, where OURS lacks it.
    pub(in crate::document) from: Result<usize, (N, usize)>,
    pub(in crate::document) value: Merged<N>,
}

/// Which side a conflict is resolved to.
pub(super) type Choice<'m> = dyn FnMut(&Conflict) -> Side + 'm;

pub(super) struct Merger<'m, N> {
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
    memos: Memos,
}

impl<'m, N: Node> Merger<'m, N> {
    pub(super) fn new(ours: N, theirs: N, choose: &'m mut Choice<'m>) -> Self {
        let ways = [Some(Way::new()), Some(Way::new())];
        let memos = Memos::default();
        Merger { choose, ours, theirs, levels: 0, ways, name: None, conflicts: 0, memos }
    }

    pub(super) fn root(&mut self, base: Option<N>) -> Merged<N> {
        let three =
            Three { base, ours: Some(self.ours.clone()), theirs: Some(self.theirs.clone()) };
        self.merge(&three, Rule::Plain).unwrap_or(Merged::Ours)
    }

    /// Merges one step further down.
    pub(super) fn below(
        &mut self,
        [own, other]: [Option<usize>; 2],
        three: &Three<N>,
        rule: Rule,
    ) -> Option<Merged<N>> {
        self.levels += 1;
        let merged = self.within([own, other], |merger| merger.merge(three, rule));
        self.levels -= 1;
        merged
    }

    /// Does something one step further down.
    pub(super) fn within<T>(
        &mut self,
        turns: [Option<usize>; 2],
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.ways.clone();
        for (way, turn) in self.ways.iter_mut().zip(turns) {
            *way = way.take().zip(turn).map(|(mut way, at)| {
                way.push(Turn::Child(at));
                way
            });
        }
        let done = work(self);
        self.ways = outer;
        done
    }

    /// Merges one value: `None` if nothing is present.
    fn merge(&mut self, three: &Three<N>, rule: Rule) -> Option<Merged<N>> {
        let base = three.base.as_ref();
        let (ours, theirs) = match (&three.ours, &three.theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (None, None) => return None,
            (Some(left), None) | (None, Some(left)) => {
                let kept = || match &three.ours {
                    Some(_) => Merged::Ours,
                    None => Merged::Theirs(left.clone()),
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
        if ours.is_same(theirs, both)
            || base.is_some_and(|base| base.is_same(theirs, base_to_theirs))
        {
            return Some(Merged::Ours);
        }
        if base.is_some_and(|base| base.is_same(ours, base_to_ours)) {
            return Some(Merged::Theirs(theirs.clone()));
        }
        if self.levels < MAX_LEVELS && ours.shell() == theirs.shell() {
            let base = base.filter(|base| base.shell() == ours.shell());
            let middle =
                base.and_then(|base| N::middle_of_three([base, ours, theirs], &self.memos));
            match middle {
                Some(MiddleOfThree { front, rest, is_list: true, children }) => {
                    let lists = children.map(|all| all.into_iter().map(|(_, node)| node).collect());
                    return Some(self.list(three, lists, [front, rest], rule));
                }
                Some(MiddleOfThree { front, rest, is_list: false, children })
                    if children.iter().all(|all| is_plain(all)) =>
                {
                    return Some(self.entries(three, children, [front, rest]));
                }
                _ => {}
            }
            let before = base.map_or(Nested::None, Node::structure);
            match (before, ours.structure(), theirs.structure()) {
                (before, Nested::Entries(own), Nested::Entries(other))
                    if is_plain(&own) && is_plain(&other) =>
                {
                    let before = match before {
                        Nested::Entries(before) if is_plain(&before) => before,
                        _ => Vec::new(),
                    };
                    return Some(self.entries(three, [before, own, other], ALL));
                }
                (before, Nested::Items(own), Nested::Items(other)) => {
                    let before = match before {
                        Nested::Items(before) => before,
                        _ => Vec::new(),
                    };
                    return Some(self.list(three, [before, own, other], ALL, rule));
                }
                _ => {}
            }
        }
        if ours.means(theirs) || base.is_some_and(|base| base.means(theirs)) || rule == Rule::Alias
        {
            return Some(Merged::Ours);
        }
        if base.is_some_and(|base| base.means(ours)) {
            return Some(Merged::Theirs(theirs.clone()));
        }
        self.conflict(three, ConflictKind::Value)
    }

    /// Reports a conflict, and returns the value of the side that is chosen.
    pub(super) fn conflict(&mut self, three: &Three<N>, kind: ConflictKind) -> Option<Merged<N>> {
        match (self.report(three.versions(), kind), &three.theirs) {
            (Side::Ours, _) => three.ours.as_ref().map(|_| Merged::Ours),
            (Side::Theirs, theirs) => theirs.clone().map(Merged::Theirs),
        }
    }

    pub(super) fn report(&mut self, three: Three<Version>, kind: ConflictKind) -> Side {
        self.conflicts += 1;
        let shown = |root: &N, way: &Option<Way>| shown_path(root, way.as_ref()?);
        let [own, other] = &self.ways;
        let path = shown(&self.ours, own).or_else(|| shown(&self.theirs, other));
        let (path, name) = (path.unwrap_or_default(), self.name.clone());
        let Three { base, ours, theirs } = three;
        (self.choose)(&Conflict { path, name, kind, base, ours, theirs, message: None })
    }

    /// Merges entries, between those before `front` and from `rest` on, which stay.
    fn entries(
        &mut self,
        three: &Three<N>,
        all: [Vec<(Step, N)>; 3],
        [front, rest]: [usize; 2],
    ) -> Merged<N> {
        let outer = self.name.clone();
        let named = [&three.ours, &three.theirs].into_iter().flatten().find_map(Node::name);
        self.name = named.or(self.name.take());
        let mut table: Table<Step, N> = Table::new();
        for (origin, entries) in [None, Some(Side::Ours), Some(Side::Theirs)].into_iter().zip(all) {
            for (at, (step, node)) in (front..).zip(entries) {
                table.add(origin, step, at, node);
            }
        }
        let around = three.ours.as_ref().or(three.theirs.as_ref());
        let mut merged = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let rule = around.map_or(Rule::Plain, |around| around.rule(&row.key));
            let value = match rule {
                Rule::Derived(truth) => derived(three, &row.three, truth),
                rule => self.below([row.own, row.other], &row.three, rule),
            };
            merged.push(value.and_then(|value| child(three, row.own, row.other, value)));
        }
        self.name = outer;
        // Of whom a member comes first is no conflict.
        let merged = table.arrange(Side::Ours, merged).0;
        Merged::Children(Children { front, merged, rest, rule: Rule::Plain })
    }
}

/// A child of a merged container.
pub(super) fn child<N: Node>(
    around: &Three<N>,
    own: Option<usize>,
    other: Option<usize>,
    value: Merged<N>,
) -> Option<Child<N>> {
    let from = match own {
        Some(at) => Ok(at),
        None => Err((around.theirs.clone()?, other?)),
    };
    Some(Child { from, value })
}

/// The path of the value at a way, as everything takes it.
fn shown_path<N: Node>(root: &N, way: &[Turn]) -> Option<String> {
    let mut here = Found::root(root.clone());
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
fn derived<N: Node>(
    around: &Three<N>,
    member: &Three<N>,
    truth: &'static [&'static str],
) -> Option<Merged<N>> {
    let unlike = |a: &Option<N>, b: &Option<N>| match (a, b) {
        (Some(a), Some(b)) => !a.is(b),
        (a, b) => a.is_some() != b.is_some(),
    };
    let ours = || member.ours.as_ref().map(|_| Merged::Ours);
    let theirs = || member.theirs.clone().map(Merged::Theirs);
    if !unlike(&member.ours, &member.base) {
        return theirs();
    }
    if !unlike(&member.theirs, &member.base) {
        return ours();
    }
    let changed = |side: &Option<N>| {
        truth.iter().any(|name| {
            let of = |node: &Option<N>| node.as_ref()?.member(name);
            unlike(&of(side), &of(&around.base))
        })
    };
    if changed(&around.theirs) && !changed(&around.ours) { theirs() } else { ours() }
}

/// Whether a value is what was there before, but for members that are gone and for what is computed.
/// Removing all of it then loses no change.
fn only_removes<N: Node>(base: &N, left: &N) -> bool {
    let mut waiting = vec![(base.clone(), left.clone())];
    while let Some((base, left)) = waiting.pop() {
        match (base.structure(), left.structure()) {
            (Nested::Items(a), Nested::Items(b)) if a.len() == b.len() => {
                waiting.extend(a.into_iter().zip(b));
            }
            (Nested::Entries(a), Nested::Entries(b)) => {
                let before: std::collections::HashMap<Step, N> = a.into_iter().collect();
                for (step, value) in
                    b.into_iter().filter(|(step, _)| !left.rule(step).is_computed())
                {
                    match before.get(&step) {
                        Some(before) => waiting.push((before.clone(), value)),
                        None => return false,
                    }
                }
            }
            _ if base.means(&left) => {}
            _ => return false,
        }
    }
    true
}
