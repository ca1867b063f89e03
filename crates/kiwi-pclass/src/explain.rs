//! The meaning of every bit of an encoded object.
//!
//! [`explain`](crate::explain()) and [`Options::explain`] return an [`Explanation`]: a row of
//! [`Span`]s in which every bit is in exactly one span. It listens to the same decoder that reads a
//! [`Value`], so it accepts and refuses the same bytes with the same error. Padding
//! before whole bytes is named, and said if it is not zero.
//!
//! Data that is compressed inside of the input is a [`Space`] of its own, in which bits count from 0
//! again. Input that is cut, and compressed data that is damaged, is explained as far as there are
//! bits.
//!
//! ```
//! use kiwi_pclass::schema::{ClassDef, PropertyDef};
//! use kiwi_pclass::{Options, Schema};
//!
//! const LEAF: ClassDef = ClassDef::new("class Leaf", &[], &[
//!     PropertyDef::new("m_on", "bool", 0x1f),
//!     PropertyDef::new("m_id", "unsigned short", 0x1f),
//! ]);
//! let options = Options::new().schema(Schema::builder().class(&LEAF)?.build()?);
//! let explanation = options.explain(&[0xe0, 0x0e, 0x10, 0x05, 1, 7, 0]);
//! assert_eq!(explanation.to_string(), r#"
//! offset      bits                     meaning                   value
//! 00000000    e0 0e 10 05              class Leaf                0x05100ee0
//! 00000004    1                          m_on: bool              true
//! 00000004.1  0000000                    padding
//! 00000005    07 00                      m_id: unsigned short    7
//! "#.trim_start());
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

#[cfg(feature = "archive")]
pub(crate) mod archive;

use gamewire_core::explain::{Mark, Note, Sink, shortened};
pub use gamewire_core::explain::{Role, Space, Span};

use crate::error::Count;
use crate::options::Options;
use crate::read::{self, Classes, LayerKind, LayerListener, Layers};
use crate::schema::Property;
use crate::value::decode::{Decoder, Key, Listener, Piece};
use crate::write::missing_schema;
use crate::{Error, Result, Segment, Value};

/// The meaning of every bit of an input.
pub type Explanation = gamewire_core::explain::Explanation<Error>;

/// Explaining.
impl Options {
    /// Says what every bit of the input means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        let mut notes = Notes::new(bytes, self);
        let mut outcome = notes.stream(bytes, self);
        if let Err(error) = &outcome {
            let at = error.bit_offset().unwrap_or(notes.sink.at_bit());
            // Missing data begins at a byte.
            if at.saturating_sub(notes.sink.at_bit()) < 8 {
                notes.sink.pad(at);
            }
            notes.sink.fail_bits(error, at.saturating_add(32));
        }
        if let Ok(Some(end)) = outcome {
            outcome = Ok(None);
            if let Some(left @ 1..) = bytes.len().checked_sub(end) {
                let error = read::trailing(end, left);
                notes.sink.select(0);
                notes.sink.fail(&error, end);
                outcome = Err(error);
            }
        }
        // Readers report the first error.
        notes.sink.finish(notes.cut.or(outcome.err()))
    }
}

fn bits(bit: usize) -> u64 {
    u64::try_from(bit).unwrap_or(u64::MAX)
}

/// Notes what the layers and the decoder say.
struct Notes {
    sink: Sink,
    /// The compressed data that was passed last.
    zlib: Mark,
    /// Whether the compression that follows is that of the objects alone.
    objects: bool,
    /// The first cut or damaged part; reading went on after it.
    cut: Option<Error>,
    /// The property whose values are being read.
    place: Vec<Segment>,
}

impl Notes {
    fn new(bytes: &[u8], options: &Options) -> Self {
        let sink = Sink::new(bytes).max_memory(options.limits.memory(bytes.len()));
        let place = Vec::new();
        Notes { sink, zlib: Mark::NONE, objects: false, cut: None, place }
    }

    /// Explains a stream. Returns the byte of the input after it, if reading got there.
    fn stream(&mut self, bytes: &[u8], options: &Options) -> Result<Option<usize>> {
        let stream = Layers::open(bytes, 0, options, self)?;
        let schema = options.schema.as_deref().ok_or_else(missing_schema)?;
        let classes = Classes { schema, core_types: options.core_types.as_deref() };
        let start = stream.start.saturating_mul(8);
        let read = stream.reader().and_then(|mut reader| {
            Decoder::new(&mut reader, classes, self).root(stream.root)?;
            let end = stream.end(&mut reader)?;
            self.sink.pad(bits(reader.at()));
            Ok(Some(end))
        });
        let is_inflated = stream.is_inflated();
        read.map_err(|error: Error| error.or_at(start).in_inflated(is_inflated))
    }

    /// Keeps the first error after which reading continues.
    fn note_cut(&mut self, error: Error) {
        let is_inflated = self.sink.space() > 0;
        self.cut.get_or_insert(error.in_inflated(is_inflated));
    }

    /// The name of the value, and what it is.
    fn named(&self, what: &str) -> String {
        match self.place.last() {
            Some(Segment::Field(name)) => format!("{name}: {what}"),
            Some(Segment::Index(index)) => format!("[{index}]: {what}"),
            _ => what.to_owned(),
        }
    }

