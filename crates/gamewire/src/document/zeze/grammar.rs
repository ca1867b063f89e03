//! Beans and frames as they stand in the bytes: docs/formats/zeze-serialize.md.

use std::ops::Range;

use gamewire_core::bytes::part;
use gamewire_gen::zeze::view::{At, View};
use zeze_serialize::explain::Part;
use zeze_serialize::frame::{Header, RawFrame};
use zeze_serialize::wire::{self, Tag};
use zeze_serialize::{Error as ZezeError, Kind};

use super::Zeze;
use super::content::framing;
use super::settings::Frames;
use crate::document::error::Error;
use crate::document::ranges::{Around, Child, Extent, Grammar, Key, Next, Open, Opened, Out};

/// The meaning of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum What {
    /// The frames of a file.
    Frames(Frames),
    Frame(Frames),
    /// All of a frame before its bean.
    Head(Frames),
    /// One of the numbers and names in it.
    HeadPart(HeadPart, Frames),
    /// The bytes after the bean of a frame; where they end.
    Rest(usize),
    Value(Kind),
    /// The layer of a base.
    Base,
}

/// A part of a frame's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum HeadPart {
    Module,
    Protocol,
    Family,
    Result,
    Session,
    Unique,
    Created,
}

impl HeadPart {
    /// The name in paths and in the notation.
    pub(super) fn name(self) -> &'static str {
        match self {
            HeadPart::Module => "module",
            HeadPart::Protocol => "protocol",
            HeadPart::Family => "family",
            HeadPart::Result => "result",
            HeadPart::Session => "session",
            HeadPart::Unique => "unique",
            HeadPart::Created => "created",
        }
    }

    /// The parts that a head has, in order.
    pub(super) fn all(header: &Header<'_>) -> impl Iterator<Item = HeadPart> {
        let is_raft = matches!(header, Header::RaftRpc { .. });
        let has_family = *header != Header::Page;
        let parts = [
            (HeadPart::Module, true),
            (HeadPart::Protocol, true),
            (HeadPart::Family, has_family),
            (HeadPart::Result, has_family),
            (HeadPart::Session, header.session_id().is_some()),
            (HeadPart::Unique, is_raft),
            (HeadPart::Created, is_raft),
        ];
        parts.into_iter().filter(|(_, is_there)| *is_there).map(|(part, _)| part)
    }
}

/// How bytes are read: what they are, and the solution's knowledge of them.
#[derive(Clone, Copy)]
pub(in crate::document) struct Context<'g> {
    pub(super) what: What,
    pub(super) at: Option<At<'g>>,
    /// Whether its kind is that of the values beside it.
    pub(super) is_element: bool,
    /// Where the frame begins whose bean this is.
    pub(super) frame: Option<usize>,
}

impl<'g> Context<'g> {
    pub(super) fn new(what: What, at: Option<At<'g>>) -> Self {
        Context { what, at, is_element: false, frame: None }
    }
}

/// How far the listing of a container has come.
#[derive(Clone)]
pub(in crate::document) enum State<'g> {
    Frames(Frames),
    Frame {
        part: FramePart,
        end: usize,
        bean: usize,
        at: Option<At<'g>>,
        start: usize,
        frames: Frames,
    },
    /// A layer of fields. It ends with a zero byte, or with the layer of the base, which ends with that.
    Bean {
        last: u32,
        is_based: bool,
        at: Option<At<'g>>,
    },
    List {
        kind: Kind,
        left: usize,
        at: Option<At<'g>>,
    },
    Map {
        kinds: (Kind, Kind),
        left: usize,
        at: Option<At<'g>>,
    },
}

/// A part of a frame, by its number in a [`Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum FramePart {
    Head,
    Bean,
    Rest,
    Ended,
}

impl FramePart {
    pub(super) const HEAD: u8 = 0;
    pub(super) const BEAN: u8 = 1;
    pub(super) const REST: u8 = 2;
}

/// The key of the layer of a base.
pub(super) const BASE: u8 = 3;

/// Bytes of a frame that its size does not count, which ends them.
const SIZE: Range<usize> = 8..12;

