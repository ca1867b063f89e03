//! A KIWAD archive: its header and table, and each entry as a space.

use gamewire_core::explain::{Mark, Note, Role, quoted};

use super::{Explanation, Notes};
use crate::archive::read::{Record, Table, content};
use crate::archive::source::Source;
use crate::archive::verify::shared;
use crate::error::Count;
use crate::options::Options;
use crate::read::MAGIC as BIND;
use crate::{Error, Segment};

/// Says what every byte of an archive means; never fails, see [`Explanation::error`]. What an entry
/// inflates to is a [`Space`](super::Space), in which a BINd file is explained if the options have a
/// schema.
///
/// # Example
/// ```
/// use kiwi_pclass::{Options, archive};
///
/// let explanation = archive::explain(b"KIWAD\x01\0\0\0\0\0\0\0", &Options::new());
/// assert!(explanation.error().is_none());
/// assert_eq!(explanation.spans().len(), 3);
/// ```
pub fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let mut notes = Notes::new(bytes, options);
    let error = match Table::read(bytes, bytes.len(), options) {
        Ok(table) => {
            TableNotes { bytes, notes: &mut notes }.all();
            entries(&mut notes, bytes, &table, options)
        }
        Err(error) => {
            TableNotes { bytes, notes: &mut notes }.all();
            notes.sink.fail(&error, bytes.len());
            Some(error)
        }
    };
    notes.sink.finish(error)
}

/// The header and the table, as far as they are present.
struct TableNotes<'a, 'n> {
    bytes: &'a [u8],
    notes: &'n mut Notes,
}

impl<'a> TableNotes<'a, '_> {
    fn all(mut self) {
        _ = self.table();
        self.notes.sink.set_depth(0);
    }

    /// Notes the next `len` bytes, all of which must be there.
    fn take(&mut self, len: usize, note: Note) -> Option<&'a [u8]> {
        let start = self.notes.sink.at();
        let end = start.checked_add(len)?;
        let taken = self.bytes.get(start..end)?;
        self.notes.sink.push(end, note);
        Some(taken)
    }

    fn number<const N: usize>(&mut self, role: Role, meaning: &'static str) -> Option<u64> {
        let digits = self.bytes.get(self.notes.sink.at()..)?.first_chunk::<N>()?;
        let value = digits.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let shown = match role {
            Role::Checksum | Role::Flags => format!("{value:#x}"),
            _ => value.to_string(),
        };
        self.take(N, Note::new(role, meaning).value(shown))?;
        Some(value)
    }

    fn table(&mut self) -> Option<()> {
        self.take(5, Note::new(Role::Magic, "magic of archives").value("KIWAD"))?;
        let version = self.number::<4>(Role::Data, "version")?;
        let count = self.number::<4>(Role::Count, "number of entries")?;
        if version >= 2 {
            self.number::<1>(Role::Flags, "flags of the archive")?;
        }
        // The reader refuses counts that there is no room for; here the bytes are what ends it.
        (0..count).try_for_each(|_| {
            let at = self.notes.sink.at();
            let len = self.bytes.get(at.checked_add(17)?..)?.first_chunk::<4>()?;
            let len = u32::from_le_bytes(*len) as usize;
            let name = self.bytes.get(at.checked_add(21)?..)?.get(..len)?;
            let name = String::from_utf8_lossy(name);
            let sink = &mut self.notes.sink;
            sink.enter(Segment::field(name.trim_end_matches('\0')));
            let noted = self.record(len, &name);
            self.notes.sink.set_depth(0);
            self.notes.sink.leave();
            noted
        })
    }

    fn record(&mut self, len: usize, name: &str) -> Option<()> {
        self.number::<4>(Role::Data, "offset of the data")?;
        self.notes.sink.indent();
        self.number::<4>(Role::Length, "size of the content")?;
        let packed = self.bytes.get(self.notes.sink.at()..)?.first_chunk::<4>()?;
        let shown = match u32::from_le_bytes(*packed) {
            u32::MAX => "none".to_owned(),
            size => size.to_string(),
        };
        self.take(4, Note::new(Role::Length, "compressed size").value(shown))?;
        self.number::<1>(Role::Flags, "whether the data is compressed")?;
        self.number::<4>(Role::Checksum, "checksum of the data")?;
        self.number::<4>(Role::Length, "length of the name")?;
        self.take(len, Note::new(Role::Key, "name").value(quoted(name)))?;
        Some(())
    }
}

