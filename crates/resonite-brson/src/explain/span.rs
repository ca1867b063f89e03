//! One piece of the input, and where in the data it belongs.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::error::{Path, Segment};

/// Bytes that mean one thing.
#[derive(Clone)]
pub struct Span {
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) depth: u32,
    pub(super) role: Role,
    pub(super) place: Arc<Place>,
    pub(super) meaning: Cow<'static, str>,
    pub(super) value: Cow<'static, str>,
}

/// What kind of thing a [`Span`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The type of a value. Its span stands for the whole value: [`Span::value`] is all of it.
    Header,
    /// Bits that say how something is packed, such as the kind of compression.
    Flags,
    /// A count of bytes.
    Length,
    /// The key of an entry, or the index of an element.
    Key,
    /// A number, or a row of bytes.
    Data,
    /// Characters.
    Text,
    /// The byte that ends a document.
    End,
    /// A compressed piece of the body.
    Compressed,
    /// A checksum.
    Checksum,
    /// Bytes that the reader ignores.
    Unused,
    /// Bytes by which a file format is known.
    Magic,
    /// Bytes that were read, but came after the most spans that are kept.
    Omitted,
    /// What is wrong.
    Error,
    /// Bytes after the error, or after the end.
    NotReached,
}

impl Role {
    pub(super) const ALL: [Role; 14] = [
        Role::Header,
        Role::Flags,
        Role::Length,
        Role::Key,
        Role::Data,
        Role::Text,
        Role::End,
        Role::Compressed,
        Role::Checksum,
        Role::Unused,
        Role::Magic,
        Role::Omitted,
        Role::Error,
        Role::NotReached,
    ];

    /// The name as it is in JSON: `not_reached`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Header => "header",
            Role::Flags => "flags",
            Role::Length => "length",
            Role::Key => "key",
            Role::Data => "data",
            Role::Text => "text",
            Role::End => "end",
            Role::Compressed => "compressed",
            Role::Checksum => "checksum",
            Role::Unused => "unused",
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
    /// Where it begins, counted from the start of the input.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// From the first byte to behind the last one.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.len)
    }

    /// The same span in a longer input.
    pub(super) fn moved(&self, base: usize) -> Span {
        Span { offset: self.offset.saturating_add(base), ..self.clone() }
    }

    /// How many values and parts of values are around it.
    pub fn depth(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(usize::MAX)
    }

    /// The value to which it belongs, in the notation of errors: `Object.Children[3].Name`.
    pub fn path(&self) -> Path {
        self.place.path()
    }

    /// What kind of thing it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// What it is, in words: `type String`, `length in bytes`.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// What it says, readable and at most about 60 characters: `"Åsa"`, `5`. Empty where there is nothing to add.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Span")
            .field("offset", &self.offset)
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

    /// The place around it and the last step; `None` at the root.
    pub(super) fn step(&self) -> Option<(&Arc<Place>, &Segment)> {
        self.step.as_ref().map(|(outer, segment)| (outer, segment))
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
