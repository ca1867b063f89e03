//! A file: what is around the objects, and the objects.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use kiwi_pclass::archive::{Archive, is_bare_object};
use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Options, Schema, Segment, Unknown, Value, envelope, xml};

use super::settings::{Form, PclassSettings};
use crate::document::error::Error;
use crate::document::focus::{Focus, Look};
use crate::document::limits::Limits;
use crate::document::path::Step;
use crate::document::sieve::Ground;
use crate::document::words::count as counted;

/// The settings, as far as they are known of a file.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    /// `None` where the file or the JSON says it.
    pub(super) form: Option<Form>,
    pub(super) mode: Option<Mode>,
    pub(super) flags: Option<SerializerFlags>,
    pub(super) mask: Option<PropertyFlags>,
    schema: Option<Arc<Schema>>,
    core_types: Option<Arc<CoreTypes>>,
    unknown: Unknown,
    skip_deprecated: bool,
    max_depth: usize,
    max_memory: Option<usize>,
    /// Whether the file has the name of those that hold an object and no magic.
    is_bare_object: bool,
}

impl Terms {
    pub(super) fn new(limits: Limits, own: &PclassSettings, name: Option<&Path>) -> Self {
        Terms {
            is_bare_object: name.and_then(Path::to_str).is_some_and(is_bare_object),
            form: own.form,
            mode: own.mode,
            flags: own.flags,
            mask: own.mask,
            schema: own.schema.clone(),
            core_types: own.core_types.clone(),
            unknown: own.unknown.unwrap_or(Unknown::Keep),
            skip_deprecated: own.skip_deprecated,
            max_depth: limits.max_depth.unwrap_or(Value::MAX_SERDE_DEPTH),
            max_memory: limits.max_memory,
        }
    }

    /// The options that a form has, where the command line does not say otherwise.
    pub(super) fn options(&self, form: Form) -> Result<Options, Error> {
        let mut options = self.layers(form);
        match &self.schema {
            Some(schema) => options = options.schema(Arc::clone(schema)),
            None => {
                let hint = "the bytes do not say what they are: --types FILE names a type list";
                return Err(Error::new("no type list is given").with_hint(Some(hint)));
            }
        }
        if let Some(types) = &self.core_types {
            options = options.core_types(Arc::clone(types));
        }
        Ok(options)
    }

    /// The same without a schema.
    pub(super) fn layers(&self, form: Form) -> Options {
        let base = match form {
            Form::Bind => Options::file(),
            Form::Xml => Options::file().bind(false),
            Form::Bare | Form::Zlib | Form::Envelope => Options::new(),
        };
        let mut options = base
            .manual_compression(form == Form::Zlib)
            // Text has no bits to keep.
            .unknown(if form.is_text() { Unknown::Refuse } else { self.unknown })
            .skip_deprecated(self.skip_deprecated)
            .max_depth(self.max_depth)
            // The file is in memory already.
            .max_alloc(usize::MAX);
        if let Some(bytes) = self.max_memory {
            options = options.max_memory(bytes);
        }
        if let Some(mode) = self.mode.filter(|_| form != Form::Bind) {
            options = options.mode(mode);
        }
        if let Some(flags) = self.flags {
            options = options.flags(flags);
        }
        if let Some(mask) = self.mask {
            options = options.mask(mask);
        }
        options
    }

    /// The same with the form that the file has, and with what its name says of it.
    pub(super) fn settle(&self, bytes: &[u8]) -> Terms {
        let form = self.form.unwrap_or_else(|| guess(bytes, self));
        let mut own = Terms { form: Some(form), ..self.clone() };
        if form == Form::Bare && self.is_bare_object {
            own.mode.get_or_insert(Mode::Deep);
            own.flags.get_or_insert(SerializerFlags::NONE);
            own.mask.get_or_insert(PropertyFlags::SAVE);
        }
        own
    }

