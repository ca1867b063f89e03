//! The code from the solution arena.xml: that it compiles, and that its beans are read and written.

/// As a user would include it.
#[allow(unreachable_pub)]
mod generated {
    include!("../../../../testdata/zeze-serialize/solution/arena.rs");
}
#[allow(unreachable_pub)]
mod parts {
    include!("../../../../testdata/zeze-serialize/solution/town.rs");
}

use std::fmt::Debug;

use crate::run::{Ran, feed, testdata};
use serde::Serialize;
use serde::de::DeserializeOwned;
use zeze_serialize::frame::{Framing, Header, Protocol, Rpc};
use zeze_serialize::value::{Bean, Dynamic};
use zeze_serialize::{Base, Options, Value, Vector2Int, Vector3, hash};

use generated::arena::field::inner::String2_1;
use generated::arena::field::*;
use generated::arena::login::*;
use generated::{arena, shared};

fn back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Vec<u8> {
    let bytes = zeze_serialize::to_vec(value).unwrap();
    for strict in [false, true] {
        let options = Options::new().strict(strict);
        assert_eq!(options.from_slice::<T>(&bytes).unwrap(), *value);
    }
    // The same fields without the types.
    let untyped: Value = zeze_serialize::from_slice(&bytes).unwrap();
    assert_eq!(zeze_serialize::to_vec(&untyped).unwrap(), bytes);
    bytes
}

fn unit(id: i64) -> BUnit {
    BUnit { id, pos: Vector3::new(1.0, -2.0, 0.5), hp: 50.0 }
}

fn soldier() -> BSoldier {
    BSoldier { weapon: "bow".into(), ammo: 12, base: Base(unit(3)) }
}

fn everything() -> BEverything {
    let cell = Cell { x: 3, y: -4, layer: 2 };
    let owner = Owner { cell: cell.clone(), name: "Åsa".into() };
    let row = BEverythingTableRow { cells: [("west".to_owned(), unit(5))].into() };
    let sniper = BSniper { zoom: 4.0, base: Base(soldier()) };
    let mut anything = Bean::new();
    anything.insert(2, Value::from("any bean"));
    let anything = Value::from(Dynamic { type_id: 99, bean: anything });
    let mut payload = Bean::new();
    payload.insert(7, Value::Int(7));
    BEverything {
        a_bool: true,
        a_byte: -128,
        a_short: 32767,
        an_int: -1,
        a_long: i64::MIN,
        a_float: 0.5,
        a_double: -1.0e300,
        a_string: "text".into(),
        a_binary: vec![0, 255],
        a_decimal: "1.25".into(),
        v2: [1.0, 2.0].into(),
        v2i: [-1, 2].into(),
        v3: [1.0, 2.0, 3.0].into(),
        v3i: [i32::MIN, 0, i32::MAX].into(),
        v4: [1.0, 2.0, 3.0, 4.0].into(),
        rotation: [0.0, 0.0, 0.0, 1.0].into(),
        unit: unit(1),
        soldier: soldier(),
        cell: cell.clone(),
        ints: vec![1, 0, -1],
        floats: vec![0.0, 1.5, -0.0],
        blobs: vec![serde_bytes::ByteBuf::from(*b"blob"), Default::default()],
        units: vec![unit(1), BUnit::default()],
        points: vec![Vector2Int::new(1, 2), Vector2Int::default()],
        names: ["a".to_owned(), String::new()].into(),
        owners: [owner.clone(), Owner::default()].into(),
        scores: [("x".to_owned(), 0.0), ("y".to_owned(), 2.5)].into(),
        cells: [(cell, unit(2)), (Cell::default(), BUnit::default())].into(),
        sorted: [(serde_bytes::ByteBuf::from(*b"k"), 1)].into(),
        table: [(1, row), (2, Default::default())].into(),
        either: BEverythingEither::BReason(shared::BReason { code: 5, text: "why".into() }),
        soldiers: vec![
            BEverythingSoldiers::BSniper(sniper),
            BEverythingSoldiers::Empty,
            BEverythingSoldiers::BSoldier(soldier()),
        ],
        slots: [
            (1, BEverythingSlots::Empty),
            (2, BEverythingSlots::SharedBUnit(shared::BUnit { name: "other".into() })),
            (3, BEverythingSlots::ArenaFieldBUnit(unit(6))),
            (4, BEverythingSlots::BEverything(BEverything::new())),
        ]
        .into(),
        nested: BEverythingNested::BEverything(Box::new(BEverything::new())),
        anything: anything.clone(),
        anythings: [(4, anything)].into(),
        payload: Value::Bean(payload),
        version: 8,
        r#type: 9,
        self_: 10,
        level_of_a_very_long_name_that_does_not_fit_into_one_line_together_with_its_type: [(
            "z".to_owned(),
            shared::deep::BReasonWithALongName::default(),
        )]
        .into(),
        limit: 100,
        options: arena::BOptions::new(),
        a_binary_of_a_long_name_with_its_attributes_on_many_lines: vec![1],
        cache: 0,
    }
}

