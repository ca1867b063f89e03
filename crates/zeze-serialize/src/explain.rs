//! The meaning of every byte of an encoded bean.
//!
//! [`explain`](crate::explain()), [`Options::explain`] and [`Framing::explain`] make an
//! [`Explanation`]: a row of [`Span`]s, in the order of the input, in which every byte is in exactly
//! one span. It accepts and refuses the same bytes as the reader of a [`Value`], with the same
//! error, because it listens to the same decoder. The bytes before an error are explained, and so is the
//! part that exists of text, containers and frames that claim more than the input has.
//!
//! ```
//! use zeze_serialize::explain::Role;
//!
//! let bytes = [0x10, 0x07, 0x24, 0x23, 1, b'a', 1, b'b', 0x00];
//! let explanation = zeze_serialize::explain(&bytes);
//! assert_eq!(explanation.to_string(), r#"
//! offset    bytes                    meaning                             value
//! 00000000  10                       [field 1]: int                      7
//! 00000001  07                         integer                           7
//! 00000002  24                       [field 3]: list                     2 elements
//! 00000003  23                         list                              2 elements of string
//! 00000004  01                           [0]: string, length in bytes    1
//! 00000005  61                             text                          "a"
//! 00000006  01                           [1]: string, length in bytes    1
//! 00000007  62                             text                          "b"
//! 00000008  00                       end of the bean
//! "#.trim_start());
//!
//! let text = &explanation.spans()[5];
//! assert_eq!((text.role(), text.range()), (Role::Text, 5..6));
//! assert_eq!(text.path().to_string(), "[field 3][0]");
//!
//! // Cut off, the same bytes show where reading ended.
//! let explanation = zeze_serialize::explain(&bytes[..7]);
//! let error = explanation.error().expect("the string is not whole");
//! assert_eq!(
//!     error.to_string(),
//!     "expected 1 byte, found 0 bytes left in the input at byte 0x6, in [field 3][1]",
//! );
//! assert_eq!(explanation.spans().last().map(|span| span.role()), Some(Role::Error));
//! # Ok::<(), zeze_serialize::Error>(())
//! ```
//!
//! [`Value`]: crate::Value

mod names;

use std::borrow::Cow;

use gamewire_core::bytes::{hex, part};
use gamewire_core::explain::{Mark, Note, Sink, quoted, shortened};
pub use gamewire_core::explain::{Role, Space, Span};
pub use names::{Known, Names, Part};

use crate::error::{Count, Error, ErrorKind, Result, Segment};
use crate::frame::{self, Framing};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead};
use crate::value::Value;
use crate::value::decode::{self, Decoder, FramePart, Leaf, Listener};

/// The meaning of every byte of an input.
pub type Explanation = gamewire_core::explain::Explanation<Error>;

/// Text that is mostly the same each time.
type Text = Cow<'static, str>;

impl Options {
    /// Says what every byte of one bean means; as [`explain`](crate::explain()).
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        self.explain_named(bytes, &())
    }

    /// The same with the names of a schema in place of numbers.
    pub fn explain_named<N: Names>(&self, bytes: &[u8], names: &N) -> Explanation {
        let (mut decoder, mut spans) = start(bytes, *self, names);
        spans.root = names.root();
        let read = decoder.value(Kind::Bean, 0, &mut spans).and_then(|()| decoder.end());
        spans.finish(&mut decoder, read.err(), |error| error)
    }
}

impl Framing {
    /// Says what every byte of a row of frames means; never fails, see [`Explanation::error`].
    ///
    /// The first frame is at `[0]`, the next one at `[1]`.
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        self.explain_named(bytes, &())
    }

    /// The same with the names of a schema in place of numbers.
    pub fn explain_named<N: Names>(&self, bytes: &[u8], names: &N) -> Explanation {
        let (mut decoder, mut spans) = start(bytes, self.options, names);
        let (mut read, mut index) = (Ok(()), 0_usize);
        while read.is_ok() && !decoder.rest().is_empty() {
            spans.sink.enter(index);
            read = self.explain_one(&mut decoder, &mut spans);
            if read.is_ok() && decoder.claim.is_none() {
                spans.sink.outdent();
                spans.sink.leave();
                index = index.saturating_add(1);
            }
        }
        spans.finish(&mut decoder, read.err(), |error| error.inside(index))
    }

    fn explain_one<'a, N: Names>(
        &self,
        decoder: &mut Decoder<'a>,
        spans: &mut Spans<'a, N>,
    ) -> Result<()> {
        decoder.frame_start(self, spans)?;
        decoder.value(Kind::Bean, 0, spans)?;
        decoder.frame_end(spans.bytes, spans)
    }
}

