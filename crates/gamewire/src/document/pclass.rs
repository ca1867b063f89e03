//! KingsIsle's PropertyClass binary.

mod content;
mod grammar;
mod node;
mod notation;
pub(super) mod settings;

use std::io::Write;

use kiwi_pclass::archive::Archive;
use kiwi_pclass::schema::{Class, Property};
use kiwi_pclass::value::UnknownHash;
use kiwi_pclass::{self, ErrorKind, Mode, Unknown};

use self::content::{Content, Objects, Terms};
use self::grammar::Context;
use self::settings::{Form, PclassTarget};
use super::codec::{Codec, Edited, Verdict, changed_by_ranges, must_be_canonical, verdict};
use super::explained::Explanation;
use super::ranges::{Body, Bytes, RangeNode};
use super::settings::{Settings, Target};
use super::{AsOpened as _, Document};
use crate::document::diff::{self, Change};
use crate::document::error::{Error, Hint};
use crate::document::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Pclass {
    terms: Terms,
    target: PclassTarget,
    strict: bool,
}

impl Codec for Pclass {
    changed_by_ranges!();

    type Content = Objects;

    /// A file of one object is that object, whatever its form.
    fn root<'c>(&'c self, objects: &'c Objects) -> RangeNode<'c, Pclass> {
        let only = self.around(objects).and_then(|all| all.list().next());
        only.map_or_else(|| self.all(objects), |(_, only)| only)
    }

    fn around<'c>(&'c self, objects: &'c Objects) -> Option<RangeNode<'c, Pclass>> {
        let all = self.all(objects);
        (objects.is_made && all.list().take(2).count() == 1).then_some(all)
    }

    fn rescanned(&self, old: &Objects, bytes: Vec<u8>) -> Result<Objects, Error> {
        let (coder, is_made, start) = (&old.coder, old.is_made, old.body.root().start);
        let mut end = start;
        while end < bytes.len() * 8 {
            end = coder.check(&bytes, end)?.next_multiple_of(8);
            if !is_made && end < bytes.len() * 8 {
                return Err(Error::new("expected the end").at(Some(end / 8)));
            }
        }
        let body = Body::scan(self, bytes.into(), start, Context::outermost(coder, is_made))?;
        Ok(old.with_body(body))
    }

    fn closed(
        &self,
        file: &[u8],
        before: &Objects,
        after: Objects,
    ) -> Result<Edited<Objects>, Error> {
        let made = self.file(before, &after.body.bytes)?;
        let made = match before.form.is_text() {
            true => {
                let canonical = self.file(before, &before.body.bytes)?;
                self.keep_end(file, &canonical, made.into_vec())?.into()
            }
            false => made,
        };
        Ok((after, made))
    }

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
            let wrong = Error::new("the debug form is text, not bytes");
            return Err(wrong.with_hint(Hint::Binary));
        }
        let options = terms.options(form)?;
        Ok(Explanation::of(options.explain(&content::stream(bytes, form, &options)?)))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        // The form of the file, for both readings of it.
        let terms = self.terms.settle(bytes);
        if self.strict {
            self.read(&bytes.into())?;
        }
        verdict(bytes, |bytes| Content::read(bytes, &terms), |content| content.to_vec(&terms))
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.read(&bytes.into())?;
        let mut content = Content::read(bytes, &self.terms)?;
        apply(&self.target, &mut content);
        content.to_vec(&self.terms)
    }

    fn read(&self, bytes: &Bytes) -> Result<Objects, Error> {
        let objects = self.objects(bytes)?;
        if self.strict && !objects.form.is_text() {
            must_be_canonical(bytes, &self.content(&objects)?.to_vec(&self.terms)?)?;
        }
        Ok(objects)
    }

    fn write_json(
        &self,
        objects: &Objects,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), Error> {
        let content = self.content(objects)?;
        Ok(json::write(out, &notation::ObjectsFile { content: &content, wrap }, layout)?)
    }

    fn alike(&self, contents: &[&Objects]) -> Result<Vec<Objects>, Error> {
        let [first, others @ ..] = contents else { return Ok(Vec::new()) };
        let coder = &first.coder;
        if others.iter().all(|own| own.coder.is_same(coder)) {
            return Ok(Vec::new());
        }
        if others.iter().all(|own| own.coder.is_equal(coder)) {
            return Ok(contents.iter().map(|own| own.with_coder(coder)).collect());
        }
        contents.iter().map(|own| self.in_memory(coder.options(), self.content(own)?)).collect()
    }

    fn compare(&self, old: &Objects, new: &Objects, most: usize) -> Result<Vec<Change>, Error> {
        let alike = self.alike(&[old, new])?;
        let [old, new] = match alike.as_slice() {
            [old, new] => [old, new],
            _ => [old, new],
        };
        Ok(diff::compare(&self.root(old), &self.root(new), most))
    }
}

impl Document {
    /// The hashes of classes and properties in a file of PropertyClass that the type list does not have, each as
    /// often as it is present. None where [`PclassSettings::unknown`](super::PclassSettings::unknown) does not keep
    /// them, and of files of other formats.
    pub fn unknown_hashes(&self) -> Vec<UnknownHash<'_>> {
        let own = Pclass::opened(self);
        let own = own.filter(|own| own.content.coder.unknown() == Unknown::Keep);
        own.map(|own| own.codec.root(&own.content).unknown().0).unwrap_or_default()
    }

    /// The properties in a file of PropertyClass of which only the bits could be read, each with its class and as
    /// often as it is present. None of files of other formats.
    pub fn unread_properties(&self) -> Vec<(&Class, &Property)> {
        let own = Pclass::opened(self);
        let own = own.filter(|own| own.content.coder.unknown() == Unknown::Keep);
        own.map(|own| own.codec.root(&own.content).unknown().1).unwrap_or_default()
    }
}

impl From<&kiwi_pclass::Error> for Error {
    fn from(error: &kiwi_pclass::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::MemoryLimit => Some(Hint::Memory),
            ErrorKind::DepthLimit => Some(Hint::Depth),
            ErrorKind::UnknownClass | ErrorKind::UnknownProperty => Some(Hint::OtherTypes),
            ErrorKind::MissingDelta => Some(Hint::Flags),
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
