//! Losses: values that another form cannot hold.

use std::fmt;

use gamewire_core::Path;
use godot_variant::types::ElementType;
use godot_variant::{Spelling, Value, text};

use super::each_value;
use crate::Options;

/// A file in another form.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted<T> {
    /// The file.
    pub file: T,
    /// The values that it does not hold.
    pub losses: Vec<Loss>,
}

/// Something that another form does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where it is: the path of a node or the id of a resource, then the property.
    pub path: Path,
    /// The loss, in a sentence.
    pub message: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Collects losses, with the place that is being written.
#[derive(Default)]
pub(super) struct Losses {
    pub(super) all: Vec<Loss>,
    place: String,
}

impl Losses {
    /// The values that come next belong to a node or resource.
    pub(super) fn at(&mut self, place: impl ToString) {
        self.place = place.to_string();
    }

    pub(super) fn push(&mut self, property: &str, message: impl Into<String>) {
        let steps = [property, &*self.place];
        let steps = steps.into_iter().filter(|step| !step.is_empty()).map(Into::into);
        self.all.push(Loss { path: Path::from_innermost(steps), message: message.into() });
    }

    /// Notes the part of a value that the binary form does not keep.
    pub(super) fn in_binary(&mut self, property: &str, value: &Value) {
        let mut has_types = false;
        each_value(value, &mut |value| {
            has_types |= match value {
                Value::TypedArray(array) => array.element != ElementType::Any,
                Value::TypedDictionary(_) => true,
                _ => false,
            };
        });
        if has_types {
            self.push(
                property,
                "the binary form does not keep the types of arrays and dictionaries",
            );
        }
    }

    /// Notes the part of a value that text does not keep.
    pub(super) fn in_text(&mut self, property: &str, value: &Value, spelling: Spelling) {
        let options = Options::new().values().spelling(spelling);
        let (mut digits, mut others) = (0_usize, 0_usize);
        each_value(value, &mut |value| {
            let is_leaf = value.as_array().is_none() && value.as_dictionary().is_none();
            let plain =
                matches!(value, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Object(_));
            if !is_leaf || plain {
                return;
            }
            let written = text::value_to_string(value, &options);
            let read = written.and_then(|text| text::value_from_str(&text, &options));
            // A value that cannot be written is an error of its own.
            let Ok(read) = read else { return };
            if read == *value {
                return;
            }
            let is_number = matches!(value, Value::Float(_)) || value.to_numbers().is_some();
            let count = if is_number { &mut digits } else { &mut others };
            *count = count.saturating_add(1);
        });
        if digits > 0 {
            let what = if digits == 1 { "a value is" } else { "values are" };
            self.push(
                property,
                format!("{what} spelled with digits that are read as other floats"),
            );
        }
        if others > 0 {
            self.push(property, "text is read as another value");
        }
    }
}
