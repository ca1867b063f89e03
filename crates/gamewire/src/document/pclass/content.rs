//! A file: what is around the objects, and the objects.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use gamewire_core::bytes::part;
use kiwi_pclass::archive::{Archive, is_bare_object};
use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::wire::{self, Coder, Place};
use kiwi_pclass::{Mode, Options, Schema, Unknown, Value, envelope, xml};

use super::Pclass;
use super::grammar::Context;
use super::settings::{Form, PclassSettings};
use crate::document::codec::Codec as _;
use crate::document::error::{Error, Hint};
use crate::document::limits::Limits;
use crate::document::ranges::{Body, Bytes, RangeNode};
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
            None => return Err(Error::new("no type list is given").with_hint(Hint::Types)),
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
        let form = self.form.unwrap_or_else(|| detect_form(bytes, self));
        let mut own = Terms { form: Some(form), ..self.clone() };
        if form == Form::Bare && self.is_bare_object {
            own.mode.get_or_insert(Mode::Deep);
            own.flags.get_or_insert(SerializerFlags::NONE);
            own.mask.get_or_insert(PropertyFlags::SAVE);
        }
        own
    }

    /// Reads a file, with the form that it looks like and the mode and flags that its name says, where they are
    /// not given.
    fn read_with<T>(
        &self,
        bytes: &[u8],
        read: impl FnOnce(&Terms) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.form.is_none() && Archive::is_archive(bytes) {
            return Err(Error::new("is an archive, and no object").with_hint(Hint::Entry));
        }
        let terms = self.settle(bytes);
        read(&terms).map_err(|fault| terms.hinted(fault, bytes))
    }

    /// Names the settings that may be missing.
    fn hinted(&self, fault: Error, bytes: &[u8]) -> Error {
        let hint = match self.form {
            Some(Form::Bare) if is_packed(bytes) => Hint::Form("zlib"),
            Some(Form::Bare | Form::Zlib | Form::Envelope)
                if self.mode.is_none() || self.flags.is_none() =>
            {
                Hint::Layout
            }
            _ => return fault,
        };
        if fault.hint.is_some() && !is_packed(bytes) { fault } else { fault.with_hint(hint) }
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
    /// Reads a file.
    pub(super) fn read(bytes: &[u8], terms: &Terms) -> Result<Self, Error> {
        terms.read_with(bytes, |terms| Content::read_as(bytes, terms))
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
            flags = options.header(&stream).map_err(|error| within(error, &stream))?.flags;
            vec![options.from_slice(&stream).map_err(|error| within(error, &stream))?]
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

/// The error of a stream, which may be inflated.
#[allow(clippy::ptr_arg, reason = "what is owned was inflated")]
fn within(error: kiwi_pclass::Error, stream: &Cow<'_, [u8]>) -> Error {
    match stream {
        Cow::Borrowed(_) => Error::from(error),
        Cow::Owned(inflated) => {
            let offset = error.offset();
            Error::from(error).within(offset, inflated)
        }
    }
}

/// The objects of a file as they stand in its bytes, without the layers around them.
#[derive(Clone)]
pub(crate) struct Objects {
    pub(super) form: Form,
    mode: Mode,
    flags: SerializerFlags,
    mask: PropertyFlags,
    /// Whether the bytes are others than those of the stream.
    is_packed: bool,
    /// Whether the bytes are no stream's at all, and may have several objects.
    pub(super) is_made: bool,
    pub(super) coder: Coder,
    pub(super) body: Body,
}

impl Objects {
    pub(super) fn with_coder(&self, coder: &Coder) -> Self {
        Objects { coder: coder.clone(), ..self.clone() }
    }

    pub(super) fn with_body(&self, body: Body) -> Self {
        Objects { body, coder: self.coder.clone(), ..*self }
    }
}

impl Pclass {
    pub(super) fn objects(&self, bytes: &Bytes) -> Result<Objects, Error> {
        self.terms.read_with(bytes, |terms| self.objects_as(bytes, terms))
    }

    fn objects_as(&self, bytes: &Bytes, terms: &Terms) -> Result<Objects, Error> {
        let form = terms.form.unwrap_or(Form::Bare);
        let (mode, mask) = (terms.default_mode(form), terms.default_mask(form));
        let options = terms.options(form)?.mode(mode).mask(mask);
        if form.is_text() {
            let content = Content::read_as(bytes, terms)?;
            return self.in_memory(&options.flags(content.flags), content);
        }
        let stream = stream(bytes, form, &options)?;
        let unpacked = wire::unpack(&stream, &options).map_err(|error| within(error, &stream))?;
        let wire::Unpacked { bytes: own, start, flags, is_packed } = unpacked;
        let coder = Coder::new(&options.flags(flags))?;
        let context = Context::outermost(&coder, false);
        let body = Body::scan(self, bytes.share(own), start * 8, context)?;
        Ok(Objects { form, mode, flags, mask, is_packed, is_made: false, coder, body })
    }

    /// Objects as bytes that keep all of them, whatever layout they are of.
    pub(super) fn in_memory(&self, options: &Options, content: Content) -> Result<Objects, Error> {
        let Content { form, mode, flags, mask, objects } = content;
        let coder = Coder::in_memory(options)?;
        let mut all = Vec::new();
        for object in &objects {
            all.extend(coder.encode(object, Place::Root, 0)?.0);
        }
        let body = Body::scan(self, all.into(), 0, Context::outermost(&coder, true))?;
        Ok(Objects { form, mode, flags, mask, is_packed: true, is_made: true, coder, body })
    }

    /// All that is in a file: an object, or the list of them.
    pub(super) fn all<'c>(&'c self, objects: &'c Objects) -> RangeNode<'c, Pclass> {
        let context = Context::outermost(&objects.coder, objects.is_made);
        RangeNode::root(self, &objects.body, context)
    }

    /// The values of a file, made.
    pub(super) fn content(&self, objects: &Objects) -> Result<Content, Error> {
        let Objects { form, mode, flags, mask, coder, body, is_made, .. } = objects;
        let all = self.all(objects);
        let starts = match is_made {
            true => all.list().map(|(_, object)| object.extent.start).collect(),
            false => vec![all.extent.start],
        };
        let made = starts.iter().map(|at| coder.value(&body.bytes, *at, Place::Root, usize::MAX));
        let objects = made.collect::<Result<_, _>>()?;
        Ok(Content { form: *form, mode: *mode, flags: *flags, mask: *mask, objects })
    }

    /// Puts the layers of a file around changed bytes.
    pub(super) fn file(&self, objects: &Objects, made: &Bytes) -> Result<Bytes, Error> {
        if objects.is_made {
            let content = self.content(&self.rescanned(objects, made.to_vec())?)?;
            return Ok(content.to_vec(&self.terms)?.into());
        }
        let (options, start) = (objects.coder.options(), objects.body.root().start / 8);
        let is_stored = objects.flags.contains(SerializerFlags::COMPRESS) && !objects.is_packed;
        let stream = match objects.is_packed {
            true => wire::pack(made.to_vec(), options)?.into(),
            // It may be worth it now. The byte before says so.
            false if is_stored => {
                let packed = wire::pack(part(made, start..).to_vec(), options)?;
                let is_shorter = start.checked_sub(1).and_then(|at| packed.get(at)) == Some(&1);
                if is_shorter { packed.into() } else { made.clone() }
            }
            false => made.clone(),
        };
        match objects.form {
            Form::Envelope => Ok(envelope::wrap(&stream, true)?.into()),
            _ => Ok(stream),
        }
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
fn detect_form(bytes: &[u8], terms: &Terms) -> Form {
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
    let form = terms.form.unwrap_or_else(|| detect_form(bytes, terms));
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
