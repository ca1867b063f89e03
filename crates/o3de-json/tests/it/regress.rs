//! What once was wrong, or easily would be.

use std::collections::{BTreeMap, HashMap};

use o3de_json::*;
use serde::{Deserialize, Serialize};

/// serde's list of fields has the aliases too: a field that came under another name is not missing.
#[test]
fn aliases_are_not_missing_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Named {
        #[serde(alias = "nm", alias = "label")]
        name: String,
        #[serde(alias = "ident")]
        id: u32,
        size: f32,
    }
    let named = |name: &str, id, size| Named { name: name.into(), id, size };
    for _ in 0..2 {
        assert_eq!(from_str::<Named>("{}").unwrap(), named("", 0, 0.0));
        assert_eq!(from_str::<Named>(r#"{"label": "a"}"#).unwrap(), named("a", 0, 0.0));
        assert_eq!(from_str::<Named>(r#"{"NM": "a", "size": 1}"#).unwrap(), named("a", 0, 1.0));
        assert_eq!(from_str::<Named>(r#"{"ident": 3}"#).unwrap(), named("", 3, 0.0));
        let mixed =
            r#"[{"size": 2}, {"name": "b"}, {"nm": "c", "ident": 4}, {"id": 5, "label": "d"}]"#;
        assert_eq!(
            from_str::<Vec<Named>>(mixed).unwrap(),
            [named("", 0, 2.0), named("b", 0, 0.0), named("c", 4, 0.0), named("d", 5, 0.0)]
        );
    }
}

#[test]
fn the_last_of_repeated_members_counts() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair {
        a: i32,
        b: i32,
    }
    let (pair, report): (Pair, _) = load(r#"{"a": 1, "b": 2, "A": 3, "a": "4"}"#).unwrap();
    assert_eq!(pair, Pair { a: 4, b: 2 });
    assert!(report.is_clean(), "{report}");
    let nested: BTreeMap<String, Pair> =
        from_str(r#"{"x": {"a": 1, "a": 2}, "x": {"b": 1, "b": 2}}"#).unwrap();
    assert_eq!(nested["x"], Pair { a: 0, b: 2 });
}

/// A default of the type, not zero, stands in for `{}`, for what is absent, and for what is wrong.
#[test]
fn defaults_of_fields_are_kept() {
    fn seven() -> i32 {
        7
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        #[serde(default = "seven")]
        a: i32,
        b: f32,
        c: Option<Box<Inner>>,
    }
    let inner = || Inner { a: 7, b: 0.0, c: None };
    for text in ["{}", r#"{"a": {}}"#, r#"{"b": {}, "c": null}"#] {
        assert_eq!(from_str::<Inner>(text).unwrap(), inner(), "{text}");
    }
    assert_eq!(load::<Inner>(r#"{"a": []}"#).unwrap().0, inner());
    let with = Inner { c: Some(Box::new(inner())), ..inner() };
    assert_eq!(from_str::<Inner>(r#"{"c": {}}"#).unwrap(), with);
    assert_eq!(to_string_stripped(&with).unwrap(), r#"{"c":{}}"#);
    assert_eq!(from_str::<Vec<Inner>>(r#"[{}, {"c": {}}]"#).unwrap(), [inner(), with]);
}

/// What a type's own code refuses is left out, as what the loader refuses.
#[test]
fn refusals_of_types_are_issues() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Host {
        address: std::net::Ipv4Addr,
        port: std::num::NonZeroU16,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Hosts {
        #[serde(default)]
        hosts: Vec<Host>,
        #[serde(default)]
        letters: Vec<char>,
    }
    let text = r#"{"letters": ["a", "bc", "d"], "hosts": [{"address": "10.0.0.1", "port": 1}, {"address": "x", "port": 2}]}"#;
    let (hosts, report): (Hosts, _) = load(text).unwrap();
    assert_eq!(hosts.letters, ['a', 'd']);
    assert_eq!(hosts.hosts.len(), 1);
    let pointers: Vec<_> = report.issues().iter().map(|issue| issue.pointer.as_str()).collect();
    assert_eq!(pointers.first(), Some(&"/letters/1"), "{report}");
    assert_eq!(report.outcome(), Outcome::Unsupported);
    assert!(from_str::<Hosts>(text).is_err());
}

#[test]
fn keys_that_mix_become_pairs() {
    let key = |bits| Layers(bits);
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct Layers(u8);
    register_flags!(Layers: u8 { "A" => 1, "B" => 2 });
    let names = BTreeMap::from([(key(1), 1), (key(2), 2)]);
    assert_eq!(to_string(&names).unwrap(), r#"{"A":1,"B":2}"#);
    let mixed = BTreeMap::from([(key(1), 1), (key(2), 2), (key(3), 3), (key(8), 4)]);
    let text = to_string(&mixed).unwrap();
    assert_eq!(
        text,
        r#"[{"Key":"A","Value":1},{"Key":"B","Value":2},{"Key":["B","A"],"Value":3},{"Key":8,"Value":4}]"#
    );
    assert_eq!(from_str::<BTreeMap<Layers, i32>>(&text).unwrap(), mixed);
    let pretty = to_string_pretty(&mixed).unwrap();
    assert_eq!(from_str::<BTreeMap<Layers, i32>>(&pretty).unwrap(), mixed);
    assert!(
        pretty.starts_with("[\n    {\n        \"Key\": \"A\",\n        \"Value\": 1\n    },\n"),
        "{pretty}"
    );
    let docs = Options::new().conformance(Conformance::Docs);
    assert_eq!(docs.to_string(&names).unwrap(), r#"[{"Key":"A","Value":1},{"Key":"B","Value":2}]"#);
}

#[test]
fn bitflags_are_flags() {
    bitflags::bitflags! {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Perms: u32 {
            const READ = 1;
            const WRITE = 2;
            const BOTH = 3;
        }
    }
    register_flags!(bitflags Perms: u32 { "Read" => Perms::READ, "Write" => Perms::WRITE });
    assert_eq!(from_str::<Perms>(r#"["read", "WRITE"]"#).unwrap(), Perms::BOTH);
    assert_eq!(from_str::<Perms>("9").unwrap().bits(), 9);
    assert_eq!(to_string(&Perms::BOTH).unwrap(), r#"["Write","Read"]"#);
    // Other formats of text get the same.
    assert_eq!(serde_json::to_string(&Perms::BOTH).unwrap(), r#"["Write","Read"]"#);
    assert_eq!(serde_json::from_str::<Perms>(r#"["Write","Read"]"#).unwrap(), Perms::BOTH);
}

/// Numbers as the engine's writer spells them.
#[test]
fn numbers_have_the_engines_spelling() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (1e20, "100000000000000000000.0"),
        (1e21, "1e21"),
        (1.5e300, "1.5e300"),
        (0.1, "0.1"),
        (3.814697265625e-6, "0.000003814697265625"),
        (9.5e-7, "9.5e-7"),
        (-1e-5, "-0.00001"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e308"),
        (123456.789, "123456.789"),
        (2.2250738585072014e-308, "2.2250738585072014e-308"),
    ] {
        assert_eq!(to_string(&value).unwrap(), text);
    }
    assert_eq!(to_string(&0.1_f32).unwrap(), "0.10000000149011612");
    assert_eq!(Options::new().floats(Floats::Shortest).to_string(&0.1_f32).unwrap(), "0.1");
}

/// The digits of the engine's own files come out again.
#[test]
fn floats_of_real_files_come_back_as_they_are() {
    let mut seen = 0;
    let mut differ = Vec::new();
    for (name, bytes) in
        crate::support::real_files().iter().filter(|(name, _)| name.ends_with(".prefab"))
    {
        let text = std::str::from_utf8(bytes).unwrap();
        for part in text.split([' ', '\n', ',']).filter(|part| part.contains('.')) {
            let Ok(value) = part.parse::<f64>() else { continue };
            if f64::from(value as f32) == value {
                seen += 1;
                let ours = to_string(&(value as f32)).unwrap();
                if ours != part && !part.contains("e+") {
                    differ.push(format!("{name}: {part} became {ours}"));
                }
            }
        }
    }
    println!("{seen} floats, {} differ", differ.len());
    assert!(differ.len() * 200 <= seen, "{differ:#?}");
}

#[test]
fn maps_in_place_keep_what_the_text_does_not_have() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Item {
        a: i32,
        b: i32,
    }
    let item = |a, b| Item { a, b };
    let mut map = HashMap::from([("x".to_owned(), item(1, 2)), ("y".to_owned(), item(3, 4))]);
    load_into(&mut map, r#"{"x": {"a": 9}, "z": {}}"#).unwrap();
    assert_eq!(
        map,
        HashMap::from([
            ("x".into(), item(9, 2)),
            ("y".into(), item(3, 4)),
            ("z".into(), item(0, 0))
        ])
    );
    let mut numbers = BTreeMap::from([(16, item(1, 2))]);
    load_into(&mut numbers, r#"{"0x10": {"b": 5}}"#).unwrap();
    assert_eq!(numbers[&16], item(1, 5));
    let clear = Options::new().clear_containers(true);
    clear.load_into(&mut numbers, r#"{"1": {}}"#).unwrap();
    assert_eq!(numbers, BTreeMap::from([(1, item(0, 0))]));
}

/// Types that serde buffers lose the coercions, and nothing else.
#[test]
fn buffered_types_work_without_coercions() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer {
        id: u32,
        #[serde(flatten)]
        rest: BTreeMap<String, u32>,
    }
    let outer: Outer = from_str(r#"{"id": 1, "x": 2, "y": 3}"#).unwrap();
    assert_eq!(outer.rest, BTreeMap::from([("x".into(), 2), ("y".into(), 3)]));
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u32),
        Text(String),
    }
    assert_eq!(
        from_str::<Vec<Either>>(r#"[1, "a"]"#).unwrap(),
        [Either::Number(1), Either::Text("a".into())]
    );
}

#[test]
fn deserializers_read_values_one_after_the_other() {
    let mut values =
        Deserializer::from_str("{\"a\": 1} [2] // end\n 3").into_iter::<serde_json::Value>();
    assert_eq!(values.next().unwrap().unwrap(), serde_json::json!({"a": 1}));
    assert_eq!(values.next().unwrap().unwrap(), serde_json::json!([2]));
    assert_eq!(values.next().unwrap().unwrap(), serde_json::json!(3));
    assert!(values.next().is_none());
    let mut broken = Deserializer::from_str("1\n x").into_iter::<u8>();
    assert_eq!(broken.next().unwrap().unwrap(), 1);
    let error = broken.next().unwrap().unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(2), Some(2)));
    assert!(broken.next().is_none());
    let mut one = Deserializer::from_str(" 5 ");
    assert_eq!(u8::deserialize(&mut one).unwrap(), 5);
    one.end().unwrap();
}
