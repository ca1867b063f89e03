//! Support for the code that `gamewire gen pclass` makes of whole type lists: structs whose base's
//! properties are in a field of their own, in place of being there once more.
//!
//! serde has `flatten` for that, which costs a buffer for each object and loses the class. Here a
//! struct knows its properties by their places, base first, and reads and writes them in place.
//!
//! The types of properties are those of the list and not what the Rust types say, so that reading and
//! writing without a schema is refused: [`Options::schema`](crate::Options::schema).
//!
//! A pointer to a class may point to one that is derived from it: [`derived!`](crate::derived) makes enums of
//! them. Pointers are [`Ptr`] and [`Shared`] of this module, which thousands of classes that point to each
//! other compile with. Reading and writing are generic over the format, and their code is made where a
//! program calls them, for all that a type points to: along a chain of more than some sixty classes the
//! program needs a higher `#![recursion_limit]`, and rustc a larger stack, both of which the generated module
//! names.
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

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, Visitor};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::schema::ClassDef;
use crate::types::GENERATED;

pub use pointer::{Ptr, Shared, Target};
#[doc(hidden)]
pub use serde_core;
#[doc(hidden)]
pub use std::boxed::Box;

/// A struct that [`class!`](crate::class) made: a class, and its properties by their places.
pub trait Generated: Default {
    /// The class with its own properties; those of its bases come from theirs.
    const DEF: ClassDef;
    /// The number of properties, those of the bases included.
    const LEN: usize;

    /// The names of the properties, those of the bases first.
    const NAMES: &'static [&'static str];

    /// The names of the fields of Rust, as the properties.
    const FIELDS: &'static [&'static str];

    /// Reads the property at a place.
    ///
    /// # Errors
    /// Those of `from`.
    fn read<'de, S: Source<'de>>(&mut self, place: usize, from: &mut S) -> Result<(), S::Error>;

    /// Says all properties in their order.
    fn write<S: Sink>(&self, to: &mut S);
}

/// Where values come from, with or without their names.
pub trait Source<'de> {
    /// The error of reading them.
    type Error: de::Error;

    /// Puts the next value into its place.
    ///
    /// # Errors
    /// A value that is missing or does not fit.
    fn put<T: Deserialize<'de>>(&mut self, place: &mut T) -> Result<(), Self::Error>;
}

/// Receives values: writes or shows them. The macro makes a call for each property
/// and no more: a whole type list has tens of thousands.
pub trait Sink {
    /// Takes a property.
    fn field<T: Serialize + fmt::Debug>(&mut self, name: &'static str, value: &T);

    /// Leaves out a property that is `None`, and returns `true`; `false` if it is to be taken.
    fn delta<T>(&mut self, name: &'static str, value: &Option<T>) -> bool;
}

/// Writes, up to the first error.
struct FieldWriter<S: SerializeStruct> {
    to: S,
    error: Option<S::Error>,
}

impl<S: SerializeStruct> Sink for FieldWriter<S> {
    fn field<T: Serialize + fmt::Debug>(&mut self, name: &'static str, value: &T) {
        if self.error.is_none() {
            self.error = self.to.serialize_field(name, value).err();
        }
    }

    fn delta<T>(&mut self, name: &'static str, value: &Option<T>) -> bool {
        if value.is_none() && self.error.is_none() {
            self.error = self.to.skip_field(name).err();
        }
        value.is_none()
    }
}

/// Shows all properties, those of the bases among them, by the names of their fields.
struct FieldDebug<'a, 'f> {
    shown: fmt::DebugStruct<'a, 'f>,
    fields: std::slice::Iter<'static, &'static str>,
}

impl Sink for FieldDebug<'_, '_> {
    fn field<T: Serialize + fmt::Debug>(&mut self, name: &'static str, value: &T) {
        let field = self.fields.next().copied().unwrap_or(name);
        self.shown.field(field.trim_start_matches("r#"), value);
    }

    fn delta<T>(&mut self, _: &'static str, _: &Option<T>) -> bool {
        false
    }
}

/// Shows an object with the name of its type.
///
/// # Errors
/// Those of `f`.
pub fn debug<T: Generated>(name: &str, value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut to = FieldDebug { shown: f.debug_struct(name), fields: T::FIELDS.iter() };
    value.write(&mut to);
    to.shown.finish()
}

struct ByName<A>(A);

impl<'de, A: de::MapAccess<'de>> Source<'de> for ByName<A> {
    type Error = A::Error;

    fn put<T: Deserialize<'de>>(&mut self, place: &mut T) -> Result<(), A::Error> {
        *place = self.0.next_value()?;
        Ok(())
    }
}

