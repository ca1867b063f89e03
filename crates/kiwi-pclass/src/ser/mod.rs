//! Serialization: Rust types to bytes.

mod catch;

pub(crate) use catch::{no_compounds, refuse};

use std::sync::Arc;

use serde_core::Serialize;
use serde_core::ser;

use crate::options::Options;
use crate::read::Wire;
use crate::value::Rules;
use crate::write::{self, Writer};
use crate::{Error, ErrorKind, Result, Schema};

/// stub
pub struct Serializer {
    options: Options,
    rules: Rules,
    schema: Option<Arc<Schema>>,
    writer: Writer,
}

impl Serializer {
    /// Writes with some options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let wire = Wire::new(&options, write::flags(&options));
        let rules = Rules { wire, fill_defaults: options.fill_defaults };
        Serializer { rules, schema: options.schema.clone(), writer: Writer::default(), options }
    }

    /// The bytes.
    ///
    /// # Errors
    /// A limit.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        write::close(self.writer.bits.into_bytes(), self.writer.root, &self.options)
    }
}

fn stub() -> Error {
    Error::new(ErrorKind::Unsupported, "not yet")
}

impl ser::Serializer for &mut Serializer {
    type Ok = ();
    type Error = Error;
    no_compounds! {
        SerializeSeq SerializeTuple SerializeTupleStruct SerializeTupleVariant SerializeMap
        SerializeStruct SerializeStructVariant
    }
    fn is_human_readable(&self) -> bool {
        false
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, v: &T) -> Result<()> {
        let _ = &self.schema;
        if name == crate::types::VALUE {
            return crate::handoff::lend(&mut self.writer, &self.rules, None, v);
        }
        v.serialize(self)
    }
    refuse! { stub();
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none(); serialize_unit();
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
        Err(stub())
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, _: &T) -> Result<()> {
        Err(stub())
    }
}

/// The `float` that is exactly this number, if there is one.
#[allow(clippy::cast_possible_truncation, reason = "checked by widening again")]
pub(crate) fn narrow(value: f64) -> Option<f32> {
    let narrow = value as f32;
    let same = f64::from(narrow).to_bits() == value.to_bits();
    (same || value.is_nan()).then_some(narrow)
}

/// A number in so many bits, if it fits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
pub(crate) fn fit_bits(number: i128, width: u8, signed: bool) -> Option<u32> {
    let width = u32::from(width.min(32));
    let (least, most) = match signed {
        true => (-(1i128 << width.saturating_sub(1)), (1i128 << width.saturating_sub(1)).wrapping_sub(1)),
        false => (0, (1i128 << width).wrapping_sub(1)),
    };
    (least..=most).contains(&number).then_some(number as u32)
}
