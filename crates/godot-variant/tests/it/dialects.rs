//! What Godot 3 and the published page do otherwise than Godot 4.

use godot_variant::types::Type;
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{hex, round_trip, shown, words};

fn three() -> Options {
    Options::new().dialect(Dialect::Godot3)
}

fn docs() -> Options {
    Options::new().dialect(Dialect::Docs)
}

#[test]
fn ids_of_types() {
    // The first column is Godot 3, then the page, then Godot 4.
    let table = [
        (Type::Nil, Some(0), Some(0), 0),
        (Type::Bool, Some(1), Some(1), 1),
        (Type::Int, Some(2), Some(2), 2),
        (Type::Float, Some(3), Some(3), 3),
        (Type::String, Some(4), Some(4), 4),
        (Type::Vector2, Some(5), Some(5), 5),
        (Type::Vector2i, None, None, 6),
        (Type::Rect2, Some(6), Some(6), 7),
        (Type::Rect2i, None, None, 8),
        (Type::Vector3, Some(7), Some(7), 9),
        (Type::Vector3i, None, None, 10),
        (Type::Transform2D, Some(8), Some(8), 11),
        (Type::Vector4, None, None, 12),
        (Type::Vector4i, None, None, 13),
        (Type::Plane, Some(9), Some(9), 14),
        (Type::Quaternion, Some(10), Some(10), 15),
        (Type::Aabb, Some(11), Some(11), 16),
        (Type::Basis, Some(12), Some(12), 17),
        (Type::Transform3D, Some(13), Some(13), 18),
        (Type::Projection, None, None, 19),
        (Type::Color, Some(14), Some(14), 20),
        (Type::StringName, None, None, 21),
        (Type::NodePath, Some(15), Some(15), 22),
        (Type::Rid, Some(16), Some(16), 23),
        (Type::Object, Some(17), Some(17), 24),
        (Type::Callable, None, None, 25),
        (Type::Signal, None, None, 26),
        (Type::Dictionary, Some(18), Some(18), 27),
        (Type::Array, Some(19), Some(19), 28),
        (Type::PackedByteArray, Some(20), Some(20), 29),
        (Type::PackedInt32Array, Some(21), Some(21), 30),
        (Type::PackedInt64Array, None, Some(22), 31),
        (Type::PackedFloat32Array, Some(22), Some(23), 32),
        (Type::PackedFloat64Array, None, Some(24), 33),
        (Type::PackedStringArray, Some(23), Some(25), 34),
        (Type::PackedVector2Array, Some(24), Some(26), 35),
        (Type::PackedVector3Array, Some(25), Some(27), 36),
        (Type::PackedColorArray, Some(26), Some(28), 37),
        (Type::PackedVector4Array, None, None, 38),
    ];
    assert_eq!(table.len(), Type::ALL.len());
    for (kind, godot3, page, godot4) in table {
        assert_eq!(kind.id(Dialect::Godot3), godot3, "{kind}");
        assert_eq!(kind.id(Dialect::Docs), page, "{kind}");
        assert_eq!(kind.id(Dialect::Godot4), Some(godot4), "{kind}");
    }
}

