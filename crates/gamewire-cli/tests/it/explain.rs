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

/// What get, diff and set print and take, and what a page shows.
#[test]
fn a_path_is_that_of_every_command() {
    let types = "--types ../kiwi-pclass/vectors/types/arena.json";
    for (file, path, value) in [
        ("../resonite-brson/lamp.brson", "Object.Bulb.Light.Intensity", "1.5"),
        ("../resonite-brson/lamp.brson", "Object.Bulb.Name", "Bulb"),
        ("../kiwi-pclass/boss.xml", "m_id.m_full", "1"),
        ("../kiwi-pclass/boss.xml", "m_inventory[0].m_icon", "Icons/rope.dds"),
        ("savegame.dat", "player.hp", "97.5"),
        ("savegame.dat", "crops[3].kind", "kind"),
        ("stream.dat", "[0]", ""),
        ("../zeze-serialize/frames.bin", "[0][field 4]", "-88549629"),
        ("../o3de-json/samples/Lamp.prefab", "/ContainerEntity/Name", "Lamp"),
    ] {
        let options = if file.contains("pclass") { types } else { "" };
        let line = |command: &[&'static str]| {
            let line = [command, &[file], &options.split_whitespace().collect::<Vec<_>>()].concat();
            let path = if command.len() > 1 { vec!["--path", path] } else { vec![path] };
            run(&[line, path].concat())
        };
        let ran = line(&["get"]);
        assert_eq!(ran.code, 0, "{path}: {}", ran.stderr);
        let ran = line(&["explain", "--no-pager"]);
        assert_eq!(ran.code, 0, "{path}: {}", ran.stderr);
        assert!(ran.text().contains(value), "{path}: {}", ran.text());
        // Nothing that reads as if it were wrong.
        assert!(ran.text().trim_end().ends_with(" left out"), "{}", ran.text());
    }
    let ran = run(["explain", "savegame.dat", "--path", "crops[*].kind"].as_slice());
    let why = "error: savegame.dat: crops[*].kind: expected one value, found 40 values\n";
    assert_eq!(ran.end(), (1, why));
    let ran = run("explain savegame.dat --path player.nam");
    assert!(ran.code == 1 && ran.stderr.contains("there is only name, "), "{}", ran.stderr);
}
