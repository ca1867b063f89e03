//! Three-way merges: what each rule does, real merges, and random edits.

use std::path::Path;

use gamewire::document::{Conflict, ConflictKind, Json, Merge, Side};
use gamewire::{Document, Format, Settings};
use gamewire_testkit::hostile::thread_time;
use proptest::prelude::*;
use serde_json::{Value, json};

fn open(text: &str) -> Document {
    let mut settings = Settings { format: Some(Format::O3deJson), ..Settings::default() };
    settings.limits.max_depth = Some(1000);
    Document::open(text, &settings).unwrap()
}

fn text(document: &Document) -> String {
    String::from_utf8(document.as_bytes().to_vec()).unwrap()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Merges texts. The result has OURS' values where there are conflicts.
fn merge(base: &str, ours: &str, theirs: &str) -> (String, Vec<Conflict>) {
    let [base, ours, theirs] = [base, ours, theirs].map(open);
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    (text(&merge.resolve(Side::Ours).unwrap()), merge.conflicts().to_vec())
}

/// Merges values: what is merged for each side, and the conflicts.
fn merged(base: &Value, ours: &Value, theirs: &Value) -> (Value, Value, Vec<Conflict>) {
    let [base, ours, theirs] = [base, ours, theirs].map(|own| open(&own.to_string()));
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    let of = |side| value(&text(&merge.resolve(side).unwrap()));
    (of(Side::Ours), of(Side::Theirs), merge.conflicts().to_vec())
}

/// Merges texts without a conflict, in both directions.
fn clean(base: &str, ours: &str, theirs: &str, expected: &str) {
    let (text, conflicts) = merge(base, ours, theirs);
    // New elements are laid out in the engine's way.
    let packed = |text: &str| text.replace([' ', '\n'], "");
    assert_eq!((packed(&text), conflicts.as_slice()), (packed(expected), [].as_slice()));
    let (back, conflicts) = merge(base, theirs, ours);
    assert!(conflicts.is_empty(), "{conflicts:?}");
    let sorted = |text: &str| {
        let mut characters: Vec<char> = packed(text).chars().collect();
        characters.sort_unstable();
        characters
    };
    assert_eq!(sorted(&back), sorted(expected), "{back}");
}

/// Merges texts with conflicts at these places.
fn conflicting(base: &str, ours: &str, theirs: &str, places: &[(&str, ConflictKind)]) -> Conflict {
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
        let (_, conflicts) = merge(base, ours, theirs);
        let found: Vec<_> = conflicts.iter().map(|own| (own.path.as_str(), own.kind)).collect();
        assert_eq!(found, places);
    }
    merge(base, ours, theirs).1.swap_remove(0)
}

