//! Reads a bean as `Value` is read, and gives every byte that it passes a span.

use std::borrow::Cow;
use std::sync::Arc;

use super::Explanation;
use super::sink::{Sink, count, cut, quoted};
use super::span::{Place, Role};
use crate::Options;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::frame::{Framing, Header};
use crate::kind::Kind;
use crate::read::{Reader, Tag};

/// Text that is mostly the same each time.
type Text = Cow<'static, str>;

/// Why the input was refused.
pub(super) struct Refused {
    pub(super) error: Error,
    /// Where the bytes end that are wrong.
    pub(super) end: usize,
    /// How deep the value at fault stands.
    pub(super) depth: usize,
}

/// One bean that takes the whole input.
pub(crate) fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let mut walk = Walk::new(bytes, *options);
    let mut done = walk.open().and_then(|()| walk.bean().map(drop));
    if done.is_ok() {
        done = walk.reader.end();
    }
    walk.finish(done)
}

/// Frames, one after another, up to the end of the input.
pub(crate) fn explain_frames(bytes: &[u8], framing: &Framing) -> Explanation {
    let mut walk = Walk::new(bytes, framing.bean_options());
    let mut done = Ok(());
    let mut index = 0_usize;
    while done.is_ok() && walk.sink.at() < bytes.len() {
        let root = Arc::clone(&walk.place);
        walk.place = Place::inside(&root, Segment::Index(index));
        done = walk.frame(framing).map_err(|error| error.in_index(index));
        index = index.saturating_add(1);
        if done.is_ok() {
            walk.place = root;
        }
    }
    walk.finish(done)
}

struct Walk<'a> {
    bytes: &'a [u8],
    reader: Reader<'a>,
    sink: Sink,
    /// Values and parts of values around the next span.
    depth: usize,
    /// Containers around the next value.
    levels: usize,
    place: Arc<Place>,
}

impl<'a> Walk<'a> {
    fn new(bytes: &'a [u8], options: Options) -> Self {
        let (sink, place) = (Sink::default(), Arc::default());
        Walk { bytes, reader: Reader::new(bytes, options), sink, depth: 0, levels: 0, place }
    }

    fn finish(mut self, done: Result<()>) -> Explanation {
        let error = done.err();
        match error {
            None => self.sink.finish(self.bytes, None),
            Some(error) => {
                let at = error.offset().unwrap_or(self.reader.offset());
                let end = self.end_of_error(error.kind(), at);
                let refused = Refused { error, end, depth: self.depth };
                self.sink.fail(&refused, self.bytes.len());
                self.sink.finish(self.bytes, Some(refused.error))
            }
        }
    }

    /// Where the bytes end that are wrong, of which `at` is the first.
    fn end_of_error(&self, kind: ErrorKind, at: usize) -> usize {
        match kind {
            ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => self.bytes.len(),
            _ if self.reader.offset() > at => self.reader.offset(),
            _ => at.saturating_add(1).min(self.bytes.len()),
        }
    }

    /// A span for what was read since the last one.
    fn push(&mut self, role: Role, meaning: impl Into<Text>, value: impl Into<Text>) -> usize {
        let len = self.reader.offset().saturating_sub(self.sink.at());
        if len == 0 {
            return usize::MAX;
        }
        self.sink.push(len, role, self.depth, &self.place, meaning.into(), value.into())
    }

    /// Opens a container, as the reader of `Value` does.
    fn open(&mut self) -> Result<()> {
        if self.levels >= self.reader.options.max_depth {
            return Err(self.reader.options.too_deep(Some(self.reader.offset())));
        }
        self.levels = self.levels.saturating_add(1);
        Ok(())
    }

    fn close(&mut self) {
        self.levels = self.levels.saturating_sub(1);
    }

    /// Runs at another place, one step deeper. After an error the place stays.
    fn within<T>(
        &mut self,
        segment: Segment,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = Arc::clone(&self.place);
        if !self.sink.is_full() {
            self.place = Place::inside(&outer, segment.clone());
        }
        match run(self) {
            Ok(value) => {
                self.place = outer;
                Ok(value)
            }
            Err(error) => Err(error.in_segment(segment)),
        }
    }

