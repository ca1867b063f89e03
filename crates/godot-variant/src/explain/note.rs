//! Notes what each byte means while the value is built: what a typed container drops and which keys
//! are the same is only known of values.

use std::borrow::Cow;

use gamewire_core::explain::{Mark, Note, Role, Sink, quoted, shortened};
use gamewire_core::words::{Count, Shortened};

use super::names;
use crate::error::{Error, ErrorKind, Segment};
use crate::options::Dialect;
use crate::read::{Counted, Header, Id, Number, Part, Parts, Reader, Text};
use crate::types::{ElementType, ObjectId, Rid, Type};
use crate::value::build::{Builder, Observer};
use crate::value::decode::{Decoder, Key, Types};
use crate::value::{same_keys, step_of};
use crate::{Options, Value};

/// The most elements of a packed array that get a span each.
const MAX_ELEMENTS: usize = 64;

/// Words that are mostly the same each time.
type Words = Cow<'static, str>;

/// A container that is open.
struct Level {
    kind: Type,
    /// The span of its header.
    own: Mark,
    /// Elements, entries or properties that are complete.
    done: usize,
    /// The step to the value that comes next, in a dictionary or object.
    key: Option<Segment>,
    /// The span of the last key's header.
    key_span: Mark,
    /// The same for the keys that are kept, and which entries they are of.
    keys: Vec<(Mark, usize)>,
}

struct Noter<'a, 's> {
    /// The whole input.
    bytes: &'a [u8],
    sink: &'s mut Sink,
    dialect: Dialect,
    known_flags: [u32; 39],
    levels: Vec<Level>,
    /// Where the header of the value is that is being read, if that was told.
    header: Option<usize>,
    /// The spans of that header and of the last type, class or script in it.
    own: Mark,
    type_span: Mark,
    /// The span of the header of the value that was made last.
    last: Mark,
    /// How many strings the packed array has, and which of them is being read.
    strings: usize,
    string: Option<usize>,
    /// Bytes of the strings that are not listed one by one.
    more: usize,
    /// The class of the object that begins.
    class: String,
}

/// A variant inside a larger input.
pub(super) struct Embedded<'a> {
    /// The whole input.
    pub(super) bytes: &'a [u8],
    /// Where the variant begins, and where the bytes end that may belong to it.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether bytes after it are an error.
    pub(super) whole: bool,
}

/// Why a variant was refused, and where the bytes end that are wrong.
pub(super) struct Refused {
    pub(super) error: Error,
    pub(super) end: usize,
}

impl Embedded<'_> {
    /// Notes every byte of the variant in a span. Returns the offset after it.
    pub(super) fn explain(
        self,
        options: &Options,
        sink: &mut Sink,
    ) -> std::result::Result<usize, Refused> {
        let slice = self.bytes.get(self.start..self.end).unwrap_or_default();
        let mut reader = Reader::new(slice, options.clone());
        let mut builder = Builder(Noter {
            bytes: self.bytes,
            sink,
            dialect: options.dialect,
            known_flags: Type::ALL.map(|kind| reader.known_flags(kind)),
            levels: Vec::new(),
            header: None,
            own: Mark::NONE,
            type_span: Mark::NONE,
            last: Mark::NONE,
            strings: 0,
            string: None,
            more: 0,
            class: String::new(),
        });
        let mut read = Decoder::new(&mut reader, 0, &mut builder).run().map(drop);
        if self.whole {
            read = read.and_then(|()| reader.end());
        }
        let after = self.start.saturating_add(reader.offset());
        read.map(|()| after).map_err(|error| {
            let error = error.shifted(self.start);
            let at = error.offset().unwrap_or(after);
            builder.0.stop(at);
            let read = reader.offset();
            let end = end_of_error(error.cause(), slice, at.saturating_sub(self.start), read);
            Refused { error, end: self.start.saturating_add(end) }
        })
    }
}

