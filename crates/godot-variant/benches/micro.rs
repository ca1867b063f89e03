//! Small things, to see in seconds what a change does; `cargo bench -p godot-variant`. The
//! comparison with other crates is in `crates/bench`.

use divan::{Bencher, black_box, counter::BytesCount};
use godot_variant::types::{PackedVector3Array, Vector3};
use godot_variant::{Value, from_slice, to_vec};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// A remote call.
#[derive(Clone, Serialize, Deserialize)]
struct Call {
    id: u32,
    method: String,
    position: Vector3,
    args: (i64, f64, bool),
}

fn call() -> Call {
    let position = Vector3::new(1.0, 0.0, -2.5);
    Call { id: 7, method: "move_to".into(), position, args: (12, 0.5, true) }
}

/// A struct of twenty fields.
#[derive(Default, Serialize, Deserialize)]
#[rustfmt::skip]
struct Stats {
    level: i64, health: f64, mana: f64, stamina: f64, strength: i32, agility: i32, wisdom: i32,
    luck: i32, gold: i64, kills: u32, deaths: u32, assists: u32, speed: f32, armor: f32,
    alive: bool, muted: bool, title: String, guild: Option<String>, spawn: Vector3, facing: Vector3,
}

fn strings() -> Vec<String> {
    (0..1000).map(|index| format!("item number {index}")).collect()
}

fn vectors() -> PackedVector3Array {
    (0..10_000_i16).map(|index| Vector3::new(f32::from(index), 0.5, -1.0)).collect()
}

fn encode<T: Serialize + Sync>(bencher: Bencher<'_, '_>, value: &T) {
    let len = to_vec(value).map_or(0, |bytes| bytes.len());
    bencher.counter(BytesCount::new(len)).bench(|| to_vec(black_box(value)));
}

fn decode<T: DeserializeOwned>(bencher: Bencher<'_, '_>, value: &impl Serialize) {
    let bytes = to_vec(value).unwrap_or_default();
    let counter = BytesCount::new(bytes.len());
    bencher.counter(counter).bench(|| from_slice::<T>(black_box(&bytes)));
}

#[divan::bench]
fn call_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &call());
}

#[divan::bench]
fn call_decode(bencher: Bencher<'_, '_>) {
    decode::<Call>(bencher, &call());
}

#[divan::bench]
fn stats_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &Stats::default());
}

#[divan::bench]
fn stats_decode(bencher: Bencher<'_, '_>) {
    decode::<Stats>(bencher, &Stats::default());
}

#[divan::bench]
fn strings_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &strings());
}

#[divan::bench]
fn strings_decode(bencher: Bencher<'_, '_>) {
    decode::<Vec<String>>(bencher, &strings());
}

#[divan::bench]
fn value_decode(bencher: Bencher<'_, '_>) {
    decode::<Value>(bencher, &vec![call(); 100]);
}

#[divan::bench]
fn packed_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &vectors());
}

#[divan::bench]
fn packed_decode(bencher: Bencher<'_, '_>) {
    decode::<PackedVector3Array>(bencher, &vectors());
}
