//! From what the Asset Processor makes to the file that it is made of.

use std::path::PathBuf;

use crate::project::{Project, below, entries};
use crate::references::has_extension;
use o3de_json::value::normal_path;

/// Whether a project has an asset that a document names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asset {
    /// The file, or the one that it is made of.
    Found(PathBuf),
    /// A scan folder has the folder, and nothing in it that the asset could be made of.
    Missing,
    /// No scan folder has even the folder: it may be one of the engine's that is elsewhere.
    Unknown,
}

/// Extensions of models.
const MODELS: &[&str] = &["fbx", "gltf", "glb", "dae", "stl", "obj"];
const IMAGES: &[&str] = &["png", "tif", "tiff", "jpg", "jpeg", "exr", "hdr", "dds", "tga", "bmp"];

/// The sources of products, by the extension of the product. `physicsmaterial`:
/// Gems/PhysX/Core/Code/Editor/Source/Material/PhysXEditorMaterialAsset.h.
const SOURCES: &[(&str, &[&str])] = &[
    ("actor", MODELS),
    ("azbuffer", MODELS),
    ("azlod", MODELS),
    ("azmaterial", &["material", "fbx", "gltf", "glb", "dae", "stl", "obj"]),
    ("azmaterialtype", &["materialtype"]),
    ("azmodel", MODELS),
    ("azshader", &["shader"]),
    ("luac", &["lua"]),
    ("motion", MODELS),
    ("physicsmaterial", &["physxmaterial"]),
    ("pxmesh", MODELS),
    ("scriptcanvas_compiled", &["scriptcanvas"]),
    ("spawnable", &["prefab"]),
    ("streamingimage", IMAGES),
];

/// Characters of a UUID with its dashes, which are `_` in names.
const UUID: usize = 36;

/// The extension of prefabs that the Asset Processor makes of models.
pub(crate) const PROCEDURAL: &str = "procprefab";

impl Project {
    /// The model that a procedural prefab is made of: `robot.fbx` of `robot_fbx.procprefab`
    /// (Gems/Prefab/PrefabBuilder/PrefabGroup/DefaultProceduralPrefab.cpp).
    pub(crate) fn scene_of(&self, path: &str) -> Option<PathBuf> {
        let path = normal_path(path).filter(|path| has_extension(path, PROCEDURAL))?;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = name.get(..name.len().checked_sub(PROCEDURAL.len())?)?.trim_end_matches('.');
        let places = self.folders().iter().filter_map(|root| below(root, folder));
        places.flat_map(|place| entries(&place).collect::<Vec<_>>()).find(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let (_, extension) = name.rsplit_once('.').unwrap_or_default();
            let is_own = name.replace('.', "_").eq_ignore_ascii_case(stem);
            MODELS.contains(&&*extension.to_ascii_lowercase()) && is_own
        })
    }

    /// Looks for the file of a path: of a source, or of what the Asset Processor makes of one. That has
    /// another extension (`lamp.azmaterial` of `Lamp.material`), or one more (`lamp.png.streamingimage`),
    /// and what is made of a part of a model begins with the model's name (`lamp_glass_17.azmaterial`), or with
    /// `default_` and that name, where the parts are those of a procedural prefab.
    pub fn asset(&self, path: &str) -> Asset {
        if let Some(file) = self.find(path) {
            return Asset::Found(file);
        }
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        // Products of these keep the extension.
        if let Some(file) = stem.contains('.').then(|| self.find(&join(folder, stem))).flatten() {
            return Asset::Found(file);
        }
        let stem = stem.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let made_of = SOURCES.iter().find(|(own, _)| extension.eq_ignore_ascii_case(own));
        let made_of = made_of.map_or(&[][..], |(_, made_of)| made_of);
        let mut has_folder = false;
        for place in self.folders().iter().filter_map(|root| below(root, folder)) {
            has_folder |= !folder.is_empty();
            let mut best: Option<(usize, PathBuf)> = None;
            for file in entries(&place) {
                let own = |part: Option<&std::ffi::OsStr>| {
                    part.map(|part| part.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
                };
                let (own_stem, own_extension) = (own(file.file_stem()), own(file.extension()));
                let is_source = made_of.contains(&own_extension.as_str());
                let length = own_stem.len();
                let of_procedural = || {
                    let plain = own_stem.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                    let rest =
                        stem.strip_prefix("default_").and_then(|own| own.strip_prefix(&plain));
                    rest.is_some_and(|own| own.starts_with('_') && own.len() > UUID)
                };
                if is_source
                    && (stem.starts_with(&own_stem) || of_procedural())
                    && best.as_ref().is_none_or(|(longest, _)| length > *longest)
                {
                    best = Some((length, file));
                }
            }
            if let Some((_, file)) = best {
                return Asset::Found(file);
            }
        }
        if has_folder { Asset::Missing } else { Asset::Unknown }
    }
}

/// The names that products of a file have in `assetHint`, without what is before the extension: pairs of
/// the extension of the file and of the product.
pub(crate) fn products(extension: &str) -> impl Iterator<Item = &'static str> {
    let extension = extension.to_ascii_lowercase();
    let own = move |(_, made_of): &&(&str, &[&str])| made_of.contains(&extension.as_str());
    let network = "network.spawnable";
    let products = SOURCES.iter().filter(own).map(|(product, _)| *product);
    products.flat_map(move |own| [Some(own), (own == "spawnable").then_some(network)]).flatten()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
