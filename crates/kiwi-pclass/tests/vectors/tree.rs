//! The `value` of a row, and how it is compared.

use gamewire_testkit::vectors::to_hex;
use kiwi_pclass::Value;
use kiwi_pclass::value::Object;
use serde_json::{Map, Value as Json, json};

/// A value as rows have it: enums are numbers, floats are the exact 64-bit ones.
pub(crate) fn of(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(v) => json!(v),
        Value::Int(v) => json!(v),
        Value::UInt(v) => json!(v),
        Value::Float(v) => json!(f64::from(*v)),
        Value::Double(v) => json!(v),
        Value::Enum(v) => json!(v),
        Value::String(v) => match v.as_str() {
            Some(text) => json!(text),
            None => json!({"$bytes": to_hex(v.as_bytes())}),
        },
        Value::WString(v) => match v.to_text() {
            Some(text) => json!(text),
            None => json!({"$utf16": v.units()}),
        },
        Value::Color(v) => json!({"r": v.r, "g": v.g, "b": v.b, "a": v.a}),
        Value::Vector3D(v) => json!({"x": wide(v.x), "y": wide(v.y), "z": wide(v.z)}),
        Value::Quaternion(v) => {
            json!({"w": wide(v.w), "x": wide(v.x), "y": wide(v.y), "z": wide(v.z)})
        }
        Value::Euler(v) => {
            json!({"pitch": wide(v.pitch), "yaw": wide(v.yaw), "roll": wide(v.roll)})
        }
        Value::Matrix3x3(v) => {
            json!({"i": v.i.map(wide), "j": v.j.map(wide), "k": v.k.map(wide)})
        }
        Value::Size(v) => json!({"width": of(&v.width), "height": of(&v.height)}),
        Value::Point(v) => json!({"x": of(&v.x), "y": of(&v.y)}),
        Value::Rect(v) => json!({
            "left": of(&v.left), "top": of(&v.top), "right": of(&v.right), "bottom": of(&v.bottom),
        }),
        Value::List(list) => list.iter().map(of).collect(),
        Value::Bools(list) => json!(list),
        Value::SmallInts(list) => json!(list),
        Value::Object(v) => object(v),
        other => json!({"not in the notation": format!("{other:?}")}),
    }
}

fn wide(value: f32) -> f64 {
    f64::from(value)
}

fn object(object: &Object) -> Json {
    let mut members = Map::new();
    members.insert("$type".to_owned(), json!(object.class().name()));
    if let Some(core) = object.core() {
        let core = json!({
            "block": core.block, "type": core.template_type, "template_id": core.template_id,
        });
        members.insert("$core".to_owned(), core);
    }
    for field in object.fields() {
        let name = match object.property_of(field) {
            Some(property) => property.name().to_owned(),
            None => format!("{:?}", field.unknown_hash()),
        };
        members.insert(name, of(&field.value));
    }
    Json::Object(members)
}

/// Compares by value: members in any order, floats by their bits.
pub(crate) fn same(expected: &Json, found: &Json) -> Result<(), String> {
    match (expected, found) {
        (Json::Object(a), Json::Object(b)) => {
            for (name, a) in a {
                let b = b.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
                same(a, b).map_err(|error| format!("{name}: {error}"))?;
            }
            match b.keys().find(|name| !a.contains_key(*name)) {
                Some(name) => Err(format!("`{name}` should not be there")),
                None => Ok(()),
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().try_for_each(|(index, (a, b))| {
                same(a, b).map_err(|error| format!("[{index}]: {error}"))
            })
        }
        (Json::Number(a), Json::Number(b)) => {
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            let same = match (a.is_f64(), b.is_f64()) {
                (true, true) => bits(a) == bits(b),
                // Integers are compared as they are, and are no floats.
                (false, false) => a == b,
                _ => false,
            };
            match same {
                true => Ok(()),
                false => Err(format!("expected {a}, found {b}")),
            }
        }
        (a, b) if a == b => Ok(()),
        (a, b) => Err(format!("expected {a:.80}, found {b:.80}")),
    }
}
