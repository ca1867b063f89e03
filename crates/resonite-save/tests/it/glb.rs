//! Slots and meshes as glTF: numbers, what moves the vertices, what is missing, and the Khronos validator.

use std::path::Path;
use std::process::Command;

use glam::{DMat4, DQuat, DVec3};
use gltf::Semantic;
use gltf::mesh::Mode;
use resonite_brson::{ErrorKind, Options, Result, brson};
use resonite_save::mesh::{Bone, Glb, Mesh};
use resonite_save::model::{Members, SavedObject, SlotPath};
use resonite_save::package::{Package, hash};

use crate::mesh::vector;

/// Pictures of one pixel.
const PNG: &str = "89504e470d0a1a0a 0000000d494844520000000100000001080600000\
    01f15c489 0000000d49444154789c63687050f80f00040401e0f2eb80f9 0000000049454e44ae426082";
const WEBP: &str = "524946461a000000574542505650384c0d0000002f00000010071011118888fe0700";

fn mesh() -> Mesh {
    Mesh::from_slice(&vector("version 7")).unwrap()
}

fn add(object: &mut SavedObject, name: &str, members: Members) -> String {
    let path = object.add_asset(&format!("[FrooxEngine]FrooxEngine.{name}"), members).unwrap();
    object.component(&path).unwrap().id().unwrap().to_owned()
}

fn slot(object: &mut SavedObject, parent: &SlotPath, name: &str, position: [f64; 3]) -> SlotPath {
    let path = object.add_slot(parent, name).unwrap();
    object.slot_mut(&path).unwrap().set_position(position).unwrap();
    path
}

/// A slot with a mesh, whose bones have no slots.
fn alone(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut object = SavedObject::new("2026.8.12.1196", "Alone");
    let root = SlotPath::root();
    let url = Members::new().field("URL", Package::url(&hash(bytes)));
    let mesh = add(&mut object, "StaticMesh", url);
    let members = Members::new().reference("Mesh", Some(&mesh));
    let name = "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer";
    object.add_component(&root, name, members).unwrap();
    let glb = object.to_glb(&root, &Options::new(), |_| Some(bytes))?;
    match glb.missing.into_iter().next() {
        None => Ok(glb.bytes),
        Some(why) => Err(resonite_brson::Error::from(std::io::Error::other(why))),
    }
}

