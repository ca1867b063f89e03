//! Type lists in JSON: wiztype version 1 (classes by name) and version 2 (classes by hash).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde_core::de::{
    Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::build::property;
use super::{Class, Container, EnumOptions};
use crate::types::PropertyFlags;
use crate::{Error, ErrorKind, Game, Result};

pub(super) fn read(json: &[u8], game: Game) -> Result<Vec<Class>> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let list: TypeList = serde_json::from_slice(json).map_err(|error| {
        Error::new(ErrorKind::Schema, format!("the type list is malformed: {error}"))
    })?;
    // The spellings of one type share their options.
    list.classes.into_iter().map(|(key, class)| class.build(key, game)).collect()
}

struct TypeList {
    classes: Vec<(String, RawClass)>,
}

impl<'de> Deserialize<'de> for TypeList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct ListVisitor;

        impl<'de> Visitor<'de> for ListVisitor {
            type Value = TypeList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type list")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<TypeList, A::Error> {
                let mut classes = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    match &*key {
                        "version" => match map.next_value::<u64>()? {
                            1 | 2 => {}
                            other => {
                                return Err(A::Error::custom(format_args!(
                                    "version {other} is not known"
                                )));
                            }
                        },
                        "classes" => {
                            let Entries(inner) = map.next_value()?;
                            classes.extend(inner);
                        }
                        _ => {
                            let class = map.next_value()?;
                            classes.push((key, class));
                        }
                    }
                }
                Ok(TypeList { classes })
            }
        }

        deserializer.deserialize_map(ListVisitor)
    }
}

/// A map in its order.
struct Entries<T>(Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct EntriesVisitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }

            fn visit_unit<E>(self) -> std::result::Result<Entries<T>, E> {
                Ok(Entries::default())
            }
        }

        deserializer.deserialize_any(EntriesVisitor(std::marker::PhantomData))
    }
}

/// The fields that are used; others are passed over.
macro_rules! raw {
    ($name:ident { $($field:ident: $type:ty = $key:literal,)+ }) => {
        #[derive(Default)]
        struct $name {
            $($field: Option<$type>,)+
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                struct RawVisitor;

                impl<'de> Visitor<'de> for RawVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an object of a type list")
                    }

                    fn visit_map<A: MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> std::result::Result<$name, A::Error> {
                        let mut raw = $name::default();
                        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
                            match &*key {
                                $($key => raw.$field = map.next_value()?,)+
                                _ => {
                                    map.next_value::<IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(raw)
                    }
                }

                deserializer.deserialize_map(RawVisitor)
            }
        }
    };
}

raw! {
    RawClass {
        name: String = "name",
        bases: Bases = "bases",
        hash: Number = "hash",
        properties: Entries<RawProperty> = "properties",
    }
}

raw! {
    RawProperty {
        type_name: String = "type",
        id: u32 = "id",
        flags: Number = "flags",
        container: String = "container",
        dynamic: bool = "dynamic",
        hash: Number = "hash",
        options: Entries<OptionValue> = "enum_options",
    }
}

struct Bases(Vec<Box<str>>);

impl<'de> Deserialize<'de> for Bases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct BasesVisitor;

        impl<'de> Visitor<'de> for BasesVisitor {
            type Value = Bases;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names of classes")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Bases, A::Error> {
                let mut bases = Vec::new();
                while let Some(base) = seq.next_element::<String>()? {
                    bases.push(base.into());
                }
                Ok(Bases(bases))
            }
        }

        deserializer.deserialize_seq(BasesVisitor)
    }
}

/// 32 bits; negative numbers are taken as `int`s.
struct Number(u32);

