//! From the whole input to its variants: bare, in frames, in a `project.binary`.

use gamewire_core::explain::{Failure, Note, Role, Sink, quoted};

use super::note::{Embedded, Refused, end_of_error};
use super::{Explanation, File};
use crate::Options;
use crate::error::{Error, ErrorKind};
use crate::frame::{Framing, Piece};
use crate::project;
use crate::read::Reader;

/// Where reading stopped, and why the input is refused: not always the same, because what is cut
/// off is explained as far as it goes.
pub(super) struct Stopped {
    at: Refused,
    told: Option<Error>,
}

pub(super) type Result<T> = std::result::Result<T, Stopped>;

impl From<Refused> for Stopped {
    fn from(at: Refused) -> Self {
        Stopped { at, told: None }
    }
}

impl Stopped {
    fn inside<S: Into<gamewire_core::Segment> + Clone>(self, step: S) -> Self {
        let Stopped { at: Refused { error, end }, told } = self;
        let at = Refused { error: error.inside(step.clone()), end };
        Stopped { at, told: told.map(|error| error.inside(step)) }
    }
}

impl Options {
    /// Says what every byte of the input means; never fails, see [`Explanation::error`].
    ///
    /// # Example
    /// ```
    /// use godot_variant::{Dialect, Options};
    ///
    /// let explanation = Options::new().dialect(Dialect::Godot3).explain(&[7, 0, 0, 0, 0, 0]);
    /// assert_eq!(explanation.spans()[0].kind(), "Vector3");
    /// let error = explanation.error().expect("two floats are missing");
    /// assert_eq!(error.to_string(), "expected 12 bytes of Vector3, found 2 at byte 0x4");
    /// ```
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        File::variant(self).explain(bytes)
    }
}

impl Framing {
    /// Says what every byte of a file or stream of frames means; never fails, see
    /// [`Explanation::error`], which is that of [`all_from_slice`](Self::all_from_slice).
    ///
    /// The first value is at `[0]`, the one in the next frame at `[1]`. Offsets count from the start
    /// of the input. A frame that is cut off is explained as far as it goes.
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        File::frames(self).explain(bytes)
    }

    /// From where the sink stands.
    pub(super) fn explain_frames(&self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        let mut index = 0usize;
        while sink.at() < bytes.len() {
            sink.enter(index);
            let done = self.explain_frame(bytes, sink).map_err(|stopped| stopped.inside(index));
            sink.leave();
            done?;
            index = index.saturating_add(1);
        }
        Ok(())
    }

    /// From where the sink stands.
    pub(super) fn explain_pieces(&self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        let mut index = 0usize;
        for piece in self.pieces(bytes.get(sink.at()..).unwrap_or_default()) {
            let at = sink.at();
            let after = at.saturating_add(Framing::LEN);
            match piece {
                Piece::Variant(_) => {
                    sink.enter(index);
                    let done = self.explain_frame(bytes, sink).map_err(|own| own.inside(index));
                    sink.leave();
                    done?;
                    index = index.saturating_add(1);
                }
                Piece::Text(text) => {
                    let length = Note::new(Role::Length, "length of a text between values");
                    sink.push(after, length.value(text.len().to_string()));
                    let text_note = Note::new(Role::Text, "text").value(quoted(text));
                    sink.push(after.saturating_add(text.len()), text_note);
                }
                Piece::Number(number) => {
                    let note = Note::new(Role::Unused, "between values, as a number of 32 bits");
                    sink.push(after, note.value(number.to_string()));
                }
                Piece::Bytes(rest) => {
                    let end = at.saturating_add(rest.len());
                    sink.push(end, Note::new(Role::Unused, "between values"));
                }
            }
        }
        Ok(())
    }

    fn explain_frame(&self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        let start = sink.at();
        let rest = bytes.get(start..).unwrap_or_default();
        let after_length = start.saturating_add(Framing::LEN);
        let len = match self.frame_len(rest) {
            Ok(Some(len)) => len,
            Ok(None) => {
                let end = bytes.len();
                sink.push(end, Note::new(Role::Length, "beginning of the frame's length"));
                return Err(Refused { error: self.cut(rest, start), end }.into());
            }
            Err(error) => {
                return Err(Refused { error: error.shifted(start), end: after_length }.into());
            }
        };
        let cut = len > rest.len();
        let missing = || self.cut(rest, start);
        let len = len.saturating_sub(Framing::LEN);
        let mut length = Note::new(Role::Length, "length of the frame").value(len.to_string());
        if cut {
            let there = rest.len().saturating_sub(Framing::LEN);
            length = length.note(&format!("but only {there} follow"));
        }
        sink.push(after_length, length);
        let end = after_length.saturating_add(len).min(bytes.len());
        let whole = self.options.strict && !cut;
        let variant = Embedded { bytes, start: after_length, end, whole };
        let done = variant.explain(&self.options, sink).map(|_| {
            sink.set_depth(0);
            sink.push(end, Note::new(Role::Unused, "left in the frame, ignored"));
        });
        if !cut {
            return Ok(done?);
        }
        let at = match done {
            Err(refused) => refused,
            Ok(()) => Refused { error: missing(), end },
        };
        Err(Stopped { at, told: Some(missing()) })
    }
}

