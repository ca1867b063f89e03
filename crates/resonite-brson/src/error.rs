use std::borrow::Cow;
use std::fmt;

use gamewire_core::words::{self, Complaint, Nouns};

pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

/// The result of every function of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What BSON calls the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "null", list: "an array", map: "a document" };

/// The name of the bytes that a file is decompressed to.
pub(crate) const DECOMPRESSED: &str = "decompressed body";

/// What went wrong, at which byte, and where in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in Object.Children[3].Name`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    offset: Option<usize>,
    /// Whether the offset counts in the decompressed body and not in the file.
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
    fn boxed(kind: ErrorKind, offset: Option<usize>, message: Cow<'static, str>) -> Self {
        let (path, source) = (Path::default(), None);
        Error(Box::new(Inner { kind, message, offset, decompressed: false, path, source }))
    }

    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error::boxed(kind, None, message.into())
    }

    #[cold]
    pub(crate) fn at(kind: ErrorKind, at: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Error::boxed(kind, Some(at), message.into())
    }

    /// `left` bytes after the end.
    #[cold]
    pub(crate) fn trailing(at: usize, left: usize) -> Self {
        let more = Count(left, "byte");
        Error::at(ErrorKind::TrailingBytes, at, format!("expected the end, found {more} more"))
    }

    /// What is read takes more memory than it may.
    #[cold]
    pub(crate) fn memory(what: &str) -> Self {
        Error::new(
            ErrorKind::MemoryLimit,
            format!("{what} takes more memory than max_memory allows"),
        )
    }

    #[cold]
    pub(crate) fn io(source: std::io::Error) -> Self {
        let mut own = Error::new(ErrorKind::Io, source.to_string());
        own.0.source = Some(source);
        own
    }

    /// `bytes` start at `at`.
    #[cold]
    pub(crate) fn invalid_utf8(bytes: &[u8], at: usize, error: std::str::Utf8Error) -> Self {
        let message = words::invalid_utf8(bytes, error);
        Error::at(ErrorKind::InvalidUtf8, at.saturating_add(error.valid_up_to()), message)
    }

    /// Keeps the offset of the innermost place: errors from `serde` come without one.
    #[cold]
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// The offset, where there is one, counts in the decompressed body.
    #[cold]
    pub(crate) fn in_decompressed(mut self) -> Self {
        self.0.decompressed = self.0.offset.is_some();
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
        self.0.decompressed = false;
        self
    }

    #[cold]
    pub(crate) fn in_field(mut self, key: &str) -> Self {
        self.0.path.push_outer(key);
        self
    }

    #[cold]
    pub(crate) fn in_index(mut self, index: usize) -> Self {
        self.0.path.push_outer(index);
        self
    }

    /// What serde or a type says.
    #[cold]
    fn of_serde(complaint: Complaint, message: String) -> Self {
        let kind = match complaint {
            Complaint::Range => ErrorKind::NumberRange,
            Complaint::Duplicate(_) => ErrorKind::DuplicateKey,
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

    /// Offset of the first byte that is wrong; `None` for errors of writing.
    ///
    /// Errors of the container count in the file. Errors of the BSON count in the BSON, which is
    /// in the file only where it is not compressed: see [`space`](Self::space).
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The name of the bytes in which the offset counts, as explanations call them:
    /// `decompressed body`; `None` for the file itself.
    pub fn space(&self) -> Option<&'static str> {
        self.0.decompressed.then_some(DECOMPRESSED)
    }

    /// Where in the data: from the root to the value at fault.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether the input ended too early.
    pub fn is_eof(&self) -> bool {
        matches!(self.kind(), ErrorKind::UnexpectedEof)
    }

    /// Whether the reader or writer failed.
    pub fn is_io(&self) -> bool {
        matches!(self.kind(), ErrorKind::Io)
    }

    /// Whether well-formed data did not fit the Rust type.
    pub fn is_data(&self) -> bool {
        use ErrorKind::{Data, NumberRange, Unsupported};
        matches!(self.kind(), Data | NumberRange | Unsupported)
    }

    /// Whether the bytes are not well-formed, or beyond a limit.
    pub fn is_syntax(&self) -> bool {
        !(self.is_eof() || self.is_io() || self.is_data())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { message, offset, path, .. } = &*self.0;
        f.write_str(message)?;
        match (offset, self.space()) {
            (Some(at), Some(space)) => write!(f, " at byte {at:#x} of the {space}")?,
            (Some(at), None) => write!(f, " at byte {at:#x}")?,
            (None, _) => {}
        }
        if path.is_empty() { Ok(()) } else { write!(f, ", in {path}") }
    }
}

gamewire_core::error_traits!(Error, NOUNS);
