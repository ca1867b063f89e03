//! decode, encode, convert, detect.

use gamewire_testkit::vectors::same_bytes;
use serde_json::Value as Json;

use crate::run::{feed, run, sample, samples};

/// The engine writes floats with 14 digits after the point; we write all of them.
fn as_the_engine_prints(value: &mut Json) {
    match value {
        Json::String(text) => {
            if let Some(float) = text.strip_prefix("f:").and_then(|text| text.parse::<f64>().ok()) {
                *text = format!("f:{float:.13}");
            }
        }
        Json::Array(items) => items.iter_mut().for_each(as_the_engine_prints),
        Json::Object(members) => members.values_mut().for_each(as_the_engine_prints),
        _ => {}
    }
}

#[test]
fn one_value_is_what_the_engine_writes() {
    let mut engine: Json = serde_json::from_slice(&sample("savegame.native.json")).unwrap();
    as_the_engine_prints(&mut engine);
    for args in [&["decode", "savegame.dat"][..], &["decode", "savegame.dat", "--compact"]] {
        let mut own: Json = serde_json::from_slice(&run(args).good()).unwrap();
        as_the_engine_prints(&mut own);
        assert_eq!(own, engine);
    }
}

#[test]
fn samples_are_written_back_byte_for_byte() {
    let mut count = 0;
    for entry in std::fs::read_dir(samples()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".dat") && !name.ends_with(".binary") {
            continue;
        }
        for layout in [&[][..], &["--compact"]] {
            let json = run(&[&["decode", &name, "--wrap"], layout].concat()).good();
            let bytes = feed("encode - -f godot-variant", &json).good();
            same_bytes(&name, &sample(&name), &bytes).unwrap();
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn encode_makes_what_the_name_of_its_output_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let lamp = samples().join("../resonite-brson/lamp.brson");
    let json = run(&["decode", lamp.to_str().unwrap()]).good();
    let source = path("lamp.brson.json");
    std::fs::write(&source, &json).unwrap();
    run(&["encode", &source, "-f", "resonite-brson", "-o", &path("a.brson")]).good();
    run(&["encode", &source, "-o", &path("b.brson")]).good();
    // In a folder, each file has its name without .json.
    run(&["encode", &source, "--out-dir", &path("out")]).good();
    let [first, others @ ..] = ["a.brson", "b.brson", "out/lamp.brson"]
        .map(|own| std::fs::read(folder.path().join(own)).unwrap());
    assert!(others == [first.clone(), first]);

    let why = "does not say what it is to be; --format FORMAT does";
    let (code, said) = (2, format!("error: standard output {why}\n"));
    assert_eq!(feed("encode -", &json).end(), (code, said.as_str()));
    let name = path("a.unknown");
    let said = format!("error: {name}: the name {why}\n");
    assert_eq!(feed(&["encode", "-", "-o", &name], &json).end(), (code, said.as_str()));
    assert!(!folder.path().join("a.unknown").exists());
}

#[test]
fn without_a_wrapper_the_framing_is_an_option() {
    let json = run("decode savegame.dat").good();
    let encode = ["encode", "-", "-f", "godot-variant"];
    let framed = sample("savegame.dat");
    let bare = feed(&encode, &json).good();
    assert_eq!(bare, framed[4..]);
    assert_eq!(feed(&[&encode[..], &["--framing", "store-var"]].concat(), &json).good(), framed);

    let mut big = u32::try_from(bare.len()).unwrap().to_be_bytes().to_vec();
    big.extend(&bare);
    assert_eq!(feed(&[&encode[..], &["--framing", "store-var-be"]].concat(), &json).good(), big);

    let text = feed(&[&encode[..], &["--framing", "base64"]].concat(), &json).good();
    assert!(text.starts_with(b"GwAAAAkAAAA"));
    // Each of them is recognized, base64 once it is said to be Godot's.
    for (bytes, args) in [(&bare, &[][..]), (&big, &[]), (&text, &["-f", "godot-variant"])] {
        assert_eq!(feed(&[&["decode", "-"], args].concat(), bytes).good(), json);
    }
}

#[test]
fn hand_written_json_is_encoded() {
    let json = br#"
        {"type": "Dictionary", "args": [
            "s:name", "s:\u00c5sa",
            "sn:hp", "f:97.5",
            "s:at", {"args": [1, 2.5], "type": "Vector2"},
            "i:7", [null, true, "i:-1"]
        ]}"#;
    let bytes = feed("encode - -f godot-variant", json).good();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    insta::assert_snapshot!(hex);
    let back = feed("decode -", &bytes).good();
    let (mut back, json): (Json, Json) =
        (serde_json::from_slice(&back).unwrap(), serde_json::from_slice(json).unwrap());
    // JSON parsers differ in what 1 and 1.0 are.
    back["args"][5]["args"][0] = 1.into();
    assert_eq!(back, json);
}

#[test]
fn files_are_written_and_stdout_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, dat) = (path("s.json"), path("s.dat"));
    assert!(run(&["decode", "stream.dat", "-o", &json]).good().is_empty());
    assert!(run(&["encode", &json, "-f", "godot-variant", "-o", &dat]).good().is_empty());
    assert_eq!(std::fs::read(dat).unwrap(), sample("stream.dat"));
}

#[test]
fn dialects_and_framings_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (four, three, back) = (path("4.var"), path("3.var"), path("back.var"));
    let json =
        br#"[{"type":"Color","args":[0.5,0.25,1.0,1.0]},{"type":"PackedInt32Array","args":[1]}]"#;
    feed(&["encode", "-", "-f", "godot-variant", "-o", &four], json).good();
    run(&["convert", &four, &three, "--to-dialect", "godot3", "--to-framing", "store-var"]).good();
    let bytes = std::fs::read(&three).unwrap();
    assert_eq!((bytes[4], bytes[12]), (19, 14), "an Array and a Color of 3.x");
    run(&["convert", &three, &back, "--dialect", "godot3", "--to-dialect", "godot4"]).good();
    run(&["convert", &back, &back, "--to-framing", "bare"]).good();
    assert_eq!(std::fs::read(&back).unwrap(), std::fs::read(&four).unwrap());

    // Doubles take more room, and come back.
    run(&["convert", &four, &back, "--to-precision", "double"]).good();
    assert_eq!(run(&["check", "-q", &back]).code, 0);

    let json = path("x.JSON");
    run(&["convert", "savegame.dat", &json]).good();
    assert_eq!(std::fs::read(json).unwrap(), run("decode savegame.dat --wrap").good());
    let json = run("convert savegame.dat - --to json --to-framing bare");
    assert_eq!(json.good(), run("decode savegame.dat").good());
}

#[test]
fn objects_are_read_when_allowed() {
    let json = br#"{"type":"Resource","props":["resource_name","s:x"]}"#;
    let encode = ["encode", "-", "-f", "godot-variant"];
    let refused = feed(&encode, json);
    assert_eq!(refused.code, 1);
    let bytes = feed(&[&encode[..], &["--objects"]].concat(), json).good();
    assert_eq!(feed("decode -", &bytes).code, 1);
    let back = feed("decode - --objects --compact", &bytes).good();
    assert_eq!(back.trim_ascii_end(), json);
}

#[test]
fn formats_are_detected() {
    let names = ["project.binary", "savegame.dat", "stream.dat"];
    insta::assert_snapshot!(run(&[&["detect"], &names[..]].concat()).text());
    let ran = feed("detect -", b"plain text");
    assert_eq!((ran.code, ran.text()), (1, "standard input: not recognized\n"));
    insta::assert_snapshot!(run(&["formats"]).text());
}
