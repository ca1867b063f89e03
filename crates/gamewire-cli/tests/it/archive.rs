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

/// Each entry as it stands in an archive, by its name.
fn stored(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = Archive::from_slice(bytes).unwrap();
    let entries = archive.entries();
    entries.map(|own| (own.name().to_owned(), own.stored().unwrap().into_owned())).collect()
}

const BOSS: &str = "ObjectData/Arena/Boss.xml";

#[test]
fn an_entry_is_read_and_changed_in_place() {
    let folder = folder();
    let old = read(&folder, "arena.wad");
    fs::copy(folder.path().join("arena.wad"), folder.path().join("new.wad")).unwrap();
    insta::assert_snapshot!(session(
        folder.path(),
        &[
            "get arena.wad m_level @",
            &format!("get arena.wad --entry {BOSS} m_level @"),
            "get arena.wad --entry objectdata/arena/boss.xml m_level m_buffs --kinds @",
            "get arena.wad --entry ObjectData/** m_level type @",
            "get arena.wad --entry ObjectData/** m_level type --json @",
            "get arena.wad --entry ** m_none @",
            "get arena.wad --entry none m_level @",
            "get boss.xml --entry none m_level @",
            "get arena.wad --entry ObjectData/** m_level --table csv @",
            "get arena.wad --entry GUI/Readme.txt m_level @",
            &format!("set new.wad --entry {BOSS} m_level=7 @"),
            &format!("ins new.wad --entry {BOSS} m_buffs[-]=77 @"),
            &format!("del new.wad --entry {BOSS} m_buffs[0] @"),
            &format!("get new.wad --entry {BOSS} m_level m_buffs @"),
            &format!("set new.wad --entry {BOSS} m_level=high @"),
            "set new.wad --entry Empty.txt a=1 @",
            "set new.wad --entry Later.xml a=1 @",
            "diff arena.wad new.wad @",
        ]
    ));
    let new = read(&folder, "new.wad");
    assert_eq!(Archive::from_slice(&new).unwrap().flags(), Some(1));
    for (old, new) in stored(&old).iter().zip(stored(&new)) {
        assert_eq!(old.0, new.0);
        assert_eq!(old.1 == new.1, old.0 != BOSS, "{}", old.0);
    }
    // A tree is that of the file.
    let tree = |line: &str| run_in(folder.path(), format!("tree {line} {TYPES}").as_str()).good();
    let boss = tree("boss.xml");
    assert!(tree(&format!("arena.wad --entry {BOSS}")) == boss);
    let both = String::from_utf8(tree("arena.wad --entry ObjectData/Arena/*")).unwrap();
    let match_xml = tree("arena.wad --entry ObjectData/Arena/Match.xml");
    let [boss, other] = [boss, match_xml].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(both, format!("{BOSS}\n{boss}ObjectData/Arena/Match.xml\n{other}"));
    let json: Json = serde_json::from_slice(&tree("arena.wad --entry ** --json")).unwrap();
    assert_eq!(json.as_object().unwrap().len(), 3);
    // What stays the same is not written.
    let before = fs::metadata(folder.path().join("new.wad")).unwrap().modified().unwrap();
    let line = format!("set new.wad --entry {BOSS} m_level=7 {TYPES}");
    run_in(folder.path(), line.as_str()).good();
    assert_eq!(fs::metadata(folder.path().join("new.wad")).unwrap().modified().unwrap(), before);
    let line = format!("set arena.wad --entry {BOSS} m_level=7 -o other.wad {TYPES}");
    run_in(folder.path(), line.as_str()).good();
    let boss = &stored(&read(&folder, "other.wad"))[4];
    assert!(boss.0 == BOSS && boss.1 != stored(&old)[4].1);
    assert!(read(&folder, "arena.wad") == old);
}

#[test]
fn an_entry_of_a_package_is_read_and_changed_by_the_same_options() {
    let folder = tempfile::tempdir().unwrap();
    let lamp = testdata("resonite-brson/lamp.resonitepackage");
    fs::copy(&lamp, folder.path().join("lamp.resonitepackage")).unwrap();
    let package = |name: &str| {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        gamewire::resonite_save::package::Package::from_slice(&bytes).unwrap()
    };
    let save = format!("Assets/{}", package("lamp.resonitepackage").main_hash().unwrap());
    let path = "Object.Bulb.Light.Range";
    let line = format!("get lamp.resonitepackage --entry {save} {path}");
    let own = run_in(folder.path(), line.as_str()).good();
    let plain = run_in(folder.path(), format!("get lamp.resonitepackage {path}").as_str()).good();
    assert!(own == plain && !own.is_empty());
    let line =
        format!("set lamp.resonitepackage --entry {save} {path}=8.25 -o new.resonitepackage");
    run_in(folder.path(), line.as_str()).good();
    let line = format!("set lamp.resonitepackage {path}=8.25 -o plain.resonitepackage");
    run_in(folder.path(), line.as_str()).good();
    assert!(package("new.resonitepackage") == package("plain.resonitepackage"));
    run_in(folder.path(), "package verify new.resonitepackage").good();
}

