//! `gamewire types`

use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::schema::Change;
use serde_json::Value as Json;

use super::export::Version;
use super::{class, classes, derived, export, find, hashes_of, lookup, summary};
use crate::args::pclass::types;
use crate::failure::{Failure, Outcome};
use crate::files::{self, Bound};
use crate::output::Shown as _;
use crate::output::{self, Drawing, Paging, Sink};

/// Look into type lists of KingsIsle's games
///
/// Without an option, how much there is in the lists. Several lists are one; a class that is in several
/// must be the same in them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire types types.json
  gamewire types types.json --class Duel
  gamewire types types.json --derived GameEffectInfo
  gamewire types client.json server.json --hash 0x1234abcd
  gamewire types --hash-of \"class CoreObject\" --hash-of \"unsigned int m_id\"
  gamewire types before.json --diff after.json
  gamewire types client.json server.json --export both.json --as v2")]
pub(crate) struct Types {
    /// Type lists in JSON, of version 1 or 2, or in KingsIsle's own XML
    #[arg(required_unless_present = "hash_of", value_name = "LIST")]
    lists: Vec<PathBuf>,
    /// Show a class: its bases, what is derived from it, its properties; may be repeated
    #[arg(long, value_name = "CLASS")]
    class: Vec<String>,
    /// List the classes that are derived from one; may be repeated
    #[arg(long, value_name = "CLASS")]
    derived: Vec<String>,
    /// List all classes
    #[arg(long)]
    classes: bool,
    /// Say which class or property has a hash, such as 0x1234abcd; may be repeated
    #[arg(long, value_name = "HASH", value_parser = crate::args::pclass::number)]
    hash: Vec<u32>,
    /// Compute the hashes of a text: a class, or the type and name of a property; may be repeated
    #[arg(long, value_name = "TEXT")]
    hash_of: Vec<String>,
    /// Say what another list has in another way; exits with 1 where there is something
    #[arg(long, value_name = "FILE", conflicts_with = "export")]
    diff: Option<PathBuf>,
    /// Write all lists as one
    #[arg(long, value_name = "OUT")]
    export: Option<PathBuf>,
    /// The version that is written
    #[arg(long = "as", value_name = "VERSION", default_value = "v2", requires = "export")]
    version: Version,
    /// Of a class that is in several lists in different ways, take the first
    #[arg(long)]
    keep_first: bool,
    /// Write JSON: an array with an object for each question
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    paging: Paging,
    #[command(flatten)]
    bound: Bound,
}

impl Types {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let mut texts = Vec::new();
        for path in &self.lists {
            texts.push(
                files::read(path, self.bound)
                    .map_err(|why| Failure::Usage(format!("{}: {why}", path.shown())))?,
            );
        }
        let schema = self.merged(&texts)?;
        if let Some(path) = &self.export {
            let text = export::merged(&texts, &schema, self.version).map_err(Failure::Data)?;
            Sink::new(Some(path)).write_bytes(text.as_bytes())?;
            return Ok(Outcome::Good);
        }
        if let Some(path) = &self.diff {
            return self.differences(&schema, path);
        }
        let answers = self.answers(&schema).map_err(Failure::Data)?;
        if self.json {
            output::print_json(&answers.iter().map(|own| &own.json).collect::<Vec<&Json>>())?;
        } else {
            let texts: Vec<&str> = answers.iter().map(|own| own.text.as_str()).collect();
            self.paging.print(texts.concat())?;
        }
        Ok(Outcome::Good)
    }

    fn differences(&self, old: &Schema, path: &Path) -> Result<Outcome, Failure> {
        let new = types(path).map_err(|why| Failure::Data(format!("{}: {why}", path.shown())))?;
        let changes = old.diff(&new);
        if self.json {
            let row = |own: &Change| {
                serde_json::json!({
                    "class": own.class, "property": own.property, "part": own.part.name(),
                    "old": own.old, "new": own.new,
                })
            };
            output::print_json(&changes.iter().map(row).collect::<Vec<_>>())?;
        } else {
            self.paging.print(changes.iter().map(|own| format!("{own}\n")).collect::<String>())?;
        }
        Ok(Outcome::good_if(changes.is_empty()))
    }

    fn merged(&self, texts: &[Vec<u8>]) -> Result<Schema, Failure> {
        let named = |path: &Path, error| Failure::Data(format!("{}: {error}", path.shown()));
        let mut builder = Schema::builder().keep_first(self.keep_first);
        for (path, text) in self.lists.iter().zip(texts) {
            let list = Schema::builder().list(text).and_then(|list| list.build());
            let list = list.map_err(|error| named(path, error))?;
            builder = builder.merge(&list);
        }
        builder.build().map_err(|error| Failure::Data(error.to_string()))
    }

    fn answers(&self, schema: &Schema) -> Result<Vec<Drawing>, String> {
        let mut answers = Vec::new();
        for name in &self.class {
            answers.push(class(schema, name)?);
        }
        for name in &self.derived {
            let names = derived(schema, find(schema, name)?);
            answers
                .push(classes(schema, |own| names.iter().any(|other| other.name() == own.name())));
        }
        if self.classes {
            answers.push(classes(schema, |_| true));
        }
        answers.extend(self.hash.iter().map(|hash| lookup(schema, *hash)));
        answers.extend(self.hash_of.iter().map(|text| hashes_of(text)));
        if answers.is_empty() {
            answers.push(summary(schema));
        }
        Ok(answers)
    }
}
