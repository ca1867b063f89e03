//! Makes the files of `testdata/resonite-brson`: a small scene in every container, and as a package.
//!
//! ```text
//! cargo run -p resonite-save --example testdata [FOLDER]
//! ```
//!
//! Without a folder it says what it would write.

use resonite_brson::{Codec, Container, Error, Options, Result, Text, Url, Value};
use resonite_save::model::{Members, SavedObject, SlotPath};
use resonite_save::package::Package;

/// A picture of one pixel.
pub const PIXEL: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\
\x89\0\0\0\rIDATx\xdac\xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";

/// The file names, and what is around the document in each.
pub const FILES: [(&str, Container); 9] = [
    ("lamp.brson", Container::BRSON),
    ("lamp.7zbson", Container::SEVEN_Z_BSON),
    ("lamp.lz4bson", Container::LZ4_BSON),
    ("lamp.bson", Container::BSON),
    ("lamp.frame.lz4bson", Container::new(Codec::Lz4Frame)),
    ("lamp.alone.7zbson", Container::new(Codec::LzmaAlone)),
    ("lamp.legacy.7zbson", Container::legacy(Codec::Lzma)),
    ("lamp.legacy.lz4bson", Container::legacy(Codec::Lz4)),
    ("lamp.legacy.brson", Container::legacy(Codec::Brotli)),
];

/// The package.
pub const PACKAGE: &str = "lamp.resonitepackage";