/// Where the bytes end that are wrong, of which `at` is the first and `read` the first unread one.
pub(super) fn end_of_error(kind: ErrorKind, slice: &[u8], at: usize, read: usize) -> usize {
    let rest = slice.get(at..).unwrap_or_default();
    match kind {
        // All that is there is too little.
        ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => slice.len(),
        ErrorKind::InvalidUtf8 => {
            let head = rest.get(..4).unwrap_or(rest);
            let sequence = std::str::from_utf8(head).err().and_then(|error| error.error_len());
            at.saturating_add(sequence.unwrap_or(1)).min(slice.len())
        }
        _ if read > at => read,
        // The sum of what was read is wrong: keys that are the same.
        ErrorKind::NotCanonical if at.is_multiple_of(4) => at,
        // A word that was looked at only, or padding.
        _ => at.saturating_add(1).next_multiple_of(4).min(slice.len()),
    }
}

impl<'a> Noter<'a, '_> {
    /// The byte at an offset is wrong: sets the depth of what it is part of.
    fn stop(&mut self, at: usize) {
        self.end_strings_span();
        let inside = self.header.is_some_and(|header| at > header);
        self.sink.set_depth(self.levels.len().saturating_add(usize::from(inside)));
    }

    /// The next bytes.
    fn peek(&self, len: usize) -> &'a [u8] {
        let at = self.sink.at();
        self.bytes.get(at..at.saturating_add(len)).unwrap_or_default()
    }

    fn word(&self) -> u32 {
        self.peek(4).first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    fn push(&mut self, len: usize, note: Note) -> Mark {
        self.sink.push(self.sink.at().saturating_add(len), note)
    }

    /// A span of `len` bytes, if there are any.
    fn piece(
        &mut self,
        len: usize,
        role: Role,
        meaning: impl Into<Words>,
        value: impl Into<Words>,
    ) -> Mark {
        self.push(len, Note::new(role, meaning).value(value))
    }

    /// The header word is one span, unless bits of it are ignored.
    fn header(&mut self, header: &Header) {
        self.sink.set_depth(self.levels.len());
        if let Some(level) = self.levels.last() {
            self.sink.enter(level.step());
        }
        self.header = Some(self.sink.at());
        let ignored = self.peek(2).get(1).copied().unwrap_or(0);
        let known = self.known_flags.get(header.kind as usize).copied().unwrap_or(0);
        let names = names::flags(header, known);
        let unknown = header.flags & !known;
        let len = match (ignored, unknown) {
            (0, 0) => 4,
            (0, _) => 2,
            _ => 1,
        };
        self.own = self.push(len, Note::header(header.kind.name()).meaning(names));
        self.sink.indent();
        if len == 4 {
            return;
        }
        if ignored != 0 {
            self.piece(1, Role::Unused, "ignored byte", format!("{ignored:#04x}"));
        }
        let names = if names.is_empty() { "none" } else { names };
        if unknown == 0 {
            self.piece(2, Role::Flags, "flags", names);
        } else if header.flags & known == 0 {
            self.piece(2, Role::Unused, "flags without meaning", names::flag_bits(unknown));
        } else {
            let (low, high) = (unknown & 0xff, unknown & !0xff);
            let flags = self.piece(if high == 0 { 2 } else { 1 }, Role::Flags, "flags", names);
            if low != 0 {
                self.sink.note(flags, &format!("{} without meaning", names::flag_bits(low)));
            }
            if high != 0 {
                self.piece(1, Role::Unused, "flags without meaning", names::flag_bits(high));
            }
        }
    }

    fn bool(&mut self) {
        let word = self.word();
        let own = self.piece(4, Role::Data, "bool", if word == 0 { "false" } else { "true" });
        if word > 1 {
            self.sink.note(own, "not 0, so true, which engines write as 1");
        }
    }

    fn number(&mut self, number: Number) {
        let bytes = self.peek(number.size());
        let (meaning, note) = match number {
            Number::U8 | Number::I32 => ("32-bit integer", None),
            Number::I64 => {
                let value = bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
                ("64-bit integer", i32::try_from(value).is_ok().then_some("32 would do"))
            }
            Number::F32 => {
                let value = bytes.first_chunk().map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
                ("32-bit float", value.is_nan().then_some("engines send NaN with 64 bits"))
            }
            Number::F64 => {
                let value = bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes));
                ("64-bit float", crate::types::fits_f32(value).then_some("32 would do"))
            }
        };
        self.piece(number.size(), Role::Data, meaning, names::numbers(number, bytes, None));
        if let Some(note) = note {
            self.sink.note(self.own, note);
        }
    }

    fn text(&mut self, len: usize, what: Text, text: Option<&Cow<'_, str>>) {
        let shown = match text {
            Some(text) => quoted(text),
            None => {
                // The error that follows takes the bytes from the first that is no text.
                let bytes = self.peek(len);
                let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
                quoted(&String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default()))
            }
        };
        let (_, meaning) = names::text(what);
        let role = match what {
            Text::Class | Text::ElementClass | Text::Script => Role::Type,
            Text::Property => Role::Key,
            _ => Role::Text,
        };
        if let (Text::Class, Some(class)) = (what, text) {
            self.class = Shortened(class).to_string();
        }
        let own = self.piece(len, role, meaning, shown);
        if let Some(Cow::Owned(_)) = text {
            self.sink.note(own, "lone surrogates are read as spaces");
        }
        if role == Role::Type {
            self.type_span = own;
        }
    }

    fn count(&mut self, what: Counted) {
        let word = self.word();
        let negative = word > 0x7fff_ffff;
        let signed = word.cast_signed().to_string();
        let masked = word & 0x7fff_ffff;
        let len = masked as usize;
        let (meaning, shown, note) = match what {
            Counted::Elements | Counted::Entries => {
                let (meaning, noun) = match what {
                    Counted::Elements => ("count of elements", "element"),
                    _ => ("count of entries", "entry"),
                };
                self.sink.set_value(self.own, Count(len, noun).to_string());
                let note = negative.then_some("the `shared` bit is set, and ignored");
                (meaning, masked.to_string(), note)
            }
            Counted::Properties => {
                let len = if negative { 0 } else { len };
                let about = shortened(format_args!("{}, {}", self.class, Count(len, "property")));
                self.sink.set_value(self.own, about);
                ("count of properties", signed, negative.then_some("negative, so none"))
            }
            Counted::Packed => ("count of elements", word.to_string(), None),
            Counted::Strings => {
                self.strings = if negative { 0 } else { len };
                ("count of elements", signed, negative.then_some("negative, so none"))
            }
            Counted::Names => ("count of names, bit 31", masked.to_string(), None),
            Counted::Subnames => ("count of subnames", word.to_string(), None),
        };
        let own = self.piece(4, Role::Count, meaning, shown);
        if let Some(note) = note {
            self.sink.note(own, note);
        }
    }

    fn path_flags(&mut self) {
        let flags = self.word();
        let own = self.piece(
            4,
            Role::Flags,
            "flags",
            if flags & 1 != 0 { "absolute" } else { "relative" },
        );
        if flags & 2 != 0 && self.dialect != Dialect::Docs {
            self.sink.note(own, "bit 1 says one more subname");
        } else if flags & !1 != 0 {
            self.sink.note(own, "only bit 0 means something");
        }
    }

    fn typed(&mut self, read: &ElementType, sent: &str) {
        let same = match read {
            ElementType::Any => false,
            ElementType::Builtin(kind) => kind.name() == sent,
            ElementType::Class(text) | ElementType::Script(text) => **text == *sent,
        };
        if !same {
            self.sink.note(self.type_span, &format!("read as {read}"));
        }
    }

    fn container(&mut self, first: &ElementType, second: Option<&ElementType>) {
        let kind = match second {
            None => format!("Array[{first}]"),
            Some(second) => format!("Dictionary[{first}, {second}]"),
        };
        self.sink.set_kind(self.own, kind);
        self.sink.set_meaning(self.own, "");
    }

    fn id(&mut self, of: Id) {
        let id = self.peek(8).first_chunk().map_or(0, |id| u64::from_le_bytes(*id));
        let (meaning, shown) = match of {
            Id::Resource => ("id of the resource", Rid(id).to_string()),
            Id::Object => ("id of the object", ObjectId(id).to_string()),
            Id::SignalObject => ("id of the signal's object", ObjectId(id).to_string()),
        };
        self.piece(8, Role::Data, meaning, shown);
    }

    fn components(&mut self, kind: Type, number: Number, rows: bool) {
        for name in names::components(kind, rows).split(' ') {
            let value = names::numbers(number, self.peek(number.size()), None);
            self.piece(number.size(), Role::Data, name, value);
        }
    }

    fn elements(&mut self, len: usize, kind: Type, number: Number) {
        let vector = kind.element();
        let size = number.size().saturating_mul(kind.packed_components());
        let count = len.checked_div(size).unwrap_or(0);
        for index in 0..count.min(MAX_ELEMENTS) {
            let value = names::numbers(number, self.peek(size), vector);
            self.sink.enter(index);
            self.piece(size, Role::Data, format!("element {index}"), value);
            self.sink.leave();
        }
        if let Some(more) = count.checked_sub(MAX_ELEMENTS).filter(|&more| more > 0) {
            let rest = more.saturating_mul(size);
            let head = self.peek(rest.min(size.saturating_mul(16)));
            let shown = head.chunks_exact(size.max(1)).map(|e| names::numbers(number, e, vector));
            let shown = shortened(format_args!("{}", shown.collect::<Vec<_>>().join(", ")));
            self.piece(rest, Role::Data, format!("… {more} more"), shown);
        }
    }

    fn bytes(&mut self, len: usize) {
        let shown = shortened(format_args!("{}", self.peek(len).escape_ascii()));
        self.piece(len, Role::Data, Count(len, "byte").to_string(), shown);
    }

    /// The next string of a packed array begins.
    fn next_string(&mut self, index: usize) {
        if self.string.is_some_and(|before| before < MAX_ELEMENTS) {
            self.sink.leave();
        }
        if index < MAX_ELEMENTS {
            self.sink.enter(index);
        }
        self.string = Some(index);
    }

    /// The strings that are not listed one by one get a span together.
    fn end_strings_span(&mut self) {
        if self.string.take().is_some_and(|before| before < MAX_ELEMENTS) {
            self.sink.leave();
        }
        let (more, len) =
            (self.strings.saturating_sub(MAX_ELEMENTS), std::mem::take(&mut self.more));
        self.piece(len, Role::Data, format!("… {more} more"), "");
    }

    /// The next bytes belong to the container.
    fn leave(&mut self) {
        self.header = None;
        if !self.levels.is_empty() {
            self.sink.leave();
        }
    }

    /// Notes that a typed container drops or converts an element or key.
    fn note_fate(&mut self, span: Mark, was: Type, kept: Option<Type>, what: &str, types: &Types) {
        let wanted = &types.0;
        match kept {
            _ if !wanted.is_typed() => {}
            None => self.sink.note(span, &format!("dropped, {what} are {wanted}")),
            Some(kind) if kind != was => self.sink.note(span, &format!("converted to {kind}")),
            Some(_) => {}
        }
    }
}

