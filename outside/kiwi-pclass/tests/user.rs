//! What a user does: types with serde's derive, a type list, values as JSON, and what is wrong said.

use kiwi_pclass::value::Object;
use kiwi_pclass::{ErrorKind, Mode, Options, Schema, Value, json};
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

    /// A double of any bits, or of few digits.
    fn double(&mut self) -> f64 {
        if self.next() % 2 == 0 {
            return f64::from_bits(self.next());
        }
        let power = (self.next() % 30) as i32 - 12;
        let digits = self.next() >> (self.next() % 64);
        digits as f64 * 10_f64.powi(power)
    }
}

const TYPES: &[u8] = br#"{"class Numbers": {"properties": {
    "m_double": {"type": "double", "flags": 31},
    "m_float": {"type": "float", "flags": 31},
    "m_doubles": {"type": "double", "flags": 31, "container": "Vector"},
    "m_next": {"type": "class Numbers*", "flags": 31}}}}"#;

fn options() -> Options {
    Options::new().mode(Mode::Deep).schema(Schema::from_json(TYPES).unwrap())
}

fn numbers(double: f64, float: f32, list: Vec<f64>, next: Value) -> Value {
    let schema = Schema::from_json(TYPES).unwrap();
    let mut object = Object::new(schema.class("class Numbers").unwrap().clone());
    object.set("m_double", double).unwrap();
    object.set("m_float", float).unwrap();
    object.set("m_doubles", list.into_iter().map(Value::from).collect::<Vec<_>>()).unwrap();
    object.set("m_next", next).unwrap();
    object.into()
}

/// There and back; equal bytes, so that NaNs and zeros count too.
#[track_caller]
fn survives(options: &Options, value: &Value) {
    let bytes = options.to_vec(value).unwrap();
    // The crate's own text, and what serde_json makes of the value.
    for text in [json::to_string(value).unwrap(), serde_json::to_string(value).unwrap()] {
        let back = json::from_str(&text, options).unwrap();
        assert!(options.to_vec(&back).unwrap() == bytes, "{text:.200}");
    }
}

#[test]
fn the_notation_keeps_every_number() {
    let (options, mut random) = (options(), Random(0x9e37_79b9_7f4a_7c15));
    for _ in 0..200 {
        let list = (0..1000).map(|_| random.double()).collect();
        let float = f32::from_bits(random.next() as u32);
        survives(&options, &numbers(random.double(), float, list, Value::Null));
    }
    let list = vec![0.0, -0.0, 1e15, 1e16, 1e22, 1e23, f64::MAX, f64::MIN, 5e-324, f64::NAN];
    survives(&options, &numbers(-1e-7, f32::MIN_POSITIVE, list, Value::Null));
}

#[test]
fn the_notation_keeps_every_depth() {
    let options = options().max_depth(1_025);
    let deep = (0..1_024).fold(Value::Null, |next, _| numbers(0.1, 0.1, vec![], next));
    let bytes = options.to_vec(&deep).unwrap();
    let back = json::from_str(&json::to_string(&deep).unwrap(), &options).unwrap();
    assert!(options.to_vec(&back).unwrap() == bytes);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Leaf")]
struct Leaf {
    m_id: u32,
    m_name: String,
    m_on: Option<bool>,
    m_list: Vec<i16>,
}

#[test]
fn a_struct_there_and_back() {
    let leaf = Leaf { m_id: 7, m_name: "Oz".into(), m_on: Some(true), m_list: vec![1, -1] };
    let bytes = kiwi_pclass::to_vec(&leaf).unwrap();
    assert_eq!(kiwi_pclass::from_slice::<Leaf>(&bytes).unwrap(), leaf);
    let file = Options::file().to_vec(&leaf).unwrap();
    assert_eq!(Options::file().from_slice::<Leaf>(&file).unwrap(), leaf);
    assert_eq!(
        kiwi_pclass::from_value::<Leaf>(&kiwi_pclass::to_value(&leaf).unwrap()).unwrap(),
        leaf
    );
    for len in 0..bytes.len() {
        let error = kiwi_pclass::from_slice::<Leaf>(&bytes[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{error}");
        assert!(error.offset().unwrap() <= len);
    }
    let error = kiwi_pclass::from_slice::<Leaf>(&bytes[..9]).unwrap_err();
    assert_eq!(error.to_string(), "expected 2 bytes, found 1 at byte 0x8, in m_name");
}
