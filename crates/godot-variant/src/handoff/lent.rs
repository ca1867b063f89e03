//! By thread-locals.

use core::cell::Cell;
use core::marker::PhantomData;
use std::thread_local;

use serde_core::Serializer;

use super::reserved;
use crate::write::Writer;
use crate::{Result, Value};

thread_local! {
    static WRITER: Cell<Option<Writer>> = const { Cell::new(None) };
    static WRITTEN: Cell<Option<(Writer, Result<()>)>> = const { Cell::new(None) };
    static VALUE: Cell<Option<Value>> = const { Cell::new(None) };
}

/// What the serializer shows to a type that may take its writer.
pub(crate) struct Lent<'a>(PhantomData<&'a mut Writer>);

impl Lent<'_> {
    #[allow(clippy::unused_self, reason = "the other way answers by what it was asked")]
    pub(crate) fn is_human_readable(&self) -> bool {
        false
    }

    /// The type took the writer.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the other way refuses it")]
    pub(crate) fn taken(self) -> Result<()> {
        Ok(())
    }

    /// Only the other way carries bytes.
    #[allow(clippy::unused_self, reason = "the other way takes them")]
    pub(crate) fn carried(self, _: &[u8]) -> Result<()> {
        Err(reserved())
    }
}

/// Serializer side: lends the writer while `serialize` is called for one of this crate's types.
pub(crate) fn lend(
    writer: &mut Writer,
    serialize: impl FnOnce(Lent<'_>) -> Result<()>,
) -> Result<()> {
    WRITER.set(Some(core::mem::take(writer)));
    let called = serialize(Lent(PhantomData));
    let unused = WRITER.take();
    match (WRITTEN.take(), unused) {
        (Some((back, written)), _) => {
            *writer = back;
            written.and(called)
        }
        (None, Some(back)) => {
            *writer = back;
            Err(called.err().unwrap_or_else(reserved))
        }
        (None, None) => Err(called.err().unwrap_or_else(reserved)),
    }
}

/// Type side: the lent writer, if this serializer is the one of this crate.
pub(crate) fn write_native<S: Serializer>(
    serializer: S,
    write: impl FnOnce(&mut Writer) -> Result<()>,
) -> core::result::Result<core::result::Result<S::Ok, S::Error>, S> {
    match WRITER.take() {
        Some(mut writer) => {
            let written = write(&mut writer);
            WRITTEN.set(Some((writer, written)));
            Ok(serializer.serialize_unit())
        }
        None => Err(serializer),
    }
}

/// Deserializer side: leaves a value for the visitor that is called next.
pub(crate) fn leave_value(value: Value) {
    VALUE.set(Some(value));
}

/// Visitor side: the value that was left, if the deserializer is the one of this crate.
pub(crate) fn take_value() -> Option<Value> {
    VALUE.take()
}
