//! How a [`Value`] passes through serde in one piece: see [`gamewire_core::handoff`].

use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::value::{self, Value};

/// Takes a `Value` for the serializer, which puts the bytes behind a tag.
pub(crate) struct LentWriter {
    pub(crate) kind: Kind,
    pub(crate) bytes: Vec<u8>,
    pub(crate) options: Options,
    /// The number of containers around the value.
    pub(crate) level: usize,
}

impl LentWriter {
    pub(crate) fn write(&mut self, value: &Value) -> Result<()> {
        self.kind = value.kind();
        value::encode(value, self.level, &mut self.bytes, &self.options)
    }
}

gamewire_core::handoff! {
    LentWriter, Value, Error;
    "names of types that start with `$zeze_serialize` are reserved"
}
