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
    /// The beginning of a value: a whole number, string or word, or an opening bracket. Its span
    /// stands for the whole value: [`Span::value`] is all of it.
    Header,
    /// The name of a member.
    Name,
    /// A closing bracket.
    Close,
    /// White space, commas and colons.
    Space,
    /// A comment.
    Comment,
    /// Text that was read, but came after the most spans that are kept.
    Omitted,
    /// What is wrong.
    Error,
    /// Text after the error, or after the value.
    NotReached,
}

impl Role {
    /// The name as it is in JSON: `not_reached`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Header => "header",
            Role::Name => "name",
            Role::Close => "close",
            Role::Space => "space",
            Role::Comment => "comment",
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

    /// How many values and parts of values are around it.
    pub fn depth(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(usize::MAX)
    }

    /// The value to which it belongs, as a JSON pointer: `/players/3/name`.
    pub fn path(&self) -> Path {
        self.place.path()
    }

    /// What kind of thing it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// What it is, in words: `type String`, `name of a member`, `comment`.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// What it says, readable and at most about 60 characters: `"Åsa"`, `3 members`. Empty where
    /// there is nothing to add.
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
