//! Pointers: `null`, `{}`, and classes that a `$type` member names; and plain enums, which serde
//! shows in the same way.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;

use gamewire_core::words::{OneOf, Shortened};
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::class::{kind_of_text, known_name};
use super::native::bits_of;
use super::payload::Payload;
use super::slot::{Loader, Name, Role, Slot, Source};
use crate::node::{Node, UNKNOWN, base, name_of};
use crate::read::Kind;
use crate::report::{Outcome, Processing, ResultCode};
use crate::types::{EnumInfo, Uuid};
use crate::value::decode::skip;
use crate::{Error, Result};

/// `Option`: a pointer that may be null.
pub(super) fn option<'de, V: Visitor<'de>>(
    mut slot: Slot<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let kind = kind_of_text(&mut slot)?;
    let Slot { loader, source, of, .. } = slot;
    let old = match source {
        Source::Text(old) => match old {
            Some(Node::Some(inner)) => Some(&**inner),
            _ => None,
        },
        Source::Old(Node::Some(inner)) => {
            return pointee(loader, Source::Old(inner), visitor);
        }
        Source::Old(_) => return visitor.visit_none(),
        Source::Absent => {
            loader.defaulted();
            return visitor.visit_none();
        }
        source @ (Source::Default | Source::Key(_)) => {
            loader.enter_unwritten()?;
            let value = pointee(&mut *loader, source, visitor);
            loader.leave_unwritten();
            return value;
        }
    };
    if kind == Some(Kind::Null) {
        loader.reader.literal("null")?;
        loader.code = ResultCode::SUCCESS;
        return visitor.visit_none();
    }
    if !loader.readings.is_fresh() && loader.readings.verdict(loader.reader.offset()).is_some() {
        // A new instance that could not be loaded is destroyed again.
        loader.left_out()?;
        return match old {
            Some(node) => pointee(loader, Source::Old(node), visitor),
            None => visitor.visit_none(),
        };
    }
    if loader.reader.take_empty_object()? {
        loader.defaulted();
        let source = old.map_or(Source::Default, Source::Old);
        let code = loader.code;
        let value = pointee(&mut *loader, source, visitor);
        loader.code = code;
        return value;
    }
    let at = loader.reader.offset();
    loader.enter_layer()?;
    let source = Source::Text(old);
    let value =
        visitor.visit_some(Slot { loader: &mut *loader, source, role: Role::Pointee, of })?;
    let gone = matches!(loader.code.processing(), Processing::Altered | Processing::Halted);
    if gone && loader.readings.is_lenient() && old.is_none() {
        loader.leave_out(at);
    }
    Ok(value)
}

/// Reads what a pointer leads to that is not in the text. Out of line, so that its reading is not inlined again.
#[cold]
#[inline(never)]
fn pointee<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    source: Source<'de, 'o>,
    visitor: V,
) -> Result<V::Value> {
    visitor.visit_some(Slot::new(loader, source))
}

/// Refuses a `$type` of the object that comes next that is not the class: one without heirs, which is no enum.
pub(super) fn check_type(loader: &mut Loader<'_, '_>, class: &str) -> Result<()> {
    let (outcome, at, message) = match find_type(loader)? {
        Type::None => return Ok(()),
        Type::Named(text, at) => {
            match resolve(loader, class, &[class], &format_args!("`{class}`"), &text) {
                Ok(_) => return Ok(()),
                Err((outcome, message)) => (outcome, at, message),
            }
        }
        Type::NoText(at, found) => {
            (Outcome::Unknown, at, format!("expected the name of a type, found {found}"))
        }
    };
    loader.issue(outcome, at, message)
}

/// An enum of Rust.
pub(super) fn variant<'de, V: Visitor<'de>>(
    mut slot: Slot<'_, 'de, '_>,
    name: &'static str,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let kind = kind_of_text(&mut slot)?;
    let Slot { loader, source, .. } = slot;
    let own = Enum { name, variants };
    let old = match source {
        Source::Text(old) => old,
        Source::Old(node) => return stand_in(loader, Some(node), own, visitor),
        Source::Default | Source::Absent => {
            loader.defaulted();
            return stand_in(loader, None, own, visitor);
        }
        Source::Key(key) => {
            if let Some(name) = of_text(loader, own, &key) {
                return named(loader, name, visitor);
            }
            loader.reject_key(OneOf(own.variants), &key)?;
            return stand_in(loader, None, own, visitor);
        }
    };
    let at = loader.reader.offset();
    match kind {
        Some(Kind::String) => {
            let text = loader.reader.string()?;
            if let Some(name) = of_text(loader, own, &text) {
                return named(loader, name, visitor);
            }
            loader.reader.seek(at);
            if own.base().is_none() {
                loader.reject_value(OneOf(own.variants))?;
                return stand_in(loader, old, own, visitor);
            }
        }
        Some(Kind::Object) => {
            if loader.reader.take_empty_object()? {
                loader.defaulted();
                return stand_in(loader, old, own, visitor);
            }
            return object(loader, old, own, visitor);
        }
        Some(Kind::Number) if own.base().is_none() => {
            if let Some(info) = enumeration(loader, name) {
                let bits = bits_of(info, loader.reader.number()?);
                if let Some(name) = of_bits(loader, info, own, bits) {
                    return named(loader, name, visitor);
                }
                loader.reader.seek(at);
            }
        }
        _ => {}
    }
    // A pointer to something that is no class.
    match own.base() {
        Some(known) if kind != Some(Kind::Null) => {
            let old = content_of(old, known);
            loader.enter_layer()?;
            visitor.visit_enum(Variant {
                loader,
                name: known,
                source: Source::Text(old),
                in_object: false,
            })
        }
        _ if kind == Some(Kind::Number) && enumeration(loader, name).is_none() => {
            let names = OneOf(own.variants);
            loader.reject_value(format_args!("{names} (`register_enum!` adds numbers)"))?;
            stand_in(loader, old, own, visitor)
        }
        _ => {
            loader.reject_value(OneOf(own.variants))?;
            stand_in(loader, old, own, visitor)
        }
    }
}

