//! The tests of kiwi-pclass.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::large_enum_variant)]

mod archive;
mod bits;
mod cases;
#[allow(dead_code, reason = "the vectors use them all")]
mod classes;
mod core_objects;
mod derived;
mod derives;
mod docs;
mod errors;
mod explain;
mod infer;
mod limits;
mod lists;
mod losses;
mod notation;
mod properties;
mod row_options;
mod serde;
mod structs;
mod support;
mod value;

// Deep mode, compact lengths for long strings, any class for a struct, because the tests read one
// struct's bytes as another. The classes are inferred.
gamewire_testkit::conformance!(
    kiwi_pclass with crate::support::inferring(),
    no_scalars,
    no_unit,
    no_enums,
    no_value,
    one_shape,
    open_structs
);

gamewire_testkit::face!(kiwi_pclass);
