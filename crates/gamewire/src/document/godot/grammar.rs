//! Variants as they stand in the bytes: docs/formats/godot-variant.md.

use std::ops::Range;

use gamewire_core::bytes::part;
use godot_variant::frame::{self, Piece};
use godot_variant::project::MAGIC;
use godot_variant::types::Type;
use godot_variant::{Dialect, Options, Precision};

use super::Godot;
use crate::document::error::Error;
use crate::document::ranges::{Around, Child, Grammar, Key, Next, Open, Opened, Out};

/// The meaning of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum What {
    /// The frames of a file.
    Frames(Frames),
    /// The settings of a project.
    Settings,
    /// A variant, which begins with its header.
    Value,
    /// An element of a packed array of this type, with components of 64 bits or not.
    Element(Type, bool),
}

/// The words before variants that say their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum Frames {
    Little,
    Big,
    /// Frames among other things.
    Mixed,
}

/// How variants are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) struct Form {
    pub(super) dialect: Dialect,
    /// Whether objects are whole, whatever the options say.
    pub(super) has_objects: bool,
    /// Whether the bytes stand for a text, and say all that it says.
    pub(super) is_text: bool,
    /// Whether it is a scene or resource.
    pub(super) is_resource: bool,
}

/// The components that lead from a vector to a number in it.
pub(super) type Component = [Option<u8>; 2];

/// How bytes are read: what they are, and what is around them.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct Context {
    pub(super) what: What,
    pub(super) form: Form,
    /// Where the container begins that says of which type the value is.
    pub(super) around: Option<usize>,
    /// Whether it is a key in that.
    pub(super) is_key: bool,
    /// The part of the value that is meant.
    pub(super) component: Component,
}

impl Context {
    pub(super) fn new(what: What, form: Form) -> Self {
        Context { what, form, around: None, is_key: false, component: [None; 2] }
    }
}

/// How far the listing of a container has come.
#[derive(Clone)]
pub(in crate::document) enum State {
    Frames(Frames, Form),
    /// `looks` is how many bytes may still be tried as variants.
    Mixed {
        form: Form,
        looks: usize,
    },
    Settings {
        left: usize,
        form: Form,
    },
    /// Elements; with the type that all have to have, else the container is not read as it stands.
    Items {
        left: usize,
        context: Context,
        declared: Option<Type>,
    },
    Entries {
        left: usize,
        context: Context,
        declared: Option<Type>,
    },
    Properties {
        left: usize,
        form: Form,
    },
    /// `width` is 0 for strings.
    Packed {
        left: usize,
        context: Context,
        width: usize,
        padding: usize,
    },
}

/// Bytes that are no whole variant, or are not all of what the crate reads of them. The crate says why, as it
/// reads each file before.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct Odd;

impl From<Odd> for Error {
    fn from(_: Odd) -> Self {
        Error::new("expected a variant, found other data")
    }
}

/// The bytes after the header of a variant.
enum Head {
    /// Nothing that is a variant; where it ends.
    Leaf(usize),
    Items(Contents),
    Entries(Contents),
    Properties(Contents),
    Packed(Type, bool, Contents),
}

/// Where the first of so many elements stands, and the type that all elements or keys have to have.
struct Contents {
    first: usize,
    len: usize,
    declared: Option<Type>,
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Odd> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(Odd)?;
    Ok(u32::from_le_bytes(*word))
}

fn length(bytes: &[u8], at: usize) -> Result<usize, Odd> {
    usize::try_from(word(bytes, at)?).map_err(|_| Odd)
}

/// Returns where so many bytes end.
#[inline]
fn end_of(bytes: &[u8], at: usize, len: usize) -> Result<usize, Odd> {
    at.checked_add(len).filter(|end| *end <= bytes.len()).ok_or(Odd)
}

/// Returns where a length, a text and its padding end.
#[inline]
fn text(bytes: &[u8], at: usize) -> Result<usize, Odd> {
    let len = length(bytes, at)?.checked_next_multiple_of(4).ok_or(Odd)?;
    end_of(bytes, at + 4, len)
}

/// Returns whether the class of an object is the text of a reference: `SubResource("1")`.
pub(super) fn is_reference(bytes: &[u8], at: usize) -> bool {
    let class = length(bytes, at).ok().and_then(|len| bytes.get(at + 4..)?.get(..len));
    class.is_some_and(|class| class.ends_with(b")"))
}