/// An archive as a patch of the game leaves it.
fn patched(folder: &tempfile::TempDir) {
    let line = format!("set arena.wad --entry {BOSS} m_level=7 m_health=1 -o new.wad {TYPES}");
    run_in(folder.path(), line.as_str()).good();
    let bytes = read(folder, "new.wad");
    let archive = Archive::from_slice(&bytes).unwrap();
    let mut builder = archive.to_builder();
    let theme = archive.by_name("Music/Theme.mp3").unwrap().read().unwrap().into_owned();
    builder.insert("Music/Second.mp3", &theme).unwrap();
    assert!(builder.remove("Music/Theme.mp3") && builder.remove("Empty.txt"));
    builder.insert("GUI/Readme.txt", b"read this").unwrap();
    builder.insert("GUI/New.txt", b"new").unwrap();
    builder.insert("ObjectData/Server.xml", b"BINd").unwrap();
    fs::write(folder.path().join("new.wad"), builder.to_vec().unwrap()).unwrap();
}

#[test]
fn archives_are_compared() {
    let folder = folder();
    patched(&folder);
    insta::assert_snapshot!(session(
        folder.path(),
        &[
            "diff arena.wad new.wad @",
            "diff arena.wad new.wad @ --summary",
            "diff arena.wad new.wad @ --json",
            "diff arena.wad new.wad @ --json --summary",
            "diff arena.wad arena.wad @",
            "diff arena.wad arena.wad @ --summary",
            "diff arena.wad boss.xml @",
            "diff arena.wad new.wad @ --html x.html",
            "diff boss.xml boss.xml @ --summary",
        ]
    ));
    // Without a type list it is said why values are not compared.
    let ran = run_in(folder.path(), "diff arena.wad new.wad");
    assert_eq!(ran.code, 1);
    let why = format!("{BOSS}: 984 → 984 bytes, not compared by value: no type list is given");
    assert!(ran.text().contains(&why), "{}", ran.text());
}

/// The rows of a command, and what it said on standard error.
fn rows(folder: &Path, line: &str) -> (i32, Vec<Json>, String) {
    let ran = run_in(folder, line.replace('@', TYPES).as_str());
    let rows = ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (ran.code, rows, ran.stderr)
}

/// A bare object as archives have it under names of its kind.
fn zone(folder: &tempfile::TempDir) -> Vec<u8> {
    let line =
        format!("convert boss.xml zone.bin --to-form bare --to-mode deep --to-flags 0 {TYPES}");
    run_in(folder.path(), line.as_str()).good();
    read(folder, "zone.bin")
}

