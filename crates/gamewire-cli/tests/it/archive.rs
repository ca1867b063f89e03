//! Archives of KingsIsle's games: every command that takes them.

use std::fs;
use std::path::Path;

use kiwi_pclass::archive::{Archive, Builder, Content};
use serde_json::Value as Json;

use crate::files::names;
use crate::run::{run_in, session_in, testdata};

/// A folder with the samples.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let samples = testdata("kiwi-pclass");
    for name in ["arena.wad", "old.wad", "boss.xml"] {
        fs::copy(samples.join(name), folder.path().join(name)).unwrap();
    }
    for name in ["arena.json", "arena_server.json"] {
        fs::copy(samples.join("vectors/types").join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn read(folder: &tempfile::TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap()
}

const TYPES: &str = "--types arena.json --types arena_server.json";

/// Command lines with `@` for the type lists, and what they print.
fn session(folder: &Path, lines: &[&str]) -> String {
    let whole: Vec<String> = lines.iter().map(|line| line.replace('@', TYPES)).collect();
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    session_in(folder, &whole).replace(TYPES, "@")
}

#[test]
fn archives_are_shown() {
    let folder = folder();
    insta::assert_snapshot!(session(
        folder.path(),
        &[
            "detect arena.wad old.wad",
            "package list arena.wad",
            "package list old.wad --json",
            "package verify arena.wad old.wad",
            "tree arena.wad",
            "tree old.wad --json",
            "explain old.wad",
            "decode arena.wad @",
        ]
    ));
}

#[test]
fn a_whole_archive_is_decoded() {
    let folder = folder();
    let line = format!("decode arena.wad ObjectData/** {TYPES} --out-dir out");
    let said = run_in(folder.path(), line.as_str()).good();
    assert_eq!(String::from_utf8(said).unwrap(), "3 files written, 0 failed\n");
    assert_eq!(names(&folder.path().join("out")), ["ObjectData"]);
    let boss = read(&folder, "out/ObjectData/Arena/Boss.xml.json");
    let own = run_in(folder.path(), "decode boss.xml --types arena.json").good();
    assert!(boss == own);
    // Without a pattern it is everything; text and music are passed over.
    let said = run_in(folder.path(), format!("decode arena.wad {TYPES} --out-dir all").as_str());
    let said = String::from_utf8(said.good()).unwrap();
    assert_eq!(
        said,
        "3 files written, 0 failed; skipped: 3 of no known format, 1 entry not fetched\n"
    );
    // One entry needs no folder.
    let line = format!("decode arena.wad objectdata/arena/boss.xml {TYPES}");
    assert!(run_in(folder.path(), line.as_str()).good() == own);
    // And nothing is written when something is there.
    let line = format!("decode arena.wad **/Boss.xml {TYPES} --out-dir out");
    let ran = run_in(folder.path(), line.as_str());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("exists; --force replaces it"), "{}", ran.stderr);
}

#[test]
fn all_of_an_archive_is_checked() {
    let folder = folder();
    // A folder with an archive in it, too.
    fs::create_dir(folder.path().join("game")).unwrap();
    let mut damaged = read(&folder, "arena.wad");
    let at = damaged.windows(4).position(|window| window == b"ID3 ").unwrap();
    damaged[at] ^= 1;
    fs::write(folder.path().join("game/Root.wad"), &damaged).unwrap();
    insta::assert_snapshot!(session(
        folder.path(),
        &[
            "check arena.wad @",
            "check arena.wad **/Boss.xml @ --json",
            "check game @ --quiet",
            "package verify game/Root.wad",
            "check arena.wad none/** @",
            "decode arena.wad ObjectData/** @",
        ]
    ));
}

#[test]
fn extracted_and_built_again_it_is_the_same_content() {
    let folder = folder();
    let said = run_in(folder.path(), "package extract arena.wad out").good();
    let said = String::from_utf8(said).unwrap();
    assert_eq!(said, "6 entries written, 0 failed; skipped: 1 that the game has not fetched\n");
    assert!(read(&folder, "out/ObjectData/Arena/Boss.xml") == read(&folder, "boss.xml"));
    run_in(folder.path(), "package build out new.wad").good();
    let (old, new) = (read(&folder, "arena.wad"), read(&folder, "new.wad"));
    let [old, new] = [&old, &new].map(|bytes| Archive::from_slice(bytes).unwrap());
    assert_eq!((new.version(), new.flags(), new.len()), (2, Some(1), 6));
    for entry in new.entries() {
        let before = old.by_name(entry.name()).unwrap();
        assert_eq!(before.read().unwrap(), entry.read().unwrap());
        assert_eq!(before.is_compressed(), entry.is_compressed());
    }
    assert!(new.verify().is_empty());
    // Only some of it.
    run_in(folder.path(), "package extract arena.wad some **/*.txt Music/*").good();
    assert_eq!(names(&folder.path().join("some")), [".gamewire.json", "Empty.txt", "GUI", "Music"]);
    let ran = run_in(folder.path(), "package extract arena.wad some");
    assert!(ran.stderr.contains("some/Empty.txt: exists; --force replaces it"), "{}", ran.stderr);
}

#[test]
fn replaced_entries_leave_the_others_as_they_are() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("more/Music")).unwrap();
    fs::write(folder.path().join("more/Music/New.ogg"), b"new").unwrap();
    let line = "package replace arena.wad ObjectData/Arena/Boss.xml=old.wad more --remove Empty.txt -o new.wad";
    run_in(folder.path(), line).good();
    let (old, new) = (read(&folder, "arena.wad"), read(&folder, "new.wad"));
    let [old, new] = [&old, &new].map(|bytes| Archive::from_slice(bytes).unwrap());
    assert_eq!((new.version(), new.flags(), new.len()), (2, Some(1), 7));
    assert_eq!(
        *new.by_name("ObjectData/Arena/Boss.xml").unwrap().read().unwrap(),
        read(&folder, "old.wad")
    );
    assert_eq!(&*new.by_name("Music/New.ogg").unwrap().read().unwrap(), b"new");
    for name in ["GUI/Readme.txt", "Later.xml", "ObjectData/Arena/Match.xml"] {
        let [old, new] =
            [&old, &new].map(|archive| archive.by_name(name).unwrap().stored().unwrap());
        assert_eq!(old, new);
    }
    // Nothing changed, nothing differs.
    run_in(
        folder.path(),
        "package replace arena.wad ObjectData/Arena/Boss.xml=boss.xml -o same.wad",
    )
    .good();
    assert!(read(&folder, "same.wad") == read(&folder, "arena.wad"));
    let ran = run_in(folder.path(), "package replace arena.wad --remove none -o x.wad");
    assert_eq!(ran.end(), (2, "error: arena.wad: has no entry none\n"));
    let ran = run_in(folder.path(), "package replace arena.wad boss.xml -o x.wad");
    assert_eq!(ran.end(), (2, "error: boss.xml: expected a folder, or such as NAME=FILE\n"));
}

