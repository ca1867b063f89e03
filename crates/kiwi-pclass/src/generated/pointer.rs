//! Pointers of generated code.
//!
//! In a game every class points to others, and these to others again. For each type the compiler
//! wants to know what dropping one does and whether threads may share it, and looks through boxes
//! for that, down to its recursion limit. It does not look behind a trait object, nor make the code of
//! its methods where they are called: `Clone` and the others would go from class to class too.
use std::fmt;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::types::{RAW_POINTER, SHARED_POINTER};

/// Objects that the pointers of this module point to; all generated types are such.
pub trait Target: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {}

impl<T: Clone + fmt::Debug + PartialEq + Send + Sync + 'static> Target for T {}

/// An object that is a `T`, which only its methods know.
trait Held<T>: Send + Sync {
    fn get(&self) -> &T;
    fn get_mut(&mut self) -> &mut T;
    fn into_inner(self: Box<Self>) -> T;
    fn to_held(&self) -> Box<dyn Held<T>>;
    fn as_debug(&self) -> &dyn fmt::Debug;
    fn is_equal(&self, other: &T) -> bool;
}

impl<T: Target> Held<T> for T {
    fn get(&self) -> &T {
        self
    }

    fn get_mut(&mut self) -> &mut T {
        self
    }

    fn into_inner(self: Box<Self>) -> T {
        *self
    }

    fn to_held(&self) -> Box<dyn Held<T>> {
        Box::new(self.clone())
    }

    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }

    fn is_equal(&self, other: &T) -> bool {
        self == other
    }
}

macro_rules! pointer {
    ($(#[$about:meta])* $name:ident, $mark:path) => {
        $(#[$about])*
        pub struct $name<T>(Option<Box<dyn Held<T>>>);

        impl<T> $name<T> {
            /// The null pointer.
            pub const fn null() -> Self {
                $name(None)
            }

            /// The object, if it is not null.
            pub fn get(&self) -> Option<&T> {
                self.0.as_deref().map(Held::get)
            }

            /// The object to change, if it is not null.
            pub fn get_mut(&mut self) -> Option<&mut T> {
                self.0.as_deref_mut().map(Held::get_mut)
            }

            /// The object itself, if it is not null.
            #[must_use]
            pub fn into_inner(self) -> Option<T> {
                self.0.map(Held::into_inner)
            }
        }

        impl<T: Target> $name<T> {
            /// A pointer to an object.
            pub fn new(object: T) -> Self {
                $name(Some(Box::new(object)))
            }
        }

        impl<T> Default for $name<T> {
            fn default() -> Self {
                $name(None)
            }
        }

        impl<T: Target> From<T> for $name<T> {
            fn from(object: T) -> Self {
                $name::new(object)
            }
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                $name(self.0.as_deref().map(Held::to_held))
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let object = self.0.as_deref().map(Held::as_debug);
                f.debug_tuple(stringify!($name)).field(&object).finish()
            }
        }

        impl<T> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                match (self.0.as_deref(), other.get()) {
                    (Some(object), Some(other)) => object.is_equal(other),
                    (object, other) => object.is_none() && other.is_none(),
                }
            }
        }

        impl<T: Serialize> Serialize for $name<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($mark, &self.get())
            }
        }

        impl<'de, T: Deserialize<'de> + Target> Deserialize<'de> for $name<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let plain = crate::types::$name::<T>::deserialize(deserializer)?;
                Ok($name(plain.0.map(|object| object as Box<dyn Held<T>>)))
            }
        }
    };
}

pointer! {
    /// As [`Ptr`](crate::types::Ptr), but the compiler does not look at what it points to.
    Ptr, RAW_POINTER
}
pointer! {
    /// As [`Shared`](crate::types::Shared), but the compiler does not look at what it points to.
    Shared, SHARED_POINTER
}
