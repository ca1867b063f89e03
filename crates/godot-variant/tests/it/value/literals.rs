//! Values written by hand: `variant!`.

use super::*;

#[track_caller]
fn is(value: Value, expected: impl Into<Value>) {
    assert_eq!(value, expected.into());
}

#[test]
fn scalars_and_expressions() {
    assert_eq!(variant!(null), Value::Nil);
    assert_eq!(variant!(()), Value::Nil);
    assert_eq!(variant!(true), Value::Bool(true));
    assert_eq!(variant!(-7), Value::Int(-7));
    assert_eq!(variant!(2.5), Value::Float(2.5));
    assert_eq!(variant!("text"), Value::from("text"));
    let (text, number) = ("owned".to_owned(), 3);
    assert_eq!(variant!(text.as_str()), Value::from("owned"));
    assert_eq!(variant!(number * 2 + 1), Value::Int(7));
    assert_eq!(variant!((number)), Value::Int(3));
    assert_eq!(variant!(Some(1)), Value::Int(1));
    assert_eq!(variant!(if number > 2 { "more" } else { "less" }), Value::from("more"));
    is(variant!(Vector3::new(1.0, 2.0, 3.0)), Vector3::new(1.0, 2.0, 3.0));
    is(variant!(PackedInt32Array(vec![1, 2])), PackedInt32Array(vec![1, 2]));
    assert_eq!(variant!(variant!([1])), variant!([1]));
}

#[test]
fn arrays() {
    is(variant!([]), Array::new());
    is(variant!([1]), array![1]);
    is(variant!([1,]), array![1]);
    is(variant!([-1]), array![-1]);
    is(variant!([-1,]), array![-1]);
    let inner = array![Value::Nil, true, array![], Dictionary::new()];
    is(variant!([null, true, [], {}]), inner.clone());
    // With elements of more than one token before, between and after.
    let list = variant!([-1, [null, true, [], {}], Vector2i::new(1, -1), null, { "a": -2 }, 1 + 1]);
    let expected = array![-1, inner, Vector2i::new(1, -1), Value::Nil, dict! { "a" => -2 }, 1 + 1];
    is(list, expected);
    let numbers = [1, 2, 3];
    assert_eq!(
        variant!([numbers.len() as i64, numbers[0], [0; 2].len() as i64]),
        variant!([3, 1, 2])
    );
}

#[test]
fn dictionaries_with_keys_of_any_type() {
    is(variant!({}), Dictionary::new());
    is(variant!({ "a": 1 }), dict! { "a" => 1 });
    is(variant!({ "a": 1, }), dict! { "a" => 1 });
    is(variant!({ "a": -1 }), dict! { "a" => -1 });
    is(variant!({ -1: "a", }), dict! { -1 => "a" });
    let key = "name";
    let value = variant!({
        key: { "deep": [{ "deeper": { 1: [2.5, -0.5] } }] },
        (key.len() as i64): null,
        null: [],
        [1, null]: "list",
        { "x": 1 }: "dictionary",
        Vector2i::new(0, 1): StringName::new("grass"),
        true: NodePath::new("/root"),
        StringName::new("last"): Color::new(1.0, 0.0, 0.0, 1.0)
    });
    let expected = dict! {
        "name" => dict! { "deep" => array![dict! { "deeper" => dict! { 1 => array![2.5, -0.5] } }] },
        4 => Value::Nil,
        Value::Nil => array![],
        array![1, Value::Nil] => "list",
        dict! { "x" => 1 } => "dictionary",
        Vector2i::new(0, 1) => StringName::new("grass"),
        true => NodePath::new("/root"),
        StringName::new("last") => Color::new(1.0, 0.0, 0.0, 1.0)
    };
    assert_eq!(value, Value::from(expected));
    assert_eq!(from_slice::<Value>(&to_vec(&value).unwrap()).unwrap(), value);
    // The last value of a key, in the place of the first.
    assert_eq!(variant!({ "a": 1, "b": 2, "a": 3 }), variant!({ "a": 3, "b": 2 }));
}

macro_rules! eight_times {
    ($($token:tt)*) => { variant!([$($token)* $($token)* $($token)* $($token)* $($token)* $($token)* $($token)* $($token)*]) };
}

macro_rules! hundreds {
    ($($token:tt)*) => { eight_times!($($token)* $($token)* $($token)* $($token)* $($token)* $($token)* $($token)* $($token)*) };
}

#[test]
fn many_elements() {
    // 512 single tokens: no recursion. 104 of more tokens, and entries: one step each.
    let many = hundreds!(1, "a", null, [], true, 2.5, { "k": 1 }, (1 + 1),);
    assert_eq!(many.as_array().map(|items| items.len()), Some(512));
    let steps = eight_times!(-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13,);
    assert_eq!(steps.as_array().map(|items| items.len()), Some(104));
    let entries = variant!({
        0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: -10, 11: -11, 12: -12, 13: -13,
        14: -14, 15: -15, 16: -16, 17: -17, 18: -18, 19: -19, 20: -20, 21: -21, 22: -22, 23: -23,
    });
    assert_eq!(entries.as_dictionary().map(Dictionary::len), Some(24));
    assert_eq!((&entries[9], &entries[23]), (&variant!(9), &variant!(-23)));
}
