//! Newtypes for what Rust's own types do not say. In other serde formats they are what they wrap.
use std::fmt;
use std::ops::{Deref, DerefMut};

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Error as _, Serialize, Serializer};

/// Reads what a newtype of this crate wraps.
struct Inner<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Inner<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        T::deserialize(inner)
    }
}

fn inner<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    mark: &'static str,
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(mark, Inner(std::marker::PhantomData))
}

/// A global id: 64 bits, byte aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gid(
    /// The bits.
    pub u64,
);

const GID: &str = "$kiwi_pclass::gid";

impl From<u64> for Gid {
    fn from(id: u64) -> Gid {
        Gid(id)
    }
}

impl Serialize for Gid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(GID, &self.0)
    }
}

impl<'de> Deserialize<'de> for Gid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        inner(GID, deserializer).map(Gid)
    }
}

/// Serde for a number of few bits, which the format's own serializer knows by its mark.
macro_rules! few_bits {
    ([$($n:ident)?] $type:ty, $repr:ty, $mark:expr, $bits:expr, $fits:expr) => {
        impl$(<const $n: usize>)? Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let fits: fn($repr) -> bool = $fits;
                match $mark {
                    Some(mark) if fits(self.0) => {
                        serializer.serialize_newtype_struct(mark, &self.0)
                    }
                    _ => Err(S::Error::custom(NoFit($bits, self.0))),
                }
            }
        }

        impl<'de $(, const $n: usize)?> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fits: fn($repr) -> bool = $fits;
                let mark = $mark.ok_or_else(|| D::Error::custom(NoFit($bits, 0)))?;
                match inner(mark, deserializer)? {
                    value if fits(value) => Ok(Self(value)),
                    value => Err(D::Error::custom(NoFit($bits, value))),
                }
            }
        }
    };
}

/// The number does not fit the bit width.
struct NoFit<T>(usize, T);

impl<T: fmt::Display> fmt::Display for NoFit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFit(bits @ 1..=32, found) => {
                write!(f, "expected a number of {bits} bits, found {found}")
            }
            NoFit(bits, _) => write!(f, "expected a number of 1 to 32 bits, found one of {bits}"),
        }
    }
}

macro_rules! bits {
    ($(#[$about:meta])* $name:ident($repr:ty), $mark:literal, $min:expr, $max:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($repr);

        impl $name {
            /// The smallest value.
            pub const MIN: $name = $name($min);
            /// The greatest value.
            pub const MAX: $name = $name($max);

            /// `None` if 24 bits are not enough.
            pub const fn new(value: $repr) -> Option<Self> {
                if matches!(value, $min..=$max) { Some($name(value)) } else { None }
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> $repr {
                self.0
            }
        }

        few_bits!([] $name, $repr, Some(concat!("$kiwi_pclass::", $mark)), 24, |value| {
            matches!(value, $min..=$max)
        });
    };
}

bits! {
    /// A signed number of 24 bits, not byte aligned.
    S24(i32), "s24", -0x80_0000, 0x7f_ffff
}
bits! {
    /// An unsigned number of 24 bits, not byte aligned.
    U24(u32), "u24", 0, 0xff_ffff
}

macro_rules! marks {
    ($($name:ident $prefix:literal)+) => {$(
        marks!(@all $name $prefix 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25
            26 27 28 29 30 31 32);
    )+};
    (@all $name:ident $prefix:literal $($width:literal)+) => {
        const $name: [&str; 32] = [$(concat!("$kiwi_pclass::", $prefix, $width)),+];
    };
}

marks! {
    BI "bi"
    BUI "bui"
}

macro_rules! small {
    ($(#[$about:meta])* $name:ident($repr:ty), $marks:ident, $fits:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<const N: usize>(
            /// The number.
            pub $repr,
        );

        impl<const N: usize> $name<N> {
            /// The mark; a width of 0 or of more than 32 bits has none.
            const MARK: Option<&'static str> = match N {
                1..=32 => Some($marks[N - 1]),
                _ => None,
            };
        }

        impl<const N: usize> From<$repr> for $name<N> {
            fn from(value: $repr) -> Self {
                $name(value)
            }
        }

        few_bits!([N] $name<N>, $repr, Self::MARK, N, |value| $fits(value, N));
    };
}

small! {
    /// A signed number of `N` bits, 1 to 32, not byte aligned: `bi4` is `Bi<4>`.
    Bi(i32), BI, |value: i32, bits: usize| {
        let bits = u32::try_from(bits).unwrap_or(0);
        let spare = 32u32.saturating_sub(bits);
        (value << (spare & 31)) >> (spare & 31) == value
    }
}
small! {
    /// An unsigned number of `N` bits, 1 to 32, not byte aligned: `bui5` is `Bui<5>`.
    Bui(u32), BUI, |value: u32, bits: usize| {
        bits >= 32 || value >> (bits & 31) == 0
    }
}

macro_rules! pointer {
    ($(#[$about:meta])* $name:ident, $mark:path) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name<T>(
            /// The object, `None` for null.
            pub Option<Box<T>>,
        );

        impl<T> $name<T> {
            /// A pointer to an object.
            pub fn new(object: T) -> Self {
                $name(Some(Box::new(object)))
            }

            /// The null pointer.
            pub const fn null() -> Self {
                $name(None)
            }

            /// The object, if it is not null.
            pub fn get(&self) -> Option<&T> {
                self.0.as_deref()
            }

            /// The object itself, if it is not null.
            #[must_use]
            pub fn into_inner(self) -> Option<T> {
                self.0.map(|object| *object)
            }
        }

        impl<T> Default for $name<T> {
            fn default() -> Self {
                $name(None)
            }
        }

        impl<T> From<T> for $name<T> {
            fn from(object: T) -> Self {
                $name::new(object)
            }
        }

        impl<T> Deref for $name<T> {
            type Target = Option<Box<T>>;
            fn deref(&self) -> &Option<Box<T>> {
                &self.0
            }
        }

        impl<T> DerefMut for $name<T> {
            fn deref_mut(&mut self) -> &mut Option<Box<T>> {
                &mut self.0
            }
        }

        impl<T: Serialize> Serialize for $name<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($mark, &self.0)
            }
        }

        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $name<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                inner($mark, deserializer).map($name)
            }
        }
    };
}

pointer! {
    /// A raw pointer to an object, `class T*`, or null.
    ///
    /// For objects of several classes `T` is an enum with the class names as its variants.
    Ptr, super::RAW_POINTER
}
pointer! {
    /// A shared pointer to an object, `class SharedPointer<class T>`, or null.
    Shared, super::SHARED_POINTER
}
