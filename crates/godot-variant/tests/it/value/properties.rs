//! What holds for arbitrary values.

use proptest::prelude::*;

use super::*;
use crate::strategy::{self, Kinds};

fn config() -> ProptestConfig {
    // Failures are kept as tests of their own in `regress`.
    ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() }
}

fn check(options: &Options, value: &Value) -> std::result::Result<Vec<u8>, TestCaseError> {
    let bytes = options.to_vec(value).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(bytes.len() % 4, 0);
    let back: Value =
        options.from_slice(&bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&back, value);
    prop_assert_eq!(&options.to_vec(&back).unwrap(), &bytes);
    // Nothing of it is refused by the strict reader, skipped otherwise, or read otherwise.
    let strict = options.clone().strict(true).from_slice::<Value>(&bytes);
    prop_assert!(strict.is_ok(), "{}", strict.unwrap_err());
    options.from_slice::<serde::de::IgnoredAny>(&bytes).unwrap();
    prop_assert_eq!(options.from_reader::<_, Value>(&bytes[..]).unwrap(), back);
    Ok(bytes)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn values_come_back(value in strategy::value(Kinds::ALL)) {
        let options = Options::new().allow_objects(true);
        let bytes = check(&options, &value)?;
        prop_assert_eq!(&value.clone(), &value);
        prop_assert_eq!(format!("{:#?}", value.clone()), format!("{value:#?}"));
        // Every truncation is refused.
        for len in 0..bytes.len() {
            let error = options.from_slice::<Value>(&bytes[..len]);
            let padding = len + 4 > bytes.len() && error.is_ok();
            prop_assert!(error.is_err() || padding, "{} of {} bytes", len, bytes.len());
        }
    }

    #[test]
    fn values_with_ids_come_back(value in strategy::value(Kinds::BY_ID)) {
        check(&Options::new(), &value)?;
    }

    #[test]
    fn values_come_back_in_the_precision_of_the_engine(value in strategy::value(Kinds::NARROW)) {
        let whole = Options::new().allow_objects(true);
        let single = whole.clone().precision(Precision::Single);
        let double = whole.precision(Precision::Double);
        check(&single, &value)?;
        let wide: Value = double.from_slice(&double.to_vec(&value).unwrap()).unwrap();
        let bytes = check(&double, &wide)?;
        prop_assert_eq!(&double.to_vec(&value).unwrap(), &bytes);
        prop_assert_eq!(&single.from_slice::<Value>(&bytes).unwrap(), &value);
        prop_assert_eq!(single.to_vec(&wide).unwrap(), single.to_vec(&value).unwrap());
        prop_assert!(!strategy::is_wide(&value) && !strategy::is_wide_color(&wide));
    }

    #[test]
    fn values_come_back_from_native_json(value in strategy::value(Kinds::ALL)) {
        let json = serde_json::to_string(&NativeJson(&value)).unwrap();
        let back = serde_json::from_str::<NativeJson>(&json);
        prop_assert_eq!(&back.map_err(|error| TestCaseError::fail(error.to_string()))?.0, &value);
        // Also through a tree, and with ids.
        let tree = serde_json::to_value(NativeJson(&value)).unwrap();
        prop_assert_eq!(serde_json::from_value::<NativeJson>(tree).unwrap().0, value);
    }

    #[test]
    fn values_with_ids_come_back_from_native_json(value in strategy::value(Kinds::BY_ID)) {
        let json = serde_json::to_string(&NativeJson(&value)).unwrap();
        prop_assert_eq!(serde_json::from_str::<NativeJson>(&json).unwrap().0, value);
    }

    #[test]
    fn the_older_dialects_come_back_where_they_have_the_types(
        value in strategy::value(Kinds { objects: false, ..Kinds::NARROW })
    ) {
        for dialect in [Dialect::Godot3, Dialect::Docs] {
            for precision in [Precision::Keep, Precision::Single, Precision::Double] {
                let options = Options::new().dialect(dialect).precision(precision);
                let Ok(bytes) = options.to_vec(&value) else { continue };
                let read: Value = options.from_slice(&bytes).unwrap();
                prop_assert_eq!(&options.to_vec(&read).unwrap(), &bytes);
                let strict = options.strict(true).from_slice::<Value>(&bytes);
                prop_assert!(strict.is_ok(), "{}", strict.unwrap_err());
            }
        }
    }

    #[test]
    fn same_keys_are_the_same_in_any_number(
        keys in proptest::collection::vec(strategy::value(Kinds::ALL), 0..40)
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
        prop_assert_eq!(found.into_vec(), expected);
    }
}
