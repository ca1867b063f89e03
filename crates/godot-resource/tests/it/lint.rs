//! Faults of scenes and projects, each found in its place, and nothing else.

use godot_resource::{Finding, Project, Text, fix, lint};

use crate::support::{files, testdata};

/// A project of files.
pub(crate) fn project<'f>(files: &'f [(&'f str, String)]) -> Project<'f> {
    let names = files.iter().map(|(name, _)| (*name).to_owned());
    Project::new(names, |path| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.clone().into_bytes())
    })
}

#[test]
fn a_mark_before_a_uid_is_none_and_before_settings_is_one() {
    let files = [
        ("a.gd.uid", "\u{feff}uid://lamp\n".to_owned()),
        ("a.png.import", "\u{feff}[remap]\n".to_owned()),
    ];
    let project = project(&files);
    assert_eq!(project.files_of(godot_resource::Uid::parse("uid://lamp").unwrap()), ["a.gd"]);
    assert_eq!(shown(&lint(&project, files[0].0, files[0].1.as_bytes())), [""; 0]);
    let found = lint(&project, files[1].0, files[1].1.as_bytes());
    let why = "1:1 : with a byte order mark before it the first section is lost to the engine [byte-order-mark]";
    assert_eq!(shown(&found), [why]);
    assert_eq!(fix(files[1].1.as_bytes(), &found), b"[remap]\n");
}

fn shown(findings: &[Finding]) -> Vec<String> {
    let shown = findings.iter().map(|own| {
        let Finding { line, column, place, rule, message, .. } = own;
        format!("{line}:{column} {place}: {message} [{}]", rule.name())
    });
    shown.collect()
}

/// What the engine says of each is in the digest of its sources.
#[test]
fn faults_of_the_samples_are_found() {
    let folder = testdata().join("scenes46");
    let names: Vec<String> = files(&folder, &[".tscn", ".scn"])
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let read = |name: &str| std::fs::read(folder.join(name)).ok();
    let project = Project::new(names.clone(), read);
    let mut all = String::new();
    for name in names {
        let bytes = read(&name).unwrap();
        let found = lint(&project, &name, &bytes);
        for line in shown(&found) {
            all += &format!("{name}:{line}\n");
        }
        // What is mended is not there any more, and nothing else is new.
        let left = lint(&project, &name, &fix(&bytes, &found));
        let messages = |all: &[Finding]| -> Vec<String> {
            all.iter().map(|own| own.message.clone()).collect()
        };
        let unfixable: Vec<Finding> =
            found.iter().filter(|own| !own.is_fixable()).cloned().collect();
        assert_eq!(messages(&left), messages(&unfixable), "{name}");
    }
    insta::assert_snapshot!(all);
}

const HEAD: &str = "[gd_scene format=3]\n\n";
const ROOT: &str = "[node name=\"Root\" type=\"Node2D\"]\n";

/// The lamp has a bulb and, below, a player of animations; `red` inherits it.
fn lamp() -> Vec<(&'static str, String)> {
    let lamp = "[gd_scene format=3 uid=\"uid://lamp\"]\n\n[sub_resource type=\"Animation\" id=\"A\"]\n\
        tracks/0/path = NodePath(\"Bulb:visible\")\n\n\
        [sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\n&\"on\": SubResource(\"A\")\n}\n\n\
        [node name=\"Lamp\" type=\"Node2D\"]\n\n[node name=\"Bulb\" type=\"Sprite2D\" parent=\".\"]\n\n\
        [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"\": SubResource(\"L\")\n}\n\n\
        [connection signal=\"draw\" from=\"Bulb\" to=\".\" method=\"queue_redraw\"]\n";
    let red = "[gd_scene format=3 uid=\"uid://red\"]\n\n\
        [ext_resource type=\"PackedScene\" uid=\"uid://lamp\" path=\"res://lamp.tscn\" id=\"1\"]\n\n\
        [node name=\"Red\" instance=ExtResource(\"1\")]\n";
    vec![("lamp.tscn", lamp.to_owned()), ("red.tscn", red.to_owned()), ("a.png", String::new())]
}

