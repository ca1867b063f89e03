use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde_core::Deserialize;

use super::Container;
use crate::error::Result;
use crate::options::Options;

/// The document of a file, and what the file was.
///
/// It owns the bytes where they were compressed, so that text can be borrowed from it:
///
/// ```
/// # #[derive(serde::Deserialize)]
/// # struct Save<'a> { #[serde(rename = "VersionNumber")] version: &'a str }
/// # #[cfg(feature = "brotli")] {
/// # let file = resonite_brson::to_vec(&std::collections::HashMap::from([("VersionNumber", "1")]))?;
/// let unpacked = resonite_brson::container::unpack(&file)?;
/// let save: Save<'_> = unpacked.deserialize()?;
/// assert_eq!(save.version, "1");
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Unpacked<'a> {
    container: Container,
    bson: Cow<'a, [u8]>,
}

impl<'a> Unpacked<'a> {
    pub(super) fn new(container: Container, bson: Cow<'a, [u8]>) -> Self {
        Unpacked { container, bson }
    }

    /// What the file was.
    pub fn container(&self) -> Container {
        self.container
    }

    /// The document, without a copy where the file is not compressed.
    pub fn into_bson(self) -> Cow<'a, [u8]> {
        self.bson
    }

    /// Reads the document. Strings and bytes can be borrowed from this value.
    ///
    /// # Errors
    /// A document that is malformed, or does not fit `T`. Offsets count from its start.
    pub fn deserialize<'de, T: Deserialize<'de>>(&'de self) -> Result<T> {
        self.deserialize_with(&Options::new())
    }

    /// [`deserialize`](Self::deserialize) with options.
    ///
    /// # Errors
    /// As [`deserialize`](Self::deserialize).
    pub fn deserialize_with<'de, T: Deserialize<'de>>(&'de self, options: &Options) -> Result<T> {
        options.from_bson(&self.bson)
    }
}

impl Deref for Unpacked<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bson
    }
}

impl AsRef<[u8]> for Unpacked<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.bson
    }
}

impl fmt::Debug for Unpacked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked")
            .field("container", &self.container)
            .field("len", &self.bson.len())
            .finish()
    }
}
