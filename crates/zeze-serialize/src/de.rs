//! Typed reading: bytes to Rust types, by serde.
//!
//! The Rust type says what it wants, and the methods here take it from the input, converted where
//! the wire type is another one. It goes through beans in the order of the ids; what the type does
//! not have is skipped by the decoder of values (`value/decode.rs`).

mod access;
mod convert;
mod field;
mod layer;
mod native;
mod variant;

use std::borrow::Cow;
use std::io;
use std::marker::PhantomData;

use serde_core::de::{self, DeserializeOwned, Visitor};

use crate::cast::{self, low_i8, low_i16, low_i32};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::KnownTypes;
use crate::kind::Kind;
use crate::options::Options;
use crate::read;
use crate::read::{ListHead, MapHead};
use crate::types::marker;
use crate::value::decode::Decoder;
use crate::value::{self, Value};
use access::{ByteAccess, EntryAccess, ItemAccess};
use field::{FieldAccess, FieldValue};
use layer::LayerReader;

impl Options {
    /// Reads one value that takes the whole input; as [`from_slice`](crate::from_slice).
    ///
    /// # Errors
    /// Malformed input, data that does not fit `T`, a limit, or bytes after the value.
    #[inline]
    pub fn from_slice<'de, T: de::Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(bytes, *self);
        let value = deserializer.whole()?;
        deserializer.end()?;
        Ok(value)
    }

    /// Reads one value and returns the bytes after it, too; as
    /// [`take_from_slice`](crate::take_from_slice).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the value are fine.
    #[inline]
    pub fn take_from_slice<'de, T: de::Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let mut deserializer = Deserializer::new(bytes, *self);
        let value = deserializer.whole()?;
        Ok((value, deserializer.rest()))
    }

    /// Reads one value that takes the whole input, and reports what lenient reading has lost: each
    /// loss as the error that it would be in [`strict`](Self::strict) or
    /// [`exact_integers`](Self::exact_integers) reading, with its place, in the order of the input.
    ///
    /// Losses are values of incompatible types that became zero or empty, numbers that were cut,
    /// text with U+FFFD in it, dynamic beans of unknown types that became the empty one. Fields that
    /// a struct does not know are none: [`Unknown`](crate::Unknown) keeps those.
    ///
    /// ```
    /// use zeze_serialize::Options;
    ///
    /// // A text where a number is wanted, and a number of 64 bits for one of 8.
    /// let bytes = zeze_serialize::to_vec(&("seven", 300, 7))?;
    /// let (read, losses) = Options::new().from_slice_with_losses::<(i32, i8, i32)>(&bytes)?;
    /// assert_eq!(read, (0, 44, 7));
    /// let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
    /// assert_eq!(losses, [
    ///     "expected an integer, found a string at byte 0x1, in [0]",
    ///     "expected i8, found integer 300 at byte 0x8, in [1]",
    /// ]);
    /// # Ok::<(), zeze_serialize::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice). More losses than
    /// [`max_memory`](Self::max_memory) holds are an error too.
    pub fn from_slice_with_losses<'de, T: de::Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, Vec<Error>)> {
        let mut deserializer = Deserializer::new(bytes, *self);
        deserializer.reports = true;
        let value = deserializer.whole()?;
        deserializer.end()?;
        Ok((value, deserializer.losses.into_iter().flatten().collect()))
    }

    /// Reads a reader to its end and the one value in it; as [`from_reader`](crate::from_reader).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = read::read_to_end(reader, self.limits.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Reads a Rust type from a [`Value`]; as [`from_value`](crate::from_value).
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        self.read_value(value, |own| T::deserialize(own))
    }

    pub(crate) fn read_value<T>(
        &self,
        value: &Value,
        read: impl FnOnce(FieldValue<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        let mut bytes = Vec::new();
        value::encode(value, 0, &mut bytes, self)?;
        let mut own = Deserializer::of_kind(&bytes, *self, value.kind());
        let read = read(FieldValue { de: &mut own, layer: &mut LayerReader::default() });
        read.and_then(|read| own.end().map(|()| read)).map_err(Error::without_offset)
    }
}

