//! Walks through values, without recursion.

use godot_variant::Value;
use godot_variant::types::Type;
use godot_variant::value::Object;

/// The values directly inside of a value, keys too.
fn children<'v>(value: &'v Value, out: &mut Vec<&'v Value>) {
    match (value.as_array(), value.as_dictionary(), value.as_object()) {
        (Some(items), ..) => out.extend(items.iter().rev()),
        (None, Some(entries), _) => {
            out.extend(entries.iter().rev().flat_map(|(key, value)| [value, key]));
        }
        (None, None, Some(Object::Instance(instance))) => {
            out.extend(instance.properties.iter().rev().map(|(_, value)| value));
        }
        _ => {}
    }
}

/// Visits a value and all that is inside of it, each container before what it holds.
pub(crate) fn each_value<'v>(value: &'v Value, each: &mut dyn FnMut(&'v Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        each(value);
        children(value, &mut open);
    }
}

/// Replaces values, keys too: `change` returns whether what is inside of the value is to be looked at.
pub(crate) fn replace_values(value: &mut Value, change: &mut dyn FnMut(&mut Value) -> bool) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !change(value) {
            continue;
        }
        if value.as_array().is_some() {
            open.extend(value.as_array_mut().into_iter().flat_map(|items| items.iter_mut()));
        } else if let Value::Object(Object::Instance(instance)) = value {
            open.extend(instance.properties.iter_mut().map(|(_, value)| value));
        } else if let Some(entries) = value.as_dictionary_mut() {
            let is_deep =
                |key: &Value| matches!(key.kind(), Type::Object | Type::Array | Type::Dictionary);
            if entries.keys().any(is_deep) {
                // Keys in keys: as deep as values nest, which is within a small stack.
                let mut all = std::mem::take(entries).into_vec();
                all.iter_mut().for_each(|(key, _)| replace_values(key, change));
                *entries = all.into();
            }
            open.extend(entries.values_mut());
        }
    }
}

/// How deep containers nest: 0 for a value without any.
pub(crate) fn depth(value: &Value) -> usize {
    let (mut deepest, mut inner) = (0, Vec::new());
    let mut open = vec![(value, 0_usize)];
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        children(value, &mut inner);
        open.extend(inner.drain(..).map(|value| (value, depth.saturating_add(1))));
    }
    deepest
}
