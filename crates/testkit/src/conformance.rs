//! The tests that hold for every format crate: [`conformance!`](crate::conformance!).
//!
//! The macro wires a crate's public face to the traits of this module and makes one `#[test]` of
//! each check below. The checks are ordinary functions, so what a test does is read here, and what
//! is crate by crate is only the wiring.

mod checks;
mod samples;
mod style;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use checks::*;
pub use samples::*;
pub use style::*;

/// The functions that every format crate has at its root.
pub trait Face {
    /// Whether the format is text.
    const TEXT: bool;
    /// The crate's error.
    type Error: Error + Send + Sync + 'static;
    /// `from_slice`.
    fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Self::Error>;
    /// `take_from_slice`.
    fn take_from_slice<'de, T: Deserialize<'de>>(
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8]), Self::Error>;
    /// `from_reader`.
    fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T, Self::Error>;
    /// `to_vec`.
    fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Self::Error>;
    /// `to_writer`.
    fn to_writer<W: Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<(), Self::Error>;
    /// `Error::kind`, as its `Debug` shows it.
    fn kind(error: &Self::Error) -> String;
    /// `Error::offset`.
    fn offset(error: &Self::Error) -> Option<usize>;
}

/// The part of the face that is about `Value`.
pub trait ValueFace: Face {
    /// The crate's `Value`.
    type Value: Clone
        + PartialEq
        + Debug
        + Display
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;
    /// `to_value`.
    fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Self::Value, Self::Error>;
    /// `from_value`.
    fn from_value<T: DeserializeOwned>(value: &Self::Value) -> Result<T, Self::Error>;
    /// `Options::new().max_depth(8).from_slice`.
    fn shallow_value(bytes: &[u8]) -> Result<Self::Value, Self::Error>;
}

/// The part of the face that only crates of this workspace have.
pub trait OwnFace: Face {
    /// `Error::kind`, as its `Display` shows it.
    fn kind_words(error: &Self::Error) -> String;
    /// `check`.
    fn check<T>(value: &T) -> Result<(), Self::Error>
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug;
}

