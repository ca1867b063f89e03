//! The types of the format that Rust does not have, and the flags.

mod flags;
mod geometry;
mod marker;
mod text;

pub use flags::{PropertyFlags, SerializerFlags};
pub use geometry::{Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D};
pub use marker::{Bi, Bui, Gid, Ptr, S24, Shared, U24};
pub(crate) use text::TextVisitor;
pub use text::{ByteString, WString};

/// Begins the names of newtypes by which this crate knows its own types; the rest is the name of the
/// C++ type.
pub(crate) const MARK: &str = "$kiwi_pclass::";
/// Marks of pointers: the class is the one inside.
pub(crate) const RAW_POINTER: &str = "$kiwi_pclass::*";
pub(crate) const SHARED_POINTER: &str = "$kiwi_pclass::SharedPointer";
/// Marks of things that are handed over whole.
pub(crate) const VALUE: &str = "$kiwi_pclass::value";
/// Around a struct of a type list, and skipped in front of its fields.
pub(crate) const GENERATED: &str = "$kiwi_pclass::generated";
pub(crate) const RAW_OBJECT: &str = "$kiwi_pclass::raw";
pub(crate) const WSTRING: &str = "$kiwi_pclass::std::wstring";
pub(crate) const STRING: &str = "$kiwi_pclass::std::string";
