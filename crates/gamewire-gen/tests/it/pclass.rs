//! Source made from a type list, and the generated types at work.

use gamewire_gen::pclass::{self, Classes, Options};
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Schema};
use serde_json::Value as Json;

use crate::{must_be_formatted, must_be_fresh, testdata};

/// Generated from `arena.json`; a test says how to make it again.
#[allow(dead_code, unreachable_pub, clippy::all)]
mod arena {
    include!("../../../../testdata/kiwi-pclass/arena.rs");
}

/// The same of all classes.
#[allow(dead_code, unreachable_pub, clippy::all)]
mod arena_all {
    include!("../../../../testdata/kiwi-pclass/arena_all.rs");
}

/// Generated from [`chain`]: it would not compile if rustc looked through pointers.
#[allow(dead_code, unreachable_pub, clippy::all)]
mod chain_all {
    include!("../../../../testdata/kiwi-pclass/chain_all.rs");
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata("kiwi-pclass").join(name)).unwrap()
}

fn arena_list() -> Schema {
    Schema::from_json(&sample("vectors/types/arena.json")).unwrap()
}

fn all(schema: &Schema) -> String {
    pclass::generate(schema, &Classes::all(schema), Options::default()).unwrap()
}

fn one(schema: &Schema, class: &str) -> String {
    let classes = Classes::named(schema, &[class], false).unwrap();
    pclass::generate(schema, &classes, Options::default()).unwrap()
}

/// `GAMEWIRE_GENERATED=write` writes the module again.
#[test]
fn the_generated_module_is_fresh() {
    let source = one(&arena_list(), "class Arena::Match<class ArenaMap>");
    must_be_fresh(&testdata("kiwi-pclass/arena.rs"), &source);
    must_be_fresh(&testdata("kiwi-pclass/arena_all.rs"), &all(&arena_list()));
}

/// With each base once, the schema is the list's all the same.
#[test]
fn shared_bases_have_all_properties() {
    let list = arena_list();
    let own = arena_all::schema().unwrap();
    let mut compared = 0;
    for class in own.classes() {
        let listed = list.class(class.name()).unwrap();
        assert_eq!(class.properties().len(), listed.properties().len(), "{}", class.name());
        for (own, listed) in class.properties().iter().zip(listed.properties()) {
            assert_eq!(
                (own.name(), own.hash(), own.id()),
                (listed.name(), listed.hash(), listed.id())
            );
            compared += 1;
        }
    }
    assert!(compared > 80, "{compared}");
    let boss = arena_all::ArenaBoss::default();
    // Through both bases.
    assert_eq!(boss.name, boss.base.base.name);
}

#[test]
fn derived_classes_and_several_files_are_generated() {
    let folder = tempfile::tempdir().unwrap();
    let list = arena_list();
    let classes = Classes::named(&list, &["class ArenaEntity"], true).unwrap();
    let source = pclass::generate(&list, &classes, Options::default()).unwrap();
    for name in ["ArenaEntity = ", "ArenaFighter: ArenaEntity = ", "ArenaBoss: ArenaFighter = "] {
        assert!(source.contains(name), "{name} in {source}");
    }
    let files = pclass::generate_files(&list, &Classes::all(&list), Options::default()).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["classes000.rs", "types.rs", "mod.rs"]);
    for (name, source) in &files {
        std::fs::write(folder.path().join(name), source).unwrap();
    }
    // With the modules that it names.
    must_be_formatted(&folder.path().join("mod.rs"), "2024");
    let error = Classes::named(&list, &["class arenaentity"], false).unwrap_err();
    let said = "the type list has no `class arenaentity`; perhaps `class ArenaEntity`";
    assert_eq!(error.to_string(), said);
}

/// More classes than rustc's recursion limit, each pointing to the next, the last to any leaf.
fn chain() -> Json {
    const LINKS: usize = 140;
    const LEAVES: usize = 70;
    let mut classes = serde_json::Map::new();
    let mut add = |name: String, bases: &[&str], properties: Json| {
        classes.insert(name, serde_json::json!({ "bases": bases, "properties": properties }));
    };
    let id = || serde_json::json!({ "m_id": { "type": "int", "flags": 7 } });
    for link in 1..=LINKS {
        let target = match link {
            LINKS => "class Leaf*".to_owned(),
            _ => format!("class SharedPointer<class Link{}>", link + 1),
        };
        let next = serde_json::json!({ "m_next": { "type": target, "flags": 7 } });
        add(format!("class Link{link}"), &[], next);
    }
    add("class Leaf".to_owned(), &[], id());
    (1..=LEAVES).for_each(|leaf| add(format!("class Leaf{leaf}"), &["Leaf"], id()));
    Json::Object(classes)
}

