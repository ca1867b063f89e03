//! How a [`Value`] passes through serde in one piece.
//!
//! serde shows a type only its own data model. When the serializer of this crate meets a `Value`,
//! which it knows by the reserved name of its newtype, it lends its writer here for the length of
//! one call and the value takes it from here; the other way round a decoded `Value` waits here for
//! its visitor. In other formats nothing is ever put here.

use std::cell::{Cell, RefCell};

use serde_core::{Serialize, Serializer};

use crate::schema::{Kind, Property};
use crate::ser::{no_compounds, refuse};
use crate::value::Rules;
use crate::write::Writer;
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
    let called = value.serialize(Borrower);
    let Some(back) = LENT.take() else { return Err(reserved()) };
    *writer = back.writer;
    match back.written {
        Some(written) => written.and(called),
        None => Err(called.err().unwrap_or_else(reserved)),
    }
}

/// Whether a writer waits.
pub(crate) fn is_lent() -> bool {
    LENT.with_borrow(|lent| lent.as_ref().is_some_and(|lent| lent.written.is_none()))
}

/// Type side: writes with the lent writer. Gives whether there was one.
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

/// Deserializer side: leaves a value for the visitor that is called next.
pub(crate) fn leave_value(value: Value) {
    VALUE.set(Some(value));
}

/// Type side: the value that was left.
pub(crate) fn take_value() -> Option<Value> {
    VALUE.take()
}

pub(crate) fn reserved() -> Error {
    serde_core::ser::Error::custom("names of newtypes that start with `$kiwi_pclass` are reserved")
}

/// What a `Value` sees while the writer is lent: only the call that confirms the writing is legal.
struct Borrower;

impl Serializer for Borrower {
    type Ok = ();
    type Error = Error;
    no_compounds! {
        SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant SerializeMap
        SerializeStruct SerializeStructVariant
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<()> {
        Err(reserved())
    }

    refuse! { reserved();
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<()> {
        Err(reserved())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(reserved())
    }
}
