//! Values by ranges as the values that paths lead to, that are compared and merged.

use std::fmt;
use std::hash::RandomState;
use std::ops::Range;

use super::bits::Memo;
use super::grammar::Extent;
use super::hunks::{self, ListedHunk};
use super::index::{Listed, RangeNode};
use super::values::Values;
use crate::document::diff::{self, Children, Hunks, Tree};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::{Edge, Memos, Part, Parts, Way};
use crate::document::path::Step;

/// Children with their positions.
type Numbered<'n, 'a, V> = &'n mut dyn Iterator<Item = (usize, Listed<'a, V>)>;

/// The bit of a byte at a position.
pub(super) fn phase<V: Values>(at: usize) -> usize {
    (at * V::UNIT) & 7
}

impl<'a, V: Values> RangeNode<'a, V> {
    /// Lists the values in it that have steps of their own, with the ways to them.
    pub(in crate::document) fn parts(&self) -> Vec<Part<Self>> {
        let mut parts = self.parts_of(self.list().enumerate());
        if V::shows_components(self) {
            parts.extend(self.component_parts());
        }
        parts
    }

    /// The same of some of its children, with their positions.
    fn parts_of(
        &self,
        children: impl IntoIterator<Item = (usize, Listed<'a, V>)>,
    ) -> Vec<Part<Self>> {
        let mut parts = Vec::new();
        for (at, child) in children {
            match V::step(self, at, &child) {
                Some(step) => parts.push((step, vec![Edge::Child(at)], child.1)),
                None => parts.extend(child.1.inlined(at)),
            }
        }
        parts
    }

    /// Returns the children of containers that are not the same in all, as `entries` names those of containers
    /// with keys; `None` if they are not all lists, or all with keys.
    fn differing<const N: usize>(
        all: [&Self; N],
        memos: [&Memo; N],
        is_in_step: bool,
        entries: impl Fn(&Self, Numbered<'_, 'a, V>) -> Vec<(Step, Self)>,
    ) -> Option<Hunks<Self, N>> {
        let (first, is_list) = (all.first()?, all.first()?.is_list()?);
        if all.iter().any(|own| own.is_list() != Some(is_list)) {
            return None;
        }
        let shown = |hunk: ListedHunk<'a, V, N>| {
            let mut sides = all.into_iter().zip(hunk.at);
            let children = hunk.children.map(|children| {
                let (node, at) = sides.next().unwrap_or((first, 0));
                let children = (at..).zip(children);
                match is_list {
                    true => children.map(|(at, (_, node))| (Step::Index(at), node)).collect(),
                    false => entries(node, &mut { children }),
                }
            });
            diff::Hunk { at: hunk.at, children }
        };
        let hunks = hunks::hunks(all, memos, is_in_step).into_iter().map(shown).collect();
        Some(Hunks { is_list, hunks })
    }

    /// Whether what stands before a child says its position.
    pub(super) fn is_numbered(&self) -> bool {
        self.open().is_some_and(|open| open.is_numbered)
    }

    /// Lists the values in a child whose children stand in its place.
    fn inlined(&self, at: usize) -> Vec<Part<Self>> {
        let mut parts = self.parts();
        for (_, way, _) in &mut parts {
            way.insert(0, Edge::Child(at));
        }
        parts
    }

    /// The step to a child, if its children stand in its place, too.
    fn own_step(&self, at: usize, child: &Listed<'a, V>) -> Step {
        let step = V::step(self, at, child).or_else(|| V::hidden_step(self, child));
        step.unwrap_or(Step::Index(at))
    }

