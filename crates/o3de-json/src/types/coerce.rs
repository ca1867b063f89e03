//! For `#[serde(with = "o3de_json::types::coerce")]`: a field that is read by the engine's rules inside of
//! serde's buffers too.
//!
//! Types with `flatten`, and internally tagged and untagged enums, keep what they read in a buffer
//! that shows no types. This takes the value out of it whole, and reads the field from that: with all
//! coercions, `{}` for a default, names in any case, `$type`. Other formats that people read are read
//! by these rules too; elsewhere nothing changes.
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Debug, PartialEq, Deserialize)]
//! #[serde(untagged)]
//! enum Size {
//!     Same { #[serde(with = "o3de_json::types::coerce")] side: f32 },
//!     #[serde(rename_all = "camelCase")]
//!     Each { #[serde(with = "o3de_json::types::coerce")] all_sides: [f32; 3] },
//! }
//!
//! let sizes: Vec<Size> =
//!     o3de_json::from_str(r#"[{"side": "1.5"}, {"allSides": [1, "2", {}]}]"#)?;
//! assert_eq!(sizes, [Size::Same { side: 1.5 }, Size::Each { all_sides: [1.0, 2.0, 0.0] }]);
//! # Ok::<(), o3de_json::Error>(())
//! ```

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde_core::{Deserialize as _, Serialize, Serializer};

use super::handoff;
use crate::Value;

/// Writes the value as it is.
///
/// # Errors
/// As the serializer.
pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

/// Reads the value, from a buffer of serde's by the engine's rules.
///
/// # Errors
/// As the deserializer, or a value that does not fit by these rules.
pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(handoff::COERCE, CoerceVisitor(PhantomData))
}

struct CoerceVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for CoerceVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    /// Another deserializer than this crate's, as a buffer of serde's is.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        if !deserializer.is_human_readable() {
            return T::deserialize(deserializer);
        }
        let value = Value::deserialize(deserializer)?;
        crate::from_value(&value).map_err(D::Error::custom)
    }

    /// This crate's, which has the rules.
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}
