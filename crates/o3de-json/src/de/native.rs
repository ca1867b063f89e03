//! The engine's own types: vectors, matrices, colours, UUIDs, paths, registered enums.

mod color;
mod flags;
mod matrix;

use std::borrow::Cow;

use gamewire_core::words::Shortened;
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{IntoDeserializer, Visitor};

use super::compound::Repeated;
use super::map::Values;
use super::slot::{Loader, Slot, Source, old_text};
use super::{compound, map};
use crate::node::{Node, Shape};
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::types::uuid::Search;
use crate::types::{MAX_PATH, Uuid, handoff, normal_path};
use crate::value::decode::skip;
use crate::{Error, Result};

/// A type with a reserved name.
pub(super) fn read<'de, V: Visitor<'de>>(
    slot: Slot<'_, 'de, '_>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    let Slot { loader, source } = slot;
    if let Some(shape) = Shape::of(name) {
        let values = loader.reals(shape, source)?;
        let row = values.iter().copied().take(shape.len());
        return visitor.visit_seq(SeqDeserializer::<_, Error>::new(row));
    }
    match name {
        handoff::UUID => visitor.visit_bytes(&loader.uuid(source)?.0),
        handoff::BYTES => visitor.visit_byte_buf(loader.bytes(source)?),
        handoff::PATH | handoff::FIXED_PATH => {
            let path = loader.path(source, name == handoff::FIXED_PATH)?;
            visitor.visit_string(path)
        }
        handoff::ENUM => match handoff::take_enum() {
            Some((info, _)) => visitor.visit_u64(flags::read(loader, source, info)?),
            None => visitor.visit_newtype_struct(Slot::new(loader, source)),
        },
        handoff::RAW => raw(loader, source, visitor),
        handoff::ANY => any(loader, source, visitor),
        handoff::REFUSED => refused(loader, source, visitor),
        handoff::MAP | handoff::UNORDERED_MAP => {
            map::read(Slot::new(loader, source), Values::Unique, visitor)
        }
        handoff::MULTI_MAP => map::read(Slot::new(loader, source), Values::Many, visitor),
        handoff::SET | handoff::UNORDERED_SET => {
            compound::sequence(Slot::new(loader, source), Repeated::Unavailable, visitor)
        }
        handoff::MULTI_SET => {
            compound::sequence(Slot::new(loader, source), Repeated::Kept, visitor)
        }
        handoff::TUPLE => {
            visitor.visit_newtype_struct(compound::TupleSlot(Slot::new(loader, source)))
        }
        _ => visitor.visit_newtype_struct(Slot::new(loader, source)),
    }
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
            loader.trace(text);
            visitor.visit_borrowed_str(text)
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

/// `AZStd::any`: the name of a type and its value.
fn any<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    source: Source<'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let parts = |parts: Vec<Cow<'de, str>>| {
        SeqDeserializer::<_, Error>::new(
            parts.into_iter().map(IntoDeserializer::<Error>::into_deserializer),
        )
    };
    let (old, text) = match source {
        Source::Text(old) => (old, true),
        Source::Old(node) => (Some(node), false),
        Source::Key(key) => {
            loader.unfit_key("an object", &key)?;
            (None, false)
        }
        Source::Default | Source::Absent => {
            loader.defaulted();
            (None, false)
        }
    };
    let kept = || match old {
        Some(Node::Any(name, value)) => vec![Cow::Owned(name.clone()), Cow::Owned(value.clone())],
        _ => Vec::new(),
    };
    if !text {
        return visitor.visit_seq(parts(kept()));
    }
    if loader.reader.peek_kind()? != Kind::Object {
        loader.unfit("an object with `$type` and `Value`")?;
        return visitor.visit_seq(parts(kept()));
    }
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
                return visitor.visit_seq(parts(kept()));
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
    let value = Cow::Borrowed(upper.or(lower).unwrap_or("{}"));
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

impl<'de, 'o> Loader<'de, 'o> {
    /// A vector, quaternion, matrix or colour.
    fn reals(&mut self, shape: Shape, source: Source<'de, 'o>) -> Result<[f32; 16]> {
        let initial = || shape.initial();
        let old = match source {
            Source::Text(old) => old.map(|node| of_node(node, shape)),
            Source::Old(node) => return Ok(of_node(node, shape)),
            Source::Key(key) => {
                self.unfit_key(shape.name(), &key)?;
                return Ok(initial());
            }
            Source::Default | Source::Absent => {
                self.defaulted();
                return Ok(initial());
            }
        };
        let current = old.unwrap_or_else(initial);
        let kind = self.reader.peek_kind()?;
        let values = match kind {
            Kind::Array if shape == Shape::Color => color::array(self, current)?,
            Kind::Array => self.row(shape, current)?,
            Kind::Object => {
                if self.reader.take_empty_object()? {
                    self.defaulted();
                    return Ok(current);
                }
                match shape {
                    Shape::Color => color::object(self, current)?,
                    Shape::Quaternion => self.euler(current)?,
                    Shape::Matrix3x3 | Shape::Matrix3x4 | Shape::Matrix4x4 => {
                        matrix::object(self, shape)?
                    }
                    _ => self.components(shape, current)?,
                }
            }
            _ => {
                self.unfit(shape.name())?;
                current
            }
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
        let mut code = super::load::IDLE;
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
        let names: [[&str; 2]; 4] = [["X", "x"], ["Y", "y"], ["Z", "z"], ["W", "w"]];
        let mut places: [[Option<usize>; 2]; 4] = [[None; 2]; 4];
        let mut first = true;
        self.reader.open()?;
        while let Some(key) = self.reader.next_key(&mut first)? {
            self.reader.peek()?;
            let at = self.reader.offset();
            for (place, name) in
                places.iter_mut().flatten().zip(names.iter().flatten()).take(shape.len() << 1)
            {
                if key == *name {
                    place.get_or_insert(at);
                }
            }
            skip(&mut self.reader)?;
        }
        let end = self.reader.offset();
        let mut values = current;
        let mut code = super::load::IDLE;
        let (mut found, mut missing) = (false, false);
        for (value, place) in values.iter_mut().zip(places).take(shape.len()) {
            match place[0].or(place[1]) {
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

    /// A quaternion of three members in degrees: by place, whatever their names, as the engine.
    fn euler(&mut self, current: [f32; 16]) -> Result<[f32; 16]> {
        let start = self.reader.offset();
        let mut degrees = [0.0_f32; 3];
        let mut code = super::load::IDLE;
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

    fn uuid(&mut self, source: Source<'de, 'o>) -> Result<Uuid> {
        let (text, old) = match source {
            Source::Text(old) => {
                let old = old.map_or(Uuid::NULL, uuid_of_node);
                let kind = self.reader.peek_kind()?;
                if self.reader.take_empty_object()? {
                    self.defaulted();
                    return Ok(old);
                }
                if kind != Kind::String {
                    self.unfit("a UUID in braces")?;
                    return Ok(old);
                }
                (None, old)
            }
            Source::Key(key) => (Some(key), Uuid::NULL),
            Source::Old(node) => return Ok(uuid_of_node(node)),
            Source::Default | Source::Absent => {
                self.defaulted();
                return Ok(Uuid::NULL);
            }
        };
        let at = self.reader.offset();
        let text = match text {
            Some(text) => text,
            None => self.reader.string()?,
        };
        let uuid = match Uuid::search(&text) {
            Search::Found(uuid) => {
                self.code = ResultCode::SUCCESS;
                if uuid.is_null() {
                    self.defaulted();
                }
                uuid
            }
            Search::Dashes | Search::Nothing => {
                let found = Shortened(&text).to_string();
                let message = format!("expected a UUID in braces, found \"{found}\"");
                self.issue(Outcome::Unsupported, at, message)?;
                old
            }
        };
        self.trace(uuid.0);
        Ok(uuid)
    }

    /// A path: a string, normalised without a look at any disk.
    fn path(&mut self, source: Source<'de, 'o>, fixed: bool) -> Result<String> {
        let old = match &source {
            Source::Text(old) => old_text(*old),
            _ => String::new(),
        };
        let text = match source {
            Source::Text(_) => {
                let kind = self.reader.peek_kind()?;
                if self.reader.take_empty_object()? {
                    self.defaulted();
                    return Ok(old);
                }
                if kind != Kind::String {
                    self.unfit("a path")?;
                    return Ok(old);
                }
                let at = self.reader.offset();
                let text = self.reader.string()?;
                if fixed && text.len() > MAX_PATH {
                    let message = format!(
                        "expected a path of no more than {MAX_PATH} bytes, found {}",
                        text.len()
                    );
                    self.issue(Outcome::Invalid, at, message)?;
                    return Ok(old);
                }
                text
            }
            Source::Key(key) => key,
            Source::Old(node) => return Ok(old_text(Some(node))),
            Source::Default | Source::Absent => {
                self.defaulted();
                return Ok(old);
            }
        };
        self.code = ResultCode::SUCCESS;
        let path = normal_path(&text);
        self.trace(path.as_str());
        Ok(path)
    }
}

fn uuid_of_node(node: &Node) -> Uuid {
    match node {
        Node::Uuid(uuid) => *uuid,
        _ => Uuid::NULL,
    }
}

fn of_node(node: &Node, shape: Shape) -> [f32; 16] {
    let mut values = shape.initial();
    if let Node::Reals(_, old) = node {
        values.iter_mut().zip(old).for_each(|(value, old)| *value = *old);
    }
    values
}