    /// Names the options that may be missing.
    fn hinted(&self, fault: Error, bytes: &[u8]) -> Error {
        let hint = match self.form {
            Some(Form::Bare) if is_packed(bytes) => {
                "this looks like a size and compressed data, damaged: --form zlib reads it so"
            }
            Some(Form::Bare | Form::Zlib | Form::Envelope)
                if self.mode.is_none() || self.flags.is_none() =>
            {
                "the bytes do not say how they are laid out: --mode, --flags and --mask do"
            }
            _ => return fault,
        };
        if fault.hint.is_some() && !is_packed(bytes) { fault } else { fault.with_hint(Some(hint)) }
    }

    pub(super) fn default_mode(&self, form: Form) -> Mode {
        let is_deep = matches!(form, Form::Bind | Form::Xml);
        match self.mode {
            Some(mode) if form != Form::Bind => mode,
            _ if is_deep => Mode::Deep,
            _ => Mode::Shallow,
        }
    }

    pub(super) fn default_flags(&self, form: Form) -> SerializerFlags {
        let is_file = matches!(form, Form::Bind | Form::Xml);
        let own = if is_file { SerializerFlags::FILE } else { SerializerFlags::NONE };
        self.flags.unwrap_or(own)
    }

    pub(super) fn default_mask(&self, form: Form) -> PropertyFlags {
        let is_file = matches!(form, Form::Bind | Form::Xml);
        let own = if is_file { PropertyFlags::SAVE } else { PropertyFlags::TRANSMITTED };
        self.mask.unwrap_or(own)
    }
}

/// The data of a file. Equal when the same would be written, NaN and signs of zero included.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    pub(super) form: Form,
    pub(super) mode: Mode,
    pub(super) flags: SerializerFlags,
    pub(super) mask: PropertyFlags,
    /// One, except in XML.
    pub(super) objects: Vec<Value>,
}

impl Content {
    /// Reads a file, with the form that it looks like and the mode and flags that its name says, where they are
    /// not given.
    pub(super) fn read(bytes: &[u8], terms: &Terms) -> Result<Self, Error> {
        if terms.form.is_none() && Archive::is_archive(bytes) {
            let hint = "--entry NAME means one of its entries; `decode` takes names after the archive, and --out-dir for all";
            return Err(Error::new("is an archive, and no object").with_hint(Some(hint)));
        }
        let terms = terms.settle(bytes);
        Content::read_as(bytes, &terms).map_err(|fault| terms.hinted(fault, bytes))
    }

    /// Reads what is looked at.
    pub(super) fn read_part(bytes: &[u8], terms: &Terms, look: Look<'_>) -> Option<Self> {
        let terms = terms.settle(bytes);
        let form = terms.form.filter(|form| !form.is_text())?;
        let options = terms.options(form).ok()?;
        let stream = stream(bytes, form, &options).ok()?;
        let step = |segment: Segment| match segment {
            Segment::Field(name) => Step::Name(name),
            Segment::Index(index) => Step::Index(index),
            other => Step::Other(other.to_string()),
        };
        let header = options.header(&stream).ok()?;
        let flags = header.flags;
        // Offsets are those of the objects.
        if matches!(look, Look::Differing(_)) && (header.compressed || form == Form::Zlib) {
            return None;
        }
        // The class, which an object's length follows.
        let ground = Ground { bytes: &stream, head: 4, has_bits: true, telling: &[] };
        let mut focus = Focus::new(look, ground, step);
        let objects = vec![options.part_from_slice(&stream, &mut focus).ok()?];
        let (mode, mask) = (terms.default_mode(form), terms.default_mask(form));
        Some(Content { form, mode, flags, mask, objects })
    }

