//! The data of a document: variants where they stand in the bytes. Text is read to values, and these stand in
//! bytes that say all that the text says; where one of them changes, the text is written of them.

use std::collections::HashMap;
use std::ops::Range;

use gamewire_core::bytes::part;
use godot_variant::project::ProjectSettings;
use godot_variant::{Dialect, Options, Value, frame};
use serde::de::IgnoredAny;

use super::Godot;
use super::content::{self, Body as Values, Content, Gap, Other, Reading, placed};
use super::grammar::{Context, Form, Frames, What};
use super::node::setting;
use super::settings::{Framing, Wrapping};
use crate::document::codec::{Codec as _, Edited};
use crate::document::error::{Error, Hint};
use crate::document::ranges::{Body, Bytes, Key, Listed, Patch, RangeNode};

#[derive(Clone)]
pub(in crate::document) struct VariantBody {
    pub(super) framing: Framing,
    pub(super) wrapping: Option<Wrapping>,
    /// The dialect that the file is read and written in.
    dialect: Dialect,
    pub(super) body: Body,
    /// The kind of the body, and how it is read.
    pub(super) what: What,
    pub(super) form: Form,
    /// Whether it has exactly one frame.
    pub(super) is_only: bool,
    /// The text that the body was made of.
    text: Option<Text>,
    /// Whether frames have bytes after their values, which the body has not, and writing would lose.
    has_rest: bool,
    /// The options that the file was read with.
    options: Options,
    /// Whether another dialect reads other values, and nothing says which is meant.
    is_unsure: bool,
}

impl VariantBody {
    /// Refuses to change a file of which nothing says what is in it.
    pub(super) fn must_be_sure(&self) -> Result<(), Error> {
        if !self.is_unsure {
            return Ok(());
        }
        let own = if self.dialect == Dialect::Godot3 { "Godot 3" } else { "Godot 4" };
        let text = format!(
            "values of Godot 4 fill the file, and other values of Godot 3; it is read as one of {own}"
        );
        Err(Error::new(text).with_hint(Hint::AnyDialect))
    }
}

#[derive(Clone)]
struct Text {
    /// All that is in the wrapper.
    plain: Bytes,
    /// The bytes before the text.
    between: Vec<Gap>,
}

/// Whether a framing is of text.
fn is_text(framing: Framing) -> bool {
    matches!(framing, Framing::Base64 | Framing::Json | Framing::Text | Framing::Config)
}

/// The kind of a file of a framing.
fn what(framing: Framing) -> What {
    match framing {
        Framing::StoreVar => What::Frames(Frames::Little),
        Framing::StoreVarBe => What::Frames(Frames::Big),
        Framing::Mixed => What::Frames(Frames::Mixed),
        Framing::Project => What::Settings,
        _ => What::Value,
    }
}

/// Reads over a file that is not kept, for its errors. Returns whether frames have bytes after their values.
fn has_rest(bytes: &[u8], framing: Framing, options: &Options) -> Result<bool, Error> {
    match content::frames(framing) {
        Some(frames) if framing == Framing::Mixed => {
            for piece in frames.options(options.clone()).pieces(bytes) {
                if let frame::Piece::Variant(variant) = piece {
                    options.from_slice::<IgnoredAny>(variant)?;
                }
            }
        }
        Some(frames) => {
            let whole = frames.clone().options(options.clone().whole_frames(true));
            if whole.all_from_slice::<IgnoredAny>(bytes).is_err() {
                frames.options(options.clone()).all_from_slice::<IgnoredAny>(bytes)?;
                return Ok(true);
            }
        }
        None if framing == Framing::Project => {
            ProjectSettings::from_slice_with(bytes, options)?;
        }
        None => _ = options.from_slice::<IgnoredAny>(bytes)?,
    }
    Ok(false)
}

/// The first framing whose lengths fill the bytes, as [`content::detect_framing`] tries them.
fn filled(bytes: &[u8]) -> Framing {
    let is_filled = |framing: &Framing| {
        let frames = content::frames(*framing).unwrap_or_default();
        let frames = frames.options(Options::new().max_alloc(usize::MAX));
        let mut rest = bytes;
        while let Ok((_, after)) = frames.split(rest) {
            rest = after;
        }
        rest.is_empty()
    };
    let found = [Framing::StoreVar, Framing::StoreVarBe].into_iter().find(is_filled);
    found.unwrap_or(Framing::Bare)
}

