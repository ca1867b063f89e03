//! The way of a reader along paths: it makes what they lead to, and skips the rest.

use gamewire_core::Segment;
use gamewire_core::wanted::Wanted;

use super::path::{Step, Trails};

/// Wants what paths lead to, and what is in it. More may be made than is found.
pub(super) struct Focus<'p> {
    /// The rests of the paths at each value on the way.
    trails: Vec<Trails<'p>>,
    /// Values around the next one, from the outermost that is wanted whole.
    inside: usize,
    /// The step of a format.
    step: fn(Segment) -> Step,
}

impl<'p> Focus<'p> {
    pub(super) fn new(trails: Trails<'p>, step: fn(Segment) -> Step) -> Self {
        let inside = usize::from(trails.is_ended());
        Focus { trails: vec![trails], inside, step }
    }

    /// Goes on with the rests of the paths inside of a value; whether it is wanted.
    pub(super) fn follow(&mut self, after: Trails<'p>) -> bool {
        if after.is_empty() {
            return false;
        }
        match after.is_ended() {
            true => self.inside = 1,
            false => self.trails.push(after),
        }
        true
    }

    /// The rests of the paths here; `None` inside of what is wanted whole.
    pub(super) fn here(&self) -> Option<&Trails<'p>> {
        self.trails.last().filter(|_| self.inside == 0)
    }
}

impl Wanted for Focus<'_> {
    fn enter(&mut self, segment: Segment, _ahead: &[u8]) -> bool {
        let Some(trails) = self.here().filter(|_| !matches!(segment, Segment::KeyOf(_))) else {
            self.inside = self.inside.saturating_add(1);
            return true;
        };
        let after = trails.after(&(self.step)(segment));
        self.follow(after)
    }

    fn leave(&mut self) {
        match self.inside.checked_sub(1) {
            Some(left) => self.inside = left,
            None => _ = self.trails.pop(),
        }
    }
}