/// A desk lamp: slots, components, references, a drive, a delegate, assets.
pub fn lamp(picture: &Url) -> Result<SavedObject> {
    let mut lamp = SavedObject::new("2026.8.12.1196", "Desk Lamp");
    for flag in ["ColorManagement", "ResetGUID", "ProtoFlux", "TEXTURE_QUALITY", "TypeManagement"] {
        lamp.add_feature_flag(flag);
    }
    let root = SlotPath::root();
    let no_members = Members::new;
    lamp.add_component(&root, "[FrooxEngine]FrooxEngine.ObjectRoot", no_members())?;
    let grabbable = Members::new()
        .field("ReparentOnRelease", true)
        .field("Scalable", true)
        .field("GrabPriority", 0)
        .reference("CustomCanGrabCheck", None);
    lamp.add_component(&root, "[FrooxEngine]FrooxEngine.Grabbable", grabbable)?;
    lamp.set_type_version("[FrooxEngine]FrooxEngine.Grabbable", 2);

    // Assets first: components refer to them.
    let texture = Members::new()
        .field("URL", picture.clone())
        .field("FilterMode", "Anisotropic")
        .field("PreferredFormat", Value::Null)
        .bare("_sharpness");
    let texture = lamp.add_asset("[FrooxEngine]FrooxEngine.StaticTexture2D", texture)?;
    let texture = lamp.component(&texture).and_then(|own| own.id()).map(str::to_owned);
    let brass = [Value::Double(0.8), 0.6.into(), 0.25.into(), 1.0.into(), "sRGB".into()];
    let material = Members::new()
        .field("AlbedoColor", brass)
        .reference("AlbedoTexture", texture.as_deref())
        .field("Smoothness", f64::from(0.35_f32))
        .field("RenderQueue", -1);
    let material = lamp.add_asset("[FrooxEngine]FrooxEngine.PBS_Metallic", material)?;
    let material = lamp.component(&material).and_then(|own| own.id()).map(str::to_owned);
    let mesh = Members::new().field("Height", 0.4).field("Radius", 0.015).field("Sides", 24);
    let mesh = lamp.add_asset("[FrooxEngine]FrooxEngine.CylinderMesh", mesh)?;
    let mesh = lamp.component(&mesh).and_then(|own| own.id()).map(str::to_owned);

    let stand = lamp.add_slot(&root, "Stand")?;
    let renderer = Members::new()
        .reference("Mesh", mesh.as_deref())
        .list("Materials", [material.as_deref()])
        .field("ShadowCastMode", "On");
    lamp.add_component(&stand, "[FrooxEngine]FrooxEngine.MeshRenderer", renderer)?;

    let bulb = lamp.add_slot(&root, "Bulb")?;
    let mut slot = lamp.slot_mut(&bulb).ok_or_else(missing)?;
    slot.set_tag(Some("light"))?;
    slot.set_position([0.0, 0.4, 0.05])?;
    slot.set_rotation([0.0, 0.707_106_769_084_930_4, 0.0, 0.707_106_769_084_930_4])?;
    slot.set_order_offset(-1)?;
    let warm = [Value::Double(1.0), 0.85.into(), 0.6.into(), 1.0.into(), "Linear".into()];
    let light = Members::new()
        .field("LightType", "Point")
        .field("Intensity", 1.5)
        .field("Color", warm)
        .field("Range", 4.0);
    let light = lamp.add_component(&bulb, "[FrooxEngine]FrooxEngine.Light", light)?;
    let light = lamp.component(&light).ok_or_else(missing)?;
    let intensity = light.member("Intensity").and_then(|member| member.id()).map(str::to_owned);

    let switch = lamp.add_slot(&bulb, "Switch")?;
    lamp.slot_mut(&switch).ok_or_else(missing)?.set_active(false)?;
    let value = Members::new().field("Value", 1.5);
    let value = lamp.add_component(&switch, "[FrooxEngine]FrooxEngine.ValueField<float>", value)?;
    let value = lamp.component(&value).ok_or_else(missing)?;
    let value_id = value.id().map(str::to_owned).unwrap_or_default();
    let source = value.member("Value").and_then(|member| member.id()).map(str::to_owned);
    // The drive: what stands in the field goes to the light.
    let copy = Members::new()
        .reference("Source", source.as_deref())
        .reference("Target", intensity.as_deref())
        .field("WriteBack", false);
    lamp.add_component(&switch, "[FrooxEngine]FrooxEngine.ValueCopy<float>", copy)?;
    let point = |at: f64, value: f64| Members::new().field("Position", at).field("Value", value);
    let gradient = Members::new().objects("Points", [point(0.0, 0.0), point(1.0, 1.5)]);
    let driver = "[FrooxEngine]FrooxEngine.ValueGradientDriver<float>";
    lamp.add_component(&switch, driver, gradient)?;
    let button = Members::new()
        .delegate("Pressed", &value_id, "OnPressed")
        .object("Label", Members::new().field("Text", Text::from("@home")).field("Size", 0.02));
    lamp.add_component(&switch, "[FrooxEngine]FrooxEngine.UIX.Button", button)?;
    let variable = Members::new()
        .field("VariableName", "World/Switched")
        .field("Since", resonite_brson::DateTime(1_786_000_000_000))
        .field("Count", u32::MAX)
        .field("Ticks", 36_000_000_000_i64);
    let variable_type =
        "[FrooxEngine]FrooxEngine.DynamicValueVariable<[Elements.Core]Elements.Core.BoundingBox?>";
    lamp.add_component(&switch, variable_type, variable)?;
    // As the engine numbers them: in the order of the document.
    lamp.renumber();
    Ok(lamp)
}

fn missing() -> Error {
    Error::data("what was added is not there")
}

/// All files by name.
pub fn files() -> Result<Vec<(String, Vec<u8>)>> {
    let picture = Package::url(&resonite_save::package::hash(PIXEL));
    let lamp = lamp(&picture)?;
    let mut files = Vec::new();
    for (name, container) in FILES {
        files.push((name.to_owned(), Options::new().container(container).to_vec(&lamp)?));
    }
    let mut package = Package::new("Desk Lamp", &lamp)?;
    package.add_asset(PIXEL.to_vec());
    files.push((PACKAGE.to_owned(), package.to_vec()?));
    Ok(files)
}

#[allow(dead_code, reason = "the tests take the functions above")]
fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1);
    for (name, bytes) in files()? {
        println!("{name}: {} bytes", bytes.len());
        if let Some(folder) = &folder {
            std::fs::write(std::path::Path::new(folder).join(name), bytes)?;
        }
    }
    Ok(())
}
