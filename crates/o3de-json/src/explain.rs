//! The meaning of every byte of a text.
//!
//! [`explain`](crate::explain()) and [`Options::explain`](crate::Options::explain) make an
//! [`Explanation`]: a row of [`Span`]s, in the order of the text, in which every byte is in exactly
//! one span. It listens to the walk that builds a [`Value`](crate::Value), so it accepts and refuses
//! the same texts with the same error; what was understood before the error is explained, and what
//! comes after it is [not reached](Role::NotReached).
//!
//! Notes what readers skip in silence: names that repeat, objects that stand for a default,
//! integers that only an unsigned type holds.
//!
//! ```
//! use o3de_json::explain::Role;
//!
//! let explanation = o3de_json::explain(b"{\"Id\": 7, // seven\n\"Tint\": {}}");
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                   value
//! 00000000  7b                       Object                    2 members
//! 00000001  22 49 64 22                name                    "Id"
//! 00000005  3a 20                      separator               ": "
//! 00000007  37                         Id: Integer             7
//! 00000008  2c 20                      separator               ", "
//! 0000000a  2f 2f 20 73 65 76 65 6e    comment                 // seven
//! 00000012  0a                         separator               "\n"
//! 00000013  22 54 69 6e 74 22          name                    "Tint"
//! 00000019  3a 20                      separator               ": "
//! 0000001b  7b                         Tint: Object            0 members  · explicit default
//! 0000001c  7d                         end of Tint
//! 0000001d  7d                       end of the object
//! "#.trim_start());
//!
//! let id = &explanation.spans()[3];
//! assert_eq!((id.role(), id.range()), (Role::Header, 7..8));
//! assert_eq!(id.path().pointer().to_string(), "/Id");
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use gamewire_core::bytes::part;
use gamewire_core::explain::{Mark, Note, Sink, quoted, shortened};
use gamewire_core::gap::comment_end;
use gamewire_core::words::Count;
use gamewire_core::{Notation, Segment};

use crate::read::{Input, Kind, Reader, foreign};
use crate::value::decode::{Leaf, Listener, decode};
use crate::value::{Number, located};
use crate::{Error, Options};

pub use gamewire_core::explain::{Role, Space, Span};

/// Explains every byte of a text.
pub type Explanation = gamewire_core::explain::Explanation<Error>;

/// Says what every byte of the text means; never fails, see [`Explanation::error`].
///
/// # Example
/// ```
/// let explanation = o3de_json::explain(b"[1, tru]");
/// let error = explanation.error().unwrap();
/// assert_eq!((error.offset(), error.pointer().as_str()), (Some(4), "/1"));
/// assert_eq!(explanation.span_at(1).unwrap().kind(), "Integer");
/// ```
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}

impl Options {
    /// Says what every byte of a text means; never fails, see [`Explanation::error`].
    ///
    /// # Example
    /// ```
    /// use o3de_json::Options;
    ///
    /// let text = b"[1, /* two */ 2,]";
    /// assert!(Options::new().explain(text).error().is_some());
    /// let explanation = Options::new().trailing_commas(true).explain(text);
    /// assert_eq!(explanation.span_at(4).unwrap().value(), "/* two */");
    /// assert!(explanation.error().is_none());
    /// ```
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        let (input, wrong) = match Input::check(bytes, self) {
            Ok(input) => (input, None),
            Err(error) => {
                let head = part(bytes, ..error.offset().unwrap_or(0));
                (Input::text(std::str::from_utf8(head).unwrap_or_default()), Some(error))
            }
        };
        let mut reader = Reader::of(input, self);
        let most = self.limits.memory(bytes.len());
        let sink = Sink::new(bytes).notation(Notation::Pointer).max_memory(most);
        let mut spans = Spans { bytes: input.bytes, sink, levels: Vec::new(), next: None };
        let done = decode(&mut reader, &mut spans).and_then(|()| {
            let done = reader.end();
            spans.gap(reader.offset());
            done
        });
        let error = wrong.or(done.err().map(|error| located(error, input, self)));
        if let Some(error) = &error {
            spans.fail(error, bytes.len());
        }
        spans.sink.finish(error)
    }
}

/// The listener that makes a span of each token and of what stands between them.
struct Spans<'t> {
    bytes: &'t [u8],
    sink: Sink,
    levels: Vec<Level<'t>>,
    /// The name or index of the next value in the innermost container.
    next: Option<Segment>,
}

/// A container that is open.
struct Level<'t> {
    own: Mark,
    is_object: bool,
    /// Its name or index; `None` at the root.
    segment: Option<Segment>,
    children: usize,
    /// The names so far, and which members they are of.
    names: HashMap<Cow<'t, str>, usize>,
}

