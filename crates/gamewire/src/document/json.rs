//! JSON text: one layout for reading by people and by `git diff`, one for programs.

#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
pub(in crate::document) mod grammar;
#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
mod layout;
mod reader;
#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
mod salvage;
#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
mod tokens;
#[cfg(feature = "godot-variant")]
pub(in crate::document) mod valid;
#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
pub(in crate::document) mod values;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::ser::{CompactFormatter, Formatter};

use crate::document::error::Error;
use crate::document::limits::MAX_DEPTH;
pub use gamewire_core::json::Value as Json;
pub(in crate::document) use reader::RawText;
#[cfg(feature = "o3de-prefab")]
pub(in crate::document) use tokens::has_comments;
#[cfg(any(feature = "godot-variant", feature = "o3de-prefab"))]
pub(in crate::document) use {
    grammar::TextBody,
    layout::Style,
    salvage::salvage,
    tokens::{Strings, leaf_end},
    values::JsonText,
};

/// Lines of numbers end here.
const WIDTH: usize = 100;

/// Arrays and objects that may be open at once: no notation has more than three for one container.
pub(crate) const MAX_LEVELS: usize = 3 * MAX_DEPTH + 16;

/// Levels below this are not indented further, or a short file could become a long text.
const MAX_INDENT: usize = 60;

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Members and elements on their own lines, except that numbers share lines.
    Lines,
    /// All on one line.
    Compact,
}

/// Writes a value as JSON, and a newline.
///
/// # Errors
///
/// Those of `out`, and of values that have no JSON.
pub fn write(
    out: &mut dyn Write,
    value: &impl Serialize,
    layout: Layout,
) -> Result<(), serde_json::Error> {
    match layout {
        Layout::Lines => {
            value.serialize(&mut serde_json::Serializer::with_formatter(
                &mut *out,
                LinesFormatter::new(),
            ))?;
        }
        Layout::Compact => serde_json::to_writer(&mut *out, value)?,
    }
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Reads a text to its end, with exact numbers. How deep it may nest is for the seed to say.
pub(crate) fn read<'de, S: DeserializeSeed<'de>>(
    text: &'de [u8],
    seed: S,
) -> Result<S::Value, Error> {
    // Readers recurse, and some of them before the seed can count.
    must_be_shallow(text)?;
    reader::read(text, seed)
}

/// Reads a text to its end as JSON, without recursion.
pub(crate) fn read_json(text: &[u8]) -> Result<Json, Error> {
    must_be_shallow(text)?;
    reader::read_json(text)
}

/// A text as JSON, if it is any.
pub(super) fn parse(text: &str) -> Option<Json> {
    read_json(text.as_bytes()).ok()
}

/// A value as it is written.
pub(super) fn serialized(value: &impl Serialize) -> Result<Json, Error> {
    reader::read_json(&serde_json::to_vec(value)?)
}

/// Reads JSON by a seed; the error names no place.
pub(super) fn deserialized<T>(
    json: &Json,
    seed: impl for<'de> DeserializeSeed<'de, Value = T>,
) -> Result<T, Error> {
    reader::read_alone(json.to_string().as_bytes(), seed)
}

/// Some members of a text's outermost object, by their names; nothing for a text that is no object, or
/// broken.
pub fn members(text: &[u8], names: &[&str]) -> HashMap<String, Json> {
    read(text, Members(names)).unwrap_or_default()
}

struct Members<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = HashMap<String, Json>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = HashMap<String, Json>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = HashMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if self.0.contains(&name.as_str()) {
                let RawText(text) = map.next_value()?;
                let value = reader::read_json(text.as_bytes()).map_err(A::Error::custom)?;
                found.insert(name, value);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// An array of what a seed reads, and what that is.
pub(crate) struct Each<S>(pub(crate) S, pub(crate) &'static str);

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for Each<S> {
    type Value = Vec<S::Value>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for Each<S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.1)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self.0)? {
            values.push(value);
        }
        Ok(values)
    }
}

