use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

use crate::failure::{Failure, Outcome};
use crate::output::Shown as _;
use crate::output::{Folder, Sink};

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire completions bash > ~/.local/share/bash-completion/completions/gamewire
  gamewire completions zsh > ~/.zfunc/_gamewire
  gamewire completions fish > ~/.config/fish/completions/gamewire.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the man page, or write those of all commands to a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire man | man -l -
  gamewire man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder
    folder: Option<PathBuf>,
}

/// Generate shell completions and man pages
#[derive(Args)]
pub(crate) struct Generate {
    #[command(subcommand)]
    what: What,
}

/// The names by which the two were known before.
#[derive(Subcommand)]
enum What {
    Completions(Completions),
    Man(Man),
}

impl Generate {
    pub(crate) fn run(self, whole: fn() -> clap::Command) -> Result<Outcome, Failure> {
        match self.what {
            What::Completions(command) => command.run(whole),
            What::Man(command) => command.run(whole),
        }
    }
}

impl Completions {
    pub(crate) fn run(self, whole: fn() -> clap::Command) -> Result<Outcome, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut whole(), "gamewire", &mut text);
        Sink::Stdout.write(|out| out.write_all(&text))?;
        Ok(Outcome::Good)
    }
}

impl Man {
    pub(crate) fn run(self, whole: fn() -> clap::Command) -> Result<Outcome, Failure> {
        let command = whole();
        let Some(folder) = self.folder else {
            let page = clap_mangen::Man::new(command);
            Sink::Stdout.write(|mut out| page.render(&mut out))?;
            return Ok(Outcome::Good);
        };
        let pages = pages(command).map_err(|error| Failure::io(&folder.shown(), &error))?;
        let folder = Folder::new(&folder, true);
        for (name, page) in pages {
            folder.write(name.as_ref(), |out| out.write_all(&page))?;
        }
        Ok(Outcome::Good)
    }
}

/// The man pages of all commands, by their names.
fn pages(command: clap::Command) -> io::Result<Vec<(OsString, Vec<u8>)>> {
    let folder = tempfile::tempdir()?;
    clap_mangen::generate_to(command, folder.path())?;
    let entries = std::fs::read_dir(folder.path())?;
    entries
        .map(|entry| entry.and_then(|entry| Ok((entry.file_name(), std::fs::read(entry.path())?))))
        .collect()
}
