//! Every format on the four data sets, into structs.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Task;
use crate::data::DataSets;
use crate::harness::{COLUMNS, push};
use crate::peers::{Bson, Cbor, Json, MessagePackArray, MessagePackNamed, Postcard, Sonic};
use crate::table::Table;
use crate::{Outcome, ours, proto};

/// One table for each data set.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let plan = &task.plan;
    let DataSets { log, mesh, minecraft_savedata, mk48 } = &task.data;
    let mut tables = Vec::new();
    if task.wants("log") {
        let mut table = typed(task, "log", log)?;
        proto::push(plan, &mut table, &proto::Logs::from(log))?;
        tables.push(table);
    }
    if task.wants("mesh") {
        let mut table = typed(task, "mesh", mesh)?;
        proto::push(plan, &mut table, &proto::Mesh::from(mesh))?;
        tables.push(table);
    }
    if task.wants("minecraft_savedata") {
        tables.push(typed(task, "minecraft_savedata", minecraft_savedata)?);
    }
    if task.wants("mk48") {
        tables.push(typed(task, "mk48", mk48)?);
    }
    Ok(tables)
}

fn typed<T>(task: &Task, set: &str, value: &T) -> Outcome<Table>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let plan = &task.plan;
    let mut table = Table::new(set, &COLUMNS);
    ours::typed(plan, &mut table, value)?;
    // Those that write field names first.
    push::<Json, T>(plan, &mut table, value)?;
    push::<Sonic, T>(plan, &mut table, value)?;
    push::<MessagePackNamed, T>(plan, &mut table, value)?;
    push::<Cbor, T>(plan, &mut table, value)?;
    push::<Bson, T>(plan, &mut table, value)?;
    push::<MessagePackArray, T>(plan, &mut table, value)?;
    push::<Postcard, T>(plan, &mut table, value)?;
    Ok(table)
}
