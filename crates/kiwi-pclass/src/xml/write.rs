//! [`Value`] to XML.

use std::fmt::Write as _;

use super::text::{double, escaped, escaped_attribute, float, is_name, is_text};
use crate::notation::{Again, is_written, name_of};
use crate::schema::{Kind, Property};
use crate::value::{Field, Object, RawBits};
use crate::{Error, ErrorKind, Options, Result, Value};

pub(super) fn document(objects: &[Value], options: &Options) -> Result<String> {
    let mut writer = Writer { out: "<Objects>\n".to_owned(), indent: 1, options };
    for object in objects {
        match object {
            Value::Object(_) | Value::Raw(_) => writer.class(object, options.max_depth)?,
            other => {
                let message = format!("expected an object, found {}", other.kind_name());
                return Err(Error::new(ErrorKind::Data, message));
            }
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

/// Levels below this are not indented further, or a deep object could become a long text.
const MOST_INDENT: usize = 40;

impl Writer<'_> {
    fn line(&mut self) {
        let spaces = self.indent.min(MOST_INDENT).saturating_mul(2);
        self.out.extend(std::iter::repeat_n(' ', spaces));
    }

    fn class(&mut self, value: &Value, levels: usize) -> Result<()> {
        let Some(levels) = levels.checked_sub(1) else {
            let message =
                format!("nested deeper than max_depth, which is {}", self.options.max_depth);
            return Err(Error::new(ErrorKind::DepthLimit, message));
        };
        self.line();
        match value {
            Value::Raw(raw) => {
                _ = write!(self.out, "<Class Name=\"{:#010x}\"", raw.hash);
                self.bits(&raw.bits);
                self.out.push_str("</Class>\n");
            }
            Value::Object(object) => {
                self.head(object)?;
                self.out.push_str(">\n");
                self.indent = self.indent.saturating_add(1);
                self.fields(object, levels)?;
                self.indent = self.indent.saturating_sub(1);
                self.line();
                self.out.push_str("</Class>\n");
            }
            _ => {}
        }
        Ok(())
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

    fn fields(&mut self, object: &Object, levels: usize) -> Result<()> {
        let mut again = Again::new(object);
        for field in object.fields() {
            let count = again.count(field);
            let Some(property) = object.property_of(field) else {
                self.unknown(field)?;
                continue;
            };
            let written = if property.is_list() && count > 1 {
                let message = "the form cannot say that a list is there twice";
                Err(Error::new(ErrorKind::Unsupported, message))
            } else {
                self.field(property, &field.value, levels)
            };
            written.map_err(|error| error.in_field(property.name()))?;
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

    fn field(&mut self, property: &Property, value: &Value, levels: usize) -> Result<()> {
        let name = element_name(property);
        if !property.is_list() || matches!(value, Value::Bits(_)) {
            return self.element(&name, property, value, levels);
        }
        match value.list_len() {
            None => return Err(misfit("a list", value)),
            Some(0) if property.is_delta() => {
                self.line();
                _ = writeln!(self.out, "<{name} Count=\"0\"></{name}>");
            }
            Some(_) => {}
        }
        for (index, item) in value.items().enumerate() {
            let written = self.element(&name, property, &item, levels);
            written.map_err(|error| error.in_index(index))?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        name: &str,
        property: &Property,
        value: &Value,
        levels: usize,
    ) -> Result<()> {
        self.line();
        _ = write!(self.out, "<{name}");
        match value {
            Value::Object(_) | Value::Raw(_) => {
                self.out.push_str(">\n");
                self.indent = self.indent.saturating_add(1);
                self.class(value, levels)?;
                self.indent = self.indent.saturating_sub(1);
                self.line();
            }
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
    let all = |values: &[&Value]| -> Result<String> {
        Ok(values.iter().map(|value| plain(value)).collect::<Result<Vec<_>>>()?.join(","))
    };
    let floats = |values: &[f32]| values.iter().map(|v| float(*v)).collect::<Vec<_>>().join(",");
    Ok(match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Double(value) => double(*value),
        Value::Color(v) => format!("{:02x}{:02x}{:02x}{:02x}", v.a, v.r, v.g, v.b),
        Value::Vector3D(v) => floats(&[v.x, v.y, v.z]),
        Value::Quaternion(v) => floats(&[v.w, v.x, v.y, v.z]),
        Value::Euler(v) => floats(&[v.pitch, v.yaw, v.roll]),
        Value::Matrix3x3(v) => floats([v.i, v.j, v.k].as_flattened()),
        Value::Size(v) => all(&[&v.width, &v.height])?,
        Value::Point(v) => all(&[&v.x, &v.y])?,
        Value::Rect(v) => all(&[&v.left, &v.top, &v.right, &v.bottom])?,
        other => return Err(misfit("a single value", other)),
    })
}

#[cold]
fn misfit(expected: &str, found: &Value) -> Error {
    let message = format!("expected {expected}, found {}", found.kind_name());
    Error::new(ErrorKind::Data, message)
}
