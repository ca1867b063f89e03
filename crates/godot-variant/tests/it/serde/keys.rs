//! Maps with keys of every type.

use std::collections::{BTreeMap, HashMap};

use super::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Team {
    Red,
    Blue,
}

#[test]
fn keys_of_every_type() {
    let shown = |bytes: &[u8]| shown(&Options::new(), bytes);
    let ints = round_trip(
        &Options::new(),
        &BTreeMap::from([(-1_i64, "a".to_owned()), (1 << 40, "b".to_owned())]),
    );
    assert_eq!(shown(&ints), r#"{-1: "a", 1099511627776: "b"}"#);
    let teams = round_trip(&Options::new(), &BTreeMap::from([(Team::Red, 1), (Team::Blue, 2)]));
    assert_eq!(shown(&teams), r#"{"Red": 1, "Blue": 2}"#);
    let flags = round_trip(&Options::new(), &BTreeMap::from([(false, 1), (true, 2)]));
    assert_eq!(shown(&flags), "{false: 1, true: 2}");
    let cells = round_trip(&Options::new(), &HashMap::from([(Vector2i::new(1, -2), 1)]));
    assert_eq!(shown(&cells), "{Vector2i(1, -2): 1}");
    let names = round_trip(&Options::new(), &BTreeMap::from([(StringName::new("a"), 1)]));
    assert_eq!(shown(&names), r#"{&"a": 1}"#);
    let paths = round_trip(&Options::new(), &BTreeMap::from([(NodePath::new("a/b"), 1)]));
    assert_eq!(shown(&paths), r#"{^"a/b": 1}"#);
    let chars = round_trip(&Options::new(), &BTreeMap::from([('x', 1)]));
    assert_eq!(shown(&chars), r#"{"x": 1}"#);
    round_trip(&Options::new(), &BTreeMap::from([((1, "a".to_owned()), 1)]));
    round_trip(&Options::new(), &BTreeMap::from([(vec![1, 2], 1)]));
    round_trip(&Options::new(), &BTreeMap::from([(Some(1), 1), (None, 2)]));
    round_trip(&Options::new(), &BTreeMap::from([(Rid(5), ObjectId(6))]));
}

#[test]
fn text_keys_from_string_names() {
    let names = to_vec(&BTreeMap::from([(StringName::new("Blue"), 1)])).unwrap();
    assert_eq!(from_slice::<BTreeMap<String, i64>>(&names).unwrap()["Blue"], 1);
    assert_eq!(from_slice::<BTreeMap<&str, i64>>(&names).unwrap()["Blue"], 1);
    assert_eq!(from_slice::<BTreeMap<Team, i64>>(&names).unwrap()[&Team::Blue], 1);
    let texts = to_vec(&BTreeMap::from([("a", 1)])).unwrap();
    assert_eq!(from_slice::<BTreeMap<StringName, i64>>(&texts).unwrap()["a"], 1);
}

#[test]
fn errors_name_the_key() {
    let mut said = Vec::new();
    let teams = to_vec(&BTreeMap::from([(Team::Red, "x")])).unwrap();
    said.push(refused(from_slice::<BTreeMap<Team, i64>>(&teams)));
    said.push(refused(from_slice::<BTreeMap<i64, i64>>(&teams)));
    let cells = to_vec(&HashMap::from([(Vector2i::new(1, 2), "x")])).unwrap();
    said.push(refused(from_slice::<HashMap<Vector2i, i64>>(&cells)));
    let odd = to_vec(&BTreeMap::from([("two words", [u64::MAX >> 1])])).unwrap();
    said.push(refused(from_slice::<BTreeMap<String, [u8; 1]>>(&odd)));
    let long = to_vec(&BTreeMap::from([("k".repeat(100), [u64::MAX >> 1])])).unwrap();
    said.push(refused(from_slice::<BTreeMap<String, [u8; 1]>>(&long)));
    said.push(refused(to_vec(&BTreeMap::from([(vec![1, 2], u64::MAX)]))));
    said.push(refused(to_vec(&BTreeMap::from([(u64::MAX, 1)]))));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn maps_without_a_known_length() {
    struct Unsized(bool);
    impl Serialize for Unsized {
        fn serialize<S: serde::Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
            use serde::ser::{SerializeMap, SerializeSeq};
            if self.0 {
                let mut map = s.serialize_map(None)?;
                map.serialize_entry("a", &1)?;
                map.serialize_entry("b", &2)?;
                map.end()
            } else {
                let mut seq = s.serialize_seq(None)?;
                seq.serialize_element(&1)?;
                seq.serialize_element(&2)?;
                seq.end()
            }
        }
    }
    assert_eq!(
        to_vec(&Unsized(true)).unwrap(),
        to_vec(&BTreeMap::from([("a", 1), ("b", 2)])).unwrap()
    );
    assert_eq!(to_vec(&Unsized(false)).unwrap(), to_vec(&[1, 2]).unwrap());
}

#[test]
fn a_key_that_looks_like_the_name_of_a_field_is_another_key() {
    macro_rules! with_names {
        ($($name:literal)+) => {$({
            #[derive(Deserialize)]
            struct One {
                #[serde(rename = $name, default)]
                field: i64,
            }
            let read = |key: &str| {
                let bytes = to_vec(&BTreeMap::from([(key, 7)])).unwrap();
                from_slice::<One>(&bytes).unwrap().field
            };
            assert_eq!(read($name), 7);
            for place in 0..$name.len() {
                let mut key = $name.to_owned();
                key.replace_range(place..=place, "_");
                assert_eq!(read(&key), 0, "{key}");
            }
            for key in [&$name[1..], &$name[..$name.len() - 1], &$name.repeat(2)] {
                assert_eq!(read(key), 0, "{key}");
            }
        })+};
    }
    with_names!("a" "ab" "abc" "abcd" "abcdefg" "abcdefgh" "abcdefghi" "abcdefghijklmnop");
    with_names!("abcdefghijklmnopq" "abcdefghijklmnopqrstuvwxyz");
}