struct ByPlace<A>(A, usize);

impl<'de, A: de::SeqAccess<'de>> Source<'de> for ByPlace<A> {
    type Error = A::Error;

    fn put<T: Deserialize<'de>>(&mut self, place: &mut T) -> Result<(), A::Error> {
        let missing = || de::Error::invalid_length(self.1, &"a value for each property");
        *place = self.0.next_element()?.ok_or_else(missing)?;
        Ok(())
    }
}

/// The names of a base and a struct's own, one after another.
#[doc(hidden)]
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

/// Reads the index of a name, which may be a number too; `None` for a name that is missing.
struct NameSeed {
    names: &'static [&'static str],
    /// The index if names come in their order.
    next: usize,
    /// Whether a name that is missing is an error.
    is_variant: bool,
}

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Option<usize>, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property or of a class")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Option<usize>, E> {
        let index = usize::try_from(number).ok().filter(|index| *index < self.names.len());
        match index {
            None => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
            found => Ok(found),
        }
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Option<usize>, E> {
        if self.names.get(self.next).is_some_and(|next| *next == name) {
            return Ok(Some(self.next));
        }
        match self.names.iter().position(|other| *other == name) {
            None if self.is_variant => Err(E::unknown_variant(name, self.names)),
            found => Ok(found),
        }
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Generated> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of {}", T::DEF.name)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_struct(T::DEF.name, T::NAMES, self)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let mut value = T::default();
        let mut from = ByName(map);
        let mut seen = vec![false; T::LEN];
        let mut next = 0;
        while let Some(place) =
            from.0.next_key_seed(NameSeed { names: T::NAMES, next, is_variant: false })?
        {
            let Some(place) = place else {
                from.0.next_value::<IgnoredAny>()?;
                continue;
            };
            if let (Some(seen), Some(name)) = (seen.get_mut(place), T::NAMES.get(place)) {
                if *seen {
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
        let mut from = ByPlace(seq, 0);
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
    // The name tells this crate that the types are those of the list and not of the fields.
    from.deserialize_newtype_struct(GENERATED, ObjectVisitor(PhantomData))
}

/// Writes an object.
///
/// # Errors
/// Those of `to`.
pub fn serialize<T: Generated, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    let mut to = to.serialize_struct(T::DEF.name, T::LEN)?;
    // Nothing for other formats.
    to.skip_field(GENERATED)?;
    let mut fields = FieldWriter { to, error: None };
    value.write(&mut fields);
    fields.error.map_or_else(|| fields.to.end(), Err)
}

/// An enum that [`derived!`](crate::derived) made: a class, and those derived from it.
pub trait Union: Sized {
    /// The class that all are derived from.
    const NAME: &'static str;
    /// The names of the classes, and that of what is none of them.
    const NAMES: &'static [&'static str];

    /// Reads an object of the class at a place among the names.
    ///
    /// # Errors
    /// Those of `from`.
    fn read<'de, A: de::VariantAccess<'de>>(place: usize, from: A) -> Result<Self, A::Error>;
}

/// Which of several classes it is, and then the object.
struct DerivedVisitor<T>(PhantomData<T>);

impl<'de, T: Union> Visitor<'de> for DerivedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of {} or of a class derived from it", T::NAME)
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, data: A) -> Result<T, A::Error> {
        let seed = NameSeed { names: T::NAMES, next: 0, is_variant: true };
        let (place, from) = data.variant_seed(seed)?;
        T::read(place.unwrap_or(usize::MAX), from)
    }
}

/// Reads an object of one of several classes.
///
/// # Errors
/// Those of `from`.
pub fn deserialize_derived<'de, T: Union, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_enum(T::NAME, T::NAMES, DerivedVisitor(PhantomData))
}

