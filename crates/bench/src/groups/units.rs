//! An `Array` of 100 000 objects, the shape of most of what a Godot game sends or saves.

use godot_variant::types::Vector3;

use crate::Outcome;
use crate::data::{Unit, units};
use crate::groups::value;
use crate::harness::{COLUMNS, Codec, each_codec, encoded, push, row};
use crate::ours::Variant;
use crate::peers::{MessagePackArray, MessagePackNamed, Postcard};
use crate::table::Table;
use crate::task::Task;

/// How many objects.
const COUNT: usize = 100_000;

/// The table; bson is missing because its outermost value must be a document.
pub fn table(task: &Task) -> Outcome<Table> {
    type Units = Vec<Unit<[f32; 3]>>;

    let plan = &task.plan;
    let value: Units = units(COUNT, |position| position);
    let mut table = Table::new("Array of 100 000 objects", &COLUMNS);
    push::<Variant, Units>(plan, &mut table, &value)?;
    let native = units(COUNT, |[x, y, z]| Vector3 { x, y, z });
    let decode = |bytes: &[u8]| Variant::decode(bytes);
    table.rows.push(row(plan, "godot-variant, Vector3", &native, Variant::encode, decode)?);
    each_codec!(push(plan, &mut table, &value):
        MessagePackNamed, MessagePackArray, Postcard,
    );
    // Without a type.
    value::own::<Variant, godot_variant::Value, Units>(plan, &mut table, &value)?;
    value::message_pack(plan, &mut table, &encoded::<MessagePackNamed, Units>(&value)?)?;
    Ok(table)
}
