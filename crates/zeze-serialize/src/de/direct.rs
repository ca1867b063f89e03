//! Reading without serde, as generated code does: the same conversions, checks and limits.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::{self, Deserialize};

use super::layer::{self, Cursor, State};
use super::{Deserializer, Next};
use crate::error::{Error, Result, Segment};
use crate::ids;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead};
use crate::types::{Base, Quaternion, Unknown, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};
use crate::value::Value;

/// The most bytes that are reserved ahead for the elements of a list, as serde has it.
const AHEAD: usize = 1 << 20;

/// A type that is read without serde in between: the same values and errors in less time. See
/// [`Encode`](crate::wire::Encode) for an example.
pub trait Decode<'de>: Sized {
    /// Reads the value that is next, converted where the wire type is another one; a field that is
    /// absent is zero or empty.
    ///
    /// # Errors
    /// Malformed input, data that does not fit, or a limit.
    fn decode(from: &mut Deserializer<'de>) -> Result<Self>;

    /// Reads a value of a wire type.
    #[doc(hidden)]
    #[inline]
    fn decode_kind(from: &mut Deserializer<'de>, kind: Kind) -> Result<Self> {
        from.next = Next::Is(kind);
        Self::decode(from)
    }

    /// Reads a field that is not there.
    #[doc(hidden)]
    #[inline]
    fn decode_absent(from: &mut Deserializer<'de>) -> Result<Self> {
        from.next = Next::Absent;
        Self::decode(from)
    }
}

impl Options {
    /// Reads one value that takes the whole input, without serde; as
    /// [`wire::decode_from_slice`](crate::wire::decode_from_slice).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    #[inline]
    pub fn decode_from_slice<'de, T: Decode<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer::new(bytes, *self);
        let value = T::decode(&mut deserializer).map_err(|error| error.or_at(0))?;
        deserializer.end()?;
        Ok(value)
    }
}

/// The fields of a bean that is being read; made by [`Deserializer::bean`].
pub struct BeanDecoder<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    /// The name of a field, for the path of an error.
    name: fn(u32) -> &'static str,
    /// Offset of its first tag; `None` if there is no bean.
    start: Option<usize>,
    cursor: Cursor,
}

/// A dynamic bean that is being read; made by [`Deserializer::dynamic`].
pub struct DynamicDecoder<'a, 'de> {
    de: &'a mut Deserializer<'de>,
    /// What the path of an error calls the bean of a type id.
    name: fn(i64) -> &'static str,
    /// Where its type id stands.
    at: usize,
    type_id: i64,
    is_there: bool,
}

impl<'de> Deserializer<'de> {
    /// Begins a bean, whose fields are asked for in the order of their ids. `name` has the name of
    /// each, for the path of an error.
    ///
    /// # Errors
    /// Something that is no bean where reading is strict, or deeper than
    /// [`max_typed_depth`](Options::max_typed_depth).
    #[inline]
    pub fn bean(&mut self, name: fn(u32) -> &'static str) -> Result<BeanDecoder<'_, 'de>> {
        let is_there = self.open_bean()?;
        let start = is_there.then_some(self.decoder.offset());
        self.enter()?;
        Ok(BeanDecoder { de: self, name, start, cursor: Cursor::new(is_there) })
    }

    /// Begins a dynamic bean, which one of its methods reads by its type id. `name` has what the path of
    /// an error calls the bean of a type id.
    ///
    /// # Errors
    /// As [`bean`](Self::bean).
    pub fn dynamic(&mut self, name: fn(i64) -> &'static str) -> Result<DynamicDecoder<'_, 'de>> {
        let at = self.decoder.offset();
        let (type_id, is_there) = match self.take() {
            Next::Any | Next::Is(Kind::Dynamic) => (self.decoder.int()?, true),
            // A bean becomes the dynamic bean of type id 0.
            Next::Is(Kind::Bean) => (0, true),
            other => self.zero("a dynamic bean", other).map(|()| (0, false))?,
        };
        self.enter()?;
        Ok(DynamicDecoder { de: self, name, at, type_id, is_there })
    }

