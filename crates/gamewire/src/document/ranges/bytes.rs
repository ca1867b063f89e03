//! Bytes that a document and its body share.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// The bytes of a file, which documents share: a clone copies none of them.
#[derive(Clone)]
pub struct Bytes(Arc<Held>);

enum Held {
    Made(Vec<u8>),
    /// Made once somebody looks at them: what is compressed and encrypted after each change of a document is seldom
    /// asked for.
    Later(LazyLock<Vec<u8>, Box<dyn FnOnce() -> Vec<u8> + Send>>),
}

impl Bytes {
    /// Bytes that are made when they are looked at.
    pub(in crate::document) fn later(make: impl FnOnce() -> Vec<u8> + Send + 'static) -> Self {
        Bytes(Arc::new(Held::Later(LazyLock::new(Box::new(make)))))
    }

    /// Takes the bytes out; copies them where others hold them.
    pub fn into_vec(self) -> Vec<u8> {
        match Arc::try_unwrap(self.0) {
            Ok(Held::Made(bytes)) => bytes,
            Ok(Held::Later(bytes)) => bytes.clone(),
            Err(shared) => Bytes(shared).to_vec(),
        }
    }

    /// Returns what was read of these bytes: shared, where that is all of them.
    pub(in crate::document) fn share(&self, read: Cow<'_, [u8]>) -> Bytes {
        match read {
            Cow::Borrowed(part) if std::ptr::eq(part, &**self) => self.clone(),
            read => read.into_owned().into(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &*self.0 {
            Held::Made(bytes) => bytes,
            Held::Later(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bytes")
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes(Arc::new(Held::Made(bytes)))
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<Cow<'_, [u8]>> for Bytes {
    fn from(bytes: Cow<'_, [u8]>) -> Self {
        bytes.into_owned().into()
    }
}

/// Copies the bytes.
impl<T: AsRef<[u8]> + ?Sized> From<&T> for Bytes {
    fn from(bytes: &T) -> Self {
        bytes.as_ref().to_vec().into()
    }
}
