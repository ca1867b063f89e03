//! Values of properties and elements of lists.

use gamewire_core::words;
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{self, Deserializer as _, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::State;
use super::access::{ListAccess, text_variant};
use super::object::{ObjectDe, count_wrapper, read_shallow};
use crate::bits::next_byte;
use crate::compound::binary;
use crate::handoff;
use crate::read::{self, ClassHeader};
use crate::schema::{Hint, Kind, Kinds, Leaf, Number, Property, Scalar};
use crate::types::WString;
use crate::value::build;
use crate::value::decode::Decoder;
use crate::{Error, ErrorKind, Result};

/// A value that is about to be read. It is small, because serde hands it on by value.
pub(super) struct ValueDe<'x, 'p, 'a, 'de> {
    state: &'x mut State<'a, 'de>,
    property: &'p Property,
    /// The encoding of an element; none for the whole property, which may be a list.
    element: Option<&'p Kind>,
    /// Where it must end: the largest number if that is not known.
    end: usize,
    hint: Hint,
    /// The property is missing: the value of a new object is read.
    absent: bool,
    wrappers: u8,
    /// An option around it said that it is present.
    is_present: bool,
}

/// About the bytes that serde's buffers take for a value, or for a name and a value, with what a vector of
/// them reserves when it grows.
pub(super) const BUFFERED: usize = 128;

impl<'x, 'p, 'a, 'de> ValueDe<'x, 'p, 'a, 'de> {
    /// All of a property.
    #[inline(always)]
    pub(super) fn whole(
        state: &'x mut State<'a, 'de>,
        property: &'p Property,
        end: usize,
        absent: bool,
    ) -> Self {
        let (element, hint) = (None, property.hint);
        ValueDe { state, property, element, end, hint, absent, wrappers: 0, is_present: false }
    }

    /// An element of a list or a member of a tuple, whose encoding is `kind` and `hint`.
    #[inline(always)]
    pub(super) fn element(
        state: &'x mut State<'a, 'de>,
        property: &'p Property,
        kind: &'p Kind,
        hint: Hint,
    ) -> Self {
        let (element, end, absent) = (Some(kind), usize::MAX, false);
        ValueDe { state, property, element, end, hint, absent, wrappers: 0, is_present: false }
    }

    /// The encoding, unless it is a list.
    #[inline]
    fn kind(&self) -> Option<&'p Kind> {
        match self.element {
            Some(kind) => Some(kind),
            None if self.property.is_list() => None,
            None => Some(&self.property.kind),
        }
    }

    #[inline]
    fn at(&self) -> usize {
        self.state.reader.at()
    }

    #[inline]
    fn count_wrapper(mut self) -> Result<Self> {
        let at = self.at();
        count_wrapper(&mut self.wrappers, at)?;
        Ok(self)
    }

    fn object(self) -> Result<ObjectDe<'x, 'a, 'de>> {
        let at = self.state.reader.at_byte();
        ObjectDe::new(self.state, at, None)
    }

    fn list<V: Visitor<'de>>(self, kind: &'p Kind, map: bool, visitor: V) -> Result<V::Value> {
        let len = self.state.reader.list_count()?;
        self.state.reader.check_count(len, kind, self.property)?;
        self.elements(Kinds::Same(kind), len, map, visitor)
    }

    fn elements<V: Visitor<'de>>(
        self,
        kinds: Kinds<'p>,
        len: usize,
        map: bool,
        visitor: V,
    ) -> Result<V::Value> {
        self.state.reader.enter_typed()?;
        let mut access = ListAccess::new(&mut *self.state, self.property, kinds, (len, self.end));
        let value =
            if map { visitor.visit_map(&mut access) } else { visitor.visit_seq(&mut access) }?;
        access.end()?;
        self.state.reader.leave();
        Ok(value)
    }

    /// The few numbers of a type that has some, or the members of a tuple.
    fn tuple<V: Visitor<'de>>(self, kind: &'p Kind, visitor: V) -> Result<V::Value> {
        if let Kind::Tuple(kinds) = kind {
            return self.elements(Kinds::Each(kinds), kinds.len(), false, visitor);
        }
        let Some(row) = kind.row() else {
            return Err(read::unsupported(self.property).or_at(self.at()));
        };
        let numbers = self.state.reader.row(kind, row)?;
        if row.each == 1 {
            return visitor.visit_seq(SeqDeserializer::new(numbers.iter().map(NumberDe::one)));
        }
        let (rows, _) = numbers.as_chunks();
        visitor.visit_seq(SeqDeserializer::new(rows.iter().map(|row| NumberDe::Row(*row))))
    }

    /// Reads a string as text, or as bytes where it is none and the visitor takes anything.
    fn text<V: Visitor<'de>>(self, or_bytes: bool, visitor: V) -> Result<V::Value> {
        let bytes = self.state.reader.string()?;
        let start = self.state.reader.start_of(bytes);
        // An empty text may end inside of a byte, and is nowhere.
        let borrowed = if bytes.is_empty() { Some(&[][..]) } else { self.state.borrowed(bytes) };
        if let Some(Ok(text)) = borrowed.map(std::str::from_utf8) {
            return visitor.visit_borrowed_str(text);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => visitor.visit_str(text),
            Err(_) if or_bytes => self.bytes(bytes, visitor),
            Err(error) => {
                let at = start.saturating_add(error.valid_up_to().saturating_mul(8));
                let message = words::invalid_utf8(bytes, error);
                Err(Error::at(ErrorKind::InvalidText, at, message))
            }
        }
    }

    /// A wide string as text.
    fn wide_text(&mut self) -> Result<String> {
        let bytes = self.state.reader.wstring()?;
        WString::from_le_bytes(bytes).to_text().ok_or_else(|| {
            let start = self.state.reader.start_of(bytes);
            let message = "expected UTF-16 text, found a lone surrogate";
            Error::at(ErrorKind::InvalidText, start, message)
        })
    }

    /// Bytes that were just read, as bytes.
    fn bytes<V: Visitor<'de>>(self, bytes: &[u8], visitor: V) -> Result<V::Value> {
        match self.state.borrowed(bytes) {
            Some(borrowed) if !bytes.is_empty() => visitor.visit_borrowed_bytes(borrowed),
            _ if bytes.is_empty() => visitor.visit_borrowed_bytes(&[]),
            _ => visitor.visit_bytes(bytes),
        }
    }

    fn option_name(&mut self) -> Result<String> {
        let at = self.state.reader.at_byte();
        let (value, text) = self.state.reader.option(self.property)?;
        match (self.property.options(), text) {
            (Some(options), _) if options.is_bits() || options.name_of(value).is_some() => {
                Ok(options.format(value))
            }
            (_, Some(text)) => Ok(text.to_owned()),
            _ => Err(no_option(self.property, value, at)),
        }
    }

    /// The value in the type that is declared. Out of line, so that the usual ways are small enough to be
    /// inlined.
    #[inline(never)]
    fn declared<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let Some(kind) = self.kind() else {
            let kind = &self.property.kind;
            return self.list(kind, false, visitor);
        };
        let at = self.at();
        let reader = &mut self.state.reader;
        match kind {
            Kind::Bool => visitor.visit_bool(reader.bits.bit()?),
            // By far the most frequent number has no second match on its type.
            Kind::Scalar(Scalar::U32) => visitor.visit_u32(reader.bits.u32()?),
            Kind::Scalar(scalar) => NumberDe::One(reader.number(*scalar)?)
                .deserialize_any(visitor)
                .map_err(|error| error.or_at(next_byte(at))),
            Kind::Bits { width, signed } => {
                NumberDe::One(reader.small(*width, *signed)?).deserialize_any(visitor)
            }
            Kind::String => self.text(true, visitor),
            Kind::WString => visitor.visit_string(self.wide_text()?),
            Kind::Enum => match reader.option(self.property)? {
                (value, None) => visitor.visit_u32(value),
                (_, Some(text)) => visitor.visit_str(text),
            },
            Kind::Object => self.object()?.declared(visitor),
            Kind::List(kind) => self.list(kind, false, visitor),
            Kind::Optional(_) => self.deserialize_option(visitor),
            kind => self.tuple(kind, visitor),
        }
    }

    #[inline(never)]
    fn number<V: Visitor<'de>>(self, signed: bool, visitor: V) -> Result<V::Value> {
        match self.kind() {
            // An `int` of C++, whose bits type lists have without a sign.
            Some(Kind::Enum) => match self.state.reader.option(self.property)?.0 {
                value if signed => visitor.visit_i32(value.cast_signed()),
                value => visitor.visit_u32(value),
            },
            Some(Kind::Bits { width, signed }) => {
                NumberDe::One(self.state.reader.small(*width, *signed)?).deserialize_any(visitor)
            }
            _ => self.declared(visitor),
        }
    }

    #[inline(never)]
    fn float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Scalar(other)) if other.is_float() => self.declared(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn skip(self) -> Result<()> {
        let State { reader, classes, .. } = self.state;
        if self.end != usize::MAX {
            // An entry of deep mode says where it ends.
            return reader.bits.seek(self.end);
        }
        let mut nobody = ();
        let decoder = Decoder::new(reader, *classes, &mut nobody);
        match self.element {
            None => decoder.property(self.property),
            Some(kind) => decoder.element(self.property, kind),
        }
    }

    #[cold]
    fn mismatch(self, expected: &dyn de::Expected) -> Error {
        let what = if self.kind().is_none() { "a list of " } else { "" };
        let found = self.property.type_name();
        let message = format!("expected {expected}, found {what}{found}");
        Error::at(ErrorKind::Data, self.at(), message)
    }
}

