//! Errors: their sentence, where they point, and what the engine calls them. Those of bytes are in the
//! lists of `testdata/godot-variant/cases`.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::io;

use godot_variant::frame::Framing;
use godot_variant::types::*;
use godot_variant::value::{Array, Instance, TypedArray};
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{hex, nested};

/// The kind, the offset and the sentence, as a table of the whole crate's errors shows them.
pub(crate) fn line(error: &Error) -> String {
    let code = error.engine_code().unwrap_or("-");
    let classes = [
        (error.is_eof(), "eof"),
        (error.is_syntax(), "syntax"),
        (error.is_data(), "data"),
        (error.is_io(), "io"),
    ];
    let class: Vec<&str> =
        classes.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    format!("{:?} {code} {}: {error}", error.kind(), class.join(" "))
}

macro_rules! table {
    ($($call:expr),+ $(,)?) => { [$($call),+].join("\n") };
}

#[test]
fn on_writing() {
    let e = |result: Result<Vec<u8>>| {
        let error = result.unwrap_err();
        assert_eq!(error.offset(), None, "{error}");
        line(&error)
    };
    let whole = Options::new().allow_objects(true);
    let docs = Options::new().dialect(Dialect::Docs);
    let script = |path: Value| {
        Value::from(Instance { class: "Node".into(), properties: vec![("script".into(), path)] })
    };
    let of_script = TypedArray { element: ElementType::Script("x.gd".into()), items: Array::new() };
    let list = |value: Value| [("key", value)].into_iter().collect::<Value>();
    insta::assert_snapshot!(table![
        e(to_vec("a\0b")),
        e(to_vec(&list("a\0b".into()))),
        e(to_vec(&list(NodePath { names: vec!["\0".into()], ..NodePath::default() }.into()))),
        e(to_vec(&list(PackedStringArray(vec!["\0".into()]).into()))),
        e(to_vec(&list(Instance::new("Node").into()))),
        e(whole.to_vec(&list(Instance::new("").into()))),
        e(whole.to_vec(&script("user://x.gd".into()))),
        e(whole.to_vec(&script(5.into()))),
        e(whole.to_vec(&list(of_script.into()))),
        e(to_vec(&nested(1026))),
        e(Options::new().max_depth(2).to_vec(&list(vec![vec![1]].into()))),
        e(Options::new().max_typed_depth(2).to_vec(&[[[1]]])),
        e(Options::new().max_output(11).to_vec("abc")),
        e(docs.to_vec(&Rid(5))),
        e(docs.to_vec(&BTreeMap::from([("k", Vector2::<f64>::from([0.1, 0.2]))]))),
        e(docs.clone().allow_objects(true).to_vec(&ObjectId(5))),
        e(to_vec(&u64::MAX)),
    ]);
}

#[test]
fn limits_of_reading() {
    let deep = to_vec(&nested(20)).unwrap();
    let framed = Framing::new().to_vec(&"0123456789").unwrap();
    let small = Options::new().max_alloc(8);
    insta::assert_snapshot!(table![
        line(&Options::new().max_depth(2).from_slice::<Value>(&deep).unwrap_err()),
        line(
            &Options::new().max_typed_depth(2).from_slice::<Vec<Vec<Vec<()>>>>(&deep).unwrap_err()
        ),
        line(&small.from_reader::<_, Value>(&framed[..]).unwrap_err()),
        line(&Framing::new().options(small).take_from_slice::<Value>(&framed).unwrap_err()),
    ]);
}

