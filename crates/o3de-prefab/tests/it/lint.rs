//! Whether a prefab hangs together, and overrides that say nothing new.

use o3de_json::Value;
use o3de_prefab::{Loader, Rule};

use crate::support::value;

/// An entity of a name with these parents and children.
fn entity(name: &str, parent: &str, children: Option<&str>) -> String {
    let order = children.map_or(String::new(), |children| {
        let list: Vec<String> =
            children.split_whitespace().map(|own| format!("\"{own}\"")).collect();
        format!(
            r#", "S": {{"$type": "EditorEntitySortComponent", "Child Entity Order": [{}]}}"#,
            list.join(", ")
        )
    });
    format!(
        r#""{name}": {{"Name": "{name}", "Components": {{"T": {{"$type": "TransformComponent", "Parent Entity": "{parent}"}}{order}}}}}"#
    )
}

/// Rules, pointers and messages of a level with these entities, and instances by their parents.
fn findings(
    root: &str,
    entities: &[String],
    instances: &[(&str, &str)],
) -> Vec<(Rule, String, String)> {
    let list: Vec<String> = root.split_whitespace().map(|own| format!("\"{own}\"")).collect();
    let instances: Vec<String> = instances
        .iter()
        .map(|(name, parent)| {
            format!(r#""{name}": {{"Source": "A", "Patches": [{{"op": "replace", "path": "/ContainerEntity/Components/T/Parent Entity", "value": "../{parent}"}}]}}"#)
        })
        .collect();
    let level = format!(
        r#"{{"ContainerEntity": {{"Name": "Level", "Components": {{"P": {{"$type": "EditorPrefabComponent"}},
            "S": {{"$type": "EditorEntitySortComponent", "Child Entity Order": [{}]}}}}}},
            "Entities": {{{}}}, "Instances": {{{}}}}}"#,
        list.join(", "),
        entities.join(", "),
        instances.join(", ")
    );
    let found = o3de_prefab::lint(&value(&level)).into_iter();
    found.map(|own| (own.rule, own.pointer, own.message)).collect()
}

#[test]
fn children_are_in_the_order_of_their_parent_once() {
    const ROOT: &str = "ContainerEntity";
    let all = [
        entity("A", ROOT, Some("B I/ContainerEntity")),
        entity("B", "A", None),
        entity("C", "", None),
    ];
    assert_eq!(findings("A", &all, &[("I", "A")]), []);
    // What hangs on something inside of an instance is in an order there; one without an order says nothing.
    let outside = [entity("A", "I/Entity_[7]", None), entity("B", "A", None)];
    assert_eq!(findings("I/ContainerEntity", &outside, &[("I", ROOT)]), []);

    let lost = [entity("A", ROOT, Some("")), entity("B", "A", None)];
    let parent = "/Entities/B/Components/T/Parent Entity";
    let row = (
        Rule::UnorderedChild,
        parent.to_owned(),
        "\"B\" is not in the order of children of its parent \"A\"".to_owned(),
    );
    assert_eq!(findings("A", &lost, &[]), [row]);
    let found = findings("A", &all[..2], &[("I", "A"), ("J", "A")]);
    let row = (
        Rule::UnorderedChild,
        "/Instances/J".to_owned(),
        "`J` is not in the order of children of its parent \"A\"".to_owned(),
    );
    assert_eq!(found, [row]);

    let at = "/ContainerEntity/Components/S/Child Entity Order/1";
    let twice = (
        Rule::OrderedTwice,
        at.to_owned(),
        "\"B\" is in the order of children of \"Level\", and in that of its parent".to_owned(),
    );
    assert_eq!(findings("A B", &all, &[("I", "A")]), [twice]);
    let two = [entity("A", ROOT, Some("")), entity("B", "A", None)];
    let other = (
        Rule::OtherParent,
        at.to_owned(),
        "\"B\" is in the order of children of \"Level\", and its parent is another".to_owned(),
    );
    assert_eq!(findings("A B", &two, &[]), [other]);
    let older = [
        entity("A", ROOT, Some("")).replace("Child Entity Order", "ChildEntityOrderEntryArray"),
        entity("B", "A", None),
    ];
    assert_eq!(findings("A", &older, &[]), []);
}

