//! Rust types, both ways.

use std::collections::{BTreeMap, HashMap, HashSet};

use o3de_json::report::*;
use o3de_json::types::*;
use o3de_json::*;
use serde::{Deserialize, Serialize};

use crate::support::{real_files, samples};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Simple {
    var1: i32,
    var2: f32,
}

impl Default for Simple {
    fn default() -> Self {
        Simple { var1: 42, var2: 42.0 }
    }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Plain {
    id: u64,
    name: String,
    position: Vector3,
    parts: Vec<Simple>,
    next: Option<Box<Plain>>,
    flag: bool,
}

fn plain() -> Plain {
    Plain {
        id: u64::MAX,
        name: "Lamp \"x\"\n".into(),
        position: Vector3::new(1.0, 2.5, -0.1),
        parts: vec![Simple::default(), Simple { var1: 1, var2: 42.0 }],
        next: None,
        flag: true,
    }
}

#[test]
fn a_struct_round_trips() {
    let value = plain();
    let text = to_string(&value).unwrap();
    assert_eq!(
        text,
        r#"{"id":18446744073709551615,"name":"Lamp \"x\"\n","position":[1.0,2.5,-0.10000000149011612],"parts":[{"var1":42,"var2":42.0},{"var1":1,"var2":42.0}],"next":null,"flag":true}"#
    );
    assert_eq!(from_str::<Plain>(&text).unwrap(), value);
    let stripped = Options::new().store(&value).unwrap().0;
    assert_eq!(
        stripped,
        r#"{"id":18446744073709551615,"name":"Lamp \"x\"\n","position":[1.0,2.5,-0.10000000149011612],"parts":[{},{"var1":1}],"flag":true}"#
    );
    assert_eq!(from_str::<Plain>(&stripped).unwrap(), value);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "BaseClass")]
enum Base {
    BaseClass {
        base_var: f32,
    },
    #[serde(rename = "{1E5FAA8C-3E1A-4E1B-9C1C-1F5E5B1E5A11} Derived")]
    Derived(Simple),
    Number(i32),
    #[serde(rename = "$unknown")]
    Unknown(RawValue),
}

