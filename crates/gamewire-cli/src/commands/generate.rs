use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Subcommand};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::{Failure, Outcome};
use crate::output::{Folder, Sink};

/// Generate shell completions and man pages
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire generate completions bash > gamewire.bash
  gamewire generate man | man -l -
  gamewire generate man share/man/man1")]
pub(crate) struct Generate {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Completions for a shell, to standard output
    Completions {
        /// The shell
        shell: Shell,
    },
    /// The man page to standard output, or those of all commands to a folder
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

impl Generate {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut command = Cli::command();
        match self.what {
            What::Completions { shell } => {
                let mut text = Vec::new();
                clap_complete::generate(shell, &mut command, "gamewire", &mut text);
                Sink::Stdout.write(|out| out.write_all(&text))?;
            }
            What::Man { folder: None } => {
                let page = clap_mangen::Man::new(command);
                Sink::Stdout.write(|mut out| page.render(&mut out))?;
            }
            What::Man { folder: Some(folder) } => {
                let pages = pages(command)
                    .map_err(|error| Failure::io(&folder.display().to_string(), &error))?;
                let folder = Folder { path: &folder, force: true };
                for (name, page) in pages {
                    folder.write(name.as_ref(), |out| out.write_all(&page))?;
                }
            }
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
