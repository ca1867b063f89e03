//! A `Value` as a deserializer: the reader of its format, over the bytes that it is written as.
//!
//! So it reads as its bytes do, with every conversion of the format. But the bytes are gone when the
//! call returns, so a text that a type borrows is looked for in the value, which lives longer:
//! [`Lending`] stands between the reader and the type, and [`value_deserializer!`](crate::value_deserializer)
//! makes deserializers of a format's `Value` and `&Value`.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::walk::{self, Nested};

/// The texts and byte strings of a value, each lent in the place of an equal one.
#[derive(Clone, Debug, Default)]
pub struct Texts<'de>(Vec<&'de [u8]>);

impl<'de> Texts<'de> {
    /// Collects the texts that `own` adds for a value and for each one inside of it.
    pub fn of<T: Nested>(value: &'de T, own: impl Fn(&'de T, &mut Vec<&'de [u8]>)) -> Self {
        let mut texts = Vec::new();
        walk::all(value).for_each(|value| own(value, &mut texts));
        texts.sort_unstable();
        Texts(texts)
    }

    fn find(&self, bytes: &[u8]) -> Option<&'de [u8]> {
        self.0.get(self.0.binary_search(&bytes).ok()?).copied()
    }
}

/// Shows a type that borrows for `'de` what a reader of bytes with the lifetime `'b` reads.
#[derive(Debug)]
pub struct Lending<'t, 'de, 'b, T> {
    inner: T,
    texts: &'t Texts<'de>,
    bytes: PhantomData<&'b ()>,
}

impl<'t, 'de, T> Lending<'t, 'de, '_, T> {
    /// Lends `texts` to what reads from `inner`.
    pub fn new(inner: T, texts: &'t Texts<'de>) -> Self {
        Lending { inner, texts, bytes: PhantomData }
    }

    /// Returns what is inside, and what wraps a partner of it.
    fn split<'b, U>(self) -> (T, impl FnOnce(U) -> Lending<'t, 'de, 'b, U>) {
        let texts = self.texts;
        (self.inner, move |inner| Lending::new(inner, texts))
    }
}

