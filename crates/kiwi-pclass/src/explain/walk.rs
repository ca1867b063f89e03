//! Listens to the layers and to the decoder.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use super::Explanation;
use super::sink::{Sink, Words};
use super::span::{Place, Role};
use crate::error::{Count, Segment};
use crate::options::Options;
use crate::read::{self, LayerKind, Reader, Stream};
use crate::schema::{Kind, Property};
use crate::value::{Decoder, Listener, Piece};
use crate::write::missing_schema;
use crate::{Error, Result, Schema, Value};

/// The most characters of a span's value.
const MOST: usize = 60;

pub(crate) fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let mut input = Sink::new(bytes, false);
    let mut layers = Vec::new();
    let opened = read::open(bytes, 0, options, &mut |layer| layers.push(layer));
    let root = Arc::new(Place::default());
    for layer in layers.iter().filter(|layer| !layer.inflated) {
        let (start, end) = (layer.at.saturating_mul(8), layer.at.saturating_add(layer.len));
        input.push(start, end.saturating_mul(8), 0, &root, layer_words(layer.kind));
    }
    let stream = match opened {
        Ok(stream) => stream,
        Err(error) => {
            input.fail(&error, 0);
            return finish(bytes, None, input.spans, Some(error));
        }
    };
    let Some(schema) = options.schema.as_deref() else {
        let error = missing_schema();
        input.fail(&error, 0);
        return finish(bytes, None, input.spans, Some(error));
    };
    if !stream.inflated() {
        let (outcome, depth) = objects(&mut input, &stream, schema, options);
        let outcome = outcome.and_then(|end| no_more(end, bytes.len()));
        let error = outcome.map_err(|error| input.fail_with(error, depth)).err();
        return finish(bytes, None, input.spans, error);
    }
    let rest = stream.end.map_or(Ok(()), |end| no_more(end, bytes.len()));
    let mut error = rest.map_err(|error| input.fail_with(error, 0)).err();
    let inflated = stream.data.to_vec();
    let mut inner = Sink::new(&inflated, true);
    for layer in layers.iter().filter(|layer| layer.inflated) {
        let (start, end) = (layer.at.saturating_mul(8), layer.at.saturating_add(layer.len));
        if end <= stream.start {
            inner.push(start, end.saturating_mul(8), 0, &root, layer_words(layer.kind));
        }
    }
    let (outcome, depth) = objects(&mut inner, &stream, schema, options);
    let outcome = outcome.and_then(|end| no_more(end, inflated.len()));
    let outcome = outcome.map_err(|error| error.in_inflated(true));
    if let Err(inside) = outcome {
        error = Some(inner.fail_with(inside, depth));
    }
    let mut spans = input.spans;
    spans.append(&mut inner.spans);
    finish(bytes, Some(inflated), spans, error)
}

fn finish(
    bytes: &[u8],
    inflated: Option<Vec<u8>>,
    spans: Vec<super::Span>,
    error: Option<Error>,
) -> Explanation {
    Explanation { bytes: bytes.to_vec(), inflated, spans, error: error.map(Arc::new) }
}

fn no_more(end: usize, len: usize) -> Result<()> {
    match len.saturating_sub(end) {
        0 => Ok(()),
        left => Err(read::trailing(end.saturating_mul(8), left)),
    }
}

impl Sink<'_> {
    fn fail_with(&mut self, error: Error, depth: usize) -> Error {
        self.fail(&error, depth);
        error
    }
}

/// Reads the objects. Gives the byte behind them, and how deep reading got.
fn objects(
    sink: &mut Sink<'_>,
    stream: &Stream<'_>,
    schema: &Schema,
    options: &Options,
) -> (Result<usize>, usize) {
    let bits = match stream.reader() {
        Ok(bits) => bits,
        Err(error) => return (Err(error), 0),
    };
    let mut reader = Reader::new(bits, stream.wire);
    let listener = Hears { sink, place: vec![Arc::new(Place::default())], text: Vec::new() };
    let core_types = options.core_types.as_deref();
    let mut decoder = Decoder { reader: &mut reader, schema, core_types, listener };
    let outcome = decoder.root(stream.root);
    let Hears { sink, place, .. } = decoder.listener;
    let depth = place.len().saturating_sub(1);
    let start = stream.start.saturating_mul(8);
    let outcome = outcome.map_err(|error| error.or_at(start)).map(|_| {
        reader.bits.align();
        let end = reader.bits.position();
        sink.padding(end, 0, &Arc::new(Place::default()));
        end >> 3
    });
    (outcome, depth)
}

fn layer_words(kind: LayerKind) -> Words {
    match kind {
        LayerKind::Magic => Words::new(Role::Magic, "magic of files", "BINd"),
        LayerKind::InflatedLen(len) => {
            Words::new(Role::Length, "size of the inflated data in bytes", len.to_string())
        }
        LayerKind::Zlib => Words::new(Role::Compressed, "zlib data", ""),
        LayerKind::Flags(flags) => {
            Words::new(Role::Flags, "serializer flags", format!("{} ({flags})", flags.0))
        }
        LayerKind::Compressed(byte) => {
            let meaning = match byte {
                0 | 1 => "whether what follows is compressed",
                _ => "whether what follows is compressed · other bits not zero",
            };
            Words::new(Role::Flags, meaning, if byte & 1 != 0 { "yes" } else { "no" })
        }
        LayerKind::CoreRoot => Words::new(Role::Header, "header of the core object", ""),
    }
}