impl Zeze {
    /// The frame that begins somewhere, and where it ends.
    pub(super) fn frame<'b>(
        &self,
        bytes: &'b [u8],
        at: usize,
        frames: Frames,
    ) -> Result<(RawFrame<'b>, usize), ZezeError> {
        let framing = framing(frames).unwrap_or_default().options(self.options);
        let (frame, rest) = framing.split(part(bytes, at..))?;
        Ok((frame, bytes.len() - rest.len()))
    }

    fn part<'g>(&'g self, at: Option<At<'g>>, part: Part) -> Option<At<'g>> {
        self.names()?.part(at?, part)
    }

    /// The solution's names, if it was given and is sound.
    pub(super) fn names(&self) -> Option<&View> {
        self.view.as_ref().ok()?.as_ref()
    }
}

/// Reads tags of one byte, as nearly all are: the crate's reader sets up more than that takes.
#[inline]
fn short_tag(bytes: &[u8], at: usize, last: u32) -> Option<(u32, Kind)> {
    let byte = *bytes.get(at).filter(|byte| (0x10..0xf0).contains(*byte))?;
    let id = last + u32::from(byte >> 4);
    Some((id, Kind::from_number(byte & 15)?)).filter(|(id, _)| *id < 1 << 31)
}

/// Returns where a value without children ends.
#[inline]
fn leaf_end(bytes: &[u8], at: usize, kind: Kind) -> Result<usize, ZezeError> {
    let first = bytes.get(at).copied();
    let len = match (kind, first) {
        // The commonest lengths and integers, as in `short_tag`.
        (Kind::Bytes, Some(len @ 0..0x80)) => 1 + usize::from(len),
        (Kind::Int, Some(byte)) if byte != 0x7f && byte != 0x80 => {
            let bits = if byte & 0x80 == 0 { byte } else { !byte };
            1 + (bits << 1).leading_ones() as usize
        }
        _ => return Ok(bytes.len() - wire::skip(part(bytes, at..), kind)?.len()),
    };
    match at + len <= bytes.len() {
        true => Ok(at + len),
        // For the error.
        false => Ok(bytes.len() - wire::skip(part(bytes, at..), kind)?.len()),
    }
}

fn after(bytes: &[u8], rest: &[u8]) -> usize {
    bytes.len() - rest.len()
}

impl Grammar for Zeze {
    type Error = ZezeError;
    type Context<'g> = Context<'g>;
    type State<'g> = State<'g>;

