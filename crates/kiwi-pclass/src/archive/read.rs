//! The only code that touches the bytes of an archive.

use std::borrow::Cow;

use super::source::Source;
use super::{MAGIC, crc, wrong_crc};
use crate::bits::BitReader;
use crate::error::Count;
use crate::options::Options;
use crate::read::{inflate, trailing};
use crate::{Error, ErrorKind, Result};

/// Bytes of an entry in the table, less its name.
pub(crate) const RECORD: usize = 21;

/// Entries that room is made for before they are read.
const AHEAD: usize = 16 << 10;

/// The header and the table.
#[derive(Clone)]
pub(crate) struct Table<'a> {
    pub(crate) version: u32,
    pub(crate) flags: Option<u8>,
    pub(crate) records: Vec<Record<'a>>,
    /// The byte after the table.
    pub(crate) end: usize,
}

/// An entry of the table.
#[derive(Clone)]
pub(crate) struct Record<'a> {
    pub(crate) offset: u32,
    pub(crate) size: u32,
    /// Has all bits set where an entry is not compressed.
    pub(crate) packed_size: u32,
    pub(crate) packed: u8,
    pub(crate) crc: u32,
    /// As it stands there, with the zeros at its end.
    pub(crate) raw_name: Cow<'a, [u8]>,
    /// The name as text, where it is none as it stands there.
    escaped: Option<Box<str>>,
}

impl<'a> Record<'a> {
    pub(crate) fn name(&self) -> &str {
        self.escaped.as_deref().unwrap_or_else(|| text_of(&self.raw_name))
    }

    pub(crate) fn is_text(&self) -> bool {
        self.escaped.is_none()
    }

    /// The same for as long as the archive's bytes.
    pub(crate) fn name_of_bytes(&self) -> Cow<'a, str> {
        match &self.raw_name {
            Cow::Borrowed(raw) if self.is_text() => Cow::Borrowed(text_of(raw)),
            _ => Cow::Owned(self.name().to_owned()),
        }
    }

    /// The same without the archive's bytes.
    fn into_owned<'o>(self) -> Record<'o> {
        let Record { offset, size, packed_size, packed, crc, raw_name, escaped } = self;
        let raw_name = Cow::Owned(raw_name.into_owned());
        Record { offset, size, packed_size, packed, crc, raw_name, escaped }
    }

    pub(crate) fn is_packed(&self) -> bool {
        self.packed != 0
    }

    /// Bytes in the archive.
    pub(crate) fn stored_size(&self) -> u32 {
        if self.is_packed() { self.packed_size } else { self.size }
    }

    /// The range of the data, which may reach past the end of the archive.
    pub(crate) fn range(&self) -> std::ops::Range<u64> {
        let start = u64::from(self.offset);
        start..start.saturating_add(self.stored_size().into())
    }
}