/// Counts the arrays and objects that are open, in one pass and without a stack.
fn must_be_shallow(text: &[u8]) -> Result<(), Error> {
    let (mut levels, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' if levels == MAX_LEVELS => return Err(too_deep(text, at)),
            b'[' | b'{' => levels += 1,
            b']' | b'}' => levels = levels.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

#[cold]
fn too_deep(text: &[u8], at: usize) -> Error {
    Error::new(format!("more than {MAX_LEVELS} nested arrays and objects at byte {at:#x}"))
        .at(Some(at))
        .in_text(text)
}

/// [`Layout::Lines`].
struct LinesFormatter {
    levels: Vec<Level>,
    /// An element of an array comes next.
    is_element: bool,
    /// The text of what is short, before it is known where it goes.
    scratch: Vec<u8>,
}

/// An array or an object that is open.
#[derive(Default)]
struct Level {
    has_values: bool,
    elements: Elements,
}

/// How the elements of an array are laid out so far.
enum Elements {
    /// All are short and fit into one line, which is held back.
    Held(Vec<u8>),
    /// All are short and share lines; the column.
    Flow(usize),
    /// Each is on its own line.
    Lines,
}

impl Default for Elements {
    fn default() -> Self {
        Elements::Held(Vec::new())
    }
}

impl LinesFormatter {
    fn new() -> Self {
        LinesFormatter { levels: Vec::new(), is_element: false, scratch: Vec::new() }
    }

    fn indent(&self) -> usize {
        self.levels.len().min(MAX_INDENT) * 2
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        write!(out, "\n{:1$}", "", self.indent())
    }

    /// Before something that is not short: an element of that kind has its own line, and so
    /// have those before it that were held back.
    fn long<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if !std::mem::take(&mut self.is_element) {
            return Ok(());
        }
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let before = std::mem::replace(&mut level.elements, Elements::Lines);
        match before {
            Elements::Held(line) if !line.is_empty() => {
                for element in line.split(|byte| *byte == b' ') {
                    self.new_line(out)?;
                    out.write_all(element)?;
                }
                out.write_all(b",")?;
            }
            Elements::Held(_) => {}
            Elements::Flow(_) | Elements::Lines => out.write_all(b",")?,
        }
        self.new_line(out)
    }

    /// A number, a bool or null.
    fn short<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let indent = self.indent();
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        write(&mut text)?;
        let level = self.levels.last_mut().filter(|_| std::mem::take(&mut self.is_element));
        match level.map(|level| &mut level.elements) {
            None => out.write_all(&text)?,
            Some(Elements::Held(line)) => {
                if !line.is_empty() {
                    line.extend(b", ");
                }
                line.extend(&text);
                if line.len() > WIDTH {
                    out.write_all(line)?;
                    if let Some(level) = self.levels.last_mut() {
                        level.elements = Elements::Flow(WIDTH);
                    }
                }
            }
            Some(Elements::Flow(column)) if *column < WIDTH => {
                *column += text.len() + 2;
                out.write_all(b", ")?;
                out.write_all(&text)?;
            }
            Some(elements) => {
                if let Elements::Flow(column) = elements {
                    *column = indent + text.len();
                }
                out.write_all(b",")?;
                self.new_line(out)?;
                out.write_all(&text)?;
            }
        }
        self.scratch = text;
        Ok(())
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.long(out)?;
        self.levels.push(Level::default());
        out.write_all(bracket)
    }
}

/// Numbers of each type as the compact formatter writes them.
macro_rules! numbers {
    ($($method:ident($kind:ty))+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, out: &mut W, value: $kind) -> io::Result<()> {
            self.short(out, |text| CompactFormatter.$method(text, value))
        }
    )+};
}

impl Formatter for LinesFormatter {
    numbers! {
        write_bool(bool) write_i8(i8) write_i16(i16) write_i32(i32) write_i64(i64) write_i128(i128)
        write_u8(u8) write_u16(u16) write_u32(u32) write_u64(u64) write_u128(u128)
        write_f32(f32) write_f64(f64) write_number_str(&str)
    }

    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.short(out, |text| CompactFormatter.write_null(text))
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.long(out)?;
        out.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        match self.levels.pop().unwrap_or_default().elements {
            Elements::Held(line) => out.write_all(&line)?,
            Elements::Flow(_) => {}
            Elements::Lines => self.new_line(out)?,
        }
        out.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, _: &mut W, _: bool) -> io::Result<()> {
        self.is_element = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.levels.pop().unwrap_or_default().has_values {
            self.new_line(out)?;
        }
        out.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if let Some(level) = self.levels.last_mut() {
            level.has_values = true;
        }
        out.write_all(if first { b"" } else { b"," })?;
        self.new_line(out)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        self.long(out)?;
        out.write_all(fragment.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        write(&mut out, value, Layout::Lines).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_share_lines() {
        let value = serde_json::json!({
            "args": [1.5, null, -2],
            "mixed": [1, "a", 2, [], {}, [[3]]],
            "none": [],
        });
        let expected = [
            "{",
            r#"  "args": [1.5, null, -2],"#,
            r#"  "mixed": ["#,
            "    1,",
            r#"    "a","#,
            "    2,",
            "    [],",
            "    {},",
            "    [",
            "      [3]",
            "    ]",
            "  ],",
            r#"  "none": []"#,
            "}",
        ];
        assert_eq!(lines(&value).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn long_lines_end() {
        let text = lines(&(0..200).collect::<Vec<i32>>());
        assert!(text.lines().count() > 5);
        assert!(text.lines().all(|line| line.len() < WIDTH + 10), "{text}");
        assert_eq!(text.parse::<serde_json::Value>().unwrap()[199], 199);
    }
}
