//! Packages: every entry comes out and goes in again, and a file that is called one is one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use resonite_brson::Options;
use resonite_save::package::{Package, hash};

use crate::files::names;
use crate::run::{feed, run, run_in, samples};

fn lamp(name: &str) -> String {
    samples().join("../resonite-brson").join(name).to_str().unwrap().to_owned()
}

fn lamp_package() -> Package {
    Package::from_slice(&fs::read(lamp("lamp.resonitepackage")).unwrap()).unwrap()
}

/// The sample with more entries.
fn with_entries(more: &[&str]) -> Package {
    let lamp = lamp_package();
    let own = lamp.entries().map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    let more = more.iter().map(|name| ((*name).to_owned(), format!("in {name:?}").into_bytes()));
    Package::from_entries(lamp.record().clone(), own.chain(more)).unwrap()
}

fn entries(package: &Package) -> BTreeMap<String, Vec<u8>> {
    package.entries().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect()
}

fn read(path: &Path) -> Package {
    Package::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    let name = |path: &std::path::PathBuf| {
        path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/")
    };
    let mut names: Vec<String> = found.iter().map(name).collect();
    names.sort();
    names
}

/// Extracts a package and builds it again: what was said, the files, and the package.
fn there_and_back(package: &Package) -> (String, Vec<String>, Package) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.resonitepackage"), package.to_vec().unwrap()).unwrap();
    let said = run_in(folder.path(), "package extract a.resonitepackage in/here").good();
    run_in(folder.path(), "package build in/here b.resonitepackage").good();
    assert_eq!(names(folder.path()), ["a.resonitepackage", "b.resonitepackage", "in"]);
    assert_eq!(names(&folder.path().join("in")), ["here"]);
    let files = files(&folder.path().join("in/here"));
    (String::from_utf8(said).unwrap(), files, read(&folder.path().join("b.resonitepackage")))
}

#[test]
fn every_entry_comes_out_and_goes_in_again() {
    let package = with_entries(&["Variants/a/b.png", "Variants/c", "notes.txt", "x/y/z/deep.bin"]);
    let (said, files, again) = there_and_back(&package);
    assert_eq!(said, "");
    assert!(files.contains(&"x/y/z/deep.bin".to_owned()), "{files:?}");
    assert_eq!(entries(&again), entries(&package));
    assert_eq!(again.record().to_vec(), package.record().to_vec());
}

/// Archivers put them in; nothing reads them.
#[test]
fn folders_that_are_entries_are_counted() {
    let own = lamp_package();
    let entries = own.entries().map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    let folders = ["Assets/", "empty/"].map(|name| (name.to_owned(), Vec::new()));
    let package = Package::from_entries(own.record().clone(), entries.chain(folders)).unwrap();
    assert_eq!(package.folders().collect::<Vec<_>>(), ["Assets/", "empty/"]);
    let bytes = package.to_vec().unwrap();
    assert_eq!(Package::from_slice(&bytes).unwrap().folders().count(), 2);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.resonitepackage"), bytes).unwrap();
    let said = run_in(folder.path(), "package extract a.resonitepackage in");
    assert_eq!(said.stderr, "note: 2 entries without content, named like a folder: not written\n");
}

#[test]
fn odd_names_are_written_otherwise_and_shown() {
    let names = "Assets//x\nAssets/no-hash\nfolder/\nback\\\n../../evil\n/etc/evil\nC:\\evil\n\
                 Assets/\u{1b}[31mred\nAssets/\u{202e}gpj.exe\nAssets/CON\nAssets/nul.txt\nCOM1\n\
                 Assets/dot.\nAssets/CASE\nAssets/case\nassets/case\nVariants\nVariants/inside\n\
                 .hidden\n100%\nr-main.record\nÅ";
    let package = with_entries(&names.split('\n').collect::<Vec<_>>());
    let (said, files, again) = there_and_back(&package);
    insta::assert_snapshot!(said);
    assert_eq!(files.len(), package.entries().count() + 1);
    for file in &files {
        assert!(file.chars().all(|own| own == 'Å' || own.is_ascii_graphic()), "{file}");
        assert!(!file.contains(['\\', ':', '<', '>', '|', '?', '*', '"']), "{file}");
    }
    assert_eq!(entries(&again), entries(&package));
    assert_eq!(again.record().to_vec(), package.record().to_vec());
}