/// Each rule with the place of its finding, which a mark shows; and beside it what is well.
#[test]
fn each_rule_has_its_place() {
    let lamp_ref = "[ext_resource type=\"PackedScene\" path=\"res://lamp.tscn\" id=\"1\"]\n\n";
    let with_lamp = |rest: &str| {
        format!(
            "{HEAD}{lamp_ref}{ROOT}\n[node name=\"L\" parent=\".\" instance=ExtResource(\"1\")]\n\n{rest}"
        )
    };
    let plain = |rest: &str| format!("{HEAD}{ROOT}{rest}");
    let external = |fields: &str| {
        format!("{HEAD}[ext_resource type=\"Texture2D\" {fields} id=\"1\"]\n\n{ROOT}")
    };
    let rows = [
        ("", plain("")),
        ("conflict-marker", plain("\n§<<<<<<< HEAD\n")),
        ("crlf", format!("{HEAD}[node name=\"Root\" type=\"Node2D\"]§\r\n")),
        ("not-readable", plain("a = §=\n")),
        ("unknown-tag", plain("\n§[nod name=\"B\"]\n")),
        ("no-node", "§[gd_scene format=3]\n".to_owned()),
        ("late-resource", plain("\n§[sub_resource type=\"Curve\" id=\"C\"]\n")),
        (
            "late-resource",
            format!(
                "{HEAD}[sub_resource type=\"A\" id=\"A\"]\n§b = SubResource(\"B\")\n\n[sub_resource type=\"B\" id=\"B\"]\n\n{ROOT}"
            ),
        ),
        ("missing-file", external("§path=\"res://b.png\"")),
        ("missing-file", external("§path=\"uid://gone\"")),
        ("", external("path=\"res://a.png\"")),
        ("", external("path=\"a.png\"")),
        ("", external("path=\"res://.godot/imported/x.res\"")),
        ("other-uid", external("§uid=\"uid://red\" path=\"res://lamp.tscn\"")),
        ("other-uid", external("§uid=\"uid://gone\" path=\"res://lamp.tscn\"")),
        ("", external("uid=\"uid://gone\" path=\"res://a.png\"")),
        ("dangling-id", plain("§material = ExtResource(\"9\")\n")),
        ("dangling-id", plain("§x = Array[SubResource(\"9\")]([])\n")),
        (
            "duplicate-id",
            format!(
                "{HEAD}[sub_resource type=\"A\" id=\"A\"]\n\n[sub_resource type=\"A\" §id=\"A\"]\n\n{ROOT}"
            ),
        ),
        ("duplicate-property", plain("visible = true\n§visible = false\n")),
        (
            "duplicate-node",
            plain(
                "\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n§[node name=\"A\" type=\"Node\" parent=\".\"]\n",
            ),
        ),
        ("duplicate-node", with_lamp("§[node name=\"Bulb\" type=\"Node2D\" parent=\"L\"]\n")),
        (
            "",
            with_lamp(
                "[node name=\"Bulb\" parent=\"L\"]\n\n[node name=\"X\" type=\"Node\" parent=\"L/Bulb\"]\n",
            ),
        ),
        (
            "duplicate-name",
            plain(
                "\n[node name=\"A\" type=\"Node\" parent=\".\"]\nunique_name_in_owner = true\n\n\
                 [node name=\"B\" type=\"Node\" parent=\".\"]\n\n§[node name=\"A\" type=\"Node\" parent=\"B\"]\nunique_name_in_owner = true\n",
            ),
        ),
        (
            "duplicate-connection",
            plain(
                "\n[connection signal=\"draw\" from=\".\" to=\".\" method=\"hide\"]\n\
                 [connection §signal=\"draw\" from=\".\" to=\".\" method=\"hide\" flags=3]\n",
            ),
        ),
        (
            "duplicate-connection",
            with_lamp(
                "[connection §signal=\"draw\" from=\"L/Bulb\" to=\"L\" method=\"queue_redraw\"]\n",
            ),
        ),
        (
            "",
            plain(
                "\n[connection signal=\"draw\" from=\".\" to=\".\" method=\"hide\" flags=10]\n\
                 [connection signal=\"draw\" from=\".\" to=\".\" method=\"hide\" flags=10]\n",
            ),
        ),
        ("dangling-parent", plain("\n§[node name=\"A\" type=\"Node\" parent=\"Gone\"]\n")),
        ("dangling-parent", plain("\n§[node name=\"A\" type=\"Node\"]\n")),
        (
            "late-parent",
            plain(
                "\n§[node name=\"B\" type=\"Node\" parent=\"A\"]\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n",
            ),
        ),
        // One finding for what hangs together.
        (
            "stale-override",
            with_lamp(
                "§[node name=\"Gone\" parent=\"L\"]\n\n[node name=\"X\" type=\"Node\" parent=\"L/Gone\"]\n",
            ),
        ),
        (
            "stale-connection",
            with_lamp("[connection signal=\"draw\" §from=\"L/Gone\" to=\".\" method=\"hide\"]\n"),
        ),
        (
            "",
            with_lamp(
                "[connection signal=\"draw\" from=\"L/Bulb\" to=\".\" method=\"hide\"]\n\n[editable path=\"L\"]\n",
            ),
        ),
        ("stale-editable", with_lamp("[editable §path=\"M\"]\n")),
        (
            "dangling-path",
            plain(
                "\n[node name=\"A\" type=\"Node\" parent=\".\" node_paths=PackedStringArray(\"x\")]\n§x = NodePath(\"../B\")\n",
            ),
        ),
        (
            "",
            with_lamp(
                "[node name=\"A\" type=\"Node\" parent=\".\" node_paths=PackedStringArray(\"x\")]\nx = [NodePath(\"../L/Bulb\")]\n",
            ),
        ),
        ("dangling-path", plain("§focus_next = NodePath(\"B\")\n")),
        // A script may make the node, and a path may lead out of the scene.
        ("", plain("script = null\nother = NodePath(\"B\")\nfocus_next = NodePath(\"../B\")\n")),
        ("duplicate-uid", format!("[gd_scene format=3 §uid=\"uid://lamp\"]\n\n{ROOT}")),
    ];
    for (rule, text) in rows {
        let mut files = lamp();
        files.push(("one.tscn", text.replace('§', "")));
        let project = project(&files);
        let found = lint(&project, "one.tscn", files[3].1.as_bytes());
        let rules: Vec<&str> = found.iter().map(|own| own.rule.name()).collect();
        let Some(at) = text.find('§') else {
            assert!(found.is_empty(), "{text}\n{:?}", shown(&found));
            continue;
        };
        assert_eq!(rules, [rule], "{text}\n{:?}", shown(&found));
        let line = text[..at].matches('\n').count() + 1;
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        assert_eq!((found[0].line, found[0].column), (line, column), "{text}");
        if found[0].is_fixable() {
            let fixed = fix(files[3].1.as_bytes(), &found);
            let left = lint(&project, "one.tscn", &fixed);
            assert!(left.is_empty(), "{}\n{:?}", String::from_utf8_lossy(&fixed), shown(&left));
        }
    }
    for (name, text) in lamp() {
        let files = lamp();
        assert_eq!(shown(&lint(&project(&files), name, text.as_bytes())), [""; 0], "{name}");
    }
}

