//! Small things, to see in seconds what a change does; `cargo bench -p resonite-brson`. The
//! comparison with other crates is in `crates/bench`.

use divan::{Bencher, black_box, counter::BytesCount};
use resonite_brson::{Container, Field, Options, Value, json};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

const PLAIN: Options = Options::new().container(Container::BSON).input(Container::BSON);

/// A slot as it is in a save.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Slot {
    #[serde(rename = "ID")]
    id: String,
    name: Field<Option<String>>,
    active: Field<bool>,
    position: Field<[f32; 3]>,
    rotation: Field<[f32; 4]>,
    order_offset: Field<i64>,
    children: Vec<Slot>,
}

fn slots() -> Slot {
    let id = |number: u32| format!("{number:08x}-0000-0000-0000-000000000000");
    let slot = |number, children| Slot {
        id: id(number),
        name: Field { id: id(number), data: Some("Box".to_owned()) },
        active: Field { id: id(number), data: true },
        position: Field { id: id(number), data: [0.0, 1.5, 0.0] },
        rotation: Field { id: id(number), data: [0.0, 0.0, 0.0, 1.0] },
        order_offset: Field { id: id(number), data: 0 },
        children,
    };
    slot(0, (1..200).map(|number| slot(number, Vec::new())).collect())
}

fn encode<T: Serialize + Sync>(bencher: Bencher<'_, '_>, value: &T) {
    let len = PLAIN.to_vec(value).map_or(0, |bytes| bytes.len());
    bencher.counter(BytesCount::new(len)).bench(|| PLAIN.to_vec(black_box(value)));
}

fn decode<T: DeserializeOwned>(bencher: Bencher<'_, '_>, value: &impl Serialize) {
    let bytes = PLAIN.to_vec(value).unwrap_or_default();
    let counter = BytesCount::new(bytes.len());
    bencher.counter(counter).bench(|| PLAIN.from_slice::<T>(black_box(&bytes)));
}

/// Floats in an array, whose keys are text.
#[derive(Serialize, Deserialize)]
struct Numbers {
    list: Vec<f64>,
}

fn numbers() -> Numbers {
    Numbers { list: (0..10_000).map(f64::from).collect() }
}

#[divan::bench]
fn slots_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &slots());
}

#[divan::bench]
fn slots_decode(bencher: Bencher<'_, '_>) {
    decode::<Slot>(bencher, &slots());
}

#[divan::bench]
fn numbers_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &numbers());
}

#[divan::bench]
fn numbers_decode(bencher: Bencher<'_, '_>) {
    decode::<Numbers>(bencher, &numbers());
}

#[divan::bench]
fn value_decode(bencher: Bencher<'_, '_>) {
    decode::<Value>(bencher, &slots());
}

#[divan::bench]
fn value_encode(bencher: Bencher<'_, '_>) {
    encode(bencher, &resonite_brson::to_value(&slots()).unwrap_or_default());
}

#[divan::bench]
fn json_write(bencher: Bencher<'_, '_>) {
    let value = resonite_brson::to_value(&slots()).unwrap_or_default();
    bencher.bench(|| json::to_string(black_box(&value), json::Style::Canonical));
}

#[divan::bench]
fn json_read(bencher: Bencher<'_, '_>) {
    let value = resonite_brson::to_value(&slots()).unwrap_or_default();
    let text = json::to_string(&value, json::Style::Canonical);
    bencher.counter(BytesCount::of_str(&text)).bench(|| json::from_str(black_box(&text)));
}

#[divan::bench]
fn brson_decode(bencher: Bencher<'_, '_>) {
    let file = resonite_brson::to_vec(&slots()).unwrap_or_default();
    bencher.bench(|| resonite_brson::from_slice::<Slot>(black_box(&file)));
}
