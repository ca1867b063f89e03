//! Copies, comparison and hashes of values.

use std::hash::{Hash, Hasher};

use gamewire_core::walk::{self, Nested};

use super::{Bean, Dynamic, List, Map, Value};

impl Nested for Value {
    fn count(&self) -> usize {
        match self {
            Value::List(list) => list.len(),
            Value::Map(map) => map.len().saturating_mul(2),
            other => other.as_bean().map_or(0, Bean::values),
        }
    }

    fn child(&self, index: usize) -> Option<&Self> {
        match self {
            Value::List(list) => list.items.get(index),
            Value::Map(map) => {
                let (key, value) = map.entries.get(index / 2)?;
                Some(if index.is_multiple_of(2) { key } else { value })
            }
            other => other.as_bean()?.value(index),
        }
    }

    fn rebuilt(&self, children: Vec<Self>) -> Self {
        let mut values = children.into_iter();
        match self {
            Value::List(list) => {
                Value::List(List { element: list.element, items: values.collect() })
            }
            Value::Map(map) => {
                let mut entries = Vec::with_capacity(map.len());
                while let Some(entry) = values.next().zip(values.next()) {
                    entries.push(entry);
                }
                Value::Map(Map { types: map.types, entries })
            }
            Value::Bean(bean) => Value::Bean(bean.with_values(&mut values)),
            Value::Dynamic(dynamic) => {
                let bean = dynamic.bean.with_values(&mut values);
                Value::Dynamic(Box::new(Dynamic { type_id: dynamic.type_id, bean }))
            }
            leaf => leaf.clone(),
        }
    }
}

impl Bean {
    /// The number of values in all layers.
    fn values(&self) -> usize {
        self.layers().map(Bean::len).sum()
    }

    fn value(&self, index: usize) -> Option<&Value> {
        let mut index = index;
        for layer in self.layers() {
            match layer.fields.get(index) {
                Some((_, value)) => return Some(value),
                None => index = index.saturating_sub(layer.len()),
            }
        }
        None
    }

    /// The same ids and layers with other values.
    fn with_values(&self, values: &mut std::vec::IntoIter<Value>) -> Bean {
        let fields = self.fields.iter().zip(&mut *values).map(|(field, value)| (field.0, value));
        let fields = fields.collect();
        Bean { fields, base: self.base().map(|base| Box::new(base.with_values(values))) }
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        List { element: self.element, items: self.items.iter().map(walk::clone).collect() }
    }
}

impl Clone for Map {
    fn clone(&self) -> Self {
        let entries = self.entries.iter();
        let entries = entries.map(|(key, value)| (walk::clone(key), walk::clone(value)));
        Map { types: self.types, entries: entries.collect() }
    }
}

impl Clone for Bean {
    fn clone(&self) -> Self {
        let fields = self.fields.iter().map(|(id, value)| (*id, walk::clone(value)));
        Bean { fields: fields.collect(), base: self.base.clone() }
    }
}

impl Value {
    /// The numbers of a value without others in it: the bits of floats.
    fn words(&self) -> [u64; 4] {
        fn floats<const N: usize>(floats: [f32; N]) -> [u64; 4] {
            let mut words = [0; 4];
            words.iter_mut().zip(floats).for_each(|(word, float)| *word = float.to_bits().into());
            words
        }
        match self {
            Value::Int(value) => [value.cast_unsigned(), 0, 0, 0],
            Value::Float(value) => floats([*value]),
            Value::Double(value) => [value.to_bits(), 0, 0, 0],
            Value::Vector2(vector) => floats(vector.to_array()),
            Value::Vector2Int([x, y]) => [x.cast_unsigned(), y.cast_unsigned(), 0, 0],
            Value::Vector3(vector) => floats(vector.to_array()),
            Value::Vector3Int([x, y, z]) => [*x, *y, *z, 0].map(i64::cast_unsigned),
            Value::Vector4(vector) => floats(vector.to_array()),
            _ => [0; 4],
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Bean(a), Value::Bean(b)) => a == b,
            (Value::Dynamic(a), Value::Dynamic(b)) => a == b,
            _ => self.kind() == other.kind() && self.words() == other.words(),
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Value::Bytes(bytes) => bytes.hash(state),
            Value::List(list) => list.hash(state),
            Value::Map(map) => map.hash(state),
            Value::Bean(bean) => bean.hash(state),
            Value::Dynamic(dynamic) => dynamic.hash(state),
            _ => self.words().hash(state),
        }
    }
}
