//! Going through nested values without recursion, so that depth costs heap and never stack.

use std::cell::Cell;
use std::slice;

use crate::Value;
use crate::types::GString;
use crate::value::{Array, Dictionary, Instance, Object, TypedArray, TypedDictionary, by_numbers};

/// The values directly inside a container, in order; keys before their values.
#[derive(Clone)]
pub(super) enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Entries(slice::Iter<'a, (Value, Value)>, Option<&'a Value>),
    Properties(slice::Iter<'a, (GString, Value)>),
}

impl<'a> Children<'a> {
    /// `None` for values that are not containers.
    pub(super) fn of(value: &'a Value) -> Option<Children<'a>> {
        Some(match value {
            Value::Array(array) => Children::Items(array.0.iter()),
            Value::TypedArray(array) => Children::Items(array.items.0.iter()),
            Value::Dictionary(dictionary) => Children::Entries(dictionary.0.iter(), None),
            Value::TypedDictionary(typed) => Children::Entries(typed.entries.0.iter(), None),
            Value::Object(Object::Instance(instance)) => {
                Children::Properties(instance.properties.iter())
            }
            _ => return None,
        })
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = &'a Value;
    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Children::Items(items) => items.next(),
            Children::Properties(properties) => properties.next().map(|(_, value)| value),
            Children::Entries(entries, pending) => pending.take().or_else(|| {
                let (key, value) = entries.next()?;
                *pending = Some(value);
                Some(key)
            }),
        }
    }
}

/// Whether the value contains a value.
fn is_filled(value: &Value) -> bool {
    match value {
        Value::Array(array) => !array.0.is_empty(),
        Value::TypedArray(array) => !array.items.0.is_empty(),
        Value::Dictionary(dictionary) => !dictionary.0.is_empty(),
        Value::TypedDictionary(typed) => !typed.entries.0.is_empty(),
        Value::Object(Object::Instance(instance)) => !instance.properties.is_empty(),
        _ => false,
    }
}

/// What a container holds, taken out of it.
enum Contents {
    Items(Vec<Value>),
    Entries(Vec<(Value, Value)>),
    Properties(Vec<(GString, Value)>),
}

/// `None` for empty containers, which need no care.
fn take_contents(value: &mut Value) -> Option<Contents> {
    if !is_filled(value) {
        return None;
    }
    Some(match value {
        Value::Array(array) => Contents::Items(std::mem::take(&mut array.0)),
        Value::TypedArray(array) => Contents::Items(std::mem::take(&mut array.items.0)),
        Value::Dictionary(dictionary) => Contents::Entries(std::mem::take(&mut dictionary.0)),
        Value::TypedDictionary(typed) => Contents::Entries(std::mem::take(&mut typed.entries.0)),
        Value::Object(Object::Instance(instance)) => {
            Contents::Properties(std::mem::take(&mut instance.properties))
        }
        _ => return None,
    })
}

thread_local! {
    /// Containers whose contents are being dropped on this thread's stack.
    static DROPPING: Cell<u32> = const { Cell::new(0) };
}

/// Drops by recursion while it is shallow, which is the fast way, and level by level below that.
#[inline]
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
        let mut postpone = |value: &mut Value| waiting.extend(take_contents(value));
        match &mut contents {
            Contents::Items(items) => items.iter_mut().for_each(postpone),
            Contents::Properties(properties) => {
                properties.iter_mut().for_each(|(_, value)| postpone(value));
            }
            Contents::Entries(entries) => entries.iter_mut().for_each(|(key, value)| {
                postpone(key);
                postpone(value);
            }),
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

impl Drop for Dictionary {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Entries(std::mem::take(&mut self.0)));
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.properties.is_empty() {
            drop_contents(Contents::Properties(std::mem::take(&mut self.properties)));
        }
    }
}

/// A container whose children are being cloned.
struct Cloning<'a> {
    original: &'a Value,
    left: Children<'a>,
    done: Vec<Value>,
}

/// Clones the children of one container.
fn clone_children(mut left: Children<'_>) -> Vec<Value> {
    let mut stack: Vec<Cloning<'_>> = Vec::new();
    let mut done: Vec<Value> = Vec::with_capacity(left.size_hint().0);
    loop {
        let Some(child) = left.next() else {
            // This container is complete; go on in the one around it.
            let Some(outer) = stack.pop() else { return done };
            let whole = rebuilt(outer.original, done);
            (left, done) = (outer.left, outer.done);
            done.push(whole);
            continue;
        };
        match Children::of(child) {
            Some(inner) if is_filled(child) => {
                stack.push(Cloning {
                    original: child,
                    left: std::mem::replace(&mut left, inner),
                    done: std::mem::take(&mut done),
                });
            }
            _ => done.push(clone_leaf(child)),
        }
    }
}

