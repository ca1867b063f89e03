//! Files that are made to cost much, and names that are made to be obeyed.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use gamewire_testkit::hostile::foreign;
use kiwi_pclass::archive::{Builder, Content};

use crate::files::names;
use crate::run::{TOOL, command, run_in, run_within, sample, testdata};

/// The header of a picture and zeros; of other common files, and of none.
#[test]
fn foreign_files_are_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let bmp = fs::read(testdata("godot-variant/foreign/bmp_header_zeros_1000.bin")).unwrap();
    fs::write(folder.path().join("Splash.bmp"), bmp).unwrap();
    for (at, case) in foreign(1 << 20).into_iter().enumerate() {
        fs::write(folder.path().join(format!("{at}.bin")), case.bytes).unwrap();
    }
    let ran = run_within(30, folder.path(), "check .");
    assert!(ran.stderr.contains("there is no file of a known format"), "{}", ran.stderr);
}

/// Lines come while the rest is checked: with a pipe for the next file, the first is told already.
#[test]
#[cfg(unix)]
fn a_folder_is_told_as_it_is_checked() {
    use std::io::{BufRead as _, BufReader};
    let folder = tempfile::tempdir().unwrap();
    // Their lines are more than a pipe holds: the last file is read after the first lines are.
    let name = |at: usize| format!("{at:04}{}.save", "-".repeat(200));
    for at in 0..500 {
        fs::write(folder.path().join(name(at)), sample("savegame.dat")).unwrap();
    }
    let mut child = command("check .")
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), format!("identical   ./{}", name(0)));
    fs::write(folder.path().join(name(499)), b"GCPF").unwrap();
    assert_eq!(
        lines.last().unwrap(),
        "500 files: 499 identical, 0 equivalent, 0 differs, 1 refused"
    );
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// Two hundred names for one megabyte.
#[test]
fn entries_that_share_their_data_are_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new();
    let zeros = Content::compressed(&vec![0; 1 << 20]).unwrap();
    for at in 0..200 {
        builder.insert_content(&format!("e{at:03}"), zeros.clone()).unwrap();
    }
    let bytes = builder.to_vec().unwrap();
    // All records have the place of the first.
    let table = bytes.windows(4).position(|own| own == b"e000").unwrap() - 21;
    let end = bytes.windows(4).rposition(|own| own == b"e199").unwrap() + 5;
    let one = (end - table) / 200;
    let first = bytes[table..table + 17].to_vec();
    let mut table_bytes = bytes[table..end].to_vec();
    table_bytes.chunks_mut(one).for_each(|record| record[..17].copy_from_slice(&first));
    let start = u32::from_le_bytes(*first.first_chunk().unwrap()) as usize;
    let len = u32::from_le_bytes(*first[8..].first_chunk().unwrap()) as usize;
    let made = [&bytes[..table], &table_bytes, &bytes[end..start + len]].concat();
    assert!(made.len() < 8000, "{}", made.len());
    fs::write(folder.path().join("o200.wad"), made).unwrap();
    for line in [
        "check o200.wad",
        "decode o200.wad ** --out-dir out",
        "package verify o200.wad",
        "package extract o200.wad files",
        "package extract o200.wad files2 e100",
    ] {
        let ran = run_within(10, folder.path(), line);
        assert_eq!(ran.code, 1, "{line}: {}{}", ran.text(), ran.stderr);
        let said = format!("{}{}", ran.text(), ran.stderr);
        assert!(said.contains("inside of e0"), "{line}: {said}");
    }
    let count = |name: &str| fs::read_dir(folder.path().join(name)).map_or(0, Iterator::count);
    let left = count("files") + count("files2");
    assert!(left <= 2, "{left}");
}

