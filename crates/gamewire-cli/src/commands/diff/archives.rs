//! The differences of two archives.

use std::fmt::Write as _;
use std::path::Path;

use anstyle::AnsiColor;
use gamewire::document::{Change, EntryChange, EntryChangeKind, count};
use serde_json::{Value as Json, json};

use super::{Diff, MAX_SHOWN, line};
use crate::commands::sources::{begins_as_archive, open};
use crate::failure::{Failure, Outcome};
use crate::output::Shown as _;
use crate::output::{self, Text};

/// Whether both files are archives.
pub(super) fn are(old: &Path, new: &Path) -> bool {
    begins_as_archive(old) && begins_as_archive(new)
}

impl Diff {
    pub(super) fn archives(&self, old: &Path, new: &Path) -> Result<Outcome, Failure> {
        if self.html.is_some() {
            let why = "--html is for files that are no archives";
            return Err(Failure::Usage(format!("{}: {why}", old.shown())));
        }
        let settings = self.reading.args.settings(None);
        let (old, new) = (open(old, &settings)?, open(new, &settings)?);
        let changes = old.diff(&new, if self.full { usize::MAX } else { MAX_SHOWN });
        if self.json {
            let rows = changes.iter().map(|change| row(change, self.summary));
            output::print_json(&rows.collect::<Vec<_>>())?;
        } else {
            let mut text = Text::default();
            changes.iter().for_each(|change| self.show(&mut text, change));
            if self.summary {
                total(&mut text, &changes);
            }
            self.paging.print(text)?;
        }
        Ok(Outcome::good_if(changes.is_empty()))
    }

    /// Shows what became of an entry.
    fn show(&self, text: &mut Text, change: &EntryChange) {
        let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
        let name = change.name.escape_debug();
        match &change.what {
            EntryChangeKind::Added(len) => {
                text.paint(green, format_args!("+ {name}: {}", count(*len, "byte")));
            }
            EntryChangeKind::Removed(len) => {
                text.paint(red, format_args!("- {name}: {}", count(*len, "byte")));
            }
            EntryChangeKind::Moved(to) => {
                _ = write!(text, "{name}: moved to ");
                text.paint(green, to.escape_debug());
            }
            EntryChangeKind::Values(changes) if changes.is_empty() => {
                _ = write!(text, "{name}: the same values in other bytes");
            }
            EntryChangeKind::Values(changes) if self.summary => {
                _ = write!(text, "{name}: {}", count(changes.len(), "difference"));
            }
            EntryChangeKind::Values(changes) => {
                for change in changes {
                    _ = write!(text, "{name}: ");
                    line(text, change);
                }
                return;
            }
            EntryChangeKind::Bytes { old, new, why } => {
                _ = write!(text, "{name}: {old} → {}", count(*new, "byte"));
                if let Some(why) = why {
                    _ = write!(
                        text,
                        ", not compared by value: {}",
                        why.lines().next().unwrap_or(why)
                    );
                }
            }
            other => _ = write!(text, "{name}: {other:?}"),
        }
        _ = text.write_str("\n");
    }
}

/// How many entries there are of each kind of change.
fn total(text: &mut Text, changes: &[EntryChange]) {
    let of = |is: fn(&EntryChangeKind) -> bool| changes.iter().filter(|own| is(&own.what)).count();
    let added = of(|what| matches!(what, EntryChangeKind::Added(_)));
    let gone = of(|what| matches!(what, EntryChangeKind::Removed(_)));
    let moved = of(|what| matches!(what, EntryChangeKind::Moved(_)));
    let changed = changes.len() - added - gone - moved;
    let all = format!("{added} added, {gone} gone, {moved} moved, {changed} changed");
    _ = writeln!(text, "{}: {all}", count(changes.len(), "entry"));
}

fn row(change: &EntryChange, is_short: bool) -> Json {
    let mut row = json!({ "entry": change.name });
    let more = match &change.what {
        EntryChangeKind::Added(len) => json!({ "change": "added", "len": len }),
        EntryChangeKind::Removed(len) => json!({ "change": "gone", "len": len }),
        EntryChangeKind::Moved(to) => json!({ "change": "moved", "to": to }),
        EntryChangeKind::Values(changes) if is_short => {
            json!({ "change": "values", "differences": changes.len() })
        }
        EntryChangeKind::Values(changes) => {
            let all: Vec<_> = changes.iter().map(Change::to_json).collect();
            json!({ "change": "values", "differences": all })
        }
        EntryChangeKind::Bytes { old, new, why } => {
            json!({ "change": "bytes", "old_len": old, "new_len": new, "why": why })
        }
        other => json!({ "change": format!("{other:?}") }),
    };
    if let (Some(row), Json::Object(more)) = (row.as_object_mut(), more) {
        row.extend(more);
    }
    row
}
