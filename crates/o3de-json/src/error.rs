use std::borrow::Cow;
use std::fmt;

use serde_core::{de, ser};

use crate::report::Outcome;

/// The result of every function of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, at which place of the text, and where in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a number, found "x" at line 3, column 17 (byte 0x2a), in /players/3/level`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    offset: Option<usize>,
    /// Line and column, both from 1.
    place: Option<(usize, usize)>,
    path: Path,
    /// What serde found about a field, until the deserializer attributes it to a type.
    lesson: Option<Lesson>,
    /// Not an error at all: the load must start again.
    again: bool,
    source: Option<std::io::Error>,
}

/// What serde's derive says about a field of a struct.
#[derive(Clone, Copy)]
pub(crate) enum Lesson {
    Missing(&'static str),
    Repeated(&'static str),
}

/// The class of an [`Error`].
///
/// Those named as an [`Outcome`] are the engine's; [`ErrorKind::outcome`] gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ends inside a value.
    UnexpectedEof,
    /// A character that JSON does not allow at its place.
    Syntax,
    /// A number that is not spelled as JSON spells numbers, or too large for a double.
    InvalidNumber,
    /// An escape that does not exist, half a surrogate pair, a control character in a string.
    InvalidString,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Text after the end of the value.
    TrailingBytes,
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write.
    OutputLimit,
    /// NaN or an infinity, which JSON cannot spell.
    NotFinite,
    /// A member or element that the type has no place for ([`Outcome::Skipped`]).
    Skipped,
    /// No room for a value: an element of a set that is there twice ([`Outcome::Unavailable`]).
    Unavailable,
    /// A value that does not fit its type ([`Outcome::Unsupported`]).
    Unsupported,
    /// A type that is not the expected one or derived from it ([`Outcome::TypeMismatch`]).
    TypeMismatch,
    /// A `test` operation of a patch failed ([`Outcome::TestFailed`]).
    TestFailed,
    /// Something required is not there ([`Outcome::Missing`]).
    Missing,
    /// Data that contradicts itself ([`Outcome::Invalid`]).
    Invalid,
    /// A type or name that nobody knows ([`Outcome::Unknown`]).
    Unknown,
    /// What the engine cannot go on from, such as a cycle ([`Outcome::Catastrophic`]).
    Catastrophic,
    /// The data does not fit the Rust type that is being read or written.
    Data,
    /// The reader or writer failed.
    Io,
}

impl ErrorKind {
    /// The engine's outcome of the same name.
    pub fn outcome(self) -> Option<Outcome> {
        Some(match self {
            ErrorKind::Skipped => Outcome::Skipped,
            ErrorKind::Unavailable => Outcome::Unavailable,
            ErrorKind::Unsupported => Outcome::Unsupported,
            ErrorKind::TypeMismatch => Outcome::TypeMismatch,
            ErrorKind::TestFailed => Outcome::TestFailed,
            ErrorKind::Missing => Outcome::Missing,
            ErrorKind::Invalid => Outcome::Invalid,
            ErrorKind::Unknown => Outcome::Unknown,
            ErrorKind::Catastrophic => Outcome::Catastrophic,
            _ => return None,
        })
    }

    pub(crate) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Skipped | Outcome::PartialSkip => ErrorKind::Skipped,
            Outcome::Unavailable => ErrorKind::Unavailable,
            Outcome::TypeMismatch => ErrorKind::TypeMismatch,
            Outcome::TestFailed => ErrorKind::TestFailed,
            Outcome::Missing => ErrorKind::Missing,
            Outcome::Invalid => ErrorKind::Invalid,
            Outcome::Unknown => ErrorKind::Unknown,
            Outcome::Catastrophic => ErrorKind::Catastrophic,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Error {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            offset: None,
            place: None,
            path: Path::default(),
            lesson: None,
            again: false,
            source: None,
        }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn at(
        kind: ErrorKind,
        offset: usize,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Error::new(kind, message);
        error.0.offset = Some(offset);
        error
    }

    #[cold]
    pub(crate) fn io(source: std::io::Error) -> Self {
        let mut error = Error::new(ErrorKind::Io, source.to_string());
        error.0.source = Some(source);
        error
    }

    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Self {
        let at = error.valid_up_to();
        let found = bytes.get(at).copied().unwrap_or_default();
        Error::at(
            ErrorKind::InvalidUtf8,
            at,
            format!("expected UTF-8 text, found the byte {found:#04x}"),
        )
        .placed(bytes)
    }