/// Files as they begin, one of each kind that has an extension, and some that have none.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let riff = |what: &[u8; 4]| [b"RIFF\x04\0\0\0", &what[..]].concat();
    let pixel = fs::read(lamp("lamp.resonitepackage")).unwrap();
    let pixel = Package::from_slice(&pixel).unwrap();
    let pixel = pixel.assets().find(|(_, bytes)| bytes.starts_with(b"\x89PNG")).unwrap().1.to_vec();
    let mut kinds = vec![
        (".png", pixel),
        (".webp", riff(b"WEBP")),
        (".wav", riff(b"WAVE")),
        ("", riff(b"what")),
        (".mp4", b"\0\0\0\x18ftypisom".to_vec()),
        (".mp3", b"\xff\xfb\x90\x64\0\0".to_vec()),
        ("", b"\xff\xff\xff\xff\0\0".to_vec()),
        ("", b"\x89PNG of old".to_vec()),
        ("", b"text".to_vec()),
        ("", Vec::new()),
        (".7zbson", fs::read(lamp("lamp.7zbson")).unwrap()),
        (".lz4bson", fs::read(lamp("lamp.lz4bson")).unwrap()),
        (".bson", fs::read(lamp("lamp.bson")).unwrap()),
    ];
    for (extension, magic) in [
        (".jpg", &b"\xff\xd8\xff\xe0"[..]),
        (".gif", b"GIF89a"),
        (".gif", b"GIF87a"),
        (".tif", b"II*\0"),
        (".tif", b"MM\0*"),
        (".hdr", b"#?RADIANCE\n"),
        (".exr", b"v/1\x01"),
        (".dds", b"DDS |"),
        (".ogg", b"OggS"),
        (".flac", b"fLaC"),
        (".mp3", b"ID3\x03"),
        (".meshx", b"\x05MeshX"),
        (".animx", b"\x05AnimX"),
        (".glb", b"glTF"),
        (".ttf", b"\0\x01\0\0\0"),
        (".otf", b"OTTO"),
        (".woff", b"wOFF"),
        (".woff2", b"wOF2"),
        (".mkv", b"\x1aE\xdf\xa3"),
        (".pdf", b"%PDF-1.7"),
    ] {
        kinds.push((extension, magic.to_vec()));
    }
    kinds
}

/// With the extensions of what they are, where `package extract` is asked for them; and the same package
/// is built of the folder.
#[test]
fn assets_get_the_extensions_of_what_they_are() {
    let mut package = lamp_package();
    let main = package.main_hash().unwrap();
    let mut expected = vec![format!("Assets/{main}.brson"), "R-Main.record".to_owned()];
    for (extension, bytes) in kinds() {
        expected.push(format!("Assets/{}{extension}", package.add_asset(bytes)));
    }
    expected.sort();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.resonitepackage"), package.to_vec().unwrap()).unwrap();
    let extract = "package extract a.resonitepackage in --extensions";
    assert_eq!(run_in(folder.path(), extract).good(), b"");
    assert_eq!(files(&folder.path().join("in")), expected);
    // An empty asset is one of them.
    run_in(folder.path(), "package build in b.resonitepackage --incomplete").good();
    let again = read(&folder.path().join("b.resonitepackage"));
    assert_eq!(entries(&again), entries(&package));
    assert_eq!(again.record().to_vec(), package.record().to_vec());

    // An archive's files have names of their own.
    let archive = kiwi_pclass::archive::Builder::new().to_vec().unwrap();
    fs::write(folder.path().join("Root.wad"), archive).unwrap();
    let ran = run_in(folder.path(), "package extract Root.wad out --extensions");
    let text = "error: Root.wad: --extensions is for packages; this is an archive\n";
    assert_eq!(ran.end(), (2, text));
}

