//! Packed arrays beside a plain copy of the same bytes: the copy is the bound that no codec beats,
//! except one that only borrows.
//!
//! Two copies are shown: into a buffer that is reused, which an encoder is held against, and into a
//! fresh vector, which a decoder is held against. They are equal as long as the allocator keeps its
//! memory; with `--cold`, a fresh vector of this size costs ten times the copy, in page faults.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::Duration;

use godot_variant::types::PackedByteSlice;
use godot_variant::types::{PackedByteArray, PackedFloat32Array, PackedVector3Array, Vector3};
use godot_variant::view::{F32, LeVector3, View};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};

use crate::Outcome;
use crate::data::units::{bytes, floats};
use crate::harness::{Codec, Plan, encoded, same};
use crate::ours::Variant;
use crate::peers::{MessagePackNamed, Postcard};
use crate::table::{Cell, Table};
use crate::task::Task;

/// Bytes in the byte array.
const BYTES: usize = 40_000_000;
/// Numbers in the float array.
const FLOATS: usize = 10_000_000;
/// Vectors in the vector array.
const VECTORS: usize = 1_000_000;

const COLUMNS: [&str; 5] = ["name", "ms", "GB/s", "over copy, reused", "over copy, fresh"];

/// One table for each kind of packed array.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    Ok(vec![byte_array(&task.plan)?, float_array(&task.plan)?, vector_array(&task.plan)?])
}

fn byte_array(plan: &Plan) -> Outcome<Table> {
    let payload = bytes(BYTES);
    let mut packed = Packed::start(plan, "PackedByteArray, 40 MB", &payload)?;
    let native = PackedByteArray(payload.clone());
    packed.owned::<Variant, _>(&native)?;
    packed.borrowed::<Variant, _>(&encoded::<Variant, _>(&native)?, &PackedByteSlice(&payload))?;
    let value = ByteBuf::from(payload.clone());
    let view = Bytes::new(&payload);
    packed.owned::<MessagePackNamed, _>(&value)?;
    packed.borrowed::<MessagePackNamed, _>(&encoded::<MessagePackNamed, _>(&value)?, &view)?;
    packed.owned::<Postcard, _>(&value)?;
    packed.borrowed::<Postcard, _>(&encoded::<Postcard, _>(&value)?, &view)?;
    Ok(packed.table)
}

fn float_array(plan: &Plan) -> Outcome<Table> {
    let value = floats(FLOATS);
    let payload: Vec<u8> = value.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut packed = Packed::start(plan, "PackedFloat32Array, 10 000 000 numbers", &payload)?;
    let native = PackedFloat32Array(value.clone());
    packed.owned::<Variant, _>(&native)?;
    let view: Vec<F32> = value.iter().map(|&number| number.into()).collect();
    packed.borrowed::<Variant, _>(&encoded::<Variant, _>(&native)?, &View(&view))?;
    packed.owned::<Postcard, _>(&value)?;
    Ok(packed.table)
}

fn vector_array(plan: &Plan) -> Outcome<Table> {
    let numbers = floats(3 * VECTORS);
    let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let value: Vec<[f32; 3]> = numbers.as_chunks().0.to_vec();
    let mut packed = Packed::start(plan, "PackedVector3Array, 1 000 000 vectors", &payload)?;
    let native = PackedVector3Array(value.iter().map(|&[x, y, z]| Vector3 { x, y, z }).collect());
    packed.owned::<Variant, _>(&native)?;
    let view: Vec<LeVector3> = native.iter().map(|&vector| vector.into()).collect();
    packed.borrowed::<Variant, _>(&encoded::<Variant, _>(&native)?, &View(&view))?;
    packed.owned::<Postcard, _>(&value)?;
    Ok(packed.table)
}

/// A table under construction: the bytes to copy, and the two copies in its first rows.
#[derive(Debug)]
struct Packed<'a> {
    plan: &'a Plan,
    payload: &'a [u8],
    table: Table,
}

impl<'a> Packed<'a> {
    fn start(plan: &'a Plan, title: &str, payload: &'a [u8]) -> Outcome<Self> {
        let mut packed = Self { plan, payload, table: Table::new(title, &COLUMNS) };
        let mut buffer = Vec::with_capacity(payload.len());
        let reused = plan.shortest(|| {
            buffer.clear();
            buffer.extend_from_slice(black_box(payload));
            black_box(&mut buffer);
            Ok(())
        })?;
        packed.add("copy, reused buffer", reused);
        let fresh = plan.shortest(|| Ok(black_box(payload).to_vec()))?;
        packed.add("copy, fresh vector", fresh);
        Ok(packed)
    }

    /// Adds encode and decode of `value` in the format `C`.
    fn owned<C: Codec, P>(&mut self, value: &P) -> Outcome<()>
    where
        P: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let encoded = self.plan.encode(|out| C::encode(black_box(value), out))?;
        same(C::NAME, &C::decode::<P>(&encoded.bytes)?, value)?;
        self.add(&format!("{}, encode", C::NAME), encoded.cost.time);
        let decode = self.plan.shortest(|| C::decode::<P>(black_box(&encoded.bytes)))?;
        self.add(&format!("{}, decode", C::NAME), decode);
        Ok(())
    }

    /// Adds a decode of `bytes` in the format `C` into a type that borrows from them.
    fn borrowed<'b, C: Codec, B>(&mut self, bytes: &'b [u8], expected: &B) -> Outcome<()>
    where
        B: Deserialize<'b> + PartialEq + Debug,
    {
        same(C::NAME, &C::decode::<B>(bytes)?, expected)?;
        let time = self.plan.shortest(|| C::decode::<B>(black_box(bytes)))?;
        self.add(&format!("{}, decode borrowed", C::NAME), time);
        Ok(())
    }

    fn add(&mut self, name: &str, time: Duration) {
        let row = self.table.rows.len();
        self.table.rows.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Time(time),
            Cell::Speed(self.payload.len() as u64, 1),
            Cell::Factor([row, 1], [0, 1]),
            Cell::Factor([row, 1], [1, 1]),
        ]);
    }
}
