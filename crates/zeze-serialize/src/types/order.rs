//! The integer vectors as keys: equality, order and hashes, which those of floats cannot have.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::{Vector2Int, Vector3Int};

macro_rules! ordered {
    ($($name:ident)+) => {$(
        /// By the first component that differs.
        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.to_array().cmp(&other.to_array())
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.to_array().hash(state);
            }
        }
    )+};
}

ordered!(Vector2Int Vector3Int);
