//! How lists merge: by the identity of their elements, else by place.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::conflict::{ConflictKind, Side};
use super::order::rising;
use super::rule::{Rule, SORT_INDEX};
use super::table::Table;
use super::walk::{Merger, Three};
use o3de_json::Value;
use o3de_json::value::Text;

/// The members that tell elements apart, the most telling first.
const IDENTITIES: [&str; 7] = ["ComponentId", "Id", "$id", "id", "Key", "Name", "name"];

/// Cells of the table for the longest common subsequence; longer lists are aligned by those elements
/// alone that each has once.
const MAX_CELLS: usize = 1 << 20;

type Lists<'v> = [&'v [Value]; 3];

impl Merger {
    /// Merges the lists of BASE, OURS and THEIRS.
    pub(super) fn list(&mut self, lists: Lists<'_>, rule: Rule) -> Value {
        let merged = match identities(lists, rule) {
            Some(keys) => self.keyed(lists, keys, rule),
            None => self.sequence(lists),
        };
        Value::Array(merged.into())
    }

    /// Merges lists whose elements have an identity.
    fn keyed(&mut self, lists: Lists<'_>, keys: [Vec<String>; 3], rule: Rule) -> Vec<Value> {
        let [base, ours, theirs] = lists;
        let [base_keys, our_keys, their_keys] = keys;
        // OURS comes last, so that positions are its own where it has the element.
        let sources = [
            (None, base, base_keys),
            (Some(Side::Theirs), theirs, their_keys),
            (Some(Side::Ours), ours, our_keys),
        ];
        let mut table: Table<'_, String, usize> = Table::new();
        for (origin, list, keys) in sources {
            for ((at, value), key) in list.iter().enumerate().zip(keys) {
                table.add(origin, key, value).into_iter().for_each(|position| *position = at);
            }
        }
        let merge = |(position, three): &(usize, Three<'_>)| match rule {
            Rule::ComponentOrder => self.entry(*three, *position),
            _ => self.below(&position.to_string(), *three, Rule::Plain),
        };
        let merged = table.rows.iter().map(merge).collect();
        let (mut merged, is_contradiction) = table.arrange(self.side, merged);
        if is_contradiction && rule == Rule::Plain {
            self.conflict_of_lists(lists, ConflictKind::Order);
        }
        if rule == Rule::ComponentOrder {
            count_again(&mut merged);
        }
        merged
    }

    fn conflict_of_lists(&mut self, lists: Lists<'_>, kind: ConflictKind) -> Option<Value> {
        let [base, ours, theirs] = lists.map(|list| Value::Array(list.to_vec().into()));
        let three = Three { base: Some(&base), ours: Some(&ours), theirs: Some(&theirs) };
        self.conflict(three, kind)
    }

    /// Merges an entry of the order of components, whose position is no matter of its own.
    fn entry(&mut self, three: Three<'_>, position: usize) -> Option<Value> {
        let same = |three: Three<'_>| {
            let [ours, theirs] = [three.ours, three.theirs].map(|one| one.map(without_index));
            ours.is_some() && ours == theirs
        };
        match same(three) && three.base != three.ours && three.base != three.theirs {
            true => three.ours.cloned(),
            false => self.below(&position.to_string(), three, Rule::ComponentOrder),
        }
    }

    /// Merges lists whose elements have no identity.
    fn sequence(&mut self, [base, ours, theirs]: Lists<'_>) -> Vec<Value> {
        let is_flat = |list: &[Value]| !list.iter().any(is_container);
        let is_row = base.len() == ours.len()
            && base.len() == theirs.len()
            && [base, ours, theirs].into_iter().all(is_flat);
        let in_place = || (0..base.len()).map(Some).collect();
        let (to_ours, to_theirs): (Vec<Option<usize>>, Vec<Option<usize>>) = match is_row {
            true => (in_place(), in_place()),
            false => {
                let [base, ours, theirs] = numbered([base, ours, theirs]);
                (align(&base, &ours), align(&base, &theirs))
            }
        };
        let mut merged = Vec::with_capacity(ours.len().max(theirs.len()));
        let (mut from, mut our_from, mut their_from) = (0, 0, 0);
        for (at, pair) in to_ours.iter().zip(&to_theirs).enumerate() {
            let (Some(our_at), Some(their_at)) = (*pair.0, *pair.1) else { continue };
            let ranges = [from..at, our_from..our_at, their_from..their_at];
            self.chunk([base, ours, theirs], ranges, &mut merged);
            let three =
                Three { base: base.get(at), ours: ours.get(our_at), theirs: theirs.get(their_at) };
            merged.extend(self.below(&our_at.to_string(), three, Rule::Plain));
            let after = |place: usize| place.saturating_add(1);
            (from, our_from, their_from) = (after(at), after(our_at), after(their_at));
        }
        let ranges = [from..base.len(), our_from..ours.len(), their_from..theirs.len()];
        self.chunk([base, ours, theirs], ranges, &mut merged);
        merged
    }

    /// Merges elements of which none has its pair in both others.
    fn chunk(&mut self, lists: Lists<'_>, ranges: [Range<usize>; 3], merged: &mut Vec<Value>) {
        let [base_list, our_list, their_list] = lists;
        let [base_range, our_range, their_range] = ranges;
        let start = our_range.start;
        let base = base_list.get(base_range).unwrap_or_default();
        let ours = our_list.get(our_range).unwrap_or_default();
        let theirs = their_list.get(their_range).unwrap_or_default();
        if ours == theirs || base == theirs {
            merged.extend_from_slice(ours);
        } else if base == ours {
            merged.extend_from_slice(theirs);
        } else {
            let taken = self.within(&start.to_string(), |merger| {
                merger.conflict_of_lists([base, ours, theirs], ConflictKind::Elements)
            });
            if let Some(Value::Array(taken)) = taken {
                merged.extend(taken.into_vec());
            }
        }
    }
}

