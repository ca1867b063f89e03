//! Saves of Godot's games in the ways that games write them.

use gamewire::Format;
use gamewire::document::{
    self, Document, Hint, Merge, Secret, Settings, Side, Target, Verdict, Wrapping,
};
use gamewire::godot_variant::frame::Framing;
use gamewire::godot_variant::wrapped::{Compression, Generation};
use gamewire::godot_variant::{Dialect, Options, Value, frame, variant};

fn open(bytes: impl Into<Vec<u8>>) -> Document {
    let bytes = bytes.into();
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    Document::open(bytes, &Settings::default()).unwrap_or_else(|error| panic!("{shown}: {error}"))
}

fn text(document: &Document, path: &str) -> String {
    document.get(path).unwrap()[0].text().unwrap()
}

fn written(document: &Document) -> &str {
    std::str::from_utf8(document.as_bytes()).unwrap()
}

/// The file after some edits.
fn edited(source: &str, edits: impl FnOnce(&mut Document)) -> String {
    let mut document = open(source);
    assert_eq!(document.as_bytes(), source.as_bytes());
    edits(&mut document);
    written(&document).to_owned()
}

const TIGHT: &str =
    r#"{"gold":7.0,"name":"Edda","id":9007199254740993,"items":[1,2],"pos":{"x":1.50}}"#;

#[test]
fn json_is_a_save_in_any_layout() {
    let document = open(TIGHT);
    assert_eq!(document.format(), Format::GodotVariant);
    assert_eq!(document.describe(), "JSON, an object of 5 members");
    assert_eq!(text(&document, "id"), "9007199254740993");
    let pretty = "{\n\t\"gold\": 7,\n\t\"items\": [\n\t\t1,\n\t\t2\n\t]\n}\n";
    for (source, after) in [
        (TIGHT, TIGHT.replace("7.0", "8.0").replace("[1,2]", "[1,2,\"a\"]")),
        (pretty, pretty.replace('7', "8").replace("\t2\n", "\t2,\n\t\t\"a\"\n")),
    ] {
        let made = edited(source, |document| {
            document.set("gold", "8").unwrap();
            document.insert("items[-]", "a").unwrap();
        });
        assert_eq!(made, after);
    }
    assert_eq!(edited(TIGHT, |own| own.set("pos.x", "1.5").unwrap()), TIGHT);
    assert_eq!(
        edited(TIGHT, |own| own.set("items[0]", "inf").unwrap()),
        TIGHT.replace("[1,", "[1e99999,")
    );
    assert_eq!(
        edited(TIGHT, |own| own.insert("pos.y", "{\"a\": [1, 2]}").unwrap()),
        TIGHT.replace("1.50", "1.50,\"y\":{\"a\":[1,2]}")
    );
    assert_eq!(
        edited(TIGHT, |own| own.remove("id").unwrap()),
        TIGHT.replace("\"id\":9007199254740993,", "")
    );
}

#[test]
fn json_is_what_the_engine_writes_and_reads() {
    // The engine escapes few control characters, and writes INF as a number that is too large.
    let odd = "{\"a\":\"x\u{1}\ty\n\\u00e9\\v\",\"b\":[1e99999,-1e99999,01,1.,-.5,],\"c\":null,}";
    let document = open(odd);
    assert_eq!(text(&document, "a"), "x\u{1}\ty\né\u{b}");
    assert_eq!(text(&document, "b[0]"), "inf");
    let plain = document.to_plain_json().unwrap().to_string();
    assert!(plain.contains("[\"inf\",\"-inf\",1.0,1.0,-0.5]"), "{plain}");
    assert_eq!(document::check(odd.as_bytes(), &Settings::default()).unwrap(), Verdict::Identical);
    assert_eq!(edited(odd, |own| own.set("b[2]", "2").unwrap()), odd.replace("01", "2"));
    let settings = Settings { format: Some(Format::GodotVariant), ..Settings::default() };
    for wrong in [
        "[1 2]",
        "{\"a\" 1}",
        "{a:1}",
        "[tru, 1]",
        "[1-2]",
        "[.5]",
        "[\"\\u12\"]",
        "[,]",
        "[1,,2]",
        "// a\n[1]",
        "[1",
        "[1]]",
    ] {
        assert_eq!(document::detect(wrong.as_bytes(), None, true), None, "{wrong}");
        assert!(Document::open(wrong, &settings).is_err(), "{wrong}");
    }
}

