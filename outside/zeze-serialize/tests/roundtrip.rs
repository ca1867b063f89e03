//! The JSON notation of zeze-serialize with serde_json's default features.

use zeze_serialize::value::{Bean, Dynamic};
use zeze_serialize::{Value, Vector4};

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

/// There and back.
#[track_caller]
fn survives(value: Value) {
    let bytes = zeze_serialize::to_vec(&value).unwrap();
    let text = serde_json::to_string(&value).unwrap();
    let back: Value = serde_json::from_str(&text).unwrap();
    assert!(zeze_serialize::to_vec(&back).unwrap() == bytes, "{text:.200}");
}

fn bean(value: impl Into<Value>) -> Value {
    [(1, value.into())].into_iter().collect::<Bean>().into()
}

/// Most values are in lists, for speed.
fn lists<T: Into<Value>>(mut make: impl FnMut() -> T) {
    for _ in 0..200 {
        survives(bean((0..1000).map(|_| make().into()).collect::<Value>()));
    }
}

#[test]
fn doubles_of_all_bits() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    lists(|| f64::from_bits(random.next()));
}

#[test]
fn doubles_as_people_have_them() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    lists(|| {
        let power = (random.next() % 30) as i32 - 12;
        let digits = random.next() >> (random.next() % 64);
        (digits as f64) * 10_f64.powi(power) * if random.next() % 2 == 0 { 1.0 } else { -1.0 }
    });
    for value in [0.0, -0.0, 1e15, 1e16, 1e22, 1e23, 999_999_999_999_999.0, f64::MAX, 5e-324] {
        survives(bean(value));
        survives(bean(-value));
    }
}

#[test]
fn floats_of_all_bits() {
    let mut random = Random(0xd134_2543_de82_ef95);
    lists(|| f32::from_bits(random.next() as u32));
    lists(|| {
        let mut next = || f32::from_bits(random.next() as u32);
        Vector4::new(next(), next(), next(), next())
    });
}

#[test]
fn integers_of_all_sizes() {
    let mut random = Random(0xa076_1d64_78bd_642f);
    lists(|| (random.next() as i64) >> (random.next() % 64));
    for value in [i64::MIN, i64::MAX, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1] {
        survives(bean(value));
        survives(bean(Dynamic { type_id: value, bean: Bean::new() }));
    }
}

#[test]
fn members_of_objects_need_no_order() {
    // serde_json sorts keys as text unless told otherwise: "10:int" before "9:int", "bean" before
    // "type", "base" before all fields.
    let fields = (1..300).map(|id| (id, Value::from(i64::from(id))));
    let mut bean: Bean = fields.collect();
    bean.set_base(Some([(7, Value::from("base"))].into_iter().collect()));
    let dynamic = Value::from(Dynamic { type_id: -5, bean: bean.clone() });
    let map = vec![(Value::from("k"), dynamic.clone()), (Value::from("a"), dynamic)];
    bean.insert(400, Value::from(vec![Value::from(map)]));
    bean.insert(401, Value::from(vec![Value::from(Vector4::default())]));
    bean.insert(402, Value::from(&[0xff_u8][..]));
    bean.insert(403, Value::from(Vec::<Value>::new()));
    for value in [Value::from(bean.clone()), Value::from(vec![Value::from(bean)])] {
        let around = serde_json::to_value(&value).unwrap();
        assert_eq!(serde_json::from_value::<Value>(around).unwrap(), value);
    }
}
