//! Files that are read and written: whatever happens, the old file or the new one is there whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Line, Ran, TOOL, command, feed, run_in, sample};
use gamewire_testkit::vectors::same_bytes;

/// What was in a file before.
const OLD: &[u8] = b"an old file that somebody needs";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["savegame.dat", "project.binary"] {
        fs::write(folder.path().join(name), sample(name)).unwrap();
    }
    folder
}

/// The names in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_name_without_a_folder_is_in_the_present_one() {
    let folder = folder();
    run_in(folder.path(), "decode savegame.dat -o out.json").good();
    let json = fs::read(folder.path().join("out.json")).unwrap();
    assert_eq!(json, run_in(folder.path(), "decode savegame.dat").good());
    assert_eq!(names(folder.path()), ["out.json", "project.binary", "savegame.dat"]);
}

#[test]
fn a_folder_that_does_not_exist_is_said() {
    let folder = folder();
    let ran = run_in(folder.path(), "decode savegame.dat -o no/such/out.json");
    let text = "error: no/such/out.json: the folder no/such does not exist\n";
    assert_eq!(ran.end(), (2, text));
    let ran = run_in(folder.path(), "decode savegame.dat -o .");
    assert_eq!(ran.end(), (2, "error: .: is a folder\n"));
}

/// Bad data is found while the JSON is written, too.
#[test]
fn bad_data_leaves_the_old_file() {
    let folder = folder();
    let out = folder.path().join("out");
    fs::write(&out, OLD).unwrap();
    for args in [
        &["decode", "cut", "-o", "out", "-f", "godot-variant"][..],
        &["convert", "cut", "out", "-f", "godot-variant"],
        &["encode", "cut", "-f", "godot-variant", "-o", "out"],
    ] {
        fs::write(folder.path().join("cut"), &sample("savegame.dat")[..1000]).unwrap();
        assert_eq!(run_in(folder.path(), args).code, 1);
        assert_eq!(fs::read(&out).unwrap(), OLD);
    }
    assert_eq!(names(folder.path()), ["cut", "out", "project.binary", "savegame.dat"]);
}

/// Everything is read before anything is written.
#[test]
fn a_file_can_be_its_own_target() {
    let folder = folder();
    let save = folder.path().join("savegame.dat");
    let convert = ["convert", "savegame.dat", "savegame.dat", "--to-framing", "bare"];
    run_in(folder.path(), &convert).good();
    assert_eq!(fs::read(&save).unwrap(), sample("savegame.dat")[4..]);
    let back = ["convert", "savegame.dat", "savegame.dat", "--to-framing", "store-var"];
    run_in(folder.path(), &back).good();
    assert_eq!(fs::read(&save).unwrap(), sample("savegame.dat"));
    fs::write(folder.path().join("a.setreg"), "{\"a\": 1 /* one */}").unwrap();
    fs::write(folder.path().join("b.setreg"), "{\"b\": 2}").unwrap();
    run_in(folder.path(), "merge a.setreg b.setreg -o a.setreg").good();
    let merged = fs::read_to_string(folder.path().join("a.setreg")).unwrap();
    assert!(merged.contains("/* one */") && merged.contains("\"b\": 2"), "{merged}");
}

#[test]
fn inputs_are_bounded() {
    let folder = folder();
    let size = sample("savegame.dat").len();
    let (exact, less) = (size.to_string(), (size - 1).to_string());
    for command in ["decode", "explain", "check", "detect"] {
        run_in(folder.path(), &[command, "savegame.dat", "--max-input", &exact]).good();
        let ran = run_in(folder.path(), &[command, "savegame.dat", "--max-input", &less]);
        let text =
            format!("error: savegame.dat: has more than {less} bytes; --max-input allows more\n");
        assert_eq!(ran.end(), (2, text.as_str()), "{command}");
        let stream = [command, "-", "--max-input", &less];
        let ran = feed(&stream, &sample("savegame.dat"));
        assert!(ran.stderr.starts_with("error: standard input: has more than"), "{command}");
        feed(&[command, "-", "--max-input", &exact], &sample("savegame.dat")).good();
    }
    // Nothing of the size of a claim is reserved: the file has holes.
    let huge = fs::File::create(folder.path().join("huge.binary")).unwrap();
    huge.set_len(3 << 40).unwrap();
    let ran = run_in(folder.path(), "check .");
    assert_eq!(ran.code, 1);
    let text =
        "unread      ./huge.binary: has more than 1073741824 bytes; --max-input allows more\n";
    assert!(ran.text().contains(text), "{}", ran.text());
}

