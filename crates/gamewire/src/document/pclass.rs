//! KingsIsle's PropertyClass binary.

mod content;
mod node;
mod notation;
pub(super) mod settings;

use std::io::Write;

use kiwi_pclass::archive::Archive;
use kiwi_pclass::schema::{Class, Property};
use kiwi_pclass::value::UnknownHash;
use kiwi_pclass::{self, ErrorKind, Mode};

use self::content::{Content, Terms};
use self::settings::{Form, PclassTarget};
use super::codec::{Codec, Verdict, must_be_canonical, verdict};
use super::explained::Explanation;
use super::settings::{Settings, Target};
use super::{AsOpened as _, Document};
use crate::document::diff::{self, Change};
use crate::document::error::Error;
use crate::document::focus::Look;
use crate::document::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Pclass {
    terms: Terms,
    target: PclassTarget,
    strict: bool,
}

impl Codec for Pclass {
    type Content = Content;

    fn new(settings: &Settings, target: &Target) -> Self {
        Pclass {
            terms: Terms::new(settings.limits, &settings.pclass, settings.name.as_deref()),
            target: target.pclass,
            strict: settings.limits.strict,
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.terms)
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        notation::read(json, &self.terms)?.to_vec(&self.terms)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        if Archive::is_archive(bytes) {
            let options = self.terms.options(Form::Bind);
            let options = options.unwrap_or_else(|_| self.terms.layers(Form::Bind));
            return Ok(Explanation::of(kiwi_pclass::archive::explain(bytes, &options)));
        }
        let terms = self.terms.settle(bytes);
        let form = terms.form.unwrap_or(Form::Bare);
        if form.is_text() {
            let hint = "gamewire convert makes a binary file of it";
            return Err(Error::new("the debug form is text, not bytes").with_hint(Some(hint)));
        }
        let options = terms.options(form)?;
        Ok(Explanation::of(options.explain(&content::stream(bytes, form, &options)?)))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        // The form of the file, for both readings of it.
        let terms = self.terms.settle(bytes);
        if self.strict {
            self.read(bytes)?;
        }
        verdict(bytes, |bytes| Content::read(bytes, &terms), |content| content.to_vec(&terms))
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let mut content = self.read(bytes)?;
        apply(&self.target, &mut content);
        content.to_vec(&self.terms)
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Error> {
        let content = Content::read(bytes, &self.terms)?;
        if self.strict && !content.form.is_text() {
            must_be_canonical(bytes, &content.to_vec(&self.terms)?)?;
        }
        Ok(content)
    }

    fn read_part(&self, bytes: &[u8], look: Look<'_>) -> Option<Content> {
        Content::read_part(bytes, &self.terms, look)
    }

    fn reads_alike(&self, old: &Content, new: &Content) -> bool {
        let terms = |own: &Content| (own.mode, own.flags, own.mask);
        terms(old) == terms(new)
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::ObjectsFile { content, wrap }, layout)
    }

    type Node<'c> = node::Node<'c>;
    type Item = node::ObjectItem;

    fn root<'c>(&'c self, content: &'c Content) -> node::Node<'c> {
        node::Node::root(content, &self.terms)
    }

    fn is_same(&self, old: &Content, new: &Content) -> bool {
        old == new
    }

    fn take(&self, content: &mut Content) -> node::ObjectItem {
        let mut objects = std::mem::take(&mut content.objects);
        match (objects.pop(), objects.is_empty()) {
            (Some(only), true) => node::ObjectItem::Value(only),
            (last, _) => node::ObjectItem::All(objects.into_iter().chain(last).collect()),
        }
    }

    fn put(&self, content: &mut Content, root: node::ObjectItem) -> Result<(), String> {
        content.objects = match root {
            node::ObjectItem::Value(only) => vec![only],
            node::ObjectItem::All(objects) => objects,
        };
        Ok(())
    }

    fn changed(&self, bytes: &[u8], before: &Content, after: &Content) -> Result<Vec<u8>, Error> {
        let write = |content: &Content| content.to_vec(&self.terms);
        self.keep(bytes, &write(before)?, write(after)?)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&self.root(old), &self.root(new), most)
    }
}

impl Document {
    /// The hashes of classes and properties in a file of PropertyClass that the type list does not have, each as
    /// often as it is present. None where [`PclassSettings::unknown`](super::PclassSettings::unknown) does not keep
    /// them, and of files of other formats.
    pub fn unknown_hashes(&self) -> Vec<UnknownHash<'_>> {
        let own = Pclass::opened(self);
        let objects = own.map(|own| own.content.objects.as_slice()).unwrap_or_default();
        objects.iter().flat_map(kiwi_pclass::Value::unknown_hashes).collect()
    }

    /// The properties in a file of PropertyClass of which only the bits could be read, each with its class and as
    /// often as it is present. None of files of other formats.
    pub fn unread_properties(&self) -> Vec<(&Class, &Property)> {
        let own = Pclass::opened(self);
        let objects = own.map(|own| own.content.objects.as_slice()).unwrap_or_default();
        objects.iter().flat_map(kiwi_pclass::Value::unread_properties).collect()
    }
}

impl From<&kiwi_pclass::Error> for Error {
    fn from(error: &kiwi_pclass::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::MemoryLimit => Some("--max-memory BYTES allows more"),
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::UnknownClass | ErrorKind::UnknownProperty => {
                Some("perhaps another type list has it; --types may be given again")
            }
            ErrorKind::MissingDelta => Some("serializer flag 4 is set; see --flags"),
            _ => None,
        };
        let offset = error.offset().filter(|_| !error.is_inflated());
        Error::new(error.to_string()).at(offset).with_hint(hint)
    }
}

/// Changes what is around the objects.
fn apply(target: &PclassTarget, content: &mut Content) {
    let other = target.mode.is_some() || target.flags.is_some() || target.mask.is_some();
    content.form = match (target.form, content.form) {
        (Some(form), _) => form,
        (None, Form::Xml) => Form::Bind,
        (None, form) if other => form,
        (None, _) => Form::Xml,
    };
    content.mode = match content.form {
        Form::Bind => Mode::Deep,
        _ => target.mode.unwrap_or(content.mode),
    };
    content.flags = target.flags.unwrap_or(content.flags);
    content.mask = target.mask.unwrap_or(content.mask);
}
