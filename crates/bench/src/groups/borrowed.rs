//! `log` with strings that borrow from the input, beside owned ones.

use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Outcome;
use crate::data::LogsRef;
use crate::harness::{Codec, each_codec, encoded, same};
use crate::ours::{Beans, Body, O3de, ShallowLogs, Variant};
use crate::peers::{Json, MessagePackArray};
use crate::table::{Cell, Table};
use crate::task::Task;

const COLUMNS: [&str; 6] =
    ["name", "owned ms", "borrowed ms", "gain", "allocs owned", "allocs borrowed"];

/// The table.
pub fn table(task: &Task) -> Outcome<Table> {
    let mut table = Table::new("log, borrowed decode", &COLUMNS);
    each_codec!(push(task, &mut table, &task.data.log):
        Variant, Beans, ShallowLogs, O3de, Body, Json, MessagePackArray,
    );
    Ok(table)
}

/// Adds the row of a serde format, which reads `L` and the same with borrowed strings.
fn push<C: Codec, L>(task: &Task, table: &mut Table, logs: &L) -> Outcome<()>
where
    L: Serialize + DeserializeOwned + PartialEq,
{
    let plan = &task.plan;
    let bytes = encoded::<C, L>(logs)?;
    same(C::NAME, &C::decode::<L>(&bytes)?, logs)?;
    same(C::NAME, &encoded::<C, _>(&C::decode::<LogsRef<'_>>(&bytes)?)?, &bytes)?;

    let owned = plan.cost(|| C::decode::<L>(black_box(&bytes)))?;
    let borrowed = plan.cost(|| C::decode::<LogsRef<'_>>(black_box(&bytes)))?;
    let row = table.rows.len();
    table.rows.push(vec![
        Cell::Text(C::NAME.to_owned()),
        Cell::Time(owned.time),
        Cell::Time(borrowed.time),
        Cell::Factor([row, 1], [row, 2]),
        Cell::Count(owned.counts.allocations),
        Cell::Count(borrowed.counts.allocations),
    ]);
    Ok(())
}
