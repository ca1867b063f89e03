//! Objects as they stand in the bits: docs/formats/kiwi-pclass.md.

use std::sync::Arc;

use kiwi_pclass::Error as PclassError;
use kiwi_pclass::schema::{Class, Kinds, Property};
use kiwi_pclass::wire::{self, Coder, Member, Place, Run};

use super::Pclass;
use crate::document::error::Error;
use crate::document::ranges::{Around, Child, Extent, Grammar, Key, Next, Open, Opened, Out};

/// How bits are read: the rules of the stream, and how the value is declared.
#[derive(Clone, Copy)]
pub(in crate::document) struct Context<'g> {
    pub(super) coder: &'g Coder,
    /// The class that has the property.
    pub(super) class: Option<&'g Arc<Class>>,
    pub(super) what: What<'g>,
}

/// The meaning of some bits.
#[derive(Clone, Copy)]
pub(in crate::document) enum What<'g> {
    /// The objects of an XML file.
    Objects,
    Value(Place<'g>),
    /// A component of a vector and its kin, by its position.
    Component(Place<'g>, usize),
}

impl<'g> Context<'g> {
    /// An object that stands by itself, or all of them.
    pub(super) fn outermost(coder: &'g Coder, is_text: bool) -> Self {
        let what = if is_text { What::Objects } else { What::Value(Place::Root) };
        Context { coder, class: None, what }
    }

    /// How the value is declared; that of the whole, for a component.
    pub(super) fn place(&self) -> Option<Place<'g>> {
        match self.what {
            What::Objects => None,
            What::Value(place) | What::Component(place, _) => Some(place),
        }
    }
}

/// How far the listing of a container has come.
#[derive(Clone)]
pub(in crate::document) struct State<'g> {
    coder: &'g Coder,
    pub(super) class: Option<&'g Arc<Class>>,
    pub(super) children: Children<'g>,
}

#[derive(Clone)]
pub(in crate::document) enum Children<'g> {
    Objects,
    /// Properties of the class: which most likely follows, and the end of an object whose size says it.
    Properties {
        next: usize,
        end: usize,
    },
    Elements {
        property: &'g Property,
        kinds: Kinds<'g>,
        next: usize,
        len: usize,
    },
}

impl<'g> State<'g> {
    fn child(&self, place: Place<'g>) -> Context<'g> {
        Context { coder: self.coder, class: self.class, what: What::Value(place) }
    }

    /// How a new element is read.
    pub(super) fn element(&self) -> Option<Context<'g>> {
        match self.children {
            Children::Objects => Some(self.child(Place::Root)),
            Children::Elements { property, kinds: Kinds::Same(kind), .. } => {
                Some(self.child(Place::Element(property, kind)))
            }
            Children::Elements { .. } | Children::Properties { .. } => None,
        }
    }

    /// The position of a property in its class, if shallow mode has it in that order.
    pub(super) fn position(&self, key: Key<'_>) -> Option<usize> {
        match (self.class, key) {
            (Some(class), Key::Id(hash)) if !self.coder.is_deep() => class.index_of_hash(hash),
            _ => None,
        }
    }

    /// Goes to a whole byte for a value that begins at one.
    fn align(&self, out: &mut Out, context: Context<'g>) {
        if context.place().is_some_and(|place| self.coder.is_aligned(place)) {
            out.align();
        }
    }

    fn is_sized(&self) -> bool {
        matches!(self.children, Children::Properties { .. }) && self.coder.is_deep()
    }
}

/// The size of an entry, and the hash after it.
const ENTRY_HEAD: usize = 64;

/// The size of an object.
const SIZE: usize = 32;

impl Grammar for Pclass {
    const UNIT: usize = 1;

    type Error = PclassError;
    type Context<'g> = Context<'g>;
    type State<'g> = State<'g>;