/// An instance that was saved while its prefab was missing lost its parent, and an entity can have none.
#[test]
fn what_has_no_parent_is_found() {
    let transform = |parent: &str| format!(r#""T": {{"$type": "TransformComponent"{parent}}}"#);
    let entity = |name: &str, parent: &str| {
        format!(r#""{name}": {{"Name": "{name}", "Components": {{{}}}}}"#, transform(parent))
    };
    let patches = |path: &str, value: &str| {
        format!(
            r#"{{"Source": "A", "Patches": [{{"op": "replace", "path": "/ContainerEntity/{path}", "value": {value}}}]}}"#
        )
    };
    let level = |container: &str| {
        let entities = [
            entity("Empty", r#", "Parent Entity": """#),
            entity("Absent", ""),
            entity("Older", r#", "Parent Entity": {"id": 7}"#),
            entity("Below", r#", "Parent Entity": "ContainerEntity""#),
            r#""Flat": {"Name": "Flat", "Components": {}}"#.to_owned(),
        ];
        let instances = [
            ("I1", r#"{"Source": "A"}"#.to_owned()),
            ("I2", patches("Name", "\"Lamp\"")),
            ("I3", patches("Components/T/Parent Entity", "\"\"")),
            ("I4", patches("Components/T/Parent Entity", "\"../Below\"")),
            (
                "I5",
                patches(
                    "Components/T",
                    r#"{"$type": "TransformComponent", "Parent Entity": "../Below"}"#,
                ),
            ),
        ];
        let instances = instances.map(|(name, own)| format!(r#""{name}": {own}"#)).join(", ");
        value(&format!(
            r#"{{"ContainerEntity": {{"Name": "Level", "Components": {{"P": {{"$type": "EditorPrefabComponent"}}{container}}}}},
                "Entities": {{{}}}, "Instances": {{{instances}}}}}"#,
            entities.join(", ")
        ))
    };
    let of = |level: &Value| -> Vec<(Rule, String, String)> {
        o3de_prefab::lint(level)
            .into_iter()
            .map(|own| (own.rule, own.pointer, own.message))
            .collect()
    };
    let found = of(&level(&format!(", {}", transform(r#", "Parent Entity": """#))));
    let row = |pointer: &str, name: &str| {
        (
            Rule::NoParent,
            pointer.to_owned(),
            format!("{name} has no parent, and stands beside \"Level\""),
        )
    };
    assert_eq!(
        found,
        [
            row("/Entities/Empty/Components/T/Parent Entity", "\"Empty\""),
            row("/Entities/Absent/Components/T", "\"Absent\""),
            row("/Instances/I1", "`I1`"),
            row("/Instances/I2", "\"Lamp\""),
            row("/Instances/I3", "`I3`"),
        ]
    );
    // To a container without a place nothing is attached.
    assert_eq!(of(&level("")), []);
}

#[test]
fn parents_that_go_round_are_found_once() {
    let own = [entity("A", "A", None)];
    let found = findings("", &own, &[]);
    let at = "/Entities/A/Components/T/Parent Entity".to_owned();
    assert_eq!(
        found,
        [(
            Rule::ParentCycle,
            at.clone(),
            "\"A\" is its own ancestor: \"A\" below \"A\"".to_owned()
        )]
    );
    // D hangs on the round, and is no part of it.
    let round = [
        entity("D", "A", None),
        entity("A", "B", None),
        entity("B", "C", None),
        entity("C", "A", None),
    ];
    let found = findings("", &round, &[]);
    assert_eq!(
        found,
        [(
            Rule::ParentCycle,
            at,
            "\"A\" is its own ancestor: \"A\" below \"B\" below \"C\" below \"A\"".to_owned()
        )]
    );
    // Through an instance.
    let through = [entity("A", "I/Instance_[3]/Entity_[1]", None)];
    let found = findings("", &through, &[("I", "A")]);
    assert_eq!(found.iter().map(|own| own.0).collect::<Vec<_>>(), [Rule::ParentCycle]);
    // By the id, as older engines have it.
    let ids = [entity("A", "Entity_9", None).replace(r#""Name""#, r#""Id": "Entity_9", "Name""#)];
    assert!(findings("", &ids, &[]).iter().any(|own| own.0 == Rule::ParentCycle));
}

#[test]
fn every_prefab_has_entities_and_its_component() {
    let rules = |text: &str| {
        o3de_prefab::lint(&value(text))
            .into_iter()
            .map(|own| (own.rule, own.pointer))
            .collect::<Vec<_>>()
    };
    let container = r#""ContainerEntity": {"Components": {"C": {"$type": "{F2A5F7DF-0F69-4B84-8A1A-A0F1C5C2C3F6} EditorPrefabComponent"}}}"#;
    assert_eq!(rules(&format!("{{{container}, \"Entities\": {{}}}}")), []);
    assert_eq!(rules(&format!("{{{container}}}")), [(Rule::NoEntities, String::new())]);
    assert_eq!(
        rules(r#"{"ContainerEntity": {}, "Entities": {}}"#),
        [(Rule::NoPrefabComponent, "/ContainerEntity".to_owned())]
    );
    assert_eq!(
        Rule::ALL.iter().map(|rule| rule.name()).collect::<std::collections::BTreeSet<_>>().len(),
        Rule::ALL.len()
    );
}

/// The positions of the overrides of an entity's component that say nothing new.
fn restated(patches: &[(&str, &str, &str)]) -> Vec<usize> {
    let source = r#"{"ContainerEntity": {}, "Entities": {"E": {"Name": "Bulb", "Components": {"C": {"Id": 1, "On": true, "Power": 5.0, "List": [1, 2, 2], "In": {"a": 1, "b": [0.5]}}}}}}"#;
    let patches: Vec<String> = patches
        .iter()
        .map(|(operation, path, value)| format!(r#"{{"op": "{operation}", "path": "/Entities/E/{path}", "from": "", "value": {value}}}"#))
        .collect();
    let mut level = value(&format!(
        r#"{{"Instances": {{"I": {{"Source": "Bulb.prefab", "Patches": [{}]}}}}, "Entities": {{}}}}"#,
        patches.join(",")
    ));
    let mut loader = Loader::new(|_: &str| Ok(source.as_bytes().to_vec()));
    let whole = |loader: &mut Loader<_>, level: &Value| {
        loader.resolve(level.clone(), "").value.pointer("/Instances/I/Entities").cloned()
    };
    let before = whole(&mut loader, &level);
    let found = o3de_prefab::lint_instances(&mut loader, &level, "Level.prefab");
    let found: Vec<_> =
        found.into_iter().filter(|own| own.rule == Rule::RestatedOverride).collect();
    assert!(found.iter().all(|own| own.is_removable));
    // Without them the level is the same.
    assert_eq!(o3de_prefab::remove(&mut level, &found), found.len());
    assert!(whole(&mut loader, &level).unwrap().same(&before.unwrap()));
    found.iter().map(|own| own.pointer.rsplit('/').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn overrides_that_say_what_is_there_go() {
    const NONE: [usize; 0] = [];
    let at = |inside: &str| format!("Components/C/{inside}");
    let [on, power, list, first, second, inside] =
        ["On", "Power", "List", "List/0", "List/1", "In/b/0"].map(at);
    assert_eq!(
        restated(&[
            ("replace", &on, "true"),
            ("replace", &power, "5"),
            ("add", &inside, "0.5"),
            ("replace", "Name", "\"Bulb\"")
        ]),
        [0, 1, 3]
    );
    assert_eq!(
        restated(&[
            ("replace", &on, "false"),
            ("replace", &at("New"), "1"),
            ("replace", "Gone/x", "null")
        ]),
        NONE
    );
    assert_eq!(
        restated(&[
            ("replace", &at("In"), r#"{"b": [0.5], "a": 1.0}"#),
            ("replace", &list, "[1, 2, 2]")
        ]),
        [0, 1]
    );
    // Others could change it before, or after.
    for other in [
        ("replace", on.as_str(), "false"),
        ("replace", "Components/C", "{}"),
        ("remove", &on, "0"),
        ("copy", &power, "0"),
    ] {
        assert_eq!(restated(&[other, ("replace", &on, "true")]), NONE, "{other:?}");
        assert_eq!(restated(&[("replace", &on, "true"), other]), NONE, "{other:?}");
    }
    assert_eq!(
        restated(&[("replace", &at("In"), r#"{"a": 1, "b": [0.5]}"#), ("replace", &inside, "1.5")]),
        NONE
    );
    // Elements move.
    assert_eq!(restated(&[("remove", &first, "0"), ("replace", &second, "2")]), NONE);
    assert_eq!(restated(&[("add", &first, "1")]), NONE);
    assert_eq!(restated(&[("add", &at("List/-"), "2"), ("replace", &second, "2")]), NONE);
    assert_eq!(restated(&[("replace", &first, "1"), ("replace", &second, "3")]), [0]);
}
