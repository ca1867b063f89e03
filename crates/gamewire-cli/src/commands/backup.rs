use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use gamewire::document::count;
use serde_json::json;

use super::{bar, slot::Reading};
use crate::failure::{Failure, Outcome};
use crate::files::{self, Walk};
use crate::formats::resonite::backup::{self, Problem};
use crate::output::Shown as _;
use crate::output::{self, Folder};

/// Check the backup of a Resonite account, say what fills its storage, and make packages of it
///
/// A backup is a folder as account download tools write it: records are JSON files (.json, .record)
/// with a `recordType`, assets are files named by their SHA-256 in 64 lower-case digits, with an
/// extension or without. They may lie in any folders of it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire backup check account/
  gamewire backup check account/ --json | jq .problems
  gamewire backup usage account/
  gamewire backup pack account/ packages/")]
pub(crate) struct Backup {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say what is damaged or missing: a line for each problem, and how many there are of what
    ///
    /// Every record is read, and its save; every asset must have the bytes of its name, and those
    /// that a record lists or its save points to must be there. The exit code is 1 if there is a
    /// problem.
    #[command(after_help = "\
Examples:
  gamewire backup check account/
  gamewire backup check account/ --json | jq .problems")]
    Check {
        /// The folder
        folder: PathBuf,
        /// Write JSON: the counts, and file, asset and message of each problem
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Say what fills the storage: by folder and item, its own bytes and the shared ones
    ///
    /// An asset is stored once, whoever lists it. The own bytes of an item are those of assets that no
    /// other item lists: deleting it frees them. What is shared is freed with the last of those that list
    /// it. The greatest come first. Only records are read, for the assets that they list.
    #[command(after_help = "\
Examples:
  gamewire backup usage account/
  gamewire backup usage account/ --delete R-1,R-2
  gamewire backup usage account/ --json | jq '.items[:5]'")]
    Usage {
        /// The folder
        folder: PathBuf,
        /// Say what deleting these items together frees
        #[arg(long, value_name = "ID", value_delimiter = ',')]
        delete: Vec<String>,
        /// Write JSON: id, name, path, own and shared bytes of each item, and the total
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Make a .resonitepackage of each record, with the assets that it needs
    ///
    /// It is called as the record is, in the folders of the inventory, with what is odd in a name written as %
    /// and two digits; what is too long is cut, with a hash at its end. A package that cannot be written is said,
    /// and the others are.
    /// Addresses in its save lead into the package where the asset is present; others stay. What is
    /// missing is named, and the exit code is 1 then. Folders, links and what was deleted become none.
    #[command(after_help = "\
Examples:
  gamewire backup pack account/ packages/
  gamewire backup pack account/ packages/ --force")]
    Pack {
        /// The folder
        folder: PathBuf,
        /// The folder for the packages, which is made if need be
        #[arg(value_name = "OUT_DIR")]
        output: PathBuf,
        /// Replace files, and follow links in OUT_DIR
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        reading: Reading,
    },
}

impl Backup {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Check { folder, json, reading } => {
                let (mut backup, walk) = read(&folder, reading, false)?;
                let progress = bar(backup.records.len(), "records");
                let counts = backup.check(&reading.options(), reading.bound, || progress.inc(1));
                progress.finish_and_clear();
                let is_good = backup.problems.is_empty() && walk.unreadable.is_empty();
                if json {
                    let problems: Vec<_> = backup.problems.iter().map(Problem::json).collect();
                    let mut value = counts.json();
                    if let Some(object) = value.as_object_mut() {
                        object.insert("problems".to_owned(), json!(problems));
                        object.insert("unreadable".to_owned(), json!(walk.unreadable));
                    }
                    output::print_json(&value)?;
                } else {
                    let mut text: String = backup.problems.iter().map(Problem::line).collect();
                    for why in &walk.unreadable {
                        _ = writeln!(text, "{why}");
                    }
                    let problems = count(backup.problems.len() + walk.unreadable.len(), "problem");
                    _ = writeln!(text, "{}; {problems}", counts.words());
                    output::print(&text)?;
                }
                Ok(Outcome::good_if(is_good))
            }
            What::Usage { folder, delete, json, reading } => {
                let (backup, walk) = read(&folder, reading, true)?;
                let usage = backup.usage();
                let freed =
                    match delete.is_empty() {
                        true => None,
                        false => Some(usage.freed(&delete).map_err(|error| {
                            Failure::Usage(format!("{}: {error}", folder.shown()))
                        })?),
                    };
                match json {
                    true => output::print_json(&backup::usage_json(&usage, freed))?,
                    false => output::print(backup::usage_text(&usage, freed))?,
                }
                let problems = backup.problems.iter().map(Problem::line);
                let problems: Vec<String> =
                    problems.chain(walk.unreadable.iter().map(|why| format!("{why}\n"))).collect();
                problems.iter().for_each(|line| output::error(line.trim_end()));
                Ok(Outcome::good_if(problems.is_empty()))
            }
            What::Pack { folder, output, force, reading } => {
                let (backup, walk) = read(&folder, reading, false)?;
                let to = Folder::new(&output, force);
                let packed = backup.packed();
                // Before anything is written.
                for (_, path) in &packed {
                    to.check(path)?;
                }
                for why in &walk.unreadable {
                    output::print(format!("{why}\n"))?;
                }
                for problem in &backup.problems {
                    output::print(problem.line())?;
                }
                let mut is_good = backup.problems.is_empty() && walk.unreadable.is_empty();
                let mut written = 0;
                let progress = bar(packed.len(), "records");
                for (entry, path) in &packed {
                    progress.inc(1);
                    let problems = match backup.pack(entry, &reading.options(), reading.bound) {
                        Ok((bytes, missing)) => {
                            match to.write(path, |out| out.write_all(&bytes)) {
                                Ok(()) => written += 1,
                                // The others may have names that the system takes.
                                Err(Failure::Usage(why) | Failure::Data(why)) => {
                                    progress.suspend(|| output::error(&why));
                                    is_good = false;
                                }
                                Err(Failure::Closed) => return Err(Failure::Closed),
                            }
                            missing
                        }
                        Err(problem) => vec![problem],
                    };
                    for problem in &problems {
                        progress.suspend(|| output::print(problem.line()))?;
                    }
                    is_good &= problems.is_empty();
                }
                progress.finish_and_clear();
                let all = count(packed.len(), "record");
                output::print(format!("{written} of {all} packed\n"))?;
                Ok(Outcome::good_if(is_good))
            }
        }
    }
}

/// Reads a folder, perhaps without its assets.
fn read(
    folder: &Path,
    reading: Reading,
    only_records: bool,
) -> Result<(backup::Backup, Walk), Failure> {
    if !folder.is_dir() {
        return Err(Failure::Usage(format!("{}: is no folder", folder.shown())));
    }
    let mut walk = files::expand(&[folder.to_owned()]);
    if only_records {
        walk.files.retain(|found| !backup::is_asset(&found.path));
    }
    if let Some(skipped) = walk.skipped.words(0) {
        output::note(&format!("{}: not read: {skipped}", folder.shown()));
    }
    let progress = bar(walk.files.len(), "files");
    let backup = backup::Backup::read(&walk.files, reading.bound, || progress.inc(1));
    progress.finish_and_clear();
    Ok((backup, walk))
}
