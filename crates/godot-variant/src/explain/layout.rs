//! Divides the bytes of one value, whose end the decoder found, into spans.
//!
//! Nothing is decided here: where a value was refused, `end` is the offset of the error, and what
//! lies before it was fine.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::math::{self, Number};
use super::sink::{Sink, count, cut, quoted};
use super::span::{Place, Role};
use crate::Value;
use crate::error::Shortened;
use crate::options::Dialect;
use crate::read::{Header, Reader};
use crate::types::{ElementType, ObjectId, Rid, Type};

/// Text that is mostly the same each time.
type Text = Cow<'static, str>;

pub(super) struct Layout<'t, 'a> {
    /// The rules of the dialect; not moved.
    pub(super) rules: &'t Reader<'a>,
    /// The whole input.
    pub(super) bytes: &'a [u8],
    /// Where the value ends, or its first wrong byte is.
    pub(super) end: usize,
    pub(super) sink: &'t mut Sink,
    pub(super) depth: usize,
    pub(super) place: Arc<Place>,
}

/// What the parts of a string are called: its length, and its characters.
pub(super) type StringNames = (&'static str, &'static str);

pub(super) const PROPERTY: StringNames = ("length of the property's name", "name of the property");

impl<'a> Layout<'_, 'a> {
    pub(super) fn left(&self) -> usize {
        self.end.saturating_sub(self.sink.at())
    }

    /// The next bytes, as far as they belong to the value.
    pub(super) fn peek(&self, len: usize) -> &'a [u8] {
        let at = self.sink.at();
        self.bytes.get(at..at.saturating_add(len.min(self.left()))).unwrap_or_default()
    }

    pub(super) fn word(&self) -> Option<u32> {
        self.peek(4).first_chunk().map(|word| u32::from_le_bytes(*word))
    }

    fn long(&self) -> Option<u64> {
        self.peek(8).first_chunk().map(|long| u64::from_le_bytes(*long))
    }

    /// A span of up to `len` bytes; none if the value ends here.
    pub(super) fn piece(
        &mut self,
        len: usize,
        role: Role,
        meaning: impl Into<Text>,
        value: impl Into<Text>,
    ) -> usize {
        match len.min(self.left()) {
            0 => usize::MAX,
            len => self.sink.push(len, role, self.depth, &self.place, meaning.into(), value.into()),
        }
    }

    /// Lays out the header and what belongs to the value apart from values inside it. Gives the
    /// index of the header's span.
    pub(super) fn value(&mut self, header: &Header, value: Option<&Value>) -> usize {
        if self.sink.is_full() {
            return self.piece(self.left(), Role::Omitted, "", "");
        }
        let wide = self.rules.wide(header);
        let own = self.header(header);
        let mut about: Text = value.map(summary).unwrap_or_default();
        match header.kind {
            Type::Nil | Type::Callable => {}
            Type::Bool => self.bool(),
            Type::Int | Type::Float => self.number(header, own, value),
            Type::String | Type::StringName => {
                self.string(("length in bytes", "text"));
            }
            Type::NodePath => self.node_path(),
            Type::Rid if self.rules.dialect() == Dialect::Godot3 => {}
            Type::Rid => {
                let id = self.long().map(|id| Rid(id).to_string()).unwrap_or_default();
                self.piece(8, Role::Data, "id of the resource", id);
            }
            Type::Signal => {
                self.string(("length of the signal's name", "name of the signal"));
                self.object_id("id of the signal's object");
            }
            Type::Object => about = self.object(header).unwrap_or(about),
            Type::Dictionary => about = self.dictionary(header, own).unwrap_or_default(),
            Type::Array => about = self.array(header, own).unwrap_or_default(),
            Type::PackedByteArray => self.packed_bytes(own, value.is_some()),
            Type::PackedStringArray => self.packed_strings(),
            kind if kind.components() > 0 => self.components(header, wide),
            kind => self.packed(kind, wide),
        }
        if let Some(value) = value
            && wide != matches!(value, Value::Real64(_))
            && (header.kind.is_real() || is_color(header.kind))
        {
            self.sink.note(own, if wide { "narrowed to 32 bits" } else { "widened to 64 bits" });
        }
        if let Some(span) = self.sink.get_mut(own) {
            span.value = about;
        }
        self.sink.fill(self.left(), self.depth, &self.place);
        own
    }

    /// The header word is one span, unless bits of it are ignored.
    fn header(&mut self, header: &Header) -> usize {
        let ignored = self.peek(2).get(1).copied().unwrap_or(0);
        let known = self.rules.known_flags(header.kind);
        let names = flag_names(header, known);
        let meaning = match &*names {
            "" => Cow::from(type_meaning(header.kind)),
            names => Cow::from(format!("type {}, {names}", header.kind)),
        };
        let unknown = header.flags & !known;
        let len = match (ignored, unknown) {
            (0, 0) => 4,
            (0, _) => 2,
            _ => 1,
        };
        let own = self.piece(len, Role::Header, meaning, "");
        self.depth = self.depth.saturating_add(1);
        if len == 4 {
            return own;
        }
        if ignored != 0 {
            self.piece(1, Role::Unused, "ignored byte", format!("{ignored:#04x}"));
        }
        if unknown == 0 {
            let names = if names.is_empty() { Cow::from("none") } else { names };
            self.piece(2, Role::Flags, "flags", names);
        } else if header.flags & known == 0 {
            self.piece(2, Role::Unused, "flags without meaning", bits(unknown));
        } else {
            let (low, high) = (unknown & 0xff, unknown & !0xff);
            let flags = self.piece(if high == 0 { 2 } else { 1 }, Role::Flags, "flags", names);
            if low != 0 {
                self.sink.note(flags, &format!("{} without meaning", bits(low)));
            }
            if high != 0 {
                self.piece(1, Role::Unused, "flags without meaning", bits(high));
            }
        }
        own
    }

    fn bool(&mut self) {
        let meaning = match self.word() {
            Some(2..) => "bool · not 0, so true, which engines write as 1",
            _ => "bool",
        };
        let value = if self.word().unwrap_or(0) == 0 { "false" } else { "true" };
        self.piece(4, Role::Data, meaning, value);
    }

    fn number(&mut self, header: &Header, own: usize, value: Option<&Value>) {
        let (int, wide) = (header.kind == Type::Int, header.flag_64());
        let (meaning, number) = match (int, wide) {
            (true, false) => ("32-bit integer", Number::I32),
            (true, true) => ("64-bit integer", Number::I64),
            (false, false) => ("32-bit float", Number::F32),
            (false, true) => ("64-bit float", Number::F64),
        };
        let shown = number.show(self.peek(number.size()), None);
        self.piece(number.size(), Role::Data, meaning, shown);
        match value {
            Some(Value::Int(v)) if wide && i32::try_from(*v).is_ok() => {
                self.sink.note(own, "32 would do");
            }
            Some(Value::Float(v)) if wide && crate::write::fits_f32(*v) => {
                self.sink.note(own, "32 would do");
            }
            Some(Value::Float(v)) if !wide && v.is_nan() => {
                self.sink.note(own, "engines send NaN with 64 bits");
            }
            _ => {}
        }
    }

    /// Length, characters, padding. Gives the index of the span of the characters.
    pub(super) fn string(&mut self, names: StringNames) -> usize {
        let Some(len) = self.word() else { return usize::MAX };
        self.piece(4, Role::Length, names.0, len.to_string());
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let text = self.text(len, names.1);
        self.padding(len);
        text
    }

    /// The characters of a string, and what the engine does not read of them.
    pub(super) fn text(&mut self, len: usize, meaning: impl Into<Text>) -> usize {
        let docs = self.rules.dialect() == Dialect::Docs;
        let bytes = self.peek(len);
        let (mark, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if !docs => (3, rest),
            _ => (0, bytes),
        };
        self.piece(mark, Role::Unused, "byte order mark, not read", "");
        let nul = bytes.iter().position(|&byte| byte == 0).filter(|_| !docs);
        let (read, after) = bytes.split_at_checked(nul.unwrap_or(bytes.len())).unwrap_or_default();
        let (shown, odd) = match self.rules.text(read, 0) {
            Ok(Cow::Borrowed(text)) => (quoted(text), false),
            Ok(Cow::Owned(text)) => (quoted(&text), true),
            Err(_) => (quoted(&String::from_utf8_lossy(read)), false),
        };
        let text = self.piece(read.len(), Role::Text, meaning, shown);
        if odd {
            self.sink.note(text, "lone surrogates are read as spaces");
        }
        if !after.is_empty() {
            let tail = quoted(&String::from_utf8_lossy(after));
            self.piece(after.len(), Role::Unused, "after a NUL, not read", tail);
        }
        text
    }

    pub(super) fn padding(&mut self, len: usize) {
        let padding = padding_after(len);
        let meaning = match self.peek(padding).iter().all(|&byte| byte == 0) {
            true => "padding",
            false => "padding · not zero",
        };
        self.piece(padding, Role::Padding, meaning, "");
    }

    fn components(&mut self, header: &Header, wide: bool) {
        let number = Number::of(header.kind, wide);
        for name in math::names(header.kind, self.rules.dialect()) {
            let value = number.show(self.peek(number.size()), None);
            self.piece(number.size(), Role::Data, *name, value);
        }
    }

    fn object_id(&mut self, meaning: &'static str) {
        let id = self.long().map(|id| ObjectId(id).to_string()).unwrap_or_default();
        self.piece(8, Role::Data, meaning, id);
    }

    fn object(&mut self, header: &Header) -> Option<Text> {
        if self.rules.by_id(header) {
            if self.rules.dialect() == Dialect::Docs && self.left() < 8 {
                self.piece(4, Role::Data, "null object", "0");
            } else {
                self.object_id("id of the object");
            }
            return None;
        }
        let (_, class) = self.string_and_text(("length of the class name", "class name"))?;
        if class.is_empty() {
            return None;
        }
        let properties = self.word()?;
        let negative = properties > 0x7fff_ffff;
        let value =
            if negative { properties.cast_signed().to_string() } else { properties.to_string() };
        let meaning = if negative {
            "count of properties · negative, so none"
        } else {
            "count of properties"
        };
        self.piece(4, Role::Count, meaning, value);
        let properties = usize::try_from(properties.cast_signed()).unwrap_or(0);
        Some(format!("{}, {}", Shortened(&class), count(properties, "property")).into())
    }

    /// Lays out a string and gives what the decoder reads in it; `None` if it was refused.
    fn string_and_text(&mut self, names: StringNames) -> Option<(usize, String)> {
        let at = self.sink.at();
        self.word()?;
        let own = self.string(names);
        let text = self.rules.again(at).string().ok()?;
        Some((own, text.into_owned()))
    }

    fn array(&mut self, header: &Header, own: usize) -> Option<Text> {
        if self.rules.dialect() == Dialect::Godot4 && header.flags & 3 != 0 {
            let element = self.element_type(header.flags, "element type")?;
            self.set_meaning(own, format!("type Array[{element}]"));
        }
        self.count("count of elements", "element")
    }

    fn dictionary(&mut self, header: &Header, own: usize) -> Option<Text> {
        if self.rules.dialect() == Dialect::Godot4 && header.flags & 15 != 0 {
            let key = self.element_type(header.flags, "type of the keys")?;
            let value = self.element_type(header.flags >> 2, "type of the values")?;
            self.set_meaning(own, format!("type Dictionary[{key}, {value}]"));
        }
        self.count("count of entries", "entry")
    }

    fn set_meaning(&mut self, own: usize, meaning: String) {
        if let Some(span) = self.sink.get_mut(own) {
            span.meaning = meaning.into();
        }
    }

    fn count(&mut self, meaning: &'static str, noun: &str) -> Option<Text> {
        let word = self.word()?;
        let elements = usize::try_from(word & 0x7fff_ffff).unwrap_or(usize::MAX);
        let own = self.piece(4, Role::Count, meaning, elements.to_string());
        if word & 0x8000_0000 != 0 {
            self.sink.note(own, "the `shared` bit is set, and ignored");
        }
        Some(count(elements, noun))
    }

    /// The type word, class name or script path of a typed container.
    fn element_type(&mut self, kind: u32, what: &'static str) -> Option<ElementType> {
        let at = self.sink.at();
        let (own, named) = match kind & 3 {
            0 => return Some(ElementType::Any),
            1 => {
                let named = Type::from_id(self.word()?, self.rules.dialect())?.name();
                (self.piece(4, Role::Type, what, named), named.to_owned())
            }
            2 => self.string_and_text(("length of the class name", "class name"))?,
            _ => self.string_and_text(("length of the script's path", "path of the script"))?,
        };
        if let Some(span) = self.sink.get_mut(own) {
            span.role = Role::Type;
        }
        let read = self.rules.again(at).element_type(kind).ok()?;
        self.note_type(own, &read, &named);
        Some(read)
    }

    fn note_type(&mut self, own: usize, read: &ElementType, named: &str) {
        let same = match read {
            ElementType::Any => false,
            ElementType::Builtin(kind) => kind.name() == named,
            ElementType::Class(text) | ElementType::Script(text) => **text == *named,
        };
        if !same {
            self.sink.note(own, &format!("read as {read}"));
        }
    }

    fn node_path(&mut self) {
        let Some(word) = self.word() else { return };
        if word & 0x8000_0000 == 0 {
            self.string(("length in bytes", "old form: the path as text"));
            return;
        }
        let names = word & 0x7fff_ffff;
        self.piece(4, Role::Count, "count of names, bit 31", names.to_string());
        let Some(mut subnames) = self.word() else { return };
        self.piece(4, Role::Count, "count of subnames", subnames.to_string());
        let Some(flags) = self.word() else { return };
        let docs = self.rules.dialect() == Dialect::Docs;
        let mut meaning = Cow::from("flags");
        if flags & 2 != 0 && !docs {
            subnames = subnames.wrapping_add(1);
            meaning = "flags · bit 1 says one more subname".into();
        } else if flags & !1 != 0 {
            meaning = "flags · only bit 0 means something".into();
        }
        let absolute = if flags & 1 != 0 { "absolute" } else { "relative" };
        self.piece(4, Role::Flags, meaning, absolute);
        let total = names.wrapping_add(subnames);
        for index in 0..total {
            if self.left() == 0 {
                return;
            }
            self.string(match index < names {
                true => ("length of a name", "name"),
                false => ("length of a subname", "subname"),
            });
        }
    }
}

