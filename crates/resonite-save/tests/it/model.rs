//! Saves: slots, components, members, identifiers, edits.

use resonite_brson::value::{Array, Document};
use resonite_brson::{Container, ErrorKind, Options, Url, Value, brson};
use resonite_save::SavedObject;
use resonite_save::model::{ComponentPath, Defined, Member, Members, Problem, SlotPath};

use crate::shared;

fn bson(object: &SavedObject) -> Vec<u8> {
    Options::new().container(Container::BSON).to_vec(object).unwrap()
}

/// The real files that are no packages.
fn real() -> Vec<(String, Vec<u8>)> {
    let files = shared::trees().into_iter();
    files.filter(|(_, bytes)| resonite_brson::from_slice::<SavedObject>(bytes).is_ok()).collect()
}

#[test]
fn views_of_real_files() {
    for (name, bytes) in real() {
        let object: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        for (path, component) in object.components() {
            let shown = object.show_component(&path);
            assert!(component.id().is_some(), "{name}, {shown}");
            let found = object.component(&path).unwrap();
            assert!(std::ptr::eq(found.document(), component.document()), "{name}, {shown}");
            for (key, member) in component.members() {
                assert!(!matches!(member, Member::Other(_)), "{name}, {shown}.{key}: {member:?}");
            }
        }
        for (path, slot) in object.slots() {
            assert!(std::ptr::eq(object.slot(&path).unwrap().document(), slot.document()));
            assert!(slot.name().is_some() || slot.member("Name").is_some(), "{name}");
            assert!(slot.position().is_some() && slot.rotation().is_some(), "{name}");
            assert!(slot.scale().is_some() && slot.order_offset().is_some(), "{name}");
            // The ProtoGraph compiler misspells this key, and may have null there.
            let is_misspelt = slot.document().contains_key("Persistant-ID");
            assert!(slot.persistent_id().is_some() || is_misspelt, "{name}");
            assert!(slot.parent_reference().is_some(), "{name}");
        }
    }
}

#[test]
fn nothing_dangles_in_real_files() {
    for (name, bytes) in real() {
        let object: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        let index = object.index();
        assert_eq!(index.dangling(), [], "{name}");
        assert_eq!(index.repeated(), [""; 0], "{name}");
        assert!(index.references().count() > 0, "{name}");
        for (_, slot) in object.slots() {
            assert_eq!(index.get(slot.id().unwrap()), Some(Defined::Slot), "{name}");
        }
        for (path, component) in object.components() {
            let id = component.id().unwrap();
            assert_eq!(index.get(id), Some(Defined::Component), "{name}, {path:?}");
            let enabled = component.member("Enabled").unwrap().id().unwrap();
            assert_eq!(index.get(enabled), Some(Defined::Member), "{name}, {path:?}");
        }
    }
}

#[test]
fn renumbering_keeps_everything_together() {
    for (name, bytes) in real() {
        let original: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        let mut object = original.clone();
        let count = object.renumber();
        assert_eq!(count, original.index().len(), "{name}");
        let (old, new) = (original.index(), object.index());
        assert_eq!(new.dangling(), [], "{name}");
        assert_eq!(new.len(), count, "{name}");
        // The same things are referred to from the same places.
        for (before, after) in old.references().zip(new.references()) {
            assert_eq!(before.path, after.path, "{name}");
            assert_eq!(old.path(before.id), new.path(after.id), "{name}");
        }
        let again = {
            let mut again = object.clone();
            again.renumber();
            again
        };
        assert!(again == object, "{name}");
        if name == "colin_DataTree.bson" {
            // The engine numbers a tree without forward references in the same order.
            assert!(object == original);
        }
    }
}

/// The target of a reference may be gone; nothing else must get its identifier.
#[test]
fn dangling_references_stay_dangling() {
    let id = |number: u32| format!("{number:08x}-0000-0000-0000-000000000000");
    for number in 0..60 {
        let mut object = SavedObject::new("1", "Root");
        object.add_slot(&SlotPath::root(), "gone").unwrap();
        object.add_slot(&SlotPath::root(), "there").unwrap();
        let members = Members::new().reference("Target", Some(&id(number)));
        object.add_component(&SlotPath::root(), "[A]B", members).unwrap();
        object.remove_slot(&SlotPath::new([0])).unwrap();
        let lost = object.index().dangling().len();

        let mut renumbered = object.clone();
        assert_eq!(renumbered.renumber(), renumbered.index().len());
        assert_eq!(renumbered.index().dangling().len(), lost, "{number}");
        let again = renumbered.clone();
        renumbered.renumber();
        assert_eq!(renumbered, again, "{number}");

        // A save that is read again does not know which numbers were given away.
        let mut read: SavedObject = resonite_brson::from_slice(&bson(&object)).unwrap();
        for _ in 0..4 {
            read.add_slot(&SlotPath::root(), "new").unwrap();
        }
        assert_eq!(read.index().dangling().len(), lost, "{number}");

        let mut outer = SavedObject::new("1", "Outer");
        outer.insert(&SlotPath::root(), &object).unwrap();
        assert_eq!(outer.index().dangling().len(), lost, "{number}");
        let mut twice = object.clone();
        twice.insert(&SlotPath::root(), &object).unwrap();
        assert_eq!(twice.index().dangling().len(), 2 * lost, "{number}");
    }
}

