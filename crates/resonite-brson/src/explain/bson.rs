//! A document: the listener that notes what each byte is.

use std::ops::Range;

use gamewire_core::explain::{Mark, Note, Role, Sink, quoted, shortened};

use crate::error::{Error, ErrorKind, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
use crate::types::DateTime;
use crate::value::Keys;
use crate::value::decode::{Contents, Decoder, Leaf, Listener, Opened, Position};

/// Explains the document that takes the sink's space from `base` on, and returns why it is refused.
pub(super) fn document(
    sink: &mut Sink,
    bson: &[u8],
    base: usize,
    options: &Options,
) -> Option<Error> {
    let mut reader = Reader::new(bson, *options);
    let end = base.saturating_add(bson.len());
    let mut notes = Notes { sink, base, end, levels: Vec::new(), header: Mark::NONE, cut: None };
    let read = Decoder::new(&mut reader, &mut notes).read(Kind::Document);
    let cut = notes.cut.take();
    let error = read.and_then(|()| reader.end()).err()?;
    let wrong = end_of_error(&error, bson.len(), reader.offset()).saturating_add(base);
    let error = error.shifted(base);
    sink.fail(&error, wrong);
    // The length that is more than there is comes first, and so is what a reader says.
    Some(cut.unwrap_or(error))
}

/// Where the bytes end that are wrong.
fn end_of_error(error: &Error, len: usize, read: usize) -> usize {
    let at = error.offset().unwrap_or(0);
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => len,
        ErrorKind::InvalidUtf8 => at.saturating_add(1),
        _ if read > at => read,
        ErrorKind::DocumentLength | ErrorKind::StringLength => at.saturating_add(4).min(len),
        _ => at.saturating_add(1).min(len),
    }
}

/// A container that is open.
struct NotedLevel<'b> {
    /// Whether it is an element, which its end ends too.
    is_element: bool,
    /// Words for its last byte.
    end: &'static str,
    keys: Vec<&'b [u8]>,
}

struct Notes<'b, 's> {
    sink: &'s mut Sink,
    base: usize,
    /// Where the bytes end.
    end: usize,
    levels: Vec<NotedLevel<'b>>,
    /// The type of the value that is read.
    header: Mark,
    /// The first length that is more than there is.
    cut: Option<Error>,
}

impl Notes<'_, '_> {
    /// Notes what is before an offset of the document.
    fn push(&mut self, end: usize, note: Note) -> Mark {
        self.sink.push(self.base.saturating_add(end), note)
    }

    /// Notes a length of four bytes.
    fn length(&mut self, at: usize, meaning: &'static str, len: usize) -> Mark {
        let note = Note::new(Role::Length, meaning).value(len.to_string());
        self.push(at.saturating_add(4), note)
    }

    /// Ends an element.
    fn end_element(&mut self) {
        self.sink.outdent();
        self.sink.leave();
    }

    /// Notes the payload of a value that contains no other. Returns it in words.
    fn payload(&mut self, leaf: Leaf<'_>, bytes: &Range<usize>) -> String {
        let at = bytes.start;
        let (meaning, shown) = match leaf {
            Leaf::String(text) => {
                let len = text.bytes().len().saturating_add(1);
                self.length(at, "length with the 0", len);
                let note = Note::new(Role::Text, "text").value(quoted(text.as_str()));
                self.push(bytes.end, note);
                return quoted(text.as_str());
            }
            Leaf::Binary(subtype, data) => {
                let len = bytes.end.saturating_sub(at).saturating_sub(5);
                self.length(at, "length in bytes", len);
                let flags = Note::new(Role::Flags, "subtype").value(subtype.to_string());
                self.push(at.saturating_add(5), flags);
                if subtype == 2 {
                    self.length(at.saturating_add(5), "length in bytes, again", data.len());
                }
                self.push(bytes.end, Note::new(Role::Data, "bytes"));
                return count(data.len(), "byte");
            }
            Leaf::Other(kind, data) => {
                if !data.is_empty() {
                    self.push(bytes.end, Note::new(Role::Data, kind.words()));
                }
                return count(data.len(), "byte");
            }
            Leaf::DateTime(millis) => {
                ("milliseconds since 1970", format!("{millis}, {}", DateTime(millis)))
            }
            Leaf::Int32(v) => ("32-bit integer", v.to_string()),
            Leaf::Int64(v) => ("64-bit integer", v.to_string()),
            Leaf::Double(v) => ("64-bit float", shortened(format_args!("{v:?}"))),
            Leaf::Bool(v) => ("value", v.to_string()),
            Leaf::Null => ("value", "null".to_owned()),
        };
        self.push(bytes.end, Note::new(Role::Data, meaning).value(shown.clone()));
        shown
    }
}

