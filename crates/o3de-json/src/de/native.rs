//! The engine's own types: vectors, matrices, colours, UUIDs, paths, registered enums.

mod color;
mod flags;
mod matrix;

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gamewire_core::words::Shortened;
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{IntoDeserializer, Visitor};

pub(super) use flags::bits_of;

use super::map::Values;
use super::readings::IDLE;
use super::slot::{Loader, Role, Slot, Source, old_text};
use super::{class, compound, map};
use crate::node::{Node, Shape};
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::types::{MAX_PATH, Uuid, handoff, normal_path};
use crate::value::decode::skip;
use crate::value::{hand_over, read_inside};
use crate::{Error, Result};

/// A type with a reserved name.
pub(super) fn read<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source, .. } = slot;
    // Levels are full of raw values, so these come first.
    if name == handoff::RAW {
        return raw(loader, source, visitor);
    }
    if let Some(shape) = Shape::of(name) {
        let values = loader.reals(shape, source)?;
        let row = values.iter().copied().take(shape.len());
        return visitor.visit_seq(SeqDeserializer::<_, Error>::new(row));
    }
    match name {
        handoff::BYTES => visitor.visit_byte_buf(loader.bytes(source)?),
        handoff::FULL => full(loader, visitor),
        handoff::ENTITY_ID => entity_id(loader, source, visitor),
        handoff::UUID => visitor.visit_bytes(&loader.uuid(source)?.0),
        handoff::PATH | handoff::FIXED_PATH => {
            let path = loader.path(source, name == handoff::FIXED_PATH)?;
            visitor.visit_string(path)
        }
        handoff::ENUM => match handoff::take_enum() {
            Some((info, _)) => visitor.visit_u64(flags::read(loader, source, info)?),
            None => visitor.visit_newtype_struct(Slot::new(loader, source)),
        },
        handoff::VALUE if matches!(source, Source::Text(_)) => document(loader, visitor),
        handoff::VALUE => raw(loader, source, visitor),
        handoff::ANY => any(loader, source, visitor),
        handoff::REFUSED => refused(loader, source, visitor),
        handoff::MAP | handoff::UNORDERED_MAP => {
            map::read(Slot::new(loader, source), Values::Unique, visitor)
        }
        handoff::MULTI_MAP => map::read(Slot::new(loader, source), Values::Many, visitor),
        handoff::SET | handoff::UNORDERED_SET => {
            compound::sequence::<true, _>(Slot::new(loader, source), visitor)
        }
        handoff::MULTI_SET => compound::sequence::<false, _>(Slot::new(loader, source), visitor),
        handoff::TUPLE => {
            visitor.visit_newtype_struct(Slot { role: Role::Tuple, ..Slot::new(loader, source) })
        }
        // Not out of a buffer, where it is read by the same rules anyway.
        handoff::COERCE => visitor.visit_some(Slot::new(loader, source)),
        _ => visitor.visit_newtype_struct(Slot::new(loader, source)),
    }
}

/// An element past the capacity of a list.
fn full<'de, V: Visitor<'de>>(loader: &mut Loader<'de, '_>, visitor: V) -> Result<V::Value> {
    let at = loader.reader.offset();
    skip(&mut loader.reader)?;
    loader.code = ResultCode::SUCCESS;
    if loader.readings.notes_skips() {
        loader.issue(Outcome::Skipped, at, "the list has no room for more elements".to_owned())?;
    }
    visitor.visit_unit()
}

/// The alias of an entity in a prefab, or an object with its number.
fn entity_id<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    source: Source<'de, 'o>,
    visitor: V,
) -> Result<V::Value> {
    match source {
        Source::Old(Node::Text(_)) | Source::Key(_) => {}
        Source::Text(_) if loader.reader.peek()? == b'"' => {}
        source => {
            return class::read(Slot::new(loader, source), handoff::ENTITY_ID, &["id"], visitor);
        }
    }
    visitor.visit_str(&loader.string(source)?)
}

/// Any JSON value, as text.
fn raw<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    source: Source<'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    match source {
        Source::Text(_) => {
            loader.reader.peek()?;
            let start = loader.reader.offset();
            skip(&mut loader.reader)?;
            loader.code = ResultCode::SUCCESS;
            let text = loader.reader.between(start, loader.reader.offset());
            loader.trace(text.as_ref());
            match text {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            }
        }
        Source::Key(key) => {
            loader.code = ResultCode::SUCCESS;
            visitor.visit_string(crate::write::quoted(&key))
        }
        Source::Old(Node::Raw(text)) => visitor.visit_str(text),
        Source::Old(_) => visitor.visit_borrowed_str("null"),
        Source::Default | Source::Absent => {
            loader.defaulted();
            visitor.visit_borrowed_str("{}")
        }
    }
}

