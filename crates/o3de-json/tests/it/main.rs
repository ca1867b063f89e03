//! The tests of o3de-json.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::enum_variant_names)]

mod buffered_enums;
mod buffers;
#[cfg(feature = "explain")]
mod cases;
mod derived;
#[cfg(feature = "explain")]
mod docs;
mod document;
mod errors;
#[cfg(feature = "explain")]
mod explain;
mod foreign;
mod limits;
mod patch;
mod regress;
mod rfc;
mod serde;
mod support;
mod value;

#[cfg(feature = "explain")]
gamewire_testkit::conformance!(o3de_json, text);
#[cfg(not(feature = "explain"))]
gamewire_testkit::conformance!(o3de_json, text, no_explain);

gamewire_testkit::face!(o3de_json, text);