#[test]
fn lines_of_json_are_one_document() {
    let lines = "{\"hp\":7,\"name\":\"a\"}\r\n{\"hp\":8,\"name\":\"b\"}\r\n\r\n";
    let document = open(lines);
    assert_eq!(document.describe(), "JSON lines, 2 values");
    assert_eq!(text(&document, "[1].hp"), "8");
    assert_eq!(edited(lines, |own| own.set("[1].hp", "9").unwrap()), lines.replace('8', "9"));
    let more = lines.replace("\r\n\r\n", "\r\n{\"hp\":1}\r\n\r\n");
    assert_eq!(edited(lines, |own| own.insert("[-]", "{\"hp\": 1}").unwrap()), more);
    let less = "{\"hp\":8,\"name\":\"b\"}\r\n\r\n";
    assert_eq!(edited(lines, |own| own.remove("[0]").unwrap()), less);
    let base = open(lines);
    let [mut ours, mut theirs] = [open(lines), open(lines)];
    ours.set("[0].hp", "1").unwrap();
    theirs.set("[1].hp", "2").unwrap();
    assert_eq!(base.diff(&ours, 40).unwrap()[0].path, "[0].hp");
    let merged = Merge::new(Some(&base), &ours, &theirs).unwrap().resolve(Side::Ours).unwrap();
    assert_eq!(written(&merged), lines.replace('7', "1").replace('8', "2"));
    // One line is one value.
    assert_eq!(open("{\"hp\":7}\n").describe(), "JSON, an object of 1 member");
}

#[test]
fn json_in_wrappers_is_checked_and_its_faults_are_its_own() {
    let mut settings = Settings::default();
    settings.godot.secret = Some(Secret::Password("pw".to_owned()));
    let kind = Wrapping::Encrypted(Generation::Godot4);
    let file = document::wrap(TIGHT.as_bytes().to_vec(), kind, &settings).unwrap();
    assert_eq!(document::check(&file, &settings).unwrap(), Verdict::Identical);
    let verdict = document::check_json(&file, &settings).unwrap();
    assert!(matches!(verdict, Verdict::Equivalent(_)), "{verdict:?}");
    let mut document = Document::open(file.clone(), &settings).unwrap();
    assert_eq!(document.describe(), "encrypted, JSON, an object of 5 members");
    document.set("gold", "8").unwrap();
    let plain = document::unwrap(document.as_bytes(), &settings).unwrap();
    assert_eq!(plain, TIGHT.replace("7.0", "8.0").as_bytes());
    assert!(document::explain(&file, &settings).unwrap().error().is_none());
    let old = Target::default();
    assert_eq!(document::unwrap(&document.convert(&old).unwrap(), &settings).unwrap(), plain);
}

#[test]
fn a_damaged_json_save_is_salvaged() {
    let cut = &TIGHT[..TIGHT.len() - 12];
    let made = document::salvage(cut.as_bytes(), &Settings::default()).unwrap();
    assert_eq!(
        String::from_utf8(made.bytes).unwrap(),
        r#"{"gold":7.0,"name":"Edda","id":9007199254740993,"items":[1,2]}"#
    );
}

/// `store_var`, and the same of 3.x.
fn stored(dialect: Dialect, value: &Value) -> Vec<u8> {
    Framing::new().options(Options::new().dialect(dialect)).to_vec(value).unwrap()
}

