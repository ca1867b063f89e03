//! Where in the data a span belongs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Notation, Path, Segment};

/// A place in the data, linked to the one around it: spans share the long ways to deep values.
#[derive(Default)]
pub(super) struct Place {
    /// `None` at the root.
    step: Option<(Arc<Place>, Segment)>,
}

impl Place {
    pub(super) fn inside(outer: &Arc<Place>, segment: Segment) -> Arc<Place> {
        Arc::new(Place { step: Some((Arc::clone(outer), segment)) })
    }

    /// The bytes of memory that one place holds, with the counts before it.
    pub(super) fn cost(segment: &Segment) -> usize {
        let text = match segment {
            Segment::Field(text) | Segment::Key(text) => text.capacity(),
            _ => 0,
        };
        size_of::<Place>().saturating_add(size_of::<[usize; 2]>()).saturating_add(text)
    }

    /// The place of an error.
    pub(super) fn of(path: &Path) -> Arc<Place> {
        let mut place = Arc::new(Place::default());
        if path.is_cut() {
            // One more than a path keeps, so that it is cut again.
            place = Place::inside(&place, Segment::Index(0));
        }
        path.segments().fold(place, |place, segment| Place::inside(&place, segment.clone()))
    }

    pub(super) fn path(&self) -> Path {
        let mut next = self.step.as_ref();
        Path::from_innermost(std::iter::from_fn(|| {
            let (outer, segment) = next?;
            next = outer.step.as_ref();
            Some(segment.clone())
        }))
    }

    /// The place around it and the last step; `None` at the root.
    pub(super) fn step(&self) -> Option<(&Arc<Place>, &Segment)> {
        self.step.as_ref().map(|(outer, segment)| (outer, segment))
    }
}

/// Makes places without their outermost step, where that is one.
pub(super) struct Inside<'a> {
    outer: &'a Segment,
    /// The result of each place. The places are kept, too: a freed address may be reused.
    known: BTreeMap<*const Place, (Arc<Place>, Arc<Place>)>,
}

impl<'a> Inside<'a> {
    pub(super) fn new(outer: &'a Segment) -> Self {
        Inside { outer, known: BTreeMap::new() }
    }

    pub(super) fn of(&mut self, place: &Arc<Place>) -> Arc<Place> {
        let mut steps = Vec::new();
        let mut next = Arc::clone(place);
        let mut made = loop {
            if let Some((_, made)) = self.known.get(&Arc::as_ptr(&next)) {
                break Arc::clone(made);
            }
            let Some(around) = next.step().map(|(around, _)| Arc::clone(around)) else {
                break next;
            };
            steps.push(next);
            next = around;
        };
        for place in steps.into_iter().rev() {
            let Some((around, segment)) = place.step() else { continue };
            if around.step().is_some() || segment != self.outer {
                made = Place::inside(&made, segment.clone());
            }
            self.known.insert(Arc::as_ptr(&place), (place, Arc::clone(&made)));
        }
        made
    }
}

/// Without recursion: places nest as deep as the data.
impl Drop for Place {
    fn drop(&mut self) {
        let mut next = self.step.take();
        while let Some((outer, _)) = next {
            next = Arc::into_inner(outer).and_then(|mut outer| outer.step.take());
        }
    }
}

/// The name of a value on its line.
pub(super) fn name(segment: &Segment, notation: Notation) -> String {
    match (segment, notation) {
        (Segment::KeyOf(index), _) => format!("key {index}"),
        (Segment::Field(name), Notation::Pointer) => name.clone(),
        _ => segment.to_string(),
    }
}
