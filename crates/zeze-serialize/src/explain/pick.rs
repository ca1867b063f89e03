//! The listener that makes what is wanted of a bean. Names are those that an explanation shows.

use alloc::vec::Vec;
use alloc::{boxed::Box, format};

use gamewire_core::wanted::Wanted;

use super::names::{Known, Names, Part};
use crate::error::{Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead};
use crate::value::build::{Builder, Next};
use crate::value::decode::{Decoder, Listener, Scalar};
use crate::value::{Bean, Dynamic, List, Map, Value};

impl Options {
    /// Reads a bean of which only what is wanted is made, by the names of a schema. What is not wanted is
    /// skipped, and checked all the same; a default stands for it, and ids and keys stay.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn part_from_slice<N: Names>(
        &self,
        bytes: &[u8],
        names: &N,
        wanted: impl Wanted,
    ) -> Result<Value> {
        let mut decoder = Decoder::new(bytes, *self);
        let builder = Builder::new(self.limits.memory(bytes.len()));
        let (around, entered) = (Vec::new(), Vec::new());
        let mut picker = Picker { builder, names, wanted, next: names.root(), around, entered };
        decoder.value(Kind::Bean, 0, &mut picker).map_err(|error| error.or_at(0))?;
        decoder.end()?;
        Ok(picker.builder.finish())
    }
}

struct Picker<'a, N: Names, W> {
    builder: Builder,
    names: &'a N,
    wanted: W,
    /// The schema's place for the value that is next.
    next: Option<N::Place>,
    /// Containers around it, and whether the values that were gone into are steps of paths.
    around: Vec<Open<N::Place>>,
    entered: Vec<bool>,
}

struct Open<P> {
    place: Option<P>,
    /// Of the elements, or of keys and values.
    kinds: (Kind, Kind),
    /// Layers of bases that were gone into, and whether there is one that is not wanted.
    bases: usize,
    is_over: bool,
}

impl<N: Names, W: Wanted> Picker<'_, N, W> {
    fn open(&mut self, place: Option<N::Place>, kinds: (Kind, Kind)) {
        self.around.push(Open { place, kinds, bases: 0, is_over: false });
    }
}

impl<'de, N: Names, W: Wanted> Listener<'de> for Picker<'_, N, W> {
    const PICKS: bool = true;

    fn enters(&mut self, at: usize, kind: Kind) -> bool {
        let Some(Open { place, kinds: (key, value), is_over, .. }) = self.around.last() else {
            return true;
        };
        let (place, key, value, names) = (*place, *key, *value, self.names);
        let part = |part| place.and_then(|place| names.part(place, part));
        let mut is_step = true;
        let mut enter = |step| self.wanted.enter(step, at);
        let (next, is_wanted) = match self.builder.next() {
            Next::Field(_) if *is_over => (None, false),
            Next::Field(id) => {
                let known = place.map(|place| names.field(place, id, kind));
                let known = known.unwrap_or(Known::NOTHING);
                is_step = known.name != Some("");
                let by_name = known
                    .name
                    .is_some_and(|name| name.is_empty() || enter(Segment::Field(name.into())));
                (known.place, by_name || enter(Segment::Id(id)))
            }
            Next::Element(index) => (part(Part::Element(key)), enter(Segment::Index(index))),
            Next::Key(index) => (part(Part::Key(key, value)), enter(Segment::KeyOf(index))),
            Next::Entry(own) => {
                let shown = || {
                    let shown = names.key(part(Part::Key(key, value))?, own);
                    shown.map(Segment::Key)
                };
                let step = match own.as_str() {
                    Some(text) => Segment::Field(text.into()),
                    None => shown().unwrap_or_else(|| Segment::Key(format!("{own:?}"))),
                };
                (part(Part::Value(key, value)), enter(step))
            }
        };
        self.next = next;
        self.entered.extend(is_wanted.then_some(is_step));
        is_wanted
    }

    fn leaves(&mut self, end: usize) {
        if self.entered.pop() == Some(true) {
            self.wanted.leave(end);
        }
    }

    fn passed(&mut self, end: usize, kind: Kind) {
        self.wanted.passed(end);
        self.builder.put(match kind {
            Kind::Bytes => Value::Bytes(Vec::new()),
            Kind::List => Value::List(List::default()),
            Kind::Map => Value::Map(Map::default()),
            Kind::Bean => Value::Bean(Bean::default()),
            Kind::Dynamic => Value::Dynamic(Box::<Dynamic>::default()),
            _ => Value::default(),
        });
    }

    fn is_full(&self) -> bool {
        self.builder.is_full()
    }

    fn field(&mut self, end: usize, id: u32, kind: Kind) {
        self.builder.field(end, id, kind);
    }

    fn scalar(&mut self, end: usize, value: Scalar<'de>) {
        self.builder.scalar(end, value);
    }

    fn list(&mut self, end: usize, head: ListHead) {
        self.open(self.next, (head.kind, head.kind));
        self.builder.list(end, head);
    }

    fn map(&mut self, end: usize, head: MapHead) {
        self.open(self.next, head.kinds);
        self.builder.map(end, head);
    }

    fn bean(&mut self, end: usize, type_id: Option<i64>) {
        let place = match (self.next, type_id) {
            (Some(place), Some(type_id)) => self.names.dynamic(place, type_id).place,
            (place, _) => place,
        };
        self.open(place, (Kind::Int, Kind::Int));
        self.builder.bean(end, type_id);
    }

    fn base(&mut self, end: usize) {
        if let Some(open) = self.around.last_mut() {
            open.place = open.place.and_then(|place| self.names.part(place, Part::Base));
            open.is_over = open.is_over || !self.wanted.enter(Segment::Base, end);
            open.bases = open.bases.saturating_add(usize::from(!open.is_over));
        }
        self.builder.base(end);
    }

    fn close(&mut self, end: usize) {
        let bases = self.around.pop().map_or(0, |open| open.bases);
        (0..bases).for_each(|_| self.wanted.leave(end));
        self.builder.close(end);
    }
}
