//! What several modules need: hexadecimal digits, round trips.

use std::fmt::Debug;

use godot_variant::value::{Array, Dictionary, Instance, Object, TypedArray, TypedDictionary};
use godot_variant::{
    Aabb, Basis, Callable, Color, Dialect, NodePath, ObjectId, Options, PackedByteArray,
    PackedColorArray, PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array,
    PackedStringArray, PackedVector2Array, PackedVector3Array, PackedVector4Array, Plane,
    Precision, Projection, Quaternion, Rect2, Rect2i, Rid, Signal, StringName, Transform2D,
    Transform3D, Value, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    types::{ElementType, Type},
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes from hexadecimal digits; white space between them is for the reader of the test.
#[track_caller]
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    gamewire_testkit::vectors::from_hex(&digits).unwrap()
}

/// Four-byte words in hexadecimal digits, as the format has them.
pub(crate) fn words(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.chunks(4).map(gamewire_testkit::vectors::to_hex).collect();
    words.join(" ")
}

/// Writes, reads back, compares; gives the bytes.
#[track_caller]
pub(crate) fn round_trip<T>(options: &Options, value: &T) -> Vec<u8>
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = options.to_vec(value).unwrap();
    match options.from_slice::<T>(&bytes) {
        Ok(back) => assert_eq!(&back, value, "from {}", words(&bytes)),
        Err(error) => panic!("{error}, from {}: {:?}", words(&bytes), shown(options, &bytes)),
    }
    bytes
}

/// The `Debug` of encoded bytes as a value.
pub(crate) fn shown(options: &Options, bytes: &[u8]) -> String {
    match options.from_slice::<Value>(bytes) {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{error:?}"),
    }
}

/// The sentence of an error that must be there.
#[track_caller]
pub(crate) fn refused<T: Debug>(result: godot_variant::Result<T>) -> String {
    result.unwrap_err().to_string()
}

/// Encoded bytes that are as the dialect writes them.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) options: Options,
    pub(crate) bytes: Vec<u8>,
}

/// One sample of every type, in every dialect and precision that has it, and what stands beside the
/// types: every width of numbers, lengths with and without padding, typed containers, objects.
pub(crate) fn samples() -> Vec<Sample> {
    let plain = Options::new();
    let mut samples = Vec::new();
    for (options, dialect) in [
        (plain.clone(), "4"),
        (plain.clone().precision(Precision::Double), "4 double"),
        (plain.clone().dialect(Dialect::Godot3), "3"),
        (plain.clone().dialect(Dialect::Docs), "docs"),
        (plain.clone().dialect(Dialect::Docs).precision(Precision::Double), "docs double"),
    ] {
        for value in values() {
            let whole = matches!(value, Value::Object(Object::Instance(_)));
            let options = options.clone().allow_objects(whole);
            // What a dialect cannot say is no sample of it.
            if let Ok(bytes) = options.to_vec(&value) {
                let name = format!("{value:?} in {dialect}");
                samples.push(Sample { name, options, bytes });
            }
        }
    }
    samples
}

/// Values of every type.
pub(crate) fn values() -> Vec<Value> {
    let mut instance = Instance::new("Node");
    instance.properties.push(("name".into(), StringName::new("a").into()));
    instance.properties.push(("script".into(), "res://a.gd".into()));
    vec![
        Value::Nil,
        true.into(),
        false.into(),
        7.into(),
        (-1).into(),
        i64::MAX.into(),
        i64::from(i32::MIN).into(),
        0.15625.into(),
        0.1.into(),
        f64::NAN.into(),
        (-0.0).into(),
        "".into(),
        "Ås".into(),
        "four".into(),
        Vector2::new(1.0, -2.5).into(),
        Vector2i::new(1, -2).into(),
        Rect2::<f32>::from([1.0, 2.0, 3.0, 4.0]).into(),
        Rect2i::from([1, 2, 3, 4]).into(),
        Vector3::new(1.0, 2.0, 3.0).into(),
        Vector3i::new(1, 2, 3).into(),
        Transform2D::<f32>::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).into(),
        Vector4::new(1.0, 2.0, 3.0, 4.0).into(),
        Vector4i::new(1, 2, 3, 4).into(),
        Plane::<f32>::from([0.0, 1.0, 0.0, 5.0]).into(),
        Quaternion::new(0.0, 0.0, 0.0, 1.0).into(),
        Aabb::<f32>::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).into(),
        Basis::<f32>::from(std::array::from_fn(|i| i as f32)).into(),
        Transform3D::<f32>::from(std::array::from_fn(|i| i as f32)).into(),
        Projection::<f32>::from(std::array::from_fn(|i| i as f32)).into(),
        Vector3::<f64>::from([0.1, 0.2, 0.3]).into(),
        Color::new(0.25, 0.5, 0.75, 1.0).into(),
        StringName::new("name").into(),
        NodePath::new("/root/A:b").into(),
        NodePath::new("").into(),
        Rid(7).into(),
        ObjectId(1 << 63 | 9).into(),
        instance.into(),
        Callable.into(),
        Signal { name: "hit".into(), object: ObjectId(9) }.into(),
        Value::from(Dictionary::new()),
        [("a", Value::from(1)), ("b", vec![2.5].into())].into_iter().collect(),
        TypedDictionary {
            key: ElementType::Builtin(Type::String),
            value: ElementType::Builtin(Type::Int),
            entries: [("a", 1)].into_iter().collect(),
        }
        .into(),
        Value::from(Array::new()),
        vec![Value::from(1), "a".into(), Value::Nil].into(),
        TypedArray {
            element: ElementType::Builtin(Type::Int),
            items: [1_i64, 1 << 40].into_iter().collect(),
        }
        .into(),
        TypedArray {
            element: ElementType::Class(ElementType::ENCODED_OBJECT_AS_ID.into()),
            items: vec![Value::from(ObjectId(3))].into(),
        }
        .into(),
        PackedByteArray(vec![1, 2, 3]).into(),
        PackedByteArray(vec![1, 2, 3, 4]).into(),
        PackedInt32Array(vec![1, -1]).into(),
        PackedInt64Array(vec![1 << 40]).into(),
        PackedFloat32Array(vec![0.5, -0.0]).into(),
        PackedFloat64Array(vec![0.1]).into(),
        ["a", "", "four"].into_iter().collect::<PackedStringArray>().into(),
        PackedVector2Array(vec![Vector2::new(1.0, 2.0)]).into(),
        PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0)]).into(),
        PackedColorArray(vec![Color::new(1.0, 0.5, 0.0, 1.0)]).into(),
        PackedVector4Array(vec![Vector4::new(1.0, 2.0, 3.0, 4.0)]).into(),
    ]
}

/// So many arrays inside of one another.
pub(crate) fn nested(levels: usize) -> Value {
    let mut value = Value::from(Array::new());
    for _ in 1..levels {
        value = vec![value].into();
    }
    value
}

/// A file of `testdata/godot-variant`.
pub(crate) fn testdata(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-variant").join(name)
}
