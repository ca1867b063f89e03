use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use clap::Args;
use gamewire::Format;
use gamewire::document::{self, Verdict, count};
use serde_json::{Value as Json, json};

use super::{Reading, progress, sources, unknown};
use crate::failure::{Failure, Outcome};
use crate::fault::{paint, show};
use crate::files::Found;
use crate::output::Shown as _;
use crate::output::{self, Text};

/// Decode files, encode them again, and compare
///
/// A file is `identical` when the same bytes come out, `equivalent` when other bytes with the same
/// data do, `differs` when the data is not the same, and `refused` when it cannot be read. Of Resonite's
/// saves the documents are compared, after decompression. A file that is no longer recognized, but of which
/// `salvage` would read something, is `damaged`. Files of no known format are skipped in folders, and
/// refused when they are named; without any other file, that is an error. A folder that cannot be opened
/// is `unread`; the others are checked all the same.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire check savegame.dat
  gamewire check --quiet saves/ project.binary
  gamewire check --quiet Root.wad --types types.json
  gamewire check --via-json saves/
  gamewire check old/ --dialect godot3 --format godot-variant")]
pub(crate) struct Check {
    /// Files and folders; of archives, all that is in them, or entries by patterns after the archive
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Leave out what is identical
    #[arg(short, long)]
    quiet: bool,
    /// Go through the JSON notation, as decode and encode do, and compare with the file
    #[arg(long)]
    via_json: bool,
    /// Write a JSON array with the verdict on each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// The report on a file.
struct Report {
    kind: Kind,
    /// The name as it is.
    file: String,
    /// The reason, with the lines that show the position.
    why: String,
}

impl Report {
    /// Adds the lines, with the word for the kind in front.
    fn write(&self, text: &mut Text) {
        text.paint(self.kind.style(), format_args!("{:10}", self.kind.word()));
        let joint = if self.why.is_empty() { "" } else { ": " };
        paint(text, &format!("  {}{joint}{}", self.file.shown(), self.why));
        _ = text.write_str("\n");
    }

    fn json(&self) -> Json {
        let why = self.why.lines().next().unwrap_or_default();
        json!({ "file": self.file, "verdict": self.kind.word(), "why": why })
    }
}

/// What has been said of the files so far.
#[derive(Default)]
struct Told {
    /// The place of the file whose turn it is, and the reports on those after it.
    next: usize,
    waiting: BTreeMap<usize, Result<Report, Failure>>,
    kinds: Vec<Kind>,
    json: Vec<Json>,
    /// The first file that could not be read.
    missing: Option<Failure>,
    /// Why no more can be printed.
    closed: Option<Failure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Identical,
    Equivalent,
    Differs,
    Refused,
    Damaged,
    /// The system does not let the file or folder be read.
    Unread,
    Skipped,
}

impl Kind {
    const SHOWN: [Kind; 4] = [Kind::Identical, Kind::Equivalent, Kind::Differs, Kind::Refused];

    fn word(self) -> &'static str {
        match self {
            Kind::Identical => "identical",
            Kind::Equivalent => "equivalent",
            Kind::Differs => "differs",
            Kind::Refused => "refused",
            Kind::Damaged => "damaged",
            Kind::Unread => "unread",
            Kind::Skipped => "skipped",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Kind::Identical => AnsiColor::Green,
            Kind::Equivalent | Kind::Skipped => AnsiColor::Yellow,
            Kind::Differs | Kind::Refused | Kind::Damaged | Kind::Unread => AnsiColor::Red,
        };
        color.on_default()
    }

    fn with(self, file: &str, why: &str) -> Report {
        // Messages begin with the name.
        let why = why.strip_prefix(&file.shown()).map_or(why, |why| why.trim_start_matches(": "));
        Report { kind: self, file: file.to_owned(), why: why.to_owned() }
    }
}