impl Level {
    /// The step to the value that comes next.
    fn step(&self) -> Segment {
        match &self.key {
            Some(key) => key.clone(),
            None if self.kind == Type::Array => Segment::Index(self.done),
            None => Segment::KeyOf(self.done),
        }
    }
}

/// The first bit of a byte.
fn bits(offset: usize) -> u64 {
    u64::try_from(offset).unwrap_or(u64::MAX).saturating_mul(8)
}

impl Parts for Noter<'_, '_> {
    const LISTENS: bool = true;

    fn part(&mut self, len: usize, part: Part<'_>) {
        if let Part::Length(Text::Element(index, _)) = part {
            self.next_string(index);
        }
        if self.string.is_some_and(|index| index >= MAX_ELEMENTS) {
            self.more = self.more.saturating_add(len);
            return;
        }
        if self.sink.is_full() && !matches!(part, Part::Header(_)) {
            // Nothing more is listed, so the words are saved.
            self.push(len, Note::new(Role::Omitted, ""));
            return;
        }
        match part {
            Part::Header(header) => self.header(header),
            Part::Bool => self.bool(),
            Part::Number(number) => self.number(number),
            Part::Converted { wide } => {
                let note = if wide { "widened to 64 bits" } else { "narrowed to 32 bits" };
                self.sink.note(self.own, note);
            }
            Part::Components { kind, number, rows } => self.components(kind, number, rows),
            Part::Length(what) => {
                if what == Text::Property {
                    self.sink.set_depth(self.levels.len());
                }
                let value = self.word().to_string();
                self.piece(4, Role::Length, names::text(what).0, value);
            }
            Part::Mark => {
                self.piece(len, Role::Unused, "byte order mark, not read", "");
            }
            Part::Text(what, text) => self.text(len, what, text),
            Part::AfterNul => {
                let tail = quoted(&String::from_utf8_lossy(self.peek(len)));
                self.piece(len, Role::Unused, "after a NUL, not read", tail);
            }
            Part::Nul => {
                self.piece(len, Role::Padding, "NUL", "");
            }
            Part::Padding => self.sink.pad(bits(self.sink.at().saturating_add(len))),
            Part::MissingPadding(missing) => {
                let note = format!("{} of padding missing", Count(missing, "byte"));
                self.sink.note(self.own, &note);
            }
            Part::Count(what) => self.count(what),
            Part::Elements { kind, number } => self.elements(len, kind, number),
            Part::Bytes => self.bytes(len),
            Part::PathFlags => self.path_flags(),
            Part::TypeId(slot, kind) => {
                self.type_span = self.piece(4, Role::Type, names::slot(slot), kind.name());
            }
            Part::Typed(read, sent) => self.typed(read, sent),
            Part::Container(first, second) => self.container(first, second),
            Part::Id(of) => self.id(of),
            Part::NullObject => {
                self.piece(4, Role::Data, "null object", "0");
            }
        }
    }
}

