//! In band, as bytes that say a value and its classes.

use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde_core::de::{self, Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;
use serde_core::ser::{Serialize, Serializer};

use super::reserved;
use crate::catch::Catch;
use crate::read::Reader;
use crate::schema::{Kind, Property};
use crate::value::{encode, pack};
use crate::write::{Rules, Writer};
use crate::{Error, Result, Value};

/// Says in turn that the format is one for people and that it is not, which no format does.
#[derive(Default)]
pub(crate) struct Knock(Cell<u32>);

impl Knock {
    /// What the format says when it is asked.
    pub(crate) fn answer(&self) -> bool {
        let before = self.0.get();
        self.0.set(before.saturating_add(1));
        before.is_multiple_of(2)
    }

    /// Type side: whether it is this crate's format that answers.
    fn is_heard(ask: impl Fn() -> bool) -> bool {
        let (first, second) = (ask(), ask());
        first && !second
    }

    /// Whether somebody has listened.
    fn was_heard(&self) -> bool {
        self.0.get() >= 2
    }
}

/// Serializer side: writes the bytes that `value` says, which must be a `Value`.
pub(crate) fn lend<T: Serialize + ?Sized>(
    writer: &mut Writer,
    rules: &Rules,
    place: Option<(&Property, Option<&Kind>)>,
    value: &T,
) -> Result<()> {
    let knock = Knock::default();
    let packed = value.serialize(Catch::asking("a value that says what it is", &knock))?;
    if !knock.was_heard() {
        return Err(reserved());
    }
    let value = pack::unpack(&packed).ok_or_else(reserved)?;
    match place {
        Some((property, element)) => encode::encode(writer, rules, property, element, &value),
        None => encode::root(writer, rules, &value),
    }
}

/// Type side: says `value` to the serializer of this crate; another one comes back.
pub(crate) fn write_native<S: Serializer>(
    value: &Value,
    serializer: S,
) -> core::result::Result<core::result::Result<S::Ok, S::Error>, S> {
    if !Knock::is_heard(|| serializer.is_human_readable()) {
        return Err(serializer);
    }
    Ok(serializer.serialize_bytes(&pack::pack(value).bytes))
}

/// Deserializer side: says `value` to the visitor, which must be that of a `Value`. Its classes are
/// copies there: they take memory of the reader, if it goes on.
pub(crate) fn give<'de, V: Visitor<'de>>(
    value: Value,
    reader: Option<&mut Reader<'_>>,
    visitor: V,
) -> Result<V::Value> {
    let packed = pack::pack(&value);
    drop(value);
    if let Some(reader) = reader {
        reader.take_memory(packed.weight)?;
    }
    let knock = Knock::default();
    let visited = visitor.visit_newtype_struct(Packed { bytes: packed.bytes, knock: &knock });
    // Who did not listen is no `Value`, only a newtype of the same name.
    if knock.was_heard() { visited } else { Err(reserved()) }
}

/// Type side: the value that this crate's deserializer says; `None` from another one.
pub(crate) fn take_value<'de, D: Deserializer<'de>>(
    inner: D,
) -> core::result::Result<Option<Value>, D::Error> {
    if !Knock::is_heard(|| inner.is_human_readable()) {
        return Ok(None);
    }
    inner.deserialize_byte_buf(Unpack).map(Some)
}

/// A value as bytes.
struct Packed<'a> {
    bytes: Vec<u8>,
    knock: &'a Knock,
}

impl<'de> Deserializer<'de> for Packed<'_> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.knock.answer()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_byte_buf(self.bytes)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Unpack;

impl Visitor<'_> for Unpack {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a packed value")
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> core::result::Result<Value, E> {
        pack::unpack(&bytes).ok_or_else(|| E::custom("expected a packed value"))
    }
}
