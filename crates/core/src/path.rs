use std::borrow::Cow;
use std::fmt;

use crate::pointer;
use crate::words::Shortened;

/// The way from the root of the data to one value: `players[3].name`.
///
/// `Display` is the dotted notation, [`pointer`](Path::pointer) the other one. At most
/// [`MAX_SEGMENTS`](Path::MAX_SEGMENTS) steps are kept, the innermost ones; `…` stands for the rest.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Path {
    /// Innermost first: errors collect it on their way up.
    reversed: Vec<Segment>,
    cut: bool,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Segment {
    /// The name of a field, or a map's key that is text: `.name`, `["odd name"]`.
    Field(String),
    /// A field that is known by its number only: `[field 3]`.
    Id(u32),
    /// Position in a list, from 0: `[3]`.
    Index(usize),
    /// The value of a map's key that is not text, the key in readable form: `[(1, 2)]`.
    Key(String),
    /// Not a value of a map but the key itself, of the entry at this position: `[key 0]`.
    KeyOf(usize),
    /// The part of an object that belongs to the class it is derived from: `[base]`.
    Base,
}

/// The two ways of writing a [`Path`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `players[3].name`.
    #[default]
    Dotted,
    /// `/players/3/name`, as in JSON Pointer (RFC 6901).
    Pointer,
}

impl Segment {
    /// A field or a key of text. At most 32 bytes of it are kept, controls escaped, so that foreign
    /// names cannot flood a message.
    pub fn field(name: &str) -> Self {
        Segment::Field(Shortened(name).to_string())
    }

    /// A key that is not text, by its readable form; cut off like [`field`](Segment::field).
    pub fn key(readable: &str) -> Self {
        Segment::Key(Shortened(readable).to_string())
    }

    /// Whether a dot joins it to what stands before it, in place of brackets around it.
    fn is_identifier(&self) -> bool {
        let Segment::Field(name) = self else { return false };
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| c == '_' || c.is_alphanumeric())
    }

    /// The step as a token of a JSON Pointer, `~` and `/` escaped.
    pub(crate) fn token(&self) -> Cow<'_, str> {
        let token: Cow<'_, str> = match self {
            Segment::Field(name) | Segment::Key(name) => name.into(),
            Segment::Index(index) => index.to_string().into(),
            Segment::Id(id) => format!("field {id}").into(),
            Segment::KeyOf(index) => format!("key {index}").into(),
            Segment::Base => "base".into(),
        };
        match pointer::escaped(&token) {
            Cow::Borrowed(_) => token,
            Cow::Owned(escaped) => escaped.into(),
        }
    }
}

/// The dotted notation, without the dot before it.
impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Field(name) if self.is_identifier() => f.write_str(name),
            Segment::Field(name) => write!(f, "[\"{name}\"]"),
            Segment::Id(id) => write!(f, "[field {id}]"),
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Key(key) => write!(f, "[{key}]"),
            Segment::KeyOf(index) => write!(f, "[key {index}]"),
            Segment::Base => f.write_str("[base]"),
        }
    }
}

impl From<&str> for Segment {
    fn from(name: &str) -> Self {
        Segment::field(name)
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Segment::Index(index)
    }
}

impl Path {
    /// The most steps that are kept.
    pub const MAX_SEGMENTS: usize = 64;

    /// Adds the step around all that were added before.
    pub fn push_outer(&mut self, segment: impl Into<Segment>) {
        if self.reversed.len() < Self::MAX_SEGMENTS {
            self.reversed.push(segment.into());
        } else {
            self.cut = true;
        }
    }

    /// A path from its steps, the innermost first.
    pub fn from_innermost(segments: impl IntoIterator<Item = Segment>) -> Self {
        let mut path = Path::default();
        // One more than is kept shows that there are more.
        let most = Self::MAX_SEGMENTS.saturating_add(1);
        segments.into_iter().take(most).for_each(|segment| path.push_outer(segment));
        path
    }

    /// Whether it is the root.
    pub fn is_empty(&self) -> bool {
        self.reversed.is_empty()
    }

    /// Whether outer steps are missing.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The steps from the root inwards.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.reversed.iter().rev()
    }

    /// As JSON Pointer writes it: `/players/3/name`.
    pub fn pointer(&self) -> impl fmt::Display + '_ {
        self.display(Notation::Pointer)
    }

    /// In either notation.
    pub fn display(&self, notation: Notation) -> impl fmt::Display + '_ {
        Shown { path: self, notation }
    }
}

struct Shown<'a> {
    path: &'a Path,
    notation: Notation,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.cut {
            f.write_str("…")?;
        }
        let mut first = !self.path.cut;
        for segment in self.path.segments() {
            match self.notation {
                Notation::Pointer => write!(f, "/{}", segment.token())?,
                Notation::Dotted if !first && segment.is_identifier() => write!(f, ".{segment}")?,
                Notation::Dotted => write!(f, "{segment}")?,
            }
            first = false;
        }
        Ok(())
    }
}

/// The dotted notation.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(Notation::Dotted).fmt(f)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
