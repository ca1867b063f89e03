//! o3de-json.

use std::hint::black_box;

use o3de_json::value::Document;
use o3de_json::{Options, RawValue, Value};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::groups::level;
use crate::groups::value::{encoded, push as push_value};
use crate::harness::{Codec, Plan, cells};
use crate::table::Table;

/// Compact JSON with every coercion of the engine.
#[derive(Debug)]
pub(super) struct Json;

impl Codec for Json {
    const NAME: &'static str = "o3de-json";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(Options::new().append_to_vec(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(o3de_json::from_slice(bytes)?)
    }
}

/// A data set into `Value`.
pub(super) fn value<T: Serialize>(plan: &Plan, table: &mut Table, value: &T) -> Outcome<()> {
    let bytes = encoded::<Json, T>(value)?;
    let decode = |bytes| Json::decode::<Value>(bytes);
    push_value(plan, table, "o3de-json Value", &bytes, decode, Json::encode)
}

/// The level as Rust types.
pub(super) fn level(plan: &Plan, table: &mut Table, text: &str) -> Outcome<()> {
    let decode = |text: &str| Ok(o3de_json::from_str(text)?);
    level::level::<RawValue>(plan, table, "o3de-json", text, decode, Json::encode)
}

/// The level as a document: from text, and a value of its own.
pub(super) fn level_document(plan: &Plan, table: &mut Table, text: &str) -> Outcome<()> {
    let mut document = Document::new(text)?;
    // As if it had been changed, or the text would only be copied.
    document.value_mut();
    let written = plan.encode(|out| {
        out.extend_from_slice(black_box(&document).to_text()?.as_bytes());
        Ok(())
    })?;
    let cost = plan.cost(|| Ok(Document::new(black_box(text))?))?;
    table.rows.push(cells("o3de-json Document", &written, &cost));
    let value = document.into_value();
    let written =
        plan.encode(|out| Ok(Options::new().pretty(true).append_to_vec(out, &value)?))?;
    let cost = plan.cost(|| Ok(o3de_json::from_str::<Value>(black_box(text))?))?;
    table.rows.push(cells("o3de-json Value", &written, &cost));
    Ok(())
}