#[test]
fn slots_are_extracted_and_put_back() {
    for (name, bytes) in real() {
        let object: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        let whole = object.extract(&SlotPath::root()).unwrap();
        assert_eq!(whole.cut, 0, "{name}");
        assert_eq!(whole.object.slots().count(), object.slots().count(), "{name}");
        for (path, slot) in object.slots().take(12) {
            let taken = object.extract(&path).unwrap();
            assert_eq!(taken.object.root().unwrap().name(), slot.name(), "{name}");
            assert_eq!(taken.object.index().dangling(), [], "{name}");
            for (path, component) in taken.object.components() {
                assert!(component.type_name().is_some(), "{name}, {path:?}");
            }
            if path.depth() > 1 || object.is_legacy() {
                continue;
            }
            let mut into = SavedObject::new("2026.8.12.1196", "Root");
            let first = into.insert(&SlotPath::root(), &taken.object).unwrap();
            let second = into.insert(&first.path, &taken.object).unwrap();
            assert_eq!(second.path, first.path.child(slot.children().count()), "{name}");
            let index = into.index();
            assert_eq!((index.dangling(), index.repeated()), (vec![], &[][..]), "{name}");
            assert_eq!(into.components().count(), 2 * taken.object.components().count(), "{name}");
            let types = |object: &SavedObject| {
                let names = object.components().map(|(_, own)| own.type_name().unwrap().to_owned());
                let mut names: Vec<String> = names.collect();
                names.sort();
                names
            };
            let (mut twice, both) = (types(&taken.object), types(&into));
            twice.extend(twice.clone());
            twice.sort();
            assert_eq!(both, twice, "{name}");
        }
    }
}

/// A scene with every shape of member.
fn scene() -> SavedObject {
    let mut object = SavedObject::new("2026.8.12.1196", "Lamp");
    object.add_feature_flag("ColorManagement");
    let root = SlotPath::root();
    let bulb = object.add_slot(&root, "Bulb").unwrap();
    object.add_slot(&root, "Bulb").unwrap();
    let mesh = object
        .add_asset("[FrooxEngine]FrooxEngine.QuadMesh", Members::new().field("Size", [1.0, 2.0]))
        .unwrap();
    object.add_asset("[FrooxEngine]FrooxEngine.BoxMesh", Members::new()).unwrap();
    let mesh_id = object.component(&mesh).unwrap().id().unwrap().to_owned();
    let members = Members::new()
        .reference("Mesh", Some(&mesh_id))
        .list("Materials", [Value::Null])
        .objects("Points", [Members::new().field("X", 1).field("Y", 2.5)])
        .object("Extra", Members::new().field("Inner", true))
        .delegate("Pressed", &mesh_id, "OnPressed")
        .field("Link", Url::new("https://example.org").unwrap())
        .bare("__legacy");
    object.add_component(&bulb, "[FrooxEngine]FrooxEngine.MeshRenderer", members).unwrap();
    object
}

#[test]
fn members_of_every_shape() {
    let object = scene();
    let (path, component) = object.find_components("FrooxEngine.MeshRenderer").next().unwrap();
    assert_eq!(object.show_component(&path), "Lamp/Bulb[0]:MeshRenderer");
    assert!(component.is_enabled());
    let member = |key| component.member(key).unwrap();
    assert!(matches!(member("Mesh"), Member::Field { data: Value::String(_), .. }));
    let index = object.index();
    assert_eq!(index.get(member("Mesh").target().unwrap()), Some(Defined::Component));
    assert_eq!(index.path(member("Mesh").target().unwrap()).unwrap(), "Assets[0].Data.ID");
    assert!(matches!(member("Materials"), Member::List { items, .. } if items.len() == 1));
    let points = member("Points").members();
    assert!(matches!(points[..], [("", Member::Object { .. })]));
    let x = points[0].1.members()[0];
    assert_eq!((x.0, x.1.value()), ("X", Some(&Value::Int32(1))));
    assert_eq!(index.get(points[0].1.id().unwrap()), Some(Defined::Element));
    assert_eq!(index.get(x.1.id().unwrap()), Some(Defined::Member));
    assert!(matches!(member("Extra"), Member::Object { .. }));
    assert!(matches!(member("Pressed"), Member::Delegate { method: Some("OnPressed"), .. }));
    assert_eq!(member("Link").url(), Some("https://example.org"));
    let bare = member("__legacy-ID");
    assert!(matches!(bare, Member::Bare { .. }));
    assert_eq!(index.get(bare.id().unwrap()), Some(Defined::Bare));
    assert_eq!(index.dangling(), []);
    let root = object.root().unwrap();
    assert_eq!(index.get(root.parent_reference().unwrap()), Some(Defined::ParentReference));
}

