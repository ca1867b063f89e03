//! Text with sections: what a change leaves alone, and Rust types. The engine's rows are in tests/vectors.

use std::collections::BTreeMap;

use godot_variant::text::config::{self, ConfigFile};
use godot_variant::types::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::refused;

fn parse(text: &str) -> ConfigFile {
    ConfigFile::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text after one change, of which the rest is as it was.
#[track_caller]
fn changed(text: &str, section: &str, key: &str, value: impl Into<Value>) -> String {
    let value = value.into();
    let mut file = parse(text);
    let mut before: BTreeMap<_, _> =
        file.iter().map(|(s, k, v)| ((s.to_owned(), k.to_owned()), v.clone())).collect();
    file.set(section, key, value.clone()).unwrap();
    let name = (section.to_owned(), key.to_owned());
    match value {
        Value::Nil => drop(before.remove(&name)),
        value => drop(before.insert(name, value)),
    }
    let after: BTreeMap<_, _> =
        file.iter().map(|(s, k, v)| ((s.to_owned(), k.to_owned()), v.clone())).collect();
    assert_eq!(after, before, "{text}");
    file.as_str().to_owned()
}

#[test]
fn one_key_is_changed_and_every_other_byte_is_kept() {
    let text = "; head\r\n\r\n[a] ; one\r\nk  = 1 ; tail\r\n\r\n;b\r\nl=\"x\"\r\n[b]\r\n";
    let set = |section, key, value: Value| changed(text, section, key, value);
    assert_eq!(set("a", "k", 2.into()), text.replace("= 1", "= 2"));
    assert_eq!(set("a", "l", vec!["y"].into()), text.replace("\"x\"", "[\"y\"]"));
    assert_eq!(set("a", "new", 3.into()), text.replace("[b]", "new=3\r\n[b]"));
    assert_eq!(set("b", "new", 3.into()), format!("{text}new=3\r\n"));
    assert_eq!(set("c", "new", 3.into()), format!("{text}\r\n[c]\r\n\r\nnew=3\r\n"));
    assert_eq!(set("", "new", 3.into()), format!("new=3\r\n\r\n{text}"));
    assert_eq!(set("a", "k", Value::Nil), text.replace("k  = 1 ; tail", " ; tail"));
    assert_eq!(set("a", "l", Value::Nil), text.replace("l=\"x\"\r\n", ""));
    assert_eq!(set("a", "none", Value::Nil), text);
    for (text, made) in [
        ("", "k=1\n"),
        ("a=1", "a=1\nk=1\n"),
        ("a=1 b=2\n", "a=1 b=2\nk=1\n"),
        ("a=1 ; no end", "a=1 ; no end\nk=1\n"),
        ("k=3\nk=null\nk=2\n", "k=3\nk=null\nk=1\n"),
        ("a=2\nk=null\n", "a=2\nk=1\n"),
    ] {
        assert_eq!(changed(text, "", "k", 1), made, "{text}");
    }
    assert_eq!(changed("[a]\n\nb=1\n", "c", "k k", "x"), "[a]\n\nb=1\n\n[c]\n\n\"k k\"=\"x\"\n");
    assert_eq!(changed("[a]\n\n[b]\nk=1\n", "a", "k", 1), "[a]\n\nk=1\n[b]\nk=1\n");
    assert_eq!(changed("k=1\nl=2\nk=3\n", "", "k", Value::Nil), "l=2\n");
    assert_eq!(changed("[x]", "a]b", "k", true), "[x]\n\n[a\\]b]\n\nk=true\n");
}

#[test]
fn what_cannot_be_read_back_is_refused_and_changes_nothing() {
    let text = "[a]\nk=1\n";
    let mut file = parse(text);
    for (section, key) in [("a", ""), (" a", "k"), ("a\\", "k"), ("a", "\0")] {
        assert!(file.set(section, key, 1).is_err(), "{section:?} {key:?}");
    }
    assert!(file.set("a", "k", "\0").is_err());
    assert_eq!(file.as_str(), text);
    for (text, said) in [
        ("[a]\nk=1\n[b", "expected the ] of a section, found the end at byte 0x9"),
        ("[a]\nk=[1,", "expected a value, found the end at byte 0x9, in a.k"),
        ("k=\n", "expected a value, found the end at byte 0x3, in [\"\"].k"),
        ("\"k=1", "expected the end of a string, found none at byte 0x0"),
    ] {
        assert_eq!(ConfigFile::parse(text).unwrap_err().to_string(), said, "{text}");
    }
}

#[test]
fn sections_are_structs() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Settings {
        #[serde(rename = "", default)]
        head: BTreeMap<String, i64>,
        audio: Audio,
        #[serde(default)]
        keys: Option<BTreeMap<String, Vec<i64>>>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Audio {
        volume: f32,
        #[serde(default)]
        device: Option<String>,
        position: Vector3,
    }
    let text = "config_version=5\n\n[audio]\n\nvolume=0.5\nposition=Vector3(1, 2, 3)\n\n[keys]\n\njump=[32]\n";
    let settings: Settings = config::from_str(text).unwrap();
    assert_eq!(settings.head["config_version"], 5);
    assert_eq!(settings.audio.position, Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(config::to_string(&settings).unwrap(), text);
    let wrong = config::from_str::<Settings>("[audio]\nvolume=\"x\"\nposition=1\n").unwrap_err();
    assert!(wrong.to_string().contains("in audio.volume"), "{wrong}");
    assert_eq!(refused(config::to_string(&5)), "expected a struct of sections, found int");
    let flat = BTreeMap::from([("a", 1)]);
    assert_eq!(refused(config::to_string(&flat)), "expected a section of keys, found int, in a");
}

#[test]
fn many_keys_take_no_time() {
    let text: String = (0..20_000).map(|at| format!("k{}={at}\nk{at}=null\n", at / 2)).collect();
    let file = parse(&text);
    assert_eq!(file.iter().count(), 10_000);
    let mut twice = parse(&"k=1\n".repeat(20_000));
    twice.remove("", "k").unwrap();
    assert_eq!(twice.as_str(), "");
}

#[test]
fn a_file_is_read_as_the_engine_loads_it() {
    let file = ConfigFile::load_with("[a]\n静=1\n\"静\"=2\n\n[]\nx=3\n", &Options::new()).unwrap();
    let keys: Vec<_> = file.iter().map(|(section, key, _)| (section, key)).collect();
    assert_eq!(keys, [("a", "é\u{9d}\u{99}"), ("a", "静"), ("a", "x")]);
    // Nothing is set where the engine would take it for something else.
    let mut file = parse("[a]\nx=1\njunk\n");
    assert!(refused(file.set("b", "y", 1)).starts_with("expected a place where the engine reads"));
    assert_eq!(file.as_str(), "[a]\nx=1\njunk\n");
    file.set("a", "y", 1).unwrap();
    assert_eq!(file.as_str(), "[a]\nx=1\ny=1\njunk\n");
    assert_eq!(file.lost().collect::<Vec<_>>(), [(4, "junk")]);
    // One value in a long one changes alone.
    let mut file = parse("[a]\nx={\n\"k\": 1.50,   \"l\":2\n} ; all\n");
    file.set("a", "x", dict! { "k" => 1.5, "l" => 3 }).unwrap();
    assert_eq!(file.as_str(), "[a]\nx={\n\"k\": 1.50,   \"l\":3\n} ; all\n");
}

#[test]
fn a_file_goes_to_the_other_engine() {
    let old = "[a]\nx=PoolByteArray( 1 ) ; Quat(\n\"Quat\"=[ Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ), \"Quat(\" ]\n";
    let file = parse(old);
    assert_eq!(file.dialect(), Some(Dialect::Godot3));
    let new = file.in_dialect(Dialect::Godot4).unwrap();
    assert_eq!(
        new,
        old.replace("PoolByteArray", "PackedByteArray").replace("Transform(", "Transform3D(")
    );
    assert_eq!(parse(&new).in_dialect(Dialect::Godot3).unwrap(), old);
    let base64 = parse("x=PackedByteArray(\"AQI=\")\n").in_dialect(Dialect::Godot3).unwrap();
    assert_eq!(base64, "x=PoolByteArray( 1, 2 )\n");
    for new in ["Vector2i(1, 2)", "&\"n\"", "Array[int]([1])", "Callable()"] {
        let file = parse(&format!("[a]\nx={{\"k\": {new}}}\n"));
        assert_eq!(file.dialect(), (new != "Callable()").then_some(Dialect::Godot4), "{new}");
        let error = file.in_dialect(Dialect::Godot3).unwrap_err();
        assert_eq!(error.path().to_string(), "a.x.k", "{new}");
    }
    assert_eq!(parse("config_version=4\n").dialect(), Some(Dialect::Godot3));
    assert_eq!(parse("x=Vector2( 1, 2 )\n").dialect(), None);
}
