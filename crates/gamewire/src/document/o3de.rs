//! JSON of Open 3D Engine.

mod comments;
mod grammar;
mod node;
pub(super) mod settings;
pub(super) mod tree;

use std::io::Write;

use o3de_json::{self, ErrorKind, Options, Value};
use o3de_prefab::{self, Captions, Prefab};
use serde::de::IgnoredAny;

use self::node::Node;
use super::codec::{Codec, Fault, Verdict, changed_by_ranges};
use super::explained::Explanation;
use super::ranges::{Bytes, Key, Piece, RangeNode};
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use crate::document::diff::{self, Change, ChangeKind};
use crate::document::drawing::{Drawing, TreeOptions};
use crate::document::error::{Error, Hint, Position};
use crate::document::json::{self, Layout, Style, TextBody};
use crate::document::words::count;

/// The format with the options of one call.
pub(super) struct O3de {
    options: Options,
    /// Whether `convert` writes on one line.
    compact: bool,
}

impl O3de {
    /// In the engine's layout, or on one line.
    fn write(&self, value: &Value, compact: bool) -> Result<Vec<u8>, Error> {
        let options = self.options.clone().pretty(!compact);
        Ok(options.to_vec(value)?)
    }

    /// Without any space.
    fn compact(&self, value: &Value) -> Result<Vec<u8>, Error> {
        self.write(value, true)
    }
}

impl Codec for O3de {
    changed_by_ranges!();

    const IS_JSON: bool = true;

    type Content = TextBody;

    fn root<'c>(&'c self, content: &'c TextBody) -> Node<'c> {
        RangeNode::root(self, &content.body, &content.style)
    }

    fn rescanned(&self, _: &TextBody, bytes: Vec<u8>) -> Result<TextBody, Error> {
        self.read(&bytes.into())
    }

