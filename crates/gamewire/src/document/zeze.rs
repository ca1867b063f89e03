//! Zeze's beans and frames.

mod content;
mod grammar;
mod node;
mod notation;
mod salvage;
pub(super) mod settings;

use std::io::Write;

use serde::de::IgnoredAny;
use zeze_serialize::{self, ErrorKind, Kind, Options};

use self::content::Content;
use self::grammar::{Context, What};
use self::settings::Frames;
use super::codec::{Codec, Verdict, changed_by_ranges, must_be_canonical, verdict};
use super::explained::{Explanation, alone};
use super::ranges::{Body, Bytes, RangeNode};
use super::salvage::{Salvaged, best};
use super::settings::{Settings, Target};
use crate::document::diff::{self, Change};
use crate::document::error::{Error, Hint};
use crate::document::json::{self, Json, Layout};
use gamewire_gen::zeze::view::View;

pub use gamewire_gen::zeze::view::Solution;

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
    view: Result<Option<View>, Error>,
}

impl Zeze {
    fn view(&self) -> Result<Option<&View>, Error> {
        match &self.view {
            Ok(view) => Ok(view.as_ref()),
            Err(why) => Err(Error::new(why.message())),
        }
    }
}

/// The data of a file, and the frames in it.
#[derive(Clone)]
pub(super) struct BeanBody {
    frames: Frames,
    body: Body,
    /// Whether it has exactly one frame, which is the outermost value then.
    is_only: bool,
}

impl Zeze {
    /// The values of a file, made.
    fn data(&self, bytes: &[u8], frames: Frames) -> Result<Content, Error> {
        Content::read(bytes, Some(frames), &self.options)
    }

    fn scanned(&self, bytes: Bytes, frames: Frames) -> Result<BeanBody, Error> {
        let what = match frames {
            Frames::None => What::Value(Kind::Bean),
            frames => What::Frames(frames),
        };
        let body = Body::scan(self, bytes, 0, Context::new(what, None))?;
        let mut content = BeanBody { frames, body, is_only: false };
        if frames != Frames::None {
            content.is_only = self.root(&content).list().take(2).count() == 1;
        }
        Ok(content)
    }
}

impl Codec for Zeze {
    changed_by_ranges!();

    type Content = BeanBody;

    fn root<'c>(&'c self, content: &'c BeanBody) -> RangeNode<'c, Zeze> {
        let context = match content.frames {
            Frames::None => {
                Context::new(What::Value(Kind::Bean), self.names().and_then(View::bean))
            }
            frames => Context::new(What::Frames(frames), None),
        };
        let root = RangeNode::root(self, &content.body, context);
        match content.is_only {
            true => root.list().next().map_or(root, |(_, frame)| frame),
            false => root,
        }
    }

    fn rescanned(&self, content: &BeanBody, bytes: Vec<u8>) -> Result<BeanBody, Error> {
        content::must_be_whole(&bytes, content.frames, &self.options)?;
        self.scanned(bytes.into(), content.frames)
    }

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
            let json = json::read_json(json)?;
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
            self.read(&bytes.into())?;
        }
        if frames == Frames::None && matches!(self.options.first_noncanonical(bytes), Ok(None)) {
            return Ok(Verdict::Identical);
        }
        verdict(
            bytes,
            |bytes| Content::read(bytes, Some(frames), &self.options),
            |content| content.to_vec(&self.options),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let content = self.read(&bytes.into())?;
        self.data(bytes, content.frames)?.framed(self.target)?.to_vec(&self.options)
    }

    fn read(&self, bytes: &Bytes) -> Result<BeanBody, Error> {
        self.view()?;
        let frames = self.frames.unwrap_or_else(|| content::guess(bytes, &self.options));
        content::must_be_whole(bytes, frames, &self.options)?;
        if self.strict {
            must_be_canonical(bytes, &self.data(bytes, frames)?.to_vec(&self.options)?)?;
        }
        self.scanned(bytes.clone(), frames)
    }

    fn write_json(
        &self,
        content: &BeanBody,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), Error> {
        let data = self.data(&content.body.bytes, content.frames)?;
        let shown = notation::BeanFile { content: &data, wrap };
        match &self.view {
            Ok(Some(view)) => json::write(out, &view.named(json::serialized(&shown)?), layout)?,
            _ => json::write(out, &shown, layout)?,
        }
        Ok(())
    }

    fn is_only(&self, content: &BeanBody) -> bool {
        content.is_only
    }

    /// With names, where there are some.
    fn plain(&self, content: &BeanBody) -> Result<Json, Error> {
        let mut text = Vec::new();
        self.write_json(content, &mut text, Layout::Compact, true)?;
        Ok(notation::plain(&json::read_json(&text)?))
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

    fn compare(&self, old: &BeanBody, new: &BeanBody, most: usize) -> Result<Vec<Change>, Error> {
        Ok(diff::compare(&self.root(old), &self.root(new), most))
    }
}

impl From<&zeze_serialize::Error> for Error {
    fn from(error: &zeze_serialize::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::MemoryLimit => Some(Hint::Memory),
            ErrorKind::DepthLimit => Some(Hint::Depth),
            ErrorKind::Frame => Some(Hint::Frames("page")),
            _ => None,
        };
        Error::new(error.to_string()).at(error.offset()).with_hint(hint)
    }
}
