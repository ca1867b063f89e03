//! conformance: the vectors through programs in another language.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Ran, run_in, testdata};

/// The example in the documentation.
fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/conformance/zeze.py")
}

fn has_python() -> bool {
    let is_there = Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        println!("SKIPPED: python3 is not installed");
    }
    is_there
}

/// Passed, failed, skipped.
fn counts(ran: &Ran) -> [usize; 3] {
    let last = ran.text().lines().last().unwrap_or_default();
    let numbers = last.split(", ").map(|part| part.split(' ').next().unwrap().parse().unwrap());
    numbers
        .collect::<Vec<_>>()
        .try_into()
        .unwrap_or_else(|_| panic!("{}{}", ran.text(), ran.stderr))
}

fn python(folder: &Path, format: &str, program: &str) -> Ran {
    fs::write(folder.join("program.py"), program).unwrap();
    let program = folder.join("program.py");
    let line = ["conformance", format, "--", "python3", program.to_str().unwrap()];
    // Somewhere below the vectors.
    run_in(&testdata("godot-variant/cases"), &line)
}

#[test]
fn the_example_holds() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(example()).unwrap();
    let ran = python(folder.path(), "zeze-serialize", &source);
    let [passed, failed, skipped] = counts(&ran);
    assert_eq!((ran.code, failed), (0, 0), "{}", ran.text());
    assert!(passed > 4000 && skipped < 300, "{passed}, {skipped}");
    // Another number for a limit, and rows fail.
    let wrong = source.replace("(n for n in range(1, 9)", "(n for n in range(2, 9)");
    assert_ne!(wrong, source);
    let ran = python(folder.path(), "zeze-serialize", &wrong);
    assert!(ran.code == 1 && counts(&ran)[1] > 50, "{}", ran.text());
    let line =
        "zeze-serialize/vectors/int.jsonl:1 write pos_bound_1B_-1: expected \"3f\", found \"403f\"";
    assert!(ran.text().contains(line), "{}", ran.text());
}

/// A program that looks the answers up: every question has the right one in its row, and no other.
const ORACLE: &str = r#"
import json, sys
files = {}
for line in sys.stdin:
    question = json.loads(line)
    ask = question["ask"]
    assert ask not in question["row"] and not any("error" in name for name in question["row"]), line
    path, number = question["at"].rsplit(":", 1)
    lines = files.setdefault(path, None) or open(path).read().split("\n")
    files[path] = lines
    row = json.loads(lines[int(number) - 1])
    answer = row.get("decoded", row.get(ask)) if question["op"] == "read" else row[ask]
    print(json.dumps({"error": "x"} if answer is None and ask not in row else {ask: CHANGE(answer)}))
"#;

#[test]
fn every_format_has_rows_with_one_right_answer() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (format, least) in [
        ("godot-variant", 2000),
        ("o3de-json", 800),
        ("kiwi-pclass", 600),
        ("zeze-serialize", 3500),
        ("resonite-brson", 90),
    ] {
        let right = ORACLE.replace("CHANGE(answer)", "answer");
        let ran = python(folder.path(), format, &right);
        let [passed, failed, skipped] = counts(&ran);
        assert_eq!((ran.code, failed, skipped), (0, 0, 0), "{format}: {}", ran.text());
        assert!(passed > least, "{format}: {passed}");
        let wrong = ORACLE.replace("CHANGE(answer)", "[answer]");
        let ran = python(folder.path(), format, &wrong);
        // What must be refused is all that is right still.
        let [refused, failed, _] = counts(&ran);
        assert!(
            ran.code == 1 && failed > 30 && refused * 2 < passed,
            "{format}: {refused}, {failed}"
        );
    }
}

#[cfg(unix)]
#[test]
fn programs_that_do_not_answer_fail() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "{\"name\":\"a\",\"kind\":\"int\",\"value\":63,\"hex\":\"3f\"}\n";
    fs::write(folder.path().join("rows.jsonl"), rows).unwrap();
    let run = |words: &[&str]| {
        let line =
            ["conformance", "zeze-serialize", "--vectors", "rows.jsonl", "--timeout", "1", "--"];
        run_in(folder.path(), &[&line[..], words].concat())
    };
    for (words, expected) in [
        (
            &["true"][..],
            "FAIL rows.jsonl:1 read: the program has ended\n0 passed, 2 failed, 0 skipped\n",
        ),
        (
            &["sleep", "20"],
            "FAIL rows.jsonl:1 read: no answer for 1 second; is its output flushed?\n0 passed, 2 failed, 0 skipped\n",
        ),
        (&["sed", "s/.*/{\"skip\":1}/"], "0 passed, 0 failed, 2 skipped\n"),
        (
            &["sed", "s/.*/hello/"],
            "FAIL rows.jsonl:1: no JSON: hello\nFAIL rows.jsonl:1: no JSON: hello\n0 passed, 2 failed, 0 skipped\n",
        ),
    ] {
        let ran = run(words);
        assert_eq!((ran.code, ran.text()), (1, expected), "{words:?}: {}", ran.stderr);
    }
    let ran = run(&["sed", "-n", "s/.*read.*/{\"value\":63.0}/p; s/.*write.*/{\"hex\":\"3f\"}/p"]);
    assert_eq!((ran.code, ran.text()), (0, "2 passed, 0 failed, 0 skipped\n"));
    assert_eq!(run(&["no-such-program"]).code, 2);
    let ran = run_in(folder.path(), "conformance zeze-serialize -- cat");
    let text = "error: testdata/zeze-serialize/vectors: not here nor above; --vectors names vector files\n";
    assert_eq!(ran.end(), (2, text));
}
