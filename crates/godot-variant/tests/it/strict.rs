//! `Options::strict`: what is refused, and that nothing else is.

use gamewire_testkit::hostile::{SplitMix64, mutate};
use godot_variant::types::PackedByteSlice;
use godot_variant::*;
use proptest::prelude::*;

use crate::strategy::{self, Kinds};
use crate::support::{hex, samples, words};

/// What strict says to input that is read without it, and what would be written instead.
#[track_caller]
fn refused(options: &Options, digits: &str) -> String {
    let bytes = hex(digits);
    let strict = options.clone().strict(true);
    let value: Value = match options.from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => panic!("{digits} is refused without strict: {error}"),
    };
    let written = options.to_vec(&value).unwrap();
    assert_ne!(words(&written), words(&bytes), "{digits} is canonical");
    let error = match strict.from_slice::<Value>(&bytes) {
        Ok(value) => panic!("{digits} is accepted as {value:?}"),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::NotCanonical, "{error}");
    assert_eq!(error.engine_code(), None);
    let skipped = strict.from_slice::<serde::de::IgnoredAny>(&bytes).unwrap_err();
    assert_eq!(skipped.kind(), ErrorKind::NotCanonical);
    // What is written instead is fine.
    strict.from_slice::<Value>(&written).unwrap();
    error.to_string()
}

#[test]
fn every_leniency_is_refused() {
    let four = Options::new();
    let whole = Options::new().allow_objects(true);
    let three = Options::new().dialect(Dialect::Godot3);
    let single = Options::new().precision(Precision::Single);
    let double = Options::new().precision(Precision::Double);
    let docs = Options::new().dialect(Dialect::Docs);
    let r = refused;
    insta::assert_snapshot!(
        [
            // Headers.
            r(&four, "00010000"),
            r(&four, "00000100"),
            r(&four, "04000100 01000000 61000000"),
            r(&four, "06000100 01000000 02000000"),
            r(&four, "14000100 00000000 00000000 00000000 00000000"),
            r(&four, "1c000400 00000000"),
            r(&four, "1b001000 00000000"),
            r(&four, "18000300 05000000 00000000"),
            r(&three, "05000100 0000803f 00000040"),
            r(&three, "12000100 00000000"),
            r(&docs, "11000100 05000000 00000000"),
            r(&docs, "05000100 0000803f 00000040"),
            // Numbers.
            r(&four, "01000000 02000000"),
            r(&four, "02000100 05000000 00000000"),
            r(&four, "02000100 00000080 ffffffff"),
            r(&four, "03000100 00000000 0000e03f"),
            r(&four, "03000000 0000c07f"),
            // Text.
            r(&four, "04000000 01000000 61000001"),
            r(&four, "04000000 02000000 61000000"),
            r(&four, "04000000 04000000 efbbbf61"),
            r(&four, "15000000 01000000 61620000"),
            r(&four, "16000000 01000080 00000000 00000000 01000000 61ff0000"),
            r(&three, "04000000 03000000 eda08000"),
            // Paths.
            r(&four, "16000000 01000080 00000000 02000000 01000000 61000000 01000000 62000000"),
            r(&four, "16000000 00000080 00000000 04000000"),
            r(&four, "16000000 01000080 ffffffff 00000000"),
            r(&docs, "0f000000 01000000 61000000"),
            r(&docs, "0f000000 01000080 00000000 02000000 01000000 61000000"),
            // Objects.
            r(&four, "18000100 00000000 00000000"),
            r(&whole, "18000100 05000000 00000000"),
            r(&whole, "18000000 00000000"),
            r(&whole, "18000000 01000000 41000000 ffffffff"),
            r(&whole, "18000000 01000000 41010000 00000000"),
            r(&docs, "11000000 00000000 00000000"),
            // Packed arrays.
            r(&four, "1d000000 01000000 07"),
            r(&four, "1d000000 01000000 07ff0000"),
            r(&four, "22000000 ffffffff"),
            r(&four, "22000000 01000000 01000000 61000000"),
            r(&four, "22000000 01000000 00000000"),
            r(&four, "22000000 01000000 03000000 61000000"),
            r(&four, "22000000 01000000 02000000 61000100"),
            // Containers.
            r(&four, "1c000000 00000080"),
            r(&four, "1b000000 00000080"),
            r(&four, "1c000100 00000000 00000000"),
            r(&four, "1c000100 18000000 00000000"),
            r(&four, "1c000200 01000000 41000000 00000000"),
            r(&four, "1c000300 01000000 41000000 00000000"),
            r(&whole, "1c000200 00000000 00000000"),
            r(&four, "1b000400 00000000 00000000"),
            r(&four, "1c000100 02000000 01000000 03000000 0000803f"),
            r(&four, "1c000100 02000000 01000000 04000000 00000000"),
            r(&four, "1b000100 04000000 01000000 15000000 00000000 00000000"),
            r(&four, "1b000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000"),
            r(&four, "1b000000 02000000 04000000 00000000 00000000 15000000 00000000 00000000"),
            // The width of the other precision.
            r(&single, "05000100 00000000 00000000 00000000 00000000"),
            r(&double, "05000000 00000000 00000000"),
            r(&single, "23000100 00000000"),
            r(&double, "23000000 00000000"),
            // Inside of others.
            r(
                &four,
                "1c000000 01000000 1b000000 01000000 04000000 01000000 6b000000 01000000 02000000"
            ),
        ]
        .join("\n")
    );
}

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

#[test]
fn samples_are_accepted() {
    for sample in samples() {
        let strict = sample.options.clone().strict(true);
        let value: Value = match strict.from_slice(&sample.bytes) {
            Ok(value) => value,
            Err(error) => panic!("{}: {error}", sample.name),
        };
        assert_eq!(strict.to_vec(&value).unwrap(), sample.bytes);
        strict.from_slice::<serde::de::IgnoredAny>(&sample.bytes).unwrap();
    }
}

/// Strict accepts exactly what would be written the same.
#[track_caller]
fn check(options: &Options, bytes: &[u8]) -> bool {
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
        value in strategy::value(Kinds::ALL),
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
