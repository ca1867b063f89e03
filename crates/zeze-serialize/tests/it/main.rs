//! The tests of zeze-serialize that need no engine.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::large_enum_variant)]

#[cfg(feature = "explain")]
mod cases;
#[cfg(feature = "explain")]
mod docs;
mod errors;
#[cfg(feature = "explain")]
mod explain;
mod frames;
mod limits;
mod losses;
mod properties;
mod random;
mod regress;
mod serde;
mod streams;
mod support;
mod value;

/// For data that has to come back as it was or be refused: by default the format ignores fields of
/// an incompatible type, cuts integers and drops the sign of zero.
fn exact() -> zeze_serialize::Options {
    let options = zeze_serialize::Options::new();
    options.strict(true).exact_integers(true).keep_negative_zero(true)
}

#[cfg(feature = "explain")]
gamewire_testkit::conformance!(zeze_serialize with crate::exact(), open_structs);
#[cfg(not(feature = "explain"))]
gamewire_testkit::conformance!(zeze_serialize with crate::exact(), no_explain, open_structs);

gamewire_testkit::face!(zeze_serialize);
