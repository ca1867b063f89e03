//! Builds a [`Value`] of the parts that the decoder meets.
use std::sync::Arc;

use super::decode::{Decoder, Key, Listener, Opening};
use super::object::FieldKey;
use super::{Field, List, Object, Value};
use crate::Result;
use crate::core_object::CoreHeader;
use crate::read::{ClassHeader, Classes, Head, Reader};
use crate::schema::{Class, Kind, Property};

/// Builds the value that is decoded.
#[derive(Default)]
pub(crate) struct ValueBuilder<'s> {
    top: OpenValue<'s>,
    /// The containers around it.
    stack: Vec<OpenValue<'s>>,
}

/// A container whose values are being collected.
#[derive(Default)]
enum OpenValue<'s> {
    /// The place of the whole.
    #[default]
    Nothing,
    Whole(Value),
    Object {
        class: &'s Arc<Class>,
        core: Option<CoreHeader>,
        fields: Vec<Field>,
        /// Whose value comes next.
        key: FieldKey,
    },
    List(Vec<Value>),
}

impl ValueBuilder<'_> {
    #[cold]
    fn whole(&mut self, value: Value) {
        self.top = OpenValue::Whole(value);
    }

    /// Returns the value; null if nothing was told, as of an option that is skipped.
    pub(super) fn finish(self) -> Value {
        debug_assert!(self.stack.is_empty(), "each container is closed");
        match self.top {
            OpenValue::Whole(value) => value,
            _ => Value::Null,
        }
    }
}

impl<'s> Listener<'s> for ValueBuilder<'s> {
    const HOLDS: bool = true;

    #[inline]
    fn key(&mut self, new: Key<'s>) {
        if let OpenValue::Object { key, .. } = &mut self.top {
            *key = match new {
                Key::Property { index, kept, .. } => FieldKey::at(index, kept),
                Key::Unknown(hash) => FieldKey::unknown(hash),
                // Objects have no elements.
                Key::Element(index) => FieldKey::at(index, false),
            };
        }
    }

    // Not in debug builds, where its variables would be in each frame of the decoder's recursion.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open(&mut self, opening: Opening<'s>, room: usize) {
        let inner = match opening {
            Opening::Object(class, core) => {
                let (fields, key) = (Vec::with_capacity(room), FieldKey::default());
                OpenValue::Object { class, core, fields, key }
            }
            Opening::List => OpenValue::List(Vec::with_capacity(room)),
        };
        self.stack.push(std::mem::replace(&mut self.top, inner));
    }

    /// The container that is open is kept out of the stack, so that a value is put into it without
    /// a look at the stack.
    #[inline]
    fn close(&mut self) {
        let outer = self.stack.pop();
        debug_assert!(outer.is_some(), "a container that is closed was opened");
        let outer = outer.unwrap_or_default();
        let value = match std::mem::replace(&mut self.top, outer) {
            OpenValue::Object { class, core, fields, .. } => {
                Value::Object(Box::new(Object::with_fields(Arc::clone(class), fields, core)))
            }
            OpenValue::List(list) => Value::List(List::new(list)),
            OpenValue::Whole(value) => value,
            OpenValue::Nothing => return,
        };
        self.leaf(value);
    }

    #[inline(always)]
    fn leaf(&mut self, value: Value) {
        match &mut self.top {
            OpenValue::Object { fields, key, .. } => fields.push(key.with(value)),
            OpenValue::List(list) => list.push(value),
            _ => self.whole(value),
        }
    }
}

/// Reads a root object.
pub(crate) fn root(
    reader: &mut Reader<'_>,
    classes: Classes<'_>,
    header: Option<ClassHeader>,
) -> Result<Value> {
    let mut builder = ValueBuilder::default();
    Decoder::new(reader, classes, &mut builder).root(header)?;
    Ok(builder.finish())
}

/// Reads an object whose header was read; it began at bit `at`.
pub(crate) fn object(
    reader: &mut Reader<'_>,
    classes: Classes<'_>,
    at: usize,
    head: Head<'_>,
) -> Result<Value> {
    let mut builder = ValueBuilder::default();
    Decoder::new(reader, classes, &mut builder).object(at, head)?;
    Ok(builder.finish())
}

/// Reads the value of a property, or an element of it.
pub(crate) fn value(
    reader: &mut Reader<'_>,
    classes: Classes<'_>,
    property: &Property,
    element: Option<&Kind>,
) -> Result<Value> {
    let mut builder = ValueBuilder::default();
    let decoder = Decoder::new(reader, classes, &mut builder);
    match element {
        Some(kind) => decoder.element(property, kind)?,
        None => decoder.property(property)?,
    }
    Ok(builder.finish())
}
