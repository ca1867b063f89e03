//! [`Value`] to text in the notation, without recursion.

use std::fmt::{Display, LowerExp};

use gamewire_core::json::{Layout, Writer};

use crate::schema::{Number, Property};
use crate::value::shown::{Again, Hex, Named, core, name, name_of};
use crate::value::walk::{MAX_INDENT, Nested, Part, Visit, walk};
use crate::value::{RawBits, Value};
use crate::{Error, ErrorKind, Result};

/// JSON text.
pub(super) fn text(value: &Value, layout: Layout) -> Result<String> {
    let out = Writer::new(layout).max_indent(MAX_INDENT);
    let mut writer = ValueWriter { out, again: Vec::new() };
    match Nested::of(value) {
        Some(container) => walk(container, &mut writer)?,
        None => writer.leaf(value, None)?,
    }
    Ok(writer.out.into_text())
}

struct ValueWriter {
    out: Writer,
    /// How often properties of the objects that are open were there.
    again: Vec<Again>,
}

impl ValueWriter {
    /// Something that holds no other values, on one line.
    fn one<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        let mut line = Writer::new(Layout::Compact);
        let written = write(&mut line);
        self.out.number(line.into_text());
        written
    }
}

impl<'v> Visit<'v> for ValueWriter {
    type Error = Error;

    fn begin(&mut self, container: Nested<'v>, _: usize) -> Result<()> {
        let Nested::Object(object) = container else {
            self.out.list();
            return Ok(());
        };
        self.again.push(Again::new(object));
        self.out.map();
        self.out.name("$type");
        self.out.text(object.class().name());
        if let Some(header) = object.core() {
            self.out.name("$core");
            self.one(|line| named(line, &core(header)));
        }
        Ok(())
    }

    fn part(&mut self, part: Part<'v>, _: usize, _: usize) -> Result<()> {
        if let (Part::Field(object, field), Some(again)) = (part, self.again.last_mut()) {
            self.out.name(name(object, field, again)?);
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> Result<()> {
        self.one(|line| leaf(line, value, property))
    }

    fn end(&mut self, container: Nested<'v>, _: usize, _: usize) -> Result<()> {
        if let Nested::Object(_) = container {
            self.again.pop();
        }
        self.out.end();
        Ok(())
    }
}

/// A value that is no list and no object.
fn leaf(line: &mut Writer, value: &Value, property: Option<&Property>) -> Result<()> {
    match value {
        Value::Null => line.null(),
        Value::Bool(value) => line.bool(*value),
        Value::Int(value) => line.number(value),
        Value::UInt(value) => line.number(value),
        Value::Float(value) => number(line, Number::Float(*value)),
        Value::Double(value) => number(line, Number::Double(*value)),
        Value::Enum(value) => match property.and_then(|own| name_of(own, *value)) {
            Some(name) => line.text(name),
            None => line.number(value),
        },
        Value::String(text) => match text.as_str() {
            Some(text) => line.text(text),
            None => one(line, "$bytes", |line| line.text(Hex(text.as_bytes()))),
        },
        Value::WString(text) => match text.to_text() {
            Some(text) => line.text(text),
            None => one(line, "$utf16", |line| {
                list(line, text.units(), |line, unit| line.number(unit));
            }),
        },
        Value::Bools(items) => list(line, items, |line, item| line.bool(*item)),
        Value::SmallInts(items) => list(line, items, |line, item| line.number(item)),
        Value::Raw(raw) => {
            line.map();
            line.name("$type");
            line.text(format_args!("{:#010x}", raw.hash));
            bits(line, &raw.bits);
            line.end();
        }
        Value::Bits(own) => {
            line.map();
            bits(line, own);
            line.end();
        }
        other => {
            let row = Named::of(other);
            let fault = || Error::new(ErrorKind::Data, "expected two equal numbers");
            named(line, &row.ok_or_else(fault)?);
        }
    }
    Ok(())
}

fn bits(line: &mut Writer, bits: &RawBits) {
    line.name("$bits");
    line.number(bits.len());
    line.name("$hex");
    line.text(Hex(bits.as_bytes()));
}

/// An object with one member.
fn one(line: &mut Writer, name: &str, write: impl FnOnce(&mut Writer)) {
    line.map();
    line.name(name);
    write(line);
    line.end();
}

fn list<T>(line: &mut Writer, items: &[T], write: impl Fn(&mut Writer, &T)) {
    line.list();
    items.iter().for_each(|item| write(line, item));
    line.end();
}

fn named(line: &mut Writer, row: &Named) {
    line.map();
    for (name, numbers) in row.members() {
        line.name(name);
        match numbers {
            [one] => number(line, *one),
            row => list(line, row, |line, item| number(line, *item)),
        }
    }
    line.end();
}

/// JSON has no numbers for NaN and infinities.
fn number(line: &mut Writer, number: Number) {
    match number {
        Number::Int(value) => line.number(value),
        Number::UInt(value) => line.number(value),
        Number::Float(value) if value.is_finite() => {
            finite(line, &value, value == 0.0 || (1e-6..1e13).contains(&value.abs()));
        }
        Number::Double(value) if value.is_finite() => {
            finite(line, &value, value == 0.0 || (1e-5..1e16).contains(&value.abs()));
        }
        Number::Float(value) => {
            one(line, "$float", |line| line.text(format_args!("{:08x}", value.to_bits())));
        }
        Number::Double(value) => {
            one(line, "$float", |line| line.text(format_args!("{:016x}", value.to_bits())));
        }
    }
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
