//! Values one after another.

use std::iter::FusedIterator;
use std::marker::PhantomData;

use serde_core::Deserialize;

use super::Deserializer;
use crate::error::Result;

/// Values one after another; made by [`Deserializer::into_iter`]. Ends after an error.
#[derive(Debug)]
pub struct Iter<'de, T> {
    deserializer: Option<Deserializer<'de>>,
    values: PhantomData<T>,
}

impl<'de, T> Iter<'de, T> {
    pub(super) fn new(deserializer: Deserializer<'de>) -> Self {
        Iter { deserializer: Some(deserializer), values: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let deserializer = self.deserializer.as_mut()?;
        if deserializer.rest().is_empty() {
            self.deserializer = None;
            return None;
        }
        let at = deserializer.reader.offset();
        let value = T::deserialize(&mut *deserializer).map_err(|error| error.or_at(at));
        if value.is_err() {
            self.deserializer = None;
        }
        Some(value)
    }
}

impl<'de, T: Deserialize<'de>> FusedIterator for Iter<'de, T> {}
