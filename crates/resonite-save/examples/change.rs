//! Changes values in a save, adds a slot to it, and says what is different.
//!
//! `cargo run --example change -p resonite-save`, with the path of another file that has a `Light` as
//! argument if wanted. [How to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/resonite-program.md)
//! shows it.

use resonite_brson::value::diff;
use resonite_brson::{Options, Result, Value, brson};
use resonite_save::SavedObject;

/// The file with a brighter, warmer light, and another one beside it.
pub fn change(file: &[u8]) -> Result<Vec<u8>> {
    let body = resonite_brson::open(file)?;
    let mut save: SavedObject = body.read()?;

    let lights: Vec<_> = save.find_components("Light").map(|(path, _)| path).collect();
    for path in lights {
        // The kind of a field stays: what does not fit is an error. `replace` changes it.
        if let Some(mut light) = save.component_mut(&path) {
            light.set("Intensity", 3)?;
            light.set("Color", brson!([1.0, 0.75, 0.5, 1.0, "Linear"]))?;
        }
    }

    // The copy has identifiers of its own, and refers to itself where the original does.
    if let Some(bulb) = save.find_slot("Desk Lamp/Bulb") {
        let copy = save.duplicate_slot(&bulb)?;
        if let Some(mut slot) = save.slot_mut(&copy) {
            slot.set_name(Some("Second bulb"))?;
            slot.set_position([0.0, 0.4, -0.05])?;
        }
    }

    // In the container that the file had.
    Options::new().container(body.container()).to_vec(&save)
}

/// The differences in a changed file.
pub fn lines(file: &[u8]) -> Result<Vec<String>> {
    let (old, new): (Value, Value) =
        (resonite_brson::from_slice(file)?, resonite_brson::from_slice(&change(file)?)?);
    let changes = diff(&old, &new).map(|change| match (change.old, change.new) {
        (Some(old), Some(new)) => format!("{}: {old:?} becomes {new:?}", change.path),
        (Some(_), None) => format!("{} is gone", change.path),
        _ => format!("{} is new", change.path),
    });
    Ok(changes.collect())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let named = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/resonite-brson/lamp.brson");
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    for line in lines(&std::fs::read(named.unwrap_or(sample))?)? {
        println!("{line}");
    }
    Ok(())
}