fn texts(bytes: &[u8], at: usize, count: u32) -> Result<usize, Odd> {
    (0..count).try_fold(at, |at, _| text(bytes, at))
}

/// Numbers in a value of a math type, or in an element of a packed array.
fn numbers(kind: Type) -> usize {
    kind.components().max(kind.packed_components())
}

/// The bytes of one number of such a type.
fn number_size(kind: Type, is_wide: bool) -> usize {
    match kind {
        Type::PackedByteArray => 1,
        Type::PackedInt64Array | Type::PackedFloat64Array => 8,
        _ if is_wide => 8,
        _ => 4,
    }
}

/// The bytes of an element of a packed array; 0 for strings.
fn width(kind: Type, is_wide: bool) -> usize {
    if kind == Type::PackedStringArray { 0 } else { numbers(kind) * number_size(kind, is_wide) }
}

impl Godot {
    /// The options by which the crate reads and writes values of a form.
    pub(super) fn options(&self, form: Form) -> Options {
        let options = self.reading.options.clone().dialect(form.dialect);
        match form {
            Form { is_text: true, .. } => options.precision(Precision::Keep).in_memory(),
            Form { has_objects: true, .. } => options.allow_objects(true),
            _ => options,
        }
    }

    pub(super) fn header(&self, bytes: &[u8], at: usize, form: Form) -> Result<(Type, u32), Odd> {
        let word = word(bytes, at)?;
        let id = word & if form.dialect == Dialect::Docs { 0xffff } else { 0xff };
        let kind = Type::from_id(id, form.dialect).ok_or(Odd)?;
        Ok((kind, word >> 16))
    }

    /// Whether the components of a value with these flags have 64 bits.
    pub(super) fn is_wide(&self, kind: Type, flags: u32, form: Form) -> bool {
        let is_color = matches!(kind, Type::Color | Type::PackedColorArray);
        match form.dialect {
            Dialect::Godot4 => flags & 1 != 0 && (kind.is_real() || form.is_text && is_color),
            Dialect::Docs => self.is_double && (kind.is_real() || is_color),
            _ => false,
        }
    }

    #[inline]
    fn head(&self, bytes: &[u8], at: usize, form: Form) -> Result<Head, Odd> {
        let (kind, flags) = self.header(bytes, at, form)?;
        let at = at + 4;
        let is_docs = form.dialect == Dialect::Docs;
        let fixed = |len: usize| end_of(bytes, at, len).map(Head::Leaf);
        match kind {
            Type::Nil | Type::Callable => fixed(0),
            Type::Bool => fixed(4),
            Type::Int | Type::Float => fixed(if flags & 1 == 0 { 4 } else { 8 }),
            Type::String | Type::StringName => text(bytes, at).map(Head::Leaf),
            Type::NodePath => self.path(bytes, at, is_docs).map(Head::Leaf),
            Type::Rid if form.dialect == Dialect::Godot4 => fixed(8),
            Type::Rid => fixed(0),
            Type::Signal => end_of(bytes, text(bytes, at)?, 8).map(Head::Leaf),
            Type::Object => {
                let is_id = match is_docs {
                    true => !self.has_objects && !form.has_objects,
                    false => flags & 1 != 0,
                };
                let is_null = length(bytes, at).is_ok_and(|len| len == 0) && !form.is_text;
                match (is_id, is_null) {
                    // The published page's null at the very end.
                    (true, true) if is_docs && bytes.len() - at < 8 => fixed(4),
                    (true, _) => fixed(8),
                    (false, true) => fixed(4),
                    (false, false) => {
                        let count = text(bytes, at)?;
                        if form.is_resource && is_reference(bytes, at) {
                            return fixed(count + 4 - at);
                        }
                        // A negative number is none.
                        let len = word(bytes, count)?.cast_signed();
                        let len = usize::try_from(len).unwrap_or(0);
                        Ok(Head::Properties(Contents { first: count + 4, len, declared: None }))
                    }
                }
            }
            Type::Array | Type::Dictionary => {
                let is_typed = form.dialect == Dialect::Godot4;
                let flags = if is_typed { flags } else { 0 };
                let (mut count, declared) = self.element_type(bytes, at, flags, form)?;
                if kind == Type::Dictionary {
                    count = self.element_type(bytes, count, flags >> 2, form)?.0;
                }
                let len = (word(bytes, count)? & 0x7fff_ffff) as usize;
                let declared = declared.filter(|_| !form.is_text);
                let contents = Contents { first: count + 4, len, declared };
                Ok(if kind == Type::Array {
                    Head::Items(contents)
                } else {
                    Head::Entries(contents)
                })
            }
            kind if kind >= Type::PackedByteArray => {
                let len = length(bytes, at)?;
                // A negative number is none, of strings.
                let is_none = len > 0x7fff_ffff && kind == Type::PackedStringArray;
                let len = if is_none { 0 } else { len };
                let is_wide = self.is_wide(kind, flags, form);
                Ok(Head::Packed(kind, is_wide, Contents { first: at + 4, len, declared: None }))
            }
            kind => fixed(numbers(kind) * number_size(kind, self.is_wide(kind, flags, form))),
        }
    }

