//! Godot's binary Variant.

mod args;
mod content;
mod explain;
mod notation;
mod tree;

use std::io::Write;

use gamewire::godot_variant::{self, ErrorKind, Options};

pub(super) use args::{GodotArgs, GodotTarget};

use self::args::Framing;
use self::content::Content;
use super::{Document, Explained, Limits, Side, Tool, Verdict, verdict};
use crate::diff::{self, Change};
use crate::fault::Fault;
use crate::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Godot {
    options: Options,
    /// `None` where the file or the JSON says it.
    framing: Option<Framing>,
    /// What `convert` writes with.
    target_options: Options,
    target_framing: Option<Framing>,
    /// Containers that the JSON notation may nest, the root included.
    levels: usize,
}

impl Godot {
    pub(super) fn new(limits: Limits, args: &GodotArgs, target: &GodotTarget) -> Self {
        let options = args.options(limits);
        Godot {
            target_options: target.options(&options),
            target_framing: target.framing(),
            framing: args.framing(),
            levels: limits.max_depth.unwrap_or(args::ENGINE_DEPTH) + 1,
            options,
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        Content::read(bytes, self.framing, &self.options)
    }
}

impl Tool for Godot {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, self.framing, &self.options)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Box<dyn Document>, Fault> {
        Ok(Box::new(Decoded { content: self.read(bytes)?, levels: self.levels }))
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        notation::read(json, self.framing, self.levels)?.to_vec(&self.options)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        explain::explain(bytes, self.framing, &self.options)
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        // The framing of the file, for both readings of it.
        let framing = self.framing.unwrap_or_else(|| content::guess(bytes, &self.options));
        verdict(
            bytes,
            |bytes| Content::read(bytes, Some(framing), &self.options),
            |content| content.to_vec(&self.options),
        )
    }

    fn diff(&self, old: &[u8], new: &[u8], most: usize) -> Result<Vec<Change>, (Side, Fault)> {
        let old = self.read(old).map_err(|fault| (Side::Old, fault))?;
        let new = self.read(new).map_err(|fault| (Side::New, fault))?;
        Ok(diff::compare(&tree::Node::root(&old), &tree::Node::root(&new), most))
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut content = self.read(bytes)?;
        content.framing = self.target_framing.unwrap_or(content.framing);
        content.to_vec(&self.target_options)
    }
}

struct Decoded {
    content: Content,
    levels: usize,
}

impl Document for Decoded {
    fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown::new(&self.content, wrap, self.levels), layout)
    }
}

impl From<godot_variant::Error> for Fault {
    fn from(error: godot_variant::Error) -> Self {
        Fault::from(&error)
    }
}

impl From<&godot_variant::Error> for Fault {
    fn from(error: &godot_variant::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::ObjectsNotAllowed => {
                Some("whole objects are read and written with --objects")
            }
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::UnknownType => {
                Some("nothing in the file names its dialect; perhaps --dialect godot3")
            }
            ErrorKind::NotCanonical => Some("without --strict this is read as the engine reads it"),
            _ => None,
        };
        Fault::new(error.to_string()).at(error.offset()).hint(hint)
    }
}