/// Numbers in the type that is declared; the visitor checks whether they fit. An enum has its
/// number even where the stream has its name.
macro_rules! numbers {
    ($($method:ident $scalar:ident $type:ty = $read:ident as $visit:ident;)+) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            // A number that is declared as Rust has it goes no further way.
            if self.hint.is(const { Leaf::Scalar(Scalar::$scalar) }) {
                let bits = self.state.reader.bits.$read()?;
                return visitor.$visit(<$type>::from_le_bytes(bits.to_le_bytes()));
            }
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            self.number(<$type>::MIN < 0, visitor)
        }
    )+};
}

macro_rules! floats {
    ($($method:ident $scalar:ident $type:ty = $read:ident as $visit:ident;)+) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if self.hint.is(const { Leaf::Scalar(Scalar::$scalar) }) {
                return visitor.$visit(<$type>::from_bits(self.state.reader.bits.$read()?));
            }
            self.float(visitor)
        }
    )+};
}

macro_rules! alike {
    ($($method:ident = $other:ident;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$other(visitor)
        }
    )+};
}

impl<'de> de::Deserializer<'de> for ValueDe<'_, '_, '_, 'de> {
    type Error = Error;

    binary!();

    /// Types that read anything keep what they are given in buffers of serde.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.state.reader.take_memory(BUFFERED)?;
        self.declared(visitor)
    }

    numbers! {
        deserialize_i8 I8 i8 = u8 as visit_i8;
        deserialize_i16 I16 i16 = u16 as visit_i16;
        deserialize_i32 I32 i32 = u32 as visit_i32;
        deserialize_i64 I64 i64 = u64 as visit_i64;
        deserialize_u8 U8 u8 = u8 as visit_u8;
        deserialize_u16 U16 u16 = u16 as visit_u16;
        deserialize_u32 U32 u32 = u32 as visit_u32;
        deserialize_u64 U64 u64 = u64 as visit_u64;
        deserialize_i128 I64 i64 = u64 as visit_i64;
        deserialize_u128 U64 u64 = u64 as visit_u64;
    }

    floats! {
        deserialize_f32 F32 f32 = u32 as visit_f32;
        deserialize_f64 F64 f64 = u64 as visit_f64;
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.hint.is(Leaf::Bool) {
            return visitor.visit_bool(self.state.reader.bits.bit()?);
        }
        self.declared(visitor)
    }

    alike! {
        deserialize_char = deserialize_str;
        deserialize_string = deserialize_str;
        deserialize_identifier = deserialize_str;
        deserialize_byte_buf = deserialize_bytes;
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            _ if self.hint.is(Leaf::String) => self.text(false, visitor),
            Some(Kind::String) => self.text(false, visitor),
            Some(Kind::WString) => visitor.visit_string(self.wide_text()?),
            Some(Kind::Enum) => visitor.visit_string(self.option_name()?),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(kind @ (Kind::String | Kind::WString)) => {
                let (reader, wide) = (&mut self.state.reader, *kind == Kind::WString);
                let bytes = if wide { reader.wstring()? } else { reader.string()? };
                self.bytes(bytes, visitor)
            }
            _ => self.declared(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            _ if self.absent => visitor.visit_none(),
            // That a delta property is there is one thing, whether it is null another.
            Some(Kind::Object | Kind::Optional(_))
                if self.element.is_none() && self.property.is_delta() && !self.is_present =>
            {
                let value = self.count_wrapper()?;
                visitor.visit_some(ValueDe { is_present: true, ..value })
            }
            Some(Kind::Object) => {
                let value = self.count_wrapper()?;
                value.object()?.deserialize_option(visitor)
            }
            Some(Kind::Optional(kind)) => {
                if !self.state.reader.bits.bit()? {
                    return visitor.visit_none();
                }
                self.state.reader.enter_typed()?;
                let ValueDe { state, property, wrappers, is_present, .. } = self;
                let inside = ValueDe::element(&mut *state, property, kind, Hint::of(kind));
                let value = visitor.visit_some(ValueDe { wrappers, is_present, ..inside })?;
                state.reader.leave();
                Ok(value)
            }
            _ => visitor.visit_some(self.count_wrapper()?),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Object) => self.object()?.deserialize_unit(visitor),
            Some(Kind::Tuple(kinds)) if kinds.is_empty() => visitor.visit_unit(),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Object) => self.object()?.deserialize_unit_struct(name, visitor),
            _ => self.deserialize_unit(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match name {
            crate::types::VALUE => {
                let State { reader, classes, .. } = self.state;
                let value = build::value(reader, *classes, self.property, self.element)?;
                handoff::give_to(value, visitor)
            }
            crate::types::RAW_OBJECT => match self.kind() {
                Some(Kind::Object) => self.object()?.deserialize_newtype_struct(name, visitor),
                _ => Err(self.mismatch(&visitor)),
            },
            // Bytes for code units, or the other way round, would be another text.
            crate::types::WSTRING if matches!(self.kind(), Some(Kind::String)) => {
                Err(self.mismatch(&visitor))
            }
            crate::types::STRING if matches!(self.kind(), Some(Kind::WString)) => {
                Err(self.mismatch(&visitor))
            }
            _ => visitor.visit_newtype_struct(self.count_wrapper()?),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::String) => {
                let bytes = self.state.reader.string()?;
                visitor.visit_seq(SeqDeserializer::new(bytes.iter().copied()))
            }
            Some(Kind::WString) => {
                let bytes = self.state.reader.wstring()?;
                let (pairs, _) = bytes.as_chunks::<2>();
                let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
                visitor.visit_seq(SeqDeserializer::new(units))
            }
            Some(
                Kind::Bool
                | Kind::Scalar(_)
                | Kind::Bits { .. }
                | Kind::Enum
                | Kind::Object
                | Kind::Optional(_),
            ) => Err(self.mismatch(&visitor)),
            _ => self.declared(visitor),
        }
    }

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

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Object) => self.object()?.deserialize_map(visitor),
            None if is_pair(&self.property.kind) => {
                let kind = &self.property.kind;
                self.list(kind, true, visitor)
            }
            Some(Kind::List(kind)) if is_pair(kind) => self.list(kind, true, visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.hint.is(Leaf::Object) && self.state.reader.wire.is_plain {
            let at = self.state.reader.at_byte();
            let hash = self.state.reader.bits.u32()?;
            if let Some((class, names)) = self.state.known(hash, name, fields) {
                let value = read_shallow(self.state, class, None, (fields, names), visitor);
                return value.map_err(|error| error.or_at(at).in_class(class));
            }
            let header = ClassHeader::of_hash(hash);
            return ObjectDe::new(self.state, at, Some(header))?
                .deserialize_struct(name, fields, visitor);
        }
        match self.kind() {
            Some(Kind::Object) => self.object()?.deserialize_struct(name, fields, visitor),
            Some(Kind::Bool | Kind::Scalar(_) | Kind::Bits { .. } | Kind::Enum) | None => {
                Err(self.mismatch(&visitor))
            }
            // A struct of the user's own for a vector or the like.
            Some(_) => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.state.reader.at_byte();
        let is_unit = match self.kind() {
            Some(Kind::Object) => {
                self.state.reader.is_unit(self.property, self.state.classes.schema)?
            }
            _ => false,
        };
        match self.kind() {
            Some(Kind::Object) if !is_unit => {
                self.object()?.deserialize_enum(name, variants, visitor)
            }
            // Of a Rust type: by its own number or name, for a place may hold several enums, and a variant may
            // have several names.
            Some(Kind::Enum | Kind::Object) if self.property.options_or_none().is_inferred => {
                if !self.state.reader.wire.names {
                    let number = self.state.reader.bits.u32()?.into_deserializer();
                    return visitor.visit_enum(number).map_err(|error: Error| error.or_at(at));
                }
                let start = self.at();
                let mut text = String::from_utf8_lossy(self.state.reader.string()?).into_owned();
                // A number, or a name with blanks around it.
                if self.property.options_or_none().value_of(&text).is_none() {
                    self.state.reader.bits.seek(start)?;
                    match self.option_name() {
                        Ok(name) => text = name,
                        Err(error) if error.kind() == ErrorKind::NotCanonical => return Err(error),
                        Err(_) => {}
                    }
                }
                text_variant(&text, visitor).map_err(|error| error.or_at(at))
            }
            Some(Kind::Enum | Kind::Object) => {
                let own = self.property;
                if !self.state.reader.wire.names
                    && let Some(options) = own.options().filter(|options| !options.is_bits())
                {
                    let value = self.state.reader.bits.u32()?;
                    return match options.name_of(value) {
                        Some(name) => text_variant(name, visitor),
                        None => Err(no_option(own, value, at)),
                    }
                    .map_err(|error| error.or_at(at));
                }
                let text = self.option_name()?;
                text_variant(&text, visitor).map_err(|error| error.or_at(at))
            }
            Some(Kind::String) => {
                let bytes = self.state.reader.string()?;
                text_variant(&String::from_utf8_lossy(bytes), visitor)
                    .map_err(|error| error.or_at(at))
            }
            Some(Kind::Scalar(scalar)) => {
                let number = self.state.reader.number(*scalar)?.fit::<u32>();
                let number = number.ok_or_else(|| self.mismatch(&visitor))?;
                visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(number))
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }
}

#[cold]
fn no_option(property: &Property, value: u32, at: usize) -> Error {
    let name = property.type_name();
    let message =
        format!("expected an option of `{name}`, found the number {value}, which has no name");
    Error::at(ErrorKind::UnknownOption, at, message)
}

fn is_pair(kind: &Kind) -> bool {
    matches!(kind, Kind::Tuple(pair) if pair.len() == 2)
}

/// An `Option` that is `None`, in newtypes or not.
pub(super) struct NoneDe;

impl<'de> de::Deserializer<'de> for NoneDe {
    type Error = Error;

    binary!();

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A number, a row of a matrix, or the header of a core object, for whatever visitor it fits.
pub(super) enum NumberDe {
    One(Number),
    Row([Number; 3]),
}

impl NumberDe {
    fn one(number: &Number) -> Self {
        NumberDe::One(*number)
    }
}

impl<'de> IntoDeserializer<'de, Error> for NumberDe {
    type Deserializer = NumberDe;
    fn into_deserializer(self) -> NumberDe {
        self
    }
}

impl<'de> de::Deserializer<'de> for NumberDe {
    type Error = Error;

    binary!();

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            NumberDe::One(Number::Int(number)) => visitor.visit_i64(number),
            NumberDe::One(Number::UInt(number)) => visitor.visit_u64(number),
            NumberDe::One(Number::Float(number)) => visitor.visit_f32(number),
            NumberDe::One(Number::Double(number)) => visitor.visit_f64(number),
            NumberDe::Row(row) => {
                visitor.visit_seq(SeqDeserializer::new(row.map(NumberDe::One).into_iter()))
            }
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

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
