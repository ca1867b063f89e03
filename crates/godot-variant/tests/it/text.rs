//! The engine's text of values; the rows are in tests/vectors.

mod config;
mod references;

use gamewire_testkit::hostile::{Hostile, Limits, SplitMix64};
use godot_variant::types::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

fn read(text: &str) -> Value {
    let value = text::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let options = Options::new();
    assert_eq!(text::value_from_str(text, &options).unwrap(), value);
    assert_eq!(text::value_to_string(&value, &options).unwrap(), text::to_string(&value).unwrap());
    value
}

fn said(text: &str) -> String {
    let said = text::from_str::<Value>(text).unwrap_err().to_string();
    assert_eq!(text::value_from_str(text, &Options::new()).unwrap_err().to_string(), said);
    said
}

#[test]
fn what_people_write_is_read() {
    assert_eq!(read(" ; a comment\n [1, 2.5,]; more\n"), to_value(&(1, 2.5)).unwrap());
    assert_eq!(read("{\"a\": 1, &\"b\": nil,}")["a"], 1_i64);
    assert_eq!(read(r#""a\u0041\U01F600\n\q\t""#), "aA😀\nq\t");
    assert_eq!(read(r#""\ud83d\ude00""#), "😀");
    assert_eq!(read("\"two\nlines\""), "two\nlines");
    assert_eq!(read("@\"old\""), Value::from(StringName::new("old")));
    assert_eq!(
        read("[#ff8000, #f80f]")[1],
        Value::from(Color::<f32>::from([1.0, 136.0 / 255.0, 0.0, 1.0]))
    );
    assert_eq!(
        read("PackedByteArray(\"AQIDBA==\")"),
        Value::from(PackedByteArray(vec![1, 2, 3, 4]))
    );
    assert_eq!(read("PoolIntArray(1, -2)"), Value::from(PackedInt32Array(vec![1, -2])));
    assert_eq!(read("Vector2i(1.9, -1.9)"), Value::from(Vector2i::new(1, -1)));
    assert_eq!(read("Quat(0, 0, 0, 1)").kind(), types::Type::Quaternion);
    assert_eq!(read("Array[Variant]([1])"), read("[1]"));
    assert_eq!(read("Array[float]([1])"), read("Array[float]([1.0])"));
    assert_eq!(read("Array[int]([\"a\"])").as_array().map(|items| items.len()), Some(0));
    for (number, value) in [("1.", 1.0), ("1e", 1.0), ("-5e-1", -0.5), ("1e400", f64::INFINITY)] {
        assert_eq!(read(number), Value::Float(value), "{number}");
    }
    let typed = read("Array[Resource(\"uid://b\", \"res://a.gd\")]([])");
    assert_eq!(typed.element_type(), Some(&types::ElementType::Script("res://a.gd".into())));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let wrong = [
        ("", "expected a value, found the end at byte 0x0"),
        ("[1 2]", "expected a comma or ], found the number 2 at byte 0x3"),
        ("{\"a\" 1}", "expected a colon, found the number 1 at byte 0x5"),
        ("[1,,2]", "expected a value, found a comma at byte 0x3"),
        ("1 2", "expected the end after the value, found the number 2 at byte 0x2"),
        ("True", "expected a value, found the word True at byte 0x0"),
        ("Vector2(1)", "expected 2 numbers in Vector2, found 1 at byte 0x0"),
        ("Vector2(1, x)", "expected a number, found the word x at byte 0xb"),
        ("Vector2i(1, 99999999999)", "expected a number that fits, found 99999999999 at byte 0xc"),
        (
            "99999999999999999999",
            "expected an integer of 64 bits, found 99999999999999999999 at byte 0x0",
        ),
        (
            "PackedVector2Array(1, 2, 3)",
            "expected 2 numbers for each element of PackedVector2Array, found 3 in all at byte 0x0",
        ),
        ("\"a", "expected the end of a string, found none at byte 0x0"),
        ("\"\\u12\"", "expected 4 hexadecimal digits after \\u, found others at byte 0x2"),
        ("\"\\ud800\"", "expected a character, found half of one or none at byte 0x7"),
        (
            "Resource(\"res://a.tres\")",
            "expected a value, found a Resource, which only the engine loads at byte 0x0",
        ),
        ("#12345", "expected a colour of 3, 4, 6 or 8 digits, found 5 at byte 0x0"),
        ("[+5]", "expected a value, found the character '+' at byte 0x1"),
        ("- 5", "expected a number or a word after -, found something else at byte 0x0"),
    ];
    for (text, error) in wrong {
        assert_eq!(said(text), error, "{text}");
    }
    let objects = Options::new().allow_objects(true);
    let object = "Object(Node,\"name\":&\"n\",\"list\":[1])\n";
    assert!(said(object).contains("allow_objects"));
    let value: Value = text::from_str_with(object, &objects).unwrap();
    assert_eq!(text::to_string_with(&value, &objects).unwrap(), object);
}

/// Text is read as the value it was written for; the engine would write it so that it is not.
#[test]
fn what_the_text_cannot_say_is_refused() {
    use types::{ElementType, Type};
    use value::{Instance, Object};

    let objects = Options::new().allow_objects(true);
    let class = |name: &str| Value::Object(Object::Instance(Box::new(Instance::new(name))));
    let path = |name: &str| NodePath { names: vec![name.into()], ..NodePath::default() };
    let of = |name: &str| {
        let element = ElementType::Class(name.into());
        Value::from(value::TypedArray { element, items: Vec::new().into() })
    };
    let nul = "expected strings without NUL, at which texts end, found one that has it";
    let not_plain = "expected a path that its text stands for, found ";
    let no_word = "expected a class whose name is a word, found ";
    let refused = [
        (Value::from("a\0b"), nul, ""),
        (Value::from(StringName::new("\0")), nul, ""),
        (Value::from(path("")), not_plain, r#""""#),
        (Value::from(path("a/b")), not_plain, r#""a/b""#),
        (class(""), no_word, r#""""#),
        (class("2D"), no_word, r#""2D""#),
        (class("A,\"b\":1"), no_word, r#""A,\"b\":1""#),
        (of("int"), no_word, r#""int""#),
        (of("Variant"), no_word, r#""Variant""#),
        (of("A]([1])"), no_word, r#""A]([1])""#),
    ];
    for (value, expected, found) in refused {
        let error = text::to_string_with(&value, &objects).unwrap_err();
        assert_eq!(error.to_string(), format!("{expected}{found}"));
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }

    // Ids and names of properties come back, whatever they are.
    let mut named = Instance::new("_A1");
    named.properties.push(("a\\b\"c\":".into(), Value::from(1_i64)));
    let int = ElementType::Builtin(Type::Int);
    let kept = [
        Value::Object(Object::Instance(Box::new(named))),
        Value::from(Rid(u64::MAX)),
        Value::from(Rid(1 << 63)),
        of("Resource"),
        Value::from(value::TypedArray { element: int, items: vec![].into() }),
    ];
    for value in kept {
        let text = text::to_string_with(&value, &objects).unwrap();
        assert_eq!(text::from_str_with::<Value>(&text, &objects).unwrap(), value, "{text}");
    }
    assert_eq!(text::to_string(&Value::from(Rid(u64::MAX))).unwrap(), "RID(-1)");
    // A class that is a type, too: the engine writes one word for both.
    assert_eq!(text::to_string(&of("Object")).unwrap(), "Array[Object]([])");
}

#[test]
fn types_go_through_the_value_that_they_would_be() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        at: Vector3,
        tags: Vec<String>,
    }
    let player =
        Player { name: "Åsa".into(), at: Vector3::new(1.0, 0.0, -2.5), tags: vec!["a".into()] };
    let text = text::to_string(&player).unwrap();
    assert_eq!(text, "{\n\"at\": Vector3(1, 0, -2.5),\n\"name\": \"Åsa\",\n\"tags\": [\"a\"]\n}");
    assert_eq!(text::from_str::<Player>(&text).unwrap(), player);
    assert!(text::from_str::<Player>("{\"name\": 5}").is_err());
}

#[test]
fn digits_are_the_engines() {
    // Grisu2 writes one digit more than the fewest; the parser comes to a neighbour.
    assert_eq!(text::to_string(&4.881924044446912e-165).unwrap(), "4.8819240444469125e-165");
    assert_eq!(read("3.402823466385289e+38"), Value::Float(f64::from(f32::MAX)));
    let all = [
        (1e15, "1e+15"),
        (123_456_789_012_345.67, "123456789012345.67"),
        (1e-4, "0.0001"),
        (0.5, "0.5"),
        (1e-5, "1e-05"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
        (2.2250738585072014e-308, "2.2250738585072014e-308"),
        (1.4e-45, "1.4e-45"),
        (-120.0, "-120.0"),
    ];
    for (value, text) in all {
        assert_eq!(text::to_string(&value).unwrap(), text);
    }
    // Floats of 32 bits.
    let singles = [
        (f32::MIN_POSITIVE, "1.1754944e-38"),
        (1e-45, "1e-45"),
        (0.1, "0.1"),
        (16_777_216.0, "16777216"),
    ];
    for (value, text) in singles {
        let array = PackedFloat32Array(vec![value]);
        assert_eq!(text::to_string(&array).unwrap(), format!("PackedFloat32Array({text})"));
    }
}

#[test]
fn nesting_is_limited_both_ways() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let value = read(&deep(1025));
    assert_eq!(text::to_string(&value).unwrap(), deep(1025));
    assert!(said(&deep(1026)).contains("max_depth"));
    let most = Options::new().max_depth(100_000);
    let value: Value = text::from_str_with(&deep(1026), &most).unwrap();
    assert!(text::to_string(&value).is_err());
    assert_eq!(text::to_string_with(&value, &most).unwrap(), deep(1026));
    assert!(text::from_str_with::<Value>(&deep(1027), &most).is_err());
}

#[test]
fn hostile_text_is_read_or_refused() {
    let read = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => text::from_str::<Value>(text).map(drop).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let mut hostile = Hostile::new(read).limits(Limits { per_byte: 128, ..Limits::default() });
    let samples = [
        r#"{&"a": [1, -2.5e3, null], "b": Vector2(1, inf_neg), 3: {}}"#,
        r##"[Array[int]([1]), Dictionary[String, int]({"a": 1}), #ff8000, "q\"\u0041"]"##,
        r#"[PackedStringArray("a", "b"), PackedByteArray("AQI="), NodePath("a/b:c"), RID(5)]"#,
    ];
    for sample in samples {
        let truncations = gamewire_testkit::hostile::truncations(sample, sample.as_bytes());
        hostile.accepted("sample", sample.as_bytes());
        hostile.cases("truncations", truncations);
        hostile.cases("bit flips", gamewire_testkit::hostile::bit_flips(sample, sample.as_bytes()));
        hostile.cases(
            "mutations",
            gamewire_testkit::hostile::mutations(sample, sample.as_bytes(), 7, 300),
        );
    }
    hostile.refused("open brackets", "[".repeat(100_000).as_bytes());
    hostile.linear("numbers", 4096, |len| format!("[{}]", "0,".repeat(len / 2)).into_bytes());
    hostile.linear("strings", 4096, |len| format!("\"{}\"", "\\\"".repeat(len / 2)).into_bytes());
    hostile.linear("keys", 4096, |len| {
        let keys: String = (0..len / 8).map(|key| format!("{key}:0,")).collect();
        format!("{{{keys}}}").into_bytes()
    });
    hostile.finish();
}

fn keyed(keys: Vec<Value>) -> Value {
    Value::Dictionary(keys.into_iter().map(|key| (key, 0)).collect())
}

fn shuffled(keys: &[Value], random: &mut SplitMix64) -> Vec<Value> {
    let mut keys = keys.to_vec();
    for end in (1..keys.len()).rev() {
        keys.swap(end, (random.next_u64() % (end as u64 + 1)) as usize);
    }
    keys
}

/// The engine compares text by characters and everything else by type, which is no order.
#[test]
fn keys_are_sorted_by_the_steps_of_the_engine() {
    for (given, first) in [
        (r#"{[2]:0,[1]:1}"#, "{\n[1]: 1,"),
        (r#"{[[1],{}]:0,[[],9]:1}"#, "{\n[[], 9]: 1,"),
        (r#"{[1,2]:0,[1]:1}"#, "{\n[1]: 1,"),
        (r#"{"b":0,Vector2(0,0):0,&"a":0}"#, "{\n&\"a\": 0,\n\"b\": 0,\nVector2(0, 0): 0"),
        (r#"{&"a":0,Vector2(0,0):0,"b":0}"#, "{\n\"b\": 0,\nVector2(0, 0): 0,\n&\"a\": 0"),
        (r#"{nan:0,1.5:0,0.5:0}"#, "{\nnan: 0,\n0.5: 0,\n1.5: 0"),
        (r#"{1.5:0,nan:0,0.5:0}"#, "{\n0.5: 0,\n1.5: 0,\nnan: 0"),
    ] {
        let text = text::to_string(&read(given)).unwrap();
        assert!(text.starts_with(first), "{given}: {text}");
    }
}

#[test]
fn keys_in_any_order_are_sorted() {
    let mut random = SplitMix64::new(26);
    let number = |at: i32| Value::from(f64::from(at % 7) * 0.5 - 1.0);
    let list = |at: i32| to_value(&(at % 3, number(at), [at])).unwrap();
    // What has an order comes out the same from any other.
    let sorts: [fn(i32) -> Value; 4] = [
        |at| Value::from(Vector3::new((at % 3) as f32, (at % 5) as f32, at as f32)),
        |at| if at % 2 == 0 { Value::from(at) } else { Value::from(f64::from(at)) },
        |at| {
            if at % 2 == 0 {
                Value::from(format!("{at}"))
            } else {
                StringName::new(&format!("{at}")).into()
            }
        },
        |at| Value::from(Rid(at as u64)),
    ];
    let ordered = sorts.map(|make| (0..40).map(make).collect::<Vec<_>>());
    for keys in ordered.iter().chain([&(0..40).map(list).collect()]) {
        let all: std::collections::BTreeSet<String> = (0..200)
            .map(|_| text::to_string(&keyed(shuffled(keys, &mut random))).unwrap())
            .collect();
        assert_eq!(all.len(), 1, "{keys:?}");
    }
    // Where there is none, what comes out has the same entries.
    let mixed = |at: i32| match at % 4 {
        0 => Value::from(Vector2::new(if at % 8 == 0 { f32::NAN } else { 1.0 }, at as f32)),
        1 => Value::from(format!("{at}")),
        2 => StringName::new(&format!("{at}")).into(),
        _ => to_value(&[Value::from(f64::NAN), at.into()]).unwrap(),
    };
    let keys: Vec<Value> = (0..60).map(mixed).collect();
    let lines = |value: &Value| {
        let text = text::to_string(value).unwrap();
        let mut lines: Vec<String> =
            text.lines().map(|own| own.trim_end_matches(',').into()).collect();
        lines.sort();
        lines
    };
    let expected = lines(&keyed(keys.clone()));
    for _ in 0..200 {
        assert_eq!(lines(&keyed(shuffled(&keys, &mut random))), expected);
    }
}

/// A NaN in the middle of numbers that fall keeps both halves apart until the last step.
#[test]
fn a_nan_among_many_keys_takes_no_time() {
    let mut keys: Vec<Value> = (0..60_000).rev().map(|at| Value::from(f64::from(at))).collect();
    keys[30_000] = f64::NAN.into();
    let text = text::to_string(&keyed(keys)).unwrap();
    assert!(text.starts_with("{\n0.0: 0,\n1.0: 0,") && text.ends_with("59999.0: 0,\nnan: 0\n}"));
}
