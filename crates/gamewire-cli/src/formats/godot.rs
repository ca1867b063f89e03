//! Godot's binary Variant.

mod args;
mod content;
mod edit;
mod notation;
mod salvage;
mod tree;

use std::io::Write;

use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::{self, ErrorKind, Options, frame};

use serde_json::Value as Json;

pub(super) use args::{GodotArgs, GodotTarget};

use self::args::Framing;
use self::content::Content;
use super::salvage::best;
use super::{Codec, Coding, Explained, Limits, Salvaged, Verdict, verdict};
use crate::diff::{self, Change};
use crate::edit::Notation;
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
    notation: edit::Native,
}

impl Godot {
    pub(super) fn new(limits: Limits, args: &GodotArgs, target: &GodotTarget) -> Self {
        let options = args.options(limits);
        let levels = limits.max_depth.unwrap_or(args::ENGINE_DEPTH) + 1;
        Godot {
            notation: edit::Native { levels },
            target_options: target.options(&options),
            target_framing: target.framing(),
            framing: args.framing(),
            levels,
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

    fn notation(&self) -> &dyn Notation {
        &self.notation
    }

    /// What the file says counts, not what a text is to be made.
    fn write_whole(&self, json: &Json) -> Result<Vec<u8>, Fault> {
        let text = json.to_string();
        notation::read(text.as_bytes(), None, self.levels)?.to_vec(&self.options)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault> {
        if let Some(framing) = self.framing {
            return salvage::salvage(bytes, framing, &self.options);
        }
        // What is cut off may look like something else: the framing that tells most counts.
        let guess = content::guess(bytes, &self.options);
        let all = [guess, Framing::StoreVar, Framing::StoreVarBe, Framing::Bare];
        best(all.map(|framing| salvage::salvage(bytes, framing, &self.options)))
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
            ErrorKind::MemoryLimit => Some("--max-memory BYTES allows more"),
            ErrorKind::UnknownType => {
                Some("nothing in the file names its dialect; perhaps --dialect godot3")
            }
            ErrorKind::NotCanonical => Some("without --strict this is read as the engine reads it"),
            _ => None,
        };
        Fault::new(error.to_string()).at(error.offset()).hint(hint)
    }
}
