//! The grammar: one walk over the bytes of a value, without recursion.
//!
//! A [`Decoder`] keeps the open containers on an explicit stack and tells a [`Listener`] what it
//! reads. `()` skips, [`Builder`](super::build::Builder) builds a [`Value`], and `explain` watches it
//! and notes what each byte means.

use std::borrow::Cow;
use std::fmt;

use super::build::Builder;

use crate::Value;
use crate::error::{Error, ErrorKind, Path, Result, Segment, Shortened};
use crate::options::{Dialect, Options, Precision};
use crate::read::{Counted, Header, Id, Number, ObjectHead, Part, Parts, Reader, Slot, Text};
use crate::types::{ElementType, NodePath, Type};

/// Types of elements or keys, and of values.
pub(crate) type Types = (ElementType, ElementType);

/// Decides whether an element or key stays in a typed container.
pub(crate) struct Typed<'a, 'de> {
    pub(crate) types: &'a Types,
    /// Where its header starts.
    pub(crate) at: usize,
    pub(crate) reader: &'a mut Reader<'de>,
}

/// Makes something of the values that a [`Decoder`] reads. Methods are called in the order of the
/// bytes; which bytes a value has is told to [`Parts`] before it. Default methods make nothing.
pub(crate) trait Listener<'de>: Parts {
    /// Made of a value; and of a text in a packed array, the name of a property or a class.
    type Value: Default;
    type Text: Default;

    /// A value that has no values inside.
    #[inline(always)]
    fn leaf(&mut self, _leaf: Leaf<'de>) -> Self::Value {
        Default::default()
    }

    /// A string of up to 20 bytes, in words.
    #[inline(always)]
    fn short_string(&mut self, _len: u8, _words: [u64; 3]) -> Self::Value {
        Default::default()
    }

    #[inline(always)]
    fn text(&mut self, _text: Cow<'de, str>) -> Self::Text {
        Default::default()
    }

    /// A container begins.
    #[inline(always)]
    fn open(&mut self, _kind: Type) {}

    /// The key or name of the next value in the innermost container.
    #[inline(always)]
    fn key(&mut self, _key: Key<'_, Self::Value>) {}

    /// The next value goes into its container, which is not typed.
    #[inline(always)]
    fn added(&mut self) {}

    /// An element or key of a typed container, as it is kept there; `None` is dropped.
    fn typed(
        &mut self,
        value: Self::Value,
        _kind: Type,
        _: Typed<'_, 'de>,
    ) -> Result<Option<Self::Value>> {
        Ok(Some(value))
    }

    /// The next value goes into a dictionary that is typed; which type it has.
    fn typed_value(&mut self, _kind: Type, _: Typed<'_, 'de>) -> Result<()> {
        Ok(())
    }

    /// A packed array of strings.
    fn strings(&mut self, _strings: Vec<Self::Text>) -> Self::Value {
        Default::default()
    }

    /// The innermost container ends, with all that is in it.
    #[inline(always)]
    fn close(
        &mut self,
        _contents: Contents<Self::Text, Self::Value>,
        _types: Option<Types>,
        _reader: &Reader<'de>,
    ) -> Result<Self::Value> {
        Ok(Default::default())
    }
}

/// The key of an entry, or the name of a property.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "explain alone asks for them"))]
pub(crate) enum Key<'a, V> {
    Value(&'a V),
    Name(&'a str),
}

/// The class of an object, and its properties.
pub(crate) type Properties<T, V> = (T, Vec<(T, V)>);

/// Nothing is kept: the value is skipped.
impl Listener<'_> for () {
    type Value = ();
    type Text = ();
}

/// A value without values inside, as it is on the wire.
pub(crate) enum Leaf<'de> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Cow<'de, str>),
    StringName(Cow<'de, str>),
    NodePath(NodePath),
    Rid(u64),
    Callable,
    Signal(Cow<'de, str>, u64),
    NullObject,
    Object(u64),
    /// The components of a math type, or the elements of a packed array of anything but strings.
    Numbers(Type, Reals<'de>),
}

/// Components that have 32 or 64 bits.
pub(crate) struct Reals<'de> {
    pub(crate) bytes: &'de [u8],
    /// Whether they have 64 bits on the wire, and whether they are to be kept with 64.
    pub(crate) wide: bool,
    pub(crate) keep: bool,
    /// Whether a basis is sent by rows.
    pub(crate) rows: bool,
}

/// Reads one value that stands `depth` containers deep, and tells the listener.
pub(crate) struct Decoder<'d, 'de, L: Listener<'de>> {
    pub(super) reader: &'d mut Reader<'de>,
    pub(super) listener: &'d mut L,
    depth: usize,
    /// The containers whose end was not reached yet, the innermost last.
    pub(super) stack: Vec<Frame<'de, L>>,
    /// Where the value begins whose contents could not be read.
    pub(super) failed: Option<usize>,
}