    fn component_parts(&self) -> Vec<Part<Self>> {
        let part = |(at, (step, extent)): (usize, (Step, Extent<V::Context<'a>>))| {
            (step, vec![Edge::Hidden(at)], self.with(extent))
        };
        V::components(self).into_iter().enumerate().map(part).collect()
    }

    fn is_list(&self) -> Option<bool> {
        self.open().map(|open| open.is_list)
    }

    /// Returns whether the same bits mean the same in both: of a container, only from the same bit of a byte on, as
    /// there may be padding in it.
    fn reads_alike(&self, other: &Self) -> bool {
        let is_phased = phase::<V>(self.extent.start) != phase::<V>(other.extent.start);
        self.grammar.reads_alike(self.context(), other.context())
            && !(is_phased && self.open().is_some())
    }

    /// Returns whether both have the same bytes, and these mean the same.
    pub(in crate::document) fn has_same_bytes(&self, other: &Self) -> bool {
        self.reads_alike(other)
            && super::bits::is_same(
                (self.all_bytes(), self.bits()),
                (other.all_bytes(), other.bits()),
            )
    }

    /// Returns whether both have equal values in the same containers.
    pub(in crate::document) fn has_equal_parts(&self, other: &Self) -> bool {
        let mut waiting = vec![(*self, *other)];
        while let Some((own, other)) = waiting.pop() {
            if own.has_same_bytes(&other) {
                continue;
            }
            if V::container_type(&own) != V::container_type(&other) {
                return false;
            }
            match (own.structure(), other.structure()) {
                (Children::None, Children::None) if V::is_flat_equal(&own, &other) => {}
                (Children::Items(a), Children::Items(b)) if a.len() == b.len() => {
                    waiting.extend(a.into_iter().zip(b));
                }
                (Children::Entries(a), Children::Entries(b)) if a.len() == b.len() => {
                    for ((key, a), (other, b)) in a.into_iter().zip(b) {
                        if key != other {
                            return false;
                        }
                        waiting.push((a, b));
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

impl<'a, V: Values> Tree for RangeNode<'a, V> {
    fn full_kind(&self) -> String {
        V::full_kind(self)
    }

    fn children(&self) -> Children<Self> {
        match self.is_list() {
            None => Children::None,
            Some(true) => Children::Items(self.list().map(|(_, node)| node).collect()),
            Some(false) => {
                let entries = self.parts().into_iter();
                Children::Entries(entries.map(|(step, _, node)| (step, node)).collect())
            }
        }
    }

    fn is_flat(&self) -> bool {
        V::is_flat(self)
    }

    fn is_row(&self) -> bool {
        V::is_row(self)
    }

    fn same(&self, other: &Self) -> bool {
        self.has_same_bytes(other) || V::is_flat_equal(self, other)
    }

    fn same_bytes(&self, other: &Self, memo: &Memo) -> bool {
        self.reads_alike(other)
            && memo.is_same((self.all_bytes(), self.bits()), (other.all_bytes(), other.bits()))
    }

    fn hunks(&self, other: &Self, memo: &Memo, is_in_step: bool) -> Option<Hunks<Self, 2>> {
        Self::differing([self, other], [memo; 2], is_in_step, |node, children| {
            node.parts_of(children).into_iter().map(|(step, _, node)| (step, node)).collect()
        })
    }

    fn mark(&self, hasher: &RandomState) -> Option<u64> {
        V::hash(self, hasher)
    }

    fn len(&self) -> Option<usize> {
        (self.is_list() == Some(true)).then(|| self.count())
    }

    fn elements(&self, range: Range<usize>) -> Vec<Self> {
        self.list().skip(range.start).take(range.len()).map(|(_, node)| node).collect()
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        let open = self.open().filter(|open| open.is_list)?;
        let (Some(width), Some(len)) = (open.width, open.len) else {
            return Some(self.list().nth(at).map(|(_, node)| node));
        };
        let first = self.list().next().filter(|_| at < len);
        Some(first.map(|(_, first)| {
            let shift = at * width;
            let Extent { start, end, context } = first.extent;
            self.with(Extent { start: start + shift, end: end + shift, context })
        }))
    }

    fn title(&self) -> String {
        V::title(self).unwrap_or_else(|| V::full_kind(self))
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        V::write(self, out)
    }
}

impl<'a, V: Values> RangeNode<'a, V> {
    /// Returns the step to an element.
    pub(in crate::document) fn position(at: usize) -> Step {
        match V::IS_POINTER {
            true => Step::Pointer(at.to_string()),
            false => Step::Index(at),
        }
    }

    /// Returns the parts whose steps are wanted, one by one, as a list has more than there is memory for.
    pub(in crate::document) fn each_part<'n>(
        &self,
        is_wanted: &'n dyn Fn(&Step) -> bool,
    ) -> Parts<'n, Self>
    where
        Self: 'n,
    {
        let node = *self;
        let components = match V::shows_components(self) {
            true => self.component_parts(),
            false => Vec::new(),
        };
        let parts =
            self.list().enumerate().flat_map(move |(at, child)| match V::step(&node, at, &child) {
                Some(step) if !is_wanted(&step) => Vec::new(),
                Some(step) => vec![(step, vec![Edge::Child(at)], child.1)],
                None => child.1.inlined(at),
            });
        Box::new(parts.chain(components))
    }

    /// Returns the key of an entry, which is shown as `[key 3]`.
    pub(in crate::document) fn key(&self, at: usize) -> Option<(Way, Self)> {
        // The keys of what stands in its place count, too.
        let mut here = (Vec::new(), *self);
        loop {
            let (mut way, node) = here;
            let mut inlined = None;
            for (place, child) in node.list().enumerate() {
                if V::step(&node, place, &child).is_none() {
                    inlined = Some((place, child.1));
                } else if place == at
                    && let Some(key) = V::key_node(&node, &child)
                {
                    way.push(Edge::Key(at));
                    return Some((way, key));
                }
            }
            let (place, inner) = inlined?;
            way.push(Edge::Child(place));
            here = (way, inner);
        }
    }

    /// Returns values that exact paths lead to, without being among the [parts](Self::parts).
    pub(in crate::document) fn hidden(&self) -> Vec<Part<Self>> {
        let mut parts = match V::shows_components(self) {
            true => Vec::new(),
            false => self.component_parts(),
        };
        if self.is_list() == Some(false) {
            for (at, child) in self.list().enumerate() {
                let step =
                    V::hidden_step(self, &child).filter(|_| V::step(self, at, &child).is_none());
                parts.extend(step.map(|step| (step, vec![Edge::Child(at)], child.1)));
            }
        }
        parts
    }

    /// Returns the kind, in the words of [`Edit`](crate::document::Edit).
    pub(in crate::document) fn kind(&self) -> String {
        V::kind(self)
    }

    /// Returns the value in the JSON notation; why it has none.
    pub(in crate::document) fn json(&self) -> Result<Json, Error> {
        V::json(self)
    }

    /// Returns the value as plain JSON.
    pub(in crate::document) fn plain(&self) -> Result<Json, Error> {
        V::plain(self)
    }

    /// Returns the values in this one as the bytes have them, each at the position of its [`Edge::Child`].
    pub(in crate::document) fn structure(&self) -> Children<Self> {
        match self.is_list() {
            None => Children::None,
            Some(true) => self.children(),
            Some(false) => {
                let entry =
                    |(at, child): (usize, Listed<'a, V>)| (self.own_step(at, &child), child.1);
                Children::Entries(self.list().enumerate().map(entry).collect())
            }
        }
    }

    /// Returns whether this is no container, so that only its value counts in a list.
    pub(in crate::document) fn is_scalar(&self) -> bool {
        self.open().is_none()
    }

    /// Returns the children of BASE, OURS and THEIRS that are not the same in all; `None` where all have to be looked
    /// at. With `is_in_step`, those at one position are compared.
    pub(in crate::document) fn hunks_of_three(
        all: [&Self; 3],
        memos: &Memos,
        is_in_step: bool,
    ) -> Option<Hunks<Self, 3>> {
        let memos = [&memos.both, &memos.base_to_ours, &memos.base_to_theirs];
        Self::differing(all, memos, is_in_step, |node, children| {
            let part = |(at, child): (usize, Listed<'a, V>)| (node.own_step(at, &child), child.1);
            children.map(part).collect()
        })
    }

    /// Returns the member of a name.
    pub(in crate::document) fn member(&self, name: &str) -> Option<Self> {
        if self.is_list()? {
            return None;
        }
        let mut children = self.list().enumerate();
        children
            .find(|(at, child)| self.own_step(*at, child).name() == name)
            .map(|(_, (_, node))| node)
    }
}
