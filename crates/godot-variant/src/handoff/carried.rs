//! In band.

use alloc::vec::Vec;
use core::cell::Cell;

use serde_core::Serializer;
use serde_core::ser::Error as _;

use super::reserved;
use crate::write::Writer;
use crate::{Options, Result, Value, value};

/// What the serializer shows to a type that is to be written as a whole.
pub(crate) struct Lent<'a> {
    writer: &'a mut Writer,
    asked: Cell<bool>,
}

impl Lent<'_> {
    /// Another answer each time, which no other serializer gives: so the type knows this crate's.
    pub(crate) fn is_human_readable(&self) -> bool {
        !self.asked.replace(!self.asked.get())
    }

    /// Only the other way has a writer to take.
    pub(crate) fn taken(self) -> Result<()> {
        Err(reserved())
    }

    /// Writes the value that these bytes hold.
    pub(crate) fn carried(self, bytes: &[u8]) -> Result<()> {
        value::write(self.writer, &Options::whole().value_from_slice(bytes)?)
    }
}

/// Serializer side: shows the writer's stand-in to one of this crate's types.
pub(crate) fn lend(
    writer: &mut Writer,
    serialize: impl FnOnce(Lent<'_>) -> Result<()>,
) -> Result<()> {
    serialize(Lent { writer, asked: Cell::new(false) })
}

/// Type side: the bytes that hold everything, if this serializer is the one of this crate.
pub(crate) fn write_native<S: Serializer>(
    serializer: S,
    write: impl FnOnce(&mut Writer) -> Result<()>,
) -> core::result::Result<core::result::Result<S::Ok, S::Error>, S> {
    let (first, second) = (serializer.is_human_readable(), serializer.is_human_readable());
    if first == second {
        return Err(serializer);
    }
    let mut writer = Writer::new(Vec::new(), Options::whole());
    Ok(match write(&mut writer) {
        Ok(()) => serializer.serialize_bytes(&writer.out),
        Err(error) => Err(S::Error::custom(error)),
    })
}

/// Deserializer side: the bytes that hold everything of a value.
pub(crate) fn carried(value: &Value) -> Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), Options::whole());
    value::write(&mut writer, value)?;
    Ok(writer.out)
}

/// Visitor side: the value is in what comes next.
pub(crate) fn take_value() -> Option<Value> {
    None
}