#[test]
fn what_is_written_is_in_the_engine_s_order() {
    let Some(folder) = shared::folder() else { return };
    let real: SavedObject =
        resonite_brson::from_slice(&std::fs::read(folder.join("colin_DataTree.bson")).unwrap())
            .unwrap();
    let own = scene();
    let keys = |document: &Document| document.keys().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(keys(own.document())[..5], keys(real.document())[..5]);
    let slots = (own.root().unwrap().document(), real.root().unwrap().document());
    assert_eq!(keys(slots.0), keys(slots.1));
    for key in ["Name", "Tag", "Active", "Position", "Rotation", "Scale", "OrderOffset"] {
        let kind = |slot: &Document| slot.get(key).unwrap()["Data"].kind();
        assert!(kind(slots.0) == kind(slots.1) || key == "Tag", "{key}");
    }
    let data = |object: &SavedObject| {
        let (_, component) = object.components().next().unwrap();
        keys(component.data().unwrap())[..4].to_vec()
    };
    assert_eq!(data(&own), data(&real));
}

#[test]
fn unused_parts_are_stripped() {
    let mut object = scene();
    let stripped = object.strip_unused();
    assert_eq!((stripped.assets, stripped.types, stripped.type_versions), (1, 1, 0));
    assert_eq!(object.strip_unused(), Default::default());
    let names: Vec<&str> = object.types().collect();
    assert_eq!(
        names,
        ["[FrooxEngine]FrooxEngine.QuadMesh", "[FrooxEngine]FrooxEngine.MeshRenderer"]
    );
    let found: Vec<_> = object.components().map(|(_, own)| own.type_name().unwrap()).collect();
    assert_eq!(found, [names[1], names[0]]);
}

#[test]
fn references_that_lead_outside_are_cut() {
    let mut object = scene();
    let bulb = object.slot(&SlotPath::new([0])).unwrap().id().unwrap().to_owned();
    let name = "[FrooxEngine]FrooxEngine.ReferenceField<[FrooxEngine]FrooxEngine.Slot>";
    let members = Members::new().reference("Reference", Some(&bulb));
    object.add_component(&SlotPath::new([1]), name, members).unwrap();
    let taken = object.extract(&SlotPath::new([1])).unwrap();
    assert_eq!(taken.cut, 1);
    let (_, component) = taken.object.find_components("ReferenceField<Slot>").next().unwrap();
    assert_eq!(component.member("Reference").unwrap().value(), Some(&Value::Null));
    assert_eq!(taken.object.assets().count(), 0);
    assert_eq!(object.extract(&SlotPath::new([7])), None);
}

#[test]
fn slots_and_components_are_changed() {
    let mut object = scene();
    let mut slot = object.slot_mut(&SlotPath::new([1])).unwrap();
    slot.set_name(Some("@home")).unwrap();
    slot.set_tag(Some("tag")).unwrap();
    slot.set_active(false).unwrap();
    slot.set_position([1.0, 2.0, 3.0]).unwrap();
    slot.set_order_offset(-5).unwrap();
    let slot = object.slot(&SlotPath::new([1])).unwrap();
    assert_eq!(slot.name(), Some("@@home")); // or it would be an address
    assert_eq!((slot.tag(), slot.is_active(), slot.order_offset()), (Some("tag"), false, Some(-5)));
    assert_eq!(slot.position(), Some([1.0, 2.0, 3.0]));
    let path = ComponentPath::Asset(0);
    let mut mesh = object.component_mut(&path).unwrap();
    assert_eq!(mesh.set("Size", [3.0, 4.0]).unwrap(), Value::from([1.0, 2.0]));
    assert_eq!(mesh.set("UpdateOrder", 7i64).unwrap(), Value::Int32(0));
    assert_eq!(mesh.set("Nothing", 1).unwrap_err().kind(), ErrorKind::Data);
    assert_eq!(mesh.set("UpdateOrder", 1i64 << 40).unwrap_err().kind(), ErrorKind::NumberRange);
    let mesh = object.component(&path).unwrap();
    assert_eq!(mesh.member("UpdateOrder").unwrap().value(), Some(&Value::Int32(7)));
}

/// Values that were put in by hand are known: nothing gets their identifiers.
#[test]
fn identifiers_that_were_put_in_are_not_given_again() {
    let id = |number: u32| format!("{number:08x}-0000-0000-0000-000000000000");
    for number in 20..60 {
        let root = SlotPath::root();
        let mut object = scene();
        object.add_slot(&root, "before").unwrap();
        object.slot_mut(&root).unwrap().document().insert("Extra-ID", id(number));
        let taken = object.index().repeated().len();
        for _ in 0..3 {
            object.add_slot(&root, "after").unwrap();
        }
        assert_eq!(object.index().repeated().len(), taken, "{number}");
        let mut object = scene();
        let (path, _) = object.find_components("MeshRenderer").next().unwrap();
        object.component_mut(&path).unwrap().set("Mesh", id(number)).unwrap();
        let lost = object.index().dangling().len();
        for _ in 0..3 {
            object.add_slot(&root, "after").unwrap();
        }
        assert_eq!(object.index().dangling().len(), lost, "{number}");
    }
}