    /// Reads an element of a list.
    #[inline]
    fn item<T: Decode<'de>>(&mut self, kind: Kind, index: usize) -> Result<T> {
        let (left, losses) = (self.decoder.rest().len(), self.losses.len());
        match T::decode_kind(self, kind) {
            Ok(value) => {
                if losses != self.losses.len() {
                    self.place_all(losses, Segment::Index(index));
                }
                Ok(value)
            }
            Err(error) => Err(self.located(error, left).inside(index)),
        }
    }

    /// The header of the list that is next; an empty one for what is none.
    fn list_of_items(&mut self) -> Result<ListHead> {
        match self.take() {
            Next::Any | Next::Is(Kind::List) => self.decoder.list_head(),
            Next::Is(Kind::Bytes) => {
                // Read as a list of `u8`, which nothing here is, and passed over then.
                let at = self.decoder.offset();
                self.decoder.bytes()?;
                self.decoder.go_to(at);
                self.zero("a list", Next::Is(Kind::Bytes)).map(|()| ListHead::EMPTY)
            }
            other => self.zero("a list", other).map(|()| ListHead::EMPTY),
        }
    }
}

impl<'de> BeanDecoder<'_, 'de> {
    /// The field of an id, which is above those that were asked for; zero or empty if it is absent.
    ///
    /// # Errors
    /// Malformed input, data that does not fit, or a limit.
    // Inlined, so that where the reading stands is known from field to field.
    #[inline(always)]
    pub fn field<T: Decode<'de>>(&mut self, id: u32) -> Result<T> {
        let de = &mut *self.de;
        let next = self.cursor.find(id, &mut de.decoder, de.depth)?;
        let (left, losses) = (de.decoder.rest().len(), de.losses.len());
        let read = match next {
            Next::Is(kind) => T::decode_kind(de, kind),
            _ => T::decode_absent(de),
        };
        match read {
            Ok(value) => {
                if losses != self.de.losses.len() {
                    self.de.place_all(losses, Segment::field((self.name)(id)));
                }
                Ok(value)
            }
            Err(error) => Err(self.located(error, left, id)),
        }
    }

    /// The field of an id, of bytes.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    #[inline]
    pub fn bytes(&mut self, id: u32) -> Result<Vec<u8>> {
        self.field::<Bytes>(id).map(|bytes| bytes.0)
    }

    /// The field of an id, by serde: of a type that has no [`Decode`].
    ///
    /// # Errors
    /// As [`field`](Self::field).
    pub fn serde<T: Deserialize<'de>>(&mut self, id: u32) -> Result<T> {
        self.field::<BySerde<T>>(id).map(|value| value.0)
    }

    /// The fields of the layer that have no name, asked for before all others; `name` is what the path
    /// of an error calls them.
    ///
    /// # Errors
    /// Malformed input, or a limit.
    pub fn unknown(&mut self, name: &'static str) -> Result<Unknown> {
        let Some(start) = self.start else { return Ok(Unknown::new()) };
        let decoder = self.de.decoder.again(start);
        let is_known = |id: u32| !(self.name)(id).is_empty();
        let kept = layer::other_fields(decoder, self.de.depth, is_known);
        let kept = kept.map_err(|error| error.or_at(start).inside(name))?;
        Ok(Unknown::of_bytes(&kept))
    }

    /// The layer of the base, after all fields; `name` is what the path of an error calls it.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    pub fn base<T: Decode<'de>>(&mut self, name: &'static str) -> Result<Base<T>> {
        let de = &mut *self.de;
        let (left, losses) = (de.decoder.rest().len(), de.losses.len());
        let cursor = &mut self.cursor;
        let read = cursor.finish(&mut de.decoder, de.depth).and_then(|()| {
            if cursor.state != State::AtBase {
                return T::decode_absent(de);
            }
            de.enter()?;
            let base = T::decode_kind(de, Kind::Bean)?;
            de.leave();
            cursor.state = State::Done;
            Ok(base)
        });
        match read {
            Ok(base) => {
                de.place(losses, || Segment::field(name));
                Ok(Base(base))
            }
            Err(error) => Err(de.located(error, left).inside(name)),
        }
    }

    /// Ends the bean: what is left of it is passed over.
    ///
    /// # Errors
    /// Malformed input, or a limit.
    #[inline]
    pub fn end(mut self) -> Result<()> {
        self.cursor.close(&mut self.de.decoder, self.de.depth)?;
        self.de.leave();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn located(&self, error: Error, left: usize, id: u32) -> Error {
        self.de.located(error, left).inside((self.name)(id))
    }
}

