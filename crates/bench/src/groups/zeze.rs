//! The purpose of zeze-serialize: lists of integers, and small beans; written, read, and skipped.

use std::fmt::Debug;
use std::hint::black_box;

use prost::Message;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use zeze_serialize::Vector3;

use crate::Outcome;
use crate::data::{integers, roles};
use crate::harness::{Codec, Plan, row, same};
use crate::ours::Beans;
use crate::peers::{MessagePackArray, Postcard};
use crate::table::{Cell, Table};
use crate::task::Task;

/// Integers in the list.
const INTEGERS: usize = 1_000_000;
/// Beans in the list.
const BEANS: usize = 200_000;

const COLUMNS: [&str; 8] =
    ["name", "size", "ser ms", "ser MB/s", "de ms", "de MB/s", "skip ms", "skip MB/s"];

/// One table for the integers, one for the beans.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    Ok(vec![list(&task.plan)?, beans(&task.plan)?])
}

/// A list of integers as protobuf has it.
#[derive(Clone, PartialEq, Message)]
struct Integers {
    #[prost(sint64, repeated, tag = "1")]
    list: Vec<i64>,
}

fn list(plan: &Plan) -> Outcome<Table> {
    let mut table = Table::new("1 000 000 integers of 0 to 63 bits", &COLUMNS);
    let value = integers(INTEGERS);
    push::<Beans, _>(plan, &mut table, &value, true)?;
    push::<MessagePackArray, _>(plan, &mut table, &value, true)?;
    push::<Postcard, _>(plan, &mut table, &value, false)?;
    let message = Integers { list: value.list };
    let cells = row(
        plan,
        "prost, sint64",
        &message,
        |message, out| Ok(message.encode(out)?),
        |bytes| Ok(Integers::decode(bytes)?),
    )?;
    // `row` has name, both times and the size in front.
    if let [name, ser, de, Cell::Count(size), ..] = cells.as_slice() {
        table.rows.push(vec![
            name.clone(),
            Cell::Count(*size),
            ser.clone(),
            Cell::Rate(*size, 2),
            de.clone(),
            Cell::Rate(*size, 4),
            Cell::Nothing,
            Cell::Nothing,
        ]);
    }
    Ok(table)
}

fn beans(plan: &Plan) -> Outcome<Table> {
    let mut table = Table::new("200 000 beans of ten fields", &COLUMNS);
    let native = roles(BEANS, |[x, y, z]| Vector3 { x, y, z });
    push::<Beans, _>(plan, &mut table, &native, true)?;
    let value = roles(BEANS, |position| position);
    push::<MessagePackArray, _>(plan, &mut table, &value, true)?;
    push::<Postcard, _>(plan, &mut table, &value, false)?;
    Ok(table)
}

/// Adds the row of a serde format; `skips` is whether it can skip what it reads.
fn push<C: Codec, T>(plan: &Plan, table: &mut Table, value: &T, skips: bool) -> Outcome<()>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let encoded = plan.encode(|out| C::encode(black_box(value), out))?;
    same(C::NAME, &C::decode::<T>(&encoded.bytes)?, value)?;
    let decode = plan.shortest(|| C::decode::<T>(black_box(&encoded.bytes)))?;
    let size = encoded.bytes.len() as u64;
    let (skip, rate) = match skips {
        true => {
            let skip = plan.shortest(|| C::decode::<IgnoredAny>(black_box(&encoded.bytes)))?;
            (Cell::Time(skip), Cell::Rate(size, 6))
        }
        false => (Cell::Nothing, Cell::Nothing),
    };
    table.rows.push(vec![
        Cell::Text(C::NAME.to_owned()),
        Cell::Count(size),
        Cell::Time(encoded.cost.time),
        Cell::Rate(size, 2),
        Cell::Time(decode),
        Cell::Rate(size, 4),
        skip,
        rate,
    ]);
    Ok(())
}
