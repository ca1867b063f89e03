//! PropertyClass files: every command.

use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::{Mode, Options};
use serde_json::Value as Json;

use crate::run::{Ran, run_in, session_in, testdata};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata("kiwi-pclass").join(name)).unwrap()
}

const TYPES: [&str; 2] = ["--types", "vectors/types/arena.json"];

/// In the folder of the samples.
fn run(args: &[&str]) -> Ran {
    run_in(&testdata("kiwi-pclass"), args)
}

fn with_types(args: &[&str]) -> Ran {
    run(&[args, &TYPES].concat())
}

/// Command lines with `@` for the type list, and what they print.
fn session(lines: &[&str]) -> String {
    let types = TYPES.join(" ");
    let whole: Vec<String> = lines.iter().map(|line| line.replace('@', &types)).collect();
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    session_in(&testdata("kiwi-pclass"), &whole).replace(&types, "@")
}

#[test]
fn files_are_detected() {
    insta::assert_snapshot!(session(&["detect boss.xml match.xml server.xml boss.blob"]));
}

#[test]
fn objects_are_decoded() {
    insta::assert_snapshot!(String::from_utf8(with_types(&["decode", "boss.xml"]).good()).unwrap());
    // The same object, whatever is around it; only what the mask selects.
    let blob: Json =
        serde_json::from_slice(&with_types(&["decode", "boss.blob", "-f", "kiwi-pclass"]).good())
            .unwrap();
    let message = with_types(&["decode", "boss.message", "--form", "envelope"]).good();
    assert_eq!(serde_json::from_slice::<Json>(&message).unwrap(), blob);
    assert_eq!(blob["m_oldPhase"], 1, "shallow objects have deprecated properties");
    assert_eq!(blob["m_hidden"], Json::Null, "it is not sent");
    assert_eq!(blob["m_traits"], "TRAIT_FAST|TRAIT_STRONG|TRAIT_FLYING");
}

#[test]
fn samples_are_written_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let json = folder.path().join("out.json").to_str().unwrap().to_owned();
    for (name, form) in [("boss.xml", "bind"), ("boss.blob", "bare"), ("server.xml", "bind")] {
        with_types(&["decode", name, "--form", form, "--wrap", "-o", &json]).good();
        with_types(&["encode", &json, "-f", "kiwi-pclass", "-o", &out]).good();
        assert_eq!(std::fs::read(&out).unwrap(), sample(name), "{name}");
        // And through the debug form.
        let text = folder.path().join("text.xml").to_str().unwrap().to_owned();
        let mask = if form == "bind" { "1" } else { "0x18" };
        let mode = if form == "bind" { "deep" } else { "shallow" };
        let same = ["--mask", mask, "--mode", mode];
        with_types(&[&["convert", name, &text, "--form", form], &same[..]].concat()).good();
        let flags = if form == "bind" { "7" } else { "0" };
        let back = ["--to-form", form, "--to-flags", flags];
        with_types(&[&["convert", &text, &out], &back[..], &same].concat()).good();
        assert_eq!(std::fs::read(&out).unwrap(), sample(name), "{name} through XML");
    }
}

#[test]
fn files_are_checked() {
    insta::assert_snapshot!(session(&[
        "check boss.xml match.xml server.xml @",
        "check boss.blob -f kiwi-pclass @",
        "check boss.message --form envelope @",
        "check boss.xml",
        "check server.xml --types vectors/types/arena.json --types vectors/types/arena_server.json",
        "check match.xml --strict @",
    ]));
}

#[test]
fn text_forms() {
    insta::assert_snapshot!(
        String::from_utf8(with_types(&["convert", "boss.xml", "-"]).good()).unwrap()
    );
}

#[test]
fn files_are_explained() {
    insta::assert_snapshot!(
        String::from_utf8(with_types(&["explain", "boss.xml"]).good()).unwrap()
    );
    let page = tempfile::NamedTempFile::new().unwrap();
    let path = page.path().to_str().unwrap();
    with_types(&["explain", "match.xml", "--html", path]).good();
    assert!(std::fs::read_to_string(path).unwrap().contains("class ArenaMap"));
    let json = with_types(&["explain", "boss.message", "--form", "envelope", "--json"]).good();
    assert!(serde_json::from_slice::<Json>(&json).is_ok());
}