impl<'de> DynamicDecoder<'_, 'de> {
    /// The type id; 0 if nothing is there.
    #[inline]
    pub fn type_id(&self) -> i64 {
        self.type_id
    }

    /// Reads the bean.
    ///
    /// # Errors
    /// Malformed input, data that does not fit, or a limit.
    pub fn bean<T: Decode<'de>>(self) -> Result<T> {
        self.content(|de, is_there, _| {
            de.next = if is_there { Next::Is(Kind::Bean) } else { Next::Absent };
            T::decode(de)
        })
    }

    /// Passes over the bean.
    ///
    /// # Errors
    /// Malformed input, or a limit.
    pub fn empty(self) -> Result<()> {
        self.content(
            |de, is_there, _| {
                if is_there { de.decoder.skip(Kind::Bean, de.depth) } else { Ok(()) }
            },
        )
    }

    /// Keeps the bean with its type id.
    ///
    /// # Errors
    /// Malformed input, or a limit.
    pub fn other(self) -> Result<Value> {
        self.content(|de, _, at| {
            de.decoder.go_to(at);
            de.next = Next::Is(Kind::Dynamic);
            Value::deserialize(&mut *de)
        })
    }

    fn content<T>(
        self,
        read: impl FnOnce(&mut Deserializer<'de>, bool, usize) -> Result<T>,
    ) -> Result<T> {
        let DynamicDecoder { de, name, at, type_id, is_there } = self;
        let name = || ids::shown(name(type_id));
        let (content_at, losses) = (de.decoder.offset(), de.losses.len());
        match read(de, is_there, at) {
            Ok(value) => {
                de.place(losses, || Segment::field(name()));
                de.leave();
                Ok(value)
            }
            Err(error) => Err(error.or_at(content_at).inside(name())),
        }
    }
}

/// Whatever serde reads.
struct BySerde<T>(T);

impl<'de, T: Deserialize<'de>> Decode<'de> for BySerde<T> {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        // The markers `Base` and `Unknown` are no fields of the layer that is known there.
        let outer = core::mem::take(&mut from.layer);
        let value = T::deserialize(&mut *from)?;
        from.layer = outer;
        Ok(BySerde(value))
    }
}

/// Bytes, from bytes or a list of numbers.
struct Bytes(Vec<u8>);

impl<'de> Decode<'de> for Bytes {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        de::Deserializer::deserialize_byte_buf(&mut *from, BytesVisitor).map(Bytes)
    }
}

struct BytesVisitor;

impl de::Visitor<'_> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("bytes")
    }

    #[inline]
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> core::result::Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> core::result::Result<Vec<u8>, E> {
        Ok(bytes)
    }
}

macro_rules! integers {
    ($($type:ident $low:ident)+) => {$(
        impl<'de> Decode<'de> for $type {
            #[inline]
            fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
                Self::deserialize(&mut *from)
            }

            #[inline]
            fn decode_kind(from: &mut Deserializer<'de>, kind: Kind) -> Result<Self> {
                if kind != Kind::Int {
                    from.next = Next::Is(kind);
                    return Self::decode(from);
                }
                let at = from.decoder.offset();
                let value = from.decoder.int()?;
                match $type::try_from(value) {
                    Ok(value) => Ok(value),
                    Err(_) => {
                        from.cut(at, stringify!($type), value)?;
                        Ok(crate::cast::$low(value))
                    }
                }
            }

            #[inline]
            fn decode_absent(_from: &mut Deserializer<'de>) -> Result<Self> {
                Ok(0)
            }
        }
    )+};
}

integers!(i8 low_i8 i16 low_i16 i32 low_i32);

