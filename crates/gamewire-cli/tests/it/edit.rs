//! get, set, ins and del: what is changed, and that nothing else is.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Ran, feed, run_in, sample, session_in, testdata};
use gamewire_testkit::vectors::same_bytes;

/// The samples of all formats, with the options that they need.
pub(crate) const SAMPLES: [(&str, &str); 27] = [
    ("godot-variant/savegame.dat", ""),
    ("godot-variant/stream.dat", ""),
    ("godot-variant/project.binary", ""),
    ("zeze-serialize/bvalue.bean", "-f zeze-serialize"),
    ("zeze-serialize/frames.bin", ""),
    ("zeze-serialize/page_frames.bin", ""),
    ("kiwi-pclass/boss.xml", "--types TYPES"),
    ("kiwi-pclass/boss.blob", "--types TYPES -f kiwi-pclass"),
    ("kiwi-pclass/boss.message", "--types TYPES --form envelope"),
    ("kiwi-pclass/match.xml", "--types TYPES"),
    ("kiwi-pclass/server.xml", "--types TYPES"),
    ("resonite-brson/lamp.brson", ""),
    ("resonite-brson/lamp.7zbson", ""),
    ("resonite-brson/lamp.lz4bson", ""),
    ("resonite-brson/lamp.bson", ""),
    ("resonite-brson/lamp.frame.lz4bson", ""),
    ("resonite-brson/lamp.alone.7zbson", ""),
    ("resonite-brson/lamp.legacy.7zbson", ""),
    ("resonite-brson/lamp.legacy.brson", ""),
    ("resonite-brson/lamp.legacy.lz4bson", ""),
    ("resonite-brson/lamp.resonitepackage", ""),
    ("o3de-json/samples/Base.setreg", ""),
    ("o3de-json/samples/Lamp.azasset", ""),
    ("o3de-json/samples/Lamp.material", ""),
    ("o3de-json/samples/Lamp.prefab", ""),
    ("o3de-json/samples/Yard.prefab", ""),
    ("o3de-json/samples/Server.setreg", ""),
];

/// How many values of each sample are changed beside the first of each kind. A change is four runs of the
/// tool.
const LEAVES: usize = 2;

/// A copy of a sample, and a command line with its options.
pub(crate) struct Sample {
    folder: tempfile::TempDir,
    name: &'static str,
    options: String,
    bytes: Vec<u8>,
}

impl Sample {
    pub(crate) fn new(path: &'static str, options: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let name = Path::new(path).file_name().unwrap().to_str().unwrap();
        let bytes = fs::read(testdata(path)).unwrap();
        fs::write(folder.path().join(name), &bytes).unwrap();
        let types = testdata("kiwi-pclass/vectors/types/arena.json");
        Sample { folder, name, options: options.replace("TYPES", types.to_str().unwrap()), bytes }
    }