#[test]
fn differences_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, other) = (path("boss.json"), path("other.xml"));
    let mut boss: Json =
        serde_json::from_slice(&with_types(&["decode", "boss.xml"]).good()).unwrap();
    boss["m_level"] = 30.into();
    boss["m_traits"] = "TRAIT_FAST".into();
    boss["m_target"] = Json::Null;
    boss["m_inventory"][2]["m_damage"]["x"] = 13.into();
    boss["m_minions"].as_array_mut().unwrap().clear();
    boss["m_buffs"].as_array_mut().unwrap().push(7.into());
    std::fs::write(&json, boss.to_string()).unwrap();
    with_types(&["encode", &json, "-f", "kiwi-pclass", "-o", &other]).good();
    let ran = with_types(&["diff", "boss.xml", &other]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.text());
    assert_eq!(with_types(&["diff", "boss.xml", "boss.xml"]).code, 0);
}

/// What is said where data is refused.
fn refused(ran: Ran) -> String {
    assert_eq!(ran.code, 1, "{ran:?}");
    ran.stderr
}

/// Forms are told by their own marks; mode and flags only by the names of files.
#[test]
fn forms_are_told_by_marks_and_modes_by_names() {
    let types = std::fs::read(testdata("kiwi-pclass").join("vectors/types/arena.json")).unwrap();
    let shallow = Options::new().schema(kiwi_pclass::Schema::from_json(&types).unwrap());
    let blob = sample("boss.blob");
    let boss: kiwi_pclass::Value = shallow.from_slice(&blob).unwrap();
    let deep = shallow.clone().mode(Mode::Deep);
    let flags = |options: &Options, flags| {
        options.clone().flags(SerializerFlags(flags)).to_vec(&boss).unwrap()
    };
    let mut files = vec![
        ("envelope", 0, sample("boss.message")),
        ("stored", 0, kiwi_pclass::envelope::wrap(&blob, false).unwrap()),
    ];
    files.extend([1, 8, 9].map(|bits| ("shallow", bits, flags(&shallow, bits))));
    files.extend([0, 2, 4, 6, 1, 7, 8, 15].map(|bits| ("deep", bits, flags(&deep, bits))));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.bin").to_str().unwrap().to_owned();
    let write = |bytes: &[u8]| std::fs::write(&path, bytes).unwrap();
    let decode = |bytes: &[u8]| {
        write(bytes);
        with_types(&["decode", &path, "-f", "kiwi-pclass"])
    };
    let whole: Json = serde_json::from_slice(&decode(&blob).good()).unwrap();
    for (what, bits, bytes) in &files {
        let mut expected = whole.clone();
        let bits = bits.to_string();
        let mut said = vec![path.as_str(), "-f", "kiwi-pclass"];
        if matches!(*what, "shallow" | "deep") {
            let hint = refused(decode(bytes));
            assert!(hint.contains("help: "), "{what} {bits} {hint}");
            said.extend(["--mode", what, "--flags", &bits]);
        }
        if *what == "deep" {
            // Deep objects leave them out.
            expected.as_object_mut().unwrap().remove("m_oldPhase");
        }
        write(bytes);
        let read = with_types(&[&["decode"], &said[..]].concat()).good();
        assert_eq!(serde_json::from_slice::<Json>(&read).unwrap(), expected, "{what}");
        assert!(with_types(&[&["check"], &said[..]].concat()).text().contains("1 file"));
        with_types(&[&["explain"], &said[..]].concat()).good();
        // One bit of a size, a hash or a head that is not right: nothing is taken for something else.
        let mut spoilt = bytes.clone();
        spoilt[5] ^= 0x40;
        refused(decode(&spoilt));
        refused(decode(&bytes[..bytes.len() - 1]));
    }
    // By its name alone, as an archive has it.
    let zone = folder.path().join("gamedata.bin").to_str().unwrap().to_owned();
    std::fs::write(&zone, flags(&deep, 0)).unwrap();
    let read: Json = serde_json::from_slice(&with_types(&["decode", &zone]).good()).unwrap();
    assert_eq!(read["m_name"], whole["m_name"]);
    refused(with_types(&["decode", &zone, "--mode", "shallow"]));
    let hint = refused(decode(b"\x93\x01\0\0\x78\xda"));
    assert!(hint.contains("help: this looks like a size and compressed data"), "{hint}");
    assert!(hint.contains("--form zlib"), "{hint}");
    let hint = refused(decode(&blob[..20]));
    assert!(hint.contains("help: the bytes do not say how they are laid out: --mode"), "{hint}");
}

