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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value.
    UnexpectedEof,
    /// A count or length that what is left of the input cannot hold.
    LengthLimit,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// An unsigned integer whose first byte is above `f0`, where the format has 32 bits at most.
    InvalidVarint,
    /// One of the wire types 13 to 15, which nothing defines.
    UnknownType,
    /// A tag without id that is neither the end of the bean nor the end of a layer.
    ReservedTag,
    /// A field id that is 0 or above 2³¹ − 1.
    InvalidId,
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write.
    OutputLimit,
    /// Bytes after the end of the value.
    TrailingBytes,
    /// A value of a wire type that does not convert, where
    /// [`strict`](crate::Options::strict) is on.
    Incompatible,
    /// The fields of a Rust struct are not numbered as the format needs it.
    FieldId,
    /// Elements of more than one wire type in one container.
    MixedTypes,
    /// A frame's header is wrong.
    Frame,
    /// The format has no way to say this.
    Unsupported,
    /// A number outside the range of the wire type or of the Rust type.
    NumberRange,
    /// The data does not fit the Rust type that is being read or written.
    Data,
    /// The reader or writer failed.
    Io,
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

    /// Whether the input ended too early.
    pub fn is_eof(&self) -> bool {
        matches!(self.0.kind, ErrorKind::UnexpectedEof | ErrorKind::LengthLimit)
    }

    /// Whether the reader or writer failed.
    pub fn is_io(&self) -> bool {
        self.0.kind == ErrorKind::Io
    }

    /// Whether well-formed data did not fit the Rust type.
    pub fn is_data(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::Data
                | ErrorKind::NumberRange
                | ErrorKind::Unsupported
                | ErrorKind::Incompatible
                | ErrorKind::FieldId
                | ErrorKind::MixedTypes
        )
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
        Error::new(
            ErrorKind::Data,
            format!(
                "field `{field}` cannot be found by its name: beans have ids, which flattened \
                 structs and tagged enums do not keep"
            ),
        )
    }

    fn duplicate_field(field: &'static str) -> Self {
        Error::new(ErrorKind::Data, format!("duplicate field `{field}`"))
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
            de::Unexpected::Unit => f.write_str("nothing"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "integer {value}"),
            de::Unexpected::Signed(value) => write!(f, "integer {value}"),
            de::Unexpected::Float(value) => write!(f, "float {value}"),
            de::Unexpected::Seq => f.write_str("a list"),
            de::Unexpected::Map => f.write_str("a map"),
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

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX: usize = 32;
        let end = (0..=MAX).rev().find(|&at| self.0.is_char_boundary(at)).unwrap_or(0);
        let head = self.0.get(..end).filter(|_| self.0.len() > MAX);
        // Single quotes never stand around foreign text, so they need no escape.
        for (index, part) in head.unwrap_or(self.0).split('\'').enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "'" }, part.escape_debug())?;
        }
        f.write_str(if head.is_some() { "…" } else { "" })
    }
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
    /// The name of a field, or a map's key that is text.
    Key(String),
    /// Position in a list, from 0.
    Index(usize),
    /// A map's key that is not text, or a field known by its id only, in readable form.
    Other(String),
}

impl Segment {
    pub(crate) fn id(id: u32) -> Self {
        Segment::Other(format!("field {id}"))
    }

    pub(crate) fn base() -> Self {
        Segment::Other("base".into())
    }

    pub(crate) fn key_at(index: usize) -> Self {
        Segment::Other(format!("key {index}"))
    }

    pub(crate) fn entry(index: usize) -> Self {
        Segment::Other(format!("key {index}"))
    }

    pub(crate) fn number(key: i64) -> Self {
        Segment::Other(key.to_string())
    }

    pub(crate) fn bytes(key: &[u8], index: usize) -> Self {
        match std::str::from_utf8(key) {
            Ok(text) => Segment::key(text),
            Err(_) => Segment::entry(index),
        }
    }

    pub(crate) fn key(key: &str) -> Self {
        Segment::Key(Shortened(key).to_string())
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
    pub(crate) const MAX_SEGMENTS: usize = 64;

    fn push_outer(&mut self, segment: Segment) {
        if self.reversed.len() < Self::MAX_SEGMENTS {
            self.reversed.push(segment);
        } else {
            self.cut = true;
        }
    }

    /// From the steps in the order in which errors collect them.
    pub(crate) fn from_innermost(segments: impl Iterator<Item = Segment>) -> Self {
        let mut path = Path::default();
        segments.take(Self::MAX_SEGMENTS.saturating_add(1)).for_each(|segment| path.push_outer(segment));
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
