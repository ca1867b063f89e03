//! `explain`: spans that cover the input, the errors of the reader, and the forms of output.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

/// Little-endian words, and the bytes between them as they are.
macro_rules! bytes {
    ($($part:expr),* $(,)?) => { [$(&Part::from($part).0[..]),*].concat() };
}

struct Part(Vec<u8>);

impl From<u32> for Part {
    fn from(word: u32) -> Self {
        Part(word.to_le_bytes().to_vec())
    }
}

/// Text and its padding, without a length.
impl From<&str> for Part {
    fn from(text: &str) -> Self {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        Part(bytes)
    }
}

impl<const N: usize> From<[u8; N]> for Part {
    fn from(bytes: [u8; N]) -> Self {
        Part(bytes.to_vec())
    }
}

mod cover;

use gamewire_testkit::vectors::from_hex;
use godot_variant::explain::{Explanation, Role};
use godot_variant::frame::Framing;
use godot_variant::project::ProjectSettings;
use godot_variant::value::{Array, Dictionary, Instance, Object, TypedArray};
use godot_variant::{
    Callable, Color, Dialect, Error, ErrorKind, NodePath, ObjectId, Options, PackedByteArray,
    PackedFloat32Array, PackedStringArray, PackedVector3Array, Precision, Rid, Signal, StringName,
    Transform3D, Value, Vector2, Vector2i, Vector3, types::ElementType,
};

/// Each byte in exactly one span, in order; and the error at its place.
fn check(explanation: &Explanation, bytes: &[u8]) {
    assert_eq!(explanation.bytes(), bytes);
    let mut at = 0;
    for span in explanation.spans() {
        assert_eq!(span.offset(), at, "a gap or overlap: {explanation}");
        assert!(span.len() > 0 || span.role() == Role::Error, "empty: {span:?}");
        let said = !span.meaning().is_empty() || !span.kind().is_empty();
        assert!(said, "without meaning: {span:?}");
        assert_ne!(span.meaning(), "beginning of the value", "not told: {explanation}");
        assert!(span.value().chars().count() <= 61, "long: {span:?}");
        at += span.len();
    }
    assert_eq!(at, bytes.len());

    let count = |role| explanation.spans().iter().filter(|span| span.role() == role).count();
    match explanation.error() {
        None => {
            assert_eq!((count(Role::Error), count(Role::NotReached)), (0, 0), "{explanation}");
        }
        Some(error) if error.kind() == ErrorKind::TrailingBytes => {
            let span = explanation.spans().iter().find(|span| span.role() == Role::NotReached);
            let span = span.expect("trailing bytes have a span");
            assert_eq!(error.offset(), Some(span.offset()));
            assert_eq!(span.meaning(), "bytes after the end");
            assert_eq!(count(Role::Error), 0);
        }
        Some(error) => {
            assert_eq!(count(Role::Error), 1, "{explanation}");
            let spans = explanation.spans();
            let index = spans.iter().position(|span| span.role() == Role::Error).unwrap();
            // What is cut off is explained up to where that shows in it.
            if spans.iter().all(|span| !span.notes().starts_with("but only")) {
                assert_eq!(error.offset(), Some(spans[index].offset()), "{explanation}");
                assert_eq!(error.path().to_string(), spans[index].path().to_string());
                assert!(error.to_string().starts_with(spans[index].meaning()));
            }
            assert!(spans[index + 1..].iter().all(|span| span.role() == Role::NotReached));
        }
    }
}

/// The sentence of an error holds its message, offset and path.
fn told(error: Option<&Error>) -> Option<(ErrorKind, Option<usize>, String)> {
    error.map(|error| (error.kind(), error.offset(), error.to_string()))
}

fn check_bare(bytes: &[u8], options: &Options) {
    let explanation = options.explain(bytes);
    check(&explanation, bytes);
    let read = options.from_slice::<Value>(bytes);
    assert_eq!(told(explanation.error()), told(read.as_ref().err()), "{options:?}");
}

fn check_frames(bytes: &[u8], framing: &Framing) {
    let explanation = framing.explain(bytes);
    check(&explanation, bytes);
    let read = framing.all_from_slice::<Value>(bytes);
    assert_eq!(told(explanation.error()), told(read.as_ref().err()));
}

fn check_project(bytes: &[u8], options: &Options) {
    let explanation = ProjectSettings::explain_with(bytes, options);
    check(&explanation, bytes);
    let read = ProjectSettings::from_slice_with(bytes, options);
    assert_eq!(told(explanation.error()), told(read.as_ref().err()));
}