/// Where each element of one list is in another one.
pub(super) fn positions(from: &[Value], to: &[Value], rule: Rule) -> Vec<Option<usize>> {
    let lists = [from, to, to];
    match identities(lists, rule) {
        Some([own, others, _]) => {
            let places: HashMap<&String, usize> = others.iter().zip(0..).collect();
            own.iter().map(|key| places.get(key).copied()).collect()
        }
        None => {
            let [from, to, _] = numbered(lists);
            align(&from, &to)
        }
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// The identities of the elements of all three lists, if they have any.
fn identities(lists: Lists<'_>, rule: Rule) -> Option<[Vec<String>; 3]> {
    if rule == Rule::OrderedSet {
        let scalar = |value: &Value| (!is_container(value)).then(|| format!("{value:?}"));
        return keys(lists, scalar);
    }
    let is_patch = |value: &Value| {
        let object = value.as_object();
        object.is_some_and(|object| object.contains("op") && object.contains("path"))
    };
    if lists.into_iter().flatten().all(is_patch) {
        return keys(lists, |value| member(value, "path"));
    }
    IDENTITIES.iter().find_map(|name| keys(lists, |value| member(value, name)))
}

fn member(value: &Value, name: &str) -> Option<String> {
    Some(format!("{:?}", value.as_object()?.get(name)?))
}

/// The keys of all elements; `None` where one has none or shares it with a neighbour.
fn keys(lists: Lists<'_>, key: impl Fn(&Value) -> Option<String>) -> Option<[Vec<String>; 3]> {
    let of = |list: &[Value]| {
        let keys: Vec<String> = list.iter().map(&key).collect::<Option<_>>()?;
        let different: HashSet<&String> = keys.iter().collect();
        (different.len() == keys.len()).then_some(keys)
    };
    let [base, ours, theirs] = lists;
    Some([of(base)?, of(ours)?, of(theirs)?])
}

fn without_index(entry: &Value) -> Vec<&(Text, Value)> {
    let members = entry.as_object().into_iter().flatten();
    members.filter(|(name, _)| *name != *SORT_INDEX).collect()
}

/// Counts the positions of components from 0 where two are equal. The editor omits 0.
fn count_again(entries: &mut [Value]) {
    let index = |entry: &Value| entry.get(SORT_INDEX).and_then(Value::as_u64).unwrap_or(0);
    let different: HashSet<u64> = entries.iter().map(index).collect();
    if different.len() == entries.len() {
        return;
    }
    for (at, entry) in (0u64..).zip(entries.iter_mut()) {
        let Some(object) = entry.as_object_mut() else { continue };
        match at {
            0 => drop(object.remove(SORT_INDEX)),
            _ => drop(object.insert(SORT_INDEX, at)),
        }
    }
}

/// Equal elements get equal numbers.
fn numbered(lists: Lists<'_>) -> [Vec<usize>; 3] {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    lists.map(|list| {
        let number = |value: &Value| {
            let next = numbers.len();
            *numbers.entry(format!("{value:?}")).or_insert(next)
        };
        list.iter().map(number).collect()
    })
}

