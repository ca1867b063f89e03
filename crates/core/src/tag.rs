//! Which text is the tag that serde writes in front of the fields of an enum's variant.
//!
//! `#[serde(tag = "…")]` writes the name of the variant as the first field of a struct, as a bare `str`.
//! A hand-written `Serialize` may write text so as well. What differs is where the calls are: all of a
//! derive's are at the derive, and those for a variant that holds a struct are in serde's own source,
//! or in that of `typetag`. Methods with `#[track_caller]` see that.

use std::panic::Location;

/// Returns whether a bare `str` that is the first field of a struct is the tag of an enum, or of a struct
/// with a `tag`, from the places that have called `serialize_struct` and `serialize_field`.
///
/// ```
/// use std::panic::Location;
/// use gamewire_core::tag::is_tag;
///
/// // By hand, each call is at a place of its own.
/// let opened = Location::caller();
/// let field = Location::caller();
/// assert!(!is_tag(opened, field));
/// assert!(is_tag(field, field));
/// ```
pub fn is_tag(opened: &Location<'_>, field: &Location<'_>) -> bool {
    let mut parts = field.file().rsplit(['/', '\\']);
    let (file, folder) = (parts.next(), parts.next());
    opened == field
        || file == Some("ser.rs") && folder == Some("private")
        || file == Some("internally.rs") && parts.any(|part| part.starts_with("typetag"))
}
