use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::files::{self, Bound};
use crate::formats::{Settings, godot};
use crate::output;

/// Say which format files have
///
/// The content decides if it cannot well be anything else, then the extension. In folders, files of
/// no known format are passed over.
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
    #[command(flatten)]
    bound: Bound,
}

impl Detect {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Good;
        let walk = files::expand(&self.files);
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
            let line = match gamewire::detect(&input.bytes, input.path.as_deref()) {
                Some(format) if gamewire::detect(&input.bytes, None).is_none() => {
                    format!("{}: {format}, by its extension\n", input.name)
                }
                Some(format) => {
                    let tool = Settings::default().tool(format);
                    let about = tool.map(|tool| format!(", {}", tool.describe(&input.bytes)));
                    format!("{}: {format}{}\n", input.name, about.unwrap_or_default())
                }
                None if !found.is_named => continue,
                None if godot::is_native_json(&input.bytes) => {
                    format!("{}: {}, json\n", input.name, gamewire::Format::GodotVariant)
                }
                None => {
                    outcome = Outcome::Bad;
                    let about = godot::neighbour(&input.bytes);
                    let about = about.unwrap_or_else(|| "not recognised".to_owned());
                    format!("{}: {about}\n", input.name)
                }
            };
            output::print(&line)?;
        }
        for why in walk.unreadable {
            output::error(&why);
            outcome = Outcome::Bad;
        }
        Ok(outcome)
    }
}