/// Entries that are called as an asset with an extension is written.
#[test]
fn no_entry_is_taken_for_an_asset_with_an_extension() {
    let mut package = lamp_package();
    let picture = package.add_asset(b"\x89PNG\r\n\x1a\n, more or less".to_vec());
    let (first, second) = (hash(b"first"), hash(b"second"));
    let upper = picture.to_uppercase();
    let odd = [
        format!("Assets/{picture}.png"),
        format!("Assets/{picture}.PNG"),
        format!("Assets/{picture}.png.png"),
        format!("Assets/{picture}."),
        format!("Assets/{picture}.."),
        format!("Assets/{picture}.png/inside"),
        format!("Assets/{picture}/inside.png"),
        format!("Assets/{picture}%2Epng"),
        format!("Assets/{upper}"),
        format!("Assets/{upper}.png"),
        format!("Assets/{first}.brson"),
        format!("Assets/{first}.brson."),
        format!("assets/{first}.brson"),
        format!("Assets//{second}.png"),
        format!("Assets/{second}.png "),
        format!("Assets/{second}.p\u{f6}ng"),
        format!("{second}.png"),
        format!("Metadata/{second}.bitmap"),
    ];
    let own: Vec<_> =
        package.entries().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    // Before the assets and after them: who comes first gets the ordinary path.
    let more = |names: &[String]| -> Vec<_> {
        names.iter().map(|name| (name.clone(), name.clone().into_bytes())).collect()
    };
    for odd_first in [false, true] {
        let (before, after) = if odd_first { (more(&odd), vec![]) } else { (vec![], more(&odd)) };
        let all = before.into_iter().chain(own.clone()).chain(after);
        let package = Package::from_entries(package.record().clone(), all).unwrap();
        for extensions in ["", "--extensions"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("a.resonitepackage"), package.to_vec().unwrap()).unwrap();
            let extract = format!("package extract a.resonitepackage in {extensions}");
            run_in(folder.path(), extract.as_str()).good();
            let files = files(&folder.path().join("in"));
            assert_eq!(files.len(), package.entries().count() + 1);
            let mut lower: Vec<String> = files.iter().map(|file| file.to_lowercase()).collect();
            lower.sort();
            lower.dedup();
            assert_eq!(lower.len(), files.len(), "{files:?}");
            run_in(folder.path(), "package build in b.resonitepackage").good();
            let again = read(&folder.path().join("b.resonitepackage"));
            assert_eq!(entries(&again), entries(&package));
            assert_eq!(again.record().to_vec(), package.record().to_vec());
        }
    }
}

/// What somebody makes of an asset may have another extension; but an asset is one file.
#[test]
fn an_asset_is_one_file_whatever_its_extension_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join("item/Assets").join(name);
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["package", "extract", &package, "item", "--extensions"]).good();
    let picture = "c414cd0e204de974f73753c7e28d7638e7b3691bb8b1a2bab6b25bb7fed7ce77";
    fs::copy(path(&format!("{picture}.png")), path(&format!("{picture}.TGA"))).unwrap();
    let ran = run_in(folder.path(), "package build item new.resonitepackage");
    let text =
        format!("error: item/Assets/{picture}.png: is the same entry as Assets/{picture}.TGA\n");
    assert_eq!(ran.end(), (2, text.as_str()));
    fs::remove_file(path(&format!("{picture}.png"))).unwrap();
    run_in(folder.path(), "package build item new.resonitepackage").good();
    assert_eq!(
        fs::read(folder.path().join("new.resonitepackage")).unwrap(),
        fs::read(&package).unwrap()
    );

    // Only one extension is one.
    let from = path(&format!("{picture}.TGA"));
    fs::rename(from, path(&format!("{picture}.TGA.bak"))).unwrap();
    let ran = run_in(folder.path(), "package build item new.resonitepackage --incomplete");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let new = read(&folder.path().join("new.resonitepackage"));
    assert!(new.asset(picture).is_none() && new.asset(&format!("{picture}.TGA.bak")).is_some());
}

