//! [KIWAD archives](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#archives): `Root.wad` and the other `.wad` files of the games.
//!
//! | part | content |
//! |---|---|
//! | header | `KIWAD`, the version, the number of entries; from version 2 on a byte of flags |
//! | table | of each entry: offset, both sizes, whether it is compressed, a checksum, the name |
//! | data | each entry as zlib data or as it is |
//!
//! ```
//! use kiwi_pclass::archive::{Archive, Builder};
//!
//! let mut builder = Builder::new();
//! builder.insert("ObjectData/Spell.xml", b"BINd...")?;
//! builder.insert("Music/Theme.ogg", b"OggS...")?;
//! let file = builder.to_vec()?;
//!
//! let archive = Archive::from_slice(&file)?;
//! assert_eq!(archive.file_names().collect::<Vec<_>>(), ["Music/Theme.ogg", "ObjectData/Spell.xml"]);
//! let spell = archive.by_name("ObjectData/Spell.xml").unwrap();
//! assert_eq!(&*spell.read()?, b"BINd...");
//! assert!(archive.verify().is_empty());
//!
//! // What is not replaced keeps its bytes, compressed as they are.
//! let mut builder = archive.to_builder();
//! builder.insert("ObjectData/Spell.xml", b"BINd changed")?;
//! assert_ne!(builder.to_vec()?, file);
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```
//!
//! [`Archive::from_slice`] reads the table alone; the data of an entry is looked at when it is
//! [read](Entry::read). [`Archive::from_file`] does the same of a file, of which only the table is in memory.
//! An archive is `Sync`, so that all cores can read entries of it.

pub(crate) mod read;
pub(crate) mod source;
pub(crate) mod verify;
mod write;

use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Seek};

use self::read::{Record, Table};
use self::source::Source;
use crate::options::Options;
use crate::{Error, ErrorKind, Result, Segment};

#[cfg(feature = "explain")]
pub use crate::explain::archive::explain;
pub use verify::Problem;
pub use write::{Builder, Content};

/// The first bytes of an archive.
pub(crate) const MAGIC: &[u8; 5] = b"KIWAD";

/// The names of the games' files that hold an object and no magic before it: of each zone, its data and the
/// nodes of its paths. Their objects are deep, with no serializer flags.
pub const BARE_OBJECTS: [&str; 2] = ["gamedata.bin", "pathNodeData.bin"];

/// Whether a file, by its name or its path, is one of [`BARE_OBJECTS`].
///
/// ```
/// assert!(kiwi_pclass::archive::is_bare_object("WizardCity-WC_Hub/gamedata.bin"));
/// assert!(!kiwi_pclass::archive::is_bare_object("triggers.xml"));
/// ```
pub fn is_bare_object(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    BARE_OBJECTS.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// An archive in memory or in a file, whose table has been read.
#[derive(Clone)]
pub struct Archive<'a> {
    source: Source<'a>,
    table: Table<'a>,
    /// The entries in the order of their names, the first of equal ones first.
    by_name: Vec<u32>,
    /// The entries that begin inside of another one or of the table, each with that one, in their order.
    shared: Vec<(usize, Option<usize>)>,
    /// The first entry that has more than all together may have, with those before it.
    beyond: usize,
    options: Options,
}

