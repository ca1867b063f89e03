//! Zeze's beans and frames.

mod content;
mod item;
mod node;
mod notation;
mod place;
mod salvage;
pub(super) mod settings;

use std::io::Write;
use std::marker::PhantomData;

use serde::de::IgnoredAny;
use zeze_serialize::{self, ErrorKind, Options, Segment};

use self::content::Content;
use self::settings::Frames;
use super::codec::{Codec, Verdict, must_be_canonical, verdict};
use super::explained::{Explanation, alone};
use super::salvage::{Salvaged, best};
use super::settings::{Settings, Target};
use super::sieve::Ground;
use crate::document::diff::{self, Change};
use crate::document::edit::Edit;
use crate::document::error::Error;
use crate::document::focus::{Focus, Look};
use crate::document::json::{self, Layout};
use crate::document::patch;
use crate::document::path::Step;
use gamewire_gen::zeze::view::View;

pub use gamewire_gen::zeze::view::Solution;

use serde_json::Value as Json;

/// The format with the options of one call.
pub(super) struct Zeze {
    options: Options,
    /// Refuse what would not be written back the same.
    strict: bool,
    /// `None` where the file or the JSON says it.
    frames: Option<Frames>,
    /// The frames that `convert` writes.
    target: Option<Frames>,
    /// The names of the data, or why there are none.
    view: Result<Option<View>, String>,
}

impl Zeze {
    fn view(&self) -> Result<Option<&View>, Error> {
        match &self.view {
            Ok(view) => Ok(view.as_ref()),
            Err(why) => Err(Error::new(why.clone())),
        }
    }
}

impl Codec for Zeze {
    type Content = Content;

