//! [`Value`] to text, without recursion.

use std::fmt::Display;

use gamewire_core::json::{Layout, Writer};

use super::Style;
use crate::Value;
use crate::extended;
use crate::types::DateTime;
use crate::value::{Children, Document};

pub(super) fn write(value: &Value, style: Style, pretty: bool) -> String {
    let layout = if pretty { Layout::Lines } else { Layout::Compact };
    let mut writer = Writer::new(layout).escape_delete(true);
    // The containers that are open, and how many brackets end each.
    let mut stack = Vec::from_iter(start(&mut writer, value, style));
    while let Some((children, ends)) = stack.last_mut() {
        let Some((key, value)) = children.next_entry() else {
            (0..*ends).for_each(|_| writer.end());
            stack.pop();
            continue;
        };
        key.into_iter().for_each(|key| writer.name(key));
        stack.extend(start(&mut writer, value, style));
    }
    writer.into_text()
}

/// Writes a leaf, or opens a container, which a wrapper may be around.
fn start<'v>(writer: &mut Writer, value: &'v Value, style: Style) -> Option<(Children<'v>, usize)> {
    let is_canonical = style == Style::Canonical;
    let ends = match value {
        Value::Array(_) => {
            writer.list();
            1
        }
        Value::Document(document) => open(writer, document),
        Value::Int32(v) if is_canonical => return wrapped(writer, "$numberInt", v),
        Value::Int64(v) if is_canonical => return wrapped(writer, "$numberLong", v),
        Value::Double(v) if is_canonical || !v.is_finite() => {
            return wrapped(writer, "$numberDouble", extended::double_text(*v));
        }
        Value::Double(v) => {
            writer.number(extended::double_text(*v));
            return None;
        }
        Value::DateTime(v) if !is_canonical && is_usual(*v) => return wrapped(writer, "$date", v),
        Value::String(v) => {
            writer.text(v);
            return None;
        }
        other => {
            plain(writer, &extended::wrap(other.clone()));
            return None;
        }
    };
    Children::of(value).map(|children| (children, ends))
}

/// Opens a document, and returns how many brackets end it.
fn open(writer: &mut Writer, document: &Document) -> usize {
    let is_ambiguous = extended::is_ambiguous(document);
    if is_ambiguous {
        writer.inline_map();
        writer.name(extended::LITERAL);
    }
    writer.map();
    usize::from(is_ambiguous).saturating_add(1)
}

fn wrapped<'v>(
    writer: &mut Writer,
    key: &str,
    text: impl Display,
) -> Option<(Children<'v>, usize)> {
    writer.inline_map();
    writer.name(key);
    writer.text(text);
    writer.end();
    None
}

/// A leaf that JSON has, or the wrapper of another one, which is never deep.
fn plain(writer: &mut Writer, value: &Value) {
    match value {
        Value::Bool(v) => writer.bool(*v),
        Value::Int32(v) => writer.number(v),
        Value::Int64(v) => writer.number(v),
        Value::String(v) => writer.text(v),
        Value::Document(entries) => {
            writer.inline_map();
            for (key, value) in entries {
                writer.name(key);
                plain(writer, value);
            }
            writer.end();
        }
        _ => writer.null(),
    }
}

/// Whether the notation has a date in ISO 8601 for it.
fn is_usual(time: DateTime) -> bool {
    (1970..=9999).contains(&time.date().0)
}