/// For each element of `base` the place of its pair: an equal one, or one that stands alone between
/// the same neighbours.
fn align(base: &[usize], side: &[usize]) -> Vec<Option<usize>> {
    let head = base.iter().zip(side).take_while(|(a, b)| a == b).count();
    let rest = (base.get(head..).unwrap_or_default(), side.get(head..).unwrap_or_default());
    let tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = |list: &[usize]| head..list.len().saturating_sub(tail);
    let inner =
        (base.get(middle(base)).unwrap_or_default(), side.get(middle(side)).unwrap_or_default());
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    let shifted = |(a, b): (usize, usize)| (a.saturating_add(head), b.saturating_add(head));
    pairs.extend(common(inner.0, inner.1).into_iter().map(shifted));
    let ends = (0..tail).rev().map(|back| {
        let at = |list: &[usize]| list.len().saturating_sub(back).saturating_sub(1);
        (at(base), at(side))
    });
    pairs.extend(ends);

    // Gaps of one length on both sides hold changed elements, each in its place.
    let mut to_side = vec![None; base.len()];
    let (mut from, mut side_from) = (0, 0);
    for (at, side_at) in pairs.into_iter().chain([(base.len(), side.len())]) {
        if at.saturating_sub(from) == side_at.saturating_sub(side_from) {
            let gap = to_side.iter_mut().take(at).skip(from);
            gap.zip(side_from..).for_each(|(place, pair)| *place = Some(pair));
        }
        if let Some(place) = to_side.get_mut(at) {
            *place = Some(side_at);
        }
        (from, side_from) = (at.saturating_add(1), side_at.saturating_add(1));
    }
    to_side
}

/// A common subsequence, as pairs of places: the longest one, or for long lists one of elements that
/// each list has once.
fn common(left: &[usize], right: &[usize]) -> Vec<(usize, usize)> {
    if left.len().saturating_mul(right.len()) > MAX_CELLS {
        return anchors(left, right);
    }
    // lengths[i][j]: of what is common to left[i..] and right[j..].
    let width = right.len().saturating_add(1);
    let mut rows: Vec<Vec<u32>> = vec![vec![0; width]];
    for one in left.iter().rev() {
        let mut row = vec![0u32; width];
        if let Some(below) = rows.last() {
            for (at, other) in right.iter().enumerate().rev() {
                let beside = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(0);
                let after = at.saturating_add(1);
                let length = match one == other {
                    true => beside(below, after).saturating_add(1),
                    false => beside(below, at).max(beside(&row, after)),
                };
                row.get_mut(at).into_iter().for_each(|place| *place = length);
            }
        }
        rows.push(row);
    }
    rows.reverse();
    let length = |i: usize, j: usize| rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
    let (mut i, mut j) = (0usize, 0usize);
    let mut pairs = Vec::new();
    while let (Some(one), Some(other)) = (left.get(i), right.get(j)) {
        let (next_i, next_j) = (i.saturating_add(1), j.saturating_add(1));
        if one == other {
            pairs.push((i, j));
            (i, j) = (next_i, next_j);
        } else if length(next_i, j) >= length(i, next_j) {
            i = next_i;
        } else {
            j = next_j;
        }
    }
    pairs
}

/// The longest run in one order of elements that each list has once.
fn anchors(left: &[usize], right: &[usize]) -> Vec<(usize, usize)> {
    let once = |list: &[usize]| {
        let mut places: HashMap<usize, Option<usize>> = HashMap::new();
        for (at, id) in list.iter().enumerate() {
            places.entry(*id).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (lefts, rights) = (once(left), once(right));
    let place = |places: &HashMap<usize, Option<usize>>, id: &usize| places.get(id).copied()?;
    let both = |id: &usize| Some((place(&lefts, id)?, place(&rights, id)?));
    let pairs: Vec<(usize, usize)> = left.iter().filter_map(both).collect();
    let rights: Vec<usize> = pairs.iter().map(|(_, at)| *at).collect();
    rising(&rights).into_iter().filter_map(|at| pairs.get(at).copied()).collect()
}
