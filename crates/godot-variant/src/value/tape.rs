//! A value that is only looked at: one pass that checks it, and 12 bytes for each value in it.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::{fmt, iter};

use super::decode::{Decoder, Leaf, Listener, Typed, Types, decode};
use super::index::{position, steps};
use super::{Object, ValueIndex};
use crate::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::read::{Parts, Reader};
use crate::types::{ElementType, Type};

/// A value that was checked whole and can be looked at, over the bytes that it was read from.
///
/// It takes a fraction of the time and memory of a [`Value`], and accepts and refuses the same. Each
/// value in it is a [`ValueRef`]. Only typed containers with elements that engines convert or drop are
/// kept as values.
///
/// ```
/// use godot_variant::value::Tape;
/// use godot_variant::{Options, array, dict};
///
/// let save = dict! { "players" => array![dict! { "name" => "Åsa", "hp" => 7 }] };
/// let bytes = godot_variant::to_vec(&save)?;
/// let tape = Tape::new(&bytes, &Options::new())?;
/// let player = tape.root().pointer("/players/0").expect("the first player");
/// assert_eq!(player.get("name").and_then(|name| name.as_str()).as_deref(), Some("Åsa"));
/// assert_eq!(player.to_value()?["hp"], 7);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Clone)]
pub struct Tape<'b> {
    bytes: &'b [u8],
    options: Options,
    nodes: Vec<Node>,
    /// The outermost containers that are not what their bytes say, by their nodes.
    converted: Vec<(usize, Value)>,
}

/// A value, a key, or the name of a property. What is inside stands after it.
#[derive(Clone, Copy)]
struct Node {
    at: u32,
    /// The node after what is inside.
    next: u32,
    kind: Type,
}

/// A value of a [`Tape`].
#[derive(Clone, Copy)]
pub struct ValueRef<'t> {
    tape: &'t Tape<'t>,
    place: Place<'t>,
}

#[derive(Clone, Copy)]
enum Place<'t> {
    Node(usize),
    /// In what was converted.
    Value(&'t Value),
}

impl<'b> Tape<'b> {
    /// Checks a value that takes all of the bytes.
    ///
    /// # Errors
    /// What [`Options::from_slice`] of a [`Value`] says, and more than 4 GiB.
    pub fn new(bytes: &'b [u8], options: &Options) -> Result<Self> {
        if u32::try_from(bytes.len()).is_err() {
            let text = "expected at most 4294967295 bytes, found more";
            return Err(Error::at(ErrorKind::LengthLimit, 0, text));
        }
        let mut reader = Reader::new(bytes, options.clone());
        if options.strict {
            // Whether two keys are the same can only be said of keys that are kept.
            decode(&mut reader, 0)?;
            reader = Reader::new(bytes, options.clone());
        }
        let mut notes = Notes::default();
        Decoder::new(&mut reader, 0, &mut notes).run()?;
        reader.end()?;
        let mut tape =
            Tape { bytes, options: options.clone(), nodes: notes.nodes, converted: Vec::new() };
        tape.convert(notes.odd, reader.memory())?;
        Ok(tape)
    }

    /// Reads what is not as its bytes say; `left` bytes of memory may be taken.
    fn convert(&mut self, mut odd: Vec<usize>, mut left: usize) -> Result<()> {
        odd.sort_unstable();
        let mut end = 0;
        for place in odd {
            let Some(node) = self.nodes.get(place).filter(|_| place >= end) else { continue };
            end = wide(node.next);
            let mut reader = self.reader(*node);
            reader.charge(reader.memory().saturating_sub(left))?;
            self.converted.push((place, decode(&mut reader, 0)?));
            left = reader.memory();
        }
        Ok(())
    }