/// Any JSON value, as a separate document.
fn document<'de, V: Visitor<'de>>(loader: &mut Loader<'de, '_>, visitor: V) -> Result<V::Value> {
    loader.reader.peek()?;
    let start = loader.reader.offset();
    let (last, left) = (loader.is_last(), loader.memory);
    let (value, left) = read_inside(&mut loader.reader, last, left, loader.options)?;
    loader.memory = left;
    loader.code = ResultCode::SUCCESS;
    if loader.traces() {
        let text = loader.reader.between(start, loader.reader.offset());
        loader.trace(text.as_ref());
    }
    hand_over(value, visitor)
}

/// `AZStd::any`: the name of a type and its value.
fn any<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    source: Source<'de, 'o>,
    visitor: V,
) -> Result<V::Value> {
    let parts = |parts: Vec<Cow<'de, str>>| {
        SeqDeserializer::<_, Error>::new(
            parts.into_iter().map(IntoDeserializer::<Error>::into_deserializer),
        )
    };
    let kept = |old: Option<&Node>| match old {
        Some(Node::Any(name, value)) => vec![Cow::Owned(name.clone()), Cow::Owned(value.clone())],
        _ => Vec::new(),
    };
    let old = match source {
        Source::Text(old) if loader.reader.peek()? == b'{' => old,
        source => {
            let old = loader.fallback(source, "an object with `$type` and `Value`")?;
            return visitor.visit_seq(parts(kept(old)));
        }
    };
    let (mut name, mut upper, mut lower, mut first) = (None, None, None, true);
    loader.reader.open()?;
    while let Some(key) = loader.reader.next_key(&mut first)? {
        let kind = loader.reader.peek_kind()?;
        let at = loader.reader.offset();
        if key == "$type" && kind == Kind::String && name.is_none() {
            name = Some(loader.reader.string()?);
            continue;
        }
        skip(&mut loader.reader)?;
        let text = loader.reader.between(at, loader.reader.offset());
        match key.as_ref() {
            "Value" => upper = Some(text),
            "value" => lower = Some(text),
            "$type" => {
                let message = "expected the name of a type".to_owned();
                loader.issue(Outcome::Unknown, at, message)?;
                while loader.reader.next_key(&mut first)?.is_some() {
                    skip(&mut loader.reader)?;
                }
                return visitor.visit_seq(parts(kept(old)));
            }
            _ => {}
        }
    }
    let Some(name) = name else {
        // Empty, as is an object without `$type`.
        loader.defaulted();
        return visitor.visit_seq(parts(Vec::new()));
    };
    loader.code = ResultCode::SUCCESS;
    let value = upper.or(lower).unwrap_or(Cow::Borrowed("{}"));
    visitor.visit_seq(parts(vec![name, value]))
}

/// A type that the engine refuses to load.
fn refused<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    source: Source<'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    if let Source::Text(_) = source {
        loader.reader.peek()?;
        let at = loader.reader.offset();
        skip(&mut loader.reader)?;
        let message = "expected anything but a type that the engine does not load".to_owned();
        loader.issue(Outcome::Invalid, at, message)?;
    }
    visitor.visit_unit()
}

/// A text and its offset, and what was there before.
type Text<'de, 'o> = (Option<Cow<'de, str>>, Option<&'o Node>, usize);

impl<'de, 'o> Loader<'de, 'o> {
    /// A vector, quaternion, matrix or colour.
    fn reals(&mut self, shape: Shape, source: Source<'de, 'o>) -> Result<[f32; 16]> {
        let initial = || shape.initial();
        let known = |old: Option<&Node>| old.map_or_else(initial, |node| of_node(node, shape));
        let current = match source {
            Source::Text(old) if matches!(self.reader.peek()?, b'{' | b'[') => known(old),
            source => return self.fallback(source, shape.name()).map(known),
        };
        let values = match self.reader.peek_kind()? {
            Kind::Array if shape == Shape::Color => color::array(self, current)?,
            Kind::Array => self.row(shape, current)?,
            _ if self.reader.take_empty_object()? => {
                self.defaulted();
                return Ok(current);
            }
            _ => match shape {
                Shape::Color => color::object(self, current)?,
                Shape::Quaternion => self.euler(current)?,
                Shape::Matrix3x3 | Shape::Matrix3x4 | Shape::Matrix4x4 => {
                    matrix::object(self, shape)?
                }
                _ => self.components(shape, current)?,
            },
        };
        for value in values.iter().take(shape.len()) {
            self.trace(u64::from(value.to_bits()));
        }
        Ok(values)
    }

