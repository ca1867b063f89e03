//! Deserialization: bytes to Rust types.

mod access;
mod given;
mod iter;
mod native;

use std::io;

use serde_core::de::{self, Deserialize, DeserializeOwned, IntoDeserializer, Visitor};

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Framing;
use crate::options::{Dialect, Options};
use crate::read::{Counted, Header, ObjectHead, Reader, Slot};
use crate::types::{ElementType, FLAG_64, Native, Type};
use crate::value::{self, Value};
use access::{EntryAccess, ItemAccess, VariantAccess};
use given::give;
pub use iter::Iter;
#[doc(hidden)]
pub use native::ScalarDeserializer;
use native::{ComponentsDeserializer, TagAccess};

/// Reads Rust types from encoded variants.
///
/// Usually [`from_slice`](crate::from_slice) is all that is needed. A separate deserializer reads
/// one value after another, or only the first.
pub struct Deserializer<'de> {
    pub(crate) reader: Reader<'de>,
    /// Levels of Rust types that are open; serde needs stack for each.
    depth: usize,
    /// Options that are open.
    options: usize,
    /// Types that the next container must have if it is typed: elements or keys, and values.
    expected: (Option<Type>, Option<Type>),
    /// The headers of an array and a dictionary that are not typed: most containers are detected by one
    /// comparison.
    array: u32,
    dictionary: u32,
}

impl Options {
    /// Reads one value that takes the whole input.
    ///
    /// # Errors
    /// Malformed input, data that does not fit `T`, a limit, or bytes after the value.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(bytes, self.clone());
        let value =
            T::deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
        value.map_err(|error| Framing::named(error.or_at(0), bytes))
    }

    /// Reads one value and returns it with the bytes after it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the value are fine.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let mut deserializer = Deserializer::new(bytes, self.clone());
        let value = T::deserialize(&mut deserializer).map_err(|error| error.or_at(0))?;
        Ok((value, deserializer.rest()))
    }

    /// Reads a reader to its end and the one value in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = crate::read::read_to_end(reader, self.limits.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Reads a [`Value`] that takes the whole input, without serde.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    ///
    /// ```
    /// use godot_variant::{Options, variant};
    ///
    /// let bytes = Options::new().value_to_vec(&variant!([1, "two"]))?;
    /// assert_eq!(Options::new().value_from_slice(&bytes)?[1], "two");
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn value_from_slice(&self, bytes: &[u8]) -> Result<Value> {
        let mut reader = Reader::new(bytes, self.clone());
        let value = value::decode(&mut reader, 0).and_then(|value| reader.end().map(|()| value));
        value.map_err(|error| Framing::named(error.or_at(0), bytes))
    }

    /// Reads a Rust type from a [`Value`].
    ///
    /// # Errors
    /// Data that does not fit `T`, or a limit.
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T> {
        self.read_value(value, |own| T::deserialize(own))
    }

    pub(crate) fn read_value<T>(
        &self,
        value: &Value,
        read: impl FnOnce(&mut Deserializer<'_>) -> Result<T>,
    ) -> Result<T> {
        let own = self.in_memory();
        let bytes = own.value_to_vec(value)?;
        read(&mut Deserializer::new(&bytes, own)).map_err(Error::without_offset)
    }
}

gamewire_core::debug_place! { Deserializer<'_>, "byte_offset", |own| own.byte_offset() }

/// Bytes of memory that serde keeps for a value in its buffers.
const BUFFERED: usize = 64;

/// How types that serde does not have are shown.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    /// As sequences and text: the reader said what it wants.
    Plain,
    /// As the map that keeps them whole in a buffer.
    Tagged,
}

