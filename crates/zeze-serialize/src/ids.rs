//! The numbers of a Rust struct's fields and of an enum's variants, from their names.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde_core::de::{DeserializeSeed, IntoDeserializer};

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::write::MAX_ID;

/// The number at the start of `7` or `7:name`; of a variant it may be negative.
#[inline]
pub(crate) fn number(name: &str) -> Option<i64> {
    // Most names are no numbers, and their first byte says so.
    match name.as_bytes().first() {
        Some(b'0'..=b'9' | b'-') => digits(name),
        _ => None,
    }
}

fn digits(name: &str) -> Option<i64> {
    let bytes = name.as_bytes();
    let (negative, mut rest) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut value = 0_i64;
    let mut any = false;
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        // A number that is too large for an id is an error, and no other kind of name.
        let digit = i64::from(digit.wrapping_sub(b'0'));
        let signed = if negative { digit.wrapping_neg() } else { digit };
        value = value.saturating_mul(10).saturating_add(signed);
        (rest, any) = (after, true);
    }
    (any && matches!(rest, [] | [b':', ..])).then_some(value)
}

/// The name without its number: what paths show.
pub(crate) fn shown(name: &str) -> &str {
    match name.split_once(':') {
        Some((_, rest)) if number(name).is_some() && !rest.is_empty() => rest,
        _ => name,
    }
}

/// The id of one or two digits that a name begins with, as nearly all ids are: of a name that is known
/// when this is compiled it is found then.
#[inline(always)]
pub(crate) fn short(name: &str) -> Option<u32> {
    let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
    match name.as_bytes() {
        [a @ b'1'..=b'9'] | [a @ b'1'..=b'9', b':', ..] => Some(digit(*a)),
        [a @ b'1'..=b'9', b @ b'0'..=b'9'] | [a @ b'1'..=b'9', b @ b'0'..=b'9', b':', ..] => {
            Some(digit(*a).wrapping_mul(10).wrapping_add(digit(*b)))
        }
        _ => None,
    }
}

/// Whether a name may have an id.
#[inline(always)]
pub(crate) fn starts_with_digit(name: &str) -> bool {
    matches!(name.as_bytes(), [b'0'..=b'9', ..])
}

/// A field's id, if its name has one.
#[inline]
pub(crate) fn field(name: &'static str) -> Result<Option<u32>> {
    if starts_with_digit(name) { numbered(name) } else { Ok(None) }
}

fn numbered(name: &'static str) -> Result<Option<u32>> {
    let Some(id) = digits(name) else { return Ok(None) };
    match u32::try_from(id) {
        Ok(id @ 1..=MAX_ID) => Ok(Some(id)),
        _ => Err(Error::new(
            ErrorKind::FieldId,
            format!("expected an id of 1 to {MAX_ID} in the name of field `{}`", Shortened(name)),
        )),
    }
}

#[cold]
pub(crate) fn without(name: &str) -> Error {
    Error::new(
        ErrorKind::FieldId,
        format!(
            "field `{}` has no id, other fields of the struct have one (an alias needs the id of \
             its field)",
            Shortened(name)
        ),
    )
}

#[cold]
pub(crate) fn no_tag(name: &str) -> Error {
    let name = Shortened(name);
    Error::new(
        ErrorKind::Unsupported,
        format!(
            "`serde(tag = \"{name}\")` needs names, which a bean has not: leave the enum as serde has it, \
             which makes it a dynamic bean (the `tag` of a struct needs an id, as its fields do; a macro's own \
             `Serialize` passes a text that comes first as `&&str`)"
        ),
    )
}

#[cold]
pub(crate) fn not_ascending(name: &str, before: &str) -> Error {
    Error::new(
        ErrorKind::FieldId,
        format!(
            "field `{}` stands after field `{}`, but fields need ascending ids (an alias needs \
             the id of its field)",
            Shortened(name),
            Shortened(before)
        ),
    )
}

/// How the fields of a struct are numbered: by position from 1, or by their names; fields without a
/// number are the markers `Base` and `Unknown` then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbering {
    /// Where those that have ids in their names begin in the table of [`KnownTypes`].
    pub(crate) at: Option<u32>,
    /// How many there are.
    pub(crate) len: u32,
}

/// Struct types that were looked at already, by the address and number of their fields' names.
#[derive(Default)]
pub(crate) struct KnownTypes {
    recent: [(usize, usize, Numbering); 16],
    all: BTreeMap<(usize, usize), Numbering>,
    /// The type ids of the variants of enums.
    variants: BTreeMap<(usize, usize), Vec<i64>>,
    /// The fields of those that have ids in their names. Aliases are the same field.
    fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// `None` for the markers `Base` and `Unknown`, which need none.
    pub(crate) id: Option<NonZeroU32>,
    /// The index of its name.
    pub(crate) index: u32,
}

