//! gen: what comes of a Zeze solution, and what is said of a wrong one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::run::{Ran, must_be_formatted, must_be_fresh, run_in, testdata};

fn solutions() -> PathBuf {
    testdata("zeze-serialize/solution")
}

fn generate(folder: &Path, line: &str) -> Ran {
    run_in(folder, &*format!("gen zeze {line}"))
}

/// `GAMEWIRE_GENERATED=write` writes the file anew.
#[test]
fn the_generated_file_is_fresh() {
    must_be_fresh(&solutions().join("arena.rs"), &generate(&solutions(), "arena.xml").good());
}

#[test]
fn output_is_formatted() {
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    let out = file.path().to_str().unwrap();
    for more in ["", "--keep-unknown --extern plugins.BPayload=crate::Payload"] {
        generate(&solutions(), &format!("arena.xml {more} -o {out}")).good();
        must_be_formatted(file.path(), "2024");
    }
}

#[test]
fn options_change_the_types() {
    let source = |line: &str| String::from_utf8(generate(&solutions(), line).good()).unwrap();
    let unknown = source("arena.xml --keep-unknown --crate wire::zeze");
    assert!(unknown.contains("pub unknown: wire::zeze::Unknown,"));
    assert!(unknown.contains("pub payload: wire::zeze::Value,"));
    assert!(!unknown.contains("zeze_serialize::"));
    let external = source("arena.xml --extern plugins.BPayload=a::B");
    assert!(external.contains("pub payload: a::B,"));
    let ran = generate(&solutions(), "arena.xml --extern plugins.BPayload");
    assert!(ran.code == 2 && ran.stderr.contains("expected BEAN=PATH"), "{}", ran.stderr);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text.xml"), "just text").unwrap();
    let mut text = String::new();
    let wrong = std::fs::read_to_string(solutions().join("wrong.txt")).unwrap();
    for (what, inside) in wrong.split("\n== ").skip(1).filter_map(|own| own.split_once('\n')) {
        let inside = inside.trim_end();
        let xml =
            format!("<?xml version=\"1.0\"?>\n<solution name=\"s\">\n{inside}\n</solution>\n");
        std::fs::write(folder.path().join("s.xml"), xml).unwrap();
        let ran = generate(folder.path(), "s.xml");
        assert_eq!((ran.code, ran.text()), (1, ""), "{what}: {}", ran.stderr);
        _ = write!(text, "{what}\n  {}", ran.stderr);
    }
    insta::assert_snapshot!(text);
    let ran = generate(folder.path(), "none.xml");
    assert_eq!(ran.end(), (2, "error: none.xml: no such file or directory\n"));
}

/// Deep XML, cut-off XML, and noise end in a sentence.
#[test]
fn any_file_ends_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.xml");
    let arena = std::fs::read_to_string(solutions().join("arena.xml")).unwrap();
    let deep = format!("<solution name=\"s\">{}", "<module name=\"m\" id=\"1\">".repeat(100_000));
    let mut inputs = vec![deep.into_bytes(), vec![0xff; 100], Vec::new()];
    inputs.extend((0..arena.len()).step_by(211).map(|end| arena.as_bytes()[..end].to_vec()));
    for input in inputs {
        std::fs::write(&file, &input).unwrap();
        let Ran { code, stderr, .. } = generate(folder.path(), "s.xml");
        let is_sentence = stderr.starts_with("error: s.xml") && !stderr.contains("panicked");
        assert!(code == 1 && is_sentence, "{stderr}");
    }
}
