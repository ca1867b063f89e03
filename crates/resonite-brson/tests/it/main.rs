//! The tests of resonite-brson.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::large_enum_variant)]

#[cfg(all(feature = "brotli", feature = "explain", feature = "lz4", feature = "lzma"))]
mod cases;
#[cfg(all(feature = "brotli", feature = "lz4", feature = "lzma"))]
mod container;
#[cfg(all(feature = "explain", feature = "lz4", feature = "lzma"))]
mod docs;
mod errors;
#[cfg(feature = "explain")]
mod explain;
#[cfg(feature = "bson")]
mod interop;
mod json;
mod limits;
mod macros;
mod plain;
mod properties;
mod realdata;
mod regress;
mod serde;
mod shared;
mod support;
mod types;
mod value;

#[cfg(feature = "explain")]
gamewire_testkit::conformance!(
    resonite_brson with crate::plain::options(), no_scalars, wraps_u64
);
#[cfg(not(feature = "explain"))]
gamewire_testkit::conformance!(
    resonite_brson with crate::plain::options(), no_scalars, wraps_u64, no_explain
);

gamewire_testkit::face!(resonite_brson);
