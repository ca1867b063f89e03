//! Packages: what real ones have, edits, damage, bombs.

use std::io::{Cursor, Write};

use gamewire_testkit::vectors::same_bytes;
use resonite_brson::{Container, ErrorKind, Options, brson};
use resonite_save::model::{Members, SavedObject, SlotPath};
use resonite_save::package::{self, Package, Problem, hash};
use zip::write::SimpleFileOptions;

use crate::shared;

/// Names and contents of the real packages.
fn real() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = shared::folder() else { return Vec::new() };
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let packages = paths.filter(|path| path.extension() == Some("resonitepackage".as_ref()));
    packages.map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn what_is_not_changed_keeps_its_bytes() {
    for (name, bytes) in real() {
        let mut package = Package::from_slice(&bytes).unwrap();
        let before = package.clone();
        let object = package.object().unwrap();
        let hash = package.set_object(&object).unwrap();
        assert_eq!(Some(hash), before.main_hash());
        assert_eq!(package.record().to_vec(), before.record().to_vec(), "{name}");
        let again = Package::from_slice(&package.to_vec().unwrap()).unwrap();
        assert!(again == before, "{name}");
        assert_eq!(again.record().to_vec(), before.record().to_vec(), "{name}");
        for ((name, old), (same, new)) in before.entries().zip(again.entries()) {
            assert_eq!((name, old), (same, new));
        }
    }
}

/// A package of a save with one picture.
fn picture() -> (Package, String) {
    let mut object = SavedObject::new("2026.8.12.1196", "Picture");
    let mut package = Package::new("Påture <b>\"+\"</b>", &object).unwrap();
    let hash = package.add_asset(b"image".to_vec());
    let texture = Members::new().field("URL", Package::url(&hash));
    object.add_asset("[FrooxEngine]FrooxEngine.StaticTexture2D", texture).unwrap();
    package.set_object(&object).unwrap();
    (package, hash)
}

#[test]
fn packages_are_made_and_changed() {
    let (mut package, hash) = picture();
    assert_eq!(package.verify(), []);
    assert_eq!(package.record().manifest(), [(hash.clone(), 5)]);
    let old_main = package.main_hash().unwrap();

    let new = package.replace_asset(&hash, b"another image".to_vec()).unwrap();
    assert_eq!(package.verify(), []);
    assert_eq!(package.asset(&hash), None);
    assert_eq!(package.asset(&new), Some(&b"another image"[..]));
    assert_ne!(package.main_hash().unwrap(), old_main);
    assert_eq!(package.asset(&old_main), None);
    let object = package.object().unwrap();
    assert_eq!(object.urls().next(), Some(format!("packdb:///{new}").as_str()));

    let unused = package.add_asset(b"unused".to_vec());
    assert_eq!(package.verify(), [Problem::Unused(unused.clone())]);
    assert_eq!(package.add_asset(b"unused".to_vec()), unused);
    assert_eq!(package.strip_unused().unwrap(), [unused]);
    assert_eq!(package.verify(), []);

    assert_eq!(package.replace_asset("none", vec![]).unwrap_err().kind(), ErrorKind::Package);
    package.remove_asset(&new).unwrap();
    assert_eq!(package.verify(), [Problem::Dangling(new)]);
}