/// A container whose end was not reached yet.
pub(super) struct Frame<'de, L: Listener<'de>> {
    pub(super) contents: Contents<L::Text, L::Value>,
    /// Where its header starts.
    at: usize,
    /// Elements, entries or properties on the wire, and how many of them were begun.
    pub(super) count: usize,
    pub(super) begun: usize,
    /// The key or name was read, and its value comes next.
    pub(super) at_value: bool,
    /// Where the last key or name starts.
    key_at: usize,
    /// The type of the last key of a typed dictionary.
    key_kind: Type,
    /// The property is a script, of which engines take nothing but the path.
    is_script: bool,
    types: Option<Box<Types>>,
}

/// The contents of a container, as they are kept.
pub(crate) enum Contents<T, V> {
    Items(Vec<V>),
    Entries(Vec<(V, V)>),
    Object(Box<Properties<T, V>>),
}

enum Started<'de, L: Listener<'de>> {
    Whole(L::Value),
    Open(Frame<'de, L>),
}

/// A value that is complete and not yet in its container.
pub(super) struct Whole<T> {
    pub(super) value: T,
    kind: Type,
    /// Where its header starts.
    at: usize,
}

impl<'d, 'de, L: Listener<'de>> Decoder<'d, 'de, L> {
    pub(crate) fn new(reader: &'d mut Reader<'de>, depth: usize, listener: &'d mut L) -> Self {
        Decoder { reader, listener, depth, stack: Vec::new(), failed: None }
    }

    /// Reads the value. An error has the path to what is wrong.
    pub(crate) fn run(mut self) -> Result<L::Value> {
        let read = self.value();
        read.map_err(|error| {
            let error = error.or_at(self.reader.offset());
            // As many as a path keeps, and one more that shows that it is cut.
            let kept = Path::MAX_SEGMENTS.saturating_add(1);
            self.stack.iter().rev().take(kept).fold(error, |error, frame| {
                let segment = frame.segment(self.reader);
                error.inside(segment)
            })
        })
    }

    pub(super) fn value(&mut self) -> Result<L::Value> {
        let Decoder { reader, listener, depth, stack, failed } = self;
        let (depth, limit) = (*depth, reader.options.limits.max_depth);
        if depth > limit {
            return Err(reader.too_deep(limit, "max_depth"));
        }
        let header = told_header(reader, *listener)?;
        match start(reader, *listener, &header, false)? {
            Started::Whole(value) => return Ok(value),
            Started::Open(frame) => stack.push(frame),
        }
        let mut whole: Option<Whole<L::Value>> = None;
        loop {
            let levels = depth.saturating_add(stack.len());
            let Some(frame) = stack.last_mut() else { return Err(unbalanced(reader)) };
            if let Some(whole) = whole.take() {
                frame.add(whole, reader, *listener)?;
            }
            // Typed containers look at each element, and a listener of parts is told each.
            if !L::LISTENS && levels <= limit && frame.types.is_none() {
                frame.fill(reader, *listener);
            }
            if frame.is_complete() {
                // The whole container is an element of the one around it.
                let Some(frame) = stack.pop() else { return Err(unbalanced(reader)) };
                let closed = frame.end(reader, *listener)?;
                if stack.is_empty() {
                    return Ok(closed.value);
                }
                whole = Some(closed);
                continue;
            }
            frame.begin(reader, *listener)?;
            // After the name of a property: that is where an engine would begin the value.
            if levels > limit {
                return Err(reader.too_deep(limit, "max_depth"));
            }
            let header = told_header(reader, *listener)?;
            let started = start(reader, *listener, &header, frame.is_script);
            match started.inspect_err(|_| *failed = Some(header.at))? {
                Started::Whole(value) => {
                    whole = Some(Whole { value, kind: header.kind, at: header.at });
                }
                Started::Open(frame) => stack.push(frame),
            }
        }
    }
}