/// Notes the data, then what it inflates to. Returns what is wrong first.
fn entries(notes: &mut Notes, bytes: &[u8], table: &Table<'_>, options: &Options) -> Option<Error> {
    let source = Source::Slice(bytes);
    let mut order: Vec<&Record<'_>> = table.records.iter().collect();
    order.sort_by_key(|record| record.offset);
    let mut marks: Vec<(&Record<'_>, Mark)> = Vec::new();
    for record in order {
        let range = record.range();
        let Ok(data) = source.stored(record) else { continue };
        let start = record.offset as usize;
        // Bytes inside of another entry cannot be shown twice.
        if start < notes.sink.at() || range.is_empty() {
            continue;
        }
        notes.sink.push(start, Note::new(Role::Unknown, "not of an entry"));
        notes.sink.enter(Segment::field(record.name()));
        let note = match record.is_packed() {
            _ if source.is_unpatched(record) => Note::new(Role::Unused, "no data yet"),
            true => Note::new(Role::Compressed, "zlib data"),
            false => Note::new(Role::Data, "data"),
        };
        let note = note.value(Count(data.len(), "byte").to_string());
        let mark = notes.sink.push(start.saturating_add(data.len()), note);
        notes.sink.leave();
        if !source.is_unpatched(record) {
            marks.push((record, mark));
        }
    }
    notes.sink.push(bytes.len(), Note::new(Role::Unknown, "not of an entry"));

    let mut wrong = None;
    let mut left = options.limits.max_output.min(options.limits.memory(bytes.len()));
    for (record, mark) in marks {
        if left == 0 || notes.sink.is_full() {
            break;
        }
        let own = options.clone().max_output(left);
        match content(&source, record, &own) {
            Ok((content, _)) => {
                let is_file = content.starts_with(BIND) && options.schema.is_some();
                if record.is_packed() || is_file {
                    left = left.saturating_sub(content.len());
                    let error = entry(notes, record, &content, mark, options);
                    wrong = wrong.or(error);
                }
            }
            Err(error) => {
                notes.sink.select(0);
                notes.sink.note(mark, "damaged");
                wrong.get_or_insert(error.inside(Segment::field(record.name())));
            }
        }
    }
    // Data past the end of the archive is nothing that can be shown.
    let missing = |record: &Record<'_>| match source.stored(record) {
        Err(error) => Some(error),
        // Nor is no data at all, which is wrong where a content is expected of it.
        Ok(stored) if stored.is_empty() => {
            let error = content(&source, record, options).err()?;
            Some(error.inside(Segment::field(record.name())))
        }
        Ok(_) => None,
    };
    wrong.or_else(|| table.records.iter().find_map(missing)).or_else(|| {
        table.overlaps(&source).first().and_then(|(around, own)| shared(table, *around, *own))
    })
}

/// Notes what an entry holds.
fn entry(
    notes: &mut Notes,
    record: &Record<'_>,
    content: &[u8],
    mark: Mark,
    options: &Options,
) -> Option<Error> {
    let space = notes.sink.open(format!("entry {}", record.name()), content, mark);
    if !content.starts_with(BIND) || options.schema.is_none() {
        notes.sink.push(content.len(), Note::new(Role::Data, "content"));
        return None;
    }
    let own = options.clone().bind(true).max_output(options.limits.memory(content.len()));
    let error = notes.stream(content, &own).err().or(notes.cut.take());
    if let Some(error) = &error {
        if !error.is_inflated() {
            notes.sink.select(space);
        }
        let at = error.bit_offset().unwrap_or(notes.sink.at_bit());
        notes.sink.fail_bits(error, at.saturating_add(32));
    }
    notes.objects = false;
    error.map(|error| error.inside(Segment::field(record.name())))
}
