//! Godot's binary Variant.

mod content;
mod node;
mod notation;
mod packed;
mod place;
mod salvage;
pub(super) mod settings;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use godot_variant::explain::{Explanation, File};
use godot_variant::wrapped::Generation;
use godot_variant::{self, Dialect, ErrorKind, Options, frame, types::Type};

use self::content::{Body, Content, Reading};
use self::settings::{Framing, Wrapping};
use super::codec::{Codec, Verdict, Wrapped, Wrapper, verdict};
use super::explained::{Explanation as AnyExplanation, alone};
use super::salvage::{Salvaged, best};
use super::settings::{Settings, Target};
use super::splice;
use crate::Format;
use crate::document::diff::{self, Change};
use crate::document::edit::Edit;
use crate::document::error::Error;
use crate::document::focus::Look;
use crate::document::json::{self, Layout};
use crate::document::patch;

/// The format with the options of one call.
pub(super) struct Godot {
    reading: Reading,
    /// The options that `convert` writes with.
    target_options: Options,
    target_framing: Option<Framing>,
    target_dialect: Option<Dialect>,
    target_wrapping: Option<Option<Wrapping>>,
}

/// How a file is explained that is no text.
fn layout(reading: &Reading, framing: Framing) -> Option<File> {
    let options = &reading.options;
    let frames = frame::Framing::new().options(options.clone());
    Some(match framing {
        Framing::Bare => File::variant(options),
        Framing::StoreVar => File::frames(&frames),
        Framing::StoreVarBe => File::frames(&frames.big_endian(true)),
        Framing::Mixed => File::mixed(&frames),
        Framing::Project => File::settings(options),
        Framing::Base64 | Framing::Json | Framing::Text | Framing::Config => return None,
    })
}

/// Explains the bytes that a text stands for.
fn explain_text(reading: &Reading, text: &[u8], framing: Framing) -> Result<Explanation, Error> {
    let options = &reading.options;
    if framing == Framing::Base64 {
        return Ok(options.explain(&content::from_base64(text)?));
    }
    let reading = Reading { framing: Some(framing), ..reading.clone() };
    let content = Content::plain(text, &reading)?;
    let framing = match content.framing {
        Framing::Json | Framing::Text | Framing::Config => Framing::Bare,
        other => other,
    };
    let content = Content { framing, ..content };
    Ok(options.explain(&content.to_plain(options, reading.levels)?))
}

/// A wrapper around JSON text.
#[derive(Debug)]
struct JsonWrapper {
    reading: Reading,
    wrapping: Option<Wrapping>,
}

impl Wrapper for JsonWrapper {
    fn name(&self) -> String {
        self.wrapping.map_or_else(String::new, Wrapping::name)
    }

    fn close(&self, text: &[u8], target: &Target) -> Result<Vec<u8>, Error> {
        self.reading.wrap(text.to_vec(), target.godot.wrapping.unwrap_or(self.wrapping))
    }
}

/// The bytes in a compressed or encrypted file of Godot, whatever they are.
///
/// # Errors
///
/// If the file has no such wrapper, or the settings have no key that opens it.
pub fn unwrap(bytes: &[u8], settings: &Settings) -> Result<Vec<u8>, Error> {
    match Godot::new(settings, &Target::default()).reading.open(bytes)? {
        (_, None) => Err(Error::new("expected a compressed or encrypted file of Godot")),
        (plain, Some(_)) => Ok(plain.into_owned()),
    }
}

/// Any bytes, compressed or encrypted as Godot does it.
///
/// # Errors
///
/// If the settings have no key to encrypt with.
pub fn wrap(bytes: Vec<u8>, wrapping: Wrapping, settings: &Settings) -> Result<Vec<u8>, Error> {
    Godot::new(settings, &Target::default()).reading.wrap(bytes, Some(wrapping))
}