    /// One float of a compound; what it did is added to `code`.
    fn component(&mut self, code: &mut ResultCode) -> Result<f32> {
        let value = self.scalar::<f32>(Source::Text(None))?;
        *code = code.combine(self.code);
        Ok(value)
    }

    /// The numbers of an array, all or nothing.
    fn row(&mut self, shape: Shape, current: [f32; 16]) -> Result<[f32; 16]> {
        let start = self.reader.offset();
        let mut values = current;
        let mut code = IDLE;
        let (mut count, mut first) = (0_usize, true);
        self.reader.open()?;
        while self.reader.next_element(&mut first)? {
            if count < shape.len() {
                let value = self.component(&mut code)?;
                if let Some(place) = values.get_mut(count) {
                    *place = value;
                }
                count = count.saturating_add(1);
            } else {
                skip(&mut self.reader)?;
            }
        }
        if code.processing() != Processing::Completed {
            self.code = ResultCode::new(Task::ReadField, Outcome::Unsupported);
            return Ok(current);
        }
        if count < shape.len() {
            if self.docs() {
                values.iter_mut().skip(count).for_each(|value| *value = 0.0);
                self.code = code.combine(ResultCode::new(Task::ReadField, Outcome::DefaultsUsed));
                return Ok(values);
            }
            let message =
                format!("expected {} numbers for {}, found {count}", shape.len(), shape.name());
            self.issue(Outcome::Unsupported, start, message)?;
            return Ok(current);
        }
        self.code = code;
        Ok(values)
    }

    /// Members `X`, `Y`, `Z`, `W`, or in lower case; the first of each counts, upper case first.
    fn components(&mut self, shape: Shape, current: [f32; 16]) -> Result<[f32; 16]> {
        let names = [["X", "x"], ["Y", "y"], ["Z", "z"], ["W", "w"]];
        let (places, end) = self.find_members(&names, shape.len())?;
        let mut values = current;
        let mut code = IDLE;
        let (mut found, mut missing) = (false, false);
        for (value, place) in values.iter_mut().zip(places).take(shape.len()) {
            match place {
                Some(at) => {
                    self.reader.seek(at);
                    *value = self.component(&mut code)?;
                    found = true;
                }
                None => missing = true,
            }
        }
        self.reader.seek(end);
        if code.processing() != Processing::Completed {
            self.code = ResultCode::new(Task::ReadField, Outcome::Unsupported);
            return Ok(current);
        }
        self.code = match (found, missing) {
            (false, _) => ResultCode::new(Task::ReadField, Outcome::DefaultsUsed),
            (true, true) => {
                code.combine(ResultCode::new(Task::ReadField, Outcome::PartialDefaults))
            }
            (true, false) => code,
        };
        Ok(values)
    }

    /// Where the members of an object are that have one of two names, the first name before the second
    /// one and the first member of each; only the first `known` ones are looked for. Also where the
    /// object ends, which is taken.
    fn find_members<const N: usize>(
        &mut self,
        names: &[[&str; 2]; N],
        known: usize,
    ) -> Result<([Option<usize>; N], usize)> {
        let mut places = [[None; 2]; N];
        let mut first = true;
        self.reader.open()?;
        while let Some(key) = self.reader.next_key(&mut first)? {
            self.reader.peek()?;
            let at = self.reader.offset();
            let all = places.iter_mut().flatten().zip(names.iter().flatten());
            for (place, _) in all.take(known << 1).filter(|(_, name)| key == **name) {
                place.get_or_insert(at);
            }
            skip(&mut self.reader)?;
        }
        Ok((places.map(|[first, second]| first.or(second)), self.reader.offset()))
    }

