//! Any encoded value without a schema: ids, wire types and order as they are in the bytes.
//!
//! ```
//! use zeze_serialize::Value;
//!
//! // A bean with the field 1, an integer, and the field 3, a list of two strings.
//! let bytes = [0x10, 0x07, 0x24, 0x23, 1, b'a', 1, b'b', 0x00];
//! let mut value: Value = zeze_serialize::from_slice(&bytes)?;
//! assert_eq!(value.pointer("/1"), Some(&Value::Int(7)));
//! assert_eq!(value[3][1].as_str(), Some("b"));
//! assert_eq!(zeze_serialize::to_vec(&value)?, bytes);
//!
//! let json = serde_json::to_string(&value).unwrap();
//! assert_eq!(json, r#"{"1:int":7,"3:list":{"string":["a","b"]}}"#);
//! assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
//! # Ok::<(), zeze_serialize::Error>(())
//! ```

mod access;
mod bean;
pub(crate) mod build;
mod debug;
pub(crate) mod decode;
mod echo;
mod encode;
mod from;
mod list;
mod serde;
mod tree;

pub use bean::{Bean, Dynamic};
pub use list::{List, Map};

#[cfg(feature = "explain")]
pub(crate) use build::short_key;
pub(crate) use build::{decode, key_segment};
pub(crate) use encode::encode;

use crate::Result;
use crate::kind::Kind;
use crate::options::Options;
use crate::types::{Vector2, Vector3, Vector4};

/// Any value of the format.
///
/// Two values are equal if they are written the same: floats are compared by their bits.
///
/// Values nest as deep as [`max_depth`](Options::max_depth) allows. They are read, copied and printed
/// without recursion; writing, comparing and dropping recurse.
///
/// In text formats such as JSON it has a [notation](crate::json) without loss. In this crate's own
/// format it is what it stands for; in other binary formats it is its wire type and its bytes.
#[derive(Clone)]
pub enum Value {
    /// A signed integer of any width, or a bool.
    Int(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// Text or bytes: the format does not tell them apart.
    Bytes(Vec<u8>),
    /// A list or set.
    List(List),
    /// A map.
    Map(Map),
    /// A bean.
    Bean(Bean),
    /// A dynamic bean.
    Dynamic(Box<Dynamic>),
    /// Two floats.
    Vector2(Vector2),
    /// Two integers.
    Vector2Int([i64; 2]),
    /// Three floats.
    Vector3(Vector3),
    /// Three integers.
    Vector3Int([i64; 3]),
    /// Four floats, or a quaternion.
    Vector4(Vector4),
}

impl Value {
    /// The wire type.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Int(_) => Kind::Int,
            Value::Float(_) => Kind::Float,
            Value::Double(_) => Kind::Double,
            Value::Bytes(_) => Kind::Bytes,
            Value::List(_) => Kind::List,
            Value::Map(_) => Kind::Map,
            Value::Bean(_) => Kind::Bean,
            Value::Dynamic(_) => Kind::Dynamic,
            Value::Vector2(_) => Kind::Vector2,
            Value::Vector2Int(_) => Kind::Vector2Int,
            Value::Vector3(_) => Kind::Vector3,
            Value::Vector3Int(_) => Kind::Vector3Int,
            Value::Vector4(_) => Kind::Vector4,
        }
    }

    /// Reads a value of a wire type, without a tag before it. Returns the bytes after it, too.
    ///
    /// At the root of an input there is a bean; this reads any other part as well.
    ///
    /// # Errors
    /// Malformed input or a limit.
    pub fn take_from_slice<'a>(
        bytes: &'a [u8],
        kind: Kind,
        options: &Options,
    ) -> Result<(Value, &'a [u8])> {
        let mut decoder = decode::Decoder::new(bytes, *options);
        let value = decode(&mut decoder, kind, 0, &mut options.limits.memory(bytes.len()))?;
        Ok((value, decoder.rest()))
    }

    /// Writes the value without a tag before it: `to_vec` with nothing around.
    ///
    /// # Errors
    /// Elements of another wire type than their list has, ids that do not ascend, or a limit.
    pub fn to_vec(&self, options: &Options) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        encode(self, 0, &mut bytes, options)?;
        Ok(bytes)
    }

    /// Returns the value, and leaves the integer 0 in its place.
    #[must_use]
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}

/// The integer 0: what an absent field is.
impl Default for Value {
    fn default() -> Self {
        Value::Int(0)
    }
}