#[test]
fn base64_of_both_engines_opens_alone_and_in_json() {
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        let player = variant!({ "player": { "gold": 7, "tags": ["a"] } });
        let base64 = frame::to_base64(&player, &Options::new().dialect(dialect)).unwrap();
        let mut alone = open(base64.clone());
        alone.set("player.gold", "8").unwrap();
        let after = variant!({ "player": { "gold": 8, "tags": ["a"] } });
        let after = frame::to_base64(&after, &Options::new().dialect(dialect)).unwrap();
        assert_eq!(written(&alone), after);
        let json = format!("{{\"blob\":\"{base64}\",\"x\":[1]}}");
        let document = open(json.clone());
        assert_eq!(text(&document, "blob.player.gold"), "7");
        assert_eq!(document.get("blob.player.gold").unwrap()[0].path(), "blob.player.gold");
        let made = edited(&json, |own| {
            let edits = [
                document::Edit::Set { path: "blob.player.gold", value: "8".into(), kind: None },
                document::Edit::Set { path: "x[0]", value: "2".into(), kind: None },
            ];
            own.edit(&edits).unwrap();
        });
        assert_eq!(made, json.replace(&base64, &after).replace("[1]", "[2]"));
        let made = edited(&json, |own| {
            own.insert("blob.player.tags[-]", "b").unwrap();
            own.remove("blob.player.gold").unwrap();
        });
        assert_eq!(text(&open(made.clone()), "blob.player"), "{\"type\":\"Dictionary\",\"args\":[\"s:tags\",{\"type\":\"Array\",\"args\":[\"s:a\",\"s:b\"]}]}".replace("{\"type\":\"Array\",\"args\":[\"s:a\",\"s:b\"]}", "[\"s:a\",\"s:b\"]"), "{made}");
        assert!(document.get("blob.player.none").is_err());
    }
}

/// A JSON save with a dictionary in base64.
fn with_blob(gold: i64, name: &str, day: i64) -> String {
    let player = variant!({ "player": { "gold": gold, "name": name, "tags": ["a"] } });
    let base64 = frame::to_base64(&player, &Options::new()).unwrap();
    format!("{{\"blob\":\"{base64}\",\"day\":{day}}}")
}

#[test]
fn base64_that_an_edit_brings_into_json_is_opened() {
    let mut document = open("{\"blob\":\"\",\"day\":1}");
    document.set("day", "2").unwrap();
    assert!(document.get("blob.player").is_err());
    let made = with_blob(7, "Edda", 2);
    document.set("blob", made.split('"').nth(3).unwrap()).unwrap();
    assert_eq!(written(&document), made);
    assert_eq!(text(&document, "blob.player.gold"), "7");
    document.set("blob", "none").unwrap();
    assert!(document.get("blob.player").is_err());
}

#[test]
fn what_is_in_base64_within_json_is_compared_listed_and_merged() {
    let [base, ours, theirs] =
        [(7, "Edda", 1), (8, "Edda", 1), (7, "Olaf", 2)].map(|(a, b, c)| with_blob(a, b, c));
    let [base, ours, theirs] = [base, ours, theirs].map(open);
    let changes = ours.diff(&theirs, 40).unwrap();
    let paths: Vec<&str> = changes.iter().map(|own| own.path.as_str()).collect();
    assert_eq!(paths, ["blob.player.gold", "blob.player.name", "day"]);

    let lines = "blob.player.gold=7\nblob.player.name=Edda\nblob.player.tags[0]=a\nday=1\n";
    assert_eq!(base.to_lines(), lines.replace("tags[0]=a", "tags=[\"a\"]"));
    let blob = base.root().children_in(0..1).pop().unwrap();
    assert_eq!((blob.is_list(), blob.child_count()), (Some(false), 1));
    let player = base.node(&[0, 0, 1]).unwrap();
    assert_eq!(
        (player.path().as_str(), player.text().unwrap().as_str()),
        ("blob.player.name", "Edda")
    );
    assert_eq!(player.way(), [0, 0, 1]);
    let found = base.get("**.gold").unwrap();
    assert_eq!(found.iter().map(|own| own.path()).collect::<Vec<_>>(), ["blob.player.gold"]);

    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    assert_eq!(merge.conflicts(), []);
    assert_eq!(written(&merge.resolve(Side::Ours).unwrap()), with_blob(8, "Olaf", 2));
    // What both changed is one conflict; the rest is merged with either side of it.
    let both = open(with_blob(9, "Olaf", 1));
    let merge = Merge::new(Some(&base), &ours, &both).unwrap();
    assert_eq!(merge.conflicts().iter().map(|own| &*own.path).collect::<Vec<_>>(), ["blob"]);
    for (side, gold) in [(Side::Ours, 8), (Side::Theirs, 9)] {
        assert_eq!(written(&merge.resolve(side).unwrap()), with_blob(gold, "Olaf", 1));
    }
}

