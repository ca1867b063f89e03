use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeSeq, Serializer};

use super::handoff;
use crate::read::integer_prefix;

/// The integer type below an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Underlying {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

/// A type of Rust that enums can have below them; for the macros.
#[doc(hidden)]
pub trait Integer {
    const UNDERLYING: Underlying;
}

macro_rules! integers {
    ($($own:ty, $name:ident;)+) => {
        $(impl Integer for $own {
            const UNDERLYING: Underlying = Underlying::$name;
        })+
    };
}

integers! { i8, I8; i16, I16; i32, I32; i64, I64; u8, U8; u16, U16; u32, U32; u64, U64; }

impl Underlying {
    /// Whether it has negative numbers.
    pub const fn is_signed(self) -> bool {
        matches!(self, Underlying::I8 | Underlying::I16 | Underlying::I32 | Underlying::I64)
    }

    /// How many bits it has.
    pub const fn bits(self) -> u32 {
        match self {
            Underlying::I8 | Underlying::U8 => 8,
            Underlying::I16 | Underlying::U16 => 16,
            Underlying::I32 | Underlying::U32 => 32,
            Underlying::I64 | Underlying::U64 => 64,
        }
    }

    /// The bits of a number in its range, widened with its sign.
    pub(crate) fn signed(self, value: i64) -> Option<u64> {
        if !self.is_signed() {
            return value.try_into().ok().and_then(|value| self.unsigned(value));
        }
        let spare = 64_u32.saturating_sub(self.bits());
        (value << spare >> spare == value).then_some(value.cast_unsigned())
    }

    /// The bits of a number in its range.
    pub(crate) fn unsigned(self, value: u64) -> Option<u64> {
        if self.is_signed() {
            return value.try_into().ok().and_then(|value| self.signed(value));
        }
        (value <= u64::MAX >> 64_u32.saturating_sub(self.bits())).then_some(value)
    }
}

/// An enum as registered: its integer type, and names with their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnumInfo {
    /// The name of the enum, for errors.
    pub name: &'static str,
    /// The integer type below it.
    pub underlying: Underlying,
    /// Names and values, in the order of their registration; signed values are widened.
    pub values: &'static [(&'static str, u64)],
}

impl EnumInfo {
    /// The value of a name, whatever its case; the first one of that name.
    pub fn value_of(&self, name: &str) -> Option<u64> {
        let found = self.values.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| *value)
    }

    /// The bits of the number at the beginning of a text, as the engine reads it.
    pub(crate) fn number_of(&self, text: &str) -> Option<u64> {
        let prefix = integer_prefix(text)?;
        match self.underlying.is_signed() {
            true => self.underlying.signed(prefix.signed()?),
            false => self.underlying.unsigned(prefix.unsigned()?),
        }
    }

    /// The first name of a value.
    pub fn name_of(&self, value: u64) -> Option<&'static str> {
        self.values.iter().find(|(_, known)| *known == value).map(|(name, _)| *name)
    }

    /// For errors: all names with their values, as the engine lists them.
    pub(crate) fn expected(&self) -> String {
        let mut text = format!("a value of {}", self.name);
        for (index, (name, value)) in self.values.iter().enumerate().take(8) {
            text.push_str(if index == 0 { ", one of " } else { ", " });
            text.push_str(&format!("{name} {}", self.number(*value)));
        }
        text
    }

    /// The number of some bits, in digits.
    fn number(&self, bits: u64) -> String {
        if self.underlying.is_signed() { bits.cast_signed().to_string() } else { bits.to_string() }
    }

    /// The parts that the engine writes: a name, a number, or several parts of which the last may be a
    /// number, by its bits. Greatest value first, and every name that is contained.
    pub(crate) fn parts(&self, bits: u64) -> (Vec<&'static str>, Option<u64>) {
        if let Some(name) = self.name_of(bits) {
            return (vec![name], None);
        }
        let mut contained: Vec<(&str, u64)> = Vec::new();
        for &(name, value) in self.values {
            if value != 0
                && bits & value == value
                && !contained.iter().any(|(_, known)| *known == value)
            {
                contained.push((name, value));
            }
        }
        if contained.is_empty() {
            return (Vec::new(), Some(bits));
        }
        contained.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        let covered = contained.iter().fold(0, |covered, (_, value)| covered | value);
        let rest = bits & !covered;
        let names = contained.into_iter().map(|(name, _)| name).collect();
        (names, (rest != 0).then_some(rest))
    }

    /// The parts that the published page writes: no name that adds nothing, in the order of registration.
    pub(crate) fn parts_of_page(&self, bits: u64) -> (Vec<&'static str>, Option<u64>) {
        if let Some(name) = self.name_of(bits) {
            return (vec![name], None);
        }
        let all = u64::MAX >> 64_u32.saturating_sub(self.underlying.bits());
        let (engine, _) = self.parts(bits);
        if engine.is_empty() || bits & all == all {
            return (Vec::new(), Some(bits));
        }
        let mut covered = 0;
        let mut wanted: Vec<&str> = Vec::new();
        for (name, value) in engine.iter().filter_map(|name| Some((*name, self.value_of(name)?))) {
            if value & !covered != 0 {
                covered |= value;
                wanted.push(name);
            }
        }
        let names = self.values.iter().map(|(name, _)| *name).filter(|name| wanted.contains(name));
        let rest = bits & !covered;
        (names.collect(), (rest != 0).then_some(rest))
    }
}