    fn new(settings: &Settings, target: &Target) -> Self {
        Zeze {
            options: settings::options(settings.limits),
            strict: settings.limits.strict,
            frames: settings.zeze.frames,
            target: target.zeze.frames,
            view: settings.zeze.view(),
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, self.frames, &self.options)
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let mut numbered = None;
        if let Some(view) = self.view()? {
            let json = json::read(json, PhantomData::<serde_json::Value>)?;
            numbered = Some(view.numbered(json).map_err(Error::new)?.to_string());
        }
        let json = numbered.as_ref().map_or(json, |text| text.as_bytes());
        if notation::has_frames(json) || !matches!(self.frames, None | Some(Frames::None)) {
            return notation::read(json)?.framed(self.frames)?.to_vec(&self.options);
        }
        // A bean becomes bytes at once.
        let bean = notation::bean(json)?;
        self.options.from_slice::<IgnoredAny>(&bean)?;
        Ok(bean)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        let frames = self.frames.unwrap_or_else(|| content::guess(bytes, &self.options));
        let framing = content::framing(frames).map(|framing| framing.options(self.options));
        Ok(Explanation::of(match (framing, self.view()?) {
            (None, None) => self.options.explain(bytes),
            (None, Some(view)) => self.options.explain_named(bytes, &view),
            (Some(framing), None) => alone(framing.explain(bytes)),
            (Some(framing), Some(view)) => alone(framing.explain_named(bytes, &view)),
        }))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        // The frames of the file, for both readings of it.
        let frames = self.frames.unwrap_or_else(|| content::guess(bytes, &self.options));
        if self.strict {
            self.read(bytes)?;
        }
        if frames == Frames::None && matches!(self.options.first_other(bytes), Ok(None)) {
            return Ok(Verdict::Identical);
        }
        verdict(
            bytes,
            |bytes| Content::read(bytes, Some(frames), &self.options),
            |content| content.to_vec(&self.options),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.read(bytes)?.framed(self.target)?.to_vec(&self.options)
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Error> {
        self.view()?;
        let content = Content::read(bytes, self.frames, &self.options)?;
        if self.strict {
            must_be_canonical(bytes, &content.to_vec(&self.options)?)?;
        }
        Ok(content)
    }

    /// Of a bean without a frame.
    fn read_part(&self, bytes: &[u8], look: Look<'_>) -> Option<Content> {
        // Other bytes are a bean, if they can be read as one.
        let frames = || content::filled(bytes, &self.options).unwrap_or(Frames::None);
        let frames = self.frames.unwrap_or_else(frames);
        let step = |segment: Segment| match segment {
            Segment::Field(name) => Step::Name(name),
            Segment::Index(index) => Step::Index(index),
            Segment::Id(id) => Step::Other(format!("field {id}")),
            Segment::Base => Step::Other("base".to_owned()),
            Segment::Key(shown) => Step::Other(shown),
            other => Step::Other(other.to_string()),
        };
        let mut focus = Focus::new(
            look,
            Ground { bytes, head: usize::MAX, has_bits: false, telling: &[] },
            step,
        );
        let view = self.view().ok()?.filter(|_| !matches!(look, Look::Differing(_)));
        let part = match (frames, view) {
            (Frames::None, None) => self.options.part_from_slice(bytes, &(), &mut focus),
            (Frames::None, Some(view)) => self.options.part_from_slice(bytes, &view, &mut focus),
            _ => return None,
        };
        part.ok().map(Content::Bean)
    }

    fn edit_part(&self, bytes: &[u8], edits: &[Edit<'_>]) -> Option<Vec<u8>> {
        // The kind of a field stands beside its id.
        let is_kind = |edit: &Edit<'_>| matches!(edit, Edit::Set { kind: Some(_), .. });
        (!edits.iter().any(is_kind)).then(|| patch::edit(self, bytes, edits))?
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        let shown = notation::BeanFile { content, wrap };
        match &self.view {
            Ok(Some(view)) => json::write(out, &view.named(serde_json::to_value(shown)?), layout),
            _ => json::write(out, &shown, layout),
        }
    }

    type Node<'c> = node::Node<'c>;
    type Item = item::BeanItem;

    fn root<'c>(&'c self, content: &'c Content) -> node::Node<'c> {
        node::Node::root(content, self.view.as_ref().ok().and_then(Option::as_ref))
    }

    fn is_only(&self, content: &Content) -> bool {
        matches!(content, Content::Frames(_, list) if list.len() == 1)
    }

    fn is_same(&self, old: &Content, new: &Content) -> bool {
        old == new
    }

    fn take(&self, content: &mut Content) -> item::BeanItem {
        content.take()
    }

    fn put(&self, content: &mut Content, root: item::BeanItem) -> Result<(), String> {
        content.put(root)
    }

    /// With names, where there are some.
    fn plain(&self, content: &Content) -> Result<Json, Error> {
        let mut text = Vec::new();
        self.write_json(content, &mut text, Layout::Compact, true)?;
        Ok(notation::plain(&json::read(&text, PhantomData)?))
    }

    fn changed(&self, bytes: &[u8], before: &Content, after: &Content) -> Result<Vec<u8>, Error> {
        let write = |content: &Content| content.to_vec(&self.options);
        self.keep(bytes, &write(before)?, write(after)?)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        if let Some(frames) = self.frames {
            return salvage::salvage(bytes, frames, &self.options);
        }
        // A cut-off file may look like something else: the frames that tell most count.
        let guess = content::guess(bytes, &self.options);
        let all = [guess, Frames::Sent, Frames::Page, Frames::None];
        best(all.map(|frames| salvage::salvage(bytes, frames, &self.options)))
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&self.root(old), &self.root(new), most)
    }
}

impl From<&zeze_serialize::Error> for Error {
    fn from(error: &zeze_serialize::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::MemoryLimit => Some("--max-memory BYTES allows more"),
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::Frame => {
                Some("the frames of the published page are read with --frames page")
            }
            _ => None,
        };
        Error::new(error.to_string()).at(error.offset()).with_hint(hint)
    }
}