    fn path(&self, bytes: &[u8], at: usize, is_docs: bool) -> Result<usize, Odd> {
        let names = word(bytes, at)?;
        if names & 0x8000_0000 == 0 {
            return if is_docs { text(bytes, at) } else { Err(Odd) };
        }
        let (subnames, flags) = (word(bytes, at + 4)?, word(bytes, at + 8)?);
        // An obsolete form had one more name, the property.
        let more = u32::from(flags & 2 != 0 && !is_docs);
        let count = (names & 0x7fff_ffff).wrapping_add(subnames.wrapping_add(more));
        texts(bytes, at + 12, count)
    }

    /// Returns where the type of elements, keys or values ends, and the type that they have to have.
    fn element_type(
        &self,
        bytes: &[u8],
        at: usize,
        flags: u32,
        form: Form,
    ) -> Result<(usize, Option<Type>), Odd> {
        Ok(match flags & 3 {
            0 => (at, None),
            1 => {
                let kind = Type::from_id(word(bytes, at)?, form.dialect).ok_or(Odd)?;
                (at + 4, Some(kind).filter(|kind| *kind != Type::Nil))
            }
            _ => (text(bytes, at)?, Some(Type::Object)),
        })
    }

    /// Returns where a variant ends, with all that is in it. Without recursion, as keys may hold anything.
    fn skip(&self, bytes: &[u8], at: usize, form: Form) -> Result<usize, Odd> {
        let mut at = at;
        // How many variants are to come in each open container, and whether names stand before them.
        let mut open = vec![(1_usize, false)];
        while let Some((left, has_names)) = open.last_mut() {
            let Some(less) = left.checked_sub(1) else {
                open.pop();
                continue;
            };
            *left = less;
            if *has_names {
                at = text(bytes, at)?;
            }
            let (first, inner) = match self.head(bytes, at, form)? {
                Head::Leaf(end) => (end, None),
                Head::Packed(kind, is_wide, contents) => {
                    (packed_end(bytes, kind, is_wide, &contents)?, None)
                }
                Head::Items(own) => (own.first, Some((own.len, false))),
                Head::Entries(own) => (own.first, Some((own.len * 2, false))),
                Head::Properties(own) => (own.first, Some((own.len, true))),
            };
            at = first;
            open.extend(inner);
        }
        Ok(at)
    }

    /// The type that a child has is checked where the container declares one: the crate converts others or
    /// leaves them out.
    fn must_have(
        &self,
        bytes: &[u8],
        at: usize,
        declared: Option<Type>,
        form: Form,
    ) -> Result<(), Odd> {
        let Some(declared) = declared else { return Ok(()) };
        match self.header(bytes, at, form)?.0 {
            kind if kind == declared => Ok(()),
            Type::Nil if declared == Type::Object => Ok(()),
            _ => Err(Odd),
        }
    }

    /// The next frame among other things, and the bytes from the length on; `None` at the end.
    fn next_frame(
        &self,
        bytes: &[u8],
        at: usize,
        looks: &mut usize,
        form: Form,
    ) -> Option<Range<usize>> {
        let options = self.options(form).max_alloc(usize::MAX);
        let framing = frame::Framing::new().options(options);
        let mut rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        loop {
            let (piece, after) = framing.next_piece(rest, looks);
            let end = bytes.len() - after.len();
            match piece {
                Piece::Variant(body) => return Some(end - body.len()..end),
                _ if after.is_empty() => return None,
                _ => rest = after,
            }
        }
    }
}

/// Returns where a packed array ends.
fn packed_end(bytes: &[u8], kind: Type, is_wide: bool, contents: &Contents) -> Result<usize, Odd> {
    let Contents { first, len, .. } = *contents;
    if kind == Type::PackedStringArray {
        return texts(bytes, first, u32::try_from(len).map_err(|_| Odd)?);
    }
    let size = len.checked_mul(width(kind, is_wide)).ok_or(Odd)?;
    end_of(bytes, first, size.checked_next_multiple_of(4).ok_or(Odd)?)
}

