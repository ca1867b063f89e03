//! [`Value`] to text in the notation, without recursion.

use gamewire_core::json::{Layout, Writer};
use serde_core::Serialize;

use crate::schema::Property;
use crate::value::shown::{Again, Shown, core, name};
use crate::value::walk::{MAX_INDENT, Nested, Part, Visit, walk};
use crate::{Error, ErrorKind, Result, Value};

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
    fn one(&mut self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(value);
        let fault = |error: serde_json::Error| Error::new(ErrorKind::Data, error.to_string());
        self.out.number(text.map_err(fault)?);
        Ok(())
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
        match object.core() {
            Some(header) => {
                self.out.name("$core");
                self.one(&core(header))
            }
            None => Ok(()),
        }
    }

    fn part(&mut self, part: Part<'v>, _: usize, _: usize) -> Result<()> {
        if let (Part::Field(object, field), Some(again)) = (part, self.again.last_mut()) {
            self.out.name(name(object, field, again)?);
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>) -> Result<()> {
        self.one(&Shown::new(value, property))
    }

    fn end(&mut self, container: Nested<'v>, _: usize, _: usize) -> Result<()> {
        if let Nested::Object(_) = container {
            self.again.pop();
        }
        self.out.end();
        Ok(())
    }
}
