//! Types of a few numbers in a row. In other serde formats they are arrays in the order of their
//! fields.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeTuple, Serializer};

/// A row of equal numbers.
pub(crate) trait Tuple: Sized {
    type Component;
    const MARK: &'static str;
    const LEN: usize;
    fn component(&self, index: usize) -> Option<&Self::Component>;
    /// `next` returns the components in the order of the fields.
    fn build<E>(next: &mut dyn FnMut() -> Result<Self::Component, E>) -> Result<Self, E>;
}

macro_rules! tuple {
    ($(#[$about:meta])* $name:ident $(<$t:ident>)? of $scalar:ty, $mark:literal, $len:literal {
        $($(#[$doc:meta])* $field:ident $index:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name$(<$t>)? {
            $($(#[$doc])* pub $field: $scalar,)+
        }

        impl$(<$t>)? $name$(<$t>)? {
            /// From its components in the order of the fields.
            pub const fn new($($field: $scalar),+) -> Self {
                $name { $($field),+ }
            }
        }

        impl$(<$t>)? From<[$scalar; $len]> for $name$(<$t>)? {
            fn from([$($field),+]: [$scalar; $len]) -> Self {
                $name { $($field),+ }
            }
        }

        impl$(<$t>)? From<$name$(<$t>)?> for [$scalar; $len] {
            fn from($name { $($field),+ }: $name$(<$t>)?) -> Self {
                [$($field),+]
            }
        }

        impl$(<$t>)? Tuple for $name$(<$t>)? {
            type Component = $scalar;
            const MARK: &'static str = concat!("$kiwi_pclass::", $mark);
            const LEN: usize = $len;
            fn component(&self, index: usize) -> Option<&$scalar> {
                match index {
                    $($index => Some(&self.$field),)+
                    _ => None,
                }
            }
            fn build<Fault>(
                next: &mut dyn FnMut() -> Result<$scalar, Fault>,
            ) -> Result<Self, Fault> {
                Ok(Self { $($field: next()?,)+ })
            }
        }

        impl$(<$t: Serialize>)? Serialize for $name$(<$t>)? {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(<Self as Tuple>::MARK, &Components(self))
            }
        }

        impl<'de $(, $t: Deserialize<'de>)?> Deserialize<'de> for $name$(<$t>)? {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer
                    .deserialize_newtype_struct(<Self as Tuple>::MARK, TupleVisitor(PhantomData))
            }
        }
    };
}

tuple! {
    /// A colour, eight bits each. On the wire blue comes first, alpha last.
    Color of u8, "class Color", 4 {
        /// Red.
        r 0,
        /// Green.
        g 1,
        /// Blue.
        b 2,
        /// Opacity, 255 is opaque.
        a 3,
    }
}

tuple! {
    /// A vector of space.
    Vector3D of f32, "class Vector3D", 3 {
        /// First component.
        x 0,
        /// Second component.
        y 1,
        /// Third component.
        z 2,
    }
}

tuple! {
    /// A rotation. On the wire, as here, the real part comes first.
    Quaternion of f32, "class Quaternion", 4 {
        /// Real part.
        w 0,
        /// First imaginary part.
        x 1,
        /// Second imaginary part.
        y 2,
        /// Third imaginary part.
        z 3,
    }
}

tuple! {
    /// A rotation by angles.
    Euler of f32, "class Euler", 3 {
        /// Pitch.
        pitch 0,
        /// Yaw.
        yaw 1,
        /// Roll.
        roll 2,
    }
}

tuple! {
    /// A 3×3 matrix as three rows.
    Matrix3x3 of [f32; 3], "class Matrix3x3", 3 {
        /// First row.
        i 0,
        /// Second row.
        j 1,
        /// Third row.
        k 2,
    }
}

tuple! {
    /// Width and height: `class Size<int>` is `Size<i32>`.
    Size<T> of T, "class Size", 2 {
        /// From left to right.
        width 0,
        /// From top to bottom.
        height 1,
    }
}

tuple! {
    /// A place on a plane: `class Point<float>` is `Point<f32>`.
    Point<T> of T, "class Point", 2 {
        /// From the left.
        x 0,
        /// From the top.
        y 1,
    }
}

tuple! {
    /// A rectangle: `class Rect<int>` is `Rect<i32>`.
    Rect<T> of T, "class Rect", 4 {
        /// Left edge.
        left 0,
        /// Top edge.
        top 1,
        /// Right edge.
        right 2,
        /// Bottom edge.
        bottom 3,
    }
}

struct Components<'a, T>(&'a T);

impl<T: Tuple<Component: Serialize>> Serialize for Components<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(T::LEN)?;
        for component in (0..T::LEN).filter_map(|index| self.0.component(index)) {
            tuple.serialize_element(component)?;
        }
        tuple.end()
    }
}

struct TupleVisitor<T>(PhantomData<T>);

impl<'de, T: Tuple<Component: Deserialize<'de>>> Visitor<'de> for TupleVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} components of a {}", T::LEN, T::MARK.trim_start_matches(super::MARK))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        inner.deserialize_tuple(T::LEN, self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut found = 0usize;
        let shown = TupleVisitor::<T>(PhantomData);
        let value = T::build(&mut || {
            let component = seq.next_element()?;
            let component = component.ok_or_else(|| de::Error::invalid_length(found, &shown))?;
            found = found.saturating_add(1);
            Ok(component)
        })?;
        match seq.next_element::<de::IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(de::Error::invalid_length(found.saturating_add(1), &shown)),
        }
    }
}