#[test]
fn one_dialect_read_as_another_gives_other_values() {
    let color = three().to_vec(&Color::new(0.25, 0.5, 0.75, 1.0)).unwrap();
    assert_eq!(shown(&Options::new(), &color), "Plane(0.25, 0.5, 0.75, 1.0)");
    let ints = three().to_vec(&PackedInt32Array(vec![5])).unwrap();
    assert_eq!(shown(&Options::new(), &ints), r#"&"\u{5}""#);
    let floats = three().to_vec(&PackedFloat32Array(vec![1.0, 0.0])).unwrap();
    assert_eq!(
        shown(&docs(), &floats[..12]),
        "Error(LengthLimit: expected 2 elements of 8 bytes, found 4 bytes at byte 0x4)"
    );
}

#[test]
fn structs_in_every_dialect() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        pos: Vector3,
        color: Color,
        scores: PackedInt32Array,
        tags: PackedStringArray,
        path: NodePath,
        basis: Basis,
        maybe: Option<Vec<f64>>,
        kind: Kind,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Scaled { by: f32, at: Vector2 },
    }
    let player = Player {
        name: "Bo".to_owned(),
        pos: Vector3::new(1.0, 2.0, 3.0),
        color: Color::new(0.25, 0.5, 0.75, 1.0),
        scores: vec![1, 2].into(),
        tags: ["a", "bcd"].into_iter().collect(),
        path: "/root/A:b".into(),
        basis: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].into(),
        maybe: Some(vec![0.1]),
        kind: Kind::Scaled { by: 0.5, at: Vector2::new(1.0, 2.0) },
    };
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
        for precision in [Precision::Keep, Precision::Single, Precision::Double] {
            let options = Options::new().dialect(dialect).precision(precision);
            let bytes = round_trip(&options, &player);
            round_trip(&options, &vec![Player { kind: Kind::Plain, ..player.clone() }]);
            let value: Value = options.from_slice(&bytes).unwrap();
            assert_eq!(options.to_vec(&value).unwrap(), bytes);
            for len in 0..bytes.len() {
                options.from_slice::<Player>(&bytes[..len]).unwrap_err();
            }
        }
    }
}

#[test]
fn godot_3_has_no_flags_on_vectors_and_containers() {
    // FLAG_64 on a vector is ignored, and so are the kinds of typed containers.
    assert_eq!(shown(&three(), &hex("05000100 0000803f 00000040")), "Vector2(1.0, 2.0)");
    let vector: Vector2 = three().from_slice(&hex("05000100 0000803f 00000040")).unwrap();
    assert_eq!(vector, Vector2::new(1.0, 2.0));
    assert_eq!(shown(&three(), &hex("13000100 01000000 00000000")), "[null]");
    assert_eq!(three().from_slice::<Vec<()>>(&hex("13000100 01000000 00000000")).unwrap(), [()]);
    assert_eq!(shown(&three(), &hex("12000500 00000000")), "{}");
    // Numbers have theirs.
    assert_eq!(shown(&three(), &hex("02000100 00000000 01000000")), "4294967296");
    assert_eq!(shown(&three(), &hex("03000100 9a999999 9999b93f")), "0.1");
    let wide = Vector2::<f64>::from([0.5, 0.1]);
    assert_eq!(three().to_vec(&wide).unwrap_err().kind(), ErrorKind::NumberRange);
    let rounded = three().precision(Precision::Single).to_vec(&wide).unwrap();
    assert_eq!(words(&rounded), "05000000 0000003f cdcccc3d");
    let exact = Vector2::<f64>::from([0.5, 0.25]);
    assert_eq!(words(&three().to_vec(&exact).unwrap()), "05000000 0000003f 0000803e");
}

#[test]
fn godot_3_sends_nothing_of_an_rid() {
    assert_eq!(words(&three().to_vec(&Rid(7)).unwrap()), "10000000");
    assert_eq!(three().from_slice::<Rid>(&hex("10000000")).unwrap(), Rid(0));
    assert_eq!(shown(&three(), &hex("13000000 02000000 10000000 00000000")), "[RID(0), null]");
}

#[test]
fn godot_3_sends_bases_by_rows() {
    let basis = Basis::<f32>::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let rows: PackedFloat32Array = vec![1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0].into();
    let four = Options::new();
    let elements = four.to_vec(&rows).unwrap()[8..].to_vec();
    for options in [three(), four] {
        let bytes = round_trip(&options, &basis);
        assert_eq!(bytes[4..], elements);
        assert_eq!(options.to_vec(&Value::from(basis)).unwrap(), bytes);
    }
    // The page lists them by columns.
    let columns = round_trip(&docs(), &basis);
    assert_eq!(columns[4..8], 1.0_f32.to_le_bytes());
    assert_eq!(columns[8..12], 2.0_f32.to_le_bytes());
    assert_eq!(docs().to_vec(&Value::from(basis)).unwrap(), columns);
}