/// Turns what the decoder says into spans.
struct Hears<'s, 'a> {
    sink: &'s mut Sink<'a>,
    place: Vec<Arc<Place>>,
    /// Name of the value that is being read: `m_id`, `[3]`.
    text: Vec<String>,
}

impl Hears<'_, '_> {
    fn enter(&mut self, segment: Segment) {
        let name = segment.to_string();
        let outer = self.place.last().cloned().unwrap_or_default();
        self.place.push(Place::inside(&outer, segment));
        self.text.push(name);
    }

    /// The name of the value, and what it is.
    fn named(&self, what: &str) -> String {
        match self.text.last() {
            Some(name) => format!("{name}: {what}"),
            None => what.to_owned(),
        }
    }
}

impl Listener for Hears<'_, '_> {
    const ON: bool = true;

    fn enter_property(&mut self, property: &Property) {
        self.enter(Segment::key(property.name()));
    }

    fn enter_unknown(&mut self, hash: u32) {
        self.enter(Segment::key(&format!("{hash:#010x}")));
    }

    fn enter_element(&mut self, index: usize) {
        self.enter(Segment::Index(index));
    }

    fn leave(&mut self) {
        self.place.pop();
        self.text.pop();
    }

    fn piece(&mut self, start: usize, end: usize, piece: Piece<'_>) {
        if self.sink.is_full() {
            let place = self.place.first().cloned().unwrap_or_default();
            return self.sink.push(start, end, 0, &place, Words::new(Role::Omitted, "", ""));
        }
        let words = match piece {
            Piece::Class(class) => {
                Words::new(Role::Header, self.named(class.name()), class.hash().to_string())
            }
            Piece::UnknownClass(hash) => Words::new(
                Role::Header,
                self.named("a class that the schema does not have"),
                hash.to_string(),
            ),
            Piece::Null => Words::new(Role::Header, self.named("null"), "0"),
            Piece::Core(core, class) => Words::new(
                Role::Header,
                self.named(class.name()),
                format!(
                    "core type {}, template type {}, template {}",
                    core.block, core.template_type, core.template_id
                ),
            ),
            Piece::ObjectSize(bits) => {
                Words::new(Role::Length, "size of the object in bits", bits.to_string())
            }
            Piece::PropertySize(entry) => {
                let bits = entry.end.saturating_sub(entry.start).to_string();
                let meaning = match entry.start & 7 {
                    0 => "size of the property in bits",
                    _ => "size of the property in bits, padding included",
                };
                Words::new(Role::Length, self.named(meaning), bits)
            }
            Piece::PropertyHash(hash, Some(property)) => {
                let name = property.name();
                Words::new(Role::Type, format!("hash of {name}"), hash.to_string())
            }
            Piece::PropertyHash(hash, None) => {
                let meaning = "hash of a property that the class does not have";
                Words::new(Role::Type, meaning, hash.to_string())
            }
            Piece::Present(present) => Words::new(
                Role::Flags,
                self.named("whether it is there"),
                if present { "yes" } else { "no" },
            ),
            Piece::StringLen(len) => {
                Words::new(Role::Length, self.named("length of the string"), len.to_string())
            }
            Piece::Count(count) => {
                Words::new(Role::Count, self.named("number of elements"), count.to_string())
            }
            Piece::Value(kind, value, property) => {
                let role = match kind {
                    Kind::String | Kind::WString => Role::Text,
                    _ => Role::Data,
                };
                let what = property.map_or("", Property::type_name);
                Words::new(role, self.named(what), shown(kind, value, property))
            }
            Piece::EnumText(text, value) => Words::new(
                Role::Text,
                self.named("name of the option"),
                cut(format_args!("{text} ({value})")),
            ),
            Piece::Raw(bits) => {
                Words::new(Role::Unknown, "not known to the schema", Count(bits, "bit").to_string())
            }
        };
        let depth = self.text.len();
        let place = self.place.last().cloned().unwrap_or_default();
        self.sink.push(start, end, depth, &place, words);
    }
}

/// The first characters of a value.
fn shown(kind: &Kind, value: &Value, property: Option<&Property>) -> Cow<'static, str> {
    if let (Kind::Enum, Value::Enum(number), Some(options)) =
        (kind, value, property.and_then(Property::options))
    {
        let name = options.format(*number);
        return cut(format_args!("{number} ({name})"));
    }
    cut(format_args!("{value:?}"))
}

fn cut(args: fmt::Arguments<'_>) -> Cow<'static, str> {
    let mut cut = Cut { text: String::new(), left: MOST };
    if cut.write_fmt(args).is_err() {
        cut.text.push('…');
    }
    Cow::Owned(cut.text)
}

/// Takes a few characters and refuses the rest, so that long values cost no more than that.
struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            if character.is_control() {
                self.text.extend(character.escape_default());
            } else {
                self.text.push(character);
            }
        }
        Ok(())
    }
}
