//! Reads a save game that Godot wrote with `FileAccess.store_var` into Rust types.
//!
//! `cargo run --example read -p godot-variant`, with the path of another file as argument if wanted.

use std::error::Error;
use std::path::PathBuf;

use godot_variant::Value;
use godot_variant::frame::Framing;
use godot_variant::types::{
    Color, NodePath, PackedFloat32Array, StringName, Transform3D, TypedArray, TypedDictionary,
    Vector2i,
};
use serde::Deserialize;

/// Fields are the keys of the dictionary. Those that the game adds later are no error.
#[derive(Deserialize)]
struct Save {
    version: u32,
    saved_at: i64,
    player: Player,
    /// GDScript: `Array[Dictionary]`.
    crops: TypedArray<Crop>,
    terrain: Terrain,
    quests: Vec<String>,
    camera: NodePath,
    /// Data that has no Rust type yet.
    #[serde(default)]
    money_rate: Value,
}

#[derive(Deserialize)]
struct Player {
    name: String,
    transform: Transform3D,
    hp: f32,
    /// GDScript: `Dictionary[StringName, int]`.
    inventory: TypedDictionary<StringName, i64>,
    color: Color,
}

#[derive(Deserialize)]
struct Crop {
    kind: StringName,
    pos: Vector2i,
    grown: f64,
    watered: bool,
}

impl godot_variant::types::Element for Crop {
    const TYPE: Option<godot_variant::types::Type> = Some(godot_variant::types::Type::Dictionary);
}

#[derive(Deserialize)]
struct Terrain {
    size: Vector2i,
    heights: PackedFloat32Array,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (named, sample) = (std::env::args_os().nth(1).map(PathBuf::from), sample());
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let bytes = std::fs::read(named.unwrap_or(sample))?;
    let (save, rest): (Save, _) = Framing::new().take_from_slice(&bytes)?;
    println!("save game version {}, written at Unix time {}", save.version, save.saved_at);

    let Player { name, transform, hp, inventory, color } = &save.player;
    let at = transform.origin;
    println!("{name}: {hp} hp at ({:.2}, {:.2}, {:.2}), red {:.1}", at.x, at.y, at.z, color.r);
    for (item, count) in inventory.iter() {
        println!("  {count:>6} {item}");
    }

    let dry = save.crops.iter().filter(|crop| !crop.watered).count();
    println!("{} crops, {dry} of them dry; the ripest:", save.crops.len());
    let mut crops: Vec<&Crop> = save.crops.iter().collect();
    crops.sort_by(|a, b| b.grown.total_cmp(&a.grown));
    for Crop { kind, pos, grown, .. } in crops.into_iter().take(3) {
        println!("  {:>5.1} % {kind} at ({}, {})", grown * 100.0, pos.x, pos.y);
    }

    let highest = save.terrain.heights.iter().copied().fold(f32::MIN, f32::max);
    let Vector2i { x, y } = save.terrain.size;
    println!("terrain of {x} x {y}, up to {highest:.2} high");
    println!(
        "quests {}, camera {}, rate {:?}",
        save.quests.join(", "),
        save.camera,
        save.money_rate
    );
    println!("{} bytes after the save game", rest.len());
    Ok(())
}

fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "godot-variant", "savegame.dat"]
        .iter()
        .collect()
}
