//! `cargo xtask fuzz`: every target of `crates/fuzz`, for a while.
//!
//! With cargo-fuzz and a nightly toolchain, libFuzzer runs the targets. Without them, the bodies of
//! the targets run on mutated test data in a loop: that has no feedback from the code, but finds
//! what is easy to find. A target and its body are the same code: `crates/fuzz` is a library of
//! functions `pub fn NAME(data: &[u8])`, and `fuzz_targets/NAME.rs` calls the function of its name.
//! A new target is one line in [`BODIES`].

use std::path::Path;
use std::time::Duration;

use gamewire_testkit::hostile::random_loop;

use crate::workspace::files_under;
use crate::{Outcome, Status, process};

/// The body of a fuzz target. It panics on what it wants reported.
struct Body {
    /// Name of the target, the file name in `crates/fuzz/fuzz_targets` without `.rs`.
    target: &'static str,
    /// The folder in `testdata` whose files the inputs are made from.
    seeds: &'static str,
    /// The body.
    run: fn(&[u8]),
}

/// The bodies of all targets.
const BODIES: &[Body] = &[
    Body {
        target: "brson_container",
        seeds: "resonite-brson",
        run: gamewire_fuzz::brson_container,
    },
    Body { target: "brson_model", seeds: "resonite-brson", run: gamewire_fuzz::brson_model },
    Body {
        target: "brson_roundtrip",
        seeds: "resonite-brson",
        run: gamewire_fuzz::brson_roundtrip,
    },
    Body { target: "brson_slice", seeds: "resonite-brson", run: gamewire_fuzz::brson_slice },
    Body {
        target: "godot_differential",
        seeds: "godot-variant",
        run: gamewire_fuzz::godot_differential,
    },
    Body { target: "godot_roundtrip", seeds: "godot-variant", run: gamewire_fuzz::godot_roundtrip },
    Body { target: "godot_slice", seeds: "godot-variant", run: gamewire_fuzz::godot_slice },
    Body { target: "godot_typed", seeds: "godot-variant", run: gamewire_fuzz::godot_typed },
    Body { target: "kiwi_roundtrip", seeds: "kiwi-pclass", run: gamewire_fuzz::kiwi_roundtrip },
    Body { target: "kiwi_slice", seeds: "kiwi-pclass", run: gamewire_fuzz::kiwi_slice },
    Body { target: "kiwi_text", seeds: "kiwi-pclass", run: gamewire_fuzz::kiwi_text },
    Body { target: "kiwi_typed", seeds: "kiwi-pclass", run: gamewire_fuzz::kiwi_typed },
    Body { target: "o3de_differential", seeds: "o3de-json", run: gamewire_fuzz::o3de_differential },
    Body { target: "o3de_roundtrip", seeds: "o3de-json", run: gamewire_fuzz::o3de_roundtrip },
    Body { target: "o3de_slice", seeds: "o3de-json", run: gamewire_fuzz::o3de_slice },
    Body { target: "o3de_typed", seeds: "o3de-json", run: gamewire_fuzz::o3de_typed },
    Body {
        target: "zeze_differential",
        seeds: "zeze-serialize",
        run: gamewire_fuzz::zeze_differential,
    },
    Body { target: "zeze_roundtrip", seeds: "zeze-serialize", run: gamewire_fuzz::zeze_roundtrip },
    Body { target: "zeze_slice", seeds: "zeze-serialize", run: gamewire_fuzz::zeze_slice },
    Body { target: "zeze_typed", seeds: "zeze-serialize", run: gamewire_fuzz::zeze_typed },
];

/// Where the loop starts, so that a failure comes again.
const SEED: u64 = 1;

/// Longer files are no good as seeds.
const LONGEST_SEED: usize = 64 << 10;

pub(crate) fn run(root: &Path, seconds: u64) -> Outcome {
    let targets = targets(root);
    if targets.is_empty() {
        println!("no targets in crates/fuzz/fuzz_targets");
        return Ok(Status::Bad);
    }
    if process::succeeds(process::command("cargo", root).args(["+nightly", "fuzz", "--version"])) {
        with_fuzzer(root, &targets, seconds)
    } else {
        println!("cargo-fuzz or the nightly toolchain is not installed: running the bodies of the");
        println!("targets on mutated test data instead, from seed {SEED}");
        Ok(in_a_loop(root, BODIES, &targets, Duration::from_secs(seconds)))
    }
}