fn start<'a, N: Names>(
    bytes: &'a [u8],
    options: Options,
    names: &'a N,
) -> (Decoder<'a>, Spans<'a, N>) {
    let mut decoder = Decoder::new(bytes, options);
    decoder.read_on();
    let sink = Sink::new(bytes).max_memory(options.limits.memory(bytes.len()));
    let head = Head { mark: Mark::NONE, module: 0, protocol: 0, bean: None };
    (decoder, Spans { bytes, sink, names, around: Vec::new(), root: None, next: None, head })
}

/// Makes spans of what the decoder reads.
struct Spans<'a, N: Names> {
    bytes: &'a [u8],
    sink: Sink,
    names: &'a N,
    /// Containers around the next value.
    around: Vec<Open<N::Place>>,
    /// The places of the bean at the root, and of the value that is next.
    root: Option<N::Place>,
    next: Option<N::Place>,
    head: Head<N::Place>,
}

/// The beginning of a frame.
struct Head<P> {
    /// The line that heads it.
    mark: Mark,
    module: i64,
    protocol: i64,
    /// The place of the bean, while another one is read.
    bean: Option<P>,
}

/// A container, with what is known of it.
enum Open<P> {
    List {
        place: Option<P>,
        kind: Kind,
        index: usize,
    },
    Map {
        place: Option<P>,
        kinds: (Kind, Kind),
        index: usize,
        key_at: usize,
        /// The step to the value that is next; `None` before a key.
        key: Option<Segment>,
    },
    Bean {
        place: Option<P>,
        fields: usize,
        /// The tag of the field that is being read, and whether the field is a step of the path.
        tag: Mark,
        is_step: bool,
        /// Layers of bases that were begun, and the fields of the first layer.
        bases: usize,
        own: usize,
        type_id: Option<i64>,
        /// Whether the fields are deeper than what is before the bean.
        is_indented: bool,
    },
}

