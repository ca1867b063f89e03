//! Borrowed views of packed arrays: no copy, whatever the length.
//!
//! The elements stay in the input as they were sent, little-endian and at any address, so a view
//! is the same on every machine.
//!
//! | view | packed array | to the owned type |
//! |---|---|---|
//! | `View<I32>`, `View<I64>` | `PackedInt32Array`, `PackedInt64Array` | `get()` |
//! | `View<F32>`, `View<F64>` | `PackedFloat32Array`, `PackedFloat64Array` | `get()` |
//! | `View<LeVector2>`, `View<LeVector3>`, `View<LeVector4>` | `PackedVector2Array`, … | `into()` |
//! | `View<LeColor>` | `PackedColorArray` | `into()` |
//!
//! Bytes are borrowed by [`PackedByteSlice`](crate::types::PackedByteSlice).
//!
//! A view reads the packed array of its own type alone: an `Array`, the other width, and vectors
//! with 64-bit components are errors. It needs the input of [`from_slice`](crate::from_slice), so
//! other formats refuse to read it, and so do `serde`'s buffers (internally tagged and untagged
//! enums, flattened structs). Every format writes it, as it writes the owned array.
//!
//! ```
//! use godot_variant::view::{F32, LeVector3, View};
//! use godot_variant::types::{PackedVector3Array, Vector3};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Mesh<'a> {
//!     #[serde(borrow)]
//!     vertices: View<'a, LeVector3>,
//! }
//!
//! # #[derive(serde::Serialize)]
//! # struct Owned { vertices: PackedVector3Array }
//! # let vertices = PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.0, 4.0, 0.0)]);
//! # let bytes = godot_variant::to_vec(&Owned { vertices })?;
//! let mesh: Mesh<'_> = godot_variant::from_slice(&bytes)?;
//! let highest = mesh.vertices.iter().map(|vertex| vertex.y.get()).fold(0.0, f32::max);
//! assert_eq!(highest, 4.0);
//! assert_eq!(Vector3::from(mesh.vertices[0]), Vector3::new(1.0, 2.0, 3.0));
//! # Ok::<(), godot_variant::Error>(())
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde_core::de::{Deserializer, Error as _, Visitor};
use serde_core::ser::Serializer;
use serde_core::{Deserialize, Serialize};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

pub use zerocopy::little_endian::{F32, F64, I32, I64};

use crate::types::{Color, Element, PackedElement, Type, Vector2, Vector3, Vector4, WireElement};
use crate::write::Writer;
use crate::{Result, handoff};

/// The elements of a packed array, where they lie in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View<'a, E>(
    /// The elements.
    pub &'a [E],
);

impl<E> Default for View<'_, E> {
    fn default() -> Self {
        View(&[])
    }
}

impl<E> Deref for View<'_, E> {
    type Target = [E];
    fn deref(&self) -> &[E] {
        self.0
    }
}

impl<'a, E> From<&'a [E]> for View<'a, E> {
    fn from(elements: &'a [E]) -> Self {
        View(elements)
    }
}

impl<E: ViewElement> View<'_, E> {
    /// The elements as the engine's own types, copied.
    pub fn to_owned_vec(&self) -> Vec<E::Owned> {
        self.0.iter().map(|element| element.owned()).collect()
    }
}

/// An element of a packed array as it is sent: little-endian, at any address.
///
/// Sealed: there are no other implementations.
pub trait ViewElement:
    FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + sealed::SealedView
{
    /// The number or vector that it stands for.
    type Owned: Serialize;
    /// The packed array that it is an element of.
    const PACKED: Type;
    /// The number or vector that it stands for.
    fn owned(self) -> Self::Owned;
}

mod sealed {
    pub trait SealedView: Sized {
        /// The newtype name that makes this crate hand the encoded elements over.
        const NAME: &'static str;
    }
}

