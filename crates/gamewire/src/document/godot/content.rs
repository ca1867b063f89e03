//! A file: its framing and the values in it.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use godot_variant::native_json::NativeJson;
use godot_variant::project::{MAGIC, ProjectSettings};
use godot_variant::text::config::ConfigFile;
use godot_variant::wrapped::{
    Compressed, Compression, Encrypted, FileKind, Generation, Key, Opener, Wrapper,
};
use godot_variant::{Dialect, Options, Segment, Value, frame, text};
use serde::de::IgnoredAny;

use super::node::typed_step;
use super::settings::{Framing, Secret, Wrapping};
use super::{engine_text, notation};
use crate::document::error::{Error, Hint, Position};
use crate::document::json::{self, Layout};
use crate::document::limits::Limits;
use crate::document::path::Step;
use crate::document::ranges::Bytes;
use crate::document::words;

/// The data of a file. Equal when the same bytes would be written, but for those of a compressor and
/// of an encryption.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    pub(super) framing: Framing,
    pub(super) wrapping: Option<Wrapping>,
    /// The dialect that it was read in, and is written in.
    pub(super) dialect: Dialect,
    pub(super) body: Body,
    /// The parts between the values.
    pub(super) between: Vec<Gap>,
    /// Whether frames have bytes after their values, which writing would lose.
    pub(super) has_rest: bool,
    /// The engine's text, of which everything stays that is not changed.
    pub(super) source: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    Values(Vec<Value>),
    Settings(ProjectSettings),
}

/// Something that is no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gap {
    /// The value that it stands before, or their number.
    pub(super) before: usize,
    pub(super) what: Other,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Other {
    Number(u32),
    Text(String),
    Bytes(Vec<u8>),
}

/// How a file is read, and written again.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) options: Options,
    pub(super) limits: Limits,
    /// `None` where the file says it.
    pub(super) dialect: Option<Dialect>,
    /// `None` where the file says it.
    pub(super) framing: Option<Framing>,
    /// Whether bytes that are left over in frames may be lost.
    pub(super) partial_frames: bool,
    /// Where the values begin.
    pub(super) offset: usize,
    /// The secret of encrypted files.
    pub(super) secret: Option<Secret>,
    /// The compression of a stream that does not say it.
    pub(super) stream: Option<Compression>,
    /// The initialization vector to encrypt with, where a file is made again to be compared.
    pub(super) iv: Option<[u8; 16]>,
    /// Containers that the JSON notation may nest.
    pub(super) levels: usize,
}

/// The bytes in a wrapper, the wrapper, and its damage.
type Damaged<'a> = (Cow<'a, [u8]>, Option<Wrapping>, Option<Error>);

impl Reading {
    /// The same with the dialect of a file: that of the settings, else the one in which the file can be
    /// read to its last byte.
    pub(super) fn settled(&self, bytes: &[u8]) -> Reading {
        self.of(self.dialect.or_else(|| self.find(bytes)), bytes)
    }

    /// The same, with what is in the wrapper of the file.
    pub(super) fn in_wrapper(&self, bytes: &[u8], plain: &[u8]) -> Reading {
        self.of(self.dialect.or_else(|| self.find_in(bytes, plain)), bytes)
    }

    pub(super) fn of(&self, dialect: Option<Dialect>, bytes: &[u8]) -> Reading {
        let dialect = dialect.unwrap_or_default();
        let options = self.options.clone().dialect(dialect);
        let options = match self.max_unpacked(bytes) {
            Some(most) => options.max_memory(most),
            None => options,
        };
        Reading { options, dialect: Some(dialect), ..self.clone() }
    }

    /// The memory that what is unpacked of a file may take, if a codec is there.
    fn max_unpacked(&self, bytes: &[u8]) -> Option<usize> {
        let is_packed = FileKind::of(bytes) == Some(FileKind::Compressed)
            || self.stream.or_else(|| Compression::of_stream(bytes)).is_some()
            || Compression::of_stream(bytes.get(self.offset..).unwrap_or_default()).is_some();
        is_packed.then(|| self.limits.of_unpacked(bytes.len()).max_memory)?
    }