#[cfg(unix)]
pub(crate) use unix::as_nobody;

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::io::Read as _;
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::os::unix::process::CommandExt as _;
    use std::time::{Duration, Instant};

    use super::*;

    fn shell(folder: &Path, script: &str, args: &[&str]) -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, TOOL]).args(args).current_dir(folder).stdin(Stdio::null());
        shell.output().unwrap().into()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    /// Commands that write more than a kilobyte to `out`.
    const WRITERS: [&[&str]; 8] = [
        &["decode", "savegame.dat", "-o", "out"],
        &["encode", "savegame.json", "-f", "godot-variant", "-o", "out"],
        &["convert", "savegame.dat", "out"],
        &["explain", "savegame.dat", "--html", "out"],
        &["merge", "a.setreg", "b.setreg", "-o", "out"],
        &["package", "build", "lamp.brson", "out", "--incomplete"],
        &["gen", "zeze", "solution.xml", "-o", "out"],
        &["decode", "savegame.dat", "-o", "link"],
    ];

    /// A folder with what they read, and a link to `out`.
    fn for_writers() -> tempfile::TempDir {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("out"), OLD).unwrap();
        symlink("out", path("link")).unwrap();
        let json = run_in(folder.path(), "decode savegame.dat -o savegame.json");
        json.good();
        let long = format!("{{\"a\": \"{}\"}}", "long ".repeat(1000));
        fs::write(path("a.setreg"), &long).unwrap();
        fs::write(path("b.setreg"), "{\"b\": 2}").unwrap();
        let lamp = crate::run::samples().join("../resonite-brson/lamp.brson");
        fs::copy(lamp, path("lamp.brson")).unwrap();
        let bean = |n: u32| {
            format!("<bean name=\"B{n}\"><variable id=\"1\" name=\"v\" type=\"int\"/></bean>")
        };
        let beans: String = (0..50).map(bean).collect();
        let solution =
            format!("<solution name=\"s\" ModuleIdAllowRanges=\"1-9\">{beans}</solution>");
        fs::write(path("solution.xml"), solution).unwrap();
        folder
    }

    /// The system lets no file grow beyond a block or two, as a quota or a full disk does.
    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = for_writers();
        let before = names(folder.path());
        for args in WRITERS {
            let ran = shell(folder.path(), "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", args);
            assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
            assert!(ran.stderr.ends_with(": file too large\n"), "{args:?}: {}", ran.stderr);
            assert_eq!(fs::read(folder.path().join("out")).unwrap(), OLD, "{args:?}");
            assert_eq!(names(folder.path()), before, "{args:?}");
            // And without the limit:
            let ran = run_in(folder.path(), args);
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
            assert_ne!(fs::read(folder.path().join("out")).unwrap(), OLD, "{args:?}");
            assert_eq!(names(folder.path()), before, "{args:?}");
            fs::write(folder.path().join("out"), OLD).unwrap();
        }
    }

    /// The same for folders: what fits is written, and what does not leaves its old file.
    #[test]
    fn a_write_that_fails_leaves_the_old_file_of_a_folder() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("in")).unwrap();
        fs::create_dir(path("out")).unwrap();
        fs::rename(path("savegame.dat"), path("in/long.dat")).unwrap();
        fs::write(path("in/short.dat"), b"\x04\0\0\0\0\0\0\0").unwrap();
        fs::write(path("out/long.dat.json"), OLD).unwrap();
        let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        let args = ["decode", "in", "--out-dir", "out", "--force"];
        let ran = shell(folder.path(), limited, &args);
        assert_eq!((ran.code, ran.text()), (1, "1 file written, 1 failed\n"));
        assert_eq!(ran.stderr, "error: out/long.dat.json: file too large\n");
        assert_eq!(fs::read(path("out/long.dat.json")).unwrap(), OLD);
        assert_eq!(names(&path("out")), ["long.dat.json", "short.dat.json"]);

        let package = crate::run::samples().join("../resonite-brson/lamp.resonitepackage");
        let package = package.to_str().unwrap();
        let extract = ["package", "extract", package, "item"];
        run_in(folder.path(), &extract).good();
        // Of 1795 bytes; a block of the limit has 512 or 1024.
        let main = names(&path("item/Assets")).remove(0);
        fs::write(path("item/Assets").join(&main), OLD).unwrap();
        let before = names(&path("item/Assets"));
        let ran = shell(folder.path(), limited, &[&extract[..], &["--force"]].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        // What does not fit costs itself.
        assert!(ran.stderr.ends_with("note: 1 of 3 entries are written\n"), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches(": file too large\n").count(), 2, "{}", ran.stderr);
        assert_eq!(fs::read(path("item/Assets").join(&main)).unwrap(), OLD);
        assert_eq!(names(&path("item/Assets")), before);
        assert_eq!(names(&path("item")), ["Assets", "R-Main.record"]);
    }

    /// Where a file system can be mounted, one that has no room.
    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let folder = folder();
        fs::create_dir(folder.path().join("disk")).unwrap();
        let script = "mount -t tmpfs -o size=16k none disk || exit 77; printf old > disk/out; \
                      head -c 12000 /dev/zero > disk/filler; \"$0\" decode savegame.dat -o disk/out; \
                      code=$?; cat disk/out; ls -A disk; exit $code";
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "--map-root-user", "sh", "-c", script, TOOL]);
        let Ok(output) = unshare.current_dir(folder.path()).output() else { return };
        if output.status.code() == Some(77) || output.stdout.is_empty() {
            return; // The test of quotas has the same error on the same way.
        }
        let ran = Ran::from(output);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.ends_with("disk/out: no space left on device\n"), "{}", ran.stderr);
        assert_eq!(ran.text(), "oldfiller\nout\n");
    }

    /// Killed when a part of the output is written.
    #[test]
    fn a_kill_leaves_the_old_file() {
        let folder = folder();
        // A PackedInt64Array of a million zeros, three bytes of JSON each.
        let mut big = b"\x1f\0\0\0\x40\x42\x0f\0".to_vec();
        big.resize(8 + 8_000_000, 0);
        fs::write(folder.path().join("big"), big).unwrap();
        let out = folder.path().join("out.json");
        fs::write(&out, OLD).unwrap();
        let mut tool = command("decode big -f godot-variant -o out.json");
        let mut child = tool.current_dir(folder.path()).spawn().unwrap();
        let is_partial = || {
            fs::read_dir(folder.path()).unwrap().any(|entry| {
                let entry = entry.unwrap();
                entry.file_name().to_str().unwrap().starts_with(".gamewire-")
                    && entry.metadata().is_ok_and(|metadata| metadata.len() > 0)
            })
        };
        let start = Instant::now();
        while !is_partial() && child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
        }
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "not killed while it wrote: {status}");
        assert_eq!(fs::read(&out).unwrap(), OLD);
    }

    /// Run by somebody who is not the administrator, whom no permission stops.
    pub(crate) fn as_nobody(folder: &Path, line: &(impl Line + ?Sized)) -> Ran {
        if !is_root() {
            return run_in(folder, line);
        }
        // Where everybody may run it. Another process copies: a file that is open for writing, even
        // in the child of another test, cannot be run.
        let bin = tempfile::tempdir().unwrap();
        fs::set_permissions(bin.path(), Permissions::from_mode(0o755)).unwrap();
        let tool = bin.path().join("gamewire");
        assert!(Command::new("cp").args([Path::new(TOOL), &tool]).status().unwrap().success());
        let mut tool = Command::new(tool);
        tool.args(line.words()).current_dir(folder).stdin(Stdio::null()).uid(65534).gid(65534);
        tool.output().unwrap().into()
    }

    fn is_root() -> bool {
        let id = Command::new("id").arg("-u").output().unwrap();
        id.stdout == b"0\n"
    }

    #[test]
    fn permissions_are_obeyed() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let chmod = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
        chmod(folder.path(), 0o755).unwrap();
        fs::create_dir(path("closed")).unwrap();
        fs::write(path("closed/out.json"), OLD).unwrap();
        chmod(&path("closed/out.json"), 0o666).unwrap();
        chmod(&path("closed"), 0o555).unwrap();
        let ran = as_nobody(folder.path(), "decode savegame.dat -o closed/out.json");
        let text =
            "error: closed/out.json: the folder closed takes no new file: permission denied\n";
        assert_eq!(ran.end(), (2, text));
        assert_eq!(fs::read(path("closed/out.json")).unwrap(), OLD);
        assert_eq!(names(&path("closed")), ["out.json"]);

        // A file that may not be written is not replaced where the folder allows it.
        fs::create_dir(path("open")).unwrap();
        fs::write(path("open/out.json"), OLD).unwrap();
        chmod(&path("open/out.json"), 0o444).unwrap();
        chmod(&path("open"), 0o777).unwrap();
        let ran = as_nobody(folder.path(), "decode savegame.dat -o open/out.json");
        let text = "error: open/out.json: permission denied\n";
        assert_eq!(ran.end(), (2, text));
        assert_eq!(fs::read(path("open/out.json")).unwrap(), OLD);
        chmod(&path("closed"), 0o755).unwrap();
    }

    #[test]
    fn permissions_are_kept() {
        let folder = folder();
        let out = folder.path().join("out.json");
        for kept in [0o600, 0o640, 0o755] {
            fs::write(&out, OLD).unwrap();
            fs::set_permissions(&out, Permissions::from_mode(kept)).unwrap();
            run_in(folder.path(), "decode savegame.dat -o out.json").good();
            assert_eq!(mode(&out), kept);
        }
        let args = ["decode", "savegame.dat", "-o", "new.json"];
        shell(folder.path(), "umask 027; exec \"$0\" \"$@\"", &args).good();
        assert_eq!(mode(&folder.path().join("new.json")), 0o640);
    }

    #[test]
    fn what_a_link_leads_to_is_replaced() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let json = run_in(folder.path(), "decode savegame.dat").good();
        for name in ["here", "there"] {
            fs::create_dir(path(name)).unwrap();
        }
        fs::write(path("there/out.json"), OLD).unwrap();
        symlink("../there/out.json", path("here/first.json")).unwrap();
        symlink("first.json", path("here/link.json")).unwrap();
        symlink("../there/new.json", path("here/nowhere.json")).unwrap();
        symlink("round.json", path("here/round.json")).unwrap();
        for (link, file) in [("link.json", "out.json"), ("nowhere.json", "new.json")] {
            let to = format!("here/{link}");
            run_in(folder.path(), &["decode", "savegame.dat", "-o", &to]).good();
            assert!(fs::symlink_metadata(path(&to)).unwrap().is_symlink());
            same_bytes("the bytes", &json, &fs::read(path("there").join(file)).unwrap()).unwrap();
        }
        let ran = run_in(folder.path(), "decode savegame.dat -o here/round.json");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert_eq!(names(&path("here")), ["first.json", "link.json", "nowhere.json", "round.json"]);
        assert_eq!(names(&path("there")), ["new.json", "out.json"]);
    }

    #[test]
    fn devices_and_pipes_stay_what_they_are() {
        let folder = folder();
        let ran = run_in(folder.path(), "decode savegame.dat -o /dev/full");
        let text = "error: /dev/full: no space left on device\n";
        assert_eq!(ran.end(), (2, text));
        run_in(folder.path(), "decode savegame.dat -o /dev/null").good();
        for device in ["/dev/full", "/dev/null"] {
            assert!(fs::metadata(device).unwrap().file_type().is_char_device());
        }
        let ran = shell(folder.path(), "exec \"$0\" decode savegame.dat > /dev/full", &[]);
        let text = "error: standard output: no space left on device\n";
        assert_eq!(ran.end(), (2, text));

        let json = run_in(folder.path(), "decode savegame.dat").good();
        let script = "echo first > log; \"$0\" decode savegame.dat -o /dev/stdout >> log; \
                      mkfifo pipe; \"$0\" decode savegame.dat -o pipe & cat pipe";
        assert!(shell(folder.path(), script, &[]).good() == json);
        assert!(fs::metadata(folder.path().join("pipe")).unwrap().file_type().is_fifo());
        let log = fs::read(folder.path().join("log")).unwrap();
        assert!(log == [b"first\n", json.as_slice()].concat());
    }

    /// None of them is waited for.
    #[test]
    fn only_files_are_read() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        let rows = [
            ("pipe", "is a pipe and no file; `-` reads standard input"),
            ("socket", "is a socket and no file; `-` reads standard input"),
            ("zero", "is a device and no file; `-` reads standard input"),
            ("/dev/zero", "is a device and no file; `-` reads standard input"),
            ("folder", "is a folder"),
        ];
        for (name, why) in rows {
            for args in [
                &["decode", name][..],
                &["encode", name, "-f", "godot-variant"],
                &["convert", name, "out"],
                &["explain", name],
                &["diff", "savegame.dat", name],
                &["tree", name],
                &["package", "list", name],
                &["patch", name, "savegame.dat"],
                &["gen", "zeze", name],
            ] {
                let ran = run_in(folder.path(), args);
                let text = format!("error: {name}: {why}\n");
                assert_eq!((ran.code, ran.stderr), (2, text), "{args:?}");
            }
            let ran = run_in(folder.path(), &["decode", "savegame.dat", "--types", name]);
            assert!(ran.code == 2 && ran.stderr.contains(why), "{}", ran.stderr);
        }
        // Nor one that a file imports.
        let import = "{\"a\": {\"$import\": \"pipe\"}}";
        fs::write(path("imports.setreg"), import).unwrap();
        let ran = run_in(folder.path(), "resolve imports.setreg");
        assert!(ran.code == 1 && ran.stderr.contains("it is not a file"), "{}", ran.stderr);
        fs::remove_file(path("imports.setreg")).unwrap();
        let ran = run_in(folder.path(), "check .");
        let text = "2 files: 2 identical, 0 equivalent, 0 differs, 0 refused; \
                    skipped: 1 link, 2 special files\n";
        assert!(ran.text().ends_with(text), "{}", ran.text());
        // A pipe is read where standard input is asked for.
        let mut tool = command("decode -");
        tool.stdin(fs::File::open(path("savegame.dat")).unwrap()).stdout(Stdio::piped());
        let mut child = tool.spawn().unwrap();
        let mut json = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut json).unwrap();
        assert!(child.wait().unwrap().success() && json.len() > 1000);
    }

    /// Man pages are files too.
    #[test]
    fn man_pages_are_replaced() {
        let folder = folder();
        let pages: PathBuf = folder.path().join("man");
        for _ in 0..2 {
            run_in(folder.path(), "generate man man").good();
            assert!(names(&pages).iter().all(|name| name.ends_with(".1")));
            for name in names(&pages) {
                assert_ne!(fs::read(pages.join(&name)).unwrap(), OLD, "{name}");
                fs::write(pages.join(name), OLD).unwrap();
            }
        }
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" generate man man";
        let ran = shell(folder.path(), script, &[]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        for name in names(&pages) {
            assert_eq!(fs::read(pages.join(&name)).unwrap(), OLD, "{name}");
        }
    }
}