#[test]
fn slots_and_components_are_arranged() {
    let name = |object: &SavedObject, path: &[usize]| {
        object.slot(&SlotPath::new(path)).and_then(|slot| slot.name()).map(str::to_owned)
    };
    let mut object = scene();
    let root = SlotPath::root();
    for name in ["a", "b", "c"] {
        object.add_slot(&root, name).unwrap();
    }
    let before = object.clone();
    // Out of the first slot's way, and back.
    let moved = object.move_slot(&SlotPath::new([0]), &SlotPath::new([3]), 0).unwrap();
    assert_eq!(moved, SlotPath::new([2, 0]));
    assert_eq!(name(&object, &[2]).as_deref(), Some("b"));
    assert_eq!(object.index().dangling(), []);
    assert_eq!(object.move_slot(&moved, &root, 0).unwrap(), SlotPath::new([0]));
    assert_eq!(object, before);
    assert_eq!(object.move_slot(&SlotPath::new([1]), &root, 99).unwrap(), SlotPath::new([4]));
    for (from, to) in [(vec![], vec![0]), (vec![0], vec![0]), (vec![9], vec![]), (vec![0], vec![9])]
    {
        let kept = object.clone();
        assert!(object.move_slot(&SlotPath::new(from), &SlotPath::new(to), 0).is_err());
        assert_eq!(object, kept);
    }

    let mut object = before.clone();
    let copy = object.duplicate_slot(&SlotPath::new([0])).unwrap();
    assert_eq!(copy, SlotPath::new([1]));
    let index = object.index();
    assert_eq!((index.dangling(), index.repeated()), (vec![], &[][..]));
    let meshes: Vec<_> = object.find_components("MeshRenderer").collect();
    let target = |at: usize| meshes[at].1.member("Mesh").unwrap().target().unwrap();
    assert_eq!((meshes.len(), target(0)), (2, target(1)));
    assert!(object.duplicate_slot(&root).is_err());
    // Twice what is in it, and both the same but for identifiers.
    let (first, second) = (object.extract(&SlotPath::new([0])), object.extract(&copy));
    let [first, second] = [first, second].map(|own| {
        let mut own = own.unwrap().object;
        own.renumber();
        own
    });
    assert_eq!(first, second);

    let (path, _) = object.find_components("MeshRenderer").next().unwrap();
    assert!(object.remove_component(&path).is_some());
    assert!(object.remove_component(&path).is_none());
    assert!(object.remove_component(&ComponentPath::Asset(0)).is_some());
    assert_eq!(object.index().dangling().len(), 2); // the other renderer's mesh, and its delegate
    assert!(object.remove_slot(&root).is_none());
    assert!(object.remove_slot(&SlotPath::new([1])).is_some());
    assert_eq!(object.slots().count(), 6);
    assert_eq!(object.leaves().count(), bson_leaves(&Value::from(object.clone())));
    let mut changed = 0;
    object.change_leaves(|_, value| changed += usize::from(value.as_f64().is_some()));
    assert!(changed > 10);
}

fn bson_leaves(value: &Value) -> usize {
    match value {
        Value::Document(document) => document.values().map(bson_leaves).sum(),
        Value::Array(items) => items.iter().map(bson_leaves).sum(),
        _ => 1,
    }
}

#[test]
fn what_looks_wrong_is_reported() {
    let mut good = scene();
    good.strip_unused();
    let shown =
        |object: &SavedObject| object.verify().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(shown(&good), [""; 0]);
    for (name, bytes) in real() {
        let object: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        // The ProtoGraph compiler misspells two keys.
        let is_other = |line: &&String| !line.contains("ersistant-ID` may be meant to be");
        assert_eq!(shown(&object).iter().find(is_other), None, "{name}");
    }
    let mut bad = good.clone();
    let root = SlotPath::root();
    let members = Members::new().field("Radius", 1.0).field("Offest", [0.0; 3]);
    bad.add_component(&root, "[FrooxEngine]FrooxEngine.BoxCollider", members).unwrap();
    bad.add_component(&root, "[FrooxEngine]FrooxEngine.Grabable", Members::new()).unwrap();
    let slot = bad.slot_mut(&root).unwrap().document();
    let tag = slot.shift_remove("Tag").unwrap();
    slot.insert("tag", tag);
    slot.shift_remove("Scale");
    let path = bad.find_components("QuadMesh").next().unwrap().0;
    bad.component_mut(&path).unwrap().document().insert("Type", 99);
    assert_eq!(
        shown(&bad),
        [
            "Lamp: `tag` may be meant to be `Tag`",
            "Lamp: has no `Scale`",
            "Lamp:BoxCollider: `Offest` may be meant to be `Offset`",
            "Assets:?: expected a Type that is in Types, found something else",
            "the type [FrooxEngine]FrooxEngine.Grabable may be meant to be [FrooxEngine]FrooxEngine.Grabbable",
        ]
    );
}