impl fmt::Debug for Archive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Archive");
        shown.field("version", &self.version()).field("flags", &self.flags());
        shown.field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<'a> Archive<'a> {
    /// Reads the table of an archive.
    ///
    /// # Errors
    /// No magic, or a table that is cut off. What an entry says of itself is checked when it is read.
    pub fn from_slice(bytes: &'a [u8]) -> Result<Archive<'a>> {
        Archive::from_slice_with(bytes, &Options::new())
    }

    /// Reads the table of an archive, whose entries have at most [`max_output`](Options::max_output)
    /// bytes each, and together at most that or 64 bytes for each byte of the archive, whichever is more.
    /// The table counts as memory ([`max_memory`](Options::max_memory)).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_with(bytes: &'a [u8], options: &Options) -> Result<Archive<'a>> {
        Archive::of(Source::Slice(bytes), options)
    }

    /// Reads the table of an archive in a file, or in what is like one. The data of an entry is read from there
    /// when it is asked for, by one thread at a time; it is inflated on all of them.
    ///
    /// ```
    /// use kiwi_pclass::archive::{Archive, Builder};
    ///
    /// # let mut builder = Builder::new();
    /// # builder.insert("ObjectData/Spell.xml", b"BINd...")?;
    /// # let file = std::io::Cursor::new(builder.to_vec()?);
    /// // let file = std::fs::File::open("Root.wad")?;
    /// let archive = Archive::from_file(file, &Default::default())?;
    /// assert_eq!(&*archive.by_name("ObjectData/Spell.xml").unwrap().read()?, b"BINd...");
    /// # Ok::<(), kiwi_pclass::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), and I/O errors.
    pub fn from_file(
        file: impl Read + Seek + Send + 'static,
        options: &Options,
    ) -> Result<Archive<'a>> {
        Archive::of(Source::file(file)?, options)
    }

    fn of(source: Source<'a>, options: &Options) -> Result<Archive<'a>> {
        let table = Table::of(&source, options)?;
        let mut by_name: Vec<u32> = (0..).take(table.records.len()).collect();
        let name = |index: &u32| table.record(*index as usize).map(Record::name);
        // The game's own are in this order already.
        by_name.sort_by(|a, b| name(a).cmp(&name(b)));
        let overlaps = table.overlaps(&source).into_iter();
        let mut shared: Vec<_> = overlaps.map(|(around, own)| (own, around)).collect();
        shared.sort_unstable();
        let beyond = table.beyond(&source, most_together(&source, options));
        Ok(Archive { source, table, by_name, shared, beyond, options: options.clone() })
    }

    /// Whether bytes begin as an archive does.
    pub fn is_archive(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The version of the format: 1 or 2 in the games' files.
    pub fn version(&self) -> u32 {
        self.table.version
    }

    /// The flags of the archive, which version 1 does not have. Bit 0: the game maps the file into
    /// memory; bit 1: it reads ahead.
    pub fn flags(&self) -> Option<u8> {
        self.table.flags
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.table.records.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries in the order of the table.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_, 'a>> {
        let records = self.table.records.iter().enumerate();
        records.map(|(index, record)| Entry { archive: self, index, record })
    }

    /// The names in the order of the table.
    pub fn file_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.table.records.iter().map(Record::name)
    }

    /// An entry by its place in the table.
    pub fn by_index(&self, index: usize) -> Option<Entry<'_, 'a>> {
        Some(Entry { archive: self, index, record: self.table.record(index)? })
    }

    /// An entry by its name, as it is spelled in the table. Of several, the first. Takes a few
    /// comparisons, whatever the number of entries is.
    pub fn by_name(&self, name: &str) -> Option<Entry<'_, 'a>> {
        let own = |index: &u32| self.table.record(*index as usize).map(Record::name);
        let at = self.by_name.partition_point(|index| own(index) < Some(name));
        let found = self.by_index(*self.by_name.get(at)? as usize)?;
        (found.name() == name).then_some(found)
    }

    /// A builder of the same archive, to replace, add and remove entries.
    pub fn to_builder(&self) -> Builder<'a> {
        Builder::of(self)
    }
}

/// A file in an archive.
#[derive(Clone, Copy)]
pub struct Entry<'b, 'a> {
    archive: &'b Archive<'a>,
    index: usize,
    record: &'b Record<'a>,
}

impl fmt::Debug for Entry<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name())
            .field("size", &self.size())
            .field("compressed_size", &self.compressed_size())
            .finish_non_exhaustive()
    }
}