/// The whole value in short.
fn summary(value: &Value) -> Text {
    match value {
        Value::Nil => "null".into(),
        Value::String(text) => quoted(text).into(),
        Value::StringName(name) => format!("&{}", quoted(name)).into(),
        other => cut(format_args!("{other:?}")).into(),
    }
}

/// `type String`, made once for each type.
fn type_meaning(kind: Type) -> &'static str {
    static MEANINGS: LazyLock<Vec<String>> =
        LazyLock::new(|| Type::ALL.iter().map(|kind| format!("type {kind}")).collect());
    MEANINGS.get(kind as usize).map_or("type", String::as_str)
}

/// What the flags of a header say.
fn flag_names(header: &Header, known: u32) -> Text {
    match header.kind {
        _ if header.flags & known == 0 => "".into(),
        Type::Int | Type::Float => "64 bits".into(),
        Type::Object => "by id".into(),
        Type::Array => "typed".into(),
        Type::Dictionary => match (header.flags & 3, header.flags & 12) {
            (_, 0) => "typed keys".into(),
            (0, _) => "typed values".into(),
            _ => "typed keys and values".into(),
        },
        _ => "64-bit components".into(),
    }
}

/// The numbers of header bits from 16 on: `bits 17, 20–31`.
fn bits(flags: u32) -> String {
    let set = |bit: u32| flags >> bit & 1 != 0;
    let mut runs = Vec::new();
    let mut bit = 0u32;
    while bit < 16 {
        let run = (bit..16).take_while(|&bit| set(bit)).count();
        let next = bit.saturating_add(u32::try_from(run).unwrap_or(16));
        match run {
            0 => {}
            1 => runs.push(bit.saturating_add(16).to_string()),
            _ => runs.push(format!("{}–{}", bit.saturating_add(16), next.saturating_add(15))),
        }
        bit = next.saturating_add(1);
    }
    let one = flags.count_ones() == 1;
    format!("{} {}", if one { "bit" } else { "bits" }, runs.join(", "))
}

pub(super) fn padding_after(len: usize) -> usize {
    len.checked_next_multiple_of(4).unwrap_or(len).saturating_sub(len)
}

fn is_color(kind: Type) -> bool {
    matches!(kind, Type::Color | Type::PackedColorArray)
}
