use gamewire_testkit::hostile::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum U {
    A(bool),
    B(String),
}

#[derive(Debug, Deserialize)]
struct O {
    #[allow(dead_code)]
    a: Option<Box<O>>,
}

#[test]
fn probe() {
    // [Vector2, [Vector2, [...
    for levels in [10usize, 60, 120] {
        let mut b = Vec::new();
        for _ in 0..levels {
            b.extend_from_slice(&[
                28, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            ]);
        }
        b.extend(vec![0u8; 4096]);
        let m = measure(&b, |b| from_slice::<U>(b));
        println!("{levels} {} {} allowed {}", b.len(), m.peak, 64 * b.len() + 65536);
        let mut b = Vec::new();
        for _ in 0..levels {
            b.extend_from_slice(&[28, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f]);
        }
        b.extend(vec![0u8; 4096]);
        let m = measure(&b, |b| from_slice::<U>(b));
        println!("   plain {levels} {} {} allowed {}", b.len(), m.peak, 64 * b.len() + 65536);
    }
    // nested objects with options
    for n in [10, 100, 120] {
        let mut v = Value::Nil;
        for _ in 0..n {
            let mut i = godot_variant::value::Instance::new("A");
            i.properties.push(("a".into(), v));
            v = i.into();
        }
        let o = Options::new().allow_objects(true).max_typed_depth(1000);
        let b = o.to_vec(&v).unwrap();
        let m = measure(&b, |b| o.from_slice::<O>(b));
        println!("opt {n} {} {:?} {} {:?}", b.len(), m.verdict, m.allocations, m.time);
    }
    // nested keys
    for n in [64usize, 128, 256, 512, 1000] {
        let mut b = Vec::new();
        for _ in 0..n {
            b.extend_from_slice(&[27, 0, 0, 0, 18, 0, 0, 0]);
            for k in 0..17u8 {
                b.extend_from_slice(&[2, 0, 0, 0, k, 0, 0, 0, 0, 0, 0, 0]);
            }
        }
        b.extend_from_slice(&[0, 0, 0, 0]);
        for _ in 0..n {
            b.extend_from_slice(&[0, 0, 0, 0]);
        }
        let m = measure(&b, |b| from_slice::<Value>(b));
        println!("keys {n} {} {:?} {:?}", b.len(), m.verdict, m.time);
        let big = b.len();
        let mut c = Vec::new();
        c.extend_from_slice(&[28, 0, 0, 0]);
        c.extend_from_slice(&((big / 4) as u32).to_le_bytes());
        c.extend(vec![0; big]);
        let m = measure(&c, |b| from_slice::<Value>(b));
        println!("    flat {:?} {:?}", m.verdict, m.time);
    }
}
