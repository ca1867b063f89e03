//! Which elements of two lists belong together.

use std::collections::HashMap;

/// The fate of an element, by its position in the old and in the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    Pair(usize, usize),
    Removed(usize),
    Added(usize),
}

/// Aligns two lists, given a number for each element that is the same for the same element.
///
/// Lists of one length are taken as they stand. Otherwise the elements that occur once on either
/// side are matched, as many as are in order; what is the same next to them follows, and the rest
/// between them is paired in order.
pub(super) fn align(old: &[u64], new: &[u64]) -> Vec<Aligned> {
    if old.len() == new.len() {
        return (0..old.len()).map(|at| Aligned::Pair(at, at)).collect();
    }
    let mut align = Align { old, new, at: (0, 0), steps: Vec::new() };
    for (old_at, new_at) in in_order(&unique(old, new)) {
        align.until(old_at, new_at);
        align.pair();
    }
    align.until(old.len(), new.len());
    align.steps
}

struct Align<'a> {
    old: &'a [u64],
    new: &'a [u64],
    /// Everything before these positions is done.
    at: (usize, usize),
    steps: Vec<Aligned>,
}

impl Align<'_> {
    fn pair(&mut self) {
        self.steps.push(Aligned::Pair(self.at.0, self.at.1));
        self.at = (self.at.0 + 1, self.at.1 + 1);
    }

    /// Aligns the elements before a match, or before the end.
    fn until(&mut self, old_end: usize, new_end: usize) {
        let old = self.old.get(self.at.0..old_end).unwrap_or_default();
        let new = self.new.get(self.at.1..new_end).unwrap_or_default();
        let same = |(old, new): &(&u64, &u64)| old == new;
        let head = old.iter().zip(new).take_while(same).count();
        let rest = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
        while self.at.0 + tail < old_end && self.at.1 + tail < new_end {
            self.pair();
        }
        for at in self.at.0..old_end - tail {
            self.steps.push(Aligned::Removed(at));
        }
        for at in self.at.1..new_end - tail {
            self.steps.push(Aligned::Added(at));
        }
        self.at = (old_end - tail, new_end - tail);
        (0..tail).for_each(|_| self.pair());
    }
}

/// The positions of the elements that occur once on either side, in the old order.
fn unique(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let once = |list: &[u64]| {
        let mut places: HashMap<u64, Option<usize>> = HashMap::with_capacity(list.len());
        for (at, element) in list.iter().enumerate() {
            places.entry(*element).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (of_old, of_new) = (once(old), once(new));
    let matched = |(at, element): (usize, &u64)| {
        let (old_at, new_at) = (*of_old.get(element)?, *of_new.get(element)?);
        old_at.filter(|own| *own == at).zip(new_at)
    };
    old.iter().enumerate().filter_map(matched).collect()
}

/// As many of the pairs as have rising positions on both sides: a longest increasing subsequence.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, which pair ends a subsequence of it with the least position.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let new_at = |pair: usize| pairs.get(pair).map_or(0, |(_, at)| *at);
    for (pair, (_, at)) in pairs.iter().enumerate() {
        let len = ends.partition_point(|end| new_at(*end) < *at);
        before.push(len.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(len) {
            Some(end) => *end = pair,
            None => ends.push(pair),
        }
    }
    let mut last = ends.last().copied();
    let mut chosen: Vec<(usize, usize)> = Vec::with_capacity(ends.len());
    while let Some(pair) = last {
        chosen.extend(pairs.get(pair));
        last = before.get(pair).copied().flatten();
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let numbers = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
        let at = |text: &str, at: usize| text.get(at..=at).unwrap().to_owned();
        let (mut old_at, mut new_at) = (0, 0);
        let mut text = String::new();
        for step in align(&numbers(old), &numbers(new)) {
            match step {
                Aligned::Pair(a, b) => {
                    assert_eq!((a, b), (old_at, new_at));
                    (old_at, new_at) = (a + 1, b + 1);
                    text += &match at(old, a) == at(new, b) {
                        true => at(old, a),
                        false => format!("({}→{})", at(old, a), at(new, b)),
                    };
                }
                Aligned::Removed(a) => {
                    assert_eq!(a, old_at);
                    old_at = a + 1;
                    text += &format!("-{}", at(old, a));
                }
                Aligned::Added(b) => {
                    assert_eq!(b, new_at);
                    new_at = b + 1;
                    text += &format!("+{}", at(new, b));
                }
            }
        }
        assert_eq!((old_at, new_at), (old.len(), new.len()));
        text
    }

    #[test]
    fn elements_that_belong_together() {
        for (old, new, expected) in [
            ("", "", ""),
            ("", "ab", "+a+b"),
            ("ab", "", "-a-b"),
            ("abc", "xbz", "(a→x)b(c→z)"),
            ("abc", "bcd", "(a→b)(b→c)(c→d)"),
            ("abcdef", "abdef", "ab-cdef"),
            ("abcdef", "xabcdeg", "+xabcde(f→g)"),
            ("aaaa", "aaa", "aaa-a"),
            ("aaaabaaa", "aabaaaa", "aa-a-abaaa+a"),
            ("abcdefg", "gbcdef", "(a→g)bcdef-g"),
            ("axbycz", "zabc", "+za-xb-yc-z"),
        ] {
            assert_eq!(shown(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn long_lists_take_no_time() {
        let old: Vec<u64> = (0..300_000).collect();
        let new: Vec<u64> = (1..300_000).rev().collect();
        assert!(align(&old, &new).len() >= 300_000);
        let steps = align(&old, &old[1..]);
        assert_eq!(steps[..2], [Aligned::Removed(0), Aligned::Pair(1, 0)]);
    }
}
