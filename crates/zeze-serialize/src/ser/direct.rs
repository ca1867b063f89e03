//! Writing without serde, as generated code does: the same bytes, checks and limits.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::Serialize;

use super::compound::merge;
use super::slot::{Mark, Slot, WholeSlot};
use super::{Serializer, ValueSerializer};
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::ids;
use crate::kind::Kind;
use crate::options::Options;
use crate::types::{Base, Quaternion, Unknown, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};
use crate::value::Value;
use crate::write;

/// A type that is written as one wire type, without serde in between: the same bytes in less time.
///
/// `gamewire gen zeze` writes it for the types of a solution. By hand:
///
/// ```
/// use zeze_serialize::wire::{self, Decode, Encode};
/// use zeze_serialize::{Deserializer, Kind, Result, Serializer};
///
/// #[derive(Debug, PartialEq)]
/// struct Player {
///     name: String,
///     level: i32,
/// }
///
/// fn name(id: u32) -> &'static str {
///     if id == 1 { "name" } else { "level" }
/// }
///
/// impl Encode for Player {
///     const KIND: Kind = Kind::Bean;
///
///     fn encode(&self, to: &mut Serializer) -> Result<()> {
///         let mut bean = to.bean(name)?;
///         bean.field(1, &self.name)?;
///         bean.field(9, &self.level)?;
///         bean.end()
///     }
/// }
///
/// impl<'de> Decode<'de> for Player {
///     fn decode(from: &mut Deserializer<'de>) -> Result<Self> {
///         let mut bean = from.bean(name)?;
///         let player = Player { name: bean.field(1)?, level: bean.field(9)? };
///         bean.end()?;
///         Ok(player)
///     }
/// }
///
/// let player = Player { name: "Bo".into(), level: 7 };
/// let bytes = wire::encode_to_vec(&player)?;
/// assert_eq!(bytes, b"\x13\x02Bo\x80\x07\x00");
/// assert_eq!(wire::decode_from_slice::<Player>(&bytes)?, player);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
pub trait Encode {
    /// The wire type of all values.
    const KIND: Kind;

    /// Whether a field that has this value is left out. Beans are asked by what they write.
    #[inline]
    fn is_default(&self, _to: &Serializer) -> bool {
        false
    }

    /// Writes the value, with no tag before it.
    ///
    /// # Errors
    /// What the format cannot say, or a limit.
    fn encode(&self, to: &mut Serializer) -> Result<()>;

    /// Writes the tag of a field, and the value.
    #[doc(hidden)]
    #[inline]
    fn encode_field(&self, to: &mut Serializer, step: u32) -> Result<()> {
        write::tag(&mut to.out, step, Self::KIND);
        self.encode(to)
    }
}

/// The variant of an enum that holds dynamic beans of all other types.
const OTHER: &str = "*";

impl Options {
    /// Encodes a value without serde; as [`wire::encode_to_vec`](crate::wire::encode_to_vec).
    ///
    /// # Errors
    /// What the format cannot say, or a limit.
    #[inline]
    pub fn encode_to_vec<T: Encode + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), *self);
        value.encode(&mut serializer)?;
        serializer.into_inner()
    }
}

/// The fields of a bean that is being written; made by [`Serializer::bean`].
pub struct BeanEncoder<'a> {
    ser: &'a mut Serializer,
    /// The name of a field, for the path of an error.
    name: fn(u32) -> &'static str,
    /// The last id that was written.
    last: u32,
    /// Offsets of the first tag, and after the last field once the layer of the base began.
    start: usize,
    own_end: Option<usize>,
    kept: &'a [u8],
}

