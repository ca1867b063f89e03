use std::fmt;

use crate::Options;
use crate::de::note_in_buffers;
use crate::report::Outcome;
use gamewire_core::Notation;
use gamewire_core::error::{Details, SerdeError};
use gamewire_core::words::Nouns;

pub use gamewire_core::{Path, Segment};

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: what went wrong, its offset in the text, and its path in the data.
///
/// One pointer wide, so that `Result<()>` stays small. `Display` is one sentence:
/// `expected a number, found "x" at line 3, column 17 (byte 0x2a), in /players/3/level`.
pub struct Error(Box<Details<ErrorKind, More>>);

#[derive(Default)]
struct More {
    /// Line and column, both from 1.
    place: Option<(usize, usize)>,
    /// The field of serde's duplicate field.
    duplicate: Option<&'static str>,
}

/// The names that JSON has for the parts of serde's data model.
const NOUNS: Nouns = Nouns { nothing: "null", list: "an array", map: "an object" };

/// The class of an [`Error`].
///
/// Those named as an [`Outcome`] are the engine's; [`ErrorKind::outcome`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ends inside a value.
    UnexpectedEof,
    /// A character that JSON does not allow at its place.
    Syntax,
    /// A number that is not spelled as JSON spells numbers, or too large for a double.
    InvalidNumber,
    /// An escape that does not exist, half a surrogate pair, a control character in a string.
    InvalidString,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Text after the end of the value.
    TrailingBytes,
    /// Containers nested deeper than [`max_depth`](crate::Options::max_depth), or in Rust types deeper than
    /// [`max_typed_depth`](crate::Options::max_typed_depth).
    DepthLimit,
    /// More than [`max_alloc`](crate::Options::max_alloc) bytes to hold.
    AllocLimit,
    /// More memory than [`max_memory`](crate::Options::max_memory) allows.
    MemoryLimit,
    /// More than [`max_output`](crate::Options::max_output) bytes to write.
    OutputLimit,
    /// NaN or an infinity, which JSON cannot spell.
    NotFinite,
    /// A member or element that the type has no place for ([`Outcome::Skipped`]).
    Skipped,
    /// No room for a value: an element that a set has already ([`Outcome::Unavailable`]).
    Unavailable,
    /// A value that does not fit its type ([`Outcome::Unsupported`]).
    Unsupported,
    /// A type that is not the expected one or derived from it ([`Outcome::TypeMismatch`]).
    TypeMismatch,
    /// A `test` operation of a patch failed ([`Outcome::TestFailed`]).
    TestFailed,
    /// Something required is missing ([`Outcome::Missing`]).
    Missing,
    /// Data that contradicts itself ([`Outcome::Invalid`]).
    Invalid,
    /// An unknown type or name ([`Outcome::Unknown`]).
    Unknown,
    /// Data that the engine cannot continue from, such as a cycle ([`Outcome::Catastrophic`]).
    Catastrophic,
    /// The data does not fit the Rust type that is being read or written.
    Data,
    /// The reader or writer failed.
    Io,
}

impl ErrorKind {
    /// Those that are named as an outcome of the engine.
    const OUTCOMES: [(ErrorKind, Outcome); 9] = [
        (ErrorKind::Skipped, Outcome::Skipped),
        (ErrorKind::Unavailable, Outcome::Unavailable),
        (ErrorKind::Unsupported, Outcome::Unsupported),
        (ErrorKind::TypeMismatch, Outcome::TypeMismatch),
        (ErrorKind::TestFailed, Outcome::TestFailed),
        (ErrorKind::Missing, Outcome::Missing),
        (ErrorKind::Invalid, Outcome::Invalid),
        (ErrorKind::Unknown, Outcome::Unknown),
        (ErrorKind::Catastrophic, Outcome::Catastrophic),
    ];

    /// The engine's outcome of the same name.
    pub fn outcome(self) -> Option<Outcome> {
        let mut named = Self::OUTCOMES.iter();
        named.find(|(kind, _)| *kind == self).map(|(_, outcome)| *outcome)
    }

    pub(crate) fn of(outcome: Outcome) -> Self {
        let outcome = if outcome == Outcome::PartialSkip { Outcome::Skipped } else { outcome };
        let mut named = Self::OUTCOMES.iter();
        named.find(|(_, own)| *own == outcome).map_or(ErrorKind::Unsupported, |(kind, _)| *kind)
    }
}

