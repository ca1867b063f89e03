//! Objects: structs, maps, and enums over classes.

use std::fmt;

use serde_core::de::value::BytesDeserializer;
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::State;
use super::access::{DeepAccess, ShallowAccess, pass_rest};
use super::value::BUFFERED;
use crate::compound::{self, binary};
use crate::core_object::CoreHeader;
use crate::handoff;
use crate::options::Unknown;
use crate::read::{self, ClassHeader, Head};
use crate::schema::{CONTENT, Class};
use crate::value::decode::Decoder;
use crate::value::{RawObject, UNKNOWN_VARIANT, build};
use crate::{Error, ErrorKind, Result};

/// An object whose class is known by its header.
pub(super) struct ObjectDe<'x, 'a, 'de> {
    pub(super) state: &'x mut State<'a, 'de>,
    /// First bit of the header.
    at: usize,
    head: Head<'a>,
    wrappers: u8,
    /// An enum's variant said which struct it is; its name does not matter.
    chosen: bool,
}

/// One more such level, at bit `at`.
#[inline]
pub(super) fn count_wrapper(wrappers: &mut u8, at: usize) -> Result<()> {
    compound::count_wrapper(wrappers).map_err(|error| error.or_at(at))
}

impl<'x, 'a, 'de> ObjectDe<'x, 'a, 'de> {
    pub(super) fn root(state: &'x mut State<'a, 'de>, header: Option<ClassHeader>) -> Result<Self> {
        let at = state.reader.at();
        let object = ObjectDe::new(state, at, header)?;
        match object.head {
            Head::Null => Err(read::null_root(at)),
            _ => Ok(object),
        }
    }

    pub(super) fn new(
        state: &'x mut State<'a, 'de>,
        at: usize,
        header: Option<ClassHeader>,
    ) -> Result<Self> {
        let header = match header {
            Some(header) => header,
            None => state.reader.class_header()?,
        };
        let head = state.classes.head(header, at)?;
        Ok(ObjectDe { state, at, head, wrappers: 0, chosen: false })
    }

