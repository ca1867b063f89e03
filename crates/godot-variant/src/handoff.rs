//! How a [`Value`] or a packed array passes through serde in one piece: by thread-locals.
//!
//! There is no in-band way. `Serialize` and `Deserialize` are written for any format and are shown a
//! serializer of unknown type, so a `Value` cannot tell this crate's from another before it has
//! chosen between its encoded and its readable form; and whatever it says, it can only say in serde's
//! data model, element by element and by recursion, where 1024 nested containers overflow a stack of
//! 2 MiB and a packed array costs a call for each number. Reading in band would mean to go over
//! the bytes twice: once for their end, once for the value.
//!
//! So when the serializer meets one of the types (it knows them by the reserved names of their
//! newtypes), it lends its writer here for the length of one call, and the type takes it from here;
//! the other way round a decoded `Value` waits here for its visitor, which is called next. In other
//! formats nothing is ever put here, and nothing stays after a call.

use std::cell::Cell;

use serde_core::Serializer;
use serde_core::ser::Error as _;

use crate::write::Writer;
use crate::{Error, Result, Value};

thread_local! {
    static WRITER: Cell<Option<Writer>> = const { Cell::new(None) };
    static WRITTEN: Cell<Option<(Writer, Result<()>)>> = const { Cell::new(None) };
    static VALUE: Cell<Option<Value>> = const { Cell::new(None) };
}

/// Serializer side: lends the writer while `serialize` is called for one of this crate's types.
pub(crate) fn lend(writer: &mut Writer, serialize: impl FnOnce() -> Result<()>) -> Result<()> {
    WRITER.set(Some(std::mem::take(writer)));
    let called = serialize();
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
) -> std::result::Result<std::result::Result<S::Ok, S::Error>, S> {
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

/// What is in the newtype is not what its name says.
#[cold]
pub(crate) fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$godot_variant` are reserved")
}
