//! What the code uses that `gamewire gen pclass` makes of whole type lists: structs whose base's
//! properties are in a field of their own, in place of being there once more.
//!
//! serde has `flatten` for that, which costs a buffer for each object and loses the class. Here a
//! struct knows its properties by their places, base first, and reads and writes them in place.
//!
//! Its pointers are [`Ptr`] and [`Shared`] of this module, which thousands of classes that point to each
//! other compile with. Reading and writing are generic over the format, and their code is made where a
//! program calls them, for all that a type points to: along a chain of more than some sixty classes the
//! program needs a higher `#![recursion_limit]`, which the generated module names.
//!
//! ```
//! use kiwi_pclass::generated::Generated;
//! use kiwi_pclass::{Options, Schema};
//!
//! kiwi_pclass::class! {
//!     /// What both have.
//!     Entity = "class Entity" [] {
//!         name: String = "m_name" "std::string" 0x1f;
//!     }
//!     /// One that moves.
//!     Walker: Entity = "class Walker" ["Entity"] {
//!         speed: f32 = "m_speed" "float" 0x1f;
//!         @delta goal: Option<u32> = "m_goal" "unsigned int" 0x11f;
//!     }
//! }
//!
//! let schema = Schema::builder().classes(&[Entity::DEF, Walker::DEF])?.build()?;
//! let options = Options::file().schema(schema);
//! let mut walker = Walker { speed: 1.5, ..Walker::default() };
//! walker.name = "imp".into();
//! let bytes = options.to_vec(&walker)?;
//! let again: Walker = options.from_slice(&bytes)?;
//! assert_eq!((again.name.as_str(), again.speed, again.goal), ("imp", 1.5, None));
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

mod pointer;

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, Visitor};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::schema::ClassDef;

pub use pointer::{Ptr, Shared, Target};
#[doc(hidden)]
pub use serde_core;

/// A struct that [`class!`](crate::class) made: a class, and its properties by their places.
pub trait Generated: Default {
    /// The class with its own properties; those of its bases come from theirs.
    const DEF: ClassDef;
    /// The number of properties, those of the bases included.
    const LEN: usize;

    /// The names of the properties, those of the bases first.
    const NAMES: &'static [&'static str];

    /// Reads the property at a place.
    ///
    /// # Errors
    /// Those of `from`.
    fn read<'de, S: Source<'de>>(&mut self, place: usize, from: &mut S) -> Result<(), S::Error>;

    /// Writes all properties in their order.
    fn write<S: SerializeStruct>(&self, to: &mut Fields<S>);
}

/// Where values come from, with or without their names.
pub trait Source<'de> {
    /// What is wrong with them.
    type Error: de::Error;

    /// The next value.
    ///
    /// # Errors
    /// A value that is not there or does not fit.
    fn value<T: Deserialize<'de>>(&mut self) -> Result<T, Self::Error>;

    /// Puts the next value into its place.
    ///
    /// # Errors
    /// Those of [`value`](Self::value).
    fn put<T: Deserialize<'de>>(&mut self, place: &mut T) -> Result<(), Self::Error> {
        *place = self.value()?;
        Ok(())
    }
}

/// Where values go, up to the first error. It is kept here, so that what the macro makes for each
/// property is a call and no more: a whole type list has tens of thousands.
#[derive(Debug)]
pub struct Fields<S: SerializeStruct> {
    to: S,
    error: Option<S::Error>,
}

impl<S: SerializeStruct> Fields<S> {
    /// Writes a property.
    pub fn field<T: Serialize>(&mut self, name: &'static str, value: &T) {
        if self.error.is_none() {
            self.error = self.to.serialize_field(name, value).err();
        }
    }

    /// Leaves out a property that is `None`; `false` if it is not.
    pub fn delta<T>(&mut self, name: &'static str, value: &Option<T>) -> bool {
        if value.is_none() && self.error.is_none() {
            self.error = self.to.skip_field(name).err();
        }
        value.is_none()
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        match self.error {
            Some(error) => Err(error),
            None => self.to.end(),
        }
    }
}

struct Named<A>(A);

impl<'de, A: de::MapAccess<'de>> Source<'de> for Named<A> {
    type Error = A::Error;

    fn value<T: Deserialize<'de>>(&mut self) -> Result<T, A::Error> {
        self.0.next_value()
    }
}

struct InOrder<A>(A, usize);

impl<'de, A: de::SeqAccess<'de>> Source<'de> for InOrder<A> {
    type Error = A::Error;

    fn value<T: Deserialize<'de>>(&mut self) -> Result<T, A::Error> {
        let at = self.1;
        let value = self.0.next_element()?;
        value.ok_or_else(|| de::Error::invalid_length(at, &"a value for each property"))
    }
}