#[test]
fn settings_may_have_trailing_commas() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.setreg", "a.prefab"] {
        fs::write(folder.path().join(name), "{\"a\": [1,],}").unwrap();
    }
    fs::write(folder.path().join("b.setreg"), "{\"b\": 2,}").unwrap();
    for command in ["decode", "check", "explain"] {
        run_in(folder.path(), &[command, "a.setreg"]).good();
    }
    run_in(folder.path(), "merge a.setreg b.setreg -o out.setreg").good();
    assert_ne!(run_in(folder.path(), "decode a.prefab").code, 0);
    assert_ne!(run_in(folder.path(), "decode --strict a.setreg").code, 0);
}

/// Of two processes that change a file at the same time, each has its change in it or says that it came
/// too late.
#[test]
fn no_change_of_another_process_is_lost() {
    let folder = folder();
    let file = folder.path().join("savegame.dat");
    let get = |path: &str| {
        let text = run_in(folder.path(), &["get", "savegame.dat", path]).text().to_owned();
        text.trim_end().to_owned()
    };
    let (mut both, mut late) = (0, 0);
    for turn in 0..40 {
        let set = |what: String| {
            let mut own = command(&["set", "savegame.dat", &what]);
            own.current_dir(folder.path()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let all = [set(format!("player.hp={turn}.5")), set(format!("player.name=n{turn}"))];
        let done = all.map(|child| Ran::from(child.wait_with_output().unwrap()));
        for (ran, (path, value)) in done
            .iter()
            .zip([("player.hp", format!("{turn}.5")), ("player.name", format!("n{turn}"))])
        {
            match ran.code {
                0 => assert_eq!(get(path), value, "turn {turn}"),
                _ => {
                    assert!(ran.stderr.contains("nothing is written"), "{}", ran.stderr);
                    assert_eq!(ran.code, 2);
                    late += 1;
                }
            }
        }
        both += usize::from(done.iter().all(|ran| ran.code == 0));
    }
    println!("{both} of 40 pairs wrote both, {late} came too late");
    assert!(both + late >= 40);
    assert_eq!(names(folder.path()), ["project.binary", "savegame.dat"]);
    assert!(fs::read(file).is_ok());
}

/// An editor saves while a file is changed: `set` waits for its types here, which come through a pipe.
#[test]
#[cfg(unix)]
fn what_an_editor_saved_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (command, name, own) in [
        ("merge3 base ours - -o ours -f godot-variant", "ours", "savegame.dat"),
        ("slot insert ours - -o ours", "ours", "../resonite-brson/lamp.brson"),
    ] {
        for name in ["base", "ours"] {
            fs::write(path(name), sample(own)).unwrap();
        }
        let mut child = command_in(folder.path(), command);
        std::thread::sleep(std::time::Duration::from_millis(300));
        // It has read the first file, and waits for standard input.
        fs::write(path(name), b"what the editor saved").unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &changed(own)).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        let why = "error: ours: another process changed it after it was read; nothing is written\n";
        assert_eq!(ran.end(), (2, why), "{command}");
        assert_eq!(fs::read(path(name)).unwrap(), b"what the editor saved");
    }
}