/// Makes an enum of a class and those that are derived from it: `Name = "class Name" { variants }`, and a
/// variant `Type = "class Type";`, which holds a box of that type. The last variant, `Unknown`, holds objects
/// of other classes.
///
/// See [`generated`](crate::generated).
#[macro_export]
macro_rules! derived {
    ($(#[$meta:meta])* $name:ident = $class:literal { $($variant:ident = $own:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($variant($crate::generated::Box<$variant>),)*
            /// A class that none of the others is, such as one that a newer type list has.
            Unknown($crate::value::RawObject),
        }

        const _: () = {
            use $crate::generated::{Union, serde_core};

            #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms)]
            enum Place { $($variant,)* Unknown }

            impl Union for $name {
                const NAME: &'static str = $class;
                const NAMES: &'static [&'static str] = &[$($own,)* "$unknown"];

                fn read<'de, A: serde_core::de::VariantAccess<'de>>(
                    place: usize,
                    from: A,
                ) -> ::std::result::Result<Self, A::Error> {
                    $(if place == Place::$variant as usize {
                        return from.newtype_variant().map($name::$variant);
                    })*
                    from.newtype_variant().map($name::Unknown)
                }
            }

            impl serde_core::Serialize for $name {
                fn serialize<S: serde_core::Serializer>(
                    &self,
                    to: S,
                ) -> ::std::result::Result<S::Ok, S::Error> {
                    match self {
                        $($name::$variant(object) => {
                            to.serialize_newtype_variant($class, Place::$variant as u32, $own, object)
                        })*
                        $name::Unknown(object) => {
                            let place = Place::Unknown as u32;
                            to.serialize_newtype_variant($class, place, "$unknown", object)
                        }
                    }
                }
            }

            impl<'de> serde_core::Deserialize<'de> for $name {
                fn deserialize<D: serde_core::Deserializer<'de>>(
                    from: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    $crate::generated::deserialize_derived(from)
                }
            }
        };
    };
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
        #[derive(Clone, Default, PartialEq)]
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
            impl ::std::ops::Deref for $name {
                type Target = $base;

                fn deref(&self) -> &$base {
                    &self.base
                }
            }

            impl ::std::ops::DerefMut for $name {
                fn deref_mut(&mut self) -> &mut $base {
                    &mut self.base
                }
            }
        )?

        const _: () = {
            use $crate::generated::{Generated, Source, join, serde_core};

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

            const FIELDS: &[&str] = &[$(stringify!($field)),*];

            impl Generated for $name {
                const DEF: $crate::schema::ClassDef =
                    $crate::schema::ClassDef::new($class, &[$($bases),*], &[$(
                        $crate::schema::PropertyDef::new($property, $kind, $flags)
                            $(. $with ($($arg)*))*,
                    )*])$(.hash($hash))? $(.derived_from(<$base as Generated>::DEF.name))?;
                const LEN: usize = NAMES.len();
                const NAMES: &'static [&'static str] = NAMES;
                const FIELDS: &'static [&'static str] = {
                    let base: &[&str] = &[];
                    $(let base = <$base as Generated>::FIELDS;)?
                    &join::<{ BASE + OWN.len() }>(base, FIELDS)
                };

                #[allow(unused_variables)]
                fn read<'de, S: Source<'de>>(
                    &mut self,
                    place: usize,
                    from: &mut S,
                ) -> ::std::result::Result<(), S::Error> {
                    $(if place < <$base as Generated>::LEN {
                        return Generated::read(&mut self.base, place, from);
                    })?
                    let own = place.wrapping_sub(BASE);
                    $(if own == Own::$field as usize {
                        return from.put(&mut self.$field);
                    })*
                    ::std::result::Result::Ok(())
                }

                #[allow(unused_variables)]
                fn write<S: $crate::generated::Sink>(&self, to: &mut S) {
                    $(<$base as Generated>::write(&self.base, to);)?
                    $($(if !to.$delta($property, &self.$field))? {
                        to.field($property, &self.$field);
                    })*
                }
            }

            impl ::std::fmt::Debug for $name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    $crate::generated::debug(stringify!($name), self, f)
                }
            }

            impl serde_core::Serialize for $name {
                fn serialize<S: serde_core::Serializer>(
                    &self,
                    to: S,
                ) -> ::std::result::Result<S::Ok, S::Error> {
                    $crate::generated::serialize(self, to)
                }
            }

            impl<'de> serde_core::Deserialize<'de> for $name {
                fn deserialize<D: serde_core::Deserializer<'de>>(
                    from: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    $crate::generated::deserialize(from)
                }
            }
        };
    )*};
}