/// Two assets that changed places: each gets the name that the other had.
#[test]
fn changed_assets_get_their_names_and_others_keep_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut package = with_entries(&["Assets/no-hash", "Variants/x"]);
    let (red, blue) = (package.add_asset(b"red".to_vec()), package.add_asset(b"blue".to_vec()));
    let metadata = [(format!("Metadata/{red}.bitmap"), b"of red".to_vec())];
    let own = package.entries().map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    let package = Package::from_entries(package.record().clone(), own.chain(metadata)).unwrap();
    fs::write(path("a.resonitepackage"), package.to_vec().unwrap()).unwrap();
    run_in(folder.path(), "package extract a.resonitepackage item").good();
    fs::write(path("item/Assets").join(&red), "blue").unwrap();
    fs::write(path("item/Assets").join(&blue), "red").unwrap();
    let ran = run_in(folder.path(), "package build item b.resonitepackage");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    let built = read(&path("b.resonitepackage"));
    assert_eq!(built.asset(&red), Some(&b"red"[..]));
    assert_eq!(built.asset(&blue), Some(&b"blue"[..]));
    let (mut before, mut after) = (entries(&package), entries(&built));
    before.remove(&format!("Metadata/{red}.bitmap")).unwrap();
    // The save is written again, with the same addresses.
    for entries in [&mut before, &mut after] {
        entries.remove(&format!("Assets/{}", package.main_hash().unwrap()));
    }
    assert_eq!(after, before);
}

#[test]
fn a_folder_with_files_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let item = folder.path().join("item");
    fs::create_dir(&item).unwrap();
    let package = lamp("lamp.resonitepackage");
    let extract = ["package", "extract", &package, "item"];
    fs::write(item.join("mine.txt"), "mine").unwrap();
    let ran = run_in(folder.path(), &extract);
    let text = "error: item/mine.txt: the folder is not empty; --force writes into it\n";
    assert_eq!(ran.end(), (2, text));
    fs::write(item.join("R-Main.record"), "mine too").unwrap();
    let ran = run_in(folder.path(), &extract);
    let text = "error: item/R-Main.record: exists; --force replaces it\n";
    assert_eq!(ran.end(), (2, text));
    assert_eq!(names(&item), ["R-Main.record", "mine.txt"]);
    assert_eq!(fs::read(item.join("R-Main.record")).unwrap(), b"mine too");

    let ran = run_in(folder.path(), &[&extract[..], &["--force"]].concat());
    ran.good();
    assert_eq!(fs::read(item.join("mine.txt")).unwrap(), b"mine");
    assert_eq!(fs::read(item.join("R-Main.record")).unwrap(), lamp_package().record().to_vec());
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("item")).unwrap();
    fs::create_dir(path("outside")).unwrap();
    symlink("../outside", path("item/Assets")).unwrap();
    let package = lamp("lamp.resonitepackage");
    let extract = ["package", "extract", &package, "item"];
    let ran = run_in(folder.path(), &extract);
    let text = "error: item/Assets: is a link, which only --force follows\n";
    assert_eq!(ran.end(), (2, text));
    assert!(names(&path("outside")).is_empty());
    run_in(folder.path(), &[&extract[..], &["--force"]].concat()).good();
    assert_eq!(names(&path("outside")).len(), lamp_package().assets().count());

    // What is packed is what is in the folder.
    let ran = run_in(folder.path(), "package build item b.resonitepackage");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.starts_with("note: item: not packed: 1 link\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: item: the main asset"), "{}", ran.stderr);
}

#[test]
fn what_is_not_packed_or_renamed_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["package", "extract", &package, "item"]).good();
    fs::write(path("item/.DS_Store"), "hidden").unwrap();
    let picture = "c414cd0e204de974f73753c7e28d7638e7b3691bb8b1a2bab6b25bb7fed7ce77";
    fs::write(path("item/Assets").join(picture), "another").unwrap();
    fs::create_dir_all(path("item/Metadata")).unwrap();
    fs::write(path("item/Metadata").join(format!("{picture}.bitmap")), "{}").unwrap();
    let ran = run_in(folder.path(), "package build item new.resonitepackage");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("item/.DS_Store: not packed: hidden"), "{}", ran.stderr);
    let renamed = format!("asset {picture} is now {}", hash(b"another"));
    assert!(ran.stderr.contains(&renamed), "{}", ran.stderr);
    let left_out = format!("Metadata/{picture}.bitmap is left out: its asset changed");
    assert!(ran.stderr.contains(&left_out), "{}", ran.stderr);

    // The save of the new one leads to the new name.
    run_in(folder.path(), "package verify new.resonitepackage").good();

    fs::write(path("item/100%.png"), "odd").unwrap();
    let ran = run_in(folder.path(), "package build item new.resonitepackage");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error: item/100%.png: `%` in its name"), "{}", ran.stderr);
}

