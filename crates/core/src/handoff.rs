//! Passing a value through serde in one piece.
//!
//! serde shows a type only its own data model, element by element and by recursion, and a type cannot
//! ask whether a serializer is the one of its crate, for neither is `'static`. Marks in the data would
//! show in other formats. So a thread-local holds what is handed over between two calls on one stack:
//! a serializer that meets the reserved name of a newtype lends its writer for the length of one
//! call, and the type takes it; a deserializer leaves a decoded value, and the visitor takes that. In
//! other formats nothing is ever put there.
//!
//! [`handoff!`](macro@crate::handoff) makes a module's worth of functions for that:
//!
//! | function | caller | does |
//! |---|---|---|
//! | `lend(writer, serialize)` | serializer | lends `writer` while `serialize` runs, returns it and the result |
//! | `write_native(serializer, write)` | type | calls `write` with the lent writer, or returns the serializer if it is another format's |
//! | `give(value, visit)` | deserializer | leaves `value` while `visit` runs; an error if it was not taken |
//! | `take()` | visitor | the value that was left |
//!
//! ```
//! # #[cfg(feature = "std")] fn main() -> Result<(), serde_json::Error> {
//! use serde_core::ser::{Serialize, Serializer};
//!
//! /// For a format whose writer is a text, and whose values are numbers.
//! mod handed {
//!     gamewire_core::handoff! {
//!         String, i32, serde_json::Error;
//!         "the name `$mine::Value` is reserved"
//!     }
//! }
//!
//! struct Value(i32);
//!
//! impl Serialize for Value {
//!     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
//!         let write = |writer: &mut String| Ok(writer.push_str(&self.0.to_string()));
//!         match handed::write_native(serializer, write) {
//!             Ok(written) => written,
//!             Err(serializer) => serializer.serialize_i32(self.0),
//!         }
//!     }
//! }
//!
//! // The serializer of the format was told the reserved name. What it shows is never written to.
//! let mut unused = serde_json::Serializer::new(std::io::sink());
//! let (writer, done) = handed::lend("7 and ".to_owned(), || Value(8).serialize(&mut unused));
//! assert_eq!(writer.as_deref(), Some("7 and 8"));
//! assert!(done.is_ok());
//! assert_eq!(serde_json::to_string(&Value(8))?, "8");
//!
//! assert_eq!(handed::give(3, || Ok(handed::take()))?, Some(3));
//! assert!(handed::give(3, || Ok(())).is_err());
//! # Ok(()) }
//! # #[cfg(not(feature = "std"))] fn main() {}
//! ```
//!
//! Without `std` there are no thread-locals: `lend` and `give` fail with a sentence that says so, and
//! `write_native` and `take` find nothing. A value at the root need not pass through serde there.

/// Whether something can be handed over.
#[doc(hidden)]
pub const WORKS: bool = cfg!(feature = "std");

/// A slot that stays empty, where there are no thread-locals.
#[doc(hidden)]
#[derive(Debug)]
pub struct Nowhere<T>(pub core::marker::PhantomData<fn() -> T>);

impl<T> Nowhere<T> {
    /// Drops what is put in.
    pub fn set(&self, _: Option<T>) {}

    /// Always `None`.
    pub fn take(&self) -> Option<T> {
        None
    }
}

#[doc(hidden)]
#[cfg(feature = "std")]
#[macro_export]
macro_rules! __handoff_slots {
    ($($name:ident: $type:ty;)+) => {
        $crate::std::thread_local! {
            $(static $name: ::core::cell::Cell<Option<$type>> =
                const { ::core::cell::Cell::new(None) };)+
        }
    };
}

#[doc(hidden)]
#[cfg(not(feature = "std"))]
#[macro_export]
macro_rules! __handoff_slots {
    ($($name:ident: $type:ty;)+) => {
        $(const $name: $crate::handoff::Nowhere<$type> =
            $crate::handoff::Nowhere(::core::marker::PhantomData);)+
    };
}

/// Makes the functions of [this module](mod@crate::handoff) for a writer, a value and an error. The text
/// is the sentence for a type of someone else that has a reserved name.
#[macro_export]
macro_rules! handoff {
    ($writer:ty, $value:ty, $error:ty; $reserved:literal) => {
        type Handed<T> = ::core::result::Result<T, $error>;

        $crate::__handoff_slots! {
            WRITER: $writer;
            WRITTEN: ($writer, Handed<()>);
            VALUE: $value;
        }

        /// The error for a type that has a reserved name and is none of this crate's.
        #[cold]
        pub(crate) fn reserved() -> $error {
            <$error as $crate::serde_core::ser::Error>::custom(match $crate::handoff::WORKS {
                true => $reserved,
                false => "a value inside of a Rust type needs the feature `std`",
            })
        }

        /// Serializer side: lends the writer to the type that `serialize` calls.
        pub(crate) fn lend<T>(
            writer: $writer,
            serialize: impl FnOnce() -> Handed<T>,
        ) -> (Option<$writer>, Handed<()>) {
            if !$crate::handoff::WORKS {
                return (Some(writer), Err(reserved()));
            }
            WRITTEN.set(None);
            WRITER.set(Some(writer));
            let called = serialize();
            let unused = WRITER.take();
            match WRITTEN.take() {
                Some((writer, written)) => (Some(writer), written.and(called.map(drop))),
                None => (unused, called.and_then(|_| Err(reserved()))),
            }
        }

        /// Type side: writes with the lent writer, or returns the serializer of another format.
        pub(crate) fn write_native<S: $crate::serde_core::Serializer>(
            serializer: S,
            write: impl FnOnce(&mut $writer) -> Handed<()>,
        ) -> ::core::result::Result<::core::result::Result<S::Ok, S::Error>, S> {
            let Some(mut writer) = WRITER.take() else { return Err(serializer) };
            let written = write(&mut writer);
            WRITTEN.set(Some((writer, written)));
            Ok(serializer.serialize_unit())
        }

        /// Deserializer side: leaves a value for the visitor that `visit` calls.
        pub(crate) fn give<T>(value: $value, visit: impl FnOnce() -> Handed<T>) -> Handed<T> {
            VALUE.set(Some(value));
            let visited = visit();
            let is_left = VALUE.take().is_some() || !$crate::handoff::WORKS;
            if is_left { Err(reserved()) } else { visited }
        }

        /// Visitor side: the value that was left, if the deserializer is the one of this crate.
        pub(crate) fn take() -> Option<$value> {
            VALUE.take()
        }
    };
}