#[test]
fn types_are_found_wherever_they_stand() {
    for text in [
        r#"{"$type": "Derived", "var1": 1}"#,
        r#"{"var1": 1, "$type": " derived "}"#,
        r#"{"var1": 1, "$type": "{1e5faa8c3e1a4e1b9c1c1f5e5b1e5a11} whatever"}"#,
    ] {
        assert_eq!(
            from_str::<Base>(text).unwrap(),
            Base::Derived(Simple { var1: 1, var2: 42.0 }),
            "{text}"
        );
    }
    assert_eq!(
        from_str::<Base>(r#"{"base_var": 2.0}"#).unwrap(),
        Base::BaseClass { base_var: 2.0 }
    );
    let unknown = r#"{"$type": "Other", "x": [1.50]}"#;
    let value: Base = from_str(unknown).unwrap();
    assert_eq!(value, Base::Unknown(RawValue::new(unknown).unwrap()));
    assert_eq!(to_string(&value).unwrap(), unknown);
    let number = to_string(&Base::Number(5)).unwrap();
    assert_eq!(number, r#"{"$type":"Number","Value":5}"#);
    assert_eq!(from_str::<Base>(&number).unwrap(), Base::Number(5));
    let derived = to_string(&Base::Derived(Simple::default())).unwrap();
    assert_eq!(
        derived,
        r#"{"$type":"{1E5FAA8C-3E1A-4E1B-9C1C-1F5E5B1E5A11} Derived","var1":42,"var2":42.0}"#
    );
    assert_eq!(to_string(&Base::BaseClass { base_var: 1.0 }).unwrap(), r#"{"base_var":1.0}"#);
}

#[test]
fn maps_have_any_key() {
    let map = BTreeMap::from([(1_i32, "a".to_owned()), (2, "b".to_owned())]);
    let text = to_string(&map).unwrap();
    assert_eq!(text, r#"[{"Key":1,"Value":"a"},{"Key":2,"Value":"b"}]"#);
    assert_eq!(from_str::<BTreeMap<i32, String>>(&text).unwrap(), map);
    assert_eq!(from_str::<BTreeMap<i32, String>>(r#"{"0x1": "a", "2": "b"}"#).unwrap(), map);
    #[derive(Serialize)]
    struct Sorted {
        #[serde(serialize_with = "o3de_json::ser::sorted")]
        map: HashMap<String, i32>,
        #[serde(serialize_with = "o3de_json::ser::sorted")]
        set: HashSet<i32>,
    }
    let map = HashMap::from([("b".to_owned(), 1), ("a".to_owned(), 2), ("C".to_owned(), 3)]);
    let sorted = Sorted { map, set: HashSet::from([42, -88, 342]) };
    assert_eq!(to_string(&sorted).unwrap(), r#"{"map":{"C":3,"a":2,"b":1},"set":[-88,42,342]}"#);
    let unordered = UnorderedMap::from_iter(sorted.map);
    assert_eq!(to_string(&unordered).unwrap(), r#"{"C":3,"a":2,"b":1}"#);
    assert_eq!(to_string(&UnorderedSet::from_iter(sorted.set)).unwrap(), "[-88,42,342]");
    let (set, report): (HashSet<i32>, _) = load("[1, 2, 1]").unwrap();
    assert_eq!((set.len(), report.outcome()), (2, Outcome::Success));
    let (set, report): (Set<i32>, _) = load("[1, 2, 1]").unwrap();
    assert_eq!(set.0, [1, 2]);
    assert_eq!(
        (report.outcome(), report.processing()),
        (Outcome::Unavailable, Processing::PartialAlter)
    );
    let multi: MultiMap<String, i32> = from_str(r#"{"a": [1, 2], "b": [3]}"#).unwrap();
    assert_eq!(multi.0, [("a".into(), 1), ("a".into(), 2), ("b".into(), 3)]);
    assert_eq!(to_string(&multi).unwrap(), r#"{"a":[1,2],"b":[3]}"#);
}

#[test]
fn loading_goes_onto_what_is_there() {
    let mut value = plain();
    let report = load_into(
        &mut value,
        r#"{"id": {}, "name": 5, "parts": [{"var2": 1}], "position": {"x": 9}}"#,
    )
    .unwrap();
    assert_eq!(value.id, u64::MAX);
    assert_eq!(value.name, "5");
    assert_eq!(value.position, Vector3::new(9.0, 2.5, -0.1));
    assert_eq!(value.parts.len(), 3);
    assert!(value.flag);
    assert_eq!(report.outcome(), Outcome::PartialDefaults);
}

#[test]
fn an_object_of_no_known_type_stays_one() {
    type Open = BTreeMap<String, serde_json::Value>;
    #[derive(Serialize)]
    struct Typed<'a> {
        own: o3de_json::types::Map<String, u8>,
        sorted: o3de_json::types::UnorderedMap<u8, u8>,
        tree: &'a BTreeMap<String, u8>,
        hashed: Option<HashMap<String, u8>>,
        open: serde_json::Value,
        inside: o3de_json::types::UnorderedMap<String, serde_json::Value>,
    }

    for text in [r#"{"a":{}}"#, r#"{"a":[],"b":[{},{"c":{}}]}"#, "{}", r#"[null,{"a":null}]"#] {
        let value: serde_json::Value = from_str(text).unwrap();
        assert_eq!(to_string(&value).unwrap(), text);
        assert_eq!(Options::new().keep_defaults(true).store(&value).unwrap().0, text);
    }
    for some in [to_string(&Some(())).unwrap(), Options::new().store(&Some(())).unwrap().0] {
        assert_eq!(from_str::<Option<()>>(&some).unwrap(), Some(()));
    }
    assert_eq!(to_string(&from_str::<Open>(r#"{"a":{}}"#).unwrap()).unwrap(), r#"{"a":{}}"#);
    // The engine writes an empty map as `[]`; in other types an object stays one.
    let tree = &BTreeMap::new();
    let inside = [("x".to_owned(), serde_json::json!({}))].into_iter().collect();
    let typed = Typed {
        own: Default::default(),
        sorted: Default::default(),
        tree,
        hashed: Some(HashMap::new()),
        open: serde_json::json!({}),
        inside,
    };
    let text = r#"{"own":[],"sorted":[],"tree":{},"hashed":{},"open":{},"inside":{"x":{}}}"#;
    assert_eq!(to_string(&typed).unwrap(), text);
    assert_eq!(to_string(&Open::new()).unwrap(), "{}");
    assert_eq!(Options::new().store(&Some(Open::new())).unwrap().0, "{}");

    let files = real_files().into_iter().chain(samples());
    for (name, bytes) in files.filter(|(name, _)| name.ends_with(".prefab")) {
        let (Ok(value), Ok(open)) =
            (from_slice::<serde_json::Value>(&bytes), from_slice::<Open>(&bytes))
        else {
            continue;
        };
        let text = to_string(&open).unwrap();
        assert_eq!(from_str::<serde_json::Value>(&text).unwrap(), value, "{name}");
    }
}
