//! [`Value`] to text in the notation, without recursion.

use serde_core::Serialize;

use crate::schema::Property;
use crate::value::Object;
use crate::value::shown::{Again, Shown, core, name};
use crate::{Error, ErrorKind, Result, Value};

/// An object or list of which a part is written.
enum Level<'v> {
    Object { object: &'v Object, next: usize, again: Again },
    List { list: &'v [Value], next: usize, property: Option<&'v Property> },
}

/// Levels below this are not indented further, or a deep value would become a very long text.
const MAX_INDENT: usize = 40;

/// JSON text. With `pretty`, what holds other values has a line for each.
pub(super) fn text(value: &Value, pretty: bool) -> Result<String> {
    let mut writer = Writer { out: String::new(), pretty };
    let mut stack = Vec::new();
    stack.extend(writer.begin(value, None, 1)?);
    loop {
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return Ok(writer.out) };
        let (value, property) = match level {
            Level::Object { object, next, again } => {
                let Some(field) = object.fields().get(*next) else {
                    stack.pop();
                    writer.line(depth.saturating_sub(1));
                    writer.out.push('}');
                    continue;
                };
                *next = next.saturating_add(1);
                writer.out.push(',');
                writer.line(depth);
                writer.name(&name(object, field, again)?)?;
                (&field.value, object.property_of(field))
            }
            Level::List { list, next, property } => {
                let Some(value) = list.get(*next) else {
                    let is_empty = *next == 0;
                    stack.pop();
                    if !is_empty {
                        writer.line(depth.saturating_sub(1));
                    }
                    writer.out.push(']');
                    continue;
                };
                if *next > 0 {
                    writer.out.push(',');
                }
                *next = next.saturating_add(1);
                writer.line(depth);
                (value, *property)
            }
        };
        stack.extend(writer.begin(value, property, depth.saturating_add(1))?);
    }
}

struct Writer {
    out: String,
    pretty: bool,
}

impl Writer {
    fn line(&mut self, depth: usize) {
        if self.pretty {
            self.out.push('\n');
            (0..depth.min(MAX_INDENT)).for_each(|_| self.out.push_str("  "));
        }
    }

    /// Something that holds no other values, on one line.
    fn leaf(&mut self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(value);
        let fault = |error: serde_json::Error| Error::new(ErrorKind::Data, error.to_string());
        self.out.push_str(&text.map_err(fault)?);
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<()> {
        self.leaf(&name)?;
        self.out.push_str(if self.pretty { ": " } else { ":" });
        Ok(())
    }

    /// Writes a value, or what stands before the values that it holds: then it is level `depth`.
    fn begin<'v>(
        &mut self,
        value: &'v Value,
        property: Option<&'v Property>,
        depth: usize,
    ) -> Result<Option<Level<'v>>> {
        match value {
            Value::Object(object) => {
                self.out.push('{');
                self.head(object, depth)?;
                Ok(Some(Level::Object { object, next: 0, again: Again::new(object) }))
            }
            Value::List(list) => {
                self.out.push('[');
                Ok(Some(Level::List { list, next: 0, property }))
            }
            leaf => {
                self.leaf(&Shown::new(leaf, property))?;
                Ok(None)
            }
        }
    }

    /// The members before the properties.
    fn head(&mut self, object: &Object, depth: usize) -> Result<()> {
        self.line(depth);
        self.name("$type")?;
        self.leaf(&object.class().name())?;
        if let Some(header) = object.core() {
            self.out.push(',');
            self.line(depth);
            self.name("$core")?;
            self.leaf(&core(header))?;
        }
        Ok(())
    }
}
