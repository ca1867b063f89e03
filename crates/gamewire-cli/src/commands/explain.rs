use std::io;
use std::path::PathBuf;

use clap::Args;

use super::{Reading, bad};
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::output::{self, Sink};

/// Say what every byte of a file means
///
/// A file that cannot be read to its end is explained as far as it can be.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire explain savegame.dat | less -R
  gamewire explain broken.dat -f godot-variant
  gamewire explain savegame.dat --html savegame.html
  gamewire explain savegame.dat --json | jq .")]
pub(crate) struct Explain {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write a page for a browser, and nothing to standard output
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Explain {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let input = Input::read(&self.file)?;
        let tool = self.reading.tool(&input)?;
        let explained = tool.explain(&input.bytes).map_err(|fault| bad(&input, &fault))?;
        if let Some(path) = &self.html {
            let page = explained.html(&input.name);
            Sink::new(Some(path)).write(|out| out.write_all(page.as_bytes()))?;
        } else if self.json {
            Sink::Stdout.write(|out| explained.write_json(out).map_err(io::Error::from))?;
        } else {
            output::print(&explained.text(output::has_color()))?;
        }
        match explained.error() {
            None => Ok(Outcome::Good),
            Some(fault) => Err(bad(&input, &fault)),
        }
    }
}
