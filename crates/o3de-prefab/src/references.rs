//! The files that a document names.

use std::collections::HashMap;

use crate::assets::PROCEDURAL;
use crate::strings::{Place, each_string};
use o3de_json::value::Value;

/// How a document names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// `Source` of an instance.
    Prefab,
    /// `$import`.
    Import,
    /// `assetHint` of an asset, which names what the Asset Processor makes of a file.
    Asset,
    /// Any other string with an extension of the engine's files.
    File,
}

impl ReferenceKind {
    /// Its name in lists, such as `prefab`.
    pub const fn name(self) -> &'static str {
        match self {
            ReferenceKind::Prefab => "prefab",
            ReferenceKind::Import => "import",
            ReferenceKind::Asset => "asset",
            ReferenceKind::File => "file",
        }
    }
}

/// A file that a document names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reference {
    /// How it is named.
    pub kind: ReferenceKind,
    /// Its path, as it stands there.
    pub path: String,
    /// Where it stands for the first time, as a JSON pointer.
    pub pointer: String,
    /// How often it stands in the document.
    pub count: usize,
}

/// The files that a document names, each once for each way in which it is named, in the order of the
/// document.
///
/// ```
/// use o3de_prefab::ReferenceKind;
///
/// let level: o3de_json::Value = o3de_json::from_str(
///     r#"{"Entities": {}, "Instances": {
///         "Instance_[1]": {"Source": "Prefabs/Lamp.prefab"},
///         "Instance_[2]": {"Source": "Prefabs/Lamp.prefab"}
///     }}"#,
/// )?;
/// let found = o3de_prefab::references(&level);
/// assert_eq!((found[0].kind, found[0].count), (ReferenceKind::Prefab, 2));
/// assert_eq!(found[0].path, "Prefabs/Lamp.prefab");
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn references(document: &Value) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut known: HashMap<(ReferenceKind, &str), usize> = HashMap::new();
    each_reference(document, &mut |place, kind, path| {
        let next = found.len();
        let at = *known.entry((kind, path)).or_insert(next);
        match found.get_mut(at) {
            Some(own) => own.count = own.count.saturating_add(1),
            None => {
                let pointer = place.pointer.to_owned();
                found.push(Reference { kind, path: path.to_owned(), pointer, count: 1 });
            }
        }
    });
    found
}

/// Shows each string that names a file.
pub(crate) fn each_reference<'v>(
    document: &'v Value,
    look: &mut dyn FnMut(&Place<'_, 'v>, ReferenceKind, &'v str),
) {
    each_string(document, "", &mut |place, text| {
        if let Some(kind) = kind_of(&place, text) {
            look(&place, kind, text);
        }
    });
}

fn kind_of(place: &Place<'_, '_>, text: &str) -> Option<ReferenceKind> {
    const MAX_PATH: usize = 1024;
    if text.is_empty() || text.len() > MAX_PATH {
        return None;
    }
    match place.member {
        "Source" if has_extension(text, "prefab") || has_extension(text, PROCEDURAL) => {
            Some(ReferenceKind::Prefab)
        }
        "$import" => Some(ReferenceKind::Import),
        "filename" if place.pointer.ends_with("/$import/filename") => Some(ReferenceKind::Import),
        "assetHint" => Some(ReferenceKind::Asset),
        // Names for people, and paths inside of documents.
        "Name" | "path" | "from" | "op" | "$type" => None,
        _ if is_file(text) => Some(ReferenceKind::File),
        _ => None,
    }
}

pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension))
}

/// Whether a text is the path of a file that the engine or its Asset Processor reads.
fn is_file(text: &str) -> bool {
    const EXTENSIONS: &str = "\
        animgraph attimage azasset azsl azsli bmp bnk cdf dae dds emfxrecording exr fbx font \
        fontfamily glb gltf hdr inputbindings jpeg jpg json lightingpreset lua material \
        materialgraph materialgraphnode materialtype modelpreset motion motionset mp3 names \
        obj ogg pass physicsmaterial physxmaterial png prefab resourcepool scriptcanvas \
        scriptevents setreg shader shadervariantlist spawnable srgi stl streamingimage tga \
        tif tiff ttf uicanvas wav";
    let extension = text.rsplit_once('.').map(|(_, own)| own.to_ascii_lowercase());
    let is_known = extension.is_some_and(|own| EXTENSIONS.split(' ').any(|known| known == own));
    // Nor patterns of names.
    let is_odd = |c: char| c.is_control() || "*?|<>\"".contains(c);
    is_known && !text.contains("://") && !text.contains(is_odd)
}
