//! Builds a [`Value`] of the parts that the decoder meets.
use std::sync::Arc;

use super::decode::{Decoder, Key, Listener};
use super::object::FieldKey;
use super::{Field, List, Object, Value};
use crate::Result;
use crate::core_object::CoreHeader;
use crate::read::{ClassHeader, Classes, Head, Reader};
use crate::schema::{Class, Kind, Property};
use crate::types::{ByteString, WString};

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

    /// The value; null if nothing was said.
    pub(super) fn finish(self) -> Value {
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

    #[inline]
    fn object(
        &mut self,
        class: &'s Arc<Class>,
        core: Option<CoreHeader>,
        room: impl FnOnce() -> usize,
    ) {
        let fields = Vec::with_capacity(room());
        let inner = OpenValue::Object { class, core, fields, key: FieldKey::default() };
        self.stack.push(std::mem::replace(&mut self.top, inner));
    }

    #[inline]
    fn list(&mut self, room: usize) {
        let inner = OpenValue::List(Vec::with_capacity(room));
        self.stack.push(std::mem::replace(&mut self.top, inner));
    }

    /// The container that is open is kept out of the stack, so that a value is put into it without
    /// a look at the stack.
    #[inline]
    fn end(&mut self) {
        let outer = self.stack.pop().unwrap_or_default();
        let value = match std::mem::replace(&mut self.top, outer) {
            OpenValue::Object { class, core, fields, .. } => {
                Value::Object(Box::new(Object::with_fields(Arc::clone(class), fields, core)))
            }
            OpenValue::List(list) => Value::List(List::new(list)),
            OpenValue::Whole(value) => value,
            OpenValue::Nothing => return,
        };
        self.value(value);
    }

    #[inline(always)]
    fn value(&mut self, value: Value) {
        match &mut self.top {
            OpenValue::Object { fields, key, .. } => fields.push(key.with(value)),
            OpenValue::List(list) => list.push(value),
            _ => self.whole(value),
        }
    }

    #[inline]
    fn text(&mut self, wide: bool, bytes: &[u8]) {
        self.value(match wide {
            false => Value::String(ByteString::new(bytes)),
            true => Value::WString(WString::from_le_bytes(bytes)),
        });
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
