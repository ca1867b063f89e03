//! Backups of accounts: what is damaged is named, and every good record becomes a package.

use std::fs;
use std::path::{Path, PathBuf};

use gamewire_testkit::vectors::same_bytes;
use resonite_brson::{Options, Url};
use resonite_save::model::{Members, SavedObject};
use resonite_save::package::{Package, hash};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::files::names;
use crate::run::run_in;

const PICTURE: &[u8] = b"\x89PNG picture";
const SOUND: &[u8] = b"OggS sound";

/// A save that needs these assets, as the platform has it.
fn save(name: &str, assets: &[&[u8]]) -> Vec<u8> {
    let mut object = SavedObject::new("2026.8.12.1196", name);
    for asset in assets {
        let url = Url::new(format!("resdb:///{}.bin", hash(asset))).unwrap();
        let members = Members::new().field("URL", url);
        object.add_asset("[FrooxEngine]FrooxEngine.StaticTexture2D", members).unwrap();
    }
    Options::new().to_vec(&object).unwrap()
}

fn write(path: PathBuf, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// An account as download tools write it; `listed` are the assets that each record lists.
struct Account(TempDir);

impl Account {
    fn new() -> Self {
        let account = Account(tempfile::tempdir().unwrap());
        account.record("R-1", "Lamp", "object", &save("Lamp", &[PICTURE]), &[PICTURE]);
        account.record("R-2", "Room <b>1/2</b>", "world", &save("Room", &[SOUND]), &[SOUND]);
        account.asset(PICTURE, ".png");
        account.asset(SOUND, "");
        let folder =
            json!({"id": "R-3", "name": "Tools", "ownerId": "U-me", "recordType": "directory"});
        write(account.path("U-me/Records/R-3.json"), folder.to_string());
        write(account.path("U-me/Contacts/U-you.json"), r#"{"id":"U-you"}"#);
        write(account.path("log.txt"), "done");
        account
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("account").join(name)
    }

    fn record(&self, id: &str, name: &str, kind: &str, save: &[u8], listed: &[&[u8]]) {
        self.asset(save, ".brson");
        let main = hash(save);
        let entry = |own: &&[u8]| json!({"hash": hash(own), "bytes": own.len()});
        // The platform lists the main asset too.
        let listed: Vec<Json> = listed.iter().chain(&[save]).map(entry).collect();
        let record = json!({
            "id": id, "ownerId": "U-me", "assetUri": format!("resdb:///{main}.brson"),
            "name": name, "recordType": kind, "isDeleted": false, "extra": [1.50, null],
            "assetManifest": listed,
        });
        write(self.path(&format!("U-me/Records/{id}.json")), record.to_string());
    }

    fn asset(&self, bytes: &[u8], extension: &str) {
        write(self.path(&format!("Assets/{}{extension}", hash(bytes))), bytes);
    }

    /// The exit code, and the lines.
    fn run(&self, line: &str) -> (i32, Vec<String>) {
        let ran = run_in(self.0.path(), line);
        assert_eq!(ran.stderr, "", "{line}");
        let text = String::from_utf8(ran.stdout).unwrap();
        (ran.code, text.lines().map(str::to_owned).collect())
    }
}

fn package(path: &Path) -> Package {
    Package::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_whole_backup_is_good_and_becomes_packages() {
    let account = Account::new();
    let counts = "3 records, 1 without an asset; 4 assets, 0 not needed; 2 other files; 0 problems";
    assert_eq!(account.run("backup check account"), (0, vec![counts.to_owned()]));
    let said = account.run("backup pack account out/here");
    assert_eq!(said, (0, vec!["2 of 2 records packed".to_owned()]));
    let out = account.0.path().join("out/here");
    let room = "Room %3Cb%3E1%2F2%3C%2Fb%3E.resonitepackage";
    assert_eq!(names(&out), ["Lamp.resonitepackage", room]);
    for (file, name, kind, asset) in [
        ("Lamp.resonitepackage", "Lamp", "object", PICTURE),
        (room, "Room <b>1/2</b>", "world", SOUND),
    ] {
        let own = package(&out.join(file));
        assert_eq!(own.verify(), [], "{file}");
        assert_eq!(own.record().name().as_deref(), Some(name));
        assert_eq!(own.record().record_type().as_deref(), Some(kind));
        assert_eq!(own.record().owner_id().as_deref(), Some("U-me"));
        assert_eq!(own.record().get("id"), Some("\"R-Main\""));
        assert_eq!(own.record().get("extra"), Some("[1.5,null]"));
        assert_eq!(own.asset(&hash(asset)), Some(asset));
        assert_eq!(own.assets().count(), 2);
        // Its addresses lead to what is in it.
        let object = own.object().unwrap();
        let urls: Vec<&str> = object.urls().collect();
        assert_eq!(urls, [format!("packdb:///{}", hash(asset))]);
    }
    // Packages that are there stay, and nothing is written.
    let before = fs::read(out.join("Lamp.resonitepackage")).unwrap();
    fs::remove_file(out.join(room)).unwrap();
    let ran = run_in(account.0.path(), "backup pack account out/here");
    let text = "error: out/here/Lamp.resonitepackage: exists; --force replaces it\n";
    assert_eq!((ran.code, ran.stderr.replace('\\', "/").as_str()), (2, text));
    assert_eq!(names(&out), ["Lamp.resonitepackage"]);
    assert_eq!(account.run("backup pack account out/here --force").0, 0);
    same_bytes("the bytes", &before, &fs::read(out.join("Lamp.resonitepackage")).unwrap()).unwrap();
    assert_eq!(names(&out).len(), 2);
}

#[test]
fn what_is_wrong_is_named_and_costs_nobody_else_anything() {
    let account = Account::new();
    let (missing, other) = (&b"missing"[..], &b"other"[..]);
    let main = save("Main", &[]);
    account.record("R-4", "Gone", "object", &main, &[]);
    fs::remove_file(account.path(&format!("Assets/{}.brson", hash(&main)))).unwrap();
    account.record("R-5", "No save", "object", b"no save", &[]);
    // One is listed and one is not.
    let chair = save("Chair", &[missing, SOUND]);
    account.record("R-6", "Chair", "object", &chair, &[other, SOUND]);
    write(account.path("U-me/Records/R-7.json"), "{\"recordType\":\"object\",");
    write(account.path("U-me/Records/R-8.json"), r#"{"recordType":"object","assetUri":null}"#);
    write(account.path(&format!("Assets/{}", hash(PICTURE))), "a note on it");
    write(account.path(&format!("Assets/{}.bin", hash(other))), "spoilt");
    account.asset(b"of nobody", ".txt");

    let (other, missing) = (hash(other), hash(missing));
    let (spoilt, no_save, gone) = (hash(b"spoilt"), hash(b"no save"), hash(&main));
    let at = |record: &str, why: &str| format!("account/U-me/Records/{record}.json: {why}");
    let mut wanted = vec![
        format!("account/Assets/{other}.bin: has the hash {spoilt}"),
        at("R-4", &format!("the main asset {gone} is not there")),
        at(
            "R-5",
            &format!(
                "the save {no_save}: expected a save, found 6e 6f 20 73: it is cut or damaged, or no save at byte 0x0"
            ),
        ),
        at("R-6", &format!("asset {other} is damaged")),
        at("R-6", &format!("asset {missing} is not there")),
        at("R-7", "the record is not a JSON object: EOF while parsing a value at line 1 column 23"),
        at("R-8", "the record has no address of a main asset"),
    ];
    let (code, mut lines) = account.run("backup check account");
    let counts = lines.pop().unwrap();
    lines.sort();
    wanted.sort();
    assert_eq!((code, &lines), (1, &wanted));
    let text = "7 records, 1 without an asset; 7 assets, 1 not needed; 3 other files; 7 problems";
    assert_eq!(counts, text);

    let ran = run_in(account.0.path(), "backup check account --json");
    let json: Json = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((ran.code, json["problems"].as_array().unwrap().len()), (1, 7));
    assert_eq!((&json["records"], &json["unneeded"]), (&json!(7), &json!(1)));
    let named = |problem: &&Json| problem["asset"] == json!(missing);
    let problem = json["problems"].as_array().unwrap().iter().find(named).unwrap();
    assert_eq!(problem["file"], "account/U-me/Records/R-6.json");
    assert_eq!(problem["message"], format!("asset {missing} is not there"));

    let (code, lines) = account.run("backup pack account out");
    assert_eq!((code, lines.last().unwrap().as_str()), (1, "3 of 6 records packed"));
    let line = at("R-6", &format!("asset {missing} is not there"));
    assert!(lines.contains(&line), "{lines:?}");
    let out = account.0.path().join("out");
    let room = "Room %3Cb%3E1%2F2%3C%2Fb%3E.resonitepackage";
    assert_eq!(names(&out), ["Chair.resonitepackage", "Lamp.resonitepackage", room]);
    // What is not there keeps its address: the platform may have it.
    let chair = package(&out.join("Chair.resonitepackage"));
    let object = chair.object().unwrap();
    let urls: Vec<&str> = object.urls().collect();
    let kept = format!("resdb:///{missing}.bin");
    assert_eq!(urls, [kept, format!("packdb:///{}", hash(SOUND))]);
    assert_eq!(chair.verify(), []);
}

#[test]
fn each_record_gets_a_name_of_its_own() {
    let account = Account(tempfile::tempdir().unwrap());
    let long = "x".repeat(300);
    for (id, name) in ["Lamp", "Lamp", "lamp", "../up", "", &long, &long].iter().enumerate() {
        account.record(&format!("R-{id}"), name, "object", &save("Lamp", &[]), &[]);
    }
    let said = account.run("backup pack account out");
    assert_eq!(said, (0, vec!["7 of 7 records packed".to_owned()]));
    assert_eq!(names(account.0.path()), ["account", "out"]);
    let found = names(&account.0.path().join("out"));
    assert_eq!(found.len(), 7, "{found:?}");
    for name in ["Lamp", "Lamp (2)", "%2E.%2Fup", "unnamed"] {
        assert!(found.contains(&format!("{name}.resonitepackage")), "{found:?}");
    }
    assert!(found.iter().all(|name| name.len() <= 255));
}

#[test]
fn records_and_assets_may_lie_anywhere() {
    // What `package extract` writes is a backup of one record; records of NeosVR have other names.
    let account = Account(tempfile::tempdir().unwrap());
    let picture = hash(PICTURE);
    let save = save("Old", &[PICTURE]);
    let record = json!({
        "recordType": "object", "name": "Old", "ownerId": "U-me",
        "assetUri": format!("neosdb:///{}.7zbson", hash(&save)),
        "neosDBmanifest": [{"hash": picture, "bytes": PICTURE.len() + 1}],
    });
    write(account.path("a.record"), record.to_string());
    write(account.path(&format!("x/y/{}", hash(&save))), &save);
    let (code, lines) = account.run("backup check account");
    assert_eq!((code, &lines[0]), (1, &format!("account/a.record: asset {picture} is not there")));
    write(account.path(&format!("z/{picture}.png.txt")), PICTURE);
    let (code, lines) = account.run("backup check account");
    let (own, said) = (PICTURE.len(), PICTURE.len() + 1);
    let size = format!("account/a.record: asset {picture} has {own} bytes, the record says {said}");
    assert_eq!((code, &lines[0]), (1, &size));
    assert_eq!(account.run("backup pack account out").0, 0);
    let old = package(&account.0.path().join("out/Old.resonitepackage"));
    assert_eq!(old.verify(), []);
    let ran = run_in(account.0.path(), "package extract out/Old.resonitepackage again");
    ran.good();
    let counts = "1 record, 0 without an asset; 2 assets, 0 not needed; 0 other files; 0 problems";
    assert_eq!(account.run("backup check again"), (0, vec![counts.to_owned()]));
    let ran = run_in(account.0.path(), "backup check nowhere");
    assert_eq!(ran.end(), (2, "error: nowhere: is no folder\n"));
}

/// An item that lists assets, each a hash and its size.
fn item(account: &Account, id: &str, name: &str, path: &str, assets: &[(&str, u64)]) {
    let list: Vec<Json> =
        assets.iter().map(|(hash, bytes)| json!({"hash": hash, "bytes": bytes})).collect();
    let record = json!({
        "id": id, "name": name, "path": path, "recordType": "object", "assetManifest": list,
    });
    write(account.path(&format!("{id}.json")), record.to_string());
}

#[test]
fn what_fills_the_storage() {
    let account = Account(tempfile::tempdir().unwrap());
    item(&account, "R-1", "Lamp", r"Inventory\Lights", &[("a", 100), ("b", 10)]);
    item(&account, "R-2", "Lantern", r"Inventory\Lights", &[("b", 10), ("c", 1000)]);
    item(&account, "R-3", "Room", "Inventory", &[("b", 10), ("c", 1000), ("d", 5)]);
    write(account.path("R-4.json"), r#"{"id":"R-4","name":"Lights","recordType":"directory"}"#);
    // Assets are not looked at.
    write(account.path(&format!("Assets/{}", "0".repeat(64))), "other bytes");
    let (code, lines) = account.run("backup usage account --delete R-2,R-3");
    let expected = [
        "           own         shared",
        "          1115              0  all  3 items",
        "          1115              0    Inventory/  3 items",
        "             5           1010      Room  R-3  (with R-2: 1010, R-1: 10)",
        "           100           1010      Lights/  2 items",
        "           100             10        Lamp  R-1  (with R-2: 10, R-3: 10)",
        "             0           1010        Lantern  R-2  (with R-3: 1010, R-1: 10)",
        "          1115 bytes in all",
        "          1005 bytes are freed",
    ];
    assert_eq!(lines, expected);
    assert_eq!(code, 0);
    let json = run_in(account.0.path(), "backup usage account --json").good();
    let path = |name: &str| format!("Inventory{name}");
    assert_eq!(
        serde_json::from_slice::<Json>(&json).unwrap(),
        json!({
            "items": [
                {"id": "R-1", "name": "Lamp", "path": path("\\Lights"), "own": 100, "shared": 10},
                {"id": "R-3", "name": "Room", "path": path(""), "own": 5, "shared": 1010},
                {"id": "R-2", "name": "Lantern", "path": path("\\Lights"), "own": 0, "shared": 1010},
            ],
            "total": 1115,
        })
    );
    let json = run_in(account.0.path(), "backup usage account --json --delete R-1").good();
    assert_eq!(serde_json::from_slice::<Json>(&json).unwrap()["freed"], 100);
    let ran = run_in(account.0.path(), "backup usage account --delete R-1,R-9");
    let text = "error: account: expected the id of an item, found \"R-9\"\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, text));
}

#[test]
fn packages_lie_in_the_folders_of_the_inventory() {
    let account = Account::new();
    for (id, folder) in [("R-1", r"Inventory\Lights"), ("R-2", r"Inventory\..\a/b")] {
        let file = account.path(&format!("U-me/Records/{id}.json"));
        let mut record: Json = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        record["path"] = folder.into();
        write(file, record.to_string());
    }
    assert_eq!(account.run("backup pack account out").0, 0);
    let out = account.0.path().join("out/Inventory");
    assert_eq!(names(&out.join("Lights")), ["Lamp.resonitepackage"]);
    assert_eq!(names(&out.join("%2E%2E/a/b")), ["Room %3Cb%3E1%2F2%3C%2Fb%3E.resonitepackage"]);
}
