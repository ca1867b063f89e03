//! Samples of the wire with what they mean.

use godot_variant::value::Object;
use godot_variant::*;

use crate::support::{hex, shown, values, words};

/// Decodes, shows, and requires that the same bytes are written back, also from a clone.
#[track_caller]
fn decoded(options: &Options, digits: &str) -> String {
    let bytes = hex(digits);
    let value: Value = options.from_slice(&bytes).unwrap();
    let written = options.to_vec(&value.clone()).unwrap();
    assert_eq!(words(&written), words(&bytes), "{value:?} is written otherwise");
    format!("{value:?}")
}

macro_rules! golden {
    ($options:expr; $($digits:literal => $shown:literal)+) => {
        let options: Options = $options;
        $( assert_eq!(decoded(&options, $digits), $shown, "{}", $digits); )+
    };
}

/// spec §10: what the engine's own tests have.
#[test]
fn tests_of_the_engine() {
    golden! { Options::new();
        "00000000" => "null"
        "02000000 78563412" => "305419896"
        "02000100 efcdab89 674523f1" => "-1070935975390360081"
        "03000000 0000203e" => "0.15625"
        "03000100 55555555 5555d53f" => "0.3333333333333333"
        "1c000100 02000000 01000000 02000100 efcdab89 674523f1"
            => "Array[int][-1070935975390360081]"
        "1b000500 02000000 02000000 01000000 02000100 efcdab89 674523f1
         02000100 efcdab89 674523f1"
            => "Dictionary[int, int]{-1070935975390360081: -1070935975390360081}"
    }
    for (bytes, kind) in [("00", ErrorKind::UnexpectedEof), ("ff000000", ErrorKind::UnknownType)] {
        let error = from_slice::<Value>(&hex(bytes)).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, Some(0)));
        assert_eq!(error.engine_code(), Some("ERR_INVALID_DATA"));
    }
    // What its encoder gives for the same.
    assert_eq!(words(&to_vec(&0x1234_5678).unwrap()), "02000000 78563412");
    assert_eq!(words(&to_vec(&(1.0_f64 / 3.0)).unwrap()), "03000100 55555555 5555d53f");
}

/// Every sample value: its `Debug`, then its bytes, which are read back as the same value.
fn table(options: &Options) -> String {
    let mut lines = String::new();
    for value in values() {
        let whole = matches!(value, Value::Object(Object::Instance(_)));
        let options = options.clone().allow_objects(whole);
        match options.to_vec(&value) {
            Ok(bytes) => {
                let shown = decoded(&options, &words(&bytes));
                lines.push_str(&format!("{shown}\n    {}\n", words(&bytes)));
            }
            Err(error) => lines.push_str(&format!("{value:?}\n    {error}\n")),
        }
    }
    lines
}