/// Assets that came or went since the folder was written are in the record of the new package.
#[test]
fn the_record_lists_what_is_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["package", "extract", &package, "item"]).good();
    let more = folder.path().join("item/Assets").join(hash(b"more"));
    fs::write(more, b"more").unwrap();
    let ran = run_in(folder.path(), "package build item new.resonitepackage");
    let note = "note: the record now lists the assets that are in the folder\n";
    assert_eq!(ran.end(), (0, note));
    let new = read(&folder.path().join("new.resonitepackage"));
    assert!(new.record().manifest().contains(&(hash(b"more"), 4)));
}

#[test]
fn entries_are_bounded() {
    let args = ["package", "verify", &lamp("lamp.resonitepackage"), "--max-output"];
    run(&[&args[..], &["100000"]].concat()).good();
    let ran = run(&[&args[..], &["100"]].concat());
    assert!(ran.code == 1 && ran.text().contains("more than max_output"), "{}", ran.text());
}

#[test]
fn a_package_is_not_packed_into_itself() {
    let folder = tempfile::tempdir().unwrap();
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["package", "extract", &package, "item"]).good();
    for output in ["item/new.resonitepackage", "item/Assets/../new.resonitepackage"] {
        let ran = run_in(folder.path(), &["package", "build", "item", output]);
        let text = format!("error: {output}: is in item, the folder that is packed\n");
        assert_eq!((ran.code, ran.stderr), (2, text));
    }
    assert_eq!(names(&folder.path().join("item")), ["Assets", "R-Main.record"]);
    // To standard output from anywhere.
    let item = folder.path().join("item");
    assert!(run_in(&item, "package build . -").good() == fs::read(&package).unwrap());
}

/// A save that needs no assets, as JSON.
fn plain_save() -> Vec<u8> {
    let json = run(&["decode", &lamp("lamp.brson")]).good();
    String::from_utf8(json).unwrap().replace("packdb:///", "https://example.com/").into_bytes()
}

#[test]
fn a_file_that_is_called_a_package_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let json = plain_save();
    fs::write(path("item.json"), &json).unwrap();
    let encode = ["encode", "item.json", "-f", "resonite-brson", "-o"];
    run_in(folder.path(), &[&encode[..], &["item.resonitepackage"]].concat()).good();
    run_in(folder.path(), "package verify item.resonitepackage").good();
    let again = run_in(folder.path(), "decode item.resonitepackage").good();
    assert!(again == json);

    run_in(folder.path(), &[&encode[..], &["item.7zbson"]].concat()).good();
    run_in(folder.path(), "convert item.7zbson second.RESONITEPACKAGE").good();
    let second = read(&path("second.RESONITEPACKAGE"));
    assert_eq!(second.main().unwrap(), fs::read(path("item.7zbson")).unwrap());
    let convert = ["convert", "item.7zbson", "third.resonitepackage", "--to-container", "lz4bson"];
    run_in(folder.path(), &convert).good();
    let third = read(&path("third.resonitepackage"));
    let body = third.open_main(&Options::new()).unwrap();
    assert_eq!(body.container().extension(), "lz4bson");
}

/// Another container of a package's save leaves its assets where they are.
#[test]
fn a_package_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["convert", &package, "same.resonitepackage"]).good();
    let same = fs::read(folder.path().join("same.resonitepackage")).unwrap();
    assert!(same == fs::read(&package).unwrap());
    let convert = ["convert", &package, "other.resonitepackage", "--to-container", "7zbson"];
    run_in(folder.path(), &convert).good();
    run_in(folder.path(), "package verify other.resonitepackage").good();
    let other = read(&folder.path().join("other.resonitepackage"));
    assert_eq!(other.object().unwrap(), lamp_package().object().unwrap());
    assert_eq!(other.assets().count(), lamp_package().assets().count());
}

