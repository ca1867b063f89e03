//! Data that is read in several pieces: text, counts, paths, types of elements, heads of objects.
//!
//! Each piece is told to a [`Parts`] when it was read and found fine, so that an explanation of the
//! bytes need not read them a second time. Plain reading wants none: [`Parts`] of `()` is
//! empty, and what is told is never made.

use std::borrow::Cow;

use super::{Header, ObjectHead, RawText, Reader};
use crate::error::{Count, Error, ErrorKind, Result, Shortened};
use crate::options::Dialect;
use crate::types::{ElementType, GString, NodePath, Type};

/// Receives the pieces of a value, in the order of the bytes and without a gap.
pub(crate) trait Parts {
    /// Whether parts are wanted; if not, decoding may take shortcuts.
    const LISTENS: bool = false;

    /// The next `len` bytes are one piece; with 0 bytes it is something about those before.
    #[inline(always)]
    fn part(&mut self, len: usize, part: Part<'_>) {
        let (_, _) = (len, part);
    }
}

impl Parts for () {}

/// A piece of a value on the wire.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "explain alone looks inside"))]
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    /// The header word.
    Header(&'a Header),
    Bool,
    /// The bytes of an int or float.
    Number(Number),
    /// The components before have another width from now on.
    Converted {
        wide: bool,
    },
    /// The components of a math type; `rows` says that a basis is sent by rows.
    Components {
        kind: Type,
        number: Number,
        rows: bool,
    },
    /// The length of a text in bytes.
    Length(Text),
    /// A byte order mark that engines do not read.
    Mark,
    /// Characters, as they were understood; `None` if they are not UTF-8.
    Text(Text, Option<&'a Cow<'a, str>>),
    /// Bytes after a NUL, which engines do not read.
    AfterNul,
    /// The NUL at the end of a string in a packed array.
    Nul,
    Padding,
    /// Padding that the end of the input lacks.
    MissingPadding(usize),
    Count(Counted),
    /// The elements of a packed array.
    Elements {
        kind: Type,
        number: Number,
    },
    /// The bytes of a packed array of bytes.
    Bytes,
    /// Whether a path is absolute.
    PathFlags,
    /// The type id of elements, keys or values.
    TypeId(Slot, Type),
    /// The type of elements, keys or values as it is read, and as it was sent.
    Typed(&'a ElementType, &'a str),
    /// The types of a container: elements or keys, and values.
    Container(&'a ElementType, Option<&'a ElementType>),
    /// The id of something that lives in the engine.
    Id(Id),
    /// The published page's null object.
    NullObject,
}

/// The role of a text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Text {
    String,
    OldPath,
    Name,
    Subname,
    Signal,
    Property,
    Class,
    /// The class of the elements of a container.
    ElementClass,
    Script,
    /// A string in a packed array, and whether it ends with NUL.
    Element(usize, bool),
}

/// The things that a count counts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Counted {
    Elements,
    Entries,
    Properties,
    /// Elements of a packed array.
    Packed,
    Strings,
    Names,
    Subnames,
}

/// The parts of a typed container that have types.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Slot {
    Elements,
    Keys,
    Values,
}

/// The thing that an id is of.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Id {
    Resource,
    Object,
    SignalObject,
}

/// A kind of number on the wire.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Number {
    U8,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    /// The numbers that a math type or a packed array is made of.
    #[inline]
    pub(crate) fn of(kind: Type, wide: bool) -> Number {
        match kind {
            Type::Vector2i | Type::Vector3i | Type::Vector4i | Type::Rect2i => Number::I32,
            Type::PackedByteArray => Number::U8,
            Type::PackedInt32Array => Number::I32,
            Type::PackedInt64Array => Number::I64,
            Type::PackedFloat64Array => Number::F64,
            _ if wide => Number::F64,
            _ => Number::F32,
        }
    }

    #[inline]
    pub(crate) fn size(self) -> usize {
        match self {
            Number::U8 => 1,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }
}

