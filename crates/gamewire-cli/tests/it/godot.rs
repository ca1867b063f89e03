//! Godot's files in wrappers, mixed files, its texts, and its neighbours.

use crate::run::{feed, run, sample};

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
    let wrong = feed("decode - --password sesame", &file);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("the key or password is wrong"), "{}", wrong.stderr);
    let no_key = feed("decode - --key sesame", &file);
    assert!(no_key.stderr.contains("64 hexadecimal digits"), "{}", no_key.stderr);
    for ran in [wrong, no_key] {
        assert!(!ran.stderr.contains("sesame") && !ran.text().contains("sesame"));
    }
    let detected = feed("detect -", &file);
    assert_eq!(detected.text(), "standard input: godot-variant, an encrypted file (GDEC)\n");
}

#[test]
fn wrappers_are_put_on_and_taken_off() {
    let plain = sample("savegame.dat");
    for wrapping in ["fastlz", "deflate", "zstd", "gzip", "encrypted", "encrypted-godot3"] {
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
    let named = [
        (&b"RSRC\0\0\0\0"[..], "a Godot resource (binary, RSRC), which ResourceLoader opens"),
        (b"RSCC\x02\0\0\0", "a Godot resource (binary and compressed, RSCC)"),
        (b"GDPC\x03\0\0\0", "a Godot pack of files (.pck, GDPC)"),
        (b"[gd_scene format=3]\n", "a Godot scene (text, .tscn)"),
        (b"[player]\n\nhp=5\n", "a Godot configuration (text, .cfg)"),
    ];
    for (file, name) in named {
        let detected = feed("detect -", file);
        assert_eq!(detected.code, 1);
        assert!(detected.text().contains(name), "{}", detected.text());
        let decoded = feed("decode - -f godot-variant", file);
        assert!(decoded.stderr.contains(name), "{}", decoded.stderr);
    }
}
