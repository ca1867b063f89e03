//! Values by ranges as the values that paths lead to, that are compared and merged.

use std::fmt;
use std::hash::RandomState;
use std::ops::Range;

use super::bits::Memo;
use super::grammar::Extent;
use super::index::{Listed, RangeNode};
use super::values::Values;
use crate::document::diff::{Children, Middle, MiddleChildren, Tree};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::{Memos, MiddleOfThree, Node, Part, Parts, Rule, Turn, Typed, Way};
use crate::document::path::Step;

/// The bit of a byte at a position.
fn phase<V: Values>(at: usize) -> usize {
    (at * V::UNIT) & 7
}

/// The children of two containers from the first to the last that differ, and how many are the same before.
struct Differing<'a, V: Values> {
    front: usize,
    own: Vec<Listed<'a, V>>,
    other: Vec<Listed<'a, V>>,
}

impl<'a, V: Values> RangeNode<'a, V> {
    /// Lists the values in it that have steps of their own, with the ways to them.
    fn shown_parts(&self) -> Vec<Part<Self>> {
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
                Some(step) => parts.push((step, vec![Turn::Child(at)], child.1)),
                None => parts.extend(child.1.inlined(at)),
            }
        }
        parts
    }

    /// Walks the children of two containers side by side, and keeps those between the first and the last
    /// difference: a list of small numbers has more elements than there is memory for.
    fn between(&self, other: &Self, memo: &Memo) -> Differing<'a, V> {
        let (mut own, mut others) = (self.list(), other.list());
        let (ours, theirs) = (self.children_range(), other.children_range());
        let ends = (ours.end, theirs.end);
        let bits = |node: &Self, own: Range<usize>| {
            (node.all_bytes(), own.start * V::UNIT..own.end * V::UNIT)
        };
        let same_end = match phase::<V>(ends.0) == phase::<V>(ends.1) {
            true => memo.common_end(bits(self, ours), bits(other, theirs)) / V::UNIT,
            false => 0,
        };
        let mut between = Differing { front: 0, own: Vec::new(), other: Vec::new() };
        let (mut a, mut b) = (own.next(), others.next());
        while let (Some((child, node)), Some((found, other))) = (&a, &b) {
            if child.key != found.key || !node.is_identical(other, memo) {
                break;
            }
            between.front += 1;
            (a, b) = (own.next(), others.next());
        }
        if self.is_numbered() || other.is_numbered() {
            let (left, [others_left]) = self.differing([(other, memo)], between.front);
            between.own.extend(a.into_iter().chain(own).take(left));
            between.other.extend(b.into_iter().chain(others).take(others_left));
            return between;
        }
        loop {
            // From where it is as far to the end in both, and the bytes are the same, all is.
            let left = |end: usize, next: &Option<Listed<'a, V>>| {
                next.as_ref().map_or(0, |(child, _)| end - child.entry)
            };
            let (to_end, others_to_end) = (left(ends.0, &a), left(ends.1, &b));
            let ends_alike = to_end == others_to_end && to_end <= same_end;
            match (&a, &b) {
                (Some((child, node)), Some((found, other)))
                    if ends_alike
                        && child.key == found.key
                        && self.grammar.reads_alike(node.context(), other.context()) =>
                {
                    return between;
                }
                (Some(child), _) if to_end >= others_to_end => {
                    between.own.push(*child);
                    a = own.next();
                }
                (_, Some(child)) => {
                    between.other.push(*child);
                    b = others.next();
                }
                _ => return between,
            }
        }
    }

    /// Returns how many elements of this list and of others stand between the first `front` ones and those at
    /// the end that are the same in all. Bytes alone do not tell, where they say positions.
    fn differing<const N: usize>(
        &self,
        others: [(&Self, &Memo); N],
        front: usize,
    ) -> (usize, [usize; N]) {
        let len = |list: &Self| list.list().count().saturating_sub(front);
        let (own, others_len) = (len(self), others.map(|(other, _)| len(other)));
        let ends = others.into_iter().zip(others_len).map(|((other, memo), len)| {
            let common = own.min(len);
            let end = |list: &Self, len: usize| list.list().skip(front + len - common);
            let mut same = 0;
            for ((_, node), (_, found)) in end(self, own).zip(end(other, len)) {
                same = if node.is_identical(&found, memo) { same + 1 } else { 0 };
            }
            same
        });
        let same = ends.min().unwrap_or(own);
        (own - same, others_len.map(|len| len - same))
    }

    /// Whether what stands before a child says its position.
    fn is_numbered(&self) -> bool {
        self.open().is_some_and(|open| open.is_numbered)
    }

    /// Lists the values in a child whose children stand in its place.
    fn inlined(&self, at: usize) -> Vec<Part<Self>> {
        let mut parts = self.shown_parts();
        for (_, way, _) in &mut parts {
            way.insert(0, Turn::Child(at));
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
            (step, vec![Turn::Hidden(at)], self.with(extent))
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
            if own.shell() != other.shell() {
                return false;
            }
            match (own.structure(), other.structure()) {
                (Children::None, Children::None) if V::is_equal(&own, &other) => {}
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
                let entries = self.shown_parts().into_iter();
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
        self.has_same_bytes(other) || V::is_equal(self, other)
    }

    fn is_identical(&self, other: &Self, memo: &Memo) -> bool {
        self.reads_alike(other)
            && memo.is_same((self.all_bytes(), self.bits()), (other.all_bytes(), other.bits()))
    }

    fn middle(&self, other: &Self, memo: &Memo) -> Option<Middle<Self>> {
        let (is_list, is_also) = (self.is_list()?, other.is_list()?);
        if is_list != is_also {
            return None;
        }
        let Differing { front, own, other: others } = self.between(other, memo);
        let children = match is_list {
            true => {
                let nodes =
                    |all: Vec<Listed<'a, V>>| all.into_iter().map(|(_, node)| node).collect();
                MiddleChildren::Items(nodes(own), nodes(others))
            }
            false => {
                let entries = |node: &Self, all: Vec<Listed<'a, V>>| {
                    let parts = node.parts_of((front..).zip(all)).into_iter();
                    parts.map(|(step, _, node)| (step, node)).collect()
                };
                MiddleChildren::Entries(entries(self, own), entries(other, others))
            }
        };
        Some(Middle { front, children })
    }

    fn mark(&self, hasher: &RandomState) -> Option<u64> {
        V::hash(self, hasher)
    }

    fn len(&self) -> Option<usize> {
        let open = self.open().filter(|open| open.width.is_some())?;
        open.len
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

impl<'a, V: Values> Node for RangeNode<'a, V> {
    const IS_POINTER: bool = V::IS_POINTER;
    const NUMBER: &'static str = V::NUMBER;

    fn kind(&self) -> String {
        V::kind(self)
    }

    fn parts(&self) -> Vec<Part<Self>> {
        self.shown_parts()
    }

    fn each_part<'n>(&self) -> Parts<'n, Self>
    where
        Self: 'n,
    {
        let node = *self;
        let components = match V::shows_components(self) {
            true => self.component_parts(),
            false => Vec::new(),
        };
        let parts = self.list().enumerate().flat_map(move |child| node.parts_of([child]));
        Box::new(parts.chain(components))
    }

    fn key(&self, at: usize) -> Option<(Way, Self)> {
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
                    way.push(Turn::Key(at));
                    return Some((way, key));
                }
            }
            let (place, inner) = inlined?;
            way.push(Turn::Child(place));
            here = (way, inner);
        }
    }

    fn hidden(&self) -> Vec<Part<Self>> {
        let mut parts = match V::shows_components(self) {
            true => Vec::new(),
            false => self.component_parts(),
        };
        if self.is_list() == Some(false) {
            for (at, child) in self.list().enumerate() {
                let step =
                    V::hidden_step(self, &child).filter(|_| V::step(self, at, &child).is_none());
                parts.extend(step.map(|step| (step, vec![Turn::Child(at)], child.1)));
            }
        }
        parts
    }

    fn json(&self) -> Result<Json, Error> {
        V::json(self)
    }

    fn plain(&self) -> Result<Json, Error> {
        V::plain(self)
    }

    fn typed(&self) -> Result<Option<Typed<'_>>, Error> {
        V::typed(self)
    }

    fn structure(&self) -> Children<Self> {
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

    fn shell(&self) -> String {
        V::container_type(self)
    }

    fn is(&self, other: &Self) -> bool {
        V::is_same(self, other)
    }

    fn is_same(&self, other: &Self, memo: &Memo) -> bool {
        self.is_identical(other, memo)
    }

    fn middle_of_three(all: [&Self; 3], memos: &Memos) -> Option<MiddleOfThree<Self>> {
        let [Some(is_list), own, other] = all.map(Self::is_list) else { return None };
        if own != Some(is_list) || other != own {
            return None;
        }
        let mut lists = all.map(Self::list);
        let mut heads = lists.each_mut().map(Iterator::next);
        let mut front = 0;
        let is_same = |heads: &[Option<Listed<'a, V>>; 3]| {
            let [Some((base_key, base)), Some((own_key, own)), Some((other_key, other))] = heads
            else {
                return false;
            };
            base_key.key == own_key.key
                && base_key.key == other_key.key
                && base.is_identical(own, &memos.base_to_ours)
                && base.is_identical(other, &memos.base_to_theirs)
        };
        while is_same(&heads) {
            front += 1;
            heads = lists.each_mut().map(Iterator::next);
        }
        let ranges = all.map(Self::children_range);
        let ends = ranges.each_ref().map(|range| range.end);
        let mut bytes = all.map(Self::all_bytes).into_iter();
        let [base, ours, theirs] = ranges.map(|range| {
            let bits = range.start * V::UNIT..range.end * V::UNIT;
            (bytes.next().unwrap_or_default(), bits)
        });
        let [end, own_end, other_end] = ends.map(phase::<V>);
        let is_same_phase = end == own_end && end == other_end;
        let same_end = memos
            .base_to_ours
            .common_end(base.clone(), ours)
            .min(memos.base_to_theirs.common_end(base, theirs))
            / V::UNIT;
        let mut children: [Vec<Listed<'a, V>>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let mut rest = usize::MAX;
        let is_numbered = all.into_iter().any(Self::is_numbered);
        if is_numbered {
            let [base, ours, theirs] = all;
            let others = [(ours, &memos.base_to_ours), (theirs, &memos.base_to_theirs)];
            let (left, [ours_left, theirs_left]) = base.differing(others, front);
            let heads = heads.each_mut().map(Option::take).into_iter();
            let left = [left, ours_left, theirs_left];
            let children = children.iter_mut().zip(heads.zip(lists.each_mut())).zip(left);
            for ((children, (head, list)), left) in children {
                children.extend(head.into_iter().chain(list).take(left));
            }
            rest = front + ours_left;
        }
        loop {
            if is_numbered {
                // They were told apart above.
                break;
            }
            // From where it is as far to the end in all, and the bytes are the same, all is.
            let mut left = [0; 3];
            for ((left, end), head) in left.iter_mut().zip(ends).zip(&heads) {
                *left = head.as_ref().map_or(0, |(child, _)| end - child.entry);
            }
            let [base, own, other] = left;
            let farthest = base.max(own).max(other);
            if base == own
                && base == other
                && base <= same_end
                && is_same_phase
                && let [Some((base, _)), Some((own, _)), Some((other, _))] = &heads
                && base.key == own.key
                && base.key == other.key
            {
                let [_, ours, _] = &children;
                rest = front + ours.len();
                break;
            }
            if heads.iter().all(Option::is_none) {
                break;
            }
            for (at, head) in heads.iter_mut().enumerate() {
                let is_next = left.get(at) == Some(&farthest) && head.is_some();
                if let (true, Some(list), Some(all)) =
                    (is_next, lists.get_mut(at), children.get_mut(at))
                {
                    all.extend(head.take());
                    *head = list.next();
                    break;
                }
            }
        }
        let mut nodes = all.into_iter();
        let children = children.map(|children| {
            let Some(node) = nodes.next() else { return Vec::new() };
            let entry = |(at, child): (usize, Listed<'a, V>)| match is_list {
                true => (Step::Index(at), child.1),
                false => (node.own_step(at, &child), child.1),
            };
            (front..).zip(children).map(entry).collect()
        });
        Some(MiddleOfThree { front, rest, is_list, children })
    }

    fn means(&self, other: &Self) -> bool {
        V::means(self, other)
    }

    fn member(&self, name: &str) -> Option<Self> {
        if self.is_list()? {
            return None;
        }
        let mut children = self.list().enumerate();
        children
            .find(|(at, child)| self.own_step(*at, child).name() == name)
            .map(|(_, (_, node))| node)
    }

    fn rule(&self, member: &Step) -> Rule {
        V::rule(self, member)
    }

    fn identities(&self) -> &'static [&'static str] {
        V::identities(self)
    }

    fn name(&self) -> Option<String> {
        V::name(self)
    }
}
