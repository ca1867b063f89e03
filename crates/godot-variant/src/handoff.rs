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

use serde_core::ser::Error as _;
use serde_core::{Serialize, Serializer, ser};

use crate::write::Writer;
use crate::{Error, Result, Value};

thread_local! {
    static WRITER: Cell<Option<Writer>> = const { Cell::new(None) };
    static WRITTEN: Cell<Option<(Writer, Result<()>)>> = const { Cell::new(None) };
    static VALUE: Cell<Option<Value>> = const { Cell::new(None) };
}

/// Serializer side: lends the writer to `value`, which must be one of this crate's types.
pub(crate) fn lend<T: Serialize + ?Sized>(writer: &mut Writer, value: &T) -> Result<()> {
    WRITER.set(Some(std::mem::take(writer)));
    let called = value.serialize(Borrower);
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

/// What the types see while the writer is lent: only the call that confirms the writing is legal.
struct Borrower;

impl Borrower {
    #[cold]
    fn wrong(&self) -> Error {
        reserved()
    }
}

fn reserved() -> Error {
    Error::custom("names of newtypes that start with `$godot_variant` are reserved")
}

impl Serializer for Borrower {
    type Ok = ();
    type Error = Error;
    type SerializeTuple = ser::Impossible<(), Error>;

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    no_compound!();
    no_other! {
        serialize_i32(i32);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_str(&str);
        serialize_tuple(usize) -> Self::SerializeTuple;
    }
}

/// Methods of a serializer that refuse; `self.wrong()` is the error.
macro_rules! no_other {
    ($($name:ident($($arg:ty),*) $(-> $ok:ty)?;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<$crate::handoff::no_other!(@ok $($ok)?)> { Err(self.wrong()) }
    )+};
    (@ok) => { () };
    (@ok $ok:ty) => { $ok };
}

/// What a serializer of one scalar or a row of them refuses in any case.
macro_rules! no_compound {
    () => {
        type SerializeSeq = serde_core::ser::Impossible<(), Error>;
        type SerializeTupleStruct = serde_core::ser::Impossible<(), Error>;
        type SerializeTupleVariant = serde_core::ser::Impossible<(), Error>;
        type SerializeMap = serde_core::ser::Impossible<(), Error>;
        type SerializeStruct = serde_core::ser::Impossible<(), Error>;
        type SerializeStructVariant = serde_core::ser::Impossible<(), Error>;

        $crate::handoff::no_other! {
            serialize_bool(bool);
            serialize_i8(i8);
            serialize_i16(i16);
            serialize_i64(i64);
            serialize_u8(u8);
            serialize_u16(u16);
            serialize_u32(u32);
            serialize_u64(u64);
            serialize_char(char);
            serialize_bytes(&[u8]);
            serialize_none();
            serialize_unit_struct(&'static str);
            serialize_unit_variant(&'static str, u32, &'static str);
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
            serialize_tuple_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeTupleVariant;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_struct(&'static str, usize) -> Self::SerializeStruct;
            serialize_struct_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeStructVariant;
        }

        fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<()> {
            Err(self.wrong())
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: &T,
        ) -> Result<()> {
            Err(self.wrong())
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<()> {
            Err(self.wrong())
        }
    };
}

pub(crate) use {no_compound, no_other};
