//! Arrays and documents as serde fills them.

use serde_core::ser::{self, Serialize};

use super::Serializer;
use super::key::KeySerializer;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::write::IndexKey;

/// An array that is being written, perhaps as the one entry of a document that is a variant.
pub struct Items<'a> {
    ser: &'a mut Serializer,
    at: usize,
    index: IndexKey,
    written: usize,
    variant: Option<Variant>,
}

/// A variant with content: its name, and where the document of one entry begins.
type Variant = (&'static str, usize);

impl<'a> Items<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, variant: Option<Variant>) -> Result<Self> {
        let at = ser.writer.open(Kind::Array)?;
        ser.enter()?;
        Ok(Items { ser, at, index: IndexKey::new(), written: 0, variant })
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.ser.writer.index(&mut self.index);
        match value.serialize(&mut *self.ser) {
            Ok(()) => {
                self.written = self.written.saturating_add(1);
                Ok(())
            }
            Err(error) => Err(in_variant(error.in_index(self.written), self.variant)),
        }
    }

    #[inline]
    fn finish(self) -> Result<()> {
        finish(self.ser, self.at, self.variant)
    }
}

#[cold]
fn in_variant(error: Error, variant: Option<Variant>) -> Error {
    match variant {
        Some((name, _)) => error.in_field(name),
        None => error,
    }
}

#[inline]
fn finish(ser: &mut Serializer, at: usize, variant: Option<Variant>) -> Result<()> {
    ser.leave();
    ser.writer.close(at)?;
    let Some((_, at)) = variant else { return Ok(()) };
    ser.leave();
    ser.writer.close(at)
}

macro_rules! items {
    ($($name:ident $method:ident),+) => {$(
        impl ser::$name for Items<'_> {
            type Ok = ();
            type Error = Error;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }
            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )+};
}

items!(
    SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field
);

/// A document with keys that are only known at run time.
pub struct Entries<'a> {
    ser: &'a mut Serializer,
    at: usize,
    key_at: usize,
}

impl<'a> Entries<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer) -> Result<Self> {
        let at = ser.writer.open(Kind::Document)?;
        ser.enter()?;
        Ok(Entries { ser, at, key_at: 0 })
    }

    /// The key that was written last.
    #[cold]
    fn key(&self) -> String {
        // Read back from the output: keeping each key for an error would cost a copy.
        let written = self.ser.writer.out.get(self.key_at.saturating_add(1)..).unwrap_or_default();
        let end = written.iter().position(|&byte| byte == 0).unwrap_or(0);
        String::from_utf8_lossy(written.get(..end).unwrap_or_default()).into_owned()
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key_at = self.ser.writer.position();
        key.serialize(KeySerializer(&mut self.ser.writer))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.ser).map_err(|error| error.in_field(&self.key()))
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.ser.leave();
        self.ser.writer.close(self.at)
    }
}

/// A struct, as a document with its field names as keys, perhaps as the one entry of a document that
/// is a variant.
pub struct Fields<'a> {
    ser: &'a mut Serializer,
    at: usize,
    variant: Option<Variant>,
}

impl<'a> Fields<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, variant: Option<Variant>) -> Result<Self> {
        let at = ser.writer.open(Kind::Document)?;
        ser.enter()?;
        Ok(Fields { ser, at, variant })
    }
}

macro_rules! fields {
    ($($name:ident),+) => {$(
        impl ser::$name for Fields<'_> {
            type Ok = ();
            type Error = Error;

            // Always inlined, so that the key is known and becomes a few stores.
            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.ser.writer.field(key)?;
                match value.serialize(&mut *self.ser) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(in_variant(error.in_field(key), self.variant)),
                }
            }

            #[inline]
            fn end(self) -> Result<()> {
                finish(self.ser, self.at, self.variant)
            }
        }
    )+};
}

fields!(SerializeStruct, SerializeStructVariant);
