//! Godot's files in wrappers, mixed files, its texts, and its neighbours.

use std::fs;

use crate::run::{feed, run, run_in, sample};

/// The files of the rows of one kind, each with its password or key as options.
fn wrapped(kind: &str) -> Vec<(Vec<u8>, Vec<String>)> {
    let rows = String::from_utf8(sample("vectors/wrapped.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.filter(|row| row["kind"] == kind)
        .map(|row| {
            let digits = row["hex"].as_str().unwrap();
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            let option = |name: &str| {
                let value = row[name].as_str()?;
                Some([format!("--{name}"), value.to_owned()])
            };
            let mut options: Vec<String> =
                option("password").or_else(|| option("key")).into_iter().flatten().collect();
            if row["engine"] == "3.6.2" {
                options.extend(["--dialect".to_owned(), "godot3".to_owned()]);
            }
            ((0..digits.len()).step_by(2).map(byte).collect(), options)
        })
        .collect()
}

fn with<'a>(words: &[&'a str], options: &'a [String]) -> Vec<&'a str> {
    words.iter().copied().chain(options.iter().map(String::as_str)).collect()
}

#[test]
fn files_in_wrappers_are_read_and_written_again() {
    for kind in ["compressed", "encrypted"] {
        let files = wrapped(kind);
        assert!(files.len() > 20);
        for (file, options) in files {
            let decode = with(&["decode", "-", "-f", "godot-variant", "--wrap"], &options);
            let json = feed(&decode, &file).good();
            let encode = with(&["encode", "-", "-f", "godot-variant"], &options);
            let again = feed(&encode, &json).good();
            assert_eq!(again[..4], file[..4]);
            assert_eq!(feed(&decode, &again).good(), json);
            let check = feed(&with(&["check", "-", "-f", "godot-variant"], &options), &file);
            assert_eq!(check.code, 0, "{check:?}");
        }
    }
}

#[test]
fn keys_are_asked_for_and_never_shown() {
    let (file, options) = wrapped("encrypted").remove(0);
    assert_eq!(options[0], "--password");
    let none = feed("decode -", &file);
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("--password TEXT or --key HEX opens it"), "{}", none.stderr);
    let detected = feed("detect -", &file);
    assert_eq!(detected.text(), "standard input: godot-variant, an encrypted file (GDEC)\n");
    let wrong = feed("decode - --password sesame", &file);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("the key or password is wrong"), "{}", wrong.stderr);
    let no_key = feed("decode - --key sesame", &file);
    assert!(no_key.stderr.contains("64 hexadecimal digits"), "{}", no_key.stderr);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.sav"), &file).unwrap();
    let key = "5e".repeat(32);
    for secret in [&["--password", "sesame"], &["--key", "sesame"], &["--key", key.as_str()]] {
        for line in [
            "decode a.sav",
            "decode a.sav --plain",
            "get a.sav (root)",
            "get a.sav (root) --json",
            "set a.sav x 1",
            "ins a.sav x=1",
            "del a.sav x",
            "explain a.sav",
            "explain a.sav --json",
            "check a.sav",
            "check a.sav --json",
            "diff a.sav a.sav",
            "diff a.sav a.sav --json",
            "tree a.sav",
            "convert a.sav b.sav",
            "salvage a.sav -o c.sav",
        ] {
            let words: Vec<&str> = line.split(' ').chain(secret.iter().copied()).collect();
            let ran = run_in(folder.path(), &words);
            assert_eq!(ran.code, 1, "{line}: {ran:?}");
            assert!(!ran.stderr.contains(secret[1]) && !ran.text().contains(secret[1]), "{ran:?}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // Nor where it is the right one: what is written has no trace of it, either.
    let options = with(&["decode", "-", "--wrap"], &options);
    let right = feed(&options, &file);
    assert!(right.code == 0 && right.stderr.is_empty());
    assert!(!right.text().contains(options[4]), "{}", right.text());
}

/// What is done to a save in a wrapper is what is done to the same save without.
#[test]
fn saves_in_wrappers_are_edited() {
    for wrapping in WRAPPINGS {
        let folder = tempfile::tempdir().unwrap();
        let run = |words: &[&str]| run_in(folder.path(), &[words, &["--password", "a b"]].concat());
        fs::write(folder.path().join("plain.dat"), sample("savegame.dat")).unwrap();
        run(&["convert", "plain.dat", "save.dat", "--to-wrapping", wrapping]).good();
        let magic = fs::read(folder.path().join("save.dat")).unwrap()[..4].to_vec();
        assert!(matches!(magic.as_slice(), b"GCPF" | b"GDEC"));
        let before = fs::read(folder.path().join("save.dat")).unwrap();
        for file in ["plain.dat", "save.dat"] {
            assert_eq!(run(&["get", file, "player.hp"]).text(), "97.5\n");
            run(&["set", file, "player.hp", "100"]).good();
            run(&["ins", file, "player.inventory.axe=1"]).good();
            run(&["del", file, "crops[1]"]).good();
            assert_eq!(run(&["get", file, "player.hp"]).text(), "100.0\n");
        }
        let after = fs::read(folder.path().join("save.dat")).unwrap();
        assert!(after.starts_with(&magic) && after != before);
        assert_eq!(run(&["diff", "plain.dat", "save.dat"]).good(), b"");
        let explained = run(&["explain", "save.dat"]).good();
        let explained = String::from_utf8(explained).unwrap();
        assert!(explained.contains("length of the frame"), "{explained}");
        let space = if wrapping.starts_with("encrypted") { "decrypted" } else { "unpacked" };
        assert!(explained.contains(space) && explained.contains("magic"), "{explained}");
        let check = run(&["check", "save.dat"]);
        assert!(check.text().starts_with("identical   save.dat\n"), "{wrapping}: {check:?}");
        run(&["convert", "save.dat", "back.dat", "--to-wrapping", "none"]).good();
        let file = |name: &str| fs::read(folder.path().join(name)).unwrap();
        assert!(file("back.dat") == file("plain.dat"), "{wrapping}");
    }
}

const WRAPPINGS: [&str; 6] = ["fastlz", "deflate", "zstd", "gzip", "encrypted", "encrypted-godot3"];

/// Padding that is not zero, which the engine ignores, stays when something else changes: inside of a
/// wrapper, and after an offset.
#[test]
fn odd_bytes_in_wrappers_stay() {
    let odd = [12, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'x', 7, 8, 9];
    let number = |value: u8| [8, 0, 0, 0, 2, 0, 0, 0, value, 0, 0, 0];
    let (old, new) = ([&odd[..], &number(5)].concat(), [&odd[..], &number(6)].concat());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sav");
    let key = ["--key", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"];
    let run = |words: &[&str]| run_in(folder.path(), &[words, &key].concat()).good();
    // `convert` writes what the engine would: the wrapper is put around the bytes by the crate.
    use gamewire::godot_variant::wrapped::{Compressed, Compression, Encrypted, Key, Opener};
    let key = Key::from_hex(key[1]).unwrap();
    let files = [
        Compressed::new(Compression::Zstd).to_vec(&old).unwrap(),
        Encrypted::new(key.clone()).to_vec(&old).unwrap(),
    ];
    for file in files {
        fs::write(&path, &file).unwrap();
        run(&["set", "a.sav", "[1]=5"]);
        assert_eq!(fs::read(&path).unwrap(), file);
        run(&["set", "a.sav", "[1]=6"]);
        let opener = Opener::new().key(key.clone());
        assert_eq!(opener.open(&fs::read(&path).unwrap()).unwrap().plain, new);
    }
    fs::write(&path, [b"HEAD".as_slice(), &old].concat()).unwrap();
    run(&["set", "a.sav", "[1]=6", "--offset", "4"]);
    assert_eq!(fs::read(&path).unwrap(), [b"HEAD".as_slice(), &new].concat());
}

#[test]
fn damaged_wrappers_give_what_is_in_them() {
    for wrapping in WRAPPINGS {
        let folder = tempfile::tempdir().unwrap();
        let run = |words: &[&str]| run_in(folder.path(), &[words, &["--password", "a b"]].concat());
        fs::write(folder.path().join("plain.dat"), sample("savegame.dat")).unwrap();
        run(&["convert", "plain.dat", "save.dat", "--to-wrapping", wrapping]).good();
        let whole = fs::read(folder.path().join("save.dat")).unwrap();
        let salvaged = run(&["salvage", "save.dat", "-o", "out.dat"]);
        assert_eq!(salvaged.end(), (0, "note: save.dat: nothing is lost\n"));
        assert_eq!(run(&["diff", "save.dat", "out.dat"]).end(), (0, ""));
        let mut flipped = whole.clone();
        flipped[whole.len() * 9 / 10] ^= 0x55;
        // FastLZ and the engine's Zstandard have no check sums.
        let is_told = !["fastlz", "zstd"].contains(&wrapping);
        for (damaged, is_told) in [(&whole[..whole.len() * 9 / 10], true), (&flipped, is_told)] {
            fs::write(folder.path().join("cut.dat"), damaged).unwrap();
            let ran = run(&["salvage", "cut.dat", "-o", "out.dat"]);
            if is_told {
                assert_eq!(ran.code, 1, "{wrapping}: {ran:?}");
                assert!(ran.stderr.starts_with("note: cut.dat: lost: "), "{wrapping}: {ran:?}");
            }
            assert_eq!(run(&["get", "out.dat", "player.hp"]).text(), "97.5\n");
            assert_eq!(run(&["check", "out.dat"]).code, 0);
            let magic = fs::read(folder.path().join("out.dat")).unwrap()[..4].to_vec();
            assert_eq!(magic, whole[..4]);
        }
        if wrapping.starts_with("encrypted") {
            let wrong = run_in(folder.path(), "salvage save.dat -o none.dat --password ab");
            assert_eq!(wrong.code, 1);
            assert!(wrong.stderr.contains("the key or password is wrong"), "{}", wrong.stderr);
            assert!(!folder.path().join("none.dat").exists());
        }
    }
}

#[test]
fn wrappers_are_put_on_and_taken_off() {
    let plain = sample("savegame.dat");
    for wrapping in WRAPPINGS {
        let options = ["--password", "a b"];
        let convert = ["convert", "savegame.dat", "-", "-f", "godot-variant", "--to-wrapping"];
        let file = run(&[&convert[..], &[wrapping], &options].concat()).good();
        assert_ne!(file, plain);
        let back = ["convert", "-", "-", "-f", "godot-variant", "--to-wrapping", "none"];
        assert!(feed(&[&back[..], &options].concat(), &file).good() == plain, "{wrapping}");
    }
}

/// store_32, store_pascal_string, store_var, store_32, store_var.
fn mixed() -> Vec<u8> {
    let frame = [12, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'x', 0, 0, 0];
    let mut file = vec![7, 0, 0, 0, 4, 0, 0, 0];
    file.extend_from_slice(b"save");
    file.extend_from_slice(&frame);
    file.extend_from_slice(&[255, 255, 255, 255]);
    file.extend_from_slice(&frame);
    file
}

#[test]
fn what_stands_between_values_is_shown_and_kept() {
    let file = mixed();
    let args = ["-", "-f", "godot-variant", "--framing", "mixed"];
    let json = feed(&[&["decode"][..], &args].concat(), &file).good();
    let shown: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(shown["values"], serde_json::json!(["s:x", "s:x"]));
    assert_eq!(
        shown["between"],
        serde_json::json!([
            {"before": 0, "number": 7}, {"before": 0, "text": "save"},
            {"before": 1, "number": 4_294_967_295_u32}
        ])
    );
    assert_eq!(feed("encode - -f godot-variant", &json).good(), file);
    let explained = feed(&[&["explain"][..], &args].concat(), &file);
    for part in ["between values", "\"save\"", "4294967295", "length of the frame"] {
        assert!(explained.text().contains(part), "{}", explained.text());
    }
    // From an offset on.
    let json = feed("decode - --offset 12", &file[..28]).good();
    let shown: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(shown["values"], serde_json::json!(["s:x"]));
    assert_eq!(feed("encode - -f godot-variant", &json).good(), file[..28]);
    assert_eq!(feed("decode - --offset 99", &file).code, 1);
}

#[test]
fn texts_are_read_and_made() {
    let plain = sample("savegame.dat");
    for framing in ["base64", "json", "text"] {
        let convert = ["convert", "savegame.dat", "-", "-f", "godot-variant", "--to-framing"];
        let text = run(&[&convert[..], &[framing]].concat()).good();
        if framing != "text" {
            let detected = feed("detect -", &text);
            assert_eq!(detected.text(), format!("standard input: godot-variant, {framing}\n"));
        }
        let back = ["convert", "-", "-", "-f", "godot-variant", "--to-framing", "store-var"];
        let read = if framing == "text" { &["--framing", "text"][..] } else { &[] };
        let back = feed(&[&back[..], read].concat(), &text).good();
        // The text is sorted by key, and has other floats.
        assert_eq!(back == plain, framing != "text", "{framing}");
        assert_eq!(back[4..12], plain[4..12]);
    }
}

#[test]
fn neighbours_are_named() {
    let named = [(&b"GDPC\x03\0\0\0"[..], "a Godot pack of files (.pck, GDPC)")];
    for (file, name) in named {
        let detected = feed("detect -", file);
        assert_eq!(detected.code, 1);
        assert!(detected.text().contains(name), "{}", detected.text());
        for line in ["decode -", "get - x", "salvage - -o none", "decode - -f godot-variant"] {
            let ran = feed(line, file);
            assert_eq!(ran.code, 1);
            assert!(ran.stderr.contains(name), "{line}: {}", ran.stderr);
        }
        let checked = feed("check -", file);
        assert!(checked.text().contains(name), "{}", checked.text());
    }
}
