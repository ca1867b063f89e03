//! The fields of a bean, one layer at a time.

use std::borrow::Cow;

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use super::{Deserializer, Next};
use crate::error::{Error, ErrorKind, Result, Segment, Shortened};
use crate::ids::{self, Known, Numbering};
use crate::kind::Kind;
use crate::read::Tag;
use crate::types::marker;
use crate::value::decode::Decoder;

/// Where the reading of a layer stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Within its fields.
    Open,
    /// After the tag that ends the bean.
    AtEnd,
    /// After the tag that ends the layer.
    AtBase,
    /// After the bean: the base was read.
    #[default]
    Done,
}

/// A layer of a bean, and the struct that is read from it.
#[derive(Default)]
pub(super) struct Layer {
    /// Offset of its first tag; `None` if there is no bean.
    start: Option<usize>,
    /// The last id that was read.
    last: u32,
    /// A field whose tag was read and whose value is next.
    next: Option<(u32, Kind)>,
    /// Offset of the value that is being read for a field of the struct.
    value_at: Option<usize>,
    state: State,
    /// Names of the struct's fields, with aliases; none in a tuple.
    names: &'static [&'static str],
    numbering: Numbering,
    /// Elements of the struct or tuple, as far as that is known: aliases by position count too.
    len: usize,
    /// Those that were asked for.
    asked: usize,
}

/// Passes over a field that is not wanted. Out of line, so that what finds the next field, which
/// mostly is the wanted one, fits into the reading of each struct.
#[inline(never)]
fn skip(decoder: &mut Decoder<'_>, id: u32, kind: Kind, depth: usize) -> Result<()> {
    decoder.skip(kind, depth).map_err(|error| error.inside(Segment::Id(id)))
}

impl Layer {
    /// From `start` on, or without any fields.
    #[inline]
    pub(super) fn new(
        start: Option<usize>,
        names: &'static [&'static str],
        numbering: Numbering,
    ) -> Self {
        let len = match numbering {
            Numbering::Position => names.len(),
            Numbering::Name { len, .. } => len,
        };
        let state = if start.is_some() { State::Open } else { State::Done };
        Layer { start, state, names, numbering, len, ..Layer::default() }
    }

    pub(super) fn of_tuple(start: Option<usize>, len: usize) -> Self {
        Layer { len, ..Layer::new(start, &[], Numbering::Position) }
    }

    /// Goes to the value of a field. Skips what comes before it.
    #[inline]
    pub(super) fn find(
        &mut self,
        id: u32,
        decoder: &mut Decoder<'_>,
        depth: usize,
    ) -> Result<Next> {
        loop {
            let (found, kind) = match self.next.take() {
                Some(next) => next,
                None => match self.tag(decoder)? {
                    Some(next) => next,
                    None => return Ok(Next::Absent),
                },
            };
            if found == id {
                return Ok(Next::Is(kind));
            }
            // Ids ascend, so the field is not there; what was found is for one of the next fields.
            if found > id {
                self.next = Some((found, kind));
                return Ok(Next::Absent);
            }
            skip(decoder, found, kind, depth)?;
        }
    }

    #[inline]
    fn tag(&mut self, decoder: &mut Decoder<'_>) -> Result<Option<(u32, Kind)>> {
        if self.state != State::Open {
            return Ok(None);
        }
        match decoder.tag(self.last)? {
            Tag::Field(id, kind) => {
                self.last = id;
                return Ok(Some((id, kind)));
            }
            Tag::End => self.state = State::AtEnd,
            Tag::Base => self.state = State::AtBase,
        }
        Ok(None)
    }

    /// Goes to the end of the last field.
    fn finish(&mut self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        while let Some((id, kind)) = match self.next.take() {
            Some(next) => Some(next),
            None => self.tag(decoder)?,
        } {
            skip(decoder, id, kind, depth)?;
        }
        Ok(())
    }

    /// Goes to the end of the bean.
    #[inline]
    pub(super) fn close(&mut self, decoder: &mut Decoder<'_>, depth: usize) -> Result<()> {
        if self.state == State::Open {
            self.finish(decoder, depth)?;
        }
        // Nobody asked for the base.
        if self.state == State::AtBase {
            decoder.skip_fields(0, depth)?;
        }
        self.state = State::Done;
        Ok(())
    }

    /// The next field to give to the struct: its id, or 0 for one without a number; and the index of
    /// its name. `None` if there are no more.
    #[inline]
    fn ask(&mut self, known: &Known) -> Option<(u32, usize)> {
        let index = self.asked;
        if index >= self.len {
            return None;
        }
        self.asked = index.saturating_add(1);
        match self.numbering {
            Numbering::Position => Some((u32::try_from(self.asked).ok()?, index)),
            Numbering::Name { at, .. } => known.field(at, index),
        }
    }
}