    /// The dialect in which a file can be read to its last byte; where both can, the one that the
    /// wrapper says.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<Dialect> {
        match self.open_damaged(bytes) {
            Ok((plain, ..)) => self.find_in(bytes, &plain),
            Err(_) => Some(Dialect::find(bytes)?.dialect),
        }
    }

    fn find_in(&self, bytes: &[u8], plain: &[u8]) -> Option<Dialect> {
        let values = plain.get(self.offset..).unwrap_or_default();
        let found = match engine_text::dialect_of_text(values) {
            Some(dialect) => return Some(dialect),
            None => Dialect::find(values),
        };
        // The wrapper tells, too; what stands before the values may.
        let is_all = self.offset == 0 && FileKind::of(bytes) != Some(FileKind::Encrypted);
        match found.filter(|found| !found.is_both || is_all) {
            Some(found) => Some(found.dialect),
            None if is_all => None,
            None => Some(Dialect::find(bytes).or(found)?.dialect),
        }
    }

    fn key(&self) -> Result<Option<Key>, Error> {
        self.secret.as_ref().map(Secret::key).transpose()
    }

    /// The bytes in the wrapper, if there is one.
    pub(super) fn open<'a>(
        &self,
        bytes: &'a [u8],
    ) -> Result<(Cow<'a, [u8]>, Option<Wrapping>), Error> {
        if !is_wrapped(bytes) {
            let most = self.max_plain(bytes);
            let opened = stream(bytes, self.stream, most);
            let behind = || {
                let (head, rest) =
                    bytes.split_at_checked(self.offset).filter(|_| self.offset > 0)?;
                match stream(rest, self.stream, most)? {
                    (plain, Wrapping::Stream(own)) => {
                        Some(([head, &plain].concat(), Wrapping::Behind(own)))
                    }
                    _ => None,
                }
            };
            return Ok(match opened.or_else(behind) {
                Some((plain, wrapping)) => (Cow::Owned(plain), Some(wrapping)),
                None => (Cow::Borrowed(bytes), None),
            });
        }
        let opened = self.opener(bytes)?.open(bytes)?;
        let wrapping = wrapping(&opened.wrapper);
        Ok((Cow::Owned(opened.plain), wrapping))
    }

    /// The same of a file that may be damaged, and what is wrong with its wrapper.
    pub(super) fn open_damaged<'a>(&self, bytes: &'a [u8]) -> Result<Damaged<'a>, Error> {
        if !is_wrapped(bytes) {
            return self.open(bytes).map(|(plain, wrapping)| (plain, wrapping, None));
        }
        let (opened, wrong) = self.opener(bytes)?.open_damaged(bytes)?;
        let wrapping = wrapping(&opened.wrapper);
        Ok((Cow::Owned(opened.plain), wrapping, wrong.map(Error::from)))
    }

    /// The most bytes that a file may unpack to: half of what its values may take, which are more than their bytes.
    fn max_plain(&self, bytes: &[u8]) -> usize {
        let most = self.max_unpacked(bytes);
        let most = most.map_or(usize::MAX, |own| own.max(Limits::MIN_UNPACKED) / 2);
        most.max(bytes.len())
    }

    pub(super) fn opener(&self, bytes: &[u8]) -> Result<Opener, Error> {
        let opener = Opener::new().max_plain(self.max_plain(bytes));
        Ok(match self.key()? {
            Some(key) => opener.key(key),
            None => opener,
        })
    }

    pub(super) fn wrap(
        &self,
        plain: Vec<u8>,
        wrapping: Option<Wrapping>,
    ) -> Result<Vec<u8>, Error> {
        match wrapping {
            None => Ok(plain),
            Some(Wrapping::Compressed(compression)) => {
                Ok(Compressed::new(compression).to_vec(&plain)?)
            }
            Some(Wrapping::Stream(compression)) => Ok(compression.compress(&plain)?),
            Some(Wrapping::Behind(compression)) => {
                let (head, values) = self.located(&plain)?;
                Ok([head, &compression.compress(values)?].concat())
            }
            Some(Wrapping::Encrypted(generation)) => {
                let Some(key) = self.key()? else {
                    let wrong = Error::new("an encrypted file takes a key");
                    return Err(wrong.with_hint(Hint::NewSecret));
                };
                let encrypted = Encrypted::new(key).of(generation);
                let encrypted = self.iv.map_or(encrypted.clone(), |iv| encrypted.iv(iv));
                Ok(encrypted.to_vec(&plain)?)
            }
        }
    }

    /// The same once somebody looks at it: there is nothing that such a wrapper can refuse then.
    pub(super) fn wrap_later(&self, plain: Bytes, wrapping: Wrapping) -> Result<Bytes, Error> {
        // The bytes before the values may be wrong there.
        if u32::try_from(plain.len()).is_err() || matches!(wrapping, Wrapping::Behind(_)) {
            return self.wrap(plain.into_vec(), Some(wrapping)).map(Bytes::from);
        }
        self.wrap(Vec::new(), Some(wrapping))?;
        let reading = self.clone();
        Ok(Bytes::later(move || {
            let made = reading.wrap(plain.to_vec(), Some(wrapping));
            debug_assert!(made.is_ok(), "nothing was wrapped so");
            // The values without what is around them are more than none.
            made.unwrap_or_else(|_| plain.to_vec())
        }))
    }

    /// The bytes before the values, and the values.
    pub(super) fn located<'a>(&self, plain: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Error> {
        if let Some(about) = unsupported_kind(plain).filter(|_| self.framing.is_none()) {
            return Err(Error::new(format!("expected values, found {about}")));
        }
        plain.split_at_checked(self.offset).ok_or_else(|| {
            let text = format!("expected values at byte {}, found the end", self.offset);
            Error::new(text).at(Some(plain.len()))
        })
    }

    /// The framing of what is in the wrapper, after the offset.
    pub(super) fn framing(&self, bytes: &[u8]) -> Framing {
        self.framing.unwrap_or_else(|| detect_framing(bytes, &self.options))
    }
}