/// A name is a part of one line, and no page that shows logs obeys it.
#[test]
#[cfg(unix)]
fn names_are_escaped_in_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "x.sav\nrefused     real.sav",
        "\u{1b}[31m.sav",
        "::error::y.sav",
        "a\u{200b}\u{2028}.sav",
    ];
    for name in names {
        fs::write(folder.path().join(name), sample("savegame.dat")).unwrap();
    }
    let ran = run_in(folder.path(), "check .");
    assert_eq!(ran.text().lines().count(), 5, "{}", ran.text());
    for shown in
        ["./x.sav\\nrefused     real.sav", "./\\u{1b}[31m.sav", "./a\\u{200b}\\u{2028}.sav"]
    {
        assert!(
            ran.text().contains(&format!("identical   {shown}\n")),
            "{shown} in {}",
            ran.text()
        );
    }
    let ran = run_in(folder.path(), &[&["detect"], &names[..]].concat());
    assert_eq!(ran.text().lines().count(), 4, "{}", ran.text());
    assert!(ran.text().lines().all(|line| !line.starts_with("::")), "{}", ran.text());
    // Programs get the names as they are.
    let all: serde_json::Value = serde_json::from_slice(
        &run_in(folder.path(), &[&["check", "--json"], &names[..]].concat()).stdout,
    )
    .unwrap();
    let own: Vec<&str> =
        all.as_array().unwrap().iter().map(|own| own["file"].as_str().unwrap()).collect();
    assert_eq!(own, names);
    let ran = run_in(folder.path(), &["get", "no\nerror: such", "a"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

/// What a killed run left is removed by the next one in that folder, and is no input of any.
#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in [".gamewire-aB3dE9.tmp", ".gamewire-long-name.tmp"] {
        fs::write(path(name), sample("savegame.dat")).unwrap();
    }
    fs::create_dir(path(".gamewire-folder.tmp")).unwrap();
    fs::write(path("a.dat"), sample("savegame.dat")).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(7200);
    fs::File::open(path(".gamewire-aB3dE9.tmp")).unwrap().set_modified(old).unwrap();
    let ran = run_in(folder.path(), "check . --quiet");
    assert_eq!(
        ran.text(),
        "2 files: 2 identical, 0 equivalent, 0 differs, 0 refused; skipped: 1 temporary file\n"
    );
    let ran = run_in(folder.path(), "set a.dat player.hp=1");
    let note = "note: .gamewire-aB3dE9.tmp: left by a run of gamewire that was killed, removed\n";
    assert_eq!(ran.stderr.replace("./", ""), note);
    let left = names(folder.path());
    assert!(!left.iter().any(|own| own.contains("aB3dE9")), "{left:?}");
    assert!(left.iter().any(|own| own.contains("long-name")), "{left:?}");
    assert_eq!(run_in(folder.path(), "set a.dat player.hp=2").stderr, "");
}

/// Whoever closes the terminal, or ends the run, leaves no file behind; who started it so that it outlives the
/// terminal has it done.
#[test]
#[cfg(target_os = "linux")]
fn signals_leave_nothing() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = tempfile::tempdir().unwrap();
    let archive = |count: usize| {
        let mut builder = Builder::new();
        for at in 0..count {
            let content = Content::stored(vec![b'x'; 256]).unwrap();
            builder.insert_content(&format!("e{at:05}.txt"), content).unwrap();
        }
        builder.to_vec().unwrap()
    };
    let (many, few) = (archive(20_000), archive(2_000));
    // Of a shell's job in the background, SIGINT.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
    for (number, before) in [(1, ""), (2, ""), (15, ""), (1, "trap '' HUP; ")] {
        let is_ignored = !before.is_empty() || ignored >> (number - 1) & 1 == 1;
        let place = folder.path().join(format!("{number}{}", before.len()));
        fs::create_dir(&place).unwrap();
        fs::write(place.join("a.wad"), if is_ignored { &few } else { &many }).unwrap();
        let script = format!("{before}exec '{TOOL}' package extract a.wad out");
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&place)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // While it writes.
        let start = Instant::now();
        while fs::read_dir(place.join("out")).map_or(0, Iterator::count) < 20 {
            assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = [format!("-{number}"), child.id().to_string()];
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        let status = child.wait().unwrap();
        let left = names(&place.join("out"));
        match is_ignored {
            false => assert_eq!((status.signal(), left.len() < 20_000), (Some(number), true)),
            true => assert_eq!((status.code(), left.len()), (Some(0), 2_000)),
        }
        assert!(!left.iter().any(|own| own.starts_with(".gamewire-")), "{left:?}");
    }
}

/// `refactor`, killed when some files have their new content: the next run below gives it to the others.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_refactor_is_ended_by_the_next_run() {
    let text = |name: &str| {
        let component = format!(r#"{{"$type": "{name}", "Id": 1}}"#);
        format!(
            r#"{{"ContainerEntity": {{"Id": "E", "Name": "L", "Components": {{"C": {component}}}}}}}"#
        )
    };
    for attempt in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let path = |index: usize| folder.path().join(format!("{}/{index}.prefab", index % 3));
        (0..3).for_each(|own| fs::create_dir(folder.path().join(own.to_string())).unwrap());
        (0..300).for_each(|own| fs::write(path(own), text("A")).unwrap());
        let has = |name: &str| {
            (0..300).filter(|own| fs::read_to_string(path(*own)).unwrap() == text(name)).count()
        };
        let mut child =
            command("refactor component A B").current_dir(folder.path()).spawn().unwrap();
        let first = fs::canonicalize(path(0)).unwrap();
        while fs::read_to_string(&first).unwrap() == text("A") {
            assert_eq!(child.try_wait().unwrap(), None, "nothing has changed");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if has("B") == 300 {
            assert!(attempt < 50, "the run was never killed between two files");
            continue;
        }
        let ran =
            run_in(&folder.path().join("2"), "set 2.prefab /ContainerEntity/Name=M -o new.prefab");
        assert!(
            ran.stderr.contains("that a killed run of gamewire began, ended with the last"),
            "{}",
            ran.stderr
        );
        assert_eq!(has("B"), 300);
        let left: Vec<String> =
            (0..3).flat_map(|own| names(&folder.path().join(own.to_string()))).collect();
        assert_eq!((left.len(), names(folder.path()).len()), (301, 3));
        break;
    }
}
