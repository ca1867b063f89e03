use std::borrow::Cow;

use crate::codec::Container;
use crate::options::Options;

/// The BSON of a file, decompressed, from which text and bytes can be borrowed.
///
/// ```
/// use resonite_brson::{Container, Options};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Save<'a> {
///     #[serde(rename = "VersionNumber")]
///     version: &'a str,
/// }
///
/// # let options = Options::new().container(Container::BSON);
/// # let file = options.to_vec(&Save { version: "2026.8.12.1196" })?;
/// let body = options.open(&file)?;
/// let save: Save<'_> = body.read()?; // the text lies in `body`
/// assert_eq!(save.version, "2026.8.12.1196");
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body<'a> {
    pub(crate) container: Container,
    pub(crate) bson: Cow<'a, [u8]>,
    pub(crate) options: Options,
}

impl<'a> Body<'a> {
    pub(crate) fn new(container: Container, bson: Cow<'a, [u8]>, options: Options) -> Self {
        Body { container, bson, options }
    }

    /// How the file was packed.
    pub fn container(&self) -> Container {
        self.container
    }

    /// Whether it was decompressed, or has a header before it.
    pub(crate) fn is_packed(&self) -> bool {
        self.container != Container::BSON
    }

    /// The bytes of the document.
    pub fn bson(&self) -> &[u8] {
        &self.bson
    }

    /// The bytes of the document, without a copy.
    pub fn into_cow(self) -> Cow<'a, [u8]> {
        self.bson
    }

    /// The bytes of the document, without a copy where the file was compressed.
    pub fn into_bson(self) -> Vec<u8> {
        self.bson.into_owned()
    }
}
