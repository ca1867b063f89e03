//! The listener that makes a [`Value`].

use gamewire_core::bytes::hex;

use super::decode::{Decoder, Head, Leaf, Listener};
use super::{Bean, Dynamic, List, Map, Value};
use crate::error::{Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead};
use crate::types::{Vector2, Vector3, Vector4};

/// Reads a value inside of `level` containers that may hold `memory` bytes, which are counted down.
pub(crate) fn decode(
    decoder: &mut Decoder<'_>,
    kind: Kind,
    level: usize,
    memory: &mut usize,
) -> Result<Value> {
    let mut builder = Builder { left: Some(*memory), ..Builder::default() };
    decoder.value(kind, level, &mut builder)?;
    debug_assert!(builder.left.is_some(), "a full builder ends the reading");
    *memory = builder.left.unwrap_or(0);
    Ok(builder.finish())
}

/// The step of a path to the value of a map's key; `bytes` begin with that key. Errors want it, and
/// so the key is read once more.
#[cold]
pub(crate) fn key_segment(bytes: &[u8], kind: Kind, index: usize) -> Segment {
    match short_key(bytes, kind) {
        Some(key) => key.as_key(),
        None => Segment::Key(format!("entry {index}")),
    }
}

/// The key with these bytes; `None` if it is too long for a path.
pub(crate) fn short_key(bytes: &[u8], kind: Kind) -> Option<Value> {
    // A path shows only the beginning of a long key, and text need not be decoded for that.
    let max = if kind == Kind::Bytes { bytes.len() } else { MAX_KEY };
    let mut decoder = Decoder::new(bytes.get(..max).unwrap_or(bytes), Options::new());
    decode(&mut decoder, kind, 0, &mut usize::MAX.clone()).ok()
}

impl Value {
    /// The step of a path to the value of this key.
    #[cold]
    pub(crate) fn as_key(&self) -> Segment {
        match self {
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Segment::field(text),
                Err(_) => Segment::key(&hex(bytes)),
            },
            other => Segment::key(&format!("{other:?}")),
        }
    }
}

/// The longest key that is shown in a path, in bytes, apart from text.
const MAX_KEY: usize = 64;

/// Puts values together: those that are not whole are on a stack, and the innermost one beside it,
/// where it is found at once.
#[derive(Default)]
struct Builder {
    part: Part,
    around: Vec<Part>,
    /// Fields of the layers that are not whole, those of the innermost one last: how many a layer
    /// has is known at its end, and one piece of memory is enough then.
    fields: Vec<(u32, Value)>,
    /// Layers that are whole, of all beans that are not: those of the innermost bean come last.
    layers: Vec<Vec<(u32, Value)>>,
    /// Bytes of memory that may still be held; `None` if there were not enough.
    left: Option<usize>,
}

/// A value that is not whole.
enum Part {
    /// The outermost value, which is present as soon as it is whole.
    Root(Value),
    List(List),
    /// With the key of the entry whose value follows.
    Map(Map, Option<Value>),
    /// One layer.
    Bean {
        /// How many fields are before its own.
        start: usize,
        /// The id of the next field.
        id: u32,
        /// Layers before this one.
        layers: usize,
        type_id: Option<i64>,
    },
}

impl Default for Part {
    fn default() -> Self {
        Part::Root(Value::default())
    }
}

impl Builder {
    /// The value, which is whole.
    fn finish(self) -> Value {
        match self.part {
            Part::Root(value) => value,
            _ => {
                debug_assert!(false, "a container has not ended");
                Value::default()
            }
        }
    }

