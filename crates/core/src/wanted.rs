//! Which values of a tree a reader makes, where it skips the others.

use crate::Segment;

/// Is asked at each value inside of another, in the order of the data, whether it is wanted. `()` wants all.
pub trait Wanted {
    /// Whether there may be values that are not wanted.
    const PICKS: bool = true;

    /// Goes into a value, by the step from the value around it. Returns whether the value or anything in
    /// it is wanted; what is in one that is not stays unheard.
    ///
    /// Steps have whole names and keys, and [`KeyOf`](Segment::KeyOf) before the key of an entry. `at` is
    /// the offset where the value begins, after its name or tag; in PropertyClass it counts bits.
    fn enter(&mut self, step: Segment, at: usize) -> bool;

    /// Leaves the value that was gone into last, which ends before the offset `end`; 0 in PropertyClass.
    fn leave(&mut self, end: usize);

    /// The value that was not wanted ends before the offset `end`.
    fn passed(&mut self, end: usize) {
        let _ = end;
    }
}

impl Wanted for () {
    const PICKS: bool = false;
    #[inline(always)]
    fn enter(&mut self, _: Segment, _: usize) -> bool {
        true
    }
    #[inline(always)]
    fn leave(&mut self, _: usize) {}
}

impl<W: Wanted> Wanted for &mut W {
    const PICKS: bool = W::PICKS;
    fn enter(&mut self, step: Segment, at: usize) -> bool {
        W::enter(self, step, at)
    }
    fn leave(&mut self, end: usize) {
        W::leave(self, end);
    }
    fn passed(&mut self, end: usize) {
        W::passed(self, end);
    }
}
