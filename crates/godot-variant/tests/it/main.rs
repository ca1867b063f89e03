//! The tests of godot-variant that need no engine.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::large_enum_variant)]

/// `insta::assert_snapshot!` for modules in folders: all snapshots are in one.
macro_rules! assert_snapshot_above {
    ($value:expr) => {
        insta::with_settings!({ snapshot_path => "../snapshots" }, {
            insta::assert_snapshot!($value);
        })
    };
}

mod cases;
mod dialects;
#[cfg(all(feature = "explain", feature = "gcpf", feature = "gdec"))]
mod docs;
mod errors;
#[cfg(feature = "explain")]
mod explain;
mod floats;
mod frames;
mod interop;
mod limits;
mod realdata;
mod regress;
mod serde;
mod strategy;
mod streams;
mod strict;
mod support;
#[cfg(feature = "text")]
mod text;
mod value;
mod wrapped;

#[cfg(feature = "explain")]
gamewire_testkit::conformance!(godot_variant);
#[cfg(not(feature = "explain"))]
gamewire_testkit::conformance!(godot_variant, no_explain);

gamewire_testkit::face!(godot_variant);
