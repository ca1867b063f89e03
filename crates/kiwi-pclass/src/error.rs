use std::borrow::Cow;
use std::fmt;

use serde_core::{de, ser};

/// The result of every function of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, at which bit of the input, and where in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in players[3].name`; where the place is not the
/// start of a byte, `at byte 0x1f bit 3`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    /// In bits.
    offset: Option<usize>,
    inflated: bool,
    path: Path,
    source: Option<std::io::Error>,
}

/// The class of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value, a length or a size reaches past the end of the input.
    UnexpectedEof,
    /// Text that is not UTF-8, or not UTF-16, where Rust text was asked for.
    InvalidText,
    /// The root object is null, or an object is null where none may be.
    Null,
    /// A class hash that the schema does not have.
    UnknownClass,
    /// A property hash that the class does not have.
    UnknownProperty,
    /// The name of an enum's option that the schema does not have.
    UnknownOption,
    /// A property of a type whose layout nobody knows.
    UnsupportedType,
    /// An object or a property is longer or shorter than its size says.
    SizeMismatch,
    /// A property that is never left out under the serializer's flags is absent.
    MissingDelta,
    /// Compressed data is malformed, or not as long as its size says.
    Compression,
    /// The magic of a file, the flags word or the length of an envelope is wrong.
    Frame,
    /// Objects nested deeper than [`max_depth`](crate::Options::max_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write or to inflate.
    OutputLimit,
    /// Bytes after the end of the object.
    TrailingBytes,
    /// A type list, or a schema made from Rust types, is not one.
    Schema,
    /// The document in another notation (JSON, XML) is malformed.
    Syntax,
    /// The format, or this build of the crate, has no way to say this.
    Unsupported,
    /// A number outside the range of the declared type or of the Rust type.
    NumberRange,
    /// The data does not fit the declared type, or the Rust type that is being read or written.
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
            inflated: false,
            path: Path::default(),
            source: None,
        }))
    }

    /// `bit` counts from the start of the input.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(kind: ErrorKind, bit: usize, message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Error::new(kind, message);
        error.0.offset = Some(bit);
        error
    }

    #[cold]
    pub(crate) fn io(source: std::io::Error) -> Self {
        let mut error = Error::new(ErrorKind::Io, source.to_string());
        error.0.source = Some(source);
        error
    }

    /// Keeps the offset of the innermost place: errors from `serde` come without one.
    #[cold]
    pub(crate) fn or_at(mut self, bit: usize) -> Self {
        self.0.offset.get_or_insert(bit);
        self
    }

    /// The offset counts from the start of what was inflated.
    #[cold]
    pub(crate) fn in_inflated(mut self, inflated: bool) -> Self {
        self.0.inflated |= inflated;
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

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Byte offset in the input of the place that is wrong; `None` for errors of encoding.
    ///
    /// Where the input is compressed, the offset counts in the inflated data, see
    /// [`is_inflated`](Self::is_inflated).
    pub fn offset(&self) -> Option<usize> {
        self.0.offset.map(|bit| bit >> 3)
    }

    /// The same in bits: eight times the byte offset, and the bits of that byte before the place,
    /// counted from its lowest.
    pub fn bit_offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Whether offsets count from the start of the inflated data and not from that of the input.
    pub fn is_inflated(&self) -> bool {
        self.0.inflated
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
        self.0.kind == ErrorKind::UnexpectedEof
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
            write!(f, " at byte {:#x}", offset >> 3)?;
            if offset & 7 != 0 {
                write!(f, " bit {}", offset & 7)?;
            }
            if self.0.inflated {
                f.write_str(" of the inflated data")?;
            }
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
            de::Unexpected::Unit => f.write_str("null"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "integer {value}"),
            de::Unexpected::Signed(value) => write!(f, "integer {value}"),
            de::Unexpected::Float(value) => write!(f, "float {value}"),
            de::Unexpected::Seq => f.write_str("a list"),
            de::Unexpected::Map => f.write_str("an object"),
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
    /// A property or a field.
    Key(String),
    /// Position in a list, from 0.
    Index(usize),
}

impl Segment {
    pub(crate) fn key(key: &str) -> Self {
        Segment::Key(Shortened(key).to_string())
    }

    /// Whether a dot joins it to what stands before it.
    fn is_identifier(&self) -> bool {
        let Segment::Key(key) = self else { return false };
        let mut chars = key.chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| matches!(c, '_' | '.' | ':') || c.is_alphanumeric())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Index(index) => write!(f, "[{index}]"),
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
