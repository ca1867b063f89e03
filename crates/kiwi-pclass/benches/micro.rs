//! Small things, to see in seconds what a change does; `cargo bench -p kiwi-pclass`. The comparison
//! with other crates is in `crates/bench`.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark that goes wrong may stop"
)]

use std::sync::{Arc, LazyLock};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use kiwi_pclass::types::{Bui, Ptr, SerializerFlags, Shared, Vector3D, WString};
use kiwi_pclass::{Mode, Options, Schema, Value, schema};
use serde::{Deserialize, Serialize};

fn main() {
    divan::main();
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class BmRoot")]
struct Root {
    m_items: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class BmItem")]
struct Item {
    m_id: u32,
    m_name: String,
    m_description: String,
    m_count: i32,
    m_weight: f32,
    m_active: bool,
    m_rarity: Rarity,
    m_position: Vector3D,
    m_slot: Bui<5>,
    m_title: WString,
    m_tags: Vec<String>,
    m_stat: Shared<Stat>,
    m_effects: Vec<Ptr<Effect>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename = "enum BmRarity")]
enum Rarity {
    #[serde(rename = "COMMON")]
    Common,
    #[serde(rename = "RARE")]
    Rare,
    #[serde(rename = "EPIC")]
    Epic,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class BmStat")]
struct Stat {
    m_health: i32,
    m_mana: i32,
    m_power: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "class BmEffect")]
struct Effect {
    m_type: u32,
    m_amount: f32,
    m_permanent: bool,
}

const ITEMS: u32 = 20_000;

fn root() -> Root {
    let item = |n: u32| Item {
        m_id: n,
        m_name: format!("Item number {n}"),
        m_description: format!("A thing of the kind {} for the benchmark", n % 97),
        m_count: (n % 64).cast_signed(),
        m_weight: 0.5 * (n % 31) as f32,
        m_active: n.is_multiple_of(3),
        m_rarity: [Rarity::Common, Rarity::Rare, Rarity::Epic][n as usize % 3],
        m_position: Vector3D::new(n as f32, 1.5, -2.0),
        m_slot: Bui(n % 32),
        m_title: WString::from(format!("Title {}", n % 1000)),
        m_tags: (0..n % 4).map(|tag| format!("tag{tag}")).collect(),
        m_stat: match n % 5 {
            0 => Shared::null(),
            _ => Shared::new(Stat { m_health: 100, m_mana: 50, m_power: 1.25 }),
        },
        m_effects: (0..n / 4 % 4)
            .map(|e| Ptr::new(Effect { m_type: e, m_amount: 0.5, m_permanent: e == 1 }))
            .collect(),
    };
    Root { m_items: (0..ITEMS).map(item).collect() }
}

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| Arc::new(Schema::infer::<Root>().unwrap()));

fn forms() -> [(&'static str, Options); 3] {
    let options = Options::new().schema(Arc::clone(&SCHEMA));
    [
        ("shallow, flags 0", options.clone()),
        ("deep, flags 0", options.clone().mode(Mode::Deep)),
        ("deep, flags 7", options.mode(Mode::Deep).flags(SerializerFlags::FILE)),
    ]
}

fn form(name: &str) -> Options {
    forms().into_iter().find(|(other, _)| *other == name).unwrap().1
}

const NAMES: [&str; 3] = ["shallow, flags 0", "deep, flags 0", "deep, flags 7"];

#[divan::bench(args = NAMES)]
fn value_decode_and_drop(bencher: Bencher<'_, '_>, name: &str) {
    let options = form(name);
    let bytes = options.to_vec(&root()).unwrap();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| drop(options.from_slice::<Value>(black_box(&bytes)).unwrap()));
}

#[divan::bench(args = NAMES)]
fn value_decode(bencher: Bencher<'_, '_>, name: &str) {
    let options = form(name);
    let bytes = options.to_vec(&root()).unwrap();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| options.from_slice::<Value>(black_box(&bytes)).unwrap());
}

#[divan::bench(args = NAMES)]
fn value_encode(bencher: Bencher<'_, '_>, name: &str) {
    let options = form(name);
    let bytes = options.to_vec(&root()).unwrap();
    let value: Value = options.from_slice(&bytes).unwrap();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| options.to_vec(black_box(&value)).unwrap());
}

#[divan::bench(args = NAMES)]
fn typed_decode_and_drop(bencher: Bencher<'_, '_>, name: &str) {
    let options = form(name);
    let bytes = options.to_vec(&root()).unwrap();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| drop(options.from_slice::<Root>(black_box(&bytes)).unwrap()));
}

#[divan::bench(args = NAMES)]
fn typed_encode(bencher: Bencher<'_, '_>, name: &str) {
    let options = form(name);
    let root = root();
    let bytes = options.to_vec(&root).unwrap();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| options.to_vec(black_box(&root)).unwrap());
}

/// A type list as large as a game's.
#[divan::bench]
fn schema_from_json(bencher: Bencher<'_, '_>) {
    let class = |n: u32| {
        let properties: Vec<String> = (0..10)
            .map(|id| format!("\"m_property{id}\":{{\"type\":\"unsigned int\",\"id\":{id},\"offset\":72,\"flags\":31,\"container\":\"Static\",\"dynamic\":false,\"singleton\":false,\"pointer\":false,\"hash\":{}}}", n * 100 + id))
            .collect();
        format!(
            "\"{n}\":{{\"name\":\"class Number{n}\",\"bases\":[\"PropertyClass\"],\"hash\":{n},\"singleton\":false,\"properties\":{{{}}}}}",
            properties.join(",")
        )
    };
    let classes: Vec<String> = (0..2000).map(class).collect();
    let json = format!("{{\"version\":2,\"classes\":{{{}}}}}", classes.join(","));
    bencher
        .counter(BytesCount::of_str(&json))
        .bench_local(|| Schema::from_json(black_box(json.as_bytes())).unwrap());
}

/// What a call without a schema pays for it.
#[divan::bench]
fn schema_inferred(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| -> schema::Schema { Schema::infer::<Root>().unwrap() });
}