impl Serializer {
    /// Begins a bean, whose fields follow in the order of their ids. `name` has the name of each, for
    /// the path of an error.
    ///
    /// # Errors
    /// Deeper than [`max_typed_depth`](Options::max_typed_depth).
    #[inline]
    pub fn bean(&mut self, name: fn(u32) -> &'static str) -> Result<BeanEncoder<'_>> {
        self.enter()?;
        let start = self.out.len();
        Ok(BeanEncoder { ser: self, name, last: 0, start, own_end: None, kept: &[] })
    }

    /// Writes a dynamic bean of a type id; `name` has what the path of an error calls it.
    ///
    /// # Errors
    /// What the bean has, or a value that is no bean.
    pub fn dynamic<T: Encode>(
        &mut self,
        id: i64,
        name: fn(i64) -> &'static str,
        bean: &T,
    ) -> Result<()> {
        if T::KIND != Kind::Bean {
            let text = format!("expected a bean in a dynamic one, found {}", T::KIND.article());
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        self.enter()?;
        write::int(&mut self.out, id);
        bean.encode(self).map_err(|error| error.inside(ids::shown(name(id))))?;
        self.leave();
        Ok(())
    }

    /// Writes the empty dynamic bean.
    ///
    /// # Errors
    /// None so far.
    pub fn empty_dynamic(&mut self) -> Result<()> {
        write::int(&mut self.out, 0);
        self.out.push(write::END);
        Ok(())
    }

    /// Writes a dynamic bean of any type, as the variant `*` of an enum holds it.
    ///
    /// # Errors
    /// A value that is no dynamic bean, or a limit.
    pub fn other_dynamic(&mut self, value: &Value) -> Result<()> {
        self.enter()?;
        let written = value.serialize(ValueSerializer { ser: &mut *self, slot: WholeSlot(OTHER) });
        written.map_err(|error| error.inside(OTHER))?;
        self.leave();
        Ok(())
    }
}

impl<'a> BeanEncoder<'a> {
    /// The next field, which is left out if it has its default.
    ///
    /// # Errors
    /// What the value has, an id that is not above the last one, or a limit.
    #[inline]
    pub fn field<T: Encode>(&mut self, id: u32, value: &T) -> Result<()> {
        if value.is_default(self.ser) {
            return Ok(());
        }
        let (last, step) = (self.last, self.step(id)?);
        let mark = self.ser.out.len();
        let written = if T::KIND == Kind::Bean {
            write::tag(&mut self.ser.out, step, Kind::Bean);
            let body = self.ser.out.len();
            value.encode(self.ser).map(|()| {
                // A bean of which only the end was written has nothing to say.
                if self.ser.out.len() == body.wrapping_add(1) {
                    self.ser.out.truncate(mark);
                    self.last = last;
                }
            })
        } else {
            value.encode_field(self.ser, step)
        };
        match written.and_then(|()| self.ser.check()) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.located(error, id)),
        }
    }

    /// The next field, of bytes.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    #[inline]
    pub fn bytes(&mut self, id: u32, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let step = self.step(id)?;
        write::tag(&mut self.ser.out, step, Kind::Bytes);
        let written = put_bytes(self.ser, bytes).and_then(|()| self.ser.check());
        written.map_err(|error| self.located(error, id))
    }

    /// The next field, by serde: of a type that has no [`Encode`].
    ///
    /// # Errors
    /// As [`field`](Self::field).
    pub fn serde<T: Serialize + ?Sized>(&mut self, id: u32, value: &T) -> Result<()> {
        let slot = DirectField { id, last: &mut self.last, is_forced: false };
        let written = value.serialize(ValueSerializer { ser: &mut *self.ser, slot });
        written.map_err(|error| self.located(error, id))
    }

    /// The fields that were kept, which are merged into the others by their ids.
    #[inline]
    pub fn unknown(&mut self, unknown: &'a Unknown) {
        self.kept = unknown.as_bytes();
    }

    /// The layer of the base, after all fields; `name` is what the path of an error calls it.
    ///
    /// # Errors
    /// What the base has, or a limit.
    pub fn base<T: Encode>(&mut self, name: &'static str, base: &Base<T>) -> Result<()> {
        self.own_end = Some(self.ser.out.len());
        self.ser.out.push(write::BASE);
        let written = self.ser.enter().and_then(|()| base.0.encode(self.ser));
        written.map_err(|error| error.inside(name))?;
        self.ser.leave();
        Ok(())
    }

