use std::borrow::Cow;
use std::fmt;

use gamewire_core::Notation;
use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::{self, Nouns};

pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The names that BSON has for the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "null", list: "an array", map: "a document" };

/// The name of the bytes that a file is decompressed to.
pub(crate) const DECOMPRESSED: &str = "decompressed body";

/// An error: the sentence, the offset and the path.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in Object.Children[3].Name`.
pub struct Error(Box<Details<ErrorKind, Decompressed>>);

/// Whether the offset counts in the decompressed body and not in the file.
type Decompressed = bool;

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
    /// More than [`max_memory`](crate::Options::max_memory) bytes of memory to hold.
    MemoryLimit,
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
    /// A mesh that is damaged, or of a version that nothing is known of.
    Mesh,
    /// Text that is not the JSON notation.
    Json,
    /// A value that the format cannot say, or a feature of the crate that is off.
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
    #[doc(hidden)]
    pub fn data(message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(ErrorKind::Data, message)
    }

    #[cold]
    #[doc(hidden)]
    pub fn range(message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(ErrorKind::NumberRange, message)
    }

    #[cold]
    #[doc(hidden)]
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(ErrorKind::Unsupported, message)
    }

    /// `left` bytes after the end.
    #[cold]
    pub(crate) fn trailing(at: usize, left: usize) -> Self {
        let more = Count(left, "byte");
        Error::at(ErrorKind::TrailingBytes, at, format!("expected the end, found {more} more"))
    }

    /// `what` takes more memory than it may.
    #[cold]
    #[doc(hidden)]
    pub fn memory(what: &str) -> Self {
        Error::new(
            ErrorKind::MemoryLimit,
            format!("{what} takes more memory than max_memory allows"),
        )
    }

    /// More levels than the limit of this name allows.
    #[cold]
    #[inline(never)]
    pub(crate) fn too_deep(limit: usize, name: &'static str) -> Self {
        let message = format!("nested deeper than {name}, which is {limit}");
        Error::new(ErrorKind::DepthLimit, message)
    }

    /// The same key twice in a document.
    #[cold]
    #[inline(never)]
    pub(crate) fn duplicate_key(key: &str) -> Self {
        let message = format!("duplicate key \"{}\"", Shortened(key));
        Error::new(ErrorKind::DuplicateKey, message)
    }

    /// The same where it is known `who` has the key.
    #[cold]
    pub(crate) fn duplicate_keys(key: &str, who: &str) -> Self {
        let message = format!("duplicate key \"{}\": {who} have it", Shortened(key));
        Error::new(ErrorKind::DuplicateKey, message)
    }

    /// `bytes` start at `at`.
    #[cold]
    #[doc(hidden)]
    pub fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let message = words::invalid_utf8(bytes, error);
        Error::at(ErrorKind::InvalidUtf8, at.saturating_add(error.valid_up_to()), message)
    }

    /// Says that the offset, where there is one, counts in the decompressed body.
    #[cold]
    #[must_use]
    pub fn in_decompressed(mut self) -> Self {
        self.0.more = self.0.offset.is_some();
        self
    }

    /// Says how text is borrowed, where a type wants that of a file which is decompressed.
    #[cold]
    pub(crate) fn unless_borrowed(mut self) -> Self {
        if self.0.message.starts_with("expected a borrowed ") {
            self.0.message = Cow::Borrowed(
                "expected data to borrow, found a packed file, from which `open` and `Body::read` borrow",
            );
        }
        self
    }

    /// With another path.
    #[cold]
    pub(crate) fn in_path(mut self, path: Path) -> Self {
        self.0.path = path;
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self.0.more = false;
        self
    }

    /// An error that serde or a type raises.
    #[cold]
    fn of_serde(cause: SerdeError, message: String) -> Self {
        let kind = match cause {
            SerdeError::Range => ErrorKind::NumberRange,
            SerdeError::Duplicate(_) => ErrorKind::DuplicateKey,
            _ => ErrorKind::Data,
        };
        Error::new(kind, message)
    }

    /// Offset of the first byte that is wrong; `None` for errors of writing.
    ///
    /// Errors of the container count in the file. Errors of the BSON count in the BSON, which is
    /// in the file only where it is not compressed: see [`space`](Self::space).
    pub fn offset(&self) -> Option<usize> {
        self.0.offset()
    }

    /// The name of the bytes in which the offset counts, as explanations call them:
    /// `decompressed body`; `None` for the file itself.
    pub fn space(&self) -> Option<&'static str> {
        self.0.more.then_some(DECOMPRESSED)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Dotted, |f, at| match self.space() {
            Some(space) => write!(f, " at byte {at:#x} of the {space}"),
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