#[test]
fn godot_4() {
    insta::assert_snapshot!(table(&Options::new()), @r#"
    null
        00000000
    true
        01000000 01000000
    false
        01000000 00000000
    7
        02000000 07000000
    -1
        02000000 ffffffff
    9223372036854775807
        02000100 ffffffff ffffff7f
    -2147483648
        02000000 00000080
    0.15625
        03000000 0000203e
    0.1
        03000100 9a999999 9999b93f
    NaN
        03000100 00000000 0000f87f
    -0.0
        03000000 00000080
    ""
        04000000 00000000
    "Ås"
        04000000 03000000 c3857300
    "four"
        04000000 04000000 666f7572
    Vector2(1.0, -2.5)
        05000000 0000803f 000020c0
    Vector2i(1, -2)
        06000000 01000000 feffffff
    Rect2(1.0, 2.0, 3.0, 4.0)
        07000000 0000803f 00000040 00004040 00008040
    Rect2i(1, 2, 3, 4)
        08000000 01000000 02000000 03000000 04000000
    Vector3(1.0, 2.0, 3.0)
        09000000 0000803f 00000040 00004040
    Vector3i(1, 2, 3)
        0a000000 01000000 02000000 03000000
    Transform2D(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        0b000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Vector4(1.0, 2.0, 3.0, 4.0)
        0c000000 0000803f 00000040 00004040 00008040
    Vector4i(1, 2, 3, 4)
        0d000000 01000000 02000000 03000000 04000000
    Plane(0.0, 1.0, 0.0, 5.0)
        0e000000 00000000 0000803f 00000000 0000a040
    Quaternion(0.0, 0.0, 0.0, 1.0)
        0f000000 00000000 00000000 00000000 0000803f
    AABB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        10000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Basis(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        11000000 00000000 00004040 0000c040 0000803f 00008040 0000e040 00000040 0000a040 00000041
    Transform3D(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
        12000000 00000000 00004040 0000c040 0000803f 00008040 0000e040 00000040 0000a040 00000041 00001041 00002041 00003041
    Projection(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
        13000000 00000000 0000803f 00000040 00004040 00008040 0000a040 0000c040 0000e040 00000041 00001041 00002041 00003041 00004041 00005041 00006041 00007041
    Vector3(0.1, 0.2, 0.3)
        09000100 9a999999 9999b93f 9a999999 9999c93f 33333333 3333d33f
    Color(0.25, 0.5, 0.75, 1.0)
        14000000 0000803e 0000003f 0000403f 0000803f
    &"name"
        15000000 04000000 6e616d65
    ^"/root/A:b"
        16000000 02000080 01000000 01000000 04000000 726f6f74 01000000 41000000 01000000 62000000
    ^""
        16000000 00000080 00000000 00000000
    RID(7)
        17000000 07000000 00000000
    Object(9223372036854775817)
        18000100 09000000 00000080
    Node("name": &"a", "script": "res://a.gd")
        18000000 04000000 4e6f6465 02000000 04000000 6e616d65 15000000 01000000 61000000 06000000 73637269 70740000 04000000 0a000000 7265733a 2f2f612e 67640000
    Callable()
        19000000
    Signal(9, "hit")
        1a000000 03000000 68697400 09000000 00000000
    {}
        1b000000 00000000
    {"a": 1, "b": [2.5]}
        1b000000 02000000 04000000 01000000 61000000 02000000 01000000 04000000 01000000 62000000 1c000000 01000000 03000000 00002040
    Dictionary[String, int]{"a": 1}
        1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000
    []
        1c000000 00000000
    [1, "a", null]
        1c000000 03000000 02000000 01000000 04000000 01000000 61000000 00000000
    Array[int][1, 1099511627776]
        1c000100 02000000 02000000 02000000 01000000 02000100 00000000 00010000
    Array[EncodedObjectAsID][Object(3)]
        1c000200 11000000 456e636f 6465644f 626a6563 74417349 44000000 01000000 18000100 03000000 00000000
    PackedByteArray(1, 2, 3)
        1d000000 03000000 01020300
    PackedByteArray(1, 2, 3, 4)
        1d000000 04000000 01020304
    PackedInt32Array(1, -1)
        1e000000 02000000 01000000 ffffffff
    PackedInt64Array(1099511627776)
        1f000000 01000000 00000000 00010000
    PackedFloat32Array(0.5, -0.0)
        20000000 02000000 0000003f 00000080
    PackedFloat64Array(0.1)
        21000000 01000000 9a999999 9999b93f
    PackedStringArray("a", "", "four")
        22000000 03000000 02000000 61000000 01000000 00000000 05000000 666f7572 00000000
    PackedVector2Array(1.0, 2.0)
        23000000 01000000 0000803f 00000040
    PackedVector3Array(1.0, 2.0, 3.0)
        24000000 01000000 0000803f 00000040 00004040
    PackedColorArray(1.0, 0.5, 0.0, 1.0)
        25000000 01000000 0000803f 0000003f 00000000 0000803f
    PackedVector4Array(1.0, 2.0, 3.0, 4.0)
        26000000 01000000 0000803f 00000040 00004040 00008040
    "#);
}

#[test]
fn godot_4_with_double_precision() {
    insta::assert_snapshot!(table(&Options::new().precision(Precision::Double)), @r#"
    null
        00000000
    true
        01000000 01000000
    false
        01000000 00000000
    7
        02000000 07000000
    -1
        02000000 ffffffff
    9223372036854775807
        02000100 ffffffff ffffff7f
    -2147483648
        02000000 00000080
    0.15625
        03000000 0000203e
    0.1
        03000100 9a999999 9999b93f
    NaN
        03000100 00000000 0000f87f
    -0.0
        03000000 00000080
    ""
        04000000 00000000
    "Ås"
        04000000 03000000 c3857300
    "four"
        04000000 04000000 666f7572
    Vector2(1.0, -2.5)
        05000100 00000000 0000f03f 00000000 000004c0
    Vector2i(1, -2)
        06000000 01000000 feffffff
    Rect2(1.0, 2.0, 3.0, 4.0)
        07000100 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040
    Rect2i(1, 2, 3, 4)
        08000000 01000000 02000000 03000000 04000000
    Vector3(1.0, 2.0, 3.0)
        09000100 00000000 0000f03f 00000000 00000040 00000000 00000840
    Vector3i(1, 2, 3)
        0a000000 01000000 02000000 03000000
    Transform2D(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        0b000100 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840
    Vector4(1.0, 2.0, 3.0, 4.0)
        0c000100 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040
    Vector4i(1, 2, 3, 4)
        0d000000 01000000 02000000 03000000 04000000
    Plane(0.0, 1.0, 0.0, 5.0)
        0e000100 00000000 00000000 00000000 0000f03f 00000000 00000000 00000000 00001440
    Quaternion(0.0, 0.0, 0.0, 1.0)
        0f000100 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000f03f
    AABB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        10000100 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840
    Basis(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        11000100 00000000 00000000 00000000 00000840 00000000 00001840 00000000 0000f03f 00000000 00001040 00000000 00001c40 00000000 00000040 00000000 00001440 00000000 00002040
    Transform3D(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
        12000100 00000000 00000000 00000000 00000840 00000000 00001840 00000000 0000f03f 00000000 00001040 00000000 00001c40 00000000 00000040 00000000 00001440 00000000 00002040 00000000 00002240 00000000 00002440 00000000 00002640
    Projection(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
        13000100 00000000 00000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840 00000000 00001c40 00000000 00002040 00000000 00002240 00000000 00002440 00000000 00002640 00000000 00002840 00000000 00002a40 00000000 00002c40 00000000 00002e40
    Vector3(0.1, 0.2, 0.3)
        09000100 9a999999 9999b93f 9a999999 9999c93f 33333333 3333d33f
    Color(0.25, 0.5, 0.75, 1.0)
        14000000 0000803e 0000003f 0000403f 0000803f
    &"name"
        15000000 04000000 6e616d65
    ^"/root/A:b"
        16000000 02000080 01000000 01000000 04000000 726f6f74 01000000 41000000 01000000 62000000
    ^""
        16000000 00000080 00000000 00000000
    RID(7)
        17000000 07000000 00000000
    Object(9223372036854775817)
        18000100 09000000 00000080
    Node("name": &"a", "script": "res://a.gd")
        18000000 04000000 4e6f6465 02000000 04000000 6e616d65 15000000 01000000 61000000 06000000 73637269 70740000 04000000 0a000000 7265733a 2f2f612e 67640000
    Callable()
        19000000
    Signal(9, "hit")
        1a000000 03000000 68697400 09000000 00000000
    {}
        1b000000 00000000
    {"a": 1, "b": [2.5]}
        1b000000 02000000 04000000 01000000 61000000 02000000 01000000 04000000 01000000 62000000 1c000000 01000000 03000000 00002040
    Dictionary[String, int]{"a": 1}
        1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000
    []
        1c000000 00000000
    [1, "a", null]
        1c000000 03000000 02000000 01000000 04000000 01000000 61000000 00000000
    Array[int][1, 1099511627776]
        1c000100 02000000 02000000 02000000 01000000 02000100 00000000 00010000
    Array[EncodedObjectAsID][Object(3)]
        1c000200 11000000 456e636f 6465644f 626a6563 74417349 44000000 01000000 18000100 03000000 00000000
    PackedByteArray(1, 2, 3)
        1d000000 03000000 01020300
    PackedByteArray(1, 2, 3, 4)
        1d000000 04000000 01020304
    PackedInt32Array(1, -1)
        1e000000 02000000 01000000 ffffffff
    PackedInt64Array(1099511627776)
        1f000000 01000000 00000000 00010000
    PackedFloat32Array(0.5, -0.0)
        20000000 02000000 0000003f 00000080
    PackedFloat64Array(0.1)
        21000000 01000000 9a999999 9999b93f
    PackedStringArray("a", "", "four")
        22000000 03000000 02000000 61000000 01000000 00000000 05000000 666f7572 00000000
    PackedVector2Array(1.0, 2.0)
        23000100 01000000 00000000 0000f03f 00000000 00000040
    PackedVector3Array(1.0, 2.0, 3.0)
        24000100 01000000 00000000 0000f03f 00000000 00000040 00000000 00000840
    PackedColorArray(1.0, 0.5, 0.0, 1.0)
        25000000 01000000 0000803f 0000003f 00000000 0000803f
    PackedVector4Array(1.0, 2.0, 3.0, 4.0)
        26000100 01000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040
    "#);
}

#[test]
fn godot_3() {
    insta::assert_snapshot!(table(&Options::new().dialect(Dialect::Godot3)), @r#"
    null
        00000000
    true
        01000000 01000000
    false
        01000000 00000000
    7
        02000000 07000000
    -1
        02000000 ffffffff
    9223372036854775807
        02000100 ffffffff ffffff7f
    -2147483648
        02000000 00000080
    0.15625
        03000000 0000203e
    0.1
        03000100 9a999999 9999b93f
    NaN
        03000100 00000000 0000f87f
    -0.0
        03000000 00000080
    ""
        04000000 00000000
    "Ås"
        04000000 03000000 c3857300
    "four"
        04000000 04000000 666f7572
    Vector2(1.0, -2.5)
        05000000 0000803f 000020c0
    Vector2i(1, -2)
        expected a type that Godot 3 has, found Vector2i
    Rect2(1.0, 2.0, 3.0, 4.0)
        06000000 0000803f 00000040 00004040 00008040
    Rect2i(1, 2, 3, 4)
        expected a type that Godot 3 has, found Rect2i
    Vector3(1.0, 2.0, 3.0)
        07000000 0000803f 00000040 00004040
    Vector3i(1, 2, 3)
        expected a type that Godot 3 has, found Vector3i
    Transform2D(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        08000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Vector4(1.0, 2.0, 3.0, 4.0)
        expected a type that Godot 3 has, found Vector4
    Vector4i(1, 2, 3, 4)
        expected a type that Godot 3 has, found Vector4i
    Plane(0.0, 1.0, 0.0, 5.0)
        09000000 00000000 0000803f 00000000 0000a040
    Quaternion(0.0, 0.0, 0.0, 1.0)
        0a000000 00000000 00000000 00000000 0000803f
    AABB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        0b000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Basis(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        0c000000 00000000 00004040 0000c040 0000803f 00008040 0000e040 00000040 0000a040 00000041
    Transform3D(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
        0d000000 00000000 00004040 0000c040 0000803f 00008040 0000e040 00000040 0000a040 00000041 00001041 00002041 00003041
    Projection(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
        expected a type that Godot 3 has, found Projection
    Vector3(0.1, 0.2, 0.3)
        expected a component that fits 32 bits, found 0.1, see Precision::Single
    Color(0.25, 0.5, 0.75, 1.0)
        0e000000 0000803e 0000003f 0000403f 0000803f
    &"name"
        expected a type that Godot 3 has, found StringName
    ^"/root/A:b"
        0f000000 02000080 01000000 01000000 04000000 726f6f74 01000000 41000000 01000000 62000000
    ^""
        0f000000 00000080 00000000 00000000
    RID(0)
        10000000
    Object(9223372036854775817)
        11000100 09000000 00000080
    Node("name": &"a", "script": "res://a.gd")
        expected a type that Godot 3 has, found StringName, in name
    Callable()
        expected a type that Godot 3 has, found Callable
    Signal(9, "hit")
        expected a type that Godot 3 has, found Signal
    {}
        12000000 00000000
    {"a": 1, "b": [2.5]}
        12000000 02000000 04000000 01000000 61000000 02000000 01000000 04000000 01000000 62000000 13000000 01000000 03000000 00002040
    Dictionary[String, int]{"a": 1}
        expected an untyped Dictionary, the only one of Godot 3, found a typed one
    []
        13000000 00000000
    [1, "a", null]
        13000000 03000000 02000000 01000000 04000000 01000000 61000000 00000000
    Array[int][1, 1099511627776]
        expected an untyped Array, the only one of Godot 3, found a typed one
    Array[EncodedObjectAsID][Object(3)]
        expected an untyped Array, the only one of Godot 3, found a typed one
    PackedByteArray(1, 2, 3)
        14000000 03000000 01020300
    PackedByteArray(1, 2, 3, 4)
        14000000 04000000 01020304
    PackedInt32Array(1, -1)
        15000000 02000000 01000000 ffffffff
    PackedInt64Array(1099511627776)
        expected a type that Godot 3 has, found PackedInt64Array
    PackedFloat32Array(0.5, -0.0)
        16000000 02000000 0000003f 00000080
    PackedFloat64Array(0.1)
        expected a type that Godot 3 has, found PackedFloat64Array
    PackedStringArray("a", "", "four")
        17000000 03000000 02000000 61000000 01000000 00000000 05000000 666f7572 00000000
    PackedVector2Array(1.0, 2.0)
        18000000 01000000 0000803f 00000040
    PackedVector3Array(1.0, 2.0, 3.0)
        19000000 01000000 0000803f 00000040 00004040
    PackedColorArray(1.0, 0.5, 0.0, 1.0)
        1a000000 01000000 0000803f 0000003f 00000000 0000803f
    PackedVector4Array(1.0, 2.0, 3.0, 4.0)
        expected a type that Godot 3 has, found PackedVector4Array
    "#);
}

#[test]
fn the_published_page() {
    insta::assert_snapshot!(table(&Options::new().dialect(Dialect::Docs)), @r#"
    null
        00000000
    true
        01000000 01000000
    false
        01000000 00000000
    7
        02000000 07000000
    -1
        02000000 ffffffff
    9223372036854775807
        02000100 ffffffff ffffff7f
    -2147483648
        02000000 00000080
    0.15625
        03000000 0000203e
    0.1
        03000100 9a999999 9999b93f
    NaN
        03000100 00000000 0000f87f
    -0.0
        03000000 00000080
    ""
        04000000 00000000
    "Ås"
        04000000 03000000 c3857300
    "four"
        04000000 04000000 666f7572
    Vector2(1.0, -2.5)
        05000000 0000803f 000020c0
    Vector2i(1, -2)
        expected a type that the published page has, found Vector2i
    Rect2(1.0, 2.0, 3.0, 4.0)
        06000000 0000803f 00000040 00004040 00008040
    Rect2i(1, 2, 3, 4)
        expected a type that the published page has, found Rect2i
    Vector3(1.0, 2.0, 3.0)
        07000000 0000803f 00000040 00004040
    Vector3i(1, 2, 3)
        expected a type that the published page has, found Vector3i
    Transform2D(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        08000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Vector4(1.0, 2.0, 3.0, 4.0)
        expected a type that the published page has, found Vector4
    Vector4i(1, 2, 3, 4)
        expected a type that the published page has, found Vector4i
    Plane(0.0, 1.0, 0.0, 5.0)
        09000000 00000000 0000803f 00000000 0000a040
    Quaternion(0.0, 0.0, 0.0, 1.0)
        0a000000 00000000 00000000 00000000 0000803f
    AABB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        0b000000 0000803f 00000040 00004040 00008040 0000a040 0000c040
    Basis(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        0c000000 00000000 0000803f 00000040 00004040 00008040 0000a040 0000c040 0000e040 00000041
    Transform3D(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
        0d000000 00000000 0000803f 00000040 00004040 00008040 0000a040 0000c040 0000e040 00000041 00001041 00002041 00003041
    Projection(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
        expected a type that the published page has, found Projection
    Vector3(0.1, 0.2, 0.3)
        expected a component that fits 32 bits, found 0.1, see Precision::Single
    Color(0.25, 0.5, 0.75, 1.0)
        0e000000 0000803e 0000003f 0000403f 0000803f
    &"name"
        expected a type that the published page has, found StringName
    ^"/root/A:b"
        0f000000 02000080 01000000 01000000 04000000 726f6f74 01000000 41000000 01000000 62000000
    ^""
        0f000000 00000080 00000000 00000000
    RID(7)
        expected a type that the published page has, found RID
    Object(9223372036854775817)
        11000000 09000000 00000080
    Node("name": &"a", "script": "res://a.gd")
        expected a type that the published page has, found StringName, in name
    Callable()
        expected a type that the published page has, found Callable
    Signal(9, "hit")
        expected a type that the published page has, found Signal
    {}
        12000000 00000000
    {"a": 1, "b": [2.5]}
        12000000 02000000 04000000 01000000 61000000 02000000 01000000 04000000 01000000 62000000 13000000 01000000 03000000 00002040
    Dictionary[String, int]{"a": 1}
        expected an untyped Dictionary, the only one of the published page, found a typed one
    []
        13000000 00000000
    [1, "a", null]
        13000000 03000000 02000000 01000000 04000000 01000000 61000000 00000000
    Array[int][1, 1099511627776]
        expected an untyped Array, the only one of the published page, found a typed one
    Array[EncodedObjectAsID][Object(3)]
        expected an untyped Array, the only one of the published page, found a typed one
    PackedByteArray(1, 2, 3)
        14000000 03000000 01020300
    PackedByteArray(1, 2, 3, 4)
        14000000 04000000 01020304
    PackedInt32Array(1, -1)
        15000000 02000000 01000000 ffffffff
    PackedInt64Array(1099511627776)
        16000000 01000000 00000000 00010000
    PackedFloat32Array(0.5, -0.0)
        17000000 02000000 0000003f 00000080
    PackedFloat64Array(0.1)
        18000000 01000000 9a999999 9999b93f
    PackedStringArray("a", "", "four")
        19000000 03000000 01000000 61000000 00000000 04000000 666f7572
    PackedVector2Array(1.0, 2.0)
        1a000000 01000000 0000803f 00000040
    PackedVector3Array(1.0, 2.0, 3.0)
        1b000000 01000000 0000803f 00000040 00004040
    PackedColorArray(1.0, 0.5, 0.0, 1.0)
        1c000000 01000000 0000803f 0000003f 00000000 0000803f
    PackedVector4Array(1.0, 2.0, 3.0, 4.0)
        expected a type that the published page has, found PackedVector4Array
    "#);
}

#[test]
fn the_published_page_with_double_precision() {
    let options = Options::new().dialect(Dialect::Docs).precision(Precision::Double);
    insta::assert_snapshot!(table(&options), @r#"
    null
        00000000
    true
        01000000 01000000
    false
        01000000 00000000
    7
        02000000 07000000
    -1
        02000000 ffffffff
    9223372036854775807
        02000100 ffffffff ffffff7f
    -2147483648
        02000000 00000080
    0.15625
        03000000 0000203e
    0.1
        03000100 9a999999 9999b93f
    NaN
        03000100 00000000 0000f87f
    -0.0
        03000000 00000080
    ""
        04000000 00000000
    "Ås"
        04000000 03000000 c3857300
    "four"
        04000000 04000000 666f7572
    Vector2(1.0, -2.5)
        05000000 00000000 0000f03f 00000000 000004c0
    Vector2i(1, -2)
        expected a type that the published page has, found Vector2i
    Rect2(1.0, 2.0, 3.0, 4.0)
        06000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040
    Rect2i(1, 2, 3, 4)
        expected a type that the published page has, found Rect2i
    Vector3(1.0, 2.0, 3.0)
        07000000 00000000 0000f03f 00000000 00000040 00000000 00000840
    Vector3i(1, 2, 3)
        expected a type that the published page has, found Vector3i
    Transform2D(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        08000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840
    Vector4(1.0, 2.0, 3.0, 4.0)
        expected a type that the published page has, found Vector4
    Vector4i(1, 2, 3, 4)
        expected a type that the published page has, found Vector4i
    Plane(0.0, 1.0, 0.0, 5.0)
        09000000 00000000 00000000 00000000 0000f03f 00000000 00000000 00000000 00001440
    Quaternion(0.0, 0.0, 0.0, 1.0)
        0a000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000f03f
    AABB(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        0b000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840
    Basis(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        0c000000 00000000 00000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840 00000000 00001c40 00000000 00002040
    Transform3D(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
        0d000000 00000000 00000000 00000000 0000f03f 00000000 00000040 00000000 00000840 00000000 00001040 00000000 00001440 00000000 00001840 00000000 00001c40 00000000 00002040 00000000 00002240 00000000 00002440 00000000 00002640
    Projection(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
        expected a type that the published page has, found Projection
    Vector3(0.1, 0.2, 0.3)
        07000000 9a999999 9999b93f 9a999999 9999c93f 33333333 3333d33f
    Color(0.25, 0.5, 0.75, 1.0)
        0e000000 00000000 0000d03f 00000000 0000e03f 00000000 0000e83f 00000000 0000f03f
    &"name"
        expected a type that the published page has, found StringName
    ^"/root/A:b"
        0f000000 02000080 01000000 01000000 04000000 726f6f74 01000000 41000000 01000000 62000000
    ^""
        0f000000 00000080 00000000 00000000
    RID(7)
        expected a type that the published page has, found RID
    Object(9223372036854775817)
        11000000 09000000 00000080
    Node("name": &"a", "script": "res://a.gd")
        expected a type that the published page has, found StringName, in name
    Callable()
        expected a type that the published page has, found Callable
    Signal(9, "hit")
        expected a type that the published page has, found Signal
    {}
        12000000 00000000
    {"a": 1, "b": [2.5]}
        12000000 02000000 04000000 01000000 61000000 02000000 01000000 04000000 01000000 62000000 13000000 01000000 03000000 00002040
    Dictionary[String, int]{"a": 1}
        expected an untyped Dictionary, the only one of the published page, found a typed one
    []
        13000000 00000000
    [1, "a", null]
        13000000 03000000 02000000 01000000 04000000 01000000 61000000 00000000
    Array[int][1, 1099511627776]
        expected an untyped Array, the only one of the published page, found a typed one
    Array[EncodedObjectAsID][Object(3)]
        expected an untyped Array, the only one of the published page, found a typed one
    PackedByteArray(1, 2, 3)
        14000000 03000000 01020300
    PackedByteArray(1, 2, 3, 4)
        14000000 04000000 01020304
    PackedInt32Array(1, -1)
        15000000 02000000 01000000 ffffffff
    PackedInt64Array(1099511627776)
        16000000 01000000 00000000 00010000
    PackedFloat32Array(0.5, -0.0)
        17000000 02000000 0000003f 00000080
    PackedFloat64Array(0.1)
        18000000 01000000 9a999999 9999b93f
    PackedStringArray("a", "", "four")
        19000000 03000000 01000000 61000000 00000000 04000000 666f7572
    PackedVector2Array(1.0, 2.0)
        1a000000 01000000 00000000 0000f03f 00000000 00000040
    PackedVector3Array(1.0, 2.0, 3.0)
        1b000000 01000000 00000000 0000f03f 00000000 00000040 00000000 00000840
    PackedColorArray(1.0, 0.5, 0.0, 1.0)
        1c000000 01000000 00000000 0000f03f 00000000 0000e03f 00000000 00000000 00000000 0000f03f
    PackedVector4Array(1.0, 2.0, 3.0, 4.0)
        expected a type that the published page has, found PackedVector4Array
    "#);
}

/// What no encoder writes but every engine reads.
#[test]
fn read_otherwise_than_written() {
    let read = |digits: &str| shown(&Options::new(), &hex(digits));
    insta::assert_snapshot!([
        // The type in the lowest byte alone; a flag without meaning.
        read("02ff0000 05000000"),
        read("04000100 01000000 61000000"),
        // Wider than needed.
        read("02000100 05000000 00000000"),
        read("03000100 00000000 0000e03f"),
        // Any word but zero is true.
        read("01000000 00010000"),
        // Up to the first NUL, without the byte order mark, whatever the padding.
        read("04000000 06000000 efbbbf61 00ff2a2a"),
        // Packed strings without NUL, or without anything.
        read("22000000 02000000 02000000 61620000 00000000"),
        // The shared bit of Godot 2; negative counts that are none.
        read("1c000000 01000080 00000000"),
        read("22000000 ffffffff"),
        // Padding may be missing at the very end.
        read("1d000000 01000000 07"),
        // A path with the obsolete property flag: one more name than the count says.
        read("16000000 01000080 00000000 02000000 01000000 61000000 01000000 62000000"),
        // Elements that fit a typed array by conversion, and one that is dropped.
        read("1c000100 02000000 03000000 03000000 0000c03f 01000000 01000000 04000000 00000000"),
        // The last of equal keys wins, in the place of the first; its type stays.
        read("1b000000 02000000 15000000 01000000 61000000 02000000 01000000
              04000000 01000000 61000000 02000000 02000000"),
    ].join("\n"), @r#"
    5
    "a"
    5
    0.5
    true
    "a"
    PackedStringArray("ab", "")
    [null]
    PackedStringArray()
    PackedByteArray(7)
    ^"a:b"
    Array[int][1, 1]
    {&"a": 2}
    "#);
}