    /// Ends the bean.
    ///
    /// # Errors
    /// A field that was kept has the id of another one.
    #[inline]
    pub fn end(self) -> Result<()> {
        self.ser.leave();
        let own_end = self.own_end.unwrap_or_else(|| {
            self.ser.out.push(write::END);
            self.ser.out.len().wrapping_sub(1)
        });
        if self.kept.len() <= 1 { Ok(()) } else { merge(self.ser, self.kept, self.start, own_end) }
    }

    #[inline]
    fn step(&mut self, id: u32) -> Result<u32> {
        let last = core::mem::replace(&mut self.last, id);
        if id <= last || id > write::MAX_ID {
            return Err(wrong_id(id, last));
        }
        Ok(id.wrapping_sub(last))
    }

    #[cold]
    #[inline(never)]
    fn located(&self, error: Error, id: u32) -> Error {
        error.inside((self.name)(id))
    }
}

#[cold]
fn wrong_id(id: u32, last: u32) -> Error {
    let most = write::MAX_ID;
    let text = format!("expected an id above {last}, and at most {most}, found {id}");
    Error::new(ErrorKind::FieldId, text)
}

/// A field that serde writes into a bean that is written without it.
struct DirectField<'l> {
    id: u32,
    last: &'l mut u32,
    is_forced: bool,
}

impl Slot for DirectField<'_> {
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        let last = core::mem::replace(self.last, self.id);
        if self.id <= last || self.id > write::MAX_ID {
            return Err(wrong_id(self.id, last));
        }
        write::tag(&mut ser.out, self.id.wrapping_sub(last), kind);
        ser.check()
    }

    fn omits(&self) -> bool {
        !self.is_forced
    }

    fn force(&mut self) {
        self.is_forced = true;
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        if self.is_forced {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "expected a value, found `None` in a `Some`",
            ));
        }
        Ok(())
    }

    fn mark(&self, ser: &Serializer) -> Mark {
        Mark { at: ser.out.len(), last: *self.last }
    }

    fn undo(&mut self, ser: &mut Serializer, mark: Mark) {
        ser.out.truncate(mark.at);
        *self.last = mark.last;
    }
}

macro_rules! integers {
    ($($type:ident)+) => {$(
        impl Encode for $type {
            const KIND: Kind = Kind::Int;

            #[inline]
            fn is_default(&self, _to: &Serializer) -> bool {
                i64::from(*self) == 0
            }

            #[inline]
            fn encode(&self, to: &mut Serializer) -> Result<()> {
                write::int(&mut to.out, i64::from(*self));
                Ok(())
            }

            #[inline]
            fn encode_field(&self, to: &mut Serializer, step: u32) -> Result<()> {
                write::tagged_int(&mut to.out, step, i64::from(*self));
                Ok(())
            }
        }
    )+};
}

integers!(bool i8 i16 i32 i64);

macro_rules! floats {
    ($($type:ident $kind:ident $len:literal)+) => {$(
        impl Encode for $type {
            const KIND: Kind = Kind::$kind;

            #[inline]
            fn is_default(&self, to: &Serializer) -> bool {
                to.is_zero(f64::from(*self))
            }

            #[inline]
            fn encode(&self, to: &mut Serializer) -> Result<()> {
                to.out.extend_from_slice(&self.to_le_bytes());
                Ok(())
            }

            #[inline]
            fn encode_field(&self, to: &mut Serializer, step: u32) -> Result<()> {
                write::tagged(&mut to.out, step, Kind::$kind, self.to_bits().into(), $len);
                Ok(())
            }
        }
    )+};
}

floats!(f32 Float 4 f64 Double 8);

#[inline]
fn put_bytes(to: &mut Serializer, bytes: &[u8]) -> Result<()> {
    write::uint(&mut to.out, write::length(bytes.len())?);
    to.out.extend_from_slice(bytes);
    Ok(())
}

impl Encode for String {
    const KIND: Kind = Kind::Bytes;

    #[inline]
    fn is_default(&self, _to: &Serializer) -> bool {
        self.is_empty()
    }

    #[inline]
    fn encode(&self, to: &mut Serializer) -> Result<()> {
        put_bytes(to, self.as_bytes())
    }
}