/// `GAMEWIRE_GENERATED=write` writes the module again.
#[test]
fn classes_in_a_long_chain_compile() {
    use chain_all::*;
    let list = Schema::from_json(chain().to_string().as_bytes()).unwrap();
    must_be_fresh(&testdata("kiwi-pclass/chain_all.rs"), &all(&list));
    let first = Link1 { next: Link2::default().into() };
    assert_eq!(first.clone(), first);
    assert_eq!(Link1::default().next.into_inner(), None);

    let leaf = Leaf70 { base: Leaf { id: 70 } };
    let last = Link140 { next: AnyLeaf::Leaf70(Box::new(leaf)).into() };
    let link = Link139 { next: last.into() };
    let options = kiwi_pclass::Options::file().schema(schema().unwrap());
    let mut again: Link139 = options.from_slice(&options.to_vec(&link).unwrap()).unwrap();
    assert_eq!(again, link);
    let expected =
        "Link139 { next: Shared(Some(Link140 { next: Ptr(Some(Leaf70(Leaf70 { id: 70 }))) })) }";
    assert_eq!(format!("{again:?}"), expected);

    let last = again.next.get_mut().unwrap();
    let Some(AnyLeaf::Leaf70(leaf)) = last.next.get_mut() else { panic!("{last:?}") };
    leaf.id = 71;
    assert_ne!(again, link);
    let mut kept: Link139 = options.from_slice(&options.to_vec(&again).unwrap()).unwrap();
    assert_eq!(kept, again);
    kept.next.get_mut().unwrap().next = Default::default();
    let null: Link139 = options.from_slice(&options.to_vec(&kept).unwrap()).unwrap();
    assert_eq!(null.next.into_inner().unwrap().next.get(), None);
}

/// Classes with the names of what every module of Rust has.
#[test]
fn names_of_the_prelude_are_not_taken() {
    let mut classes = serde_json::Map::new();
    for name in ["From", "Self", "Option", "Vec", "Into", "Generated", "Source", "Own"] {
        let properties = serde_json::json!({ "m_base": { "type": "int", "flags": 7 } });
        let class = serde_json::json!({ "bases": [], "properties": properties });
        classes.insert(format!("class {name}"), class);
    }
    let source = all(&Schema::from_json(Json::Object(classes).to_string().as_bytes()).unwrap());
    for name in ["From", "Self", "Option", "Vec", "Into", "Generated", "Source", "Own"] {
        assert!(source.contains(&format!("{name}2 = ")), "{name} in {source}");
    }
    assert!(source.contains("base2: i32 = \"m_base\""), "{source}");
}

#[test]
fn what_is_generated_is_laid_out() {
    let file = tempfile::NamedTempFile::with_suffix(".rs").unwrap();
    for class in ["class Arena::Match<class ArenaMap>", "class ArenaItem", "struct ArenaTally"] {
        std::fs::write(file.path(), one(&arena_list(), class)).unwrap();
        must_be_formatted(file.path(), "2021");
        must_be_formatted(file.path(), "2024");
    }
}

/// The fields of generated types do not say what the list does: without its schema they are refused.
#[test]
fn generated_types_need_their_schema() {
    use kiwi_pclass::{ErrorKind, Options};
    #[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
    struct Around {
        boss: arena_all::ArenaBoss,
    }
    let said = "need its schema: the function `schema` of their module, in Options::schema";
    for options in [Options::new(), Options::file()] {
        let around = Around::default();
        let known = options.clone().schema(arena_all::schema().unwrap());
        let bytes = known.to_vec(&around.boss).unwrap();
        assert_eq!(known.from_slice::<arena_all::ArenaBoss>(&bytes).unwrap(), around.boss);
        for error in [
            options.to_vec(&around.boss).unwrap_err(),
            options.to_vec(&around).unwrap_err(),
            options.to_value(&around).unwrap_err(),
            options.from_slice::<arena_all::ArenaBoss>(&bytes).unwrap_err(),
            options.from_slice::<Around>(&bytes).unwrap_err(),
            Schema::infer::<arena::ArenaMatchArenaMap>().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Schema);
            assert!(error.to_string().contains(said), "{error}");
        }
        // Other formats do not see it.
        let json = serde_json::to_string(&around.boss).unwrap();
        assert_eq!(serde_json::from_str::<arena_all::ArenaBoss>(&json).unwrap(), around.boss);
    }
}

/// Every row of random values over the list, through the generated types and their own schema.
#[test]
fn generated_types_read_and_write() {
    // With all classes, every class that a property holds is there.
    assert!(through_generated_types(true) >= through_generated_types(false));
}

