//! From the whole input to its variants: bare, in frames, in a `project.binary`.

use std::borrow::Cow;
use std::sync::Arc;

use super::Explanation;
use super::note::{Embedded, Refused, end_of_error};
use super::sink::{Sink, quoted};
use super::span::{Place, Role};
use crate::error::{Error, Segment};
use crate::frame::Framing;
use crate::read::Reader;
use crate::{Options, project};

type Result<T> = std::result::Result<T, Refused>;

/// One variant that takes the whole input.
pub(crate) fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let mut sink = Sink::default();
    let part = Embedded { bytes, start: 0, end: bytes.len(), place: Arc::default(), whole: true };
    let done = part.explain(options, &mut sink).map(drop);
    finish(bytes, sink, done)
}

/// Variants with a length before each, up to the end of the input.
pub(crate) fn explain_frames(bytes: &[u8], framing: &Framing, options: &Options) -> Explanation {
    let mut sink = Sink::default();
    let mut done = Ok(());
    let mut index = 0usize;
    while done.is_ok() && sink.at() < bytes.len() {
        done = frame(bytes, &mut sink, index, framing, options)
            .map_err(|refused| Refused { error: refused.error.in_index(index), ..refused });
        index = index.saturating_add(1);
    }
    finish(bytes, sink, done)
}

fn frame(
    bytes: &[u8],
    sink: &mut Sink,
    index: usize,
    framing: &Framing,
    options: &Options,
) -> Result<()> {
    let start = sink.at();
    let (frame, _) = framing.split(bytes.get(start..).unwrap_or_default()).map_err(|error| {
        let end = start.saturating_add(4).min(bytes.len());
        Refused { error: error.shifted(start), end, depth: 0 }
    })?;
    let place = Place::inside(&Arc::default(), Segment::Index(index));
    let push = |sink: &mut Sink, len, role, meaning: Cow<'static, str>, value: String| {
        sink.push(len, role, 0, &place, meaning, value.into());
    };
    push(sink, 4, Role::Length, "length of the frame".into(), frame.len().to_string());
    let start = sink.at();
    let end = start.saturating_add(frame.len());
    let part = Embedded { bytes, start, end, place: Arc::clone(&place), whole: options.strict };
    let slack = end.saturating_sub(part.explain(options, sink)?);
    if slack > 0 {
        push(sink, slack, Role::Unused, "left in the frame, ignored".into(), String::new());
    }
    Ok(())
}

/// A `project.binary`.
pub(crate) fn explain_project(bytes: &[u8], options: &Options) -> Explanation {
    let options = options.clone().allow_objects(true);
    let reader = Reader::new(bytes, options.clone());
    let mut settings = Settings { bytes, reader, sink: Sink::default() };
    let done = settings.all(&options);
    finish(bytes, settings.sink, done)
}

/// Follows `ProjectSettings::from_slice_with`.
struct Settings<'a> {
    bytes: &'a [u8],
    reader: Reader<'a>,
    sink: Sink,
}

impl<'a> Settings<'a> {
    fn all(&mut self, options: &Options) -> Result<()> {
        let root = Arc::default();
        self.read(project::magic)?;
        self.push(4, Role::Magic, &root, "magic", "\"ECFG\"");
        let count = self.read(project::count)?;
        self.push(4, Role::Count, &root, "count of settings", count.to_string());
        for _ in 0..count {
            let len = self.read(project::length)?;
            self.push(4, Role::Length, &root, "length of the name", len.to_string());
            let at = self.reader.offset();
            let name = self.read(|reader| reader.take(len, project::NAME))?;
            let name = self.read(|_| project::text(name, at)).inspect_err(|refused| {
                let valid = refused.error.offset().unwrap_or(at).saturating_sub(at);
                let shown = String::from_utf8_lossy(name.get(..valid).unwrap_or_default());
                self.sink.push(valid, Role::Text, 0, &root, "name".into(), quoted(&shown).into());
            })?;
            self.push(len, Role::Text, &root, "name", quoted(name));
            let len = self.read(project::length)?;
            self.push(4, Role::Length, &root, "length of the value", len.to_string());
            let start = self.reader.offset();
            self.read(|reader| reader.take(len, project::SETTING))?;
            let place = Place::inside(&root, Segment::key(name));
            let (bytes, end) = (self.bytes, self.reader.offset());
            let part = Embedded { bytes, start, end, place, whole: true };
            part.explain(options, &mut self.sink)
                .map_err(|r| Refused { error: r.error.in_field(name), ..r })?;
        }
        self.read(|reader| project::end(reader, count))
    }

    /// Reads something, or says which bytes are wrong.
    fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> crate::Result<T>) -> Result<T> {
        read(&mut self.reader).map_err(|error| {
            let at = error.offset().unwrap_or(self.reader.offset());
            let end = end_of_error(error.kind(), self.bytes, at, self.reader.offset());
            Refused { error, end, depth: 0 }
        })
    }

    fn push(
        &mut self,
        len: usize,
        role: Role,
        place: &Arc<Place>,
        meaning: &'static str,
        value: impl Into<Cow<'static, str>>,
    ) {
        if len > 0 {
            self.sink.push(len, role, 0, place, meaning.into(), value.into());
        }
    }
}

fn finish(bytes: &[u8], mut sink: Sink, done: Result<()>) -> Explanation {
    let error: Option<Error> = done.err().map(|refused| {
        sink.fail(&refused, bytes.len());
        refused.error
    });
    sink.finish(bytes, error)
}
