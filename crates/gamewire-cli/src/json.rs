//! JSON text: one layout for reading by people and by `git diff`, one for programs.

use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeSeed;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::fault::Fault;

/// Lines of numbers end here.
const WIDTH: usize = 100;

/// Levels below this are not indented further, or a short file could become a long text.
const MOST_INDENT: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Members and elements on lines of their own, except that numbers share lines.
    Lines,
    Compact,
}

/// Writes a value and a newline.
pub(crate) fn write(
    out: &mut dyn Write,
    value: &impl Serialize,
    layout: Layout,
) -> Result<(), serde_json::Error> {
    match layout {
        Layout::Lines => {
            value
                .serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Lines::new()))?;
        }
        Layout::Compact => serde_json::to_writer(&mut *out, value)?,
    }
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Reads a text to its end. How deep it may nest is for the seed to say.
pub(crate) fn read<'de, S: DeserializeSeed<'de>>(
    text: &'de [u8],
    seed: S,
) -> Result<S::Value, Fault> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    deserializer.disable_recursion_limit();
    let value = seed.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// [`Layout::Lines`].
struct Lines {
    levels: Vec<Level>,
    /// An element of an array comes next; whether it is the first.
    element: Option<bool>,
    column: usize,
    scratch: Vec<u8>,
}

#[derive(Default)]
struct Level {
    has_values: bool,
    /// The last value stands on a line with others.
    flows: bool,
}

impl Lines {
    fn new() -> Self {
        Lines { levels: Vec::new(), element: None, column: 0, scratch: Vec::new() }
    }

    fn put<W: ?Sized + Write>(&mut self, out: &mut W, text: &[u8]) -> io::Result<()> {
        self.column += text.len();
        out.write_all(text)
    }

    fn new_line<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.column = 0;
        self.put(out, b"\n")?;
        (0..self.levels.len().min(MOST_INDENT)).try_for_each(|_| self.put(out, b"  "))
    }

    /// Between the elements of an array, when it is known what the next one is.
    fn place<W: ?Sized + Write>(&mut self, out: &mut W, is_short: bool) -> io::Result<()> {
        let Some(first) = self.element.take() else { return Ok(()) };
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let goes_on = is_short && (first || (level.flows && self.column < WIDTH));
        level.flows = is_short;
        match goes_on {
            true if first => Ok(()),
            true => self.put(out, b" "),
            false => self.new_line(out),
        }
    }

    fn short<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.place(out, true)?;
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        write(&mut text)?;
        self.put(out, &text)?;
        self.scratch = text;
        Ok(())
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.place(out, false)?;
        self.levels.push(Level::default());
        self.put(out, bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let level = self.levels.pop().unwrap_or_default();
        if level.has_values && !level.flows {
            self.new_line(out)?;
        }
        self.put(out, bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if let Some(level) = self.levels.last_mut() {
            level.has_values = true;
        }
        if first { Ok(()) } else { self.put(out, b",") }
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

impl Formatter for Lines {
    numbers! {
        write_bool(bool) write_i8(i8) write_i16(i16) write_i32(i32) write_i64(i64) write_i128(i128)
        write_u8(u8) write_u16(u16) write_u32(u32) write_u64(u64) write_u128(u128)
        write_f32(f32) write_f64(f64) write_number_str(&str)
    }

    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.short(out, |text| CompactFormatter.write_null(text))
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.place(out, false)?;
        self.put(out, b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)?;
        self.element = Some(first);
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)?;
        self.new_line(out)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.put(out, b": ")
    }

    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        self.place(out, false)?;
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
        insta::assert_snapshot!(lines(&value), @r#"
        {
          "args": [1.5, null, -2],
          "mixed": [1,
            "a",
            2,
            [],
            {},
            [
              [3]
            ]
          ],
          "none": []
        }
        "#);
    }

    #[test]
    fn long_lines_end() {
        let text = lines(&(0..200).collect::<Vec<i32>>());
        assert!(text.lines().count() > 5);
        assert!(text.lines().all(|line| line.len() < WIDTH + 10), "{text}");
        assert_eq!(text.parse::<serde_json::Value>().unwrap()[199], 199);
    }
}
