//! Data for the Zeze group: integers of all lengths, and the beans of players.

use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

/// The role of one item of a bag.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Item {
    pub id: i32,
    pub count: i32,
}

/// A player. `P` is the type of a position, as in [`Unit`](super::Unit).
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Role<P> {
    pub id: i64,
    pub name: String,
    pub level: i32,
    pub money: i64,
    pub pos: P,
    pub hp: f32,
    pub online: bool,
    pub guild: i64,
    pub bag: Vec<Item>,
    pub skills: Vec<i32>,
}

/// A list as the only field of a bean, for nothing says of which type a root is.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
pub struct Field<T> {
    pub list: Vec<T>,
}

/// `count` players, always the same, with positions in the type that `place` makes.
pub fn roles<P>(count: usize, place: impl Fn([f32; 3]) -> P) -> Field<Role<P>> {
    let list = SplitMix64::new(18).list(count, |rng| {
        let (items, skills) = (rng.length(0, 5), rng.length(2, 9));
        Role {
            id: rng.below(1 << 40) as i64,
            name: format!("player-{}", rng.below(1_000_000)),
            level: rng.below(120) as i32,
            money: rng.below(100_000_000) as i64,
            pos: place(std::array::from_fn(|_| rng.f32() * 2000.0 - 1000.0)),
            hp: rng.f32() * 100.0,
            online: rng.chance(0.3),
            guild: if rng.coin() { rng.below(100_000) as i64 } else { 0 },
            bag: rng.list(items, |rng| Item {
                id: rng.below(100_000) as i32,
                count: rng.within(1, 100) as i32,
            }),
            skills: rng.list(skills, |rng| rng.below(5_000) as i32),
        }
    });
    Field { list }
}

/// Integers with 0 to 63 bits, evenly, of both signs.
pub fn integers(count: usize) -> Field<i64> {
    let list = SplitMix64::new(19).list(count, |rng| {
        let bits = rng.below(64);
        let value = (rng.bits() >> 1) as i64 & ((1_u64 << bits) - 1) as i64;
        if rng.coin() { !value } else { value }
    });
    Field { list }
}
