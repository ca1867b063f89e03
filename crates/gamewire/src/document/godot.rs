//! Godot's binary Variant.

mod advice;
mod body;
mod content;
mod engine_text;
mod grammar;
pub(super) mod json;
mod made;
pub(super) mod nested;
mod node;
mod notation;
mod packed;
mod salvage;
pub(super) mod settings;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use godot_variant::explain::{Explanation, File};
use godot_variant::wrapped::{Compression, FileKind};
use godot_variant::{self, Dialect, ErrorKind, Options, Precision, frame, types::Type};

pub(super) use self::body::VariantBody;
use self::content::{Content, Reading};
use self::grammar::What;
use self::settings::{Framing, GodotTarget, Wrapping};
use super::codec::{
    Codec, Edited, Verdict, Wrapped, Wrapper, changed_by_ranges, compared, difference,
};
use super::explained::{Explanation as AnyExplanation, alone};
use super::ranges::{Body, Bytes, Patch, RangeNode};
use super::salvage::{Salvaged, best};
use super::settings::{Settings, Target};
use crate::Format;
use crate::document::diff::{self, Change};
use crate::document::error::{Error, Hint};
use crate::document::json::{self as parsed, Layout};
use crate::document::{self, Syntax};

/// The format with the options of one call.
pub(super) struct Godot {
    reading: Reading,
    /// The options that `convert` writes with.
    target_options: Options,
    target_framing: Option<Framing>,
    target_dialect: Option<Dialect>,
    target_wrapping: Option<Option<Wrapping>>,
    /// Whether the settings allow whole objects, and say that components have 64 bits.
    has_objects: bool,
    is_double: bool,
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
    let is_only = matches!(&content.body, content::Body::Values(values) if values.len() == 1);
    let framing = match content.framing {
        Framing::Json | Framing::Text | Framing::Config if is_only => Framing::Bare,
        Framing::Text => Framing::StoreVar,
        other => other,
    };
    let content = Content { framing, ..content };
    let bytes = content.to_plain(&options.clone().allow_objects(true), reading.levels)?;
    Ok(match layout(&reading, framing) {
        Some(file) => file.explain(&bytes),
        None => options.explain(&bytes),
    })
}

/// A wrapper around JSON text.
#[derive(Debug)]
struct JsonWrapper {
    reading: Reading,
    wrapping: Option<Wrapping>,
    /// The bytes before the text, and how many of these are the length of the text.
    head: Vec<u8>,
    size: Option<usize>,
    /// The bytes after the text, if that is one of base64.
    base64_end: Option<Vec<u8>>,
    /// The initialization vector of the file.
    iv: Option<[u8; 16]>,
}

impl JsonWrapper {
    /// Returns the bytes that are in the wrapping.
    fn plain(&self, text: &[u8]) -> Result<Vec<u8>, Error> {
        let encoded =
            self.base64_end.as_ref().map(|end| [content::to_base64(text).as_bytes(), end].concat());
        let text = encoded.as_deref().unwrap_or(text);
        Ok([&*content::with_length(&self.head, self.size, text.len())?, text].concat())
    }
}

impl Wrapper for JsonWrapper {
    fn name(&self) -> String {
        let base64 = self.base64_end.as_ref().map(|_| Framing::Base64.name());
        let names = self.wrapping.map(Wrapping::name).into_iter().chain(base64);
        names.collect::<Vec<_>>().join(", ")
    }

    fn close(&self, text: &[u8], target: &Target) -> Result<Vec<u8>, Error> {
        self.reading.wrap(self.plain(text)?, target.godot.wrapping_of(self.wrapping))
    }

    fn close_later(&self, text: Bytes) -> Result<Bytes, Error> {
        match self.wrapping {
            Some(wrapping) => self.reading.wrap_later(self.plain(&text)?.into(), wrapping),
            None => self.close(&text, &Target::default()).map(Bytes::from),
        }
    }