#[test]
fn values_that_do_not_fit_into_typed_containers_are_kept_and_named() {
    use gamewire::godot_variant::types::{ElementType, Type};
    use gamewire::godot_variant::value::TypedDictionary;

    let [key, value] = [Type::String, Type::Int].map(ElementType::Builtin);
    let entries = [("a", Value::from("x")), ("b", Value::from(1)), ("c", Value::from(2.5))];
    let entries = entries.into_iter().map(|(key, own)| (Value::from(key), own)).collect();
    let counts = Value::from(TypedDictionary { key, value, entries });
    let options = Options::new().unchecked_types(true);
    let file = options.value_to_vec(&variant!({ "counts": (counts), "gold": 1 })).unwrap();
    let settings = Settings::default();
    assert_eq!(document::check(&file, &settings).unwrap(), Verdict::Identical);
    let named = [("String", "a"), ("float", "c")].map(|(kind, key)| {
        format!(
            "expected int, the type of the container, found {kind} (the engine keeps it), in counts.{key}"
        )
    });
    assert_eq!(document::remarks(&file, &settings), named);
    let frames = [&(file.len() as u32).to_le_bytes()[..], &file].concat().repeat(2);
    let remarks = document::remarks(&frames, &settings);
    assert_eq!(remarks.len(), 4);
    assert!(remarks[3].ends_with("in [1].counts.c"), "{remarks:?}");

    // An edit leaves them, and adds none.
    let mut document = open(file.clone());
    document.set("gold", "1").unwrap();
    assert_eq!(document.as_bytes(), file);
    document.set("counts.b", "2").unwrap();
    document.insert("counts.d", "4").unwrap();
    assert_eq!(document::remarks(document.as_bytes(), &settings), named);
    let before = document.as_bytes().to_vec();
    assert!(document.insert("counts.e", "\"y\"").is_err());
    assert!(
        document
            .edit(&[document::Edit::Set {
                path: "counts.b",
                value: "y".into(),
                kind: Some("String"),
            }])
            .is_err()
    );
    assert_eq!(document.as_bytes(), before);
}

#[test]
fn text_of_values_opens_whatever_is_around_it() {
    let lines = "{\n\"at\": Vector2(1, 2),\n\"name\": &\"a\"\n}\n[1, Color(1, 0, 0, 1)]\n";
    let document = open(lines);
    assert_eq!(document.format(), Format::GodotVariant);
    assert_eq!(text(&document, "[0].at.y"), "2.0");
    assert_eq!(
        document::check(lines.as_bytes(), &Settings::default()).unwrap(),
        Verdict::Identical
    );
    assert_eq!(
        edited(lines, |own| own.set("[0].at.y", "3").unwrap()),
        lines.replace("1, 2", "1, 3")
    );
    assert_eq!(
        edited(lines, |own| own.insert("[-]", "Vector2i(1, 2)").unwrap()),
        lines.replace("0, 1)]\n", "0, 1)]\nVector2i(1, 2)\n")
    );
    assert_eq!(edited(lines, |own| own.remove("[0]").unwrap()), "[1, Color(1, 0, 0, 1)]\n");
    // Text of 3.x is written as 3.x does.
    let old = "{\n\"at\": Vector2( 1, 2 ),\n\"all\": PoolIntArray( 1, 2 )\n}";
    assert_eq!(
        edited(old, |own| own.insert("more", "[1]").unwrap()),
        old.replace("2 )\n}", "2 ),\n\"more\": [ 1 ]\n}")
    );
    for nothing in ["hello", "42", "true", "a b c", "1 2 3"] {
        assert_eq!(document::detect(nothing.as_bytes(), None, true), None, "{nothing}");
    }
}