/// One row of each kind of thing, for where the vector files are not at hand.
const SAMPLES: &[&str] = &[
    "00000000",
    "0200000005000000",
    "02000100efcdab89674523f1",
    "03000100555555555555d53f",
    "04000000050000004cc3a96f6e000000",
    "09000100000000000000f03f000000000000004000000000000008c0",
    "1100000000008 03f",
    "160000000200008001000000010000000400000 0726f6f7401000000410000000800000 0706f736974696f6e",
    "1a0000000500000070726573730000002a00000000000000",
    "1800010001000000000000 80",
    "180000000a000000526566436f756e7465640000010000000600000073637269707400000 0000000",
    "1b0005000200000002000000010000000200 0100efcdab89674523f102000100efcdab89674523f1",
    "1c000200110000 00456e636f6465644f626a6563744173494400000000000000",
    "1c000100020000 0003000000030000000000404004000000010000007 80000000200000009000000",
    "1d00000003000000010203",
    "2200000002000000020000006100000001000000 00000000",
    "2300010001000000000000000000f03f0000000000000040",
];

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.iter().map(|hex| from_hex(&hex.replace(' ', "")).unwrap()).collect()
}

/// A file of frames and a file of settings, with something of everything in them.
fn frames() -> Vec<u8> {
    let mut file = Framing::new().to_vec(&showcase()).unwrap();
    file.extend(Framing::new().to_vec(&"two").unwrap());
    let mut slack = Framing::new().to_vec(&PackedByteArray(vec![1, 2, 3])).unwrap();
    slack[0] += 4;
    slack.extend([9, 9, 9, 9]);
    file.extend(slack);
    file.extend(Framing::new().to_vec(&()).unwrap());
    file
}

fn settings() -> ProjectSettings {
    ProjectSettings {
        entries: vec![
            ("application/config/name".into(), "Star Harvest".into()),
            ("display/window/size/viewport_width".into(), 1280.into()),
            ("input/jump".into(), showcase()),
            ("größe".into(), Vector2::new(1.0, 2.0).into()),
        ],
    }
}

/// Something of every kind, for the eye.
fn showcase() -> Value {
    let mut player = Dictionary::new();
    player.insert("name", "Åsa");
    player.insert("pos", Vector3::new(1.0, 0.0, -2.5));
    player.insert("color", Color::new(0.9, 0.4, 0.2, 1.0));
    player.insert(Value::Vector2i(Vector2i::new(3, 4)), 5);
    let mut root = Dictionary::new();
    root.insert("players", Value::Array(Array::from(vec![player.into()])));
    root.insert("path", Value::NodePath(Box::new(NodePath::new("/root/A:position:y"))));
    root.insert("big", 1i64 << 40);
    root.insert("mask", Value::PackedByteArray(PackedByteArray(vec![1, 2, 3])));
    let columns: [f32; 12] = std::array::from_fn(|index| index as f32 + 1.0);
    root.insert("at", Value::Transform3D(Box::new(Transform3D::from(columns))));
    root.into()
}

