//! godot-variant.

use godot_variant::view::{F32, LeVector3, View};
use godot_variant::{
    PackedByteArray, PackedFloat32Array, PackedVector3Array, Value, Vector3, types::PackedByteSlice,
};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::data;
use crate::groups::packed::Packed;
use crate::groups::units::COUNT;
use crate::groups::value::{encoded, push as push_value};
use crate::harness::{Codec, Plan, push, row};
use crate::table::Table;

/// Bare variants as Godot 4 writes them.
#[derive(Debug)]
pub(super) struct Variant;

impl Codec for Variant {
    const NAME: &'static str = "godot-variant";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(godot_variant::Options::new().append_to_vec(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(godot_variant::from_slice(bytes)?)
    }
}

/// A data set into `Value`.
pub(super) fn value<T: Serialize>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()> {
    let bytes = encoded::<Variant, T>(value)?;
    let decode = |bytes| Variant::decode::<Value>(bytes);
    push_value(plan, table, "godot-variant Value", &bytes, decode, Variant::encode)
    // A borrowed `ValueRef<'de>`, if there will be one, is a second row like this.
}

/// The array of objects, with positions as the peers write them and as native vectors.
pub(super) fn units(plan: &Plan, table: &mut Table) -> Outcome<()> {
    push::<Variant, _>(plan, table, &data::units(COUNT, |position| position))?;
    let native = data::units(COUNT, |[x, y, z]| Vector3 { x, y, z });
    let decode = |bytes: &[u8]| Variant::decode(bytes);
    table.rows.push(row(plan, "godot-variant, Vector3", &native, Variant::encode, decode)?);
    Ok(())
}

/// `PackedByteArray`, owned and borrowed.
pub(super) fn packed_bytes(packed: &mut Packed<'_>, payload: &[u8]) -> Outcome<()> {
    let value = PackedByteArray(payload.to_vec());
    packed.owned::<Variant, _>(&value)?;
    packed.borrowed::<Variant, _>(&encoded::<Variant, _>(&value)?, &PackedByteSlice(payload))
}

/// `PackedFloat32Array`, owned and as a view.
pub(super) fn packed_floats(packed: &mut Packed<'_>, numbers: &[f32]) -> Outcome<()> {
    let value = PackedFloat32Array(numbers.to_vec());
    packed.owned::<Variant, _>(&value)?;
    let encoded = encoded::<Variant, _>(&value)?;
    let numbers: Vec<F32> = numbers.iter().map(|&number| number.into()).collect();
    packed.borrowed::<Variant, _>(&encoded, &View(&numbers))
}

/// `PackedVector3Array`, owned and as a view.
pub(super) fn packed_vectors(packed: &mut Packed<'_>, vectors: &[[f32; 3]]) -> Outcome<()> {
    let value = PackedVector3Array(vectors.iter().map(|&[x, y, z]| Vector3 { x, y, z }).collect());
    packed.owned::<Variant, _>(&value)?;
    let encoded = encoded::<Variant, _>(&value)?;
    let vectors: Vec<LeVector3> = value.iter().map(|&vector| vector.into()).collect();
    packed.borrowed::<Variant, _>(&encoded, &View(&vectors))
}
