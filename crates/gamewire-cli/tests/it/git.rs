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
    assert_eq!(tool.trim(), "gamewire diff -- \"$LOCAL\" \"$REMOTE\"");
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
    for own in ["*.bson diff=gamewire merge=gamewire\n", "*.bean diff=", "*.wad diff=gamewire\n"] {
        assert!(attributes.contains(own), "{own} in {attributes}");
    }
    let only = run("git attributes -f zeze-serialize").text().to_owned();
    assert_eq!(only, "*.bean diff=gamewire merge=gamewire\n");
    // What a format needs stands in a driver of its own.
    let ran = run("git -f kiwi-pclass --types a.json");
    assert!(ran.text().contains("*.xml diff=gamewire-kiwi-pclass merge=gamewire-kiwi-pclass\n"));
    let driver = "gamewire merge3 --format kiwi-pclass --types a.json --name=%P --labels %X %Y -o %A -- %O %A %B";
    assert!(ran.text().contains(driver), "{}", ran.text());
    let ran = run("git config --schema s.xml --bean BPlayer");
    let textconv =
        "textconv = gamewire diff --format zeze-serialize --schema s.xml --bean BPlayer --\n";
    assert!(ran.text().contains(textconv) && ran.text().contains("textconv = gamewire diff --\n"));
}

/// Names that look like options, and names that a shell would run: in a pull request they stop nothing.
#[test]
#[cfg(unix)]
fn names_of_files_are_names() {
    let odd = [
        "-x.sav",
        "--help.sav",
        "-o.sav",
        "--html=x.sav",
        "$(touch ran).sav",
        "'; touch ran; '.sav",
    ];
    for more in [&[][..], &["--external"]] {
        let Some(folder) = repository(more) else { return println!("git is not installed") };
        let root = folder.path();
        let put = |hp: &str, save: &str| {
            for name in odd {
                fs::write(root.join(name), sample("savegame.dat")).unwrap();
                let edits = [format!("player.hp={hp}"), format!("saved_at={save}")];
                run_in(root, &["set", "--", name, &edits[0], &edits[1]]).good();
            }
        };
        git(root, &["checkout", "-q", "--", "."]).unwrap();
        for (branch, hp, save) in [("main", "1", "1"), ("theirs", "2", "1"), ("main", "1", "3")] {
            if branch == "theirs" {
                git(root, &["switch", "-q", "-c", "theirs"]).unwrap();
            } else if save == "3" {
                git(root, &["switch", "-q", "main"]).unwrap();
            }
            put(hp, save);
            let shown = git(root, &["diff"]).unwrap();
            assert!(
                save == "1" && hp == "1"
                    || shown.contains("player.hp")
                    || shown.contains("saved_at"),
                "{shown}"
            );
            git(root, &["add", "--", "."]).unwrap();
            let staged = git(root, &["diff", "--cached"]).unwrap();
            assert!(odd.iter().all(|name| staged.contains(name)), "{staged}");
            git(root, &["commit", "-q", "-m", branch]).unwrap();
        }
        git(root, &["merge", "-q", "-m", "both", "theirs"]).unwrap();
        for name in odd {
            let got = run_in(root, &["get", "--", name, "player.hp", "saved_at"]);
            assert_eq!(got.text(), "player.hp=2.0\nsaved_at=3\n", "{name}");
        }
        assert!(!root.join("ran").exists() && !root.join("x.sav").exists());
    }
}

/// A path is one word for the shell, in a value that git reads to its end.
#[test]
#[cfg(unix)]
fn paths_of_type_lists_are_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let Some(_) = git(root, &["init", "-q", "-b", "main"]) else {
        return println!("git is not installed");
    };
    for path in [
        "C#/types.json",
        "a;b.json",
        "$(touch ran)`touch ran`.json",
        "it's \"all\" \\ %A.json",
        "-x.json",
    ] {
        let config =
            run(&["git", "config", "-f", "kiwi-pclass", &format!("--types={path}")]).good();
        fs::write(root.join(".git/config"), config).unwrap();
        let value = |key: &str| {
            git(
                root,
                &[
                    "config",
                    &format!(
                        "{key}.gamewire-kiwi-pclass.{}",
                        if key == "diff" { "textconv" } else { "driver" }
                    ),
                ],
            )
            .unwrap()
        };
        for key in ["diff", "merge"] {
            // The words that the shell makes of it; git makes one of two signs.
            let line = value(key).trim().replace("%%", "%");
            let words = tool(root, &format!("gamewire() {{ printf '%s\\n' \"$@\"; }}; {line}"))
                .output()
                .unwrap();
            let words = String::from_utf8_lossy(&words.stdout).into_owned();
            let is_one = |word: &str| word == path || word == format!("--types={path}");
            assert!(words.lines().any(is_one), "{path}: {words} of {line}");
        }
        assert!(!root.join("ran").exists());
    }
    let ran = run(&["git", "config", "-f", "kiwi-pclass", "--types", "a\n[core]\n\tfsmonitor = x"]);
    assert_eq!((ran.code, ran.text()), (2, ""));
    assert!(ran.stderr.starts_with("error: a\\n[core]"), "{}", ran.stderr);
}

