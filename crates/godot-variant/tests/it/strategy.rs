//! Values for proptest, out of random bytes.

pub(crate) mod random;
mod reads;

use arbitrary::Unstructured;
use godot_variant::Value;
use godot_variant::types::ObjectId;
use godot_variant::types::{ElementType, Type};
use godot_variant::value::{Dictionary, Object, TypedArray, TypedDictionary};
use proptest::collection::vec;
use proptest::prelude::*;

/// Values of up to 6 levels that are read back as they were written, with whole objects allowed.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    vec(any::<u8>(), 0..1000)
        .prop_map(|bytes| random::value(&mut Unstructured::new(&bytes)).unwrap())
}

/// The same with ids instead of the objects.
pub(crate) fn by_id(value: Value) -> Value {
    let items = |items: Vec<Value>| items.into_iter().map(by_id).collect();
    let entries = |entries: Dictionary| -> Dictionary {
        entries.into_iter().map(|(key, value)| (by_id(key), by_id(value))).collect()
    };
    let element = |element: ElementType| match element.builtin() {
        Some(Type::Object) => ElementType::Class(ElementType::ENCODED_OBJECT_AS_ID.into()),
        _ => element,
    };
    match value {
        Value::Object(Object::Instance(instance)) => {
            ObjectId(instance.properties.len() as u64 + (1 << 63)).into()
        }
        Value::Array(array) => Value::Array(items(array.into_vec())),
        Value::Dictionary(own) => Value::Dictionary(entries(own)),
        Value::TypedArray(typed) => {
            let TypedArray { element: kind, items: own } = *typed;
            TypedArray { element: element(kind), items: items(own.into_vec()) }.into()
        }
        Value::TypedDictionary(typed) => {
            let TypedDictionary { key, value, entries: own } = *typed;
            let (key, value) = (element(key), element(value));
            TypedDictionary { key, value, entries: entries(own) }.into()
        }
        other => other,
    }
}
