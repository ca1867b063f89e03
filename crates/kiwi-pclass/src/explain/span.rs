//! One piece of the input, and where in the data it belongs.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::error::{Path, Segment};

/// Bits that mean one thing.
#[derive(Clone)]
pub struct Span {
    pub(super) bit: usize,
    pub(super) len: usize,
    pub(super) depth: u32,
    pub(super) role: Role,
    pub(super) place: Arc<Place>,
    pub(super) meaning: Cow<'static, str>,
    pub(super) value: Cow<'static, str>,
    pub(super) inflated: bool,
}

/// What kind of thing a [`Span`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The class of an object.
    Header,
    /// The flags word of a stream, or the byte that says whether it is compressed.
    Flags,
    /// A size in bits or bytes.
    Length,
    /// A count of elements.
    Count,
    /// The hash of a property.
    Type,
    /// A number, or a few in a row.
    Data,
    /// Characters.
    Text,
    /// Filling up to the next byte.
    Padding,
    /// Bits of a class or property that the schema does not have.
    Unknown,
    /// Compressed data; what it inflates to is explained after the input.
    Compressed,
    /// Bytes by which a file is known.
    Magic,
    /// Bits that were read, but came after the most spans that are kept.
    Omitted,
    /// What is wrong.
    Error,
    /// Bits after the error, or after the object.
    NotReached,
}

impl Role {
    /// The name as it is in JSON: `not_reached`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Header => "header",
            Role::Flags => "flags",
            Role::Length => "length",
            Role::Count => "count",
            Role::Type => "type",
            Role::Data => "data",
            Role::Text => "text",
            Role::Padding => "padding",
            Role::Unknown => "unknown",
            Role::Compressed => "compressed",
            Role::Magic => "magic",
            Role::Omitted => "omitted",
            Role::Error => "error",
            Role::NotReached => "not_reached",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[allow(clippy::len_without_is_empty, reason = "a span is a place, not a container")]
impl Span {
    /// Its first bit, counted from the start of the input, or of the inflated data.
    pub fn bit_offset(&self) -> usize {
        self.bit
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Behind its last bit.
    pub(super) fn end(&self) -> usize {
        self.bit.saturating_add(self.len)
    }

    /// Whether it is in the inflated data and not in the input.
    pub fn is_inflated(&self) -> bool {
        self.inflated
    }

    /// Whether it is whole bytes.
    pub fn is_aligned(&self) -> bool {
        self.bit & 7 == 0 && self.len & 7 == 0
    }

    /// How many values and parts of values are around it.
    pub fn depth(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(usize::MAX)
    }

    /// The value to which it belongs, in the notation of errors: `players[3].name`.
    pub fn path(&self) -> Path {
        self.place.path()
    }

    /// What kind of thing it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// What it is, in words: `m_id: unsigned int`, `size in bits`, `padding`.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// What it says, readable and at most about 60 characters. Empty where there is nothing to add.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Span")
            .field("bit_offset", &self.bit)
            .field("len", &self.len)
            .field("depth", &self.depth)
            .field("path", &format_args!("{}", self.path()))
            .field("role", &self.role)
            .field("meaning", &self.meaning)
            .field("value", &self.value)
            .finish()
    }
}

/// A place in the data, linked to the one around it: spans share the long ways to deep values.
#[derive(Default)]
pub(super) struct Place {
    /// `None` at the root.
    step: Option<(Arc<Place>, Segment)>,
}

impl Place {
    pub(super) fn inside(outer: &Arc<Place>, segment: Segment) -> Arc<Place> {
        Arc::new(Place { step: Some((Arc::clone(outer), segment)) })
    }

    /// The place of an error.
    pub(super) fn of(path: &Path) -> Arc<Place> {
        let mut place = Arc::new(Place::default());
        if path.is_cut() {
            place = Place::inside(&place, Segment::Index(0));
        }
        path.segments().fold(place, |place, segment| Place::inside(&place, segment.clone()))
    }

    fn path(&self) -> Path {
        let mut next = self.step.as_ref();
        Path::from_innermost(std::iter::from_fn(|| {
            let (outer, segment) = next?;
            next = outer.step.as_ref();
            Some(segment.clone())
        }))
    }
}

/// Without recursion: places nest as deep as the data.
impl Drop for Place {
    fn drop(&mut self) {
        let mut next = self.step.take();
        while let Some((outer, _)) = next {
            next = Arc::into_inner(outer).and_then(|mut outer| outer.step.take());
        }
    }
}
