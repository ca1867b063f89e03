//! Arrays and documents as serde fills them.

use serde_core::ser::{self, Serialize, SerializeSeq, SerializeStruct};

use super::Serializer;
use super::key::Key;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::write::IndexKey;

/// An array that is being written.
pub struct Items<'a> {
    ser: &'a mut Serializer,
    at: usize,
    index: IndexKey,
    written: usize,
}

impl<'a> Items<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer) -> Result<Self> {
        let at = ser.writer.open(Kind::Array)?;
        ser.enter()?;
        Ok(Items { ser, at, index: IndexKey::new(), written: 0 })
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.ser.writer.index(&mut self.index);
        match value.serialize(&mut *self.ser) {
            Ok(()) => {
                self.written = self.written.saturating_add(1);
                Ok(())
            }
            Err(error) => Err(error.in_index(self.written)),
        }
    }

    #[inline]
    fn finish(self) -> Result<()> {
        self.ser.leave();
        self.ser.writer.close(self.at)
    }
}

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Error;
    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }
    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTuple for Items<'_> {
    type Ok = ();
    type Error = Error;
    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }
    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Items<'_> {
    type Ok = ();
    type Error = Error;
    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }
    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// The array inside the document of one entry that is a tuple variant.
pub struct VariantItems<'a> {
    pub(super) items: Items<'a>,
    pub(super) variant: &'static str,
    pub(super) at: usize,
}

impl ser::SerializeTupleVariant for VariantItems<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.items.item(value).map_err(|error| error.in_field(self.variant))
    }
    fn end(self) -> Result<()> {
        let Items { ser, at, .. } = self.items;
        ser.leave();
        ser.writer.close(at)?;
        ser.leave();
        ser.writer.close(self.at)
    }
}

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
        key.serialize(Key(&mut self.ser.writer))
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

/// A struct, as a document with its field names as keys.
pub struct Fields<'a> {
    ser: &'a mut Serializer,
    at: usize,
}

impl<'a> Fields<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer) -> Result<Self> {
        let at = ser.writer.open(Kind::Document)?;
        ser.enter()?;
        Ok(Fields { ser, at })
    }
}

impl SerializeStruct for Fields<'_> {
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
            Err(error) => Err(error.in_field(key)),
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.ser.leave();
        self.ser.writer.close(self.at)
    }
}

/// The document inside the document of one entry that is a struct variant.
pub struct VariantFields<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) variant: &'static str,
    pub(super) at: usize,
}

impl ser::SerializeStructVariant for VariantFields<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        self.fields.serialize_field(key, value).map_err(|error| error.in_field(self.variant))
    }
    fn end(self) -> Result<()> {
        let Fields { ser, at } = self.fields;
        ser.leave();
        ser.writer.close(at)?;
        ser.leave();
        ser.writer.close(self.at)
    }
}
