use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use gamewire_core::words;

/// The result of every function of this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a connection: its kind, and the byte of the received ones where there is one.
///
/// One pointer wide. Copies are cheap: all who wait for a connection get the error that has ended it.
#[derive(Clone)]
pub struct Error(Arc<Content>);

enum Content {
    Format(zeze_serialize::Error),
    Io(io::Error),
    Connection { kind: ErrorKind, offset: Option<usize>, message: Cow<'static, str> },
}

/// The class of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A frame or bean that `zeze-serialize` cannot read or write.
    Format(zeze_serialize::ErrorKind),
    /// A message of the handshake that is not the one to come, or asks for what this side does not
    /// have; a key that is none.
    Handshake,
    /// Bytes that cannot be decompressed, or unpack to more than [`max_ratio`](crate::Config::max_ratio)
    /// allows.
    Compression,
    /// More calls that wait for answers than [`max_calls`](crate::Config::max_calls), or more answers to
    /// nothing than [`max_unexpected`](crate::Config::max_unexpected).
    CallLimit,
    /// More than [`max_output`](crate::Config::max_output) bytes that wait to be sent.
    OutputLimit,
    /// The other side took too long.
    Timeout,
    /// The connection is not open.
    Closed,
    /// The socket failed, or the system's source of random bytes.
    Io,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error::at(kind, None, message)
    }

    /// Makes an error about a byte of those that were received.
    #[cold]
    pub(crate) fn at(
        kind: ErrorKind,
        offset: impl Into<Option<usize>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (offset, message) = (offset.into(), message.into());
        Error(Arc::new(Content::Connection { kind, offset, message }))
    }

    /// Returns the class of the error.
    pub fn kind(&self) -> ErrorKind {
        match &*self.0 {
            Content::Format(error) => ErrorKind::Format(error.kind()),
            Content::Io(_) => ErrorKind::Io,
            Content::Connection { kind, .. } => *kind,
        }
    }

    /// Returns the offset of the first wrong byte among those that were received, after decryption and
    /// decompression; of a bean that [was read](zeze_serialize::frame::RawFrame::read) from its frame, the
    /// offset in the frame.
    pub fn offset(&self) -> Option<usize> {
        match &*self.0 {
            Content::Format(error) => error.offset(),
            Content::Io(_) => None,
            Content::Connection { offset, .. } => *offset,
        }
    }

    /// Returns how many bytes are missing, at least, until the last frame is whole.
    pub fn needed(&self) -> Option<usize> {
        self.format_error()?.needed()
    }

    /// Returns the error of `zeze-serialize`, which has the path in a bean.
    pub fn format_error(&self) -> Option<&zeze_serialize::Error> {
        match &*self.0 {
            Content::Format(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the error of the socket.
    pub fn io_error(&self) -> Option<&io::Error> {
        match &*self.0 {
            Content::Format(error) => error.io_error(),
            Content::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Content::Format(error) => error.fmt(f),
            Content::Io(error) => error.fmt(f),
            Content::Connection { offset: Some(offset), message, .. } => {
                write!(f, "{message} at byte {offset:#x}")
            }
            Content::Connection { message, .. } => f.write_str(message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.kind())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io_error().map(|error| error as _)
    }
}

impl From<zeze_serialize::Error> for Error {
    fn from(error: zeze_serialize::Error) -> Self {
        Error(Arc::new(Content::Format(error)))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error(Arc::new(Content::Io(error)))
    }
}

/// Returns an error of the same kind as the socket's, and otherwise one of the kind `InvalidData`; it
/// holds this error.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = error.io_error().map_or(io::ErrorKind::InvalidData, io::Error::kind);
        io::Error::new(kind, error)
    }
}

/// The name as words: `call limit`.
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Format(kind) => kind.fmt(f),
            kind => words::spaced(kind, f),
        }
    }
}
