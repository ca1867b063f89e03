//! `cargo xtask vectors`: vector files, row by row, through a format crate.
//!
//! Each format crate has a module here with one function, its [`Runner`]:
//!
//! ```text
//! // xtask/src/vectors/godot_variant.rs
//! use gamewire_testkit::vectors::{Outcome, Row};
//! use super::Context;
//!
//! pub(super) fn run(row: &Row, context: &Context<'_>) -> Outcome { ... }
//! ```
//!
//! A new crate is three lines: the dependency in `xtask/Cargo.toml`, `mod godot_variant;` below, and
//! `("godot-variant", godot_variant::run)` in [`RUNNERS`].

mod godot_variant;
mod resonite_brson;

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gamewire_testkit::on_big_stack;
use gamewire_testkit::vectors::{Outcome, Report, Row, Rows, Tally};

use crate::Status;

/// Checks everything that a row says: decoding, the value, encoding, the consumed length, the
/// error where one is given. What differs is [`Outcome::Failed`]; [`Outcome::Skipped`] is only for
/// reasons that the documentation of the format lists.
///
/// Runs on a stack of 512 MiB, so it may recurse over the row. A panic counts as a failure of the
/// row.
pub(crate) type Runner = fn(row: &Row, context: &Context<'_>) -> Outcome;

/// Which crate a name stands for.
pub(crate) const RUNNERS: &[(&str, Runner)] =
    &[("godot-variant", godot_variant::run), ("resonite-brson", resonite_brson::run)];

/// What a runner knows beside the row.
// Which of it is needed is the affair of each runner.
#[allow(dead_code)]
pub(crate) struct Context<'a> {
    /// The vector file.
    pub(crate) file: &'a Path,
    /// Where the files are that rows name: `--files`, or the folder of the vector file.
    pub(crate) folder: &'a Path,
    cache: &'a Cache,
}

type Cache = RefCell<HashMap<PathBuf, Rc<dyn Any>>>;

#[allow(dead_code)]
impl Context<'_> {
    /// A file that a row names, from [`folder`](Context::folder).
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.folder.join(name)).map_err(|error| format!("{name}: {error}"))
    }

    /// Something made from a file that many rows share, such as a schema: made at the first use,
    /// then kept for the whole run. A file is always made into the same type.
    pub(crate) fn shared<T: Any>(
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

pub(crate) fn run(name: &str, files: &[PathBuf], folder: Option<&Path>) -> crate::Outcome {
    let Some(runner) = runner(name) else {
        let known: Vec<&str> = RUNNERS.iter().map(|(name, _)| *name).collect();
        eprintln!("error: no vectors for `{name}`; there are: {}", known.join(", "));
        return Ok(Status::Usage);
    };
    let tally = run_files(runner, files, folder, &mut std::io::stdout());
    Ok(tally.is_success().into())
}

/// The runner of a crate.
pub(crate) fn runner(name: &str) -> Option<Runner> {
    RUNNERS.iter().find(|(known, _)| *known == name).map(|(_, runner)| *runner)
}

/// Runs all rows of all files and prints the report.
pub(crate) fn run_files(
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
            let rows = match Rows::open(file) {
                Ok(rows) => rows,
                Err(error) => {
                    report.unopened(file, &error);
                    continue;
                }
            };
            for row in rows {
                match row {
                    Ok(row) => report.row(&row, &run_row(runner, &row, &context)),
                    Err(error) => report.unreadable(&error),
                }
            }
        }
        report.finish()
    })
}

/// A runner that panics is a row that failed.
fn run_row(runner: Runner, row: &Row, context: &Context<'_>) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| runner(row, context))).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Outcome::Failed(format!("panicked: {}", text.unwrap_or("without a message")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of this test: `hex` is text, `value` what it says; `file` and `schema` name files.
    fn check(row: &Row, context: &Context<'_>) -> Outcome {
        (|| {
            if row.flag("panic") {
                panic!("row {}", row.line);
            }
            if let Some(name) = row.text("file") {
                return context.read(name).map(drop);
            }
            if let Some(name) = row.text("schema") {
                let lines = context.shared(name, |bytes| Ok(bytes.len()))?;
                return if *lines == 3 { Ok(()) } else { Err(format!("{lines} bytes")) };
            }
            let found = String::from_utf8(row.hex("hex")?).map_err(|error| error.to_string())?;
            let expected = row.need_text("value")?;
            if found == expected {
                Ok(())
            } else {
                Err(format!("expected {expected}, found {found}"))
            }
        })()
        .into()
    }

    fn report(text: &str) -> (String, Tally) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("three"), "abc").unwrap();
        let file = folder.path().join("v.jsonl");
        std::fs::write(&file, text).unwrap();
        let mut out = Vec::new();
        let tally = run_files(check, &[file], None, &mut out);
        let shown = folder.path().display().to_string();
        (String::from_utf8(out).unwrap().replace(&format!("{shown}/"), ""), tally)
    }

    const GOOD: &str = "{\"name\":\"a\",\"hex\":\"6869\",\"value\":\"hi\"}\n";

    #[test]
    fn a_good_file_passes() {
        let (out, tally) = report(&GOOD.repeat(3));
        assert_eq!(out, "3 passed, 0 failed, 0 skipped\n");
        assert!(tally.is_success());
    }

    #[test]
    fn a_wrong_row_fails_with_its_place() {
        let flipped = GOOD.replace("6869", "6868");
        let (out, tally) = report(&format!("{GOOD}{flipped}"));
        assert_eq!(out, "FAIL v.jsonl:2 a: expected hi, found hh\n1 passed, 1 failed, 0 skipped\n");
        assert!(!tally.is_success());
        let changed = GOOD.replace("\"hi\"", "\"ho\"");
        assert_eq!(report(&changed).1.failed, 1);
        assert_eq!(report("not JSON\n").1.failed, 1);
    }

    #[test]
    fn a_panic_is_a_failure_of_its_row() {
        let (out, _) = report("{\"name\":\"p\",\"panic\":true}\n");
        assert!(out.starts_with("FAIL v.jsonl:1 p: panicked: row 1\n"), "{out}");
    }

    #[test]
    fn files_are_found_beside_the_vectors_and_shared() {
        let (out, _) =
            report("{\"file\":\"three\"}\n{\"schema\":\"three\"}\n{\"schema\":\"three\"}\n");
        assert_eq!(out, "3 passed, 0 failed, 0 skipped\n");
        let (out, _) = report("{\"name\":\"f\",\"file\":\"none\"}\n");
        assert!(out.starts_with("FAIL v.jsonl:1 f: none: "), "{out}");
    }

    #[test]
    fn a_file_that_is_not_there_is_a_failure() {
        let mut out = Vec::new();
        let tally = run_files(check, &[PathBuf::from("none.jsonl")], None, &mut out);
        assert_eq!(tally.failed, 1);
        assert!(String::from_utf8(out).unwrap().starts_with("FAIL none.jsonl:0 -: "));
    }

    #[test]
    fn an_unknown_crate_is_wrong_use() {
        assert_eq!(run("no-such-crate", &[], None), Ok(Status::Usage));
    }
}
