//! [`Value`] to XML, without recursion.
use std::fmt::Write as _;

use gamewire_core::bytes::hex;

use super::text::{double, escaped, escaped_attribute, float, is_name, is_text, is_written};
use crate::notation::check_depth;
use crate::schema::{Kind, Number, Property};
use crate::value::shown::{Occurrences, name_of};
use crate::value::walk::{MAX_INDENT, Nested, Part, Visit, walk};
use crate::value::{Field, Object, RawBits, RawObject};
use crate::write::check_output;
use crate::{Error, ErrorKind, Options, Result, Value};

pub(super) fn document(objects: &[Value], options: &Options) -> Result<String> {
    let out = "<Objects>\n".to_owned();
    let mut writer = XmlWriter { out, indent: 1, options, open: Vec::new() };
    for value in objects {
        match value {
            Value::Object(object) => walk(Nested::Object(object), &mut writer),
            Value::Raw(raw) => writer.raw(raw),
            other => Err(mismatch("an object", other.kind_name())),
        }
        .map_err(|error| writer.locate(error))?;
    }
    writer.out.push_str("</Objects>\n");
    Ok(writer.out)
}

struct XmlWriter<'a, 'v> {
    out: String,
    indent: usize,
    options: &'a Options,
    open: Vec<OpenTag<'v>>,
}

/// An object or a list of which a part is written.
enum OpenTag<'v> {
    Object { object: &'v Object, occurrences: Occurrences, field: Option<&'v Field> },
    List { property: &'v Property, index: usize },
}