/// The stack is empty only when the root has ended, which returns.
#[cold]
fn unbalanced(reader: &Reader<'_>) -> Error {
    debug_assert!(false, "a container ended that did not begin");
    Error::at(ErrorKind::Data, reader.offset(), "a container ended that did not begin")
}

#[inline(always)]
fn told_header<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
) -> Result<Header> {
    let header = reader.header()?;
    listener.part(4, Part::Header(&header));
    Ok(header)
}

/// Reads one of the most common values, if that is what comes next, and puts it to its place;
/// `false` leaves the input as it was, and [`start`] reads the value.
///
/// Each value is made where it goes: a copy through memory would wait for what was just written.
/// Relies on headers without flags, which are the type's id alone in every dialect for these types.
#[inline(always)]
fn common<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
    put: impl FnOnce(&mut L, L::Value),
) -> bool {
    macro_rules! put {
        ($leaf:expr) => {{
            let value = listener.leaf($leaf);
            put(listener, value);
        }};
    }
    match reader.peek_u32() {
        Some(0) if reader.after_word::<0>(0).is_some() => put!(Leaf::Nil),
        Some(1) => match reader.after_word::<4>(1) {
            Some(word) => put!(Leaf::Bool(word != [0; 4])),
            None => return false,
        },
        Some(2) => match reader.after_word(2) {
            Some(bytes) => put!(Leaf::Int(i64::from(i32::from_le_bytes(bytes)))),
            None => return false,
        },
        Some(3) => match reader.after_word(3) {
            Some(bytes) => put!(Leaf::Float(f64::from(f32::from_le_bytes(bytes)))),
            None => return false,
        },
        Some(4) => return common_text(reader, listener, put),
        _ => return false,
    }
    true
}

/// [`common`] for text.
#[inline(always)]
fn common_text<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
    put: impl FnOnce(&mut L, L::Value),
) -> bool {
    if let Some((len, words)) = reader.short_text() {
        let value = listener.short_string(len, words);
        put(listener, value);
        return true;
    }
    match reader.plain_text() {
        Some(text) => {
            let value = listener.leaf(Leaf::String(Cow::Borrowed(text)));
            put(listener, value);
            true
        }
        None => false,
    }
}

