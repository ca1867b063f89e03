use std::borrow::Cow;
use std::fmt;

use serde_core::{de, ser};

/// The result of every function of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, at which byte, and where in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in Object.Children[3].Name`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    offset: Option<usize>,
    /// Whether the offset counts in the decompressed BSON and not in the file.
    decompressed: bool,
    path: Path,
    source: Option<std::io::Error>,
}

/// The class of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends before what it announces: a header, a compressed body, the root document.
    UnexpectedEof,
    /// The length of a document is wrong: too small, past the document around it, or not where the
    /// elements end.
    DocumentLength,
    /// The length of a string, of binary data or of code is wrong, or its end is not NUL.
    StringLength,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// A type byte that BSON does not have.
    UnknownType,
    /// A key with NUL in it, on writing.
    InvalidKey,
    /// A key that one document has twice, which the engine refuses.
    DuplicateKey,
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth) or
    /// [`max_typed_depth`](crate::Options::max_typed_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes of BSON, decompressed or written.
    OutputLimit,
    /// Bytes after the end.
    TrailingBytes,
    /// [`strict`](crate::Options::strict) input that would be written differently.
    NotCanonical,
    /// A header of a version or kind that nothing is known of.
    Header,
    /// A compressed body that is damaged.
    Compression,
    /// A checksum or hash that does not fit what it is of.
    Checksum,
    /// A package that is damaged, or whose parts do not belong together.
    Package,
    /// Text that is not the JSON notation.
    Json,
    /// What the format cannot say, or what a feature of the crate that is off would do.
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
            decompressed: false,
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

    /// The offset, where there is one, counts in the decompressed BSON.
    #[cold]
    pub(crate) fn in_decompressed(mut self) -> Self {
        self.0.decompressed = self.0.offset.is_some();
        self
    }

    #[cold]
    #[allow(dead_code, reason = "for the container and the package")]
    pub(crate) fn shifted(mut self, base: usize) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(base));
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self.0.decompressed = false;
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

    /// Offset of the first byte that is wrong; `None` for errors of writing.
    ///
    /// Errors of the container count in the file. Errors of the BSON count in the BSON, which is
    /// the file only where it is not compressed: see [`is_decompressed`](Self::is_decompressed).
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Whether the offset counts in the decompressed BSON and not in the file.
    pub fn is_decompressed(&self) -> bool {
        self.0.decompressed
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
            write!(f, " at byte {offset:#x}")?;
            if self.0.decompressed {
                f.write_str(" of the decompressed BSON")?;
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
        Error::new(ErrorKind::DuplicateKey, format!("duplicate field `{field}`"))
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
            de::Unexpected::Float(value) => write!(f, "double {value}"),
            de::Unexpected::Seq => f.write_str("an array"),
            de::Unexpected::Map => f.write_str("a document"),
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

/// The way from the root of the data to one value: `Object.Children[3].Name`.
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
    /// A key of a document.
    Key(String),
    /// Position in an array, from 0.
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
            && chars.all(|c| c == '_' || c == '-' || c.is_alphanumeric())
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