/// An enum or a set of flags with a table of names, as registered with the engine.
///
/// [`register_enum!`](crate::register_enum) and [`register_flags!`](crate::register_flags) write
/// this and serde's traits.
pub trait Enumeration: Sized {
    /// Names and values.
    const INFO: &'static EnumInfo;

    /// The value, signed ones widened.
    fn to_bits(&self) -> u64;

    /// The value with these bits; `None` if there is none, which a Rust enum says of numbers that
    /// are not registered.
    fn from_bits(bits: u64) -> Option<Self>;
}

/// Serializes through the table; for the macros.
///
/// # Errors
/// As the serializer.
#[doc(hidden)]
pub fn serialize_enum<T: Enumeration, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let bits = value.to_bits();
    handoff::leave_enum(T::INFO, bits);
    serializer.serialize_newtype_struct(handoff::ENUM, &Readable(T::INFO, bits))
}

/// The number of some bits.
struct Number<'a>(&'a EnumInfo, u64);

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.underlying.is_signed() {
            true => serializer.serialize_i64(self.1.cast_signed()),
            false => serializer.serialize_u64(self.1),
        }
    }
}

/// An enum for other formats: names where they are read by people, else the number.
struct Readable(&'static EnumInfo, u64);

impl Serialize for Readable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Readable(info, bits) = *self;
        if !serializer.is_human_readable() {
            return Number(info, bits).serialize(serializer);
        }
        let (names, rest) = info.parts(bits);
        match (names.as_slice(), rest) {
            ([], _) => Number(info, bits).serialize(serializer),
            ([name], None) => serializer.serialize_str(name),
            _ => {
                let mut seq = serializer.serialize_seq(None)?;
                names.iter().try_for_each(|name| seq.serialize_element(name))?;
                rest.iter().try_for_each(|rest| seq.serialize_element(&Number(info, *rest)))?;
                seq.end()
            }
        }
    }
}

/// Deserializes through the table; for the macros.
///
/// # Errors
/// As the deserializer, or a value that the type does not have.
#[doc(hidden)]
pub fn deserialize_enum<'de, T: Enumeration, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    handoff::leave_enum(T::INFO, 0);
    let bits = deserializer.deserialize_newtype_struct(handoff::ENUM, Bits(T::INFO))?;
    T::from_bits(bits).ok_or_else(|| {
        let number = T::INFO.number(bits);
        de::Error::custom(format_args!("expected {}, found {number}", T::INFO.expected()))
    })
}