impl<'b, 'a> Entry<'b, 'a> {
    /// The name, a path with `/`. It is whatever the file says: `..`, a path from the root and
    /// control characters included, so that it is no path to write to as it is. Bytes that are no UTF-8 are
    /// spelled `\xff`; a [`Builder`] keeps them.
    pub fn name(&self) -> &'b str {
        self.record.name()
    }

    /// The place in the table.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Bytes of the content.
    pub fn size(&self) -> u32 {
        self.record.size
    }

    /// Bytes in the archive, if the entry is compressed.
    pub fn compressed_size(&self) -> Option<u32> {
        self.is_compressed().then_some(self.record.packed_size)
    }

    /// Whether the entry is compressed.
    pub fn is_compressed(&self) -> bool {
        self.record.is_packed()
    }

    /// The checksum of the bytes in the archive, as the table has it; [`crc`] has the rule.
    pub fn crc32(&self) -> u32 {
        self.record.crc
    }

    /// Where the data begins in the archive, in bytes.
    pub fn offset(&self) -> u32 {
        self.record.offset
    }

    /// The bytes in the archive, compressed if the entry is; not compared with the checksum.
    ///
    /// # Errors
    /// Data past the end of the archive or inside of another entry, or an I/O error.
    pub fn stored(&self) -> Result<Cow<'a, [u8]>> {
        self.must_be_own()?;
        self.archive.source.stored(self.record).map_err(|error| self.inside(error))
    }

    /// The content: a part of the archive, or what that inflates to.
    ///
    /// # Errors
    /// Data past the end of the archive or inside of another entry, a wrong checksum
    /// ([`ignore_checksums`](Options::ignore_checksums)), malformed zlib data, another size than the
    /// table says, more than [`max_output`](Options::max_output) bytes by itself, more than
    /// [all together](Archive::from_slice_with) may have with those before it, an I/O error.
    pub fn read(&self) -> Result<Cow<'a, [u8]>> {
        self.read_and_rest().map(|(content, _)| content)
    }

    /// The same, and how many bytes stand after the compressed data, which nothing reads. With
    /// [`strict`](Options::strict) they are an error.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_and_rest(&self) -> Result<(Cow<'a, [u8]>, usize)> {
        let Archive { source, options, beyond, .. } = self.archive;
        self.must_be_own()?;
        source.check(self.record).map_err(|error| self.inside(error))?;
        if self.index >= *beyond {
            let most = most_together(source, options);
            let message = format!("the entries up to this one have more than {most} bytes");
            let at = self.record.offset as usize;
            return Err(self.inside(Error::at_byte(ErrorKind::OutputLimit, at, message)));
        }
        read::content(source, self.record, options).map_err(|error| self.inside(error))
    }

    /// Whether the entry is marked as compressed and its data is none of zlib, as of some sound files that other
    /// programs packed: [`stored`](Self::stored) is the content then.
    pub fn is_falsely_compressed(&self) -> bool {
        let head =
            |stored: Cow<'_, [u8]>| stored.first_chunk().map(|head| u16::from_be_bytes(*head));
        // RFC 1950: the method is 8, and both bytes are a multiple of 31.
        let is_zlib = |head: u16| head & 0x0f00 == 0x0800 && head.is_multiple_of(31);
        self.is_compressed()
            && !self.is_unpatched()
            && self.stored().is_ok_and(|stored| !head(stored).is_some_and(is_zlib))
    }

    /// Whether the archive has room for the data and not the data: zeros that the game's patcher
    /// replaces when the file is needed.
    pub fn is_unpatched(&self) -> bool {
        self.archive.source.is_unpatched(self.record)
    }

    /// Refuses data that is that of another entry: few bytes could be any number of entries.
    fn must_be_own(&self) -> Result<()> {
        let shared = &self.archive.shared;
        let found = shared.binary_search_by_key(&self.index, |(own, _)| *own);
        match found.ok().and_then(|at| shared.get(at)) {
            Some((own, around)) => Err(verify::shared(&self.archive.table, *around, *own)
                .unwrap_or_else(|| {
                    debug_assert!(false, "an entry that the table does not have");
                    Error::at_byte(ErrorKind::Data, 0, "there is no such entry".to_owned())
                })),
            None => Ok(()),
        }
    }

    fn inside(&self, error: Error) -> Error {
        error.inside(Segment::field(self.name()))
    }
}

/// Whether a name is the path of a file in an archive, which clients look for: not empty, not from a root, and
/// without `..` and zeros.
///
/// ```
/// assert!(kiwi_pclass::archive::is_path("ObjectData/Spell.xml"));
/// assert!(!kiwi_pclass::archive::is_path("../Spell.xml"));
/// ```
pub fn is_path(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    let is_rooted = name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':');
    !name.is_empty() && !is_rooted && !name.contains('\0') && parts.all(|part| part != "..")
}

/// The bytes that all entries may have together.
fn most_together(source: &Source<'_>, options: &Options) -> usize {
    options.limits.max_output.max(source.len().saturating_mul(64))
}

/// The checksum of an entry: CRC-32 with the polynomial of zlib, that begins with 0 and is not
/// inverted, over the bytes as they stand in the archive.
///
/// ```
/// assert_eq!(kiwi_pclass::archive::crc(b"123456789"), 0x2dfd_2d88);
/// ```
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    // zlib's begins with all bits set, which these bytes turn into 0.
    crc.update(&[0xff; 4]);
    crc.update(bytes);
    !crc.sum()
}

/// An entry that is not what its checksum says.
#[cold]
fn wrong_crc(offset: usize, record: &Record<'_>, found: u32, is_unpatched: bool) -> Error {
    let message = match is_unpatched {
        true => "expected data, found only the zeros that the game's patcher replaces".to_owned(),
        false => {
            format!("expected data with the checksum {:#010x}, found {found:#010x}", record.crc)
        }
    };
    Error::at_byte(ErrorKind::Checksum, offset, message)
}
