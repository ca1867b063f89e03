//! Zeze's beans and frames.

mod args;
pub(crate) mod codegen;
mod content;
mod explain;
mod notation;
mod tree;

use std::io::Write;

use gamewire::zeze_serialize::{self, ErrorKind, Options};

pub(super) use args::{ZezeArgs, ZezeTarget};

use self::args::Frames;
use self::content::Content;
use super::{Document, Explained, Limits, Side, Tool, Verdict, verdict};
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

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        let content = Content::read(bytes, self.frames, &self.options)?;
        if self.strict {
            let written = content.to_vec(&self.options)?;
            let common = bytes.iter().zip(&written).take_while(|(a, b)| a == b).count();
            if common < bytes.len() || common < written.len() {
                let message = format!("expected the shortest encoding at byte {common:#x}");
                let hint = "without --strict this is read as Zeze reads it";
                return Err(Fault::new(message).at(Some(common)).hint(Some(hint)));
            }
        }
        Ok(content)
    }
}

impl Tool for Zeze {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, self.frames, &self.options)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Box<dyn Document>, Fault> {
        Ok(Box::new(Decoded(self.read(bytes)?)))
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        let content = notation::read(json)?;
        match self.frames {
            Some(frames) => content.framed(frames)?.to_vec(&self.options),
            None => content.to_vec(&self.options),
        }
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        Ok(explain::explain(bytes, self.frames, &self.options))
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

    fn diff(&self, old: &[u8], new: &[u8], most: usize) -> Result<Vec<Change>, (Side, Fault)> {
        let old = self.read(old).map_err(|fault| (Side::Old, fault))?;
        let new = self.read(new).map_err(|fault| (Side::New, fault))?;
        Ok(diff::compare(&tree::Node::root(&old), &tree::Node::root(&new), most))
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let content = self.read(bytes)?;
        match self.target {
            Some(target) => content.framed(target)?.to_vec(&self.options),
            None => content.to_vec(&self.options),
        }
    }
}

struct Decoded(Content);

impl Document for Decoded {
    fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown::new(&self.0, wrap), layout)
    }
}

impl From<zeze_serialize::Error> for Fault {
    fn from(error: zeze_serialize::Error) -> Self {
        Fault::from(&error)
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