    #[inline]
    fn open<'g>(
        &'g self,
        bytes: &[u8],
        at: usize,
        context: Context<'g>,
    ) -> Result<Opened<State<'g>>, ZezeError> {
        let place = context.at;
        let bean = |at| State::Bean { last: 0, is_based: false, at };
        Ok(Opened::Container(match context.what {
            What::Value(kind) => match kind {
                Kind::Bean => Open::new(bean(place), at),
                Kind::Dynamic => {
                    let (type_id, left) = wire::read_int(part(bytes, at..))?;
                    let known = self.names().zip(place);
                    let place = known.and_then(|(view, at)| view.dynamic(at, type_id));
                    Open::new(bean(place), after(bytes, left))
                }
                Kind::List => {
                    let ((len, kind), left) = wire::read_list_header(part(bytes, at..))?;
                    let place = self.part(place, Part::Element(kind));
                    let state = State::List { kind, left: len, at: place };
                    let open = Open::new(state, after(bytes, left));
                    Open { len: Some(len), is_list: true, is_typed: true, ..open }
                }
                Kind::Map => {
                    let ((len, key, value), left) = wire::read_map_header(part(bytes, at..))?;
                    let place = self.part(place, Part::Value(key, value));
                    let state = State::Map { kinds: (key, value), left: len, at: place };
                    let open = Open::new(state, after(bytes, left));
                    Open { len: Some(len), is_typed: true, ..open }
                }
                _ => return Ok(Opened::Leaf(leaf_end(bytes, at, kind)?)),
            },
            What::Base => Open::new(bean(place), at),
            What::Frames(frames) => Open { is_list: true, ..Open::new(State::Frames(frames), at) },
            What::Frame(frames) => {
                let (frame, end) = self.frame(bytes, at, frames)?;
                let names = self.names();
                let is_answer = frame.is_answer();
                let known =
                    names.map(|view| view.frame(frame.module_id, frame.protocol_id, is_answer));
                let place = known.and_then(|known| known.place);
                let bean = at + frame.bean_offset();
                let state =
                    State::Frame { part: FramePart::Head, end, bean, at: place, start: at, frames };
                Open { end: Some(end), ..Open::new(state, at) }
            }
            What::Head(frames) => {
                return Ok(Opened::Leaf(at + self.frame(bytes, at, frames)?.0.bean_offset()));
            }
            What::Rest(end) => return Ok(Opened::Leaf(end)),
            // Nothing lists these by themselves.
            What::HeadPart(..) => return Ok(Opened::Leaf(at)),
        }))
    }

    #[inline]
    fn next<'g, 'b>(
        &'g self,
        bytes: &'b [u8],
        state: &mut State<'g>,
        at: usize,
    ) -> Result<Next<'b, Context<'g>>, ZezeError> {
        let (key, start, kind, place) = match state {
            State::Bean { is_based: true, .. } => return Ok(Next::End(at)),
            State::Bean { last, is_based, at: place } => {
                let (id, kind, start) = match short_tag(bytes, at, *last) {
                    Some((id, kind)) => (id, kind, at + 1),
                    None => match wire::read_tag(part(bytes, at..), *last)? {
                        (Tag::End, left) => return Ok(Next::End(after(bytes, left))),
                        (Tag::Base, left) => {
                            *is_based = true;
                            let context = Context::new(What::Base, self.part(*place, Part::Base));
                            let start = after(bytes, left);
                            return Ok(child(Key::Part(BASE), at, start, None, context));
                        }
                        (Tag::Field(id, kind), left) => (id, kind, after(bytes, left)),
                    },
                };
                *last = id;
                let known = self.names().zip(*place);
                let place = known.and_then(|(view, at)| view.field(at, id, kind).place);
                (Key::Id(id), start, kind, place)
            }
            State::List { left: 0, .. } | State::Map { left: 0, .. } => return Ok(Next::End(at)),
            State::List { kind, left, at: place } => {
                *left -= 1;
                (Key::Position, at, *kind, *place)
            }
            State::Map { kinds, left, at: place } => {
                *left -= 1;
                let start = after(bytes, wire::skip(part(bytes, at..), kinds.0)?);
                let key = part(bytes, at..start);
                (Key::Bytes(key), start, kinds.1, *place)
            }
            State::Frames(_) if at >= bytes.len() => return Ok(Next::End(at)),
            State::Frames(frames) => {
                let end = self.frame(bytes, at, *frames)?.1;
                let context = Context::new(What::Frame(*frames), None);
                return Ok(child(Key::Position, at, at, Some(end), context));
            }
            State::Frame { part, end, bean, at: place, start, frames } => {
                let (key, stop, context) = match part {
                    FramePart::Head => {
                        *part = FramePart::Bean;
                        let context = Context::new(What::Head(*frames), None);
                        (FramePart::HEAD, Some(*bean), context)
                    }
                    FramePart::Bean => {
                        *part = FramePart::Rest;
                        let context = Context::new(What::Value(Kind::Bean), *place);
                        (FramePart::BEAN, None, Context { frame: Some(*start), ..context })
                    }
                    FramePart::Rest if at < *end => {
                        *part = FramePart::Ended;
                        let context = Context::new(What::Rest(*end), None);
                        (FramePart::REST, Some(*end), context)
                    }
                    _ => return Ok(Next::End(at)),
                };
                return Ok(child(Key::Part(key), at, at, stop, context));
            }
        };
        let is_element = !matches!(key, Key::Id(_));
        let context = Context { is_element, ..Context::new(What::Value(kind), place) };
        Ok(child(key, at, start, None, context))
    }

    fn pass(&self, state: &mut State<'_>, count: usize) -> bool {
        let (State::List { left, .. } | State::Map { left, .. }) = state else { return false };
        *left = left.saturating_sub(count);
        true
    }

    fn mend<'g>(
        &'g self,
        out: &mut Out,
        around: Around<'_, Context<'g>, State<'g>>,
    ) -> Result<(), Error> {
        let copy = |out: &mut Out, bytes: &[u8], range: Range<usize>| {
            out.copy(bytes, range.start * 8..range.end * 8);
        };
        match around {
            Around::Begin { bytes, extent, first, change } => {
                return self.head(out, bytes, &extent, first, change);
            }
            Around::Lead { bytes, old: Some(range), is_kept: true, .. } => copy(out, bytes, range),
            Around::Lead { prev, key, context, .. } => match key {
                Key::Id(id) => {
                    let last = if let Some(Key::Id(id)) = prev { id } else { 0 };
                    let What::Value(kind) = context.what else {
                        return Err(Error::new("expected the value of a field"));
                    };
                    wire::write_tag(&mut out.bytes, last, id, kind)?;
                }
                Key::Part(BASE) => out.bytes.push(1),
                Key::Bytes(key) => out.bytes.extend_from_slice(key),
                Key::Position | Key::Part(_) => {}
            },
            Around::End { state: State::Bean { .. }, last, .. } => {
                if last != Some(Key::Part(BASE)) {
                    wire::write_end(&mut out.bytes);
                }
            }
            Around::End { state: State::Frame { .. }, .. } => {
                let Some((start, _)) = out.marks.pop() else {
                    debug_assert!(false, "the frame has begun");
                    return Ok(());
                };
                let size = out.bytes.len() - (start + SIZE.end);
                let size =
                    u32::try_from(size).map_err(|_| Error::new("a frame has at most 4 GiB"))?;
                out.overwrite(start + SIZE.start, &size.to_le_bytes());
            }
            Around::Trail { .. } | Around::End { .. } | Around::Moved { .. } => {}
        }
        Ok(())
    }

    fn order(&self, state: &State<'_>, key: Key<'_>) -> Option<usize> {
        match (state, key) {
            (State::Bean { .. }, Key::Id(id)) => usize::try_from(id).ok(),
            (State::Bean { .. }, Key::Part(BASE)) => Some(usize::MAX),
            _ => None,
        }
    }

    fn reads_alike<'g>(&'g self, own: Context<'g>, other: Context<'g>) -> bool {
        match (own.what, other.what) {
            (What::Rest(_), What::Rest(_)) => true,
            (own, other) => own == other,
        }
    }
}

