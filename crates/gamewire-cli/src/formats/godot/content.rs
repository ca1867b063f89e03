//! A file: its framing and the values in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use gamewire::godot_variant::project::{MAGIC, ProjectSettings};
use gamewire::godot_variant::{Options, Value, frame};
use serde::de::IgnoredAny;

use super::args::Framing;
use crate::fault::Fault;
use crate::words;

/// What a file holds. Equal when the same bytes would be written.
#[derive(Debug, PartialEq)]
pub(in crate::formats) struct Content {
    pub(super) framing: Framing,
    pub(super) body: Body,
}

#[derive(Debug, PartialEq)]
pub(super) enum Body {
    Values(Vec<Value>),
    Settings(ProjectSettings),
}

impl Content {
    /// Reads a file, with the framing that it looks like if none is given.
    pub(super) fn read(
        bytes: &[u8],
        framing: Option<Framing>,
        options: &Options,
    ) -> Result<Self, Fault> {
        let framing = framing.unwrap_or_else(|| guess(bytes, options));
        let body = match (framing, frames(framing)) {
            (_, Some(frames)) => {
                Body::Values(frames.options(options.clone()).all_from_slice(bytes)?)
            }
            (Framing::Project, None) => {
                Body::Settings(ProjectSettings::from_slice_with(bytes, options)?)
            }
            (Framing::Base64, None) => {
                let bytes = from_base64(bytes)?;
                match options.from_slice(&bytes) {
                    Ok(value) => Body::Values(vec![value]),
                    Err(error) => {
                        let offset = error.offset();
                        return Err(Fault::from(error).within(offset, &bytes));
                    }
                }
            }
            _ => Body::Values(vec![options.from_slice(bytes)?]),
        };
        Ok(Content { framing, body })
    }

    /// Writes the file.
    pub(super) fn to_vec(&self, options: &Options) -> Result<Vec<u8>, Fault> {
        let framing = self.framing;
        let values = match &self.body {
            Body::Settings(settings) if framing == Framing::Project => {
                return Ok(settings.to_vec_with(options)?);
            }
            Body::Settings(_) => {
                let name = framing.name();
                return Err(Fault::new(format!(
                    "settings cannot be framed as {name}, only as project"
                )));
            }
            Body::Values(values) => values,
        };
        if let Some(frames) = frames(framing) {
            let frames = frames.options(options.clone());
            let mut out = Vec::new();
            for value in values {
                out.append(&mut frames.to_vec(value)?);
            }
            return Ok(out);
        }
        match (framing, values.as_slice()) {
            (Framing::Project, _) => {
                Err(Fault::new("a project.binary has settings with names, found values"))
            }
            (Framing::Base64, [value]) => Ok(frame::to_base64(value, options)?.into_bytes()),
            (_, [value]) => Ok(options.to_vec(value)?),
            (_, values) => {
                let (name, found) = (framing.name(), values.len());
                Err(Fault::new(format!("the framing {name} takes one value, found {found}")))
            }
        }
    }
}

/// The reader of frames with a length, for the framings that have one.
fn frames(framing: Framing) -> Option<frame::Framing> {
    match framing {
        Framing::StoreVar => Some(frame::Framing::new()),
        Framing::StoreVarBe => Some(frame::Framing::new().big_endian(true)),
        _ => None,
    }
}

/// The bytes that a text of base64 stands for.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, Fault> {
    let bytes = BASE64.decode(text.trim_ascii());
    bytes.map_err(|error| {
        let why = error.to_string();
        Fault::new(format!("expected base64 text: {}", why.trim_end_matches('.')))
    })
}

/// What a file looks like.
///
/// Best is a framing by which a variant fills each frame. Some short files have two of them: a frame
/// with nil in it has the bytes of an empty `String`. Frames come first then, because files have them.
/// A file that is broken is taken for what it was meant to be, so that the error speaks of what is
/// broken in it.
pub(super) fn guess(bytes: &[u8], options: &Options) -> Framing {
    let options = options.clone().allow_objects(true).strict(false).max_depth(usize::MAX);
    let is_whole = |frame: &[u8]| options.from_slice::<IgnoredAny>(frame).is_ok();
    let rest = bytes.get(4..).unwrap_or_default();
    if bytes.starts_with(&MAGIC) {
        Framing::Project
    } else if count(bytes, Framing::StoreVar, is_whole).is_some() {
        Framing::StoreVar
    } else if count(bytes, Framing::StoreVarBe, is_whole).is_some() {
        Framing::StoreVarBe
    } else if is_whole(bytes) {
        Framing::Bare
    } else if count(bytes, Framing::StoreVar, is_header).is_some() {
        Framing::StoreVar
    } else if count(bytes, Framing::StoreVarBe, is_header).is_some() {
        Framing::StoreVarBe
    } else if is_header(bytes) {
        Framing::Bare
    } else if is_header(rest) {
        // The length is wrong or the file is cut off. A length begins with the zeros it has.
        if bytes.first() == Some(&0) { Framing::StoreVarBe } else { Framing::StoreVar }
    } else if from_base64(bytes).is_ok_and(|bytes| is_header(&bytes)) {
        Framing::Base64
    } else {
        Framing::Bare
    }
}

/// How many frames fill the input, if they do and each is `good`.
fn count(bytes: &[u8], framing: Framing, good: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let frames = frames(framing)?.options(Options::new().max_alloc(usize::MAX));
    let (mut count, mut rest) = (0, bytes);
    while !rest.is_empty() {
        let (_, after) = frames.split(rest).ok().filter(|(frame, _)| good(frame))?;
        (count, rest) = (count + 1, after);
    }
    Some(count).filter(|count| *count > 0)
}

/// Whether a variant of some dialect may begin so. Flags are at most four bits, and those of 4.x
/// containers are the widest.
fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes.first_chunk(), Some([0..=38, 0, 0..=15, 0]))
}

/// The framing in a few words.
pub(super) fn describe(bytes: &[u8], framing: Option<Framing>, options: &Options) -> String {
    let framing = framing.unwrap_or_else(|| guess(bytes, options));
    let name = framing.name();
    if framing == Framing::Project {
        let count =
            bytes.get(4..).and_then(<[u8]>::first_chunk).map_or(0, |n| u32::from_le_bytes(*n));
        return format!("{name}, {count} settings");
    }
    match count(bytes, framing, is_header) {
        Some(count) => format!("{name}, {}", words::count(count, "value")),
        None => name,
    }
}