#[test]
fn a_config_file_has_any_name() {
    let source = "; Dialogic\n[vars]\n\nname=\"A\"\nseen={\n\"a\": 1\n}\n";
    let settings = Settings { name: Some("global_info.txt".into()), ..Settings::default() };
    let mut document = Document::open(source, &settings).unwrap();
    document.set("vars.seen.a", "2").unwrap();
    assert_eq!(written(&document), source.replace(": 1", ": 2"));
    // Objects in text are data.
    let input =
        "[input]\n\njump={\n\"events\": [Object(InputEventKey,\"device\":0,\"keycode\":32)\n]\n}\n";
    assert_eq!(
        edited(input, |own| own.set("input.jump.events[0].keycode", "33").unwrap()),
        input.replace("32", "33")
    );
    assert_eq!(
        document::check(input.as_bytes(), &Settings::default()).unwrap(),
        Verdict::Identical
    );
}

#[test]
fn what_the_engine_loses_of_a_config_file_is_said() {
    let junk = "[a]\nx=1\njunk\n[b]\ny=2\n";
    let Verdict::Differs(why) = document::check(junk.as_bytes(), &Settings::default()).unwrap()
    else {
        panic!()
    };
    assert!(why.contains("line 3"), "{why}");
    let trailing = "[a]\nx=1\njunk\n";
    let mut document = open(trailing);
    let error = document.insert("c", "{\"y\": 1}").unwrap_err();
    assert!(error.message().contains("reads the key back"), "{error}");
    assert_eq!(written(&document), trailing);
    let bom = "\u{feff}[a]\nx=1\n[b]\ny=2\n";
    let Verdict::Differs(why) = document::check(bom.as_bytes(), &Settings::default()).unwrap()
    else {
        panic!()
    };
    assert!(why.contains("[a]"), "{why}");
    // Byte by byte, a key without quotes is another one.
    let keys = open("[a]\n\"静音\"=42\n静音=43\n\n[]\ny=1\n");
    assert_eq!(text(&keys, "a.静音"), "42");
    assert_eq!(keys.get("a.*").unwrap().len(), 3);
}

#[test]
fn streams_without_a_wrapper_open() {
    let gold = variant!({ "gold": 5 });
    let json = b"{\"gold\":5}".to_vec();
    for compression in
        [Compression::Zstd, Compression::Gzip, Compression::Deflate, Compression::FastLz]
    {
        let mut settings = Settings::default();
        if compression == Compression::FastLz {
            settings.godot.stream = Some(compression);
        }
        for plain in
            [Options::new().to_vec(&gold).unwrap(), stored(Dialect::Godot3, &gold), json.clone()]
        {
            let padded = plain.len() < 16 && compression == Compression::FastLz;
            if padded {
                continue;
            }
            let stream = compression.compress(&plain).unwrap();
            let mut document = Document::open(stream, &settings).unwrap();
            assert_eq!(document.format(), Format::GodotVariant);
            assert_eq!(text(&document, "gold"), "5", "{compression:?}");
            document.set("gold", "6").unwrap();
            let again = compression.decompress(document.as_bytes(), 1 << 20).unwrap();
            assert_eq!(again.len(), plain.len());
            let again = Document::open(document.as_bytes(), &settings).unwrap();
            assert_eq!(text(&again, "gold"), "6");
        }
    }
}

#[test]
fn a_head_of_the_games_own_is_skipped_and_proposed() {
    let mut file = 7_u32.to_le_bytes().to_vec();
    file.extend(b"\x04\0\0\0v1.2");
    file.extend(stored(Dialect::Godot4, &variant!({ "gold": 5 })));
    let error = Document::open(file.clone(), &Settings::default()).unwrap_err();
    assert!(error.message().ends_with("values of Godot from byte 0xc on"), "{error}");
    assert_eq!(error.hint(), Some(&Hint::Skip("12".to_owned())));
    let mut settings = Settings::default();
    settings.godot.offset = 12;
    let mut document = Document::open(file.clone(), &settings).unwrap();
    document.set("gold", "6").unwrap();
    assert_eq!(document.as_bytes()[..12], file[..12]);
    // The same in a container.
    let kind = Wrapping::Compressed(Compression::Zstd);
    let packed = document::wrap(file.clone(), kind, &Settings::default()).unwrap();
    let error = Document::open(packed, &Settings::default()).unwrap_err();
    assert_eq!(error.hint(), Some(&Hint::Skip("12".to_owned())));
    // The same before JSON.
    let json = b"SAVE1\n{\"gold\":5}".to_vec();
    let error = Document::open(json.clone(), &Settings::default()).unwrap_err();
    assert_eq!(error.hint(), Some(&Hint::Skip("6".to_owned())));
    settings.godot.offset = 6;
    let mut document = Document::open(json, &settings).unwrap();
    document.set("gold", "6").unwrap();
    assert_eq!(written(&document), "SAVE1\n{\"gold\":6}");
}