    /// Reads a file whose form is known.
    fn read_as(bytes: &[u8], terms: &Terms) -> Result<Self, Error> {
        let form = terms.form.unwrap_or(Form::Bare);
        let options = terms.options(form)?;
        let mut flags = terms.default_flags(form);
        let objects = if form.is_text() {
            let text = std::str::from_utf8(bytes)
                .map_err(|error| Error::new("expected UTF-8 text").at(Some(error.valid_up_to())))?;
            xml::all_from_str(text, &options)?
        } else {
            let stream = stream(bytes, form, &options)?;
            let within = |error: kiwi_pclass::Error| match &stream {
                Cow::Borrowed(_) => Error::from(error),
                Cow::Owned(inflated) => {
                    let offset = error.offset();
                    Error::from(error).within(offset, inflated)
                }
            };
            flags = options.header(&stream).map_err(within)?.flags;
            vec![options.from_slice(&stream).map_err(within)?]
        };
        let (mode, mask) = (terms.default_mode(form), terms.default_mask(form));
        Ok(Content { form, mode, flags, mask, objects })
    }

    /// Writes the file.
    pub(super) fn to_vec(&self, terms: &Terms) -> Result<Vec<u8>, Error> {
        let options = terms.layers(self.form).mode(self.mode).flags(self.flags).mask(self.mask);
        let options = match terms.options(self.form) {
            Ok(own) => own.mode(self.mode).flags(self.flags).mask(self.mask),
            Err(_) => options,
        };
        if self.form.is_text() {
            return Ok(xml::all_to_string(&self.objects, &options)?.into_bytes());
        }
        let [object] = self.objects.as_slice() else {
            let (name, found) = (self.form.name(), self.objects.len());
            return Err(Error::new(format!("the form {name} takes one object, found {found}")));
        };
        let bytes = options.to_vec(object)?;
        Ok(match self.form {
            Form::Envelope => envelope::wrap(&bytes, true)?,
            _ => bytes,
        })
    }
}

/// The stream in a file.
pub(super) fn stream<'a>(
    bytes: &'a [u8],
    form: Form,
    options: &Options,
) -> Result<Cow<'a, [u8]>, Error> {
    match form {
        Form::Envelope => Ok(envelope::unwrap(bytes, options)?),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

/// Guesses the container of a file.
fn guess(bytes: &[u8], terms: &Terms) -> Form {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(b"BINd") {
        Form::Bind
    } else if text.starts_with(b"<") {
        Form::Xml
    } else if is_stored(bytes) && terms.core_types.is_none() {
        Form::Envelope
    } else if is_packed(bytes) && envelope::unwrap(bytes, &terms.layers(Form::Bare)).is_ok() {
        // Its size and its checksum are right.
        Form::Zlib
    } else {
        Form::Bare
    }
}

/// Whether the length of an envelope stands before what is not compressed. No class has such a hash.
fn is_stored(bytes: &[u8]) -> bool {
    let len = bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest.len()));
    len.is_some_and(|(word, len)| u32::try_from(len).is_ok_and(|len| len | 1 << 31 == word))
}

/// Whether a size and then the head of zlib data stand first.
fn is_packed(bytes: &[u8]) -> bool {
    let head = bytes.get(4..).and_then(<[u8]>::first_chunk::<2>);
    head.is_some_and(|head| head[0] & 15 == 8 && u16::from_be_bytes(*head) % 31 == 0)
}

/// The form in a few words.
pub(super) fn describe(bytes: &[u8], terms: &Terms) -> String {
    if Archive::is_archive(bytes) {
        return match Archive::from_slice(bytes) {
            Ok(archive) => {
                let entries = counted(archive.len(), "entry");
                format!("archive, version {}, {entries}", archive.version())
            }
            Err(_) => "archive, broken".to_owned(),
        };
    }
    let form = terms.form.unwrap_or_else(|| guess(bytes, terms));
    match form {
        Form::Bind => match terms.layers(form).header(bytes) {
            Ok(header) => {
                let flags = header.flags.0;
                let packed = if header.compressed { ", compressed" } else { "" };
                format!("binary file, flags {flags:#x}{packed}")
            }
            Err(_) => "binary file, broken".to_owned(),
        },
        Form::Xml => "debug XML".to_owned(),
        form => form.name(),
    }
}
