//! kiwi-pclass.

mod items;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kiwi_pclass::{Mode, Options, Schema, SerializerFlags, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::items::Root;
use crate::Outcome;
use crate::data::{Logs, LogsRef};
use crate::groups::Task;
use crate::groups::value::push as push_value;
use crate::harness::{COLUMNS, Codec, Plan, push, row, same};
use crate::peers::{MessagePackArray, Postcard};
use crate::rng::SplitMix64;
use crate::table::{Cell, Table};

/// The name in the tables.
const NAME: &str = "kiwi-pclass";

/// Options with a schema inferred from a type, which a program makes once.
fn inferred<T: DeserializeOwned>() -> Outcome<Options> {
    Ok(Options::new().schema(Schema::infer::<T>()?))
}

/// A data set into structs, in shallow mode.
pub(super) fn typed<T>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()>
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    let options = inferred::<T>()?;
    let cells = row(
        plan,
        NAME,
        value,
        |value, out| Ok(options.append_to_vec(out, value)?),
        |bytes| Ok(options.from_slice(bytes)?),
    )?;
    table.rows.push(cells);
    Ok(())
}

/// A data set into `Value`, in shallow mode.
pub(super) fn value<T: Serialize + DeserializeOwned>(
    plan: &Plan,
    table: &mut Table,
    value: &T,
) -> Outcome<()> {
    let options = inferred::<T>()?;
    let bytes = options.to_vec(value)?;
    let decode = |bytes| Ok(options.from_slice::<Value>(bytes)?);
    let encode = |value: &Value, out: &mut Vec<u8>| Ok(options.append_to_vec(out, value)?);
    push_value(plan, table, "kiwi-pclass Value", &bytes, decode, encode)
}

/// Shallow mode for `log` alone, whose schema is made at the first use.
pub(super) struct ShallowLogs;

impl ShallowLogs {
    fn options() -> Outcome<&'static Options> {
        static OPTIONS: OnceLock<Options> = OnceLock::new();
        if let Some(options) = OPTIONS.get() {
            return Ok(options);
        }
        let options = inferred::<Logs>()?;
        Ok(OPTIONS.get_or_init(|| options))
    }
}

impl Codec for ShallowLogs {
    const NAME: &'static str = NAME;

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(Self::options()?.append_to_vec(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(Self::options()?.from_slice(bytes)?)
    }
}

/// `log` with strings that borrow.
pub(super) fn borrowed(task: &Task, table: &mut Table) -> Outcome<()> {
    let logs = &task.data.log;
    let mut bytes = Vec::new();
    ShallowLogs::encode(logs, &mut bytes)?;
    same(NAME, &ShallowLogs::decode::<LogsRef<'_>>(&bytes)?, &logs.borrowed())?;
    crate::groups::borrowed::push::<ShallowLogs>(task, table)
}

/// The group `pclass`: 120 000 items with 13 properties each, 396 001 objects.
pub(super) fn tables(plan: &Plan) -> Outcome<Vec<Table>> {
    let root = Root::generate(items::COUNT);
    let schema = Arc::new(Schema::infer::<Root>()?);
    let mut tables = Vec::new();
    for (title, mode, flags) in [
        ("120 000 items, deep", Mode::Deep, SerializerFlags::NONE),
        ("120 000 items, deep, flags 7", Mode::Deep, SerializerFlags::FILE),
        ("120 000 items, shallow", Mode::Shallow, SerializerFlags::NONE),
    ] {
        let options = Options::new().mode(mode).flags(flags).schema(Arc::clone(&schema));
        tables.push(items_table(plan, title, &options, &root)?);
    }
    let table = tables.last_mut().ok_or("there are no tables")?;
    // The same structs in formats without names, for scale.
    push::<MessagePackArray, _>(plan, table, &root)?;
    push::<Postcard, _>(plan, table, &root)?;
    tables.push(bit_fields(plan)?);
    Ok(tables)
}

fn items_table(plan: &Plan, title: &str, options: &Options, root: &Root) -> Outcome<Table> {
    let mut table = Table::new(title, &COLUMNS);
    let bytes = options.to_vec(root)?;
    let decode = |bytes| Ok(options.from_slice::<Value>(bytes)?);
    let encode = |value: &Value, out: &mut Vec<u8>| Ok(options.append_to_vec(out, value)?);
    push_value(plan, &mut table, "kiwi-pclass Value", &bytes, decode, encode)?;
    table.rows.push(row(
        plan,
        "kiwi-pclass, structs",
        root,
        |value, out| Ok(options.append_to_vec(out, value)?),
        |bytes| Ok(options.from_slice(bytes)?),
    )?);
    Ok(table)
}

/// Number of bit fields.
const FIELDS: usize = 8_000_000;

/// Bit fields one after another: through the reader and writer, and through serde.
fn bit_fields(plan: &Plan) -> Outcome<Table> {
    use kiwi_pclass::bits::{BitReader, BitWriter};

    let mut table = Table::new("8 000 000 bit fields", &["name", "ms", "ns each"]);
    let mut rng = SplitMix64::new(19);
    // Widths of 1 to 7 bits, always the same.
    let widths: Vec<u8> = (0..4096).map(|_| 1 + rng.below(7) as u8).collect();
    let mut writer = BitWriter::new();
    for at in 0..FIELDS {
        writer.bits(at as u32, u32::from(widths[at & 4095]));
    }
    let bytes = writer.into_bytes();
    let mut add = |name: &str, time: Duration| {
        table.rows.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Time(time),
            Cell::Nanoseconds(FIELDS as u64, 1),
        ]);
    };
    let read = plan.shortest(|| {
        let mut reader = BitReader::new(std::hint::black_box(&bytes));
        let mut sum = 0u32;
        for at in 0..FIELDS {
            sum = sum.wrapping_add(reader.bits(u32::from(widths[at & 4095]))?);
        }
        Ok(sum)
    })?;
    add("read, 1 to 7 bits", read);
    let mut buffer = Vec::with_capacity(bytes.len() + 8);
    let write = plan.shortest(|| {
        buffer.clear();
        let mut writer = BitWriter::after(std::mem::take(&mut buffer));
        for at in 0..FIELDS {
            writer.bits(at as u32, u32::from(widths[at & 4095]));
        }
        buffer = writer.into_bytes();
        Ok(())
    })?;
    add("write, 1 to 7 bits", write);

    let bits = items::Bits::generate(FIELDS / 2);
    let options = inferred::<items::Bits>()?;
    let bytes = options.to_vec(&bits)?;
    same("bit fields", &options.from_slice::<items::Bits>(&bytes)?, &bits)?;
    add(
        "Vec<bool> and Vec<Bui<5>>, read",
        plan.shortest(|| Ok(options.from_slice::<items::Bits>(std::hint::black_box(&bytes))?))?,
    );
    add(
        "Value, read",
        plan.shortest(|| Ok(options.from_slice::<Value>(std::hint::black_box(&bytes))?))?,
    );
    let mut out = Vec::with_capacity(bytes.len());
    add(
        "Vec<bool> and Vec<Bui<5>>, write",
        plan.shortest(|| {
            out.clear();
            Ok(options.append_to_vec(&mut out, std::hint::black_box(&bits))?)
        })?,
    );
    Ok(table)
}