/// The fault in values with the place that it has in the file.
pub(super) fn placed(
    fault: Error,
    (head, bytes): (&[u8], &[u8]),
    wrapping: Option<Wrapping>,
) -> Error {
    match fault.position {
        // The bytes that are wrong are not those of the file.
        Position::Byte(at) if wrapping.is_some() || !head.is_empty() => {
            fault.within(Some(at), bytes)
        }
        // Nor are its lines.
        Position::Text(..) if wrapping.is_some() => Error { position: Position::Unknown, ..fault },
        _ => fault,
    }
}

/// The content of a stream of `PackedByteArray.compress`, if it is a whole one.
pub(super) fn stream(
    bytes: &[u8],
    known: Option<Compression>,
    max_plain: usize,
) -> Option<(Vec<u8>, Wrapping)> {
    let compression = known.or_else(|| Compression::of_stream(bytes))?;
    let plain = compression.decompress(bytes, max_plain).ok()?;
    Some((plain, Wrapping::Stream(compression)))
}

/// The bytes of the number at the end of a head that is the length of what stands behind it, if it ends with one.
pub(super) fn size_of_length(head: &[u8], length: usize) -> Option<usize> {
    let length = u64::try_from(length).ok()?.to_le_bytes();
    let is_said = |size: &usize| length.get(..*size).is_some_and(|own| head.ends_with(own));
    let is_whole = |size: &usize| length.iter().skip(*size).all(|own| *own == 0);
    [8, 4].into_iter().find(|size| is_said(size) && is_whole(size))
}

/// The head with the length of what stands behind it now in so many bytes at its end.
pub(super) fn with_length(
    head: &[u8],
    size: Option<usize>,
    length: usize,
) -> Result<Vec<u8>, Error> {
    let Some(size) = size else { return Ok(head.to_vec()) };
    let length = u64::try_from(length).ok().filter(|own| size == 8 || *own <= u64::from(u32::MAX));
    let length = length.ok_or("the length before the data has at most 4 bytes")?.to_le_bytes();
    let start = head.get(..head.len().saturating_sub(size)).unwrap_or_default();
    Ok([start, length.get(..size).unwrap_or_default()].concat())
}

fn is_wrapped(bytes: &[u8]) -> bool {
    matches!(FileKind::of(bytes), Some(FileKind::Compressed | FileKind::Encrypted))
}

/// The initialization vector of an encrypted file of Godot 4.
pub(super) fn iv_of(bytes: &[u8], wrapping: Option<Wrapping>) -> Option<[u8; 16]> {
    let is_new = wrapping == Some(Wrapping::Encrypted(Generation::Godot4));
    bytes.get(28..)?.first_chunk().copied().filter(|_| is_new)
}

fn wrapping(wrapper: &Wrapper) -> Option<Wrapping> {
    match wrapper {
        Wrapper::Compressed(own) => Some(Wrapping::Compressed(own.compression())),
        Wrapper::Encrypted(own) => Some(Wrapping::Encrypted(own.generation())),
        _ => None,
    }
}

impl Content {
    /// Reads a file, with the framing that it looks like if none is given.
    pub(super) fn read(bytes: &[u8], reading: &Reading) -> Result<Self, Error> {
        let (plain, wrapping) = reading.open(bytes)?;
        Content::unwrapped(&plain, wrapping, reading)
    }