macro_rules! plain {
    ($($type:ident $kind:ident $zero:literal $read:expr),+ $(,)?) => {$(
        impl<'de> Decode<'de> for $type {
            #[inline]
            fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
                Self::deserialize(&mut *from)
            }

            #[inline]
            fn decode_kind(from: &mut Deserializer<'de>, kind: Kind) -> Result<Self> {
                if kind == Kind::$kind {
                    let read: fn(&mut Deserializer<'de>) -> Result<$type> = $read;
                    return read(from);
                }
                from.next = Next::Is(kind);
                Self::decode(from)
            }

            #[inline]
            fn decode_absent(_from: &mut Deserializer<'de>) -> Result<Self> {
                Ok($zero)
            }
        }
    )+};
}

plain! {
    bool Int false |from| from.decoder.int().map(|value| value != 0),
    i64 Int 0 |from| from.decoder.int(),
    f32 Float 0.0 |from| from.decoder.f32(),
    f64 Double 0.0 |from| from.decoder.f64(),
}

macro_rules! vectors {
    ($($type:ident $kind:ident $len:literal)+) => {$(
        impl<'de> Decode<'de> for $type {
            #[inline]
            fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
                Self::deserialize(&mut *from)
            }

            #[inline]
            fn decode_kind(from: &mut Deserializer<'de>, kind: Kind) -> Result<Self> {
                if kind == Kind::$kind {
                    return from.decoder.floats::<$len>(kind).map(Self::from_array);
                }
                from.next = Next::Is(kind);
                Self::decode(from)
            }
        }
    )+};
}

vectors!(Vector2 Vector2 2 Vector3 Vector3 3 Vector4 Vector4 4 Quaternion Vector4 4);

impl<'de> Decode<'de> for Vector2Int {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        Self::deserialize(&mut *from)
    }
}

impl<'de> Decode<'de> for Vector3Int {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        Self::deserialize(&mut *from)
    }
}

impl<'de> Decode<'de> for String {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        Self::deserialize(&mut *from)
    }

    #[inline]
    fn decode_absent(_from: &mut Deserializer<'de>) -> Result<Self> {
        Ok(String::new())
    }
}

/// An empty bean: what a protocol without an argument has.
impl<'de> Decode<'de> for () {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        Self::deserialize(&mut *from)
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Box<T> {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        T::decode(from).map(Box::new)
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    #[inline]
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        let head = from.list_of_items()?;
        from.enter()?;
        let ahead = AHEAD.checked_div(size_of::<T>()).unwrap_or(0);
        let mut items = Vec::with_capacity(from.decoder.reserve(head.count).min(ahead));
        for index in 0..head.count {
            items.push(from.item(head.kind, index)?);
        }
        from.leave();
        Ok(items)
    }
}

impl<'de, T: Decode<'de> + Ord> Decode<'de> for BTreeSet<T> {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        let head = from.list_of_items()?;
        from.enter()?;
        let mut items = BTreeSet::new();
        for index in 0..head.count {
            items.insert(from.item(head.kind, index)?);
        }
        from.leave();
        Ok(items)
    }
}

impl<'de, K: Decode<'de> + Ord, V: Decode<'de>> Decode<'de> for BTreeMap<K, V> {
    fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
        let MapHead { count, kinds, .. } = match from.take() {
            Next::Any | Next::Is(Kind::Map) => from.decoder.map_head()?,
            other => from.zero("a map", other).map(|()| MapHead::EMPTY)?,
        };
        from.enter()?;
        let mut entries = BTreeMap::new();
        for index in 0..count {
            let (key_at, losses) = (from.decoder.offset(), from.losses.len());
            let key = K::decode_kind(from, kinds.0)
                .map_err(|error| error.or_at(key_at).inside(Segment::KeyOf(index)))?;
            from.place(losses, || Segment::KeyOf(index));
            let (at, losses) = (from.decoder.offset(), from.losses.len());
            let value = V::decode_kind(from, kinds.1);
            let bytes = from.decoder.bytes_from(key_at);
            let step = || crate::value::key_segment(bytes, kinds.0, index);
            let value = value.map_err(|error| error.or_at(at).inside(step()))?;
            from.place(losses, step);
            entries.insert(key, value);
        }
        from.leave();
        Ok(entries)
    }
}
