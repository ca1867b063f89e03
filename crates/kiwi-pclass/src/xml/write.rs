//! [`Value`] to XML, without recursion.

use std::fmt::Write as _;

use super::text::{double, escaped, escaped_attribute, float, is_name, is_text, is_written};
use crate::notation::check_depth;
use crate::schema::{Kind, Number, Property};
use crate::value::shown::{Again, name_of};
use crate::value::{Field, Object, RawBits};
use crate::{Error, ErrorKind, Options, Result, Value};

pub(super) fn document(objects: &[Value], options: &Options) -> Result<String> {
    let mut writer = Writer { out: "<Objects>\n".to_owned(), indent: 1, options };
    for object in objects {
        match object {
            Value::Object(_) | Value::Raw(_) => writer.run(object)?,
            other => return Err(misfit("an object", other)),
        }
    }
    writer.out.push_str("</Objects>\n");
    Ok(writer.out)
}

struct Writer<'a> {
    out: String,
    indent: usize,
    options: &'a Options,
}

/// An object of which a part is written.
struct Level<'v> {
    object: &'v Object,
    next: usize,
    again: Again,
    /// The list of a property, and the next of its elements.
    list: Option<(&'v [Value], usize)>,
    /// Objects and lists around it, itself included.
    depth: usize,
}

impl<'v> Level<'v> {
    /// The field that is being written.
    fn field(&self) -> Option<&'v Field> {
        self.object.fields().get(self.next.saturating_sub(1))
    }

    /// Adds to an error where in this object it happened.
    fn locate(&self, error: Error) -> Error {
        let property = self.field().and_then(|field| self.object.property_of(field));
        let error = match self.list {
            Some((_, next)) => error.in_index(next.saturating_sub(1)),
            None => error,
        };
        match property {
            Some(property) => error.in_field(property.name()),
            None => error,
        }
    }
}

/// Levels below this are not indented further, or a deep object could become a long text.
const MAX_INDENT: usize = 40;

