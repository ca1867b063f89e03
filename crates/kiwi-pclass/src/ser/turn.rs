//! The value whose turn it is, in an object or a list: the fast way for what is most frequent.

use gamewire_core::words::Name;
use serde_core::ser::{Impossible, Serialize, Serializer};

use super::list::{ListSer, StructSer};
use super::next_round;
use super::value::ValueSer;
use crate::bits::BitWriter;
use crate::compound::binary;
use crate::schema::{Leaf, Scalar};
use crate::types::MARK;
use crate::{Error, Result};

/// An object or a list that knows what it is writing.
pub(super) trait Parent {
    fn bits(&mut self) -> &mut BitWriter;

    /// Writes a string.
    fn string(&mut self, bytes: &[u8]) -> Result<()>;

    /// What writes the value, whatever it is.
    fn value(&mut self) -> ValueSer<'_>;

    /// Begins an object.
    fn object(&mut self, delta: bool, name: Name, len: usize) -> Result<StructSer<'_>>;
}

/// Writes one value in shallow mode, or an element. It is two words: all else stands in the parent,
/// where only what is no [`Leaf`] looks at it.
pub(super) struct Turn<'x, P> {
    parent: &'x mut P,
    leaf: Leaf,
    /// A bit stands before a leaf that says that it is there.
    delta: bool,
    rounds: u8,
}

impl<'x, P: Parent> Turn<'x, P> {
    #[inline]
    pub(super) fn new(parent: &'x mut P, leaf: Leaf, delta: bool) -> Self {
        Turn { parent, leaf, delta, rounds: 0 }
    }

    /// The bits in which a leaf is written, after what stands before it.
    #[inline]
    fn bits(&mut self) -> &mut BitWriter {
        if self.delta {
            self.parent.bits().bit(true);
        }
        self.parent.bits()
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty, $scalar:ident;)+) => {$(
        #[inline(always)]
        fn $method(mut self, number: $type) -> Result<()> {
            // What is declared as Rust has it goes no further way.
            if self.leaf == Leaf::Scalar(Scalar::$scalar) {
                self.bits().put_array(number.to_le_bytes());
                return Ok(());
            }
            other(self.parent, |value| value.$method(number))
        }
    )+};
}

/// Apart, so that the fast ways are small.
#[cold]
#[inline(never)]
fn other<P: Parent>(parent: &mut P, write: impl FnOnce(ValueSer<'_>) -> Result<()>) -> Result<()> {
    write(parent.value())
}

macro_rules! others {
    ($($method:ident($($arg:ident: $type:ty),*) -> $ok:ty;)+) => {$(
        #[inline]
        fn $method(self, $($arg: $type),*) -> Result<$ok> {
            self.parent.value().$method($($arg),*)
        }
    )+};
}

impl<'x, P: Parent> Serializer for Turn<'x, P> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListSer<'x>;
    type SerializeTuple = ListSer<'x>;
    type SerializeTupleStruct = ListSer<'x>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = ListSer<'x>;
    type SerializeStruct = StructSer<'x>;
    type SerializeStructVariant = StructSer<'x>;

    binary!();

    numbers! {
        serialize_i8 i8, I8;
        serialize_i16 i16, I16;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_u8 u8, U8;
        serialize_u16 u16, U16;
        serialize_u32 u32, U32;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    #[inline(always)]
    fn serialize_bool(mut self, value: bool) -> Result<()> {
        if self.leaf == Leaf::Bool {
            self.bits().bit(value);
            return Ok(());
        }
        other(self.parent, |other| other.serialize_bool(value))
    }

    #[inline]
    fn serialize_str(mut self, text: &str) -> Result<()> {
        if self.leaf == Leaf::String {
            self.bits();
            return self.parent.string(text.as_bytes());
        }
        self.parent.value().serialize_str(text)
    }

    #[inline]
    fn serialize_bytes(mut self, bytes: &[u8]) -> Result<()> {
        if self.leaf == Leaf::String {
            self.bits();
            return self.parent.string(bytes);
        }
        self.parent.value().serialize_bytes(bytes)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        if matches!(self.leaf, Leaf::Other | Leaf::Object) {
            return self.parent.value().serialize_some(value);
        }
        next_round(&mut self.rounds)?;
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        mut self,
        name: Name,
        value: &T,
    ) -> Result<()> {
        // The types of this crate may ask for something else than what is declared.
        if matches!(self.leaf, Leaf::Other | Leaf::Object) || name.starts_with(MARK) {
            return self.parent.value().serialize_newtype_struct(name, value);
        }
        next_round(&mut self.rounds)?;
        value.serialize(self)
    }

    #[inline]
    fn serialize_struct(self, name: Name, len: usize) -> Result<StructSer<'x>> {
        match self.leaf {
            Leaf::Object => self.parent.object(self.delta, name, len),
            _ => self.parent.value().serialize_struct(name, len),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: Name,
        index: u32,
        variant: Name,
        value: &T,
    ) -> Result<()> {
        self.parent.value().serialize_newtype_variant(name, index, variant, value)
    }

    others! {
        serialize_char(v: char) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: Name) -> ();
        serialize_unit_variant(name: Name, index: u32, variant: Name) -> ();
        serialize_seq(len: Option<usize>) -> ListSer<'x>;
        serialize_tuple(len: usize) -> ListSer<'x>;
        serialize_tuple_struct(name: Name, len: usize) -> ListSer<'x>;
        serialize_tuple_variant(name: Name, index: u32, variant: Name, len: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> ListSer<'x>;
        serialize_struct_variant(name: Name, index: u32, variant: Name, len: usize)
            -> StructSer<'x>;
    }
}
