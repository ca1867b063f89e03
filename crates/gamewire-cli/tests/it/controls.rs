//! Characters that a terminal would obey, in values and in names of files: lines of text have them escaped wherever they
//! go, and JSON has escapes of its own.

use std::fs;
use std::process::Command;

use crate::run::{TOOL, command, run_in, sample, testdata};

/// Sets a title, rings, goes back, begins a sequence in one character, and turns the direction around.
const ODD: &str = "a\u{1b}]0;t\u{7}\u{8}\r\u{9b}31m\u{85}\u{7f}\u{202e}\u{2066}\u{200f}z";

/// The same as JSON escapes it all.
fn in_json() -> String {
    ODD.chars()
        .map(
            |c| {
                if c.is_ascii_alphanumeric() {
                    c.into()
                } else {
                    format!("\\u{:04x}", u32::from(c))
                }
            },
        )
        .collect()
}

/// Files of all formats with such values, keys and names.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: Vec<u8>| fs::write(folder.path().join(name), bytes).unwrap();
    let good = |line: &[&str]| String::from_utf8(run_in(folder.path(), line).good()).unwrap();
    let encoded = |name: &str, json: String, options: &[&str]| {
        put("odd.json", json.into_bytes());
        good(&[&["encode", "odd.json", "-o", name], options].concat());
    };
    let odd = in_json();
    let godot = format!(r#"{{"type":"Dictionary","args":["s:{odd}","s:{odd}","s:hp","i:1"]}}"#);
    encoded("odd.dat", godot, &["-f", "godot-variant"]);
    put("cut.dat", sample("savegame.dat")[..1500].to_vec());
    let lamp = fs::read_to_string(testdata("o3de-json/samples/Lamp.prefab")).unwrap();
    put("odd.prefab", lamp.replace("\"Lamp\"", &format!("\"{odd}\"")).into_bytes());
    put("lamp.brson", fs::read(testdata("resonite-brson/lamp.brson")).unwrap());
    encoded(
        "odd.brson",
        good(&["decode", "lamp.brson"]).replace("Bulb", &odd),
        &["-f", "resonite-brson"],
    );
    put("boss.xml", fs::read(testdata("kiwi-pclass/boss.xml")).unwrap());
    put("arena.json", fs::read(testdata("kiwi-pclass/vectors/types/arena.json")).unwrap());
    good(&["set", "boss.xml", "m_name", ODD, "--types", "arena.json"]);
    fs::create_dir_all(folder.path().join("entries/%1B]0;t%07")).unwrap();
    put("entries/%1B]0;t%07/%C2%9B%E2%80%AE.txt", b"text".to_vec());
    good(&["package", "build", "entries", "odd.wad"]);
    good(&["package", "build", "odd.brson", "odd.resonitepackage", "--incomplete"]);
    fs::write(
        folder.path().join("spawn.bin"),
        fs::read(testdata("zeze-serialize/frames.bin")).unwrap(),
    )
    .unwrap();
    // The same under such a name.
    for own in ["odd.dat", "odd.prefab", "cut.dat", "odd.wad"] {
        let odd = folder.path().join(format!("{ODD}.{}", own.rsplit('.').next().unwrap()));
        fs::copy(folder.path().join(own), odd).unwrap();
    }
    folder
}

/// Every command, over every file that it takes.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    let files = [
        "odd.dat",
        "odd.prefab",
        "odd.brson",
        "boss.xml",
        "odd.wad",
        "odd.resonitepackage",
        "cut.dat",
        "spawn.bin",
    ];
    let named =
        [format!("{ODD}.dat"), format!("{ODD}.prefab"), format!("{ODD}.wad"), ODD.to_owned()];
    for file in files.into_iter().chain(named.iter().map(String::as_str)) {
        for line in [
            "detect F",
            "detect F --json",
            "decode F",
            "decode F --plain",
            "decode F --compact",
            "explain F",
            "explain F --json",
            "explain F --html -",
            "check F",
            "check F --json",
            "check F --via-json",
            "diff F",
            "diff F lamp.brson",
            "diff F odd.dat",
            "diff odd.dat F --json",
            "diff F odd.prefab",
            "diff F a 0 0 cut.dat 0 0",
            "convert F - --to json",
            "convert F -",
            "get F *",
            "get F **.*",
            "get F * --json",
            "get F * --kinds",
            "get F ODD",
            "set F ODD=1 -o -",
            "set F hp=ODD -o -",
            "ins F ODD=1 -o -",
            "del F ODD -o -",
            "salvage F -o out.bin",
            "tree F",
            "tree F --json",
            "merge3 odd.dat F odd.dat -o -",
            "merge3 F odd.prefab F --conflicts json",
            "package list F",
            "package list F --json",
            "package extract F ODD --force",
            "package build F out.resonitepackage",
            "package replace F ODD=F -o out.wad",
            "package verify F",
            "slot ls F",
            "slot ls F --json",
            "slot rm F ODD -o out.brson",
            "slot extract F ODD -o out.brson",
            "slot insert F odd.brson --into ODD -o out.brson",
            "patch F odd.prefab",
            "merge F odd.prefab -o -",
            "resolve F",
            "lint F",
            "lint F --json",
            "graph F",
            "graph F --json",
            "graph F --dot",
            "refactor component ODD b F --dry-run",
            "refactor path a ODD F --dry-run --json",
            "types F",
            "gen pclass F -o -",
            "gen dml F -o -",
            "gen zeze F -o -",
            "encode F -f godot-variant",
            "encode F",
            "conformance F -- cat",
            "backup check F",
            "backup pack F out",
        ] {
            lines.push(line.replace("ODD", ODD).replace('F', file));
        }
    }
    let rest = [
        "check .",
        "detect .",
        "backup check .",
        "lint .",
        "graph .",
        "formats ODD",
        "ODD",
        "check . -f ODD",
        "git ODD",
        "completions ODD",
        "man ODD/ODD",
        "decode . --out-dir ODD",
        "check no-ODD",
        "--ODD",
    ];
    lines.extend(rest.map(|line| line.replace("ODD", ODD)));
    lines
}

