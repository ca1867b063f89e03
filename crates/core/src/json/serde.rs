//! Items from other formats of serde.

use std::fmt::{self, Write as _};

use serde_core::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{Item, Items, narrowed};
use crate::bytes::hex;

/// Reads items from any deserializer that says what it has. Recurses.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    /// The most containers that may be open at once.
    pub max_levels: usize,
    /// The noun of errors for another type, such as `a value in the notation of …`.
    pub expected: &'static str,
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Items<'static>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut items = Items::default();
        deserializer.deserialize_any(Inner { seed: self, items: &mut items })?;
        Ok(items)
    }
}

/// Reads one value below the root; `max_levels` are those that are left.
struct Inner<'i> {
    seed: Seed,
    items: &'i mut Items<'static>,
}

impl<'de> DeserializeSeed<'de> for Inner<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Inner<'_> {
    /// Appends an item, and its text.
    fn push<E: Error>(self, text: impl fmt::Display) -> Result<(), E> {
        let all = self.items.text.to_mut();
        let start = all.len();
        // Writing to a string cannot fail.
        let _ = write!(all, "{text}");
        u32::try_from(all.len()).map_err(|_| E::custom("expected less than 4 GiB of text"))?;
        self.items.row.push(Item::new(start, all.len()));
        Ok(())
    }

    /// Appends a text as JSON has it, but for what only ends it.
    fn text<E: Error>(self, text: &str) -> Result<(), E> {
        self.push(format_args!("\"{}", text.replace('\\', "\\\\")))
    }

    /// Appends a container with what `inside` reads one level deeper.
    fn nested<E: Error>(
        self,
        bracket: char,
        mut inside: impl FnMut(Inner<'_>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let Inner { mut seed, items } = self;
        seed.max_levels =
            seed.max_levels.checked_sub(1).ok_or_else(|| E::custom("nested too deep"))?;
        let open = items.row.len();
        Inner { seed, items: &mut *items }.push(bracket)?;
        while inside(Inner { seed, items })? {}
        let end = items.row.len();
        items.row.get_mut(open).into_iter().for_each(|item| item.end = narrowed(end));
        Ok(())
    }
}

impl<'de> Visitor<'de> for Inner<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.seed.expected)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.push("null")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.push("null")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.push(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.push(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.push(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.push(format_args!("{value:?}"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(text)
    }

    /// As text of hexadecimal digits: serde's buffers say that they are readable, and keep the bytes of
    /// a format that is not.
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.text(&hex(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.nested('[', |inner| Ok(seq.next_element_seed(inner)?.is_some()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.nested('{', |Inner { seed, items }| {
            let Some(name) = map.next_key::<String>()? else { return Ok(false) };
            Inner { seed, items: &mut *items }.text(&name)?;
            map.next_value_seed(Inner { seed, items }).map(|()| true)
        })
    }
}
