//! The purpose of resonite-brson: a whole save, as types and as values, and behind its codecs.
//!
//! The save is a real one from beside the repository, put into its root slot again and again up to
//! about 11 MB; without it, that of `testdata`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use resonite_brson::{Codec as Compression, Container, Options, Value, container};
use resonite_save::SavedObject;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::harness::{COLUMNS, Codec, cells, encoded, push_value, same};
use crate::ours::Body;
use crate::peers::Bson;
use crate::table::{Cell, Table};
use crate::task::Task;

/// Bytes of the document.
const SIZE: usize = 12_500_000;

/// A save, with the members of components as `D`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Save<D> {
    version_number: Option<String>,
    feature_flags: BTreeMap<String, i32>,
    types: Vec<String>,
    type_versions: BTreeMap<String, i32>,
    object: Slot<D>,
    assets: Vec<Component<D>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Slot<D> {
    #[serde(rename = "ID")]
    id: String,
    components: Field<Vec<Component<D>>>,
    name: Field<Option<String>>,
    tag: Field<Option<String>>,
    active: Field<bool>,
    #[serde(rename = "Persistent-ID")]
    persistent_id: String,
    position: Field<[f64; 3]>,
    rotation: Field<[f64; 4]>,
    scale: Field<[f64; 3]>,
    order_offset: Field<i64>,
    parent_reference: String,
    children: Vec<Slot<D>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Component<D> {
    r#type: i32,
    data: D,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Field<T> {
    #[serde(rename = "ID")]
    id: String,
    data: T,
}

/// The tables of the group.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let (name, bson) = document()?;
    Ok(vec![bodies(task, name, &bson)?, files(task, name, &bson)?])
}

/// The document, and what it is made of.
fn document() -> Outcome<(&'static str, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = root.join("../shared/realdata/resonite/ma_coresys.main.brson");
    let (name, path) = if real.is_file() {
        ("a real tree", real)
    } else {
        ("the tree of testdata", root.join("testdata/resonite-brson/lamp.brson"))
    };
    let file = std::fs::read(path)?;
    let one: SavedObject = resonite_brson::from_slice(&file)?;
    let len = container::unpack(&file)?.bson().len();
    let mut all = one.clone();
    let document = all.document_mut();
    let slot = one.document().get("Object").cloned().unwrap_or_default();
    let assets = one.document().get("Assets").and_then(Value::as_array).cloned();
    for _ in 1..SIZE / len {
        if let Some(children) = document
            .get_mut("Object")
            .and_then(|object| object.get_mut("Children"))
            .and_then(Value::as_array_mut)
        {
            children.push(slot.clone());
        }
        if let Some(list) = document.get_mut("Assets").and_then(Value::as_array_mut) {
            list.extend(assets.iter().flat_map(|assets| assets.iter().cloned()));
        }
    }
    Ok((name, encoded::<Body, _>(&all)?))
}

/// Types and values, without a codec.
fn bodies(task: &Task, name: &str, bson: &[u8]) -> Outcome<Table> {
    let plan = &task.plan;
    let title = format!("{name}, {} MB of BSON", bson.len() / 1_000_000);
    let mut table = Table::new(title, &COLUMNS);
    typed::<Body, Save<Value>>(task, &mut table, "resonite-brson, types", bson)?;
    typed::<Bson, Save<bson::Document>>(task, &mut table, "bson, types", bson)?;
    let decode = |bytes| Body::decode::<Value>(bytes);
    push_value(plan, &mut table, "resonite-brson Value", bson, decode, Body::encode)?;
    push_value(
        plan,
        &mut table,
        "bson Document",
        bson,
        |bytes| Ok(bson::Document::from_reader(bytes)?),
        |value, out| {
            *out = value.to_vec()?;
            Ok(())
        },
    )?;
    Ok(table)
}

/// The save compresses better than anything that the usual limits are made for.
fn unlimited() -> Options {
    Options::new().max_output(usize::MAX).max_alloc(usize::MAX).max_memory(usize::MAX)
}

fn typed<C: Codec, T>(task: &Task, table: &mut Table, name: &str, bson: &[u8]) -> Outcome<()>
where
    T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let value: T = C::decode(bson)?;
    let encoded = task.plan.encode(|out| C::encode(black_box(&value), out))?;
    // Not by its bytes: maps of Rust have an order of their own.
    same(name, &C::decode::<T>(&encoded.bytes)?, &value)?;
    drop(value);
    let cost = task.plan.cost(|| C::decode::<T>(black_box(bson)))?;
    table.rows.push(cells(name, &encoded, &cost));
    Ok(())
}

/// Whole files beside their parts: decompressing alone, and the document alone.
fn files(task: &Task, name: &str, bson: &[u8]) -> Outcome<Table> {
    let columns = ["container", "size", "whole ms", "codec ms", "body ms", "whole over parts"];
    let mut table = Table::new(format!("{name}, whole files into types"), &columns);
    let options = unlimited();
    let plain = options.input(Container::BSON);
    let body = task.plan.shortest(|| Ok(plain.from_slice::<Save<Value>>(black_box(bson))?))?;
    for codec in [Compression::Brotli, Compression::Lz4, Compression::Lzma] {
        let file = container::pack_with(bson, &options.container(Container::new(codec)))?;
        let whole =
            task.plan.shortest(|| Ok(options.from_slice::<Save<Value>>(black_box(&file))?))?;
        let alone = task.plan.shortest(|| Ok(options.open(black_box(&file))?.into_bson()))?;
        let over = whole.as_secs_f64() / (alone + body).as_secs_f64();
        table.rows.push(vec![
            Cell::Text(codec.to_string()),
            Cell::Count(file.len() as u64),
            Cell::Time(whole),
            Cell::Time(alone),
            Cell::Time(body),
            Cell::Text(format!("{over:.2}×")),
        ]);
    }
    Ok(table)
}
