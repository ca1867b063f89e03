//! Zeze's beans and frames.

mod args;
pub(crate) mod codegen;
mod content;
mod notation;
mod tree;

use std::io::Write;

use gamewire::zeze_serialize::{self, ErrorKind, Options};

pub(super) use args::{ZezeArgs, ZezeTarget};

use self::args::Frames;
use self::content::Content;
use super::{Codec, Coding, Explained, Limits, Verdict, must_be_canonical, verdict};
use crate::diff::{self, Change};
use crate::fault::Fault;
use crate::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Zeze {
    options: Options,
    /// Refuse what would not be written back the same.
    strict: bool,
    /// `None` where the file or the JSON says it.
    frames: Option<Frames>,
    /// What `convert` writes.
    target: Option<Frames>,
}

impl Zeze {
    pub(super) fn new(limits: Limits, args: &ZezeArgs, target: &ZezeTarget) -> Self {
        Zeze {
            options: args::options(limits),
            strict: limits.strict,
            frames: args.frames(),
            target: target.frames(),
        }
    }
}

impl Coding for Zeze {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, self.frames, &self.options)
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        notation::read(json)?.framed(self.frames)?.to_vec(&self.options)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        let frames = self.frames.unwrap_or_else(|| content::guess(bytes, &self.options));
        Ok(Box::new(match content::framing(frames) {
            None => self.options.explain(bytes),
            Some(framing) => framing.options(self.options).explain(bytes),
        }))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        // The frames of the file, for both readings of it.
        let frames = self.frames.unwrap_or_else(|| content::guess(bytes, &self.options));
        if self.strict {
            self.read(bytes)?;
        }
        verdict(
            bytes,
            |bytes| Content::read(bytes, Some(frames), &self.options),
            |content| content.to_vec(&self.options),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        self.read(bytes)?.framed(self.target)?.to_vec(&self.options)
    }
}

impl Codec for Zeze {
    type Content = Content;

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        let content = Content::read(bytes, self.frames, &self.options)?;
        if self.strict {
            must_be_canonical(bytes, &content.to_vec(&self.options)?)?;
        }
        Ok(content)
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown { content, wrap }, layout)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&tree::Node::root(old), &tree::Node::root(new), most)
    }
}

impl From<&zeze_serialize::Error> for Fault {
    fn from(error: &zeze_serialize::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::Frame => {
                Some("the frames of the published page are read with --frames page")
            }
            _ => None,
        };
        Fault::new(error.to_string()).at(error.offset()).hint(hint)
    }
}
