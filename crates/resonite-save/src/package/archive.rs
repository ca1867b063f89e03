//! Zip archives: the only place that knows them.

use std::collections::HashSet;
use std::io::{self, Cursor, Read, Write};

use resonite_brson::Options;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::{Entry, Package, RECORD, Record};
use crate::error::{Error, ErrorKind, Result};

/// The least bytes of an entry in the directory at the end of an archive.
const DIRECTORY_ENTRY: usize = 46;

const CUT: &str = "the archive is cut off";

pub(super) fn read(bytes: &[u8], options: &Options) -> Result<Package> {
    if !Package::is_archive(bytes) {
        return Err(Error::at(
            ErrorKind::Package,
            0,
            "expected a zip archive, found something else",
        ));
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let count = archive.len();
    if count > Package::MAX_ENTRIES.min(bytes.len().wrapping_div(DIRECTORY_ENTRY)) {
        let most = Package::MAX_ENTRIES;
        let message = format!("{count} entries are more than a package may have, which is {most}");
        return Err(Error::new(ErrorKind::Package, message));
    }
    if listed(bytes, archive.central_directory_start()) > count {
        return Err(Error::new(ErrorKind::Package, "two entries have the same name"));
    }
    let most = options.limits().max_output.min(options.limits().memory(bytes.len()));
    let mut left = most;
    let mut names = HashSet::new();
    let mut record = None;
    let mut entries = Vec::new();
    for index in 0..count {
        let file = archive.by_index(index).map_err(broken)?;
        let name = file.name().to_owned();
        // An entry that does not change is copied by these numbers.
        let end = file.data_start().unwrap_or_default().checked_add(file.compressed_size());
        if end.and_then(|end| usize::try_from(end).ok()).is_none_or(|end| end > bytes.len()) {
            return Err(Error::new(ErrorKind::UnexpectedEof, CUT).inside(&*name));
        }
        let size = file.size();
        let content = content(file, left, most, options).map_err(|error| error.inside(&*name))?;
        if u64::try_from(content.len()) != Ok(size) {
            let message = format!("broken entry: expected {size} bytes, found {}", content.len());
            return Err(Error::new(ErrorKind::Package, message).inside(&*name));
        }
        left = left.saturating_sub(content.len());
        if !names.insert(name.clone()) {
            return Err(super::twice(&name));
        }
        if name == RECORD {
            record = Some(Record::from_slice(&content).map_err(|error| error.inside(&*name))?);
        } else {
            entries.push(Entry { name, bytes: content, origin: Some(index) });
        }
    }
    let record = record
        .ok_or_else(|| Error::new(ErrorKind::Package, format!("the archive has no {RECORD}")))?;
    Ok(Package { record, entries, source: bytes.into(), options: *options })
}

/// The number of entries in the directory at `start`. The archive has only the last of one name.
fn listed(bytes: &[u8], start: u64) -> usize {
    let mut rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    std::iter::from_fn(|| {
        let entry = rest.filter(|rest| rest.starts_with(b"PK\x01\x02"))?;
        let (lengths, _) = entry.get(28..34)?.as_chunks::<2>();
        let more = lengths.iter().map(|len| usize::from(u16::from_le_bytes(*len)));
        rest = entry.get(more.sum::<usize>().saturating_add(DIRECTORY_ENTRY)..);
        Some(())
    })
    .count()
}

/// The bytes of an entry, of which no more than `left` may come.
fn content(file: impl Read, left: usize, most: usize, options: &Options) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let past = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
    file.take(past).read_to_end(&mut content).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::new(ErrorKind::UnexpectedEof, CUT),
        _ => Error::new(ErrorKind::Package, format!("broken entry: {error}")),
    })?;
    if content.len() > left {
        let limit = options.limits().max_output;
        if most < limit {
            return Err(Error::memory("what the entries hold"));
        }
        let message = format!("the entries have more than max_output, which is {limit} bytes");
        return Err(Error::new(ErrorKind::OutputLimit, message));
    }
    Ok(content)
}

pub(super) fn write(package: &Package) -> Result<Vec<u8>> {
    let mut source = match &*package.source {
        [] => None,
        bytes => Some(ZipArchive::new(Cursor::new(bytes)).map_err(broken)?),
    };
    let record = package.record.to_vec();
    let count = source.as_ref().map_or(0, ZipArchive::len);
    let place = source.as_ref().and_then(|source| source.index_for_name(RECORD));
    let mut old = Vec::new();
    if let (Some(source), Some(place)) = (&mut source, place) {
        let most = u64::try_from(record.len()).unwrap_or(u64::MAX).saturating_add(1);
        let file = source.by_index(place).map_err(broken)?;
        file.take(most).read_to_end(&mut old).map_err(Error::from)?;
    }
    let kept = place.filter(|_| old == record);
    let origins = || package.entries.iter().map(|entry| entry.origin);
    if kept.is_some() && origins().eq((0..count).filter(|at| Some(*at) != kept).map(Some)) {
        return Ok(package.source.to_vec());
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut own = Some((RECORD, record.as_slice(), kept));
    // The record goes where it was, if that was not at the end.
    let place = place.filter(|place| place.saturating_add(1) < count);
    for entry in &package.entries {
        if place.is_some() && entry.origin > place {
            own.take().map_or(Ok(()), |own| put(&mut writer, &mut source, own))?;
        }
        put(&mut writer, &mut source, (&entry.name, &entry.bytes, entry.origin))?;
    }
    own.take().map_or(Ok(()), |own| put(&mut writer, &mut source, own))?;
    writer.finish().map(Cursor::into_inner).map_err(broken)
}

/// Writes an entry: copied from its place in the archive that was read, or new.
fn put(
    writer: &mut ZipWriter<Cursor<Vec<u8>>>,
    source: &mut Option<ZipArchive<Cursor<&[u8]>>>,
    (name, bytes, origin): (&str, &[u8], Option<usize>),
) -> Result<()> {
    if let (Some(source), Some(origin)) = (source, origin) {
        let raw = source.by_index_raw(origin).map_err(broken)?;
        return writer.raw_copy_file(raw).map_err(broken);
    }
    // The same package is the same bytes at any time.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    writer.start_file(name, options).map_err(broken)?;
    writer.write_all(bytes).map_err(Error::from)
}

#[cold]
fn broken(error: ZipError) -> Error {
    let text = error.to_string();
    let text = text.trim_end_matches('.');
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Error::new(ErrorKind::UnexpectedEof, CUT)
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Error::unsupported(format!("this archive is not supported: {text}"))
        }
        _ => Error::new(ErrorKind::Package, format!("broken archive: {text}")),
    }
}