#[test]
fn data_that_does_not_fit() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "never made")]
    struct World {
        players: Vec<Player>,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "never made")]
    struct Player {
        name: String,
        pos: Vector3,
        hp: u8,
        team: Team,
    }
    #[derive(Debug, Deserialize)]
    enum Team {
        Red,
        Blue,
    }
    let player = |change: (&str, Value)| {
        let mut player: value::Dictionary = [
            ("name", Value::from("Bo")),
            ("pos", Vector3::new(0.0, 0.0, 0.0).into()),
            ("hp", 5.into()),
            ("team", "Red".into()),
        ]
        .into_iter()
        .collect();
        match change.1 {
            Value::Callable(_) => drop(player.remove(change.0)),
            value => drop(player.insert(change.0, value)),
        }
        let good = [("players", vec![Value::from(player.clone()), player.into()])];
        let bytes = to_vec(&good.into_iter().collect::<Value>()).unwrap();
        line(&from_slice::<World>(&bytes).unwrap_err())
    };
    insta::assert_snapshot!(table![
        player(("name", 5.into())),
        player(("name", Value::Nil)),
        player(("pos", Vector2::new(0.0, 0.0).into())),
        player(("hp", 256.into())),
        player(("hp", 0.5.into())),
        player(("hp", "x".repeat(40).into())),
        player(("hp", true.into())),
        player(("team", "Green".into())),
        player(("team", Callable.into())),
        player(("name", vec![1, 2].into())),
        player(("name", value::Dictionary::new().into())),
        player(("name", PackedByteArray(vec![0xff]).into())),
    ]);
}

#[test]
fn io_errors_keep_their_source() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::ConnectionReset, "the line is dead"))
        }
    }
    impl io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for error in [
        from_reader::<_, Value>(Broken).unwrap_err(),
        Framing::new().reader(Broken).read::<Value>().unwrap_err(),
    ] {
        assert_eq!(line(&error), "Io - io: the line is dead");
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::ConnectionReset));
    }
    for error in
        [to_writer(Broken, &5).unwrap_err(), Framing::new().to_writer(Broken, &5).unwrap_err()]
    {
        assert_eq!(line(&error), "Io - io: the disk is full");
        assert!(error.source().is_some());
    }
}

