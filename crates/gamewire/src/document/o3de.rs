//! JSON of Open 3D Engine.

mod comments;
mod node;
mod salvage;
pub(super) mod settings;
pub(super) mod tree;

use std::io::Write;
use std::ops::Range;

use gamewire_core::wanted::Wanted;
use o3de_json::value::Document as Text;
use o3de_json::{self, ErrorKind, Options, Segment, Value};
use o3de_prefab::{self, Prefab};
use serde::de::IgnoredAny;

use super::codec::{Codec, Fault, Verdict, difference};
use super::edit::{self, Edit, Editor};
use super::explained::Explanation;
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use super::sieve::Ground;
use crate::document::diff::{self, Change, ChangeKind};
use crate::document::drawing::{Drawing, Picture};
use crate::document::error::{Error, Position};
use crate::document::focus::{Focus, Look};
use crate::document::json::Layout;
use crate::document::path::Step;
use crate::document::words::count;

/// The format with the options of one call.
pub(super) struct O3de {
    options: Options,
    /// Whether `convert` writes on one line.
    compact: bool,
}

/// The members that say what the others of a prefab are: a change is shown with them.
const TELLING: [&str; 6] = ["ContainerEntity", "Name", "Source", "$type", "Patches", "m_template"];

impl O3de {
    /// In the engine's layout, or on one line.
    fn write(&self, value: &Value, compact: bool) -> Result<Vec<u8>, Error> {
        let options = self.options.clone().pretty(!compact);
        Ok(options.to_vec(value)?)
    }
}

impl Codec for O3de {
    type Content = Text;

    fn new(settings: &Settings, target: &Target) -> Self {
        let options = settings.o3de.options_for(settings.limits, settings.name.as_deref());
        O3de { options, compact: target.o3de.compact }
    }

    fn neighbour(bytes: &[u8]) -> Option<String> {
        let is_one = crate::format::is_object_stream(bytes);
        is_one.then(|| "ObjectStream XML, which this does not read".to_owned())
    }

    fn describe(&self, bytes: &[u8]) -> String {
        match self.read(bytes) {
            Ok(text) => describe(text.value()),
            Err(_) => "not whole".to_owned(),
        }
    }

