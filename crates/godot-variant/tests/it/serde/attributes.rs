//! serde's attributes.

use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "display/width", alias = "width")]
    width: i64,
    #[serde(default)]
    title: String,
    #[serde(default = "half")]
    volume: f64,
    #[serde(skip)]
    cache: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawn: Option<Vector2>,
    #[serde(skip_serializing, default)]
    secret: i64,
    #[serde(with = "as_degrees")]
    angle: f64,
}

fn half() -> f64 {
    0.5
}

mod as_degrees {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(radians: &f64, s: S) -> Result<S::Ok, S::Error> {
        radians.to_degrees().serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        f64::deserialize(d).map(f64::to_radians)
    }
}

fn settings() -> Settings {
    Settings {
        width: 640,
        title: "t".to_owned(),
        volume: 1.0,
        cache: Vec::new(),
        spawn: None,
        secret: 0,
        angle: std::f64::consts::PI,
    }
}

#[test]
fn what_is_written_and_what_is_left_out() {
    let bytes = round_trip(&Options::new(), &settings());
    assert_eq!(
        shown(&Options::new(), &bytes),
        r#"{"display/width": 640, "title": "t", "volume": 1.0, "angle": 180.0}"#
    );
    let spawn = Some(Vector2::new(1.0, 2.0));
    let bytes = round_trip(&Options::new(), &Settings { spawn, ..settings() });
    assert_eq!(from_slice::<Value>(&bytes).unwrap()["spawn"], Value::from(Vector2::new(1.0, 2.0)));
}

#[test]
fn what_is_read_and_what_is_made_up() {
    let mut said = Vec::new();
    let read = |entries: &[(&str, Value)]| -> Result<Settings> {
        from_value(&entries.iter().cloned().collect())
    };
    let least = read(&[("width", 1.into()), ("angle", 180.into())]).unwrap();
    let expected = Settings { width: 1, title: String::new(), volume: 0.5, ..settings() };
    assert_eq!(least, expected);
    let secret = read(&[("width", 1.into()), ("angle", 180.into()), ("secret", 5.into())]).unwrap();
    assert_eq!(secret, Settings { secret: 5, ..expected });
    // Keys may be StringNames.
    let named: Value = [("width", 1), ("angle", 0)]
        .into_iter()
        .map(|(key, value)| (Value::from(StringName::new(key)), Value::from(value)))
        .collect();
    assert_eq!(from_value::<Settings>(&named).unwrap().width, 1);

    said.push(refused(read(&[("width", 1.into())])));
    said.push(refused(read(&[("width", 1.into()), ("other", 1.into())])));
    let cache: &[_] = &[("width", 1.into()), ("angle", 0.into()), ("cache", 1.into())];
    said.push(refused(read(cache)));
    said.push(refused(read(&[("width", 1.into()), ("display/width", 2.into())])));
    said.push(refused(read(&[("display/width", "x".into())])));
    said.push(refused(read(&[("angle", "x".into())])));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn a_struct_may_be_read_from_an_array() {
    let mut said = Vec::new();
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair {
        a: i64,
        b: String,
    }
    let bytes = to_vec(&(1, "x")).unwrap();
    assert_eq!(from_slice::<Pair>(&bytes).unwrap(), Pair { a: 1, b: "x".to_owned() });
    said.push(refused(from_slice::<Pair>(&to_vec(&[1]).unwrap())));
    said.push(refused(from_slice::<Pair>(&to_vec(&(1, "x", 2)).unwrap())));
    said.push(refused(from_slice::<Pair>(&to_vec("x").unwrap())));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn skipped_fields_are_skipped_whatever_they_hold() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Last {
        last: i64,
    }
    let whole = Options::new().allow_objects(true);
    for value in crate::support::values() {
        let value: Value = [("other", value), ("last", 5.into())].into_iter().collect();
        let bytes = whole.to_vec(&value).unwrap();
        assert_eq!(whole.from_slice::<Last>(&bytes).unwrap(), Last { last: 5 }, "{value:?}");
        // Skipped values are checked all the same.
        for len in 0..bytes.len() {
            whole.from_slice::<Last>(&bytes[..len]).unwrap_err();
        }
    }
}

#[test]
fn a_newtype_with_another_name_of_ours_is_refused() {
    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename = "$godot_variant::Value")]
    struct Posing(i64);
    assert_eq!(
        refused(to_vec(&Posing(1))),
        "names of newtypes that start with `$godot_variant` are reserved"
    );
    // A value that is not taken shows how it was handed over.
    assert_eq!(
        refused(from_slice::<Posing>(&to_vec(&1).unwrap())),
        "expected i64, found a native value at byte 0x0"
    );
    // Nothing of it is left for the next value.
    assert_eq!(serde_json::from_str::<Value>("5").unwrap(), Value::from(5));
    assert_eq!(to_vec(&Value::from(5)).unwrap(), to_vec(&5).unwrap());
}
