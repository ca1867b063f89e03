//! [`Value`]: any document, without a Rust type for it; and what can be done to documents.

mod build;
mod compare;
mod container;
mod debug;
pub(crate) mod decode;
mod document;
mod encode;
mod folder;
mod from;
mod index;
mod indexed;
mod locate;
mod merge;
mod number;
mod patch;
mod pointer;
mod serde;
mod steps;
mod text;
mod walk;

pub use compare::Names;
pub use container::{Array, Object};
pub use document::{Anchor, Comment, Document, NewComment, TextToken};
pub use folder::{Folder, Importer, normal_path};
pub use index::ValueIndex;
pub use indexed::Indexed;
pub use number::Number;
pub use pointer::{Pointer, Token, append_pointer};
pub use steps::{Step, count_values};
pub use text::Text;

pub(crate) use build::document as from_text;
pub(crate) use build::inside as read_inside;
pub(crate) use encode::compact as to_compact;
pub(crate) use locate::{Locator, located};
pub(crate) use serde::{append_raw, as_text, hand_over, of_map};

/// Any JSON value of the engine.
///
/// Nothing of the data is lost: members keep their order and their duplicates, numbers their
/// spelling. A [`Document`] keeps comments and indentation too.
///
/// Two values are equal when they would be written as the same characters: order of members,
/// duplicates and the spelling of numbers count. [`Value::same`] compares by meaning.
///
/// ```
/// use o3de_json::Value;
///
/// let mut value: Value = o3de_json::from_str(r#"{"Name": "Lamp", "Id": 10641544592923449938, "Scale": 1.50}"#)?;
/// assert_eq!(value["Name"], "Lamp");
/// assert_eq!(value["Id"].as_u64(), Some(10641544592923449938));
/// *value.pointer_mut("/Name").unwrap() = Value::from("Torch");
/// assert_eq!(o3de_json::to_string(&value)?, r#"{"Name":"Torch","Id":10641544592923449938,"Scale":1.50}"#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, in its spelling.
    Number(Number),
    /// A string.
    String(Text),
    /// The elements of an array.
    Array(Array),
    /// The members of an object.
    Object(Object),
}

/// Methods that return the content of one variant.
macro_rules! parts {
    ($($(#[$meta:meta])* pub fn $name:ident($self:ident: $own:ty) -> $part:ty: $variant:ident;)+) => {$(
        $(#[$meta])*
        pub fn $name($self: $own) -> Option<$part> {
            match $self {
                Value::$variant(part) => Some(part),
                _ => None,
            }
        }
    )+};
}

impl Value {
    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    parts! {
        /// The number.
        pub fn as_number(self: &Self) -> &Number: Number;
        /// The elements of an array.
        pub fn as_array(self: &Self) -> &Array: Array;
        /// The elements of an array, to change.
        pub fn as_array_mut(self: &mut Self) -> &mut Array: Array;
        /// The members of an object.
        pub fn as_object(self: &Self) -> &Object: Object;
        /// The members of an object, to change.
        pub fn as_object_mut(self: &mut Self) -> &mut Object: Object;
    }

    /// The bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer of an integer node in the range of `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The integer of an integer node in the range of `u64`.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// The number, rounded to the nearest double where it has more digits.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(Number::as_f64)
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Takes the value out and leaves null.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }

    /// The name of its kind, for messages: `an object`.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}