#[test]
fn members_merge_by_name() {
    clean(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":3}"#, r#"{"a":4,"b":2}"#, r#"{"a":4,"b":3}"#);
    clean(
        r#"{"a":1,"b":2}"#,
        r#"{"a":1,"b":2,"c":3}"#,
        r#"{"x":0,"a":1}"#,
        r#"{"x":0,"a":1,"c":3}"#,
    );
    clean("{}", r#"{"a":{"u":1}}"#, r#"{"a":{"v":2}}"#, r#"{"a":{"u":1,"v":2}}"#);
    clean(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":2}"#, r#"{"a":2}"#);
    let (text, conflicts) = merge("[1.0]", "[2]", "[2.0]");
    assert_eq!((text.as_str(), conflicts.len()), ("[2]", 0));
}

#[test]
fn a_contradiction_is_a_conflict_with_its_three_values() {
    let conflict = conflicting(
        r#"{"Entities":{"E":{"Name":"Lamp","Color":1}}}"#,
        r#"{"Entities":{"E":{"Name":"Lamp","Color":2}}}"#,
        r#"{"Entities":{"E":{"Name":"Lamp","Color":3}}}"#,
        &[("/Entities/E/Color", ConflictKind::Value)],
    );
    assert_eq!(conflict.name.as_deref(), Some("Lamp"));
    let versions = [conflict.base, conflict.ours, conflict.theirs];
    assert_eq!(versions.map(|own| own.unwrap().json.unwrap()), [1, 2, 3].map(Json::from));
    let (ours, theirs, conflicts) = merged(&json!(1), &json!(2), &json!(3));
    assert_eq!((ours, theirs, conflicts[0].path.as_str()), (json!(2), json!(3), ""));
}

#[test]
fn removing_what_the_other_side_changed_is_a_conflict() {
    let conflict =
        conflicting(r#"{"E":{"a":1}}"#, "{}", r#"{"E":{"a":2}}"#, &[("/E", ConflictKind::Value)]);
    assert_eq!(conflict.ours, None);
    // What only removes loses nothing by being removed.
    clean(r#"{"E":{"a":1,"b":{"c":2}}}"#, r#"{"E":{"a":1,"b":{}}}"#, "{}", "{}");
    // What the editor computes is no change.
    clean(
        r#"{"E":{"a":1,"EditorEntityId":7,"Cached World Transform":{"Translation":[0,0,0]}}}"#,
        "{}",
        r#"{"E":{"a":1,"EditorEntityId":8,"Cached World Transform":{"Translation":[0,0,1]}}}"#,
        "{}",
    );
}

#[test]
fn names_that_are_there_twice_are_not_merged_inside() {
    conflicting(
        r#"{"o":{"a":1,"a":2}}"#,
        r#"{"o":{"a":1,"a":3}}"#,
        r#"{"o":{"a":0,"a":2}}"#,
        &[("/o", ConflictKind::Value)],
    );
}

#[test]
fn rows_of_numbers_merge_by_position() {
    clean("[0.0,0.0,0.0]", "[1.5,0.0,0.0]", "[0.0,0.0,2.5]", "[1.5,0.0,2.5]");
    conflicting("[0,0]", "[1,0]", "[2,0]", &[("/0", ConflictKind::Value)]);
}

#[test]
fn elements_merge_by_identity() {
    clean(
        r#"[{"Id":1,"a":1},{"Id":2,"a":1},{"Id":3}]"#,
        r#"[{"Id":0,"a":0},{"Id":1,"a":5},{"Id":2,"a":1},{"Id":3}]"#,
        r#"[{"Id":1,"a":1},{"Id":2,"a":6},{"Id":4}]"#,
        r#"[{"Id":0,"a":0},{"Id":1,"a":5},{"Id":2,"a":6},{"Id":4}]"#,
    );
    conflicting(
        r#"[{"Key":"k","Value":1},{"Key":"l","Value":1}]"#,
        r#"[{"Key":"l","Value":1}]"#,
        r#"[{"Key":"k","Value":2},{"Key":"l","Value":1}]"#,
        &[("/0", ConflictKind::Value)],
    );
    // Where two share a name, that is no identity.
    clean(
        r#"[{"Name":"a","v":1},{"Name":"a","v":2}]"#,
        r#"[{"Name":"a","v":3},{"Name":"a","v":2}]"#,
        r#"[{"Name":"a","v":1},{"Name":"a","v":4}]"#,
        r#"[{"Name":"a","v":3},{"Name":"a","v":4}]"#,
    );
}

/// One side gives the one element another name, the other another id: it is one element.
#[test]
fn a_list_of_one_is_aligned() {
    let of =
        |name: &str, id: u8| format!(r#"{{"values":[{{"name":"{name}","id":{id},"rules":[]}}]}}"#);
    clean(&of("a", 1), &of("b", 1), &of("a", 2), &of("b", 2));
    conflicting(&of("a", 1), &of("b", 1), &of("c", 1), &[("/values/0/name", ConflictKind::Value)]);
    // Another override in its place is another element.
    let patch = |path: &str, value: u8| {
        format!(r#"{{"Patches":[{{"op":"replace","path":"{path}","value":{value}}}]}}"#)
    };
    let (text, conflicts) = merge(&patch("/a", 1), &patch("/a", 2), &patch("/b", 1));
    assert_eq!((text.contains("\"/b\",\"value\":2"), conflicts.len()), (false, 1), "{text}");
}

#[test]
fn patches_merge_by_path() {
    let patch =
        |path: &str, value: &str| format!(r#"{{"op":"replace","path":"{path}","value":{value}}}"#);
    let list = |patches: &[String]| format!("[{}]", patches.join(","));
    let (a, b, c) = (patch("/a", "1"), patch("/b", "1"), patch("/c", "1"));
    clean(
        &list(std::slice::from_ref(&a)),
        &list(&[a.clone(), b.clone()]),
        &list(&[patch("/a", "2"), c.clone()]),
        &list(&[patch("/a", "2"), b.clone(), c]),
    );
    let places = [("/0/value", ConflictKind::Value)];
    conflicting(&list(&[a]), &list(&[patch("/a", "2")]), &list(&[patch("/a", "3"), b]), &places);
}

#[test]
fn one_side_moves_elements_and_the_other_changes_them() {
    let list = |ids: &str| {
        let element = |id: char| format!(r#"{{"Id":"{id}"}}"#);
        format!("[{}]", ids.chars().map(element).collect::<Vec<_>>().join(","))
    };
    clean(&list("abcd"), &list("bcda"), &list("abxcd"), &list("bxcda"));
    clean(&list("abcdef"), &list("bacdef"), &list("abcdfe"), &list("bacdfe"));
    clean(&list("abcd"), &list("dabc"), &list("bcd"), &list("dbc"));
    conflicting(&list("abc"), &list("cab"), &list("acb"), &[("", ConflictKind::Order)]);
}

#[test]
fn the_editors_bookkeeping_merges_by_its_meaning() {
    clean(
        r#"{"Child Entity Order":["a","b","c"]}"#,
        r#"{"Child Entity Order":["c","a","b","x"]}"#,
        r#"{"Child Entity Order":["a","b","c","y"]}"#,
        r#"{"Child Entity Order":["c","a","b","x","y"]}"#,
    );
    // Both moved what the other moved: either order, but every child.
    let (text, conflicts) = merge(
        r#"{"Child Entity Order":["a","b","c"]}"#,
        r#"{"Child Entity Order":["c","a","b","x"]}"#,
        r#"{"Child Entity Order":["b","c","a"]}"#,
    );
    assert_eq!(
        (text.len(), conflicts.len()),
        (r#"{"Child Entity Order":["c","a","b","x"]}"#.len(), 0)
    );
    clean(
        r#"{"ComponentOrderEntryArray":[{"ComponentId":1},{"ComponentId":2,"SortIndex":1}]}"#,
        r#"{"ComponentOrderEntryArray":[{"ComponentId":1},{"ComponentId":2,"SortIndex":1},{"ComponentId":3,"SortIndex":2}]}"#,
        r#"{"ComponentOrderEntryArray":[{"ComponentId":1},{"ComponentId":2,"SortIndex":1},{"ComponentId":4,"SortIndex":2}]}"#,
        r#"{"ComponentOrderEntryArray":[{"ComponentId":1},{"ComponentId":2,"SortIndex":1},{"ComponentId":3,"SortIndex":2},{"ComponentId":4,"SortIndex":3}]}"#,
    );
    let (text, conflicts) =
        merge(r#"{"EditorEntityId":1}"#, r#"{"EditorEntityId":2}"#, r#"{"EditorEntityId":3}"#);
    assert_eq!((text.as_str(), conflicts.as_slice()), (r#"{"EditorEntityId":2}"#, [].as_slice()));
}

#[test]
fn a_clean_merge_breaks_no_hierarchy() {
    let entity = |id: u8, parent: &str| {
        let transform = json!({ "$type": "{27F1E1A1-8D9D-4C3B-BD3A-AFB9762449C0} TransformComponent", "Id": id, "Parent Entity": parent });
        let id = format!("Entity_[{id}]");
        (id.clone(), json!({ "Id": id, "Name": id, "Components": { "T": transform } }))
    };
    let level = |entities: &[(u8, &str)]| {
        let all: serde_json::Map<_, _> =
            entities.iter().map(|(id, parent)| entity(*id, parent)).collect();
        json!({ "ContainerEntity": { "Id": "ContainerEntity" }, "Entities": all })
    };
    let root = "ContainerEntity";
    let base = level(&[(1, root), (2, root)]);
    for (ours, theirs) in [
        // A child of an entity that is gone.
        (level(&[(2, root)]), level(&[(1, root), (2, root), (4, "Entity_[1]")])),
        // A cycle of parents.
        (level(&[(1, "Entity_[2]"), (2, root)]), level(&[(1, root), (2, "Entity_[1]")])),
    ] {
        for (_, _, conflicts) in both_ways(&base, &ours, &theirs) {
            assert!(!conflicts.is_empty());
            assert!(conflicts.iter().all(|own| own.kind == ConflictKind::Meaning), "{conflicts:?}");
            assert!(conflicts[0].message.as_ref().unwrap().contains("Entity_[1]"), "{conflicts:?}");
        }
    }
    let clean = merged(
        &base,
        &level(&[(1, root), (2, root), (3, root)]),
        &level(&[(1, root), (2, "Entity_[1]")]),
    );
    assert_eq!(clean.2, []);
}

#[test]
fn one_element_renamed_twice_is_a_conflict() {
    let list = |name: &str| format!(r#"[{{"Name":"{name}","x":1}},{{"Name":"other","x":2}}]"#);
    let (text, conflicts) = merge(&list("A"), &list("B"), &list("C"));
    assert_eq!((text, conflicts.len()), (list("B"), 1));
    assert_eq!(conflicts[0].path, "/0");
    let [base, ours, theirs] = [list("A"), list("B"), list("C")].map(|own| value(&own));
    assert_eq!(merged(&base, &ours, &theirs).1, theirs);
}

#[test]
fn a_side_of_a_list_is_taken_whole() {
    let list = |all: &str| value(&format!("[{all}]"));
    let (base, ours, theirs) = (list("1,2,3,4"), list("2,3,4,1"), list("1,2,3,9"));
    let (first, second, conflicts) = merged(&base, &ours, &theirs);
    assert_eq!((first, second), (ours, theirs));
    assert!(!conflicts.is_empty());
}

#[test]
fn a_cache_comes_from_the_side_whose_truth_won() {
    let transform = |data: u8, cache: u8| {
        format!(
            r#"{{"Transform Data":{{"Translate":[{data},0,0]}},"Cached World Transform":{{"Translation":[{cache},1,0]}}}}"#
        )
    };
    let (base, moved, drifted) = (transform(1, 1), transform(5, 5), transform(1, 2));
    clean(&base, &moved, &drifted, &moved);
    clean(&base, &drifted, &moved, &moved);
}

#[test]
fn the_layout_and_the_spelling_of_ours_stay() {
    let base = "{\n  \"a\": 1.0,\n  \"b\": [1, 2]\n}\n";
    let ours = "{\n    // Why.\n    \"a\": 1.00,\n    \"b\": [1, 2]\n}\n";
    let theirs = "{\"a\":1.0,\"b\":[1,3.50],\"c\":{\"d\":true}}";
    let (text, conflicts) = merge(base, ours, theirs);
    assert!(conflicts.is_empty());
    assert_eq!(
        text,
        "{\n    // Why.\n    \"a\": 1.00,\n    \"b\": [1, 3.50],\n    \"c\": {\n        \"d\": true\n    }\n}\n"
    );
}

/// Merges texts with comments, and says which of THEIRS' are left out.
fn commented(base: &str, ours: &str, theirs: &str) -> (String, Vec<String>) {
    let [base, ours, theirs] = [base, ours, theirs].map(open);
    let merge = |ours: &Document| {
        let mut left_out = Vec::new();
        let merge = Merge::new(Some(&base), ours, &theirs).unwrap();
        let merged =
            merge.resolve_each(&mut |_| Side::Ours, &mut |own| left_out.push(own.to_owned()));
        (merged.unwrap(), left_out)
    };
    let (merged, left_out) = merge(&ours);
    // What was carried over is there: nothing of THEIRS is new then.
    let (again, still) = merge(&merged);
    assert_eq!((text(&again), &still), (text(&merged), &left_out));
    (text(&merged), left_out)
}

/// As many as there are members, and elements.
#[test]
fn each_changed_comment_takes_the_place_of_its_own() {
    let text = |word: &str, of_lists: bool| -> String {
        let child = |at: usize| match of_lists {
            true => format!("    // {word} {at}\n    {{\"Id\": {at}}}"),
            false => format!("    // {word} {at}\n    \"m{at}\": {at}"),
        };
        let children = (0..4_000).map(child).collect::<Vec<_>>().join(",\n");
        if of_lists { format!("[\n{children}\n]") } else { format!("{{\n{children}\n}}") }
    };
    let start = thread_time();
    for of_lists in [false, true] {
        let (base, theirs) = (text("old", of_lists), text("new", of_lists));
        let (merged, left_out) = commented(&base, &base, &theirs);
        assert!(merged == theirs && left_out.is_empty());
    }
    // In one line, and all in one place.
    let one_line = |between: &str| {
        let members: Vec<String> = (0..2500).map(|at| format!("\"m{at}\": {at}")).collect();
        format!("{{{}}}", members.join(between))
    };
    let (base, theirs) = (one_line(", "), one_line(", /* c */ "));
    assert!(commented(&base, &base, &theirs) == (theirs, Vec::new()));
    let theirs = format!("{}[]", "/* c */\n".repeat(2500));
    assert!(commented("[]", "[]", &theirs) == (theirs, Vec::new()));
    // Looking for each comment's counterpart by itself took minutes.
    let time = thread_time() - start;
    assert!(time.as_secs() < 8, "{time:?}");
}

#[test]
fn comments_come_to_the_first_of_several_members_of_a_name() {
    let (base, theirs) = (r#"{"a":{},"a":[2]}"#, "{\"a\":{}, // A\n\"a\":[2] // B\n}");
    let (text, left_out) = commented(base, base, theirs);
    assert_eq!((text.as_str(), left_out.len()), ("{\"a\":{}, // A\n // B\n\"a\":[2]}", 0));
    // One that was put at the end of a line is the same before the next member.
    let theirs = "{\n\"a\": 1, /* A */\n\"b\": 2}";
    let (text, _) = commented(r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 2}"#, theirs);
    assert_eq!(text, r#"{"a": 1, /* A */ "b": 2}"#);
}

#[test]
fn a_comment_to_the_end_of_the_line_takes_nothing_with_it() {
    let (text, _) = commented("[ /* old */ 1, 2 ]", "[ /* old */ 3, 2 ]", "[\n// new\n1, 2 ]");
    assert_eq!(text, "[ // new\n 3, 2 ]");
    // Nor comes one into a comment of several lines.
    let ours = "[1, /* of\n two */ 2]";
    let (text, _) = commented(ours, ours, "[1, // one\n/* of\n two */ 2]");
    assert_eq!(text, "[1, /* of\n two */ // one\n 2]");
}

#[test]
fn pointers_of_comments_cannot_multiply_without_end() {
    let name = "n".repeat(1 << 16);
    let inside = "// c\n".repeat(2000);
    let theirs = open(&format!("{{\"{name}\": [1,\n{inside}2]}}"));
    let base = open(&format!("{{\"{name}\": [1, 2]}}"));
    let error = Merge::new(Some(&base), &base, &theirs).unwrap().resolve(Side::Ours).unwrap_err();
    assert!(error.message().contains("memory"), "{error}");
}

#[test]
fn comments_of_theirs_come_along() {
    let base = "{\n    \"a\": 1,\n    \"b\": [\n        1,\n        2\n    ],\n    \"c\": {}\n}\n";
    let ours = base.replace("\"a\": 1", "// Ours.\n    \"a\": 5");
    let theirs = "// Head.
{
    // First. \"x\": 1
    /* Second. */
    \"a\": /* One. */ 1, // After.
    \"b\": [
        1, // Of an element.
        // Before one.
        2
        // At the end.
    ],
    \"c\": {
        // Empty.
    } // Of the last.
    // Over.
}
// Foot.
";
    let merged = "// Head.
{
    // Ours.
    // First. \"x\": 1
    /* Second. */
    \"a\": /* One. */ 5, // After.
    \"b\": [
        1, // Of an element.
        // Before one.
        2
        // At the end.
    ],
    \"c\": {
        // Empty.
    } // Of the last.
    // Over.
}
// Foot.
";
    assert_eq!(commented(base, &ours, theirs), (merged.to_owned(), Vec::new()));
    // THEIRS changed nothing since: nothing comes twice, and what OURS took out stays out.
    assert_eq!(commented(theirs, &ours, theirs), (ours.clone(), Vec::new()));
    assert_eq!(commented(theirs, theirs, theirs), (theirs.to_owned(), Vec::new()));
    assert_eq!(commented(base, theirs, theirs), (theirs.to_owned(), Vec::new()));
}

#[test]
fn comments_follow_elements_and_are_left_out_with_them() {
    let list = |elements: &[&str]| format!("[\n    {}\n]", elements.join(",\n    "));
    let (a, b, c) = (r#"{"Id": 1}"#, r#"{"Id": 2}"#, r#"{"Id": 3}"#);
    let said = format!("// Two.\n    {b}");
    // The element has moved, and is somewhere else.
    let (text, left) = commented(&list(&[a, b]), &list(&[c, b, a]), &list(&[a, &said]));
    assert_eq!((text, left), (list(&[c, &said, a]), Vec::new()));
    // It is gone.
    let (text, left) = commented(&list(&[a, b]), &list(&[a]), &list(&[a, &said]));
    assert_eq!((text, left), (list(&[a]), vec!["// Two.".to_owned()]));
    // It is new.
    let (text, left) = commented(&list(&[a]), &list(&[c, a]), &list(&[a, &said]));
    let said = "// Two.\n    {\n        \"Id\": 2\n    }";
    assert_eq!((text, left), (list(&[c, a, said]), Vec::new()));
    // In one line.
    let (text, left) = commented(
        r#"{"a": 1, "b": 2}"#,
        r#"{"a": 3, "b": 2}"#,
        "{\"a\": 1, /* x */ \"b\": 2 // y\n}",
    );
    assert_eq!((text.as_str(), left.len()), ("{\"a\": 3, /* x */ \"b\": 2 // y\n}", 0));
    // Another one in its place.
    let texts =
        ["old", "old", "new"].map(|own| format!("{{\n  // {own}\n  \"a\": 1 /* {own} */\n}}"));
    let ours = texts[1].replace('1', "2");
    assert_eq!(commented(&texts[0], &ours, &texts[2]), (texts[2].replace('1', "2"), Vec::new()));
    // A comment that is not a comment, and the same one at a second place.
    let (text, left) = commented(
        "{\n  // t\n  \"a\": \"// no\",\n  \"b\": 1\n}",
        "{\n  // t\n  \"a\": \"// no\",\n  \"b\": 2\n}",
        "{\n  // t\n  \"a\": \"// no\",\n  // t\n  \"b\": 1\n}",
    );
    assert_eq!(
        (text.as_str(), left.len()),
        ("{\n  // t\n  \"a\": \"// no\",\n  // t\n  \"b\": 2\n}", 0)
    );
}

#[test]
fn deep_values_cost_no_stack() {
    let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(400), "]".repeat(400));
    let (text, conflicts) = merge(&nested("1,1"), &nested("2,1"), &nested("1,3"));
    assert_eq!((text, conflicts.len()), (nested("2,1"), 1));
}

/// What is left of the conflicts that git has with them: in case 05 two people replaced the same
/// model by two others. The rest is clean.
#[test]
fn real_merges() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realdata/o3de");
    if !folder.join("merges").is_dir() {
        eprintln!("skipped: no real data");
        return;
    }
    let mut left = Vec::new();
    let mut cases: Vec<_> = std::fs::read_dir(folder.join("merges")).unwrap().collect();
    cases.sort_by_key(|entry| entry.as_ref().unwrap().path());
    for entry in cases {
        let case = entry.unwrap().path();
        if !case.is_dir() {
            continue;
        }
        let read = |name: &str| open(&std::fs::read_to_string(case.join(name)).unwrap());
        let [base, ours, theirs] = ["base.json", "ours.json", "theirs.json"].map(read);
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        for conflict in merge.conflicts() {
            let case = case.file_name().unwrap().to_string_lossy().into_owned();
            left.push(format!("{case} {} {:?}", conflict.path, conflict.name));
        }
    }
    insta::assert_snapshot!(left.join("\n"));
}

#[test]
fn lists_without_identity_merge_by_what_is_common() {
    clean(r#"["a","b","c"]"#, r#"["a","b","c","d"]"#, r#"["b","c"]"#, r#"["b","c","d"]"#);
    clean("[[1],[2],[3]]", "[[0],[1],[2],[3]]", "[[1],[5],[3]]", "[[0],[1],[5],[3]]");
    clean("[[1,2],[3,4]]", "[[1,9],[3,4]]", "[[8,2],[3,4]]", "[[8,9],[3,4]]");
    conflicting("[]", "[1,2]", "[3]", &[("/0", ConflictKind::Elements)]);
    conflicting(r#"["a"]"#, r#"["b"]"#, r#"["c"]"#, &[("/0", ConflictKind::Value)]);
}

/// A document without members that are identities, as text.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![(0u8..5).prop_map(|own| own.to_string()), Just("\"s\"".to_owned())];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        let members = prop::collection::btree_map("[a-d]", inner, 0..4);
        prop_oneof![
            items.prop_map(|items| format!("[{}]", items.join(","))),
            members.prop_map(|members| {
                let member = |(name, value)| format!("\"{name}\":{value}");
                format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// The tokens of a document of few different names, which may be there twice.
fn tokens() -> impl Strategy<Value = Vec<String>> {
    let leaf = (0u8..3).prop_map(|own| vec![own.to_string()]);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let joined = |[open, close]: [&str; 2], children: Vec<Vec<String>>| {
            let inside = children.join(&",".to_owned());
            [vec![open.to_owned()], inside, vec![close.to_owned()]].concat()
        };
        let member = (0u8..2, inner.clone()).prop_map(|(name, value)| {
            [vec![format!("\"{name}\""), ":".to_owned()], value].concat()
        });
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(move |own| joined(["[", "]"], own)),
            prop::collection::vec(member, 0..4).prop_map(move |own| joined(["{", "}"], own)),
        ]
    })
}

/// What stands between tokens: mostly nothing.
fn gaps() -> impl Strategy<Value = Vec<&'static str>> {
    let gap = prop_oneof![
        6 => prop::sample::select(&["", " ", "\n", "\n  "][..]),
        1 => prop::sample::select(&["/*a*/", " /* b */ ", "//a\n", " // b\n  ", "/* a\n b */"][..]),
    ];
    prop::collection::vec(gap, 1..40)
}

fn with_gaps(tokens: &[String], gaps: &[&str]) -> String {
    let between = gaps.iter().cycle();
    tokens.iter().zip(between).map(|(token, gap)| format!("{gap}{token}")).collect::<String>()
}

/// The pointers of all leaves.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, item)| leaves(item, &format!("{pointer}/{at}"), found));
        }
        Value::Object(object) => {
            let members = object.iter();
            members.for_each(|(name, own)| leaves(own, &format!("{pointer}/{name}"), found));
        }
        _ => found.push(pointer.to_owned()),
    }
}

/// A list of elements with an identity and a value.
fn elements(all: &[(usize, u8)]) -> Value {
    let element = |(id, own): &(usize, u8)| format!(r#"{{"Id":{id},"own":{own}}}"#);
    value(&format!("[{}]", all.iter().map(element).collect::<Vec<_>>().join(",")))
}

/// A list of strings, which have no identity.
fn strings(all: &[usize]) -> Value {
    let all: Vec<String> = all.iter().map(|own| format!("\"{own}\"")).collect();
    value(&format!("[{}]", all.join(",")))
}

/// Merges in both directions.
fn both_ways(base: &Value, ours: &Value, theirs: &Value) -> [(Value, Value, Vec<Conflict>); 2] {
    [merged(base, ours, theirs), merged(base, theirs, ours)]
}

proptest! {
    #[test]
    fn comments_come_once(
        (own, other) in (tokens(), tokens()),
        is_same: bool,
        (before, ours, theirs) in (gaps(), gaps(), gaps()),
    ) {
        let (base, theirs) = (with_gaps(&own, &before), with_gaps(&own, &theirs));
        let ours = with_gaps(if is_same { &own } else { &other }, &ours);
        let (merged, _) = commented(&base, &ours, &theirs);
        prop_assert_eq!(open(&merged).to_plain_json().unwrap(), open(&ours).to_plain_json().unwrap());
    }

    #[test]
    fn one_side_orders_what_the_other_edits(
        order in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        at in 0..6_usize,
    ) {
        let edited = |id: usize| (id, if id == at { 7 } else { 0 });
        let base: Vec<_> = (0..6).map(|id| (id, 0)).collect();
        let ordered: Vec<_> = order.iter().map(|id| (*id, 0)).collect();
        let changed: Vec<_> = (0..6).map(edited).collect();
        let both: Vec<_> = order.iter().map(|id| edited(*id)).collect();
        for (result, _, conflicts) in both_ways(&elements(&base), &elements(&ordered), &elements(&changed)) {
            prop_assert!(conflicts.is_empty(), "{:?}", conflicts);
            prop_assert_eq!(result, elements(&both));
        }
    }

    #[test]
    fn no_pair_stands_as_neither_side_has_it(
        ours in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        at in 0..5_usize,
        is_far: bool,
    ) {
        let base: Vec<usize> = (0..6).collect();
        let mut theirs = base.clone();
        if is_far { theirs.rotate_left(at) } else { theirs.swap(at, at + 1) }
        let named = |all: &[usize]| elements(&all.iter().map(|id| (*id, 0)).collect::<Vec<_>>());
        let (result, _, conflicts) = merged(&named(&base), &named(&ours), &named(&theirs));
        let order: Vec<usize> =
            result.as_array().unwrap().iter().map(|own| own["Id"].as_u64().unwrap() as usize).collect();
        let place = |list: &[usize], id: usize| list.iter().position(|own| *own == id).unwrap();
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let before = |list: &[usize]| place(list, a) < place(list, b);
            let is_agreed = before(&ours) && before(&theirs);
            prop_assert!(!is_agreed || before(&order) || !conflicts.is_empty(), "{:?} {:?} {:?}", ours, theirs, order);
        }
    }

    #[test]
    fn one_side_inserts_where_the_other_removes(at in 0..7_usize, gone in 0..6_usize) {
        let base: Vec<usize> = (0..6).collect();
        let mut more = base.clone();
        more.insert(at, 9);
        let without = |all: &[usize]| -> Vec<usize> {
            all.iter().copied().filter(|id| *id != gone).collect()
        };
        let (less, both) = (without(&base), without(&more));
        let named = |all: &[usize]| elements(&all.iter().map(|id| (*id, 0)).collect::<Vec<_>>());
        for (result, _, conflicts) in both_ways(&named(&base), &named(&more), &named(&less)) {
            prop_assert!(conflicts.is_empty(), "{:?}", conflicts);
            prop_assert_eq!(result, named(&both));
        }
        // Without an identity, neighbours may be a conflict; nothing is lost in silence.
        for (result, _, conflicts) in both_ways(&strings(&base), &strings(&more), &strings(&less)) {
            prop_assert!(!conflicts.is_empty() || result == strings(&both));
        }
    }

    #[test]
    fn one_side_renames_what_the_other_edits(renamed in 0..4_usize, edited in 0..4_usize) {
        let names = ["a", "b", "c", "d"];
        let object = |rename: Option<usize>, edit: Option<usize>| {
            let member = |(at, name): (usize, &&str)| {
                let name = if rename == Some(at) { "x" } else { name };
                format!("\"{name}\":{}", if edit == Some(at) { 2 } else { 1 })
            };
            let members: Vec<String> = names.iter().enumerate().map(member).collect();
            value(&format!("{{{}}}", members.join(",")))
        };
        let [base, ours, theirs] =
            [object(None, None), object(Some(renamed), None), object(None, Some(edited))];
        for (result, _, conflicts) in both_ways(&base, &ours, &theirs) {
            // A changed member that is gone under its name is no merge of its own.
            prop_assert_eq!(conflicts.is_empty(), renamed != edited);
            if renamed != edited {
                prop_assert_eq!(result, object(Some(renamed), Some(edited)));
            }
        }
    }

    #[test]
    fn the_base_changes_nothing(base in tree(), other in tree()) {
        let (base, other) = (value(&base), value(&other));
        for (ours, theirs) in [(&other, &base), (&base, &other), (&other, &other)] {
            let (one, two, conflicts) = merged(&base, ours, theirs);
            prop_assert!(conflicts.is_empty() && one == other && two == other);
        }
    }

    #[test]
    fn edits_of_two_places_are_both_there(base in tree(), one: prop::sample::Index, two: prop::sample::Index) {
        let base = value(&base);
        let mut found = Vec::new();
        leaves(&base, "", &mut found);
        prop_assume!(found.len() > 1);
        let (one, two) = (one.get(&found), two.get(&found));
        prop_assume!(one != two);
        let edited = |places: &[(&String, &str)]| {
            let mut edited = base.clone();
            for (place, to) in places {
                *edited.pointer_mut(place).unwrap() = Value::from(*to);
            }
            edited
        };
        let (ours, theirs) = (edited(&[(one, "ours")]), edited(&[(two, "theirs")]));
        let both = edited(&[(one, "ours"), (two, "theirs")]);
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (result, _, conflicts) = merged(&base, ours, theirs);
            prop_assert!(conflicts.is_empty(), "{:?}", conflicts);
            prop_assert_eq!(&result, &both);
        }
    }

    #[test]
    fn any_three_documents_merge(base in tree(), ours in tree(), theirs in tree()) {
        let (base, ours, theirs) = (value(&base), value(&ours), value(&theirs));
        let [one, mirrored] = both_ways(&base, &ours, &theirs);
        prop_assert_eq!(one.2.is_empty(), mirrored.2.is_empty());
    }
}
