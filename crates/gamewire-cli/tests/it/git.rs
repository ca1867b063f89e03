//! Git with the lines that `gamewire git` prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{TOOL, run, run_in, sample};

/// Who commits, whatever git is configured to on this machine.
pub(crate) const SOMEBODY: [(&str, &str); 6] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_AUTHOR_NAME", "a"),
    ("GIT_AUTHOR_EMAIL", "a@example.org"),
    ("GIT_COMMITTER_NAME", "a"),
    ("GIT_COMMITTER_EMAIL", "a@example.org"),
];

/// What git says in a repository, with the tool on its path; `None` where there is no git.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let bin = Path::new(TOOL).parent().unwrap().display().to_string();
    let mut git = Command::new("git");
    git.args(args)
        .current_dir(folder)
        .env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()))
        .envs(SOMEBODY);
    let output = git.output().ok()?;
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "git {args:?}: {out}{err}");
    Some(out.into_owned())
}

/// A repository with a save, a broken one, and files that are none, all changed since the commit.
fn repository(more: &[&str]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    git(root, &["init", "-q", "-b", "main"])?;
    let attributes = run("git attributes").good();
    fs::write(root.join(".gitattributes"), attributes).unwrap();
    let config = run(&[&["git", "config"], more].concat()).good();
    let mut all = fs::read(root.join(".git/config")).unwrap();
    all.extend(config);
    fs::write(root.join(".git/config"), all).unwrap();
    fs::write(root.join("savegame.dat"), sample("savegame.dat")).unwrap();
    fs::write(root.join("notes.dat"), "some text\n").unwrap();
    fs::write(root.join("noise.save"), [0, 255, 1, 254, 0]).unwrap();
    fs::write(root.join("cut.binary"), &sample("project.binary")[..100]).unwrap();
    git(root, &["add", "."])?;
    git(root, &["commit", "-q", "-m", "one"])?;
    run_in(root, "set savegame.dat player.hp=50").good();
    fs::write(root.join("notes.dat"), "other text\n").unwrap();
    fs::write(root.join("noise.save"), [0, 255, 1, 254, 1]).unwrap();
    fs::write(root.join("cut.binary"), &sample("project.binary")[..99]).unwrap();
    Some(folder)
}

#[test]
fn git_diff_shows_values() {
    let Some(folder) = repository(&[]) else { return println!("git is not installed") };
    let text = git(folder.path(), &["diff"]).unwrap();
    for line in ["-player.hp=97.5\n", "+player.hp=50.0\n", "-some text\n", "+other text\n"] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    assert!(text.contains("-5 bytes, SHA-256 "), "{text}");
    assert!(text.contains("cut.binary"), "{text}");
    git(folder.path(), &["commit", "-qam", "two"]).unwrap();
    let log = git(folder.path(), &["log", "-p", "savegame.dat"]).unwrap();
    assert!(log.contains("+player.hp=50.0\n"), "{log}");
    let tool = git(folder.path(), &["config", "difftool.gamewire.cmd"]).unwrap();
    assert_eq!(tool.trim(), "gamewire diff \"$LOCAL\" \"$REMOTE\"");
    let shown =
        git(folder.path(), &["difftool", "-y", "--tool", "gamewire", "HEAD~1", "savegame.dat"]);
    assert!(shown.unwrap().contains("player.hp: 97.5 → 50.0"));
}

#[test]
fn git_runs_it_as_an_external_diff() {
    let Some(folder) = repository(&["--external"]) else { return println!("git is not installed") };
    fs::write(folder.path().join("new.dat"), sample("stream.dat")).unwrap();
    git(folder.path(), &["add", "new.dat"]).unwrap();
    git(folder.path(), &["mv", "notes.dat", "named.dat"]).unwrap();
    let text = git(folder.path(), &["diff", "HEAD"]).unwrap();
    for line in [
        "gamewire diff savegame.dat\nplayer.hp: 97.5 → 50.0\n",
        "gamewire diff noise.save\nnot compared by value: 5 → 5 bytes\n",
        "gamewire diff new.dat\n+ a new file of 144 bytes\n",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
}

#[test]
fn one_command_prints_all_lines() {
    let both = String::from_utf8(run("git").good()).unwrap();
    let (attributes, config) =
        (String::from_utf8(run("git attributes").good()).unwrap(), run("git config").good());
    assert!(both.contains(&attributes) && both.contains(&String::from_utf8(config).unwrap()));
    assert!(attributes.contains("*.brson diff=gamewire"), "{attributes}");
    assert!(!attributes.contains("xml"), "{attributes}");
}