/// Gives the methods of serde's `Deserializer` to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __requests {
    ([$($each:tt)+] $($with:tt)*) => {
        $($each)+! { $($with)*
            deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(),
            deserialize_i32(), deserialize_i64(), deserialize_i128(), deserialize_u8(),
            deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
            deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(),
            deserialize_string(), deserialize_bytes(), deserialize_byte_buf(), deserialize_option(),
            deserialize_unit(), deserialize_unit_struct(name: &'static str),
            deserialize_newtype_struct(name: &'static str), deserialize_seq(),
            deserialize_tuple(len: usize), deserialize_tuple_struct(name: &'static str, len: usize),
            deserialize_map(),
            deserialize_struct(name: &'static str, fields: &'static [&'static str]),
            deserialize_enum(name: &'static str, variants: &'static [&'static str]),
            deserialize_identifier(), deserialize_ignored_any(),
        }
    };
}

/// Methods that pass a partner through: a visitor, the parts that it is shown, a seed.
macro_rules! pass {
    ($($method:ident<$type:ident: $trait:path>($($arg:ident: $arg_type:ty),*) -> $result:ty;)+) => {$(
        fn $method<$type: $trait>(self, $($arg: $arg_type,)* partner: $type) -> $result {
            let (inner, lending) = self.split();
            inner.$method($($arg,)* lending(partner))
        }
    )+};
}

macro_rules! requests {
    ($($method:ident($($arg:ident: $type:ty),*),)+) => {
        pass! { $($method<V: Visitor<'de>>($($arg: $type),*) -> Result<V::Value, D::Error>;)+ }
    };
}

impl<'de, 'b, D: Deserializer<'b>> Deserializer<'de> for Lending<'_, 'de, 'b, D> {
    type Error = D::Error;

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }

    __requests! { [requests] }
}

macro_rules! visits {
    ($($method:ident($($value:ident: $type:ty)?))+) => {$(
        fn $method<E: Error>(self $(, $value: $type)?) -> Result<V::Value, E> {
            self.inner.$method($($value)?)
        }
    )+};
}

impl<'de, 'b, V: Visitor<'de>> Visitor<'b> for Lending<'_, 'de, 'b, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visits! {
        visit_bool(v: bool) visit_i8(v: i8) visit_i16(v: i16) visit_i32(v: i32) visit_i64(v: i64)
        visit_i128(v: i128) visit_u8(v: u8) visit_u16(v: u16) visit_u32(v: u32) visit_u64(v: u64)
        visit_u128(v: u128) visit_f32(v: f32) visit_f64(v: f64) visit_char(v: char)
        visit_none() visit_unit()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        match self.texts.find(text.as_bytes()).and_then(|own| std::str::from_utf8(own).ok()) {
            Some(own) => self.inner.visit_borrowed_str(own),
            None => self.inner.visit_str(text),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<V::Value, E> {
        match self.texts.find(bytes) {
            Some(own) => self.inner.visit_borrowed_bytes(own),
            None => self.inner.visit_bytes(bytes),
        }
    }

    pass! {
        visit_some<D: Deserializer<'b>>() -> Result<V::Value, D::Error>;
        visit_newtype_struct<D: Deserializer<'b>>() -> Result<V::Value, D::Error>;
        visit_seq<A: SeqAccess<'b>>() -> Result<V::Value, A::Error>;
        visit_map<A: MapAccess<'b>>() -> Result<V::Value, A::Error>;
        visit_enum<A: EnumAccess<'b>>() -> Result<V::Value, A::Error>;
    }
}

impl<'de, 'b, S: DeserializeSeed<'de>> DeserializeSeed<'b> for Lending<'_, 'de, 'b, S> {
    type Value = S::Value;

    pass! { deserialize<D: Deserializer<'b>>() -> Result<S::Value, D::Error>; }
}

macro_rules! access {
    ($trait:ident: $($method:ident -> $result:ty),+) => {
        impl<'de, 'b, A: $trait<'b>> $trait<'de> for Lending<'_, 'de, 'b, A> {
            type Error = A::Error;

            $(fn $method<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<$result, A::Error> {
                self.inner.$method(Lending::new(seed, self.texts))
            })+

            fn size_hint(&self) -> Option<usize> {
                self.inner.size_hint()
            }
        }
    };
}

access! { SeqAccess: next_element_seed -> Option<S::Value> }
access! { MapAccess: next_key_seed -> Option<S::Value>, next_value_seed -> S::Value }

impl<'t, 'de, 'b, A: EnumAccess<'b>> EnumAccess<'de> for Lending<'t, 'de, 'b, A> {
    type Error = A::Error;
    type Variant = Lending<'t, 'de, 'b, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(Lending::new(seed, self.texts))?;
        Ok((value, Lending::new(variant, self.texts)))
    }
}

impl<'de, 'b, A: VariantAccess<'b>> VariantAccess<'de> for Lending<'_, 'de, 'b, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    pass! {
        newtype_variant_seed<S: DeserializeSeed<'de>>() -> Result<S::Value, A::Error>;
        tuple_variant<V: Visitor<'de>>(len: usize) -> Result<V::Value, A::Error>;
        struct_variant<V: Visitor<'de>>(fields: &'static [&'static str]) -> Result<V::Value, A::Error>;
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __value_requests {
    ($options:ident, $texts:expr; $($method:ident($($arg:ident: $type:ty),*),)+) => {$(
        fn $method<V: $crate::serde_core::de::Visitor<'de>>(
            self,
            $($arg: $type,)*
            visitor: V,
        ) -> ::std::result::Result<V::Value, Self::Error> {
            let texts = $texts(&self);
            $options::new().read_value(&self, |reader| {
                $crate::lend::Lending::new(reader, &texts).$method($($arg,)* visitor)
            })
        }
    )+};
}

/// Makes a format's `Value` and `&Value` deserializers, with `IntoDeserializer`.
///
/// `Options` needs a method `read_value` that takes a value and a closure, to which it gives a deserializer of
/// the value's bytes. `$readable` says whether the format is text. `$own` puts the texts of a value, but not of
/// values inside of it, into a `Vec`.
#[macro_export]
macro_rules! value_deserializer {
    ($value:ident, $options:ident, $error:ty, $readable:literal, $own:path) => {
        $crate::value_deserializer! { @ $options, $error, $readable;
            /// Text and bytes are borrowed from the value.
            &'de $value, |value: &&'de $value| $crate::lend::Texts::of(*value, $own);
            /// Nothing is borrowed, for the value goes.
            $value, |_: &$value| $crate::lend::Texts::default();
        }
    };
    (@ $options:ident, $error:ty, $readable:literal; $(#[$doc:meta] $source:ty, $texts:expr;)+) => {$(
        #[$doc]
        impl<'de> $crate::serde_core::Deserializer<'de> for $source {
            type Error = $error;

            fn is_human_readable(&self) -> bool {
                $readable
            }

            $crate::__requests! { [$crate::__value_requests] $options, $texts; }
        }

        impl<'de> $crate::serde_core::de::IntoDeserializer<'de, $error> for $source {
            type Deserializer = Self;

            fn into_deserializer(self) -> Self {
                self
            }
        }
    )+};
}