#[test]
fn beans_come_back() {
    back(&everything());
    back(&BEverything::new());
    // Field 18 is a bean with a base, which has two layers even when all of it is default.
    assert_eq!(back(&BEverything::default()), hex("f603010000"));
    assert_eq!(back(&BEmpty::default()), [0]);
    back(&String2_1 { a: Owner::new(), b: "b".into() });
    back(&soldier());
    back(&arena::BOptions { volume: 3, names: [(1, "one".to_owned())].into() });
}

fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Bytes put together by hand from docs/formats/zeze-serialize.md.
#[test]
fn bytes_are_those_of_the_schema() {
    let cell = Cell { x: 3, y: -4, layer: 2 };
    assert_eq!(back(&cell), hex("10 03 10 fc 10 02 00".replace(' ', "").as_str()));
    let welcome = BWelcome { player_id: 64, server_time: 1, motd: "hi".into() };
    // Ids 1, 15 and 4095: steps of 1, 14 and 4080.
    assert_eq!(back(&welcome), hex("104040e001f38fe102686900"));
    // The layers of BSniper, BSoldier and BUnit.
    let sniper = BSniper {
        zoom: 0.0,
        base: Base(BSoldier {
            weapon: "b".into(),
            ammo: 0,
            base: Base(BUnit { id: 7, ..Default::default() }),
        }),
    };
    assert_eq!(back(&sniper), hex("01130162 01 1007 00".replace(' ', "").as_str()));
    // A dynamic with a given id, and one with the hash of the name.
    let tree = BTree { children: Vec::new(), item: BTreeItem::BTree(Box::default()) };
    assert_eq!(back(&tree), hex("27404d0000"));
    let tree = BTree { children: Vec::new(), item: BTreeItem::BUnit(BUnit::default()) };
    let bytes = back(&tree);
    assert_eq!(hash::type_id("arena.Field.BUnit"), BUnit::TYPE_ID);
    let mut expected = vec![0x27];
    zeze_serialize::wire::write_int(&mut expected, BUnit::TYPE_ID);
    expected.extend([0, 0]);
    assert_eq!(bytes, expected);
    assert_eq!(BTree::TYPE_ID, 77);
}