impl<'de> Deserializer<'de> {
    /// Reads from a slice with the default options.
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(bytes, Options::new())
    }

    /// Reads from a slice.
    pub fn new(bytes: &'de [u8], options: Options) -> Self {
        let id = |kind: Type| kind.id(options.dialect).map_or(u32::MAX, u32::from);
        let (array, dictionary) = (id(Type::Array), id(Type::Dictionary));
        let reader = Reader::new(bytes, options);
        Deserializer { reader, depth: 0, options: 0, expected: (None, None), array, dictionary }
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'de [u8] {
        self.reader.rest()
    }

    /// Bytes used so far, as the engine counts them: a `PackedByteArray` at the very end counts
    /// with its padding even if the padding is missing.
    pub fn byte_offset(&self) -> usize {
        self.reader.consumed()
    }

    /// Takes the next `len` bytes, which are no variant: for formats that put variants among other
    /// things. `what` names them in the error.
    ///
    /// # Errors
    /// Fewer bytes are left.
    #[inline]
    pub fn take_bytes(&mut self, len: usize, what: &'static str) -> Result<&'de [u8]> {
        self.reader.take(len, what)
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`TrailingBytes`](ErrorKind::TrailingBytes) with the offset of the first one.
    pub fn end(&self) -> Result<()> {
        self.reader.end()
    }

    /// Reads values one after another until the input ends.
    #[allow(clippy::should_implement_trait, reason = "the name that serde_json gave it")]
    pub fn into_iter<T: de::Deserialize<'de>>(self) -> Iter<'de, T> {
        Iter::new(self)
    }

    /// Opens a level of Rust types.
    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.reader.options.limits.max_typed_depth {
            let limit = self.reader.options.limits.max_typed_depth;
            return Err(self.reader.too_deep(limit, "max_typed_depth"));
        }
        Ok(())
    }

    /// Reads the content of an option, which is no level: the value in it is one. As many may be open, for
    /// an option in an option needs stack too.
    fn some<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.options >= self.reader.options.limits.max_typed_depth {
            let limit = self.reader.options.limits.max_typed_depth;
            return Err(self.reader.too_deep(limit, "max_typed_depth"));
        }
        self.options = self.options.saturating_add(1);
        let value = read(self);
        self.options = self.options.saturating_sub(1);
        value
    }

    /// Reads something one level deeper.
    #[inline]
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let value = read(self)?;
        self.depth = self.depth.saturating_sub(1);
        Ok(value)
    }

    /// The type of the next value, if there is a header.
    fn peek_kind(&self) -> Option<Type> {
        let word = self.reader.peek_u32()?;
        let mask = if self.reader.dialect() == Dialect::Docs { 0xffff } else { 0xff };
        Type::from_id(word & mask, self.reader.dialect())
    }

    #[cold]
    fn mismatch(&self, expected: &dyn de::Expected, header: &Header) -> Error {
        Error::at(ErrorKind::Data, header.at, format!("expected {expected}, found {}", header.kind))
    }

    #[cold]
    fn other_type<T>(&mut self, expected: &dyn de::Expected) -> Result<T> {
        let header = self.reader.header()?;
        Err(self.mismatch(expected, &header))
    }

    /// Shows whatever comes next.
    fn show<V: Visitor<'de>>(&mut self, visitor: V, show: Show) -> Result<V::Value> {
        let expected = std::mem::take(&mut self.expected);
        let header = self.reader.header()?;
        let tagged = show == Show::Tagged && !self.reader.options.plain_buffering;
        if show == Show::Tagged {
            // Memory that serde keeps for a value in its buffers, an entry of a map at most.
            self.reader.charge(BUFFERED)?;
        }
        match header.kind {
            Type::Nil | Type::Callable if !tagged || header.kind == Type::Nil => {
                visitor.visit_unit()
            }
            Type::Bool => visitor.visit_bool(self.reader.bool()?),
            Type::Int => visitor.visit_i64(self.reader.int(&header)?),
            Type::Float => visitor.visit_f64(self.reader.float(&header)?),
            Type::String => self.show_text(visitor),
            Type::Array => self.array(&header, expected.0, visitor),
            Type::Dictionary => self.dictionary(&header, expected, &[], visitor),
            Type::PackedByteArray if show == Show::Tagged => {
                visitor.visit_borrowed_bytes(self.reader.packed_bytes(&mut ())?)
            }
            _ if tagged => {
                self.reader.rewind(header.at);
                value::skip(&mut self.reader, self.depth)?;
                let bytes = self.reader.since(header.at);
                // The map around it, and the list in that.
                self.reader.charge(BUFFERED.saturating_mul(3))?;
                visitor.visit_map(TagAccess::new(bytes.into(), &self.reader.options))
            }
            Type::StringName => self.show_text(visitor),
            Type::NodePath => visitor.visit_string(self.reader.node_path(&mut ())?.to_string()),
            Type::Object => self.object(&header, visitor),
            Type::PackedStringArray => {
                let count = self.reader.string_count(&mut ())?;
                let mut access = native::StringAccess::new(&mut self.reader, count);
                let value = visitor.visit_seq(&mut access)?;
                access.end()?;
                Ok(value)
            }
            kind if kind.components() > 0 => {
                ComponentsDeserializer::read(&mut self.reader, &header)?.visit(visitor)
            }
            kind if kind.is_row() => {
                let mut access = native::PackedAccess::read(&mut self.reader, &header)?;
                let value = visitor.visit_seq(&mut access)?;
                access.end(header.at)?;
                Ok(value)
            }
            Type::Rid => {
                self.reader.rewind(header.at);
                match value::decode(&mut self.reader, self.depth)? {
                    crate::Value::Rid(rid) => visitor.visit_u64(rid.0),
                    _ => Err(self.mismatch(&visitor, &header)),
                }
            }
            _ => Err(self.mismatch(&visitor, &header)),
        }
    }

    #[inline]
    fn show_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.reader.plain_string() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.show_odd_text(visitor),
        }
    }

    #[cold]
    #[inline(never)]
    fn show_odd_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.reader.string()? {
            std::borrow::Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            std::borrow::Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn array<V: Visitor<'de>>(
        &mut self,
        header: &Header,
        expected: Option<Type>,
        visitor: V,
    ) -> Result<V::Value> {
        if self.reader.dialect() == Dialect::Godot4 && header.flags & 3 != 0 {
            let element = self.reader.element_type(header.flags, Slot::Elements, &mut ())?;
            check_element(&element, expected, header.at, "Array of")?;
        }
        self.items(header.at, visitor)
    }

    /// The rest of an array after its header, which is at `at`, and its types.
    #[inline]
    fn items<V: Visitor<'de>>(&mut self, at: usize, visitor: V) -> Result<V::Value> {
        let count = self.reader.count(Counted::Elements, &mut ())?;
        self.inside(|de| {
            let mut access = ItemAccess::new(de, count);
            let value = visitor.visit_seq(&mut access)?;
            access.end(at)?;
            Ok(value)
        })
    }

    fn dictionary<V: Visitor<'de>>(
        &mut self,
        header: &Header,
        expected: (Option<Type>, Option<Type>),
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.reader.dialect() == Dialect::Godot4 && header.flags & 0xf != 0 {
            let key = self.reader.element_type(header.flags, Slot::Keys, &mut ())?;
            check_element(&key, expected.0, header.at, "Dictionary with keys of")?;
            let value = self.reader.element_type(header.flags >> 2, Slot::Values, &mut ())?;
            check_element(&value, expected.1, header.at, "Dictionary with values of")?;
        }
        self.entries(header.at, fields, visitor)
    }

    /// The same of a dictionary.
    #[inline]
    fn entries<V: Visitor<'de>>(
        &mut self,
        at: usize,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let count = self.reader.count(Counted::Entries, &mut ())?;
        self.inside(|de| {
            let mut access = EntryAccess::<false>::new(de, count, fields);
            let value = visitor.visit_map(&mut access)?;
            access.end(at)?;
            Ok(value)
        })
    }

    /// A whole object is the map of its properties.
    fn object<V: Visitor<'de>>(&mut self, header: &Header, visitor: V) -> Result<V::Value> {
        match self.reader.object_head(header, &mut ())? {
            ObjectHead::Null => return visitor.visit_unit(),
            ObjectHead::Id(id) => return visitor.visit_u64(id),
            ObjectHead::Class(_) => {}
        }
        let count = self.reader.property_count(&mut ())?;
        self.inside(|de| {
            let mut access = EntryAccess::<true>::new(de, count, &[]);
            let value = visitor.visit_map(&mut access)?;
            access.end(header.at)?;
            Ok(value)
        })
    }

    /// Takes the next value's header if it is nil, or the whole value if it is the null object.
    #[inline]
    fn null(&mut self) -> Result<bool> {
        match self.reader.peek_u32() {
            // A bool, an int, a float or text without a flag.
            Some(1..=4) => Ok(false),
            _ => self.odd_null(),
        }
    }

    #[inline(never)]
    fn odd_null(&mut self) -> Result<bool> {
        match self.peek_kind() {
            Some(Type::Nil) => {
                self.reader.header()?;
                Ok(true)
            }
            Some(Type::Object) => {
                let at = self.reader.offset();
                let header = self.reader.header()?;
                // The error for another object is raised when it is read.
                let null =
                    matches!(self.reader.object_head(&header, &mut ()), Ok(ObjectHead::Null));
                if !null {
                    self.reader.rewind(at);
                }
                Ok(null)
            }
            _ => Ok(false),
        }
    }
}

