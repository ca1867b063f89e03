//! How a [`Value`](crate::Value) passes through serde in one piece.
//!
//! `Serialize` and `Deserialize` are written for any format, and in other formats a value is something
//! else: it holds shared classes (`Arc<Class>`), which serde's data model cannot carry; it is written by
//! rules that only the serializer knows, and both directions go through nested values without
//! recursion, which serde's traits do not allow.
//!
//! So a value takes a way beside serde, by thread-locals: the serializer lends its writer for the length
//! of one call, and the value takes it from there; the other way round a decoded value waits for its
//! visitor. Both know a value by the reserved name of its newtype. In other formats nothing is ever put
//! there.

use std::cell::{Cell, RefCell};

use serde_core::de::Visitor;
use serde_core::de::value::UnitDeserializer;
use serde_core::ser::{Error as _, Serialize, Serializer};

use crate::bytes::BytesSerializer;
use crate::schema::{Kind, Property};
use crate::value::encode;
use crate::write::{Rules, Writer};
use crate::{Error, Result, Value};

/// A writer, and the property it is at; none at the root. With it, whether only an element is meant.
struct Lent {
    writer: Writer,
    rules: Rules,
    place: Option<(Property, bool)>,
    written: Option<Result<()>>,
}

std::thread_local! {
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
    let called = value.serialize(BytesSerializer::new("a value that takes the writer"));
    let Some(back) = LENT.take() else { return Err(reserved()) };
    *writer = back.writer;
    match back.written {
        Some(written) => written.and(called.map(drop)),
        None => Err(called.err().unwrap_or_else(reserved)),
    }
}

/// Type side: writes `value` with the writer that was lent; without one, the serializer is another
/// format's.
pub(crate) fn write_native<S: Serializer>(
    value: &Value,
    serializer: S,
) -> std::result::Result<std::result::Result<S::Ok, S::Error>, S> {
    let waits = |lent: &Option<Lent>| lent.as_ref().is_some_and(|lent| lent.written.is_none());
    if !LENT.with_borrow(waits) {
        return Err(serializer);
    }
    let Some(mut lent) = LENT.take() else { return Err(serializer) };
    let Lent { writer, rules, place, written } = &mut lent;
    *written = Some(match place {
        Some((property, element)) => {
            let element = element.then_some(&property.kind);
            encode::encode(writer, rules, property, element, value)
        }
        None => encode::root(writer, rules, value),
    });
    LENT.set(Some(lent));
    Ok(serializer.serialize_unit())
}

/// Deserializer side: leaves a value for the visitor, which must be that of a `Value`.
pub(crate) fn give<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    VALUE.set(Some(value));
    let visited = visitor.visit_newtype_struct(UnitDeserializer::<Error>::new());
    // A visitor that leaves it is only a newtype of the same name.
    if VALUE.take().is_some() { Err(reserved()) } else { visited }
}

/// Type side: the value that was left, if there is one.
pub(crate) fn take_value() -> Option<Value> {
    VALUE.take()
}

/// The content of the newtype is not what its name says.
#[cold]
fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$kiwi_pclass` are reserved")
}
