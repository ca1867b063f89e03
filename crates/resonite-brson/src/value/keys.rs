//! Finds duplicate keys without comparing each with each.

use std::collections::HashSet;

use super::Key;

/// Documents with more entries keep a set of their keys.
const SMALL: usize = 32;

/// The keys of one document so far.
pub(crate) struct Keys<'k> {
    /// One bit for each key, by a hash that costs next to nothing.
    bits: u64,
    #[allow(clippy::box_collection, reason = "one word in each open document")]
    set: Option<Box<HashSet<&'k [u8]>>>,
}

impl<'k> Keys<'k> {
    /// For a document of about `count` entries.
    #[inline]
    pub(crate) fn new(count: usize) -> Self {
        Keys { bits: 0, set: (count > SMALL).then(Box::default) }
    }

    /// Whether the keys are in a set, and need not be kept elsewhere.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.set.is_some()
    }

    /// Adds a key, and returns whether it was not there. `before` are the keys that were added.
    ///
    /// A bit that is not set yet proves a key new, so most keys are compared with no other; a set
    /// bit proves nothing, and the key is compared with all before it, of which there are at most
    /// [`SMALL`].
    #[inline]
    pub(crate) fn is_new<'a>(
        &mut self,
        key: &'k [u8],
        before: impl Iterator<Item = &'a [u8]>,
    ) -> bool {
        if let Some(set) = &mut self.set {
            return set.insert(key);
        }
        let bit = 1_u64 << (hash(key) >> 58);
        let fresh = self.bits & bit == 0;
        self.bits |= bit;
        fresh || before.into_iter().all(|other| other != key)
    }

    /// The same for entries that are kept as they are.
    #[inline]
    pub(crate) fn is_new_in<T>(&mut self, key: &'k [u8], before: &[(Key, T)]) -> bool {
        self.is_new(key, before.iter().map(|(key, _)| key.bytes()))
    }

    /// The position of the first entry whose key is that of one before it.
    pub(crate) fn first_repeated<T>(entries: &'k [(Key, T)]) -> Option<usize> {
        let mut keys = Keys::new(entries.len());
        entries.iter().enumerate().position(|(at, (key, _))| {
            !keys.is_new_in(key.bytes(), entries.get(..at).unwrap_or_default())
        })
    }
}

/// A hash of the length and the bytes at both ends.
#[inline]
fn hash(key: &[u8]) -> u64 {
    let ends = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(head), Some(tail)) => {
            u64::from_le_bytes(*head) ^ u64::from_le_bytes(*tail).rotate_left(23)
        }
        _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            (Some(head), Some(tail)) => {
                u64::from(u32::from_le_bytes(*head)) << 32 | u64::from(u32::from_le_bytes(*tail))
            }
            _ => match *key {
                [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
                [a, b] => u64::from(u16::from_le_bytes([a, b])),
                [a] => u64::from(a),
                _ => 0,
            },
        },
    };
    let len = key.len() as u64;
    (ends ^ len << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
