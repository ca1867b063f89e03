//! o3de-json as a user has it, beside serde_json with its default features.

use o3de_json::types::{RawValue, Vector3};
use o3de_json::{ErrorKind, Options, Value};
use serde::{Deserialize, Serialize};

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Lamp {
    name: String,
    position: Vector3,
    #[serde(default)]
    intensity: f32,
}

#[test]
fn a_struct_is_read_changed_and_written() {
    let text = r#"{"Name": "Lamp", "position": [1.0, "2", 0.5], "intensity": {}}"#;
    let mut lamp: Lamp = o3de_json::from_str(text).unwrap();
    assert_eq!(
        lamp,
        Lamp { name: "Lamp".into(), position: Vector3::new(1.0, 2.0, 0.5), intensity: 0.0 }
    );
    lamp.intensity = 0.1;
    let text = o3de_json::to_string(&lamp).unwrap();
    assert_eq!(text, r#"{"name":"Lamp","position":[1.0,2.0,0.5],"intensity":0.10000000149011612}"#);
    assert_eq!(o3de_json::from_str::<Lamp>(&text).unwrap(), lamp);
    let error = o3de_json::from_str::<Lamp>(&text.replace("[1.0", "[\"x\"")).unwrap_err();
    assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Unsupported, "/position/0"));
}

/// The text of a value goes through any format as it is.
#[test]
fn raw_values_are_lossless_in_serde_json() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let doubles = (0..20_000).map(|_| f64::from_bits(random.next())).filter(|own| own.is_finite());
    let mut text =
        format!("[{}]", doubles.map(|own| format!("{own:e}")).collect::<Vec<_>>().join(","));
    text = format!("{}{text}, 1.50{}", "[".repeat(1000), "]".repeat(1000));
    let deep = Options::new().max_depth(2000);
    let value: Value = deep.from_str(&text).unwrap();
    let json = serde_json::to_string(&RawValue::try_from(&value).unwrap()).unwrap();
    let back: RawValue = serde_json::from_str(&json).unwrap();
    assert!(deep.from_str::<Value>(back.get()).unwrap() == value);
    // As plain data it is an error, and no overflow.
    assert!(serde_json::to_string(&value).is_err());
}

#[test]
fn values_are_plain_data_in_serde_json() {
    let text = r#"{"a":[1,-2,18446744073709551615,0.5,"x",true,null,{}]}"#;
    let value: Value = o3de_json::from_str(text).unwrap();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, text);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    let flat: serde_json::Value = o3de_json::from_str(text).unwrap();
    assert_eq!(o3de_json::to_string(&flat).unwrap(), text);
}