/// What a terminal would obey, but for lines, columns and the colours of the tool.
fn obeyed(shown: &str) -> Option<char> {
    let mut rest = shown;
    while let Some(at) = rest.find(|c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    }) {
        let after = rest[at..].strip_prefix("\u{1b}[").and_then(|after| after.split_once('m'));
        match after {
            Some((code, after)) if code.bytes().all(|b| b.is_ascii_digit() || b == b';') => rest = after,
            _ => return rest[at..].chars().next(),
        }
    }
    None
}

#[test]
fn no_command_lets_a_terminal_obey_what_is_in_files() {
    let (folder, mut seen) = (folder(), 0);
    for line in lines() {
        // Names and values have no blanks.
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = command(&words);
        let output =
            command.current_dir(folder.path()).env("CLICOLOR_FORCE", "1").output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{line:?}: {output:?}");
        for stream in [&output.stdout, &output.stderr] {
            // What is not text goes to no terminal.
            let shown = String::from_utf8_lossy(stream);
            assert_eq!(obeyed(&shown), None, "{line:?}: {shown:?}");
            seen += usize::from(shown.contains("\\u{1b}") || shown.contains("\\u001b"));
        }
    }
    assert!(seen > 150, "only {seen} outputs had any of it");
}

#[test]
fn a_pipe_gets_values_as_they_are_where_it_says_so() {
    let folder = folder();
    let get = |args: &[&str]| run_in(folder.path(), &[&["get"], args].concat());
    let path = format!("[{:?}]", ODD);
    assert_eq!(get(&["odd.dat", "*"]).text().split_once('=').unwrap().0, path);
    let shown = get(&["odd.dat", &path]).text().to_owned();
    assert_eq!((obeyed(&shown), shown.starts_with("a\\u{1b}]0;t")), (None, true), "{shown}");
    assert_eq!(get(&["-z", "odd.dat", &path]).text(), format!("{ODD}\0"));
    assert_eq!(get(&["-z", "odd.dat", &path, "hp"]).text(), format!("{ODD}\01\0"));
    // A program gives it back whole.
    let before = fs::read(folder.path().join("odd.dat")).unwrap();
    let value = get(&["-z", "odd.dat", &path]).text().trim_end_matches('\0').to_owned();
    run_in(folder.path(), &["set", "odd.dat", "hp=2"]).good();
    run_in(folder.path(), &["set", "odd.dat", &format!("{path}={value}"), "hp=1"]).good();
    assert_eq!(fs::read(folder.path().join("odd.dat")).unwrap(), before);
    let name = format!("{ODD}.dat");
    for line in ["detect", "check"] {
        let ran = run_in(folder.path(), &[line, &name]);
        assert_eq!(obeyed(ran.text()), None, "{line}: {}", ran.text());
        let json = run_in(folder.path(), &[line, &name, "--json"]);
        let json: serde_json::Value = json.text().parse().unwrap();
        assert_eq!(json[0]["file"], name, "{line}");
    }
}

/// Whatever it goes to: what a program reads is the same, and a person may look at it.
#[test]
fn json_has_escapes_and_loses_nothing() {
    let folder = folder();
    let path = format!("[{:?}]", ODD);
    for args in [
        &["get", "odd.dat", "*", "--json"][..],
        &["decode", "odd.dat", "--plain"],
        &["decode", "odd.dat"],
    ] {
        let ran = run_in(folder.path(), args);
        assert_eq!(obeyed(ran.text()), None, "{args:?}");
        let json: serde_json::Value = ran.text().parse().unwrap();
        assert!(
            [&json[ODD], &json[&path], &json["args"][1]]
                .into_iter()
                .any(|own| { own.as_str().is_some_and(|own| own.trim_start_matches("s:") == ODD) }),
            "{json}"
        );
    }
    run_in(folder.path(), "decode odd.dat -o again.json").good();
    run_in(folder.path(), "encode again.json -f godot-variant -o again.dat").good();
    assert!(run_in(folder.path(), "diff again.dat odd.dat").good().is_empty());
}

/// On a terminal itself, with and without colours and a pager.
#[test]
#[cfg(unix)]
fn terminals_see_escapes() {
    if !crate::pager::has_terminal() {
        return;
    }
    let folder = folder();
    let shown = |line: &str| {
        let mut script = Command::new("script");
        script.args(["-qec", line, "/dev/null"]).current_dir(folder.path()).env("GW", TOOL);
        let output = script.env("TERM", "xterm").env("PAGER", "cat -").output().unwrap();
        String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
    };
    for line in [
        "get odd.dat '*'",
        "diff odd.dat",
        "explain odd.dat",
        "tree odd.brson",
        "get odd.dat hp=\u{9b}",
    ] {
        for before in ["", "NO_COLOR=1 ", "GAMEWIRE_PAGER= "] {
            let text = shown(&format!("{before}\"$GW\" {line}"));
            assert_eq!(obeyed(&text), None, "{before}{line}: {text:?}");
            assert!(text.contains("\\u{"), "{before}{line}: {text:?}");
        }
    }
}
