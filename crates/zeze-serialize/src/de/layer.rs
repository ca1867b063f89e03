//! The fields of a bean, one layer at a time.

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::error::{Error, ErrorKind, Result, Segment, Shortened};
use crate::ids::{self, Field, KnownTypes, Numbering};
use crate::kind::Kind;
use crate::read::Tag;
use crate::types::marker;
use crate::value::decode::Decoder;

/// The part of a layer that is read next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before a tag.
    Open,
    /// After the tag of a field, whose value is next.
    AtValue,
    /// After the tag that ends the bean.
    AtEnd,
    /// After the tag that ends the layer.
    AtBase,
    /// After the bean: the base was read.
    #[default]
    Done,
}

/// The read position in a layer of a bean.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The last id that was read.
    last: u32,
    state: State,
    /// The wire type of the value that is next.
    kind: Kind,
}

/// A layer of a bean, and the struct that is read from it.
///
/// Each struct has its own while it is read. What is out of line takes parts of it by value, so that the
/// rest can stay in registers.
#[derive(Default)]
pub(super) struct LayerReader {
    place: Place,
    /// Offset of its first tag; `None` if there is no bean.
    start: Option<usize>,
    /// Names of the struct's fields, with aliases; none in a tuple.
    pub(super) names: &'static [&'static str],
    numbering: Numbering,
    /// Elements of the struct or tuple, as far as that is known: aliases by position count too.
    len: u32,
    /// Those that were asked for.
    asked: u32,
}

/// Skips a field that is not wanted. Out of line, so that what finds the next field, which
/// mostly is the wanted one, fits into the reading of each struct.
#[inline(never)]
fn skip(decoder: &mut Decoder<'_>, id: u32, kind: Kind, depth: usize) -> Result<()> {
    decoder.skip(kind, depth).map_err(|error| error.inside(Segment::Id(id)))
}

impl Place {
    /// Goes to the value of a field, with the state before a tag, or to the one where it would be.
    #[inline(never)]
    fn look_for(mut self, id: u32, decoder: &mut Decoder<'_>, depth: usize) -> Result<Place> {
        // Ids ascend, so that after a later one the field is missing; what was found is for one of
        // the next fields.
        while self.tag(decoder)? && self.last <= id {
            self.state = State::Open;
            if self.last == id {
                break;
            }
            skip(decoder, self.last, self.kind, depth)?;
        }
        Ok(self)
    }

    /// Goes to the value that is next; false if there is none.
    fn tag(&mut self, decoder: &mut Decoder<'_>) -> Result<bool> {
        if self.state == State::Open {
            self.state = match decoder.tag(self.last)? {
                Tag::Field(id, kind) => {
                    (self.last, self.kind) = (id, kind);
                    State::AtValue
                }
                Tag::End => State::AtEnd,
                Tag::Base => State::AtBase,
            };
        }
        Ok(self.state == State::AtValue)
    }

    /// Goes to the end of the last field.
    fn finish(&mut self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        while self.tag(decoder)? {
            skip(decoder, self.last, self.kind, depth)?;
            self.state = State::Open;
        }
        Ok(())
    }

    /// Goes to the end of the bean.
    #[inline]
    fn close(self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        match self.state {
            State::Open if decoder.end_of_bean() => Ok(()),
            State::AtEnd => Ok(()),
            _ => self.close_rest(decoder, depth),
        }
    }

    #[inline(never)]
    fn close_rest(mut self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        self.finish(decoder, depth)?;
        // The struct has no `Base`.
        if self.state == State::AtBase {
            decoder.skip_fields(0, depth)?;
        }
        Ok(())
    }
}

