use std::collections::BTreeSet;

use clap::{Args, CommandFactory as _, ValueEnum};
use gamewire::Format;

use crate::cli::Cli;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Print the lines that make git show and merge game data by value
///
/// Lines for .gitattributes, which say what files are meant, and lines for the configuration, which
/// say what git is to run. Files of these names that are something else, or broken, are compared as
/// text or by their size.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire git attributes >> .gitattributes
  gamewire git config >> .git/config
  git diff
  git log -p savegame.dat
  git difftool --tool gamewire HEAD~1 savegame.dat")]
pub(crate) struct Git {
    /// Only the lines of one of the two files
    #[arg(value_enum)]
    what: Option<What>,
    /// Show the changes as `gamewire diff` does, a line for each changed value, in place of a diff of
    /// lines
    #[arg(long)]
    external: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum What {
    /// For .gitattributes
    Attributes,
    /// For .git/config or ~/.gitconfig
    Config,
}

/// Extensions of saves that no format has for itself.
const MORE: [&str; 3] = ["dat", "save", "sav"];

impl Git {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut text = String::new();
        // Only a build with the driver has it.
        let merges = Cli::command().find_subcommand("merge3").is_some();
        if self.what != Some(What::Config) {
            if self.what.is_none() {
                text.push_str("# .gitattributes\n");
            }
            let own = Format::ALL.iter().flat_map(|format| format.extensions().iter().copied());
            let all: BTreeSet<&str> = own.chain(MORE).filter(|own| *own != "xml").collect();
            for extension in all {
                let merge = if merges { " merge=gamewire" } else { "" };
                text.push_str(&format!("*.{extension} diff=gamewire{merge}\n"));
            }
        }
        if self.what != Some(What::Attributes) {
            if self.what.is_none() {
                text.push_str("\n# .git/config\n");
            }
            let key = if self.external { "command" } else { "textconv" };
            text.push_str(&format!("[diff \"gamewire\"]\n\t{key} = gamewire diff\n"));
            text.push_str("[difftool \"gamewire\"]\n");
            text.push_str("\tcmd = gamewire diff \\\"$LOCAL\\\" \\\"$REMOTE\\\"\n");
            if merges {
                text.push_str("[merge \"gamewire\"]\n\tname = by value\n");
                text.push_str("\tdriver = gamewire merge3 %O %A %B --name %P -o %A\n");
            }
        }
        output::print(&text)?;
        Ok(Outcome::Good)
    }
}
