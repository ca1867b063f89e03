//! Bytes that a document and its body share.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(in crate::document) struct Bytes(Arc<Vec<u8>>);

impl Bytes {
    /// Takes the bytes out; copies them where others hold them.
    pub(in crate::document) fn into_vec(self) -> Vec<u8> {
        Arc::try_unwrap(self.0).unwrap_or_else(|shared| Vec::clone(&shared))
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
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes(Arc::new(bytes))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes::from(bytes.to_vec())
    }
}
