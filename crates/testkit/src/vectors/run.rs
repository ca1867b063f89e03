//! Rows through a runner.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Outcome, Report, Row, Rows, Tally};
use crate::on_big_stack;
use crate::stack::panic_message;

/// Checks everything that a row says: decoding, the value, encoding, the consumed length, the
/// error where one is given. What differs is [`Outcome::Failed`]; [`Outcome::Skipped`] is only for
/// reasons that the documentation of the format lists.
///
/// Runs on a stack of 512 MiB, so it may recurse over the row. A panic counts as a failure of the
/// row.
pub type Runner = fn(row: &Row, context: &Context<'_>) -> Outcome;

/// The surroundings of a row.
#[derive(Debug)]
pub struct Context<'a> {
    /// The vector file.
    pub file: &'a Path,
    /// Where the files are that rows name: `--files`, or the folder of the vector file.
    pub folder: &'a Path,
    pub(super) cache: &'a Cache,
}

pub(super) type Cache = RefCell<HashMap<PathBuf, Rc<dyn Any>>>;

impl Context<'_> {
    /// A file that a row names, from [`folder`](Context::folder).
    ///
    /// # Errors
    /// The name and the error of the system, where the file cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.folder.join(name)).map_err(|error| format!("{name}: {error}"))
    }

    /// Something made from a file that many rows share, such as a schema: made at the first use,
    /// then kept for the whole run. A file is always made into the same type.
    ///
    /// # Errors
    /// The name and what is wrong, where the file cannot be read or `make` fails.
    pub fn shared<T: Any>(
        &self,
        name: &str,
        make: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Rc<T>, String> {
        let path = self.folder.join(name);
        let kept = self.cache.borrow().get(&path).cloned();
        let shared = match kept {
            Some(shared) => shared,
            None => {
                let new: Rc<dyn Any> =
                    Rc::new(make(&self.read(name)?).map_err(|error| format!("{name}: {error}"))?);
                self.cache.borrow_mut().insert(path, Rc::clone(&new));
                new
            }
        };
        shared.downcast().map_err(|_| format!("{name} was made into another type before"))
    }
}

/// Runs all rows of all files and prints the report to `out`.
///
/// `folder` is where the files are that rows name; beside the vector file without it.
pub fn run_files(
    runner: Runner,
    files: &[PathBuf],
    folder: Option<&Path>,
    out: &mut (impl Write + Send),
) -> Tally {
    on_big_stack(|| {
        let cache = Cache::default();
        let mut report = Report::new(out);
        for file in files {
            let beside = file.parent().unwrap_or(Path::new(""));
            let context = Context { file, folder: folder.unwrap_or(beside), cache: &cache };
            match Rows::open(file) {
                Ok(rows) => run_all(runner, rows, &context, &mut report),
                Err(error) => report.unopened(file, &error),
            }
        }
        report.finish()
    })
}

/// Runs the rows of a text, one a line, as if it were the file `file`, and prints the report to
/// `out`.
pub fn run_text(runner: Runner, file: &Path, text: &str, out: &mut (impl Write + Send)) -> Tally {
    on_big_stack(|| {
        let (cache, mut report) = (Cache::default(), Report::new(out));
        let folder = file.parent().unwrap_or(Path::new(""));
        let context = Context { file, folder, cache: &cache };
        let rows = Rows::from_text(&file.display().to_string(), text);
        run_all(runner, rows, &context, &mut report);
        report.finish()
    })
}

fn run_all<W: Write>(runner: Runner, rows: Rows, context: &Context<'_>, report: &mut Report<W>) {
    for row in rows {
        match row {
            Ok(row) => report.row(&row, &run_row(runner, &row, context)),
            Err(error) => report.unreadable(&error),
        }
    }
}

/// A runner that panics is a row that failed.
pub(super) fn run_row(runner: Runner, row: &Row, context: &Context<'_>) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| runner(row, context))).unwrap_or_else(|payload| {
        Outcome::Failed(format!("panicked: {}", panic_message(&*payload)))
    })
}