    /// Bytes that are not UTF-8 are characters in the notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let text = Text::from_slice(json, &self.options.clone().invalid_utf8(false))?;
        self.write(text.value(), false)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        Ok(Explanation::of(self.options.explain(bytes)))
    }

    /// The text must come out of its values, and the values out of the engine's layout.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        if let Ok(true) = self.is_kept(bytes) {
            return Ok(Verdict::Identical);
        }
        let mut text = self.read(bytes)?;
        // After a borrow to change the value, the text is put together again.
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

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.write(self.read(bytes)?.value(), self.compact)
    }

    fn read(&self, bytes: &[u8]) -> Result<Text, Error> {
        Text::from_slice(bytes, &self.options)
            .map_err(|error| Self::neighbour(bytes).map_or_else(|| error.into(), Error::new))
    }

    fn read_part(&self, bytes: &[u8], look: Look<'_>) -> Option<Text> {
        let step = |segment: Segment| match segment {
            Segment::Field(name) => Step::Pointer(name),
            Segment::Index(index) => Step::Pointer(index.to_string()),
            other => Step::Other(other.to_string()),
        };
        // Offsets are those of the text.
        if let Look::Differing(_) = look {
            std::str::from_utf8(bytes).ok()?;
        }
        let mut focus =
            Focus::new(look, Ground { bytes, head: 1, has_bits: false, telling: &TELLING }, step);
        Text::part_from_slice(bytes, &self.options, &mut focus).ok()
    }

    fn edit_part(&self, bytes: &[u8], edits: &[Edit<'_>]) -> Option<Vec<u8>> {
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        let text = self.read_part(bytes, Look::Edits(&paths))?;
        // What is left out is made of what stands around it.
        let mut found = edits.iter().zip(edit::find(self, &text, &paths));
        if found.any(|(edit, found)| found.is_empty() && matches!(edit, Edit::Set { .. })) {
            return None;
        }
        let mut editor = Editor::new(self, text);
        editor.apply(edits).ok()?;
        let made = editor.content.to_vec().ok()?;
        drop(editor);
        self.options.from_slice::<IgnoredAny>(&made).ok()?;
        Some(made)
    }

    /// JSON is its own notation, in UTF-8; comments are left out.
    fn write_json(
        &self,
        content: &Text,
        out: &mut dyn Write,
        layout: Layout,
        _wrap: bool,
    ) -> Result<(), Error> {
        let options = self.options.clone().pretty(layout == Layout::Lines).invalid_utf8(false);
        let text = options.to_vec(content.value())?;
        Ok(out.write_all(&text).and_then(|()| out.write_all(b"\n"))?)
    }

    type Node<'c> = node::Node<'c>;
    type Item = Value;

    fn root<'c>(&'c self, content: &'c Text) -> node::Node<'c> {
        node::Node(content.value())
    }

    fn restore(&self, content: &mut Text, path: &str) {
        node::restored(content.value_mut(), path);
    }

    fn take(&self, content: &mut Text) -> Value {
        content.value_mut().take()
    }

    fn put(&self, content: &mut Text, root: Value) -> Result<(), String> {
        *content.value_mut() = root;
        Ok(())
    }

    /// The document keeps the text of all that did not change, comments and layout included.
    fn changed(&self, _bytes: &[u8], _before: &Text, after: &Text) -> Result<Vec<u8>, Error> {
        Ok(after.to_vec()?)
    }

    fn faults(&self, content: &Text) -> Option<Vec<Fault>> {
        let findings = o3de_prefab::lint(content.value()).into_iter();
        Some(findings.map(|own| Fault { path: own.pointer, message: own.message }).collect())
    }

    fn carry(
        &self,
        base: Option<&Text>,
        theirs: &Text,
        merged: &mut Text,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<(), Error> {
        let none = Text::new("null")?;
        let comments = comments::carry_comments(base.unwrap_or(&none), theirs, merged)?;
        comments.iter().for_each(|own| left_out(own));
        Ok(())
    }

    fn is_same(&self, old: &Text, new: &Text) -> bool {
        old.value() == new.value() && old.source() == new.source()
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        salvage::salvage(bytes, &self.options)
    }

    fn compare(&self, old: &Text, new: &Text, most: usize) -> Vec<Change> {
        let mut changes = diff::compare(&self.root(old), &self.root(new), most);
        let [mut old, mut new] = [old, new].map(|text| o3de_prefab::Captions::new(text.value()));
        for change in &mut changes {
            node::as_pointer(change);
            // Positions are those of the old file, except of what is new.
            let [first, second] = match change.what {
                ChangeKind::Added(_) => [&mut new, &mut old],
                _ => [&mut old, &mut new],
            };
            change.about = first.of(&change.path).or_else(|| second.of(&change.path));
        }
        changes
    }

    fn tree(&self, content: Text, picture: Picture) -> Result<Drawing, Error> {
        Ok(tree::tree(&Prefab::new(content.value())?, false, false, picture))
    }
}

impl O3de {
    /// Whether a text comes out of its values, and these out of the engine's layout, as far as that can be
    /// found out part by part.
    fn is_kept(&self, bytes: &[u8]) -> Result<bool, Error> {
        let Some(mut text) = self.read_part(bytes, Look::Edits(&[])) else { return Ok(false) };
        text.value_mut();
        Ok(text.to_vec()? == bytes && self.is_laid_out(bytes, 8)?)
    }

    /// Whether the values of a text come out of the engine's layout; of a long one, those in it one by one.
    fn is_laid_out(&self, bytes: &[u8], levels: u32) -> Result<bool, Error> {
        const SHORT: usize = 1 << 20;
        let mut spans = Spans::default();
        let whole = match levels.checked_sub(1).filter(|_| bytes.len() > SHORT) {
            Some(_) => Text::part_from_slice(bytes, &self.options, &mut spans)?,
            None => self.read(bytes)?,
        };
        let is_text = whole.source().as_bytes() == bytes;
        let whole = whole.into_value();
        let again = self.read(&self.write(&whole, false)?)?.into_value();
        if again != whole || !is_text {
            return Ok(false);
        }
        drop((whole, again));
        let inner = |range| bytes.get(range).unwrap_or_default();
        let mut inside =
            spans.0.into_iter().map(|range| self.is_laid_out(inner(range), levels - 1));
        inside.try_fold(true, |all, own| Ok(all && own?))
    }
}

/// Where the values in a text are.
#[derive(Default)]
struct Spans(Vec<Range<usize>>);

impl Wanted for Spans {
    fn enter(&mut self, _: Segment, at: usize) -> bool {
        self.0.push(at..at);
        false
    }

    fn leave(&mut self, _: usize) {}

    fn passed(&mut self, end: usize) {
        if let Some(last) = self.0.last_mut() {
            last.end = end;
        }
    }
}

/// The kind of document in a few words.
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

impl From<&o3de_json::Error> for Error {
    fn from(error: &o3de_json::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::MemoryLimit => Some("--max-memory BYTES allows more"),
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            _ => None,
        };
        let mut fault = Error::new(error.to_string()).with_hint(hint);
        if let (Some(line), Some(column)) = (error.line(), error.column()) {
            fault.position = Position::Text(line, column);
        }
        fault
    }
}
