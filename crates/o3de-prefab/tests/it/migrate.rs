//! Recipes: what becomes of components, and of the overrides that lead into them.

use gamewire_testkit::hostile::thread_time;
use o3de_json::value::Document;
use o3de_prefab::{Changed, Loader, Recipe, Renamed};

/// A door, by its number, and two more by their type, as newer engines have them; one is in a wrapper.
const GATE: &str = r#"{
    "ContainerEntity": {"Name": "Gate", "Components": {}},
    "Entities": {
        "E": {"Name": "Wing", "Components": {
            "Component_[2]": {"$type": "{0B1F6D3E-7C63-4E1F-8D8A-1D6A3E4C7B11} Door", "Id": 2, "Hinge": {"Angle": 90.0, "Axis": [0.0, 0.0, 1.0]}, "Open": true},
            "Door": {"$type": "Door", "Id": 5, "Open": false},
            "Door_2": {"$type": "GenericComponentWrapper", "Id": 6, "m_template": {"$type": "Door", "Sound": "creak"}},
            "Order": {"$type": "EditorInspectorComponent", "Id": 7, "ComponentOrderEntryArray": [{"ComponentId": 2}, {"ComponentId": 7}]},
            "Kept": {"$type": "EditorDisabledCompositionComponent", "Id": 8, "DisabledComponents": [{"$type": "Door", "Id": 9, "Open": true}]}
        }}
    }
}"#;

