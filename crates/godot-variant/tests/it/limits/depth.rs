//! Depth of values: 1025 containers as in the engine, on a stack of 2 MiB.

use gamewire_testkit::on_small_stack;
use serde::de::IgnoredAny;

use super::*;

/// A way to put one value into another: its name, and what stands before the inner value and after.
pub(super) struct Wrap {
    pub(super) name: &'static str,
    around: fn(Value) -> Value,
    pub(super) open: &'static str,
    pub(super) close: &'static str,
}

pub(super) fn wraps() -> [Wrap; 7] {
    let wrap = |name, open, close, around| Wrap { name, around, open, close };
    [
        wrap("array", "1c000000 01000000", "", |inner| vec![inner].into()),
        wrap("typed array", "1c000100 1c000000 01000000", "", |inner| {
            let items = Array::from(vec![inner]);
            value::TypedArray { element: ElementType::Builtin(Type::Array), items }.into()
        }),
        wrap("dictionary", "1b000000 01000000 04000000 01000000 6b000000", "", |inner| {
            [("k", inner)].into_iter().collect()
        }),
        wrap(
            "typed dictionary",
            "1b000100 04000000 01000000 04000000 01000000 6b000000",
            "",
            |inner| {
                let (key, value) = (ElementType::Builtin(Type::String), ElementType::Any);
                let entries = [("k", inner)].into_iter().collect();
                value::TypedDictionary { key, value, entries }.into()
            },
        ),
        wrap("key", "1b000000 01000000", "00000000", |inner| {
            vec![(inner, Value::Nil)].into_iter().collect()
        }),
        wrap("second key", "1b000000 02000000 02000000 01000000 00000000", "00000000", |inner| {
            vec![(Value::from(1), Value::Nil), (inner, Value::Nil)].into_iter().collect()
        }),
        wrap("property", "18000000 01000000 41000000 01000000 01000000 70000000", "", |inner| {
            Instance { class: "A".into(), properties: vec![("p".into(), inner)] }.into()
        }),
    ]
}

impl Wrap {
    /// Containers in one another, an empty array innermost.
    fn levels(&self, levels: usize) -> Value {
        (1..levels).fold(Value::from(Array::new()), |inner, _| (self.around)(inner))
    }

    fn bytes(&self, levels: usize) -> Vec<u8> {
        let wrapped = levels - 1;
        [hex(self.open).repeat(wrapped), hex("1c000000 00000000"), hex(self.close).repeat(wrapped)]
            .concat()
    }
}

fn options() -> Options {
    Options::new().allow_objects(true)
}

#[test]
fn as_deep_as_the_engine_and_no_deeper() {
    for wrap in wraps() {
        on_small_stack(|| {
            for levels in [1, 2, 1024, 1025] {
                let bytes = wrap.bytes(levels);
                let value: Value = options().from_slice(&bytes).unwrap();
                assert_eq!(options().to_vec(&value).unwrap(), bytes, "{}", wrap.name);
                let IgnoredAny = options().from_slice(&bytes).unwrap();
                // Comparing what was read with what was made, printing, cloning, dropping.
                let made = wrap.levels(levels);
                assert_eq!(value, made);
                assert_eq!(value.clone(), made);
                // Objects are new ones each time, so one inside makes a key that is like no other.
                assert_eq!(value.same_key(&made), wrap.name != "property" || levels == 1);
                assert_eq!(format!("{value:?}"), format!("{made:?}"));
                assert_eq!(format!("{value:#?}").lines().count() > levels, levels > 1);
                let strict = options().strict(true);
                assert_eq!(strict.from_slice::<Value>(&bytes).unwrap(), made);
            }
            for levels in [1026, 1027, 2000] {
                let bytes = wrap.bytes(levels);
                let error = options().from_slice::<Value>(&bytes).unwrap_err();
                let skipped = options().from_slice::<IgnoredAny>(&bytes).unwrap_err();
                for error in [&error, &skipped] {
                    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{}", wrap.name);
                    assert_eq!(error.engine_code(), Some("ERR_OUT_OF_MEMORY"));
                    // The key of the deepest dictionary is already too deep.
                    let level = hex(wrap.open).len();
                    let offset = error.offset().unwrap();
                    assert!((level * 1024..=level * 1025).contains(&offset), "{}", wrap.name);
                }
                let made = wrap.levels(levels);
                let error = options().to_vec(&made).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::DepthLimit, "{}", wrap.name);
            }
        })
        .unwrap();
    }
}

