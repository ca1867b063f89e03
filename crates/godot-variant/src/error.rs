//! Errors: their kinds, offsets, paths and words.

use std::fmt;

use gamewire_core::Notation;
use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::{self, Nouns};
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

/// How errors call the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "nil", list: "an array", map: "a dictionary" };

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with its kind, its byte in the input and its path in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in players[3].name`.
pub struct Error(Box<Details<ErrorKind, More>>);

#[derive(Debug, Default)]
struct More {
    /// How many bytes are missing.
    needed: Option<usize>,
    /// The kind of a length or count that reaches past the input.
    claim: Option<ErrorKind>,
    /// Line and column of the fault in a text.
    position: Option<(usize, usize)>,
}

/// The class of an [`Error`].
///
/// [`ErrorKind::engine_code`] is the name of the engine error that the same bytes cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A frame, a header, a fixed payload or a count does not fit into what is left of the input.
    UnexpectedEof,
    /// A string length is negative.
    StringLength,
    /// A packed array's count is negative.
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
    /// More than [`max_memory`](crate::Options::max_memory) bytes of memory to hold.
    MemoryLimit,
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
    /// A call of a session that its rules forbid.
    Forbidden,
    /// A packet of or for a peer, node or id of a session that was there and is gone: it was on its
    /// way, and the sender has done nothing wrong.
    Gone,
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
    /// That many bytes are missing.
    #[cold]
    pub(crate) fn needing(mut self, bytes: usize) -> Self {
        self.0.more.needed = Some(bytes);
        self
    }

    /// A length or count reaches past the input, which is cut off, or the number is wrong.
    #[cold]
    pub(crate) fn claim(kind: ErrorKind, at: usize, message: String) -> Self {
        let mut error = Error::at(ErrorKind::UnexpectedEof, at, message);
        error.0.more.claim = Some(kind);
        error
    }

    /// The kind, or that of the number which is at fault.
    pub(crate) fn cause(&self) -> ErrorKind {
        self.0.more.claim.unwrap_or(self.0.kind)
    }

    /// `bytes` start at `at`.
    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let offset = at.saturating_add(error.valid_up_to());
        Error::at(ErrorKind::InvalidUtf8, offset, words::invalid_utf8(bytes, error))
    }

    /// Adds line and column of the offset in the text that was read. Both count from 1, columns in
    /// characters.
    #[cold]
    #[must_use]
    pub fn in_text(mut self, text: &str) -> Self {
        let before = self.offset().and_then(|at| text.get(..at));
        self.0.more.position = before.map(|before| {
            let (lines, last) = before.rsplit_once('\n').unwrap_or(("", before));
            let above =
                lines.matches('\n').count().saturating_add(usize::from(last.len() < before.len()));
            (above.saturating_add(1), last.chars().count().saturating_add(1))
        });
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self
    }

    /// Makes an error that serde or a type reports.
    #[cold]
    fn of_serde(cause: SerdeError, message: String) -> Self {
        let kind = match cause {
            SerdeError::Range => ErrorKind::NumberRange,
            _ => ErrorKind::Data,
        };
        Error::new(kind, message)
    }

    /// Byte offset in the input of the first byte that is wrong; `None` for errors of encoding.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset()
    }

    /// Line and column of the fault, for errors of scene and resource files.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.0.more.position
    }

    /// Name of the engine's error for the same condition; see [`ErrorKind::engine_code`]. `None`
    /// for a frame that is cut off, in which the engine does not look at the variant.
    pub fn engine_code(&self) -> Option<&'static str> {
        match self.0.more.needed {
            Some(_) => None,
            None => self.cause().engine_code(),
        }
    }

    /// How many bytes are missing, at least, until a frame at the end of the input is whole. `None`
    /// if more input would not help, so that it also is for the variant in a whole frame.
    pub fn needed(&self) -> Option<usize> {
        self.0.more.needed
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Dotted, |f, at| match self.0.more.position {
            Some((line, column)) => write!(f, " at line {line}, column {column}"),
            None => write!(f, " at byte {at:#x}"),
        })
    }
}

gamewire_core::error_type! {
    Error, ErrorKind, NOUNS;
    bits: 8;
    eof: UnexpectedEof;
    data: Data | NumberRange | Unsupported;
}
