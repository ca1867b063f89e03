//! The `main` of a test binary that runs vector files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use super::{Runner, run_files};
use crate::on_big_stack;

/// A test of the runner itself, with its name.
pub type Test = (&'static str, fn());

/// The `main` of `tests/vectors.rs`: the runner, and the tests of the runner itself.
#[macro_export]
macro_rules! vectors {
    ($runner:path, $($test:path),* $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let tests: &[$crate::vectors::Test] = &[$((stringify!($test), $test)),*];
            $crate::vectors::main(env!("CARGO_PKG_NAME"), $runner, tests)
        }
    };
}

/// Runs the vector files of a format crate; the whole of a test target with `harness = false`.
///
/// With files of rows for arguments, runs these: `[--files DIR] [--] FILE...`, where DIR has the files that rows
/// name. The last line is then `N passed, N failed, N skipped` and counts rows; the exit status is 0 where all hold.
/// Any other arguments are those of a test binary; each vector file in testdata of the crate is a test.
pub fn main(name: &str, runner: Runner, tests: &[Test]) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some((folder, files)) = named_files(&words) {
        let tally = run_files(runner, &files, folder.as_deref(), &mut std::io::stdout());
        return ExitCode::from(tally.exit_status());
    }
    let arguments = Arguments::from_args();
    let files = match own_files(name) {
        Ok(files) => files,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let tests = tests.iter().map(|(name, test)| {
        let test = *test;
        // Rows may be deep, and tests clone and compare them.
        Trial::test(*name, move || {
            on_big_stack(test);
            Ok(())
        })
    });
    let files = files.into_iter().map(|file| {
        Trial::test(test_name(name, &file), move || {
            let mut told = Vec::new();
            let tally = run_files(runner, &[file], None, &mut told);
            // A file's rows stay together, whatever else runs.
            print!("{}", String::from_utf8_lossy(&told));
            if tally.is_success() { Ok(()) } else { Err(Failed::without_message()) }
        })
    });
    libtest_mimic::run(&arguments, tests.chain(files).collect()).exit_code()
}

/// The vector files that the arguments name, after the folder of the files that rows name.
fn named_files(words: &[String]) -> Option<(Option<PathBuf>, Vec<PathBuf>)> {
    let (folder, words) = match words {
        [option, folder, rest @ ..] if option == "--files" => (Some(folder.into()), rest),
        all => (None, all),
    };
    let is_vectors = |word: &String| word.ends_with(".jsonl") || word.ends_with(".json");
    let files = match words {
        [end_of_options, files @ ..] if end_of_options == "--" => files,
        [first, ..] if is_vectors(first) => words,
        _ => return None,
    };
    Some((folder, files.iter().map(PathBuf::from).collect()))
}

/// The vector files of a crate in testdata. From here on paths are from the root of the workspace,
/// which is how they are shown.
fn own_files(name: &str) -> Result<Vec<PathBuf>, String> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("neither files nor cargo")?;
    let root = Path::new(&package).join("../..");
    std::env::set_current_dir(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut files = Vec::new();
    collect(&Path::new("testdata").join(name), &mut files);
    Ok(files)
}

/// The vector files in a folder and those in it, sorted.
pub(super) fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|own| own == "jsonl") {
            files.push(path);
        }
    }
}

/// The name of a vector file for filters: `vectors::int`. It is not a path, so that a person who runs the
/// tests by the names of `--list` does not name a file.
fn test_name(name: &str, file: &Path) -> String {
    let folder = Path::new("testdata").join(name);
    let shown = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    shown.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_the_options_of_a_test_binary() {
        let named = |words: &str| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            named_files(&words)
        };
        let files = |all: &[&str]| all.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(named("a.jsonl b.json"), Some((None, files(&["a.jsonl", "b.json"]))));
        assert_eq!(named("--files d -- plain"), Some((Some("d".into()), files(&["plain"]))));
        assert_eq!(named("--exact some::test"), None);
    }

    #[test]
    fn names_of_tests_are_no_files() {
        let name = test_name("c", Path::new("testdata/c/vectors/more/int.jsonl"));
        assert_eq!(name, "vectors::more::int");
        assert_eq!(named_files(&[name]), None);
    }
}