#[test]
fn tracks_of_animations_lead_to_nodes() {
    let mut files = lamp();
    files[0].1 = files[0].1.replace("NodePath(\"Bulb:", "NodePath(\"Gone:");
    let found = lint(&project(&files), "lamp.tscn", files[0].1.as_bytes());
    assert_eq!(
        shown(&found),
        ["4:1 A:tracks/0/path: `Gone:visible` leads nowhere [dangling-path]"]
    );
    // In the scene that inherits it, and has a root with a script.
    let track = "[sub_resource type=\"Animation\" id=\"A\"]\ntracks/0/path = NodePath(\"Gone\")\n\n\
        [node name=\"Red\" instance=ExtResource(\"1\")]\n\n[node name=\"Player\" parent=\".\"]\nanims = {\"a\": SubResource(\"A\")}\n";
    let red = files[1].1.replace("[node name=\"Red\" instance=ExtResource(\"1\")]\n", track);
    let found = lint(&project(&files), "red.tscn", red.as_bytes());
    assert_eq!(shown(&found), ["6:1 A:tracks/0/path: `Gone` leads nowhere [dangling-path]"]);
    let red = red.replace("(\"1\")]\n\n[node", "(\"1\")]\nscript = ExtResource(\"1\")\n\n[node");
    assert_eq!(shown(&lint(&project(&files), "red.tscn", red.as_bytes())), [""; 0]);
}

#[test]
fn a_scene_in_itself_is_found_in_each_of_them() {
    let scene = |other: &str| {
        format!(
            "{HEAD}[ext_resource type=\"PackedScene\" path=\"res://{other}\" id=\"1\"]\n\n{ROOT}\n\
             [node name=\"X\" parent=\".\" instance=ExtResource(\"1\")]\n"
        )
    };
    let files = [
        ("a.tscn", scene("b.tscn")),
        ("b.tscn", scene("c.tscn")),
        ("c.tscn", scene("a.tscn")),
        ("d.tscn", scene("a.tscn")),
    ];
    let project = project(&files);
    let rules = files.each_ref().map(|(name, text)| {
        lint(&project, name, text.as_bytes()).iter().map(|own| own.rule.name()).collect::<Vec<_>>()
    });
    let cycle = vec!["instance-cycle"];
    assert_eq!(rules, [cycle.clone(), cycle.clone(), cycle, vec![]]);
}