impl Zeze {
    /// Writes the head of a container. One that need not change keeps its bytes, canonical or not.
    fn head<'g>(
        &'g self,
        out: &mut Out,
        bytes: &[u8],
        extent: &Extent<Context<'g>>,
        first: usize,
        change: Option<(usize, Option<Context<'g>>)>,
    ) -> Result<(), Error> {
        let kind_of = |context: Context<'g>| match context.what {
            What::Value(kind) => Some(kind),
            _ => None,
        };
        let head = part(bytes, extent.start..);
        match (extent.context.what, change) {
            (What::Value(Kind::List), Some((len, element))) => {
                let ((_, kind), _) = wire::read_list_header(head)?;
                let kind = element.and_then(kind_of).unwrap_or(kind);
                wire::write_list_header(&mut out.bytes, len, kind)?;
            }
            (What::Value(Kind::Map), Some((len, element))) => {
                let ((_, key, value), _) = wire::read_map_header(head)?;
                let value = element.and_then(kind_of).unwrap_or(value);
                wire::write_map_header(&mut out.bytes, len, key, value)?;
            }
            (What::Frame(_), _) => out.marks.push((out.bytes.len(), 0)),
            _ => out.copy(bytes, extent.start * 8..first * 8),
        }
        Ok(())
    }
}

fn child<'b, 'g>(
    key: Key<'b>,
    entry: usize,
    start: usize,
    end: Option<usize>,
    context: Context<'g>,
) -> Next<'b, Context<'g>> {
    Next::Child(Child { key, entry, start, end, context })
}
