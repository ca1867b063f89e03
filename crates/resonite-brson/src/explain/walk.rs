//! Reads a file as the reader of a [`Value`](crate::Value) does and gives every byte a span.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::Explanation;
use super::sink::{Sink, count, cut, quoted};
use super::span::{Place, Role};
use crate::container::{self, Opened};
use crate::error::{Error, ErrorKind, Segment};
use crate::kind::Kind;
use crate::read::{Outer, Reader};
use crate::types::DateTime;
use crate::{Options, Value, value};

/// Why the input was refused.
pub(super) struct Refused {
    pub(super) error: Error,
    /// Where the bytes end that are wrong.
    pub(super) end: usize,
    /// How deep the value at fault stands.
    pub(super) depth: usize,
}

pub(crate) fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let root = Arc::new(Place::default());
    let mut sink = Sink::default();
    let opened = container::explain(bytes, options, &mut |part| {
        sink.push(part.len, part.role, 0, &root, part.meaning, part.value);
    });
    match opened {
        Err(error) => {
            let end = end_of_error(&error, bytes.len(), 0);
            sink.fail(Refused { error, end, depth: 0 }, bytes)
        }
        Ok(Opened { bson: Cow::Borrowed(bson), .. }) => walk(bson, bytes, sink, options),
        Ok(Opened { bson: Cow::Owned(bson), rest, .. }) => {
            if !rest.is_empty() {
                let (at, left) = (bytes.len().saturating_sub(rest.len()), rest.len());
                let error = container::trailing(at, left);
                return sink.fail(Refused { error, end: bytes.len(), depth: 0 }, bytes);
            }
            let mut file = sink.finish(bytes, None);
            let mut body = walk(&bson, &bson, Sink::default(), options);
            if let Some(error) = body.error.take() {
                body.error = Arc::into_inner(error).map(|error| Arc::new(error.in_decompressed()));
            }
            file.body = Some(Arc::new(body));
            file
        }
    }
}

/// Explains a document that takes the end of `bytes`.
fn walk(bson: &[u8], bytes: &[u8], mut sink: Sink, options: &Options) -> Explanation {
    let base = bytes.len().saturating_sub(bson.len());
    let mut walker = Walker {
        reader: Reader::new(bson, *options),
        sink: &mut sink,
        levels: Vec::new(),
        place: Arc::default(),
    };
    let walked = walker.all();
    match walked {
        Ok(()) => sink.finish(bytes, None),
        Err(error) => {
            let depth = walker.levels.len();
            let mut end = end_of_error(&error, bson.len(), walker.reader.offset());
            if error.kind() == ErrorKind::InvalidUtf8 {
                end = error.offset().map_or(end, |at| at.saturating_add(1));
            }
            let levels = walker.levels.iter().rev();
            let error = levels.fold(error, |error, level| level.around(error)).shifted(base);
            let refused = Refused { error, end: end.saturating_add(base), depth };
            sink.fail(refused, bytes)
        }
    }
}

/// Where the bytes end that are wrong.
fn end_of_error(error: &Error, len: usize, read: usize) -> usize {
    let at = error.offset().unwrap_or(0);
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => len,
        _ if read > at => read,
        ErrorKind::DocumentLength | ErrorKind::StringLength => at.saturating_add(4).min(len),
        _ => at.saturating_add(1).min(len),
    }
}

/// A container that is open.
struct Level<'b> {
    place: Arc<Place>,
    outer: Outer<'b>,
    /// What lies behind the code whose scope this is.
    code: Option<Outer<'b>>,
    /// Elements of an array so far; `None` for documents.
    index: Option<usize>,
    keys: HashSet<&'b str>,
    /// Key of the value that is being read.
    key: Option<&'b str>,
}

impl Level<'_> {
    fn around(&self, error: Error) -> Error {
        match (self.index, self.key) {
            (Some(index), _) => error.in_index(index),
            (None, Some(key)) => error.in_field(key),
            (None, None) => error,
        }
    }
}

struct Walker<'b, 's> {
    reader: Reader<'b>,
    sink: &'s mut Sink,
    levels: Vec<Level<'b>>,
    /// Of the value that is being read.
    place: Arc<Place>,
}

impl Walker<'_, '_> {
    fn all(&mut self) -> crate::Result<()> {
        self.open(Kind::Document, true)?;
        while let Some(level) = self.levels.last_mut() {
            level.key = None;
            match self.reader.kind()? {
                Some(kind) => self.element(kind)?,
                None => self.close()?,
            }
        }
        self.reader.end()
    }

