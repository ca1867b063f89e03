use gamewire_core::json::{
    Fault, FaultKind, Kind, Layout, Map, Node, Reading, Seed, Value, Writer,
};
use serde_core::de::DeserializeSeed as _;

fn read(text: &str) -> Result<(), Fault> {
    Reading::default().items(text).map(drop)
}

/// Writes a value again; objects named `inline`, and objects in them, without white space.
fn write(writer: &mut Writer, node: Node<'_>, inline: bool) {
    match node.kind() {
        Kind::Null => writer.null(),
        Kind::Bool(value) => writer.bool(value),
        Kind::Number => writer.number(node.number().unwrap()),
        Kind::Text => writer.text(node.text().unwrap()),
        Kind::List => {
            writer.list();
            node.elements().unwrap().for_each(|element| write(writer, element, inline));
            writer.end();
        }
        Kind::Map => {
            if inline {
                writer.inline_map()
            } else {
                writer.map()
            }
            for (name, value) in node.members().unwrap() {
                writer.name(&name);
                write(writer, value, inline || name == "inline");
            }
            writer.end();
        }
    }
}

fn written(text: &str, writer: Writer) -> String {
    let items = Reading::default().items(text).unwrap();
    let mut writer = writer;
    write(&mut writer, items.root(), false);
    writer.into_text()
}

#[test]
fn faults_say_what_was_expected_where() {
    for (text, message, offset, path) in [
        ("", "expected a value, found the end", 0, ""),
        ("[1,]", "expected a value, found \"]\"", 3, "[1]"),
        ("[1 2]", "expected a comma or ], found \"2\"", 3, "[1]"),
        ("{\"a\" 1}", "expected a colon after the key, found \"1\"", 5, ""),
        ("{a:1}", "expected a key in quotes, found \"a\"", 1, ""),
        ("{\"a\":1,}", "expected a key in quotes, found \"}\"", 7, ""),
        ("{\"a\":tru}", "expected a value, found \"t\"", 5, "a"),
        ("{\"a\":1, \"b\":[[],{\"c\":{}, \"d\":?", "expected a value, found \"?\"", 29, "b[1].d"),
        ("[", "expected a value, found the end", 1, "[0]"),
        ("1 1", "expected the end of the text, found \"1\"", 2, ""),
        ("01", "expected a number without leading zeros, found some", 0, ""),
        ("1.", "expected a digit, found the end", 2, ""),
        ("\"a", "expected the quote that ends this string, found none", 0, ""),
        ("\"\\x\"", "expected an escape, found \"x\"", 2, ""),
        ("\"\\ud800\"", "expected both halves of a character, found one", 1, ""),
        ("\"\\udc00\"", "expected both halves of a character, found one", 1, ""),
        ("\"\\ud800\\u0041\"", "expected both halves of a character, found one", 1, ""),
        ("\"\\u12\"", "expected four hexadecimal digits, found \"1\"", 3, ""),
        ("\"\n\"", "expected control characters as escapes, found 0x0a", 1, ""),
    ] {
        let fault = read(text).unwrap_err();
        assert_eq!(fault.message, message, "{text}");
        assert_eq!((fault.offset, &*fault.path.to_string()), (offset, path), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
    }
}

#[test]
fn limits_hold() {
    let reading = Reading { max_levels: 2, memory: 1000 };
    assert!(reading.items("[[1], [2]]").is_ok());
    let fault = reading.items("[[1], [[").unwrap_err();
    assert_eq!((fault.kind, fault.offset), (FaultKind::Depth, 7));
    let fault = reading.items(&format!("[{}1]", "1,".repeat(100))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Memory);
    assert!(fault.offset > 10);
    let deep = "[".repeat(1_000_000);
    assert_eq!(read(&deep).unwrap_err().offset, 1_000_000);
    let fault = Reading { memory: 1 << 20, ..Reading::default() }.items(&deep).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Memory);
}