impl Check {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let walk = sources::expand(&self.paths, &self.reading.args.settings(None))?;
        let progress = progress(&walk.files);
        let told = Mutex::new(Told::default());
        let next = AtomicUsize::new(0);
        // In their order, so that lines come as soon as there are some.
        rayon::broadcast(|_| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(file) = walk.files.get(at) else { break };
                let report = self.one(file);
                progress.inc(1);
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                told.waiting.insert(at, report);
                progress.suspend(|| self.tell(&mut told));
                if told.closed.is_some() {
                    break;
                }
            }
        });
        progress.finish_and_clear();
        let mut told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        let unread = walk.unreadable.iter().map(|why| {
            let (file, why) = why.split_once(": ").unwrap_or((why, ""));
            Ok(Kind::Unread.with(file, why))
        });
        told.waiting.extend((walk.files.len()..).zip(unread));
        self.tell(&mut told);
        if let Some(failure) = told.closed {
            return Err(failure);
        }

        let of_kind = |kind| told.kinds.iter().filter(|own| **own == kind).count();
        let skipped = of_kind(Kind::Skipped);
        let unread = of_kind(Kind::Unread);
        let total = told.kinds.len() - skipped - unread;
        let counts = Kind::SHOWN.map(|kind| format!("{} {}", of_kind(kind), kind.word()));
        let mut text = format!("{}: {}", count(total, "file"), counts.join(", "));
        let damaged = of_kind(Kind::Damaged);
        if damaged > 0 {
            _ = write!(text, ", {damaged} damaged");
        }
        if unread > 0 {
            _ = write!(text, "; {unread} not readable");
        }
        if let Some(words) = walk.skipped.words(skipped) {
            _ = write!(text, "; skipped: {words}");
        }
        match self.json {
            true => output::print_json(&told.json)?,
            false => output::print(text + "\n")?,
        }
        let bad = [Kind::Differs, Kind::Refused, Kind::Damaged, Kind::Unread].map(of_kind);
        match told.missing {
            Some(failure) => Err(failure),
            None if total + unread == 0 => {
                let paths: Vec<String> = self.paths.iter().map(|path| path.shown()).collect();
                let why = "there is no file of a known format";
                Err(Failure::Data(format!("{}: {why}", paths.join(", "))))
            }
            None => Ok(Outcome::good_if(bad == [0; 4])),
        }
    }

    /// Prints the reports whose turn it is.
    fn tell(&self, told: &mut Told) {
        while let Some(report) = told.waiting.remove(&told.next) {
            told.next += 1;
            let report = match report {
                Ok(report) => report,
                // A missing file does not keep the others from being checked.
                Err(failure) if told.missing.is_none() => {
                    told.missing = Some(failure);
                    continue;
                }
                Err(Failure::Usage(why) | Failure::Data(why)) => {
                    output::error(&why);
                    continue;
                }
                Err(Failure::Closed) => continue,
            };
            told.kinds.push(report.kind);
            let is_plain = report.kind == Kind::Identical && report.why.is_empty();
            if report.kind == Kind::Skipped || (self.quiet && is_plain) {
                continue;
            }
            if self.json {
                told.json.push(report.json());
                continue;
            }
            let mut text = Text::default();
            report.write(&mut text);
            told.closed = told.closed.take().or(output::print(text).err());
        }
    }

    fn one(&self, file: &Found) -> Result<Report, Failure> {
        let input = match file.read(self.reading.bound()) {
            // Other files of the folder may be readable.
            Err(Failure::Usage(message)) if !file.is_named => {
                return Ok(Kind::Unread.with(&file.path.display().to_string(), &message));
            }
            // An entry of an archive whose bytes are not what the archive says.
            Err(Failure::Data(message)) => {
                return Ok(Kind::Refused.with(&file.path.display().to_string(), &message));
            }
            input => input?,
        };
        let Some(format) = self.reading.knows(&input) else {
            let settings = self.reading.args.settings(None);
            if let Some(format) = document::detect_damaged(&input.bytes, &settings) {
                let why = format!("a part of it is {format}; `gamewire salvage` writes that");
                return Ok(Kind::Damaged.with(&input.raw_name, &why));
            }
            let kind = if file.is_named { Kind::Refused } else { Kind::Skipped };
            return Ok(kind.with(&input.raw_name, &unknown(&input.bytes)));
        };
        let settings = self.reading.settings_of(format, &input);
        let name = &input.raw_name;
        let verdict = match self.via_json {
            true => document::check_json(&input.bytes, &settings),
            false => document::check(&input.bytes, &settings),
        };
        let remarks = || document::remarks(&input.bytes, &settings).join("; ");
        // Only the notation of O3DE has less than the file.
        let lost = match (self.via_json, format) {
            (true, Format::O3deJson) => "; comments and layout are not carried",
            _ => "",
        };
        Ok(match verdict {
            Ok(Verdict::Identical) => Kind::Identical.with(name, &remarks()),
            Ok(Verdict::Equivalent(at)) => {
                let remarks = remarks();
                let joint = if remarks.is_empty() { "" } else { "; " };
                let why = format!("other bytes from byte {at:#x} on{lost}{joint}{remarks}");
                Kind::Equivalent.with(name, &why)
            }
            Ok(Verdict::Differs(why)) => Kind::Differs.with(name, &why),
            Ok(other) => Kind::Differs.with(name, &format!("{other:?}")),
            Err(error) => Kind::Refused.with(name, &show(&error, &input.name, &input.bytes)),
        })
    }
}
