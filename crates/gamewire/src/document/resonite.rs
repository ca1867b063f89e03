//! Saves and packages of Resonite and NeosVR.

mod content;
mod grammar;
mod hierarchy;
mod node;
mod package;
mod places;
mod salvage;
mod save;
pub(super) mod settings;
mod tree;

use std::io::Write;
use std::path::Path;

use resonite_brson::json::{self, Style};
use resonite_brson::{Container, ErrorKind, Kind, Options};
use resonite_save::package::Package;

use self::content::Content;
use self::node::Node;
use super::codec::{Codec, Edited, Verdict, changed_by_ranges};
use super::explained::Explanation;
use super::node::Found;
use super::ranges::{Bytes, RangeNode};
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use crate::document::diff::{self, Change};
use crate::document::drawing::{Drawing, TreeOptions};
use crate::document::error::{Error, Hint};
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
    changed_by_ranges!();

    type Content = Content;

    fn root<'c>(&'c self, content: &'c Content) -> Node<'c> {
        RangeNode::root(self, &content.body, Kind::Document)
    }

    fn rescanned(&self, content: &Content, bytes: Vec<u8>) -> Result<Content, Error> {
        self.scanned(content.container, bytes.into())
    }

    fn by_name<'c>(&'c self, content: &'c Content, paths: &[&str]) -> Vec<Vec<Found<Node<'c>>>> {
        tree::find(self.root(content), paths)
    }

    fn closed(
        &self,
        file: &[u8],
        before: &Content,
        after: Content,
    ) -> Result<Edited<Content>, Error> {
        let made = content::replaced(file, before.container, &after.body.bytes, &self.options)?;
        Ok((after, made))
    }

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
        Ok(Explanation::of(match Package::is_archive(bytes) {
            true => resonite_save::package::explain(bytes, &self.options),
            false => self.options.explain(bytes),
        }))
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

    fn read(&self, bytes: &Bytes) -> Result<Content, Error> {
        self.content(bytes)
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), Error> {
        let value = content.value(&self.options, wrap)?;
        let mut text = match layout {
            Layout::Lines => json::to_string_pretty(&value, self.style),
            Layout::Compact => json::to_string(&value, self.style),
        };
        text.push('\n');
        Ok(out.write_all(text.as_bytes())?)
    }

    fn begins(bytes: &[u8]) -> bool {
        salvage::begins(bytes)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        salvage::salvage(bytes, self.is_meant, &self.options)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Result<Vec<Change>, Error> {
        Ok(diff::compare(&tree::root(self.root(old)), &tree::root(self.root(new)), most))
    }

    fn tree(&self, content: Content, picture: TreeOptions) -> Result<Drawing, Error> {
        hierarchy::show(self.root(&content), picture)
    }
}

impl From<&resonite_brson::Error> for Error {
    fn from(error: &resonite_brson::Error) -> Self {
        // An offset in the decompressed document leads nowhere in the file.
        let offset = error.offset().filter(|_| error.space().is_none());
        Error::new(error.to_string()).at(offset).with_hint(hint(error))
    }
}

fn hint(error: &resonite_brson::Error) -> Option<Hint> {
    Some(match error.kind() {
        ErrorKind::DepthLimit => Hint::Depth,
        ErrorKind::OutputLimit => Hint::Output,
        ErrorKind::MemoryLimit => Hint::Memory,
        ErrorKind::DuplicateKey => Hint::Duplicates,
        ErrorKind::NotCanonical => Hint::StrictEngine,
        _ => return None,
    })
}