/// The part of it that is about `Value`.
pub trait OwnValueFace: ValueFace {
    /// Reads a type by the deserializer that a value is.
    fn read_value<'de, T: Deserialize<'de>>(value: &'de Self::Value) -> Result<T, Self::Error>;
    /// The same with a value that goes.
    fn take_value<T: DeserializeOwned>(value: Self::Value) -> Result<T, Self::Error>;
}

/// The part of the face that is about `explain`.
pub trait ExplainFace: Face {
    /// `explain`, with its result dropped.
    fn explain(bytes: &[u8]);
}

/// Instantiates the tests that hold for every format crate, in a module `conformance`.
///
/// ```text
/// // in tests/it/main.rs
/// gamewire_testkit::conformance!(godot_variant);
/// ```
///
/// The argument is the path of the crate, or of a module with the same face
/// (`crate::with_schema`), for formats that need more than bytes to decode. After it, `with` and an
/// expression that gives `Options` take the verbs of these in the place of the free functions. The
/// face is
/// `from_slice`, `take_from_slice`, `from_reader`, `to_vec`, `to_writer`, `Serializer`,
/// `Deserializer`, `Value`, `to_value(&T)`, `from_value(&Value)`, `Options` (a builder with the
/// same verbs), `Error` (with `kind()` and `offset()`), `ErrorKind`, `Result` and `explain(&[u8])`.
///
/// Where a format differs, flags after the path say so:
///
/// | flag | effect |
/// |---|---|
/// | `text` | the format is text: no infinities, `is_human_readable` is true, white space may follow a value |
/// | `no_scalars` | only structs stand at the root |
/// | `no_unit` | no unit values |
/// | `no_enums` | no enums |
/// | `no_value` | no `Value` |
/// | `no_options` | `Options` has not the verbs |
/// | `no_explain` | no `explain` |
/// | `open_structs` | a type sees no fields but its own, so `deny_unknown_fields` has no effect |
/// | `numbers_as_written` | a visitor is told a number by its type in the data, not by the type that was asked for |
/// | `peer` | a crate of others, which has neither `check` nor a `Value` that is a deserializer |
/// | `wraps_u64` | an integer of 64 bits is the `u64` of the same bits too |
/// | `one_shape` | a struct's name stands for one set of fields: no generic struct inside itself |
///
/// The data is of the kinds that every one of the formats can carry: no integer above `i64::MAX`,
/// no NUL in text, string keys in maps, no option inside an option.
#[macro_export]
macro_rules! conformance {
    ($($face:ident)::+ $(, $flag:ident)* $(,)?) => {
        $crate::conformance!(@make [$($face)::+] [face::] [face::Options::new()] [$($flag)*]);
    };
    ($($face:ident)::+ with $options:expr $(, $flag:ident)* $(,)?) => {
        $crate::conformance!(@make [$($face)::+] [$options.] [$options] [$($flag)*]);
    };
    (@make [$($face:tt)+] [$($verbs:tt)+] [$($options:tt)+] [$($flag:ident)*]) => {
        #[cfg(test)]
        mod conformance {
            #[allow(unused_imports)]
            use $($face)+ as face;
            // The names that no test below needs to call.
            #[allow(unused_imports)]
            use $($face)+::{Deserializer, ErrorKind, Result, Serializer};

            $( $crate::__conformance_known_flag!($flag); )*

            /// The free functions.
            enum Free {}
            $crate::__conformance_face!(
                Free, $crate::__conformance_is_text!($($flag)*), [$($verbs)+]
            );
            $crate::__conformance_tests!(Free:
                structs_round_trip, newtypes_and_tuples_round_trip, sequences_round_trip, maps_round_trip, floats_round_trip,
                lists_of_unknown_length_are_as_others, maps_in_parts_are_as_others,
                signed_integers_round_trip, unsigned_integers_round_trip, text_round_trips,
                booleans_and_characters_round_trip, unknown_fields_are_ignored,
                absent_options_are_none, fields_in_any_order_are_read, numbers_out_of_range_are_refused,
                writing_is_repeatable, reader_equals_slice, writer_equals_vec,
                failing_readers_and_writers_are_errors, trailing_bytes_are_refused,
                take_from_slice_gives_the_rest, truncations_are_refused, empty_input_is_refused,
                random_input_does_not_panic, deep_types_are_refused_on_write,
                errors_are_one_word, errors_read_as_sentences, errors_of_user_types_are_kept,
                error_kinds_differ, human_readable_is_as_the_format, bytes_round_trip,
                text_is_borrowed, offsets_are_within_the_input, errors_name_the_path,
            );
            $crate::__conformance_unless!(one_shape [$($flag)*]
                $crate::__conformance_tests!(Free: nested_structs_round_trip, options_round_trip);
            );
            $crate::__conformance_unless!(peer [$($flag)*]
                impl $crate::conformance::OwnFace for Free {
                    fn kind_words(error: &face::Error) -> ::std::string::String {
                        ::std::format!("{}", error.kind())
                    }
                    fn check<T>(value: &T) -> ::std::result::Result<(), face::Error>
                    where
                        T: $crate::serde::Serialize
                            + $crate::serde::de::DeserializeOwned
                            + PartialEq
                            + ::std::fmt::Debug,
                    {
                        $($verbs)+ check(value)
                    }
                }
                $crate::__conformance_tests!(Free:
                    an_option_is_no_level, checks_find_what_is_lost, kinds_are_shown_as_words,
                );
            );
            $crate::__conformance_unless!(open_structs [$($flag)*]
                $crate::__conformance_tests!(Free: unknown_fields_are_refused_where_denied);
            );
            $crate::__conformance_unless!(numbers_as_written [$($flag)*]
                $crate::__conformance_tests!(Free: numbers_are_told_as_asked);
            );
            $crate::__conformance_unless!(wraps_u64 [$($flag)*]
                $crate::__conformance_tests!(Free: negative_numbers_are_no_u64);
            );
            $crate::__conformance_unless!(no_scalars [$($flag)*]
                $crate::__conformance_tests!(Free: scalars_round_trip);
            );
            $crate::__conformance_unless!(no_unit [$($flag)*]
                $crate::__conformance_tests!(Free: units_round_trip);
            );
            $crate::__conformance_unless!(no_enums [$($flag)*]
                $crate::__conformance_tests!(Free: enums_round_trip, unknown_variants_are_refused);
            );
            $crate::__conformance_unless!(no_value [$($flag)*]
                impl $crate::conformance::ValueFace for Free {
                    type Value = face::Value;
                    fn to_value<T: $crate::serde::Serialize + ?Sized>(
                        value: &T,
                    ) -> ::std::result::Result<face::Value, face::Error> {
                        $($verbs)+ to_value(value)
                    }
                    fn from_value<T: $crate::serde::de::DeserializeOwned>(
                        value: &face::Value,
                    ) -> ::std::result::Result<T, face::Error> {
                        $($verbs)+ from_value(value)
                    }
                    fn shallow_value(bytes: &[u8]) -> ::std::result::Result<face::Value, face::Error> {
                        $($options)+.max_depth(8).from_slice(bytes)
                    }
                }
                $crate::__conformance_tests!(Free:
                    values_write_the_same_bytes, values_agree_with_bytes, values_read_as_types,
                    values_from_other_bytes_do_not_panic, max_depth_is_kept,
                );
                $crate::__conformance_unless!(peer [$($flag)*]
                    impl $crate::conformance::OwnValueFace for Free {
                        fn read_value<'de, T: $crate::serde::Deserialize<'de>>(
                            value: &'de face::Value,
                        ) -> ::std::result::Result<T, face::Error> {
                            T::deserialize(value)
                        }
                        fn take_value<T: $crate::serde::de::DeserializeOwned>(
                            value: face::Value,
                        ) -> ::std::result::Result<T, face::Error> {
                            T::deserialize(value)
                        }
                    }
                    $crate::__conformance_tests!(Free: values_are_deserializers, values_are_shown);
                );
            );
            $crate::__conformance_unless!(no_options [$($flag)*]
                /// The same functions as methods of `Options`.
                enum ByOptions {}
                $crate::__conformance_face!(
                    ByOptions, $crate::__conformance_is_text!($($flag)*), [$($options)+.]
                );

                #[test]
                fn options_have_the_same_verbs() {
                    $crate::conformance::verbs_agree::<Free, ByOptions>();
                    let _copied: face::Options = ::std::clone::Clone::clone(&face::Options::default());
                }
            );
            $crate::__conformance_unless!(no_explain [$($flag)*]
                impl $crate::conformance::ExplainFace for Free {
                    fn explain(bytes: &[u8]) {
                        let _explained = face::explain(bytes);
                    }
                }
                $crate::__conformance_tests!(Free: explain_takes_any_bytes);
            );
        }
    };
}

/// Compiles where the names, methods and signatures of a crate are those of every format crate.
///
/// ```text
/// // in tests/it/main.rs
/// gamewire_testkit::face!(godot_variant);
/// ```
///
/// `text` after the path asks for the verbs of formats that are text too.
#[macro_export]
macro_rules! face {
    ($face:ident, text) => {
        $crate::face!($face);
        const _: () = {
            use $face as face;
            #[allow(dead_code)]
            fn text<'de>(options: &face::Options, text: &'de str) -> face::Result<()> {
                let [_, _]: [u8; 2] = [face::from_str(text)?, options.from_str(text)?];
                let _: face::Deserializer<'de> = face::Deserializer::from_str(text);
                let _: String = face::to_string(&1)? + &options.to_string(&1)?;
                let _: String = face::to_string_pretty(&1)? + &options.to_string_pretty(&1)?;
                Ok(())
            }
        };
    };
    ($face:ident) => {
        const _: () = {
            use $face as face;

            #[allow(dead_code)]
            fn types<'de>(bytes: &'de [u8]) -> impl Iterator<Item = face::Result<u8>> + use<'de> {
                let options: face::Options = face::Options::new()
                    .strict(true)
                    .max_depth(8)
                    .max_typed_depth(8)
                    .max_alloc(8)
                    .max_output(8)
                    .max_memory(8);
                let _: face::Serializer = face::Serializer::new(Vec::new(), options.clone());
                let _: face::Deserializer<'de> = face::Deserializer::new(bytes, options.clone());
                let deserializer = face::Deserializer::from_slice(bytes);
                let _: (usize, &'de [u8]) = (deserializer.byte_offset(), deserializer.rest());
                deserializer.into_iter()
            }

            #[allow(dead_code)]
            fn verbs<'de>(options: &face::Options, bytes: &'de [u8]) -> face::Result<()> {
                type Taken<'de> = (u8, &'de [u8]);
                let [_, _]: [u8; 2] = [face::from_slice(bytes)?, options.from_slice(bytes)?];
                let [_, _]: [u8; 2] =
                    [face::from_reader(std::io::empty())?, options.from_reader(std::io::empty())?];
                let [_, _]: [Taken<'de>; 2] =
                    [face::take_from_slice(bytes)?, options.take_from_slice(bytes)?];
                let [mut out, _]: [Vec<u8>; 2] = [face::to_vec(&1)?, options.to_vec(&1)?];
                let [(), ()] =
                    [face::to_writer(&mut out, &1)?, options.to_writer(std::io::sink(), &1)?];
                let () = options.append_to_vec(&mut out, &1)?;
                let [mut value, _]: [face::Value; 2] = [face::to_value(&1)?, options.to_value(&1)?];
                let [_, _]: [u8; 2] = [face::from_value(&value)?, options.from_value(&value)?];
                let _: (bool, Option<&face::Value>) = (value.is_null(), value.pointer("/a"));
                let _: Option<&mut face::Value> = value.pointer_mut("/a");
                let [(), ()] = [face::check(&1)?, options.check(&1)?];
                Ok(())
            }

