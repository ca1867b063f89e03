//! Rows of testdata/resonite-brson/vectors: files built from the published page, in hexadecimal digits.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod check;
    pub(crate) mod spoilt;
}

use gamewire_testkit::vectors::{Check, Context, Outcome, Row, said};
use resonite_brson::Value;
use serde_json::Value as Json;

use crate::vectors::check::{fact, only, sha256, written_back};
use crate::vectors::spoilt;

gamewire_testkit::vectors!(run, spoilt::a_changed_row_fails);

fn run(row: &Row, _context: &Context<'_>) -> Outcome {
    page(row).into()
}

/// A file from the published page's words.
fn page(row: &Row) -> Check {
    only(&row.value, &["name hex kind ok bson_bytes bson_sha256 json int64 note"])?;
    let bytes = row.hex("hex")?;
    let is_good = row.need("ok")?.as_bool().ok_or("`ok` is not a bool")?;
    let read = resonite_brson::from_slice::<Value>(&bytes);
    if !is_good {
        kind_of_refused(row, &bytes)?;
        return match read {
            Err(_) => Ok(()),
            Ok(_) => Err("expected an error, found a document".to_owned()),
        };
    }
    let value = read.map_err(said)?;
    let body = resonite_brson::open(&bytes).map_err(said)?;
    row.need("bson_bytes")?;
    row.need("bson_sha256")?;
    fact(&row.value, "bson_bytes", body.bson().len())?;
    fact(&row.value, "bson_sha256", sha256(body.bson()))?;
    fact(&row.value, "kind", body.container().codec().kind())?;
    if let Some(json) = row.get("json") {
        let wide = row.get("int64").and_then(Json::as_array).into_iter().flatten();
        let mut wide: Vec<&str> = wide.map(|path| path.as_str().unwrap_or("no path")).collect();
        same_tree(json, &value, "", &mut wide)?;
        if let Some(path) = wide.first() {
            return Err(format!("int64: nothing is at `{path}`"));
        }
    }
    written_back(&value, body.bson(), body.container())
}

/// The kind in the header of a file that is refused, as far as the row says one and the header has
/// it.
fn kind_of_refused(row: &Row, bytes: &[u8]) -> Check {
    let found = bytes.strip_prefix(b"FrDT\0\0\0\0").and_then(|rest| rest.first());
    match (row.get("kind").and_then(Json::as_u64), found) {
        (Some(kind), Some(found)) if u64::from(*found) != kind => {
            Err(format!("kind: expected {kind}, found {found}"))
        }
        _ => Ok(()),
    }
}

/// Compares JSON in the row's notation: numbers with a point are doubles, others int32, or int64
/// where `wide` has their path, which is taken out of it.
fn same_tree(json: &Json, value: &Value, path: &str, wide: &mut Vec<&str>) -> Check {
    let place = wide.iter().position(|own| *own == path);
    let is_wide = place.map(|place| wide.swap_remove(place)).is_some();
    let inside = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
    let same = match (json, value) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(expected), Value::Bool(found)) => expected == found,
        (Json::String(expected), Value::String(found)) => expected == found.as_str(),
        (Json::Number(expected), Value::Double(found)) => {
            expected.is_f64() && expected.as_f64().map(f64::to_bits) == Some(found.to_bits())
        }
        (Json::Number(expected), Value::Int32(found)) => {
            !is_wide && expected.as_i64() == Some(i64::from(*found))
        }
        (Json::Number(expected), Value::Int64(found)) => {
            is_wide && expected.as_i64() == Some(*found)
        }
        (Json::Array(expected), Value::Array(found)) => {
            for (index, (json, value)) in expected.iter().zip(found.iter()).enumerate() {
                same_tree(json, value, &inside(&index.to_string()), wide)?;
            }
            expected.len() == found.len()
        }
        (Json::Object(expected), Value::Document(found)) => {
            for ((key, json), (own, value)) in expected.iter().zip(found.iter()) {
                if key != own.as_str() {
                    return Err(format!("{path}: expected the key `{key}`, found `{own}`"));
                }
                same_tree(json, value, &inside(key), wide)?;
            }
            expected.len() == found.len()
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("json: {path}: expected {json}, found {value:?}")) }
}