    pub(crate) fn run(&self, command: &str, args: &[&str]) -> Ran {
        let mut line = vec![command, self.name];
        line.extend(args);
        line.extend(self.options.split_whitespace());
        run_in(self.folder.path(), &line)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    fn now(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    /// The pairs of path and what is after it that a command prints.
    fn lines(&self, command: &str, args: &[&str]) -> Vec<(String, String)> {
        let ran = self.run(command, args);
        let pairs = ran.text().lines().filter_map(split);
        pairs.map(|(path, what)| (path.to_owned(), what.to_owned())).collect()
    }

    /// Paths of values in which nothing is: `most` of them, evenly spread over the file, and not the
    /// same ones in files that hold the same.
    fn leaves(&self, most: usize, start: usize) -> Vec<String> {
        let all = self.lines("diff", &[]);
        let step = all.len().div_ceil(most).max(1);
        all.into_iter().skip(start % step).step_by(step).map(|(path, _)| path).collect()
    }

    /// Values by their paths, in the order of the file.
    fn values(&self, paths: &[String]) -> Vec<(String, String)> {
        self.lines("get", &paths.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// The path and the value of a line: an `=` in brackets is part of a key.
fn split(line: &str) -> Option<(&str, &str)> {
    let mut level = 0;
    let at = line.char_indices().find(|(_, c)| {
        level += i32::from(*c == '[') - i32::from(*c == ']');
        *c == '=' && level == 0
    })?;
    Some((&line[..at.0], &line[at.0 + 1..]))
}

#[test]
fn setting_what_is_there_gives_the_identical_file() {
    for (number, (path, options)) in SAMPLES.into_iter().enumerate() {
        let sample = Sample::new(path, options);
        let leaves = sample.values(&sample.leaves(40, number));
        assert!(leaves.len() > 2, "{path}");
        let values: Vec<String> =
            leaves.iter().map(|(path, value)| format!("{path}={value}")).collect();
        let mut args: Vec<&str> = values.iter().map(String::as_str).collect();
        args.extend(["-o", "same"]);
        let ran = sample.run("set", &args);
        assert_eq!(ran.end(), (0, ""), "{path}: {values:?}");
        same_bytes(path, &sample.bytes, &fs::read(sample.folder.path().join("same")).unwrap())
            .unwrap();
        assert!(sample.now() == sample.bytes, "{path}");
    }
}

/// Another value of the same kind.
fn other(value: &str) -> Option<String> {
    Some(match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ => match (value.parse::<i64>(), value.parse::<f64>()) {
            (Ok(0), _) => "1".to_owned(),
            (Ok(number), _) => (number - number.signum()).to_string(),
            // Floats of any width have these.
            (_, Ok(number)) if number.is_finite() => {
                if number == 0.25 {
                    "0.5".to_owned()
                } else {
                    "0.25".to_owned()
                }
            }
            _ if value.starts_with(['{', '[', '"', '<']) || value == "null" => return None,
            _ => format!("{value}x"),
        },
    })
}

#[test]
fn one_set_is_one_line_of_diff_and_get_gives_it_back() {
    let mut refused = Vec::new();
    let mut seen = HashSet::new();
    for (number, (path, options)) in SAMPLES.into_iter().enumerate() {
        let sample = Sample::new(path, options);
        // No two compressors write the same bytes.
        let is_exact = sample.run("check", &[]).text().starts_with("identical");
        let format = path.split('/').next().unwrap();
        // Each kind of a format once, and others.
        let mut paths = sample.leaves(LEAVES, number);
        let kinds = sample.lines("get", &["**.*", "--kinds"]).into_iter();
        let first = kinds.filter(|(_, kind)| seen.insert((format, kind.clone())));
        paths.extend(first.map(|(path, _)| path));
        let mut changed = 0;
        for (place, value) in sample.values(&paths) {
            let Some(new) = other(&value) else { continue };
            let ran = sample.run("set", &[&format!("{place}={new}"), "-o", "new"]);
            if ran.code != 0 {
                // A text that is an enum's name, a number that is out of range, a frame's family.
                assert_eq!(ran.code, 1, "{path} {place}={new}: {}", ran.stderr);
                refused.push(format!("{path} {place}={new}: {}", ran.stderr));
                continue;
            }
            let new_path = sample.folder.path().join("new");
            let made = fs::read(&new_path).unwrap();
            fs::write(sample.path(), &made).unwrap();
            let got = sample.run("get", &[&place]);
            assert_eq!((got.code, got.text()), (0, format!("{new}\n").as_str()), "{path} {place}");
            // Back again is the identical file.
            let back = sample.run("set", &[&format!("{place}={value}")]);
            assert_eq!(back.end(), (0, ""), "{path} {place}={value}");
            // A number of JSON may have been spelled otherwise, as 2.5e3.
            let is_number = path.contains("o3de") && value.parse::<f64>().is_ok();
            let is_same = sample.now() == sample.bytes;
            assert!(is_same || !is_exact || is_number, "{path} {place} back to {value}");
            fs::write(sample.path(), &sample.bytes).unwrap();
            let whole = sample.folder.path().join("old");
            fs::write(&whole, &sample.bytes).unwrap();
            let mut line = vec!["diff", "old", "new"];
            line.extend(sample.options.split_whitespace());
            if !line.contains(&"-f") {
                line.extend(["-f", format]);
            }
            let ran = run_in(sample.folder.path(), &line);
            // Identifiers do not matter in a comparison, only what they refer to.
            let is_id = place.contains("ID") || place.ends_with("Reference");
            assert!(ran.code == 1 || is_id, "{path} {place}: {}", ran.stderr);
            let lines = ran.text().lines().count();
            assert!(lines <= 1 || path.contains("resonite"), "{path} {place}: {}", ran.text());
            changed += 1;
        }
        assert!(changed > 0, "{path}");
    }
    assert!(seen.len() > 20, "{seen:?}");
    assert!(refused.len() < 30, "{}", refused.join(""));
}

#[test]
fn values_keep_their_kinds_or_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["godot-variant/savegame.dat", "o3de-json/samples/Base.setreg"] {
        let path = testdata(name);
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::copy(testdata("zeze-serialize/frames.bin"), folder.path().join("frames.bin")).unwrap();
    fs::copy(testdata("resonite-brson/lamp.brson"), folder.path().join("lamp.brson")).unwrap();
    insta::assert_snapshot!(session_in(
        folder.path(),
        &[
            "get savegame.dat player.hp",
            "get savegame.dat --kinds player.* crops[0].*",
            "get savegame.dat crops[*].nothing",
            "get savegame.dat player.inventory --json",
            "get savegame.dat player.hp player.name --json",
            "get savegame.dat crops[0].pos terrain.mask[0] ^x",
            "set savegame.dat player.hp=many",
            "set savegame.dat version=3.5",
            "set savegame.dat version=3.5 --kind float -o float.dat",
            "diff savegame.dat float.dat",
            "set savegame.dat crops[0].pos=[3,4] crops[0].kind=rye -o pos.dat",
            "diff savegame.dat pos.dat",
            "get pos.dat --kinds crops[0].kind",
            "set savegame.dat crops[0].pos=[3]",
            "set savegame.dat crops[0].watered=1",
            "set savegame.dat terrain.mask[0]=300",
            "set savegame.dat player.nothing=1",
            "ins savegame.dat player.inventory.axe=1 player.title=hero -o ins.dat",
            "diff savegame.dat ins.dat",
            "ins savegame.dat player.hp=1",
            "ins savegame.dat terrain.mask[-]=1 -o mask.dat",
            "diff savegame.dat mask.dat",
            "del savegame.dat player.inventory.hoe crops[3] -o del.dat",
            "get del.dat crops[3].id player.inventory --json",
            "del savegame.dat player.hat",
            "get frames.bin [0].bean.* [0].module [1].session",
            "get frames.bin /0/module",
            "set frames.bin [0].module=7 -o module.bin",
            "diff frames.bin module.bin",
            "set Base.setreg /Network/Port=1 -o port.setreg",
            "diff Base.setreg port.setreg",
            "set Base.setreg /Network/Port=many",
            "ins Base.setreg /Network/Retries=3 -o ins.setreg",
            "diff Base.setreg ins.setreg",
            "get lamp.brson Object.Bulb.Light.Range",
            "set lamp.brson Object.Bulb.Light.Range=8.5 -o range.brson",
            "diff lamp.brson range.brson",
            "get lamp.brson --kinds Object.OrderOffset Object.Bulb.Light.Range",
            "del lamp.brson Object.Stand -o del.brson",
            "diff lamp.brson del.brson",
            "set lamp.brson Object.Bulb.Light.Range",
        ],
    ));
    let text = fs::read_to_string(folder.path().join("port.setreg")).unwrap();
    assert!(text.contains("// Shared by"), "comments stay: {text}");
}

#[test]
fn all_that_a_pattern_leads_to_is_changed() {
    let sample = Sample::new("godot-variant/savegame.dat", "");
    sample.run("set", &["crops[*].watered=true"]).good();
    let got = String::from_utf8(sample.run("get", &["**.watered"]).good()).unwrap();
    assert!(got.lines().count() > 20 && got.lines().all(|line| line.ends_with("=true")), "{got}");
    sample.run("del", &["crops[*].watered"]).good();
    assert_eq!(sample.run("get", &["**.watered"]).code, 1);
    assert!(sample.run("get", &["crops[0].kin*"]).text().contains("pumpkin"));
}

/// What errors and explain call `[key 1]` can be named so.
#[test]
fn keys_are_values_too() {
    let json =
        r#"{"type":"Dictionary","args":["i:1","s:x",{"type":"Vector2i","args":[1,2]},"i:5"]}"#;
    let bytes = feed("encode - -f godot-variant", json.as_bytes()).good();
    let get = |bytes: &[u8], path: &str| {
        let ran = feed(&["get", "-", path, "-f", "godot-variant"], bytes);
        (ran.code, ran.text().trim_end().to_owned())
    };
    assert_eq!(get(&bytes, "[key 0]"), (0, "1".to_owned()));
    assert_eq!(get(&bytes, "[key 1]").1, "{\"type\":\"Vector2i\",\"args\":[1,2]}");
    assert_eq!(get(&bytes, "[key 2]").0, 1);
    let renamed = feed(&["set", "-", "[key 0]=7", "-f", "godot-variant"], &bytes).good();
    assert_eq!(get(&renamed, "[7]"), (0, "x".to_owned()));
    let gone = feed(&["del", "-", "[key 0]", "-f", "godot-variant"], &bytes);
    assert_eq!(gone.end(), (1, "error: standard input: [key 0]: remove the entry, not its key\n"));
}

/// The entries of a package that are not the save keep their bytes.
#[test]
fn a_package_stays_one() {
    let sample = Sample::new("resonite-brson/lamp.resonitepackage", "");
    sample.run("set", &["Object.Bulb.Light.Range=8.5"]).good();
    run_in(sample.folder.path(), &["package", "verify", sample.name]).good();
    let listed = run_in(sample.folder.path(), &["package", "list", sample.name]).good();
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains("c414cd0e204de974f73753c7e28d7638e7b3691bb8b1a2bab6b25bb7fed7ce77"));
}

#[test]
fn standard_streams_and_untouched_files() {
    let sample = Sample::new("godot-variant/savegame.dat", "");
    let made = feed("set - player.hp=50", &sample.bytes).good();
    assert_ne!(made, sample.bytes);
    assert_eq!(feed("get - player.hp", &made).good(), b"50.0\n");
    // A failure leaves the file as it is.
    assert_eq!(sample.run("set", &["player.hp=50", "version=x"]).code, 1);
    assert!(sample.now() == sample.bytes);
}

#[test]
fn plain_json_is_for_other_programs() {
    let sample = Sample::new("godot-variant/savegame.dat", "");
    let json = sample.run("decode", &["--plain", "--json", "--compact"]).good();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["player"]["inventory"]["coin"], 61615);
    assert_eq!(json["player"]["hp"], 97.5);
    assert_eq!(json["crops"][0]["kind"], "pumpkin");
    for (path, options) in SAMPLES {
        let sample = Sample::new(path, options);
        let json = sample.run("decode", &["--plain"]).good();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert!(json.is_object() || json.is_array(), "{path}");
    }
}

/// Bytes that would be written otherwise stay, too, where nothing changes.
#[test]
fn odd_bytes_stay() {
    // [1 as an int of 64 bits, 2, 3], bare, and in a frame.
    let odd = b"\x1c\0\0\0\x03\0\0\0\x02\0\x01\0\x01\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x02\0\0\0\x03\0\0\0";
    let framed = [&u32::try_from(odd.len()).unwrap().to_le_bytes()[..], odd].concat();
    for file in [odd.to_vec(), framed] {
        let set = feed("set - [1]=7 -f godot-variant", &file).good();
        let mut expected = file.clone();
        let at = expected.len() - 12;
        expected[at] = 7;
        assert_eq!(set, expected);
        let longer = feed("set - [2]=99999999999 -f godot-variant", &file).good();
        assert_eq!(longer.len(), file.len() + 4);
        assert_eq!(
            feed("get - [*] -f godot-variant", &longer).good(),
            b"[0]=1\n[1]=2\n[2]=99999999999\n"
        );
        let gone = feed("del - [1] -f godot-variant", &file).good();
        assert_eq!(feed("get - [*] -f godot-variant", &gone).good(), b"[0]=1\n[1]=3\n");
    }
    // A field of Zeze that is written although it is zero, and a varint of more bytes than it needs.
    let bean = b"\x10\x40\x05\x10\x00\x10\x07\x00";
    let set = feed(&["set", "-", "[field 3]=8", "-f", "zeze-serialize"], bean).good();
    assert_eq!(set, b"\x10\x40\x05\x10\x00\x10\x08\x00");
    // The end of a line after a text of base64.
    let text = feed("set - =5 --framing base64", b"AgAAAAUAAAA=\n");
    assert_eq!(text.code, 2, "{}", text.stderr);
    let text = feed("set - (root)=6 --framing base64", b"AgAAAAUAAAA=\n").good();
    assert_eq!(text, b"AgAAAAYAAAA=\n");
}

/// What a prefab leaves out for its default is made, with what belongs to it.
#[test]
fn members_with_their_default_are_made_in_prefabs() {
    let folder = crate::run::project();
    let gate = "/Entities/Entity_[41]/Components/Component_[51]";
    let path = "Levels/Start.prefab";
    let before = fs::read_to_string(folder.path().join(path)).unwrap();
    let set = |what: &str| run_in(folder.path(), &["set", path, &format!("{gate}{what}")]);
    set("/Transform Data/Translate/1=2.5").good();
    let after = fs::read_to_string(folder.path().join(path)).unwrap();
    let line = "                    \"Parent Entity\": \"Entity_[405]\"\n";
    let made = "                    \"Parent Entity\": \"Entity_[405]\",
                    \"Transform Data\": {
                        \"Translate\": [
                            0.0,
                            2.5,
                            0.0
                        ],
                        \"Rotate\": [
                            0.0,
                            0.0,
                            0.0
                        ],
                        \"UniformScale\": 1.0
                    }\n";
    assert_eq!(after, before.replace(line, made));
    // It is there now, and has its kind.
    let ran = run_in(folder.path(), &["get", path, &format!("{gate}/Transform Data/Translate/1")]);
    assert_eq!(ran.text(), "2.5\n");
    assert!(set("/Transform Data/Rotate/2=north").stderr.contains("expected a number"));
    set("/IsStatic=true").good();
    // What nobody knows the default of is not made.
    for nothing in ["/Transform Data/Nothing/1=2", "/Nothing=2", "9/Transform Data/Translate/1=2"] {
        let ran = set(nothing);
        assert!(ran.code == 1 && ran.stderr.contains("there is only"), "{}", ran.stderr);
    }
}