impl Grammar for Godot {
    type Error = Odd;
    type Context<'g> = Context;
    type State<'g> = State;

    #[inline]
    fn open(&self, bytes: &[u8], at: usize, context: Context) -> Result<Opened<State>, Odd> {
        let form = context.form;
        let inner = Context::new(What::Value, form);
        Ok(Opened::Container(match context.what {
            What::Frames(Frames::Mixed) => {
                let mut looks = bytes.len().saturating_mul(16);
                let state = State::Mixed { form, looks };
                // The bytes before the first frame are no part of that.
                let first = self.next_frame(bytes, at, &mut looks, form);
                let first = first.map_or(bytes.len(), |frame| frame.start - 4);
                Open { is_list: true, ..Open::new(state, first) }
            }
            What::Frames(frames) => {
                Open { is_list: true, ..Open::new(State::Frames(frames, form), at) }
            }
            What::Settings if bytes.get(at..).is_some_and(|own| own.starts_with(&MAGIC)) => {
                let left = length(bytes, at + 4)?;
                Open { len: Some(left), ..Open::new(State::Settings { left, form }, at + 8) }
            }
            What::Settings => return Err(Odd),
            What::Element(Type::PackedStringArray, _) => {
                return Ok(Opened::Leaf(text(bytes, at)?));
            }
            What::Element(kind, is_wide) => {
                return Ok(Opened::Leaf(end_of(bytes, at, width(kind, is_wide))?));
            }
            What::Value => match self.head(bytes, at, form)? {
                Head::Leaf(end) => return Ok(Opened::Leaf(end)),
                Head::Items(Contents { first, len, declared }) => {
                    let context = Context { around: Some(at), ..inner };
                    let state = State::Items { left: len, context, declared };
                    Open { len: Some(len), is_list: true, ..Open::new(state, first) }
                }
                Head::Entries(Contents { first, len, declared }) => {
                    let context = Context { around: Some(at), ..inner };
                    let state = State::Entries { left: len, context, declared };
                    Open { len: Some(len), ..Open::new(state, first) }
                }
                Head::Properties(Contents { first, len, .. }) => {
                    let state = State::Properties { left: len, form };
                    Open { len: Some(len), ..Open::new(state, first) }
                }
                Head::Packed(kind, is_wide, contents) => {
                    let Contents { first, len, .. } = contents;
                    let context = Context::new(What::Element(kind, is_wide), form);
                    let width = width(kind, is_wide);
                    let padding = (len * width).wrapping_neg() & 3;
                    let state = State::Packed { left: len, context, width, padding };
                    let open = Open::new(state, first);
                    let open = Open { len: Some(len), is_list: true, ..open };
                    match width {
                        0 => open,
                        width => {
                            let end = packed_end(bytes, kind, is_wide, &contents)?;
                            Open { end: Some(end), width: Some(width), ..open }
                        }
                    }
                }
            },
        }))
    }