/// An enum of Rust: its name, and the names of its variants.
#[derive(Clone, Copy)]
struct Enum {
    name: &'static str,
    variants: &'static [&'static str],
}

impl Enum {
    /// The variant of the declared type.
    fn base(self) -> Option<&'static str> {
        base(self.name, self.variants)
    }
}

/// Reads a variant without content.
fn named<'de, V: Visitor<'de>>(
    loader: &mut Loader<'de, '_>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    visitor.visit_enum(Variant { loader, name, source: Source::Default, in_object: false })
}

/// The table of an enum that has none of its own.
fn enumeration<'o>(loader: &Loader<'_, 'o>, name: &str) -> Option<&'o EnumInfo> {
    loader.options.types.as_ref()?.enumeration(name)
}

/// The variant of a number.
fn of_bits(
    loader: &mut Loader<'_, '_>,
    info: &EnumInfo,
    own: Enum,
    bits: Option<u64>,
) -> Option<&'static str> {
    of_name(loader, own, info.name_of(bits?)?)
}

/// The variant that a text means: by the number at its beginning, if numbers are known, or by name.
fn of_text(loader: &mut Loader<'_, '_>, own: Enum, text: &str) -> Option<&'static str> {
    let numbered = enumeration(loader, own.name)
        .and_then(|info| of_bits(loader, info, own, info.number_of(text)));
    numbered.or_else(|| of_name(loader, own, text))
}

/// The variant of a name.
fn of_name(loader: &mut Loader<'_, '_>, own: Enum, text: &str) -> Option<&'static str> {
    let known = own.variants.get(known_name(own.variants, text, false)?).copied()?;
    loader.code = ResultCode::SUCCESS;
    loader.trace(known);
    Some(known)
}

/// Reads the old value, or a new instance.
fn stand_in<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    old: Option<&'o Node>,
    own: Enum,
    visitor: V,
) -> Result<V::Value> {
    loader.enter_unwritten()?;
    let (known, source) = match old {
        Some(Node::Name(known)) => (*known, Source::Default),
        Some(Node::Variant { name, content, .. }) => (*name, Source::Old(content)),
        _ => {
            let first = own.variants.iter().copied().find(|variant| *variant != UNKNOWN);
            let first = own.base().or(first).or(own.variants.first().copied());
            match first {
                Some(known) => (known, Source::Default),
                None => {
                    return Err(Error::new(crate::ErrorKind::Unknown, "an enum without variants"));
                }
            }
        }
    };
    let code = loader.code;
    let value =
        visitor.visit_enum(Variant { loader: &mut *loader, name: known, source, in_object: false });
    loader.code = code;
    loader.leave_unwritten();
    value
}

fn content_of<'o>(old: Option<&'o Node>, known: &str) -> Option<&'o Node> {
    match old {
        Some(Node::Variant { name, content, .. }) if *name == known => Some(content),
        _ => None,
    }
}

