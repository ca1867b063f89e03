//! Any object, without a Rust type for it.
//!
//! A [`Value`] needs only a [`Schema`](crate::Schema). It keeps everything: strings that are no
//! text, the order of entries, deprecated ones, and with [`Unknown::Keep`](crate::Unknown::Keep)
//! also what the schema does not know, so that writing it back gives the same bytes.

mod access;
pub(crate) mod build;
mod debug;
pub(crate) mod decode;
mod diff;
pub(crate) mod encode;
mod eq;
mod from;
mod levels;
mod object;
mod raw;
mod row;
mod serde;
pub(crate) mod shown;
mod tree;
#[cfg(any(feature = "json", feature = "xml"))]
pub(crate) mod walk;

pub use object::{Field, List, Object};
pub(crate) use raw::ReadFlags;
pub use raw::{RawBits, RawObject, UnknownHash};

pub(crate) use raw::UNKNOWN_VARIANT;

use crate::types::{
    ByteString, Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D, WString,
};

/// Any value of a property, and any object.
///
/// The schema says how many bits a number has; here numbers are only signed or not.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Value {
    /// The null pointer.
    #[default]
    Null,
    /// `bool`.
    Bool(bool),
    /// Signed numbers of any width.
    Int(i64),
    /// Unsigned numbers of any width, and global ids.
    UInt(u64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// An enum or bit flags.
    Enum(u32),
    /// `std::string`.
    String(ByteString),
    /// `std::wstring`.
    WString(WString),
    /// `class Color`.
    Color(Color),
    /// `class Vector3D`.
    Vector3D(Vector3D),
    /// `class Quaternion`.
    Quaternion(Quaternion),
    /// `class Euler`.
    Euler(Euler),
    /// `class Matrix3x3`.
    Matrix3x3(Box<Matrix3x3>),
    /// `class Size<T>`: two equal numbers.
    Size(Box<Size<Value>>),
    /// `class Point<T>`: two equal numbers.
    Point(Box<Point<Value>>),
    /// `class Rect<T>`: four equal numbers.
    Rect(Box<Rect<Value>>),
    /// A vector or list, except of `bool` and of numbers of up to seven bits.
    List(List),
    /// A vector or list of `bool`.
    Bools(Box<[bool]>),
    /// A vector or list of `bi1` to `bi7` or `bui1` to `bui7`.
    SmallInts(Box<[i8]>),
    /// An object.
    Object(Box<Object>),
    /// An object of a class that the schema does not have.
    Raw(Box<RawObject>),
    /// The content of a property that the class does not have.
    Bits(Box<RawBits>),
}
