//! JSON of Open 3D Engine.

mod args;
pub(crate) mod edit;
pub(crate) mod graph;
pub(crate) mod lint;
mod project;
pub(crate) mod refactor;
pub(crate) mod resolve;
mod salvage;
pub(crate) mod tree;
mod values;

use std::io::Write;
use std::path::Path;

use gamewire::Format;
use gamewire::o3de_json::value::Document as Text;
use gamewire::o3de_json::{self, ErrorKind, Options, Value};
use gamewire::o3de_prefab::{self, Prefab};

use serde_json::Value as Json;

pub(super) use args::{O3deArgs, O3deTarget};
pub(super) use values::restored;

use super::natural::Natural;
use super::{Codec, Coding, Explained, Limits, Salvaged, Verdict, difference};
use crate::diff::{self, Change, What};
use crate::drawing::Drawn;
use crate::edit::Notation;
use crate::fault::{Fault, Place};
use crate::files::Input;
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

    /// Bytes that are not UTF-8 are characters in the notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        let text = Text::from_slice(json, &self.options.clone().invalid_utf8(false))?;
        self.write(text.value(), false)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        Ok(Box::new(self.options.explain(bytes)))
    }

    /// The text must come out of its values, and the values out of the engine's layout.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        let mut text = self.read(bytes)?;
        // Whoever may change the value makes the text be put together anew.
        let value = text.value_mut().clone();
        let Ok(written) = text.to_vec() else {
            return Ok(Verdict::Differs("not written back".to_owned()));
        };
        match self.write(&value, false).and_then(|laid_out| self.read(&laid_out)) {
            Ok(again) if *again.value() == value => {}
            Ok(_) => return Ok(Verdict::Differs("other data in the engine's layout".to_owned())),
            Err(fault) => return Ok(Verdict::Differs(format!("not read back: {}", fault.message))),
        }
        let Some(at) = difference(bytes, &written) else { return Ok(Verdict::Identical) };
        Ok(match self.read(&written) {
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

    /// JSON is its own notation, in UTF-8; comments are left out.
    fn write_json(
        &self,
        content: &Text,
        out: &mut dyn Write,
        layout: Layout,
        _wrap: bool,
    ) -> Result<(), serde_json::Error> {
        let options = self.options.clone().pretty(layout == Layout::Lines).invalid_utf8(false);
        let text = options.to_vec(content.value()).map_err(serde::ser::Error::custom)?;
        out.write_all(&text).and_then(|()| out.write_all(b"\n")).map_err(serde_json::Error::io)
    }

    fn notation(&self) -> &dyn Notation {
        &Natural
    }

    /// What did not change keeps its text, comments and layout included.
    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Fault> {
        let mut text = self.read(bytes)?;
        values::apply(text.value_mut(), before, after)?;
        Ok(text.to_vec()?)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault> {
        salvage::salvage(bytes, &self.options)
    }

    /// As it is, with its layout.
    fn to_text(&self, content: Text) -> Result<Text, Fault> {
        Ok(content)
    }

    fn write_text(&self, text: &Text) -> Result<Vec<u8>, Fault> {
        Ok(text.to_vec()?)
    }

    fn compare(&self, old: &Text, new: &Text, most: usize) -> Vec<Change> {
        let root = values::Node::root;
        let mut changes = diff::compare(&root(old.value()), &root(new.value()), most);
        let [mut old, mut new] = [old, new].map(|text| o3de_prefab::Captions::new(text.value()));
        for change in &mut changes {
            values::as_pointer(change);
            // Positions are those of the old file, except of what is new.
            let [first, second] = match change.what {
                What::Added(_) => [&mut new, &mut old],
                _ => [&mut old, &mut new],
            };
            change.about = first.of(&change.path).or_else(|| second.of(&change.path));
        }
        changes
    }

    fn tree(&self, content: &Text) -> Result<Drawn, Fault> {
        Ok(tree::tree(&Prefab::new(content.value())?, tree::Shown::default()))
    }
}

/// Whether a file in a folder has a name that files of the engine have, so that it is worth reading.
fn may_be(path: &Path) -> bool {
    let extension = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
    let known = Format::O3deJson.extensions().iter().chain(&SHARED_EXTENSIONS);
    extension.is_some_and(|own| known.into_iter().any(|known| *known == own))
}

/// Extensions that files of others have, too: the content says what they are.
const SHARED_EXTENSIONS: [&str; 6] = ["material", "shader", "names", "pass", "assetinfo", "json"];

/// Whether a file is one of O3DE: by what is in it, for names that others have, too.
fn is_own(input: &Input) -> bool {
    input.is_named
        || gamewire::detect(&input.bytes, input.path.as_deref()) == Some(Format::O3deJson)
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
            ErrorKind::MemoryLimit => Some("--max-memory BYTES allows more"),
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
