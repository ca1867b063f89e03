//! Items with 13 properties each: every kind of property, pointers and lists of objects. The shape is
//! that of a payload on which the public Rust decoder was measured.

use kiwi_pclass::types::{Bui, Ptr, Shared, Vector3D, WString};
use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

/// How many items.
pub const COUNT: usize = 40_000;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "class BmRoot")]
pub struct Root {
    m_items: Vec<Item>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "class BmItem")]
struct Item {
    m_id: u32,
    m_name: String,
    m_icon: String,
    m_price: i32,
    m_weight: f32,
    m_visible: bool,
    m_kind: Kind,
    m_where: Vector3D,
    m_level: Bui<5>,
    m_title: WString,
    m_tags: Vec<String>,
    m_stat: Shared<Stat>,
    m_effects: Vec<Ptr<Effect>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
#[serde(rename = "enum BmKind")]
enum Kind {
    Weapon,
    Armour,
    Potion,
    Scroll,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "class BmStat")]
struct Stat {
    m_strength: i32,
    m_agility: i32,
    m_luck: f32,
    m_cursed: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "class BmEffect")]
struct Effect {
    m_id: u32,
    m_power: f32,
    m_name: String,
}

impl Root {
    /// `count` items, always the same.
    pub fn generate(count: usize) -> Self {
        let mut next = 0;
        let m_items = SplitMix64::new(18).list(count, |rng| {
            next += 1;
            item(rng, next)
        });
        Root { m_items }
    }
}

fn item(rng: &mut SplitMix64, number: u32) -> Item {
    let kinds = [Kind::Weapon, Kind::Armour, Kind::Potion, Kind::Scroll];
    let number_of = |count: u32| count as usize % 4;
    Item {
        m_id: number,
        m_name: format!("Item number {number}"),
        m_icon: format!("Icons/Set{}/{}.dds", rng.below(40), rng.below(1000)),
        m_price: rng.within(-1000, 100_000) as i32,
        m_weight: rng.f32() * 50.0,
        m_visible: rng.coin(),
        m_kind: kinds[rng.length(0, kinds.len())],
        m_where: Vector3D::new(rng.f32(), rng.f32() * 100.0, -rng.f32()),
        m_level: Bui::from(rng.below(32) as u32),
        m_title: WString::from(format!("Title {}", rng.below(500))),
        m_tags: rng.list(number_of(number), |rng| format!("tag{}", rng.below(100))),
        m_stat: match number % 5 {
            0 => Shared::null(),
            _ => Shared::new(Stat {
                m_strength: rng.within(0, 100) as i32,
                m_agility: rng.within(0, 100) as i32,
                m_luck: rng.f32(),
                m_cursed: rng.coin(),
            }),
        },
        m_effects: rng.list(number_of(number + 1), |rng| {
            Ptr::new(Effect {
                m_id: rng.below(10_000) as u32,
                m_power: rng.f32() * 10.0,
                m_name: format!("effect{}", rng.below(100)),
            })
        }),
    }
}

/// Two lists of bit fields.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename = "class BmBits")]
pub struct Bits {
    m_bools: Vec<bool>,
    m_numbers: Vec<Bui<5>>,
}

impl Bits {
    /// The number of each.
    pub fn generate(count: usize) -> Self {
        let mut rng = SplitMix64::new(20);
        Bits {
            m_bools: rng.list(count, SplitMix64::coin),
            m_numbers: rng.list(count, |rng| Bui::from(rng.below(32) as u32)),
        }
    }
}
