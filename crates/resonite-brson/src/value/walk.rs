//! Going through nested values without recursion, so that depth costs heap and never stack.

use std::cell::Cell;
use std::slice;

use crate::Value;
use crate::text::Str;
use crate::types::CodeWithScope;
use crate::value::{Array, Document};

/// The values directly inside a container, in order.
#[derive(Clone)]
pub(crate) enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Entries(slice::Iter<'a, (Str, Value)>),
}

impl<'a> Children<'a> {
    /// `None` for values that are not containers.
    #[inline]
    pub(crate) fn of(value: &'a Value) -> Option<Children<'a>> {
        Some(match value {
            Value::Array(array) => Children::Items(array.0.iter()),
            Value::Document(document) => Children::Entries(document.0.iter()),
            Value::CodeWithScope(code) => Children::Entries(code.scope.0.iter()),
            _ => return None,
        })
    }

    /// The next one with its key, if it has one.
    #[inline]
    pub(crate) fn next_entry(&mut self) -> Option<(Option<&'a Str>, &'a Value)> {
        match self {
            Children::Items(items) => items.next().map(|value| (None, value)),
            Children::Entries(entries) => entries.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

/// What a container holds, taken out of it.
enum Contents {
    Items(Vec<Value>),
    Entries(Vec<(Str, Value)>),
}

/// `None` for empty containers, which need no care.
fn take_contents(value: &mut Value) -> Option<Contents> {
    match value {
        Value::Array(array) if !array.0.is_empty() => {
            Some(Contents::Items(std::mem::take(&mut array.0)))
        }
        Value::Document(document) if !document.0.is_empty() => {
            Some(Contents::Entries(std::mem::take(&mut document.0)))
        }
        Value::CodeWithScope(code) if !code.scope.0.is_empty() => {
            Some(Contents::Entries(std::mem::take(&mut code.scope.0)))
        }
        _ => None,
    }
}

thread_local! {
    /// Containers whose contents are being dropped on this thread's stack.
    static DROPPING: Cell<u32> = const { Cell::new(0) };
}

/// Drops by recursion while it is shallow, which is the fast way, and level by level below that.
#[inline]
fn drop_contents(contents: Contents) {
    const SHALLOW: u32 = 64;
    match DROPPING.get() {
        SHALLOW.. => drop_levels(contents),
        around => {
            DROPPING.set(around.saturating_add(1));
            drop(contents);
            DROPPING.set(around);
        }
    }
}

/// What is deep is moved to a list before its container goes.
#[cold]
fn drop_levels(first: Contents) {
    let mut waiting = vec![first];
    while let Some(mut contents) = waiting.pop() {
        let mut postpone = |value: &mut Value| waiting.extend(take_contents(value));
        match &mut contents {
            Contents::Items(items) => items.iter_mut().for_each(postpone),
            Contents::Entries(entries) => {
                entries.iter_mut().for_each(|(_, value)| postpone(value));
            }
        }
    }
}

impl Drop for Array {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Items(std::mem::take(&mut self.0)));
        }
    }
}

impl Drop for Document {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Entries(std::mem::take(&mut self.0)));
        }
    }
}

/// A container whose children are being cloned.
struct Cloning<'a> {
    left: Children<'a>,
    done: Done,
    /// The code, where the container is its scope; the container's key in the one around it.
    code: Option<&'a Str>,
    key: Option<&'a Str>,
}

enum Done {
    Items(Vec<Value>),
    Entries(Vec<(Str, Value)>),
}

impl<'a> Cloning<'a> {
    fn new(left: Children<'a>, code: Option<&'a Str>, key: Option<&'a Str>) -> Self {
        let done = match &left {
            Children::Items(items) => Done::Items(Vec::with_capacity(items.len())),
            Children::Entries(entries) => Done::Entries(Vec::with_capacity(entries.len())),
        };
        Cloning { left, done, code, key }
    }

    fn push(&mut self, key: Option<&Str>, value: Value) {
        match &mut self.done {
            Done::Items(items) => items.push(value),
            Done::Entries(entries) => entries.push((key.cloned().unwrap_or_default(), value)),
        }
    }
}

/// Clones the children of one container.
fn clone_children(children: Children<'_>) -> Done {
    let mut stack: Vec<Cloning<'_>> = Vec::new();
    let mut top = Cloning::new(children, None, None);
    loop {
        let Some((key, child)) = top.left.next_entry() else {
            // This container is complete; go on in the one around it.
            let Some(outer) = stack.pop() else { return top.done };
            let whole = std::mem::replace(&mut top, outer);
            let value = match (whole.done, whole.code) {
                (Done::Items(items), _) => Value::Array(Array(items)),
                (Done::Entries(entries), None) => Value::Document(Document(entries)),
                (Done::Entries(entries), Some(code)) => {
                    let (code, scope) = (code.clone(), Document(entries));
                    Value::CodeWithScope(Box::new(CodeWithScope { code, scope }))
                }
            };
            top.push(whole.key, value);
            continue;
        };
        match Children::of(child) {
            Some(inner) => {
                let code = match child {
                    Value::CodeWithScope(code) => Some(&code.code),
                    _ => None,
                };
                stack.push(std::mem::replace(&mut top, Cloning::new(inner, code, key)));
            }
            None => top.push(key, clone_leaf(child)),
        }
    }
}

/// A value that is not a container.
fn clone_leaf(value: &Value) -> Value {
    match value {
        Value::Bool(v) => Value::Bool(*v),
        Value::Int32(v) => Value::Int32(*v),
        Value::Int64(v) => Value::Int64(*v),
        Value::Double(v) => Value::Double(*v),
        Value::String(v) => Value::String(v.clone()),
        Value::DateTime(v) => Value::DateTime(*v),
        Value::Binary(v) => Value::Binary(v.clone()),
        Value::ObjectId(v) => Value::ObjectId(*v),
        Value::Regex(v) => Value::Regex(v.clone()),
        Value::DbPointer(v) => Value::DbPointer(v.clone()),
        Value::Code(v) => Value::Code(v.clone()),
        Value::Symbol(v) => Value::Symbol(v.clone()),
        Value::Timestamp(v) => Value::Timestamp(*v),
        Value::Decimal128(v) => Value::Decimal128(*v),
        Value::Undefined => Value::Undefined,
        Value::MinKey => Value::MinKey,
        Value::MaxKey => Value::MaxKey,
        Value::Null | Value::Document(_) | Value::Array(_) | Value::CodeWithScope(_) => Value::Null,
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match self {
            Value::Array(array) => Value::Array(array.clone()),
            Value::Document(document) => Value::Document(document.clone()),
            Value::CodeWithScope(code) => Value::CodeWithScope(code.clone()),
            leaf => clone_leaf(leaf),
        }
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        match clone_children(Children::Items(self.0.iter())) {
            Done::Items(items) => Array(items),
            Done::Entries(..) => Array::new(),
        }
    }
}

impl Clone for Document {
    fn clone(&self) -> Self {
        match clone_children(Children::Entries(self.0.iter())) {
            Done::Entries(entries) => Document(entries),
            Done::Items(_) => Document::new(),
        }
    }
}
