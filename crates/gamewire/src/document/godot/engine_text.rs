//! The engine's text: values of `var_to_str`, and ConfigFiles. Whose it is, and what is written of it anew.

use std::collections::HashSet;
use std::ops::Range;

use gamewire_core::bytes::text_part;
use godot_variant::text::config::ConfigFile;
use godot_variant::text::parts::{Assignment, Part, Parts};
use godot_variant::value::Dictionary;
use godot_variant::wrapped::FileKind;
use godot_variant::{Dialect, Options, Spelling, Value, text};

use super::content::from_base64;
use super::settings::Framing;
use crate::document::error::Error;
use crate::document::limits::Limits;
use crate::document::words;

pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes)
        .map_err(|error| Error::new(format!("expected text, found bytes: {error}")))
}

/// Whether a text looks like sections and keys of a ConfigFile.
pub(super) fn is_config(bytes: &[u8]) -> bool {
    let is_other = matches!(FileKind::of(bytes), Some(kind) if kind != FileKind::ConfigText);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Some(text) = utf8(bytes).ok().filter(|_| !is_other) else { return false };
    let options = Options::new();
    let parts = Parts::sections(text, &options).skimming();
    let is_key = |own: &Assignment| {
        let is_plain = |c: char| c.is_alphanumeric() || "_/.-: ".contains(c);
        let is_quoted = text.get(own.span.start..).is_some_and(|rest| rest.starts_with('"'));
        is_quoted || own.key.chars().all(is_plain)
    };
    let (mut has_head, mut has_keys) = (false, false);
    for part in parts {
        match part {
            Ok(Part::Head(_)) => has_head = true,
            // Any text may have an equals sign.
            Ok(Part::Assignment(own)) if has_head || is_key(&own) => has_keys = true,
            _ => return false,
        }
    }
    has_keys
}

/// The options for text: objects in it are data, and it is spelled as the engine of the dialect does.
pub(super) fn in_text(options: &Options, dialect: Dialect) -> Options {
    let spelling = match dialect {
        Dialect::Godot3 => Spelling::Format2,
        _ => Spelling::Format3,
    };
    options.clone().allow_objects(true).spelling(spelling)
}

/// Whether a text looks like values as of `var_to_str`, each on its own lines.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    utf8(bytes).is_ok_and(|text| !text.contains('\0') && text::is_values(text))
}

/// The options for a text that may be of any engine.
fn of_any_text(bytes: &[u8]) -> Options {
    let most = Limits::default().of_unpacked(bytes.len()).max_memory;
    Options::new().allow_objects(true).max_memory(most.unwrap_or(usize::MAX))
}

/// The engine whose text it is, if it is text of variants that says it.
pub(super) fn dialect_of_text(bytes: &[u8]) -> Option<Dialect> {
    // Any variant in bytes has zeros in its header.
    let text = utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    if let Ok(bytes) = from_base64(text.as_bytes()) {
        return Some(Dialect::find(&bytes)?.dialect);
    }
    let options = of_any_text(bytes);
    match is_config(bytes) {
        true => ConfigFile::load_with(text, &options).ok()?.dialect(),
        false => {
            let values = text::values_from_str(text, &options).ok()?;
            values.into_iter().find_map(|(_, place)| text::dialect_of(text.get(place)?))
        }
    }
}

/// The text for another engine.
pub(super) fn text_in(
    text: &str,
    framing: Framing,
    dialect: Dialect,
    options: &Options,
) -> Result<String, Error> {
    let options = in_text(options, dialect);
    if framing == Framing::Config {
        return Ok(ConfigFile::load_with(text, &options)?.in_dialect(dialect)?);
    }
    let (mut out, mut copied) = (String::new(), 0);
    let values = text::values_from_str(text, &options)?;
    let is_only = values.len() == 1;
    for (at, (_, place)) in values.into_iter().enumerate() {
        let own = text_part(text, place.clone());
        let made = text::in_dialect(own, dialect, &options);
        let made = made.map_err(|error| match is_only {
            true => Error::from(error),
            false => Error::new(format!("value {at}: {error}")),
        })?;
        out.push_str(text_part(text, copied..place.start));
        out.push_str(&made);
        copied = place.end;
    }
    out.push_str(text_part(text, copied..));
    Ok(out)
}

