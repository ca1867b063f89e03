//! Several files and whole folders, each of which becomes a file in another folder.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::count;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::{progress, sources};
use crate::args::FormatArgs;
use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Found, Input};
use crate::output::Shown as _;
use crate::output::{self, Folder, Sink, is_dash};

/// Where the output goes when there are several files.
#[derive(Args)]
pub(crate) struct Batch {
    /// A folder for the output of several files and of whole folders, each below its own name
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Replace files that are in the folder, and follow links in it
    #[arg(long, requires = "out_dir")]
    force: bool,
}

/// The work of a command on each of several files.
pub(crate) trait Each: Sync {
    /// The path of the output in the folder.
    fn output(&self, relative: &Path) -> PathBuf;

    /// Whether a file that was found in a folder is one of those that are meant.
    fn is_meant(&self, input: &Input) -> bool;

    fn one(&self, input: &Input, relative: &Path, sink: &Sink<'_>) -> Result<(), Failure>;
}

/// The outcome for a file.
enum Done {
    Written,
    Failed(String),
    Skipped,
}

impl Batch {
    /// The folder that is named for the output.
    pub(crate) fn folder(&self) -> Option<Folder<'_>> {
        self.out_dir.as_deref().map(|path| Folder::new(path, self.force))
    }

    /// The only file there is, for output that goes elsewhere.
    pub(crate) fn only(files: &[PathBuf]) -> Result<&Path, Failure> {
        match files {
            [file] => Ok(file),
            _ => Err(Failure::Usage("several files need --out-dir".to_owned())),
        }
    }
}

/// Does it with each file. What is wrong with one of them is said, and the others are written.
pub(crate) fn run(
    paths: &[PathBuf],
    folder: &Folder<'_>,
    args: &FormatArgs,
    each: &impl Each,
) -> Result<Outcome, Failure> {
    if paths.iter().any(|path| is_dash(path)) {
        let why = "standard input has no name that its output could have in a folder";
        return Err(Failure::Usage(why.to_owned()));
    }
    let (walk, bound) = (sources::expand(paths, &args.settings(None))?, args.bound());
    sources::must_be_some(&walk.files, paths)?;
    must_be_free(&walk.files, folder, bound, each)?;

    let bar = progress(&walk.files);
    let done = walk.files.par_iter().map(|found| {
        let done = one(found, folder, bound, each);
        bar.inc(1);
        done
    });
    let done: Vec<Done> = done.collect();
    bar.finish_and_clear();

    let (mut written, mut failed, mut skipped) = (0, walk.unreadable.len(), 0);
    walk.unreadable.iter().for_each(|why| output::error(why));
    for done in &done {
        match done {
            Done::Written => written += 1,
            Done::Skipped => skipped += 1,
            Done::Failed(why) => {
                failed += 1;
                output::error(why);
            }
        }
    }
    let written = count(written, "file");
    let skipped = walk.skipped.words(skipped).map(|words| format!("; skipped: {words}"));
    let skipped = skipped.unwrap_or_default();
    output::print(format!("{written} written, {failed} failed{skipped}\n"))?;
    Ok(Outcome::good_if(failed == 0))
}

fn one(found: &Found, folder: &Folder<'_>, bound: Bound, each: &impl Each) -> Done {
    let written = found.read(bound).and_then(|input| {
        if !input.is_named && !each.is_meant(&input) {
            return Ok(Done::Skipped);
        }
        let output = each.output(&found.relative);
        each.one(&input, &found.relative, &Sink::Below(folder, &output))?;
        Ok(Done::Written)
    });
    match written {
        Ok(done) => done,
        Err(Failure::Data(why) | Failure::Usage(why)) => Done::Failed(why),
        Err(Failure::Closed) => Done::Failed(format!("{}: closed", found.path.shown())),
    }
}

/// Before anything is written: no two files may have the same output, and none may be there.
fn must_be_free(
    files: &[Found],
    folder: &Folder<'_>,
    bound: Bound,
    each: &impl Each,
) -> Result<(), Failure> {
    // Files that are skipped have no output. They are detected by their content, which is looked at
    // only where something is in the way.
    let is_meant = |found: &Found| {
        found.is_named || found.read(bound).is_ok_and(|input| each.is_meant(&input))
    };
    let mut outputs: BTreeMap<PathBuf, Vec<&Found>> = BTreeMap::new();
    for found in files {
        outputs.entry(each.output(&found.relative)).or_default().push(found);
    }
    let mut folders: HashSet<&Path> = HashSet::new();
    for output in outputs.keys() {
        folders.extend(output.ancestors().skip(1));
    }
    for (output, sources) in &outputs {
        let is_contested = sources.len() > 1 || folders.contains(output.as_path());
        let meant = || sources.iter().filter(|found| is_meant(found)).collect::<Vec<_>>();
        if is_contested && let [first, rest @ ..] = meant().as_slice() {
            let to = folder.path.join(output);
            if let Some(second) = rest.first() {
                return Err(Failure::Usage(format!(
                    "{} and {} would both be written to {}; nothing is written",
                    first.path.shown(),
                    second.path.shown(),
                    to.shown()
                )));
            }
            if folders.contains(output.as_path()) {
                return Err(Failure::Usage(format!(
                    "{}: {} would be a file and a folder; nothing is written",
                    first.path.shown(),
                    to.shown()
                )));
            }
        }
        if let Err(failure) = folder.check(output)
            && !meant().is_empty()
        {
            return Err(failure);
        }
    }
    Ok(())
}

/// The path with another extension after the one that it has.
pub(crate) fn with(relative: &Path, extension: &str) -> PathBuf {
    let mut name = relative.as_os_str().to_owned();
    name.push(OsStr::new("."));
    name.push(extension);
    PathBuf::from(name)
}