impl Godot {
    /// Reads a file.
    pub(super) fn file(&self, bytes: &Bytes) -> Result<VariantBody, Error> {
        let (plain, wrapping) = self.reading.open(bytes)?;
        let plain = bytes.share(plain);
        if let Some((reading, framing)) = self.plainly(bytes, &plain) {
            return self.scanned(&plain, wrapping, &reading, (framing, false));
        }
        let reading = self.reading.in_wrapper(bytes, &plain);
        let made = self.body(&plain, wrapping, &reading)?;
        let values = plain.get(reading.offset..).unwrap_or_default();
        // An encrypted file says its engine.
        let is_unsure = self.reading.dialect.is_none()
            && made.text.is_none()
            && !matches!(wrapping, Some(Wrapping::Encrypted(_)))
            && [Dialect::Godot4, Dialect::Godot3].into_iter().all(|own| own.reads(values))
            && Dialect::find(values).is_some_and(|found| found.is_ambiguous);
        Ok(VariantBody { is_unsure, ..made })
    }

    /// How a file is read of which one look shows it: one that the engine of the settings, or 4.x alone, reads
    /// to its last byte. Others are looked at more closely.
    fn plainly(&self, bytes: &[u8], plain: &[u8]) -> Option<(Reading, Framing)> {
        let Reading { dialect, framing, offset, .. } = self.reading;
        let values = plain.get(offset..).filter(|own| !own.is_empty())?;
        let framing = framing.unwrap_or_else(|| filled(values));
        let is_plain = matches!(framing, Framing::Bare | Framing::StoreVar | Framing::StoreVarBe);
        let reading = self.reading.of(Some(dialect.unwrap_or_default()), bytes);
        let is_read = is_plain && matches!(has_rest(values, framing, &reading.options), Ok(false));
        let is_sure = || dialect.is_some() || !Dialect::Godot3.reads(values);
        (is_read && is_sure()).then_some((reading, framing))
    }

    /// Reads what is in the wrapper of a file.
    pub(super) fn body(
        &self,
        plain: &Bytes,
        wrapping: Option<Wrapping>,
        reading: &Reading,
    ) -> Result<VariantBody, Error> {
        let (head, bytes) = reading.located(plain)?;
        let framing = reading.framing(bytes);
        if is_text(framing) {
            let content = Content::unwrapped(plain, wrapping, reading)?;
            return self.of_text(plain, content, reading);
        }
        let has_rest = has_rest(bytes, framing, &reading.options);
        let has_rest = has_rest.map_err(|fault| placed(fault, (head, bytes), wrapping))?;
        self.scanned(plain, wrapping, reading, (framing, has_rest))
    }

    /// Scans what was read over.
    fn scanned(
        &self,
        plain: &Bytes,
        wrapping: Option<Wrapping>,
        reading: &Reading,
        (framing, has_rest): (Framing, bool),
    ) -> Result<VariantBody, Error> {
        let what = what(framing);
        let dialect = reading.dialect.unwrap_or_default();
        let form = Form {
            dialect,
            has_objects: what == What::Settings,
            is_text: false,
            is_resource: false,
        };
        let context = Context::new(what, form);
        let body = match Body::scan(self, plain.clone(), reading.offset, context) {
            Ok(body) if body.root().end == plain.len() => body,
            // Not as an engine writes it, such that values are not all that it seems to have.
            _ => {
                let reading = Reading { framing: Some(framing), ..reading.clone() };
                let content = Content::unwrapped(plain, None, &reading)?;
                let options = reading.options.clone().unchecked_types(true);
                let plain = content.to_plain(&options, reading.levels)?;
                Body::scan(self, plain.into(), reading.offset, context)?
            }
        };
        let made = VariantBody {
            framing,
            wrapping,
            dialect,
            body,
            what,
            form,
            is_only: false,
            text: None,
            has_rest: has_rest && !reading.partial_frames,
            options: reading.options.clone(),
            is_unsure: false,
        };
        Ok(self.counted(made))
    }