    /// The same of what is in the wrapper.
    pub(super) fn unwrapped(
        plain: &[u8],
        wrapping: Option<Wrapping>,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let (head, bytes) = reading.located(plain)?;
        let content = Content::plain(bytes, reading);
        let content = content.map_err(|fault| placed(fault, (head, bytes), wrapping))?;
        let head = (!head.is_empty()).then(|| Gap { before: 0, what: Other::Bytes(head.to_vec()) });
        let between = head.into_iter().chain(content.between).collect();
        Ok(Content { wrapping, between, ..content })
    }

    pub(super) fn plain(bytes: &[u8], reading: &Reading) -> Result<Self, Error> {
        let options = &reading.options;
        let framing = reading.framing(bytes);
        let dialect = reading.dialect.unwrap_or_default();
        let (mut between, mut has_rest, mut source) = (Vec::new(), false, None);
        let body = match (framing, frames(framing)) {
            (Framing::Mixed, _) => {
                let mut values = Vec::new();
                let mut gap = |before, what| between.push(Gap { before, what });
                for piece in frame::Framing::new().options(options.clone()).pieces(bytes) {
                    match piece {
                        frame::Piece::Variant(own) => values.push(options.value_from_slice(own)?),
                        frame::Piece::Number(own) => gap(values.len(), Other::Number(own)),
                        frame::Piece::Text(own) => gap(values.len(), Other::Text(own.to_owned())),
                        frame::Piece::Bytes(own) => gap(values.len(), Other::Bytes(own.to_vec())),
                        other => return Err(Error::new(format!("unknown part {other:?}"))),
                    }
                }
                Body::Values(values)
            }
            (_, Some(frames)) => {
                let whole = frames.clone().options(options.clone().whole_frames(true));
                match whole.values_from_slice(bytes) {
                    Ok(values) => Body::Values(values),
                    Err(_) => {
                        let values = frames.options(options.clone()).values_from_slice(bytes)?;
                        has_rest = !reading.partial_frames;
                        Body::Values(values)
                    }
                }
            }
            (Framing::Project, None) => {
                Body::Settings(ProjectSettings::from_slice_with(bytes, options)?)
            }
            (Framing::Base64, None) => {
                let bytes = from_base64(bytes)?;
                match options.value_from_slice(&bytes) {
                    Ok(value) => Body::Values(vec![value]),
                    Err(error) => {
                        let offset = error.offset();
                        return Err(Error::from(error).within(offset, &bytes));
                    }
                }
            }
            (Framing::Json, None) => {
                let content = notation::read(bytes, None, reading.levels)?;
                let framing = match content.framing {
                    Framing::Bare => Framing::Json,
                    other => other,
                };
                return Ok(Content { framing, ..content });
            }
            (Framing::Text, None) => {
                let text = engine_text::utf8(bytes)?;
                let values = text::values_from_str(text, &engine_text::in_text(options, dialect))?
                    .into_iter();
                source = Some(text.to_owned());
                Body::Values(values.map(|(value, _)| value).collect())
            }
            (Framing::Config, None) => {
                let text = engine_text::utf8(bytes)?;
                let config = ConfigFile::load_with(text, &engine_text::in_text(options, dialect));
                let config = config.map_err(|error| Error::from(error).in_text(bytes))?;
                let values = vec![engine_text::sections(&config)];
                source = Some(text.to_owned());
                Body::Values(values)
            }
            _ => Body::Values(vec![options.value_from_slice(bytes)?]),
        };
        Ok(Content { framing, wrapping: None, dialect, body, between, has_rest, source })
    }

    /// The parts of a ConfigFile that the engine does not read as they stand.
    pub(super) fn lost(&self) -> Result<Option<String>, Error> {
        let source = self.source.as_deref().filter(|_| self.framing == Framing::Config);
        source.map_or(Ok(None), engine_text::lost)
    }

    /// Writes the file.
    pub(super) fn to_vec(&self, options: &Options, reading: &Reading) -> Result<Vec<u8>, Error> {
        if self.has_rest {
            return Err(rest_is_lost());
        }
        let options = options.clone().dialect(self.dialect);
        reading.wrap(self.to_plain(&options, reading.levels)?, self.wrapping)
    }

