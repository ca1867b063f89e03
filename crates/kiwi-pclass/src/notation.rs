//! The parts that the JSON notation and the XML form share.

use std::sync::Arc;

use crate::error::Shortened;
use crate::schema::{Class, Kind, Property};
use crate::value::{Field, Object};
use crate::{Error, ErrorKind, Mode, Options, Result, Schema, Value};

/// Options and schema for objects that are read from text.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) options: &'a Options,
    schema: &'a Schema,
}

impl<'a> Terms<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Self> {
        match options.schema.as_deref() {
            Some(schema) => Ok(Terms { options, schema }),
            None => Err(Error::new(ErrorKind::Schema, "reading objects from text takes a schema")),
        }
    }

    pub(crate) fn check_depth(&self, depth: usize) -> Result<()> {
        check_depth(depth, self.options)
    }

    pub(crate) fn class(&self, name: &str) -> Result<&'a Arc<Class>> {
        let class = self.schema.class(name);
        let class = class.or_else(|| self.schema.class_by_hash(hash(name)?));
        class.ok_or_else(|| {
            let message = format!("the schema has no `{}`", Shortened(name));
            Error::new(ErrorKind::UnknownClass, message)
        })
    }

    /// Whether deep mode writes a property only because it was there.
    pub(crate) fn is_kept(&self, property: &Property) -> bool {
        self.options.mode == Mode::Deep
            && (property.is_deprecated() || !property.is_selected(self.options.mask))
    }
}

/// Bytes of memory that may still be taken for what is read.
pub(crate) struct Budget(usize);

impl Budget {
    pub(crate) fn new(memory: usize) -> Self {
        Budget(memory)
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Result<()> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| Error::memory("the value"))?;
        Ok(())
    }

    /// For a value in its container.
    pub(crate) fn take_for(&mut self, value: &Value) -> Result<()> {
        let more = match value {
            Value::String(text) => text.as_bytes().len(),
            Value::WString(text) => text.units().len().saturating_mul(2),
            Value::Raw(raw) => raw.bits.as_bytes().len(),
            Value::Bits(bits) => bits.as_bytes().len(),
            Value::Object(_) => size_of::<Object>(),
            _ => 0,
        };
        self.take(size_of::<Field>().saturating_add(more))
    }
}

/// That this many objects and lists may be around a place.
pub(crate) fn check_depth(depth: usize, options: &Options) -> Result<()> {
    let limit = options.limits.max_depth;
    if depth <= limit {
        return Ok(());
    }
    let message = format!("nested deeper than max_depth, which is {limit}");
    Err(Error::new(ErrorKind::DepthLimit, message))
}

/// Lists as the decoder keeps them.
pub(crate) fn compact(kind: &Kind, values: Vec<Value>) -> Result<Value> {
    Ok(match kind {
        Kind::Bool => {
            Value::Bools(values.iter().map(|value| value.as_bool().unwrap_or(false)).collect())
        }
        Kind::Bits { width: 1..=7, .. } => {
            let small = values.iter().enumerate().map(|(index, value)| {
                value.as_i64().and_then(|value| i8::try_from(value).ok()).ok_or_else(|| {
                    let message = format!("{value:?} has too many bits");
                    Error::new(ErrorKind::NumberRange, message).inside(index)
                })
            });
            Value::SmallInts(small.collect::<Result<_>>()?)
        }
        _ => Value::List(values.into()),
    })
}

/// `0x1234abcd`
pub(crate) fn hash(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'))?;
    u32::from_str_radix(digits, 16).ok()
}
