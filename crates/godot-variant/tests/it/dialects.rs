//! Differences of Godot 3 and the published page from Godot 4, beside those that their vectors show.

use godot_variant::types::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{hex, round_trip, shown, words};

fn three() -> Options {
    Options::new().dialect(Dialect::Godot3)
}

fn docs() -> Options {
    Options::new().dialect(Dialect::Docs)
}

#[test]
fn one_dialect_read_as_another_gives_other_values() {
    let color = three().to_vec(&Color::new(0.25, 0.5, 0.75, 1.0)).unwrap();
    assert_eq!(shown(&Options::new(), &color), "Plane(0.25, 0.5, 0.75, 1.0)");
    let ints = three().to_vec(&PackedInt32Array(vec![5])).unwrap();
    assert_eq!(shown(&Options::new(), &ints), r#"&"\u{5}""#);
    let floats = three().to_vec(&PackedFloat32Array(vec![1.0, 0.0])).unwrap();
    assert_eq!(
        shown(&docs(), &floats[..12]),
        "Error(UnexpectedEof: expected 2 elements of 8 bytes, found 4 bytes at byte 0x4)"
    );
}

#[test]
fn structs_in_every_dialect() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        pos: Vector3,
        color: Color,
        scores: PackedInt32Array,
        tags: PackedStringArray,
        path: NodePath,
        basis: Basis,
        maybe: Option<Vec<f64>>,
        kind: Kind,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Scaled { by: f32, at: Vector2 },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        #[serde(flatten)]
        player: Player,
        any: Value,
    }
    let player = Player {
        name: "Bo".to_owned(),
        pos: Vector3::new(1.0, 2.0, 3.0),
        color: Color::new(0.25, 0.5, 0.75, 1.0),
        scores: vec![1, 2].into(),
        tags: ["a", "bcd"].into_iter().collect(),
        path: "/root/A:b".into(),
        basis: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].into(),
        maybe: Some(vec![0.1]),
        kind: Kind::Scaled { by: 0.5, at: Vector2::new(1.0, 2.0) },
    };
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
        for precision in [Precision::Keep, Precision::Single, Precision::Double] {
            let options = Options::new().dialect(dialect).precision(precision);
            let bytes = round_trip(&options, &player);
            let player = Player { kind: Kind::Plain, ..player.clone() };
            round_trip(&options, &Flat { player, any: 5.into() });
            let value: Value = options.from_slice(&bytes).unwrap();
            assert_eq!(options.to_vec(&value).unwrap(), bytes);
            for len in 0..bytes.len() {
                options.from_slice::<Player>(&bytes[..len]).unwrap_err();
            }
        }
    }
}

#[test]
fn godot_3_has_no_flags_on_vectors_and_containers() {
    // FLAG_64 on a vector is ignored, and so are the kinds of typed containers.
    assert_eq!(shown(&three(), &hex("05000100 0000803f 00000040")), "Vector2(1.0, 2.0)");
    let vector: Vector2 = three().from_slice(&hex("05000100 0000803f 00000040")).unwrap();
    assert_eq!(vector, Vector2::new(1.0, 2.0));
    assert_eq!(shown(&three(), &hex("13000100 01000000 00000000")), "[null]");
    assert_eq!(three().from_slice::<Vec<()>>(&hex("13000100 01000000 00000000")).unwrap(), [()]);
    assert_eq!(shown(&three(), &hex("12000500 00000000")), "{}");
    // Numbers have theirs.
    assert_eq!(shown(&three(), &hex("02000100 00000000 01000000")), "4294967296");
    assert_eq!(shown(&three(), &hex("03000100 9a999999 9999b93f")), "0.1");
    let wide = Vector2::<f64>::from([0.5, 0.1]);
    assert_eq!(three().to_vec(&wide).unwrap_err().kind(), ErrorKind::NumberRange);
    let rounded = three().precision(Precision::Single).to_vec(&wide).unwrap();
    assert_eq!(words(&rounded), "05000000 0000003f cdcccc3d");
    let exact = Vector2::<f64>::from([0.5, 0.25]);
    assert_eq!(words(&three().to_vec(&exact).unwrap()), "05000000 0000003f 0000803e");
}

#[test]
fn godot_3_embeds_scripts_as_objects() {
    let script = value::Instance {
        class: "GDScript".into(),
        properties: vec![("script/source".into(), "extends Node".into())],
    };
    let object = value::Instance {
        class: "Reference".into(),
        properties: vec![("script".into(), script.into())],
    };
    let objects = three().allow_objects(true);
    let bytes = objects.to_vec(&Value::from(object.clone())).unwrap();
    assert_eq!(objects.from_slice::<Value>(&bytes).unwrap(), Value::from(object.clone()));
    // Godot 4 takes paths alone.
    let four = Options::new().allow_objects(true);
    let error = four.to_vec(&Value::from(object)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ScriptUnavailable);
}

