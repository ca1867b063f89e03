//! `Drop` and `Clone` without recursion: depth costs heap and never stack.

use std::cell::Cell;

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

/// Containers of a value, and the empty ones that become their clones.
#[derive(Default)]
struct Cloning<'a>(Vec<(&'a Value, &'a mut Value)>);

impl<'a> Cloning<'a> {
    fn items(&mut self, from: &'a [Value], to: &'a mut Vec<Value>) {
        to.extend(from.iter().map(shallow));
        self.0.extend(from.iter().zip(to).filter(|(from, _)| is_container(from)));
    }

    fn members(&mut self, from: &'a [(Text, Value)], to: &'a mut Vec<(Text, Value)>) {
        to.reserve_exact(from.len());
        to.extend(from.iter().map(|(name, value)| (name.clone(), shallow(value))));
        let pairs = from.iter().zip(to).map(|((_, from), (_, to))| (from, to));
        self.0.extend(pairs.filter(|(from, _)| is_container(from)));
    }

    fn run(mut self) {
        while let Some(pair) = self.0.pop() {
            match pair {
                (Value::Array(from), Value::Array(to)) => self.items(&from.0, &mut to.0),
                (Value::Object(from), Value::Object(to)) => self.members(&from.0, &mut to.0),
                _ => {}
            }
        }
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// A clone of a leaf, or an empty container.
fn shallow(value: &Value) -> Value {
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
        let mut clone = shallow(self);
        Cloning(vec![(self, &mut clone)]).run();
        clone
    }
}

macro_rules! clone {
    ($($own:ident $method:ident),+) => {$(
        impl Clone for $own {
            fn clone(&self) -> Self {
                let mut clone = $own::new();
                let mut cloning = Cloning::default();
                cloning.$method(&self.0, &mut clone.0);
                cloning.run();
                clone
            }
        }
    )+};
}

clone!(Array items, Object members);