impl<N: Names> Spans<'_, N> {
    /// A value begins: its place, and the type that it has by the header of its container. A field
    /// has its type in its tag.
    fn begin(&mut self) -> Option<Kind> {
        let (place, part, kind) = match self.around.last() {
            Some(Open::List { place, kind, index }) => {
                self.sink.enter(*index);
                (place, Part::Element(*kind), *kind)
            }
            Some(Open::Map { place, kinds, key: Some(key), .. }) => {
                self.sink.enter(key.clone());
                (place, Part::Value(kinds.0, kinds.1), kinds.1)
            }
            Some(Open::Map { place, kinds, index, .. }) => {
                self.sink.enter(Segment::KeyOf(*index));
                (place, Part::Key(kinds.0, kinds.1), kinds.0)
            }
            // The tag said what is known of a field.
            Some(Open::Bean { .. }) => return None,
            None => {
                self.next = self.root;
                return None;
            }
        };
        self.next = place.and_then(|place| self.names.part(place, part));
        Some(kind)
    }

    /// The step to the value of a map's key, which has these bytes.
    fn key_step(
        &self,
        place: Option<N::Place>,
        bytes: &[u8],
        kinds: (Kind, Kind),
    ) -> Option<Segment> {
        let place = self.names.part(place?, Part::Key(kinds.0, kinds.1))?;
        let key = crate::value::short_key(bytes, kinds.0).filter(|key| key.as_str().is_none())?;
        Some(Segment::key(&self.names.key(place, &key)?))
    }

    /// A value ended, which is called so in the line of its tag.
    fn done(
        &mut self,
        end: usize,
        value: impl FnOnce() -> Text,
        key: impl FnOnce(&[u8], Kind) -> Segment,
    ) {
        let key = match self.around.last() {
            Some(Open::Map { place, kinds, key_at, key: None, .. }) => {
                let bytes = part(self.bytes, *key_at..end);
                let named = self.key_step(*place, bytes, *kinds);
                Some(named.unwrap_or_else(|| key(bytes, kinds.0)))
            }
            _ => None,
        };
        match self.around.last_mut() {
            Some(Open::List { index, .. }) => *index = index.saturating_add(1),
            Some(Open::Map { index, key_at, key: next, .. }) => match next.take() {
                Some(_) => {
                    *index = index.saturating_add(1);
                    *key_at = end;
                }
                None => *next = key,
            },
            Some(Open::Bean { tag, is_step, .. }) => {
                let (tag, is_step) = (*tag, *is_step);
                self.sink.outdent();
                if tag != Mark::NONE {
                    self.sink.set_value(tag, value());
                }
                if !is_step {
                    return;
                }
            }
            // At the root nothing was entered.
            None => return,
        }
        self.sink.leave();
    }

    fn push(
        &mut self,
        end: usize,
        kind: Option<Kind>,
        role: Role,
        what: &'static str,
        value: impl Into<Text>,
    ) {
        let note = match kind {
            // The type says all of a number and of a vector of floats.
            Some(kind) if role == Role::Data && kind != Kind::Bytes => {
                let axis = if kind.has_ints() { what } else { "" };
                Note::new(role, axis).kind(kind.name())
            }
            Some(kind) if what == kind.name() => Note::new(role, "").kind(what),
            Some(kind) => Note::new(role, what).kind(kind.name()),
            None => Note::new(role, what),
        };
        self.sink.push(end, note.value(value));
    }

    /// The name and place of the frame that is being read, which are those of its bean.
    fn bean_of_frame(&mut self, is_answer: bool) -> Known<'_, N::Place> {
        let ids = [self.head.module, self.head.protocol].map(u32::try_from);
        let [Ok(module), Ok(protocol)] = ids else { return Known::NOTHING };
        let known = self.names.frame(module, protocol, is_answer);
        self.root = known.place;
        known
    }

    fn open_list(&mut self, end: usize, head: ListHead) {
        let kind = self.begin();
        let value = format!("{} of {}", Count(head.claimed, "element"), name(head.number));
        self.push(end, kind, Role::Count, "list", value);
        self.sink.indent();
        self.around.push(Open::List { place: self.next, kind: head.kind, index: 0 });
    }

    fn open_map(&mut self, end: usize, head: MapHead) {
        let kind = self.begin();
        let (key, value) = head.numbers;
        let count = Count(head.count, "entry");
        let value = format!("{count} of {} to {}", name(key), name(value));
        self.push(end, kind, Role::Count, "map", value);
        self.sink.indent();
        let (place, kinds) = (self.next, head.kinds);
        self.around.push(Open::Map { place, kinds, index: 0, key_at: end, key: None });
    }

    fn open_bean(&mut self, end: usize, type_id: Option<i64>) {
        let kind = self.begin();
        let mut place = self.next;
        if let Some(type_id) = type_id {
            let known = place.map_or(Known::NOTHING, |place| self.names.dynamic(place, type_id));
            place = known.place;
            let shown = match known.name {
                Some(name) => shortened(format_args!("{type_id}, {name}")),
                None => type_id.to_string(),
            };
            self.push(end, kind, Role::Type, "type id", shown);
        }
        let is_indented = kind.is_some() && type_id.is_some();
        if is_indented {
            self.sink.indent();
        }
        self.around.push(Open::Bean {
            place,
            fields: 0,
            tag: Mark::NONE,
            is_step: true,
            bases: 0,
            own: 0,
            type_id,
            is_indented,
        });
    }

    fn open_base(&mut self, end: usize) {
        self.push(end, None, Role::End, "end of the layer, its base follows", "");
        self.sink.enter(Segment::Base);
        let names = self.names;
        if let Some(Open::Bean { place, fields, bases, own, .. }) = self.around.last_mut() {
            *place = place.and_then(|bean| names.part(bean, Part::Base));
            if *bases == 0 {
                *own = *fields;
            }
            (*fields, *bases) = (0, bases.saturating_add(1));
        }
    }

    /// Ends with the error of the reader, if there is one. A claim that the input could not hold is
    /// the error, but what was there of it was explained, up to where the input ended.
    fn finish(
        mut self,
        decoder: &mut Decoder<'_>,
        error: Option<Error>,
        locate: impl Fn(Error) -> Error,
    ) -> Explanation {
        let stop = error.as_ref().and_then(Error::offset);
        let is_claim = decoder.claim.is_some();
        let Some(mut error) = decoder.claim.take().or(error).map(locate) else {
            return self.sink.finish(None);
        };
        let at = if is_claim { stop } else { error.offset() }.unwrap_or(decoder.offset());
        let end = match error.kind() {
            _ if is_claim => self.bytes.len(),
            ErrorKind::UnexpectedEof | ErrorKind::TrailingBytes => self.bytes.len(),
            _ if decoder.offset() > at => decoder.offset(),
            _ => at.saturating_add(1).min(self.bytes.len()),
        };
        // It is shown where reading could not continue.
        let place = error.move_to(Some(at as u64));
        self.sink.fail(&error, end);
        error.move_to(place);
        self.sink.finish(Some(error))
    }
}