#[test]
fn a_length_before_the_values_stays_theirs() {
    let json = |gold: i64| format!("{{\"gold\":{gold}}}").into_bytes();
    let bytes = |gold: i64| Options::new().to_vec(&variant!({ "gold": gold })).unwrap();
    let config = |gold: i64| format!("[a]\n\ngold={gold}\n").into_bytes();
    let sized = |size: usize, plain: Vec<u8>, compression: Option<Compression>| {
        let head = (plain.len() as u64).to_le_bytes();
        let packed = compression.map(|own| own.compress(&plain).unwrap());
        [&head[..size], &packed.unwrap_or(plain)].concat()
    };
    assert_ne!(bytes(7).len(), bytes(1 << 40).len());
    let packed = [Compression::Zstd, Compression::Gzip, Compression::Deflate].map(Some);
    for compression in packed.into_iter().chain([None]) {
        for (size, path, made) in [
            (4, "gold", &json as &dyn Fn(i64) -> Vec<u8>),
            (8, "gold", &bytes),
            (4, "a.gold", &config),
        ] {
            let file = sized(size, made(7), compression);
            let mut settings = Settings::default();
            if size == 8 || compression.is_some() {
                let error = Document::open(file.clone(), &settings).unwrap_err();
                assert_eq!(error.hint(), Some(&Hint::Skip(size.to_string())));
            }
            settings.godot.offset = size;
            let mut document = Document::open(file.clone(), &settings).unwrap();
            document.set(path, "5").unwrap();
            document.set(path, "1099511627776").unwrap();
            let after = Document::open(document.as_bytes(), &settings).unwrap();
            assert_eq!(text(&after, path), "1099511627776");
            assert_eq!(
                document.as_bytes()[..size],
                (made(1 << 40).len() as u64).to_le_bytes()[..size]
            );
            let unpacked = &document.as_bytes()[size..];
            let unpacked = compression
                .map_or(unpacked.to_vec(), |own| own.decompress(unpacked, 1 << 20).unwrap());
            assert_eq!(unpacked, made(1 << 40));
        }
    }
}

#[test]
fn json_in_base64_opens() {
    use base64::Engine as _;
    let encode = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let mut document = open(encode(TIGHT) + "\n");
    assert_eq!(document.describe(), "base64, JSON, an object of 5 members");
    document.set("gold", "8").unwrap();
    assert_eq!(written(&document), encode(&TIGHT.replace("7.0", "8.0")) + "\n");
}

