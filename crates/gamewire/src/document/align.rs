//! Which elements of two lists belong together.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// The longest list that is compared; of longer ones, all is taken as changed.
const MAX_LEN: usize = 1 << 30;

/// The product of two lengths below which the least difference is looked for.
const MAX_CELLS: usize = 1 << 22;

/// The places of two lists that differ, in order: what is gone, and what stands there now.
pub(super) fn hunks<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.len().max(new.len()) > MAX_LEN {
        return vec![(0..old.len(), 0..new.len())];
    }
    let mut interner = Interner::new(old.len().saturating_add(new.len()));
    let [before, after] =
        [old, new].map(|list| list.iter().map(|own| interner.intern(own)).collect::<Vec<_>>());
    let input = InternedInput { before, after, interner };
    // The least difference takes time by the product of both.
    let algorithm = match old.len().saturating_mul(new.len()) {
        0..MAX_CELLS => Algorithm::MyersMinimal,
        _ => Algorithm::Histogram,
    };
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_no_heuristic(&input);
    let wide = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (wide(hunk.before), wide(hunk.after))).collect()
}

/// For each element of a list the place of its pair in another: an equal one, or one that stands alone between the
/// same neighbours.
pub(super) fn pairs<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let mut pairs = Vec::with_capacity(old.len());
    let mut new_at = 0usize;
    for (gone, fresh) in hunks(old, new) {
        pairs.extend((new_at..fresh.start).map(Some));
        // Gaps of one length on both sides hold changed elements, each in its place.
        let is_changed = gone.len() == fresh.len();
        new_at = fresh.end;
        pairs.extend(gone.zip(fresh.start..).map(|(_, at)| is_changed.then_some(at)));
    }
    pairs.extend((new_at..new.len()).map(Some));
    pairs
}

/// The fate of an element, by its position in the old and in the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    Pair(usize, usize),
    Removed(usize),
    Added(usize),
}

/// Aligns two lists, given a number for each element that is the same for the same element.
///
/// The rest between elements that are the same is paired in order.
pub(super) fn align(old: &[u64], new: &[u64]) -> Vec<Aligned> {
    let mut steps = Vec::with_capacity(old.len().max(new.len()));
    let (mut at, mut new_at) = (0, 0);
    for (gone, fresh) in
        hunks(old, new).into_iter().chain([(old.len()..old.len(), new.len()..new.len())])
    {
        let changed = gone.len().min(fresh.len());
        let (end, new_end) = (gone.start + changed, fresh.start + changed);
        steps.extend((at..end).zip(new_at..new_end).map(|(at, new_at)| Aligned::Pair(at, new_at)));
        steps.extend((end..gone.end).map(Aligned::Removed));
        steps.extend((new_end..fresh.end).map(Aligned::Added));
        (at, new_at) = (gone.end, fresh.end);
    }
    steps
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
            ("abc", "bcd", "-abc+d"),
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
