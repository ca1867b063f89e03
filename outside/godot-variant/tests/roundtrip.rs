//! The JSON notation of godot-variant with serde_json's default features.

use godot_variant::Value;
use godot_variant::native_json::NativeJson;
use godot_variant::types::{PackedFloat32Array, PackedFloat64Array, Vector3};

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

/// There and back; equal bytes, so that NaNs and zeros count too.
#[track_caller]
fn survives(value: Value) {
    let bytes = godot_variant::to_vec(&value).unwrap();
    let text = serde_json::to_string(&NativeJson(&value)).unwrap();
    let NativeJson(back) = serde_json::from_str::<NativeJson<Value>>(&text).unwrap();
    assert!(godot_variant::to_vec(&back).unwrap() == bytes, "{text:.200}");
}

#[test]
fn doubles() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..200 {
        let list: Vec<f64> = (0..1000).map(|_| random.double()).collect();
        survives(list.iter().copied().map(Value::Float).collect::<Vec<_>>().into());
        survives(PackedFloat64Array(list).into());
    }
    let list = vec![0.0, -0.0, 1e15, 1e16, 1e22, 1e23, 999_999_999_999_999.0, f64::MAX, 5e-324];
    survives(PackedFloat64Array(list.iter().map(|value| -value).collect()).into());
    survives(PackedFloat64Array(list).into());
}

#[test]
fn components() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..20_000 {
        let mut next = || random.double();
        survives(Vector3::from_array([next(), next(), next()]).into());
    }
    for _ in 0..200 {
        let floats = (0..1000).map(|_| f32::from_bits(random.next() as u32));
        survives(PackedFloat32Array(floats.collect()).into());
    }
}
