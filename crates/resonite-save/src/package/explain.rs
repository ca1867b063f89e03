//! The parts of a zip archive, and the spaces of its record and its saves.
//!
//! [`package`](super) reads archives by their directory, at the end, and says whether one is
//! accepted. Here the bytes are read in their order, so that one that is cut off is explained up to
//! there.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::bufread::DeflateDecoder;
use gamewire_core::explain::{Mark, Note, Role, Sink, quoted, shortened};
use gamewire_core::words::Count;
use resonite_brson::container::MAGIC;
use resonite_brson::explain::Explanation;
use resonite_brson::{Options, Segment};
use serde_json::value::RawValue;

use super::{ASSETS, Package, RECORD};
use crate::error::Error;

const LOCAL: &[u8; 4] = b"PK\x03\x04";
const DIRECTORY: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";

/// Bit 3 of an entry's flags: checksum and lengths come after the data.
const LATE: u64 = 8;
const STORED: u64 = 0;
const DEFLATED: u64 = 8;

/// Says what every byte of an archive means; never fails, see [`Explanation::error`].
///
/// The archive is one [`Space`](resonite_brson::explain::Space); the record and the saves in it are others,
/// with separate offsets, and so is the BSON that a save is decompressed to.
///
/// ```
/// use resonite_save::package::{self, Package};
/// use resonite_save::{Options, SavedObject};
///
/// # #[cfg(feature = "brotli")] {
/// let package = Package::new("Lamp", &SavedObject::new("2026.8.12.1196", "Lamp"))?;
/// let explanation = package::explain(&package.to_vec()?, &Options::new());
/// assert!(explanation.error().is_none());
/// assert_eq!(explanation.spaces()[3].name(), "entry R-Main.record");
/// # }
/// # Ok::<(), resonite_save::Error>(())
/// ```
pub fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let mut sink = Sink::new(bytes).max_memory(options.limits().memory(bytes.len()));
    let error = archive(&mut sink, bytes, options);
    sink.finish(error)
}

/// Explains the archive that is the input, and returns why it is refused: as a package, or the save
/// in it.
fn archive(sink: &mut Sink, bytes: &[u8], options: &Options) -> Option<Error> {
    let package = Package::from_slice_with(bytes, options);
    let (mut refused, main) = match package {
        Ok(package) => (None, package.main_hash()),
        Err(error) => (Some(error), None),
    };
    let main = main.map(|hash| format!("{ASSETS}{hash}")).unwrap_or_default();
    let left = options.limits().max_output.min(options.limits().memory(bytes.len()));
    let entries = Vec::new();
    let mut archive = Archive { bytes, sink, left, main: &main, entries };
    while archive.part().is_some() {}
    let entries = archive.entries;
    if let Some(error) = refused.as_ref().filter(|_| sink.at() < bytes.len()) {
        sink.fail(error, bytes.len());
    }
    let mut left = options.limits().max_output.min(options.limits().memory(bytes.len()));
    for ExplainedEntry { name, content, from } in entries {
        let space = sink.open(format!("entry {name}"), content, from);
        let content = sink.bytes();
        if name == RECORD {
            record(sink, &content);
            continue;
        }
        // All bodies together have the room of one, as all entries have.
        let own = options.max_output(left);
        let error = resonite_brson::explain::file(sink, &format!(" of {name}"), &content, &own);
        if sink.space() != space {
            left = left.saturating_sub(sink.bytes().len());
        }
        if name == main && refused.is_none() {
            refused = error.map(|error| error.inside(&*name));
        }
    }
    refused
}

/// The content of an entry that is explained, and the span that it is in.
struct ExplainedEntry {
    name: String,
    content: Vec<u8>,
    from: Mark,
}

struct Archive<'a, 's> {
    bytes: &'a [u8],
    sink: &'s mut Sink,
    /// The bytes of entries that may still be unpacked.
    left: usize,
    /// The name of the main asset.
    main: &'a str,
    entries: Vec<ExplainedEntry>,
}

