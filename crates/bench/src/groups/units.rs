//! An `Array` of 100 000 objects, the shape of most of what a Godot game sends or saves.

use super::Task;
use crate::data::{Unit, units};
use crate::harness::{COLUMNS, push};
use crate::peers::{Cbor, Json, MessagePackArray, MessagePackNamed, Postcard};
use crate::table::Table;
use crate::{Outcome, ours};

/// How many objects.
pub const COUNT: usize = 100_000;

/// The table; bson is missing because its outermost value must be a document.
pub fn table(task: &Task) -> Outcome<Table> {
    type Units = Vec<Unit<[f32; 3]>>;

    let plan = &task.plan;
    let value: Units = units(COUNT, |position| position);
    let mut table = Table::new("Array of 100 000 objects", &COLUMNS);
    ours::units(plan, &mut table)?;
    push::<Json, Units>(plan, &mut table, &value)?;
    push::<MessagePackNamed, Units>(plan, &mut table, &value)?;
    push::<Cbor, Units>(plan, &mut table, &value)?;
    push::<MessagePackArray, Units>(plan, &mut table, &value)?;
    push::<Postcard, Units>(plan, &mut table, &value)?;
    Ok(table)
}