    /// A quaternion of three members in degrees: by place, whatever their names, as the engine.
    fn euler(&mut self, current: [f32; 16]) -> Result<[f32; 16]> {
        let start = self.reader.offset();
        let mut degrees = [0.0_f32; 3];
        let mut code = IDLE;
        let (mut count, mut first) = (0_usize, true);
        self.reader.open()?;
        while self.reader.next_key(&mut first)?.is_some() {
            match degrees.get_mut(count) {
                Some(place) => *place = self.component(&mut code)?,
                None => skip(&mut self.reader)?,
            }
            count = count.saturating_add(1);
        }
        if count != 3 {
            // Undefined in the engine.
            let message = format!("expected three angles for a Quaternion, found {count} members");
            self.issue(Outcome::Unsupported, start, message)?;
            return Ok(current);
        }
        if code.processing() != Processing::Completed {
            self.code = ResultCode::new(Task::ReadField, Outcome::Unsupported);
            return Ok(current);
        }
        self.code = code;
        let mut values = [0.0; 16];
        let quaternion = matrix::quaternion(degrees);
        values.iter_mut().zip(quaternion).for_each(|(place, value)| *place = value);
        Ok(values)
    }

    /// The text that a value of one string is read from, with its offset; or what was there before,
    /// if there is none that fits.
    fn text(&mut self, source: Source<'de, 'o>, expected: &str) -> Result<Text<'de, 'o>> {
        self.reader.skip_space()?;
        let at = self.reader.offset();
        Ok(match source {
            Source::Key(key) => (Some(key), None, at),
            Source::Text(old) if self.reader.peek()? == b'"' => {
                (Some(self.reader.string()?), old, at)
            }
            source => (None, self.fallback(source, expected)?, at),
        })
    }

    fn uuid(&mut self, source: Source<'de, 'o>) -> Result<Uuid> {
        let (text, old, at) = self.text(source, "a UUID in braces")?;
        let old = match old {
            Some(Node::Uuid(uuid)) => *uuid,
            _ => Uuid::NULL,
        };
        let Some(text) = text else { return Ok(old) };
        let uuid = match Uuid::find(&text) {
            // Nothing but nulls is the default; with text around them they are no UUID.
            Some(uuid) if !uuid.is_null() => {
                self.code = ResultCode::SUCCESS;
                uuid
            }
            Some(uuid) if text.len() == 34 || *text == *Uuid::NULL.to_string() => {
                self.defaulted();
                uuid
            }
            _ => {
                let message = format!("expected a UUID in braces, found \"{}\"", Shortened(&text));
                self.issue(Outcome::Unsupported, at, message)?;
                old
            }
        };
        self.trace(uuid.0);
        Ok(uuid)
    }

    /// Bytes, which are base64 in the text.
    pub(super) fn bytes(&mut self, source: Source<'de, 'o>) -> Result<Vec<u8>> {
        let (text, old, at) = self.text(source, "base64 text")?;
        let decoded = text.as_ref().map(|text| BASE64_STANDARD.decode(text.as_bytes()));
        if let Some(Ok(bytes)) = decoded {
            self.code = ResultCode::SUCCESS;
            self.trace(&bytes);
            return Ok(bytes);
        }
        if let Some(text) = text {
            let message = format!("expected base64 text, found \"{}\"", Shortened(&text));
            self.issue_in(Task::Convert, Outcome::Invalid, at, message)?;
        }
        Ok(match old {
            Some(Node::Bytes(bytes) | Node::Base64(bytes)) => bytes.clone(),
            _ => Vec::new(),
        })
    }

    /// A path: a string, normalized without a look at any disk.
    fn path(&mut self, source: Source<'de, 'o>, fixed: bool) -> Result<String> {
        let (text, old, at) = self.text(source, "a path")?;
        let Some(text) = text else { return Ok(old_text(old)) };
        if fixed && text.len() > MAX_PATH {
            let len = text.len();
            let message = format!("expected a path of no more than {MAX_PATH} bytes, found {len}");
            self.issue(Outcome::Invalid, at, message)?;
            return Ok(old_text(old));
        }
        self.code = ResultCode::SUCCESS;
        let path = normal_path(&text);
        self.trace(path.as_str());
        Ok(path)
    }
}

fn of_node(node: &Node, shape: Shape) -> [f32; 16] {
    let mut values = shape.initial();
    if let Node::Reals(_, old) = node {
        values.iter_mut().zip(old).for_each(|(value, old)| *value = *old);
    }
    values
}
