//! Finds slots, components, references and addresses in a save.
//!
//! `cargo run --example find -p resonite-save`, with the path of another file as argument if wanted.
//! [How to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/resonite-program.md) shows it.

use resonite_save::{Result, SavedObject};

/// A line for each match.
pub fn lines(file: &[u8]) -> Result<Vec<String>> {
    let save: SavedObject = resonite_brson::from_slice(file)?;
    let mut lines = Vec::new();

    // Slots come with their paths, each before those in it.
    for (path, slot) in save.slots().filter(|(_, slot)| slot.tag().is_some() || !slot.is_active()) {
        let tag = slot.tag().unwrap_or("no tag");
        lines.push(format!("{}: {tag}, active: {}", save.show_slot(&path), slot.is_active()));
    }

    // Components by their type, which needs neither its assembly nor its namespace.
    let index = save.index();
    for (path, light) in save.find_components("Light") {
        let Some(intensity) = light.member("Intensity") else { continue };
        lines.push(format!("{}: {:?}", save.show_component(&path), intensity.value()));
        // A drive refers to the identifier of the field.
        let drivers = intensity.id().map(|id| index.referrers(id)).unwrap_or_default();
        lines.extend(drivers.iter().map(|reference| format!("driven from {}", reference.path)));
    }

    // Any value by its path, in any document.
    if let Some(scale) =
        save.document().get("Object").and_then(|root| root.pointer("/Scale/Data/1"))
    {
        lines.push(format!("the root's scale upwards is {scale:?}"));
    }

    // The assets that the save needs.
    lines.extend(save.urls().map(str::to_owned));
    Ok(lines)
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
