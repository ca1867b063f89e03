use std::borrow::Cow;
use std::fmt;

use serde_core::{de, ser};

/// The result of every function of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, at which byte of the input, and where in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in players[3].name`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    offset: Option<usize>,
    path: Path,
    source: Option<std::io::Error>,
}

/// The class of an [`Error`].
///
/// [`ErrorKind::engine_code`] gives the name of the engine error that the same bytes cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A header, a fixed payload or a count does not fit into what is left of the input.
    UnexpectedEof,
    /// A string length is negative, or the string with its padding reaches past the input.
    StringLength,
    /// A packed array's count is negative or reaches past the input.
    LengthLimit,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// A type id that the dialect does not have.
    UnknownType,
    /// A `NodePath` in the form that engines stopped reading before 3.0.
    OldNodePath,
    /// The element type of a typed container is not a type id of the engine.
    InvalidElementType,
    /// A whole object where [`allow_objects`](crate::Options::allow_objects) is off.
    ObjectsNotAllowed,
    /// A class that the [`ClassDb`](crate::ClassDb) cannot instantiate (4.x).
    UnknownClass,
    /// A class that the [`ClassDb`](crate::ClassDb) cannot instantiate (3.x).
    ClassUnavailable,
    /// A `script` property or container script that is not a loadable `res://` path.
    InvalidScript,
    /// A script that cannot be named by a `res://` path, on encode.
    ScriptUnavailable,
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth) or
    /// [`max_typed_depth`](crate::Options::max_typed_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write.
    OutputLimit,
    /// Bytes after the end of the value.
    TrailingBytes,
    /// [`strict`](crate::Options::strict) input that the engine would write differently.
    NotCanonical,
    /// A length word or magic around the variant is wrong.
    Frame,
    /// The dialect has no way to say this.
    Unsupported,
    /// A number outside the range of the wire type or of the Rust type.
    NumberRange,
    /// The data does not fit the Rust type that is being read or written.
    Data,
    /// The reader or writer failed.
    Io,
}

impl ErrorKind {
    /// Name of the engine's error for the same condition, such as `ERR_INVALID_DATA`; `None` where
    /// the engine has no such check.
    pub fn engine_code(self) -> Option<&'static str> {
        use ErrorKind::*;
        Some(match self {
            UnexpectedEof | LengthLimit | InvalidUtf8 | UnknownType | OldNodePath
            | InvalidElementType | UnknownClass | InvalidScript => "ERR_INVALID_DATA",
            StringLength => "ERR_FILE_EOF",
            ObjectsNotAllowed => "ERR_UNAUTHORIZED",
            ClassUnavailable | ScriptUnavailable => "ERR_UNAVAILABLE",
            DepthLimit => "ERR_OUT_OF_MEMORY",
            _ => return None,
        })
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
            path: Path::default(),
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

    /// `bytes` start at `at`.
    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let found = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        Error::at(
            ErrorKind::InvalidUtf8,
            at.saturating_add(error.valid_up_to()),
            format!("expected UTF-8 text, found the byte {found:#04x}"),
        )
    }

    /// Keeps the offset of the innermost place: errors from `serde` come without one.
    #[cold]
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    #[cold]
    pub(crate) fn shifted(mut self, base: usize) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(base));
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self
    }

    #[cold]
    pub(crate) fn in_field(mut self, key: &str) -> Self {
        self.0.path.push_outer(Segment::key(key));
        self
    }

    #[cold]
    pub(crate) fn in_index(mut self, index: usize) -> Self {
        self.0.path.push_outer(Segment::Index(index));
        self
    }

    #[cold]
    pub(crate) fn in_segment(mut self, segment: Segment) -> Self {
        self.0.path.push_outer(segment);
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Byte offset in the input of the first byte that is wrong; `None` for errors of encoding.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Where in the data: from the root to the value at fault.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The sentence without offset and path.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Name of the engine's error for the same condition; see [`ErrorKind::engine_code`].
    pub fn engine_code(&self) -> Option<&'static str> {
        self.0.kind.engine_code()
    }

    /// Whether the input ended too early.
    pub fn is_eof(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::UnexpectedEof | ErrorKind::StringLength | ErrorKind::LengthLimit
        )
    }

    /// Whether the reader or writer failed.
    pub fn is_io(&self) -> bool {
        self.0.kind == ErrorKind::Io
    }

    /// Whether well-formed data did not fit the Rust type.
    pub fn is_data(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Data | ErrorKind::NumberRange | ErrorKind::Unsupported)
    }

    /// Whether the bytes are not well-formed, or beyond a limit.
    pub fn is_syntax(&self) -> bool {
        !self.is_eof() && !self.is_io() && !self.is_data()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.0.offset {
            write!(f, " at byte {offset:#x}")?;
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
        Error::new(ErrorKind::Data, format!("expected {expected}, found {}", Found(unexpected)))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let kind = match unexpected {
            de::Unexpected::Signed(_) | de::Unexpected::Unsigned(_) | de::Unexpected::Float(_) => {
                ErrorKind::NumberRange
            }
            _ => ErrorKind::Data,
        };
        Error::new(kind, format!("expected {expected}, found {}", Found(unexpected)))
    }

    fn invalid_length(len: usize, expected: &dyn de::Expected) -> Self {
        Error::new(ErrorKind::Data, format!("expected {expected}, found {}", Count(len, "element")))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::new(
            ErrorKind::Data,
            format!("unknown variant `{}`, expected {}", Shortened(variant), OneOf(expected)),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Error::new(
            ErrorKind::Data,
            format!("unknown field `{}`, expected {}", Shortened(field), OneOf(expected)),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Error::new(ErrorKind::Data, format!("field `{field}` is missing"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Error::new(ErrorKind::Data, format!("field `{field}` is there twice"))
    }
}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(msg: T) -> Self {
        Error::new(ErrorKind::Data, msg.to_string())
    }
}

/// `serde`'s description of what was found, with long text cut off.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Str(text) => write!(f, "string \"{}\"", Shortened(text)),
            de::Unexpected::Unit => f.write_str("nil"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "integer {value}"),
            de::Unexpected::Signed(value) => write!(f, "integer {value}"),
            de::Unexpected::Float(value) => write!(f, "float {value}"),
            de::Unexpected::Seq => f.write_str("an array"),
            de::Unexpected::Map => f.write_str("a dictionary"),
            other => other.fmt(f),
        }
    }
}

