//! `gamewire tree` of prefabs.

use clap::Args;
use gamewire::Format;
use gamewire::document::{Drawing, Error, TreeOptions, count, prefab_tree};
use gamewire::o3de_json::report::Outcome;
use gamewire::o3de_json::value::Document;
use gamewire::o3de_prefab::{Loader, Prefab};

use super::project;
use crate::args::FormatArgs;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::failure::Failure;
use crate::files::{Input, bad};
use crate::output;

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
        picture: TreeOptions,
    ) -> Result<Drawing, Failure> {
        let settings = args.settings(Some(Format::O3deJson));
        let options = settings.o3de.options_for(settings.limits, input.path.as_deref());
        let fault = |error| bad(input, &Error::from(error));
        let document = Document::from_slice(&input.bytes, &options).map_err(fault)?;
        Prefab::new(document.value()).map_err(fault)?;
        let mut value = document.into_value();
        if self.expand {
            let file = input.path.as_deref().ok_or_else(|| {
                Failure::Usage("standard input is in no project, for --expand".to_owned())
            })?;
            let defaults = self.defaults.read(args.limits)?;
            let (project, path) = project::around(file, None, &self.search)?;
            let mut loader = Loader::new(project).options(options).defaults(defaults);
            let resolved = loader.resolve(value, &path);
            // A missing prefab is drawn as missing.
            let left_out = resolved.report.issues().iter().filter(|own| {
                own.pointer.contains("/Patches/") && own.outcome != Outcome::PartialDefaults
            });
            match left_out.count() {
                0 => {}
                many => output::note(&format!(
                    "{} left out; `gamewire resolve` says why",
                    count(many, "override")
                )),
            }
            value = resolved.value;
        }
        let prefab = Prefab::new(&value).map_err(fault)?;
        Ok(prefab_tree(&prefab, all, self.expand, picture))
    }
}