#[test]
fn godot_3_reads_lone_surrogates_as_spaces_and_padding_as_it_comes() {
    let lone = hex("04000000 05000000 61eda080 62000000");
    assert_eq!(three().from_slice::<String>(&lone).unwrap(), "a b");
    assert_eq!(shown(&three(), &lone), r#""a b""#);
    let error = Options::new().from_slice::<String>(&lone).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, Some(9)));
    for wrong in ["04000000 02000000 c0800000", "04000000 04000000 eda0802a ff000000"] {
        three().from_slice::<String>(&hex(wrong)).unwrap_err();
    }
    // Engines of 3.x leave garbage behind the names of a path.
    let garbage = hex("0f000000 01000080 00000000 00000000 01000000 61deadbe");
    assert_eq!(three().from_slice::<NodePath>(&garbage).unwrap(), NodePath::new("a"));
    let error = three().strict(true).from_slice::<NodePath>(&garbage).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical);
}

#[test]
fn godot_3_embeds_scripts_as_objects() {
    let script = value::Instance {
        class: "GDScript".into(),
        properties: vec![("script/source".into(), "extends Node".into())],
    };
    let object = value::Instance {
        class: "Reference".into(),
        properties: vec![("script".into(), script.into())],
    };
    let objects = three().allow_objects(true);
    let bytes = objects.to_vec(&Value::from(object.clone())).unwrap();
    assert_eq!(objects.from_slice::<Value>(&bytes).unwrap(), Value::from(object.clone()));
    // Godot 4 takes paths alone.
    let four = Options::new().allow_objects(true);
    let error = four.to_vec(&Value::from(object)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ScriptUnavailable);
}