impl<'de> Reader<'de> {
    /// [`string`](Self::string), which is told.
    #[inline]
    pub(crate) fn told_string<P: Parts>(
        &mut self,
        what: Text,
        parts: &mut P,
    ) -> Result<Cow<'de, str>> {
        if !P::LISTENS {
            return self.string();
        }
        let raw = self.raw_text()?;
        parts.part(4, Part::Length(what));
        let text = self.told_text(raw.bytes, raw.at, what, parts)?;
        self.check_padding(&raw)?;
        parts.part(raw.padding, Part::Padding);
        Ok(text)
    }

    fn told_text<P: Parts>(
        &self,
        bytes: &'de [u8],
        at: usize,
        what: Text,
        parts: &mut P,
    ) -> Result<Cow<'de, str>> {
        let text = self.text(bytes, at);
        let (mark, read, after) = self.pieces(bytes);
        parts.part(mark, Part::Mark);
        parts.part(read, Part::Text(what, text.as_ref().ok()));
        parts.part(after, Part::AfterNul);
        text
    }

    /// A count of elements. Bit 31 ("shared") was last written by Godot 2 and is ignored.
    #[inline]
    pub(crate) fn count<P: Parts>(&mut self, what: Counted, parts: &mut P) -> Result<usize> {
        let at = self.offset();
        let word = self.u32("a count of elements")?;
        self.canonical(word & 0x8000_0000 == 0, at, "the count's `shared` bit is set")?;
        parts.part(4, Part::Count(what));
        Ok((word & 0x7fff_ffff) as usize)
    }

    /// The elements of a packed array of fixed-size elements, without padding.
    pub(crate) fn packed<P: Parts>(&mut self, size: usize, parts: &mut P) -> Result<&'de [u8]> {
        let at = self.offset();
        let claimed = self.u32("a packed array's count")?;
        let len = usize::try_from(claimed)
            .ok()
            .filter(|_| claimed <= 0x7fff_ffff)
            .and_then(|count| count.checked_mul(size))
            .filter(|&len| len <= 0x7fff_ffff);
        match len.and_then(|len| self.rest.split_at_checked(len)) {
            Some((elements, rest)) => {
                self.rest = rest;
                parts.part(4, Part::Count(Counted::Packed));
                Ok(elements)
            }
            None => Err(self.packed_length(at, claimed, size)),
        }
    }

    #[cold]
    #[inline(never)]
    fn packed_length(&self, at: usize, claimed: u32, size: usize) -> Error {
        if claimed > 0x7fff_ffff {
            let found = claimed.cast_signed();
            let message =
                format!("expected a packed array's count, found the negative number {found}");
            return Error::at(ErrorKind::LengthLimit, at, message);
        }
        let message = format!(
            "expected {} of {}, found {}",
            Count(claimed, "element"),
            Count(size, "byte"),
            Count(self.rest.len(), "byte")
        );
        Error::claim(ErrorKind::LengthLimit, at, message)
    }

    /// Like [`packed`](Self::packed) for bytes, whose padding may be missing at the very end.
    pub(crate) fn packed_bytes<P: Parts>(&mut self, parts: &mut P) -> Result<&'de [u8]> {
        let bytes = self.packed(1, parts)?;
        parts.part(bytes.len(), Part::Bytes);
        let padding = bytes.len().next_multiple_of(4).saturating_sub(bytes.len());
        match self.rest.split_at_checked(padding) {
            Some((zeros, rest)) => {
                let clean = zeros.iter().all(|&byte| byte == 0);
                self.canonical(clean, self.offset(), "padding is not 0")?;
                self.rest = rest;
                parts.part(padding, Part::Padding);
            }
            None => {
                self.canonical(false, self.offset(), "padding is missing")?;
                self.missing_padding = padding.saturating_sub(self.rest.len());
                parts.part(0, Part::MissingPadding(self.missing_padding));
                parts.part(self.rest.len(), Part::Padding);
                self.rest = &[];
            }
        }
        Ok(bytes)
    }

    /// Count of a `PackedStringArray`; a negative count is an empty array to the engine.
    pub(crate) fn string_count<P: Parts>(&mut self, parts: &mut P) -> Result<usize> {
        let at = self.offset();
        let count = self.u32("a packed array's count")?;
        let negative = count > 0x7fff_ffff;
        self.canonical(!negative, at, "the count is negative")?;
        parts.part(4, Part::Count(Counted::Strings));
        Ok(if negative { 0 } else { count as usize })
    }

    /// One string of a `PackedStringArray`. Engines end it with NUL and count that in the length.
    pub(crate) fn packed_string<P: Parts>(
        &mut self,
        index: usize,
        parts: &mut P,
    ) -> Result<Cow<'de, str>> {
        let raw = self.raw_text()?;
        let RawText { mut bytes, at, .. } = raw;
        let ends = !self.literal_text() && bytes.last() == Some(&0);
        let what = Text::Element(index, ends);
        parts.part(4, Part::Length(what));
        let fine = ends || self.literal_text();
        self.canonical(fine, at, "a packed string does not end with NUL")?;
        // Without the last NUL the text is as nearly all texts are, and read the fast way.
        if ends {
            bytes = bytes.split_last().map_or(bytes, |(_, text)| text);
        }
        let text = match P::LISTENS {
            true => self.told_text(bytes, at, what, parts)?,
            false => self.text(bytes, at)?,
        };
        parts.part(usize::from(ends), Part::Nul);
        self.check_padding(&raw)?;
        parts.part(raw.padding, Part::Padding);
        Ok(text)
    }

    /// A path by its names. The form without bit 31 is the published page's "old form".
    pub(crate) fn node_path<P: Parts>(&mut self, parts: &mut P) -> Result<NodePath> {
        let at = self.offset();
        let names = match self.peek_u32() {
            Some(word) if word & 0x8000_0000 == 0 => {
                if self.dialect() == Dialect::Docs {
                    self.canonical(false, at, "a NodePath is sent as one string")?;
                    return Ok(NodePath::new(&self.told_string(Text::OldPath, parts)?));
                }
                return Err(Error::at(
                    ErrorKind::OldNodePath,
                    at,
                    "expected a NodePath by names, found the form of one string",
                ));
            }
            Some(word) => word & 0x7fff_ffff,
            None => return Err(self.eof("a NodePath", 12)),
        };
        let head = self.array::<12>("a NodePath")?;
        let [_, _, _, _, s0, s1, s2, s3, f0, f1, f2, f3] = head;
        let mut subnames = u32::from_le_bytes([s0, s1, s2, s3]);
        let flags = u32::from_le_bytes([f0, f1, f2, f3]);
        self.canonical(flags <= 1, at, "a NodePath flag without meaning is set")?;
        // An obsolete form had one more name, the property.
        if flags & 2 != 0 && self.dialect() != Dialect::Docs {
            subnames = subnames.wrapping_add(1);
        }
        // The engine adds the two counts modulo 2^32.
        let total = names.wrapping_add(subnames);
        self.canonical(names.checked_add(subnames).is_some(), at, "a NodePath's counts overflow")?;
        parts.part(4, Part::Count(Counted::Names));
        parts.part(4, Part::Count(Counted::Subnames));
        parts.part(4, Part::PathFlags);
        let mut path = NodePath { absolute: flags & 1 != 0, ..NodePath::default() };
        for index in 0..total {
            let (what, list) = match index < names {
                true => (Text::Name, &mut path.names),
                false => (Text::Subname, &mut path.subnames),
            };
            self.charge(size_of::<GString>())?;
            list.push(GString::from(self.told_string(what, parts)?));
        }
        Ok(path)
    }

    /// The type word, class name or script path before a typed container's count; the two lowest
    /// bits of `flags` say which of them it is.
    /// <https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#typed-containers>
    pub(crate) fn element_type<P: Parts>(
        &mut self,
        flags: u32,
        slot: Slot,
        parts: &mut P,
    ) -> Result<ElementType> {
        let at = self.offset();
        let (read, sent) = match flags & 3 {
            0 => return Ok(ElementType::Any),
            1 => {
                let kind = self.type_id(at)?;
                parts.part(4, Part::TypeId(slot, kind));
                (self.builtin_type(kind), Cow::Borrowed(kind.name()))
            }
            2 => {
                let class = self.told_string(Text::ElementClass, parts)?;
                (self.class_type(&class, at)?, class)
            }
            _ => {
                let path = self.told_string(Text::Script, parts)?;
                (self.script_type(&path, at)?, path)
            }
        };
        parts.part(0, Part::Typed(&read, &sent));
        Ok(read)
    }

    fn type_id(&mut self, at: usize) -> Result<Type> {
        let id = self.u32("an element type")?;
        let Some(kind) = Type::from_id(id, self.dialect()) else {
            return Err(Error::at(
                ErrorKind::InvalidElementType,
                at,
                format!("expected the type id of the elements, found {id}"),
            ));
        };
        self.canonical(kind != Type::Nil, at, "elements are typed as nil")?;
        self.canonical(
            kind != Type::Object || self.options.allow_objects,
            at,
            "a container of objects names no class",
        )?;
        Ok(kind)
    }

    fn builtin_type(&self, kind: Type) -> ElementType {
        match kind {
            Type::Nil if !self.options.in_memory => ElementType::Any,
            Type::Object if !self.options.allow_objects => encoded_object(),
            kind => ElementType::Builtin(kind),
        }
    }

    fn class_type(&self, class: &str, at: usize) -> Result<ElementType> {
        self.canonical(!class.is_empty(), at, "a class name is empty")?;
        if self.options.allow_objects {
            return Ok(match class {
                "" if !self.options.in_memory => ElementType::Builtin(Type::Object),
                class => ElementType::Class(class.into()),
            });
        }
        let same = class == ElementType::ENCODED_OBJECT_AS_ID;
        self.canonical(same, at, "a container of objects names their class")?;
        Ok(encoded_object())
    }

    fn script_type(&self, path: &str, at: usize) -> Result<ElementType> {
        if self.options.allow_objects {
            self.check_script(path, at)?;
            return Ok(ElementType::Script(path.into()));
        }
        self.canonical(false, at, "a container names a script")?;
        Ok(encoded_object())
    }

    /// A script is named by a `res://` path and must load.
    pub(crate) fn check_script(&self, path: &str, at: usize) -> Result<()> {
        let known = self.options.classes.as_ref().is_none_or(|classes| classes.script_exists(path));
        if (path.starts_with("res://") && known) || self.options.in_memory {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::InvalidScript,
            at,
            format!(
                "expected the res:// path of a script that can be loaded, found \"{}\"",
                Shortened(path)
            ),
        ))
    }

    /// The bytes after the header of an object, up to the count of its properties.
    pub(crate) fn object_head<P: Parts>(
        &mut self,
        header: &Header,
        parts: &mut P,
    ) -> Result<ObjectHead<'de>> {
        let docs = self.dialect() == Dialect::Docs;
        let whole = self.options.allow_objects;
        if self.by_id(header) {
            let id = match docs {
                true => self.docs_object_id(header.at, parts)?,
                false => self.id("an object's id", Id::Object, parts)?,
            };
            self.canonical(id != 0 || docs, header.at, "a null object is not sent as nil")?;
            self.canonical(!whole, header.at, "an object is sent as its id, not as a whole")?;
            return Ok(if id == 0 { ObjectHead::Null } else { ObjectHead::Id(id) });
        }
        self.check_objects_allowed(header.at)?;
        let at = self.offset();
        let class = self.told_string(Text::Class, parts)?;
        if class.is_empty() && !self.options.in_memory {
            self.canonical(docs, header.at, "a null object is not sent as nil")?;
            return Ok(ObjectHead::Null);
        }
        self.check_class(&class, at)?;
        Ok(ObjectHead::Class(class))
    }

    /// An id of 64 bits.
    pub(crate) fn id<P: Parts>(
        &mut self,
        what: &'static str,
        of: Id,
        parts: &mut P,
    ) -> Result<u64> {
        let id = self.u64(what)?;
        parts.part(8, Part::Id(of));
        Ok(id)
    }

    /// An object's id, or 0 where the published page's 4-byte null stands.
    fn docs_object_id<P: Parts>(&mut self, at: usize, parts: &mut P) -> Result<u64> {
        if self.rest.len() < 8 && self.peek_u32() == Some(0) {
            self.u32("a null object")?;
            parts.part(4, Part::NullObject);
            return Ok(0);
        }
        let id = self.id("an object's id", Id::Object, parts)?;
        // Inside a container nothing but 8 bytes can be distinguished from an id.
        self.canonical(id != 0 || at != 0, at, "a null object is sent with 8 bytes")?;
        Ok(id)
    }

    /// Refused before anything else of the object is looked at.
    fn check_objects_allowed(&self, at: usize) -> Result<()> {
        if self.options.allow_objects {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::ObjectsNotAllowed,
            at,
            "expected no whole object, as Options::allow_objects is off, found one",
        ))
    }

    fn check_class(&self, class: &str, at: usize) -> Result<()> {
        match &self.options.classes {
            Some(classes) if !classes.can_instantiate(class) => Err(Error::at(
                if self.dialect() == Dialect::Godot3 {
                    ErrorKind::ClassUnavailable
                } else {
                    ErrorKind::UnknownClass
                },
                at,
                format!(
                    "expected a class that can be instantiated, found \"{}\"",
                    Shortened(class)
                ),
            )),
            _ => Ok(()),
        }
    }

    /// The count of an object's properties; negative is none.
    pub(crate) fn property_count<P: Parts>(&mut self, parts: &mut P) -> Result<usize> {
        let at = self.offset();
        let count = self.u32("a count of properties")?;
        self.canonical(count <= 0x7fff_ffff, at, "the count is negative")?;
        parts.part(4, Part::Count(Counted::Properties));
        Ok(usize::try_from(count.cast_signed()).unwrap_or(0))
    }
}

/// Without whole objects every container of objects is one of these.
fn encoded_object() -> ElementType {
    ElementType::Class(GString::new(ElementType::ENCODED_OBJECT_AS_ID))
}
