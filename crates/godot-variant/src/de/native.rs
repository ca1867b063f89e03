//! Math types and packed arrays as serde sees them: whole, or as sequences.

use std::borrow::Cow;

use serde_core::de::value::{BorrowedBytesDeserializer, BytesDeserializer, StrDeserializer};
use serde_core::de::{
    self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;

use crate::error::{Count, Error, ErrorKind, Result};
use crate::options::{Dialect, Options, Precision};
use crate::read::{self as wire, Header, Reader};

use crate::types::{Native, Real, TAG, Type, WireElement, rewidth, tag_settings};
use crate::value::Reals;

/// Shows encoded components or elements to a type of this crate, which asked for nothing else.
#[inline]
pub(super) fn give<'de, V: Visitor<'de>>(bytes: Cow<'de, [u8]>, visitor: V) -> Result<V::Value> {
    match bytes {
        Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
        Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
    }
}

/// The number in the bytes of one component or element.
fn read(number: wire::Number, bytes: &[u8]) -> ScalarDeserializer {
    fn read<S: WireElement>(bytes: &[u8]) -> S {
        let read = S::read_one(bytes);
        debug_assert!(read.is_some(), "{} bytes are no component", bytes.len());
        read.unwrap_or_default()
    }
    match number {
        wire::Number::U8 => ScalarDeserializer::Int(read::<u8>(bytes).into()),
        wire::Number::I32 => ScalarDeserializer::Int(read::<i32>(bytes).into()),
        wire::Number::I64 => ScalarDeserializer::Int(read(bytes)),
        wire::Number::F32 => ScalarDeserializer::Single(read(bytes)),
        wire::Number::F64 => ScalarDeserializer::Double(read(bytes)),
    }
}

/// The integer that a float is, if it is one.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
pub(super) fn whole(value: f64) -> Result<i64> {
    let whole = value as i64;
    if whole as f64 == value && whole != i64::MAX {
        return Ok(whole);
    }
    Err(Error::new(ErrorKind::NumberRange, format!("expected an integer, found float {value}")))
}

/// Shows an integer to a visitor of floats, if one of that width holds it exactly.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
pub(super) fn visit_exact<'de, V: Visitor<'de>>(
    value: i64,
    bits: u8,
    visitor: V,
) -> Result<V::Value> {
    let float = value as f64;
    let exact = float as i64 == value && value != i64::MAX;
    if exact && (bits == 64 || crate::types::fits_f32(float)) {
        return visit_float(float, bits, visitor);
    }
    Err(Error::new(
        ErrorKind::NumberRange,
        format!("expected a float, found integer {value}, which no {bits}-bit float holds exactly"),
    ))
}

/// Shows a float to a visitor of floats, unless it is too large for that width. To fit it is rounded,
/// as serde does.
pub(super) fn visit_float<'de, V: Visitor<'de>>(
    value: f64,
    bits: u8,
    visitor: V,
) -> Result<V::Value> {
    if bits == 32 {
        check_range(value)?;
        return visitor.visit_f32(f32::from_f64(value));
    }
    visitor.visit_f64(value)
}

fn check_range(value: f64) -> Result<()> {
    if value.is_finite() && !f32::from_f64(value).is_finite() {
        let text = format!("expected a float in the range of 32 bits, found {value:e}");
        return Err(Error::new(ErrorKind::NumberRange, text));
    }
    Ok(())
}

/// Components of 32 bits from those of 64, which are too large only where the options ask for that
/// width, as an engine does.
fn narrowed(bytes: &[u8], options: &Options) -> Result<Vec<u8>> {
    if options.precision != Precision::Single {
        let (doubles, _) = bytes.as_chunks::<8>();
        doubles.iter().try_for_each(|bytes| check_range(f64::from_le_bytes(*bytes)))?;
    }
    Ok(rewidth(bytes, false))
}

/// A component or element, which is read as the number of a variant is. For crates that have such
/// scalars without a variant around them.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ScalarDeserializer {
    Bool(bool),
    Int(i64),
    Single(f32),
    Double(f64),
}

