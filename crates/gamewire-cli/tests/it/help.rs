//! Help texts, and what is generated from the command line.

use crate::run::run;

#[test]
fn every_command_has_help_with_examples() {
    let main = run(&["--help"]);
    insta::assert_snapshot!("gamewire", main.text());
    let names = [
        "formats",
        "detect",
        "decode",
        "encode",
        "explain",
        "check",
        "diff",
        "convert",
        "gen",
        "gen zeze",
        "gen pclass",
        "tree",
        "package",
        "patch",
        "merge",
        "resolve",
    ];
    for name in names {
        let words: Vec<&str> = name.split(' ').collect();
        assert!(main.text().contains(&format!("\n  {} ", words[0])), "{name}");
        let help = run(&[&words[..], &["--help"]].concat());
        assert!(help.text().contains("Examples:\n  gamewire "), "{name}");
        insta::assert_snapshot!(name.replace(' ', "_"), help.text());
    }
}

#[test]
fn generate_is_hidden_and_works() {
    assert!(!run(&["--help"]).text().contains("generate"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(run(&["generate", "completions", shell]).good()).unwrap();
        assert!(script.contains("gamewire") && script.contains("decode"), "{shell}");
    }
    let page = String::from_utf8(run("generate man").good()).unwrap();
    assert!(page.contains(".TH gamewire 1"), "{page}");

    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    run(&["generate", "man", pages.to_str().unwrap()]).good();
    for name in ["gamewire.1", "gamewire-decode.1", "gamewire-convert.1"] {
        assert!(pages.join(name).is_file(), "{name}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = String::from_utf8(run(&["--version"]).good()).unwrap();
    assert_eq!(version, format!("gamewire {}\n", env!("CARGO_PKG_VERSION")));
}