#[test]
fn a_leaf_takes_a_level_as_in_the_engine() {
    // 1025 arrays and a nil inside are one value too deep.
    let bytes = [hex("1c000000 01000000").repeat(1025), hex("00000000")].concat();
    assert_eq!(from_slice::<Value>(&bytes).unwrap_err().kind(), ErrorKind::DepthLimit);
    let bytes = [hex("1c000000 01000000").repeat(1024), hex("00000000")].concat();
    from_slice::<Value>(&bytes).unwrap();
}

#[test]
fn another_limit() {
    // More than 1 025 counts as that.
    for (limit, counts) in [(0, 0), (1, 1), (5, 5), (1025, 1025), (3000, 1025)] {
        let options = options().max_depth(limit);
        for wrap in wraps() {
            let most = counts + 1;
            let bytes = wrap.bytes(most);
            let value: Value = options.from_slice(&bytes).unwrap();
            assert_eq!(options.to_vec(&value).unwrap(), bytes);
            let deeper = wrap.bytes(most + 1);
            let error = options.from_slice::<Value>(&deeper).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            let error = options.to_vec(&wrap.levels(most + 1)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
        }
    }
    // In a Rust type, the levels around it count.
    let limit = Options::new().max_depth(10);
    let value = nested(9);
    let bytes = limit.to_vec(&[[&value]]).unwrap();
    limit.from_slice::<[[Value; 1]; 1]>(&bytes).unwrap();
    assert_eq!(limit.to_vec(&[[[&value]]]).unwrap_err().kind(), ErrorKind::DepthLimit);
    let bytes = Options::new().to_vec(&[[[&value]]]).unwrap();
    let error = limit.from_slice::<[[[Value; 1]; 1]; 1]>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
}

#[test]
fn deep_in_memory() {
    for wrap in wraps() {
        let levels = 1025;
        on_small_stack(|| {
            let value = wrap.levels(levels);
            let clone = value.clone();
            assert!(clone == value, "{}", wrap.name);
            assert_eq!(value.same_key(&clone), wrap.name != "property");
            let mut other = wrap.levels(levels - 1);
            assert!(other != value);
            assert!(!other.same_key(&value));
            assert!(!other.same_key(&value));
            assert!(format!("{value:?}").len() > levels);
            assert_eq!(options().to_value(&value).unwrap(), value);
            // As keys, few and many.
            let pairs = vec![(value, 1.into()), (clone, 2.into())];
            let entries = Dictionary::from(pairs);
            assert_eq!(entries.len(), if wrap.name == "property" { 2 } else { 1 });
            let filler = (0..20).map(|n| (Value::from(n), Value::Nil));
            let many: Dictionary = entries.into_iter().chain(filler).collect();
            assert!(many.len() >= 21);
            drop(many);
            // Taken apart and put together again.
            let inner = other.take();
            drop(vec![inner]);
        })
        .unwrap();
    }
}

#[test]
fn wide_and_deep() {
    // Each level has many leaves beside the next one, first, last and in between.
    on_small_stack(|| {
        let mut value = Value::from(Array::new());
        for level in 0..1024 {
            let mut items: Vec<Value> = (0..20).map(Value::from).collect();
            items.insert(level % 21, value);
            value = items.into();
        }
        let clone = value.clone();
        assert!(clone == value);
        assert_eq!(format!("{clone:?}").len(), format!("{value:?}").len());
    })
    .unwrap();
}