    /// The properties, for a struct of this name.
    fn fields<V: Visitor<'de>>(
        self,
        name: Option<&'static str>,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.at;
        let (class, core) = match self.head {
            Head::Known(class, core) => (class, core),
            Head::Null => {
                let wanted = name.unwrap_or("an object");
                let message = format!("expected {wanted}, found null");
                return Err(Error::at(ErrorKind::Null, at, message));
            }
            Head::Unknown(hash) => {
                // The hash says nothing to the schema, but the struct may.
                let name_of_any = name.filter(|_| self.state.any_class);
                let class = name_of_any.and_then(|name| self.state.classes.schema.class(name));
                let Some(class) = class else { return Err(self.wrong_unknown(hash, name, &[])) };
                return read_fields(self.state, class, None, (fields, &[]), visitor)
                    .map_err(|error| error.or_at(at));
            }
        };
        let key = name.filter(|_| !self.chosen).unwrap_or_default();
        let names = match self.state.known(class.hash(), key, fields) {
            Some((_, names)) => names,
            None => {
                if let Some(name) = name
                    && !self.state.any_class
                    && !self.chosen
                    && !class.is_called(name)
                    && !(self.state.slice_derived && class.is_a(name))
                {
                    return Err(other_class(class, name, at));
                }
                self.state.compare(class, key, fields)
            }
        };
        let value = read_fields(self.state, class, core, (fields, names), visitor);
        value.map_err(|error| error.or_at(at).in_class(class))
    }

    /// The hash of no class of the schema, where a struct of this name or one of some variants may stand.
    #[cold]
    fn wrong_unknown(
        &self,
        hash: u32,
        name: Option<&str>,
        variants: &'static [&'static str],
    ) -> Error {
        let own = self.state.classes.schema.game();
        // Of a name without the word before it that the games have, or by the hashes of the other game.
        let of_alike = name.iter().chain(variants).find_map(|name| {
            let whole = ["", "class ", "struct "].map(|word| format!("{word}{name}"));
            [own, own.other()].into_iter().find_map(|game| {
                let found = whole.iter().find(|whole| game.class_hash(whole) == hash)?;
                Some(match (game == own, *found == **name) {
                    (true, true) => format!(" of `{found}`, which the schema does not have"),
                    (true, false) => format!(" of `{found}`: the type needs the whole name"),
                    (false, _) => format!(" of `{found}` in {game:?}: see Options::game"),
                })
            })
        });
        let (expected, of) = match name {
            Some(name) => (format!("an object of `{name}`"), " of an unknown class"),
            None => ("a class of the schema".to_owned(), ""),
        };
        let of = of_alike.as_deref().unwrap_or(of);
        let message = format!("expected {expected}, found the hash {hash} ({hash:#010x}){of}");
        Error::at(ErrorKind::UnknownClass, self.at, message)
    }

    /// The whole object as bits.
    fn raw(self) -> Result<RawObject> {
        let hash = match self.head {
            Head::Unknown(hash) => hash,
            Head::Known(class, None) => class.hash(),
            _ => {
                let message = "expected an object with a class hash";
                return Err(Error::at(ErrorKind::Data, self.at, message));
            }
        };
        let is_shallow = !self.state.reader.wire.deep;
        let end = if is_shallow {
            // The schema says where it ends.
            let (start, reader) = (self.state.reader.at(), &mut self.state.reader);
            Decoder::new(reader, self.state.classes, &mut ()).object(self.at, self.head)?;
            let end = reader.at();
            reader.bits.seek(start)?;
            end
        } else {
            self.state.reader.object_end()?
        };
        let mut bits = self.state.reader.raw(end)?;
        bits.is_shallow = is_shallow;
        Ok(RawObject { hash, bits })
    }

    /// Reads any object, for visitors that take anything.
    pub(super) fn declared<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let wire = self.state.reader.wire;
        match self.head {
            Head::Null => visitor.visit_unit(),
            // Buffers of serde hold what Unknown::Skip skips as null.
            Head::Unknown(_) if wire.deep && wire.unknown != Unknown::Refuse => {
                self.skip()?;
                visitor.visit_unit()
            }
            _ => self.fields(None, &[], visitor),
        }
    }

    /// Skips it.
    fn skip(self) -> Result<()> {
        let reader = &mut self.state.reader;
        match self.head {
            Head::Null => Ok(()),
            // By its size; only shallow objects have to be gone through.
            _ if reader.wire.deep => {
                let end = reader.object_end()?;
                reader.bits.seek(end)
            }
            head => Decoder::new(reader, self.state.classes, &mut ()).object(self.at, head),
        }
    }

    /// The variant for a class: its own, or the one for any class, or that of the nearest class that it is
    /// derived from, which drops what it has more.
    fn variant(&self, variants: &'static [&'static str]) -> &'a str {
        let has_unknown = || variants.contains(&UNKNOWN_VARIANT);
        let class = match self.head {
            Head::Known(class, _) => class,
            Head::Null | Head::Unknown(_) => {
                let raw = self.state.reader.wire.deep && has_unknown();
                return if raw { UNKNOWN_VARIANT } else { "an unknown class" };
            }
        };
        if let Some(own) = variants.iter().find(|name| **name == class.name()) {
            return own;
        }
        if has_unknown() {
            return UNKNOWN_VARIANT;
        }
        let base = if self.state.slice_derived { base_of(class, variants) } else { None };
        base.unwrap_or(class.name())
    }
}

/// The first variant that is called like a base of a class; bases are listed from the nearest one.
fn base_of(class: &Class, variants: &'static [&'static str]) -> Option<&'static str> {
    let bare = |name: &'static str| name.strip_prefix("class ").unwrap_or(name);
    class
        .bases()
        .find_map(|base| variants.iter().copied().find(|name| bare(name) == base || *name == base))
}

/// An object of a class that is not the one of `name`.
#[cold]
fn other_class(class: &Class, name: &str, at: usize) -> Error {
    let found = class.name();
    let derived = if class.is_a(name) {
        ", which is derived from it: a variant `$unknown` with a RawObject keeps it, and \
         Options::slice_derived reads the base of it"
    } else {
        ""
    };
    let message = format!("expected an object of `{name}`, found one of `{found}`{derived}");
    Error::at(ErrorKind::Data, at, message)
}

fn read_fields<'a, 'de, V: Visitor<'de>>(
    state: &mut State<'a, 'de>,
    class: &'a Class,
    core: Option<CoreHeader>,
    (fields, names): (&'static [&'static str], &'static [&'static str]),
    visitor: V,
) -> Result<V::Value> {
    if !state.reader.wire.deep {
        return read_shallow(state, class, core, (fields, names), visitor);
    }
    state.reader.enter_typed()?;
    let mut access = DeepAccess::new(state, class, fields)?;
    let value = visitor.visit_map(&mut access)?;
    pass_rest(&mut access)?;
    state.reader.leave();
    Ok(value)
}

