//! The page: a template, and the spans as JSON, which the page's script shows.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use super::json::hex;
use super::span::Place;
use super::{Explanation, Role};
use crate::error::Segment;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What one page holds; browsers take more, but not gladly.
const MOST_BYTES: usize = 4 << 20;
const MOST_SPANS: usize = 200_000;

pub(super) fn page(explanation: &Explanation, title: &str) -> String {
    let data = Data::new(explanation).write();
    let mut page = String::with_capacity(data.len().saturating_add(32 << 10));
    let mut rest = TEMPLATE;
    // Once over the template, so that nothing that was put in is taken for a mark.
    while let Some((before, mark)) = rest.split_once("{{") {
        let (name, after) = mark.split_once("}}").unwrap_or((mark, ""));
        page.push_str(before);
        match name {
            "title" => page.push_str(&escaped(title)),
            "style" => page.push_str(STYLE),
            "script" => page.push_str(SCRIPT),
            _ => page.push_str(&data),
        }
        rest = after;
    }
    page + rest
}

/// Text for the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The JSON: places as `[outer, step]`, spans as `[len, depth, role, place, meaning, value]`.
struct Data<'a> {
    explanation: &'a Explanation,
    json: String,
    places: String,
    /// Number of each place that was written.
    known: HashMap<*const Place, usize>,
}

impl<'a> Data<'a> {
    fn new(explanation: &'a Explanation) -> Self {
        Data { explanation, json: String::new(), places: String::new(), known: HashMap::new() }
    }

    fn write(mut self) -> String {
        let Explanation { bytes, spans, .. } = self.explanation;
        let shown = spans.len().min(MOST_SPANS);
        let end = spans.get(shown).map_or(bytes.len(), |span| span.offset).min(MOST_BYTES);
        let head = bytes.get(..end).unwrap_or(bytes);
        self.raw(format_args!(
            "{{\"len\":{},\"spanCount\":{},\"roles\":[",
            bytes.len(),
            spans.len()
        ));
        for (index, role) in ROLES.into_iter().enumerate() {
            self.raw(format_args!("{}\"{role}\"", if index == 0 { "" } else { "," }));
        }
        self.raw(format_args!("],\"error\":"));
        match self.explanation.error() {
            None => self.json.push_str("null"),
            Some(error) => string(&mut self.json, &error.to_string()),
        }
        self.raw(format_args!(",\"hex\":\"{}\",\"spans\":[", hex(head)));
        let mut first = true;
        for span in spans.iter().take(shown).filter(|span| span.offset <= end) {
            let place = self.place(&span.place);
            let role = ROLES.iter().position(|role| *role == span.role).unwrap_or(0);
            let between = if first { "" } else { ",\n" };
            first = false;
            self.raw(format_args!("{between}[{},{},{role},{place},", span.len, span.depth));
            string(&mut self.json, &span.meaning);
            self.json.push(',');
            string(&mut self.json, &span.value);
            self.json.push(']');
        }
        let Data { mut json, places, .. } = self;
        json.push_str("],\"places\":[");
        json.push_str(&places);
        json.push_str("]}");
        json
    }

    fn raw(&mut self, args: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.json.write_fmt(args);
    }

    /// The number of a place; the root is -1.
    fn place(&mut self, place: &Arc<Place>) -> isize {
        // From the outermost unknown place inwards.
        let mut steps = Vec::new();
        let mut next = place;
        let mut outer = loop {
            if let Some(number) = self.known.get(&Arc::as_ptr(next)) {
                break isize::try_from(*number).unwrap_or(-1);
            }
            let Some((around, segment)) = next.step() else { break -1 };
            steps.push((Arc::as_ptr(next), segment));
            next = around;
        };
        for (place, segment) in steps.into_iter().rev() {
            let number = self.known.len();
            self.known.insert(place, number);
            let between = if number == 0 { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(self.places, "{between}[{outer},");
            string(
                &mut self.places,
                &match segment {
                    Segment::Index(index) => format!("[{index}]"),
                    Segment::Key(key) => key.clone(),
                },
            );
            self.places.push(']');
            outer = isize::try_from(number).unwrap_or(-1);
        }
        outer
    }
}

const ROLES: [Role; 8] = [
    Role::Header,
    Role::Name,
    Role::Close,
    Role::Space,
    Role::Comment,
    Role::Omitted,
    Role::Error,
    Role::NotReached,
];

/// A JSON string that cannot end the script element around it.
fn string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '<' | '\0'..='\x1f' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
