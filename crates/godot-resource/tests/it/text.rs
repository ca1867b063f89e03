//! Text, kept as it is.

use godot_resource::{Text, Value};

use crate::support::{files, testdata};

#[test]
fn every_sample_is_written_as_it_was_read() {
    let all = files(&testdata(), &[".tscn", ".tres"]);
    assert!(!all.is_empty());
    for file in all {
        let text = std::fs::read_to_string(&file).unwrap();
        let read = Text::parse(&text);
        if file.ends_with("load_marks.tscn") {
            let message =
                "expected a value, found the character '=' at line 6, column 2, in Root[\"\"]";
            assert_eq!(read.unwrap_err().to_string(), message);
            continue;
        }
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(read.to_string(), text, "{}", file.display());
    }
}

/// The writer's spelling of each value is the engine's.
#[test]
fn values_are_spelled_as_the_engine_does() {
    let mut others = Vec::new();
    for file in files(&testdata().join("pairs"), &[".tscn", ".tres"]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let read = Text::parse(&text).unwrap();
        for section in read.sections() {
            for (name, value) in section.values() {
                let raw = section.raw(name).unwrap();
                let options = godot_variant::Options::new()
                    .allow_objects(true)
                    .references(true)
                    .unchecked_types(true)
                    .spelling(match read.format() {
                        Some(2) => godot_variant::Spelling::Format2,
                        Some(4) => godot_variant::Spelling::Format4,
                        _ => godot_variant::Spelling::Format3,
                    });
                let written = godot_variant::text::value_to_string(&value, &options).unwrap();
                if written != raw {
                    others.push((raw.to_owned(), written));
                }
            }
        }
    }
    // The engine reads a float as the neighbour of the one that it wrote.
    let pairs: Vec<_> = others.iter().map(|(raw, written)| (&**raw, &**written)).collect();
    assert_eq!(
        pairs,
        [
            ("47.020623087882996", "47.02062308788299"),
            ("13.501444458961487", "13.501444458961489"),
            ("99.36476945877075", "99.36476945877077"),
        ]
    );
}

#[test]
fn an_edit_touches_its_value_alone() {
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2( 1,2 )\n\
                 metadata/x = {\"b\": [1.50,2],\n\"a\": 0x}\n";
    let scene = scene.replace("0x", "3");
    let mut text = Text::parse(&scene).unwrap();
    let node = &mut text.sections_mut()[2];
    let mut value = node.get("metadata/x").unwrap();
    value["b"][1] = 7.into();
    node.set("metadata/x", &value).unwrap();
    node.set("rotation", &Value::from(0.5)).unwrap();
    node.set_field("unique_id", &5.into()).unwrap();
    assert_eq!(
        text.to_string(),
        scene
            .replace("[1.50,2]", "[1.50,7]")
            .replace("3}\n", "3}\nrotation = 0.5\n")
            .replace("\"Node2D\"]", "\"Node2D\" unique_id=5]")
    );
    let node = &mut text.sections_mut()[2];
    assert!(node.remove("rotation") && node.remove("metadata/x") && node.remove_field("unique_id"));
    assert_eq!(node.as_str(), "[node name=\"A\" type=\"Node2D\"]\nposition = Vector2( 1,2 )\n");
}

#[test]
fn what_is_wrong_is_said_with_line_column_and_path() {
    let wrong = [
        (
            "[gd_scene format=3]\n\n[node name=\"A\"]\n\n[node name=\"B\" parent=\".\"]\nx = Vector2(1\n",
            "expected a comma or ), found the end at line 7, column 1, in [\"A/B\"].x",
        ),
        ("[gd_resource type=\"X\" format=5]\n", "expected a format up to 4, found a newer one"),
        (
            "[gd_scene format=3]\n[node name=Ä]\n",
            "expected a value, found the character 'Ä' at line 2, column 12, in node.name",
        ),
    ];
    for (text, message) in wrong {
        assert_eq!(Text::parse(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn files_of_engines_3_keep_their_spelling() {
    let scene = "[gd_scene load_steps=2 format=2]\r\n\r\n[sub_resource type=\"RectangleShape2D\" id=1]\r\n\r\n\
                 [node name=\"A\" type=\"Node2D\"]\r\nposition = Vector2( 1, 2 )\r\nlist = [ 1, PoolIntArray( 1, 2 ) ]\r\n";
    let mut text = Text::parse(scene).unwrap();
    let node = &mut text.sections_mut()[3];
    let mut list = node.get("list").unwrap();
    list[0] = vec![Value::from(0.1)].into();
    node.set("list", &list).unwrap();
    node.set("shape", &godot_resource::Reference::Internal("1".into()).into()).unwrap();
    assert_eq!(
        text.to_string(),
        scene
            .replace("[ 1, Pool", "[ [ 0.1 ], Pool")
            .replace(") ]\r\n", ") ]\r\nshape = SubResource( 1 )\r\n")
    );
}

#[test]
fn settings_are_sections_without_tags() {
    let settings = "; Engine configuration file.\n\nconfig_version=5\n\n[input]\n\njump={\n\"deadzone\": 0.5,\n\"events\": \
                    [Object(InputEventKey,\"resource_name\":\"\",\"pressed\":false)\n]\n}\n";
    let mut text = Text::parse(settings).unwrap();
    assert!(!text.has_tags() && text.format().is_none());
    assert_eq!(text.sections()[0].get("config_version"), Some(5.into()));
    let input = &mut text.sections_mut()[1];
    assert_eq!(input.tag(), "input");
    let mut jump = input.get("jump").unwrap();
    jump["deadzone"] = 0.25.into();
    input.set("jump", &jump).unwrap();
    input.set("run", &Value::from(true)).unwrap();
    let wanted = settings.replace("0.5", "0.25") + "run=true\n";
    assert_eq!(text.to_string(), wanted);
    assert_eq!(Text::parse("uid://b8a3m0607cq6k\n").unwrap().to_string(), "uid://b8a3m0607cq6k\n");
}

#[test]
fn a_byte_order_mark_stays() {
    let scene = "\u{feff}[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
    let mut text = Text::parse(scene).unwrap();
    text.sections_mut()[2].set("x", &1.into()).unwrap();
    assert_eq!(text.to_string(), [scene, "x = 1\n"].concat());
    let error = Text::parse(&scene.replace("\"A\"", "A(")).unwrap_err();
    assert_eq!(error.position(), Some((3, 12)));
}

#[test]
fn sections_are_put_in_and_taken_out() {
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
    let mut text = Text::parse(scene).unwrap();
    let node = godot_resource::Section::parse("\n[node name=\"B\"]\n");
    assert_eq!(
        node.unwrap_err().to_string(),
        "expected one section, found no head or more than one"
    );
    let node =
        godot_resource::Section::parse("[node name=\"B\" type=\"Node\" parent=\".\"]\nx = 1\n")
            .unwrap();
    text.sections_mut().push(node);
    assert_eq!(
        text.to_string(),
        [scene, "[node name=\"B\" type=\"Node\" parent=\".\"]\nx = 1\n"].concat()
    );
    text.sections_mut().remove(3);
    assert_eq!(text.to_string(), scene);
    assert!(text.sections_mut()[2].set_raw("x", "[1,").is_err());
    text.sections_mut()[2].set_raw("x", "[1,2]").unwrap();
    assert_eq!(text.to_string(), [scene, "x = [1,2]\n"].concat());
}
