use std::borrow::Cow;
use std::fmt;

use gamewire_core::words::{Complaint, Nouns};
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

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
    /// Objects and lists nested deeper than [`max_depth`](crate::Options::max_depth), or Rust types
    /// deeper than [`max_typed_depth`](crate::Options::max_typed_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write or to inflate.
    OutputLimit,
    /// More than [`max_memory`](crate::Options::max_memory) bytes of memory to hold.
    MemoryLimit,
    /// With [`strict`](crate::Options::strict), what would be written in another way.
    NotCanonical,
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

    /// What is read takes more memory than it may.
    #[cold]
    pub(crate) fn memory(what: &str) -> Self {
        let message = format!("{what} takes more memory than max_memory allows");
        Error::new(ErrorKind::MemoryLimit, message)
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

    /// One step further out on the path.
    #[cold]
    pub(crate) fn within(mut self, segment: impl Into<Segment>) -> Self {
        self.0.path.push_outer(segment);
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
        u64::try_from(self.0.offset?).ok()
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

gamewire_core::error_traits!(Error, NOUNS);

/// What the format calls the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "null", list: "a list", map: "an object" };
