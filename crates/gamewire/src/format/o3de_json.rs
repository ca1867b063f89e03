//! How JSON of Open 3D Engine is distinguished from other JSON: by the members of the outermost object.

use std::fmt;
use std::path::Path;

use serde_core::de::{Deserialize, IgnoredAny, MapAccess, Visitor};

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "O3DE JSON",
    crate_name: "o3de-json",
    // Files of other names, such as `.material`, are detected by their content.
    extensions: &[
        "prefab",
        "setreg",
        "setregpatch",
        "materialtype",
        "materialgraph",
        "materialpipeline",
        "shadervariantlist",
        "azasset",
    ],
    magic: &[],
    is_sure,
    is_named,
};

/// Extensions of the engine's JSON that others have for other things.
const SHARED: [&str; 5] = ["material", "shader", "pass", "assetinfo", "names"];

/// Files by which the engine knows projects, gems and itself, and what each of them says at least.
const MANIFESTS: [(&str, &[u8]); 3] = [
    ("project.json", b"\"project_name\""),
    ("gem.json", b"\"gem_name\""),
    ("engine.json", b"\"engine_name\""),
];

/// How far into a file its wrapper begins at most.
const MAX_HEAD: usize = 4096;

/// Whether it is of a family of the engine's files: JSON in one of the shared extensions, a manifest, or
/// `.json` in the wrapper. It need not be whole.
fn is_named(path: &Path, bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let has = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|own| own == part);
    let extension = path.extension().and_then(|own| own.to_str()).unwrap_or_default();
    let name = path.file_name().and_then(|own| own.to_str()).unwrap_or_default();
    let is_template = name.to_ascii_lowercase().ends_with(".shader.template");
    if is_template || SHARED.iter().any(|own| own.eq_ignore_ascii_case(extension)) {
        return after_comments(text).starts_with(b"{");
    }
    if !extension.eq_ignore_ascii_case("json") {
        return false;
    }
    match MANIFESTS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        Some((_, member)) => has(text, member),
        None => has(text.get(..MAX_HEAD).unwrap_or(text), b"\"JsonSerialization\""),
    }
}

/// Whether it is in the XML in which older engines wrote what is JSON now, and other assets still are.
pub(crate) fn is_object_stream(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let end = text.windows(2).position(|own| own == b"?>").filter(|_| text.starts_with(b"<?xml"));
    let after = end.and_then(|at| text.get(at.saturating_add(2)..)).unwrap_or(text);
    after.trim_ascii_start().starts_with(b"<ObjectStream")
}

/// The text after the comments at its beginning.
fn after_comments(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        let end: &[u8] = match rest {
            [b'/', b'/', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => return rest,
        };
        let Some(at) = rest.windows(end.len()).position(|own| own == end) else { return &[] };
        rest = rest.get(at.saturating_add(end.len())..).unwrap_or_default().trim_ascii_start();
    }
}

/// Whether it is a file in the engine's wrapper, a prefab, or a material. Settings have no mark.
fn is_sure(bytes: &[u8]) -> bool {
    // The outermost object, perhaps behind comments.
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'/')) {
        return false;
    }
    let options = o3de_json::Options::new().invalid_utf8(true);
    options.from_slice::<Members>(bytes).is_ok_and(|members| members.are_sure())
}

/// Which members the outermost object has.
#[derive(Default)]
struct Members {
    wrapper: bool,
    class_name: bool,
    container: bool,
    entities: bool,
    material_type: bool,
    properties: bool,
}

impl Members {
    fn are_sure(&self) -> bool {
        (self.wrapper && self.class_name)
            || (self.container && self.entities)
            || (self.material_type && self.properties)
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Members::default();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "Type" => {
                    let kind: String = map.next_value()?;
                    members.wrapper = kind.eq_ignore_ascii_case("JsonSerialization");
                    continue;
                }
                "ClassName" => members.class_name = true,
                "ContainerEntity" => members.container = true,
                "Entities" => members.entities = true,
                "materialType" => members.material_type = true,
                "propertyValues" => members.properties = true,
                _ => {}
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(members)
    }
}
