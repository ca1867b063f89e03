use std::fmt::Write as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;

use super::{Reading, bad, no_tool};
use crate::diff::{Change, What};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, is_dash};
use crate::formats::Side;
use crate::output;

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 120;

/// Compare two files by value
///
/// Prints a line for each difference: `path: old → new`, `- path: old`, `+ path: new`. Files that
/// differ only in how the data is written have no differences. Exits with 1 when there are any.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire diff before.dat after.dat
  gamewire diff --full before.dat after.dat
  git show HEAD:savegame.dat | gamewire diff - savegame.dat")]
pub(crate) struct Diff {
    /// The old file; `-` is standard input
    #[arg(value_name = "A")]
    old: PathBuf,
    /// The new file; `-` is standard input
    #[arg(value_name = "B")]
    new: PathBuf,
    /// Show long values whole
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    reading: Reading,
}

impl Diff {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if is_dash(&self.old) && is_dash(&self.new) {
            return Err(Failure::Usage("standard input cannot be both files".to_owned()));
        }
        let bound = self.reading.bound();
        let (old, new) = (Input::read(&self.old, bound)?, Input::read(&self.new, bound)?);
        let formats = (self.reading.format_of(&old)?, self.reading.format_of(&new)?);
        if formats.0 != formats.1 {
            return Err(Failure::Usage(format!(
                "{} is {}, {} is {}; only files of one format can be compared",
                old.name, formats.0, new.name, formats.1
            )));
        }
        let tool =
            self.reading.settings.tool_for(formats.0, &old).ok_or_else(|| no_tool(formats.0))?;
        let most = if self.full { usize::MAX } else { MAX_SHOWN };
        let changes =
            tool.diff(&old.bytes, &new.bytes, most).map_err(|(side, fault)| match side {
                Side::Old => bad(&old, &fault),
                Side::New => bad(&new, &fault),
            })?;
        output::print(&changes.iter().map(line).collect::<String>())?;
        Ok(Outcome::good_if(changes.is_empty()))
    }
}

fn line(change: &Change) -> String {
    let style = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    let (red, green) = (style(AnsiColor::Red), style(AnsiColor::Green));
    let path = &change.path;
    let mut text = String::new();
    _ = match &change.what {
        What::Changed(old, new) => {
            writeln!(text, "{path}: {red}{old}{red:#} → {green}{new}{green:#}")
        }
        What::Added(new) => writeln!(text, "{green}+ {path}: {new}{green:#}"),
        What::Removed(old) => writeln!(text, "{red}- {path}: {old}{red:#}"),
        What::Retyped(old, new) => {
            writeln!(text, "{path}: type {red}{old}{red:#} → {green}{new}{green:#}")
        }
        What::Reordered => writeln!(text, "{path}: the keys in another order"),
    };
    text
}
