//! Arrays and documents as serde fills them.

use std::ops::Range;

use gamewire_core::bytes::part;
use serde_core::ser::{self, Serialize};

use super::Serializer;
use super::key::KeySerializer;
use crate::error::{Error, Result};
use crate::json::{self, Style};
use crate::kind::Kind;
use crate::read::Reader;
use crate::value::Keys;
use crate::write::{IndexKey, Writer};

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
    /// Where the key is that was written last, without its type and its end.
    key: Range<usize>,
    /// Whether each key is greater than the one before, so that none occurs twice.
    ascending: bool,
}

impl<'a> Entries<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer) -> Result<Self> {
        let at = ser.writer.open(Kind::Document)?;
        ser.enter()?;
        Ok(Entries { ser, at, key: 0..0, ascending: true })
    }

    /// The key that was written last.
    #[cold]
    fn key(&self) -> String {
        // Read back from the output: keeping each key for an error would cost a copy.
        let written = part(&self.ser.writer.out, self.key.clone());
        String::from_utf8_lossy(written).into_owned()
    }

    /// Writes a key that is no text as JSON.
    #[cold]
    fn composite_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let value = self.ser.writer.options.human_readable(true).to_value(key)?;
        self.ser.writer.key(&json::to_string(&value, Style::Relaxed))
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let (at, mut is_composite) = (self.ser.writer.position(), false);
        let writer = &mut self.ser.writer;
        match key.serialize(KeySerializer { writer, is_composite: &mut is_composite }) {
            Err(_) if is_composite => self.composite_key(key)?,
            written => written?,
        }
        let out = &self.ser.writer.out;
        let key = at.saturating_add(1)..out.len().saturating_sub(1);
        self.ascending &= self.key.is_empty() || out.get(self.key.clone()) < out.get(key.clone());
        self.key = key;
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.ser).map_err(|error| error.in_field(&self.key()))
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.ser.leave();
        self.ser.writer.close(self.at)?;
        match self.ascending || self.ser.writer.options.allow_duplicates {
            true => Ok(()),
            false => refuse_repeated(&self.ser.writer, self.at),
        }
    }
}

/// Refuses the document that was written at `at` if a key occurs twice.
#[inline(never)]
fn refuse_repeated(writer: &Writer, at: usize) -> Result<()> {
    let mut reader = Reader::new(part(&writer.out, at..), writer.options);
    reader.open()?;
    let mut keys = Keys::new(reader.count());
    let mut before = Vec::new();
    while let Some(kind) = reader.kind()? {
        let key = reader.key()?;
        if !keys.is_new(key.bytes(), before.iter().copied()) {
            let first = before.iter().position(|other| *other == key.bytes()).unwrap_or(0);
            let names = format!("entries {first} and {}", before.len());
            return Err(Error::duplicate_keys(key.as_str(), &names));
        }
        before.push(key.bytes());
        reader.pass(kind);
    }
    Ok(())
}

/// A struct, as a document with its field names as keys, perhaps as the one entry of a document that
/// is a variant.
pub struct Fields<'a> {
    ser: &'a mut Serializer,
    at: usize,
    /// The name that was written first, which may be the tag of an enum and another field's name too.
    first: Option<&'static str>,
    variant: Option<Variant>,
}

impl<'a> Fields<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, variant: Option<Variant>) -> Result<Self> {
        let at = ser.writer.open(Kind::Document)?;
        ser.enter()?;
        Ok(Fields { ser, at, first: None, variant })
    }
}

#[cold]
#[inline(never)]
fn twice_in_struct(key: &str) -> Error {
    Error::duplicate_keys(key, "the tag or the first field, and another field")
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
                match self.first {
                    None => self.first = Some(key),
                    Some(first) if first == key => return Err(twice_in_struct(key)),
                    Some(_) => {}
                }
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
