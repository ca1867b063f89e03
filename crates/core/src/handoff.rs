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
//! # Ok::<(), serde_json::Error>(())
//! ```

/// Makes the functions of [this module](mod@crate::handoff) for a writer, a value and an error. The text
/// is the sentence for a type of someone else that has a reserved name.
#[macro_export]
macro_rules! handoff {
    ($writer:ty, $value:ty, $error:ty; $reserved:literal) => {
        type Handed<T> = ::std::result::Result<T, $error>;

        ::std::thread_local! {
            static WRITER: ::std::cell::Cell<Option<$writer>> =
                const { ::std::cell::Cell::new(None) };
            static WRITTEN: ::std::cell::Cell<Option<($writer, Handed<()>)>> =
                const { ::std::cell::Cell::new(None) };
            static VALUE: ::std::cell::Cell<Option<$value>> =
                const { ::std::cell::Cell::new(None) };
        }

        /// The error for a type that has a reserved name and is none of this crate's.
        #[cold]
        pub(crate) fn reserved() -> $error {
            <$error as $crate::serde_core::ser::Error>::custom($reserved)
        }

        /// Serializer side: lends the writer to the type that `serialize` calls.
        pub(crate) fn lend<T>(
            writer: $writer,
            serialize: impl FnOnce() -> Handed<T>,
        ) -> (Option<$writer>, Handed<()>) {
            WRITTEN.set(None);
            // A foreign type with a reserved name may write another value meanwhile.
            let outer = WRITER.replace(Some(writer));
            let called = serialize();
            let unused = WRITER.replace(outer);
            match WRITTEN.take() {
                Some((writer, written)) => (Some(writer), written.and(called.map(drop))),
                None => (unused, called.and_then(|_| Err(reserved()))),
            }
        }

        /// Type side: writes with the lent writer, or returns the serializer of another format.
        pub(crate) fn write_native<S: $crate::serde_core::Serializer>(
            serializer: S,
            write: impl FnOnce(&mut $writer) -> Handed<()>,
        ) -> ::std::result::Result<::std::result::Result<S::Ok, S::Error>, S> {
            let Some(mut writer) = WRITER.take() else { return Err(serializer) };
            let written = write(&mut writer);
            WRITTEN.set(Some((writer, written)));
            Ok(serializer.serialize_unit())
        }

        /// Deserializer side: leaves a value for the visitor that `visit` calls.
        pub(crate) fn give<T>(value: $value, visit: impl FnOnce() -> Handed<T>) -> Handed<T> {
            VALUE.set(Some(value));
            let visited = visit();
            if VALUE.take().is_some() { Err(reserved()) } else { visited }
        }

        /// Visitor side: the value that was left, if the deserializer is the one of this crate.
        pub(crate) fn take() -> Option<$value> {
            VALUE.take()
        }
    };
}