impl<'de, L: Listener<'de>> Frame<'de, L> {
    fn new(
        contents: Contents<L::Text, L::Value>,
        count: usize,
        header: &Header,
        types: Option<Box<Types>>,
    ) -> Self {
        Frame {
            contents,
            at: header.at,
            count,
            begun: 0,
            at_value: false,
            key_at: 0,
            key_kind: Type::Nil,
            is_script: false,
            types,
        }
    }

    /// The step from the container to the value in it that is wrong. Keys and names are not kept,
    /// so they are read once more: only errors need them.
    #[cold]
    pub(super) fn segment(&self, reader: &Reader<'_>) -> Segment {
        let index = self.begun.saturating_sub(1);
        match &self.contents {
            Contents::Items(_) => Segment::Index(index),
            Contents::Entries(_) if self.at_value => key_segment(reader.again(self.key_at), index),
            Contents::Object(_) if self.at_value => {
                Segment::field(&reader.again(self.key_at).string().unwrap_or_default())
            }
            Contents::Entries(_) => Segment::KeyOf(index),
            Contents::Object(_) => Segment::KeyOf(index),
        }
    }

    /// Reads as many of the most common values as come next, straight to their places.
    ///
    /// This is where most of the time of decoding goes. `tests/it/regress.rs` reads the same values
    /// here and one by one (`plain_and_odd_text_agree`, `plain_and_odd_numbers_agree`).
    fn fill(&mut self, reader: &mut Reader<'de>, listener: &mut L) {
        if reader.strict() {
            return;
        }
        match &mut self.contents {
            Contents::Items(items) => {
                while self.begun < self.count
                    && common(reader, listener, |listener, value| {
                        listener.added();
                        items.push(value);
                    })
                {
                    self.begun = self.begun.saturating_add(1);
                }
            }
            Contents::Entries(entries) => loop {
                if !self.at_value {
                    if self.begun == self.count {
                        return;
                    }
                    let at = reader.offset();
                    if !common_text(reader, listener, |listener, key| {
                        listener.key(Key::Value(&key));
                        entries.push((key, L::Value::default()));
                    }) {
                        return;
                    }
                    self.key_at = at;
                    self.begun = self.begun.saturating_add(1);
                    self.at_value = true;
                }
                if !common(reader, listener, |listener, value| {
                    listener.added();
                    set_last(entries, value);
                }) {
                    return;
                }
                self.at_value = false;
            },
            Contents::Object(_) => {}
        }
    }

    #[inline]
    fn is_complete(&self) -> bool {
        self.begun == self.count && !self.at_value
    }

    /// Before a value is read: counts the element, or reads the name of the property.
    #[inline]
    fn begin(&mut self, reader: &mut Reader<'de>, listener: &mut L) -> Result<()> {
        if self.at_value {
            return Ok(());
        }
        self.begun = self.begun.saturating_add(1);
        if let Contents::Object(object) = &mut self.contents {
            self.key_at = reader.offset();
            let name = reader.told_string(Text::Property, listener)?;
            self.is_script = name == "script"
                && reader.dialect() == Dialect::Godot4
                && !reader.options.in_memory;
            listener.key(Key::Name(&name));
            object.1.push((listener.text(name), L::Value::default()));
            self.at_value = true;
        }
        Ok(())
    }

    /// Adds a value.
    #[inline]
    pub(super) fn add(
        &mut self,
        whole: Whole<L::Value>,
        reader: &mut Reader<'de>,
        listener: &mut L,
    ) -> Result<()> {
        let Whole { value, kind, at } = whole;
        match &mut self.contents {
            Contents::Items(items) => match &self.types {
                None => {
                    listener.added();
                    items.push(value);
                }
                Some(types) => {
                    items.extend(listener.typed(value, kind, Typed { types, at, reader })?);
                }
            },
            Contents::Entries(entries) if !self.at_value => {
                listener.key(Key::Value(&value));
                entries.push((value, L::Value::default()));
                self.at_value = true;
                self.key_at = at;
                self.key_kind = kind;
            }
            Contents::Entries(entries) => {
                match &self.types {
                    None => {
                        listener.added();
                        set_last(entries, value);
                    }
                    Some(types) => {
                        listener.typed_value(kind, Typed { types, at, reader })?;
                        self.at_value = false;
                        let typed = Typed { types, at: self.key_at, reader };
                        // The key was added when it was read, and goes if it does not fit.
                        let Some((key, _)) = entries.pop() else {
                            debug_assert!(false, "a value without a key");
                            return Ok(());
                        };
                        let key = listener.typed(key, self.key_kind, typed)?;
                        entries.extend(key.map(|key| (key, value)));
                    }
                }
                self.at_value = false;
            }
            Contents::Object(object) => {
                // A path was checked when it was read.
                if self.is_script && !matches!(kind, Type::Nil | Type::String) {
                    return Err(Error::at(
                        ErrorKind::InvalidScript,
                        at,
                        format!("expected the res:// path of a script, found {kind}"),
                    ));
                }
                self.at_value = false;
                listener.added();
                set_last(&mut object.1, value);
            }
        }
        Ok(())
    }

    pub(super) fn end(self, reader: &Reader<'de>, listener: &mut L) -> Result<Whole<L::Value>> {
        let kind = match self.contents {
            Contents::Items(_) => Type::Array,
            Contents::Entries(_) => Type::Dictionary,
            Contents::Object(_) => Type::Object,
        };
        let types = self.types.map(|types| *types);
        let value = listener.close(self.contents, types, reader)?;
        Ok(Whole { value, kind, at: self.at })
    }
}

/// The key or the name was added before its value.
#[inline(always)]
fn set_last<K, V>(entries: &mut [(K, V)], value: V) {
    match entries.last_mut() {
        Some((_, place)) => *place = value,
        None => debug_assert!(false, "a value without a key"),
    }
}

/// The step to the value of the entry whose key starts where the reader stands.
#[cold]
pub(crate) fn key_segment(mut reader: Reader<'_>, index: usize) -> Segment {
    decode(&mut reader, 0).map_or(Segment::KeyOf(index), |key| step_of(&key))
}

/// The step to the value of a key. A key may hold a whole document, so no more of it is printed
/// than is shown.
pub(crate) fn step_of(key: &Value) -> Segment {
    struct Beginning(String);
    impl fmt::Write for Beginning {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > Shortened::MAX { Err(fmt::Error) } else { Ok(()) }
        }
    }
    if let Some(text) = key.as_str() {
        return Segment::field(text);
    }
    let mut shown = Beginning(String::new());
    // The error only says that there is more.
    let _ = fmt::write(&mut shown, format_args!("{key:?}"));
    Segment::key(&shown.0)
}