/// A repository in which a merge ended in two conflicts; the lines of `config` say how it merges.
fn conflict(config: &str, before: &[&[&str]]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    git(root, &["init", "-q", "-b", "main"])?;
    before.iter().for_each(|line| _ = git(root, line));
    let append = |name: &str, text: Vec<u8>| {
        let old = fs::read(root.join(name)).unwrap_or_default();
        fs::write(root.join(name), [old, text].concat()).unwrap();
    };
    append(".gitattributes", run("git attributes").good());
    append(".git/config", run(config).good());
    fs::write(root.join("my save.dat"), sample("savegame.dat")).unwrap();
    git(root, &["add", "."])?;
    git(root, &["commit", "-q", "-m", "one"])?;
    for (branch, values) in [
        ("quest", ["player.hp=10", "player.name=Eva", "version=4"]),
        ("main", ["player.hp=20", "player.name=Ada", "saved_at=1"]),
    ] {
        git(root, &["switch", "-q", if branch == "main" { "--no-guess" } else { "-c" }, branch])?;
        run_in(root, &[&["set", "my save.dat"], &values[..]].concat()).good();
        git(root, &["commit", "-q", "-a", "-m", branch])?;
    }
    let merge = tool(root, "git merge quest").output().unwrap();
    assert!(!merge.status.success());
    Some(folder)
}

/// A shell's line with the tool on its path.
fn tool(folder: &Path, line: &str) -> Command {
    let bin = Path::new(TOOL).parent().unwrap().display().to_string();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).envs(SOMEBODY);
    shell.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
    shell
}

fn values(folder: &Path) -> String {
    let paths = ["player.hp", "player.name", "version", "saved_at"];
    run_in(folder, &[&["get", "my save.dat"], &paths[..]].concat()).text().replace('\n', " ")
}

#[test]
fn conflicts_are_settled_by_paths() {
    let Some(folder) = conflict("git config", &[]) else { return println!("git is not installed") };
    let root = folder.path();
    // What merged is there before anything is settled.
    assert_eq!(values(root), "player.hp=20.0 player.name=Ada version=4 saved_at=1 ");
    let merge =
        |picks: &[&str]| run_in(root, &[&["merge3", "--git", "my save.dat"], picks].concat());
    let ran = merge(&["player.hp=theirs"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let said = "conflict at player.name: Åsa 🌾 became Ada in main and Eva in quest\n";
    assert!(ran.stderr.contains(said) && !ran.stderr.contains("player.hp: "), "{}", ran.stderr);
    assert_eq!(values(root), "player.hp=10.0 player.name=Ada version=4 saved_at=1 ");
    assert_eq!(merge(&["player.hp=theirs", "player.name=base"]).end(), (0, ""));
    assert_eq!(values(root), "player.hp=10.0 player.name=Åsa 🌾 version=4 saved_at=1 ");
    assert_eq!(merge(&["*=theirs", "player.hp=ours"]).end(), (0, ""));
    assert_eq!(values(root), "player.hp=20.0 player.name=Eva version=4 saved_at=1 ");
    let ran = merge(&["player.hps=ours"]);
    let why = "error: my save.dat: no conflict at player.hps; there is player.name, player.hp\n";
    assert_eq!(ran.end(), (2, why));
    assert_eq!(merge(&["player.hp"]).code, 2);
    git(root, &["add", "my save.dat"]).unwrap();
    assert!(merge(&[]).stderr.contains("git reports no conflict for this file"));
}

/// On a terminal, as git's mergetool: yes for the first, the one before for the second.
#[test]
fn conflicts_are_asked_on_a_terminal() {
    if !crate::pager::has_terminal() {
        return;
    }
    let Some(folder) = conflict("git config", &[]) else { return println!("git is not installed") };
    let line = "printf 'what\\ny\\nb\\n' | script -qec 'git mergetool --no-prompt --tool gamewire' /dev/null";
    let ran = tool(folder.path(), line).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("take that of quest? y, n, b for the one before"), "{said}");
    assert_eq!(values(folder.path()), "player.hp=97.5 player.name=Eva version=4 saved_at=1 ");
    assert_eq!(git(folder.path(), &["diff", "--name-only", "--diff-filter=U"]).unwrap(), "");
}

#[test]
fn git_lfs_brings_what_is_merged() {
    if !Command::new("git").args(["lfs", "version"]).output().is_ok_and(|ran| ran.status.success())
    {
        return println!("SKIPPED: git-lfs is not installed");
    }
    let before: [&[&str]; 2] = [&["lfs", "install", "--local"], &["lfs", "track", "*.dat"]];
    let folder = conflict("git config --lfs", &before).unwrap();
    let root = folder.path();
    let stored = git(root, &["show", "HEAD:my save.dat"]).unwrap();
    assert!(stored.starts_with("version https://git-lfs"), "{stored}");
    run_in(root, &["merge3", "--git", "my save.dat", "*=theirs"]).good();
    assert_eq!(values(root), "player.hp=10.0 player.name=Eva version=4 saved_at=1 ");
}
