//! `log` with strings that borrow from the input, beside owned ones.

use std::hint::black_box;

use crate::Outcome;
use crate::data::{Logs, LogsRef};
use crate::harness::{Codec, encoded, same};
use crate::ours::{Beans, Body, O3de, ShallowLogs, Variant};
use crate::peers::{Bson, Cbor, Json, MessagePackArray, MessagePackNamed, Postcard};
use crate::table::{Cell, Table};
use crate::task::Task;

const COLUMNS: [&str; 6] =
    ["name", "owned ms", "borrowed ms", "gain", "allocs owned", "allocs borrowed"];

/// The table.
pub fn table(task: &Task) -> Outcome<Table> {
    let mut table = Table::new("log, borrowed decode", &COLUMNS);
    push::<Variant>(task, &mut table)?;
    push::<Beans>(task, &mut table)?;
    push::<ShallowLogs>(task, &mut table)?;
    push::<O3de>(task, &mut table)?;
    push::<Body>(task, &mut table)?;
    push::<Json>(task, &mut table)?;
    push::<MessagePackNamed>(task, &mut table)?;
    push::<Cbor>(task, &mut table)?;
    push::<Bson>(task, &mut table)?;
    push::<MessagePackArray>(task, &mut table)?;
    push::<Postcard>(task, &mut table)?;
    Ok(table)
}

/// Adds the row of a serde format.
fn push<C: Codec>(task: &Task, table: &mut Table) -> Outcome<()> {
    let (plan, logs) = (&task.plan, &task.data.log);
    let bytes = encoded::<C, Logs>(logs)?;
    same(C::NAME, &C::decode::<Logs>(&bytes)?, logs)?;
    same(C::NAME, &C::decode::<LogsRef<'_>>(&bytes)?, &logs.borrowed())?;

    let owned = plan.cost(|| C::decode::<Logs>(black_box(&bytes)))?;
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