#[test]
fn typed_containers_are_godot_4_alone() {
    for options in [three(), docs()] {
        let error = options.to_vec(&TypedArray(vec![1_i64])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let error = options.to_vec(&TypedDictionary(vec![(1_i64, Value::Nil)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        // One of any values is not typed.
        let bytes = options.to_vec(&TypedArray(vec![Value::from(1)])).unwrap();
        assert_eq!(bytes, options.to_vec(&[1]).unwrap());
        // And any may be read as one.
        let bytes = options.to_vec(&[1]).unwrap();
        assert_eq!(options.from_slice::<TypedArray<i64>>(&bytes).unwrap().0, [1]);
    }
}

/// vectors/godot/README.md, the table of readings.
#[test]
fn the_page_read_literally() {
    // The type is the lower half of the header.
    let error = docs().from_slice::<Value>(&hex("02010000 05000000")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    // int64_count: four bytes of count, data at 8.
    let ints = round_trip(&docs(), &PackedInt64Array(vec![1 << 40]));
    assert_eq!(words(&ints), "16000000 01000000 00000000 00010000");
    // node_path_old_form and node_path_text_split: read only.
    let old = hex("0f000000 08000000 2f412f42 3a783a79");
    assert_eq!(docs().from_slice::<NodePath>(&old).unwrap(), NodePath::new("/A/B:x:y"));
    assert_eq!(shown(&docs(), &old), r#"^"/A/B:x:y""#);
    for (engine, id) in [(three(), 15), (Options::new(), 22)] {
        let mut bytes = old.clone();
        bytes[0] = id;
        let error = engine.from_slice::<NodePath>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OldNodePath);
    }
    // node_path_new_form: what is written.
    let path = round_trip(&docs(), &NodePath::new("/A:x"));
    assert_eq!(
        words(&path),
        "0f000000 01000080 01000000 01000000 01000000 41000000 01000000 78000000"
    );
    // The second flag means nothing on the page: no further name.
    let flags = hex("0f000000 01000080 00000000 03000000 01000000 41000000");
    assert_eq!(docs().from_slice::<NodePath>(&flags).unwrap(), NodePath::new("/A"));
    // float_width: as the engine chooses.
    assert_eq!(words(&docs().to_vec(&0.1).unwrap()), "03000100 9a999999 9999b93f");
    assert_eq!(words(&docs().to_vec(&0.5).unwrap()), "03000000 0000003f");
    // Strings of a packed array have no NUL, and text may contain one.
    let strings: PackedStringArray = ["ab", ""].into_iter().collect();
    assert_eq!(
        words(&round_trip(&docs(), &strings)),
        "19000000 02000000 02000000 61620000 00000000"
    );
    assert_eq!(words(&round_trip(&docs(), &"a\0".to_owned())), "04000000 02000000 61000000");
    assert_eq!(
        docs().from_slice::<String>(&hex("04000000 03000000 efbbbf00")).unwrap(),
        "\u{feff}"
    );
    // The shared bit is masked off and never written.
    assert_eq!(docs().from_slice::<Vec<()>>(&hex("13000000 01000080 00000000")).unwrap(), [()]);
}

#[test]
fn objects_of_the_page_are_told_apart_by_the_caller() {
    // object_by_caller: the same header for an id and for a whole object.
    let id = round_trip(&docs(), &ObjectId(7));
    assert_eq!(words(&id), "11000000 07000000 00000000");
    let whole = docs().allow_objects(true);
    let object = value::Instance { class: "Node".into(), properties: vec![("a".into(), 1.into())] };
    let bytes = whole.to_vec(&Value::from(object.clone())).unwrap();
    // object_name_padding: names are padded to four.
    assert_eq!(
        words(&bytes),
        "11000000 04000000 4e6f6465 01000000 01000000 61000000 02000000 01000000"
    );
    assert_eq!(whole.from_slice::<Value>(&bytes).unwrap(), Value::from(object));
    // Null is a zero word, alone or at the end.
    assert_eq!(words(&docs().to_vec(&ObjectId(0)).unwrap()), "11000000 00000000");
    for options in [docs(), whole.clone()] {
        let null = hex("11000000 00000000");
        assert_eq!(shown(&options, &null), "Object(null)");
        assert_eq!(options.from_slice::<Option<Value>>(&null).unwrap(), None);
    }
    assert_eq!(whole.to_vec(&ObjectId(7)).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn double_rows_of_the_page() {
    let double = docs().precision(Precision::Double);
    // double_packed_offset: the count keeps four bytes. double_color: channels are fields too.
    let points = PackedVector2Array::<f64>(vec![[0.1, 0.2].into()]);
    assert_eq!(
        words(&round_trip(&double, &points)),
        "1a000000 01000000 9a999999 9999b93f 9a999999 9999c93f"
    );
    assert_eq!(round_trip(&double, &Color::<f64>::from([0.1, 0.2, 0.3, 1.0])).len(), 36);
    let colors = PackedColorArray::<f64>(vec![[0.1; 4].into()]);
    assert_eq!(round_trip(&double, &colors).len(), 40);
    assert_eq!(round_trip(&double, &Vector2::new(0.5, 0.25)).len(), 20);
    // float and the arrays of floats do not change, and no flag says the width.
    assert_eq!(round_trip(&double, &PackedFloat32Array(vec![0.5])).len(), 12);
    assert_eq!(double.to_vec(&0.5).unwrap().len(), 8);
    let value: Value = double.from_slice(&double.to_vec(&points).unwrap()).unwrap();
    assert!(matches!(value, Value::Real64(_)), "{value:?}");
    // Without the precision it is single, whatever the value.
    let error = docs().to_vec(&Vector2::<f64>::from([0.1, 0.2])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NumberRange);
}

#[test]
fn through_buffers_in_every_dialect() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        at: Vector2,
        path: NodePath,
        ids: PackedInt32Array,
        any: Value,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
    }
    for options in [three(), docs(), docs().precision(Precision::Double)] {
        let any = if options.to_vec(&Color::new(0.0, 0.0, 0.0, 0.0)).unwrap().len() == 20 {
            Value::from(Vector3::new(1.0, 2.0, 3.0))
        } else {
            Value::from(Vector3::<f64>::from([0.1, 0.2, 0.3]))
        };
        let inner =
            Inner { at: Vector2::new(1.0, 2.0), path: "/a:b".into(), ids: vec![1].into(), any };
        round_trip(&options, &Outer { inner });
    }
}

/// The values of the samples that each dialect has no way to write, and why.
#[test]
fn what_a_dialect_cannot_say() {
    let mut lines = String::new();
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
        let options = Options::new().dialect(dialect).allow_objects(true);
        for value in crate::support::values() {
            if let Err(error) = options.to_vec(&value) {
                lines.push_str(&format!("{dialect:?}, {value:?}: {error}\n"));
            }
        }
    }
    insta::assert_snapshot!(lines);
}
