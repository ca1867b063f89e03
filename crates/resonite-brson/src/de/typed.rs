//! Rust types from the elements that a [`Reader`] gives.

use std::marker::PhantomData;

use serde_core::de::{self, Deserialize, Error as _, IntoDeserializer, Unexpected, Visitor};

use super::access::{EntryAccess, ItemAccess, VariantAccess};
use super::lend::{Copied, Lend};
use crate::error::{Error, ErrorKind, Result};
use crate::handoff;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;
use crate::value;
use crate::write::Writer;

/// Reads Rust types, lending text and bytes as `M` says.
pub(crate) struct TypedReader<'b, M> {
    pub(super) reader: Reader<'b>,
    /// Type of the value that is next.
    pub(super) kind: Kind,
    /// Options that are open.
    options: usize,
    /// Whether text may be borrowed.
    lending: PhantomData<M>,
}

impl<'b, M> TypedReader<'b, M> {
    #[inline]
    pub(super) fn new(bson: &'b [u8], options: Options) -> Self {
        let reader = Reader::new(bson, options);
        TypedReader { reader, kind: Kind::Document, options: 0, lending: PhantomData }
    }

    /// Reads the one document of the input.
    pub(super) fn document_of_all<'de, T: Deserialize<'de>>(&mut self) -> Result<T>
    where
        M: Lend<'b, 'de>,
    {
        let value = T::deserialize(&mut *self).map_err(|error| error.or_at(0))?;
        self.reader.end().map(|()| value)
    }

    /// Goes to the only value of a document that was written for it.
    pub(super) fn enter_only(&mut self) -> Result<()> {
        self.kind = self.reader.open_only()?;
        Ok(())
    }

