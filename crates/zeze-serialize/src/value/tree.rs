//! Copies and comparison of values.

use alloc::{boxed::Box, vec::Vec};

use gamewire_core::walk::{self, Tree};

use super::{Bean, Dynamic, List, Map, Value};

impl Tree for Value {
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
    fn with_values(&self, values: &mut alloc::vec::IntoIter<Value>) -> Bean {
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

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
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
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Bean(a), Value::Bean(b)) => a == b,
            (Value::Dynamic(a), Value::Dynamic(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}
