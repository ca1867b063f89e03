use std::borrow::Cow;
use std::fmt;

use gamewire_core::Notation;
use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::Nouns;
pub(crate) use gamewire_core::words::{Count, Shortened};
pub use gamewire_core::{Path, Segment};

use crate::schema::Class;

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: its kind, the bit of the input, and the path in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a string, found integer 5 at byte 0x1f, in players[3].name`; where the place is not the
/// start of a byte, `at byte 0x1f bit 3`.
pub struct Error(Box<Details<ErrorKind, Inflated>>);

/// Whether the offset, which is in bits, counts in what was inflated.
type Inflated = bool;

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
    /// A property of a type of unknown layout.
    UnsupportedType,
    /// An object or a property is longer or shorter than its size says.
    SizeMismatch,
    /// A property that is never left out under the serializer's flags is absent.
    MissingDelta,
    /// Compressed data is malformed, or not as long as its size says.
    Compression,
    /// Data of an archive that is not what its checksum says.
    Checksum,
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
    /// The memory limit was reached.
    #[cold]
    pub(crate) fn memory(what: &str) -> Self {
        let message = format!("{what} takes more memory than max_memory allows");
        Error::new(ErrorKind::MemoryLimit, message)
    }

    /// An error at a byte, whose bits may be more than a `usize` counts.
    #[cold]
    pub(crate) fn at_byte(
        kind: ErrorKind,
        byte: usize,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Error::new(kind, message).or_at_byte(byte)
    }

    /// Adds an offset in bytes if there is none.
    #[cold]
    pub(crate) fn or_at_byte(mut self, byte: usize) -> Self {
        self.0.offset.get_or_insert((byte as u64).saturating_mul(8));
        self
    }

    /// The offset counts from the start of what was inflated.
    #[cold]
    pub(crate) fn in_inflated(mut self, inflated: bool) -> Self {
        self.0.more |= inflated;
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self
    }

    /// Names the class in serde's word that a field is absent, and the property of the class that is most like
    /// it.
    #[cold]
    pub(crate) fn in_class(mut self, class: &Class) -> Self {
        const WORDS: &str = "missing field `";
        // A value in a property has a path, and an object without one has its name.
        let field = self.0.message.strip_prefix(WORDS).and_then(|rest| rest.strip_suffix('`'));
        if let (Some(field), true) = (field, self.0.path.is_empty()) {
            let mut message = format!("{WORDS}{field}` of `{}`", class.name());
            let near = class.properties().iter().map(|property| {
                let pairs = || property.name().bytes().zip(field.bytes());
                let before = pairs().take_while(|(a, b)| a == b).count();
                let turned = property.name().bytes().rev().zip(field.bytes().rev());
                let same = before.max(turned.take_while(|(a, b)| a == b).count());
                (same, property.name())
            });
            let near =
                near.max_by_key(|(same, name)| (*same, usize::MAX.saturating_sub(name.len())));
            if let Some((same, name)) = near
                && name != field
                && same.saturating_mul(2) > field.len()
            {
                message = format!("{message} with the property `{name}`");
            }
            self.0.message = message.into();
        }
        self
    }

    /// An error of serde or of a type.
    #[cold]
    fn of_serde(cause: SerdeError, message: String) -> Self {
        let is_range = cause == SerdeError::Range;
        Error::new(if is_range { ErrorKind::NumberRange } else { ErrorKind::Data }, message)
    }

    /// Byte offset in the input of the place that is wrong; `None` for errors of encoding.
    ///
    /// Where the input is compressed, the offset counts in the inflated data, see
    /// [`is_inflated`](Self::is_inflated).
    pub fn offset(&self) -> Option<usize> {
        usize::try_from(self.0.offset? >> 3).ok()
    }

    /// The same in bits: eight times the byte offset, and the bits of that byte before the place,
    /// counted from its lowest.
    pub fn bit_offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Whether offsets count from the start of the inflated data and not from that of the input.
    pub fn is_inflated(&self) -> bool {
        self.0.more
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Dotted, |f, bit| {
            write!(f, " at byte {:#x}", bit >> 3)?;
            if bit & 7 != 0 {
                write!(f, " bit {}", bit & 7)?;
            }
            f.write_str(if self.0.more { " of the inflated data" } else { "" })
        })
    }
}

gamewire_core::error_type! {
    Error, ErrorKind, NOUNS;
    bits: 1;
    eof: UnexpectedEof;
    data: Data | NumberRange | Unsupported;
}

/// The format's words for the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "null", list: "a list", map: "an object" };
