//! Reads a save two ways: as types of your own, and as any value.
//!
//! `cargo run --example read -p resonite-brson`, with the path of another file as argument if wanted.

use std::error::Error;
use std::path::{Path, PathBuf};

use resonite_brson::{Field, Value, json};
use serde::Deserialize;

/// Fields are the keys of the tree. Those that are not named here are passed over.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Save<'a> {
    #[serde(borrow)]
    version_number: Option<&'a str>,
    object: Slot,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Slot {
    name: Field<Option<String>>,
    #[serde(default)]
    children: Vec<Slot>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let sample =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson/lamp.brson");
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let path = named.unwrap_or(sample);
    let file = std::fs::read(path)?;

    // Decompressed once; text is borrowed from there.
    let body = resonite_brson::open(&file)?;
    let save: Save<'_> = body.read()?;
    println!("version {}", save.version_number.unwrap_or("of NeosVR"));
    print(&save.object, 0);

    let value: Value = body.read()?;
    let flags = value.get("FeatureFlags").unwrap_or(&Value::Null);
    println!("{}", json::to_string_pretty(flags, json::Style::Relaxed));
    Ok(())
}

fn print(slot: &Slot, depth: usize) {
    println!("{:width$}{}", "", slot.name.data.as_deref().unwrap_or("-"), width = depth);
    slot.children.iter().for_each(|child| print(child, depth.saturating_add(2)));
}
