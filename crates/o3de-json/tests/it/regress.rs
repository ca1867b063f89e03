//! What once was wrong, or easily would be.

use std::collections::{BTreeMap, HashMap};

use o3de_json::report::*;
use o3de_json::types::*;
use o3de_json::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Named {
    #[serde(alias = "nm", alias = "label")]
    name: String,
    id: u32,
}

/// serde's list of fields has the aliases too, so what fills absent fields cannot tell which are.
#[test]
fn aliases_are_names_like_any_other() {
    let named = |name: &str, id| Named { name: name.into(), id };
    assert_eq!(from_str::<Named>(r#"{"label": "a", "id": 1}"#).unwrap(), named("a", 1));
    assert_eq!(from_str::<Named>(r#"{"ID": 1, "NM": "a"}"#).unwrap(), named("a", 1));
    let error = from_str::<Named>(r#"{"label": "a", "name": "b", "id": 1}"#).unwrap_err();
    assert!(error.to_string().starts_with("duplicate field `name` at line 1"), "{error}");
    let sparse = Options::new().absent_as_zero(true);
    let error = sparse.from_str::<Vec<Named>>(r#"[{"label": "a"}]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `name` has an `alias`, which absent_as_zero cannot tell from a field of its own at \
         line 1, column 2 (byte 0x1), in /0"
    );
    let mut target = named("a", 1);
    load_into(&mut target, r#"{"name": "b"}"#).unwrap();
    assert_eq!(target, named("b", 1));
    let error = load_into(&mut target, r#"{"nm": "c"}"#).unwrap_err();
    assert!(error.to_string().contains("which load_into cannot tell"), "{error}");
    assert_eq!(target, named("b", 1));
}

/// Absent members are serde's affair; the option gives zeros over serde's own defaults.
#[test]
fn absent_members_are_an_error_or_zero() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sparse {
        id: u64,
        name: String,
        at: Vector3,
        turn: Quaternion,
        next: Option<Box<Sparse>>,
        list: Vec<Sparse>,
        pair: (u8, f32),
        #[serde(default = "seven")]
        seven: i32,
    }
    fn seven() -> i32 {
        7
    }
    let error = from_str::<Sparse>(r#"{"id": 1, "pair": [1, 2], "next": {}}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert_eq!(
        error.to_string(),
        "missing field `id`, which `#[serde(default)]` or `Options::absent_as_zero` would fill at \
         line 1, column 35 (byte 0x22), in /next"
    );
    let zero = || Sparse {
        id: 0,
        name: String::new(),
        at: Vector3::default(),
        turn: Quaternion::IDENTITY,
        next: None,
        list: Vec::new(),
        pair: (0, 0.0),
        seven: 0,
    };
    let sparse = Options::new().absent_as_zero(true);
    assert_eq!(sparse.from_str::<Sparse>("{}").unwrap(), zero());
    let text = r#"{"NAME": "a", "next": {}, "list": [{"id": 3}, {}]}"#;
    let full = Sparse {
        name: "a".into(),
        next: Some(Box::new(zero())),
        list: vec![Sparse { id: 3, ..zero() }, zero()],
        ..zero()
    };
    assert_eq!(sparse.from_str::<Sparse>(text).unwrap(), full);
    assert_eq!(sparse.load::<Sparse>(text).unwrap().0, full);
    // Storing takes the same zeros for the defaults; without them there is nothing to leave out.
    let stored = r#"{"name":"a","next":{},"list":[{"id":3},{}]}"#;
    assert_eq!(sparse.store(&full).unwrap().0, stored);
    assert_eq!(Options::new().store(&full).unwrap().0, to_string(&full).unwrap());
}

#[test]
fn the_last_of_repeated_members_counts() {
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Pair {
        a: i32,
        b: i32,
    }
    let (pair, report): (Pair, _) = load(r#"{"a": 1, "b": 2, "A": 3, "a": "4"}"#).unwrap();
    assert_eq!(pair, Pair { a: 4, b: 2 });
    assert!(report.is_clean(), "{report}");
    // What a later one overrides need not fit.
    let text = r#"[{"a": "x", "b": {}, "A": 3}, {"a": [1, {"a": 1, "a": 2}], "a": 1}]"#;
    assert_eq!(from_str::<Vec<Pair>>(text).unwrap(), [Pair { a: 3, b: 0 }, Pair { a: 1, b: 0 }]);
    let nested: BTreeMap<String, Pair> =
        from_str(r#"{"x": {"a": 1, "a": 2}, "x": {"b": 1, "b": 2}}"#).unwrap();
    assert_eq!(nested["x"], Pair { a: 0, b: 2 });
    let entries: Map<String, i32> = from_str(r#"{"x": 1, "y": 2, "x": 3}"#).unwrap();
    assert_eq!(entries.0, [("x".to_owned(), 3), ("y".to_owned(), 2)]);
}

/// The functions read optimistically where `Deserializer` looks first; what comes out is the same.
#[test]
fn deserializer_and_from_str_agree() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Inner {
        a: i8,
        b: Vec<Inner>,
        c: Option<Box<Inner>>,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Outer {
        inner: Inner,
        named: Option<Named>,
        map: Map<String, Inner>,
    }
    fn agree<T: for<'a> Deserialize<'a> + std::fmt::Debug>(options: &Options, text: &str) {
        let read = options.from_str::<T>(text);
        let mut deserializer = Deserializer::new(text.as_bytes(), options.clone());
        let other =
            T::deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
        assert_eq!(format!("{read:?}"), format!("{other:?}"), "{text}");
        let mut values = Deserializer::new(text.as_bytes(), options.clone()).into_iter::<T>();
        if let (Some(first), Ok(read)) = (values.next(), read) {
            assert_eq!(format!("{:?}", first.unwrap()), format!("{read:?}"), "{text}");
        }
    }
    let texts = [
        "{}",
        r#"{"inner": {}, "map": {}}"#,
        r#"{"inner": {"a": 1, "A": 2}, "map": {}}"#,
        r#"{"inner": {"a": 300, "A": 2}, "map": {}}"#,
        r#"{"inner": {"a": 2, "A": 300}, "map": {}}"#,
        r#"{"inner": {"a": {}}, "map": {"x": {"a": 1}, "x": {"b": [{"a": 1, "b": [], "a": 2}]}}}"#,
        r#"{"inner": {"c": {"c": {}}}, "map": [], "named": {"nm": "x", "label": "y", "id": 1}}"#,
        r#"{"inner": {"a": 1, "a": 2}, "map": {}, "named": {"nm": "x"}}"#,
        r#"{"inner": {"a": 1, "a": 2}, "map": {}, "other": [1,}"#,
        r#"{"inner": {"a": 1, "a": 2}, "map": {}} x"#,
        r#"{"inner": {"b": [{"a": 1}, {"a": 2, "a": 3}, 5]}, "map": {}}"#,
        "[]",
        "",
    ];
    for options in [
        Options::new(),
        Options::new().strict(true),
        Options::new().absent_as_zero(true),
        Options::new().conformance(Conformance::Docs),
    ] {
        for text in texts {
            agree::<Outer>(&options, text);
            agree::<Inner>(&options, text);
            agree::<Option<Named>>(&options, text);
            agree::<Value>(&options, text);
            agree::<BTreeMap<String, RawValue>>(&options, text);
        }
    }
}

/// A default of the type, not zero, stands in for what is absent and for what is wrong. `{}` is the
/// zero of the field's type, unless there is a value that it can leave as it is.
#[test]
fn defaults_of_fields_are_kept() {
    fn seven() -> i32 {
        7
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        #[serde(default = "seven")]
        a: i32,
        #[serde(default)]
        b: f32,
        c: Option<Box<Inner>>,
    }
    let inner = || Inner { a: 7, b: 0.0, c: None };
    for text in ["{}", r#"{"b": {}, "c": null}"#] {
        assert_eq!(from_str::<Inner>(text).unwrap(), inner(), "{text}");
    }
    assert_eq!(load::<Inner>(r#"{"a": []}"#).unwrap().0, inner());
    assert_eq!(from_str::<Inner>(r#"{"a": {}}"#).unwrap().a, 0);
    let mut target = inner();
    load_into(&mut target, r#"{"a": {}}"#).unwrap();
    assert_eq!(target, inner());
    let with = Inner { c: Some(Box::new(inner())), ..inner() };
    assert_eq!(from_str::<Inner>(r#"{"c": {}}"#).unwrap(), with);
    assert_eq!(Options::new().store(&with).unwrap().0, r#"{"c":{}}"#);
    assert_eq!(from_str::<Vec<Inner>>(r#"[{}, {"c": {}}]"#).unwrap(), [inner(), with]);
}

/// A member without a default that is left out is missing, and then what is around it is left out.
#[test]
fn what_is_left_out_is_absent() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Strict {
        id: u8,
    }
    let (list, report): (Vec<Strict>, _) = load(r#"[{"id": 1}, {"id": "x"}, {}]"#).unwrap();
    assert_eq!(list, [Strict { id: 1 }]);
    let seen: Vec<_> = report.issues().iter().map(|issue| issue.pointer.as_str()).collect();
    assert_eq!(seen, ["/1", "/1/id", "/2"], "{report}");
    let error = load::<Strict>(r#"{"id": "x"}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert_eq!(Options::new().absent_as_zero(true).load::<Strict>("{}").unwrap().0.id, 0);
}

/// In a tuple of the engine the element after one that does not fit takes its place; in an array, and
/// in a tuple of Rust, which serde shows in the same way, the place stays as it was.
#[test]
fn tuples_and_arrays_differ() {
    let text = r#"["x", 2, "3", 4]"#;
    let (array, report) = load::<[i32; 2]>(text).unwrap();
    assert_eq!((array, report.issues().len()), ([0, 2], 2));
    assert_eq!(load::<(i32, i32)>(text).unwrap().0, (0, 2));
    let (Tuple(pair), report) = load::<Tuple<(i32, i32)>>(text).unwrap();
    assert_eq!((pair, report.issues().len()), ((2, 3), 1), "{report}");
    assert_eq!(to_string(&Tuple((1, "a"))).unwrap(), r#"[1,"a"]"#);
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

/// An array of objects is no map because its elements have neither keys nor values.
#[test]
fn objects_that_are_no_entries_are_no_map() {
    type Open = BTreeMap<String, Value>;
    for text in [r#"[{"a": 1}]"#, r#"[{"a": 1}, {"b": 2}]"#, "[1]", "[[]]"] {
        let error = from_str::<Open>(text).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Unsupported, Some(1)), "{text}");
    }
    // The engine's default entry; `load` says what was in it.
    assert_eq!(from_str::<Open>("[{}]").unwrap().len(), 1);
    assert_eq!(from_str::<Open>(r#"[{"Key": "a"}]"#).unwrap().len(), 1);
    let (map, report) = load::<BTreeMap<String, u8>>(r#"[{"a": 1}, {"b": 2}]"#).unwrap();
    assert_eq!((map.len(), report.issues().len()), (1, 2), "{report}");
}

/// Keys that are objects, and the values of keys that turned out to be no names, are laid out.
#[test]
fn pairs_are_laid_out_in_lines() {
    let keys = BTreeMap::from([((1, vec![2]), vec![3])]);
    let text = to_string_pretty(&keys).unwrap();
    assert_eq!(text, to_string_pretty(&from_str::<Value>(&text).unwrap()).unwrap());
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct Layers(u8);
    register_flags!(Layers: u8 { "A" => 1, "B" => 2 });
    let mixed = BTreeMap::from([(Layers(1), vec![1]), (Layers(3), vec![2])]);
    let text = to_string_pretty(&mixed).unwrap();
    assert_eq!(text, to_string_pretty(&from_str::<Value>(&text).unwrap()).unwrap());
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
    assert_eq!(broken.byte_offset(), 1);
    assert!(broken.next().is_none());
    let mut one = Deserializer::from_str(" 5 ");
    assert_eq!(u8::deserialize(&mut one).unwrap(), 5);
    one.end().unwrap();
}

/// The engine takes the name `{}` for a default key: a map of both lost one of them.
#[test]
fn keys_that_look_like_a_default_are_kept() {
    fn returns<T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(own: &T) {
        let options = Options::new();
        let stored = options.store(own).unwrap().0;
        for text in [to_string(own).unwrap(), to_string_pretty(own).unwrap(), stored] {
            assert_eq!(from_str::<T>(&text).unwrap(), *own, "{text}");
            assert_eq!(load::<T>(&text).unwrap().0, *own, "{text}");
        }
        assert_eq!(from_value::<T>(&to_value(own).unwrap()).unwrap(), *own);
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    // In the order in which the engine sorts them.
    let keys = ["", "a", "{ }", "{}"];
    for count in 0..16_usize {
        let some = keys.iter().enumerate().filter(|(bit, _)| count >> bit & 1 == 1);
        let entries = || some.clone().map(|(index, key)| ((*key).to_owned(), index as u8));
        returns(&entries().collect::<BTreeMap<_, _>>());
        returns(&entries().collect::<HashMap<_, _>>());
        returns(&Map(entries().collect()));
        returns(&UnorderedMap(entries().collect()));
        returns(&MultiMap(entries().collect()));
        returns(&BTreeMap::from([("x".to_owned(), entries().collect::<BTreeMap<_, _>>())]));
        returns(&Flat { id: 1, rest: entries().collect() });
        returns(
            &entries()
                .map(|(key, one)| (key, serde_json::json!(one)))
                .collect::<serde_json::Value>(),
        );
    }
    let map = BTreeMap::from([("{}".to_owned(), 1), (String::new(), 2)]);
    assert_eq!(to_string(&map).unwrap(), r#"[{"Key":"","Value":2},{"Key":"{}","Value":1}]"#);
    // The engine's default key is the empty text, as ever.
    let read = from_str::<BTreeMap<String, u8>>(r#"{"{}": 1}"#).unwrap();
    assert_eq!(read, BTreeMap::from([(String::new(), 1)]));
}

/// Types that look at the data took an empty map for a list.
#[test]
fn an_empty_map_is_one_to_those_who_look() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        List(Vec<Any>),
        Map(BTreeMap<String, Any>),
        Text(String),
    }
    let map = BTreeMap::from([("a".to_owned(), Any::Map(BTreeMap::new()))]);
    let any = Any::List(vec![Any::Map(BTreeMap::new()), Any::List(Vec::new()), Any::Map(map)]);
    let text = to_string(&any).unwrap();
    assert_eq!(text, r#"[{},[],{"a":{}}]"#);
    assert_eq!(from_str::<Any>(&text).unwrap(), any);
    // One spelling, whichever way it comes.
    struct InPieces(Vec<InPieces>);
    impl Serialize for InPieces {
        fn serialize<S: serde::Serializer>(
            &self,
            serializer: S,
        ) -> std::result::Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            for (index, one) in self.0.iter().enumerate() {
                serde::ser::SerializeMap::serialize_entry(&mut map, &index.to_string(), one)?;
            }
            serde::ser::SerializeMap::end(map)
        }
    }
    let pieces = InPieces(vec![InPieces(Vec::new())]);
    let map = BTreeMap::from([("0".to_owned(), BTreeMap::<String, u8>::new())]);
    assert_eq!(to_string(&pieces).unwrap(), to_string(&map).unwrap());
}

/// One kind for every cut, also inside of a character, a word, an escape or a comment.
#[test]
fn what_is_cut_off_has_one_kind() {
    let text = r#" {"Åsa": [1.5e3, -7, "\u00e9\n", true, false, null], /* c */ "€": {"😀": "", "x": {}}, // d
        "last": [[], {}] } "#;
    assert!(from_str::<Value>(text).is_ok());
    let whole = text.trim_end().len();
    for len in 0..whole {
        let cut = &text.as_bytes()[..len];
        for error in [
            from_slice::<Value>(cut).unwrap_err(),
            from_slice::<BTreeMap<String, Value>>(cut).unwrap_err(),
            from_slice::<serde::de::IgnoredAny>(cut).unwrap_err(),
            from_slice::<serde_json::Value>(cut).unwrap_err(),
        ] {
            assert!(error.kind() == ErrorKind::UnexpectedEof && error.is_eof(), "{len}: {error:?}");
        }
    }
    let error = from_slice::<String>(b"\"\xc3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected the rest of a character, found the end of the text at line 1, column 3 (byte 0x2)"
    );
    let error = from_slice::<String>(b"\"\xc3\"").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidUtf8);
}

/// A type of someone else with a reserved name, which writes another value before its own.
struct Reserved;

impl Serialize for Reserved {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        struct Inside;

        impl Serialize for Inside {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                assert_eq!(to_string(&Value::from(7)).unwrap(), "7");
                serializer.serialize_unit()
            }
        }

        serializer.serialize_newtype_struct("$o3de::RawValue", &Inside)
    }
}

#[test]
fn a_reserved_name_of_another_type_loses_no_output() {
    let mut out = b"before".to_vec();
    let error = Options::new().append_to_vec(&mut out, &Reserved).unwrap_err();
    assert_eq!(error.message(), "a name that begins with `$o3de::` is reserved");
    assert_eq!(out, b"before");
}
