//! Every format on the four data sets, into structs.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::{COLUMNS, Codec, push, row};
use crate::ours::{Beans, Body, O3de, ShallowLogs, Variant, inferred};
use crate::peers::{Bson, Cbor, Json, MessagePackArray, MessagePackNamed, Postcard, Sonic};
use crate::table::Table;
use crate::task::{Task, each_set};
use crate::{Outcome, proto};

/// One table for each data set.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let (plan, data) = (&task.plan, &task.data);
    let mut tables = each_set!(task, typed);
    for table in &mut tables {
        match table.title.as_str() {
            "log" => proto::push(plan, table, &proto::Logs::from(&data.log))?,
            "mesh" => proto::push(plan, table, &proto::Mesh::from(&data.mesh))?,
            _ => {}
        }
    }
    Ok(tables)
}

fn typed<T>(task: &Task, set: &str, value: &T) -> Outcome<Table>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let plan = &task.plan;
    let mut table = Table::new(set, &COLUMNS);
    push::<Variant, T>(plan, &mut table, value)?;
    push::<Beans, T>(plan, &mut table, value)?;
    let options = inferred::<T>()?;
    table.rows.push(row(
        plan,
        ShallowLogs::NAME,
        value,
        |value, out| Ok(options.append_to_vec(out, value)?),
        |bytes| Ok(options.from_slice(bytes)?),
    )?);
    push::<O3de, T>(plan, &mut table, value)?;
    push::<Body, T>(plan, &mut table, value)?;
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
