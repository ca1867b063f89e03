//! How JSON of Open 3D Engine is told from other JSON: by the members of the outermost object.

use std::fmt;

use serde_core::de::{Deserialize, IgnoredAny, MapAccess, Visitor};

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "O3DE JSON",
    crate_name: "o3de-json",
    // Of what has other names, such as `.material`, the content says what it is.
    extensions: &["prefab", "setreg", "setregpatch", "materialtype", "azasset"],
    magic: &[],
    is_sure,
};

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