#[cfg(unix)]
fn command_in(folder: &Path, line: &str) -> std::process::Child {
    let mut own = command(line);
    own.current_dir(folder).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped());
    own.spawn().unwrap()
}

/// A sample with another value in it.
#[cfg(unix)]
fn changed(own: &str) -> Vec<u8> {
    match own.ends_with(".dat") {
        true => feed("set - player.hp=1 -o -", &sample(own)).good(),
        false => sample(own),
    }
}

/// Attributes and access lists belong to the file, whoever writes it.
#[test]
#[cfg(target_os = "linux")]
fn attributes_are_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let folder = folder();
    let file = folder.path().join("savegame.dat");
    // Version 2; the owner, a user, the group, the mask and others.
    let entry = |tag: u16, rights: u16, id: u32| {
        [&tag.to_le_bytes()[..], &rights.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let list = [
        2_u32.to_le_bytes().to_vec(),
        entry(1, 6, !0),
        entry(2, 6, 1234),
        entry(4, 4, !0),
        entry(0x10, 6, !0),
        entry(0x20, 4, !0),
    ]
    .concat();
    let own = [
        ("user.origin", b"a cloud".to_vec()),
        ("user.big", vec![7; 3000]),
        ("system.posix_acl_access", list),
    ];
    let mut kept = 0;
    for (name, value) in &own {
        match setxattr(&file, *name, value, XattrFlags::empty()) {
            Ok(()) => kept += 1,
            Err(error) => println!("SKIPPED: {name}: {error}"),
        }
    }
    for line in [
        "set savegame.dat player.hp=1",
        "ins savegame.dat player.new=1",
        "del savegame.dat player.new",
    ] {
        run_in(folder.path(), line).good();
        let mut found = 0;
        for (name, value) in &own {
            let mut read = vec![0; 4096];
            let len = getxattr(&file, *name, &mut read[..]).unwrap_or(0);
            found += usize::from(len > 0 && read[..len] == **value);
        }
        assert_eq!(found, kept, "{line}");
    }
}