impl Godot {
    /// Reads a file in the dialect that is known by now.
    fn read_in(&self, bytes: &[u8], reading: &Reading) -> Result<Content, Error> {
        Content::read(bytes, reading).map_err(|error| {
            // The other dialect is named where it reads the file.
            let other = self
                .reading
                .dialect
                .and_then(|own| self.reading.find(bytes).filter(|found| *found != own));
            match other {
                Some(Dialect::Godot3) => error.with_hint(Some("--dialect godot3 reads it")),
                Some(_) => error.with_hint(Some("--dialect godot4 reads it")),
                None => error,
            }
        })
    }
}

impl Codec for Godot {
    type Content = Content;

    fn is_known(bytes: &[u8], _name: Option<&Path>, is_sure: bool) -> bool {
        is_sure && is_native_json(bytes)
    }

    fn neighbour(bytes: &[u8]) -> Option<String> {
        content::neighbour(bytes)
    }

    fn unwrapped(bytes: &[u8], settings: &Settings) -> Option<Wrapped> {
        if settings.format.is_some_and(|format| format != Format::GodotVariant)
            || settings.godot.framing.is_some()
        {
            return None;
        }
        let reading = Godot::new(settings, &Target::default()).reading;
        let (text, wrapping) = reading.open(bytes).ok().filter(|(_, own)| own.is_some())?;
        let is_json = matches!(text.trim_ascii_start(), [b'{' | b'[', ..])
            && !is_native_json(&text)
            && !content::is_config(&text)
            && serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok();
        // The format that any JSON can be read as, where it is there.
        let format = "o3de-json".parse().ok().filter(|_| is_json)?;
        let wrapper = Box::new(JsonWrapper { reading, wrapping });
        Some(Wrapped { format, text: text.into_owned(), wrapper })
    }

    fn new(settings: &Settings, target: &Target) -> Self {
        let (limits, own, target) = (settings.limits, &settings.godot, &target.godot);
        let options = own.options(limits);
        let levels = limits.max_depth.unwrap_or(settings::ENGINE_DEPTH) + 1;
        Godot {
            target_options: target.options(&options),
            target_framing: target.framing,
            target_dialect: target.dialect,
            target_wrapping: target.wrapping,
            reading: Reading {
                dialect: own.dialect,
                framing: own.framing,
                partial_frames: own.partial_frames,
                offset: own.offset,
                key: own.key(),
                iv: None,
                levels,
                options,
                limits,
            },
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        content::describe(bytes, &self.reading.settled(bytes))
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let reading = &self.reading;
        let mut content = notation::read(json, reading.framing, reading.levels)?;
        content.dialect = reading.dialect.unwrap_or(content.dialect);
        content.to_vec(&reading.options, reading)
    }

    fn explain(&self, bytes: &[u8]) -> Result<AnyExplanation, Error> {
        let reading = &self.reading.settled(bytes);
        let opener = reading.opener(bytes)?;
        // A file that cannot be opened is explained as far as possible.
        let opened = reading.open_damaged(bytes);
        let plain = opened.map_or_else(|_| Cow::Borrowed(bytes), |(plain, ..)| plain);
        let plain = plain.get(reading.offset..).unwrap_or_default();
        let framing = reading.framing(plain);
        Ok(AnyExplanation::of(match layout(reading, framing) {
            Some(file) => {
                let explained = file.offset(reading.offset).opener(opener).explain(bytes);
                match framing {
                    Framing::StoreVar | Framing::StoreVarBe | Framing::Mixed => alone(explained),
                    _ => explained,
                }
            }
            None => explain_text(reading, plain, framing)?,
        }))
    }

    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        // The framing and the dialect of the file, for both readings of it.
        let reading = self.reading.settled(bytes);
        let content = self.read_in(bytes, &reading)?;
        let iv = match content.wrapping {
            Some(Wrapping::Encrypted(Generation::Godot4)) => content::iv(bytes),
            _ => None,
        };
        let reading = Reading { framing: Some(content.framing), iv, ..reading };
        verdict(
            bytes,
            |bytes| Content::read(bytes, &reading),
            |content| content.to_vec(&reading.options, &reading),
        )
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let mut content = self.read(bytes)?;
        content.framing = self.target_framing.unwrap_or(content.framing);
        content.wrapping = self.target_wrapping.unwrap_or(content.wrapping);
        content.dialect = self.target_dialect.unwrap_or(content.dialect);
        content.to_vec(&self.target_options, &self.reading)
    }