#[test]
fn presets_are_those_of_real_saves() {
    for (name, bytes) in real() {
        let real: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        let Some(version) = real.version_number() else { continue };
        let mut own = SavedObject::new(version, "Root");
        for name in real.types() {
            own.add_component(&SlotPath::root(), name, Members::new()).unwrap();
        }
        own.add_presets();
        let flags =
            |object: &SavedObject| object.feature_flags().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(flags(&own), flags(&real), "{name}");
        for (name, version) in own.type_versions() {
            assert!(real.type_versions().any(|other| other == (name, version)), "{name}");
        }
    }
}

#[test]
fn fields_keep_their_kind() {
    let mut object = SavedObject::new("1", "Root");
    let members = Members::new()
        .field("Width", 1.5)
        .field("Count", 3)
        .field("Name", "a")
        .field("On", true)
        .field("Size", [1.0, 2.0])
        .reference("Target", None);
    let path = object.add_component(&SlotPath::root(), "[A]B", members).unwrap();
    let mut own = object.component_mut(&path).unwrap();
    for (key, value, kept) in [
        ("Width", Value::Int32(2), Value::Double(2.0)),
        ("Width", Value::Int64(1 << 53), Value::Double(9_007_199_254_740_992.0)),
        ("Count", Value::Double(4.0), Value::Int32(4)),
        ("Count", Value::Int64(5), Value::Int32(5)),
        ("Size", Value::from([3, 4]), Value::from([3.0, 4.0])),
        ("Target", "x".into(), "x".into()),
        ("Target", Value::Null, Value::Null),
    ] {
        own.set(key, value.clone()).unwrap();
        assert_eq!(own.replace(key, kept.clone()).unwrap(), kept, "{key} {value:?}");
    }
    for (key, value, shown) in [
        ("Width", Value::from("2"), "expected a double as before, found a string, in Width"),
        ("Width", Value::Int64((1 << 53) + 1), ""),
        ("Count", Value::Double(0.5), ""),
        ("Count", Value::Double(-0.0), ""),
        ("Count", Value::Double(9_223_372_036_854_775_807.0), ""),
        ("Count", true.into(), ""),
        ("Name", Value::Int32(1), ""),
        ("On", Value::Int32(1), ""),
        ("Size", Value::Double(1.0), ""),
        ("Size", Value::from([3, 4, 5]), "expected 2 elements as before, found 3, in Size"),
        ("Size", Value::from(["a", "b"]), ""),
    ] {
        let before = own.replace(key, Value::Null).unwrap();
        own.replace(key, before.clone()).unwrap();
        let error = own.set(key, value).unwrap_err();
        assert!(shown.is_empty() || error.to_string() == shown, "{error}");
        assert_eq!(own.replace(key, before.clone()).unwrap(), before, "{key}");
    }
    // Another kind is there where it is asked for.
    assert_eq!(own.replace("Name", 1).unwrap(), "a");
}

#[test]
fn what_cannot_be_put_together() {
    let mut object = scene();
    let before = object.clone();
    let mut other = scene();
    assert_eq!(object.insert(&SlotPath::new([9]), &other).unwrap_err().kind(), ErrorKind::Data);
    other.set_type_version("[FrooxEngine]FrooxEngine.QuadMesh", 1);
    object.set_type_version("[FrooxEngine]FrooxEngine.QuadMesh", 2);
    let error = object.insert(&SlotPath::root(), &other).unwrap_err();
    assert_eq!(error.to_string(), "[FrooxEngine]FrooxEngine.QuadMes… has the versions 2 and 1");
    object = before.clone();
    let mut broken = scene();
    broken.document_mut().insert("Types", Array::new());
    assert!(object.insert(&SlotPath::root(), &broken).is_err());
    let mut legacy = Document::new();
    legacy.insert("Object", Document::new());
    let legacy = SavedObject::from_document(legacy).unwrap();
    let error = object.insert(&SlotPath::root(), &legacy).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(object, before);
    assert_eq!(
        object.add_component(&SlotPath::root(), "[", Members::new()).unwrap_err().kind(),
        ErrorKind::Data
    );
}

