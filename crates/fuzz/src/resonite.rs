//! resonite-brson and resonite-save.

use resonite_brson::json::{self, Style};
use resonite_brson::{Codec, Container, Options, Value, container};
use resonite_save::SavedObject;
use resonite_save::mesh::Mesh;
use resonite_save::model::{Members, SlotPath, TypeName};
use resonite_save::package::Package;
use serde::de::IgnoredAny;

use crate::lot;

/// Little enough to be quick.
const MAX_BYTES: usize = 1 << 20;

fn limited() -> Options {
    Options::new().max_output(MAX_BYTES).max_alloc(MAX_BYTES)
}

fn containers() -> impl Iterator<Item = Container> {
    Codec::ALL.into_iter().flat_map(|codec| [Container::new(codec), Container::legacy(codec)])
}

/// Bytes, by every way there is.
pub(crate) fn brson_bytes(data: &[u8]) {
    slice(data);
    bodies(data);
    roundtrip(data);
    crate::explain::brson(data);
}

/// Nothing that reads bytes panics, whatever they are.
fn slice(data: &[u8]) {
    for strict in [false, true] {
        let options = limited().strict(strict);
        let whole = options.from_slice::<Value>(data);
        let streamed = options.from_reader::<_, Value>(data);
        // A reader cannot go back to see that there is no header.
        if let (Ok(whole), Ok(streamed)) = (&whole, &streamed) {
            assert_eq!(whole, streamed);
        }
        let _ = options.from_slice::<IgnoredAny>(data);
        let _ = options.take_from_slice::<Value>(data);
        let explained = options.explain(data);
        assert_eq!(explained.error().is_none(), whole.is_ok());
    }
    let _ = Package::from_slice_with(data, &limited()).map(|package| package.verify());
}

/// A body of each kind, from a slice and from a reader.
fn bodies(data: &[u8]) {
    for container in containers() {
        let options = limited().input(container);
        let whole = options.open(data).map(|body| body.into_bson());
        let streamed = options.open_reader(data).map(|body| body.into_bson());
        assert_eq!(whole.ok(), streamed.ok(), "{container}");
    }
}

/// Values are written back the same, in every container and as text.
fn roundtrip(data: &[u8]) {
    let plain = limited().input(Container::BSON).container(Container::BSON).strict(true);
    let Ok(value) = plain.from_slice::<Value>(data) else { return };
    assert_eq!(plain.to_vec(&value).ok().as_deref(), Some(data));
    for container in containers().filter(|own| own.codec() != Codec::None) {
        let file = container::pack(data, container).expect("a small document");
        let body = Options::new().input(container).open(&file).expect("what was packed");
        assert_eq!(body.bson(), data, "{container}");
    }
    let text = json::to_string(&value, Style::Canonical);
    assert_eq!(json::from_str(&text).expect("own text"), value, "{text}");
    let relaxed = json::to_string_pretty(&value, Style::Relaxed);
    json::from_str(&relaxed).expect("own relaxed text");
}

/// A save of any shape can be looked at and changed.
pub(crate) fn brson_save(data: &[u8]) {
    let Ok(mut object) = limited().from_slice::<SavedObject>(data) else { return };
    slots(&object, lot(data, 1 << 16));
    for (path, component) in object.components().take(100) {
        let _ = (object.show_component(&path), component.members().count());
    }
    let paths: Vec<SlotPath> = object.slots().take(20).map(|(path, _)| path).collect();
    for path in &paths {
        let taken = object.extract(path).expect("its own path");
        let mut into = SavedObject::new("1", "root");
        let _ = into.insert(&SlotPath::root(), &taken.object);
    }
    let dangling = object.index().dangling().len();
    object.renumber();
    assert_eq!(object.index().dangling().len(), dangling);
    object.strip_unused();
    let _ = object.add_slot(&SlotPath::root(), "new");
    let _ = object.add_component(&SlotPath::root(), "[A]B", Members::new());
}

/// A slot is found by what is shown of it; what is put in comes out again, and leaves no trace.
fn slots(object: &SavedObject, chosen: usize) {
    let paths: Vec<SlotPath> = object.slots().take(50).map(|(path, _)| path).collect();
    let is_plain = |name: Option<&str>| !name.unwrap_or_default().contains('/');
    let are_plain = object.slots().all(|(_, slot)| is_plain(slot.name()));
    for path in &paths {
        let shown = object.show_slot(path);
        let found = object.find_slots(&shown);
        // With this sign in names, a path may be that of several.
        assert!(found.contains(path) && (found.len() == 1 || !are_plain), "{shown}");
    }
    let count = |object: &SavedObject| object.slots().count();
    let dangling = |object: &SavedObject| object.index().dangling().len();
    let (Some(one), Some(other)) =
        (paths.get(chosen % paths.len().max(1)), paths.get(chosen / 50 % paths.len().max(1)))
    else {
        return;
    };
    let taken = object.extract(one).expect("its own path").object;
    assert!(dangling(&taken) <= dangling(object));
    let mut changed = object.clone();
    let before = object.root().map(|root| root.document().clone());
    let root = |object: &SavedObject| object.root().map(|root| root.document().clone());
    // Parts from elsewhere in the document are not put in.
    let known = ["VersionNumber", "FeatureFlags", "Types", "TypeVersions", "Object", "Assets"];
    let is_known = taken.document().iter().all(|(name, _)| known.contains(&&**name));
    match changed.insert(other, &taken) {
        Ok(inserted) => {
            assert_eq!(count(&changed), count(object) + count(&taken));
            assert_eq!(inserted.path.parent().as_ref(), Some(other));
            assert!(changed.slot(&inserted.path).is_some());
            let (found, most) = (dangling(&changed), dangling(object) + dangling(&taken));
            assert!(found == most || found < most && !is_known, "{found}, {most}");
            assert!(changed.delete_slot(&inserted.path).is_some());
            assert_eq!(count(&changed), count(object));
            // A slot without a list of children may have an empty one now.
            if object.slot(other).is_some_and(|slot| slot.children().count() > 0) {
                assert_eq!(root(&changed), before);
            }
        }
        Err(_) => assert_eq!(changed, *object),
    }
    let mut changed = object.clone();
    let inside = object.slots().filter(|(path, _)| path.indices().starts_with(one.indices()));
    let inside = inside.count();
    match changed.delete_slot(one) {
        Some(_) => {
            assert_eq!(count(&changed), count(object) - inside);
            // References to it are null.
            assert!(dangling(&changed) <= dangling(object));
        }
        None => assert!(one.depth() == 0 && changed == *object),
    }
    let plain = limited().container(Container::BSON);
    let bytes = plain.to_vec(&changed).expect("a changed save can be written");
    let again: SavedObject = plain.from_slice(&bytes).expect("and read");
    assert_eq!(again.document(), changed.document());
}

