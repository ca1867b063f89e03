//! [`Value`] to text in the notation, without recursion.

use std::fmt::{Display, LowerExp};

use gamewire_core::json::{Layout, Writer};

use crate::schema::{Number, Property};
use crate::value::Value;
use crate::value::shown::{JsonLeaf, Occurrences, name};
use crate::value::walk::{MAX_INDENT, Nested, Part, Visit, walk};
use crate::{Error, Result};

/// JSON text.
pub(super) fn text(value: &Value, layout: Layout) -> Result<String> {
    let out = Writer::new(layout).max_indent(MAX_INDENT);
    let mut writer = ValueWriter { out, occurrences: Vec::new() };
    match Nested::of(value) {
        Some(container) => walk(container, &mut writer)?,
        None => writer.leaf(value, None)?,
    }
    Ok(writer.out.into_text())
}

struct ValueWriter {
    out: Writer,
    /// How often properties of the objects that are open were there.
    occurrences: Vec<Occurrences>,
}

impl ValueWriter {
    /// Something that holds no other values, on one line.
    fn one(&mut self, value: &JsonLeaf<'_>) {
        let mut line = Writer::new(Layout::Compact);
        leaf(&mut line, value);
        self.out.number(line.into_text());
    }
}

impl<'v> Visit<'v> for ValueWriter {
    type Error = Error;

    fn begin(&mut self, container: Nested<'v>, _: usize) -> Result<()> {
        let Nested::Object(object) = container else {
            self.out.list();
            return Ok(());
        };
        self.occurrences.push(Occurrences::new(object));
        self.out.map();
        self.out.name("$type");
        self.out.text(object.class().name());
        if let Some(header) = object.core() {
            self.out.name("$core");
            self.one(&JsonLeaf::core(header));
        }
        Ok(())
    }

    fn part(&mut self, part: Part<'v>, _: usize, _: usize) -> Result<()> {
        if let (Part::Field(object, field), Some(occurrences)) = (part, self.occurrences.last_mut())
        {
            self.out.name(name(object, field, occurrences)?);
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> Result<()> {
        self.one(&JsonLeaf::of(value, property)?);
        Ok(())
    }

    fn end(&mut self, container: Nested<'v>, _: usize, _: usize) -> Result<()> {
        if let Nested::Object(_) = container {
            self.occurrences.pop();
        }
        self.out.end();
        Ok(())
    }
}

/// A value that is no list and no object.
fn leaf(line: &mut Writer, value: &JsonLeaf<'_>) {
    match value {
        JsonLeaf::Null => line.null(),
        JsonLeaf::Bool(value) => line.bool(*value),
        JsonLeaf::Enum(value) => line.number(value),
        JsonLeaf::Number(Number::Int(value)) => line.number(value),
        JsonLeaf::Number(Number::UInt(value)) => line.number(value),
        JsonLeaf::Number(Number::Float(value)) => {
            finite(line, value, *value == 0.0 || (1e-6..1e13).contains(&value.abs()));
        }
        JsonLeaf::Number(Number::Double(value)) => {
            finite(line, value, *value == 0.0 || (1e-5..1e16).contains(&value.abs()));
        }
        JsonLeaf::Text(text) => line.text(text),
        JsonLeaf::Bools(items) => list(line, items, |line, item| line.bool(*item)),
        JsonLeaf::SmallInts(items) => list(line, items, |line, item| line.number(item)),
        JsonLeaf::Units(items) => list(line, items, |line, item| line.number(item)),
        JsonLeaf::Row(items) => list(line, items, leaf),
        JsonLeaf::Members(members) => {
            line.map();
            for (name, value) in members {
                line.name(name);
                leaf(line, value);
            }
            line.end();
        }
    }
}

fn list<T>(line: &mut Writer, items: &[T], write: impl Fn(&mut Writer, &T)) {
    line.list();
    items.iter().for_each(|item| write(line, item));
    line.end();
}

/// A float as serde_json writes it: a point in each number without an exponent, a sign in each exponent.
fn finite(line: &mut Writer, value: &(impl Display + LowerExp), is_fixed: bool) {
    let mut text = if is_fixed { value.to_string() } else { format!("{value:e}") };
    match (is_fixed, text.contains('.')) {
        (true, false) => text.push_str(".0"),
        (true, true) => {}
        (false, _) => text = text.replace('e', "e+").replace("e+-", "e-"),
    }
    line.number(text);
}
