//! merge3: by hand, and as what git calls.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{TOOL, run_in, session_in};

const BASE: &str = "{\n    // How bright.\n    \"Name\": \"Lamp\",\n    \"Power\": 1.0,\n    \"Color\": [1, 1, 1]\n}\n";

/// A folder with three versions of a file.
fn versions(name: &str, ours: &str, theirs: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (version, text) in [("base", BASE), ("ours", ours), ("theirs", theirs)] {
        fs::write(folder.path().join(format!("{version}.{name}")), text).unwrap();
    }
    folder
}

#[test]
fn changes_of_both_sides_are_in_the_result() {
    let ours = BASE.replace("1.0", "2.50");
    let theirs = BASE.replace("[1, 1, 1]", "[1, 0, 1]").replace("How bright", "In lumens");
    let folder = versions("setreg", &ours, &theirs);
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "merge3 base.setreg ours.setreg theirs.setreg",
            "merge3 base.setreg ours.setreg base.setreg -o merged.setreg",
            "diff ours.setreg merged.setreg",
            "merge3 base.setreg ours.setreg theirs.setreg --conflicts json",
        ]
    ));
    // Of which nothing changed is the same to the byte.
    assert_eq!(fs::read(folder.path().join("merged.setreg")).unwrap(), ours.as_bytes());
}

#[test]
fn a_comment_of_what_is_gone_is_said() {
    let ours = BASE.replace("    \"Power\": 1.0,\n", "");
    let theirs = BASE.replace("\"Power\": 1.0,", "\"Power\": 1.0, // In lumens.");
    let folder = versions("setreg", &ours, &theirs);
    let ran = run_in(folder.path(), "merge3 base.setreg ours.setreg theirs.setreg");
    let said = "note: ours.setreg: a comment of THEIRS is left out: // In lumens.\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (said, 0));
    assert_eq!(ran.stdout, ours.as_bytes());
}

#[test]
fn conflicts_are_said_and_marked() {
    let (ours, theirs) = (BASE.replace("1.0", "2.0"), BASE.replace("1.0", "3.0"));
    let folder = versions("setreg", &ours, &theirs);
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "merge3 base.setreg ours.setreg theirs.setreg",
            "merge3 base.setreg ours.setreg theirs.setreg --conflicts ours",
            "merge3 base.setreg ours.setreg theirs.setreg --conflicts theirs",
            "merge3 base.setreg ours.setreg theirs.setreg --conflicts json",
        ]
    ));
}

#[test]
fn other_formats_merge_by_their_notation() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let json = String::from_utf8(crate::run::run("decode savegame.dat").good()).unwrap();
    let versions = [
        ("base.dat", json.clone()),
        ("ours.dat", json.replace("\"f:97.5\"", "\"f:12.5\"")),
        ("theirs.dat", json.replace("i:1099511627776", "i:5")),
        ("both.dat", json.replace("\"f:97.5\"", "\"f:12.5\"").replace("i:1099511627776", "i:5")),
        ("other.dat", json.replace("\"f:97.5\"", "\"f:1.5\"")),
    ];
    for (name, json) in versions {
        let line = ["encode", "-", "-f", "godot-variant", "-o", &file(name)];
        crate::run::feed(&line, json.as_bytes()).good();
    }
    run_in(folder.path(), "merge3 base.dat ours.dat theirs.dat -o merged.dat").good();
    assert_eq!(fs::read(file("merged.dat")).unwrap(), fs::read(file("both.dat")).unwrap());
    insta::assert_snapshot!(session_in(
        folder.path(),
        &["merge3 base.dat ours.dat other.dat -o none.dat", "detect none.dat"]
    ));
}

/// Runs git in a folder; false where a merge has conflicts.
fn git(folder: &Path, line: &[&str]) -> bool {
    let mut command = Command::new("git");
    let settings =
        ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main"];
    command.args(settings).args(line).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    let is_merge = line.first() == Some(&"merge");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || is_merge, "git {line:?}: {said}");
    output.status.success()
}

/// A repository with two branches that change these lines of one file.
fn branches(ours: &str, theirs: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let commit = |text: &str, name: &str| {
        fs::write(at.join("Lamp.prefab"), text).unwrap();
        git(at, &["add", "."]);
        git(at, &["commit", "-q", "-m", name]);
    };
    git(at, &["init", "-q"]);
    git(
        at,
        &["config", "merge.gamewire.driver", &format!("{TOOL} merge3 %O %A %B --name %P -o %A")],
    );
    fs::write(at.join(".gitattributes"), "*.prefab merge=gamewire\n").unwrap();
    commit(BASE, "base");
    git(at, &["checkout", "-q", "-b", "other"]);
    commit(theirs, "theirs");
    git(at, &["checkout", "-q", "main"]);
    commit(ours, "ours");
    folder
}

#[test]
fn git_merges_with_it() {
    if Command::new("git").arg("--version").output().is_err() {
        return println!("git is not installed, so it does not merge here");
    }
    // Next to each other, so that git alone has a conflict.
    let ours = BASE.replace("1.0", "2.0");
    let folder = branches(&ours, &BASE.replace("[1, 1, 1]", "[1, 1, 0]"));
    assert!(git(folder.path(), &["merge", "-q", "other"]));
    let merged = fs::read_to_string(folder.path().join("Lamp.prefab")).unwrap();
    assert_eq!(merged, ours.replace("[1, 1, 1]", "[1, 1, 0]"));

    let folder = branches(&ours, &BASE.replace("1.0", "3.0"));
    assert!(!git(folder.path(), &["merge", "-q", "other"]));
    let marked = fs::read_to_string(folder.path().join("Lamp.prefab")).unwrap();
    assert!(marked.contains(
        "<<<<<<< OURS\n    \"Power\": 2.0,\n=======\n    \"Power\": 3.0,\n>>>>>>> THEIRS\n"
    ));
}
