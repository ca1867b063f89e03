use std::path::PathBuf;

use clap::Args;
use gamewire::document::{self, Settings};
use serde_json::json;

use crate::failure::{Failure, Outcome};
use crate::fault::{described, sentence};
use crate::files::{self, Bound};
use crate::output;

/// Say which format files have
///
/// The content decides if it cannot well be anything else, then the extension. In folders, files of
/// no known format are skipped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire detect savegame.dat project.binary
  gamewire detect saves/
  curl -s https://example.org/save | gamewire detect -")]
pub(crate) struct Detect {
    /// Files and folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a JSON array with the format of each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bound: Bound,
}

impl Detect {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Good;
        let walk = files::expand(&self.files);
        let mut all = Vec::new();
        for found in walk.files {
            let input = match found.read(self.bound) {
                // Other files of the folder may be readable.
                Err(Failure::Usage(message)) if !found.is_named => {
                    output::error(&message);
                    outcome = Outcome::Bad;
                    continue;
                }
                input => input?,
            };
            let (format, about) = match gamewire::detect(&input.bytes, input.path.as_deref()) {
                Some(format) if gamewire::detect(&input.bytes, None).is_none() => {
                    (Some(format), "by its extension".to_owned())
                }
                Some(format) => {
                    let settings = Settings { format: Some(format), ..Settings::default() };
                    let about = document::describe(&input.bytes, &settings);
                    (Some(format), described(about.unwrap_or_default()))
                }
                None if !found.is_named => continue,
                None => match document::detect(&input.bytes, None, true) {
                    Some(format) => {
                        let settings = Settings { format: Some(format), ..Settings::default() };
                        let about = document::describe(&input.bytes, &settings);
                        (Some(format), about.map(described).unwrap_or_default())
                    }
                    None => {
                        outcome = Outcome::Bad;
                        let about = document::unsupported_kind(&input.bytes)
                            .or_else(|| document::advice(&input.bytes));
                        let plain = || "not recognized".to_owned();
                        (None, about.as_ref().map_or_else(plain, sentence))
                    }
                },
            };
            if self.json {
                let format = format.map(gamewire::Format::crate_name);
                all.push(json!({ "file": input.raw_name, "format": format, "about": about }));
                continue;
            }
            let shown = [format.map(|own| own.to_string()).unwrap_or_default(), about];
            let shown: Vec<String> = shown.into_iter().filter(|own| !own.is_empty()).collect();
            output::print(format!("{}: {}\n", input.name, shown.join(", ")))?;
        }
        if self.json {
            output::print_json(&all)?;
        }
        for why in walk.unreadable {
            output::error(&why);
            outcome = Outcome::Bad;
        }
        Ok(outcome)
    }
}
