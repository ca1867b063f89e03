//! The tests of o3de-prefab.
// A test that overflows, panics or indexes out of range fails, as it should.
#![allow(clippy::pedantic, clippy::restriction, clippy::enum_variant_names)]

mod docs;
mod imports;
mod lint;
mod migrate;
mod prefab;
mod project;
mod registry;
mod rename;
mod search;
mod support;