/// Nested arrays, the innermost empty.
fn nested(levels: usize) -> Vec<u8> {
    let mut bytes = [28, 0, 0, 0, 1, 0, 0, 0].repeat(levels.saturating_sub(1));
    bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// The text of an explanation that is checked.
fn text_of(bytes: &[u8], options: &Options) -> String {
    check_bare(bytes, options);
    options.explain(bytes).to_text()
}

#[test]
fn text_of_a_dictionary() {
    let bytes = godot_variant::to_vec(&showcase()).unwrap();
    insta::assert_snapshot!(text_of(&bytes, &Options::new()));
}

#[test]
fn text_of_what_is_passed_over() {
    let bytes = bytes![
        0x0001_001b,
        2,
        10,
        // 7.0 is converted, twice the same key, a key that is dropped.
        3,
        [0, 0, 0xe0, 0x40],
        2,
        1,
        0x0001_0002,
        7,
        0,
        2,
        2,
        4,
        1,
        "x",
        2,
        3,
        // A byte order mark, a NUL, padding.
        2,
        1,
        4,
        6,
        [0xef, 0xbb, 0xbf, b'a', 0, 0xff, 1, 2],
        // Byte 1 and flags.
        2,
        2,
        [1, 0xaa, 0, 0x80],
        5,
        2,
        3,
        [3, 0, 5, 1],
        [0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
        2,
        4,
        0x0001_001c,
        5,
        0x8000_0001,
        5,
        [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40],
        2,
        5,
        3,
        [0, 0, 0xc0, 0x7f],
        // A class, and a path with the obsolete flag.
        2,
        6,
        0x0002_001c,
        4,
        "Node",
        0,
        2,
        8,
        22,
        0x8000_0001,
        0,
        3,
        1,
        "a",
        1,
        "b",
    ];
    insta::assert_snapshot!(text_of(&bytes, &Options::new()));
}

#[test]
fn text_of_every_other_type() {
    let long: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let items = [
        Value::Nil,
        Value::Bool(true),
        Value::Float(0.1),
        Value::Float(f64::NAN),
        Value::StringName(StringName("jump".into())),
        Value::Rid(Rid(77)),
        Value::Callable(Callable),
        Value::Signal(Box::new(Signal {
            name: StringName("pressed".into()),
            object: ObjectId(0x8000_0000_0000_0001),
        })),
        Value::Object(Object::Id(ObjectId(5))),
        Value::PackedStringArray(PackedStringArray(vec!["a".into(), "".into(), "漢字".into()])),
        Value::PackedVector3Array(PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0)])),
        Value::PackedByteArray(PackedByteArray((0..=255).collect())),
        Value::String(
            "A text that is so long that it does not fit into one line of the table.".into(),
        ),
    ];
    let mut bytes = godot_variant::to_vec(&Value::Array(Array::from(items.to_vec()))).unwrap();
    bytes[4] += 1;
    bytes.extend(godot_variant::to_vec(&PackedFloat32Array(long)).unwrap());
    let text = text_of(&bytes, &Options::new());
    // 64 elements are enough to see how the rest is told.
    let text: Vec<&str> = text
        .lines()
        .filter(|line| !(8..60).any(|index| line.contains(&format!("element {index} "))))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn text_of_an_error() {
    let mut bytes = godot_variant::to_vec(&showcase()).unwrap();
    let at = bytes.windows(3).position(|bytes| bytes == "Åsa".as_bytes().split_at(3).0).unwrap();
    bytes[at - 4] = 200;
    bytes.truncate(at + 40);
    insta::assert_snapshot!(text_of(&bytes, &Options::new()));
}

#[test]
fn text_of_short_input() {
    let position = bytes![28, 2, 2, 5, 9, 0, 0, [1, 2]];
    let trailing = bytes![2, 5, 6, 7];
    let object = bytes![28, 1, 24, 4, "Node", 0];
    let strict = bytes![27, 2, 2, 1, 0, 2, 1, 0];
    insta::assert_snapshot!(
        [
            text_of(&position, &Options::new()),
            text_of(&trailing, &Options::new()),
            text_of(&object, &Options::new()),
            text_of(&strict, &Options::new().strict(true)),
            text_of(&[], &Options::new()),
        ]
        .join("\n---\n\n")
    );
}

#[test]
fn text_of_an_object() {
    let instance = Instance {
        class: "RefCounted".into(),
        properties: vec![
            ("script".into(), Value::String("res://thing.gd".into())),
            ("hp".into(), Value::Int(12)),
        ],
    };
    let mut root = Dictionary::new();
    root.insert("owner", Value::Object(Object::Instance(Box::new(instance))));
    root.insert(
        "things",
        Value::TypedArray(Box::new(TypedArray {
            element: ElementType::Script("res://thing.gd".into()),
            items: Array::new(),
        })),
    );
    let options = Options::new().allow_objects(true);
    let bytes = options.to_vec(&Value::from(root)).unwrap();
    insta::assert_snapshot!(text_of(&bytes, &options));
}

#[test]
fn text_of_other_dialects() {
    let godot3 = Options::new().dialect(Dialect::Godot3);
    // A Quat, an RID, a NodePath with garbage after its name, a lone surrogate.
    let old = bytes![
        19,
        4,
        10,
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f],
        16,
        15,
        0x8000_0001,
        0,
        1,
        2,
        [b'u', b'i', 0xde, 0xad],
        4,
        5,
        [b'a', 0xed, 0xa0, 0x80, b'b', 0, 0, 0],
    ];
    let docs = Options::new().dialect(Dialect::Docs).precision(Precision::Double);
    let page = docs.to_vec(&Value::Vector2(Vector2::new(1.0, 2.0))).unwrap();
    let path = bytes![15, 5, "a/b:c"];
    insta::assert_snapshot!(
        [text_of(&old, &godot3), text_of(&page, &docs), text_of(&path, &docs)].join("\n---\n\n")
    );
}