/// An avatar with a mesh that two bones move, another one, pictures, and what is not there.
fn avatar(skinned: &[u8], still: &[u8]) -> Package {
    let mut object = SavedObject::new("2026.8.12.1196", "Avatar");
    let root = SlotPath::root();
    let hips = slot(&mut object, &root, "Hips", [0.5, 1.0, 0.25]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    object.slot_mut(&hips).unwrap().set_rotation([0.0, half, 0.0, half]).unwrap();
    let head = slot(&mut object, &hips, "Head", [0.25, 0.5, -1.0]);
    object.slot_mut(&head).unwrap().set_scale([1.0, 2.0, 1.0]).unwrap();
    let body = slot(&mut object, &root, "Body", [3.0, 0.0, 0.0]);
    let prop = slot(&mut object, &head, "Prop", [0.0, 0.0, 1.0]);
    object.slot_mut(&prop).unwrap().set_active(false).unwrap();
    let ids = [&hips, &head].map(|path| object.slot(path).unwrap().id().unwrap().to_owned());

    let (png, webp) = (crate::shared::hex(PNG), crate::shared::hex(WEBP));
    let url = |bytes: &[u8]| Members::new().field("URL", Package::url(&hash(bytes)));
    let picture = add(&mut object, "StaticTexture2D", url(&png).field("WrapModeU", "Clamp"));
    let other = add(&mut object, "StaticTexture2D", url(&webp).field("FilterMode", "Point"));
    let metal = Members::new()
        .field("AlbedoColor", brson!([0.5, 1.0, 0.0, 0.25, "Linear"]))
        .reference("AlbedoTexture", Some(&picture))
        .reference("NormalMap", Some(&picture))
        .field("TextureScale", brson!([2.0, 0.5]))
        .field("TextureOffset", brson!([0.25, 0.125]))
        .field("EmissiveColor", brson!([0.0, 4.0, 1.0, 1.0, "Linear"]))
        .field("Metallic", 0.75)
        .field("Smoothness", 0.25)
        .field("BlendMode", "Cutout")
        .field("AlphaCutoff", 0.125);
    let metal = add(&mut object, "PBS_Metallic", metal);
    let plain = Members::new()
        .field("TintColor", brson!([1.0, 1.0, 1.0, 1.0]))
        .reference("Texture", Some(&other))
        .field("BlendMode", "Alpha")
        .field("Sidedness", "Double");
    let plain = add(&mut object, "UnlitMaterial", plain);
    let skin = add(&mut object, "StaticMesh", url(skinned));
    let stone = add(&mut object, "StaticMesh", url(still));
    let made = add(&mut object, "BoxMesh", Members::new());
    let lost = add(&mut object, "StaticMesh", url(b"not there"));

    let component = |object: &mut SavedObject, path, name: &str, members| {
        object.add_component(path, &format!("[FrooxEngine]FrooxEngine.{name}"), members).unwrap();
    };
    let renderer = Members::new()
        .reference("Mesh", Some(&skin))
        .list("Materials", [Some(metal.as_str()), Some(&plain), None])
        .list("Bones", [ids[0].as_str(), &ids[1]])
        .list("BlendShapeWeights", [0.5, 0.75]);
    component(&mut object, &body, "SkinnedMeshRenderer", renderer);
    for (path, mesh) in [(&prop, &stone), (&prop, &made), (&body, &made), (&root, &lost)] {
        let members =
            Members::new().reference("Mesh", Some(mesh)).list("Materials", [Some(metal.as_str())]);
        component(&mut object, path, "MeshRenderer", members);
    }
    let mut package = Package::new("Avatar", &object).unwrap();
    for asset in [png, webp, skinned.to_vec(), still.to_vec()] {
        package.add_asset(asset);
    }
    package
}

fn glb(package: &Package, object: &SavedObject, slot: &SlotPath) -> Result<Glb> {
    object.to_glb(slot, &Options::new(), |url| package.asset(Package::hash_of(url)?))
}

fn open(glb: &[u8]) -> (gltf::Document, Vec<u8>) {
    let gltf = gltf::Gltf::from_slice(glb).unwrap();
    (gltf.document, gltf.blob.unwrap_or_default())
}

/// The floats of an accessor.
fn floats(accessor: &gltf::Accessor<'_>, blob: &[u8]) -> Vec<f32> {
    let view = accessor.view().unwrap();
    let bytes = &blob[view.offset()..][..view.length()];
    let floats: Vec<f32> =
        bytes.chunks_exact(4).map(|own| f32::from_le_bytes(own.try_into().unwrap())).collect();
    assert_eq!(floats.len(), accessor.count() * accessor.dimensions().multiplicity());
    floats
}

fn words(accessor: &gltf::Accessor<'_>, blob: &[u8]) -> Vec<u32> {
    floats(accessor, blob).into_iter().map(f32::to_bits).collect()
}

fn named<'a>(document: &'a gltf::Document, name: &str) -> Vec<gltf::Node<'a>> {
    document.nodes().filter(|node| node.name() == Some(name)).collect()
}

