//! [`Value`] to text in the notation, without recursion.

use serde_core::Serialize;

use crate::schema::Property;
use crate::value::Object;
use crate::value::shown::{Again, Shown, core, name};
use crate::value::walk::{Container, MAX_INDENT, Part, Visit, walk};
use crate::{Error, ErrorKind, Result, Value};

/// JSON text. With `pretty`, what holds other values has a line for each.
pub(super) fn text(value: &Value, pretty: bool) -> Result<String> {
    let mut writer = Writer { out: String::new(), pretty, again: Vec::new() };
    match Container::of(value) {
        Some(container) => walk(container, &mut writer)?,
        None => writer.leaf(value, None)?,
    }
    Ok(writer.out)
}

struct Writer {
    out: String,
    pretty: bool,
    /// How often properties of the objects that are open were there.
    again: Vec<Again>,
}

impl Writer {
    fn line(&mut self, depth: usize) {
        if self.pretty {
            self.out.push('\n');
            (0..depth.min(MAX_INDENT)).for_each(|_| self.out.push_str("  "));
        }
    }

    /// Something that holds no other values, on one line.
    fn one(&mut self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(value);
        let fault = |error: serde_json::Error| Error::new(ErrorKind::Data, error.to_string());
        self.out.push_str(&text.map_err(fault)?);
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<()> {
        self.one(&name)?;
        self.out.push_str(if self.pretty { ": " } else { ":" });
        Ok(())
    }

    /// The members before the properties.
    fn head(&mut self, object: &Object, depth: usize) -> Result<()> {
        self.line(depth);
        self.name("$type")?;
        self.one(&object.class().name())?;
        if let Some(header) = object.core() {
            self.out.push(',');
            self.line(depth);
            self.name("$core")?;
            self.one(&core(header))?;
        }
        Ok(())
    }
}

impl<'v> Visit<'v> for Writer {
    type Error = Error;

    fn begin(&mut self, container: Container<'v>, depth: usize) -> Result<()> {
        match container {
            Container::Object(object) => {
                self.out.push('{');
                self.again.push(Again::new(object));
                self.head(object, depth)
            }
            Container::List(_) => {
                self.out.push('[');
                Ok(())
            }
        }
    }

    fn part(&mut self, part: Part<'v>, before: usize, depth: usize) -> Result<()> {
        // An object has its type before the first property.
        if before > 0 || matches!(part, Part::Field(..)) {
            self.out.push(',');
        }
        self.line(depth);
        if let (Part::Field(object, field), Some(again)) = (part, self.again.last_mut()) {
            let name = name(object, field, again)?;
            self.name(&name)?;
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> Result<()> {
        self.one(&Shown::new(value, property))
    }

    fn end(&mut self, container: Container<'v>, parts: usize, depth: usize) -> Result<()> {
        let is_object = matches!(container, Container::Object(_));
        if is_object {
            self.again.pop();
        }
        if is_object || parts > 0 {
            self.line(depth.saturating_sub(1));
        }
        self.out.push(if is_object { '}' } else { ']' });
        Ok(())
    }
}
