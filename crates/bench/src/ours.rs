//! Where the format crates of this workspace plug in.
//!
//! Each function below is called by one group, before the peers are measured, and adds our rows to
//! its table. A crate plugs in with a feature in Cargo.toml, a [`Codec`] (or closures for
//! [`crate::harness::row`] where the format needs more than a serde type), and a line in each
//! function that it has something to show for:
//!
//! * godot-variant: src/ours/godot.rs, feature `godot`.
//! * o3de-json: src/ours/o3de.rs, feature `o3de`.
//! * kiwi-pclass: src/ours/kiwi.rs, feature `kiwi`, with a schema inferred from the Rust types that
//!   is made before timing starts.
//! * zeze-serialize: src/ours/zeze.rs, feature `zeze`. Without numeric names, fields number
//!   themselves by position, so the structs in [`crate::data`] serve as they are.
//! * resonite-brson: src/ours/resonite.rs, feature `resonite`; whole saves and their codecs in the
//!   group `brson`.
//! * In `borrowed`: every one of them that reads from a slice.
//!
//! [`Codec`]: crate::harness::Codec

// With no format crate switched on, nothing below has anything to do.
#![cfg_attr(
    not(all(
        feature = "godot",
        feature = "kiwi",
        feature = "o3de",
        feature = "resonite",
        feature = "zeze"
    )),
    allow(unused_variables)
)]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Outcome;
use crate::groups::Task;
use crate::groups::packed::Packed;
use crate::harness::Plan;
use crate::table::Table;

#[cfg(feature = "godot")]
mod godot;
#[cfg(feature = "kiwi")]
mod kiwi;
#[cfg(feature = "o3de")]
mod o3de;
#[cfg(feature = "resonite")]
pub(crate) mod resonite;
#[cfg(feature = "zeze")]
mod zeze;

/// Rows of the group `peers`: a data set into structs.
pub fn typed<T>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    #[cfg(feature = "godot")]
    crate::harness::push::<godot::Variant, T>(plan, table, value)?;
    #[cfg(feature = "zeze")]
    crate::harness::push::<zeze::Beans, T>(plan, table, value)?;
    #[cfg(feature = "kiwi")]
    kiwi::typed(plan, table, value)?;
    #[cfg(feature = "o3de")]
    crate::harness::push::<o3de::Json, T>(plan, table, value)?;
    #[cfg(feature = "resonite")]
    crate::harness::push::<resonite::Body, T>(plan, table, value)?;
    Ok(())
}

/// Rows of the group `value`: a data set into the dynamic value type.
pub fn value<T: Serialize + DeserializeOwned>(
    plan: &Plan,
    table: &mut Table,
    value: &T,
) -> Outcome<()> {
    #[cfg(feature = "godot")]
    godot::value(plan, table, value)?;
    #[cfg(feature = "zeze")]
    zeze::value(plan, table, value)?;
    #[cfg(feature = "kiwi")]
    kiwi::value(plan, table, value)?;
    #[cfg(feature = "o3de")]
    o3de::value(plan, table, value)?;
    #[cfg(feature = "resonite")]
    resonite::value(plan, table, value)?;
    Ok(())
}

/// Rows of the group `borrowed`.
pub fn borrowed(task: &Task, table: &mut Table) -> Outcome<()> {
    #[cfg(feature = "godot")]
    crate::groups::borrowed::push::<godot::Variant>(task, table)?;
    #[cfg(feature = "zeze")]
    crate::groups::borrowed::push::<zeze::Beans>(task, table)?;
    #[cfg(feature = "kiwi")]
    kiwi::borrowed(task, table)?;
    #[cfg(feature = "o3de")]
    crate::groups::borrowed::push::<o3de::Json>(task, table)?;
    #[cfg(feature = "resonite")]
    crate::groups::borrowed::push::<resonite::Body>(task, table)?;
    Ok(())
}

/// Rows of the group `o3de`: the level as Rust types.
pub fn level(plan: &Plan, table: &mut Table, text: &str) -> Outcome<()> {
    #[cfg(feature = "o3de")]
    o3de::level(plan, table, text)?;
    Ok(())
}

/// Rows of the group `o3de`: the level as a document.
pub fn level_document(plan: &Plan, table: &mut Table, text: &str) -> Outcome<()> {
    #[cfg(feature = "o3de")]
    o3de::level_document(plan, table, text)?;
    Ok(())
}

/// Rows of the group `godot`: the array of objects.
pub fn units(plan: &Plan, table: &mut Table) -> Outcome<()> {
    #[cfg(feature = "godot")]
    godot::units(plan, table)?;
    Ok(())
}

/// Rows of the group `godot`: `PackedByteArray`.
pub fn packed_bytes(packed: &mut Packed<'_>, payload: &[u8]) -> Outcome<()> {
    #[cfg(feature = "godot")]
    godot::packed_bytes(packed, payload)?;
    Ok(())
}

/// Rows of the group `godot`: `PackedFloat32Array`.
pub fn packed_floats(packed: &mut Packed<'_>, numbers: &[f32]) -> Outcome<()> {
    #[cfg(feature = "godot")]
    godot::packed_floats(packed, numbers)?;
    Ok(())
}

/// Rows of the group `godot`: `PackedVector3Array`.
pub fn packed_vectors(packed: &mut Packed<'_>, vectors: &[[f32; 3]]) -> Outcome<()> {
    #[cfg(feature = "godot")]
    godot::packed_vectors(packed, vectors)?;
    Ok(())
}

/// Rows of the group `zeze`: the list of integers.
pub fn zeze_integers(
    plan: &Plan,
    table: &mut Table,
    value: &crate::data::Field<i64>,
) -> Outcome<()> {
    #[cfg(feature = "zeze")]
    zeze::integers(plan, table, value)?;
    Ok(())
}

/// Rows of the group `zeze`: the beans.
pub fn zeze_beans(plan: &Plan, table: &mut Table) -> Outcome<()> {
    #[cfg(feature = "zeze")]
    zeze::beans(plan, table)?;
    Ok(())
}

/// The tables of the group `pclass`.
pub fn pclass(plan: &Plan) -> Outcome<Vec<Table>> {
    #[cfg(feature = "kiwi")]
    return kiwi::tables(plan);
    #[cfg(not(feature = "kiwi"))]
    Ok(Vec::new())
}
