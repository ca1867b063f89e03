//! Arrays, dictionaries and math types as serde fills them.

use std::collections::BTreeSet;

use gamewire_core::bytes::part;
use serde_core::ser::{self, Serialize, SerializeStruct};

use super::{Serializer, key_segment};
use crate::error::{Error, ErrorKind, Result};
use crate::types::Type;

/// An array or dictionary that is being written.
struct Open<'a> {
    ser: &'a mut Serializer,
    /// Where the count stands, and what was put there at first: `usize::MAX` if that was left open.
    /// No `Option`, so that the whole stays in registers while the fields of a struct are written.
    count_at: usize,
    claimed: usize,
    written: usize,
}

impl Open<'_> {
    #[inline(always)]
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.ser)?;
        self.written = self.written.saturating_add(1);
        Ok(())
    }

    #[inline]
    fn finish(self) -> Result<()> {
        self.ser.leave();
        if self.claimed == self.written {
            return Ok(());
        }
        self.ser.writer.patch_u32(self.count_at, self.written)
    }
}

/// An array that is being written.
pub struct Items<'a>(Open<'a>);

impl<'a> Items<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, claimed: Option<usize>) -> Result<Self> {
        // A typed start leaves the count open.
        let typed = ser.typed.0.is_some();
        let count_at = ser.start_array(claimed)?;
        let claimed = if typed { usize::MAX } else { claimed.unwrap_or(usize::MAX) };
        Ok(Items(Open { ser, count_at, claimed, written: 0 }))
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.0.add(value).map_err(|error| error.inside(self.0.written))
    }
}

macro_rules! items {
    ($($serialize:ident: $method:ident),+) => {$(
        impl ser::$serialize for Items<'_> {
            type Ok = ();
            type Error = Error;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }
            #[inline]
            fn end(self) -> Result<()> {
                self.0.finish()
            }
        }
    )+};
}

items! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field
}

/// The array inside the dictionary of one entry that is a tuple variant.
pub struct VariantItems<'a> {
    pub(super) items: Items<'a>,
    pub(super) variant: &'static str,
}

impl ser::SerializeTupleVariant for VariantItems<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.items.item(value).map_err(|error| error.inside(self.variant))
    }
    fn end(self) -> Result<()> {
        self.items.0.ser.leave();
        self.items.0.finish()
    }
}

#[inline(always)]
fn start_dictionary(ser: &mut Serializer, claimed: Option<usize>) -> Result<Open<'_>> {
    let typed = ser.typed != (None, None);
    let count_at = ser.start_dictionary(claimed)?;
    let claimed = if typed { usize::MAX } else { claimed.unwrap_or(usize::MAX) };
    Ok(Open { ser, count_at, claimed, written: 0 })
}

/// A dictionary with keys of any type that is being written.
pub struct MapEntries<'a> {
    open: Open<'a>,
    key_at: usize,
    /// The keys so far, where they may be the same: flattened fields do not know how many there are.
    seen: Option<Box<SeenKeys>>,
}

#[derive(Default)]
struct SeenKeys(BTreeSet<Vec<u8>>);

impl<'a> MapEntries<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, claimed: Option<usize>) -> Result<Self> {
        let seen = if claimed.is_none() { Some(Box::default()) } else { None };
        Ok(MapEntries { open: start_dictionary(ser, claimed)?, key_at: 0, seen })
    }
}

impl MapEntries<'_> {
    /// The bytes from the last key on: keeping each key for an error would cost a copy.
    fn written(&self) -> &[u8] {
        part(&self.open.ser.writer.out, self.key_at..)
    }

    /// The engine keeps the last of keys that are the same, and what was written first is lost.
    #[inline(never)]
    fn check_key(&mut self) -> Result<()> {
        let writer = &self.open.ser.writer;
        let mut key = self.written().to_vec();
        let name = Type::StringName.id(writer.dialect());
        if let Some(kind) = key.first_mut().filter(|kind| Some(**kind) == name) {
            *kind = Type::String as u8;
        }
        if self.seen.as_mut().is_none_or(|seen| seen.0.insert(key)) {
            return Ok(());
        }
        let written = self.written();
        let text = "expected keys that are not the same, found one twice";
        Err(Error::new(ErrorKind::Data, text).inside(key_segment(written, &writer.options)))
    }
}

impl ser::SerializeMap for MapEntries<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key_at = self.open.ser.writer.position();
        key.serialize(&mut *self.open.ser)?;
        if self.seen.is_some() { self.check_key() } else { Ok(()) }
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.open.add(value).map_err(|error| {
            error.inside(key_segment(self.written(), &self.open.ser.writer.options))
        })
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.open.finish()
    }
}

/// A struct, as a dictionary with its field names as keys.
pub struct Fields<'a>(Open<'a>);

impl<'a> Fields<'a> {
    #[inline]
    pub(super) fn start(ser: &'a mut Serializer, claimed: usize) -> Result<Self> {
        Ok(Fields(start_dictionary(ser, Some(claimed))?))
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
        self.0.ser.writer.key(key)?;
        self.0.add(value).map_err(|error| error.inside(key))
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.0.finish()
    }
}

/// The dictionary inside the dictionary of one entry that is a struct variant.
pub struct VariantFields<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) variant: &'static str,
}

impl ser::SerializeStructVariant for VariantFields<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        self.fields.serialize_field(key, value).map_err(|error| error.inside(self.variant))
    }
    fn end(self) -> Result<()> {
        self.fields.0.ser.leave();
        self.fields.end()
    }
}
