//! Every format on the four data sets, into structs.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::harness::{COLUMNS, Codec, each_codec, push, row};
use crate::ours::{Beans, Body, O3de, ShallowLogs, Variant, inferred};
use crate::peers::{Cbor, Json, MessagePackArray, MessagePackNamed};
use crate::table::Table;
use crate::task::{Task, each_set};
use crate::{Outcome, proto};

/// The suffix of a set whose types stand in one module with those of the others.
pub const TOGETHER: &str = ", all types in one module";

/// Two tables for each data set: its types in a module for themselves, and all types in one.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let (plan, data) = (&task.plan, &task.data);
    let mut tables = each_set!(task.data, typed);
    let mut together = each_set!(task.together, typed);
    together.iter_mut().for_each(|table| table.title.push_str(TOGETHER));
    tables.append(&mut together);
    for table in &mut tables {
        match table.title.trim_end_matches(TOGETHER) {
            "log" => proto::push::<proto::Logs>(plan, table, &proto::message(&data.log)?)?,
            "mesh" => proto::push::<proto::Mesh>(plan, table, &proto::message(&data.mesh)?)?,
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
    each_codec!(push(plan, &mut table, value): Variant, Beans);
    let options = inferred::<T>()?;
    table.rows.push(row(
        plan,
        ShallowLogs::NAME,
        value,
        |value, out| Ok(options.append_to_vec(out, value)?),
        |bytes| Ok(options.from_slice(bytes)?),
    )?);
    each_codec!(push(plan, &mut table, value):
        O3de, Body,
        // Those that write field names first.
        Json, MessagePackNamed, Cbor, MessagePackArray,
    );
    Ok(table)
}
