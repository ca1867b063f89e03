//! The error of a format: what it holds, and what every one of them can be asked.
//!
//! A format has its own `Error`, a box of [`Details`], and its own `ErrorKind`;
//! [`error_type!`](crate::error_type) adds what is the same in all.

use std::borrow::Cow;
use std::fmt;

use crate::path::{Notation, Path};

/// The content of a format's error. `K` is its kind, `M` what only this format adds.
#[derive(Debug)]
pub struct Details<K, M = ()> {
    /// The class of the error.
    pub kind: K,
    /// The sentence without place and path.
    pub message: Cow<'static, str>,
    /// Offset of the fault, in the units of the format: bits may be more than a `usize` counts.
    pub offset: Option<u64>,
    /// The value at fault.
    pub path: Path,
    /// The error of a reader or writer.
    pub source: Option<std::io::Error>,
    /// Added by this format.
    pub more: M,
}

impl<K, M: Default> Details<K, M> {
    /// Without a place.
    #[cold]
    #[inline(never)]
    pub fn new(kind: K, message: Cow<'static, str>) -> Box<Self> {
        Box::new(Details {
            kind,
            message,
            offset: None,
            path: Path::default(),
            source: None,
            more: M::default(),
        })
    }
}

impl<K, M> Details<K, M> {
    /// Offset of the fault in bytes, of formats that count them.
    pub fn offset(&self) -> Option<usize> {
        usize::try_from(self.offset?).ok()
    }

    /// Writes the sentence: the message, what `place` makes of the offset, and the path.
    ///
    /// # Errors
    /// Those of the formatter.
    pub fn show<'f>(
        &self,
        f: &mut fmt::Formatter<'f>,
        notation: Notation,
        place: impl FnOnce(&mut fmt::Formatter<'f>, u64) -> fmt::Result,
    ) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(offset) = self.offset {
            place(f, offset)?;
        }
        match self.path.is_empty() {
            true => Ok(()),
            false => write!(f, ", in {}", self.path.display(notation)),
        }
    }
}