/// Keys that a future engine may add beside the slots are not known here, and do not come along.
#[test]
fn what_led_to_parts_that_do_not_come_along_is_null() {
    const LOST: &str = "0000ffff-0000-0000-0000-000000000000";
    let mut other = scene();
    let there = other.add_slot(&SlotPath::root(), "there").unwrap();
    let id = other.slot(&there).unwrap().id().unwrap().to_owned();
    let members = Members::new().reference("Target", Some(&id)).reference("Else", Some(LOST));
    other.add_component(&SlotPath::root(), "[A]B", members).unwrap();
    // The slot stands in another part now, where its identifier is still defined.
    let moved = other.slot(&there).unwrap().document().clone();
    other.remove_slot(&there).unwrap();
    // Nor does a list of assets that is none.
    for part in ["Future", "Assets"] {
        let mut other = other.clone();
        other.document_mut().insert(part, moved.clone());
        let lost = other.index().dangling().len();
        let mut object = scene();
        let before = object.clone();
        assert_eq!(object.insert(&SlotPath::root(), &other).unwrap().cut, 1, "{part}");
        assert_eq!(object.index().dangling().len(), lost, "{part}");
        let (_, component) = object.find_components("[A]B").next().unwrap();
        let data = |key: &str| component.data().unwrap().get(key).unwrap()["Data"].clone();
        assert_eq!((data("Target"), data("Else")), (Value::Null, Value::from(LOST)), "{part}");
        assert_eq!(object.slots().count(), before.slots().count() + other.slots().count());
        assert_eq!(object.insert(&SlotPath::root(), &before).unwrap().cut, 0);
    }
}

/// Damaged saves have children that are no slots, and slots without names.
#[test]
fn slots_without_names_are_found_by_what_is_shown() {
    let mut object = SavedObject::new("1", "Root");
    for _ in 0..4 {
        object.add_slot(&SlotPath::root(), "?").unwrap();
    }
    let root = object.document_mut().get_mut("Object").unwrap();
    let children = root.get_mut("Children").and_then(Value::as_array_mut).unwrap();
    children[0] = Value::from(5);
    children[2].as_document_mut().unwrap().retain(|(key, _)| key != "Name");
    let shown: Vec<String> = object.slots().map(|(path, _)| object.show_slot(&path)).collect();
    assert_eq!(shown, ["Root", "Root/?[0]", "Root/?[1]", "Root/?[2]"]);
    for (path, _) in object.slots() {
        assert_eq!(object.find_slot(&object.show_slot(&path)), Some(path));
    }
}

#[test]
fn a_document_without_a_slot_is_no_save() {
    let bytes = Options::new().container(Container::BSON).to_vec(&Document::new()).unwrap();
    let error = resonite_brson::from_slice::<SavedObject>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a save with a slot under `Object`, found a document without at byte 0x0"
    );
}

/// Saves from strangers: every shape where another is expected.
#[test]
fn odd_shapes_are_survived() {
    let original = Value::from(scene());
    let mut places = Vec::new();
    let mut todo = vec![(String::new(), original.clone())];
    while let Some((path, value)) = todo.pop() {
        match &value {
            Value::Document(document) => {
                for (key, inner) in document.iter() {
                    todo.push((format!("{path}/{key}"), inner.clone()));
                }
            }
            Value::Array(items) => {
                for (at, inner) in items.iter().enumerate() {
                    todo.push((format!("{path}/{at}"), inner.clone()));
                }
            }
            _ => {}
        }
        places.push(path);
    }
    let odd = [
        Value::Null,
        Value::Int32(-1),
        Value::Int64(i64::MAX),
        "x".into(),
        Array::new().into(),
        Document::new().into(),
        Value::from([[1, 2]]),
    ];
    for (at, place) in places.iter().enumerate().filter(|(_, place)| !place.is_empty()) {
        // Each place takes some of them, and its neighbours the others.
        for odd in odd.iter().skip(at % 3).step_by(3) {
            let mut value = original.clone();
            *value.pointer_mut(place).unwrap() = odd.clone();
            let Ok(mut object) = SavedObject::try_from(value) else { continue };
            let index = object.index();
            _ = (index.dangling(), index.references().count());
            for (path, component) in object.components() {
                _ = object.show_component(&path);
                _ = component.members().map(|(_, member)| member.members()).collect::<Vec<_>>();
            }
            for (path, _) in object.slots() {
                _ = object.show_slot(&path);
                _ = object.extract(&path);
            }
            _ = scene().insert(&SlotPath::root(), &object);
            object.strip_unused();
            object.renumber();
            _ = object.rewrite_urls(|_| None);
            _ = object.add_slot(&SlotPath::root(), "new");
            _ = object.add_asset("[A]B", Members::new());
        }
    }
}

