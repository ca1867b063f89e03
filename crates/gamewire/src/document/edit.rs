//! Changes of a document: values set, inserted and removed by their paths.

use std::collections::HashSet;

use super::codec::Codec;
use super::error::{Error, Hint};
use super::json::Json;
use super::node::{Edge, Found, Typed, Way, find_all};
use super::ranges::RangeNode;

/// A change of a document. `kind` is one of the format's kinds, as [`Node::kind`](super::Node::kind)
/// says them; `None` for the kind that is present, or that the value looks like.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Edit<'a> {
    /// Sets the values that a path leads to.
    Set {
        /// The path.
        path: &'a str,
        /// The value.
        value: Input<'a>,
        /// The kind.
        kind: Option<&'a str>,
    },
    /// Inserts a value: the last step of the path is its key or position.
    Insert {
        /// The path.
        path: &'a str,
        /// The value.
        value: Input<'a>,
        /// The kind.
        kind: Option<&'a str>,
    },
    /// Removes the values that a path leads to.
    Remove {
        /// The path.
        path: &'a str,
    },
    /// Moves a value among those beside it.
    Move {
        /// The path.
        path: &'a str,
        /// Its position then.
        to: usize,
    },
    /// Gives a value of a dictionary or an object another key, of the kind that the old one has.
    Rename {
        /// The path.
        path: &'a str,
        /// The key.
        key: &'a str,
    },
    /// Puts a copy of a value behind it.
    Copy {
        /// The path.
        path: &'a str,
        /// The key of the copy; nothing counts in a list.
        key: &'a str,
    },
}

/// The value of an [`Edit`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// Text, as [`Document::set`](super::Document::set) takes it. The kind that is present, or how the text looks,
    /// says what it is.
    Text(&'a str),
    /// The JSON notation of the format; in a file of JSON, plain JSON.
    Notation(&'a Json),
    /// A value of the format. In place of another one it becomes of that one's kind where it stays equal, as a whole
    /// number does as a float; else it is refused.
    Typed(&'a Typed<'a>),
}

macro_rules! inputs {
    ($($type:ty => $variant:ident;)+) => {$(
        impl<'a> From<&'a $type> for Input<'a> {
            fn from(value: &'a $type) -> Self {
                Input::$variant(value)
            }
        }
    )+};
}

inputs! { str => Text; String => Text; Json => Notation; Typed<'a> => Typed; }

/// An [`Input`] as a format takes it.
pub(super) enum Given<'a, V> {
    Text(&'a str),
    Value(V),
}

impl<'a> Edit<'a> {
    /// The path.
    pub fn path(&self) -> &'a str {
        match self {
            Edit::Set { path, .. }
            | Edit::Insert { path, .. }
            | Edit::Remove { path }
            | Edit::Move { path, .. }
            | Edit::Rename { path, .. }
            | Edit::Copy { path, .. } => path,
        }
    }

    /// The same change at another path.
    #[cfg(feature = "godot-variant")]
    pub(super) fn at(self, path: &'a str) -> Self {
        match self {
            Edit::Set { value, kind, .. } => Edit::Set { path, value, kind },
            Edit::Insert { value, kind, .. } => Edit::Insert { path, value, kind },
            Edit::Remove { .. } => Edit::Remove { path },
            Edit::Move { to, .. } => Edit::Move { path, to },
            Edit::Rename { key, .. } => Edit::Rename { path, key },
            Edit::Copy { key, .. } => Edit::Copy { path, key },
        }
    }
}

/// The edits that are made at once, whose paths are those before the first of them: several in a row that
/// set or remove, or one of the others.
pub(super) fn runs<'e, 'a>(edits: &'e [Edit<'a>]) -> impl Iterator<Item = &'e [Edit<'a>]> {
    let is_alone = |edit: &Edit<'_>| !matches!(edit, Edit::Set { .. } | Edit::Remove { .. });
    let is_same =
        |a: &Edit<'_>, b: &Edit<'_>| std::mem::discriminant(a) == std::mem::discriminant(b);
    edits.chunk_by(move |a, b| is_same(a, b) && !is_alone(a))
}

/// Values of a format with their paths.
type Nodes<'c, C> = Vec<Found<RangeNode<'c, C>>>;

/// The values that each of the paths leads to.
pub(super) fn find<'c, C: Codec>(
    codec: &'c C,
    content: &'c C::Content,
    paths: &[&str],
) -> Vec<Nodes<'c, C::Syntax>> {
    let by_name = codec.by_name(content, paths);
    find_all(&codec.root(content), codec.is_only(content), paths, by_name)
}

/// The kind of a root whose members have names that are whole paths.
pub(super) const SETTINGS: &str = "settings";

/// Ways to values that have got others inside of them, so that what was found there is there no more.
#[derive(Default)]
pub(super) struct Changed {
    ways: HashSet<Way>,
    /// The beginnings of the ways, of values that have changed inside.
    around: HashSet<Way>,
}

impl Changed {
    pub(super) fn has(&self, way: &[Edge]) -> bool {
        let is_inside =
            || (0..=way.len()).any(|len| self.ways.contains(way.get(..len).unwrap_or(way)));
        !self.ways.is_empty() && (self.around.contains(way) || is_inside())
    }

    pub(super) fn add(&mut self, way: Way) {
        for len in 0..way.len() {
            self.around.extend(way.get(..len).map(<[Edge]>::to_vec));
        }
        self.ways.insert(way);
    }
}

/// A text as JSON, if it is any.
pub(super) fn json(text: &str) -> Option<Json> {
    super::json::parse(text)
}

/// Text, with or without quotes.
pub(super) fn text(text: &str) -> Result<String, Error> {
    if !text.starts_with('"') {
        return Ok(text.to_owned());
    }
    match json(text) {
        Some(Json::String(text)) => Ok(text),
        _ => Err(Error::new(format!("expected text, in quotes or without, found {text}"))),
    }
}

/// `true` or `false`.
pub(super) fn boolean(text: &str) -> Result<bool, Error> {
    text.parse().map_err(|_| Error::new(format!("expected true or false, found {text}")))
}

/// An integer of `bits` bits with a sign.
pub(super) fn integer(text: &str, bits: u32) -> Result<i64, Error> {
    let number: Option<i64> = text.trim().parse().ok();
    let fits = |number: &i64| bits == 64 || i32::try_from(*number).is_ok();
    number.filter(fits).ok_or_else(|| {
        let why = format!("expected an integer of {bits} bits, found {text}");
        Error::new(why).with_hint(Hint::OtherKind)
    })
}

/// A number.
pub(super) fn float(text: &str) -> Result<f64, Error> {
    let number: Option<f64> = text.trim().parse().ok();
    number.ok_or_else(|| {
        Error::new(format!("expected a number, found {text}")).with_hint(Hint::OtherKind)
    })
}

/// The error of a value of another format.
pub(super) fn other_format(format: &str) -> Error {
    Error::new(format!("expected a value of {format}, found one of another format"))
}

/// The error of a value of one kind where another is expected.
pub(super) fn other_kind(expected: &str, found: &str) -> Error {
    let why = format!("expected {expected}, found {found}");
    Error::new(why).with_hint(Hint::KindOf(found.to_owned()))
}

/// JSON that must be there.
pub(super) fn notation(text: &str, what: &str) -> Result<Json, Error> {
    json(text)
        .ok_or_else(|| Error::new(format!("expected the JSON notation of {what}, found {text}")))
}

/// The kind of a value of JSON.
pub(super) fn kind_of(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_f64() => "double",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
