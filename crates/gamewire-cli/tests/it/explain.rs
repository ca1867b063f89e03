//! explain: its outputs and exit codes. What it says of each byte is tested in the format crates.

use serde_json::Value as Json;

use crate::run::{feed, run, sample};

#[test]
fn each_output() {
    for name in ["savegame.dat", "stream.dat", "project.binary"] {
        assert!(!run(&["explain", name]).good().is_empty(), "{name}");
        let json = run(&["explain", name, "--json"]).good();
        assert!(serde_json::from_slice::<Json>(&json).is_ok(), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    assert!(run(&["explain", "savegame.dat", "--html", page.to_str().unwrap()]).good().is_empty());
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("savegame.dat") && page.contains("find_well"));
}

#[test]
fn a_broken_file_is_explained_and_is_an_error() {
    let project = &sample("project.binary")[..200];
    let ran = feed("explain -", project);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.starts_with("error: standard input: expected "), "{}", ran.stderr);
    assert!(ran.stderr.contains("^^"), "{}", ran.stderr);
}

#[test]
fn text_of_base64_is_explained() {
    let explain = ["explain", "-", "--framing", "base64"];
    assert!(!feed(&explain, b"AgAAAAUAAAA=\n").good().is_empty());
    let ran = feed(&explain, b"AgAAAAUA");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("00000000  02 00 00 00 05 00"), "{}", ran.stderr);
}