    /// The load must start again with what was learned.
    #[cold]
    pub(crate) fn again() -> Self {
        let mut error = Error::new(ErrorKind::Data, "a type could not be read to its end");
        error.0.again = true;
        error
    }

    pub(crate) fn is_again(&self) -> bool {
        self.0.again
    }

    /// What serde found about a field, for the first one who asks.
    pub(crate) fn take_lesson(&mut self) -> Option<Lesson> {
        self.0.lesson.take()
    }

    /// Keeps the offset of the innermost place: errors from `serde` come without one.
    #[cold]
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self.0.place = None;
        self
    }

    /// Gives line and column from the offset.
    #[cold]
    pub(crate) fn placed(mut self, text: &[u8]) -> Self {
        if let (Some(offset), None) = (self.0.offset, self.0.place) {
            self.0.place = Some(line_and_column(text, offset));
        }
        self
    }

    /// The text of the error begins at `base` of a longer one.
    #[cold]
    pub(crate) fn shifted(mut self, base: usize, text: &[u8]) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(base));
        self.0.place = None;
        self.placed(text)
    }

    #[cold]
    pub(crate) fn in_path(mut self, path: Path) -> Self {
        if self.0.path.is_empty() {
            self.0.path = path;
        }
        self
    }

    #[cold]
    pub(crate) fn in_field(mut self, key: &str) -> Self {
        self.0.path.push_outer(Segment::Key(Shortened(key).to_string()));
        self
    }

    #[cold]
    pub(crate) fn in_index(mut self, index: usize) -> Self {
        self.0.path.push_outer(Segment::Index(index));
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The engine's outcome for the same condition; see [`ErrorKind::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.kind.outcome()
    }

    /// Byte offset in the text of what is wrong; `None` for errors of writing.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Line of the text, from 1.
    pub fn line(&self) -> Option<usize> {
        self.0.place.map(|(line, _)| line)
    }

    /// Column in its line, from 1, counted in characters.
    pub fn column(&self) -> Option<usize> {
        self.0.place.map(|(_, column)| column)
    }

    /// Where in the data: from the root to the value at fault.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The path as a JSON Pointer (RFC 6901), as in the engine's reports of loading.
    pub fn pointer(&self) -> String {
        self.0.path.to_string()
    }

    /// The sentence without place and path.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the text ended too early.
    pub fn is_eof(&self) -> bool {
        self.0.kind == ErrorKind::UnexpectedEof
    }

    /// Whether the reader or writer failed.
    pub fn is_io(&self) -> bool {
        self.0.kind == ErrorKind::Io
    }

    /// Whether well-formed data did not fit the Rust type.
    pub fn is_data(&self) -> bool {
        self.0.kind == ErrorKind::Data || self.0.kind.outcome().is_some()
    }

    /// Whether the text is not JSON, or beyond a limit.
    pub fn is_syntax(&self) -> bool {
        !self.is_eof() && !self.is_io() && !self.is_data()
    }
}

