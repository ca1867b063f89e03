//! Going through nested values without recursion, so that depth costs heap and never stack.

use alloc::vec::Vec;

use crate::Value;
use crate::types::GString;
use crate::value::{Array, Dictionary, Instance, Object, TypedArray, TypedDictionary};

#[cfg(feature = "std")]
mod levels;

/// The values directly inside a container, in order; keys before their values.
#[derive(Clone, Copy)]
pub(super) struct Children<'a> {
    all: Inside<'a>,
    /// How many of them were returned.
    begun: usize,
}

/// What is directly inside a container.
#[derive(Clone, Copy)]
pub(crate) enum Inside<'a> {
    Items(&'a [Value]),
    Entries(&'a [(Value, Value)]),
    Properties(&'a [(GString, Value)]),
}

impl<'a> Children<'a> {
    /// `None` for values that are not containers.
    pub(super) fn of(value: &'a Value) -> Option<Children<'a>> {
        Some(Children::new(match value {
            Value::Array(array) => Inside::Items(&array.0),
            Value::TypedArray(array) => Inside::Items(&array.items.0),
            Value::Dictionary(dictionary) => Inside::Entries(dictionary.as_slice()),
            Value::TypedDictionary(typed) => Inside::Entries(typed.entries.as_slice()),
            Value::Object(Object::Instance(instance)) => Inside::Properties(&instance.properties),
            _ => return None,
        }))
    }

    pub(super) fn new(all: Inside<'a>) -> Self {
        Children { all, begun: 0 }
    }

    /// What the child is that was returned last.
    pub(super) fn place(&self) -> Place<'a> {
        let last = self.begun.saturating_sub(1);
        let place = match self.all {
            Inside::Items(_) => None,
            Inside::Properties(_) => self.property().map(Place::Property),
            Inside::Entries(all) => all.get(last / 2).map(|(key, _)| match last % 2 {
                0 => Place::Key(key),
                _ => Place::Entry(key),
            }),
        };
        place.unwrap_or(Place::Index(last))
    }

    /// The name of the property that was returned last.
    #[inline]
    pub(super) fn property(&self) -> Option<&'a str> {
        let Inside::Properties(all) = self.all else { return None };
        all.get(self.begun.saturating_sub(1)).map(|(name, _)| &**name)
    }

    /// What stands around them in the manner of GDScript.
    pub(super) fn brackets(&self) -> (&'static str, &'static str) {
        match self.all {
            Inside::Items(_) => ("[", "]"),
            Inside::Entries(_) => ("{", "}"),
            Inside::Properties(_) => ("(", ")"),
        }
    }

    /// Number of values, keys too.
    fn len(&self) -> usize {
        match self.all {
            Inside::Items(all) => all.len(),
            Inside::Entries(all) => all.len().saturating_mul(2),
            Inside::Properties(all) => all.len(),
        }
    }
}

/// Where a value stands in its container.
pub(super) enum Place<'a> {
    Index(usize),
    Key(&'a Value),
    /// The value of this key.
    Entry(&'a Value),
    Property(&'a str),
}

impl<'a> Iterator for Children<'a> {
    type Item = &'a Value;
    #[inline]
    fn next(&mut self) -> Option<&'a Value> {
        let at = self.begun;
        let child = match self.all {
            Inside::Items(all) => all.get(at),
            Inside::Properties(all) => all.get(at).map(|(_, value)| value),
            Inside::Entries(all) => {
                all.get(at / 2).map(|(key, value)| if at.is_multiple_of(2) { key } else { value })
            }
        };
        self.begun = at.saturating_add(usize::from(child.is_some()));
        child
    }
}

/// Whether the value contains a value.
fn is_filled(value: &Value) -> bool {
    Children::of(value).is_some_and(|children| children.len() > 0)
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
        Value::Array(array) => Contents::Items(core::mem::take(&mut array.0)),
        Value::TypedArray(array) => Contents::Items(core::mem::take(&mut array.items.0)),
        Value::Dictionary(dictionary) => Contents::Entries(dictionary.take_entries()),
        Value::TypedDictionary(typed) => Contents::Entries(typed.entries.take_entries()),
        Value::Object(Object::Instance(instance)) => {
            Contents::Properties(core::mem::take(&mut instance.properties))
        }
        _ => return None,
    })
}