/// Reads Rust types from encoded values.
///
/// Usually [`from_slice`](crate::from_slice) is all that is needed. A separate deserializer reads
/// one value after another, or only the first.
///
/// Nothing in the bytes says of which wire type the first value is, so the Rust type decides:
/// structs and tuples are beans, enums dynamic beans, sequences lists, and so on.
pub struct Deserializer<'de> {
    decoder: Decoder<'de>,
    next: Next,
    /// Levels of Rust types that are open, and may be; serde needs stack for each.
    depth: usize,
    max_depth: usize,
    /// Options that are open.
    options: usize,
    /// The name of the field without an id that is next.
    unnumbered: &'static str,
    known: KnownTypes,
    /// Memory that owned data may still take.
    memory: usize,
    /// Whether losses are kept, and those so far.
    reports: bool,
    losses: Vec<Loss>,
    /// Whether the struct around the value numbers its fields by position.
    by_position: bool,
}

gamewire_core::debug_place! { Deserializer<'_>, "byte_offset", |own| own.byte_offset() }

/// A loss, or `None` where reading a value has failed: a type may ignore the error, and what comes after
/// the value is read on.
type Loss = Option<Error>;

/// About the memory that a value takes whose type says nothing of it: in serde's buffers 32 bytes, in
/// a vector that has just grown.
const ANY: usize = 64;
/// The value that is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Is(Kind),
    /// Nothing, which is zero or empty.
    Absent,
    /// A value of the wire type that the Rust type decides for, as at the root.
    Any,
    /// Nothing, for a field without an id: one of the markers, or an error.
    NoId,
}

impl Next {
    /// A value of a wire type, or an absent one.
    #[inline(always)]
    fn of(kind: Option<Kind>) -> Self {
        kind.map_or(Next::Absent, Next::Is)
    }
}