    /// The values of a text, or of the notation of a file that is none.
    fn of_text(
        &self,
        plain: &Bytes,
        content: Content,
        reading: &Reading,
    ) -> Result<VariantBody, Error> {
        let Content { framing, wrapping, dialect, .. } = content;
        if !is_text(framing) {
            let options = reading.options.clone().dialect(dialect);
            let plain = content.to_plain(&options, reading.levels)?;
            let framing = Some(framing);
            let reading = Reading { framing, dialect: Some(dialect), options, ..reading.clone() };
            return self.body(&plain.into(), wrapping, &reading);
        }
        let form =
            Form { dialect: Dialect::Godot4, has_objects: true, is_text: true, is_resource: false };
        let options = self.options(form);
        let (what, bytes) = match &content.body {
            Values::Settings(settings) => (What::Settings, settings.to_vec_with(&options)?),
            Values::Values(values) => {
                let frames = frame::Framing::new().options(options);
                let mut bytes = Vec::new();
                for value in values {
                    content::append(&mut bytes, frames.value_to_vec(value)?);
                }
                (What::Frames(Frames::Little), bytes)
            }
        };
        let body = Body::scan(self, bytes.into(), 0, Context::new(what, form))?;
        let text = Some(Text { plain: plain.clone(), between: content.between });
        let options = reading.options.clone();
        let (is_only, has_rest) = (false, false);
        let made = VariantBody {
            framing,
            wrapping,
            dialect,
            body,
            what,
            form,
            is_only,
            text,
            has_rest,
            options,
            is_unsure: false,
        };
        Ok(self.counted(made))
    }

    /// The entries of a scene or resource.
    pub(in crate::document) fn of_entries(
        &self,
        entries: impl ExactSizeIterator<Item = (String, Value)>,
    ) -> Result<VariantBody, Error> {
        let (dialect, what) = (Dialect::Godot4, What::Settings);
        let form = Form { dialect, has_objects: true, is_text: true, is_resource: true };
        let bytes = ProjectSettings::write_entries(entries, &self.options(form))?;
        Ok(VariantBody {
            framing: Framing::Project,
            wrapping: None,
            dialect,
            body: Body::scan(self, bytes.into(), 0, Context::new(what, form))?,
            what,
            form,
            is_only: false,
            text: Some(Text { plain: Vec::new().into(), between: Vec::new() }),
            has_rest: false,
            is_unsure: false,
            options: self.reading.options.clone(),
        })
    }