/// Reads what follows a header: a value, or the start of a container. `is_script` is whether it is
/// the script of an object.
fn start<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
    header: &Header,
    is_script: bool,
) -> Result<Started<'de, L>> {
    // Each arm tells its leaf: where the listener inlines that, no leaf goes through memory.
    let value = match header.kind {
        Type::Nil => listener.leaf(Leaf::Nil),
        Type::Bool => {
            let value = reader.bool()?;
            listener.part(4, Part::Bool);
            listener.leaf(Leaf::Bool(value))
        }
        Type::Int => {
            let value = reader.int(header)?;
            let number = if header.flag_64() { Number::I64 } else { Number::I32 };
            listener.part(number.size(), Part::Number(number));
            listener.leaf(Leaf::Int(value))
        }
        Type::Float => {
            let value = reader.float(header)?;
            let number = if header.flag_64() { Number::F64 } else { Number::F32 };
            listener.part(number.size(), Part::Number(number));
            listener.leaf(Leaf::Float(value))
        }
        Type::String => {
            let plain = if L::LISTENS { None } else { reader.plain_string() };
            let text = match plain {
                Some(text) => Cow::Borrowed(text),
                None => reader.told_string(Text::String, listener)?,
            };
            // 4.3 and later send a script by its path.
            if is_script {
                reader.check_script(&text, header.at)?;
            }
            listener.leaf(Leaf::String(text))
        }
        Type::StringName => {
            let text = reader.told_string(Text::String, listener)?;
            listener.leaf(Leaf::StringName(text))
        }
        Type::NodePath => {
            let path = reader.node_path(listener)?;
            listener.leaf(Leaf::NodePath(path))
        }
        Type::Rid => {
            let id = rid(reader, listener, header.at)?;
            listener.leaf(Leaf::Rid(id))
        }
        Type::Callable => listener.leaf(Leaf::Callable),
        Type::Signal => {
            let name = reader.told_string(Text::Signal, listener)?;
            let object = reader.id("a signal's object", Id::SignalObject, listener)?;
            listener.leaf(Leaf::Signal(name, object))
        }
        Type::PackedByteArray => {
            let bytes = reader.packed_bytes(listener)?;
            let reals = Reals { bytes, wide: false, keep: false, rows: false };
            listener.leaf(Leaf::Numbers(header.kind, reals))
        }
        Type::PackedStringArray => return strings(reader, listener),
        Type::Object => match reader.object_head(header, listener)? {
            ObjectHead::Null => listener.leaf(Leaf::NullObject),
            ObjectHead::Id(id) => listener.leaf(Leaf::Object(id)),
            ObjectHead::Class(class) => {
                let count = reader.property_count(listener)?;
                let capacity = reader.allocate(count, 8, size_of::<(L::Text, L::Value)>())?;
                listener.open(Type::Object);
                let object = (listener.text(class), Vec::with_capacity(capacity));
                let contents = Contents::Object(Box::new(object));
                return Ok(Started::Open(Frame::new(contents, count, header, None)));
            }
        },
        Type::Array => return array(reader, listener, header),
        Type::Dictionary => return dictionary(reader, listener, header),
        kind => {
            let reals = numbers(reader, listener, header)?;
            listener.leaf(Leaf::Numbers(kind, reals))
        }
    };
    Ok(Started::Whole(value))
}

fn array<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
    header: &Header,
) -> Result<Started<'de, L>> {
    let types = match reader.dialect() {
        Dialect::Godot4 if header.flags & 3 != 0 => {
            let element = reader.element_type(header.flags, Slot::Elements, listener)?;
            listener.part(0, Part::Container(&element, None));
            element.is_typed().then(|| Box::new((element, ElementType::Any)))
        }
        _ => None,
    };
    let count = reader.count(Counted::Elements, listener)?;
    let capacity = reader.allocate(count, 4, size_of::<L::Value>())?;
    listener.open(Type::Array);
    let contents = Contents::Items(Vec::with_capacity(capacity));
    Ok(Started::Open(Frame::new(contents, count, header, types)))
}