#[test]
fn all_objects_become_rows() {
    let folder = folder();
    let zone = zone(&folder);
    let mut builder = Builder::new();
    builder.insert("gamedata.bin", &zone).unwrap();
    builder.insert("pathNodeData.bin", &zone).unwrap();
    builder.insert("collision.bcd", &zone).unwrap();
    builder.insert("Broken.xml", b"BINd\x07\0\0\0\x01").unwrap();
    fs::create_dir(folder.path().join("GameData")).unwrap();
    let data = folder.path().join("GameData");
    fs::write(data.join("Zone.wad"), builder.to_vec().unwrap()).unwrap();
    fs::copy(folder.path().join("arena.wad"), data.join("Root.wad")).unwrap();
    fs::copy(folder.path().join("boss.xml"), data.join("boss.xml")).unwrap();
    fs::write(data.join("gamedata.bin"), &zone).unwrap();
    fs::write(data.join("readme.txt"), "no object").unwrap();
    let (code, all, said) = rows(folder.path(), "rows GameData @");
    assert_eq!(code, 1);
    let shown: Vec<String> = all
        .iter()
        .map(|row| {
            let what = if row["error"].is_null() { &row["class"] } else { &row["error"] };
            format!("{} {} {what}", row["archive"], row["entry"])
        })
        .collect();
    insta::assert_snapshot!(format!("{}\n{said}", shown.join("\n")));
    // The object is what `decode` writes, whatever it stands in.
    let decoded: Json = serde_json::from_slice(
        &run_in(folder.path(), format!("decode boss.xml {TYPES}").as_str()).good(),
    )
    .unwrap();
    let bosses = all.iter().filter(|row| row["class"] == "class ArenaBoss");
    assert_eq!(bosses.clone().count(), 5);
    for row in bosses {
        let mut expected = decoded.clone();
        if row["entry"] != BOSS && row["entry"] != "GameData/boss.xml" {
            // Names of enums are in files with this flag.
            expected["m_mode"] = row["object"]["m_mode"].clone();
        }
        assert_eq!(row["object"], expected, "{}", row["entry"]);
    }
    // By class, derived ones included, and by name.
    let of = |line: &str| {
        let (_, all, _) = rows(folder.path(), line);
        let names = all.iter().filter(|row| row["error"].is_null());
        names.map(|row| row["entry"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let bosses =
        ["GameData/boss.xml", "GameData/gamedata.bin", BOSS, "gamedata.bin", "pathNodeData.bin"];
    let mut found = of("rows GameData @ --class ArenaEntity");
    found.sort();
    let mut expected = bosses.to_vec();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(of("rows GameData/Root.wad @ --entry ObjectData/Arena/*").len(), 2);
    assert_eq!(of("rows GameData @ --entry gamedata.bin").len(), 2);
    let (code, _, said) = rows(folder.path(), "rows GameData @ --class Nobody");
    assert!(code == 2 && said.contains("Nobody"), "{said}");
    let (code, _, said) = rows(folder.path(), "rows GameData");
    assert!(code == 2 && said.contains("--types FILE names one"), "{said}");
    let (code, none, said) = rows(folder.path(), "rows none GameData/Root.wad @");
    assert!(code == 1 && none.len() == 4 && said.contains(" 1 error"), "{said}");
    assert_eq!((&none[0]["entry"], &none[0]["archive"]), (&Json::from("none"), &Json::Null));
    assert!(none[0]["error"].as_str().unwrap().starts_with("no such file"), "{none:?}");
    run_in(folder.path(), format!("rows GameData/Root.wad {TYPES} -o r.jsonl").as_str());
    assert_eq!(String::from_utf8(read(&folder, "r.jsonl")).unwrap().lines().count(), 3);
}

/// 1.3 GB in 512 MiB: an archive is not read whole, neither by `rows` nor where an entry is looked at.
#[cfg(target_os = "linux")]
#[test]
fn large_archives_take_little_memory() {
    let folder = folder();
    let mut builder = Builder::new();
    builder.insert("a.xml", &read(&folder, "boss.xml")).unwrap();
    builder.insert_content("b.bin", Content::stored(vec![0; 1]).unwrap()).unwrap();
    let mut bytes = builder.to_vec().unwrap();
    // The last entry becomes zeros to the end of the file, which takes no room on the disk.
    let len = 1_300_000_000_u32;
    let at = bytes.windows(6).position(|own| own == b"b.bin\0").unwrap();
    bytes[at - 17..at - 13].copy_from_slice(&len.to_le_bytes());
    let path = folder.path().join("large.wad");
    fs::write(&path, &bytes).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(u64::from(len) + bytes.len() as u64 - 1).unwrap();
    let limited = |line: &str| {
        let tool = crate::run::TOOL;
        let line = format!("ulimit -v 524288; RAYON_NUM_THREADS=2 exec {tool} {line} {TYPES}");
        let mut shell = std::process::Command::new("sh");
        let ran = shell.args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success(), "{said}");
        (String::from_utf8(ran.stdout).unwrap(), said)
    };
    let (rows, said) = limited("rows large.wad --entry a.xml");
    assert_eq!((rows.lines().count(), said.as_str()), (1, "note: 1 object, 0 errors\n"));
    assert_eq!(limited("get large.wad --entry a.xml m_level").0, "31\n");
    assert_eq!(limited("decode large.wad a.xml --compact").0.lines().count(), 1);
}

#[test]
fn hashes_that_the_lists_do_not_have_are_reported() {
    let folder = folder();
    let line = "rows arena.wad --types arena.json";
    let (code, _, said) = rows(folder.path(), line);
    assert_eq!(code, 0);
    let expected = "note: 3 objects, 0 errors; 1 entry not fetched; the type lists do not have 1 hash, which \
                    --missing lists\n";
    assert_eq!(said, expected);
    let (_, all, _) = rows(folder.path(), &format!("{line} --missing"));
    assert_eq!(
        all,
        [serde_json::json!({
            "hash": "0x05f28b93", "what": "class", "class": null, "count": 2,
            "archive": "arena.wad", "entry": "ObjectData/Server.xml",
        })]
    );
    let (_, all, said) = rows(folder.path(), "rows arena.wad @ --missing");
    assert_eq!((all.len(), said.as_str()), (0, "note: 3 objects, 0 errors; 1 entry not fetched\n"));
}

#[test]
fn several_archives_are_kept_apart() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("a/deep")).unwrap();
    fs::copy(folder.path().join("arena.wad"), folder.path().join("a/deep/Zone.wad")).unwrap();
    fs::copy(folder.path().join("arena.wad"), folder.path().join("Other.wad")).unwrap();
    let line = format!("decode arena.wad {BOSS} Other.wad {BOSS} {TYPES} --out-dir two");
    let said = run_in(folder.path(), line.as_str()).good();
    assert_eq!(String::from_utf8(said).unwrap(), "2 files written, 0 failed\n");
    let path = format!("{BOSS}.json");
    assert!(
        read(&folder, &format!("two/arena.wad/{path}"))
            == read(&folder, &format!("two/Other.wad/{path}"))
    );
    run_in(folder.path(), format!("decode a {TYPES} --out-dir tree").as_str()).good();
    assert!(folder.path().join(format!("tree/deep/Zone.wad/{path}")).is_file());
    // The same of what is extracted; patterns are for the archive before them.
    let line = "package extract arena.wad old.wad a/* Other.wad **/Boss.xml --out-dir out";
    let said = String::from_utf8(run_in(folder.path(), line).good()).unwrap();
    assert_eq!(said.lines().count(), 3, "{said}");
    assert_eq!(names(&folder.path().join("out")), ["Other.wad", "arena.wad", "old.wad"]);
    assert_eq!(names(&folder.path().join("out/old.wad")), [".gamewire.json", "a"]);
    assert!(read(&folder, &format!("out/Other.wad/{BOSS}")) == read(&folder, "boss.xml"));
    let ran = run_in(folder.path(), "package extract arena.wad ./arena.wad --out-dir twice");
    assert!(
        ran.code == 2 && ran.stderr.contains("is the folder of an archive before it"),
        "{ran:?}"
    );
    let ran = run_in(folder.path(), "package extract boss.xml --out-dir none");
    assert!(ran.code == 2 && ran.stderr.contains("is no archive"), "{ran:?}");
}

