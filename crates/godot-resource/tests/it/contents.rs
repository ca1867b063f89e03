//! What files hold.

use godot_resource::{Contents, Reference, Uid};

use crate::support::testdata;

fn open(name: &str) -> Contents {
    Contents::open(&std::fs::read(testdata().join(name)).unwrap()).unwrap()
}

#[test]
fn nodes_are_the_same_from_text_and_from_binary() {
    let text = open("scenes46/pid1.tscn");
    let binary = open("scenes46/pid1.scn");
    let (text, binary) = (text.scene.unwrap(), binary.scene.unwrap());
    assert_eq!(text.nodes.len(), binary.nodes.len());
    for (text, binary) in text.nodes.iter().zip(&binary.nodes) {
        assert_eq!(
            (&text.name, &text.class, &text.parent),
            (&binary.name, &binary.class, &binary.parent)
        );
        assert_eq!((text.unique_id, text.index), (binary.unique_id, binary.index));
        assert_eq!(text.parent_id_path, binary.parent_id_path);
        assert_eq!(text.instance.is_some(), binary.instance.is_some());
    }
    assert_eq!(text.nodes[2].parent_id_path, [1444150365, 1809215987]);
    // The engine's text leaves out the ids on the way to the nodes of a connection.
    let mut connection = binary.connections[0].clone();
    assert_eq!(std::mem::take(&mut connection.from_id_path), text.nodes[2].parent_id_path);
    assert_eq!(text.connections, [connection]);
    assert_eq!(text.editable, binary.editable);
    assert_eq!(text.find("C/Sprite/In").unwrap().index, Some(0));
    assert_eq!(text.find(".").unwrap().name, "Root");
}

#[test]
fn a_scene_that_inherits_has_an_instance_at_its_root() {
    let text = open("scenes46/inh1.tscn");
    let binary = text.to_binary(&Default::default()).unwrap();
    let again = Contents::open(&binary.file).unwrap();
    let root = |contents: &Contents| contents.scene.as_ref().unwrap().nodes[0].clone();
    assert_eq!(text.path(root(&text).instance.as_ref().unwrap()), Some("res://child.tscn"));
    assert_eq!(again.path(root(&again).instance.as_ref().unwrap()), Some("res://child.tscn"));
    assert!(again.has(&Reference::External("1".into())));
    assert!(!again.has(&Reference::Internal("1".into())));
}

/// It has no root, and an engine loads it all the same.
#[test]
fn a_first_node_with_a_parent_stays_one() {
    let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" parent=\"B\"]\n";
    let contents = Contents::open(text).unwrap();
    let binary = contents.to_binary(&Default::default()).unwrap();
    assert_eq!(Contents::open(&binary.file).unwrap().scene, contents.scene);
}

#[test]
fn uids_are_numbers_in_binary() {
    let text = b"[gd_resource type=\"Resource\" script_class=\"Item\" format=3 uid=\"uid://b8a3m0607cq6k\"]\n
[ext_resource type=\"Script\" uid=\"uid://y\" path=\"res://item.gd\" id=\"1_a\"]\n
[resource]\nscript = ExtResource(\"1_a\")\n";
    let contents = Contents::open(text).unwrap();
    let binary = contents.to_binary(&Default::default()).unwrap();
    let again = Contents::open(&binary.file).unwrap();
    assert_eq!(again.uid, Uid::parse("uid://b8a3m0607cq6k"));
    assert_eq!(again.script_class.as_deref(), Some("Item"));
    assert_eq!(again.externals[0].uid, Some(Uid(24)));
    let made = again.to_text(&Default::default()).unwrap().file;
    let id = made.split(" id=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(id.starts_with("1_") && id.len() == 7, "{id}");
    assert_eq!(made.replace(id, "1_a"), std::str::from_utf8(text).unwrap());
}

#[test]
fn what_holds_no_resource_is_said() {
    let cases: [(&[u8], &str); 6] = [
        (b"[video]\nfull=true\n", "expected a scene or resource, found settings"),
        (b"[gd_resource format=3]\n", "expected a field type, found none, in gd_resource"),
        (b"[gd_scene format=3]\n[resource]\n", "expected a tag of a gd_scene, found resource"),
        (
            b"[gd_scene format=3]\n[node name=5 parent=[]]\n",
            "expected text, found Array, in node.parent",
        ),
        (
            b"[gd_scene format=3]\n[connection signal=\"a\"]\n",
            "expected a field from, found none, in connection",
        ),
        (b"\xff\xfe", "expected RSRC, RSCC or text in UTF-8, found other bytes at byte 0x0"),
    ];
    for (bytes, message) in cases {
        assert_eq!(Contents::open(bytes).unwrap_err().to_string(), message);
    }
}
