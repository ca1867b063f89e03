//! Which values of a tree a reader makes, where it skips the others.

use crate::Segment;

/// Is asked at each value inside of another, in the order of the data, whether it is wanted. `()` wants all.
pub trait Wanted {
    /// Whether there may be values that are not wanted.
    const PICKS: bool = true;

    /// Goes into a value, by the step from the value around it. Returns whether the value or anything in
    /// it is wanted; of one that is not, nothing more is heard.
    ///
    /// Steps have whole names and keys, and [`KeyOf`](Segment::KeyOf) before the key of an entry. `ahead`
    /// begins with the bytes of the value in BSON, where containers say their lengths; it is empty in
    /// other formats.
    fn enter(&mut self, step: Segment, ahead: &[u8]) -> bool;

    /// Leaves the value that was gone into last.
    fn leave(&mut self);
}

impl Wanted for () {
    const PICKS: bool = false;
    #[inline(always)]
    fn enter(&mut self, _: Segment, _: &[u8]) -> bool {
        true
    }
    #[inline(always)]
    fn leave(&mut self) {}
}

impl<W: Wanted> Wanted for &mut W {
    const PICKS: bool = W::PICKS;
    fn enter(&mut self, step: Segment, ahead: &[u8]) -> bool {
        W::enter(self, step, ahead)
    }
    fn leave(&mut self) {
        W::leave(self);
    }
}