/// What `explain` prints as the path of bytes is a path that `get` takes, and prints the same.
#[test]
fn every_path_of_explain_is_one_of_get() {
    // The others hold the same documents.
    let others = ["7zbson", "lz4bson", "alone", "legacy.7zbson", "legacy.brson"];
    let samples =
        SAMPLES.into_iter().filter(|(path, _)| others.iter().all(|own| !path.contains(own)));
    let mut count = 0;
    for (path, options) in samples {
        let sample = Sample::new(path, options);
        let json: serde_json::Value =
            serde_json::from_slice(&sample.run("explain", &["--json"]).good()).unwrap();
        // Two classes of paths are of no value: those of properties of which a bit says that they are not
        // there, and those of the entries around the save of a package and in its record.
        let spans = json["spans"].as_array().unwrap();
        let says_no = |span: &&serde_json::Value| {
            let meaning = span["meaning"].as_str().unwrap();
            meaning.ends_with("whether it is there") && span["value"] == "no"
        };
        let absent: Vec<_> = spans.iter().filter(says_no).map(|span| &span["path"]).collect();
        let mut paths: Vec<&str> = Vec::new();
        for span in spans {
            let space = &json["spaces"][span["space"].as_u64().unwrap() as usize]["name"];
            let is_around = path.ends_with("package")
                && !space.as_str().unwrap().starts_with("decompressed body of Assets");
            let is_absent = absent.contains(&&span["path"]);
            let own = span["path"].as_str().unwrap();
            if !is_around && !is_absent && !own.is_empty() && !paths.contains(&own) {
                paths.push(own);
            }
        }
        assert!(paths.len() > 5, "{path}");
        count += paths.len();
        let ran = sample.run("get", &paths);
        assert_eq!(ran.end(), (0, ""), "{path}");
        // Names of settings and properties are shown without quotes, and text in keys without escapes.
        let plain = |path: &str| {
            let text = path.replace("[\"", ".").replace("\"]", "").replace("\\\"", "\"");
            text.trim_start_matches('.').to_owned()
        };
        let found: HashSet<String> =
            ran.text().lines().filter_map(split).map(|(path, _)| plain(path)).collect();
        for own in paths.into_iter().filter(|own| !own.contains('…')) {
            assert!(found.contains(&plain(own)), "{path}: {own}");
        }
    }
    assert!(count > 1500, "{count}");
}

