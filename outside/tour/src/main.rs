use std::error::Error;

use godot_variant::frame::Framing;
use godot_variant::types::Vector2i;
use serde::Deserialize;

#[derive(Deserialize)]
struct Save {
    player: Player,
    crops: Vec<Crop>,
}

#[derive(Deserialize)]
struct Player {
    name: String,
    hp: f64,
}

#[derive(Deserialize)]
struct Crop {
    kind: String,
    pos: Vector2i,
    grown: f64,
    watered: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a file")?;
    let bytes = std::fs::read(path)?;
    // A file of store_var: the length of the value, then the value.
    let (save, _): (Save, _) = Framing::new().take_from_slice(&bytes)?;

    println!("{}, {} hp", save.player.name, save.player.hp);
    let watered = save.crops.iter().filter(|crop| crop.watered).count();
    println!("{} crops, {watered} of them watered", save.crops.len());
    if let Some(first) = save.crops.first() {
        let Vector2i { x, y } = first.pos;
        println!("{} at ({x}, {y}), {:.0} % grown", first.kind, 100.0 * first.grown);
    }
    Ok(())
}