#[test]
fn what_cannot_be_a_package_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let save = fs::read(samples().join("savegame.dat")).unwrap();
    fs::write(folder.path().join("savegame.dat"), save).unwrap();
    fs::write(folder.path().join("no-save.json"), "{\"a\": {\"$numberInt\": \"1\"}}").unwrap();
    fs::copy(lamp("lamp.brson"), folder.path().join("lamp.brson")).unwrap();
    run_in(folder.path(), "decode lamp.brson -o lamp.json").good();
    run_in(folder.path(), "decode savegame.dat -o savegame.json").good();
    let out = "out.resonitepackage";
    let mut said = String::new();
    for args in [
        &["convert", "lamp.brson", out][..],
        &["encode", "lamp.json", "-f", "resonite-brson", "-o", out],
        &["encode", "no-save.json", "-f", "resonite-brson", "-o", out],
        &["convert", "savegame.dat", out],
        &["convert", "lamp.brson", out, "--to", "json"],
        &["encode", "savegame.json", "-f", "godot-variant", "-o", out],
        &["decode", "lamp.brson", "-o", out],
    ] {
        let ran = run_in(folder.path(), args);
        assert_ne!(ran.code, 0, "{args:?}");
        said += &format!("$ gamewire {}\n{}(exit {})\n", args.join(" "), ran.stderr, ran.code);
    }
    insta::assert_snapshot!(said);
    assert!(!folder.path().join(out).exists());
    // To standard output goes what was asked for.
    let bson = ["encode", "-", "-f", "resonite-brson", "--container", "bson"];
    assert!(feed(&bson, b"{\"a\": 1}").good().starts_with(b"\x0c\0\0\0"));
}

#[test]
fn a_package_lacks_no_asset_that_its_save_needs() {
    let folder = tempfile::tempdir().unwrap();
    let package = lamp("lamp.resonitepackage");
    run_in(folder.path(), &["package", "extract", &package, "item"]).good();
    run_in(folder.path(), "convert item/Assets/SAVE save.brson");
    let assets = folder.path().join("item/Assets");
    let main = fs::read_dir(&assets).unwrap().map(|own| own.unwrap().path());
    let (mut save, mut pictures) = (None, Vec::new());
    for path in main {
        let shown = run(&["detect", path.to_str().unwrap()]);
        if shown.text().contains("resonite") { save = Some(path) } else { pictures.push(path) }
    }
    let save = save.unwrap();
    let save = save.to_str().unwrap();
    let ran = run_in(folder.path(), &["package", "build", save, "new.resonitepackage"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the save needs") && ran.stderr.contains("--asset"),
        "{}",
        ran.stderr
    );
    assert!(!folder.path().join("new.resonitepackage").exists());
    let mut line = vec!["package", "build", save, "new.resonitepackage"];
    for own in &pictures {
        line.extend(["--asset", own.to_str().unwrap()]);
    }
    run_in(folder.path(), &line).good();
    assert_eq!(run_in(folder.path(), "package verify new.resonitepackage").code, 0);
    run_in(folder.path(), &["package", "build", save, "less.resonitepackage", "--incomplete"])
        .good();
    // The same of a folder.
    fs::remove_file(&pictures[0]).unwrap();
    let ran = run_in(folder.path(), "package build item item.resonitepackage");
    assert!(ran.code == 1 && ran.stderr.contains("the save needs"), "{}", ran.stderr);
}

#[test]
fn an_archive_keeps_its_version_and_flags() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/a.txt"), "text").unwrap();
    let list = |name: &str| {
        let ran = run_in(folder.path(), &["package", "list", name]);
        ran.text().lines().next().unwrap().to_owned()
    };
    for (options, shown) in [
        ("--flags 1", "version 2, flags 0x1, 1 entry"),
        ("--archive-version 1", "version 1, 1 entry"),
        ("--flags 0x80 --archive-version 2", "version 2, flags 0x80, 1 entry"),
        ("", "version 2, flags 0x0, 1 entry"),
    ] {
        run_in(folder.path(), format!("package build in one.wad {options}").as_str()).good();
        assert_eq!(list("one.wad"), shown);
        run_in(folder.path(), "package extract one.wad out");
        let made = run_in(folder.path(), "package build out two.wad");
        assert_eq!(made.end(), (0, ""));
        assert_eq!(
            fs::read(folder.path().join("one.wad")).unwrap(),
            fs::read(folder.path().join("two.wad")).unwrap()
        );
        // What an archive says of itself gives way to the options.
        run_in(folder.path(), "package build out three.wad --flags 3 --archive-version 2").good();
        assert_eq!(list("three.wad"), "version 2, flags 0x3, 1 entry");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    let ran = run_in(folder.path(), "package build in x.resonitepackage --flags 1");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

/// Two thousand entries in three folders are safe by three calls, and not by four thousand.
#[test]
#[cfg(target_os = "linux")]
fn folders_are_synced_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (index, name) in ["in", "in/a", "in/b"].into_iter().enumerate() {
        fs::create_dir(path(name)).unwrap();
        for file in 0..30 {
            fs::write(path(&format!("{name}/{index}-{file}.txt")), "text").unwrap();
        }
    }
    run_in(folder.path(), "package build in all.wad").good();
    let mut trace = std::process::Command::new("strace");
    trace.args(["-f", "-qq", "-e", "trace=fsync,fdatasync,syncfs", "-o", "trace"]);
    trace
        .args([crate::run::TOOL, "package", "extract", "all.wad", "out"])
        .current_dir(folder.path());
    if !trace.output().is_ok_and(|ran| ran.status.success()) {
        return println!("SKIPPED: strace is not installed, or not allowed");
    }
    let calls = fs::read_to_string(path("trace")).unwrap();
    assert_eq!(calls.lines().filter(|line| line.contains("sync(")).count(), 3, "{calls}");
    assert_eq!(fs::read_dir(path("out/a")).unwrap().count(), 30);
}

/// What nothing points to goes, and nothing else.
#[test]
fn what_nothing_needs_is_stripped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.resonitepackage");
    let mut own = lamp_package();
    let unused = own.add_asset(b"nobody needs it".to_vec());
    let picture = own.set_thumbnail(b"the picture".to_vec());
    fs::write(&path, own.to_vec().unwrap()).unwrap();
    let ran = run_in(folder.path(), "package strip a.resonitepackage --dry-run");
    let what = format!(
        "{unused}  15\n1 file with 15 bytes, 0 components and 0 types that nothing needs\n"
    );
    assert_eq!((ran.code, String::from_utf8(ran.stdout).unwrap()), (0, what));
    assert_eq!(fs::read(&path).unwrap(), own.to_vec().unwrap());
    assert_eq!(run_in(folder.path(), "package strip a.resonitepackage").code, 0);
    let mut expected = entries(&own);
    expected.remove(&format!("Assets/{unused}")).unwrap();
    let stripped = read(&path);
    assert_eq!(entries(&stripped), expected);
    assert_eq!(stripped.asset(&picture), Some(&b"the picture"[..]));
    assert!(stripped.verify().is_empty());
    let ran = run_in(folder.path(), "package strip a.resonitepackage -o b.resonitepackage");
    assert!(ran.stderr.contains("0 files with 0 bytes"), "{}", ran.stderr);
    assert_eq!(fs::read(folder.path().join("b.resonitepackage")).unwrap(), fs::read(path).unwrap());
}

