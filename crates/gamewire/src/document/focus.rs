//! The way of a reader along paths: it makes what they lead to, and skips the rest.

use gamewire_core::Segment;
use std::cell::RefCell;

use gamewire_core::wanted::Wanted;

use super::path::{Step, Trails};
use super::sieve::{Ground, Sieve};

/// What of a file is looked at.
#[derive(Clone, Copy)]
pub(super) enum Look<'p> {
    /// What paths lead to.
    Paths(&'p [&'p str]),
    /// Of each value, so many of those in it.
    First(usize),
    /// What differs from another file.
    Differing(&'p RefCell<Sieve>),
}

/// Wants what is looked at, of paths with what is in it. More may be made than is found.
pub(super) struct Focus<'p> {
    /// The most values inside of one, and how many there were in each on the way.
    most: Option<usize>,
    counts: Vec<usize>,
    /// The rests of the paths at each value on the way.
    trails: Vec<Trails<'p>>,
    /// Values around the next one, from the outermost that is wanted whole.
    inside: usize,
    /// The step of a format.
    step: fn(Segment) -> Step,
    sieve: Option<&'p RefCell<Sieve>>,
    ground: Ground<'p>,
}

impl<'p> Focus<'p> {
    pub(super) fn new(look: Look<'p>, ground: Ground<'p>, step: fn(Segment) -> Step) -> Self {
        let mut sieve = None;
        let (most, trails) = match look {
            Look::Paths(paths) => (None, Trails::of(paths)),
            Look::First(most) => (Some(most), Trails::default()),
            Look::Differing(own) => {
                own.borrow_mut().start(0);
                sieve = Some(own);
                (None, Trails::default())
            }
        };
        let inside = usize::from(trails.is_ended());
        Focus { most, counts: vec![0], trails: vec![trails], inside, step, sieve, ground }
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
    fn enter(&mut self, segment: Segment, at: usize) -> bool {
        if let Some(sieve) = self.sieve {
            return sieve.borrow_mut().enter(&segment, at, self.ground);
        }
        if let (Some(most), Some(count)) = (self.most, self.counts.last_mut()) {
            if !matches!(segment, Segment::KeyOf(_)) {
                *count = count.saturating_add(1);
            }
            let is_wanted = *count <= most;
            self.counts.extend(is_wanted.then_some(0));
            return is_wanted;
        }
        let Some(trails) = self.here().filter(|_| !matches!(segment, Segment::KeyOf(_))) else {
            self.inside = self.inside.saturating_add(1);
            return true;
        };
        let after = trails.after(&(self.step)(segment));
        self.follow(after)
    }

    fn passed(&mut self, end: usize) {
        if let Some(sieve) = self.sieve {
            sieve.borrow_mut().passed(end, self.ground);
        }
    }

    fn leave(&mut self, end: usize) {
        if let Some(sieve) = self.sieve {
            return sieve.borrow_mut().leave(end);
        }
        if self.most.is_some() {
            self.counts.pop();
            return;
        }
        match self.inside.checked_sub(1) {
            Some(left) => self.inside = left,
            None => _ = self.trails.pop(),
        }
    }
}
