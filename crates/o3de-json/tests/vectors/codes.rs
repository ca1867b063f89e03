//! Rows about result codes and type ids.

use gamewire_testkit::vectors::Row;
use o3de_json::registry::{TypeInfo, TypeRegistry};
use o3de_json::report::{ResultCode, Task};
use o3de_json::types::Uuid;
use serde_json::Value as Json;

use crate::{Check, outcome, same, same_code};

pub(crate) fn combine(row: &Row) -> Check {
    let input = row.need("input")?;
    let code = |index: usize| {
        let name = input.get(index).and_then(Json::as_str).ok_or("`input` has not two names")?;
        outcome(name).map(|outcome| ResultCode::new(Task::ReadField, outcome))
    };
    let combined = code(0)?.combine(code(1)?);
    same("expect", row.need("expect")?, &combined.outcome().name().into())?;
    same_code(row, combined)
}

const INHERITED: &str = "{E7829F37-C577-4F2B-A85B-6F331548354C}";

/// The types that the engine's test registers, and those that the row names.
fn registry(row: &Row, inherited: usize) -> Check<TypeRegistry> {
    let uuid = |text: &str| Uuid::find(text).ok_or_else(|| format!("{text} is no UUID"));
    let mut types = TypeRegistry::new();
    let known = [
        ("BaseClass", "{E88A0D2D-1F9A-4B5A-9C12-4F8D0A1B2C3D}"),
        ("SimpleClass", "{0CC36DD4-2337-40B4-A86C-69C452C48555}"),
        ("Vector3", "{8379EB7D-01FA-4538-B64B-A6543B4BE73D}"),
    ];
    for (name, id) in known {
        types.add(TypeInfo::new(name).uuid(uuid(id)?));
    }
    for name in ["D::Inherited", "E::Inherited"].into_iter().take(inherited) {
        let id = if name.starts_with('D') {
            INHERITED
        } else {
            "{00000000-0000-4000-8000-000000000001}"
        };
        types.add(TypeInfo::new(name).uuid(uuid(id)?).base("BaseClass"));
    }
    let named = row.get("registered").and_then(Json::as_array);
    for (number, text) in named.into_iter().flatten().enumerate() {
        let text = text.as_str().ok_or("`registered` is not text")?;
        let (name, base) = text.split_once(": ").unwrap_or((text, ""));
        let id = format!("{{00000000-0000-4000-8000-0000000001{number:02}}}");
        let info = TypeInfo::new(name).uuid(uuid(&id)?);
        types.add(if base.is_empty() { info } else { info.base(base) });
    }
    Ok(types)
}

pub(crate) fn load_type_id(row: &Row) -> Check {
    let types = registry(row, 0)?;
    let Some(text) = row.text("input") else {
        return crate::vectors::types::not_a_type_id(row);
    };
    match types.load_type_id(text, row.text("base")) {
        Ok(found) => {
            same("outcome", row.need("outcome")?, &"Success".into())?;
            let is_uuid = row.text("expect").is_some_and(|text| text.starts_with('{'));
            let shown = if is_uuid { found.uuid.to_string() } else { found.name.clone() };
            same("type", row.need("expect")?, &shown.into())
        }
        Err(code) => {
            same("type", row.need("expect")?, &Json::Null)?;
            same_code(row, code)
        }
    }
}

pub(crate) fn store_type_id(row: &Row) -> Check {
    let input = row.need_text("input")?;
    let types = registry(row, 2)?;
    let known = types.types().iter().find(|info| info.name == input);
    let uuid = match known {
        Some(info) => info.uuid,
        // A type that nobody has registered.
        None => Uuid::find(input).unwrap_or(Uuid([7; 16])),
    };
    match types.store_type_id(uuid) {
        Ok(text) => {
            same("outcome", row.need("outcome")?, &"Success".into())?;
            same("text", row.need("expect")?, &text.into())
        }
        Err(code) => {
            same("text", row.need("expect")?, &Json::Object(Default::default()))?;
            same_code(row, code)
        }
    }
}
