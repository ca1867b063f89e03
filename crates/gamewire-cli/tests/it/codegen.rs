//! gen: the command. What the generators make is tested in gamewire-gen.

use std::path::{Path, PathBuf};

use crate::run::{Ran, run_in, testdata};
use gamewire_testkit::vectors::same_bytes;

fn solutions() -> PathBuf {
    testdata("zeze-serialize/solution")
}

fn generate(folder: &Path, line: &str) -> Ran {
    run_in(folder, &*format!("gen zeze {line}"))
}

#[test]
fn source_goes_to_standard_output_or_a_file() {
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    let out = file.path().to_str().unwrap();
    let arena = std::fs::read(solutions().join("arena.rs")).unwrap();
    assert!(generate(&solutions(), "arena.xml").good() == arena);
    generate(&solutions(), &format!("arena.xml -o {out}")).good();
    same_bytes("the bytes", &arena, &std::fs::read(out).unwrap()).unwrap();
    let line = "arena.xml --keep-unknown --crate wire::zeze --extern plugins.BPayload=a::B";
    let source = String::from_utf8(generate(&solutions(), line).good()).unwrap();
    assert!(source.contains("pub unknown: wire::zeze::Unknown,"));
    assert!(source.contains("pub payload: a::B,"));
    let ran = generate(&solutions(), "arena.xml --extern plugins.BPayload");
    assert!(ran.code == 2 && ran.stderr.contains("expected BEAN=PATH"), "{}", ran.stderr);
}

#[test]
fn notes_and_errors_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, inside: &str| {
        let text = format!("<solution name=\"s\">{inside}</solution>");
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    write("gone.xml", "<import file=\"lost.xml\"/>");
    let gone = generate(folder.path(), "gone.xml");
    assert_eq!(gone.end(), (0, "note: gone.xml:1: no file \"lost.xml\" to import\n"));
    write("wrong.xml", "<bean name=\"C\" base=\"B\"/>");
    let wrong = generate(folder.path(), "wrong.xml");
    assert_eq!(wrong.end(), (1, "error: wrong.xml:1: there is no bean B to derive from\n"));
    let ran = generate(folder.path(), "none.xml");
    assert_eq!(ran.end(), (2, "error: none.xml: no such file or directory\n"));
    // A pipe would be read forever.
    write("folder.xml", "<import file=\".\"/>");
    assert_eq!(generate(folder.path(), "folder.xml").code, 0);
}

#[test]
fn changes_of_a_schema_are_weighed() {
    let ran = generate(&solutions(), "--compat compat_old.xml compat_new.xml");
    assert_eq!(ran.end(), (1, ""));
    insta::assert_snapshot!(ran.text());
    // Nothing is lost by no change, nor on the way back where only things were added.
    for same in ["arena.xml", "town.xml", "compat_old.xml"] {
        let ran = generate(&solutions(), &format!("--compat {same} {same}"));
        let none = "0 changes that lose data, 0 refused by Zeze, 0 to know\n";
        assert_eq!((ran.code, ran.text()), (0, none), "{}", ran.stderr);
    }
    let ran = generate(&solutions(), "--compat compat_old.xml wrong.txt");
    assert!(ran.code == 1 && ran.stderr.starts_with("error: wrong.txt:"), "{}", ran.stderr);
    assert_eq!(generate(&solutions(), "--compat none.xml arena.xml").code, 2);
    assert_eq!(generate(&solutions(), "--compat arena.xml arena.xml -o x.rs").code, 2);
}

#[test]
fn messages_of_several_files_are_one_source() {
    let folder = testdata("kiwi-dml/messages");
    let ran = run_in(&folder, "gen dml GardenMessages.xml GateMessages.xml WizMessages.xml");
    assert!(ran.good() == std::fs::read(testdata("kiwi-dml/messages.rs")).unwrap());
    let twice = run_in(&folder, "gen dml GateMessages.xml GateMessages.xml");
    let said = "error: GateMessages.xml: the services GATE and GATE have the same id, 62\n";
    assert_eq!(twice.end(), (1, said));
    assert_eq!(run_in(&folder, "gen dml none.xml").code, 2);
}
