//! The engine's rules for assigning an element of a container.

use crate::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::types::{ElementType, Real as _, StringName, Type};

impl Value {
    /// The value as this container would hold it, by the engine's rules for assigning one.
    ///
    /// | container | takes |
    /// |---|---|
    /// | Array, Dictionary | anything |
    /// | `Array[T]`, and the values of a `Dictionary[K, V]` | its type; nil for objects; int for float, if it is exact; String and StringName for each other |
    /// | packed array | the type of its elements; int for float; a number only in the range of the elements |
    ///
    /// Writing does the same with what is in typed containers. The engine's reader is more lenient: see
    /// the [table](https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#typed-containers).
    ///
    /// # Errors
    /// A value that the container does not hold, with both types; or `self` holds no elements.
    ///
    /// # Example
    /// ```
    /// use godot_variant::types::{ElementType, Type};
    /// use godot_variant::value::TypedArray;
    /// use godot_variant::Value;
    ///
    /// let element = ElementType::Builtin(Type::Float);
    /// let floats = Value::from(TypedArray { element, ..TypedArray::default() });
    /// assert_eq!(floats.accept(3.into())?, Value::Float(3.0));
    /// let error = floats.accept("text".into()).unwrap_err();
    /// assert_eq!(error.to_string(), "expected float, the type of the container, found String");
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn accept(&self, value: Value) -> Result<Value> {
        match self {
            Value::Array(_) | Value::Dictionary(_) => Ok(value),
            Value::TypedArray(typed) => assigned(&typed.element, value),
            Value::TypedDictionary(typed) => assigned(&typed.value, value),
            _ => packed(self, value),
        }
    }

    /// [`accept`](Self::accept) for the key of an entry in this dictionary.
    ///
    /// # Errors
    /// A key that the dictionary does not take, or `self` is no dictionary.
    pub fn accept_key(&self, key: Value) -> Result<Value> {
        match self {
            Value::Dictionary(_) => Ok(key),
            Value::TypedDictionary(typed) => assigned(&typed.key, key),
            _ => Err(mismatch(&"a dictionary", self.kind())),
        }
    }
}

#[cold]
pub(super) fn mismatch(expected: &dyn std::fmt::Display, found: Type) -> Error {
    Error::new(ErrorKind::Data, format!("expected {expected}, found {found}"))
}

fn assigned(declared: &ElementType, value: Value) -> Result<Value> {
    let made = converted(declared, &value)?;
    Ok(made.unwrap_or(value))
}

/// The value as a container with elements of this type holds it; `None` is as it is.
pub(super) fn converted(declared: &ElementType, value: &Value) -> Result<Option<Value>> {
    let Some(kind) = declared.builtin().filter(|kind| *kind != Type::Nil) else {
        return Ok(None);
    };
    match (kind, value) {
        (Type::Object, Value::Nil) => Ok(None),
        (kind, _) if kind == value.kind() => Ok(None),
        (Type::Float, Value::Int(_)) => match value.as_f64() {
            Some(float) => Ok(Some(Value::Float(float))),
            None => Err(Error::new(
                ErrorKind::NumberRange,
                format!("expected a number that a float holds exactly, found {value:?}"),
            )),
        },
        (Type::String, Value::StringName(name)) => Ok(Some(Value::String(name.0.clone()))),
        (Type::StringName, Value::String(text)) => {
            Ok(Some(Value::StringName(StringName(text.clone()))))
        }
        _ => Err(mismatch(&format_args!("{declared}, the type of the container"), value.kind())),
    }
}

/// The value as an element of a packed array.
fn packed(container: &Value, value: Value) -> Result<Value> {
    let kind = container.kind();
    let integers = match kind {
        Type::PackedByteArray => Some((0, i64::from(u8::MAX))),
        Type::PackedInt32Array => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        _ => None,
    };
    let element = match kind {
        Type::PackedByteArray | Type::PackedInt32Array | Type::PackedInt64Array => Type::Int,
        Type::PackedFloat32Array | Type::PackedFloat64Array => Type::Float,
        Type::PackedStringArray => Type::String,
        kind => kind.element().ok_or_else(|| mismatch(&"a container", kind))?,
    };
    let value = assigned(&ElementType::Builtin(element), value)?;
    let fits = match (&value, integers) {
        (Value::Int(number), Some((least, most))) => (least..=most).contains(number),
        (Value::Float(number), _) if kind == Type::PackedFloat32Array => {
            !number.is_finite() || f32::from_f64(*number).is_finite()
        }
        _ => true,
    };
    if fits {
        return Ok(value);
    }
    let text = format!("expected a number in the range of {kind}, found {value:?}");
    Err(Error::new(ErrorKind::NumberRange, text))
}
