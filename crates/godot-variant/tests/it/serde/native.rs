//! The data that native types are read from, and the Rust types that read them.

use std::collections::BTreeMap;

use super::*;

fn read<T: for<'de> Deserialize<'de>>(value: impl Into<Value>) -> Result<T> {
    from_value(&value.into())
}

#[test]
fn vectors_from_packed_arrays() {
    let floats = PackedFloat32Array(vec![1.0, 2.0]);
    assert_eq!(read::<Vec<f32>>(floats.clone()).unwrap(), [1.0, 2.0]);
    assert_eq!(read::<Vec<f64>>(floats.clone()).unwrap(), [1.0, 2.0]);
    assert_eq!(read::<Vec<i32>>(floats.clone()).unwrap(), [1, 2]);
    assert_eq!(read::<(f32, i8)>(floats.clone()).unwrap(), (1.0, 2));
    assert_eq!(read::<Vec<f32>>(vec![1.0, 2.0]).unwrap(), [1.0, 2.0]);
    assert_eq!(read::<Vec<Value>>(floats).unwrap(), [Value::from(1.0), Value::from(2.0)]);
    assert_eq!(read::<Vec<u8>>(PackedByteArray(vec![1, 255])).unwrap(), [1, 255]);
    assert_eq!(read::<Vec<i64>>(PackedInt32Array(vec![-1])).unwrap(), [-1]);
    assert_eq!(read::<Vec<i64>>(PackedInt64Array(vec![1 << 40])).unwrap(), [1 << 40]);
    assert_eq!(read::<Vec<f64>>(PackedFloat64Array(vec![0.1])).unwrap(), [0.1]);
    let strings: PackedStringArray = ["a", ""].into_iter().collect();
    assert_eq!(read::<Vec<String>>(strings.clone()).unwrap(), ["a", ""]);
    assert_eq!(read::<(String, StringName)>(strings).unwrap(), ("a".to_owned(), "".into()));
    refused(read::<Vec<u8>>(PackedInt32Array(vec![256])));
    refused(read::<Vec<String>>(PackedByteArray(vec![1])));
}

#[test]
fn vectors_from_packed_arrays_of_vectors() {
    let points = PackedVector3Array(vec![Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)]);
    assert_eq!(read::<Vec<Vector3>>(points.clone()).unwrap(), points.0);
    assert_eq!(read::<Vec<[f32; 3]>>(points.clone()).unwrap()[1], [4.0, 5.0, 6.0]);
    assert_eq!(read::<Vec<(f32, f64, i32)>>(points.clone()).unwrap()[0], (1.0, 2.0, 3));
    assert_eq!(read::<Vec<Vector3<f64>>>(points.clone()).unwrap()[0].z, 3.0);
    assert_eq!(read::<Vec<Value>>(points.clone()).unwrap()[0], Value::from(points.0[0]));
    assert_eq!(read::<Vec<Option<Vector3>>>(points.clone()).unwrap()[0], Some(points.0[0]));
    #[derive(Debug, PartialEq, Deserialize)]
    struct Point {
        x: f32,
        y: f32,
        z: f32,
    }
    assert_eq!(read::<Vec<Point>>(points.clone()).unwrap()[0], Point { x: 1.0, y: 2.0, z: 3.0 });
    let wide = PackedVector3Array::<f64>(vec![[0.1, 0.2, 0.3].into()]);
    assert_eq!(read::<Vec<[f64; 3]>>(wide.clone()).unwrap(), [[0.1, 0.2, 0.3]]);
    assert_eq!(read::<PackedVector3Array>(wide).unwrap().0, [Vector3::new(0.1, 0.2, 0.3)]);
    assert_eq!(
        refused(read::<Vec<Vector2>>(points.clone())),
        "expected Vector2, found Vector3, in [0]"
    );
    assert_eq!(
        refused(read::<Vec<[f32; 2]>>(points.clone())),
        "expected 2 components, found Vector3 with 3, in [0]"
    );
    assert_eq!(refused(read::<Vec<String>>(points)), "expected a string, found an array, in [0]");
}

