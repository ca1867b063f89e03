//! Properties of arbitrary values.

use proptest::prelude::*;

use super::*;
use crate::strategy;

fn config() -> ProptestConfig {
    // Failures are kept as tests of their own in `regress`.
    ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() }
}

fn check(options: &Options, value: &Value) -> Vec<u8> {
    let bytes = options.to_vec(value).unwrap();
    assert_eq!(bytes.len() % 4, 0);
    let back: Value = options.from_slice(&bytes).unwrap();
    assert_eq!(&back, value);
    assert_eq!(options.to_vec(&back).unwrap(), bytes);
    // Nothing of it is refused by the strict reader, skipped otherwise, or read otherwise.
    options.clone().strict(true).from_slice::<Value>(&bytes).unwrap();
    options.from_slice::<serde::de::IgnoredAny>(&bytes).unwrap();
    assert_eq!(options.from_reader::<_, Value>(&bytes[..]).unwrap(), back);
    bytes
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn values_come_back(value in strategy::value()) {
        let options = Options::new().allow_objects(true);
        let bytes = check(&options, &value);
        assert_eq!(&value.clone(), &value);
        assert_eq!(format!("{:#?}", value.clone()), format!("{value:#?}"));
        // Every truncation is refused.
        for len in 0..bytes.len() {
            let error = options.from_slice::<Value>(&bytes[..len]);
            let padding = len + 4 > bytes.len() && error.is_ok();
            assert!(error.is_err() || padding, "{len} of {} bytes", bytes.len());
        }
        check(&Options::new(), &strategy::by_id(value));
    }

    #[test]
    fn values_come_back_in_the_precision_of_the_engine(value in strategy::value()) {
        let whole = Options::new().allow_objects(true);
        let single = whole.clone().precision(Precision::Single);
        let double = whole.precision(Precision::Double);
        // Data of an engine of single precision has been through it once.
        let wide: Value = double.from_slice(&double.to_vec(&value).unwrap()).unwrap();
        let value: Value = single.from_slice(&single.to_vec(&wide).unwrap()).unwrap();
        check(&single, &value);
        let wide: Value = double.from_slice(&double.to_vec(&value).unwrap()).unwrap();
        let bytes = check(&double, &wide);
        assert_eq!(double.to_vec(&value).unwrap(), bytes);
        assert_eq!(single.from_slice::<Value>(&bytes).unwrap(), value);
        assert_eq!(single.to_vec(&wide).unwrap(), single.to_vec(&value).unwrap());
    }

    #[test]
    fn values_come_back_from_native_json(value in strategy::value()) {
        for value in [strategy::by_id(value.clone()), value] {
            let json = serde_json::to_string(&NativeJson(&value)).unwrap();
            assert_eq!(serde_json::from_str::<NativeJson>(&json).unwrap().0, value);
            let tree = serde_json::to_value(NativeJson(&value)).unwrap();
            assert_eq!(serde_json::from_value::<NativeJson>(tree).unwrap().0, value);
        }
    }

    #[test]
    fn the_older_dialects_come_back_where_they_have_the_types(value in strategy::value()) {
        let value = strategy::by_id(value);
        for dialect in [Dialect::Godot3, Dialect::Docs] {
            for precision in [Precision::Keep, Precision::Single, Precision::Double] {
                let options = Options::new().dialect(dialect).precision(precision);
                let Ok(bytes) = options.to_vec(&value) else { continue };
                let read: Value = options.from_slice(&bytes).unwrap();
                assert_eq!(options.to_vec(&read).unwrap(), bytes);
                options.strict(true).from_slice::<Value>(&bytes).unwrap();
            }
        }
    }

    #[test]
    fn same_keys_are_the_same_in_any_number(
        keys in proptest::collection::vec(strategy::value(), 0..40)
    ) {
        // Compared one by one, without any index.
        let mut expected: Vec<(Value, i64)> = Vec::new();
        for (at, key) in keys.iter().chain(&keys).enumerate() {
            match expected.iter_mut().find(|(own, _)| own.same_key(key)) {
                Some((_, value)) => *value = at as i64,
                None => expected.push((key.clone(), at as i64)),
            }
        }
        let found: Dictionary =
            keys.iter().chain(&keys).cloned().zip((0..).map(Value::from)).collect();
        let expected: Vec<(Value, Value)> =
            expected.into_iter().map(|(key, at)| (key, at.into())).collect();
        assert_eq!(found.into_vec(), expected);
    }
}
