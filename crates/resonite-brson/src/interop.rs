//! The `bson` crate's types. They go by way of bytes, which both crates agree about.

use crate::container::Container;
use crate::error::{Error, Result};
use crate::value::Document;
use crate::{Options, Value};

/// How deep values may be: the types of the other crate need stack for each level.
const MAX_LEVELS: usize = 128;

const OPTIONS: Options =
    Options::new().container(Container::BSON).input(Container::BSON).max_depth(MAX_LEVELS);

#[cold]
fn theirs(error: bson::error::Error) -> Error {
    Error::data(format!("the bson crate says: {error}"))
}

/// # Errors
/// A repeated key, a key with NUL, or more than 128 levels.
impl TryFrom<&Document> for bson::Document {
    type Error = Error;

    fn try_from(document: &Document) -> Result<Self> {
        let bytes = OPTIONS.to_vec(document)?;
        bson::Document::from_reader(&bytes[..]).map_err(theirs)
    }
}

/// # Errors
/// As for documents.
impl TryFrom<&Value> for bson::Bson {
    type Error = Error;

    fn try_from(value: &Value) -> Result<Self> {
        let outer = Document::from(vec![("".into(), value.clone())]);
        let mut document = bson::Document::try_from(&outer)?;
        let value = document.remove("");
        debug_assert!(value.is_some(), "the only entry is gone");
        Ok(value.unwrap_or_default())
    }
}

/// # Errors
/// A key with NUL, or more than 128 levels.
impl TryFrom<&bson::Document> for Document {
    type Error = Error;

    fn try_from(document: &bson::Document) -> Result<Self> {
        OPTIONS.from_slice(&document.to_vec().map_err(theirs)?)
    }
}

/// # Errors
/// As for documents.
impl TryFrom<&bson::Bson> for Value {
    type Error = Error;

    fn try_from(value: &bson::Bson) -> Result<Self> {
        let mut outer = bson::Document::new();
        outer.insert("", value.clone());
        let mut document = Document::try_from(&outer)?;
        let value = document.shift_remove("");
        debug_assert!(value.is_some(), "the only entry is gone");
        Ok(value.unwrap_or_default())
    }
}
