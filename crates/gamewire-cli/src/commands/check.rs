use std::fmt::Write as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use gamewire::Format;
use gamewire::document::{self, Verdict, count};
use indicatif::ParallelProgressIterator as _;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use serde_json::{Value as Json, json};

use super::{Reading, progress, sources, unknown};
use crate::failure::{Failure, Outcome};
use crate::fault::{paint, show};
use crate::files::Found;
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
    file: String,
    /// The reason, with the lines that show the position.
    why: String,
}

impl Report {
    /// Adds the lines, with the word for the kind in front.
    fn write(&self, text: &mut Text) {
        text.paint(self.kind.style(), format_args!("{:10}", self.kind.word()));
        let joint = if self.why.is_empty() { "" } else { ": " };
        paint(text, &format!("  {}{joint}{}", self.file, self.why));
        _ = text.write_str("\n");
    }

    fn json(&self) -> Json {
        let why = self.why.lines().next().unwrap_or_default();
        json!({ "file": self.file, "verdict": self.kind.word(), "why": why })
    }
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
        let why = why.strip_prefix(file).map_or(why, |why| why.trim_start_matches(": "));
        Report { kind: self, file: file.to_owned(), why: why.to_owned() }
    }
}

impl Check {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let walk = sources::expand(&self.paths, &self.reading.args.settings(None))?;
        let progress = progress(&walk.files);
        let files = walk.files.par_iter().progress_with(progress.clone());
        let results: Vec<Result<Report, Failure>> = files.map(|file| self.one(file)).collect();
        progress.finish_and_clear();
        // A missing file does not keep the others from being checked.
        let mut missing = None;
        let mut reports: Vec<Report> = Vec::new();
        for result in results {
            match result {
                Ok(report) => reports.push(report),
                Err(failure) if missing.is_none() => missing = Some(failure),
                Err(Failure::Usage(why) | Failure::Data(why)) => output::error(&why),
                Err(Failure::Closed) => {}
            }
        }
        reports.extend(walk.unreadable.iter().map(|why| {
            let (file, why) = why.split_once(": ").unwrap_or((why, ""));
            Kind::Unread.with(file, why)
        }));

        let of_kind = |kind| reports.iter().filter(|report| report.kind == kind).count();
        let skipped = of_kind(Kind::Skipped);
        let shown = |report: &&Report| match report.kind {
            Kind::Identical => !self.quiet,
            kind => kind != Kind::Skipped,
        };
        let mut text = Text::default();
        reports.iter().filter(shown).for_each(|report| report.write(&mut text));
        let unread = of_kind(Kind::Unread);
        let total = reports.len() - skipped - unread;
        let counts = Kind::SHOWN.map(|kind| format!("{} {}", of_kind(kind), kind.word()));
        _ = write!(text, "{}: {}", count(total, "file"), counts.join(", "));
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
        _ = text.write_str("\n");
        if self.json {
            output::print_json(
                &reports.iter().filter(shown).map(Report::json).collect::<Vec<_>>(),
            )?;
        } else {
            output::print(text)?;
        }
        let bad = [Kind::Differs, Kind::Refused, Kind::Damaged, Kind::Unread].map(of_kind);
        match missing {
            Some(failure) => Err(failure),
            None if total + unread == 0 => {
                let paths: Vec<String> =
                    self.paths.iter().map(|path| path.display().to_string()).collect();
                let why = "there is no file of a known format";
                Err(Failure::Data(format!("{}: {why}", paths.join(", "))))
            }
            None => Ok(Outcome::good_if(bad == [0; 4])),
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
            if let Some(format) = document::guess(&input.bytes, &settings) {
                let why = format!("a part of it is {format}; `gamewire salvage` writes that");
                return Ok(Kind::Damaged.with(&input.name, &why));
            }
            let kind = if file.is_named { Kind::Refused } else { Kind::Skipped };
            return Ok(kind.with(&input.name, &unknown(&input.bytes)));
        };
        let settings = self.reading.settings_of(format, &input);
        let name = &input.name;
        let verdict = match self.via_json {
            true => document::check_json(&input.bytes, &settings),
            false => document::check(&input.bytes, &settings),
        };
        // Only the notation of O3DE has less than the file.
        let lost = match (self.via_json, format) {
            (true, Format::O3deJson) => "; comments and layout are not carried",
            _ => "",
        };
        Ok(match verdict {
            Ok(Verdict::Identical) => Kind::Identical.with(name, ""),
            Ok(Verdict::Equivalent(at)) => {
                Kind::Equivalent.with(name, &format!("other bytes from byte {at:#x} on{lost}"))
            }
            Ok(Verdict::Differs(why)) => Kind::Differs.with(name, &why),
            Ok(other) => Kind::Differs.with(name, &format!("{other:?}")),
            Err(error) => Kind::Refused.with(name, &show(&error, name, &input.bytes)),
        })
    }
}