impl<'a> Table<'a> {
    pub(crate) fn record(&self, index: usize) -> Option<&Record<'a>> {
        self.records.get(index)
    }

    /// The first entry with which the compressed ones inflate to more than `most` bytes: what each says, and no more
    /// than deflate makes of its data.
    pub(super) fn beyond(&self, source: &Source<'_>, most: usize) -> usize {
        let size = |own: &Record<'_>| {
            let is_here = own.is_packed() && source.check(own).is_ok();
            let possible = (own.packed_size as usize).saturating_mul(1032).saturating_add(64);
            if is_here { possible.min(own.size as usize) } else { 0 }
        };
        let mut left = most;
        let within = self.records.iter().map_while(|own| {
            left = left.checked_sub(size(own))?;
            Some(())
        });
        within.count()
    }

    /// The table of an archive.
    pub(super) fn of(source: &Source<'a>, options: &Options) -> Result<Self> {
        match source.head(options)? {
            Cow::Borrowed(bytes) => Table::read(bytes, source.len(), options),
            Cow::Owned(head) => {
                let Table { version, flags, records, end } =
                    Table::read(&head, source.len(), options)?;
                let records = records.into_iter().map(Record::into_owned).collect();
                Ok(Table { version, flags, records, end })
            }
        }
    }

    /// Reads the table of an archive of `len` bytes, which begins with `bytes`.
    pub(crate) fn read(bytes: &'a [u8], len: usize, options: &Options) -> Result<Self> {
        let mut reader = BitReader::new(bytes);
        let head = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if head != MAGIC {
            let is_cut = MAGIC.starts_with(head);
            let kind = if is_cut { ErrorKind::UnexpectedEof } else { ErrorKind::Frame };
            let message = format!("expected the magic `KIWAD`, found `{}`", head.escape_ascii());
            return Err(Error::at(kind, 0, message));
        }
        reader.take(MAGIC.len())?;
        let version = reader.u32()?;
        let at = reader.position();
        let count = reader.u32()? as usize;
        // All readers of the format take later versions for ones like version 2.
        let flags = if version >= 2 { Some(reader.u8()?) } else { None };
        let left = reader.remaining() >> 3;
        if count.saturating_mul(RECORD) > left {
            let (count, left) = (Count(count, "entry"), Count(left, "byte"));
            let message = format!("expected {count} of {RECORD} bytes and more, found {left}");
            return Err(Error::at(ErrorKind::UnexpectedEof, at, message));
        }
        let each = size_of::<Record<'_>>().saturating_add(size_of::<u32>());
        if count.saturating_mul(each) > options.limits.memory(len) {
            return Err(Error::memory("the table").or_at(at));
        }
        let mut records = Vec::with_capacity(count.min(AHEAD));
        for _ in 0..count {
            records.push(Record::read(&mut reader)?);
        }
        Ok(Table { version, flags, records, end: reader.position() >> 3 })
    }
}

impl<'a> Record<'a> {
    fn read(reader: &mut BitReader<'a>) -> Result<Self> {
        let [offset, size, packed_size] = [reader.u32()?, reader.u32()?, reader.u32()?];
        let packed = reader.u8()?;
        let crc = reader.u32()?;
        let len = reader.u32()? as usize;
        let raw_name = reader.take(len)?;
        // One odd name does not spoil the archive.
        let escaped = std::str::from_utf8(raw_name).is_err().then(|| {
            let end = raw_name
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |last| last.saturating_add(1));
            let mut name = String::new();
            for chunk in raw_name.get(..end).unwrap_or(raw_name).utf8_chunks() {
                name.push_str(chunk.valid());
                name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
            }
            name.into()
        });
        let raw_name = Cow::Borrowed(raw_name);
        Ok(Record { offset, size, packed_size, packed, crc, raw_name, escaped })
    }
}

/// A name without the zeros at its end.
fn text_of(raw_name: &[u8]) -> &str {
    let name = std::str::from_utf8(raw_name);
    debug_assert!(name.is_ok(), "a name that is no text is escaped");
    name.map_or("", |name| name.trim_end_matches('\0'))
}

/// The content of an entry, and how many bytes stand after its compressed data, which other readers do not look
/// at either.
pub(crate) fn content<'a>(
    source: &Source<'a>,
    record: &Record<'_>,
    options: &Options,
) -> Result<(Cow<'a, [u8]>, usize)> {
    let stored = source.stored(record)?;
    let start = record.offset as usize;
    let found = crc(&stored);
    if found != record.crc && !options.ignore_checksums {
        let is_zero = !stored.is_empty() && stored.iter().all(|byte| *byte == 0);
        return Err(wrong_crc(start, record, found, is_zero));
    }
    if !record.is_packed() {
        return Ok((stored, 0));
    }
    let (inflated, used, fault) =
        inflate(&stored, record.size, start, options, options.limits.memory(source.len()));
    match (fault, stored.len().saturating_sub(used)) {
        (Some(fault), _) => Err(fault),
        (None, left) if left > 0 && options.strict => {
            Err(trailing(start.saturating_add(used), left))
        }
        (None, left) => Ok((Cow::Owned(inflated), left)),
    }
}
