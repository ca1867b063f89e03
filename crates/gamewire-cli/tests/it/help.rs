//! Help texts, and what is generated from the command line.

use crate::run::run;

#[test]
fn every_command_has_help_with_examples() {
    let main = run(&["--help"]);
    let mut helps = vec![format!("$ gamewire --help\n{}\n", main.text().trim_end())];
    let names = [
        "formats",
        "detect",
        "decode",
        "encode",
        "explain",
        "check",
        "conformance",
        "diff",
        "convert",
        "get",
        "set",
        "ins",
        "del",
        "salvage",
        "git",
        "completions",
        "man",
        "gen",
        "gen zeze",
        "gen pclass",
        "tree",
        "package",
        "package list",
        "package extract",
        "package build",
        "package replace",
        "package verify",
        "slot",
        "slot ls",
        "slot rm",
        "slot extract",
        "slot insert",
        "backup",
        "backup check",
        "backup pack",
        "patch",
        "merge",
        "merge3",
        "resolve",
        "lint",
        "refactor",
        "refactor component",
        "refactor property",
        "refactor path",
        "refactor prefab",
        "graph",
    ];
    for name in names {
        let words: Vec<&str> = name.split(' ').collect();
        assert!(main.text().contains(&format!("\n  {} ", words[0])), "{name}");
        let help = run(&[&words[..], &["--help"]].concat());
        assert!(help.text().contains("Examples:\n  gamewire "), "{name}");
        helps.push(format!("$ gamewire {name} --help\n{}\n", help.text().trim_end()));
    }
    insta::assert_snapshot!("helps", helps.join("\n"));
}

#[test]
fn completions_and_man_pages_are_made() {
    // Their old names work too.
    assert!(!run("--help").text().contains("generate"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(run(&["completions", shell]).good()).unwrap();
        assert!(script.contains("gamewire") && script.contains("decode"), "{shell}");
    }
    let page = String::from_utf8(run("generate man").good()).unwrap();
    assert!(page.contains(".TH gamewire 1"), "{page}");

    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    run(&["man", pages.to_str().unwrap()]).good();
    for name in ["gamewire.1", "gamewire-decode.1", "gamewire-convert.1"] {
        assert!(pages.join(name).is_file(), "{name}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = String::from_utf8(run(&["--version"]).good()).unwrap();
    assert_eq!(version, format!("gamewire {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_options_of_a_format_are_shown() {
    let formats = ["godot-variant", "o3de-json", "kiwi-pclass", "resonite-brson", "zeze-serialize"];
    let all = formats.map(|format| {
        let text = String::from_utf8(run(&["formats", format]).good()).unwrap();
        format!("$ gamewire formats {format}\n{}\n", text.trim_end())
    });
    insta::assert_snapshot!("formats", all.join("\n"));
}
