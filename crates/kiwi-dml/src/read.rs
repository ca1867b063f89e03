//! The fields in bytes: how they are read and written.

use std::borrow::Cow;

use gamewire_core::words::Count;
use kiwi_pclass::types::WString;
use kiwi_pclass::{Error, ErrorKind, Result, Value};

use crate::Kind;

/// An error at a byte: offsets of errors are in bits.
#[cold]
pub(crate) fn error_at(
    kind: ErrorKind,
    byte: usize,
    message: impl Into<Cow<'static, str>>,
) -> Error {
    Error::at(kind, byte.saturating_mul(8), message)
}

/// Code units from little-endian bytes.
fn units(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
}

/// Bytes that are taken from the front.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'de> {
    bytes: &'de [u8],
    at: usize,
}

impl<'de> Reader<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn take(&mut self, len: usize, what: &str) -> Result<&'de [u8]> {
        let rest = self.rest();
        let taken = rest.get(..len).ok_or_else(|| {
            let text = format!("expected {} of {what}, found {}", Count(len, "byte"), rest.len());
            error_at(ErrorKind::UnexpectedEof, self.at, text)
        })?;
        self.at = self.at.saturating_add(len);
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        Ok(self.take(N, what)?.first_chunk().copied().unwrap_or([0; N]))
    }

    pub(crate) fn u16(&mut self, what: &str) -> Result<u16> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// The bytes of a text, which are code units in a `WSTR`.
    pub(crate) fn text(&mut self, kind: Kind) -> Result<&'de [u8]> {
        let what = kind.name();
        let len = usize::from(self.u16("the length of a text")?);
        self.take(if kind == Kind::WStr { len.saturating_mul(2) } else { len }, what)
    }

    pub(crate) fn value(&mut self, kind: Kind) -> Result<Value> {
        let what = kind.name();
        Ok(match kind {
            Kind::Byt => i8::from_le_bytes(self.array(what)?).into(),
            Kind::UByt => u8::from_le_bytes(self.array(what)?).into(),
            Kind::Shrt => i16::from_le_bytes(self.array(what)?).into(),
            Kind::UShrt => u16::from_le_bytes(self.array(what)?).into(),
            Kind::Int => i32::from_le_bytes(self.array(what)?).into(),
            Kind::UInt => u32::from_le_bytes(self.array(what)?).into(),
            Kind::Gid => u64::from_le_bytes(self.array(what)?).into(),
            Kind::Flt => f32::from_le_bytes(self.array(what)?).into(),
            Kind::Dbl => f64::from_le_bytes(self.array(what)?).into(),
            Kind::Str => self.text(kind)?.into(),
            Kind::WStr => Value::WString(WString::new(units(self.text(kind)?))),
        })
    }

    /// Checks that everything was taken.
    pub(crate) fn end(&self, after: &str) -> Result<()> {
        match self.rest().len() {
            0 => Ok(()),
            len => {
                let more = Count(len, "more byte");
                let text = format!("expected the end after {after}, found {more}");
                Err(error_at(ErrorKind::TrailingBytes, self.at, text))
            }
        }
    }
}

/// Writes what a field of this kind [holds](Kind::hold).
pub(crate) fn put(out: &mut Vec<u8>, kind: Kind, value: &Value) -> Result<()> {
    match value {
        Value::Float(float) => out.extend_from_slice(&float.to_le_bytes()),
        Value::Double(double) => out.extend_from_slice(&double.to_le_bytes()),
        Value::String(text) => {
            put_len(out, text.len(), "bytes")?;
            out.extend_from_slice(text);
        }
        Value::WString(text) => {
            put_len(out, text.len(), "code units")?;
            text.iter().for_each(|unit| out.extend_from_slice(&unit.to_le_bytes()));
        }
        // Of a number that fits, the low bytes are the number.
        _ => {
            let bits =
                value.as_i64().map(i64::cast_unsigned).or(value.as_u64()).unwrap_or_default();
            out.extend_from_slice(bits.to_le_bytes().get(..kind.min_size()).unwrap_or_default());
        }
    }
    Ok(())
}

pub(crate) fn put_len(out: &mut Vec<u8>, len: usize, what: &str) -> Result<()> {
    let len = u16::try_from(len).map_err(|_| {
        let text = format!("expected a text of up to 65535 {what}, found {len}");
        Error::new(ErrorKind::NumberRange, text)
    })?;
    out.extend_from_slice(&len.to_le_bytes());
    Ok(())
}
