//! The names for people on the way to a place.

use super::{CONTAINER, Component, ENTITIES, Entity, INSTANCES, Prefab};
use crate::value::{Pointer, Value};

/// What of a prefab a JSON pointer leads into, by the names for people: an entity and its component, or an
/// instance, and of one of its overrides, what is overridden. `None` where there are no names.
///
/// ```
/// let level: o3de_json::Value = o3de_json::from_str(
///     r#"{"Entities": {"Entity_[1]": {"Name": "Lamp", "Components": {
///         "Component_[2]": {"$type": "AZ::Render::EditorPointLightComponent", "Id": 2}
///     }}}}"#,
/// )?;
/// let pointer = "/Entities/Entity_[1]/Components/Component_[2]/Controller/Intensity";
/// let caption = o3de_json::prefab::caption(&level, pointer);
/// assert_eq!(caption.as_deref(), Some("Lamp, EditorPointLightComponent"));
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn caption(document: &Value, pointer: &str) -> Option<String> {
    let parsed = Pointer::parse(pointer)?;
    let steps: Vec<&str> = parsed.tokens().iter().map(|token| &*token.name).collect();
    let mut prefab = Prefab::new(document).ok()?;
    let mut names: Vec<String> = Vec::new();
    let mut rest = steps.as_slice();
    while let [INSTANCES, alias, inner @ ..] = rest {
        let instance = prefab.instance(alias)?;
        let source = instance.source().unwrap_or_default();
        names.push(instance.name().unwrap_or(source).to_owned());
        let path = match inner {
            ["Patches", index, ..] => {
                let patch = instance.patches()?.as_array()?.get(index.parse::<usize>().ok()?)?;
                patch.get("path").and_then(Value::as_str)
            }
            _ => None,
        };
        names.extend(path.map(str::to_owned));
        match instance.prefab() {
            Some(inside) => (prefab, rest) = (inside, inner),
            None => return joined(names),
        }
    }
    let entity = match rest {
        [CONTAINER, ..] => prefab.container()?,
        [ENTITIES, alias, ..] => prefab.entity(alias)?,
        _ => return joined(names),
    };
    names.extend(entity.name().map(str::to_owned));
    let inside = rest.iter().skip_while(|step| **step != "Components").nth(1);
    let component = inside.and_then(|key| component(&entity, key));
    names.extend(component.and_then(|own| own.short_name()).map(str::to_owned));
    joined(names)
}

fn component<'v>(entity: &Entity<'v>, key: &str) -> Option<Component<'v>> {
    entity.components().find(|component| component.key() == key)
}

fn joined(names: Vec<String>) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}
