//! The few GDScript literals in the notes of frame rows.

use godot_variant::Value;
use godot_variant::types::{Vector2, Vector3};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::Check;

/// Literals separated by commas. With keys in quotes and `Vector2(…)` as `{"Vector2":[…]}` they are
/// JSON.
pub(crate) fn list(text: &str) -> Check<Vec<Value>> {
    let mut json = String::new();
    for (at, part) in text.split('"').enumerate() {
        if at % 2 == 1 {
            json.push_str(&format!("\"{part}\""));
            continue;
        }
        for word in part.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            match word.split_at(word.len() - 1) {
                (name, ":") if !name.is_empty() => json.push_str(&format!("\"{name}\":")),
                (name, "(") => json.push_str(&format!("{{\"{name}\":[")),
                (last, ")") => json.push_str(&format!("{last}]}}")),
                _ => json.push_str(word),
            }
        }
    }
    let items: Vec<Json> = serde_json::from_str(&format!("[{json}]"))
        .map_err(|error| format!("cannot read `{text}`: {error}"))?;
    items.iter().map(value).collect()
}

fn value(json: &Json) -> Check<Value> {
    let vector = |name| json.get(name).filter(|_| json.as_object().is_some_and(|o| o.len() == 1));
    if let Some(found) = vector("Vector2") {
        return components(found).map(|c: [f32; 2]| Vector2::from(c).into());
    }
    if let Some(found) = vector("Vector3") {
        return components(found).map(|c: [f32; 3]| Vector3::from(c).into());
    }
    Ok(match json {
        Json::Array(items) => items.iter().map(value).collect::<Check<Vec<_>>>()?.into(),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, own)| Ok((key.as_str(), value(own)?)));
            entries.collect::<Check<Vec<_>>>()?.into_iter().collect()
        }
        scalar => Value::deserialize(scalar).map_err(|error| error.to_string())?,
    })
}

fn components<const N: usize>(json: &Json) -> Check<[f32; N]> {
    let numbers: Vec<f32> = Vec::deserialize(json).map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|_| "wrong number of components".into())
}