    fn again(&self, text: &[u8]) -> Result<Vec<u8>, Error> {
        let reading = Reading { iv: self.iv, ..self.reading.clone() };
        reading.wrap(self.plain(text)?, self.wrapping)
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
    /// Containers that a notation may nest.
    pub(super) fn levels(settings: &Settings) -> usize {
        settings.limits.max_depth.unwrap_or(settings::ENGINE_DEPTH) + 1
    }

    /// Reads the values of a file in the dialect that is known by now.
    fn read_in(&self, bytes: &[u8], reading: &Reading) -> Result<Content, Error> {
        Content::read(bytes, reading).map_err(|error| self.hinted(error, bytes))
    }

    /// The error with the other dialect, where that reads the file; or what to try with that which is in a wrapper.
    fn hinted(&self, error: Error, bytes: &[u8]) -> Error {
        if let Ok((plain, Some(_))) = self.reading.open(bytes)
            && self.reading.framing.is_none()
            && self.reading.offset == 0
            && document::detect(&plain, None, true).is_none()
            && let Some(advice) = advice::advice(&plain)
        {
            return advice;
        }
        let other = self
            .reading
            .dialect
            .and_then(|own| self.reading.find(bytes).filter(|found| *found != own));
        match other {
            Some(Dialect::Godot3) => error.with_hint(Hint::Dialect("godot3")),
            Some(_) => error.with_hint(Hint::Dialect("godot4")),
            None => error,
        }
    }

    /// The bytes of a whole file in which the values of another one take the place of those.
    fn with_root(
        &self,
        ours: &VariantBody,
        theirs: RangeNode<'_, Godot>,
    ) -> Result<Vec<u8>, Error> {
        let values = |node: RangeNode<'_, Godot>| match node.what() {
            What::Frames(_) => node.list().map(|(_, node)| node.value()).collect(),
            _ => Ok(vec![node.value()?]),
        };
        let body = match theirs.what() {
            What::Settings => content::Body::Settings(theirs.settings()?),
            _ => content::Body::Values(values(theirs)?),
        };
        let content = Content { body, ..self.content(ours)? };
        content.to_vec(&self.reading.options, &self.reading)
    }
}

impl Codec for Godot {
    changed_by_ranges!();

    type Content = VariantBody;

    fn root<'c>(&'c self, content: &'c VariantBody) -> RangeNode<'c, Godot> {
        let all = self.all_of(content);
        let first = if content.is_only { all.list().next() } else { None };
        first.map_or(all, |(_, only)| only)
    }

    fn around<'c>(&'c self, content: &'c VariantBody) -> Option<RangeNode<'c, Godot>> {
        content.is_only.then(|| self.all_of(content))
    }

    fn rescanned(&self, content: &VariantBody, bytes: Vec<u8>) -> Result<VariantBody, Error> {
        self.with_bytes(content, bytes)
    }

