//! The way through a [`Value`], however deep, without recursion: for writing, copying, comparing,
//! printing and dropping.

use super::build::Builder;
use super::{Bean, List, Map, Value};
use crate::error::{Error, Path, Segment};
use alloc::{boxed::Box, string::String, vec::Vec};

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    /// In a list, with the number of the wire type that its elements have.
    Item(u8),
    /// In a map, with the number of the wire type that its keys have.
    Key(u8),
    /// In a map, with the number of the wire type that its values have.
    Entry(u8),
    Field {
        id: u32,
        /// The id before it in the layer, or 0.
        last: u32,
    },
}

/// What comes next on the way.
#[derive(Clone, Copy)]
pub(super) enum Step<'v> {
    /// A value; what is in a container comes after it.
    Value(Place, &'v Value),
    /// The layer of a base begins, after the last field of the layer before it.
    Base,
    /// A container ends, or a layer of a bean; the outer layers end after their bases.
    Close(Open<'v>),
}

/// A container, or a layer of a bean, whose parts before the given one were passed.
#[derive(Clone, Copy)]
pub(super) enum Open<'v> {
    Root(Option<&'v Value>),
    List(&'v List, usize),
    /// Keys and values count.
    Map(&'v Map, usize),
    Bean(&'v Bean, usize),
}

/// A way through a value.
pub(super) struct Walk<'v> {
    top: Open<'v>,
    around: Vec<Open<'v>>,
}

impl<'v> Walk<'v> {
    pub(super) fn new(value: &'v Value) -> Self {
        Walk { top: Open::Root(Some(value)), around: Vec::new() }
    }

    /// Through the parts of a container.
    pub(super) fn inside(top: Open<'v>) -> Self {
        Walk { top, around: vec![Open::Root(None)] }
    }

    /// Containers and layers around what came last, itself included if it is one.
    pub(super) fn levels(&self) -> usize {
        self.around.len()
    }

    fn enter(&mut self, inner: Open<'v>) {
        self.around.push(core::mem::replace(&mut self.top, inner));
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<Step<'v>> {
        let part = match &mut self.top {
            Open::List(list, next) => list.items.get(*next).map(|item| {
                *next = next.saturating_add(1);
                (Place::Item(list.element), item)
            }),
            Open::Bean(bean, next) => match bean.fields.get(*next) {
                Some((id, value)) => {
                    let before = next.checked_sub(1).and_then(|before| bean.fields.get(before));
                    let last = before.map_or(0, |field| field.0);
                    *next = next.saturating_add(1);
                    Some((Place::Field { id: *id, last }, value))
                }
                None => {
                    // Passed once; when the base has ended, this layer ends too.
                    let is_new = *next == bean.fields.len();
                    if let Some(base) = bean.base().filter(|_| is_new) {
                        *next = next.saturating_add(1);
                        self.enter(Open::Bean(base, 0));
                        return Some(Step::Base);
                    }
                    None
                }
            },
            Open::Map(map, next) => map.entries.get(*next / 2).map(|(key, value)| {
                let is_key = next.is_multiple_of(2);
                *next = next.saturating_add(1);
                if is_key {
                    (Place::Key(map.types.0), key)
                } else {
                    (Place::Entry(map.types.1), value)
                }
            }),
            Open::Root(value) => Some((Place::Root, value.take()?)),
        };
        let Some((place, value)) = part else {
            let outer = self.around.pop().unwrap_or(Open::Root(None));
            return Some(Step::Close(core::mem::replace(&mut self.top, outer)));
        };
        match value {
            Value::List(list) => self.enter(Open::List(list, 0)),
            Value::Map(map) => self.enter(Open::Map(map, 0)),
            Value::Bean(bean) => self.enter(Open::Bean(bean, 0)),
            Value::Dynamic(dynamic) => self.enter(Open::Bean(&dynamic.bean, 0)),
            _ => {}
        }
        Some(Step::Value(place, value))
    }

    /// The error with the path to what came last.
    #[cold]
    pub(super) fn located(&self, error: Error) -> Error {
        let around = self.around.iter().rev().take(Path::MAX_SEGMENTS.saturating_add(1));
        core::iter::once(&self.top).chain(around).fold(error, |error, open| {
            let segment = match open {
                Open::List(_, passed) => passed.checked_sub(1).map(Segment::Index),
                Open::Map(map, passed) => passed.checked_sub(1).and_then(|last| {
                    let (index, is_key) = (last / 2, last.is_multiple_of(2));
                    let key = &map.entries.get(index)?.0;
                    Some(if is_key { Segment::KeyOf(index) } else { key.as_key() })
                }),
                Open::Bean(bean, passed) => passed.checked_sub(1).map(|last| {
                    bean.fields
                        .get(last)
                        .map_or_else(|| Segment::Base, |field| Segment::Id(field.0))
                }),
                Open::Root(_) => None,
            };
            match segment {
                Some(segment) => error.inside(segment),
                None => error,
            }
        })
    }
}

impl Value {
    /// The step of a path to the value of this key.
    #[cold]
    pub(crate) fn as_key(&self) -> Segment {
        match self {
            Value::Bytes(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => Segment::field(text),
                Err(_) => Segment::key(
                    &bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
                ),
            },
            other => Segment::key(&format!("{other:?}")),
        }
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        let scalar = |value: &Value| match value {
            Value::Int(value) => Some(Value::Int(*value)),
            Value::Float(value) => Some(Value::Float(*value)),
            Value::Double(value) => Some(Value::Double(*value)),
            Value::Bytes(bytes) => Some(Value::Bytes(bytes.clone())),
            Value::Vector2(vector) => Some(Value::Vector2(*vector)),
            Value::Vector2Int(vector) => Some(Value::Vector2Int(*vector)),
            Value::Vector3(vector) => Some(Value::Vector3(*vector)),
            Value::Vector3Int(vector) => Some(Value::Vector3Int(*vector)),
            Value::Vector4(vector) => Some(Value::Vector4(*vector)),
            Value::List(_) | Value::Map(_) | Value::Bean(_) | Value::Dynamic(_) => None,
        };
        if let Some(value) = scalar(self) {
            return value;
        }
        let (mut walk, mut builder) = (Walk::new(self), Builder::default());
        while let Some(step) = walk.next() {
            match step {
                Step::Value(place, value) => {
                    if let Place::Field { id, .. } = place {
                        builder.next_field(id);
                    }
                    match value {
                        Value::List(list) => builder.open_list(list.element, list.len()),
                        Value::Map(map) => builder.open_map(map.types, map.len()),
                        Value::Bean(_) => builder.open_bean(None),
                        Value::Dynamic(dynamic) => builder.open_bean(Some(dynamic.type_id)),
                        value => builder.put(scalar(value).unwrap_or_default()),
                    }
                }
                Step::Base => builder.next_layer(),
                // The innermost layer ends first, and the bean with it.
                Step::Close(Open::Bean(bean, _)) if bean.base.is_some() => {}
                Step::Close(_) => builder.close_part(),
            }
        }
        builder.finish()
    }
}

/// Layer by layer, for bases are as many as the input likes.
impl Clone for Bean {
    fn clone(&self) -> Self {
        let mut layers: Vec<_> = self.layers().map(|layer| layer.fields.clone()).collect();
        let mut bean = Bean { fields: layers.pop().unwrap_or_default(), base: None };
        while let Some(fields) = layers.pop() {
            bean = Bean { fields, base: Some(Box::new(bean)) };
        }
        bean
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        if !self.kind().is_container() {
            return self.is_same_alone(other);
        }
        let (mut these, mut those) = (Walk::new(self), Walk::new(other));
        loop {
            let same = match (these.next(), those.next()) {
                (Some(Step::Value(here, a)), Some(Step::Value(there, b))) => {
                    here == there && a.is_same_alone(b)
                }
                (Some(Step::Base), Some(Step::Base))
                | (Some(Step::Close(_)), Some(Step::Close(_))) => true,
                (None, None) => return true,
                _ => false,
            };
            if !same {
                return false;
            }
        }
    }
}

impl Eq for Value {}

impl PartialEq for Bean {
    fn eq(&self, other: &Self) -> bool {
        self.layers().map(|layer| &layer.fields).eq(other.layers().map(|layer| &layer.fields))
    }
}

impl Eq for Bean {}

impl Value {
    /// Whether two values are the same but for what is in them.
    #[inline]
    fn is_same_alone(&self, other: &Self) -> bool {
        fn bits<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
            a.map(f32::to_bits) == b.map(f32::to_bits)
        }
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Vector2(a), Value::Vector2(b)) => bits(a.to_array(), b.to_array()),
            (Value::Vector2Int(a), Value::Vector2Int(b)) => a == b,
            (Value::Vector3(a), Value::Vector3(b)) => bits(a.to_array(), b.to_array()),
            (Value::Vector3Int(a), Value::Vector3Int(b)) => a == b,
            (Value::Vector4(a), Value::Vector4(b)) => bits(a.to_array(), b.to_array()),
            (Value::List(a), Value::List(b)) => a.element == b.element && a.len() == b.len(),
            (Value::Map(a), Value::Map(b)) => a.types == b.types && a.len() == b.len(),
            (Value::Bean(a), Value::Bean(b)) => a.len() == b.len(),
            (Value::Dynamic(a), Value::Dynamic(b)) => {
                a.type_id == b.type_id && a.bean.len() == b.bean.len()
            }
            _ => false,
        }
    }
}
