//! Saves and packages of Resonite and NeosVR.

mod args;
pub(crate) mod assets;
pub(crate) mod backup;
mod content;
mod edit;
mod hierarchy;
pub(crate) mod package;
mod salvage;
pub(crate) mod slots;
mod tree;

use std::io::Write;

use gamewire::resonite_brson::json::{self, Style};
use gamewire::resonite_brson::{Container, ErrorKind, Options};

use serde_json::Value as Json;

pub(super) use args::{ResoniteArgs, ResoniteTarget, of_file as named};

use self::content::Content;
use super::{Codec, Coding, Explained, Limits, Salvaged, Verdict};
use crate::diff::{self, Change};
use crate::drawing::Drawn;
use crate::edit::Notation;
use crate::fault::Fault;
use crate::json::Layout;

/// The format with the options of one call.
pub(super) struct Resonite {
    options: Options,
    style: Style,
    /// What `encode` writes, where the JSON does not say it.
    container: Option<Container>,
    /// Whether `encode` makes a package.
    package: bool,
    /// What `convert` writes; `None` for the same as before.
    target: Option<Container>,
    /// Whether `convert` makes a package.
    target_package: bool,
}

impl Resonite {
    pub(super) fn new(limits: Limits, args: &ResoniteArgs, target: &ResoniteTarget) -> Self {
        Resonite {
            options: args.options(limits),
            style: args.style(),
            container: args.container(),
            package: args.is_package(),
            target: target.container(),
            target_package: target.is_package(),
        }
    }
}

impl Coding for Resonite {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.options)
    }

    fn encode(&self, text: &[u8]) -> Result<Vec<u8>, Fault> {
        let text = std::str::from_utf8(text).map_err(|error| {
            Fault::new("expected UTF-8 text, found other bytes").at(Some(error.valid_up_to()))
        })?;
        let value = json::from_str_with(text, &self.options)?;
        let (container, value) = content::unwrap(value)?;
        let container = self.container.or(container).unwrap_or(Container::BRSON);
        let save = self.options.container(container).to_vec(&value)?;
        if self.package { package::of_save(save, &self.options) } else { Ok(save) }
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        Ok(Box::new(self.options.explain(bytes)))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        content::check(bytes, &self.options)
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        if self.target_package {
            return package::convert(bytes, self.target, &self.options);
        }
        content::convert(bytes, self.target, &self.options)
    }
}

impl Codec for Resonite {
    type Content = Content;

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        Content::read(bytes, &self.options)
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

    fn whole(&self, content: &Content) -> Result<Json, Fault> {
        let text = json::to_string(&content.wrapped(), Style::Canonical);
        crate::json::read(text.as_bytes(), std::marker::PhantomData)
    }

    fn notation(&self) -> &dyn Notation {
        &edit::Extended
    }

    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Fault> {
        let bson = |json: &Json| -> Result<Vec<u8>, Fault> {
            let document = json.get(content::DOCUMENT).map(Json::to_string).unwrap_or_default();
            let value = json::from_str_with(&document, &self.options)?;
            Ok(self.options.container(Container::BSON).to_vec(&value)?)
        };
        content::replaced(bytes, &bson(before)?, &bson(after)?, &self.options)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault> {
        salvage::salvage(bytes, &self.options)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        let (old, new) = (tree::Save::new(&old.value), tree::Save::new(&new.value));
        diff::compare(&old.root(), &new.root(), most)
    }

    fn tree(&self, content: &Content) -> Result<Drawn, Fault> {
        hierarchy::show(&content.value)
    }
}

impl From<&gamewire::resonite_brson::Error> for Fault {
    fn from(error: &gamewire::resonite_brson::Error) -> Self {
        // An offset in the decompressed document leads nowhere in the file.
        let offset = error.offset().filter(|_| error.space().is_none());
        Fault::new(error.to_string()).at(offset).hint(hint(error))
    }
}

fn hint(error: &gamewire::resonite_brson::Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::DepthLimit => "--max-depth N allows deeper nesting",
        ErrorKind::OutputLimit => "--max-output BYTES allows longer documents",
        ErrorKind::MemoryLimit => "--max-memory BYTES allows more",
        ErrorKind::DuplicateKey => "--duplicates reads them all the same",
        ErrorKind::NotCanonical => "without --strict this is read as the engine reads it",
        _ => return None,
    })
}