    /// Opens a level of Rust types.
    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.reader.depth = self.reader.depth.saturating_add(1);
        if self.reader.depth > self.reader.options.limits.max_typed_depth {
            let limit = self.reader.options.limits.max_typed_depth;
            return Err(Error::too_deep(limit, "max_typed_depth").or_at(self.reader.offset()));
        }
        Ok(())
    }

    /// Reads one level deeper in Rust types, at the same value.
    #[inline(always)]
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let value = read(self)?;
        self.leave();
        Ok(value)
    }

    #[inline]
    fn leave(&mut self) {
        self.reader.depth = self.reader.depth.saturating_sub(1);
    }

    #[cold]
    #[inline(never)]
    fn mismatch(&self, expected: &dyn de::Expected) -> Error {
        Error::at(
            ErrorKind::Data,
            self.reader.offset(),
            format!("expected {expected}, found {}", self.kind.words()),
        )
    }

    #[inline]
    fn array<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        let outer = self.reader.open()?;
        self.enter()?;
        let mut access = ItemAccess::new(self);
        let value = visitor.visit_seq(&mut access)?;
        // A visitor may stop early, and what follows is read from the end of the array.
        access.end()?;
        self.leave();
        self.reader.close(outer);
        Ok(value)
    }

    /// `fields` are the names of a struct; maps have none.
    #[inline]
    fn document<'de, V: Visitor<'de>, const MAP: bool>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        let outer = self.reader.open()?;
        self.enter()?;
        let mut access = EntryAccess::<M, MAP>::new(self, fields);
        let value = visitor.visit_map(&mut access)?;
        access.end()?;
        self.leave();
        self.reader.close(outer);
        Ok(value)
    }

    /// Shows whatever comes next.
    fn show<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        match self.kind {
            Kind::Double => visitor.visit_f64(self.reader.double()?),
            Kind::String => M::str(visitor, self.reader.string()?),
            Kind::Document => self.document::<V, true>(&[], visitor),
            Kind::Array => self.array(visitor),
            Kind::Bool => visitor.visit_bool(self.reader.bool()?),
            Kind::Null => visitor.visit_unit(),
            Kind::Int32 => visitor.visit_i32(self.reader.int32()?),
            Kind::Int64 => visitor.visit_i64(self.reader.int64()?),
            _ => self.show_rare(visitor),
        }
    }

    /// Types that serde does not have are shown as the map of the JSON notation, such as
    /// `{"$date": {"$numberLong": "0"}}`, from which buffers can make them again.
    #[cold]
    #[inline(never)]
    fn show_rare<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        if self.kind == Kind::Binary {
            // Read ahead, because another subtype is read again as a value.
            let mut ahead = self.reader.clone();
            if let (0, bytes) = ahead.binary()? {
                self.reader = ahead;
                return M::bytes(visitor, bytes);
            }
        }
        let value = value::decode(&mut self.reader, self.kind)?;
        let shown = crate::extended::wrap(value);
        let mut options = Options { allow_duplicates: true, ..self.reader.options };
        options.limits.max_depth = usize::MAX;
        let mut writer = Writer::new(Vec::new(), options);
        value::encode(&mut writer, &shown)?;
        let mut inner = TypedReader::<Copied>::new(&writer.out, options);
        inner.reader.depth = self.reader.depth;
        inner.reader.memory = self.reader.memory;
        let shown = inner.document::<V, true>(&[], visitor).map_err(Error::without_offset);
        self.reader.memory = inner.reader.memory;
        shown
    }

    /// An integer, also from a double that is one; `None` for anything else.
    #[inline(always)]
    fn integer(&mut self, expected: &dyn de::Expected) -> Result<Option<i64>> {
        match self.kind {
            Kind::Int32 => self.reader.int32().map(|value| Some(value.into())),
            Kind::Int64 => self.reader.int64().map(Some),
            _ => self.whole_double(expected),
        }
    }

    #[cold]
    #[inline(never)]
    fn whole_double(&mut self, expected: &dyn de::Expected) -> Result<Option<i64>> {
        if self.kind != Kind::Double {
            return Ok(None);
        }
        let value = self.reader.double()?;
        let whole = exact_int(value);
        whole.map(Some).ok_or_else(|| Error::invalid_type(Unexpected::Float(value), expected))
    }

    /// A double, also from an integer that a float of `bits` bits holds exactly.
    #[cold]
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
    fn double_from_int<'de, V: Visitor<'de>>(&mut self, bits: u32, visitor: V) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        let value = match self.kind {
            Kind::Int32 => i64::from(self.reader.int32()?),
            Kind::Int64 => self.reader.int64()?,
            _ => return self.show(visitor),
        };
        // A float holds the bits from the highest to the lowest that is set, wherever they are.
        let magnitude = value.unsigned_abs();
        let used = 64_u32
            .saturating_sub(magnitude.leading_zeros())
            .saturating_sub(magnitude.trailing_zeros().min(63));
        if used > bits {
            let expected: &dyn de::Expected = &visitor;
            let message =
                format!("expected {expected}, found integer {value}, which it cannot hold");
            return Err(Error::range(message));
        }
        match bits {
            ..=24 => visitor.visit_f32(value as f32),
            _ => visitor.visit_f64(value as f64),
        }
    }

    /// An integer that the unsigned one which is asked for, of 64 bits if `wide`, does not hold: perhaps
    /// one that was written as a negative number.
    #[cold]
    #[inline(never)]
    fn wrapped<'de, V: Visitor<'de>>(&self, value: i64, wide: bool, visitor: V) -> Result<V::Value>
    where
        M: Lend<'b, 'de>,
    {
        // A negative one of the same width can only be wrapped; of another, it may be a mistake.
        let wrap = self.reader.options.wrap_unsigned;
        let same = wide == (self.kind == Kind::Int64);
        match i32::try_from(value) {
            Ok(value) if !wide && (same || wrap) => visitor.visit_u32(value.cast_unsigned()),
            _ if wide && (same || wrap) => visitor.visit_u64(value.cast_unsigned()),
            _ => visitor.visit_i64(value),
        }
    }
}

#[cold]
fn out_of_f32(value: f64) -> Error {
    Error::range(format!("expected a float in the range of 32 bits, found {value:e}"))
}

/// The integer that a float is, if it is one.
#[allow(clippy::cast_possible_truncation, reason = "checked to be within the range")]
fn exact_int(value: f64) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    ((-END..END).contains(&value) && value.fract() == 0.0).then_some(value as i64)
}