#[test]
fn an_asset_is_swapped_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.resonitepackage");
    fs::write(folder.path().join("new.webp"), b"RIFF\x04\0\0\0WEBP").unwrap();
    let new = hash(b"RIFF\x04\0\0\0WEBP");
    let old = lamp_package();
    let object = old.object().unwrap();
    let shown = object.urls().find_map(Package::hash_of).unwrap().to_owned();
    for name in [shown.as_str(), "Assets.StaticTexture2D.URL"] {
        fs::write(&path, old.to_vec().unwrap()).unwrap();
        let ran = run_in(
            folder.path(),
            format!("package replace a.resonitepackage {name}=new.webp").as_str(),
        );
        assert_eq!(ran.stderr, format!("note: asset {shown} is now {new}\n"), "{name}");
        let changed = read(&path);
        assert!(changed.verify().is_empty(), "{name}");
        assert_eq!(changed.asset(&shown), None);
        assert_eq!(changed.asset(&new), Some(&b"RIFF\x04\0\0\0WEBP"[..]));
        let urls: Vec<String> = object.urls().map(|url| url.replace(&shown, &new)).collect();
        assert!(changed.object().unwrap().urls().eq(urls.iter()));
    }
    for (line, code, why) in [
        (
            "Object.Name.Data=new.webp",
            1,
            "expected the address of an asset in the package, found Desk Lamp",
        ),
        ("**.ID=new.webp", 1, "values, expected one"),
        ("new.webp", 2, "expected a folder, or such as NAME=FILE"),
        ("--remove x", 2, "--remove is for archives; `strip` takes out of packages"),
    ] {
        let before = fs::read(&path).unwrap();
        let ran =
            run_in(folder.path(), format!("package replace a.resonitepackage {line}").as_str());
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{line}: {}", ran.stderr);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn the_record_is_read_and_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.resonitepackage");
    fs::write(&path, lamp_package().to_vec().unwrap()).unwrap();
    fs::write(folder.path().join("p.png"), b"picture").unwrap();
    let text = |line: &str| {
        String::from_utf8(run_in(folder.path(), format!("package record {line}").as_str()).good())
            .unwrap()
    };
    assert_eq!(text("get a.resonitepackage name"), "Desk Lamp\n");
    text("set a.resonitepackage name=Lamp tags=a,b thumbnail=p.png isPublic=true description=5");
    let own = read(&path);
    assert_eq!(own.record().name().as_deref(), Some("Lamp"));
    assert_eq!(own.record().tags(), ["a", "b"]);
    assert_eq!(own.record().get("isPublic"), Some("true"));
    let picture = hash(b"picture");
    assert_eq!(own.asset(&picture), Some(&b"picture"[..]));
    assert!(own.verify().is_empty());
    assert_eq!(
        text("get a.resonitepackage name tags thumbnail description"),
        format!("name=Lamp\ntags=[\"a\",\"b\"]\nthumbnail=packdb:///{picture}\ndescription=5\n")
    );
    assert!(text("get a.resonitepackage").starts_with("id=R-Main\n"));
    for (line, code, why) in [
        ("set a.resonitepackage assetUri=x", 1, "assetUri follows from what is in the package"),
        ("set a.resonitepackage isPublic=5", 1, "isPublic is true, and 5 is of another kind"),
        ("set a.resonitepackage nosuch=5", 1, "the record has no key nosuch"),
        ("set a.resonitepackage name", 2, "expected a key and a value, as in name=Lamp"),
        ("get a.resonitepackage nosuch", 1, "the record has no key nosuch"),
    ] {
        let ran = run_in(folder.path(), format!("package record {line}").as_str());
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{line}: {}", ran.stderr);
    }
    assert_eq!(entries(&read(&path)), entries(&own));
}

