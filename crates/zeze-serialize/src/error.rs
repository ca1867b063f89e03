use std::fmt;

use gamewire_core::Notation;
use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::{self, Nouns};
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};
/// The format's words for the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "nothing", list: "a list", map: "a map" };

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: its kind, the byte of the input, and the path in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in players[3].name`.
pub struct Error(Box<Details<ErrorKind, Needed>>);

/// How many bytes are missing.
type Needed = Option<usize>;

/// The class of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value, or before what a count or length claims.
    UnexpectedEof,
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
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth), or Rust types deeper
    /// than [`max_typed_depth`](crate::Options::max_typed_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write.
    OutputLimit,
    /// More than [`max_memory`](crate::Options::max_memory) bytes of memory to hold.
    MemoryLimit,
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
    /// Reading `what` takes more memory than it may.
    #[cold]
    pub(crate) fn memory(what: &str, at: usize) -> Self {
        let text = format!("{what} takes more memory than max_memory allows");
        Error::at(ErrorKind::MemoryLimit, at, text)
    }

    /// That many bytes are missing.
    #[cold]
    pub(crate) fn needing(mut self, bytes: usize) -> Self {
        self.0.more = Some(bytes);
        self
    }

    /// `bytes` start at `at`.
    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let wrong = at.saturating_add(error.valid_up_to());
        Error::at(ErrorKind::InvalidUtf8, wrong, words::invalid_utf8(bytes, error))
    }

    /// Sets the offset, and returns the one before.
    #[cfg(feature = "explain")]
    pub(crate) fn move_to(&mut self, offset: Option<u64>) -> Option<u64> {
        std::mem::replace(&mut self.0.offset, offset)
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self
    }

    /// An error that serde or a type reports.
    #[cold]
    fn of_serde(cause: SerdeError, message: String) -> Self {
        match cause {
            SerdeError::Range => Error::new(ErrorKind::NumberRange, message),
            SerdeError::Missing(field) => Error::new(
                ErrorKind::Data,
                format!(
                    "field `{field}` cannot be found by its name: beans have ids, which flattened \
                     structs and tagged enums do not keep"
                ),
            ),
            _ => Error::new(ErrorKind::Data, message),
        }
    }

    /// Byte offset in the input of the first byte that is wrong; `None` for errors of encoding.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset()
    }

    /// How many bytes are missing, at least, until a frame at the end of the input is whole. `None`
    /// if more input would not help, and so for a bean that is cut inside a whole frame.
    pub fn needed(&self) -> Option<usize> {
        self.0.more
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Dotted, |f, at| write!(f, " at byte {at:#x}"))
    }
}

gamewire_core::error_type! {
    Error, ErrorKind, NOUNS;
    bits: 8;
    eof: UnexpectedEof;
    data: Data | NumberRange | Unsupported | Incompatible | FieldId | MixedTypes;
}
