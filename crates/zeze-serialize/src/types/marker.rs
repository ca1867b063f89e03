//! The names by which the serializer and the deserializer know this crate's own types.

use crate::error::{Error, ErrorKind};
use crate::kind::Kind;

pub(crate) const BASE: &str = "$zeze_serialize::Base";
pub(crate) const UNKNOWN: &str = "$zeze_serialize::Unknown";
pub(crate) const VALUE: &str = "$zeze_serialize::Value";
pub(crate) const RAW_BEAN: &str = "$zeze_serialize::RawBean";
pub(crate) const VECTOR2: &str = "$zeze_serialize::Vector2";
pub(crate) const VECTOR2_INT: &str = "$zeze_serialize::Vector2Int";
pub(crate) const VECTOR3: &str = "$zeze_serialize::Vector3";
pub(crate) const VECTOR3_INT: &str = "$zeze_serialize::Vector3Int";
pub(crate) const VECTOR4: &str = "$zeze_serialize::Vector4";

/// The name of an enum, or its beginning up to a space, whose variants without content are dynamic
/// beans as well.
const DYNAMIC: &str = "dynamic";

/// Whether a name is one of this crate's.
#[inline]
pub(crate) fn is_reserved(name: &str) -> bool {
    name.as_bytes().first() == Some(&b'$') && name.starts_with("$zeze_serialize::")
}

/// Whether all variants of an enum of this name are dynamic beans.
#[inline]
pub(crate) fn is_dynamic(name: &str) -> bool {
    match name.strip_prefix(DYNAMIC) {
        Some(rest) => rest.is_empty() || rest.starts_with(' '),
        None => false,
    }
}

/// The wire type of one of this crate's vectors.
#[inline]
pub(crate) fn vector(name: &str) -> Option<Kind> {
    Some(match name {
        VECTOR3 => Kind::Vector3,
        VECTOR2 => Kind::Vector2,
        VECTOR4 => Kind::Vector4,
        VECTOR2_INT => Kind::Vector2Int,
        VECTOR3_INT => Kind::Vector3Int,
        _ => return None,
    })
}

/// A marker where there is no field of a struct, or a foreign type with a reserved name.
#[cold]
pub(crate) fn misplaced(name: &str) -> Error {
    let text = match name {
        BASE => "expected `Base` as the last field of a struct, found it elsewhere",
        UNKNOWN => "expected `Unknown` as a field of a struct, found it elsewhere",
        _ => "names of types that start with `$zeze_serialize` are reserved",
    };
    Error::new(ErrorKind::Unsupported, text)
}

#[cold]
pub(crate) fn base_not_last() -> Error {
    Error::new(ErrorKind::FieldId, "the field of type `Base` has to be the last one")
}

#[cold]
pub(crate) fn unknown_not_last() -> Error {
    Error::new(
        ErrorKind::FieldId,
        "the field of type `Unknown` has to be the last one, or the fields need ids in their names",
    )
}
