//! Maps and sets of names: hashed with a seed that nobody knows, so that foreign names cannot collide on
//! purpose; without `std`, which has the seed, by order, where nothing can.

#[cfg(not(feature = "std"))]
pub(crate) use alloc::collections::{BTreeMap as Map, BTreeSet as Set};
#[cfg(feature = "std")]
pub(crate) use std::collections::{HashMap as Map, HashSet as Set};