impl Error {
    /// An error of a crate over this one, without a place.
    #[cold]
    pub fn with_kind(kind: ErrorKind, message: String) -> Self {
        Error::new(kind, message)
    }

    #[cold]
    pub(crate) fn memory(options: &Options) -> Self {
        let message = match options.limits.max_memory {
            Some(most) => format!("more than max_memory, which is {most} bytes, to hold"),
            None => "more than max_memory, by default 64 bytes for each of the input".to_owned(),
        };
        Error::new(ErrorKind::MemoryLimit, message)
    }

    /// The field of serde's duplicate field.
    pub(crate) fn duplicate(&self) -> Option<&'static str> {
        self.0.more.duplicate
    }

    /// Says why a text or bytes could not be borrowed.
    #[cold]
    pub(crate) fn not_borrowed(mut self) -> Self {
        if self.0.message.starts_with("expected a borrowed ") {
            self.0.message.to_mut().push_str(
                ", which is no part of the input as it stands there: read a `String`, `Cow` or `Vec`",
            );
        }
        self
    }

    #[cold]
    pub(crate) fn without_offset(mut self) -> Self {
        self.0.offset = None;
        self.0.more.place = None;
        self
    }

    /// The same at another offset.
    #[cold]
    pub(crate) fn moved(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset as u64);
        self
    }

    /// Adds line and column of the offset.
    #[cold]
    pub(crate) fn placed(mut self, text: &[u8]) -> Self {
        if let (Some(offset), None) = (self.0.offset(), self.0.more.place) {
            self.0.more.place = Some(go_on((1, 1), text.get(..offset).unwrap_or(text)));
        }
        self
    }

    #[cold]
    pub(crate) fn in_path(mut self, path: Path) -> Self {
        if self.0.path.is_empty() {
            self.0.path = path;
        }
        self
    }

    /// An error of serde or of a type.
    #[cold]
    fn of_serde(cause: SerdeError, message: String) -> Self {
        note_in_buffers(cause, &message);
        let kind = match cause {
            SerdeError::Type | SerdeError::Range | SerdeError::Length => ErrorKind::Unsupported,
            SerdeError::Variant(_) => ErrorKind::Unknown,
            SerdeError::Field => ErrorKind::Skipped,
            SerdeError::Missing(_) => ErrorKind::Missing,
            _ => ErrorKind::Data,
        };
        let mut error = Error::new(kind, message);
        match cause {
            SerdeError::Missing(_) => error
                .0
                .message
                .to_mut()
                .push_str(", which `#[serde(default)]` or `Options::absent_as_zero` would fill"),
            SerdeError::Duplicate(field) => error.0.more.duplicate = Some(field),
            _ => {}
        }
        error
    }

    /// The engine's outcome for the same condition; see [`ErrorKind::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.kind.outcome()
    }

    /// Byte offset in the text of what is wrong; `None` for errors of writing.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset()
    }

    /// Line of the text, from 1.
    pub fn line(&self) -> Option<usize> {
        self.0.more.place.map(|(line, _)| line)
    }

    /// Column in its line, from 1, counted in characters.
    pub fn column(&self) -> Option<usize> {
        self.0.more.place.map(|(_, column)| column)
    }

    /// The path as a JSON Pointer (RFC 6901), as in the engine's reports of loading.
    pub fn pointer(&self) -> String {
        self.0.path.pointer().to_string()
    }

    /// The sentence without place and path.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// Goes on from one place of a text, by line and column, to the end of `bytes` that follow it. Both
/// count from 1, columns in characters.
pub(crate) fn go_on((mut line, mut column): (usize, usize), bytes: &[u8]) -> (usize, usize) {
    for &byte in bytes {
        if byte == b'\n' {
            (line, column) = (line.saturating_add(1), 1);
        } else if byte & 0xc0 != 0x80 {
            // Continuation bytes of UTF-8 begin no character.
            column = column.saturating_add(1);
        }
    }
    (line, column)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, Notation::Pointer, |f, offset| match self.0.more.place {
            Some((line, column)) => {
                write!(f, " at line {line}, column {column} (byte {offset:#x})")
            }
            None => write!(f, " at byte {offset:#x}"),
        })
    }
}

gamewire_core::error_type! {
    Error, ErrorKind, NOUNS;
    bits: 8;
    eof: UnexpectedEof;
    data: Data | Skipped | Unavailable | Unsupported | TypeMismatch | TestFailed | Missing | Invalid
        | Unknown | Catastrophic;
}
