//! `gamewire tree` of prefabs.

use clap::Args;
use gamewire::Format;
use gamewire::document::{Drawing, Error, Picture, prefab_tree};
use gamewire::o3de_json::report::Outcome;
use gamewire::o3de_json::value::Document;
use gamewire::o3de_prefab::{Loader, Prefab};

use super::project;
use super::resolve::note;
use crate::args::FormatArgs;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::failure::{Failure, bad};
use crate::files::Input;

/// How a prefab is shown.
#[derive(Args)]
#[command(next_help_heading = "O3DE, what is shown")]
pub(crate) struct TreeArgs {
    /// Go into instances; sources are looked for in the project around the file
    #[arg(long)]
    expand: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    defaults: OwnDefaults,
}

impl TreeArgs {
    /// Whether the command line speaks of prefabs.
    pub(crate) fn is_used(&self) -> bool {
        self.expand
    }

    pub(crate) fn draw(
        &self,
        input: &Input,
        args: &FormatArgs,
        all: bool,
        picture: Picture,
    ) -> Result<Drawing, Failure> {
        let settings = args.settings(Some(Format::O3deJson));
        let options = settings.o3de.options_for(settings.limits, input.path.as_deref());
        let fault = |error| bad(input, &Error::from(error));
        let document = Document::from_slice(&input.bytes, &options).map_err(fault)?;
        Prefab::new(document.value()).map_err(fault)?;
        let mut value = document.value().clone();
        if self.expand {
            let file = input.path.as_deref().ok_or_else(|| {
                Failure::Usage("standard input is in no project, for --expand".to_owned())
            })?;
            let defaults = self.defaults.read(args.limits)?;
            let (project, path) = project::around(file, None, &self.search)?;
            let mut loader = Loader::new(project).options(options).defaults(defaults);
            let resolved = loader.resolve(value, &path);
            // What is not found is drawn as that.
            let issues = resolved.report.issues().iter();
            let issues = issues.filter(|own| {
                own.pointer.contains("/Patches/") && own.outcome != Outcome::PartialDefaults
            });
            note(input, &document, &issues.collect::<Vec<_>>());
            value = resolved.value;
        }
        let prefab = Prefab::new(&value).map_err(fault)?;
        Ok(prefab_tree(&prefab, all, self.expand, picture))
    }
}
