//! JSON of Open 3D Engine.

mod args;
pub(crate) mod edit;
pub(crate) mod resolve;
mod tree;
mod values;

use std::io::Write;
use std::path::Path;

use gamewire::o3de_json::prefab::Prefab;
use gamewire::o3de_json::value::Document as Text;
use gamewire::o3de_json::{self, ErrorKind, Options, Value};

pub(super) use args::{O3deArgs, O3deTarget};

use super::{Codec, Coding, Explained, Limits, Verdict, difference};
use crate::diff::{self, Change};
use crate::fault::{Fault, Place};
use crate::json::Layout;
use crate::words::count;

/// The format with the options of one call.
pub(super) struct O3de {
    options: Options,
    /// Whether `convert` writes on one line.
    compact: bool,
}

impl O3de {
    pub(super) fn new(limits: Limits, args: O3deArgs, target: O3deTarget) -> Self {
        O3de { options: args.options(limits), compact: target.is_compact() }
    }

    /// The same for a file.
    pub(super) fn of(limits: Limits, args: O3deArgs, path: Option<&Path>) -> Self {
        O3de { options: args.options_for(limits, path), compact: false }
    }

    /// In the engine's layout, or on one line.
    fn write(&self, value: &Value, compact: bool) -> Result<Vec<u8>, Fault> {
        let options = self.options.clone().pretty(!compact);
        Ok(options.to_vec(value)?)
    }
}

impl Coding for O3de {
    fn describe(&self, bytes: &[u8]) -> String {
        match self.read(bytes) {
            Ok(text) => describe(text.value()),
            Err(_) => "not whole".to_owned(),
        }
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        self.write(self.read(json)?.value(), false)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        Ok(Box::new(self.options.explain(bytes)))
    }

    /// The text must come out of its values, and the values out of the engine's layout.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        let mut text = self.read(bytes)?;
        // Whoever may change the value makes the text be put together anew.
        let value = text.value_mut().clone();
        let Ok(written) = text.to_text() else {
            return Ok(Verdict::Differs("not written back".to_owned()));
        };
        match self.write(&value, false).and_then(|laid_out| self.read(&laid_out)) {
            Ok(again) if *again.value() == value => {}
            Ok(_) => return Ok(Verdict::Differs("other data in the engine's layout".to_owned())),
            Err(fault) => return Ok(Verdict::Differs(format!("not read back: {}", fault.message))),
        }
        let written = written.as_bytes();
        let Some(at) = difference(bytes, written) else { return Ok(Verdict::Identical) };
        Ok(match self.read(written) {
            Ok(again) if *again.value() == value => Verdict::Equivalent(at),
            _ => Verdict::Differs(format!("other data from byte {at:#x} on")),
        })
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        self.write(self.read(bytes)?.value(), self.compact)
    }
}

impl Codec for O3de {
    type Content = Text;

    fn read(&self, bytes: &[u8]) -> Result<Text, Fault> {
        Ok(Text::from_slice(bytes, &self.options)?)
    }

    /// JSON is its own notation; comments are left out.
    fn write_json(
        &self,
        content: &Text,
        out: &mut dyn Write,
        layout: Layout,
        _wrap: bool,
    ) -> Result<(), serde_json::Error> {
        let options = self.options.clone().pretty(layout == Layout::Lines);
        let text = options.to_vec(content.value()).map_err(serde::ser::Error::custom)?;
        out.write_all(&text).and_then(|()| out.write_all(b"\n")).map_err(serde_json::Error::io)
    }

    fn compare(&self, old: &Text, new: &Text, most: usize) -> Vec<Change> {
        let root = values::Node::root;
        let mut changes = diff::compare(&root(old.value()), &root(new.value()), most);
        changes.iter_mut().for_each(values::as_pointer);
        changes
    }

    fn tree(&self, content: &Text) -> Result<String, Fault> {
        Ok(tree::tree(&Prefab::new(content.value())?))
    }
}

/// What kind of document it is.
fn describe(value: &Value) -> String {
    let text = |name| value.get(name).and_then(Value::as_str);
    if let (Some(_), Some(class)) = (text("Type"), text("ClassName")) {
        return format!("a file of class {class}");
    }
    if let Ok(prefab) = Prefab::new(value) {
        let (entities, instances) = (prefab.entities().count(), prefab.instances().count());
        let (entities, instances) = (count(entities, "entity"), count(instances, "instance"));
        return format!("a prefab, {entities}, {instances}");
    }
    if let Some(kind) = text("materialType") {
        return format!("a material of type {kind}");
    }
    match value {
        Value::Array(items) => format!("an array of {}", count(items.len(), "element")),
        Value::Object(object) => format!("an object of {}", count(object.len(), "member")),
        _ => "a single value".to_owned(),
    }
}

impl From<&o3de_json::Error> for Fault {
    fn from(error: &o3de_json::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            _ => None,
        };
        let mut fault = Fault::new(error.to_string()).hint(hint);
        if let (Some(line), Some(column)) = (error.line(), error.column()) {
            fault.place = Place::Text(line, column);
        }
        fault
    }
}
