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
//! Bytes are borrowed by [`PackedByteSlice`](crate::PackedByteSlice).
//!
//! A view reads the packed array of its own type alone: an `Array`, the other width, and vectors
//! with 64-bit components are errors. It needs the input of [`from_slice`](crate::from_slice), so
//! other formats refuse to read it, and so do `serde`'s buffers (internally tagged and untagged
//! enums, flattened structs). Every format writes it, as it writes the owned array.
//!
//! ```
//! use godot_variant::view::{F32, LeVector3, View};
//! use godot_variant::{PackedVector3Array, Vector3};
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
use serde_core::ser::{SerializeSeq, Serializer};
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
    FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + sealed::Sealed
{
    /// The number or vector that it stands for.
    type Owned: Serialize;
    /// The packed array that it is an element of.
    const PACKED: Type;
    /// The number or vector that it stands for.
    fn owned(self) -> Self::Owned;
}

mod sealed {
    pub trait Sealed: Sized {
        /// The newtype name that makes this crate hand the encoded elements over.
        const NAME: &'static str;
    }
}

macro_rules! vectors {
    ($( $(#[$doc:meta])* $name:ident: $owned:ident { $( $(#[$fdoc:meta])* $field:ident ),+ } )+) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout,
            Unaligned,
        )]
        #[repr(C)]
        pub struct $name { $( $(#[$fdoc])* pub $field: F32, )+ }

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
    /// A [`Vector2`] as it is sent.
    LeVector2: Vector2 {
        /// X.
        x,
        /// Y.
        y
    }

    /// A [`Vector3`] as it is sent.
    LeVector3: Vector3 {
        /// X, right.
        x,
        /// Y, up.
        y,
        /// Z, towards the viewer.
        z
    }

    /// A [`Vector4`] as it is sent.
    LeVector4: Vector4 {
        /// X.
        x,
        /// Y.
        y,
        /// Z.
        z,
        /// W.
        w
    }

    /// A [`Color`] as it is sent.
    LeColor: Color {
        /// Red.
        r,
        /// Green.
        g,
        /// Blue.
        b,
        /// Alpha: 0 is transparent, 1 opaque.
        a
    }
}

macro_rules! elements {
    ($($element:ident => $owned:ty, $packed:ident;)+) => {$(
        impl sealed::Sealed for $element {
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
                serializer.serialize_newtype_struct(<$element as sealed::Sealed>::NAME, &Bulk(
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
struct Bulk<'a, E>(&'a [E], fn(&mut Writer, &[E]) -> Result<()>);

impl<E: ViewElement> Serialize for Bulk<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match handoff::write_native(serializer, |writer| (self.1)(writer, self.0)) {
            Ok(done) => done,
            Err(serializer) => {
                let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
                self.0.iter().try_for_each(|element| seq.serialize_element(&element.owned()))?;
                seq.end()
            }
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

    /// What had to be converted before it was handed over.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Options, PackedColorArray, PackedFloat32Array, PackedFloat64Array, PackedInt32Array,
        PackedInt64Array, PackedVector2Array, PackedVector3Array, PackedVector4Array, Precision,
        Value, from_slice, to_vec,
    };

    /// Reads the view at every alignment, and finds its elements inside the input.
    #[track_caller]
    fn check<E>(owned: &impl Serialize, elements: &[E])
    where
        E: ViewElement + PartialEq + fmt::Debug,
        for<'a> View<'a, E>: Serialize,
    {
        let encoded = to_vec(owned).unwrap();
        assert_eq!(to_vec(&View(elements)).unwrap(), encoded);
        for shift in 0..8 {
            let mut input = vec![0xaa; shift];
            input.extend_from_slice(&encoded);
            let view: View<'_, E> = from_slice(&input[shift..]).unwrap();
            assert_eq!(&*view, elements);
            assert_eq!(view.as_bytes().as_ptr_range(), input[shift..][8..].as_ptr_range());
        }
    }

    #[test]
    fn elements_stay_in_the_input() {
        check::<I32>(&PackedInt32Array(vec![1, -2]), &[1.into(), (-2).into()]);
        check::<I64>(&PackedInt64Array(vec![1, -2]), &[1.into(), (-2).into()]);
        check::<F32>(&PackedFloat32Array(vec![0.5]), &[0.5.into()]);
        check::<F64>(&PackedFloat64Array(vec![0.1]), &[0.1.into()]);
        let two = Vector2::new(1.0, 2.0);
        check::<LeVector2>(&PackedVector2Array(vec![two]), &[two.into()]);
        let three = [Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)];
        check::<LeVector3>(&PackedVector3Array(three.to_vec()), &three.map(LeVector3::from));
        let four = Vector4::new(1.0, 2.0, 3.0, 4.0);
        check::<LeVector4>(&PackedVector4Array(vec![four]), &[four.into()]);
        let colour = Color::new(0.1, 0.2, 0.3, 0.4);
        check::<LeColor>(&PackedColorArray(vec![colour]), &[colour.into()]);
        check::<F32>(&PackedFloat32Array::default(), &[]);
        assert_eq!(View(&[LeColor::from(colour)]).to_owned_vec(), [colour]);
    }

    #[test]
    fn other_widths_and_types_are_errors_that_say_so() {
        let wide = to_vec(&PackedVector3Array(vec![Vector3::<f64>::default()])).unwrap();
        let error = from_slice::<View<'_, LeVector3>>(&wide).unwrap_err().to_string();
        assert!(error.contains("found 64-bit components"), "{error}");
        let doubles = to_vec(&PackedFloat64Array(vec![0.5])).unwrap();
        let error = from_slice::<View<'_, F32>>(&doubles).unwrap_err().to_string();
        assert!(error.contains("expected PackedFloat32Array to borrow, found"), "{error}");
        let singles = to_vec(&PackedFloat32Array(vec![0.5])).unwrap();
        assert!(from_slice::<View<'_, F64>>(&singles).is_err());
        assert!(from_slice::<View<'_, LeVector2>>(&singles).is_err());
        let plain = to_vec(&[0.5, 1.5]).unwrap();
        let error = from_slice::<View<'_, F32>>(&plain).unwrap_err().to_string();
        assert!(error.contains("a view can only borrow"), "{error}");
    }

    #[test]
    fn precision_applies_when_written() {
        let view = [LeVector2::from(Vector2::new(1.0, 2.0))];
        let double = Options::new().precision(Precision::Double);
        let bytes = double.to_vec(&View(&view)).unwrap();
        let expected = PackedVector2Array(vec![Vector2 { x: 1.0_f64, y: 2.0 }]);
        assert_eq!(bytes, to_vec(&expected).unwrap());
        assert!(double.from_slice::<View<'_, LeVector2>>(&bytes).is_err());
    }

    #[test]
    fn other_formats_write_views_and_refuse_to_read_them() {
        let view = [LeVector2::from(Vector2::new(1.0, 2.0))];
        assert_eq!(serde_json::to_string(&View(&view)).unwrap(), "[[1.0,2.0]]");
        assert_eq!(serde_json::to_string(&View(&[I32::new(7)])).unwrap(), "[7]");
        let error = serde_json::from_str::<View<'_, F32>>("[1.0]").unwrap_err().to_string();
        assert!(error.contains("a view can only borrow an encoded PackedFloat32Array"), "{error}");
        let value = Value::from(PackedFloat32Array(vec![0.5]));
        assert_eq!(crate::to_value(&View(&[F32::new(0.5)])).unwrap(), value);
    }

    #[test]
    fn views_are_fields() {
        #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
        struct Mesh<'a> {
            name: &'a str,
            #[serde(borrow)]
            indices: View<'a, I32>,
            #[serde(borrow)]
            colours: Option<View<'a, LeColor>>,
        }
        let indices = [1.into(), 2.into(), 3.into()];
        let mesh = Mesh { name: "quad", indices: View(&indices), colours: None };
        let bytes = to_vec(&mesh).unwrap();
        assert_eq!(from_slice::<Mesh<'_>>(&bytes).unwrap(), mesh);
    }
}
