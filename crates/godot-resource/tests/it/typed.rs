//! Rust types from both forms.

use std::collections::BTreeMap;

use godot_resource::{Contents, ErrorKind, Options, Value};
use godot_variant::types::Vector2;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, PartialEq)]
struct Save {
    level: i64,
    hero: Hero,
    bag: Vec<Item>,
    by_name: BTreeMap<String, Item>,
    icon: String,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Hero {
    name: String,
    position: Vector2,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Item {
    count: u32,
}

const SAVE: &str = r#"[gd_resource type="Resource" script_class="Save" format=3]

[ext_resource type="Script" path="res://item.gd" id="1_a"]
[ext_resource type="Texture2D" path="res://icon.png" id="2_b"]

[sub_resource type="Resource" id="Resource_hero"]
name = "Åsa"
position = Vector2(1, 2.5)

[sub_resource type="Resource" id="Resource_item"]
script = ExtResource("1_a")
count = 3

[resource]
level = 7
hero = SubResource("Resource_hero")
bag = Array[ExtResource("1_a")]([SubResource("Resource_item"), SubResource("Resource_item")])
by_name = Dictionary[String, ExtResource("1_a")]({
"lamp": SubResource("Resource_item")
})
icon = ExtResource("2_b")
"#;

#[test]
fn a_struct_is_read_from_both_forms() {
    let item = || Item { count: 3 };
    let wanted = Save {
        level: 7,
        hero: Hero { name: "Åsa".into(), position: Vector2::new(1.0, 2.5) },
        bag: vec![item(), item()],
        by_name: [("lamp".to_owned(), item())].into(),
        icon: "res://icon.png".into(),
    };
    assert_eq!(godot_resource::from_str::<Save>(SAVE).unwrap(), wanted);
    let made = Contents::open(SAVE.as_bytes()).unwrap().to_binary(&Options::new()).unwrap();
    let losses: Vec<String> = made.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        [
            "bag: the binary form does not keep the types of arrays and dictionaries",
            "by_name: the binary form does not keep the types of arrays and dictionaries",
        ]
    );
    assert_eq!(godot_resource::from_slice::<Save>(&made.file).unwrap(), wanted);
}

#[test]
fn nodes_are_read_by_their_paths() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Level {
        #[serde(rename = "Player")]
        player: Player,
        #[serde(rename = "Player/Timer")]
        timer: Timer,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Player {
        position: Vector2,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Timer {
        wait_time: f64,
    }
    let text = "[gd_scene format=3]\n\n[node name=\"Level\" type=\"Node2D\"]\n\n[node name=\"Player\" type=\"Node2D\" \
                parent=\".\"]\nposition = Vector2(3, 4)\n\n[node name=\"Timer\" type=\"Timer\" parent=\"Player\"]\nwait_time = 0.5\n";
    let level: Level = godot_resource::from_str(text).unwrap();
    assert_eq!(level.timer, Timer { wait_time: 0.5 });
    let binary = Contents::open(text.as_bytes()).unwrap().to_binary(&Options::new()).unwrap();
    assert_eq!(godot_resource::from_slice::<Level>(&binary.file).unwrap(), level);
}

#[test]
fn a_struct_is_written() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Settings {
        volume: f64,
        names: Vec<String>,
    }
    let settings = Settings { volume: 0.5, names: vec!["a\"b".into(), "ü".into()] };
    let text = godot_resource::to_string(&settings).unwrap();
    assert_eq!(
        text,
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nvolume = 0.5\nnames = [\"a\\\"b\", \"ü\"]\n"
    );
    assert_eq!(godot_resource::from_str::<Settings>(&text).unwrap(), settings);
    let bytes = godot_resource::to_vec(&settings).unwrap();
    assert_eq!(godot_resource::from_slice::<Settings>(&bytes).unwrap(), settings);
    let error = godot_resource::to_string(&5).unwrap_err();
    assert_eq!(error.to_string(), "expected a struct of properties, found int");
}

#[test]
fn what_does_not_fit_is_said_with_its_path() {
    let text = SAVE.replace("count = 3", "count = -3");
    let error = godot_resource::from_str::<Save>(&text).unwrap_err();
    assert!(error.to_string().ends_with("in bag[0].count"), "{error}");
    let text = SAVE.replace("SubResource(\"Resource_hero\")", "SubResource(\"gone\")");
    let error = godot_resource::from_str::<Save>(&text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a resource that stands before, found SubResource(\"gone\"), in hero"
    );
}

/// Each of them twice in the next one: what is read is not more than memory allows.
#[test]
fn resources_that_double_are_bounded() {
    let mut text = String::from("[gd_resource type=\"Resource\" format=3]\n");
    text += "\n[sub_resource type=\"R\" id=\"0\"]\nx = 1\n";
    for at in 1..60 {
        let below = at - 1;
        text += &format!("\n[sub_resource type=\"R\" id=\"{at}\"]\n");
        text += &format!("a = SubResource(\"{below}\")\nb = SubResource(\"{below}\")\n");
    }
    text += "\n[resource]\nx = SubResource(\"59\")\n";
    let error = godot_resource::from_str::<Value>(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    let contents = Contents::open(text.as_bytes()).unwrap();
    let binary = contents.to_binary(&Options::new()).unwrap();
    assert!(binary.file.len() < 3 * text.len());

    // One in the other, deeper than values may be.
    let text: String = (1..5000)
        .map(|at| {
            format!("\n[sub_resource type=\"R\" id=\"{at}\"]\nx = SubResource(\"{}\")\n", at - 1)
        })
        .collect();
    let text = ["[gd_resource type=\"R\" format=3]\n\n[sub_resource type=\"R\" id=\"0\"]\n", &text]
        .concat();
    let error = godot_resource::from_str::<Value>(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    assert!(Contents::open(text.as_bytes()).unwrap().to_binary(&Options::new()).is_ok());
}