struct Bits(&'static EnumInfo);

impl<'de> Visitor<'de> for Bits {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.expected())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        handoff::take_enum();
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else if self.0.underlying.is_signed() {
            i64::deserialize(deserializer).map(i64::cast_unsigned)
        } else {
            u64::deserialize(deserializer)
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<u64, E> {
        Ok(value.cast_unsigned())
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<u64, E> {
        let found = self.0.number_of(name).or_else(|| self.0.value_of(name));
        found.ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))
    }

    /// `{}`, which is the default.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        match map.next_key::<de::IgnoredAny>()? {
            None => Ok(0),
            Some(_) => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u64, A::Error> {
        let mut bits = 0;
        while let Some(part) = seq.next_element_seed(Bits(self.0))? {
            bits |= part;
        }
        Ok(bits)
    }
}

impl<'de> de::DeserializeSeed<'de> for Bits {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Registers a Rust enum: names and variants, and the integer type below it.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Projection {
///     Perspective = 1,
///     Orthographic = 2,
/// }
///
/// o3de_json::register_enum!(Projection: u8 {
///     "Perspective" => Projection::Perspective,
///     "Orthographic" => Projection::Orthographic,
/// });
///
/// assert_eq!(o3de_json::from_str::<Projection>("\"orthographic\"")?, Projection::Orthographic);
/// assert_eq!(o3de_json::from_str::<Projection>("1")?, Projection::Perspective);
/// assert_eq!(o3de_json::to_string(&Projection::Perspective)?, "\"Perspective\"");
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[macro_export]
macro_rules! register_enum {
    ($type:ty: $underlying:ident { $($name:literal => $value:expr),+ $(,)? }) => {
        $crate::register_flags!(@ $type, $underlying, { $($name => $value as $underlying),+ },
            |value| *value as $underlying,
            |bits| [$($value),+].into_iter().find(|value| *value as $underlying as u64 == bits));
    };
}

/// Registers flags: a newtype of an integer, or with `bitflags` in front a type that the
/// `bitflags` macro made. Any bits are accepted, registered or not.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Layers(u8);
///
/// o3de_json::register_flags!(Layers: u8 { "Ground" => 1, "Water" => 2, "Sky" => 4 });
///
/// assert_eq!(o3de_json::from_str::<Layers>(r#"["Ground", "sky", 16]"#)?, Layers(21));
/// assert_eq!(o3de_json::to_string(&Layers(21))?, r#"["Sky","Ground",16]"#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[macro_export]
macro_rules! register_flags {
    (bitflags $type:ty: $underlying:ident { $($name:literal => $value:expr),+ $(,)? }) => {
        $crate::register_flags!(@ $type, $underlying,
            { $($name => { let value: $type = $value; value.bits() }),+ },
            |flags| flags.bits(),
            |bits| ::std::option::Option::Some(<$type>::from_bits_retain(bits as $underlying)));
    };
    ($type:ty: $underlying:ident { $($name:literal => $value:expr),+ $(,)? }) => {
        $crate::register_flags!(@ $type, $underlying,
            { $($name => { let value: $underlying = $value; value }),+ },
            |flags| flags.0,
            |bits| ::std::option::Option::Some(Self(bits as $underlying)));
    };
    (
        @ $type:ty, $underlying:ident, { $($name:literal => $value:expr),+ },
        |$flags:ident| $to_bits:expr, |$bits:ident| $from_bits:expr
    ) => {
        impl $crate::types::Enumeration for $type {
            const INFO: &'static $crate::types::EnumInfo = &$crate::types::EnumInfo {
                name: stringify!($type),
                underlying: <$underlying as $crate::types::Integer>::UNDERLYING,
                values: &[$(($name, $value as u64)),+],
            };

            fn to_bits(&self) -> u64 {
                let $flags = self;
                $to_bits as u64
            }

            fn from_bits($bits: u64) -> ::std::option::Option<Self> {
                $from_bits
            }
        }

        $crate::__enum_serde!($type);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __enum_serde {
    ($type:ty) => {
        impl $crate::__private::serde_core::Serialize for $type {
            fn serialize<S: $crate::__private::serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                $crate::types::serialize_enum(self, serializer)
            }
        }

        impl<'de> $crate::__private::serde_core::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__private::serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::types::deserialize_enum(deserializer)
            }
        }
    };
}