impl<'de> Deserializer<'de> {
    /// Reads from a slice with the default options.
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(bytes, Options::new())
    }

    /// Reads from a slice.
    #[inline]
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        Deserializer {
            decoder: Decoder::new(bytes, options),
            next: Next::Any,
            depth: 0,
            max_depth: options.typed_depth(),
            options: 0,
            unnumbered: "",
            known: KnownTypes::default(),
            memory: options.limits.memory(bytes.len()),
            reports: false,
            losses: Vec::new(),
            by_position: false,
        }
    }

    /// Reads from a slice whose value is of a wire type, whatever the Rust type would decide.
    fn of_kind(bytes: &'de [u8], options: Options, kind: Kind) -> Self {
        Deserializer { next: Next::Is(kind), ..Deserializer::new(bytes, options) }
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'de [u8] {
        self.decoder.rest()
    }

    /// Bytes used so far.
    pub fn byte_offset(&self) -> usize {
        self.decoder.offset()
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`TrailingBytes`](ErrorKind::TrailingBytes) with the offset of the first one.
    pub fn end(&self) -> Result<()> {
        self.decoder.end()
    }

    /// Reads values one after another until the input ends.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json gave it")]
    pub fn into_iter<T: de::Deserialize<'de>>(self) -> Iter<'de, T> {
        Iter { deserializer: Some(self), values: PhantomData }
    }

    /// Reads in one more level of Rust types.
    #[inline(always)]
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let depth = self.depth;
        if depth >= self.max_depth {
            self.fail();
            return Err(self.decoder.options.too_deep_typed(Some(self.decoder.offset())));
        }
        self.depth = depth.wrapping_add(1);
        let value = read(self);
        self.depth = depth;
        if value.is_err() {
            self.fail();
        }
        value
    }

    /// Reads one value of the input, whose type may ignore errors.
    #[inline]
    fn whole<T: de::Deserialize<'de>>(&mut self) -> Result<T> {
        let at = self.decoder.offset();
        let value = T::deserialize(&mut *self).map_err(|error| error.or_at(at))?;
        if self.losses.iter().any(Option::is_none) {
            let text = "expected a value whose end is known, found one whose type ignores an error";
            return Err(Error::at(ErrorKind::Data, at, text));
        }
        Ok(value)
    }

    /// Reads the content of an option, which is no level: the value in it is one. As many may be open, for
    /// an option in an option needs stack too.
    #[inline]
    fn some<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.options >= self.max_depth {
            return Err(self.decoder.options.too_deep_typed(Some(self.decoder.offset())));
        }
        self.options = self.options.wrapping_add(1);
        let value = read(self);
        self.options = self.options.wrapping_sub(1);
        value
    }

    #[inline]
    fn strict(&self) -> bool {
        self.decoder.options.strict
    }

    #[inline]
    fn take(&mut self) -> Next {
        std::mem::replace(&mut self.next, Next::Any)
    }

    #[inline]
    fn wide_int(&mut self, narrow: bool) -> Result<i64> {
        // Anything else is out of line, so that this fits into the reading of each field.
        match self.take() {
            Next::Any | Next::Is(Kind::Int) => self.decoder.int().inspect_err(|_| self.fail()),
            Next::Absent => Ok(0),
            other => self.int_from(other, narrow),
        }
    }

    #[inline]
    fn text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let at = self.decoder.offset();
        match self.decoder.text().inspect_err(|_| self.fail())? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => {
                let lost = || "expected UTF-8 text, found other bytes".to_owned();
                self.record_loss(at, ErrorKind::InvalidUtf8, lost)?;
                visitor.visit_string(text)
            }
        }
    }

    /// Takes what stands before the fields of a bean; false if there is no bean.
    #[inline(always)]
    fn open_bean(&mut self) -> Result<bool> {
        match self.take() {
            Next::Is(Kind::Bean) => Ok(true),
            other => self.open_other(other),
        }
    }

    #[inline(never)]
    fn open_other(&mut self, next: Next) -> Result<bool> {
        match next {
            Next::Any => Ok(true),
            Next::Is(Kind::Dynamic) => self.decoder.int().map(|_| true),
            other => self.zero("a bean", other).map(|()| false),
        }
    }

    /// The fields of a bean as the elements of a struct or tuple: from the next byte on, or all of
    /// them absent.
    #[inline]
    fn fields<V: Visitor<'de>>(&mut self, layer: LayerReader, visitor: V) -> Result<V::Value> {
        // A type that holds itself has no end of zeros, so absent beans count as levels too.
        self.inside(|de| {
            let mut access = FieldAccess { de, layer };
            let value = visitor.visit_seq(&mut access)?;
            access.end().map(|()| value)
        })
    }

    #[inline]
    fn named<V: Visitor<'de>>(
        &mut self,
        is_there: bool,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let numbering = match self.known.recent(names) {
            Some(numbering) => numbering,
            None => self.known.look_up(names)?,
        };
        let start = is_there.then_some(self.decoder.offset());
        let outer = std::mem::replace(&mut self.by_position, numbering.at.is_none());
        let read = self.fields(LayerReader::new(start, names, numbering), visitor);
        self.by_position = outer;
        read
    }

    fn positions<V: Visitor<'de>>(
        &mut self,
        is_there: bool,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        let start = is_there.then_some(self.decoder.offset());
        self.fields(LayerReader::of_tuple(start, len), visitor)
    }

    #[inline]
    fn list<V: Visitor<'de>>(&mut self, visitor: V, len: Option<usize>) -> Result<V::Value> {
        let at = self.decoder.offset();
        let head = self.decoder.list_head()?;
        match len {
            // An empty list stands for any tuple that was left out among elements.
            Some(len) if head.count == 0 => self.positions(false, len, visitor),
            _ => self.items(at, head, visitor),
        }
    }

    #[inline]
    fn items<V: Visitor<'de>>(
        &mut self,
        at: usize,
        head: ListHead,
        visitor: V,
    ) -> Result<V::Value> {
        self.inside(|de| {
            let mut access = ItemAccess::new(de, head);
            let value = visitor.visit_seq(&mut access)?;
            access.end(at).map(|()| value)
        })
    }

    fn entries<V: Visitor<'de>>(
        &mut self,
        at: usize,
        head: MapHead,
        visitor: V,
    ) -> Result<V::Value> {
        self.inside(|de| {
            let mut access = EntryAccess::new(de, head);
            let value = visitor.visit_map(&mut access)?;
            access.end(at).map(|()| value)
        })
    }

    /// A value for a type that looks at the data.
    fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let kind = match self.take() {
            Next::Is(kind) => kind,
            Next::Any => Kind::Bean,
            // A zero or empty value of any type was left out.
            other => {
                self.zero("", other)?;
                return Err(Error::new(
                    ErrorKind::Data,
                    "found nothing for a type that looks at the data to see what it is: zero and \
                     empty values of all types are left out of a bean, but not in a list or in a \
                     field that is an `Option` of such a type",
                ));
            }
        };
        // As much as serde holds for a value until it knows what it is.
        let at = self.decoder.offset();
        self.hold(ANY, at)?;
        match kind {
            Kind::Int => {
                let int = self.decoder.int()?;
                // As other formats show numbers, for types that take either.
                match u64::try_from(int) {
                    Ok(int) => visitor.visit_u64(int),
                    Err(_) => visitor.visit_i64(int),
                }
            }
            Kind::Float => visitor.visit_f32(self.decoder.f32()?),
            Kind::Double => visitor.visit_f64(self.decoder.f64()?),
            Kind::Bytes => {
                let bytes = self.decoder.bytes()?;
                self.hold(bytes.len(), at)?;
                match std::str::from_utf8(bytes) {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(bytes),
                }
            }
            Kind::List => self.list(visitor, None),
            Kind::Map => {
                let head = self.decoder.map_head()?;
                self.entries(at, head, visitor)
            }
            Kind::Bean | Kind::Dynamic => Err(variant::no_names().or_at(at)),
            kind => self.components(kind, visitor),
        }
    }

    /// The bytes of a list of integers, as `Vec<u8>` is written.
    fn bytes_of_list(&mut self) -> Result<Vec<u8>> {
        let at = self.decoder.offset();
        let head = self.decoder.list_head()?;
        if head.kind != Kind::Int && head.count > 0 {
            self.decoder.go_to(at);
            return self.zero("bytes", Next::Is(Kind::List)).map(|()| Vec::new());
        }
        let mut bytes = Vec::with_capacity(self.decoder.reserve(head.count));
        for index in 0..head.count {
            let at = self.decoder.offset();
            let value = self.decoder.int()?;
            if !(-0x80..0x100).contains(&value) {
                let found = format!("integer {value}");
                self.fail();
                return Err(self.out_of_range(at, "a byte", &found).inside(index));
            }
            bytes.push(cast::low_u8(value.cast_unsigned() & 0xff));
        }
        Ok(bytes)
    }
}