/// An error that serde reports, for a format to choose the kind of its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SerdeError {
    /// A type's own message.
    Custom,
    /// Another type was expected.
    Type,
    /// A number is outside of the range.
    Range,
    /// There are more or fewer elements.
    Length,
    /// No variant has this name; these are the names that they have.
    Variant(&'static [&'static str]),
    /// No field has this name.
    Field,
    /// A field is absent.
    Missing(&'static str),
    /// A field occurs twice.
    Duplicate(&'static str),
}

/// Implements what the `Error` of every format crate has: constructors, what can be asked of it,
/// `Debug`, `std::error::Error`, conversions from and to `std::io::Error`, serde's two traits, and [`Failure`](crate::explain::Failure) where
/// the crate's own feature `explain` is on.
///
/// The type is a box of [`Details`], and has the function `of_serde(SerdeError, String) -> Self`.
/// `bits` is the number of bits in one unit of its offset. `eof` and `data` are the kinds for which
/// `is_eof` and `is_data` hold; `Io` and `TrailingBytes` are kinds too.
#[macro_export]
macro_rules! error_type {
    (
        $error:ident, $kind:ident, $nouns:expr;
        bits: $bits:literal;
        eof: $($eof:ident)|+;
        data: $($data:ident)|+;
    ) => {
        #[allow(dead_code, reason = "no format needs all of them")]
        impl $error {
            /// Makes an error, for crates that stand on this one.
            #[cold]
            #[inline(never)]
            pub fn new(
                kind: $kind,
                message: impl Into<::std::borrow::Cow<'static, str>>,
            ) -> Self {
                $error($crate::error::Details::new(kind, message.into()))
            }

            /// Makes an error with an offset, if there is one.
            #[cold]
            #[inline(never)]
            pub fn at(
                kind: $kind,
                offset: impl Into<Option<usize>>,
                message: impl Into<::std::borrow::Cow<'static, str>>,
            ) -> Self {
                let mut error = $error::new(kind, message);
                error.0.offset = offset.into().map(|offset| offset as u64);
                error
            }

            #[cold]
            pub(crate) fn io(source: ::std::io::Error) -> Self {
                let mut error = $error::new($kind::Io, source.to_string());
                error.0.source = Some(source);
                error
            }

            /// Adds an offset if there is none: errors from `serde` come without one.
            #[cold]
            #[must_use]
            pub fn or_at(mut self, offset: usize) -> Self {
                self.0.offset.get_or_insert(offset as u64);
                self
            }

            /// Moves the offset, for input that began at `base` of a larger one.
            #[cold]
            #[must_use]
            pub fn shifted(mut self, base: usize) -> Self {
                self.0.offset = self.0.offset.map(|offset| offset.saturating_add(base as u64));
                self
            }

            /// Adds the step around those that the path has.
            #[cold]
            #[must_use]
            pub fn inside(mut self, step: impl Into<$crate::Segment>) -> Self {
                self.0.path.push_outer(step);
                self
            }

            #[cold]
            pub(crate) fn in_field(self, key: &str) -> Self {
                self.inside(key)
            }

            #[cold]
            pub(crate) fn in_index(self, index: usize) -> Self {
                self.inside(index)
            }
        }

        impl $error {
            /// The class of the error.
            pub fn kind(&self) -> $kind {
                self.0.kind
            }

            /// Where in the data: from the root to the value at fault.
            pub fn path(&self) -> &$crate::Path {
                &self.0.path
            }

            /// The error of the reader or writer: its kind says whether it was a timeout.
            pub fn io_error(&self) -> Option<&::std::io::Error> {
                self.0.source.as_ref()
            }

            /// Whether the input ended too early.
            pub fn is_eof(&self) -> bool {
                matches!(self.0.kind, $($kind::$eof)|+)
            }

            /// Whether the reader or writer failed.
            pub fn is_io(&self) -> bool {
                self.0.kind == $kind::Io
            }

            /// Whether well-formed data did not fit the Rust type.
            pub fn is_data(&self) -> bool {
                matches!(self.0.kind, $($kind::$data)|+)
            }

            /// Whether the input is not well-formed, or beyond a limit.
            pub fn is_syntax(&self) -> bool {
                !(self.is_eof() || self.is_io() || self.is_data())
            }
        }

        impl ::std::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "Error({:?}: {self})", self.0.kind)
            }
        }

        impl ::std::error::Error for $error {
            fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                self.0.source.as_ref().map(|source| source as _)
            }
        }

        impl From<::std::io::Error> for $error {
            fn from(error: ::std::io::Error) -> Self {
                $error::io(error)
            }
        }

        /// Returns the error of the reader or writer where there is one, and otherwise one of the kind
        /// `InvalidData` that holds this error.
        impl From<$error> for ::std::io::Error {
            fn from(mut error: $error) -> Self {
                match error.0.source.take() {
                    Some(source) => source,
                    None => Self::new(::std::io::ErrorKind::InvalidData, error),
                }
            }
        }

        impl $crate::serde_core::ser::Error for $error {
            fn custom<T: ::std::fmt::Display>(msg: T) -> Self {
                $error::of_serde($crate::error::SerdeError::Custom, msg.to_string())
            }
        }

        impl $crate::serde_core::de::Error for $error {
            fn custom<T: ::std::fmt::Display>(msg: T) -> Self {
                $error::of_serde($crate::error::SerdeError::Custom, msg.to_string())
            }

            fn invalid_type(
                unexpected: $crate::serde_core::de::Unexpected<'_>,
                expected: &dyn $crate::serde_core::de::Expected,
            ) -> Self {
                let message = $nouns.invalid(unexpected, expected);
                $error::of_serde($crate::error::SerdeError::Type, message)
            }

            fn invalid_value(
                unexpected: $crate::serde_core::de::Unexpected<'_>,
                expected: &dyn $crate::serde_core::de::Expected,
            ) -> Self {
                let cause = match $crate::words::is_number(&unexpected) {
                    true => $crate::error::SerdeError::Range,
                    false => $crate::error::SerdeError::Type,
                };
                $error::of_serde(cause, $nouns.invalid(unexpected, expected))
            }

            fn invalid_length(len: usize, expected: &dyn $crate::serde_core::de::Expected) -> Self {
                let message = $crate::words::invalid_length(len, expected);
                $error::of_serde($crate::error::SerdeError::Length, message)
            }

            fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
                let message = $crate::words::unknown("variant", variant, expected);
                $error::of_serde($crate::error::SerdeError::Variant(expected), message)
            }

            fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
                let message = $crate::words::unknown("field", field, expected);
                $error::of_serde($crate::error::SerdeError::Field, message)
            }

            fn missing_field(field: &'static str) -> Self {
                let message = format!("missing field `{field}`");
                $error::of_serde($crate::error::SerdeError::Missing(field), message)
            }

            fn duplicate_field(field: &'static str) -> Self {
                let message = format!("duplicate field `{field}`");
                $error::of_serde($crate::error::SerdeError::Duplicate(field), message)
            }
        }

        /// The name as words: `depth limit`.
        impl ::std::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::words::spaced(self, f)
            }
        }

        #[cfg(feature = "explain")]
        impl $crate::explain::Failure for $error {
            fn kind(&self) -> &dyn ::std::fmt::Debug {
                &self.0.kind
            }

            fn message(&self) -> &str {
                &self.0.message
            }

            fn bit(&self) -> Option<u64> {
                self.0.offset?.checked_mul($bits)
            }

            fn path(&self) -> &$crate::Path {
                &self.0.path
            }

            fn is_trailing(&self) -> bool {
                self.0.kind == $kind::TrailingBytes
            }
        }
    };
}
