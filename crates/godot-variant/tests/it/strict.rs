//! `Options::strict`: what is refused, and that nothing else is.

use gamewire_testkit::hostile::{SplitMix64, mutate};
use godot_variant::types::*;
use godot_variant::*;
use proptest::prelude::*;

use crate::strategy;
use crate::support::{hex, samples, words};

#[test]
fn rust_types_are_held_to_it_too() {
    let strict = Options::new().strict(true);
    let kind = |error: Error| error.kind();
    macro_rules! refused {
        ($($type:ty: $digits:literal),+ $(,)?) => {$(
            let bytes = hex($digits);
            Options::new().from_slice::<$type>(&bytes).unwrap();
            let error = strict.from_slice::<$type>(&bytes).unwrap_err();
            assert_eq!(kind(error), ErrorKind::NotCanonical, "{} from {}", stringify!($type), $digits);
        )+};
    }
    refused! {
        (): "00010000",
        bool: "01000000 02000000",
        i64: "02000100 05000000 00000000",
        i64: "02010000 05000000",
        f64: "03000100 00000000 0000e03f",
        f32: "03000000 0000c07f",
        String: "04000000 01000000 61000001",
        &str: "04000000 02000000 61000000",
        StringName: "15000000 01000000 61620000",
        NodePath: "16000000 00000080 00000000 04000000",
        ObjectId: "18000100 00000000 00000000",
        Vector2: "05010000 00000000 00000000",
        Vector2i: "06000100 00000000 00000000",
        PackedByteArray: "1d000000 01000000 07",
        PackedByteSlice<'_>: "1d000000 01000000 07ff0000",
        Vec<u8>: "1d000000 01000000 07",
        PackedStringArray: "22000000 01000000 01000000 61000000",
        Vec<String>: "22000000 01000000 01000000 61000000",
        Vec<()>: "1c000000 00000080",
        TypedArray<i64>: "1c000400 00000000",
        std::collections::BTreeMap<String, i64>: "1b000000 00000080",
    }
}

/// Strict accepts exactly what would be written the same.
#[track_caller]
pub(crate) fn check(options: &Options, bytes: &[u8]) -> bool {
    let strict = options.clone().strict(true).from_slice::<Value>(bytes);
    let Ok(value) = options.from_slice::<Value>(bytes) else {
        assert!(strict.is_err(), "strict reads {}", words(bytes));
        return false;
    };
    // Text without NUL in front of a byte order mark and the like cannot be written; nor is it
    // accepted.
    let same = options.to_vec(&value).is_ok_and(|written| written == bytes);
    match strict {
        Ok(found) => {
            assert!(same, "strict reads {} as {found:?}", words(bytes));
            assert_eq!(found, value, "strict reads {} otherwise", words(bytes));
        }
        // A foreign value in a typed dictionary is refused, though the engine and we write it again.
        Err(error) if error.to_string().contains("(the engine keeps it)") => return false,
        Err(error) => assert!(!same, "{error}, but {} is written the same", words(bytes)),
    }
    same
}

#[test]
fn mutated_samples_are_accepted_only_where_they_are_written_the_same() {
    let mut rng = SplitMix64::new(11);
    let mut same = 0;
    let mut other = 0;
    for sample in samples() {
        assert!(check(&sample.options, &sample.bytes), "{}", sample.name);
        // In each dialect and precision, with and without objects: any bytes may come from anyone.
        for objects in [false, true] {
            let options = sample.options.clone().allow_objects(objects);
            for _ in 0..60 {
                match check(&options, &mutate(&mut rng, &sample.bytes)) {
                    true => same += 1,
                    false => other += 1,
                }
            }
        }
    }
    assert!(same > 2_000 && other > 2_000, "{same} the same, {other} others");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn mutated_values_are_accepted_only_where_they_are_written_the_same(
        value in strategy::value(),
        seed in any::<u64>(),
    ) {
        let options = Options::new().allow_objects(true);
        let bytes = options.to_vec(&value).unwrap();
        prop_assert!(check(&options, &bytes));
        let mut rng = SplitMix64::new(seed);
        for _ in 0..20 {
            check(&options, &mutate(&mut rng, &bytes));
        }
    }
}
