//! One piece of the input, and the bytes that it counts in.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::place::Place;
use crate::Path;

/// Bytes with separate offsets: the input, or what is packed inside of it.
///
/// An offset that is shown exists in the bytes of its space.
#[derive(Clone)]
pub struct Space {
    pub(super) name: Cow<'static, str>,
    pub(super) bytes: Arc<[u8]>,
    pub(super) inside: Option<Inside>,
}

/// Which span of which space a space was unpacked from.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    pub(super) space: usize,
    pub(super) bit: u64,
}

impl Space {
    /// Its name: `input`, `decompressed body`, `entry Assets/1a2b`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The space that it was unpacked from, by its index, and the offset there at which it begins;
    /// `None` for the input.
    pub fn origin(&self) -> Option<(usize, usize)> {
        self.inside.as_ref().map(|inside| (inside.space, offset(inside.bit)))
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space")
            .field("name", &self.name)
            .field("len", &self.bytes.len())
            .field("inside", &self.inside)
            .finish()
    }
}

/// Bits that mean one thing. In most formats they are whole bytes.
#[derive(Clone)]
pub struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) space: u32,
    pub(super) depth: u32,
    pub(super) place: Arc<Place>,
    pub(super) note: Note,
}

/// Text that is mostly the same each time.
pub(super) type Text = Cow<'static, str>;

/// The words of a [`Span`].
#[derive(Clone, Debug)]
pub struct Note {
    pub(super) role: Role,
    pub(super) kind: Text,
    pub(super) meaning: Text,
    pub(super) value: Text,
    pub(super) notes: Option<Box<str>>,
}

impl Note {
    /// A part of a value.
    pub fn new(role: Role, meaning: impl Into<Text>) -> Self {
        let (kind, value) = (Text::default(), Text::default());
        Note { role, kind, meaning: meaning.into(), value, notes: None }
    }

    /// The beginning of a value of this type.
    pub fn header(kind: impl Into<Text>) -> Self {
        Note::new(Role::Header, "").kind(kind)
    }

    /// The type of the value, where the span stands for the whole of it.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<Text>) -> Self {
        self.kind = kind.into();
        self
    }

    /// The meaning, in words; for a header, the words after the type.
    #[must_use]
    pub fn meaning(mut self, meaning: impl Into<Text>) -> Self {
        self.meaning = meaning.into();
        self
    }

    /// The value of the bytes, readable.
    #[must_use]
    pub fn value(mut self, value: impl Into<Text>) -> Self {
        self.value = value.into();
        self
    }

    /// A remark; several are joined by commas.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        add(&mut self.notes, note);
        self
    }
}

pub(super) fn add(notes: &mut Option<Box<str>>, note: &str) {
    let all = match notes.take() {
        Some(before) => format!("{before}, {note}").into(),
        None => note.into(),
    };
    *notes = Some(all);
}

macro_rules! roles {
    ($($(#[$doc:meta])+ $role:ident $name:literal,)+) => {
        /// The role of a [`Span`]. No format has all of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Role {
            $($(#[$doc])+ $role,)+
        }

        impl Role {
            /// All roles, in the order of their numbers on the page.
            pub(super) const ALL: &[Role] = &[$(Role::$role),+];

            /// The name as it is in JSON: `not_reached`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Role::$role => $name,)+
                }
            }
        }
    };
}

roles! {
    /// The beginning of a value, such as its type. Its span stands for the whole value:
    /// [`Span::value`] is all of it.
    Header "header",
    /// The type of the content: the class of an object, the element type of a container.
    Type "type",
    /// Bits that say how something is sent or packed.
    Flags "flags",
    /// A count of bytes or bits.
    Length "length",
    /// A count of elements, entries or fields.
    Count "count",
    /// A name by which a value is found: of a member, a field, an entry.
    Key "key",
    /// A number, or a row of numbers or bytes.
    Data "data",
    /// Characters.
    Text "text",
    /// A number that is made from other bytes, to find damage.
    Checksum "checksum",
    /// Bytes by which a format is known.
    Magic "magic",
    /// Packed bytes; what is in them is a [`Space`] of its own.
    Compressed "compressed",
    /// Filling up to a boundary.
    Padding "padding",
    /// White space and punctuation.
    Separator "separator",
    /// Words for people.
    Comment "comment",
    /// The end of a container.
    End "end",
    /// Allowed by the format, but not described by the schema.
    Unknown "unknown",
    /// Bytes that the reader ignores.
    Unused "unused",
    /// Bytes that were read, but came after the most spans that are kept.
    Omitted "omitted",
    /// Bytes that are wrong.
    Error "error",
    /// Bytes after the error, or after the end.
    NotReached "not_reached",
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[allow(clippy::len_without_is_empty, reason = "a span is a place, not a container")]
impl Span {
    /// The space that it is in, by its index in [`Explanation::spaces`](super::Explanation::spaces).
    pub fn space(&self) -> usize {
        usize::try_from(self.space).unwrap_or(usize::MAX)
    }

    /// Offset of the byte in which it begins, counted from the start of its space.
    pub fn offset(&self) -> usize {
        offset(self.start)
    }

    /// Number of bytes in which it has bits.
    pub fn len(&self) -> usize {
        self.range().len()
    }

    /// The bytes in which it has bits.
    pub fn range(&self) -> Range<usize> {
        let start = self.offset();
        start..offset(self.end.saturating_add(7)).max(start)
    }

    /// Its bits, counted from the start of its space; eight for each byte, the lowest first.
    pub fn bit_range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// Whether it is whole bytes.
    pub fn is_aligned(&self) -> bool {
        (self.start | self.end) & 7 == 0
    }

    /// The number of values and parts of values around it.
    pub fn depth(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(usize::MAX)
    }

    /// The value to which it belongs.
    pub fn path(&self) -> Path {
        self.place.path()
    }

    /// Its role.
    pub fn role(&self) -> Role {
        self.note.role
    }

    /// The name of the value's type, where the span stands for the whole value; else empty.
    pub fn kind(&self) -> &str {
        &self.note.kind
    }

    /// Its meaning, in words: `length in bytes`, `x`.
    pub fn meaning(&self) -> &str {
        &self.note.meaning
    }

    /// Remarks, such as that the engine would write it differently.
    pub fn notes(&self) -> &str {
        self.note.notes.as_deref().unwrap_or_default()
    }

    /// Its value, readable and at most about 60 characters: `"Åsa"`, `(1.0, 0.0, -2.5)`. Empty
    /// where there is nothing to add.
    pub fn value(&self) -> &str {
        &self.note.value
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Span");
        shown.field("space", &self.space);
        match self.is_aligned() {
            true => shown.field("bytes", &self.range()),
            false => shown.field("bits", &self.bit_range()),
        };
        shown
            .field("depth", &self.depth)
            .field("path", &format_args!("{}", self.path()))
            .field("role", &self.note.role)
            .field("kind", &self.note.kind)
            .field("meaning", &self.note.meaning)
            .field("value", &self.note.value)
            .field("notes", &self.notes())
            .finish()
    }
}

/// The byte of a bit.
pub(super) fn offset(bit: u64) -> usize {
    usize::try_from(bit >> 3).unwrap_or(usize::MAX)
}

/// The first bit of a byte.
pub(super) fn bits(offset: usize) -> u64 {
    u64::try_from(offset).unwrap_or(u64::MAX).saturating_mul(8)
}
