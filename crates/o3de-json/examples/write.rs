//! Writes a value with and without its defaults, and as the engine lays out files.

use o3de_json::Options;
use o3de_json::types::{Color, Transform, Vector3};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(default)]
struct Light {
    name: String,
    transform: Transform,
    color: Color,
    intensity: f32,
    layers: Layers,
}

impl Default for Light {
    fn default() -> Self {
        Light {
            name: String::new(),
            transform: Transform::IDENTITY,
            color: Color::new(1.0, 1.0, 1.0, 1.0),
            intensity: 5.0,
            layers: Layers(1),
        }
    }
}

#[derive(Clone, Copy)]
struct Layers(u8);

o3de_json::register_flags!(Layers: u8 { "Ground" => 1, "Water" => 2, "Sky" => 4 });

fn main() -> Result<(), o3de_json::Error> {
    let transform = Transform { translation: Vector3::new(0.0, 4.5, 2.0), ..Transform::IDENTITY };
    let light = Light { name: "Door".into(), transform, layers: Layers(6), ..Light::default() };
    println!("{}\n", o3de_json::to_string_pretty(&light)?);
    let (text, report) = Options::new().pretty(true).store(&light)?;
    println!("{text}\n{report}");
    Ok(())
}
