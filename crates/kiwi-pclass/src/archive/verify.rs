//! Problems of archives.
use std::fmt;

use super::read::Table;
use super::source::Source;
use super::{Archive, Entry};
use crate::error::{Count, Shortened};
use crate::{Error, ErrorKind, Segment};

/// Something that is wrong, or worth knowing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The data of an entry cannot be read.
    Unreadable(Error),
    /// An entry has room for data that the game's patcher has not put there yet.
    Unpatched {
        /// The name of the entry.
        name: String,
    },
    /// An entry is marked as compressed, and its data is not.
    NotCompressed {
        /// The name of the entry.
        name: String,
    },
    /// Bytes stand after the compressed data of an entry, which nothing reads.
    Trailing {
        /// The name of the entry.
        name: String,
        /// How many.
        bytes: usize,
    },
    /// Two entries share bytes of the archive, or one shares them with the table.
    Overlap {
        /// The entry whose data begins earlier; `None` for the table.
        first: Option<String>,
        /// The entry whose data begins later.
        second: String,
    },
    /// Several entries have this name; [`Archive::by_name`] gives the first.
    Duplicate {
        /// The name.
        name: String,
    },
    /// A name that is not UTF-8.
    NotText {
        /// The name, with the bytes that are no text as `\xff`.
        name: String,
    },
    /// The names are not in order, as they are in the games' archives.
    Unsorted,
}

impl Problem {
    /// Whether it does harm: data that is wrong or not there, one entry inside of another, a name
    /// that occurs twice.
    pub fn is_error(&self) -> bool {
        use Problem::{NotText, Trailing, Unpatched, Unsorted};
        !matches!(self, Unpatched { .. } | NotText { .. } | Trailing { .. } | Unsorted)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(error) => error.fmt(f),
            Problem::Unpatched { name } => {
                write!(f, "{}: the game has not fetched the data yet", name.escape_debug())
            }
            Problem::NotCompressed { name } => {
                write!(f, "{}: is marked as compressed and is not", name.escape_debug())
            }
            Problem::Trailing { name, bytes } => {
                let (name, bytes) = (name.escape_debug(), Count(*bytes, "byte"));
                write!(f, "{name}: {bytes} after the compressed data, which nothing reads")
            }
            Problem::Overlap { first: Some(first), second } => {
                write!(f, "{} begins inside of {}", second.escape_debug(), first.escape_debug())
            }
            Problem::Overlap { first: None, second } => {
                write!(f, "{} begins inside of the table", second.escape_debug())
            }
            Problem::Duplicate { name } => {
                write!(f, "several entries have the name {}", name.escape_debug())
            }
            Problem::NotText { name } => {
                write!(f, "the name {} is not UTF-8", name.escape_debug())
            }
            Problem::Unsorted => f.write_str("the names are not in order"),
        }
    }
}

impl Archive<'_> {
    /// Returns the problems of the table, and of the data of each entry that begins inside of no other.
    /// Takes time in proportion to the archive and to what its entries inflate to.
    pub fn verify(&self) -> Vec<Problem> {
        let mut problems = self.verify_table();
        let entries = self.entries().filter(|entry| entry.must_be_own().is_ok());
        problems.extend(entries.filter_map(|entry| entry.verify()));
        problems
    }

    /// Returns the problems of the table, without a look at the data.
    pub fn verify_table(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !self.by_name.is_sorted() {
            problems.push(Problem::Unsorted);
        }
        let odd = self.table.records.iter().filter(|record| !record.is_text());
        problems.extend(odd.map(|own| Problem::NotText { name: own.name().to_owned() }));
        let names = || self.by_name.iter().filter_map(|index| self.by_index(*index as usize));
        let mut last: Option<&str> = None;
        for (one, next) in names().zip(names().skip(1)) {
            if one.name() == next.name() && last != Some(one.name()) {
                last = Some(one.name());
                problems.push(Problem::Duplicate { name: one.name().to_owned() });
            }
        }
        let name = |index| self.by_index(index).map_or("", |own| own.name()).to_owned();
        problems.extend(self.shared.iter().map(|(second, first)| Problem::Overlap {
            first: first.map(name),
            second: name(*second),
        }));
        problems
    }
}

impl Table<'_> {
    /// The entries that begin inside of the table or of another entry, each with that one.
    pub(crate) fn overlaps(&self, source: &Source<'_>) -> Vec<(Option<usize>, usize)> {
        let ranges = self.records.iter().enumerate().map(|(index, own)| (own.range(), index));
        let mut ranges: Vec<_> = ranges.filter(|(range, _)| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|(range, index)| (range.start, *index));
        let mut overlaps = Vec::new();
        let mut left = source.len();
        // The entry whose data reaches furthest, which may be one before the last.
        let mut furthest = (self.end as u64, None);
        for (range, index) in ranges {
            let (end, before) = furthest;
            let mut is_gap = |at: &usize| self.is_gap(*at, source, &mut left);
            if range.start < end && ![Some(index), before].iter().flatten().any(&mut is_gap) {
                overlaps.push((before, index));
            }
            if range.end > end {
                furthest = (range.end, Some(index));
            }
        }
        overlaps
    }

    /// Whether an entry has no data yet: what stands in its place may be anything. `left` are the
    /// bytes that may still be looked at, because many entries may claim the same ones.
    fn is_gap(&self, index: usize, source: &Source<'_>, left: &mut usize) -> bool {
        let Some(record) = self.record(index) else { return false };
        left.checked_sub(record.stored_size() as usize).is_some_and(|rest| {
            *left = rest;
            source.is_unpatched(record)
        })
    }
}

/// The error of an entry that begins inside of the table or of another one.
pub(crate) fn shared(table: &Table<'_>, around: Option<usize>, own: usize) -> Option<Error> {
    let own = table.record(own)?;
    let around = match around.and_then(|around| table.record(around)) {
        Some(around) => format!("inside of {}", Shortened(around.name())),
        None => "inside of the table".to_owned(),
    };
    let message = format!("expected data of its own, found it {around}");
    let at = own.offset as usize;
    Some(Error::at_byte(ErrorKind::Data, at, message).inside(Segment::field(own.name())))
}

impl Entry<'_, '_> {
    /// Returns the problem of the data.
    pub fn verify(&self) -> Option<Problem> {
        let name = || self.name().to_owned();
        Some(match self.read_and_rest() {
            Ok((_, 0)) => return None,
            Ok((_, bytes)) => Problem::Trailing { name: name(), bytes },
            Err(_) if self.is_unpatched() => Problem::Unpatched { name: name() },
            Err(error)
                if error.kind() == ErrorKind::Compression && self.is_falsely_compressed() =>
            {
                Problem::NotCompressed { name: name() }
            }
            Err(error) => Problem::Unreadable(error),
        })
    }
}