fn recipe(steps: &str) -> Recipe {
    Recipe::read(
        format!(r#"{{"migrations": [{{"component": "Door", "steps": [{steps}]}}]}}"#).as_bytes(),
    )
    .unwrap()
}

/// Sources: the gate, a yard with an instance of it, and a yard with one of what is not there.
fn loader() -> Loader<impl o3de_json::value::Importer> {
    Loader::new(|path: &str| {
        match path {
        "Gate.prefab" => Ok(GATE.as_bytes().to_vec()),
        "Yard.prefab" => Ok(br#"{"Entities": {}, "Instances": {"G": {"Source": "Gate.prefab"}, "X": {"Source": "Gone.prefab"}}}"#.to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    }
    })
}

fn applied(recipe: &Recipe, text: &str) -> Renamed {
    let document: Document = text.parse().unwrap();
    recipe.apply(&document, "Level.prefab", &mut loader()).unwrap()
}

fn level(source: &str, patches: &[String]) -> String {
    format!(
        r#"{{"Entities": {{}}, "Instances": {{"I": {{"Source": "{source}", "Patches": [{}]}}}}}}"#,
        patches.join(", ")
    )
}

fn replaced(path: &str, value: &str) -> String {
    format!(r#"{{"op": "replace", "path": "{path}", "value": {value}}}"#)
}

/// What becomes of overrides of a component of the gate: operations, paths and values.
fn overrides(steps: &str, patches: &[(&str, &str, &str)]) -> Vec<String> {
    let patches: Vec<String> = patches
        .iter()
        .map(|(operation, path, value)| {
            let value =
                if value.is_empty() { String::new() } else { format!(r#", "value": {value}"#) };
            format!(r#"{{"op": "{operation}", "path": "/Entities/E/Components/{path}"{value}}}"#)
        })
        .collect();
    let now = applied(&recipe(steps), &level("Gate.prefab", &patches));
    let now: Document = String::from_utf8(now.bytes).unwrap().parse().unwrap();
    let list = now.value().pointer("/Instances/I/Patches").unwrap().as_array().unwrap();
    let shown = |patch: &o3de_json::Value| {
        let path = patch["path"].as_str().unwrap().trim_start_matches("/Entities/E/Components/");
        let value = patch
            .get("value")
            .map_or(String::new(), |own| format!(" {}", o3de_json::to_string(own).unwrap()));
        format!("{} {path}{value}", patch["op"].as_str().unwrap())
    };
    list.iter().map(shown).collect()
}

/// A text without what is only layout: what gets another key is laid out anew.
fn compact(text: &[u8]) -> String {
    let value = std::str::from_utf8(text).unwrap().parse::<Document>().unwrap().into_value();
    o3de_json::to_string(&value).unwrap()
}

const CONTROLLER: &str = r#"{"op": "rename", "path": "/Hinge/Angle", "to": "Degrees"},
    {"op": "wrap", "path": "/Controller/Configuration"}, {"op": "rename", "to": "EditorDoor"}"#;

#[test]
fn components_change_and_all_else_stays() {
    let now = applied(&recipe(CONTROLLER), GATE);
    let text = String::from_utf8(now.bytes).unwrap();
    let expected = GATE
        .replace(
            r#"} Door", "Id": 2, "Hinge": {"Angle": 90.0, "Axis": [0.0, 0.0, 1.0]}, "Open": true}"#,
            r#"} EditorDoor", "Id": 2, "Controller": {"Configuration": {"Hinge": {"Degrees": 90.0, "Axis": [0.0, 0.0, 1.0]}, "Open": true}}}"#,
        )
        .replace(
            r#""Door": {"$type": "Door", "Id": 5, "Open": false}"#,
            r#""EditorDoor": {"$type": "EditorDoor", "Id": 5, "Controller": {"Configuration": {"Open": false}}}"#,
        )
        .replace(
            r#"{"$type": "Door", "Id": 9, "Open": true}"#,
            r#"{"$type": "EditorDoor", "Id": 9, "Controller": {"Configuration": {"Open": true}}}"#,
        )
        .replace(
            r#""Door_2": {"$type": "GenericComponentWrapper", "Id": 6, "m_template": {"$type": "Door", "Sound": "creak"}}"#,
            r#""EditorDoor_2": {"$type": "EditorDoor", "Id": 6, "Controller": {"Configuration": {"m_template": {"$type": "Door", "Sound": "creak"}}}}"#,
        );
    let [now_value, expected_value] =
        [&text, &expected].map(|own| own.parse::<Document>().unwrap().into_value());
    assert_eq!(now_value, expected_value);
    let rows: Vec<_> = now
        .changes
        .iter()
        .map(|own| {
            (own.pointer.rsplit('/').next().unwrap(), own.place, own.old.as_str(), own.new.as_str())
        })
        .collect();
    let row = |key| (key, Changed::Component, "Door", "EditorDoor");
    assert_eq!(rows[0], row("Component_[2]"));
    assert_eq!(rows[1], row("Door"));
    assert_eq!((rows.len(), rows[3]), (4, row("0")));
    // Nothing of it: not a byte.
    let other = GATE.replace("Door", "Gate");
    let now = applied(&recipe(CONTROLLER), &other);
    assert_eq!((now.bytes, now.changes.len()), (other.into_bytes(), 0));
}

/// As a component of a game becomes one of the editor.
#[test]
fn wrapped_components_are_unwrapped() {
    let steps = r#"{"op": "drop", "path": "/m_template/$type"},
        {"op": "move", "from": "/m_template", "path": "/Configuration"}, {"op": "rename", "to": "EditorDoor"}"#;
    let now = applied(&recipe(steps), GATE);
    let text = compact(&now.bytes);
    assert!(
        text.contains(
            r#""EditorDoor_2":{"$type":"EditorDoor","Id":6,"Configuration":{"Sound":"creak"}}"#
        ),
        "{text}"
    );
    let now = overrides(steps, &[("replace", "Door_2/m_template/Sound", "\"bang\"")]);
    assert_eq!(now, [r#"replace EditorDoor_2/Configuration/Sound "bang""#]);
    // In the wrapper, where it stays.
    let now = applied(&recipe(r#"{"op": "rename", "to": "Gate::Wing"}"#), GATE);
    let text = compact(&now.bytes);
    assert!(text.contains(r#""Gate::Wing_2":{"$type":"GenericComponentWrapper","Id":6,"m_template":{"$type":"Gate::Wing""#), "{text}");
}

#[test]
fn overrides_follow() {
    let rows = [
        ("replace", "Component_[2]/Hinge/Angle", "45.0"),
        ("replace", "Component_[2]/Hinge", r#"{"Angle": 1, "Axis": [1.0]}"#),
        ("remove", "Component_[2]/Hinge/Axis/0", ""),
        ("replace", "Door/Open", "true"),
        ("replace", "Door/$type", "\"Door\""),
        ("remove", "Door_2", ""),
        ("add", "Component_[4]", r#"{"$type": "Door", "Open": true}"#),
        ("replace", "Component_[4]/Open", "false"),
        ("replace", "Order/Other", "1"),
        ("replace", "Kept/DisabledComponents/0/Open", "false"),
        ("replace", "Gone/Open", "1"),
    ];
    let now = overrides(CONTROLLER, &rows);
    assert_eq!(
        now,
        [
            "replace Component_[2]/Controller/Configuration/Hinge/Degrees 45.0",
            r#"replace Component_[2]/Controller/Configuration/Hinge {"Axis":[1.0],"Degrees":1}"#,
            "remove Component_[2]/Controller/Configuration/Hinge/Axis/0",
            "replace EditorDoor/Controller/Configuration/Open true",
            r#"replace EditorDoor/$type "EditorDoor""#,
            "remove EditorDoor_2",
            r#"add Component_[4] {"$type":"EditorDoor","Controller":{"Configuration":{"Open":true}}}"#,
            "replace Component_[4]/Controller/Configuration/Open false",
            "replace Order/Other 1",
            "replace Kept/DisabledComponents/0/Controller/Configuration/Open false",
            "replace Gone/Open 1",
        ]
    );
    // Around components, in an instance of an instance, and in an instance that an override adds.
    let door = r#"{"Components": {"Door": {"$type": "Door", "Open": true}}}"#;
    let inner = replaced("/Entities/E/Components/Door/Open", "true");
    let text = level(
        "Yard.prefab",
        &[
            replaced("/Instances/G/Entities/E/Components/Door/Open", "true"),
            replaced("/Instances/G/Entities/F", door),
            replaced("/ContainerEntity", door),
            replaced("/Entities", &format!(r#"{{"A": {door}}}"#)),
            replaced("/Entities/E/Components", r#"{"Door": {"$type": "Door"}, "Other": {}}"#),
            replaced(
                "/Instances/N",
                &format!(r#"{{"Source": "Gate.prefab", "Patches": [{inner}]}}"#),
            ),
            replaced("", &format!(r#"{{"ContainerEntity": {door}}}"#)),
            replaced("/Instances/G/Entities/E/Name", "\"Door\""),
        ],
    );
    let now = applied(&recipe(CONTROLLER), &text);
    let [now, expected] = [String::from_utf8(now.bytes).unwrap(), text.replace("/Door/Open", "/EditorDoor/Controller/Configuration/Open").replace(
        r#""Door": {"$type": "Door", "Open": true}"#,
        r#""EditorDoor": {"$type": "EditorDoor", "Controller": {"Configuration": {"Open": true}}}"#,
    ).replace(r#""Door": {"$type": "Door"}"#, r#""EditorDoor": {"$type": "EditorDoor"}"#)]
    .map(|own| own.parse::<Document>().unwrap().into_value());
    assert_eq!(now, expected);
}

#[test]
fn overrides_that_set_more_than_what_moves_become_two() {
    let steps = r#"{"op": "move", "from": "/Hinge/Axis", "path": "/Frame/Up"}"#;
    let rows = [
        ("replace", "Component_[2]/Hinge", r#"{"Angle": 1, "Axis": [1.0]}"#),
        ("replace", "Component_[2]/Hinge", r#"{"Angle": 1}"#),
        ("replace", "Component_[2]/Hinge/Axis/2", "2.0"),
        ("remove", "Component_[2]/Hinge", ""),
        ("remove", "Door/Hinge", ""),
    ];
    assert_eq!(
        overrides(steps, &rows),
        [
            r#"replace Component_[2]/Hinge {"Angle":1}"#,
            "replace Component_[2]/Frame/Up [1.0]",
            r#"replace Component_[2]/Hinge {"Angle":1}"#,
            "replace Component_[2]/Frame/Up/2 2.0",
            "remove Component_[2]/Hinge",
            "remove Component_[2]/Frame/Up",
            "remove Door/Hinge",
        ]
    );
    let dropped = overrides(r#"{"op": "drop", "path": "/Hinge/Axis"}"#, &rows[..3]);
    assert_eq!(dropped, [r#"replace Component_[2]/Hinge {"Angle":1}"#; 2]);
}

#[test]
fn members_go_into_a_component_of_their_own() {
    let steps =
        r#"{"op": "split", "to": "My::Lock", "members": ["/Open", "/Hinge/Axis", "/Nothing"]}"#;
    let text = String::from_utf8(
        applied(&recipe(steps), &GATE.replace("DisabledComponents", "Other")).bytes,
    )
    .unwrap();
    let now = text.parse::<Document>().unwrap().into_value();
    let components = now.pointer("/Entities/E/Components").unwrap().as_object().unwrap();
    let keys: Vec<&str> = components.keys().map(|own| own.as_str()).collect();
    let key = keys[1];
    assert!(
        key.starts_with("Component_[") && keys[3] == "My::Lock" && keys[5] == "My::Lock_2",
        "{keys:?}"
    );
    let lock = &now.pointer("/Entities/E/Components").unwrap()[key];
    assert_eq!(format!("Component_[{}]", lock["Id"].as_u64().unwrap()), key);
    assert_eq!(o3de_json::to_string(&lock["Hinge"]).unwrap(), r#"{"Axis":[0.0,0.0,1.0]}"#);
    assert_eq!((lock["$type"].as_str(), lock["Open"].as_bool()), (Some("My::Lock"), Some(true)));
    assert_eq!(
        o3de_json::to_string(&components.get("Component_[2]").unwrap()["Hinge"]).unwrap(),
        r#"{"Angle":90.0}"#
    );
    // The overrides of other files find it.
    let rows = [
        ("replace", "Component_[2]/Open", "false"),
        ("replace", "Component_[2]/Hinge", r#"{"Angle": 1, "Axis": [2.0]}"#),
        ("replace", "Door/Open", "true"),
        ("remove", "Component_[2]", ""),
        ("add", "Component_[2]", r#"{"$type": "Door", "Id": 2, "Open": true}"#),
    ];
    let now = overrides(steps, &rows);
    let new = format!(
        r#"add {key} {{"$type":"My::Lock","Id":{},"Open":true}}"#,
        lock["Id"].as_u64().unwrap()
    );
    assert_eq!(
        now,
        [
            format!("replace {key}/Open false").as_str(),
            r#"replace Component_[2]/Hinge {"Angle":1}"#,
            &format!("replace {key}/Hinge/Axis [2.0]"),
            "replace My::Lock/Open true",
            "remove Component_[2]",
            &format!("remove {key}"),
            r#"add Component_[2] {"$type":"Door","Id":2}"#,
            &new,
        ]
    );
    // Later migrations see it.
    let both = format!(
        r#"{{"migrations": [{{"component": "Door", "steps": [{steps}]}}, {{"component": "My::Lock", "steps": [{{"op": "rename", "path": "/Open", "to": "Free"}}]}}]}}"#
    );
    let both = Recipe::read(both.as_bytes()).unwrap();
    let now = applied(
        &both,
        &level("Gate.prefab", &[replaced("/Entities/E/Components/Door/Open", "true")]),
    );
    assert_eq!(now.changes[0].new, "/Entities/E/Components/My::Lock/Free");
}

#[test]
fn what_is_dropped_is_dropped_everywhere() {
    let now = applied(&recipe(r#"{"op": "drop"}"#), GATE);
    let text = String::from_utf8(now.bytes).unwrap();
    assert!(
        !text.contains("Door")
            && text.contains(r#""ComponentOrderEntryArray": [{"ComponentId": 7}]"#),
        "{text}"
    );
    assert_eq!(now.changes[0].new, "");
    let level = level(
        "Gate.prefab",
        &[
            replaced("/Entities/E/Components/Door/Open", "true"),
            replaced("/Entities/E/Components/Door_2", r#"{"$type": "Door"}"#),
            replaced("/Entities/E/Name", "\"Door\""),
        ],
    );
    let now = applied(&recipe(r#"{"op": "drop"}"#), &level);
    let places: Vec<_> = now.changes.iter().map(|own| own.place).collect();
    assert_eq!(places, [Changed::OverrideGone; 2]);
    let text = String::from_utf8(now.bytes).unwrap();
    assert!(text.contains(r#""Patches": [{"op": "replace", "path": "/Entities/E/Name""#), "{text}");
}

/// What a file leaves out has the default; with another default, it is to be said.
#[test]
fn defaults_are_set_where_nothing_stands() {
    let now =
        applied(&recipe(r#"{"op": "default", "path": "/Hinge/Angle", "value": 45.50}"#), GATE);
    let text = String::from_utf8(now.bytes).unwrap();
    assert!(text.contains(r#""Id": 5, "Open": false, "Hinge": {"Angle": 45.50}}"#), "{text}");
    assert!(text.contains(r#""Angle": 90.0"#));
}

#[test]
fn overrides_below_what_cannot_be_read_are_said() {
    let at = "/Instances/X/Entities/E/Components";
    let text = level(
        "Yard.prefab",
        &[
            replaced(&format!("{at}/Component_[1]/Open"), "1"),
            replaced(&format!("{at}/Component_[1]/Id"), "1"),
            replaced(&format!("{at}/Door_3/Open"), "1"),
            replaced(&format!("{at}/Other/Open"), "1"),
            format!(r#"{{"op": "remove", "path": "{at}/Component_[1]"}}"#),
        ],
    );
    let now = applied(&recipe(CONTROLLER), &text);
    let undecided: Vec<_> =
        now.undecided.iter().map(|own| (own.pointer.as_str(), own.source.as_str())).collect();
    assert_eq!(undecided, [("/Instances/I/Patches/0/path", "Gone.prefab")]);
    // A key that is the type says enough.
    let expected = text.replace("Door_3/Open", "EditorDoor_3/Controller/Configuration/Open");
    assert_eq!(String::from_utf8(now.bytes).unwrap(), expected);
    let now = applied(&recipe(r#"{"op": "split", "to": "Lock", "members": ["/Open"]}"#), &text);
    assert_eq!(now.undecided.len(), 2);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let refused = |steps: &str, text: &str| {
        let document: Document = text.parse().unwrap();
        recipe(steps).apply(&document, "Level.prefab", &mut loader()).unwrap_err().to_string()
    };
    let at = "in /Entities/E/Components";
    let rename = r#"{"op": "rename", "path": "/Open", "to": "Id"}"#;
    assert_eq!(refused(rename, GATE), format!("`/Id` is there already, {at}/Component_[2]"));
    let moved = r#"{"op": "move", "from": "/Open", "path": "/Hinge/Angle"}"#;
    assert_eq!(
        refused(moved, GATE),
        format!("`/Hinge/Angle` is there already, {at}/Component_[2]")
    );
    let inside = r#"{"op": "move", "from": "/Open", "path": "/Id/Value"}"#;
    assert_eq!(refused(inside, GATE), format!("`/Id/Value` is there already, {at}/Component_[2]"));
    let key = r#"{"op": "rename", "to": "Order"}"#;
    assert_eq!(refused(key, GATE), format!("`Order` is there already, {at}"));
    let split = r#"{"op": "split", "to": "Lock", "members": ["/Open"]}"#;
    assert_eq!(
        refused(split, GATE),
        format!("a component in a list cannot be split, {at}/Kept/DisabledComponents/0")
    );
    let copied = level("Gate.prefab", &[r#"{"op": "copy", "from": "/Entities/E/Components/Door/Open", "path": "/Entities/E/Name"}"#.to_owned()]);
    assert_eq!(
        refused(CONTROLLER, &copied),
        "the override moves or copies what the recipe changes; write it as `remove` and `add`, in /Instances/I/Patches/0"
    );
}

#[test]
fn recipes_that_are_none_say_where() {
    let wrong = |text: &str| Recipe::read(text.as_bytes()).unwrap_err().to_string();
    let step = |step: &str| {
        wrong(&format!(r#"{{"migrations": [{{"component": "A", "steps": [{step}]}}]}}"#))
    };
    assert!(wrong("{").starts_with("expected a "), "{}", wrong("{"));
    assert_eq!(wrong("[]"), "expected an object, in  of the recipe");
    assert_eq!(wrong("{}"), "expected a list with something in it in /migrations of the recipe");
    assert_eq!(
        wrong(r#"{"migrations": [{"steps": []}]}"#),
        "expected a string in /migrations/0/component of the recipe"
    );
    assert_eq!(
        wrong(r#"{"steps": []}"#),
        "expected `about`, `migrations`, found `steps`, in  of the recipe"
    );
    let at = "/migrations/0/steps/0";
    for (text, expected) in [
        (
            "1",
            format!(
                "expected `rename`, `move`, `wrap`, `split`, `default` or `drop` in {at}/op of the recipe"
            ),
        ),
        (
            r#"{"op": "set"}"#,
            format!(
                "expected `rename`, `move`, `wrap`, `split`, `default` or `drop` in {at}/op of the recipe"
            ),
        ),
        (r#"{"op": "rename"}"#, format!("expected a string in {at}/to of the recipe")),
        (
            r#"{"op": "drop", "to": 1}"#,
            format!("expected `op`, `path`, found `to`, in {at} of the recipe"),
        ),
        (
            r#"{"op": "drop", "path": "a"}"#,
            format!(
                "expected a JSON Pointer, such as `/Controller/Configuration`, in {at}/path of the recipe"
            ),
        ),
        (
            r#"{"op": "move", "from": "/a", "path": "/a/b"}"#,
            format!("expected a place that is not inside of what moves in {at}/path of the recipe"),
        ),
        (
            r#"{"op": "default", "path": "/a"}"#,
            format!("expected a value in {at}/value of the recipe"),
        ),
        (
            r#"{"op": "split", "to": "B", "members": [1]}"#,
            format!("expected strings in {at}/members of the recipe"),
        ),
    ] {
        assert_eq!(step(text), expected, "{text}");
    }
}

/// Depth costs no stack that foreign data could choose.
#[test]
fn deep_prefabs_are_looked_through() {
    const DEPTH: usize = 330;
    let nested =
        |open: &str, close: &str| format!("{}{{}}{}", open.repeat(DEPTH), close.repeat(DEPTH));
    let prefabs = nested(r#"{"Entities": {}, "Instances": {"I": "#, "}}");
    let kept = nested(r#"{"Id": 1, "DisabledComponents": {"C": "#, "}}");
    let kept = format!(r#"{{"Entities": {{"E": {{"Components": {{"C": {kept}}}}}}}}}"#);
    let links = nested(
        r#"{"Source": "a", "Patches": [{"op": "add", "path": "/Instances/I", "value": "#,
        "}]}",
    );
    let links = format!(r#"{{"Entities": {{}}, "Instances": {{"I": {links}}}}}"#);
    let look = move || {
        for text in [prefabs, kept, links] {
            let options = o3de_json::Options::new().max_depth(1025);
            let document = Document::from_slice(text.as_bytes(), &options).unwrap();
            let now = recipe(CONTROLLER).apply(&document, "", &mut loader()).unwrap();
            assert_eq!(now.changes.len(), 0);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(look).unwrap().join().unwrap();
}

/// As many overrides as a large level has, of as many components.
#[test]
fn large_levels_take_time_in_proportion() {
    let count = 4000;
    let join = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let entities = join(&|at| {
        format!(
            r#""Entity_[{at}]": {{"Components": {{"Component_[{at}]": {{"$type": "Door", "Id": {at}, "Open": true}}}}}}"#
        )
    });
    let source = format!(r#"{{"Entities": {{{entities}}}}}"#);
    let patches: Vec<String> = (0..count)
        .map(|at| {
            replaced(&format!("/Entities/Entity_[{at}]/Components/Component_[{at}]/Open"), "false")
        })
        .collect();
    let level: Document = level("Large.prefab", &patches).parse().unwrap();
    let mut loader = Loader::new(|_: &str| Ok(source.clone().into_bytes()));
    let start = thread_time();
    let now = recipe(CONTROLLER).apply(&level, "Level.prefab", &mut loader).unwrap();
    assert_eq!(now.changes.len(), count);
    let now =
        recipe(CONTROLLER).apply(&source.parse().unwrap(), "Large.prefab", &mut loader).unwrap();
    assert_eq!(now.changes.len(), count);
    let time = thread_time() - start;
    assert!(time.as_secs() < 20, "{time:?}");
}