            #[allow(dead_code)]
            fn traits() {
                use std::fmt;
                use std::hash::Hash;
                use std::iter::FusedIterator;
                use $crate::serde::de::{Deserializer, IntoDeserializer};
                fn shown<T: fmt::Debug + fmt::Display>() {}
                fn printed<T: fmt::Debug>() {}
                fn compared<T: Clone + fmt::Debug + PartialEq>() {}
                fn hashed<T: Hash + Eq>() {}
                fn fused<T>(_: impl FnOnce(face::Deserializer<'static>) -> T)
                where
                    T: fmt::Debug + FusedIterator<Item = face::Result<u8, face::Error>>,
                {
                }
                fn reads<T>()
                where
                    T: Deserializer<'static, Error = face::Error>
                        + IntoDeserializer<'static, face::Error>,
                {
                }
                shown::<face::Value>();
                shown::<face::Error>();
                shown::<face::ErrorKind>();
                shown::<face::Path>();
                printed::<face::Serializer>();
                printed::<face::Deserializer<'static>>();
                compared::<face::Options>();
                hashed::<face::Path>();
                hashed::<face::ErrorKind>();
                fused(|deserializer| deserializer.into_iter::<u8>());
                reads::<&face::Value>();
                reads::<face::Value>();
            }

            #[allow(dead_code)]
            fn errors(error: &face::Error) -> (face::ErrorKind, Option<usize>, String) {
                let _: [bool; 4] =
                    [error.is_eof(), error.is_io(), error.is_data(), error.is_syntax()];
                (error.kind(), error.offset(), error.path().to_string())
            }

            #[allow(dead_code)]
            fn of_io(error: std::io::Error) -> std::io::Error {
                std::io::Error::from(face::Error::from(error))
            }

            #[cfg(feature = "explain")]
            #[allow(dead_code)]
            fn explained(options: &face::Options, bytes: &[u8]) {
                let [_, _] = [face::explain(bytes), options.explain(bytes)];
            }
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_known_flag {
    (text) => {};
    (no_scalars) => {};
    (no_unit) => {};
    (no_enums) => {};
    (no_value) => {};
    (no_options) => {};
    (no_explain) => {};
    (one_shape) => {};
    (peer) => {};
    (open_structs) => {};
    (numbers_as_written) => {};
    (wraps_u64) => {};
    ($other:ident) => {
        compile_error!(concat!("conformance! has no flag `", stringify!($other), "`"));
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_is_text {
    (text $($rest:ident)*) => { true };
    ($other:ident $($rest:ident)*) => { $crate::__conformance_is_text!($($rest)*) };
    () => { false };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ($face:ident: $($check:ident),+ $(,)?) => {
        $(
            #[test]
            fn $check() {
                $crate::conformance::$check::<$face>();
            }
        )+
    };
}

// Wires the face: `$verbs` is what stands before `from_slice` and the other verbs, a path with `::`
// or an expression with `.`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_face {
    ($name:ident, $text:expr, [$($verbs:tt)+]) => {
        impl $crate::conformance::Face for $name {
            const TEXT: bool = $text;
            type Error = face::Error;
            fn from_slice<'de, T: $crate::serde::Deserialize<'de>>(
                bytes: &'de [u8],
            ) -> ::std::result::Result<T, face::Error> {
                $($verbs)+ from_slice(bytes)
            }
            fn take_from_slice<'de, T: $crate::serde::Deserialize<'de>>(
                bytes: &'de [u8],
            ) -> ::std::result::Result<(T, &'de [u8]), face::Error> {
                $($verbs)+ take_from_slice(bytes)
            }
            fn from_reader<R: ::std::io::Read, T: $crate::serde::de::DeserializeOwned>(
                reader: R,
            ) -> ::std::result::Result<T, face::Error> {
                $($verbs)+ from_reader(reader)
            }
            fn to_vec<T: $crate::serde::Serialize + ?Sized>(
                value: &T,
            ) -> ::std::result::Result<::std::vec::Vec<u8>, face::Error> {
                $($verbs)+ to_vec(value)
            }
            fn to_writer<W: ::std::io::Write, T: $crate::serde::Serialize + ?Sized>(
                writer: W,
                value: &T,
            ) -> ::std::result::Result<(), face::Error> {
                $($verbs)+ to_writer(writer, value)
            }
            fn kind(error: &face::Error) -> ::std::string::String {
                ::std::format!("{:?}", error.kind())
            }
            fn offset(error: &face::Error) -> ::std::option::Option<usize> {
                error.offset()
            }
        }
    };
}

// Leaves out what comes after the list of flags where the flag before it is in the list.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_unless {
    (one_shape [one_shape $($rest:ident)*] $($items:tt)*) => {};
    (peer [peer $($rest:ident)*] $($items:tt)*) => {};
    (open_structs [open_structs $($rest:ident)*] $($items:tt)*) => {};
    (numbers_as_written [numbers_as_written $($rest:ident)*] $($items:tt)*) => {};
    (wraps_u64 [wraps_u64 $($rest:ident)*] $($items:tt)*) => {};
    (no_scalars [no_scalars $($rest:ident)*] $($items:tt)*) => {};
    (no_unit [no_unit $($rest:ident)*] $($items:tt)*) => {};
    (no_enums [no_enums $($rest:ident)*] $($items:tt)*) => {};
    (no_value [no_value $($rest:ident)*] $($items:tt)*) => {};
    (no_options [no_options $($rest:ident)*] $($items:tt)*) => {};
    (no_explain [no_explain $($rest:ident)*] $($items:tt)*) => {};
    ($flag:ident [$other:ident $($rest:ident)*] $($items:tt)*) => {
        $crate::__conformance_unless!($flag [$($rest)*] $($items)*);
    };
    ($flag:ident [] $($items:tt)*) => { $($items)* };
}
