//! The tests of resonite-save.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction)]

#[cfg(all(feature = "brotli", feature = "explain"))]
mod cases;
#[cfg(all(feature = "brotli", feature = "explain"))]
mod explain;
#[cfg(all(feature = "gltf", feature = "package", feature = "brotli"))]
mod glb;
#[cfg(all(feature = "brotli", feature = "lz4", feature = "lzma", feature = "package"))]
mod how_to;
mod mesh;
mod model;
#[cfg(feature = "package")]
mod package;
#[path = "../../../resonite-brson/tests/it/shared.rs"]
mod shared;
#[cfg(feature = "package")]
mod testdata;
mod type_name;
#[cfg(feature = "package")]
mod usage;
