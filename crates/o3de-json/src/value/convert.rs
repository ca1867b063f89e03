//! Between a [`Value`] and Rust types.

use std::sync::Arc;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::print::{self, Layout, Limits};
use super::{Value, parse};
use crate::{Options, Result};

impl Options {
    /// The document that a value is written as.
    ///
    /// # Errors
    /// As [`to_string`](Options::to_string).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let text = self.clone().pretty(false).to_string(value)?;
        parse::document(&Arc::new(text), self)
    }

    /// Reads a Rust type from a document, with all coercions.
    ///
    /// # Errors
    /// As [`from_str`](Options::from_str), without line and column: they would be those of a text
    /// that nobody has seen.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        let limits = Limits { max_depth: self.max_depth, max_output: usize::MAX };
        let mut text = String::new();
        print::value(&mut text, value, Layout::Compact, limits)?;
        self.from_str(&text).map_err(crate::Error::without_offset)
    }
}
