//! [`Value`]: any BSON, without a Rust type for it.

mod access;
mod array;
mod build;
pub(crate) mod decode;
mod diff;
mod document;
mod encode;
mod from;
mod in_place;
mod keys;
mod serde;
mod validate;
mod walk;

pub use access::ValueIndex;
pub use array::Array;
pub use diff::{Change, diff};
pub use document::{Document, Key};

pub(crate) use build::decode;
pub(crate) use decode::skip;
pub(crate) use encode::encode;
pub(crate) use keys::Keys;
pub(crate) use validate::validate;
#[doc(hidden)]
pub use walk::Children;

use crate::error::Result;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
use crate::text::Str;
use crate::types::{Binary, DateTime, Int, Other, Url};
use crate::write::Writer;

/// Any value of a tree.
///
/// A value that was read is written back byte for byte: order, widths of integers and bit patterns of floats
/// are kept. Two things are not, because the engine skips them: a bool that is neither 0 nor 1 is
/// written as 1, and the keys of an array as its indices. [`Options::strict`](crate::Options::strict)
/// refuses both, so what it reads is always written back the same.
///
/// Two values are equal when they would be written as the same bytes, so NaN equals itself, `0.0`
/// is not `-0.0`, and an int32 is not the int64 of the same number.
///
/// ```
/// use resonite_brson::{Container, Options, Value, value::Document};
///
/// let mut slot = Document::new();
/// slot.insert("Name", "Åsa");
/// slot.insert("OrderOffset", 5_i64);
/// let value = Value::from(slot);
/// let bytes = Options::new().container(Container::BSON).to_vec(&value)?;
/// assert_eq!(resonite_brson::from_slice::<Value>(&bytes)?, value);
/// assert_eq!(value["Name"], "Åsa");
/// assert_eq!(format!("{value:?}"), r#"{"Name": "Åsa", "OrderOffset": 5i64}"#);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Value {
    /// Null, of any type of the engine.
    #[default]
    Null,
    /// A bool.
    Bool(bool),
    /// A 32-bit integer: the engine's `int` and smaller, and `uint` wrapped.
    Int32(i32),
    /// A 64-bit integer: `long`, `ulong` wrapped, and any integer of a tree that was saved again.
    Int64(i64),
    /// A 64-bit float: `float` and `double`.
    Double(f64),
    /// Text, an enum, an identifier, an address after `@`.
    String(Str),
    /// Keys and values in order.
    Document(Document),
    /// A list.
    Array(Array),
    /// A point in time.
    DateTime(DateTime),
    /// Bytes. The engine drops them.
    Binary(Box<Binary>),
    /// Of a type that no engine writes.
    Other(Other),
}

macro_rules! accessors {
    ($($(#[$doc:meta])+ $name:ident -> $type:ty: $kind:ident($value:ident) => $made:expr;)+) => {
        impl Value {$(
            $(#[$doc])+
            pub fn $name(&self) -> Option<$type> {
                if let Value::$kind($value) = self { Some($made) } else { None }
            }
        )+}
    };
}

accessors! {
    /// The bool.
    as_bool -> bool: Bool(value) => *value;
    /// The string as it is stored.
    as_str -> &str: String(text) => text;
    /// The bytes of binary data.
    as_bytes -> &[u8]: Binary(binary) => &binary.bytes;
    /// The point in time.
    as_datetime -> DateTime: DateTime(time) => *time;
    /// The elements of an array.
    as_array -> &Array: Array(array) => array;
    /// The entries of a document.
    as_document -> &Document: Document(document) => document;
}

impl Value {
    /// The BSON type.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Int32(_) => Kind::Int32,
            Value::Int64(_) => Kind::Int64,
            Value::Double(_) => Kind::Double,
            Value::String(_) => Kind::String,
            Value::Document(_) => Kind::Document,
            Value::Array(_) => Kind::Array,
            Value::DateTime(_) => Kind::DateTime,
            Value::Binary(_) => Kind::Binary,
            Value::Other(other) => other.kind(),
        }
    }

    /// Reads a value of a type, without its type and key before it. Returns the bytes after it, too.
    ///
    /// # Errors
    /// Malformed BSON or a limit.
    ///
    /// # Example
    /// ```
    /// use resonite_brson::{Kind, Options, Value};
    ///
    /// let options = Options::new();
    /// let (value, rest) = Value::take_from_slice(&[7, 0, 0, 0, 1], Kind::Int32, &options)?;
    /// assert_eq!((&value, rest), (&Value::Int32(7), &[1][..]));
    /// assert_eq!(value.to_vec(&options)?, [7, 0, 0, 0]);
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn take_from_slice<'a>(
        bytes: &'a [u8],
        kind: Kind,
        options: &Options,
    ) -> Result<(Value, &'a [u8])> {
        let mut reader = Reader::new(bytes, *options);
        let value = decode(&mut reader, kind).map_err(|error| error.or_at(0))?;
        Ok((value, reader.rest()))
    }

    /// Writes the value without its type and key before it.
    ///
    /// # Errors
    /// A key with NUL in it or twice in one document, or a limit.
    pub fn to_vec(&self, options: &Options) -> Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new(), *options);
        // Only an element can have any type.
        writer.key("")?;
        encode(&mut writer, self)?;
        Ok(writer.out.split_off(2))
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The integer of either width.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_int().map(Int::get)
    }

    /// The integer of either width, if it is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_i64().and_then(|value| u64::try_from(value).ok())
    }

    /// The integer with its width.
    pub fn as_int(&self) -> Option<Int> {
        match self {
            Value::Int32(value) => Some(Int::I32(*value)),
            Value::Int64(value) => Some(Int::I64(*value)),
            _ => None,
        }
    }

    /// The double, or the integer if a double holds it exactly.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "checked to be exact"
    )]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Double(value) => Some(*value),
            other => {
                let value = other.as_i64()?;
                let float = value as f64;
                (float as i128 == i128::from(value)).then_some(float)
            }
        }
    }

    /// The address that a string stands for, without its `@`; see [`Url`].
    pub fn as_url(&self) -> Option<&str> {
        self.as_str().and_then(Url::of_stored)
    }

    /// The elements of an array, to change.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The entries of a document, to change.
    pub fn as_document_mut(&mut self) -> Option<&mut Document> {
        match self {
            Value::Document(document) => Some(document),
            _ => None,
        }
    }

    /// Takes the value out and leaves null.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}