/// A container like `original` with other children.
fn rebuilt(original: &Value, children: Vec<Value>) -> Value {
    match original {
        Value::Array(_) => Value::Array(Array(children)),
        Value::TypedArray(array) => Value::TypedArray(Box::new(TypedArray {
            element: array.element.clone(),
            items: Array(children),
        })),
        Value::Dictionary(_) => Value::Dictionary(paired(children)),
        Value::TypedDictionary(typed) => Value::TypedDictionary(Box::new(TypedDictionary {
            key: typed.key.clone(),
            value: typed.value.clone(),
            entries: paired(children),
        })),
        Value::Object(Object::Instance(instance)) => {
            Value::Object(Object::Instance(Box::new(named(instance, children))))
        }
        leaf => clone_leaf(leaf),
    }
}

fn paired(flat: Vec<Value>) -> Dictionary {
    let mut entries = Vec::with_capacity(flat.len() / 2);
    let mut flat = flat.into_iter();
    while let (Some(key), Some(value)) = (flat.next(), flat.next()) {
        entries.push((key, value));
    }
    Dictionary(entries)
}

fn named(original: &Instance, values: Vec<Value>) -> Instance {
    let names = original.properties.iter().map(|(name, _)| name.clone());
    Instance { class: original.class.clone(), properties: names.zip(values).collect() }
}

/// A value without children, or an empty container.
fn clone_leaf(value: &Value) -> Value {
    by_numbers!(
        value,
        ints v => Value::from(*v),
        reals v => Value::from(*v),
        packed v => Value::from(v.clone()),
        Value::Nil => Value::Nil,
        Value::Bool(v) => Value::Bool(*v),
        Value::Int(v) => Value::Int(*v),
        Value::Float(v) => Value::Float(*v),
        Value::String(v) => Value::String(v.clone()),
        Value::StringName(v) => Value::StringName(v.clone()),
        Value::NodePath(v) => Value::NodePath(v.clone()),
        Value::Rid(v) => Value::Rid(*v),
        Value::Object(Object::Null) => Value::Object(Object::Null),
        Value::Object(Object::Id(id)) => Value::Object(Object::Id(*id)),
        Value::Object(Object::Instance(v)) => {
            Value::Object(Object::Instance(Box::new(named(v, Vec::new()))))
        },
        Value::Callable(v) => Value::Callable(*v),
        Value::Signal(v) => Value::Signal(v.clone()),
        Value::Dictionary(_) => Value::Dictionary(Dictionary::new()),
        Value::TypedDictionary(v) => Value::TypedDictionary(Box::new(TypedDictionary {
            key: v.key.clone(),
            value: v.value.clone(),
            entries: Dictionary::new(),
        })),
        Value::Array(_) => Value::Array(Array::new()),
        Value::TypedArray(v) => Value::TypedArray(Box::new(TypedArray {
            element: v.element.clone(),
            items: Array::new(),
        })),
        Value::PackedByteArray(v) => Value::PackedByteArray(v.clone()),
        Value::PackedInt32Array(v) => Value::PackedInt32Array(v.clone()),
        Value::PackedInt64Array(v) => Value::PackedInt64Array(v.clone()),
        Value::PackedFloat32Array(v) => Value::PackedFloat32Array(v.clone()),
        Value::PackedFloat64Array(v) => Value::PackedFloat64Array(v.clone()),
        Value::PackedStringArray(v) => Value::PackedStringArray(v.clone()),
    )
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match Children::of(self) {
            Some(children) if is_filled(self) => rebuilt(self, clone_children(children)),
            _ => clone_leaf(self),
        }
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        Array(clone_children(Children::Items(self.0.iter())))
    }
}

impl Clone for Dictionary {
    fn clone(&self) -> Self {
        paired(clone_children(Children::Entries(self.0.iter(), None)))
    }
}

impl Clone for Instance {
    fn clone(&self) -> Self {
        named(self, clone_children(Children::Properties(self.properties.iter())))
    }
}
