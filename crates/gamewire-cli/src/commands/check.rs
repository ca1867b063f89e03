use std::fmt::Write as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::{ParallelProgressIterator as _, ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::{NOT_RECOGNISED, Reading, no_tool};
use crate::failure::{Failure, Outcome};
use crate::files::{self, Found, Input};
use crate::formats::Verdict;
use crate::output;

/// Decode files, encode them again, and compare
///
/// A file is `identical` when the same bytes come out, `equivalent` when other bytes with the same
/// data do, `differs` when the data is not the same, and `refused` when it cannot be read. Files of
/// no known format are passed over in folders, and refused when they are named.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire check savegame.dat
  gamewire check --quiet saves/ project.binary
  gamewire check old/ --dialect godot3 --format godot-variant")]
pub(crate) struct Check {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Leave out what is identical
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    reading: Reading,
}

/// What is said of a file.
struct Report {
    kind: Kind,
    /// The lines, with the word for the kind in front.
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Identical,
    Equivalent,
    Differs,
    Refused,
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
            Kind::Skipped => "skipped",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Kind::Identical => AnsiColor::Green,
            Kind::Equivalent | Kind::Skipped => AnsiColor::Yellow,
            Kind::Differs | Kind::Refused => AnsiColor::Red,
        };
        Style::new().fg_color(Some(color.into()))
    }

    fn with(self, text: &str) -> Report {
        let (style, word) = (self.style(), self.word());
        Report { kind: self, text: format!("{style}{word:10}{style:#}  {text}\n") }
    }
}

impl Check {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let files = files::expand(&self.paths)?;
        let progress = progress(&files);
        let reports = files.par_iter().progress_with(progress.clone()).map(|file| self.one(file));
        let reports: Result<Vec<Report>, Failure> = reports.collect();
        progress.finish_and_clear();
        let reports = reports?;

        let count = |kind| reports.iter().filter(|report| report.kind == kind).count();
        let skipped = count(Kind::Skipped);
        let shown = |report: &&Report| match report.kind {
            Kind::Identical => !self.quiet,
            kind => kind != Kind::Skipped,
        };
        let mut text: String =
            reports.iter().filter(shown).map(|report| report.text.as_str()).collect();
        let total = reports.len() - skipped;
        let counts = Kind::SHOWN.map(|kind| format!("{} {}", count(kind), kind.word()));
        let files = if total == 1 { "file" } else { "files" };
        _ = write!(text, "{total} {files}: {}", counts.join(", "));
        if skipped > 0 {
            _ = write!(text, "; {skipped} of no known format skipped");
        }
        text.push('\n');
        output::print(&text)?;
        Ok(Outcome::good_if(count(Kind::Differs) + count(Kind::Refused) == 0))
    }

    fn one(&self, file: &Found) -> Result<Report, Failure> {
        let input = match Input::read(&file.path) {
            // Other files of the folder may be readable.
            Err(Failure::Usage(message)) if !file.is_named => {
                return Ok(Kind::Refused.with(&message));
            }
            input => input?,
        };
        let Reading { format, settings } = &self.reading;
        let format = match format {
            Some(format) => Some(*format),
            // The options for one format do not make every file in a folder one of its files.
            None if !file.is_named => gamewire::detect(&input.bytes, input.path.as_deref()),
            None => settings.format_of(None, &input),
        };
        let Some(format) = format else {
            let kind = if file.is_named { Kind::Refused } else { Kind::Skipped };
            return Ok(kind.with(&format!("{}: {NOT_RECOGNISED}", input.name)));
        };
        let tool = settings.tool(format).ok_or_else(|| no_tool(format))?;
        let name = &input.name;
        Ok(match tool.check(&input.bytes) {
            Ok(Verdict::Identical) => Kind::Identical.with(name),
            Ok(Verdict::Equivalent(at)) => {
                Kind::Equivalent.with(&format!("{name}: other bytes from byte {at:#x} on"))
            }
            Ok(Verdict::Differs(why)) => Kind::Differs.with(&format!("{name}: {why}")),
            Err(fault) => Kind::Refused.with(&fault.show(name, &input.bytes)),
        })
    }
}

/// A bar on standard error, if that is a terminal and there is something to wait for.
fn progress(files: &[Found]) -> ProgressBar {
    if files.len() < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::try_from(files.len()).unwrap_or(u64::MAX));
    match ProgressStyle::with_template("{bar:30} {pos}/{len} files") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