    fn reader(&self, node: Node) -> Reader<'b> {
        let mut reader = Reader::new(self.bytes, self.options.clone());
        reader.rewind(wide(node.at));
        reader
    }

    fn node(&self, place: usize) -> Node {
        let none = Node { at: u32::MAX, next: u32::MAX, kind: Type::Nil };
        self.nodes.get(place).copied().unwrap_or(none)
    }

    /// The value.
    pub fn root(&self) -> ValueRef<'_> {
        self.value(0)
    }

    fn value(&self, place: usize) -> ValueRef<'_> {
        let converted = match self.converted.is_empty() {
            true => None,
            false => self.converted.binary_search_by_key(&place, |(own, _)| *own).ok(),
        };
        let converted = converted.and_then(|index| self.converted.get(index));
        let place = converted.map_or(Place::Node(place), |(_, value)| Place::Value(value));
        ValueRef { tape: self, place }
    }

    /// How many values there are, the root, keys and names of properties included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl fmt::Debug for Tape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root().fmt(f)
    }
}

impl<'t> ValueRef<'t> {
    /// The type.
    pub fn kind(self) -> Type {
        match self.place {
            Place::Node(place) => self.tape.node(place).kind,
            Place::Value(value) => value.kind(),
        }
    }

    /// Whether it is nil, the engine's null.
    pub fn is_null(self) -> bool {
        self.kind() == Type::Nil
    }

    /// What a value without values inside is, by the same method of [`Value`].
    fn scalar<T>(self, kinds: &[Type], part: impl Fn(&Value) -> Option<T>) -> Option<T> {
        match self.place {
            // What was checked is read again without an error.
            Place::Node(_) if kinds.contains(&self.kind()) => part(&self.to_value().ok()?),
            Place::Node(_) => None,
            Place::Value(value) => part(value),
        }
    }

    /// The bool.
    pub fn as_bool(self) -> Option<bool> {
        self.scalar(&[Type::Bool], Value::as_bool)
    }

    /// The integer.
    pub fn as_i64(self) -> Option<i64> {
        self.scalar(&[Type::Int], Value::as_i64)
    }

    /// The integer, if it is not negative.
    pub fn as_u64(self) -> Option<u64> {
        self.as_i64().and_then(|value| u64::try_from(value).ok())
    }

    /// The float, or the integer if a float holds it exactly.
    pub fn as_f64(self) -> Option<f64> {
        self.scalar(&[Type::Float, Type::Int], Value::as_f64)
    }