#[test]
fn text_of_frames() {
    check_frames(&frames(), &Framing::new());
    let text = Framing::new().explain(&frames()).to_text();
    // The first frame is the dictionary of another snapshot.
    let rest = text.find("  length of the frame").unwrap();
    let at = text[rest + 8..].find("length of the frame").unwrap() + rest + 8;
    let line = text[..at].rfind('\n').unwrap() + 1;
    insta::assert_snapshot!(text[line..]);
}

#[test]
fn text_of_settings() {
    let mut settings = settings();
    settings.entries.remove(2);
    let bytes = settings.to_vec().unwrap();
    check_project(&bytes, &Options::new());
    insta::assert_snapshot!(ProjectSettings::explain(&bytes).to_text());
}

#[test]
fn text_of_deep_values() {
    let text = text_of(&nested(17), &Options::new().max_depth(15));
    insta::assert_snapshot!(text);
}

#[test]
fn json_of_an_error() {
    let bytes = bytes![28, 3, 4, 2, "hi", 29, 80, [7; 80], 2];
    check_bare(&bytes, &Options::new());
    let explanation = godot_variant::explain(&bytes);
    insta::assert_snapshot!(serde_json::to_string_pretty(&explanation).unwrap());
}

#[test]
fn colours_change_nothing_else() {
    let mut samples = samples();
    samples.push(godot_variant::to_vec(&showcase()).unwrap());
    samples.push(nested(1026));
    for bytes in samples {
        let explanation = godot_variant::explain(&bytes);
        let (plain, colored) = (explanation.to_text(), explanation.to_text_colored());
        assert!(!plain.contains('\x1b') && colored.contains("\x1b["));
        let mut stripped = String::new();
        for (index, part) in colored.split('\x1b').enumerate() {
            let text = part.split_once('m').filter(|_| index > 0).map_or(part, |(_, text)| text);
            stripped.push_str(text);
        }
        assert_eq!(stripped, plain);
        assert_eq!(explanation.to_string(), plain);
        for line in plain.lines().filter(|line| !line.starts_with("error")) {
            assert!(line.chars().count() <= 120, "{line}");
            assert_eq!(line.trim_end(), line);
        }
    }
}

#[test]
fn hostile_text_cannot_reach_the_terminal() {
    let mut root = Dictionary::new();
    root.insert("\x1b[31mred\u{202e}", "\x1b]0;title\x07");
    root.insert(Value::StringName(StringName("\n\r".into())), Value::Nil);
    let class = "\x1b[2J".into();
    let instance = Instance { class, properties: vec![("\x1b[2J".into(), Value::Nil)] };
    root.insert("class", Value::Object(Object::Instance(Box::new(instance))));
    let options = Options::new().allow_objects(true);
    let bytes = options.to_vec(&Value::from(root)).unwrap();
    let text = text_of(&bytes, &options);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'));
}

/// A file that is cut off is explained as far as its first value without the frame would be.
#[test]
fn a_cut_frame_is_explained_as_far_as_it_goes() {
    let file = std::fs::read(crate::support::testdata("savegame.dat")).unwrap();
    let cut = &file[..3000];
    check_frames(cut, &Framing::new());
    let framed = Framing::new().explain(cut);
    let bare = godot_variant::explain(&cut[4..]);
    let texts = |explanation: &Explanation| {
        let spans = explanation.spans().iter().map(|span| {
            (span.len(), span.role(), span.kind().to_owned(), span.meaning().to_owned())
        });
        spans.collect::<Vec<_>>()
    };
    assert_eq!(texts(&framed)[1..], texts(&bare)[..]);
    assert!(framed.spans().len() > 300, "{}", framed.spans().len());
    let error = framed.error().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnexpectedEof, Some(cut.len())));

    let file = std::fs::read(crate::support::testdata("project.binary")).unwrap();
    let whole = ProjectSettings::explain(&file);
    for len in (0..file.len()).step_by(7) {
        check_project(&file[..len], &Options::new());
        let cut = ProjectSettings::explain(&file[..len]);
        let end = cut.spans().iter().find(|span| span.role() == Role::Error).unwrap();
        // Nothing before the word or text that is cut is left out.
        let before = |explanation: &Explanation| {
            let spans = explanation.spans().iter().filter(|span| span.role() != Role::Error);
            spans.filter(|span| span.range().end <= end.offset()).count()
        };
        assert_eq!(before(&whole), before(&cut), "{len}");
    }
}