impl Observer for Noter<'_, '_> {
    /// The span of its header says what it is.
    fn leaf(&mut self, value: &Value) {
        if let Value::PackedStringArray(_) = value {
            self.end_strings_span();
        }
        if self.own != Mark::NONE {
            self.sink.set_value(self.own, names::summary(value));
        }
        self.last = self.own;
        self.leave();
    }

    fn open(&mut self, kind: Type) {
        self.header = None;
        let (key_span, keys) = (Mark::NONE, Vec::new());
        self.levels.push(Level { kind, own: self.own, done: 0, key: None, key_span, keys });
    }

    fn key(&mut self, key: Key<'_, Value>) {
        if let Some(level) = self.levels.last_mut() {
            level.key = Some(match key {
                Key::Value(key) => step_of(key),
                Key::Name(name) => Segment::field(name),
            });
            level.key_span = self.last;
        }
    }

    fn added(&mut self, typed: Option<(&Types, Type, Option<Type>)>) {
        let Some(level) = self.levels.last_mut() else { return };
        let (span, what) = match level.kind {
            Type::Dictionary => (level.key_span, "keys"),
            _ => (self.last, "elements"),
        };
        if level.kind == Type::Dictionary && typed.is_none_or(|(_, _, kept)| kept.is_some()) {
            level.keys.push((span, level.done));
        }
        level.done = level.done.saturating_add(1);
        level.key = None;
        if let Some((types, was, kept)) = typed {
            self.note_fate(span, was, kept, what, types);
        }
    }

    fn close(&mut self, entries: &[(Value, Value)]) {
        let level = self.levels.pop();
        self.leave();
        let Some(Level { own, keys, .. }) = level else { return };
        self.last = own;
        for (later, first) in same_keys(entries) {
            if let (Some((own, _)), Some((_, first))) = (keys.get(later), keys.get(first)) {
                self.sink.note(*own, &format!("same as key {first}, replaces its value"));
            }
        }
    }
}