#[test]
fn text_comes_back() {
    let text = r#"{"a":[1.50,-0,1e999,"é\u0001\n\"\\/",true,null],"a":{},"\t":[[],{"inline":[1,{"b":2}]}]}"#;
    assert_eq!(written(text, Writer::new(Layout::Compact)), text);
    let items = Reading::default().items(r#""\ud83d\ude00\u00e9\/\b\f\r\u007f""#).unwrap();
    assert_eq!(items.root().text().unwrap(), "😀é/\u{8}\u{c}\r\u{7f}");
    let mut writer = Writer::new(Layout::Compact).escape_delete(true);
    writer.text("\u{7f}");
    assert_eq!(writer.into_text(), r#""\u007f""#);
}

#[test]
fn lines_are_those_of_serde_json_unless_inline() {
    let text = r#"{"a":[1,[],{},"x",[2]],"b":{"c":null}}"#;
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let lines = || Writer::new(Layout::Lines);
    assert_eq!(written(text, lines()), serde_json::to_string_pretty(&value).unwrap());
    let text = r#"{"a":1,"inline":{"x":1.0,"y":{}}}"#;
    let inline = "{\n  \"a\": 1,\n  \"inline\": {\"x\":1.0,\"y\":{}}\n}";
    assert_eq!(written(text, lines()), inline);
    assert_eq!(written("[[[1]]]", lines().max_indent(1)), "[\n  [\n  [\n  1\n  ]\n  ]\n]");
}

#[test]
fn other_formats_are_read() {
    let seed = Seed { max_levels: 3, expected: "a value of this test" };
    let from = |text: &str| seed.deserialize(&mut serde_json::Deserializer::from_str(text));
    let text = r#"{"a":[1,-2,0.5,"x\n",true,null],"b":{"c":18446744073709551615}}"#;
    let mut writer = Writer::new(Layout::Compact);
    write(&mut writer, from(text).unwrap().root(), false);
    assert_eq!(writer.into_text(), text);
    assert!(from("[[[[]]]]").unwrap_err().to_string().starts_with("nested too deep"));
}

#[test]
fn a_value_keeps_the_order_of_its_members() {
    let member = |at: i64| (format!("m{}", at % 40), Value::from(at - 50));
    let mut all: Map = (0..40).rev().map(member).collect();
    assert_eq!(all.insert("m7".to_owned(), 2.5.into()), Some(Value::from(-43)));
    assert_eq!(all.get("m7").and_then(Value::as_f64), Some(2.5));
    all.insert("new".to_owned(), Value::Null);
    assert_eq!((all.len(), all.contains_key("m40")), (41, false));
    let names: Vec<&String> = all.keys().collect();
    assert_eq!((names[0].as_str(), names[32].as_str(), names[40].as_str()), ("m39", "m7", "new"));
    let other: Map = all.clone().into_iter().rev().collect();
    assert!(
        all == other && Value::Object(all.clone()).to_string() != Value::Object(other).to_string()
    );
    _ = all.get_mut("m0").unwrap().take();
    assert_eq!(all.iter().last().unwrap().0, "new");
    assert!(all.get("m0").unwrap().is_null());
}

#[test]
fn a_value_is_written_as_by_serde_json() {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        1e15,
        1e16,
        123456789012345680.0,
        1e21,
        1e-4,
        9.9e-5,
        1e-5,
        9.9e-6,
        0.1,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    let value = Value::from([
        ("numbers", numbers.into_iter().collect()),
        ("whole", Value::from(vec![Value::from(u64::MAX), i64::MIN.into(), (-1).into()])),
        ("text", "\u{0}\u{1f}\"\\/\u{7f}\u{2028}\n".into()),
        ("none", Value::Object(Map::new())),
        ("nan", f64::NAN.into()),
    ]);
    let text = value.to_string();
    assert_eq!(text, serde_json::to_string(&value).unwrap());
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    assert_eq!(text, serde_json::from_str::<serde_json::Value>(&text).unwrap().to_string());
}

#[test]
fn a_deep_value_is_written_without_recursion() {
    let levels = 1_000;
    let deep = (0..levels).fold(Value::from(1), |inner, _| Value::from([("a", inner)]));
    assert_eq!(deep.to_string().len(), levels * 6 + 1);
}
