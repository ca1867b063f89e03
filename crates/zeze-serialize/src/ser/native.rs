//! This crate's own types: vectors, values and beans as bytes.

use serde_core::Serialize;
use serde_core::ser::{self, Impossible, SerializeTuple};

use super::compound::StructSerializer;
use super::slot::{Mark, Slot};
use super::{Serializer, ValueSerializer};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::types::marker;
use crate::value::decode::Decoder;
use crate::write;

/// Writes a `Value`, `RawBean` or `Unknown`.
pub(super) fn write<S: Slot, T: Serialize + ?Sized>(
    ser: &mut Serializer,
    slot: &mut S,
    name: &str,
    value: &T,
) -> Result<()> {
    let form = match name {
        marker::VALUE => Form::Value(None),
        marker::UNKNOWN => Form::Unknown,
        _ => Form::Bean,
    };
    value.serialize(&mut Native { ser, slot, form })
}

enum Form {
    /// A wire type, then the bytes of a value.
    Value(Option<Kind>),
    Bean,
    Unknown,
}

/// Takes the content of one of these types.
struct Native<'a, S> {
    ser: &'a mut Serializer,
    slot: &'a mut S,
    form: Form,
}

impl<S: Slot> Native<'_, S> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let kind = match self.form {
            Form::Unknown => {
                let Some(layer) = self.slot.layer() else {
                    return Err(marker::misplaced(marker::UNKNOWN));
                };
                layer.keep_unknown(bytes);
                return Ok(());
            }
            Form::Bean => Kind::Bean,
            Form::Value(kind) => kind.ok_or_else(reserved)?,
        };
        // A `Value` is always there, for only the integer 0 is what it is when it is absent.
        let is_default = matches!(kind, Kind::Int | Kind::Bean) && bytes == [0];
        let is_value = matches!(self.form, Form::Value(_));
        if is_default && self.slot.omits() && (is_value == (kind == Kind::Int)) {
            return Ok(());
        }
        if is_value && !self.slot.takes_value(kind) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("expected a bean as the value of a variant, found {}", kind.article()),
            ));
        }
        if is_value {
            // The value knows no options, so its depth is looked at here.
            let skipped = Decoder::new(bytes, self.ser.options).skip(kind, self.ser.depth);
            skipped.map_err(Error::without_offset)?;
        }
        self.slot.begin(self.ser, kind)?;
        self.ser.out.extend_from_slice(bytes);
        Ok(())
    }
}

#[cold]
fn reserved() -> Error {
    marker::misplaced("")
}

macro_rules! refuse {
    ($($name:ident($($arg:ty),*) $(-> $ok:ty)?;)+) => {$(
        fn $name(self $(, _: $arg)*) -> Result<refuse!(@ok $($ok)?)> { Err(reserved()) }
    )+};
    (@ok) => { () };
    (@ok $ok:ty) => { $ok };
}

impl<S: Slot> ser::Serializer for &mut Native<'_, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        if let Form::Value(kind) = &mut self.form {
            *kind = Kind::from_number(value);
        }
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.bytes(value)
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self> {
        Ok(self)
    }

    refuse! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_f32(f32);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_none();
        serialize_unit();
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
        Err(reserved())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<()> {
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

impl<S: Slot> SerializeTuple for &mut Native<'_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

/// A tuple struct, or one of this crate's vectors, that is being written.
pub struct TupleStructSerializer<'a, S>(Struct<'a, S>);

enum Struct<'a, S> {
    Bean(StructSerializer<'a, S>),
    Vector { ser: &'a mut Serializer, slot: S, mark: Mark, body: usize, kind: Kind, written: usize },
}

impl<'a, S: Slot> TupleStructSerializer<'a, S> {
    #[inline]
    pub(super) fn new(ser: &'a mut Serializer, mut slot: S, name: &str) -> Result<Self> {
        if !marker::is_reserved(name) {
            return Ok(TupleStructSerializer(Struct::Bean(StructSerializer::new(ser, slot)?)));
        }
        let Some(kind) = marker::vector(name) else { return Err(reserved()) };
        let mark = slot.mark(ser);
        slot.begin(ser, kind)?;
        let body = ser.out.len();
        Ok(TupleStructSerializer(Struct::Vector { ser, slot, mark, body, kind, written: 0 }))
    }
}

impl<S: Slot> ser::SerializeTupleStruct for TupleStructSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match &mut self.0 {
            Struct::Bean(bean) => bean.positional(value),
            Struct::Vector { ser, kind, written, .. } => {
                *written = written.saturating_add(1);
                let kind = if kind.has_ints() { Kind::Int } else { Kind::Float };
                value.serialize(ValueSerializer { ser, slot: Component(kind) })
            }
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self.0 {
            Struct::Bean(bean) => bean.finish(),
            Struct::Vector { ser, mut slot, mark, body, kind, written } => {
                if written != kind.components() {
                    return Err(reserved());
                }
                let bytes = ser.out.get(body..).unwrap_or_default();
                if slot.omits() && write::is_default(kind, bytes, ser.options.keep_negative_zero) {
                    slot.undo(ser, mark);
                }
                Ok(())
            }
        }
    }
}

/// A component of a vector, which stands without anything before it.
struct Component(Kind);

impl Slot for Component {
    #[inline]
    fn begin(&mut self, _ser: &mut Serializer, kind: Kind) -> Result<()> {
        if kind == self.0 { Ok(()) } else { Err(reserved()) }
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(reserved())
    }
}
