//! Data around a variant: lengths, streams, base64, `project.binary`.

use godot_variant::frame::Framing;
#[cfg(feature = "base64")]
use godot_variant::frame::{from_base64, to_base64};
use godot_variant::native_json::NativeJson;
use godot_variant::project::{MAGIC, ProjectSettings};
use godot_variant::*;

use crate::support::{hex, refused, testdata, words};

#[test]
fn the_length_follows_the_stream_and_the_variant_does_not() {
    let little = Framing::new().to_vec(&5).unwrap();
    let big = Framing::new().big_endian(true).to_vec(&5).unwrap();
    assert_eq!(words(&little), "08000000 02000000 05000000");
    assert_eq!(words(&big), "00000008 02000000 05000000");
    for (framing, bytes) in [(Framing::new(), &little), (Framing::new().big_endian(true), &big)] {
        assert_eq!(framing.take_from_slice::<i64>(bytes).unwrap(), (5, &[][..]));
        let mut written = Vec::new();
        framing.to_writer(&mut written, &5).unwrap();
        assert_eq!(&written, bytes);
    }
    // The other way round the length is not there.
    let error = Framing::new().take_from_slice::<i64>(&big).unwrap_err();
    assert_eq!((error.kind(), error.engine_code()), (ErrorKind::UnexpectedEof, None));
    let small = Framing::new().options(Options::new().max_alloc(1 << 20));
    let error = small.take_from_slice::<i64>(&big).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
}

#[test]
fn frames_one_after_another() {
    let framing = Framing::new();
    let mut bytes = framing.to_vec("one").unwrap();
    bytes.extend(framing.to_vec(&[2, 3]).unwrap());
    bytes.extend(framing.to_vec(&()).unwrap());
    let all: Vec<Value> = framing.all_from_slice(&bytes).unwrap();
    assert_eq!(format!("{all:?}"), r#"["one", [2, 3], null]"#);
    assert_eq!(framing.values_from_slice(&bytes).unwrap(), all);
    let frames = all.iter().flat_map(|value| framing.value_to_vec(value).unwrap());
    assert_eq!(frames.collect::<Vec<u8>>(), bytes);
    let (first, rest) = framing.take_from_slice::<&str>(&bytes).unwrap();
    assert_eq!(first, "one");
    let (inside, rest) = framing.split(rest).unwrap();
    assert_eq!(from_slice::<Vec<i64>>(inside).unwrap(), [2, 3]);
    assert_eq!(framing.split(rest).unwrap(), (&[0; 4][..], &[][..]));
    assert!(framing.all_from_slice::<Value>(&[]).unwrap().is_empty());
}

#[test]
fn what_is_left_inside_a_frame_is_ignored_as_the_engine_does() {
    let slack = hex("0c000000 02000000 05000000 ffffffff 04000000 00000000");
    let framing = Framing::new();
    let all: Vec<Value> = framing.all_from_slice(&slack).unwrap();
    assert_eq!(format!("{all:?}"), "[5, null]");
    let mut reader = framing.clone().reader(&slack[..]);
    assert_eq!(reader.read::<i64>().unwrap(), Some(5));
    assert_eq!(reader.read::<()>().unwrap(), Some(()));
    let strict = framing.options(Options::new().strict(true));
    let error = strict.all_from_slice::<Value>(&slack).unwrap_err();
    assert_eq!(strict.values_from_slice(&slack).unwrap_err().to_string(), error.to_string());
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(12)));
    // A frame ends its PackedByteArray, whose padding may be missing.
    let bytes = hex("09000000 1d000000 01000000 07 04000000 00000000");
    let all: Vec<Value> = Framing::new().all_from_slice(&bytes).unwrap();
    assert_eq!(format!("{all:?}"), "[PackedByteArray(7), null]");
    // An empty frame holds nothing that could be read.
    refused(Framing::new().all_from_slice::<Value>(&hex("00000000")));
}

#[test]
fn a_stream_goes_on_after_a_bad_variant() {
    let bytes = hex("04000000 ff000000 08000000 02000000 05000000 08000000 02000000 06000000");
    let mut reader = Framing::new().reader(&bytes[..]);
    let error = reader.read::<Value>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnknownType, Some(4)));
    let error = reader.read::<String>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Data, Some(12)));
    assert_eq!(reader.read::<i64>().unwrap(), Some(6));
    assert_eq!(reader.read::<i64>().unwrap(), None);
    assert!(reader.into_inner().is_empty());
}

