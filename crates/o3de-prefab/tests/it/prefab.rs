//! Prefabs: entities, components, instances.

use gamewire_testkit::hostile::thread_time;
use o3de_json::report::Outcome;
use o3de_json::value::{Document, Folder};
use o3de_json::{ErrorKind, Value};
use o3de_prefab::{CONTAINER, Defaults, Loader, Prefab};

use crate::support::{real_folder, root, value};

fn sample(name: &str) -> Document {
    let path = root().join("testdata/o3de-json/samples").join(name);
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn entities_and_components_are_listed() {
    let document = sample("Yard.prefab");
    let yard = Prefab::new(document.value()).unwrap();
    let entities: Vec<_> = yard
        .entities()
        .map(|entity| (entity.alias(), entity.name().unwrap(), entity.parent(), entity.is_active()))
        .collect();
    assert_eq!(
        entities,
        [
            ("Entity_[1146574390643]", "Ground", Some(CONTAINER), true),
            ("Entity_[1150869357939]", "Spawn", Some("Entity_[1146574390643]"), false),
        ]
    );
    let ground = yard.entities_named("Ground").next().unwrap();
    let wrapper = ground.component("surfacedata::surfacedatashapecomponent").unwrap();
    assert_eq!(wrapper.type_name(), Some("GenericComponentWrapper"));
    assert_eq!(wrapper.wrapped_type_name(), Some("SurfaceData::SurfaceDataShapeComponent"));
    assert_eq!(wrapper.id(), Some(10649889334476703760));
    let uuid = "{27f1e1a1-8d9d-4c3b-bd3a-afb9762449c0}";
    let transform = ground.component(uuid).unwrap();
    assert_eq!(transform.type_name(), Some("TransformComponent"));
    assert!(transform.is(&format!("{uuid} AnyName")) && !transform.is("{0}") && !transform.is(""));
    assert_eq!(transform.get("/Transform Data/UniformScale").unwrap(), &Value::from(10.0));
    assert_eq!(yard.container().unwrap().name(), Some("Yard"));
    assert_eq!(yard.entity("Entity_[0]").map(|entity| entity.alias()), None);
    let instances: Vec<_> = yard
        .instances()
        .map(|own| (own.alias(), own.source().unwrap(), own.patch_count(), own.prefab().is_some()))
        .collect();
    assert_eq!(
        instances,
        [
            ("Instance_[10020794016934]", "Lamp.prefab", 3, false),
            ("Instance_[10029383951526]", "Lamp.prefab", 2, false),
        ]
    );
}

#[test]
fn a_property_is_changed_in_place() {
    let mut document = sample("Lamp.prefab");
    let source = document.source().to_owned();
    let bulb = Prefab::new(document.value()).unwrap().entities_named("Bulb").next().unwrap();
    let light = bulb.component("AZ::Render::EditorPointLightComponent").unwrap();
    let pointer = light.pointer("/Controller/Configuration/Intensity");
    let old = o3de_prefab::set(document.value_mut(), &pointer, 75.5).unwrap();
    assert_eq!(old, Some(Value::from(50.0)));
    let expected = source.replace("\"Intensity\": 50.0", "\"Intensity\": 75.5");
    assert_eq!(document.to_text().unwrap(), expected);
    // A member that is new, in the layout of its neighbours.
    let fresh = pointer.replace("Intensity", "CastShadow~1s");
    assert_eq!(o3de_prefab::set(document.value_mut(), &fresh, true).unwrap(), None);
    assert!(document.to_text().unwrap().contains(
        "\"AttenuationRadius\": 12.5,\n                            \"CastShadow/s\": true\n"
    ));
    let error = o3de_prefab::set(document.value_mut(), "/Entities/x/y", 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
}

#[test]
fn members_that_have_their_default_are_made() {
    let lamp = "/Entities/E/Components/C";
    let mut level = Document::new(
        r#"{"Entities": {"E": {"Components": {"C": {"$type": "{27F1E1A1-8D9D-4C3B-BD3A-AFB9762449C0} TransformComponent", "Id": 7}}}}}"#,
    )
    .unwrap();
    let old =
        o3de_prefab::set(level.value_mut(), &format!("{lamp}/Transform Data/Translate/1"), 2.5);
    assert_eq!(old.unwrap(), None);
    let data = r#""Transform Data": {"Translate": [0.0, 2.5, 0.0], "Rotate": [0.0, 0.0, 0.0], "UniformScale": 1.0}"#;
    assert!(level.to_text().unwrap().contains(data), "{}", level.to_text().unwrap());
    // What has no default is not guessed, and nothing is changed then.
    let before = level.to_text().unwrap();
    let error =
        o3de_prefab::set(level.value_mut(), &format!("{lamp}/Nothing/Such/0"), 1).unwrap_err();
    assert_eq!((error.kind(), level.to_text().unwrap()), (ErrorKind::Missing, before));
}

/// The overrides of one instance, applied to one component; and the issues.
fn overridden(component: &str, patches: &str) -> (String, Vec<String>) {
    let source = format!(
        r#"{{"ContainerEntity": {{"Components": {{"C": {component}}}}}, "Entities": {{}}}}"#
    );
    let files = |_: &str| Ok(source.clone().into_bytes());
    let level = value(&format!(
        r#"{{"Entities": {{}}, "Instances": {{"i": {{"Source": "s.prefab", "Patches": {patches}}}}}}}"#
    ));
    let mut defaults = Defaults::default();
    defaults.read(br#"{"Mine": {"List": [1, 2, 3]}}"#).unwrap();
    let resolved = Loader::new(files).defaults(defaults).resolve(level, "level.prefab");
    let issues = resolved.report.issues().iter().map(ToString::to_string).collect();
    let component = resolved.value.pointer("/Instances/i/ContainerEntity/Components/C").unwrap();
    (o3de_json::to_string(component).unwrap(), issues)
}

fn replaced(path: &str, value: &str) -> String {
    let path = format!("/ContainerEntity/Components/C{path}");
    format!(r#"[{{"op": "replace", "path": "{path}", "value": {value}}}]"#)
}

#[test]
fn overrides_of_stripped_members_are_applied() {
    let transform = r#"{"$type": "TransformComponent"}"#;
    let (text, issues) = overridden(transform, &replaced("/Transform Data/Rotate/2", "90.0"));
    assert_eq!(
        text,
        r#"{"$type":"TransformComponent","Transform Data":{"Translate":[0.0,0.0,0.0],"Rotate":[0.0,0.0,90.0],"UniformScale":1.0}}"#
    );
    assert_eq!(issues, [""; 0]);
    // A part of it is there; a single value needs no table; a wrapped class has its own.
    let transform =
        r#"{"$type":"TransformComponent","Transform Data":{"Translate":[1.0,2.0,3.0]}}"#;
    let (text, _) = overridden(transform, &replaced("/Transform Data/UniformScale", "2.0"));
    assert!(text.ends_with(r#""Transform Data":{"Translate":[1.0,2.0,3.0],"UniformScale":2.0}}"#));
    let (text, issues) = overridden(r#"{"$type": "Other"}"#, &replaced("/Name", "\"n\""));
    assert_eq!((text.as_str(), issues.len()), (r#"{"$type":"Other","Name":"n"}"#, 0));
    let wrapper = r#"{"$type": "GenericComponentWrapper", "m_template": {"$type": "Mine"}}"#;
    let (text, issues) = overridden(wrapper, &replaced("/m_template/List/1", "5"));
    assert!(text.contains(r#""List":[1,5,3]"#) && issues.is_empty(), "{text} {issues:?}");
    // An addition needs what it is put into.
    let add = r#"[{"op": "add", "path": "/ContainerEntity/Components/C/Child Entity Order/0", "value": "E"}]"#;
    let (text, issues) = overridden(r#"{"$type": "EditorEntitySortComponent"}"#, add);
    assert_eq!((text.contains(r#"["E"]"#), issues.len()), (true, 0));
    let add = r#"[{"op": "add", "path": "/ContainerEntity/Components/C/Rows/0", "value": 1},
        {"op": "add", "path": "/ContainerEntity/Components/C/Rows/1", "value": 2}]"#;
    let (text, issues) = overridden(r#"{"$type": "Other"}"#, add);
    assert_eq!((text.as_str(), issues.len()), (r#"{"$type":"Other","Rows":[1,2]}"#, 0));
}

#[test]
fn overrides_without_a_default_say_what_is_not_known() {
    let (text, issues) = overridden(r#"{"$type": "Other"}"#, &replaced("/Rows/2/Name", "\"n\""));
    assert_eq!(text, r#"{"$type":"Other","Rows":[null,null,{"Name":"n"}]}"#);
    insta::assert_snapshot!(issues.join("\n"));
    // A component that is gone is no default.
    let gone = r#"[{"op": "replace", "path": "/ContainerEntity/Components/D/a", "value": 1}]"#;
    let (text, issues) = overridden(r#"{"$type": "Other"}"#, gone);
    assert_eq!((text.as_str(), issues.len()), (r#"{"$type":"Other"}"#, 1));
    // An index that no list has takes no memory.
    let (text, issues) = overridden(r#"{"$type": "Other"}"#, &replaced("/Rows/4000000000", "1"));
    assert_eq!((text.len() < 60, issues.len()), (true, 1), "{text} {issues:?}");
    let error = Defaults::none().read(br#"{"Mine": 1}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert!(Defaults::none().read(b"[]").is_err() && Defaults::none().get("Mine").is_none());
}

/// JsonMerger.cpp, `ApplyPatch_AddValue`, `ApplyPatch_Replace` and `ApplyPatch_Remove`.
#[test]
fn overrides_past_the_end_of_a_list_are_left_out() {
    let list = r#"{"$type":"Other","Rows":[1,2]}"#;
    let operation = |op: &str, path: &str| {
        let path = format!("/ContainerEntity/Components/C{path}");
        format!(r#"{{"op": "{op}", "path": "{path}", "value": 9}}"#)
    };
    let one = |component: &str, op, path| {
        let (text, issues) = overridden(component, &format!("[{}]", operation(op, path)));
        (text, issues.len())
    };
    for (op, path) in [
        ("add", "/Rows/3"),
        ("replace", "/Rows/2"),
        ("remove", "/Rows/2"),
        ("replace", "/Rows/5/Name"),
    ] {
        assert_eq!(one(list, op, path), (list.to_owned(), 1), "{op} {path}");
    }
    assert_eq!(one(list, "add", "/Rows/2"), (r#"{"$type":"Other","Rows":[1,2,9]}"#.to_owned(), 0));
    // What came before it makes room.
    let two = format!("[{}, {}]", operation("add", "/Rows/2"), operation("replace", "/Rows/2"));
    assert_eq!(overridden(list, &two), (r#"{"$type":"Other","Rows":[1,2,9]}"#.to_owned(), vec![]));
    // A table knows how long a list is that is left out.
    let mine = r#"{"$type":"Mine"}"#;
    assert_eq!(one(mine, "add", "/List/4"), (r#"{"$type":"Mine","List":[1,2,3]}"#.to_owned(), 1));
    let order = r#"{"$type":"EditorEntitySortComponent"}"#;
    let (text, issues) = one(order, "add", "/Child Entity Order/43");
    assert_eq!((text.contains("null"), issues), (false, 1), "{text}");
    // A value that is set is no longer than the list either.
    let mut level =
        value(&format!(r#"{{"Entities": {{"E": {{"Components": {{"C": {list}}}}}}}}}"#));
    assert!(o3de_prefab::set(&mut level, "/Entities/E/Components/C/Rows/4", 1).is_err());
}

/// A list that an override of the source made may be longer than what that override says.
#[test]
fn lists_of_unknown_length_stay_so_in_instances_of_instances() {
    let patch = |path: &str| format!(r#"[{{"op": "replace", "path": "{path}", "value": 1}}]"#);
    let instance = |source: &str, patches: &str| {
        let root = r#""ContainerEntity": {}, "Entities": {}"#;
        format!(
            r#"{{{root}, "Instances": {{"i": {{"Source": "{source}", "Patches": {patches}}}}}}}"#
        )
    };
    let rows = "/ContainerEntity/Components/C/Rows";
    let inner = instance("a.prefab", &patch(&format!("{rows}/0")));
    let files = |path: &str| match path {
        "a.prefab" => {
            Ok(br#"{"ContainerEntity": {"Components": {"C": {"$type": "Other"}}}, "Entities": {}}"#
                .to_vec())
        }
        _ => Ok(inner.clone().into_bytes()),
    };
    let level = value(&instance("b.prefab", &patch(&format!("/Instances/i{rows}/1"))));
    let resolved = Loader::new(files).resolve(level, "level.prefab");
    let made = resolved.value.pointer(&format!("/Instances/i/Instances/i{rows}")).unwrap();
    assert_eq!(o3de_json::to_string(made).unwrap(), "[1,1]");
    assert!(resolved.report.issues().iter().all(|own| own.outcome == Outcome::PartialDefaults));
}

#[test]
fn a_file_that_cannot_be_loaded_is_named() {
    let error =
        Loader::new(o3de_prefab::Project::of(["."])).load("Levels/Nope.prefab").unwrap_err();
    assert_eq!(error.to_string(), "cannot read `Levels/Nope.prefab`: no scan folder has it");
}

#[test]
fn instances_are_brought_in_with_their_overrides() {
    let folder = root().join("testdata/o3de-json/samples");
    let mut loader = Loader::new(Folder::new(folder));
    let yard = loader.load("Yard.prefab").unwrap();
    let prefab = Prefab::new(&yard.value).unwrap();
    let names: Vec<_> = prefab
        .instances()
        .map(|own| {
            let lamp = own.prefab().unwrap();
            let bulb = lamp.entities_named("Bulb").next().unwrap();
            let light = bulb.component("AZ::Render::EditorPointLightComponent").unwrap();
            let intensity = light.get("/Controller/Configuration/Intensity").unwrap().as_f64();
            assert_eq!(yard.value.pointer(&light.pointer("")), Some(light.value()));
            (lamp.container().unwrap().name().unwrap(), intensity.unwrap(), lamp.source().unwrap())
        })
        .collect();
    assert_eq!(names, [("Lamp by the gate", 120.0, "Lamp.prefab"), ("Lamp", 50.0, "Lamp.prefab")]);
    // One override is of an entity that is gone; the rest is there.
    let issues: Vec<String> = yard.report.issues().iter().map(ToString::to_string).collect();
    assert_eq!(
        issues,
        ["Invalid: nothing is where a value is to be removed, in \
          /Instances/Instance_[10029383951526]/Patches/1"]
    );
    assert_eq!(yard.report.outcome(), Outcome::PartialSkip);
}

#[test]
fn sources_that_cannot_be_read_are_reported() {
    let files = |path: &str| match path {
        "a.prefab" => {
            Ok(br#"{"Entities": {}, "Instances": {"i": {"Source": "b.prefab"}}}"#.to_vec())
        }
        "b.prefab" => {
            Ok(br#"{"Entities": {}, "Instances": {"j": {"Source": "a.prefab"}}}"#.to_vec())
        }
        "c.prefab" => Ok(b"[]".to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let level = value(
        r#"{"Entities": {}, "Instances": {"x": {"Source": "a.prefab"}, "y": {"Source": "gone"},
            "z": {"Source": "../up"}, "c": {"Source": "c.prefab"}, "n": {}}}"#,
    );
    let resolved = Loader::new(files).resolve(level, "level.prefab");
    let issues: Vec<_> =
        resolved.report.issues().iter().map(|own| (own.pointer.as_str(), own.outcome)).collect();
    assert_eq!(
        issues,
        [
            ("/Instances/x/Instances/i/Instances/j", Outcome::Catastrophic),
            ("/Instances/y", Outcome::Missing),
            ("/Instances/z", Outcome::Invalid),
            ("/Instances/c", Outcome::Missing),
            ("/Instances/n", Outcome::Missing),
        ]
    );
    let error = Prefab::new(&value("{}")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
}

#[test]
fn prefabs_cannot_multiply_without_end() {
    let files = |path: &str| {
        let number: usize = path.trim_end_matches(".prefab").parse().unwrap_or(0);
        let instances: Vec<String> = (0..8)
            .map(|n| format!("\"i{n}\": {{\"Source\": \"{}.prefab\"}}", number + 1))
            .collect();
        Ok(format!("{{\"Entities\": {{}}, \"Instances\": {{{}}}}}", instances.join(","))
            .into_bytes())
    };
    let level = Loader::new(files).max_values(10_000).load("0.prefab").unwrap();
    assert_eq!(level.report.outcome(), Outcome::PartialSkip);
    assert!(level.report.issues().iter().any(|own| own.outcome == Outcome::Catastrophic));
}

#[test]
fn real_levels_are_listed() {
    let Some(folder) = real_folder() else { return };
    let read = |name: &str| -> Document {
        std::fs::read_to_string(folder.join(name)).unwrap().parse().unwrap()
    };
    let level = read("o3de-multiplayersample/Levels/NewStarbase/NewStarbase.prefab");
    let starbase = Prefab::new(level.value()).unwrap();
    assert_eq!(starbase.instances().count(), 1376);
    let components = starbase.entities().flat_map(|entity| entity.components());
    let types: std::collections::BTreeSet<_> =
        components.filter_map(|own| own.type_name()).collect();
    assert!(types.contains("TransformComponent") && types.len() > 20, "{types:?}");
    assert!(starbase.entities().all(|entity| entity.id() == Some(entity.alias())));
    let resolved = Loader::new(Folder::new(&folder)).resolve(level.value().clone(), "level.prefab");
    // None of its sources is there.
    assert_eq!(resolved.value, *level.value());
    assert!(!resolved.report.is_clean());
}

/// A level with as many entities, components, references and overrides.
#[test]
fn large_levels_take_time_in_proportion() {
    let count = 4000;
    let join = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let source = join(&|at| {
        let component = r#"{"$type":"TransformComponent","Id":1}"#;
        format!(r#""Entity_[{at}]":{{"Id":"Entity_[{at}]","Components":{{"C":{component}}}}}"#)
    });
    let source = format!(r#"{{"ContainerEntity":{{}},"Entities":{{{source}}}}}"#);
    let files = |_: &str| Ok(source.clone().into_bytes());
    let overrides = join(&|at| {
        let path = format!("/Entities/Entity_[{at}]/Components/C/Transform Data/Translate/0");
        format!(r#"{{"op":"replace","path":"{path}","value":{at}.5}}"#)
    });
    let components = join(&|at| {
        format!(r#""Component_[{at}]":{{"Id":{at},"Parent Entity":"Instance_[1]/Entity_[{at}]"}}"#)
    });
    let entities = join(&|at| format!(r#""Entity_[{at}]":{{"Name":"Lamp {at}"}}"#));
    let gone = join(&|at| format!(r#""Entity_[{}]""#, at + count));
    let level = format!(
        r#"{{"ContainerEntity":{{"Components":{{"S":{{"Child Entity Order":[{gone}]}},
            "P":{{"$type":"EditorPrefabComponent"}},{components}}}}},
            "Entities":{{{entities}}},
            "Instances":{{"Instance_[1]":{{"Source":"a.prefab","Patches":[{overrides}]}}}}}}"#
    );
    let mut level = value(&level);
    let start = thread_time();
    let findings = o3de_prefab::lint(&level);
    assert_eq!(findings.len(), count);
    assert_eq!(o3de_prefab::remove(&mut level, &findings), count);
    assert_eq!(o3de_prefab::lint_instances(&mut Loader::new(files), &level, "b.prefab"), []);
    let mut captions = o3de_prefab::Captions::new(&level);
    for at in 0..count {
        let caption = captions.of(&format!("/Entities/Entity_[{at}]/Name"));
        assert_eq!(caption, Some(format!("Lamp {at}")));
    }
    // Looking through all of them for each one took minutes.
    let time = thread_time() - start;
    assert!(time.as_secs() < 20, "{time:?}");
}