/// Integers by the visitor's own method. What the type does not hold is shown as it is, for the visitor
/// to refuse.
macro_rules! integers {
    ($($method:ident $visit:ident $int:ty $(, $wide:literal)?;)+) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let Some(value) = self.integer(&visitor)? else { return self.show(visitor) };
            match <$int>::try_from(value) {
                Ok(value) => visitor.$visit(value),
                Err(_) => integers!(@other self visitor value $($wide)?),
            }
        }
    )+};
    (@other $own:ident $visitor:ident $value:ident) => { $visitor.visit_i64($value) };
    (@other $own:ident $visitor:ident $value:ident $wide:literal) => {
        $own.wrapped($value, $wide, $visitor)
    };
}

macro_rules! same {
    ($($method:ident as $other:ident),+ $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$other(visitor)
        }
    )+};
}

impl<'de, 'b, M: Lend<'b, 'de>> de::Deserializer<'de> for &mut TypedReader<'b, M> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.reader.options.human_readable
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Bool => visitor.visit_bool(self.reader.bool()?),
            _ => self.show(visitor),
        }
    }

    integers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32, false;
        deserialize_u64 visit_u64 u64, true;
        deserialize_u128 visit_u128 u128;
    }

    same! {
        deserialize_char as deserialize_str, deserialize_string as deserialize_str,
        deserialize_identifier as deserialize_str, deserialize_byte_buf as deserialize_bytes,
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the engine's floats are doubles here")]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Double => {
                let value = self.reader.double()?;
                let short = value as f32;
                if short.is_infinite() && value.is_finite() {
                    return Err(out_of_f32(value));
                }
                visitor.visit_f32(short)
            }
            _ => self.double_from_int(24, visitor),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Double => visitor.visit_f64(self.reader.double()?),
            _ => self.double_from_int(53, visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::String | Kind::Code | Kind::Symbol => M::str(visitor, self.reader.string()?),
            _ => self.show(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Binary => M::bytes(visitor, self.reader.binary()?.1),
            _ => self.show(visitor),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if matches!(self.kind, Kind::Null | Kind::Undefined) {
            return visitor.visit_none();
        }
        // No level, but no more than as many: an option in an option needs stack too.
        if self.options >= self.reader.options.limits.max_typed_depth {
            let limit = self.reader.options.limits.max_typed_depth;
            return Err(Error::too_deep(limit, "max_typed_depth").or_at(self.reader.offset()));
        }
        self.options = self.options.saturating_add(1);
        let value = visitor.visit_some(&mut *self);
        self.options = self.options.saturating_sub(1);
        value
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Null | Kind::Undefined => visitor.visit_unit(),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == handoff::NAME {
            let value = value::decode(&mut self.reader, self.kind)?;
            return handoff::give(value, || {
                visitor.visit_newtype_struct(IntoDeserializer::<Error>::into_deserializer(()))
            });
        }
        self.deeper(|own| visitor.visit_newtype_struct(own))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Array => self.array(visitor),
            _ => self.show(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind {
            Kind::Document => self.document::<V, true>(&[], visitor),
            _ => self.show(visitor),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.kind {
            Kind::Document => self.document::<V, false>(fields, visitor),
            _ => self.show(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.reader.offset();
        match self.kind {
            Kind::String => {
                let text = self.reader.string()?;
                visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(text))
            }
            Kind::Document => {
                let outer = self.reader.open()?;
                let Some(kind) = self.reader.kind()? else {
                    return Err(bad_variant(at, "an empty one"));
                };
                self.kind = kind;
                let value = self.deeper(|own| visitor.visit_enum(VariantAccess::new(own)?))?;
                if !self.reader.is_done() {
                    return Err(bad_variant(at, "a longer one"));
                }
                self.reader.close(outer);
                Ok(value)
            }
            other => Err(Error::at(
                ErrorKind::Data,
                at,
                format!(
                    "expected a variant's name or a document of one entry, found {}",
                    other.words()
                ),
            )),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // Not looked at: a struct that takes two fields of a save must not pay for the rest.
        value::skip(&mut self.reader, self.kind)?;
        visitor.visit_unit()
    }
}

#[cold]
fn bad_variant(at: usize, found: &str) -> Error {
    Error::at(
        ErrorKind::Data,
        at,
        format!("expected a variant as a document of one entry, found {found}"),
    )
}