#[test]
fn unknown_classes_deprecated_properties_and_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.bin").to_str().unwrap().to_owned();
    let types = std::fs::read(testdata("kiwi-pclass").join("vectors/types/arena.json")).unwrap();
    let options = Options::new().schema(kiwi_pclass::Schema::from_json(&types).unwrap());
    let boss: kiwi_pclass::Value = options.from_slice(&sample("boss.blob")).unwrap();
    // A property that the list does not have, in a deep object.
    let mut odd = boss.clone();
    let bits = kiwi_pclass::value::RawBits::new(&[7], 8);
    let field = kiwi_pclass::value::Field::unknown(12345, kiwi_pclass::Value::Bits(Box::new(bits)));
    odd.as_object_mut().unwrap().push_field(field);
    std::fs::write(&path, options.clone().mode(Mode::Deep).to_vec(&odd).unwrap()).unwrap();
    let decode = |more: &[&str]| {
        let line = ["decode", &path, "-f", "kiwi-pclass", "--mode", "deep"];
        with_types(&[&line, more].concat())
    };
    let has_it = |ran: Ran| String::from_utf8(ran.good()).unwrap().contains("3039");
    assert!(has_it(decode(&[])) && has_it(decode(&["--unknown", "keep"])));
    assert!(!has_it(decode(&["--unknown", "skip"])));
    assert!(refused(decode(&["--unknown", "refuse"])).contains("found the hash 12345"));
    // Deprecated properties are not in the bytes of some other programs.
    let without = options.skip_deprecated(true).to_vec(&boss).unwrap();
    std::fs::write(&path, &without).unwrap();
    refused(with_types(&["decode", &path, "-f", "kiwi-pclass"]));
    let line = ["decode", &path, "-f", "kiwi-pclass", "--skip-deprecated"];
    let read: Json = serde_json::from_slice(&with_types(&line).good()).unwrap();
    assert_eq!(read.get("m_oldPhase"), None);
    // A list without hashes, and an object of the other game.
    let list = folder.path().join("list.json").to_str().unwrap().to_owned();
    let json = r#"{"version": 2, "classes": {"1": {"name": "class A", "properties": {
        "m_id": {"type": "int", "id": 0, "flags": 31}}}}}"#;
    std::fs::write(&list, json).unwrap();
    let hash = kiwi_pclass::hash::Game::Pirate101.class_hash("class A");
    std::fs::write(&path, [hash.to_le_bytes(), [5, 0, 0, 0]].concat()).unwrap();
    let line = ["decode", &path, "-f", "kiwi-pclass", "--types", &list];
    refused(run(&line));
    let read = run(&[&line[..], &["--game", "pirate101"]].concat()).good();
    assert_eq!(serde_json::from_slice::<Json>(&read).unwrap()["m_id"], 5);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let feed = |bytes: &[u8], args: &[&str]| {
        std::fs::write(&path, bytes).unwrap();
        let ran = with_types(&[args, &[path.to_str().unwrap()]].concat());
        let text = format!("{}{}", ran.text(), ran.stderr);
        format!("{}\n", text.replace(path.to_str().unwrap(), "FILE"))
    };
    let boss = sample("boss.xml");
    let mut text = session(&[
        "decode boss.xml",
        "decode boss.xml --types no/such.json",
        "decode boss.xml --types MANIFEST.toml",
        "decode boss.xml @ --flags x",
        "decode boss.blob @ --core-type 5",
        "explain vectors/xml.jsonl -f kiwi-pclass @",
    ]);
    text += &feed(&boss[..200], &["decode"]);
    text += &feed(&boss[8..], &["decode", "-f", "kiwi-pclass", "--mode", "shallow"]);
    text += &feed(b"<Objects><Class Name=\"class Nobody\"/></Objects>", &["decode"]);
    text += &feed(
        b"<Objects><Class Name=\"class ArenaItem\"><m_count>70000</m_count></Class></Objects>",
        &["decode"],
    );
    let encode = ["encode", "-f", "kiwi-pclass"];
    text += &feed(b"{\"$type\": \"class ArenaItem\", \"m_none\": 1}", &encode);
    text += &feed(b"{\"$type\": \"class ArenaItem\", \"m_count\": -1}", &encode);
    text += &feed(b"{\"form\": \"tape\", \"objects\": []}", &encode);
    insta::assert_snapshot!(text);
}