    #[inline]
    fn open<'g>(
        &'g self,
        bytes: &[u8],
        at: usize,
        context: Context<'g>,
    ) -> Result<Opened<State<'g>>, PclassError> {
        let Context { coder, class, what } = context;
        let state = |class, children| State { coder, class, children };
        let place = match what {
            What::Value(place) => place,
            What::Objects => {
                let open = Open::new(state(None, Children::Objects), at);
                return Ok(Opened::Container(Open { is_list: true, ..open }));
            }
            // Nothing lists these by themselves.
            What::Component(..) => return Ok(Opened::Leaf(at)),
        };
        Ok(match (coder.open(bytes, at, place)?, place.property()) {
            (wire::Opened::Leaf(end), _) => Opened::Leaf(end),
            (wire::Opened::Object(class, first, end), _) => {
                let limit = end.unwrap_or(usize::MAX);
                let state = state(Some(class), Children::Properties { next: 0, end: limit });
                Opened::Container(Open { end, ..Open::new(state, first) })
            }
            (wire::Opened::List(kinds, len, first), Some(property)) => {
                let state = state(class, Children::Elements { property, kinds, next: 0, len });
                Opened::Container(Open { len: Some(len), is_list: true, ..Open::new(state, first) })
            }
            (wire::Opened::List(.., first), None) => {
                debug_assert!(false, "a list is of a property");
                Opened::Leaf(first)
            }
        })
    }

    #[inline]
    fn next<'g, 'b>(
        &'g self,
        bytes: &'b [u8],
        state: &mut State<'g>,
        at: usize,
    ) -> Result<Next<'b, Context<'g>>, PclassError> {
        let place = match &mut state.children {
            Children::Objects if at.div_ceil(8) >= bytes.len() => return Ok(Next::End(at)),
            Children::Objects => Place::Root,
            Children::Elements { property, kinds, next, len } => {
                let kind = if next < len { kinds.get(*next) } else { None };
                let Some(kind) = kind else { return Ok(Next::End(at)) };
                *next += 1;
                Place::Element(property, kind)
            }
            Children::Properties { next, end } => {
                let Some(class) = state.class else { return Ok(Next::End(at)) };
                let (hash, start, place, end) =
                    match state.coder.next(bytes, at, (class, next), *end)? {
                        Member::Value(hash, start, place, end) => (hash, start, place, end),
                        Member::End(end) => return Ok(Next::End(end)),
                    };
                let (key, context) = (Key::Id(hash), state.child(place));
                return Ok(Next::Child(Child { key, entry: at, start, end, context }));
            }
        };
        let start = if state.coder.is_aligned(place) { at.next_multiple_of(8) } else { at };
        let (key, context) = (Key::Position, state.child(place));
        Ok(Next::Child(Child { key, entry: at, start, end: None, context }))
    }

    fn mend<'g>(
        &'g self,
        out: &mut Out,
        around: Around<'_, Context<'g>, State<'g>>,
    ) -> Result<(), Error> {
        match around {
            Around::Begin { bytes, extent, change, .. } => {
                return begin(out, bytes, &extent, change.map(|(len, _)| len));
            }
            Around::Lead { bytes, state, key: Key::Id(hash), old, is_kept, .. }
                if state.is_sized() =>
            {
                // The size counts from before the padding.
                let start = out.at();
                match old.filter(|_| is_kept) {
                    Some(old) => out.copy(bytes, old.start..old.end - ENTRY_HEAD),
                    None => out.align(),
                }
                out.marks.push((start, out.at()));
                out.bits(0, 32);
                out.bits(hash.into(), 32);
            }
            Around::Lead { bytes, old: Some(old), is_kept: true, .. } => out.copy(bytes, old),
            Around::Lead { state, prev, key, context, .. } => {
                if let Children::Properties { .. } = state.children {
                    let place = state.position(key);
                    let place = place.ok_or_else(|| Error::new("no such property"))?;
                    let property = absent(out, state, prev, place)?;
                    out.bits(1, property.is_some_and(Property::is_delta).into());
                }
                state.align(out, context);
            }
            Around::Trail { state } | Around::End { state, .. } if state.is_sized() => {
                return close(out);
            }
            Around::End { state, last, .. } => {
                if let (Children::Properties { .. }, Some(class)) = (&state.children, state.class) {
                    absent(out, state, last, class.properties().len())?;
                }
            }
            Around::Trail { .. } => {}
            Around::Moved { bytes, extent } => return moved(out, bytes, &extent),
        }
        Ok(())
    }

    fn order(&self, state: &State<'_>, key: Key<'_>) -> Option<usize> {
        state.position(key)
    }

    fn reads_alike<'g>(&'g self, own: Context<'g>, other: Context<'g>) -> bool {
        let is_same = std::ptr::eq(own.coder, other.coder) || own.coder.is_same(other.coder);
        is_same
            && match (own.what, other.what) {
                (What::Objects, What::Objects) => true,
                (What::Value(own), What::Value(other)) => own.is_same(other),
                (What::Component(own, at), What::Component(other, other_at)) => {
                    at == other_at && own.is_same(other)
                }
                _ => false,
            }
    }
}