/// A number, or text: a name, digits, a class.
enum OptionValue {
    Number(u32),
    Text(String),
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = OptionValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of 32 bits")
    }

    fn visit_u64<E: serde_core::de::Error>(self, v: u64) -> std::result::Result<OptionValue, E> {
        let number = u32::try_from(v);
        number.map(OptionValue::Number).map_err(|_| E::custom(format_args!("{v} has over 32 bits")))
    }

    fn visit_i64<E: serde_core::de::Error>(self, v: i64) -> std::result::Result<OptionValue, E> {
        let number = i32::try_from(v).map(i32::cast_unsigned).or_else(|_| u32::try_from(v));
        number.map(OptionValue::Number).map_err(|_| E::custom(format_args!("{v} has over 32 bits")))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<OptionValue, E> {
        let number = text.parse::<u32>().ok();
        let number = number.or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned));
        Ok(number.map_or_else(|| OptionValue::Text(text.to_owned()), OptionValue::Number))
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match OptionValue::deserialize(deserializer)? {
            OptionValue::Number(number) => Ok(Number(number)),
            OptionValue::Text(_) => Err(D::Error::custom("expected a number of 32 bits")),
        }
    }
}

impl RawClass {
    fn build(self, key: String, game: Game) -> Result<Class> {
        // In version 1 the key is the name, in version 2 the hash.
        let name = self.name.unwrap_or(key);
        let hash = self.hash.map_or_else(|| game.class_hash(&name), |Number(hash)| hash);
        let bases = self.bases.map(|Bases(bases)| bases).unwrap_or_default();
        let Entries(properties) = self.properties.unwrap_or_default();
        let properties: Result<_> = properties
            .into_iter()
            .enumerate()
            .map(|(at, (property, raw))| {
                raw.build(&property, at, game).map_err(|error| error.in_field(&name))
            })
            .collect();
        Class::new(name.into(), hash, bases, properties?)
    }
}

impl RawProperty {
    fn build(self, name: &str, at: usize, game: Game) -> Result<super::Property> {
        let fault = |text: String| Error::new(ErrorKind::Schema, text);
        let type_name =
            self.type_name.ok_or_else(|| fault(format!("the property `{name}` has no type")))?;
        let container = match self.container.as_deref() {
            Some("Static") => Container::Static,
            Some("Vector") => Container::Vector,
            Some("List") => Container::List,
            None if self.dynamic == Some(true) => Container::Vector,
            None => Container::Static,
            Some(other) => {
                let message = format!("`{name}` is in a container `{other}`, which is not known");
                return Err(fault(message));
            }
        };
        let flags = PropertyFlags(self.flags.map_or(0, |Number(flags)| flags));
        let id = self.id.unwrap_or(u32::try_from(at).unwrap_or(u32::MAX));
        let hash = self.hash.map_or_else(|| game.property_hash(&type_name, name), |Number(h)| h);
        let options = match self.options {
            Some(Entries(entries)) => Some(options(entries, flags, name)?),
            None => None,
        };
        Ok(property((name, &type_name), id, (flags, container), hash, options))
    }
}

fn options(
    raw: Vec<(String, OptionValue)>,
    flags: PropertyFlags,
    name: &str,
) -> Result<EnumOptions> {
    let is_bits = flags.contains(PropertyFlags::BITS);
    let mut options = EnumOptions { is_bits, ..EnumOptions::default() };
    let mut default = None;
    let mut seen = HashMap::new();
    for (key, value) in raw {
        match (&*key, value) {
            ("__DEFAULT", value) => default = Some(value),
            ("__BASECLASS", _) => {}
            (_, OptionValue::Number(value)) => {
                if seen.insert(key.clone(), value).is_none() {
                    options.entries.push((key.into(), value));
                }
            }
            (_, OptionValue::Text(text)) => {
                return Err(Error::new(
                    ErrorKind::Schema,
                    format!("the option `{key}` of `{name}` is `{text}` and not a number"),
                ));
            }
        }
    }
    options.default = match default {
        Some(OptionValue::Number(value)) => Some(value),
        // What is no option is not a default either: type lists have such.
        Some(OptionValue::Text(text)) => options.parse(&text).ok(),
        None => None,
    };
    Ok(options)
}