/// An error in a row of values counts them, and what it names is found in a file of only one.
#[test]
fn the_only_value_of_a_row_has_a_number_too() {
    let sample = Sample::new("godot-variant/savegame.dat", "");
    for path in ["[0].player.hp", "player.hp"] {
        assert_eq!(sample.run("get", &[path]).text(), "97.5\n", "{path}");
    }
    assert_eq!(sample.run("get", &["[0]", "--kinds"]).text(), "Dictionary\n");
    assert_eq!(sample.run("get", &["[1].player.hp"]).code, 1);
    // What is a list has numbers of its own.
    let list =
        feed("encode - -f godot-variant --framing store-var", br#"[["i:1","i:2"],"i:3"]"#).good();
    assert_eq!(feed("get - [0][1]", &list).good(), b"2\n");
    assert_eq!(feed("get - [0]", &list).good(), b"[\"i:1\",\"i:2\"]\n");
}

/// The bean of a frame is not a step of the way to its fields, and can be meant as a whole.
#[test]
fn fields_of_frames_have_short_paths() {
    let sample = Sample::new("zeze-serialize/frames.bin", "");
    for path in ["[0][field 4]", "[0].bean[field 4]"] {
        assert_eq!(sample.run("get", &[path]).text(), "-88549629\n", "{path}");
    }
    assert!(sample.run("get", &["[0].bean"]).text().starts_with("{\"2:int\":126,"));
    assert_eq!(sample.run("get", &["[0].*"]).text().lines().count(), 9);
    sample.run("ins", &["[0][field 5]=7", "--kind", "int"]).good();
    assert_eq!(sample.run("get", &["[0][field 5]"]).text(), "7\n");
    sample.run("del", &["[0][field 5]"]).good();
    assert!(sample.now() == sample.bytes);
}

/// A path that is cut off may mean several values; only one of them is changed.
#[test]
fn shortened_paths_change_one_value_only() {
    let (one, two) = ("a".repeat(40), format!("{}b", "a".repeat(39)));
    let json = format!(r#"{{"type":"Dictionary","args":["s:{one}","i:1","s:{two}","i:2"]}}"#);
    let bytes = feed("encode - -f godot-variant", json.as_bytes()).good();
    let short = format!("{}…", "a".repeat(32));
    let got = feed(&["get", "-", &short, "-f", "godot-variant"], &bytes).good();
    assert_eq!(String::from_utf8(got).unwrap(), format!("{one}=1\n{two}=2\n"));
    for command in ["set", "del"] {
        let what = if command == "set" { format!("{short}=3") } else { short.clone() };
        let ran = feed(&[command, "-", &what, "-f", "godot-variant"], &bytes);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(": ambiguous: ") && ran.stderr.contains(" or "));
    }
}

/// Values that are set one after the other see what became of the ones before.
#[test]
fn what_was_set_may_be_changed_again() {
    let sample = Sample::new("godot-variant/savegame.dat", "");
    let player = r#"player={"type":"Dictionary","args":["s:axe","i:1"]}"#;
    sample.run("set", &[player, "player.axe=2", "version=7"]).good();
    assert_eq!(sample.run("get", &["player", "--json"]).text(), "{\n  \"axe\": 2\n}\n");
    assert_eq!(sample.run("get", &["version"]).text(), "7\n");
    let ran = sample.run("set", &[player, "player.hp=2"]);
    assert!(ran.code == 1 && ran.stderr.contains("there is only axe"), "{}", ran.stderr);
}

/// A row for each file, in order, with what is wrong in a column of its own.
#[test]
fn tables_of_folders_have_a_row_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    std::fs::create_dir(folder.path().join("saves")).unwrap();
    let save = sample("savegame.dat");
    put("saves/a.dat", &save);
    put("saves/b.dat", &save);
    put("saves/c.dat", &save[..1500]);
    put("saves/notes.txt", b"nothing of the kind");
    put("one.dat", &save);
    run_in(folder.path(), &["set", "saves/b.dat", "player.name=a,\"b\"\nc", "player.hp=-1.5"])
        .good();
    run_in(folder.path(), "del saves/b.dat player.gold");
    let paths = ["player.hp", "player.name", "crops[*].watered", "player.inventory", "version"];
    let table = |kind: &str| {
        run_in(
            folder.path(),
            &[&["get", "saves", "one.dat"][..], &paths, &["--table", kind]].concat(),
        )
    };
    let ran = table("csv");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(
        lines[0],
        "file,player.hp,player.name,crops[*].watered,player.inventory,version,error"
    );
    assert!(lines[1].starts_with("saves/a.dat,97.5,Åsa 🌾,\"[false,false,true,"), "{}", lines[1]);
    assert!(lines[2].starts_with("saves/b.dat,-1.5,\"a,\"\"b\"\""), "{}", lines[2]);
    assert_eq!(lines[4], "saves/c.dat,,,,,,damaged: only a part of it is godot-variant");
    assert!(lines[5].starts_with("one.dat,97.5,"));
    assert_eq!(lines.len(), 6);

    let ran = table("jsonl");
    let rows: Vec<serde_json::Value> =
        ran.text().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(rows[1]["player.name"], "a,\"b\"\nc");
    assert_eq!(rows[1]["crops[*].watered"].as_array().unwrap().len(), 40);
    assert_eq!(rows[0]["error"], serde_json::Value::Null);
    assert_eq!((&rows[2]["player.hp"], rows.len()), (&serde_json::Value::Null, 4));
    assert!(rows[2]["error"].as_str().unwrap().starts_with("damaged"));

    // A path that no file has is more likely a slip.
    let ran = run_in(folder.path(), "get one.dat player.hp player.hpp --table csv");
    assert_eq!(ran.end(), (1, "error: player.hpp: no file has such a value\n"));
    assert_eq!(ran.text(), "file,player.hp,player.hpp,error\none.dat,97.5,,\n");
    let ran = run_in(folder.path(), "get saves one.dat --table csv");
    assert_eq!(ran.end(), (2, "error: expected the path of a value after the files\n"));
}