#[test]
fn a_mesh_has_its_numbers() {
    let (document, blob) = open(&alone(&vector("version 7")).unwrap());
    let own = document.meshes().next().unwrap();
    let parts: Vec<_> = own.primitives().collect();
    let modes: Vec<Mode> = parts.iter().map(|part| part.mode()).collect();
    assert_eq!(modes, [Mode::Triangles, Mode::Triangles, Mode::Points]);
    let get = |semantic| floats(&parts[0].get(&semantic).unwrap(), &blob);
    // x has the other sign, and triangles run the other way; v goes downwards.
    let positions = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 0.5, -1.0, 0.0, 0.5];
    assert_eq!(get(Semantic::Positions), positions);
    assert_eq!(get(Semantic::Normals), [0.0, 0.0, -1.0].repeat(4));
    assert_eq!(get(Semantic::Tangents), [-1.0, 0.0, 0.0, 1.0].repeat(4));
    assert_eq!(get(Semantic::Colors(0)), [1.0, 0.5, 0.25, 1.0].repeat(4));
    assert_eq!(get(Semantic::TexCoords(0)), [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(get(Semantic::TexCoords(1)), [0.0, 0.0, 3.0, -3.0, 6.0, -6.0, 9.0, -9.0]);
    let joints = parts[0].get(&Semantic::Joints(0)).unwrap();
    assert_eq!(joints.count(), 4);
    let weights = [[0.75, 0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]].repeat(2).concat();
    assert_eq!(get(Semantic::Weights(0)), weights);
    let indices: Vec<Vec<u32>> =
        parts.iter().map(|part| words(&part.indices().unwrap(), &blob)).collect();
    assert_eq!(indices, [vec![0, 2, 1], vec![0, 3, 2], vec![3, 0]]);
    let json = document.as_json();
    let targets = json.meshes[0].primitives[0].targets.as_ref().unwrap();
    assert_eq!(targets.len(), 3);
    let names = json.meshes[0].extras.as_ref().unwrap().get();
    assert_eq!(names, r#"{"targetNames":["Smile","Blink 0.5","Blink"]}"#);
    let accessor = |index: gltf::json::Index<gltf::json::Accessor>| {
        floats(&document.accessors().nth(index.value()).unwrap(), &blob)
    };
    let smile = [0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, -0.5, -0.125, 0.0, 0.0];
    assert_eq!(accessor(targets[0].positions.unwrap()), smile);
    assert!(targets[0].normals.is_some() && targets[0].tangents.is_none());
    assert!(targets[1].normals.is_none() && targets[2].tangents.is_some());
    // Bones stand where the mesh has them.
    let hips = named(&document, "Hips").remove(0);
    assert_eq!(hips.transform().decomposed().0, [0.0, 1.0, 0.0]);
    let bind = floats(&document.skins().next().unwrap().inverse_bind_matrices().unwrap(), &blob);
    assert_eq!(bind[16..20], [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(bind[28..32], [-0.5, -2.0, 0.25, 1.0]);

    // Colours of older versions are sRGB, those of glTF are light.
    let (document, blob) = open(&alone(&vector("version 6")).unwrap());
    let part = document.meshes().next().unwrap().primitives().next().unwrap();
    let colors = floats(&part.get(&Semantic::Colors(0)).unwrap(), &blob);
    for (found, light) in colors.iter().zip([1.0, 0.21404, 0.05088, 1.0]) {
        assert!((found - light).abs() < 1e-5, "{found} {light}");
    }
}

/// The place of a node and of all around it.
fn place(document: &gltf::Document, node: usize) -> DMat4 {
    let own = document.nodes().nth(node).unwrap();
    let matrix = own.transform().matrix().map(|column| column.map(f64::from));
    let own = DMat4::from_cols_array_2d(&matrix);
    let around = document.nodes().find(|other| other.children().any(|child| child.index() == node));
    around.map_or(own, |around| place(document, around.index()) * own)
}

#[test]
fn bones_move_vertices_to_the_same_places() {
    let package = avatar(&vector("version 7"), &vector("version 3"));
    let object = package.object().unwrap();
    let made = glb(&package, &object, &SlotPath::root()).unwrap();
    let (document, blob) = open(&made.bytes);
    // In the engine's space: bone, bind pose, vertex.
    let mesh = mesh();
    let slot = |position, rotation, scale| {
        DMat4::from_scale_rotation_translation(scale, rotation, position)
    };
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let hips = slot(DVec3::new(0.5, 1.0, 0.25), turn, DVec3::ONE);
    let head = hips * slot(DVec3::new(0.25, 0.5, -1.0), DQuat::IDENTITY, DVec3::new(1.0, 2.0, 1.0));
    let bone = |place: DMat4, bone: &Bone| {
        let rows = bone.bind_pose.map(|row| row.map(f64::from));
        place * DMat4::from_cols_array_2d(&rows).transpose()
    };
    let bones = [bone(hips, &mesh.bones[0]), bone(head, &mesh.bones[1])];

    let skin = document.skins().next().unwrap();
    let joints: Vec<_> = skin.joints().map(|own| own.name().unwrap().to_owned()).collect();
    assert_eq!(joints, ["Hips", "Head"]);
    let binds = floats(&skin.inverse_bind_matrices().unwrap(), &blob);
    let moved: Vec<DMat4> = skin
        .joints()
        .zip(binds.chunks_exact(16))
        .map(|(joint, bind)| {
            let bind: [f64; 16] = std::array::from_fn(|at| f64::from(bind[at]));
            place(&document, joint.index()) * DMat4::from_cols_array(&bind)
        })
        .collect();
    for (position, binding) in mesh.positions.iter().zip(&mesh.bindings) {
        let [mut engine, mut ours] = [DVec3::ZERO; 2];
        let own = DVec3::from_array(position.map(f64::from));
        for (bone, weight) in binding.bones.iter().zip(binding.weights) {
            let bone = bone.unwrap() as usize;
            engine += bones[bone].transform_point3(own) * f64::from(weight);
            let turned = own * DVec3::new(-1.0, 1.0, 1.0);
            ours += moved[bone].transform_point3(turned) * f64::from(weight);
        }
        assert!((engine * DVec3::new(-1.0, 1.0, 1.0) - ours).length() < 1e-5, "{engine} {ours}");
    }
}

#[test]
fn slots_become_nodes_and_what_is_missing_is_said() {
    let still = vector("version 3");
    let package = avatar(&vector("version 7"), &still);
    let object = package.object().unwrap();
    let made = glb(&package, &object, &SlotPath::root()).unwrap();
    let (document, _) = open(&made.bytes);
    let lost = hash(b"not there");
    let mut missing = made.missing.clone();
    missing.sort();
    assert_eq!(
        missing,
        [&*format!("packdb:///{lost} is not there"), "what a BoxMesh provides has no address"]
    );
    // A skin is at the top, the others where their slots are.
    let tops: Vec<&str> =
        document.scenes().next().unwrap().nodes().map(|node| node.name().unwrap()).collect();
    assert_eq!(tops, ["Avatar", "Body"]);
    let children = |node: &gltf::Node<'_>| -> Vec<String> {
        node.children().map(|child| child.name().unwrap().to_owned()).collect()
    };
    assert_eq!(children(&named(&document, "Avatar")[0]), ["Hips", "Body"]);
    let prop = &named(&document, "Prop")[0];
    assert_eq!(children(prop), ["Prop"]);
    assert_eq!(prop.extras().as_ref().unwrap().get(), r#"{"active":false}"#);
    let hips = &named(&document, "Hips")[0];
    let (position, [x, y, z, w], scale) = hips.transform().decomposed();
    assert_eq!((position, scale), ([-0.5, 1.0, 0.25], [1.0; 3]));
    assert!(x == 0.0 && y < -0.7 && z == 0.0 && w > 0.7);
    // Half of the first shape; of the second, half way between its two frames.
    let skinned = document.nodes().find(|node| node.skin().is_some()).unwrap();
    assert_eq!(document.as_json().nodes[skinned.index()].weights, Some(vec![0.5, 0.5, 0.5]));
    // Materials by parts; a mesh that no bone moves has no joints.
    let mesh = skinned.mesh().unwrap();
    let materials: Vec<Option<usize>> =
        mesh.primitives().map(|part| part.material().index()).collect();
    assert_eq!(materials, [Some(0), Some(1), None]);
    let stone = prop.children().next().unwrap().mesh().unwrap();
    assert!(stone.primitives().all(|part| part.get(&Semantic::Joints(0)).is_none()));
    insta::assert_snapshot!(
        gltf::json::serialize::to_string_pretty(&serde_json::json!({
            "materials": document.as_json().materials,
            "textures": document.as_json().textures,
            "samplers": document.as_json().samplers,
            "extensions": document.as_json().extensions_used,
        }))
        .unwrap()
    );

    // One slot, from which bones are missing.
    let body = object.find_slot("Avatar/Body").unwrap();
    let made = glb(&package, &object, &body).unwrap();
    let (document, _) = open(&made.bytes);
    assert_eq!(named(&document, "Hips")[0].transform().decomposed().0, [0.0, 1.0, 0.0]);
    let outer = SlotPath::new(vec![9]);
    let error = glb(&package, &object, &outer).unwrap_err();
    assert_eq!(error.to_string(), "expected a slot, found none at this path");
}

#[test]
fn numbers_that_gltf_does_not_have_are_refused() {
    let refused = |number: f32, with: f32, words: &str| {
        let mut bytes = vector("version 7");
        let at = bytes.windows(4).position(|own| own == number.to_le_bytes()).unwrap();
        bytes.splice(at..at + 4, with.to_le_bytes());
        let why = alone(&bytes).unwrap_err().to_string();
        assert!(why.ends_with(words), "{why}");
    };
    // The first 0.5 is in the third position, the first 11 in the second channel.
    refused(0.5, f32::NAN, ": the position of vertex 2 has NaN, which glTF cannot say");
    refused(
        9.0,
        f32::INFINITY,
        ": the texture coordinate of vertex 3 has inf, which glTF cannot say",
    );
    let mut object = SavedObject::new("2026.8.12.1196", "A");
    slot(&mut object, &SlotPath::root(), "B", [f64::NAN, 0.0, 0.0]);
    let error = object.to_glb(&SlotPath::root(), &Options::new(), |_| None).unwrap_err();
    let words = "the place of the slot B is not finite, which glTF cannot say";
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Unsupported, words.to_owned()));
    // A mesh that cannot be written is missing.
    let package = avatar(b"no mesh", &vector("version 3"));
    let object = package.object().unwrap();
    let made = glb(&package, &object, &SlotPath::root()).unwrap();
    let why = "expected MeshX at the beginning, found something else at byte 0x0";
    assert!(made.missing.iter().any(|own| own.ends_with(why)), "{:?}", made.missing);
}

/// What many renderers share is written once; what each has for itself is bounded.
#[test]
fn little_data_makes_no_large_file() {
    let mut object = SavedObject::new("2026.8.12.1196", "A");
    let root = SlotPath::root();
    let mut mesh = vector("version 7");
    let url = Members::new().field("URL", Package::url(&hash(&mesh)));
    let skin = add(&mut object, "StaticMesh", url);
    for _ in 0..200 {
        let members = Members::new().reference("Mesh", Some(&skin));
        let name = "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer";
        object.add_component(&root, name, members).unwrap();
    }
    let glb = |mesh: &[u8], options: Options| object.to_glb(&root, &options, |_| Some(mesh));
    let (document, blob) = open(&glb(&mesh, Options::new()).unwrap().bytes);
    assert_eq!((document.meshes().count(), document.skins().count()), (200, 200));
    assert!(blob.len() < 4000, "{}", blob.len());
    // 20 000 bones without slots for each renderer.
    mesh.splice(16..17, [0xa0, 0x9c, 0x01]);
    let at = mesh.windows(5).position(|own| own == b"\x04Hips").unwrap();
    let bone = mesh[at..at + 69].to_vec();
    mesh.splice(at..at, bone.repeat(20_000 - 2));
    let error = glb(&mesh, Options::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{error}");
}

const VALIDATE: &str = r#"
const { validateBytes } = require("gltf-validator");
const { readFileSync } = require("fs");
(async () => {
  for (const file of process.argv.slice(1)) {
    const report = await validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 100 });
    const bad = report.issues.messages.filter((own) => own.severity < 2);
    console.log(JSON.stringify(bad.map((own) => `${own.code} ${own.pointer}: ${own.message}`)));
  }
})();
"#;

/// Neither errors nor warnings.
#[test]
fn the_validator_finds_nothing_wrong() {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/npm/node_modules");
    let paths: Vec<_> = std::env::var_os("NODE_PATH").into_iter().chain([modules.into()]).collect();
    let node = |arguments: &[&std::ffi::OsStr]| {
        let paths = std::env::join_paths(&paths).unwrap();
        Command::new("node").env("NODE_PATH", paths).args(arguments).output()
    };
    let there = node(&["-e".as_ref(), "require(\"gltf-validator\")".as_ref()]);
    if !there.is_ok_and(|own| own.status.success()) {
        println!(
            "SKIPPED: node or its package gltf-validator is missing: npm install --prefix target/npm gltf-validator"
        );
        return;
    }
    let mut files = Vec::new();
    for version in 0..8 {
        files.push(alone(&vector(&format!("version {version}"))).unwrap());
        let package = avatar(&vector(&format!("version {version}")), &vector("version 6"));
        let object = package.object().unwrap();
        files.push(glb(&package, &object, &SlotPath::root()).unwrap().bytes);
        let body = object.find_slot("Avatar/Body").unwrap();
        files.push(glb(&package, &object, &body).unwrap().bytes);
    }
    files.push(alone(&vector("what glTF forbids, no bone")).unwrap());
    files.push(alone(&vector("points alone")).unwrap());
    files.push(alone(&vector("nothing")).unwrap());

    let folder = std::env::temp_dir().join(format!("gamewire-glb-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut arguments = vec!["-e".into(), VALIDATE.into(), "--".into()];
    for (at, file) in files.iter().enumerate() {
        let path = folder.join(format!("{at}.glb"));
        std::fs::write(&path, file).unwrap();
        arguments.push(path.into_os_string());
    }
    let arguments: Vec<&std::ffi::OsStr> = arguments.iter().map(|own| own.as_os_str()).collect();
    let output = node(&arguments).unwrap();
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found, "[]\n".repeat(files.len()), "{}", String::from_utf8_lossy(&output.stderr));
}
