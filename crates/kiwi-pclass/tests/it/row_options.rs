//! What a row of the vectors says about how its bytes are written.

use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Options, Unknown};
use serde_json::Value as Json;

/// A number of 32 bits.
pub(crate) fn number(row: &Json, key: &str) -> Result<u32, String> {
    let number = row[key].as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{key}` of the row is no number of 32 bits"))
}

/// All but the schema.
pub(crate) fn of(row: &Json) -> Result<Options, String> {
    let flag = |key: &str| row[key].as_bool().unwrap_or(false);
    let mode = match row["mode"].as_str() {
        Some("shallow") => Mode::Shallow,
        Some("deep") => Mode::Deep,
        other => return Err(format!("unknown mode {other:?}")),
    };
    let options = Options::new()
        .mode(mode)
        .bind(flag("bind"))
        .flags(SerializerFlags(number(row, "flags")?))
        .mask(PropertyFlags(number(row, "mask")?))
        .manual_compression(flag("manual_compression"))
        .unknown(if flag("skip_unknown_types") { Unknown::Skip } else { Unknown::Refuse });
    let Some(types) = row.get("core_types") else { return Ok(options) };
    let types = types.as_object().ok_or("`core_types` of the row is no object")?;
    let mut own = CoreTypes::new();
    for (number, class) in types {
        let class = class.as_str().ok_or("a class of `core_types` is not text")?;
        own = own.with(number.parse().map_err(|_| "a core type is no byte")?, class);
    }
    Ok(options.core_types(own))
}