fn count(count: usize, noun: &'static str) -> Text {
    Count(count, noun).to_string().into()
}

fn name(number: u8) -> &'static str {
    Kind::from_number(number).map_or("an undefined type", Kind::name)
}

fn floats(floats: &[f32]) -> String {
    let floats: Vec<_> = floats.iter().map(|float| format!("{float:?}")).collect();
    shortened(format_args!("({})", floats.join(", ")))
}

fn ints(ints: &[i64]) -> String {
    let ints: Vec<_> = ints.iter().map(ToString::to_string).collect();
    format!("({})", ints.join(", "))
}

impl<'a, N: Names> Listener<'a> for Spans<'a, N> {
    const READS_ON: bool = true;

    fn open(&mut self, end: usize, head: decode::Head) {
        match head {
            decode::Head::List(head) => self.open_list(end, head),
            decode::Head::Map(head) => self.open_map(end, head),
            decode::Head::Bean(type_id) => self.open_bean(end, type_id),
            decode::Head::Base => self.open_base(end),
        }
    }

    fn key(&mut self, end: usize, id: u32, kind: Kind) {
        let bean = match self.around.last() {
            Some(Open::Bean { place, .. }) => *place,
            _ => None,
        };
        let known = bean.map_or(Known::NOTHING, |bean| self.names.field(bean, id, kind));
        self.next = known.place;
        let is_field = known.name != Some("");
        if is_field {
            let named = known.name.map(|name| Segment::Field(name.into()));
            self.sink.enter(named.unwrap_or(Segment::Id(id)));
        }
        let mark = self.sink.push(end, Note::header(kind.name()));
        self.sink.indent();
        if let Some(Open::Bean { fields, tag, is_step, .. }) = self.around.last_mut() {
            (*fields, *tag, *is_step) = (fields.saturating_add(1), mark, is_field);
        }
    }

    fn leaf(&mut self, end: usize, value: Leaf<'a>) {
        let (what, shown) = match value {
            Leaf::Int(value) => ("integer", value.to_string()),
            Leaf::Float(value) => ("32-bit float", shortened(format_args!("{value:?}"))),
            Leaf::Double(value) => ("64-bit float", shortened(format_args!("{value:?}"))),
            Leaf::Vector2(vector) => ("x, y", floats(&vector)),
            Leaf::Vector3(vector) => ("x, y, z", floats(&vector)),
            Leaf::Vector4(vector) => ("x, y, z, w", floats(&vector)),
            Leaf::Vector2Int(vector) => ("", ints(&vector)),
            Leaf::Vector3Int(vector) => ("", ints(&vector)),
            Leaf::Bytes(bytes, _) => match std::str::from_utf8(bytes) {
                Ok(text) => ("text", quoted(text)),
                Err(_) => {
                    ("bytes", shortened(format_args!("{}", hex(bytes.get(..32).unwrap_or(bytes)))))
                }
            },
        };
        match value {
            // The components have begun it, and are all of it.
            Leaf::Vector2Int(_) | Leaf::Vector3Int(_) => {}
            Leaf::Bytes(bytes, len) => {
                let kind = self.begin();
                let start = end.saturating_sub(bytes.len());
                self.push(start, kind, Role::Length, "length in bytes", len.to_string());
                // In a field it is as deep as what follows.
                if kind.is_some() {
                    self.sink.indent();
                }
                let role = if what == "text" { Role::Text } else { Role::Data };
                self.push(end, None, role, what, shown.clone());
                if kind.is_some() {
                    self.sink.outdent();
                }
            }
            _ => {
                let kind = self.begin();
                self.push(end, kind, Role::Data, what, shown.clone());
            }
        }
        self.done(end, || shown.into(), |_, _| Value::from(value).as_key());
    }

    fn close(&mut self, end: usize) {
        let value = match self.around.pop() {
            Some(Open::List { index, .. }) => {
                self.sink.outdent();
                count(index, "element")
            }
            Some(Open::Map { index, .. }) => {
                self.sink.outdent();
                count(index, "entry")
            }
            Some(Open::Bean { fields, bases, own, type_id, is_indented, .. }) => {
                let none = if fields == 0 { "no fields" } else { "" };
                self.push(end, None, Role::End, "end of the bean", none);
                (0..bases).for_each(|_| self.sink.leave());
                if is_indented {
                    self.sink.outdent();
                }
                let has = match bases {
                    0 => count(fields, "field"),
                    _ => format!("{} and a base", Count(own, "field")).into(),
                };
                type_id.map_or(has.clone(), |id| format!("type {id}, {has}").into())
            }
            None => return,
        };
        self.done(end, || value, |bytes, kind| crate::value::key_segment(bytes, kind, 0));
    }

    fn component(&mut self, end: usize, index: usize, value: i64) {
        let kind = if index == 0 { self.begin() } else { None };
        let axis = match index {
            0 => "x",
            1 => "y",
            _ => "z",
        };
        self.push(end, kind, Role::Data, axis, value.to_string());
    }

    fn frame(&mut self, end: usize, part: FramePart, number: i64) {
        let (role, what) = match part {
            // The head of all that is in the frame.
            FramePart::Module => {
                let note = Note::new(Role::Type, "module id").kind("frame");
                let mark = self.sink.push(end, note.value(number.to_string()));
                self.head = Head { mark, module: number, protocol: 0, bean: None };
                return self.sink.indent();
            }
            FramePart::Protocol => {
                self.head.protocol = number;
                let module = self.head.module;
                let named = self.bean_of_frame(false).name;
                let named = named.map_or(String::new(), |name| format!(", {name}"));
                if self.head.mark != Mark::NONE {
                    let text = shortened(format_args!("module {module}, protocol {number}{named}"));
                    self.sink.set_value(self.head.mark, text);
                }
                (Role::Type, "protocol id")
            }
            FramePart::Size => (Role::Length, "size of the rest"),
            FramePart::Family => {
                let answers = [frame::RESPONSE, frame::RAFT_RESPONSE];
                _ = self.bean_of_frame(answers.into_iter().any(|own| i64::from(own) == number));
                let family = usize::try_from(number).ok().and_then(|number| FAMILIES.get(number));
                let family =
                    family.map_or_else(|| number.to_string().into(), |own| Text::from(*own));
                return self.push(end, None, Role::Type, "family", family);
            }
            FramePart::Result => (Role::Data, "result code"),
            FramePart::Session => (Role::Data, "session id"),
            FramePart::Created => {
                self.root = self.head.bean;
                self.sink.outdent();
                self.sink.leave();
                (Role::Data, "time of creation")
            }
            FramePart::Unique => {
                self.head.bean = self.root.take();
                self.sink.enter("unique");
                return self.sink.indent();
            }
            FramePart::Rest => {
                return self.push(end, None, Role::Unused, "left in the frame, ignored", "");
            }
        };
        self.push(end, None, role, what, number.to_string());
    }
}

/// By their numbers.
const FAMILIES: [&str; 5] =
    ["rpc response", "rpc request", "protocol", "raft rpc response", "raft rpc request"];
