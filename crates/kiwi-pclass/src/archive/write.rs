//! The only code that makes the bytes of an archive.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use super::read::{RECORD, Record};
use super::source::Source;
use super::{Archive, MAGIC, crc};
use crate::options::Options;
use crate::write::len_u32;
use crate::{Error, ErrorKind, Result, Segment};

/// The version of new archives.
const VERSION: u32 = 2;

/// The compressed size in the table of an entry that is not compressed.
const NOT_PACKED: u32 = u32::MAX;

/// Files that the games do not compress, by what comes after the last dot.
const STORED: [&str; 2] = ["mp3", "ogg"];

/// The data of an entry as it stands in an archive.
///
/// To compress many entries on all cores, make their contents there, and
/// [insert](Builder::insert_content) them.
#[derive(Clone)]
pub struct Content<'a> {
    stored: Cow<'a, [u8]>,
    size: u32,
    is_packed: bool,
    crc: u32,
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content")
            .field("size", &self.size)
            .field("is_compressed", &self.is_packed)
            .finish_non_exhaustive()
    }
}

impl<'a> Content<'a> {
    /// The data as the games have it for this name: as it is for `.mp3` and `.ogg`, and compressed
    /// with zlib's level 9 for all others, even where that is longer.
    ///
    /// # Errors
    /// More than 2³² − 1 bytes.
    pub fn new(name: &str, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Content<'a>> {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match STORED.iter().any(|own| extension.eq_ignore_ascii_case(own)) {
            true => Content::stored(bytes),
            false => Content::compressed(&bytes.into()),
        }
    }

    /// The data as it is.
    ///
    /// # Errors
    /// More than 2³² − 1 bytes.
    pub fn stored(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Content<'a>> {
        let stored = bytes.into();
        let (size, crc) = (len_u32(stored.len())?, crc(&stored));
        Ok(Content { stored, size, is_packed: false, crc })
    }

    /// The data, compressed.
    ///
    /// # Errors
    /// More than 2³² − 1 bytes.
    pub fn compressed(bytes: &[u8]) -> Result<Content<'a>> {
        let size = len_u32(bytes.len())?;
        let level = flate2::Compression::best();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level);
        let packed = zlib.write_all(bytes).and_then(|()| zlib.finish()).map_err(Error::io)?;
        let crc = crc(&packed);
        Ok(Content { stored: Cow::Owned(packed), size, is_packed: true, crc })
    }
}

/// Makes archives: new ones, and changed ones of those that were read.
///
/// New entries are put in the order of names, in which the game's own archives have them; in an
/// archive whose names are not in order, they come last.
#[derive(Clone)]
pub struct Builder<'a> {
    version: u32,
    flags: u8,
    /// In the order of the table, then in that in which they came; `None` for those that are removed.
    entries: Vec<Option<Draft<'a>>>,
    /// The first entry of each name.
    by_name: HashMap<Cow<'a, str>, usize>,
    has_duplicates: bool,
    is_sorted: bool,
    /// Whether it is the archive that was read.
    is_unchanged: bool,
    /// The archive that was read.
    source: Source<'a>,
    options: Options,
}

#[derive(Clone)]
struct Draft<'a> {
    /// As it stands in the table.
    raw_name: Cow<'a, [u8]>,
    name: Cow<'a, str>,
    data: Data<'a>,
}

impl Draft<'_> {
    fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Clone)]
enum Data<'a> {
    Kept(Record<'a>),
    New(Content<'a>),
}

impl Data<'_> {
    fn is_packed(&self) -> bool {
        match self {
            Data::Kept(record) => record.is_packed(),
            Data::New(content) => content.is_packed,
        }
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Builder");
        shown.field("version", &self.version).field("flags", &self.flags);
        shown.field("len", &self.len()).finish_non_exhaustive()
    }
}

impl Default for Builder<'_> {
    fn default() -> Self {
        Builder::new()
    }
}

impl<'a> Builder<'a> {
    /// An archive without entries, of version 2 and without flags.
    pub fn new() -> Self {
        Builder {
            version: VERSION,
            flags: 0,
            entries: Vec::new(),
            by_name: HashMap::new(),
            has_duplicates: false,
            is_sorted: true,
            is_unchanged: false,
            source: Source::Slice(&[]),
            options: Options::new(),
        }
    }

