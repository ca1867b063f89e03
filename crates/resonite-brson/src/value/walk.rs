//! Going through nested values without recursion, so that depth costs heap and never stack.

use std::cell::Cell;
use std::slice;

use super::build::Builder;
use super::decode::{Contents as Opening, Listener, Opened, Place};
use super::{Array, Document, Key};
use crate::Value;

/// The values directly inside a container, in order.
#[derive(Clone)]
pub(crate) enum Children<'a> {
    Items(slice::Iter<'a, Value>),
    Entries(slice::Iter<'a, (Key, Value)>),
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

    fn len(&self) -> usize {
        match self {
            Children::Items(items) => items.len(),
            Children::Entries(entries) => entries.len(),
        }
    }

    /// The next one with its key, if it has one.
    #[inline]
    pub(crate) fn next_entry(&mut self) -> Option<(Option<&'a Key>, &'a Value)> {
        match self {
            Children::Items(items) => items.next().map(|value| (None, value)),
            Children::Entries(entries) => entries.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

/// What a container holds, taken out of it.
enum Contents {
    Items(Vec<Value>),
    Entries(Vec<(Key, Value)>),
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
    /// Containers that are being dropped or cloned on this thread's stack.
    static OPEN: Cell<u32> = const { Cell::new(0) };
}

/// Runs what recurses, which is the fast way while it is shallow; `None` where it is not.
#[inline]
fn shallow<R>(run: impl FnOnce() -> R) -> Option<R> {
    const SHALLOW: u32 = 64;
    let around = OPEN.get();
    if around >= SHALLOW {
        return None;
    }
    OPEN.set(around.saturating_add(1));
    let result = run();
    OPEN.set(around);
    Some(result)
}

/// Drops by recursion while it is shallow, and level by level below that.
#[inline]
fn drop_contents(contents: Contents) {
    let mut contents = Some(contents);
    if shallow(|| drop(contents.take())).is_none() {
        drop_levels(contents);
    }
}

/// What is deep is moved to a list before its container goes.
#[cold]
fn drop_levels(first: Option<Contents>) {
    let mut waiting = Vec::from_iter(first);
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

/// Clones a container that is deep: the builder hears of it what a decoder would tell.
#[cold]
fn clone_levels<'a>(first: Opening<'a>, children: Children<'a>) -> Value {
    let mut builder = Builder::default();
    let opened = |contents, children: &Children<'_>| Opened {
        contents,
        at: 0,
        len: 0,
        count: Some(children.len()),
    };
    let open = builder.open(Place::Root, opened(first, &children));
    // Of code, both the code and its scope end with the children.
    let mut stack = vec![(children, Place::Root, open, None)];
    while let Some((children, ..)) = stack.last_mut() {
        let Some((key, value)) = children.next_entry() else {
            if let Some((_, place, open, scope)) = stack.pop() {
                if let Some(scope) = scope {
                    builder.close(Place::Scope, scope, 0);
                }
                builder.close(place, open, 0);
            }
            continue;
        };
        let place = key.map_or(Place::Item(0), |key| Place::Entry(key.utf8()));
        let Some(inner) = Children::of(value) else {
            builder.leaf(place, value.clone(), 0..0);
            continue;
        };
        let (contents, is_code) = match value {
            Value::Array(_) => (Opening::Items, false),
            Value::CodeWithScope(code) => (Opening::Code(&code.code), true),
            _ => (Opening::Entries, false),
        };
        let open = builder.open(place, opened(contents, &inner));
        let scope = opened(Opening::Entries, &inner);
        let scope = is_code.then(|| builder.open(Place::Scope, scope));
        stack.push((inner, place, open, scope));
    }
    builder.root
}

impl Clone for Array {
    fn clone(&self) -> Self {
        shallow(|| Array(self.0.clone())).unwrap_or_else(|| {
            match clone_levels(Opening::Items, Children::Items(self.0.iter())) {
                Value::Array(array) => array,
                _ => Array::new(),
            }
        })
    }
}

impl Clone for Document {
    fn clone(&self) -> Self {
        shallow(|| Document(self.0.clone())).unwrap_or_else(|| {
            let children = Children::Entries(self.0.iter());
            super::build::into_document(clone_levels(Opening::Entries, children))
        })
    }
}