/// A typed container may only be read as one of the same type.
fn check_element(
    found: &ElementType,
    expected: Option<Type>,
    at: usize,
    container: &str,
) -> Result<()> {
    match (found.builtin(), expected) {
        (Some(kind), Some(wanted)) if kind != wanted => Err(Error::at(
            ErrorKind::Data,
            at,
            format!("expected {container} {wanted}, found {container} {found}"),
        )),
        _ => Ok(()),
    }
}

/// An integer, also from a float that is one. Most are 32 bits wide: their header, without a flag, is
/// compared as one word. What it does not fit is left to [`Deserializer::integer`]. Visitors that are
/// not derived may know no method but that of the type they ask for.
macro_rules! integers {
    ($($method:ident: $integer:ty => $visit:ident),+ $(,)?) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if let Some(bytes) = self.reader.after_word::<4>(2) {
                let value = i32::from_le_bytes(bytes);
                return match <$integer>::try_from(value) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => visitor.visit_i64(i64::from(value)),
                };
            }
            let (value, at) = match self.integer()? {
                Some(read) => read,
                None => return self.show(visitor, Show::Plain),
            };
            let visited: Result<V::Value> = match <$integer>::try_from(value) {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_i64(value),
            };
            visited.map_err(|error| error.or_at(at))
        }
    )+};
}