#[test]
fn typed_containers_are_godot_4_alone() {
    for options in [three(), docs()] {
        let error = options.to_vec(&TypedArray(vec![1_i64])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let error = options.to_vec(&TypedDictionary(vec![(1_i64, Value::Nil)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        // One of any values is not typed.
        let bytes = options.to_vec(&TypedArray(vec![Value::from(1)])).unwrap();
        assert_eq!(bytes, options.to_vec(&[1]).unwrap());
        // And any may be read as one.
        let bytes = options.to_vec(&[1]).unwrap();
        assert_eq!(options.from_slice::<TypedArray<i64>>(&bytes).unwrap().0, [1]);
    }
}

/// The values of the samples that each dialect has no way to write, and why.
#[test]
fn what_a_dialect_cannot_say() {
    let mut lines = String::new();
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
        let options = Options::new().dialect(dialect).allow_objects(true);
        for value in crate::support::values() {
            if let Err(error) = options.to_vec(&value) {
                lines.push_str(&format!("{dialect:?}, {value:?}: {error}\n"));
            }
        }
    }
    insta::assert_snapshot!(lines);
}

/// Each row of the engines is found, or said to be read by both: bare and in a frame.
#[test]
fn rows_say_which_engine_wrote_them() {
    use gamewire_testkit::vectors::from_hex;

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/godot-variant/vectors");
    let mut counts = String::new();
    for (file, expected) in [
        ("godot3", Dialect::Godot3),
        ("godot4", Dialect::Godot4),
        ("godot4_double", Dialect::Godot4),
        ("conversions", Dialect::Godot4),
    ] {
        let rows = std::fs::read_to_string(format!("{folder}/{file}.jsonl")).unwrap();
        let (mut found_so, mut both) = (0, 0);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let is_read = match row["kind"].as_str().unwrap() {
                "encode" => row.get("error").is_none(),
                "decode" => row["ok"] == true,
                _ => false,
            };
            let text = row.get("hex_raw").unwrap_or(&row["hex"]).as_str().unwrap();
            let mut bytes = from_hex(text).unwrap();
            if let (true, Some(used)) = (is_read, row["used"].as_u64()) {
                bytes.truncate(used as usize);
            }
            let framed = [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat();
            for bytes in [bytes, framed].iter().filter(|_| is_read) {
                let name = &row["name"];
                let found = Dialect::find(bytes).unwrap_or_else(|| panic!("{file}, {name}"));
                assert!(found.dialect == expected || found.is_both, "{file}, {name}: {found:?}");
                found_so += usize::from(!found.is_both);
                both += usize::from(found.is_both);
            }
        }
        counts += &format!("{file}: {found_so} found, {both} read by both\n");
    }
    insta::assert_snapshot!(counts);
}

#[test]
fn files_say_which_engine_wrote_them() {
    let found = |bytes: &[u8]| Dialect::find(bytes).map(|found| (found.dialect, found.is_both));
    let sample = |name: &str| {
        std::fs::read(format!("{}/../../testdata/godot-variant/{name}", env!("CARGO_MANIFEST_DIR")))
    };
    let sure = |dialect| Some((dialect, false));
    assert_eq!(found(&sample("project.binary").unwrap()), sure(Dialect::Godot4));
    let save = three().to_vec(&variant!({ "gold": 7 })).unwrap();
    let frames = frame::Framing::new().options(three());
    let mut file = frames.to_vec(&variant!({ "gold": 7 })).unwrap();
    file.extend(frames.to_vec(&variant!([1, 2])).unwrap());
    assert_eq!(found(&file), sure(Dialect::Godot3));
    assert_eq!(found(&frames.big_endian(true).to_vec(&[1]).unwrap()), sure(Dialect::Godot3));
    let mut settings = project::ProjectSettings { entries: vec![("a".to_owned(), 1.into())] };
    assert_eq!(found(&settings.to_vec().unwrap()), Some((Dialect::Godot4, true)));
    settings.entries.push(("config_version".to_owned(), 4.into()));
    assert_eq!(found(&settings.to_vec_with(&three()).unwrap()), sure(Dialect::Godot3));
    #[cfg(feature = "gcpf")]
    {
        let packed = wrapped::Compressed::new(wrapped::Compression::Zstd).to_vec(&save).unwrap();
        assert_eq!(found(&packed), sure(Dialect::Godot3));
    }
    #[cfg(feature = "gdec")]
    for (generation, dialect) in [
        (wrapped::Generation::Godot3, Dialect::Godot3),
        (wrapped::Generation::Godot4, Dialect::Godot4),
    ] {
        let encrypted = wrapped::Encrypted::new(wrapped::Key::from_password("pw")).of(generation);
        assert_eq!(found(&encrypted.to_vec(&save).unwrap()), sure(dialect));
    }
    // An empty PoolIntArray of 3.x is a StringName of 4.x, and a number is the same in both.
    let list = three().to_vec(&types::PackedInt32Array(Vec::new())).unwrap();
    assert!(Dialect::find(&list).unwrap().is_ambiguous);
    assert!(!Dialect::find(&to_vec(&7).unwrap()).unwrap().is_ambiguous);
    assert_eq!(found(b""), None);
    assert_eq!(found(&save[..save.len() - 1]), None);
}
