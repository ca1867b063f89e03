//! Taking values apart without recursion, for they nest as deep as the input likes.

use super::{Bean, List, Map, Value};
use alloc::vec::Vec;

impl Value {
    /// Moves the values that have others in them to a list, so that the compiler finds none.
    fn unpack(&mut self, pending: &mut Vec<Value>) {
        match self {
            Value::List(list) => keep(pending, list.items.iter_mut()),
            Value::Map(map) => map.unpack(pending),
            Value::Bean(bean) => bean.unpack(pending),
            Value::Dynamic(dynamic) => dynamic.bean.unpack(pending),
            _ => {}
        }
    }

    fn has_parts(&self) -> bool {
        match self {
            Value::List(list) => !list.items.is_empty(),
            Value::Map(map) => !map.entries.is_empty(),
            Value::Bean(bean) => !bean.is_empty(),
            Value::Dynamic(dynamic) => !dynamic.bean.is_empty(),
            _ => false,
        }
    }
}

fn keep<'v>(pending: &mut Vec<Value>, values: impl Iterator<Item = &'v mut Value>) {
    pending.extend(values.filter(|value| value.has_parts()).map(Value::take));
}

fn drop_all(mut pending: Vec<Value>) {
    while let Some(mut value) = pending.pop() {
        value.unpack(&mut pending);
    }
}

impl Map {
    fn unpack(&mut self, pending: &mut Vec<Value>) {
        keep(pending, self.entries.iter_mut().flat_map(|(key, value)| [key, value]));
    }
}

impl Bean {
    fn unpack(&mut self, pending: &mut Vec<Value>) {
        keep(pending, self.fields.iter_mut().map(|field| &mut field.1));
        pending.extend(self.base.take().map(|base| Value::Bean(*base)));
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        keep(&mut pending, self.items.iter_mut());
        drop_all(pending);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.unpack(&mut pending);
        drop_all(pending);
    }
}

impl Drop for Bean {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.unpack(&mut pending);
        drop_all(pending);
    }
}
