//! The JSON notation of resonite-brson with serde_json's default features, and a first struct.

use resonite_brson::json::{self, Style};
use resonite_brson::{Container, DateTime, Options, Value};
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

    /// A double of any bits, of a float, or of few digits.
    fn double(&mut self) -> f64 {
        match self.next() % 3 {
            0 => f64::from_bits(self.next()),
            1 => f32::from_bits(self.next() as u32).into(),
            _ => {
                let power = (self.next() % 30) as i32 - 12;
                (self.next() >> (self.next() % 64)) as f64 * 10_f64.powi(power)
            }
        }
    }
}

#[test]
fn doubles_survive() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..200 {
        let value: Value = (0..1000).map(|_| random.double()).collect();
        for style in [Style::Canonical, Style::Relaxed] {
            assert!(json::from_str(&json::to_string(&value, style)).unwrap() == value);
        }
        let text = serde_json::to_string(&value).unwrap();
        assert!(serde_json::from_str::<Value>(&text).unwrap() == value, "{text:.200}");
    }
}

/// As deep as a save may be, which serde_json's own limit would refuse.
#[test]
fn deep_values_survive() {
    let value = (0..1000).fold(Value::from(DateTime(5)), |inner, _| vec![inner].into());
    let text = json::to_string(&value, Style::Canonical);
    assert!(json::from_str(&text).unwrap() == value);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Lamp {
    name: String,
    range: f32,
    colours: Vec<[f64; 4]>,
}

/// Derive, write, read, break, and understand the error.
#[test]
fn a_struct_of_the_user() {
    let lamp = Lamp { name: "Desk".to_owned(), range: 1.5, colours: vec![[1.0, 0.5, 0.0, 1.0]] };
    let file = resonite_brson::to_vec(&lamp).unwrap();
    assert_eq!(resonite_brson::from_slice::<Lamp>(&file).unwrap(), lamp);
    let mut value: Value = resonite_brson::from_slice(&file).unwrap();
    *value.pointer_mut("/colours/0/1").unwrap() = "red".into();
    let file = Options::new().container(Container::BSON).to_vec(&value).unwrap();
    let error = resonite_brson::from_slice::<Lamp>(&file).unwrap_err().to_string();
    assert_eq!(error, "expected f64, found string \"red\" at byte 0x44, in colours[0][1]");
}

/// A module for `wasm32-unknown-unknown` has no imports as long as nothing asks the host for random numbers
/// or for JavaScript.
#[test]
fn no_dependency_needs_a_host() {
    let lock = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    let mut needs = std::collections::HashMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let text = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key));
            line.map(|line| line.trim_matches('"').to_owned())
        };
        let list = package.split_once("dependencies = [").map_or("", |(_, list)| list);
        let list = list.lines().filter_map(|line| line.trim().strip_prefix('"'));
        let list: Vec<String> =
            list.filter_map(|line| line.split([' ', '"']).next().map(str::to_owned)).collect();
        needs.entry(text("name = ").unwrap()).or_insert_with(Vec::new).extend(list);
    }
    let mut todo = vec!["resonite-brson".to_owned(), "resonite-save".to_owned()];
    let mut seen = std::collections::HashSet::new();
    while let Some(name) = todo.pop() {
        assert!(!["getrandom", "js-sys", "wasm-bindgen"].contains(&name.as_str()), "{name}");
        todo.extend(
            needs
                .get(&name)
                .into_iter()
                .flatten()
                .filter(|own| seen.insert((*own).clone()))
                .cloned(),
        );
    }
    assert!(seen.contains("lzma-rust2") && seen.contains("brotli-decompressor"));
}

/// Features of resonite-save switch nothing on in the serde_json of the program.
#[test]
fn json_is_as_without_the_crate() {
    let json: serde_json::Value = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
    assert_eq!(json.to_string(), r#"{"a":2,"b":1}"#);
    let deep = ["[".repeat(200), "]".repeat(200)].concat();
    assert!(serde_json::from_str::<serde_json::Value>(&deep).is_err());
}

/// The record of a package keeps its order and the digits of its numbers all the same.
#[test]
fn records_are_kept() {
    use resonite_save::package::Record;
    let text = br#"{"z":[{"b":0.1000000000000000055,"a":2}],"name":"x","a":1e400}"#;
    let mut record = Record::from_slice(text).unwrap();
    record.set_name("y");
    assert_eq!(
        record.to_vec(),
        br#"{"z":[{"b":0.1000000000000000055,"a":2}],"name":"y","a":1e400}"#
    );
}