/// Line and column from 1; columns count characters.
pub(crate) fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
    let column = before
        .get(start..)
        .unwrap_or_default()
        .iter()
        // Continuation bytes of UTF-8 begin no character.
        .filter(|&&byte| byte & 0xc0 != 0x80)
        .count()
        .saturating_add(1);
    (line, column)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match (self.0.place, self.0.offset) {
            (Some((line, column)), Some(offset)) => {
                write!(f, " at line {line}, column {column} (byte {offset:#x})")?;
            }
            (None, Some(offset)) => write!(f, " at byte {offset:#x}")?,
            _ => {}
        }
        if !self.0.path.is_empty() {
            write!(f, ", in {}", self.0.path)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(msg: T) -> Self {
        Error::new(ErrorKind::Data, msg.to_string())
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::new(
            ErrorKind::Unsupported,
            format!("expected {expected}, found {}", Found(unexpected)),
        )
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::new(
            ErrorKind::Unsupported,
            format!("expected {expected}, found {}", Found(unexpected)),
        )
    }

    fn invalid_length(len: usize, expected: &dyn de::Expected) -> Self {
        let plural = if len == 1 { "" } else { "s" };
        Error::new(
            ErrorKind::Unsupported,
            format!("expected {expected}, found {len} element{plural}"),
        )
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::new(
            ErrorKind::Unknown,
            format!("unknown variant `{}`, expected {}", Shortened(variant), OneOf(expected)),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Error::new(
            ErrorKind::Skipped,
            format!("unknown field `{}`, expected {}", Shortened(field), OneOf(expected)),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Error::new(ErrorKind::Missing, format!("field `{field}` is missing"));
        error.0.lesson = Some(Lesson::Missing(field));
        error
    }

    fn duplicate_field(field: &'static str) -> Self {
        let mut error = Error::new(ErrorKind::Data, format!("field `{field}` is there twice"));
        error.0.lesson = Some(Lesson::Repeated(field));
        error
    }
}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(msg: T) -> Self {
        Error::new(ErrorKind::Data, msg.to_string())
    }
}

/// `serde`'s description of what was found, with long text cut off.
pub(crate) struct Found<'a>(pub(crate) de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Str(text) => write!(f, "\"{}\"", Shortened(text)),
            de::Unexpected::Unit => f.write_str("null"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "{value}"),
            de::Unexpected::Signed(value) => write!(f, "{value}"),
            de::Unexpected::Float(value) => write!(f, "{value:?}"),
            de::Unexpected::Seq => f.write_str("an array"),
            de::Unexpected::Map => f.write_str("an object"),
            other => other.fmt(f),
        }
    }
}

pub(crate) struct OneOf(pub(crate) &'static [&'static str]);

impl fmt::Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none"),
            [only] => write!(f, "`{only}`"),
            [first, rest @ ..] => {
                write!(f, "one of `{first}`")?;
                rest.iter().try_for_each(|name| write!(f, ", `{name}`"))
            }
        }
    }
}

/// At most 32 bytes of foreign text, so that messages stay short and harmless.
pub(crate) struct Shortened<'a>(pub(crate) &'a str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 32;
        let end = (0..=MOST).rev().find(|&at| self.0.is_char_boundary(at)).unwrap_or(0);
        let head = self.0.get(..end).filter(|_| self.0.len() > MOST);
        // Single quotes never stand around foreign text, so they need no escape.
        for (index, part) in head.unwrap_or(self.0).split('\'').enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "'" }, part.escape_debug())?;
        }
        f.write_str(if head.is_some() { "…" } else { "" })
    }
}

/// The way from the root of the data to one value; `Display` is a JSON Pointer: `/players/3/name`.
///
/// At most 64 segments are kept, the innermost ones; `…` stands for the rest. Names longer than
/// 32 bytes are cut off.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Path {
    /// Innermost first: errors collect it on their way up.
    reversed: Vec<Segment>,
    cut: bool,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// A member of an object or a field of a struct.
    Key(String),
    /// An element of an array.
    Index(usize),
}

impl fmt::Display for Segment {
    /// With the escapes of JSON Pointer: `~0` for `~`, `~1` for `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Index(index) => write!(f, "{index}"),
            Segment::Key(key) => f.write_str(&escape_pointer(key)),
        }
    }
}

/// `~` and `/` as JSON Pointer writes them.
pub(crate) fn escape_pointer(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) {
        Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(key)
    }
}

impl Path {
    const MOST: usize = 64;

    pub(crate) fn push_outer(&mut self, segment: Segment) {
        if self.reversed.len() < Self::MOST {
            self.reversed.push(segment);
        } else {
            self.cut = true;
        }
    }

    /// From the steps in the order in which errors collect them.
    pub(crate) fn from_innermost(segments: impl Iterator<Item = Segment>) -> Self {
        let mut path = Path::default();
        segments.take(Self::MOST.saturating_add(1)).for_each(|segment| path.push_outer(segment));
        path
    }

    /// Whether the error is at the root.
    pub fn is_empty(&self) -> bool {
        self.reversed.is_empty()
    }

    /// The steps from the root inwards.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.reversed.iter().rev()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cut {
            f.write_str("…")?;
        }
        self.segments().try_for_each(|segment| write!(f, "/{segment}"))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