impl<'b> Listener<'b> for Notes<'b, '_> {
    const COUNTS_FROM: usize = 0;
    type Kept = Leaf<'b>;
    type Open = ();

    fn keep(leaf: Leaf<'b>) -> Leaf<'b> {
        leaf
    }

    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b [u8]) -> bool {
        let Some(level) = self.levels.last_mut() else { return true };
        let is_new = keys.is_new(key, level.keys.iter().copied());
        level.keys.push(key);
        is_new
    }

    fn key(&mut self, at: usize, kind: Kind, key: &'b [u8], position: Position<'b>) {
        let (segment, meaning) = match position {
            Position::Entry(key) => (Segment::field(key.as_str()), "key"),
            Position::Item(index) => (Segment::Index(index), "index"),
            Position::Root => return,
        };
        self.sink.enter(segment);
        self.header = self.push(at, Note::header(kind.name()));
        self.sink.indent();
        let end = at.saturating_add(key.len()).saturating_add(1);
        let note = Note::new(Role::Key, meaning);
        self.push(end, note.value(quoted(&String::from_utf8_lossy(key))));
    }

    fn leaf(&mut self, bytes: Range<usize>, _: Position<'b>, leaf: Leaf<'b>) {
        if !self.sink.is_full() {
            let header = self.header;
            let shown = self.payload(leaf, &bytes);
            self.sink.set_value(header, shown);
        } else {
            self.push(bytes.end, Note::new(Role::Data, ""));
        }
        self.end_element();
    }

    fn open(&mut self, at: usize, position: Position<'b>, opened: Opened) {
        let Opened { contents, len, count: elements } = opened;
        let elements = elements.unwrap_or(0);
        let (holds, end) = match contents {
            Contents::Items => (count(elements, "element"), "end of the array"),
            Contents::Entries => (count(elements, "entry"), "end of the document"),
        };
        let mark = match position {
            Position::Root => {
                let note = Note::header("Document").meaning(format!("{len} bytes")).value(holds);
                let mark = self.push(at.saturating_add(4), note);
                self.sink.indent();
                mark
            }
            _ => {
                let mark = self.length(at, "length in bytes", len);
                // The key lies between the type and the length.
                self.sink.set_value(self.header, holds);
                mark
            }
        };
        let missing = self.base.saturating_add(at).saturating_add(len).saturating_sub(self.end);
        if missing > 0 {
            self.sink.note(mark, &format!("{} missing", count(missing, "byte")));
        }
        let is_element = matches!(position, Position::Item(_) | Position::Entry(_));
        self.levels.push(NotedLevel { is_element, end, keys: Vec::new() });
    }

    fn close(&mut self, end: usize, _: Position<'b>, (): ()) -> usize {
        if let Some(level) = self.levels.pop() {
            self.push(end, Note::new(Role::End, level.end));
            if level.is_element {
                self.end_element();
            }
        }
        0
    }

    fn cut(&mut self, error: Error) -> crate::Result<()> {
        let base = self.base;
        self.cut.get_or_insert_with(|| error.shifted(base));
        Ok(())
    }
}

/// `1 entry`, `2 entries`.
fn count(count: usize, noun: &'static str) -> String {
    crate::error::Count(count, noun).to_string()
}
