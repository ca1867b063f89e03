//! Which keys the engine takes for one.

use super::*;

fn same(a: impl Into<Value>, b: impl Into<Value>) -> bool {
    let (a, b) = (a.into(), b.into());
    let same = a.same_key(&b);
    assert_eq!(b.same_key(&a), same);
    // Few keys are compared, many are looked up: both must agree, in a dictionary and in one that
    // is a key itself.
    for more in [0, 40] {
        let filler = (0..more).map(|n| (Value::from(1_000_000 + n), Value::Nil));
        let pairs: Vec<_> =
            [(a.clone(), 1.into()), (b.clone(), 2.into())].into_iter().chain(filler).collect();
        let count = pairs.len();
        let mut merged = Dictionary::from(pairs);
        assert_eq!(merged.len(), count - usize::from(same), "{a:?} and {b:?} of {count} keys");
        let first = &merged.iter().next().unwrap();
        assert_eq!(first.0, a, "the first key stays");
        assert_eq!(first.1, Value::from(if same { 2 } else { 1 }), "the last value wins");
        merged.insert(b.clone(), 3);
        assert_eq!(merged.len(), count - usize::from(same) + usize::from(!b.same_key(&b)));
        if count == 2 && same {
            // Inside of a key, text of two types differs.
            let list = |own: &Value| [Value::from(1), own.clone()].into_iter().collect::<Value>();
            assert_eq!(list(&a).same_key(&list(&b)), a.kind() == b.kind());
        }
    }
    same
}

#[test]
fn text() {
    assert!(same("a", StringName::new("a")));
    assert!(same(StringName::new("a"), "a"));
    assert!(!same("a", "b"));
    assert!(!same("a", NodePath::new("a")));
    let path = |names: &[&str]| NodePath {
        names: names.iter().map(|name| (*name).into()).collect(),
        ..NodePath::default()
    };
    assert!(!same(path(&["a/b"]), path(&["a", "b"])));
    assert!(same(path(&["a", "b"]), NodePath::new("a/b")));
}

#[test]
fn numbers() {
    assert!(same(f64::NAN, f64::from_bits(0x7ff8_0000_0000_0001)));
    assert!(same(0.0, -0.0));
    assert!(!same(1, 1.0));
    assert!(!same(1, true));
    assert!(!same(0, ()));
    assert!(!same(1.0, true));
    let vector = |x| Vector2::new(x, 1.0);
    assert!(same(vector(0.0), vector(-0.0)));
    assert!(same(vector(f32::NAN), vector(-f32::NAN)));
    assert!(!same(vector(1.0), vector(2.0)));
    assert!(!same(vector(1.0), Vector2i::new(1, 1)));
    assert!(same(PackedFloat32Array(vec![0.0]), PackedFloat32Array(vec![-0.0])));
    assert!(!same(PackedFloat32Array(vec![0.0]), PackedFloat64Array(vec![0.0])));
    assert!(!same(PackedInt32Array(vec![1]), PackedInt32Array(vec![1, 0])));
}

#[test]
fn containers_by_content() {
    let list = |items: Vec<Value>| Value::from(items);
    assert!(!same(
        list(vec![1.into(), "a".into()]),
        list(vec![1.into(), StringName::new("a").into()])
    ));
    assert!(same(list(vec![0.0.into()]), list(vec![(-0.0).into()])));
    assert!(!same(list(vec![1.into()]), list(vec![1.0.into()])));
    assert!(!same(list(vec![]), list(vec![Value::Nil])));
    let typed =
        TypedArray { element: ElementType::Builtin(Type::Int), items: [1].into_iter().collect() };
    assert!(same(typed, list(vec![1.into()])));
    let pair = |key: &str, value: i64| [(key, value)].into_iter().collect::<Value>();
    assert!(same(pair("a", 1), pair("a", 1)));
    assert!(!same(pair("a", 1), pair("a", 2)));
    assert!(!same(pair("a", 1), pair("b", 1)));
    assert!(same(list(vec![pair("a", 1)]), list(vec![pair("a", 1)])));
    assert!(!same(list(vec![]), Dictionary::new()));
}

#[test]
fn objects_are_never_the_same() {
    assert!(!same(ObjectId(1), ObjectId(1)));
    assert!(!same(Instance::new("A"), Instance::new("A")));
    assert!(!same(vec![Value::from(ObjectId(1))], vec![Value::from(ObjectId(1))]));
    assert!(same(Value::Object(Object::Null), Value::Object(Object::Null)));
    assert!(!same(Value::Object(Object::Null), ()));
}

#[test]
fn duplicate_keys_that_arrive() {
    let bytes = hex("1b000000 04000000
         04000000 01000000 61000000 02000000 01000000
         02000000 05000000 02000000 02000000
         15000000 01000000 61000000 02000000 03000000
         03000000 0000a040 02000000 04000000");
    let value: Value = from_slice(&bytes).unwrap();
    assert_eq!(format!("{value:?}"), r#"{"a": 3, 5: 2, 5.0: 4}"#);
    let error = Options::new().strict(true).from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical);
}

#[test]
fn text_inside_of_a_key_has_a_type() {
    let [text, name] = [Value::from("k"), Value::from(StringName::new("k"))];
    let list = |own: &Value| Value::from(vec![own.clone()]);
    let entry =
        |key: &Value, value: &Value| Value::Dictionary(dict! { key.clone() => value.clone() });
    assert!(!same(list(&text), list(&name)));
    assert!(!same(list(&list(&text)), list(&list(&name))));
    assert!(same(entry(&text, &1.into()), entry(&name, &1.into())));
    assert!(!same(entry(&1.into(), &text), entry(&1.into(), &name)));
}