#[inline]
pub(super) fn read_shallow<'a, 'de, V: Visitor<'de>>(
    state: &mut State<'a, 'de>,
    class: &'a Class,
    core: Option<CoreHeader>,
    (fields, names): (&'static [&'static str], &'static [&'static str]),
    visitor: V,
) -> Result<V::Value> {
    state.reader.enter_typed()?;
    let mut access = ShallowAccess::new(state, class, core, fields, names);
    let value = visitor.visit_map(&mut access)?;
    if !access.is_done() {
        pass_rest(&mut access)?;
    }
    state.reader.leave();
    Ok(value)
}

impl<'de> de::Deserializer<'de> for ObjectDe<'_, '_, 'de> {
    type Error = Error;

    binary!();

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.state.reader.take_memory(BUFFERED)?;
        self.declared(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.head {
            Head::Null => return visitor.visit_none(),
            Head::Unknown(_)
                if self.state.reader.wire.deep
                    && self.state.reader.wire.unknown == Unknown::Skip =>
            {
                self.skip()?;
                return visitor.visit_none();
            }
            _ => {}
        }
        count_wrapper(&mut self.wrappers, self.at)?;
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(Some(name), &[], de::IgnoredAny)?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match name {
            crate::types::VALUE => {
                let State { reader, classes, .. } = self.state;
                let value = build::object(reader, *classes, self.at, self.head)?;
                handoff::give_to(value, visitor)
            }
            crate::types::RAW_OBJECT => {
                let raw = self.raw()?;
                visitor.visit_newtype_struct(BytesDeserializer::new(&raw.pack()))
            }
            _ => {
                count_wrapper(&mut self.wrappers, self.at)?;
                visitor.visit_newtype_struct(self)
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(Some(name), fields, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.fields(None, &[], visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.at;
        if matches!(self.head, Head::Null) {
            let message = format!("expected an object for `{name}`, found null");
            return Err(Error::at(ErrorKind::Null, at, message));
        }
        visitor.visit_enum(ClassAccess { object: self, variants }).map_err(|error| error.or_at(at))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq
        tuple tuple_struct identifier
    }
}

/// An enum over classes: the class is the variant, the object its content.
struct ClassAccess<'x, 'a, 'de> {
    object: ObjectDe<'x, 'a, 'de>,
    variants: &'static [&'static str],
}

impl<'x, 'a, 'de> de::EnumAccess<'de> for ClassAccess<'x, 'a, 'de> {
    type Error = Error;
    type Variant = ObjectDe<'x, 'a, 'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        let name = self.object.variant(self.variants);
        let variant = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name));
        let variant = variant.map_err(|error| match self.object.head {
            Head::Unknown(hash) => self.object.wrong_unknown(hash, None, self.variants),
            Head::Known(class, _) => match base_of(class, self.variants) {
                Some(base) => other_class(class, base, self.object.at),
                None => error,
            },
            Head::Null => error,
        })?;
        Ok((variant, self.object))
    }
}

impl<'de> de::VariantAccess<'de> for ObjectDe<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.skip()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value> {
        self.chosen = true;
        match self.head {
            Head::Known(class, _) if class.has_content() => {
                self.fields(None, &[CONTENT], Content(seed))
            }
            _ => seed.deserialize(self),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.fields(None, &[CONTENT], Content(TupleSeed(len, visitor)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(None, fields, visitor)
    }
}

/// The content of a variant that is no struct.
struct Content<T>(T);

impl<'de, T: DeserializeSeed<'de>> Visitor<'de> for Content<T> {
    type Value = T::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the content of a variant")
    }

    fn visit_map<A: de::MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<T::Value, A::Error> {
        match map.next_key::<de::IgnoredAny>()? {
            Some(_) => map.next_value_seed(self.0),
            None => Err(de::Error::missing_field(CONTENT)),
        }
    }
}

struct TupleSeed<V>(usize, V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for TupleSeed<V> {
    type Value = V::Value;

    fn deserialize<D: de::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<V::Value, D::Error> {
        deserializer.deserialize_tuple(self.0, self.1)
    }
}
