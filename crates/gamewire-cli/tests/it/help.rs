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
        "gen dml",
        "tree",
        "package",
        "package list",
        "package extract",
        "package build",
        "package replace",
        "package strip",
        "package record",
        "package record get",
        "package record set",
        "package verify",
        "slot",
        "slot ls",
        "slot rename",
        "slot mv",
        "slot cp",
        "slot rm",
        "slot extract",
        "slot insert",
        "backup",
        "backup check",
        "backup usage",
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
        "refactor node",
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

/// Nobody reads the options of five formats for a file of one.
#[test]
fn help_has_the_options_of_the_formats_that_are_asked_for() {
    let headings = |line: &[&str]| -> Vec<String> {
        let ran = run(line);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let all = ["Godot:", "O3DE:", "PropertyClass:", "Resonite:", "Zeze:"];
        ran.text().lines().filter(|line| all.contains(line)).map(str::to_owned).collect()
    };
    assert!(run("get --help").text().lines().count() < 80);
    assert!(headings(&["get", "--help"]).is_empty() && headings(&["help", "convert"]).is_empty());
    let mut helps = Vec::new();
    for (format, heading) in [
        ("godot-variant", "Godot:"),
        ("o3de-json", "O3DE:"),
        ("kiwi-pclass", "PropertyClass:"),
        ("resonite-brson", "Resonite:"),
        ("zeze-serialize", "Zeze:"),
    ] {
        assert_eq!(headings(&["get", "--help-format", format]), [heading]);
        assert_eq!(headings(&["get", &format!("--help-format={format}")]), [heading]);
        let text = run(&["get", "--help-format", format]).text().to_owned();
        helps.push(
            text.split(heading).nth(1).unwrap().split("\nExamples").next().unwrap().to_owned(),
        );
    }
    insta::assert_snapshot!("options", helps.join(""));
    // Of a file that is named, its own.
    assert_eq!(headings(&["get", "savegame.dat", "--help"]), ["Godot:"]);
    assert_eq!(
        headings(&["diff", "savegame.dat", "../zeze-serialize/frames.bin", "-h"]),
        ["Godot:", "Zeze:"]
    );
    let ran = run(&["get", "--help-format", "nothing"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("[possible values: godot-resource, "),
        "{}",
        ran.stderr
    );
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