    fn own_body<'c>(
        &self,
        content: &'c mut VariantBody,
        bytes: &[u8],
        patch: Option<&Patch>,
    ) -> Option<&'c mut Body> {
        Godot::own_body(self, content, bytes, patch)
    }

    fn closed(
        &self,
        _: &[u8],
        before: &VariantBody,
        after: VariantBody,
    ) -> Result<Edited<VariantBody>, Error> {
        self.with_text(before, after)
    }

    fn replaced<'c>(
        &'c self,
        ours: &'c VariantBody,
        theirs: RangeNode<'c, Godot>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let is_other = theirs.what() != self.root(ours).what()
            || theirs.what() != What::Value && theirs.context().form != ours.form;
        is_other.then(|| self.with_root(ours, theirs)).transpose()
    }

    fn is_known(bytes: &[u8], _name: Option<&Path>, is_sure: bool) -> bool {
        let is_known = |bytes: &[u8]| {
            is_native_json(bytes)
                || json::is_json(bytes)
                || engine_text::is_config(bytes)
                || FileKind::of(bytes) == Some(FileKind::ConfigText)
                || engine_text::is_text(bytes)
                || content::from_base64(bytes).is_ok_and(|own| json::is_json(&own))
        };
        // Of what is compressed, the beginning tells.
        let is_stream = || {
            Compression::of_stream(bytes).is_some_and(|own| {
                let start = own.decompress_start(bytes, 64);
                matches!(start.trim_ascii_start(), [b'{' | b'[', ..]) || salvage::begins(&start)
            })
        };
        is_sure && (is_known(bytes) || is_stream())
    }

    fn unsupported_kind(bytes: &[u8]) -> Option<Error> {
        content::unsupported_kind(bytes)
    }

    fn advice(bytes: &[u8]) -> Option<Error> {
        advice::advice(bytes)
    }

    fn unwrapped(bytes: &[u8], settings: &Settings) -> Option<Wrapped> {
        if settings.format.is_some_and(|format| format != Format::GodotVariant)
            || settings.godot.framing.is_some()
        {
            return None;
        }
        let reading = Godot::new(settings, &Target::default()).reading;
        let (plain, wrapping) = reading.open(bytes).ok()?;
        let (head, text) = plain.split_at_checked(reading.offset)?;
        let is_bare = wrapping.is_none() && head.is_empty();
        let size = content::size_of_length(head, text.len());
        let decoded = content::from_base64(text).ok().filter(|own| is_plain_json(own));
        let base64_end = decoded.as_ref().map(|_| text.get(text.trim_ascii_end().len()..));
        let base64_end = base64_end.flatten().map(<[u8]>::to_vec);
        if base64_end.is_none() && (is_bare || !is_plain_json(text)) {
            return None;
        }
        let text = decoded.unwrap_or_else(|| text.to_vec());
        let (head, text) = (head.to_vec(), Bytes::from(text));
        let iv = content::iv_of(bytes, wrapping);
        let wrapper = Arc::new(JsonWrapper { reading, wrapping, head, size, base64_end, iv });
        Some(Wrapped { syntax: Syntax::GodotJson, text, wrapper })
    }

    fn syntax(bytes: &[u8], settings: &Settings) -> Option<Syntax> {
        let is_open = settings.godot.framing.is_none() && settings.godot.offset == 0;
        (is_open && is_plain_json(bytes)).then_some(Syntax::GodotJson)
    }

    fn new(settings: &Settings, target: &Target) -> Self {
        let (limits, own, target) = (settings.limits, &settings.godot, &target.godot);
        let options = own.options(limits);
        let levels = Godot::levels(settings);
        Godot {
            target_options: target.options(&options),
            target_framing: target.framing,
            target_dialect: target.dialect,
            target_wrapping: target.wrapping,
            has_objects: own.objects,
            is_double: own.precision == Some(Precision::Double),
            reading: Reading {
                dialect: own.dialect,
                framing: own.framing,
                partial_frames: own.partial_frames,
                offset: own.offset,
                secret: own.secret.clone(),
                stream: own.stream,
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

    fn describe_read(&self, content: &VariantBody, bytes: &[u8]) -> String {
        self.describe_body(content).unwrap_or_else(|| self.describe(bytes))
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
        let iv = content::iv_of(bytes, content.wrapping);
        let reading = Reading { framing: Some(content.framing), iv, ..reading };
        if let Some(lost) = content.lost()? {
            return Ok(Verdict::Differs(lost));
        }
        let options = reading.options.clone().unchecked_types(true);
        let written = content.to_vec(&options, &reading);
        // Where only the packing differs, values are not read again: they would be there twice.
        if let Ok(written) = &written
            && let Some(at) = difference(bytes, written)
            && reading.open(bytes)?.0 == reading.open(written)?.0
        {
            return Ok(Verdict::Equivalent(at));
        }
        compared(bytes, &content, written, |bytes| Content::read(bytes, &reading))
    }

    fn remarks(&self, bytes: &[u8]) -> Vec<String> {
        const MOST: usize = 8;
        let reading = self.reading.settled(bytes);
        let Ok((plain, _)) = reading.open(bytes) else { return Vec::new() };
        let (all, is_row) =
            content::variants(plain.get(reading.offset..).unwrap_or_default(), &reading);
        let doubt = self.file(&bytes.into()).and_then(|own| own.must_be_sure()).err();
        let doubt = doubt.map(|own| own.message().to_owned());
        let each = all.iter().enumerate().flat_map(|(at, own)| {
            let found = reading.options.misfits(own, MOST).into_iter();
            found.map(move |own| if is_row { own.inside(at) } else { own }.to_string())
        });
        doubt.into_iter().chain(each).take(MOST).collect()
    }

    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        if self.reading.dialect.is_none() {
            self.file(&bytes.into())?.must_be_sure()?;
        }
        let mut content = self.read_in(bytes, &self.reading.settled(bytes))?;
        content.framing = self.target_framing.unwrap_or(content.framing);
        let target = GodotTarget {
            dialect: self.target_dialect,
            wrapping: self.target_wrapping,
            ..GodotTarget::default()
        };
        content.wrapping = target.wrapping_of(content.wrapping);
        content.dialect = self.target_dialect.unwrap_or(content.dialect);
        if content.framing == Framing::Json && self.target_dialect == Some(Dialect::Godot3) {
            return Err(Error::new(
                "Godot 3 has no JSON.from_native; another framing is to be written",
            ));
        }
        if let (Some(source), Some(dialect)) = (&content.source, self.target_dialect) {
            let (framing, options) = (content.framing, &self.target_options);
            content.source = Some(engine_text::text_in(source, framing, dialect, options)?);
        }
        content.to_vec(&self.target_options, &self.reading)
    }

    fn read(&self, bytes: &Bytes) -> Result<VariantBody, Error> {
        self.file(bytes).map_err(|error| self.hinted(error, bytes))
    }

    fn must_be_sure(&self, content: &VariantBody) -> Result<(), Error> {
        content.must_be_sure()
    }

    fn write_json(
        &self,
        content: &VariantBody,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), Error> {
        let (content, levels) = (self.content(content)?, self.reading.levels);
        Ok(parsed::write(out, &notation::NativeFile { content: &content, wrap, levels }, layout)?)
    }

    fn is_only(&self, content: &VariantBody) -> bool {
        content.is_only
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

    fn compare(
        &self,
        old: &VariantBody,
        new: &VariantBody,
        most: usize,
    ) -> Result<Vec<Change>, Error> {
        Ok(diff::compare(&self.root(old), &self.root(new), most))
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
            let guess = content::detect_framing(rest, &reading.options);
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
            ErrorKind::ObjectsNotAllowed => Some(Hint::Objects),
            ErrorKind::DepthLimit => Some(Hint::Depth),
            ErrorKind::MemoryLimit | ErrorKind::AllocLimit => Some(Hint::Memory),
            ErrorKind::KeyMissing => Some(Hint::Secret),
            ErrorKind::WrongKey => Some(Hint::OtherSecret),
            ErrorKind::NotCanonical => Some(Hint::StrictEngine),
            _ => None,
        };
        Error::new(error.to_string()).at(error.offset()).with_hint(hint)
    }
}

/// Whether a text is JSON that is not the notation of a value or of a file.
fn is_plain_json(text: &[u8]) -> bool {
    // It stands near the beginning.
    let may_be_file = || text.windows(9).take(1 << 12).any(|own| own == b"\"framing\"");
    let is_file = || may_be_file() && parsed::members(text, &["framing"]).contains_key("framing");
    json::is_json(text) && !is_native_json(text) && !is_file()
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
    let is_sorted = rest.starts_with(b"\"args\"");
    let last = || rest.windows(6).rposition(|own| own == b"\"type\"");
    let (rest, is_sorted) = match if is_sorted { last() } else { None } {
        Some(at) => (rest.get(at..).unwrap_or_default(), true),
        None => (rest, false),
    };
    let Some(rest) = rest.strip_prefix(b"\"type\"") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b":") else { return false };
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let name = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
    let is_type = std::str::from_utf8(name).is_ok_and(|name| Type::from_name(name).is_some());
    let has_parts = |own: &[u8]| own == b"\"args\"" || own == b"_type\"";
    is_type && (is_sorted || rest.windows(6).take(256).any(has_parts))
}
