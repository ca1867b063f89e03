//! Whole objects as structs, and ids.

use godot_variant::value::Instance;

use super::*;
use crate::support::hex;

#[derive(Debug, PartialEq, Deserialize)]
struct Item {
    #[serde(default)]
    script: Option<String>,
    label: String,
    pos: Vector2,
    child: Option<Box<Item>>,
}

fn instance(label: &str, child: Value) -> Instance {
    let mut item = Instance::new("RefCounted");
    item.properties.push(("script".into(), "res://item.gd".into()));
    item.properties.push(("label".into(), label.into()));
    item.properties.push(("pos".into(), Vector2::new(1.0, 2.0).into()));
    item.properties.push(("child".into(), child));
    item
}

#[test]
fn a_whole_object_is_a_struct_of_its_properties() {
    let mut said = Vec::new();
    let objects = Options::new().allow_objects(true);
    let inner = instance("inner", Value::Nil);
    let bytes = objects.to_vec(&Value::from(instance("outer", inner.into()))).unwrap();
    let item: Item = objects.from_slice(&bytes).unwrap();
    assert_snapshot_above!(format!("{item:#?}"));
    let list = objects.to_vec(&vec![objects.from_slice::<Value>(&bytes).unwrap()]).unwrap();
    assert_eq!(objects.from_slice::<Vec<Item>>(&list).unwrap(), [item]);
    said.push(refused(from_slice::<Item>(&bytes)));
    said.push(refused(from_slice::<Value>(&bytes)));
    said.push(refused(objects.from_slice::<Vec<i64>>(&bytes)));
    let wrong = objects.to_vec(&Value::from(instance("outer", 5.into()))).unwrap();
    said.push(refused(objects.from_slice::<Item>(&wrong)));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn classes_are_checked_where_they_are_known() {
    struct Classes;
    impl ClassDb for Classes {
        fn can_instantiate(&self, class: &str) -> bool {
            class == "RefCounted"
        }
    }
    let objects = Options::new().allow_objects(true).classes(std::sync::Arc::new(Classes));
    let good = objects.to_vec(&Value::from(instance("x", Value::Nil))).unwrap();
    objects.from_slice::<Item>(&good).unwrap();
    objects.from_slice::<Value>(&good).unwrap();
    let bad = objects.to_vec(&Value::from(Instance::new("Evil"))).unwrap();
    for error in [
        objects.from_slice::<Item>(&bad).unwrap_err(),
        objects.from_slice::<Value>(&bad).unwrap_err(),
        objects.from_slice::<Option<Item>>(&bad).unwrap_err(),
        objects.from_slice::<serde::de::IgnoredAny>(&bad).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::UnknownClass);
        assert_eq!(
            error.to_string(),
            r#"expected a class that can be instantiated, found "Evil" at byte 0x4"#
        );
    }
}

#[test]
fn ids() {
    let id = ObjectId(1 << 63 | 7);
    assert_eq!(words(&round_trip(&Options::new(), &id)), "18000100 07000000 00000080");
    assert_eq!(words(&to_vec(&ObjectId(0)).unwrap()), "00000000");
    assert_eq!(from_slice::<ObjectId>(&hex("00000000")).unwrap(), ObjectId(0));
    assert_eq!(from_slice::<Option<ObjectId>>(&hex("00000000")).unwrap(), None);
    assert_eq!(from_slice::<u64>(&to_vec(&id).unwrap()).unwrap(), id.0);
    // With whole objects on it is sent inside of an object, as the engine does.
    let objects = Options::new().allow_objects(true);
    let bytes = round_trip(&objects, &id);
    assert_eq!(
        shown(&objects, &bytes),
        r#"EncodedObjectAsID("object_id": -9223372036854775801, "script": null)"#
    );
    assert_eq!(
        refused(from_slice::<ObjectId>(&to_vec(&5).unwrap())),
        "expected the id of an object, found int at byte 0x0"
    );
}
