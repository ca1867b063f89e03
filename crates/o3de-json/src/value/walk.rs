//! `Clone` without recursion. All else recurses, which `max_depth` bounds.

use gamewire_core::walk::{self, Nested};

use super::{Array, Object, Value};

impl Nested for Value {
    fn count(&self) -> usize {
        match self {
            Value::Array(array) => array.0.len(),
            Value::Object(object) => object.0.len(),
            _ => 0,
        }
    }

    fn child(&self, index: usize) -> Option<&Self> {
        match self {
            Value::Array(array) => array.0.get(index),
            Value::Object(object) => object.0.get(index).map(|(_, value)| value),
            _ => None,
        }
    }

    fn rebuilt(&self, children: Vec<Self>) -> Self {
        match self {
            Value::Object(object) => Value::Object(object.keys().cloned().zip(children).collect()),
            _ => Value::Array(Array(children)),
        }
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        Array(self.0.iter().map(walk::clone).collect())
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        let members = self.0.iter().map(|(name, value)| (name.clone(), walk::clone(value)));
        Object(members.collect())
    }
}