/// Copies runs of bits, each of which begins at a whole byte, or at any bit. What stands between them, which is
/// padding, stays where that is as long as it was.
fn copy_runs(out: &mut Out, bytes: &[u8], start: usize, runs: Vec<Run>) {
    let mut before = start;
    for (run, is_aligned) in runs {
        if is_aligned && out.at() & 7 == before & 7 {
            out.copy(bytes, before..run.start);
        } else if is_aligned {
            out.align();
        }
        before = run.end;
        out.copy(bytes, run);
    }
}

/// Writes the head of a container; its number of elements is another one, or as it was.
fn begin(
    out: &mut Out,
    bytes: &[u8],
    extent: &Extent<Context<'_>>,
    len: Option<usize>,
) -> Result<(), Error> {
    let (coder, What::Value(place)) = (extent.context.coder, extent.context.what) else {
        return Ok(());
    };
    let (opened, mut runs) = coder.runs(bytes, extent.start, place)?;
    let is_sized = coder.is_deep() && matches!(opened, wire::Opened::Object(..));
    let counted = match (&opened, len) {
        (wire::Opened::List(Kinds::Each(kinds), ..), Some(len)) if len != kinds.len() => {
            let (need, found) = (kinds.len(), len);
            return Err(Error::new(format!("expected {need} elements, found {found}")));
        }
        (wire::Opened::List(Kinds::Same(_), ..), len) => len,
        _ => None,
    };
    if let (Some((last, _)), true) = (runs.last_mut(), is_sized) {
        last.end -= SIZE;
    }
    if counted.is_some() {
        runs.pop();
    }
    copy_runs(out, bytes, extent.start, runs);
    if is_sized {
        out.marks.push((out.at(), out.at()));
        out.bits(0, SIZE);
    }
    if let Some(len) = counted {
        let (count, width) = coder.count(len)?;
        if !coder.is_compact() {
            out.align();
        }
        out.bits(count.into(), width as usize);
    }
    Ok(())
}

/// Fills in the size that was opened last.
fn close(out: &mut Out) -> Result<(), Error> {
    let Some((start, size)) = out.marks.pop() else {
        debug_assert!(false, "the object or property has begun");
        return Ok(());
    };
    let bits = out.at() - start;
    let too_large = |_| Error::new(format!("{bits} bits do not fit into a size of 32 bits"));
    out.overwrite(size / 8, &u32::try_from(bits).map_err(too_large)?.to_le_bytes());
    Ok(())
}

/// Writes that the properties of a shallow object after `prev` and before `place` are not present. Returns the
/// one at `place`.
fn absent<'g>(
    out: &mut Out,
    state: &State<'g>,
    prev: Option<Key<'_>>,
    place: usize,
) -> Result<Option<&'g Property>, Error> {
    let properties = state.class.map(|class| class.properties()).unwrap_or_default();
    let first = prev.and_then(|prev| state.position(prev)).map_or(0, |prev| prev + 1);
    let between = properties.get(first..place);
    let between = between.ok_or_else(|| Error::new("expected properties in their order"))?;
    for property in between.iter().filter(|own| state.coder.has(own)) {
        state.coder.check_absent(property)?;
        out.bits(0, 1);
    }
    Ok(properties.get(place))
}

/// Writes a value at another bit of a byte than that at which it stands.
fn moved(out: &mut Out, bytes: &[u8], extent: &Extent<Context<'_>>) -> Result<(), Error> {
    let (coder, What::Value(place)) = (extent.context.coder, extent.context.what) else {
        return Ok(());
    };
    if let (wire::Opened::Leaf(_), runs) = coder.runs(bytes, extent.start, place)? {
        copy_runs(out, bytes, extent.start, runs);
        return Ok(());
    }
    // New objects and lists, which are as they would be written.
    let value = coder.value(bytes, extent.start, place, usize::MAX)?;
    let (made, end) = coder.encode(&value, place, out.at())?;
    out.copy(&made, out.at() & 7..end);
    Ok(())
}
