//! What can go wrong, where, and in which words.

use std::borrow::Cow;
use std::fmt;

use gamewire_core::words::{self, Complaint, Nouns};
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

/// How errors call the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "nil", list: "an array", map: "a dictionary" };

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
    needed: Option<usize>,
}

/// The class of an [`Error`].
///
/// [`ErrorKind::engine_code`] is the name of the engine error that the same bytes cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A frame, a header, a fixed payload or a count does not fit into what is left of the input.
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
    /// The magic or the base64 text around the variant is wrong.
    Frame,
    /// Compressed data that does not unpack, or to another length than its file says.
    Damaged,
    /// An encrypted file, and no key for it.
    KeyMissing,
    /// A key or password that does not open the file.
    WrongKey,
    /// A packet that the other side of a session may not send, or that this side cannot.
    Protocol,
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
            needed: None,
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

    /// That many bytes are missing.
    #[cold]
    pub(crate) fn needing(mut self, bytes: usize) -> Self {
        self.0.needed = Some(bytes);
        self
    }

    /// `bytes` start at `at`.
    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let offset = at.saturating_add(error.valid_up_to());
        Error::at(ErrorKind::InvalidUtf8, offset, words::invalid_utf8(bytes, error))
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

    /// The error is inside of the value at this step; the innermost step comes first.
    #[cold]
    pub(crate) fn inside(mut self, step: impl Into<Segment>) -> Self {
        self.0.path.push_outer(step);
        self
    }

    /// What serde or a type says.
    #[cold]
    fn of_serde(complaint: Complaint, message: String) -> Self {
        let kind = match complaint {
            Complaint::Range => ErrorKind::NumberRange,
            _ => ErrorKind::Data,
        };
        Error::new(kind, message)
    }

    /// The first bit that is wrong.
    #[cfg(feature = "explain")]
    fn bit(&self) -> Option<u64> {
        u64::try_from(self.0.offset?).ok()?.checked_mul(8)
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

    /// Name of the engine's error for the same condition; see [`ErrorKind::engine_code`]. `None`
    /// for a frame that is cut off, in which the engine does not look at the variant.
    pub fn engine_code(&self) -> Option<&'static str> {
        if self.0.needed.is_some() {
            return None;
        }
        self.0.kind.engine_code()
    }

    /// How many bytes are missing, at least, until a frame at the end of the input is whole. `None`
    /// if more input would not help, so that it also is for the variant in a whole frame.
    pub fn needed(&self) -> Option<usize> {
        self.0.needed
    }

    /// The error of the reader or writer: its kind says whether it was a timeout.
    pub fn io_error(&self) -> Option<&std::io::Error> {
        self.0.source.as_ref()
    }

    /// Whether the input ended too early. In a stream [`needed`](Self::needed) says whether to wait
    /// for more of it.
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

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::io(error)
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

gamewire_core::error_traits!(Error, NOUNS);
