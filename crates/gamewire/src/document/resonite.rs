//! Saves and packages of Resonite and NeosVR.

mod content;
mod hierarchy;
mod node;
mod package;
mod part;
mod salvage;
pub(super) mod settings;
mod tree;

use std::io::Write;
use std::path::Path;

use resonite_brson::json::{self, Style};
use resonite_brson::{Container, ErrorKind, Options, Value};
use serde::de::IgnoredAny;

use self::content::Content;
use super::codec::{Codec, Verdict};
use super::edit::{Edit, Editor};
use super::explained::Explanation;
use super::node::Found;
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use crate::document::diff::{self, Change};
use crate::document::drawing::{Drawing, Picture};
use crate::document::error::Error;
use crate::document::focus::Look;
use crate::document::json::Layout;

/// The format with the options of one call.
pub(super) struct Resonite {
    options: Options,
    style: Style,
    /// The container for JSON that does not name one.
    container: Option<Container>,
    /// Whether `encode` makes a package.
    package: bool,
    /// Whether the file is meant to be a save, whatever is in it.
    is_meant: bool,
    /// The container that `convert` writes; `None` for the same as before.
    target: Option<Container>,
    /// Whether `convert` makes a package.
    target_package: bool,
}

impl Codec for Resonite {
    type Content = Content;

    /// A broken file: the extension is not only Resonite's, and a whole one would be known by its content.
    fn is_known(_bytes: &[u8], name: Option<&Path>, _is_sure: bool) -> bool {
        name.and_then(settings::of_file).is_some()
    }

    fn new(settings: &Settings, target: &Target) -> Self {
        let (own, target) = (&settings.resonite, &target.resonite);
        Resonite {
            options: own.options(settings.limits),
            style: own.style(),
            container: own.container,
            package: own.package,
            is_meant: settings.format.is_some()
                || settings.name.as_deref().and_then(settings::of_file).is_some(),
            target: target.container,
            target_package: target.package,
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.options)
    }

    fn encode(&self, text: &[u8]) -> Result<Vec<u8>, Error> {
        let text = std::str::from_utf8(text).map_err(|error| {
            Error::new("expected UTF-8 text, found other bytes").at(Some(error.valid_up_to()))
        })?;
        let value = json::from_str_with(text, &self.options)?;
        let (container, value) = content::unwrap(value)?;
        let container = self.container.or(container).unwrap_or(Container::BRSON);
        let save = self.options.container(container).to_vec(&value)?;
        if self.package { package::of_save(save, &self.options) } else { Ok(save) }
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        Ok(Explanation::of(self.options.explain(bytes)))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        content::check(bytes, &self.options)
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        if self.target_package {
            return package::convert(bytes, self.target, &self.options);
        }
        content::convert(bytes, self.target, &self.options)
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Error> {
        Content::read(bytes, &self.options)
    }

    fn read_part(&self, bytes: &[u8], look: Look<'_>) -> Option<Content> {
        let (container, bson) = content::document(bytes, &self.options).ok()?;
        let mut ways = part::Ways::new(look, &bson, &self.options)?;
        let value = self.options.part_from_slice(&bson, &mut ways).ok()?;
        // Saves are compared by names and references from all over them.
        if let (Look::Differing(_), Some(document)) = (look, value.as_document())
            && document.keys().any(|key| key == "Object" || key == "Slots")
        {
            return None;
        }
        Some(Content { container, value })
    }

    fn edit_part(&self, bytes: &[u8], edits: &[Edit<'_>]) -> Option<Vec<u8>> {
        let (_, bson) = content::document(bytes, &self.options).ok()?;
        let plain = self.options.container(Container::BSON);
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        let content = self.read_part(&bson, Look::Edits(&paths))?;
        if plain.to_vec(&content.value).ok()? != *bson {
            return None;
        }
        let mut editor = Editor::new(self, content);
        editor.apply(edits).ok()?;
        let made = plain.to_vec(&editor.content.value).ok()?;
        drop(editor);
        if made == *bson {
            return Some(bytes.to_vec());
        }
        self.options.input(Container::BSON).from_slice::<IgnoredAny>(&made).ok()?;
        content::replaced(bytes, &bson, made, &self.options).ok()
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        let wrapped = wrap.then(|| content.wrapped());
        let value = wrapped.as_ref().unwrap_or(&content.value);
        let mut text = match layout {
            Layout::Lines => json::to_string_pretty(value, self.style),
            Layout::Compact => json::to_string(value, self.style),
        };
        text.push('\n');
        out.write_all(text.as_bytes()).map_err(serde_json::Error::io)
    }

    type Node<'c> = node::Node<'c>;
    type Item = Value;

    fn root<'c>(&'c self, content: &'c Content) -> node::Node<'c> {
        node::Node(&content.value)
    }

    fn by_name<'c>(
        &'c self,
        content: &'c Content,
        paths: &[&str],
    ) -> Vec<Vec<Found<node::Node<'c>>>> {
        node::by_name(&content.value, paths)
    }

    fn is_same(&self, old: &Content, new: &Content) -> bool {
        old == new
    }

    fn take(&self, content: &mut Content) -> Value {
        content.value.take()
    }

    fn put(&self, content: &mut Content, root: Value) -> Result<(), String> {
        content.value = root;
        Ok(())
    }

    fn changed(&self, bytes: &[u8], before: &Content, after: &Content) -> Result<Vec<u8>, Error> {
        let plain = self.options.container(Container::BSON);
        let (old, new) = (plain.to_vec(&before.value)?, plain.to_vec(&after.value)?);
        content::replaced(bytes, &old, new, &self.options)
    }

    fn begins(bytes: &[u8]) -> bool {
        salvage::begins(bytes)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        salvage::salvage(bytes, self.is_meant, &self.options)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&tree::root(&old.value), &tree::root(&new.value), most)
    }

    fn tree(&self, content: Content, picture: Picture) -> Result<Drawing, Error> {
        hierarchy::show(content.value, picture)
    }
}

impl From<&resonite_brson::Error> for Error {
    fn from(error: &resonite_brson::Error) -> Self {
        // An offset in the decompressed document leads nowhere in the file.
        let offset = error.offset().filter(|_| error.space().is_none());
        Error::new(error.to_string()).at(offset).with_hint(hint(error))
    }
}

fn hint(error: &resonite_brson::Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::DepthLimit => "--max-depth N allows deeper nesting",
        ErrorKind::OutputLimit => "--max-output BYTES allows longer documents",
        ErrorKind::MemoryLimit => "--max-memory BYTES allows more",
        ErrorKind::DuplicateKey => "--duplicates reads them all the same",
        ErrorKind::NotCanonical => "without --strict this is read as the engine reads it",
        _ => return None,
    })
}