fn targets(root: &Path) -> Vec<String> {
    files_under(&root.join("crates/fuzz/fuzz_targets"))
        .iter()
        .filter_map(|file| file.strip_suffix(".rs"))
        .map(str::to_owned)
        .collect()
}

fn with_fuzzer(root: &Path, targets: &[String], seconds: u64) -> Outcome {
    for target in targets {
        let mut command = process::command("cargo", root);
        command.args(["+nightly", "fuzz", "run", "--fuzz-dir", "crates/fuzz", target, "--"]);
        command.arg(format!("-max_total_time={seconds}"));
        if !process::run(&mut command)? {
            return Ok(Status::Bad);
        }
    }
    Ok(Status::Good)
}

fn in_a_loop(root: &Path, bodies: &[Body], targets: &[String], time: Duration) -> Status {
    let mut good = true;
    for target in targets {
        let Some(body) = bodies.iter().find(|body| body.target == target) else {
            println!("FAIL {target}: no body in xtask/src/fuzz.rs");
            good = false;
            continue;
        };
        let seeds = seeds(root, body.seeds);
        match random_loop(body.run, &seeds, SEED, time) {
            Ok(runs) => println!("ok {target}: {runs} runs from {} seeds", seeds.len()),
            Err(crash) => {
                println!("FAIL {target}: {crash}");
                let folder = root.join("crates/fuzz/artifacts").join(target);
                let file = folder.join("crash-loop");
                match std::fs::create_dir_all(&folder)
                    .and_then(|()| std::fs::write(&file, &crash.input))
                {
                    Ok(()) => println!("the input is in {}", file.display()),
                    Err(error) => println!("the input cannot be kept: {error}"),
                }
                good = false;
            }
        }
    }
    good.into()
}

/// The files of a folder of test data. Rows of vector files are seeds by their `hex`.
fn seeds(root: &Path, folder: &str) -> Vec<Vec<u8>> {
    use gamewire_testkit::vectors::Rows;
    let folder = root.join("testdata").join(folder);
    let mut seeds = Vec::new();
    for file in files_under(&folder) {
        let path = folder.join(&file);
        if file.ends_with(".jsonl") {
            let rows = Rows::open(&path).into_iter().flatten().flatten();
            seeds.extend(rows.filter_map(|row| row.hex("hex").ok()));
        } else {
            seeds.extend(std::fs::read(&path));
        }
    }
    seeds.retain(|seed| seed.len() <= LONGEST_SEED);
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_runs_bodies_and_keeps_the_input_of_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (file, text) in [
            ("crates/fuzz/fuzz_targets/good.rs", ""),
            ("crates/fuzz/fuzz_targets/bad.rs", ""),
            ("testdata/x/a.bin", "seed"),
            ("testdata/x/v.jsonl", "{\"hex\":\"ff00\"}\n{\"name\":\"no bytes\"}\n"),
        ] {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), text).unwrap();
        }
        let targets = targets(root);
        assert_eq!(targets, ["bad", "good"]);
        assert_eq!(seeds(root, "x"), [b"seed".to_vec(), vec![255, 0]]);
        let good = Body { target: "good", seeds: "x", run: |_| () };
        let bad = Body { target: "bad", seeds: "x", run: |data| assert_ne!(data[0], 255) };
        let time = Duration::from_millis(5);
        let bodies = [good, bad];
        assert_eq!(in_a_loop(root, &bodies, &targets, time), Status::Bad);
        let kept = std::fs::read(root.join("crates/fuzz/artifacts/bad/crash-loop")).unwrap();
        assert_eq!(kept[0], 255);
        assert_eq!(in_a_loop(root, &bodies, &targets[1..], time), Status::Good);
        assert_eq!(in_a_loop(root, &[], &targets[1..], time), Status::Bad);
    }

    #[test]
    fn no_targets_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(run(folder.path(), 1), Ok(Status::Bad));
    }
}
