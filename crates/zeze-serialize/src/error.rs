use std::borrow::Cow;
use std::fmt;

use gamewire_core::words::{self, Complaint, Nouns};
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};
/// What the format calls the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "nothing", list: "a list", map: "a map" };

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value.
    UnexpectedEof,
    /// A count or length that what is left of the input cannot hold.
    LengthLimit,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// An unsigned integer whose first byte is above `f0`, where the format has 32 bits at most; with
    /// [`strict`](crate::Options::strict) also an integer that is not in its shortest form.
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

    /// With an offset, if there is one.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(
        kind: ErrorKind,
        offset: impl Into<Option<usize>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Error::new(kind, message);
        error.0.offset = offset.into();
        error
    }

    /// What is read takes more memory than it may.
    #[cold]
    pub(crate) fn memory(what: &str, at: usize) -> Self {
        let text = format!("{what} takes more memory than max_memory allows");
        Error::at(ErrorKind::MemoryLimit, at, text)
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
        let wrong = at.saturating_add(error.valid_up_to());
        Error::at(ErrorKind::InvalidUtf8, wrong, words::invalid_utf8(bytes, error))
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

    /// Sets the offset, and returns the one before.
    #[cfg(feature = "explain")]
    pub(crate) fn move_to(&mut self, offset: Option<usize>) -> Option<usize> {
        std::mem::replace(&mut self.0.offset, offset)
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self
    }

    /// Adds the step around those that the path has: a name, a position, or any other step.
    #[cold]
    pub(crate) fn inside(mut self, step: impl Into<Segment>) -> Self {
        self.0.path.push_outer(step);
        self
    }

    /// What serde or a type says.
    #[cold]
    fn of_serde(complaint: Complaint, message: String) -> Self {
        match complaint {
            Complaint::Range => Error::new(ErrorKind::NumberRange, message),
            Complaint::Missing(field) => Error::new(
                ErrorKind::Data,
                format!(
                    "field `{field}` cannot be found by its name: beans have ids, which flattened \
                     structs and tagged enums do not keep"
                ),
            ),
            _ => Error::new(ErrorKind::Data, message),
        }
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

    /// How many bytes are missing, at least, until a frame at the end of the input is whole. `None`
    /// if more input would not help, so that it also is for the bean in a whole frame.
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