impl LayerReader {
    /// From `start` on, or without any fields.
    #[inline]
    pub(super) fn new(
        start: Option<usize>,
        names: &'static [&'static str],
        numbering: Numbering,
    ) -> Self {
        let state = if start.is_some() { State::Open } else { State::Done };
        let len = numbering.len;
        let place = Place { state, ..Place::default() };
        LayerReader { place, start, names, numbering, len, ..LayerReader::default() }
    }

    pub(super) fn of_tuple(start: Option<usize>, len: usize) -> Self {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        LayerReader { len, ..LayerReader::new(start, &[], Numbering::default()) }
    }

    /// The next field to give to the struct; `None` if there are no more.
    #[inline(always)]
    pub(super) fn ask(&mut self, known: &KnownTypes) -> Option<Field> {
        let index = self.asked;
        if index >= self.len {
            return None;
        }
        self.asked = index.wrapping_add(1);
        match self.numbering.at {
            None => Some(Field { id: NonZeroU32::new(self.asked), index }),
            Some(at) => known.field(at, index),
        }
    }

    /// Goes to the value of a field, and returns its wire type; `None` if it is absent. Skips what comes
    /// before it.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        id: u32,
        decoder: &mut Decoder<'_>,
        depth: usize,
    ) -> Result<Option<Kind>> {
        // Mostly the next tag is that of the field, or of a later one.
        let place = &mut self.place;
        if place.state == State::Open {
            if let Some((found, kind)) = decoder.short_tag(place.last) {
                place.last = found;
                if found == id {
                    return Ok(Some(kind));
                }
                (place.state, place.kind) = (State::AtValue, kind);
                if found > id {
                    return Ok(None);
                }
            } else if decoder.end_of_bean() {
                place.state = State::AtEnd;
                return Ok(None);
            }
        } else if place.state == State::AtValue && place.last == id {
            // Found while a field before it was looked for, which is absent.
            place.state = State::Open;
            return Ok(Some(place.kind));
        } else if place.state == State::AtEnd || place.state == State::AtValue && place.last > id {
            return Ok(None);
        }
        *place = place.look_for(id, decoder, depth)?;
        let is_there = place.state == State::Open && place.last == id;
        Ok(is_there.then_some(place.kind))
    }

    /// The value of a field is next again.
    #[cold]
    pub(super) fn put_back(&mut self, id: u32, kind: Kind) {
        self.place = Place { last: id, state: State::AtValue, kind };
    }

    /// Whether the field that was asked for last can be a marker.
    pub(super) fn has_fields(&self) -> bool {
        self.asked > 0
    }

    /// Goes to the layer of the base, which is read next; false if there is none.
    pub(super) fn go_to_base(&mut self, decoder: &mut Decoder<'_>, depth: usize) -> Result<bool> {
        self.place.finish(decoder, depth)?;
        if self.asked < self.len {
            return Err(marker::base_not_last());
        }
        let is_there = self.place.state == State::AtBase;
        if is_there {
            self.place.state = State::Done;
        }
        Ok(is_there)
    }

    /// The fields of this layer that the struct does not have, as a bean.
    pub(super) fn unknown_fields<'de>(
        &self,
        known: &KnownTypes,
        decoder: &Decoder<'de>,
        depth: usize,
    ) -> Result<Cow<'de, [u8]>> {
        let position = self.numbering.at.is_none();
        if position && self.asked < self.len {
            return Err(marker::unknown_not_last());
        }
        let Some(start) = self.start else { return Ok(Cow::Borrowed(&[crate::write::END])) };
        let at = self.numbering.at;
        let ids = (0..self.len).filter_map(|index| known.field(at?, index));
        let mut ids = ids.filter_map(|field| field.id.map(NonZeroU32::get)).peekable();
        let before = self.asked;
        // A marker after this one is `Base`, which takes the layer.
        let has_base = (before..self.len).any(|index| {
            at.and_then(|at| known.field(at, index)).is_some_and(|field| field.id.is_none())
        });
        // The layer is read once more from its start: only beans with this marker pay for it.
        other_fields(decoder.fork_at(start), depth, has_base, |id| {
            while ids.next_if(|other| *other < id).is_some() {}
            if position { id < before } else { ids.peek().is_some_and(|other| *other == id) }
        })
    }

    /// Goes to the end of the bean, of which the struct has taken what it wants.
    #[inline(always)]
    pub(super) fn end(&self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        if self.asked < self.len && self.numbering.at.is_some() {
            return Err(alias(self.names));
        }
        self.close(decoder, depth)
    }

    /// Goes to the end of the bean.
    #[inline(always)]
    pub(super) fn close(&self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        self.place.close(decoder, depth)
    }
}

/// The place of a field, for the path of an error.
#[cold]
#[inline(never)]
pub(super) fn step(names: &'static [&'static str], index: u32) -> Segment {
    let index = index as usize;
    names.get(index).map_or(Segment::Index(index), |name| Segment::field(ids::shown(name)))
}

/// The struct has fewer fields than names with ids.
#[cold]
#[inline(never)]
fn alias(names: &'static [&'static str]) -> Error {
    let name = Shortened(names.last().copied().unwrap_or_default());
    Error::new(
        ErrorKind::FieldId,
        format!(
            "a field of a struct with the field `{name}` has an alias with another id, which cannot be \
             told from a field (an alias needs the id of its field)"
        ),
    )
}

/// The fields of a layer that are not known, as a bean, with the layers of the base unless those are.
/// `is_known` is asked in ascending order.
fn other_fields<'de>(
    mut decoder: Decoder<'de>,
    depth: usize,
    has_base: bool,
    mut is_known: impl FnMut(u32) -> bool,
) -> Result<Cow<'de, [u8]>> {
    let (mut last, mut written, mut out) = (0, 0, Vec::new());
    let end = loop {
        let (id, kind) = match decoder.tag(last)? {
            Tag::Field(id, kind) => (id, kind),
            end => break end,
        };
        last = id;
        let at = decoder.offset();
        skip(&mut decoder, id, kind, depth)?;
        if !is_known(id) {
            crate::write::tag(&mut out, id.saturating_sub(written), kind);
            out.extend_from_slice(decoder.since(at));
            written = id;
        }
    };
    if end == Tag::Base && !has_base {
        let at = decoder.offset();
        decoder.skip_fields(0, depth)?;
        out.push(crate::write::BASE);
        out.extend_from_slice(decoder.since(at));
        return Ok(Cow::Owned(out));
    }
    if out.is_empty() {
        return Ok(Cow::Borrowed(&[crate::write::END]));
    }
    out.push(crate::write::END);
    Ok(Cow::Owned(out))
}
