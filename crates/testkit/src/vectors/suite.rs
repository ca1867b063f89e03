//! The `main` of a test binary that runs vector files.

use std::io::Write;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Runner, run_files};
use crate::BIG_STACK;

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

const USAGE: &str = "usage: vectors [FILTER...] | vectors [--files DIR] [--] FILE...

Without files, runs the tests of the runner and the vector files in testdata of the crate; a filter
is a part of their names, as in other test binaries. With files, runs these.
  --files DIR  where the files are that rows name [default: beside the vector file]
  --list       show the names of tests and vector files";

/// Options of libtest that change nothing here.
const IGNORED: &str = "-q --quiet --nocapture --no-capture --show-output --test --bench \
                       --include-ignored --shuffle --report-time --ensure-time \
                       --exclude-should-panic --force-run-in-process";

/// Runs the vector files of a format crate; the whole of a test target with `harness = false`.
///
/// The arguments are those of `cargo xtask vectors CRATE`, or those that cargo hands to every test
/// binary: options of libtest are accepted, and of these `--list`, `--exact`, `--skip` and filters
/// do what they do there. What has the ending or the place of a file is a file and no filter, as is
/// everything after `--`.
///
/// The last line is `N passed, N failed, N skipped` and counts rows. The exit status is 0 where all
/// hold, 1 on any failure or when nothing at all ran, 2 for wrong use.
pub fn main(name: &str, runner: Runner, tests: &[Test]) -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if arguments.help {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if !arguments.files.is_empty() {
        let folder = arguments.folder.as_deref();
        let tally = run_files(runner, &arguments.files, folder, &mut std::io::stdout());
        return ExitCode::from(tally.exit_status());
    }
    match own_files(name) {
        Ok(files) => {
            let files: Vec<(String, PathBuf)> =
                files.into_iter().map(|file| (test_name(name, &file), file)).collect();
            own(&arguments, runner, tests, &files)
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
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

/// Runs the tests of the runner and the crate's own files, as far as the filters let them.
fn own(
    arguments: &Arguments,
    runner: Runner,
    tests: &[Test],
    files: &[(String, PathBuf)],
) -> ExitCode {
    let chosen: Vec<Test> =
        tests.iter().copied().filter(|(name, _)| arguments.wants(name)).collect();
    let wanted = files.iter().filter(|(name, _)| arguments.wants(name));
    if arguments.list {
        let names = chosen.iter().map(|(name, _)| *name);
        let names: Vec<&str> = names.chain(wanted.map(|(name, _)| name.as_str())).collect();
        for name in &names {
            println!("{name}: test");
        }
        if !arguments.terse {
            println!("\n{} tests, 0 benchmarks", names.len());
        }
        return ExitCode::SUCCESS;
    }
    let files_chosen: Vec<PathBuf> = wanted.map(|(_, file)| file.clone()).collect();
    let failed = run_tests(&chosen, arguments.threads);
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed; 0 ignored; 0 measured; {} filtered out\n",
        chosen.len() - failed,
        tests.len() - chosen.len()
    );
    let tally = run_files(runner, &files_chosen, None, &mut std::io::stdout());
    // A filter may leave no file; then there is nothing to complain about.
    let is_success = tally.is_success() || tally.failed == 0 && files_chosen.len() < files.len();
    ExitCode::from(u8::from(failed > 0 || !is_success))
}

/// Runs tests on some threads, prints a line for each, and returns how many failed.
fn run_tests(tests: &[Test], threads: Option<usize>) -> usize {
    let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let out = Mutex::new(std::io::stdout());
    println!("running {} tests of the runner", tests.len());
    std::thread::scope(|scope| {
        for _ in 0..threads.unwrap_or(1).min(tests.len()) {
            // Rows may be deep, and tests clone and compare them.
            let thread = std::thread::Builder::new().stack_size(BIG_STACK);
            let started = thread.spawn_scoped(scope, || {
                while let Some((name, test)) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let good = catch_unwind(test).is_ok();
                    failed.fetch_add(usize::from(!good), Ordering::Relaxed);
                    let word = if good { "ok" } else { "FAILED" };
                    let mut out = out.lock().unwrap_or_else(|broken| broken.into_inner());
                    let _ = writeln!(out, "test {name} ... {word}");
                }
            });
            started.expect("a thread can be started");
        }
    });
    failed.into_inner()
}

/// The command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Arguments {
    files: Vec<PathBuf>,
    folder: Option<PathBuf>,
    filters: Vec<String>,
    skipped: Vec<String>,
    threads: Option<usize>,
    exact: bool,
    ignored: bool,
    list: bool,
    terse: bool,
    help: bool,
}