#[test]
fn long_frames_are_refused_before_they_are_read() {
    let framing = Framing::new().options(Options::new().max_alloc(100));
    let bytes = [&101_u32.to_le_bytes()[..], &[0; 101]].concat();
    let error = framing.clone().reader(&bytes[..]).read::<Value>().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::AllocLimit, Some(0)));
    let bytes = [&100_u32.to_le_bytes()[..], &[0; 100]].concat();
    assert_eq!(framing.reader(&bytes[..]).read::<Value>().unwrap(), Some(Value::Nil));
    // A length that lies reserves nothing.
    for claim in [0x0fff_ffff_u32, 0x7fff_ffff, u32::MAX] {
        let bytes = [&claim.to_le_bytes()[..], &[0; 64]].concat();
        let run = gamewire_testkit::hostile::measure(&bytes, |bytes| {
            Framing::new().reader(bytes).read::<Value>()
        });
        assert!(run.peak < 16 << 10, "{} bytes for {claim:#x}", run.peak);
    }
}

#[cfg(feature = "base64")]
#[test]
fn base64() {
    let options = Options::new();
    assert_eq!(to_base64(&5, &options).unwrap(), "AgAAAAUAAAA=");
    assert_eq!(from_base64::<i64>("AgAAAAUAAAA=", &options).unwrap(), 5);
    assert_eq!(from_base64::<i64>(" AgAAAAUAAAA=\n", &options).unwrap(), 5);
    for value in crate::support::values() {
        let whole = Options::new().allow_objects(true);
        let text = to_base64(&value, &whole).unwrap();
        let back: Value = from_base64(&text, &whole).unwrap();
        assert_eq!(whole.to_vec(&back).unwrap(), whole.to_vec(&value).unwrap());
    }
    for (text, said) in [
        ("AgAAAAUAAAA", "expected base64 text, found text that is cut off"),
        ("AA=A", "expected base64 text, found the byte 0x3d after 2 characters"),
        ("", "expected 4 bytes of a variant's header, found 0 at byte 0x0"),
    ] {
        assert_eq!(refused(from_base64::<i64>(text, &options)), said);
    }
    refused(to_base64(&u64::MAX, &options));
}