    /// A value. `name` stands before its meaning where it has no tag. Gives its short form.
    fn value(&mut self, kind: Kind, name: &str) -> Result<Text> {
        let called = |what: &'static str| -> Text {
            match kind {
                _ if name.is_empty() => what.into(),
                Kind::Bytes | Kind::Dynamic => format!("{name}: {what}").into(),
                kind => format!("{name}: {kind}").into(),
            }
        };
        match kind {
            Kind::Int => {
                let value = self.reader.int()?.to_string();
                self.push(Role::Data, called("integer"), value.clone());
                Ok(value.into())
            }
            Kind::Float => {
                let value = cut(format_args!("{:?}", self.reader.f32()?));
                self.push(Role::Data, called("32-bit float"), value.clone());
                Ok(value.into())
            }
            Kind::Double => {
                let value = cut(format_args!("{:?}", self.reader.f64()?));
                self.push(Role::Data, called("64-bit float"), value.clone());
                Ok(value.into())
            }
            Kind::Bytes => self.text(called("length in bytes"), !name.is_empty()),
            Kind::Vector2 => self.floats::<2>(kind, called("x, y")),
            Kind::Vector3 => self.floats::<3>(kind, called("x, y, z")),
            Kind::Vector4 => self.floats::<4>(kind, called("x, y, z, w")),
            Kind::Vector2Int | Kind::Vector3Int => {
                let mut all = Vec::new();
                for (index, axis) in ["x", "y", "z"].iter().take(kind.components()).enumerate() {
                    let value = self.reader.int()?.to_string();
                    let meaning: Text = match (index, name) {
                        (0, name) if !name.is_empty() => format!("{name}: {kind}, x").into(),
                        _ => (*axis).into(),
                    };
                    self.push(Role::Data, meaning, value.clone());
                    all.push(value);
                }
                Ok(format!("({})", all.join(", ")).into())
            }
            Kind::List => self.list(called("list")),
            Kind::Map => self.map(called("map")),
            Kind::Bean => {
                self.open()?;
                self.bean()
            }
            Kind::Dynamic => {
                self.open()?;
                let id = self.reader.int()?;
                self.push(Role::Type, called("type id"), id.to_string());
                let deeper = usize::from(!name.is_empty());
                self.depth = self.depth.saturating_add(deeper);
                let fields = self.bean()?;
                self.depth = self.depth.saturating_sub(deeper);
                Ok(format!("type {id}, {fields}").into())
            }
        }
    }

    fn text(&mut self, meaning: Text, is_deeper: bool) -> Result<Text> {
        let bytes = self.reader.bytes()?;
        // The length is what stands before the bytes.
        let behind = self.reader.offset();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => quoted(text),
            Err(_) => cut(format_args!("{}", super::hex(bytes.get(..32).unwrap_or(bytes)))),
        };
        self.reader.go_to(behind.saturating_sub(bytes.len()));
        self.push(Role::Length, meaning, bytes.len().to_string());
        self.reader.go_to(behind);
        let role = if std::str::from_utf8(bytes).is_ok() { Role::Text } else { Role::Data };
        self.depth = self.depth.saturating_add(usize::from(is_deeper));
        self.push(role, if role == Role::Text { "text" } else { "bytes" }, text.clone());
        self.depth = self.depth.saturating_sub(usize::from(is_deeper));
        Ok(text.into())
    }

    fn floats<const N: usize>(&mut self, kind: Kind, meaning: Text) -> Result<Text> {
        let floats = self.reader.floats::<N>(kind)?.map(|float| format!("{float:?}"));
        let value = cut(format_args!("({})", floats.join(", ")));
        self.push(Role::Data, meaning, value.clone());
        Ok(value.into())
    }

    fn list(&mut self, meaning: Text) -> Result<Text> {
        self.open()?;
        let head = self.reader.list_head()?;
        let of = Kind::from_number(head.number).map_or("an undefined type", Kind::name);
        let number = count(head.count, "element");
        self.push(Role::Count, meaning, format!("{number} of {of}"));
        self.depth = self.depth.saturating_add(1);
        for index in 0..head.count {
            self.within(Segment::Index(index), |walk| {
                let name = if walk.sink.is_full() { String::new() } else { format!("[{index}]") };
                walk.value(head.kind, &name).map(drop)
            })?;
        }
        self.depth = self.depth.saturating_sub(1);
        self.close();
        Ok(number)
    }

    fn map(&mut self, meaning: Text) -> Result<Text> {
        self.open()?;
        let head = self.reader.map_head()?;
        let name = |number| Kind::from_number(number).map_or("an undefined type", Kind::name);
        let number = count(head.count, "entry");
        let types = format!("{number} of {} to {}", name(head.numbers.0), name(head.numbers.1));
        self.push(Role::Count, meaning, types);
        self.depth = self.depth.saturating_add(1);
        for index in 0..head.count {
            let at = self.reader.offset();
            self.within(Segment::Other(format!("key {index}")), |walk| {
                walk.value(head.kinds.0, &format!("key {index}")).map(drop)
            })?;
            let mut again = self.reader.again(at);
            let key = crate::value::decode(&mut again, head.kinds.0, self.levels)?;
            let segment = crate::value::key_segment(&key, index);
            let name = segment.to_string();
            self.within(segment, |walk| walk.value(head.kinds.1, &name).map(drop))?;
        }
        self.depth = self.depth.saturating_sub(1);
        self.close();
        Ok(number)
    }

    /// The fields of a bean; it is open already.
    fn bean(&mut self) -> Result<Text> {
        let (mut last, mut fields) = (0, 0_usize);
        loop {
            match self.reader.tag(last)? {
                Tag::End => {
                    let none = if fields == 0 { "no fields" } else { "" };
                    self.push(Role::End, "end of the bean", none);
                    self.close();
                    return Ok(count(fields, "field"));
                }
                Tag::Base => {
                    self.push(Role::End, "end of the layer, its base follows", "");
                    self.open()?;
                    self.within(Segment::Other("base".into()), |walk| walk.bean())?;
                    self.close();
                    return Ok(format!("{} and a base", count(fields, "field")).into());
                }
                Tag::Field(id, kind) => {
                    (last, fields) = (id, fields.saturating_add(1));
                    self.within(Segment::Other(format!("field {id}")), |walk| {
                        let own = walk.push(Role::Header, format!("type {kind}"), "");
                        walk.depth = walk.depth.saturating_add(1);
                        let value = walk.value(kind, "")?;
                        walk.depth = walk.depth.saturating_sub(1);
                        if let Some(span) = walk.sink.get_mut(own) {
                            span.value = value;
                        }
                        Ok(())
                    })?;
                }
            }
        }
    }

    /// A frame: its header, its bean, what is left in it.
    fn frame(&mut self, framing: &Framing) -> Result<()> {
        let start = self.reader.offset();
        let bytes = self.bytes.get(start..).unwrap_or_default();
        let (frame, rest) = framing.split(bytes).map_err(|error| error.shifted(start))?;
        let end = self.bytes.len().saturating_sub(rest.len());
        let mut at = start;
        let mut part = |walk: &mut Self, len: usize, role, meaning: &'static str, value: String| {
            at = at.saturating_add(len);
            walk.reader.go_to(at);
            walk.push(role, meaning, value);
        };
        part(self, 4, Role::Type, "module id", frame.module_id.to_string());
        part(self, 4, Role::Type, "protocol id", frame.protocol_id.to_string());
        let size = end.saturating_sub(start).saturating_sub(12);
        part(self, 4, Role::Length, "size of the rest", size.to_string());
        let head = end.saturating_sub(frame.bean.len());
        let between = head.saturating_sub(self.reader.offset());
        if between > 0 {
            part(self, between, Role::Type, "family and header", frame.header.describe());
        }
        debug_assert!(between > 0 || frame.header == Header::Page);
        let inner = self.bytes.get(..end).unwrap_or_default();
        let outer = std::mem::replace(&mut self.reader, Reader::new(inner, framing.bean_options()));
        self.reader.go_to(head);
        self.open()?;
        self.bean()?;
        let left = end.saturating_sub(self.reader.offset());
        if left > 0 {
            if self.reader.options.strict {
                self.reader.end()?;
            }
            self.reader.go_to(end);
            self.push(Role::Unused, "left in the frame, ignored", "");
        }
        self.reader = outer;
        self.reader.go_to(end);
        Ok(())
    }
}
