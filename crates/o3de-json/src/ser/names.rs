//! What serde does not show, read off the names of types.

use std::any::type_name;

/// Whether a collection is a hash table of the standard library, whose order means nothing.
#[inline]
pub(super) fn is_hashed<I>() -> bool {
    let name = type_name::<I>().trim_start_matches('&');
    name.starts_with("std::collections::hash::") || name.starts_with("hashbrown::")
}
