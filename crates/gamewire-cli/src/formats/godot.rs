//! Godot's binary Variant.

mod args;
mod content;
mod notation;
mod tree;

use std::io::Write;

use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::{self, ErrorKind, Options, frame};

pub(super) use args::{GodotArgs, GodotTarget};

use self::args::Framing;
use self::content::Content;
use super::{Codec, Coding, Explained, Limits, Verdict, verdict};
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
}

impl Coding for Godot {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, self.framing, &self.options)
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        notation::read(json, self.framing, self.levels)?.to_vec(&self.options)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        let frames = || frame::Framing::new().options(self.options.clone());
        let framing = self.framing.unwrap_or_else(|| content::guess(bytes, &self.options));
        let explanation = match framing {
            Framing::Bare => self.options.explain(bytes),
            Framing::StoreVar => frames().explain(bytes),
            Framing::StoreVarBe => frames().big_endian(true).explain(bytes),
            Framing::Project => ProjectSettings::explain_with(bytes, &self.options),
            Framing::Base64 => self.options.explain(&content::from_base64(bytes)?),
        };
        Ok(Box::new(explanation))
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

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut content = self.read(bytes)?;
        content.framing = self.target_framing.unwrap_or(content.framing);
        content.to_vec(&self.target_options)
    }
}

impl Codec for Godot {
    type Content = Content;

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        Content::read(bytes, self.framing, &self.options)
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown { content, wrap, levels: self.levels }, layout)
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&tree::Node::root(old), &tree::Node::root(new), most)
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
