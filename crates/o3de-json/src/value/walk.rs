//! `Drop` and `Clone` without recursion: depth costs heap and never stack.

use std::cell::Cell;
use std::slice;

use super::{Array, Object, Text, Value};

/// What a container holds, taken out of it.
enum Contents {
    Items(Vec<Value>),
    Members(Vec<(Text, Value)>),
}

/// `None` for empty containers, which need no care.
fn take_contents(value: &mut Value) -> Option<Contents> {
    match value {
        Value::Array(array) if !array.0.is_empty() => {
            Some(Contents::Items(std::mem::take(&mut array.0)))
        }
        Value::Object(object) if !object.0.is_empty() => {
            Some(Contents::Members(std::mem::take(&mut object.0)))
        }
        _ => None,
    }
}

thread_local! {
    /// Containers whose contents are being dropped on this thread's stack.
    static DROPPING: Cell<u32> = const { Cell::new(0) };
}

/// Drops by recursion while it is shallow, which is the fast way, and level by level below that.
fn drop_contents(contents: Contents) {
    const SHALLOW: u32 = 32;
    let levels = DROPPING.get();
    if levels >= SHALLOW {
        return drop_levels(contents);
    }
    DROPPING.set(levels.saturating_add(1));
    drop(contents);
    DROPPING.set(levels);
}

/// What is deep is moved to a list before its container goes.
#[cold]
fn drop_levels(first: Contents) {
    let mut waiting = vec![first];
    while let Some(mut contents) = waiting.pop() {
        match &mut contents {
            Contents::Items(items) => waiting.extend(items.iter_mut().filter_map(take_contents)),
            Contents::Members(members) => {
                waiting.extend(members.iter_mut().filter_map(|(_, value)| take_contents(value)));
            }
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Items(std::mem::take(&mut self.0)));
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Members(std::mem::take(&mut self.0)));
        }
    }
}

/// A container whose children are being cloned, and the clones so far.
enum Cloning<'a> {
    Items(slice::Iter<'a, Value>, Vec<Value>),
    Members(slice::Iter<'a, (Text, Value)>, Vec<(Text, Value)>, Option<Text>),
}

impl<'a> Cloning<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Array(array) => Some(Cloning::items(&array.0)),
            Value::Object(object) => Some(Cloning::members(&object.0)),
            _ => None,
        }
    }

    fn items(items: &'a [Value]) -> Self {
        Cloning::Items(items.iter(), Vec::with_capacity(items.len()))
    }

    fn members(members: &'a [(Text, Value)]) -> Self {
        Cloning::Members(members.iter(), Vec::with_capacity(members.len()), None)
    }

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Cloning::Items(left, _) => left.next(),
            Cloning::Members(left, _, name) => {
                let (next, value) = left.next()?;
                *name = Some(next.clone());
                Some(value)
            }
        }
    }

    fn push(&mut self, value: Value) {
        match self {
            Cloning::Items(_, done) => done.push(value),
            Cloning::Members(_, done, name) => done.push((name.take().unwrap_or_default(), value)),
        }
    }

    fn finish(self) -> Value {
        match self {
            Cloning::Items(_, done) => Value::Array(Array(done)),
            Cloning::Members(_, done, _) => Value::Object(Object(done)),
        }
    }
}

fn clone_all(first: Cloning<'_>) -> Value {
    let mut outer: Vec<Cloning<'_>> = Vec::new();
    let mut level = first;
    loop {
        let Some(child) = level.next() else {
            let whole = level.finish();
            let Some(around) = outer.pop() else { return whole };
            level = around;
            level.push(whole);
            continue;
        };
        match Cloning::of(child) {
            Some(inner) => outer.push(std::mem::replace(&mut level, inner)),
            None => level.push(clone_leaf(child)),
        }
    }
}

fn clone_leaf(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(value) => Value::Bool(*value),
        Value::Number(number) => Value::Number(number.clone()),
        Value::String(text) => Value::String(text.clone()),
        Value::Array(_) => Value::Array(Array::new()),
        Value::Object(_) => Value::Object(Object::new()),
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Cloning::of(self).map_or_else(|| clone_leaf(self), clone_all)
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        match clone_all(Cloning::items(&self.0)) {
            Value::Array(array) => array,
            _ => Array::new(),
        }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        match clone_all(Cloning::members(&self.0)) {
            Value::Object(object) => object,
            _ => Object::new(),
        }
    }
}