/// Signed integers keep the low bits.
macro_rules! signed {
    ($($method:ident $visit:ident $type:ident $low:ident),+ $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let at = self.decoder.offset();
            let value = self.wide_int(true)?;
            if $type::try_from(value).is_err() {
                self.cut(at, stringify!($type), value)?;
            }
            visitor.$visit($low(value))
        }
    )+};
}

/// Zeze has no unsigned integers, so the Rust type says of a number that does not fit what it wants.
macro_rules! unsigned {
    ($($method:ident $visit:ident $type:ident),+ $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let value = self.wide_int(false)?;
            match $type::try_from(value) {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_i64(value),
            }
        }
    )+};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    /// Shows numbers, text, lists and maps. Beans are refused: they have ids, and no names.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any(visitor).inspect_err(|_| self.fail())
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bool(match self.take() {
            Next::Any | Next::Is(Kind::Int) => self.decoder.int()? != 0,
            Next::Absent => false,
            other => self.bool_from(other)?,
        })
    }

    signed! {
        deserialize_i8 visit_i8 i8 low_i8,
        deserialize_i16 visit_i16 i16 low_i16,
        deserialize_i32 visit_i32 i32 low_i32,
    }

    unsigned! {
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(match self.take() {
            Next::Any | Next::Is(Kind::Float) => self.decoder.f32().inspect_err(|_| self.fail())?,
            Next::Absent => 0.0,
            other => self.float_from(other)?,
        })
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(match self.take() {
            Next::Any | Next::Is(Kind::Double) => {
                self.decoder.f64().inspect_err(|_| self.fail())?
            }
            Next::Absent => 0.0,
            other => self.double_from(other)?,
        })
    }

    /// One character as text; a number is a code point.
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let at = self.decoder.offset();
        match self.take() {
            Next::Any | Next::Is(Kind::Bytes) => {
                let text = self.decoder.text()?;
                if text.is_empty() { visitor.visit_char('\0') } else { visitor.visit_str(&text) }
            }
            Next::Is(Kind::Int) => {
                let value = self.decoder.int()?;
                match u32::try_from(value).ok().and_then(char::from_u32) {
                    Some(character) => visitor.visit_char(character),
                    None => {
                        Err(self.out_of_range(at, "a character", &format_args!("integer {value}")))
                    }
                }
            }
            other => {
                self.zero("a character", other)?;
                visitor.visit_char('\0')
            }
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.take() {
            Next::Any | Next::Is(Kind::Bytes) => self.text(visitor),
            other => {
                self.zero("a string", other)?;
                visitor.visit_borrowed_str("")
            }
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    /// A key of a map that stands for a flattened struct.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.take() {
            Next::Any | Next::Is(Kind::Bytes) => {
                let bytes = self.decoder.bytes().inspect_err(|_| self.fail())?;
                visitor.visit_borrowed_bytes(bytes)
            }
            Next::Is(Kind::List) => visitor.visit_byte_buf(self.bytes_of_list()?),
            other => {
                self.zero("bytes", other)?;
                visitor.visit_borrowed_bytes(&[])
            }
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    /// An element, or an option in another one: what cannot be absent is in a bean, see
    /// `Slot::wraps_option`.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.next != Next::Is(Kind::Bean) {
            return FieldValue { de: self, layer: &mut LayerReader::default() }
                .deserialize_option(visitor);
        }
        self.inside(|de| {
            de.wrapped(|value| match value.de.next {
                Next::Absent => visitor.visit_none(),
                _ => visitor.visit_some(value.de),
            })
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.open_bean()? {
            self.decoder.skip(Kind::Bean, self.depth)?;
        }
        visitor.visit_unit()
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
        if marker::is_reserved(name) {
            return self.reserved(name, visitor);
        }
        self.inside(|de| visitor.visit_newtype_struct(de))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.take() {
            Next::Any | Next::Is(Kind::List) => self.list(visitor, None),
            Next::Is(Kind::Bytes) => {
                let at = self.decoder.offset();
                let mut access = ByteAccess { bytes: self.decoder.bytes()?.iter(), fits: true };
                let value = visitor.visit_seq(&mut access)?;
                if !access.fits {
                    // Elements of another type: as any other value that does not convert.
                    self.decoder.go_to(at);
                    self.zero("a list", Next::Is(Kind::Bytes))?;
                }
                Ok(value)
            }
            other => {
                self.zero("a list", other)?;
                self.items(0, ListHead::default(), visitor)
            }
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self.next {
            Next::Is(Kind::List) => {
                self.take();
                self.list(visitor, Some(len))
            }
            Next::Is(kind) if kind.components() > 0 && kind.components() == len => {
                self.take();
                self.components(kind, visitor)
            }
            _ => {
                let is_there = self.open_bean()?;
                self.positions(is_there, len, visitor)
            }
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        if marker::is_reserved(name)
            && let Some(kind) = marker::vector(name)
        {
            return self.vector(kind, visitor);
        }
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let at = self.decoder.offset();
        let head = match self.take() {
            Next::Any | Next::Is(Kind::Map) => self.decoder.map_head()?,
            other => self.zero("a map", other).map(|()| MapHead::default())?,
        };
        self.entries(at, head, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let is_there = self.open_bean()?;
        self.named(is_there, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.take() {
            Next::Is(kind) => self.decoder.skip(kind, self.depth)?,
            Next::Any => self.decoder.skip(Kind::Bean, self.depth)?,
            other => self.zero("", other)?,
        }
        visitor.visit_unit()
    }
}

/// Values one after another; made by [`Deserializer::into_iter`]. Ends after an error.
#[derive(Debug)]
pub struct Iter<'de, T> {
    deserializer: Option<Deserializer<'de>>,
    values: PhantomData<T>,
}

impl<'de, T: de::Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let deserializer = self.deserializer.as_mut()?;
        if deserializer.rest().is_empty() {
            self.deserializer = None;
            return None;
        }
        let value = deserializer.whole();
        if value.is_err() {
            self.deserializer = None;
        }
        Some(value)
    }
}

impl<'de, T: de::Deserialize<'de>> std::iter::FusedIterator for Iter<'de, T> {}