/// An archive in which four entries are odd, each in its way, and the others good.
fn odd(folder: &tempfile::TempDir) {
    let boss = read(folder, "boss.xml");
    let mut builder = Builder::new();
    let long = "L".repeat(300) + ".xml";
    for name in ["a.xml", "b.xml", "checksum.xml", "twice1.xml", "twice2.xml", "xx.xml", &long] {
        builder.insert(name, &boss).unwrap();
    }
    let mut bytes = builder.to_vec().unwrap();
    let at = |bytes: &[u8], name: &str| {
        bytes.windows(name.len()).position(|own| own == name.as_bytes()).unwrap()
    };
    let utf8 = at(&bytes, "xx.xml");
    bytes[utf8..utf8 + 2].copy_from_slice(b"\xff\xfe");
    let twice = at(&bytes, "twice2.xml");
    bytes[twice + 5] = b'1';
    let checksum = at(&bytes, "checksum.xml");
    bytes[checksum - 8] ^= 1;
    fs::write(folder.path().join("odd.wad"), bytes).unwrap();
}

#[test]
fn one_odd_entry_costs_one_entry() {
    let folder = folder();
    odd(&folder);
    let said = session(
        folder.path(),
        &[
            "package list odd.wad",
            "package verify odd.wad",
            "package verify odd.wad --ignore-checksums",
            "package extract odd.wad out",
            "package extract odd.wad all --ignore-checksums",
            "decode odd.wad @ --out-dir json",
            "decode odd.wad @ --out-dir json2 --ignore-checksums",
            "check odd.wad @ --quiet",
            "get odd.wad --entry checksum.xml m_level @",
            "get odd.wad --entry checksum.xml m_level @ --ignore-checksums",
            "set odd.wad --entry a.xml m_level=7 @ -o new.wad",
            "diff odd.wad new.wad @",
        ],
    );
    // As glibc says it, and not musl.
    let said = said.replace("filename too long", "file name too long");
    insta::assert_snapshot!(said.replace(&"L".repeat(100), "L…"));
    assert_eq!(names(&folder.path().join("out")).len(), 5);
    assert_eq!(names(&folder.path().join("json2")).len(), 5);
    let (code, all, _) = rows(folder.path(), "rows odd.wad @");
    let errors = all.iter().filter(|row| !row["error"].is_null()).count();
    assert_eq!((code, all.len(), errors), (1, 6, 1));
    assert!(all.iter().any(|row| row["entry"] == "\\xff\\xfe.xml"));
    let (code, all, said) = rows(folder.path(), "rows odd.wad @ --ignore-checksums");
    assert_eq!((code, all.len()), (1, 6));
    let why =
        "error: odd.wad: several entries have the name twice1.xml\nnote: 6 objects, 0 errors\n";
    assert_eq!(said, why);
}

