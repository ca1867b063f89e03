//! [`Text`]: the strings of a document, shared with the text that they were read from.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use gamewire_core::bytes::text_part;

/// A name or string of a [`Value`](crate::Value).
///
/// Text that was read without an escape is a part of the input: it takes no memory of its
/// own, and keeps that text alive. [`detach`](Text::detach) returns a copy that does not.
#[derive(Clone)]
pub struct Text(Repr);

#[derive(Clone)]
enum Repr {
    Shared { source: Arc<String>, start: u32, end: u32 },
    Owned(Box<str>),
}

impl Text {
    /// The part of a text from one byte offset to before another. Both must be at boundaries of
    /// characters.
    #[inline]
    pub(crate) fn shared(source: &Arc<String>, start: usize, end: usize) -> Self {
        match (u32::try_from(start), u32::try_from(end)) {
            (Ok(start), Ok(end)) => Text(Repr::Shared { source: Arc::clone(source), start, end }),
            _ => Text(Repr::Owned(text_part(source, start..end).into())),
        }
    }

    /// Whether it is this part of this text, without a look at characters.
    #[inline]
    pub(crate) fn is_part(&self, of: &Arc<String>, range: &Range<usize>) -> bool {
        match &self.0 {
            Repr::Shared { source, start, end } => {
                (widened(*start)..widened(*end)) == *range && Arc::ptr_eq(source, of)
            }
            Repr::Owned(_) => false,
        }
    }

    /// The characters.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Shared { source, start, end } => {
                let (start, end) = (widened(*start), widened(*end));
                text_part(source, start..end)
            }
            Repr::Owned(text) => text,
        }
    }

    /// How many bytes it has itself.
    pub(crate) fn owned(&self) -> usize {
        if let Repr::Owned(text) = &self.0 { text.len() } else { 0 }
    }

    /// The same text, without the document that it was read from.
    pub fn detach(&self) -> Self {
        Text(Repr::Owned(self.as_str().into()))
    }
}

#[inline]
#[allow(clippy::as_conversions, reason = "usize has 32 bits or more where this crate runs")]
pub(super) const fn widened(offset: u32) -> usize {
    offset as usize
}

impl Default for Text {
    fn default() -> Self {
        Text(Repr::Owned("".into()))
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(Repr::Owned(text.into()))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(Repr::Owned(text.into_boxed_str()))
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text.0 {
            Repr::Owned(text) => text.into(),
            Repr::Shared { .. } => text.as_str().to_owned(),
        }
    }
}
