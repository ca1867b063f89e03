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
    for name in ["arena", "town"] {
        let rust = generate(&solutions(), &format!("{name}.xml")).good();
        must_be_fresh(&solutions().join(name).with_extension("rs"), &rust);
    }
}

/// The parts of a solution are one, whichever of its files is asked for.
#[test]
fn parts_of_a_solution_are_one() {
    let types = |file: &str| -> Vec<String> {
        let rust = String::from_utf8(generate(&solutions(), file).good()).unwrap();
        let lines = rust.lines().map(str::trim).filter(|line| line.starts_with("pub struct"));
        let mut types: Vec<String> = lines.map(str::to_owned).collect();
        types.sort();
        types
    };
    let whole = types("town.xml");
    assert!(whole.len() > 10, "{whole:?}");
    assert_eq!(whole, types("town/market.xml"));
    assert_eq!(whole, types("town/districts/harbour.xml"));
}

#[test]
fn imported_files_are_looked_for_inside_of_a_root() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, inside: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("<solution name=\"s\">{inside}</solution>")).unwrap();
    };
    write("outside.xml", "<bean name=\"A\"/>");
    write("game/shared/core/beans.xml", "<bean name=\"B\"/>");
    write("game/server/near/up.xml", "<import file=\"../../../outside.xml\"/>");
    write("game/server/near/gone.xml", "<import file=\"../gone.xml\"/>");
    write(
        "game/server/near/lost.xml",
        "<import file=\"../gone.xml\"/><bean name=\"C\" base=\"B\"/>",
    );
    write("game/server/near/moved.xml", "<import file=\"../../else/shared/core/beans.xml\"/>");
    let ran = |line: &str| generate(&folder.path().join("game/server/near"), line);

    let up = ran("up.xml");
    assert_eq!(up.code, 1);
    assert!(up.stderr.contains("outside of") && up.stderr.contains("--root DIR"), "{}", up.stderr);
    assert!(ran("up.xml --root ../..").stderr.contains("outside of"));
    assert!(String::from_utf8(ran("up.xml --root ../../..").good()).unwrap().contains("struct A"));

    // What is not there is told; what needs it says so.
    let gone = ran("gone.xml");
    assert_eq!(gone.end(), (0, "note: gone.xml:1: no file \"../gone.xml\" to import\n"));
    assert_eq!(
        ran("lost.xml").end(),
        (
            1,
            "error: lost.xml:1: there is no bean B to derive from (lost.xml:1: no file \
             \"../gone.xml\" to import)\n"
        )
    );

    // A project that lies beside another one than it says.
    let moved = ran("moved.xml --root ../..");
    assert!(moved.code == 0 && moved.text().contains("struct B"), "{}", moved.stderr);
    assert!(moved.stderr.contains("to import there, took "), "{}", moved.stderr);
}

#[test]
fn output_is_formatted() {
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    let out = file.path().to_str().unwrap();
    for line in [
        "arena.xml",
        "arena.xml --keep-unknown --extern plugins.BPayload=crate::Payload",
        "arena.xml --crate wire::zeze",
        "town.xml",
    ] {
        generate(&solutions(), &format!("{line} -o {out}")).good();
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

/// Seconds; many minutes if each bean goes through all others.
#[test]
fn large_solutions_take_time_in_proportion() {
    const BEANS: usize = 8_000;
    let mut xml = "<solution name=\"s\"><module name=\"m\" id=\"1\">".to_owned();
    for bean in 0..BEANS {
        // Each holds the next one by a dynamic, so that all are in themselves.
        let next = (bean + 1) % BEANS;
        writeln!(
            xml,
            "<bean name=\"B{bean}\"><variable id=\"1\" name=\"d\" type=\"dynamic\">\
             <value bean=\"B{next}\"/></variable></bean><protocol name=\"P{bean}\" argument=\"B{next}\"/>"
        )
        .unwrap();
    }
    xml.push_str("</module></solution>");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.xml"), xml).unwrap();
    let start = std::time::Instant::now();
    let rust = String::from_utf8(generate(folder.path(), "s.xml").good()).unwrap();
    assert!(rust.contains("B1(Box<B1>)"));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