fn through_generated_types(shared: bool) -> usize {
    use arena::*;

    fn through<T: serde::Serialize + serde::de::DeserializeOwned + std::fmt::Debug + PartialEq>(
        options: &kiwi_pclass::Options,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, kiwi_pclass::Error> {
        match options.from_slice::<T>(bytes) {
            Ok(value) => options.to_vec(&value).map(Some),
            // The types have text where the list has strings.
            Err(error) if error.kind() == kiwi_pclass::ErrorKind::InvalidText => Ok(None),
            Err(error) => Err(error),
        }
    }

    let schema = if shared { arena_all::schema() } else { schema() };
    let schema = std::sync::Arc::new(schema.unwrap());
    let (mut same, mut not_text) = (0, 0);
    for line in String::from_utf8(sample("vectors/arena.jsonl")).unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let number = |key: &str| u32::try_from(row[key].as_u64().unwrap()).unwrap();
        if row["manual_compression"] == true {
            continue;
        }
        let mode = if row["mode"] == "deep" { Mode::Deep } else { Mode::Shallow };
        let options = kiwi_pclass::Options::new()
            .mode(mode)
            .bind(row["bind"] == true)
            .flags(SerializerFlags(number("flags")))
            .mask(PropertyFlags(number("mask")))
            .schema(schema.clone());
        let bytes: Vec<u8> = row["hex"].as_str().unwrap().as_bytes().chunks(2).map(hex).collect();
        use arena_all as all;
        let written = match row["value"]["$type"].as_str().unwrap() {
            "class ArenaEntity" if shared => through::<all::ArenaEntity>(&options, &bytes),
            "class ArenaFighter" if shared => through::<all::ArenaFighter>(&options, &bytes),
            "class ArenaBoss" if shared => through::<all::ArenaBoss>(&options, &bytes),
            "class ArenaItem" if shared => through::<all::ArenaItem>(&options, &bytes),
            "class ArenaWeapon" if shared => through::<all::ArenaWeapon>(&options, &bytes),
            "class ArenaMap" if shared => through::<all::ArenaMap>(&options, &bytes),
            "class Arena::Match<class ArenaMap>" if shared => {
                through::<all::ArenaMatchArenaMap>(&options, &bytes)
            }
            "class ArenaEntity" => through::<ArenaEntity>(&options, &bytes),
            "class ArenaFighter" => through::<ArenaFighter>(&options, &bytes),
            "class ArenaBoss" => through::<ArenaBoss>(&options, &bytes),
            "class ArenaItem" => through::<ArenaItem>(&options, &bytes),
            "class ArenaWeapon" => through::<ArenaWeapon>(&options, &bytes),
            "class ArenaMap" => through::<ArenaMap>(&options, &bytes),
            "class Arena::Match<class ArenaMap>" => through::<ArenaMatchArenaMap>(&options, &bytes),
            _ => continue,
        };
        let name = row["name"].as_str().unwrap();
        // A match may hold a class that it does not reach: anything at all.
        match written {
            Ok(Some(written)) if row["encode_exact"] == true => {
                assert!(written == bytes, "{name}");
                same += 1;
            }
            Ok(Some(_)) => {}
            Ok(None) => not_text += 1,
            Err(error) => {
                assert!(error.kind() == kiwi_pclass::ErrorKind::UnknownClass, "{name}: {error}")
            }
        }
    }
    println!("{same} rows are the same, {not_text} are no text");
    assert!(same >= 20, "{same}");
    same
}

fn hex(pair: &[u8]) -> u8 {
    u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()
}

/// A template without `class ` has one struct, whichever name its pointer has.
#[test]
fn a_template_and_its_pointer_are_one_class() {
    let schema = Schema::from_json(
        br#"{"class MadlibArg": {"bases": [], "properties": {"m_id": {"type": "int", "flags": 7}}},
            "MadlibArgT<float>": {"bases": ["MadlibArg"], "properties": {
                "m_id": {"type": "int", "flags": 7}, "m_value": {"type": "float", "flags": 7}}},
            "class MadlibArgT<float>*": {"bases": ["MadlibArg"], "properties": {
                "m_id": {"type": "int", "flags": 7}, "m_value": {"type": "float", "flags": 7}}},
            "class Block": {"bases": [], "properties": {
                "m_one": {"type": "class MadlibArgT<float>*", "flags": 7},
                "m_any": {"type": "class MadlibArg*", "flags": 7}}}}"#,
    )
    .unwrap();
    let classes = pclass::Classes::all(&schema);
    let source = pclass::generate(&schema, &classes, pclass::Options::default()).unwrap();
    assert!(source.contains("one: Ptr<MadlibArgTFloat> = \"m_one\""), "{source}");
    assert!(source.contains("MadlibArgTFloat = \"MadlibArgT<float>\";"), "{source}");
    assert!(!source.contains("MadlibArgTFloat2") && !source.contains("Value"), "{source}");
}