    /// Counts memory that is about to be held; false if there is not enough of it.
    #[inline]
    fn holds(&mut self, count: usize, size: usize) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(count.saturating_mul(size)));
        self.left.is_some()
    }

    /// Puts a value where the next one belongs.
    #[inline]
    fn put(&mut self, value: Value) {
        match &mut self.part {
            Part::List(list) => list.items.push(value),
            Part::Bean { id, .. } => push(&mut self.fields, (*id, value)),
            Part::Map(map, key) => match key.take() {
                Some(key) => map.entries.push((key, value)),
                None => *key = Some(value),
            },
            Part::Root(root) => *root = value,
        }
    }

    /// The layer of a bean is whole, and that of its base follows.
    fn next_layer(&mut self) {
        if let Part::Bean { start, layers, .. } = &mut self.part {
            self.layers.push(layer(&mut self.fields, *start));
            *layers = layers.saturating_add(1);
        }
    }

    /// The innermost container is whole.
    fn close_part(&mut self) {
        let outer = self.around.pop();
        debug_assert!(outer.is_some(), "a container ends that has not begun");
        let part = std::mem::replace(&mut self.part, outer.unwrap_or_default());
        let value = match part {
            Part::Root(value) => value,
            Part::List(list) => Value::List(list),
            Part::Map(map, _) => Value::Map(map),
            Part::Bean { start, layers, type_id, .. } => {
                let mut bean = Bean { fields: layer(&mut self.fields, start), base: None };
                for _ in 0..layers {
                    let fields = self.layers.pop();
                    debug_assert!(fields.is_some());
                    bean = Bean { fields: fields.unwrap_or_default(), base: Some(Box::new(bean)) };
                }
                match type_id {
                    Some(type_id) => Value::Dynamic(Box::new(Dynamic { type_id, bean })),
                    None => Value::Bean(bean),
                }
            }
        };
        self.put(value);
    }
}

impl<'de> Listener<'de> for Builder {
    #[inline]
    fn is_full(&self) -> bool {
        self.left.is_none()
    }

    // Each place that calls it knows the sort of head.
    #[inline(always)]
    fn open(&mut self, _end: usize, head: Head) {
        // A count that does not fit into the memory is an error at once, before anything is read.
        let part = match head {
            Head::List(ListHead { count, number: element, .. }) => {
                let fits = self.holds(count, size_of::<Value>());
                let items = Vec::with_capacity(if fits { count } else { 0 });
                Part::List(List { element, items })
            }
            Head::Map(MapHead { count, numbers: types, .. }) => {
                let fits = self.holds(count, size_of::<(Value, Value)>());
                let entries = Vec::with_capacity(if fits { count } else { 0 });
                Part::Map(Map { types, entries }, None)
            }
            Head::Bean(type_id) => {
                self.holds(usize::from(type_id.is_some()), size_of::<Dynamic>());
                Part::Bean { start: self.fields.len(), id: 0, layers: 0, type_id }
            }
            Head::Base => {
                self.holds(1, size_of::<Bean>());
                return self.next_layer();
            }
        };
        self.around.push(std::mem::replace(&mut self.part, part));
    }

    #[inline]
    fn key(&mut self, _end: usize, next: u32, _kind: Kind) {
        self.holds(1, size_of::<(u32, Value)>());
        if let Part::Bean { id, .. } = &mut self.part {
            *id = next;
        }
    }

    #[inline]
    fn leaf(&mut self, _end: usize, value: Leaf<'de>) {
        if let Leaf::Bytes(bytes, _) = value
            && !self.holds(bytes.len(), 1)
        {
            return;
        }
        self.put(value.into());
    }

    fn close(&mut self, _end: usize) {
        self.close_part();
    }
}

/// The fields from `start` on.
#[inline]
fn layer(fields: &mut Vec<(u32, Value)>, start: usize) -> Vec<(u32, Value)> {
    if start > 0 {
        return fields.split_off(start);
    }
    let mut all = std::mem::take(fields);
    all.shrink_to_fit();
    all
}

/// Grows by half and not by more: a field may have two bytes in the input.
#[inline]
fn push(fields: &mut Vec<(u32, Value)>, field: (u32, Value)) {
    if fields.len() == fields.capacity() {
        fields.reserve_exact((fields.len() / 2).max(16));
    }
    fields.push(field);
}

impl From<Leaf<'_>> for Value {
    #[inline]
    fn from(value: Leaf<'_>) -> Self {
        match value {
            Leaf::Int(value) => Value::Int(value),
            Leaf::Float(value) => Value::Float(value),
            Leaf::Double(value) => Value::Double(value),
            Leaf::Bytes(bytes, _) => Value::Bytes(bytes.to_vec()),
            Leaf::Vector2(vector) => Value::Vector2(Vector2::from_array(vector)),
            Leaf::Vector2Int(vector) => Value::Vector2Int(vector),
            Leaf::Vector3(vector) => Value::Vector3(Vector3::from_array(vector)),
            Leaf::Vector3Int(vector) => Value::Vector3Int(vector),
            Leaf::Vector4(vector) => Value::Vector4(Vector4::from_array(vector)),
        }
    }
}