#[test]
fn source_goes_to_standard_output_or_files() {
    let folder = tempfile::tempdir().unwrap();
    let list = "vectors/types/arena.json";
    let class = "class Arena::Match<class ArenaMap>";
    let source = run(&["gen", "pclass", list, "--class", class]).good();
    assert!(source == sample("arena.rs"));
    let source = run(&["gen", "pclass", list, "--class", "class ArenaEntity", "--derived"]);
    assert!(String::from_utf8(source.good()).unwrap().contains("ArenaBoss: ArenaFighter = "));
    let out = folder.path().join("game");
    let line = ["gen", "pclass", list, "--all", "--out-dir", out.to_str().unwrap()];
    run(&line).good();
    assert_eq!(crate::files::names(&out), ["classes000.rs", "mod.rs", "types.rs"]);
    assert!(run(&line).stderr.contains("exists; --force replaces it"));
    let ran = run(&["gen", "pclass", list]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn type_lists_are_asked() {
    insta::assert_snapshot!(session(&[
        "types vectors/types/arena.json",
        "types vectors/types/arena.json vectors/types/arena_server.json --json",
        "types vectors/types/arena.json --class ArenaWeapon",
        "types vectors/types/arena.json --class ArenaEntity --json",
        "types vectors/types/arena.json --derived ArenaItem",
        "types vectors/types/arena.json --classes",
        "types vectors/types/arena.json --hash 278206868 --hash 0x665cd49c --hash 1",
        "types vectors/types/arena.json --hash 0x665cd49c --json",
        "types vectors/types/arena.json --class arenaitem",
        "types MANIFEST.toml",
        "types",
    ]));
    // The numbers of the format's description.
    let said = run(&["types", "--hash-of", "class CoreObject", "--hash-of", "unsigned int m_id"]);
    let said = String::from_utf8(said.good()).unwrap();
    assert!(
        said.contains(&format!("{:#010x}  string id of class CoreObject", 1_152_306_685)),
        "{said}"
    );
    let id = format!("{:#010x}  property m_id of type unsigned int, wizard101", 2_301_988_666_u32);
    assert!(said.contains(&id), "{said}");
}

#[test]
fn type_lists_are_merged_and_written() {
    use kiwi_pclass::Schema;

    let folder = tempfile::tempdir().unwrap();
    let lists = ["vectors/types/arena.json", "vectors/types/arena_server.json"];
    let whole = lists.iter().fold(Schema::builder(), |all, path| all.json(&sample(path)).unwrap());
    let whole = whole.build().unwrap();
    for version in ["v1", "v2"] {
        let out = folder.path().join(version);
        let out = out.to_str().unwrap();
        run(&[&["types"], &lists[..], &["--export", out, "--as", version]].concat()).good();
        let text = std::fs::read(out).unwrap();
        let json: Json = serde_json::from_slice(&text).unwrap();
        assert_eq!(json["version"], if version == "v2" { 2.into() } else { Json::Null });
        let again = Schema::from_json(&text).unwrap();
        assert!(again.classes().eq(whole.classes()), "{version}");
        // And from either version to the other.
        let next = folder.path().join("next");
        let next = next.to_str().unwrap();
        run(&["types", out, "--export", next, "--as", "v2"]).good();
        let v2 = std::fs::read(next).unwrap();
        assert!(Schema::from_json(&v2).unwrap().classes().eq(whole.classes()));
    }
    // What the tool does not use stays.
    let text = std::fs::read_to_string(folder.path().join("v2")).unwrap();
    assert!(text.contains("\"offset\""), "{}", &text[..500]);
}

#[test]
fn type_lists_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let list = |name: &str, properties: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(&path, format!(r#"{{"class A": {{"properties": {{{properties}}}}}}}"#))
            .unwrap();
        path
    };
    let old = list("old.json", r#""m_x": {"type": "int", "id": 0, "flags": 7}"#);
    let new = list("new.json", r#""m_x": {"type": "float", "id": 0, "flags": 7}"#);
    let ran = run(&["types", &old, "--diff", &new]);
    assert_eq!((ran.code, ran.text()), (1, "class A.m_x: type int -> float\n"));
    let ran = run(&["types", &old, "--diff", &new, "--json"]);
    assert!(ran.text().contains("\"part\": \"type\""), "{}", ran.text());
    assert_eq!(run(&["types", &old, "--diff", &old]).code, 0);
}