    fn read(&self, bytes: &[u8]) -> Result<Content, Error> {
        self.read_in(bytes, &self.reading.settled(bytes))
    }

    fn read_part(&self, bytes: &[u8], look: Look<'_>) -> Option<Content> {
        Content::read_part(bytes, &self.reading, look)
    }

    fn reads_alike(&self, old: &Content, new: &Content) -> bool {
        old.dialect == new.dialect
    }

    fn edit_part(&self, bytes: &[u8], edits: &[Edit<'_>]) -> Option<Vec<u8>> {
        let (plain, wrapping) = self.reading.open(bytes).ok()?;
        let made = patch::edit(self, &plain, edits)?;
        if made == *plain {
            return Some(bytes.to_vec());
        }
        self.reading.wrap(made, wrapping).ok()
    }

    fn write_json(
        &self,
        content: &Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        json::write(
            out,
            &notation::NativeFile { content, wrap, levels: self.reading.levels },
            layout,
        )
    }

    type Node<'c> = node::Node<'c>;
    type Item = node::VariantItem;

    fn root<'c>(&'c self, content: &'c Content) -> node::Node<'c> {
        node::Node::root(content, self.reading.levels)
    }

    fn is_only(&self, content: &Content) -> bool {
        let is_framed = content.framing != Framing::Bare;
        is_framed && matches!(&content.body, Body::Values(values) if values.len() == 1)
    }

    fn is_same(&self, old: &Content, new: &Content) -> bool {
        old == new
    }

    fn take(&self, content: &mut Content) -> node::VariantItem {
        match &mut content.body {
            Body::Settings(settings) => {
                node::VariantItem::Settings(std::mem::take(&mut settings.entries))
            }
            Body::Values(values) => match values.as_mut_slice() {
                [only] => node::VariantItem::Value(std::mem::take(only)),
                _ => node::VariantItem::Stream(std::mem::take(values)),
            },
        }
    }

    fn put(&self, content: &mut Content, root: node::VariantItem) -> Result<(), String> {
        match (&mut content.body, root) {
            (Body::Settings(settings), node::VariantItem::Settings(entries)) => {
                settings.entries = entries;
            }
            (Body::Values(values), node::VariantItem::Value(only)) => *values = vec![only],
            (Body::Values(values), node::VariantItem::Stream(all)) => *values = all,
            _ => return Err("does not fit there".to_owned()),
        }
        Ok(())
    }

    fn changed(&self, bytes: &[u8], before: &Content, after: &Content) -> Result<Vec<u8>, Error> {
        let write = |content: &Content| content.to_vec(&self.reading.options, &self.reading);
        self.keep(bytes, &write(before)?, write(after)?)
    }

    /// Text, base64 and JSON are written again as a whole: their explanations are of other bytes.
    fn spliced(&self, bytes: &[u8], canonical: &[u8], made: &[u8]) -> Option<Vec<u8>> {
        let reading = &self.reading.settled(bytes);
        let open = |bytes| reading.open(bytes).ok();
        let ((own, wrapping), (before, _), (after, _)) =
            (open(bytes)?, open(canonical)?, open(made)?);
        let framing = reading.framing(own.get(reading.offset..)?);
        let file = layout(reading, framing)?.offset(reading.offset);
        let [own, before, after] =
            [&own, &before, &after].map(|bytes| AnyExplanation::of(file.explain(bytes)));
        let plain = splice::merged(&own.pieces(), &before.pieces(), &after.pieces())?;
        reading.wrap(plain, wrapping).ok()
    }

    fn begins(bytes: &[u8]) -> bool {
        salvage::begins(bytes)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        let own = self.reading.settled(bytes);
        if self.reading.dialect.is_some() {
            return salvaged(bytes, &own);
        }
        let other = match own.dialect {
            Some(Dialect::Godot3) => Dialect::Godot4,
            _ => Dialect::Godot3,
        };
        let other = Reading { dialect: Some(other), ..self.reading.clone() }.settled(bytes);
        // A damaged file may not say which engine wrote it: the dialect that tells most counts.
        best([own, other].map(|own| salvaged(bytes, &own)))
    }

    fn compare(&self, old: &Content, new: &Content, most: usize) -> Vec<Change> {
        diff::compare(&self.root(old), &self.root(new), most)
    }
}

fn salvaged(bytes: &[u8], reading: &Reading) -> Result<Salvaged, Error> {
    let (plain, wrapping, wrong) = reading.open_damaged(bytes)?;
    let Some((head, rest)) = plain.split_at_checked(reading.offset) else {
        return Err(Error::new("the file ends before the offset"));
    };
    let made = match reading.framing {
        Some(framing) => salvage::salvage(rest, framing, reading),
        None => {
            // A cut-off file may look like something else: the framing that tells most counts.
            let guess = content::guess(rest, &reading.options);
            let all = [guess, Framing::StoreVar, Framing::StoreVarBe, Framing::Bare];
            best(all.map(|framing| salvage::salvage(rest, framing, reading)))
        }
    };
    let made = match (made, wrong) {
        (Ok(made), None) => made,
        // Noise is a value, too, if a short one.
        (Ok(_), Some(wrong)) if !salvage::begins(rest) && !rest.starts_with(b"ECFG") => {
            return Err(wrong);
        }
        (Ok(mut made), Some(wrong)) => {
            made.lost.insert(0, wrong.message);
            made
        }
        // With the wrong key, nothing that is found in the data says anything.
        (Err(_), Some(wrong)) => return Err(wrong),
        (Err(fault), None) => return Err(fault),
    };
    let whole = [head, &made.bytes].concat();
    Ok(Salvaged { bytes: reading.wrap(whole, wrapping)?, kept: made.kept + head.len(), ..made })
}

impl From<&godot_variant::Error> for Error {
    fn from(error: &godot_variant::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::ObjectsNotAllowed => {
                Some("whole objects are read and written with --objects")
            }
            ErrorKind::DepthLimit => Some("--max-depth N allows deeper nesting"),
            ErrorKind::MemoryLimit | ErrorKind::AllocLimit => {
                Some("--max-memory BYTES allows more")
            }
            ErrorKind::KeyMissing => Some("--password TEXT or --key HEX opens it"),
            ErrorKind::WrongKey => Some("keys are written with --key, passwords with --password"),
            ErrorKind::NotCanonical => Some("without --strict this is read as the engine reads it"),
            _ => None,
        };
        Error::new(error.to_string()).at(error.offset()).with_hint(hint)
    }
}

/// Whether a file that was named is a value in the notation of `JSON.from_native`: an object whose `type` is one
/// of the engine's comes with its `args`, text has the prefix of its type.
fn is_native_json(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let Some(rest) = text.strip_prefix(b"{") else {
        return [&b"\"i:"[..], b"\"f:", b"\"s:", b"\"sn:", b"\"np:"]
            .iter()
            .any(|prefix| text.starts_with(prefix) && text.trim_ascii_end().ends_with(b"\""));
    };
    // `JSON.from_native` puts `type` first, and `JSON.stringify` sorts it behind `args`.
    let rest = rest.trim_ascii_start();
    let (rest, is_sorted) = match rest.windows(6).rposition(|own| own == b"\"type\"") {
        Some(at) if rest.starts_with(b"\"args\"") => (rest.get(at..).unwrap_or_default(), true),
        _ => (rest, false),
    };
    let Some(rest) = rest.strip_prefix(b"\"type\"") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b":") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let name = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
    let is_type = std::str::from_utf8(name).is_ok_and(|name| Type::from_name(name).is_some());
    let has_parts = |own: &[u8]| own == b"\"args\"" || own == b"_type\"";
    is_type && (is_sorted || rest.windows(6).take(256).any(has_parts))
}