/// As deep as the reader lets it be, on a small stack.
#[cfg(feature = "brotli")]
#[test]
fn deep_trees_need_no_stack() {
    let deep = || {
        let mut object = SavedObject::new("1", "0");
        let mut path = SlotPath::root();
        for level in 1..500 {
            path = object.add_slot(&path, &level.to_string()).unwrap();
        }
        object.add_component(&path, "[A]B", Members::new()).unwrap();
        let bytes = resonite_brson::to_vec(&object).unwrap();
        let mut object: SavedObject = resonite_brson::from_slice(&bytes).unwrap();
        assert_eq!(object.slots().count(), 500);
        assert_eq!(object.index().dangling(), []);
        assert_eq!(object.components().count(), 1);
        object.renumber();
        object.strip_unused();
        let taken = object.extract(&SlotPath::new([0])).unwrap();
        assert_eq!(taken.object.slots().count(), 499);
        assert_eq!(object.clone(), object);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(deep).unwrap().join().unwrap();
}

/// A reference is the same as long as it leads to the same object, whatever that is called.
#[test]
fn places_of_identifiers() {
    let mut old = SavedObject::new("2026.8.12.1196", "Lamp");
    let root = SlotPath::root();
    let [bulb, other] = ["Bulb", "Bulb"].map(|name| old.add_slot(&root, name).unwrap());
    let inner = old.add_slot(&bulb, "In it").unwrap();
    let members =
        || Members::new().list("Steps", [1, 2]).object("In", Members::new().field("A", 1));
    for slot in [&bulb, &other, &inner] {
        old.add_component(slot, "[A]B.Light", members()).unwrap();
        old.add_component(slot, "[A]B.Light", members()).unwrap();
    }
    old.add_asset("[A]B.Mesh", members()).unwrap();
    let index = old.index();
    let ids: Vec<String> = old
        .leaves()
        .filter(|(key, _)| *key == "ID")
        .filter_map(|(_, value)| value.as_str().map(str::to_owned))
        .collect();
    assert!(ids.len() > 60 && ids.iter().all(|id| index.get(id).is_some()));
    let places = old.places();
    let shown: Vec<String> = ids.iter().filter_map(|id| places.show(id)).collect();
    for place in [
        "Lamp",
        "Lamp.Name",
        "Lamp/Bulb[0]",
        "Lamp/Bulb[1]:Light[0]",
        "Lamp/Bulb[0]/In it:Light[1].Steps[1]",
        "Lamp/Bulb[0]/In it:Light[1].In.A",
        "Assets:Mesh.Steps",
    ] {
        assert_eq!(shown.iter().filter(|own| *own == place).count(), 1, "{place}: {shown:?}");
    }
    assert_eq!(places.show("no such"), None);
    // Each leads to itself and to nothing else.
    for a in &ids {
        let same = ids.iter().filter(|b| places.is_same(a, &places, b));
        assert_eq!(same.collect::<Vec<_>>(), [a]);
    }
    // In a save with another name, and in one with other identifiers.
    let mut renamed = old.clone();
    renamed.slot_mut(&bulb).unwrap().set_name(Some("Lantern")).unwrap();
    let new = renamed.places();
    assert_eq!(new.show(&ids[0]).as_deref(), Some("Lamp"));
    assert!(ids.iter().all(|id| places.is_same(id, &new, id)));
    assert!(ids.iter().any(|id| places.show(id) != new.show(id)));
    let mut others = old.clone();
    others.change_leaves(|_, value| {
        if let Some(id) = value.as_str().filter(|text| resonite_save::model::is_id(text)) {
            *value = format!("f{}", &id[1..]).into();
        }
    });
    let new = others.places();
    for id in &ids {
        assert!(places.is_same(id, &new, &format!("f{}", &id[1..])));
        assert!(!places.is_same(id, &new, "no such"));
    }
    assert!(places.is_same("lost", &new, "lost") && !places.is_same("lost", &new, "gone"));
}

/// A texture with an address, and the path of the component.
fn texture() -> (SavedObject, ComponentPath) {
    let mut object = SavedObject::new("2025.9.23.1237", "Root");
    let members = Members::new()
        .field("URL", Url::new("packdb:///00ff").unwrap())
        .field("Tint", brson!([1.0, 1.0, 1.0, 1.0, "sRGB"]))
        .field("Bias", 0.5)
        .field("Note", "text");
    let path = object.add_asset("[FrooxEngine]FrooxEngine.StaticTexture2D", members).unwrap();
    (object, path)
}

fn held(object: &SavedObject, path: &ComponentPath, key: &str) -> Value {
    object.component(path).unwrap().member(key).unwrap().value().unwrap().clone()
}

/// The engine throws on text where an address stood.
#[test]
fn over_an_address_stands_an_address() {
    let (mut object, path) = texture();
    for (written, stored) in [
        ("resdb:///00ff.webp", "@resdb:///00ff.webp"),
        ("@local://abc/1.png", "@local://abc/1.png"),
        ("https://example.com/a.png", "@https://example.com/a.png"),
        ("@steam://run", "@steam://run"),
    ] {
        object.component_mut(&path).unwrap().set("URL", written).unwrap();
        assert_eq!(held(&object, &path, "URL"), Value::from(stored));
    }
    for written in ["", "@", "@@resdb:///00ff", "picture.png", "C:\\a.png", "mailto:a@b.c"] {
        let error = object.component_mut(&path).unwrap().set("URL", written).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{written}");
        assert!(
            error.to_string().starts_with("expected an address, such as `@resdb:///"),
            "{error}"
        );
    }
    object.component_mut(&path).unwrap().set("Note", "resdb:///00ff").unwrap();
    assert_eq!(held(&object, &path, "Note"), Value::from("resdb:///00ff"));
    object.component_mut(&path).unwrap().set("URL", Value::Null).unwrap();
    assert_eq!(held(&object, &path, "URL"), Value::Null);
}

#[test]
fn new_members_with_addresses_have_addresses() {
    let mut object = SavedObject::new("2025.9.23.1237", "Root");
    let mut add = |name: &str, members| object.add_component(&SlotPath::root(), name, members);
    let path = add("[A]B", Members::new().field("IconURL", "resdb:///00ff.webp")).unwrap();
    let inner = Members::new().field("URL", "a.png");
    let nested = Members::new().objects("List", [inner]);
    let error = add("[A]B", nested).unwrap_err().to_string();
    assert!(error.starts_with("expected an address, such as a `Url`, found \"a.png\""), "{error}");
    let value = || Members::new().field("Value", "a.png");
    assert!(add("[A]ValueField<Uri>", value()).is_err());
    add("[A]ValueField<string>", value()).unwrap();
    // Such a node refers to what has the address.
    let reference = Members::new().field("Value", "00000108-0000-0000-0000-000000000000");
    add("[A]ObjectValueSource<Uri>", reference).unwrap();
    assert!(!object.verify().iter().any(|own| matches!(own, Problem::PlainUrl { .. })));
    assert_eq!(held(&object, &path, "IconURL"), Value::from("@resdb:///00ff.webp"));
    assert_eq!(object.components().count(), 3);
}

#[test]
fn text_in_the_place_of_an_address_is_a_problem() {
    let (mut object, path) = texture();
    let before = object.verify();
    object.component_mut(&path).unwrap().replace("URL", "resdb:///00ff.webp").unwrap();
    let found: Vec<String> = object.verify().iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), before.len() + 1);
    let expected =
        "Assets:StaticTexture2D: `URL` is \"resdb:///00ff.webp\", and an address begins with `@`";
    assert!(found.iter().any(|own| own == expected), "{found:?}");
}