impl<'de> Deserializer<'de> {
    /// The integer that comes next, or the float that is one, and where it begins; `None` for others.
    #[inline(never)]
    fn integer(&mut self) -> Result<Option<(i64, usize)>> {
        let at = self.reader.offset();
        if !self.reader.strict()
            && let Some(bytes) = self.reader.after_word::<8>(2 | FLAG_64 << 16)
        {
            return Ok(Some((i64::from_le_bytes(bytes), at)));
        }
        let kind = self.peek_kind();
        if !matches!(kind, Some(Type::Int | Type::Float)) {
            return Ok(None);
        }
        let header = self.reader.header()?;
        let value = match kind {
            Some(Type::Int) => self.reader.int(&header)?,
            _ => native::whole(self.reader.float(&header)?)
                .map_err(|error| error.or_at(header.at))?,
        };
        Ok(Some((value, header.at)))
    }

    /// A float of `bits` bits, also from an integer that it holds exactly.
    #[inline(never)]
    fn any_float<V: Visitor<'de>>(&mut self, bits: u8, visitor: V) -> Result<V::Value> {
        let kind = self.peek_kind();
        if !matches!(kind, Some(Type::Int | Type::Float)) {
            return self.show(visitor, Show::Plain);
        }
        let header = self.reader.header()?;
        let read = match kind {
            Some(Type::Int) => native::visit_exact(self.reader.int(&header)?, bits, visitor),
            _ => native::visit_float(self.reader.float(&header)?, bits, visitor),
        };
        read.map_err(|error| error.or_at(header.at))
    }
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.reader.options.human_readable
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor, Show::Tagged)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.show(visitor, Show::Plain)
    }

    integers! {
        deserialize_i8: i8 => visit_i8, deserialize_i16: i16 => visit_i16,
        deserialize_i32: i32 => visit_i32, deserialize_i64: i64 => visit_i64,
        deserialize_i128: i128 => visit_i128, deserialize_u8: u8 => visit_u8,
        deserialize_u16: u16 => visit_u16, deserialize_u32: u32 => visit_u32,
        deserialize_u64: u64 => visit_u64, deserialize_u128: u128 => visit_u128,
    }

    // Strict reading looks at each float, since a NaN of 32 bits is not the engine's.
    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.reader.strict()
            && let Some(bytes) = self.reader.after_word::<4>(3)
        {
            return visitor.visit_f32(f32::from_le_bytes(bytes));
        }
        self.any_float(32, visitor)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.reader.strict() {
            if let Some(bytes) = self.reader.after_word::<8>(3 | FLAG_64 << 16) {
                return visitor.visit_f64(f64::from_le_bytes(bytes));
            }
            if let Some(bytes) = self.reader.after_word::<4>(3) {
                return visitor.visit_f32(f32::from_le_bytes(bytes));
            }
        }
        self.any_float(64, visitor)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.reader.strict()
            && let Some(word) = self.reader.after_word::<4>(1)
        {
            return visitor.visit_bool(word != [0; 4]);
        }
        self.show(visitor, Show::Plain)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let at = self.reader.offset();
        if self.reader.after_word::<0>(self.array).is_some() {
            self.expected = (None, None);
            return self.items(at, visitor);
        }
        self.show(visitor, Show::Plain)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let at = self.reader.offset();
        if self.reader.after_word::<0>(self.dictionary).is_some() {
            self.expected = (None, None);
            return self.entries(at, &[], visitor);
        }
        self.show(visitor, Show::Plain)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // The header of a String alone, so that a key or field costs no look at the table of types.
        if self.reader.after_word::<0>(4).is_some() {
            return self.show_text(visitor);
        }
        self.show(visitor, Show::Plain)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek_kind() == Some(Type::PackedByteArray) {
            self.reader.header()?;
            return visitor.visit_borrowed_bytes(self.reader.packed_bytes(&mut ())?);
        }
        self.show(visitor, Show::Plain)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.null()? {
            return visitor.visit_none();
        }
        self.some(|de| visitor.visit_some(de))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.null()? { visitor.visit_unit() } else { self.show(visitor, Show::Plain) }
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
        match Native::from_name(name) {
            Some(native) => self.native(native, visitor),
            None => self.inside(|de| visitor.visit_newtype_struct(de)),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value>
    where
        V: Visitor<'de>,
    {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let at = self.reader.offset();
        if self.reader.after_word::<0>(self.dictionary).is_some() {
            return self.entries(at, fields, visitor);
        }
        if self.peek_kind() == Some(Type::Dictionary) {
            let header = self.reader.header()?;
            return self.dictionary(&header, (None, None), fields, visitor);
        }
        self.show(visitor, Show::Plain)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let header = self.reader.header()?;
        match header.kind {
            Type::String | Type::StringName => {
                let text = self.reader.string()?;
                visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(text))
            }
            Type::Dictionary => {
                if self.reader.dialect() == Dialect::Godot4 {
                    self.reader.element_type(header.flags, Slot::Keys, &mut ())?;
                    self.reader.element_type(header.flags >> 2, Slot::Values, &mut ())?;
                }
                let count = self.reader.count(Counted::Entries, &mut ())?;
                if count != 1 {
                    return Err(Error::at(
                        ErrorKind::Data,
                        header.at,
                        format!("expected a variant as a dictionary of one entry, found {count}"),
                    ));
                }
                self.inside(|de| visitor.visit_enum(VariantAccess::new(de)))
            }
            kind => Err(Error::at(
                ErrorKind::Data,
                header.at,
                format!("expected a variant's name or a dictionary of one entry, found {kind}"),
            )),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        value::skip(&mut self.reader, self.depth)?;
        visitor.visit_unit()
    }
}

