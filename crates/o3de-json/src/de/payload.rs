//! The content of a newtype variant: a class is the object itself, anything else its `Value`.

use serde_core::de::{self, Visitor};

use super::buffers::Members;
use super::slot::{Loader, Role, Slot, Source};
use crate::types::handoff;
use crate::value::decode::find_members;
use crate::{Error, Result};

/// An object with `$type` that comes next.
pub(super) struct Payload<'a, 'de, 'o>(
    pub(super) &'a mut Loader<'de, 'o>,
    pub(super) Source<'de, 'o>,
    /// The type that is read.
    pub(super) &'static str,
);

impl<'de, 'o> Payload<'_, 'de, 'o> {
    fn whole<T>(self, read: impl FnOnce(Slot<'_, 'de, 'o>) -> Result<T>) -> Result<T> {
        read(Slot { loader: self.0, source: self.1, role: Role::Content, of: self.2 })
    }

    pub(super) fn value<T>(self, read: impl FnOnce(Slot<'_, 'de, 'o>) -> Result<T>) -> Result<T> {
        let Payload(loader, source, of) = self;
        let ([upper, lower], end) = find_members(&mut loader.reader, ["Value", "value"])?;
        match upper.max(lower) {
            Some(at) => {
                loader.inside(at, end, |loader| read(Slot { loader, source, role: Role::Any, of }))
            }
            None => read(Slot::new(loader, Source::Default)),
        }
    }
}

impl<'de> de::Deserializer<'de> for Payload<'_, 'de, '_> {
    type Error = Error;

    through! {
        value: deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(),
        deserialize_i64(), deserialize_i128(), deserialize_u8(), deserialize_u16(),
        deserialize_u32(), deserialize_u64(), deserialize_u128(), deserialize_f32(),
        deserialize_f64(), deserialize_char(), deserialize_str(), deserialize_string(),
        deserialize_bytes(), deserialize_byte_buf(), deserialize_option(), deserialize_seq(),
        deserialize_tuple(len: usize), deserialize_tuple_struct(name: &'static str, len: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
        deserialize_identifier(),
    }

    through! {
        whole: deserialize_any(), deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_ignored_any(),
    }

    /// A map's entries are members of the object too, `$type` is none of them.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.value(|slot| super::map::read(slot, super::map::Values::One, visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match name {
            handoff::RAW | handoff::VALUE => {
                let read = |slot: Slot<'_, 'de, '_>| super::native::read(slot, name, visitor);
                match Members::of(self.0)? {
                    Members::Value(..) => self.value(read),
                    _ => self.whole(read),
                }
            }
            handoff::COERCE => visitor.visit_some(self),
            _ if name.starts_with(handoff::PREFIX) => {
                self.value(|slot| super::native::read(slot, name, visitor))
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }
}