    fn restored<'c>(
        &'c self,
        content: &'c TextBody,
        path: &str,
    ) -> Option<(Vec<usize>, Piece<'c, Self>)> {
        node::restored(&self.root(content), path)
    }

    fn new(settings: &Settings, target: &Target) -> Self {
        let options = settings.o3de.options_for(settings.limits, settings.name.as_deref());
        O3de { options, compact: target.o3de.compact }
    }

    fn unsupported_kind(bytes: &[u8]) -> Option<Error> {
        let is_one = crate::format::is_object_stream(bytes);
        is_one.then(|| Error::new("ObjectStream XML, which this does not read"))
    }

    fn describe(&self, bytes: &[u8]) -> String {
        match self.options.from_slice(bytes) {
            Ok(value) => describe(&value),
            Err(_) => "not whole".to_owned(),
        }
    }

    /// Bytes that are not UTF-8 are characters in the notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        self.write(&self.options.clone().invalid_utf8(false).from_slice(json)?, false)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        Ok(Explanation::of(self.options.explain(bytes)))
    }

    /// The values must come out of the engine's layout; the text stays as it is.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        let content = self.read(&bytes.into())?;
        Ok(match self.is_laid_out(self.root(&content)) {
            Ok(true) => Verdict::Identical,
            Ok(false) => Verdict::Differs("other data in the engine's layout".to_owned()),
            Err(fault) => Verdict::Differs(format!("not read back: {}", fault.message)),
        })
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.write(&self.value(&self.read(&bytes.into())?)?, self.compact)
    }

    fn read(&self, bytes: &Bytes) -> Result<TextBody, Error> {
        // No values are held, but the text is.
        let is_over = self.options.memory_limit().is_some_and(|most| bytes.len() > most);
        let read = match is_over {
            true => self.options.from_slice::<Value>(bytes).map(drop),
            false => self.options.from_slice::<IgnoredAny>(bytes).map(drop),
        };
        read.map_err(|error| Self::unsupported_kind(bytes).unwrap_or_else(|| error.into()))?;
        let style = Style::of(bytes);
        let body = TextBody::scan(self, bytes.clone(), &style)?;
        Ok(TextBody { body, style })
    }

    /// JSON is its own notation, in UTF-8; comments are left out.
    fn write_json(
        &self,
        content: &TextBody,
        out: &mut dyn Write,
        layout: Layout,
        _wrap: bool,
    ) -> Result<(), Error> {
        let options = self.options.clone().pretty(layout == Layout::Lines).invalid_utf8(false);
        let text = options.to_vec(&self.value(content)?)?;
        Ok(out.write_all(&text).and_then(|()| out.write_all(b"\n"))?)
    }

    fn faults(&self, content: &TextBody) -> Option<Vec<Fault>> {
        let findings = o3de_prefab::lint(&self.prefab(content)?).into_iter();
        Some(findings.map(|own| Fault { path: own.pointer, message: own.message }).collect())
    }

    fn carry(
        &self,
        base: Option<&TextBody>,
        theirs: &TextBody,
        merged: Vec<u8>,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<Vec<u8>, Error> {
        comments::carry_comments(self, base, theirs, merged, left_out)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        json::salvage(bytes, |text| match self.options.from_slice::<IgnoredAny>(text) {
            Ok(_) => Ok(()),
            Err(error) => Err((error.offset(), error.into())),
        })
    }

    fn compare(&self, old: &TextBody, new: &TextBody, most: usize) -> Result<Vec<Change>, Error> {
        let mut changes = diff::compare(&self.root(old), &self.root(new), most);
        let values = match changes.is_empty() {
            true => [None, None],
            false => [old, new].map(|own| self.prefab(own)),
        };
        let [mut old, mut new] = values.each_ref().map(|own| own.as_ref().map(Captions::new));
        for change in &mut changes {
            node::as_pointer(change);
            // Positions are those of the old file, except of what is new.
            let [first, second] = match change.what {
                ChangeKind::Added(_) => [&mut new, &mut old],
                _ => [&mut old, &mut new],
            };
            let about = |own: &mut Option<Captions<'_>>| own.as_mut()?.of(&change.path);
            change.about = about(first).or_else(|| about(second));
        }
        Ok(changes)
    }

    fn tree(&self, content: TextBody, picture: TreeOptions) -> Result<Drawing, Error> {
        let value = self.value(&content)?;
        Ok(tree::tree(&Prefab::new(&value)?, false, false, picture))
    }
}

impl O3de {
    /// Whether a value comes out of the engine's layout; of a long one, those in it one by one.
    fn is_laid_out(&self, root: Node<'_>) -> Result<bool, Error> {
        const SHORT: usize = 1 << 20;
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if node.bytes().len() > SHORT && node.open().is_some() {
                for (child, value) in node.list() {
                    if let Key::Bytes(name) = child.key
                        && !self.is_written(name)?
                    {
                        return Ok(false);
                    }
                    waiting.push(value);
                }
            } else if !self.is_written(node.bytes())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a text has the same data in the engine's layout.
    fn is_written(&self, text: &[u8]) -> Result<bool, Error> {
        let value: Value = self.options.from_slice(text)?;
        let again: Value = self.options.from_slice(&self.write(&value, false)?)?;
        Ok(again == value)
    }

    fn value(&self, content: &TextBody) -> Result<Value, Error> {
        Ok(self.options.from_slice(&content.body.bytes)?)
    }

    /// The whole value, if it may be a prefab.
    fn prefab(&self, content: &TextBody) -> Option<Value> {
        let root = self.root(content);
        let has = |name| root.member(name).is_some();
        (has("ContainerEntity") || has("Entities")).then(|| self.value(content).ok())?
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
            ErrorKind::MemoryLimit => Some(Hint::Memory),
            ErrorKind::DepthLimit => Some(Hint::Depth),
            _ => None,
        };
        let mut fault = Error::new(error.to_string()).with_hint(hint);
        if let (Some(line), Some(column)) = (error.line(), error.column()) {
            fault.position = Position::Text(line, column);
        }
        fault
    }
}