macro_rules! vectors {
    ($($name:ident: $owned:ident { $($field:ident),+ })+) => {$(
        #[doc = concat!("A [`", stringify!($owned), "`] as it is sent.")]
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout,
            Unaligned,
        )]
        #[repr(C)]
        pub struct $name {$(
            #[doc = concat!("The component `", stringify!($field), "`.")]
            pub $field: F32,
        )+}

        impl From<$name> for $owned {
            #[inline]
            fn from(value: $name) -> Self {
                $owned { $($field: value.$field.get()),+ }
            }
        }

        impl From<$owned> for $name {
            #[inline]
            fn from(value: $owned) -> Self {
                $name { $($field: value.$field.into()),+ }
            }
        }
    )+};
}

vectors! {
    LeVector2: Vector2 { x, y }
    LeVector3: Vector3 { x, y, z }
    LeVector4: Vector4 { x, y, z, w }
    LeColor: Color { r, g, b, a }
}

macro_rules! elements {
    ($($element:ident => $owned:ty, $packed:ident;)+) => {$(
        impl sealed::SealedView for $element {
            const NAME: &'static str = concat!("$godot_variant::", stringify!($packed));
        }

        impl ViewElement for $element {
            type Owned = $owned;
            const PACKED: Type = Type::$packed;
            #[inline]
            fn owned(self) -> $owned { self.into() }
        }

        impl PackedElement for $element {
            const PACKED: Type = Type::$packed;
        }

        impl WireElement for $element {
            const SIZE: usize = size_of::<$element>();
            fn read_one(bytes: &[u8]) -> Option<Self> {
                Self::read_from_bytes(bytes).ok()
            }
            fn read_all(bytes: &[u8]) -> Vec<Self> {
                bytes.chunks_exact(Self::SIZE).filter_map(Self::read_one).collect()
            }
            fn write_all(items: &[Self], out: &mut Vec<u8>) {
                out.extend_from_slice(items.as_bytes());
            }
        }

        impl Element for View<'_, $element> {
            const TYPE: Option<Type> = Some(Type::$packed);
        }

        impl Serialize for View<'_, $element> {
            fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(<$element as sealed::SealedView>::NAME, &ViewBytes(
                    self.0,
                    crate::value::write_packed::<$element>,
                ))
            }
        }
    )+};
}

elements! {
    I32 => i32, PackedInt32Array;
    I64 => i64, PackedInt64Array;
    F32 => f32, PackedFloat32Array;
    F64 => f64, PackedFloat64Array;
    LeVector2 => Vector2, PackedVector2Array;
    LeVector3 => Vector3, PackedVector3Array;
    LeVector4 => Vector4, PackedVector4Array;
    LeColor => Color, PackedColorArray;
}

/// The elements, written in bulk by this crate and one by one by others.
struct ViewBytes<'a, E>(&'a [E], fn(&mut Writer, &[E]) -> Result<()>);

impl<E: ViewElement> Serialize for ViewBytes<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |writer| (self.1)(writer, self.0)) {
            Ok(done) => done,
            Err(serializer) => serializer.collect_seq(self.0.iter().map(|e| e.owned())),
        }
    }
}

/// Takes the encoded elements, which only this crate hands over instead of a newtype.
struct ViewVisitor<'a, E>(PhantomData<&'a [E]>);

impl<'de: 'a, 'a, E: ViewElement> Visitor<'de> for ViewVisitor<'a, E> {
    type Value = View<'a, E>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to borrow", E::PACKED)
    }

    fn visit_borrowed_bytes<X: serde_core::de::Error>(
        self,
        bytes: &'de [u8],
    ) -> std::result::Result<Self::Value, X> {
        match <[E]>::ref_from_bytes(bytes) {
            Ok(elements) => Ok(View(elements)),
            Err(_) => Err(X::invalid_length(bytes.len(), &self)),
        }
    }

    /// Elements that were converted before they were handed over.
    fn visit_byte_buf<X: serde_core::de::Error>(
        self,
        _: Vec<u8>,
    ) -> std::result::Result<Self::Value, X> {
        Err(X::custom(format_args!(
            "expected {} with 32-bit components to borrow, found 64-bit components",
            E::PACKED
        )))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        _: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        Err(D::Error::custom(format_args!(
            "a view can only borrow an encoded {0}, found something else; {0} itself reads it",
            E::PACKED
        )))
    }
}

impl<'de: 'a, 'a, E: ViewElement> Deserialize<'de> for View<'a, E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(E::NAME, ViewVisitor(PhantomData))
    }
}
