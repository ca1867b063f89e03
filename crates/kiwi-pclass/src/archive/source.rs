//! Where the bytes of an archive are: in memory, or in a file that is read piece by piece.

use std::borrow::Cow;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_core::bytes::part;

use super::MAGIC;
use super::read::{RECORD, Record};
use crate::error::Count;
use crate::options::Options;
use crate::{Error, ErrorKind, Result};

/// Bytes that are looked at together.
const PIECE: usize = 4 << 10;

/// A file, or what is like one.
pub(crate) trait ReadSeek: Read + Seek + Send {}

impl<R: Read + Seek + Send> ReadSeek for R {}

#[derive(Clone)]
pub(crate) enum Source<'a> {
    Slice(&'a [u8]),
    /// One thread at a time reads; its length.
    File(Arc<Mutex<dyn ReadSeek>>, u64),
}

type Guard<'s> = MutexGuard<'s, dyn ReadSeek + 'static>;

impl<'a> Source<'a> {
    pub(super) fn file(mut reader: impl Read + Seek + Send + 'static) -> Result<Self> {
        let len = reader.seek(SeekFrom::End(0)).map_err(Error::io)?;
        Ok(Source::File(Arc::new(Mutex::new(reader)), len))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Source::Slice(bytes) => bytes.len(),
            Source::File(_, len) => usize::try_from(*len).unwrap_or(usize::MAX),
        }
    }

    /// The header and the table, as far as they are present, and perhaps what comes after them.
    pub(super) fn head(&self, options: &Options) -> Result<Cow<'a, [u8]>> {
        let file = match self {
            Source::Slice(bytes) => return Ok(Cow::Borrowed(bytes)),
            Source::File(file, _) => file,
        };
        let mut file = BufReader::new(Take { file: at(file, 0).map_err(Error::io)? });
        let mut head = Vec::new();
        let mut take = |len: usize, head: &mut Vec<u8>| {
            let len = u64::try_from(len).unwrap_or(u64::MAX);
            file.by_ref().take(len).read_to_end(head).map_err(Error::io)
        };
        // The magic, the version, the number of entries.
        take(MAGIC.len().saturating_add(8), &mut head)?;
        let word = |at: usize, head: &[u8]| {
            let word = head.get(at..).and_then(<[u8]>::first_chunk);
            word.map_or(0, |word| u32::from_le_bytes(*word))
        };
        if !head.starts_with(MAGIC) {
            return Ok(Cow::Owned(head));
        }
        let (version, count) =
            (word(MAGIC.len(), &head), word(MAGIC.len().saturating_add(4), &head));
        take(usize::from(version >= 2), &mut head)?;
        let most = options.limits.memory(self.len());
        for _ in 0..count {
            let start = head.len();
            if take(RECORD, &mut head)? < RECORD {
                break;
            }
            let name = word(start.saturating_add(RECORD).saturating_sub(4), &head) as usize;
            if head.len().saturating_add(name.min(self.len())) > most {
                return Err(Error::memory("the table"));
            }
            if take(name, &mut head)? < name {
                break;
            }
        }
        Ok(Cow::Owned(head))
    }

    /// Refuses an entry whose data reaches past the end.
    pub(super) fn check(&self, record: &Record<'_>) -> Result<()> {
        let (start, len) = (record.offset as usize, record.stored_size() as usize);
        let rest = self.len().saturating_sub(start);
        if len <= rest && start <= self.len() {
            return Ok(());
        }
        let (len, found) = (Count(len, "byte"), Count(rest, "byte"));
        let message = format!("expected {len} of data, found {found}");
        Err(Error::at_byte(ErrorKind::UnexpectedEof, start, message))
    }

    /// The bytes of an entry as they stand in the archive.
    pub(crate) fn stored(&self, record: &Record<'_>) -> Result<Cow<'a, [u8]>> {
        self.check(record)?;
        let (start, len) = (record.offset as usize, record.stored_size() as usize);
        match self {
            Source::Slice(bytes) => {
                Ok(Cow::Borrowed(part(bytes, start..start.saturating_add(len))))
            }
            Source::File(file, _) => {
                let mut stored = vec![0; len];
                let mut file = at(file, record.offset.into()).map_err(Error::io)?;
                file.read_exact(&mut stored).map_err(Error::io)?;
                Ok(Cow::Owned(stored))
            }
        }
    }

    /// Whether there are zeros in the place of the data.
    pub(crate) fn is_unpatched(&self, record: &Record<'_>) -> bool {
        // The checksum of zeros is 0.
        if record.crc == 0 || record.stored_size() == 0 || self.check(record).is_err() {
            return false;
        }
        let is_zero = |piece: &[u8]| piece.iter().all(|byte| *byte == 0);
        let Source::File(file, _) = self else {
            return self.stored(record).is_ok_and(|stored| is_zero(&stored));
        };
        let Ok(mut file) = at(file, record.offset.into()) else { return false };
        let mut piece = [0; PIECE];
        let mut left = record.stored_size() as usize;
        while left > 0 {
            let Some(piece) = piece.get_mut(..left.min(PIECE)) else { return false };
            if file.read_exact(piece).is_err() || !is_zero(piece) {
                return false;
            }
            left = left.saturating_sub(piece.len());
        }
        true
    }

    /// Writes all of the archive.
    pub(super) fn copy(&self, mut out: impl Write) -> io::Result<()> {
        match self {
            Source::Slice(bytes) => out.write_all(bytes),
            Source::File(file, _) => {
                let file = at(file, 0)?;
                io::copy(&mut Take { file }, &mut out).map(drop)
            }
        }
    }
}

/// The file from a place on, locked.
fn at(file: &Mutex<dyn ReadSeek>, start: u64) -> io::Result<Guard<'_>> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(start))?;
    Ok(file)
}

/// The file, as long as it is locked.
struct Take<'s> {
    file: Guard<'s>,
}

impl Read for Take<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.file.read(buf)
    }
}
