//! This crate's own types, which are known by their names.

use serde_core::de::Visitor;
use serde_core::de::value::{BorrowedBytesDeserializer, UnitDeserializer};

use super::access::ComponentAccess;
use super::{Deserializer, Next};
use crate::error::Result;
use crate::handoff;
use crate::kind::Kind;
use crate::read;
use crate::types::marker;
use crate::value::{self, Value};

impl<'de> Deserializer<'de> {
    pub(super) fn components<V: Visitor<'de>>(
        &mut self,
        kind: Kind,
        visitor: V,
    ) -> Result<V::Value> {
        let vector = read::Vector::read(&mut self.decoder, kind)?;
        visitor.visit_seq(ComponentAccess { vector, kind, index: 0 })
    }

    /// A vector of this crate, from whatever converts to it.
    #[inline]
    pub(super) fn vector<V: Visitor<'de>>(&mut self, wanted: Kind, visitor: V) -> Result<V::Value> {
        let kind = match self.take() {
            Next::Any => Some(wanted),
            Next::Is(kind @ (Kind::Int | Kind::Float | Kind::Double)) => Some(kind),
            Next::Is(kind) if kind.components() > 0 => Some(kind),
            other => self.zero(wanted.article(), other).map(|()| None)?,
        };
        let vector = match kind {
            Some(kind) => read::Vector::read(&mut self.decoder, kind)?,
            None => read::Vector::default(),
        };
        visitor.visit_seq(ComponentAccess { vector, kind: wanted, index: 0 })
    }

    /// A newtype of this crate, known by its name.
    #[inline(never)]
    pub(super) fn reserved<V: Visitor<'de>>(&mut self, name: &str, visitor: V) -> Result<V::Value> {
        let read = match name {
            marker::VALUE => self.value(visitor),
            marker::RAW_BEAN => self.raw_bean(visitor),
            _ => Err(marker::misplaced(name)),
        };
        read.inspect_err(|_| self.fail())
    }

    fn raw_bean<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        if !self.open_bean()? {
            return visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0]));
        }
        let at = self.decoder.offset();
        self.decoder.skip(Kind::Bean, self.depth)?;
        let bytes = self.decoder.since(at);
        visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(bytes))
    }

    /// A `Value`, which is handed over whole.
    pub(super) fn value<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.hold(size_of::<Value>(), self.decoder.offset())?;
        let value = match self.take() {
            Next::Is(kind) => value::decode(&mut self.decoder, kind, self.depth, &mut self.memory)?,
            Next::Any => {
                value::decode(&mut self.decoder, Kind::Bean, self.depth, &mut self.memory)?
            }
            other => {
                self.zero("", other)?;
                Value::default()
            }
        };
        handoff::give(value, || visitor.visit_newtype_struct(UnitDeserializer::new()))
    }
}
