//! The fields of a bean, one layer at a time.

use std::borrow::Cow;

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use super::Deserializer;
use super::zero::Zero;
use crate::error::{Error, ErrorKind, Result, Segment, Shortened};
use crate::ids::{self, Numbering};
use crate::kind::Kind;
use crate::read::Tag;
use crate::types::marker;
use crate::value::decode::Decoder;

/// Where the reading of a layer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Within its fields.
    Open,
    /// After the tag that ends the bean.
    AtEnd,
    /// After the tag that ends the layer.
    AtBase,
    /// After the bean: the base was read.
    Done,
}

/// A layer of a bean, and the struct that is read from it.
pub(super) struct Layer {
    /// Offset of its first tag.
    start: usize,
    /// The last id that was read.
    last: u32,
    /// A field whose tag was read and whose value is next.
    next: Option<(u32, Kind)>,
    /// Offset of the value that is being read for a field of the struct.
    value_at: usize,
    state: State,
    /// Names of the struct's fields, with aliases; none in a tuple.
    names: &'static [&'static str],
    numbering: Numbering,
    /// Elements of the struct or tuple, as far as that is known: aliases by position count too.
    len: usize,
    /// Names or positions that were asked for.
    asked: usize,
    /// Whether a field of type `Base` was read.
    has_base: bool,
}

impl Default for Layer {
    fn default() -> Self {
        Layer { state: State::Done, ..Layer::new(0, &[], Numbering::Position) }
    }
}

/// Passes over a field that is not wanted. Out of line, so that what finds the next field, which
/// mostly is the wanted one, fits into the reading of each struct.
#[inline(never)]
fn skip(decoder: &mut Decoder<'_>, id: u32, kind: Kind, depth: usize) -> Result<()> {
    decoder.skip(kind, depth).map_err(|error| error.inside(Segment::Id(id)))
}

impl Layer {
    #[inline]
    pub(super) fn new(start: usize, names: &'static [&'static str], numbering: Numbering) -> Self {
        Layer {
            start,
            last: 0,
            next: None,
            value_at: usize::MAX,
            state: State::Open,
            names,
            numbering,
            len: names.len(),
            asked: 0,
            has_base: false,
        }
    }

    pub(super) fn of_tuple(start: usize, len: usize) -> Self {
        Layer { len, ..Layer::new(start, &[], Numbering::Position) }
    }

    /// Goes to the value of a field. Skips what comes before it; `None` if the field is not there.
    #[inline]
    pub(super) fn find(
        &mut self,
        id: u32,
        decoder: &mut Decoder<'_>,
        depth: usize,
    ) -> Result<Option<Kind>> {
        loop {
            let (found, kind) = match self.next.take() {
                Some(next) => next,
                None => match self.tag(decoder)? {
                    Some(next) => next,
                    None => return Ok(None),
                },
            };
            if found == id {
                return Ok(Some(kind));
            }
            // Ids ascend, so the field is not there; what was found is for one of the next fields.
            if found > id {
                self.next = Some((found, kind));
                return Ok(None);
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

    /// The next field to give to the struct: its id, or nothing for one without a number; and the
    /// index of its name. `None` if there are no more.
    #[inline]
    fn ask(&mut self) -> Result<Option<(Option<u32>, usize)>> {
        let index = self.asked;
        if index >= self.len {
            return Ok(None);
        }
        self.asked = index.saturating_add(1);
        // By far the most structs; the names need not be looked at.
        if self.numbering == Numbering::Position {
            return Ok(Some((u32::try_from(self.asked).ok(), index)));
        }
        let Some(name) = self.names.get(index) else { return Ok(None) };
        let id = ids::field(name)?;
        // Aliases with the same id are the same field.
        while id.is_some()
            && let Some(alias) = self.names.get(self.asked)
            && ids::field(alias)? == id
        {
            self.asked = self.asked.saturating_add(1);
        }
        Ok(Some((id, index)))
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
        if layer.numbering == Numbering::Name && layer.asked < layer.len {
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
        let Some((id, index)) = de.layer.ask()? else { return Ok(None) };
        // After an error the layer is that of an inner bean.
        let names = de.layer.names;
        let found = match id {
            Some(id) => de.layer.find(id, &mut de.decoder, de.depth)?,
            None => None,
        };
        let at = de.decoder.offset();
        let value = match found {
            Some(kind) => {
                de.layer.value_at = at;
                de.kind = Some(kind);
                seed.deserialize(&mut *de)
            }
            None => seed.deserialize(Zero::of_field(de, id.is_none())),
        };
        match value {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(located(error, at, names, index)),
        }
    }
}

impl<'de> Deserializer<'de> {
    /// Whether the next value is that of a field of the struct that is being read.
    pub(super) fn is_at_field(&self) -> bool {
        self.layer.value_at == self.decoder.offset()
    }

    /// The name of the field that is being read.
    pub(super) fn field_name(&self) -> &'static str {
        let index = self.layer.asked.saturating_sub(1);
        self.layer.names.get(index).copied().unwrap_or_default()
    }

    /// The layer of the base, for a field of type `Base`.
    pub(super) fn base<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.layer.finish(&mut self.decoder, self.depth)?;
        if self.layer.asked < self.layer.len {
            return Err(marker::base_not_last());
        }
        self.layer.has_base = true;
        if self.layer.state == State::AtBase {
            self.kind = Some(Kind::Bean);
            self.enter()?;
            let value = visitor.visit_newtype_struct(&mut *self)?;
            self.leave();
            self.layer.state = State::Done;
            return Ok(value);
        }
        visitor.visit_newtype_struct(Zero::outside(self))
    }

    /// The fields of this layer that the struct has not, as a bean.
    pub(super) fn unknown_fields(&mut self) -> Result<Cow<'de, [u8]>> {
        let layer = &self.layer;
        let position = layer.numbering == Numbering::Position;
        if position && layer.asked < layer.len {
            return Err(marker::unknown_not_last());
        }
        // The layer is read once more from its start: only beans with this marker pay for it.
        let mut decoder = self.decoder.again(layer.start);
        let mut known = Vec::new();
        if !position {
            for name in layer.names {
                known.extend(ids::field(name)?);
            }
        }
        let before = u32::try_from(layer.asked).unwrap_or(u32::MAX);
        let mut known = known.iter().copied().peekable();
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