#[test]
fn new_beans_have_the_defaults_of_the_schema() {
    let new = BEverything::new();
    assert_eq!((new.an_int, new.a_long, new.a_float), (-7, 9_000_000_000, 0.5));
    assert_eq!((new.a_string.as_str(), new.a_decimal.as_str()), ("abc", "1.25"));
    assert_eq!((new.v2.to_array(), new.v2i.to_array()), ([1.0, 2.0], [-1, 2]));
    assert_eq!(new.rotation.to_array(), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!((new.unit.hp, new.soldier.ammo, new.cell.layer), (12.5, 30, 1));
    assert_eq!(new.soldier.base.0.hp, 12.5);
    // A constant of another bean; an expression that only Zeze can say.
    assert_eq!((new.limit, new.self_), (arena::BOptions::VOLUME_MAX, 0));
    assert_eq!(new.options.volume, 100);
    assert!(BLogin::new().debug_mode);
    assert_eq!(BWelcome::new().motd, "hello, <you>");
}

#[test]
fn constants_are_those_of_the_schema() {
    assert_eq!((arena::BOptions::TAG, arena::BOptions::EPSILON), ("v2", 0.0625));
    assert_eq!((arena::BOptions::MASK, arena::BOptions::MUTED), (0x7f_ffff_ffff, false));
    assert_eq!((ERROR_BANNED, ERROR_FULL, Cell::SIDE), (1, 2, 64));
    assert_eq!(Login::RESULT_SUSPENDED, -3);
}

#[test]
fn what_is_transient_is_not_written() {
    let with = BEverything { cache: 5, ..Default::default() };
    assert_eq!(zeze_serialize::to_vec(&with).unwrap(), back(&BEverything::default()));
}

#[test]
fn protocols_are_framed() {
    let framing = Framing::new();
    let call = Login::request(42, BLogin { account: "Åsa".into(), ..Default::default() });
    let bytes = framing.to_vec(&call).unwrap();
    let (frame, rest) = framing.split(&bytes).unwrap();
    assert!(rest.is_empty() && Login::is(&frame) && !Kick::is(&frame));
    let call = frame.into_frame::<<Login as Protocol>::Argument>().unwrap();
    assert_eq!(call.bean.account, "Åsa");
    let answer = call.respond(0, BWelcome { player_id: 1, ..Default::default() }).unwrap();
    assert_eq!(answer, Login::response(42, 0, BWelcome { player_id: 1, ..Default::default() }));
    let bytes = framing.to_vec(&answer).unwrap();
    let back = framing.from_slice::<<Login as Rpc>::Result>(&bytes, Login::answer(42)).unwrap();
    assert_eq!(back, answer);

    let tick = framing.to_vec(&Tick::message(())).unwrap();
    assert_eq!(tick, hex("07000000fbffffff020000000200"));
    let (frame, _) = framing.split(&tick).unwrap();
    assert!(Tick::is(&frame));
    assert_eq!(frame.header, Header::Protocol { result_code: 0 });
    assert_eq!((Snapshot::MODULE_ID, arena::field::MODULE_ID, shared::deep::MODULE_ID), (8, 8, 40));
}

#[test]
fn services_have_what_they_handle() {
    use parts::town;
    let framing = Framing::new();
    let visit = town::gate::BVisit {
        name: "Bo".into(),
        cargo: town::gate::BVisitCargo::BVisit(town::market::BVisit { coins: 7 }),
    };
    let call = framing.to_vec(&town::gate::Enter::request(5, visit)).unwrap();
    let (frame, _) = framing.split(&call).unwrap();
    let Some(town::Town::TownGateEnter(call)) = town::Town::read(&frame).unwrap() else {
        panic!("{frame:?}");
    };
    assert_eq!((call.bean.name.as_str(), call.header.session_id()), ("Bo", Some(5)));
    // The client does not handle it, and nobody the answer.
    assert_eq!(town::TownClient::read(&frame).unwrap(), None);
    let answer = framing.to_vec(&call.respond(0, town::BSign::default()).unwrap()).unwrap();
    let (frame, _) = framing.split(&answer).unwrap();
    assert_eq!(town::Town::read(&frame).unwrap(), None);
    // Of a module inside, of one that is referred to, and of both sides.
    let round = framing.to_vec(&town::gate::watch::Start::request(1, Default::default())).unwrap();
    let (frame, _) = framing.split(&round).unwrap();
    assert!(matches!(town::Patrol::read(&frame), Ok(Some(town::Patrol::Start(_)))));
    assert!(matches!(town::Town::read(&frame), Ok(Some(town::Town::Start(_)))));
    let tide = framing.to_vec(&town::harbour::Tide::message(Default::default())).unwrap();
    let (frame, _) = framing.split(&tide).unwrap();
    assert!(matches!(town::Town::read(&frame), Ok(Some(town::Town::Tide(_)))));
    assert!(matches!(town::TownClient::read(&frame), Ok(Some(town::TownClient::Tide(_)))));
    // A broken bean is an error.
    let mut broken = framing.to_vec(&town::gate::Rumour::message(Default::default())).unwrap();
    *broken.last_mut().unwrap() = 0x0f;
    let (frame, _) = framing.split(&broken).unwrap();
    assert!(town::Town::read(&frame).is_err());
}

#[test]
fn text_is_kept_whatever_it_has() {
    use parts::town::{BSign, market};
    assert_eq!(BSign::new().text, "open\ndaily\t\u{1b}[1m \u{202e}");
    back(&BSign { layout: "{}".into(), history: "[]".into(), ..BSign::new() });
    let stall =
        market::BStall { crates: vec![serde_bytes::ByteBuf::from(*b"fish")], ..Default::default() };
    back(&market::BFish { stall, ..Default::default() });
}

/// Runs a command on bytes, with the names of the solution.
fn named(words: &[&str], bean: &str, input: &[u8]) -> Ran {
    let schema = testdata("zeze-serialize/solution/arena.xml");
    let schema = schema.to_str().unwrap();
    feed(&[words, &["-f", "zeze-serialize", "--schema", schema, "--bean", bean]].concat(), input)
}

/// The names instead of the numbers, and back to the same bytes.
fn by_names(bytes: &[u8], bean: &str) -> serde_json::Value {
    let json = named(&["decode", "-"], bean, bytes).good();
    assert_eq!(named(&["encode", "-"], bean, &json).good(), bytes, "{bean}");
    serde_json::from_slice(&json).unwrap()
}

#[test]
fn data_is_shown_by_the_names_of_a_solution() {
    let json = by_names(&back(&everything()), "BEverything");
    assert_eq!((&json["aBool"], &json["aByte"]), (&serde_json::json!(true), &(-128).into()));
    assert_eq!(json["unit"]["hp"], 50.0);
    assert_eq!(json["soldier"]["base"]["id"], 3);
    assert_eq!(json["cells"][0], serde_json::json!([{}, {}]));
    assert_eq!(json["either"]["type"], "shared.BReason");
    assert_eq!(json["soldiers"][0]["bean"]["base"]["weapon"], "bow");
    assert_eq!(json["slots"][3][1]["bean"]["limit"], 100);
    // Any bean of the solution may be in a dynamic; this type id is of none.
    assert_eq!(json["anything"]["type"], 99);
    assert!(!json.to_string().contains("\"1:int\""), "{json}");
    by_names(&back(&BEverything::default()), "arena.Field.BEverything");

    // Of an unknown id, of another wire type than the schema's, and one that has another name.
    let other = hex("10 07 11 00 00 80 3f 10 01 f0 05 02 00".replace(' ', "").as_str());
    let json = by_names(&other, "Cell");
    assert_eq!(json, serde_json::json!({ "x": 7, "y:float": 1.0, "layer": 1, "23:int": 2 }));
    // Whatever is in a file, and whatever bean it is taken for.
    let bytes = std::fs::read(testdata("zeze-serialize/bvalue.bean")).unwrap();
    for bean in ["BEverything", "BTree", "BSniper", "Owner", "shared.BReason"] {
        by_names(&bytes, bean);
        by_names(&back(&everything()), bean);
    }
}

#[test]
fn frames_say_which_beans_they_have() {
    let call = Login::request(42, BLogin { account: "Bo".into(), ..Default::default() });
    let answer = Login::response(42, 0, BWelcome { player_id: 7, ..Default::default() });
    let framing = Framing::new();
    let bytes = [framing.to_vec(&call).unwrap(), framing.to_vec(&answer).unwrap()].concat();
    let json = by_names(&bytes, "Cell");
    assert_eq!(json["list"][0]["bean"]["Account"], "Bo");
    assert_eq!(json["list"][1]["bean"]["PlayerId"], 7);
    assert_eq!(named(&["get", "-", "[1].bean.PlayerId"], "Cell", &bytes).text(), "7\n");
    let plain = named(&["decode", "-", "--plain"], "Cell", &bytes).good();
    let plain: serde_json::Value = serde_json::from_slice(&plain).unwrap();
    assert_eq!(plain[0]["bean"]["Account"], "Bo");
}

#[test]
fn values_are_found_and_set_by_names() {
    let bytes = back(&everything());
    let get = |path: &str| {
        let ran = named(&["get", "-", path], "BEverything", &bytes);
        (ran.code, ran.text().trim_end().to_owned())
    };
    for (path, value) in [
        ("aString", "text"),
        ("unit.hp", "50.0"),
        ("soldier[base].id", "3"),
        ("ints[2]", "-1"),
        ("units[0].id", "1"),
        ("scores.y", "2.5"),
        ("slots[2].name", "other"),
        ("soldiers[0].zoom", "4.0"),
        ("either.text", "why"),
        ("anything[field 2]", "any bean"),
    ] {
        assert_eq!(get(path), (0, value.to_owned()), "{path}");
    }
    let set =
        |words: &[&str]| named(&[&["set", "-"], words].concat(), "BEverything", &bytes).good();
    let changed = set(&["aString=new", "unit.hp=1.5", "slots[2].name=else", "ints[2]=9"]);
    let changed: BEverything = zeze_serialize::from_slice(&changed).unwrap();
    let mut expected = everything();
    expected.a_string = "new".into();
    expected.unit.hp = 1.5;
    expected.ints[2] = 9;
    let BEverythingSlots::SharedBUnit(unit) = expected.slots.get_mut(&2).unwrap() else { panic!() };
    unit.name = "else".into();
    assert_eq!(changed, expected);
    // Something new by its name: what it is, the solution says.
    let cell = named(&["ins", "-", "layer=3"], "Cell", &[0]).good();
    assert_eq!(
        zeze_serialize::from_slice::<Cell>(&cell).unwrap(),
        Cell { layer: 3, ..Default::default() }
    );
}

/// The places of an explanation, each once.
fn explained_paths(bean: &str, bytes: &[u8]) -> Vec<String> {
    let json = named(&["explain", "-", "--json"], bean, bytes).good();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let spans = json["spans"].as_array().unwrap().iter();
    let mut paths: Vec<String> = spans.map(|span| span["path"].as_str().unwrap().into()).collect();
    paths.dedup();
    paths.retain(|path| !path.is_empty());
    paths
}

#[test]
fn differences_have_names() {
    let old = everything();
    let mut new = everything();
    new.a_string = "new".into();
    new.soldier.base.0.hp = 1.5;
    new.ints.push(7);
    new.cells.values_mut().for_each(|unit| unit.hp = 9.0);
    new.table.get_mut(&1).unwrap().cells.get_mut("west").unwrap().id = 6;
    new.table.get_mut(&2).unwrap().cells.insert("east".into(), unit(8));
    new.either = BEverythingEither::BReason(shared::BReason { code: 5, text: "else".into() });
    new.slots.insert(1, BEverythingSlots::ArenaFieldBUnit(unit(4)));
    new.limit = 0;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (old, new) = (file("old", &back(&old)), file("new", &back(&new)));
    let ran = named(&["diff", &old, &new], "BEverything", &[]);
    insta::assert_snapshot!("differences_by_name", ran.text());
    assert_eq!(ran.end(), (1, ""));
    // `get` takes the paths; what was added is in the new file.
    let paths = |sign: &str| -> Vec<String> {
        let lines = ran.text().lines().filter(|line| line.starts_with("+ ") == (sign == "+"));
        let line = |line: &str| {
            line.trim_start_matches(['+', '-', ' ']).split(": ").next().unwrap().to_owned()
        };
        lines.filter(|line| !line.starts_with("cells")).map(line).collect()
    };
    for (file, paths) in [(&old, paths("")), (&new, paths("+"))] {
        let words: Vec<&str> = paths.iter().map(String::as_str).collect();
        named(&[&["get", file], words.as_slice()].concat(), "BEverything", &[]).good();
    }
    // Keys that are beans, with a schema and without.
    let path = "cells[{x: 3, y: -4, layer: 2}].hp";
    assert!(ran.text().contains(&format!("{path}: 50.0f → 9.0f")), "{}", ran.text());
    assert_eq!(named(&["get", &new, path], "BEverything", &[]).text(), "9.0\n");
    let plain = ["diff", &old, &new, "-f", "zeze-serialize", "--frames", "none"];
    let plain = crate::run::run(&plain);
    let path = "[field 28][{1: 3, 2: -4, 3: 2}][field 3]";
    assert!(plain.text().contains(&format!("{path}: 50.0f → 9.0f")), "{}", plain.text());
    let get = crate::run::run(&["get", &new, path, "-f", "zeze-serialize", "--frames", "none"]);
    assert_eq!(get.text(), "9.0\n");
}

#[test]
fn bytes_are_explained_by_names() {
    let bytes = back(&everything());
    let ran = named(&["explain", "-", "--path", "table"], "BEverything", &bytes);
    insta::assert_snapshot!("explained_by_name", ran.text());
    for (bean, bytes) in
        [("BEverything", bytes), ("BSoldier", back(&soldier())), ("Cell", back(&everything()))]
    {
        let paths = explained_paths(bean, &bytes);
        let words: Vec<&str> = paths.iter().map(String::as_str).collect();
        named(&[&["get", "-"], words.as_slice()].concat(), bean, &bytes).good();
        // What cannot be read to its end has names as far as it goes.
        let cut = named(&["explain", "-"], bean, &bytes[..bytes.len() / 2]);
        assert_eq!(cut.code, 1, "{}", cut.text());
    }
    let paths = explained_paths("BEverything", &back(&everything()));
    let numbers: Vec<_> = paths.iter().filter(|path| path.contains("field ")).collect();
    assert_eq!(numbers, ["anything[field 2]", "anythings[4][field 2]", "payload[field 7]"]);
}

#[test]
fn frames_are_explained_by_their_protocols() {
    let framing = Framing::new();
    let login = BLogin { account: "Bo".into(), ..Default::default() };
    let call = framing.to_vec(&Login::request(42, login)).unwrap();
    let answer = BWelcome { player_id: 7, ..Default::default() };
    let answer = framing.to_vec(&Login::response(42, 0, answer)).unwrap();
    let both = [call.clone(), answer].concat();
    let text = named(&["explain", "-"], "Cell", &both);
    let text = text.text();
    assert!(text.contains(", arena.Login.Login\n"), "{text}");
    assert_eq!(
        explained_paths("Cell", &both),
        ["[0]", "[0].Account", "[0]", "[1]", "[1].PlayerId", "[1]"]
    );
    let get = |path: &str, bytes: &[u8]| named(&["get", "-", path], "Cell", bytes).good();
    assert_eq!(get("[1].PlayerId", &both), b"7\n");
    assert_eq!(get("[1].bean.PlayerId", &both), b"7\n");
    assert_eq!(get("[0].Account", &call), b"Bo\n");
    assert_eq!(get("bean.Account", &call), b"Bo\n");
    let tree = named(&["tree", "-"], "Cell", &both);
    insta::assert_snapshot!("tree_of_frames", tree.text());
}

#[test]
fn the_hierarchy_has_names() {
    let bytes = back(&everything());
    insta::assert_snapshot!("tree_by_name", named(&["tree", "-"], "BEverything", &bytes).text());
    let json =
        named(&["tree", "-", "--json"], "Cell", &back(&Cell { x: 7, y: 0, layer: 0 })).good();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(
        json,
        serde_json::json!({ "line": "arena.Field.Cell", "notes": ["x: 7"], "children": [] })
    );
}

#[test]
fn rows_of_tables_have_their_cells_by_name() {
    let bytes = back(&everything());
    let get = |path: &str, bytes: &[u8]| named(&["get", "-", path], "BEverything", bytes).good();
    assert_eq!(get("table[1].west.hp", &bytes), b"50.0\n");
    assert_eq!(get("table[*].*.id", &bytes), b"5\n");
    let set = ["set", "-", "table[1].west.hp=2.5"];
    let changed = named(&set, "BEverything", &bytes).good();
    let mut expected = everything();
    expected.table.get_mut(&1).unwrap().cells.get_mut("west").unwrap().hp = 2.5;
    assert_eq!(zeze_serialize::from_slice::<BEverything>(&changed).unwrap(), expected);
    // A cell of a row that has none yet.
    let ins = ["ins", "-", "table[2].east={\"1:int\": 9}"];
    let changed = named(&ins, "BEverything", &bytes).good();
    assert_eq!(get("table[2].east.id", &changed), b"9\n");
    let del = named(&["del", "-", "table[2].east"], "BEverything", &changed).good();
    assert_eq!(named(&["get", "-", "table[2].east"], "BEverything", &del).code, 1);
}

#[test]
fn names_that_are_not_there_are_said() {
    let wrong = |words: &[&str], bean: &str, input: &[u8]| {
        let ran = named(words, bean, input);
        assert_eq!(ran.text(), "");
        ran.stderr
    };
    let text = wrong(&["encode", "-"], "Cell", br#"{"z": 1}"#);
    assert!(text.contains("arena.Field.Cell has no variable z"), "{text}");
    let text = wrong(&["encode", "-"], "BTree", br#"{"item": {"type": "Cell", "bean": {}}}"#);
    assert!(text.contains("item cannot hold the bean Cell"), "{text}");
    let text = wrong(&["decode", "-"], "BNone", &[0]);
    assert!(text.contains("the solution has no bean BNone"), "{text}");
    let text = wrong(&["decode", "-"], "BUnit", &[0]);
    assert!(text.contains("several beans are called BUnit: "), "{text}");
}