#[test]
fn what_is_not_opened_is_named() {
    let message =
        |bytes: &[u8]| Document::open(bytes, &Settings::default()).unwrap_err().to_string();
    assert!(message(b"PK\x03\x04\x14\0\0\0\x08\0").contains("a ZIP archive"));
    let noise: Vec<u8> =
        (0..64_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    assert!(message(&noise).contains("4 blocks of 16"), "{}", message(&noise));
    let hint =
        |bytes: &[u8]| Document::open(bytes, &Settings::default()).unwrap_err().hint().cloned();
    let tail = [stored(Dialect::Godot4, &variant!({ "gold": 5 })), vec![7, 1, 2, 3]].concat();
    assert_eq!(hint(&tail), Some(Hint::Framing("mixed")));
    let stream = Compression::FastLz.compress(TIGHT.as_bytes()).unwrap();
    assert_eq!(hint(&stream), Some(Hint::Stream("fastlz")));
    assert!(
        message(b"{\"a\":1 \"b\":2}").contains("as JSON: expected"),
        "{}",
        message(b"{\"a\":1 \"b\":2}")
    );
    let sum = open("{\"_meta\":{\"checksum\":\"af\"},\"gold\":1}");
    assert!(sum.caution().unwrap().starts_with("_meta.checksum"));
    assert_eq!(open(TIGHT).caution(), None);
}

#[test]
fn a_number_and_its_text_are_two_keys() {
    let mixed = stored(
        Dialect::Godot4,
        &Value::Dictionary(
            [
                (Value::from("0"), Value::Float(1.0)),
                (Value::Int(0), Value::Int(5)),
                (Value::Int(7), Value::Int(1)),
            ]
            .into_iter()
            .collect(),
        ),
    );
    let mut document = open(mixed);
    assert_eq!((text(&document, "[0]"), text(&document, "[\"0\"]")), ("5".into(), "1.0".into()));
    document.set("[0]", "6").unwrap();
    document.set("[\"0\"]", "2").unwrap();
    assert_eq!((text(&document, "[0]"), text(&document, "[\"0\"]")), ("6".into(), "2.0".into()));
    document.remove("[0]").unwrap();
    assert_eq!(text(&document, "[\"0\"]"), "2.0");
    // Without another one, digits in brackets mean text, too.
    assert_eq!(text(&document, "[0]"), "2.0");
}

#[test]
fn saves_go_to_the_other_engine_with_all_around_them() {
    let mut settings = Settings::default();
    settings.godot.secret = Some(Secret::Password("pw".to_owned()));
    let to = |dialect| {
        let mut target = Target::default();
        target.godot.dialect = Some(dialect);
        target
    };
    let old =
        "[a]\nall=PoolIntArray( 1, 2 )\nq = Quat( 0, 0, 0, 1 ) ; kept\n\"Quat(\"=\"Quat( \"\n";
    let new = old.replace("PoolIntArray", "PackedInt32Array").replace("Quat( 0", "Quaternion( 0");
    let value = variant!({ "gold": 5 });
    for (plain, converted) in [
        (TIGHT.as_bytes().to_vec(), TIGHT.as_bytes().to_vec()),
        (old.as_bytes().to_vec(), new.as_bytes().to_vec()),
        (b"[ PoolStringArray( \"a\" ) ]\n".to_vec(), b"[ PackedStringArray( \"a\" ) ]\n".to_vec()),
        (stored(Dialect::Godot3, &value), stored(Dialect::Godot4, &value)),
    ] {
        let [file, wanted] = [(Generation::Godot3, &plain), (Generation::Godot4, &converted)].map(
            |(kind, plain)| {
                document::wrap(plain.clone(), Wrapping::Encrypted(kind), &settings).unwrap()
            },
        );
        let made = Document::open(file, &settings).unwrap().convert(&to(Dialect::Godot4)).unwrap();
        assert_eq!(document::unwrap(&made, &settings).unwrap(), converted);
        assert_eq!(made.len(), wanted.len());
        let back = Document::open(made, &settings).unwrap().convert(&to(Dialect::Godot3)).unwrap();
        assert_eq!(document::unwrap(&back, &settings).unwrap(), plain);
    }
    let error =
        open("[a]\nx={\n\"at\": Vector2i(1, 2)\n}\n").convert(&to(Dialect::Godot3)).unwrap_err();
    assert!(error.message().ends_with("in a.x.at"), "{error}");
}

#[test]
fn a_file_of_either_engine_is_not_changed_without_a_word() {
    // An empty PoolIntArray of 3.x is a StringName of 4.x.
    let value = Value::from(gamewire::godot_variant::types::PackedInt32Array(vec![]));
    let file = stored(Dialect::Godot3, &value);
    let mut document = open(file.clone());
    assert!(document.describe().ends_with("readable as Godot 3, too"), "{}", document.describe());
    let error = document.set("(root)", "a").unwrap_err();
    assert_eq!(error.hint(), Some(&Hint::AnyDialect));
    let said = "values of Godot 4 fill the file, and other values of Godot 3; it is read as one of Godot 4";
    assert_eq!(document.must_be_sure().unwrap_err().message(), said);
    assert_eq!(document::remarks(&file, &Settings::default()), [said]);
    let mut settings = Settings::default();
    settings.godot.dialect = Some(Dialect::Godot3);
    let mut document = Document::open(file, &settings).unwrap();
    document.must_be_sure().unwrap();
    document.insert("[-]", "5").unwrap();
    // Nobody is asked where both read the same.
    open(stored(Dialect::Godot4, &Value::Int(5))).set("(root)", "6").unwrap();
}
