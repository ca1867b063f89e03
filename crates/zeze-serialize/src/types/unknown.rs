use std::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::{marker, raw};
use crate::{Result, Value};

/// The fields of a bean that the Rust struct has not: kept when it is read, and written back in
/// the order of the ids.
///
/// It is a field of the struct, with any name. In a struct whose fields are numbered by position
/// it has to be the last one; in one with ids in the names it stands anywhere before `Base`. A struct
/// without `Base` keeps the layers of a base too, which the reference drops.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::Unknown;
///
/// #[derive(Serialize, Deserialize)]
/// struct New {
///     name: String,
///     level: i32,
/// }
/// #[derive(Serialize, Deserialize)]
/// struct Old {
///     name: String,
///     unknown: Unknown,
/// }
///
/// let bytes = zeze_serialize::to_vec(&New { name: "Åsa".into(), level: 9 })?;
/// let mut old: Old = zeze_serialize::from_slice(&bytes)?;
/// old.name.push('!');
/// let bytes = zeze_serialize::to_vec(&old)?;
/// assert_eq!(zeze_serialize::from_slice::<New>(&bytes)?.level, 9);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// A bean of these fields, perhaps with a base; the bytes of an empty bean are left out.
    bytes: Vec<u8>,
}

impl Unknown {
    /// No fields.
    pub const fn new() -> Self {
        Unknown { bytes: Vec::new() }
    }

    /// Whether there are no fields, and no base.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The fields as the bytes of a bean, tags and end included; a base is part of it.
    pub fn as_bytes(&self) -> &[u8] {
        if self.bytes.is_empty() { &[crate::write::END] } else { &self.bytes }
    }

    /// The fields as a bean.
    ///
    /// # Errors
    /// More levels than [`max_depth`](crate::Options::max_depth) has by default.
    pub fn to_value(&self) -> Result<Value> {
        crate::from_slice(self.as_bytes())
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_value() {
            Ok(value) => f.debug_tuple("Unknown").field(&value).finish(),
            Err(_) => write!(f, "Unknown({} bytes)", self.bytes.len()),
        }
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        raw::as_value(marker::UNKNOWN, self.as_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for Unknown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let bytes = raw::bean_bytes(marker::UNKNOWN, deserializer)?;
        let is_empty = *bytes == [crate::write::END];
        Ok(Unknown { bytes: if is_empty { Vec::new() } else { bytes.into_owned() } })
    }
}