impl Spans<'_> {
    /// Explains the bytes between the last token and an offset.
    fn gap(&mut self, end: usize) {
        let mut rest = part(self.bytes, self.sink.at()..end);
        while !rest.is_empty() {
            let comment = comment(rest);
            let slash = || rest.iter().skip(1).position(|byte| *byte == b'/');
            let len = match comment {
                0 => slash().map_or(rest.len(), |at| at.saturating_add(1)),
                len => len,
            };
            let (part, after) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            let text = foreign::to_text(part);
            let note = match comment {
                0 => Note::new(Role::Separator, "separator").value(quoted(&text)),
                _ => Note::new(Role::Comment, "comment").value(shortened(format_args!("{text}"))),
            };
            self.sink.push(self.sink.at().saturating_add(part.len()), note);
            rest = after;
        }
    }

    /// A token of the value that comes next, which is entered.
    fn value(&mut self, range: Range<usize>, note: Note) -> (Mark, Option<Segment>) {
        self.gap(range.start);
        let segment = self.next.take();
        if let Some(segment) = segment.clone() {
            self.sink.enter(segment);
        }
        (self.sink.push(range.end, note), segment)
    }

    /// The error, which takes the character at its offset, or the number or word that begins there.
    fn fail(&mut self, error: &Error, len: usize) {
        let at = error.offset().unwrap_or(len);
        self.gap(self.gap_end(at));
        // An error may stand behind the text: where it begins that is not UTF-8.
        let rest = self.bytes.get(at..).unwrap_or_default();
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        // The bytes of one character.
        let more = rest.iter().skip(1).take_while(|byte| **byte & 0xc0 == 0x80).count();
        let one = more.min(3).saturating_add(1);
        self.sink.fail(error, at.saturating_add(word.max(one)));
    }

    /// Where the space ends that begins after the last token, no later than `end`.
    fn gap_end(&self, end: usize) -> usize {
        let mut at = self.sink.at();
        loop {
            let rest = self.bytes.get(at..end).unwrap_or_default();
            let is_space = |byte: &&u8| b" \t\n\r,:\xef\xbb\xbf".contains(*byte);
            let space = rest.iter().take_while(is_space).count();
            match comment(rest).max(space) {
                0 => return at,
                len => at = at.saturating_add(len),
            }
        }
    }
}

/// Length of the comment that some bytes begin with; 0 where there is none.
fn comment(bytes: &[u8]) -> usize {
    match bytes {
        [b'/', b'/' | b'*', ..] => comment_end(bytes, 0).unwrap_or(bytes.len()),
        _ => 0,
    }
}

impl<'t> Listener<'t> for Spans<'t> {
    fn open(&mut self, start: usize, kind: Kind) {
        let is_object = kind == Kind::Object;
        let note = Note::header(if is_object { "Object" } else { "Array" });
        let (own, segment) = self.value(start..start.saturating_add(1), note);
        self.sink.indent();
        self.levels.push(Level { own, is_object, segment, children: 0, names: HashMap::new() });
    }

    fn key(&mut self, Range { start, end }: Range<usize>, name: Cow<'t, str>) {
        self.gap(start);
        let mut note = Note::new(Role::Key, "name").value(quoted(&name));
        match &*name {
            "$type" => note = note.note("the class of the object"),
            "$import" => note = note.note("another file takes the place of the object"),
            _ => {}
        }
        self.next = Some(Segment::field(&name));
        if let Some(level) = self.levels.last_mut() {
            let index = level.children;
            level.children = index.saturating_add(1);
            match level.names.get(&name) {
                _ if self.sink.is_full() => level.names.clear(),
                Some(first) => note = note.note(&format!("the same as member {first}")),
                None => drop(level.names.insert(name, index)),
            }
        }
        self.sink.push(end, note);
    }

    fn element(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.next = Some(Segment::Index(level.children));
            level.children = level.children.saturating_add(1);
        }
    }

    fn leaf(&mut self, range: Range<usize>, leaf: Leaf<'t>) {
        let note = match leaf {
            Leaf::Null => Note::header("Null").value("null"),
            Leaf::Bool(value) => Note::header("Bool").value(if value { "true" } else { "false" }),
            Leaf::String(text) => Note::header("String").value(quoted(&text)),
            Leaf::Number => {
                let text = foreign::to_text(part(self.bytes, range.clone()));
                let number = Number::spelled(text.as_ref().into());
                let kind = if number.is_integer() { "Integer" } else { "Double" };
                let note = Note::header(kind).value(shortened(format_args!("{text}")));
                match number.is_integer() && number.as_i64().is_none() {
                    true => note.note("above the signed range"),
                    false => note,
                }
            }
        };
        if self.value(range, note).1.is_some() {
            self.sink.leave();
        }
    }

    fn close(&mut self, end: usize) {
        self.gap(end.saturating_sub(1));
        let Some(level) = self.levels.pop() else { return };
        self.sink.outdent();
        let is_object = level.is_object;
        let meaning = match &level.segment {
            Some(Segment::Field(name)) => format!("end of {name}"),
            Some(segment) => format!("end of {segment}"),
            None => format!("end of the {}", if is_object { "object" } else { "array" }),
        };
        self.sink.push(end, Note::new(Role::End, meaning));
        let noun = if is_object { "member" } else { "element" };
        self.sink.set_value(level.own, Count(level.children, noun).to_string());
        if is_object && level.children == 0 {
            self.sink.note(level.own, "explicit default");
        }
        if level.segment.is_some() {
            self.sink.leave();
        }
    }
}
