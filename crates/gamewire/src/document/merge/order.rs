//! The order of what is merged: each element after the one that it stood after.

use std::collections::HashSet;

/// An order of elements, each a number below the count of all.
pub(super) struct MergedOrder {
    pub(super) order: Vec<usize>,
    /// Both sides moved one element, to different places.
    pub(super) is_contradiction: bool,
}

/// Merges three orders. Where they contradict, `first` wins; only what `kept` says is in the result. An element
/// counts as many as `lens` says.
pub(super) fn merge(
    base: &[usize],
    first: &[usize],
    second: &[usize],
    kept: &[bool],
    lens: &[usize],
) -> MergedOrder {
    let is_kept = |id: usize| kept.get(id).copied().unwrap_or(false);
    let [base, first, second] =
        [base, first, second].map(|ids| ids.iter().copied().filter(|id| is_kept(*id)).collect());
    let (base, first, second): (Vec<usize>, Vec<usize>, Vec<usize>) = (base, first, second);
    let by_first = moved(&base, &first, lens);
    let by_second = moved(&base, &second, lens);
    let is_contradiction = contradict(&first, &second, &by_first, &by_second);
    // One side's order is the frame; the other's elements go after those that they stand after.
    let (frame, other, leave, moved) = match (by_first.is_empty(), by_second.is_empty()) {
        (_, true) => (&first, &second, HashSet::new(), &by_first),
        (true, false) => (&second, &first, HashSet::new(), &by_second),
        (false, false) => {
            (&first, &second, by_second.difference(&by_first).copied().collect(), &by_first)
        }
    };
    let stays = |id: usize| !moved.contains(&id);
    let order = weave(&base, frame, other, &leave, &stays, kept.len());
    let is_contradiction = is_contradiction || inverts(&order, &first, &second, kept.len());
    MergedOrder { order, is_contradiction }
}

/// Elements of a longer order are compared with their neighbours alone.
const MAX_PAIRS: usize = 2_000;

/// Whether two elements stand in an order that neither side has.
fn inverts(order: &[usize], first: &[usize], second: &[usize], count: usize) -> bool {
    let positions = |side: &[usize]| {
        let mut positions = vec![None; count];
        side.iter().zip(0usize..).for_each(|(id, at)| set(&mut positions, *id, Some(at)));
        positions
    };
    let (first, second) = (positions(first), positions(second));
    let reach = if order.len() > MAX_PAIRS { 1 } else { order.len() };
    order.iter().enumerate().any(|(at, before)| {
        let after = order.iter().skip(at.saturating_add(1)).take(reach);
        let is_other = |side: &[Option<usize>], after: usize| {
            get(side, *before).zip(get(side, after)).is_some_and(|(a, b)| a > b)
        };
        after.into_iter().any(|after| is_other(&first, *after) && is_other(&second, *after))
    })
}

/// Puts what `frame` lacks into it, in the places that it has in `other`. What is in `leave` is
/// placed as if `frame` lacked it.
fn weave(
    base: &[usize],
    frame: &[usize],
    other: &[usize],
    leave: &HashSet<usize>,
    stays: &dyn Fn(usize) -> bool,
    count: usize,
) -> Vec<usize> {
    let head = count;
    let mut next: Vec<Option<usize>> = vec![None; count.saturating_add(1)];
    let mut placed = vec![false; count];
    let mut last = head;
    for id in frame.iter().copied().filter(|id| !leave.contains(id)) {
        set(&mut next, last, Some(id));
        set(&mut placed, id, true);
        last = id;
    }
    let known: HashSet<usize> = base.iter().chain(other).copied().collect();
    let mut last = head;
    for id in other.iter().copied() {
        if !get(&placed, id) {
            // Behind what the frame alone has there: of two that are appended, the frame's is first.
            while let Some(own) = get(&next, last).filter(|own| !known.contains(own)) {
                last = own;
            }
            let after = get(&next, last);
            set(&mut next, id, after);
            set(&mut next, last, Some(id));
            last = id;
        } else if stays(id) {
            // Elements that the frame has moved stand elsewhere: nothing is placed by them.
            last = id;
        }
    }
    std::iter::successors(get(&next, head), |id| get(&next, *id)).collect()
}

fn get<T: Copy + Default>(list: &[T], at: usize) -> T {
    list.get(at).copied().unwrap_or_default()
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

/// The elements that have moved: those that are not in the longest run that kept its order.
fn moved(base: &[usize], side: &[usize], lens: &[usize]) -> HashSet<usize> {
    let mut position = vec![None; lens.len()];
    for (at, id) in base.iter().enumerate() {
        set(&mut position, *id, Some(at));
    }
    let common: Vec<(usize, usize)> =
        side.iter().filter_map(|id| Some((*id, get(&position, *id)?))).collect();
    let weighed: Vec<(usize, usize)> =
        common.iter().map(|(id, at)| (*at, get(lens, *id))).collect();
    let stayed: HashSet<usize> = rising(&weighed, base.len()).into_iter().collect();
    let moved = common.iter().enumerate().filter(|(at, _)| !stayed.contains(at));
    moved.map(|(_, (id, _))| *id).collect()
}

/// The places of a heaviest rising subsequence of different numbers below `count`, with their weights. Of several, the
/// one that ends last.
fn rising(numbers: &[(usize, usize)], count: usize) -> Vec<usize> {
    // The weight and the end of the heaviest subsequence that ends with one of some numbers: a Fenwick tree.
    let mut ends: Vec<(usize, Option<usize>)> = vec![(0, None); count.saturating_add(1)];
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    let mut heaviest = (0, None);
    for (at, (number, weight)) in numbers.iter().enumerate() {
        let mut best = (0, None);
        let mut node = *number;
        while node > 0 {
            best = best.max(get(&ends, node));
            node &= node - 1;
        }
        before.push(best.1);
        let own = (best.0.saturating_add(*weight), Some(at));
        heaviest = heaviest.max(own);
        let mut node = number + 1;
        while let Some(end) = ends.get_mut(node) {
            *end = (*end).max(own);
            node += node & node.wrapping_neg();
        }
    }
    let mut places: Vec<usize> =
        std::iter::successors(heaviest.1, |at| get(&before, *at)).collect();
    places.reverse();
    places
}

/// Whether an element that both sides moved stands after different elements.
fn contradict(
    first: &[usize],
    second: &[usize],
    by_first: &HashSet<usize>,
    by_second: &HashSet<usize>,
) -> bool {
    let both: HashSet<usize> = by_first & by_second;
    if both.is_empty() {
        return false;
    }
    let before = |side: &[usize], other: &[usize]| -> Vec<(usize, Option<usize>)> {
        let others: HashSet<usize> = other.iter().copied().collect();
        let mut last = None;
        let mut pairs = Vec::new();
        for id in side.iter().copied().filter(|id| others.contains(id)) {
            pairs.extend(both.contains(&id).then_some((id, last)));
            last = Some(id);
        }
        pairs.sort_unstable();
        pairs
    };
    before(first, second) != before(second, first)
}