impl<'a> Archive<'a, '_> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.sink.at()..).unwrap_or_default()
    }

    /// Notes the next `len` bytes, all of which must be there.
    fn take(&mut self, len: usize, note: Note) -> Option<Mark> {
        let end = self.sink.at().checked_add(len).filter(|end| *end <= self.bytes.len())?;
        Some(self.sink.push(end, note))
    }

    /// Notes a number of `N` bytes.
    fn number<const N: usize>(&mut self, role: Role, meaning: &'static str) -> Option<u64> {
        let digits = self.rest().first_chunk::<N>()?;
        let value = digits.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let shown = match role {
            Role::Checksum | Role::Flags => format!("{value:#x}"),
            _ => value.to_string(),
        };
        self.take(N, Note::new(role, meaning).value(shown))?;
        Some(value)
    }

    fn text(&mut self, len: u64, role: Role, meaning: &'static str) -> Option<String> {
        let len = usize::try_from(len).ok()?;
        let text = String::from_utf8_lossy(self.rest().get(..len)?).into_owned();
        self.take(len, Note::new(role, meaning).value(quoted(&text)))?;
        Some(text)
    }

    /// Notes the next part; `None` where the bytes end.
    fn part(&mut self) -> Option<()> {
        let rest = self.rest();
        match rest.first_chunk()? {
            LOCAL => self.named(26, 30, Self::local),
            DIRECTORY => self.named(28, 46, Self::directory),
            END => self.end(),
            _ => {
                let known = |at: &[u8]| [LOCAL, DIRECTORY, END].iter().any(|id| at == *id);
                let len = rest.windows(4).position(known).unwrap_or(rest.len());
                self.take(len, Note::new(Role::Unknown, "not of an entry")).map(drop)
            }
        }
    }

    /// Notes the fields that both headers of an entry have. Returns flags, method and compressed length.
    fn common(&mut self) -> Option<(u64, u64, u64)> {
        let flags = self.number::<2>(Role::Flags, "flags")?;
        let method = self.number::<2>(Role::Flags, "method")?;
        self.number::<2>(Role::Data, "time")?;
        self.number::<2>(Role::Data, "date")?;
        self.number::<4>(Role::Checksum, "CRC-32 of the content")?;
        let packed = self.number::<4>(Role::Length, "compressed length")?;
        self.number::<4>(Role::Length, "length of the content")?;
        Some((flags, method, packed))
    }

    /// Notes a part in the place of its entry: the name after the header of `header` bytes, with its
    /// length at `len_at`.
    fn named(
        &mut self,
        len_at: usize,
        header: usize,
        part: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let rest = self.rest();
        let len = rest.get(len_at..).and_then(<[u8]>::first_chunk);
        let end = len.map_or(0, |len| usize::from(u16::from_le_bytes(*len)));
        let name = rest.get(header..).and_then(|rest| rest.get(..end)).unwrap_or_default();
        self.sink.enter(Segment::field(&String::from_utf8_lossy(name)));
        let noted = part(self);
        self.sink.set_depth(0);
        self.sink.leave();
        noted
    }

    /// A header, its data, and what comes after data whose length the header does not know.
    fn local(&mut self) -> Option<()> {
        let header = self.take(4, Note::header("entry"))?;
        self.sink.indent();
        self.number::<2>(Role::Data, "version needed to unpack it")?;
        let (flags, method, packed) = self.common()?;
        let name_len = self.number::<2>(Role::Length, "length of the name")?;
        let extra = self.number::<2>(Role::Length, "length of more fields")?;
        let name = self.text(name_len, Role::Key, "name")?;
        self.take(usize::try_from(extra).ok()?, Note::new(Role::Unused, "more fields"))?;

        let data = self.rest();
        let is_late = flags & LATE != 0;
        let known = usize::try_from(packed).ok().filter(|len| !(is_late && *len == 0));
        let (content, len) = self.unpack(data, method, known);
        let note = match method {
            STORED => Note::new(Role::Compressed, "stored content"),
            DEFLATED => Note::new(Role::Compressed, "deflated content"),
            _ => Note::new(Role::Compressed, "compressed content"),
        };
        let from = self.take(len, note)?;
        self.sink.set_value(header, Count(content.len(), "byte").to_string());
        if name == self.main || name == RECORD || content.starts_with(&MAGIC) {
            self.entries.push(ExplainedEntry { name, content, from });
        }
        if is_late {
            if self.rest().starts_with(DESCRIPTOR) {
                self.take(4, Note::new(Role::Magic, "mark of what comes late"))?;
            }
            self.number::<4>(Role::Checksum, "CRC-32 of the content")?;
            self.number::<4>(Role::Length, "compressed length")?;
            self.number::<4>(Role::Length, "length of the content")?;
        }
        Some(())
    }

    /// The content of an entry as far as it is present, and how many bytes of `data` it takes.
    fn unpack(&mut self, data: &[u8], method: u64, known: Option<usize>) -> (Vec<u8>, usize) {
        let packed = data.get(..known.unwrap_or(data.len())).unwrap_or(data);
        let mut content = Vec::new();
        let mut used = packed.len();
        let limit = u64::try_from(self.left).unwrap_or(u64::MAX);
        match method {
            STORED => {
                if known.is_none() {
                    let end = |at: &[u8]| [DESCRIPTOR, LOCAL, DIRECTORY].iter().any(|id| at == *id);
                    used = packed.windows(4).position(end).unwrap_or(used);
                }
                content.extend_from_slice(packed.get(..used.min(self.left)).unwrap_or_default());
            }
            DEFLATED => {
                let mut decoder = DeflateDecoder::new(packed);
                // Broken data gives the bytes before the fault.
                let read = decoder.by_ref().take(limit).read_to_end(&mut content);
                if known.is_none() && read.is_ok() {
                    used = usize::try_from(decoder.total_in()).unwrap_or(used);
                }
            }
            _ => {}
        }
        self.left = self.left.saturating_sub(content.len());
        (content, used)
    }

    /// An entry of the directory.
    fn directory(&mut self) -> Option<()> {
        self.take(4, Note::header("directory entry"))?;
        self.sink.indent();
        self.number::<2>(Role::Data, "version of the writer")?;
        self.number::<2>(Role::Data, "version needed to unpack it")?;
        self.common()?;
        let name = self.number::<2>(Role::Length, "length of the name")?;
        let extra = self.number::<2>(Role::Length, "length of more fields")?;
        let comment = self.number::<2>(Role::Length, "length of the comment")?;
        self.number::<2>(Role::Data, "number of the disk")?;
        self.number::<2>(Role::Flags, "attributes")?;
        self.number::<4>(Role::Flags, "attributes of the file system")?;
        self.number::<4>(Role::Data, "offset of the entry")?;
        self.text(name, Role::Key, "name")?;
        self.take(usize::try_from(extra).ok()?, Note::new(Role::Unused, "more fields"))?;
        self.text(comment, Role::Comment, "comment").map(drop)
    }

    fn end(&mut self) -> Option<()> {
        self.take(4, Note::header("end of the archive"))?;
        self.sink.indent();
        self.number::<2>(Role::Data, "number of the disk")?;
        self.number::<2>(Role::Data, "disk with the directory")?;
        self.number::<2>(Role::Count, "entries on this disk")?;
        self.number::<2>(Role::Count, "entries")?;
        self.number::<4>(Role::Length, "length of the directory")?;
        self.number::<4>(Role::Data, "offset of the directory")?;
        let comment = self.number::<2>(Role::Length, "length of the comment")?;
        self.text(comment, Role::Comment, "comment")?;
        self.sink.outdent();
        Some(())
    }
}

/// Notes the members of the record. What is no JSON object is text.
fn record(sink: &mut Sink, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).unwrap_or_default();
    let start = text.as_ptr().addr();
    // The values are parts of the text, so where they are says their order.
    let mut members: Vec<(usize, &str, &str)> = members
        .iter()
        .map(|(key, value)| {
            (value.get().as_ptr().addr().saturating_sub(start), key.as_str(), value.get())
        })
        .collect();
    members.sort_unstable();
    for (at, key, value) in members {
        sink.enter(Segment::field(key));
        sink.push(at, Note::new(Role::Key, "key").value(quoted(key)));
        let note = Note::new(Role::Text, "JSON").value(shortened(format_args!("{value}")));
        sink.push(at.saturating_add(value.len()), note);
        sink.leave();
    }
    let is_object = sink.at() > 0;
    let note = if is_object { Note::new(Role::End, "end") } else { Note::new(Role::Text, "text") };
    sink.push(bytes.len(), note);
}