#[test]
fn arrays_and_tuples_from_math_types() {
    let vector = Vector3::new(1.0, 2.0, 3.5);
    assert_eq!(read::<[f32; 3]>(vector).unwrap(), [1.0, 2.0, 3.5]);
    assert_eq!(read::<(f32, f64, f32)>(vector).unwrap(), (1.0, 2.0, 3.5));
    assert_eq!(read::<Vec<f64>>(vector).unwrap(), [1.0, 2.0, 3.5]);
    assert_eq!(read::<[i32; 2]>(Vector2i::new(1, 2)).unwrap(), [1, 2]);
    assert_eq!(read::<[f32; 4]>(Color::new(1.0, 2.0, 3.0, 4.0)).unwrap(), [1.0, 2.0, 3.0, 4.0]);
    // By axes, as the fields are declared, not by rows as they are sent.
    let basis = Basis::<f32>::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(read::<[f32; 9]>(basis).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(refused(read::<[i32; 3]>(vector)), "expected an integer, found float 3.5, in [2]");
    assert_eq!(refused(read::<[f32; 2]>(vector)), "expected 2 components, found Vector3 with 3");
    assert_eq!(
        refused(read::<[f32; 4]>(vector)),
        "expected an array of length 4, found 3 elements"
    );
}

#[test]
fn math_types_from_others() {
    let mut said = Vec::new();
    assert_eq!(read::<Vector3>(Vector3i::new(1, 2, 3)).unwrap(), Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(read::<Vector2>(Vector2i::new(1, 2)).unwrap(), Vector2::new(1.0, 2.0));
    assert_eq!(read::<Vector4>(Vector4i::new(1, 2, 3, 4)).unwrap().w, 4.0);
    assert_eq!(read::<Rect2>(Rect2i::from([1, 2, 3, 4])).unwrap().size.y, 4.0);
    assert_eq!(read::<Vector3>(vec![1.0, 2.0, 3.0]).unwrap(), Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(read::<Vector3>(vec![1, 2, 3]).unwrap(), Vector3::new(1.0, 2.0, 3.0));
    let floats = PackedFloat32Array(vec![1.0, 2.0, 3.0]);
    assert_eq!(read::<Vector3>(floats.clone()).unwrap(), Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(read::<Vector3i>(vec![1, 2, 3]).unwrap(), Vector3i::new(1, 2, 3));
    assert_eq!(read::<Vector3i>(PackedInt32Array(vec![1, 2, 3])).unwrap(), Vector3i::new(1, 2, 3));
    assert_eq!(read::<Color>(vec![1, 0, 0, 1]).unwrap(), Color::new(1.0, 0.0, 0.0, 1.0));
    let white = Vector4::new(1.0, 2.0, 3.0, 4.0);
    assert_eq!(read::<Color>(white).unwrap(), Color::new(1.0, 2.0, 3.0, 4.0));
    let basis: Basis = read((1..=9).collect::<Value>()).unwrap();
    assert_eq!(basis.y, Vector3::new(4.0, 5.0, 6.0));

    said.push(refused(read::<Color>(Quaternion::new(1.0, 2.0, 3.0, 4.0))));
    said.push(refused(read::<Vector4>(Quaternion::new(1.0, 2.0, 3.0, 4.0))));
    said.push(refused(read::<Vector3i>(Vector3::new(1.0, 2.0, 3.0))));
    said.push(refused(read::<Vector3>(Vector2::new(1.0, 2.0))));
    said.push(refused(read::<Vector3>(vec![1.0, 2.0])));
    said.push(refused(read::<Vector3>(vec![1.0, 2.0, 3.0, 4.0])));
    said.push(refused(read::<Vector3>(vec!["x"; 3])));
    said.push(refused(read::<Vector3>("(1, 2, 3)")));
    said.push(refused(read::<Vector3>(())));
    said.push(refused(read::<Vector2i>(floats)));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn both_widths_of_components() {
    let narrow = Vector3::new(0.1, 0.2, 0.3);
    let wide = Vector3::<f64>::from([0.1, 0.2, 0.3]);
    assert_eq!(to_vec(&narrow).unwrap().len(), 16);
    assert_eq!(to_vec(&wide).unwrap().len(), 28);
    round_trip(&Options::new(), &wide);
    assert_eq!(read::<Vector3<f64>>(narrow).unwrap(), narrow.cast());
    assert_eq!(read::<Vector3>(wide).unwrap(), narrow, "rounded");
    // The options choose what is written.
    let single = Options::new().precision(Precision::Single);
    let double = Options::new().precision(Precision::Double);
    assert_eq!(single.to_vec(&wide).unwrap(), to_vec(&narrow).unwrap());
    assert_eq!(double.to_vec(&narrow).unwrap(), to_vec(&narrow.cast::<f64>()).unwrap());
    // Colours have 32 bits in every engine.
    assert_eq!(double.to_vec(&Color::new(0.0, 0.0, 0.0, 1.0)).unwrap().len(), 20);
    let error = to_vec(&Color::<f64>::from([0.1; 4])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NumberRange);
    let basis = Basis::<f64>::from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    round_trip(&Options::new(), &basis);
    let narrow: Basis = from_slice(&single.to_vec(&basis).unwrap()).unwrap();
    assert_eq!(narrow, basis.cast());
    let points = PackedVector2Array::<f64>(vec![[0.1, 0.2].into()]);
    round_trip(&Options::new(), &points);
    let bytes = single.to_vec(&points).unwrap();
    assert_eq!(bytes.len(), 16);
    assert_eq!(from_slice::<PackedVector2Array<f64>>(&bytes).unwrap()[0].x, f64::from(0.1_f32));
}

#[test]
fn packed_arrays_from_others() {
    let mut said = Vec::new();
    assert_eq!(read::<PackedFloat32Array>(vec![1.0, 0.5]).unwrap().0, [1.0, 0.5]);
    assert_eq!(read::<PackedFloat32Array>(vec![1, 2]).unwrap().0, [1.0, 2.0]);
    assert_eq!(read::<PackedByteArray>(vec![1, 255]).unwrap().0, [1, 255]);
    assert_eq!(read::<PackedInt64Array>(PackedInt32Array(vec![1])).unwrap().0, [1]);
    assert_eq!(read::<PackedFloat64Array>(PackedFloat32Array(vec![0.5])).unwrap().0, [0.5]);
    let doubles = PackedFloat64Array(vec![0.5, 0.1]);
    assert_eq!(read::<PackedFloat32Array>(doubles).unwrap().0, [0.5, 0.1], "rounded");
    let vectors: Value = vec![Vector2::new(1.0, 2.0)].into();
    assert_eq!(read::<PackedVector2Array>(vectors).unwrap().0, [Vector2::new(1.0, 2.0)]);
    let texts: Value = vec![Value::from("a"), StringName::new("b").into()].into();
    assert_eq!(read::<PackedStringArray>(texts).unwrap().0, ["a", "b"]);
    said.push(refused(read::<PackedFloat32Array>(PackedFloat64Array(vec![1.0, 1e40]))));
    said.push(refused(read::<PackedInt32Array>(PackedInt64Array(vec![1]))));
    said.push(refused(read::<PackedByteArray>(vec![1, 256])));
    said.push(refused(read::<PackedByteArray>("text")));
    said.push(refused(read::<PackedStringArray>(vec![1])));
    said.push(refused(read::<PackedColorArray>(PackedVector4Array::<f32>::default())));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn text_types_from_each_other() {
    let mut said = Vec::new();
    assert_eq!(read::<StringName>("a").unwrap(), StringName::new("a"));
    assert_eq!(read::<String>(StringName::new("a")).unwrap(), "a");
    assert_eq!(read::<GString>(StringName::new("a")).unwrap(), "a");
    assert_eq!(read::<NodePath>("a/b:c").unwrap(), NodePath::new("a/b:c"));
    assert_eq!(read::<String>(NodePath::new("/a/b:c")).unwrap(), "/a/b:c");
    said.push(refused(read::<NodePath>(StringName::new("a"))));
    said.push(refused(read::<StringName>(NodePath::new("a"))));
    said.push(refused(read::<StringName>(5)));
    // A name of a map of Godot 3, which has no StringName.
    let godot3 = Options::new().dialect(Dialect::Godot3);
    assert_eq!(godot3.from_slice::<StringName>(&godot3.to_vec("a").unwrap()).unwrap(), *"a");
    said.push(refused(godot3.to_vec(&StringName::new("a"))));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn typed_arrays() {
    let mut said = Vec::new();
    let ids = TypedArray(vec![1_i64, 1 << 40]);
    let bytes = round_trip(&Options::new(), &ids);
    assert_eq!(
        words(&bytes),
        "1c000100 02000000 02000000 02000000 01000000 02000100 00000000 00010000"
    );
    assert_eq!(from_slice::<Vec<i64>>(&bytes).unwrap(), ids.0);
    assert_eq!(from_slice::<TypedArray<i64>>(&to_vec(&ids.0).unwrap()).unwrap(), ids, "untyped");
    round_trip(&Options::new(), &TypedArray(vec![TypedArray(vec![1.5]), TypedArray(vec![])]));
    round_trip(&Options::new(), &TypedArray(vec![Vector2::new(1.0, 2.0)]));
    round_trip(&Options::new(), &TypedArray(vec![Value::from(1), "a".into()]));
    assert_eq!(to_vec(&TypedArray(vec![Value::Nil])).unwrap(), to_vec(&[()]).unwrap());
    // Objects are named by the class that carries their ids.
    let objects = round_trip(&Options::new(), &TypedArray(vec![ObjectId(5)]));
    assert_eq!(shown(&Options::new(), &objects), "Array[EncodedObjectAsID][Object(5)]");
    said.push(refused(from_slice::<TypedArray<String>>(&bytes)));
    said.push(refused(from_slice::<TypedArray<f32>>(&bytes)));
    said.push(refused(from_slice::<TypedArray<ObjectId>>(&bytes)));
    said.push(refused(from_slice::<TypedArray<i64>>(&objects)));
    let nested = to_vec(&BTreeMap::from([("a", vec![TypedArray(vec!["x"])])])).unwrap();
    said.push(refused(from_slice::<BTreeMap<String, Vec<TypedArray<i64>>>>(&nested)));
    let godot3 = Options::new().dialect(Dialect::Godot3);
    said.push(refused(godot3.to_vec(&ids)));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn typed_dictionaries() {
    let mut said = Vec::new();
    let scores = TypedDictionary(vec![("b".to_owned(), 2_i64), ("a".to_owned(), 1)]);
    let bytes = round_trip(&Options::new(), &scores);
    assert_eq!(
        words(&bytes),
        "1b000500 04000000 02000000 02000000 04000000 01000000 62000000 02000000 02000000 \
         04000000 01000000 61000000 02000000 01000000"
    );
    assert_eq!(from_slice::<BTreeMap<String, i64>>(&bytes).unwrap()["b"], 2);
    let plain = to_vec(&BTreeMap::from([("a", 1)])).unwrap();
    assert_eq!(from_slice::<TypedDictionary<String, i64>>(&plain).unwrap().len(), 1);
    round_trip(&Options::new(), &TypedDictionary(vec![(Vector2i::new(1, 2), Value::from(1.5))]));
    round_trip(&Options::new(), &TypedDictionary(vec![(Value::from(1), true)]));
    round_trip(&Options::new(), &TypedDictionary::<Value, Value>(vec![]));
    let inner = TypedDictionary(vec![(1_i64, TypedArray(vec![0.5_f64]))]);
    round_trip(&Options::new(), &TypedDictionary(vec![("a".to_owned(), inner)]));
    said.push(refused(from_slice::<TypedDictionary<i64, i64>>(&bytes)));
    said.push(refused(from_slice::<TypedDictionary<String, bool>>(&bytes)));
    let godot3 = Options::new().dialect(Dialect::Godot3);
    said.push(refused(godot3.to_vec(&scores)));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn structs_in_typed_arrays() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Item {
        id: i64,
        pos: Vector2,
    }
    impl Element for Item {
        const TYPE: Option<Type> = Some(Type::Dictionary);
    }
    let items = TypedArray(vec![Item { id: 1, pos: Vector2::new(1.0, 2.0) }]);
    let bytes = round_trip(&Options::new(), &items);
    assert_eq!(
        shown(&Options::new(), &bytes),
        r#"Array[Dictionary][{"id": 1, "pos": Vector2(1.0, 2.0)}]"#
    );
}

#[test]
fn precision_of_the_engine_both_ways() {
    let double = Options::new().precision(Precision::Double);
    let bytes = round_trip(&double, &Natives { any: Value::Nil, ..Natives::sample() });
    let natives: Natives = Options::new().precision(Precision::Single).from_slice(&bytes).unwrap();
    assert_eq!(natives.vector, Natives::sample().vector);
    assert_eq!(natives.wide, Natives::sample().wide, "asked for 64 bits, got what was sent");
}