/// An empty bean: what a protocol without an argument has.
impl Encode for () {
    const KIND: Kind = Kind::Bean;

    #[inline]
    fn encode(&self, to: &mut Serializer) -> Result<()> {
        to.out.push(write::END);
        Ok(())
    }
}

impl<T: Encode + ?Sized> Encode for Box<T> {
    const KIND: Kind = T::KIND;

    #[inline]
    fn is_default(&self, to: &Serializer) -> bool {
        (**self).is_default(to)
    }

    #[inline]
    fn encode(&self, to: &mut Serializer) -> Result<()> {
        (**self).encode(to)
    }
}

macro_rules! vectors {
    ($($type:ident $kind:ident $put:ident)+) => {$(
        impl Encode for $type {
            const KIND: Kind = Kind::$kind;

            #[inline]
            fn is_default(&self, to: &Serializer) -> bool {
                self.to_array().iter().all(|component| to.is_zero(f64::from(*component)))
            }

            #[inline]
            fn encode(&self, to: &mut Serializer) -> Result<()> {
                self.to_array().iter().for_each(|component| $put(to, *component));
                Ok(())
            }
        }
    )+};
}

vectors! {
    Vector2 Vector2 put_float
    Vector2Int Vector2Int put_int
    Vector3 Vector3 put_float
    Vector3Int Vector3Int put_int
    Vector4 Vector4 put_float
    Quaternion Vector4 put_float
}

#[inline]
fn put_float(to: &mut Serializer, component: f32) {
    to.out.extend_from_slice(&component.to_le_bytes());
}

#[inline]
fn put_int(to: &mut Serializer, component: i32) {
    write::int(&mut to.out, component.into());
}

/// Writes the elements of a list or set.
#[inline]
fn items<'a, T: Encode + 'a>(
    to: &mut Serializer,
    items: impl ExactSizeIterator<Item = &'a T>,
) -> Result<()> {
    to.enter()?;
    // An empty list does not say what it would hold.
    let kind = if items.len() == 0 { 0 } else { T::KIND.number() };
    write::list_header(&mut to.out, write::length(items.len())?, kind);
    for (index, item) in items.enumerate() {
        if let Err(error) = item.encode(to).and_then(|()| to.check()) {
            return Err(in_item(error, index));
        }
    }
    to.leave();
    Ok(())
}

#[cold]
#[inline(never)]
fn in_item(error: Error, index: usize) -> Error {
    error.inside(index)
}

impl<T: Encode> Encode for Vec<T> {
    const KIND: Kind = Kind::List;

    #[inline]
    fn is_default(&self, _to: &Serializer) -> bool {
        self.is_empty()
    }

    #[inline]
    fn encode(&self, to: &mut Serializer) -> Result<()> {
        items(to, self.iter())
    }
}

impl<T: Encode> Encode for BTreeSet<T> {
    const KIND: Kind = Kind::List;

    #[inline]
    fn is_default(&self, _to: &Serializer) -> bool {
        self.is_empty()
    }

    #[inline]
    fn encode(&self, to: &mut Serializer) -> Result<()> {
        items(to, self.iter())
    }
}

impl<K: Encode, V: Encode> Encode for BTreeMap<K, V> {
    const KIND: Kind = Kind::Map;

    #[inline]
    fn is_default(&self, _to: &Serializer) -> bool {
        self.is_empty()
    }

    fn encode(&self, to: &mut Serializer) -> Result<()> {
        to.enter()?;
        let kinds = if self.is_empty() { (0, 0) } else { (K::KIND.number(), V::KIND.number()) };
        write::map_header(&mut to.out, write::length(self.len())?, kinds.0, kinds.1);
        for (index, (key, value)) in self.iter().enumerate() {
            let key_at = to.out.len();
            let written = key.encode(to);
            written.map_err(|error| error.inside(Segment::KeyOf(index)))?;
            if let Err(error) = value.encode(to).and_then(|()| to.check()) {
                let bytes = to.out.get(key_at..).unwrap_or_default();
                return Err(error.inside(crate::value::key_segment(bytes, K::KIND, index)));
            }
        }
        to.leave();
        Ok(())
    }
}
