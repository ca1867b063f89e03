//! Documents that are edited by hand.

use gamewire::Format;
use gamewire::document::{Document, Edit, Editor, Settings};

const JSON: &str = "{\n\t\"gold\": 61,\n\t\"name\": \"Åsa\",\n\t\"items\": [\n\t\t{\"id\": \"sword\"},\n\t\t{\"id\": \"seed\"}\n\t]\n}";

fn editor(bytes: impl Into<Vec<u8>>) -> Editor {
    Editor::new(Document::open(bytes.into(), &Settings::default()).unwrap())
}

fn text(editor: &Editor) -> String {
    String::from_utf8(editor.document().as_bytes().to_vec()).unwrap()
}

fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

#[test]
fn values_are_moved_renamed_and_copied_in_text() {
    let mut save = editor(JSON);
    save.edit(&[Edit::Rename { path: "name", key: "hero" }]).unwrap();
    save.edit(&[Edit::Copy { path: "items[0]", key: "" }]).unwrap();
    save.edit(&[Edit::Move { path: "items[2]", to: 0 }]).unwrap();
    save.edit(&[Edit::Move { path: "gold", to: 1 }]).unwrap();
    let ids: Vec<String> =
        save.document().get("items[*].id").unwrap().iter().map(|own| own.text().unwrap()).collect();
    assert_eq!(ids, ["seed", "sword", "sword"]);
    let keys: Vec<String> = save.document().root().children().iter().map(|own| own.key()).collect();
    assert_eq!(keys, ["hero", "gold", "items"]);
    assert_eq!(save.steps(), (4, 0));
    while save.undo().unwrap() {}
    assert_eq!(text(&save), JSON);
    while save.redo().unwrap() {}
    assert_eq!(save.document().root().children()[0].key(), "hero");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut save = editor(JSON);
    for (edit, why) in [
        (Edit::Rename { path: "name", key: "gold" }, "name: there is gold already"),
        (Edit::Copy { path: "name", key: "gold" }, "name: there is gold already"),
        (
            Edit::Rename { path: "items[0]", key: "a" },
            "items[0]: an element has a position, and no key",
        ),
        (Edit::Move { path: "items[0]", to: 2 }, "items[0]: there are only 2 values"),
        (Edit::Move { path: "items[*]", to: 0 }, "items[*]: leads to 2 values"),
    ] {
        assert_eq!(save.edit(&[edit]).unwrap_err().to_string(), why);
    }
    assert_eq!((text(&save).as_str(), save.steps()), (JSON, (0, 0)));
}

#[test]
fn each_change_is_taken_back_alone() {
    for bytes in [JSON.as_bytes().to_vec(), sample("godot-variant/savegame.dat")] {
        let mut save = editor(bytes.clone());
        let is_json = bytes.starts_with(b"{");
        let edits: &[Edit<'_>] = match is_json {
            true => &[
                Edit::Copy { path: "items[0]", key: "" },
                Edit::Set { path: "items[2].id", value: "hoe".into(), kind: None },
                Edit::Remove { path: "name" },
                Edit::Rename { path: "gold", key: "coins" },
            ],
            false => &[
                Edit::Remove { path: "crops[0]" },
                Edit::Set { path: "crops[3].grown", value: "1".into(), kind: None },
                Edit::Set { path: "player.hp", value: "50".into(), kind: None },
                Edit::Set { path: "version", value: "four".into(), kind: Some("String") },
                Edit::Copy { path: "player.name", key: "title" },
                Edit::Move { path: "player", to: 0 },
            ],
        };
        save.edit(edits).unwrap();
        let mut left = save.changes(40).unwrap().len();
        assert!(left >= edits.len(), "{left}");
        while let Some(change) = save.changes(40).unwrap().first() {
            save.take(None, change).unwrap();
            let now = save.changes(40).unwrap().len();
            assert!(now < left, "{change:?}");
            left = now;
        }
        if !is_json {
            assert_eq!(save.document().as_bytes(), bytes);
        }
    }
}

#[test]
fn values_of_another_document_are_taken_over() {
    let mut save = editor(JSON);
    let other = JSON.replace("61", "140").replace("seed", "hoe");
    let other = Document::open(other, &Settings::default()).unwrap();
    let changes = save.document().diff(&other, 40).unwrap();
    assert_eq!(changes.len(), 2);
    for change in changes.iter().rev() {
        save.take(Some(&other), change).unwrap();
    }
    assert_eq!(save.document().as_bytes(), other.as_bytes());
}

