//! Builds an item with a picture, and a package of it.
//!
//! `cargo run --example build -p resonite-save`, with the path of another picture as argument if
//! wanted. [How to](https://github.com/gamewire/gamewire/blob/main/docs/how-to/resonite-program.md) shows it.

use resonite_brson::{Result, brson};
use resonite_save::model::{Members, SavedObject, SlotPath};
use resonite_save::package::{self, Package};

/// A package of a sign that shows a picture and can be grabbed.
pub fn build(picture: &[u8]) -> Result<Package> {
    let mut sign = SavedObject::new("2026.8.12.1196", "Sign");

    // Assets first, because components refer to them by their identifiers.
    let url = Package::url(&package::hash(picture));
    let texture = Members::new().field("URL", url);
    let texture = asset(&mut sign, "[FrooxEngine]FrooxEngine.StaticTexture2D", texture)?;
    let material = Members::new()
        .reference("Texture", texture.as_deref())
        .field("TintColor", brson!([1.0, 1.0, 1.0, 1.0, "sRGB"]));
    let material = asset(&mut sign, "[FrooxEngine]FrooxEngine.UnlitMaterial", material)?;
    let mesh = Members::new().field("Size", [0.4, 0.3]).field("DualSided", true);
    let mesh = asset(&mut sign, "[FrooxEngine]FrooxEngine.QuadMesh", mesh)?;

    let root = SlotPath::root();
    sign.add_component(&root, "[FrooxEngine]FrooxEngine.ObjectRoot", Members::new())?;
    let grabbable = Members::new().field("Scalable", true);
    sign.add_component(&root, "[FrooxEngine]FrooxEngine.Grabbable", grabbable)?;

    let face = sign.add_slot(&root, "Face")?;
    if let Some(mut slot) = sign.slot_mut(&face) {
        slot.set_position([0.0, 1.5, 0.0])?;
    }
    let renderer =
        Members::new().reference("Mesh", mesh.as_deref()).list("Materials", [material.as_deref()]);
    sign.add_component(&face, "[FrooxEngine]FrooxEngine.MeshRenderer", renderer)?;

    // The features and versions of types that a program of this version writes.
    sign.add_presets();
    let mut package = Package::new("Sign", &sign)?;
    package.add_asset(picture.to_vec());
    Ok(package)
}

/// Adds an asset and returns its identifier.
fn asset(save: &mut SavedObject, name: &str, members: Members) -> Result<Option<String>> {
    let path = save.add_asset(name, members)?;
    Ok(save.component(&path).and_then(|asset| asset.id()).map(str::to_owned))
}

/// The contents of the package, and its faults.
pub fn lines(picture: &[u8]) -> Result<Vec<String>> {
    let file = build(picture)?.to_vec()?;
    let package = Package::from_slice(&file)?;
    let save = package.object()?;
    let mut lines: Vec<String> =
        save.components().map(|(path, _)| save.show_component(&path)).collect();
    lines.extend(save.type_versions().map(|(name, version)| format!("{name}: version {version}")));
    lines.extend(save.verify().iter().map(|problem| format!("in the save: {problem}")));
    lines.extend(package.verify().iter().map(|problem| format!("in the package: {problem}")));
    lines.push(format!("files: {}", package.assets().count()));
    Ok(lines)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let named = std::env::args_os().nth(1);
    let picture = named.map_or(Ok(PIXEL.to_vec()), std::fs::read)?;
    for line in lines(&picture)? {
        println!("{line}");
    }
    Ok(())
}

/// A picture of one pixel.
pub const PIXEL: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\
\x89\0\0\0\rIDATx\xdac\xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";
