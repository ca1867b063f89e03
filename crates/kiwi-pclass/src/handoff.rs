//! How a [`Value`] passes through serde in one piece: by a place of the thread, for one call.
//!
//! There is no way in band. A `Value` holds shared classes (`Arc<Class>`), which serde's data model
//! cannot carry; it is written by rules that only the serializer knows, and both directions go
//! through nested values without recursion, which serde's traits do not allow. So when the
//! serializer of this crate meets a `Value`, which it knows by the reserved name of its newtype, it
//! lends its writer here and the value takes it from here; the other way round a decoded `Value`
//! waits here for its visitor. In other formats nothing is ever put here.

use std::cell::{Cell, RefCell};

use serde_core::de::Visitor;
use serde_core::de::value::UnitDeserializer;
use serde_core::ser::{Error as _, Serialize};

use crate::catch::Catch;
use crate::schema::{Kind, Property};
use crate::write::{Rules, Writer};
use crate::{Error, Result, Value};

/// A writer, and the property it is at; none at the root. With it, whether only an element is meant.
struct Lent {
    writer: Writer,
    rules: Rules,
    place: Option<(Property, bool)>,
    written: Option<Result<()>>,
}

thread_local! {
    static LENT: RefCell<Option<Lent>> = const { RefCell::new(None) };
    static VALUE: Cell<Option<Value>> = const { Cell::new(None) };
}

/// Serializer side: lends the writer to `value`, which must be a `Value`.
pub(crate) fn lend<T: Serialize + ?Sized>(
    writer: &mut Writer,
    rules: &Rules,
    place: Option<(&Property, Option<&Kind>)>,
    value: &T,
) -> Result<()> {
    let place = place.map(|(property, element)| {
        let mut property = property.clone();
        if let Some(kind) = element {
            property.kind = kind.clone();
        }
        (property, element.is_some())
    });
    let lent = Lent { writer: std::mem::take(writer), rules: rules.clone(), place, written: None };
    LENT.set(Some(lent));
    let called = value.serialize(Catch("a value that takes the writer"));
    let Some(back) = LENT.take() else { return Err(reserved()) };
    *writer = back.writer;
    match back.written {
        Some(written) => written.and(called.map(drop)),
        None => Err(called.err().unwrap_or_else(reserved)),
    }
}

/// Whether a writer waits.
pub(crate) fn is_lent() -> bool {
    LENT.with_borrow(|lent| lent.as_ref().is_some_and(|lent| lent.written.is_none()))
}

/// Type side: writes with the lent writer. Returns whether there was one.
pub(crate) fn with_writer(
    write: impl FnOnce(&mut Writer, &Rules, Option<(&Property, bool)>) -> Result<()>,
) -> bool {
    if !is_lent() {
        return false;
    }
    let Some(mut lent) = LENT.take() else { return false };
    let place = lent.place.as_ref().map(|(property, element)| (property, *element));
    let written = write(&mut lent.writer, &lent.rules, place);
    lent.written = Some(written);
    LENT.set(Some(lent));
    true
}

/// Deserializer side: leaves a value for the visitor, which must be that of a `Value`.
pub(crate) fn give<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    VALUE.set(Some(value));
    let visited = visitor.visit_newtype_struct(UnitDeserializer::<Error>::new());
    // Who left it there is no `Value`, only a newtype of the same name.
    if take_value().is_some() { Err(reserved()) } else { visited }
}

/// Type side: the value that was left.
pub(crate) fn take_value() -> Option<Value> {
    VALUE.take()
}

#[cold]
fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$kiwi_pclass` are reserved")
}