struct OneOf(&'static [&'static str]);

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

/// How many of something there are, in words.
pub(crate) struct Count(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1.strip_suffix('y')) {
            (1, _) => write!(f, "1 {}", self.1),
            (count, Some(stem)) => write!(f, "{count} {stem}ies"),
            (count, None) => write!(f, "{count} {}s", self.1),
        }
    }
}

/// At most 32 bytes of foreign text, so that messages stay short and harmless.
pub(crate) struct Shortened<'a>(pub(crate) &'a str);

impl Shortened<'_> {
    const MOST: usize = 32;
}

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = (0..=Self::MOST).rev().find(|&at| self.0.is_char_boundary(at)).unwrap_or(0);
        let head = self.0.get(..end).filter(|_| self.0.len() > Self::MOST);
        // Single quotes never stand around foreign text, so they need no escape.
        for (index, part) in head.unwrap_or(self.0).split('\'').enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "'" }, part.escape_debug())?;
        }
        f.write_str(if head.is_some() { "…" } else { "" })
    }
}

/// The first characters of a key, [`Shortened`]. A key may hold a whole document, so no more of it
/// is printed than is shown.
fn beginning(key: &crate::Value) -> String {
    struct Beginning(String);
    impl fmt::Write for Beginning {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > Shortened::MOST { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut shown = Beginning(String::new());
    // The error only says that there is more.
    let _ = fmt::write(&mut shown, format_args!("{key:?}"));
    Shortened(&shown.0).to_string()
}

/// The way from the root of the data to one value: `players[3].name`.
///
/// At most 64 segments are kept, the innermost ones; `…` stands for the rest.
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
    /// A string key of a dictionary, a field or a property.
    Key(String),
    /// Position in an array, from 0.
    Index(usize),
    /// A dictionary key that is not a string, in readable form.
    Other(String),
}

impl Segment {
    pub(crate) fn key(key: &str) -> Self {
        Segment::Key(Shortened(key).to_string())
    }

    pub(crate) fn of_key(key: &crate::Value) -> Self {
        match key.as_str() {
            Some(text) => Segment::key(text),
            None => Segment::Other(beginning(key)),
        }
    }

    /// Whether a dot joins it to what stands before it.
    fn is_identifier(&self) -> bool {
        let Segment::Key(key) = self else { return false };
        let mut chars = key.chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| c == '_' || c.is_alphanumeric())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Other(key) => write!(f, "[{key}]"),
            Segment::Key(key) if self.is_identifier() => f.write_str(key),
            Segment::Key(key) => write!(f, "[\"{key}\"]"),
        }
    }
}

impl Path {
    const MOST: usize = 64;

    fn push_outer(&mut self, segment: Segment) {
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

    /// Whether outer steps are missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
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
        let mut first = !self.cut;
        for segment in self.segments() {
            if !first && segment.is_identifier() {
                f.write_str(".")?;
            }
            segment.fmt(f)?;
            first = false;
        }
        Ok(())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
