use std::borrow::Cow;

use zeze_serialize::{Error, ErrorKind};

/// An error of the connection, which is at no byte of its input.
#[cold]
pub(crate) fn error(kind: ErrorKind, text: impl Into<Cow<'static, str>>) -> Error {
    Error::with_kind(kind, None, text)
}