/// What nobody can load is no package unless it is asked for.
#[test]
fn what_nobody_can_load_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let file = lamp("lamp.brson");
    let save = |url: &str| {
        let set = format!("Assets.StaticTexture2D.URL={url}");
        run(&["set", &file, &set, "--kind", "string", "-o", path("a.brson").to_str().unwrap()])
            .good();
    };
    for (url, why) in [
        (
            "@local://a1b2c3/x.png",
            "the address \"local://a1b2c3/x.png\" is that of a file of one machine",
        ),
        (
            "@resdb://fail.webp",
            "the address \"resdb://fail.webp\" has not three slashes before its hash",
        ),
        ("@", "the address \"@\" has no `@` before it"),
    ] {
        save(url);
        let build = run_in(folder.path(), "package build a.brson a.resonitepackage");
        let text = format!("error: a.brson: nobody can load it: {why}\n");
        assert!(build.code == 1 && build.stderr.starts_with(&text), "{}", build.stderr);
        assert!(!path("a.resonitepackage").exists());
        run_in(folder.path(), "package build a.brson a.resonitepackage --incomplete").good();
        let verify = run_in(folder.path(), "package verify a.resonitepackage");
        assert!(
            verify.code == 1 && verify.text().contains(&format!("  error: {why}\n")),
            "{verify:?}"
        );
        fs::remove_file(path("a.resonitepackage")).unwrap();
    }
    // A folder whose save is empty.
    run_in(folder.path(), &["package", "extract", &lamp("lamp.resonitepackage"), "item"]).good();
    let main = lamp_package().main_hash().unwrap();
    fs::write(path(&format!("item/Assets/{main}")), b"").unwrap();
    let build = run_in(folder.path(), "package build item a.resonitepackage");
    assert!(build.code == 1 && build.stderr.contains("nobody can load it: asset "), "{build:?}");
    assert!(!path("a.resonitepackage").exists());
}
