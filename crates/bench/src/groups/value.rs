//! Every format that has one, into its dynamic value type and back.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Outcome;
use crate::harness::{COLUMNS, Codec, Plan, encoded, push_value};
use crate::ours::{Beans, Body, O3de, Variant, inferred};
use crate::peers::{Bson, Json, MessagePackNamed};
use crate::table::Table;
use crate::task::{Task, each_set};

/// One table for each data set.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    Ok(each_set!(task.data, dynamic))
}

fn dynamic<T: Serialize + DeserializeOwned>(task: &Task, set: &str, value: &T) -> Outcome<Table> {
    let plan = &task.plan;
    let mut table = Table::new(format!("{set} as dynamic values"), &COLUMNS);
    own::<Variant, godot_variant::Value, T>(plan, &mut table, value)?;
    own::<Beans, zeze_serialize::Value, T>(plan, &mut table, value)?;
    let options = inferred::<T>()?;
    push_value(
        plan,
        &mut table,
        "kiwi-pclass Value",
        &options.to_vec(value)?,
        |bytes| Ok(options.from_slice::<kiwi_pclass::Value>(bytes)?),
        |value, out| Ok(options.append_to_vec(out, value)?),
    )?;
    own::<O3de, o3de_json::Value, T>(plan, &mut table, value)?;
    own::<Body, resonite_brson::Value, T>(plan, &mut table, value)?;

    // Through a `Value` once, which holds f32 as f64: a few of the smallest are then written with an
    // exponent where f32 is not, and the check in `push_value` wants the bytes that a `Value` writes.
    let json = encoded::<Json, T>(value)?;
    let json = encoded::<Json, _>(&Json::decode::<serde_json::Value>(&json)?)?;
    push_value(
        plan,
        &mut table,
        "serde_json Value",
        &json,
        Json::decode::<serde_json::Value>,
        Json::encode,
    )?;

    message_pack(plan, &mut table, &encoded::<MessagePackNamed, T>(value)?)?;

    let bson = encoded::<Bson, T>(value)?;
    push_value(
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

/// The rows of rmpv, which has both.
pub fn message_pack(plan: &Plan, table: &mut Table, bytes: &[u8]) -> Outcome<()> {
    push_value(
        plan,
        table,
        "rmpv Value",
        bytes,
        |mut bytes| Ok(rmpv::decode::read_value(&mut bytes)?),
        |value, out| Ok(rmpv::encode::write_value(out, value)?),
    )?;
    push_value(
        plan,
        table,
        "rmpv ValueRef",
        bytes,
        |mut bytes| Ok(rmpv::decode::read_value_ref(&mut bytes)?),
        |value, out| Ok(rmpv::encode::write_value_ref(out, value)?),
    )
}

/// The row of the value type `V` of the format `C`.
pub fn own<C: Codec, V, T>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()>
where
    V: Serialize + DeserializeOwned,
    T: Serialize,
{
    let bytes = encoded::<C, T>(value)?;
    push_value(plan, table, &format!("{} Value", C::NAME), &bytes, C::decode::<V>, C::encode)
}
