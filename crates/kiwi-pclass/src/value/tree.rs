//! Going through nested values in a loop, so that depth costs heap and never stack.

use gamewire_core::walk::{self, Nested};

use super::{Field, List, Value};

/// Levels below this are not indented further, or a deep value would become a very long text.
pub(crate) const MAX_INDENT: usize = 40;

impl Nested for Value {
    fn count(&self) -> usize {
        match self {
            Value::Object(object) => object.fields().len(),
            Value::List(list) => list.len(),
            _ => 0,
        }
    }

    fn child(&self, index: usize) -> Option<&Self> {
        match self {
            Value::Object(object) => object.fields().get(index).map(|field| &field.value),
            Value::List(list) => list.get(index),
            _ => None,
        }
    }

    fn rebuilt(&self, children: Vec<Self>) -> Self {
        let Value::Object(object) = self else { return Value::List(List::new(children)) };
        let fields = object.fields().iter().zip(children);
        let fields = fields.map(|(field, value)| field.key.with(value));
        Value::Object(Box::new(object.with_same_head(fields.collect())))
    }
}

impl Clone for Field {
    fn clone(&self) -> Self {
        self.key.with(walk::clone(&self.value))
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        self.iter().map(walk::clone).collect()
    }
}