#[test]
fn records_are_written_as_the_engine_s() {
    let (mut package, _) = picture();
    let text = String::from_utf8(package.record().to_vec()).unwrap();
    let start = r#"{"id":"R-Main","ownerId":null,"assetUri":"packdb:///"#;
    assert!(text.starts_with(start), "{text}");
    let name =
        r#""name":"P\u00E5ture \u003Cb\u003E\u0022\u002B\u0022\u003C/b\u003E","description":null"#;
    assert!(text.contains(name), "{text}");
    assert_eq!(package.record().name().unwrap(), "Påture <b>\"+\"</b>");
    package.record_mut().set("tags", "[\"a\"]").unwrap();
    assert_eq!(package.record().get("tags"), Some("[\"a\"]"));
    assert_eq!(package.record_mut().set("tags", "[").unwrap_err().kind(), ErrorKind::Json);
    // The keys are those of a real record, in their order.
    for (name, bytes) in real() {
        let real = Package::from_slice(&bytes).unwrap();
        let keys = |package: &Package| {
            package.record().members().map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(keys(&real), keys(&package), "{name}");
        // Written from its parts, a record of the engine has the same bytes.
        let mut record = real.record().clone();
        let name = record.name().unwrap();
        record.set_name(&name);
        assert_eq!(record.to_vec(), real.record().to_vec(), "{name}");
    }
}

#[test]
fn the_save_keeps_its_container() {
    let (mut package, _) = picture();
    let object = package.object().unwrap();
    let options = Options::new().container(Container::LZ4_BSON);
    package.set_main(options.to_vec(&object).unwrap());
    let mut changed = object.clone();
    changed.slot_mut(&SlotPath::root()).unwrap().set_name(Some("Other")).unwrap();
    package.set_object(&changed).unwrap();
    let body = package.open_main(&Options::new()).unwrap();
    assert_eq!(body.container(), Container::LZ4_BSON);
    assert_eq!(package.object().unwrap(), changed);
    assert_eq!(package.assets().count(), 2);
    assert_eq!(package.verify(), []);
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const RECORD: (&str, &[u8]) = ("R-Main.record", b"{\"assetUri\":\"packdb:///ab\"}");

/// Dates, methods and places of the entries of an archive, and their compressed bytes.
fn parts(archive: &[u8]) -> Vec<(String, String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = archive.len();
    let part = |index| {
        let mut file = archive.by_index_raw(index).unwrap();
        let mut raw = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut raw).unwrap();
        let head = format!("{:?} {:?}", file.compression(), file.last_modified());
        (file.name().to_owned(), head, raw)
    };
    (0..count).map(part).collect()
}

#[test]
fn what_is_not_changed_keeps_its_place_in_the_archive() {
    let dated = SimpleFileOptions::default()
        .last_modified_time(zip::DateTime::from_date_and_time(2024, 2, 29, 12, 30, 2).unwrap());
    let stored = dated.compression_method(zip::CompressionMethod::Stored);
    let (package, hash) = picture();
    let main = format!("Assets/{}", package.main_hash().unwrap());
    for record_first in [true, false] {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let record = package.record().to_vec();
        writer.add_directory("Assets", dated).unwrap();
        if record_first {
            writer.start_file("R-Main.record", dated).unwrap();
            writer.write_all(&record).unwrap();
        }
        for (name, bytes, how) in [
            (main.clone(), package.main().unwrap(), dated),
            (format!("Assets/{hash}"), &b"image"[..], stored),
        ] {
            writer.start_file(name, how).unwrap();
            writer.write_all(bytes).unwrap();
        }
        if !record_first {
            writer.start_file("R-Main.record", stored).unwrap();
            writer.write_all(&record).unwrap();
        }
        let archive = writer.finish().unwrap().into_inner();
        let mut own = Package::from_slice(&archive).unwrap();
        assert_eq!(own, package);
        assert_eq!(own.to_vec().unwrap(), archive);
        // One entry more: the others are as they were.
        own.add_asset(b"more".to_vec());
        let (before, after) = (parts(&archive), parts(&own.to_vec().unwrap()));
        let record = |part: &&(String, String, Vec<u8>)| part.0 == "R-Main.record";
        for part in before.iter().filter(|part| !record(part)) {
            assert!(after.contains(part), "{}", part.0);
        }
        let place = after.iter().position(|part| record(&part)).unwrap();
        assert_eq!(place, if record_first { 1 } else { 4 });
        assert_eq!(Package::from_slice(&own.to_vec().unwrap()).unwrap(), own);
    }
    for (name, bytes) in real() {
        let package = Package::from_slice(&bytes).unwrap();
        same_bytes(&name, &bytes, &package.to_vec().unwrap()).unwrap();
    }
}

#[test]
fn options_reach_the_save() {
    let (package, _) = picture();
    let mut document = package.object().unwrap().into_document();
    document.push(("Assets".into(), 1.into()));
    let twice = Options::new().allow_duplicates(true);
    let mut own = package.clone();
    own.set_main(twice.to_vec(&document).unwrap());
    let archive = own.to_vec().unwrap();
    assert_eq!(
        Package::from_slice(&archive).unwrap().object().unwrap_err().kind(),
        ErrorKind::DuplicateKey
    );
    let mut own = Package::from_slice_with(&archive, &twice).unwrap();
    let mut object = own.object().unwrap();
    assert!(own.verify().iter().all(|problem| !matches!(problem, Problem::Main(_))));
    object.slot_mut(&SlotPath::root()).unwrap().set_tag(Some("new")).unwrap();
    own.set_object(&object).unwrap();
    assert_eq!(own.object().unwrap(), object);
    let small = own.with_options(&twice.max_output(100));
    assert_eq!(small.object().unwrap_err().kind(), ErrorKind::OutputLimit);
}

#[test]
fn who_made_it_is_taken_out() {
    let mut object = SavedObject::new("1", "by U-1Nj73SRfaDY");
    let members = Members::new()
        .field("User", "U-1Nj73SRfaDY")
        .field("Machine", "M-1Nj8")
        .field("Link", resonite_brson::Url::new("resrec:///U-1Nj73SRfaDY/R-abc").unwrap());
    object.add_component(&SlotPath::root(), "[A]B", members).unwrap();
    let mut package = Package::new("x", &object).unwrap();
    package.record_mut().set_owner_id("U-1Nj73SRfaDY");
    package.record_mut().set("ownerName", "\"Someone\"").unwrap();
    assert_eq!(package.redact().unwrap(), 5);
    let text = String::from_utf8(package.record().to_vec()).unwrap();
    assert!(text.starts_with(r#"{"id":"R-Main","ownerId":"U-0","#), "{text}");
    assert!(text.contains(r#""ownerName":null"#), "{text}");
    let object = package.object().unwrap();
    let texts: Vec<&str> = object.leaves().filter_map(|(_, value)| value.as_str()).collect();
    assert!(
        ["U-0", "M-0", "@resrec:///U-0/R-0"].iter().all(|own| texts.contains(own)),
        "{texts:?}"
    );
    assert_eq!(object.root().unwrap().name(), Some("by U-1Nj73SRfaDY"));
    assert_eq!(package.verify(), []);
}

#[test]
fn damage_is_named() {
    let bytes = zip(&[("Assets/ab", b"x"), ("Metadata/cd.bitmap", b"{}"), RECORD]);
    let package = Package::from_slice(&bytes).unwrap();
    let problems: Vec<String> = package.verify().iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            r#""Assets/ab" is not named by a hash"#,
            "main asset: expected a save, found 78: it is cut or damaged, or no save at byte 0x0",
            r#""Metadata/cd.bitmap" is of no asset"#,
        ]
    );
    let (package, hash) = picture();
    let main = package.main().unwrap().to_vec();
    let main_name = format!("Assets/{}", package::hash(&main));
    let asset_name = format!("Assets/{hash}");
    let record = package.record().to_vec();
    let entries =
        [(main_name.as_str(), &main[..]), (&asset_name, b"imagine"), ("R-Main.record", &record)];
    let package = Package::from_slice(&zip(&entries)).unwrap();
    let problems: Vec<String> = package.verify().iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "asset 6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d has the hash 7fdd65bbaaa687d48dc85a26a6dd7ef17fa379994fd8f3b26e19fe36976aeadf",
            "asset 6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d has 7 bytes, the record says 5",
        ]
    );
}

#[test]
fn what_is_no_package() {
    let error = |bytes: &[u8]| Package::from_slice(bytes).unwrap_err().to_string();
    assert_eq!(error(b"FrDT"), "expected a zip archive, found something else at byte 0x0");
    assert_eq!(error(&zip(&[("Assets/ab", b"x")])), "the archive has no R-Main.record");
    assert_eq!(
        error(&zip(&[("R-Main.record", b"[]")])),
        "the record is not a JSON object: invalid type: sequence, expected an object at line 1 column 0, in [\"R-Main.record\"]"
    );
    let no_main = Package::from_slice(&zip(&[RECORD])).unwrap();
    assert_eq!(no_main.object().unwrap_err().kind(), ErrorKind::Package);
}

#[test]
fn bombs_end_at_the_limit() {
    let zeros = vec![0; 8 << 20];
    let bytes = zip(&[("Assets/ab", &zeros), ("Assets/cd", &zeros), RECORD]);
    assert!(bytes.len() < 100_000);
    let options = Options::new().max_output(10 << 20);
    let error = Package::from_slice_with(&bytes, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    assert!(Package::from_slice_with(&bytes, &options.max_output(17 << 20)).is_ok());
}

#[test]
fn damaged_archives_end_in_errors() {
    let (package, _) = picture();
    let bytes = package.to_vec().unwrap();
    assert_eq!(package.to_vec().unwrap(), bytes);
    for len in 0..bytes.len() {
        assert!(Package::from_slice(&bytes[..len]).is_err(), "{len} bytes");
    }
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(mut package) = Package::from_slice(&bytes) {
            _ = package.verify();
            // Entries that were read are written back the same, also beside a new one.
            package.add_asset(b"new".to_vec());
            let again = Package::from_slice(&package.to_vec().unwrap()).unwrap();
            assert!(again.entries().eq(package.entries()), "bit {bit}");
        }
    }
}

/// Entries that do not change are copied by the numbers of the directory at the end.
#[test]
fn entries_have_as_many_bytes_as_the_directory_says() {
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("empty", &[][..]), RECORD] {
        writer.start_file(name, stored).unwrap();
        writer.write_all(bytes).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    let directory = bytes.windows(4).position(|own| own == b"PK\x01\x02").unwrap();
    // The size; the length of what stands before the data.
    for (at, number, text) in [
        (directory + 24, 5u16, "broken entry: expected 5 bytes, found 0, in empty"),
        (28, 0xffff, "the archive is cut off, in empty"),
    ] {
        let mut bytes = bytes.clone();
        assert!(Package::from_slice(&bytes).is_ok());
        bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
        assert_eq!(Package::from_slice(&bytes).unwrap_err().to_string(), text);
    }
}

#[test]
fn records_are_packed_with_assets_from_elsewhere() {
    let record = |text: String| package::Record::from_slice(text.as_bytes()).unwrap();
    let picture = package::hash(b"picture");
    let of = |kind: &str, address: &str| {
        let text = format!(r#"{{"recordType":"{kind}","assetUri":"{address}"}}"#);
        Package::gather(record(text), &Options::new(), |_| Some(b"picture".to_vec()))
    };
    // The main asset of a picture is no save.
    let made = of("texture", &format!("resdb:///{picture}.webp")).unwrap();
    assert_eq!(made.package.main().unwrap(), b"picture");
    assert!(made.missing.is_empty());
    assert_eq!(made.package.record().main_hash(), Some(picture.clone()));
    // That of an object is one, and other bytes than those of the hash are none.
    let error = of("object", &format!("resdb:///{picture}.brson")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Header);
    let error = of("texture", &format!("resdb:///{}.webp", package::hash(b"x"))).unwrap_err();
    assert!(error.to_string().ends_with("was not found"), "{error}");
    let error = of("link", "resrec:///U-me/R-1").unwrap_err();
    assert_eq!(error.to_string(), "the record has no address of a main asset");
    for (url, hash) in [
        (format!("packdb:///{picture}"), Some(picture.as_str())),
        (format!("neosdb:///{picture}.7zbson"), Some(&picture)),
        (format!("resdb:///{picture}?x"), Some(&picture)),
        (format!("https://{picture}"), None),
        ("resdb:///00ff.png".to_owned(), None),
    ] {
        assert_eq!(Package::asset_of(&url), hash, "{url}");
    }
}

/// What leads to an asset: the save, the record, and other documents in the package.
#[test]
fn assets_to_which_nothing_leads_are_taken_out() {
    let inner = brson!({"Object": {"URL": {"Data": (Package::url(&hash(b"deep")))}}});
    let inner = resonite_brson::to_vec(&inner).unwrap();
    let mut object = SavedObject::new("2026.8.12.1196", "Box");
    for asset in [&b"seen"[..], &inner] {
        let members = Members::new().field("URL", Package::url(&hash(asset)));
        object.add_asset("[FrooxEngine]FrooxEngine.StaticBinary", members).unwrap();
    }
    let mut package = Package::new("Box", &object).unwrap();
    for asset in [&b"seen"[..], b"deep", b"nothing", &inner] {
        package.add_asset(asset.to_vec());
    }
    assert_eq!(package.set_thumbnail(b"picture".to_vec()), hash(b"picture"));
    let picture = format!("packdb:///{}", hash(b"picture"));
    assert_eq!(package.record().thumbnail_uri(), Some(picture));
    package.record_mut().set_tags(&["a", "b<c"]);
    assert_eq!(package.record().tags(), ["a", "b<c"]);
    let mut package = Package::from_slice(&package.to_vec().unwrap()).unwrap();
    assert_eq!(package.record().tags(), ["a", "b<c"]);
    let unused = vec![Problem::Unused(hash(b"nothing"))];
    assert_eq!(package.verify(), unused);
    assert_eq!(package.strip_unused().unwrap(), [hash(b"nothing")]);
    assert_eq!(package.verify(), []);
    for asset in [&b"seen"[..], b"deep", b"picture", &inner] {
        assert_eq!(package.asset(&hash(asset)), Some(asset));
    }
    assert!(package.strip_unused().unwrap().is_empty());
}

/// Addresses and assets with which the game cannot do anything.
#[test]
fn what_nobody_can_load_is_an_error() {
    let hash = hash(b"picture");
    let upper = hash.to_uppercase();
    for (url, why) in [
        ("@local://a1b2c3/x.png".to_owned(), "is that of a file of one machine"),
        (format!("@neosdb:///{hash}.webp"), "is one of NeosVR; here it is `resdb:`"),
        (format!("@resdb://{hash}.webp"), "has not three slashes before its hash"),
        (format!("@packdb://{hash}"), "has not three slashes before its hash"),
        (format!("@resdb:/{hash}"), "has not three slashes before its hash"),
        (format!("@resdb:///{upper}.webp"), "has upper-case letters in its hash"),
        ("@resdb:///short".to_owned(), "has no hash of 64 digits"),
        ("@picture.png".to_owned(), "has no scheme"),
        ("@".to_owned(), "has no `@` before it"),
        (format!("resdb:///{hash}"), "has no `@` before it"),
        (format!("@resdb:///{hash}.webp"), ""),
        (format!("@resdb:///{hash}/variant?x=1"), ""),
        ("@https://example.com/a.png".to_owned(), ""),
    ] {
        let (mut package, own) = picture();
        let mut object = package.object().unwrap();
        let (path, _) = object.find_components("StaticTexture2D").next().unwrap();
        object.component_mut(&path).unwrap().replace("URL", url.as_str()).unwrap();
        package.set_object(&object).unwrap();
        package.remove_asset(&own);
        let bare = match url.strip_prefix('@') {
            Some(bare) if !bare.is_empty() => bare,
            _ => &url,
        };
        let shown: Vec<String> = package.verify().iter().map(ToString::to_string).collect();
        let found: Vec<&str> = shown.iter().map(|own| own.rsplit_once("\" ").unwrap().1).collect();
        let expected: Vec<&str> = if why.is_empty() { Vec::new() } else { vec![why] };
        assert_eq!(found, expected, "{bare}");
        assert!(package.verify().iter().all(Problem::is_error));
    }
    let (mut package, own) = picture();
    package.remove_asset(&own);
    let empty = package.add_asset(Vec::new());
    let problems = package.verify();
    assert!(problems.contains(&Problem::Empty(empty)) && problems[0].is_error(), "{problems:?}");
    package.record_mut().set_thumbnail_uri(Some("local://abc/x.png"));
    assert!(package.verify().iter().any(|own| matches!(own, Problem::Address { .. })));
}

/// The real packages have no such address.
#[test]
fn real_packages_can_be_loaded() {
    for (name, bytes) in real() {
        for problem in Package::from_slice(&bytes).unwrap().verify() {
            assert!(
                !matches!(problem, Problem::Address { .. } | Problem::Empty(_)),
                "{name}: {problem}"
            );
        }
    }
}

/// A damaged entry stood in the way of the asset that has its name.
#[test]
fn an_asset_takes_the_place_of_a_damaged_one() {
    let object = SavedObject::new("1", "root");
    let record = Package::new("root", &object).unwrap().record().clone();
    let damaged = (format!("Assets/{}", hash(b"new")), b"damaged".to_vec());
    let mut package = Package::from_entries(record, [damaged]).unwrap();
    let added = package.add_asset(b"new".to_vec());
    assert_eq!(package.asset(&added), Some(&b"new"[..]));
    assert_eq!(package.assets().filter(|(hash, _)| *hash == added).count(), 1);
}

/// Entries are bounded by the memory that a package may take.
#[test]
fn entries_take_no_more_memory_than_they_may() {
    let mut package = Package::new("x", &SavedObject::new("1", "Root")).unwrap();
    package.add_asset(vec![0; 2 << 20]);
    let package = package.to_vec().unwrap();
    Package::from_slice(&package).unwrap();
    let small = Options::new().max_memory(1 << 20);
    let error = Package::from_slice_with(&package, &small).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
}
