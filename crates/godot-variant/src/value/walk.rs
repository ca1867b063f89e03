//! The values inside of a value, in order.

use std::iter;

use gamewire_core::walk::{self, Nested};

use crate::Value;
use crate::types::GString;
use crate::value::{Array, Dictionary, Instance, Object, TypedArray, TypedDictionary};

/// The values directly inside of a container.
#[derive(Clone, Copy)]
pub(crate) enum Inside<'a> {
    Items(&'a [Value]),
    Entries(&'a [(Value, Value)]),
    Properties(&'a [(GString, Value)]),
}

impl<'a> Inside<'a> {
    /// `None` for values that are not containers.
    #[inline]
    pub(crate) fn of(value: &'a Value) -> Option<Inside<'a>> {
        Some(match value {
            Value::Array(array) => Inside::Items(&array.0),
            Value::TypedArray(array) => Inside::Items(&array.items.0),
            Value::Dictionary(dictionary) => Inside::Entries(dictionary.as_slice()),
            Value::TypedDictionary(typed) => Inside::Entries(typed.entries.as_slice()),
            Value::Object(Object::Instance(instance)) => Inside::Properties(&instance.properties),
            _ => return None,
        })
    }

    /// Number of values, keys too.
    pub(crate) fn len(self) -> usize {
        match self {
            Inside::Items(all) => all.len(),
            Inside::Entries(all) => all.len().saturating_mul(2),
            Inside::Properties(all) => all.len(),
        }
    }

    /// A value; keys stand before their values.
    #[inline]
    pub(crate) fn get(self, at: usize) -> Option<&'a Value> {
        match self {
            Inside::Items(all) => all.get(at),
            Inside::Properties(all) => all.get(at).map(|(_, value)| value),
            Inside::Entries(all) => {
                all.get(at / 2).map(|(key, value)| if at.is_multiple_of(2) { key } else { value })
            }
        }
    }

    /// The name of a property.
    #[inline]
    pub(crate) fn name(self, at: usize) -> Option<&'a str> {
        let Inside::Properties(all) = self else { return None };
        all.get(at).map(|(name, _)| &**name)
    }

    /// The key of an entry, for the key and its value.
    pub(crate) fn key(self, at: usize) -> Option<&'a Value> {
        let Inside::Entries(all) = self else { return None };
        all.get(at / 2).map(|(key, _)| key)
    }
}

/// The values directly inside of a value.
pub(super) fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let inside = Inside::of(value);
    let mut at = 0_usize;
    iter::from_fn(move || {
        let child = inside?.get(at)?;
        at = at.saturating_add(1);
        Some(child)
    })
}

impl Nested for Value {
    #[inline]
    fn count(&self) -> usize {
        Inside::of(self).map_or(0, Inside::len)
    }

    #[inline]
    fn child(&self, index: usize) -> Option<&Self> {
        Inside::of(self)?.get(index)
    }

    fn rebuilt(&self, children: Vec<Self>) -> Self {
        match self {
            Value::TypedArray(array) => {
                TypedArray { element: array.element.clone(), items: Array(children) }.into()
            }
            Value::Dictionary(_) => paired(children).into(),
            Value::TypedDictionary(typed) => {
                let (key, value) = (typed.key.clone(), typed.value.clone());
                let entries = match typed.entries.is_as_read() {
                    true => Dictionary::as_read(paired(children).into_vec()),
                    false => paired(children),
                };
                TypedDictionary { key, value, entries }.into()
            }
            Value::Object(Object::Instance(instance)) => named(instance, children).into(),
            _ => Array(children).into(),
        }
    }
}

fn paired(flat: Vec<Value>) -> Dictionary {
    let mut flat = flat.into_iter();
    Dictionary::of_unique(iter::from_fn(|| flat.next().zip(flat.next())).collect())
}

fn named(original: &Instance, values: impl IntoIterator<Item = Value>) -> Instance {
    let names = original.properties.iter().map(|(name, _)| name.clone());
    Instance { class: original.class.clone(), properties: names.zip(values).collect() }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        Array(self.0.iter().map(walk::clone).collect())
    }
}

impl Clone for Dictionary {
    fn clone(&self) -> Self {
        let entries = self.iter().map(|(key, value)| (walk::clone(key), walk::clone(value)));
        match self.is_as_read() {
            true => Dictionary::as_read(entries.collect()),
            false => Dictionary::of_unique(entries.collect()),
        }
    }
}

impl Clone for Instance {
    fn clone(&self) -> Self {
        named(self, self.properties.iter().map(|(_, value)| walk::clone(value)))
    }
}
