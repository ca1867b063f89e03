//! A real level of 3 MB, where it is to be had: as Rust types, and as documents.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use o3de_json::Options;
use o3de_json::types::RawValue;
use o3de_json::value::Document;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::harness::{COLUMNS, Codec, Plan, cells, push_value};
use crate::ours::O3de;
use crate::table::Table;
use crate::task::Task;

/// The level, from the root of the workspace. It is not a part of this repository.
const LEVEL: &str =
    "../shared/realdata/o3de/o3de-multiplayersample/Levels/NewStarbase/NewStarbase.prefab";

/// The parts of a level for a tool that places things; other properties of components are skipped.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Level<V: Default> {
    container_entity: Entity,
    entities: BTreeMap<String, Entity>,
    instances: BTreeMap<String, Instance<V>>,
}

/// An entity.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Entity {
    id: String,
    name: String,
    components: BTreeMap<String, Component>,
}

/// A component of any type.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Component {
    #[serde(rename = "$type")]
    kind: String,
    #[serde(rename = "Id")]
    id: u64,
    #[serde(rename = "Parent Entity")]
    parent: String,
    #[serde(rename = "Transform Data")]
    transform: Transform,
}

/// Where an entity is.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Transform {
    translate: Vec<f32>,
    rotate: Vec<f32>,
    uniform_scale: f32,
}

/// An instance of another prefab.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Instance<V: Default> {
    source: String,
    patches: Vec<Patch<V>>,
}

/// An override.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Patch<V: Default> {
    op: String,
    path: String,
    value: V,
}

impl<V: Default> Level<V> {
    /// Whether it is the level that is meant.
    fn check(&self, name: &str) -> Outcome<()> {
        let patches: usize = self.instances.values().map(|instance| instance.patches.len()).sum();
        match (self.entities.len(), self.instances.len(), patches) {
            (1.., 1.., 1..) => Ok(()),
            counts => Err(format!("{name}: the level has {counts:?} parts").into()),
        }
    }
}

/// The tables, or none where the level is absent.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(text) = std::fs::read_to_string(root.join(LEVEL)) else {
        println!("{LEVEL} is not here, so the group o3de has no tables\n");
        return Ok(Vec::new());
    };
    let plan = &task.plan;
    let mut typed = Table::new("NewStarbase.prefab as Rust types", &COLUMNS);
    let decode = |text: &str| Ok(o3de_json::from_str(text)?);
    level::<RawValue>(plan, &mut typed, "o3de-json", &text, decode, O3de::encode)?;
    level::<serde_json::Value>(
        plan,
        &mut typed,
        "serde_json",
        &text,
        |text| Ok(serde_json::from_str(text)?),
        |value, out| Ok(serde_json::to_writer(out, value)?),
    )?;
    level::<serde_json::Value>(
        plan,
        &mut typed,
        "sonic-rs",
        &text,
        |text| Ok(sonic_rs::from_str(text)?),
        |value, out| Ok(sonic_rs::to_writer(out, value)?),
    )?;

    let mut documents = Table::new("NewStarbase.prefab as a document", &COLUMNS);
    level_document(plan, &mut documents, &text)?;
    let compact = serde_json::to_vec(&serde_json::from_str::<serde_json::Value>(&text)?)?;
    push_value(
        plan,
        &mut documents,
        "serde_json Value, compact",
        &compact,
        |bytes| Ok(serde_json::from_slice::<serde_json::Value>(bytes)?),
        |value, out| Ok(serde_json::to_writer(out, value)?),
    )?;
    let cost = plan.cost(|| Ok(serde_json::from_str::<serde_json::Value>(black_box(&text))?))?;
    let value: serde_json::Value = serde_json::from_str(&text)?;
    let written = plan.encode(|out| Ok(serde_json::to_writer_pretty(out, &value)?))?;
    documents.rows.push(cells("serde_json Value", &written, &cost));
    let cost = plan.cost(|| Ok(sonic_rs::from_str::<sonic_rs::Value>(black_box(&text))?))?;
    let value: sonic_rs::Value = sonic_rs::from_str(&text)?;
    let written = plan.encode(|out| Ok(sonic_rs::to_writer_pretty(out, &value)?))?;
    documents.rows.push(cells("sonic-rs Value", &written, &cost));
    Ok(vec![typed, documents])
}

/// The level as a document of ours, unedited and after one edit, and as a separate value.
fn level_document(plan: &Plan, table: &mut Table, text: &str) -> Outcome<()> {
    let copied = plan.encode(|out| {
        out.extend_from_slice(black_box(text).as_bytes());
        Ok(())
    })?;
    let cost = plan.cost(|| Ok(black_box(text).to_owned()))?;
    table.rows.push(cells("copy of the text", &copied, &cost));

    let cost = plan.cost(|| Ok(Document::new(black_box(text))?))?;
    let mut written = |name: &str, document: &Document| -> Outcome<()> {
        let written = plan.encode(|out| Ok(black_box(document).append_to_vec(out)?))?;
        table.rows.push(cells(name, &written, &cost));
        Ok(())
    };
    let mut document = Document::new(text)?;
    written("o3de-json Document, unedited", &document)?;
    let name = document.pointer_mut("/ContainerEntity/Name");
    *name.ok_or("the level has no name")? = "Renamed".into();
    written("o3de-json Document, one edit", &document)?;

    let value = document.into_value();
    let written =
        plan.encode(|out| Ok(Options::new().pretty(true).append_to_vec(out, &value)?))?;
    let cost = plan.cost(|| Ok(o3de_json::from_str::<o3de_json::Value>(black_box(text))?))?;
    table.rows.push(cells("o3de-json Value", &written, &cost));
    Ok(())
}

/// A row of [`Level`].
fn level<V: Default + Serialize + DeserializeOwned>(
    plan: &Plan,
    table: &mut Table,
    name: &str,
    text: &str,
    decode: impl Fn(&str) -> Outcome<Level<V>>,
    encode: impl Fn(&Level<V>, &mut Vec<u8>) -> Outcome<()>,
) -> Outcome<()> {
    let value = decode(text)?;
    value.check(name)?;
    let written = plan.encode(|out| encode(black_box(&value), out))?;
    let cost = plan.cost(|| decode(black_box(text)))?;
    table.rows.push(cells(name, &written, &cost));
    Ok(())
}
