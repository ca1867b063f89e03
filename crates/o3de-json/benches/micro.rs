//! Small things, to see in seconds what a change does; `cargo bench -p o3de-json`. The comparison
//! with other crates is in `crates/bench`.

use std::collections::BTreeMap;

use divan::{Bencher, black_box, counter::BytesCount};
use o3de_json::types::{RawValue, Vector3};
use o3de_json::{Options, Value, from_str, to_string};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// A component with a few members.
#[derive(Serialize, Deserialize)]
struct Component {
    id: u64,
    name: String,
    position: Vector3,
    visible: bool,
    weights: Vec<f32>,
}

fn components() -> Vec<Component> {
    let component = |index: u16| Component {
        id: u64::from(index) | 1 << 63,
        name: format!("component {index}"),
        position: Vector3::new(f32::from(index) * 0.1, 0.0, -2.5),
        visible: index.is_multiple_of(2),
        weights: vec![0.5, 0.25, f32::from(index) / 3.0],
    };
    (0..1000).map(component).collect()
}

/// Some of the classes of a level.
#[derive(Deserialize)]
enum Class {
    #[allow(dead_code, reason = "it is read, no more")]
    Light { intensity: f32, color: [f32; 4] },
    #[serde(rename = "$unknown")]
    #[allow(dead_code, reason = "it is read, no more")]
    Other(RawValue),
}

fn classes(type_first: bool) -> String {
    let members = r#""intensity":5.5,"color":[1.0,0.5,0.25,1.0]"#;
    let class = if type_first {
        format!(r#"{{"$type":"Light",{members}}}"#)
    } else {
        format!(r#"{{{members},"$type":"Light"}}"#)
    };
    format!("[{}]", vec![class; 1000].join(","))
}

fn decode<T: DeserializeOwned>(bencher: Bencher<'_, '_>, text: &str) {
    bencher.counter(BytesCount::new(text.len())).bench(|| from_str::<T>(black_box(text)));
}

#[divan::bench]
fn components_encode(bencher: Bencher<'_, '_>) {
    let value = components();
    let len = to_string(&value).map_or(0, |text| text.len());
    bencher.counter(BytesCount::new(len)).bench(|| to_string(black_box(&value)));
}

#[divan::bench]
fn components_stripped(bencher: Bencher<'_, '_>) {
    let value = components();
    bencher.bench(|| Options::new().store(black_box(&value)));
}

#[divan::bench]
fn components_decode(bencher: Bencher<'_, '_>) {
    decode::<Vec<Component>>(bencher, &to_string(&components()).unwrap_or_default());
}

#[divan::bench]
fn components_decode_pretty(bencher: Bencher<'_, '_>) {
    let text = o3de_json::to_string_pretty(&components()).unwrap_or_default();
    decode::<Vec<Component>>(bencher, &text);
}

#[divan::bench]
fn components_load(bencher: Bencher<'_, '_>) {
    let text = to_string(&components()).unwrap_or_default();
    bencher.bench(|| Options::new().load::<Vec<Component>>(black_box(&text)));
}

#[divan::bench]
fn components_value(bencher: Bencher<'_, '_>) {
    decode::<Value>(bencher, &to_string(&components()).unwrap_or_default());
}

#[divan::bench]
fn type_first(bencher: Bencher<'_, '_>) {
    decode::<Vec<Class>>(bencher, &classes(true));
}

#[divan::bench]
fn type_last(bencher: Bencher<'_, '_>) {
    decode::<Vec<Class>>(bencher, &classes(false));
}

#[divan::bench]
fn map_of_floats(bencher: Bencher<'_, '_>) {
    let map: BTreeMap<String, f64> =
        (0..1000_u16).map(|index| (format!("key{index}"), f64::from(index) / 7.0)).collect();
    decode::<BTreeMap<String, f64>>(bencher, &to_string(&map).unwrap_or_default());
}