impl<'v> XmlWriter<'_, 'v> {
    /// The property of which a value is written.
    fn property(&self) -> Option<&'v Property> {
        match self.open.last()? {
            OpenTag::Object { object, field, .. } => object.property_of((*field)?),
            OpenTag::List { property, .. } => Some(property),
        }
    }

    /// Adds to an error where in the objects and lists that are open it happened.
    fn locate(&self, error: Error) -> Error {
        self.open.iter().rev().fold(error, |error, level| match level {
            OpenTag::Object { object, field, .. } => {
                match field.and_then(|field| object.property_of(field)) {
                    Some(property) => error.inside(property.name()),
                    None => error,
                }
            }
            OpenTag::List { index, .. } => error.inside(*index),
        })
    }

    fn line(&mut self) {
        let spaces = self.indent.min(MAX_INDENT).saturating_mul(2);
        self.out.extend(std::iter::repeat_n(' ', spaces));
    }

    fn outdent(&mut self) {
        self.indent = self.indent.saturating_sub(1);
        self.line();
    }

    /// Checks a list, and writes one that has no elements.
    fn list(
        &mut self,
        property: &Property,
        value: &Value,
        (count, is_plain): (u32, bool),
        depth: usize,
    ) -> Result<()> {
        if count > 1 {
            let message = "the form cannot say that a list is there twice";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        check_depth(depth, self.options)?;
        match value.list_len() {
            None => return Err(mismatch("a list", value.kind_name())),
            Some(0) if property.is_delta() || !is_plain => {
                self.line();
                let name = element_name(property);
                _ = writeln!(self.out, "<{name} Count=\"0\"></{name}>");
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// The element around an object, unless it is the root.
    fn open_element(&mut self) {
        if let Some(property) = self.property() {
            self.line();
            _ = writeln!(self.out, "<{}>", element_name(property));
            self.indent = self.indent.saturating_add(1);
        }
    }

    fn close_element(&mut self) {
        if let Some(property) = self.property() {
            self.outdent();
            _ = writeln!(self.out, "</{}>", element_name(property));
        }
    }

    /// An object of an unknown class.
    fn raw(&mut self, raw: &RawObject) -> Result<()> {
        check_depth(self.open.len().saturating_add(1), self.options)?;
        self.open_element();
        self.line();
        _ = write!(self.out, "<Class Name=\"{:#010x}\"", raw.hash);
        self.bits(&raw.bits);
        self.out.push_str("</Class>\n");
        self.close_element();
        Ok(())
    }

    /// The start of the element, without the `>`.
    fn head(&mut self, object: &Object) {
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
    }

    /// An element whose value holds no others.
    fn element(&mut self, property: &Property, value: &Value) -> Result<()> {
        check_output(self.out.len(), self.options)?;
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
                    hex(text.as_bytes())
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
        _ = write!(self.out, " Encoding=\"bits\" Bits=\"{}\">{}", bits.len(), hex(bits.as_bytes()));
    }
}

impl<'v> Visit<'v> for XmlWriter<'_, 'v> {
    type Error = Error;

    fn begin(&mut self, container: Nested<'v>, depth: usize) -> Result<()> {
        let level = match container {
            Nested::Object(object) => {
                check_depth(depth, self.options)?;
                check_output(self.out.len(), self.options)?;
                self.open_element();
                self.line();
                self.head(object);
                self.out.push_str(">\n");
                self.indent = self.indent.saturating_add(1);
                OpenTag::Object { object, occurrences: Occurrences::new(object), field: None }
            }
            Nested::List(_) => match (self.open.last(), self.property()) {
                (Some(OpenTag::Object { .. }), Some(property)) if property.is_list() => {
                    OpenTag::List { property, index: 0 }
                }
                _ => return Err(mismatch("a single value", "a list")),
            },
        };
        self.open.push(level);
        Ok(())
    }

    fn part(&mut self, part: Part<'v>, before: usize, depth: usize) -> Result<()> {
        match (self.open.last_mut(), part) {
            (Some(OpenTag::List { index, .. }), _) => *index = before,
            (Some(OpenTag::Object { occurrences, field, .. }), Part::Field(object, own)) => {
                *field = Some(own);
                let count = occurrences.count(own);
                // In another order than that of the class, an empty list has to say where it is.
                let is_plain = occurrences.is_plain();
                let is_bits = matches!(own.value, Value::Bits(_));
                match object.property_of(own) {
                    Some(property) if property.is_list() && !is_bits => {
                        let place = (count, is_plain);
                        return self.list(property, &own.value, place, depth.saturating_add(1));
                    }
                    None if !is_bits => {
                        let found = own.value.kind_name();
                        return Err(mismatch("the bits of an unknown property", found));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> Result<()> {
        match (self.open.last(), property, value) {
            (_, Some(_), Value::Raw(raw)) => self.raw(raw),
            (
                Some(OpenTag::Object { .. }),
                Some(property),
                Value::Bools(_) | Value::SmallInts(_),
            ) if property.is_list() => {
                let mut items = value.items().enumerate();
                items.try_for_each(|(index, item)| {
                    self.element(property, &item).map_err(|error| error.inside(index))
                })
            }
            (_, Some(property), _) => self.element(property, value),
            (Some(OpenTag::Object { field: Some(field), .. }), None, Value::Bits(bits)) => {
                let hash = field.unknown_hash().unwrap_or_default();
                self.line();
                _ = write!(self.out, "<_{hash:#010x}");
                self.bits(bits);
                _ = writeln!(self.out, "</_{hash:#010x}>");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, container: Nested<'v>, _: usize, _: usize) -> Result<()> {
        self.open.pop();
        if let Nested::Object(_) = container {
            self.outdent();
            self.out.push_str("</Class>\n");
            self.close_element();
        }
        Ok(())
    }
}

/// Lists that are neither there nor delta properties: without an element they would be empty.
fn absent_lists<'a>(object: &'a Object, options: &Options) -> impl Iterator<Item = &'a Property> {
    let mut present: Vec<usize> = object.fields().iter().filter_map(Field::index).collect();
    present.sort_unstable();
    object.class().properties().iter().enumerate().filter_map(move |(index, property)| {
        let is_absent = property.is_list() && !property.is_delta() && is_written(property, options);
        let is_absent = is_absent && !matches!(property.kind(), Kind::Unsupported);
        (is_absent && present.binary_search(&index).is_err()).then_some(property)
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
            let (_, numbers) =
                other.row().ok_or_else(|| mismatch("a single value", other.kind_name()))?;
            let numbers = numbers.iter().map(|number| match number {
                Number::Int(value) => value.to_string(),
                Number::UInt(value) => value.to_string(),
                Number::Float(value) => float(*value),
                Number::Double(value) => double(*value),
            });
            numbers.collect::<Vec<_>>().join(",")
        }
    })
}

#[cold]
fn mismatch(expected: &str, found: &str) -> Error {
    Error::new(ErrorKind::Data, format!("expected {expected}, found {found}"))
}
