//! Source made from a Zeze solution, and errors in a wrong one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gamewire_gen::Result;
use gamewire_gen::zeze::{self, Generated, Options, Schema, Weight};
use gamewire_testkit::hostile::thread_time;

use crate::{must_be_formatted, must_be_fresh, testdata};

fn solutions() -> PathBuf {
    testdata("zeze-serialize/solution")
}

fn generate(file: &Path) -> Result<Generated> {
    zeze::generate(file, &Options::default())
}

fn source(file: &str, options: &Options) -> String {
    zeze::generate(&solutions().join(file), options).unwrap().source
}

/// The sentence of an error, with the folder of the files left out.
fn said(file: &Path, options: &Options) -> String {
    let folder = format!("{}/", file.parent().unwrap().display());
    zeze::generate(file, options).unwrap_err().to_string().replace(&folder, "")
}

/// `GAMEWIRE_GENERATED=write` writes the file again.
#[test]
fn the_generated_file_is_fresh() {
    for name in ["arena", "town"] {
        let rust = source(&format!("{name}.xml"), &Options::default());
        must_be_fresh(&solutions().join(name).with_extension("rs"), &rust);
    }
    // The client of docs/how-to/zeze.md.
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../zeze-net/examples");
    let rust = generate(&examples.join("game.xml")).unwrap().source;
    must_be_fresh(&examples.join("beans.rs"), &rust);
}

/// The parts of a solution are one, whichever of its files is asked for.
#[test]
fn parts_of_a_solution_are_one() {
    let types = |file: &str| -> Vec<String> {
        let rust = source(file, &Options::default());
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
    let near = folder.path().join("game/server/near");
    let within = |root: &str| Options { root: Some(near.join(root)), ..Options::default() };

    let up = said(&near.join("up.xml"), &Options::default());
    assert!(up.contains("outside of") && up.contains("--root DIR"), "{up}");
    assert!(said(&near.join("up.xml"), &within("../..")).contains("outside of"));
    let up = zeze::generate(&near.join("up.xml"), &within("../../..")).unwrap();
    assert!(up.source.contains("struct A"));

    // Notes name what is not there, and so do errors about what needs it.
    let gone = generate(&near.join("gone.xml")).unwrap();
    let at = near.join("gone.xml");
    assert_eq!(gone.notes, [format!("{}:1: no file \"../gone.xml\" to import", at.display())]);
    assert_eq!(
        said(&near.join("lost.xml"), &Options::default()),
        "lost.xml:1: there is no bean B to derive from (lost.xml:1: no file \"../gone.xml\" to import)"
    );

    // A project that lies beside another one than it says.
    let moved = zeze::generate(&near.join("moved.xml"), &within("../..")).unwrap();
    assert!(moved.source.contains("struct B"), "{}", moved.source);
    assert!(moved.notes.concat().contains("to import there, took "), "{:?}", moved.notes);
}

#[test]
fn output_is_formatted() {
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    let all = Options {
        keep_unknown: true,
        externals: vec![("plugins.BPayload".into(), "crate::Payload".into())],
        ..Options::default()
    };
    let elsewhere = Options { krate: "wire::zeze".into(), ..Options::default() };
    for (name, options) in [
        ("arena.xml", Options::default()),
        ("arena.xml", all),
        ("arena.xml", elsewhere),
        ("town.xml", Options::default()),
    ] {
        std::fs::write(file.path(), source(name, &options)).unwrap();
        must_be_formatted(file.path(), "2024");
    }
}

#[test]
fn options_change_the_types() {
    let options = Options { keep_unknown: true, krate: "wire::zeze".into(), ..Options::default() };
    let unknown = source("arena.xml", &options);
    assert!(unknown.contains("pub unknown: wire::zeze::Unknown,"));
    assert!(unknown.contains("pub payload: wire::zeze::Value,"));
    assert!(!unknown.contains("zeze_serialize::"));
    let externals = vec![("plugins.BPayload".into(), "a::B".into())];
    let external = source("arena.xml", &Options { externals, ..Options::default() });
    assert!(external.contains("pub payload: a::B,"));
    // Files as the caller reads them.
    let read: zeze::ReadFile = |_| Ok(b"<solution name=\"other\"/>".to_vec());
    let other = source("arena.xml", &Options { read: Some(read), ..Options::default() });
    assert!(other.contains("pub mod other"), "{other}");
}

#[test]
fn changes_of_a_schema_are_weighed() {
    let read = |name: &str| Schema::read(&solutions().join(name), &Options::default()).unwrap().0;
    let found = zeze::compare(&read("compat_old.xml"), &read("compat_new.xml"));
    for weight in [Weight::Lost, Weight::Refused, Weight::Note] {
        assert!(found.iter().any(|own| own.weight == weight), "{weight:?}");
    }
    for same in ["arena.xml", "town.xml", "compat_old.xml"] {
        let found = zeze::compare(&read(same), &read(same));
        assert!(found.is_empty(), "{same}: {found:?}");
    }
}

#[test]
fn text_is_a_solution_without_imports() {
    let (whole, _) =
        Schema::read(&solutions().join("compat_old.xml"), &Options::default()).unwrap();
    let text = std::fs::read_to_string(solutions().join("compat_old.xml")).unwrap();
    assert_eq!(Schema::parse(&text).unwrap().beans.len(), whole.beans.len());
    // The file that it imports is there, and not read.
    let text = std::fs::read_to_string(solutions().join("arena.xml")).unwrap();
    let said = Schema::parse(&text).unwrap_err().to_string();
    assert!(said.contains("no file \"shared.xml\" to import"), "{said}");
    assert!(Schema::parse("<module/>").unwrap_err().to_string().contains("expected <solution>"));
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text.xml"), "just text").unwrap();
    let file = folder.path().join("s.xml");
    let mut text = String::new();
    let wrong = std::fs::read_to_string(solutions().join("wrong.txt")).unwrap();
    for (what, inside) in wrong.split("\n== ").skip(1).filter_map(|own| own.split_once('\n')) {
        let inside = inside.trim_end();
        let xml =
            format!("<?xml version=\"1.0\"?>\n<solution name=\"s\">\n{inside}\n</solution>\n");
        std::fs::write(&file, xml).unwrap();
        _ = writeln!(text, "{what}\n  {}", said(&file, &Options::default()));
    }
    insta::assert_snapshot!(text);
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
        let said = said(&file, &Options::default());
        assert!(said.starts_with("s.xml"), "{said}");
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
    let file = folder.path().join("s.xml");
    std::fs::write(&file, xml).unwrap();
    let start = thread_time();
    let rust = generate(&file).unwrap().source;
    assert!(rust.contains("B1(Box<B1>)"));
    let time = thread_time() - start;
    assert!(time.as_secs() < 60, "{time:?}");
}
