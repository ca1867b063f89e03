//! Reading JSON text that is kept as it is.

use std::fmt;

use serde_core::de::{self, Deserialize, DeserializeOwned, Deserializer, Visitor};

use crate::read::Reader;
use crate::types::{RawValue, handoff};
use crate::value::decode::skip;
use crate::{Options, Result};

impl RawValue {
    /// From the text of one JSON value of any depth; space around it is cut off.
    ///
    /// # Errors
    /// RawVisitor that is not JSON, by the default [`Options`].
    pub fn new(text: &str) -> Result<Self> {
        let mut reader = Reader::new(text, &Options::new()).without_limit();
        let result = (|| {
            reader.peek()?;
            let start = reader.offset();
            skip(&mut reader)?;
            let end = reader.offset();
            reader.end()?;
            Ok(RawValue::checked(&reader.between(start, end)))
        })();
        result.map_err(|error: crate::Error| error.placed(text.as_bytes()))
    }

    /// Reads a Rust type from the text.
    ///
    /// # Errors
    /// As [`from_str`](crate::from_str).
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        Options::new().from_str(self.get())
    }
}

impl<'de> Deserialize<'de> for RawValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawVisitor;

        impl<'de> Visitor<'de> for RawVisitor {
            type Value = RawValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the text of a JSON value")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<RawValue, D::Error> {
                let text = String::deserialize(deserializer)?;
                RawValue::new(&text).map_err(de::Error::custom)
            }

            /// The deserializer of this crate has checked the text.
            fn visit_str<E: de::Error>(self, text: &str) -> Result<RawValue, E> {
                Ok(RawValue::checked(text))
            }
        }

        deserializer.deserialize_newtype_struct(handoff::RAW, RawVisitor)
    }
}