#[test]
fn project_settings() {
    let settings = ProjectSettings {
        entries: vec![
            ("application/config/name".to_owned(), "Gäme".into()),
            ("input/jump".to_owned(), value::Instance::new("InputEventKey").into()),
            (String::new(), Value::Nil),
        ],
    };
    let bytes = settings.to_vec().unwrap();
    assert_eq!(bytes[..4], MAGIC);
    assert_eq!(ProjectSettings::from_slice(&bytes).unwrap(), settings);
    assert_eq!(settings.get("application/config/name"), Some(&"Gäme".into()));
    assert_eq!(settings.get("other"), None);
    let mut changed = settings.clone();
    *changed.get_mut("application/config/name").unwrap() = 5.into();
    assert_ne!(changed, settings);
    let bad = ProjectSettings { entries: vec![("a b".to_owned(), "\0".into())] };
    assert_eq!(refused(bad.to_vec()), r#"expected text without NUL, found "\0", in ["a b"]"#);
    let three = Options::new().dialect(Dialect::Godot3);
    let entries = vec![("a".to_owned(), Value::from(vec![1]))];
    let old = ProjectSettings { entries };
    let bytes = old.to_vec_with(&three).unwrap();
    assert_eq!(ProjectSettings::from_slice_with(&bytes, &three).unwrap(), old);
    ProjectSettings::from_slice(&bytes).unwrap_err();
}

#[test]
fn settings_do_not_believe_their_counts() {
    use gamewire_testkit::hostile::{Hostile, length_claims, u32_le};
    let bytes = std::fs::read(testdata("project.binary")).unwrap();
    let mut hostile = Hostile::new(ProjectSettings::from_slice);
    hostile.accepted("project.binary", &bytes);
    let counts = length_claims(|n| Some([&MAGIC[..], &u32_le(n)?].concat()));
    hostile.all_refused("counts", counts);
    let lengths = length_claims(|n| Some([&MAGIC[..], &[1, 0, 0, 0], &u32_le(n)?, b"a"].concat()));
    hostile.all_refused("lengths", lengths);
    hostile.cases("mutations", gamewire_testkit::hostile::mutations("project", &bytes, 3, 500));
    hostile.finish();
}

#[test]
fn files_of_the_engine() {
    let project = std::fs::read(testdata("project.binary")).unwrap();
    let settings = ProjectSettings::from_slice(&project).unwrap();
    assert_eq!(settings.entries.len(), 14);
    assert_eq!(settings.to_vec().unwrap(), project);

    let save = std::fs::read(testdata("savegame.dat")).unwrap();
    let (value, rest) = Framing::new().take_from_slice::<Value>(&save).unwrap();
    assert!(rest.is_empty());
    assert_eq!(Framing::new().to_vec(&value).unwrap(), save);
    let json = std::fs::read_to_string(testdata("savegame.native.json")).unwrap();
    // The engine writes floats with fewer digits; all else is the same.
    let NativeJson(read) = serde_json::from_str::<NativeJson>(&json).unwrap();
    let shape =
        |value: &Value| format!("{value:?}").replace(|c: char| "-.e0123456789".contains(c), "");
    assert_eq!(shape(&read), shape(&value));
    assert_ne!(read, value);

    let stream = std::fs::read(testdata("stream.dat")).unwrap();
    let values: Vec<Value> = Framing::new().all_from_slice(&stream).unwrap();
    assert_eq!(values.len(), 7);
    let written: Vec<_> =
        values.iter().map(|value| Framing::new().to_vec(value).unwrap()).collect();
    assert_eq!(written.concat(), stream);
}

#[test]
fn frames_are_whole_where_that_is_asked() {
    let mut frame = Framing::new().to_vec(&7).unwrap();
    frame[0] += 4;
    frame.extend([0; 4]);
    let whole = Framing::new().options(Options::new().whole_frames(true));
    assert_eq!(Framing::new().all_from_slice::<i32>(&frame).unwrap(), [7]);
    let error = whole.all_from_slice::<i32>(&frame).unwrap_err();
    assert_eq!(error.to_string(), "expected the end, found 4 bytes more at byte 0xc, in [0]");
    let raw = whole.reader(frame.as_slice()).next_frame().unwrap().unwrap().into_owned();
    assert!(raw.read::<i32>().is_err());
}

#[test]
fn exactly_one_frame() {
    let framing = Framing::new();
    let file = framing.to_vec(&[1, 2]).unwrap();
    assert_eq!(framing.from_slice::<Vec<i64>>(&file).unwrap(), [1, 2]);
    let big = Framing::new().big_endian(true);
    assert_eq!(big.from_slice::<i64>(&big.to_vec(&5).unwrap()).unwrap(), 5);
    let two = [&file[..], &file].concat();
    let error = framing.from_slice::<Vec<i64>>(&two).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(file.len())));
    assert_eq!(
        error.to_string(),
        "expected the end after one frame, found 28 bytes more at byte 0x1c"
    );
    for len in 0..file.len() {
        let error = framing.from_slice::<Vec<i64>>(&file[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{len}");
    }
    assert_eq!(framing.from_reader::<_, Vec<i64>>(file.as_slice()).unwrap(), [1, 2]);
    let exact = Framing::new().options(Options::new().max_alloc(file.len() - 4));
    assert_eq!(exact.from_reader::<_, Vec<i64>>(file.as_slice()).unwrap(), [1, 2]);
    let short = Framing::new().options(Options::new().max_alloc(file.len() - 5));
    let error = short.from_reader::<_, Vec<i64>>(file.as_slice()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
}

/// The first thing that one tries with a save.
#[test]
fn a_frame_in_the_place_of_a_variant_is_named() {
    let save = variant!({"name": "Ada", "scores": [1, 2, 3], "at": "a town of some size"});
    let said =
        "expected a variant, found a length before one, which frame::Framing reads at byte 0x0";
    let file = Framing::new().value_to_vec(&save).unwrap();
    let two = [&file[..], &file].concat();
    for file in [&file, &two] {
        assert_eq!(Options::new().value_from_slice(file).unwrap_err().to_string(), said);
        let typed = from_slice::<std::collections::BTreeMap<String, i64>>(file).unwrap_err();
        assert_eq!((typed.to_string().as_str(), typed.kind()), (said, ErrorKind::UnknownType));
    }
    // A length of 256 has the lowest byte of nil, one of 260 that of a text.
    for len in (24..1_500).step_by(4) {
        let file = Framing::new().to_vec(&vec!["x".repeat(len)]).unwrap();
        assert_eq!(Options::new().value_from_slice(&file).unwrap_err().to_string(), said, "{len}");
        assert_eq!(from_slice::<Vec<u8>>(&file).unwrap_err().to_string(), said, "{len}");
    }
    // Whatever else is wrong is called what it is.
    for bytes in [&b"hello world!"[..], &file[..file.len() - 1], &two[..file.len() + 9]] {
        let error = Options::new().value_from_slice(bytes).unwrap_err().to_string();
        assert!(
            error.starts_with("expected one of the types 0 to 38 of Godot 4, found"),
            "{error}"
        );
    }
}