/// An object, by its `$type` wherever that stands.
fn object<'de, 'o, V: Visitor<'de>>(
    loader: &mut Loader<'de, 'o>,
    old: Option<&'o Node>,
    own: Enum,
    visitor: V,
) -> Result<V::Value> {
    let at = loader.reader.offset();
    let (at, known) = match find_type(loader)? {
        Type::Named(text, at) => {
            match resolve(loader, own.name, own.variants, &OneOf(own.variants), &text) {
                Err(_) if own.variants.contains(&UNKNOWN) => (at, Ok(UNKNOWN)),
                known => (at, known),
            }
        }
        Type::NoText(at, found) => {
            let message = format!("expected the name of a type, found {found}");
            (at, Err((Outcome::Unknown, message)))
        }
        // The current dynamic type stays.
        Type::None => match (old, own.base()) {
            (Some(Node::Variant { name, .. }), _) => (at, Ok(*name)),
            (_, Some(known)) => (at, Ok(known)),
            _ if own.variants.contains(&UNKNOWN) => (at, Ok(UNKNOWN)),
            _ => {
                let message = format!("expected `$type` with {}, found none", OneOf(own.variants));
                (at, Err((Outcome::Unknown, message)))
            }
        },
    };
    let known = match known {
        Ok(known) => known,
        Err((outcome, message)) => {
            // The pointer stays as it was.
            skip(&mut loader.reader)?;
            loader.issue(outcome, at, message.clone())?;
            return stand_in(&mut *loader, old, own, visitor)
                .map_err(|error| loader.readings.refuse_for(outcome, message, error));
        }
    };
    let old = content_of(old, known);
    loader.trace(known);
    loader.enter_layer()?;
    visitor.visit_enum(Variant { loader, name: known, source: Source::Text(old), in_object: true })
}

enum Type<'de> {
    None,
    Named(Cow<'de, str>, usize),
    NoText(usize, String),
}

/// Looks for `$type` among the members; does not move.
fn find_type<'de>(loader: &Loader<'de, '_>) -> Result<Type<'de>> {
    let mut ahead = loader.reader.clone();
    ahead.open()?;
    let mut first = true;
    while let Some(name) = ahead.next_key(&mut first)? {
        if name == "$type" {
            let kind = ahead.peek_kind()?;
            let at = ahead.offset();
            return Ok(match kind {
                Kind::String => Type::Named(ahead.string()?, at),
                _ => Type::NoText(at, ahead.describe()),
            });
        }
        skip(&mut ahead)?;
    }
    Ok(Type::None)
}

/// The variant that a `$type` text means.
fn resolve<'n>(
    loader: &Loader<'_, '_>,
    name: &str,
    variants: &[&'n str],
    expected: &dyn fmt::Display,
    text: &str,
) -> Result<&'n str, (Outcome, String)> {
    let trimmed = text.trim();
    // The usual spelling.
    if let Some(known) =
        variants.iter().find(|variant| **variant == trimmed && **variant != UNKNOWN)
    {
        return Ok(known);
    }
    let shown = Shortened(trimmed);
    let info = loader.options.types.as_ref().map(|types| types.load_type_id(text, Some(name)));
    if let Some(Ok(info)) = info {
        if info.is_abstract {
            return Err((
                Outcome::Catastrophic,
                format!("expected a type that is not abstract, found \"{shown}\""),
            ));
        }
        let by_uuid =
            |variant: &&&str| !info.uuid.is_null() && Uuid::find(variant) == Some(info.uuid);
        let by_name = |variant: &&&str| name_of(variant).eq_ignore_ascii_case(&info.name);
        let found = variants.iter().find(by_uuid).or_else(|| variants.iter().find(by_name));
        return found.copied().ok_or_else(|| {
            (
                Outcome::TypeMismatch,
                format!("expected a type derived from `{name}`, found \"{shown}\""),
            )
        });
    }
    let found = match Uuid::find(text) {
        Some(uuid) => variants.iter().find(|variant| Uuid::find(variant) == Some(uuid)),
        None => {
            let last = |name: &'n str| name.rsplit("::").next().unwrap_or(name);
            let mut named = variants.iter().filter(|variant| {
                let name = name_of(variant);
                name.eq_ignore_ascii_case(trimmed) || last(name).eq_ignore_ascii_case(trimmed)
            });
            let first = named.next();
            first.filter(|_| named.next().is_none())
        }
    };
    found
        .copied()
        .filter(|variant| *variant != UNKNOWN)
        .ok_or_else(|| (Outcome::Unknown, format!("unknown type \"{shown}\", expected {expected}")))
}

struct Variant<'a, 'de, 'o> {
    loader: &'a mut Loader<'de, 'o>,
    name: &'static str,
    /// The source of the content.
    source: Source<'de, 'o>,
    /// Whether that is an object with `$type`.
    in_object: bool,
}

impl<'a, 'de, 'o> EnumAccess<'de> for Variant<'a, 'de, 'o> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        Ok((seed.deserialize(Name::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        if let Source::Text(_) = self.source {
            skip(&mut self.loader.reader)?;
            self.loader.code = ResultCode::SUCCESS;
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        match self.in_object && self.name != UNKNOWN {
            true => seed.deserialize(Payload(self.loader, self.source, type_name::<T::Value>())),
            false => seed.deserialize(Slot::of::<T::Value>(self.loader, self.source, "")),
        }
    }

    /// A list stands in `Value`, as in `AZStd::any`.
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let read = |slot: Slot<'_, 'de, '_>| super::compound::tuple(slot, len, visitor);
        match self.in_object {
            true => Payload(self.loader, self.source, "").value(read),
            false => read(Slot::new(self.loader, self.source)),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        super::class::read(Slot::new(self.loader, self.source), self.name, fields, visitor)
    }
}