    /// The entries that are in such a body, with the values that another body has not.
    pub(in crate::document) fn new_entries<'c>(
        &'c self,
        before: &'c VariantBody,
        after: &'c VariantBody,
    ) -> Result<Vec<(String, Option<Value>)>, Error> {
        let known: HashMap<Key<'c>, RangeNode<'c, Godot>> =
            self.all_of(before).list().map(|(child, node)| (child.key, node)).collect();
        let entry = |(child, node): Listed<'c, Godot>| {
            let is_same = known.get(&child.key).is_some_and(|old| old.has_same_bytes(&node));
            let value = if is_same { None } else { Some(node.value()?) };
            Ok((setting(child.key)?, value))
        };
        self.all_of(after).list().map(entry).collect()
    }

    fn counted(&self, made: VariantBody) -> VariantBody {
        let is_framed = matches!(made.what, What::Frames(_));
        let is_only = is_framed && self.all_of(&made).list().take(2).count() == 1;
        VariantBody { is_only, ..made }
    }

    /// All that is in the body.
    pub(in crate::document) fn all_of<'c>(
        &'c self,
        content: &'c VariantBody,
    ) -> RangeNode<'c, Godot> {
        RangeNode::root(self, &content.body, Context::new(content.what, content.form))
    }

    /// The same file with other bytes in its body, which are scanned.
    pub(in crate::document) fn with_bytes(
        &self,
        content: &VariantBody,
        bytes: Vec<u8>,
    ) -> Result<VariantBody, Error> {
        let reading = self.reading_of(content);
        if content.text.is_none() {
            let made = self.body(&bytes.into(), content.wrapping, &reading)?;
            return Ok(VariantBody { has_rest: content.has_rest, ..made });
        }
        let options = self.options(content.form);
        match content.what {
            What::Settings => _ = ProjectSettings::from_slice_with(&bytes, &options)?,
            _ => {
                let frames = frame::Framing::new().options(options);
                frames.all_from_slice::<IgnoredAny>(&bytes)?;
            }
        }
        let context = Context::new(content.what, content.form);
        let body = Body::scan(self, bytes.into(), 0, context)?;
        Ok(self.counted(VariantBody { body, ..content.clone() }))
    }

    /// The container around the values in a few words, where these alone say it.
    pub(super) fn describe_body(&self, content: &VariantBody) -> Option<String> {
        let VariantBody { framing, wrapping, dialect, is_unsure, .. } = *content;
        let count = match framing {
            Framing::Bare => None,
            Framing::StoreVar | Framing::StoreVarBe => Some(self.all_of(content).count()),
            _ => return None,
        };
        let is_found = content.text.is_none() && self.reading.dialect.is_none();
        is_found.then(|| content::described(wrapping, framing, count, (dialect, is_unsure)))
    }

    /// The body, where no text is made of it and no limit is near.
    pub(super) fn own_body<'c>(
        &self,
        content: &'c mut VariantBody,
        bytes: &[u8],
        patch: Option<&Patch>,
    ) -> Option<&'c mut Body> {
        let limits = &self.reading.limits;
        let most = limits.max_depth.unwrap_or(super::settings::ENGINE_DEPTH);
        let options = content.options.clone().dialect(content.dialect);
        let is_read = |own: &Range<usize>| {
            options.from_slice::<IgnoredAny>(bytes.get(own.clone()).unwrap_or_default()).is_ok()
        };
        let is_valid = |patch: &Patch| patch.depth + 2 < most && patch.made.iter().all(is_read);
        let is_packed = content.wrapping.is_some_and(|own| !matches!(own, Wrapping::Encrypted(_)));
        // Of several frames, others may come or go.
        let is_counted = matches!(content.what, What::Frames(_)) && !content.is_only;
        let is_free = content.text.is_none()
            && !is_counted
            && !(is_packed && bytes.len() > content.body.bytes.len())
            && patch.is_none_or(is_valid)
            && limits.max_memory.is_none()
            && !limits.strict;
        is_free.then_some(&mut content.body)
    }

    /// How the file was read.
    fn reading_of(&self, content: &VariantBody) -> Reading {
        Reading {
            framing: Some(content.framing),
            dialect: Some(content.dialect),
            options: content.options.clone(),
            ..self.reading.clone()
        }
    }

    /// The values of the data, made.
    pub(super) fn content(&self, content: &VariantBody) -> Result<Content, Error> {
        let VariantBody { framing, wrapping, dialect, body, has_rest, .. } = content;
        let Some(text) = &content.text else {
            let made = Content::unwrapped(&body.bytes, *wrapping, &self.reading_of(content))?;
            return Ok(Content { has_rest: *has_rest, ..made });
        };
        let all = self.all_of(content);
        let values = || all.list().map(|(_, node)| node.value()).collect::<Result<Vec<_>, _>>();
        let body = match content.what {
            What::Settings => Values::Settings(all.settings()?),
            _ => Values::Values(values()?),
        };
        let source = matches!(framing, Framing::Config | Framing::Text).then(|| {
            let text = text.plain.get(self.reading.offset..).unwrap_or_default();
            String::from_utf8_lossy(text).into_owned()
        });
        Ok(Content {
            framing: *framing,
            wrapping: *wrapping,
            dialect: *dialect,
            body,
            between: text.between.clone(),
            has_rest: *has_rest,
            source,
        })
    }

    /// Returns the head of a file that ends with the length of the values, if that before ended with theirs.
    fn new_head(&self, plain: &[u8], before: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Some((head, values)) = plain.split_at_checked(self.reading.offset) else {
            return Ok(None);
        };
        let size = content::size_of_length(head, before.len().saturating_sub(head.len()));
        size.map(|size| content::with_length(head, Some(size), values.len())).transpose()
    }

    /// The file in which `after` is what `before` was, and its bytes.
    pub(super) fn with_text(
        &self,
        before: &VariantBody,
        mut after: VariantBody,
    ) -> Result<Edited<VariantBody>, Error> {
        if before.has_rest {
            return Err(content::rest_is_lost());
        }
        before.must_be_sure()?;
        let plain = match &before.text {
            None => {
                if let Some(head) = self.new_head(&after.body.bytes, &before.body.bytes)? {
                    let values = part(&after.body.bytes, head.len()..);
                    after = self.with_bytes(&after, [&*head, values].concat())?;
                }
                after.body.bytes.clone()
            }
            Some(text) => {
                let options = before.options.clone().dialect(before.dialect);
                let write = |content: &VariantBody| {
                    self.content(content)?.to_plain(&options, self.reading.levels)
                };
                let mut plain = self.keep_end(&text.plain, &write(before)?, write(&after)?)?;
                let mut between = text.between.clone();
                if let Some(head) = self.new_head(&plain, &text.plain)? {
                    plain.splice(..head.len(), head.iter().copied());
                    let first = between.first_mut().filter(|own| own.before == 0);
                    if let Some(own) = first {
                        own.what = Other::Bytes(head);
                    }
                }
                let plain = Bytes::from(plain);
                after.text = Some(Text { plain: plain.clone(), between });
                plain
            }
        };
        let bytes = match before.wrapping {
            None => plain,
            Some(wrapping) => self.reading.wrap_later(plain, wrapping)?,
        };
        Ok((after, bytes))
    }
}