impl Writer<'_> {
    fn line(&mut self) {
        let spaces = self.indent.min(MAX_INDENT).saturating_mul(2);
        self.out.extend(std::iter::repeat_n(' ', spaces));
    }

    fn indent(&mut self) {
        self.indent = self.indent.saturating_add(1);
    }

    fn outdent(&mut self) {
        self.indent = self.indent.saturating_sub(1);
        self.line();
    }

    /// Writes an object and all that is in it.
    fn run<'v>(&mut self, object: &'v Value) -> Result<()> {
        let mut stack: Vec<Level<'v>> = Vec::new();
        stack.extend(self.class(object, 1)?);
        while let Some(mut top) = stack.pop() {
            match self.go_on(&mut top) {
                Ok(Some(inner)) => stack.extend([top, inner]),
                Ok(None) => {
                    self.outdent();
                    self.out.push_str("</Class>\n");
                    if let Some(outer) = stack.last() {
                        self.close_element(outer);
                    }
                }
                Err(error) => {
                    let error = top.locate(error);
                    return Err(stack.iter().rev().fold(error, |e, level| level.locate(e)));
                }
            }
        }
        Ok(())
    }

    /// Writes properties until an object begins in one; `None` at the end.
    fn go_on<'v>(&mut self, level: &mut Level<'v>) -> Result<Option<Level<'v>>> {
        loop {
            if let Some((list, next)) = level.list {
                let Some(value) = list.get(next) else {
                    level.list = None;
                    continue;
                };
                level.list = Some((list, next.saturating_add(1)));
                let depth = level.depth.saturating_add(1);
                if let Some(inner) = self.field(level, value, depth)? {
                    return Ok(Some(inner));
                }
                continue;
            }
            let Some(field) = level.object.fields().get(level.next) else { return Ok(None) };
            level.next = level.next.saturating_add(1);
            let count = level.again.count(field);
            let Some(property) = level.object.property_of(field) else {
                self.unknown(field)?;
                continue;
            };
            let value = &field.value;
            if property.is_list() && !matches!(value, Value::Bits(_)) {
                if count > 1 {
                    let message = "the form cannot say that a list is there twice";
                    return Err(Error::new(ErrorKind::Unsupported, message));
                }
                self.list(level, property, value)?;
            } else if let Some(inner) = self.field(level, value, level.depth)? {
                return Ok(Some(inner));
            }
        }
    }

    /// The elements of a list: at once if they hold no others.
    fn list<'v>(
        &mut self,
        level: &mut Level<'v>,
        property: &Property,
        value: &'v Value,
    ) -> Result<()> {
        check_depth(level.depth.saturating_add(1), self.options)?;
        match value.list_len() {
            None => return Err(misfit("a list", value)),
            Some(0) if property.is_delta() => {
                self.line();
                let name = element_name(property);
                _ = writeln!(self.out, "<{name} Count=\"0\"></{name}>");
            }
            Some(_) => {}
        }
        if let Value::List(list) = value {
            level.list = Some((list, 0));
            return Ok(());
        }
        for (index, item) in value.items().enumerate() {
            self.element(property, &item).map_err(|error| error.in_index(index))?;
        }
        Ok(())
    }

    /// The element of a property; an object in it becomes a level of this depth and one.
    fn field<'v>(
        &mut self,
        level: &Level<'v>,
        value: &'v Value,
        depth: usize,
    ) -> Result<Option<Level<'v>>> {
        let Some(property) = level.field().and_then(|field| level.object.property_of(field)) else {
            return Ok(None);
        };
        if !matches!(value, Value::Object(_) | Value::Raw(_)) {
            self.element(property, value)?;
            return Ok(None);
        }
        self.line();
        _ = writeln!(self.out, "<{}>", element_name(property));
        self.indent();
        let inner = self.class(value, depth.saturating_add(1))?;
        if inner.is_none() {
            self.close_element(level);
        }
        Ok(inner)
    }

    /// The end of the element in which an object was written.
    fn close_element(&mut self, level: &Level<'_>) {
        self.outdent();
        if let Some(property) = level.field().and_then(|field| level.object.property_of(field)) {
            _ = writeln!(self.out, "</{}>", element_name(property));
        }
    }

    /// An object of an unknown class, or the start of another one.
    fn class<'v>(&mut self, value: &'v Value, depth: usize) -> Result<Option<Level<'v>>> {
        check_depth(depth, self.options)?;
        self.line();
        match value {
            Value::Object(object) => {
                self.head(object)?;
                self.out.push_str(">\n");
                self.indent();
                let again = Again::new(object);
                Ok(Some(Level { object, next: 0, again, list: None, depth }))
            }
            Value::Raw(raw) => {
                _ = write!(self.out, "<Class Name=\"{:#010x}\"", raw.hash);
                self.bits(&raw.bits);
                self.out.push_str("</Class>\n");
                Ok(None)
            }
            other => Err(misfit("an object", other)),
        }
    }

    /// The start of the element, without the `>`.
    fn head(&mut self, object: &Object) -> Result<()> {
        let class = object.class();
        self.out.push_str("<Class Name=\"");
        if is_text(class.name()) {
            self.out.push_str(&escaped_attribute(class.name()));
        } else {
            _ = write!(self.out, "{:#010x}", class.hash());
        }
        self.out.push('"');
        if let Some(core) = object.core() {
            let (block, kind, id) = (core.block, core.template_type, core.template_id);
            _ = write!(self.out, " Core=\"{block},{kind},{id}\"");
        }
        let mut is_first = true;
        for name in absent_lists(object, self.options) {
            self.out.push_str(if is_first { " Absent=\"" } else { " " });
            self.out.push_str(&element_name(name));
            is_first = false;
        }
        if !is_first {
            self.out.push('"');
        }
        Ok(())
    }

    fn unknown(&mut self, field: &Field) -> Result<()> {
        let hash = field.unknown_hash().unwrap_or_default();
        match &field.value {
            Value::Bits(bits) => {
                self.line();
                _ = write!(self.out, "<_{hash:#010x}");
                self.bits(bits);
                _ = writeln!(self.out, "</_{hash:#010x}>");
                Ok(())
            }
            other => Err(misfit("the bits of an unknown property", other)),
        }
    }

    /// An element whose value holds no others.
    fn element(&mut self, property: &Property, value: &Value) -> Result<()> {
        let name = element_name(property);
        self.line();
        _ = write!(self.out, "<{name}");
        match value {
            Value::Bits(bits) => self.bits(bits),
            _ => self.content(property, value)?,
        }
        _ = writeln!(self.out, "</{name}>");
        Ok(())
    }

    /// The rest of a start tag, and the text.
    fn content(&mut self, property: &Property, value: &Value) -> Result<()> {
        let text = match value {
            Value::String(text) => match text.as_str().filter(|text| is_text(text)) {
                Some(text) => escaped(text).into_owned(),
                None => {
                    self.out.push_str(" Encoding=\"hex\"");
                    text.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
                }
            },
            Value::WString(text) => match text.to_text().filter(|text| is_text(text)) {
                Some(text) => escaped(&text).into_owned(),
                None => {
                    self.out.push_str(" Encoding=\"utf16\"");
                    text.units().iter().map(|unit| format!("{unit:04x}")).collect()
                }
            },
            Value::Enum(value) => match name_of(property, *value).filter(|name| is_text(name)) {
                Some(name) => escaped(&name).into_owned(),
                None => value.to_string(),
            },
            other => plain(other)?,
        };
        self.out.push('>');
        self.out.push_str(&text);
        Ok(())
    }

    /// The rest of a start tag, and the bits.
    fn bits(&mut self, bits: &RawBits) {
        _ = write!(self.out, " Encoding=\"bits\" Bits=\"{}\">", bits.len());
        for byte in bits.as_bytes() {
            _ = write!(self.out, "{byte:02x}");
        }
    }
}

