//! Reads the components of a prefab's entities into Rust types; classes without one stay as text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use o3de_json::Options;
use o3de_json::types::{RawValue, Vector3};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Prefab {
    entities: BTreeMap<String, Entity>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entity {
    name: String,
    components: BTreeMap<String, Component>,
}

/// The classes that this program knows.
#[derive(Debug, Deserialize)]
enum Component {
    #[serde(rename = "{27F1E1A1-8D9D-4C3B-BD3A-AFB9762449C0} TransformComponent")]
    Transform {
        #[serde(rename = "Id")]
        id: u64,
        #[serde(rename = "Transform Data")]
        data: TransformData,
    },
    #[serde(rename = "$unknown")]
    Other(RawValue),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct TransformData {
    translate: Vector3,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let sample = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = sample.join("../../testdata/o3de-json/samples/Lamp.prefab");
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let path = named.unwrap_or(sample);
    let text = std::fs::read_to_string(&path)?;
    let (prefab, report) = Options::new().load::<Prefab>(&text)?;
    for entity in prefab.entities.values() {
        println!("{}", entity.name);
        for component in entity.components.values() {
            match component {
                Component::Transform { id, data } => println!("  {id} at {:?}", data.translate),
                Component::Other(text) => println!("  {} bytes of another class", text.get().len()),
            }
        }
    }
    println!("{report}");
    Ok(())
}
