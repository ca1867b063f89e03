//! The tests of resonite-brson.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::large_enum_variant)]

#[cfg(all(
    feature = "brotli",
    feature = "explain",
    feature = "lz4",
    feature = "lzma",
    feature = "package"
))]
mod cases;
#[cfg(all(feature = "brotli", feature = "lz4", feature = "lzma"))]
mod container;
#[cfg(all(feature = "explain", feature = "lz4", feature = "lzma"))]
mod docs;
mod errors;
#[cfg(feature = "explain")]
mod explain;
#[cfg(all(feature = "gltf", feature = "package", feature = "brotli"))]
mod glb;
#[cfg(feature = "bson")]
mod interop;
mod json;
mod limits;
mod macros;
mod mesh;
mod model;
#[cfg(feature = "package")]
mod package;
mod plain;
mod properties;
mod realdata;
mod regress;
mod serde;
mod support;
#[cfg(feature = "package")]
mod testdata;
mod types;
#[cfg(feature = "package")]
mod usage;
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