/// What another program marked falsely comes out as it is, and what is no archive says so.
#[test]
fn odd_archives_say_what_is_odd() {
    let folder = folder();
    let raw = b"OggS, and more";
    let mut bytes = b"KIWAD\x01\0\0\0\x01\0\0\0".to_vec();
    let name = b"a.ogg\0";
    let at = (bytes.len() + 21 + name.len()) as u32;
    for number in [at, raw.len() as u32, raw.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.push(1);
    bytes.extend(kiwi_pclass::archive::crc(raw).to_le_bytes());
    bytes.extend((name.len() as u32).to_le_bytes());
    bytes.extend([&name[..], raw].concat());
    fs::write(folder.path().join("odd.wad"), &bytes).unwrap();
    fs::write(folder.path().join("doom.wad"), b"IWAD and more").unwrap();
    let run = |line: &str| run_in(folder.path(), line);
    let ran = run("package extract odd.wad out");
    assert!(
        ran.code == 1 && ran.stderr.contains("--stored writes it as it stands there"),
        "{ran:?}"
    );
    let ran = run("package extract odd.wad out --stored --force");
    assert_eq!((ran.code, ran.text()), (0, "1 entry written, 0 failed\n"), "{ran:?}");
    assert_eq!(read(&folder, "out/a.ogg"), raw);
    let ran = run("package verify odd.wad");
    assert!(
        ran.code == 1 && ran.text().contains("a.ogg: is marked as compressed and is not"),
        "{ran:?}"
    );
    for line in ["package list doom.wad", "package verify doom.wad", "package extract doom.wad x"] {
        let ran = run(line);
        let said = format!("{}{}", ran.text(), ran.stderr);
        assert!(
            ran.code == 1 && said.contains("expected the magic `KIWAD`, found `IWAD "),
            "{said}"
        );
    }
    let ran = run("package replace odd.wad ../x=boss.xml -o new.wad");
    assert_eq!(ran.end(), (2, "error: ../x: is no path from the folder of the archive\n"));
}

/// A property that cannot be read is an error, beside the object.
#[test]
fn properties_that_cannot_be_read_are_errors_of_rows() {
    let folder = folder();
    let samples = testdata("kiwi-pclass").join("fleet");
    for name in ["fleet.bind", "types.json", "types_option_text.json", "types_with_header.json"] {
        fs::copy(samples.join(name), folder.path().join(name)).unwrap();
    }
    let rows_of = |types: &str| rows(folder.path(), &format!("rows fleet.bind --types {types}"));
    let (code, expected, said) = rows_of("types.json");
    assert_eq!((code, said.as_str()), (0, "note: 1 object, 0 errors\n"));
    assert_eq!(rows_of("types_option_text.json").1, expected);
    assert_eq!(rows_of("types_with_header.json").1, expected);
    let odd = String::from_utf8(read(&folder, "types.json")).unwrap();
    let odd = odd.replacen(r#""container": "Static""#, r#""container": "Map""#, 1);
    fs::write(folder.path().join("odd.json"), odd).unwrap();
    let (code, all, said) = rows_of("odd.json");
    assert_eq!((code, said.as_str()), (1, "note: 1 object, 1 error\n"));
    let why = all[0]["error"].as_str().unwrap();
    assert!(why.ends_with("is in the container `Map`, which is not known"), "{why}");
    assert!(all[0]["object"].is_object());
}
