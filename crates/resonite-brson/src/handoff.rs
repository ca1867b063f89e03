//! How a [`Value`] and the types of BSON that serde does not have pass through serde in one piece.
//!
//! There is no way inside of serde. It shows a type only its own data model, element by element and
//! by recursion, where a `Value` may be 1024 levels deep; it has no type for dates and the like; and
//! a type cannot ask whether a serializer is the one of this crate, for neither of them is `'static`.
//! Marks in the data, as `serde_json`'s raw values have them, would show in other formats, where these
//! types are plain numbers and text. So thread-locals hold what is handed over, between two
//! calls on one stack: the serializer, when it meets the reserved name of these newtypes, lends its
//! writer for the length of one call, and the type takes it from here; the other way round a decoded
//! `Value` waits here for its visitor. In other formats nothing is ever put here.

use std::cell::Cell;

use serde_core::Serializer;
use serde_core::ser::Error as _;

use crate::error::{Error, Result};
use crate::value::Value;
use crate::write::Writer;

/// The reserved name.
pub(crate) const NAME: &str = "$resonite_brson::Value";

thread_local! {
    static WRITER: Cell<Option<Writer>> = const { Cell::new(None) };
    static WRITTEN: Cell<Option<(Writer, Result<()>)>> = const { Cell::new(None) };
    static VALUE: Cell<Option<Value>> = const { Cell::new(None) };
}

/// Serializer side: lends the writer until [`take_back`].
pub(crate) fn lend(writer: Writer) {
    WRITER.set(Some(writer));
}

/// Serializer side: the writer, and whether one of this crate's types wrote with it.
pub(crate) fn take_back() -> (Writer, Result<()>) {
    WRITTEN.take().unwrap_or_else(|| (WRITER.take().unwrap_or_default(), Err(reserved())))
}

#[cold]
pub(crate) fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$resonite_brson` are reserved")
}

/// Type side: writes with the lent writer, if this serializer is the one of this crate, and says so
/// to it by the reserved name.
pub(crate) fn write_native<S: Serializer>(
    serializer: S,
    write: impl FnOnce(&mut Writer) -> Result<()>,
) -> std::result::Result<std::result::Result<S::Ok, S::Error>, S> {
    let Some(mut writer) = WRITER.take() else { return Err(serializer) };
    let written = write(&mut writer);
    WRITTEN.set(Some((writer, written)));
    Ok(serializer.serialize_unit_struct(NAME))
}

/// Deserializer side: leaves a value for the visitor that is called next.
pub(crate) fn leave_value(value: Value) {
    VALUE.set(Some(value));
}

/// Visitor side: the value that was left, if the deserializer is the one of this crate.
pub(crate) fn take_value() -> Option<Value> {
    VALUE.take()
}