    fn note(&self, piece: Piece<'_>) -> Note {
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
        match piece {
            Piece::Class(class) => {
                Note::header(class.name().to_owned()).value(format!("{:#010x}", class.hash()))
            }
            Piece::UnknownClass(hash) => {
                Note::header("a class that the schema does not have").value(format!("{hash:#010x}"))
            }
            Piece::Null => Note::header("null").value("0"),
            Piece::Core(core, class) => Note::header(class.name().to_owned()).value(format!(
                "core type {}, template type {}, template {}",
                core.block, core.template_type, core.template_id
            )),
            Piece::ObjectSize(bits) => {
                Note::new(Role::Length, "size of the object in bits").value(bits.to_string())
            }
            Piece::PropertySize(entry) => {
                let meaning = match entry.start & 7 {
                    0 => "size of the property in bits",
                    _ => "size of the property in bits, padding included",
                };
                let bits = entry.end.saturating_sub(entry.start);
                Note::new(Role::Length, self.named(meaning)).value(bits.to_string())
            }
            Piece::CutEntry => Note::new(Role::Length, "size of a property in bits"),
            Piece::PropertyHash(hash, Some(property)) => {
                let meaning = format!("hash of {}", property.name());
                Note::new(Role::Type, meaning).value(format!("{hash:#010x}"))
            }
            Piece::PropertyHash(hash, None) => {
                Note::new(Role::Type, "hash of a property that the class does not have")
                    .value(format!("{hash:#010x}"))
            }
            Piece::Present(present) => {
                Note::new(Role::Flags, self.named("whether it is there")).value(yes_or_no(present))
            }
            Piece::StringLen(len) => {
                Note::new(Role::Length, self.named("length of the string")).value(len.to_string())
            }
            Piece::Count(count) => {
                Note::new(Role::Count, self.named("number of elements")).value(count.to_string())
            }
            Piece::Value(value, property) => Note::new(Role::Data, "")
                .kind(property.type_name().to_owned())
                .value(shown(value, property)),
            Piece::Text { wide, bytes, property } => Note::new(Role::Text, "")
                .kind(property.type_name().to_owned())
                .value(shown(&Value::of_text(wide, bytes), property)),
            Piece::EnumText(text, value) => Note::new(Role::Text, self.named("name of the option"))
                .value(shortened(format_args!("{text} ({value})"))),
            Piece::Raw(bits) => Note::new(Role::Unknown, "not known to the schema")
                .value(Count(bits, "bit").to_string()),
        }
    }
}

/// The first characters of a value.
fn shown(value: &Value, property: &Property) -> String {
    if let (Value::Enum(number), Some(options)) = (value, property.options()) {
        let name = options.format(*number);
        return shortened(format_args!("{number} ({name})"));
    }
    shortened(format_args!("{value:?}"))
}

impl LayerListener for Notes {
    fn layer(&mut self, end: usize, kind: LayerKind) {
        let note = match kind {
            LayerKind::Magic => Note::new(Role::Magic, "magic of files").value("BINd"),
            LayerKind::InflatedLen(len) => {
                let meaning = "size of the inflated data in bytes";
                Note::new(Role::Length, meaning).value(len.to_string())
            }
            LayerKind::Zlib => Note::new(Role::Compressed, "zlib data"),
            LayerKind::Flags(flags) => {
                Note::new(Role::Flags, "serializer flags").value(format!("{} ({flags})", flags.0))
            }
            LayerKind::Compressed(byte) => {
                self.objects = true;
                let note = Note::new(Role::Flags, "whether what follows is compressed");
                let note = if byte > 1 { note.note("other bits not zero") } else { note };
                note.value(if byte & 1 != 0 { "yes" } else { "no" })
            }
            LayerKind::CoreRoot => Note::new(Role::Header, "header of the core object"),
        };
        let mark = self.sink.push(end, note);
        if kind == LayerKind::Zlib {
            self.zlib = mark;
            if self.cut.is_some() {
                self.sink.note(mark, "damaged");
            }
        }
    }

    fn inflated(&mut self, bytes: &[u8]) {
        let name = if self.objects { "inflated objects" } else { "inflated stream" };
        self.sink.open(name, bytes, self.zlib);
    }

    fn damaged(&mut self, error: Error) -> Result<()> {
        self.note_cut(error);
        Ok(())
    }
}

impl<'s> Listener<'s> for Notes {
    const PIECES: bool = true;

    fn key(&mut self, key: Key<'s>) {
        let place = match key {
            Key::Property { property, .. } => Segment::field(property.name()),
            Key::Unknown(hash) => Segment::Field(format!("{hash:#010x}")),
            Key::Element(index) => Segment::Index(index),
        };
        self.sink.enter(place.clone());
        self.sink.indent();
        self.place.push(place);
    }

    fn done(&mut self) {
        self.sink.leave();
        self.sink.outdent();
        self.place.pop();
    }

    fn piece(&mut self, start: usize, end: usize, piece: Piece<'_>) {
        self.sink.pad(bits(start));
        // The words are for nothing where no more spans are kept.
        let is_full = self.sink.is_full();
        let note = if is_full { Note::new(Role::Omitted, "") } else { self.note(piece) };
        self.sink.push_bits(bits(end), note);
    }

    fn cut(&mut self, error: Error) -> Result<()> {
        let places = self.place.iter().rev().cloned();
        self.note_cut(places.fold(error, Error::inside));
        Ok(())
    }
}