    pub(super) fn of(archive: &Archive<'a>) -> Self {
        let records = &archive.table.records;
        let mut by_name = HashMap::with_capacity(records.len());
        for (index, record) in records.iter().enumerate() {
            by_name.entry(record.name_of_bytes()).or_insert(index);
        }
        let draft = |record: &Record<'a>| {
            let raw_name = record.raw_name.clone();
            Some(Draft { raw_name, name: record.name_of_bytes(), data: Data::Kept(record.clone()) })
        };
        Builder {
            version: archive.version(),
            flags: archive.flags().unwrap_or_default(),
            entries: records.iter().map(draft).collect(),
            has_duplicates: by_name.len() < records.len(),
            by_name,
            is_sorted: archive.by_name.is_sorted(),
            is_unchanged: true,
            source: archive.source.clone(),
            options: archive.options.clone(),
        }
    }

    /// Sets the version of the format: the games have 1 and 2.
    pub fn set_version(&mut self, version: u32) {
        self.is_unchanged &= self.version == version;
        self.version = version;
    }

    /// Sets the [flags](Archive::flags) of the archive, which are only written from version 2 on.
    pub fn set_flags(&mut self, flags: u8) {
        self.is_unchanged &= self.flags == flags;
        self.flags = flags;
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is an entry of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Puts in an entry, or replaces the one of this name. What is replaced stays compressed or not
    /// compressed, and if its content is the same, it keeps its bytes; a new entry is as
    /// [`Content::new`] says.
    ///
    /// # Errors
    /// More than 2³² − 1 bytes, or a new name that is no [path in an archive](super::is_path).
    pub fn insert(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        if !self.contains(name) && !super::is_path(name) {
            let message = "expected a path from the folder of the archive, found none";
            return Err(Error::new(ErrorKind::Data, message).inside(Segment::field(name)));
        }
        let old = self.by_name.get(name).and_then(|index| self.entries.get(*index)?.as_ref());
        let content = match old.map(|draft| &draft.data) {
            Some(Data::Kept(record)) if self.is_same(record, bytes) => return Ok(()),
            Some(old) if old.is_packed() => Content::compressed(bytes)?,
            Some(_) => Content::stored(bytes.to_vec())?,
            None => Content::new(name, bytes.to_vec())?,
        };
        self.insert_content(name, content)
    }

    fn is_same(&self, record: &Record<'_>, bytes: &[u8]) -> bool {
        usize::try_from(record.size) == Ok(bytes.len())
            && super::read::content(&self.source, record, &self.options)
                .is_ok_and(|(content, _)| *content == *bytes)
    }

    /// Puts in an entry with data that is compressed already, or replaces the one of this name, which may be
    /// one that no client opens.
    ///
    /// # Errors
    /// A name that no archive can have: one with a zero.
    pub fn insert_content(&mut self, name: &str, content: Content<'a>) -> Result<()> {
        if name.contains('\0') {
            let message = "expected a name, found one with a zero, which ends names";
            return Err(Error::new(ErrorKind::Data, message).inside(Segment::field(name)));
        }
        self.is_unchanged = false;
        let data = Data::New(content);
        let old = self.by_name.get(name).and_then(|index| self.entries.get_mut(*index)?.as_mut());
        if let Some(draft) = old {
            draft.data = data;
            return Ok(());
        }
        self.by_name.insert(Cow::Owned(name.to_owned()), self.entries.len());
        let raw_name = Cow::Owned(format!("{name}\0").into_bytes());
        let name = Cow::Owned(name.to_owned());
        self.entries.push(Some(Draft { raw_name, name, data }));
        Ok(())
    }

    /// Takes an entry out, and returns whether there was one of this name.
    pub fn remove(&mut self, name: &str) -> bool {
        let Some(index) = self.by_name.remove(name) else { return false };
        self.is_unchanged = false;
        if let Some(entry) = self.entries.get_mut(index) {
            *entry = None;
        }
        // Another one may have the same name.
        if self.has_duplicates {
            let is_next =
                |own: &Option<Draft<'_>>| own.as_ref().is_some_and(|own| own.name() == name);
            let next = self.entries.iter().enumerate().find(|(_, entry)| is_next(entry));
            if let Some((next, _)) = next {
                self.by_name.insert(Cow::Owned(name.to_owned()), next);
            }
        }
        true
    }

    /// Writes the archive into memory. See [`to_writer`](Self::to_writer).
    ///
    /// # Errors
    /// As [`to_writer`](Self::to_writer), or more than [`max_memory`](Options::max_memory) bytes of
    /// an archive that was read.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.to_writer(&mut out)?;
        Ok(out)
    }

    /// Writes the archive. Of one that was read, entries that are not replaced keep their bytes, their
    /// order and what the table says of them but the offset; if nothing is changed, it is the same
    /// bytes.
    ///
    /// # Errors
    /// Entries that were read and whose data is missing, more bytes than 32 bits can count, or an I/O
    /// error.
    pub fn to_writer<W: io::Write>(&self, mut out: W) -> Result<()> {
        if self.is_unchanged {
            return self.source.copy(out).map_err(Error::io);
        }
        let mut entries: Vec<&Draft<'a>> = self.entries.iter().flatten().collect();
        if self.is_sorted {
            entries.sort_by(|a, b| a.name().cmp(b.name()));
        }
        let (table, data) = self.layout(&entries)?;
        out.write_all(&table).map_err(Error::io)?;
        data.into_iter().try_for_each(|data| match data {
            Data::Kept(record) => out.write_all(&self.source.stored(record)?).map_err(Error::io),
            Data::New(content) => out.write_all(&content.stored).map_err(Error::io),
        })
    }

    /// The header and the table, and the data after it.
    fn layout<'s>(&'s self, entries: &[&'s Draft<'a>]) -> Result<(Vec<u8>, Vec<&'s Data<'a>>)> {
        let head = MAGIC.len().saturating_add(if self.version >= 2 { 9 } else { 8 });
        let names: usize = entries.iter().map(|draft| draft.raw_name.len()).sum();
        let start = head.saturating_add(entries.len().saturating_mul(RECORD)).saturating_add(names);
        let mut offset = start;
        let mut data = Vec::new();
        // Data that was read stays in its order, which need not be that of the table.
        let mut order: Vec<(u64, usize, &'s Draft<'a>)> = Vec::with_capacity(entries.len());
        for (index, draft) in entries.iter().enumerate() {
            let before = match &draft.data {
                Data::Kept(record) => record.offset.into(),
                Data::New(_) => u64::MAX,
            };
            order.push((before, index, *draft));
        }
        order.sort_by_key(|(before, ..)| *before);
        let mut offsets = vec![0; entries.len()];
        let mut last: Option<(Range<u64>, u32)> = None;
        for (_, index, draft) in order {
            let Some(place) = offsets.get_mut(index) else { continue };
            *place = len_u32(offset)?;
            let len = match &draft.data {
                Data::Kept(record) => {
                    // Entries that share bytes continue sharing them.
                    if let Some((_, offset)) = last.as_ref().filter(|own| own.0 == record.range()) {
                        *place = *offset;
                        continue;
                    }
                    last = Some((record.range(), *place));
                    let name = Segment::field(draft.name());
                    self.source.check(record).map_err(|error| error.inside(name))?;
                    record.stored_size() as usize
                }
                Data::New(content) => content.stored.len(),
            };
            data.push(&draft.data);
            offset = offset.saturating_add(len);
        }
        len_u32(offset)?;
        if self.source.len() > 0 && offset > self.options.limits.memory(self.source.len()) {
            return Err(Error::memory("the archive"));
        }
        let mut table = Vec::with_capacity(start);
        table.extend_from_slice(MAGIC);
        table.extend(self.version.to_le_bytes());
        table.extend(len_u32(entries.len())?.to_le_bytes());
        if self.version >= 2 {
            table.push(self.flags);
        }
        for (draft, offset) in entries.iter().zip(offsets) {
            let (size, packed_size, packed, crc) = match &draft.data {
                Data::Kept(own) => (own.size, own.packed_size, own.packed, own.crc),
                Data::New(own) if own.is_packed => {
                    (own.size, len_u32(own.stored.len())?, 1, own.crc)
                }
                Data::New(own) => (own.size, NOT_PACKED, 0, own.crc),
            };
            [offset, size, packed_size].iter().for_each(|own| table.extend(own.to_le_bytes()));
            table.push(packed);
            [crc, len_u32(draft.raw_name.len())?]
                .iter()
                .for_each(|own| table.extend(own.to_le_bytes()));
            table.extend_from_slice(&draft.raw_name);
        }
        Ok((table, data))
    }
}