macro_rules! number_as {
    (integer: $($method:ident: $integer:ty => $visit:ident),+; float: $($float:ident $bits:literal),+ $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let value = match self {
                ScalarDeserializer::Bool(value) => return visitor.visit_bool(value),
                ScalarDeserializer::Int(value) => value,
                ScalarDeserializer::Single(value) => whole(value.into())?,
                ScalarDeserializer::Double(value) => whole(value)?,
            };
            match <$integer>::try_from(value) {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_i64(value),
            }
        })+
        $(#[inline]
        fn $float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self {
                ScalarDeserializer::Bool(value) => visitor.visit_bool(value),
                ScalarDeserializer::Int(value) => visit_exact(value, $bits, visitor),
                ScalarDeserializer::Double(value) => visit_float(value, $bits, visitor),
                ScalarDeserializer::Single(value) => visitor.visit_f32(value),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for ScalarDeserializer {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            ScalarDeserializer::Bool(value) => visitor.visit_bool(value),
            ScalarDeserializer::Int(value) => visitor.visit_i64(value),
            ScalarDeserializer::Single(value) => visitor.visit_f32(value),
            ScalarDeserializer::Double(value) => visitor.visit_f64(value),
        }
    }

    number_as! {
        integer: deserialize_i8: i8 => visit_i8, deserialize_i16: i16 => visit_i16,
            deserialize_i32: i32 => visit_i32, deserialize_i64: i64 => visit_i64,
            deserialize_i128: i128 => visit_i128, deserialize_u8: u8 => visit_u8,
            deserialize_u16: u16 => visit_u16, deserialize_u32: u32 => visit_u32,
            deserialize_u64: u64 => visit_u64, deserialize_u128: u128 => visit_u128;
        float: deserialize_f32 32, deserialize_f64 64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct enum
        identifier ignored_any
    }
}

/// The components of one math value, in the order in which its fields are declared.
pub(super) struct ComponentsDeserializer<'a> {
    kind: Type,
    scalar: wire::Number,
    bytes: Cow<'a, [u8]>,
}

impl<'a> ComponentsDeserializer<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, header: &Header) -> Result<Self> {
        let scalar = wire::Number::of(header.kind, reader.wide(header));
        let len = header.kind.components().saturating_mul(scalar.size());
        let bytes = reader.take(len, header.kind.name())?;
        let rows = matches!(header.kind, Type::Basis | Type::Transform3D)
            && reader.dialect() != Dialect::Docs;
        let bytes = if rows { transposed(bytes, scalar.size()).into() } else { bytes.into() };
        Ok(ComponentsDeserializer { kind: header.kind, scalar, bytes })
    }

    /// The components with 32 or 64 bits; integers stay as they are.
    pub(super) fn in_width(self, wide: bool, options: &Options) -> Result<Cow<'a, [u8]>> {
        Ok(match self.scalar {
            wire::Number::F32 if wide => rewidth(&self.bytes, true).into(),
            wire::Number::F64 if !wide => narrowed(&self.bytes, options)?.into(),
            _ => self.bytes,
        })
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let left = self.bytes.chunks_exact(self.scalar.size());
        let mut access = PackedAccess { element: None, scalar: self.scalar, left, index: 0 };
        let value = visitor.visit_seq(&mut access)?;
        if access.left.len() == 0 {
            return Ok(value);
        }
        let (found, kind) = (Count(access.index, "component"), self.kind);
        let message = format!("expected {found}, found {kind} with {}", kind.components());
        Err(Error::new(ErrorKind::Data, message))
    }
}

/// From rows to columns, or back.
fn transposed(bytes: &[u8], size: usize) -> Vec<u8> {
    let part = |index: usize| {
        let start = index.saturating_mul(size);
        bytes.get(start..start.saturating_add(size)).unwrap_or_default()
    };
    let mut columns = Vec::with_capacity(bytes.len());
    [0, 3, 6, 1, 4, 7, 2, 5, 8].into_iter().for_each(|at| columns.extend_from_slice(part(at)));
    columns.extend_from_slice(bytes.get(size.saturating_mul(9)..).unwrap_or_default());
    columns
}

fn packed_bytes<'de>(
    reader: &mut Reader<'de>,
    header: &Header,
) -> Result<(&'de [u8], wire::Number)> {
    let scalar = wire::Number::of(header.kind, reader.wide(header));
    let bytes = match header.kind {
        Type::PackedByteArray => reader.packed_bytes(&mut ())?,
        kind => reader.packed(kind.packed_components().saturating_mul(scalar.size()), &mut ())?,
    };
    Ok((bytes, scalar))
}

/// The elements of a packed array, with components of the width that is asked for.
pub(super) fn packed_in_width<'de>(
    reader: &mut Reader<'de>,
    header: &Header,
    wide: bool,
) -> Result<Cow<'de, [u8]>> {
    let (bytes, scalar) = packed_bytes(reader, header)?;
    Ok(match scalar {
        wire::Number::F32 if wide => rewidth(bytes, true).into(),
        wire::Number::F64 if !wide && header.kind.packed_components() > 1 => {
            narrowed(bytes, &reader.options)?.into()
        }
        _ => bytes.into(),
    })
}

/// The elements of a packed array, or the components of a math value, one by one.
pub(super) struct PackedAccess<'a> {
    /// The type of the elements, if they are no numbers.
    element: Option<Type>,
    scalar: wire::Number,
    left: std::slice::ChunksExact<'a, u8>,
    index: usize,
}