/// The text of values, each on its own lines; what did not change stays.
pub(super) fn values_text(
    source: Option<&str>,
    values: &[Value],
    options: &Options,
) -> Result<String, Error> {
    let written = |value: &Value| text::value_to_string(value, options);
    let Some(source) = source else {
        let lines = values.iter().map(written).collect::<Result<Vec<_>, _>>()?;
        let end = if lines.len() == 1 { "" } else { "\n" };
        return Ok(lines.join("\n") + end);
    };
    let old = text::values_from_str(source, options)?;
    let is_same = |(a, b): &(&(Value, Range<usize>), &Value)| a.0 == **b;
    let front = old.iter().zip(values).take_while(is_same).count();
    let least = old.len().min(values.len()) - front;
    let back = old.iter().rev().zip(values.iter().rev()).take(least).take_while(is_same).count();
    let (old_end, new_end) = (old.len() - back, values.len() - back);
    let line_end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut out, mut before) = (String::new(), None);
    for (at, value) in values.iter().enumerate() {
        // The old one in the place of which it stands.
        let own = if at >= new_end {
            Some(at + old_end - new_end)
        } else {
            Some(at).filter(|at| *at < old_end)
        };
        let own = own.and_then(|own| Some((own, &old.get(own)?.1)));
        let gap = match (before, &own) {
            (None, _) => text_part(source, ..old.first().map_or(0, |(_, first)| first.start)),
            (Some((last, end)), Some((own, place))) if last + 1 == *own => {
                text_part(source, end..place.start)
            }
            _ => line_end,
        };
        out.push_str(gap);
        out.push_str(&match &own {
            Some((_, place)) => {
                text::respelled(text_part(source, place.start..place.end), value, options)?
            }
            None => written(value)?,
        });
        before = Some(own.map_or((usize::MAX - 1, 0), |(own, place)| (own, place.end)));
    }
    out.push_str(text_part(source, old.last().map_or(0, |(_, last)| last.end)..));
    Ok(out)
}

/// The sections of a ConfigFile, each a dictionary.
pub(super) fn sections(config: &ConfigFile) -> Value {
    let mut sections = Dictionary::default();
    for (section, key, value) in config.iter() {
        if !sections.contains(section) {
            sections.insert(section, Dictionary::default());
        }
        if let Some(Value::Dictionary(keys)) = sections.get_mut(section) {
            keys.insert(key, value.clone());
        }
    }
    Value::Dictionary(sections)
}

/// The text of a ConfigFile with other values; what did not change stays.
pub(super) fn config_text(
    source: Option<&str>,
    value: &Value,
    options: &Options,
) -> Result<String, Error> {
    let mut config = ConfigFile::load_with(source.unwrap_or_default(), options)?;
    let mut wanted = Vec::new();
    let expected = |what: &str, found: &Value| {
        Error::new(format!("a ConfigFile has {what}, found {}", found.kind()))
    };
    for (section, keys) in value.as_dictionary().ok_or_else(|| expected("sections", value))? {
        let name = section.as_str().ok_or_else(|| expected("sections with names", section))?;
        for (key, value) in
            keys.as_dictionary().ok_or_else(|| expected("keys in sections", keys))?
        {
            wanted.push((
                name,
                key.as_str().ok_or_else(|| expected("keys that are text", key))?,
                value,
            ));
        }
    }
    let is_wanted: HashSet<(&str, &str)> =
        wanted.iter().map(|(name, key, _)| (*name, *key)).collect();
    let gone = config.iter().filter(|(name, key, _)| !is_wanted.contains(&(*name, *key)));
    let gone: Vec<(String, String)> =
        gone.map(|(name, key, _)| (name.to_owned(), key.to_owned())).collect();
    for (name, key) in gone {
        config.remove(&name, &key)?;
    }
    for (name, key, value) in wanted {
        if config.get(name, key) != Some(value) {
            config.set(name, key, value.clone())?;
        }
    }
    Ok(if source.is_some() { config.as_str().to_owned() } else { config.to_text()? })
}

/// The parts of a ConfigFile that the engine does not read as they stand.
pub(super) fn lost(source: &str) -> Result<Option<String>, Error> {
    let config = ConfigFile::load_with(source, &of_any_text(source.as_bytes()))?;
    let lost = config.lost().next();
    Ok(lost.map(|(line, text)| {
        let text = words::shortened(text, 60);
        format!("the engine takes \"{text}\" from line {line} on for a part of a name")
    }))
}
