//! Every format that has one, into its dynamic value type and back.

use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Task;
use crate::data::DataSets;
use crate::harness::{COLUMNS, Codec, Plan, cells};
use crate::peers::{Bson, Json, MessagePackNamed};
use crate::table::Table;
use crate::{Outcome, ours};

/// One table for each data set.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let DataSets { log, mesh, minecraft_savedata, mk48 } = &task.data;
    let mut tables = Vec::new();
    if task.wants("log") {
        tables.push(dynamic(task, "log", log)?);
    }
    if task.wants("mesh") {
        tables.push(dynamic(task, "mesh", mesh)?);
    }
    if task.wants("minecraft_savedata") {
        tables.push(dynamic(task, "minecraft_savedata", minecraft_savedata)?);
    }
    if task.wants("mk48") {
        tables.push(dynamic(task, "mk48", mk48)?);
    }
    Ok(tables)
}

fn dynamic<T: Serialize + DeserializeOwned>(task: &Task, set: &str, value: &T) -> Outcome<Table> {
    let plan = &task.plan;
    let mut table = Table::new(format!("{set} as dynamic values"), &COLUMNS);
    ours::value(plan, &mut table, value)?;

    // Through a `Value` once, which holds f32 as f64: a few of the smallest are then written with an
    // exponent where f32 is not, and the check in `push` wants the bytes that a `Value` writes.
    let json = encoded::<Json, T>(value)?;
    let json = encoded::<Json, _>(&Json::decode::<serde_json::Value>(&json)?)?;
    push(
        plan,
        &mut table,
        "serde_json Value",
        &json,
        Json::decode::<serde_json::Value>,
        Json::encode,
    )?;

    let message_pack = encoded::<MessagePackNamed, T>(value)?;
    push(
        plan,
        &mut table,
        "rmpv Value",
        &message_pack,
        |mut bytes| Ok(rmpv::decode::read_value(&mut bytes)?),
        |value, out| Ok(rmpv::encode::write_value(out, value)?),
    )?;
    push(
        plan,
        &mut table,
        "rmpv ValueRef",
        &message_pack,
        |mut bytes| Ok(rmpv::decode::read_value_ref(&mut bytes)?),
        |value, out| Ok(rmpv::encode::write_value_ref(out, value)?),
    )?;

    let bson = encoded::<Bson, T>(value)?;
    push(
        plan,
        &mut table,
        "bson Document",
        &bson,
        |bytes| Ok(bson::Document::from_reader(bytes)?),
        |value, out| {
            *out = value.to_vec()?;
            Ok(())
        },
    )?;
    Ok(table)
}

/// The bytes of `value` in the format `C`.
pub fn encoded<C: Codec, T: Serialize>(value: &T) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    C::encode(value, &mut bytes)?;
    Ok(bytes)
}

/// Adds the row of a value type `V`, which may borrow from `bytes`. Checked first: the value is
/// written back as the same bytes.
pub fn push<'b, V>(
    plan: &Plan,
    table: &mut Table,
    name: &str,
    bytes: &'b [u8],
    decode: impl Fn(&'b [u8]) -> Outcome<V>,
    encode: impl Fn(&V, &mut Vec<u8>) -> Outcome<()>,
) -> Outcome<()> {
    let value = decode(bytes)?;
    let again = plan.encode(|out| encode(black_box(&value), out))?;
    if again.bytes != bytes {
        return Err(format!("{name}: writes back other bytes than it read").into());
    }
    // The tree is freed before the decoder is timed, so that it finds the heap as a user would.
    drop(value);
    let cost = plan.cost(|| decode(black_box(bytes)))?;
    table.rows.push(cells(name, &again, &cost));
    Ok(())
}