impl Arguments {
    fn parse(words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut found = Arguments::default();
        let mut plain = Vec::new();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) if word.starts_with("--") => (option, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = || {
                value.clone().or_else(|| words.next()).ok_or(format!("`{option}` needs a value"))
            };
            match option {
                "--" => {
                    found.files.extend(words.map(PathBuf::from));
                    break;
                }
                "--files" => found.folder = Some(value()?.into()),
                "--list" => found.list = true,
                "--exact" => found.exact = true,
                "--ignored" => found.ignored = true,
                "--skip" => found.skipped.push(value()?),
                "--format" => found.terse = value()? == "terse",
                "--test-threads" => {
                    let number = value()?.parse().map_err(|_| "`--test-threads` is no number")?;
                    found.threads = Some(number);
                }
                "--color" | "--logfile" | "--shuffle-seed" | "-Z" => drop(value()?),
                "-h" | "--help" => found.help = true,
                _ if IGNORED.split(' ').any(|ignored| ignored == option) => {}
                _ if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
                _ => plain.push(word),
            }
        }
        let is_file = |word: &String| {
            let path = Path::new(word);
            path.is_file() || path.extension().is_some_and(|own| own == "jsonl" || own == "json")
        };
        if !found.files.is_empty() || plain.iter().any(is_file) {
            found.files.splice(0..0, plain.into_iter().map(PathBuf::from));
        } else {
            found.filters = plain;
        }
        if found.folder.is_some() && found.files.is_empty() {
            return Err("`--files` is for vector files that are named".to_owned());
        }
        Ok(found)
    }

    /// Whether a test or a file of this name is to run.
    fn wants(&self, name: &str) -> bool {
        let is = |word: &String| if self.exact { name == *word } else { name.contains(&**word) };
        !self.ignored
            && (self.filters.is_empty() || self.filters.iter().any(is))
            && !self.skipped.iter().any(is)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments, String> {
        Arguments::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_looks_like_a_file_is_one() {
        let found = parse("a.jsonl b.json --files d").unwrap();
        assert_eq!(found.files, [Path::new("a.jsonl"), Path::new("b.json")]);
        assert_eq!(found.folder.as_deref(), Some(Path::new("d")));
        assert_eq!(parse("a.jsonl other").unwrap().files.len(), 2);
        assert_eq!(parse("--files=d -- plain").unwrap().files, [Path::new("plain")]);
        assert_eq!(parse("Cargo.toml").unwrap().files, [Path::new("Cargo.toml")]);
    }

    #[test]
    fn what_cargo_hands_to_test_binaries_is_accepted() {
        let found = parse("some::test --nocapture --test-threads 1 --color=never -q").unwrap();
        assert_eq!((found.filters.len(), found.threads), (1, Some(1)));
        assert!(found.wants("in::some::test_of_it") && !found.wants("other"));
        let found = parse("--exact a --skip b").unwrap();
        assert!(found.wants("a") && !found.wants("aa") && !found.wants("b"));
        assert!(!parse("--ignored").unwrap().wants("a"));
        let found = parse("--list --format terse").unwrap();
        assert!(found.list && found.terse);
    }

    #[test]
    fn names_of_files_are_no_files() {
        let name = test_name("c", Path::new("testdata/c/vectors/more/int.jsonl"));
        assert_eq!(name, "vectors::more::int");
        assert_eq!(parse(&format!("{name} --exact")).unwrap().filters, [name]);
    }

    #[test]
    fn wrong_use_is_refused() {
        for words in ["--no-such", "--files", "--files d", "--test-threads x", "-x a.jsonl"] {
            assert!(parse(words).is_err(), "{words}");
        }
    }
}
