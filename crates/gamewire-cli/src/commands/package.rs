use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::bad;
use crate::failure::{Failure, Outcome};
use crate::files::Input;
use crate::formats::resonite::package;
use crate::output::{self, Sink};

/// List, extract, build and verify packages
///
/// A .resonitepackage is a zip archive with a save, the assets that it needs, and a record.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire package list item.resonitepackage
  gamewire package extract item.resonitepackage item/
  gamewire package build item/ item.resonitepackage
  gamewire package build item.brson item.resonitepackage --asset picture.webp
  gamewire package verify *.resonitepackage")]
pub(crate) struct Package {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What is in a package: the record, and each asset with its size and what it is
    List {
        /// The package; `-` is standard input
        file: PathBuf,
    },
    /// Write all entries of a package into a folder
    Extract {
        /// The package; `-` is standard input
        file: PathBuf,
        /// The folder, which is made if need be
        folder: PathBuf,
    },
    /// Make a package of an extracted folder, or of a save and its assets
    ///
    /// Assets that were changed in the folder get the names that their content has, and the save
    /// points to them.
    Build {
        /// A folder as `extract` writes it, or a save
        from: PathBuf,
        /// The package; `-` is standard output
        #[arg(value_name = "OUT")]
        output: PathBuf,
        /// The name that users see [default: that of the folder's record, or of the root slot]
        #[arg(long)]
        name: Option<String>,
        /// A file to put in beside the save, under its hash
        #[arg(long, value_name = "FILE")]
        asset: Vec<PathBuf>,
    },
    /// Check hashes, sizes, the record's list and the addresses in the save
    Verify {
        /// The packages
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

impl Package {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::List { file } => {
                let input = Input::read(&file)?;
                let text = package::list(&input.bytes).map_err(|fault| bad(&input, &fault))?;
                output::print(&text)?;
                Ok(Outcome::Good)
            }
            What::Extract { file, folder } => {
                let input = Input::read(&file)?;
                let entries =
                    package::entries(&input.bytes).map_err(|fault| bad(&input, &fault))?;
                for (name, bytes) in entries {
                    let path = folder.join(name);
                    let parent = path.parent().unwrap_or(&folder);
                    std::fs::create_dir_all(parent)
                        .and_then(|()| std::fs::write(&path, bytes))
                        .map_err(|error| Failure::io(&path.display().to_string(), &error))?;
                }
                Ok(Outcome::Good)
            }
            What::Build { from, output, name, asset } => {
                let bytes = if from.is_dir() {
                    package::from_folder(&from, name.as_deref(), &asset)?
                } else {
                    let input = Input::read(&from)?;
                    let assets = asset.iter().map(|path| Input::read(path).map(|own| own.bytes));
                    let assets = assets.collect::<Result<Vec<_>, Failure>>()?;
                    package::from_save(&input.bytes, name.as_deref(), assets)
                        .map_err(|fault| bad(&input, &fault))?
                };
                Sink::new(Some(&output)).write_bytes(&bytes)?;
                Ok(Outcome::Good)
            }
            What::Verify { files } => {
                let mut is_good = true;
                for file in files {
                    let input = Input::read(&file)?;
                    let (text, good) = match package::verify(&input.bytes) {
                        Ok(report) => report,
                        Err(fault) => (format!("  {}\n", fault.message), false),
                    };
                    is_good &= good;
                    let word = if good { "good" } else { "bad" };
                    output::print(&format!("{word:<5} {}\n{text}", input.name))?;
                }
                Ok(Outcome::good_if(is_good))
            }
        }
    }
}
