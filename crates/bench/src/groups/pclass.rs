//! The purpose of kiwi-pclass: a list of objects in both modes, and bit fields.

use std::sync::Arc;
use std::time::Duration;

use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::{Mode, Options, Schema, Value};

use crate::Outcome;
use crate::data::items::{self, Root};
use crate::harness::{COLUMNS, Plan, push, push_value, row, same};
use crate::ours::inferred;
use crate::peers::{MessagePackArray, Postcard};
use crate::table::{Cell, Table};
use crate::task::Task;

/// 40 000 items with 13 properties each, 132 001 objects.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let plan = &task.plan;
    let root = Root::generate(items::COUNT);
    let schema = Arc::new(Schema::infer::<Root>()?);
    let mut tables = Vec::new();
    for (title, mode, flags) in [
        ("40 000 items, deep", Mode::Deep, SerializerFlags::NONE),
        ("40 000 items, deep, flags 7", Mode::Deep, SerializerFlags::FILE),
        ("40 000 items, shallow", Mode::Shallow, SerializerFlags::NONE),
    ] {
        let options = Options::new().mode(mode).flags(flags).schema(Arc::clone(&schema));
        tables.push(items_table(plan, title, &options, &root)?);
    }
    let table = tables.last_mut().ok_or("there are no tables")?;
    // The same structs in formats without names, for scale.
    push::<MessagePackArray, _>(plan, table, &root)?;
    push::<Postcard, _>(plan, table, &root)?;
    tables.push(bit_fields(plan)?);
    tables.push(archive(plan)?);
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

/// Entries of the archive, each an object with some hundred items.
const ENTRIES: usize = 2_000;

/// An archive of files: its table, the content of each entry, and the objects.
fn archive(plan: &Plan) -> Outcome<Table> {
    use kiwi_pclass::archive::{Archive, Builder};

    let schema = Arc::new(Schema::infer::<Root>()?);
    let options = Options::file().schema(schema);
    let file = options.to_vec(&Root::generate(items::COUNT / 333))?;
    let mut builder = Builder::new();
    for at in 0..ENTRIES {
        builder.insert(&format!("ObjectData/{at:04}.xml"), &file)?;
    }
    let bytes = builder.to_vec()?;
    let title = format!("an archive of {ENTRIES} entries of {} bytes", file.len());
    let mut table = Table::new(&title, &["name", "ms", "ns each"]);
    let mut add = |name: &str, time: Duration| {
        table.rows.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Time(time),
            Cell::Nanoseconds(ENTRIES as u64, 1),
        ]);
    };
    let opened = plan.shortest(|| Ok(Archive::from_slice(std::hint::black_box(&bytes))?.len()))?;
    add("the table", opened);
    let archive = Archive::from_slice(&bytes)?;
    let read = plan.shortest(|| {
        let mut len = 0;
        for entry in archive.entries() {
            len += entry.read()?.len();
        }
        Ok(len)
    })?;
    add("entries, read", read);
    let decoded = plan.shortest(|| {
        for entry in archive.entries() {
            std::hint::black_box(options.from_slice::<Value>(&entry.read()?)?);
        }
        Ok(())
    })?;
    add("entries, decoded to a Value", decoded);
    Ok(table)
}

/// Number of bit fields.
const FIELDS: usize = 8_000_000;

/// Bit fields one after another, through serde and as a `Value`.
fn bit_fields(plan: &Plan) -> Outcome<Table> {
    let mut table = Table::new("8 000 000 bit fields", &["name", "ms", "ns each"]);
    let mut add = |name: &str, time: Duration| {
        table.rows.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Time(time),
            Cell::Nanoseconds(FIELDS as u64, 1),
        ]);
    };
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