impl<'a> PackedAccess<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, header: &Header) -> Result<Self> {
        let (bytes, scalar) = packed_bytes(reader, header)?;
        let size = scalar.size().saturating_mul(header.kind.packed_components());
        let element = header.kind.element();
        Ok(PackedAccess { element, scalar, left: bytes.chunks_exact(size), index: 0 })
    }

    pub(super) fn end(&self, at: usize) -> Result<()> {
        match self.left.len() {
            0 => Ok(()),
            left => Err(Error::at(
                ErrorKind::Data,
                at,
                format!("expected {}, found {left} more", Count(self.index, "element")),
            )),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut PackedAccess<'_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(bytes) = self.left.next() else { return Ok(None) };
        let value = match self.element {
            Some(kind) => seed.deserialize(ComponentsDeserializer {
                kind,
                scalar: self.scalar,
                bytes: bytes.into(),
            }),
            None => seed.deserialize(read(self.scalar, bytes)),
        };
        let value = value.map_err(|error| error.inside(self.index))?;
        self.index = self.index.saturating_add(1);
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

impl<'de> Deserializer<'de> for ComponentsDeserializer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Native::from_name(name) {
            Some(Native::Math(kind, wide)) if kind == self.kind => {
                visitor.visit_bytes(&self.in_width(wide, &Options::new())?)
            }
            Some(Native::Any) => {
                let wide = self.scalar == wire::Number::F64;
                let value = crate::value::of_numbers(
                    self.kind,
                    &Reals { bytes: &self.bytes, wide, keep: wide, rows: false },
                );
                super::give(value, visitor)
            }
            Some(_) => {
                let expected: &dyn de::Expected = &visitor;
                let message = format!("expected {expected}, found {}", self.kind);
                Err(Error::new(ErrorKind::Data, message))
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The entries of a `PackedStringArray`.
pub(super) struct StringAccess<'a, 'de> {
    reader: &'a mut Reader<'de>,
    count: usize,
    index: usize,
}

impl<'a, 'de> StringAccess<'a, 'de> {
    pub(super) fn new(reader: &'a mut Reader<'de>, count: usize) -> Self {
        StringAccess { reader, count, index: 0 }
    }

    pub(super) fn end(&self) -> Result<()> {
        if self.index == self.count {
            return Ok(());
        }
        Err(Error::at(
            ErrorKind::Data,
            self.reader.offset(),
            format!("expected {}, found {}", Count(self.index, "string"), self.count),
        ))
    }
}

impl<'de> SeqAccess<'de> for &mut StringAccess<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.index >= self.count {
            return Ok(None);
        }
        let at = self.reader.offset();
        let index = self.index;
        let text =
            self.reader.packed_string(index, &mut ()).map_err(|error| error.inside(index))?;
        self.index = index.saturating_add(1);
        let is_readable = self.reader.options.human_readable;
        seed.deserialize(TextDeserializer { text, is_readable })
            .map(Some)
            .map_err(|error| error.or_at(at).inside(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count.saturating_sub(self.index).min(self.reader.rest().len() / 4))
    }
}

/// Text that has no header: an entry of a `PackedStringArray`, the name of a property.
pub(super) struct TextDeserializer<'de> {
    pub(super) text: Cow<'de, str>,
    pub(super) is_readable: bool,
}

impl<'de> Deserializer<'de> for TextDeserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.is_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.text {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(self.text))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A native type as the map of one entry that keeps it whole inside serde's buffers.
pub(super) struct TagAccess<'de> {
    bytes: Cow<'de, [u8]>,
    settings: u64,
    step: u8,
}

impl<'de> TagAccess<'de> {
    pub(super) fn new(bytes: Cow<'de, [u8]>, options: &Options) -> Self {
        TagAccess { bytes, settings: tag_settings(options), step: 0 }
    }
}

impl<'de> MapAccess<'de> for TagAccess<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.step > 0 {
            return Ok(None);
        }
        self.step = 1;
        seed.deserialize(StrDeserializer::<Error>::new(TAG)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(de::value::SeqAccessDeserializer::new(self))
    }
}

/// The content of the tag: settings, then the encoded variant.
impl<'de> SeqAccess<'de> for &mut TagAccess<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.step = self.step.saturating_add(1);
        match self.step {
            2 => seed.deserialize(self.settings.into_deserializer()).map(Some),
            3 => match &self.bytes {
                Cow::Borrowed(bytes) => seed.deserialize(BorrowedBytesDeserializer::new(bytes)),
                Cow::Owned(bytes) => seed.deserialize(BytesDeserializer::new(bytes)),
            }
            .map(Some),
            _ => Ok(None),
        }
    }
}