#[test]
fn ways_and_ranges_lead_to_values() {
    let save = editor(sample("godot-variant/savegame.dat"));
    let document = save.document();
    for path in ["player.hp", "crops[3].kind", "player.transform"] {
        let found = &document.get(path).unwrap()[0];
        let (mut way, mut node) = (Vec::new(), document.root());
        while !node.same_place(found) {
            let at = (0..node.child_count())
                .find(|at| {
                    let own = node.children_in(*at..at + 1)[0].range();
                    own.start <= found.range().start && found.range().end <= own.end
                })
                .unwrap();
            way.push(at);
            node = document.node(&way).unwrap();
        }
        assert_eq!(node.path(), path);
        assert_eq!(found.way(), way);
        assert_eq!(document.body()[node.range()].len(), node.range().len());
    }
    let transform = &document.get("player.transform").unwrap()[0];
    assert_eq!(transform.components().len(), 2);
    let part = &document.get("player.transform.origin").unwrap()[0];
    assert!(document.node(&part.way()).unwrap().same_place(part));
    assert!(document.node(&[99]).is_none());
}

/// A value that is set to itself stays as it is written, canonical or not.
#[test]
fn a_value_set_to_itself_keeps_its_bytes() {
    let settings = Settings { format: Some(Format::ZezeSerialize), ..Settings::default() };
    // 5 in two bytes.
    let mut bean = Document::open(vec![0x10, 0x40, 5, 0], &settings).unwrap();
    bean.set("[field 1]", "5").unwrap();
    assert_eq!(bean.as_bytes(), [0x10, 0x40, 5, 0]);
    bean.set("[field 1]", "6").unwrap();
    assert_eq!(bean.as_bytes(), [0x10, 6, 0]);
    // A text without the 0 that the engine writes at its end.
    let words = [28u32, 1, 34, 1, 3, u32::from_le_bytes(*b"abc\0")].map(u32::to_le_bytes).concat();
    let settings = Settings { format: Some(Format::GodotVariant), ..Settings::default() };
    let mut array = Document::open(words, &settings).unwrap();
    let before = array.as_bytes().to_vec();
    let text = array.get("[0]").unwrap()[0].text().unwrap();
    array.set("[0]", &*text).unwrap();
    assert_eq!(array.as_bytes(), before);
}

/// Of a long list, only what is new is scanned: its elements are found as before, and undone.
#[test]
fn long_lists_are_edited_in_place() {
    let numbers: Vec<i64> = (0..20_000).collect();
    let save = std::collections::BTreeMap::from([("items", &numbers), ("other", &numbers)]);
    let files = [
        gamewire::godot_variant::frame::Framing::new().to_vec(&save).unwrap(),
        gamewire::godot_variant::to_vec(&save).unwrap(),
        serde_json::to_vec_pretty(&save).unwrap(),
        serde_json::to_vec(&save).unwrap(),
    ];
    for file in files {
        let mut save = editor(&*file);
        let mut model: Vec<String> = numbers.iter().map(i64::to_string).collect();
        save.edit(&[Edit::Set { path: "items[15000]", value: "-7".into(), kind: None }]).unwrap();
        model[15_000] = "-7".to_owned();
        save.edit(&[Edit::Remove { path: "items[3]" }, Edit::Remove { path: "items[12000]" }])
            .unwrap();
        model.remove(12_000);
        model.remove(3);
        save.edit(&[Edit::Insert { path: "items[9000]", value: "5000000".into(), kind: None }])
            .unwrap();
        model.insert(9_000, "5000000".to_owned());
        save.edit(&[Edit::Move { path: "items[19000]", to: 5 }]).unwrap();
        let moved = model.remove(19_000);
        model.insert(5, moved);
        let other: Vec<String> = numbers.iter().map(i64::to_string).collect();
        for (at, expected) in [(0, &model), (1, &other)] {
            let list = save.document().node(&[at]).unwrap();
            assert_eq!(list.child_count(), expected.len());
            for from in [0, 4_090, 8_998, 12_280, 14_990, expected.len() - 7] {
                let found = list.children_in(from..from + 9);
                let texts: Vec<String> = found.iter().map(|own| own.text().unwrap()).collect();
                assert_eq!(texts, expected[from..(from + 9).min(expected.len())]);
            }
        }
        assert_eq!(save.changes(40).unwrap().len(), 6);
        let after = save.document().as_bytes().to_vec();
        let again = editor(&*after);
        assert!(again.document().diff(save.document(), 40).unwrap().is_empty());
        while save.undo().unwrap() {}
        assert_eq!(save.document().as_bytes(), file);
        while save.redo().unwrap() {}
        assert_eq!(save.document().as_bytes(), after);
        assert_eq!(save.document().node(&[1]).unwrap().child_count(), other.len());
    }
}