/// Of a long list, most is skipped. The system allows the program no more memory than that and itself.
#[cfg(target_os = "linux")]
#[test]
fn a_value_of_a_big_file_takes_little_more_memory_than_the_file() {
    use std::collections::BTreeMap;
    use std::process::Command;

    use gamewire::zeze_serialize::value::{Bean, List, Value};

    let row =
        |at: i32| (format!("the row {at} of a long list"), vec![at; 4], [("on", at % 2 == 0)]);
    let field = |at: i32| [(1, Value::from(format!("the row {at}"))), (2, Value::Int(at.into()))];
    let bean = |at| Value::Bean(field(at).into_iter().collect::<Bean>());
    let rows = BTreeMap::from([("rows", (0..50_000).map(row).collect::<Vec<_>>())]);
    let list = Value::List((0..150_000).map(bean).collect::<List>());
    let bean = Value::Bean([(1, list)].into_iter().collect::<Bean>());
    let files = [
        ("godot-variant", gamewire::godot_variant::to_vec(&rows).unwrap(), "rows", "[0]"),
        ("o3de-json", gamewire::o3de_json::to_vec(&rows).unwrap(), "/rows", "/0"),
        ("resonite-brson", plain_bson(&rows), "rows", "[0]"),
        (
            "zeze-serialize",
            gamewire::zeze_serialize::to_vec(&bean).unwrap(),
            "[field 1]",
            "[field 1]",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (format, bytes, list, first) in files {
        fs::write(folder.path().join(format), &bytes).unwrap();
        let at = |at: usize| {
            if list.starts_with('/') { format!("{list}/{at}") } else { format!("{list}[{at}]") }
        };
        let set = format!("{}{first}=x", at(25_000));
        for (command, path) in [("get", at(49_999)), ("set", set), ("check", String::new())] {
            // The stack of its thread, the program, and what the allocator keeps.
            let own = (100 << 20) + fs::metadata(crate::run::TOOL).unwrap().len();
            let times = if command == "check" { 8 } else { 4 };
            let most = (own + times * bytes.len() as u64) >> 10;
            let mut tool = Command::new("sh");
            tool.args(["-c", "ulimit -v $0 && exec \"$@\"", &most.to_string(), crate::run::TOOL]);
            tool.args([command, format, "-f", format]).args((!path.is_empty()).then_some(&path));
            let out =
                tool.env("MALLOC_ARENA_MAX", "1").current_dir(folder.path()).output().unwrap();
            let said = String::from_utf8_lossy(&out.stderr);
            assert!(out.status.success(), "{format} {command} of {} bytes: {said}", bytes.len());
        }
    }
}

#[cfg(target_os = "linux")]
fn plain_bson(value: &impl serde::Serialize) -> Vec<u8> {
    let options = resonite_brson::Options::new().container(resonite_brson::Container::BSON);
    options.max_output(usize::MAX).to_vec(value).unwrap()
}
