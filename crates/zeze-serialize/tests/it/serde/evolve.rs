//! Beans of another version.

use super::*;

type Any = serde_json::Value;

#[test]
fn unknown_fields_are_passed_over() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct New {
        a: i32,
        list: Vec<BTreeMap<String, Scalars>>,
        c: i32,
        bean: Option<Box<New>>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Old {
        #[serde(rename = "3")]
        c: i32,
    }
    let inner = New { a: 1, list: vec![], c: 2, bean: None };
    let map = BTreeMap::from([("x".to_owned(), Scalars { i32: 5, ..Scalars::default() })]);
    let new = New { a: 9, list: vec![map], c: 7, bean: Some(Box::new(inner)) };
    let bytes = to_vec(&new).unwrap();
    assert_eq!(from_slice::<Old>(&bytes).unwrap(), Old { c: 7 });
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: i32,
}

macro_rules! ignored {
    ($($bytes:literal as $type:ty = $value:expr, $error:literal;)+) => {$(
        let bytes = hex(&format!("1001 {} 1002 00", $bytes));
        let read: (i32, $type, i32) = from_slice(&bytes).unwrap();
        assert_eq!(read, (1, $value, 2), "{} as {}", $bytes, stringify!($type));
        let error = Options::new().strict(true).from_slice::<(i32, $type, i32)>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert_eq!(error.to_string(), concat!($error, " at byte 0x3, in [1]"));
    )+};
}

#[test]
fn what_does_not_convert_is_ignored_or_refused() {
    ignored! {
        "13 0161" as i32 = 0, "expected an integer, found a string";
        "13 0161" as bool = false, "expected a bool, found a string";
        "14 10 05" as f32 = 0.0, "expected a float, found a list";
        "15 00 01 05 06" as f64 = 0.0, "expected a double, found a map";
        "10 05" as String = String::new(), "expected a string, found an integer";
        "16 1005 00" as serde_bytes::ByteBuf = serde_bytes::ByteBuf::new(), "expected bytes, found a bean";
        "17 05 1005 00" as char = '\0', "expected a character, found a dynamic bean";
        "13 0161" as Vec<i32> = vec![], "expected a list, found a string";
        "14 10 05" as BTreeMap<i32, i32> = BTreeMap::new(), "expected a map, found a list";
        "1a 000000000000000000000000" as Inner = Inner { x: 0 }, "expected a bean, found a vector3";
        "13 0161" as Vector2 = Vector2::default(), "expected a vector2, found a string";
        "13 0161" as () = (), "expected a bean, found a string";
        "13 0161" as Option<i32> = Some(0), "expected an integer, found a string";
    }
    // Each element for itself; how many there are stays.
    let list: Vec<i32> = from_slice(&hex("23 0161 0162")).unwrap();
    assert_eq!(list, [0, 0]);
    let map: BTreeMap<String, i32> = from_slice(&hex("10 02 0000803f 05 00000040 06")).unwrap();
    assert_eq!(map, BTreeMap::from([(String::new(), 6)]));
}

#[test]
fn any_shows_what_is_there() {
    let bytes =
        hex("1005 13 0161 14 10 07 15 30 01 0162 08 28 00000000 0000803f 12 000000000000f03f 00");
    let json: (Any, Any, Any, Any, (), Any, Any) = from_slice(&bytes).unwrap();
    let json = serde_json::to_string(&json).unwrap();
    assert_eq!(json, r#"[5,"a",[7],{"b":8},null,[0.0,1.0],1.0]"#);
    // Beans have no names.
    for bytes in ["1005 00", "16 1009 00 00", "17 05 00 00"] {
        let error = from_slice::<(Any,)>(&hex(bytes)).map(drop).and(from_slice::<Any>(&hex(bytes)));
        assert_eq!(error.unwrap_err().kind(), zeze_serialize::ErrorKind::Unsupported);
    }
}
