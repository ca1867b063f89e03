//! Functions that `core` has not, beside those of `std`.

#[path = "../../src/float.rs"]
mod own;

use own::{is_whole, sqrt, trunc};

#[test]
fn functions_of_floats_are_those_of_std() {
    let mut seed = 1_u64;
    let random = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(seed.rotate_right(29))
    });
    let random: Vec<f64> = random.take(2000).collect();
    let near = [0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.0, 4.5e15, -4.5e15, 9.1e15, 5e-324, 1e-310];
    let ends = [f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let small = random.iter().map(|value| value % 1e6);
    for value in near.into_iter().chain(ends).chain(small).chain(random.iter().copied()) {
        let positive = value.abs();
        assert_eq!(sqrt(positive).to_bits(), positive.sqrt().to_bits(), "the root of {positive}");
        assert_eq!(trunc(value).to_bits(), value.trunc().to_bits(), "{value}");
        assert_eq!(is_whole(value), value.fract() == 0.0, "{value}");
    }
    assert!(sqrt(-1.0).is_nan());
}