    /// Type, key and payload of an element.
    fn element(&mut self, kind: Kind) -> crate::Result<()> {
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let at = self.reader.offset();
        let mut ahead = self.reader.clone();
        let (segment, meaning) = match level.index {
            Some(index) => {
                self.reader.index_key(index)?;
                (Segment::Index(index), "index")
            }
            None => {
                let key = self.reader.cstring()?;
                if !level.keys.insert(key) && !self.reader.options.allow_duplicates {
                    return Err(value::duplicate(key, at));
                }
                level.key = Some(key);
                (Segment::key(key), "key")
            }
        };
        self.place = match self.sink.is_full() {
            true => Arc::clone(&level.place),
            false => Place::inside(&level.place, segment),
        };
        let key_len = self.reader.offset().saturating_sub(at);
        let key = ahead.cstring().map_or_else(|_| String::new(), quoted);
        let own = self.push(1, Role::Header, depth, format!("type {kind}"), "");
        self.push(key_len, Role::Key, depth.saturating_add(1), meaning, key);
        match kind {
            Kind::Document | Kind::Array | Kind::CodeWithScope => self.open(kind, false)?,
            _ => {
                let shown = self.leaf(kind)?;
                if let Some(span) = self.sink.get_mut(own) {
                    span.value = shown.into();
                }
                if let Some(Level { index: Some(index), .. }) = self.levels.last_mut() {
                    *index = index.saturating_add(1);
                }
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        len: usize,
        role: Role,
        depth: usize,
        meaning: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> usize {
        if len == 0 {
            return usize::MAX;
        }
        self.sink.push(len, role, depth, &self.place, meaning.into(), value.into())
    }

    fn open(&mut self, kind: Kind, root: bool) -> crate::Result<()> {
        if self.reader.depth > self.reader.options.max_depth {
            return Err(self.reader.too_deep(self.reader.options.max_depth, "max_depth"));
        }
        let depth = self.levels.len().saturating_add(usize::from(!root));
        let own = self.sink.last();
        let mut code = None;
        if kind == Kind::CodeWithScope {
            let (text, outer) = self.reader.code_with_scope()?;
            code = Some(outer);
            self.push(4, Role::Length, depth, "length of code and scope", "");
            self.string_parts(text, depth);
        }
        let at = self.reader.offset();
        let outer = self.reader.open()?;
        let len = self.reader.len_of(outer, at);
        let holds = match kind {
            Kind::Array => count(self.reader.count(), "element"),
            _ => count(self.reader.count(), "entry"),
        };
        if root {
            self.push(4, Role::Header, depth, format!("type Document, {len} bytes"), holds);
        } else {
            self.push(4, Role::Length, depth, "length in bytes", len.to_string());
            // The key lies between the type and the length.
            if let Some(span) = own.checked_sub(1).and_then(|own| self.sink.get_mut(own)) {
                span.value = holds;
            }
        }
        self.reader.depth = self.reader.depth.saturating_add(1);
        self.levels.push(Level {
            place: Arc::clone(&self.place),
            outer,
            code,
            index: (kind == Kind::Array).then_some(0),
            keys: HashSet::new(),
            key: None,
        });
        Ok(())
    }

    fn close(&mut self) -> crate::Result<()> {
        let depth = self.levels.len();
        let Some(level) = self.levels.pop() else { return Ok(()) };
        self.place = Arc::clone(&level.place);
        let meaning =
            if level.index.is_some() { "end of the array" } else { "end of the document" };
        self.push(1, Role::End, depth, meaning, "");
        self.reader.close(level.outer);
        self.reader.depth = self.reader.depth.saturating_sub(1);
        if let Some(behind) = level.code {
            self.reader.end_of_scope()?;
            self.reader.close(behind);
        }
        if let Some(Level { index: Some(index), .. }) = self.levels.last_mut() {
            *index = index.saturating_add(1);
        }
        Ok(())
    }

    fn string_parts(&mut self, text: &str, depth: usize) {
        let len = text.len().saturating_add(1);
        self.push(4, Role::Length, depth, "length with the 0", len.to_string());
        self.push(len, Role::Text, depth, "text", quoted(text));
    }

    /// The payload of a value that contains no other. Gives the value, readable.
    fn leaf(&mut self, kind: Kind) -> crate::Result<String> {
        let depth = self.levels.len().saturating_add(1);
        let at = self.reader.offset();
        match kind {
            Kind::String | Kind::Code | Kind::Symbol => {
                let text = self.reader.string()?;
                self.string_parts(text, depth);
                return Ok(quoted(text));
            }
            Kind::Binary => {
                let (subtype, bytes) = self.reader.binary()?;
                let len = self.reader.offset().saturating_sub(at).saturating_sub(5);
                self.push(4, Role::Length, depth, "length in bytes", len.to_string());
                self.push(1, Role::Flags, depth, "subtype", subtype.to_string());
                if subtype == 2 {
                    self.push(
                        4,
                        Role::Length,
                        depth,
                        "length in bytes, again",
                        bytes.len().to_string(),
                    );
                }
                self.push(bytes.len(), Role::Data, depth, "bytes", "");
                return Ok(count(bytes.len(), "byte").into_owned());
            }
            Kind::Regex => {
                let pattern = self.reader.cstring()?;
                self.push(
                    pattern.len().saturating_add(1),
                    Role::Text,
                    depth,
                    "pattern",
                    quoted(pattern),
                );
                let options = self.reader.cstring()?;
                self.push(
                    options.len().saturating_add(1),
                    Role::Text,
                    depth,
                    "options",
                    quoted(options),
                );
                return Ok(quoted(pattern));
            }
            Kind::DbPointer => {
                let text = self.reader.string()?;
                self.string_parts(text, depth);
                self.reader.array::<12>("an ObjectId")?;
                self.push(12, Role::Data, depth, "ObjectId", "");
                return Ok(quoted(text));
            }
            _ => {}
        }
        let value = value::decode(&mut self.reader, kind)?;
        let len = self.reader.offset().saturating_sub(at);
        let (meaning, shown) = match &value {
            Value::DateTime(time @ DateTime(millis)) => {
                ("milliseconds since 1970", format!("{millis}, {time}"))
            }
            Value::Int32(v) => ("32-bit integer", v.to_string()),
            Value::Int64(v) => ("64-bit integer", v.to_string()),
            Value::Double(v) => ("64-bit float", cut(format_args!("{v:?}"))),
            other => ("value", cut(format_args!("{other:?}"))),
        };
        self.push(len, Role::Data, depth, meaning, shown.clone());
        Ok(shown)
    }
}