impl<'de> Deserializer<'de> {
    /// Reads one of this crate's own types.
    #[inline]
    fn native<V: Visitor<'de>>(&mut self, native: Native, visitor: V) -> Result<V::Value> {
        match native {
            Native::Math(kind, wide) => {
                // Components on the wire as the type wants them: no flag, 32 bits, no rows to turn
                // into columns. They are handed over where they lie; `math` has the other ways.
                if !wide
                    && self.reader.dialect() == Dialect::Godot4
                    && self.reader.peek_u32() == Some(kind as u32)
                    && !matches!(kind, Type::Basis | Type::Transform3D)
                {
                    self.reader.u32("a header")?;
                    let len = kind.components().saturating_mul(4);
                    let bytes = self.reader.take(len, kind.name())?;
                    return visitor.visit_borrowed_bytes(bytes);
                }
                self.math(kind, wide, visitor)
            }
            Native::Packed(kind, wide) => self.packed(kind, wide, visitor),
            Native::Any => {
                let value = value::decode(&mut self.reader, self.depth)?;
                give(value, visitor)
            }
            Native::StringName => {
                let header = self.reader.header()?;
                if !matches!(header.kind, Type::StringName | Type::String) {
                    return Err(self.mismatch(&visitor, &header));
                }
                let text = self.reader.string()?;
                visitor.visit_newtype_struct(IntoDeserializer::<Error>::into_deserializer(text))
            }
            Native::Whole(kind) => {
                let header = self.reader.header()?;
                self.reader.rewind(header.at);
                let fits = match header.kind {
                    found if found == kind => true,
                    Type::Array => kind == Type::PackedStringArray,
                    Type::Nil => kind == Type::Object,
                    Type::String => kind == Type::NodePath,
                    _ => false,
                };
                if !fits {
                    return Err(self.mismatch(&visitor, &header));
                }
                let value = value::decode(&mut self.reader, self.depth)?;
                give(value, visitor)
            }
            Native::TypedArray(element) => {
                self.expected = (element, None);
                visitor.visit_newtype_struct(self)
            }
            Native::TypedKey(key) => {
                self.expected = (key, None);
                visitor.visit_newtype_struct(self)
            }
            Native::TypedValue(value) => {
                self.expected.1 = value;
                visitor.visit_newtype_struct(self)
            }
        }
    }

    fn math<V: Visitor<'de>>(&mut self, kind: Type, wide: bool, visitor: V) -> Result<V::Value> {
        let whole_sibling = match kind {
            Type::Vector2 => Some(Type::Vector2i),
            Type::Vector3 => Some(Type::Vector3i),
            Type::Vector4 => Some(Type::Vector4i),
            Type::Rect2 => Some(Type::Rect2i),
            _ => None,
        };
        match self.peek_kind() {
            Some(found) if found == kind => self.components(wide, visitor),
            Some(Type::Array | Type::PackedFloat32Array | Type::PackedInt32Array) => {
                visitor.visit_newtype_struct(self)
            }
            Some(Type::PackedFloat64Array) if wide => visitor.visit_newtype_struct(self),
            // The same four components by other names.
            Some(Type::Vector4) if kind == Type::Color => self.components(wide, visitor),
            found if found.is_some() && found == whole_sibling => {
                visitor.visit_newtype_struct(self)
            }
            _ => self.other_type(&visitor),
        }
    }

    fn components<V: Visitor<'de>>(&mut self, wide: bool, visitor: V) -> Result<V::Value> {
        let header = self.reader.header()?;
        let components = ComponentsDeserializer::read(&mut self.reader, &header)?;
        let bytes = components.in_width(wide, &self.reader.options);
        native::give(bytes.map_err(|error| error.or_at(header.at))?, visitor)
    }

    fn packed<V: Visitor<'de>>(&mut self, kind: Type, wide: bool, visitor: V) -> Result<V::Value> {
        match (self.peek_kind(), kind) {
            (Some(found), kind) if found == kind => {
                let header = self.reader.header()?;
                native::give(native::packed_in_width(&mut self.reader, &header, wide)?, visitor)
            }
            (Some(Type::Array), _)
            | (Some(Type::PackedInt32Array), Type::PackedInt64Array)
            | (Some(Type::PackedFloat32Array), Type::PackedFloat64Array)
            | (Some(Type::PackedFloat64Array), Type::PackedFloat32Array) => {
                visitor.visit_newtype_struct(self)
            }
            _ => self.other_type(&visitor),
        }
    }
}
