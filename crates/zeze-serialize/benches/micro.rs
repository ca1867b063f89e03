//! Small things, to see in seconds what a change does; `cargo bench -p zeze-serialize`. The
//! comparison with other crates is in `crates/bench`.

use divan::{Bencher, black_box, counter::BytesCount};
use serde::{Deserialize, Serialize, de::DeserializeOwned, de::IgnoredAny};
use zeze_serialize::{Value, Vector3, from_slice, to_vec};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// The bean of the reference's own measurement in `docs/benchmarks.md`: 78 bytes or so.
#[derive(Clone, Serialize, Deserialize)]
struct Small {
    id: i32,
    time: i64,
    name: String,
    alive: bool,
    speed: f32,
    weight: f64,
    scores: Vec<i32>,
    position: Vector3,
    inner: Inner,
}

#[derive(Clone, Serialize, Deserialize)]
struct Inner {
    x: i32,
    y: String,
}

#[derive(Serialize, Deserialize)]
struct Numbered {
    #[serde(rename = "1:id")]
    id: i32,
    #[serde(rename = "3:name")]
    name: String,
    #[serde(rename = "20:score")]
    score: f64,
}

#[derive(Deserialize)]
struct Beans {
    #[allow(dead_code)]
    beans: Vec<Small>,
}

/// Numbers of every length, as many of each.
fn mixed() -> Vec<i64> {
    let mut state = 11_u64;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> (state >> 58)).cast_signed() >> (state >> 32 & 7)
    };
    (0..1_000_000).map(next).collect()
}

fn small_numbers() -> Vec<i64> {
    mixed().into_iter().map(|number| number.rem_euclid(100)).collect()
}

#[derive(Serialize)]
struct BeansOut {
    beans: Vec<Small>,
}

fn beans() -> BeansOut {
    let bean = |n: i32| Small {
        id: n,
        time: i64::from(n) << 20,
        name: format!("player number {n}"),
        alive: n % 2 == 0,
        speed: 1.5,
        weight: 72.25,
        scores: vec![n, 2, 300, -4],
        position: Vector3::new(1.0, n as f32, -2.5),
        inner: Inner { x: n.wrapping_neg(), y: "inner".into() },
    };
    BeansOut { beans: (0..20_000).map(bean).collect() }
}

fn triangles() -> Vec<[Vector3; 4]> {
    (0..50_000_u16).map(|n| [Vector3::new(f32::from(n), 0.5, -1.0); 4]).collect()
}

fn numbered() -> Vec<Numbered> {
    (0..20_000).map(|id| Numbered { id, name: "a name".into(), score: 0.5 }).collect()
}

fn encode<T: Serialize + Sync>(bencher: Bencher<'_, '_>, value: &T) {
    let len = to_vec(value).map_or(0, |bytes| bytes.len());
    bencher.counter(BytesCount::new(len)).bench_local(|| to_vec(black_box(value)));
}

fn decode<T: DeserializeOwned>(bencher: Bencher<'_, '_>, value: &impl Serialize) {
    let bytes = to_vec(value).unwrap_or_default();
    let counter = BytesCount::new(bytes.len());
    bencher.counter(counter).bench_local(|| from_slice::<T>(black_box(&bytes)).is_ok());
}

macro_rules! benches {
    ($($encode:ident $decode:ident $type:ty = $make:expr;)+) => {$(
        #[divan::bench]
        fn $encode(bencher: Bencher<'_, '_>) {
            encode(bencher, &$make);
        }

        #[divan::bench]
        fn $decode(bencher: Bencher<'_, '_>) {
            decode::<$type>(bencher, &$make);
        }
    )+};
}

benches! {
    mixed_encode mixed_decode Vec<i64> = mixed();
    small_encode small_decode Vec<i64> = small_numbers();
    beans_encode beans_decode Beans = beans();
    numbered_encode numbered_decode Vec<Numbered> = numbered();
    triangles_encode triangles_decode Vec<[Vector3; 4]> = triangles();
}

#[divan::bench]
fn beans_skip(bencher: Bencher<'_, '_>) {
    decode::<IgnoredAny>(bencher, &beans());
}

#[divan::bench]
fn mixed_skip(bencher: Bencher<'_, '_>) {
    #[derive(Serialize)]
    struct Mixed {
        list: Vec<i64>,
    }
    decode::<IgnoredAny>(bencher, &Mixed { list: mixed() });
}

#[divan::bench]
fn beans_value(bencher: Bencher<'_, '_>) {
    decode::<Value>(bencher, &beans());
}