    pub(super) fn to_plain(&self, options: &Options, levels: usize) -> Result<Vec<u8>, Error> {
        let framing = self.framing;
        let mut out = Vec::new();
        let values = match &self.body {
            Body::Settings(settings) if framing == Framing::Project => {
                self.put_gaps(0, &mut out);
                out.append(&mut settings.to_vec_with(options)?);
                return Ok(out);
            }
            Body::Settings(_) => {
                let name = framing.name();
                return Err(Error::new(format!(
                    "settings cannot be framed as {name}, only as project"
                )));
            }
            Body::Values(values) => values,
        };
        if let Some(frames) = frames(framing) {
            let frames = frames.options(options.clone());
            for (index, value) in values.iter().enumerate() {
                self.put_gaps(index, &mut out);
                append(&mut out, frames.value_to_vec(value)?);
            }
            self.put_gaps(values.len(), &mut out);
            return Ok(out);
        }
        self.put_gaps(0, &mut out);
        let body = match (framing, values.as_slice()) {
            (Framing::Project, _) => {
                return Err(Error::new("a project.binary has settings with names, found values"));
            }
            (Framing::Base64, [value]) => BASE64.encode(options.value_to_vec(value)?).into_bytes(),
            (Framing::Json, [value]) => {
                let shown = NativeJson(value);
                let mut text = Vec::new();
                json::write(&mut text, &shown.write_deep(levels), Layout::Lines)
                    .map_err(|error| Error::new(error.to_string()))?;
                text
            }
            (Framing::Text, values) => engine_text::values_text(
                self.source.as_deref(),
                values,
                &engine_text::in_text(options, self.dialect),
            )?
            .into_bytes(),
            (Framing::Config, [value]) => engine_text::config_text(
                self.source.as_deref(),
                value,
                &engine_text::in_text(options, self.dialect),
            )?
            .into_bytes(),
            (_, [value]) => options.value_to_vec(value)?,
            (_, values) => {
                let (name, found) = (framing.name(), values.len());
                return Err(Error::new(format!(
                    "the framing {name} takes one value, found {found}"
                )));
            }
        };
        append(&mut out, body);
        self.put_gaps(1, &mut out);
        Ok(out)
    }

    /// Writes the parts before a value.
    fn put_gaps(&self, before: usize, out: &mut Vec<u8>) {
        for gap in self.between.iter().filter(|gap| gap.before == before) {
            match &gap.what {
                Other::Number(number) => out.extend_from_slice(&number.to_le_bytes()),
                Other::Text(text) => {
                    let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
                    out.extend_from_slice(&len.to_le_bytes());
                    out.extend_from_slice(text.as_bytes());
                }
                Other::Bytes(bytes) => out.extend_from_slice(bytes),
            }
        }
    }
}

/// The error where a file is written that has bytes after the values in its frames.
pub(super) fn rest_is_lost() -> Error {
    Error::new("bytes are left over in a frame, and would be lost").with_hint(Hint::PartialFrames)
}

/// Puts bytes behind others, of which there are seldom any.
pub(super) fn append(out: &mut Vec<u8>, more: Vec<u8>) {
    match out.is_empty() {
        true => *out = more,
        false => out.extend(more),
    }
}

/// The step to a value, as its [`Node`](super::node::Node) says it.
pub(super) fn step_of(segment: Segment) -> Step {
    match segment {
        Segment::Index(index) => Step::Index(index),
        Segment::Field(name) => Step::Key(name),
        Segment::Key(shown) => match text::value_from_str(&shown, &Options::new()) {
            Ok(key) => typed_step(shown, &key),
            Err(_) => Step::Other(shown),
        },
        other => Step::Other(other.to_string()),
    }
}

/// The reader of frames with a length, for the framings that have one.
pub(super) fn frames(framing: Framing) -> Option<frame::Framing> {
    match framing {
        Framing::StoreVar | Framing::Mixed => Some(frame::Framing::new()),
        Framing::StoreVarBe => Some(frame::Framing::new().big_endian(true)),
        _ => None,
    }
}

/// The bytes that a text of base64 stands for.
pub(super) fn from_base64(text: &[u8]) -> Result<Vec<u8>, Error> {
    let bytes = BASE64.decode(text.trim_ascii());
    bytes.map_err(|error| {
        let why = error.to_string();
        Error::new(format!("expected base64 text: {}", why.trim_end_matches('.')))
    })
}