    /// The text of a `String` or `StringName`; borrowed, unless engines read it otherwise than it
    /// stands there.
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        let place = match self.place {
            Place::Node(place) => place,
            Place::Value(value) => return value.as_str().map(Cow::Borrowed),
        };
        let node = self.tape.node(place);
        if !matches!(node.kind, Type::String | Type::StringName) {
            return None;
        }
        let mut reader = self.tape.reader(node);
        reader.header().ok()?;
        reader.string().ok()
    }

    /// The bytes of a `PackedByteArray`.
    pub fn as_bytes(self) -> Option<&'t [u8]> {
        match self.place {
            Place::Node(place) if self.kind() == Type::PackedByteArray => {
                let mut reader = self.tape.reader(self.tape.node(place));
                reader.header().ok()?;
                reader.packed_bytes(&mut ()).ok()
            }
            Place::Node(_) => None,
            Place::Value(value) => value.as_bytes(),
        }
    }

    /// The value as one of its own.
    ///
    /// # Errors
    /// More than [`max_memory`](Options::max_memory) bytes to hold.
    pub fn to_value(self) -> Result<Value> {
        match self.place {
            Place::Node(place) => decode(&mut self.tape.reader(self.tape.node(place)), 0),
            Place::Value(value) => Ok(value.clone()),
        }
    }

    /// The nodes in a container of one kind: elements, keys and values, or names and values.
    fn nodes(self, kind: Type) -> impl Iterator<Item = usize> {
        let (mut next, end) = match self.place {
            Place::Node(place) if self.kind() == kind => {
                (place.saturating_add(1), wide(self.tape.node(place).next))
            }
            _ => (0, 0),
        };
        iter::from_fn(move || {
            let own = next;
            next = wide(self.tape.node(own).next);
            (own < end).then_some(own)
        })
    }

    fn converted(self) -> Option<&'t Value> {
        match self.place {
            Place::Node(_) => None,
            Place::Value(value) => Some(value),
        }
    }

    fn inside(self, value: &'t Value) -> ValueRef<'t> {
        ValueRef { place: Place::Value(value), ..self }
    }

    /// The elements of an array, in order; nothing for other values.
    pub fn items(self) -> impl Iterator<Item = ValueRef<'t>> {
        let converted = self.converted().and_then(Value::as_array).into_iter().flatten();
        let nodes = self.nodes(Type::Array).map(move |node| self.tape.value(node));
        nodes.chain(converted.map(move |value| self.inside(value)))
    }

    /// The keys and values of a dictionary, in order; nothing for other values. An entry whose key comes
    /// again, which a [`Value`] does not keep, is here.
    pub fn entries(self) -> impl Iterator<Item = (ValueRef<'t>, ValueRef<'t>)> {
        let converted = self.converted().and_then(Value::as_dictionary).into_iter().flatten();
        let mut nodes = self.nodes(Type::Dictionary).map(move |node| self.tape.value(node));
        iter::from_fn(move || nodes.next().zip(nodes.next()))
            .chain(converted.map(move |(key, value)| (self.inside(key), self.inside(value))))
    }

    /// The names and values of the properties of a whole object, in order; nothing for other values.
    pub fn properties(self) -> impl Iterator<Item = (Cow<'t, str>, ValueRef<'t>)> {
        let instance = self.converted().and_then(Value::as_object).and_then(Object::as_instance);
        let converted = instance.into_iter().flat_map(|own| own.properties.iter());
        let mut nodes = self.nodes(Type::Object);
        iter::from_fn(move || {
            let name = self.tape.reader(self.tape.node(nodes.next()?)).string().ok()?;
            nodes.next().map(|node| (name, self.tape.value(node)))
        })
        .chain(converted.map(move |(name, value)| {
            let name: &str = name;
            (Cow::Borrowed(name), self.inside(value))
        }))
    }

    /// The value at a text key, property name or position, or at any key, as [`Value::get`] has it.
    /// Looks at the entries one by one.
    pub fn get<I: ValueIndex>(self, index: I) -> Option<ValueRef<'t>> {
        if let Place::Value(value) = self.place {
            return value.get(index).map(|own| self.inside(own));
        }
        let key = index.key()?;
        match self.kind() {
            Type::Array => self.items().nth(usize::try_from(key.as_i64()?).ok()?),
            Type::Object => {
                let name = key.as_str()?;
                self.properties().find(|(own, _)| own == name).map(|(_, value)| value)
            }
            // Of equal keys, the last one wins.
            _ => self.entries().filter(|(own, _)| own.is_key(&key)).last().map(|(_, value)| value),
        }
    }

    fn is_key(self, key: &Value) -> bool {
        match (self.as_str(), key.as_str()) {
            (Some(own), Some(key)) => own == key,
            (None, None) => self.to_value().is_ok_and(|own| own.same_key(key)),
            _ => false,
        }
    }

    /// The value at a JSON pointer, as [`Value::pointer`] has it.
    pub fn pointer(self, pointer: &str) -> Option<ValueRef<'t>> {
        steps(pointer)?.try_fold(self, |value, step| match value.kind() {
            Type::Array => value.get(position(&step)?),
            _ => value.get(step),
        })
    }
}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_value() {
            Ok(value) => value.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Inputs were checked to be smaller.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The listener that notes where each value starts. Values are known by their nodes.
#[derive(Default)]
struct Notes {
    nodes: Vec<Node>,
    /// Where the next value starts.
    at: usize,
    /// Typed containers with an element that may not stay as it is.
    odd: Vec<usize>,
}

/// A container that is open, its last key, and whether an element of it may not stay as it is.
#[derive(Default)]
struct Open {
    node: usize,
    key: usize,
    is_odd: bool,
}

impl Notes {
    #[inline(always)]
    fn push(&mut self, kind: Type) -> usize {
        let place = self.nodes.len();
        let next = narrow(place.saturating_add(1));
        self.nodes.push(Node { at: narrow(self.at), next, kind });
        place
    }

    fn open(&mut self, kind: Type) -> Open {
        Open { node: self.push(kind), ..Open::default() }
    }

    fn close(&mut self, open: &Open) -> usize {
        let next = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(open.node) {
            node.next = next;
        }
        if open.is_odd {
            self.odd.push(open.node);
        }
        open.node
    }

    /// Whether engines may change the value in a container of this type. Classes are not asked here.
    fn is_odd(&self, place: usize, wanted: &ElementType, reader: &Reader<'_>) -> bool {
        let kind = self.nodes.get(place).map(|node| node.kind);
        match wanted.builtin() {
            None => false,
            Some(_) if reader.options.in_memory => false,
            Some(Type::Object) => kind != Some(Type::Nil),
            wanted => kind != wanted,
        }
    }
}

impl Parts for Notes {}

impl<'de> Listener<'de> for Notes {
    type Value = usize;
    type Items = Open;
    type Entries = Open;
    type Object = Open;
    type Strings = ();

    /// Twice, because the nodes grow.
    const SIZES: [usize; 4] = {
        let size = size_of::<Node>().saturating_mul(2);
        [size, size.saturating_mul(2), size.saturating_mul(2), 0]
    };

    #[inline(always)]
    fn at(&mut self, offset: usize) {
        self.at = offset;
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'de>) -> usize {
        self.push(match leaf {
            Leaf::Nil => Type::Nil,
            Leaf::Bool(_) => Type::Bool,
            Leaf::Int(_) => Type::Int,
            Leaf::Float(_) => Type::Float,
            Leaf::String(_) => Type::String,
            Leaf::StringName(_) => Type::StringName,
            Leaf::NodePath(_) => Type::NodePath,
            Leaf::Rid(_) => Type::Rid,
            Leaf::Callable => Type::Callable,
            Leaf::Signal(..) => Type::Signal,
            Leaf::NullObject | Leaf::Object(_) => Type::Object,
            Leaf::PackedBytes(_) => Type::PackedByteArray,
            Leaf::Ints(kind, _)
            | Leaf::Reals(kind, _)
            | Leaf::Packed(kind, _)
            | Leaf::PackedReals(kind, _) => kind,
        })
    }

    #[inline(always)]
    fn short_string(&mut self, _: u8, _: [u64; 3]) -> usize {
        self.push(Type::String)
    }

    fn end_strings(&mut self, (): ()) -> usize {
        self.push(Type::PackedStringArray)
    }

    fn items(&mut self, _: usize) -> Open {
        self.open(Type::Array)
    }

    fn entries(&mut self, _: usize) -> Open {
        self.open(Type::Dictionary)
    }

    fn object(&mut self, _: Cow<'de, str>, _: usize) -> Open {
        self.open(Type::Object)
    }

    fn typed_item(&mut self, items: &mut Open, value: usize, typed: Typed<'_, 'de>) -> Result<()> {
        items.is_odd |= self.is_odd(value, &typed.types.0, typed.reader);
        Ok(())
    }

    #[inline(always)]
    fn key(&mut self, entries: &mut Open, key: usize) {
        entries.key = key;
    }

    fn typed_entry(&mut self, entries: &mut Open, _: usize, typed: Typed<'_, 'de>) -> Result<()> {
        // Engines keep values of any type.
        entries.is_odd |= self.is_odd(entries.key, &typed.types.0, typed.reader);
        Ok(())
    }

    fn name(&mut self, _: &mut Open, _: Cow<'de, str>) {
        self.push(Type::String);
    }

    fn end_items(&mut self, items: Open, _: Option<Types>) -> usize {
        self.close(&items)
    }

    fn end_entries(&mut self, entries: Open, _: Option<Types>, _: &Reader<'de>) -> Result<usize> {
        Ok(self.close(&entries))
    }

    fn end_object(&mut self, object: Open) -> usize {
        self.close(&object)
    }
}