fn dictionary<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
    header: &Header,
) -> Result<Started<'de, L>> {
    let types = match reader.dialect() {
        Dialect::Godot4 if header.flags & 0xf != 0 => {
            let key = reader.element_type(header.flags, Slot::Keys, listener)?;
            let value = reader.element_type(header.flags >> 2, Slot::Values, listener)?;
            listener.part(0, Part::Container(&key, Some(&value)));
            (key.is_typed() || value.is_typed()).then(|| Box::new((key, value)))
        }
        _ => None,
    };
    let count = reader.count(Counted::Entries, listener)?;
    let capacity = reader.allocate(count, 8, size_of::<(L::Value, L::Value)>())?;
    listener.open(Type::Dictionary);
    let contents = Contents::Entries(Vec::with_capacity(capacity));
    Ok(Started::Open(Frame::new(contents, count, header, types)))
}

fn strings<'de, L: Listener<'de>>(
    reader: &mut Reader<'de>,
    listener: &mut L,
) -> Result<Started<'de, L>> {
    let count = reader.string_count(listener)?;
    let capacity = reader.allocate(count, 4, size_of::<L::Text>())?;
    let mut strings = Vec::with_capacity(capacity);
    for index in 0..count {
        let text = reader.packed_string(index, listener).map_err(|error| error.inside(index))?;
        strings.push(listener.text(text));
    }
    Ok(Started::Whole(listener.strings(strings)))
}

/// 3.x sends nothing of an RID, and the published page lists it as not supported.
fn rid<P: Parts>(reader: &mut Reader<'_>, parts: &mut P, at: usize) -> Result<u64> {
    match reader.dialect() {
        Dialect::Godot4 => reader.id("an RID", Id::Resource, parts),
        Dialect::Godot3 => Ok(0),
        Dialect::Docs => Err(Error::at(
            ErrorKind::Unsupported,
            at,
            "expected a type that the published page has, found RID",
        )),
    }
}

/// The components of a math type, or the elements of a packed array of numbers, vectors or colours.
fn numbers<'de, P: Parts>(
    reader: &mut Reader<'de>,
    parts: &mut P,
    header: &Header,
) -> Result<Reals<'de>> {
    let kind = header.kind;
    let wide = reader.wide(header);
    let keep = keep_wide(reader, header, wide)?;
    let number = Number::of(kind, wide);
    let rows = reader.dialect() != Dialect::Docs;
    let bytes = match kind.components() {
        0 => {
            let size = kind.packed_components().saturating_mul(number.size());
            let bytes = reader.packed(size, parts)?;
            parts.part(bytes.len(), Part::Elements { kind, number });
            bytes
        }
        count => {
            let len = count.saturating_mul(number.size());
            let bytes = reader.take(len, kind.name())?;
            parts.part(len, Part::Components { kind, number, rows });
            bytes
        }
    };
    if wide != keep {
        parts.part(0, Part::Converted { wide: keep });
    }
    Ok(Reals { bytes, wide, keep, rows })
}

/// Whether components are to be kept with 64 bits.
fn keep_wide(reader: &Reader<'_>, header: &Header, wide: bool) -> Result<bool> {
    let color = matches!(header.kind, Type::Color | Type::PackedColorArray);
    if !color && !header.kind.is_real() {
        return Ok(false);
    }
    let keep = match reader.options.precision {
        Precision::Keep => wide,
        Precision::Single => false,
        // Every engine's colours have 32 bits, and everything has them in Godot 3.
        Precision::Double => match reader.dialect() {
            Dialect::Godot4 => !color,
            Dialect::Godot3 => false,
            Dialect::Docs => true,
        },
    };
    reader.canonical(keep == wide, header.at, "the components have the other precision's width")?;
    Ok(keep)
}

/// Reads one value that stands `depth` containers deep.
pub(crate) fn decode(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    let start = reader.offset();
    let value = Decoder::new(reader, depth, &mut Builder(())).run()?;
    // Texts and packed arrays, which take no more than they do on the wire.
    reader.charge(reader.offset().saturating_sub(start))?;
    Ok(value)
}

/// Moves over one value and checks it as [`decode`] does, without keeping anything.
pub(crate) fn skip(reader: &mut Reader<'_>, depth: usize) -> Result<()> {
    if reader.strict() {
        // Whether two keys are the same can only be said of keys that are kept.
        return decode(reader, depth).map(drop);
    }
    Decoder::new(reader, depth, &mut ()).run()
}

/// Whether a value fills the bytes.
pub(crate) fn fills(bytes: &[u8], options: Options) -> bool {
    let mut reader = Reader::new(bytes, options);
    skip(&mut reader, 0).and_then(|()| reader.end()).is_ok()
}