/// Lists that are neither there nor delta properties: without an element they would be empty.
fn absent_lists<'a>(object: &'a Object, options: &Options) -> impl Iterator<Item = &'a Property> {
    let mut there: Vec<usize> = object.fields().iter().filter_map(Field::index).collect();
    there.sort_unstable();
    object.class().properties().iter().enumerate().filter_map(move |(index, property)| {
        let is_absent = property.is_list() && !property.is_delta() && is_written(property, options);
        let is_absent = is_absent && !matches!(property.kind(), Kind::Unsupported);
        (is_absent && there.binary_search(&index).is_err()).then_some(property)
    })
}

/// The property's name, or its hash if XML cannot have the name.
fn element_name(property: &Property) -> std::borrow::Cow<'_, str> {
    match property.name() {
        name if is_name(name) => name.into(),
        _ => format!("_{:#010x}", property.hash()).into(),
    }
}

/// The text of a value that needs no attributes.
fn plain(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Double(value) => double(*value),
        Value::Color(v) => format!("{:02x}{:02x}{:02x}{:02x}", v.a, v.r, v.g, v.b),
        other => {
            let numbers = other.numbers().ok_or_else(|| misfit("a single value", other))?;
            let numbers = numbers.into_iter().map(|number| match number {
                Number::Int(value) => value.to_string(),
                Number::UInt(value) => value.to_string(),
                Number::Float(value) => float(value),
                Number::Double(value) => double(value),
            });
            numbers.collect::<Vec<_>>().join(",")
        }
    })
}

#[cold]
fn misfit(expected: &str, found: &Value) -> Error {
    let message = format!("expected {expected}, found {}", found.kind_name());
    Error::new(ErrorKind::Data, message)
}