/// The text of base64 that stands for bytes.
pub(super) fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Guesses the container of a file.
///
/// Best is a framing by which a variant fills each frame. Some short files have two of them: a frame
/// with nil in it has the bytes of an empty `String`. Frames come first then, because files have them.
/// A file that is broken is taken for what it was meant to be, so that the error speaks of what is
/// broken in it.
pub(super) fn detect_framing(bytes: &[u8], options: &Options) -> Framing {
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
    } else if engine_text::is_config(bytes) || FileKind::of(bytes) == Some(FileKind::ConfigText) {
        Framing::Config
    } else if engine_text::is_text(bytes) && !super::is_native_json(bytes) {
        Framing::Text
    } else if matches!(bytes.trim_ascii_start(), [b'{' | b'[' | b'"', ..]) {
        Framing::Json
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

/// The variants in a file that is no text, and whether there are several.
pub(super) fn variants<'b>(bytes: &'b [u8], reading: &Reading) -> (Vec<Cow<'b, [u8]>>, bool) {
    let framing = reading.framing(bytes);
    let framed = |own: frame::Framing| own.options(reading.options.clone());
    let all: Vec<Cow<'b, [u8]>> = match (framing, frames(framing)) {
        (Framing::Mixed, Some(frames)) => {
            let variant = |piece| match piece {
                frame::Piece::Variant(own) => Some(Cow::Borrowed(own)),
                _ => None,
            };
            framed(frames).pieces(bytes).into_iter().filter_map(variant).collect()
        }
        (_, Some(frames)) => {
            let (frames, mut rest) = (framed(frames), bytes);
            let next = || {
                let (own, after) = frames.split(rest).ok()?;
                rest = after;
                Some(Cow::Borrowed(own))
            };
            std::iter::from_fn(next).collect()
        }
        (Framing::Bare, None) => vec![Cow::Borrowed(bytes)],
        (Framing::Base64, None) => from_base64(bytes).into_iter().map(Cow::Owned).collect(),
        _ => Vec::new(),
    };
    let is_row = all.len() > 1;
    (all, is_row)
}

/// Whether a variant of some dialect may begin so. Flags are at most four bits, and those of 4.x
/// containers are the widest.
fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes.first_chunk(), Some([0..=38, 0, 0..=15, 0]))
}

/// The wrapper and the framing in a few words.
pub(super) fn describe(bytes: &[u8], reading: &Reading) -> String {
    let (bytes, wrapping) = match reading.open(bytes) {
        Ok(opened) => opened,
        // Without the key it cannot be said what is inside.
        Err(_) => return FileKind::of(bytes).map_or_else(String::new, |kind| kind.name().into()),
    };
    let bytes = bytes.get(reading.offset..).unwrap_or_default();
    let framing = reading.framing(bytes);
    if framing == Framing::Project {
        let before = wrapping.map_or_else(String::new, |own| format!("{}, ", own.name()));
        let count =
            bytes.get(4..).and_then(<[u8]>::first_chunk).map_or(0, |n| u32::from_le_bytes(*n));
        return format!("{before}{}, {count} settings", framing.name());
    }
    let is_ambiguous = Dialect::find(bytes).is_some_and(|found| found.is_ambiguous)
        && !matches!(wrapping, Some(Wrapping::Encrypted(_)));
    let dialect = reading.dialect.unwrap_or_default();
    described(wrapping, framing, count(bytes, framing, is_header), (dialect, is_ambiguous))
}

/// The wrapper, the framing, how many frames there are, and the dialect, in a few words.
pub(super) fn described(
    wrapping: Option<Wrapping>,
    framing: Framing,
    count: Option<usize>,
    dialect: (Dialect, bool),
) -> String {
    let before = wrapping.map_or_else(String::new, |own| format!("{}, ", own.name()));
    let name = framing.name();
    let after = match dialect {
        (Dialect::Godot3, true) => ", Godot 3, readable as Godot 4, too",
        (Dialect::Godot3, false) => ", Godot 3",
        (_, true) => ", readable as Godot 3, too",
        _ => "",
    };
    match count {
        Some(count) => format!("{before}{name}, {}{after}", words::count(count, "value")),
        None => format!("{before}{name}{after}"),
    }
}

/// The kind of a file that is not read here, if it is one of the engine's.
pub(crate) fn unsupported_kind(bytes: &[u8]) -> Option<Error> {
    // Of a broken ConfigFile the error says where.
    let is_other = |kind: &FileKind| !kind.is_read() && *kind != FileKind::ConfigText;
    let kind = FileKind::of(bytes).filter(is_other)?;
    Some(Error::new(format!("{kind}; this tool does not read it")))
}