/// A `project.binary` from where the sink stands.
pub(super) fn settings(bytes: &[u8], options: &Options, sink: &mut Sink) -> Result<()> {
    let options = options.clone().allow_objects(true);
    let mut reader = Reader::new(bytes, options.clone());
    let mut settings = match reader.take(sink.at(), "what is before the settings") {
        Ok(_) => Settings { bytes, reader, sink },
        Err(error) => return Err(Refused { error, end: bytes.len() }.into()),
    };
    settings.all(&options)
}

/// Follows `ProjectSettings::from_slice_with`.
struct Settings<'a, 's> {
    bytes: &'a [u8],
    reader: Reader<'a>,
    sink: &'s mut Sink,
}

impl<'a> Settings<'a, '_> {
    fn all(&mut self, options: &Options) -> Result<()> {
        self.read(project::magic)?;
        self.push(Role::Magic, "magic", "\"ECFG\"".to_owned());
        let count = self.read(|reader| reader.u32(project::COUNT))?;
        self.push(Role::Count, "count of settings", count.to_string());
        for _ in 0..count {
            let len = self.read(project::length)?;
            self.push(Role::Length, "length of the name", len.to_string());
            let at = self.reader.offset();
            let name = self.read(|reader| reader.take(len, project::NAME))?;
            let name = self.read(|_| project::text(name, at)).inspect_err(|stopped| {
                let end = stopped.at.error.offset().unwrap_or(at);
                let valid = name.get(..end.saturating_sub(at)).unwrap_or_default();
                let shown = quoted(&String::from_utf8_lossy(valid));
                self.sink.push(end, Note::new(Role::Key, "name").value(shown));
            })?;
            self.push(Role::Key, "name", quoted(name));
            let len = self.read(project::length)?;
            let mut length = Note::new(Role::Length, "length of the value").value(len.to_string());
            let left = self.reader.rest().len();
            if len > left {
                length = length.note(&format!("but only {left} follow"));
            }
            self.sink.push(self.reader.offset(), length);
            self.sink.enter(name);
            self.value(name, len, options)?;
            self.sink.leave();
            self.sink.set_depth(0);
        }
        self.read(|reader| project::end(reader, count))
    }

    fn value(&mut self, name: &str, len: usize, options: &Options) -> Result<()> {
        let start = self.reader.offset();
        let taken = self.reader.take(len, project::SETTING);
        let end = if taken.is_ok() { self.reader.offset() } else { self.bytes.len() };
        let variant = Embedded { bytes: self.bytes, start, end, whole: taken.is_ok() };
        let done = variant.explain(options, self.sink);
        match (taken, done) {
            (Ok(_), Ok(_)) => Ok(()),
            (Ok(_), Err(refused)) => Err(Stopped::from(refused).inside(name)),
            // The value is cut off, wherever that shows in it.
            (Err(told), Err(Refused { error, end })) => {
                let at = Refused { error: error.inside(name), end };
                Err(Stopped { at, told: Some(told) })
            }
            (Err(told), Ok(_)) => {
                self.sink.push(end, Note::new(Role::Unused, "after the value"));
                let message = told.message().to_owned();
                let error = Error::at(ErrorKind::UnexpectedEof, end, message);
                Err(Stopped { at: Refused { error, end }, told: Some(told) })
            }
        }
    }

    /// Reads something, or says which bytes are wrong.
    fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> crate::Result<T>) -> Result<T> {
        read(&mut self.reader).map_err(|error| {
            let at = error.offset().unwrap_or(self.reader.offset());
            let end = end_of_error(error.cause(), self.bytes, at, self.reader.offset());
            Refused { error, end }.into()
        })
    }

    /// A span up to where the reader stands.
    fn push(&mut self, role: Role, meaning: &'static str, value: String) {
        self.sink.push(self.reader.offset(), Note::new(role, meaning).value(value));
    }
}

/// Notes in the space why it is refused, and returns it.
pub(super) fn failed(sink: &mut Sink, done: Result<()>) -> Option<Error> {
    done.err().map(|Stopped { at, told }| {
        sink.fail(&at.error, at.end);
        told.unwrap_or(at.error)
    })
}