#[test]
fn paths_from_the_root_inwards() {
    let value: Value = [(
        "a b",
        vec![
            [(
                Value::from(5),
                [("c", u64::MAX >> 1)]
                    .into_iter()
                    .map(|(key, number)| (key, Value::from(number as i64)))
                    .collect::<Value>(),
            )]
            .into_iter()
            .collect::<Value>(),
        ],
    )]
    .into_iter()
    .collect();
    type Target = BTreeMap<String, Vec<BTreeMap<i64, BTreeMap<String, u8>>>>;
    let error = from_slice::<Target>(&to_vec(&value).unwrap()).unwrap_err();
    assert_eq!(error.path().to_string(), r#"["a b"][0][5].c"#);
    assert_eq!(format!("{:?}", error.path()), r#"Path(["a b"][0][5].c)"#);
    let segments: Vec<_> = error.path().segments().cloned().collect();
    assert_eq!(segments.len(), 4);
    assert_eq!(segments[0], Segment::Field("a b".to_owned()));
    assert_eq!(segments[1], Segment::Index(0));
    assert_eq!(segments[2], Segment::Key("5".to_owned()));
    assert_eq!(
        format!("{error:?}"),
        r#"Error(NumberRange: expected u8, found integer 9223372036854775807 at byte 0x40, in ["a b"][0][5].c)"#
    );

    // Deep ones keep their inner end.
    let mut bytes = to_vec(&nested(200)).unwrap();
    let end = bytes.len() - 8;
    bytes[end..].copy_from_slice(&hex("ff000000 00000000"));
    let error = from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(error.path().segments().count(), 64);
    assert!(error.path().to_string().starts_with("…[0][0]"), "{}", error.path());
    assert_eq!(error.offset(), Some(end));
    // In a key, in a property, in an element of a packed array.
    let key =
        from_slice::<Value>(&hex("1b000000 01000000 1c000000 01000000 ff000000")).unwrap_err();
    assert_eq!(key.path().to_string(), "[key 0][0]");
    let whole = Options::new().allow_objects(true);
    let property = hex("18000000 01000000 41000000 01000000 02000000 68700000 ff000000");
    assert_eq!(whole.from_slice::<Value>(&property).unwrap_err().path().to_string(), "hp");
    let packed = hex("22000000 02000000 01000000 00000000 04000000 ffffffff");
    assert_eq!(from_slice::<Value>(&packed).unwrap_err().path().to_string(), "[1]");
    assert_eq!(from_slice::<Vec<String>>(&packed).unwrap_err().path().to_string(), "[1]");
    let value: Value = [("list", vec![Value::from(1), "a\0".into()])].into_iter().collect();
    assert_eq!(to_vec(&value).unwrap_err().path().to_string(), "list[1]");
}

#[test]
fn paths_of_enums_and_structs_on_writing() {
    #[derive(Serialize)]
    enum Event {
        New(u64),
        Tuple(i64, u64),
        Struct { id: u64 },
    }
    #[derive(Serialize)]
    struct Log {
        events: Vec<Event>,
    }
    for (event, path) in [
        (Event::New(u64::MAX), "events[0].New"),
        (Event::Tuple(0, u64::MAX), "events[0].Tuple[1]"),
        (Event::Struct { id: u64::MAX }, "events[0].Struct.id"),
    ] {
        let error = to_vec(&Log { events: vec![event] }).unwrap_err();
        assert_eq!(error.path().to_string(), path);
    }
}

#[test]
fn foreign_text_is_quoted_short_and_on_one_line() {
    for text in ["x".repeat(1000), "\n\r\u{1b}[31m".repeat(20), "é\u{301}".repeat(50)] {
        let bytes = to_vec(&BTreeMap::from([(text.as_str(), text.as_str())])).unwrap();
        let error = from_slice::<BTreeMap<String, i64>>(&bytes).unwrap_err().to_string();
        assert!(error.len() < 400 && !error.contains(['\n', '\u{1b}']), "{error}");
    }
}

#[test]
fn the_largest_count_is_not_a_negative_one() {
    for (bytes, expected) in [
        ("04000000 ffffff7f", "expected a string of 2147483647 bytes"),
        ("1e000000 ffffff7f", "expected 2147483647 elements of 4 bytes"),
        ("22000000 ffffff7f", "expected"),
    ] {
        let error = from_slice::<Value>(&hex(bytes)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

/// One kind for every cut, wherever it is.
#[test]
fn what_is_cut_off_has_one_kind() {
    let path = NodePath {
        absolute: true,
        names: vec!["a".into(), "bc".into()],
        subnames: vec!["x".into()],
    };
    let items = Array::from(vec![Value::from("x")]);
    let entries: [(&str, Value); 11] = [
        ("text", "\u{c5}sa".into()),
        ("name", StringName::from("x").into()),
        ("path", path.into()),
        ("list", variant!([1, 2.5, null, [true], "abcde"])),
        ("bytes", PackedByteArray::from(vec![1, 2, 3, 4, 5]).into()),
        ("ints", PackedInt32Array::from(vec![1, 2]).into()),
        ("texts", PackedStringArray(vec!["a".into(), "bcdef".into()]).into()),
        ("at", Vector3::new(1.0, 2.0, 3.0).into()),
        ("typed", TypedArray { element: ElementType::Builtin(Type::String), items }.into()),
        (
            "node",
            Instance { class: "Node".into(), properties: vec![("p".into(), 5.into())] }.into(),
        ),
        ("last", 5.into()),
    ];
    let value: Value = entries.into_iter().collect();
    let whole = Options::new().allow_objects(true);
    let bytes = whole.value_to_vec(&value).unwrap();
    assert_eq!(whole.value_from_slice(&bytes).unwrap(), value);
    for len in 0..bytes.len() {
        let cut = &bytes[..len];
        for error in [
            whole.value_from_slice(cut).unwrap_err(),
            whole.from_slice::<serde::de::IgnoredAny>(cut).unwrap_err(),
        ] {
            assert!(error.kind() == ErrorKind::UnexpectedEof && error.is_eof(), "{len}: {error:?}");
        }
    }
    // Negative lengths are wrong however much follows. The engine's codes are as they were.
    let kind = |text| {
        let error = Options::new().value_from_slice(&hex(text)).unwrap_err();
        (error.kind(), error.engine_code().unwrap(), error.is_eof())
    };
    assert_eq!(kind("04000000 ffffffff"), (ErrorKind::StringLength, "ERR_FILE_EOF", false));
    assert_eq!(kind("04000000 05000000 61"), (ErrorKind::UnexpectedEof, "ERR_FILE_EOF", true));
    assert_eq!(kind("1d000000 ffffffff"), (ErrorKind::LengthLimit, "ERR_INVALID_DATA", false));
    assert_eq!(kind("1d000000 05000000 61"), (ErrorKind::UnexpectedEof, "ERR_INVALID_DATA", true));
}