/// The copy is the one that comes later by name; what refers to it by path follows.
#[test]
fn a_copy_gets_a_uid_of_its_own() {
    let scene = format!("[gd_scene format=3 uid=\"uid://lamp\"]\n\n{ROOT}");
    let user = format!(
        "{HEAD}[ext_resource type=\"PackedScene\" uid=\"uid://lamp\" path=\"res://b.tscn\" id=\"1\"]\n\n{ROOT}"
    );
    let mut files = vec![
        ("a.tscn", scene.clone()),
        ("b.tscn", scene),
        ("c.gd", String::new()),
        ("c.gd.uid", "uid://lamp\n".to_owned()),
        ("user.tscn", user),
    ];
    let found: Vec<Vec<Finding>> = {
        let project = project(&files);
        files.iter().map(|(name, text)| lint(&project, name, text.as_bytes())).collect()
    };
    assert_eq!(
        shown(&found[0]),
        ["1:20 gd_scene:uid: `b.tscn` has the uid uid://lamp, too [duplicate-uid]"]
    );
    assert_eq!(shown(&found[3]), ["1:1 : the uid uid://lamp is that of `a.tscn` [duplicate-uid]"]);
    for ((_, text), found) in files.iter_mut().zip(&found) {
        *text = String::from_utf8(fix(text.as_bytes(), found)).unwrap();
    }
    let project = project(&files);
    for (name, text) in &files {
        assert_eq!(shown(&lint(&project, name, text.as_bytes())), [""; 0], "{name}");
    }
    assert!(files[0].1.contains("uid://lamp") && !files[4].1.contains("uid://lamp"));
}

#[test]
fn sections_are_put_into_an_order_that_loads() {
    let text = "[gd_scene format=3]\n\n[node name=\"C\" type=\"Node\" parent=\"A/B\"]\n\n\
        [node name=\"B\" type=\"Node\" parent=\"A\"]\n\n[node name=\"Root\" type=\"Node\"]\n\n\
        [connection signal=\"s\" from=\".\" to=\".\" method=\"m\"]\n\n[sub_resource type=\"T\" id=\"T\"]\n\
        g = SubResource(\"G\")\n\n[node name=\"A\" type=\"Node\" parent=\".\"]\n\n\
        [sub_resource type=\"G\" id=\"G\"]\n\n[ext_resource type=\"X\" path=\"res://x\" id=\"1\"]\n";
    let mut read = Text::parse(text).unwrap();
    read.put_in_order();
    let heads: Vec<String> = read
        .sections()
        .iter()
        .skip(2)
        .map(|own| {
            let field = |name| own.field(name).and_then(|own| own.as_str().map(str::to_owned));
            field("name").or(field("id")).unwrap_or_else(|| own.tag().to_owned())
        })
        .collect();
    assert_eq!(heads, ["1", "G", "T", "Root", "A", "B", "C", "connection"]);
    let before = read.to_string();
    assert!(before.ends_with("method=\"m\"]\n"), "{before}");
    read.put_in_order();
    assert_eq!(read.to_string(), before);
}

/// Nothing is without bound: chains of instances, paths of many names, scenes of many nodes.
#[test]
fn scenes_that_multiply_are_looked_at_in_time() {
    let level = |number: usize| {
        format!(
            "{HEAD}[ext_resource type=\"PackedScene\" path=\"res://{}.tscn\" id=\"1\"]\n\n{ROOT}\n\
             [node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
             [node name=\"X\" parent=\"{}\"]\n",
            number + 1,
            vec!["A"; 50].join("/")
        )
    };
    let names: Vec<String> = (0..200).map(|number| format!("{number}.tscn")).collect();
    let read = |path: &str| {
        let number: usize = path.strip_suffix(".tscn")?.parse().ok()?;
        Some(level(number).into_bytes())
    };
    let project = Project::new(names, read);
    let found = lint(&project, "0.tscn", level(0).as_bytes());
    assert_eq!((found.len(), found[0].rule.name()), (1, "stale-override"));
    let deep = format!(
        "{HEAD}{ROOT}\n[node name=\"X\" type=\"Node\" parent=\"{}\"]\n",
        vec!["A"; 100_000].join("/")
    );
    let found = lint(&project, "0.tscn", deep.as_bytes());
    assert_eq!(found.len(), 1);
}
