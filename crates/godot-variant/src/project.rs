//! `project.binary`: the settings of an exported project, as every exported `.pck` holds them.
//!
//! ```text
//! "ECFG"  u32 count  then per setting:
//! u32 length of the name, the name (UTF-8, no padding), u32 length of the variant, the variant
//! ```
//!
//! Input actions hold whole `InputEvent` objects, so objects are always allowed here.

use std::borrow::Borrow;

use crate::error::{Count, Error, ErrorKind, Result};
use crate::read::Reader;
use crate::wrapped::FileKind;
use crate::{Options, Value, value};

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"ECFG";

/// The settings, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Names such as `application/config/name`, and their values.
    pub entries: Vec<(String, Value)>,
}

impl ProjectSettings {
    /// Reads a `project.binary`.
    ///
    /// # Errors
    /// A wrong magic, lengths that do not fit, malformed variants, or bytes after the last setting.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        Self::from_slice_with(bytes, &Options::new())
    }

    /// Reads a `project.binary` with options for the variants; objects are allowed in any case.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_with(bytes: &[u8], options: &Options) -> Result<Self> {
        let options = options.clone().allow_objects(true);
        let mut reader = Reader::new(bytes, options.clone());
        magic(&mut reader)?;
        let count = reader.u32(COUNT)?;
        let mut memory = options.limits.memory(bytes.len());
        let mut entries = Vec::new();
        for _ in 0..count {
            let (name, name_at) = part(&mut reader, NAME)?;
            let name = text(name, name_at)?;
            let (variant, at) = part(&mut reader, SETTING)?;
            let mut setting = Reader::new(variant, options.clone().max_memory(memory));
            let value = value::decode(&mut setting, 0)
                .and_then(|value| setting.end().map(|()| value))
                .map_err(|error| error.or_at(0).shifted(at).inside(name))?;
            memory = setting.memory();
            entries.push((name.to_owned(), value));
        }
        end(&mut reader, count)?;
        Ok(ProjectSettings { entries })
    }

    /// Writes a `project.binary`.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Options::new())
    }

    /// Writes a `project.binary` with options for the variants; objects are allowed in any case.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn to_vec_with(&self, options: &Options) -> Result<Vec<u8>> {
        Self::write_entries(self.entries.iter().map(|(name, value)| (name, value)), options)
    }

    /// Writes a `project.binary` of entries that are made one by one.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn write_entries<N: AsRef<str>, V: Borrow<Value>>(
        entries: impl ExactSizeIterator<Item = (N, V)>,
        options: &Options,
    ) -> Result<Vec<u8>> {
        let options = options.clone().allow_objects(true);
        let mut out = MAGIC.to_vec();
        put_length(&mut out, entries.len())?;
        for (name, value) in entries {
            let (name, value) = (name.as_ref(), value.borrow());
            put_length(&mut out, name.len())?;
            out.extend_from_slice(name.as_bytes());
            let variant = options.value_to_vec(value).map_err(|error| error.inside(name))?;
            put_length(&mut out, variant.len())?;
            out.extend_from_slice(&variant);
        }
        Ok(out)
    }

    /// The value of a setting.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The value of a setting, to change.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.entries.iter_mut().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

fn put_length(out: &mut Vec<u8>, len: usize) -> Result<()> {
    out.extend_from_slice(&crate::write::length(len)?.to_le_bytes());
    Ok(())
}

pub(crate) const COUNT: &str = "a count of settings";
pub(crate) const NAME: &str = "the name of a setting";
pub(crate) const SETTING: &str = "a setting";

pub(crate) fn magic(reader: &mut Reader<'_>) -> Result<()> {
    if reader.rest().first_chunk() != Some(&MAGIC) {
        let text = match FileKind::of(reader.rest()) {
            Some(kind) => format!("expected ECFG, found {kind}"),
            None => "expected ECFG, found something else".to_owned(),
        };
        return Err(Error::at(ErrorKind::Frame, 0, text));
    }
    reader.take(4, "ECFG").map(drop)
}

pub(crate) fn length(reader: &mut Reader<'_>) -> Result<usize> {
    reader.u32("a length").map(|len| len as usize)
}

/// A length and that many bytes, and where they start.
fn part<'a>(reader: &mut Reader<'a>, what: &'static str) -> Result<(&'a [u8], usize)> {
    let len = length(reader)?;
    let at = reader.offset();
    Ok((reader.take(len, what)?, at))
}

/// The name of a setting, which starts at `at`.
pub(crate) fn text(name: &[u8], at: usize) -> Result<&str> {
    std::str::from_utf8(name).map_err(|error| Error::invalid_utf8(name, at, error))
}

pub(crate) fn end(reader: &mut Reader<'_>, count: u32) -> Result<()> {
    match reader.rest().len() {
        0 => Ok(()),
        left => Err(Error::at(
            ErrorKind::TrailingBytes,
            reader.offset(),
            format!(
                "expected the end after {}, found {} more",
                Count(count, "setting"),
                Count(left, "byte")
            ),
        )),
    }
}