#[test]
fn names_lead_nowhere_else() {
    let folder = folder();
    let names =
        ["..", "../../evil", "/evil", "C:\\evil", "CON", "a/\u{1b}[31m", "a//b", "", "A/x", "a/X"];
    let mut builder = Builder::new();
    for name in names {
        builder.insert_content(name, Content::stored(name.as_bytes()).unwrap()).unwrap();
    }
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/odd.wad"), builder.to_vec().unwrap()).unwrap();
    let inside = folder.path().join("in");
    let said = String::from_utf8(run_in(&inside, "package extract odd.wad out").good()).unwrap();
    assert!(!said.contains('\u{1b}'), "{said}");
    assert!(said.ends_with("10 entries written, 0 failed\n"), "{said}");
    assert_eq!(
        crate::files::names(folder.path()),
        ["arena.json", "arena.wad", "arena_server.json", "boss.xml", "in", "old.wad"]
    );
    // Each name comes back, and each content.
    run_in(&inside, "package build out again.wad").good();
    let again = fs::read(inside.join("again.wad")).unwrap();
    let again = Archive::from_slice(&again).unwrap();
    assert_eq!(again.len(), names.len());
    for name in names {
        assert_eq!(*again.by_name(name).unwrap().read().unwrap(), *name.as_bytes(), "{name:?}");
    }
    for line in ["package list odd.wad", "tree odd.wad", "check odd.wad", "package verify odd.wad"]
    {
        let ran = run_in(&inside, line);
        assert!(!ran.text().contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{line}");
    }
}

#[test]
fn what_claims_too_much_is_not_extracted() {
    let folder = folder();
    let mut bytes = b"KIWAD\x01\0\0\0\x40\0\0\0".to_vec();
    for _ in 0..64 {
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 0xff, 9, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    }
    fs::write(folder.path().join("bomb.wad"), bytes).unwrap();
    let ran = run_in(folder.path(), "package extract bomb.wad out");
    assert_eq!(
        ran.end(),
        (
            1,
            "error: bomb.wad: 273804165120 bytes are more than 268435456; --max-output BYTES allows more\n"
        )
    );
    assert!(!folder.path().join("out").exists());
    let ran = run_in(folder.path(), "package list bomb.wad --json");
    let list: Json = serde_json::from_slice(&ran.good()).unwrap();
    assert_eq!(list["entries"].as_array().unwrap().len(), 64);
    assert_eq!(run_in(folder.path(), "package verify bomb.wad").code, 1);
}
