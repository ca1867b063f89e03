//! The listener that builds a [`Value`].

use std::mem;
use std::ops::Range;

use super::decode::{self, Contents, Decoder, Leaf, Listener, Opened, Place};
use super::keys::Keys;
use super::{Array, Document};
use crate::Value;
use crate::error::Result;
use crate::kind::Kind;
use crate::read::Reader;
use crate::text::Str;
use crate::types::{
    Binary, CodeWithScope, DateTime, DbPointer, Decimal128, ObjectId, Regex, Timestamp,
};

/// Reads the payload of a value.
#[inline]
pub(crate) fn decode(reader: &mut Reader<'_>, kind: Kind) -> Result<Value> {
    match kind {
        Kind::Document | Kind::Array | Kind::CodeWithScope => {
            let mut builder = Builder::default();
            Decoder::new(reader, &mut builder).read(kind)?;
            Ok(builder.root)
        }
        _ => decode::leaf::<Builder<'_>>(reader, kind),
    }
}

/// Builds a value from inside out.
///
/// The contents of the innermost array and of the innermost document are at hand, each in its
/// vector, so that adding an element asks nothing; what they held before waits on the stack.
#[derive(Default)]
pub(crate) struct Builder<'b> {
    items: Vec<Value>,
    entries: Vec<(Str, Value)>,
    scope: Document,
    root: Value,
    stack: Vec<Level<'b>>,
}

/// An open container: where it belongs, and the contents that its own took the place of.
struct Level<'b> {
    place: Place<'b>,
    before: Before,
}

enum Before {
    Items(Vec<Value>),
    Entries(Vec<(Str, Value)>),
    /// The code whose variables are read.
    Code(Box<Str>),
}

impl<'b> Listener<'b> for Builder<'b> {
    const COUNTS: bool = true;
    type Kept = Value;

    #[inline]
    fn cost(kind: Kind, count: usize) -> usize {
        // Long documents have a set of their keys while they are read.
        let entry = size_of::<(Str, Value)>().saturating_add(if count > 32 { 48 } else { 0 });
        match kind {
            Kind::Array => count.saturating_mul(size_of::<Value>()),
            Kind::Document => count.saturating_mul(entry),
            Kind::CodeWithScope => count.saturating_mul(entry).saturating_add(64),
            Kind::Binary | Kind::Regex | Kind::DbPointer => 64,
            _ => 0,
        }
    }

    #[inline(always)]
    fn keep(leaf: Leaf<'b>) -> Value {
        match leaf {
            Leaf::Double(v) => Value::Double(v),
            Leaf::String(v) => Value::String(Str::new(v)),
            Leaf::Bool(v) => Value::Bool(v),
            Leaf::Null => Value::Null,
            Leaf::Int32(v) => Value::Int32(v),
            Leaf::Int64(v) => Value::Int64(v),
            rare => keep_rare(rare),
        }
    }

    #[inline]
    fn is_new(&mut self, keys: &mut Keys<'b>, key: &'b str) -> bool {
        keys.is_new_in(key.as_bytes(), &self.entries)
    }

    #[inline(always)]
    fn leaf(&mut self, place: Place<'b>, value: Value, _: Range<usize>) {
        self.attach(place, value);
    }

    fn open(&mut self, place: Place<'b>, opened: Opened<'b>) {
        let count = opened.count;
        // The count is of elements that are there, at two bytes each, so it is no mere claim.
        let before = match opened.contents {
            Contents::Items => {
                Before::Items(mem::replace(&mut self.items, Vec::with_capacity(count)))
            }
            Contents::Entries => {
                Before::Entries(mem::replace(&mut self.entries, Vec::with_capacity(count)))
            }
            Contents::Code(code) => Before::Code(Box::new(Str::new(code))),
        };
        self.stack.push(Level { place, before });
    }

    fn close(&mut self, _: usize) {
        let Some(Level { place, before }) = self.stack.pop() else { return };
        let value = match before {
            Before::Items(before) => Value::Array(Array(mem::replace(&mut self.items, before))),
            Before::Entries(before) => {
                Value::Document(Document(mem::replace(&mut self.entries, before)))
            }
            Before::Code(code) => {
                let scope = mem::take(&mut self.scope);
                Value::CodeWithScope(Box::new(CodeWithScope { code: *code, scope }))
            }
        };
        self.attach(place, value);
    }
}

impl<'b> Builder<'b> {
    #[inline(always)]
    fn attach(&mut self, place: Place<'b>, value: Value) {
        match place {
            Place::Item(_) => self.items.push(value),
            Place::Entry(key) => self.entries.push((Str::new(key), value)),
            Place::Scope => self.scope = into_document(value),
            Place::Root => self.root = value,
        }
    }
}

#[cold]
fn into_document(value: Value) -> Document {
    match value {
        Value::Document(document) => document,
        _ => Document::new(),
    }
}

#[cold]
#[inline(never)]
pub(crate) fn keep_rare(leaf: Leaf<'_>) -> Value {
    match leaf {
        Leaf::DateTime(v) => Value::DateTime(DateTime(v)),
        Leaf::Binary(subtype, bytes) => {
            Value::Binary(Box::new(Binary { subtype, bytes: bytes.to_vec() }))
        }
        Leaf::ObjectId(v) => Value::ObjectId(ObjectId(v)),
        Leaf::Regex(pattern, options) => {
            Value::Regex(Box::new(Regex { pattern: Str::new(pattern), options: Str::new(options) }))
        }
        Leaf::DbPointer(namespace, id) => {
            let (namespace, id) = (Str::new(namespace), ObjectId(id));
            Value::DbPointer(Box::new(DbPointer { namespace, id }))
        }
        Leaf::Code(v) => Value::Code(Str::new(v)),
        Leaf::Symbol(v) => Value::Symbol(Str::new(v)),
        Leaf::Timestamp(increment, time) => Value::Timestamp(Timestamp { time, increment }),
        Leaf::Decimal128(v) => Value::Decimal128(Decimal128(v)),
        Leaf::Undefined => Value::Undefined,
        Leaf::MinKey => Value::MinKey,
        Leaf::MaxKey => Value::MaxKey,
        // The common ones are kept where this is called.
        Leaf::Null
        | Leaf::Bool(_)
        | Leaf::Int32(_)
        | Leaf::Int64(_)
        | Leaf::Double(_)
        | Leaf::String(_) => Value::Null,
    }
}
