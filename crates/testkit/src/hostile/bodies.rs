//! All fuzz targets in a loop.

use std::path::Path;
use std::time::Duration;

use super::random::{Crash, random_loop};
use crate::vectors::{Rows, from_hex};

/// A fuzz target as the loop runs it.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Name of the target, the file name in `fuzz_targets` without `.rs`.
    pub target: &'static str,
    /// The folder in `testdata` whose files the inputs are made from.
    pub seeds: &'static str,
    /// The body; it panics on what it wants reported.
    pub run: fn(&[u8]),
}

/// Where the loop starts, so that a failure comes again.
const SEED: u64 = 1;

/// Longer files are no good as seeds.
const MAX_SEED: usize = 64 << 10;

/// Runs each target of the folder `fuzz` for a while, on mutated files of `testdata`, and says
/// whether none panicked. The input of a panic is kept in `artifacts/TARGET/crash-loop`.
///
/// A target without a body fails.
pub fn run_bodies(fuzz: &Path, bodies: &[Body], time: Duration) -> bool {
    let targets = targets(&fuzz.join("fuzz_targets"));
    if targets.is_empty() {
        println!("no targets in {}", fuzz.join("fuzz_targets").display());
        return false;
    }
    println!("mutated test data, from seed {SEED}");
    let mut good = true;
    for target in targets {
        let Some(body) = bodies.iter().find(|body| body.target == target) else {
            println!("FAIL {target}: no body in the list of the loop");
            good = false;
            continue;
        };
        let seeds = seeds(&fuzz.join("../../testdata").join(body.seeds));
        match random_loop(body.run, &seeds, SEED, time) {
            Ok(runs) => println!("ok {target}: {runs} runs from {} seeds", seeds.len()),
            Err(crash) => {
                println!("FAIL {target}: {crash}");
                keep(&fuzz.join("artifacts").join(&target), &crash);
                good = false;
            }
        }
    }
    good
}

/// Writes the input of a crash into a folder.
fn keep(folder: &Path, crash: &Crash) {
    let file = folder.join("crash-loop");
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, &crash.input)) {
        Ok(()) => println!("the input is in {}", file.display()),
        Err(error) => println!("the input cannot be kept: {error}"),
    }
}

/// The names of the targets, sorted.
fn targets(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned())).collect();
    found.sort();
    found
}

/// The files of a folder of test data and those below. Rows of vector files are seeds by their
/// `hex`, cases by their digits.
fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            seeds.extend(self::seeds(&path));
        } else if path.extension().is_some_and(|own| own == "jsonl") {
            let rows = Rows::open(&path).into_iter().flatten().flatten();
            seeds.extend(rows.filter_map(|row| row.hex("hex").ok()));
        } else if path.extension().is_some_and(|own| own == "hex") {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let digits: String = text.lines().filter(|line| !line.starts_with('#')).collect();
            seeds.extend(from_hex(&digits.replace(char::is_whitespace, "")));
        } else {
            seeds.extend(std::fs::read(&path));
        }
    }
    seeds.retain(|seed| seed.len() <= MAX_SEED);
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_runs_bodies_and_keeps_the_input_of_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let fuzz = folder.path().join("crates/fuzz");
        for (file, text) in [
            ("crates/fuzz/fuzz_targets/good.rs", ""),
            ("crates/fuzz/fuzz_targets/bad.rs", ""),
            ("testdata/x/a.bin", "seed"),
            ("testdata/x/cases/c.hex", "# a case\n01 02\n03\n"),
            ("testdata/x/v.jsonl", "{\"hex\":\"ff00\"}\n{\"name\":\"no bytes\"}\n"),
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        assert_eq!(targets(&fuzz.join("fuzz_targets")), ["bad", "good"]);
        assert_eq!(
            seeds(&folder.path().join("testdata/x")),
            [b"seed".to_vec(), vec![1, 2, 3], vec![255, 0]]
        );
        let good = Body { target: "good", seeds: "x", run: |_| () };
        let bad = Body { target: "bad", seeds: "x", run: |data| assert_ne!(data[0], 255) };
        let time = Duration::from_millis(5);
        assert!(!run_bodies(&fuzz, &[good, bad], time));
        let kept = std::fs::read(fuzz.join("artifacts/bad/crash-loop")).unwrap();
        assert_eq!(kept[0], 255);
        std::fs::remove_file(fuzz.join("fuzz_targets/bad.rs")).unwrap();
        assert!(run_bodies(&fuzz, &[good, bad], time));
        assert!(!run_bodies(&fuzz, &[], time), "a target without a body");
        assert!(!run_bodies(&fuzz.join("none"), &[good], time), "no targets");
    }
}