/// Drops by recursion while it is shallow, and level by level below that.
#[cfg(feature = "std")]
#[inline]
fn drop_contents(contents: Contents) {
    if let Err(contents) = levels::by_recursion(&levels::DROPPING, contents, drop) {
        drop_levels(contents);
    }
}

/// Without threads' own counters, no depth is known to be shallow.
#[cfg(not(feature = "std"))]
fn drop_contents(contents: Contents) {
    drop_levels(contents);
}

/// What is deep is moved to a list before its container goes.
#[cold]
fn drop_levels(first: Contents) {
    let mut waiting = Vec::new();
    let mut next = Some(first);
    while let Some(mut contents) = next {
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
        next = waiting.pop();
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            drop_contents(Contents::Items(core::mem::take(&mut self.0)));
        }
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        if !self.is_empty() {
            drop_contents(Contents::Entries(self.take_entries()));
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.properties.is_empty() {
            drop_contents(Contents::Properties(core::mem::take(&mut self.properties)));
        }
    }
}

/// A container whose children are being cloned.
struct Cloning<'a> {
    original: &'a Value,
    left: Children<'a>,
    done: Vec<Value>,
}

/// Clones the children of one container. The derived `Clone` of a [`Value`] comes here for those in
/// it, and clones values without children itself.
fn clone_children(mut left: Children<'_>) -> Vec<Value> {
    let mut stack: Vec<Cloning<'_>> = Vec::new();
    let mut done: Vec<Value> = Vec::with_capacity(left.len());
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
                    left: core::mem::replace(&mut left, inner),
                    done: core::mem::take(&mut done),
                });
            }
            _ => done.push(child.clone()),
        }
    }
}

/// A container like `original` with other children.
fn rebuilt(original: &Value, children: Vec<Value>) -> Value {
    match original {
        Value::TypedArray(array) => {
            TypedArray { element: array.element.clone(), items: Array(children) }.into()
        }
        Value::Dictionary(_) => paired(children).into(),
        Value::TypedDictionary(typed) => {
            let (key, value) = (typed.key.clone(), typed.value.clone());
            TypedDictionary { key, value, entries: paired(children) }.into()
        }
        Value::Object(Object::Instance(instance)) => named(instance, children).into(),
        _ => Array(children).into(),
    }
}

fn paired(flat: Vec<Value>) -> Dictionary {
    let mut flat = flat.into_iter();
    Dictionary::of_unique(core::iter::from_fn(|| flat.next().zip(flat.next())).collect())
}

fn named(original: &Instance, values: Vec<Value>) -> Instance {
    let names = original.properties.iter().map(|(name, _)| name.clone());
    Instance { class: original.class.clone(), properties: names.zip(values).collect() }
}

/// Clones by recursion while it is shallow, and level by level below that.
#[cfg(feature = "std")]
#[inline]
fn cloned<T>(by_recursion: impl FnOnce() -> T, by_levels: impl FnOnce() -> T) -> T {
    match levels::by_recursion(&levels::CLONING, (), |()| by_recursion()) {
        Ok(made) => made,
        Err(()) => by_levels(),
    }
}

#[cfg(not(feature = "std"))]
fn cloned<T>(_: impl FnOnce() -> T, by_levels: impl FnOnce() -> T) -> T {
    by_levels()
}

impl Clone for Array {
    fn clone(&self) -> Self {
        let children = || clone_children(Children::new(Inside::Items(&self.0)));
        Array(cloned(|| self.0.clone(), children))
    }
}

impl Clone for Dictionary {
    fn clone(&self) -> Self {
        cloned(
            || Dictionary::of_unique(self.as_slice().to_vec()),
            || paired(clone_children(Children::new(Inside::Entries(self.as_slice())))),
        )
    }
}

impl Clone for Instance {
    fn clone(&self) -> Self {
        let children = || clone_children(Children::new(Inside::Properties(&self.properties)));
        cloned(
            || Instance { class: self.class.clone(), properties: self.properties.clone() },
            || named(self, children()),
        )
    }
}