impl KnownTypes {
    /// Those that were looked up not long ago.
    #[inline]
    pub(crate) fn recent(&self, names: &'static [&'static str]) -> Option<Numbering> {
        let (address, len) = (names.as_ptr().addr(), names.len());
        let (known, count, numbering) = self.recent.get((address >> 4) & 15)?;
        ((*known, *count) == (address, len)).then_some(*numbering)
    }

    #[inline(never)]
    pub(crate) fn look_up(&mut self, names: &'static [&'static str]) -> Result<Numbering> {
        let (address, len) = (names.as_ptr().addr(), names.len());
        let numbering = match self.all.get(&(address, len)) {
            Some(numbering) => *numbering,
            None => self.number(names)?,
        };
        self.all.insert((address, len), numbering);
        if let Some(slot) = self.recent.get_mut((address >> 4) & 15) {
            *slot = (address, len, numbering);
        }
        Ok(numbering)
    }

    /// Finds out how fields are numbered, and checks that the ids ascend.
    fn number(&mut self, names: &'static [&'static str]) -> Result<Numbering> {
        let at = self.fields.len();
        let mut last: Option<(u32, &'static str)> = None;
        for (index, name) in names.iter().enumerate() {
            let id = field(name)?;
            match (id, last) {
                // An alias with the same id.
                (Some(id), Some((before, _))) if before == id => continue,
                (Some(id), Some((before, other))) if before > id => {
                    return Err(not_ascending(name, other));
                }
                (Some(id), _) => last = Some((id, name)),
                (None, _) => {}
            }
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            self.fields.push(Field { id: id.and_then(NonZeroU32::new), index });
        }
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        if last.is_some() {
            let len = self.fields.len().saturating_sub(at);
            return Ok(Numbering { at: Some(count(at)), len: count(len) });
        }
        self.fields.truncate(at);
        Ok(Numbering { at: None, len: count(names.len()) })
    }

    /// The variant of a type id. Names are hashed once for an enum.
    pub(crate) fn variant(
        &mut self,
        names: &'static [&'static str],
        id: i64,
    ) -> Option<&'static str> {
        let key = (names.as_ptr().addr(), names.len());
        let ids = || names.iter().map(|name| variant(name)).collect();
        let ids: &Vec<i64> = self.variants.entry(key).or_insert_with(ids);
        names.get(ids.iter().position(|own| *own == id)?).copied()
    }

    /// A field of those that have ids in their names.
    #[inline]
    pub(crate) fn field(&self, at: u32, index: u32) -> Option<Field> {
        self.fields.get(at.wrapping_add(index) as usize).copied()
    }
}

/// How an enum is told which variant a number is.
#[derive(Clone, Copy)]
pub(crate) enum Variant {
    Name(&'static str),
    Index(u64),
    /// No variant has this number.
    Unknown(i64),
}

impl Variant {
    /// Tells the enum; an unknown number as its digits.
    pub(crate) fn give<'de, V: DeserializeSeed<'de>>(self, seed: V) -> Result<V::Value> {
        match self {
            Variant::Name(name) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name))
            }
            Variant::Index(index) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(index))
            }
            Variant::Unknown(number) => {
                let number = number.to_string();
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(&*number))
            }
        }
    }
}

/// The variant without content that is written as a number: the one whose name has it, or the one at
/// that position whose name has none.
pub(crate) fn by_number(variants: &'static [&'static str], wanted: i64) -> Result<Variant> {
    let index = u64::try_from(wanted).ok();
    // The enum says itself that it has no such variant.
    if variants.iter().all(|name| !matches!(name.as_bytes(), [b'0'..=b'9' | b'-', ..])) {
        return Ok(index.map_or(Variant::Unknown(wanted), Variant::Index));
    }
    let named = variants.iter().find(|name| number(name) == Some(wanted)).copied();
    let is_plain = |name: &&str| number(name).is_none();
    let at = usize::try_from(wanted).ok().and_then(|index| variants.get(index));
    match (named, at.filter(|name| is_plain(name)), index) {
        (Some(named), Some(plain), _) => Err(Error::new(
            ErrorKind::FieldId,
            format!(
                "{wanted} is the number of variant `{}` and the position of variant `{}`, which \
                 needs a number, too",
                Shortened(named),
                Shortened(plain)
            ),
        )),
        (Some(named), None, _) => Ok(Variant::Name(named)),
        (None, Some(_), Some(index)) => Ok(Variant::Index(index)),
        _ => Ok(Variant::Unknown(wanted)),
    }
}

/// Whether a variant takes the dynamic beans of all other types: `*` or `*:name`.
#[inline]
pub(crate) fn is_other(name: &str) -> bool {
    matches!(name.as_bytes(), [b'*'] | [b'*', b':', ..])
}

/// Such a variant has to hold a dynamic bean.
#[cold]
pub(crate) fn other_without_content(name: &str) -> Error {
    let name = Shortened(name);
    let text = format!("expected the variant `{name}` to hold a dynamic bean, as `Value` can");
    Error::new(ErrorKind::Unsupported, text)
}

/// The type id of an enum's variant, where it stands for a dynamic bean.
pub(crate) fn variant(name: &str) -> i64 {
    number(name).unwrap_or_else(|| crate::hash::type_id(name))
}
