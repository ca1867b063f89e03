//! Godot's binary Variant.

mod args;
mod content;
mod notation;
mod tree;

use std::io::Write;

use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::wrapped::FileKind;
use gamewire::godot_variant::{self, ErrorKind, Options, frame, types::Type};

pub(super) use args::{GodotArgs, GodotTarget};

use self::args::{Framing, Wrapping};
use self::content::{Content, Reading};
use super::{Codec, Coding, Explained, Limits, Verdict, verdict};
use crate::diff::{self, Change};
use crate::fault::Fault;
use crate::json::{self, Layout};

/// The format with the options of one call.
pub(super) struct Godot {
    reading: Reading,
    /// What `convert` writes with.
    target_options: Options,
    target_framing: Option<Framing>,
    target_wrapping: Option<Option<Wrapping>>,
}

impl Godot {
    pub(super) fn new(limits: Limits, args: &GodotArgs, target: &GodotTarget) -> Self {
        let options = args.options(limits);
        Godot {
            target_options: target.options(&options),
            target_framing: target.framing(),
            target_wrapping: target.wrapping(),
            reading: Reading {
                framing: args.framing(),
                offset: args.offset(),
                key: args.key(),
                levels: limits.max_depth.unwrap_or(args::ENGINE_DEPTH) + 1,
                options,
            },
        }
    }
}

impl Coding for Godot {
    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.reading)
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault> {
        let reading = &self.reading;
        notation::read(json, reading.framing, reading.levels)?.to_vec(&reading.options, reading)
    }

    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault> {
        let options = &self.reading.options;
        let (bytes, _) = self.reading.open(bytes)?;
        let bytes = bytes.get(self.reading.offset..).unwrap_or_default();
        let frames = || frame::Framing::new().options(options.clone());
        let explanation = match self.reading.framing(bytes) {
            Framing::Bare | Framing::Text => options.explain(bytes),
            Framing::StoreVar => frames().explain(bytes),
            Framing::StoreVarBe => frames().big_endian(true).explain(bytes),
            Framing::Mixed => frames().explain_mixed(bytes),
            Framing::Project => ProjectSettings::explain_with(bytes, options),
            Framing::Base64 => options.explain(&content::from_base64(bytes)?),
            // What the file would be in bytes.
            Framing::Json => {
                let content = notation::read(bytes, None, self.reading.levels)?;
                options.explain(&content.to_vec(options, &self.reading)?)
            }
        };
        Ok(Box::new(explanation))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault> {
        // The framing of the file, for both readings of it.
        let content = Content::read(bytes, &self.reading)?;
        let reading = Reading { framing: Some(content.framing), ..self.reading.clone() };
        verdict(
            bytes,
            |bytes| Content::read(bytes, &reading),
            |content| content.to_vec(&reading.options, &reading),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut content = self.read(bytes)?;
        content.framing = self.target_framing.unwrap_or(content.framing);
        content.wrapping = self.target_wrapping.unwrap_or(content.wrapping);
        content.to_vec(&self.target_options, &self.reading)
    }
}

impl Codec for Godot {
    type Content = Content;

    fn read(&self, bytes: &[u8]) -> Result<Content, Fault> {
        Content::read(bytes, &self.reading)
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(out, &notation::Shown { content, wrap, levels: self.reading.levels }, layout)
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
            ErrorKind::KeyMissing => Some("--password TEXT or --key HEX opens it"),
            ErrorKind::WrongKey => Some("keys are written with --key, passwords with --password"),
            ErrorKind::NotCanonical => Some("without --strict this is read as the engine reads it"),
            _ => None,
        };
        Fault::new(error.to_string()).at(error.offset()).hint(hint)
    }
}

/// What a file is that this tool does not read, if it is one of the engine's.
pub(crate) fn neighbour(bytes: &[u8]) -> Option<String> {
    let kind = FileKind::of(bytes).filter(|kind| !kind.is_read())?;
    Some(format!("{kind}; this tool does not read it"))
}

/// Whether a file that was named is a value in the notation of `JSON.from_native`: an object whose `type` is one
/// of the engine's comes with its `args`, text has the prefix of its type.
pub(crate) fn is_native_json(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let Some(rest) = text.strip_prefix(b"{") else {
        return [&b"\"i:"[..], b"\"f:", b"\"s:", b"\"sn:", b"\"np:"]
            .iter()
            .any(|prefix| text.starts_with(prefix) && text.trim_ascii_end().ends_with(b"\""));
    };
    // The engine writes `type` first.
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"type\"") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b":") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let name = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
    let is_type = std::str::from_utf8(name).is_ok_and(|name| Type::from_name(name).is_some());
    is_type && rest.windows(6).take(256).any(|own| own == b"\"args\"" || own == b"_type\"")
}
