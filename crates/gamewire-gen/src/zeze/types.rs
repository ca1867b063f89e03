//! How a variable spells its type: `map` with `key` and `value`, `map[long, Key]`,
//! `list[dynamic:Base]`.

use super::xml::Element;
use crate::Result;

/// The parts of a type, without what its names stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) name: String,
    /// `key`, or what stands before the value in brackets; two for a `gtable`.
    pub(super) keys: Vec<String>,
    pub(super) value: Option<String>,
    /// `Base` of `dynamic:Base`.
    pub(super) base: Option<String>,
}

/// The type of a `<variable>`.
pub(super) fn spelling(variable: &Element) -> Result<Spelling> {
    let text = variable.need("type")?;
    let wrong = |why: &str| variable.wrong(format!("type `{text}`: {why}"));
    let mut base = None;
    let mut without_base = |text: &str| -> Result<String> {
        let Some((name, own)) = text.split_once(':') else { return Ok(text.trim().to_owned()) };
        if name.trim() != "dynamic" || base.is_some() || own.contains(':') {
            return Err(wrong("only one dynamic can have a base"));
        }
        base = Some(own.trim().to_owned());
        Ok("dynamic".to_owned())
    };
    let list = |text: &str| -> Vec<String> {
        let parts = text.split(',').map(|part| part.trim().to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    };
    let mut keys = list(variable.attribute("key"));
    let mut value = match variable.attribute("value") {
        "" => None,
        value => Some(value.to_owned()),
    };
    let name = match text.split_once('[') {
        None => without_base(text)?,
        Some((name, rest)) => {
            let inner = rest.strip_suffix(']').ok_or_else(|| wrong("no `]` at its end"))?;
            if inner.contains(['[', ']']) {
                return Err(wrong("containers cannot nest; put a bean in between"));
            }
            if !keys.is_empty() || value.is_some() {
                return Err(wrong("has brackets, and `key` or `value` beside them"));
            }
            keys = list(inner);
            value = Some(keys.pop().ok_or_else(|| wrong("nothing in the brackets"))?);
            without_base(name)?
        }
    };
    // Before there were <value> elements, a dynamic had its beans in the attribute.
    let value = match value {
        Some(value) if name != "dynamic" => Some(without_base(&value)?),
        value => value,
    };
    // How Java shows the text to programs; on the wire it is text.
    let value = value.filter(|value| {
        name != "string" || !matches!(value.as_str(), "JSON_OBJECT" | "JSON_ARRAY")
    });
    Ok(Spelling { name, keys, value, base })
}
