//! The page: a template, and the spans as JSON, which the page's script shows.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use super::explanation::{Explanation, Failure};
use super::pack::packed;
use super::place::{Place, name};
use super::span::{Role, Span, bits, offset};
use crate::Notation;
use crate::bytes::hex;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The most that one page shows; browsers become slow beyond.
const MAX_BYTES: usize = 4 << 20;
const MAX_SPANS: usize = 1_000_000;
/// From this size on, the data of a page is packed.
const MAX_PLAIN: usize = 4 << 20;

impl<E: Failure> Explanation<E> {
    /// One self-contained HTML page: the bytes beside the tree of values, each lighting up the
    /// other. It needs a browser with JavaScript, and nothing from the network.
    ///
    /// The page shows at most 4 MiB and 1 000 000 spans, and says how many bytes it leaves out;
    /// [`part`](Self::part) makes pages of the rest. It is a third to a half as large as the data in
    /// it would be as JSON.
    pub fn to_html(&self, title: &str) -> String {
        page(self.to_page_data(), title)
    }

    /// The data of the page as JSON, for a page with the same script that has it from elsewhere.
    pub fn to_page_data(&self) -> String {
        let error = self.error().map(ToString::to_string);
        Data::new(self.notation).write(self, error)
    }
}

fn page(mut data: String, title: &str) -> String {
    let mut kind = "application/json";
    if data.len() > MAX_PLAIN {
        (data, kind) = (packed(data.as_bytes()), "application/octet-stream");
    }
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
            "kind" => page.push_str(kind),
            _ => page.push_str(&data),
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Text for the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The JSON: places as `[outer, name, step]`, spans as
/// `[len, depth, role, place, kind, meaning, value, notes]`. Lengths are in units of the space: its
/// bytes, or its bits where a span is not whole bytes.
struct Data {
    notation: Notation,
    json: String,
    places: String,
    /// Number of each place that was written.
    known: BTreeMap<*const Place, usize>,
    /// The room that is left on the page.
    bytes: usize,
    spans: usize,
}

impl Data {
    fn new(notation: Notation) -> Self {
        let (json, places, known) = (String::new(), String::new(), BTreeMap::new());
        Data { notation, json, places, known, bytes: MAX_BYTES, spans: MAX_SPANS }
    }

    fn write<E>(mut self, explanation: &Explanation<E>, error: Option<String>) -> String {
        self.json.push_str("{\"roles\":[");
        for (index, role) in Role::ALL.iter().enumerate() {
            self.raw(format_args!("{}\"{role}\"", if index == 0 { "" } else { "," }));
        }
        let pointer = self.notation == Notation::Pointer;
        self.raw(format_args!("],\"pointer\":{pointer},\"error\":"));
        match error {
            None => self.json.push_str("null"),
            Some(error) => string(&mut self.json, &error),
        }
        self.raw(format_args!(",\"spanCount\":{},\"spaces\":[", explanation.spans.len()));
        let mut unlisted = explanation.unlisted();
        for (index, space) in explanation.spaces.iter().enumerate() {
            self.json.push_str(if index == 0 { "{\"name\":" } else { ",{\"name\":" });
            string(&mut self.json, &space.name);
            let left_out = self.space(&space.bytes, explanation.spans_in(index));
            unlisted = unlisted.saturating_add(left_out);
        }
        let Data { mut json, places, .. } = self;
        // Writing to a string cannot fail.
        let _ = write!(json, "],\"unlisted\":{unlisted},\"places\":[{places}]}}");
        json
    }

    /// The bytes and spans of a space, as far as there is room. Returns the number of bytes that
    /// are left out.
    fn space(&mut self, bytes: &[u8], spans: &[Span]) -> usize {
        let is_omitted = |span: &&Span| span.note.role == Role::Omitted;
        // Omitted spans at both ends are counted already.
        let (mut from, mut stop, mut spans) = (0, bytes.len(), spans);
        if let Some((first, rest)) = spans.split_first().filter(|(first, _)| is_omitted(first)) {
            (from, spans) = (first.end, rest);
        }
        if let Some((last, rest)) = spans.split_last().filter(|(last, _)| is_omitted(last)) {
            (stop, spans) = (last.range().start, rest);
        }
        let shown = spans.get(..self.spans).unwrap_or(spans);
        let start = offset(from);
        let room = start.saturating_add(self.bytes);
        let listed = spans.get(shown.len()).map_or(stop, Span::offset).min(room);
        let unit = if from & 7 == 0 && spans.iter().all(Span::is_aligned) { 8 } else { 1 };
        let head = bytes.get(start..listed).unwrap_or_default();
        let (len, digits) = (bytes.len(), hex(head));
        self.raw(format_args!(",\"len\":{len},\"unit\":{unit},\"hex\":\"{digits}\""));
        if from > 0 {
            self.raw(format_args!(",\"from\":{from}"));
        }
        self.json.push_str(",\"spans\":[");
        let mut between = "";
        for span in shown.iter().take_while(|span| span.start <= bits(listed)) {
            let place = self.place(&span.place);
            let role = Role::ALL.iter().position(|role| *role == span.note.role).unwrap_or(0);
            let size = span.end.saturating_sub(span.start).checked_div(unit).unwrap_or(0);
            self.raw(format_args!("{between}[{size},{},{role},{place},", span.depth));
            between = ",\n";
            for (index, text) in [span.kind(), span.meaning(), span.value()].into_iter().enumerate()
            {
                self.json.push_str(if index == 0 { "" } else { "," });
                string(&mut self.json, text);
            }
            if !span.notes().is_empty() {
                self.json.push(',');
                string(&mut self.json, span.notes());
            }
            self.json.push(']');
        }
        self.json.push_str("]}");
        self.spans = self.spans.saturating_sub(shown.len());
        self.bytes = self.bytes.saturating_sub(head.len());
        stop.saturating_sub(listed.max(start))
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
            let (shown, step) = (
                name(segment, self.notation),
                match self.notation {
                    Notation::Dotted => segment.to_string(),
                    Notation::Pointer => segment.token().into_owned(),
                },
            );
            string(&mut self.places, &shown);
            // The step is written only where it is another.
            if step != shown {
                self.places.push(',');
                string(&mut self.places, &step);
            }
            self.places.push(']');
            outer = isize::try_from(number).unwrap_or(-1);
        }
        outer
    }
}

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
