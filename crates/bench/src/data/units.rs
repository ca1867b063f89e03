//! Data for the Godot groups: an `Array` of scene objects, and packed arrays.

use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

/// A scene object. `P` is the type of a position: `[f32; 3]` for formats that know no vectors,
/// the native vector type for those that do.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Unit<P> {
    pub id: i64,
    pub name: String,
    pub pos: P,
    pub hp: f64,
    pub alive: bool,
}

/// `count` units, always the same, with positions in the type that `place` makes.
pub fn units<P>(count: usize, place: impl Fn([f32; 3]) -> P) -> Vec<Unit<P>> {
    let mut next = 0;
    SplitMix64::new(15).list(count, |rng| {
        next += 1;
        Unit {
            id: next,
            name: format!("unit_{}", rng.below(1_000_000)),
            pos: place(std::array::from_fn(|_| rng.f32() * 2000.0 - 1000.0)),
            hp: rng.f64() * 100.0,
            alive: rng.chance(0.9),
        }
    })
}

/// Random bytes.
pub fn bytes(count: usize) -> Vec<u8> {
    let mut rng = SplitMix64::new(16);
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        bytes.extend_from_slice(&rng.bits().to_le_bytes());
    }
    bytes.truncate(count);
    bytes
}

/// Random coordinates.
pub fn floats(count: usize) -> Vec<f32> {
    SplitMix64::new(17).list(count, |rng| rng.f32() * 2000.0 - 1000.0)
}