/// Numbers and vectors have no null, and a vector keeps its length.
#[test]
fn a_value_takes_the_kind_of_the_one_before_it() {
    let (mut object, path) = texture();
    for (key, value, expected) in [
        ("Bias", Value::Null, "expected a double as before, found null"),
        ("Enabled", Value::Null, "expected a bool as before, found null"),
        ("Tint", Value::Null, "expected an array as before, found null"),
        ("Tint", brson!([1.0]), "expected 5 elements as before, found 1"),
        ("Tint", brson!([1.0, 1.0, 1.0, 1.0, 1.0]), "expected a string as before, found a double"),
        ("Tint", brson!([1.0, 1.0, 1.0, 1.0, "sRGB", 1.0]), "expected 5 elements as before"),
    ] {
        let error = object.component_mut(&path).unwrap().set(key, value).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let mut set = |key: &str, value: Value| object.component_mut(&path).unwrap().set(key, value);
    set("Note", Value::Null).unwrap();
    set("Note", 5.into()).unwrap();
    // Without the profile, it stays.
    set("Tint", brson!([1, 0, 0, 1])).unwrap();
    assert_eq!(held(&object, &path, "Tint"), brson!([1.0, 0.0, 0.0, 1.0, "sRGB"]));
    let mut slot = object.slot_mut(&SlotPath::root()).unwrap();
    slot.set_position([1.0, 2.0, 3.0]).unwrap();
}

/// Each slot has a path by which it alone is found, whatever its siblings are called.
#[test]
fn slots_of_the_same_name_have_paths_of_their_own() {
    let mut object = SavedObject::new("1", "Root");
    for name in ["Slot", "Slot", "Slot[1]", "Slot[1][0]", "Slot[7]", "Lamp[0]"] {
        object.add_slot(&SlotPath::root(), name).unwrap();
    }
    let shown: Vec<String> = object.slots().map(|(path, _)| object.show_slot(&path)).collect();
    let places = object.places();
    let ids: Vec<&str> = object.slots().filter_map(|(_, slot)| slot.id()).collect();
    let placed: Vec<String> = ids.iter().filter_map(|id| places.show(id)).collect();
    let expected = [
        "Root",
        "Root/Slot[0]",
        "Root/Slot[1]",
        "Root/Slot[1][0]",
        "Root/Slot[1][0][0]",
        "Root/Slot[7]",
        "Root/Lamp[0]",
    ];
    assert_eq!(shown, expected);
    assert_eq!(placed, expected);
    for (path, _) in object.slots() {
        assert_eq!(object.find_slot(&object.show_slot(&path)), Some(path));
    }
    assert_eq!(object.find_slot("Root/Slot"), None);
    assert_eq!(object.find_slots("Root/Slot"), [SlotPath::new([0]), SlotPath::new([1])]);
    assert_eq!(object.find_slots("Root/Shade"), []);
}

#[test]
fn literals_go_where_values_go() {
    let mut lamp = SavedObject::new("2026.8.12.1196", "Lamp");
    let members = Members::new().field("Color", brson!([1.0, 0.5, 0.25, 1.0, "sRGB"]));
    let light = lamp.add_component(&SlotPath::root(), "[FrooxEngine]FrooxEngine.Light", members);
    let light = lamp.component(&light.unwrap()).unwrap();
    assert_eq!(light.member("Color").unwrap().value().unwrap()[4], "sRGB");
}