/// The names of a base and a struct's own, one after another.
#[doc(hidden)]
#[must_use]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "in constants only")]
pub const fn join<const N: usize>(
    base: &[&'static str],
    own: &[&'static str],
) -> [&'static str; N] {
    let mut all = [""; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < base.len() { base[at] } else { own[at - base.len()] };
        at += 1;
    }
    all
}

/// The place of a name, for a visitor of keys.
struct Place {
    names: &'static [&'static str],
    /// Where it is if properties come in their order.
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Place {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Option<usize>, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Place {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        if self.names.get(self.next).is_some_and(|next| *next == name) {
            return Ok(Some(self.next));
        }
        Ok(self.names.iter().position(|other| *other == name))
    }
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Generated> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of {}", T::DEF.name)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let mut value = T::default();
        let mut from = Named(map);
        let mut seen = vec![false; T::LEN];
        let mut next = 0;
        while let Some(place) = from.0.next_key_seed(Place { names: T::NAMES, next })? {
            let Some(place) = place else {
                from.0.next_value::<IgnoredAny>()?;
                continue;
            };
            if let Some(seen) = seen.get_mut(place) {
                if *seen {
                    let name = T::NAMES.get(place).copied().unwrap_or_default();
                    return Err(de::Error::duplicate_field(name));
                }
                *seen = true;
            }
            value.read(place, &mut from)?;
            next = place.saturating_add(1);
        }
        Ok(value)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        let mut value = T::default();
        let mut from = InOrder(seq, 0);
        for place in 0..T::LEN {
            from.1 = place;
            value.read(place, &mut from)?;
        }
        Ok(value)
    }
}

/// Reads an object. What it does not have is as in a new one.
///
/// # Errors
/// Those of `from`.
pub fn deserialize<'de, T: Generated, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_struct(T::DEF.name, T::NAMES, Object(PhantomData))
}

/// Writes an object.
///
/// # Errors
/// Those of `to`.
pub fn serialize<T: Generated, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    let to = to.serialize_struct(T::DEF.name, T::LEN)?;
    let mut fields = Fields { to, error: None };
    value.write(&mut fields);
    fields.end()
}

/// Makes structs of classes: `Name: Base = "class Name" ["Base", …] { fields }`, and a field
/// `name: Type = "property" "C++ type" flags;`. `@delta` stands before a field that is an `Option`
/// and left out when it is `None`; methods of [`PropertyDef`](crate::schema::PropertyDef) may follow
/// the flags. The base is the field `base`, and the struct derefs to it.
///
/// See [`generated`](crate::generated).
#[macro_export]
macro_rules! class {
    ($(
        $(#[$meta:meta])*
        $name:ident $(: $base:ident)? = $class:literal [$($bases:literal),*] $($hash:literal)? {
            $($(@ $delta:ident)? $field:ident: $type:ty = $property:literal $kind:literal $flags:literal
                $(. $with:ident ($($arg:tt)*))*;)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $(
                /// The properties of the class that it is derived from.
                pub base: $base,
            )?
            $(
                #[doc = concat!("`", $kind, " ", $property, "`.")]
                pub $field: $type,
            )*
        }

        $(
            impl ::core::ops::Deref for $name {
                type Target = $base;

                fn deref(&self) -> &$base {
                    &self.base
                }
            }

            impl ::core::ops::DerefMut for $name {
                fn deref_mut(&mut self) -> &mut $base {
                    &mut self.base
                }
            }
        )?

        const _: () = {
            use $crate::generated::{Fields, Generated, Source, join, serde_core};

            #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms)]
            enum Own { $($field,)* }

            const BASE: usize = 0 $(+ <$base as Generated>::LEN)?;
            const OWN: &[&str] = &[$($property),*];
            #[allow(unused_variables)]
            const NAMES: &[&str] = {
                let base: &[&str] = &[];
                $(let base = <$base as Generated>::NAMES;)?
                &join::<{ BASE + OWN.len() }>(base, OWN)
            };

            impl Generated for $name {
                const DEF: $crate::schema::ClassDef =
                    $crate::schema::ClassDef::new($class, &[$($bases),*], &[$(
                        $crate::schema::PropertyDef::new($property, $kind, $flags)
                            $(. $with ($($arg)*))*,
                    )*])$(.hash($hash))? $(.derived_from(<$base as Generated>::DEF.name))?;
                const LEN: usize = NAMES.len();
                const NAMES: &'static [&'static str] = NAMES;

                #[allow(unused_variables)]
                fn read<'de, S: Source<'de>>(
                    &mut self,
                    place: usize,
                    from: &mut S,
                ) -> ::core::result::Result<(), S::Error> {
                    $(if place < <$base as Generated>::LEN {
                        return Generated::read(&mut self.base, place, from);
                    })?
                    let own = place.wrapping_sub(BASE);
                    $(if own == Own::$field as usize {
                        return from.put(&mut self.$field);
                    })*
                    ::core::result::Result::Ok(())
                }

                #[allow(unused_variables)]
                fn write<S: serde_core::ser::SerializeStruct>(&self, to: &mut Fields<S>) {
                    $(<$base as Generated>::write(&self.base, to);)?
                    $($(if !to.$delta($property, &self.$field))? {
                        to.field($property, &self.$field);
                    })*
                }
            }

            impl serde_core::Serialize for $name {
                fn serialize<S: serde_core::Serializer>(
                    &self,
                    to: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    $crate::generated::serialize(self, to)
                }
            }

            impl<'de> serde_core::Deserialize<'de> for $name {
                fn deserialize<D: serde_core::Deserializer<'de>>(
                    from: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    $crate::generated::deserialize(from)
                }
            }
        };
    )*};
}