/// Text that is no bytes: names of types, and Extended JSON.
pub(crate) fn brson_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(name) = text.parse::<TypeName>() {
        assert_eq!(name.to_string().parse::<TypeName>().ok(), Some(name));
    }
    if let Ok(name) = TypeName::parse_net(text) {
        let again = TypeName::parse_net(&name.to_net()).map(|own| own.to_net());
        assert_eq!(again.ok(), Some(name.to_net()));
        let _ = name.modern().to_string();
    }
    let Ok(value) = json::from_str_with(text, &limited()) else { return };
    for style in [Style::Canonical, Style::Relaxed] {
        let text = json::to_string(&value, style);
        let again = json::from_str(&text).expect(&text);
        assert_eq!(json::to_string(&again, style), text);
    }
    let plain = limited().container(Container::BSON);
    if let Ok(bytes) = plain.to_vec(&value) {
        let back: Value = plain.from_slice(&bytes).expect("what was written can be read");
        assert_eq!(plain.to_vec(&back).ok(), Some(bytes));
    }
}

/// A package that was read is written as what it was, also after edits.
pub(crate) fn brson_package(data: &[u8]) {
    let Ok(mut package) = Package::from_slice_with(data, &limited()) else { return };
    let _ = package.verify();
    let bytes = package.to_vec().expect("what was read can be written");
    let again = Package::from_slice_with(&bytes, &limited()).expect("and read");
    assert!(again.entries().eq(package.entries()));
    let hash = package.add_asset(b"new".to_vec());
    assert_eq!(package.asset(&hash), Some(b"new".as_slice()));
    let _ = package.rehash();
    let _ = package.strip_unused();
    let bytes = package.to_vec().expect("an edited package can be written");
    Package::from_slice_with(&bytes, &limited().max_output(MAX_BYTES * 4)).expect("and read");
}

/// A mesh has what its documentation says, and what is finite is written as glTF.
pub(crate) fn brson_mesh(data: &[u8]) {
    mesh(data);
    // Behind the name and the version, of which few inputs have both.
    for version in 0..8 {
        mesh(&[&b"\x05MeshX"[..], &[version, 0, 0, 0], data].concat());
    }
}

fn mesh(bytes: &[u8]) {
    let Ok(mesh) = Mesh::from_slice_with(bytes, &limited()) else { return };
    let count = mesh.positions.len();
    let is_whole = |len: usize| len == count || len == 0;
    assert!(is_whole(mesh.normals.len()) && is_whole(mesh.tangents.len()));
    assert!(is_whole(mesh.colors.len()) && is_whole(mesh.bindings.len()));
    for channel in &mesh.uvs {
        assert!((2..=4).contains(&channel.dimensions));
        assert_eq!(channel.values.len(), count * channel.dimensions);
    }
    for part in &mesh.parts {
        assert!(part.indices.iter().all(|index| (*index as usize) < count));
    }
    for bone in mesh.bindings.iter().flat_map(|own| own.bones).flatten() {
        assert!((bone as usize) < mesh.bones.len());
    }
    for frame in mesh.blend_shapes.iter().flat_map(|own| &own.frames) {
        assert_eq!(frame.positions.len(), count);
        assert!(is_whole(frame.normals.len()) && is_whole(frame.tangents.len()));
    }
    let mut save = SavedObject::new("2026.8.12.1196", "Mesh");
    let root = SlotPath::root();
    let own = Members::new().field("URL", Package::url(&"0".repeat(64)));
    save.add_asset("[FrooxEngine]FrooxEngine.StaticMesh", own).expect("an asset");
    let id = save.assets().next().and_then(|own| own.id()).map(str::to_owned);
    let renderer = Members::new().reference("Mesh", id.as_deref());
    let name = "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer";
    save.add_component(&root, name, renderer).expect("a component");
    if let Ok(glb) = save.to_glb(&root, &limited(), |_| Some(bytes)) {
        assert!(glb.bytes.starts_with(b"glTF") && glb.bytes.len() % 4 == 0);
    }
}