    #[inline]
    fn next<'b>(
        &self,
        bytes: &'b [u8],
        state: &mut State,
        at: usize,
    ) -> Result<Next<'b, Context>, Odd> {
        let value = |form| Context::new(What::Value, form);
        let (key, start, end, context) = match state {
            State::Frames(..) if at >= bytes.len() => return Ok(Next::End(at)),
            State::Frames(frames, form) => {
                let len = word(bytes, at)?;
                let len = if *frames == Frames::Big { len.swap_bytes() } else { len };
                let end = end_of(bytes, at + 4, usize::try_from(len).map_err(|_| Odd)?)?;
                (Key::Position, at + 4, Some(end), value(*form))
            }
            State::Mixed { form, looks } => match self.next_frame(bytes, at, looks, *form) {
                None => return Ok(Next::End(bytes.len())),
                Some(frame) => (Key::Position, frame.start, Some(frame.end), value(*form)),
            },
            State::Settings { left: 0, .. }
            | State::Items { left: 0, .. }
            | State::Entries { left: 0, .. }
            | State::Properties { left: 0, .. } => return Ok(Next::End(at)),
            State::Packed { left: 0, padding, .. } => {
                return Ok(Next::End(end_of(bytes, at, *padding)?));
            }
            State::Settings { left, form } => {
                *left -= 1;
                let name = end_of(bytes, at + 4, length(bytes, at)?)?;
                let end = end_of(bytes, name + 4, length(bytes, name)?)?;
                let key = part(bytes, at..name);
                (Key::Bytes(key), name + 4, Some(end), value(*form))
            }
            State::Items { left, context, declared } => {
                *left -= 1;
                self.must_have(bytes, at, *declared, context.form)?;
                (Key::Position, at, None, *context)
            }
            State::Entries { left, context, declared } => {
                *left -= 1;
                self.must_have(bytes, at, *declared, context.form)?;
                let start = self.skip(bytes, at, context.form)?;
                let key = part(bytes, at..start);
                (Key::Bytes(key), start, None, *context)
            }
            State::Properties { left, form } => {
                *left -= 1;
                let start = text(bytes, at)?;
                let key = part(bytes, at..start);
                (Key::Bytes(key), start, None, value(*form))
            }
            State::Packed { left, context, width, .. } => {
                *left -= 1;
                let end = match width {
                    0 => text(bytes, at)?,
                    width => end_of(bytes, at, *width)?,
                };
                (Key::Position, at, Some(end), *context)
            }
        };
        Ok(Next::Child(Child { key, entry: at, start, end, context }))
    }

    fn pass(&self, state: &mut State, count: usize) -> bool {
        match state {
            State::Mixed { .. } => return false,
            State::Frames(..) => {}
            State::Settings { left, .. }
            | State::Items { left, .. }
            | State::Entries { left, .. }
            | State::Properties { left, .. }
            | State::Packed { left, .. } => *left = left.saturating_sub(count),
        }
        true
    }

    fn mend(&self, out: &mut Out, around: Around<'_, Context, State>) -> Result<(), Error> {
        let copy = |out: &mut Out, bytes: &[u8], range: Range<usize>| {
            out.copy(bytes, range.start * 8..range.end * 8);
        };
        match around {
            Around::Begin { bytes, extent, first, change } => {
                match change {
                    Some((len, _)) => {
                        copy(out, bytes, extent.start..first - 4);
                        let len = i32::try_from(len).map_err(|_| {
                            Error::new(format!("{len} elements are more than the format holds"))
                        })?;
                        out.bytes.extend_from_slice(&len.to_le_bytes());
                    }
                    None => copy(out, bytes, extent.start..first),
                }
                // Where the elements begin, for their padding.
                out.marks.push((out.bytes.len(), 0));
            }
            Around::Lead { bytes, state, key, old, .. } => {
                match (old, key) {
                    // It does not depend on the other children.
                    (Some(range), _) => copy(out, bytes, range),
                    (None, key) => {
                        if let Key::Bytes(key) = key {
                            out.bytes.extend_from_slice(key);
                        }
                        if frames(state).is_some() {
                            out.bytes.extend_from_slice(&[0; 4]);
                        }
                    }
                }
                out.marks.push((out.bytes.len(), 0));
            }
            Around::Trail { state } => {
                let (Some((start, _)), frames) = (out.marks.pop(), frames(state)) else {
                    debug_assert!(false, "the child has begun");
                    return Ok(());
                };
                if let Some(frames) = frames {
                    let len = u32::try_from(out.bytes.len() - start)
                        .map_err(|_| Error::new("a frame has at most 4 GiB"))?;
                    let len = if frames == Frames::Big { len.swap_bytes() } else { len };
                    out.overwrite(start - 4, &len.to_le_bytes());
                }
            }
            Around::End { bytes, state, tail, .. } => {
                let Some((start, _)) = out.marks.pop() else {
                    debug_assert!(false, "the container has begun");
                    return Ok(());
                };
                let padding = match state {
                    State::Packed { width: 1, .. } => (out.bytes.len() - start).wrapping_neg() & 3,
                    _ => tail.len(),
                };
                match padding == tail.len() {
                    true => copy(out, bytes, tail),
                    false => out.bytes.extend((0..padding).map(|_| 0)),
                }
            }
            Around::Moved { .. } => debug_assert!(false, "variants begin at bytes"),
        }
        Ok(())
    }

    fn reads_alike(&self, own: Context, other: Context) -> bool {
        (own.what, own.form, own.component) == (other.what, other.form, other.component)
    }
}

/// The lengths before the children of a container, if there are some.
fn frames(state: &State) -> Option<Frames> {
    match state {
        State::Frames(frames, _) => Some(*frames),
        State::Mixed { .. } => Some(Frames::Mixed),
        State::Settings { .. } => Some(Frames::Little),
        _ => None,
    }
}
