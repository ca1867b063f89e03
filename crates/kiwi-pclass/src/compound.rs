//! Traits of serde that several serializers and deserializers implement alike: those by which a compound
//! is written, and that the format is a binary one.

use crate::{Error, ErrorKind, Result};

/// In the traits of serde: the format is not for people to read.
macro_rules! binary {
    () => {
        fn is_human_readable(&self) -> bool {
            false
        }
    };
}
pub(crate) use binary;

/// For a type with `item(value)` and `finish()`.
macro_rules! lists {
    ($type:ident<$life:lifetime> => $ok:ty) => {
        lists!(@one SerializeSeq serialize_element $type<$life> => $ok);
        lists!(@one SerializeTuple serialize_element $type<$life> => $ok);
        lists!(@one SerializeTupleStruct serialize_field $type<$life> => $ok);
    };
    (@one $trait:ident $method:ident $type:ident<$life:lifetime> => $ok:ty) => {
        impl<$life> serde_core::ser::$trait for $type<$life> {
            type Ok = $ok;
            type Error = $crate::Error;

            #[inline(always)]
            fn $method<T: serde_core::Serialize + ?Sized>(&mut self, v: &T) -> $crate::Result<()> {
                self.item(v)
            }

            #[inline(always)]
            fn end(self) -> $crate::Result<$ok> {
                self.finish()
            }
        }
    };
}
pub(crate) use lists;

/// For a type with `field(key, value)`, `skip(key)` and `finish()`; `field` may have an attribute.
macro_rules! structs {
    ($(#[$meta:meta])? $type:ident<$life:lifetime> => $ok:ty) => {
        structs!(@one SerializeStruct $(#[$meta])? $type<$life> => $ok);
        structs!(@one SerializeStructVariant $(#[$meta])? $type<$life> => $ok);
    };
    (@one $trait:ident $(#[$meta:meta])? $type:ident<$life:lifetime> => $ok:ty) => {
        impl<$life> serde_core::ser::$trait for $type<$life> {
            type Ok = $ok;
            type Error = $crate::Error;

            #[inline(always)]
            $(#[$meta])?
            fn serialize_field<T: serde_core::Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> $crate::Result<()> {
                self.field(key, value)
            }

            fn skip_field(&mut self, key: &'static str) -> $crate::Result<()> {
                self.skip(key)
            }

            #[inline(always)]
            fn end(self) -> $crate::Result<$ok> {
                self.finish()
            }
        }
    };
}
pub(crate) use structs;

/// Levels of Rust types around one value that have no bytes.
const MAX_WRAPPERS: u8 = 64;

/// One more such level.
#[inline]
pub(crate) fn count_wrapper(wrappers: &mut u8) -> Result<()> {
    *wrappers = wrappers.saturating_add(1);
    if *wrappers <= MAX_WRAPPERS { Ok(()) } else { Err(too_many_wrappers()) }
}

#[cold]
fn too_many_wrappers() -> Error {
    let message = format!("more than {MAX_WRAPPERS} newtypes and options are around one value");
    Error::new(ErrorKind::DepthLimit, message)
}