/// The fields of a bean as the elements of a struct: each that is asked for is there, absent ones
/// are zero.
pub(super) struct FieldAccess<'a, 'de> {
    de: &'a mut Deserializer<'de>,
}

impl<'a, 'de> FieldAccess<'a, 'de> {
    #[inline]
    pub(super) fn new(de: &'a mut Deserializer<'de>) -> Self {
        FieldAccess { de }
    }

    /// Goes to the end of the bean.
    #[inline]
    pub(super) fn end(self) -> Result<()> {
        let Deserializer { layer, decoder, depth, .. } = self.de;
        if layer.asked < layer.len && layer.numbering != Numbering::Position {
            return Err(alias(layer));
        }
        layer.close(decoder, *depth)
    }
}

#[cold]
fn located(error: Error, at: usize, names: &'static [&'static str], index: usize) -> Error {
    let error = error.or_at(at);
    match names.get(index) {
        Some(name) => error.inside(ids::shown(name)),
        None => error.inside(index),
    }
}

/// The struct has fewer fields than names with ids.
#[cold]
fn alias(layer: &Layer) -> Error {
    let name = layer.names.last().copied().unwrap_or_default();
    Error::new(
        ErrorKind::FieldId,
        format!(
            "a field of a struct with the field `{}` has an alias with another id, which cannot be \
             told from a field (an alias needs the id of its field)",
            Shortened(name)
        ),
    )
}

impl<'de> SeqAccess<'de> for &mut FieldAccess<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let de = &mut *self.de;
        let Some((id, index)) = de.layer.ask(&de.known) else { return Ok(None) };
        // After an error the layer is that of an inner bean.
        let names = de.layer.names;
        de.next = match id {
            0 => Next::Nameless,
            id => de.layer.find(id, &mut de.decoder, de.depth)?,
        };
        let at = de.decoder.offset();
        de.layer.value_at = Some(at);
        match seed.deserialize(&mut *de) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(located(error, at, names, index)),
        }
    }
}

impl<'de> Deserializer<'de> {
    /// Whether the next value is that of a field of the struct that is being read.
    pub(super) fn is_at_field(&self) -> bool {
        self.layer.value_at == Some(self.decoder.offset())
    }

    /// The name of the field that is being read.
    pub(super) fn field_name(&self) -> &'static str {
        let last = self.layer.asked.saturating_sub(1);
        let index = match self.layer.numbering {
            Numbering::Position => last,
            Numbering::Name { at, .. } => self.known.field(at, last).map_or(last, |field| field.1),
        };
        self.layer.names.get(index).copied().unwrap_or_default()
    }

    /// The layer of the base, for a field of type `Base`.
    pub(super) fn base<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.layer.finish(&mut self.decoder, self.depth)?;
        if self.layer.asked < self.layer.len {
            return Err(marker::base_not_last());
        }
        if self.layer.state == State::AtBase {
            self.next = Next::Is(Kind::Bean);
            self.enter()?;
            let value = visitor.visit_newtype_struct(&mut *self)?;
            self.leave();
            self.layer.state = State::Done;
            return Ok(value);
        }
        self.next = Next::Absent;
        visitor.visit_newtype_struct(self)
    }

    /// The fields of this layer that the struct has not, as a bean.
    pub(super) fn unknown_fields(&mut self) -> Result<Cow<'de, [u8]>> {
        let layer = &self.layer;
        let position = layer.numbering == Numbering::Position;
        if position && layer.asked < layer.len {
            return Err(marker::unknown_not_last());
        }
        let Some(start) = layer.start else { return Ok(Cow::Borrowed(&[crate::write::END])) };
        // The layer is read once more from its start: only beans with this marker pay for it.
        let mut decoder = self.decoder.again(start);
        let known = |index| match layer.numbering {
            Numbering::Position => None,
            Numbering::Name { at, len } if index < len => self.known.field(at, index),
            Numbering::Name { .. } => None,
        };
        let before = u32::try_from(layer.asked).unwrap_or(u32::MAX);
        let mut known = (0..).map_while(known).map(|field| field.0).filter(|id| *id > 0).peekable();
        let (mut last, mut written, mut out) = (0, 0, Vec::new());
        while let Tag::Field(id, kind) = decoder.tag(last)? {
            last = id;
            let at = decoder.offset();
            skip(&mut decoder, id, kind, self.depth)?;
            while known.next_if(|other| *other < id).is_some() {}
            let is_known =
                if position { id < before } else { known.peek().is_some_and(|other| *other == id) };
            if !is_known {
                crate::write::tag(&mut out, id.saturating_sub(written), kind);
                out.extend_from_slice(decoder.since(at));
                written = id;
            }
        }
        if out.is_empty() {
            return Ok(Cow::Borrowed(&[crate::write::END]));
        }
        out.push(crate::write::END);
        Ok(Cow::Owned(out))
    }
}
